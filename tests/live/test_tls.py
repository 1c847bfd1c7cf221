"""Connections under TLS: the clients' own settings are honoured, and what is wrong with a certificate is said with what to do."""
import os
import pwd
import shutil
import subprocess
import tempfile
import unittest

from reading import Reading, lacking, servers

POSTGRES, MARIADB = lacking('postgres', servers.PostgreSQL), lacking('mariadb', servers.MariaDB)
OPENSSL = None if shutil.which('openssl') else 'openssl is not installed'


class Certificates:
    """Two authorities, a server's certificate for 127.0.0.1 and one for another name, and a client's, of the first."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix='slackwater-tls-')
        os.chmod(self.folder, 0o755)
        for authority in ('right', 'wrong'):
            self.openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj', f'/CN={authority} authority', '-keyout', f'{authority}.key', '-out', f'{authority}.pem')
        self.sign('server', 'localhost', 'IP:127.0.0.1,DNS:localhost')
        self.sign('elsewhere', 'db.example.com', 'DNS:db.example.com')
        self.sign('client', 'insider', 'DNS:insider')

    def openssl(self, *arguments):
        subprocess.run(['openssl', *arguments], cwd=self.folder, check=True, capture_output=True)

    def sign(self, name, subject, alternative):
        with open(os.path.join(self.folder, f'{name}.ext'), 'w', encoding='utf-8') as file:
            file.write(f'subjectAltName={alternative}\n')
        self.openssl('req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-subj', f'/CN={subject}', '-keyout', f'{name}.key', '-out', f'{name}.csr')
        self.openssl('x509', '-req', '-in', f'{name}.csr', '-CA', 'right.pem', '-CAkey', 'right.key', '-CAcreateserial', '-days', '2', '-extfile', f'{name}.ext', '-out', f'{name}.pem')
        os.chmod(self[name + '.key'], 0o600)

    def __getitem__(self, name):
        return os.path.join(self.folder, name)

    def given_to(self, user):
        """A server's key is its own."""
        if os.getuid() == 0:
            for name in ('server.key', 'elsewhere.key'):
                os.chown(self[name], pwd.getpwnam(user).pw_uid, -1)

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


@unittest.skipIf(POSTGRES or OPENSSL, POSTGRES or OPENSSL)
class PostgreSQL(Reading):
    @classmethod
    def setUpClass(cls):
        cls.made = Certificates()
        cls.addClassCleanup(cls.made.remove)
        cls.made.given_to(servers.PostgreSQL.user)
        cls.server = servers.PostgreSQL(['ssl = on', f"ssl_cert_file = '{cls.made['server.pem']}'", f"ssl_key_file = '{cls.made['server.key']}'", f"ssl_ca_file = '{cls.made['right.pem']}'"]).__enter__()
        cls.addClassCleanup(cls.server.close)
        cls.server.sql("CREATE TABLE a (id int PRIMARY KEY, v text); INSERT INTO a VALUES (1, 'x'); CREATE ROLE insider LOGIN; CREATE ROLE outsider LOGIN; CREATE ROLE plain LOGIN; GRANT SELECT ON a TO insider, plain")
        with open(os.path.join(cls.server.data, 'pg_hba.conf'), 'w', encoding='utf-8') as file:
            file.write('hostssl all insider,outsider all cert\nhostssl all plain all trust\nhost all postgres all trust\n')
        cls.server.sql('SELECT pg_reload_conf()')

    def read(self, query, user='plain', env=None):
        """Both sides alike, so that both connect."""
        locator = self.at(f'?{query}#a', user=user)
        return self.call('-b', locator, '-x', locator, env=env)

    def error(self, *arguments, **more):
        status, report = self.read(*arguments, **more)
        self.assertEqual(status, 4, report)
        return report['error']['text']

    def test_a_right_authority_lets_in(self):
        for query in ('sslmode=require', f"sslmode=verify-ca&sslrootcert={self.made['right.pem']}", f"sslmode=verify-full&sslrootcert={self.made['right.pem']}"):
            self.assertEqual((query, self.read(query)[0]), (query, 0))
        self.assertEqual(self.read('connect_timeout=9', env={'PGSSLMODE': 'verify-full', 'PGSSLROOTCERT': self.made['right.pem']})[0], 0)

    def test_a_wrong_authority_is_told(self):
        for mode in ('verify-ca', 'verify-full'):
            text = self.error(f"sslmode={mode}&sslrootcert={self.made['wrong.pem']}")
            self.assertIn('certificate verify failed', text)
            self.assertIn('sslrootcert=', text.split('; ')[-1])
        self.assertIn('sslrootcert=', self.error('sslmode=verify-full&sslrootcert=/nowhere/ca.pem'))
        self.assertIn('certificate verify failed', self.error('connect_timeout=9', env={'PGSSLMODE': 'verify-full', 'PGSSLROOTCERT': self.made['wrong.pem']}))

    def test_no_connection_without_tls_where_the_server_wants_it(self):
        text = self.error('sslmode=disable')
        self.assertIn('no encryption', text)
        self.assertIn('sslmode=require', text)

    def test_a_client_is_known_by_its_certificate(self):
        own = f"sslcert={self.made['client.pem']}&sslkey={self.made['client.key']}"
        self.assertEqual(self.read(f"sslmode=verify-full&sslrootcert={self.made['right.pem']}&{own}", user='insider')[0], 0)
        self.assertIn('sslcert=', self.error('sslmode=require', user='insider'))
        self.assertIn("is not this user's", self.error(f'sslmode=require&{own}', user='outsider'))
        os.chmod(self.made['client.key'], 0o644)
        self.addCleanup(os.chmod, self.made['client.key'], 0o600)
        self.assertIn('mode 600', self.error(f'sslmode=require&{own}', user='insider'))

    def test_a_certificate_of_another_host_is_told(self):
        with servers.PostgreSQL(['ssl = on', f"ssl_cert_file = '{self.made['elsewhere.pem']}'", f"ssl_key_file = '{self.made['elsewhere.key']}'"]) as other:
            other.sql('CREATE TABLE a (id int PRIMARY KEY); INSERT INTO a VALUES (1)')
            locator = other.locator(f"?sslmode=verify-full&sslrootcert={self.made['right.pem']}#a")
            text = self.refused(4, 'db.example.com', 'does not match host name', arguments=('-b', locator, '-x', locator))
            self.assertIn('connect by the name that it has', text)
            weaker = locator.replace('verify-full', 'verify-ca')
            self.equal('-b', weaker, '-x', weaker)

    def test_a_server_without_tls_is_told(self):
        with servers.PostgreSQL() as plain:
            plain.sql('CREATE TABLE a (id int PRIMARY KEY); INSERT INTO a VALUES (1)')
            locator = plain.locator('?sslmode=require#a')
            self.refused(4, 'does not support SSL', 'sslmode=prefer', arguments=('-b', locator, '-x', locator))


