#!/usr/bin/env python3
"""Every type of a database against every carrier of its values: what is equal there, and that what is not is found. The tables are in type_matrix/, and docs/type-matrix.md is made from them."""
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, '..', 'cli'), os.path.join(HERE, '..', 'harness')]
from duckdb import DUCKDB, FOLDERS, MISSING, duckdb  # noqa: E402
from program import ENVIRONMENT, PROGRAM, ROOT  # noqa: E402
from servers import MariaDB, PostgreSQL  # noqa: E402
from type_matrix import duckdb as of_duckdb, mariadb, postgresql, sqlite as of_sqlite  # noqa: E402
from type_matrix.cells import Rows, sql  # noqa: E402
from type_matrix.document import document  # noqa: E402

CLIENTS = os.environ.get('SW_CLIENTS', 'postgres mariadb sqlite').split()


def lacking(client, server=None):
    """Why a system cannot be asked here, or None."""
    if client not in CLIENTS:
        return f'built without the client {client}'
    return server.unavailable() if server else None


def skip_without(client, server=None):
    return unittest.skipIf(lacking(client, server), lacking(client, server))


def literal(value):
    return 'NULL' if value is None else value.text if isinstance(value, sql) else "'" + value.replace("'", "''") + "'"


def mariadb_literal(value):
    """Backslashes, line ends and more in hexadecimal: neither the client nor the server takes them for escapes."""
    if isinstance(value, str) and ('\\' in value or not value.isprintable() or not value.isascii()):
        return f"CONVERT(x'{value.encode().hex()}' USING utf8mb4)"
    return literal(value)


def inserts(table, rows, value_of, literal=literal, mark='"'):
    return [f'INSERT INTO {table} (id, {mark}{row.column.name}{mark}) VALUES ({row.id}, {literal(value_of(row))})' for row in rows]


def definition(table, columns, type_of, mark='"', key='INT PRIMARY KEY'):
    return f'CREATE TABLE {table} (id {key}, ' + ', '.join(f'{mark}{c.name}{mark} {type_of(c)}' for c in columns) + ')'


def view(name, table, columns, rows, mark='"'):
    """Of a database's own table, what a carrier has."""
    return f'CREATE VIEW {name} AS SELECT id, ' + ', '.join(f'{mark}{c.name}{mark}' for c in columns) + f' FROM {table} WHERE id IN (' + ','.join(str(row.id) for row in rows) + ')'


class Servers:
    """One of each for the whole file, started when it is first asked for."""
    running = {}

    @classmethod
    def get(cls, kind):
        if kind not in cls.running:
            cls.running[kind] = kind().__enter__()
            unittest.addModuleCleanup(cls.running[kind].close)
        return cls.running[kind]


