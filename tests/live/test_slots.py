"""Replication slots beyond the usual one: other plugins, large backlogs, publications that leave something out, slots that cannot be read, standbys."""
import os
import subprocess
import unittest

from reading import PROGRAM, Reading, lacking, servers

MISSING = lacking('postgres', servers.PostgreSQL)
PLUGIN = None if MISSING or os.path.exists(os.path.join(os.path.dirname(servers.PostgreSQL.bin), 'lib', 'wal2json.so')) else 'the output plugin wal2json is not installed'
CHANGES = ("UPDATE t SET a = 'changed' WHERE id = 1", "INSERT INTO t VALUES (100, 'NaN', 1e30, '{1,NULL}', '\\x00ff')", 'DELETE FROM t WHERE id = 2', "UPDATE t SET id = 300, a = 'moved' WHERE id = 3",
           "BEGIN; INSERT INTO t VALUES (4000, 'x'); ROLLBACK", "BEGIN; INSERT INTO t VALUES (500, 'five'); UPDATE t SET a = 'fünf' WHERE id = 500; COMMIT", 'INSERT INTO other VALUES (1)')


def known_settings():
    """Some builds of PostgreSQL let slots load only the plugins that a setting names."""
    known = '' if MISSING else subprocess.run([f'{servers.PostgreSQL.bin}/postgres', '--describe-config'], capture_output=True, text=True, check=True).stdout
    return ["output_plugin_libraries = 'pgoutput,test_decoding,wal2json'"] if 'output_plugin_libraries' in known else []


