"""slackwater case check: each rule with a case that passes and cases that do not."""
import json
import os
import re
import shutil
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case_folder import DECLARED, SERVER, CaseFolder, changed, emptied  # noqa: E402
from program import ROOT  # noqa: E402

FAILED, OPEN, PASSED = 'failed', 'not answered', 'passed'

# What is declared otherwise: (rule, what is replaced, by what, the answer then).
OTHERWISE = [
    (101, f'"binlog.000050:99{SERVER}"', '"2031-02-03T05:00:00Z"', FAILED),
    (101, f'"binlog.000050:99{SERVER}"', '"not a position"', FAILED),
    (101, 'evidence: [5]\n    observed-at: 2031-02-03T05:00:00Z', 'evidence: [99]\n    observed-at: 2031-02-03T05:00:00Z', FAILED),
    (102, 'evidence: [1]\n    observed-at: 2031-02-03T05:01:00Z', 'evidence: [99]\n    observed-at: 2031-02-03T05:01:00Z', FAILED),
    (103, 'evidence: [6]', 'evidence: [0]', FAILED),
    (104, 'observed-at: 2031-02-03T05:00:00Z', 'observed-at: 2032-02-03T05:00:00Z', FAILED),
    (104, f'position: "binlog.000050:99{SERVER}"', 'position: 2031-02-03T05:00:00Z', FAILED),
    (105, f'"binlog.000050:99{SERVER}"', '"binlog.000050:99@server=00000000-0000-0000-0000-000000000009"', FAILED),
    (105, 'system: "db-2"\n    kind: mysql', 'system: "db-2"\n    kind: postgres', FAILED),
    (107, 'failover-checked-on: "db-2"', 'failover-checked-on: "db-1"', FAILED),
    (107, 'failover: "yes"', 'failover: ""', OPEN),
    (203, 'owner: "Bo"', 'owner: " ana "', FAILED),
    (204, 'rebuildable: "yes"\nexceptions:\n  - what: "operations between 04:05 and 04:40"', 'rebuildable: "no"\nexceptions:\n  - what: ""', FAILED),
    (204, 'rebuildable: "yes"', 'rebuildable: ""', OPEN),
    (208, 'decided-by: "Bo"', 'decided-by: "Ana"', FAILED),
    (208, 'decision: refused', 'decision: ""', OPEN),
    (208, 'decided-at: 2031-02-03T11:30:00Z', 'decided-at: ""', FAILED),
    (210, 'holds: "yes"\n    checked-at: 2031-02-03T10:30:00Z', 'holds: "no"\n    checked-at: 2031-02-03T11:45:00Z', FAILED),
    (210, 'holds: "yes"\n    checked-at: 2031-02-03T10:30:00Z', 'holds: "no"\n    checked-at: 2031-02-03T11:00:00Z', FAILED),
    (210, 'holds: "yes"\n    checked-at: 2031-02-03T10:30:00Z', 'holds: "no"\n    checked-at: 2031-02-03T10:59:59Z', PASSED),
    (210, 'checked-at: 2031-02-03T10:30:00Z', 'checked-at: ""', OPEN),
    (301, f'restart:\n  position: "binlog.000042:1234{SERVER}"', 'restart:\n  position: "binlog.000042:1234@server=00000000-0000-0000-0000-000000000009"', FAILED),
    (303, f'restart:\n  position: "binlog.000042:1234{SERVER}"', f'restart:\n  position: "binlog.000045:4{SERVER}"', FAILED),
    (303, 'skipped-intervals: []', 'skipped-intervals:\n  - from: "binlog.000042:1234"\n    plan: ""\n    owner: "Cy"', FAILED),
    (305, 'retention-ends-at: 2031-02-09T00:00:00Z', 'retention-ends-at: 2031-02-03T11:59:59Z', FAILED),
    (308, 'destination: "dwh_rehearsal.positions"', 'destination: "DWH.positions"', FAILED),
    (404, 'resend-planned: "yes"', 'resend-planned: "no"', FAILED),
    (404, 'resend-planned: "yes"', 'resend-planned: ""', OPEN),
    (405, 'rows: 500000', 'rows: 1000', FAILED),
    (405, 'rows: 500000\n  largest-rows: 2000000', 'rows: 0\n  largest-rows: 0', FAILED),
    (405, 'rows: 500000\n  largest-rows: 2000000', 'rows: 1\n  largest-rows: 11', FAILED),
    (405, 'rows: 500000\n  largest-rows: 2000000', 'rows: 2\n  largest-rows: 11', PASSED),
    (405, 'rows: 500000\n  largest-rows: 2000000', 'rows: 1\n  largest-rows: 10', PASSED),
    (405, 'changes-during: "yes"', 'changes-during: "no"', FAILED),
    (501, 'policy: integer', 'policy: postgres', FAILED),
    (501, 'whose: ours', 'whose: vendor', FAILED),
    (601, 'control: isolated', 'control: none', FAILED),
    (602, 'control: isolated', 'control: none', FAILED),
    (602, 'control: isolated', 'control: idempotent', FAILED),
    (602, 'control: isolated', 'control: "hope"', FAILED),
    (602, 'destination: "dwh_rehearsal.positions"', 'destination: ""', FAILED),
    (603, 'control: isolated', 'control: "exactly-once sink"', FAILED),
    (604, 'region: "europe-west1"', 'region: ""', OPEN),
    (605, 'valid-until: 2031-02-06T00:00:00Z', 'valid-until: 2031-02-03T00:00:00Z', FAILED),
    (605, 'valid-until: 2031-02-06T00:00:00Z', 'valid-until: ""', OPEN),
    (610, 'preserved-evidence: [4]', 'preserved-evidence: [44]', FAILED),
    (702, 'read-at: 2031-02-03T09:15:00Z', 'read-at: 2031-02-03T09:14:59Z', FAILED),
    (702, 'read-at: 2031-02-03T09:15:00Z', 'read-at: ""', OPEN),
    (704, 'deletions: "B, deleted at 7: right"', 'deletions: ""', FAILED),
    (708, 'deletions-kept: 2d', 'deletions-kept: 23h', FAILED),
    (708, 'deletions-kept: 2d', 'deletions-kept: 24h', PASSED),
    (708, 'system: "dwh.positions"\n    kind: mysql', 'system: "dwh.positions"\n    kind: bigquery', PASSED),
    (709, 'objects: [positions]', 'objects: [positions, orders]', FAILED),
    (801, 'next-step: "look for', 'next-step: "all is recovered; look for', FAILED),
    (801, 'next-step: "look for', 'next-step: "the current state is recovered; look for', PASSED),
    (801, 'reason: "under investigation"', 'reason: "fully restored, says Bo"', FAILED),
    (804, 'state: running\n  evidence: [1]', 'state: running\n  evidence: [6]', FAILED),
    (804, 'state: running\n  evidence: [1]', 'state: running\n  evidence: []', OPEN),
]