class Matrix(unittest.TestCase):
    """One database: `rows` are those of its table of types, `t` has them as they are, and `u` as its own tools carry them away."""
    rows = None

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        os.chmod(cls.folder, 0o755)

    def path(self, name):
        return os.path.join(self.folder, name)

    def export(self, name, command):
        """What a command prints becomes a file."""
        with open(self.path(name), 'wb') as out:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return name

    def reconcile(self, rows, *arguments):
        """Why there is no result, or what became of each row."""
        differences = self.path('differences.ndjson')
        if os.path.exists(differences):
            os.unlink(differences)
        done = subprocess.run([PROGRAM, 'reconcile', '--json', '--key', 'id', '--differences', differences, *arguments], cwd=self.folder, env={**ENVIRONMENT, 'ADBC_DRIVER_PATH': ':'.join(FOLDERS)},
                              capture_output=True, text=True, timeout=120)
        report = json.loads(done.stdout)
        if 'counts' not in report:
            return report['error']['text'], None
        self.assertEqual(report['counts']['keys'], len(rows), 'rows were lost')
        bad = [each['text'] for each in report['badRecords']['listed']]
        if report['counts']['unattributedBadRecords']:
            return f'bad records: {bad[:3]}', None
        found = {row.id: ('equal', [row.column.name], '') for row in rows}
        with open(differences, encoding='utf-8') as file:
            for finding in map(json.loads, file):
                columns = [c['name'] for c in finding.get('columns', [])] + finding.get('unknownColumns', []) + finding.get('notComparable', [])
                found[finding['key']['id']] = finding['class'], columns, finding.get('columns') or finding['sentence'] + str(bad[:3])
        return None, found

    def wrong(self, carrier, rows, inputs, options, backwards):
        baseline, expected = reversed(inputs) if backwards else inputs
        refusal, found = self.reconcile(rows, '--baseline', baseline, '--expected', expected, *options)
        return [refusal] if found is None else self.judged(carrier, rows, found, ' as the baseline' if backwards else '')

    @staticmethod
    def judged(carrier, rows, found, role=''):
        """A line for each row of which another thing was said than the table of types says."""
        made = []
        for row in rows:
            outcome, columns, more = found[row.id]
            if outcome != row.outcome(carrier) or columns != [row.column.name]:
                made.append(f'{row.column.name}: {row.here!r} here, {row.there!r} in the carrier{role}: expected {row.outcome(carrier)}, found {outcome} {more}')
        return made

    def holds(self, carrier, make, *options):
        """Holds a carrier against the database, in both roles. `make(name, columns, rows)` makes both and returns their locators."""
        columns, rows = self.rows.of(carrier)
        inputs = make(f'all_{carrier}', columns, rows)
        declared = {c.name: ('--type', f'{c.name}={c.carrier(carrier).declare}') for c in columns if c.carrier(carrier).declare}
        wrong = [line for backwards in (False, True) for line in self.wrong(carrier, rows, inputs, [*options, *(word for one in declared.values() for word in one)], backwards)]
        self.assertFalse(wrong, f'{len(wrong)} wrong\n' + '\n'.join(wrong))
        for column in columns:
            if column.carrier(carrier).declare:
                with self.subTest(column=column.name):
                    self.needed(carrier, column, [*options, *(word for name, one in declared.items() if name != column.name for word in one)], rows, inputs)
        for column in self.rows.columns:
            if column.carrier(carrier).refused:
                with self.subTest(column=column.name):
                    self.refused(carrier, column, make, options)

    def needed(self, carrier, column, options, rows, inputs):
        """Without its declaration the run is refused and says which one is missing, or something else comes out."""
        refusal, found = self.reconcile(rows, '--baseline', inputs[0], '--expected', inputs[1], *options)
        if found is None:
            self.assertRegex(refusal, f"--type '?{column.name}=")
        else:
            self.assertTrue(any(found[row.id][0] != row.outcome(carrier) for row in rows if row.column is column), 'it is the same without the declaration')

    def refused(self, carrier, column, make, options):
        rows = self.rows.of_column(column, carrier)
        inputs = make(f'one_{carrier}_{column.name}', [column], rows)
        refusal, found = self.reconcile(rows, '--baseline', inputs[0], '--expected', inputs[1], *options)
        self.assertIsNone(found, 'it is not refused')
        self.assertRegex(refusal, f"--type '?{column.name}=")

    def holds_as_events(self, carrier, locator, *options):
        """Holds a log of changes against the table: each row of `u` was written once."""
        columns, rows = self.rows.of(carrier)
        self.assertFalse([c.name for c in self.rows.columns if c.carrier(carrier).leave or c.carrier(carrier).refused or c.carrier(carrier).type], 'a log holds every row, as it is')
        declared = [word for c in columns if c.carrier(carrier).declare for word in ('--type', f'{c.name}={c.carrier(carrier).declare}')]
        gone = [c.name for c in self.rows.columns if c not in columns]
        arguments = [*options, *declared, *(['--ignore', ','.join(gone)] if gone else []), '--events', locator]
        refusal, found = self.reconcile(self.rows.rows, '--expected', self.table(), *arguments)
        wrong = [refusal] if found is None else self.judged(carrier, rows, found)
        self.assertFalse(wrong, f'{len(wrong)} wrong\n' + '\n'.join(wrong))


