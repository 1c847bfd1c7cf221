"""docs/reference.md, man/slackwater.1 and completion/slackwater are what the tables of the program say."""
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
            self.assertEqual(['docs/reference.md', 'man/slackwater.1', 'completion/slackwater'], [line.split()[0] for line in out.splitlines()])
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

    def complete(self, *words, folder='.'):
        """What bash offers behind the words, the last of which is being typed; as bash has it, --name=VALUE stands in three words."""
        line = 'source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _slackwater; printf "%s\\n" "${COMPREPLY[@]}"'
        done = subprocess.run(['bash', '-c', line, 'bash', os.path.join(ROOT, 'completion', 'slackwater'), PROGRAM, *words], capture_output=True, text=True, cwd=folder, check=True)
        self.assertEqual('', done.stderr)
        return done.stdout.split()

    def test_bash_completes_commands_options_choices_and_names(self):
        self.assertEqual(['reconcile'], self.complete('rec'))
        self.assertEqual(['case', 'challenge'], sorted(self.complete('help', 'c')))
        self.assertEqual(['gap'], self.complete('position', 'g'))
        self.assertEqual(['--baseline', '--baseline-query', '--baseline-position', '--baseline-time'], self.complete('reconcile', '--base'))
        self.assertEqual(['--saved', '--same-source'], sorted(self.complete('position', 'gap', '--sa'), reverse=True))
        self.assertEqual(['state', 'value'], self.complete('reconcile', '--key', 'id', '--compare', ''))
        self.assertEqual(['value'], self.complete('reconcile', '--compare', '=', 'v'))
        self.assertEqual(['state', 'value'], self.complete('reconcile', '--compare', '='))
        self.assertEqual(['mysql', 'mysql-gtid'], self.complete('reconcile', '--order', 'my'))
        self.assertEqual(['canal'], self.complete('formats', '-e', 'can'))
        self.assertEqual([], self.complete('reconcile', '--key', 'i'))

    def test_bash_completes_files_where_an_option_or_operand_takes_them(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ('events.ndjson', 'two words.csv', 'other'):
                open(os.path.join(folder, name), 'w', encoding='utf-8').close()
            self.assertEqual(['events.ndjson'], self.complete('reconcile', '--events', 'ev', folder=folder))
            self.assertEqual(['two', 'words.csv'], self.complete('reconcile', '-x', 'tw', folder=folder))
            self.assertEqual(['other'], self.complete('case', 'add', 'ot', folder=folder))
            self.assertEqual(['events.ndjson'], self.complete('reconcile', '--events', '=', 'ev', folder=folder))


if __name__ == '__main__':
    unittest.main()