@unittest.skipIf(MISSING, MISSING)
class Slots(Reading):
    @classmethod
    def setUpClass(cls):
        cls.server = servers.PostgreSQL(['max_slot_wal_keep_size = 48MB', 'min_wal_size = 32MB', 'max_wal_size = 32MB', 'max_prepared_transactions = 5', 'log_statement = all', *known_settings()]).__enter__()
        cls.addClassCleanup(cls.server.close)

    def setUp(self):
        super().setUp()
        self.sql = self.server.sql
        self.addCleanup(self.sql, 'SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots')
        for each in self.sql('SELECT pubname FROM pg_publication').split():
            self.sql(f'DROP PUBLICATION {each}')
        self.sql("""DROP SCHEMA public CASCADE; CREATE SCHEMA public; CREATE TABLE t (id int PRIMARY KEY, a text, n numeric, arr int[], b bytea); CREATE TABLE other (id int PRIMARY KEY); CREATE PUBLICATION pub FOR TABLE t;
            INSERT INTO t SELECT g, 'a' || g, g + 0.10 FROM generate_series(1, 20) g; CREATE TABLE base AS TABLE t; ALTER TABLE base ADD PRIMARY KEY (id)""")

    def slot(self, name, plugin='pgoutput', two_phase=False):
        self.sql(f"SELECT pg_create_logical_replication_slot('{name}', '{plugin}', false, {two_phase})")

    def change(self, *statements):
        for each in statements:
            self.sql(each)

    def arguments(self, query, *more):
        return ('-b', self.at('#base'), '-e', self.at(query), '-x', self.at('#t'), '--order', 'postgres', '--table', 't', *more)

    def told(self, report):
        return [line.split(': ', 1)[1] for line in report['assumed'] if line.startswith('events, ')]

    def standing(self):
        """The server may move restart_lsn up to where the consumer has confirmed: nothing that it may still ask for."""
        return self.sql('SELECT slot_name, confirmed_flush_lsn, active FROM pg_replication_slots ORDER BY 1')

    @unittest.skipIf(PLUGIN, PLUGIN)
    def test_wal2json_gives_what_pgoutput_gives_and_nothing_is_consumed(self):
        self.slot('s')
        self.slot('w', 'wal2json')
        self.change(*CHANGES)
        before, found = self.standing(), []
        for query in ('?slot=s&publication=pub&read=peek', '?slot=s&publication=pub&read=copy', '?slot=w&read=peek', '?slot=w&read=copy'):
            status, report = self.call(*self.arguments(query))
            self.assertEqual((query, status, report.get('differences')), (query, 0, []), report.get('error'))
            found.append(report['counts'])
            self.assertEqual(self.told(report), [])
        self.assertEqual([each for each in found if each != found[0]], [])
        self.assertEqual((found[0]['keys'], found[0]['tombstones']), (23, 2))
        self.assertEqual(self.standing(), before)

    @unittest.skipIf(PLUGIN, PLUGIN)
    def test_wal2json_gives_no_change_of_a_table_without_identity_and_that_is_told(self):
        self.slot('w', 'wal2json')
        self.sql('DROP PUBLICATION pub')
        self.change('ALTER TABLE t REPLICA IDENTITY NOTHING', "UPDATE t SET a = 'unseen' WHERE id = 7")
        status, report = self.call(*self.arguments('?slot=w&read=copy'))
        self.assertEqual((status, [d['key']['id'] for d in report['differences']]), (1, [7]))
        self.assertIn('tables without a replica identity, of which wal2json gives only inserts: t', self.told(report)[0])

    def test_an_identity_that_is_full_or_an_index_gives_the_same(self):
        for identity in ('FULL', 'USING INDEX i'):
            self.sql('CREATE UNIQUE INDEX IF NOT EXISTS i ON t (id)')
            self.sql(f'ALTER TABLE t REPLICA IDENTITY {identity}')
            self.slot('s')
            self.change(*CHANGES[:4])
            self.equal(*self.arguments('?slot=s&publication=pub&read=peek'))
            self.sql("SELECT pg_drop_replication_slot('s')")
            self.sql('TRUNCATE base; INSERT INTO base TABLE t; DELETE FROM base WHERE id = 100; DELETE FROM t WHERE id = 100; UPDATE base SET id = 3 WHERE id = 300; UPDATE t SET id = 3 WHERE id = 300')

    def test_a_publication_that_leaves_something_out_is_no_whole_table_and_is_told(self):
        self.sql("CREATE PUBLICATION filtered FOR TABLE t (id, a) WHERE (id > 5); CREATE PUBLICATION inserts FOR TABLE t WITH (publish = 'insert')")
        self.slot('s')
        self.change("INSERT INTO t VALUES (4000, 'new', 1), (-1, 'old', 1)")
        status, report = self.call(*self.arguments('?slot=s&publication=filtered&read=peek'))
        self.assertEqual((status, [d['key']['id'] for d in report['differences']]), (1, [-1]))
        self.assertEqual(self.told(report), ['no change in question is left out by the publication filtered: of t it publishes the rows WHERE (id > 5), the columns id and a'])
        report = self.equal(*self.arguments('?slot=s&publication=inserts&read=peek'))
        self.assertEqual(self.told(report), ['no operation in question is one that the publication inserts leaves out: it publishes no update, delete, truncate'])
        self.assertEqual(self.told(self.equal(*self.arguments('?slot=s&publication=pub&read=peek'))), [])

    def test_a_publication_that_is_younger_than_what_the_slot_holds_is_told_as_that(self):
        self.slot('s')
        self.change('DROP PUBLICATION pub', CHANGES[0], 'CREATE PUBLICATION pub FOR TABLE t')
        self.refused(2, 'did not exist when the oldest change', arguments=self.arguments('?slot=s&publication=pub&read=peek'))

    def test_prepared_transactions_count_when_they_commit(self):
        self.slot('s', two_phase=True)
        self.change("BEGIN; INSERT INTO t VALUES (100, 'kept'); PREPARE TRANSACTION 'a'", "BEGIN; INSERT INTO t VALUES (101, 'dropped'); PREPARE TRANSACTION 'b'")
        self.refused(2, 'two_phase', 'read=copy', arguments=self.arguments('?slot=s&publication=pub&read=peek'))
        self.assertEqual(self.equal(*self.arguments('?slot=s&publication=pub&read=copy'))['counts']['keys'], 20)
        self.sql("COMMIT PREPARED 'a'")
        self.sql("ROLLBACK PREPARED 'b'")
        self.assertEqual(self.equal(*self.arguments('?slot=s&publication=pub&read=copy'))['counts']['keys'], 21)

    def test_a_large_backlog_needs_no_memory_and_a_copy_is_collected_in_parts(self):
        self.sql('CREATE TABLE many (id int PRIMARY KEY, a text); CREATE TABLE none (id int PRIMARY KEY, a text); CREATE PUBLICATION large FOR TABLE many')
        self.slot('s')
        for first in (1, 60001, 120001, 180001):
            self.sql(f"INSERT INTO many SELECT g, 'row ' || g FROM generate_series({first}, {first + 59999}) g")
        with open(PROGRAM, 'rb') as file:
            sanitized = b'__asan_init' in file.read()  # which keeps shadows of all that it allocates
        before = self.standing()
        for how, least in (('copy', 3), ('peek', 1)):
            called = self.statements('pg_logical_slot_')
            with open(os.devnull, encoding='utf-8') as nothing:
                run = subprocess.Popen([PROGRAM, 'reconcile', '-b', self.at('#none'), '-e', self.at(f'?slot=s&publication=large&read={how}'), '-x', self.at('#many'), '--order', 'postgres', '--memory', '32M'],
                                       cwd=self.folder, stdin=nothing, stdout=subprocess.PIPE, text=True)
                out = run.stdout.read()
                _, status, used = os.wait4(run.pid, 0)
                run.stdout.close()
                run.returncode = os.waitstatus_to_exitcode(status)
            self.assertEqual((how, run.returncode), (how, 0), out)
            self.assertIn('240,000 keys', out)
            if not sanitized:
                self.assertLess(used.ru_maxrss, 120 * 1024)
            self.assertGreaterEqual(self.statements('pg_logical_slot_') - called, least)
        self.assertEqual(self.standing(), before)

    def statements(self, text):
        with open(self.server.log, encoding='utf-8') as file:
            return sum(text in line and 'execute' in line for line in file)

    def test_a_slot_that_lost_its_log_is_named(self):
        self.slot('s')
        self.sql('CREATE TABLE filler (a text)')
        for _ in range(8):
            self.sql("INSERT INTO filler SELECT repeat('x', 1000) FROM generate_series(1, 1000)")
            self.sql('SELECT pg_switch_wal()')
            self.sql('CHECKPOINT')
        self.assertEqual(self.sql('SELECT wal_status FROM pg_replication_slots'), 'lost')
        for how in ('peek', 'copy'):
            self.refused(2, 'has lost its log (wal_status lost)', 'max_slot_wal_keep_size', arguments=self.arguments(f'?slot=s&publication=pub&read={how}'))

    def test_no_slot_is_free_for_a_copy(self):
        self.slot('s')
        for i in range(7):
            self.slot(f's{i}')
        self.refused(4, 'all replication slots are in use', arguments=self.arguments('?slot=s&publication=pub&read=copy'))

    def test_a_standby_gives_tables_and_says_why_it_gives_no_slot(self):
        """Tables as they were replayed; what the standby removes under a reader ends the run."""
        self.slot('s')
        with servers.PostgreSQL(['max_standby_streaming_delay = 0'], standby_of=self.server) as standby:
            report = self.equal('-b', standby.locator('#t'), '-x', self.at('#t'))
            self.assertRegex(report['inputs'][0]['position'], r'^lsn [0-9A-F]+/[0-9A-F]+ of a standby, system \d+, ')
            self.assertEqual(report['inputs'][0]['position'].split(',')[1], report['inputs'][1]['position'].split(',')[1])
            self.refused(2, 'standby of version 15' if standby.sql('SHOW server_version_num') < '160000' else 'slot', arguments=('-b', self.at('#base'), '-e', standby.locator('?slot=s&publication=pub&read=peek'), '-x', self.at('#t'), '--order', 'postgres'))
            run = self.start('-b', standby.locator(), '--baseline-query', 'SELECT id, a FROM (SELECT pg_sleep(4)) s, t', '-x', '/dev/null', '--key', 'id', '--type', 'id=integer', '--csv-delimiter', ';', '--allow-empty')
            servers.wait_until(lambda: standby.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'slackwater' AND wait_event = 'PgSleep'") == '1', 'nothing is read')
            self.sql('DELETE FROM t WHERE id > 5')
            self.sql('VACUUM t')
            self.nothing_is_claimed(run, 'recovery', 'hot_standby_feedback')


if __name__ == '__main__':
    unittest.main()
