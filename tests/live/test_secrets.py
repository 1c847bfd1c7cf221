"""No output holds a secret: one stem stands in every secret of every source, and is looked for in all that any command writes, whether it succeeds or fails."""
import os
import subprocess
import tempfile
import unittest

from reading import ENVIRONMENT, PROGRAM, Reading, lacking, servers
from kafka_broker import KafkaMock  # tests/harness

STEM = 'Zq7x'
SECRET = STEM + '/p@ss w:rd#%41'  # what a locator has to encode, and what a second decoding would change
ENCODED = STEM + '%2Fp%40ss%20w%3Ard%23%2541'
POSTGRES, MARIADB, KAFKA = lacking('postgres', servers.PostgreSQL), lacking('mariadb', servers.MariaDB), lacking('kafka', KafkaMock)


class Secrets(Reading):
    def setUp(self):
        super().setUp()
        outside = tempfile.TemporaryDirectory()  # what the user keeps secrets in is no output
        self.addCleanup(outside.cleanup)
        self.outside = outside.name
        self.texts = []
        self.say(['case', 'init', 'incident', '--title', 'secrets'], {})

    def keep(self, name, text):
        path = os.path.join(self.outside, name)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        os.chmod(path, 0o600)
        return path

    def say(self, arguments, env):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, env={**ENVIRONMENT, **env}, capture_output=True, text=True, timeout=120)
        self.texts.append((arguments[0], done.stdout + done.stderr))
        return done

    def all_commands(self, locator, other, env=None, key=('--key', 'id'), saved='0/1'):
        """What reads, as text and as JSON, with every output there is; the case that keeps it; its note in all forms."""
        outputs = ['--report', 'r.json', '--differences', 'd.ndjson', '--states', 's.ndjson', '--save-state', 'st.ndjson', '--quarantine', 'q.ndjson', '--progress', 'plain', '--case', 'incident']
        env = env or {}
        status = []
        for form in ([], ['--json']):
            status.append(self.say(['reconcile', '-b', locator, '-x', other, *key, *outputs, *form], env).returncode)
            self.say(['reconcile', '-b', locator, '-e', locator, '-x', other, *key, *form], env)
            self.say(['challenge', '-b', locator, '-x', other, *key, '--case', 'incident', *form], env)
            self.say(['position', 'scan', '-e', locator, '--case', 'incident', *form], env)
            self.say(['position', 'probe', locator, '--saved', saved, '--timeout', '3', '--case', 'incident', *form], env)
        return status

    def nothing_told(self, masked=True):
        for form in ('markdown', 'json', 'html'):
            self.say(['case', 'handover', 'incident', '--format', form, '--leave-as-is', '-o', 'note.' + form], {})
            self.say(['case', 'handover', 'incident', '--format', form, '--leave-as-is'], {})
        for command in ('status', 'check', 'verify'):
            self.say(['case', command, 'incident'], {})
            self.say(['case', command, 'incident', '--json'], {})
        for at, _, names in os.walk(self.folder):
            for name in names:
                with open(os.path.join(at, name), encoding='utf-8', errors='replace') as file:
                    self.texts.append((os.path.relpath(os.path.join(at, name), self.folder), file.read()))
        leaks = [(where, text[max(0, text.find(STEM) - 200):text.find(STEM) + 60]) for where, text in self.texts if STEM in text]
        self.assertEqual(leaks, [])
        self.assertTrue(any('incident/' in where for where, _ in self.texts))
        if masked:
            self.assertGreater(sum('***' in text for _, text in self.texts), 5)


