"""examples/embed, compiled as its README says against what `meson install` installs, and run."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest

SOURCE, BUILD = os.environ['SW_SOURCE_ROOT'], os.environ['SW_BUILD_ROOT']
SANITIZE = os.environ.get('SW_SANITIZE', 'none')
DEMO = os.path.join(SOURCE, 'examples', 'demo')
DEMO_INPUTS = [os.path.join(DEMO, name + '.ndjson') for name in ('baseline', 'events', 'destination')]


def setUpModule():
    global root, environment, folder
    if not shutil.which('pkg-config') or not shutil.which('make'):
        raise unittest.SkipTest('pkg-config and make are needed to build a program against the library')
    root = tempfile.mkdtemp(prefix='slackwater-embed-')
    unittest.addModuleCleanup(shutil.rmtree, root)
    subprocess.run(['meson', 'install', '-C', BUILD, '--no-rebuild', '--quiet', '--destdir', root], check=True,
                   stdout=subprocess.DEVNULL)
    found = [top for top, _, names in os.walk(root) if 'slackwater.pc' in names]
    assert len(found) == 1, found
    # the file says where things will be; the root says where they are now
    environment = {**os.environ, 'PKG_CONFIG_PATH': found[0], 'PKG_CONFIG_SYSROOT_DIR': root,
                   'LD_LIBRARY_PATH': os.path.dirname(found[0])}
    if SANITIZE != 'none':
        environment.update(CFLAGS='-fsanitize=' + SANITIZE, LDFLAGS='-fsanitize=' + SANITIZE)
    folder = os.path.join(root, 'embed')
    shutil.copytree(os.path.join(SOURCE, 'examples', 'embed'), folder)


def make(*arguments):
    done = subprocess.run(['make', '-C', folder, *arguments], env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0 and 'warning:' not in done.stdout, done.stdout


def run(*arguments):
    return subprocess.run([os.path.join(folder, 'reconcile_files'), *arguments], env=environment, cwd=root,
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)


class Embed(unittest.TestCase):
    def check_demo(self):
        done = run(*DEMO_INPUTS)
        self.assertEqual((done.returncode, done.stderr), (1, ''))
        lines = done.stdout.splitlines()
        counts = {name: int(number) for name, number in (line.split() for line in lines[:5])}
        self.assertEqual(counts, {'keys': 8, 'equal': 3, 'differences': 5, 'conflictKeys': 1, 'undecidedKeys': 0})
        found = {(finding['key'], finding['reason']) for finding in map(json.loads, lines[5:])}
        self.assertEqual(found, {('order-1003', 'state-mismatch'), ('order-1004', 'state-mismatch'),
                                 ('order-1005', 'conflicting-version'), ('order-1006', 'unexpected-state'),
                                 ('order-1008', 'missing-state')})

    def test_the_example_runs_with_the_shared_library(self):
        make('clean', 'reconcile_files')
        needed = subprocess.run(['ldd', os.path.join(folder, 'reconcile_files')], env=environment, capture_output=True, text=True)
        self.assertIn(root, needed.stdout)
        self.check_demo()

    def test_the_example_runs_with_the_static_library(self):
        for top, _, names in os.walk(root):
            for name in names:
                if name.startswith('libslackwater.so'):
                    os.rename(os.path.join(top, name), os.path.join(top, 'hidden-' + name))
                    self.addCleanup(os.rename, os.path.join(top, 'hidden-' + name), os.path.join(top, name))
        # system libraries are not under the root that pkg-config puts before every path
        make('clean', 'reconcile_files', 'STATIC=--static')
        self.check_demo()

    def test_a_failure_says_where_and_why(self):
        make('reconcile_files')
        done = run('nowhere.ndjson', *DEMO_INPUTS[1:])
        self.assertEqual((done.returncode, done.stdout), (2, ''))
        self.assertIn('no such file: nowhere.ndjson', done.stderr)
        self.assertIn('[input]', done.stderr)
        self.assertEqual(run().returncode, 2)

    def test_a_declared_key_and_version_are_used(self):
        make('reconcile_files')
        with open(os.path.join(root, 'rows'), 'w', encoding='utf-8') as f:
            f.write('{"id":1,"ver":1,"v":"a"}\n{"id":2,"ver":1,"v":"b"}\n')
        with open(os.path.join(root, 'events'), 'w', encoding='utf-8') as f:
            f.write('{"id":2,"ver":3,"v":"d"}\n{"id":2,"ver":2,"v":"c"}\n')
        with open(os.path.join(root, 'same'), 'w', encoding='utf-8') as f:
            f.write('{"id":1,"ver":1,"v":"a"}\n{"id":2,"ver":3,"v":"d"}\n')
        done = run('rows', 'events', 'same', 'id', 'ver')
        self.assertEqual((done.returncode, done.stderr), (0, ''))
        self.assertEqual(done.stdout.split()[:4], ['keys', '2', 'equal', '2'])


if __name__ == '__main__':
    unittest.main()
