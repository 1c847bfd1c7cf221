"""Streams that Debezium and wal2json wrote of a hostile workload (record.py), held against what their tables held in the end."""
import collections
import gzip
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), 'cli'))
from program import ENVIRONMENT, PROGRAM  # noqa: E402  (the folder has to be known first)

FIXTURES = os.path.join(HERE, 'fixtures')
KEYS = {'accounts': ['tenant', 'id']}  # of all other tables: id

# What a schema block would tell, and times that the engines write as numbers.
PG_BARE = {'kinds': {'amount': 'decimal', 'free': 'decimal', 'real4': 'float32', 'real8': 'float64', 'uid': 'uuid', 'doc': 'json parsed', 'raw': 'bytes base64', 'day': 'date unit=days',
                     't': 'time unit=us', 'ts3': 'timestamp unit=ms', 'ts': 'timestamp unit=us', 'tstz': 'timestamptz'},
           'lossy': {'free': 'decimal', 'real8': 'float64', 't': 'time unit=us', 'ts': 'timestamp unit=us'},
           'docs': {'raw': 'bytes base64'}, 'full_docs': {'raw': 'bytes base64'}, 'accounts': {'balance': 'decimal'}, 'bulk': {'at': 'timestamptz'}}
PG_TOLD = {'kinds': {'doc': 'json parsed'}}  # the schema tells the rest; that the tables' dump has JSON text, nothing does
LOCAL = {'t': 'time zone=+00:00', 'ts': 'timestamp zone=+00:00'}  # isostring writes a Z behind times without a zone
PG_FLAT = {**PG_BARE, 'kinds': {**PG_BARE['kinds'], **LOCAL, 'ts3': 'timestamp zone=+00:00', 'day': 'date', 'raw': 'bytes'}, 'lossy': {**PG_BARE['lossy'], **LOCAL},
           'docs': {'raw': 'bytes'}, 'full_docs': {'raw': 'bytes'}}
ZONE = {'ts': 'timestamptz zone=+00:00', 'ts6': 'timestamptz zone=+00:00'}  # the client shows TIMESTAMP without one
ZERO = {'day': 'date unit=days zero=null', 'dt': 'timestamp unit=ms zero=null', 'dt6': 'timestamp unit=us zero=null'}
MARIADB_SCHEMA = {'kinds': {**ZONE, **ZERO, 'bits': 'integer', 'doc': 'json parsed'}}
MARIADB_BARE = {'kinds': {**ZONE, **ZERO, 'amount': 'decimal', 'ubig': 'uint64 wrap', 'real4': 'float32', 'real8': 'float64', 'raw': 'bytes base64', 'fixed': 'bytes base64',
                          'blobs': 'bytes base64', 'doc': 'json parsed', 't': 'time unit=us', 'y': 'integer', 'bit1': 'boolean'},
                'lossy': {'y': 'integer', 'dt6': 'timestamp unit=us'}, 'accounts': {'balance': 'decimal'}, 'bulk': {'at': 'timestamp unit=ms'}}
MARIADB_SCHEMA['lossy'] = {'y': 'integer'}

# Columns whose two forms have no common type (docs/debezium.md): bits without a schema, intervals, times with a zone.
UNCOMPARED = {('postgres', 'debezium-bare'): 'bits,span,tod', ('postgres', 'debezium-flat'): 'bits,span,tod', ('postgres', 'debezium-kcat'): 'bits,span,tod', ('postgres', 'debezium-schema'): 'span,tod',
              ('mariadb', 'debezium-bare'): 'bits'}


def different(*ids, reason='state-mismatch'):
    return {json.dumps({'id': i}): reason for i in ids}


