"""What records: Debezium's embedded engine (Engine.java) and pg_recvlogical."""
import os
import signal
import subprocess

from servers import wait_until

HERE = os.path.dirname(os.path.abspath(__file__))


def build_engine(folder, profile):
    """The jars of a profile of pom.xml by Maven, and Engine.java compiled against them; kept in `folder`. Returns the class path."""
    jars, classes = os.path.join(folder, 'lib', profile), os.path.join(folder, 'classes', profile)
    if not os.path.isdir(jars):
        subprocess.run(['mvn', '-q', '-B', '-P', profile, '-f', os.path.join(HERE, 'pom.xml'), 'dependency:copy-dependencies', f'-DoutputDirectory={jars}'], check=True)
    os.makedirs(classes, exist_ok=True)
    subprocess.run(['javac', '-cp', f'{jars}/*', '-d', classes, os.path.join(HERE, 'Engine.java')], check=True)
    return f'{classes}:{jars}/*'


class Engine:
    """One connector, run again after each of its crashes. `crashes`: (records until it dies, records of it whose offset was kept)."""

    def __init__(self, folder, class_path, name, properties, crashes=(), after_first_crash=None):
        self.folder = os.path.join(folder, name)
        os.makedirs(self.folder)
        self.after_first_crash = after_first_crash
        self.output, self.class_path, self.crashes, self.runs = os.path.join(self.folder, 'out.ndjson'), class_path, list(crashes), []
        properties = {'name': name, 'offset.storage': 'org.apache.kafka.connect.storage.FileOffsetBackingStore', 'offset.storage.file.filename': f'{self.folder}/offsets',
                      'offset.flush.interval.ms': '0', 'topic.prefix': name, 'errors.max.retries': '10', 'retriable.restart.connector.wait.ms': '500',
                      'errors.retry.delay.initial.ms': '300', 'errors.retry.delay.max.ms': '1000', **properties}
        self.properties = os.path.join(self.folder, 'properties')
        with open(self.properties, 'w', encoding='utf-8') as f:
            f.writelines(f'{k}={v}\n' for k, v in properties.items())
        self.process = None

    def start(self):
        crash, commit = self.crashes.pop(0) if self.crashes else (0, 0)
        self.runs.append(self.lines())
        with open(os.path.join(self.folder, 'log'), 'ab') as log:
            self.process = subprocess.Popen(['java', '-Xmx400m', '-cp', self.class_path, 'Engine', self.properties, self.output, str(crash), str(commit)], stdout=log, stderr=log)

    def lines(self):
        if not os.path.exists(self.output):
            return 0
        with open(self.output, 'rb') as f:
            return f.read().count(b'\n')

    def has(self, text):
        if not os.path.exists(self.output):
            return False
        with open(self.output, 'rb') as f:
            return text.encode() in f.read()

    def revive(self):
        """Starts the next run if this one crashed, as it was told to."""
        if self.process.poll() is None:
            return
        if self.process.returncode != 137:
            raise RuntimeError(f'the engine ended with {self.process.returncode}: {self.folder}/log')
        if len(self.runs) == 1 and self.after_first_crash:
            self.after_first_crash()
        self.start()

    def wait_for(self, text):
        """Until the text was recorded; a crash on the way is followed by the next run."""
        def there():
            found = self.has(text)
            if not found:
                self.revive()
            return found
        wait_until(there, f'"{text}" was not recorded: {self.folder}/log')

    def finish(self, text):
        """Until the text was recorded; then the engine's time is over."""
        self.wait_for(text)
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


class Receiver:
    """pg_recvlogical on a slot. It reports back every ten minutes, so that one that is killed early has confirmed nothing, and the next delivers all again."""

    def __init__(self, server, folder, name, plugin, options):
        self.server, self.output, self.slot, self.options = server, os.path.join(folder, f'{name}.ndjson'), name.replace('-', '_'), options
        self.command = ['pg_recvlogical', '-h', '127.0.0.1', '-p', str(server.port), '-U', 'postgres', '-d', 'postgres', '-S', self.slot]
        subprocess.run([*self.command, '-P', plugin, '--create-slot'], check=True)
        self.runs = []

    def receive(self, keep_lines=0, end=None):
        """With `keep_lines` it is killed before it confirmed anything, and what it wrote behind that many lines never reached the disk."""
        before = self.text().count(b'\n')
        self.runs.append(before)
        options = [f for option in self.options for f in ('-o', option)]
        process = subprocess.Popen([*self.command, '--start', '-f', self.output, '-F', '0', '-s', '600', *(['-E', end] if end else []), *options])
        if keep_lines:
            wait_until(lambda: self.text().count(b'\n') >= before + keep_lines, f'{self.output} does not grow')
            process.send_signal(signal.SIGKILL)
        process.wait()
        if keep_lines:
            lines = self.text().splitlines(keepends=True)[:before + keep_lines]
            with open(self.output, 'wb') as f:
                f.writelines(lines)

    def text(self):
        if not os.path.exists(self.output):
            return b''
        with open(self.output, 'rb') as f:
            return f.read()
