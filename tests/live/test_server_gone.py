"""A server that goes away while it is read: no partial answer, no report, exit status 4, and a sentence that says who went.

Each table has a row in its midst at which the server sleeps: a run is met there, with rows before it read and rows behind it missing."""
import json
import os
import signal
import subprocess
import unittest

from reading import PROGRAM, Reading, lacking, servers
from kafka_broker import KafkaMock  # tests/harness

POSTGRES, MARIADB, KAFKA = lacking('postgres', servers.PostgreSQL), lacking('mariadb', servers.MariaDB), lacking('kafka', KafkaMock)
ROWS = 150000


class Gone(Reading):
    OUTPUTS = ('--report', 'report.json', '--differences', 'differences.ndjson', '--states', 'states.ndjson', '--save-state', 'state.ndjson')

    def met(self, condition, *arguments):
        run = self.start(*arguments, *self.OUTPUTS)
        servers.wait_until(condition, 'the run was not met in the middle', run)
        return run


@unittest.skipIf(POSTGRES, POSTGRES)
class PostgreSQL(Gone):
    OURS = "FROM pg_stat_activity WHERE application_name = 'slackwater'"
    ASLEEP = OURS + " AND wait_event = 'PgSleep'"

    @classmethod
    def setUpClass(cls):
        cls.server = servers.PostgreSQL().__enter__()
        cls.addClassCleanup(cls.server.close)
        cls.sql = cls.server.sql
        # arrays are asked for as JSON, for which a type may have a cast of its own
        cls.sql(f"""CREATE TYPE nap AS ENUM ('no', 'yes');
            CREATE FUNCTION doze(nap) RETURNS json LANGUAGE plpgsql AS $$ BEGIN IF $1 = 'yes' THEN PERFORM pg_sleep(100); END IF; RETURN '1'; END $$; CREATE CAST (nap AS json) WITH FUNCTION doze(nap);
            CREATE TABLE a AS SELECT g AS id, repeat('x', 200 + g % 50) || g AS v, CASE g WHEN {ROWS * 2 // 3} THEN '{{yes}}' END::nap[] AS s FROM generate_series(1, {ROWS}) g; ALTER TABLE a ADD PRIMARY KEY (id);
            CREATE TABLE b (id int PRIMARY KEY, v text, s nap[])""")

    def asleep(self):
        return self.sql(f'SELECT count(*) {self.ASLEEP}') == '1'

    def read(self, threads):
        return self.met(self.asleep, '-b', self.at('#a'), '-x', self.at('#b'), '--threads', threads)

    def test_one_connection_is_ended(self):
        run = self.read('1')
        self.sql(f'SELECT pg_terminate_backend(pid) {self.ASLEEP}')
        error = self.nothing_is_claimed(run, 'terminating connection due to administrator command', 'nothing is claimed')
        self.assertEqual((error['code'], error['source']), ('remote', self.at('#a')))

    def test_one_of_several_connections_is_ended_and_the_others_end_with_it(self):
        run = self.read('4')
        self.assertGreater(int(self.sql(f'SELECT count(*) {self.OURS}')), 2)
        self.sql(f'SELECT pg_terminate_backend(pid) {self.ASLEEP}')
        self.nothing_is_claimed(run, 'nothing is claimed')
        servers.wait_until(lambda: self.sql(f'SELECT count(*) {self.OURS}') == '0', 'a connection goes on')

    def test_a_process_of_the_server_is_killed_and_takes_all_with_it(self):
        for threads in ('1', '4'):
            run = self.read(threads)
            os.kill(int(self.sql(f'SELECT pid {self.ASLEEP}')), signal.SIGKILL)
            self.nothing_is_claimed(run, 'nothing is claimed')
            ready = [f'{self.server.bin}/pg_isready', '-q', '-h', '127.0.0.1', '-p', str(self.server.port)]
            servers.wait_until(lambda: subprocess.run(ready, check=False).returncode == 0, 'the server does not come back')

    def test_the_connection_that_reads_a_slot_is_ended(self):
        """The run is stopped while the server collects; then the server has more to send than anybody takes."""
        self.sql('CREATE TABLE c (id int PRIMARY KEY, v text); CREATE TABLE none (id int PRIMARY KEY, v text); CREATE PUBLICATION p FOR TABLE c')
        self.sql("SELECT pg_create_logical_replication_slot('s', 'pgoutput')")
        self.sql('INSERT INTO c SELECT id, v FROM a')
        before = self.sql('SELECT confirmed_flush_lsn FROM pg_replication_slots')
        for how in ('peek', 'copy'):
            run = self.met(lambda: self.sql(f"SELECT count(*) {self.OURS} AND query LIKE 'SELECT lsn%' AND state = 'active'") == '1',
                           '-b', self.at('#none'), '-e', self.at(f'?slot=s&publication=p&read={how}'), '-x', self.at('#c'), '--order', 'postgres')
            run.send_signal(signal.SIGSTOP)
            servers.wait_until(lambda: self.sql(f"SELECT count(*) {self.OURS} AND wait_event = 'ClientWrite'") == '1', 'the server does not wait')
            self.sql(f"SELECT pg_terminate_backend(pid) {self.OURS} AND wait_event = 'ClientWrite'")
            run.send_signal(signal.SIGCONT)
            self.assertIn('slot=s', self.nothing_is_claimed(run, 'nothing is claimed')['source'])
            servers.wait_until(lambda: self.sql('SELECT count(*) FROM pg_replication_slots WHERE active OR temporary') == '0', 'a slot is in use')
        self.assertEqual(self.sql('SELECT slot_name, confirmed_flush_lsn FROM pg_replication_slots'), f's|{before}')
        self.sql("SELECT pg_drop_replication_slot('s')")

    def test_the_whole_server_is_killed(self):
        own = servers.PostgreSQL().__enter__()
        self.addCleanup(own.close)
        own.sql(f"CREATE TABLE b (id int PRIMARY KEY, v text, s text); CREATE TABLE a AS SELECT g AS id, repeat('x', 200) AS v FROM generate_series(1, {ROWS}) g")
        run = self.met(lambda: own.sql(f'SELECT count(*) {self.ASLEEP}') == '1', '-b', own.locator(), '--baseline-query', f'SELECT id, v FROM a WHERE id < {ROWS // 2} OR id = {ROWS // 2} AND pg_sleep(100) IS NULL', '-x', own.locator('#b'), '--key', 'id')
        own.stop_process(signal.SIGKILL)
        self.assertEqual(self.nothing_is_claimed(run, 'nothing is claimed')['source'], own.locator())


