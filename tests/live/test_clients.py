"""The clients of src/client/ against real servers: read-only sessions, rows, cancelling, and what their errors say."""
import os
import shutil
import subprocess
import sys
import unittest

ROOT = os.environ.get('SW_SOURCE_ROOT', os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'harness'))

from servers import MariaDB, PostgreSQL, wait_until  # noqa: E402

PROGRAM = os.environ.get('SW_CLIENT_STATEMENT', 'build/tests/live/client_statement')
CLIENTS = os.environ.get('SW_CLIENTS', 'postgres mariadb kafka').split()


def lacking(client, server):
    return server.unavailable() if client in CLIENTS else f'built without the client of {client}'


class Client(unittest.TestCase):
    def run_statement(self, how, locator, sql, status=0, env=None):
        done = subprocess.run([PROGRAM, how, locator, sql], capture_output=True, text=True, timeout=120, env={**os.environ, **(env or {})}, check=False)
        self.assertEqual((done.returncode, done.stderr), (status, ''), done.stdout)
        return done.stdout.strip()

    def refused(self, how, locator, sql, *parts, env=None):
        said = self.run_statement(how, locator, sql, status=1, env=env)
        for part in parts:
            self.assertIn(part, said)
        self.assertNotIn('s3cret', said)
        return said


