#!/usr/bin/env python3
"""Runs the cases that Markdown files describe, and reports each as a TAP point. docs/testing.md has the form.

    tests/spec/run.py [--build DIR] [--docs] [--only TEXT] [--update] [--keep] [FILE...]

Without FILE: every .md under tests/spec/, or with --docs README.md and every .md under docs/. In a document only
blocks marked `console test` are run. --update writes what the commands printed into the files, where it differs.
"""
import argparse
import concurrent.futures
import difflib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from decimal import Decimal

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TIMEOUT_S = 120
ANY_LINES, ANY_TEXT = '...', '[..]'
NO_NEWLINE = '\\ No newline at end of output'
ESCAPED = re.compile(r'\\(?=[$>?] |\.\.\.$|\\)')
MUST_ESCAPE = re.compile(r'[$>?] |\.\.\.$|\\(?! No newline at end of output$)')
FENCE = re.compile(r'( {0,3})(`{3,}|~{3,})\s*(.*?)\s*$')
HEADING = re.compile(r'(#{1,6})\s+(.*?)\s*#*\s*$')
SKIP_UNLESS = re.compile(r'<!--\s*skip unless:\s*(.*?)\s*-->\s*$')


class BadCase(Exception):
    pass


@dataclass
class Step:
    """One command of a console block. Lines are indices into the file; [first, end) is what stands for its output."""
    command: str
    line: int
    first: int
    end: int
    expected: list = field(default_factory=list)
    status: int = 0
    status_last: bool = False


@dataclass
class Block:
    kind: str            # file, console or expect
    line: int            # of the opening fence, from 0
    content: list
    name: str = ''       # file and expect
    language: str = ''
    steps: list = field(default_factory=list)


@dataclass
class Case:
    document: 'Document'
    name: str
    blocks: list = field(default_factory=list)
    skip_unless: str = ''


@dataclass
class Document:
    path: str
    lines: list
    cases: list = field(default_factory=list)


def parse_console(block):
    steps, i, lines = block.steps, 0, block.content
    while i < len(lines):
        if not lines[i].startswith('$ '):
            raise BadCase(f'line {block.line + 2 + i}: a console block starts with "$ " and a command')
        start, command = i, [lines[i][2:]]
        i += 1
        while i < len(lines) and lines[i].startswith('> '):
            command.append(lines[i][2:])
            i += 1
        first = i
        while i < len(lines) and not lines[i].startswith('$ '):
            i += 1
        step = Step('\n'.join(command), block.line + 2 + start, block.line + 1 + first, block.line + 1 + i)
        output = lines[first:i]
        status = re.compile(r'\? (\d+)$')
        if output and status.match(output[0]):
            step.status = int(status.match(output.pop(0)).group(1))
        elif output and status.match(output[-1]):
            step.status, step.status_last = int(status.match(output.pop()).group(1)), True
        step.expected = output
        steps.append(step)
    if not steps:
        raise BadCase(f'line {block.line + 1}: the console block has no command')


def block_of(info, line, content, docs):
    """The block that a fence's info string makes, or None where it only illustrates."""
    words = info.split()
    if words[:1] == ['console']:
        if words[1:] not in ([], ['test']):
            raise BadCase(f'line {line + 1}: a console block may only be marked "test"')
        if docs and words[1:] != ['test']:
            return None
        block = Block('console', line, content)
        parse_console(block)
        return block
    if len(words) == 2:
        block = Block('file', line, content, words[1], words[0])
    elif len(words) == 3 and words[1] == 'expect':
        block = Block('expect', line, content, words[2], words[0])
    else:
        if len(words) > 1 and not docs:
            raise BadCase(f'line {line + 1}: "{info}" is neither a file, an expectation nor a console block')
        return None
    if os.path.isabs(block.name) or '..' in block.name.split('/'):
        raise BadCase(f'line {line + 1}: {block.name} is outside the folder of the case')
    return block


