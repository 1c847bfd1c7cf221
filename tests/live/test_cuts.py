"""Where sources say that they stood, and whether the two sides compare: real servers, a standby among them."""
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
from program import ENVIRONMENT, PROGRAM  # noqa: E402
from servers import MariaDB, PostgreSQL, wait_until  # noqa: E402

HERE = {line.split()[0]: line for line in subprocess.run([PROGRAM, 'sources'], capture_output=True, text=True, check=True).stdout.splitlines() if line.strip()}


def without(source, server=None):
    line = HERE.get(source, f'{source} (not here: it is not listed)')
    return line if '(not here' in line else server and server.unavailable()


class Cuts(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def server(self, made):
        server = made.__enter__()
        self.addCleanup(server.close)
        return server

    def call(self, *arguments):
        done = subprocess.run([PROGRAM, 'reconcile', '--json', *arguments], cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
        report = json.loads(done.stdout)
        self.assertNotIn('error', report)
        return report

    @unittest.skipIf(without('postgres', PostgreSQL), without('postgres', PostgreSQL))
    def test_postgresql_says_how_two_snapshots_of_one_log_stand_to_each_other(self):
        server = self.server(PostgreSQL())
        server.sql('CREATE TABLE a (id int PRIMARY KEY, v int); INSERT INTO a VALUES (1, 1); CREATE TABLE b AS TABLE a; ALTER TABLE b ADD PRIMARY KEY (id)')
        report = self.call('-b', server.locator('#a'), '-x', server.locator('#b'))
        first, second = (each['cut'] for each in report['inputs'])
        self.assertEqual((first['kind'], first['log'], first['snapshot']), ('postgres', second['log'], second['snapshot']))
        self.assertRegex(first['log'], r'^system \d+, timeline 1$')
        self.assertEqual(first['log'], f"system {server.sql('SELECT system_identifier FROM pg_control_system()')}, timeline 1")
        self.assertEqual((report['cuts']['relation'], report['cuts']['comparable'], report['cuts']['pairs'][0]['relation']), ('same-state', True, 'same-state'))
        self.assertIs(first['exact'], False)

        # the changes of a slot end before the destination is read: later, never the same state
        server.sql('CREATE PUBLICATION pub FOR TABLE a')
        server.sql("SELECT pg_create_logical_replication_slot('s', 'pgoutput')")
        server.sql('UPDATE a SET v = 2')
        report = self.call('-b', server.locator('#b'), '-e', server.locator('?slot=s&publication=pub&read=peek'), '-x', server.locator('#a'), '--order', 'postgres', '--table', 'a')
        self.assertEqual([pair['relation'] for pair in report['cuts']['pairs']], ['same-state', 'later'])
        self.assertEqual((report['cuts']['relation'], report['counts']['equal']), ('later', 1))
        events = report['inputs'][1]['cut']
        self.assertEqual(events['from'], server.sql("SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = 's'"))

        other = self.server(PostgreSQL())
        other.sql('CREATE TABLE a (id int PRIMARY KEY, v int); INSERT INTO a VALUES (1, 2)')
        report = self.call('-b', server.locator('#a'), '-x', other.locator('#a'))
        self.assertEqual((report['exitStatus'], report['cuts']['relation'], report['cuts']['comparable']), (0, 'apart', False))
        self.assertIn('two logs', report['cuts']['pairs'][0]['sentence'])

    @unittest.skipIf(without('postgres', PostgreSQL), without('postgres', PostgreSQL))
    def test_a_standby_that_lags_is_told_from_a_server_of_its_own(self):
        primary = self.server(PostgreSQL())
        primary.sql('CREATE TABLE a (id int PRIMARY KEY, v int); INSERT INTO a VALUES (1, 1)')
        standby = self.server(PostgreSQL(standby_of=primary))
        wait_until(lambda: standby.sql('SELECT count(*) FROM a') == '1', 'the standby did not follow', standby.process, standby.log)
        standby.sql('SELECT pg_wal_replay_pause()')
        wait_until(lambda: standby.sql('SELECT pg_get_wal_replay_pause_state()') == 'paused', 'the standby did not pause', standby.process, standby.log)
        primary.sql('UPDATE a SET v = 2')
        report = self.call('-b', primary.locator('#a'), '-x', standby.locator('#a'))
        self.assertEqual((report['exitStatus'], report['cuts']['relation'], report['cuts']['comparable']), (1, 'earlier', True), report['cuts'])
        done = subprocess.run([PROGRAM, 'reconcile', '-b', primary.locator('#a'), '-x', standby.locator('#a')], cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
        self.assertIn('Cuts\n', done.stdout)
        self.assertIn('the destination was read before the evidence ends', ' '.join(done.stdout.split()))

    @unittest.skipIf(without('mariadb', MariaDB), without('mariadb', MariaDB))
    def test_mariadb_says_where_in_its_binary_log_each_snapshot_stands(self):
        server = self.server(MariaDB())
        server.sql('CREATE TABLE a (id INT PRIMARY KEY, v INT); INSERT INTO a VALUES (1, 1); CREATE TABLE b LIKE a; INSERT INTO b SELECT * FROM a')
        report = self.call('-b', server.locator('#a'), '-x', server.locator('#b'))
        first, second = (each['cut'] for each in report['inputs'])
        self.assertEqual(first['log'], second['log'])
        self.assertRegex(first['log'], '^server .+, binary log .+')
        self.assertRegex(first['position'], r'^binlog\.\d+:\d+$')
        self.assertRegex(first['gtid'], r'^0-1-\d+$')
        self.assertEqual((first['exact'], report['cuts']['relation']), (True, 'same-state'))
        other = self.server(MariaDB())
        other.sql('CREATE TABLE a (id INT PRIMARY KEY, v INT); INSERT INTO a VALUES (1, 1)')
        report = self.call('-b', server.locator('#a'), '-x', other.locator('#a'))
        self.assertEqual(report['cuts']['relation'], 'apart', report['cuts'])

    @unittest.skipIf(without('sqlite'), without('sqlite'))
    def test_an_sqlite_file_tells_its_change_counter_but_in_wal_mode(self):
        path = os.path.join(self.folder, 'shop.db')
        with sqlite3.connect(path) as db:
            db.executescript('CREATE TABLE a (id INTEGER PRIMARY KEY, v INT); CREATE TABLE b (id INTEGER PRIMARY KEY, v INT); INSERT INTO a VALUES (1, 1); INSERT INTO b VALUES (1, 1)')
        report = self.call('-b', 'sqlite:shop.db#a', '-x', 'sqlite:shop.db#b')
        with open(path, 'rb') as file:
            counter = int.from_bytes(file.read(28)[24:], 'big')
        self.assertEqual([each['cut']['position'] for each in report['inputs']], [str(counter)] * 2)
        self.assertEqual((report['cuts']['relation'], report['cuts']['pairs'][0]['relation']), ('same-state', 'same-state'))
        db.execute('PRAGMA journal_mode = WAL')
        db.execute('INSERT INTO a VALUES (2, 2)')
        db.commit()
        report = self.call('-b', 'sqlite:shop.db#a', '-x', 'sqlite:shop.db#b')
        self.assertEqual((report['cuts']['relation'], 'position' in report['inputs'][0]['cut']), ('untold', False))
        db.close()

    def test_files_have_a_digest_and_a_time_and_no_position(self):
        for name in ('a.ndjson', 'b.ndjson'):
            with open(os.path.join(self.folder, name), 'w', encoding='utf-8') as file:
                file.write('{"key":1,"version":1,"value":1}\n')
            os.utime(os.path.join(self.folder, name), (1_700_000_000, 1_700_000_000))
        report = self.call('-b', 'a.ndjson', '-x', 'b.ndjson', '--digest', 'sha256')
        self.assertEqual((report['exitStatus'], report['cuts']['relation'], report['cuts']['pairs']), (0, 'untold', []))
        self.assertEqual(report['run']['modified'], ['2023-11-14T22:13:20.000000Z'] * 2)
        self.assertTrue(all('cut' not in each and each['sha256'] for each in report['inputs']))


if __name__ == '__main__':
    unittest.main()
