"""Documents drawn at random for differential.py: well-formed ones, and every way found to spoil one.

Documents are built as trees of Python values in which an object is a `Members` list of (name, value), so that a
name can stand twice, and a `Raw` is JSON text taken as it is, so that a number can be spelled in any way.
`Writer` turns a tree into text, choosing white space and escapes at random.
"""
import json
import random

IDENTIFIER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'


class Raw(str):
    pass


class Members(list):
    pass


class Writer:
    def __init__(self, rng, spaces=0.0, escapes=0.0):
        self.rng, self.spaces, self.escapes = rng, spaces, escapes

    def space(self):
        if self.rng.random() >= self.spaces:
            return ''
        return ''.join(self.rng.choice((' ', '\n', '\t', '\r', '\r\n')) for _ in range(self.rng.randint(1, 3)))

    def string(self, text):
        parts = []
        for character in text:
            code = ord(character)
            if self.rng.random() < self.escapes or code < 0x20 or character in '"\\' or 0xD800 <= code <= 0xDFFF:
                units = [code] if code < 0x10000 else [0xD800 + (code - 0x10000 >> 10), 0xDC00 + (code & 0x3FF)]
                form = self.rng.choice(('\\u{:04x}', '\\u{:04X}'))
                parts.append(''.join(form.format(unit) for unit in units))
            else:
                parts.append(character)
        return '"' + ''.join(parts) + '"'

    def text(self, value):
        if isinstance(value, Raw):
            return str(value)
        if isinstance(value, str):
            return self.string(value)
        if isinstance(value, Members):
            return '{' + self.body(f'{self.padded(self.string(name))}:{self.padded(self.text(item))}'
                                   for name, item in value) + '}'
        if isinstance(value, list):
            return '[' + self.body(self.padded(self.text(item)) for item in value) + ']'
        return json.dumps(value)

    def padded(self, text):
        return self.space() + text + self.space()

    def body(self, items):
        return ','.join(items) or self.space()

    def document(self, value):
        return self.padded(self.text(value)).encode('utf-8', 'surrogatepass')


# ---- well-formed documents -------------------------------------------------------------------------------------------

def key(rng):
    return rng.choice(('A', 'B', 'C', 'D', 'a', '-', '_', '0', '10', '9')) if rng.random() < 0.95 else identifier(rng)


def identifier(rng):
    return ''.join(rng.choice(IDENTIFIER) for _ in range(rng.choice((1, 2, 5, 47, 48))))


def number(rng):
    return rng.choice((0, 1, -1, 2, 10**9, -10**9, rng.randint(-10**9, 10**9)))


def version(rng):
    return rng.choice((0, 1, 2, 3, 4, 5)) if rng.random() < 0.9 else rng.choice((10**9, rng.randint(0, 10**9)))


def content(rng, deleted):
    return None if deleted else rng.choice((0, 7, number(rng)))


def row(rng, row_key):
    deleted = rng.random() < 0.3
    return Members([('key', row_key), ('version', version(rng)), ('deleted', deleted),
                    ('value', content(rng, deleted))])


def event(rng, identity):
    deleted = rng.random() < 0.3
    return Members([('id', identity), ('key', key(rng)), ('version', version(rng)),
                    ('op', 'delete' if deleted else 'upsert'), ('value', content(rng, deleted))])


def rows(rng, most):
    keys = {key(rng) for _ in range(rng.randint(0, most))}
    return [row(rng, one) for one in sorted(keys)]


def valid(rng, most=8):
    events = [event(rng, f'e{i}') for i in range(rng.randint(0, most))]
    events += [Members(rng.choice(events)) for _ in range(rng.randint(0, 3)) if events]
    rng.shuffle(events)
    fields = [('baseline', rows(rng, most)), ('events', events), ('expected', rows(rng, most))]
    return shuffled(rng, Members(fields))


def shuffled(rng, value):
    """The same document with its members in another order, which never matters."""
    if isinstance(value, Members):
        value = Members((name, shuffled(rng, item)) for name, item in value)
        if rng.random() < 0.3:
            rng.shuffle(value)
        return value
    return [shuffled(rng, item) for item in value] if isinstance(value, list) else value


# ---- spoiled trees ---------------------------------------------------------------------------------------------------

