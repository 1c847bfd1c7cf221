#!/usr/bin/env python3
"""Measures how fast `slackwater reconcile` takes Debezium's records, on one core, beside DuckDB reading the same file.

    bench/debezium.py [--events N] [--runs N] [--threads N] [--wrapped] [--rows] …

The inputs come from bench/gen_debezium.py: bare JSON of about 630 bytes a record (with --wrapped also in schema and payload), five events a key. slackwater
reads them, makes their values canonical, folds them in PostgreSQL's order and compares every key with the table that they leave. DuckDB is asked for
less: the newest row of each key by its LSN, by two queries: with the types of all columns given, the fastest that was found, and as one writes it at first
(read_json_auto, row_number). All have to find the rows of that table. With --rows there is no table: slackwater writes the state of each key to a file (--states), DuckDB
the rows that its fastest query finds (COPY … TO … as JSON), both in the order of the keys; slackwater's lines also hold table, key, position and database. The rate is bytes of events in a second of processor time of the whole process; DuckDB's without the start of Python.

Writes debezium.json and debezium.md to the work folder. Exit status: 0 measured, 1 a wrong answer, 2 usage, 4 it could not run.
"""
import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys

from turns import CouldNotRun, Run, WrongAnswer, add_options, by_turns, conditions, costs, execute, exit_status, hold_against_truth, machine, pair, positive, publish, ratio

HERE = os.path.dirname(os.path.abspath(__file__))
KEYS_OF_EVENTS = 5

