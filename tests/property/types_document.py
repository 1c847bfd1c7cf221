"""The examples and the list of types of docs/types.md, held against the encoder."""
import os
import re
import subprocess
import unittest

PROGRAM = os.environ['SW_ENCODE_VALUES']
DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'docs', 'types.md')


def section(title):
    with open(DOCUMENT, encoding='utf-8') as f:
        return re.search(rf'^## {title}\n(.*?)(?=^## |\Z)', f.read(), re.S | re.M).group(1)


def rows(title):
    lines = [line for line in section(title).splitlines() if line.startswith('|')]
    return [[re.findall(r'`([^`]+)`', cell) for cell in line[1:-1].split('|')] for line in lines[2:]]


def run(type_name, values):
    return subprocess.run([PROGRAM], input=''.join(f'{type_name}\tj\t{v}\n' for v in values), text=True, capture_output=True)


def canonical(type_name, values):
    done = run(type_name, values)
    assert done.returncode == 0 and 'invalid' not in done.stdout, (type_name, values, done)
    return [line.partition('\t')[0] for line in done.stdout.splitlines()]


def types():
    """The rows of the table of types, without that of arrays of a type, which is a form and no name."""
    return [row for row in rows('What there is') if row[0] != ['array of TYPE']]


class Document(unittest.TestCase):
    def test_values_that_are_called_equal_are_and_the_others_are_not(self):
        examples = rows('Examples')
        self.assertGreater(len(examples), 8)
        for (type_name,), equal, different in examples:
            self.assertGreater(len(equal), 1)
            self.assertEqual(len(set(canonical(type_name, equal))), 1, (type_name, equal))
            self.assertEqual(len(set(canonical(type_name, different))), len(different), (type_name, different))

    def test_every_type_is_in_the_table_and_every_entry_is_a_type(self):
        listed = [name for row in types() for name in row[0]]
        refusal = run('x', ['1'])
        self.assertEqual(refusal.returncode, 2)
        known = refusal.stderr.strip().rpartition('the types are ')[2].split(', ')
        self.assertEqual(sorted(listed), sorted(known))
        self.assertEqual(len(types()) + 1, len(rows('What there is')))
        self.assertEqual([run(f'array of {name}', ['null']).returncode for name in ('integer', 'timestamp(3)', 'TYPE')], [0, 0, 2])

    def test_the_policies_of_the_table_are_those_of_the_type(self):
        values = {'unit': 'unit=ms', 'zone': 'zone=+01:00', '(p)': '(3)'}
        every = {p for row in types() for p in row[3]}
        for names, _, _, policies in types():
            for name in names:
                for policy in sorted(every):
                    spelled = values.get(policy, policy)
                    done = run(name + spelled if policy == '(p)' else f'{name} {spelled}', ['null'])
                    if 'libunistring' in done.stderr:
                        continue
                    self.assertEqual(done.returncode == 0, policy in policies, f'{name} {policy}: {done.stderr}')


if __name__ == '__main__':
    unittest.main()
