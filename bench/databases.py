#!/usr/bin/env python3
"""Measures a plain diff of two tables in databases against Reladiff (PostgreSQL) and pt-table-sync --print (MariaDB), on throwaway servers.

    bench/databases.py [--rows N] [--mariadb-rows N] [--differences WHAT,…] [--only postgres,mariadb] [--runs N] [--threads N]

The two tables stand in two databases of one server, on this machine, with a warm cache. WHAT is a number of differences, spread over the table, or NUMBER@together: in one
stretch, as a window that was lost. Of each 10 of them 8 are changed rows, one is missing and one is too many. Every run of every tool has to find these numbers, or nothing is reported.

reladiff          hashdiff with its defaults and --threads threads: checksums of segments, and the rows of those that differ
reladiff-tuned    the same without its test for repeated keys and without sorting what it prints
reladiff-join     joindiff: an outer join in the server, which needs both tables in one database; they stand there as well
slackwater        reads both tables whole
slackwater-one    the same, of the two tables in one database
pt-table-sync     --print: prints the statements that would make the second table like the first. With --function MD5: by default it sums CRC32 by XOR, which does not see
                  a stretch of changed rows whose texts follow each other (bench/blind_spots.py)

Reladiff is taken from build-bench/venv, pt-table-sync from PATH. What is not there is left out with a line that says so.
A tool that takes longer than --patience seconds is stopped, and told as that.
A server's share is the processor time of all of its processes while the tool ran. Writes databases.json and databases.md to the work folder.
Exit status: 0 measured, 1 a wrong answer, 2 usage, 4 it could not run.
"""
import argparse
import json
import os
import re
import shutil
import sys

from turns import ROOT, CouldNotRun, WrongAnswer, add_options, by_turns, conditions, costs, execute, exit_status, first_line, hold_against_truth, machine, pair, positive, publish, ratio

sys.path.insert(0, os.path.join(ROOT, 'tests', 'harness'))
from servers import MariaDB, PostgreSQL  # noqa: E402

NAMES = ('changed', 'missing', 'extra')
TICK = os.sysconf('SC_CLK_TCK')


def truth_of(differences):
    tenth = differences // 10
    return {'changed': differences - 2 * tenth, 'missing': tenth, 'extra': tenth}


