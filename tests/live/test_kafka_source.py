#!/usr/bin/env python3
"""Topics as events: the mock cluster for what it knows, a real broker for compaction, deletion and transactions."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

ROOT = os.environ.get('SW_SOURCE_ROOT', '.')
sys.path.insert(0, os.path.join(ROOT, 'tests', 'harness'))
from kafka_broker import Kafka, KafkaMock  # noqa: E402

PROGRAM = os.path.abspath(os.environ.get('SW_PROGRAM', 'build/slackwater'))
MOCK, REAL = KafkaMock.unavailable(), Kafka.unavailable()


def change(key, status, op='u'):
    row = {'id': key, 'status': status}
    return json.dumps({'op': op, 'before': row if op == 'd' else None, 'after': None if op == 'd' else row, 'source': {'connector': 'postgresql', 'name': 's', 'db': 'd', 'schema': 'public', 'table': 'orders', 'lsn': 1}})


class Topics(unittest.TestCase):
    """What both tests do: two partitions, a destination that holds what the topic says."""
    kafka = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, rows):
        with open(os.path.join(self.folder, name), 'w', encoding='utf-8') as file:
            file.writelines(json.dumps(row) + '\n' for row in rows)

    def run_program(self, *arguments):
        return subprocess.run([PROGRAM, 'reconcile', '--key', 'id', '--order', 'kafka', *arguments], cwd=self.folder, capture_output=True, text=True, timeout=120, env={**os.environ, 'LC_ALL': 'C.UTF-8'})

    def report(self, events, *arguments):
        done = self.run_program('--json', '--events', events, '--expected', 'expected.ndjson', *arguments)
        report = json.loads(done.stdout)
        self.assertIn('counts', report, report)
        return done.returncode, report

    def keys(self, report):
        return [(d['key']['id'], d['reason']) for d in report['differences']]


@unittest.skipIf(MOCK, MOCK)
class Mock(Topics):
    @classmethod
    def setUpClass(cls):
        cls.kafka = KafkaMock('orders', partitions=2)
        cls.kafka.__enter__()
        cls.addClassCleanup(cls.kafka.close)
        for partition in (0, 1):
            cls.kafka.produce('orders', partition, [(json.dumps({'id': k}), change(k, 'open', 'c')) for k in range(partition, 400, 2)])
            cls.kafka.produce('orders', partition, [(json.dumps({'id': k}), change(k, 'paid')) for k in range(partition, 200, 2)])
        cls.kafka.produce('orders', 0, [(json.dumps({'id': 10}), change(10, 'paid', 'd')), (json.dumps({'id': 10}), None)])

    def expected(self, **changed):
        self.write('expected.ndjson', [{'id': k, 'status': changed.get(f'k{k}', 'paid' if k < 200 else 'open')} for k in range(400) if k != 10])

    def test_a_topic_is_folded_by_its_offsets_and_equals_the_destination(self):
        self.expected()
        status, report = self.report(self.kafka.locator('orders'))
        self.assertEqual((status, report['counts']['keys'], report['counts']['equal'], report['records']['events']), (0, 400, 400, 602), report['counts'])
        self.assertEqual(report['dispositions']['superseded'], 202)
        self.assertRegex(report['inputs'][0]['position'], r'^offsets 0:\[0,302\), 1:\[0,300\), cluster .*, \d{4}-')

    def test_a_difference_is_found_and_threads_and_memory_change_nothing(self):
        self.expected(k7='open', k250='paid')
        written = set()
        for options in (['--threads', '1'], ['--threads', '4'], ['--memory', '16M']):
            done = self.run_program('--events', self.kafka.locator('orders'), '--expected', 'expected.ndjson', '--differences', 'd.ndjson', *options)
            self.assertEqual(done.returncode, 1, done.stderr)
            with open(os.path.join(self.folder, 'd.ndjson'), encoding='utf-8') as file:
                written.add(file.read())
        self.assertEqual(len(written), 1)
        self.assertEqual([json.loads(line)['key']['id'] for line in written.pop().splitlines()], [7, 250])

    def test_offsets_and_partitions_say_what_is_read(self):
        self.write('expected.ndjson', [{'id': k, 'status': 'open'} for k in range(0, 100, 2)])
        status, report = self.report(self.kafka.locator('orders', '?partitions=0&from=0&until=50'))
        self.assertEqual((status, report['counts']['equal'], report['records']['events']), (0, 50, 50))
        self.assertIn('offsets 0:[0,50)', report['inputs'][0]['position'])

    def test_what_cannot_be_asked_for_is_refused_with_what_can(self):
        self.expected()
        for rest, text in (('?from=yesterday', 'from is an offset, a time such as'), ('?partitions=a', 'partitions is a list of numbers'), ('?partitions=7', 'it has 2, from 0 on'), ('?group.id=x', 'cannot be set here')):
            done = self.run_program('--events', self.kafka.locator('orders', rest), '--expected', 'expected.ndjson')
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(text, done.stderr)

    def test_no_broker_is_the_environment(self):
        self.expected()
        done = self.run_program('--events', 'kafka://127.0.0.1:1/orders', '--expected', 'expected.ndjson')
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn('nothing listens there', done.stderr)

    def test_scan_reads_a_topic_too(self):
        done = subprocess.run([PROGRAM, 'position', 'scan', '--events', self.kafka.locator('orders'), '--order', 'kafka', '--json'], capture_output=True, text=True, timeout=120, cwd=self.folder)
        report = json.loads(done.stdout)
        self.assertEqual(report['schema'], 'slackwater.scan/1')
        self.assertIn(done.returncode, (0, 3), done.stderr)
        self.assertIn('602', done.stdout)


@unittest.skipIf(REAL, REAL)
class Real(Topics):
    @classmethod
    def setUpClass(cls):
        cls.kafka = Kafka().__enter__()
        cls.addClassCleanup(cls.kafka.close)

    def test_deleted_records_are_told_where_they_were_asked_for(self):
        self.kafka.create('deleted', 1)
        self.kafka.produce('deleted', 0, [(json.dumps({'id': k}), change(k, 'open', 'c')) for k in range(20)])
        self.kafka.delete_before('deleted', 0, 5)
        self.write('expected.ndjson', [{'id': k, 'status': 'open'} for k in range(20)])
        status, report = self.report(self.kafka.locator('deleted', '?from=0'))
        self.assertEqual((status, self.keys(report)), (1, [(k, 'missing-state') for k in range(5)]))
        self.assertIn('offsets 0:[5,20) (0 to 4 are gone)', report['inputs'][0]['position'])

    def test_a_topic_that_is_not_there_is_named_with_near_ones(self):
        self.kafka.create('orders-eu', 1)
        self.write('expected.ndjson', [])
        done = self.run_program('--events', self.kafka.locator('order-eu'), '--expected', 'expected.ndjson')
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn('orders-eu', done.stderr)

    def test_aborted_transactions_are_not_read(self):
        self.kafka.create('aborted', 1)
        self.kafka.produce('aborted', 0, [(json.dumps({'id': 1}), change(1, 'open', 'c'))])
        self.kafka.abort('aborted', 0, [(json.dumps({'id': 1}), change(1, 'never'))])
        self.kafka.produce('aborted', 0, [(json.dumps({'id': 2}), change(2, 'open', 'c'))])
        self.write('expected.ndjson', [{'id': 1, 'status': 'open'}, {'id': 2, 'status': 'open'}])
        status, report = self.report(self.kafka.locator('aborted'))
        self.assertEqual((status, report['records']['events'], report['counts']['equal']), (0, 2, 2))

    def test_times_say_where_reading_begins(self):
        self.kafka.create('times', 1)
        self.kafka.produce('times', 0, [(json.dumps({'id': 1}), change(1, 'open', 'c'))])
        self.write('expected.ndjson', [{'id': 1, 'status': 'open'}])
        self.assertEqual(self.report(self.kafka.locator('times', '?from=2001-01-01T00:00:00Z'))[1]['records']['events'], 1)
        self.assertEqual(self.report(self.kafka.locator('times', '?until=2999-01-01T00:00:00Z'))[1]['records']['events'], 1)
        self.assertIn('0:[0,0)', self.run_program('--json', '--events', self.kafka.locator('times', '?until=2001-01-01T00:00:00Z'), '--format', 'kcat', '--expected', 'expected.ndjson').stdout)

    def test_a_compacted_topic_gives_the_newest_state_of_each_key(self):
        self.kafka.create('compacted', 1, 'cleanup.policy=compact', 'segment.ms=100', 'min.cleanable.dirty.ratio=0.001', 'delete.retention.ms=100')
        for status in ('open', 'paid', 'sent'):
            self.kafka.produce('compacted', 0, [(json.dumps({'id': k}), change(k, status)) for k in range(10)])
        self.write('expected.ndjson', [{'id': k, 'status': 'sent'} for k in range(10)])
        status, report = self.report(self.kafka.locator('compacted'))
        self.assertEqual((status, report['counts']['equal']), (0, 10))


if __name__ == '__main__':
    unittest.main()
