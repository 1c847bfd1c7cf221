"""docs/reference.md and man/slackwater.1 are what the tables of the program say."""
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import PROGRAM, ROOT, call, listed_commands  # noqa: E402

SCRIPT = os.path.join(ROOT, 'scripts', 'generate-reference')


def generate(*options):
    done = subprocess.run([sys.executable, SCRIPT, *options, PROGRAM], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


class Reference(unittest.TestCase):
    def test_the_committed_files_are_up_to_date(self):
        self.assertEqual((0, '', ''), generate('--check'))

    def test_a_stale_or_missing_file_is_noticed_and_then_written(self):
        with tempfile.TemporaryDirectory() as root:
            os.mkdir(os.path.join(root, 'docs'))
            with open(os.path.join(root, 'docs', 'reference.md'), 'w') as f:
                f.write('old\n')
            status, out, _ = generate('--check', '--root', root)
            self.assertEqual(1, status)
            self.assertEqual(['docs/reference.md', 'man/slackwater.1'], [line.split()[0] for line in out.splitlines()])
            self.assertEqual(0, generate('--root', root)[0])
            self.assertEqual((0, '', ''), generate('--check', '--root', root))

    def test_every_command_and_option_of_the_help_is_in_both(self):
        markdown, man = call('reference', 'markdown')[1], call('reference', 'man')[1].replace('\\-', '-')
        for name in listed_commands():
            self.assertIn(f'## slackwater {name}\n', markdown)
            self.assertIn(f'.SS slackwater {name}', man)
            for line in call(name, '--help')[1].splitlines():
                words = line.replace(',', ' ').split()
                for word in words[:2]:
                    if word.startswith('--') and word != '--help':
                        self.assertIn(word, markdown)
                        self.assertIn(word, man)


if __name__ == '__main__':
    unittest.main()