def places(value, found=None):
    """Every (container, index) of the tree; in Members the index leads to (name, value)."""
    found = [] if found is None else found
    if isinstance(value, list):
        for index, item in enumerate(value):
            found.append((value, index))
            places(item[1] if isinstance(value, Members) else item, found)
    return found


def put(container, index, value):
    container[index] = (container[index][0], value) if isinstance(container, Members) else value


STRANGE_NAMES = ('key', 'Key', 'value', 'id', 'op', 'version ', '', 'deleted', 'baseline', 'extra')
STRANGE_VALUES = (None, True, False, 0, 1, -1, 1.5, '', 'A', 'A\n', 'upsert', 'delete', 'UPSERT', 'true', 'null', 'é',
                  '\ud800', '\U0001F600', [], [1], [None], Members(), Members([('key', 'A')]), Raw('1.0'), Raw('NaN'),
                  Raw('-0'))


def spoil_structure(rng, tree):
    container, index = rng.choice(places(tree))
    what = rng.randrange(7)
    if what == 0:
        del container[index]
    elif what == 1:
        container.insert(index, container[index])
    elif what == 2:
        put(container, index, rng.choice(STRANGE_VALUES))
    elif what == 3 and isinstance(container, Members):
        container[index] = (rng.choice(STRANGE_NAMES), container[index][1])
    elif what == 4 and isinstance(container, Members):
        container.append((rng.choice(STRANGE_NAMES), rng.choice(STRANGE_VALUES)))
    elif what == 5:
        other, place = rng.choice(places(tree))
        item = other[place][1] if isinstance(other, Members) else other[place]
        put(container, index, json_copy(item))
    else:
        put(container, index, rng.choice(STRANGE_VALUES))


def json_copy(value):
    if isinstance(value, Members):
        return Members((name, json_copy(item)) for name, item in value)
    return [json_copy(item) for item in value] if isinstance(value, list) else value


def structure(rng):
    tree = [valid(rng)]
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if places(tree):
            spoil_structure(rng, tree)
    return Writer(rng, spaces=rng.choice((0, 0.1))).document(tree[0] if tree else [])


def bounds(rng):
    tree = valid(rng)
    picked = [(container, index) for container, index in places(tree)
              if isinstance(container, Members) and container[index][0] not in ('baseline', 'events', 'expected')]
    for container, index in rng.sample(picked, min(len(picked), rng.choice((1, 1, 2)))):
        name = container[index][0]
        if name in ('version', 'value'):
            new = rng.choice((0, -1, 1)) + rng.choice((0, 10**9, -10**9, 2**31, 2**63, -2**63, 2**64, 10**18, 10**19,
                                                       -10**18))
        elif name in ('key', 'id'):
            new = ''.join(rng.choice(IDENTIFIER) for _ in range(rng.choice((0, 1, 47, 48, 49, 50))))
            if rng.random() < 0.3:
                spot = rng.randint(0, len(new))
                new = new[:spot] + rng.choice(' .:/@`[{^,+\n\0\x7f\u00e9\u0660\uff21\u212a') + new[spot:]
        elif name == 'deleted':
            new = rng.choice((True, False, None, 0, 1, 'true'))
        else:
            new = rng.choice(('upsert', 'delete', 'Upsert', 'delete ', 'insert', '', None, [], ['upsert'],
                              Members([('upsert', 1)])))
        put(container, index, new)
    return Writer(rng, spaces=0.05, escapes=rng.choice((0, 0, 0.2))).document(tree)


# ---- spellings -------------------------------------------------------------------------------------------------------

def number_spelling(rng):
    digits = rng.choice((1, 2, 9, 10, 17, 18, 19, 20, 30, 639, 641, 4299, 4300, 4301, 5000))
    long_number = str(rng.randint(1, 9)) + ''.join(rng.choice('0123456789') for _ in range(digits - 1))
    return rng.choice((
        '1.0', '1e3', '1E+3', '1e-3', '-0', '-0.0', '0', '00', '01', '-01', '1.', '.5', '1.e5', '1e', '1e+', '1e-',
        '1E', '+1', '--1', '-', '1-', '0x10',
        '1_000', 'NaN', 'Infinity', '-Infinity', '-NaN', '+Infinity', 'nan', 'inf', 'Infinit', '-Infinit', '-I', 'Na',
        'True', 'None', 'tru', 'nul', 'fals',
        'truefalse', '1e400', '-1e400', '1e5000', '0.1e1', '0e0', '1 2', '١', '1\u00a0', '1;', '1/1', '1000000000',
        '1000000001', '-1000000000', '-1000000001',
        '9223372036854775807', '9223372036854775808', '-9223372036854775808', '-9223372036854775809',
        '18446744073709551616', '1e999999999999',
        long_number, '-' + long_number, long_number + '.5', long_number + 'e1', '0.' + long_number,
        '1e' + long_number, '0' + long_number))


