#!/usr/bin/env python3
"""Runs the unittest cases of one file and reports each as a TAP line, so that Meson counts them one by one.

    unittest_tap.py FILE [PATTERN...]

A test is named by the first line of its docstring, else by its method name read as a sentence. With patterns,
only tests whose name contains one of them run. Exit status: 0 all passed or skipped, 1 not.
"""
import importlib.util
import os
import sys
import traceback
import unittest


def sentence(test):
    return test.shortDescription() or getattr(test, '_testMethodName', str(test)).removeprefix('test_').replace('_', ' ')


class TapResult(unittest.TestResult):
    def __init__(self, out):
        super().__init__()
        self.out = out
        self.count = 0

    def point(self, ok, test, extra='', detail=''):
        self.count += 1
        name = sentence(test).replace('#', '\\#')
        print(f"{'ok' if ok else 'not ok'} {self.count} - {name}{extra}", file=self.out)
        for line in detail.splitlines():
            print(f'# {line}', file=self.out)
        self.out.flush()

    def addSuccess(self, test):
        self.point(True, test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.point(True, test, f' # SKIP {reason}')

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.point(False, test, detail=''.join(traceback.format_exception(*err)))

    def addError(self, test, err):
        super().addError(test, err)
        self.point(False, test, detail=''.join(traceback.format_exception(*err)))

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.point(False, subtest, detail=''.join(traceback.format_exception(*err)))

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.point(False, test, ' # TODO expected to fail')

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.point(False, test, detail='passed, but is marked as expected to fail')


def flatten(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from flatten(item)
        else:
            yield item


def main():
    if len(sys.argv) < 2:
        sys.exit('usage: unittest_tap.py FILE [PATTERN...]')
    path, patterns = os.path.abspath(sys.argv[1]), sys.argv[2:]
    # What a test prints must not be read as TAP: its stdout goes to stderr, TAP keeps the real one.
    out = os.fdopen(os.dup(1), 'w')
    os.dup2(2, 1)
    sys.path.insert(0, os.path.dirname(path))
    spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    if patterns:
        suite = unittest.TestSuite(t for t in flatten(suite) if any(p in sentence(t) for p in patterns))
    result = TapResult(out)
    suite.run(result)
    print(f'1..{result.count}', file=out)
    out.close()
    return 0 if result.wasSuccessful() and result.count else 1


if __name__ == '__main__':
    sys.exit(main())
