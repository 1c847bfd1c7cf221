"""slackwater reconcile as it is called: arguments, streams, progress, signals and exit statuses.

What it finds in data is told by the cases under tests/spec/; here stands how it is asked and how it answers.
"""
import fcntl
import json
import os
import pty
import random
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import ENVIRONMENT, PROGRAM, call  # noqa: E402

HINT = "try 'slackwater reconcile --help'\n"
ROW = '{"key":"a","version":1,"deleted":false,"value":1}\n'
OTHER = '{"key":"a","version":1,"deleted":false,"value":2}\n'


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, 'w', encoding='utf-8') as f:
            f.write(text)
        return path

    def call(self, *arguments, **options):
        return call('reconcile', *arguments, cwd=self.folder, **options)

    def inputs(self, expected=ROW):
        self.write('base.ndjson', ROW)
        self.write('expected.ndjson', expected)
        return ['--baseline', 'base.ndjson', '--expected', 'expected.ndjson']

    def until_it_reads(self, process):
        """Returns once the program has taken more from its input than the beginning, which it looks at first, and so is reading."""
        rows = ''.join(f'{{"key":"k{i}","version":1,"deleted":false,"value":{i}}}\n' for i in range(20000)).encode()
        os.set_blocking(process.stdin.fileno(), False)
        sent, deadline = 0, time.monotonic() + 60
        while sent < len(rows) and time.monotonic() < deadline: # more than a pipe holds
            select.select([], [process.stdin], [], 1)
            try:
                sent += os.write(process.stdin.fileno(), rows[sent:])
            except BlockingIOError:
                pass
        self.assertEqual(len(rows), sent)

    def on_terminal(self, *arguments, columns=100, term='xterm', env=None):
        """(exit status, what both streams wrote to one terminal)"""
        import fcntl
        import struct
        import termios
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
        process = subprocess.Popen([PROGRAM, 'reconcile', *arguments], stdin=subprocess.DEVNULL, stdout=slave, stderr=slave,
                                   cwd=self.folder, env={**ENVIRONMENT, 'TERM': term, **(env or {})})
        os.close(slave)
        out = b''
        while True:
            try:
                more = os.read(master, 65536)
            except OSError:
                break
            if not more:
                break
            out += more
        os.close(master)
        return process.wait(), out.decode()


