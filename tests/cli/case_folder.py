"""A case in which every rule is answered and passes, and ways to change one thing in it."""
import hashlib
import json
import os
import re
import shutil
import tempfile
import unittest

from program import call

NOW = '2031-02-03T12:00:00Z'
SERVER = '@server=3a1f0000-0000-0000-0000-000000000001'

BASELINE = ('{"key":"A","version":4,"deleted":false,"value":100}\n'
            '{"key":"B","version":7,"deleted":true,"value":null}\n')
EVENTS = ('{"id":"e1","key":"A","version":6,"op":"upsert","value":120}\n'
          '{"id":"e2","key":"A","version":5,"op":"upsert","value":110}\n'
          '{"id":"e3","key":"B","version":6,"op":"upsert","value":55}\n'
          '{"id":"e4","key":"C","version":1,"op":"upsert","value":30}\n'
          '{"id":"e1","key":"A","version":6,"op":"upsert","value":120}\n')
EXPECTED = ('{"key":"A","version":6,"deleted":false,"value":120}\n'
            '{"key":"B","version":7,"deleted":true,"value":null}\n'
            '{"key":"C","version":1,"deleted":false,"value":30}\n')

# Entries: 1 observation, 2 query, 3 link, 4 saved counters, 5 gap, 6 report, 7 its findings, 8 to 10 its inputs, 11 challenge.
DECLARED = f'''
title: "fund positions stopped"
incident: "INC-17"
started-at: 2031-02-03T04:05:06Z
boundaries:
  source:
    system: "db-2"
    kind: mysql
    position: "binlog.000050:99{SERVER}"
    evidence: [5]
    observed-at: 2031-02-03T05:00:00Z
  pipeline:
    system: "stream positions"
    kind: mysql
    position: "binlog.000042:1234{SERVER}"
    evidence: [1]
    observed-at: 2031-02-03T05:01:00Z
  destination:
    system: "dwh.positions"
    kind: mysql
    position: "binlog.000042:1200{SERVER}"
    evidence: [6]
    observed-at: 2031-02-03T05:02:00Z
affected:
  from: "binlog.000042:1234"
  to: "binlog.000050:99"
  objects: [positions]
criteria:
  current-state:
    text: "balances of today are right for the desk"
    owner: "Ana"
    expires-at: 2031-02-04T00:00:00Z
    decision: accepted
    decided-by: "Ana"
    decided-at: 2031-02-03T11:00:00Z
  every-change:
    text: "each intraday operation of 3 February is there"
    owner: "Bo"
    expires-at: 2031-02-04T00:00:00Z
    decision: refused
    decided-by: "Bo"
    decided-at: 2031-02-03T11:30:00Z
handover:
  next-owner: "Cy"
  contact: "cy@example.org"
  next-step: "look for the operations of 04:05 to 04:40"
  may-stop: "Dee, head of operations"
  results-kept: "bucket incidents/17"
  pipeline-version: "4.2.1"
  authorization: "change board, CHG-9"
process:
  state: running
  evidence: [1]
  observed-at: 2031-02-03T10:00:00Z
  expires-at: 2031-02-03T22:00:00Z
history:
  rebuildable: "yes"
exceptions:
  - what: "operations between 04:05 and 04:40"
    reason: "under investigation"
    approved-by: "Bo"
    until: 2031-02-05T00:00:00Z
skipped-intervals: []
restart:
  position: "binlog.000042:1234{SERVER}"
  explanation: "where the stream had saved; nothing is passed over"
  explained-to: "Eve, who validates"
  earlier-considered: "the saved position is the earliest that is needed"
source:
  retention: "7 days of binlogs"
  retention-ends-at: 2031-02-09T00:00:00Z
  writes-during-change: "the desk goes on writing"
  failover: "yes"
  failover-checked-on: "db-2"
  failover-evidence: [5]
rehearsal:
  destination: "dwh_rehearsal.positions"
  object: "positions"
  rows: 500000
  largest-rows: 2000000
  changes-during: "yes"
  throughput: "12,000 rows/s"
  source-impact: "5 % CPU"
  application-lag: "40 s"
  stop-criteria: "half the workers above 60 % CPU, none above 80 %"
backfill:
  used: "yes"
  status: completed
  ordering: "change events win over backfilled rows of the same key"
  restarted: "yes"
  resend-planned: "yes"
order:
  policy: integer
  whose: ours
  version-producer: "the booking service"
  comparison: "as integers"
  disagreement: "the key is blocked and looked at"
  event-identity: "the booking's id"
overlap:
  control: isolated
  evidence: []
snapshot:
  used: "yes"
  compatibility: "4.2.1 read it in the rehearsal"
seek:
  used: "yes"
  filter: "none"
  active-consumers: "the archive"
  repeated-work: "by the booking's id"
  stale-acknowledgements: "the epoch in the acknowledgement"
  preserved-evidence: [4]
destination:
  reference: "export of dwh.positions by Ana"
  quiescent: ""
  max-staleness: 15m
  cut-at: 2031-02-03T09:00:00Z
  read-at: 2031-02-03T09:15:00Z
  deletions-kept: 2d
  oldest-replayable: 1d
review:
  deletions: "B, deleted at 7: right"
  conflicts: "none found, Ana"
  unexpected-keys: "none found, Ana"
  cancelling-values: "compared by key, Ana"
resources:
  - name: "snapshot of the job"
    what: "state, not the destination"
    valid-until: 2031-02-06T00:00:00Z
    region: "europe-west1"
    version: "4.x"
assumptions:
  - what: "the log is kept until Sunday"
    holds: "yes"
    checked-at: 2031-02-03T10:30:00Z
'''


