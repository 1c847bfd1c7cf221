"""Limits of time that somebody set at the server, and tables that are locked: honoured, told, and given up when asked to."""
import signal
import subprocess
import time
import unittest

from reading import Reading, lacking, servers

POSTGRES, MARIADB = lacking('postgres', servers.PostgreSQL), lacking('mariadb', servers.MariaDB)


def holder(command):
    """A client of the server that holds what it is told to hold until its input ends."""
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True)


class Locked(Reading):
    def hold(self, statements):
        client = holder(self.client())
        client.stdin.write(statements + '\n')
        client.stdin.flush()

        def release():
            client.stdin.close()
            client.wait(30)
        self.addCleanup(release)
        return release

    def waits_and_is_given_up(self):
        """Seen by who looks at the progress, and ended by Ctrl-C, at once and with nothing left at the server."""
        run = self.start('--progress', 'plain', '-b', self.at('#a'), '-x', self.at('#a'))
        seen = ''
        while 'waiting for a lock (baseline)' not in seen:
            line = run.stderr.readline()
            self.assertTrue(line, seen)
            seen += line
        begun = time.monotonic()
        run.send_signal(signal.SIGINT)
        self.nothing_is_claimed(run, 'interrupted', status=-signal.SIGINT)
        self.assertLess(time.monotonic() - begun, 15)


