"""DuckDB's types, and what each carrier makes of them."""
from .cells import carried, column, different, none, same, sql, unknown

ISO = unknown("DuckDB writes lists, structs and maps in a form of its own ([1, NULL], {'a': 1}, {k=1}): select to_json(COLUMN)")
NAN = none('DuckDB writes NaN and infinities bare, which is no JSON: the record would be a bad one')
TEXT = carried('hex({})')  # the text of a BLOB shows printable bytes as they are

COLUMNS = [
    column('tinyint', 'TINYINT', [('-128', '-127')]),
    column('utinyint', 'UTINYINT', [('255', '254')]),
    column('bigint', 'BIGINT', [('9223372036854775807', '9223372036854775806')]),
    column('ubigint', 'UBIGINT', [('18446744073709551615', '18446744073709551614')]),
    column('hugeint', 'HUGEINT', [('170141183460469231731687303715884105727', '170141183460469231731687303715884105726'), ('-1', '1')], parquet=carried('DECIMAL(38,0)', leave=('170141183460469231731687303715884105727',))),
    column('uhugeint', 'UHUGEINT', [('340282366920938463463374607431768211455', '340282366920938463463374607431768211454')], parquet=carried('VARCHAR', 'integer')),
    column('decimal', 'DECIMAL(38,10)', [('1234567890123456789012345678.0123456789', '1234567890123456789012345678.0123456788'), ('1.10', same('1.1')), ('-0.0000000001', '0.0000000001')]),
    column('float', 'FLOAT', [('0.1', '0.10000001'), ('16777216', '16777218'), ('0', same('-0'))]),
    column('double', 'DOUBLE', [('0.1', '0.10000000000000002'), ('5e-324', '1e-323')]),
    column('special', 'DOUBLE', [('nan', '0'), ('inf', '-inf')], json=NAN),
    column('varchar', 'VARCHAR', [('a', 'A'), ('a', 'a '), ('', None), ('NULL', None), ('"q", x', '"q", y'), ('line\nend', 'line end'), ('back\\slash', 'backslash'), ('é', 'e\u0301'), ('1', '1.0')]),
    column('blob', 'BLOB', [(sql("from_hex('00ff')"), sql("from_hex('00fe')")), (sql("from_hex('ab')"), sql("'ab'::BLOB")), (sql("''::BLOB"), None)], csv=TEXT, json=TEXT),
    column('bare_blob', 'BLOB', [(sql("from_hex('00ff')"), sql("from_hex('00fe')")), (sql("from_hex('ab')"), sql("'ab'::BLOB")), (sql("'a\\x5Cb\"'::BLOB"), sql("'a\"b'::BLOB")), (sql("''::BLOB"), None)],
           csv=carried(declare='bytes escape'), json=carried(declare='bytes escape')),
    column('boolean', 'BOOLEAN', [('true', 'false')]),
    column('date', 'DATE', [('2026-02-28', '2026-03-01'), ('0044-03-15 (BC)', '0044-03-15'), ('infinity', '-infinity'), ('10000-01-01', '10000-01-02')]),
    column('time', 'TIME', [('12:55:05.094', '12:55:05.094001'), ('24:00:00', '00:00:00')]),
    column('timetz', 'TIMETZ', [('12:00:00+02', '12:00:00+00'), ('12:00:00+02', same('10:00:00+00'))]),
    column('timestamp', 'TIMESTAMP', [('2026-01-28 12:55:05.094', '2026-01-28 12:55:05.094001'), ('0044-03-15 (BC) 12:00:00', '0044-03-15 12:00:00'), ('infinity', '-infinity')]),
    column('timestamp_s', 'TIMESTAMP_S', [('2026-01-28 12:55:05', '2026-01-28 12:55:06')]),
    column('timestamp_ms', 'TIMESTAMP_MS', [('2026-01-28 12:55:05.094', '2026-01-28 12:55:05.095')]),
    column('timestamp_ns', 'TIMESTAMP_NS', [('2026-01-28 12:55:05.123456789', '2026-01-28 12:55:05.123456788')]),
    column('timestamptz', 'TIMESTAMPTZ', [('2026-01-28 12:55:05.094+00', '2026-01-28 12:55:05.094001+00')]),
    column('interval', 'INTERVAL', [('1 month', '31 days'), ('1 year 2 months 3 days 04:05:06.789', '1 year 2 months 3 days 04:05:06.788')]),
    column('uuid', 'UUID', [('a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a12')]),
    column('json', 'JSON', [('{"a":[1,null]}', '{"a":[1,0]}'), ('{"a":1,"b":2}', same('{"b":2.0,"a":1}')), ('"x"', '"y"')], json=carried(declare='json bare')),
    column('enum', "ENUM('sad','ok')", [('sad', 'ok')]),
    column('bit', 'BIT', [('10101', '10111'), ('0', '00')]),
    column('list', 'INTEGER[]', [(sql('[1,2,NULL]'), sql('[1,NULL,2]')), (sql('[]'), None)], csv=carried('to_json({})')),
    column('array', 'INTEGER[3]', [(sql('[1,2,3]'), sql('[1,2,4]'))], csv=carried('to_json({})')),
    column('nested', 'VARCHAR[][]', [(sql("[['a','b'],[NULL]]"), sql("[['a','b'],['NULL']]"))], csv=carried('to_json({})')),
    column('struct', 'STRUCT(a DECIMAL(4,2), b VARCHAR)', [(sql("{'a': 1.10, 'b': 'x'}"), sql("{'a': 1.11, 'b': 'x'}")), (sql("{'a': 1, 'b': 'x'}"), sql("{'a': 1, 'b': NULL}"))], csv=carried('to_json({})')),
    column('map', 'MAP(VARCHAR, INTEGER)', [(sql("MAP(['k','l'],[1,2])"), sql("MAP(['k','l'],[1,3])")), (sql("MAP(['k','l'],[1,2])"), same(sql("MAP(['l','k'],[2,1])")))], csv=carried('to_json({})')),
    column('union', 'UNION(n INTEGER, s VARCHAR)', [(sql('union_value(n := 1)'), sql('union_value(n := 2)'))], json=carried(but=different('JSON has the name of the member, {"n":1}; a union is read as the value that it has')), parquet=none('DuckDB writes unions to Parquet as structs with a tag')),
    column('bare_list', 'INTEGER[]', [(sql('[1,2,NULL]'), sql('[1,NULL,2]'))], csv=carried(but=ISO)),
    column('bare_struct', 'STRUCT(a INTEGER)', [(sql("{'a': 1}"), sql("{'a': 2}"))], csv=carried(but=ISO)),
]