@unittest.skipIf(MARIADB or OPENSSL, MARIADB or OPENSSL)
class MariaDB(Reading):
    @classmethod
    def setUpClass(cls):
        cls.made = Certificates()
        cls.addClassCleanup(cls.made.remove)
        cls.made.given_to(servers.MariaDB.user)
        cls.server = servers.MariaDB([f"ssl-cert={cls.made['server.pem']}", f"ssl-key={cls.made['server.key']}", f"ssl-ca={cls.made['right.pem']}"]).__enter__()
        cls.addClassCleanup(cls.server.close)
        cls.server.sql("""CREATE TABLE a (id INT PRIMARY KEY, v TEXT); INSERT INTO a VALUES (1, 'x'); CREATE USER plain@'127.0.0.1' REQUIRE SSL; CREATE USER insider@'127.0.0.1' REQUIRE X509; CREATE USER bare@'127.0.0.1';
            GRANT SELECT ON shop.* TO plain@'127.0.0.1'; GRANT SELECT ON shop.* TO insider@'127.0.0.1'; GRANT SELECT ON shop.* TO bare@'127.0.0.1'""")

    def read(self, query, user='plain'):
        locator = self.at(f'?{query}#a', user=user)
        return self.call('-b', locator, '-x', locator)

    def error(self, *arguments, **more):
        status, report = self.read(*arguments, **more)
        self.assertEqual(status, 4, report)
        return report['error']['text']

    def options(self, *lines):
        return 'defaults-file=' + self.write('my.cnf', '\n'.join(['[client]', *lines, '']))

    def test_a_right_authority_lets_in_by_locator_and_by_option_file(self):
        for query in ('ssl=on', f"ssl-ca={self.made['right.pem']}", f"ssl-ca={self.made['right.pem']}&ssl-verify=on", self.options(f"ssl-ca={self.made['right.pem']}", 'ssl-verify-server-cert')):
            status, report = self.read(query)
            self.assertEqual((query, status), (query, 0), report.get('error'))

    def test_a_wrong_authority_is_told(self):
        for query in (f"ssl-ca={self.made['wrong.pem']}", f"ssl-ca={self.made['wrong.pem']}&ssl-verify=on", self.options(f"ssl-ca={self.made['wrong.pem']}", 'ssl-verify-server-cert')):
            with self.subTest(query=query):
                text = self.error(query)
                self.assertRegex(text, 'certificate|TLS|SSL')
                self.assertIn('check ssl-ca=', text)
        self.assertIn('check ssl-ca=', self.error('ssl-ca=/nowhere/ca.pem'))

    def test_a_user_who_must_use_tls_is_not_let_in_without(self):
        self.assertIn('ssl=on', self.error('connect-timeout=9'))
        self.assertEqual(self.read('connect-timeout=9', user='bare')[0], 0)

    def test_a_client_is_known_by_its_certificate(self):
        own = f"ssl-ca={self.made['right.pem']}&ssl-cert={self.made['client.pem']}&ssl-key={self.made['client.key']}"
        self.assertEqual(self.read(own, user='insider')[0], 0)
        self.assertIn('Access denied', self.error(f"ssl-ca={self.made['right.pem']}", user='insider'))

    def test_a_certificate_of_another_host_and_a_server_without_tls_are_told(self):
        with servers.MariaDB([f"ssl-cert={self.made['elsewhere.pem']}", f"ssl-key={self.made['elsewhere.key']}"]) as other:
            other.sql('CREATE TABLE a (id INT PRIMARY KEY); INSERT INTO a VALUES (1)')
            locator = other.locator(f"?ssl-ca={self.made['right.pem']}#a")
            self.refused(4, 'check ssl-ca=', arguments=('-b', locator, '-x', locator))
            weaker = locator.replace('#a', '&ssl-verify=off#a')
            self.equal('-b', weaker, '-x', weaker)
        with servers.MariaDB(['skip-ssl']) as plain:
            plain.sql('CREATE TABLE a (id INT PRIMARY KEY); INSERT INTO a VALUES (1)')
            for query in ('ssl=on', f"ssl-ca={self.made['right.pem']}", self.options('ssl'), self.options(f"ssl-ca={self.made['right.pem']}", 'ssl-verify-server-cert')):
                with self.subTest(query=query):
                    self.refused(4, 'TLS', arguments=('-b', plain.locator(f'?{query}#a'), '-x', plain.locator('#a')))
            self.equal('-b', plain.locator('?ssl=off#a'), '-x', plain.locator('#a'))


if __name__ == '__main__':
    unittest.main()
