"""What a stream repeats is compared with what it was, and not read again (text/json_usual.h): nothing of that may be seen in a result.

Streams of Debezium's events whose source block stays the same for a while and then changes: another table with the same columns, another server, another type in
the schema, another snapshot mark. Each is held against the same events written with spaces that no two lines in a row share, which are read name by name.
"""
import json
import os
import random
import re
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import PROGRAM  # noqa: E402,F401
from test_reconcile import Folder  # noqa: E402

COUNT = 600


def row(key, n):
    return {'id': key, 'name': f'name of {key}', 'n': n, 'note': 'text that is a little longer than thirty-two bytes', 'paid': n % 2 == 0}


def schema(kind):
    fields = [{'type': 'int64', 'optional': False, 'field': 'id'}, {'type': 'string', 'optional': True, 'field': 'name'}, {'type': kind, 'optional': True, 'field': 'n'},
              {'type': 'string', 'optional': True, 'field': 'note'}, {'type': 'boolean', 'optional': True, 'field': 'paid'}]
    rows = [{'type': 'struct', 'fields': fields, 'optional': True, 'field': side} for side in ('before', 'after')]
    return {'type': 'struct', 'fields': rows, 'optional': False, 'name': 'shop.Envelope'}


def events(table_of, name_of, snapshot_of, operation_of):
    """(the events, the rows of the table public.orders that they leave)"""
    out, left = [], {}
    for n in range(COUNT):
        key, table = n % 40, table_of(n)
        operation = operation_of(n)
        if operation == 'u' and key not in left:
            operation = 'c'
        if operation == 'd' and (table != 'orders' or key not in left):
            operation = 'r'
        before = dict.fromkeys(row(key, n)) | {'id': key} if operation == 'd' else None
        out.append({'before': before, 'after': None if operation == 'd' else row(key, n),
                    'source': {'version': '3.0', 'connector': 'postgresql', 'name': name_of(n), 'ts_ms': 1764500000000 + n, 'snapshot': snapshot_of(n), 'db': 'store',
                               'sequence': json.dumps([str(5000 + n // 3), str(9000 + n)]), 'schema': 'public', 'table': table, 'lsn': 9000 + n, 'xmin': None},
                    'transaction': None, 'op': operation, 'ts_ms': 1764500000100 + n})
        if table == 'orders' and operation == 'd':
            del left[key]
        elif table == 'orders':
            left[key] = row(key, n)
    return out, list(left.values())


def spaced(record, n):
    """With so many spaces at so many places that no line is written as the one before."""
    text = json.dumps(record, separators=(',', ':'))
    return '{' + ' ' * (n % 89) + text[1:-1] + ' ' * (n // 89) + '}'


class Repetition(Folder):
    def found(self, lines, *more):
        self.write('events.ndjson', '\n'.join(lines) + '\n')
        status, text, said = self.call('--json', '--digest', 'none', '--key', 'id', '--order', 'postgres', '--table', 'public.orders', '--expected-deletes', 'absent', '--events', 'events.ndjson',
                        '--expected', 'expected.ndjson', *more)
        self.assertEqual(said, '', status)
        report = json.loads(re.sub(r'"reachedAt": *"[^"]*"', '"reachedAt":""', text))
        return {name: report[name] for name in ('exitStatus', 'verdicts', 'dispositions', 'kinds', 'counts', 'tables', 'records', 'badRecords', 'history', 'differences', 'undecided')}

    def hold(self, wrapped=None, **shape):
        made, left = events(**shape)
        if wrapped:
            made = [{'schema': wrapped(n), 'payload': record} for n, record in enumerate(made)]
        self.write('expected.ndjson', ''.join(json.dumps(one) + '\n' for one in left))
        usual = self.found([json.dumps(record, separators=(',', ':')) for record in made])
        self.assertEqual(self.found([spaced(record, n) for n, record in enumerate(made)]), usual)
        return usual, made, left

    def test_a_stream_of_one_table(self):
        usual, made, left = self.hold(table_of=lambda n: 'orders', name_of=lambda n: 'shop', snapshot_of=lambda n: 'false', operation_of=lambda n: 'ud'[n % 10 == 9])
        self.assertEqual(usual['counts']['differences'], 0)
        self.assertEqual(usual['counts']['states'] - usual['counts']['tombstones'], len(left))

    def test_another_table_with_the_same_columns(self):
        for table_of in (lambda n: 'orders' if n < 300 else 'others', lambda n: 'orders' if n % 100 else 'others', lambda n: 'orders' if n % 2 or n < 200 else 'others'):
            usual, made, left = self.hold(table_of=table_of, name_of=lambda n: 'shop', snapshot_of=lambda n: 'false', operation_of=lambda n: 'u')
            self.assertEqual(usual['counts']['differences'], 0)
            self.assertEqual(usual['dispositions']['otherTable'], sum(one['source']['table'] == 'others' for one in made))

    def test_another_server_is_another_space(self):
        usual, _, _ = self.hold(table_of=lambda n: 'orders', name_of=lambda n: 'shop' if n < 300 else 'shop2', snapshot_of=lambda n: 'false', operation_of=lambda n: 'u')
        self.assertGreater(usual['counts']['undecidedKeys'], 0)

    def test_rows_that_were_read_among_changes(self):
        self.hold(table_of=lambda n: 'orders', name_of=lambda n: 'shop', snapshot_of=lambda n: 'true' if n < 100 else 'last' if n == 100 else 'false', operation_of=lambda n: 'r' if n <= 100 else 'u')

    def test_a_schema_that_changes(self):
        usual, _, _ = self.hold(wrapped=lambda n: schema('int32'), table_of=lambda n: 'orders', name_of=lambda n: 'shop', snapshot_of=lambda n: 'false', operation_of=lambda n: 'ud'[n % 10 == 9])
        self.assertEqual(usual['counts']['differences'], 0)
        usual, _, _ = self.hold(wrapped=lambda n: schema('int32') | ({'version': 1} if n > 300 else {}), table_of=lambda n: 'orders', name_of=lambda n: 'shop', snapshot_of=lambda n: 'false',
                                operation_of=lambda n: 'u')
        self.assertEqual(usual['counts']['differences'], 0)

    def test_damage_is_found_at_its_line(self):
        made, left = events(table_of=lambda n: 'orders', name_of=lambda n: 'shop', snapshot_of=lambda n: 'false', operation_of=lambda n: 'u')
        lines = [json.dumps(record, separators=(',', ':')) for record in made]
        self.write('expected.ndjson', ''.join(json.dumps(one) + '\n' for one in left))
        pick = random.Random(3)
        for n in pick.sample(range(200, COUNT), 12):
            lines[n] = lines[n].replace('"lsn":', pick.choice(['"lsn":-', '"lsn":"x', '"lsn" ', '"lsn":[', '"lsn":0']))
        damaged = self.found(lines)
        again = self.found([line if n % 2 else line.replace('{', '{ ', 1) for n, line in enumerate(lines)])
        self.assertGreater(damaged['counts']['badRecords'], 5)
        for name in ('exitStatus', 'verdicts', 'counts', 'records', 'dispositions'):
            self.assertEqual(damaged[name], again[name])


if __name__ == '__main__':
    unittest.main()
