"""Throwaway database servers for tests: made in a temporary folder, on the loopback interface, gone at the end.

    with PostgreSQL() as server:
        server.sql('CREATE TABLE t (k int PRIMARY KEY)')
        run(['slackwater', ..., server.locator('#t')])

    with MariaDB() as server: ...

`unavailable()` of a class says why it cannot be started here, or None: tests skip with that reason.
Servers do not run as root: where the tests do, they run as the user that the distribution's package made.
"""
import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time

# Longer than any server takes on a busy machine; nothing waits this long when all is well.
PATIENCE = 60


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


def wait_until(condition, what, process=None, log=None):
    """Waits for a condition; fails with what was waited for, and the end of the server's log."""
    end = time.monotonic() + PATIENCE
    while not condition():
        gone = process is not None and process.poll() is not None
        if gone or time.monotonic() > end:
            tail = ''
            if log and os.path.exists(log):
                with open(log, encoding='utf-8', errors='replace') as f:
                    tail = ': ' + f.read()[-2000:]
            raise RuntimeError(f'{what}: {"the server ended" if gone else "not in time"}{tail}')
        time.sleep(0.05)


class Server:
    """What the servers have in common: a folder, a port, a process and its end."""
    user = None  # who it runs as, where the tests run as root
    at_death = 'TERM'  # what it is sent when the tests die without a word: nothing may stay behind

    def __init__(self):
        self.folder = self.process = None
        self.port = free_port()

    def make_folder(self):
        self.folder = tempfile.mkdtemp(prefix='slackwater-')
        os.chmod(self.folder, 0o755)
        if os.getuid() == 0 and self.user:
            account = pwd.getpwnam(self.user)
            os.chown(self.folder, account.pw_uid, account.pw_gid)

    def as_user(self, command, *more):
        if os.getuid() == 0 and self.user:
            more = (f'--reuid={self.user}', f'--regid={self.user}', '--init-groups', *more)
        return ['setpriv', *more, *command] if more else command

    def call(self, command, **more):
        done = subprocess.run(self.as_user(command), stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=self.folder, check=False, **more)
        if done.returncode:
            raise RuntimeError(f'{command[0]} ended with {done.returncode}: {done.stderr[-2000:]}{done.stdout[-500:]}')
        return done.stdout

    def start_process(self, command):
        self.log = os.path.join(self.folder, 'server.log')
        with open(self.log, 'ab') as log:
            self.process = subprocess.Popen(self.as_user(command, '--pdeathsig', self.at_death), stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.folder)

    def stop_process(self, how=signal.SIGTERM):
        if self.process and self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self.process = None

    def answers(self):
        with socket.socket() as s:
            s.settimeout(1)
            return s.connect_ex(('127.0.0.1', self.port)) == 0

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.stop_process(signal.SIGINT)
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.folder = None


