"""SQLite's storage classes in columns of several declared types, and what each carrier makes of them."""
from .cells import alike, carried, column, different, none, same, sql, unknown

# the shell itself prints fifteen digits
DIGITS = carried("printf('%!.17g', {})", but={sql('1.7976931348623157e308'): different('SQLite prints the last digits of such numbers wrong')})
HEX = carried('hex({})')
X = {v: sql(f"x'{v}'") for v in ('00ff10', '00ff11', '', '00', '6162')}
BYTEA = {X[v]: f'\\x{v}' for v in X}
BLOB = {X[v]: sql(f"from_hex('{v}')") for v in X}

COLUMNS = [
    column('integer', 'INTEGER', [(sql('9223372036854775807'), sql('9223372036854775806')), (sql('9007199254740993'), sql('9007199254740992')), (sql('-1'), sql('1')), (None, sql('0'))],
           postgresql=carried('bigint'), mariadb=carried('BIGINT'), parquet=carried('BIGINT')),
    column('int8', 'INT8', [(sql('5'), sql('6'))], postgresql=carried('integer'), mariadb=carried('INT'), parquet=carried('TINYINT')),
    column('real', 'REAL', [(sql('0.1'), sql('0.10000000000000002')), (sql('1.7976931348623157e308'), sql('1.7976931348623155e308')), (sql('0.0'), same(sql('-0.0'))), (sql('3'), sql('4'))],
           csv=DIGITS, json=DIGITS, postgresql=carried('double precision'), mariadb=carried('DOUBLE'), parquet=carried('DOUBLE')),
    column('tiny', 'REAL', [(sql('5e-324'), sql('1e-323')), (sql('9e999'), sql('-9e999'))], csv=DIGITS, json=DIGITS, postgresql=carried('double precision', spell={sql('9e999'): 'Infinity', sql('-9e999'): '-Infinity'}),
           mariadb=carried('DOUBLE', leave=(sql('9e999'),)), parquet=carried('DOUBLE', spell={sql('9e999'): 'Infinity', sql('-9e999'): '-Infinity'})),
    column('numeric', 'NUMERIC(10,2)', [(sql('1.10'), sql('1.11')), (sql('10'), same(sql('10.00'))), (sql('-0.01'), sql('0.01'))], postgresql=carried('numeric(10,2)'), mariadb=carried('DECIMAL(10,2)'), parquet=carried('DECIMAL(10,2)'), json=carried(declare='float64')),
    column('money_as_text', 'TEXT', [('12345678901234567890.12', '12345678901234567890.13')], postgresql=carried('numeric(30,2)', 'decimal'), mariadb=carried('DECIMAL(30,2)', 'decimal'), parquet=carried('DECIMAL(30,2)', 'decimal')),
    column('text', 'TEXT', [('a', 'A'), ('a', 'a '), ('', None), (None, ''), ('é', 'e\u0301'), ('"q", \'x\'', '"q", \'y\''), ('line\nend', 'line end'), ('back\\slash', 'backslash'), ('tab\there', 'tab here'), ('漢😀', '漢😁'), ('1', '1.0'), ('NULL', None)],
           postgresql=carried('text'), mariadb=carried('TEXT CHARACTER SET utf8mb4'), parquet=carried('VARCHAR')),
    column('varchar', 'VARCHAR(5)', [('longer than 5', 'longer than 6')], postgresql=carried('text'), mariadb=carried('VARCHAR(20)'), parquet=carried('VARCHAR')),
    column('blob', 'BLOB', [(X['00ff10'], X['00ff11']), (X[''], X['00']), (X['6162'], X['00ff10'])], csv=HEX, json=HEX, postgresql=carried('bytea', spell=BYTEA), mariadb=carried('BLOB'), parquet=carried('BLOB', spell=BLOB)),
    column('boolean', 'BOOLEAN', [(sql('1'), sql('0'))], postgresql=carried('boolean', spell={sql('1'): 't', sql('0'): 'f'}), mariadb=carried('BOOLEAN', 'boolean'), parquet=carried('BOOLEAN')),
    column('date', 'DATE', [('2026-02-28', '2026-03-01')], postgresql=carried('date'), mariadb=carried('DATE'), parquet=carried('DATE')),
    column('datetime', 'DATETIME', [('2026-01-28 12:55:05.094', '2026-01-28 12:55:05.94'), ('2026-01-28T12:55:05', same('2026-01-28 12:55:05'))], postgresql=carried('timestamp'), mariadb=carried('DATETIME(6)'), parquet=carried('TIMESTAMP')),
    column('unixtime', 'DATETIME', [(sql('1764500000'), sql('1764500001'))], csv=carried(declare='timestamp unit=s'), json=carried(declare='timestamp unit=s'),
           postgresql=carried('timestamp', 'timestamp unit=s', spell={sql('1764500000'): '2025-11-30 10:53:20', sql('1764500001'): '2025-11-30 10:53:21'}),
           mariadb=carried('DATETIME', 'timestamp unit=s', spell={sql('1764500000'): '2025-11-30 10:53:20', sql('1764500001'): '2025-11-30 10:53:21'}),
           parquet=carried('TIMESTAMP', 'timestamp unit=s', spell={sql('1764500000'): '2025-11-30 10:53:20', sql('1764500001'): '2025-11-30 10:53:21'})),
    column('time', 'TIME', [('12:55:05.094', '12:55:05.094001')], postgresql=carried('time'), mariadb=carried('TIME(6)'), parquet=carried('TIME')),
    column('uuid', 'UUID', [('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12')], postgresql=carried('uuid'), mariadb=carried('UUID'), parquet=carried('UUID')),
    column('json', 'JSON', [('{"a":[1,null]}', '{"a":[1,0]}'), ('{"a":1,"b":2}', same('{"b":2.0,"a":1}'))], postgresql=carried('jsonb'), mariadb=carried('JSON'), parquet=carried('JSON')),
    column('misplaced', 'INTEGER', [('x', 'y')], csv=carried(but=unknown('a text in a column of integers is no value of its type: --type COLUMN=any compares by storage class')),
           json=carried(but=unknown('a text in a column of integers is no value of its type: --type COLUMN=any compares by storage class')), postgresql=none('it stores none'), mariadb=none('it stores none'), parquet=none('it stores none')),
    column('untyped', '', [(sql('2'), sql('3')), (sql('1'), '1')], csv=carried(declare='text', but={sql('1'): alike('CSV has no storage classes: the number 1 and the text 1 look alike')}),
           json=carried(), postgresql=none('it has no such column'), mariadb=none('it has none'), parquet=none('it has none')),
]
