"""Tables that are not simply a table: what is read of each, and what is said where that is less, or more, than its name promises."""
import subprocess
import unittest

from reading import Reading, lacking, servers

POSTGRES, MARIADB = lacking('postgres', servers.PostgreSQL), lacking('mariadb', servers.MariaDB)


class Kinds(Reading):
    def told(self, locator, *more):
        """What the report takes for granted of an input that is compared with itself."""
        report = self.equal('-b', locator, '-x', locator, '--key', 'id', *more)
        return [line.split(': ', 1)[1] for line in report['assumed'] if line.startswith('baseline, ')], report


@unittest.skipIf(POSTGRES, POSTGRES)
class PostgreSQL(Kinds):
    @classmethod
    def setUpClass(cls):
        cls.server = servers.PostgreSQL().__enter__()
        cls.addClassCleanup(cls.server.close)
        cls.server.sql("""CREATE TABLE plain (id int PRIMARY KEY, v text); INSERT INTO plain VALUES (1, 'a'), (2, 'b');
            CREATE TABLE parent (id int PRIMARY KEY, v text); CREATE TABLE child (more int) INHERITS (parent); INSERT INTO parent VALUES (1, 'a'); INSERT INTO child VALUES (2, 'b', 3);
            CREATE TABLE parted (id int PRIMARY KEY, v text) PARTITION BY RANGE (id); CREATE TABLE low PARTITION OF parted FOR VALUES FROM (0) TO (10) PARTITION BY LIST (id); CREATE TABLE low1 PARTITION OF low FOR VALUES IN (1);
            CREATE TABLE rest PARTITION OF parted DEFAULT; INSERT INTO parted VALUES (1, 'a'), (20, 'b'), (-5, 'c');
            CREATE MATERIALIZED VIEW stale AS SELECT * FROM plain; CREATE MATERIALIZED VIEW never AS SELECT * FROM plain WITH NO DATA;
            CREATE TABLE made (id int PRIMARY KEY, a int, g int GENERATED ALWAYS AS (a * 2) STORED, i int GENERATED ALWAYS AS IDENTITY); INSERT INTO made (id, a) VALUES (1, 2);
            CREATE SCHEMA "Sales"; CREATE TABLE "Sales"."Orders" ("Id" int PRIMARY KEY); CREATE TABLE closed (id int PRIMARY KEY, v text, pay numeric); INSERT INTO closed VALUES (1, 'a', 5);
            CREATE ROLE clerk LOGIN; GRANT SELECT (id, v) ON closed TO clerk; GRANT USAGE ON SCHEMA "Sales" TO clerk;
            CREATE TABLE policed (id int PRIMARY KEY); INSERT INTO policed VALUES (1), (2); ALTER TABLE policed ENABLE ROW LEVEL SECURITY; CREATE POLICY one ON policed USING (id = 1); GRANT SELECT ON policed TO clerk; CREATE VIEW through AS SELECT * FROM policed;
            GRANT SELECT ON through TO clerk""")

    def test_a_table_that_is_only_a_table_needs_no_word(self):
        for table in ('plain', 'made', 'parted'):
            self.assertEqual((table, self.told(self.at('#' + table))[0]), (table, []))

    def test_tables_that_inherit_are_read_with_their_parent_and_told(self):
        lines, report = self.told(self.at('#parent'))
        self.assertEqual(report['counts']['keys'], 2)
        self.assertEqual(lines, ['the rows of 1 tables that inherit from it are its own (child): no primary key holds for all of them'])

    def test_a_partitioned_table_is_read_once(self):
        _, report = self.told(self.at('#parted'), '--threads', '3')
        self.assertEqual((report['counts']['keys'], report['counts']['duplicateKey'], report['inputs'][0]['records']), (3, 0, 3))
        status, report = self.call('-b', self.at('#parted'), '-x', self.at('#low'))
        self.assertEqual((status, [d['key']['id'] for d in report['differences']]), (1, [-5, 20]))

    def test_a_materialized_view_is_as_old_as_it_is(self):
        self.assertEqual(self.told(self.at('#stale'))[0], ['the materialized view is as it was last refreshed'])
        self.refused(4, 'has not been populated', 'REFRESH', arguments=('-b', self.at('#never'), '-x', self.at('#plain')))

    def test_a_foreign_table_is_read_and_told(self):
        if not self.server.sql("SELECT 1 FROM pg_available_extensions WHERE name = 'postgres_fdw'"):
            self.skipTest('postgres_fdw is not installed')
        self.server.sql(f"""CREATE EXTENSION postgres_fdw; CREATE SERVER away FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '127.0.0.1', port '{self.server.port}', dbname 'shop'); CREATE USER MAPPING FOR postgres SERVER away OPTIONS (user 'postgres');
            CREATE FOREIGN TABLE distant (id int, v text) SERVER away OPTIONS (schema_name 'public', table_name 'plain')""")
        lines, report = self.told(self.at('#distant'))
        self.assertEqual(report['counts']['keys'], 2)
        self.assertIn('the snapshot here does not hold for its own server', lines[0])

    def test_generated_columns_are_read_as_what_they_come_to(self):
        self.equal('-b', self.at('#made'), '-x', self.write('made.csv', 'id,a,g,i\n1,2,4,1\n'))

    def test_names_that_are_near_are_told(self):
        for wanted, near in (('plan', 'public.plain'), ('PLAIN', 'public.plain'), ('Sales.orders', 'Sales.Orders'), ('orders', 'Sales.Orders'), ('sales.Orders', 'Sales.Orders')):
            self.refused(2, f'there is no table {wanted}', near, arguments=('-b', self.at('#' + wanted), '-x', self.at('#plain')))
        self.refused(2, 'there is no key column idd', 'id', arguments=('-b', self.at('#plain'), '-x', self.at('#plain'), '--key', 'idd'))
        self.refused(2, 'Perhaps you meant', 'plain.v', arguments=('-b', self.at(), '--baseline-query', 'SELECT id, vv FROM plain', '-x', self.at('#plain')))

    def test_a_temporary_table_of_another_session_is_nobodys(self):
        with subprocess.Popen(['psql', '-XAtq', '-h', '127.0.0.1', '-p', str(self.server.port), '-U', 'postgres', '-d', 'shop'], stdin=subprocess.PIPE, text=True) as other:
            other.stdin.write('CREATE TEMP TABLE passing (id int PRIMARY KEY);\n')
            other.stdin.flush()
            servers.wait_until(lambda: self.server.sql("SELECT count(*) FROM pg_class WHERE relname = 'passing'") == '1', 'no temporary table')
            self.assertNotIn('pg_temp', self.refused(2, 'there is no table passing', arguments=('-b', self.at('#passing'), '-x', self.at('#plain'))))

    def test_columns_that_a_user_may_not_read_are_named_with_the_query_for_the_others(self):
        self.refused(4, 'may not read the columns pay of public.closed', 'SELECT id, v FROM public.closed', arguments=('-b', self.at('#closed', user='clerk'), '-x', self.at('#closed')))
        self.equal('-b', self.at('', user='clerk'), '--baseline-query', 'SELECT id, v FROM public.closed', '-x', self.at('#closed'), '--ignore', 'pay')
        self.refused(4, 'permission denied', 'grant', arguments=('-b', self.at('#plain', user='clerk'), '-x', self.at('#plain')))

    def test_no_policy_hides_a_row_without_a_word(self):
        self.refused(4, 'row-level security', arguments=('-b', self.at('#policed', user='clerk'), '-x', self.at('#policed')))
        self.refused(4, 'row-level security', arguments=('-b', self.at('', user='clerk'), '--baseline-query', 'SELECT * FROM policed', '-x', self.at('#policed')))
        self.assertEqual(self.told(self.at('#through', user='clerk'))[1]['counts']['keys'], 2)


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
        self.assertIn('g integer, w integer', '; '.join(report['assumed']))
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
