#!/usr/bin/env python3
"""Measures `slackwater reconcile` against the same job in DuckDB, on the same files, in one run; prints ratios.

    bench/run.py [--keys N] [--shape int,wide] [--form ndjson,csv] [--runs N] [--threads N] [--memory SIZE] …

Each option has a twin in the environment, in capitals, for `make bench KEYS=1000000 FORM=csv`. Inputs are made once, by
bench/gen_case.c, and kept in build-bench/. Every run of both has to give the counts of truth.json, or nothing
is reported. The two run by turns, and so does `wc -l` over the same bytes, the least that reading them can take. What stands in
the table: wall seconds (DuckDB's without the start of Python) and the peak memory of the process.

Writes results.json and results.md there. Exit status: 0 measured, 1 a wrong answer, 2 usage, 4 it
could not run.
"""
import argparse
import functools
import hashlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass

from turns import CouldNotRun, Run, WrongAnswer, add_options, by_turns, conditions, costs, execute, exit_status, hold_against_truth, machine, pair, positive, publish, ratio

HERE = os.path.dirname(os.path.abspath(__file__))
ROLES = ('baseline', 'events', 'expected')
COUNTS = ('states', 'tombstones', 'conflictKeys', 'duplicateDeliveries', 'missingState', 'unexpectedState',
          'stateMismatch', 'differences')


@dataclass
class Case:
    shape: str
    form: str
    folder: str

    def path(self, role):
        return os.path.join(self.folder, f'{role}.{self.form}')

    def truth(self):
        with open(os.path.join(self.folder, 'truth.json'), encoding='utf-8') as f:
            return json.load(f)


def make_case(a, shape, form):
    """The inputs, from the cache if the same generator made them before."""
    with open(os.path.join(HERE, 'gen_case.c'), 'rb') as f:
        generator = hashlib.sha256(f.read()).hexdigest()[:8]
    name = f'{shape}-{form}-{a.keys}x{a.events_per_key}-seed{a.seed}-{generator}'
    case = Case(shape, form, os.path.join(a.work, 'cases', name))
    if not os.path.exists(case.folder):
        making = case.folder + '.making'
        shutil.rmtree(making, ignore_errors=True)
        os.makedirs(making)
        print(f'making {name}', file=sys.stderr, flush=True)
        program = os.path.join(a.build, 'bench', 'gen_case')
        subprocess.run([program, making, str(a.keys), str(a.events_per_key), shape, form, str(a.seed)], check=True)
        os.rename(making, case.folder)
    return case


def slackwater_with(a, case, digest):
    command = [os.path.join(a.build, 'slackwater'), 'reconcile', '--json', '--threads', str(a.threads)]
    for role in ROLES:
        command += ['--' + role, case.path(role)]
    if a.memory:
        command += ['--memory', a.memory]
    command += ['--digest', digest]
    status, text, said, run = execute(a.work, command, 'slackwater')
    truth = case.truth()
    if status != (1 if truth['differences'] else 0):
        raise CouldNotRun(f'ended with status {status}: {" ".join(command)}\n{said or text[:2000]}')
    try:
        report = json.loads(text)
        found = {name: report['counts'][name] for name in COUNTS}
        found.update({role: report['records'][role] for role in ROLES})
    except (ValueError, KeyError, TypeError) as e:
        raise CouldNotRun(f'printed no report with the counts ({type(e).__name__}: {e}): {" ".join(command)}') from e
    hold_against_truth('slackwater', truth, found)
    return run


def slackwater(a, case):
    return slackwater_with(a, case, a.digest or 'none')


def slackwater_sha256(a, case):
    """What a report for a case costs: the digests of all inputs, too."""
    return slackwater_with(a, case, 'sha256')


def duckdb(a, case):
    command = [os.path.join(a.work, 'venv', 'bin', 'python'), os.path.join(HERE, 'same_job.py'), case.folder, case.form,
               '--shape', case.shape, '--threads', str(a.threads), '--memory', a.duckdb_memory]
    status, text, said, run = execute(a.work, command, 'duckdb')
    if status:
        raise CouldNotRun(f'ended with status {status}: {" ".join(command)}\n{said}')
    answer = json.loads(text)
    if answer['counts'].pop('reusedIdentities'):
        raise WrongAnswer('DuckDB finds reused identities, and there are none')
    hold_against_truth('DuckDB', case.truth(), answer['counts'])
    return Run(answer['seconds'], run.peak_mib)


def wc(a, case):
    status, text, said, run = execute(a.work, ['wc', '-l', *map(case.path, ROLES)], 'wc')
    if status:
        raise CouldNotRun(f'wc ended with status {status}: {said}')
    truth, heads = case.truth(), len(ROLES) if case.form == 'csv' else 0
    if int(text.split()[-2]) != sum(truth[role] for role in ROLES) + heads:
        raise WrongAnswer(f'{case.folder} does not have the lines that truth.json says')
    return run