def parse(path, docs):
    with open(path, encoding='utf-8') as f:
        document = Document(path, f.read().split('\n'))
    shared = Case(document, '')
    case, names, i, lines = shared, set(), 0, document.lines
    while i < len(lines):
        fence, heading, skip = FENCE.match(lines[i]), HEADING.match(lines[i]), SKIP_UNLESS.match(lines[i])
        if fence:
            start, mark = i, fence.group(2)
            closing = re.compile(r' {0,3}' + re.escape(mark[0]) + '{%d,}\\s*$' % len(mark))
            i += 1
            while i < len(lines) and not closing.match(lines[i]):
                i += 1
            if i == len(lines):
                raise BadCase(f'line {start + 1}: the block is not closed')
            block = block_of(fence.group(3), start, lines[start + 1:i], docs)
            if block:
                case.blocks.append(block)
        elif heading and len(heading.group(1)) > 1:
            case = Case(document, heading.group(2))
            document.cases.append(case)
        elif skip:
            case.skip_unless = skip.group(1)
        i += 1
    files = [block for block in shared.blocks if block.kind == 'file']
    if len(files) < len(shared.blocks) and not docs:
        raise BadCase(f'line {shared.blocks[0].line + 1}: only files may stand before the first heading of a case')
    for case in document.cases:
        runs = any(block.kind == 'console' for block in case.blocks)
        if case.blocks and not runs and not docs:
            raise BadCase(f'line {case.blocks[0].line + 1}: the case "{case.name}" has no console block')
        if runs and case.name in names:
            raise BadCase(f'two cases are called "{case.name}"')
        names.add(case.name)
        case.blocks = files + case.blocks
        case.skip_unless = case.skip_unless or shared.skip_unless
    shared.name = 'before the first heading'
    document.cases.insert(0, shared)
    document.cases = [c for c in document.cases if any(block.kind == 'console' for block in c.blocks)]
    return document


def printable(data):
    """What a command printed, as lines of text; bytes that are no text become escapes."""
    text = data.decode('utf-8', errors='backslashreplace')
    text = re.sub(r'[\x00-\x08\x0b-\x1f\x7f]', lambda m: f'\\x{ord(m.group()):02x}', text)
    lines = text.split('\n')
    last = lines.pop()
    return lines + ([last, NO_NEWLINE] if last else [])


def lines_match(expected, actual):
    pattern = ''
    for line in expected:
        if line == ANY_LINES:
            pattern += r'(?:[^\n]*\n)*?'
        else:
            line = ESCAPED.sub('', line, count=1) if ESCAPED.match(line) else line
            pattern += r'[^\n]*'.join(re.escape(part) for part in line.split(ANY_TEXT)) + r'\n'
    return re.fullmatch(pattern, ''.join(line + '\n' for line in actual)) is not None


def escape(lines):
    return ['\\' + line if MUST_ESCAPE.match(line) else line for line in lines]


def diff(expected, actual, what):
    return [line.rstrip('\n') for line in
            difflib.unified_diff(expected, escape(actual), f'{what}: expected', f'{what}: found', lineterm='')][:80]


def members(pairs):
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError(f'an object names a member twice: {[name for name, _ in pairs]}')
    return found


def parse_json(text):
    def refuse(word):
        raise ValueError(f'{word} is not JSON')
    return json.loads(text, parse_float=Decimal, parse_constant=refuse, object_pairs_hook=members)


SIDES = {'different': ('missingState', 'unexpectedState', 'stateMismatch'),
         'conflictKeys': ('conflictingVersion', 'identityReused', 'duplicateKey', 'inconsistentHistory'),
         'undecidedKeys': ('unordered', 'readAfterDelete', 'openTransaction', 'beyondCut', 'unknownColumn', 'invalidValue',
                           'notComparable', 'unreadableRecord')}


def report_problems(data):
    """What cannot be so in any report, whatever was compared: every case that prints or writes one is held against it."""
    if not data.startswith(b'{"schema":"slackwater.report/'):
        return []
    try:
        report = parse_json(data.decode('utf-8'))
    except ValueError as e:
        return [f'the report is not JSON: {e}']
    counts, problems = report['counts'], []

    def same(what, left, right):
        if left != right:
            problems.append(f'report: {what}: {left} and {right}')
    same('dispositions and records read', sum(report['dispositions'].values()), sum(report['records'].values()))
    same('records of the inputs and records read', sum(i['records'] for i in report['inputs']), sum(report['records'].values()))
    for of in [counts] + report['tables']:
        same('keys and their classes', of['keys'], of['equal'] + of['different'] + of['conflictKeys'] + of['undecidedKeys'])
        for side, reasons in SIDES.items():
            same(f'{side} and their reasons', of[side], sum(of[reason] for reason in reasons))
    same('keys and those of the tables', counts['keys'], sum(table['keys'] for table in report['tables']))
    same('differences, and different and conflict', counts['differences'], counts['different'] + counts['conflictKeys'])
    same('differences listed, and omitted', counts['differences'], report['differencesListed'] + report['differencesOmitted'])
    same('undecided listed, and omitted', counts['undecidedKeys'], report['undecidedListed'] + report['undecidedOmitted'])
    same('differences listed', report['differencesListed'], len(report['differences']))
    same('undecided listed', report['undecidedListed'], len(report['undecided']))
    bad = report['badRecords']['count']
    same('bad records and their disposition', bad, report['dispositions']['bad'])
    same('bad records and those of the inputs', bad, sum(i['badRecords'] for i in report['inputs']))
    clean = not (counts['keys'] - counts['equal'] or bad)
    if report['exitStatus'] == 0 and not clean or report['matchesDeclaredReference'] and not (clean and counts['keys']):
        problems.append('report: it claims equality over keys that are not equal, or records that were not read')
    return problems


