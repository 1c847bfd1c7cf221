"""position probe against PostgreSQL: what a connection test would call fine."""
import os
import re
import shutil
import unittest

from probing import Probing
from servers import PostgreSQL, wait_until
import program

REASON = PostgreSQL.unavailable()


def lsn(text):
    high, low = text.split('/')
    return int(high, 16) << 32 | int(low, 16)


@unittest.skipIf(REASON, REASON)
class OnePrimary(Probing):
    @classmethod
    def setUpClass(cls):
        cls.server = PostgreSQL(['max_slot_wal_keep_size = 2MB', 'min_wal_size = 32MB', 'max_wal_size = 32MB', 'checkpoint_timeout = 1h', 'log_statement = all', "log_line_prefix = '%u>'"])
        cls.server.__enter__()
        cls.addClassCleanup(cls.server.close)
        cls.server.sql('CREATE TABLE orders (k int PRIMARY KEY, amount int)')
        cls.server.sql('CREATE TABLE nokey (k int)')
        cls.server.sql('CREATE TABLE "Big Table" (k int PRIMARY KEY)')
        cls.server.sql('CREATE PUBLICATION feed FOR TABLE orders')
        cls.server.sql("CREATE PUBLICATION inserts FOR TABLE nokey WITH (publish = 'insert')")
        cls.server.sql('CREATE ROLE probe LOGIN')

    def sql(self, text):
        return self.server.sql(text)

    def slot(self, name, plugin='pgoutput'):
        """Makes a slot; returns where it begins, as a whole position."""
        self.sql(f"SELECT pg_create_logical_replication_slot('{name}', '{plugin}')")
        self.addCleanup(self.sql, f"SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = '{name}'")
        return self.at(self.sql(f"SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = '{name}'"))

    def at(self, text, timeline=1):
        return f"{text}@system={self.sql('SELECT system_identifier FROM pg_control_system()')},timeline={timeline}"

    def locator(self, rest='#orders'):
        return self.server.locator(rest, user='probe')

    def write_wal(self, segments):
        for _ in range(segments):
            self.sql('INSERT INTO orders SELECT coalesce(max(k), 0) + 1, 1 FROM orders')
            self.sql('SELECT pg_switch_wal()')
        self.sql('CHECKPOINT')

    def test_a_usable_slot_that_was_not_advanced_is_continuous(self):
        saved = self.slot('dbz')
        report = self.probe(self.locator(), '--saved', saved, '--slot', 'dbz', status=0)
        self.assertEqual(report['schema'], 'slackwater.probe/1')
        self.assertEqual(report['verdict'], 'continuous')
        self.assertEqual(report['rule']['name'], 'postgres.slot.confirmed')
        self.assertEqual((report['saved'], report['intervals'], report['conditions']), (saved, [], []))
        slot = next(each for each in report['objects'] if each['type'] == 'slot')
        self.assertEqual((slot['slot_name'], slot['wal_status'], slot['active']), ('dbz', 'reserved', 'f'))
        table = next(each for each in report['objects'] if each['type'] == 'table')
        self.assertEqual(table, {'type': 'table', 'name': 'public.orders', 'replicaIdentity': 'default', 'primaryKey': 'yes', 'publications': 'feed'})
        self.assertEqual(report['settings']['wal_level'], 'logical')
        self.assertEqual((report['settings']['max_slot_wal_keep_size'], report['settings']['wal_sender_timeout']), ('2 MB', '60000 ms'))
        self.has(report['risks'], 'max_slot_wal_keep_size is 2.0 MiB')
        self.has(report['risks'], 'a failover loses the slot')

    def test_the_text_begins_with_the_answer_and_says_what_a_connection_hides(self):
        saved = self.slot('dbz')
        self.sql('INSERT INTO orders VALUES (1000000, 1)')
        self.sql("SELECT pg_replication_slot_advance('dbz', pg_current_wal_lsn())")
        status, out, err = program.call('position', 'probe', self.locator(), '--saved', saved, '--slot', 'dbz')
        self.assertEqual((status, err), (1, ''), out)
        lines = out.splitlines()
        self.assertRegex(lines[0], r'^gap \[[0-9A-F/]+, [0-9A-F/]+\)$')
        self.assertIn('what a connection test would not tell', lines)
        self.assertIn('what loses data next', lines)
        self.assertLess(lines.index('what a connection test would not tell'), lines.index('what follows'))

    def test_an_advanced_slot_is_a_gap_that_the_server_would_skip_without_an_error(self):
        saved = self.slot('dbz')
        self.sql('INSERT INTO orders VALUES (2000000, 1)')
        self.sql("SELECT pg_replication_slot_advance('dbz', pg_current_wal_lsn())")
        confirmed = self.sql("SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = 'dbz'")
        report = self.probe(self.locator(), '--saved', saved, '--slot', 'dbz', status=1)
        self.assertEqual(self.interval(report), (saved.split('@')[0], confirmed, True))
        self.has(report['hidden'], 'skipped without an error')

    def test_a_slot_that_was_made_anew_is_a_gap_with_its_interval(self):
        saved = self.slot('dbz')
        self.sql("SELECT pg_drop_replication_slot('dbz')")
        self.sql('INSERT INTO orders VALUES (3000000, 1)')
        new = self.slot('dbz')
        self.assertGreater(lsn(new.split('@')[0]), lsn(saved.split('@')[0]))
        report = self.probe(self.locator(), '--saved', saved, '--slot', 'dbz', status=1)
        self.assertEqual(report['verdict'], 'gap')
        self.assertEqual(self.interval(report), (saved.split('@')[0], new.split('@')[0], True))

    def test_a_slot_whose_wal_was_removed_is_a_gap_though_the_database_answers(self):
        saved = self.slot('dbz')
        self.write_wal(6)
        self.assertEqual(self.sql("SELECT wal_status FROM pg_replication_slots WHERE slot_name = 'dbz'"), 'lost')
        report = self.probe(self.locator(), '--saved', saved, '--slot', 'dbz', status=1)
        self.assertEqual(report['rule']['name'], 'postgres.slot.lost')
        self.assertEqual((report['intervals'][0]['from'], report['intervals'][0]['to'], report['intervals'][0]['proof']), (saved.split('@')[0], None, 'discarded at the source'))
        self.has(report['hidden'], 'the database can be connected to')

    def test_a_slot_that_is_not_there_is_named_with_its_neighbours(self):
        saved = self.slot('dbz_orders')
        report = self.probe(self.locator(), '--saved', saved, '--slot', 'dbz_order', status=3)
        self.has(report['reasons'], 'near names: dbz_orders')
        self.has(report['hidden'], 'makes its slot itself')

    def test_several_slots_want_one_named(self):
        saved = self.slot('one')
        self.slot('two')
        error = self.probe(self.locator(), '--saved', saved, status=2)['error']
        self.assertEqual(error['code'], 'usage')
        self.assertIn('there are one, two', error['text'])

    def test_without_its_identity_a_position_is_judged_conditionally_unless_declared(self):
        saved = self.slot('dbz').split('@')[0]
        report = self.probe(self.locator(), '--saved', saved, '--slot', 'dbz', status=3)
        self.assertEqual((report['verdict'], report['conditionalVerdict']), ('cannot tell', 'continuous'))
        self.assertEqual(len(report['conditions']), 2)
        self.probe(self.locator(), '--saved', saved, '--slot', 'dbz', '--same-source', status=0)

    def test_a_position_of_another_system_is_not_compared(self):
        saved = re.sub('system=.*,', 'system=7,', self.slot('dbz'))
        report = self.probe(self.locator(), '--saved', saved, '--slot', 'dbz', status=3)
        self.assertEqual(report['rule']['name'], 'space.differs')
        self.has(report['hidden'], 'looks like one of this server')

    def test_a_position_beyond_the_log_is_of_a_rewound_server(self):
        self.slot('dbz')
        report = self.probe(self.locator(), '--saved', self.at('FFFF/0'), '--slot', 'dbz', status=3)
        self.assertEqual(report['rule']['name'], 'postgres.rewound')

    def test_a_table_that_no_publication_holds_is_left_out_without_an_error(self):
        saved = self.slot('dbz')
        report = self.probe(self.locator(''), '--saved', saved, '--slot', 'dbz', '--table', 'Big Table', status=3)
        self.assertEqual(report['conditionalVerdict'], 'continuous')
        self.has(report['conditions'], 'public.Big Table did not change: it is in no publication, so its changes are left out')
        report = self.probe(self.locator(), '--saved', saved, '--slot', 'dbz', '--publication', 'inserts', status=3)
        self.has(report['conditions'], 'it is in no publication named inserts')

    def test_a_publication_that_is_not_there_fails_only_once_a_change_is_decoded(self):
        saved = self.slot('dbz')
        report = self.probe(self.locator(''), '--saved', saved, '--slot', 'dbz', '--publication', 'feet', status=3)
        self.has(report['conditions'], 'this database has none of that name; near names: feed')
        self.has(report['hidden'], 'fails only once a change is decoded')

    def test_names_that_would_move_the_cursor_are_shown_escaped(self):
        saved = self.slot('dbz')
        self.sql('CREATE TABLE "evil\x1b[2J" (k int PRIMARY KEY)')
        self.addCleanup(self.sql, 'DROP TABLE "evil\x1b[2J"')
        status, out, err = program.call('position', 'probe', self.locator('#evil%1B[2J'), '--saved', saved, '--slot', 'dbz')
        self.assertEqual((status, err), (3, ''), out)
        self.assertIn('evil\\u001b[2J', out)
        self.assertNotIn('\x1b', out)
        status, out, err = program.call('position', 'probe', self.locator('#evil%1B[2'), '--saved', saved, '--slot', 'dbz')
        self.assertEqual((status, out), (2, ''))
        self.assertNotIn('\x1b', err)

    def test_a_plugin_without_publications_needs_none(self):
        saved = self.slot('dec', 'test_decoding')
        self.probe(self.locator('#Big%20Table'), '--saved', saved, '--slot', 'dec', status=0)

    def test_a_table_without_key_or_with_a_narrow_publication_is_doubted(self):
        saved = self.slot('dbz')
        report = self.probe(self.locator('#nokey'), '--saved', saved, '--slot', 'dbz', status=3)
        self.has(report['conditions'], 'no primary key, and the default replica identity')
        self.has(report['conditions'], 'saw no updates')
        self.has(report['obligations'], 'give public.nokey a primary key')

    def test_a_table_that_is_not_there_is_refused_with_near_names(self):
        for rest, wanted in (('#order', 'order'), ('#public.orders2', 'public.orders2'), ('#public.ORDERS', 'public.ORDERS')):
            error = self.probe(self.locator(rest), '--saved', self.at('0/1'), status=2)['error']
            self.assertIn(f'there is no table {wanted} in this database; near names: public.orders', error['text'])

    def test_passwords_are_in_no_message_and_no_report(self):
        saved = self.slot('dbz')
        with_password = self.locator().replace('probe@', 'probe:s3cret%2F@')
        report = self.probe(with_password, '--saved', saved, '--slot', 'dbz', status=0)
        self.assertNotIn('s3cret', str(report))
        self.assertIn('probe:***@', report['source'])
        for locator, said in ((with_password.replace('/shop', '/shap'), 'database "shap" does not exist'), (with_password.replace('probe:', 'nobody:'), 'role "nobody" does not exist'),
                              (re.sub(r':\d+/', ':1/', with_password), 'Connection refused'), (f'host=127.0.0.1 port={self.server.port} user=nobody password=s3cret dbname=shop', 'role "nobody" does not exist')):
            error = self.probe(locator, '--saved', saved, status=4)['error']
            self.assertEqual(error['code'], 'remote')
            self.assertIn(said, error['text'])
            self.assertNotIn('s3cret', str(error))

    def test_service_and_pgpass_files_are_read(self):
        saved = self.slot('dbz')
        service = os.path.join(self.server.folder, 'services')
        with open(service, 'w', encoding='utf-8') as f:
            f.write(f'[shop]\nhost=127.0.0.1\nport={self.server.port}\ndbname=shop\nuser=probe\n')
        self.probe('service=shop#orders', '--saved', saved, '--slot', 'dbz', env={'PGSERVICEFILE': service}, status=0)

    def test_a_wrong_position_is_refused_before_anybody_is_asked(self):
        error = self.probe('postgresql://u@127.0.0.1:1/x', '--saved', 'binlog.000001:4', status=2)['error']
        self.assertIn('--saved', error['text'])

    def test_options_of_other_systems_are_refused(self):
        for more in (['--group', 'g'], ['--sources', 'u'], ['--kind', 'kafka'], ['--timeout', '4000']):
            self.assertEqual(self.probe(self.locator(), '--saved', '0/1', *more, status=2)['error']['code'], 'usage')
        self.assertIn('--saved is missing', self.probe(self.locator(), status=2)['error']['text'])

    def test_z_nothing_is_written_and_nothing_can_be(self):
        """Nothing is written: the server logged every statement of the probe's user, in sessions that are read-only."""
        saved = self.slot('dbz')
        self.probe(self.locator(), '--saved', saved, '--slot', 'dbz', status=0)
        self.assertEqual(self.sql('SELECT confirmed_flush_lsn FROM pg_replication_slots').split(), [saved.split('@')[0]])
        with open(self.server.log, encoding='utf-8') as f:
            statements = [re.split(r'(?:statement|execute <unnamed>): ', line)[1].strip() for line in f if line.startswith('probe>') and re.search(r'(?:statement|execute <unnamed>): ', line)]
        self.assertGreater(len(statements), 5)
        first = statements[0]
        self.assertTrue(first.startswith('SET default_transaction_read_only = on;'), first)
        for statement in statements:
            self.assertRegex(statement, r'^(SET |SELECT )')
            self.assertNotRegex(statement, r'pg_(create|drop|advance|replication_slot_advance|logical_slot_get)')


