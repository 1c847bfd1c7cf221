"""position probe against MariaDB: what a connection test would call fine."""
import unittest

from probing import Probing
from servers import MariaDB, wait_until

REASON = MariaDB.unavailable()


@unittest.skipIf(REASON, REASON)
class BinaryLogs(Probing):
    def setUp(self):
        self.server = MariaDB(['gtid-strict-mode=ON', 'general-log=ON', 'general-log-file=general.log'])
        self.server.__enter__()
        self.addCleanup(self.server.close)
        self.sql('CREATE TABLE orders (k int PRIMARY KEY, amount int); CREATE TABLE nokey (k int)')
        self.sql("CREATE USER probe@'%' IDENTIFIED BY 's3cret'; GRANT BINLOG MONITOR ON *.* TO probe@'%'; GRANT SELECT ON shop.* TO probe@'%'")
        self.locator = self.server.locator('#orders', user='probe:s3cret')

    def sql(self, text):
        return self.server.sql(text)

    def gtid(self):
        return self.sql('SELECT @@gtid_binlog_pos')

    def place(self):
        return ':'.join(self.sql('SHOW MASTER STATUS').split('\t')[:2])

    def insert(self, *keys):
        for key in keys:
            self.sql(f'INSERT INTO orders VALUES ({key}, 1)')

    def purge(self):
        """Purges all logs but the newest two; the server keeps those that crash recovery needs, until it does not."""
        self.sql('FLUSH BINARY LOGS')
        self.insert(900)
        self.sql('FLUSH BINARY LOGS')
        newest = self.sql('SHOW BINARY LOGS').splitlines()[-2].split('\t')[0]

        def gone():
            self.sql(f"PURGE BINARY LOGS TO '{newest}'")
            return self.sql('SHOW BINARY LOGS').splitlines()[0].split('\t')[0] == newest
        wait_until(gone, 'the binary logs were not purged')
        return newest

    def test_what_is_still_in_the_logs_is_continuous(self):
        gtid, place = self.gtid(), self.place()
        self.insert(1, 2)
        self.sql('FLUSH BINARY LOGS')
        report = self.probe(self.locator, '--saved', gtid, status=0)
        self.assertEqual((report['schema'], report['kind'], report['rule']['name']), ('slackwater.probe/1', 'mariadb', 'mariadb.within'))
        report = self.probe(self.locator, '--saved', place, '--same-source', status=0)
        self.assertEqual((report['kind'], report['rule']['name']), ('mysql', 'mysql.file.listed'))
        self.has(report['evidence'], 'a border between two events')
        self.assertEqual([each['Log_name'] for each in report['objects'] if each['type'] == 'binary log'], ['binlog.000001', 'binlog.000002'])
        self.assertEqual(next(each for each in report['objects'] if each['type'] == 'table'), {'type': 'table', 'name': 'shop.orders', 'engine': 'InnoDB', 'primaryKey': 'yes'})
        self.has(report['risks'], 'no binary log is purged by its age')
        # a file and offset names no server by itself
        self.assertEqual(self.probe(self.locator, '--saved', place, status=3)['conditionalVerdict'], 'continuous')

    def test_purged_logs_are_a_gap_with_its_interval_though_the_server_answers(self):
        gtid, place = self.gtid(), self.place()
        self.insert(1, 2, 3)
        newest = self.purge()
        report = self.probe(self.locator, '--saved', gtid, status=1)
        self.assertEqual(report['rule']['name'], 'mariadb.purged')
        interval = report['intervals'][0]
        self.assertEqual((interval['space'], interval['from'], interval['fromIncluded'], interval['toIncluded'], interval['proof']), ('domain 0', gtid.split('-')[2], False, True, 'discarded at the source'))
        self.assertEqual(int(interval['to']), int(gtid.split('-')[2]) + 3)
        self.has(report['hidden'], 'error 1236')
        report = self.probe(self.locator, '--saved', place, '--same-source', status=1)
        self.assertEqual(report['rule']['name'], 'mysql.file.purged')
        self.assertEqual((report['intervals'][0]['from'], report['intervals'][0]['to']), (place, f'{newest}:4'))

    def test_a_reset_is_no_gap_and_nothing_that_could_be_told(self):
        self.insert(1, 2, 3)
        gtid, place = self.gtid(), self.place()
        self.sql('RESET MASTER')
        report = self.probe(self.locator, '--saved', gtid, status=3)
        self.assertEqual((report['verdict'], report['rule']['name']), ('cannot tell', 'mariadb.ahead'))
        report = self.probe(self.locator, '--saved', place, '--same-source', status=3)
        self.assertEqual(report['rule']['name'], 'mysql.file.reset')
        self.has(report['hidden'], 'takes connections like the one before')
        # the log grows past the saved offset: the file is there, and long enough, and still another one
        self.sql('CREATE TABLE other (k int PRIMARY KEY, filler varchar(200))')
        offset = int(place.split(':')[1])
        for key in range(100):
            if int(self.place().split(':')[1]) > offset:
                break
            self.sql(f"INSERT INTO other VALUES ({key}, repeat('x', {37 + key}))")
        self.insert(4)
        report = self.probe(self.locator, '--saved', place, '--same-source', status=3)
        self.assertEqual(report['rule']['name'], 'mysql.file.border')
        self.lacks(report['obligations'], 'resume at the saved position')

    def test_without_strict_mode_numbers_prove_nothing(self):
        gtid = self.gtid()
        self.sql('SET GLOBAL gtid_strict_mode = OFF')
        self.assertEqual(self.probe(self.locator, '--saved', gtid, status=3)['rule']['name'], 'mariadb.strict')

    def test_settings_that_leave_changes_out_are_conditions_or_risks(self):
        gtid = self.gtid()
        self.sql('SET GLOBAL binlog_format = MIXED; SET GLOBAL binlog_row_image = MINIMAL; SET GLOBAL binlog_expire_logs_seconds = 90000')
        report = self.probe(self.locator, '--saved', gtid, '--table', 'shop.nokey', status=3)
        self.assertEqual(report['conditionalVerdict'], 'continuous')
        self.has(report['conditions'], 'binlog_format is MIXED')
        self.has(report['risks'], 'binlog_row_image is MINIMAL')
        self.has(report['risks'], 'older than 1 d 1 h')
        self.has(report['risks'], 'shop.nokey has no primary key')
        self.assertEqual(report['settings']['binlog_format'], 'MIXED')

    def test_a_user_without_the_privilege_is_told_what_to_grant(self):
        gtid = self.gtid()
        self.sql("CREATE USER bare@'%'; GRANT SELECT ON shop.* TO bare@'%'")
        report = self.probe(self.server.locator(user='bare'), '--saved', gtid, status=3)
        self.has(report['reasons'], 'SHOW BINARY LOGS was refused to this user: grant BINLOG MONITOR ON *.*')
        report = self.probe(self.server.locator(user='bare'), '--saved', 'binlog.000001:4', '--same-source', status=3)
        self.has(report['reasons'], 'did not list its binary logs')

    def test_wrong_names_and_passwords_are_told_without_the_password(self):
        gtid = self.gtid()
        error = self.probe(self.locator.replace('#orders', '#order'), '--saved', gtid, status=2)['error']
        self.assertIn('near names: shop.orders', error['text'])
        error = self.probe(self.locator.replace('s3cret', 's3cret1'), '--saved', gtid, status=4)['error']
        self.assertEqual(error['code'], 'remote')
        self.assertIn('Access denied', error['text'])
        self.assertNotIn('s3cret', str(error))

    def test_nothing_is_written(self):
        place, gtid = self.place(), self.gtid()
        self.probe(self.locator, '--saved', gtid, status=0)
        self.probe(self.locator, '--saved', place, '--same-source', status=0)
        self.assertEqual((self.place(), self.gtid()), (place, gtid))
        with open(f'{self.server.folder}/data/general.log', encoding='utf-8') as f:
            lines = f.read()
        connections = {}
        for line in lines.splitlines():
            words = line.replace('\t', ' ').split()
            for at, word in enumerate(words):
                if word in ('Connect', 'Query') and at and words[at - 1].isdigit():
                    connections.setdefault(words[at - 1], []).append(' '.join(words[at:]))
                    break
        probes = [said for said in connections.values() if said[0].startswith('Connect probe@')]
        self.assertEqual(len(probes), 2)
        for said in probes:
            self.assertIn('Query SET SESSION TRANSACTION READ ONLY', said)
            for statement in said[1:]:
                self.assertRegex(statement, r'^Query (SET SESSION |SET NAMES|SHOW |SELECT )')


@unittest.skipIf(REASON, REASON)
class Filters(Probing):
    def test_a_database_that_is_kept_out_of_the_log_is_a_condition(self):
        with MariaDB(['gtid-strict-mode=ON', 'binlog-ignore-db=shop']) as server:
            server.sql('CREATE DATABASE other', database='')
            gtid = server.sql('SELECT @@gtid_binlog_pos')
            report = self.probe(server.locator(), '--saved', gtid, status=3)
            self.has(report['conditions'], 'binlog_ignore_db leaves it out of the binary log')

    def test_a_server_without_a_binary_log_says_so(self):
        with MariaDB(['skip-log-bin']) as server:
            report = self.probe(server.locator(), '--saved', '0-1-5', status=3)
            self.has(report['reasons'], 'log_bin is off')


if __name__ == '__main__':
    unittest.main()