def is_gap(item):
    return isinstance(item, dict) and item == {ANY_LINES: True}


def json_problems(expected, actual, at='$'):
    """What of `expected` is not in `actual`: objects by member, arrays whole but where {"...": true} stands."""
    def short(value):
        text = json.dumps(value, default=str, ensure_ascii=False)
        return text if len(text) < 200 else text[:200] + '…'
    if isinstance(expected, dict) and isinstance(actual, dict):
        problems = []
        for name, wanted in expected.items():
            if name == ANY_LINES:
                more = sorted(set(actual) - set(expected))
                if wanted is False and more:
                    problems.append(f'{at} has further members: {", ".join(more)}')
            elif name not in actual:
                problems.append(f'{at}.{name} is absent, expected {short(wanted)}')
            else:
                problems += json_problems(wanted, actual[name], f'{at}.{name}')
        return problems
    if isinstance(expected, list) and isinstance(actual, list):
        if not any(map(is_gap, expected)):
            problems = []
            if len(expected) != len(actual):
                problems.append(f'{at} has {len(actual)} elements, expected {len(expected)}')
            for i, (wanted, found) in enumerate(zip(expected, actual)):
                problems += json_problems(wanted, found, f'{at}[{i}]')
            return problems
        # reach[j]: the elements of `expected` so far can stand for the first j of `actual`
        reach = [True] + [False] * len(actual)
        for wanted in expected:
            if is_gap(wanted):
                first = reach.index(True) if True in reach else len(reach)
                reach = [j >= first for j in range(len(reach))]
            else:
                reach = [False] + [reach[j] and not json_problems(wanted, actual[j]) for j in range(len(actual))]
        return [] if reach[-1] else [f'{at} does not hold these elements in this order: {short(expected)}',
                                     f'{at} is {short(actual)}']
    if isinstance(expected, str) and isinstance(actual, str) and ANY_TEXT in expected:
        if re.fullmatch('.*'.join(map(re.escape, expected.split(ANY_TEXT))), actual, re.S):
            return []
    elif type(expected) is type(actual) or {type(expected), type(actual)} == {int, Decimal}:
        if expected == actual:
            return []
    return [f'{at} is {short(actual)}, expected {short(expected)}']


class Runner:
    def __init__(self, build, docs, keep):
        self.build, self.docs, self.keep = os.path.abspath(build), docs, keep

    def run(self, case):
        """The problems of a case, and the edits that --update would make: (first, end, lines)."""
        folder = tempfile.mkdtemp(prefix='slackwater-spec-')
        work = os.path.join(folder, 'work')
        os.mkdir(work)
        try:
            if self.docs:
                for name in ('examples', 'docs'):
                    if os.path.exists(os.path.join(ROOT, name)):
                        os.symlink(os.path.join(ROOT, name), os.path.join(work, name))
                os.symlink(self.build, os.path.join(work, 'build'))
            return self.run_in(case, folder, work)
        finally:
            if self.keep:
                print(f'# {case.name}: {work}', file=sys.stderr)
            else:
                shutil.rmtree(folder, ignore_errors=True)

    def shell(self, command, folder, work):
        env = {name: value for name, value in os.environ.items() if re.fullmatch(r'\w*SAN_OPTIONS|MALLOC_\w+', name)}
        env.update(PATH=self.build + os.pathsep + os.environ.get('PATH', os.defpath), HOME=folder, TMPDIR=folder,
                   LC_ALL='C.UTF-8', TZ='UTC0', SW_ROOT=ROOT, SW_BUILD=self.build)
        child = subprocess.Popen(['sh', '-c', command], cwd=work, env=env, stdin=subprocess.DEVNULL,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, err = child.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            out, err = child.communicate()
            err += f'\nkilled after {TIMEOUT_S} s'.encode()
        return child.returncode, out, err

    def run_in(self, case, folder, work):
        problems, edits, last = [], [], b''
        if case.skip_unless and self.shell(case.skip_unless, folder, work)[0]:
            return None, []
        for block in case.blocks:
            path = os.path.join(work, block.name)
            if block.kind == 'file':
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, 'w', encoding='utf-8', newline='') as f:
                    f.writelines(line + '\n' for line in block.content)
            elif block.kind == 'console':
                for step in block.steps:
                    last = self.run_step(step, folder, work, problems, edits)
                    problems.extend(f'line {step.line}: {problem}' for problem in report_problems(last))
            else:
                self.check_expectation(block, path, last, problems, edits)
        return problems, edits

    def run_step(self, step, folder, work, problems, edits):
        status, out, err = self.shell(step.command, folder, work)
        actual = printable(out)
        same = lines_match(step.expected, actual)
        if same and status == step.status:
            return out
        problems.append(f'line {step.line}: $ {step.command}')
        if status != step.status:
            problems.append(f'exit status {status}, expected {step.status}')
        if not same:
            problems.extend(diff(step.expected, actual, 'stdout'))
        problems.extend('stderr: ' + line for line in printable(err)[:20])
        if status >= 0:
            says = [f'? {status}'] if status else []
            lines = step.expected if same else escape(actual)
            edits.append((step.first, step.end, lines + says if step.status_last else says + lines))
        return out

    def check_expectation(self, block, path, last, problems, edits):
        where = f'line {block.line + 1}: {block.name}'
        if block.name == '-':
            data = last
        elif os.path.isfile(path):
            with open(path, 'rb') as f:
                data = f.read()
        else:
            problems.append(f'{where} was not written')
            return
        text = '\n'.join(block.content)
        if block.name != '-':
            problems.extend(f'{where}: {problem}' for problem in report_problems(data))
        if block.language == 'json':
            try:
                wanted = parse_json(text)
            except ValueError as e:
                problems.append(f'{where}: the expectation is not JSON: {e}')
                return
            try:
                found = parse_json(data.decode('utf-8'))
            except ValueError as e:
                problems.append(f'{where} is not JSON: {e}')
                return
            problems.extend(f'{where}: {problem}' for problem in json_problems(wanted, found))
        elif not lines_match(block.content, printable(data)):
            problems.extend(diff(block.content, printable(data), where))
            edits.append((block.line + 1, block.line + 1 + len(block.content), escape(printable(data))))


