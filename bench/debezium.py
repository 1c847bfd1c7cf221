#!/usr/bin/env python3
"""Measures how fast `slackwater reconcile` takes Debezium's records, on one core, beside DuckDB reading the same file.

    bench/debezium.py [--events N] [--runs N] [--threads N] [--wrapped] …

The inputs come from bench/gen_debezium.py: bare JSON of about 630 bytes a record (with --wrapped also in schema and payload), five events a key. slackwater
reads them, makes their values canonical, folds them in PostgreSQL's order and compares every key with the table that they leave. DuckDB is asked for
less: the newest row of each key by its LSN, with the types of all columns given. Both have to find the rows of that table. The rate is bytes of events in a second
of processor time of the whole process; DuckDB's without the start of Python.

Writes debezium.json and debezium.md to the work folder. Exit status: 0 measured, 1 a wrong answer, 2 usage, 4 it could not run.
"""
import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys

from run import CouldNotRun, Run, WrongAnswer, best_and_median, execute, hold_against_truth, machine

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
KEYS_OF_EVENTS = 5

ROW = 'STRUCT(id BIGINT, customer VARCHAR, email VARCHAR, status VARCHAR, quantity BIGINT, note VARCHAR, paid BOOLEAN, city VARCHAR)'
ENVELOPE = f"before: '{ROW}', after: '{ROW}', source: 'STRUCT(lsn UBIGINT, \"sequence\" VARCHAR, \"schema\" VARCHAR, \"table\" VARCHAR)', op: 'VARCHAR'"
# the LSN alone decides here, which spares DuckDB the sequence; a delete has its key in `before`
NEWEST = '''
SELECT count(*) AS rows, coalesce(sum(newest.quantity), 0)::BIGINT AS quantity FROM (
  SELECT arg_max({p}op, {p}source.lsn) AS op, arg_max(struct_pack(v := {p}after), {p}source.lsn).v AS newest
  FROM read_json('{path}', format='newline_delimited', columns={{{columns}}})
  GROUP BY coalesce({p}after.id, {p}before.id)) WHERE op <> 'd'
'''
DUCKDB = '''
import json, sys, time, duckdb
threads, memory, sql = sys.argv[1:]
begin, cpu = time.monotonic(), time.process_time()
connection = duckdb.connect(config={'threads': int(threads), 'memory_limit': memory})
connection.execute('SET enable_progress_bar = false')
rows, quantity = connection.execute(sql).fetchone()
print(json.dumps({'rows': rows, 'quantity': quantity, 'seconds': time.monotonic() - begin, 'cpu_seconds': time.process_time() - cpu}))
'''


