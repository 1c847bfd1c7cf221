"""Tables and queries of SQLite files as inputs. Every test writes its files with Python's sqlite3."""
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from program import ENVIRONMENT, PROGRAM, call  # noqa: E402

WITHOUT = subprocess.run([PROGRAM, 'sources'], capture_output=True, text=True, check=True).stdout
WITHOUT = next((line for line in WITHOUT.splitlines() if line.startswith('sqlite')), 'sqlite is not listed')


@unittest.skipIf('(not here' in WITHOUT, WITHOUT)
class Sqlite(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def make(self, name, *statements):
        """Writes a file from statements; a tuple is one with its parameters."""
        db = sqlite3.connect(os.path.join(self.folder, name))
        for statement in statements:
            if isinstance(statement, tuple):
                db.executemany(statement[0], statement[1])
            else:
                db.execute(statement)
        db.commit()
        db.close()

    def call(self, *arguments):
        done = subprocess.run([PROGRAM, 'reconcile', '--json', *arguments], cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
        return done.returncode, json.loads(done.stdout)

    def differences(self, *arguments):
        status, report = self.call(*arguments)
        self.assertIn('counts', report, report)
        return status, [(d['key'], d['reason'], [c['name'] for c in d.get('columns') or []]) for d in report['differences']]

    def pair(self, table, rows, *changes):
        """Two files with the same table, the second one changed."""
        columns = ','.join('?' * len(rows[0]))
        insert = (f'INSERT INTO t VALUES ({columns})', rows)
        self.make('a.db', table, insert)
        self.make('b.db', table, insert, *changes)
        return '-b', 'sqlite:a.db#t', '-x', 'sqlite:b.db#t'

    def test_two_tables_are_compared_by_their_primary_key(self):
        arguments = self.pair('CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, price NUMERIC)', [(i, f'n{i}', i * 1.25) for i in range(1, 2001)],
                              "UPDATE t SET name = 'x' WHERE id = 3", 'DELETE FROM t WHERE id = 5', "INSERT INTO t VALUES (0, 'new', NULL)")
        status, report = self.call(*arguments)
        self.assertEqual(status, 1)
        self.assertEqual([(d['key'], d['reason']) for d in report['differences']],
                         [({'id': 0}, 'missing-state'), ({'id': 3}, 'state-mismatch'), ({'id': 5}, 'unexpected-state')])
        self.assertEqual(report['counts']['equal'], 1998)
        self.assertIn('key column id: of the primary key of sqlite:b.db#t', report['assumed'])

    def test_keys_of_several_columns_and_tables_without_rowid(self):
        arguments = self.pair('CREATE TABLE t (v TEXT, b TEXT, a INTEGER, PRIMARY KEY (a, b)) WITHOUT ROWID', [('x', 'p', 1), ('y', 'q', 1), ('z', 'p', 2)],
                              "UPDATE t SET v = '!' WHERE a = 1 AND b = 'q'")
        self.assertEqual(self.differences(*arguments)[1], [({'a': 1, 'b': 'q'}, 'state-mismatch', ['v'])])

    def test_integers_and_floats_are_exact(self):
        big, near = 2**63 - 1, 2**63 - 2
        arguments = self.pair('CREATE TABLE t (id INTEGER PRIMARY KEY, i INTEGER, f REAL)', [(-2**63, big, 0.1), (1, near, 1e308), (2, big, float('inf'))],
                              f'UPDATE t SET i = {big} WHERE id = 1', 'UPDATE t SET f = 0.10000000000000002 WHERE id < 0')
        self.assertEqual(self.differences(*arguments)[1], [({'id': -2**63}, 'state-mismatch', ['f']), ({'id': 1}, 'state-mismatch', ['i'])])

    def test_the_storage_class_of_a_value_counts_where_no_type_is_declared(self):
        arguments = self.pair('CREATE TABLE t (id INTEGER PRIMARY KEY, v)', [(1, 1), (2, '1'), (3, 1.5), (4, None), (5, 'x\0y')],
                              "UPDATE t SET v = '1' WHERE id = 1", 'UPDATE t SET v = 1 WHERE id = 2', "UPDATE t SET v = '' WHERE id = 4")
        self.assertEqual([d[0]['id'] for d in self.differences(*arguments)[1]], [1, 2, 4])

    def test_a_value_that_is_none_of_its_columns_type_is_undecided(self):
        arguments = self.pair('CREATE TABLE t (id INTEGER PRIMARY KEY, n INTEGER, b)', [(1, 'abc', 'x'), (2, 2, b'\1\2')])
        status, report = self.call(*arguments)
        self.assertEqual(status, 3, report)
        self.assertEqual(report['counts']['undecidedKeys'], 2)
        status, report = self.call(*arguments, '--type', 'n=any', '--type', 'b=bytes')
        self.assertEqual(report['counts']['undecidedKeys'], 1, 'the text x is no bytes')

    def test_blobs_nulls_and_nul_bytes(self):
        arguments = self.pair('CREATE TABLE t (id BLOB PRIMARY KEY, v BLOB)', [(b'\0', None), (b'\0\0', b''), (b'a', b'\xff' * 100000)],
                              ('UPDATE t SET v = ? WHERE id = ?', [(b'', b'\0'), (b'\xff' * 99999 + b'\0', b'a')]))
        self.assertEqual(self.differences(*arguments)[1], [({'id': '00'}, 'state-mismatch', ['v']), ({'id': '61'}, 'state-mismatch', ['v'])])

    def test_text_that_is_no_utf8_is_a_bad_record(self):
        arguments = self.pair('CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)', [(1, 'é'), (2, 'b')], "UPDATE t SET v = CAST(x'ff' AS TEXT) WHERE id = 2")
        status, report = self.call(*arguments)
        self.assertEqual(status, 2)
        self.assertEqual([b['text'] for b in report['badRecords']['listed']], ['the text of the column v is no UTF-8'])
        self.assertEqual(self.call(*arguments, '--quarantine', 'q.ndjson')[0], 1)
        with open(os.path.join(self.folder, 'q.ndjson'), encoding='utf-8') as f:
            self.assertEqual([json.loads(json.loads(line)['record']) for line in f], [{'id': 2, 'v': '\udcff'}])

    def test_a_query_is_read_instead_of_a_table(self):
        self.pair('CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)', [(1, 'a'), (2, 'b'), (3, 'c')], "UPDATE t SET v = 'B' WHERE id = 2")
        base = ('-b', 'sqlite:a.db', '-x', 'sqlite:b.db', '--baseline-query')
        status, found = self.differences(*base, 'SELECT id AS k, v FROM t WHERE id < 3', '--expected-query', 'SELECT id k, upper(v) v FROM t WHERE id < 3', '--key', 'k')
        self.assertEqual(found, [({'k': 1}, 'state-mismatch', ['v']), ({'k': 2}, 'state-mismatch', ['v'])])
        for query, text in [('DELETE FROM t', 'would write'), ('SELECT 1; SELECT 2', 'several statements'), ('SELECT id, v FROM u', 'no such table'),
                            ('', 'the query is empty'), ('SELECT id, id FROM t', 'both named'), ('SELECT ?', 'parameters'), ('PRAGMA journal_mode = WAL', '')]:
            status, report = self.call(*base, query, '--expected-query', 'SELECT * FROM t', '--key', 'id')
            self.assertEqual((query, status), (query, 2))
            self.assertIn(text, report['error']['text'])
        self.assertEqual(sqlite3.connect(os.path.join(self.folder, 'a.db')).execute('SELECT count(*) FROM t').fetchone(), (3,))

    def test_what_is_not_there_is_named_with_what_is_near(self):
        self.pair('CREATE TABLE t (id INTEGER PRIMARY KEY)', [(1,)])
        self.make('c.db', 'CREATE TABLE orders (id INTEGER)', 'CREATE TABLE lines (id INTEGER)')
        for locator, text in [('sqlite:c.db#order', 'did you mean orders?'), ('sqlite:c.db#zzz', 'the file has lines, orders'), ('sqlite:c.db', 'no table is named'),
                              ('sqlite:none.db#t', 'none.db'), ('sqlite:', 'names a file'), ('sqlite:a.db?mode=rw#t', 'immutable'), ('sqlite:c.db#orders', 'no primary key')]:
            status, report = self.call('-b', locator, '-x', locator)
            self.assertEqual((locator, status), (locator, 2), report)
            self.assertIn(text, report['error']['text'])
        self.assertFalse(os.path.exists(os.path.join(self.folder, 'none.db')))

    def test_names_need_no_case_and_may_hold_anything(self):
        self.make('a#?%.db', 'CREATE TABLE "odd ""t"" #1" (id INTEGER PRIMARY KEY, "v.w" TEXT)', "INSERT INTO \"odd \"\"t\"\" #1\" VALUES (1, 'x')")
        locator = 'sqlite:a%23%3F%25.db#ODD "T" #1'
        status, report = self.call('-b', locator, '-x', locator)
        self.assertEqual((status, report.get('counts', {}).get('equal')), (0, 1), report)

    def test_a_file_that_is_no_database_is_refused(self):
        with open(os.path.join(self.folder, 'a.db'), 'wb') as f:
            f.write(b'no database' * 100)
        status, report = self.call('-b', 'sqlite:a.db#t', '-x', 'sqlite:a.db#t')
        self.assertEqual(status, 2)
        self.assertIn('not a database', report['error']['text'])

    def test_nothing_is_written_beside_the_file(self):
        arguments = self.pair('CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)', [(1, 'a')])
        before = {n: os.stat(os.path.join(self.folder, n)).st_mtime_ns for n in os.listdir(self.folder)}
        for more in ([], ['?immutable=1']):
            self.assertEqual(self.call(*[a.replace('#', ''.join(more) + '#') for a in arguments])[0], 0)
        self.assertEqual({n: os.stat(os.path.join(self.folder, n)).st_mtime_ns for n in os.listdir(self.folder)}, before)

    def test_an_output_may_not_be_the_database(self):
        arguments = self.pair('CREATE TABLE t (id INTEGER PRIMARY KEY)', [(1,)])
        status, report = self.call(*arguments, '--report', 'b.db')
        self.assertEqual(status, 2)
        self.assertIn('b.db', report['error']['text'])

    def test_a_long_row_is_a_bad_record(self):
        arguments = self.pair('CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)', [(1, 'a' * 5000), (2, 'b'), (3, 'c' * 3000)])
        status, report = self.call(*arguments, '--record-max', '4K')
        self.assertEqual(status, 2)
        self.assertEqual(report['badRecords']['count'], 2)
        self.assertIn('--record-max', report['badRecords']['listed'][0]['text'])

    def test_blocks_and_threads_do_not_matter(self):
        arguments = self.pair('CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)', [(i, 'v' * (i % 50)) for i in range(3000)], 'DELETE FROM t WHERE id % 7 = 0')
        reports = []
        for more in (['--threads', '1'], ['--threads', '4', '--block-bytes', '100'], ['--threads', '3', '--block-bytes', '5000']):
            report = self.call(*arguments, *more)[1]
            reports.append([report[k] for k in ('counts', 'differences', 'dispositions', 'records')])
        self.assertEqual(reports[0], reports[1])
        self.assertEqual(reports[0], reports[2])

    def test_a_table_stands_beside_events_and_files(self):
        self.make('a.db', 'CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, ver INTEGER)', "INSERT INTO t VALUES (1, 'a', 1), (2, 'b', 1)")
        self.make('b.db', 'CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, ver INTEGER)', "INSERT INTO t VALUES (1, 'a2', 2)")
        with open(os.path.join(self.folder, 'e.ndjson'), 'w', encoding='utf-8') as f:
            f.write('{"id":1,"v":"a2","ver":2,"op":"u"}\n{"id":2,"ver":2,"op":"d"}\n')
        status, report = self.call('-b', 'sqlite:a.db#t', '-e', 'e.ndjson', '-x', 'sqlite:b.db#t')
        self.assertEqual(status, 2)
        self.assertIn('--key id', report['error']['text'])
        status, report = self.call('-b', 'sqlite:a.db#t', '-e', 'e.ndjson', '-x', 'sqlite:b.db#t', '--version', 'ver', '--op', 'op')
        self.assertEqual(status, 0, report)
        self.assertEqual([i['encoding'] for i in report['inputs']], ['rows', 'ndjson', 'rows'])
        self.assertIsNone(report['inputs'][0]['sha256'])
        self.assertIn('rows of a table', report['inputs'][0]['noSha256'])

    def test_a_csv_file_takes_the_tables_types_over(self):
        self.make('a.db', 'CREATE TABLE t (id INTEGER PRIMARY KEY, d DECIMAL(10,2), at TIMESTAMP, ok BOOLEAN, raw BLOB)', ("INSERT INTO t VALUES (1, 1.5, '2026-01-01 10:00:00', 1, x'00ff')", [()]))
        with open(os.path.join(self.folder, 'x.csv'), 'w', encoding='utf-8') as f:
            f.write('id,d,at,ok,raw\n1,1.50,2026-01-01T10:00:00,true,00ff\n')
        status, report = self.call('-b', 'sqlite:a.db#t', '-x', 'x.csv')
        self.assertEqual(status, 0, report)


class Registry(unittest.TestCase):
    def test_a_connection_text_is_no_name_of_a_file(self):
        """libpq's keyword=value text, which may hold a password."""
        for locator in ('host=127.0.0.1 port=1 password=hunter2 connect_timeout=2#t', 'password=hunter2', 'service=nowhere password=hunter2#t', 'POSTGRESQL://u:hunter2@127.0.0.1:1/x#t'):
            status, out, err = call('reconcile', '-b', locator, '-x', locator)
            self.assertIn(status, (2, 4), err)
            self.assertNotIn('hunter2', out + err)
            self.assertNotIn('no such file', err)

    def test_a_scheme_that_nobody_reads_is_refused_without_its_secrets(self):
        status, out, err = call('reconcile', '-b', 'oracle://u:hunter2@h/d', '-x', 'oracle://u:hunter2@h/d')
        self.assertEqual(status, 2)
        self.assertNotIn('hunter2', out + err)
        self.assertIn('slackwater sources', err)

    def test_a_query_needs_a_database(self):
        self.assertIn('--baseline names it', call('reconcile', '--baseline-query', 'SELECT 1', '-e', 'x', '-x', 'y')[2])


if __name__ == '__main__':
    unittest.main()