@unittest.skipIf(POSTGRES, POSTGRES)
class PostgreSQL(Secrets):
    @classmethod
    def setUpClass(cls):
        cls.server = servers.PostgreSQL(["password_encryption = 'scram-sha-256'"]).__enter__()
        cls.addClassCleanup(cls.server.close)
        cls.server.sql("CREATE TABLE a (id int PRIMARY KEY, v text); INSERT INTO a VALUES (1, 'x'), (2, 'y'); CREATE TABLE b AS TABLE a; ALTER TABLE b ADD PRIMARY KEY (id); UPDATE b SET v = 'z' WHERE id = 2; "
                       f"CREATE ROLE keeper LOGIN PASSWORD '{SECRET}'; GRANT SELECT ON a, b TO keeper")
        with open(os.path.join(cls.server.data, 'pg_hba.conf'), 'w', encoding='utf-8') as file:
            file.write('host all postgres all trust\nhost all all all scram-sha-256\n')
        cls.server.sql('SELECT pg_reload_conf()')

    def test_passwords_in_the_locator(self):
        host = f'127.0.0.1:{self.server.port}'
        for locator in (f'postgresql://keeper:{ENCODED}@{host}/shop', f'postgres://keeper@{host}/shop?password={ENCODED}', f"host=127.0.0.1 port={self.server.port} dbname=shop user=keeper password='{SECRET}'"):
            with self.subTest(locator=locator[:12]):
                self.assertEqual(self.all_commands(locator + '#a', locator + '#b')[0], 1, self.texts[-10:])
        self.nothing_told()

    def test_passwords_in_files_and_in_the_environment(self):
        where = f'127.0.0.1:{self.server.port}'
        service = self.keep('service', f'[kept]\nhost=127.0.0.1\nport={self.server.port}\ndbname=shop\nuser=keeper\npassword={SECRET}\n')
        passwords = self.keep('pgpass', f"{where}:shop:keeper:{SECRET.replace(':', chr(92) + ':')}\n")
        for locator, env in (('service=kept', {'PGSERVICEFILE': service}), (f'postgresql://keeper@{where}/shop', {'PGPASSFILE': passwords}), (f'postgresql://keeper@{where}/shop', {'PGPASSWORD': SECRET})):
            self.assertEqual(self.all_commands(locator + '#a', locator + '#b', env)[0], 1, self.texts[-10:])
        self.nothing_told(masked=False)

    def test_what_fails(self):
        host, right = f'127.0.0.1:{self.server.port}', f'keeper:{ENCODED}'
        for locator in (f'postgresql://{right}@{host}/none#a', f'postgresql://{right}@{host}/shop#nope', f'postgresql://keeper:{ENCODED}x@{host}/shop#a', f'postgresql://{right}@127.0.0.1:1/shop#a', f'postgresql://{right}@{host}/shop?nope=1#a',
                        f'postgresql://keeper:{STEM}%zz@{host}/shop#a', f'postgresql://keeper:{STEM}@{host}:notaport/shop#a', f'postgresql://keeper:{STEM}/{host}/shop#a', f'postgresql://{right}@{host}/shop?password={ENCODED}&x#a',
                        f'postgresql://{right}@{host}/shop?sslpassword={ENCODED}&sslkey=/nowhere&sslcert=/nowhere&sslmode=require#a', f'host=127.0.0.1 password={STEM} nope=1#a', f"password='{STEM}#a", f'postgresql://{right}@{host}/shop?slot=none&publication=p&read=peek'):
            self.all_commands(locator, self.at('#b'))
        self.nothing_told()