class CaseFolder(unittest.TestCase):
    """`self.folder` is a place of the test's own; `self.case` the case in it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.case = os.path.join(self.folder, 'incident')

    def call(self, *arguments, **options):
        return call(*arguments, cwd=self.folder, **options)

    def good(self, *arguments, statuses=(0,)):
        status, out, err = self.call(*arguments)
        self.assertIn(status, statuses, (arguments, out, err))
        return out

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, 'w', encoding='utf-8', newline='') as f:
            f.write(text)
        return path

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding='utf-8') as f:
            return f.read()

    def declare(self, text):
        self.write('incident/case.yaml', text)

    def write_inputs(self, expected=EXPECTED):
        self.write('base.ndjson', BASELINE)
        self.write('events.ndjson', EVENTS)
        self.write('expected.ndjson', expected)
        return ['-b', 'base.ndjson', '-e', 'events.ndjson', '-x', 'expected.ndjson', '--order', 'integer', '--cut', '7']

    def make(self, copy=True, declared=DECLARED):
        """The case in which every rule passes."""
        self.good('case', 'init', 'incident')
        self.write('stream.json', '{"state":"RUNNING"}\n')
        self.write('query.sql', 'SELECT * FROM positions\n')
        self.write('attempts.txt', 'delivery attempts 3\n')
        self.good('case', 'add', 'incident', 'stream.json', '--kind', 'observation', '--at', '2031-02-03T10:00:00Z')
        self.good('case', 'add', 'incident', 'query.sql', '--kind', 'query')
        self.good('case', 'add', 'incident', '--link', 'https://example.org/dashboard')
        self.good('case', 'add', 'incident', 'attempts.txt')
        self.good('position', 'gap', '-k', 'mysql', '--saved', 'binlog.000042:1234' + SERVER, '--first', 'binlog.000040:4' + SERVER,
                  '--last', 'binlog.000050:99' + SERVER, '--case', 'incident')
        inputs = self.write_inputs()
        self.good('reconcile', *inputs, '--case', 'incident', *(['--copy-inputs'] if copy else []))
        self.good('challenge', *inputs, '--case', 'incident')
        self.declare(declared)

    def ledger(self):
        return [json.loads(line) for line in self.read('incident/ledger.ndjson').splitlines()]

    def answers(self, now=NOW):
        """{number: (answer, detail)}"""
        status, out, err = self.call('case', 'check', 'incident', '--json', '--now', now)
        self.assertIn(status, (0, 1, 3), (out, err))
        report = json.loads(out)
        self.assertEqual(status, 1 if report['failed'] else 3 if report['notAnswered'] else 0)
        return {rule['number']: (rule['answer'], rule['detail']) for rule in report['rules']}

    def seal(self, entries):
        """Writes a ledger anew, as somebody would who knows how: numbers and chain fit."""
        previous, lines = '0' * 64, []
        for number, entry in enumerate(entries, 1):
            entry = {**entry, 'number': number, 'previous': previous}
            line = json.dumps(entry, ensure_ascii=False, separators=(',', ':'))
            previous = hashlib.sha256(line.encode()).hexdigest()
            lines.append(line + '\n')
        self.write('incident/ledger.ndjson', ''.join(lines))

    def change_report(self, number, change):
        """Changes the JSON of an entry and the ledger with it."""
        entries = self.ledger()
        path = os.path.join('incident', entries[number - 1]['name'])
        report = json.loads(self.read(path))
        change(report)
        text = json.dumps(report)
        self.write(path, text)
        entries[number - 1].update(sha256=hashlib.sha256(text.encode()).hexdigest(), bytes=len(text.encode()))
        self.seal(entries)

    def drop_entries(self, *numbers):
        """Takes entries out of the ledger; those that belong to others go with them. Numbers of the others move."""
        entries = [e for e in self.ledger() if e['number'] not in numbers and e.get('of') not in numbers]
        self.seal(entries)


def changed(text, old, new):
    assert text.count(old) == 1, (text.count(old), old)
    return text.replace(old, new)


def emptied(text, path):
    """The declaration with one scalar or list emptied."""
    lines, names = text.splitlines(), path.split('.')
    depth, at = 0, 0
    for i, line in enumerate(lines):
        match = re.match(r'( *)([a-z-]+):', line)
        if match and len(match[1]) == 2 * depth and match[2] == names[depth]:
            if depth == len(names) - 1:
                at = i
                break
            depth += 1
    assert at, path
    indent = len(lines[at]) - len(lines[at].lstrip())
    end = at + 1
    while end < len(lines) and (lines[end].startswith(' ' * (indent + 2)) or not lines[end].strip()):
        end += 1
    return '\n'.join(lines[:at] + [lines[at].split(':')[0] + ': ""'] + lines[end:]) + '\n'


def copy_of(case, to):
    shutil.copytree(case, to)
    return to
