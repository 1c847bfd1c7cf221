"""Documents for differential.py that are listed, not drawn: limits, sizes, depths, truncations and odd texts."""
import random

from documents import NAMES, Members, Writer, valid

CASE = ('{\r\n  "baseline": [{"key": "A", "version": 4, "deleted": false, "value": 100},\n '
        '{"k\\u0065y": "B", "version": 7, "deleted": true, "value": null}],\r'
        '"events": [{"id": "e1", "key": "A", "version": 6, "op": "upsert", "value": -12.0e+1},\t'
        '{"id": "\\ud83d\\ude00\U0001F600é\\ud83d", "op": "\\n", "x": [[], {}, NaN, -Infinity, true]}], '
        '"expected": [] }\n')


def truncations():
    data = CASE.encode('utf-8')
    return [data[:end] for end in range(len(data) + 1)]


def row(i):
    return Members([('key', f'k{i}'), ('version', i), ('deleted', False), ('value', i)])


def event(i):
    return Members([('id', f'e{i}'), ('key', f'k{i % 700}'), ('version', i % 3), ('op', 'upsert'), ('value', i % 5)])


def many(make, count):
    return [make(i) for i in range(count)]


def write(baseline, events, expected):
    members = Members([('baseline', baseline), ('events', events), ('expected', expected)])
    return Writer(random.Random(1)).document(members)


def entries():
    """999, 1000 and 1001 entries in each list, in all of them, and of no row at all."""
    found = []
    for count in (999, 1000, 1001):
        found.append(write(many(row, count), [], []))
        found.append(write([], many(event, count), []))
        found.append(write([], [], many(row, count)))
        found.append(write(many(row, count), many(event, count), many(row, count)))
        found.append(write([], [event(0)] * count, []))
        found.append(write([1] * count, [2] * count, [3] * count))
    return found


def characters():
    """Around 2,000,000 characters, of one byte and of more."""
    small = write(many(row, 3), many(event, 3), many(row, 2))
    found = []
    for length in (1_999_999, 2_000_000, 2_000_001, 2_000_002, 2_100_000):
        room = length - len(small)
        found.append(small + b' ' * room)
        found.append(b'\r\n' * (room // 2) + b' ' * (room % 2) + small)
        for filler in ('x', 'é', '\u2028', '\U0001F600'):
            found.append(('"' + filler * (length - 2) + '"').encode())
            found.append(('\n"' + filler * (length - 2)).encode())
    found += [b' ' * 3_999_999 + b'\xff', b'\xff' + b' ' * 2_000_001]
    found += [b'\r\n' * 1_000_001, b'\r' * 2_000_001, b'\n' * 2_000_000]
    found += [b'[' + b'0,' * 999_998 + b'0]', b'[' + b'[],' * 600_000 + b'[]]', b'1' * 1_999_999 + b'.5']
    found += [b'"' + b'\\u0041' * 333_332 + b'"', b'"' + b'\\ud83d\\ude00' * 166_666 + b'"']
    return found


def large_objects():
    """Many names, and one of them twice: the check may not be quadratic."""
    found = []
    for count in (1000, 100_000):
        names = [f'"{i}":0' for i in range(count)]
        for more in ([], ['"0":1'], ['"\\u0030":1'], ['"0":']):
            found.append('{' + ','.join(names + more) + '}')
        found.append('[' + '{"a":1,"b":2},' * count + '{"a":1,"\\u0061":1}]')
    found.append('{' + ','.join(f'"{"x" * i}":0' for i in range(1900)) + '}')
    return [text.encode() for text in found]


def pairs_of_names():
    return [f'{{{one}:0,{other}:1}}'.encode() for one in NAMES for other in NAMES]


def deep():
    """Up to 900 exactly; from there on only a refusal is asked for."""
    shapes = [(b'[', b'', b']'), (b'{"a":', b'1', b'}'), (b'[{"a":', b'NaN', b'}]'), (b'[', b'"\n"', b']'),
              (b'[', b'{"a":1,"a":1}', b']'), (b'[', b'x', b''), (b'{"a":', b'', b''), (b'[', b'', b'}')]
    found = []
    for depth in (1, 2, 100, 899, 900, 901, 993, 994, 995, 996, 997, 1000, 1001, 5000, 300_000):
        for opening, inner, closing in shapes:
            times = depth // (opening.count(b'[') + opening.count(b'{'))
            found.append(opening * times + inner + closing * times)
    return found


def oddities():
    """Whole texts that are easily got wrong, alone and next to a valid document."""
    document = Writer(random.Random(2)).document(valid(random.Random(2)))
    texts = ['', ' ', '\n', '\r', '\r\n', '\t\r\n ', '\0', '\x0b', '\x0c', '\x1a', '\u00a0', '\u2028', '\ufeff',
             '\ufeff ', ' \ufeff', '\ufeff\ufeff', 'null', 'true', 'false',
             'NaN', 'Infinity', '-Infinity', '""', '"', '"\\', '"\\u', '"\\u0', '"\\u004', '"\\u0041', '"\\ud83d',
             '"\\ud83d\\', '"\\ud83d\\u', '"\\ud83d\\ude0',
             '"\\ud83d\\ude00', '"\\ud83d\\ude00"', '"\\ud83d\\ude0é', '"\\u12éé', '"\\u12é', '{', '}', '[', ']',
             '[]', '{}', '[,', '[,]', '[1,', '[1,]', '[1 1]', '[1', '{,', '{,}', '{"',
             '{"a', '{"a"', '{"a":', '{"a":}', '{"a":1', '{"a":1,', '{"a":1,}', '{"a":1 "b":2}', '{"a" 1}', "{'a':1}",
             '{a:1}', '{1:1}', '{"a":1}}', '[]]', '[] []', '{} x',
             '// x', '/* */ {}', '#', '[1] // x', '1', '-', '--', '-1', '1.5', '01', '1.', '1e', '1e+', '"a" "b"',
             'nul', 'nulll', 'tru', 'truee', 'N', 'Na', 'NaNN', 'I', 'Inf',
             '-I', '-Infinit', '[NaN]', '[nan]', '\x7f', '[\n1,\r\n2,\n\n x]', '"\n"', '"a\x00b"', '"\x7f"', '"é\n"',
             'é', '[\U0001F600]', '\U0001F600 []', '["\U0001F600" x]']
    found = [text.encode() for text in texts]
    found += [text + document for text in found] + [document + text for text in found]
    for count in (4299, 4300, 4301, 5000, 100_000):
        found += [b'9' * count, b'-' + b'9' * count, b'9' * count + b'e1', b'[' + b'9' * count]
    return found


GROUPS = [
    ('truncations of one document', truncations),
    ('documents around 1,000 entries', entries),
    ('documents around 2,000,000 characters', characters),
    ('objects with many names', large_objects),
    ('pairs of names', pairs_of_names),
    ('deep documents', deep),
    ('odd texts', oddities),
]
