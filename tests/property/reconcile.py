"""slackwater reconcile against a second implementation: dictionaries, no partitions, no bytes.

Each document is a small random incident: keys with ties, deletes, revivals, duplicate deliveries, reused identities, reads
without a position, placeholders, bad records, a cut. Model.fold follows the rules of the fold and of the comparison (docs/architecture.md,
docs/report.md) one key at a time. What the program reports has to agree key by key and count by count; and it has to
stay the same, byte for byte, with other threads, memory, blocks and kernels, and but for the places with shuffled and split inputs.

SW_SLACKWATER is the program (build/slackwater); SW_SEED another first seed; SW_DOCUMENTS how many documents.
"""
import collections
import csv
import gzip
import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
from decimal import Decimal

PROGRAM = os.path.abspath(os.environ.get('SW_SLACKWATER', 'build/slackwater'))
SEED = int(os.environ.get('SW_SEED', '0'))
DOCUMENTS = int(os.environ.get('SW_DOCUMENTS', '72'))
BATCHES = 12
PLACEHOLDER = '__unavailable'
UNAVAILABLE = object()
VARIANTS = [['--threads', '2'], ['--threads', '8'], ['--memory', '16M'], ['--block-bytes', '1'], ['--block-bytes', '7'],
            ['--block-bytes', '64', '--threads', '8'], ['--kernel', 'scalar'], ['--kernel', 'sse2'], ['--kernel', 'avx2'], ['--seed', '12345']]


class Record:
    """One record as it was meant: `image` is None for a delete, else column -> value; `bad` is None, 'known' or 'unknown' (is its key readable?)."""

    def __init__(self, role, key, version=None, identity=None, operation='write', image=None, deleted=False, bad=None):
        self.role, self.key, self.version, self.identity, self.operation = role, key, version, identity, operation
        self.image, self.deleted, self.bad = image, deleted, bad
        self.letter, self.before = {'write': 'upsert', 'delete': 'd', 'read': 'r'}[operation], None

    def claim(self):
        """What the event says of the row before it, in the order in which equal records are told apart."""
        if self.role != 'events' or self.letter in ('upsert', 'r'):
            return 0
        return 1 if self.letter == 'c' else 6 if self.before else 2

    def content(self):
        return None if self.deleted else tuple(sorted((name, canonical(value)) for name, value in self.image.items()))

    def event(self):
        return self.key, self.version, self.operation, self.content()


def canonical(value):
    if value is UNAVAILABLE:
        return ('unavailable',)
    if isinstance(value, bool) or value is None:
        return (str(value),)
    if isinstance(value, (int, Decimal)):
        return ('number', format(Decimal(value).normalize(), 'f'))
    return ('text', value)


