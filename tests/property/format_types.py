"""Values as each format spells them: what its own schema says of a column is used, and nothing is declared.

One row of dates, times, bytes, floats, decimals, UUIDs and JSON is written as Debezium writes it with its schema (in each precision of times), as wal2json writes it with types, and as
Canal does, and held against a destination that spells the same values as people and other tools do. They are equal; with one of them altered by the least there is, that
column is the one finding. Sources: debezium/debezium, the connectors' pages, "Data type mappings"; eulerto/wal2json; alibaba/canal, FlatMessage.java.

SW_PROGRAM is the program; SW_TYPES_FIRST another first seed; SW_TYPES_CASES how many rows for each.
"""
import base64
import datetime
import decimal
import json
import os
import random
import subprocess
import tempfile
import unittest
import uuid

PROGRAM = os.path.abspath(os.environ.get('SW_PROGRAM', 'build/slackwater'))
FIRST = int(os.environ.get('SW_TYPES_FIRST', '0'))
CASES = int(os.environ.get('SW_TYPES_CASES', '20'))
EPOCH = datetime.datetime(1970, 1, 1)
MICROSECOND = datetime.timedelta(microseconds=1)


def values(pick):
    """One row, as Python's own values."""
    day = pick.choice([datetime.date(1, 1, 1), datetime.date(1582, 10, 4), datetime.date(1900, 2, 28), datetime.date(1969, 12, 31), datetime.date(1970, 1, 1), datetime.date(2024, 2, 29), datetime.date(9999, 12, 30)])
    clock = datetime.time(pick.randrange(24), pick.randrange(60), pick.randrange(60), pick.choice([0, 1, 500000, 120000, 999999]))
    return {'day': day, 'ts': datetime.datetime.combine(day, clock), 'tz': datetime.datetime.combine(max(day, datetime.date(2, 1, 1)), clock), 'clock': clock, 'raw': pick.randbytes(pick.choice([0, 1, 2, 3, 16])),
            'f': pick.choice([0.1, -0.5, 1e300, 5e-324, 1 / 3, 123456789.125]), 'd': decimal.Decimal(pick.randrange(-10 ** 9, 10 ** 9)).scaleb(-4), 'u': uuid.UUID(int=pick.getrandbits(128)),
            'j': pick.choice([{'a': 1, 'b': [True, None, 'x']}, [1, 2.5], 'text', {}, {'k': {'n': 10 ** 20}}])}


def altered(name, value):
    """The least other value."""
    if name == 'day':
        return value + datetime.timedelta(days=1)
    if name in ('ts', 'tz'):
        return value + MICROSECOND
    if name == 'clock':
        return value.replace(microsecond=value.microsecond - 1 if value.microsecond else 1)
    if name == 'raw':
        return value + b'\0'
    if name == 'f':
        return value * 2
    if name == 'd':
        return value + decimal.Decimal('0.0001')
    if name == 'u':
        return uuid.UUID(int=value.int ^ 1)
    return [value]


def spelled(pick, row, encode):
    """As a destination spells them, one way or another."""
    def instant(value):
        zone = pick.choice([0, 120, -330])
        local = value.replace(tzinfo=datetime.timezone.utc).astimezone(datetime.timezone(datetime.timedelta(minutes=zone)))
        return pick.choice([local.isoformat(), local.isoformat(sep=' ')] + ([value.isoformat() + 'Z'] if zone == 0 else []))

    def json_text(value):
        return pick.choice([value, json.dumps(value), json.dumps(value, indent=1)]) if not isinstance(value, str) else json.dumps(value)
    forms = {'day': lambda v: v.isoformat(), 'ts': lambda v: v.isoformat(sep=pick.choice('T ')), 'tz': instant, 'clock': lambda v: v.isoformat(), 'raw': encode, 'f': lambda v: v, 'd': lambda v: pick.choice([str(v), f'{v:.6f}']),
             'u': lambda v: pick.choice([str(v), str(v).upper(), v.hex]), 'j': json_text}
    return {name: forms[name](value) for name, value in row.items()}


