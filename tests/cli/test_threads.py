"""Many threads, little memory: the same answer, byte for byte, and the one that was planted.

Under ThreadSanitizer (scripts/check tsan) this is the run in which every shared structure of the engine is used by several
threads at once: reading, spilling, folding, sorted runs, all outputs.
"""
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import ENVIRONMENT, PROGRAM  # noqa: E402

OUTPUTS = ('differences.ndjson', 'states.ndjson', 'saved.ndjson', 'quarantine.ndjson')


class Threads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        subprocess.run([os.environ['SW_GEN_CASE'], cls.folder, '50000', '2', 'wide', 'ndjson'], check=True, capture_output=True)
        with open(os.path.join(cls.folder, 'truth.json'), encoding='utf-8') as f:
            cls.truth = json.load(f)
        for role in ('baseline', 'events', 'expected'):  # bad records among the others, and a compressed copy
            path = os.path.join(cls.folder, role + '.ndjson')
            with open(path, 'a', encoding='utf-8') as f:
                f.write('{"bad"\n' * 500)
            with open(path, 'rb') as f, gzip.open(path + '.gz', 'wb', 1) as z:
                shutil.copyfileobj(f, z)
        cls.one = cls.run_with('one', '', '--threads', '1')

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def run_with(cls, name, suffix, *arguments):
        """(counts, spilled bytes, outputs)"""
        out = os.path.join(cls.folder, name)
        os.mkdir(out)
        inputs = [word for role in ('baseline', 'events', 'expected') for word in ('--' + role, os.path.join(cls.folder, role + '.ndjson' + suffix))]
        outputs = [word for output in OUTPUTS for word in ('--' + {'saved': 'save-state'}.get(output[:-7], output[:-7]), os.path.join(out, output))]
        done = subprocess.run([PROGRAM, 'reconcile', *inputs, *outputs, '--report', os.path.join(out, 'report.json'), *arguments], env=ENVIRONMENT,
                              capture_output=True, text=True, timeout=280)
        if done.returncode != 1:
            raise AssertionError(f'status {done.returncode}: {done.stderr}')
        with open(os.path.join(out, 'report.json'), encoding='utf-8') as f:
            report = json.load(f)
        texts = {}
        for output in OUTPUTS:
            with open(os.path.join(out, output), encoding='utf-8') as f:
                texts[output] = f.read().replace('.ndjson.gz', '.ndjson')
        texts['saved.ndjson'] = texts['saved.ndjson'].split('\n', 1)[1]  # its first line names the inputs and the time
        return {**report['counts'], **report['records'], **report['dispositions']}, report['run']['spilledBytes'], texts

    def assert_same(self, other):
        self.assertEqual(self.one[0], other[0])
        for output in OUTPUTS:
            self.assertTrue(self.one[2][output] == other[2][output], output + ' differs')

    def test_one_thread_finds_what_was_planted(self):
        counts = self.one[0]
        for name in ('missingState', 'unexpectedState', 'stateMismatch', 'duplicateDeliveries', 'conflictKeys', 'states', 'tombstones'):
            self.assertEqual(self.truth[name], counts[name], name)
        self.assertEqual(1500, counts['badRecords'])

    def test_eight_threads_that_spill_everything_find_the_same(self):
        other = self.run_with('spill', '', '--threads', '8', '--memory', '16M', '--block-bytes', '64K')
        self.assertGreater(other[1], 1_000_000)
        self.assert_same(other)

    def test_eight_threads_on_compressed_inputs_find_the_same(self):
        self.assert_same(self.run_with('gzip', '.gz', '--threads', '8', '--block-bytes', '20K', '--digest', 'none'))


if __name__ == '__main__':
    unittest.main()