@skip_without('postgres', PostgreSQL)
class OfPostgreSQL(Matrix):
    rows = Rows(postgresql.COLUMNS)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = Servers.get(PostgreSQL)
        cls.server.sql(postgresql.BEFORE)
        for table in ('t', 'u'):
            cls.server.sql(definition(table, cls.rows.columns, lambda c: c.type))
        cls.server.sql('CREATE PUBLICATION p FOR TABLE u')
        cls.server.sql("SELECT pg_create_logical_replication_slot('s', 'pgoutput')")
        for table, value_of in (('t', lambda row: row.here), ('u', lambda row: row.there)):
            cls.server.sql('; '.join(inserts(table, cls.rows.rows, value_of)))

    def table(self):
        return self.server.locator('#t')

    def psql(self, name, command):
        return self.export(name, self.server.as_user(['psql', '-XAtq', '-h', '127.0.0.1', '-p', str(self.server.port), '-U', 'postgres', '-d', 'shop', '-c', command]))

    def views(self, name, columns, rows):
        """Of the table as it is; the other one is carried away."""
        self.server.sql('; '.join([view(name, 't', columns, rows), view(name + '_u', 'u', columns, rows)]))
        return self.server.locator('#' + name)

    def test_slot(self):
        """The changes that a replication slot holds (pgoutput)."""
        self.holds_as_events('slot', self.server.locator('?slot=s&publication=p&read=peek'), '--order', 'postgres')

    def test_csv_by_copy(self):
        self.holds('csv', lambda name, *kept: (self.views(name, *kept), self.psql(f'{name}.csv', f'COPY (SELECT * FROM {name}_u) TO STDOUT (FORMAT csv, HEADER)')))

    def test_json_by_row_to_json(self):
        self.holds('json', lambda name, *kept: (self.views(name, *kept), self.psql(f'{name}.ndjson', f'SELECT row_to_json(r) FROM {name}_u r')))

    @unittest.skipUnless(DUCKDB, MISSING % "DuckDB's library")
    def test_parquet(self):
        self.holds('parquet', lambda name, *kept: (self.views(name, *kept), write_parquet(self, 'parquet', name, *kept)))

    @skip_without('sqlite')
    def test_sqlite(self):
        self.holds('sqlite', lambda name, *kept: (self.views(name, *kept), write_sqlite(self, 'sqlite', name, *kept)))

    @skip_without('mariadb', MariaDB)
    def test_mariadb(self):
        self.holds('mariadb', lambda name, *kept: (self.views(name, *kept), write_mariadb('mariadb', name, *kept)))