def numbers(rng):
    tree = [valid(rng)]
    found = places(tree)
    leaves = [(container, index) for container, index in found
              if not isinstance(container[index][1] if isinstance(container, Members) else container[index], list)]
    leaves = leaves or found
    for container, index in rng.sample(leaves, min(len(leaves), rng.choice((1, 1, 1, 2)))):
        put(container, index, Raw(number_spelling(rng)))
    return Writer(rng, spaces=0.05).document(tree[0])


CHARACTERS = ['a', 'A', '0', '_', '"', '\\', '/', '\0', '\t', '\n', '\r', '\x1f', ' ', '\x7f', '\x80', 'é', '\u07ff',
              '\u0800', '\u2028', '\ufeff', '\ud7ff',
              '\ue000', '\uffff', '\U00010000', '\U0001F600', '\U0010FFFF']
ESCAPES = ['\\n', '\\t', '\\r', '\\b', '\\f', '\\/', '\\\\', '\\"', '\\u0041', '\\u0000', '\\ud800', '\\udbff',
           '\\udc00', '\\udfff', '\\ud83d\\ude00',
           '\\uD83D\\uDE00', '\\ud83d\\u0041', '\\ud83d\\ud83d\\ude00', '\\ude00\\ud83d', '\\x41', '\\U0041', '\\u',
           '\\u1', '\\u12', '\\u123', '\\u12g4',
           '\\u 123', '\\u+123', '\\u-123', '\\u0x12', '\\u1_23', '\\', "\\'", '\\a', '\\0', '\\é', '\\\n',
           '\\ud83d\\', '\\ud83d\\u', '\\ud83d\\ude0', '\\ud83d\\n',
           '\\ud83d\\\\ude00', '\\u００４１', '\\\U0001F600', '\\u\U0001F600abc']


def string_spelling(rng):
    body = ''.join(rng.choice(rng.choice((CHARACTERS, ESCAPES))) for _ in range(rng.randint(0, 4)))
    return '"' + body + rng.choice(('"', '"', '"', '"', ''))


def strings(rng):
    text = Writer(rng, spaces=0.05, escapes=0.1).document(valid(rng)).decode()
    spots = [i for i, c in enumerate(text) if c == '"']
    for _ in range(rng.choice((1, 1, 2))):
        if not spots:
            return string_spelling(rng).encode('utf-8')
        spot = rng.choice(spots)
        if rng.random() < 0.4:
            text = text[:spot] + string_spelling(rng) + text[text.find('"', spot + 1) + 1:]
        else:
            spot += rng.choice((0, 1))
            text = text[:spot] + rng.choice(rng.choice((CHARACTERS, ESCAPES))) + text[spot:]
        spots = [i for i, c in enumerate(text) if c == '"']
    return text.encode('utf-8')


# Spellings of names, of which some are the same name.
NAMES = ['"A"', '"\\u0041"', '"a"', '""', '"\\u0000"', '"\\/"', '"/"', '"\\\\"', '"\\u005c"', '"é"', '"e\u0301"',
         '"\\u00e9"', '"\\n"', '"\\u000a"', '"\\u000A"', '"\U0001F600"', '"\\ud83d\\ude00"', '"\\uD83D\\uDE00"',
         '"\\ud83d"', '"\\uD83D"', '"\\ude00"', '"\\ude00\\ud83d"', '"\\ud83d\\ud83d"', '"\U0001F43D"',
         '"\\ud83d\\udc3d"', '"\\ud83d\\ud83d\\ude00"', '"\\ud83d\U0001F600"']


