"""The program without a command, and what it says of commands."""
import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import ENVIRONMENT, PROGRAM, ROOT, call, listed_commands  # noqa: E402


def on_terminal(columns, *arguments):
    """What the program writes to a terminal of that width."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
    process = subprocess.Popen([PROGRAM, *arguments], stdin=subprocess.DEVNULL, stdout=slave, env=ENVIRONMENT)
    os.close(slave)
    out = b''
    while True:
        try:
            more = os.read(master, 65536)
        except OSError:  # the other end was closed
            break
        if not more:
            break
        out += more
    os.close(master)
    process.wait()
    return out.decode()


class Commands(unittest.TestCase):
    def test_without_a_command_usage_goes_to_standard_error_with_status_2(self):
        status, out, err = call()
        self.assertEqual((2, ''), (status, out))
        self.assertTrue(err.startswith('usage: slackwater COMMAND'), err)

    def test_help_goes_to_standard_output_with_status_0_however_it_is_asked_for(self):
        helps = [call('--help'), call('-h'), call('help')]
        for status, out, err in helps:
            self.assertEqual((0, ''), (status, err))
            self.assertEqual(helps[0][1], out)
            self.assertTrue(out.startswith('usage: slackwater COMMAND'), out)
            self.assertLessEqual(max(map(len, out.splitlines())), 80)

    def test_every_listed_command_explains_itself(self):
        for name in listed_commands():
            status, out, err = call(name, '--help')
            self.assertEqual((0, ''), (status, err), name)
            self.assertTrue(out.startswith(f'usage: slackwater {name}'), out)
            self.assertEqual((0, out, ''), call('help', name), name)

    def test_what_happened_leads_to_commands_that_exist(self):
        section = call('--help')[1].split('what happened, and where to begin:\n')[1].split('\n\n')[0]
        named = re.findall(r'(?:  |, )((?:position|case) [a-z]+|reconcile|challenge|formats|sources)\b', section)
        for name in ('position probe', 'position gap', 'reconcile', 'case check', 'case handover'):
            self.assertIn(name, named)
        for name in named:
            self.assertEqual(0, call('help', *name.split())[0], name)

    def test_examples_stand_before_the_options_in_80_columns_and_whole(self):
        for name in ('reconcile', 'challenge', 'position gap', 'position compare', 'position probe', 'position scan', 'position snapshot', 'case add', 'case check', 'case handover'):
            out = call(*name.split(), '--help')[1]
            examples = out.split('\nexamples:\n')[1].split('\n\n')[0].splitlines()
            self.assertLess(out.index('\nexamples:\n'), out.index('\n      --'), name)
            for line in examples:
                self.assertLessEqual(len(line), 80, line)
            commands = [line for line in examples if not line.startswith('  # ')]
            for line, after in zip(commands, [*commands[1:], '  slackwater']):
                self.assertEqual(line.endswith(' \\'), after.startswith('      -'), (line, after))

    def test_the_version_is_printed(self):
        for option in ('--version', '-V'):
            status, out, err = call(option)
            self.assertEqual((0, ''), (status, err))
            self.assertRegex(out, r'\Aslackwater \d+\.\d+\.\d+\n\Z')

    def test_a_name_from_elsewhere_does_not_steer_the_terminal(self):
        with tempfile.TemporaryDirectory() as folder:
            name = 'caf\u00e9-\x1b[31m-\u202e-\u009b2J-\x07\n.ndjson'
            for path in (name, b'latin-\xe9.ndjson'):
                with open(os.path.join(os.fsencode(folder), os.fsencode(path)), 'wb') as f:
                    f.write(b'\x1f\x8b\x08\0broken')
                done = subprocess.run([PROGRAM, 'reconcile', '-b', folder, '-x', folder], capture_output=True, stdin=subprocess.DEVNULL)
                self.assertEqual(2, done.returncode)
                self.assertNotRegex(done.stderr.decode()[:-1], '[\x00-\x1f\x7f-\x9f\u202e]')
                self.assertIn('caf\u00e9-\\x1b[31m-\\xe2\\x80\\xae-\\xc2\\x9b2J-\\x07 .ndjson' if path == name else 'latin-\\xe9.ndjson', done.stderr.decode())
                os.remove(os.path.join(os.fsencode(folder), os.fsencode(path)))

    def test_an_unknown_command_is_refused_with_the_one_that_was_meant(self):
        self.assertEqual((2, '', "slackwater: unknown command 'hepl'\ntry 'slackwater --help'\n"), call('hepl'))
        self.assertEqual((2, '', "slackwater: unknown command '--bogus'\ntry 'slackwater --help'\n"), call('--bogus'))
        self.assertEqual((2, '', "slackwater: unknown command 'foo'\ntry 'slackwater --help'\n"), call('help', 'foo'))

    def test_a_second_word_alone_and_the_words_of_other_tools_lead_to_the_command(self):
        for word, command in (('gap', 'position gap'), ('init', 'case init'), ('handover', 'case handover'), ('diff', 'reconcile')):
            self.assertEqual((2, '', f"slackwater: unknown command '{word}'; did you mean '{command}'?\ntry 'slackwater --help'\n"), call(word))

    def test_the_word_of_another_tool_leads_to_an_option_that_the_command_has(self):
        self.assertEqual((2, '', "slackwater: unknown option '--lsn'; that is --saved here\ntry 'slackwater position gap --help'\n"), call('position', 'gap', '--lsn', '0/1'))
        self.assertEqual((2, '', "slackwater: unknown option '--html'; that is --format=html here\ntry 'slackwater case handover --help'\n"), call('case', 'handover', 'x', '--html'))
        self.assertEqual((2, '', "slackwater: unknown option '--exclude'\ntry 'slackwater position gap --help'\n"), call('position', 'gap', '--exclude', 'x'))

    def test_every_word_of_another_tool_leads_to_an_option_that_exists(self):
        with open(os.path.join(ROOT, 'cli', 'other_words.c'), encoding='utf-8') as f:
            words = re.search(r' options\[\] = \{\n(.*?)\n\};', f.read(), re.S).group(1)
        known = set(re.findall(r'^#* ?`?(?:-., )?`?--([a-z-]+)', call('reference', 'markdown')[1].replace('| ', '\n'), re.M))
        meant = re.findall(r'\{"[a-z-]+", "([a-z-]+)(?:=[a-z]+)?"\}', words)
        self.assertGreater(len(meant), 50)
        self.assertEqual(set(), set(meant) - known)

    def test_long_lines_of_an_answer_are_broken_between_words_on_a_terminal_only(self):
        arguments = ('position', 'gap', '-k', 'mysql', '--saved', 'binlog.000042:1234', '--first', 'binlog.000050')
        whole = call(*arguments)[1]
        self.assertGreater(max(map(len, whole.splitlines())), 100)
        for columns in (40, 80, 300):
            lines = on_terminal(columns, *arguments).split('\r\n')
            self.assertLessEqual(max(map(len, lines)), columns)
            self.assertEqual(whole.split(), ' '.join(lines).split())
            for line, before in zip(lines[1:], lines):
                if before.startswith('  - ') and line and not line.startswith('  - '):
                    self.assertRegex(line, r'^    \S')

    def test_a_hidden_command_is_not_listed(self):
        self.assertNotIn('reference', call('--help')[1])

    def test_operands_are_counted(self):
        self.assertEqual((2, '', "slackwater: expected exactly 1 operand (markdown|man|bash), found 0\ntry 'slackwater reference --help'\n"), call('reference'))
        self.assertEqual((2, '', "slackwater: expected at most 1 operand, 'x' is one more\ntry 'slackwater reference --help'\n"), call('reference', 'man', 'x'))
        self.assertEqual((2, '', "slackwater: expected markdown, man or bash, found 'x'\n"), call('reference', 'x'))

    def test_a_full_device_is_status_4(self):
        with open('/dev/full', 'w') as full:
            done = subprocess.run([PROGRAM, '--help'], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual((4, 'slackwater: standard output could not be written: No space left on device\n'), (done.returncode, done.stderr))

    def test_a_reader_that_went_away_is_status_4(self):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([PROGRAM, 'orders'], stdout=write, stderr=subprocess.PIPE, text=True)
        self.assertEqual((4, 'slackwater: standard output could not be written: Broken pipe\n'), (done.returncode, done.stderr))
        for words in (['--help'], ['help', 'reconcile']): # help need not arrive whole
            done = subprocess.run([PROGRAM, *words], stdout=write, stderr=subprocess.PIPE, text=True)
            self.assertEqual((-signal.SIGPIPE, ''), (done.returncode, done.stderr))
        os.close(write)

    def test_a_closed_standard_output_is_status_4(self):
        done = subprocess.run(['/bin/sh', '-c', '"$0" --help >&-', PROGRAM], stderr=subprocess.PIPE, text=True)
        self.assertEqual((4, 'slackwater: standard output could not be written: Bad file descriptor\n'), (done.returncode, done.stderr))


if __name__ == '__main__':
    unittest.main()
