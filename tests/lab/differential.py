#!/usr/bin/env python3
"""Holds slackwater's bounded contract against oracle.py on thousands of documents, and prints TAP.

    differential.py --batch PATH/lab_batch --program PATH/slackwater [--count N] [--seed S]

Most documents go through lab_batch, which evaluates many in one process; some of each group go through the program
itself, half of them as a file, half on standard input. Compared are the exit status and the bytes of both outputs.
Where the contract asks for a refusal and leaves its words open (not UTF-8, nested deeper than 900), any one
{"error": …} line will do. N counts the documents drawn at random; the listed ones come on top.
"""
import argparse
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

import documents
import listed_documents
import oracle

CHUNK_BYTES = 16_000_000
PROGRAM_SHARE = 25  # of each group
TIMEOUT_S = 120  # a guard against hanging, not a measure


def run_batch(batch, data):
    """The answers of lab_batch, in order."""
    answers = []
    chunk, size = [], 0
    for document in [*data, None]:
        if chunk and (document is None or size + len(document) > CHUNK_BYTES):
            frames = b''.join(struct.pack('<I', len(one)) + one for one in chunk)
            done = subprocess.run([batch], input=frames, capture_output=True, timeout=TIMEOUT_S)
            if done.returncode != 0:
                said = done.stderr.decode(errors='replace')[:2000]
                raise RuntimeError(f'lab_batch ended with {done.returncode}: {said}')
            at = 0
            while at < len(done.stdout):
                status, length = struct.unpack_from('<BI', done.stdout, at)
                line = done.stdout[at + 5:at + 5 + length]
                answers.append(oracle.Answer(status, line, b'') if status == 0 else oracle.Answer(status, b'', line))
                at += 5 + length
            chunk, size = [], 0
        if document is not None:
            chunk.append(document)
            size += len(document)
    if len(answers) != len(data):
        raise RuntimeError(f'lab_batch gave {len(answers)} answers to {len(data)} documents')
    return answers


def run_program(program, document, as_file):
    with tempfile.NamedTemporaryFile() as file:
        file.write(document)
        file.flush()
        command = [program, 'lab'] + ([file.name] if as_file else [])
        with open(file.name, 'rb') as stdin:
            done = subprocess.run(command, stdin=subprocess.DEVNULL if as_file else stdin, capture_output=True,
                                  timeout=TIMEOUT_S)
    return oracle.Answer(done.returncode, done.stdout, done.stderr)


def is_error_line(data):
    """One line of ASCII that holds one JSON object with a text under `error`, and nothing else."""
    try:
        value = json.loads(data.decode('ascii'))
    except ValueError:
        return False
    one_line = data.endswith(b'\n') and data.count(b'\n') == 1
    return one_line and list(value) == ['error'] and isinstance(value['error'], str) and value['error'] != ''


def agrees(found, expected):
    if expected.err is None:
        return found.status == 2 and found.out == b'' and is_error_line(found.err)
    return found == expected


class Report:
    def __init__(self):
        self.number, self.failed = 0, 0

    def line(self, ok, text, notes=()):
        self.number += 1
        self.failed += not ok
        print(f'{"ok" if ok else "not ok"} {self.number} - {text}')
        for note in notes:
            print(f'# {note}')
        sys.stdout.flush()

    def compare(self, name, data, expected, found):
        wrong = [i for i in range(len(data)) if not agrees(found[i], expected[i])]
        evaluated = sum(answer.status == 0 for answer in expected)
        notes = [f'{evaluated} evaluated, {len(data) - evaluated} refused']
        for i in wrong[:3]:
            notes += [f'document {i}, {len(data[i])} bytes: {data[i][:400]!r}{" ..." if len(data[i]) > 400 else ""}',
                      f'  expected {str(expected[i])[:600]}', f'  found    {str(found[i])[:600]}']
        self.line(not wrong, f'{len(data)} {name} {"agree" if not wrong else f"({len(wrong)} of them differ)"}', notes)


def words_of(answers):
    """The different refusals seen, without their places."""
    words = set()
    for answer in answers:
        if answer.err:
            words.add(json.loads(answer.err)['error'].split(': line ')[0].split(': value has ')[0])
    return words


def reasons_of(answers):
    reports = [json.loads(answer.out) for answer in answers if answer.status == 0]
    return {difference['reason'] for report in reports for difference in report['differences']}


EXPECTED_WORDS = {
    'missing or unexpected fields', 'invalid identifier', 'integer outside contract', 'deleted must be boolean',
    'tombstone value must be null', 'at most 1000 rows', 'at most 1000 events', 'duplicate row key',
    'unknown operation', 'event identity reused with different content', 'duplicate JSON field',
    'input exceeds local limit', 'Expecting value', 'Extra data', "Expecting ',' delimiter", "Expecting ':' delimiter",
    'Expecting property name enclosed in double quotes', 'Invalid \\escape', 'Invalid \\uXXXX escape',
    'Invalid control character at', 'Unterminated string starting at', 'Unexpected UTF-8 BOM (decode using utf-8-sig)',
    'Exceeds the limit (4300 digits) for integer string conversion',
}
EXPECTED_REASONS = {'conflicting-version', 'missing-state', 'unexpected-state', 'state-mismatch'}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--batch', required=True)
    parser.add_argument('--program', required=True)
    parser.add_argument('--count', type=int, default=6000)
    parser.add_argument('--seed', type=int, default=20260930)
    options = parser.parse_args()

    if sys.implementation.name != 'cpython' or sys.version_info[:2] != (3, 11):
        this = f'{sys.implementation.name} {sys.version.split()[0]}'
        print(f'1..0 # SKIP the contract is that of CPython 3.11, this is {this}')
        return 0
    sys.setrecursionlimit(3000)
    sys.set_int_max_str_digits(4300)

    whole = sum(share for _, _, share in documents.GROUPS)
    groups = []
    for name, draw, share in documents.GROUPS:
        rng = random.Random(f'{options.seed} {name}')
        groups.append((name, [draw(rng) for _ in range(max(1, options.count * share // whole))]))
    groups += [(name, make()) for name, make in listed_documents.GROUPS]
    print(f'# seed {options.seed}, {sum(len(data) for _, data in groups)} documents')

    report = Report()
    everything, picked = [], []
    rng = random.Random(f'{options.seed} program')
    for name, data in groups:
        expected = [oracle.answer(document) for document in data]
        report.compare(name, data, expected, run_batch(options.batch, data))
        everything += expected
        picked += rng.sample(list(zip(data, expected)), min(len(data), PROGRAM_SHARE))
    data, expected = zip(*picked)
    found = [run_program(options.program, document, i % 2 == 0) for i, document in enumerate(data)]
    report.compare('documents given to the program', data, expected, found)

    # What was never provoked was never compared.
    words, reasons = words_of(everything), reasons_of(everything)
    report.line(words == EXPECTED_WORDS, f'the {len(EXPECTED_WORDS)} kinds of refusal were all provoked, and no other',
                [f'only on one side: {word}' for word in sorted(words ^ EXPECTED_WORDS)])
    report.line(reasons == EXPECTED_REASONS, f'the {len(EXPECTED_REASONS)} reasons of a difference were all provoked')
    print(f'1..{report.number}')
    return 1 if report.failed else 0


if __name__ == '__main__':
    sys.exit(main())
