#!/usr/bin/env python3
"""ADBC drivers, and Parquet through DuckDB's: types, nested values, several batches, what a wrong driver or option says. scripts/fetch-adbc gets the drivers."""
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
from duckdb import DUCKDB, FOLDERS, MISSING, duckdb, library  # noqa: E402
from servers import PostgreSQL  # noqa: E402

PROGRAM = os.path.abspath(os.environ.get('SW_PROGRAM', 'build/slackwater'))
SECRET = 's3cr3t-word'
SQLITE = library('libadbc_driver_sqlite.so')
POSTGRESQL = library('libadbc_driver_postgresql.so')
# what each says of a database that nobody named: it was loaded, and asked
WAREHOUSES = {'flightsql': 'URI required', 'bigquery': 'ProjectID is empty', 'snowflake': 'account is empty'}


KINDS = """SELECT * FROM (VALUES
  (1::BIGINT, TRUE, (-128)::TINYINT, 255::UTINYINT, 18446744073709551615::UBIGINT, '12345678901234567890.123456789'::DECIMAL(38,9), '-0.01'::DECIMAL(4,2), 16777217::FLOAT, 0.1::DOUBLE, 'näh' || chr(0) || 'x',
   '\\x00\\xFF'::BLOB, DATE '0001-01-01', TIME '23:59:59.999999', TIMESTAMP '2038-01-19 03:14:07.999999', TIMESTAMPTZ '1970-01-01 00:00:00+00', TIMESTAMP_NS '2020-01-01 00:00:00.123456789',
   [1, 2, NULL], {'a': 1.10::DECIMAL(4,2), 'b': 'x"y'}, MAP(['k', 'l'], [1, 2]), [[TIMESTAMP '2020-01-01 00:00:00']], 'abc'::ENUM('abc', 'def')),
  (2, NULL, NULL, NULL, NULL, '-0.000000001', '99.99', 'nan', '-inf', '', '', NULL, NULL, NULL, NULL, NULL, [], NULL, MAP([], []), NULL, NULL)
) t(id, b, t, ut, ub, de, ds, f, d, s, bl, da, ti, ts, tz, tn, li, st, ma, nested, en)"""
EXACT = {
    'b': 'true', 't': '-128', 'ut': '255', 'ub': '18446744073709551615', 'de': '12345678901234567890.123456789', 'ds': '-0.01', 'd': '0.1', 's': '"näh\\u0000x"', 'bl': '"00ff"', 'da': '"0001-01-01"',
    'ti': '"23:59:59.999999"', 'ts': '"2038-01-19T03:14:07.999999"', 'tz': '"1970-01-01T00:00:00Z"', 'tn': '"2020-01-01T00:00:00.123456789"', 'li': '[1,2,null]', 'st': '{"a":1.1,"b":"x\\"y"}', 'ma': '{"k":1,"l":2}', 'en': '"abc"'}


