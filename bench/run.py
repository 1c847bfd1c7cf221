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
import datetime
import hashlib
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
ROLES = ('baseline', 'events', 'expected')
COUNTS = ('states', 'tombstones', 'conflictKeys', 'duplicateDeliveries', 'missingState', 'unexpectedState',
          'stateMismatch', 'differences')


class WrongAnswer(Exception):
    pass


class CouldNotRun(Exception):
    pass


@dataclass
class Run:
    seconds: float
    peak_mib: float
    cpu_seconds: float = 0


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


def execute(a, command, name):
    """Runs it and waits: exit status, standard output, wall seconds and peak memory of that process alone.

    Linux counts into a child's peak what its parent held when it was made: some 15 MiB here, as this file imports little."""
    out, err = (os.path.join(a.work, f'{name}.{kind}') for kind in ('out', 'err'))
    with open(out, 'wb') as stdout, open(err, 'wb') as stderr:
        begin = time.monotonic()
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, cwd=a.work)
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
    with open(out, encoding='utf-8', errors='replace') as f:
        text = f.read()
    with open(err, encoding='utf-8', errors='replace') as f:
        said = f.read()
    return child.returncode, text, said, Run(seconds, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime)


def hold_against_truth(who, truth, found):
    wrong = [f'{name}: {found.get(name)}, expected {truth[name]}' for name in found if found[name] != truth[name]]
    if wrong:
        raise WrongAnswer(f'{who} gives another answer than truth.json: ' + '; '.join(wrong))


def slackwater_with(a, case, digest):
    command = [os.path.join(a.build, 'slackwater'), 'reconcile', '--json', '--threads', str(a.threads)]
    for role in ROLES:
        command += ['--' + role, case.path(role)]
    if a.memory:
        command += ['--memory', a.memory]
    command += ['--digest', digest]
    status, text, said, run = execute(a, command, 'slackwater')
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
    status, text, said, run = execute(a, command, 'duckdb')
    if status:
        raise CouldNotRun(f'ended with status {status}: {" ".join(command)}\n{said}')
    answer = json.loads(text)
    if answer['counts'].pop('reusedIdentities'):
        raise WrongAnswer('DuckDB finds reused identities, and there are none')
    hold_against_truth('DuckDB', case.truth(), answer['counts'])
    return Run(answer['seconds'], run.peak_mib)


def wc(a, case):
    status, text, said, run = execute(a, ['wc', '-l', *map(case.path, ROLES)], 'wc')
    if status:
        raise CouldNotRun(f'wc ended with status {status}: {said}')
    truth, heads = case.truth(), len(ROLES) if case.form == 'csv' else 0
    if int(text.split()[-2]) != sum(truth[role] for role in ROLES) + heads:
        raise WrongAnswer(f'{case.folder} does not have the lines that truth.json says')
    return run


PROGRAMS = {'slackwater': slackwater, 'slackwater_sha256': slackwater_sha256, 'duckdb': duckdb, 'wc': wc}


def measure(a, case):
    """name -> runs, by turns, the order changing from round to round; the round before the first only warms up."""
    names = [name for name in PROGRAMS if name == 'wc' or a.only in ('', name.split('_')[0])]
    runs = {name: [] for name in names}
    for turn in range(-1, a.runs):
        for name in names if turn % 2 else reversed(names):
            run = PROGRAMS[name](a, case)
            if turn >= 0:
                runs[name].append(run)
                print(f'  {case.shape} {case.form}, run {turn + 1} of {a.runs}: {name} done', file=sys.stderr, flush=True)
    return runs


def best_and_median(runs, what):
    values = [getattr(run, what) for run in runs]
    return min(values), statistics.median(values)


def summary(case, runs):
    size = sum(os.path.getsize(case.path(role)) for role in ROLES)
    found = {'shape': case.shape, 'form': case.form, 'bytes': size, 'truth': case.truth(),
             'runs': {name: [vars(run) for run in of] for name, of in runs.items()}}
    for name, of in runs.items():
        found[name] = {what: dict(zip(('best', 'median'), best_and_median(of, what))) for what in ('seconds', 'peak_mib')}

    def ratio(over, under, what):
        return {kind: found[over][what][kind] / found[under][what][kind] for kind in ('best', 'median')}
    if 'slackwater' in runs and 'duckdb' in runs:
        found['speed_of_duckdb'] = ratio('duckdb', 'slackwater', 'seconds')
        found['memory_of_duckdb'] = ratio('slackwater', 'duckdb', 'peak_mib')
    if 'slackwater_sha256' in runs:
        found['digests'] = ratio('slackwater_sha256', 'slackwater', 'seconds')
    for name in ('slackwater', 'duckdb'):
        if name in runs:
            found[name]['seconds_of_wc'] = ratio(name, 'wc', 'seconds')
    return found


