"""scripts/check-layers must be able to fail: each rule is shown a small tree that breaks it, and that only."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'scripts', 'check-layers')

INTACT = {
    'include/slackwater/export.h': '#ifndef X_H\n#define X_H\n#include <stddef.h>\n#endif\n',
    'include/slackwater/report.h': '#ifndef R_H\n#define R_H\n#include "slackwater/export.h"\nint sw_x(size_t n);\n#endif\n',
    'include/slackwater/meson.build': "install_headers('export.h', 'report.h', subdir: 'slackwater')\n",
    'src/base/memory.h': '',
    'src/base/memory.c': '#include "base/memory.h"\n#include <stdlib.h>\nvoid *f(void) { return malloc(1); }\n',
    'src/text/json.h': '#include "base/memory.h"\n',
    'src/text/json.c': '#include "text/json.h"\n/* malloc( in a comment */ const char *s = "free(";\nvoid g(void) { x->free(y); }\n',
    'src/format/format.h': '#include "text/json.h"\n',
    'src/format/registry.c': '#include "format/format.h"\n#include "format/maxwell.h"\n',
    'src/format/maxwell.h': '',
    'src/format/maxwell.c': '#include "format/maxwell.h"\n#include "format/format.h"\n#include "base/memory.h"\n',
    'src/format/debezium/parts.h': '',
    'src/format/debezium/envelope.c': '#include "format/debezium/parts.h"\n#include "format/format.h"\n',
    'src/client/postgresql.c': '#include <libpq-fe.h>\n',
    'src/lab/lab.c': '#include "slackwater/report.h"\n#include "format/format.h"\n',
    'cli/main.c': '#include <stdio.h>\n#include "slackwater/report.h"\n#include "options.h"\n',
    'cli/options.h': '',
    'examples/embed.c': '#include "slackwater/report.h"\n',
}


LAYERS = 'base text model position order mapping format client source fold report reconcile continuity sink challenge case sql lab'.split()


def architecture(files):
    """The list of folders that such a tree should have."""
    folders = {path.split('/')[1] for path in files if path.startswith('src/')}
    return '| folder | |\n' + ''.join(f'| `{name}/` | x |\n' for name in [n for n in LAYERS if n in folders] + ['cli'])


def check(files, *options):
    root = tempfile.mkdtemp()
    files = {'docs/architecture.md': architecture(files), **files}
    try:
        for path, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
            with open(os.path.join(root, path), 'w', encoding='utf-8') as f:
                f.write(text)
        done = subprocess.run([sys.executable, SCRIPT, '--root', root, *options], capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr
    finally:
        shutil.rmtree(root)


class CheckLayers(unittest.TestCase):
    def test_an_intact_tree_passes(self):
        self.assertEqual((0, ''), check(INTACT))

    def breaks(self, rule, place, change):
        """The change must be reported at `place` under `rule`, and nothing else must be."""
        status, said = check({**INTACT, **change})
        self.assertEqual(1, status, said)
        lines = said.splitlines()
        self.assertEqual({rule}, {line.split(': ')[1] for line in lines}, said)
        self.assertIn(place, [line.split(': ')[0] for line in lines], said)

    def test_a_folder_that_includes_a_later_one_is_reported(self):
        self.breaks('layer', 'src/text/json.c:2', {'src/text/json.c': '\n#include "format/format.h"\n'})

    def test_an_angled_include_of_a_later_folder_is_reported(self):
        self.breaks('layer', 'src/base/memory.c:1', {'src/base/memory.c': '#include <text/json.h>\n'})

    def test_an_include_through_the_parent_folder_is_reported(self):
        self.breaks('layer', 'src/base/memory.c:1', {'src/base/memory.c': '#include "../text/json.h"\n'})

    def test_an_include_that_a_macro_names_is_reported(self):
        self.breaks('layer', 'src/base/memory.c:2', {'src/base/memory.c': '#define H "a.h"\n#include H\n'})

    def test_an_include_that_nothing_provides_is_reported(self):
        self.breaks('layer', 'src/base/memory.c:1', {'src/base/memory.c': '#include "base/absent.h"\n'})

    def test_a_file_outside_every_layer_is_reported(self):
        self.breaks('layer', 'src/stray.c:1', {'src/stray.c': ''})
        self.breaks('layer', 'src/common/x.c:1', {'src/common/x.c': ''})

    def test_a_format_that_includes_another_is_reported(self):
        self.breaks('sideways', 'src/format/canal.c:1', {'src/format/canal.c': '#include "format/maxwell.h"\n'})
        self.breaks('sideways', 'src/format/canal.c:1', {'src/format/canal.c': '#include "maxwell.h"\n'})
        self.breaks('sideways', 'src/format/canal.c:1', {'src/format/canal.c': '#include "format/debezium/parts.h"\n'})

    def test_what_every_format_is_made_of_may_be_included(self):
        status, said = check({**INTACT, 'src/format/bind.h': '', 'src/format/canal.c': '#include "format/bind.h"\n'})
        self.assertEqual(0, status, said)

    def test_sources_orders_sinks_and_dialects_do_not_know_each_other_either(self):
        for folder in ('source', 'order', 'sink', 'sql'):
            self.breaks('sideways', f'src/{folder}/a.c:1',
                        {f'src/{folder}/a.c': f'#include "{folder}/b.h"\n', f'src/{folder}/b.h': ''})

    def test_a_public_header_that_includes_an_internal_or_system_one_is_reported(self):
        for name in ('base/memory.h', 'slackwater/absent.h'):
            status, said = check({**INTACT, 'include/slackwater/report.h': f'#include "{name}"\n'})
            self.assertEqual(1, status)
            self.assertIn('include/slackwater/report.h:1: public: ', said)
        self.breaks('public', 'include/slackwater/report.h:1', {'include/slackwater/report.h': '#include <unistd.h>\n'})

    def test_a_command_that_includes_an_internal_header_is_reported(self):
        self.breaks('outside', 'cli/main.c:1', {'cli/main.c': '#include "base/memory.h"\n'})
        self.breaks('outside', 'cli/main.c:1', {'cli/main.c': '#include <base/memory.h>\n'})
        self.breaks('outside', 'cli/main.c:1', {'cli/main.c': '#include "../src/base/memory.h"\n'})
        self.breaks('outside', 'cli/main.c:1', {'cli/main.c': '#include "slackwater/absent.h"\n'})
        self.breaks('outside', 'examples/embed.c:2', {'examples/embed.c': '\n#include "text/json.h"\n'})

    def test_a_vendor_header_outside_the_clients_is_reported(self):
        for path in ('src/source/postgresql.c', 'src/client/postgresql.h', 'cli/main.c'):
            self.breaks('vendor', path + ':1', {path: '#include <libpq-fe.h>\n'})
        for name in ('mysql.h', 'mariadb/mysql.h', 'sqlite3.h', 'librdkafka/rdkafka.h'):
            self.breaks('vendor', 'src/source/x.c:1', {'src/source/x.c': f'#include <{name}>\n'})

    def test_a_vendor_header_that_two_clients_name_is_reported(self):
        self.breaks('vendor', 'src/client/redshift.c:1', {'src/client/redshift.c': '#include <libpq-fe.h>\n'})

    def test_a_long_file_is_reported_and_a_file_at_the_limit_is_not(self):
        self.assertEqual((0, ''), check({**INTACT, 'tests/unit/test_x.c': '\n' * 800}))
        self.breaks('size', 'tests/unit/test_x.c:801', {'tests/unit/test_x.c': '\n' * 801})
        self.breaks('size', 'scripts/tool:801', {'scripts/tool': '\n' * 801})

    def test_raw_allocation_outside_base_is_reported(self):
        for call in ('malloc(1)', 'calloc (1, 2)', 'realloc(p, 1)', 'free(p)', 'strdup(s)', 'asprintf(&p, s)'):
            self.breaks('memory', 'src/text/json.c:2', {'src/text/json.c': f'\nvoid f(void) {{ {call}; }}\n'})

    def test_a_folder_that_the_architecture_does_not_list_in_its_place_is_reported(self):
        intact = architecture(INTACT)
        for text in (intact.replace('| `text/` | x |\n', ''), intact.replace('| `lab/` | x |\n', '| `lab/` | x |\n| `order/` | x |\n'),
                     intact.replace('`base/`', '`b/`').replace('`text/`', '`base/`').replace('`b/`', '`text/`')):
            self.breaks('documented', 'docs/architecture.md:2', {'docs/architecture.md': text})
        self.breaks('documented', 'docs/architecture.md:2', {'src/model/row.h': '', 'docs/architecture.md': intact})

    def test_a_public_header_that_is_not_installed_is_reported(self):
        self.breaks('installed', 'include/slackwater/new.h:1', {'include/slackwater/new.h': 'extern int sw_new;\n'})

    def both_reported(self, header, rules):
        status, said = check({**INTACT, 'include/slackwater/report.h': header})
        self.assertEqual(1, status, said)
        for rule in ('alone-c', 'alone-c++'):
            (self.assertIn if rule in rules else self.assertNotIn)(f'report.h:1: {rule}: ', said)

    def test_a_public_header_that_needs_another_first_is_reported(self):
        self.both_reported('void sw_f(size_t n);\n', ['alone-c', 'alone-c++'])

    @unittest.skipUnless(shutil.which('c++'), 'no C++ compiler here')
    def test_a_public_header_that_only_c_understands_is_reported(self):
        self.both_reported('#pragma once\nstatic inline int sw_f(int class) { return class; }\n', ['alone-c++'])

    def library(self, source):
        folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, folder)
        path = os.path.join(folder, 'lib.so')
        subprocess.run(['cc', '-shared', '-fPIC', '-x', 'c', '-', '-o', path], input=source, text=True, check=True)
        return path

    def test_exports_that_do_not_bear_the_prefix_are_reported(self):
        self.assertEqual((0, ''), check(INTACT, '--library', self.library('int sw_a;')))
        for name in ('helper', 'sw__internal'):
            status, said = check(INTACT, '--library', self.library(f'int sw_a; void {name}(void) {{}}'))
            self.assertEqual(1, status)
            self.assertIn(f'exports: exports {name}', said)

    def test_a_library_without_exports_or_that_is_not_there_is_reported(self):
        for path in (self.library('static int x; int *sw_hidden(void) __attribute__((visibility("hidden")));'), '/absent.so'):
            status, said = check(INTACT, '--library', path)
            self.assertEqual(1, status)
            self.assertIn('exports: nm found no exported symbol', said)

    def test_tap_has_one_point_a_rule_and_names_what_broke(self):
        status, said = check({**INTACT, 'src/stray.c': ''}, '--tap')
        self.assertEqual(1, status)
        self.assertIn('\nnot ok 1 - ', '\n' + said.split('\n', 1)[1])
        self.assertIn('# src/stray.c:1: layer: ', said)
        self.assertEqual(1, said.count('not ok'))
        self.assertIn('# SKIP no library was named', said)


if __name__ == '__main__':
    unittest.main()
