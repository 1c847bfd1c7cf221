#!/usr/bin/env python3
"""Records the streams under fixtures/ anew, from throwaway servers: needs PostgreSQL 15 with wal2json, MariaDB, a JDK and Maven.

    tests/record/record.py [postgres|mariadb]... [--keep DIR]

The workload runs while two engines of Debezium listen, each crashes once and delivers again (one of them in its first snapshot, too), a snapshot is
taken in the middle, and the server restarts. What the tables held before, and what they hold in the end, is asked of the server. fixtures/README.md says what
each file is. The jars are kept in DIR/lib.
"""
import argparse
import collections
import gzip
import json
import os
import shutil
import subprocess
import sys
import tempfile

import servers
import streams

HERE = os.path.dirname(os.path.abspath(__file__))
FIXTURES = os.path.join(HERE, 'fixtures')
TABLES = {'postgres': ['kinds', 'lossy', 'accounts', 'docs', 'full_docs', 'wiped', 'wiped_too', 'bulk', 'snapped', 'busy'],
          'mariadb': ['kinds', 'lossy', 'accounts', 'wiped', 'bulk', 'snapped', 'busy']}
KEPT_LINES = {'wal2json_v1': 60, 'wal2json_v2': 250}  # of the run that is killed
COMMON = {'tombstones.on.delete': 'true', 'max.batch.size': '16', 'poll.interval.ms': '50', 'skipped.operations': 'none', 'incremental.snapshot.chunk.size': '5'}


def read_sql(name):
    with open(os.path.join(HERE, name), encoding='utf-8') as f:
        return f.read()


def keep(database, name, text):
    """A fixture, packed without time or name, so that the same content gives the same bytes."""
    folder = os.path.join(FIXTURES, database)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name + '.gz'), 'wb') as f, gzip.GzipFile(filename='', mode='wb', fileobj=f, mtime=0, compresslevel=9) as packed:
        packed.write(text if isinstance(text, bytes) else text.encode())


def read(path):
    with open(path, 'rb') as f:
        return f.read()


def interleave(server, busy):
    """Transactions that overlap, long and short: what one writes first, another commits first."""
    a, b = server.session(), server.session()
    a.run('BEGIN')
    a.run(f"UPDATE {busy} SET v = 'long', n = n + 1 WHERE id = 1")
    b.run('BEGIN')
    b.run(f"UPDATE {busy} SET v = 'short', n = n + 1 WHERE id = 2")
    a.run(f"INSERT INTO {busy} VALUES (20, 'of the long one', 0)")
    b.run(f"INSERT INTO {busy} VALUES (21, 'of the short one', 0)")
    b.run('COMMIT')
    a.run(f"UPDATE {busy} SET n = n + 10, v = 'long, after short' WHERE id IN (2, 21)")
    for n in range(30):
        a.run(f"UPDATE {busy} SET n = n + 1 WHERE id = 3")
        b.run(f"UPDATE {busy} SET n = n + 1 WHERE id = {4 + n % 2}")
    b.run('BEGIN')
    b.run(f"DELETE FROM {busy} WHERE id = 6")
    a.run('COMMIT')
    b.run(f"INSERT INTO {busy} VALUES (6, 'reborn', 6)")
    b.run(f"UPDATE {busy} SET n = 100 WHERE id = 3")
    b.run('COMMIT')
    a.run('BEGIN')
    a.run(f"UPDATE {busy} SET n = -1 WHERE id = 7")
    b.run(f"UPDATE {busy} SET n = 1000 WHERE id = 8")
    a.run('ROLLBACK')
    a.close()
    b.close()


