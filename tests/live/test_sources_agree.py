"""The same rows through every source give the same report, but for where they came from."""
import json
import os
import random
import re
import sqlite3
import struct
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
from avro_file import container, number, text  # noqa: E402
from program import ENVIRONMENT, PROGRAM  # noqa: E402
from servers import MariaDB, PostgreSQL  # noqa: E402

COLUMNS = ('id', 'note', 'amount', 'ratio', 'ok', 'at', 'raw')
TYPES = {'id': 'int64', 'note': 'text', 'amount': 'decimal', 'ratio': 'float64', 'ok': 'boolean', 'at': 'timestamp', 'raw': 'bytes'}
DECLARED = ['--key', 'id'] + [word for column, kind in TYPES.items() for word in ('--type', f'{column}={kind}')]
SOURCES = {line.split()[0]: line for line in subprocess.run([PROGRAM, 'sources'], capture_output=True, text=True, check=True).stdout.splitlines()}


def rows():
    """Rows as JSON has them, with all that tends to go wrong: nulls, empty texts, quotes, line ends, signs, exponents, accents."""
    pick = random.Random(7)
    made = []
    for i in range(-50, 350):
        made.append([i * 1234567891, pick.choice(['', 'a', 'it\'s "x", y', 'line\nend', 'é 漢 😀', None, ' blanks ']), pick.choice([None, '0', '-1.5', '12345678.9012', '0.0001']),
                     pick.choice([None, 0.1, -2.5e-7, 1e17, 3.0]), pick.choice([True, False, None]), pick.choice([None, '2026-02-28 23:59:59.123456', '1970-01-01 00:00:00']), pick.choice([None, '', '00ff10', '6162'])])
    return made


def changed(made):
    """The other side: rows removed, added and changed, one column at a time."""
    other = [list(row) for i, row in enumerate(made) if i % 37]
    for i, row in enumerate(other):
        if i % 29 == 0:
            row[1] = 'changed'
        elif i % 31 == 0:
            row[2] = '99.5'
        elif i % 23 == 0:
            row[6] = 'ff'
    other.append([10**15, 'new', None, None, None, None, None])
    return other