ROW = 'STRUCT(id BIGINT, customer VARCHAR, email VARCHAR, status VARCHAR, quantity BIGINT, note VARCHAR, paid BOOLEAN, city VARCHAR)'
# Only what is needed is read: a delete has its key in `before`, and the LSN alone decides here. Of the forms that were tried this is the fastest or as fast as any: reading all of
# `before` and `source` takes up to a quarter longer on bare records, one arg_max over op and row, or row_number() with QUALIFY, a twentieth.
ENVELOPE = f"before: 'STRUCT(id BIGINT)', after: '{ROW}', source: 'STRUCT(lsn UBIGINT)', op: 'VARCHAR'"
NEWEST = '''
SELECT count(*) AS rows, coalesce(sum(newest.quantity), 0)::BIGINT AS quantity FROM (
  SELECT arg_max({p}op, {p}source.lsn) AS op, arg_max(struct_pack(v := {p}after), {p}source.lsn).v AS newest
  FROM read_json('{path}', format='newline_delimited', columns={{{columns}}})
  GROUP BY coalesce({p}after.id, {p}before.id)) WHERE op <> 'd'
'''
# The same rows, written.
ROWS = '''
COPY (SELECT newest.* FROM (
  SELECT arg_max({p}op, {p}source.lsn) AS op, arg_max(struct_pack(v := {p}after), {p}source.lsn).v AS newest
  FROM read_json('{path}', format='newline_delimited', columns={{{columns}}})
  GROUP BY coalesce({p}after.id, {p}before.id)) WHERE op <> 'd' ORDER BY newest.id) TO '{rows}' (FORMAT json)
'''
# What one writes at first: the types are left to DuckDB, and a window takes the newest.
AS_WRITTEN_FIRST = '''
SELECT count(*) AS rows, coalesce(sum(newest.quantity), 0)::BIGINT AS quantity FROM (
  SELECT {p}op AS op, {p}after AS newest FROM read_json_auto('{path}')
  QUALIFY row_number() OVER (PARTITION BY coalesce({p}after.id, {p}before.id) ORDER BY {p}source.lsn DESC) = 1) WHERE op <> 'd'
'''
PEERS = {'duckdb': NEWEST, 'duckdb-first': AS_WRITTEN_FIRST}
DUCKDB = '''
import json, sys, time, duckdb
threads, memory, sql = sys.argv[1:]
begin, cpu = time.monotonic(), time.process_time()
connection = duckdb.connect(config={'threads': int(threads), 'memory_limit': memory})
connection.execute('SET enable_progress_bar = false')
found = dict(zip(('rows', 'quantity'), connection.execute(sql).fetchone()))
print(json.dumps({**found, 'seconds': time.monotonic() - begin, 'cpu_seconds': time.process_time() - cpu}))
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
    status, text, said, run = execute(a.work, command, 'slackwater')
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


def read_rows(who, path, truth, row_of):
    """Holds a file of rows, one a line, against the table; how many bytes it has."""
    ids, quantity = [], 0
    with open(path, encoding='utf-8') as f:
        for row in map(row_of, map(json.loads, f)):
            if row is not None:
                ids.append(row['id'])
                quantity += row['quantity']
    hold_against_truth(who, truth, {'rows': len(ids), 'quantity': quantity})
    if ids != sorted(set(ids)):
        raise WrongAnswer(f'{who} writes rows twice, or not in the order of their keys')
    return os.path.getsize(path)


def slackwater_rows(a, events, truth):
    path = os.path.join(a.work, 'rows-slackwater.ndjson')
    command = [os.path.join(a.build, 'slackwater'), 'reconcile', '--json', '--threads', str(a.threads), '--digest', 'none', '--key', 'id', '--order', 'postgres',
               '--events', events, '--states', path]
    status, text, said, run = execute(a.work, command, 'slackwater')
    if status != 3:  # without a table nothing is compared
        raise CouldNotRun(f'ended with status {status}: {" ".join(command)}\n{said or text[:2000]}')
    read_rows('slackwater', path, truth, lambda state: None if state['deleted'] else {**state['key'], **state['row']})
    os.remove(path)
    return run


def duckdb(a, events, wrapped, truth, query):
    columns = f"payload: 'STRUCT({ENVELOPE.replace(': ', ' ').replace(chr(39), '')})'" if wrapped else ENVELOPE
    path = os.path.join(a.work, 'rows-duckdb.ndjson')
    sql = query.format(p='payload.' if wrapped else '', path=events, columns=columns, rows=path)
    status, text, said, run = execute(a.work, [os.path.join(a.work, 'venv', 'bin', 'python'), '-c', DUCKDB, str(a.threads), a.duckdb_memory, sql], 'duckdb')
    if status:
        raise CouldNotRun(f'DuckDB ended with status {status}:\n{said}')
    answer = json.loads(text)
    hold_against_truth('DuckDB', truth, {name: answer[name] for name in ('rows', 'quantity') if query is not ROWS or name == 'rows'})
    if query is ROWS:
        read_rows('DuckDB', path, truth, lambda row: row)
        os.remove(path)
    return Run(answer['seconds'], run.peak_mib, answer['cpu_seconds'])


def measure(a, wrapped, rows=False):
    events, expected, truth = make_case(a, wrapped)
    shape = ('wrapped' if wrapped else 'bare') + (', rows written' if rows else '')
    programs = {'slackwater': lambda: slackwater_rows(a, events, truth) if rows else slackwater(a, events, expected, truth)}
    programs |= {name: lambda query=query: duckdb(a, events, wrapped, truth, query) for name, query in ({'duckdb': ROWS} if rows else PEERS).items()}
    runs = by_turns(shape, {name: run for name, run in programs.items() if a.only in ('', name)}, a.runs)
    size = os.path.getsize(events)
    found = {'shape': shape, 'bytes': size, 'record_bytes': size / a.events, 'truth': truth,
             'runs': {name: [vars(run) for run in of] for name, of in runs.items()}}
    for name, of in runs.items():
        found[name] = costs(of)
        found[name]['mb_per_cpu_second'] = {kind: size / 1e6 / seconds for kind, seconds in found[name]['cpu_seconds'].items()}
    for name in PEERS:
        if name in runs and 'slackwater' in runs:
            found[f'speed_of_{name}'] = {what: ratio(found[name], found['slackwater'], what) for what in ('seconds', 'cpu_seconds')}
    return found


def table(about, cases):
    lines = [f'{about["events"]:,} events, DuckDB {about["duckdb"] or "absent"}, {conditions(about)}', '',
             '| records | MB a CPU second | DuckDB | speed, times DuckDB, by CPU | by wall | as written first, by CPU | MiB | DuckDB |', '| --- |' + ' --- |' * 7]
    for case in cases:
        duck, ratio = case.get('duckdb', {}), case.get('speed_of_duckdb', {})
        own, first = case.get('slackwater', {}), case.get('speed_of_duckdb-first', {})
        lines.append(f'| {case["shape"]}, {case["record_bytes"]:.0f} bytes, {case["bytes"] / 1e6:.0f} MB | ' + ' | '.join(
            [pair(own.get('mb_per_cpu_second'), '.0f'), pair(duck.get('mb_per_cpu_second'), '.0f'), pair(ratio.get('cpu_seconds'), '.1f'), pair(ratio.get('seconds'), '.1f'),
             pair(first.get('cpu_seconds'), '.1f'), pair(own.get('peak_mib'), '.0f'), pair(duck.get('peak_mib'), '.0f')]) + ' |')
    return '\n'.join(lines) + '\n'


def parse_options():
    env = os.environ.get
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    option = parser.add_argument
    option('--events', type=positive, default=env('EVENTS', '1000000'))
    add_options(parser, runs=5, threads=1)
    parser.set_defaults(threads=1)  # one core, whatever THREADS the other measurements are given
    option('--wrapped', action='store_true', help='the same records with their schema, too')
    option('--rows', action='store_true', help='also the newest row of each key written to a file, without a table')
    option('--only', choices=['', 'slackwater', *PEERS], default=env('ONLY', ''), help='leave the other out')
    return parser.parse_args()


def measure_all(a):
    os.makedirs(os.path.join(a.work, 'cases'), exist_ok=True)
    about = {**machine(a), 'events': a.events}
    shapes = [False, True] if a.wrapped else [False]
    cases = [measure(a, wrapped, rows) for rows in ([False, True] if a.rows else [False]) for wrapped in shapes]
    publish(a.work, 'debezium', about, cases, table(about, cases))


if __name__ == '__main__':
    options = parse_options()
    sys.exit(exit_status(lambda: measure_all(options)))
