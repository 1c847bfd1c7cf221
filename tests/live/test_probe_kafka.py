"""position probe against Kafka: what a consumer that runs would never say. The mock cluster for what it knows, a real broker for the rest."""
import json
import re
import time
import unittest

from probing import Probing
from kafka_broker import Kafka, KafkaMock
from servers import wait_until
import program

MOCK, REAL = KafkaMock.unavailable(), Kafka.unavailable()


@unittest.skipIf(MOCK, MOCK)
class Mock(Probing):
    @classmethod
    def setUpClass(cls):
        cls.kafka = KafkaMock('orders', partitions=2)
        cls.kafka.__enter__()
        cls.addClassCleanup(cls.kafka.close)
        cls.kafka.produce('orders', 0, [(f'k{i}', i) for i in range(10)])
        cls.kafka.produce('orders', 1, [(f'k{i}', i) for i in range(5)])

    def cluster(self):
        return re.search(r'@cluster=(\S+)', self.probe(self.kafka.locator('orders'), '--saved', 'orders:0:0,orders:1:0', status=3)['first']).group(1)

    def test_offsets_between_start_and_end_are_continuous_if_they_are_of_this_topic(self):
        saved = 'orders:0:4,orders:1:5'
        report = self.probe(self.kafka.locator('orders'), '--saved', saved, '--same-source', status=0)
        self.assertEqual((report['schema'], report['kind'], report['rule']['name']), ('slackwater.probe/1', 'kafka', 'kafka.within'))
        partitions = [each for each in report['objects'] if each['type'] == 'partition']
        self.assertEqual([(each['partition'], each['first'], each['end'], each.get('next')) for each in partitions], [('0', '0', '10', '4'), ('1', '0', '5', None)])
        # without a declaration, nothing shows that the offsets are of this topic
        report = self.probe(self.kafka.locator('orders'), '--saved', f'{saved}@cluster={self.cluster()}', status=3)
        self.assertEqual(report['conditionalVerdict'], 'continuous')
        self.assertEqual(len(report['conditions']), 1)

    def test_an_offset_beyond_the_end_and_one_of_another_cluster_cannot_be_told(self):
        report = self.probe(self.kafka.locator('orders'), '--saved', 'orders:0:11,orders:1:0', '--same-source', status=3)
        self.assertEqual(report['rule']['name'], 'kafka.beyond')
        report = self.probe(self.kafka.locator('orders'), '--saved', 'orders:0:1,orders:1:0@cluster=elsewhere', '--same-source', status=3)
        self.assertEqual(report['rule']['name'], 'space.differs')

    def test_a_partition_that_nothing_is_saved_for_is_left_to_chance(self):
        report = self.probe(self.kafka.locator('orders'), '--saved', 'orders:0:1', '--same-source', status=3)
        self.assertEqual(report['rule']['name'], 'kafka.unknown')
        self.has(report['hidden'], 'nothing is saved for partition 1: auto.offset.reset decides')

    def test_committed_offsets_of_a_group_are_judged_and_left_alone(self):
        self.kafka.commit('orders', 'sink', {0: 3, 1: 5})
        for _ in range(2):
            report = self.probe(self.kafka.locator('orders'), '--group', 'sink', status=0)
            self.assertRegex(report['saved'], r'^orders:0:3,orders:1:5@cluster=')
            self.assertEqual([each['committed'] for each in report['objects'] if each['type'] == 'partition'], ['3', '5'])
            self.has(report['assumed'], 'the offsets were committed in this cluster')
        error = self.probe(self.kafka.locator('orders'), '--group', 'nobody', status=2)['error']
        self.assertIn('group nobody has committed nothing for this topic', error['text'])

    def test_what_is_declared_wrongly_is_refused(self):
        for rest, saved, part in (('', 'other:0:1', 'found another topic'), ('', '5', 'found an offset without a topic'), ('?group.id=x', 'orders:0:1', 'group.id cannot be set here'),
                                  ('?enable.auto.commit=true', 'orders:0:1', 'cannot be set here'), ('?no.such.thing=1', 'orders:0:1', 'No such configuration property')):
            error = self.probe(self.kafka.locator('orders', rest), '--saved', saved, status=2)['error']
            self.assertIn(part, error['text'])
        error = self.probe(f'kafka://{self.kafka.brokers}', '--saved', 'orders:0:1', status=2)['error']
        self.assertIn('names no topic', error['text'])

    def test_a_broker_that_is_not_there_is_told_at_once_without_the_password(self):
        began = time.monotonic()
        error = self.probe('kafka://u:s3cret@127.0.0.1:1/orders?security.protocol=SASL_PLAINTEXT&sasl.mechanism=PLAIN', '--saved', 'orders:0:1', status=4)['error']
        self.assertLess(time.monotonic() - began, 12)
        self.assertEqual(error['code'], 'remote')
        self.assertIn('Connection refused', error['text'])
        self.assertNotIn('s3cret', str(error))


