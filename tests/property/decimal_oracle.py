"""Numbers as Python's decimal and float see them: equal exactly if canonical bytes are, in the order of the canonical bytes."""
import os
import random
import re
import subprocess
import unittest
from decimal import Decimal

PROGRAM = os.environ['SW_ENCODE_VALUES']
FAR = 1000000
JSON_NUMBER = re.compile(r'-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?\Z')


def encode(type_name, texts):
    """For each text (canonical bytes, printed JSON), or None where it is refused."""
    lines = [f"{type_name}\t{'n' if JSON_NUMBER.match(text) else 't'}\t{text}\n" for text in texts]
    done = subprocess.run([PROGRAM], input=''.join(lines), text=True, capture_output=True, check=True)
    answers = done.stdout.splitlines()
    assert len(answers) == len(texts), (len(answers), len(texts), done.stderr)
    result = []
    for answer in answers:
        first, _, second = answer.partition('\t')
        result.append(None if first == 'invalid' else (bytes.fromhex(first), second))
    return result


def digits(rng, count, alphabet='0123456789'):
    return ''.join(rng.choice(alphabet) for _ in range(count))


def random_number(rng):
    whole = digits(rng, rng.choice([0, 1, 1, 2, 3, 5, 18, 19, 20, 40]), rng.choice(['0123456789', '01', '09']))
    fraction = digits(rng, rng.choice([0, 0, 1, 2, 9, 30]), rng.choice(['0123456789', '01', '09', '0']))
    text = rng.choice(['', '', '-', '+']) + (whole or ('' if fraction else '0')) + ('.' + fraction if fraction or rng.random() < 0.05 else '')
    if rng.random() < 0.5:
        text += rng.choice('eE') + rng.choice(['', '+', '-']) + rng.choice([digits(rng, 1), digits(rng, 2), '00' + digits(rng, 1), digits(rng, 6), str(FAR), str(FAR + 1), '9' * 12])
    return text


def respelled(rng, text):
    """The same number in another spelling."""
    sign, whole, fraction, exponent = re.match(r'([+-]?)([0-9]*)\.?([0-9]*)(?:[eE]([+-]?[0-9]+))?\Z', text).groups()
    exponent = int(exponent or 0)
    shift = rng.randint(-5, 5)
    if shift >= 0:
        fraction = fraction.ljust(shift, '0')
        whole, fraction = whole + fraction[:shift], fraction[shift:]
    else:
        whole = whole.rjust(-shift, '0')
        whole, fraction = whole[:shift], whole[shift:] + fraction
    return f"{sign}{'0' * rng.randint(0, 2)}{whole or '0'}.{fraction or '0'}{'0' * rng.randint(0, 3)}e{exponent - shift}"


def neighbour(rng, text):
    """A number that differs in one digit, if there is one to change."""
    places = [m.start() for m in re.finditer(r'[0-9]', re.split('[eE]', text)[0])]
    at = rng.choice(places)
    return text[:at] + digits(rng, 1) + text[at + 1:]


def numbers(seed, count):
    rng = random.Random(seed)
    texts = []
    while len(texts) < count:
        text = random_number(rng)
        texts += [text, respelled(rng, text), neighbour(rng, text)]
    return texts


def is_far(number):
    return number != 0 and abs(number.adjusted()) > FAR


class Numbers(unittest.TestCase):
    def check_order(self, type_name, texts, meaning, rng):
        answers = encode(type_name, texts)
        kept = [(meaning(t), a[0], t) for t, a in zip(texts, answers) if a is not None]
        pairs = [(i, i + 1) for i in range(len(kept) - 1)] + [(i, i + 2) for i in range(len(kept) - 2)]
        pairs += [(rng.randrange(len(kept)), rng.randrange(len(kept))) for _ in range(20000)]
        equal = 0
        for i, j in pairs:
            (a, a_bytes, a_text), (b, b_bytes, b_text) = kept[i], kept[j]
            self.assertEqual(((a > b) - (a < b)), ((a_bytes > b_bytes) - (a_bytes < b_bytes)), f'{a_text} against {b_text} under {type_name}')
            equal += a == b
        self.assertGreater(equal, len(kept) // 8)
        in_order = sorted(kept, key=lambda k: k[1])
        self.assertEqual([k[0] for k in in_order], sorted(k[0] for k in kept))

    def test_decimals_are_equal_and_ordered_exactly_as_in_python(self):
        self.check_order('decimal', numbers(1, 9000), Decimal, random.Random(2))

    def test_numbers_under_any_are_the_same_bytes_as_decimals(self):
        texts = [t for t in numbers(3, 9000) if JSON_NUMBER.match(t)]
        self.assertGreater(len(texts), 1000)
        answers = encode('any', texts)
        self.assertEqual([a and a[0] for a in answers], [a and a[0] for a in encode('decimal', texts)])
        for text, a, b in zip(texts, answers, encode('integer', texts)):
            number = Decimal(text)
            whole = not is_far(number) and (number == 0 or number.as_tuple().exponent >= 0 or number.adjusted() >= 0 and number == number.to_integral_value())
            self.assertEqual(b, a if whole else None, text)

    def test_what_is_printed_is_the_same_number(self):
        texts = numbers(4, 6000)
        for text, answer in zip(texts, encode('decimal', texts)):
            number = Decimal(text)
            self.assertEqual(answer is None, is_far(number), text)
            if answer is not None:
                self.assertRegex(answer[1], JSON_NUMBER)
                self.assertEqual(Decimal(answer[1]), number, text)

    def test_bounded_integers_are_refused_exactly_outside_their_range(self):
        rng = random.Random(5)
        for bits in (8, 16, 32, 64):
            for low, high, name in ((-2 ** (bits - 1), 2 ** (bits - 1) - 1, f'int{bits}'), (0, 2 ** bits - 1, f'uint{bits}')):
                values = [rng.randint(low - 3, low + 3) for _ in range(100)] + [rng.randint(high - 3, high + 3) for _ in range(100)]
                values += [rng.randint(2 * low - 1, 2 * high) for _ in range(300)]
                texts = [respelled(rng, str(v)) if rng.random() < 0.5 else str(v) for v in values]
                answers = encode(name, texts)
                for value, text, answer in zip(values, texts, answers):
                    self.assertEqual(answer is not None, low <= value <= high, f'{text} under {name}')
                    if answer is not None:
                        self.assertEqual(answer[1], str(value))
                kept = sorted((a[0], v) for a, v in zip(answers, values) if a)
                self.assertEqual([v for _, v in kept], sorted(v for _, v in kept))

    def test_floats_are_the_nearest_and_are_printed_with_as_few_digits_as_python_needs(self):
        rng = random.Random(6)
        texts = []
        while len(texts) < 6000:
            text = random_number(rng)
            texts += [t for t in (text, respelled(rng, text), repr(rng.uniform(-1, 1) * 10 ** rng.randint(-300, 300)))
                      if not is_far(Decimal(t)) and abs(float(t)) < float('inf')]
        self.check_order('float64', texts, float, rng)
        for text, answer in zip(texts, encode('float64', texts)):
            self.assertEqual(float(answer[1]), float(text), text)
            self.assertEqual(len(Decimal(answer[1]).normalize().as_tuple().digits), len(Decimal(repr(float(text))).normalize().as_tuple().digits), text)


if __name__ == '__main__':
    unittest.main()
