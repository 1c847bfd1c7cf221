"""Inputs that are made to be slow: what takes the square of their size does not end within the time that each is given.

Each of them once took minutes. The sizes are such that the way which was taken then needs several times the limit on any machine; the way that is
taken now needs a few seconds. Nothing is measured.
"""
import json
import os
import subprocess
import tempfile
import unittest

PROGRAM = os.path.abspath(os.environ.get('SW_PROGRAM', 'build/slackwater'))
LIMIT = 90 if os.environ.get('SW_SANITIZE', 'none') == 'none' else 500


class Growth(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, lines):
        with open(os.path.join(self.folder, name), 'w', encoding='utf-8') as f:
            f.writelines(line + '\n' for line in lines)
        return name

    def reconcile(self, events, expected, *options, mapping=''):
        self.write('map.yaml', [mapping])
        arguments = ['-e', self.write('events.ndjson', events), '-x', self.write('expected.ndjson', expected), '--map', 'map.yaml', '--key', 'id', '--json', '--threads', '1', *options]
        done = subprocess.run([PROGRAM, 'reconcile', *arguments], cwd=self.folder, capture_output=True, text=True, timeout=LIMIT)
        report = json.loads(done.stdout)
        self.assertNotIn('error', report, done.stderr)
        return report

    PLAIN = ('--version', 'ver', '--op', 'op')

    def test_a_key_none_of_whose_images_shows_a_column(self):
        count = 500_000
        events = (f'{{"op":"u","ver":{i},"before":{{"id":1,"v":"x","w":{i - 1}}},"after":{{"id":1,"v":"__u","w":{i}}}}}' for i in range(count))
        report = self.reconcile(events, ['{"id":1,"v":"none","w":0}'], *self.PLAIN, '--cut', '9', mapping='placeholder: __u\nbefore: before\nafter: after')
        self.assertEqual(report['dispositions']['beyondCut'], count - 10)
        self.assertEqual(report['counts']['different'] + report['counts']['undecidedKeys'], 1)

    def test_a_key_whose_images_are_parts(self):
        count = 500_000
        events = (f'{{"op":"u","ver":{i},"before":{{"id":1,"c{i % 3}":0}},"after":{{"id":1,"c{i % 3}":{i}}}}}' for i in range(count))
        report = self.reconcile(events, [f'{{"id":1,"c0":{count},"c1":0,"c2":0}}'], *self.PLAIN, '--cut', '9', mapping='images: partial\nbefore: before\nafter: after')
        self.assertEqual((report['counts']['different'], report['counts']['stateMismatch']), (1, 1))

    def test_rows_of_many_columns_that_have_no_value(self):
        columns, rows = 60_000, 45
        types = 'types: {' + ', '.join(f'c{i}: integer' for i in range(columns)) + '}'
        bad, good = (','.join(f'"c{i}":{value}' for i in range(columns)) for value in ('"x"', '1'))
        report = self.reconcile((f'{{"op":"c","id":{k},"ver":1,{bad}}}' for k in range(rows)), (f'{{"id":{k},{good}}}' for k in range(rows)), *self.PLAIN, mapping=types)
        self.assertEqual(report['counts']['invalidValue'], rows)

    def test_rows_of_many_columns_that_all_differ(self):
        columns, rows = 60_000, 90
        left, right = (','.join(f'"c{i}":{i + more}' for i in range(columns)) for more in (0, 1))
        report = self.reconcile((f'{{"op":"c","id":{k},"ver":1,{left}}}' for k in range(rows)), (f'{{"id":{k},{right}}}' for k in range(rows)), *self.PLAIN)
        self.assertEqual(report['counts']['stateMismatch'], rows)

    def test_truncates_and_keys(self):
        def events():
            for i in range(200_000):
                yield f'{{"action":"T","lsn":"0/{i + 1:X}","schema":"s","table":"t"}}'
            for i in range(200_000):
                yield f'{{"action":"I","lsn":"1/{i:X}","schema":"s","table":"t","columns":[{{"name":"id","type":"integer","value":{i}}}]}}'
        report = self.reconcile(events(), (f'{{"id":{i}}}' for i in range(200_000)), '--order', 'postgres', '--save-state', 'state')
        self.assertEqual((report['counts']['equal'], report['exitStatus']), (200_000, 0))

    def test_rows_that_swap_their_keys_again_and_again(self):
        def events():
            yield '{"op":"c","ver":0,"before":null,"after":{"id":1,"w":0}}'
            yield '{"op":"c","ver":0,"before":null,"after":{"id":2,"w":-1}}'
            for i in range(700_000):
                yield f'{{"op":"u","ver":{i + 1},"before":{{"id":1,"w":{i}}},"after":{{"id":2,"w":{i}}}}}'
                yield f'{{"op":"u","ver":{i + 1},"before":{{"id":2,"w":{i - 1}}},"after":{{"id":1,"w":{i + 1}}}}}'
        report = self.reconcile(events(), ['{"id":1,"w":0}'], *self.PLAIN, '--memory', '2G', mapping='before: before\nafter: after')
        self.assertEqual(report['counts']['keys'], 2)
        self.assertEqual(report['dispositions']['blocked'], 0)

    def test_rows_that_leave_one_key_without_all_their_columns(self):
        def events():
            for i in range(100_000):
                yield f'{{"op":"u","ver":{2 * i},"before":{{"id":0}},"after":{{"id":{i + 1},"v":{i}}}}}'
                yield f'{{"op":"u","ver":{2 * i + 1},"before":{{"id":{i + 1}}},"after":{{"id":0,"w":{i}}}}}'
        report = self.reconcile(events(), ['{"id":0}'], *self.PLAIN, '--memory', '4G', mapping='images: partial\nbefore: before\nafter: after')
        self.assertEqual(report['counts']['keys'], 100_001)
        self.assertFalse([note for note in report['notes'] if 'memory' in str(note)], report['notes'])

    def test_objects_with_very_many_members_in_no_order(self):
        count = 500_000
        def row(version, step):
            return f'{{"op":"c","ver":{version},"id":1,"v":{{' + ','.join(f'"m{i * step % count}":{i * step % count}' for i in range(count)) + '}}'
        report = self.reconcile((row(i, step) for i, step in enumerate((7919, 3, 1))), [row(2, 499_999)], *self.PLAIN, '--memory', '64M', '--compare', 'value')
        self.assertEqual((report['counts']['equal'], report['dispositions']['superseded']), (1, 2))

    def test_each_record_of_another_table(self):
        def events():
            for i in range(1_000_000):
                yield f'{{"database":"s","table":"t{i}","type":"insert","ts":1,"xid":{i},"commit":true,"position":"b.000001:{i}","data":{{"id":{i}}}}}'
        report = self.reconcile(events(), ['{"id":5}'], '--order', 'mysql', '--table', 't5')
        self.assertEqual((report['counts']['equal'], report['dispositions']['otherTable']), (1, 999_999))


if __name__ == '__main__':
    unittest.main()
