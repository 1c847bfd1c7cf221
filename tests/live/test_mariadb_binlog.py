#!/usr/bin/env python3
"""The binary log of a real MariaDB as events: exact in every type, whole transactions, and a word about all that it does not show."""
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ.get('SW_SOURCE_ROOT', '.')
sys.path.insert(0, os.path.join(ROOT, 'tests', 'harness'))
sys.path.append(os.path.join(ROOT, 'tests', 'record'))
import servers  # noqa: E402
import record_binlog as recorded  # noqa: E402

PROGRAM = os.path.abspath(os.environ.get('SW_PROGRAM', 'build/slackwater'))
SECRET = 's3cr3t-word'
REASON = servers.MariaDB.unavailable()
# Zero dates, and times beyond a day, are values of the server's types and of no other's.
AS_TEXT = [word for column in ('da', 'dt', 'dt1', 'ts', 'ts6', 'ti', 'ti3', 'ti6') for word in ('--type', f'{column}=text')]


class Binlog(unittest.TestCase):
    settings = ()

    def setUp(self):
        self.server = servers.MariaDB(self.settings)
        self.server.__enter__()
        self.addCleanup(self.server.close)
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.user = 'root'

    def sql(self, text):
        return self.server.sql(f'{recorded.ANY}; {text}')

    def place(self):
        return ':'.join(self.sql('SHOW MASTER STATUS').split('\t')[:2])

    def gtid(self):
        return self.sql('SELECT @@gtid_binlog_pos')

    def table(self, name):
        return self.server.locator('#' + name, user=self.user)

    def log(self, table, begin):
        return self.server.locator(f'?{begin}#{table}', user=self.user)

    def run_program(self, *arguments, command='reconcile'):
        done = subprocess.run([PROGRAM, command, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120, env={**os.environ, 'MYSQL_PWD': SECRET if self.user != 'root' else '', 'LC_ALL': 'C.UTF-8'})
        self.assertNotIn(SECRET, done.stdout + done.stderr)
        return done

    def report(self, *arguments, status=0, order='mysql'):
        done = self.run_program('--json', '--order', order, '--list', '100', *arguments)
        self.assertEqual(done.returncode, status, done.stdout[-3000:] + done.stderr)
        return json.loads(done.stdout)

    def refused(self, *arguments, status=2):
        done = self.run_program('--order', 'mysql', *arguments)
        self.assertEqual((done.returncode, done.stdout), (status, ''), done.stderr)
        return done.stderr

    def kinds(self, report):
        return {each['kind']: each['count'] for each in report['kinds']}


@unittest.skipIf(REASON, REASON)
class Values(Binlog):
    def test_every_type_is_what_the_table_has(self):
        for name, settings in {'as it is': [], 'compressed': ['log_bin_compress = ON', 'log_bin_compress_min_len = 10'], 'with names': ['binlog_row_metadata = FULL'], 'without checksums': ["binlog_checksum = 'NONE'"],
                               'images of what changed': ["binlog_row_image = 'NOBLOB'"]}.items():
            with self.subTest(name):
                for setting in settings:
                    self.sql(f'SET GLOBAL {setting}')
                self.sql('DROP TABLE IF EXISTS kinds, base')
                self.sql(recorded.KINDS)
                self.sql(recorded.ROWS[1])
                self.sql('CREATE TABLE base LIKE kinds')
                self.sql(f'INSERT INTO base ({recorded.NAMES}) SELECT {recorded.NAMES} FROM kinds')
                gtid, place = self.gtid(), self.place()
                for statement in recorded.ROWS[:1] + recorded.ROWS[2:]:
                    self.sql(statement)
                self.sql('FLUSH BINARY LOGS')
                self.sql("UPDATE kinds SET v = 'again', de = de / 3, uu = '00112233-4455-6677-8899-aabbccddee00', ip = '1::', e = 'ü' WHERE id = 2")
                for order, begin in {'mysql': f'binlog={place}', 'mariadb': f'gtid={gtid}'}.items():
                    report = self.report('--baseline', self.table('base'), '--events', self.log('kinds', begin), '--expected', self.table('kinds'), *AS_TEXT, order=order)
                    self.assertEqual((report['counts']['keys'], report['counts']['equal'], report['counts']['badRecords']), (4, 4, 0), report['counts'])
                    self.assertTrue(report['inputs'][1]['position'].startswith(f'from binary log {place}' if order == 'mysql' else f'from gtid {gtid} up to'), report['inputs'])

    def test_a_busy_table_is_the_baseline_and_its_changes(self):
        chance = random.Random(7)
        self.sql('CREATE TABLE busy (a INT, b VARCHAR(10) CHARACTER SET latin1, n DECIMAL(20,5), u BIGINT UNSIGNED, note TEXT, at TIMESTAMP(3) NULL, s SET(\'x\',\'y\'), PRIMARY KEY (a, b)) DEFAULT CHARSET utf8mb4')
        self.sql("INSERT INTO busy SELECT seq, CONCAT('ß', seq MOD 3), seq / 7, seq, NULL, NULL, 'x' FROM seq_1_to_300")
        self.sql('CREATE TABLE base LIKE busy; INSERT INTO base SELECT * FROM busy; CREATE TABLE other (a INT PRIMARY KEY)')
        place = self.place()
        for turn in range(60):
            low = chance.randrange(300)
            change = chance.choice([f'UPDATE busy SET n = n * -1.5, note = REPEAT(\'é\', {low}) WHERE a BETWEEN {low} AND {low + 20}', f'DELETE FROM busy WHERE a = {low}', f'UPDATE busy SET a = a + 1000 WHERE a = {low}',
                                    f"INSERT IGNORE INTO busy VALUES ({low}, 'ñ', 1.5, 18446744073709551615, 'new', '2026-01-02 03:04:05.678', 'x,y')", f'REPLACE INTO busy (a, b, n) VALUES ({low}, \'ß1\', NULL)',
                                    f'INSERT INTO other VALUES ({turn})'])
            end = chance.choice(['COMMIT', 'COMMIT', 'ROLLBACK'])
            self.sql(f"BEGIN; {change}; SAVEPOINT s; UPDATE busy SET u = {turn} WHERE a = {low + 1}; {'ROLLBACK TO s;' if turn % 3 else ''} {end}")
            if turn % 20 == 19:
                self.sql('FLUSH BINARY LOGS')
        report = self.report('--baseline', self.table('base'), '--events', self.log('busy', f'binlog={place}'), '--expected', self.table('busy'))
        self.assertEqual((report['counts']['differences'], report['counts']['undecidedKeys'], report['counts']['inconsistentHistory']), (0, 0, 0), report['counts'])
        self.assertEqual(report['spaces'], ['base=binlog'])
        # a destination that lost one change, has one row too many and one value wrong
        self.sql('CREATE TABLE copy LIKE busy; INSERT INTO copy SELECT * FROM busy')
        first, second = (row.split('\t')[:2] for row in self.sql('SELECT a, b FROM busy ORDER BY a LIMIT 2').splitlines())
        self.sql(f"DELETE FROM copy WHERE a = {first[0]} AND b = '{first[1]}'; UPDATE copy SET n = 0.00001 WHERE a = {second[0]} AND b = '{second[1]}'; INSERT INTO copy (a, b) VALUES (-1, '')")
        report = self.report('--baseline', self.table('base'), '--events', self.log('busy', f'binlog={place}'), '--expected', self.table('copy'), status=1)
        self.assertEqual(sorted(each['reason'] for each in report['differences']), ['missing-state', 'state-mismatch', 'unexpected-state'])

    def test_times_as_they_were_before_fractions_are_read_and_those_with_fractions_refused(self):
        self.sql('SET GLOBAL mysql56_temporal_format = OFF')
        self.sql('CREATE TABLE old (id INT PRIMARY KEY, a TIME, b DATETIME, c TIMESTAMP NULL); CREATE TABLE old3 (id INT PRIMARY KEY, a TIME(3))')
        for turn, metadata in enumerate(('NO_LOG', 'FULL')):
            self.sql(f"SET GLOBAL binlog_row_metadata = {metadata}")
            place = self.place()
            self.sql(f"REPLACE INTO old VALUES ({turn}, '-12:34:56', '2020-01-02 03:04:05', '2020-01-02 03:04:05'), (10, '838:59:59', '9999-12-31 23:59:59', 0); REPLACE INTO old3 VALUES (1, '01:02:0{turn}.004')")
            self.assertEqual(self.report('--events', self.log('old', 'binlog=beginning'), '--expected', self.table('old'), '--type', 'a=text', '--type', 'c=text')['counts']['equal'], 2 + turn)
            text = self.refused('--events', self.log('old3', f'binlog={place}'), '--expected', self.table('old3'))
            self.assertIn('before MySQL 5.6', text)

    def test_changes_of_a_table_without_transactions_stay_when_the_others_are_rolled_back(self):
        self.sql('CREATE TABLE plain (id INT PRIMARY KEY) ENGINE=MyISAM; CREATE TABLE other (id INT PRIMARY KEY)')
        place = self.place()
        self.sql('BEGIN; INSERT INTO other VALUES (1); INSERT INTO plain VALUES (1); ROLLBACK; BEGIN; INSERT INTO other VALUES (2); SAVEPOINT s; INSERT INTO plain VALUES (2); INSERT INTO other VALUES (3); ROLLBACK TO s; COMMIT')
        self.assertEqual(self.report('--events', self.log('plain', f'binlog={place}'), '--expected', self.table('plain'))['counts']['equal'], 2)
        self.assertIn('takes back a part of a transaction', self.refused('--events', self.log('other', f'binlog={place}'), '--expected', self.table('other')))

    def test_a_transaction_larger_than_what_is_held_is_read(self):
        self.sql('CREATE TABLE large (id INT PRIMARY KEY, b LONGBLOB)')
        place = self.place()
        self.sql("INSERT INTO large SELECT seq, REPEAT(CHAR(seq), 100000) FROM seq_1_to_250; INSERT INTO large VALUES (999, REPEAT('y', 9000000))")
        report = self.report('--events', self.log('large', f'binlog={place}'), '--expected', self.table('large'))
        self.assertEqual((report['counts']['keys'], report['counts']['equal']), (251, 251))
        report = self.report('--events', self.log('large', f'binlog={place}'), '--expected', self.table('large'), '--record-max', '1MiB', status=2)
        self.assertEqual((report['badRecords']['count'], report['badRecords']['listed'][0]['reason']), (2, 'too-long')) # the one event, and the table's row


@unittest.skipIf(REASON, REASON)
class Transactions(Binlog):
    settings = ('innodb-flush-log-at-trx-commit=1', 'sync-binlog=1')

    def setUp(self):
        super().setUp()
        self.sql('CREATE TABLE t (id INT PRIMARY KEY, note VARCHAR(20)) DEFAULT CHARSET utf8mb4')
        self.begin = self.place()

    def events(self, table='t'):
        return ['--events', self.log(table, f'binlog={self.begin}'), '--expected', self.table(table)]

    def test_what_is_prepared_counts_when_it_is_committed(self):
        self.sql("XA START 'a'; INSERT INTO t VALUES (1, 'xa'); XA END 'a'; XA PREPARE 'a'")
        self.sql("INSERT INTO t VALUES (2, 'between')")
        prepared = self.report(*self.events())
        self.assertEqual(prepared['counts']['keys'], 1)
        middle = self.place()
        self.sql("XA COMMIT 'a'")
        self.sql("XA START 'b'; INSERT INTO t VALUES (3, 'xa'); XA END 'b'; XA PREPARE 'b'")
        self.sql("XA ROLLBACK 'b'")
        self.assertEqual(self.report(*self.events())['counts']['equal'], 2)
        self.assertEqual(self.report(*self.events(), '--cut', middle, status=3)['counts']['beyondCut'], 1) # it stands where it was committed
        self.assertIn('prepared before reading began', self.refused('--events', self.log('t', f'binlog={middle}'), '--expected', self.table('t')))

    def test_a_server_that_went_down_in_the_middle_left_nothing_half_done(self):
        open_one = subprocess.Popen(['mariadb', '--no-defaults', '-u', 'root', f'--socket={self.server.socket}', 'shop', '-e', "INSERT INTO t VALUES (1, 'done'); BEGIN; INSERT INTO t VALUES (2, 'open'); SELECT SLEEP(100)"],
                                    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        servers.wait_until(lambda: 'SLEEP' in self.sql('SELECT info FROM information_schema.processlist WHERE id <> CONNECTION_ID()'), 'the transaction did not begin')
        self.server.stop_process(signal.SIGKILL)
        open_one.wait()
        self.server.launch()
        self.sql("INSERT INTO t VALUES (3, 'after')")
        report = self.report(*self.events())
        self.assertEqual((report['counts']['keys'], report['counts']['equal']), (2, 2))
        self.assertIn('binlog.000002', report['inputs'][0]['position'])

    def test_a_server_that_is_lost_while_it_is_read_ends_the_run(self):
        self.sql("CREATE TABLE big (id INT PRIMARY KEY, b LONGBLOB)")
        self.sql("INSERT INTO big SELECT seq, REPEAT('x', 1000000) FROM seq_1_to_40")
        os.mkfifo(os.path.join(self.folder, 'rows.ndjson'))
        run = subprocess.Popen([PROGRAM, 'reconcile', '--order', 'mysql', '--key', 'id', '--events', self.log('big', 'binlog=beginning'), '--expected', 'rows.ndjson'], cwd=self.folder, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        with open(os.path.join(self.folder, 'rows.ndjson'), 'w', encoding='utf-8') as rows: # the log is open when somebody reads this
            self.server.stop_process(signal.SIGKILL)
            rows.write('{"id":1}\n')
        out, err = run.communicate(timeout=100)
        self.assertEqual((run.returncode, out), (4, ''), err)
        self.assertIn('nothing is claimed', err)

    def test_statements_that_describe_the_table_are_counted_and_truncate_empties_it(self):
        self.sql("INSERT INTO t VALUES (1, 'a')")
        self.sql('ALTER TABLE t ADD INDEX (note); CREATE INDEX i ON t (note, id)')
        self.sql("TRUNCATE TABLE t; INSERT INTO t VALUES (2, 'b'); ANALYZE TABLE t; CREATE TABLE elsewhere (t INT)")
        report = self.report(*self.events())
        self.assertEqual((report['counts']['keys'], report['counts']['equal'], self.kinds(report).get('schema change')), (2, 2, 3), report)
        self.sql("DROP TABLE t; CREATE TABLE t (id INT PRIMARY KEY, note VARCHAR(20)) DEFAULT CHARSET utf8mb4; INSERT INTO t VALUES (3, 'c')")
        self.assertEqual(self.report(*self.events())['counts']['equal'], 3)

    def test_a_column_added_behind_the_others_is_read_and_one_taken_away_is_told(self):
        self.sql("INSERT INTO t VALUES (1, 'a')")
        self.sql("ALTER TABLE t ADD COLUMN n INT; UPDATE t SET n = 5; INSERT INTO t VALUES (2, 'b', 6)")
        self.assertEqual(self.report(*self.events())['counts']['equal'], 2)
        self.sql('ALTER TABLE t DROP COLUMN note')
        text = self.refused(*self.events())
        self.assertIn('its column 2 was varchar of 80 bytes then, and column n is int today', text)
        self.begin = self.place()
        self.sql('UPDATE t SET n = 7')
        self.sql('ALTER TABLE t CHANGE COLUMN n m INT')
        text = self.refused(*self.events())
        self.assertRegex(text, r'binary log binlog.000001:\d+: "ALTER TABLE t CHANGE COLUMN n m INT" may have changed names, places or types of columns.*begin there: binlog.000001:\d+')

    def test_with_names_in_the_log_columns_may_be_moved(self):
        self.sql('SET GLOBAL binlog_row_metadata = FULL')
        self.sql("INSERT INTO t VALUES (1, 'a')")
        self.sql("ALTER TABLE t ADD COLUMN n INT FIRST; UPDATE t SET n = 5; ALTER TABLE t CHANGE COLUMN n m INT AFTER id; INSERT INTO t VALUES (2, 6, 'b')")
        self.sql('UPDATE t SET m = m + 1')
        report = self.report(*self.events(), '--ignore', 'n') # as the column was called before
        self.assertEqual((report['counts']['equal'], report['counts']['keys']), (2, 2))

    def test_what_may_have_changed_rows_without_showing_them_is_told_with_its_place(self):
        for statement, words in {"SET SESSION binlog_format = STATEMENT; UPDATE t SET note = 'x'": 'was logged as a statement', "SET SESSION binlog_format = STATEMENT; INSERT INTO other VALUES (1)": 'was logged as a statement',
                                 'RENAME TABLE t TO gone, fresh TO t': 'gave the table other rows', 'ALTER TABLE t RENAME TO gone2; ALTER TABLE fresh2 RENAME TO t': 'gave the table other rows'}.items():
            with self.subTest(statement):
                self.sql('CREATE TABLE IF NOT EXISTS other (id INT); CREATE TABLE IF NOT EXISTS fresh LIKE t; CREATE TABLE IF NOT EXISTS fresh2 LIKE t')
                self.begin = self.place()
                self.sql("REPLACE INTO t VALUES (100, 'row')")
                self.sql(statement)
                text = self.refused(*self.events())
                self.assertIn(words, text)
                self.assertRegex(text, r'binary log binlog.000001:\d+: ')
                if statement.startswith('SET'): # and behind it all is well
                    self.begin = re.search(r'begin there: (\S+)', text).group(1)
                    self.sql("REPLACE INTO t VALUES (100, 'again')")
                    self.assertEqual(self.report(*self.events())['counts']['equal'], 1)

    def test_what_the_log_does_not_show_is_listed_as_taken_for_granted(self):
        self.sql('CREATE TABLE parent (id INT PRIMARY KEY); CREATE TABLE child (id INT PRIMARY KEY, p INT, CONSTRAINT tie FOREIGN KEY (p) REFERENCES parent (id) ON DELETE CASCADE)')
        self.sql('INSERT INTO parent VALUES (1); INSERT INTO child VALUES (10, 1)')
        assumed = ' '.join(self.report(*self.events('child'))['assumed'])
        for words in ('no row was changed by the foreign key tie (ON DELETE CASCADE', 'sql_log_bin=0', 'log_slave_updates is off', "they are today's (binlog_row_metadata is not FULL)"):
            self.assertIn(words, assumed)
        self.sql("SET GLOBAL binlog_row_metadata = FULL; INSERT INTO t VALUES (1, 'a')")
        assumed = ' '.join(self.report(*self.events())['assumed'])
        self.assertNotIn('foreign key', assumed)
        self.assertNotIn("they are today's", assumed)
        self.sql('DELETE FROM parent') # what it does to the child is in no event
        self.assertEqual(self.report(*self.events('child'), status=1)['counts']['differences'], 1)

    def test_what_is_no_ordinary_table_is_refused(self):
        self.sql('CREATE TABLE past (id INT PRIMARY KEY) WITH SYSTEM VERSIONING; CREATE VIEW seen AS SELECT * FROM t')
        self.assertIn('keeps its history (system versioning)', self.refused(*self.events('past')))
        self.assertIn('no table that has rows of its own (VIEW)', self.refused(*self.events('seen')))

    def test_the_default_database_of_a_statement_elsewhere_is_not_the_tables(self):
        self.sql('CREATE DATABASE apart; CREATE TABLE apart.x (id INT)')
        self.server.sql('SET SESSION binlog_format = STATEMENT; INSERT INTO x VALUES (1)', database='apart')
        self.sql("INSERT INTO t VALUES (1, 'a')")
        self.assertEqual(self.report(*self.events())['counts']['equal'], 1)


@unittest.skipIf(REASON, REASON)
class Filtered(Binlog):
    settings = ('binlog-ignore-db=shop',)

    def test_a_database_that_is_left_out_of_the_log_is_told(self):
        self.sql('CREATE TABLE t (id INT PRIMARY KEY)')
        self.assertIn('leaves the database shop out of its binary log (binlog_ignore_db)', self.refused('--events', self.log('t', 'binlog=beginning'), '--expected', self.table('t')))


@unittest.skipIf(REASON, REASON)
class Places(Binlog):
    settings = ('gtid-strict-mode=ON',)

    def setUp(self):
        super().setUp()
        self.sql("CREATE TABLE t (id INT PRIMARY KEY, note VARCHAR(20)); INSERT INTO t VALUES (1, 'a')")

    def read(self, begin):
        return ['--events', self.log('t', begin), '--expected', self.table('t')]

    def purge(self):
        for turn in range(3):
            self.sql(f"FLUSH BINARY LOGS; UPDATE t SET note = 'turn {turn}'")
        newest = self.sql('SHOW BINARY LOGS').splitlines()[-1].split('\t')[0]

        def gone():
            self.sql(f"PURGE BINARY LOGS TO '{newest}'")
            return self.sql('SHOW BINARY LOGS').splitlines()[0].split('\t')[0] == newest
        servers.wait_until(gone, 'the binary logs were not purged')
        return newest

    def test_what_was_purged_is_told_with_the_oldest_place(self):
        gtid, place = self.gtid(), self.place()
        self.sql("REPLACE INTO t VALUES (1, 'c')")
        oldest = self.purge()
        for begin in (f'binlog={place}', f'gtid={gtid}'):
            text = self.refused(*self.read(begin))
            self.assertIn('is no longer in the binary log', text)
            self.assertRegex(text, f'the oldest place that is left is {oldest}:4, behind GTID 0-1-[0-9]+')
        self.assertEqual(self.report(*self.read('binlog=beginning'))['counts']['equal'], 1)

    def test_removed_files_are_read_from_a_backup_at_a_scratch_server(self):
        """What docs/recovery.md says of a gap: the files go into the log of another server, which has a table of the same form, and both logs are events of one run."""
        self.sql("INSERT INTO t VALUES (3, 'will go')")
        saved = self.report('-b', self.table('t'), '--save-state', 'before.state', '--table', 'shop.t', order='mariadb', status=3)
        self.assertEqual(saved['counts']['different'], 0)
        start = self.gtid()
        self.sql("DELETE FROM t WHERE id = 3; INSERT INTO t VALUES (2, 'lost'); FLUSH BINARY LOGS")
        kept = [line.split('\t')[0] for line in self.sql('SHOW BINARY LOGS').splitlines()][:-1]
        backup = {}
        for name in kept:
            with open(os.path.join(self.server.folder, 'data', name), 'rb') as file:
                backup[name] = file.read()
        definition = self.sql('SHOW CREATE TABLE t').split('\t', 1)[1].replace('\\n', ' ')
        self.purge()
        events = ['--events', self.log('t', 'binlog=beginning'), '--table', 'shop.t', '--baseline', 'before.state', '--expected', self.table('t')]
        self.assertEqual(self.report(*events, order='mariadb', status=1)['counts']['different'], 1)  # the row that was deleted in the gap
        with servers.MariaDB(self.settings) as scratch:
            scratch.sql(definition)
            scratch.stop_process()
            data = os.path.join(scratch.folder, 'data')
            for name in os.listdir(data):
                if name.startswith('binlog.'):
                    os.unlink(os.path.join(data, name))
            for name, content in [*backup.items(), ('binlog.index', ''.join(f'./{name}\n' for name in kept).encode())]:
                with open(os.path.join(data, name), 'wb') as file:
                    file.write(content)
                if os.getuid() == 0:
                    shutil.chown(os.path.join(data, name), scratch.user, scratch.user)
            scratch.launch()
            report = self.report('--events', scratch.locator(f'?gtid={start}#t'), *events, order='mariadb')
        self.assertEqual((report['counts']['different'], report['counts']['equal']), (0, 3))

    def test_places_that_are_none(self):
        for begin, words, status in [('binlog=binlog.000099:4', 'has no binary log binlog.000099; it has binlog.000001 to binlog.000001', 2), ('binlog=binlog.000001:99999999', 'lies outside of the file', 2),
                                     ('binlog=binlog.000001:300', 'no event at the place', 2), ('binlog=orders', 'binlog is FILE:POSITION', 2), ('gtid=orders', 'gtid is a list of GTIDs', 2), ('gtid=0-1-999', 'which is not in the master', 4),
                                     ('gtid=0-1-1&binlog=beginning', 'give one', 2)]:
            with self.subTest(begin):
                self.assertIn(words, self.refused(*self.read(begin), status=status))
        self.assertIn('one table', self.refused('--events', self.server.locator('?binlog=beginning'), '--expected', self.table('t')))

    def test_the_place_where_it_ended_is_one_to_begin_at_and_to_probe(self):
        report = self.report(*self.read('binlog=beginning'))
        place, gtid = re.search(r'up to binary log (\S+:\d+), gtid (\S+),', report['inputs'][0]['position']).groups()
        self.assertEqual((place, gtid), (self.place(), self.gtid()))
        for begin in (f'binlog={place}', f'gtid={gtid}'):
            done = self.run_program('--order', 'mysql', '--json', '--baseline', self.table('t'), *self.read(begin))
            self.assertEqual((done.returncode, json.loads(done.stdout)['inputs'][1]['records']), (0, 0), done.stderr)
        self.sql("INSERT INTO t VALUES (2, 'later')")
        for begin in (f'binlog={place}', f'gtid={gtid}'):
            self.assertEqual(self.report(*self.read(begin), status=1)['inputs'][0]['records'], 1)
        done = self.run_program('probe', self.table('t'), '--saved', place, '--same-source', '--json', command='position')
        self.assertEqual((done.returncode, json.loads(done.stdout)['rule']['name']), (0, 'mysql.file.listed'), done.stderr)
        done = self.run_program('probe', self.table('t'), '--saved', gtid, '--same-source', '--json', command='position')
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_differs_is_read_again_from_the_same_place(self):
        self.sql("CREATE TABLE copy LIKE t; INSERT INTO copy VALUES (1, 'behind')")
        report = self.report('--events', self.log('t', 'binlog=beginning'), '--expected', self.table('copy'), '--recheck', '0.2', status=1)
        self.assertEqual((report['recheck']['persistent'], report['recheck']['rounds'][0]['proves']), (1, True), report['recheck'])

    def test_the_least_grants_are_enough_and_what_is_missing_is_told(self):
        self.user = 'auditor'
        self.sql(f"CREATE USER auditor@'127.0.0.1' IDENTIFIED BY '{SECRET}'; GRANT SELECT ON shop.t TO auditor@'127.0.0.1'")
        for grant in ('BINLOG MONITOR', 'REPLICATION SLAVE'):
            self.assertIn('GRANT REPLICATION SLAVE, BINLOG MONITOR ON *.*', self.refused(*self.read('binlog=beginning'), status=4))
            self.sql(f"GRANT {grant} ON *.* TO auditor@'127.0.0.1'")
        self.assertEqual(self.report(*self.read('binlog=beginning'))['counts']['equal'], 1)

    def test_nothing_is_changed_and_no_other_reader_is_ended(self):
        other = subprocess.Popen(['mariadb-binlog', '--no-defaults', '--read-from-remote-server', '--stop-never', '--raw', f'--socket={self.server.socket}', '-u', 'root', f'--result-file={self.folder}/', 'binlog.000001'],
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(other.wait)
        self.addCleanup(other.kill)
        readers = "SELECT id FROM information_schema.processlist WHERE command = 'Binlog Dump'"
        servers.wait_until(lambda: self.sql(readers), 'the other reader did not begin')
        variables = "SHOW GLOBAL VARIABLES WHERE variable_name NOT LIKE 'innodb_history%'"
        before = self.sql(readers), self.place(), self.sql(variables)
        self.assertEqual(self.report(*self.read('binlog=beginning'))['counts']['equal'], 1)
        self.assertEqual((self.sql(readers), self.place(), self.sql(variables)), before)
        self.assertEqual(self.sql('SHOW REPLICA HOSTS'), '')
        self.assertIsNone(other.poll())


if __name__ == '__main__':
    unittest.main()
