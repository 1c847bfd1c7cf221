#!/usr/bin/env python3
"""The examples in the public headers are C against these headers: each is compiled as it stands, inside a function that has what its text calls the caller's."""
import os
import re
import shutil
import subprocess
import unittest

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')
HEADERS = os.path.join(ROOT, 'include', 'slackwater')
COMMON = 'int status = 0; struct sw_error error = {0}; struct sw_summary_style style = {0}; sw_write_fn write = 0; void *ctx = 0; (void)status, (void)error, (void)style, (void)write, (void)ctx;'
CALLERS = { # what an example takes for granted
    'challenge.h': 'struct sw_reconcile_options run; sw_reconcile_options_init(&run);',
    'error.h': 'struct sw_report *report = 0; struct sw_reconcile_options options; sw_reconcile_options_init(&options);',
    'lab.h': 'const char *document = "{}"; size_t document_len = 2;',
    'position.h': '',
    'reconcile.h': '',
    'scan.h': 'const char *files[] = {"a", "b"};',
}
WITHOUT = {'export.h', 'names.h', 'output.h', 'report.h', 'version.h'} # no example: one call, or calls on what another header makes


def example(header):
    with open(os.path.join(HEADERS, header), encoding='utf-8') as file:
        comment = file.read().split('*/')[0]
    blocks = re.findall(r'(?:^ \*     .*\n)+', comment + '\n', re.MULTILINE)
    code = ''.join(block for block in blocks if block.rstrip().endswith((';', '}')))  # others show how something is written
    return '\n'.join(re.sub(r'(^|\s+)…[^"]*$', '', line[7:]) for line in code.splitlines())  # what is left to the reader


def compiles(code, header):
    includes = ''.join(f'#include "slackwater/{name}"\n' for name in sorted(os.listdir(HEADERS)) if name.endswith('.h'))
    program = f'#include <stdio.h>\n{includes}int example(void);\nint example(void)\n{{\n{COMMON}\n{CALLERS.get(header, "")}\n{{\n{code}\n}}\nreturn status;\n}}\n'
    return subprocess.run([os.environ.get('CC', 'cc').split()[-1], '-std=c17', '-Wall', '-Wextra', '-Werror', '-fsyntax-only', '-I', os.path.join(ROOT, 'include'), '-x', 'c', '-'], input=program,
                          capture_output=True, text=True)


@unittest.skipUnless(shutil.which(os.environ.get('CC', 'cc').split()[-1]), 'no C compiler')
class Examples(unittest.TestCase):
    def test_each_example_compiles_as_it_stands(self):
        for header in sorted(os.listdir(HEADERS)):
            if not header.endswith('.h') or header in WITHOUT:
                continue
            code = example(header)
            self.assertTrue(code, f'{header} has no example')
            done = compiles(code, header)
            self.assertEqual(0, done.returncode, f'{header}:\n{done.stderr}')

    def test_a_call_that_is_not_there_or_has_other_arguments_is_seen(self):
        code = example('reconcile.h')
        self.assertNotEqual(0, compiles(code.replace('sw_reconcile(', 'sw_reconcile_run('), 'reconcile.h').returncode)
        self.assertNotEqual(0, compiles(code.replace('&style, write', 'write'), 'reconcile.h').returncode)


if __name__ == '__main__':
    unittest.main()
