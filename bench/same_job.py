#!/usr/bin/env python3
"""The peer of `slackwater reconcile`: the same job as one DuckDB script, on the files that gen_case wrote.

    same_job.py DIR ndjson|csv|parquet [--shape int|wide] [--threads N] [--memory 16GB] [--print]

Prints one JSON object: the counts, to be held against DIR/truth.json, and the wall seconds of the script alone,
without the start of Python. Needs the Python package duckdb; --print only prints the SQL, for any other way to run it.
"""
import argparse
import json
import os
import time

HERE = os.path.dirname(os.path.abspath(__file__))
WIDE = 'STRUCT(owner VARCHAR, amount DECIMAL(12,2), status VARCHAR, updated_at VARCHAR)'


def reader(folder, role, form, shape):
    """The table function that reads one input; types are declared, so that DuckDB need not look for them."""
    path = os.path.join(folder, f'{role}.{form}')
    if form == 'parquet':
        return f"read_parquet('{path}')"
    if form == 'ndjson':
        first = "id: 'VARCHAR', " if role == 'events' else ''
        last = "op: 'VARCHAR'" if role == 'events' else "deleted: 'BOOLEAN'"
        value = WIDE if shape == 'wide' else 'BIGINT'
        columns = f"{first}key: 'VARCHAR', version: 'BIGINT', {last}, value: '{value}'"
        return f"read_json('{path}', format='newline_delimited', columns={{{columns}}})"
    read = f"read_csv('{path}', header=true)"
    if shape == 'wide':
        keep = 'id, key, version, op' if role == 'events' else 'key, version, deleted'
        read = (f'(SELECT {keep}, CASE WHEN owner IS NULL THEN NULL ELSE struct_pack(owner := owner, amount := amount, '
                f'status := status, updated_at := updated_at) END AS value FROM {read})')
    return read


def script(folder, form, shape, threads, memory):
    with open(os.path.join(HERE, 'same_job.sql'), encoding='utf-8') as f:
        sql = f.read()
    for role in ('baseline', 'events', 'expected'):
        sql = sql.replace(f'FROM READ_{role.upper()}', 'FROM ' + reader(folder, role, form, shape))
    # min() and max() want a type with an order
    sql = sql.replace('VALUE AS', 'CAST(value AS VARCHAR) AS' if shape == 'wide' else 'value AS')
    return f"SET threads={threads};\nSET memory_limit='{memory}';\n" + sql


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('folder')
    parser.add_argument('form', choices=['ndjson', 'csv', 'parquet'])
    parser.add_argument('--shape', choices=['int', 'wide'], default='int')
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--memory', default='16GB')
    parser.add_argument('--print', action='store_true')
    a = parser.parse_args()
    sql = script(a.folder, a.form, a.shape, a.threads, a.memory)
    if a.print:
        print(sql)
        return
    import duckdb  # here, so that --print works without it
    begin = time.monotonic()
    done = duckdb.connect().execute(sql)
    names = [column[0] for column in done.description]
    counts = {name: int(count) for name, count in zip(names, done.fetchone())}
    print(json.dumps({'counts': counts, 'seconds': time.monotonic() - begin, 'duckdb': duckdb.__version__}))


if __name__ == '__main__':
    main()