class Document:
    """What is declared, and the records."""

    def __init__(self, rng):
        self.rng = rng
        self.csv = rng.random() < 0.3
        self.key_columns = rng.choice([['id'], ['id'], ['a', 'b'], ['x', 'y', 'z']])
        self.columns = ['v', 'w', 'u'][:rng.randint(1, 3)]
        self.baseline_versions = rng.random() < 0.4
        self.identities = rng.random() < 0.75
        self.reads = rng.random() < 0.3
        self.unpositioned = rng.random() < 0.2
        self.deletes = rng.choice(['absent', 'absent', 'tombstone', 'flag'])
        self.reference_versions = rng.random() < 0.4
        self.compare = rng.choice(['state', 'value'])
        self.cut = rng.randint(2, 9) if rng.random() < 0.25 else None
        self.covered = rng.randint(1, 5) if rng.random() < 0.15 else None
        self.newest = rng.random() < 0.2
        self.absent_null = rng.random() < 0.2
        self.placeholders = not self.csv and rng.random() < 0.4
        self.ragged = not self.csv and rng.random() < 0.4
        self.bad = rng.random() < 0.25
        self.placed = rng.random() < 0.2           # events are columns beside each other, not in `after`
        if self.csv:
            self.placed = True
        self.records = {'baseline': [], 'events': [], 'expected': []}
        for n in range(rng.randint(1, 40)):
            self.invent_key(n)
        if self.bad and not self.csv:
            for _ in range(rng.randint(0, 2)):
                self.records[rng.choice(['baseline', 'events', 'expected'])].append(Record('any', None, bad='unknown'))
        if self.identities:
            self.reuse_identities()
        for records in self.records.values():
            rng.shuffle(records)

    def declarations(self):
        return {name: value for name, value in vars(self).items() if name not in ('records', 'rng')}

    def value(self):
        rng = self.rng
        if self.csv:
            return rng.choice(['', 'p', 'q', 'r,"s"', None])
        return rng.choice([0, 1, 2, Decimal('1.0'), 'p', 'q', None, '1', True, 'q\x00'])

    def image(self, evidence=True):
        rng = self.rng
        image = {}
        for name in self.columns:
            if self.ragged and rng.random() < 0.15:
                continue
            image[name] = UNAVAILABLE if evidence and self.placeholders and rng.random() < 0.2 else self.value()
        return image

    def invent_key(self, n):
        rng = self.rng
        numbers = rng.random() < 0.5 and not self.csv
        key = tuple((n if numbers else f'k{n}') if i == 0 else rng.choice(['', '|', 'k', 'é']) for i in range(len(self.key_columns)))
        history = []
        if rng.random() < 0.6:
            history.append(Record('baseline', key, image=self.image(), version=rng.randint(1, 9) if self.baseline_versions and rng.random() < 0.9 else None))
            if self.baseline_versions and rng.random() < 0.2:
                history[-1].deleted = True
                history[-1].operation = 'delete'
            if rng.random() < 0.1:
                history.append(rng.choice([history[-1], Record('baseline', key, history[-1].version, image=self.image())]))
        versions = list(range(1, 11))
        for _ in range(rng.choice([0, 0, 1, 1, 2, 3, 6, 20] if rng.random() < 0.97 else [60])):
            version = rng.choice(versions)
            if rng.random() < 0.8 and version in versions and len(versions) > 1:
                versions.remove(version)
            if self.unpositioned and rng.random() < 0.2:
                version = None
            operation = rng.choices(['write', 'delete', 'read'], [8, 3, 2 if self.reads else 0])[0]
            if operation == 'read' and rng.random() < 0.8:
                version = None
            if operation == 'write' and version is None and not self.unpositioned:
                version = 1
            if operation == 'delete' and version is None and not self.unpositioned:
                version = 2
            event = Record('events', key, version, None, operation, self.image() if operation != 'delete' else None, operation == 'delete')
            if self.identities and rng.random() < 0.9:
                event.identity = f'e{rng.randrange(10**9)}'
            if operation == 'write':
                event.letter = rng.choice(['c', 'u', 'u', 'upsert'])
            if event.letter in 'ud' and not self.placed and rng.random() < 0.6:
                shown = [r for r in history if not r.bad and not r.deleted]
                event.before = dict(rng.choice(shown).image) if shown and rng.random() < 0.8 else self.image()
            history.append(event)
            while rng.random() < 0.15:
                twin = Record('events', key, event.version, event.identity, event.operation, event.image, event.deleted)
                twin.letter, twin.before = event.letter, event.before
                if self.identities and rng.random() < 0.3:
                    twin.identity = f't{rng.randrange(10**9)}'
                history.append(twin)
            if rng.random() < 0.05: # the same version, perhaps another content
                history.append(Record('events', key, event.version, f'c{rng.randrange(10**9)}' if self.identities else None, 'write', self.image()))
        if self.bad and rng.random() < 0.1:
            history.append(Record('events', key, bad='known'))
        for record in history:
            self.records[record.role].append(record)
        self.invent_reference(key, history)

    def invent_reference(self, key, history):
        rng = self.rng
        if rng.random() < 0.15:
            return
        shown = [r for r in history if not r.bad]
        best = max(shown, key=lambda r: (r.version or 0, rng.random()), default=None)
        if best is None or rng.random() < 0.1:
            best = rng.choice(shown) if shown and rng.random() < 0.8 else None
        deleted = bool(best and best.deleted)
        if deleted and self.deletes == 'absent':
            return
        image = {name: value for name, value in best.image.items() if value is not UNAVAILABLE} if best and not deleted else self.image(False)
        if self.csv:
            image = {name: image.get(name) for name in self.columns}
        if rng.random() < 0.1:
            image[rng.choice(self.columns)] = self.value()
        row = Record('expected', key, image=image, deleted=deleted and self.deletes != 'absent', version=None)
        if self.reference_versions and rng.random() < 0.95:
            row.version = best.version if best and best.version is not None else rng.randint(1, 9)
        if self.deletes != 'absent' and rng.random() < 0.05:
            row.deleted = not row.deleted
        self.records['expected'].append(row)
        if rng.random() < 0.03:
            self.records['expected'].append(row)
        if self.bad and self.deletes != 'absent' and rng.random() < 0.04:
            self.records['expected'].append(Record('expected', key, bad='known'))

    def reuse_identities(self):
        events = [e for e in self.records['events'] if not e.bad and e.identity]
        for _ in range(self.rng.choice([0, 0, 0, 1, 2])):
            if len(events) > 1:
                self.rng.choice(events).identity = self.rng.choice(events).identity