def plan(what, rows):
    """(number, step, first): the difference i is planted at the key first + i * step."""
    number, _, together = what.partition('@')
    number = int(number)
    step = 1 if together else max(rows // max(number, 1), 1)
    return number, step, rows // 3 if together else 1


class Postgres:
    """A server with the databases shop and replica, and a copy of the replica's table in shop."""
    name, title = 'PostgreSQL', 'PostgreSQL to PostgreSQL'
    rows_of = 'rows'
    settings = ['shared_buffers = 1GB', 'max_wal_size = 8GB', 'autovacuum = off', 'max_connections = 50', 'wal_level = minimal', 'max_wal_senders = 0']
    row = "'row number ' || g || ' of the table' AS note, ((g % 100000)::numeric / 8)::numeric(12,3) AS amount, timestamp '2026-01-01' + g * interval '1 second' AS at, g % 3 = 0 AS flag"
    columns = ('note', 'amount', 'at', 'flag')

    def __init__(self, rows):
        self.rows, self.server = rows, PostgreSQL(self.settings)
        self.version = first_line([f'{PostgreSQL.bin}/postgres', '--version'])

    def __enter__(self):
        self.server.__enter__()
        self.server.sql('CREATE DATABASE replica', database='postgres')
        return self

    def __exit__(self, *_):
        self.server.close()

    def sql(self, text, database):
        for statement in text.split(';'):
            if statement.strip():
                self.server.sql(statement, database=database)

    def plant(self, what):
        number, step, first = plan(what, self.rows)
        one = f'(id - {first}) % {step} = 0 AND id >= {first} AND (id - {first}) / {step} < {number}'
        kind = f'(id - {first}) / {step} % 10'
        for database, table in (('shop', 't'), ('replica', 't'), ('shop', 't_copy')):
            self.sql(f'DROP TABLE IF EXISTS {table}; CREATE TABLE {table} AS SELECT g AS id, {self.row} FROM generate_series(1, {self.rows}) g', database)
            if database == 'replica' or table == 't_copy':
                self.sql(f"INSERT INTO {table} SELECT id + {self.rows}, note, amount, at, flag FROM {table} WHERE {one} AND {kind} = 9; "
                         f"UPDATE {table} SET note = 'changed' WHERE {one} AND {kind} < 8; DELETE FROM {table} WHERE {one} AND {kind} = 8", database)
            self.sql(f'ALTER TABLE {table} ADD PRIMARY KEY (id); VACUUM ANALYZE {table}', database)
        return truth_of(number)

    def cpu_seconds(self):
        """Of the first process, of the children that it has waited for, and of those that live."""
        def fields(pid):
            with open(f'/proc/{pid}/stat', encoding='utf-8') as f:
                return f.read().rpartition(')')[2].split()
        ticks = sum(map(int, fields(self.server.process.pid)[11:15]))
        for pid in filter(str.isdigit, os.listdir('/proc')):
            try:
                at = fields(pid)
                ticks += int(at[11]) + int(at[12]) if int(at[1]) == self.server.process.pid else 0
            except OSError:
                continue
        return ticks / TICK

    def locator(self, database, table=''):
        return f'postgresql://postgres@127.0.0.1:{self.server.port}/{database}{table}'


class Maria(Postgres):
    name, title = 'MariaDB', 'MariaDB to MariaDB'
    rows_of = 'mariadb_rows'
    settings = ['innodb-buffer-pool-size=1G', 'innodb-log-file-size=512M', 'skip-log-bin']

    def __init__(self, rows):
        self.rows, self.server = rows, MariaDB(self.settings)
        self.version = first_line([MariaDB.program, '--version'])

    def __enter__(self):
        self.server.__enter__()
        self.server.sql("CREATE DATABASE replica; CREATE USER bench@'%' IDENTIFIED BY 'bench'; GRANT ALL ON *.* TO bench@'%'")
        return self

    def plant(self, what):
        number, step, first = plan(what, self.rows)
        one = f'(id - {first}) % {step} = 0 AND id >= {first} AND (id - {first}) DIV {step} < {number}'
        kind = f'(id - {first}) DIV {step} % 10'
        for database in ('shop', 'replica'):
            self.sql(f"""DROP TABLE IF EXISTS t; CREATE TABLE t (id INT NOT NULL PRIMARY KEY, note VARCHAR(100) NOT NULL, amount DECIMAL(12,3) NOT NULL, at DATETIME NOT NULL, flag TINYINT NOT NULL);
                INSERT INTO t SELECT seq, CONCAT('row number ', seq, ' of the table'), (seq % 100000) / 8, TIMESTAMPADD(SECOND, seq, '2026-01-01'), seq % 3 = 0 FROM seq_1_to_{self.rows}""", database)
            if database == 'replica':
                self.sql(f"INSERT INTO t SELECT id + {self.rows}, note, amount, at, flag FROM t WHERE {one} AND {kind} = 9; "
                         f"UPDATE t SET note = 'changed' WHERE {one} AND {kind} < 8; DELETE FROM t WHERE {one} AND {kind} = 8", database)
            self.sql('ANALYZE TABLE t', database)
        return truth_of(number)

    def locator(self, database, table=''):
        return f'mariadb://bench:bench@127.0.0.1:{self.server.port}/{database}{table}'

    def data_source(self, database):
        return f'h=127.0.0.1,P={self.server.port},u=bench,p=bench,D={database},t=t'


# ---- the tools: each gives what it found, and its Run ----

def slackwater(a, server, one=False):
    command = [os.path.join(a.build, 'slackwater'), 'reconcile', '--json', '--list', '0', '--threads', str(a.threads), '-b', server.locator('shop', '#t'),
               '-x', server.locator('shop', '#t_copy') if one else server.locator('replica', '#t')]
    status, text, said, run = execute(a.work, command, 'slackwater')
    if status not in (0, 1):
        raise CouldNotRun(f'ended with status {status}: {" ".join(command)}\n{said or text[:2000]}')
    counts = json.loads(text)['counts']
    found = {'changed': counts['stateMismatch'], 'missing': counts['missingState'], 'extra': counts['unexpectedState']}
    if status != (1 if any(found.values()) else 0):
        raise WrongAnswer(f'slackwater ended with {status}, and found {found}')
    return found, run


def reladiff_at(a):
    return shutil.which(os.path.join(a.work, 'venv', 'bin', 'reladiff'))


def reladiff(a, server, tuned=False, join=False):
    """A row of the first table alone is printed with -, one of the second with +, a changed one with both."""
    second = ['t_copy'] if join else [server.locator('replica'), 't']
    command = [reladiff_at(a), server.locator('shop'), 't', *second, '-k', 'id', *(word for name in server.columns for word in ('-c', name)), '-j', str(a.threads),
               *(['--assume-unique-key'] if tuned or join else []), *(['--skip-sort-results'] if tuned else []), *(['-a', 'joindiff'] if join else [])]
    status, text, said, run = execute(a.work, command, 'reladiff', patience=a.patience)
    if status or 'error' in said.lower():
        raise CouldNotRun(f'ended with status {status}: {" ".join(command)}\n{text[-500:]}{said[-2000:]}')
    keys = {mark: {line.split(',')[0].lstrip('+- ') for line in text.splitlines() if line[:1] == mark} for mark in '+-'}
    return {'changed': len(keys['+'] & keys['-']), 'missing': len(keys['-'] - keys['+']), 'extra': len(keys['+'] - keys['-'])}, run


def pt_table_sync_command(server, function):
    return ['pt-table-sync', '--print', *(['--function', function] if function else []), server.data_source('shop'), server.data_source('replica')]


def pt_table_sync(a, server):
    status, text, said, run = execute(a.work, pt_table_sync_command(server, 'MD5'), 'pt-table-sync', patience=a.patience)
    if status not in (0, 2):  # 2: it found differences
        raise CouldNotRun(f'pt-table-sync ended with status {status}: {said[-2000:]}')
    verbs = [re.match(r'[A-Z]+', line)[0] for line in text.splitlines() if re.match(r'(INSERT|REPLACE|UPDATE|DELETE) ', line)]
    return {'changed': verbs.count('REPLACE') + verbs.count('UPDATE'), 'missing': verbs.count('INSERT'), 'extra': verbs.count('DELETE')}, run


def absent(text):
    print(f'bench: {text}', file=sys.stderr)
    return {}


def tools_of(a, kind):
    """name -> what it does with a server; the rivals that are there, and ourselves."""
    if kind is Maria:
        rivals = {'pt-table-sync': pt_table_sync} if shutil.which('pt-table-sync') else absent('pt-table-sync is left out: it is not in PATH (scripts/setup bench installs percona-toolkit)')
        return {'slackwater': slackwater, **rivals}
    if not reladiff_at(a):
        return {'slackwater': slackwater, **absent('Reladiff is left out: build-bench/venv has none (scripts/setup bench installs it)')}
    return {'slackwater': slackwater, 'reladiff': reladiff, 'reladiff-tuned': lambda a, server: reladiff(a, server, tuned=True),
            'slackwater-one': lambda a, server: slackwater(a, server, one=True), 'reladiff-join': lambda a, server: reladiff(a, server, join=True)}


# ---- measuring ----

def weighed(a, server, name, tool, truth):
    """One run of a tool, held against the truth, with what the server spent on it."""
    before = server.cpu_seconds()
    found, run = tool(a, server)
    run.server_cpu_seconds = server.cpu_seconds() - before
    hold_against_truth(name, truth, found)
    return run


def measure(a, kind, about, cases):
    with kind(getattr(a, kind.rows_of)) as server:
        for what in a.differences:
            truth = server.plant(what)
            programs = {name: lambda name=name, tool=tool: weighed(a, server, name, tool, truth) for name, tool in tools_of(a, kind).items()}
            runs = by_turns(f'{server.name}, {what} differences', programs, a.runs, warm=True)  # the tables were just written
            cases.append({'server': server.version, 'title': kind.title, 'rows': server.rows, 'differences': what, 'truth': truth,
                          'runs': {name: [vars(run) for run in of] for name, of in runs.items()}, 'costs': {name: costs(of) if of else None for name, of in runs.items()}})
            publish(a.work, 'databases', about, cases, '')


def table(about, cases):
    lines = [conditions(about)]
    for kind in dict.fromkeys(case['title'] for case in cases):
        of_kind = [case for case in cases if case['title'] == kind]
        lines += ['', f'{kind}, {of_kind[0]["rows"]:,} rows, {of_kind[0]["server"]}', '',
                  '| differences | tool | seconds | times slackwater | CPU s | CPU s of the server | both, times slackwater | MiB |', '| --- |' + ' --- |' * 7]
        for case in of_kind:
            for name, cost in case['costs'].items():
                if not cost:
                    lines.append(f'| {case["differences"]} | {name} | more than {about["patience"]} | | | | | |')
                    continue
                own = case['costs']['slackwater-one' if name in ('reladiff-join', 'slackwater-one') else 'slackwater']
                lines.append(f'| {case["differences"]} | {name} | {pair(cost["seconds"], ".2f")} | {pair(ratio(cost, own, "seconds"), ".2f")} | {pair(cost["cpu_seconds"], ".2f")} | '
                             f'{pair(cost["server_cpu_seconds"], ".2f")} | {pair(ratio(cost, own, "all_cpu_seconds"), ".2f")} | {pair(cost["peak_mib"], ".0f")} |')
    return '\n'.join(lines) + '\n'


def parse_options():
    env = os.environ.get
    parser = argparse.ArgumentParser(description=__doc__.split('\n', 1)[0])
    option = parser.add_argument
    option('--rows', type=positive, default=env('ROWS', '5000000'))
    option('--mariadb-rows', type=positive, default=env('MARIADB_ROWS', env('ROWS', '5000000')))
    option('--differences', type=lambda text: text.split(','), default=env('DIFFERENCES', '0,1000@together,1000,500000').split(','))
    option('--patience', type=positive, default=env('PATIENCE', '900'), metavar='SECONDS')
    option('--only', type=lambda text: text.split(','), default=['postgres', 'mariadb'], metavar='postgres,mariadb')
    add_options(parser, runs=3, threads=2)
    return parser.parse_args()


def measure_all(a):
    os.makedirs(a.work, exist_ok=True)
    about, cases, reasons = {**machine(a), 'patience': a.patience}, [], []
    for name, kind, server in (('postgres', Postgres, PostgreSQL), ('mariadb', Maria, MariaDB)):
        if name not in a.only:
            continue
        reason = server.unavailable()
        if reason:
            reasons.append(reason)
            absent(f'{kind.title} is left out: {reason}')
        else:
            measure(a, kind, about, cases)
    if not cases:
        raise CouldNotRun('; '.join(reasons) or 'nothing was asked for')
    publish(a.work, 'databases', about, cases, table(about, cases))


if __name__ == '__main__':
    options = parse_options()
    sys.exit(exit_status(lambda: measure_all(options)))
