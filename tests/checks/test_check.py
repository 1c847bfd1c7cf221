"""scripts/check: what it counts, and that nothing which goes wrong is counted as fine."""
import importlib.machinery
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'scripts', 'check')
loader = importlib.machinery.SourceFileLoader('check', SCRIPT)
check = importlib.util.module_from_spec(importlib.util.spec_from_loader('check', loader))
sys.modules['check'] = check
sys.dont_write_bytecode = True
loader.exec_module(check)


def tally_of(output, result='OK', status=0):
    tally = check.Tally()
    check.count_tap(tally, 'x', result, output, status)
    return tally


class Counting(unittest.TestCase):
    def test_points_are_counted_one_by_one(self):
        tally = tally_of('1..3\nok 1 - a\nnot ok 2 - b\n# why\nok 3 - c\n', 'FAIL')
        self.assertEqual('2 passed, 1 failed', tally.line())
        self.assertEqual([('x', 'b')], tally.failed)

    def test_a_name_with_a_hash_is_still_a_point(self):
        self.assertEqual('3 passed, 0 failed', tally_of('ok 1 - issue #12\nok 2 - a \\# skip b\nok 3\n').line())

    def test_a_skipped_point_counts_as_skipped_with_its_reason(self):
        tally = tally_of('ok 1 - reads .zst # SKIP built without zstd\nok 2 # SKIP by_cmocka\nok 3 - c\n')
        self.assertEqual('1 passed, 0 failed, 2 skipped', tally.line())
        self.assertEqual([('x', 'reads .zst: built without zstd'), ('x', 'by_cmocka')], tally.skipped)

    def test_the_way_cmocka_writes_a_skip_is_no_failure_unless_something_failed_as_well(self):
        skip = '1..2\nok 1 - a\nnot ok 2 # SKIP b\n'
        self.assertEqual('1 passed, 0 failed, 1 skipped', tally_of(skip, 'FAIL').line())
        self.assertEqual('1 passed, 1 failed, 1 skipped', tally_of(skip, 'ERROR', 1).line())
        self.assertEqual('1 passed, 1 failed, 1 skipped', tally_of(skip + 'not ok 3 - c\n', 'FAIL').line())

    def test_a_program_that_skips_itself_counts_once(self):
        tally = tally_of('1..0 # SKIP no server here\n', 'SKIP')
        self.assertEqual([('x', 'no server here')], tally.skipped)

    def test_a_program_that_reports_nothing_fails(self):
        for output, result in (('', 'SKIP'), ('1..0\n', 'SKIP'), ('hello\n', 'OK')):
            self.assertEqual('0 passed, 1 failed', tally_of(output, result).line())

    def test_a_program_that_crashes_after_its_last_point_fails(self):
        self.assertEqual('1 passed, 1 failed', tally_of('1..1\nok 1 - a\n', 'ERROR').line())
        self.assertEqual('1 passed, 1 failed', tally_of('1..2\nok 1 - a\n', 'TIMEOUT').line())


MESON = """project('x', 'c')
sh = find_program('sh')
test('tap', sh, args: ['-c', 'echo 1..2; echo ok 1 - a; echo ok 2 - b \\# SKIP not now'], protocol: 'tap', suite: 'a')
test('plain', sh, args: ['-c', 'exit 0'], suite: 'b')
test('skips', sh, args: ['-c', 'echo no server; exit 77'])
test('cmocka', sh, args: ['-c', 'echo 1..1; echo not ok 1 \\# SKIP c'], protocol: 'tap', suite: 'a')
if get_option('bad')
  test('fails', sh, args: ['-c', 'exit 1'])
  test('dies', sh, args: ['-c', 'echo 1..1; echo ok 1 - a; kill -9 $$'], protocol: 'tap')
endif
"""


@unittest.skipUnless(shutil.which('meson') and shutil.which('ninja'), 'no meson here')
class EndToEnd(unittest.TestCase):
    def run_check(self, bad, meson=MESON):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        os.mkdir(os.path.join(folder, 'scripts'))
        shutil.copy(SCRIPT, os.path.join(folder, 'scripts', 'check'))
        for name, text in (('meson.build', meson),
                           ('meson_options.txt', f"option('bad', type: 'boolean', value: {str(bad).lower()})\n")):
            with open(os.path.join(folder, name), 'w', encoding='utf-8') as f:
                f.write(text)
        return subprocess.run([sys.executable, os.path.join(folder, 'scripts', 'check')], capture_output=True, text=True,
                              env={**os.environ, 'SETUP': 'true'})

    def test_a_clean_run_ends_with_its_sum_and_gives_reasons_for_what_it_skipped(self):
        done = self.run_check(False)
        self.assertEqual(0, done.returncode, done.stdout)
        self.assertEqual('2 passed, 0 failed, 3 skipped', done.stdout.splitlines()[-1])
        self.assertIn('skipped: tap: b: not now\n', done.stdout)
        self.assertIn('skipped: skips: no server\n', done.stdout)

    def test_failures_are_counted_named_and_change_the_status(self):
        done = self.run_check(True)
        self.assertEqual(1, done.returncode)
        self.assertEqual('3 passed, 2 failed, 3 skipped', done.stdout.splitlines()[-1])
        self.assertIn('failed: fails: ', done.stdout)
        self.assertIn('failed: dies: ', done.stdout)

    def test_what_does_not_build_fails(self):
        for meson in ("project('x', 'c')\nerror('no')\n", "project('x', 'c')\ncustom_target('t', output: 't', "
                      "command: ['false'], build_by_default: true)\n", "project('x', 'c')\n"):
            done = self.run_check(False, meson)
            self.assertEqual((1, '0 passed, 1 failed'), (done.returncode, done.stdout.splitlines()[-1]), done.stdout)


if __name__ == '__main__':
    unittest.main()