# What the recorder itself lost or changed on the way: findings that have to be there. NaN and infinities become null in a decimal of the mode
# `precise` and in wal2json; 24:00 becomes midnight as an ISO time; 294276 does not fit microseconds in 64 bits; a text that is the placeholder
# cannot be told from it; YEAR 0 becomes 1900, year 1 becomes 2001, a comma in an ENUM gets a backslash.
TOO_LATE = different(7, reason='invalid-value')
PLACEHOLDER = different(8, reason='unknown-column')
# A column stored out of line that a change of key left alone: Debezium makes two events of it, and that of the new key names the old one in a header only,
# which the dump of kcat has.
MOVED = different(51, 61, reason='unknown-column')
# Flattening and wal2json's version 1 drop TRUNCATE.
TRUNCATE_LOST = {'wiped': different(1, 3, 4, 5, 6, 7, 8, 100, 101, reason='unexpected-state'), 'wiped_too': different(1, 2, 3, 4, reason='unexpected-state')}
LOST = {
    ('postgres', 'debezium-bare'): {'lossy': {**TOO_LATE, **PLACEHOLDER}, 'docs': MOVED},
    ('postgres', 'debezium-kcat'): {'lossy': {**TOO_LATE, **PLACEHOLDER}},
    ('postgres', 'debezium-schema'): {'lossy': {**different(1, 2, 3), **TOO_LATE, **PLACEHOLDER}, 'docs': MOVED},
    ('postgres', 'debezium-flat'): {'lossy': {**different(6), **PLACEHOLDER}, 'docs': MOVED, **TRUNCATE_LOST},
    ('postgres', 'wal2json-v1'): {'lossy': different(1, 2, 3, 4, 5), **TRUNCATE_LOST},
    ('postgres', 'wal2json-v2'): {'lossy': different(1, 2, 3, 4, 5)},
    ('mariadb', 'debezium-bare'): {'lossy': different(1, 2, 3)},
    ('mariadb', 'debezium-schema'): {'lossy': different(1, 2, 3)},
}

# With provide.transaction.metadata, or with whole rows before each change (a binlog).
SHOW_HOLES = (('postgres', 'debezium-schema'), ('mariadb', 'debezium-bare'), ('mariadb', 'debezium-schema'))

# name -> order, types by table, and whether the stream begins with a snapshot of its own, so that no baseline is needed
STREAMS = {
    ('postgres', 'debezium-bare'): ('postgres', PG_BARE, False),
    ('postgres', 'debezium-schema'): ('postgres', PG_TOLD, True),
    ('postgres', 'debezium-kcat'): ('postgres', PG_BARE, False),
    ('postgres', 'debezium-flat'): ('postgres', PG_FLAT, False),
    ('postgres', 'wal2json-v1'): ('postgres', PG_TOLD, False),
    ('postgres', 'wal2json-v2'): ('postgres', PG_TOLD, False),
    ('mariadb', 'debezium-bare'): ('mysql', MARIADB_BARE, False),
    ('mariadb', 'debezium-schema'): ('mysql', MARIADB_SCHEMA, True),
}


def unpacked(database, name):
    with gzip.open(os.path.join(FIXTURES, database, name + '.ndjson.gz'), 'rt', encoding='utf-8') as f:
        return f.read().splitlines()


def payload(line):
    record = json.loads(line)
    if isinstance(record, dict) and 'topic' in record:
        record = json.loads(record['payload'] or 'null')
    return record['payload'] if isinstance(record, dict) and set(record) == {'schema', 'payload'} else record


def v1_row(change):
    names = change['oldkeys'] if change['kind'] == 'delete' else {'keynames': change['columnnames'], 'keyvalues': change['columnvalues']}
    return change['table'], {'insert': 'c', 'update': 'u', 'delete': 'd'}[change['kind']], dict(zip(names['keynames'], names['keyvalues']))


def row_of(line):
    """(table, operation, columns) of a line with one change; None for any other. An own, small reading of the formats, so that the tests know what they drop."""
    record = payload(line)
    if not isinstance(record, dict):
        return None
    if record.get('op') in ('c', 'u', 'd', 'r', 't') and 'source' in record:
        return record['source']['table'], record['op'], record.get('before' if record['op'] == 'd' else 'after')
    if '__op' in record:
        return record['__table'], record['__op'], record
    if record.get('action') in ('I', 'U', 'D', 'T'):
        columns = record.get('identity' if record['action'] == 'D' else 'columns', [])
        return record['table'], {'I': 'c', 'U': 'u', 'D': 'd', 'T': 't'}[record['action']], {c['name']: c['value'] for c in columns}
    return None


