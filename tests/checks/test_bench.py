"""The benchmark: its inputs have the answer that truth.json says, and a program with another answer is not measured.

SW_BUILD names the build folder, which has bench/gen_case."""
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get('SW_BUILD', os.path.join(ROOT, 'build')))


def read(folder, role, form, shape):
    """The rows of one input, as dictionaries; values as text that is equal where they are."""
    with open(os.path.join(folder, f'{role}.{form}'), encoding='utf-8', newline='') as f:
        if form == 'ndjson':
            for line in f:
                row = json.loads(line, parse_float=str)
                row['value'] = json.dumps(row['value'])
                yield row
        else:
            for row in csv.DictReader(f):
                row['version'] = int(row['version'])
                if 'deleted' in row:
                    row['deleted'] = row['deleted'] == 'true'
                row['value'] = json.dumps([row[name] for name in ('owner', 'amount', 'status', 'updated_at')]
                                          if shape == 'wide' else row['value'])
                yield row


def reconcile(folder, form, shape):
    """The job, done naively: what same_job.sql and the program have to find."""
    versions, seen, counts = {}, {}, dict.fromkeys(('baseline', 'events', 'expected', 'duplicateDeliveries'), 0)
    for row in read(folder, 'baseline', form, shape):
        counts['baseline'] += 1
        versions.setdefault(row['key'], {}).setdefault(row['version'], set()).add((row['deleted'], row['value']))
    for event in read(folder, 'events', form, shape):
        counts['events'] += 1
        identity = event.pop('id')
        if identity in seen:
            counts['duplicateDeliveries'] += 1
            assert seen[identity] == event, 'an identity was used twice'
            continue
        seen[identity] = event
        content = (event['op'] == 'delete', event['value'])
        versions.setdefault(event['key'], {}).setdefault(event['version'], set()).add(content)
    states = {key: (max(of), *min(of[max(of)])) for key, of in versions.items() if all(len(v) == 1 for v in of.values())}
    expected = {}
    for row in read(folder, 'expected', form, shape):
        counts['expected'] += 1
        assert row['key'] not in expected
        expected[row['key']] = (row['version'], row['deleted'], row['value'])
    counts['states'] = len(states)
    counts['tombstones'] = sum(deleted for _, deleted, _ in states.values())
    counts['conflictKeys'] = len(versions) - len(states)
    counts['missingState'] = sum(key not in versions for key in expected)
    counts['unexpectedState'] = sum(key not in expected for key in states)
    counts['stateMismatch'] = sum(key in expected and expected[key] != state for key, state in states.items())
    counts['differences'] = sum(counts[n] for n in ('conflictKeys', 'missingState', 'unexpectedState', 'stateMismatch'))
    return counts


class Inputs(unittest.TestCase):
    def test_truth_is_what_a_naive_reconciliation_finds(self):
        for shape in ('int', 'wide'):
            for form in ('ndjson', 'csv'):
                with tempfile.TemporaryDirectory() as folder:
                    subprocess.run([os.path.join(BUILD, 'bench', 'gen_case'), folder, '15000', '2', shape, form], check=True)
                    with open(os.path.join(folder, 'truth.json'), encoding='utf-8') as f:
                        truth = json.load(f)
                    self.assertEqual(truth, reconcile(folder, form, shape))
                    for planted in ('conflictKeys', 'duplicateDeliveries', 'missingState', 'tombstones', 'stateMismatch'):
                        self.assertGreater(truth[planted], 0, planted)

    def test_a_wrong_command_line_is_refused(self):
        for words in (['x'], ['x', '1', 'many'], ['x', '1', '1', 'narrow'], ['x', '1', '1', 'int', 'xml'], ['x', '-1', '1']):
            done = subprocess.run([os.path.join(BUILD, 'bench', 'gen_case'), *words], capture_output=True)
            self.assertEqual(2, done.returncode, words)

    def test_a_folder_that_is_not_there_is_a_failure(self):
        done = subprocess.run([os.path.join(BUILD, 'bench', 'gen_case'), '/absent', '1', '1'], capture_output=True)
        self.assertEqual(4, done.returncode)

    def test_the_sql_of_the_peer_is_complete(self):
        for shape in ('int', 'wide'):
            for form in ('ndjson', 'csv', 'parquet'):
                sql = subprocess.check_output([sys.executable, os.path.join(ROOT, 'bench', 'same_job.py'), '/d', form,
                                               '--shape', shape, '--print'], text=True)
                code = re.sub(r'--.*', '', sql)
                self.assertNotRegex(code, r'READ_|\bVALUE\b')
                for role in ('baseline', 'events', 'expected'):
                    self.assertEqual(1, code.count(f'/d/{role}.{form}'))


PROGRAM = '''#!/usr/bin/env python3
import json, os, sys
arguments = sys.argv[1:]
folder = os.path.dirname(arguments[arguments.index('--baseline') + 1])
with open(os.path.join(folder, 'truth.json')) as f:
    truth = json.load(f)
truth.update({change})
roles = ('baseline', 'events', 'expected')
print(json.dumps({{'counts': truth, 'records': {{role: truth[role] for role in roles}}}}))
sys.exit({status})
'''


