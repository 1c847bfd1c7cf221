"""slackwater challenge on random incidents: nothing changes that must not, and whatever survives is hidden by something that was declared.

The documents are those of reconcile.py: ties, deletes, revivals, duplicate deliveries, reads without a position, placeholders, bad records, a cut.
What a challenge says has to stay the same, byte for byte, with other threads, memory, blocks and kernels.

SW_SLACKWATER is the program (build/slackwater); SW_SEED another first seed; SW_DOCUMENTS how many documents.
"""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import reconcile  # noqa: E402

PROGRAM = reconcile.PROGRAM
SEED = int(os.environ.get('SW_SEED', '0'))
DOCUMENTS = int(os.environ.get('SW_DOCUMENTS', '40'))
BATCHES = 8


class Challenge(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='slackwater-property-')
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, inputs, *options):
        done = subprocess.run([PROGRAM, 'challenge', '--map', os.path.join(self.folder, 'map.yaml'), *inputs, '--json', '--temporary-directory', self.folder, *options],
                              capture_output=True, timeout=120)
        self.assertIn(done.returncode, (0, 1, 2, 3), done.stderr.decode() + done.stdout.decode()[:500])
        return done.returncode, done.stdout

    def check(self, seed):
        rng = random.Random(seed)
        document = reconcile.Document(rng)
        with open(os.path.join(self.folder, 'map.yaml'), 'w', encoding='utf-8') as f:
            f.write(reconcile.declared(document))
        inputs = reconcile.Files(document, rng, self.folder).write('first', False)
        where = f'SW_SEED={seed} SW_DOCUMENTS=1'
        status, text = self.call(inputs, '--threads', '1', '--seed', str(seed))
        result = json.loads(text)
        self.assertEqual(status, result['exitStatus'])
        self.assertEqual(result['sample']['keys'], result['sample']['ofKeys'], where)
        changed = [row['name'] for row in result['mustNotChange'] if row['changed']]
        self.assertEqual([], changed, f"{[s for s in result['survivors'] if s['name'] in changed]}; {where}")
        for row in result['mustBeCaught']:
            self.assertEqual(row['tried'], row['caught'] + row['survived'], where)
            hidden = sum(each['survived'] for each in row['hiddenBy'])
            self.assertEqual(row['survived'], hidden, f"{row['name']}: {[s for s in result['survivors'] if s['name'] == row['name']]}; {where}")
            options = {each['option'] for each in row['hiddenBy']}
            if not document.newest:
                self.assertNotIn('--conflicts newest', options, where)
            if document.compare != 'value':
                self.assertNotIn('--compare value', options, where)
        for variant in rng.sample([['--threads', '7'], ['--memory', '16M'], ['--block-bytes', '7', '--threads', '3'], ['--kernel', 'scalar']], 2):
            self.assertEqual((status, text), self.call(inputs, '--seed', str(seed), *variant), f'{variant}; {where}')


def batch(first, count):
    def test(self):
        for seed in range(first, first + count):
            self.check(seed)
    return test


for i in range(min(BATCHES, DOCUMENTS)):
    size = DOCUMENTS // min(BATCHES, DOCUMENTS)
    setattr(Challenge, f'test_documents_{i * size:04}_to_{(i + 1) * size - 1:04}_hold_and_hide_nothing', batch(SEED + i * size, size))

if __name__ == '__main__':
    unittest.main(defaultTest='Challenge')
