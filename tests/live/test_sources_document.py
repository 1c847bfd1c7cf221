"""docs/sources.md says what happens: its SQL is run by a server of the test's own, then its commands."""
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
from program import ENVIRONMENT, PROGRAM, ROOT  # noqa: E402
from servers import MariaDB, PostgreSQL  # noqa: E402

with open(os.path.join(ROOT, 'docs', 'sources.md'), encoding='utf-8') as document:
    BLOCKS = re.findall(r'^```(\w+) live-(\w+)\n(.*?)^```$', document.read(), re.M | re.S)


def steps_of(text):
    """(command, status, output) of a console block."""
    for part in re.split(r'^\$ ', text, flags=re.M)[1:]:
        command, _, rest = part.partition('\n')
        status = re.match(r'\? (\d+)\n?', rest)
        yield command, int(status.group(1)) if status else None, rest[status.end():] if status else rest


CLIENTS = os.environ.get('SW_CLIENTS', 'postgres mariadb').split()
NO_POSTGRES = PostgreSQL.unavailable() if 'postgres' in CLIENTS else 'built without libpq'
NO_MARIADB = MariaDB.unavailable() if 'mariadb' in CLIENTS else 'built without libmariadb'


class SourcesDocument(unittest.TestCase):
    def follow(self, system, server, at_least):
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(os.path.abspath(PROGRAM), os.path.join(folder, 'slackwater'))
            done = 0
            for language, of, text in BLOCKS:
                if of != system:
                    continue
                if language == 'sql':
                    server.sql(text)
                    continue
                for command, status, output in steps_of(text):
                    run = subprocess.run(command.replace('db.example.com', f'127.0.0.1:{server.port}'), shell=True, cwd=folder, capture_output=True, text=True, check=False,
                                         env={**ENVIRONMENT, 'PATH': f'{folder}:{ENVIRONMENT["PATH"]}'})
                    self.assertEqual((command, run.stdout), (command, output), run.stderr)
                    self.assertEqual(run.returncode, status or 0)
                    done += 1
            self.assertGreaterEqual(done, at_least)

    @unittest.skipIf(NO_POSTGRES, NO_POSTGRES)
    def test_the_recipes_for_postgresql_do_what_they_say(self):
        with PostgreSQL() as server:
            self.follow('postgres', server, 3)

    @unittest.skipIf(NO_MARIADB, NO_MARIADB)
    def test_the_recipes_for_mariadb_do_what_they_say(self):
        with MariaDB() as server:
            self.follow('mariadb', server, 3)


if __name__ == '__main__':
    unittest.main()