class Usage(Folder):
    def test_wrong_usage_is_one_line_and_a_hint_with_status_2(self):
        for arguments, message in (
                (['--formt', 'x'], "unknown option '--formt'; did you mean '--format'?"),
                (['--expect', 'x'], "unknown option '--expect'; did you mean '--expected'?"),
                (['--exclude', 'x'], "unknown option '--exclude'; that is --ignore here"),
                (['--target=x'], "unknown option '--target'; that is --expected here"),
                (['--html'], "unknown option '--html'; a page is written by 'slackwater case handover DIR --format html', from a case that --case DIR filled"),
                (['--memory', '3X'], "--memory: expected a size such as 512M, 2G or 1GiB, found '3X'"),
                (['--threads', '-1'], "--threads: expected a number from 0 to 2147483647, found '-1'"),
                (['--progress', 'bars'], "--progress: expected bar, plain, json or none, found 'bars'; did you mean 'bar'?"),
                (['--compare', 'values'], "--compare: expected state or value, found 'values'; did you mean 'value'?"),
                (['--map', 'a', '--map', 'b'], "option '--map' is given twice"),
                (['--baseline', '--events', 'x'],
                 "option '--baseline' needs an argument (-b, --baseline LOCATOR), found '--events'; write --baseline=--events if that is meant"),
                (['base.ndjson'], "expected options only, found 'base.ndjson'; an input is named with --baseline, --events, --expected")):
            self.assertEqual((2, '', f'slackwater: {message}\n{HINT}'), self.call(*arguments), arguments)

    def test_without_any_input_nothing_is_done(self):
        status, out, err = self.call()
        self.assertEqual((2, ''), (status, out))
        self.assertTrue(err.startswith('slackwater: ') and '--expected' in err, err)

    def test_a_wrong_declaration_is_told_with_its_place(self):
        self.write('map.yaml', 'key: id\nordr: mysql\n')
        message = "mapping: unknown member 'ordr'; did you mean 'order'?"
        self.assertEqual((2, '', f'slackwater: map.yaml:2:1: {message}\n'), self.call(*self.inputs(), '--map', 'map.yaml'))
        status, out, err = self.call(*self.inputs(), '--map', 'map.yaml', '--json')
        self.assertEqual((2, ''), (status, err))
        self.assertEqual({'error': {'code': 'usage', 'text': message, 'source': 'map.yaml', 'line': 2, 'column': 1}}, json.loads(out))

    def test_an_option_that_the_library_refuses_is_named(self):
        for option, value, message in (('--type', 'value', "--type: expected COLUMN=TYPE, found 'value'"),
                                       ('--key', 'a,,b', '--key: expected names with commas between them, found an empty name'),
                                       ('--expected-deletes', 'gone', "--expected-deletes: expected tombstone, absent, flag:COLUMN or set:COLUMN, found 'gone'")):
            self.assertEqual((2, '', f'slackwater: {message}\n'), self.call(*self.inputs(), option, value))

    def test_a_case_that_is_not_there_is_told_before_anything_is_read(self):
        message = "slackwater: --case: nowhere holds no case.yaml; `slackwater case init nowhere` makes a case\n"
        for arguments in (self.inputs(), ['--baseline', 'missing.ndjson', '--expected', 'missing.ndjson']):
            self.assertEqual((2, '', message), self.call(*arguments, '--case', 'nowhere'))
            self.assertEqual((2, '', message), call('challenge', *arguments, '--case', 'nowhere', cwd=self.folder))
        self.assertEqual((2, '', message), call('position', 'scan', '--events', 'missing.ndjson', '--order', 'kafka', '--case', 'nowhere', cwd=self.folder))

    def test_one_pipe_under_two_names_is_refused_before_it_is_opened(self):
        self.write('rows.ndjson', ROW)
        os.mkfifo(os.path.join(self.folder, 'fifo'))
        for first, second in (('-', '/dev/stdin'), ('fifo', './fifo')):
            reader, writer = os.pipe()
            os.write(writer, ROW.encode())
            os.close(writer)
            process = subprocess.run([PROGRAM, 'reconcile', '--baseline', first, '--expected', second], stdin=reader, capture_output=True, text=True, cwd=self.folder, timeout=60)
            os.close(reader)
            self.assertEqual((2, '', f'slackwater: inputs {first} and {second} are one pipe, which can be read once: what one of them takes the other lacks; '
                              'write it to a file and name that twice\n'), (process.returncode, process.stdout, process.stderr))
        with open(os.path.join(self.folder, 'rows.ndjson'), encoding='utf-8') as rows:  # a file has its bytes for everybody
            self.assertEqual(0, subprocess.run([PROGRAM, 'reconcile', '--baseline', '-', '--expected', '/dev/stdin'], stdin=rows, capture_output=True, cwd=self.folder).returncode)

    def test_a_file_that_is_not_there_is_status_2_and_named(self):
        status, out, err = self.call('--baseline', 'none.ndjson', '--states', 'states.ndjson')
        self.assertEqual((2, ''), (status, out))
        self.assertIn('none.ndjson', err)
        status, out, err = self.call('--baseline', 'none.ndjson', '--states', 'states.ndjson', '--json')
        self.assertEqual((2, ''), (status, err))
        error = json.loads(out)['error']
        self.assertEqual('input', error['code'])
        self.assertIn('none.ndjson', error['text'] + error.get('source', ''))