def make_case(a, wrapped):
    """(events, destination, what both must find), from the cache if the same generator made them before."""
    with open(os.path.join(HERE, 'gen_debezium.py'), 'rb') as f:
        generator = hashlib.sha256(f.read()).hexdigest()[:8]
    folder = os.path.join(a.work, 'cases', f'debezium-{"wrapped" if wrapped else "bare"}-{a.events}-{generator}')
    if not os.path.exists(folder):
        making = folder + '.making'
        shutil.rmtree(making, ignore_errors=True)
        os.makedirs(making)
        print(f'making {os.path.basename(folder)}', file=sys.stderr, flush=True)
        subprocess.run([sys.executable, os.path.join(HERE, 'gen_debezium.py'), str(a.events), str(max(a.events // KEYS_OF_EVENTS, 1)),
                        os.path.join(making, 'events.ndjson'), os.path.join(making, 'expected.ndjson'), *(['--wrapped'] if wrapped else [])], check=True)
        os.rename(making, folder)
    events, expected = os.path.join(folder, 'events.ndjson'), os.path.join(folder, 'expected.ndjson')
    with open(expected, encoding='utf-8') as f:
        quantities = [json.loads(line)['quantity'] for line in f]
    return events, expected, {'rows': len(quantities), 'quantity': sum(quantities), 'events': a.events, 'differences': 0, 'undecidedKeys': 0, 'badRecords': 0}


def slackwater(a, events, expected, truth):
    command = [os.path.join(a.build, 'slackwater'), 'reconcile', '--json', '--threads', str(a.threads), '--digest', 'none', '--key', 'id', '--order', 'postgres',
               '--expected-deletes', 'absent', '--events', events, '--expected', expected]
    status, text, said, run = execute(a, command, 'slackwater')
    if status:
        raise CouldNotRun(f'ended with status {status}: {" ".join(command)}\n{said or text[:2000]}')
    try:
        report = json.loads(text)
        counts = report['counts']
        found = {'rows': counts['states'] - counts['tombstones'], 'events': report['records']['events'], 'differences': counts['differences'],
                 'undecidedKeys': counts['undecidedKeys'], 'badRecords': counts['badRecords']}
        compared = report['records']['expected']
    except (ValueError, KeyError, TypeError) as e:
        raise CouldNotRun(f'printed no report with the counts ({type(e).__name__}: {e}): {" ".join(command)}') from e
    hold_against_truth('slackwater', truth, found)
    if compared != truth['rows']:
        raise WrongAnswer(f'slackwater compared {compared} rows, there are {truth["rows"]}')
    return run


def duckdb(a, events, wrapped, truth):
    columns = f"payload: 'STRUCT({ENVELOPE.replace(': ', ' ').replace(chr(39), '')})'" if wrapped else ENVELOPE
    sql = NEWEST.format(p='payload.' if wrapped else '', path=events, columns=columns)
    status, text, said, run = execute(a, [os.path.join(a.work, 'venv', 'bin', 'python'), '-c', DUCKDB, str(a.threads), a.duckdb_memory, sql], 'duckdb')
    if status:
        raise CouldNotRun(f'DuckDB ended with status {status}:\n{said}')
    answer = json.loads(text)
    hold_against_truth('DuckDB', truth, {name: answer[name] for name in ('rows', 'quantity')})
    return Run(answer['seconds'], run.peak_mib, answer['cpu_seconds'])


def measure(a, wrapped):
    events, expected, truth = make_case(a, wrapped)
    runs = {name: [] for name in ('slackwater', 'duckdb') if a.only in ('', name)}
    programs = {'slackwater': lambda: slackwater(a, events, expected, truth), 'duckdb': lambda: duckdb(a, events, wrapped, truth)}
    for turn in range(-1, a.runs):
        for name in runs if turn % 2 else reversed(runs):
            run = programs[name]()
            if turn >= 0:
                runs[name].append(run)
                print(f'  debezium, run {turn + 1} of {a.runs}: {name} done', file=sys.stderr, flush=True)
    size = os.path.getsize(events)
    found = {'shape': 'wrapped' if wrapped else 'bare', 'bytes': size, 'record_bytes': size / a.events, 'truth': truth,
             'runs': {name: [vars(run) for run in of] for name, of in runs.items()}}
    for name, of in runs.items():
        found[name] = {what: dict(zip(('best', 'median'), best_and_median(of, what))) for what in ('seconds', 'peak_mib', 'cpu_seconds')}
        found[name]['mb_per_cpu_second'] = {kind: size / 1e6 / seconds for kind, seconds in found[name]['cpu_seconds'].items()}
    if len(runs) == 2:
        found['speed_of_duckdb'] = {what: {kind: found['duckdb'][what][kind] / found['slackwater'][what][kind] for kind in ('best', 'median')} for what in ('seconds', 'cpu_seconds')}
    return found


def table(about, cases):
    def pair(values, form):
        return ' / '.join(format(values[kind], form) for kind in ('best', 'median')) if values else '–'
    lines = [f'{about["events"]:,} events, {about["threads"]} thread(s), DuckDB {about["duckdb"] or "absent"}, {about["cpu"]}; best / median of {about["runs"]} runs by turns, '
             f'commit {about["commit"] or "unknown"}, load before {about["load_before"]:.1f}.', '',
             '| records | MB a CPU second | DuckDB | speed, times DuckDB, by CPU | by wall | MiB | DuckDB |', '| --- |' + ' --- |' * 6]
    for case in cases:
        duck, ratio = case.get('duckdb', {}), case.get('speed_of_duckdb', {})
        own = case.get('slackwater', {})
        lines.append(f'| {case["shape"]}, {case["record_bytes"]:.0f} bytes, {case["bytes"] / 1e6:.0f} MB | ' + ' | '.join(
            [pair(own.get('mb_per_cpu_second'), '.0f'), pair(duck.get('mb_per_cpu_second'), '.0f'), pair(ratio.get('cpu_seconds'), '.1f'), pair(ratio.get('seconds'), '.1f'),
             pair(own.get('peak_mib'), '.0f'), pair(duck.get('peak_mib'), '.0f')]) + ' |')
    return '\n'.join(lines) + '\n'


def parse_options():
    env = os.environ.get

    def positive(text):
        if int(text) < 1:
            raise argparse.ArgumentTypeError(f'{text} is not positive')
        return int(text)
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    option = parser.add_argument
    option('--events', type=positive, default=env('EVENTS', '1000000'))
    option('--runs', type=positive, default=env('RUNS', '5'))
    option('--threads', type=positive, default='1')
    option('--wrapped', action='store_true', help='the same records with their schema, too')
    option('--duckdb-memory', default=env('DUCKDB_MEMORY', '16GB'), metavar='SIZE')
    option('--only', choices=['', 'slackwater', 'duckdb'], default=env('ONLY', ''), help='leave the other out')
    option('--build', default=os.path.join(ROOT, 'build'), metavar='DIR')
    option('--work', default=os.path.join(ROOT, 'build-bench'), metavar='DIR', help='for inputs, results and the venv')
    a = parser.parse_args()
    a.build, a.work = os.path.abspath(a.build), os.path.abspath(a.work)
    # what the shared description of the machine asks for
    a.keys, a.events_per_key, a.memory, a.digest = max(a.events // KEYS_OF_EVENTS, 1), KEYS_OF_EVENTS, '', 'none'
    return a


def main():
    a = parse_options()
    os.makedirs(os.path.join(a.work, 'cases'), exist_ok=True)
    about = {**machine(a), 'events': a.events}
    if about['load_before'] > 0.5:
        print(f'bench: the machine is busy (load {about["load_before"]:.1f}); expect noise', file=sys.stderr)
    try:
        cases = [measure(a, wrapped) for wrapped in ([False, True] if a.wrapped else [False])]
    except WrongAnswer as e:
        print(f'bench: {e}', file=sys.stderr)
        return 1
    except (CouldNotRun, OSError, subprocess.CalledProcessError) as e:
        print(f'bench: {e}', file=sys.stderr)
        return 4
    with open(os.path.join(a.work, 'debezium.json'), 'w', encoding='utf-8') as f:
        json.dump({'about': about, 'cases': cases}, f, indent=2)
        f.write('\n')
    text = table(about, cases)
    with open(os.path.join(a.work, 'debezium.md'), 'w', encoding='utf-8') as f:
        f.write(text)
    print(text, end='')
    return 0


if __name__ == '__main__':
    sys.exit(main())