@unittest.skipIf(MARIADB, MARIADB)
class MariaDB(Gone):
    @classmethod
    def setUpClass(cls):
        cls.server = servers.MariaDB().__enter__()
        cls.addClassCleanup(cls.server.close)
        cls.server.sql(f"""CREATE TABLE a (id INT PRIMARY KEY, v VARCHAR(1000)); INSERT INTO a SELECT seq, REPEAT('v', 250) FROM seq_1_to_{ROWS}; CREATE TABLE b LIKE a;
            CREATE VIEW middle AS SELECT id, v FROM a WHERE id <> {ROWS // 2} OR SLEEP(100) = 0""")

    def asleep(self):
        return self.server.sql("SELECT id FROM information_schema.processlist WHERE state = 'User sleep'")

    def read(self):
        return self.met(self.asleep, '-b', self.at('#middle'), '-x', self.at('#b'), '--key', 'id')

    def test_the_connection_is_killed(self):
        run = self.read()
        self.server.sql(f'KILL CONNECTION {self.asleep()}')
        error = self.nothing_is_claimed(run, 'nothing is claimed')
        self.assertEqual((error['code'], error['source']), ('remote', self.at('#middle')))

    def test_the_query_is_killed(self):
        run = self.read()
        self.server.sql(f'KILL QUERY {self.asleep()}')
        self.assertEqual(self.nothing_is_claimed(run, 'KILL QUERY')['source'], self.at('#middle'))

    def test_the_server_is_killed(self):
        run = self.read()
        self.server.stop_process(signal.SIGKILL)
        self.assertEqual(self.nothing_is_claimed(run, 'nothing is claimed')['source'], self.at('#middle'))
        self.server.launch()
        self.assertEqual(self.server.sql('SELECT COUNT(*) FROM a'), str(ROWS))


@unittest.skipIf(KAFKA, KAFKA)
class Kafka(Gone):
    def test_the_broker_is_killed_between_two_partitions(self):
        """Other events come first, from a stream that goes on until the broker is gone: the topic was opened by then, and its first partition may be here, but not its second."""
        kafka = KafkaMock('orders', partitions=2).__enter__()
        self.addCleanup(kafka.close)

        def change(key):
            return f'{{"op":"c","before":null,"after":{{"id":{key}}},"source":{{"connector":"postgresql","name":"s","db":"d","schema":"public","table":"orders","lsn":1}}}}'
        for partition in (0, 1):
            kafka.produce('orders', partition, [(f'{{"id":{k}}}', change(k)) for k in range(partition, 2000, 2)])
        run = subprocess.Popen([PROGRAM, 'reconcile', '--json', '--progress', 'json', '-e', '-', '-e', kafka.locator('orders'), '-x', '/dev/null', '--key', 'id', '--order', 'kafka', '--type', 'id=integer', *self.OUTPUTS],
                               cwd=self.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for k in range(2000):
            run.stdin.write(json.dumps({'topic': 'orders', 'partition': 7, 'offset': k, 'key': f'{{"id":{k}}}', 'payload': change(k)}) + '\n')
        run.stdin.flush()
        line = ''
        while 'reading events' not in line:
            line = run.stderr.readline()
            self.assertTrue(line, 'the run was over before it was met')
        kafka.process.kill()
        kafka.process.wait()
        error = self.nothing_is_claimed(run, 'orders')
        self.assertEqual(error['code'], 'remote')
        self.assertEqual(error['source'], kafka.locator('orders'))


if __name__ == '__main__':
    unittest.main()