class Result(Folder):
    def test_equal_is_0_and_different_is_1(self):
        self.assertEqual(0, self.call(*self.inputs())[0])
        self.assertEqual(1, self.call(*self.inputs(OTHER))[0])

    def test_the_result_is_text_or_one_json_document_and_standard_error_is_empty(self):
        status, out, err = self.call(*self.inputs(OTHER))
        self.assertEqual('', err)
        self.assertNotIn('\x1b', out)
        self.assertTrue(out)
        status, out, err = self.call(*self.inputs(OTHER), '--json')
        self.assertEqual((1, ''), (status, err))
        self.assertIsInstance(json.loads(out), dict)

    def test_options_commute(self):
        self.inputs(OTHER)
        options = [['--baseline', 'base.ndjson'], ['--expected=expected.ndjson'], ['--ignore', 'x'], ['--type', 'value=decimal'], ['--compare', 'value'],
                   ['--threads', '1'], ['--differences', 'd.ndjson'], ['--list', '5'], ['--memory=64M']]
        shuffled = random.Random(7)
        results = set()
        for _ in range(12):
            shuffled.shuffle(options)
            status, out, err = self.call(*sum(options, []))
            with open(os.path.join(self.folder, 'd.ndjson')) as f:
                results.add((status, ''.join(line for line in out.splitlines(True) if 'records/s' not in line and ' s,' not in line), err, f.read()))
        self.assertEqual(1, len({r[0] for r in results}))
        self.assertEqual(1, len({r[2:] for r in results}), results)

    def test_color_follows_the_option_the_terminal_and_the_environment(self):
        inputs = self.inputs(OTHER)
        self.assertIn('\x1b[', self.call(*inputs, '--color', 'always')[1])
        self.assertNotIn('\x1b[', self.call(*inputs, '--color', 'never')[1])
        quiet = [*inputs, '--progress', 'none']
        self.assertIn('\x1b[', self.on_terminal(*quiet)[1])
        self.assertNotIn('\x1b[', self.on_terminal(*quiet, '--color', 'never')[1])
        self.assertNotIn('\x1b[', self.on_terminal(*quiet, env={'NO_COLOR': '1'})[1])
        self.assertNotIn('\x1b[', self.on_terminal(*quiet, term='dumb')[1])

    def test_a_report_that_cannot_be_written_is_status_4(self):
        self.inputs()
        for form in ([], ['--json']):
            with open('/dev/full', 'w') as full:
                done = subprocess.run([PROGRAM, 'reconcile', *self.inputs(), *form], cwd=self.folder, stdout=full, stderr=subprocess.PIPE, text=True)
            self.assertEqual(4, done.returncode)
            self.assertIn('No space left on device', done.stderr)

    def test_a_closed_standard_output_is_no_output_file(self):
        inputs = ' '.join(self.inputs())
        done = subprocess.run(['/bin/sh', '-c', f'"$0" reconcile {inputs} --states states.ndjson >&-', PROGRAM], cwd=self.folder, stderr=subprocess.PIPE, text=True)
        self.assertEqual(4, done.returncode)
        with open(os.path.join(self.folder, 'states.ndjson')) as f:
            self.assertEqual(['a'], [json.loads(line)['key'] for line in f])


class Progress(Folder):
    def while_it_waits(self, *arguments, until, **streams):
        """What it wrote on standard error by the end, if its input was closed once `until` stood there; on a terminal if `terminal`."""
        master, slave = pty.openpty() if streams.get('terminal') else os.pipe()
        process = subprocess.Popen([PROGRAM, 'reconcile', '--baseline', '-', '--states', 'states.ndjson', *arguments], stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=slave, cwd=self.folder, env={**ENVIRONMENT, 'TERM': 'xterm'})
        os.close(slave)
        self.until_it_reads(process)
        out, deadline = b'', time.monotonic() + 60
        while time.monotonic() < deadline:
            if until in out and not process.stdin.closed:
                process.stdin.close()
            if not select.select([master], [], [], 1)[0]:
                continue
            try:
                more = os.read(master, 65536)
            except OSError: # a terminal whose other side is closed
                break
            if not more:
                break
            out += more
        process.stdin.close()
        os.close(master)
        process.wait(timeout=60)
        self.assertIn(until, out)
        return out.decode()

    def test_nothing_is_shown_where_no_terminal_is_and_nobody_asked(self):
        self.assertEqual('', self.call(*self.inputs())[2])
        self.assertEqual('', self.call(*self.inputs(), '--progress', 'none')[2])

    def test_json_lines_carry_every_number(self):
        lines = self.while_it_waits('--progress', 'json', until=b'}}\n').splitlines()
        for line in lines:
            progress = json.loads(line)['progress']
            self.assertEqual({'phase', 'seconds', 'records', 'bytes', 'totalBytes', 'partitions', 'partitionsDone', 'spilledBytes', 'waitSeconds'}, set(progress))
        first = json.loads(lines[0])['progress']
        self.assertEqual(('reading baseline', 0), (first['phase'], first['partitions']))

    def test_plain_lines_name_the_phase_and_a_bar_without_a_terminal_becomes_them(self):
        for form in ('bar', 'plain'):
            out = self.while_it_waits('--progress', form, until=b'\n')
            self.assertTrue(out.startswith('slackwater: reading baseline, '), out)
            self.assertNotIn('\r', out)

    def test_on_a_terminal_a_bar_is_drawn_and_taken_off_again(self):
        for form in ([], ['--progress', 'bar']):
            out = self.while_it_waits(*form, until=b'reading baseline [', terminal=True)
            self.assertTrue(out.startswith('\rreading baseline ['), out)
            self.assertTrue(out.endswith('\r\x1b[K'), out)
            self.assertNotIn('\n', out)

    def test_a_narrow_terminal_keeps_what_is_waited_for_and_drops_the_drawing(self):
        path = os.path.join(self.folder, 'rows.ndjson')
        with open(path, 'w', encoding='utf-8') as file:
            file.writelines('{"key":"%d","version":1,"value":"%s"}\n' % (i, 'x' * 200) for i in range(400_000))
        for columns, drawn in ((100, True), (60, True), (30, False)):
            master, slave = pty.openpty()
            fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack('HHHH', 24, columns, 0, 0))
            process = subprocess.Popen([PROGRAM, 'reconcile', '--baseline', path, '--states', '/dev/null', '--threads', '1', '--memory', '16M'], stdin=subprocess.DEVNULL,
                                       stdout=subprocess.DEVNULL, stderr=slave, cwd=self.folder, env={**ENVIRONMENT, 'TERM': 'xterm'})
            os.close(slave)
            for _ in range(4):  # a fast machine would be done before there is anything to show
                time.sleep(0.02)
                process.send_signal(signal.SIGSTOP)
                time.sleep(0.15)
                process.send_signal(signal.SIGCONT)
            out = b''
            try:
                while more := os.read(master, 65536):
                    out += more
            except OSError: # the other side is closed
                pass
            os.close(master)
            process.wait(timeout=60)
            lines = [line.split('\x1b[K')[0] for line in out.decode().split('\r') if line.startswith('reading')]
            self.assertTrue(lines, out)
            self.assertTrue(all(len(line) < columns and '%' in line for line in lines), (columns, lines))
            self.assertEqual(drawn, all('[' in line for line in lines), (columns, lines))

    def test_who_sits_at_the_terminal_is_told_what_is_waited_for(self):
        os.mkfifo(os.path.join(self.folder, 'pipe'))
        for arguments, words in ((['-b', '-'], b'standard input is this terminal'), (['-b', 'pipe'], b'an input is a named pipe')):
            master, slave = pty.openpty()
            process = subprocess.Popen([PROGRAM, 'reconcile', *arguments, '--states', 'states.ndjson'], stdin=slave, stdout=subprocess.DEVNULL, stderr=slave, cwd=self.folder,
                                       env={**ENVIRONMENT, 'TERM': 'xterm'})
            os.close(slave)
            out = b''
            while words not in out and select.select([master], [], [], 60)[0]:
                out += os.read(master, 65536)
            self.assertIn(words, out)
            process.terminate()
            process.wait(timeout=60)
            os.close(master)