class SourcesAgree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.sides = {'a': rows(), 'b': changed(rows())}
        self.write_ndjson()
        self.right = self.report('a.ndjson', 'b.ndjson')
        self.assertGreater(len(self.right['differences']), 30)

    def path(self, name):
        return os.path.join(self.folder, name)

    def report(self, baseline, expected):
        done = subprocess.run([PROGRAM, 'reconcile', '--json', '-b', baseline, '-x', expected, *DECLARED], cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
        report = json.loads(done.stdout)
        self.assertEqual(done.returncode, 1, report.get('error') or report['headline'])
        for finding in report['differences']:
            del finding['records']
        return {k: report[k] for k in ('headline', 'counts', 'dispositions', 'records', 'tables', 'differences', 'undecided')}

    def agrees(self, *locators):
        self.maxDiff = 3000
        self.assertEqual(self.report(*locators), self.right)

    def write_ndjson(self):
        for name, side in self.sides.items():
            with open(self.path(name + '.ndjson'), 'w', encoding='utf-8') as f:
                for row in side:
                    f.write('{' + ','.join(f'"{c}":{v if c == "amount" and v else json.dumps(v)}' for c, v in zip(COLUMNS, row)) + '}\n')

    def test_csv(self):
        for name, side in self.sides.items():
            with open(self.path(name + '.csv'), 'w', encoding='utf-8', newline='') as f:
                f.write(','.join(COLUMNS) + '\n')
                for row in side:
                    f.write(','.join('' if v is None else '"' + str(v).replace('"', '""') + '"' for v in row) + '\n')
        self.agrees('a.csv', 'b.csv')

    def test_avro(self):
        kinds = dict(zip(COLUMNS[1:], ('string', 'string', 'double', 'boolean', 'string', 'string')))
        schema = {'type': 'record', 'name': 'r', 'fields': [{'name': 'id', 'type': 'long'}] + [{'name': c, 'type': ['null', t]} for c, t in kinds.items()]}

        def value(column, found):
            if found is None:
                return number(0)
            return number(1) + (struct.pack('<d', found) if kinds[column] == 'double' else bytes([found]) if kinds[column] == 'boolean' else text(found))
        for name, side in self.sides.items():
            with open(self.path(name + '.avro'), 'wb') as f:
                f.write(container(schema, [number(row[0]) + b''.join(value(c, v) for c, v in zip(COLUMNS[1:], row[1:])) for row in side]))
        self.agrees('a.avro', 'b.avro')

    def native(self, row):
        """As the drivers of databases take them."""
        return [None if v is None else bytes.fromhex(v) if c == 'raw' else v for c, v in zip(COLUMNS, row)]

    @unittest.skipIf('(not here' in SOURCES.get('sqlite', '(not here)'), SOURCES.get('sqlite', 'sqlite is not listed'))
    def test_sqlite(self):
        for name, side in self.sides.items():
            db = sqlite3.connect(self.path(name + '.db'))
            # amounts as text: SQLite would make floats of them
            db.execute('CREATE TABLE t (id INTEGER PRIMARY KEY, note TEXT, amount TEXT, ratio REAL, ok BOOLEAN, at TIMESTAMP, raw BLOB)')
            db.executemany('INSERT INTO t VALUES (?,?,?,?,?,?,?)', [self.native(row) for row in side])
            db.commit()
            db.close()
        self.agrees('sqlite:a.db#t', 'sqlite:b.db#t')
        self.agrees('a.ndjson', 'sqlite:b.db#t')

    def statements(self, system):
        """One INSERT for a side's rows, in the words of a system."""
        def literal(column, value):
            if value is None:
                return 'NULL'
            if column == 'raw':
                return f"'\\x{value}'" if system == 'postgres' else f"x'{value}'"
            if column in ('note', 'at'):
                return "'" + value.replace("'", "''") + "'"
            return str(value).lower()
        for name, side in self.sides.items():
            yield name, f'INSERT INTO {name} VALUES ' + ','.join('(' + ','.join(literal(c, v) for c, v in zip(COLUMNS, row)) + ')' for row in side)

    @unittest.skipIf(PostgreSQL.unavailable() or '(not here' in SOURCES.get('postgres', '(not here)'), PostgreSQL.unavailable() or SOURCES.get('postgres'))
    def test_postgresql(self):
        with PostgreSQL() as server:
            for name, insert in self.statements('postgres'):
                server.sql(f'CREATE TABLE {name} (id bigint PRIMARY KEY, note text, amount numeric(20,4), ratio float8, ok boolean, at timestamp, raw bytea); {insert}')
            self.agrees(server.locator('#a'), server.locator('#b'))
            self.agrees('a.ndjson', server.locator('#b'))

    @unittest.skipIf(MariaDB.unavailable() or '(not here' in SOURCES.get('mariadb', '(not here)'), MariaDB.unavailable() or SOURCES.get('mariadb'))
    def test_mariadb(self):
        with MariaDB() as server:
            for name, insert in self.statements('mariadb'):
                server.sql(f'SET NAMES utf8mb4; CREATE TABLE {name} (id bigint PRIMARY KEY, note text CHARACTER SET utf8mb4, amount decimal(20,4), ratio double, ok boolean, at datetime(6), raw blob); {insert}')
            self.agrees(server.locator('#a'), server.locator('#b'))
            self.agrees('a.ndjson', server.locator('#b'))

    @unittest.skipIf(PostgreSQL.unavailable() or MariaDB.unavailable() or any('(not here' in SOURCES.get(name, '(not here)') for name in ('postgres', 'mariadb')),
                     PostgreSQL.unavailable() or MariaDB.unavailable() or 'this build cannot read both databases')
    def test_times_of_two_databases_are_told_what_to_declare_and_that_works(self):
        with PostgreSQL() as there, MariaDB() as here:
            there.sql("CREATE TABLE t (id int PRIMARY KEY, at timestamptz); INSERT INTO t VALUES (1, '2026-01-01T00:00:07+00')")
            here.sql("CREATE TABLE t (id int PRIMARY KEY, at datetime(6)); INSERT INTO t VALUES (1, '2026-01-01 00:00:07')")
            command = [PROGRAM, 'reconcile', '-b', there.locator('#t'), '-x', here.locator('#t')]
            done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
            self.assertEqual((2, ''), (done.returncode, done.stdout))
            pasted = re.search(r"--type '([^']*)'", done.stderr)
            self.assertIsNotNone(pasted, done.stderr)
            done = subprocess.run([*command, '--type', pasted.group(1)], env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
            self.assertEqual(0, done.returncode, done.stdout + done.stderr)


if __name__ == '__main__':
    unittest.main()