class Measuring(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        os.mkdir(os.path.join(self.folder, 'bench'))
        os.symlink(os.path.join(BUILD, 'bench', 'gen_case'), os.path.join(self.folder, 'bench', 'gen_case'))

    def bench(self, change='{}', status=1):
        path = os.path.join(self.folder, 'slackwater')
        with open(path, 'w', encoding='utf-8') as f:
            f.write(PROGRAM.format(change=change, status=status))
        os.chmod(path, 0o755)
        done = subprocess.run([sys.executable, os.path.join(ROOT, 'bench', 'run.py'), '--build', self.folder, '--work',
                               self.folder, '--keys', '2000', '--runs', '3', '--shape', 'int', '--form', 'csv', '--only',
                               'slackwater'], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def test_a_right_answer_is_measured_as_often_as_asked_and_shown_as_a_ratio(self):
        status, said, errors = self.bench()
        self.assertEqual(0, status, errors)
        self.assertIn('| int csv, ', said)
        with open(os.path.join(self.folder, 'results.json'), encoding='utf-8') as f:
            case = json.load(f)['cases'][0]
        self.assertEqual(3, len(case['runs']['slackwater']))
        self.assertGreater(case['slackwater']['seconds_of_wc']['best'], 1)
        self.assertGreater(case['slackwater']['peak_mib']['best'], 1)

    def test_a_wrong_answer_is_not_measured(self):
        for name in ('states', 'differences', 'duplicateDeliveries', 'events'):
            status, said, errors = self.bench(f"{{'{name}': truth['{name}'] + 1}}")
            self.assertEqual((1, ''), (status, said))
            self.assertRegex(errors, f'slackwater gives another answer than the right one: {name}: ')

    def test_a_run_that_fails_or_says_equal_is_not_measured(self):
        for ended in (0, 2, 4):
            status, said, errors = self.bench(status=ended)
            self.assertEqual((4, ''), (status, said))
            self.assertIn(f'ended with status {ended}', errors)

    def test_a_report_without_the_counts_is_not_measured(self):
        status, said, errors = self.bench("(truth.pop('states'), {})[1]")
        self.assertEqual((4, ''), (status, said))
        self.assertIn("no report with the counts (KeyError: 'states')", errors)


DEBEZIUM_PROGRAM = '''#!/usr/bin/env python3
import json, os, sys
arguments = sys.argv[1:]
if '--states' in arguments:
    table = os.path.join(os.path.dirname(arguments[arguments.index('--events') + 1]), 'expected.ndjson')
    rows = sorted(map(json.loads, open(table)), key=lambda row: row['id'])
    states = [dict(deleted=False, key=dict(id=row.pop('id')), row=row) for row in rows] + [dict(deleted=True)]
    {rows}
    with open(arguments[arguments.index('--states') + 1], 'w') as f:
        f.writelines(json.dumps(state) + chr(10) for state in states)
    sys.exit(3)
events, expected = (sum(1 for _ in open(arguments[arguments.index(name) + 1])) for name in ('--events', '--expected'))
counts = dict(states=expected + 3, tombstones=3, differences=0, undecidedKeys=0, badRecords=0)
records = dict(events=events, expected=expected)
{change}
print(json.dumps(dict(counts=counts, records=records)))
sys.exit({status})
'''


class MeasuringDebezium(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def bench(self, change='', status=0, rows=None):
        path = os.path.join(self.folder, 'slackwater')
        with open(path, 'w', encoding='utf-8') as f:
            f.write(DEBEZIUM_PROGRAM.format(change=change, status=status, rows=rows or "pass"))
        os.chmod(path, 0o755)
        done = subprocess.run([sys.executable, os.path.join(ROOT, 'bench', 'debezium.py'), '--build', self.folder, '--work', self.folder, '--events', '500', '--runs', '2',
                               '--wrapped', '--only', 'slackwater', *(['--rows'] if rows else [])], capture_output=True, text=True)
        return done.returncode, done.stdout, done.stderr

    def test_records_of_debezium_are_measured_bare_and_wrapped(self):
        status, said, errors = self.bench()
        self.assertEqual(0, status, errors)
        self.assertRegex(said, r'\| bare, 6\d\d bytes')
        with open(os.path.join(self.folder, 'debezium.json'), encoding='utf-8') as f:
            bare, wrapped = json.load(f)['cases']
        self.assertEqual([2, 2], [len(case['runs']['slackwater']) for case in (bare, wrapped)])
        self.assertGreater(wrapped['bytes'], 2 * bare['bytes'])
        self.assertGreater(bare['slackwater']['mb_per_cpu_second']['best'], 0)

    def test_the_newest_rows_are_measured_as_they_are_written(self):
        status, said, errors = self.bench(rows='pass')
        self.assertEqual(0, status, errors)
        self.assertRegex(said, r'\| bare, rows written, 6\d\d bytes')
        with open(os.path.join(self.folder, 'debezium.json'), encoding='utf-8') as f:
            self.assertEqual(['bare', 'wrapped', 'bare, rows written', 'wrapped, rows written'], [case['shape'] for case in json.load(f)['cases']])

    def test_wrong_rows_are_not_measured(self):
        for rows in ("states.pop(0)", "states[0]['row']['quantity'] += 1", "states.reverse()", "states[1]['key'] = states[0]['key']"):
            status, said, errors = self.bench(rows=rows)
            self.assertEqual((1, ''), (status, said), rows)
            self.assertIn('bench: slackwater ', errors)

    def test_a_wrong_answer_about_records_of_debezium_is_not_measured(self):
        for change in ("counts['states'] += 1", "counts['differences'] = 1", "counts['badRecords'] = 1", "records['events'] -= 1", "records['expected'] -= 1"):
            status, said, errors = self.bench(change)
            self.assertEqual((1, ''), (status, said), change)
            self.assertIn('bench: slackwater ', errors)
        status, said, errors = self.bench(status=3)
        self.assertEqual((4, ''), (status, said))


if __name__ == '__main__':
    unittest.main()
