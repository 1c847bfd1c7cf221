"""Tables and queries of PostgreSQL as inputs, against a server of the test's own."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
from program import ENVIRONMENT, PROGRAM  # noqa: E402
from servers import PostgreSQL, wait_until  # noqa: E402

HERE = subprocess.run([PROGRAM, 'sources'], capture_output=True, text=True, check=True).stdout
HERE = next((line for line in HERE.splitlines() if line.startswith('postgres')), 'postgres (not here: it is not listed)')
SECRET = 'hunter2-s3cr3t'


def skip_reason():
    return HERE if '(not here' in HERE else PostgreSQL.unavailable()


@unittest.skipIf(skip_reason(), skip_reason())
class PostgresSource(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = PostgreSQL(['log_connections = on'])
        cls.server.__enter__()
        cls.addClassCleanup(cls.server.close)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.sql = self.server.sql
        self.sql('DROP PUBLICATION IF EXISTS pub; DROP SCHEMA public CASCADE; CREATE SCHEMA public; GRANT USAGE ON SCHEMA public TO PUBLIC')

    def at(self, rest='', **more):
        return self.server.locator(rest, **more)

    def start(self, *arguments):
        return subprocess.Popen([PROGRAM, 'reconcile', '--json', *arguments], cwd=self.folder, env=ENVIRONMENT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def call(self, *arguments):
        done = subprocess.run([PROGRAM, 'reconcile', '--json', *arguments], cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
        return done.returncode, json.loads(done.stdout)

    def refused(self, status, *texts, arguments):
        found, report = self.call(*arguments)
        self.assertEqual(found, status, report)
        for text in texts:
            self.assertIn(text, report['error']['text'])

    def connections(self):
        with open(self.server.log, encoding='utf-8') as f:
            return f.read().count('connection authorized')

    def test_the_binary_form_says_what_the_text_form_says(self):
        """Every type: the table itself against its own COPY as CSV, which reads no line of the binary decoder."""
        self.sql("""CREATE DOMAIN positive AS numeric(20,4) CHECK (value > 0); CREATE TYPE mood AS ENUM ('sad', 'it''s "ok"');
            CREATE TABLE t (id bigint PRIMARY KEY, o bool, i2 smallint, i4 int, i8 bigint, f4 real, f8 float8, n numeric, s text, v varchar(20), c char(6), b bytea, u uuid, d date, ti time,
              ttz timetz, ts timestamp, tz timestamptz, j json, jb jsonb, dom positive, e mood, oi oid, ip inet, net cidr, mac macaddr, iv interval, bits bit(3), vb varbit, r int4range, p point, m money, x xml);
            INSERT INTO t SELECT g, g % 2 = 0, g - 50, g * 1000003 - 50000000, g * 92233720368547 , g / 7.0, exp(g / 3.0 - 20), round((g - 50) * 12345.678901 * 10::numeric ^ (g % 40 - 20), g % 30), repeat(chr(945), g % 9) || E'\\n"',
              'v' || g, 'c' || g, decode(lpad(to_hex(g), 2 * (g % 5 + 1), '0'), 'hex'), md5(g::text)::uuid, date '0001-01-01 BC' + g * 9973, time '00:00' + g * interval '14.123456 minutes', timetz '10:00+02' + g * interval '1 minute',
              timestamp '1582-10-10' + g * interval '10 years 3.000001 seconds', timestamptz '2038-01-19 03:14:07.999999+05:30' - g * interval '7 years', json_build_object('a', g / 3.0, 'b', array[g, null]),
              jsonb_build_array(g, 'x' || g, null, true), g + 0.0001, CASE g % 2 WHEN 0 THEN 'sad' ELSE 'it''s "ok"' END::mood, 4294967295 - g, ('10.0.0.' || g)::inet, ('10.' || g || '.0.0/16')::cidr, '08:00:2b:01:02:03', g * interval '1 month 1 day 0.5 second',
              (g % 8)::bit(3), g::bit(9)::varbit, int4range(g, g + 5), point(g, 0.1), g::numeric::money, xmlelement(name a, g) FROM generate_series(1, 100) g;
            INSERT INTO t (id, f4, f8, n, d, ts, tz, ti, s, b) VALUES (1001, 'NaN', 'NaN', 'NaN', 'infinity', 'infinity', '-infinity', '24:00', '', ''), (1002, 'Infinity', '-Infinity', 'Infinity', '-infinity', '-infinity', 'infinity', '00:00', NULL, NULL),
              (1003, '-0', '-0', '-Infinity', '4713-01-01 BC', '4713-01-01 BC', '4713-01-01 BC', NULL, 'x', '\\x00'), (1004, '1e-45', '5e-324', 1e-300, '5874897-12-31', '294276-12-31 23:59:59.999999', '294276-12-31 23:59:59.999999Z', NULL, 'x', NULL),
              (1005, '3.4028235e38', '1.7976931348623157e308', 123456789012345678901234567890.1e100, NULL, NULL, NULL, NULL, NULL, NULL)""")
        csv = subprocess.run(['psql', '-XAtq', '-h', '127.0.0.1', '-p', str(self.server.port), '-U', 'postgres', '-d', 'shop', '-c', "SET intervalstyle = iso_8601; SET timezone = 'UTC'; COPY t TO STDOUT (FORMAT csv, HEADER)"],
                             capture_output=True, text=True, check=True).stdout
        with open(os.path.join(self.folder, 't.csv'), 'w', encoding='utf-8') as f:
            f.write(csv)
        status, report = self.call('-b', self.at('#t'), '-x', 't.csv', '--list', '3')
        self.assertEqual({c['name']: (c, d['key']) for d in report.get('differences', ()) for c in d['columns']}, {})
        self.assertEqual((status, report.get('undecided')), (0, []), report.get('error'))
        self.assertEqual(report['counts']['equal'], 105)
        for type_text in ('i2 integer', 'n decimal', 'u uuid', 'tz timestamptz', 'jb json', 'dom decimal', 'e text', 'ip text', 'b bytes'):
            self.assertIn(type_text, '; '.join(report['assumed']))

    def test_arrays_are_json_arrays(self):
        self.sql("CREATE TABLE t (id int PRIMARY KEY, a int[], b text[], n numeric[]); INSERT INTO t VALUES (1, '{1,NULL,3}', '{\"a b\",\"\\\"\"}', '{1.10,NaN}'), (2, '{{1,2},{3,4}}', '{}', NULL)")
        with open(os.path.join(self.folder, 'x.ndjson'), 'w', encoding='utf-8') as f:
            f.write('{"id":1,"a":[1,null,3],"b":["a b","\\""],"n":[1.1,"NaN"]}\n{"id":2,"a":[[1,2],[3,4]],"b":[],"n":null}\n')
        status, report = self.call('-b', self.at('#t'), '-x', 'x.ndjson')
        self.assertEqual((status, report.get('differences')), (0, []), report)

    def test_keys_come_from_the_catalogue(self):
        self.sql("""CREATE TABLE a (v text, y int, x int, PRIMARY KEY (x, y)); INSERT INTO a VALUES ('p', 2, 1), ('q', 1, 2);
            CREATE TABLE b AS SELECT * FROM a; CREATE UNIQUE INDEX i ON b (x, y); ALTER TABLE b ALTER x SET NOT NULL, ALTER y SET NOT NULL, REPLICA IDENTITY USING INDEX i; UPDATE b SET v = '!' WHERE x = 2;
            CREATE TABLE c AS SELECT * FROM a; CREATE TABLE d (v text PRIMARY KEY, x int, y int)""")
        status, report = self.call('-b', self.at('#a'), '-x', self.at('#b'))
        self.assertEqual([(d['key'], d['reason']) for d in report['differences']], [({'x': 2, 'y': 1}, 'state-mismatch')])
        self.assertEqual(self.call('-b', self.at('#a'), '-x', self.at('#c'))[0], 0)
        self.refused(2, '--key', 'no primary key', arguments=('-b', self.at('#c'), '-x', self.at('#c')))
        self.refused(2, 'primary keys differ', 'x,y', arguments=('-b', self.at('#a'), '-x', self.at('#d')))

    def test_names_may_hold_anything(self):
        self.sql('''CREATE SCHEMA "odd.S""q"; CREATE TABLE "odd.S""q"."T#1 %" ("Id ""x""" int PRIMARY KEY, "select" text, "a.b" text); INSERT INTO "odd.S""q"."T#1 %" VALUES (1, 'a', 'b')''')
        self.addCleanup(self.sql, 'DROP SCHEMA "odd.S""q" CASCADE')
        locator = self.at('#odd%2ES%22q.T%231%20%25')
        status, report = self.call('-b', locator, '-x', locator)
        self.assertEqual((status, report.get('counts', {}).get('equal')), (0, 1), report)

    def test_what_is_not_there_is_named_with_what_is_near(self):
        self.sql('CREATE TABLE orders (id int PRIMARY KEY)')
        self.refused(2, 'there is no table ordres', 'public.orders', arguments=('-b', self.at('#ordres'), '-x', self.at('#orders')))
        self.refused(2, 'no table is named', arguments=('-b', self.at(), '-x', self.at('#orders')))
        self.refused(4, 'cannot connect', arguments=('-b', self.at('#orders').replace('/shop', '/shup'), '-x', self.at('#orders')))
        self.refused(2, 'column "idd" does not exist', arguments=('-b', self.at(), '--baseline-query', 'SELECT idd FROM orders', '-x', self.at('#orders')))
        self.refused(2, 'syntax error', arguments=('-b', self.at(), '--baseline-query', 'SELECT id FROM orders; DROP TABLE orders', '-x', self.at('#orders')))
        self.refused(2, 'both named', arguments=('-b', self.at(), '--baseline-query', 'SELECT 1 id, 2 id', '-x', self.at('#orders')))
        self.refused(2, 'empty', arguments=('-b', self.at(), '--baseline-query', ' ; ', '-x', self.at('#orders')))
        self.assertEqual(self.sql('SELECT count(*) FROM orders'), '0')

    def test_queries_views_and_partitions(self):
        self.sql("""CREATE TABLE p (id int PRIMARY KEY, v text) PARTITION BY RANGE (id); CREATE TABLE p1 PARTITION OF p FOR VALUES FROM (0) TO (10); CREATE TABLE p2 PARTITION OF p FOR VALUES FROM (10) TO (20);
            INSERT INTO p SELECT g, 'v' || g FROM generate_series(0, 19) g; CREATE VIEW w AS SELECT id, upper(v) AS v FROM p""")
        self.assertEqual(self.call('-b', self.at('#p'), '-x', self.at(), '--expected-query', "WITH c AS (SELECT 1) SELECT id, lower(v) AS v FROM w -- all\n;")[0], 0)
        status, report = self.call('-b', self.at('#p'), '-x', self.at('#w'))
        self.assertEqual((status, report['counts']['different']), (1, 20))

    def test_nothing_is_ever_written(self):
        self.sql("""CREATE TABLE t (id int PRIMARY KEY); INSERT INTO t VALUES (1);
            CREATE FUNCTION sneak() RETURNS int LANGUAGE plpgsql AS 'BEGIN INSERT INTO t VALUES (2); RETURN 1; END'; CREATE VIEW v AS SELECT id, sneak() AS s FROM t; CREATE SEQUENCE q""")
        self.refused(2, 'read-only', arguments=('-b', self.at('#v'), '-x', self.at('#t'), '--key', 'id'))
        for query in ('SELECT sneak() AS id', "SELECT nextval('q') AS id", "SELECT set_config('transaction_read_only', 'off', false), sneak() AS id", 'DELETE FROM t RETURNING id', 'WITH x AS (DELETE FROM t RETURNING id) SELECT * FROM x',
                      'SELECT 1 AS id) TO PROGRAM $$touch /tmp/slackwater-was-here$$ --'):
            self.assertEqual((query, self.call('-b', self.at(), '--baseline-query', query, '-x', self.at('#t'), '--key', 'id')[0]), (query, 2))
        self.assertEqual(self.sql('SELECT array_agg(id) FROM t'), '{1}')
        self.assertEqual(self.sql('SELECT is_called FROM q'), 'f')
        self.assertFalse(os.path.exists('/tmp/slackwater-was-here'))

    def test_rights_that_are_missing_are_told_and_policies_leave_no_row_out(self):
        self.sql("""DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN; CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'a'), (2, 'b'); CREATE TABLE u AS SELECT * FROM t; ALTER TABLE u ADD PRIMARY KEY (id);
            GRANT SELECT ON u TO reader; ALTER TABLE u ENABLE ROW LEVEL SECURITY; CREATE POLICY one ON u USING (id = 1)""")
        self.addCleanup(self.sql, 'DROP OWNED BY reader; DROP ROLE reader')
        self.refused(4, 'permission denied', 'grant', arguments=('-b', self.at('#t', user='reader'), '-x', self.at('#t')))
        self.refused(4, 'row-level security', arguments=('-b', self.at('#t'), '-x', self.at('#u', user='reader')))
        self.sql('GRANT SELECT ON t TO reader')
        status, report = self.call('-b', self.at('#t', user='reader'), '-x', self.at('#u'))
        self.assertEqual(status, 0)
        self.assertRegex(report['inputs'][0]['position'], r'^lsn [0-9A-F]+/[0-9A-F]+ of a primary, system \d+, \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$')

    def test_a_large_table_is_read_over_several_connections_with_the_same_result(self):
        self.sql("""CREATE TABLE a AS SELECT g AS id, repeat('x', 200 + g % 50) || g AS v FROM generate_series(1, 150000) g; ALTER TABLE a ADD PRIMARY KEY (id);
            CREATE TABLE b AS TABLE a; ALTER TABLE b ADD PRIMARY KEY (id); UPDATE b SET v = 'y' WHERE id % 5000 = 0; DELETE FROM b WHERE id % 7000 = 0""")
        found = []
        for threads, connections in (('1', 2), ('3', 8)):
            before = self.connections()
            status, report = self.call('-b', self.at('#a'), '-x', self.at('#b'), '--threads', threads)
            self.assertEqual(status, 1)
            self.assertEqual((threads, self.connections() - before), (threads, connections))
            found.append([report[k] for k in ('counts', 'differences', 'dispositions', 'records')])
        self.assertEqual(found[0][0]['equal'], 150000 - 30 - 21 + 4)
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], [self.call('-b', self.at('#a'), '-x', self.at('#b'), '--threads', '4', '--block-bytes', '3000', '--memory', '20M')[1][k] for k in ('counts', 'differences', 'dispositions', 'records')])

    def test_where_no_further_connection_is_free_one_reads_it_all(self):
        self.sql("DROP ROLE IF EXISTS single; CREATE ROLE single LOGIN CONNECTION LIMIT 1; CREATE TABLE a AS SELECT g AS id, repeat('x', 200) AS v FROM generate_series(1, 100000) g; ALTER TABLE a ADD PRIMARY KEY (id); GRANT SELECT ON a TO single")
        self.addCleanup(self.sql, 'DROP OWNED BY single; DROP ROLE single')
        status, report = self.call('-b', self.at('#a', user='single'), '-x', self.at('#a'), '--threads', '3')
        self.assertEqual((status, report.get('counts', {}).get('equal')), (0, 100000), report)

    def test_all_that_is_read_stood_there_at_one_time(self):
        """Both snapshots are taken before anything is read; then the table changes."""
        self.sql("CREATE TABLE a AS SELECT g AS id, repeat('x', 300) AS v FROM generate_series(1, 70000) g; ALTER TABLE a ADD PRIMARY KEY (id)")
        for threads in ('1', '3'):
            run = self.start('-b', self.at(), '--baseline-query', "SELECT g AS id, repeat('x', 300) AS v FROM generate_series(1, 70000) g, (SELECT pg_sleep(3)) s", '-x', self.at('#a'), '--threads', threads)
            wait_until(lambda: self.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'slackwater' AND state = 'active'") == '1', 'nothing is read')
            self.sql("UPDATE a SET v = 'changed' WHERE id % 3 = 0; DELETE FROM a WHERE id = 1; INSERT INTO a VALUES (99999999, 'new')")
            out, _ = run.communicate(timeout=120)
            self.assertEqual((threads, run.returncode), (threads, 0), out)
            self.sql("UPDATE a SET v = repeat('x', 300); DELETE FROM a WHERE id = 99999999; INSERT INTO a VALUES (1, repeat('x', 300))")

    def test_a_server_that_goes_away_ends_the_run_and_nothing_is_claimed(self):
        self.sql("CREATE TABLE a AS SELECT g AS id, repeat('x', 300) AS v FROM generate_series(1, 1000) g; ALTER TABLE a ADD PRIMARY KEY (id)")
        run = self.start('-b', self.at('#a'), '-x', self.at(), '--expected-query', 'SELECT id, v, pg_sleep(0.05) FROM a', '--report', 'report.json', '--ignore', 'pg_sleep')
        wait_until(lambda: self.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'slackwater' AND state = 'active'") == '1', 'nothing is read')
        self.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'slackwater'")
        out, _ = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 4)
        self.assertIn('error', json.loads(out))
        self.assertEqual(os.listdir(self.folder), [])

    def test_an_interruption_ends_a_query_that_takes_long(self):
        self.sql('CREATE TABLE a (id int PRIMARY KEY); INSERT INTO a VALUES (1)')
        run = self.start('-b', self.at('#a'), '-x', self.at(), '--expected-query', 'SELECT id FROM a, pg_sleep(300)')
        wait_until(lambda: self.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'slackwater' AND state = 'active'") == '1', 'nothing is read')
        run.send_signal(signal.SIGINT)
        begun = time.monotonic()
        run.communicate(timeout=60)
        self.assertEqual(run.returncode, -signal.SIGINT)
        self.assertLess(time.monotonic() - begun, 30)
        wait_until(lambda: self.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'slackwater'") == '0', 'the query goes on')

    def test_several_connections_end_together(self):
        """One lost connection, or an interruption, in the middle of a large table: no other goes on, and nothing hangs."""
        self.sql("CREATE TABLE a AS SELECT g AS id, repeat('x', 200 + g % 50) || g AS v FROM generate_series(1, 300000) g; ALTER TABLE a ADD PRIMARY KEY (id)")
        ours = "FROM pg_stat_activity WHERE application_name = 'slackwater'"
        for end in ('lost', 'interrupted'):
            for _ in range(10):  # a fast machine may be done before it is met in the middle
                run = self.start('-b', self.at('#a'), '-x', self.at('#a'), '--threads', '4', '--report', 'report.json')
                while run.poll() is None and int(self.sql(f"SELECT count(*) {ours} AND query LIKE 'COPY%'")) < 2:
                    pass
                if end == 'lost':
                    self.sql(f"SELECT pg_terminate_backend(pid) {ours} AND query LIKE 'COPY%' LIMIT 1")
                elif run.poll() is None:
                    run.send_signal(signal.SIGINT)
                out, _ = run.communicate(timeout=60)
                if run.returncode != 0:
                    break
                os.unlink(os.path.join(self.folder, 'report.json'))
            self.assertEqual((end, run.returncode), (end, 4 if end == 'lost' else -signal.SIGINT), out)
            self.assertEqual(os.listdir(self.folder), [])
            wait_until(lambda: self.sql(f'SELECT count(*) {ours}') == '0', 'a connection goes on')

    def slot(self, *changes, plugin='pgoutput'):
        """A table, its copy as it was when the slot was made, and what happened then: each change a transaction."""
        self.sql("""CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE DOMAIN positive AS numeric(10,2);
            CREATE TABLE t (id int PRIMARY KEY, a text, n numeric, f float8, b bytea, o bool, arr int[], words text[], m mood, d positive, tz timestamptz, iv interval, big text, j jsonb);
            ALTER TABLE t ALTER big SET STORAGE EXTERNAL; CREATE TABLE other (id int PRIMARY KEY); CREATE PUBLICATION pub FOR TABLE t, other;
            INSERT INTO t SELECT g, 'a' || g, g + 0.10, g / 3.0, decode('00ff', 'hex'), g % 2 = 0, array[g, NULL], array['x', 'y "z", \\'], 'ok', 5, '2020-01-01 00:00+02', '1 mon', repeat('x', 5000), '{"a":[1,2.50]}' FROM generate_series(1, 20) g;
            CREATE TABLE base AS TABLE t; ALTER TABLE base ADD PRIMARY KEY (id)""")
        self.sql(f"SELECT pg_create_logical_replication_slot('s', '{plugin}')")
        self.addCleanup(self.sql, "SELECT pg_drop_replication_slot('s')")
        for change in changes:
            self.sql(change)

    def slot_state(self):
        """The server itself may move restart_lsn up to where the consumer has confirmed: nothing that it may still ask for."""
        return self.sql('SELECT slot_name, confirmed_flush_lsn FROM pg_replication_slots')

    CHANGES = ("UPDATE t SET a = 'changed' WHERE id = 1", "INSERT INTO t (id, n, f, b, arr) VALUES (100, 'NaN', '-Infinity', '', '{{1,2},{3,4}}')", 'DELETE FROM t WHERE id = 2', "UPDATE t SET id = 300, a = 'moved' WHERE id = 3",
               "BEGIN; INSERT INTO t (id, a) VALUES (4000, 'x'); ROLLBACK", "BEGIN; INSERT INTO t (id, a) VALUES (500, 'five'); UPDATE t SET a = 'fünf', words = '{\"\",NULL,\"NULL\",\"a\\\\\\\"b\"}' WHERE id = 500; COMMIT",
               'INSERT INTO other VALUES (1)', "UPDATE t SET j = '[]', d = NULL, m = 'sad' WHERE id = 7", 'ALTER TABLE t ADD late int DEFAULT 3', 'UPDATE t SET late = id WHERE id > 15', 'ALTER TABLE t DROP late')

    def test_a_slot_is_looked_at_and_never_consumed(self):
        self.slot(*self.CHANGES)
        before = self.slot_state()
        for how in ('peek', 'copy'):
            arguments = ('-b', self.at('#base'), '-e', self.at(f'?slot=s&publication=pub&read={how}'), '-x', self.at('#t'), '--table', 't', '--order', 'postgres', '--ignore', 'late')
            for more in ((), ('--threads', '3', '--block-bytes', '300')):
                status, report = self.call(*arguments, *more)
                self.assertEqual((status, report.get('differences'), report.get('undecided')), (0, [], []), report)
            self.assertEqual(report['counts']['keys'], 23)
            self.assertEqual(report['dispositions']['otherTable'], 1)
            self.assertRegex(report['inputs'][1]['position'], '^slot from [0-9A-F]+/[0-9A-F]+ up to [0-9A-F]+/[0-9A-F]+, ')
        done = subprocess.run([PROGRAM, 'position', 'scan', '--json', '--events', self.at('?slot=s&publication=pub&read=peek'), '--order', 'postgres'], env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
        self.assertIn('public.other', done.stdout)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(self.slot_state(), before)
        self.sql("UPDATE t SET a = 'lost on the way' WHERE id = 9")
        status, report = self.call('-b', self.at('#base'), '-e', self.at('?slot=s&publication=pub&read=peek'), '-x', self.at('#base'), '--table', 't', '--order', 'postgres', '--ignore', 'late')
        self.assertEqual(status, 1, report)
        self.assertEqual(sorted(d['key']['id'] for d in report['differences']), [1, 2, 3, 7, 9, 100, 300, 500])

    def test_old_rows_of_a_full_identity_and_truncates_come_through_a_slot(self):
        self.slot('ALTER TABLE t REPLICA IDENTITY FULL', *self.CHANGES[:4], 'TRUNCATE t', "INSERT INTO t (id, a) VALUES (1, 'again')")
        status, report = self.call('-b', self.at('#base'), '-e', self.at('?slot=s&publication=pub&read=peek'), '-x', self.at('#t'), '--table', 't', '--order', 'postgres')
        self.assertEqual((status, report.get('differences'), report.get('undecided')), (0, [], []), report)
        self.assertEqual(report['counts']['tombstones'], 21)

    def test_a_long_change_is_a_bad_record(self):
        self.slot("INSERT INTO t (id, big) VALUES (100, repeat('y', 5000))", "INSERT INTO t (id, a) VALUES (101, 'short')", "INSERT INTO t (id, big) VALUES (102, repeat('z', 6000))")
        query = 'SELECT id, a FROM base'
        status, report = self.call('-b', self.at(), '--baseline-query', query, '-e', self.at('?slot=s&publication=pub&read=peek'), '-x', self.at(), '--expected-query', query, '--key', 'id', '--order', 'postgres', '--record-max', '4K')
        self.assertEqual(status, 2, report)
        self.assertEqual([(b['record'].split(':')[-1], b['reason']) for b in report['badRecords']['listed']], [('2', 'too-long'), ('8', 'too-long')])
        self.assertEqual(report['inputs'][1]['records'], 9)

    def test_what_stands_in_the_way_of_reading_a_slot_is_said_before(self):
        self.slot()
        at = lambda query: ('-b', self.at('#base'), '-e', self.at(query), '-x', self.at('#t'), '--order', 'postgres')  # noqa: E731
        self.refused(2, 'nobody else can use it', 'read=peek', 'read=copy', arguments=at('?slot=s&publication=pub'))
        self.refused(2, 'there is no replication slot zz; there is s', arguments=at('?slot=zz&publication=pub&read=peek'))
        self.refused(2, 'publication=NAME', 'pub', arguments=at('?slot=s&read=peek'))
        self.refused(2, 'there is no publication nope; there is pub', arguments=at('?slot=s&publication=nope&read=peek'))
        self.refused(2, 'no table', arguments=at('?slot=s&publication=pub&read=peek#t'))
        self.sql("SELECT pg_create_logical_replication_slot('td', 'test_decoding'), pg_create_physical_replication_slot('ph')")
        self.addCleanup(self.sql, "SELECT pg_drop_replication_slot('td'), pg_drop_replication_slot('ph')")
        self.refused(2, 'test_decoding', arguments=at('?slot=td&read=peek'))
        self.refused(2, 'physical', arguments=at('?slot=ph&read=peek'))
        self.sql('CREATE ROLE nobody LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO nobody')
        self.addCleanup(self.sql, 'DROP OWNED BY nobody; DROP ROLE nobody')
        self.refused(4, 'replication', arguments=('-b', self.at('#base'), '-e', self.at('?slot=s&publication=pub&read=peek', user='nobody'), '-x', self.at('#t'), '--order', 'postgres'))
        user = subprocess.Popen([f'{self.server.bin}/pg_recvlogical', '-h', '127.0.0.1', '-p', str(self.server.port), '-U', 'postgres', '-d', 'shop', '--slot', 's', '--start', '-f', '-', '-o', 'proto_version=1', '-o', 'publication_names=pub'],
                                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_until(lambda: self.sql("SELECT active FROM pg_replication_slots WHERE slot_name = 's'") == 't', 'the slot is not used')
            self.refused(4, 'in use by the process', 'read=copy', arguments=at('?slot=s&publication=pub&read=peek'))
            status, report = self.call(*at('?slot=s&publication=pub&read=copy'))
            self.assertEqual(status, 0, report)
        finally:
            user.terminate()
            user.wait()

    def test_no_output_holds_a_secret(self):
        self.sql("CREATE TABLE a (id int PRIMARY KEY, v text); INSERT INTO a VALUES (1, 'a'); CREATE TABLE b (id int PRIMARY KEY, v text)")
        secret = self.at('#a').replace('postgres@', f'postgres:{SECRET}@')
        texts = []
        for arguments in ((secret, secret.replace('#a', '#b')), (secret.replace('#a', '#nope'), secret), (secret.replace('/shop', '/none'), secret), (secret + '?x', secret), (secret.replace('/shop', f'/shop?sslpassword={SECRET}'),) * 2,
                          (secret.replace('/shop', f'/shop?password={SECRET}&x=1'),) * 2):
            for form in (['--json'], []):
                done = subprocess.run([PROGRAM, 'reconcile', '-b', arguments[0], '-x', arguments[1], '--report', 'r.json', '--differences', 'd.ndjson', '--states', 's.ndjson', '--save-state', 'st.ndjson', '--quarantine', 'q.ndjson', *form],
                                      cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
                texts += [done.stdout, done.stderr]
        for name in os.listdir(self.folder):
            with open(os.path.join(self.folder, name), encoding='utf-8') as f:
                texts.append(f.read())
        self.assertGreater(sum('postgres:***@' in t or '***' in t for t in texts), 5)
        self.assertEqual([t for t in texts if SECRET in t], [])


if __name__ == '__main__':
    unittest.main()