class Model:
    """The rules, one key at a time."""

    def __init__(self, document):
        self.d = document
        self.counts, self.dispositions, self.history = collections.Counter(), collections.Counter(), collections.Counter()
        self.findings = {}
        self.ties = {}  # the records that one with the same content and claim stands for: what they say that they replace may differ
        self.told = True  # False: and makes a difference; the program holds the first, in an order that is its own
        self.run()

    def run(self):
        d = self.d
        self.unread = set()
        events, evidence, unreadable = [], collections.defaultdict(list), set()
        expected = collections.defaultdict(list)
        columns = {'evidence': set(), 'reference': set()}
        for role, records in d.records.items():
            for record in records:
                if record.bad:
                    self.dispositions['bad'] += 1
                    self.counts['badRecords'] += 1
                    self.counts['unattributedBadRecords'] += record.bad == 'unknown'
                    if record.bad == 'known':
                        unreadable.add(record.key)
                        if role != 'expected':
                            self.unread.add(record.key)
                    continue
                if role == 'events' and d.covered is not None and record.version is not None and record.version <= d.covered:
                    self.dispositions['coveredByBaseline'] += 1
                    continue
                if not record.deleted:
                    columns['reference' if role == 'expected' else 'evidence'] |= set(record.image)
                if role == 'expected':
                    expected[record.key].append(record)
                else:
                    evidence[record.key].append(record)
                if role == 'events' and record.identity is not None:
                    events.append(record)
        self.columns = columns
        by_identity = collections.defaultdict(collections.Counter)
        for event in events:
            by_identity[event.identity][event.event()] += 1
        self.reused = {identity for identity, contents in by_identity.items() if len(contents) > 1}
        self.counts['reusedIdentities'] = len(self.reused)
        self.counts['duplicateDeliveries'] = sum(sum(c.values()) - 1 for i, c in by_identity.items() if i not in self.reused)
        for key in set(evidence) | set(expected) | unreadable:
            reason, details = self.fold(evidence[key], expected[key], key in unreadable)
            self.counts['keys'] += 1
            if reason is None:
                self.counts['equal'] += 1
            else:
                self.findings[key] = (reason, details)
                self.counts[reason] += 1

    # one key

    def group(self, record):
        if record.version is not None:
            return 'version'
        if record.role == 'baseline':
            return 'baseline'
        return 'read' if record.operation == 'read' else 'unpositioned'

    def distinct(self, records):
        """One record for each content of each version (and of each kind without one), in order; what repeats them is counted."""
        seen = {}
        for record in records:
            seen.setdefault((self.group(record), record.version or 0, record.content()), []).append(record)
        for same in seen.values():
            identities = collections.Counter(record.identity for record in same)
            nameless = identities.pop(None, 0)
            duplicates = sum(n - 1 for n in identities.values())
            self.dispositions['duplicateDelivery'] += duplicates
            self.dispositions['repeated'] += len(same) - 1 - duplicates
            self.counts['repeatedRecords'] += max(nameless - 1, 0)
        least = [min(same, key=self.by_name_operation_and_claim) for same in seen.values()]
        for one, same in zip(least, seen.values()):
            self.ties[id(one)] = [other for other in same if self.by_name_operation_and_claim(other) == self.by_name_operation_and_claim(one)]
        return least

    @staticmethod
    def by_name_operation_and_claim(record):
        return record.identity or '', record.operation == 'read', record.claim()

    def claims(self, within):
        """Holds what events say of the row before them against it. True if the newest version removes a row that showed something else."""
        older = [r for r in within if self.group(r) != 'version']
        versions = collections.defaultdict(list)
        for record in within:
            if self.group(record) == 'version':
                versions[record.version].append(record)
        refuted, before = False, None
        for version in sorted(versions):
            records = versions[version]
            refuted = False
            for record in records:
                if record.operation == 'read':
                    known = self.known_before(before, older)
                    if len(records) == len(known) == 1:
                        found = self.hold_read(record, known[0], within)
                        self.told &= all(self.hold_read(other, known[0], within) == found for other in self.ties[id(record)])
                        self.history.update(dict.fromkeys(('claimsHeld', 'contradictions', 'of reads'), int(found)))
                    continue
                if not record.claim():
                    continue
                if len(records) > 1:
                    self.history['claimsUnheld'] += 1
                elif before is None and not older:
                    self.counts['updatesOfUnseenKeys'] += record.claim() > 1
                else:
                    known = self.known_before(before, older)
                    verdict = self.hold(record, known[0], within) if len(known) == 1 else None
                    self.told &= len(known) != 1 or all(self.hold(other, known[0], within) == verdict for other in self.ties[id(record)])
                    self.history['claimsUnheld' if verdict is None else 'claimsHeld'] += 1
                    self.history['contradictions'] += verdict not in (None, 'holds')
                    refuted = verdict == 'differs' and record.deleted
            before = records
        return refuted

    def known_before(self, before, older):
        return before if before is not None else older if [self.group(r) for r in older] == ['baseline'] and self.d.covered is not None else []

    def hold_read(self, record, state, within):
        """Does a row that a snapshot read show another one than was there right before?"""
        return state.deleted or self.differ(record.image, state, within)

    def hold(self, record, state, within):
        if record.claim() == 1:
            return 'holds' if state.deleted else None if state.operation == 'read' else 'there'
        if state.deleted:
            return 'gone'
        return 'differs' if self.differ(record.before or {}, state, within) else 'holds'

    def differ(self, shown, state, within):
        image = self.carried(state, [r for r in within if r is not state])
        both = [name for name in shown if name in image and UNAVAILABLE not in (image[name], shown[name])]
        return any(canonical(image[name]) != canonical(shown[name]) for name in both)

    def fold(self, evidence, expected, unreadable):
        d = self.d
        distinct = self.distinct(evidence)
        beyond = [r for r in distinct if d.cut is not None and r.version is not None and r.version > d.cut]
        within = [r for r in distinct if r not in beyond]
        self.dispositions['beyondCut'] += len(beyond)
        self.dispositions['reference'] += len(expected)
        refuted = bool(evidence) and evidence[0].key not in self.unread and self.claims(within)
        reason, newest = self.choose(evidence, within, expected)
        if reason and (reason in ('duplicateKey', 'identityReused', 'conflictingVersion')):
            return self.block(within, reason)
        if unreadable:
            return self.block(within, 'unreadableRecord')
        if reason or refuted:
            return self.block(within, reason or 'inconsistentHistory')
        for record in within:
            self.dispositions['applied' if record is newest else 'superseded'] += 1
        state = None
        if newest:
            state = (newest.version, newest.deleted, None if newest.deleted else self.carried(newest, within))
            self.counts['states'] += 1
            self.counts['tombstones'] += newest.deleted
        row = (expected[0].version, expected[0].deleted, expected[0].image) if expected else None
        reason, details = self.compare(state, row)
        if reason in ('missingState', 'unexpectedState', 'stateMismatch') and beyond:
            for later in beyond:
                image = None if later.deleted else self.carried(later, within + [r for r in beyond if r.version < later.version])
                if self.compare((later.version, later.deleted, image), row)[0] is None:
                    return 'beyondCut', None
        return reason, details

    def block(self, within, reason):
        self.dispositions['blocked'] += len(within)
        return reason, None

    def choose(self, evidence, within, expected):
        if len(expected) > 1:
            return 'duplicateKey', None
        if any(r.identity in self.reused for r in evidence if r.identity is not None):
            return 'identityReused', None
        groups = collections.defaultdict(list)
        for record in within:
            groups[self.group(record)].append(record)
        if len(groups['baseline']) > 1:
            return 'duplicateKey', None
        versions = collections.defaultdict(list)
        for record in groups['version']:
            versions[record.version].append(record)
        for version, records in versions.items():
            if len(records) > 1 and (not self.d.newest or version == max(versions)):
                return 'conflictingVersion', None
        if groups['unpositioned']:
            newest = versions[max(versions)] if versions else []
            if len({r.content() for r in groups['unpositioned'] + groups['read'] + newest}) > 1:
                return 'unordered', None
            return None, versions[max(versions)][0] if versions else groups['unpositioned'][0]
        if versions:
            newest = versions[max(versions)][0]
            return ('readAfterDelete', None) if groups['read'] and newest.deleted else (None, newest)
        if len(groups['read']) > 1:
            return 'unordered', None
        return None, (groups['read'] or groups['baseline'] or [None])[0]

    def carried(self, newest, others):
        """What was not available is what the record before had, as long as each has the column and no version is ambiguous."""
        rank = {'baseline': 0, 'read': 1, 'unpositioned': 2, 'version': 3}
        steps = collections.defaultdict(list)
        for record in others:
            steps[rank[self.group(record)], record.version or 0].append(record)
        mine = rank[self.group(newest)], newest.version or 0
        before = [steps[place] for place in sorted(steps, reverse=True) if place < mine]
        image = dict(newest.image)
        for name, value in image.items():
            for records in before:
                if value is not UNAVAILABLE or len(records) > 1 or records[0].deleted or name not in records[0].image:
                    break
                value = records[0].image[name]
            image[name] = value
        return image

    def compare(self, state, row):
        d = self.d
        live_state, live_row = state is not None, row is not None
        if d.deletes != 'tombstone':
            live_state, live_row = live_state and not state[1], live_row and not row[1]
        if not live_state and not live_row:
            return None, None
        if not live_state:
            return 'missingState', None
        if not live_row:
            return 'unexpectedState', None
        if state[1] != row[1]:
            return 'stateMismatch', ([], [])
        differing, unknown = [], []
        for name in sorted(set(state[2] or {}) | set(row[2] or {})) if not state[1] else []:
            left, right = state[2].get(name, Model), row[2].get(name, Model)
            if left is Model or right is Model:
                if name not in self.columns['evidence' if left is Model else 'reference']:
                    continue
                if not d.absent_null:
                    unknown.append(name)
                    continue
                left, right = (None if side is Model else side for side in (left, right))
            if left is UNAVAILABLE or right is UNAVAILABLE:
                unknown.append(name)
            elif canonical(left) != canonical(right):
                differing.append(name)
        versions_differ = d.compare == 'state' and state[0] is not None and row[0] is not None and state[0] != row[0]
        if differing or versions_differ:
            return 'stateMismatch', (differing, unknown)
        return ('unknownColumn', ([], unknown)) if unknown else (None, None)