class PostgreSQL(Server):
    """A cluster with logical decoding on. `settings` are lines of its configuration; `copy_of` is the data folder of another server that is stopped."""
    user = 'postgres'
    at_death = 'INT'  # TERM would wait for clients
    bin = next(iter(sorted(glob.glob('/usr/lib/postgresql/*/bin'), reverse=True)), '')

    @classmethod
    def unavailable(cls):
        if not os.path.exists(os.path.join(cls.bin, 'initdb')) or not shutil.which('psql'):
            return 'no PostgreSQL server is installed'
        return None

    def __init__(self, settings=(), database='shop', copy_of=None, standby_of=None):
        super().__init__()
        self.settings, self.database, self.copy_of, self.standby_of = list(settings), database, copy_of, standby_of

    @property
    def data(self):
        return os.path.join(self.folder, 'data')

    def start(self):
        self.make_folder()
        if self.standby_of:
            self.call([f'{self.bin}/pg_basebackup', '--no-sync', '-D', self.data, '-h', '127.0.0.1', '-p', str(self.standby_of.port), '-U', 'postgres', '-R', '-c', 'fast'])
        elif self.copy_of:
            self.call(['cp', '-a', self.copy_of, self.data])
        else:
            self.call([f'{self.bin}/initdb', '--no-sync', '--auth=trust', '--username=postgres', '--encoding=UTF8', '--locale=C', '-D', self.data])
        with open(os.path.join(self.data, 'postgresql.auto.conf' if self.copy_of else 'postgresql.conf'), 'a', encoding='utf-8') as f:
            f.write('\n'.join(['', "listen_addresses = '127.0.0.1'", f'port = {self.port}', f"unix_socket_directories = '{self.folder}'", 'fsync = off', 'wal_level = logical', 'max_wal_senders = 8',
                               'max_replication_slots = 8', 'shared_buffers = 16MB', *self.settings, '']))
        self.launch()
        if not self.copy_of and not self.standby_of:
            self.sql(f'CREATE DATABASE {self.database}', database='postgres')

    def launch(self):
        self.start_process([f'{self.bin}/postgres', '-D', self.data])
        ready = [f'{self.bin}/pg_isready', '-q', '-h', '127.0.0.1', '-p', str(self.port)]
        wait_until(lambda: subprocess.run(ready, check=False).returncode == 0, 'PostgreSQL did not start', self.process, self.log)

    def sql(self, text, database=None, user='postgres'):
        """Runs statements (each its own transaction, by psql) and returns what they print, unaligned and without headers."""
        return self.call(['psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-h', '127.0.0.1', '-p', str(self.port), '-U', user, '-d', database or self.database, '-c', text]).strip()

    def locator(self, rest='', user='postgres'):
        return f'postgresql://{user}@127.0.0.1:{self.port}/{self.database}{rest}'


class MariaDB(Server):
    """A server with row-based binary logs. `settings` are options of the server, without the leading hyphens."""
    user = 'mysql'
    install = shutil.which('mariadb-install-db')
    program = shutil.which('mariadbd') or ('/usr/sbin/mariadbd' if os.path.exists('/usr/sbin/mariadbd') else None)

    @classmethod
    def unavailable(cls):
        if not cls.install or not cls.program or not shutil.which('mariadb'):
            return 'no MariaDB server is installed'
        return None

    def __init__(self, settings=(), database='shop'):
        super().__init__()
        self.settings, self.database = list(settings), database

    @property
    def socket(self):
        return os.path.join(self.folder, 'server.sock')

    @property
    def tmpdir(self):
        """One of its own: a server that starts removes all temporary tables that it finds there, those of another one that is at work, too."""
        return f'--tmpdir={self.folder}'

    def start(self):
        self.make_folder()
        data = os.path.join(self.folder, 'data')
        owner = [f'--user={self.user}'] if os.getuid() == 0 else []
        self.call([self.install, '--no-defaults', f'--datadir={data}', '--auth-root-authentication-method=normal', '--skip-test-db', self.tmpdir, *owner])
        self.launch()
        self.sql(f'CREATE DATABASE {self.database}', database='')

    def launch(self):
        self.start_process([self.program, '--no-defaults', f'--datadir={self.folder}/data', f'--socket={self.socket}', f'--port={self.port}', '--bind-address=127.0.0.1', '--log-bin=binlog', '--server-id=1',
                            '--binlog-format=ROW', '--innodb-buffer-pool-size=16M', '--innodb-flush-log-at-trx-commit=0', f'--pid-file={self.folder}/server.pid', self.tmpdir, *[f'--{s}' for s in self.settings]])
        wait_until(self.answers, 'MariaDB did not start', self.process, self.log)

    def sql(self, text, database=None):
        """Runs statements as root and returns what they print, tab-separated without headers."""
        return self.call(['mariadb', '--no-defaults', '--batch', '--skip-column-names', '-u', 'root', f'--socket={self.socket}', '-e', text, *([d] if (d := self.database if database is None else database) else [])]).strip()

    def locator(self, rest='', user='root'):
        return f'mariadb://{user}@127.0.0.1:{self.port}/{self.database}{rest}'

    def close(self):
        self.stop_process(signal.SIGTERM)
        super().close()
