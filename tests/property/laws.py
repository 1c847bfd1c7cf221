"""Laws of the fold on streams of a source that is played here: PostgreSQL through Debezium, and MySQL's through Maxwell.

Transactions overlap there, their changes interleave in PostgreSQL's log, and the later one may commit first. What each key held after each of its changes is known, and
nothing of it is taken from the program. On every stream: the reconstructed rows are those of the source; neither the order of the lines nor a split into runs
that hand on their state changes anything; deliveries that repeat change nothing but their count; without the newest event of a key it has the row before;
a whole stream contradicts nothing, and one that lacks a change in the middle of a key is found out. Streams that mark or count their transactions (wal2json's,
too) are cut anywhere, also inside of one, and given to runs in any order: the last run finds what one run over the same files finds, and leaves the same state.

SW_PROGRAM is the program; SW_LAWS_FIRST another first seed; SW_LAWS_CASES how many streams of each kind.
"""
import json
import os
import random
import subprocess
import tempfile
import unittest

PROGRAM = os.path.abspath(os.environ.get('SW_PROGRAM', 'build/slackwater'))
FIRST = int(os.environ.get('SW_LAWS_FIRST', '0'))
CASES = int(os.environ.get('SW_LAWS_CASES', '12'))


class Source:
    """Rows, and the changes that made them, in the order of the commits. A change is (key, before, after, position, previous, place): its position in a log that
    is written while transactions run, that of the commit before its own (0 for the first), and its place in a log that is written at the commits."""

    def __init__(self, pick):
        self.pick = pick
        self.rows, self.changes, self.position, self.committed = {}, [], 1000, 0
        self.keys = pick.randint(1, 6)
        for _ in range(pick.choice([1, 2, 6, 14])):
            self.overlap()

    def overlap(self):
        """Two transactions at once, on other rows, since a changed row is locked until its commit. Their changes interleave; either may commit first."""
        keys = list(range(self.keys))
        self.pick.shuffle(keys)
        half = self.pick.randint(0, len(keys))
        running = [[self.change(key) for key in part[:self.pick.randint(1, 3)] for _ in range(self.pick.choice([1, 1, 2]))] for part in (keys[:half], keys[half:])]
        turns = [0] * len(running[0]) + [1] * len(running[1])
        self.pick.shuffle(turns)
        positions = [[], []]
        for turn in turns:
            self.position += self.pick.randint(1, 9)
            positions[turn].append(self.position)
        for turn in self.pick.sample([0, 1], 2):
            for (key, before, after), position in zip(running[turn], positions[turn]):
                self.changes.append((key, before, after, position, self.committed, len(self.changes) + 1))
            self.position += self.pick.randint(1, 9)
            self.committed = self.position

    def change(self, key):
        before = self.rows.get(key)
        if before is None:
            after = {'v': self.pick.randint(0, 3), 'w': self.pick.choice(['a', 'b', None])}
        elif self.pick.random() < 0.25:
            after = None
        else:
            after = dict(before, v=before['v'] + 1 + self.pick.randint(0, 2))
        self.rows.pop(key, None)
        if after is not None:
            self.rows[key] = after
        return key, before, after

    def state_of(self, key, changes):
        mine = [change for change in changes if change[0] == key]
        return mine[-1][2] if mine else None


def debezium(change):
    key, before, after, position, previous, _ = change
    op = 'c' if before is None else 'd' if after is None else 'u'
    row = lambda image: None if image is None else {'id': key, **image}  # noqa: E731
    return {'op': op, 'before': row(before), 'after': row(after), 'source': {'connector': 'postgresql', 'name': 'srv', 'schema': 's', 'table': 't', 'lsn': position,
                                                                            'sequence': json.dumps([str(previous) if previous else None, str(position)]), 'snapshot': 'false'}}


