"""Nothing is written, by nobody: users who may do all put statements that write, alone, hidden in functions, beside others and behind parentheses, and the server looks the same afterwards."""
import os
import unittest

from reading import Reading, lacking, servers

POSTGRES, MARIADB = lacking('postgres', servers.PostgreSQL), lacking('mariadb', servers.MariaDB)


@unittest.skipIf(POSTGRES, POSTGRES)
class PostgreSQL(Reading):
    """As the superuser."""
    @classmethod
    def setUpClass(cls):
        cls.server = servers.PostgreSQL().__enter__()
        cls.addClassCleanup(cls.server.close)
        cls.server.sql("""CREATE TABLE t (id int PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'a'); CREATE SEQUENCE q;
            CREATE FUNCTION sneak() RETURNS int LANGUAGE plpgsql AS $$ BEGIN INSERT INTO t VALUES (2, 'b'); RETURN 1; END $$;
            CREATE FUNCTION dynamic() RETURNS int LANGUAGE plpgsql AS $$ BEGIN SET LOCAL transaction_read_only = off; EXECUTE 'DELETE FROM t'; RETURN 1; END $$;
            CREATE FUNCTION made() RETURNS int LANGUAGE sql AS 'CREATE TABLE made (id int); SELECT 1'; CREATE VIEW sly AS SELECT id, sneak()::text AS v FROM t; CREATE FUNCTION calm() RETURNS int LANGUAGE plpgsql STABLE AS 'BEGIN PERFORM sneak(); RETURN 1; END'""")

    def state(self):
        return self.server.sql("SELECT (SELECT string_agg(t::text, ' ') FROM t), (SELECT is_called FROM q), (SELECT count(*) FROM pg_class), (SELECT count(*) FROM pg_roles)")

    def test_statements_that_write_are_refused_and_nothing_changed(self):
        before = self.state()
        for query in ("INSERT INTO t VALUES (3, 'c') RETURNING id", 'UPDATE t SET v = v RETURNING id', 'WITH x AS (DELETE FROM t RETURNING id) SELECT * FROM x', "WITH x AS (INSERT INTO t VALUES (4, 'd') RETURNING id) SELECT id FROM x", 'TABLE t; DELETE FROM t',
                      'SELECT 1 AS id; DELETE FROM t', "DO $$ BEGIN DELETE FROM t; END $$", 'SELECT sneak() AS id', 'SELECT dynamic() AS id', 'SELECT made() AS id', 'SELECT calm() AS id', "SELECT nextval('q') AS id", "SELECT setval('q', 7) AS id", 'SELECT id FROM t FOR UPDATE',
                      'SELECT id INTO copied FROM t', 'CREATE TABLE copied AS SELECT 1 AS id', 'CREATE ROLE other', 'TRUNCATE t', 'VACUUM t', 'COMMIT', 'SELECT 1 AS id) q; COMMIT; DELETE FROM t; --', "SELECT 1 AS id) TO PROGRAM 'touch /tmp/slackwater-wrote-this' --",
                      "COPY t TO PROGRAM 'touch /tmp/slackwater-wrote-this'", "SELECT set_config('transaction_read_only', 'off', true) AS id, sneak()", "SELECT set_config('default_transaction_read_only', 'off', false) AS id, sneak()", 'EXPLAIN ANALYZE DELETE FROM t'):
            with self.subTest(query=query):
                self.refused(2, arguments=('-b', self.at(), '--baseline-query', query, '-x', self.at('#t'), '--key', 'id'))
        self.refused(2, 'read-only', arguments=('-b', self.at('#sly'), '-x', self.at('#t'), '--key', 'id'))
        self.assertEqual(self.state(), before)
        self.assertFalse(os.path.exists('/tmp/slackwater-wrote-this'))

    def test_a_session_that_the_user_made_writable_is_read_only_all_the_same(self):
        before = self.state()
        for env in ({'PGOPTIONS': '-c default_transaction_read_only=off'}, {'PGOPTIONS': '-c transaction_read_only=off'}):
            self.refused(2, 'read-only', arguments=('-b', self.at(), '--baseline-query', 'SELECT sneak() AS id', '-x', self.at('#t'), '--key', 'id'), env=env)
        self.assertEqual(self.state(), before)


@unittest.skipIf(MARIADB, MARIADB)
class MariaDB(Reading):
    """As root, with the right to write files."""
    @classmethod
    def setUpClass(cls):
        cls.server = servers.MariaDB(['log-bin-trust-function-creators=1', 'secure-file-priv=']).__enter__()
        cls.addClassCleanup(cls.server.close)
        cls.out = os.path.join(cls.server.folder, 'written')
        sql = cls.server.sql
        sql('CREATE TABLE t (id INT PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, "a"); CREATE TABLE log (id INT) ENGINE=MyISAM; CREATE SEQUENCE q')
        sql('CREATE FUNCTION sneak() RETURNS INT MODIFIES SQL DATA RETURN (SELECT 1 FROM (SELECT NEXTVAL(q)) x)')
        sql("DELIMITER //\nCREATE FUNCTION put() RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO t VALUES (2, 'b'); RETURN 1; END//\nCREATE FUNCTION append() RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO log VALUES (1); RETURN 1; END//\nDELIMITER ;")

    def state(self):
        return self.server.sql('SELECT (SELECT GROUP_CONCAT(id, v) FROM t), (SELECT COUNT(*) FROM log), (SELECT COUNT(*) FROM information_schema.tables), (SELECT next_not_cached_value FROM q)')

    def test_statements_that_write_are_refused_and_nothing_changed(self):
        before = self.state()
        for query in ("INSERT INTO t VALUES (3, 'c')", "INSERT INTO t VALUES (3, 'c') RETURNING id", 'DELETE FROM t RETURNING id', 'SELECT put() AS id', 'SELECT append() AS id', 'SELECT sneak() AS id', 'SELECT NEXTVAL(q) AS id', 'SELECT id FROM t FOR UPDATE',
                      'SELECT id FROM t; DELETE FROM t', 'SELECT id FROM t) AS x; DELETE FROM t; -- ', f"SELECT id FROM t INTO OUTFILE '{self.out}'", f"SELECT id FROM t) AS x INTO OUTFILE '{self.out}' -- ", f"SELECT id FROM t) AS x INTO OUTFILE '{self.out}' /*",
                      f"SELECT id FROM t) AS x UNION SELECT 1 INTO OUTFILE '{self.out}' FROM (SELECT 1 AS id", f"SELECT 1 AS id) AS x UNION ALL SELECT 1 INTO DUMPFILE '{self.out}' FROM (SELECT 1", 'SELECT 1 AS id INTO @x', 'CREATE TABLE copied AS SELECT 1 AS id',
                      'TRUNCATE t', 'COMMIT', 'SET GLOBAL net_retry_count = 3', 'CALL mysql.nothing()', 'DO put()'):
            with self.subTest(query=query):
                self.refused(2, arguments=('-b', self.at(), '--baseline-query', query, '-x', self.at('#t'), '--key', 'id'))
        self.assertEqual(self.state(), before)
        self.assertFalse(os.path.exists(self.out))


if __name__ == '__main__':
    unittest.main()