def snapshot_amid(server, engines, schema, signal_type):
    """An incremental snapshot of `snapped` in each engine, while its rows change, move and go."""
    for engine in engines:
        table = f'{schema}.signal_{engine.variant}'
        server.sql(f"""INSERT INTO {table} VALUES ('snap-{engine.variant}', 'execute-snapshot', '{{"type": "{signal_type}", "data-collections": ["{schema}.snapped"]}}');""")
    snapped, turn = f'{schema}.snapped', 0
    last = [0]

    def change():
        nonlocal turn
        turn += 1
        n = turn % 40 + 1
        server.sql(f"UPDATE {snapped} SET v = 'turn {turn}', n = n + 1 WHERE id = {n};")
        if turn % 5 == 0:
            server.sql(f"DELETE FROM {snapped} WHERE id = {40 + turn // 5 % 4 + 1}; INSERT INTO {snapped} VALUES ({1000 + turn}, 'new {turn}', 0);")
        if turn % 9 == 0:
            server.sql(f"UPDATE {snapped} SET id = {2000 + turn} WHERE id = {turn // 9 % 3 + 45};")
        for engine in engines:
            engine.wait_for('"id"')  # starts it again if it crashed
        last[0] = turn
        # 48 and one of the last new rows were read: each of the engines is through
        return turn >= 12 and all(read(e.output).count(b'"incremental"') >= 30 for e in engines)
    servers.wait_until(change, 'the incremental snapshots do not end')


def listening(engines, condition):
    """Until both engines stream. The one that begins with a snapshot crashes in the midst of it, rows change, and it begins anew."""
    def condition_after_crash():
        for engine in engines:
            engine.revive()
        return len(engines[1].runs) == 2 and condition()
    servers.wait_until(condition_after_crash, 'the engines do not listen')


def between_snapshots(server, schema):
    return lambda: server.sql(f"UPDATE {schema}.busy SET v = 'between two snapshots', n = n + 1 WHERE id IN (1, 8); DELETE FROM {schema}.snapped WHERE id = 48; "
                              f"UPDATE {schema}.wiped SET v = 'between two snapshots'; INSERT INTO {schema}.snapped VALUES (49, 'between two snapshots', 0);")


def fence(server, engines, schema, name):
    server.sql(f"INSERT INTO {schema}.fence (v) VALUES ('{name}');")
    for engine in engines:
        engine.wait_for(name)


def row_event(line):
    """What makes two lines one event delivered twice: all of it but the times of processing and, since they name what the connector had read before,
    the sequence and the place in the transaction. None: no event of a row."""
    record = json.loads(line)
    if isinstance(record, dict) and set(record) == {'schema', 'payload'}:
        record = record['payload']
    if not isinstance(record, dict) or record.get('op') not in ('c', 'u', 'd', 't', 'r'):
        return None
    left_out = ('sequence', 'snapshot', 'ts_ms', 'ts_us', 'ts_ns') if record['op'] == 'r' else ('sequence',)  # which row was first, and when it was read
    source = {k: v for k, v in record['source'].items() if k not in left_out}
    return json.dumps([record['op'], record.get('before'), record.get('after'), source], sort_keys=True), record['source']['table']


def again(text):
    """table -> events that were delivered more than once, counted once for each further delivery"""
    seen, more = collections.Counter(), collections.Counter()
    for line in text.decode().splitlines():
        event = row_event(line)
        if event:
            more[event[1]] += seen[event] > 0
            seen[event] += 1
    return {table: count for table, count in sorted(more.items()) if count}


def again_wal2json(text):
    """The same of wal2json with LSNs, of which a second delivery is the same text: a line is a row's event, or a whole transaction."""
    seen, more = set(), collections.Counter()
    for line in text.decode().splitlines():
        record = json.loads(line)
        if line in seen:
            rows = record.get('change', [record])
            more.update(row['table'] for row in rows if row.get('action', row.get('kind')) in ('I', 'U', 'D', 'T', 'insert', 'update', 'delete'))
        seen.add(line)
    return {table: count for table, count in sorted(more.items())}


def rows_of(server, tables, select):
    return ''.join(server.sql(select(table)) for table in tables)