def names(rng):
    """Duplicate names, plain and by escape, at once, deep inside and before or after a syntax error."""

    def thing(depth):
        choice = rng.random()
        if depth == 0 or choice < 0.3:
            return rng.choice(('1', '"x"', 'null', '[]', '{}'))
        if choice < 0.45:
            return '[' + ','.join(thing(depth - 1) for _ in range(rng.randint(0, 3))) + ']'
        count = rng.choice((0, 1, 2, 2, 3, 11, 12, 13, 14, 30))
        if count > 3:
            some = [f'"n{i}"' for i in range(count)]
            rng.shuffle(some)
            if rng.random() < 0.5:
                some[rng.randrange(count)] = rng.choice(('"n1"', '"\\u006e1"', '"n\\u0031"'))
        else:
            some = [rng.choice(NAMES) for _ in range(count)]
        return '{' + ','.join(f'{name}:{thing(depth - 1)}' for name in some) + '}'

    text = thing(rng.randint(1, 4))
    if rng.random() < 0.3:
        spot = rng.randint(0, len(text))
        text = text[:spot] + rng.choice(('', 'x', ',', '}', ']', '"', ':')) + text[spot + rng.choice((0, 1)):]
    return text.encode('utf-8')


# ---- spoiled text ----------------------------------------------------------------------------------------------------

TOKENS = ['{', '}', '[', ']', ',', ':', '"', '\\', '\n', '\r\n', '\r', '\t', ' ', '\0', '\x0b', '\x0c', '\u00a0',
          '\u2028', '\ufeff', '0', '-', '.', 'e', '1', 'null', 'true',
          'NaN', '-Infinity', '[]', '{}', '""', '"key"', '\U0001F600', 'é', '//', '/**/', "'", '#', '\x1f', '\x7f',
          '{"a":1,"a":2}']


def syntax(rng):
    text = Writer(rng, spaces=rng.choice((0, 0.2)), escapes=rng.choice((0, 0.1))).document(valid(rng, most=3)).decode()
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        start = rng.randint(0, len(text))
        end = min(len(text), start + rng.choice((0, 0, 1, 1, 2, 10)))
        what = rng.random()
        if what < 0.5:
            text = text[:start] + rng.choice(TOKENS) + text[end:]
        elif what < 0.75:
            text = text[:start] + text[end:]
        else:
            text = text[:start] + text[start:end] * 2 + text[end:]
    return text.encode('utf-8')


def raw_bytes(rng):
    """Bytes that are mostly no UTF-8."""
    data = bytearray(Writer(rng, escapes=0.02).document(valid(rng, most=2)))
    for _ in range(rng.choice((1, 1, 2))):
        spot = rng.randint(0, len(data))
        data[spot:spot + rng.choice((0, 1))] = rng.choice((
            b'\xff', b'\x80', b'\xc0\x80', b'\xc1\xbf', b'\xc3', b'\xe0\x80\x80', b'\xe0\x9f\xbf', b'\xed\xa0\x80',
            b'\xed\xbf\xbf', b'\xef\xbf', b'\xf0\x8f\xbf\xbf',
            b'\xf4\x90\x80\x80', b'\xf5\x80\x80\x80', b'\xf0\x9f\x98', b'\xed\x9f\xbf', b'\xee\x80\x80',
            b'\xf4\x8f\xbf\xbf', b'\xf0\x90\x80\x80', b'\xc2\x80'))
    return bytes(data)


def semantics(rng):
    """Valid documents only: few keys and versions, so that conflicts, repeats, revivals and all reasons occur."""
    writer = Writer(rng, spaces=rng.choice((0, 0.1, 0.3)), escapes=rng.choice((0, 0, 0.3)))
    return writer.document(valid(rng, most=rng.choice((2, 8, 30))))


def identities(rng):
    """Repeated deliveries, some of which differ."""
    tree = valid(rng)
    events = next(value for name, value in tree if name == 'events')
    for _ in range(rng.randint(1, 4)):
        copy = Members(rng.choice(events)) if events else event(rng, 'e0')
        if rng.random() < 0.4:
            other = event(rng, 'x')
            name = rng.choice(('key', 'version', 'value', 'op'))
            copy = Members((field, dict(other)[name] if field == name else value) for field, value in copy)
        events.insert(rng.randint(0, len(events)), copy)
    return Writer(rng).document(tree)


# name, how to draw one, its share of the whole
GROUPS = [
    ('structural mutations', structure, 3),
    ('documents around the bounds', bounds, 2),
    ('spellings of numbers', numbers, 2),
    ('spellings of strings', strings, 3),
    ('sets of names', names, 3),
    ('syntax mutations', syntax, 4),
    ('documents that may be no UTF-8', raw_bytes, 1),
    ('valid documents', semantics, 3),
    ('repeated deliveries', identities, 1),
]
