"""Avro files: Datastream's events in a folder, and rows of a destination."""
import decimal
import gzip
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from avro_file import container, number, text  # noqa: E402
from program import ENVIRONMENT, PROGRAM, call  # noqa: E402

NULL = number(0)


def some(value):
    """The second branch of a union with null."""
    return number(1) + value


def optional(kind):
    return ['null', kind]


MILLIS = {'type': 'long', 'logicalType': 'timestamp-millis'}
METADATA = {'type': 'record', 'name': 'source_metadata', 'fields': [
    {'name': 'table', 'type': 'string'}, {'name': 'database', 'type': 'string'}, {'name': 'primary_keys', 'type': {'type': 'array', 'items': 'string'}},
    {'name': 'log_file', 'type': optional('string')}, {'name': 'log_position', 'type': optional('long')},
    {'name': 'change_type', 'type': optional('string')}, {'name': 'is_deleted', 'type': optional('boolean')}]}
PAYLOAD = {'type': 'record', 'name': 'payload', 'fields': [
    {'name': 'id', 'type': optional('int'), 'default': None},
    {'name': 'price', 'type': optional({'type': 'bytes', 'logicalType': 'decimal', 'precision': 10, 'scale': 2})},
    {'name': 'big', 'type': optional({'type': 'string', 'logicalType': 'number'})},
    {'name': 'day', 'type': optional({'type': 'long', 'logicalType': 'timestamp-micros'})},
    {'name': 'clock', 'type': optional({'type': 'long', 'logicalType': 'time-interval-micros'})}]}
FIELDS = [{'name': 'uuid', 'type': 'string'}, {'name': 'source_timestamp', 'type': MILLIS}, {'name': 'object', 'type': 'string'}, {'name': 'read_method', 'type': 'string'},
          {'name': 'sort_keys', 'type': {'type': 'array', 'items': ['string', 'long']}}, {'name': 'source_metadata', 'type': METADATA}, {'name': 'payload', 'type': PAYLOAD}]


def schema(order=range(7)):
    return {'type': 'record', 'name': 'shop_paint', 'fields': [FIELDS[i] for i in order]}


def event(key, change, position, price=1, order=range(7), backfill=False, uuid='u'):
    file, deleted = '' if backfill else 'bin.000042', change.endswith('DELETE')
    keys = number(3) + number(1) + number(1700000000000) + number(0) + text(file) + number(1) + number(position) + number(0)
    metadata = (text('paint') + text('shop') + number(1) + text('id') + number(0) + some(text(file)) + some(number(position)) + some(text(change)) + some(bytes([deleted])))
    payload = (some(number(key)) + some(text(price.to_bytes(3, 'big'))) + some(text('18446744073709551615')) + some(number(1707350400000000)) + some(number(-1000500000)))
    parts = [text(f'{uuid}-{key}-{position}'), number(1700000000000), text('shop_paint'), text('mysql-backfill-fulldump' if backfill else 'mysql-cdc-binlog'), keys, metadata, payload]
    return b''.join(parts[i] for i in order)


