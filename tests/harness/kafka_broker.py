"""Throwaway Kafka for tests: librdkafka's mock cluster (a second, no Java), or a real broker (KRaft, one node) from build-kafka/.

    with KafkaMock('orders', partitions=2) as kafka: ...
    with Kafka() as kafka:
        kafka.create('orders', 2, 'cleanup.policy=compact')
        kafka.produce('orders', 0, [('k', 'v'), ('k', None)])

The mock knows no configuration of topics, no deletion of records and no compaction; it keeps about 5 MB a partition.
"""
import glob
import os
import shutil
import socket
import subprocess

from servers import PATIENCE, Server, free_port, wait_until

TOOL = os.environ.get('SW_KAFKA_TOOL', 'build/tests/live/kafka_tool')
ROOT = os.environ.get('SW_SOURCE_ROOT', os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
JARS = os.path.join(os.environ.get('SW_KAFKA_FOLDER', os.path.join(ROOT, 'build-kafka')), 'jars')


class Cluster:
    """What can be done to either; `brokers` is where it listens."""
    brokers = None

    @staticmethod
    def tool(*arguments, stdin=''):
        done = subprocess.run([TOOL, *map(str, arguments)], input=stdin, capture_output=True, text=True, timeout=2 * PATIENCE, check=False)
        if done.returncode:
            raise RuntimeError(f'kafka_tool {arguments}: {done.stderr[-2000:]}')

    @staticmethod
    def lines(records):
        return ''.join(f'{key}\n' if value is None else f'{key}\t{value}\n' for key, value in records)

    def create(self, topic, partitions=1, *settings):
        self.tool('create', self.brokers, topic, partitions, *settings)

    def produce(self, topic, partition, records):
        self.tool('produce', self.brokers, topic, partition, stdin=self.lines(records))

    def abort(self, topic, partition, records):
        """Produces in a transaction that is then aborted: offsets without records."""
        self.tool('abort', self.brokers, topic, partition, stdin=self.lines(records))

    def delete_before(self, topic, partition, offset):
        self.tool('delete', self.brokers, topic, partition, offset)

    def commit(self, topic, group, offsets):
        self.tool('commit', self.brokers, topic, group, *(f'{partition}:{offset}' for partition, offset in offsets.items()))

    def locator(self, topic, rest=''):
        return f'kafka://{self.brokers}/{topic}{rest}'


class KafkaMock(Cluster):
    @staticmethod
    def unavailable():
        return None if os.path.exists(TOOL) else 'built without the client of kafka'

    def __init__(self, topic, partitions=1):
        self.topic, self.partitions, self.process = topic, partitions, None

    def __enter__(self):
        self.process = subprocess.Popen([TOOL, 'mock', self.topic, str(self.partitions)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.brokers = self.process.stdout.readline().strip()
        if not self.brokers:
            raise RuntimeError('the mock cluster did not start')
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        if self.process:
            self.process.stdin.close()
            self.process.wait(PATIENCE)
            self.process.stdout.close()
            self.process = None


class Kafka(Server, Cluster):
    """A broker that cleans at once: compaction and deletion need not be waited for. `settings` are lines of its configuration."""

    @classmethod
    def unavailable(cls):
        if not os.path.exists(TOOL):
            return 'built without the client of kafka'
        if not shutil.which('java'):
            return 'no Java is installed'
        if not glob.glob(os.path.join(JARS, 'kafka_2.13-*.jar')):
            return 'no Kafka broker was fetched (scripts/fetch-kafka)'
        return None

    def __init__(self, settings=()):
        super().__init__()
        self.settings = list(settings)
        self.brokers = f'127.0.0.1:{self.port}'

    def java(self, *arguments):
        return ['java', '-Xmx384m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn', '-cp', os.path.join(JARS, '*'), *arguments]

    def start(self):
        self.make_folder()
        controller, config = free_port(), os.path.join(self.folder, 'server.properties')
        with open(config, 'w', encoding='utf-8') as f:
            f.write('\n'.join([
                'process.roles=broker,controller', 'node.id=1', f'controller.quorum.voters=1@127.0.0.1:{controller}', f'listeners=PLAINTEXT://127.0.0.1:{self.port},CONTROLLER://127.0.0.1:{controller}',
                f'advertised.listeners=PLAINTEXT://127.0.0.1:{self.port}', 'controller.listener.names=CONTROLLER', 'listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
                f'log.dirs={self.folder}/logs', 'offsets.topic.replication.factor=1', 'offsets.topic.num.partitions=1', 'transaction.state.log.replication.factor=1', 'transaction.state.log.min.isr=1',
                'transaction.state.log.num.partitions=1', 'group.initial.rebalance.delay.ms=0', 'auto.create.topics.enable=false', 'log.cleaner.backoff.ms=200', 'log.cleaner.dedupe.buffer.size=4194304',
                'log.retention.check.interval.ms=500', 'log.segment.delete.delay.ms=0', 'num.network.threads=2', 'num.io.threads=2', 'num.partitions=1', *self.settings, '']))
        cluster = 'AAAAAAAAQACAAAAAAAAAAQ'
        self.call(self.java('kafka.tools.StorageTool', 'format', '-t', cluster, '-c', config))
        self.start_process(self.java('kafka.Kafka', config))
        wait_until(self.answers, 'Kafka did not start', self.process, self.log)
        wait_until(lambda: self.leads(), 'Kafka has no controller', self.process, self.log)

    def leads(self):
        try:
            self.create('__ready', 1)
            return True
        except RuntimeError:
            return False

    def answers(self):
        with socket.socket() as s:
            s.settimeout(1)
            return s.connect_ex(('127.0.0.1', self.port)) == 0

    def locator(self, topic, rest=''):
        return Cluster.locator(self, topic, rest)

    def close(self):
        self.stop_process()
        super().close()
