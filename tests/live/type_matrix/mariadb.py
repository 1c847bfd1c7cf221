"""MariaDB's types, and what each carrier makes of them."""
from .cells import carried, column, different, none, same, sql, unknown

BYTES = {v: sql(f"x'{v}'") for v in ('00ff10', '00ff11', '', '00', '61620000', '61630000', '6162', '6161', '616200')}
# the same bytes as PostgreSQL, SQLite and DuckDB spell them
BYTEA = {BYTES[v]: f'\\x{v}' for v in BYTES}
BLOB = {BYTES[v]: sql(f"from_hex('{v}')") for v in BYTES}
POINT, OTHER_POINT = sql("ST_GeomFromText('POINT(1 2)')"), sql("ST_GeomFromText('POINT(1 3)')")


def binary(*pairs):
    return [(BYTES[a], None if b is None else BYTES[b]) for a, b in pairs]


COLUMNS = [
    column('tinyint', 'TINYINT', [('-128', '-127'), ('0', '1'), (None, '0')], postgresql=carried('smallint'), sqlite=carried('TINYINT'), parquet=carried('TINYINT')),
    column('tinyint_unsigned', 'TINYINT UNSIGNED', [('255', '254')], postgresql=carried('smallint'), sqlite=carried('INTEGER'), parquet=carried('UTINYINT')),
    column('smallint', 'SMALLINT', [('-32768', '-32767')], postgresql=carried('smallint'), sqlite=carried('SMALLINT'), parquet=carried('SMALLINT')),
    column('mediumint', 'MEDIUMINT', [('8388607', '8388606')], postgresql=carried('integer'), sqlite=carried('MEDIUMINT'), parquet=carried('INTEGER')),
    column('int', 'INT', [('-2147483648', '-2147483647')], postgresql=carried('integer'), sqlite=carried('INT'), parquet=carried('INTEGER')),
    column('int_unsigned', 'INT UNSIGNED', [('4294967295', '4294967294')], postgresql=carried('bigint'), sqlite=carried('INTEGER'), parquet=carried('UINTEGER')),
    column('bigint', 'BIGINT', [('9223372036854775807', '9223372036854775806'), ('9007199254740993', '9007199254740992')], postgresql=carried('bigint'), sqlite=carried('BIGINT'), parquet=carried('BIGINT')),
    column('bigint_unsigned', 'BIGINT UNSIGNED', [('18446744073709551615', '18446744073709551614')], postgresql=carried('numeric(20)'),
           sqlite=carried('UNSIGNED BIG INT', leave=('18446744073709551615',)), parquet=carried('UBIGINT')),
    column('zerofill', 'INT(6) ZEROFILL', [('42', '43')], postgresql=carried('integer'), sqlite=carried('INTEGER'), parquet=carried('INTEGER'), json=carried('{}+0')),
    column('boolean', 'BOOLEAN', [(sql('TRUE'), sql('FALSE'))], postgresql=carried('boolean', 'boolean'), sqlite=carried('BOOLEAN', 'boolean', spell={sql('TRUE'): sql('1'), sql('FALSE'): sql('0')}),
           parquet=carried('BOOLEAN', 'boolean')),
    column('decimal', 'DECIMAL(65,30)', [('12345678901234567890123456789012345.123456789012345678901234567890', '12345678901234567890123456789012345.123456789012345678901234567891'), ('-0.1', '0.1'), ('0', same('-0')), ('1', same('1.0'))],
           postgresql=carried('numeric'), sqlite=carried('TEXT', 'decimal'), parquet=carried('VARCHAR', 'decimal')),
    column('float', 'FLOAT', [('0.1', '0.10000001'), ('3.40282346e38', '3.40282326e38'), ('16777216', '16777218'), ('0', same('-0'))], postgresql=carried('real'), sqlite=carried('FLOAT', 'float32'), parquet=carried('FLOAT'),
           csv=carried('{}+0e0'), batch=carried('{}+0e0'), json=carried('{}+0e0')),
    column('double', 'DOUBLE', [('0.1', '0.10000000000000002'), ('1.7976931348623157e308', '1.7976931348623155e308'), ('5e-324', '1e-323'), ('0', same('-0'))], postgresql=carried('double precision'), sqlite=carried('DOUBLE'),
           parquet=carried('DOUBLE')),
    column('bit', 'BIT(10)', [(sql("b'1000000001'"), sql("b'1000000000'")), (sql("b'101'"), sql("b'111'"))],
           postgresql=carried('integer', spell={sql("b'1000000001'"): '513', sql("b'1000000000'"): '512', sql("b'101'"): '5', sql("b'111'"): '7'}),
           sqlite=carried('INTEGER', spell={sql("b'1000000001'"): '513', sql("b'1000000000'"): '512', sql("b'101'"): '5', sql("b'111'"): '7'}),
           parquet=carried('INTEGER', spell={sql("b'1000000001'"): '513', sql("b'1000000000'"): '512', sql("b'101'"): '5', sql("b'111'"): '7'}), csv=carried('{}+0'), batch=carried('{}+0'), json=carried('{}+0')),
    column('date', 'DATE', [('2026-02-28', '2026-03-01'), ('9999-12-31', '9999-12-30'), ('1000-01-01', '1000-01-02')], postgresql=carried('date'), sqlite=carried('DATE'), parquet=carried('DATE')),
    column('zero_date', 'DATE', [('0000-00-00', '2026-01-01')], binlog=carried(declare='date zero=null'), csv=carried(declare='date zero=null'), batch=carried(declare='date zero=null'), json=carried(declare='date zero=null'),
           postgresql=carried('date', 'date zero=null', spell={'0000-00-00': None}), sqlite=carried('DATE', 'date zero=null'), parquet=carried('DATE', 'date zero=null', spell={'0000-00-00': None})),
    column('datetime', 'DATETIME(6)', [('2026-01-28 12:55:05.094000', '2026-01-28 12:55:05.094001'), ('2026-01-28 12:55:05.094', '2026-01-28 12:55:05.94'), ('9999-12-31 23:59:59.999999', '9999-12-31 23:59:59.999998'),
                                       ('2026-01-28', same('2026-01-28 00:00:00'))],
           postgresql=carried('timestamp'), sqlite=carried('DATETIME'), parquet=carried('TIMESTAMP')),
    column('zero_datetime', 'DATETIME', [('0000-00-00 00:00:00', '2026-01-01 00:00:00')], binlog=carried(declare='timestamp zero=null'), csv=carried(declare='timestamp zero=null'), batch=carried(declare='timestamp zero=null'), json=carried(declare='timestamp zero=null'),
           postgresql=carried('timestamp', 'timestamp zero=null', spell={'0000-00-00 00:00:00': None}), sqlite=carried('DATETIME', 'timestamp zero=null'),
           parquet=carried('TIMESTAMP', 'timestamp zero=null', spell={'0000-00-00 00:00:00': None})),
    column('timestamp', 'TIMESTAMP(6) NULL', [('2026-01-28 12:55:05.094', '2026-01-28 12:55:05.094001'), ('2026-03-01 00:00:00', '2026-03-01 01:00:00')],
           csv=carried(declare='timestamptz zone=+00:00'), batch=carried(declare='timestamptz zone=+00:00'), json=carried(declare='timestamptz zone=+00:00'), postgresql=carried('timestamptz'),
           sqlite=carried('TIMESTAMPTZ', 'timestamptz zone=+00:00'), parquet=carried('TIMESTAMPTZ')),
    column('time', 'TIME(6)', [('12:55:05.094', '12:55:05.094001'), ('-838:59:59', '838:59:59'), ('-00:00:01', '00:00:01'), ('24:00:00', '00:00:00')],
           postgresql=carried('time', leave=('-838:59:59', '-00:00:01')), sqlite=carried('TIME'), parquet=carried('TIME', leave=('-838:59:59', '-00:00:01'))),
    column('year', 'YEAR', [('2026', '2027'), ('0000', '1901')], json=carried('{}+0'), postgresql=carried('integer'), sqlite=carried('INTEGER'), parquet=carried('INTEGER')),
    column('char', 'CHAR(5) CHARACTER SET utf8mb4', [('ab', 'aB'), ('', None), ('ab', same('ab '))], postgresql=carried('char(5)', 'text trim'), sqlite=carried('CHAR(5)', spell={'ab ': 'ab'}), parquet=carried('VARCHAR', spell={'ab ': 'ab'})),
    column('varchar', 'VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci', [('a', 'A'), ('a', 'a '), ('é', 'e\u0301'), ('é', 'e'), ('ß', 'ss'), ('漢😀', '漢😁'), ('NULL', None), ('', None), (None, ''), ('1', '1.0')],
           postgresql=carried('varchar(40)'), sqlite=carried('VARCHAR(40)'), parquet=carried('VARCHAR'), batch=carried(but={'NULL': different('the client prints the text NULL and NULL alike')})),
    column('latin1', 'VARCHAR(40) CHARACTER SET latin1', [('é€', 'è€')], postgresql=carried('varchar(40)'), sqlite=carried('TEXT'), parquet=carried('VARCHAR')),
    column('text', 'TEXT CHARACTER SET utf8mb4', [('"q", \'x\'', '"q", \'y\''), ('line\nend', 'line end'), ('back\\slash', 'backslash'), ('back\\nslash', 'back\nslash'), ('\\N', None), ('tab\there', 'tab here'), ('cr\r\nlf', 'cr\nlf'), ('"', '""'),
                                                  (' lead', 'lead'), ('a,b', 'a')],
           postgresql=carried('text'), sqlite=carried('TEXT'), parquet=carried('VARCHAR')),
    column('binary', 'BINARY(4)', binary(('61620000', '61630000'), ('00ff10', '00ff11')), postgresql=carried('bytea', spell={**BYTEA, BYTES['00ff10']: '\\x00ff1000', BYTES['00ff11']: '\\x00ff1100'}),
           sqlite=carried('BLOB', spell={BYTES['00ff10']: sql("x'00ff1000'"), BYTES['00ff11']: sql("x'00ff1100'")}), parquet=carried('BLOB', spell={**BLOB, BYTES['00ff10']: sql("from_hex('00ff1000')"), BYTES['00ff11']: sql("from_hex('00ff1100')")}),
           csv=carried('HEX({})'), batch=carried('HEX({})'), json=carried('HEX({})')),
    column('varbinary', 'VARBINARY(20)', binary(('6162', '6161'), ('', '00'), ('6162', '616200'), ('', None)), postgresql=carried('bytea', spell=BYTEA), sqlite=carried('BLOB'), parquet=carried('BLOB', spell=BLOB),
           csv=carried('HEX({})'), batch=carried('HEX({})'), json=carried('HEX({})')),
    column('blob', 'BLOB', binary(('00ff10', '00ff11')), postgresql=carried('bytea', spell=BYTEA), sqlite=carried('BLOB'), parquet=carried('BLOB', spell=BLOB), csv=carried('HEX({})'), batch=carried('HEX({})'), json=carried('HEX({})')),
    column('enum', "ENUM('sad','ok','Sad ')", [('sad', 'ok')], postgresql=carried('varchar(10)'), sqlite=carried('TEXT'), parquet=carried('VARCHAR')),
    column('set', "SET('a','b','c')", [('a,b', 'a,c'), ('', 'a'), ('b,a', same('a,b'))], postgresql=carried('varchar(10)', spell={'b,a': 'a,b'}), sqlite=carried('TEXT', spell={'b,a': 'a,b'}), parquet=carried('VARCHAR', spell={'b,a': 'a,b'})),
    column('json', 'JSON', [('{"a": [1, {"b": null}]}', '{"a": [1, {"b": 0}]}'), ('{"a":1,"b":2}', same('{"b":2.0, "a":1}')), ('[1,2]', '[2,1]'), ('"x"', '"y"'), ('null', None), ('1e400', '1e401')],
           postgresql=carried('json'), sqlite=carried('JSON', but={'1e400': unknown('a column that SQLite knows as JSON has numeric affinity: the text 1e400 becomes an infinity there')}), parquet=carried('JSON'), json=carried(declare='json bare', but={'null': different('JSON_OBJECT writes the JSON null and NULL alike')})),
    column('uuid', 'UUID', [('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12')], postgresql=carried('uuid'), sqlite=carried('UUID'), parquet=carried('UUID')),
    column('inet6', 'INET6', [('2001:db8::1', '2001:db8::2'), ('::ffff:10.0.0.1', '::ffff:10.0.0.2')], postgresql=carried('inet'), sqlite=carried('TEXT'), parquet=carried('VARCHAR')),
    column('inet4', 'INET4', [('10.0.0.1', '10.0.0.2')], postgresql=carried('inet'), sqlite=carried('TEXT'), parquet=carried('VARCHAR')),
    column('point', 'POINT', [(POINT, OTHER_POINT)], csv=carried('HEX({})'), batch=carried('HEX({})'), json=carried('HEX({})'), postgresql=none('PostgreSQL has no geometry of its own'), sqlite=none('SQLite has none'), parquet=none('not tested')),
]
