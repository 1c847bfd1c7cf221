"""What the tests of `position probe` share."""
import json
import os
import sys
import unittest

ROOT = os.environ.get('SW_SOURCE_ROOT', os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..'))
for folder in ('harness', 'cli'):
    sys.path.insert(0, os.path.join(ROOT, 'tests', folder))

import jsonschema  # noqa: E402

import program  # noqa: E402

with open(os.path.join(ROOT, 'docs', 'probe.schema.json'), encoding='utf-8') as f:
    SCHEMA = json.load(f)


class Probing(unittest.TestCase):
    def probe(self, *arguments, status, env=None):
        """The report as JSON (or the error object), after its exit status was what is expected."""
        found, out, err = program.call('position', 'probe', *arguments, '--json', env=env)
        self.assertEqual((found, err), (status, ''), out)
        document = json.loads(out)
        if status not in (2, 4):
            jsonschema.validate(document, SCHEMA)
        return document

    def has(self, sentences, part):
        self.assertTrue(any(part in each for each in sentences), f'{part!r} is in none of {sentences}')

    def lacks(self, sentences, part):
        self.assertFalse(any(part in each for each in sentences), f'{part!r} is in one of {sentences}')

    def interval(self, report, index=0):
        each = report['intervals'][index]
        return each['from'], each['to'], each['possible']