def machine(a):
    def first(command):
        try:
            return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout.strip()
        except (OSError, subprocess.CalledProcessError):
            return ''
    model = ''
    with open('/proc/cpuinfo', encoding='utf-8') as f:
        model = next((line.split(':')[1].strip() for line in f if line.startswith('model name')), '')
    return {'when': datetime.datetime.now(datetime.timezone.utc).isoformat(timespec='seconds'),
            'commit': first(['git', 'rev-parse', '--short', 'HEAD']) + ('+' if first(['git', 'status', '-s', '-uno']) else ''),
            'cpu': model, 'cores': os.cpu_count(), 'memory_mib': os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') >> 20,
            'kernel': platform.release(), 'load_before': os.getloadavg()[0],
            'keys': a.keys, 'events_per_key': a.events_per_key, 'threads': a.threads, 'runs': a.runs,
            'memory': a.memory, 'digest': a.digest, 'duckdb_memory': a.duckdb_memory,
            'duckdb': first([os.path.join(a.work, 'venv', 'bin', 'python'), '-c', 'import duckdb; print(duckdb.__version__)'])}


def table(about, cases):
    def pair(values, form):
        return ' / '.join(format(values[kind], form) for kind in ('best', 'median'))

    def cell(case, keys, form):
        for key in keys:
            case = case.get(key)
            if case is None:
                return '–'
        return pair(case, form)
    lines = [f'{about["keys"]:,} keys, {about["events_per_key"]} events a key, {about["threads"]} threads, DuckDB '
             f'{about["duckdb"] or "absent"}, {about["cpu"]}; best / median of {about["runs"]} runs by turns, commit '
             f'{about["commit"] or "unknown"}, load before {about["load_before"]:.1f}.', '']
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

    def positive(text):
        if int(text) < 1:
            raise argparse.ArgumentTypeError(f'{text} is not positive')
        return int(text)
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    option = parser.add_argument
    option('--keys', type=positive, default=env('KEYS', '5000000'))
    option('--events-per-key', type=positive, default=env('EVENTS_PER_KEY', '2'))
    option('--seed', type=int, default=env('SEED', '1'))
    option('--shape', type=words(['int', 'wide']), default=env('SHAPE', 'int,wide'))
    option('--form', type=words(['ndjson', 'csv']), default=env('FORM', 'ndjson,csv'))
    option('--runs', type=positive, default=env('RUNS', '5'))
    option('--threads', type=positive, default=env('THREADS', '2'))
    option('--memory', default=env('MEMORY', ''), metavar='SIZE', help="slackwater's --memory")
    option('--digest', choices=['', 'sha256', 'none'], default=env('DIGEST', ''), help="slackwater's --digest")
    option('--duckdb-memory', default=env('DUCKDB_MEMORY', '16GB'), metavar='SIZE')
    option('--only', choices=['', 'slackwater', 'duckdb'], default=env('ONLY', ''), help='leave the other out')
    option('--build', default=os.path.join(ROOT, 'build'), metavar='DIR')
    option('--work', default=os.path.join(ROOT, 'build-bench'), metavar='DIR', help='for inputs, results and the venv')
    a = parser.parse_args()
    a.build, a.work = os.path.abspath(a.build), os.path.abspath(a.work)
    return a


def main():
    a = parse_options()
    os.makedirs(os.path.join(a.work, 'cases'), exist_ok=True)
    about, cases = machine(a), []
    if about['load_before'] > 0.5:
        print(f'bench: the machine is busy (load {about["load_before"]:.1f}); expect noise', file=sys.stderr)
    try:
        for shape in a.shape:
            for form in a.form:
                case = make_case(a, shape, form)
                cases.append(summary(case, measure(a, case)))
    except WrongAnswer as e:
        print(f'bench: {e}', file=sys.stderr)
        return 1
    except (CouldNotRun, OSError, subprocess.CalledProcessError) as e:
        print(f'bench: {e}', file=sys.stderr)
        return 4
    with open(os.path.join(a.work, 'results.json'), 'w', encoding='utf-8') as f:
        json.dump({'about': about, 'cases': cases}, f, indent=2)
        f.write('\n')
    text = table(about, cases)
    with open(os.path.join(a.work, 'results.md'), 'w', encoding='utf-8') as f:
        f.write(text)
    print(text, end='')
    return 0


if __name__ == '__main__':
    sys.exit(main())
