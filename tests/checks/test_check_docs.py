"""scripts/check-docs must report a link that leads nowhere, and leave the others alone."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'scripts', 'check-docs')


class CheckDocs(unittest.TestCase):
    def check(self, readme, *options):
        root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, root)
        os.mkdir(os.path.join(root, 'docs'))
        for path, text in (('README.md', readme), ('docs/a.md', '# One thing\n\n## A `b`, c & d\n\n## Twice\n## Twice\n')):
            with open(os.path.join(root, path), 'w', encoding='utf-8') as f:
                f.write(text)
        done = subprocess.run([sys.executable, SCRIPT, '--root', root, *options], capture_output=True, text=True)
        self.assertEqual('', done.stderr)
        return done.returncode, done.stdout

    def test_links_that_lead_somewhere_pass(self):
        for link in ('docs/a.md', 'docs', 'docs/a.md#one-thing', 'docs/a.md#a-b-c--d', 'docs/a.md#twice-1', '#here',
                     'https://example.org/x', 'docs/a.md "title"'):
            self.assertEqual((0, ''), self.check(f'# Here\n[x]({link})\n'), link)

    def test_links_that_lead_nowhere_are_reported_with_their_line(self):
        for link in ('docs/b.md', 'docs/a.md#two', '#there', '../x.md', '/etc/passwd'):
            status, said = self.check(f'# Here\n[x]({link})\n')
            self.assertEqual(1, status, link)
            self.assertTrue(said.startswith('README.md:2: ' + link), said)

    def test_what_stands_in_code_is_no_link(self):
        self.assertEqual((0, ''), self.check('```\n[x](y)\n```\nand `[x](y)`\n'))

    def test_parts_of_the_tree_that_are_named_and_not_there_are_reported(self):
        for span in ('docs/b.md', 'src/', 'src/reader.c', 'reader.h', 'text/reader.h', 'scripts/land'):
            self.assertEqual((1, f'README.md:2: `{span}`: there is no such part of the tree\n'), self.check(f'# Here\n`{span}`\n'), span)
        for span in ('docs/a.md', 'docs/', 'docs/NAME.md', 'test_MODULE.c', 'a.md', 'b.md', 'orders/1.csv', 'docs/* or so'):
            self.assertEqual((0, ''), self.check(f'# Here\n`{span}`\n'), span)

    def test_tap_has_a_point_for_each_document(self):
        status, said = self.check('[x](y)\n', '--tap')
        self.assertEqual(1, status)
        self.assertEqual(['1..2', 'not ok 1 - the links of README.md lead somewhere', '# README.md:1: y: there is no y',
                          'ok 2 - the links of docs/a.md lead somewhere'], said.splitlines())


if __name__ == '__main__':
    unittest.main()
