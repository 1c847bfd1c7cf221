#!/usr/bin/env python3
"""Measures a plain diff of two PostgreSQL tables against Reladiff (a maintained fork of data-diff), on two servers of its own.

    bench/databases.py [--rows N] [--differences 0,1000,500000] [--runs N] [--threads N] [--reladiff PROGRAM]

The two tables stand in two servers on this machine, as two databases of a pipeline would; each tool is given the key and all
columns. Reladiff compares checksums of segments and fetches the rows of those that differ (hashdiff); `slackwater` reads both tables whole.
Every run of both has to find the number of differences that was planted, or nothing is reported. The two run by turns, with a warm cache.
Reladiff is found in PATH or named (pip install 'reladiff[postgresql]' into an environment of its own).

Prints a table: wall seconds (best and median), seconds of CPU of the client, and peak memory. Exit status: 0 measured,
1 a wrong answer, 2 usage, 4 it could not run.
"""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, 'tests', 'harness'))
from servers import PostgreSQL  # noqa: E402

COLUMNS = ('id', 'note', 'amount', 'at', 'flag')


class WrongAnswer(Exception):
    pass


def measured(command):
    """(status, standard output, wall seconds, CPU seconds, peak MiB) of a program."""
    begun = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        out, err = run.stdout.read(), run.stderr.read()
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    return run.returncode, out, time.monotonic() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, err


def slackwater(arguments, source, destination):
    status, out, *cost, err = measured([os.path.join(ROOT, 'build', 'slackwater'), 'reconcile', '--json', '--list', '0', '--threads', str(arguments.threads), '-b', source.locator('#t'), '-x', destination.locator('#t')])
    if status not in (0, 1):
        raise WrongAnswer(out + err)
    return json.loads(out)['counts']['different'], cost


def reladiff(arguments, source, destination):
    """Each changed row is printed twice, as it was (-) and as it is (+), with all columns."""
    columns = [word for name in COLUMNS[1:] for word in ('-c', name)]
    status, out, *cost, err = measured([arguments.reladiff, source.locator(), 't', destination.locator(), 't', '-k', 'id', *columns, '-j', str(arguments.threads)])
    if status or 'error' in err.lower():
        raise WrongAnswer(out[-500:] + err[-2000:])
    keys = {line.split(',')[0].lstrip('+- ') for line in out.splitlines() if line[:1] in '+-'}
    return len(keys), cost


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', 1)[0])
    parser.add_argument('--rows', type=int, default=5_000_000)
    parser.add_argument('--differences', default='0,1000,500000')
    parser.add_argument('--runs', type=int, default=3)
    parser.add_argument('--threads', type=int, default=2)
    parser.add_argument('--reladiff', default=shutil.which('reladiff'))
    arguments = parser.parse_args()
    if PostgreSQL.unavailable() or not arguments.reladiff:
        print(PostgreSQL.unavailable() or "reladiff is not in PATH: --reladiff names it", file=sys.stderr)
        return 4
    print('| rows | differences | tool | best s | median s | client CPU s | peak MiB |\n| --- | --- | --- | --- | --- | --- | --- |')
    settings = ['shared_buffers = 512MB', 'max_wal_size = 8GB', 'autovacuum = off', 'max_connections = 50']
    with PostgreSQL(settings) as source, PostgreSQL(settings) as destination:
        for server in (source, destination):
            server.sql(f"""CREATE TABLE t AS SELECT g AS id, 'row number ' || g || ' of the table' AS note, (g % 100000)::numeric / 8 AS amount, timestamp '2026-01-01' + g * interval '1 second' AS at, g % 3 = 0 AS flag
                           FROM generate_series(1, {arguments.rows}) g; ALTER TABLE t ADD PRIMARY KEY (id)""")
        planted = 0
        for wanted in sorted(int(n) for n in arguments.differences.split(',')):
            step = max(arguments.rows // max(wanted, 1), 1)
            if wanted > planted:
                destination.sql(f"UPDATE t SET note = 'changed' WHERE id % {step} = 0 AND id / {step} <= {wanted} AND note <> 'changed'")
            for server in (source, destination):
                server.sql('VACUUM ANALYZE t')
            planted = int(destination.sql("SELECT count(*) FROM t WHERE note = 'changed'"))
            costs = {slackwater: [], reladiff: []}
            for _ in range(arguments.runs):
                for tool, runs in costs.items():
                    found, cost = tool(arguments, source, destination)
                    if found != planted:
                        raise WrongAnswer(f'{tool.__name__} found {found} differences, {planted} were planted')
                    runs.append(cost)
            for tool, runs in costs.items():
                seconds = [c[0] for c in runs]
                print(f'| {arguments.rows:,} | {planted:,} | {tool.__name__} | {min(seconds):.2f} | {statistics.median(seconds):.2f} | {min(c[1] for c in runs):.2f} | {max(c[2] for c in runs):.0f} |', flush=True)
    return 0


if __name__ == '__main__':
    try:
        sys.exit(main())
    except WrongAnswer as wrong:
        print(f'wrong answer: {wrong}', file=sys.stderr)
        sys.exit(1)