def record_postgres(folder, jars):
    server = servers.Postgres(folder)
    class_path = streams.build_engine(jars, 'postgres')
    server.start()
    try:
        server.sql(read_sql('postgres_schema.sql'))

        def select(table):
            # jsonb as text, since row_to_json would make NULL and the JSON null one
            names = server.sql(f"SELECT string_agg(CASE data_type WHEN 'jsonb' THEN format('%1$I::text AS %1$I', column_name) ELSE quote_ident(column_name) END, ', ' ORDER BY ordinal_position)"
                               f" FROM information_schema.columns WHERE table_schema = 'public' AND table_name = '{table}'").strip()
            return f"""SELECT json_build_object('table', 'public.{table}', 'row', row_to_json(whole)) FROM (SELECT {names} FROM {table} ORDER BY id) whole;"""
        baseline = rows_of(server, TABLES['postgres'], select)
        keep('postgres', 'baseline.ndjson', baseline)
        receivers = {}
        for name, plugin, options in (('wal2json-v1', 'wal2json', ['include-xids=1', 'include-timestamp=1', 'include-lsn=1', 'format-version=1']),
                                      ('wal2json-v2', 'wal2json', ['include-xids=1', 'include-timestamp=1', 'include-lsn=1', 'format-version=2'])):
            receivers[name] = streams.Receiver(server, folder, name, plugin, options)
        for slot in ('bare', 'flat'):
            server.sql(f"SELECT pg_create_logical_replication_slot('{slot}', 'pgoutput');")
        common = {**COMMON, 'connector.class': 'io.debezium.connector.postgresql.PostgresConnector', 'database.hostname': '127.0.0.1', 'database.port': server.port,
                  'database.user': 'postgres', 'database.password': 'none', 'database.dbname': 'postgres', 'plugin.name': 'pgoutput', 'publication.name': 'everything',
                  'publication.autocreate.mode': 'disabled', 'status.update.interval.ms': '500', 'interval.handling.mode': 'string'}
        bare = streams.Engine(folder, class_path, 'debezium-bare', {
            **common, 'slot.name': 'bare', 'snapshot.mode': 'no_data', 'converter.schemas.enable': 'false', 'decimal.handling.mode': 'string', 'heartbeat.interval.ms': '3000',
            'table.exclude.list': 'public.signal_schema', 'signal.data.collection': 'public.signal_bare'}, crashes=[(150, 60)])
        schema = streams.Engine(folder, class_path, 'debezium-schema', {
            **common, 'slot.name': 'with_schema', 'snapshot.mode': 'initial', 'converter.schemas.enable': 'true', 'provide.transaction.metadata': 'true',
            'table.exclude.list': 'public.signal_bare', 'signal.data.collection': 'public.signal_schema'}, crashes=[(40, 0), (260, 190)],
            after_first_crash=between_snapshots(server, 'public'))
        engines = [bare, schema]
        for engine, engine.variant in zip(engines, ('bare', 'schema')):
            engine.start()
        listening(engines, lambda: server.sql("SELECT count(*) FROM pg_replication_slots WHERE active").strip() == '2')
        fence(server, engines, 'public', 'fence-begin')
        server.sql(read_sql('postgres_workload.sql'))
        fence(server, engines, 'public', 'fence-values')
        # nothing is open: all that was committed ends at or before this place, and what comes begins at or behind it
        middle = server.sql('SELECT pg_current_wal_insert_lsn()').strip()
        keep('postgres', 'middle.ndjson', rows_of(server, TABLES['postgres'], select))
        interleave(server, 'busy')
        fence(server, engines, 'public', 'fence-interleaved')
        snapshot_amid(server, engines, 'public', 'incremental')
        server.sql("UPDATE docs SET n = n + 1; UPDATE full_docs SET n = n + 1;")
        server.stop()
        server.start()
        server.sql("UPDATE busy SET n = n + 1; UPDATE accounts SET balance = balance + 0.01; UPDATE docs SET title = 'after the restart' WHERE id < 4;")
        fence(server, engines, 'public', 'fence-end')
        for engine in engines:
            engine.finish('fence-end')
        keep('postgres', 'final.ndjson', rows_of(server, TABLES['postgres'], select))
        flat = streams.Engine(folder, class_path, 'debezium-flat', {
            **common, 'slot.name': 'flat', 'snapshot.mode': 'no_data', 'converter.schemas.enable': 'false', 'decimal.handling.mode': 'string', 'time.precision.mode': 'isostring',
            'binary.handling.mode': 'hex', 'table.exclude.list': 'public.signal_bare,public.signal_schema', 'transforms': 'flatten',
            'transforms.flatten.type': 'io.debezium.transforms.ExtractNewRecordState', 'transforms.flatten.delete.tombstone.handling.mode': 'rewrite',
            'transforms.flatten.add.fields': 'op,lsn,source.sequence,source.name,schema,table'})
        flat.start()
        flat.finish('fence-end')
        end = server.sql('SELECT pg_current_wal_flush_lsn()').strip()
        for receiver in receivers.values():
            receiver.receive(keep_lines=KEPT_LINES[receiver.slot])
            receiver.receive(end=end)
        found = {}
        for engine in (*engines, flat):
            name, text = os.path.basename(engine.folder), read(engine.output)
            keep('postgres', name + '.ndjson', text)
            found[name] = {'lines': text.count(b'\n'), 'began at line': engine.runs}
            if engine is not flat:
                found[name]['delivered again'] = again(text)
        keep('postgres', 'debezium-kcat.ndjson', read(bare.output + '.kcat'))
        found['debezium-kcat'] = found['debezium-bare']
        for name, receiver in receivers.items():
            keep('postgres', name + '.ndjson', receiver.text())
            found[name] = {'lines': receiver.text().count(b'\n'), 'began at line': receiver.runs}
        for name, receiver in receivers.items():
            found[name]['delivered again'] = again_wal2json(receiver.text())
        return {'PostgreSQL': server.version(), 'Debezium': jar_version(class_path, 'debezium-connector-postgres'),
                'wal2json': package_version('postgresql-15-wal2json'), 'middle': middle, 'streams': found}
    finally:
        server.stop('immediate')