# Fields that a rule needs: emptied, it is not answered.
EMPTIED = [
    (101, 'boundaries.source.position'), (101, 'boundaries.source.evidence'), (102, 'boundaries.pipeline.position'), (102, 'boundaries.pipeline.evidence'),
    (103, 'boundaries.destination.position'), (103, 'boundaries.destination.evidence'), (104, 'boundaries.destination.observed-at'), (105, 'boundaries.source.kind'),
    (107, 'source.failover-checked-on'), (201, 'criteria.current-state.text'), (201, 'criteria.current-state.owner'), (202, 'criteria.every-change.text'),
    (202, 'criteria.every-change.owner'), (206, 'handover.may-stop'), (207, 'handover.results-kept'), (210, 'assumptions'), (301, 'restart.position'),
    (302, 'restart.explanation'), (302, 'restart.explained-to'), (305, 'source.retention'), (306, 'affected.objects'), (307, 'source.writes-during-change'),
    (308, 'rehearsal.destination'), (401, 'backfill.status'), (401, 'backfill.used'), (402, 'backfill.ordering'), (404, 'backfill.restarted'),
    (405, 'rehearsal.object'), (406, 'rehearsal.throughput'), (407, 'rehearsal.source-impact'), (408, 'rehearsal.application-lag'), (409, 'rehearsal.stop-criteria'),
    (501, 'order.policy'), (501, 'order.whose'), (503, 'order.version-producer'), (504, 'order.comparison'), (505, 'order.disagreement'), (506, 'order.event-identity'),
    (601, 'snapshot.used'), (602, 'overlap.control'), (604, 'resources'), (606, 'snapshot.compatibility'), (607, 'seek.active-consumers'), (608, 'seek.repeated-work'),
    (609, 'seek.stale-acknowledgements'), (610, 'seek.preserved-evidence'), (611, 'seek.filter'), (702, 'destination.max-staleness'), (708, 'destination.deletions-kept'),
    (708, 'destination.oldest-replayable'), (709, 'affected.objects'), (710, 'destination.reference'), (804, 'process.state'), (805, 'handover.next-owner'),
    (805, 'handover.next-step'), (806, 'affected.from'), (806, 'affected.to'), (807, 'handover.pipeline-version'), (808, 'resources'), (812, 'handover.authorization'),
]


