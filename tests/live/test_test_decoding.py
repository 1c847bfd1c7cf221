"""What PostgreSQL's plugin test_decoding writes of a hostile workload, by pg_recvlogical and by psql, held against the table's rows."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
from program import ENVIRONMENT, PROGRAM  # noqa: E402
from servers import PostgreSQL  # noqa: E402

SCHEMA = r'''CREATE TYPE mood AS ENUM ('sad', 'it''s "ok"');
CREATE TABLE "T 1" (id int PRIMARY KEY, "we[ir]d: ""n""" text, num numeric, f8 float8, flag boolean, raw bytea, day date, tz timestamptz, bits bit(4), vb varbit, m mood, ints int[], words text[], j jsonb, c char(4),
                    big text);
ALTER TABLE "T 1" ALTER big SET STORAGE EXTERNAL;
CREATE TABLE whole (id int PRIMARY KEY, v text, big text);
ALTER TABLE whole ALTER big SET STORAGE EXTERNAL, REPLICA IDENTITY FULL;
CREATE TABLE wiped (id int PRIMARY KEY);
CREATE TABLE wiped_too (id int PRIMARY KEY REFERENCES wiped);'''
WORKLOAD = [r"""INSERT INTO "T 1" VALUES (1, E'a''b\nCOMMIT 9\ntable public."T 1": INSERT: id[integer]:99\n', 1.50, 'NaN', true, '\x00ff', '2026-01-28', '2026-01-28 12:00:00+00', B'0101', B'', 'it''s "ok"',
              '{1,NULL,3}', '{"a b",NULL,"NULL",""}', '{"k": "it''s"}', 'ab', repeat('x', 5000)), (2, E'\t\\''"]:null unchanged-toast-datum', -0.001, '-Infinity', false, '', 'infinity', NULL, NULL, B'1', 'sad', '{}', NULL, NULL, NULL, NULL),
              (3, '', NULL, 1e300, NULL, NULL, '0044-03-15 BC', '-infinity', B'0000', NULL, NULL, '{{1,2},{3,4}}', '{}', '[]', '', '')""",
            """UPDATE "T 1" SET num = num + 1 WHERE id = 1""", """UPDATE "T 1" SET id = 10 WHERE id = 1""", """DELETE FROM "T 1" WHERE id = 3""",
            "INSERT INTO whole VALUES (1, 'a', repeat('y', 5000)), (2, 'b', NULL)", "UPDATE whole SET v = E'new\\ntuple: new-tuple:' WHERE id = 1", "DELETE FROM whole WHERE id = 2",
            "INSERT INTO wiped VALUES (1), (2)", "INSERT INTO wiped_too VALUES (1)", "TRUNCATE wiped, wiped_too", "INSERT INTO wiped VALUES (3)",
            "SELECT pg_logical_emit_message(true, 'p', E'hello\\ntable public.wiped: INSERT: id[integer]:77\\n'), pg_logical_emit_message(false, 'q: sz: 3 content:', '')",
            "BEGIN; INSERT INTO wiped VALUES (4); ROLLBACK"]


@unittest.skipIf(PostgreSQL.unavailable(), PostgreSQL.unavailable())
class TestDecoding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = PostgreSQL(["timezone = 'UTC'"])
        cls.server.__enter__()
        cls.addClassCleanup(cls.server.close)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.server.sql(SCHEMA)
        for slot in ('received', 'peeked'):
            cls.server.sql(f"SELECT pg_create_logical_replication_slot('{slot}', 'test_decoding')")
        for statement in WORKLOAD:
            cls.server.sql(statement)
        end = cls.server.sql('SELECT pg_current_wal_lsn()').strip()
        at = ['-h', '127.0.0.1', '-p', str(cls.server.port), '-U', 'postgres', '-d', 'shop']
        cls.received, cls.peeked = os.path.join(cls.folder, 'received.txt'), os.path.join(cls.folder, 'peeked.txt')
        subprocess.run([f'{cls.server.bin}/pg_recvlogical', *at, '--slot', 'received', '--start', '--endpos', end, '--no-loop', '-f', cls.received, '-o', 'include-timestamp=1'], check=True, timeout=60)
        with open(cls.peeked, 'wb') as f:
            subprocess.run(['psql', '-XAtq', *at, '-c', "SELECT * FROM pg_logical_slot_peek_changes('peeked', NULL, NULL)"], check=True, stdout=f, timeout=60)
        for table in ('"T 1"', 'whole', 'wiped', 'wiped_too'):
            rows = cls.server.sql(f'SELECT row_to_json(t) FROM {table} t')
            with open(os.path.join(cls.folder, table.strip('"') + '.ndjson'), 'w', encoding='utf-8') as f:
                f.write(rows if rows.endswith('\n') or not rows else rows + '\n')

    def reconcile(self, events, order, table):
        done = subprocess.run([PROGRAM, 'reconcile', '--json', '--allow-empty', '--key', 'id', '--table', table, '--order', order, '-e', events, '-x', os.path.join(self.folder, table + '.ndjson')], env=ENVIRONMENT,
                              capture_output=True, text=True, timeout=60)
        return done.returncode, json.loads(done.stdout)

    def test_the_rows_are_those_of_the_table(self):
        for events, order in ((self.received, 'file'), (self.peeked, 'postgres')):
            for table, keys in (('T 1', 4), ('whole', 2), ('wiped', 3), ('wiped_too', 1)):
                with self.subTest(events=events, table=table):
                    status, report = self.reconcile(events, order, table)
                    self.assertEqual((status, report.get('differences'), report.get('undecided')), (0, [], []), str(report)[:2000])
                    self.assertEqual(report['counts']['keys'], keys)
                    self.assertEqual([k['count'] for k in report['kinds'] if k['kind'] == 'logical message'], [2])

    def test_a_text_that_is_cut_in_a_value_has_a_bad_record(self):
        with open(self.received, 'rb') as f:
            text = f.read()
        cut = os.path.join(self.folder, 'cut.txt')
        with open(cut, 'wb') as f:
            f.write(text[:text.index(b"table public.whole: INSERT") + 60])
        status, report = self.reconcile(cut, 'file', 'T 1')
        self.assertEqual(status, 2)
        self.assertEqual(report['counts']['badRecords'], 1)

    def test_packed_and_from_a_pipe_it_is_the_same(self):
        done = subprocess.run(f'gzip -c {self.received} | {PROGRAM} reconcile --key id --table whole --order file -e - -x {self.folder}/whole.ndjson', shell=True, env=ENVIRONMENT, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout[:500] + done.stderr)


if __name__ == '__main__':
    unittest.main()
