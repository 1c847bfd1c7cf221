#!/usr/bin/env python3
"""Tables and queries of a real MariaDB: exact types, one snapshot, read-only, what a wrong name or a lost server says."""
import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ.get('SW_SOURCE_ROOT', '.')
sys.path.insert(0, os.path.join(ROOT, 'tests', 'harness'))
import servers  # noqa: E402

PROGRAM = os.path.abspath(os.environ.get('SW_PROGRAM', 'build/slackwater'))
SECRET = 's3cr3t-word'

# One column a type, and rows at the ends of what each can hold.
TYPES = """
CREATE TABLE kinds (
  id BIGINT UNSIGNED PRIMARY KEY, t TINYINT, s SMALLINT, m MEDIUMINT UNSIGNED, i INT, z INT(9) ZEROFILL, u BIGINT UNSIGNED, y YEAR, b1 BIT(1), b64 BIT(64), de DECIMAL(65,30), f FLOAT, d DOUBLE,
  c CHAR(8), v VARCHAR(200), tx LONGTEXT, bi BINARY(4), vb VARBINARY(16), bl BLOB, e ENUM('a','b c'), st SET('x','y'), da DATE, ti TIME(6), dt DATETIME(6), ts TIMESTAMP(6) NULL, js JSON, uu UUID, ip INET6);
INSERT INTO kinds VALUES
  (18446744073709551615, -128, -32768, 16777215, -2147483648, 42, 18446744073709551615, 2155, b'1', b'1111111111111111111111111111111111111111111111111111111111111111',
   12345678901234567890123456789012345.123456789012345678901234567890, 0.1, 0.1, 'abc', CONCAT('n', CHAR(0), 'l'), REPEAT('x', 100000), 'ab', 'a\\0b', UNHEX('00ff10'), 'b c', 'x,y',
   '9999-12-31', '23:59:59.999999', '9999-12-31 23:59:59.999999', '2038-01-19 03:14:07.999999', '{"b": 1, "a": [1.10]}', '123e4567-e89b-12d3-a456-426614174000', '::1'),
  (1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (2, 127, 32767, 0, 2147483647, 0, 0, 0, b'0', b'0', -0.000000000000000000000000000001, 16777217, 1.7976931348623157e308, '', '', '', '', '', '', 'a', '',
   '1000-01-01', '00:00:00', '1000-01-01 00:00:00', '1970-01-01 00:00:01', 'null', '00000000-0000-0000-0000-000000000000', '::ffff:1.2.3.4');
"""
EXACT = {
    'u': 18446744073709551615, 'i': -2147483648, 'z': 42, 'y': 2155, 'b1': 1, 'b64': 18446744073709551615, 'v': 'n\0l', 'vb': '610062', 'bl': '00ff10', 'bi': '61620000', 'e': 'b c', 'st': 'x,y',
    'da': '9999-12-31', 'ti': '23:59:59.999999', 'dt': '9999-12-31T23:59:59.999999', 'ts': '2038-01-19T03:14:07.999999Z', 'js': {'b': 1, 'a': [1.1]}, 'uu': '123e4567-e89b-12d3-a456-426614174000', 'f': 0.1}


@unittest.skipIf(servers.MariaDB.unavailable(),
                 servers.MariaDB.unavailable())