@unittest.skipIf(MARIADB, MARIADB)
class MariaDB(Secrets):
    def test_passwords_wherever_they_stand(self):
        with servers.MariaDB() as server:
            server.sql(f"CREATE TABLE a (id INT PRIMARY KEY, v TEXT); INSERT INTO a VALUES (1, 'x'); CREATE TABLE b (id INT PRIMARY KEY, v TEXT); INSERT INTO b VALUES (1, 'y'); CREATE USER keeper@'127.0.0.1' IDENTIFIED BY '{SECRET}'; GRANT SELECT ON shop.* TO keeper@'127.0.0.1'")
            host = f'127.0.0.1:{server.port}'
            options = self.keep('my.cnf', f'[client]\nuser=keeper\npassword="{SECRET}"\n')
            for locator, env in ((f'mysql://keeper:{ENCODED}@{host}/shop', {}), (f'mariadb://keeper@{host}/shop', {'MYSQL_PWD': SECRET}), (f'mariadb://{host}/shop?defaults-file={options}', {})):
                self.assertEqual(self.all_commands(locator + '#a', locator + '#b', env, saved='0-1-1')[0], 1, self.texts[-10:])
            for locator in (f'mysql://keeper:{ENCODED}x@{host}/shop#a', f'mysql://keeper:{ENCODED}@{host}/none#a', f'mysql://keeper:{ENCODED}@{host}/shop#nope', f'mysql://keeper:{ENCODED}@127.0.0.1:1/shop#a', f'mysql://keeper:{ENCODED}@{host}/shop?password={ENCODED}#a',
                            f'mysql://keeper:{STEM}%zz@{host}/shop#a', f'mysql://keeper:{STEM}@{host}:x/shop#a'):
                self.all_commands(locator, server.locator('#b'), saved='0-1-1')
        self.nothing_told()


@unittest.skipIf(KAFKA, KAFKA)
class Kafka(Secrets):
    def test_passwords_of_sasl_and_tls(self):
        """They are given to the library, which refuses a broker that knows none of it, and are shown nowhere."""
        with KafkaMock('orders') as kafka:
            self.write('x.ndjson', '{"id":1}\n')
            for locator in (f'kafka://keeper:{ENCODED}@{kafka.brokers}/orders?security.protocol=SASL_PLAINTEXT&sasl.mechanism=PLAIN', f'kafka://{kafka.brokers}/orders?security.protocol=SASL_PLAINTEXT&sasl.mechanism=SCRAM-SHA-256&sasl.username=keeper&sasl.password={ENCODED}',
                            f'kafka://{kafka.brokers}/orders?security.protocol=SSL&ssl.key.location=/nowhere&ssl.key.password={ENCODED}', f'kafka://{kafka.brokers}/orders?sasl.oauthbearer.config={ENCODED}&nope=1', f'kafka://{kafka.brokers}/orders?ssl.keystore.password={ENCODED}',
                            f'kafka://{kafka.brokers}/orders?ssl.key.pem={ENCODED}&security.protocol=SSL', f'kafka://keeper:{ENCODED}@127.0.0.1:1/orders?sasl.mechanism=NOPE&security.protocol=SASL_SSL'):
                outputs = ['--report', 'r.json', '--case', 'incident']
                for form in ([], ['--json']):
                    self.say(['reconcile', '-e', locator, '-x', 'x.ndjson', '--key', 'id', '--order', 'kafka', *outputs, *form], {})
                self.say(['position', 'probe', locator, '--saved', '0:1', '--timeout', '2', '--case', 'incident'], {})
            said = ' '.join(text for _, text in self.texts)
            self.assertIn('sasl.password=***', said)
            self.assertIn('ssl.key.password=***', said)
            self.assertIn('keeper:***@', said)
        self.nothing_told()


class Adbc(Secrets):
    def test_options_of_drivers(self):
        """All that a driver is given but for a path is shown as ***, whether the driver is there or not."""
        self.write('x.ndjson', '{"id":1}\n')
        for locator in (f'adbc:nosuchdriver?password={ENCODED}#t', f'adbc:nosuchdriver?uri=postgresql://keeper:{ENCODED}@h/d#t', f'adbc:./libnone.so?adbc.bigquery.sql.auth_credentials={ENCODED}&token={ENCODED}#t', f'adbc:duckdb?path=none.db&motherduck_token={ENCODED}#t', f'adbc:nosuch?{ENCODED}#t'):
            for form in ([], ['--json']):
                self.say(['reconcile', '-b', locator, '-x', 'x.ndjson', '--key', 'id', '--report', 'r.json', '--case', 'incident', *form], {})
        self.nothing_told()


if __name__ == '__main__':
    unittest.main()
