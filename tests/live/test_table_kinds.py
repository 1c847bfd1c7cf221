"""Tables that are not simply a table: what is read of each, and what is said where that is less, or more, than its name promises."""
import unittest

from reading import Reading, lacking, servers

POSTGRES, MARIADB = lacking('postgres', servers.PostgreSQL), lacking('mariadb', servers.MariaDB)


class Kinds(Reading):
    def told(self, locator, *more):
        """What the report takes for granted of an input that is compared with itself."""
        report = self.equal('-b', locator, '-x', locator, '--key', 'id', *more)
        return [line.split(': ', 1)[1] for line in report['assumed'] if line.startswith('baseline, ')], report


@unittest.skipIf(MARIADB, MARIADB)
class MariaDB(Kinds):
    @classmethod
    def setUpClass(cls):
        cls.server = servers.MariaDB(['max-allowed-packet=16M']).__enter__()
        cls.addClassCleanup(cls.server.close)
        cls.server.sql("""CREATE TABLE inno (id INT PRIMARY KEY, v TEXT); INSERT INTO inno VALUES (1, 'a'); CREATE TABLE my (id INT PRIMARY KEY, v TEXT) ENGINE=MyISAM; INSERT INTO my VALUES (1, 'a');
            CREATE TABLE ar (id INT PRIMARY KEY, v TEXT) ENGINE=Aria TRANSACTIONAL=1; INSERT INTO ar VALUES (1, 'a');
            CREATE TABLE sv (id INT PRIMARY KEY, v TEXT) WITH SYSTEM VERSIONING; INSERT INTO sv VALUES (1, 'a'), (2, 'b'); UPDATE sv SET v = 'c' WHERE id = 1; DELETE FROM sv WHERE id = 2;
            CREATE VIEW vw AS SELECT * FROM my; CREATE DATABASE pure; CREATE TABLE pure.t (id INT PRIMARY KEY, g INT AS (id * 2) STORED, w INT AS (id + 1) VIRTUAL); INSERT INTO pure.t (id) VALUES (1); CREATE VIEW pure.v AS SELECT * FROM pure.t""")

    def test_a_table_without_transactions_is_told_to_be_in_no_snapshot(self):
        self.assertEqual(self.told(self.at('#inno'))[0], [])
        for table, engine in (('my', 'MyISAM'), ('ar', 'Aria')):
            self.assertIn(f'its engine {engine} has no transactions', self.told(self.at('#' + table))[0][0])

    def test_a_view_or_query_over_such_tables_is_told_too(self):
        for locator, more, what in ((self.at('#vw'), (), 'view'), (self.at(), ('--baseline-query', 'SELECT * FROM my', '--expected-query', 'SELECT * FROM my'), 'query')):
            lines, _ = self.told(locator, *more)
            self.assertIn(f'where the {what} reads such', lines[0])
            self.assertIn('ar (Aria), my (MyISAM)', lines[0])
        self.assertEqual(self.told(self.at('#pure.v'))[0], [])

    def test_of_a_versioned_table_the_rows_of_now_are_read(self):
        lines, report = self.told(self.at('#sv'))
        self.assertEqual(report['counts']['keys'], 1)
        self.assertIn('system versioning', lines[0])

    def test_generated_columns_are_read_as_what_they_come_to(self):
        _, report = self.told(self.at('#pure.t'))
        self.assertIn('g int32, w int32', '; '.join(report['assumed']))
        self.equal('-b', self.at('#pure.t'), '-x', self.write('t.csv', 'id,g,w\n1,2,2\n'))

    def test_a_name_in_another_case_is_near(self):
        self.refused(2, 'near names: shop.inno', arguments=('-b', self.at('#INNO'), '-x', self.at('#inno')))
        self.refused(2, 'near names: pure.t', arguments=('-b', self.at('#pur.t'), '-x', self.at('#inno')))

    def test_a_row_larger_than_a_packet_is_read_or_refused_and_never_cut(self):
        self.server.sql('CREATE TABLE wide (id INT PRIMARY KEY, a LONGTEXT, b LONGTEXT, c LONGTEXT); ' + "INSERT INTO wide (id, a) VALUES (1, REPEAT('a', 9000000)); UPDATE wide SET b = a; UPDATE wide SET c = a")
        self.assertEqual(self.told(self.at('#wide'))[1]['counts']['equal'], 1)
        options = self.write('my.cnf', '[client]\nmax_allowed_packet=1M\n')
        self.refused(4, 'max_allowed_packet', arguments=('-b', self.at(f'?defaults-file={options}#wide'), '-x', self.at('#wide'), '--key', 'id'))


if __name__ == '__main__':
    unittest.main()