def maxwell(change):
    key, before, after, _, previous, place = change
    record = {'database': 'd', 'table': 't', 'type': 'insert' if before is None else 'delete' if after is None else 'update', 'ts': 1, 'xid': previous, 'commit': True,
              'position': f'bin.{99998 + place // 9:06}:{place * 90}', 'data': {'id': key, **(after if after is not None else before)}}
    if record['type'] == 'update':
        record['old'] = {name: value for name, value in before.items() if after[name] != value}
    return record


def wal2json(changes, commit, ends):
    """A transaction as the plugin's version 2 writes it, begin and end around its rows."""
    def columns(row):
        return [{'name': name, 'type': 'integer' if name != 'w' else 'text', 'value': value} for name, value in row.items()]
    name = {'xid': changes[0][4], 'schema': 's', 'table': 't'}
    mark = {'xid': changes[0][4], 'lsn': f'0/{commit:X}'}
    lines = [{'action': 'B', **mark}]
    for key, before, after, position, _, _ in changes:
        line = {'action': 'I' if before is None else 'D' if after is None else 'U', 'lsn': f'0/{position:X}', **name}
        if after is not None:
            line['columns'] = columns({'id': key, **after})
        if before is not None:
            line['identity'] = columns({'id': key, **before})
        lines.append(line)
    return lines + [{'action': 'C', **mark}] * ends


def maxwell_transaction(changes, _, ends):
    lines = [maxwell(change) for change in changes]
    for line in lines[:-1] if ends else lines:
        del line['commit']
    return lines


def numbered(changes, commit, ends):
    """What Debezium writes with provide.transaction.metadata, the topic of transactions among the events."""
    name = f'{changes[0][4] + 1}:{commit}'
    events = [{**debezium(change), 'transaction': {'id': name, 'total_order': i + 1, 'data_collection_order': i + 1}} for i, change in enumerate(changes)]
    end = {'status': 'END', 'id': name, 'event_count': len(events), 'data_collections': [{'data_collection': 's.t', 'event_count': len(events)}]}
    return [{'status': 'BEGIN', 'id': name, 'event_count': None, 'data_collections': None}] + events + [end] * ends


KINDS = {'debezium': (debezium, ['--order', 'postgres', '--format', 'debezium'], ['replica_identity: full']), 'maxwell': (maxwell, ['--order', 'mysql', '--format', 'maxwell'], [])}

MARKED = {'wal2json': (wal2json, ['--order', 'postgres', '--format', 'wal2json'], ['types: {id: integer, v: integer, w: text}']), 'maxwell': (maxwell_transaction, *KINDS['maxwell'][1:]), 'debezium': (numbered, *KINDS['debezium'][1:])}