class Files:
    """Writes a document: every record a line, split over files, some of them compressed."""

    def __init__(self, document, rng, folder):
        self.d, self.rng, self.folder = document, rng, folder

    def write(self, name, shuffle, roles=None):
        arguments = []
        for role, records in (roles or self.d.records).items():
            records = list(records)
            if shuffle:
                self.rng.shuffle(records)
            parts = self.rng.randint(1, 3) if shuffle else 1
            for i in range(parts):
                text = self.as_csv(role, records[i::parts]) if self.d.csv else ''.join(self.line(role, record) + '\n' for record in records[i::parts])
                path = os.path.join(self.folder, f'{name}-{role}-{i}.{"csv" if self.d.csv else "ndjson"}')
                data = text.encode()
                if shuffle and self.rng.random() < 0.4:
                    path, data = path + '.gz', gzip.compress(data, 1)
                with open(path, 'wb') as f:
                    f.write(data)
                arguments += [f'--{role}', path]
        return arguments

    def spelled(self, value):
        if isinstance(value, int) and not isinstance(value, bool) and self.rng.random() < 0.2:
            return self.rng.choice([f'{value}.0', f'{value}e0'])
        if isinstance(value, Decimal):
            return str(value)
        if value is UNAVAILABLE:
            value = PLACEHOLDER
        return json.dumps(value, ensure_ascii=self.rng.random() < 0.5)

    def members(self, pairs):
        pairs = list(pairs)
        if self.rng.random() < 0.3:
            self.rng.shuffle(pairs)
        return '{' + ','.join(f'{json.dumps(name)}:{text}' for name, text in pairs) + '}'

    def line(self, role, record):
        d, rng = self.d, self.rng
        if record.bad == 'unknown':
            return rng.choice(['{"id":',  '{"id":1}{"id":2}', 'null', '{"v":1,"v":1}', 'x'])
        key = [(name, self.spelled(value)) for name, value in zip(d.key_columns, record.key)]
        image = [(name, self.spelled(value)) for name, value in (record.image or {}).items()]
        parts = []
        if record.version is not None:
            parts.append(('ver', rng.choice([str(record.version), f'"{record.version}"'])))
        if role == 'events':
            operation = '?' if record.bad else record.letter
            parts.append(('op', f'"{operation}"'))
            if record.identity is not None:
                parts.append(('eid', json.dumps(record.identity)))
            if d.placed:
                return self.members(parts + key + ([] if record.deleted else image))
            before = [(name, self.spelled(value)) for name, value in (record.before or {}).items()]
            if record.deleted:
                return self.members(parts + [('before', self.members(key + before)), ('after', 'null')])
            if record.before:
                parts.append(('before', self.members(key + before)))
            return self.members(parts + [('after', self.members(key + image))])
        if role == 'expected' and d.deletes != 'absent' or role == 'baseline' and record.deleted:
            flag = '"maybe"' if record.bad else rng.choice(['true', '"t"', '1'] if record.deleted else ['false', '"f"', '0'])
            parts.append(('gone', flag))
        return self.members(parts + key + ([] if record.deleted and rng.random() < 0.5 else image))

    def as_csv(self, role, records):
        """NULL is nothing, the empty text is a pair of quotes, so every text is quoted."""
        d = self.d
        names = d.key_columns + ['ver'] + (['op', 'eid'] if role == 'events' else []) + \
            (['gone'] if role == 'baseline' or role == 'expected' and d.deletes != 'absent' else []) + d.columns

        def field(value):
            return '' if value is None else '"' + str(value).replace('"', '""') + '"'
        lines = [','.join(names)]
        for record in records:
            row = dict(zip(d.key_columns, record.key), ver=record.version, eid=record.identity, op=record.letter,
                       gone='t' if record.deleted else 'f')
            if record.bad:
                row.update(op='?', gone='maybe')
            if not record.deleted:
                row.update(record.image or {})
            lines.append(','.join(field(row.get(name)) for name in names))
        return '\n'.join(lines) + '\n'