class Avro(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, data):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'wb') as f:
            f.write(data if isinstance(data, bytes) else data.encode())
        return path

    def report(self, *arguments, **options):
        status, out, err = call('reconcile', *arguments, '--json', cwd=self.folder, **options)
        return status, json.loads(out, parse_float=decimal.Decimal), out + err

    def test_a_folder_of_datastream_files_is_one_stream_whatever_the_order_of_their_fields(self):
        other = (6, 5, 4, 3, 2, 1, 0)
        self.write('in/backfill.avro', container(schema(), [event(1, 'INSERT', 0, backfill=True, uuid='same'), event(4, 'INSERT', 0, backfill=True, uuid='same')]))
        self.write('in/cdc.avro', container(schema(other), [event(1, 'UPDATE-INSERT', 900, 45612, other)], [event(1, 'UPDATE-INSERT', 123, 7, other)]))
        self.write('in/more.avro', container(schema(), [event(2, 'UPDATE-DELETE', 500), event(3, 'UPDATE-INSERT', 500)], codec='deflate'))
        self.write('out.ndjson', '{"id":1,"price":456.12,"big":18446744073709551615,"day":"2024-02-08T01:00:00+01:00","clock":"-00:16:40.500000"}\n'
                                 '{"id":3,"price":"0.010","big":"18446744073709551615","day":"2024-02-08 00:00:00Z","clock":"-00:16:40.5"}\n'
                                 '{"id":4,"price":1e-2,"big":18446744073709551615,"day":"2024-02-08T00:00:00Z","clock":"-00:16:40.5"}\n')
        status, report, answer = self.report('--format', 'datastream', '--order', 'mysql', '-e', 'in', '-x', 'out.ndjson')
        self.assertEqual((status, report['counts']['keys'], report['counts']['equal'], report['counts']['tombstones']), (0, 4, 4, 1), answer)
        assumed = '\n'.join(report['assumed'])
        self.assertIn('key column id: the events name it as the primary key', assumed)
        self.assertIn('type of the key column id: integer, as the records say', assumed)
        self.assertIn('types of columns, as the records say: big decimal, clock time, day timestamptz, price decimal', assumed)

    def test_a_difference_names_the_record_of_the_file(self):
        self.write('cdc.avro', container(schema(), [event(1, 'INSERT', 1)], [event(2, 'INSERT', 2), event(3, 'INSERT', 3)]))
        self.write('out.csv', 'id,price,big,day,clock\n1,0.01,18446744073709551615,2024-02-08T00:00:00Z,-00:16:40.5\n2,0.01,18446744073709551615,2024-02-08T00:00:00Z,-00:16:40.5\n'
                              '3,0.02,18446744073709551615,2024-02-08T00:00:00Z,-00:16:40.5\n')
        status, report, answer = self.report('--order', 'datastream', '-e', 'cdc.avro', '-x', 'out.csv')
        self.assertEqual(status, 1, answer)
        [difference] = report['differences']
        self.assertEqual((difference['key'], difference['records'][0]), ({'id': 3}, 'cdc.avro:3'))
        self.assertEqual([(c['name'], c['state'], c['expected']) for c in difference['columns']], [('price', decimal.Decimal('0.01'), decimal.Decimal('0.02'))])

    def test_rows_of_a_destination_may_be_avro_too_packed_or_on_standard_input(self):
        rows = {'type': 'record', 'name': 'row', 'fields': [{'name': 'key', 'type': 'long'}, {'name': 'value', 'type': {'type': 'record', 'name': 'v', 'fields': [
            {'name': 'd', 'type': {'type': 'int', 'logicalType': 'date'}}, {'name': 'b', 'type': 'bytes'}]}}]}
        data = container(rows, [number(7) + number(20019) + text(b'\x00\xff')])
        self.write('baseline.ndjson', '{"key":7,"value":{"d":"2024-10-23T00:00:00Z","b":"AP8"}}\n')
        self.write('rows', data)
        self.write('rows.avro.gz', gzip.compress(data))
        for locator in ('rows', 'rows.avro.gz'):
            status, report, answer = self.report('-b', 'baseline.ndjson', '-x', locator)
            self.assertEqual((status, report['counts']['equal']), (0, 1), answer)
        piped = subprocess.run([PROGRAM, 'reconcile', '-b', 'baseline.ndjson', '-x', '-', '--json'], input=data, capture_output=True, cwd=self.folder, env=ENVIRONMENT, timeout=120)
        self.assertEqual((piped.returncode, json.loads(piped.stdout)['counts']['equal']), (0, 1))

    def test_a_file_that_is_cut_or_damaged_stops_the_run_and_says_where(self):
        whole = container(schema(), [event(1, 'INSERT', 1)], [event(2, 'INSERT', 2)])
        self.write('out.ndjson', '{"id":1}\n')
        self.write('cdc.avro', whole[:-20])
        status, _, answer = self.report('--order', 'mysql', '-e', 'cdc.avro', '-x', 'out.ndjson')
        self.assertEqual(status, 2)
        self.assertIn(f'the Avro file is cut: it ends at byte {len(whole) - 20}', answer)
        self.write('cdc.avro', whole.replace(text('mysql-cdc-binlog'), b'\x01' + b'mysql-cdc-binlog'))
        status, _, answer = self.report('--order', 'mysql', '-e', 'cdc.avro', '-x', 'out.ndjson')
        self.assertEqual(status, 2)
        self.assertIn('the Avro file is damaged in its block 1, at byte ', answer)
        self.assertIn('a length is negative', answer)

    def test_a_timestamp_of_mysql_is_compared_as_the_destination_keeps_it(self):
        self.write('cdc.avro', container(schema(), [event(1, 'INSERT', 1)]))
        row = '{"id":1,"price":0.01,"big":18446744073709551615,"day":"%s","clock":"-00:16:40.5"}\n'
        for kept, kind, status in (('2024-02-08', 'date', 0), ('2024-02-08 00:00:00', 'timestamp zone=+00:00', 0), ('2024-02-08 00:00:00', None, 3), ('2024-02-09', 'date', 1)):
            self.write('out.ndjson', row % kept)
            declared = ('--type', f'day={kind}') if kind else ()
            self.assertEqual(self.report('--order', 'mysql', '-e', 'cdc.avro', '-x', 'out.ndjson', *declared)[0], status, (kept, kind))

    def test_two_files_that_say_different_types_of_a_column_need_one_declared(self):
        other = json.loads(json.dumps(schema()))
        other['fields'][6]['type']['fields'][3]['type'][1] = 'long'
        self.write('in/a.avro', container(schema(), [event(1, 'INSERT', 1)]))
        self.write('in/b.avro', container(other, [event(2, 'INSERT', 2)]))
        self.write('out.ndjson', '{"id":1}\n')
        status, report, answer = self.report('--order', 'mysql', '-e', 'in', '-x', 'out.ndjson')
        self.assertEqual(status, 2)
        self.assertIn('column day is ', report['error']['text'])
        self.assertIn("--type 'day=", report['error']['text'])

    def test_a_text_that_is_no_utf8_makes_its_record_bad_and_no_other(self):
        self.write('cdc.avro', container(schema(), [event(1, 'INSERT', 1, uuid='u'), event(2, 'INSERT', 2, uuid='w').replace(b'w-2-2', b'\xff-2-2'), event(3, 'INSERT', 3)]))
        self.write('out.ndjson', '')
        status, report, answer = self.report('--order', 'mysql', '-e', 'cdc.avro', '-x', 'out.ndjson')
        self.assertEqual(status, 2, answer)
        self.assertEqual([(bad['record'], bad['reason']) for bad in report['badRecords']['listed']], [('cdc.avro:2', 'json')])


if __name__ == '__main__':
    unittest.main()