class Laws(unittest.TestCase):
    maxDiff = 3000

    def write(self, name, lines):
        with open(os.path.join(self.folder, name), 'w', encoding='utf-8') as f:
            f.writelines(json.dumps(line) + '\n' for line in lines)
        return name

    def declare(self, mapping, source):
        with open(os.path.join(self.folder, 'map.yaml'), 'w', encoding='utf-8') as f:
            f.write('\n'.join(['key: id', 'table: t'] + mapping) + '\n')
        self.write('expected.ndjson', [{'id': key, **row} for key, row in source.rows.items()])

    def cut(self, lines, most):
        """The lines as files, cut anywhere."""
        cuts = sorted(self.pick.randint(0, len(lines)) for _ in range(self.pick.randint(1, most)))
        return [self.write(f'{number}.ndjson', lines[a:b]) for number, (a, b) in enumerate(zip([0] + cuts, cuts + [len(lines)]))]

    def run_program(self, lines, *options, baseline=None, events='events.ndjson', expected=False):
        """`lines` may be a list of files."""
        files = lines if lines and isinstance(lines[0], str) else [self.write(events, lines)]
        arguments = [PROGRAM, 'reconcile', '--map', 'map.yaml', *self.options, '--json', *[word for name in files for word in ('--events', name)], '--states', 'states.ndjson', '--threads', str(self.pick.randint(1, 3)), *options]
        arguments += ['--baseline', baseline] if baseline else []
        arguments += ['--expected', 'expected.ndjson'] if expected else []
        done = subprocess.run(arguments, cwd=self.folder, capture_output=True, text=True, timeout=60)
        report = json.loads(done.stdout)
        self.assertNotIn('error', report, (arguments, done.stderr))
        with open(os.path.join(self.folder, 'states.ndjson'), encoding='utf-8') as f:
            states = f.read().splitlines()
        for contradiction in report['history']['contradictions']:
            del contradiction['records']
        return report, states

    @staticmethod
    def rows(states):
        return {state['key']['id']: None if state['deleted'] else state['row'] for state in map(json.loads, states)}

    def check(self, kind, seed):
        self.pick = random.Random(f'{kind} {seed}')
        write, self.options, mapping = KINDS[kind]
        source = Source(self.pick)
        self.declare(mapping, source)
        lines = [write(change) for change in source.changes]
        touched = {change[0] for change in source.changes}

        report, states = self.run_program(lines, expected=True)
        self.assertEqual({key: source.rows.get(key) for key in touched}, self.rows(states))
        self.assertEqual((report['counts']['equal'], report['exitStatus']), (len(touched), 0))
        self.assertEqual((report['history']['contradictions'], report['verdicts']['history']['verdict']), ([], 'unproven'))
        self.assertEqual(report['history']['claimsHeld'], len(lines) - len(touched))

        shuffled = list(lines)
        self.pick.shuffle(shuffled)
        self.assertEqual(states, self.run_program(shuffled)[1], 'another order of the lines')

        again = shuffled + self.pick.choices(lines, k=self.pick.randint(1, 5))
        self.pick.shuffle(again)
        more, same = self.run_program(again, expected=True)
        self.assertEqual(states, same, 'deliveries that repeat')
        repeated = len(again) - len(lines)
        self.assertEqual(report['history'], more['history'])
        self.assertEqual(more['counts']['duplicateDeliveries'] + more['counts']['repeatedRecords'], repeated)
        ours = {'duplicateDeliveries', 'repeatedRecords'}
        self.assertEqual({n: c for n, c in report['counts'].items() if n not in ours}, {n: c for n, c in more['counts'].items() if n not in ours})

        self.split(shuffled, states)
        self.without_the_newest(source, write)
        self.without_one(source, write)

    def split(self, lines, states):
        parts = self.cut(lines, 3)
        self.assertEqual(states, self.run_program(parts, '--save-state', 'whole.state')[1])
        baseline, held = None, None
        for number, part in enumerate(parts):
            report, now = self.run_program([part], '--save-state', f'{number}.state', baseline=baseline)
            baseline, held = f'{number}.state', report['history']
        self.assertEqual(states, now, 'a split into runs')
        with open(os.path.join(self.folder, 'whole.state'), 'rb') as one, open(os.path.join(self.folder, baseline), 'rb') as last:
            self.assertEqual(one.read(), last.read(), 'the state that runs hand on')
        self.assertEqual(held['contradictions'], [])

    def without_the_newest(self, source, write):
        for key in {change[0] for change in source.changes}:
            last = max(i for i, change in enumerate(source.changes) if change[0] == key)
            changes = source.changes[:last] + source.changes[last + 1:]
            rows = self.rows(self.run_program([write(change) for change in changes])[1])
            others = {other for other, *_ in changes}
            self.assertEqual({other: source.state_of(other, changes) for other in others}, rows, f'without the newest event of {key}')

    def without_one(self, source, write):
        """A change whose successor replaced what it wrote, and whose predecessor had something else: the successor finds out."""
        middles = []
        for i, (key, before, after, *_) in enumerate(source.changes):
            if any(change[0] == key for change in source.changes[:i]) and any(change[0] == key for change in source.changes[i + 1:]) and before != after:
                middles.append(i)
        if middles:
            i = self.pick.choice(middles)
            report, _ = self.run_program([write(change) for j, change in enumerate(source.changes) if j != i])
            self.assertEqual(report['verdicts']['history']['verdict'], 'refuted', source.changes[i])
            self.assertEqual([contradiction['key']['id'] for contradiction in report['history']['contradictions']], [source.changes[i][0]])
            Laws.found += 1

    def check_marked(self, kind, seed):
        """A stream with marks of its transactions, cut anywhere, also inside of one; some never end."""
        self.pick = random.Random(f'marks of {kind} {seed}')
        write, self.options, mapping = MARKED[kind]
        source = Source(self.pick)
        self.declare(mapping, source)
        transactions = {}
        for change in source.changes:
            transactions.setdefault(change[4], []).append(change)
        lines, order = [], list(transactions)
        for number, name in enumerate(order):
            commit = order[number + 1] if number + 1 < len(order) else source.position
            ends = self.pick.random() < 0.8 or (kind == 'maxwell' and number + 1 < len(order))
            lines += write(transactions[name], commit, ends)
            if kind != 'maxwell' and self.pick.random() < 0.15:  # its source went back and sends it again, whole
                lines += write(transactions[name], commit, True)
        parts = self.cut(lines, 4)
        one, states = self.run_program(parts, '--save-state', 'one.state', expected=True)
        baseline, sums = None, {'repeatedRecords': 0, 'duplicateDeliveries': 0}
        for number in self.pick.sample(range(len(parts)), len(parts)) if self.pick.random() < 0.5 else range(len(parts)):
            last, now = self.run_program([parts[number]], '--save-state', f'{number}.state', baseline=baseline, expected=True)
            baseline = f'{number}.state'
            sums = {name: count + last['counts'][name] for name, count in sums.items()}
        self.assertEqual(states, now, 'a split into runs')
        with open(os.path.join(self.folder, 'one.state'), encoding='utf-8') as f, open(os.path.join(self.folder, baseline), encoding='utf-8') as g:
            self.assertEqual(f.read(), g.read(), 'the state that runs hand on')
        for report in (one, last):
            for listed in report['history'].get('transactions', {}).get('listed', []):
                del listed['first']
            report['history'].get('transactions', {}).get('listed', []).sort(key=json.dumps)
        self.assertEqual(one['history'], last['history'])
        self.assertEqual(one['counts'], {**last['counts'], **sums})
        self.assertEqual((one['exitStatus'], one['headline']['word']), (last['exitStatus'], last['headline']['word']))
        Laws.found += one['dispositions']['openTransaction'] + ('transactions' in one['history'] and one['history']['transactions']['withoutEnd'])

    found = 0

    def check_all_marked(self, kind):
        Laws.found = 0
        for seed in range(FIRST, FIRST + 2 * CASES):
            with tempfile.TemporaryDirectory() as self.folder, self.subTest(kind=kind, seed=seed):
                self.check_marked(kind, seed)
        self.assertTrue(Laws.found or CASES < 10)

    def test_marks_of_transactions_in_any_split_of_wal2json(self):
        self.check_all_marked('wal2json')

    def test_counts_of_transactions_in_any_split_of_debezium(self):
        self.check_all_marked('debezium')

    def test_marks_of_transactions_in_any_split_of_maxwell(self):
        self.check_all_marked('maxwell')

    def check_all(self, kind):
        Laws.found = 0
        for seed in range(FIRST, FIRST + CASES):
            with tempfile.TemporaryDirectory() as self.folder, self.subTest(kind=kind, seed=seed):
                self.check(kind, seed)
        self.assertTrue(Laws.found or CASES < 10)

    def test_a_stream_of_postgresql_through_debezium(self):
        self.check_all('debezium')

    def test_a_stream_of_mysql_through_maxwell(self):
        self.check_all('maxwell')


if __name__ == '__main__':
    unittest.main()