def declared(d):
    """The mapping, as YAML."""
    lines = [f'key: [{", ".join(d.key_columns)}]', 'order: {policy: integer, version: ver}', 'op: op', f'compare: {d.compare}']
    if d.identities:
        lines.append('identity: eid')
    else:
        lines.append('ignore: eid')
    if not d.placed:
        lines += ['before: before', 'after: after']
    if d.deletes == 'tombstone':
        lines += ['deleted: gone', 'expected_deletes: tombstone']
    else:
        lines += ['baseline: {deleted: gone}', f'expected_deletes: {"absent" if d.deletes == "absent" else "flag:gone"}']
    if d.cut is not None:
        lines.append(f'cut: {d.cut}')
    if d.covered is not None:
        lines.append(f'baseline_position: {d.covered}')
    if d.newest:
        lines.append('conflicts: newest')
    if d.absent_null:
        lines.append("absent: 'null'")
    if d.placeholders:
        lines.append(f'placeholder: {PLACEHOLDER}')
    return '\n'.join(lines) + '\n'


def snake(reason):
    head, *rest = reason.split('-')
    return head + ''.join(word.capitalize() for word in rest)


def number(text):
    return Decimal(text)


class Reconcile(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='slackwater-property-')
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, inputs, name, *options):
        differences = os.path.join(self.folder, f'{name}.ndjson')
        done = subprocess.run([PROGRAM, 'reconcile', '--map', os.path.join(self.folder, 'map.yaml'), *inputs, '--json', '--list', '0', '--digest', 'none',
                               '--differences', differences, '--temporary-directory', self.folder, *options], capture_output=True, timeout=120)
        self.assertIn(done.returncode, (0, 1, 2, 3), done.stderr.decode() + done.stdout.decode()[:500])
        report = json.loads(done.stdout)
        self.assertNotIn('error', report)
        with open(differences, 'rb') as f:
            return done.returncode, report, f.read()

    def check_model(self, document, model, status, report, differences, where):
        found = {}
        for line in differences.decode().splitlines():
            finding = json.loads(line, parse_float=Decimal)
            key = tuple(finding['key'][name] for name in document.key_columns)
            found[key] = (snake(finding['reason']), finding)
        for key in sorted(set(found) | set(model.findings), key=str):
            wanted, details = model.findings.get(key, (None, None))
            got, finding = found.get(key, (None, {}))
            shown = [vars(r) for records in document.records.values() for r in records if r.key == key]
            self.assertEqual(wanted, got, f'key {key}: {finding}\n{shown}\n{document.declarations()}\n{where}')
            if details:
                self.assertEqual(details, ([c['name'] for c in finding.get('columns', [])], finding.get('unknownColumns', [])),
                                 f'columns of {key}: {finding}\n{shown}\n{where}')
        counts = {name: value for name, value in report['counts'].items() if model.counts[name] != value}
        for derived in ('different', 'differences', 'conflictKeys', 'undecidedKeys', 'unpositionedReads', 'supersededReads', 'nullFlags'):
            counts.pop(derived, None) # sums of others (tests/spec/run.py), or remarks
        self.assertEqual({}, counts, f'model: {model.counts}\n{where}')
        self.assertEqual({}, {name: value for name, value in report['dispositions'].items() if model.dispositions[name] != value},
                         f'model: {model.dispositions}\n{where}')
        history = dict(report['history'], contradictions=report['history']['contradictionsListed'] + report['history']['contradictionsOmitted'])
        self.assertEqual({}, {name: history[name] for name in ('claimsHeld', 'claimsUnheld', 'contradictions') if history[name] != model.history[name]},
                         f'model: {model.history}\n{where}')
        self.assertEqual('refuted' if model.history['contradictions'] > model.history['of reads'] else 'unproven', report['verdicts']['history']['verdict'], where)
        reasons = collections.Counter(reason for reason, _ in model.findings.values())
        if model.counts['badRecords']:
            wanted = 2
        elif any(reasons[r] for r in ('missingState', 'unexpectedState', 'stateMismatch', 'duplicateKey', 'identityReused', 'conflictingVersion', 'inconsistentHistory')):
            wanted = 1
        else:
            wanted = 3 if reasons or report['columnsAbsent'] or not model.counts['keys'] else 0
        self.assertEqual(wanted, status, where)

    def check(self, seed):
        rng = random.Random(seed)
        document = Document(rng)
        model = Model(document)
        files = Files(document, rng, self.folder)
        with open(os.path.join(self.folder, 'map.yaml'), 'w', encoding='utf-8') as f:
            f.write(declared(document))
        where = f'SW_SEED={seed} SW_DOCUMENTS=1; the files were in {self.folder}'
        inputs = files.write('first', False)
        status, report, differences = self.call(inputs, 'one', '--threads', '1')

        if model.told:
            self.check_model(document, model, status, report, differences, where)
        for variant in rng.sample(VARIANTS, 2):
            if '--kernel' in variant and not known_kernel(variant[1]):
                continue
            self.assertEqual((status, differences), self.call(inputs, 'other', *variant)[::2], f'{variant}; {where}')
        _, _, shuffled = self.call(files.write('shuffled', True), 'shuffled')
        self.assertEqual(without_places(differences), without_places(shuffled), f'shuffled and split; {where}')
        self.check_two_runs(document, model, files, differences, where)

    def check_two_runs(self, document, model, files, differences, where):
        """A run that starts from the saved state of another finds what one run over everything finds, and saves the same."""
        def save(name):
            return ['--save-state', os.path.join(self.folder, name)]
        records, rng = document.records, files.rng
        part = [rng.random() < 0.5 for _ in records['events']]
        first = {'baseline': records['baseline'], 'events': [e for e, now in zip(records['events'], part) if now]}
        second = {'events': [e for e, now in zip(records['events'], part) if not now], 'expected': records['expected']}
        _, one, _ = self.call(files.write('all', True), 'all', *save('all.state'))
        _, before, _ = self.call(files.write('before', True, first), 'before', *save('before.state'))
        _, after, found = self.call(['--baseline', os.path.join(self.folder, 'before.state'), *files.write('after', True, second)], 'after', *save('after.state'))
        self.assertEqual(without_places(differences), without_places(found), f'split into two runs; {where}')
        for name in ('keys', 'equal', 'states', 'tombstones'):
            self.assertEqual(model.counts[name], after['counts'][name], f'{name} of two runs; {where}')
        if not model.counts['reusedIdentities']:
            self.assertEqual(one['counts']['duplicateDeliveries'], before['counts']['duplicateDeliveries'] + after['counts']['duplicateDeliveries'], where)
        if not document.bad: # a mark stands for several bad records, and is one
            states = [open(os.path.join(self.folder, name), 'rb') for name in ('all.state', 'after.state')]
            self.assertEqual(*[f.read() for f in states], f'saved states; {where}')
            for f in states:
                f.close()


def known_kernel(name, known={}):
    if name not in known:
        done = subprocess.run([PROGRAM, 'reconcile', '--kernel', name, '--key', 'id', '-b', '/dev/null', '-x', '/dev/null'], capture_output=True)
        known[name] = done.returncode == 3
    return known[name]


def without_places(differences):
    lines = []
    for line in differences.decode().splitlines():
        finding = json.loads(line, parse_float=Decimal)
        finding.pop('records', None)
        lines.append(finding)
    return lines


def batch(first, count):
    def test(self):
        for seed in range(first, first + count):
            self.check(seed)
    return test


for i in range(min(BATCHES, DOCUMENTS)):
    size = DOCUMENTS // min(BATCHES, DOCUMENTS)
    setattr(Reconcile, f'test_documents_{i * size:04}_to_{(i + 1) * size - 1:04}_agree_with_the_model', batch(SEED + i * size, size))

if __name__ == '__main__':
    unittest.main()
