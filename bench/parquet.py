#!/usr/bin/env python3
"""Measures a diff of two Parquet files against the SQL that somebody who knows DuckDB would write for it, on the same files.

    bench/parquet.py [--rows N] [--differences WHAT,…] [--runs N] [--threads N]

slackwater reads Parquet through DuckDB's library, which scripts/fetch-adbc gets, and compares the rows itself. DuckDB joins the two files (full outer join on the key) and
counts the rows that only one has, and those with a column that IS DISTINCT FROM that of the other. WHAT and what is planted are those of bench/databases.py. Both have to find it.
DuckDB's seconds are without the start of Python. Writes parquet.json and parquet.md to the work folder.
Exit status: 0 measured, 1 a wrong answer, 2 usage, 4 it could not run.
"""
import argparse
import json
import os
import sys

from databases import plan, truth_of
from turns import ROOT, CouldNotRun, Run, add_options, by_turns, conditions, costs, execute, exit_status, hold_against_truth, machine, pair, positive, publish, ratio

DUCKDB = '''
import json, os, sys, time, duckdb
threads, memory, sql = sys.argv[1:]
begin, cpu = time.monotonic(), time.process_time()
connection = duckdb.connect(config={'threads': int(threads), 'memory_limit': memory})
connection.execute('SET enable_progress_bar = false')
cursor = connection.execute(sql)
names = [column[0] for column in cursor.description]
print(json.dumps({'found': dict(zip(names, cursor.fetchone())), 'seconds': time.monotonic() - begin, 'cpu_seconds': time.process_time() - cpu}))
'''
DIFF = '''
SELECT count(*) FILTER (a.id = b.id AND (a.note IS DISTINCT FROM b.note OR a.amount IS DISTINCT FROM b.amount OR a.made IS DISTINCT FROM b.made OR a.flag IS DISTINCT FROM b.flag)) AS changed,
       count(*) FILTER (b.id IS NULL) AS missing, count(*) FILTER (a.id IS NULL) AS extra
FROM '{before}' a FULL OUTER JOIN '{after}' b ON a.id = b.id
'''
ROWS = "SELECT id::INTEGER AS id, 'row number ' || id || ' of the table' AS note, ((id % 100000) / 8)::DECIMAL(12,3) AS amount, TIMESTAMP '2026-01-01' + id * INTERVAL '1 second' AS made, id % 3 = 0 AS flag FROM range(1, {end}) t(id)"
CHANGED = '''
SELECT id, CASE WHEN {one} AND {kind} < 8 THEN 'changed' ELSE note END AS note, amount, made, flag FROM ({rows}) WHERE NOT ({one} AND {kind} = 8)
UNION ALL SELECT id + {count}, note, amount, made, flag FROM ({rows}) WHERE {one} AND {kind} = 9
'''


def ask(a, sql):
    """What DuckDB answers, in a process of its own, and its Run."""
    status, text, said, run = execute(a.work, [os.path.join(a.work, 'venv', 'bin', 'python'), '-c', DUCKDB, str(a.threads), a.duckdb_memory, sql], 'duckdb')
    if status:
        raise CouldNotRun(f'DuckDB ended with status {status}:\n{said[-2000:]}')
    answer = json.loads(text)
    return answer['found'], Run(answer['seconds'], run.peak_mib, answer['cpu_seconds'])


def make_files(a, what):
    number, step, first = plan(what, a.rows)
    before, after = (os.path.join(a.work, 'cases', f'parquet-{name}.parquet') for name in ('before', 'after'))
    rows = ROWS.format(end=a.rows + 1)
    one = f'(id - {first}) % {step} = 0 AND id >= {first} AND (id - {first}) // {step} < {number}'
    ask(a, f"COPY ({rows}) TO '{before}' (FORMAT parquet)")
    ask(a, f"COPY ({CHANGED.format(one=one, kind=f'(id - {first}) // {step} % 10', rows=rows, count=a.rows)}) TO '{after}' (FORMAT parquet)")
    return before, after, truth_of(number)


def slackwater(a, before, after, truth):
    command = [os.path.join(a.build, 'slackwater'), 'reconcile', '--json', '--list', '0', '--threads', str(a.threads), '--key', 'id', '-b', before, '-x', after]
    status, text, said, run = execute(a.work, command, 'slackwater')
    if status not in (0, 1):
        raise CouldNotRun(f'ended with status {status}: {" ".join(command)}\n{said or text[:2000]}')
    counts = json.loads(text)['counts']
    hold_against_truth('slackwater', truth, {'changed': counts['stateMismatch'], 'missing': counts['missingState'], 'extra': counts['unexpectedState']})
    return run


def duckdb(a, before, after, truth):
    found, run = ask(a, DIFF.format(before=before, after=after))
    hold_against_truth('DuckDB', truth, found)
    return run


def measure(a, what):
    before, after, truth = make_files(a, what)
    runs = by_turns(f'Parquet, {what} differences', {'slackwater': lambda: slackwater(a, before, after, truth), 'duckdb': lambda: duckdb(a, before, after, truth)}, a.runs)
    return {'rows': a.rows, 'differences': what, 'bytes': os.path.getsize(before) + os.path.getsize(after), 'truth': truth,
            'runs': {name: [vars(run) for run in of] for name, of in runs.items()}, 'costs': {name: costs(of) for name, of in runs.items()}}


def table(about, cases):
    lines = [f'Parquet, {cases[0]["rows"]:,} rows, {cases[0]["bytes"] / 1e6:.0f} MB in two files, DuckDB {about["duckdb"]}, {conditions(about)}', '',
             '| differences | tool | seconds | times slackwater | CPU s | MiB |', '| --- | --- | --- | --- | --- | --- |']
    for case in cases:
        for name, cost in case['costs'].items():
            lines.append(f'| {case["differences"]} | {name} | {pair(cost["seconds"], ".2f")} | {pair(ratio(cost, case["costs"]["slackwater"], "seconds"), ".2f")} | '
                         f'{pair(cost["cpu_seconds"], ".2f")} | {pair(cost["peak_mib"], ".0f")} |')
    return '\n'.join(lines) + '\n'


def measure_all(a):
    os.makedirs(os.path.join(a.work, 'cases'), exist_ok=True)
    folders = [os.path.join(ROOT, 'build-adbc'), *filter(None, os.environ.get('ADBC_DRIVER_PATH', '').split(':'))]
    os.environ['ADBC_DRIVER_PATH'] = ':'.join(folders)
    if not any(os.path.exists(os.path.join(folder, 'libduckdb.so')) for folder in folders):
        raise CouldNotRun("DuckDB's library is not there: scripts/fetch-adbc gets it, or its folder stands in ADBC_DRIVER_PATH")
    about = machine(a)
    cases = [measure(a, what) for what in a.differences]
    publish(a.work, 'parquet', about, cases, table(about, cases))


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__.split('\n', 1)[0])
    parser.add_argument('--rows', type=positive, default=os.environ.get('ROWS', '5000000'))
    parser.add_argument('--differences', type=lambda text: text.split(','), default=os.environ.get('DIFFERENCES', '0,1000,500000').split(','))
    add_options(parser, runs=5, threads=2)
    options = parser.parse_args()
    sys.exit(exit_status(lambda: measure_all(options)))