@unittest.skipIf(REASON, REASON)
class Failover(Probing):
    def test_a_promoted_standby_is_incomparable_until_the_history_is_given(self):
        with PostgreSQL() as primary:
            primary.sql('CREATE TABLE orders (k int PRIMARY KEY)')
            primary.sql('CREATE PUBLICATION feed FOR TABLE orders')
            primary.sql('CREATE ROLE probe LOGIN')
            primary.sql("SELECT pg_create_logical_replication_slot('dbz', 'pgoutput')")
            system = primary.sql('SELECT system_identifier FROM pg_control_system()')
            saved = primary.sql("SELECT confirmed_flush_lsn FROM pg_replication_slots") + f'@system={system},timeline=1'
            self.probe(primary.locator('#orders', user='probe'), '--saved', saved, '--slot', 'dbz', status=0)
            with PostgreSQL(standby_of=primary) as standby:
                wait_until(lambda: standby.sql('SELECT count(*) FROM pg_class', database='shop') != '', 'the standby does not answer')
                report = self.probe(standby.locator('#orders', user='probe'), '--saved', saved, '--slot', 'dbz', status=3)
                self.assertIn('(standby)', report['server'])
                primary.stop_process()
                standby.sql('SELECT pg_promote(true, 60)')
                locator = standby.locator('#orders', user='probe')
                # the slot did not come along, and the timeline is another one: nothing compares
                report = self.probe(locator, '--saved', saved, '--slot', 'dbz', status=3)
                self.assertEqual(report['rule']['name'], 'space.differs')
                self.has(report['obligations'], 'give the timeline history with --history: 00000002.history')
                standby.sql('INSERT INTO orders VALUES (1)')
                standby.sql("SELECT pg_create_logical_replication_slot('dbz', 'pgoutput')")
                begins = standby.sql("SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = 'dbz'")
                self.assertEqual(self.probe(locator, '--saved', saved, '--slot', 'dbz', status=3)['verdict'], 'cannot tell')
                history = os.path.join(standby.folder, '00000002.history')
                shutil.copy(os.path.join(standby.data, 'pg_wal', '00000002.history'), history)
                report = self.probe(locator, '--saved', saved, '--slot', 'dbz', '--history', history, status=1)
                self.assertEqual(self.interval(report), (saved.split('@')[0], begins, True))
                # who may read the server's files needs no --history
                report = self.probe(standby.locator('#orders'), '--saved', saved, '--slot', 'dbz', status=1)
                self.has(report['evidence'], 'history was read from the server')
                # a position behind the switch is in a branch that was left
                beyond = f'{begins}@system={system},timeline=1'
                report = self.probe(locator, '--saved', beyond, '--slot', 'dbz', '--history', history, status=3)
                self.assertEqual(report['rule']['name'], 'space.differs')

    def test_a_copy_in_another_cluster_has_the_slot_and_the_numbers_and_is_not_the_source(self):
        with PostgreSQL() as source, PostgreSQL() as restored:
            for server in (source, restored):
                server.sql('CREATE TABLE orders (k int PRIMARY KEY)')
                server.sql('CREATE PUBLICATION feed FOR TABLE orders')
                server.sql("SELECT pg_create_logical_replication_slot('dbz', 'pgoutput')")
            system = source.sql('SELECT system_identifier FROM pg_control_system()')
            saved = source.sql('SELECT confirmed_flush_lsn FROM pg_replication_slots') + f'@system={system},timeline=1'
            self.probe(source.locator('#orders'), '--saved', saved, '--slot', 'dbz', status=0)
            report = self.probe(restored.locator('#orders'), '--saved', saved, '--slot', 'dbz', status=3)
            self.assertEqual(report['rule']['name'], 'space.differs')
            # --same-source supplies what is missing, and does not overrule what differs
            self.probe(restored.locator('#orders'), '--saved', saved, '--slot', 'dbz', '--same-source', status=3)

    def test_a_server_that_does_not_decode_is_said_so(self):
        with PostgreSQL(['wal_level = replica']) as server:
            system = server.sql('SELECT system_identifier FROM pg_control_system()')
            saved = server.sql('SELECT pg_current_wal_lsn()') + f'@system={system},timeline=1'
            report = self.probe(server.locator(), '--saved', saved, '--slot', 'dbz', status=3)
            self.has(report['conditions'], 'wal_level was logical all the time since')


if __name__ == '__main__':
    unittest.main()