def setting(*path_and_value):
    *path, value = path_and_value

    def change(report):
        for name in path[:-1]:
            report = report[name]
        report[path[-1]] = value
    return change


def part(**otherwise):
    return {'part': True, 'sample': None, 'where': 'id = 1', 'declared': None, 'keysOutside': 9, 'keysOpen': 0, **otherwise}


def scoped(condition):
    return changed(DECLARED, 'objects: [positions]', f'objects: [positions]\n  scope: {json.dumps(condition)}')


# What a report says otherwise (entry 5 gap, 6 reconciliation, 11 challenge).
REPORTED = [
    (108, 5, setting('intervals', [{'from': 'binlog.000042:1234', 'to': 'binlog.000045:4', 'proof': 'discarded at the source'}]), DECLARED, FAILED),
    (303, 5, setting('intervals', [{'from': 'binlog.000042:1234', 'to': 'binlog.000045:4', 'proof': 'discarded at the source'}]), DECLARED, FAILED),
    (304, 5, setting('intervals', [{'from': 'binlog.000042:1234', 'to': 'binlog.000045:4'}]), emptied(DECLARED, 'restart.earlier-considered'), FAILED),
    (205, 6, setting('title', ''), emptied(changed(DECLARED, 'decision: refused', 'decision: accepted'), 'exceptions'), FAILED),
    (403, 6, setting('order', 'policy', 'file'), DECLARED, FAILED),
    (502, 6, setting('order', 'assumed', True), emptied(DECLARED, 'order.policy'), FAILED),
    (506, 6, setting('counts', 'reusedIdentities', 1), DECLARED, FAILED),
    (507, 6, setting('counts', 'unordered', 2), DECLARED, FAILED),
    (701, 6, setting('cut', None), DECLARED, FAILED),
    (701, 6, setting('cut', None), changed(DECLARED, 'quiescent: ""', 'quiescent: "the desk was closed"'), PASSED),
    (703, 6, setting('counts', 'keys', 0), DECLARED, FAILED),
    (704, 6, setting('counts', 'tombstones', 0), emptied(DECLARED, 'review.deletions'), OPEN),
    (705, 6, setting('counts', 'conflictKeys', 1), emptied(DECLARED, 'review.conflicts'), FAILED),
    (706, 6, setting('counts', 'unexpectedState', 1), emptied(DECLARED, 'review.unexpected-keys'), FAILED),
    (706, 6, setting('counts', 'missingState', 1), emptied(DECLARED, 'review.unexpected-keys'), FAILED),
    (707, 11, setting('survivors', [{'name': 'swapped-values'}]), DECLARED, FAILED),
    (707, 11, setting('exitStatus', 1), DECLARED, FAILED),
    (707, 11, setting('exitStatus', 3), DECLARED, OPEN),
    (711, 6, setting('counts', 'badRecords', 1), DECLARED, FAILED),
    (711, 6, setting('counts', 'undecidedKeys', 1), DECLARED, FAILED),
    (712, 6, setting('scope', part()), DECLARED, FAILED),
    (712, 6, setting('scope', part(sample='1/1000')), DECLARED, FAILED),
    (712, 6, setting('scope', part(declared="region = 'EU'")), DECLARED, FAILED),
    (712, 6, setting('scope', part(part=False, declared=None)), DECLARED, FAILED),
    (712, 6, setting('scope', part(part=False, declared='id = 1', sample='1/2')), scoped('id = 1'), FAILED),
    (712, 6, setting('scope', part(part=False, declared='id = 1')), DECLARED, OPEN),
    (712, 6, setting('scope', part(part=False, declared='id = 1')), scoped('id = 2'), FAILED),
    (712, 6, setting('scope', part(part=False, declared='id = 1')), scoped('id = 1'), PASSED),
    (803, 6, setting('limits', []), DECLARED, FAILED),
    (811, 6, lambda report: report['inputs'][0].update(sha256=None), DECLARED, FAILED),
]


