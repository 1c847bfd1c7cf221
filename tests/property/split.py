"""Any split into runs equals one run: a run over everything against runs over its parts, each starting from the state the one before saved.

What is found, the reconstructed rows and the saved state itself must be the same; duplicates are held against a count of our own.
"""
import json
import os
import random
import subprocess
import tempfile
import unittest

PROGRAM = os.path.abspath(os.environ.get('SW_PROGRAM', 'build/slackwater'))
FIRST = int(os.environ.get('SW_SPLIT_FIRST', '0'))
CASES = int(os.environ.get('SW_SPLIT_CASES', '40'))  # of each kind

TEXTS = ['', 'a', 'b', 'é', 'x y', '\u0000', '\ud800', '\u202e', '"\\', '1', 'null', '\U0001f30a', 'long ' * 60]
ANY = [None, True, False, 0, 1, -1, 1.5, 10 ** 30, 'a', '1', [], [1, 'x', None], {}, {'b': 1, 'a': [{'c': '\u0001'}]}] + TEXTS
TYPED = {
    'amount': ('decimal', ['1.10', '1.1', 0, -0.5, '1e30', 12345678901234567890, 'NaN', None]),
    'at': ('timestamptz(3)', ['2024-02-29T12:00:00Z', '2024-02-29T13:00:00+01:00', '2024-02-29 12:00:00.1239Z', None]),
    'raw': ('bytes', ['', '00ff', '0A', None]),
    'ratio': ('float64', [0, -0.0, 0.1, 1e300, 'NaN', None]),
    'name': ('text trim', ['a', 'a  ', 'ä', None]),
    'doc': ('json', ['{"a": 1}', '{"a":1.0}', '[]', '"x"', None]),
}