@unittest.skipIf(REAL, REAL)
class Broker(Probing):
    @classmethod
    def setUpClass(cls):
        cls.kafka = Kafka()
        cls.kafka.__enter__()
        cls.addClassCleanup(cls.kafka.close)

    def test_deleted_records_are_a_gap_with_its_interval_though_consumers_run(self):
        self.kafka.create('deleted', 2)
        for partition in (0, 1):
            self.kafka.produce('deleted', partition, [(f'k{i}', i) for i in range(10)])
        self.kafka.commit('deleted', 'sink', {0: 2, 1: 9})
        self.probe(self.kafka.locator('deleted'), '--group', 'sink', status=0)
        self.kafka.delete_before('deleted', 0, 7)
        report = self.probe(self.kafka.locator('deleted'), '--group', 'sink', status=1)
        self.assertEqual((report['rule']['name'], [(each['space'], each['from'], each['to'], each['proof']) for each in report['intervals']]),
                         ('kafka.deleted', [('deleted:0', '2', '7', 'discarded at the source')]))
        self.has(report['hidden'], 'jumps over what is gone without an error')
        self.assertEqual(report['settings']['cleanup.policy'], 'delete')
        self.has(report['risks'], 'retention.ms is 7 d')
        self.has(report['risks'], 'min.insync.replicas is 1')

    def compacted(self, topic, *settings):
        """A topic of one partition whose first records are compacted away; returns the first offset that is left."""
        self.kafka.create(topic, 1, 'cleanup.policy=compact', 'segment.ms=100', 'min.cleanable.dirty.ratio=0.01', 'min.compaction.lag.ms=0', *settings)
        self.kafka.produce(topic, 0, [('a', 1), ('b', 1), ('c', 1)])
        self.kafka.produce(topic, 0, [('b', None)])
        found = []

        def cleaned():
            self.kafka.produce(topic, 0, [('a', 2)])  # rolls the segment, so that the one before is cleaned
            report = json.loads(program.call('position', 'probe', self.kafka.locator(topic), '--saved', f'{topic}:0:0', '--same-source', '--json')[1])
            found[:] = [int(next(each for each in report['objects'] if each['type'] == 'partition')['next'])]
            return found[0] > 0
        wait_until(cleaned, 'nothing was compacted')
        return found[0]

    def test_compaction_hides_deletes_though_no_offset_is_out_of_range(self):
        first = self.compacted('compacted')
        report = self.probe(self.kafka.locator('compacted'), '--saved', 'compacted:0:0', '--same-source', status=3)
        self.assertEqual((report['verdict'], report['conditionalVerdict'], report['rule']['name']), ('cannot tell', 'continuous', 'kafka.within'))
        self.assertEqual(next(each for each in report['objects'] if each['type'] == 'partition')['first'], '0')
        self.has(report['conditions'], 'no delete was compacted away before it was read')
        self.has(report['evidence'], f'the saved offset is 0, and the next record that is left is at {first}')
        self.has(report['hidden'], 'never learns of the deletes')

    def test_a_compacted_topic_is_continuous_for_who_is_near_its_end(self):
        self.kafka.create('near', 1, 'cleanup.policy=compact')
        self.kafka.produce('near', 0, [('a', 1), ('b', 1), ('b', None)])
        report = self.probe(self.kafka.locator('near'), '--saved', 'near:0:1', '--same-source', status=0)
        self.has(report['assumed'], 'timestamps of records are near the time they were appended')
        self.has(report['limits'], 'never the whole history')
        self.probe(self.kafka.locator('near'), '--saved', 'near:0:3', '--same-source', status=0)

    def test_records_older_than_tombstones_live_are_doubted(self):
        self.kafka.create('slow', 1, 'cleanup.policy=compact', 'delete.retention.ms=50')
        self.kafka.produce('slow', 0, [('a', 1), ('b', None)])
        wait_until(lambda: self.probe_status('slow') == 3, 'records did not grow old')
        self.has(self.probe(self.kafka.locator('slow'), '--saved', 'slow:0:0', '--same-source', status=3)['conditions'], 'in 1 of 1 partitions')

    def probe_status(self, topic):
        return program.call('position', 'probe', self.kafka.locator(topic), '--saved', f'{topic}:0:0', '--same-source')[0]

    def test_offsets_without_records_are_no_loss(self):
        self.kafka.create('aborted', 1)
        self.kafka.produce('aborted', 0, [('a', 1)])
        self.kafka.abort('aborted', 0, [('b', 1), ('c', 1)])
        self.kafka.produce('aborted', 0, [('d', 1)])
        report = self.probe(self.kafka.locator('aborted'), '--saved', 'aborted:0:1', '--same-source', status=0)
        self.assertIn(next(each for each in report['objects'] if each['type'] == 'partition')['next'], ['3', '4'])  # the marker of the abort comes before or after

    def test_a_topic_that_is_not_there_is_named_with_its_neighbours_and_not_made(self):
        self.kafka.create('orders', 1)
        for _ in range(2):
            error = self.probe(self.kafka.locator('ordres'), '--saved', 'ordres:0:1', status=2)['error']
            self.assertIn('there is no topic ordres that this user can see; near names: orders', error['text'])

    def test_a_topic_that_was_made_again_shows_where_offsets_do_not_fit(self):
        self.kafka.create('again', 1)
        report = self.probe(self.kafka.locator('again'), '--saved', 'again:0:5', '--same-source', status=3)
        self.assertEqual(report['rule']['name'], 'kafka.beyond')
        self.has(report['hidden'], 'whatever became of the old one')


if __name__ == '__main__':
    unittest.main()