@skip_without('mariadb', MariaDB)
class OfMariaDB(Matrix):
    rows = Rows(mariadb.COLUMNS)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = Servers.get(MariaDB)
        cls.server.sql('CREATE DATABASE matrix')
        # other modes than the default ones: zero dates are stored, and only where a server allows them
        for table, value_of in (('t', lambda row: row.here), ('u', lambda row: row.there)):
            cls.server.sql('; '.join(["SET NAMES utf8mb4, time_zone = '+00:00', sql_mode = ''", definition(table, cls.rows.columns, lambda c: c.type, mark='`'),
                                      *inserts(table, cls.rows.rows, value_of, mariadb_literal, '`')]), 'matrix')

    def views(self, name, columns, rows):
        self.server.sql(view(name, 't', columns, rows, '`'), 'matrix')
        return f'mariadb://root@127.0.0.1:{self.server.port}/matrix#{name}'

    def table(self):
        return f'mariadb://root@127.0.0.1:{self.server.port}/matrix#t'

    def test_binlog(self):
        """The changes that the binary log holds."""
        self.holds_as_events('binlog', f'mariadb://root@127.0.0.1:{self.server.port}/matrix?binlog=beginning#u', '--order', 'mysql')

    @staticmethod
    def selected(carrier, columns):
        """What is asked for: some values have to be asked for in another form."""
        return {c.name: (c.carrier(carrier).type or '{}').format(f'`{c.name}`') for c in columns}

    def client(self, name, statement, *options):
        command = ['mariadb', '--no-defaults', '--batch', *options, '--default-character-set=utf8mb4', '--init-command', "SET time_zone = '+00:00'", '-u', 'root', f'--socket={self.server.socket}', '-e', statement, 'matrix']
        return self.export(name, self.server.as_user(command))

    def where(self, rows):
        return 'FROM u WHERE id IN (' + ','.join(str(row.id) for row in rows) + ')'

    def test_batch(self):
        """What the client prints with --batch, read as CSV."""
        def make(name, columns, rows):
            members = ', '.join(f'{e} AS `{c}`' for c, e in self.selected('batch', columns).items())
            return self.views(name, columns, rows), self.client(f'{name}.tsv', f'SELECT id, {members} {self.where(rows)}')
        self.holds('batch', make, '--csv-delimiter', '\t', '--csv-escape', '\\', '--csv-null', 'NULL')

    def test_csv_by_into_outfile(self):
        def make(name, columns, rows):
            members = ', '.join(f'{e} AS `{c}`' for c, e in self.selected('csv', columns).items())
            target = os.path.join(self.server.folder, 'data', f'{name}.tsv')
            self.server.sql(f"SET NAMES utf8mb4, time_zone = '+00:00'; SELECT id, {members} {self.where(rows)} INTO OUTFILE '{target}' CHARACTER SET utf8mb4", 'matrix')
            with open(target, 'rb') as file, open(self.path(f'{name}.tsv'), 'wb') as out:
                out.write('\t'.join(['id', *[c.name for c in columns]]).encode() + b'\n' + file.read())
            return self.views(name, columns, rows), f'{name}.tsv'
        self.holds('csv', make, '--csv-delimiter', '\t', '--csv-escape', '\\')

    def test_json_by_json_object(self):
        def make(name, columns, rows):
            members = ', '.join(f"'{c}', {e}" for c, e in self.selected('json', columns).items())
            return self.views(name, columns, rows), self.client(f'{name}.ndjson', f"SELECT JSON_OBJECT('id', id, {members}) {self.where(rows)}", '--raw', '--skip-column-names')
        self.holds('json', make)

    @unittest.skipUnless(DUCKDB, MISSING % "DuckDB's library")
    def test_parquet(self):
        self.holds('parquet', lambda name, *kept: (self.views(name, *kept), write_parquet(self, 'parquet', name, *kept)))

    @skip_without('sqlite')
    def test_sqlite(self):
        self.holds('sqlite', lambda name, *kept: (self.views(name, *kept), write_sqlite(self, 'sqlite', name, *kept)))

    @skip_without('postgres', PostgreSQL)
    def test_postgresql(self):
        self.holds('postgresql', lambda name, *kept: (self.views(name, *kept), write_postgresql('postgresql', name, *kept)))


@skip_without('sqlite')
@unittest.skipUnless(shutil.which('sqlite3'), 'no sqlite3 shell is installed')
class OfSQLite(Matrix):
    rows = Rows(of_sqlite.COLUMNS)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file = os.path.join(cls.folder, 'origin.db')
        cls.script(*[s for table, value_of in (('t', lambda row: row.here), ('u', lambda row: row.there))
                     for s in [definition(table, cls.rows.columns, lambda c: c.type, key='INTEGER PRIMARY KEY'), *inserts(table, cls.rows.rows, value_of)]])

    @classmethod
    def script(cls, *statements):
        db = sqlite3.connect(cls.file)
        db.executescript(';'.join(statements))
        db.commit()
        db.close()

    def views(self, name, columns, rows):
        self.script(view(name, 't', columns, rows))
        return f'sqlite:origin.db#{name}'

    def shell(self, name, carrier, columns, rows, mode):
        chosen = ', '.join(f'CASE WHEN "{c.name}" IS NOT NULL THEN ' + (c.carrier(carrier).type or '{}').format(f'"{c.name}"') + f' END AS "{c.name}"' for c in columns)
        return self.export(name, ['sqlite3', '-batch', *mode, self.file, f'SELECT id, {chosen} FROM u WHERE id IN ({",".join(str(row.id) for row in rows)})'])

    def test_csv_by_the_shell(self):
        self.holds('csv', lambda name, *kept: (self.views(name, *kept), self.shell(f'{name}.csv', 'csv', *kept, ['-csv', '-header'])))

    def test_json_by_the_shell(self):
        self.holds('json', lambda name, *kept: (self.views(name, *kept), self.shell(f'{name}.json', 'json', *kept, ['-json'])))

    @unittest.skipUnless(DUCKDB, MISSING % "DuckDB's library")
    def test_parquet(self):
        self.holds('parquet', lambda name, *kept: (self.views(name, *kept), write_parquet(self, 'parquet', name, *kept)))

    @skip_without('postgres', PostgreSQL)
    def test_postgresql(self):
        self.holds('postgresql', lambda name, *kept: (self.views(name, *kept), write_postgresql('postgresql', name + '_s', *kept)))

    @skip_without('mariadb', MariaDB)
    def test_mariadb(self):
        self.holds('mariadb', lambda name, *kept: (self.views(name, *kept), write_mariadb('mariadb', name + '_s', *kept)))