def mariadb_select(server):
    def select(table):
        columns = [line.split('\t') for line in server.sql(f"SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = 'shop' AND table_name = '{table}' ORDER BY ordinal_position").splitlines()]
        parts = []
        for name, kind in columns:
            shown = {**dict.fromkeys(('varbinary', 'binary', 'blob'), f"CONCAT('\\\\x', HEX({name}))"), 'bit': f'{name} + 0', 'longtext': f'CONCAT({name})', 'year': f'CONCAT({name})'}.get(kind, name)
            parts.append(f"'{name}', {shown}")
        return f"SELECT JSON_OBJECT('table', 'shop.{table}', 'row', JSON_OBJECT({', '.join(parts)})) FROM shop.{table} ORDER BY id;"
    return select


def record_mariadb(folder, jars):
    server = servers.MariaDB(folder)
    class_path = streams.build_engine(jars, 'mariadb')
    server.start()
    try:
        server.sql(read_sql('mariadb_schema.sql'))
        keep('mariadb', 'baseline.ndjson', rows_of(server, TABLES['mariadb'], mariadb_select(server)))
        common = {**COMMON, 'connector.class': 'io.debezium.connector.mariadb.MariaDbConnector', 'database.hostname': '127.0.0.1', 'database.port': server.port,
                  'database.user': 'recorder', 'database.password': 'recorder', 'database.include.list': 'shop', 'database.ssl.mode': 'disable',
                  'schema.history.internal': 'io.debezium.storage.file.history.FileSchemaHistory', 'include.schema.changes': 'true'}
        server.sql("CREATE USER recorder@'127.0.0.1' IDENTIFIED BY 'recorder'; GRANT ALL ON *.* TO recorder@'127.0.0.1';")
        bare = streams.Engine(folder, class_path, 'debezium-bare', {
            **common, 'database.server.id': 5401, 'snapshot.mode': 'no_data', 'converter.schemas.enable': 'false', 'decimal.handling.mode': 'string', 'provide.transaction.metadata': 'true',
            'schema.history.internal.file.filename': f'{folder}/history-bare', 'bigint.unsigned.handling.mode': 'long',
            'table.exclude.list': 'shop.signal_schema', 'signal.data.collection': 'shop.signal_bare'}, crashes=[(170, 80)])
        schema = streams.Engine(folder, class_path, 'debezium-schema', {
            **common, 'database.server.id': 5402, 'snapshot.mode': 'initial', 'converter.schemas.enable': 'true', 'bigint.unsigned.handling.mode': 'precise',
            'schema.history.internal.file.filename': f'{folder}/history-schema',
            'table.exclude.list': 'shop.signal_bare', 'signal.data.collection': 'shop.signal_schema'}, crashes=[(40, 0), (260, 190)],
            after_first_crash=between_snapshots(server, 'shop'))
        engines = [bare, schema]
        for engine, engine.variant in zip(engines, ('bare', 'schema')):
            engine.start()
        listening(engines, lambda: int(server.sql("SELECT count(*) FROM information_schema.processlist WHERE command = 'Binlog Dump'")) == 2)
        fence(server, engines, 'shop', 'fence-begin')
        server.sql(read_sql('mariadb_workload.sql'))
        fence(server, engines, 'shop', 'fence-values')
        middle = ':'.join(server.sql('SHOW MASTER STATUS').split()[:2])
        keep('mariadb', 'middle.ndjson', rows_of(server, TABLES['mariadb'], mariadb_select(server)))
        interleave(server, 'shop.busy')
        fence(server, engines, 'shop', 'fence-interleaved')
        snapshot_amid(server, engines, 'shop', 'incremental')
        server.stop()
        server.start()
        server.sql("USE shop; UPDATE busy SET n = n + 1; UPDATE accounts SET balance = balance + 0.01; FLUSH BINARY LOGS; UPDATE wiped SET v = 'in the third log';")
        fence(server, engines, 'shop', 'fence-end')
        for engine in engines:
            engine.finish('fence-end')
        keep('mariadb', 'final.ndjson', rows_of(server, TABLES['mariadb'], mariadb_select(server)))
        found = {}
        for engine in engines:
            name, text = os.path.basename(engine.folder), read(engine.output)
            keep('mariadb', name + '.ndjson', text)
            found[name] = {'lines': text.count(b'\n'), 'began at line': engine.runs, 'delivered again': again(text)}
        return {'MariaDB': server.version(), 'Debezium': jar_version(class_path, 'debezium-connector-mariadb'), 'middle': middle, 'streams': found}
    finally:
        server.stop()


