"""tests/spec/run.py: what it accepts, and that every kind of wrong expectation is reported."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'spec', 'run.py')


def fenced(info, text):
    return f'```{info}\n{text}```\n'


def case(*blocks, name='a case'):
    return f'# Title\n\n## {name}\n\n' + '\n'.join(blocks)


class SpecRun(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.path = os.path.join(self.folder, 'x.md')

    def run_text(self, text, *options):
        with open(self.path, 'w', encoding='utf-8') as f:
            f.write(text)
        return self.run_file(*options)

    def run_file(self, *options):
        done = subprocess.run([sys.executable, SCRIPT, '--build', self.folder, *options, self.path],
                              capture_output=True, text=True)
        self.assertEqual('', done.stderr)
        return done.returncode, done.stdout

    def read(self):
        with open(self.path, encoding='utf-8') as f:
            return f.read()

    def passes(self, *blocks):
        status, said = self.run_text(case(*blocks))
        self.assertEqual(0, status, said)
        self.assertRegex(said, r'(?m)^ok 1 - .*x\.md: a case$')

    def fails(self, because, *blocks):
        status, said = self.run_text(case(*blocks))
        self.assertEqual(1, status, said)
        self.assertRegex(said, r'(?m)^not ok 1 - ')
        self.assertIn(because, said)

    # commands

    def test_files_are_made_and_standard_output_is_compared(self):
        self.passes(fenced('ndjson in/a.ndjson', '{"k":1}\n'), fenced('console', '$ cat in/a.ndjson\n{"k":1}\n'))

    def test_commands_of_a_case_share_a_folder_and_cases_do_not(self):
        status, said = self.run_text(case(fenced('console', '$ echo 1 > f\n'), fenced('console', '$ cat f\n1\n'))
                                     + '\n## another\n\n' + fenced('console', '$ cat f\n? 1\n'))
        self.assertEqual(0, status, said)
        self.assertIn('1..2\n', said)

    def test_a_wrong_line_is_reported(self):
        self.fails('-b\n# +a\n', fenced('console', '$ echo a\nb\n'))

    def test_a_missing_line_is_reported(self):
        self.fails('+b\n', fenced('console', '$ echo a; echo b\na\n'))

    def test_a_line_too_many_is_reported(self):
        self.fails('-b\n', fenced('console', '$ echo a\na\nb\n'))

    def test_a_blank_line_counts(self):
        self.fails('stdout: expected', fenced('console', '$ echo a\na\n\n'))

    def test_output_without_a_final_newline_is_told_apart(self):
        self.fails('No newline at end of output', fenced('console', '$ printf a\na\n'))
        self.passes(fenced('console', '$ printf a\na\n\\ No newline at end of output\n'))

    def test_a_wrong_exit_status_is_reported_with_standard_error(self):
        self.fails('exit status 3, expected 0\n# stderr: why\n', fenced('console', '$ echo why >&2; exit 3\n'))
        self.fails('exit status 0, expected 3', fenced('console', '$ true\n? 3\n'))

    def test_the_exit_status_stands_after_the_command_or_after_the_output(self):
        self.passes(fenced('console', '$ echo a; exit 3\n? 3\na\n$ echo b; exit 4\nb\n? 4\n'))

    def test_a_command_goes_on_over_lines(self):
        self.passes(fenced('console', '$ echo a \\\n>   b\na b\n'))

    def test_a_line_of_dots_stands_for_any_lines_and_brackets_for_any_text(self):
        self.passes(fenced('console', '$ printf "a\\nb\\nc\\n"\n...\nc\n$ echo took 12 ms\ntook [..] ms\n$ true\n...\n'))
        self.fails('stdout', fenced('console', '$ printf "a\\nb\\nc\\n"\n...\nb\n'))
        self.fails('stdout', fenced('console', '$ echo took 12 s\ntook [..] ms\n'))

    def test_output_that_looks_like_the_form_is_escaped(self):
        self.passes(fenced('console', "$ printf '$ a\\n> b\\n...\\n? 1\\n'\n\\$ a\n\\> b\n\\...\n\\? 1\n"))
        self.fails('stdout', fenced('console', "$ echo x\n\\...\n"))

    def test_bytes_that_are_no_text_become_escapes(self):
        self.passes(fenced('console', "$ printf 'a\\000\\377\\r\\n'\na\\x00\\xff\\x0d\n"))

    def test_the_environment_is_the_same_everywhere(self):
        self.passes(fenced('console', '$ echo $TZ $LC_ALL; [ "$HOME" != "$PWD" ]; ls -A\nUTC0 C.UTF-8\n'))

    def test_the_program_of_the_build_folder_comes_first_in_the_path(self):
        program = os.path.join(self.folder, 'slackwater')
        with open(program, 'w', encoding='utf-8') as f:
            f.write('#!/bin/sh\necho mine\n')
        os.chmod(program, 0o755)
        self.passes(fenced('console', '$ slackwater\nmine\n'))

    # written files

    def test_a_json_expectation_needs_only_the_members_it_names(self):
        written = fenced('console', """$ echo '{"a":{"b":1,"c":[1,2]},"d":"xyz"}' > r.json\n""")
        for good in ('{}', '{"a":{"c":[1,2]}}', '{"d":"x[..]"}', '{"a":{"c":[{"...":true},2]}}',
                     '{"a":{"c":[1,{"...":true}]}}', '{"a":{"c":[{"...":true}]}}', '{"a":{"b":1.0}}'):
            self.passes(written, fenced('json expect r.json', good + '\n'))
        for bad, because in (('{"e":1}', '$.e is absent'), ('{"a":{"b":2}}', '$.a.b is 1, expected 2'),
                             ('{"a":{"b":"1"}}', '$.a.b is 1, expected "1"'), ('{"a":{"b":true}}', '$.a.b'),
                             ('{"a":{"c":[1]}}', '$.a.c has 2 elements'), ('{"a":{"c":[2,1]}}', '$.a.c[0] is 1'),
                             ('{"a":{"c":[1,{"...":true},1]}}', '$.a.c does not hold'),
                             ('{"a":{"c":[{"...":true},3,{"...":true}]}}', '$.a.c does not hold'),
                             ('{"d":"y[..]"}', '$.d is "xyz"'), ('{"a":{"...":false,"b":1}}', 'further members: c'),
                             ('{"a":[]}', '$.a is'), ('{"d":null}', '$.d is'), ('{"a"', 'the expectation is not JSON')):
            self.fails(because, written, fenced('json expect r.json', bad + '\n'))

    def test_numbers_are_compared_exactly(self):
        written = fenced('console', '$ echo 9007199254740993.00000000000000000001 > r.json\n')
        self.fails('$ is', written, fenced('json expect r.json', '9007199254740993.00000000000000000002\n'))

    def test_a_file_that_is_no_json_names_a_member_twice_or_is_absent_is_reported(self):
        self.fails('is not JSON', fenced('console', '$ echo oops > r.json\n'), fenced('json expect r.json', '{}\n'))
        self.fails('a member twice', fenced('console', """$ echo '{"a":1,"a":1}' > r.json\n"""),
                   fenced('json expect r.json', '{}\n'))
        self.fails('was not written', fenced('console', '$ true\n'), fenced('json expect r.json', '{}\n'))

    def test_standard_output_of_the_last_command_can_be_expected_as_json(self):
        printed = fenced('console', """$ echo '{"a":1}'\n...\n""")
        self.passes(printed, fenced('json expect -', '{"a":1}\n'))
        self.fails('$.a is 1', printed, fenced('json expect -', '{"a":2}\n'))

    def test_a_report_whose_sums_do_not_hold_fails_whatever_was_expected_of_it(self):
        reasons = dict.fromkeys('missingState unexpectedState stateMismatch conflictingVersion identityReused duplicateKey inconsistentHistory unordered '
                                'readAfterDelete openTransaction beyondCut unknownColumn invalidValue notComparable unreadableRecord'.split(), 0)
        classes = {'keys': 2, 'equal': 1, 'different': 1, 'conflictKeys': 0, 'undecidedKeys': 0, **reasons, 'missingState': 1}
        good = {'schema': 'slackwater.report/1', 'exitStatus': 1, 'matchesDeclaredReference': False, 'records': {'baseline': 1, 'events': 2},
                'dispositions': {'applied': 2, 'bad': 1}, 'inputs': [{'records': 3, 'badRecords': 1}], 'badRecords': {'count': 1},
                'counts': {**classes, 'differences': 1}, 'tables': [classes], 'differences': [{}], 'differencesListed': 1, 'differencesOmitted': 0,
                'undecided': [], 'undecidedListed': 0, 'undecidedOmitted': 0}

        def blocks(report):
            text = json.dumps(report, separators=(',', ':')) + '\n'
            return fenced('json report.json', text), fenced('console', '$ cat report.json\n...\n')
        self.passes(*blocks(good))
        self.fails('dispositions and records read: 2 and 3', *blocks({**good, 'dispositions': {'applied': 1, 'bad': 1}}))
        self.fails('keys and their classes: 3 and 2', *blocks({**good, 'counts': {**good['counts'], 'keys': 3}}))
        self.fails('different and their reasons: 1 and 0', *blocks({**good, 'tables': [{**classes, 'missingState': 0}]}))
        self.fails('undecided listed: 1 and 0', *blocks({**good, 'undecidedListed': 1}))
        self.fails('bad records and their disposition: 0 and 1', *blocks({**good, 'badRecords': {'count': 0}}))
        self.fails('it claims equality', *blocks({**good, 'exitStatus': 0}))
        wrong = json.dumps({**good, 'dispositions': {'bad': 1}}, separators=(',', ':'))
        self.fails('dispositions and records read', fenced('console', f"$ echo '{wrong}' > r.json\n"), fenced('json expect r.json', '{}\n'))

    def test_other_files_are_compared_as_text(self):
        written = fenced('console', '$ printf "a\\nb\\n" > f.csv\n')
        self.passes(written, fenced('csv expect f.csv', 'a\nb\n'))
        self.fails('-c\n# +b', written, fenced('csv expect f.csv', 'a\nc\n'))

    # the form itself

    def test_files_before_the_first_heading_are_made_for_every_case(self):
        status, said = self.run_text('# T\n\n' + fenced('csv a.csv', 'x\n') + '## one\n' + fenced(
            'console', '$ cat a.csv; rm a.csv\nx\n') + '## two\n' + fenced('console', '$ cat a.csv\nx\n'))
        self.assertEqual((0, 2), (status, said.count('\nok ')), said)

    def test_a_case_is_skipped_with_its_condition_unless_that_holds(self):
        status, said = self.run_text(case('<!-- skip unless: false -->\n', fenced('console', '$ false\n')))
        self.assertEqual((0, True), (status, 'ok 1 - ' in said and '# SKIP not so: false' in said), said)
        self.assertEqual(1, self.run_text(case('<!-- skip unless: true -->\n', fenced('console', '$ false\n')))[0])

    def test_what_would_silently_test_nothing_is_refused(self):
        for text, because in ((case(fenced('csv a.csv', 'x\n')), 'has no console block'),
                              (case(fenced('console', 'x\n')), 'starts with "$ "'),
                              (case(fenced('console', '')), 'has no command'),
                              (case('```console\n$ true\n'), 'is not closed'),
                              (case(fenced('json expects r.json', '{}\n'), fenced('console', '$ true\n')), 'neither'),
                              (case(fenced('csv ../a.csv', ''), fenced('console', '$ true\n')), 'outside'),
                              ('# T\n' + fenced('console', '$ true\n'), 'before the first heading'),
                              (case(fenced('console', '$ true\n')) + '## a case\n' + fenced('console', '$ true\n'),
                               'two cases')):
            status, said = self.run_text(text)
            self.assertEqual(1, status, said)
            self.assertIn(because, said)

    def test_one_bad_file_does_not_hide_that_the_others_ran(self):
        other = os.path.join(self.folder, 'y.md')
        with open(other, 'w', encoding='utf-8') as f:
            f.write(case(fenced('console', '$ true\n')))
        status, said = self.run_text(case(fenced('console', '')), other)
        self.assertEqual(1, status)
        self.assertIn('1..2\nnot ok 1 - ', said)
        self.assertIn('\nok 2 - ', said)

    def test_no_case_at_all_is_a_skip_and_no_pass(self):
        self.assertEqual((0, '1..0 # SKIP no case to run\n'), self.run_text('# T\n'))

    # documents

    def test_in_a_document_only_marked_blocks_run(self):
        text = '# T\n' + fenced('console', '$ false\n') + fenced('sh any thing else', 'x\n') + '## s\n' + fenced(
            'console test', '$ ls -d build\nbuild\n')
        status, said = self.run_text(text, '--docs')
        self.assertEqual((0, 1), (status, said.count('\nok ')), said)
        status, said = self.run_text(text.replace('build\nbuild', 'build\nbuilt'), '--docs')
        self.assertEqual(1, status, said)

    def test_a_marked_block_may_stand_before_the_first_heading_and_runs_once(self):
        text = '# T\n' + fenced('console test', '$ echo a\na\n') + '## s\n' + fenced('console test', '$ false\n? 1\n')
        status, said = self.run_text(text, '--docs')
        self.assertEqual((0, 2), (status, said.count('\nok ')), said)

    # --update

    def test_update_writes_what_was_printed_and_the_next_run_passes(self):
        text = case(fenced('console', '$ printf "a\\n...\\n"; exit 3\nwrong\n$ echo same\nsa[..]\n$ echo n; exit 2\nm\n? 9\n'),
                    fenced('text expect f', 'x\n'), fenced('console', '$ true\n? 1\n'))
        text = text.replace('$ echo same', '$ echo same | tee f')
        self.assertEqual(1, self.run_text(text, '--update')[0])
        self.assertEqual((0, self.read()), (self.run_file()[0], self.read()))
        self.assertEqual(case(fenced('console', '$ printf "a\\n...\\n"; exit 3\n? 3\na\n\\...\n$ echo same | tee f\nsa[..]\n'
                                     '$ echo n; exit 2\nn\n? 2\n'), fenced('text expect f', 'same\n'),
                              fenced('console', '$ true\n')), self.read())

    def test_update_leaves_a_case_that_passes_as_it_is(self):
        text = case(fenced('console', '$ echo took 12 ms\ntook [..] ms\n? 0\n'))
        self.assertEqual(0, self.run_text(text, '--update')[0])
        self.assertEqual(text, self.read())

    def test_update_refuses_output_that_would_close_the_block(self):
        text = case(fenced('console', "$ echo '```'\n"))
        status, said = self.run_text(text, '--update')
        self.assertEqual((1, text), (status, self.read()))
        self.assertIn('not updated', said)


if __name__ == '__main__':
    unittest.main()
