"""slackwater case: the folder, its ledger, and what verify notices."""
import contextlib
import hashlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from case_folder import EXPECTED, NOW, CaseFolder, copy_of  # noqa: E402
from program import ENVIRONMENT, PROGRAM  # noqa: E402


class Verify(CaseFolder):
    def verify(self, *arguments, case=None):
        status, out, err = self.call('case', 'verify', case or 'incident', '--json', *arguments)
        self.assertIn(status, (0, 1, 3), (out, err))
        report = json.loads(out)
        self.assertEqual(status, report['exitStatus'])
        return status, report

    def hand_over(self):
        """(head, length) as the note prints them"""
        note = json.loads(self.good('case', 'handover', 'incident', '--format', 'json', '--now', NOW))
        return note['ledger']['head'], str(note['ledger']['length'])

    def assert_named(self, name, *arguments):
        status, report = self.verify(*arguments)
        self.assertEqual(1, status, report)
        self.assertTrue(any(name in problem for problem in report['problems']), (name, report['problems']))
        self.assertEqual([], report['repeated'])
        self.assertEqual('Nothing is claimed.', report['claim'])

    def test_a_case_that_nobody_touched_is_intact_and_repeated(self):
        self.make()
        head, length = self.hand_over()
        status, report = self.verify('--head', head, '--length', length)
        self.assertEqual((0, [], []), (status, report['problems'], report['open']))
        self.assertIn('entry 6: the same result', report['repeated'][0])
        self.assertIn('up to the head', report['claim'])
        self.assertIn('cannot be told whether entries were cut', self.verify()[1]['claim'])

    def test_a_changed_byte_is_named_wherever_it_is(self):
        self.make()
        self.hand_over()
        whole = copy_of(self.case, os.path.join(self.folder, 'whole'))
        random.seed(17)
        names = ['ledger.ndjson', 'case.yaml'] + ['evidence/' + n for n in sorted(os.listdir(os.path.join(whole, 'evidence')))]
        for name in names:
            with open(os.path.join(whole, name), 'rb') as f:
                text = f.read()
            if not text: # no finding, no byte
                continue
            # digits, letters, quotes and brackets, line feeds, and what random.sample finds
            places = {re.search(pattern, text).start() for pattern in (rb'\d', rb'[a-z]', rb'["{}\[\]:]', rb'\n') if re.search(pattern, text)}
            for place in sorted(places | set(random.sample(range(len(text)), min(12, len(text)))) | {0, len(text) - 1}):
                for other in {text[place] ^ 1, ord('x') if text[place] != ord('x') else ord('y')}:
                    with open(os.path.join(self.case, name), 'wb') as f:
                        f.write(text[:place] + bytes([other]) + text[place + 1:])
                    with self.subTest(name=name, place=place, byte=other):
                        self.assert_named(name)
            shutil.copyfile(os.path.join(whole, name), os.path.join(self.case, name))
        self.assertEqual(0, self.verify()[0])

    def test_a_piece_that_is_cut_or_longer_is_named(self):
        self.make()
        self.hand_over()
        for entry in self.ledger():
            if entry['kind'] == 'link':
                continue
            path = os.path.join(self.case, entry['name'])
            with open(path, 'rb') as f:
                text = f.read()
            for other in {text[:-1], text + b'\n', b''} - {text}:
                with open(path, 'wb') as f:
                    f.write(other)
                self.assert_named(entry['name'])
            os.unlink(path)
            self.assert_named(entry['name'] + f" (entry {entry['number']}): is missing")
            os.mkdir(path)
            self.assert_named(entry['name'])
            os.rmdir(path)
            with open(path, 'wb') as f:
                f.write(text)
        self.assertEqual(0, self.verify()[0])

    def test_lines_that_are_gone_swapped_or_repeated_are_named(self):
        self.make()
        head, length = self.hand_over()
        lines = self.read('incident/ledger.ndjson').splitlines(keepends=True)
        for i in range(len(lines) - 1):
            self.write('incident/ledger.ndjson', ''.join(lines[:i] + lines[i + 1:]))
            self.assert_named(f'ledger.ndjson line {i + 1}')
            self.write('incident/ledger.ndjson', ''.join(lines[:i] + [lines[i + 1], lines[i]] + lines[i + 2:]))
            self.assert_named(f'ledger.ndjson line {i + 1}')
            self.write('incident/ledger.ndjson', ''.join(lines[:i + 1] + lines[i:]))
            self.assert_named(f'ledger.ndjson line {i + 2}')
        self.write('incident/ledger.ndjson', ''.join(lines)[:-1])
        self.assert_named('its end was cut off')

    def test_a_cut_end_shows_only_to_who_knows_the_head(self):
        self.make()
        head, length = self.hand_over()
        lines = self.read('incident/ledger.ndjson').splitlines(keepends=True)
        last = json.loads(lines[-1])
        os.unlink(os.path.join(self.case, last['name']))
        self.write('incident/ledger.ndjson', ''.join(lines[:-1]))
        status, report = self.verify()
        self.assertEqual((3, []), (status, report['problems'])) # case.yaml is not in the ledger any more
        self.assertIn('cannot be told', report['claim'])
        self.assert_named('the head that was given', '--head', head)
        self.assert_named(f'expected {length}', '--length', length)

    def test_a_head_that_was_not_copied_whole_is_no_sign_of_tampering(self):
        self.make()
        head, length = self.hand_over()
        for given in (head[:16], head[:-1], head + '0', head[:-1] + 'g', '5b2c…', ''):
            status, out, err = self.call('case', 'verify', 'incident', '--head', given)
            self.assertEqual((2, ''), (status, out), given)
            self.assertIn('expected the 64 hexadecimal digits', err)
        self.assertEqual(0, self.verify('--head', head.upper(), '--length', length)[0])

    def test_a_ledger_written_anew_shows_only_to_who_knows_the_head(self):
        self.make()
        head, length = self.hand_over()
        entries = self.ledger()
        entries[0]['title'] = 'another story'
        self.seal(entries)
        self.assertEqual(0, self.verify()[0])
        self.assert_named('written anew', '--head', head, '--length', length)

    def test_a_ledger_that_grew_still_has_the_old_head(self):
        self.make()
        head, length = self.hand_over()
        self.good('case', 'add', 'incident', '--link', 'https://example.org/more')
        status, report = self.verify('--head', head, '--length', length)
        self.assertEqual(0, status)
        self.assertIn('1 entry was added after the head', report['notes'][0])
        self.assert_named('is that of entry', '--head', head, '--length', '3')

    def test_a_forged_report_does_not_come_out_again(self):
        self.make()
        self.change_report(6, lambda report: report['counts'].update(equal=2, different=1))
        self.hand_over()
        status, report = self.verify()
        self.assertEqual(1, status)
        self.assertIn('entry 6 (reconcile): another result', report['problems'][0])

    def test_a_copy_on_another_path_gives_the_same_digests(self):
        self.make()
        self.hand_over()
        here = self.verify()[1]['repeated']
        os.makedirs(os.path.join(self.folder, 'far', 'away'))
        there = os.path.join(self.folder, 'far', 'away', 'other name')
        shutil.move(copy_of(self.case, there), there + ' moved')
        shutil.rmtree(self.case)
        for name in ('base.ndjson', 'events.ndjson', 'expected.ndjson'):
            os.unlink(os.path.join(self.folder, name))
        status, report = self.verify(case=there + ' moved')
        self.assertEqual((0, here), (status, report['repeated']))

    def test_without_copies_inputs_are_found_by_digest_or_named(self):
        self.make(copy=False)
        self.hand_over()
        self.assertEqual(0, self.verify()[0]) # they still stand where they were
        elsewhere = os.path.join(self.folder, 'elsewhere')
        os.mkdir(elsewhere)
        for name in ('base.ndjson', 'events.ndjson', 'expected.ndjson'):
            shutil.move(os.path.join(self.folder, name), os.path.join(elsewhere, 'restored-' + name))
        status, report = self.verify()
        self.assertEqual((3, []), (status, report['problems']))
        self.assertIn('no file of the digest of base.ndjson', report['open'][0])
        self.assertEqual(0, self.verify('--inputs', 'elsewhere')[0])
        with open(os.path.join(elsewhere, 'restored-events.ndjson'), 'a', encoding='utf-8') as f:
            f.write('\n')
        status, report = self.verify('--inputs', 'elsewhere')
        self.assertEqual(3, status)
        self.assertIn('events.ndjson', report['open'][0])

    def test_a_mapping_is_kept_and_used_again(self):
        self.good('case', 'init', 'incident')
        self.write('map.yaml', 'key: [id]\ntypes: {amount: decimal}\n')
        self.write('a.csv', 'id,amount\n1,1.10\n')
        self.write('b.csv', 'id,amount\n1,1.1\n')
        self.good('reconcile', '-m', 'map.yaml', '-b', 'a.csv', '-x', 'b.csv', '--case', 'incident', '--copy-inputs')
        self.hand_over()
        os.unlink(os.path.join(self.folder, 'map.yaml'))
        status, report = self.verify()
        self.assertEqual((0, 1), (status, len(report['repeated'])), report)

    def write_tables(self):
        self.write('map.yaml', 'tables:\n  a: {key: id, types: {id: int64, v: int64}, baseline: a-source.csv, expected: [a-1.csv, a-2.csv]}\n'
                               '  b: {key: [id, no], types: {id: int64, no: int64}, baseline: b-source.csv, expected: b-d*.csv}\n')
        for name, text in (('a-source.csv', 'id,v\n1,1\n2,2\n'), ('a-1.csv', 'id,v\n1,1\n'), ('a-2.csv', 'id,v\n2,3\n'), ('b-source.csv', 'id,no,w\n1,1,x\n'), ('b-dest.csv', 'id,no,w\n1,1,x\n')):
            self.write(name, text)
        return ('map.yaml', 'a-source.csv', 'a-1.csv', 'a-2.csv', 'b-source.csv', 'b-dest.csv')

    def test_files_that_a_mapping_names_for_its_tables_are_inputs_like_others(self):
        self.good('case', 'init', 'incident')
        files = self.write_tables()
        self.good('reconcile', '-m', 'map.yaml', '--case', 'incident', '--copy-inputs', statuses=(1,))
        self.hand_over()
        for name in files:
            os.unlink(os.path.join(self.folder, name))
        status, report = self.verify()
        self.assertEqual((0, 1), (status, len(report['repeated'])), report)

    def test_files_of_tables_are_found_by_digest_or_named(self):
        self.good('case', 'init', 'incident')
        files = self.write_tables()
        self.good('reconcile', '-m', 'map.yaml', '--case', 'incident', statuses=(1,))
        self.hand_over()
        status, report = self.verify()
        self.assertEqual((0, 1), (status, len(report['repeated'])), report)
        kept = os.path.join(self.folder, 'kept')
        os.mkdir(kept)
        for name in files[1:]:
            os.rename(os.path.join(self.folder, name), os.path.join(kept, 'other-' + name))
        status, report = self.verify()
        self.assertEqual(3, status, report)
        self.assertIn('a-source.csv', report['open'][0])
        status, report = self.verify('--inputs', kept)
        self.assertEqual((0, 1), (status, len(report['repeated'])), report)
        self.write('kept/other-a-2.csv', 'id,v\n2,2\n')
        status, report = self.verify('--inputs', kept)
        self.assertEqual(3, status, report)
        self.assertIn('a-2.csv', report['open'][0])

    def test_evidence_of_continuity_is_kept_and_used_again(self):
        self.good('case', 'init', 'incident')
        inputs = self.write_inputs()
        self.good('position', 'scan', '-e', 'events.ndjson', '--order', 'integer', '--report', 'scan.json', statuses=(0, 1, 3))
        self.good('reconcile', *inputs, '--continuity', 'scan.json', '--continuity=scan', '--case', 'incident', '--copy-inputs', statuses=(0, 3))
        self.hand_over()
        for name in ('scan.json', 'events.ndjson', 'base.ndjson'):
            os.unlink(os.path.join(self.folder, name))
        status, report = self.verify()
        self.assertEqual((0, 1), (status, len(report['repeated'])), report)

    def test_a_gap_in_the_history_is_no_doubt_about_the_current_state(self):
        self.make()
        self.change_report(6, lambda report: report.update(exitStatus=3))
        self.assertIn('Current state  confirmed', self.good('case', 'status', 'incident', '--now', NOW))

    def test_a_file_that_nobody_recorded_is_named(self):
        self.make()
        self.hand_over()
        self.write('incident/evidence/9999-smuggled.txt', 'x')
        status, report = self.verify()
        self.assertEqual(3, status)
        self.assertIn('9999-smuggled.txt', report['open'][0])

    def test_a_hostile_ledger_leads_nowhere(self):
        self.make()
        self.write('secret.txt', 'x')
        for name in ('../secret.txt', 'evidence/../../secret.txt', '/etc/passwd', 'evidence/..', 'evidence/a/b', 'evidence/\0'):
            entries = self.ledger()
            entries[0]['name'] = name
            self.seal(entries)
            self.assert_named('ledger.ndjson line 1')
            self.assertEqual(2, self.call('case', 'status', 'incident')[0])

    def test_an_address_is_never_read_as_a_file(self):
        self.make()
        self.write('secret.ndjson', '{"key":"nobody may see this"}\n')
        whole = self.ledger()
        report = next(e for e in whole if e['kind'] == 'reconcile')
        findings = next(e for e in whole if e['kind'] == 'differences')
        for members in ({'kind': 'differences', 'of': report['number']}, {'kind': 'link', 'of': report['number']}, {'kind': 'link', 'sha256': findings['sha256']}, {'kind': 'input', 'role': 'events'},
                        {'kind': 'link', 'locator': 'events.ndjson'}):
            self.seal([{'at': entry['at'], 'link': '../secret.ndjson', **members} if entry['kind'] == 'link' else entry for entry in whole])
            status, out, err = self.call('case', 'handover', 'incident', '-f', 'html', '--leave-as-is')
            self.assertEqual((2, False), (status, 'nobody may see' in out), members)
            self.assertIn('it is a link, and says what only a file can be', err)
        self.seal(whole)
        self.good('case', 'add', 'incident', '--link', 'https://example.org/state', '--kind', 'observation')
        self.good('case', 'handover', 'incident', '-f', 'html')

    def test_the_page_shows_no_findings_that_were_changed(self):
        self.make()
        inputs = self.write_inputs(EXPECTED.replace('120', '80'))
        self.good('reconcile', *inputs, '--case', 'incident', statuses=(1,))
        name = os.path.join('incident', [e['name'] for e in self.ledger() if e['kind'] == 'differences'][-1])
        text = self.read(name)
        self.assertIn('class="finding', self.good('case', 'handover', 'incident', '-f', 'html'))
        for other in (text.replace('80', '81'), text + '\n', '', None):
            os.unlink(os.path.join(self.folder, name))
            if other is None:
                os.mkfifo(os.path.join(self.folder, name)) # nobody writes to it, and nobody waits for that
            else:
                self.write(name, other)
            status, _, err = self.call('case', 'handover', 'incident', '-f', 'html', '-o', 'page.html')
            self.assertEqual(2, status, err)
            self.assertIn('-differences.ndjson', err)
            self.assertFalse(os.path.exists(os.path.join(self.folder, 'page.html')))

    def test_a_recorded_command_writes_nothing_when_it_is_repeated(self):
        self.make()
        entries = self.ledger()
        report = next(e for e in entries if e['kind'] == 'reconcile')
        report['arguments'] += ['--report', 'out.json', '-d', 'out.ndjson', '--states', 's.ndjson', '--save-state', 'k.ndjson', '--quarantine', 'q.ndjson']
        self.seal(entries)
        before = sorted(os.listdir(self.folder))
        self.hand_over()
        self.verify()
        self.assertEqual(before, sorted(os.listdir(self.folder)))
        report['arguments'] += ['--help']
        self.seal(entries)
        status, verified = self.verify()
        self.assertEqual(3, status)
        self.assertIn('asks for help', ''.join(verified['open']))

    @unittest.skipUnless(shutil.which('openssl'), 'no openssl here')
    def test_a_signature_is_checked_here_and_by_openssl(self):
        self.make()
        for name in ('mine', 'other'):
            subprocess.run(['openssl', 'genpkey', '-algorithm', 'ed25519', '-out', name + '.pem'], cwd=self.folder, check=True, capture_output=True)
            subprocess.run(['openssl', 'pkey', '-in', name + '.pem', '-pubout', '-out', name + '.pub'], cwd=self.folder, check=True, capture_output=True)
        self.good('case', 'handover', 'incident', '--sign', 'mine.pem', '-o', 'note.md')
        length = len(self.ledger())
        check = ['openssl', 'pkeyutl', '-verify', '-rawin', '-pubin', '-inkey', 'mine.pub', '-in', 'incident/ledger.ndjson', '-sigfile', f'incident/signatures/{length:04}.sig']
        self.assertEqual(0, subprocess.run(check, cwd=self.folder, capture_output=True).returncode)
        status, report = self.verify('--public-key', 'mine.pub')
        self.assertEqual(0, status, report)
        self.assertIn('up to the head or signature', report['claim'])
        self.assert_named('signatures/', '--public-key', 'other.pub')
        # of lines that are not there a signature says nothing, though it fits them
        self.write('empty', '')
        beyond = ['openssl', 'pkeyutl', '-sign', '-rawin', '-inkey', 'mine.pem', '-in', 'empty', '-out', 'incident/signatures/0999.sig']
        if subprocess.run(beyond, cwd=self.folder, capture_output=True).returncode == 0:
            self.assert_named('signatures/0999.sig', '--public-key', 'mine.pub')
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(self.folder, 'incident/signatures/0999.sig'))
        # what somebody signed stays; to sign it again with the same key changes nothing
        self.good('case', 'handover', 'incident', '--sign', 'mine.pem', '-o', 'note.md')
        status, _, err = self.call('case', 'handover', 'incident', '--sign', 'other.pem', '-o', 'other.md')
        self.assertEqual(2, status)
        self.assertIn('another key signed', err)
        self.assertFalse(os.path.exists(os.path.join(self.folder, 'other.md')))
        self.assertEqual(0, self.verify('--public-key', 'mine.pub')[0])
        self.good('case', 'add', 'incident', '--link', 'https://example.org/later')
        self.write('outside', 'mine')
        os.symlink('../../outside', os.path.join(self.folder, f'incident/signatures/{length + 1:04}.sig'))
        self.assertEqual(2, self.call('case', 'handover', 'incident', '--sign', 'mine.pem')[0])
        self.assertEqual('mine', self.read('outside'))
        os.unlink(os.path.join(self.folder, f'incident/signatures/{length + 1:04}.sig'))
        status, report = self.verify('--public-key', 'mine.pub')
        self.assertEqual(3, status)
        self.assertIn('no signature is over the whole ledger', ''.join(report['open']))
        entries = self.ledger()
        entries[0]['title'] = 'another story'
        self.seal(entries)
        self.assert_named('signatures/', '--public-key', 'mine.pub')
        self.assertNotEqual(0, subprocess.run(check, cwd=self.folder, capture_output=True).returncode)
        self.assertEqual(2, self.call('case', 'verify', 'incident', '--public-key', 'note.md')[0])
        self.assertEqual(2, self.call('case', 'handover', 'incident', '--sign', 'mine.pub')[0])