class Signals(Folder):
    def start(self, *arguments):
        """A run that waits for the end of its standard input."""
        return subprocess.Popen([PROGRAM, 'reconcile', '--baseline', '-', *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, cwd=self.folder, env=ENVIRONMENT)

    def interrupt(self, process, number):
        """What it wrote. Its input stays open until it has ended, so that nothing but the signal can end it."""
        process.send_signal(number)
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            self.fail('still running a minute after the signal')
        finally:
            process.stdin.close()
            out, err = process.stdout.read(), process.stderr.read()
            process.stdout.close()
            process.stderr.close()
        return out, err

    def test_a_second_signal_does_not_wait(self):
        process = self.start('--states', 'states.ndjson')
        self.until_it_reads(process)
        begun = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGINT)
        out, err = self.interrupt(process, signal.SIGTERM)
        self.assertIn(process.returncode, (4, -signal.SIGINT))  # two signals at once have no order
        self.assertEqual((b'', b'slackwater: interrupted: nothing is claimed\n'), (out, err))
        self.assertLess(time.monotonic() - begun, 2)
        self.assertEqual([], os.listdir(self.folder))

    def test_an_interrupted_run_claims_nothing_and_leaves_no_file(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start('--report', 'report.json', '--states', 'states.ndjson')
            self.until_it_reads(process)
            out, err = self.interrupt(process, number)
            self.assertEqual((-number if number == signal.SIGINT else 4, b'', b'slackwater: interrupted: nothing is claimed\n'), (process.returncode, out, err))
            self.assertEqual([], os.listdir(self.folder))

    def test_in_json_mode_the_interruption_is_an_object(self):
        process = self.start('--json', '--states', 'states.ndjson')
        self.until_it_reads(process)
        out, err = self.interrupt(process, signal.SIGINT)
        self.assertEqual((-signal.SIGINT, b''), (process.returncode, err))
        self.assertEqual({'error': {'code': 'cancelled', 'text': 'interrupted: nothing is claimed'}}, json.loads(out))


if __name__ == '__main__':
    unittest.main()
