"""What the measurements of this folder have in common: a program is run and weighed, programs take turns, and what is told of each is best and median.

    programs = {'slackwater': lambda: …, 'duckdb': lambda: …}     # each runs once, holds its answer against the right one, and gives its Run
    runs = by_turns('5 million rows', programs, 5)
    found = {name: costs(of) for name, of in runs.items()}
    ratio(found['duckdb'], found['slackwater'], 'seconds')        # {'best': 5.1, 'median': 4.9}

Nothing is reported unless every run of every program gave the right answer: a program raises WrongAnswer, or CouldNotRun with the reason.
"""
import datetime
import json
import os
import platform
import signal
import statistics
import subprocess
import sys
import threading
import time
from dataclasses import dataclass

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KINDS = ('best', 'median')


class WrongAnswer(Exception):
    pass


class CouldNotRun(Exception):
    pass


class TookTooLong(Exception):
    pass


@dataclass
class Run:
    seconds: float
    peak_mib: float
    cpu_seconds: float = 0
    server_cpu_seconds: float = 0  # of the database servers that did a part of the work

    @property
    def all_cpu_seconds(self):
        return self.cpu_seconds + self.server_cpu_seconds


def execute(work, command, name, patience=None):
    """Runs it and waits: exit status, standard output, standard error, and what that process alone took. TookTooLong after `patience` seconds.

    Linux counts into a child's peak what its parent held when it was made: some 15 MiB here, as these files import little."""
    out, err = (os.path.join(work, f'{name}-{os.getpid()}.{kind}') for kind in ('out', 'err'))
    with open(out, 'wb') as stdout, open(err, 'wb') as stderr:
        begin = time.monotonic()
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=stderr, cwd=work)
        clock = threading.Timer(patience, child.kill) if patience else None
        if clock:
            clock.start()
        _, status, usage = os.wait4(child.pid, 0)
        seconds = time.monotonic() - begin
        child.returncode = os.waitstatus_to_exitcode(status)
        if clock:
            clock.cancel()
            if child.returncode == -signal.SIGKILL and seconds >= patience:
                raise TookTooLong(f'{name} took longer than {patience} s')
    with open(out, encoding='utf-8', errors='replace') as f:
        text = f.read()
    with open(err, encoding='utf-8', errors='replace') as f:
        said = f.read()
    os.remove(out)
    os.remove(err)
    return child.returncode, text, said, Run(seconds, usage.ru_maxrss / 1024, usage.ru_utime + usage.ru_stime)


def hold_against_truth(who, truth, found):
    wrong = [f'{name}: {found.get(name)}, expected {truth[name]}' for name in found if found[name] != truth[name]]
    if wrong:
        raise WrongAnswer(f'{who} gives another answer than the right one: ' + '; '.join(wrong))


def by_turns(what, programs, rounds, warm=False):
    """name -> runs; the order changes from round to round, and the round before the first only warms up, unless all is `warm` already. One that takes too long has no runs, and no further turn."""
    runs, slow = {name: [] for name in programs}, set()
    for turn in range(0 if warm else -1, rounds):
        for name in programs if turn % 2 else reversed(programs):
            if name in slow:
                continue
            try:
                run = programs[name]()
            except TookTooLong as e:
                print(f'  {what}: {e}', file=sys.stderr, flush=True)
                slow.add(name)
                runs[name] = []
                continue
            if turn >= 0:
                runs[name].append(run)
                print(f'  {what}, run {turn + 1} of {rounds}: {name} {run.seconds:.2f} s', file=sys.stderr, flush=True)
    return runs


def best_and_median(runs, what):
    values = [getattr(run, what) for run in runs]
    return min(values), statistics.median(values)


def costs(runs):
    return {what: dict(zip(KINDS, best_and_median(runs, what))) for what in ('seconds', 'cpu_seconds', 'server_cpu_seconds', 'all_cpu_seconds', 'peak_mib')}


def ratio(over, under, what):
    return {kind: over[what][kind] / under[what][kind] for kind in KINDS}


def pair(values, form):
    """"best / median", or a dash where nothing was measured."""
    return ' / '.join(format(values[kind], form) for kind in KINDS) if values else '–'


def first_line(command):
    try:
        lines = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True).stdout.strip().splitlines()
        return lines[0] if lines else ''
    except (OSError, subprocess.CalledProcessError):
        return ''


def machine(a):
    """What a figure means nothing without. `a` has threads, runs and work."""
    with open('/proc/cpuinfo', encoding='utf-8') as f:
        model = next((line.split(':')[1].strip() for line in f if line.startswith('model name')), '')
    about = {'when': datetime.datetime.now(datetime.timezone.utc).isoformat(timespec='seconds'),
             'commit': first_line(['git', 'rev-parse', '--short', 'HEAD']) + ('+' if first_line(['git', 'status', '-s', '-uno']) else ''),
             'cpu': model, 'cores': os.cpu_count(), 'memory_mib': os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') >> 20,
             'kernel': platform.release(), 'load_before': os.getloadavg()[0], 'threads': a.threads, 'runs': a.runs,
             'duckdb': first_line([os.path.join(a.work, 'venv', 'bin', 'python'), '-c', 'import duckdb; print(duckdb.__version__)'])}
    if about['load_before'] > 0.5:
        print(f'bench: the machine is busy (load {about["load_before"]:.1f}); expect noise', file=sys.stderr)
    return about


def conditions(about):
    """The end of the line above a table: under which conditions its figures hold."""
    return (f'{about["threads"]} thread(s), {about["cpu"]}, {about["cores"]} cores; best / median of {about["runs"]} runs by turns, '
            f'commit {about["commit"] or "unknown"}, load before {about["load_before"]:.1f}.')


def publish(work, name, about, cases, text):
    """NAME.json has everything, NAME.md and standard output the table."""
    with open(os.path.join(work, f'{name}.json'), 'w', encoding='utf-8') as f:
        json.dump({'about': about, 'cases': cases}, f, indent=2)
        f.write('\n')
    with open(os.path.join(work, f'{name}.md'), 'w', encoding='utf-8') as f:
        f.write(text)
    print(text, end='')


def exit_status(measure):
    """Calls it: 0 measured, 1 a wrong answer, 4 it could not run."""
    try:
        measure()
    except WrongAnswer as e:
        print(f'bench: {e}', file=sys.stderr)
        return 1
    except (CouldNotRun, OSError, subprocess.CalledProcessError) as e:
        print(f'bench: {e}', file=sys.stderr)
        return 4
    return 0


# ---- options ----

def positive(text):
    import argparse  # imported where it is needed: what is held here counts into the peak of every child
    if int(text) < 1:
        raise argparse.ArgumentTypeError(f'{text} is not positive')
    return int(text)


def add_options(parser, runs, threads):
    """Those that every measurement has; each has a twin in the environment."""
    env, option = os.environ.get, parser.add_argument
    option('--runs', type=positive, default=env('RUNS', str(runs)))
    option('--threads', type=positive, default=env('THREADS', str(threads)))
    option('--duckdb-memory', default=env('DUCKDB_MEMORY', '16GB'), metavar='SIZE')
    option('--build', type=os.path.abspath, default=os.path.join(ROOT, 'build'), metavar='DIR')
    option('--work', type=os.path.abspath, default=os.path.join(ROOT, 'build-bench'), metavar='DIR', help='for inputs, results and the venv')