PROGRAMS = {'slackwater': slackwater, 'slackwater_sha256': slackwater_sha256, 'duckdb': duckdb, 'wc': wc}


def measure(a, case):
    programs = {name: functools.partial(run, a, case) for name, run in PROGRAMS.items() if name == 'wc' or a.only in ('', name.split('_')[0])}
    return by_turns(f'{case.shape} {case.form}', programs, a.runs)


def summary(case, runs):
    size = sum(os.path.getsize(case.path(role)) for role in ROLES)
    found = {'shape': case.shape, 'form': case.form, 'bytes': size, 'truth': case.truth(),
             'runs': {name: [vars(run) for run in of] for name, of in runs.items()}}
    found.update({name: costs(of) for name, of in runs.items()})
    if 'slackwater' in runs and 'duckdb' in runs:
        found['speed_of_duckdb'] = ratio(found['duckdb'], found['slackwater'], 'seconds')
        found['memory_of_duckdb'] = ratio(found['slackwater'], found['duckdb'], 'peak_mib')
    if 'slackwater_sha256' in runs:
        found['digests'] = ratio(found['slackwater_sha256'], found['slackwater'], 'seconds')
    for name in ('slackwater', 'duckdb'):
        if name in runs:
            found[name]['seconds_of_wc'] = ratio(found[name], found['wc'], 'seconds')
    return found


def table(about, cases):
    def cell(case, keys, form):
        for key in keys:
            case = case.get(key)
            if case is None:
                return '–'
        return pair(case, form)
    lines = [f'{about["keys"]:,} keys, {about["events_per_key"]} events a key, DuckDB {about["duckdb"] or "absent"}, {conditions(about)}', '']
    columns = [('speed, times DuckDB', ('speed_of_duckdb',), '.2f'), ('memory, share of DuckDB', ('memory_of_duckdb',), '.2f'),
               ('with SHA-256 of the inputs, times without', ('digests',), '.2f'),
               ('time, times `wc -l`', ('slackwater', 'seconds_of_wc'), '.1f'),
               ('DuckDB, times `wc -l`', ('duckdb', 'seconds_of_wc'), '.1f'),
               ('seconds', ('slackwater', 'seconds'), '.2f'), ('DuckDB', ('duckdb', 'seconds'), '.2f'),
               ('MiB', ('slackwater', 'peak_mib'), '.0f'), ('DuckDB', ('duckdb', 'peak_mib'), '.0f')]
    lines.append('| input | ' + ' | '.join(name for name, _, _ in columns) + ' |')
    lines.append('| --- |' + ' --- |' * len(columns))
    for case in cases:
        lines.append(f'| {case["shape"]} {case["form"]}, {case["bytes"] / 1e6:.0f} MB | '
                     + ' | '.join(cell(case, keys, form) for _, keys, form in columns) + ' |')
    return '\n'.join(lines) + '\n'


def parse_options():
    env = os.environ.get

    def words(allowed):
        def parse(text):
            found = text.replace(',', ' ').split()
            if not found or set(found) - set(allowed):
                raise argparse.ArgumentTypeError(f'"{text}" is none of {", ".join(allowed)}')
            return found
        return parse

    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    option = parser.add_argument
    option('--keys', type=positive, default=env('KEYS', '5000000'))
    option('--events-per-key', type=positive, default=env('EVENTS_PER_KEY', '2'))
    option('--seed', type=int, default=env('SEED', '1'))
    option('--shape', type=words(['int', 'wide']), default=env('SHAPE', 'int,wide'))
    option('--form', type=words(['ndjson', 'csv']), default=env('FORM', 'ndjson,csv'))
    add_options(parser, runs=5, threads=2)
    option('--memory', default=env('MEMORY', ''), metavar='SIZE', help="slackwater's --memory")
    option('--digest', choices=['', 'sha256', 'none'], default=env('DIGEST', ''), help="slackwater's --digest")
    option('--only', choices=['', 'slackwater', 'duckdb'], default=env('ONLY', ''), help='leave the other out')
    return parser.parse_args()


def measure_all(a):
    os.makedirs(os.path.join(a.work, 'cases'), exist_ok=True)
    about = {**machine(a), **{name: getattr(a, name) for name in ('keys', 'events_per_key', 'memory', 'digest', 'duckdb_memory')}}
    made = [make_case(a, shape, form) for shape in a.shape for form in a.form]
    cases = [summary(case, measure(a, case)) for case in made]
    publish(a.work, 'results', about, cases, table(about, cases))


if __name__ == '__main__':
    options = parse_options()
    sys.exit(exit_status(lambda: measure_all(options)))