class Adding(CaseFolder):
    def test_init_leaves_alone_what_is_there(self):
        self.good('case', 'init', 'incident', '--title', 'a "title": with # YAML')
        status, _, err = self.call('case', 'init', 'incident')
        self.assertEqual(2, status)
        self.assertIn('there is a case already', err)
        os.mkdir(os.path.join(self.folder, 'full'))
        self.write('full/file', '')
        self.assertEqual(2, self.call('case', 'init', 'full')[0])
        os.mkdir(os.path.join(self.folder, 'empty'))
        self.good('case', 'init', 'empty')
        self.assertIn('a "title": with # YAML', self.good('case', 'status', 'incident'))

    def test_an_init_that_was_stopped_can_be_done_again(self):
        def stopped(name, *made):
            os.mkdir(os.path.join(self.folder, name))
            for each in made:
                if each.endswith('/'):
                    os.mkdir(os.path.join(self.folder, name, each))
                else:
                    self.write(f'{name}/{each}', '')
        for number, made in enumerate((['evidence/'], ['evidence/', 'ledger.ndjson'], ['evidence/', 'ledger.ndjson', '.case.yaml.slackwater-aB3dE6'])):
            stopped(f'stopped{number}', *made)
            self.assertIn(f'slackwater case init stopped{number}', self.call('case', 'status', f'stopped{number}')[2])
            self.good('case', 'init', f'stopped{number}', '--title', 'again')
            self.assertIn('again', self.good('case', 'status', f'stopped{number}'))
        # what holds anything is left as it is
        stopped('kept', 'evidence/', 'ledger.ndjson', 'evidence/0001-a.txt')
        self.assertEqual(2, self.call('case', 'init', 'kept')[0])
        self.assertEqual(['evidence', 'ledger.ndjson'], sorted(os.listdir(os.path.join(self.folder, 'kept'))))
        self.write('kept/ledger.ndjson', 'a line\n')
        self.assertIn('there is a case already', self.call('case', 'init', 'kept')[2])
        self.good('case', 'init', 'made')
        self.assertIn('there is a case already', self.call('case', 'init', 'made')[2])
        self.assertTrue(os.path.isdir(os.path.join(self.folder, 'made', 'evidence')))

    def test_what_is_no_yaml_is_told_with_what_to_do(self):
        self.good('case', 'init', 'incident')
        for text, place, advice in (('title: stopped: at 04:05\n', '1:15', 'a text with \': \' in it stands in "quotes"'),
                                    ('process:\n\tstate: running\n', '2:1', 'indented with blanks, never tabs'), ('title: @home\n', '1:8', 'begins with @')):
            self.declare(text)
            status, _, err = self.call('case', 'status', 'incident')
            self.assertEqual(2, status)
            self.assertIn(f'incident/case.yaml:{place}: not YAML: ', err)
            self.assertIn(advice, err)

    def test_a_case_that_lost_its_declaration_is_not_sent_to_init(self):
        self.make()
        self.good('case', 'handover', 'incident')
        os.unlink(os.path.join(self.folder, 'incident', 'case.yaml'))
        for command in ('status', 'verify', 'handover'):
            status, _, err = self.call('case', command, 'incident')
            self.assertEqual(2, status)
            self.assertIn('evidence/NNNN-case.yaml', err)
            self.assertNotIn('case init', err)
        shutil.copy(os.path.join(self.folder, 'incident', self.ledger()[-1]['name']), os.path.join(self.folder, 'incident', 'case.yaml'))
        self.good('case', 'status', 'incident')

    def test_a_folder_that_is_no_case_is_refused(self):
        os.mkdir(os.path.join(self.folder, 'nothing'))
        for command in ('check', 'status', 'handover', 'verify'):
            status, _, err = self.call('case', command, 'nothing')
            self.assertEqual(2, status)
            self.assertIn('holds no case.yaml', err)

    def test_a_piece_is_kept_with_digest_time_tool_and_command(self):
        self.good('case', 'init', 'incident')
        self.write('lag.txt', 'lag 40 s\n')
        self.good('case', 'add', 'incident', 'lag.txt', '--title', 'lag', '--tool', 'psql 15.4', '--at', '2031-02-03T06:05:06+01:00', '--by', 'Ana', '--', 'psql', '-c', "select 'lag'")
        entry = self.ledger()[0]
        self.assertEqual(hashlib.sha256(b'lag 40 s\n').hexdigest(), entry['sha256'])
        self.assertEqual(('lag', 'psql 15.4', '2031-02-03T05:05:06Z', 'Ana', 9, 'file'), tuple(entry[n] for n in ('title', 'tool', 'collected', 'by', 'bytes', 'kind')))
        self.assertEqual("psql -c 'select '\\''lag'\\'''", entry['command'])
        self.assertEqual(os.path.realpath(self.folder), os.path.realpath(entry['directory']))
        self.assertEqual('lag 40 s\n', self.read('incident/' + entry['name']))

    def test_no_password_reaches_the_case(self):
        self.good('case', 'init', 'incident')
        self.write('x.txt', 'x')
        for argument, kept in (('postgresql://ana:hunter2@db/x', 'postgresql://ana:***@db/x'), ('postgresql://ana:hunter2%40@db:5432/x?a=b', 'postgresql://ana:***@db:5432/x?a=b'),
                               ('mysql://ana:hunter2/@db/x', 'mysql://ana:***@db/x'), ('--dsn=host=db password=hunter2 user=ana', '--dsn=host=db password=*** user=ana'),
                               ("password='hunter2 x' user=ana", 'password=*** user=ana'), ('kafka://b/t?sasl.password=hunter2&x=1', 'kafka://b/t?sasl.password=***&x=1'),
                               ('PGPASSWORD=hunter2', 'PGPASSWORD=***'), ('https://h/x?access_token=hunter2#f', 'https://h/x?access_token=***#f')):
            self.good('case', 'add', 'incident', 'x.txt', '--', 'tool', argument)
            self.assertEqual(['tool', kept], self.ledger()[-1]['arguments'])
        self.good('case', 'add', 'incident', 'x.txt', '--', 'tool', '--password', 'hunter2', '--host', 'db:1')
        self.assertEqual(['tool', '--password', '***', '--host', 'db:1'], self.ledger()[-1]['arguments'])
        self.good('case', 'add', 'incident', 'x.txt', '--', 'slackwater', 'reconcile', '--type', 'token=text', '--rename', 'pwd=password')
        self.assertEqual(['--type', 'token=text', '--rename', 'pwd=password'], self.ledger()[-1]['arguments'][2:]) # names of columns
        self.good('case', 'add', 'incident', '--link', 'https://ana:hunter2@e.example/?token=hunter2&x=1')
        self.assertEqual('https://ana:***@e.example/?token=***&x=1', self.ledger()[-1]['link'])
        self.good('reconcile', '--allow-empty', '--case', 'incident', '--title=postgresql://a:hunter2@b', statuses=(2,))
        self.good('case', 'handover', 'incident', '-o', 'note.md')
        for folder, _, names in os.walk(self.folder):
            for name in names:
                with open(os.path.join(folder, name), 'rb') as f:
                    self.assertNotIn(b'hunter2', f.read(), name)

    def test_the_name_of_a_file_does_not_steer_the_terminal(self):
        self.assertIn('\\x1b[2J: fill in', self.good('case', 'init', 'inc\x1b[2J'))
        name = 'a\x1b[31m\u202eb\u00e9.txt'
        self.write(name, 'x')
        self.assertEqual('1  a\\x1b[31m\\xe2\\x80\\xaebé.txt\n', self.good('case', 'add', 'inc\x1b[2J', name))
        self.assertEqual({'entry': 2, 'piece': name}, json.loads(self.good('case', 'add', 'inc\x1b[2J', name, '--json')))

    def test_an_input_that_was_changed_since_is_not_copied(self):
        inputs = self.write_inputs()
        self.good('case', 'init', 'incident')
        self.good('reconcile', *inputs, '--report', 'report.json')
        self.write('events.ndjson', '')
        before = self.read('incident/ledger.ndjson')
        status, _, err = self.call('case', 'add', 'incident', 'report.json', '--copy', '--', 'slackwater', 'reconcile', *inputs)
        self.assertEqual(2, status)
        self.assertIn('it was changed after the comparison', err)
        self.assertEqual(before, self.read('incident/ledger.ndjson'))
        self.assertEqual([], os.listdir(os.path.join(self.case, 'evidence')))

    def test_what_cannot_be_added_leaves_nothing(self):
        self.good('case', 'init', 'incident')
        os.mkfifo(os.path.join(self.folder, 'fifo'))
        for piece in ('missing.txt', '.', 'fifo', '/dev/zero'):
            self.assertIn(self.call('case', 'add', 'incident', piece)[0], (2, 4))
        self.write('x.txt', 'x')
        self.assertEqual(2, self.call('case', 'add', 'incident', 'x.txt', '--supersedes', '1')[0])
        self.assertEqual(2, self.call('case', 'add', 'incident', 'x.txt', '--at', 'noon')[0])
        self.assertEqual(2, self.call('case', 'add', 'incident')[0])
        self.assertEqual(([], ''), (os.listdir(os.path.join(self.case, 'evidence')), self.read('incident/ledger.ndjson')))

    def test_many_at_once_get_a_number_each(self):
        self.good('case', 'init', 'incident')
        self.write('x.txt', 'x')
        running = [subprocess.Popen([PROGRAM, 'case', 'add', 'incident', *['x.txt'] * 5], cwd=self.folder, stdout=subprocess.DEVNULL, env=ENVIRONMENT) for _ in range(8)]
        self.assertEqual([0] * 8, [process.wait() for process in running])
        self.assertEqual(list(range(1, 41)), [entry['number'] for entry in self.ledger()])
        status, out, _ = self.call('case', 'verify', 'incident', '--json')
        self.assertEqual([], json.loads(out)['problems'])

    def test_a_kill_at_any_moment_leaves_a_ledger_that_fits(self):
        self.good('case', 'init', 'incident')
        self.write('big.txt', 'x' * 3000000)
        random.seed(5)
        for _ in range(25):
            process = subprocess.Popen([PROGRAM, 'case', 'add', 'incident', *['big.txt'] * 20], cwd=self.folder, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
            time.sleep(random.uniform(0.001, 0.06))
            process.send_signal(signal.SIGKILL)
            process.wait()
            status, out, err = self.call('case', 'verify', 'incident', '--json')
            self.assertIn(status, (0, 3), (out, err))
            self.assertEqual([], json.loads(out)['problems'])
        self.good('case', 'add', 'incident', 'big.txt')

    def test_names_and_texts_are_bounded(self):
        self.assertEqual(2, self.call('case', 'init', 'incident', '--title', 'é' * 500 + 'x')[0])
        self.assertFalse(os.path.exists(os.path.join(self.folder, 'incident')))
        self.good('case', 'init', 'incident', '--title', 'é' * 500)
        name = 'a' * 200 + '-of-the-stream.json'
        self.write(name, '{}')
        self.good('case', 'add', 'incident', name, '--title', 'é' * 2000, '--by', 'Ana')
        self.assertEqual('evidence/0001-' + name[-80:], self.ledger()[0]['name'])  # the end says what it is
        for option, text in (('--title', 'é' * 2000 + 'x'), ('--by', 'x' * 4001), ('--tool', 'x' * 4001)):
            status, _, err = self.call('case', 'add', 'incident', name, option, text)
            self.assertEqual(2, status)
            self.assertIn('at most 4000 bytes', err)
        self.assertEqual(1, len(os.listdir(os.path.join(self.folder, 'incident', 'evidence'))))
        entries = self.ledger()
        entries[0]['title'] = 'x' * (1 << 20)
        self.seal(entries)
        self.assertIn('longer than 1 MiB', self.call('case', 'status', 'incident')[2])
        self.write('incident/ledger.ndjson', '\n' * 100001)
        self.assertIn('100001 lines; at most 100000 are read', self.call('case', 'status', 'incident')[2])

    def test_who_hands_over_is_in_the_ledger(self):
        self.make()
        self.good('case', 'handover', 'incident', '--by', 'Ana of the night shift')
        self.assertEqual(('declaration', 'Ana of the night shift'), (self.ledger()[-1]['kind'], self.ledger()[-1]['by']))
        self.assertIn('expected at most 200 bytes, found 201', self.call('case', 'handover', 'incident', '--by', 'x' * 201)[2])

    def test_what_stands_in_evidence_is_never_written_over(self):
        """A ledger that was put back from a backup is shorter than its evidence: what it no longer names is still somebody's."""
        path = lambda name: os.path.join(self.folder, name)  # noqa: E731
        self.good('case', 'init', 'incident')
        self.write('a.txt', 'first')
        self.good('case', 'add', 'incident', 'a.txt')
        shutil.copy(path('incident/ledger.ndjson'), path('before'))
        self.write('b.txt', 'second')
        self.good('case', 'add', 'incident', 'b.txt')
        shutil.copy(path('before'), path('incident/ledger.ndjson'))
        self.write('outside', 'mine')
        os.symlink(path('outside'), path('incident/evidence/0002-2-b.txt'))
        self.write('b.txt', 'third')
        self.good('case', 'add', 'incident', 'b.txt')
        self.assertEqual('evidence/0002-3-b.txt', self.ledger()[1]['name'])
        for name, text in (('incident/evidence/0002-b.txt', 'second'), ('incident/evidence/0002-3-b.txt', 'third'), ('outside', 'mine')):
            self.assertEqual(text, self.read(name))

    def test_a_damaged_ledger_is_not_added_to(self):
        self.good('case', 'init', 'incident')
        self.write('x.txt', 'x')
        self.good('case', 'add', 'incident', 'x.txt')
        text = self.read('incident/ledger.ndjson')
        for damaged in (text[:-1], text.replace('"kind":"file"', '"kind":"fole"') + text, 'x\n', '{}\n', '[1]\n', '{"a":' * 600 + '\n'):
            self.write('incident/ledger.ndjson', damaged)
            status, _, err = self.call('case', 'add', 'incident', 'x.txt')
            self.assertEqual(2, status, damaged)
            self.assertIn('case verify', err)
            self.assertEqual(damaged, self.read('incident/ledger.ndjson'))

    def test_a_later_result_of_the_same_question_replaces_the_earlier_one(self):
        inputs = self.write_inputs()
        self.good('case', 'init', 'incident')
        self.write('expected.ndjson', '')
        self.good('reconcile', *inputs, '--case', 'incident', statuses=(1,))
        self.assertIn('Current state  refuted', self.good('case', 'status', 'incident'))
        self.write_inputs()
        self.good('reconcile', *inputs, '--case', 'incident')
        self.assertIn('Current state  confirmed', self.good('case', 'status', 'incident'))

    def test_another_table_does_not_replace_it(self):
        self.good('case', 'init', 'incident')
        self.write('a.csv', 'id,v\n1,1\n')
        self.write('b.csv', 'id,v\n1,2\n')
        self.write('one.yaml', 'key: [id]\n')
        self.good('reconcile', '-k', 'id', '-b', 'a.csv', '-x', 'b.csv', '--case', 'incident', statuses=(1,))
        self.write('t.ndjson', '{"t":"orders","id":1,"v":1}\n')
        self.good('reconcile', '-m', self.write('m.yaml', 'key: [id]\ntable: {path: t}\n') and 'm.yaml', '-b', 't.ndjson', '-x', 't.ndjson', '--case', 'incident', statuses=(0, 2))
        self.assertIn('Current state  refuted', self.good('case', 'status', 'incident'))


if __name__ == '__main__':
    unittest.main()