def debezium(mode):
    """`mode`: the unit of times, as time.precision.mode has them; "iso": isostring."""
    times = {'connect': ('org.apache.kafka.connect.data.Date', ('org.apache.kafka.connect.data.Timestamp', 1000), ('org.apache.kafka.connect.data.Time', 1000)),
             'micro': ('io.debezium.time.Date', ('io.debezium.time.MicroTimestamp', 1), ('io.debezium.time.MicroTime', 1)),
             'nano': ('io.debezium.time.Date', ('io.debezium.time.NanoTimestamp', 0), ('io.debezium.time.NanoTime', 0))}

    def write(pick, row):
        date, (timestamp, unit), (clock, _) = times[mode]
        if mode == 'connect': # milliseconds are all it keeps
            row['ts'] = row['ts'].replace(microsecond=row['ts'].microsecond // 1000 * 1000)
            row['clock'] = row['clock'].replace(microsecond=row['clock'].microsecond // 1000 * 1000)
        if mode == 'nano': # 64 bits of them reach from 1677 to 2262
            row['ts'] = row['ts'].replace(year=min(max(row['ts'].year, 1700), 2200), day=min(row['ts'].day, 28))

        def units(delta):
            micros = delta // MICROSECOND
            return micros * 1000 if unit == 0 else micros // unit
        since_midnight = datetime.datetime.combine(EPOCH, row['clock']) - EPOCH
        unscaled = int(row['d'].scaleb(4))
        after = {'id': 1, 'day': (row['day'] - EPOCH.date()).days, 'ts': units(row['ts'] - EPOCH), 'tz': row['tz'].isoformat() + 'Z', 'clock': units(since_midnight), 'raw': base64.b64encode(row['raw']).decode(), 'f': row['f'],
                 'd': base64.b64encode(unscaled.to_bytes(unscaled.bit_length() // 8 + 1, 'big', signed=True)).decode(), 'u': str(row['u']), 'j': json.dumps(row['j'])}
        fields = [{'type': 'int32', 'optional': False, 'field': 'id'}, {'type': 'int32', 'name': date, 'field': 'day'}, {'type': 'int64', 'name': timestamp, 'field': 'ts'}, {'type': 'string', 'name': 'io.debezium.time.ZonedTimestamp', 'field': 'tz'},
                  {'type': 'int64' if mode != 'connect' else 'int32', 'name': clock, 'field': 'clock'}, {'type': 'bytes', 'field': 'raw'}, {'type': 'double', 'field': 'f'},
                  {'type': 'bytes', 'name': 'org.apache.kafka.connect.data.Decimal', 'parameters': {'scale': '4'}, 'field': 'd'}, {'type': 'string', 'name': 'io.debezium.data.Uuid', 'field': 'u'},
                  {'type': 'string', 'name': 'io.debezium.data.Json', 'field': 'j'}]
        schema = {'type': 'struct', 'fields': [{'type': 'struct', 'fields': fields, 'optional': True, 'name': 'srv.s.t.Value', 'field': side} for side in ('before', 'after')], 'name': 'srv.s.t.Envelope'}
        source = {'connector': 'postgresql', 'name': 'srv', 'schema': 's', 'table': 't', 'lsn': 100, 'snapshot': 'false'}
        return json.dumps({'schema': schema, 'payload': {'op': 'c', 'before': None, 'after': after, 'source': source}}), lambda v: base64.b64encode(v).decode()
    return write


SQL = {'day': 'date', 'ts': 'timestamp(6) without time zone', 'tz': 'timestamp with time zone', 'clock': 'time without time zone', 'raw': 'bytea', 'f': 'double precision', 'd': 'numeric(12,4)', 'u': 'uuid', 'j': 'jsonb'}


def wal2json(pick, row):
    shown = {'day': row['day'].isoformat(), 'ts': row['ts'].isoformat(sep=' '), 'tz': row['tz'].isoformat(sep=' ') + '+00', 'clock': row['clock'].isoformat(), 'raw': row['raw'].hex(), 'f': row['f'], 'u': str(row['u']), 'j': json.dumps(row['j'])}
    columns = [{'name': 'id', 'type': 'integer', 'value': 1}] + [{'name': name, 'type': SQL[name], 'value': value} for name, value in shown.items()]
    line = json.dumps({'action': 'I', 'lsn': '0/10', 'schema': 's', 'table': 't', 'columns': columns + [{'name': 'd', 'type': SQL['d'], 'value': 0}]})
    return line[:line.rindex('0}]}')] + f"{row['d']:f}" + '}]}', lambda v: pick.choice([v.hex(), v.hex().upper(), '\\x' + v.hex()])


def canal(pick, row):
    """MySQL has no instants, UUIDs and bytes that a message would spell in a way of its own."""
    for name in ('tz', 'u', 'raw'):
        del row[name]
    shown = {'day': row['day'].isoformat(), 'ts': row['ts'].isoformat(sep=' '), 'clock': row['clock'].isoformat(), 'f': repr(row['f']), 'd': f"{row['d']:f}", 'j': json.dumps(row['j'])}
    types = {'id': 'int', 'day': 'date', 'ts': 'datetime(6)', 'clock': 'time(6)', 'f': 'double', 'd': 'decimal(12,4)', 'j': 'json'}
    flat = {'id': 1, 'database': 's', 'table': 't', 'pkNames': ['id'], 'isDdl': False, 'type': 'INSERT', 'es': 1, 'ts': 2, 'sql': '', 'sqlType': {name: 12 for name in types}, 'mysqlType': types, 'data': [{'id': '1', **shown}], 'old': None}
    return json.dumps({'topic': 't', 'partition': 0, 'offset': 5, 'tstype': 'create', 'ts': 1, 'broker': 0, 'key': None, 'payload': json.dumps(flat)}), None


FORMATS = {'debezium, milliseconds': (debezium('connect'), 'postgres'), 'debezium, microseconds': (debezium('micro'), 'postgres'), 'debezium, nanoseconds': (debezium('nano'), 'postgres'), 'wal2json': (wal2json, 'postgres'), 'canal': (canal, 'kafka')}


class Types(unittest.TestCase):
    maxDiff = 4000

    def reconcile(self, order, line, destination):
        for name, text in (('events.ndjson', line), ('destination.ndjson', json.dumps({'id': 1, **destination}))):
            with open(os.path.join(self.folder, name), 'w', encoding='utf-8') as f:
                f.write(text + '\n')
        done = subprocess.run([PROGRAM, 'reconcile', '--json', '--key', 'id', '--order', order, '--events', 'events.ndjson', '--expected', 'destination.ndjson'], cwd=self.folder, capture_output=True, text=True, timeout=60)
        report = json.loads(done.stdout)
        self.assertNotIn('error', report)
        self.assertEqual((0, []), (report['counts']['badRecords'], report['undecided']), (report['badRecords'], line, destination))
        return [(d['reason'], [column['name'] for column in d['columns']]) for d in report['differences']]

    def check(self, name, seed):
        write, order = FORMATS[name]
        pick = random.Random(f'{name} {seed}')
        row = values(pick)
        line, encode = write(pick, row)
        destination = spelled(pick, row, encode)
        self.assertEqual([], self.reconcile(order, line, destination), (line, destination))
        column = pick.choice(list(row))
        destination[column] = spelled(pick, {column: altered(column, row[column])}, encode)[column]
        self.assertEqual([('state-mismatch', [column])], self.reconcile(order, line, destination), (line, destination))


def case(name):
    def test(self):
        for seed in range(FIRST, FIRST + CASES):
            with tempfile.TemporaryDirectory() as self.folder, self.subTest(seed=seed):
                self.check(name, seed)
    return test


for one in FORMATS:
    setattr(Types, 'test_' + ''.join(c if c.isalnum() else '_' for c in one), case(one))

if __name__ == '__main__':
    unittest.main()
