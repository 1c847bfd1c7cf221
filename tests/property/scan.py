"""Scans of generated streams with holes: against a model, over threads and block sizes, and shuffled.

A stream of Debezium events of two MySQL servers (transactions of several tables, an END record each) loses single events and whole transactions and has
some delivered again; a topic loses offsets. The model counts with sets of Python. Shuffled, everything is the same but the places and the arrival.
"""
import json
import os
import pathlib
import random
import subprocess
import tempfile
import unittest

try:
    import jsonschema
except ImportError:  # Debian: python3-jsonschema
    jsonschema = None

PROGRAM = os.path.abspath(os.environ.get('SW_SLACKWATER', 'build/slackwater'))
SCHEMA = json.loads((pathlib.Path(__file__).resolve().parents[2] / 'docs' / 'scan.schema.json').read_text())
REPORT = json.loads((pathlib.Path(__file__).resolve().parents[2] / 'docs' / 'report.schema.json').read_text())
FIRST = int(os.environ.get('SW_SCAN_FIRST', '0'))
CASES = int(os.environ.get('SW_SCAN_CASES', '40'))
SERVERS = ['3a1f0000-0000-0000-0000-000000000001', 'bbbb0000-0000-0000-0000-000000000002']


def gtid_set(numbers):
    """{server: {numbers}} as MySQL prints it."""
    parts = []
    for server in sorted(numbers):
        text, ordered, at = server, sorted(numbers[server]), 0
        while at < len(ordered):
            end = at
            while end + 1 < len(ordered) and ordered[end + 1] == ordered[end] + 1:
                end += 1
            text += f':{ordered[at]}' + (f'-{ordered[end]}' if end > at else '')
            at = end + 1
        if ordered:
            parts.append(text)
    return ','.join(parts)


class Stream:
    def __init__(self, seed):
        pick = self.random = random.Random(seed)
        self.tables = [f'shop.t{n}' for n in range(pick.randint(1, 4))]
        self.events, self.marks, self.kept, self.executed = [], [], [], {}
        lose_event, lose_transaction = pick.choice([0, 0, 0.05]), pick.choice([0, 0.1, 0.4])
        time, pos = 1700000000000, 0
        for server in SERVERS[:pick.randint(1, 2)]:
            last = pick.randint(1, 40)
            self.executed[server] = set(range(1, last + 1))
            for number in range(1, last + 1):
                transaction, of_table = f'{server}:{number}', {}
                time += 1000
                events = []
                for order in range(1, pick.randint(1, 5) + 1):
                    table = pick.choice(self.tables)
                    of_table[table] = of_table.get(table, 0) + 1
                    pos += 10
                    events.append({'before': None, 'after': {'id': pick.randint(1, 9)}, 'op': 'u', 'ts_ms': time + 5,
                                   'source': {'connector': 'mysql', 'name': 's', 'ts_ms': time, 'db': 'shop', 'table': table[5:], 'gtid': transaction, 'file': 'b.000001', 'pos': pos, 'row': 0},
                                   'transaction': {'id': transaction, 'total_order': order, 'data_collection_order': of_table[table]}})
                if pick.random() < lose_transaction:
                    continue
                self.marks.append({'status': 'END', 'id': transaction, 'ts_ms': time, 'event_count': len(events),
                                   'data_collections': [{'data_collection': table, 'event_count': count} for table, count in of_table.items()]})
                for event in events:
                    if pick.random() >= lose_event:
                        self.kept.append((server, number, event))
        if pick.random() < 0.2:  # a table whose topic is not in these files
            gone = pick.choice(self.tables)[5:]
            self.kept = [each for each in self.kept if each[2]['source']['table'] != gone]
        if pick.random() < 0.3 and self.kept:  # a range again
            at = pick.randrange(len(self.kept))
            self.kept += self.kept[at:at + pick.randint(1, 10)]
        self.after = {server: set(range(1, pick.randint(0, 3) + 1)) for server in self.executed} if pick.random() < 0.3 else {}
        self.declare_executed = pick.random() < 0.5

    def write(self, folder, shuffled):
        lines = [json.dumps(event) for _, _, event in self.kept] + [json.dumps(mark) for mark in self.marks]
        if shuffled:
            self.random.shuffle(lines)
        cuts = sorted(self.random.randrange(len(lines) + 1) for _ in range(self.random.randint(0, 3)))
        names = []
        for n, (begin, end) in enumerate(zip([0] + cuts, cuts + [len(lines)])):
            name = os.path.join(folder, f'{"s" if shuffled else "e"}{n}.ndjson')
            pathlib.Path(name).write_text(''.join(line + '\n' for line in lines[begin:end]))
            if lines[begin:end]:
                names.append(name)
        return names

    def options(self):
        options = ['--format', 'debezium', '--order', 'mysql-gtid']
        if self.declare_executed:
            options += ['--executed', gtid_set(self.executed)]
        if self.after:
            options += ['--after', gtid_set(self.after)]
        return options

    def model(self):
        """(missing, verdicts of transactions, counts of tables, reach of tables)"""
        seen = {}
        for server, number, _ in self.kept:
            seen.setdefault(server, set()).add(number)
        named = {server for server, numbers in self.after.items() if numbers}
        whole = self.executed if self.declare_executed else {
            server: set(range(1 if server in named else min(numbers), max(numbers) + 1)) for server, numbers in seen.items()}
        missing = {server: numbers - seen.get(server, set()) - self.after.get(server, set()) for server, numbers in whole.items()}
        members, tables, reach = {}, {}, {}
        for server, number, event in self.kept:
            table = 'shop.' + event['source']['table']
            members.setdefault(f'{server}:{number}', {}).setdefault(table, set()).add(event['transaction']['total_order'])
            tables[table] = tables.get(table, 0) + 1
            low, high = reach.get((server, table), (number, number))
            reach[server, table] = (min(low, number), max(high, number))
        verdicts = {'complete': 0, 'elsewhere': 0, 'missingEvents': 0}
        lost = 0
        for mark in self.marks:
            have = members.get(mark['id'], {})
            absent = {entry['data_collection']: entry['event_count'] - len(have.get(entry['data_collection'], ())) for entry in mark['data_collections']}
            if any(count and table in tables for table, count in absent.items()):
                verdicts['missingEvents'] += 1
                lost += sum(absent.values())
            elif any(absent.values()):
                verdicts['elsewhere'] += 1
            else:
                verdicts['complete'] += 1
        return missing, verdicts, lost, tables, reach


