"""--recheck: which differences were under way, between sources that change while the program waits: SQLite, PostgreSQL, MariaDB, a slot, a topic."""
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import unittest

ROOT = os.environ.get('SW_SOURCE_ROOT', '.')
for folder in ('cli', 'harness'):
    sys.path.insert(0, os.path.join(ROOT, 'tests', folder))
from kafka_broker import KafkaMock  # noqa: E402
from program import ENVIRONMENT, PROGRAM  # noqa: E402
from servers import MariaDB, PostgreSQL  # noqa: E402

HERE = {line.split()[0]: line for line in subprocess.run([PROGRAM, 'sources'], capture_output=True, text=True, check=True).stdout.splitlines() if line.strip()}
SECRET = 'hunter2-s3cr3t'


def without(source, server=None):
    line = HERE.get(source, f'{source} (not here: it is not listed)')
    return line if '(not here' in line else server and server.unavailable()


class Recheck(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def server(self, made):
        server = made.__enter__()
        self.addCleanup(server.close)
        return server

    def sqlite(self, name, script):
        with sqlite3.connect(self.path(name)) as db:
            db.executescript(script)
        db.close()

    def start(self, *arguments, json_form=True):
        return subprocess.Popen([PROGRAM, 'reconcile', *(['--json'] if json_form else []), '--progress', 'json', *arguments], cwd=self.folder, env={**ENVIRONMENT, 'MYSQL_PWD': SECRET}, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True)

    def run_while(self, writers, *arguments, json_form=True):
        """Runs the program; each writer runs in one of its waits, in order. (status, standard output)"""
        process, rounds = self.start(*arguments, json_form=json_form), iter(writers)
        waiting, errors = 0, []
        killer = threading.Timer(120, process.kill)
        killer.start()
        out = []
        reader = threading.Thread(target=lambda: out.append(process.stdout.read()))
        reader.start()
        for line in process.stderr:
            errors.append(line)
            if not line.startswith('{"progress"'):
                continue
            left = json.loads(line)['progress']['waitSeconds']
            if left > waiting:  # another wait begins: a short reading may show no progress of its own
                next(rounds, lambda: None)()
            waiting = left
        process.wait()
        reader.join()
        killer.cancel()
        process.stdout.close()
        process.stderr.close()
        self.assertNotIn(SECRET, out[0] + ''.join(errors))
        return process.returncode, out[0]

    def report(self, writers, *arguments):
        status, out = self.run_while(writers, *arguments)
        report = json.loads(out)
        self.assertNotIn('error', report)
        self.assertEqual(report['exitStatus'], status)
        self.assertEqual(sum(report['recheck'][word] for word in ('inFlight', 'persistent', 'changing', 'undecided', 'leftOut')), report['counts']['differences'])
        return report

    def outcomes(self, report):
        return {json.dumps(each['key']['id']) if len(each['key']) == 1 else '/'.join(map(str, each['key'].values())): each['recheck']['outcome'] for each in report['differences']}

    def by_key(self, report, turn=-1):
        return [(each['role'], each['byKey'], each['records']) for each in report['recheck']['rounds'][turn]['inputs']]


@unittest.skipIf(without('sqlite'), without('sqlite'))
class SQLite(Recheck):
    def setUp(self):
        super().setUp()
        rows = ', '.join(f"({i}, 'v{i}')" for i in range(1, 2001))
        self.sqlite('source.db', f'CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES {rows}')
        self.sqlite('destination.db', f"CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES {rows}; UPDATE t SET v = 'old' WHERE id IN (5, 6, 7); DELETE FROM t WHERE id = 9; INSERT INTO t VALUES (9000, 'deleted at the source')")

    PAIR = ('-b', 'sqlite:source.db#t', '-x', 'sqlite:destination.db#t')

    def write(self, script, name='destination.db'):
        return lambda: self.sqlite(name, script)

    def test_a_difference_that_goes_was_in_flight_and_one_that_stays_is_persistent(self):
        report = self.report([self.write("UPDATE t SET v = 'v5' WHERE id = 5; UPDATE t SET v = 'half' WHERE id = 6; DELETE FROM t WHERE id = 9000"), self.write("INSERT INTO t VALUES (9, 'v9')")],
                             *self.PAIR, '--recheck', '1,2', '--differences', 'd.ndjson')
        self.assertEqual(self.outcomes(report), {'5': 'in-flight', '6': 'changing', '7': 'persistent', '9': 'in-flight', '9000': 'in-flight'})
        self.assertEqual((report['exitStatus'], report['headline']['word'], report['verdicts']['currentState']['verdict']), (1, 'DIFFERENT', 'refuted'))
        self.assertEqual(report['counts']['differences'], 5)  # the first comparison stands as it was found
        self.assertEqual(self.by_key(report, 0), [('baseline', True, 4), ('expected', True, 3)])
        self.assertEqual([(each['keys'], each['gone'], each['unchanged'], each['changed'], each['proves']) for each in report['recheck']['rounds']], [(5, 2, 2, 1, True), (3, 1, 1, 1, True)])
        with open(self.path('d.ndjson'), encoding='utf-8') as file:
            told = {line['key']['id']: line['recheck'] for line in map(json.loads, file)}
        late, never = told[9], told[7]
        self.assertTrue(late['goneInRound'] == 2 and 1 <= late['seenSeconds'] < late['goneAfterSeconds'] < 60, late)
        self.assertTrue('goneInRound' not in never and never['seenSeconds'] >= 2, never)

    def test_a_run_whose_differences_all_went_is_no_equal_one(self):
        report = self.report([self.write("UPDATE t SET v = 'v' || id; DELETE FROM t WHERE id = 9000; INSERT INTO t VALUES (9, 'v9')")], *self.PAIR, '--recheck', '1,5')
        self.assertEqual((report['exitStatus'], report['headline']['word'], report['verdicts']['currentState']['verdict'], report['matchesDeclaredReference']), (3, 'IN FLIGHT', 'unproven', False))
        self.assertEqual(len(report['recheck']['rounds']), 1)  # nothing is left to read
        self.assertTrue(any('no reading showed all keys equal at once' in each for each in report['verdicts']['currentState']['reasons']))
        self.assertTrue(any('not read again' in each for each in report['limits']))

    def test_the_summary_and_csv_say_it_too(self):
        status, out = self.run_while([self.write("UPDATE t SET v = 'v5' WHERE id = 5")], *self.PAIR, '--recheck', '1', '--differences', 'd.csv', json_form=False)
        self.assertEqual(status, 1)
        self.assertIn('Recheck\n', out)
        self.assertIn('1 in flight, 4 persistent', out)
        self.assertIn('persistent: both rows unchanged for', out)
        with open(self.path('d.csv'), encoding='utf-8', newline='') as file:
            lines = file.read().split('\r\n')
        self.assertTrue(lines[0].endswith(',sentence,recheck') and lines[1].endswith(',in-flight') and lines[2].endswith(',persistent'), lines[:3])

    def test_both_sides_are_read_again(self):
        report = self.report([self.write("UPDATE t SET v = 'old' WHERE id = 7; DELETE FROM t WHERE id = 9", 'source.db')], *self.PAIR, '--recheck', '1')
        self.assertEqual(self.outcomes(report), {'5': 'persistent', '6': 'persistent', '7': 'in-flight', '9': 'in-flight', '9000': 'persistent'})

    def test_another_file_in_the_place_of_the_first_proves_nothing(self):
        def replace():
            self.sqlite('other.db', "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t SELECT value, 'v' || value FROM json_each('[5,6,7,9]')")
            os.replace(self.path('other.db'), self.path('destination.db'))
        report = self.report([replace], *self.PAIR, '--recheck', '1,2')
        self.assertEqual(set(self.outcomes(report).values()), {'undecided'})
        self.assertEqual((report['exitStatus'], report['recheck']['rounds'][0]['proves'], report['recheck']['rounds'][0]['gone']), (1, False, 0))
        self.assertIn('two logs', report['recheck']['rounds'][0]['why'])

    def test_an_older_copy_put_back_proves_nothing(self):
        with open(self.path('destination.db'), 'rb') as file:
            old = file.read()
        self.sqlite('destination.db', "UPDATE t SET v = 'older' WHERE id = 5")

        def put_back():
            with open(self.path('destination.db'), 'r+b') as file:
                file.write(old)
        report = self.report([put_back], *self.PAIR, '--recheck', '1')
        self.assertIn('an older copy', report['recheck']['rounds'][0]['why'])
        self.assertEqual(set(self.outcomes(report).values()), {'undecided'})

    def test_keys_of_several_columns_and_odd_texts_are_asked_for_as_parameters(self):
        script = "CREATE TABLE k (a VARCHAR(20), n BIGINT, v INT, PRIMARY KEY (a, n)); " + ''.join(
            f"INSERT INTO k VALUES ('{text}', {number}, 1); " for text in ("it''s", 'a"b', 'ü😀', '', 'x'';DROP TABLE k;--', '?1', '%_') for number in (-9223372036854775808, 0, 9223372036854775807))
        self.sqlite('a.db', script)
        self.sqlite('b.db', script + 'UPDATE k SET v = 2')
        report = self.report([self.write("UPDATE k SET v = 1 WHERE a <> '%_'", 'b.db')], '-b', 'sqlite:a.db#k', '-x', 'sqlite:b.db#k', '--recheck', '1')
        self.assertEqual((report['recheck']['inFlight'], report['recheck']['persistent']), (18, 3))
        self.assertEqual(self.by_key(report), [('baseline', True, 21), ('expected', True, 21)])

    def test_a_key_that_the_source_compares_otherwise_is_read_whole_and_judged_alike(self):
        for declared, texts in (('', ("'1'", '1', "'x'")), ('NUMERIC', ('1', '2.5', '3')), ('STRING', ("'a'", "'b'", "'c'"))):
            script = f'DROP TABLE IF EXISTS k; CREATE TABLE k (id {declared}, v INT); ' + ''.join(f'INSERT INTO k VALUES ({text}, {{}}); ' for text in texts)
            self.sqlite('a.db', script.format(1, 1, 1))
            self.sqlite('b.db', script.format(2, 2, 1))
            report = self.report([self.write(f'UPDATE k SET v = 1 WHERE id = {texts[0]} AND typeof(id) = typeof({texts[0]})', 'b.db')], '-b', 'sqlite:a.db#k', '-x', 'sqlite:b.db#k', '--key', 'id', '--recheck', '1')
            self.assertEqual((declared, report['recheck']['inFlight'], report['recheck']['persistent']), (declared, 1, 1))
            self.assertEqual(self.by_key(report), [('baseline', False, 3), ('expected', False, 3)])

    def test_evidence_of_files_is_told_to_be_what_it_is(self):
        with open(self.path('base.ndjson'), 'w', encoding='utf-8') as file:
            file.writelines(json.dumps({'id': i, 'v': f'v{i}'}) + '\n' for i in range(1, 2001))
        report = self.report([self.write("UPDATE t SET v = 'v5' WHERE id = 5")], '-b', 'base.ndjson', '-x', 'sqlite:destination.db#t', '--key', 'id', '--recheck', '1')
        self.assertEqual((self.outcomes(report)['5'], self.outcomes(report)['6']), ('in-flight', 'persistent'))
        self.assertTrue(any('files of the evidence say the same' in each for each in report['limits']))
        self.assertEqual([(each['live'], each['relation']) for each in report['recheck']['rounds'][0]['inputs']], [(False, 'same-state'), (True, 'later')])

    def test_an_event_file_that_grows_is_read_again(self):
        def event(key, version, value):
            return json.dumps({'id': key, 'ver': version, 'v': value, 'e': f'{key}-{version}'}) + '\n'
        with open(self.path('events.ndjson'), 'w', encoding='utf-8') as file:
            file.writelines(event(i, 1, f'v{i}') for i in range(1, 2001))

        def append():
            with open(self.path('events.ndjson'), 'a', encoding='utf-8') as file:
                file.write(event(6, 2, 'old'))
        report = self.report([append], '-e', 'events.ndjson', '-x', 'sqlite:destination.db#t', '--key', 'id', '--version', 'ver', '--identity', 'e', '--order', 'integer', '--recheck', '1')
        self.assertEqual((self.outcomes(report)['6'], self.outcomes(report)['5']), ('in-flight', 'persistent'))

    def test_columns_of_rows_that_are_not_read_again_are_still_compared(self):
        """Of the keys that differ, no event has the column c: in the first comparison it is unknown of them, and must not vanish in the second."""
        with open(self.path('events.ndjson'), 'w', encoding='utf-8') as file:
            file.write('{"id":1,"v":"v1","c":1,"ver":1}\n{"id":2,"v":"v2","ver":1}\n')
        self.sqlite('c.db', "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, c INT); INSERT INTO t VALUES (1, 'v1', 1), (2, 'old', 2)")
        report = self.report([self.write("UPDATE t SET v = 'v2' WHERE id = 2", 'c.db')], '-e', 'events.ndjson', '-x', 'sqlite:c.db#t', '--key', 'id', '--version', 'ver', '--order', 'integer', '--recheck', '1')
        self.assertEqual((self.outcomes(report), report['recheck']['rounds'][0]['undecided']), ({'2': 'undecided'}, 1))

    def test_the_most_keys_are_told(self):
        self.sqlite('many.db', 'CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) INSERT INTO t SELECT i, i FROM n')
        self.sqlite('none.db', 'CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)')
        report = self.report([], '-b', 'sqlite:many.db#t', '-x', 'sqlite:none.db#t', '--memory', '32M', '--recheck', '0', '--differences', 'd.ndjson')
        again = report['recheck']
        self.assertTrue(1000 < again['keys'] < 60000 and again['keysMax'] == again['keys'] and again['leftOut'] == 60000 - again['keys'] and again['persistent'] == again['keys'], again['keys'])
        self.assertTrue(any('--memory bounds them' in each for each in report['limits']))
        with open(self.path('d.ndjson'), encoding='utf-8') as file:
            words = [json.loads(line)['recheck']['outcome'] for line in file]
        self.assertEqual(words, ['persistent'] * again['keys'] + ['left-out'] * again['leftOut'])

    def test_a_signal_ends_the_wait_and_leaves_nothing(self):
        process = self.start(*self.PAIR, '--recheck', '3600', '--report', 'r.json')
        for line in process.stderr:
            if 'waiting to read again' in line:
                break
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
        self.assertEqual((process.returncode, json.loads(out)['error']['code'], os.path.exists(self.path('r.json'))), (-signal.SIGINT, 'cancelled', False))

    def test_what_cannot_change_is_refused(self):
        for name in ('a', 'b'):
            with open(self.path(name + '.ndjson'), 'w', encoding='utf-8') as file:
                file.write('{"key":1,"version":1,"value":1}\n')
        for arguments, words in (((*self.PAIR, '--recheck', 'soon'), 'SECONDS[,TIMES]'), ((*self.PAIR, '--recheck', '1,0'), 'SECONDS[,TIMES]'), ((*self.PAIR, '--recheck', '-1'), 'SECONDS[,TIMES]'),
                                 ((*self.PAIR, '--recheck', '1,1001'), '1000 times'), ((*self.PAIR, '--recheck', '1,2,3'), 'SECONDS[,TIMES]'), ((*self.PAIR, '--recheck', 'nan'), 'SECONDS[,TIMES]'),
                                 (('-b', 'a.ndjson', '-x', 'b.ndjson', '--recheck', '1'), 'is a file'), (('-b', 'sqlite:source.db#t', '-x', 'b.ndjson', '--key', 'id', '--recheck', '1'), 'is a file'),
                                 (('-b', 'sqlite:source.db#t', '-x', 'sqlite:destination.db?immutable=1#t', '--recheck', '1'), 'says the same'), (('-b', '-', '-x', 'sqlite:destination.db#t', '--key', 'id', '--recheck', '1'), 'stream')):
            done = subprocess.run([PROGRAM, 'reconcile', *arguments], cwd=self.folder, env=ENVIRONMENT, input='{"id":1,"v":"x"}\n', capture_output=True, text=True, timeout=60)
            self.assertEqual((arguments, done.returncode), (arguments, 2))
            self.assertIn(words, done.stderr)
            self.assertIn('--recheck', done.stderr)

    def test_a_key_that_left_the_condition_meanwhile_is_not_taken_for_an_equal_one(self):
        report = self.report([self.write("UPDATE t SET v = 'elsewhere' WHERE id = 5; UPDATE t SET v = 'v6' WHERE id = 6")], *self.PAIR, '--where', "v IN ('old', 'v5', 'v6')", '--recheck', '1')
        self.assertEqual((self.outcomes(report)['5'], self.outcomes(report)['6'], self.outcomes(report)['7']), ('changing', 'in-flight', 'persistent'))

    def test_every_report_holds_to_the_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest('python3-jsonschema is not installed')
        with open(os.path.join(ROOT, 'docs', 'report.schema.json'), encoding='utf-8') as file:
            schema = jsonschema.Draft202012Validator(json.load(file))
        for writer, status in ((self.write("UPDATE t SET v = 'v5' WHERE id = 5; UPDATE t SET v = 'half' WHERE id = 6"), 1), (self.write("UPDATE t SET v = 'v' || id; DELETE FROM t WHERE id = 9000; INSERT INTO t VALUES (9, 'v9')"), 3)):
            report = self.report([writer], *self.PAIR, '--recheck', '1')
            self.assertEqual(([error.message for error in schema.iter_errors(report)], report['exitStatus']), ([], status))

    def test_without_a_difference_nothing_is_read_again(self):
        report = self.report([], '-b', 'sqlite:source.db#t', '-x', 'sqlite:source.db#t', '--recheck', '3600,9')
        self.assertEqual((report['exitStatus'], report['headline']['word'], report['recheck']['rounds']), (0, 'EQUAL', []))


@unittest.skipIf(without('postgres', PostgreSQL), without('postgres', PostgreSQL))
class Postgres(Recheck):
    @classmethod
    def setUpClass(cls):
        cls.source = PostgreSQL().__enter__()
        cls.addClassCleanup(cls.source.close)
        cls.destination = PostgreSQL().__enter__()
        cls.addClassCleanup(cls.destination.close)

    def setUp(self):
        super().setUp()
        for server in (self.source, self.destination):
            server.sql('DROP PUBLICATION IF EXISTS pub; DROP SCHEMA public CASCADE; CREATE SCHEMA public')

    def both(self, sql):
        for server in (self.source, self.destination):
            server.sql(sql)

    def test_a_pipeline_between_two_databases_that_lags(self):
        self.both("CREATE TABLE t (id bigint PRIMARY KEY, v text); INSERT INTO t SELECT g, 'v' || g FROM generate_series(1, 5000) g")
        self.source.sql("UPDATE t SET v = 'new' WHERE id <= 1500; DELETE FROM t WHERE id BETWEEN 2000 AND 2009; INSERT INTO t SELECT g, 'new' FROM generate_series(6000, 6009) g")
        arrive = "UPDATE t SET v = 'new' WHERE id <= 1500 AND id <> 77; DELETE FROM t WHERE id BETWEEN 2000 AND 2009; INSERT INTO t SELECT g, 'new' FROM generate_series(6000, 6008) g"
        report = self.report([lambda: self.destination.sql(arrive)], '-b', self.source.locator('#t'), '-x', self.destination.locator('#t'), '--recheck', '2,2', '--list', '2000')
        found = self.outcomes(report)
        self.assertEqual({key for key, outcome in found.items() if outcome == 'persistent'}, {'77', '6009'})
        self.assertEqual((len(found), report['recheck']['inFlight'], report['exitStatus']), (1520, 1518, 1))
        self.assertEqual(self.by_key(report, 0), [('baseline', True, 1510), ('expected', True, 1509)])
        self.assertEqual(self.by_key(report, 1), [('baseline', True, 2), ('expected', True, 1)])
        self.assertEqual([each['relation'] for each in report['recheck']['rounds'][0]['inputs']], ['same-state', 'later'])

    def test_every_kind_of_key_is_found_again(self):
        for declared, values in (('smallint', ('-32768', '0', '32767')), ('numeric', ('1', '2.50', "'NaN'")), ('uuid', ("'00000000-0000-0000-0000-00000000000A'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'", "md5('x')::uuid")),
                                 ('text', ("'it''s'", "E'a\\\\b\"c,{}'", "'NULL'", "''", "'ü😀'", "E'tab\\tend '")), ('char(6)', ("'ab'", "'abcdef'", "' x'")), ('varchar(9)', ("'A'", "'a'", "'a '")), ('bytea', ("'\\x00ff'", "'\\x'", "'\\x5c'")),
                                 ('date', ("'2026-01-01'", "'infinity'", "'0044-03-15 BC'")), ('timestamptz', ("'2026-01-01 00:00+02'", "'-infinity'", "'epoch'")), ('boolean', ('true', 'false')), ('inet', ("'::1'", "'10.0.0.1'"))):
            self.both(f"DROP TABLE IF EXISTS k; CREATE TABLE k (id {declared} PRIMARY KEY, v int); " + ''.join(f'INSERT INTO k VALUES ({value}, 1); ' for value in values))
            self.source.sql('UPDATE k SET v = 2')
            report = self.report([lambda: self.destination.sql(f'UPDATE k SET v = 2 WHERE id <> {values[0]}')], '-b', self.source.locator('#k'), '-x', self.destination.locator('#k'), '--recheck', '0.6')
            self.assertEqual((declared, report['recheck']['inFlight'], report['recheck']['persistent']), (declared, len(values) - 1, 1), report['recheck']['rounds'])
            self.assertEqual((declared, report['recheck']['rounds'][0]['inputs'][0]['byKey']), (declared, declared not in ('numeric', 'date', 'timestamptz', 'boolean', 'inet')))

    def test_keys_of_several_columns_null_and_queries(self):
        self.both("CREATE TABLE k (a text, n int, v int); INSERT INTO k SELECT 'a' || g % 7, g, 0 FROM generate_series(1, 3000) g; CREATE INDEX ON k (a, n)")
        self.source.sql('UPDATE k SET v = 1 WHERE n <= 1100')
        query = ('--baseline-query', 'SELECT a, n, v FROM k -- all', '--expected-query', 'SELECT a, n, v FROM k', '--key', 'a,n')
        report = self.report([lambda: self.destination.sql('UPDATE k SET v = 1 WHERE n <= 1000')], '-b', self.source.locator(), '-x', self.destination.locator(), *query, '--recheck', '1')
        self.assertEqual((report['recheck']['inFlight'], report['recheck']['persistent'], self.by_key(report)), (1000, 100, [('baseline', True, 1100), ('expected', True, 1100)]))
        self.both('INSERT INTO k VALUES (NULL, 1, 0)')
        self.source.sql('UPDATE k SET v = 5 WHERE a IS NULL')
        report = self.report([lambda: self.destination.sql('UPDATE k SET v = 5 WHERE a IS NULL')], '-b', self.source.locator(), '-x', self.destination.locator(), *query, '--recheck', '1')
        self.assertEqual((report['recheck']['inFlight'], report['recheck']['persistent'], self.by_key(report)[0][1]), (1, 100, False))

    def test_a_number_that_no_bigint_holds_is_looked_for_and_not_found(self):
        self.destination.sql('CREATE TABLE t (id bigint PRIMARY KEY, v int); INSERT INTO t VALUES (1, 1)')
        with open(self.path('base.ndjson'), 'w', encoding='utf-8') as file:
            file.write('{"id":1,"v":2}\n{"id":18446744073709551615,"v":1}\n')
        report = self.report([lambda: self.destination.sql('UPDATE t SET v = 2')], '-b', 'base.ndjson', '-x', self.destination.locator('#t'), '--key', 'id', '--recheck', '1')
        self.assertEqual(self.outcomes(report), {'1': 'in-flight', '18446744073709551615': 'persistent'})
        self.assertEqual(self.by_key(report), [('baseline', False, 2), ('expected', True, 1)])

    def slot(self):
        self.source.sql('CREATE TABLE t (id int PRIMARY KEY, v text); CREATE TABLE base (id int PRIMARY KEY, v text); CREATE PUBLICATION pub FOR TABLE t')
        self.destination.sql('CREATE TABLE t (id int PRIMARY KEY, v text)')
        self.source.sql("SELECT pg_create_logical_replication_slot('s', 'pgoutput')")
        self.addCleanup(self.source.sql, "SELECT pg_drop_replication_slot('s')")
        self.source.sql("INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c')")
        self.destination.sql("INSERT INTO t VALUES (1, 'a')")
        return ('-b', self.source.locator('#base'), '-e', self.source.locator('?slot=s&publication=pub&read=copy'), '-x', self.destination.locator('#t'), '--order', 'postgres', '--table', 't', '--key', 'id')

    def test_newer_changes_of_a_slot_count(self):
        def writer():
            self.source.sql("UPDATE t SET v = 'b2' WHERE id = 2; UPDATE t SET v = 'c2' WHERE id = 3")
            self.destination.sql("INSERT INTO t VALUES (2, 'b2'), (3, 'c')")
        report = self.report([writer], *self.slot(), '--recheck', '1.5')
        # 3: the destination has what the slot said first, and the slot says more by now
        self.assertEqual((self.outcomes(report), report['recheck']['rounds'][0]['proves']), ({'2': 'in-flight', '3': 'changing'}, True))

    def test_a_slot_that_was_consumed_in_between_proves_nothing(self):
        def writer():
            self.source.sql("SELECT count(*) FROM pg_logical_slot_get_binary_changes('s', NULL, NULL, 'proto_version', '1', 'publication_names', 'pub')")
            self.source.sql("UPDATE t SET v = 'b2' WHERE id = 2")
        report = self.report([writer], *self.slot(), '--recheck', '1.5')
        self.assertEqual((set(self.outcomes(report).values()), report['recheck']['rounds'][0]['proves'], report['exitStatus']), ({'undecided'}, False, 1))
        self.assertIn('in no evidence now', report['recheck']['rounds'][0]['why'])

    def test_no_password_is_printed(self):
        self.both(f"CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t VALUES (1, 1); DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN PASSWORD '{SECRET}'; GRANT USAGE ON SCHEMA public TO reader; GRANT SELECT ON t TO reader")
        for server in (self.source, self.destination):
            self.addCleanup(server.sql, 'DROP OWNED BY reader; DROP ROLE reader')
        self.source.sql('UPDATE t SET v = 2')
        at = [server.locator('#t', user=f'reader:{SECRET}') for server in (self.source, self.destination)]
        for json_form in (True, False):
            status, out = self.run_while([], '-b', at[0], '-x', at[1], '--recheck', '0.5', '--report', 'r.json', json_form=json_form)
            self.assertEqual(status, 1)
            self.assertIn('persistent', out)
            with open(self.path('r.json'), encoding='utf-8') as file:
                self.assertNotIn(SECRET, file.read())


@unittest.skipIf(without('mariadb', MariaDB), without('mariadb', MariaDB))
class Mariadb(Recheck):
    def test_every_kind_of_key_is_found_again(self):
        server = self.server(MariaDB())
        server.sql(f"CREATE USER reader@'127.0.0.1' IDENTIFIED BY '{SECRET}'; GRANT SELECT ON shop.* TO reader@'127.0.0.1'; GRANT BINLOG MONITOR ON *.* TO reader@'127.0.0.1'")
        for declared, values in (('BIGINT UNSIGNED', ('18446744073709551615', '0', '7')), ('INT', ('-5', '0', '7')), ('VARCHAR(20)', ("'it''s'", "'a\\\\b\"'", "'ü'", "''", "'A'", "'b '")), ('VARCHAR(20) CHARACTER SET latin1', ("'é'", "'x'")),
                                 ('CHAR(5)', ("'ab'", "'c'")), ('BINARY(4)', ("'ab'", "X'00ff0011'")), ('VARBINARY(9)', ("''", "X'00ff27'")), ("ENUM('a', 'b c')", ("'a'", "'b c'")), ('UUID', ("UUID()", "'00000000-0000-0000-0000-000000000001'")),
                                 ('DECIMAL(10,2)', ('1.50', '2')), ('DATE', ("'2026-01-01'", "'2026-01-02'")), ('BIT(5)', ("b'101'", "b'1'"))):
            for name in ('a', 'b'):
                server.sql(f'DROP TABLE IF EXISTS {name}; CREATE TABLE {name} (id {declared}, n INT, v INT, PRIMARY KEY (n, id)); ' + ''.join(f"INSERT INTO {name} VALUES ({value.replace('UUID()', chr(39) + '123e4567-e89b-12d3-a456-426614174000' + chr(39))}, {i}, 1); " for i, value in enumerate(values)))
            server.sql('UPDATE a SET v = 2')
            report = self.report([lambda: server.sql('UPDATE b SET v = 2 WHERE n > 0')], '-b', server.locator('#a', user='reader'), '-x', server.locator('#b', user='reader'), '--recheck', '0.6')
            self.assertEqual((declared, report['recheck']['inFlight'], report['recheck']['persistent']), (declared, len(values) - 1, 1), report['recheck']['rounds'])
            self.assertEqual((declared, report['recheck']['rounds'][0]['inputs'][0]['byKey']), (declared, declared not in ('DECIMAL(10,2)', 'DATE', 'BIT(5)') and all(map(str.isascii, values))))
            self.assertTrue(report['recheck']['rounds'][0]['proves'])

    def test_many_keys_are_asked_for_in_several_statements(self):
        server = self.server(MariaDB())
        server.sql(f"CREATE USER reader@'127.0.0.1' IDENTIFIED BY '{SECRET}'; GRANT SELECT ON shop.* TO reader@'127.0.0.1'")
        server.sql('CREATE TABLE a (id INT PRIMARY KEY, v INT); INSERT INTO a SELECT seq, 1 FROM seq_1_to_20000; CREATE TABLE b LIKE a; INSERT INTO b SELECT * FROM a; UPDATE a SET v = 2 WHERE id MOD 10 = 0')
        report = self.report([lambda: server.sql('UPDATE b SET v = 2 WHERE id MOD 10 = 0 AND id > 10')], '-b', server.locator('#a', user='reader'), '-x', server.locator('#b', user='reader'), '--recheck', '1')
        self.assertEqual((self.outcomes(report)['10'], report['recheck']['inFlight'], self.by_key(report)), ('persistent', 1999, [('baseline', True, 2000), ('expected', True, 2000)]))


@unittest.skipIf(KafkaMock.unavailable(), KafkaMock.unavailable())
class Topic(Recheck):
    def test_newer_events_of_a_topic_count(self):
        kafka = KafkaMock('orders', partitions=1).__enter__()
        self.addCleanup(kafka.close)

        def change(key, value):
            return json.dumps({'id': key}), json.dumps({'op': 'u', 'before': None, 'after': {'id': key, 'v': value}, 'source': {'connector': 'postgresql', 'name': 's', 'db': 'd', 'schema': 'public', 'table': 't', 'lsn': 1}})
        kafka.produce('orders', 0, [change(key, 'a') for key in (1, 2, 3)])
        self.sqlite('d.db', "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'a')")

        def writer():
            kafka.produce('orders', 0, [change(2, 'b'), change(3, 'b')])
            self.sqlite('d.db', "INSERT INTO t VALUES (2, 'b'), (3, 'a')")
        report = self.report([writer], '-e', kafka.locator('orders'), '-x', 'sqlite:d.db#t', '--key', 'id', '--order', 'kafka', '--recheck', '2')
        self.assertEqual((self.outcomes(report), report['recheck']['rounds'][0]['proves']), ({'2': 'in-flight', '3': 'changing'}, True))
        self.assertEqual([(each['role'], each['byKey'], each['records']) for each in report['recheck']['rounds'][0]['inputs']], [('events', False, 5), ('expected', True, 2)])


if __name__ == '__main__':
    unittest.main()
