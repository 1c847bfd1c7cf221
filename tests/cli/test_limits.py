"""What is large: records, keys, and the number of columns, column sets, spaces and bad records.

Each limit is told as one, with what helps; below it the answer is right, in time that grows with the input, and in
bounded memory.
"""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import ENVIRONMENT, PROGRAM  # noqa: E402

SANITIZED = os.environ.get('SW_SANITIZE', 'none') != 'none'
ROW = '{"key":"a","version":1,"deleted":false,"value":1}\n'


class Limits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, *texts):
        with open(os.path.join(self.folder, name), 'w', encoding='utf-8') as f:
            f.writelines(texts)
        return name

    def call(self, *arguments, timeout=250):
        """(status, document, peak kilobytes of the process)

        A small process in between starts it: a peak is never less than that of the process that forked."""
        between = ('import resource, subprocess, sys; status = subprocess.call(sys.argv[1:]);'
                   'print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr); sys.exit(status)')
        done = subprocess.run([sys.executable, '-c', between, PROGRAM, 'reconcile', '--json', *arguments], cwd=self.folder, env=ENVIRONMENT,
                              capture_output=True, text=True, timeout=timeout)
        self.assertRegex(done.stderr, r'\A\d+\n\Z')
        return done.returncode, json.loads(done.stdout), int(done.stderr)

    def assert_counts(self, result, status, **counts):
        self.assertEqual(status, result[0], result[1])
        self.assertEqual(counts, {name: result[1]['counts'][name] for name in counts})

    def assert_refused(self, result, code, *words):
        self.assertEqual((2, code), (result[0], result[1].get('error', {}).get('code')), result[1])
        for word in words:
            self.assertIn(word, result[1]['error']['text'])

    def test_a_record_of_a_hundred_megabytes_needs_its_option(self):
        long = self.write('long.ndjson', '{"key":"a","version":1,"deleted":false,"value":"', 'x' * 100_000_000, '"}\n', '{"key":"b","version":1,"deleted":false,"value":1}\n')
        result = self.call('-b', long, '-x', long)
        self.assert_counts(result, 2, keys=1, equal=1, badRecords=2)
        self.assertIn('--record-max raises it', result[1]['badRecords']['listed'][0]['text'])
        self.assert_counts(self.call('-b', long, '-x', long, '--record-max', '200M', '--threads', '2'), 0, keys=2, equal=2, badRecords=0)

    def test_csv_has_up_to_4096_columns(self):
        def table(name, columns):
            return self.write(name, 'id,' + ','.join(f'c{i}' for i in range(columns - 1)) + '\n',
                              *(f'{r},' + ','.join(str(r * i) for i in range(columns - 1)) + '\n' for r in range(20)))
        wide, wider = table('wide.csv', 4096), table('wider.csv', 4097)
        self.assert_counts(self.call('-b', wide, '-x', wide, '--key', 'id'), 0, keys=20, equal=20)
        self.assert_refused(self.call('-b', wider, '-x', wider, '--key', 'id'), 'input', '4096')

    def test_json_has_up_to_65536_columns_in_time_that_grows_with_them(self):
        def record(name, columns):
            return self.write(name, '{"id":1,' + ','.join(f'"c{i}":{i}' for i in range(columns)) + '}\n')
        wide, wider = record('wide.ndjson', 65000), record('wider.ndjson', 66000)
        self.assert_counts(self.call('-b', wide, '-x', wide, '--key', 'id'), 0, keys=1, equal=1)
        self.assert_refused(self.call('-b', wider, '-x', wider, '--key', 'id'), 'limit', '65536 columns', '--type COLUMN=json')

    def test_there_are_up_to_65536_sets_of_columns(self):
        sets = self.write('sets.ndjson', *(f'{{"id":{i},"c{i % 400}":1,"d{i // 400}":2}}\n' for i in range(100_000)))
        self.assert_refused(self.call('-b', sets, '-x', sets, '--key', 'id'), 'limit', '65536 different sets', '--type COLUMN=json')

    def test_a_key_has_up_to_16_columns_and_may_be_a_megabyte_long(self):
        names = ','.join(f'k{i}' for i in range(16))
        keys = self.write('keys.csv', names + ',v\n', *(','.join(str(r + i) for i in range(16)) + f',{r}\n' for r in range(100)))
        self.assert_counts(self.call('-b', keys, '-x', keys, '--key', names), 0, keys=100, equal=100)
        self.assert_refused(self.call('-b', keys, '-x', keys, '--key', names + ',v'), 'usage', '16 key columns')
        long = self.write('long.ndjson', *(ROW.replace('"a"', '"' + 'k' * 1_000_000 + f'{i}"') for i in range(30)))
        other = self.write('other.ndjson', *(ROW.replace('"a"', '"' + 'k' * 1_000_000 + f'{i}"').replace(':1}', ':2}') for i in range(30)))
        self.assert_counts(self.call('-b', long, '-x', other, '--memory', '16M'), 1, keys=30, stateMismatch=30)

    def test_there_are_up_to_65536_spaces_in_time_that_grows_with_them(self):
        mapping = self.write('map.yaml', 'key: id\norder: {policy: mysql, file: pos.file, pos: pos.pos, server: pos.server}\nidentity: id\nop: op\nafter: after\n')

        def inputs(count):
            return ('-e', self.write('events.ndjson', *(f'{{"id":{i},"op":"u","pos":{{"file":"b{i}.000007","pos":23,"server":"u{i}"}},"after":{{"id":{i},"v":1}}}}\n'
                                                        for i in range(count))),
                    '-x', self.write('expected.ndjson', *(f'{{"id":{i},"v":1}}\n' for i in range(count))), '--map', mapping, '--compare', 'value')
        self.assert_counts(self.call(*inputs(60_000)), 0, keys=60_000, equal=60_000)
        self.assert_refused(self.call(*inputs(70_000)), 'limit', '65536 position spaces in one run')

    def test_a_million_bad_records_take_no_memory_for_each(self):
        good = self.write('good.ndjson', ROW)
        bad = self.write('bad.ndjson', ROW, *(ROW[:-2] + ',}' + 'y' * 100 + '\n' for _ in range(1_000_000)))
        result = self.call('-b', bad, '-x', good, '--memory', '64M', '--quarantine', 'quarantine.ndjson')
        self.assert_counts(result, 3, keys=1, equal=1, badRecords=1_000_000)
        self.assertEqual(20, len(result[1]['badRecords']['listed']))
        with open(os.path.join(self.folder, 'quarantine.ndjson'), 'rb') as f:
            self.assertEqual(1_000_000, sum(1 for _ in f))
        if not SANITIZED:
            self.assertLess(result[2], 100_000)

    def test_a_million_records_of_one_key_beyond_the_cut_take_no_memory_for_each(self):
        one = self.write('one.ndjson', *(f'{{"op":"u","id":1,"ver":{i + 100},"v":"value {i}"}}\n' for i in range(1_000_000)))
        for row, reason in (('none', 'stateMismatch'), ('value 700000', 'beyondCut')):
            result = self.call('-e', one, '-x', self.write('row.ndjson', f'{{"id":1,"v":"{row}"}}\n'), '--key', 'id', '--version', 'ver', '--op', 'op', '--memory', '64M', '--cut', '200',
                               '--threads', '2')
            self.assertEqual((1, 999_899), (result[1]['counts'][reason], result[1]['dispositions']['beyondCut']))
            self.assertTrue(SANITIZED or result[2] < 100_000, result[2])

    def test_a_million_records_under_identities_that_were_used_twice_take_little_memory(self):
        row = self.write('row.ndjson', '{"id":1,"v":"x"}\n')
        for name, identities in (('one.ndjson', 1), ('pairs.ndjson', 500_000)):
            events = self.write(name, *(f'{{"op":"c","id":{i},"eid":"e{i % identities}","ver":{i},"v":"value {i}"}}\n' for i in range(1_000_000)))
            result = self.call('-e', events, '-x', row, '--key', 'id', '--version', 'ver', '--op', 'op', '--identity', 'eid', '--memory', '64M', '--threads', '2')
            self.assertEqual(1_000_000, result[1]['counts']['identityReused'])
            self.assertTrue(SANITIZED or result[2] < 140_000, result[2])

    def test_what_a_record_repeats_in_each_of_its_rows_is_bounded(self):
        types, rows = ','.join(f'"c{i}":"int"' for i in range(40000)), ','.join(['{"id":"1"}'] * 20000)
        canal = self.write('canal.ndjson', f'{{"isDdl":false,"type":"INSERT","database":"d","table":"t","es":1,"mysqlType":{{{types}}},"old":null,"data":[{rows}]}}\n')
        changes = ','.join(['{"kind":"insert","schema":"s","table":"t","columnnames":["id"],"columnvalues":[1]}'] * 20000)
        wal2json = self.write('wal2json.ndjson', f'{{"nextlsn":"0/10","timestamp":"{"9" * 600000}","change":[{changes}]}}\n')
        row = self.write('row.ndjson', '{"id":1}\n')
        for form, order, events in (('canal', 'timestamp', canal), ('wal2json', 'postgres', wal2json)):
            status, document, peak = self.call('-f', form, '--order', order, '--key', 'id', '-e', events, '-x', row, '--memory', '64M')
            self.assertEqual((2, 1), (status, document['counts']['badRecords']), form)
            self.assertIn('repeats so much in each of its rows', document['badRecords']['listed'][0]['text'])
            self.assertTrue(SANITIZED or peak < 300000, peak)

    @unittest.skipIf(SANITIZED, 'takes too long there')
    def test_an_old_row_of_other_columns_takes_time_with_their_number_and_not_its_square(self):
        def columns(prefix):
            return ','.join(f'{{"name":"{prefix}{i}","type":"integer","value":{i}}}' for i in range(8000)) + ',{"name":"id","type":"integer","value":1}'
        events = self.write('wide.ndjson', f'{{"action":"U","lsn":"0/10","schema":"s","table":"t","columns":[{columns("a")}],"identity":[{columns("b")}]}}\n')
        row = self.write('row.ndjson', '{"id":1,"a5":5,"b7":7}\n')
        status, document, _ = self.call('-f', 'wal2json', '--order', 'postgres', '--key', 'id', '-e', events, '-x', row, '--compare', 'value', timeout=40)
        self.assertEqual((3, 1, 0), (status, document['counts']['keys'], document['counts']['badRecords']), 'the row has columns that nobody compares')


if __name__ == '__main__':
    unittest.main()