class Recorded(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix='slackwater-test-record-')
        cls.tables, cls.recorded = {}, {}
        for database in ('postgres', 'mariadb'):
            with open(os.path.join(FIXTURES, database, 'recorded.json'), encoding='utf-8') as f:
                cls.recorded[database] = json.load(f)
            rows = collections.defaultdict(lambda: {'baseline': [], 'middle': [], 'final': []})
            for role in ('baseline', 'middle', 'final'):
                for line in unpacked(database, role):
                    # the row as it was written: no number goes through a parser on its way
                    table, row = re.fullmatch(r'\{"table" ?: ?"\w+\.(\w+)", "row" ?: ?(\{.*\})\}', line).groups()
                    rows[table][role].append(row)
            cls.tables[database] = rows
            for table, roles in rows.items():
                for role, lines in roles.items():
                    cls.write(cls.path(database, role, table), lines)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    @classmethod
    def path(cls, *names):
        return os.path.join(cls.folder, '.'.join(names) + '.ndjson')

    @classmethod
    def write(cls, path, lines):
        with open(path, 'w', encoding='utf-8') as f:
            f.writelines(line + '\n' for line in lines)
        return path

    def reconcile(self, stream, table, lines, order=None, baseline='baseline', expected='final', more=()):
        """(exit status, report, {key: reason} of all that is not equal)"""
        database, name = stream
        usual, types, snapshot = STREAMS[stream]
        events, findings = self.write(self.path('events'), lines), self.path('findings')
        options = [f for column, kind in types.get(table, {}).items() for f in ('--type', f'{column}={kind}')]
        if table == 'kinds' and stream in UNCOMPARED:
            options += ['--ignore', UNCOMPARED[stream]]
        if not snapshot or baseline != 'baseline':
            options += ['-b', self.path(database, baseline, table)]
        done = subprocess.run([PROGRAM, 'reconcile', '--json', '-k', ','.join(KEYS.get(table, ['id'])), '-t', table, '--order', order or usual, '-e', events, '-x',
                               self.path(database, expected, table), '--expected-deletes', 'absent', '-d', findings, *options, *more],
                              capture_output=True, text=True, timeout=120, env=ENVIRONMENT)
        self.assertIn(done.returncode, (0, 1, 3), f'{name}, {table}: {done.stdout[:2000]}{done.stderr[:2000]}')
        with open(findings, encoding='utf-8') as f:
            found = {json.dumps(finding['key'], sort_keys=True): finding['reason'] for finding in map(json.loads, f)}
        report = json.loads(done.stdout)
        self.assertEqual(len(found), report['counts']['keys'] - report['counts']['equal'])
        hole = report['history']['transactions']['missing'] > 0  # by the counts at the ends of transactions: nobody knows of which key the missing event is
        self.assertEqual(done.returncode, 1 if report['counts']['differences'] else 3 if found or hole else 0)
        return done.returncode, report, found

    def lost(self, stream, table):
        return LOST[stream].get(table, {})

    def each(self):
        return [(stream, unpacked(*stream)) for stream in STREAMS]

    def test_every_stream_and_its_tables_agree_but_for_what_the_recorder_lost(self):
        """every recorded stream agrees with its tables, but for what the recorder itself lost"""
        for stream, lines in self.each():
            database = stream[0]
            self.assertGreater(len(self.tables[database]), 6)
            for table, roles in self.tables[database].items():
                _, report, found = self.reconcile(stream, table, lines)
                self.assertEqual(found, self.lost(stream, table), f'{stream}, {table}')
                self.assertEqual(report['counts']['badRecords'], 0)
                self.assertEqual(report['counts']['conflictKeys'], 0)
                self.assertEqual(report['records']['expected'], len(roles['final']))
                self.assertGreaterEqual(report['counts']['keys'], len(roles['final']))
                self.assertEqual(sum(report['dispositions'].values()), sum(report['records'].values()))
                # rows that a TRUNCATE emptied and INSERTs wrote again were the same keys: where it was lost, two events replace what they cannot
                lost = table == 'wiped' and table in LOST[stream]
                self.assertEqual(report['verdicts']['history']['verdict'], 'refuted' if lost else 'unproven', f'{stream}, {table}')

    def test_events_that_were_delivered_again_are_counted_exactly(self):
        """events that were delivered again after the crash are counted, as many as the recorder knows"""
        for stream, lines in self.each():
            recorded = self.recorded[stream[0]]['streams'][stream[1]]
            self.assertEqual(recorded['lines'], len(lines))
            again = recorded.get('delivered again', {})
            if stream[1] != 'debezium-flat':
                self.assertGreater(sum(again.values()), 30, 'the crash had no effect')
                self.assertEqual(len(recorded['began at line']), 3 if STREAMS[stream][2] else 2)
            for table in self.tables[stream[0]]:
                counts = self.reconcile(stream, table, lines)[1]['counts']
                self.assertEqual(counts['duplicateDeliveries'] + counts['repeatedRecords'], again.get(table, 0), f'{stream}, {table}')

    def test_arrival_does_not_matter(self):
        """the same lines in another order give the same answer (of wal2json's version 2, whole transactions)"""
        for stream, lines in self.each():
            pieces = [[line] for line in lines]
            if stream[1] == 'wal2json-v2':
                pieces, inside = [], False
                for line in lines:
                    action = json.loads(line)['action']
                    if inside:
                        pieces[-1].append(line)
                    else:
                        pieces.append([line])
                    inside = action != 'C' and (inside or action == 'B')
            random.Random(7).shuffle(pieces)
            mixed = [line for piece in pieces for line in piece]
            for table in ('kinds', 'accounts', 'busy', 'snapped', 'docs' if stream[0] == 'postgres' else 'wiped'):
                self.assertEqual(self.reconcile(stream, table, mixed)[2], self.lost(stream, table), f'{stream}, {table}')

    def changes_of(self, lines, table, key):
        """numbers of the lines that change this key of the table, oldest first; deliveries of one event together"""
        events = {}
        for number, line in enumerate(lines):
            row = row_of(line)
            if row and row[0] == table and row[1] != 'r' and row[2] and all(row[2].get(k) == v for k, v in key.items()):
                record = payload(line)
                source = record.get('source', record)
                place = tuple(source.get(k) for k in ('txId', 'lsn', 'file', 'pos', 'row', 'xid', '__lsn')) + (row[1], json.dumps(row[2]))
                events.setdefault(place, []).append(number)
        return list(events.values())

    def without(self, lines, numbers):
        gone = set(numbers)
        self.assertTrue(gone)
        return [line for number, line in enumerate(lines) if number not in gone]

    def one_change_a_line(self):
        return [(stream, lines) for stream, lines in self.each() if stream[1] != 'wal2json-v1']

    def test_a_newest_event_that_is_missing_is_found(self):
        """without the newest event of a key, exactly that key differs"""
        for stream, lines in self.one_change_a_line():
            for table, key in (('busy', {'id': 4}), ('busy', {'id': 20}), ('snapped', {'id': 9})):
                changes = self.changes_of(lines, table, key)
                self.assertGreaterEqual(len(changes), 1, f'{stream}, {table} {key}')
                found = self.reconcile(stream, table, self.without(lines, changes[-1]))[2]
                self.assertEqual(found, {json.dumps(key): 'state-mismatch'}, f'{stream}, {table} {key}')

    def test_a_delete_that_is_missing_is_found(self):
        """without the delete of a key, exactly that key is there and should not be"""
        for stream, lines in self.one_change_a_line():
            changes = self.changes_of(lines, 'bulk', {'id': 7})
            self.assertEqual(row_of(lines[changes[-1][0]])[1] if stream[1] != 'debezium-flat' else payload(lines[changes[-1][0]])['__op'], 'd')
            found = self.reconcile(stream, 'bulk', self.without(lines, changes[-1]))[2]
            self.assertEqual(found, {json.dumps({'id': 7}): 'unexpected-state'}, f'{stream}')

    def test_an_insert_that_is_missing_is_found(self):
        """without the only event of a key, the destination has a row that is not in evidence"""
        for stream, lines in self.one_change_a_line():
            changes = self.changes_of(lines, 'bulk', {'id': 11})
            self.assertEqual(len(changes), 1)
            self.assertEqual(self.reconcile(stream, 'bulk', self.without(lines, changes[0]))[2], {json.dumps({'id': 11}): 'missing-state'}, f'{stream}')

    def test_a_superseded_event_that_is_missing_changes_no_current_state(self):
        """without an event that a newer one superseded, no key differs"""
        for stream, lines in self.one_change_a_line():
            changes = self.changes_of(lines, 'busy', {'id': 3})
            self.assertGreater(len(changes), 25)
            status, report, found = self.reconcile(stream, 'busy', self.without(lines, changes[12]))
            self.assertEqual(found, {}, f'{stream}')
            self.assertEqual(status, 3 if report['history']['transactions']['missing'] else 0, f'{stream}')
            self.assertEqual(report['verdicts']['currentState']['verdict'], 'confirmed')
            # counts of transactions, or the rows that other events replace, show the hole; where a stream has neither, nothing does
            self.assertEqual(report['verdicts']['history']['verdict'], 'refuted' if stream in SHOW_HOLES else 'unproven', f'{stream}')

    def test_a_value_that_was_altered_is_found(self):
        """a value that was altered in the newest event of a key is found, and no other key with it"""
        for stream, lines in self.one_change_a_line():
            changes = self.changes_of(lines, 'busy', {'id': 21})
            altered = lines[:]
            for number in changes[-1]:
                altered[number] = lines[number].replace('long, after short', 'long, after sport')
                self.assertNotEqual(altered[number], lines[number])
            found = self.reconcile(stream, 'busy', altered)[2]
            self.assertEqual(found, {json.dumps({'id': 21}): 'state-mismatch'}, f'{stream}')

    def test_one_delivery_of_two_that_was_altered_is_a_conflict(self):
        """where one of two deliveries of an event was altered, its key is in conflict, and no other"""
        for stream, lines in self.one_change_a_line():
            if stream[1] in ('debezium-flat', 'debezium-kcat'):
                continue
            twice = [numbers for i in range(1, 61) for numbers in self.changes_of(lines, 'bulk', {'id': i})
                     if len(numbers) == 2 and row_of(lines[numbers[0]])[1] == 'c']
            self.assertTrue(twice, f'{stream}')
            number = twice[0][1]
            key = row_of(lines[number])[2]['id']
            altered = lines[:]
            altered[number] = lines[number].replace(f'"row {key}"', f'"raw {key}"')
            _, report, found = self.reconcile(stream, 'bulk', altered)
            self.assertEqual(list(found), [json.dumps({'id': key})], f'{stream}')
            self.assertIn(found[json.dumps({'id': key})], ('identity-reused', 'conflicting-version'))
            self.assertEqual(report['counts']['conflictKeys'], 1)

    def test_truncates_that_are_missing_are_found(self):
        """without the truncates, rows that they removed are there and should not be"""
        for stream, lines in self.one_change_a_line():
            if stream[1] == 'debezium-flat':
                continue
            truncates = [n for n, line in enumerate(lines) if (row_of(line) or ('', '', None))[:2] == ('wiped', 't')]
            self.assertGreaterEqual(len(truncates), 2, f'{stream}')
            found = self.reconcile(stream, 'wiped', self.without(lines, truncates))[2]
            self.assertEqual(found, {key: reason for key, reason in TRUNCATE_LOST['wiped'].items() if stream[0] == 'postgres' or '101' not in key}, f'{stream}')

    def test_a_transaction_of_wal2json_that_is_missing_is_found(self):
        """without the transaction that last wrote a key, exactly its keys differ"""
        stream = ('postgres', 'wal2json-v1')
        lines = unpacked(*stream)
        holding = [n for n, line in enumerate(lines) if any(v1_row(c)[0] == 'busy' and v1_row(c)[2]['id'] == 8 for c in json.loads(line)['change'] if 'table' in c)]
        last = json.loads(lines[holding[-1]])['xid']
        found = self.reconcile(stream, 'busy', [line for line in lines if json.loads(line).get('xid') != last])[2]
        self.assertEqual(set(found), {json.dumps({'id': c['columnvalues'][0]}) for c in json.loads(lines[holding[-1]])['change'] if c['table'] == 'busy'})
        self.assertIn(json.dumps({'id': 8}), found)

    def middle(self, stream):
        """The position of the moment in which the tables `middle` were read. PostgreSQL gives the place behind the last record: the end of the last transaction, by
        which version 1 of wal2json orders, and perhaps the begin of the next change, by which the others do."""
        position = self.recorded[stream[0]]['middle']
        if stream[0] == 'postgres' and stream[1] != 'wal2json-v1':
            high, low = (int(half, 16) for half in position.split('/'))
            position = f'{high:X}/{low - 1:X}'
        return position

    def test_at_a_cut_in_the_middle_the_tables_of_that_moment_agree(self):
        """at a cut in the midst of the stream, the tables of that moment agree with it"""
        for stream, lines in self.each():
            for table in self.tables[stream[0]]:
                _, report, found = self.reconcile(stream, table, lines, expected='middle', more=('--cut', self.middle(stream)))
                self.assertEqual(found, self.lost(stream, table), f'{stream}, {table}')
                if table in ('busy', 'accounts'):
                    self.assertGreater(report['dispositions']['beyondCut'], 7, f'{stream}, {table}')
                    self.assertTrue(self.reconcile(stream, table, lines, expected='middle')[2], f'{stream}, {table}: the cut changes nothing')

    def test_a_baseline_of_the_middle_covers_what_came_before(self):
        """tables of the middle as a baseline at their position: what came before is covered, and no loss of the recorder counts"""
        for stream, lines in self.each():
            for table, roles in self.tables[stream[0]].items():
                if roles['final'] or roles['middle']:
                    _, report, found = self.reconcile(stream, table, lines, baseline='middle', more=('--baseline-position', self.middle(stream)))
                    self.assertEqual(found, {}, f'{stream}, {table}')
                    if table in ('accounts', 'bulk'):
                        self.assertGreater(report['dispositions']['coveredByBaseline'], 20, f'{stream}, {table}')

    def test_offsets_order_a_dump_of_kafka_too(self):
        """a dump of the topics has the same answer when it is ordered by offset, but that a removal at an offset of its own leaves nothing to take along"""
        stream = ('postgres', 'debezium-kcat')
        lines = unpacked(*stream)
        for table in self.tables['postgres']:
            expected = MOVED if table == 'docs' else self.lost(stream, table)
            self.assertEqual(self.reconcile(stream, table, lines, 'kafka')[2], expected, table)

    def test_gtids_order_the_stream_of_mariadb_too(self):
        """MariaDB's stream has the same answer when it is ordered by GTID; rows of the first snapshot have none, and are never taken for newer than a delete"""
        for stream in (s for s in STREAMS if s[0] == 'mariadb'):
            lines, reasons = unpacked(*stream), set()
            for table in ('accounts', 'bulk', 'busy', 'snapped', 'wiped'):
                _, report, found = self.reconcile(stream, table, lines, 'mariadb')
                self.assertEqual(report['counts']['differences'], 0, f'{stream}, {table}: {found}')
                reasons.update(found.values())
            self.assertEqual(reasons, {'read-after-delete'} if STREAMS[stream][2] else set())


if __name__ == '__main__':
    unittest.main()