@unittest.skipIf(lacking('postgres', PostgreSQL), lacking('postgres', PostgreSQL))
class Postgres(Client):
    @classmethod
    def setUpClass(cls):
        cls.server = PostgreSQL()
        cls.server.__enter__()
        cls.addClassCleanup(cls.server.close)
        cls.server.sql("CREATE TABLE t (k int PRIMARY KEY, v text)")
        cls.server.sql("INSERT INTO t VALUES (1, 'a'), (2, NULL), (3, '')")
        cls.server.sql("CREATE ROLE reader LOGIN PASSWORD 's3cret'")
        cls.locator = cls.server.locator()

    def test_every_way_of_writing_is_refused(self):
        for sql in ("INSERT INTO t VALUES (9, 'x')", 'UPDATE t SET k = 0', 'DELETE FROM t', 'TRUNCATE t', 'CREATE TABLE u (k int)', 'DROP TABLE t', 'CREATE INDEX ON t (v)',
                    'WITH gone AS (DELETE FROM t RETURNING k) SELECT * FROM gone'):
            self.refused('query', self.locator, sql, 'remote 25006')
        self.refused('rows', self.locator, 'WITH gone AS (DELETE FROM t RETURNING k) SELECT * FROM gone', 'usage 25006')
        self.assertEqual(self.server.sql('SELECT count(*) FROM t'), '3')

    def test_nothing_can_be_smuggled_in_behind_a_statement(self):
        self.refused('query', self.locator, 'SELECT 1; SET default_transaction_read_only = off', '42601')
        self.refused('rows', self.locator, 'SELECT 1; DELETE FROM t', '42601')

    def test_rows_come_whole_or_one_by_one_with_null_apart_from_the_empty_text(self):
        for how in ('query', 'rows'):
            self.assertEqual(self.run_statement(how, self.locator, 'SELECT k, v FROM t ORDER BY k'), '1|a\n2|\\N\n3|')
        self.assertEqual(self.run_statement('rows', self.locator, 'SELECT k FROM t WHERE false'), '')
        self.assertEqual(self.run_statement('copy', self.locator, 'COPY (SELECT k, v FROM t ORDER BY k) TO STDOUT'), '1\ta\n2\t\\N\n3')

    def test_a_statement_of_the_wrong_kind_is_refused_and_leaves_the_connection_usable(self):
        self.refused('rows', self.locator, 'SET search_path = x', 'usage -', 'a SELECT is expected')
        self.refused('copy', self.locator, 'SELECT 1', 'usage -', 'is no COPY')
        self.refused('copy', self.locator, 'COPY nothing TO STDOUT', 'usage 42P01')
        self.refused('rows', self.locator, 'SELECT 1/(k-2) FROM t ORDER BY k', 'usage 22012', 'division by zero')

    def test_a_long_answer_can_be_left_early(self):
        self.assertEqual(self.run_statement('stop', self.locator, 'SELECT generate_series(1, 100000000)'), 'next')

    def test_a_running_statement_is_cancelled(self):
        self.refused('cancel', self.locator, 'SELECT pg_sleep(60)', 'remote 57014')

    def test_sessions_are_named_and_of_one_form_whatever_the_servers_settings(self):
        self.server.sql("ALTER ROLE reader SET datestyle = 'German'; ALTER ROLE reader SET timezone = 'Asia/Tokyo'; ALTER ROLE reader SET default_transaction_read_only = off")
        self.assertEqual(self.run_statement('query', self.server.locator(user='reader'), "SELECT current_setting('application_name'), timestamptz '2031-02-03 04:05:06+00', 0.1::float8 + 0.2, current_setting('default_transaction_read_only')"),
                         'slackwater|2031-02-03 04:05:06+00|0.30000000000000004|on')

    def test_passwords_come_from_the_locator_the_variable_or_the_file_and_are_never_told(self):
        hba = os.path.join(self.server.data, 'pg_hba.conf')
        with open(hba, encoding='utf-8') as f:
            before = f.read()
        def write(text):
            with open(hba, 'w', encoding='utf-8') as f:
                f.write(text)
            self.server.sql('SELECT pg_reload_conf()')
        write('host all reader 127.0.0.1/32 scram-sha-256\n' + before)
        self.addCleanup(write, before)
        locator, passfile = self.server.locator(user='reader'), os.path.join(self.server.folder, 'pgpass')
        with open(passfile, 'w', encoding='utf-8') as f:
            f.write('*:*:*:reader:s3cret\n')
        os.chmod(passfile, 0o600)
        self.assertEqual(self.run_statement('query', self.server.locator(user='reader:s3cret'), 'SELECT 1'), '1')
        self.assertEqual(self.run_statement('query', locator, 'SELECT 1', env={'PGPASSWORD': 's3cret'}), '1')
        self.assertEqual(self.run_statement('query', locator, 'SELECT 1', env={'PGPASSFILE': passfile}), '1')
        nowhere = {'PGPASSFILE': '/nonexistent'}
        self.refused('query', locator, 'SELECT 1', 'no password supplied', 'pgpass', env=nowhere)
        self.refused('query', self.server.locator(user='reader:s3cret1'), 'SELECT 1', 'password authentication failed', 'check the user', env=nowhere)

    def test_what_libpq_does_not_understand_is_not_repeated(self):
        self.refused('query', 'postgresql://u:s3cret@h/db?nonsense=1', 'SELECT 1', 'usage -', 'libpq does not understand')


