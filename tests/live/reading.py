"""What the live tests of tables as inputs have in common: a run, its report, and what it refused."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'cli'))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'harness'))
from program import ENVIRONMENT, PROGRAM  # noqa: E402
import servers  # noqa: E402

CLIENTS = os.environ.get('SW_CLIENTS', 'postgres mariadb kafka sqlite').split()


def lacking(client, server):
    """Why a test against that server cannot run, or None."""
    return server.unavailable() if client in CLIENTS else f'built without the client of {client}'


class Reading(unittest.TestCase):
    server = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def at(self, rest='', **more):
        return self.server.locator(rest, **more)

    def write(self, name, text):
        with open(os.path.join(self.folder, name), 'w', encoding='utf-8') as file:
            file.write(text)
        return os.path.join(self.folder, name)

    def start(self, *arguments, env=None):
        """A run that goes on while the test does something to its server."""
        return subprocess.Popen([PROGRAM, 'reconcile', '--json', *arguments], cwd=self.folder, env={**ENVIRONMENT, **(env or {})}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def call(self, *arguments, env=None):
        """(exit status, report)"""
        run = self.start(*arguments, env=env)
        out, err = run.communicate(timeout=120)
        self.assertTrue(out, err)
        return run.returncode, json.loads(out)

    def refused(self, status, *texts, arguments, env=None):
        """Nothing is claimed: the exit status, and what the one error says."""
        found, report = self.call(*arguments, env=env)
        self.assertEqual(found, status, report)
        self.assertNotIn('counts', report)
        for text in texts:
            self.assertIn(text, report['error']['text'])
        return report['error']['text']

    def equal(self, *arguments, env=None):
        status, report = self.call(*arguments, env=env)
        self.assertEqual(status, 0, report.get('error') or report)
        return report

    def nothing_is_claimed(self, run, *texts, status=4, timeout=60):
        """How a run ends that lost its server: one error, no report file, nothing else left in its folder."""
        out, err = run.communicate(timeout=timeout)
        self.assertEqual(run.returncode, status, out[:2000] + err[:2000])
        report = json.loads(out)
        self.assertEqual(list(report), ['error'])
        for text in texts:
            self.assertIn(text, report['error']['text'])
        self.assertEqual(os.listdir(self.folder), [])
        return report['error']
