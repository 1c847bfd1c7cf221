"""What the tables of the matrix are written with.

    column('name', 'TYPE in the database', [(value, other), …], carrier=carried(…), …)

`value` stands in the database and, unchanged, in the carrier: the two have to be equal. `other` is put into the carrier in the place of `value`, and has to be found as
different: it is a near miss, or a value that a careless reading takes for the same. same(other) has to be equal, too: another spelling of one value.
A value is a text, which is written as a quoted literal; sql('…') is written as it stands; None is NULL.
"""
from dataclasses import dataclass, field
from typing import Optional


@dataclass(frozen=True)
class sql:
    """An expression, written into the statement as it stands."""
    text: str


@dataclass(frozen=True)
class same:
    """A value beside another one that is the same value in another spelling."""
    value: object


@dataclass(frozen=True)
class But:
    """Another outcome than "equal, and the other value is found": of the same value, of the other one."""
    outcomes: tuple
    why: str


EQUAL = But(('equal', 'different'), '')


def unknown(why):
    """Neither value is compared: the row is undecided."""
    return But(('undecided', 'undecided'), why)


def different(why):
    """Even the same value is found to be different, since the carrier does not hold it."""
    return But(('different', 'different'), why)


def alike(why):
    """The carrier writes both values alike: the near miss cannot be seen."""
    return But(('equal', 'equal'), why)


@dataclass(frozen=True)
class Carried:
    type: Optional[str] = None       # the column's type there
    declare: Optional[str] = None    # the type that has to be declared: without it the run is refused and says so, or the outcome is another one
    but: dict = field(default_factory=dict)      # by value (None: all others): another outcome
    leave: tuple = ()                # values that the carrier cannot hold
    spell: dict = field(default_factory=dict)    # by value: how the carrier's database writes it
    none: Optional[str] = None       # the carrier has no such column, because …
    refused: Optional[str] = None    # the run is refused, and no declaration helps, because …


ALL = object()  # the values that have no outcome of their own


def carried(type=None, declare=None, but=None, leave=(), spell=None, none=None, refused=None):
    return Carried(type, declare, but if isinstance(but, dict) else {ALL: but} if but else {}, tuple(leave), dict(spell or {}), none, refused)


def none(why):
    return Carried(none=why)


@dataclass(frozen=True)
class Column:
    name: str
    type: str
    pairs: tuple
    carriers: dict

    def carrier(self, name):
        return self.carriers.get(name, Carried())


def column(name, type, pairs, **carriers):
    return Column(name, type, tuple(pairs), carriers)


@dataclass(frozen=True)
class Row:
    """One value in one column; all others of the row are NULL."""
    id: int
    column: Column
    here: object      # in the database
    there: object     # in the carrier
    second: bool      # the other value of a pair stands in the carrier
    alike: bool       # and it is the same value

    def outcome(self, carrier):
        but = self.column.carrier(carrier).but
        found = but.get(self.here) or but.get(ALL) or EQUAL
        return 'equal' if self.second and self.alike and found is EQUAL else found.outcomes[self.second]

    def spelled(self, carrier):
        return self.column.carrier(carrier).spell.get(self.there, self.there)


class Rows:
    """The rows of a table of types: two for each pair."""

    def __init__(self, columns):
        self.columns = columns
        self.rows = []
        for place, one in enumerate(columns, 1):
            for i, (value, other) in enumerate(one.pairs):
                alike = isinstance(other, same)
                self.rows += [Row(1000 * place + 2 * i, one, value, value, False, False), Row(1000 * place + 2 * i + 1, one, value, other.value if alike else other, True, alike)]

    def of_column(self, column, carrier):
        return [row for row in self.rows if row.column is column and row.here not in column.carrier(carrier).leave]

    def of(self, carrier):
        """The columns that a carrier has, and the rows that it can hold."""
        columns = [c for c in self.columns if not c.carrier(carrier).none and not c.carrier(carrier).refused]
        return columns, [row for c in columns for row in self.of_column(c, carrier)]