class Case:
    """Declarations, baseline rows, events and reference rows, all as lines."""

    def __init__(self, kind, seed):
        self.kind, self.random = kind, random.Random(f'{kind} {seed}')
        pick = self.random
        self.options, self.map, self.bad = [], [], False
        self.keys = pick.randint(1, 12)
        self.versions = pick.choice([3, 10, 100])
        self.position = pick.randint(1, self.versions) if pick.random() < 0.3 else None
        if self.position:
            self.options += ['--baseline-position', str(self.position)]
        if pick.random() < 0.3:
            self.options += ['--cut', str(pick.randint(1, self.versions))]
        if pick.random() < 0.1:
            self.options += ['--conflicts', 'newest']
        if kind == 'typed':
            self.declare()
        self.baseline = [self.row(key) for key in range(self.keys) if pick.random() < 0.6]
        self.baseline += pick.choices(self.baseline, k=pick.randint(0, 2)) if self.baseline else []
        self.events, self.known = [], []
        for _ in range(pick.choice([3, 20, 60])):
            self.add_event()
        self.expected = [self.row(key) for key in range(self.keys) if pick.random() < 0.8]

    def declare(self):
        pick = self.random
        self.map = ['key: [id, part]', 'order: {policy: integer, version: ver}', 'identity: [eid, sub]', 'op: op', 'before: before', 'after: after']
        self.map.append('types: {' + ', '.join(f'{name}: {kind}' for name, (kind, _) in TYPED.items()) + ', part: text}')
        if pick.random() < 0.5:
            self.map.append('images: partial')
        if pick.random() < 0.5:
            self.map.append('placeholder: __unavailable')
        if pick.random() < 0.3:
            self.map.append('ignore: [ratio]')
        if pick.random() < 0.3:
            self.map.append('space: "a: b"')

    def columns(self):
        pick = self.random
        row = {}
        for name, (_, values) in TYPED.items():
            if pick.random() < 0.8:
                row[name] = pick.choice(values)
                if pick.random() < 0.05:
                    row[name] = '__unavailable' if name == 'name' else 'no value of the type'
        if pick.random() < 0.5:
            row[pick.choice(['é.x', 'any', '\u0001'])] = pick.choice(ANY)
        return row

    def key(self, number):
        if self.kind == 'typed':
            return {'id': number // 2, 'part': ['x', '\u0000é'][number % 2]}
        return [number, str(number), [number], {'k': number}][number % 4]

    def version(self):
        return self.random.randint(0, self.versions) * self.random.choice([1, 1, 10 ** 15])

    def row(self, number):
        pick = self.random
        if self.kind == 'typed':
            row = {**self.key(number), **self.columns()}
            if pick.random() < 0.3:
                row['ver'] = self.version()
            return row
        row = {'key': self.key(number), 'deleted': pick.random() < 0.2, 'value': pick.choice(ANY)}
        if pick.random() < 0.7:
            row['version'] = self.version()
        return row

    def add_event(self):
        """One event; or a copy of one, an identity that is used again, a bad record."""
        pick = self.random
        chance = pick.random()
        if self.known and chance < 0.3:
            self.events.append(pick.choice(self.known))
            return
        if self.kind == 'bad' and chance < 0.4:
            self.bad = True
            self.events.append((None, pick.choice(['{"key":', json.dumps({'id': 'x', 'key': self.key(pick.randrange(self.keys)), 'version': 'x', 'op': 'upsert', 'value': 1})])))
            return
        number, version = pick.randrange(self.keys), self.version()
        delete = pick.random() < 0.25
        used = [event for event in self.known if '"op": "t"' not in event[1]]
        again = used and pick.random() < 0.1
        if again:  # another content for sure
            version = 10 ** 17 + len(self.events)
        if self.kind == 'typed':
            event = {'op': 'd' if delete else pick.choice('cur')}
            if not again and pick.random() < 0.04:
                event['op'], delete = 't', None
            if again or pick.random() < 0.95:
                event['ver'] = version
            if delete:
                event['before'] = self.key(number)
            elif delete is not None:
                event['after'] = {**self.key(number), **self.columns()}
                if event['op'] == 'u' and pick.random() < 0.3:  # often another key: the event moves the row
                    event['before'] = {**self.key(pick.randrange(self.keys)), **self.columns()}
            identity = (pick.choice([1, '1', None]), len(self.events))
            if again:
                identity = pick.choice(used)[2] or identity
            named = pick.random() < 0.8
            if named:
                event['eid'], event['sub'] = identity
        else:
            event = {'key': self.key(number), 'op': 'delete' if delete else 'upsert'}
            if again or pick.random() < 0.95:
                event['version'] = version
            if not delete:
                event['value'] = pick.choice(ANY)
            identity = pick.choice(used)[2] if again else f'e{len(self.events)}'
            named = pick.random() < 0.8 and identity is not None
            if named:
                event['id'] = identity
        members = list(event.items())
        pick.shuffle(members)
        covered = self.position is not None and not (isinstance(event.get('ver', event.get('version')), type(None))) and \
            event.get('ver', event.get('version')) <= self.position
        self.known.append((len(self.known), json.dumps(dict(members)), identity if named else None, covered))
        self.events.append(self.known[-1])


def duplicates(runs):
    """For each run over what came before it as well: deliveries that repeat an identity which stands for one content only."""
    contents, seen, counts = {}, {}, []
    for events in runs:
        deliveries = {}
        for body, _, *more in (event for event in events if event[0] is not None):
            identity, covered = more
            if identity is not None and not covered:
                contents.setdefault(str(identity) + type(identity).__name__ + str([type(i) for i in identity] if isinstance(identity, tuple) else ''), set()).add(body)
                name = str(identity) + type(identity).__name__ + str([type(i) for i in identity] if isinstance(identity, tuple) else '')
                deliveries[name] = deliveries.get(name, 0) + 1
        count = 0
        for name, times in deliveries.items():
            if len(contents[name]) == 1:
                count += times - (0 if name in seen else 1)
            seen[name] = True
        counts.append(count)
    return counts


class Split(unittest.TestCase):
    maxDiff = 4000
    contradictions = 0

    def lines(self, name, records):
        with open(os.path.join(self.folder, name), 'w', encoding='utf-8') as f:
            f.writelines((record if isinstance(record, str) else json.dumps(record)) + '\n' for record in records)
        return name

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding='utf-8') as f:
            return f.read().splitlines()

    def run_program(self, case, baseline, events, expected, prefix):
        arguments = [PROGRAM, 'reconcile', *case.options, '--json', '--threads', str(case.random.randint(1, 3))]
        for option, name in (('--map', case.map and 'map.yaml'), ('--baseline', baseline), ('--events', events), ('--expected', expected)):
            if name:
                arguments += [option, name]
        for option in ('states', 'save-state') + (('differences',) if expected else ()):
            arguments += ['--' + option, f'{prefix}.{option}.ndjson']
        done = subprocess.run(arguments, cwd=self.folder, capture_output=True, text=True, timeout=60)
        report = json.loads(done.stdout)
        self.assertNotIn('error', report, (arguments, done.stderr))
        return report

    def check(self, kind, seed):
        case = Case(kind, seed)
        self.lines('map.yaml', case.map)
        self.lines('base.ndjson', case.baseline)
        self.lines('expected.ndjson', case.expected)
        self.lines('all.ndjson', [event[1] for event in case.events])
        base = 'base.ndjson' if case.baseline else None
        one = self.run_program(case, base, 'all.ndjson', 'expected.ndjson', 'one')

        parts = case.random.randint(2, 4)
        order = list(case.events)
        case.random.shuffle(order)
        cuts = sorted(case.random.randint(0, len(order)) for _ in range(parts - 1))
        runs = [order[a:b] for a, b in zip([0] + cuts, cuts + [len(order)])]
        reports = []
        for number, events in enumerate(runs):
            self.lines(f'{number}.ndjson', [event[1] for event in events])
            last = number == parts - 1
            reports.append(self.run_program(case, base, f'{number}.ndjson', 'expected.ndjson' if last else None, str(number)))
            base = f'{number}.save-state.ndjson'
            self.assertEqual(len(self.read(base)) - 2, json.loads(self.read(base)[-1])['records'])
        final = reports[-1]

        def found(prefix):
            return [{name: value for name, value in json.loads(line).items() if name != 'records'} for line in self.read(f'{prefix}.differences.ndjson')]
        self.assertEqual(found('one'), found(parts - 1))
        self.assertEqual(self.read('one.states.ndjson'), self.read(f'{parts - 1}.states.ndjson'))
        # bad records of one key leave one mark, which the next run counts as one bad record
        saved, again = self.read('one.save-state.ndjson'), self.read(f'{parts - 1}.save-state.ndjson')
        self.assertEqual(saved[1:], again[1:])
        if not case.bad:
            self.assertEqual(saved[0], again[0])
        summed = {'duplicateDeliveries', 'repeatedRecords'}
        ours = {'badRecords', 'unattributedBadRecords'} if case.bad else set()
        for name, count in one['counts'].items():
            if name not in summed | ours:
                self.assertEqual(count, final['counts'][name], name)
        self.assertEqual(one['exitStatus'], final['exitStatus'])
        self.assertEqual([one['verdicts'][name]['verdict'] for name in ('currentState', 'history')],
                         [final['verdicts'][name]['verdict'] for name in ('currentState', 'history')])
        for report in (one, final):
            for contradiction in report['history']['contradictions']:
                del contradiction['records']
        self.assertEqual(one['history'], final['history'])
        self.contradictions += len(one['history']['contradictions'])
        self.assertEqual(one['counts']['repeatedRecords'], sum(report['counts']['repeatedRecords'] for report in reports))
        self.assertEqual(duplicates([case.events]), [one['counts']['duplicateDeliveries']])
        self.assertEqual(duplicates(runs), [report['counts']['duplicateDeliveries'] for report in reports])

    def check_all(self, kind):
        for seed in range(FIRST, FIRST + CASES):
            with tempfile.TemporaryDirectory() as self.folder, self.subTest(kind=kind, seed=seed):
                self.check(kind, seed)

    def test_plain_records_in_any_split(self):
        self.check_all('plain')

    def test_typed_columns_and_images_that_lack_some_in_any_split(self):
        self.check_all('typed')
        self.assertTrue(self.contradictions or CASES < 40)

    def test_bad_records_keep_blocking_what_they_blocked(self):
        self.check_all('bad')


if __name__ == '__main__':
    unittest.main()