class MariaDBSource(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = servers.MariaDB().__enter__()
        cls.server.sql(f"CREATE USER reader@'127.0.0.1' IDENTIFIED BY '{SECRET}'; GRANT SELECT ON shop.* TO reader@'127.0.0.1'")
        cls.server.sql(TYPES)
        cls.server.sql('CREATE TABLE kinds2 LIKE kinds; INSERT INTO kinds2 SELECT * FROM kinds')
        cls.server.sql("CREATE TABLE orders (id INT, part VARCHAR(10), amount DECIMAL(10,2), PRIMARY KEY (part, id)); INSERT INTO orders SELECT seq, CONCAT('p', seq MOD 7), seq / 4 FROM seq_1_to_20000")

    @classmethod
    def tearDownClass(cls):
        cls.server.__exit__()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def run_program(self, *arguments, password=SECRET):
        done = subprocess.run([PROGRAM, 'reconcile', *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120, env={**os.environ, 'MYSQL_PWD': password, 'LC_ALL': 'C.UTF-8'})
        self.assertNotIn(SECRET, done.stdout + done.stderr)
        return done

    def report(self, *arguments):
        done = self.run_program('--json', *arguments)
        report = json.loads(done.stdout)
        self.assertIn('counts', report, report)
        return done.returncode, report

    def table(self, name, user='reader'):
        return self.server.locator('#' + name, user=user)

    def test_a_table_equals_its_copy_in_every_type_a_column_can_have(self):
        status, report = self.report('--baseline', self.table('kinds'), '--expected', self.table('kinds2'))
        self.assertEqual((status, report['counts']['equal'], report['counts']['differences']), (0, 3, 0), report)

    def test_every_type_is_read_exactly(self):
        with open(os.path.join(self.folder, 'none.csv'), 'w', encoding='utf-8') as file:
            file.write('id\n5\n')
        _, report = self.report('--baseline', self.table('kinds'), '--expected', 'none.csv', '--key', 'id', '--list', '10')
        row = next(d for d in report['differences'] if d['key']['id'] == 18446744073709551615)['state']['value']
        self.assertEqual({name: row[name] for name in EXACT}, EXACT)
        self.assertEqual(row['tx'], 'x' * 100000)

    def test_a_change_in_any_column_is_found_alone(self):
        changes = {'u': 'u - 1', 'de': 'de + 0.000000000000000000000000000001', 'f': '0.10000001', 'd': '0.10000000000000002', 'b64': "b'1'", 'v': "'n'", 'vb': "'a'", 'bl': "UNHEX('00ff11')", 'e': "'a'",
                   'ti': "'23:59:59.999998'", 'dt': "'9999-12-31 23:59:59.999998'", 'ts': "'2038-01-19 03:14:07.999998'", 'js': "'{\"a\": [1.11], \"b\": 1}'", 'uu': "'123e4567-e89b-12d3-a456-426614174001'", 'z': '43', 'st': "'x'"}
        for column, value in changes.items():
            with self.subTest(column=column):
                self.server.sql(f'DROP TABLE IF EXISTS changed; CREATE TABLE changed LIKE kinds; INSERT INTO changed SELECT * FROM kinds; UPDATE changed SET {column} = {value} WHERE id > 100')
                status, report = self.report('--baseline', self.table('kinds'), '--expected', self.table('changed'))
                self.assertEqual([[c['name'] for c in d['columns']] for d in report['differences']], [[column]], report['differences'])
                self.assertEqual(status, 1)

    def test_json_is_compared_by_what_it_says(self):
        self.server.sql("""DROP TABLE IF EXISTS j1, j2; CREATE TABLE j1 (id INT PRIMARY KEY, j JSON); CREATE TABLE j2 LIKE j1;
                           INSERT INTO j1 VALUES (1, '{"a": 1, "b": 2.50}'); INSERT INTO j2 VALUES (1, '{"b":2.5,"a":1}')""")
        self.assertEqual(self.report('--baseline', self.table('j1'), '--expected', self.table('j2'))[0], 0)

    def test_the_key_of_a_table_is_its_primary_key_in_its_order_and_is_listed(self):
        status, report = self.report('--baseline', self.table('orders'), '--expected', self.table('orders'))
        self.assertEqual((status, report['counts']['keys']), (0, 20000))
        self.assertTrue(any('part' in line and 'primary key' in line for line in report['assumed']), report['assumed'])

    def test_an_invisible_column_is_read_and_may_be_the_key(self):
        self.server.sql('DROP TABLE IF EXISTS hidden; CREATE TABLE hidden (k INT INVISIBLE DEFAULT 0 PRIMARY KEY, v INT); INSERT INTO hidden (k, v) VALUES (1, 1)')
        self.assertEqual(self.report('--baseline', self.table('hidden'), '--expected', self.table('hidden'))[0], 0)

    def test_a_query_is_read_with_the_types_of_its_columns(self):
        query = "SELECT id, part, amount, 0.1 + 0 AS more, CAST(1 AS FLOAT) AS f FROM orders WHERE id <= 3 -- the first\n;  "
        status, report = self.report('--baseline', self.server.locator('', user='reader'), '--baseline-query', query, '--expected', self.server.locator('', user='reader'),
                                     '--expected-query', query.replace('amount', 'amount + (id = 2) AS amount'), '--key', 'id,part')
        self.assertEqual((status, [d['key']['id'] for d in report['differences']]), (1, [2]))

    def test_a_csv_file_of_the_table_equals_it(self):
        with open(os.path.join(self.folder, 'orders.csv'), 'w', newline='', encoding='utf-8') as file:
            out = csv.writer(file)
            out.writerow(['id', 'part', 'amount'])
            out.writerows(line.split('\t') for line in self.server.sql('SELECT id, part, amount FROM orders').splitlines())
        status, report = self.report('--baseline', self.table('orders'), '--expected', 'orders.csv')
        self.assertEqual((status, report['counts']['equal']), (0, 20000), report)

    def test_the_report_says_where_in_the_binary_log_the_snapshot_stands(self):
        self.server.sql("GRANT BINLOG MONITOR ON *.* TO reader@'127.0.0.1'")
        _, report = self.report('--baseline', self.table('orders'), '--expected', self.table('orders'))
        self.assertRegex(report['inputs'][0]['position'], r'^gtid 0-1-\d+, binary log binlog\.\d+:\d+, \d{4}-\d\d-\d\dT')

    def test_threads_and_memory_change_nothing(self):
        self.server.sql('DROP TABLE IF EXISTS other; CREATE TABLE other LIKE orders; INSERT INTO other SELECT id, part, amount + (id MOD 500 = 0) FROM orders WHERE id MOD 999 <> 0')
        written = set()
        for options in (['--threads', '1'], ['--threads', '4'], ['--memory', '16M', '--threads', '2']):
            path = os.path.join(self.folder, 'd.ndjson')
            done = self.run_program('--baseline', self.table('orders'), '--expected', self.table('other'), '--differences', path, *options)
            self.assertEqual(done.returncode, 1, done.stderr)
            with open(path, encoding='utf-8') as file:
                written.add(file.read())
        self.assertEqual(len(written), 1)
        self.assertEqual(len(written.pop().splitlines()), 40 + 20)

    def test_wrong_names_are_named_with_near_ones(self):
        for rest, expected in (('#ordres', 'orders'), ('#shpo.orders', 'shop.orders')):
            done = self.run_program('--baseline', self.server.locator(rest, user='reader'), '--expected', self.table('orders'))
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(expected, done.stderr)

    def test_a_wrong_password_is_the_environment_and_is_not_printed(self):
        done = self.run_program('--baseline', self.table('orders'), '--expected', self.table('orders'), password='wr0ng-' + SECRET[:3])
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn('password', done.stderr)
        self.assertNotIn('wr0ng', done.stderr)

    def test_a_password_in_the_locator_is_nowhere_in_what_is_written(self):
        locator = self.table('orders').replace('reader@', f'reader:{SECRET}@')
        done = self.run_program('--baseline', locator, '--expected', locator, '--report', 'r.json', '--differences', 'd.csv', password='')
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.folder, 'r.json'), encoding='utf-8') as file:
            report = file.read()
        self.assertIn('reader', report)
        self.assertNotIn(SECRET, report)

    def test_nothing_can_be_written_even_by_who_may(self):
        self.server.sql('CREATE TABLE IF NOT EXISTS victim (id INT PRIMARY KEY)')
        done = self.run_program('--baseline', self.server.locator('', user='root'), '--baseline-query', 'DELETE FROM victim', '--expected', self.table('orders'), '--key', 'id', password='')
        self.assertNotEqual(done.returncode, 0)
        self.assertEqual(self.server.sql('SELECT COUNT(*) FROM victim'), '0')

    def test_a_server_that_goes_in_the_middle_ends_with_4_and_no_report(self):
        self.server.sql("CREATE TABLE IF NOT EXISTS big (id INT PRIMARY KEY, v VARCHAR(1000)); INSERT IGNORE INTO big SELECT seq, REPEAT('v', 900) FROM seq_1_to_100000")
        report = os.path.join(self.folder, 'r.json')
        process = subprocess.Popen([PROGRAM, 'reconcile', '--baseline', self.server.locator('', user='root'), '--baseline-query', 'SELECT id, v, SLEEP(id > 50000) AS s FROM big', '--expected', self.table('orders', user='root'),
                                    '--key', 'id', '--report', report], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        servers.wait_until(lambda: 'SLEEP' in self.server.sql('SELECT info FROM information_schema.processlist WHERE state = "User sleep"'), 'the query did not run')
        for number in self.server.sql('SELECT id FROM information_schema.processlist WHERE info LIKE "%SLEEP(id%" AND state = "User sleep"').split():
            self.server.sql(f'KILL CONNECTION {number}')
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 4, err)
        self.assertIn('nothing is claimed', err)
        self.assertFalse(os.path.exists(report))


if __name__ == '__main__':
    unittest.main()