class Adbc(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def run_program(self, *arguments, **environment):
        done = subprocess.run([PROGRAM, 'reconcile', *arguments], cwd=self.folder, capture_output=True, text=True, timeout=240,
                              env={**os.environ, 'ADBC_DRIVER_PATH': ':'.join(FOLDERS), 'LC_ALL': 'C.UTF-8', **environment})
        self.assertNotIn(SECRET, done.stdout + done.stderr)
        return done

    def report(self, *arguments):
        done = self.run_program('--json', *arguments)
        report = json.loads(done.stdout)
        self.assertIn('counts', report, report)
        return done.returncode, report


@unittest.skipUnless(DUCKDB, MISSING % "DuckDB's library")
class Parquet(Adbc):
    def test_every_type_is_read_exactly_nested_ones_as_json(self):
        duckdb(f"COPY ({KINDS}) TO '{self.path('kinds.parquet')}' (FORMAT parquet)")
        with open(self.path('none.ndjson'), 'w', encoding='utf-8') as file:
            file.write('{"id": 5}\n')
        self.run_program('--key', 'id', '--baseline', 'kinds.parquet', '--expected', 'none.ndjson', '--differences', 'd.ndjson')
        with open(self.path('d.ndjson'), encoding='utf-8') as file:
            first, second = file.read().splitlines()[:2]
        for column, text in EXACT.items():
            with self.subTest(column=column):
                self.assertIn(f'"{column}":{text}', first)
        for text in ('"de":-0.000000001', '"ds":99.99', '"f":"NaN"', '"s":""', '"bl":""', '"li":[]', '"ma":{}', '"b":null'):
            self.assertIn(text, second)

    def test_the_same_rows_as_csv_and_json_are_equal(self):
        rows = "SELECT i AS id, 'p' || (i % 7) AS part, (i / 4)::DECIMAL(12,2) AS amount, DATE '2020-01-01' + (i % 300)::INT AS day FROM range(150000) r(i)"
        duckdb(f"COPY ({rows}) TO '{self.path('o.parquet')}' (ROW_GROUP_SIZE 20000)", f"COPY ({rows}) TO '{self.path('o.csv')}' (HEADER)", f"COPY ({rows}) TO '{self.path('o.json')}'")
        for other in ('o.csv', 'o.json'):
            status, report = self.report('--key', 'id', '--baseline', 'o.parquet', '--expected', other)
            self.assertEqual((status, report['counts']['equal']), (0, 150000), report['counts'])

    def test_differences_and_their_row_numbers_do_not_depend_on_threads_or_memory(self):
        duckdb(f"COPY (SELECT i AS id, i * 3 AS v FROM range(100000) r(i)) TO '{self.path('a.parquet')}' (ROW_GROUP_SIZE 10000)",
               f"COPY (SELECT i AS id, i * 3 + (i % 9999 = 0)::INT AS v FROM range(100000) r(i)) TO '{self.path('b.parquet')}' (ROW_GROUP_SIZE 10000)")
        written = set()
        for options in (['--threads', '1'], ['--threads', '4'], ['--memory', '16M']):
            self.assertEqual(self.run_program('--key', 'id', '--baseline', 'a.parquet', '--expected', 'b.parquet', '--differences', 'd.ndjson', *options).returncode, 1)
            with open(self.path('d.ndjson'), encoding='utf-8') as file:
                written.add(file.read())
        self.assertEqual(len(written), 1)
        lines = [json.loads(line) for line in written.pop().splitlines()]
        self.assertEqual([line['records'][0] for line in lines], [f'a.parquet:{9999 * i + 1}' for i in range(11)])

    def test_several_files_of_a_glob_are_one_input_each(self):
        for part in range(3):
            duckdb(f"COPY (SELECT i AS id, 'x' AS v FROM range({part * 10}, {part * 10 + 10}) r(i)) TO '{self.path(f'part-{part}.parquet')}'")
        duckdb(f"COPY (SELECT i AS id, 'x' AS v FROM range(30) r(i)) TO '{self.path('whole.csv')}' (HEADER)")
        status, report = self.report('--key', 'id', '--baseline', 'part-*.parquet', '--expected', 'whole.csv')
        self.assertEqual((status, report['counts']['equal'], len(report['inputs'])), (0, 30, 4))

    def test_a_file_whose_name_holds_signs_of_a_pattern_is_read_itself(self):
        duckdb(f"COPY (SELECT 1 AS id, 'another' AS v) TO '{self.path('a1.parquet')}'")
        with open(self.path('one.ndjson'), 'w', encoding='utf-8') as file:
            file.write('{"id":1,"v":"this"}\n')
        for name in ('a[1].parquet', 'a?.parquet', "a*'.parquet"):
            duckdb(f"COPY (SELECT 1 AS id, 'this' AS v) TO '{self.path('written.parquet')}'")
            os.rename(self.path('written.parquet'), self.path(name))
            self.assertEqual(0, self.run_program('--key', 'id', '--baseline', 'one.ndjson', '--expected', name).returncode, name)
            os.remove(self.path(name))

    def test_what_is_no_parquet_and_a_query_that_is_none_are_told(self):
        with open(self.path('text.parquet'), 'w', encoding='utf-8') as file:
            file.write('no parquet at all, but long enough to be looked at')
        done = self.run_program('--key', 'id', '--baseline', 'text.parquet', '--expected', 'text.parquet')
        self.assertIn(done.returncode, (2, 4))
        self.assertIn('text.parquet', done.stderr)
        done = self.run_program('--key', 'id', '--baseline', 'adbc:duckdb', '--baseline-query', 'SELEC 1', '--expected', 'adbc:duckdb', '--expected-query', 'SELECT 1 AS id')
        self.assertIn(done.returncode, (2, 4))
        self.assertIn('SELEC', done.stderr)

    def test_a_statement_that_would_write_is_refused(self):
        duckdb(f"ATTACH '{self.path('x.db')}' AS x", 'CREATE TABLE x.t AS SELECT 1 AS id')
        before = os.stat(self.path('x.db')).st_mtime_ns
        for query in ('DELETE FROM t', 'INSERT INTO t VALUES (2)', "COPY t TO 'out.csv'"):
            done = self.run_program('--key', 'id', '--baseline', 'adbc:duckdb?path=x.db', '--baseline-query', query, '--expected', 'adbc:duckdb?path=x.db#t')
            self.assertNotIn(done.returncode, (0, 1), query)
        self.assertFalse(os.path.exists(self.path('out.csv')))
        self.assertEqual(os.stat(self.path('x.db')).st_mtime_ns, before)
        self.assertEqual(self.report('--key', 'id', '--baseline', 'adbc:duckdb?path=x.db#t', '--expected', 'adbc:duckdb?path=x.db#main.t')[0], 0)


@unittest.skipUnless(SQLITE, MISSING % "SQLite's driver")
class Sqlite(Adbc):
    def setUp(self):
        super().setUp()
        db = sqlite3.connect(self.path('shop.db'))
        db.execute('CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)')
        db.executemany('INSERT INTO t VALUES (?, ?)', [(i, f'v{i}') for i in range(5000)])
        db.commit()
        db.close()

    def test_a_driver_by_name_by_path_and_by_manifest_reads_what_the_source_of_the_database_reads(self):
        with open(self.path('mine.toml'), 'w', encoding='utf-8') as file:
            file.write(f'manifest_version = 1\n[Driver]\nentrypoint = "AdbcDriverSqliteInit" # comment\n[Driver.shared]\nlinux_amd64 = "{SQLITE}"\nlinux_arm64 = "{SQLITE}"\n')
        for driver in ('sqlite', SQLITE, './mine.toml'):
            status, report = self.report('--baseline', f'adbc:{driver}?uri=shop.db#t', '--expected', 'sqlite:shop.db#t')
            self.assertEqual((status, report['counts']['equal']), (0, 5000), report)

    def test_a_driver_that_is_not_there_says_where_it_was_looked_for(self):
        done = self.run_program('--key', 'id', '--baseline', 'adbc:nosuch#t', '--expected', 'sqlite:shop.db#t')
        self.assertEqual(done.returncode, 2)
        self.assertIn('ADBC_DRIVER_PATH', done.stderr)

    def test_a_library_that_is_no_driver_is_refused(self):
        done = self.run_program('--key', 'id', '--baseline', 'adbc:libz.so.1#t', '--expected', 'sqlite:shop.db#t')
        self.assertEqual(done.returncode, 2)
        with open(self.path('no.so'), 'w', encoding='utf-8') as file:
            file.write('text')
        done = self.run_program('--key', 'id', '--baseline', 'adbc:./no.so#t', '--expected', 'sqlite:shop.db#t')
        self.assertEqual(done.returncode, 2)
        self.assertIn('cannot be loaded', done.stderr)

    def test_an_option_that_the_driver_does_not_know_is_named_and_its_value_is_not_shown(self):
        done = self.run_program('--key', 'id', '--baseline', f'adbc:sqlite?uri=shop.db&password={SECRET}#t', '--expected', 'sqlite:shop.db#t')
        self.assertEqual(done.returncode, 2)
        self.assertIn('password', done.stderr)

    def test_a_table_that_is_not_there_is_told(self):
        done = self.run_program('--key', 'id', '--baseline', 'adbc:sqlite?uri=shop.db#nosuch', '--expected', 'sqlite:shop.db#t')
        self.assertIn(done.returncode, (2, 4))
        self.assertIn('nosuch', done.stderr)


@unittest.skipUnless(POSTGRESQL, MISSING % "PostgreSQL's driver")
@unittest.skipIf(PostgreSQL.unavailable(), PostgreSQL.unavailable())
class PostgreSQLByDriver(Adbc):
    def test_a_table_is_what_the_connector_reads(self):
        with PostgreSQL() as server:
            server.sql('CREATE TABLE t (id int PRIMARY KEY, n numeric(12,2), x text, d date, ts timestamptz, b bytea, f float8, ok bool, j jsonb, a int[], u uuid)')
            server.sql("""INSERT INTO t SELECT g, g*1.25, 'x'||g, '2026-01-01'::date+g, '2026-01-01T00:00:00Z'::timestamptz + g*interval '1 ms', decode('00ff','hex'), g/3.0, g%2=0,
                          '{"a":1}', ARRAY[g,NULL], md5(g::text)::uuid FROM generate_series(1,500) g""")
            server.sql('CREATE TABLE other AS SELECT * FROM t')
            server.sql("UPDATE other SET ts = ts + interval '1 microsecond' WHERE id = 7")
            uri = urllib.parse.quote(server.locator(''), safe='')
            run = ('--key', 'id', '--type', 'n=decimal', '--baseline', server.locator('#t'), '--expected')  # the driver hands numeric out as text
            status, report = self.report(*run, f'adbc:postgresql?uri={uri}#public.t')
            self.assertEqual((status, report['counts']['equal']), (0, 500), report)
            status, report = self.report(*run, f'adbc:postgresql?uri={uri}#public.other')
            self.assertEqual((status, report['counts']['stateMismatch'], [c['name'] for c in report['differences'][0]['columns']]), (1, 1, ['ts']), report)


class Warehouses(Adbc):
    def test_drivers_of_warehouses_are_loaded_and_answer_in_their_own_words(self):
        found = [name for name in WAREHOUSES if library(f'libadbc_driver_{name}.so')]
        if not found:
            self.skipTest('no driver of a warehouse was fetched (scripts/fetch-adbc all)')
        for name in found:
            done = self.run_program('--key', 'id', '--baseline', f'adbc:{name}#t', '--expected', f'adbc:{name}#t')
            self.assertIn(done.returncode, (2, 4), done.stderr)
            self.assertIn(WAREHOUSES[name], done.stderr)


if __name__ == '__main__':
    unittest.main()