@unittest.skipUnless(DUCKDB, MISSING % "DuckDB's library")
class OfDuckDB(Matrix):
    rows = Rows(of_duckdb.COLUMNS)

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file = os.path.join(cls.folder, 'origin.duckdb')
        duckdb(*[s for table, value_of in (('t', lambda row: row.here), ('u', lambda row: row.there)) for s in [definition(table, cls.rows.columns, lambda c: c.type), *inserts(table, cls.rows.rows, value_of)]], path=cls.file)

    def make(self, name, carrier, columns, rows, options):
        chosen = ', '.join((c.carrier(carrier).type or '{}').format(f'"{c.name}"') + f' AS "{c.name}"' if '{}' in (c.carrier(carrier).type or '{}') else f'CAST("{c.name}" AS {c.carrier(carrier).type}) AS "{c.name}"' for c in columns)
        target = f'{name}.{options.split()[1].lower()}'
        duckdb(view(name, 't', columns, rows), f"COPY (SELECT id, {chosen} FROM u WHERE id IN ({','.join(str(row.id) for row in rows)})) TO '{self.path(target)}' ({options})", path=self.file)
        return f'adbc:duckdb?path=origin.duckdb#{name}', target

    def test_csv(self):
        self.holds('csv', lambda name, *kept: self.make(name, 'csv', *kept, 'FORMAT CSV, HEADER'.replace(',', ' ,')))

    def test_json(self):
        self.holds('json', lambda name, *kept: self.make(name, 'json', *kept, 'FORMAT JSON'))

    def test_parquet(self):
        self.holds('parquet', lambda name, *kept: self.make(name, 'parquet', *kept, 'FORMAT PARQUET'))


def write_parquet(test, carrier, name, columns, rows):
    duckdb(definition(name, columns, lambda c: c.carrier(carrier).type), *inserts(name, rows, lambda row: row.spelled(carrier)), f"COPY {name} TO '{test.path(name)}.parquet' (FORMAT parquet)")
    return f'{name}.parquet'


def write_sqlite(test, carrier, name, columns, rows):
    db = sqlite3.connect(test.path(f'{name}.db'))
    db.executescript(';'.join([definition(name, columns, lambda c: c.carrier(carrier).type, key='INTEGER PRIMARY KEY'), *inserts(name, rows, lambda row: row.spelled(carrier))]))
    db.commit()
    db.close()
    return f'sqlite:{name}.db#{name}'


def write_postgresql(carrier, name, columns, rows):
    server = Servers.get(PostgreSQL)
    server.sql('; '.join(["SET timezone = 'UTC'", definition(f'public.{name}_m', columns, lambda c: c.carrier(carrier).type), *inserts(f'public.{name}_m', rows, lambda row: row.spelled(carrier))]))
    return server.locator(f'#{name}_m')


def write_mariadb(carrier, name, columns, rows):
    server = Servers.get(MariaDB)
    server.sql('; '.join(["SET NAMES utf8mb4, time_zone = '+00:00'", definition(name, columns, lambda c: c.carrier(carrier).type, mark='`'),
                          *inserts(name, rows, lambda row: row.spelled(carrier), mariadb_literal, mark='`')]))
    return server.locator('#' + name)


class Page(unittest.TestCase):
    def test_the_page_is_made_from_the_tables(self):
        with open(os.path.join(ROOT, 'docs', 'type-matrix.md'), encoding='utf-8') as page:
            self.assertEqual(page.read(), document(), 'tests/live/type_matrix/document.py > docs/type-matrix.md')


if __name__ == '__main__':
    unittest.main()
