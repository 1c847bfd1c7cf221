#!/usr/bin/env python3
"""Prints docs/type-matrix.md from the tables of types that test_type_matrix.py holds against real servers.

    tests/live/type_matrix/document.py > docs/type-matrix.md
"""
import os
import sys
import unicodedata

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..'))
from type_matrix import duckdb, mariadb, postgresql, sqlite  # noqa: E402
from type_matrix.cells import ALL, EQUAL, same, sql  # noqa: E402

SHOWN, WIDEST = 4, 38
ESCAPES = {'\n': '\\n', '\r': '\\r', '\t': '\\t'}

HEAD = """# The matrix of types

Every type of a database against every way in which its values are carried: what is equal, and what is found when a value is not. This page is made from the tables in
`tests/live/type_matrix/`, which `tests/live/test_type_matrix.py` holds against real servers and their own tools; a test fails when the page and the tables part.

Each value stands in the database's table and in the carrier, where it has to be equal, and beside it another value in the carrier that has to be found: a near miss, as one more in the last digit, a
microsecond, a blank at the end, another case. Each is held in both roles, as the baseline and as the reference.

| mark | |
| --- | --- |
| `=` | each value is equal, and each other one is found |
| `TYPE =` | the same, carried in a column of that type |
| `f(c) =` | the same, where the carrier's tool is asked for this expression instead of the column |
| **as** `TYPE` | the type has to be declared: `--type 'COLUMN=TYPE'`. Without it the run is refused and says so, or ends with another outcome |
| ≠ | a value of the note is found to be different, though it is the same: the carrier does not hold it |
| ? | a value of the note is not compared: the key is undecided |
| ~ | a value of the note and the one beside it look alike in the carrier |
| ✗ | the run is refused, whatever is declared |
| – | there is no such column |

In the values `a` ≠ `b` are a value and the other one that has to be found, and `a` = `b` are two spellings of one value.
"""

PARTS = [
    ('PostgreSQL', postgresql, ('slot', 'csv', 'json', 'parquet', 'mariadb', 'sqlite'),
     '**slot**: the changes that a slot holds, by `pgoutput`; **csv**: `COPY … TO STDOUT (FORMAT csv, HEADER)`; **json**: `row_to_json`; **parquet**: written by DuckDB. The sessions that write CSV and JSON have the zone Europe/Berlin.'),
    ('MariaDB', mariadb, ('binlog', 'csv', 'batch', 'json', 'parquet', 'postgresql', 'sqlite'),
     "**binlog**: the changes that the binary log holds; **csv**: `SELECT … INTO OUTFILE … CHARACTER SET utf8mb4` with a header before it, read with `--csv-delimiter tab --csv-escape '\\'`; **batch**: `mariadb --batch`, read with "
     "`--csv-delimiter tab --csv-escape '\\' --csv-null NULL`; **json**: `JSON_OBJECT`; **parquet**: written by DuckDB. The sessions that write have the zone UTC."),
    ('SQLite', sqlite, ('csv', 'json', 'parquet', 'postgresql', 'mariadb'), '**csv**: `sqlite3 -csv -header`; **json**: `sqlite3 -json`; **parquet**: written by DuckDB.'),
    ('DuckDB', duckdb, ('csv', 'json', 'parquet'), 'Read through its ADBC driver; written by `COPY … TO`.'),
]


def shown(value):
    text = 'NULL' if value is None else value.text if isinstance(value, sql) else ''.join(c if c.isprintable() and not unicodedata.combining(c) else ESCAPES.get(c) or f'\\u{ord(c):04x}' for c in value)
    text = text if len(text) <= WIDEST else text[:WIDEST // 2] + '…' + text[-WIDEST // 2 + 1:]
    return ('`` ' + text + ' ``' if '`' in text else f'`{text}`') if text else '(empty)'


def code(text):
    return f'`{text}`'.replace('|', '\\|')


def values(column):
    pairs = [f'{shown(value)} {"=" if isinstance(other, same) else "≠"} {shown(other.value if isinstance(other, same) else other)}' for value, other in column.pairs]
    return (', '.join(pairs[:SHOWN]) + (f' and {len(pairs) - SHOWN} more' if len(pairs) > SHOWN else '')).replace('|', '\\|')


class Notes:
    def __init__(self):
        self.texts = []

    def number(self, text):
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text) + 1


def mark(outcomes):
    return '?' if 'undecided' in outcomes else '≠' if outcomes[0] == 'different' else '~'


def cell(column, carrier, notes):
    of = column.carrier(carrier)
    if of.none is not None:
        return '–' + (f' ({notes.number(of.none)})' if of.none else '')
    if of.refused:
        return f'✗ ({notes.number(of.refused)})'
    parts = [code(of.type.replace('{}', 'c'))] if of.type else []
    whole = of.but.get(ALL)
    parts.append(f'{mark(whole.outcomes)} ({notes.number(whole.why)})' if whole else '=')
    if of.declare:
        parts.append(f'**as** {code(of.declare)}')
    for value, but in of.but.items():
        if value is not ALL:
            parts.append(f'{mark(but.outcomes)} ({notes.number(shown(value) + ": " + but.why)})')
    return ' '.join(parts)


def document():
    lines = [HEAD]
    for name, module, carriers, how in PARTS:
        notes = Notes()
        lines += [f'## {name}', '', how, '', '| type | values | ' + ' | '.join(carriers) + ' |', '| --- ' * (len(carriers) + 2) + '|']
        for column in module.COLUMNS:
            lines.append(f'| {code(column.type) if column.type else "no type"} | {values(column)} | ' + ' | '.join(cell(column, carrier, notes) for carrier in carriers) + ' |')
        lines.append('')
        lines += [f'{i}. {text}' for i, text in enumerate(notes.texts, 1)]
        lines += [''] if notes.texts else []
    rows = sum(2 * len(c.pairs) * sum(c.carrier(x).none is None and not c.carrier(x).refused for x in carriers) for _, m, carriers, _ in PARTS for c in m.COLUMNS)
    lines.append(f'Left out of a carrier are the values that it cannot hold at all (years before 1 in MariaDB). In all there are {rows} rows before those are left out, each compared twice but for those of logs.')
    return '\n'.join(lines) + '\n'


if __name__ == '__main__':
    sys.stdout.write(document())