class Rules(CaseFolder):
    def test_every_rule_passes_in_a_case_that_answers_all_of_them(self):
        self.make()
        open_rules = {n: a for n, a in self.answers().items() if a[0] != PASSED}
        self.assertEqual({}, open_rules)
        self.assertEqual(0, self.call('case', 'check', 'incident', '--now', '2031-02-03T12:00:00Z')[0])

    def test_a_new_case_is_asked_for_its_boundaries_first_and_the_rest_is_counted(self):
        self.good('case', 'init', 'new')
        status, text, _ = self.call('case', 'check', 'new', '--open')
        listed = [int(n) for n in re.findall(r'^  (\d+)  not answered', text, re.M)]
        self.assertEqual((3, [101, 102, 103, 104, 305, 107, 108, 306, 806, 307]), (status, listed))
        status, all_of_them, _ = self.call('case', 'check', 'new', '--open', '--all')
        every = [int(n) for n in re.findall(r'^  (\d+)  not answered', all_of_them, re.M)]
        self.assertEqual((3, sorted(every)), (status, every))
        self.assertLess(set(listed), set(every))
        self.assertIn(f'\n{len(every) - len(listed)} more are not answered; --open --all lists every one\n', text)
        self.assertNotIn('  passed ', text + all_of_them)

    def test_every_rule_has_a_case_in_which_it_does_not_pass(self):
        rules = {rule['number'] for rule in json.loads(self.fresh())['rules']}
        tested = {row[0] for row in OTHERWISE if row[3] != PASSED} | {row[0] for row in EMPTIED} | {row[0] for row in REPORTED} | {106, 209, 401, 605, 802, 809, 810}
        self.assertEqual(set(), rules - tested)
        self.assertEqual(set(), tested - rules)

    def test_the_document_lists_the_rules_as_they_are(self):
        with open(os.path.join(ROOT, 'docs', 'handover.md'), encoding='utf-8') as f:
            text = f.read()
        rows = re.findall(r'^\| (\d{3}) \| (.*) \| (.*) \|$', text, re.M)
        self.assertEqual([(str(rule['number']), rule['rule'], rule['reads']) for rule in json.loads(self.fresh())['rules']], rows)

    def fresh(self):
        self.good('case', 'init', 'incident')
        return self.call('case', 'check', 'incident', '--json')[1]

    def test_declarations_decide(self):
        self.make()
        for number, old, new, answer in OTHERWISE:
            with self.subTest(rule=number, by=new):
                self.declare(changed(DECLARED, old, new))
                self.assertEqual(answer, self.answers()[number][0], self.answers()[number])

    def test_what_is_empty_is_not_answered(self):
        self.make()
        for number, path in EMPTIED:
            with self.subTest(rule=number, path=path):
                self.declare(emptied(DECLARED, path))
                answer = self.answers()[number]
                self.assertEqual(OPEN, answer[0], answer)
                self.assertIn(path, answer[1])

    def test_reports_decide(self):
        for number, entry, change, declared, answer in REPORTED:
            with self.subTest(rule=number):
                self.setUp()
                self.make(declared=declared)
                self.change_report(entry, change)
                self.assertEqual(answer, self.answers()[number][0], self.answers()[number])

    def test_a_comparison_across_spaces_fails_until_it_is_replaced(self):
        self.make()
        self.good('position', 'compare', '-k', 'mysql', 'b.000001:4@server=3a1f0000-0000-0000-0000-000000000001', 'b.000001:4@server=3a1f0000-0000-0000-0000-000000000002',
                  '--case', 'incident', statuses=(3,))
        self.assertEqual(FAILED, self.answers()[106][0])
        self.write('again.txt', 'it was the wrong server')
        self.good('case', 'add', 'incident', 'again.txt', '--supersedes', str(len(self.ledger())))
        self.assertEqual(PASSED, self.answers()[106][0])

    def test_a_decision_is_no_evidence(self):
        self.make()
        self.write('mail.txt', 'Ana: fine for me')
        self.good('case', 'add', 'incident', 'mail.txt', '--kind', 'decision')
        number = len(self.ledger())
        self.declare(changed(DECLARED, 'overlap:\n  control: isolated\n  evidence: []', f'overlap:\n  control: isolated\n  evidence: [{number}]'))
        self.assertEqual(FAILED, self.answers()[209][0])

    def test_without_a_reconciliation_nothing_is_answered_by_silence(self):
        self.make()
        self.drop_entries(6, 11)
        answers = self.answers()
        self.assertEqual(FAILED, answers[401][0]) # the backfill is completed, and that is all
        for number in (403, 501, 502, 506, 507, 701, 704, 705, 706, 709, 711, 712, 803, 811):
            self.assertEqual(OPEN, answers[number][0], number)
        self.assertEqual(FAILED, answers[703][0]) # accepted all the same

    def test_a_part_confirms_nothing_and_a_declared_scope_only_what_is_named(self):
        for scope, declared, verdict, said in (
                (None, DECLARED, 'confirmed', 'The current state is reconciled with the supplied reference, key by key, at the agreed cut.'),
                (part(), DECLARED, 'unproven', 'Whether the destination holds the current state is unproven.'),
                (part(part=False, declared='id = 1'), DECLARED, 'unproven', 'Whether the destination holds the current state is unproven.'),
                (part(part=False, declared='id = 1'), scoped('id = 1'), 'confirmed', 'Within the declared scope, the current state is reconciled with the supplied reference, key by key, at the agreed cut; nothing is said of keys outside.')):
            with self.subTest(scope=scope):
                shutil.rmtree(os.path.join(self.folder, 'incident'), ignore_errors=True)
                self.make()
                if scope:
                    self.change_report(6, setting('scope', scope))
                self.declare(declared)
                note = json.loads(self.call('case', 'handover', 'incident', '--format', 'json', '--now', '2031-02-03T12:00:00Z')[1])
                self.assertEqual((verdict, said), (note['verdicts']['currentState']['verdict'], note['verdicts']['currentState']['sentence']))

    def test_a_part_takes_the_place_of_no_earlier_whole(self):
        self.make()
        self.change_report(6, setting('verdicts', 'currentState', 'verdict', 'refuted'))
        name = next(e['name'] for e in self.ledger() if e['kind'] == 'reconcile')
        report = json.loads(self.read(os.path.join('incident', name)))
        self.write('part.json', json.dumps({**report, 'scope': part()}))
        self.good('case', 'add', 'incident', 'part.json')
        self.assertEqual('refuted', json.loads(self.call('case', 'handover', 'incident', '--format', 'json', '--now', '2031-02-03T12:00:00Z')[1])['verdicts']['currentState']['verdict'])
        report['verdicts']['currentState']['verdict'] = 'confirmed'
        self.write('whole.json', json.dumps(report))
        self.good('case', 'add', 'incident', 'whole.json')
        self.assertEqual('confirmed', json.loads(self.call('case', 'handover', 'incident', '--format', 'json', '--now', '2031-02-03T12:00:00Z')[1])['verdicts']['currentState']['verdict'])

    def test_a_snapshot_that_cannot_be_restored_fails(self):
        self.make()
        self.write('snapshot.json', json.dumps({'id': 's', 'creationTime': '2031-02-01T00:00:00Z', 'ttl': '3600s', 'state': 'READY', 'region': 'r', 'pubsubMetadata': []}))
        self.good('position', 'snapshot', 'snapshot.json', '--at', '2031-02-03T00:00:00Z', '--case', 'incident', statuses=(1, 3))
        self.assertNotEqual(PASSED, self.answers()[605][0])

    def test_a_verdict_without_its_time_fails(self):
        self.make()
        self.change_report(6, lambda report: report['verdicts']['currentState'].update(reachedAt=None))
        self.assertEqual(FAILED, self.answers()[802][0])

    def test_a_status_names_the_first_open_rule_and_what_answers_it(self):
        def obstacles(case='incident'):
            text = self.good('case', 'status', case, '--now', '2031-02-03T12:00:00Z')
            found = re.search(r'^answer first   (\d+)  .+\n {15}(\S.*)\nanswer with    (.+)\n', text, re.M)
            failed = re.search(r'^failed         (\d+)  .+\n {15}\S', text, re.M)
            return (int(failed[1]) if failed else None, *(found.groups() if found else (None, None, None)))

        self.good('case', 'init', "a 'new' one")
        self.assertEqual((None, '101', 'case.yaml: boundaries.source.position is empty', "fill it in: ${EDITOR:-vi} 'a '\\''new'\\'' one'/case.yaml"), obstacles("a 'new' one"))
        self.make()
        self.assertEqual((None, None, None, None), obstacles())
        self.declare(changed(DECLARED, 'evidence: [5]\n    observed-at: 2031-02-03T05:00:00Z', 'evidence: []\n    observed-at: 2031-02-03T05:00:00Z'))
        self.assertEqual((None, '101', 'case.yaml: boundaries.source.evidence is empty', 'slackwater case add incident FILE, then the number that it prints into case.yaml'), obstacles())
        # a rule that failed is told, and does not hide the first that is open
        self.declare(emptied(changed(DECLARED, 'decided-by: "Bo"', 'decided-by: "Ana"'), 'handover.next-step'))
        self.assertEqual((208, '805', 'case.yaml: handover.next-step is empty', 'fill it in: ${EDITOR:-vi} incident/case.yaml'), obstacles())
        # what is in evidence is not asked for again: the declaration can answer
        self.change_report(6, setting('counts', 'tombstones', 0))
        self.declare(emptied(DECLARED, 'review.deletions'))
        self.assertEqual(('704', 'fill it in: ${EDITOR:-vi} incident/case.yaml'), obstacles()[1::2])

    def test_results_without_link_query_or_command_are_not_answered(self):
        self.make()
        self.drop_entries(2, 3)
        self.assertEqual(OPEN, self.answers()[809][0])
        report = json.loads(self.read(os.path.join('incident', next(e['name'] for e in self.ledger() if e['kind'] == 'reconcile'))))
        self.write('report.json', json.dumps(report))
        self.good('case', 'add', 'incident', 'report.json')
        self.assertEqual(OPEN, self.answers()[810][0])
        self.good('case', 'init', 'new')
        self.assertIn('  810  not answered  ', self.call('case', 'check', 'new', '--open', '--all')[1])

    def test_what_is_not_used_does_not_apply(self):
        self.make()
        for part, numbers in (('backfill', (401, 402, 404)), ('snapshot', (601, 604, 605, 606)), ('seek', (607, 608, 609, 610, 611))):
            self.declare(changed(DECLARED, f'{part}:\n  used: "yes"', f'{part}:\n  used: "no"'))
            answers = self.answers()
            for number in numbers:
                self.assertEqual(PASSED, answers[number][0])
                self.assertIn('does not apply', answers[number][1])

    def test_words_for_nothing_known_are_nothing(self):
        self.make()
        for word in ('?', 'TBD', 'todo', 'Unknown', '-', '""'):
            self.declare(changed(DECLARED, 'next-owner: "Cy"', f'next-owner: {json.dumps(word) if word != chr(34) * 2 else word}'))
            self.assertEqual(OPEN, self.answers()[805][0], word)

    def test_a_value_of_the_wrong_form_is_refused_with_its_place(self):
        self.make()
        for old, new, message in (('started-at: 2031-02-03T04:05:06Z', 'started-at: yesterday', 'started-at: expected a time with a zone'),
                                  ('next-owner: "Cy"', 'next-ovner: "Cy"', "unknown member 'next-ovner'; did you mean 'next-owner'?"),
                                  ('max-staleness: 15m', 'max-staleness: often', 'expected a length of time'),
                                  ('failover: "yes"', 'failover: maybe', 'expected yes or no'),
                                  ('objects: [positions]', 'objects: positions', 'expected a list'),
                                  ('title: "fund positions stopped"', 'title: [a]', 'expected a text')):
            self.declare(changed(DECLARED, old, new))
            status, _, err = self.call('case', 'check', 'incident')
            self.assertEqual(2, status)
            self.assertIn(message, err)
            self.assertRegex(err, r'case\.yaml:\d+:\d+')

    def test_a_status_is_printed_whatever_it_is(self):
        self.make()
        self.assertIn('Current state reconciled at the agreed cut', self.good('case', 'status', 'incident', '--now', '2031-02-03T12:00:00Z'))


if __name__ == '__main__':
    unittest.main()
