"""slackwater case: what the note of a handover says, in each of its forms."""
import hashlib
import html
import itertools
import json
import os
import re
import shutil
import sys
import unittest

try:
    import jsonschema
except ImportError:  # Debian: python3-jsonschema
    jsonschema = None

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case_folder import DECLARED, EXPECTED, NOW, SERVER, CaseFolder, changed, copy_of, emptied  # noqa: E402

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'docs', 'note.schema.json'), encoding='utf-8') as page:
    NOTE_SCHEMA = json.load(page)


def faults(note):
    return [f'{list(fault.absolute_path)}: {fault.message[:300]}' for fault in jsonschema.Draft202012Validator(NOTE_SCHEMA).iter_errors(note)]


WORDS = {'confirmed': r'reconciled with the supplied reference|reconciled at the agreed cut|reconciled, without a declared cut', 'history': r'every change of the examined interval is in evidence'}


class Notes(CaseFolder):
    def note(self, form='markdown', now=NOW):
        text = self.good('case', 'handover', 'incident', '--format', form, '--now', now)
        if form == 'json' and jsonschema:
            self.assertEqual([], faults(json.loads(text)))
        return text

    @unittest.skipUnless(jsonschema, 'python3-jsonschema is not installed')
    def test_the_json_form_keeps_to_its_schema_and_the_schema_can_refuse(self):
        self.good('case', 'init', 'incident')
        self.assertEqual([], faults(json.loads(self.good('case', 'handover', 'incident', '--format', 'json'))))  # nothing is recorded yet
        shutil.rmtree(os.path.join(self.folder, 'incident'))
        self.make()
        self.declare(changed(DECLARED, 'skipped-intervals: []', 'skipped-intervals:\n  - from: "b.1:4"\n    plan: "look"\n    owner: "Cy"\n    status: open'))
        self.good('position', 'gap', '--kind', 'mysql', '--saved', 'binlog.000042:1234' + SERVER, '--first', 'binlog.000044:4' + SERVER, '--case', 'incident', statuses=(1,))
        note, empty = json.loads(self.note('json')), []
        note['positions'].sort(key=lambda lane: not lane['gaps'])
        for path in (('positions', 0, 'points', 0), ('positions', 0, 'gaps', 0), ('differences', 'tables', 0), ('differences', 'files', 0), ('evidence', 0), ('resources', 0), ('skippedIntervals', 0),
                     ('rules', 'list', 0), ('boundaries', 0), ('verdicts', 'history'), ('ledger',), ('nextOwner',), ('affected',), ('restart',)):
            part = note
            for step in path:
                if step == 0 and not part:
                    part = None
                    break
                part = part[step]
            if part is None:
                empty.append(path[:-1])
                continue
            for name in list(part):
                if path == ('evidence', 0) and name in ('name', 'link'):
                    continue
                kept = part.pop(name)
                self.assertNotEqual([], faults(note), (path, name))
                part[name] = kept
                part[name] = {'Other 1': []}
                self.assertNotEqual([], faults(note), (path, name))
                part[name] = kept
            part['unheard-of'] = None
            self.assertNotEqual([], faults(note), path)
            del part['unheard-of']
        self.assertEqual([], empty)
        for name in list(note):
            kept = note.pop(name)
            self.assertNotEqual([], faults(note), name)
            note[name] = kept
        note['verdicts']['history']['verdict'] = 'certain'
        self.assertNotEqual([], faults(note))

    def test_the_name_of_the_note_tells_its_form(self):
        self.good('case', 'init', 'incident')
        for name, begins in (('note.html', '<!DOCTYPE html>'), ('note.HTM', '<!DOCTYPE html>'), ('note.json', '{'), ('note.md', '# '), ('note', '# ')):
            self.good('case', 'handover', 'incident', '-o', name)
            with open(os.path.join(self.folder, name), encoding='utf-8') as file:
                self.assertTrue(file.read().lower().startswith(begins.lower()), name)
        for name in ('note.pdf', 'note.DOCX'):
            length = len(self.ledger())
            status, _, err = self.call('case', 'handover', 'incident', '-o', name)
            self.assertEqual((2, False, length), (status, os.path.exists(os.path.join(self.folder, name)), len(self.ledger())))
            self.assertIn('a browser prints the page to PDF', err)
        self.good('case', 'handover', 'incident', '-o', 'note.pdf', '--format', 'markdown')
        self.good('case', 'handover', 'incident', '-o', 'again.html', '--format', 'markdown')
        with open(os.path.join(self.folder, 'again.html'), encoding='utf-8') as file:
            self.assertTrue(file.read().startswith('# '))

    def test_what_is_no_case_is_told_for_what_it_is(self):
        os.mkdir(os.path.join(self.folder, 'empty'))
        with open(os.path.join(self.folder, 'note.html'), 'w', encoding='utf-8') as file:
            file.write('x')
        for name, words in (('nowhere', 'there is no folder nowhere'), ('note.html', 'note.html is no folder'), ('empty', 'empty holds no case.yaml')):
            status, out, err = self.call('case', 'status', name)
            self.assertEqual((2, ''), (status, out))
            self.assertIn(words, err)

    def test_words_are_never_stronger_than_the_verdicts(self):
        self.make()
        whole = copy_of(self.case, os.path.join(self.folder, 'whole'))
        states = {'confirmed': 'state: running', 'refuted': 'state: stopped', 'unproven': 'state: ""'}
        for process, current, history, cut in itertools.product(states, states, states, (True, False)):
            shutil.rmtree(self.case)
            copy_of(whole, self.case)
            # the exception and the text of the case do not speak of completeness
            self.declare(changed(DECLARED, 'state: running', states[process]))

            def change(report):
                report['verdicts']['currentState']['verdict'] = current
                report['verdicts']['history']['verdict'] = history
                report['historyCompletenessProven'] = history == 'confirmed'
                if not cut:
                    report['cut'] = None
            self.change_report(6, change)
            with self.subTest(process=process, current=current, history=history, cut=cut):
                note, text = json.loads(self.note('json')), self.note()
                verdicts = {name: claim['verdict'] for name, claim in note['verdicts'].items()}
                self.assertEqual({'process': process, 'currentState': current, 'history': history}, verdicts)
                said = ' '.join([note['headline'], *note['confirmed']]).lower()
                self.assertEqual(current == 'confirmed', bool(re.search(WORDS['confirmed'], said)))
                self.assertEqual(current == 'confirmed' and cut, 'at the agreed cut' in said)
                self.assertEqual(history == 'confirmed', bool(re.search(WORDS['history'], said)))
                self.assertEqual(process == 'confirmed', 'a running process was observed' in said)
                self.assertEqual(sum(v == 'confirmed' for v in verdicts.values()), len(note['confirmed']))
                for word in ('recovered', 'verified', 'complete,', 'all good', 'resolved', 'guaranteed'):
                    self.assertNotIn(word, said)
                for name, claim in note['verdicts'].items():
                    in_section = claim['sentence'] in note['uncertain']
                    self.assertEqual(claim['verdict'] != 'confirmed', in_section, name)
                body = text.split('## Remaining uncertainty')[0].split('## Confirmed state')[1]
                self.assertEqual(sum(v == 'confirmed' for v in verdicts.values()), body.count('\n- '))

    def test_a_report_that_its_own_counts_contradict_confirms_nothing(self):
        self.make()
        whole = copy_of(self.case, os.path.join(self.folder, 'whole'))
        for name, value in (('different', 1), ('conflictKeys', 1), ('undecidedKeys', 1), ('badRecords', 1), ('equal', 2), ('keys', 0)):
            shutil.rmtree(self.case)
            copy_of(whole, self.case)
            self.change_report(6, lambda report: report['counts'].update({name: value}))
            self.assertEqual('unproven', json.loads(self.note('json'))['verdicts']['currentState']['verdict'], name)

    def test_what_lowers_a_verdict_is_said(self):
        self.make()
        self.assertEqual('confirmed', json.loads(self.note('json'))['verdicts']['currentState']['verdict'])
        late = json.loads(self.note('json', now='2031-02-04T00:00:00Z'))['verdicts']
        self.assertEqual(('unproven', True), (late['currentState']['verdict'], late['currentState']['expired']))
        self.assertEqual('unproven', late['process']['verdict'])
        self.declare(changed(DECLARED, 'objects: [positions]', 'objects: [positions, orders]'))
        self.assertIn('positions is affected, and no reconciliation', self.note())
        self.declare(DECLARED)
        self.change_report(11, lambda report: report.update(survivors=[{'name': 'x'}], exitStatus=1))
        note = json.loads(self.note('json'))
        self.assertEqual('unproven', note['verdicts']['currentState']['verdict'])
        self.assertIn('did not notice 1', ' '.join(note['verdicts']['currentState']['reasons']))

    def test_a_gap_or_an_open_interval_forbids_a_proven_history(self):
        self.make()

        def proven(report):
            report['verdicts']['history']['verdict'] = 'confirmed'
            report['historyCompletenessProven'] = True
        self.change_report(6, proven)
        self.assertEqual('confirmed', json.loads(self.note('json'))['verdicts']['history']['verdict'])
        self.declare(changed(DECLARED, 'rebuildable: "yes"', 'rebuildable: "no"'))
        self.assertEqual('unproven', json.loads(self.note('json'))['verdicts']['history']['verdict'])
        self.declare(changed(DECLARED, 'skipped-intervals: []', 'skipped-intervals:\n  - from: "b.1:4"\n    plan: "look"\n    owner: "Cy"\n    status: open'))
        self.assertEqual('unproven', json.loads(self.note('json'))['verdicts']['history']['verdict'])
        self.declare(changed(DECLARED, 'skipped-intervals: []', 'skipped-intervals:\n  - from: "b.1:4"\n    plan: "look"\n    owner: "Cy"\n    status: closed'))
        self.assertEqual('confirmed', json.loads(self.note('json'))['verdicts']['history']['verdict'])
        self.declare(DECLARED)
        self.change_report(5, lambda report: report.update(intervals=[{'from': 'binlog.000042:1234', 'to': None, 'proof': 'not seen'}]))
        self.assertEqual('unproven', json.loads(self.note('json'))['verdicts']['history']['verdict'])

    def test_a_screenshot_of_data_is_no_observation_of_a_process(self):
        self.make()
        self.declare(changed(DECLARED, 'state: running\n  evidence: [1]', 'state: running\n  evidence: [6]'))
        self.assertEqual('unproven', json.loads(self.note('json'))['verdicts']['process']['verdict'])

    def test_the_note_has_all_that_it_must_have(self):
        self.make()
        text = self.note()
        for part in ('Cy', 'cy\\@example.org', 'binlog.000042:1234', '4.2.1', 'snapshot of the job', 'operations between 04:05 and 04:40', 'Dee, head of operations', 'bucket incidents/17',
                     '2031-02-03T05:01:00Z', 'https://example.org/dashboard', 'evidence/0002-query.sql', 'slackwater case verify incident --head ', '## What this does not show', '2031-02-04T00:00:00Z'):
            self.assertIn(part, text)
        head = hashlib.sha256(self.read('incident/ledger.ndjson').splitlines()[-1].encode()).hexdigest()
        self.assertIn(head, text)
        self.assertIn(f'{len(self.ledger())} entries', text)

    def test_what_was_refuted_expires_too(self):
        self.make()
        self.change_report(6, lambda report: (report['verdicts']['currentState'].update(verdict='refuted'), report['verdicts']['history'].update(verdict='refuted')))
        self.assertEqual(['refuted', 'refuted'], [json.loads(self.note('json', now='2031-02-03T23:59:59Z'))['verdicts'][claim]['verdict'] for claim in ('currentState', 'history')])
        late = json.loads(self.note('json', now='2031-02-04T00:00:00Z'))['verdicts']
        self.assertEqual([('unproven', True)] * 2, [(late[claim]['verdict'], late[claim]['expired']) for claim in ('currentState', 'history')])
        self.assertIn('what was refuted expired at', ' '.join(late['currentState']['reasons']))

    def test_findings_in_no_file_are_counted(self):
        self.make()
        inputs = self.write_inputs(EXPECTED.replace('120', '80').replace('30', '70'))
        self.good('reconcile', *inputs, '--list', '1', '--report', 'report.json', statuses=(1,))
        self.good('case', 'add', 'incident', 'report.json')
        self.assertIn('\n1 finding is in no file of this case', self.note())
        self.assertEqual(1, json.loads(self.note('json'))['differences']['unlisted'])

    def test_a_note_without_a_next_owner_says_so_among_what_is_uncertain(self):
        self.make(declared=emptied(DECLARED, 'handover.next-owner'))
        self.assertIn('No next owner is named.', json.loads(self.note('json'))['uncertain'])
        self.declare(DECLARED)
        self.assertNotIn('No next owner is named.', json.loads(self.note('json'))['uncertain'])

    def test_an_exception_stands_with_its_end_in_every_form(self):
        self.make()
        for form in ('markdown', 'json', 'html'):
            self.assertIn('2031-02-05T00:00:00Z', self.note(form))

    def test_a_note_of_nothing_confirms_nothing(self):
        self.good('case', 'init', 'incident')
        text = self.note()
        self.assertIn('Nothing is confirmed.', text)
        self.assertIn('*No next owner is named.*', text)
        self.assertIn('No reconciliation is in evidence.', text)

    def test_hostile_values_stay_values(self):
        hostile = 'a`b`` | <script>alert(1)</script> [x](javascript:1) ![i](http://e.example/p) **b** \\n# h &lt; \u202eevil {{7*7}} $x$ http://e.example'
        self.make(declared=changed(changed(DECLARED, '"fund positions stopped"', json.dumps(hostile)), 'next-owner: "Cy"', 'next-owner: ' + json.dumps('# ' + hostile)))
        self.good('case', 'add', 'incident', 'query.sql', '--title', hostile + '\nsecond | line')
        text = self.note()
        title = text.split('\n')[0]
        for raw in ('<script', '[x](', '![i]', '**b**', '`b`', ' | <', '&lt;', '\u202e', '{{', '$x$', 'http://e.example'):
            self.assertNotIn(raw, title.replace('\\' + raw[0], ''), raw)
        self.assertNotIn('\u202e', text)
        self.assertNotRegex(text, r'(?<!\\)<script')
        self.assertNotRegex(text, r'(?m)^# a')
        table = [line for line in text.split('\n') if line.startswith('| 12 ')]
        self.assertEqual(1, len(table))
        self.assertEqual(9, len(re.findall(r'(?<!\\)\|', table[0])), table[0])
        json.loads(self.note('json'))

    def test_the_page_says_what_the_note_says(self):
        self.make(declared=changed(DECLARED, '"fund positions stopped"', json.dumps('<script>alert(1)</script>')))
        page, note = self.note('html'), json.loads(self.note('json'))
        self.assertTrue(page.startswith('<!DOCTYPE html>') and page.rstrip().endswith('</html>'))
        for part in (note['headline'], note['ledger']['head'], note['nextOwner']['name'], note['restart']['position'], *(claim['sentence'] for claim in note['verdicts'].values())):
            self.assertIn(html.escape(part, quote=False), page)
        self.assertNotIn('<script>alert', page)
        self.good('case', 'handover', 'incident', '-f', 'html', '-o', 'note.html', '--now', NOW)
        self.assertEqual(page, self.read('note.html'))

    def test_a_note_appears_whole_or_not_at_all(self):
        self.make()
        os.mkdir(os.path.join(self.folder, 'there'))
        self.assertEqual(2, self.call('case', 'handover', 'incident', '-o', 'there')[0])
        self.assertEqual(4, self.call('case', 'handover', 'incident', '-o', 'no/where.md')[0])
        self.good('case', 'handover', 'incident', '-o', 'note.md')
        self.assertTrue(self.read('note.md').startswith('# Handover: '))

    def test_handing_over_twice_records_the_declaration_once(self):
        self.make()
        self.note()
        count = len(self.ledger())
        self.note()
        self.assertEqual(count, len(self.ledger()))
        self.declare(emptied(DECLARED, 'incident'))
        self.assertIn('is not as entry', self.good('case', 'handover', 'incident', '--leave-as-is'))
        self.assertEqual(count, len(self.ledger()))
        self.note()
        self.assertEqual(count + 1, len(self.ledger()))


if __name__ == '__main__':
    unittest.main()