def jar_version(class_path, name):
    folder = class_path.split(':')[1][:-2]
    return next(f[len(name) + 1:-len('.jar')] for f in os.listdir(folder) if f.startswith(name + '-'))


def package_version(name):
    return subprocess.run(['dpkg-query', '-W', '-f', '${Version}', name], capture_output=True, text=True, check=True).stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('databases', nargs='*', choices=[[], 'postgres', 'mariadb'])
    parser.add_argument('--keep', metavar='DIR', help='for the jars; what the servers and engines wrote stays there, too')
    a = parser.parse_args()
    kept = a.keep or tempfile.mkdtemp(prefix='slackwater-record-')
    os.makedirs(kept, exist_ok=True)
    for database in a.databases or ['postgres', 'mariadb']:
        folder = tempfile.mkdtemp(prefix=f'slackwater-{database}-')
        os.chmod(folder, 0o755)
        try:
            record = {'postgres': record_postgres, 'mariadb': record_mariadb}[database](folder, os.path.abspath(kept))
            with open(os.path.join(FIXTURES, database, 'recorded.json'), 'w', encoding='utf-8') as f:
                json.dump(record, f, indent=2)
                f.write('\n')
            print(json.dumps(record, indent=2))
        finally:
            if a.keep:
                print(f'left: {folder}', file=sys.stderr)
            else:
                shutil.rmtree(folder)
    if not a.keep:
        shutil.rmtree(kept)


if __name__ == '__main__':
    main()