@unittest.skipIf(POSTGRES, POSTGRES)
class PostgreSQL(Locked):
    @classmethod
    def setUpClass(cls):
        cls.server = servers.PostgreSQL().__enter__()
        cls.addClassCleanup(cls.server.close)
        cls.server.sql("""CREATE TABLE a AS SELECT g AS id, repeat('x', 300) AS v FROM generate_series(1, 2000) g; ALTER TABLE a ADD PRIMARY KEY (id);
            CREATE TABLE large AS SELECT g AS id, repeat('x', 300) AS v FROM generate_series(1, 70000) g; ALTER TABLE large ADD PRIMARY KEY (id);
            CREATE ROLE hasty LOGIN; ALTER ROLE hasty SET statement_timeout = '300ms'; GRANT SELECT ON a TO hasty""")

    def client(self):
        return ['psql', '-XAtq', '-h', '127.0.0.1', '-p', str(self.server.port), '-U', 'postgres', '-d', 'shop']

    SLOW = ('--baseline-query', 'SELECT id, v FROM a, pg_sleep(3)', '--key', 'id')

    def test_the_users_own_statement_timeout_ends_the_run_and_is_named(self):
        service = self.write('services', f'[slow]\nhost=127.0.0.1\nport={self.server.port}\ndbname=shop\nuser=postgres\noptions=-c statement_timeout=300\n')
        for locator, by, env in ((self.at('', user='hasty'), 'ALTER ROLE', {}), (self.at('?options=-c%20statement_timeout%3D300'), "the locator's options", {}), (self.at(), 'PGOPTIONS', {'PGOPTIONS': '-c statement_timeout=300'}),
                                 ('service=slow', 'the service file', {'PGSERVICEFILE': service})):
            with self.subTest(by=by):
                begun = time.monotonic()
                self.refused(4, 'statement_timeout of 300 ms', by, 'options=-c%20statement_timeout%3D0', arguments=('-b', locator, '-x', self.at('#a'), *self.SLOW), env=env)
                self.assertLess(time.monotonic() - begun, 3)
        self.equal('-b', self.at('?options=-c%20statement_timeout%3D0', user='hasty'), '-x', self.at('#a'), '--baseline-query', 'SELECT id, v FROM a, pg_sleep(1)')

    def test_a_statement_that_somebody_cancels_is_told_as_that(self):
        run = self.start('-b', self.at(), '-x', self.at('#a'), '--baseline-query', 'SELECT id, v FROM a, pg_sleep(60)')
        servers.wait_until(lambda: self.server.sql("SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE application_name = 'slackwater' AND wait_event = 'PgSleep'") == '1', 'nothing is read')
        self.nothing_is_claimed(run, 'pg_cancel_backend')

    def test_lock_timeout_is_honoured_and_the_holder_is_named(self):
        self.hold('BEGIN; LOCK TABLE a IN ACCESS EXCLUSIVE MODE;')
        servers.wait_until(lambda: self.server.sql("SELECT count(*) FROM pg_locks WHERE relation = 'a'::regclass AND mode = 'AccessExclusiveLock' AND granted") == '1', 'the table is not locked')
        for timeout, most in (('300', 2), ('1500', 4)):
            for more in (('-b', self.at(f'?options=-c%20lock_timeout%3D{timeout}#a')), ('-b', self.at(f'?options=-c%20lock_timeout%3D{timeout}'), '--baseline-query', 'SELECT id, v FROM a')):
                begun = time.monotonic()
                self.refused(4, f'within {timeout} ms', 'a by the process', 'user postgres, psql, idle in transaction', 'lock_timeout', arguments=(*more, '-x', self.at('#large')))
                self.assertLess(time.monotonic() - begun, most)

    def test_waiting_for_a_lock_is_shown_and_ends_when_asked_to(self):
        self.hold('BEGIN; LOCK TABLE a IN ACCESS EXCLUSIVE MODE;')
        servers.wait_until(lambda: self.server.sql("SELECT count(*) FROM pg_locks WHERE relation = 'a'::regclass AND mode = 'AccessExclusiveLock' AND granted") == '1', 'the table is not locked')
        self.waits_and_is_given_up()
        servers.wait_until(lambda: self.server.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'slackwater'") == '0', 'a connection is left')

    def test_a_lock_that_is_released_in_time_is_waited_for(self):
        release = self.hold("BEGIN; LOCK TABLE a IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(1.5); UPDATE a SET v = v WHERE id = 1; COMMIT;")
        servers.wait_until(lambda: self.server.sql("SELECT count(*) FROM pg_locks WHERE relation = 'a'::regclass AND mode = 'AccessExclusiveLock' AND granted") == '1', 'the table is not locked')
        self.equal('-b', self.at('#a'), '-x', self.at('#a'))
        release()

    def test_a_table_that_is_rewritten_while_it_is_waited_for_is_not_empty(self):
        """To a snapshot that is older than its rewriting a table has no rows: the snapshot is taken again."""
        found = []
        for locator, more in ((self.at('#a'), ()), (self.at(), ('--baseline-query', 'SELECT id, v FROM a', '--key', 'id'))):
            release = self.hold("BEGIN; ALTER TABLE a ALTER v TYPE text USING v || ''; SELECT pg_sleep(0.7); COMMIT;")
            servers.wait_until(lambda: self.server.sql("SELECT count(*) FROM pg_locks WHERE relation = 'a'::regclass AND mode = 'AccessExclusiveLock' AND granted") == '1', 'the table is not locked')
            status, report = self.call('-b', locator, '-x', self.at('#large'), *more)
            found.append(report['inputs'][0]['records'])
            release()
        self.assertEqual(found, [2000, 2000])

    def test_who_wants_to_alter_a_large_table_meanwhile_makes_nobody_wait_for_ever(self):
        """The first connection holds the table; an ALTER waits for it, and the further connections would wait for the ALTER."""
        run = self.start('-b', self.at(), '--baseline-query', "SELECT id, v FROM large, (SELECT pg_sleep(2)) s", '-x', self.at('#large'), '--threads', '3')
        servers.wait_until(lambda: self.server.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'slackwater' AND wait_event = 'PgSleep'") == '1', 'nothing is read')
        release = self.hold('ALTER TABLE large ADD more int; ALTER TABLE large DROP more;')
        servers.wait_until(lambda: self.server.sql("SELECT count(*) FROM pg_locks WHERE relation = 'large'::regclass AND NOT granted") == '1', 'nobody waits')
        out, err = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 0, out + err)
        release()

    def test_idle_limits_do_not_end_a_snapshot_that_waits_its_turn(self):
        for threads in ('1', '3'):
            self.equal('-b', self.at(), '--baseline-query', 'SELECT id, v FROM large, (SELECT pg_sleep(1.5)) s', '-x', self.at('#large'), '--threads', threads,
                       env={'PGOPTIONS': '-c idle_in_transaction_session_timeout=500 -c idle_session_timeout=500'})


@unittest.skipIf(MARIADB, MARIADB)
class MariaDB(Locked):
    @classmethod
    def setUpClass(cls):
        cls.server = servers.MariaDB().__enter__()
        cls.addClassCleanup(cls.server.close)
        cls.server.sql("CREATE TABLE a (id INT PRIMARY KEY, v VARCHAR(1000)); INSERT INTO a SELECT seq, REPEAT('v', 300) FROM seq_1_to_2000; "
                       "CREATE TABLE large (id INT PRIMARY KEY, v VARCHAR(1000)); INSERT INTO large SELECT seq, REPEAT('v', 900) FROM seq_1_to_50000")

    def client(self):
        return ['mariadb', '--no-defaults', '--unbuffered', '-u', 'root', f'--socket={self.server.socket}', 'shop']

    def option_file(self, command):
        return '?defaults-file=' + self.write('my.cnf', f'[client]\ninit-command={command}\n')

    def globally(self, setting, value, before):
        self.server.sql(f'SET GLOBAL {setting} = {value}')
        self.addCleanup(self.server.sql, f'SET GLOBAL {setting} = {before}')

    def test_the_users_own_max_statement_time_ends_the_run_and_is_named(self):
        query = ('--baseline-query', "SELECT id, CONCAT(v, SLEEP(0.01)) AS v FROM a", '--key', 'id', '-x', self.at('#a'))
        self.refused(4, 'max_statement_time', 'init-command', arguments=('-b', self.at(self.option_file('SET SESSION max_statement_time = 0.3')), *query))
        self.globally('max_statement_time', '0.3', '0')
        self.refused(4, 'max_statement_time', 'init-command', arguments=('-b', self.at(), *query))
        self.equal('-b', self.at(self.option_file('SET SESSION max_statement_time = 0')), '--baseline-query', 'SELECT id, v FROM a WHERE SLEEP(0.0002) = 0', '-x', self.at('#a'), '--key', 'id')

    def test_lock_wait_timeout_is_honoured_and_the_way_to_the_holder_is_named(self):
        self.hold('LOCK TABLES a WRITE;')
        servers.wait_until(lambda: 'LOCK' in self.server.sql('SHOW OPEN TABLES') or 'a\t1' in self.server.sql('SHOW OPEN TABLES FROM shop'), 'the table is not locked')
        begun = time.monotonic()
        self.refused(4, 'locked', 'SHOW PROCESSLIST', arguments=('-b', self.at(self.option_file('SET SESSION lock_wait_timeout = 2') + '#a'), '-x', self.at('#a')))
        self.assertLess(time.monotonic() - begun, 8)

    def test_waiting_for_a_lock_is_shown_and_ends_when_asked_to(self):
        self.hold('LOCK TABLES a WRITE;')
        servers.wait_until(lambda: 'a\t1' in self.server.sql('SHOW OPEN TABLES FROM shop'), 'the table is not locked')
        self.waits_and_is_given_up()

    def test_the_server_waits_for_a_reader_that_is_slow(self):
        """Its own patience would end within a second while another role is read."""
        for setting, before in (('net_write_timeout', 60), ('net_retry_count', 10), ('wait_timeout', 28800), ('idle_readonly_transaction_timeout', 0), ('idle_transaction_timeout', 0)):
            self.globally(setting, 1, before)
        self.equal('-b', self.at(), '--baseline-query', 'SELECT id, v FROM large WHERE id < 50000 OR SLEEP(5) = 0', '-x', self.at('#large'), '--key', 'id')


if __name__ == '__main__':
    unittest.main()