@unittest.skipIf(lacking('mariadb', MariaDB), lacking('mariadb', MariaDB))
class Maria(Client):
    @classmethod
    def setUpClass(cls):
        cls.server = MariaDB()
        cls.server.__enter__()
        cls.addClassCleanup(cls.server.close)
        cls.server.sql("CREATE TABLE t (k int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'a'), (2, NULL), (3, '')")
        cls.server.sql("CREATE USER reader@'%' IDENTIFIED BY 's3cret'; GRANT SELECT ON shop.* TO reader@'%'")
        cls.locator = cls.server.locator()

    def test_every_way_of_writing_is_refused(self):
        for sql in ("INSERT INTO t VALUES (9, 'x')", 'UPDATE t SET k = 0', 'DELETE FROM t', 'TRUNCATE t', 'CREATE TABLE u (k int)', 'DROP TABLE t', 'CREATE INDEX i ON t (k)'):
            self.refused('query', self.locator, sql, 'remote 1792')
        self.assertEqual(self.server.sql('SELECT count(*) FROM t'), '3')

    def test_nothing_can_be_smuggled_in_behind_a_statement(self):
        self.refused('query', self.locator, 'SELECT 1; DELETE FROM t', 'remote 1064')

    def test_rows_come_whole_or_one_by_one_with_null_apart_from_the_empty_text(self):
        for how in ('query', 'rows'):
            self.assertEqual(self.run_statement(how, self.locator, 'SELECT k, v FROM t ORDER BY k'), '1|a\n2|\\N\n3|')
        self.refused('rows', self.locator, 'SET @a = 1', 'usage 0', 'a SELECT is expected')

    def test_a_long_answer_can_be_left_early(self):
        self.assertEqual(self.run_statement('stop', self.locator, 'SELECT seq FROM seq_1_to_100000000'), 'next')

    def test_a_running_statement_is_cancelled(self):
        self.refused('cancel', self.locator, 'SELECT COUNT(*) FROM seq_1_to_100000000 a, seq_1_to_1000 b', 'remote 1317')

    def test_the_server_may_not_ask_for_a_local_file(self):
        self.refused('query', self.locator, "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE t", 'remote')

    def test_passwords_come_from_the_locator_the_variable_or_the_file_and_are_never_told(self):
        locator, options = self.server.locator(user='reader'), os.path.join(self.server.folder, 'my.cnf')
        with open(options, 'w', encoding='utf-8') as f:
            f.write('[client]\npassword=wrong\n[probe]\nuser=reader\npassword=s3cret\n')
        self.assertEqual(self.run_statement('query', self.server.locator(user='reader:s3cret'), 'SELECT 1'), '1')
        self.assertEqual(self.run_statement('query', locator, 'SELECT 1', env={'MYSQL_PWD': 's3cret'}), '1')
        self.assertEqual(self.run_statement('query', f'mariadb://127.0.0.1:{self.server.port}/shop?defaults-file={options}&defaults-group=probe', 'SELECT CURRENT_USER()'), 'reader@%')
        self.refused('query', self.server.locator(user='reader:s3cret1'), 'SELECT 1', 'Access denied', 'check the user')
        self.refused('query', self.server.locator('?ssl=maybe', user='reader:s3cret'), 'SELECT 1', 'usage -', 'must be on or off')
        self.refused('query', self.server.locator('?nonsense=1', user='reader:s3cret'), 'SELECT 1', 'usage -', "parameter 'nonsense' is not known")

    def test_a_socket_will_do(self):
        self.assertEqual(self.run_statement('query', f'mysql://root@/shop?socket={self.server.socket}', 'SELECT 1'), '1')

    def test_who_is_not_there_is_said_so(self):
        self.refused('query', 'mysql://root@127.0.0.1:1/shop', 'SELECT 1', 'cannot connect', 'nothing listens there')
        self.refused('query', self.server.locator().replace('/shop', '/shap'), 'SELECT 1', "Unknown database 'shap'", 'SHOW DATABASES')


@unittest.skipIf(MariaDB.unavailable(), MariaDB.unavailable())
class Harness(unittest.TestCase):
    def test_a_server_does_not_outlive_tests_that_are_killed(self):
        script = 'import os, servers; s = servers.MariaDB().__enter__(); print(s.process.pid, s.folder, flush=True); os.kill(os.getpid(), 9)'
        done = subprocess.run([sys.executable, '-c', script], capture_output=True, text=True, timeout=120, check=False,
                              env={**os.environ, 'PYTHONPATH': os.path.join(ROOT, 'tests', 'harness')})
        self.assertEqual(done.returncode, -9, done.stderr)
        process, folder = done.stdout.split()
        self.addCleanup(shutil.rmtree, folder, ignore_errors=True)
        wait_until(lambda: not os.path.exists(f'/proc/{process}'), 'the server is still there')


if __name__ == '__main__':
    unittest.main()
