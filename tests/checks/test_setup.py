"""scripts/setup, with the programs that it asks replaced by scripts that answer as a given machine would."""
import os
import re
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'scripts', 'setup')
COREUTILS = ('bash', 'env', 'cat', 'rm', 'mktemp', 'dirname')


class Setup(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.bin = os.path.join(self.folder, 'bin')
        self.log = os.path.join(self.folder, 'log')
        os.makedirs(os.path.join(self.folder, 'scripts'))
        os.makedirs(self.bin)
        shutil.copy(SCRIPT, os.path.join(self.folder, 'scripts', 'setup'))
        for name in COREUTILS:
            os.symlink(shutil.which(name), os.path.join(self.bin, name))
        self.user(0)
        self.program('apt-get', f'echo "apt-get $*" >>{self.log}')
        self.installed()

    def program(self, name, body):
        path = os.path.join(self.bin, name)
        with open(path, 'w', encoding='utf-8') as f:
            f.write('#!/usr/bin/env bash\n' + body + '\n')
        os.chmod(path, 0o755)

    def user(self, uid):
        self.program('id', f'echo {uid}')

    def installed(self, but=(), statuses=None):
        """dpkg-query knows everything as installed, but for those named."""
        statuses = {**{name: None for name in but}, **(statuses or {})}
        cases = ''.join(f'{name}) status="{status}";;' if status else f'{name}) continue;;'
                        for name, status in statuses.items())
        self.program('dpkg-query', 'shift 3; for name; do status="ii "; case $name in '
                     + cases + ' *) ;; esac; printf "%s|%s " "$status" "$name"; done')

    def run_setup(self, *tiers):
        done = subprocess.run([os.path.join(self.folder, 'scripts', 'setup'), *tiers], capture_output=True, text=True,
                              env={'PATH': self.bin}, stdin=subprocess.DEVNULL)
        calls = ''
        if os.path.exists(self.log):
            with open(self.log, encoding='utf-8') as f:
                calls = f.read()
        return done, calls.splitlines()

    def test_it_is_silent_and_leaves_apt_alone_when_nothing_is_missing(self):
        for tier in ('build', 'test', 'fuzz'):
            done, calls = self.run_setup(tier)
            self.assertEqual((0, '', '', []), (done.returncode, done.stdout, done.stderr, calls))

    def test_root_updates_once_and_installs_what_is_missing_alone(self):
        self.installed(but=['meson', 'liblz4-dev'])
        done, calls = self.run_setup('build')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertEqual(['update', 'install'], [line.split()[1] for line in calls])
        self.assertEqual(['meson', 'liblz4-dev'], re.findall(r'(?<= )(?:meson|gcc|liblz4-dev|make)\b', calls[1]))
        self.assertIn('--yes', calls[1])

    def test_a_removed_package_whose_configuration_stayed_counts_as_missing_and_a_held_one_does_not(self):
        self.installed(statuses={'meson': 'rc ', 'gcc': 'hi '})
        _, calls = self.run_setup('build')
        self.assertRegex(calls[1], r' meson\b')
        self.assertNotRegex(calls[1], r' gcc\b')

    def test_a_command_that_came_from_elsewhere_keeps_the_package_out(self):
        self.installed(but=['npm', 'maven'])
        self.program('npm', ':')
        done, calls = self.run_setup('kafka')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertRegex(calls[1], r' maven\b')
        self.assertNotRegex(calls[1], r' npm\b')

    def test_a_tier_brings_build_and_no_other(self):
        self.installed(but=['meson', 'clang', 'hyperfine', 'libcmocka-dev'])
        _, calls = self.run_setup('test')
        self.assertRegex(calls[1], r' meson libcmocka-dev\b')
        self.assertNotRegex(calls[1], 'clang|hyperfine')

    def test_a_user_without_sudo_is_told_the_line_and_nothing_runs(self):
        self.user(1000)
        self.installed(but=['meson'])
        done, calls = self.run_setup('build')
        self.assertEqual((1, []), (done.returncode, calls))
        self.assertEqual('apt-get update && apt-get install --yes --quiet --no-install-recommends meson\n', done.stdout)

    def test_a_user_whose_sudo_wants_a_password_is_told_the_line_too(self):
        self.user(1000)
        self.program('sudo', 'exit 1')
        self.installed(but=['meson'])
        done, calls = self.run_setup('build')
        self.assertEqual((1, []), (done.returncode, calls))
        self.assertIn('install', done.stdout)

    def test_a_user_whose_sudo_works_installs_through_it(self):
        self.user(1000)
        self.program('sudo', f'[ "$1" = -n ] || exit 9; shift; echo "sudo $*" >>{self.log}; "$@"')
        self.installed(but=['meson'])
        done, calls = self.run_setup('build')
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn('sudo env DEBIAN_FRONTEND=noninteractive apt-get install', '\n'.join(calls))

    def test_a_failed_installation_fails_and_shows_why(self):
        self.installed(but=['meson'])
        self.program('apt-get', '[ "$1" = update ] && exit 0; echo "E: no space left"; exit 100')
        done, _ = self.run_setup('build')
        self.assertNotEqual(0, done.returncode)
        self.assertIn('E: no space left', done.stderr)

    def test_a_failed_update_alone_does_not_fail(self):
        self.installed(but=['meson'])
        self.program('apt-get', '[ "$1" = update ] && exit 100; exit 0')
        done, _ = self.run_setup('build')
        self.assertEqual(0, done.returncode, done.stderr)

    def test_an_unknown_tier_is_a_usage_error(self):
        done, calls = self.run_setup('everything')
        self.assertEqual((2, []), (done.returncode, calls))
        self.assertIn('usage', done.stderr)

    def test_where_there_is_no_dpkg_it_names_what_is_needed_and_goes_on(self):
        os.remove(os.path.join(self.bin, 'dpkg-query'))
        done, calls = self.run_setup('build')
        self.assertEqual((0, []), (done.returncode, calls))
        self.assertIn('libyaml-dev', done.stderr)

    def test_the_bench_tier_asks_pip_for_the_pinned_versions_unless_the_venv_has_it(self):
        with open(os.path.join(self.folder, 'scripts', 'setup'), encoding='utf-8') as f:
            wanted = re.findall(r'[\w-]+==[\d.]+', f.read())
        self.assertIn('duckdb', ' '.join(wanted))
        venv = os.path.join(self.folder, 'build-bench', 'venv')
        os.makedirs(os.path.join(venv, 'bin'))
        self.program('python', f'echo "python $*" >>{self.log}')
        os.rename(os.path.join(self.bin, 'python'), os.path.join(venv, 'bin', 'python'))
        done, calls = self.run_setup('bench')
        self.assertEqual((0, 1), (done.returncode, len(calls)))
        self.assertTrue(calls[0].startswith('python -m pip install ') and calls[0].endswith(' ' + ' '.join(wanted)), calls[0])
        for name in wanted: # pip writes folders with underscores
            os.makedirs(os.path.join(venv, 'lib', 'python3.11', 'site-packages', name.replace('-', '_').replace('==', '-') + '.dist-info'))
        done, calls = self.run_setup('bench')
        self.assertEqual((0, '', '', 1), (done.returncode, done.stdout, done.stderr, len(calls)))


if __name__ == '__main__':
    unittest.main()
