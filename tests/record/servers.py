"""Throwaway servers for the recorder: a temporary folder, the loopback interface, gone at the end."""
import os
import pwd
import shutil
import socket
import subprocess
import time

BIN = '/usr/lib/postgresql/15/bin'


def free_port():
    with socket.socket() as s:
        s.bind(('127.0.0.1', 0))
        return s.getsockname()[1]


def wait_until(condition, what, seconds=120):
    """Polls a condition; what it returned, if that is true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise TimeoutError(f'after {seconds} s: {what}')


class Session:
    """One connection of a command-line client, for transactions that overlap. `run` waits until the server has answered."""

    def __init__(self, command, mark):
        self.client = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.mark = mark
        self.count = 0

    def run(self, sql):
        self.count += 1
        done = f'answered-{self.count}-'
        self.client.stdin.write(sql.strip().rstrip(';') + ';\n' + self.mark.format(done) + '\n')
        self.client.stdin.flush()
        lines = []
        while True:
            line = self.client.stdout.readline()
            if not line:
                raise RuntimeError(f'the client ended: {sql}\n' + ''.join(lines))
            if done in line:
                break
            lines.append(line)
        wrong = [line for line in lines if 'ERROR' in line]
        if wrong:
            raise RuntimeError(f'{sql}\n' + ''.join(wrong))
        return ''.join(lines)

    def close(self):
        self.client.stdin.close()
        self.client.wait()


class Postgres:
    """PostgreSQL with wal_level=logical; root hands it to the user postgres, since the server refuses root."""

    def __init__(self, folder):
        self.folder = os.path.join(folder, 'postgres')
        self.port = free_port()
        self.user = 'postgres' if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        self.as_user = ['runuser', '-u', 'postgres', '--'] if os.geteuid() == 0 else []
        os.makedirs(self.folder)
        if self.as_user:
            shutil.chown(self.folder, 'postgres')

    def tool(self, *command, **options):
        return subprocess.run([*self.as_user, *command], check=True, cwd='/', **options)

    def start(self):
        data = os.path.join(self.folder, 'data')
        if not os.path.exists(data):
            self.tool(f'{BIN}/initdb', '-D', data, '-A', 'trust', '-U', 'postgres', '--no-sync', '--locale=C.UTF-8', stdout=subprocess.DEVNULL)
            settings = {'port': self.port, 'listen_addresses': "'127.0.0.1'", 'unix_socket_directories': f"'{self.folder}'", 'wal_level': 'logical', 'fsync': 'off',
                        'max_replication_slots': 20, 'max_wal_senders': 20, 'timezone': "'UTC'", 'log_min_messages': 'warning', 'extra_float_digits': 1}
            # some builds of 15 let a slot load only the plugins that this names
            known = self.tool(f'{BIN}/postgres', '--describe-config', capture_output=True, text=True).stdout
            if 'output_plugin_libraries' in known:
                settings['output_plugin_libraries'] = "'pgoutput,test_decoding,wal2json'"
            self.tool('tee', '-a', f'{data}/postgresql.conf', input=''.join(f'{k} = {v}\n' for k, v in settings.items()), text=True, stdout=subprocess.DEVNULL)
        self.tool(f'{BIN}/pg_ctl', '-D', data, '-w', '-l', f'{self.folder}/log', 'start', stdout=subprocess.DEVNULL)

    def stop(self, mode='fast'):
        self.tool(f'{BIN}/pg_ctl', '-D', f'{self.folder}/data', '-w', '-m', mode, 'stop', stdout=subprocess.DEVNULL)

    def client(self):
        return ['psql', '-h', '127.0.0.1', '-p', str(self.port), '-U', 'postgres', '-d', 'postgres', '-X', '-q', '-A', '-t']

    def sql(self, text):
        done = subprocess.run([*self.client(), '-v', 'ON_ERROR_STOP=1'], input=text, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f'{done.stderr}\nin: {text[:2000]}')
        return done.stdout

    def session(self):
        return Session(self.client(), '\\echo {}')

    def version(self):
        return self.sql('SHOW server_version').strip()


class MariaDB:
    """MariaDB with a row binlog and GTIDs."""

    def __init__(self, folder):
        self.folder = os.path.join(folder, 'mariadb')
        self.port = free_port()
        self.socket = os.path.join(self.folder, 'socket')
        self.server = None
        os.makedirs(self.folder)
        if os.geteuid() == 0:
            shutil.chown(self.folder, 'mysql')

    def start(self):
        data, user = os.path.join(self.folder, 'data'), ['--user=mysql'] if os.geteuid() == 0 else []
        log = open(os.path.join(self.folder, 'log'), 'ab')
        if not os.path.exists(data):
            subprocess.run(['mariadb-install-db', '--no-defaults', f'--datadir={data}', '--auth-root-authentication-method=normal', *user], check=True, stdout=log, stderr=log)
        self.server = subprocess.Popen(
            ['mariadbd', '--no-defaults', f'--datadir={data}', f'--socket={self.socket}', f'--port={self.port}', '--bind-address=127.0.0.1', '--log-bin=bin',
             '--binlog-format=ROW', '--binlog-row-image=FULL', '--binlog-row-metadata=FULL', '--server-id=7', '--gtid-strict-mode=ON', '--sync-binlog=0',
             '--innodb-flush-log-at-trx-commit=2', '--default-time-zone=+00:00', '--character-set-server=utf8mb4', '--sql-mode=NO_AUTO_VALUE_ON_ZERO', *user],
            stdout=log, stderr=log)
        log.close()
        wait_until(lambda: subprocess.run([*self.client(), '-e', 'SELECT 1'], capture_output=True).returncode == 0, 'MariaDB does not answer')

    def stop(self):
        self.server.terminate()
        self.server.wait()

    def client(self):
        return ['mariadb', '--no-defaults', f'--socket={self.socket}', '-u', 'root', '--default-character-set=utf8mb4', '--batch', '--raw', '--skip-column-names', '--unbuffered']

    def sql(self, text):
        done = subprocess.run([*self.client(), '--abort-source-on-error'], input=text, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f'{done.stderr}\nin: {text[:2000]}')
        return done.stdout

    def session(self):
        return Session([*self.client(), '--force'], "SELECT '{}';")

    def version(self):
        return self.sql('SELECT version()').strip()
