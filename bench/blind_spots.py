#!/usr/bin/env python3
"""Which differences a comparison of two tables does not see: small tables, each with differences that are known, for slackwater and for the tools that bench/databases.py measures.

    bench/blind_spots.py [--build DIR] [--work DIR]

A tool is given the key and all columns, as a user would. Every case has 40,000 rows, so that checksums are compared and not only rows. Told are the keys that were
found of those that differ, or how the tool ended. Exit status: 0 slackwater found all of them, 1 it did not, 4 nothing could be run.
"""
import argparse
import json
import os
import shutil
import sys

from databases import Maria, Postgres, absent, pt_table_sync_command, reladiff_at
from servers import MariaDB, PostgreSQL  # the path is set by databases
from turns import CouldNotRun, add_options, execute, exit_status, publish

ROWS = 40_000


class Case:
    """What is told of it, the columns' types, the key's columns, how a row is made from g, and what differs: statements for the second table, and how many keys they change."""

    def __init__(self, title, columns, key, row, change, keys, first=''):
        self.title, self.columns, self.key, self.row, self.change, self.keys, self.first = title, columns, key, row, change, keys, first

    @property
    def names(self):
        return [part.split()[0] for part in self.columns.split(',')]


POSTGRES = [
    Case('rows changed, missing and extra', 'id int, v text', 'id', "g, 'v' || g", "UPDATE t SET v = 'x' WHERE id = 7; DELETE FROM t WHERE id = 8; INSERT INTO t VALUES (0, 'v')", 3),
    Case('the same, with a key of two columns', 'x int, y int, v text', 'x, y', "g / 100, g % 100, 'v' || g", "UPDATE t SET v = 'x' WHERE x = 7 AND y = 7; DELETE FROM t WHERE x = 8 AND y = 8; INSERT INTO t VALUES (-1, 0, 'v')", 3),
    Case('NULL, and the text that it is hashed as', 'id int, v text', 'id', 'g, NULL', "UPDATE t SET v = '<null>' WHERE id = 7", 1),
    Case('NULL on one side', 'id int, v text', 'id', "g, 'v' || g", 'UPDATE t SET v = NULL WHERE id = 7', 1),
    Case('a text that moves over the border of two columns', 'id int, v text, w text', 'id', "g, 'a|b', 'c'", "UPDATE t SET v = 'a', w = 'b|c' WHERE id = 7", 1),
    Case('a row whose key is NULL', 'id int, v text', '', "g, 'v' || g", "INSERT INTO t VALUES (NULL, 'y')", 1, "INSERT INTO t VALUES (NULL, 'x')"),
    Case('a key that is there twice', 'id int, v text', '', "g, 'v' || g", "INSERT INTO t VALUES (7, 'v7')", 1),
    Case('a float that differs in the last bit', 'id int, v float8', 'id', 'g, 0.1', 'UPDATE t SET v = 0.1 + 1e-17 * 2 WHERE id = 7', 1),
    Case('a float that is large', 'id int, v float8', 'id', 'g, 1e300', 'UPDATE t SET v = 2e300 WHERE id = 7', 1),
    Case('a numeric of many digits', 'id int, v numeric', 'id', 'g, 0.00000000000000000001', 'UPDATE t SET v = v * 2 WHERE id = 7', 1),
    Case('bytes', 'id int, v bytea', 'id', r"g, '\x00ff'", r"UPDATE t SET v = '\x00fe' WHERE id = 7", 1),
    Case('an array', 'id int, v int[]', 'id', "g, '{1,2}'", "UPDATE t SET v = '{2,1}' WHERE id = 7", 1),
    Case('a date that is infinity', 'id int, v timestamptz', 'id', "g, now()::date", "UPDATE t SET v = 'infinity' WHERE id = 7", 1),
]
MARIADB = [
    Case('rows changed, missing and extra', 'id int, v varchar(100)', 'id', "seq, CONCAT('v', seq)", "UPDATE t SET v = 'x' WHERE id = 7; DELETE FROM t WHERE id = 8; INSERT INTO t VALUES (0, 'v')", 3),
    Case('20 rows with their numbers in their texts, changed in one stretch', 'id int, v varchar(100)', 'id', "seq, CONCAT('row ', seq)", "UPDATE t SET v = 'x' WHERE id BETWEEN 10010 AND 10029", 20),
]


