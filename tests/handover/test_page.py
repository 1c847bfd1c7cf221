#!/usr/bin/env python3
"""The handover page in a real browser: nothing leaves it, nothing on its console, search and filter, hostile texts, three widths.

    SW_NOTE_SAMPLE=build/tests/handover/note_sample PYTHONPATH=tests/harness python3 tests/handover/test_page.py [--screenshots DIR PAGE.html]

--screenshots writes the pictures of docs/images of a page (that of examples/fund-positions): look at them before they are committed.
"""
import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

import browser

SAMPLE = os.environ['SW_NOTE_SAMPLE']
WIDTHS = (360, 768, 1280)
BIDI = '\u202e'


def finding(number, **more):
    status = ['open', 'paid', 'held'][number % 3]
    return {'table': 'fund.positions' if number % 4 else 'fund.trades', 'key': {'id': number}, 'class': 'different', 'reason': 'state-mismatch',
            'state': {'version': str(number + 7), 'deleted': False, 'value': {'id': number, 'status': status, 'amount': 120.5, 'note': None}},
            'expected': {'version': str(number + 2), 'deleted': False, 'value': {'id': number, 'status': 'open?', 'amount': 120.5, 'note': None}},
            'columns': [{'name': 'status', 'state': status, 'expected': 'open?'}],
            'records': [f'events.ndjson:{number + 1}'], 'sentence': 'both sides have the row, column status differs', **more}


def deleted(number):
    """The evidence ends in a tombstone, the destination still has the row."""
    return {**lacking(number), 'reason': 'missing-state', 'state': {'version': '4', 'deleted': True, 'value': None},
            'expected': {'deleted': False, 'value': {'id': number, 'status': 'paid'}}}


def lacking(number):
    return {'table': 'fund.positions', 'key': {'id': number}, 'class': 'different', 'reason': 'unexpected-state', 'lacking': 'destination', 'cause': 'never-seen',
            'state': {'version': '4', 'deleted': False, 'value': {'id': number, 'status': 'paid'}}, 'expected': None,
            'records': ['events.ndjson:9'], 'sentence': 'the evidence has this row, the destination lacks it'}


HOSTILE = ['<script>window.pwned=1</script>', '</template></script><img src=x onerror="window.pwned=1">', f'user{BIDI}gnp.exe', '\u0000\u0007\u001b[31m', '&lt;b&gt;', "'\"`", 'A' * 1_000_000]


def hostile_findings():
    for number, text in enumerate(HOSTILE):
        yield json.dumps({'table': text[:2000], 'key': {text[:2000]: text}, 'class': text[:50], 'reason': text[:50],
                          'state': {'version': text[:100], 'deleted': False, 'value': {'c': text, text[:100] + 'x': 1}}, 'expected': {'deleted': False, 'value': {'c': 1}},
                          'columns': [{'name': 'c', 'state': text, 'expected': 1}], 'records': [text[:300]] * 40, 'moreRecords': number, 'sentence': text[:5000]})
    yield '{"key": 1, "reason": '                  # cut
    yield '{"key": 1, "key": 2}'                   # a name twice
    yield '[1, 2]'
    yield '"</script><script>window.pwned=1</script>"'
    yield '{"key":{"id":"' + 'B' * 5_000_000 + '"}}'
    yield '[' * 100_000
    yield json.dumps({'key': {'id': 'wide'}, 'reason': 'state-mismatch', 'state': {'value': {f'c{i}': i for i in range(1600)}}, 'expected': {'value': {f'c{i}': -i for i in range(1600)}},
                      'columns': [{'name': f'c{i}', 'state': i, 'expected': -i} for i in range(1600)], 'sentence': 'wide'})


class Balance(html.parser.HTMLParser):
    """Are all elements closed in the order in which they were opened, and is no id used twice?"""
    VOID = {'meta', 'link', 'input', 'br', 'img'}

    def __init__(self):
        super().__init__()
        self.open, self.problems, self.ids, self.links = [], [], set(), []

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if 'id' in attributes:
            if attributes['id'] in self.ids:
                self.problems.append(f"id {attributes['id']} twice")
            self.ids.add(attributes['id'])
        if tag == 'a' and attributes.get('href', '').startswith('#'):
            self.links.append(attributes['href'][1:])
        self.problems += [f'{name} on {tag}' for name in attributes if name.startswith('on') or name == 'style']
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in self.VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open[-1] != tag:
            self.problems.append(f'</{tag}> at {self.getpos()} inside {self.open[-3:]}')
        else:
            self.open.pop()


class HandoverPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix='slackwater-page-')
        cls.pages = {}
        findings = {'whole': [json.dumps(finding(i)) for i in range(9_000)] + [json.dumps(lacking(i)) for i in range(9_000, 11_560)], 'hostile': list(hostile_findings())}
        for name in ('whole', 'hostile', 'empty'):
            arguments = []
            if name in findings:
                arguments = [os.path.join(cls.folder.name, name + '.ndjson')]
                with open(arguments[0], 'w', encoding='utf-8') as file:
                    file.write('\n'.join(findings[name]) + '\n')
            cls.pages[name] = os.path.join(cls.folder.name, name + '.html')
            with open(cls.pages[name], 'wb') as out:
                subprocess.run([SAMPLE, name, *arguments], stdout=out, check=True)
        cls.browser = None

    @classmethod
    def tearDownClass(cls):
        if cls.browser:
            cls.browser.__exit__()
        cls.folder.cleanup()

    def open(self, name, **options):
        if not browser.program():
            self.skipTest('no Chromium is installed')
        if not self.browser:
            type(self).browser = browser.Browser().__enter__()
        return self.browser.open(self.pages[name], **options)

    def read(self, name):
        with open(self.pages[name], encoding='utf-8') as file:
            return file.read()

    def test_elements_are_balanced_ids_are_unique_links_lead_somewhere_and_nothing_is_inline(self):
        for name in self.pages:
            with self.subTest(page=name):
                balance = Balance()
                balance.feed(self.read(name))
                balance.close()
                self.assertEqual(balance.problems, [])
                self.assertEqual(balance.open, [])
                missing = set(balance.links) - balance.ids
                self.assertEqual(missing if name == 'whole' else set(), set())

    def test_nothing_is_loaded_and_the_console_stays_empty(self):
        for name in self.pages:
            with self.subTest(page=name):
                page = self.open(name)
                self.assertEqual(page.evaluate('document.readyState'), 'complete')
                self.assertEqual([url for url in page.requests if not url.startswith('data:')], ['file://' + self.pages[name]])
                self.assertEqual(page.problems, [])

    def test_the_policy_of_the_page_forbids_a_request_and_a_foreign_script(self):
        page = self.open('whole')
        self.assertEqual(page.evaluate("fetch('https://example.invalid/').then(() => 'sent', () => 'refused')"), 'refused')
        page.evaluate("{ const s = document.createElement('script'); s.textContent = 'window.foreign = 1'; document.body.appendChild(s); }")
        self.assertIsNone(page.evaluate('window.foreign'))
        self.assertTrue(page.problems, 'the browser says what it refused')

    def test_the_script_and_the_style_sheet_run_under_the_policy(self):
        page = self.open('whole')
        self.assertFalse(page.evaluate("document.getElementById('filter').hidden"))
        self.assertEqual(page.evaluate("getComputedStyle(document.querySelector('.claims')).display"), 'grid')

    def test_of_many_findings_ten_thousand_are_kept_fifty_are_drawn_and_the_rest_is_named(self):
        page = self.open('whole')
        self.assertEqual(page.evaluate("document.querySelectorAll('#findings > article').length"), 50)
        self.assertEqual(page.evaluate("document.getElementById('status').textContent"), '10,000 findings, 50 shown')
        self.assertIn('1,560 more stand in the files below only', page.evaluate('document.body.textContent'))
        page.evaluate("document.getElementById('more').click()")
        self.assertEqual(page.evaluate("document.querySelectorAll('#findings > article').length"), 100)

    def test_search_finds_by_key_and_by_value_and_says_how_many(self):
        page = self.open('whole')
        page.press('/')
        self.assertEqual(page.evaluate('document.activeElement.id'), 'search')
        page.type('trades 8124')
        page.wait_for("document.getElementById('status').textContent.includes('match')")
        found = page.evaluate("Array.from(document.querySelectorAll('#findings > article')).map(a => a.textContent)")
        self.assertEqual(page.evaluate("document.getElementById('status').textContent"), f'{len(found)} of 10,000 findings match')
        self.assertIn('fund.trades {"id":8124}', ' '.join(found).replace('": ', '":'))
        self.assertEqual([text for text in found if 'trades' not in text or '8124' not in text], [])

    def test_filters_by_reason_and_table_combine(self):
        page = self.open('whole')
        page.evaluate("{ const s = document.getElementById('reason'); s.value = 'unexpected-state'; s.dispatchEvent(new Event('change')); }")
        self.assertEqual(page.evaluate("document.getElementById('status').textContent"), '1,000 of 10,000 findings match, 50 shown')
        page.evaluate("{ const s = document.getElementById('table'); s.value = 'fund.trades'; s.dispatchEvent(new Event('change')); }")
        self.assertEqual(page.evaluate("document.getElementById('status').textContent"), '0 of 10,000 findings match')
        self.assertEqual(page.evaluate("document.querySelectorAll('#findings > article').length"), 0)

    def test_changed_columns_are_marked_and_both_sides_stand_beside_each_other(self):
        page = self.open('whole')
        cells = page.evaluate("Array.from(document.querySelectorAll('#findings > article:first-child tr.differs:not(.attribute) > *')).map(c => c.textContent)")
        self.assertEqual(cells[1:], ['"open"', '"open?"'])
        self.assertIn('status', cells[0])
        self.assertEqual(page.evaluate("document.querySelectorAll('#findings > article:first-child tr:not(.differs)').length"), 4)

    def test_a_tombstone_is_shown_as_deleted_and_not_as_a_column_without_a_name(self):
        path = os.path.join(self.folder.name, 'deleted.ndjson')
        with open(path, 'w', encoding='utf-8') as file:
            file.write(json.dumps(deleted(1)) + '\n')
        text = subprocess.run([SAMPLE, 'whole', path], capture_output=True, check=True, text=True).stdout
        sides = text[text.index('<table class="sides">'):]
        rows = re.findall(r'<th scope="row">(.*?)</th><td>(.*?)</td>', sides[:sides.index('</table>')])
        self.assertEqual(['id', 'status'], [re.sub('<.*?>', '', name) for name, _ in rows][:2])
        self.assertEqual(['<span class="none">deleted</span>'] * 2, [cell for _, cell in rows][:2])

    def test_what_the_next_shift_needs_stands_above_what_is_longer(self):
        page = self.open('whole')
        titles = page.evaluate("Array.from(document.querySelectorAll('h2')).map(h => h.textContent)")
        self.assertEqual(['Verdicts', 'Confirmed state', 'Remaining uncertainty', 'Next', 'What none of this shows'], titles[:5])
        page.send('Emulation.setEmulatedMedia', media='print')
        self.assertEqual(1, page.evaluate("new Set(Array.from(document.querySelectorAll('.claim')).map(c => c.offsetTop)).size"))

    def test_labels_of_the_filters_are_not_broken_inside_a_word(self):
        for width in WIDTHS:
            page = self.open('whole', width=width)
            self.assertEqual([], page.evaluate("Array.from(document.querySelectorAll('#filter label')).map(l => { const r = document.createRange(); "
                                               "r.selectNodeContents(l.firstChild); return [l.textContent, r.getClientRects().length]; }).filter(l => l[1] > 1).map(l => l[0])"), width)

    def test_hostile_texts_are_shown_as_text(self):
        page = self.open('hostile')
        self.assertIsNone(page.evaluate('window.pwned'))
        self.assertEqual(page.evaluate("document.querySelectorAll('img').length + document.querySelectorAll('script').length"), 1)
        self.assertEqual(page.evaluate("document.querySelectorAll('a[href^=javascript]').length"), 0)
        text = page.evaluate('document.body.textContent')
        self.assertIn('<script>window.pwned=1</script>', text)
        self.assertNotIn(BIDI, text)
        self.assertIn('\\u202e', text)
        self.assertEqual(page.evaluate("document.querySelectorAll('.finding.unreadable').length"), 6)
        page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
        self.assertIsNone(page.evaluate('window.pwned'))
        page.evaluate("document.querySelectorAll('*').forEach(e => e.dispatchEvent(new Event('mouseover')))")
        self.assertIsNone(page.evaluate('window.pwned'))

    def test_a_value_of_a_million_characters_is_cut_and_says_so(self):
        text = self.read('hostile')
        self.assertLess(len(text), 2_000_000)
        self.assertIn('only the first 65,536 bytes stand here', text)

    def test_no_width_makes_the_page_scroll_sideways(self):
        for name in self.pages:
            for width in WIDTHS:
                with self.subTest(page=name, width=width):
                    page = self.open(name, width=width)
                    self.assertLessEqual(page.evaluate('document.documentElement.scrollWidth'), width)

    def test_dark_is_dark_and_print_is_light(self):
        page = self.open('whole', dark=True)
        self.assertEqual(page.evaluate('getComputedStyle(document.documentElement).backgroundColor'), 'rgb(13, 17, 23)')
        page.send('Emulation.setEmulatedMedia', media='print')
        self.assertEqual(page.evaluate("getComputedStyle(document.getElementById('filter')).display"), 'none')
        # paper that holds a part of the findings says so
        self.assertNotEqual(page.evaluate("getComputedStyle(document.getElementById('status')).display"), 'none')
        self.assertRegex(page.evaluate("document.getElementById('status').textContent"), '^[0-9,]+ findings, 50 shown$')

    def test_both_rows_of_a_finding_stand_beside_each_other_on_a_phone(self):
        page = self.open('whole', width=360)
        self.assertEqual(page.evaluate("Array.from(document.querySelectorAll('.finding .wide')).filter(w => w.scrollWidth > w.clientWidth).length"), 0)
        self.assertGreater(page.evaluate("document.querySelectorAll('.finding .wide > .sides').length"), 10)
        # nor is a word of their heads broken
        self.assertEqual(page.evaluate("new Set(Array.from(document.querySelectorAll('.sides thead th')).map(h => h.clientHeight)).size"), 1)

    def test_what_differs_is_read_aloud_as_that(self):
        page = self.open('whole')
        self.assertEqual(page.evaluate("Array.from(document.querySelectorAll('tr.differs > th')).filter(h => !h.textContent.includes('differs: ')).length"), 0)
        self.assertGreater(page.evaluate("document.querySelectorAll('tr.attribute.differs > th').length"), 10)

    def test_every_text_stands_out_from_its_paper(self):
        """WCAG AA, of what stands on the page's own paper: 4.5 to 1."""
        contrast = """(() => {
          const parse = text => text.match(/[0-9.]+/g).map(Number);
          const light = rgb => rgb.slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), poor = [];
          while (walker.nextNode()) {
            const element = walker.currentNode.parentElement, text = walker.currentNode.textContent.trim();
            if (!text || ['SCRIPT', 'STYLE', 'NOSCRIPT'].includes(element.tagName) || element.closest('svg')) continue;
            let opacity = 1, paper = null;
            for (let e = element; e; e = e.parentElement) {
              const style = getComputedStyle(e);
              opacity *= +style.opacity;
              if (!paper && parse(style.backgroundColor)[3] !== 0) paper = parse(style.backgroundColor);
            }
            const ink = parse(getComputedStyle(element).color).map((v, i) => i < 3 ? v * opacity + paper[i] * (1 - opacity) : v);
            const [a, b] = [light(ink), light(paper)].sort((x, y) => y - x);
            if ((a + 0.05) / (b + 0.05) < 4.5) poor.push(text.slice(0, 40) + ' ' + ((a + 0.05) / (b + 0.05)).toFixed(2));
          }
          return poor;
        })()"""
        for dark in (False, True):
            self.assertEqual(self.open('whole', dark=dark).evaluate(contrast), [])

    def test_without_its_script_the_page_shows_the_first_findings_and_says_so(self):
        page = self.open('whole', script=False)
        tree = page.send('Accessibility.getFullAXTree')['nodes']
        names = ' '.join(str(node.get('name', {}).get('value', '')) for node in tree)
        self.assertIn('Without its script this page shows the first 50 findings only.', names)
        self.assertNotIn('Search', [node.get('name', {}).get('value') for node in tree])

    def test_everything_that_takes_the_focus_has_a_name_and_headings_do_not_skip_a_level(self):
        page = self.open('whole')
        nodes = page.send('Accessibility.getFullAXTree')['nodes']
        focusable = [node for node in nodes if not node.get('ignored') and any(p['name'] == 'focusable' and p['value']['value'] for p in node.get('properties', []))
                     and node['role']['value'] != 'RootWebArea']
        self.assertGreater(len(focusable), 5)
        self.assertEqual([node for node in focusable if not node.get('name', {}).get('value')], [])
        levels = page.evaluate("Array.from(document.querySelectorAll('h1,h2,h3,h4')).map(h => +h.tagName[1])")
        self.assertEqual(levels[0], 1)
        self.assertEqual([pair for pair in zip(levels, levels[1:]) if pair[1] > pair[0] + 1], [])

    def test_the_keyboard_alone_reaches_the_findings(self):
        page = self.open('whole')
        page.press('Tab')
        self.assertEqual(page.evaluate('document.activeElement.className'), 'skip')
        for _ in range(60):
            page.press('Tab')
            if page.evaluate('document.activeElement.id') == 'more':
                break
        self.assertEqual(page.evaluate('document.activeElement.id'), 'more')
        page.press('Enter')
        self.assertEqual(page.evaluate("document.querySelectorAll('#findings > article').length"), 100)
        self.assertEqual(page.evaluate('document.activeElement.tagName'), 'ARTICLE')

    def test_a_missing_file_of_findings_is_an_error_that_names_it(self):
        done = subprocess.run([SAMPLE, 'whole', '/nonexistent/differences.ndjson'], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn('/nonexistent/differences.ndjson', done.stderr)


def screenshots(folder, page):
    with browser.Browser() as chromium:
        for width in WIDTHS:
            chromium.open(page, width=width).screenshot(os.path.join(folder, f'handover-{width}.png'), height=2200 if width < 500 else 1900)
        chromium.open(page, width=1280, dark=True).screenshot(os.path.join(folder, 'handover-dark.png'), height=900)


if __name__ == '__main__':
    if len(sys.argv) == 4 and sys.argv[1] == '--screenshots':
        screenshots(sys.argv[2], sys.argv[3])
    else:
        unittest.main()