def update(document, edits):
    """Writes the edits into the file; False where what was printed cannot stand in a block."""
    lines = list(document.lines)
    for first, end, new in sorted(edits, reverse=True):
        if any(FENCE.match(line) for line in new):
            return False
        lines[first:end] = new
    with open(document.path, 'w', encoding='utf-8', newline='') as f:
        f.write('\n'.join(lines))
    return True


def find_documents(docs):
    tops = ['README.md', 'CONTRIBUTING.md', 'docs'] if docs else ['tests/spec']
    for top in (os.path.join(ROOT, top) for top in tops):
        if os.path.isfile(top):
            yield top
        for folder, folders, names in os.walk(top):
            folders.sort()
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith('.md'))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--build', default=os.path.join(ROOT, 'build'), help='the folder with the program')
    parser.add_argument('--docs', action='store_true', help='run the "console test" blocks of documents')
    parser.add_argument('--only', default='', metavar='TEXT', help='only cases whose name contains TEXT')
    parser.add_argument('--update', action='store_true', help='write what was printed into the files')
    parser.add_argument('--keep', action='store_true', help='keep the folder of each case, and name it')
    parser.add_argument('files', nargs='*', metavar='FILE')
    a = parser.parse_args()
    runner = Runner(a.build, a.docs, a.keep)
    points, cases = [], []
    for path in a.files or find_documents(a.docs):
        label = os.path.relpath(path, ROOT) if os.path.abspath(path).startswith(ROOT + os.sep) else path
        label = label.removeprefix('tests/spec/')
        try:
            cases += [(label, case) for case in parse(path, a.docs).cases if a.only in case.name]
        except (BadCase, OSError, UnicodeDecodeError) as e:
            points.append((label, [str(e)]))
    if not points and not cases:
        print('1..0 # SKIP no case to run')
        return 0
    print(f'1..{len(points) + len(cases)}')
    failed, number, edits_of = len(points), 0, {}
    for number, (label, problems) in enumerate(points, 1):
        print(f'not ok {number} - {label}')
        print(*('# ' + line for line in problems), sep='\n', flush=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (label, case), (problems, edits) in zip(cases, pool.map(lambda item: runner.run(item[1]), cases)):
            number += 1
            name = f'{label}: {case.name}'.replace('#', '\\#')
            if problems is None:
                print(f'ok {number} - {name} # SKIP not so: {case.skip_unless}', flush=True)
                continue
            print(f'{"not ok" if problems else "ok"} {number} - {name}', flush=True)
            for line in problems:
                print('# ' + line.replace('\n', '\n#   '), flush=True)
            failed += bool(problems)
            if edits:
                edits_of.setdefault(case.document.path, (case.document, []))[1].extend(edits)
    if a.update:
        for document, edits in edits_of.values():
            done = update(document, edits)
            print(f'# {document.path}: ' + ('updated' if done else 'not updated: the output has a line like a fence'))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
