#!/usr/bin/env python3
"""What slackwater challenge prints: its schema, its document, its width, and that it is the same whenever it is asked.

SW_SLACKWATER is the program (build/slackwater).
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

try:
    import jsonschema
except ImportError:  # Debian: python3-jsonschema
    jsonschema = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.path.abspath(os.environ.get('SW_SLACKWATER', ROOT / 'build' / 'slackwater'))
SCHEMA = json.loads((ROOT / 'docs' / 'challenge.schema.json').read_text(encoding='utf-8'))
DOCUMENT = (ROOT / 'docs' / 'challenge.md').read_text(encoding='utf-8')
LISTS = {'mustNotChange': ('held', 'changed'), 'mustBeCaught': ('caught', 'survived'), 'cannotBeCaught': ('seen', 'unseen')}


def row(key, version, value, **more):
    return {'key': key, 'version': version, 'deleted': value is None, 'value': value, **more}


class Challenge(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='slackwater-challenge-'))
        self.addCleanup(shutil.rmtree, self.folder)
        self.write('baseline', [row(f'k{i}', 1, {'a': i, 'b': 'x y'}) for i in range(0, 60, 2)])
        self.write('events', [{'id': f'e{i}', 'key': f'k{i}', 'version': 5 + i % 7, 'op': 'delete' if i % 5 == 0 else 'upsert',
                               'value': None if i % 5 == 0 else {'a': i + 1, 'b': 'x y'}} for i in range(60)])
        self.write('expected', [row(f'k{i}', 5 + i % 7, None if i % 5 == 0 else {'a': i + 1, 'b': 'x y'}) for i in range(60)])

    def write(self, name, rows):
        (self.folder / f'{name}.ndjson').write_text(''.join(json.dumps(each) + '\n' for each in rows), encoding='utf-8')

    def run_program(self, *options, stdin=b'', command='challenge', env=None):
        return subprocess.run([PROGRAM, command, '-b', 'baseline.ndjson', '-e', 'events.ndjson', '-x', 'expected.ndjson', *options], cwd=self.folder, input=stdin,
                              capture_output=True, timeout=120, env={**os.environ, **(env or {})})

    def result(self, *options, status=None):
        done = self.run_program('--json', *options)
        result = json.loads(done.stdout)
        self.assertEqual(result['exitStatus'], done.returncode, done.stderr)
        if status is not None:
            self.assertEqual(status, done.returncode, done.stdout[:600])
        return result

    def check_schema(self, result):
        if jsonschema:
            errors = [f'{list(e.absolute_path)}: {e.message[:300]}' for e in jsonschema.Draft202012Validator(SCHEMA).iter_errors(result)]
            self.assertEqual([], errors)
        for name, (passed, others) in LISTS.items():
            for each in result[name]:
                self.assertEqual(each['tried'], each[passed] + each[others], each)
                if result['sample']['keys']:
                    self.assertEqual(each['tried'] == 0, each['notTried'] is not None, each)
        for each in result['mustBeCaught']:
            self.assertLessEqual(sum(one['survived'] for one in each['hiddenBy']), each['survived'])
            listed = [s for s in result['survivors'] if s['name'] == each['name']]
            self.assertEqual(min(20, each['survived']), len(listed))

    @unittest.skipUnless(jsonschema, 'python3-jsonschema is not installed')
    def test_a_result_that_lacks_a_member_does_not_hold_to_the_schema(self):
        result = self.result()
        del result['mustBeCaught'][0]['tried']
        self.assertNotEqual([], list(jsonschema.Draft202012Validator(SCHEMA).iter_errors(result)))

    def test_results_hold_to_the_schema_and_add_up(self):
        self.check_schema(self.result(status=0))
        self.check_schema(self.result('--ignore', 'a', '--compare', 'value', '--conflicts', 'newest', status=1))
        self.check_schema(self.result('--sample-keys', '7', '--again-max', '0'))
        self.write('expected', [row('elsewhere', 1, 1)])
        self.check_schema(self.result(status=0))  # nothing is equal, but deletes can still be taken away
        (self.folder / 'events.ndjson').write_text('{"id":\n')
        self.check_schema(self.result(status=2))
        for name in ('baseline', 'events', 'expected'):
            self.write(name, [])
        self.check_schema(self.result(status=3))

    def test_the_document_explains_every_row_and_every_member(self):
        result = self.result('--ignore', 'a')
        for name in LISTS:
            for each in result[name]:
                self.assertIn(f"`{each['name']}`", DOCUMENT)
        for member in result:
            self.assertIn(f'| `{member}` |', DOCUMENT)
        explained = set(re.findall(r'^\| `([a-z-]+)`(?:, `([a-z-]+)`)? \|', DOCUMENT[DOCUMENT.index('## Must not change'):DOCUMENT.index('## Members')], flags=re.M))
        rows = {each['name'] for name in LISTS for each in result[name]}
        self.assertEqual(rows, {name for pair in explained for name in pair if name})

    def test_the_same_bytes_whatever_the_machine_does(self):
        first = self.run_program('--json').stdout
        for options in (['--threads', '5'], ['--memory', '16M'], ['--block-bytes', '9', '--threads', '3'], ['--kernel', 'scalar'], []):
            self.assertEqual(first, self.run_program('--json', *options).stdout, options)
        text = self.run_program('--sample-keys', '11').stdout
        for options in (['--threads', '5'], ['--memory', '16M'], ['--block-bytes', '9', '--threads', '3']):
            self.assertEqual(text, self.run_program('--sample-keys', '11', *options).stdout, options)

    def test_another_seed_takes_other_keys(self):
        def survivors(seed):
            result = self.result('--sample-keys', '5', '--compare', 'value', '--seed', seed, status=1)
            self.assertEqual(5, result['sample']['keys'])
            self.assertEqual(60, result['sample']['ofKeys'])
            return [s['keys'] for s in result['survivors']]
        self.assertEqual(survivors('1'), survivors('1'))
        self.assertNotEqual(survivors('1'), survivors('2'))

    def test_standard_input_is_challenged_too(self):
        text = (self.folder / 'events.ndjson').read_bytes()
        done = subprocess.run([PROGRAM, 'challenge', '-b', 'baseline.ndjson', '-e', '-', '-x', 'expected.ndjson', '--json'], cwd=self.folder, input=text, capture_output=True, timeout=120)
        self.assertEqual(0, done.returncode, done.stdout[:500])
        result, files = json.loads(done.stdout), self.result()
        for each in result['mustNotChange']:
            if each['name'].startswith('again-'):
                self.assertIn('only once', each['notTried'])
                each['tried'], each['held'], each['notTried'] = 1, 1, None
        self.assertEqual(files, result)

    def test_the_report_is_what_is_printed_and_no_input_is_overwritten(self):
        printed = self.run_program('--json', '--report', 'challenge.json')
        self.assertEqual(printed.stdout, (self.folder / 'challenge.json').read_bytes())
        before = (self.folder / 'events.ndjson').read_bytes()
        refused = self.run_program('--report', 'events.ndjson')
        self.assertEqual(2, refused.returncode)
        self.assertIn(b'events.ndjson', refused.stderr)
        self.assertEqual(before, (self.folder / 'events.ndjson').read_bytes())
        self.assertEqual(4, self.run_program('--report', 'no/such/folder.json').returncode)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ['baseline.ndjson', 'challenge.json', 'events.ndjson', 'expected.ndjson'])

    def test_outputs_are_those_of_the_reconciliation(self):
        self.write('expected', [row('k1', 6, {'a': 3, 'b': 'x y'})])
        for command in ('challenge', 'reconcile'):
            done = self.run_program('--differences', f'{command}.ndjson', '--states', f'{command}.states', command=command)
            self.assertIn(done.returncode, (0, 1, 3))
        self.assertEqual((self.folder / 'reconcile.ndjson').read_bytes(), (self.folder / 'challenge.ndjson').read_bytes())
        self.assertEqual((self.folder / 'reconcile.states').read_bytes(), (self.folder / 'challenge.states').read_bytes())

    def test_every_option_of_reconcile_is_taken(self):
        options = {command: set(re.findall(r'^ +(?:-\w, )?--([\w-]+)', subprocess.run([PROGRAM, command, '--help'], capture_output=True, text=True, check=True).stdout, flags=re.M))
                   for command in ('reconcile', 'challenge')}
        # a case repeats comparisons, not challenges; what is said of the history is not challenged; and a challenge is about all keys, as they were read once
        self.assertEqual({'copy-inputs', 'continuity', 'recheck'}, options['reconcile'] - options['challenge'])
        self.assertEqual({'seed', 'sample-keys', 'again-max'}, options['challenge'] - options['reconcile'])

    def test_wrong_usage_says_what_was_expected(self):
        for options, words in ((['--sample-keys', '0'], b'1 to 100000'), (['--sample-keys', '100001'], b'1 to 100000'), (['--sampel-keys', '3'], b"'--sample-keys'")):
            done = self.run_program(*options)
            self.assertEqual(2, done.returncode)
            self.assertIn(words, done.stderr)
        done = subprocess.run([PROGRAM, 'challenge', '-b', 'baseline.ndjson', '--states', 'states'], cwd=self.folder, capture_output=True)
        self.assertEqual(2, done.returncode)
        self.assertIn(b'--expected', done.stderr)

    def test_a_narrow_page_holds_every_line(self):
        for options in ([], ['--compare', 'value', '--ignore', 'b', '--conflicts', 'newest'], ['--again-max', '0', '--sample-keys', '3']):
            command = ' '.join([f'stty cols 44; "{PROGRAM}" challenge -b baseline.ndjson -e events.ndjson -x expected.ndjson', *options])
            done = subprocess.run(['script', '-qec', command, '/dev/null'], cwd=self.folder, capture_output=True, timeout=60, env={**os.environ, 'NO_COLOR': '1', 'TERM': 'xterm', 'LC_ALL': 'C'})
            lines = done.stdout.decode('ascii').replace('\r', '').split('\n')
            lines = [line for line in lines if not line.startswith('\x1b')] # a bar of progress
            self.assertIn('What was challenged', lines)
            for line in lines:
                self.assertLessEqual(len(line), 44, line)

    def test_text_from_the_data_neither_hides_nor_moves_the_cursor(self):
        hostile = 'k\u202e\x1b[31m ' + '長' * 200
        self.write('baseline', [row(hostile, 1, {'a': 1, 'b': 'x'}), row('k', 1, {'a': 2, 'b': 'x'})])
        self.write('events', [])
        self.write('expected', [row(hostile, 1, {'a': 1, 'b': 'x'}), row('k', 1, {'a': 2, 'b': 'x'})])
        done = self.run_program('--compare', 'value', env={'LC_ALL': 'C'})
        text = done.stdout.decode('ascii')
        self.assertEqual(1, done.returncode)
        self.assertNotIn('\x1b', text)
        for line in text.split('\n'):
            self.assertLessEqual(len(line), 80, line)
            self.assertEqual(line, line.rstrip())
        coloured = self.run_program('--compare', 'value', '--color', 'always', env={'LC_ALL': 'C'}).stdout.decode('ascii')
        self.assertEqual(text, re.sub(r'\x1b\[[0-9;]*m', '', coloured))


if __name__ == '__main__':
    unittest.main()
