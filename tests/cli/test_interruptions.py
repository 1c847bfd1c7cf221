"""What goes wrong around a run: signals, a full disk, files that cannot be read or written, or that change under it.

Each time the exit status says that nothing is claimed, the message names the file and what to do, and neither a temporary
file nor a part of an output is left.
"""
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import ENVIRONMENT, PROGRAM  # noqa: E402

OUTPUTS = {'--report': 'report.json', '--differences': 'differences.ndjson', '--states': 'states.ndjson', '--quarantine': 'quarantine.ndjson'}


def row(key, value):
    return f'{{"key":"{key}","version":1,"deleted":false,"value":"{value}"}}\n'


class Folder(unittest.TestCase):
    """in/ for inputs, out/ for outputs, tmp/ for what is spilled."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        for name in ('in', 'out', 'tmp'):
            os.mkdir(self.path(name))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text):
        with open(self.path('in', name), 'w', encoding='utf-8') as f:
            f.write(text)
        return 'in/' + name

    def start(self, *arguments, outputs=True, **options):
        places = [word for option, name in OUTPUTS.items() for word in (option, 'out/' + name)] if outputs else []
        return subprocess.Popen([PROGRAM, 'reconcile', *places, *arguments], cwd=self.folder, text=True, env={**ENVIRONMENT, 'TMPDIR': 'tmp'}, **{'stdin': subprocess.DEVNULL, 'stdout': subprocess.PIPE, 'stderr': subprocess.PIPE, **options})

    def end(self, process):
        try:
            out, err = process.communicate(timeout=100)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.fail('it still runs')
        return process.returncode, out, err

    def call(self, *arguments, **options):
        return self.end(self.start(*arguments, **options))

    def left(self):
        """What stands in out/ and tmp/."""
        return sorted(os.listdir(self.path('out')) + os.listdir(self.path('tmp')))

    def assert_refused(self, status, words, result):
        """One line on standard error that has the words, nothing on standard output, nothing left."""
        self.assertEqual((status, ''), (result[0], result[1]), result)
        self.assertEqual(1, result[2].rstrip('\n').replace("\ntry 'slackwater reconcile --help'", '').count('\n') + 1, result[2])
        for word in words:
            self.assertIn(word, result[2])
        self.assertEqual([], self.left())

    def assert_works(self, *arguments):
        """What failed before works when its cause is gone."""
        self.assertEqual(0, self.call(*arguments)[0])
        self.assertEqual(sorted(OUTPUTS.values()), self.left())


class Signals(Folder):
    def feed(self, descriptor, rows, spilled):
        """Rows into a FIFO until so many bytes have gone through; then it waits, with the FIFO open."""
        sent = 0
        while sent < spilled:
            text = ''.join(row(f'k{rows + i}', 'x' * 300) for i in range(1000)).encode()
            rows += 1000
            while text:
                count = os.write(descriptor, text)
                text = text[count:]
                sent += count

    def test_a_signal_in_the_middle_of_a_stream_leaves_nothing(self):
        base = self.write('base.ndjson', row('k1', 1))
        os.mkfifo(self.path('in', 'events'))
        for number in (signal.SIGINT, signal.SIGTERM):
            for size in (200_000, 30_000_000):  # before and after the first spilled partitions
                process = self.start('--baseline', 'in/events', '--expected', base, '--memory', '16M')
                descriptor = os.open(self.path('in', 'events'), os.O_WRONLY)
                try:
                    self.feed(descriptor, 0, size)
                    process.send_signal(number)
                    begun = time.monotonic()
                    self.assert_refused(-signal.SIGINT if number == signal.SIGINT else 4, ['slackwater: interrupted: nothing is claimed'], self.end(process))
                    self.assertLess(time.monotonic() - begun, 30)
                finally:
                    os.close(descriptor)

    def test_ctrl_c_ends_the_loop_around_the_run_too(self):
        """A shell goes on with its loop where a program that was interrupted ends as if it had failed."""
        base = self.write('base.ndjson', row('k1', 1))
        os.mkfifo(self.path('in', 'events'))
        loop = subprocess.Popen(['bash', '-c', f'for i in 1 2 3; do "{PROGRAM}" reconcile --progress plain -b in/events -x {base}; echo again; done'], cwd=self.folder, env=ENVIRONMENT, text=True,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        descriptor = os.open(self.path('in', 'events'), os.O_WRONLY)
        try:
            self.feed(descriptor, 0, 200_000)
            self.assertIn('reading baseline', loop.stderr.readline())
            os.killpg(loop.pid, signal.SIGINT)
            status, out, err = self.end(loop)
        finally:
            os.close(descriptor)
        self.assertEqual((-signal.SIGINT, ''), (status, out), err)
        self.assertIn('slackwater: interrupted: nothing is claimed', err)

    def test_a_signal_while_it_writes_leaves_nothing(self):
        """The reader of an output that is a FIFO stops reading: the run can only be in its last phase."""
        base = self.write('base.ndjson', ''.join(row(f'k{i}', 'x' * 100) for i in range(20000)))
        os.mkfifo(self.path('in', 'states'))
        process = self.start('--baseline', base, '--states', 'in/states', '--report', 'out/report.json', outputs=False)
        with open(self.path('in', 'states'), 'rb') as states:
            self.assertTrue(states.read(1000).startswith(b'{'))
            process.send_signal(signal.SIGTERM)
            self.assert_refused(4, ['interrupted: nothing is claimed'], self.end(process))

    def test_a_stream_whose_writer_dies_in_a_record_is_no_complete_input(self):
        os.mkfifo(self.path('in', 'rows'))
        base = self.write('base.ndjson', row('k1', 1))
        process = self.start('--baseline', base, '--expected', 'in/rows')
        with open(self.path('in', 'rows'), 'w', encoding='utf-8') as rows:
            rows.write(row('k1', 1) + row('k2', 2)[:-20])
        status, out, err = self.end(process)
        self.assertEqual((3, ''), (status, err))  # put aside by --quarantine, and never equal
        with open(self.path('out', 'quarantine.ndjson'), encoding='utf-8') as f:
            bad = json.loads(f.read())
        self.assertEqual((2, 'expected'), (bad['line'], bad['role']))


class Disks(Folder):
    def limit(self):
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000_000, 1_000_000))
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)  # as a shell's ulimit leaves it; Python ignores it

    def inputs(self):
        base = self.write('base.ndjson', ''.join(row(f'k{i}', f'{i % 7}' * 400) for i in range(20000)))
        return ['--baseline', base, '--expected', base]

    def test_an_output_that_grows_too_large_is_named(self):
        inputs = self.inputs()
        result = self.call(*inputs, preexec_fn=self.limit)
        self.assert_refused(4, ['out/states.ndjson', 'File too large'], result)
        self.assert_works(*inputs)

    def test_a_temporary_file_that_grows_too_large_says_what_helps(self):
        base = self.write('base.ndjson', ''.join(row(f'k{i}', os.urandom(1000).hex()) for i in range(15000)))
        arguments = ['--baseline', base, '--expected', base, '--memory', '16M', '--threads', '2']
        result = self.call(*arguments, outputs=False, preexec_fn=self.limit)
        self.assert_refused(4, ['tmp took ', '--temporary-directory', '--memory', 'File too large'], result)
        self.assertEqual(0, self.call(*arguments, outputs=False)[0])

    def test_a_full_disk_is_told_and_nothing_of_the_run_stays_on_it(self):
        disk = self.path('disk')
        os.mkdir(disk)
        mounted = shutil.which('mount') and subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', disk], capture_output=True).returncode == 0
        if not mounted:
            self.skipTest('no file system can be mounted here')
        try:
            inputs = self.inputs()
            for option, name in (('--differences', 'differences.csv'), ('--report', 'report.json')):  # written by what knows no file
                result = self.call('--baseline', inputs[1], '--expected', self.write('empty.ndjson', ''), '--list', '20000', option, 'disk/' + name, outputs=False)
                self.assert_refused(4, [f'output disk/{name}: writing failed after', 'name a place with more room', 'No space left on device'], result)
                self.assertEqual([], os.listdir(disk))
            for name in ('states', 'report'):
                result = self.call(*inputs, '--states', f'disk/{name}' if name == 'states' else 'out/states', '--report', 'disk/report.json', '--list', '0',
                                   outputs=False, preexec_fn=None)
                if name == 'states':
                    self.assert_refused(4, ['disk/states', 'No space left on device'], result)
                    self.assertEqual([], os.listdir(disk))
            self.assertEqual(0, result[0])
            self.assertEqual(['report.json'], os.listdir(disk))
            os.remove(os.path.join(disk, 'report.json'))
            os.remove(self.path('out', 'states'))
            base = self.write('large.ndjson', ''.join(row(f'k{i}', os.urandom(1000).hex()) for i in range(15000)))
            result = self.call('--baseline', base, '--expected', base, '--memory', '16M', '--temporary-directory', 'disk', outputs=False)
            self.assert_refused(4, ['disk took ', 'No space left on device', '--temporary-directory'], result)
            self.assertEqual([], os.listdir(disk))
        finally:
            subprocess.run(['umount', disk], check=True)


class Files(Folder):
    def test_a_file_that_may_not_be_read_is_named(self):
        base = self.write('base.ndjson', row('k1', 1))
        os.chmod(self.path(base), 0)
        if os.access(self.path(base), os.R_OK):  # root reads it all the same
            if not shutil.which('setpriv'):
                self.skipTest('root, and no setpriv to be somebody else')
            for path in (self.folder, self.path('in'), self.path('out'), self.path('tmp')):
                os.chmod(path, 0o777)
            done = subprocess.run(['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', PROGRAM, 'reconcile', '--temporary-directory', 'tmp',
                                   '--baseline', base, '--expected', base, '--report', 'out/report.json'], cwd=self.folder, text=True, capture_output=True, env=ENVIRONMENT)
            if 'exec' in done.stderr or 'setpriv:' in done.stderr:
                self.skipTest('the program cannot be run as somebody else')
            result = done.returncode, done.stdout, done.stderr
        else:
            result = self.call('--baseline', base, '--expected', base)
        self.assert_refused(4, [base, 'Permission denied'], result)

    def test_an_empty_directory_is_no_input(self):
        os.mkdir(self.path('in', 'folder'))
        base = self.write('base.ndjson', row('k1', 1))
        self.assert_refused(2, ['in/folder'], self.call('--baseline', 'in/folder', '--expected', base))

    def test_a_directory_as_a_map_is_refused(self):
        base = self.write('base.ndjson', row('k1', 1))
        self.assert_refused(4, ['in', 'directory'], self.call('--baseline', base, '--expected', base, '--map', 'in'))

    def test_a_file_that_shrinks_while_it_is_read_is_no_shorter_input(self):
        base = self.write('base.ndjson', row('k1', 1))
        self.write('large.ndjson', ''.join(row(f'k{i}', 'x' * 100) for i in range(60000)))
        os.mkfifo(self.path('in', 'first'))
        # the FIFO is read first: while it is open, the file behind it has been looked at and not read
        process = self.start('--baseline', 'in/first', '--expected', 'in/large.ndjson')
        with open(self.path('in', 'first'), 'w', encoding='utf-8') as first:
            rows = ''.join(row(f'f{i}', 1) for i in range(5000))
            first.write(rows)  # more than a pipe holds: it reads
            first.flush()
            os.truncate(self.path('in', 'large.ndjson'), 1_000_000)
        self.assert_refused(4, ['in/large.ndjson', 'read it again when nothing writes to it'], self.end(process))
        self.assertEqual(0, self.call('--baseline', base, '--expected', base)[0])

    def test_a_file_that_is_replaced_before_it_is_read_is_told(self):
        self.write('large.ndjson', row('k1', 1))
        os.mkfifo(self.path('in', 'first'))
        process = self.start('--baseline', 'in/first', '--expected', 'in/large.ndjson')
        with open(self.path('in', 'first'), 'w', encoding='utf-8') as first:
            first.write(''.join(row(f'f{i}', 1) for i in range(5000)))
            first.flush()
            os.rename(self.path('in', 'large.ndjson'), self.path('in', 'old'))
            self.write('large.ndjson', row('k1', 2))
        self.assert_refused(4, ['in/large.ndjson', 'read it again when nothing writes to it'], self.end(process))

    def test_an_output_into_a_missing_or_closed_directory_is_refused_before_anything_is_read(self):
        base = self.write('base.ndjson', row('k1', 1))
        for option in ('--report', '--differences', '--states', '--quarantine'):
            name = 'nowhere/' + OUTPUTS[option]
            result = self.call('--baseline', base, '--expected', base, option, name, outputs=False)
            self.assert_refused(4, [name, 'its directory does not exist; make it'], result)

    def test_a_temporary_directory_that_is_missing_is_named_with_its_option(self):
        base = self.write('base.ndjson', row('k1', 1))
        result = self.call('--baseline', base, '--expected', base, '--temporary-directory', 'nowhere')
        self.assert_refused(4, ['nowhere', '--temporary-directory'], result)

    def test_an_output_that_is_an_input_is_refused_under_any_name(self):
        text = row('k1', 1)
        base = self.write('base.ndjson', text)
        os.link(self.path(base), self.path('in', 'hard.ndjson'))
        os.symlink('base.ndjson', self.path('in', 'soft.ndjson'))
        for name in (base, './in/../in/base.ndjson', 'in/hard.ndjson', 'in/soft.ndjson'):
            for option in OUTPUTS:
                result = self.call('--baseline', base, '--expected', self.write('x.ndjson', text), option, name, outputs=False)
                self.assert_refused(2, [name, base], result)
        with open(self.path(base), encoding='utf-8') as f:
            self.assertEqual(text, f.read())

    def test_a_closed_standard_output_is_told_and_the_files_stand(self):
        base = self.write('base.ndjson', row('k1', 1))
        for how in ('closed', 'reader gone', 'full'):
            read, write = os.pipe()
            os.close(read)
            target = write if how == 'reader gone' else os.open('/dev/full', os.O_WRONLY) if how == 'full' else subprocess.DEVNULL
            arguments = {'preexec_fn': lambda: os.close(1)} if how == 'closed' else {}
            status, _, err = self.call('--baseline', base, '--expected', base, stdout=target, **arguments)
            self.assertEqual(4, status, how)
            self.assertEqual(1, err.count('\n'), err)
            self.assertIn('slackwater: standard output could not be written: ', err, how)
            self.assertEqual(sorted(OUTPUTS.values()), self.left())
            for name in self.left():
                os.remove(self.path('out', name))
            os.close(write)

    def test_an_existing_output_stays_as_it_was_when_the_run_fails(self):
        base = self.write('base.ndjson', row('k1', 1))
        with open(self.path('out', 'report.json'), 'w', encoding='utf-8') as f:
            f.write('the one before')
        status, _, err = self.call('--baseline', base, '--expected', base, '--differences', 'nowhere/d.csv', '--report', 'out/report.json', outputs=False)
        self.assertEqual(4, status)
        self.assertEqual(['report.json'], self.left())
        with open(self.path('out', 'report.json'), encoding='utf-8') as f:
            self.assertEqual('the one before', f.read())


if __name__ == '__main__':
    unittest.main()
