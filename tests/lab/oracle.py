"""What the bounded contract answers to a document: an oracle for differential.py.

Written from the contract's rules, not from the product: it shares no structure with src/lab. Python's json
module is part of the contract, so it is used here as it stands; CPython 3.11 is the version whose words count.

A document is one value with `baseline`, `events` and `expected`. Rows hold a key, a version, a flag and a value;
events hold an id and an operation besides. What is wrong is named in a fixed order: the document's fields, the
baseline's rows one by one, the reference's rows, then the events.
"""
import itertools
import json
import re
from collections import namedtuple

CHARACTERS_MAX = 2_000_000
ENTRIES_MAX = 1000
DEPTH_EXACT = 900  # deeper documents are only required to be refused
BILLION = 1_000_000_000

Row = namedtuple('Row', 'key version deleted value')
Answer = namedtuple('Answer', 'status out err')
ANY_REFUSAL = Answer(2, b'', None)  # err None: the words are not part of the contract

IDENTIFIER = frozenset('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-')
OPERATIONS = {'upsert': False, 'delete': True}


class Refusal(ValueError):
    pass


def demand(condition, words):
    if not condition:
        raise Refusal(words)


def members(pairs):
    table = dict(pairs)
    demand(len(table) == len(pairs), 'duplicate JSON field')
    return table


def fields(thing, names):
    """The values of exactly these fields, in this order."""
    demand(isinstance(thing, dict) and sorted(thing) == sorted(names), 'missing or unexpected fields')
    return [thing[name] for name in names]


def is_identifier(thing):
    return isinstance(thing, str) and 1 <= len(thing) <= 48 and IDENTIFIER.issuperset(thing)


def is_integer(thing, low, high):
    # bool is a subclass of int, and the contract does not take true for 1
    return isinstance(thing, int) and not isinstance(thing, bool) and low <= thing <= high


def checked_key_and_version(key, version):
    demand(is_identifier(key), 'invalid identifier')
    demand(is_integer(version, 0, BILLION), 'integer outside contract')


def checked_value(deleted, value):
    if deleted:
        demand(value is None, 'tombstone value must be null')
    else:
        demand(is_integer(value, -BILLION, BILLION), 'integer outside contract')
    return value


def state_list(thing):
    demand(isinstance(thing, list) and len(thing) <= ENTRIES_MAX, 'at most 1000 rows')
    rows = []
    keys = set()
    for entry in thing:
        key, version, deleted, value = fields(entry, ['key', 'version', 'deleted', 'value'])
        checked_key_and_version(key, version)
        demand(isinstance(deleted, bool), 'deleted must be boolean')
        rows.append(Row(key, version, deleted, checked_value(deleted, value)))
        demand(key not in keys, 'duplicate row key')
        keys.add(key)
    return rows


def event_list(thing):
    """The distinct events' rows, and how many deliveries were repeats."""
    demand(isinstance(thing, list) and len(thing) <= ENTRIES_MAX, 'at most 1000 events')
    by_id = {}
    for entry in thing:
        identity, key, version, operation, value = fields(entry, ['id', 'key', 'version', 'op', 'value'])
        demand(is_identifier(identity), 'invalid identifier')
        demand(isinstance(operation, str) and operation in OPERATIONS, 'unknown operation')
        checked_key_and_version(key, version)
        deleted = OPERATIONS[operation]
        row = Row(key, version, deleted, checked_value(deleted, value))
        demand(by_id.setdefault(identity, row) == row, 'event identity reused with different content')
    return list(by_id.values()), len(thing) - len(by_id)


def reconcile(document):
    baseline, events, expected = fields(document, ['baseline', 'events', 'expected'])
    baseline = state_list(baseline)
    expected = state_list(expected)
    changes, repeats = event_list(events)

    distinct = sorted(set(baseline + changes), key=lambda row: (row.key, row.version))
    places = itertools.groupby(distinct, key=lambda row: (row.key, row.version))
    contents = [(place, len(list(rows))) for place, rows in places]
    disputed = [place for place, count in contents if count > 1]
    blocked = {key: [version for other, version in disputed if other == key] for key, _ in disputed}
    newest = {row.key: row for row in distinct if row.key not in blocked}
    reference = {row.key: row for row in expected}

    def reason(key):
        if key in blocked:
            return 'conflicting-version'
        if key not in newest:
            return 'missing-state'
        if key not in reference:
            return 'unexpected-state'
        return None if newest[key] == reference[key] else 'state-mismatch'

    reasons = [(key, reason(key)) for key in sorted({*blocked, *newest, *reference})]
    differences = [{'key': key, 'reason': why} for key, why in reasons if why]
    return {
        'cloudSemanticsValidated': False,
        'conflicts': [{'key': key, 'versions': blocked[key]} for key in sorted(blocked)],
        'differences': differences,
        'duplicateDeliveries': repeats,
        'historyCompletenessProven': False,
        'matchesDeclaredReference': differences == [],
        'productionReplayApproved': False,
        'referenceIndependentlyVerified': False,
        'stateLifetime': 'this invocation only',
        'states': [newest[key]._asdict() for key in sorted(newest)],
    }


def nesting(data):
    """At most this deep; brackets in strings are counted too."""
    if data.count(b'[') + data.count(b'{') <= DEPTH_EXACT:
        return 0
    steps = (1 if match.group() in b'[{' else -1 for match in re.finditer(rb'[][{}]', data))
    return max(itertools.accumulate(steps), default=0)


def answer(data):
    """The exit status and both outputs for a document, given as bytes."""
    try:
        text = data.decode('utf-8')
    except UnicodeDecodeError:
        return ANY_REFUSAL
    try:
        # Line breaks are not translated: that is how Python opens its standard input on POSIX systems.
        demand(len(text) <= CHARACTERS_MAX, 'input exceeds local limit')
        if nesting(data) > DEPTH_EXACT:
            return ANY_REFUSAL
        report = reconcile(json.loads(text, object_pairs_hook=members))
    except ValueError as refusal:
        return Answer(2, b'', json.dumps({'error': str(refusal)}).encode() + b'\n')
    return Answer(0, json.dumps(report, sort_keys=True).encode() + b'\n', b'')