def make(server, case):
    series = f'seq_1_to_{ROWS}' if isinstance(server, Maria) else f'generate_series(1, {ROWS}) g'
    key = f', PRIMARY KEY ({case.key})' if case.key else ''
    for database in ('shop', 'replica'):
        server.sql(f'DROP TABLE IF EXISTS t; CREATE TABLE t ({case.columns}{key}); INSERT INTO t SELECT {case.row} FROM {series}; ' + (case.first if database == 'shop' else case.change), database)


def slackwater(a, server, case):
    """As many keys as differ; a key that is there twice in one table is a conflict (in the destination)."""
    key = [word for name in (case.key or case.names[0]).split(', ') for word in ('--key', name)]
    status, text, said, _ = execute(a.work, [os.path.join(a.build, 'slackwater'), 'reconcile', '--json', '--list', '0', *key, '-b', server.locator('shop', '#t'), '-x', server.locator('replica', '#t')], 'slackwater')
    if status not in (0, 1, 3):
        return f'ended with {status}: {said.splitlines()[0] if said else ""}'
    counts = json.loads(text)['counts']
    return counts['different'] + counts['conflictKeys'] + counts['undecidedKeys']


def reladiff(a, server, case):
    keys = (case.key or case.names[0]).split(', ')
    others = [name for name in case.names if name not in keys]
    command = [reladiff_at(a), server.locator('shop'), 't', server.locator('replica'), 't', *(w for k in keys for w in ('-k', k)), *(w for c in others for w in ('-c', c))]
    status, text, said, _ = execute(a.work, command, 'reladiff')
    errors = [line for line in said.splitlines() if 'ERROR' in line]
    if status or errors:
        return 'ends with an error: ' + (errors or said.splitlines() or ['none is told'])[0].partition('ERROR - ')[2][:90]
    return len({tuple(line.lstrip('+- ').split(',')[:len(keys)]) for line in text.splitlines() if line[:1] in '+-'})


def pt_table_sync(a, server, _, function=None):
    status, text, said, _ = execute(a.work, pt_table_sync_command(server, function), 'pt-table-sync')
    if status not in (0, 2):
        return f'ends with {status}: {said[:90]}'
    return sum(line.startswith(('INSERT ', 'REPLACE ', 'UPDATE ', 'DELETE ')) for line in text.splitlines())


def look(a, kind, cases, tools, lines):
    complete = True
    names = list(tools)
    lines += ['', f'| {kind.name}, what differs | keys | ' + ' | '.join(names) + ' |', '| --- | --- |' + ' --- |' * len(names)]
    with kind(ROWS) as server:
        for case in cases:
            make(server, case)
            found = {name: tool(a, server, case) for name, tool in tools.items()}
            complete &= found['slackwater'] == case.keys
            lines.append(f'| {case.title} | {case.keys} | ' + ' | '.join(str(found[name]).replace('|', '/') for name in names) + ' |')
            print(f'  {kind.name}: {case.title}: {found}', file=sys.stderr, flush=True)
    return complete


def look_all(a):
    os.makedirs(a.work, exist_ok=True)
    lines, complete = [f'Keys that were found of those that differ, in tables of {ROWS:,} rows.'], True
    if PostgreSQL.unavailable() or not reladiff_at(a):
        absent(f'Reladiff is not looked at: {PostgreSQL.unavailable() or "build-bench/venv has none"}')
    else:
        complete &= look(a, Postgres, POSTGRES, {'slackwater': slackwater, 'Reladiff': reladiff}, lines)
    if MariaDB.unavailable() or not shutil.which('pt-table-sync'):
        absent(f'pt-table-sync is not looked at: {MariaDB.unavailable() or "it is not in PATH"}')
    else:
        complete &= look(a, Maria, MARIADB, {'slackwater': slackwater, 'pt-table-sync': pt_table_sync, 'with --function MD5': lambda a, server, case: pt_table_sync(a, server, case, 'MD5')}, lines)
    if len(lines) == 1:
        raise CouldNotRun('none of the tools is there')
    publish(a.work, 'blind_spots', {}, lines, '\n'.join(lines) + '\n')
    return complete


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__.split('\n', 1)[0])
    add_options(parser, runs=1, threads=1)
    options, answer = parser.parse_args(), []
    code = exit_status(lambda: answer.append(look_all(options)))
    sys.exit(code or (0 if answer[0] else 1))