def scan(files, *options):
    arguments = [PROGRAM, 'position', 'scan', '--json', *options]
    for name in files:
        arguments += ['-e', name]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


PLACES = ('input', 'line')


def without_places(value):
    if isinstance(value, dict):
        return {name: without_places(item) for name, item in value.items() if name not in PLACES + ('arrival', 'inputs', 'assumed', 'incomplete')}
    if isinstance(value, list):
        return [without_places(item) for item in value if not (isinstance(item, str) and item.startswith('positions go back'))]
    return value


class Scans(unittest.TestCase):
    def check_schema(self, report):
        if jsonschema:
            jsonschema.Draft202012Validator(SCHEMA).validate(report)

    def test_a_stream_with_holes_is_what_the_model_says(self):
        for seed in range(FIRST, FIRST + CASES):
            stream = Stream(seed)
            if not stream.kept:
                continue
            with self.subTest(seed=seed), tempfile.TemporaryDirectory() as folder:
                status, text, problem = scan(stream.write(folder, False), *stream.options())
                self.assertEqual(problem, '')
                report = json.loads(text)
                self.check_schema(report)
                missing, verdicts, lost, tables, reach = stream.model()
                self.assertEqual(report['gtids']['missing'], gtid_set(missing))
                for name, count in verdicts.items():
                    self.assertEqual(report['transactions'][name], count, name)
                self.assertEqual(report['transactions']['eventsNotInEvidence'], lost)
                self.assertEqual({each['table']: each['writes'] for each in report['tables']}, tables)
                records = report['records']
                self.assertEqual(records['read'], records['events'] + records['notRowChange'] + records['bad'])
                broken = any(missing.values()) or verdicts['missingEvents']
                self.assertEqual(status, 1 if broken else 0)
                self.assertEqual(report['verdict'], 'gap' if broken else 'continuous')
                proven = not broken and stream.declare_executed and not verdicts['elsewhere']
                self.assertEqual(report['claim'] is not None, proven)
                for gap in report['gaps']:
                    first, last = int(gap['from'].rsplit(':')[-1]), int(gap['to'].rsplit(':')[-1])
                    around = sorted(table for (server, table), (low, high) in reach.items() if server == gap['space'] and low < first and high > last)
                    self.assertEqual(gap['tables'], around)

    def test_threads_blocks_and_arrival_change_nothing_else(self):
        for seed in range(FIRST, FIRST + CASES // 2):
            stream = Stream(seed)
            if not stream.kept:
                continue
            with self.subTest(seed=seed), tempfile.TemporaryDirectory() as folder:
                files = stream.write(folder, False)
                status, text, _ = scan(files, *stream.options(), '--threads', '1')
                for threads, block in ((1, 700), (2, 700), (8, 100), (8, 100000)):
                    again = scan(files, *stream.options(), '--threads', str(threads), '--block-bytes', str(block))
                    self.assertEqual(again, (status, text, ''))
                other = scan(stream.write(folder, True), *stream.options())
                self.assertEqual(other[0], status)
                self.assertEqual(without_places(json.loads(other[1])), without_places(json.loads(text)))

    def test_offsets_are_sets_and_holes_are_gaps_only_where_declared(self):
        for seed in range(FIRST, FIRST + CASES):
            pick = random.Random(f'topic {seed}')
            offsets = {partition: sorted(pick.sample(range(5, 60), pick.randint(1, 40))) for partition in range(pick.randint(1, 3))}
            lines, again = [], {}
            for partition, numbers in offsets.items():
                twice = [number for number in numbers if pick.random() < 0.1]
                again[partition] = twice
                for number in numbers + twice:
                    lines.append(json.dumps({'topic': 'o', 'partition': partition, 'offset': number, 'ts': 1700000000000 + number, 'key': '{"id":1}',
                                             'payload': json.dumps({'before': None, 'after': {'id': 1}, 'op': 'c', 'source': {'connector': 'postgresql', 'name': 's', 'schema': 'p', 'table': 't', 'lsn': number}})}))
            pick.shuffle(lines)
            with self.subTest(seed=seed), tempfile.TemporaryDirectory() as folder:
                name = os.path.join(folder, 'topic.ndjson')
                pathlib.Path(name).write_text('\n'.join(lines) + '\n')
                holes = sum(numbers[-1] - numbers[0] + 1 - len(numbers) for numbers in offsets.values())
                status, text, problem = scan([name], '--order', 'kafka')
                self.assertEqual((status, problem), (3 if holes else 0, ''))
                report = json.loads(text)
                self.check_schema(report)
                self.assertEqual(sum(gap['numbers'] for gap in report['gaps']), holes)
                for space in report['spaces']:
                    partition = int(space['space'].rsplit('=')[-1])
                    covered = [number for each in space['covered'] for number in range(each['first'], each['last'] + 1)]
                    self.assertEqual(covered, offsets[partition])
                    self.assertEqual([number for each in space['redelivered'] for number in range(each['first'], each['last'] + 1)], again[partition])
                dense = scan([name], '--order', 'kafka', '--dense', '--threads', '3', '--block-bytes', '300')
                self.assertEqual(dense[0], 1 if holes else 0)
                self.assertEqual(json.loads(dense[1])['gapCount'], report['gapCount'])


    def test_evidence_weighs_on_the_history_as_it_should(self):
        told = set()
        for seed in range(FIRST, FIRST + CASES):
            stream = Stream(seed)
            if not stream.kept:
                continue
            with self.subTest(seed=seed), tempfile.TemporaryDirectory() as folder:
                files = stream.write(folder, False)
                evidence = os.path.join(folder, 'scan.json')
                scanned = json.loads(scan(files, *stream.options(), '--report', evidence)[1])
                answers = []
                for threads in ('1', '3'):
                    arguments = [PROGRAM, 'reconcile', '--json', '--key', 'id', '--order', 'mysql-gtid', '--format', 'debezium', '--continuity', evidence, '--threads', threads, '--block-bytes', '500',
                                 '--digest', 'sha256', '--states', '/dev/null']
                    for name in files:
                        arguments += ['-e', name]
                    done = subprocess.run(arguments, capture_output=True, text=True, timeout=120)
                    answers.append(json.loads(done.stdout))
                    self.assertEqual((done.returncode, done.stderr), (answers[-1]['exitStatus'], ''))
                report = answers[0]
                if jsonschema:
                    jsonschema.Draft202012Validator(REPORT).validate(report)
                self.assertEqual(report['continuity'], answers[1]['continuity'])
                continuity, history = report['continuity'][0], report['verdicts']['history']['verdict']
                self.assertTrue(continuity['sameEvents'])
                told.add(history)
                if scanned['transactions']['eventsNotInEvidence']:
                    self.assertEqual(history, 'refuted')
                elif scanned['claim'] is None:
                    self.assertNotEqual(history, 'confirmed')
                elif not report['counts']['conflictKeys']:
                    self.assertEqual(history, 'confirmed')
                seen = {}
                for server, number, event in stream.kept:
                    seen.setdefault(server, []).append((number, event['after']['id']))
                for gap in continuity['gaps'][:16]:
                    first, last = int(gap['from'].rsplit(':')[-1]), int(gap['to'].rsplit(':')[-1])
                    numbers = [number for number, _ in seen.get(gap['space'], [])]
                    self.assertTrue(gap['placed'])
                    self.assertEqual((gap['eventsBefore'], gap['eventsInside'], gap['eventsAfter']), (sum(n < first for n in numbers), 0, sum(n > last for n in numbers)))
                    before = [int(each['position'].split('@')[0].rsplit(':')[-1]) for each in gap['nearestBefore']]
                    after = [int(each['position'].split('@')[0].rsplit(':')[-1]) for each in gap['nearestAfter']]
                    self.assertEqual(before, sorted((n for n in numbers if n < first), reverse=True)[:8])
                    self.assertEqual(after, sorted(n for n in numbers if n > last)[:8])
        self.assertEqual(told, {'confirmed', 'refuted', 'unproven'})


if __name__ == '__main__':
    unittest.main()
