#!/usr/bin/env python3
"""The written reports of the named samples: schema, sums, CSV against NDJSON, and the summaries against tests/data/report.

    SW_REPORT_SAMPLES=build/tests/report/report_samples python3 tests/report/test_report_files.py [--update]

--update writes the summaries anew: look at what changed before it is committed.
"""
import csv
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import validate  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "data" / "report"
DOCUMENT = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
GOLDEN_LOOKS = {"80", "60", "140-unicode", "80-color"}
WITH_ALL_LOOKS = {"different", "hostile", "everything"}


def columns(text):
    width = 0
    for c in text:
        if unicodedata.category(c) not in ("Mn", "Me", "Cf"):
            width += 2 if unicodedata.east_asian_width(c) in "WF" else 1
    return width


class ReportFiles(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.room = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.room.name)
        subprocess.run([os.environ["SW_REPORT_SAMPLES"], str(cls.folder)], check=True)
        cls.names = sorted(path.stem for path in cls.folder.glob("*.json"))

    @classmethod
    def tearDownClass(cls):
        cls.room.cleanup()

    def summaries(self, look):
        for name in self.names:
            yield name, (self.folder / ("%s.%s.txt" % (name, look))).read_text(encoding="utf-8")

    @unittest.skipUnless(validate.jsonschema, "python3-jsonschema is not installed")
    def test_every_report_and_finding_holds_to_the_schema_and_adds_up(self):
        self.assertGreaterEqual(len(self.names), 12)
        for name in self.names:
            for suffix in (".json", ".ndjson"):
                path = self.folder / (name + suffix)
                self.assertEqual(list(validate.problems(path)), [], path)

    @unittest.skipUnless(validate.jsonschema, "python3-jsonschema is not installed")
    def test_the_schema_itself_is_valid_and_refuses_what_it_should(self):
        validate.jsonschema.Draft202012Validator.check_schema(validate.SCHEMA)
        good = validate.parse((self.folder / "different.json").read_text(encoding="utf-8"))
        for spoil in (
            lambda r: r.pop("limits"),
            lambda r: r.update(surprise=1),
            lambda r: r.update(matchesDeclaredReference=True),
            lambda r: r.update(productionReplayApproved=True),
            lambda r: r.update(referenceIndependentlyVerified=True),
            lambda r: r["verdicts"]["process"].update(verdict="confirmed"),
            lambda r: r["verdicts"]["currentState"].update(verdict="confirmed"),
            lambda r: r["headline"].update(word="EQUAL"),
            lambda r: r["counts"].pop("stateMismatch"),
            lambda r: r["counts"].update(keys=-1),
            lambda r: r["differences"][0].update(reason="unordered"),
            lambda r: r["differences"][0].update(lacking="evidence"),
            lambda r: r["differences"][1].pop("lacking"),
            lambda r: r["differences"][0].update({"class": "equal"}),
            lambda r: r["inputs"][0].update(sha256="abc"),
        ):
            report = json.loads(json.dumps(good))
            spoil(report)
            self.assertTrue(validate.errors_of(validate.REPORT, report))

    @unittest.skipUnless(validate.jsonschema, "python3-jsonschema is not installed")
    def test_the_examples_of_the_documentation_hold_to_the_schema(self):
        examples = re.findall(r"```json finding\n(.*?)```", DOCUMENT, re.S)
        self.assertGreaterEqual(len(examples), 2)
        for example in examples:
            self.assertEqual(validate.errors_of(validate.FINDING, validate.parse(example)), [])

    def test_the_documentation_names_every_member_and_word(self):
        names = set()

        def walk(schema):
            if isinstance(schema, dict):
                names.update(schema.get("properties", {}))
                names.update(word for word in schema.get("enum", []) if isinstance(word, str))
                for part in schema.values():
                    walk(part)
            elif isinstance(schema, list):
                for part in schema:
                    walk(part)

        walk(validate.SCHEMA)
        self.assertGreater(len(names), 120)
        code = set(re.findall(r"`([^`]+)`", re.sub(r"^```.*?^```$", "", DOCUMENT, flags=re.S | re.M)))
        dotted = {part for word in code for part in word.split(".")}
        self.assertEqual(sorted(names - dotted), [])

    def test_sums_that_do_not_add_up_are_found(self):
        good = validate.parse((self.folder / "different.json").read_text(encoding="utf-8"))
        self.assertEqual(list(validate.sums(good)), [])
        for spoil in (
            lambda r: r["counts"].update(keys=9),
            lambda r: r["counts"].update(stateMismatch=4),
            lambda r: r["counts"].update(differences=8),
            lambda r: r["dispositions"].update(applied=7),
            lambda r: r.update(differencesOmitted=1),
            lambda r: r["badRecords"].update(count=1),
        ):
            report = json.loads(json.dumps(good))
            spoil(report)
            self.assertTrue(list(validate.sums(report)))

    def test_the_csv_holds_the_same_findings_as_the_ndjson(self):
        for name in self.names:
            text = (self.folder / (name + ".csv")).read_bytes().decode("utf-8")
            rows = list(csv.DictReader(io.StringIO(text, newline="")))
            findings = [json.loads(line) for line in (self.folder / (name + ".ndjson")).read_text(encoding="utf-8").split("\n")[:-1]]
            self.assertEqual(len(rows), len(findings))
            self.assertEqual(text.count("\r\n"), len(rows) + 1)
            self.assertEqual(text.count("\n"), len(rows) + 1, "a cell holds a raw line break")
            for row, finding in zip(rows, findings):
                table = row["table"][1:] if row["table"].startswith("'") else row["table"]
                self.assertEqual(json.loads('"%s"' % table), finding.get("table", ""))
                self.assertEqual(json.loads(row["key"]), finding["key"])
                for cell in ("class", "reason", "sentence"):
                    self.assertEqual(row[cell], finding[cell])
                for cell in ("lacking", "cause"):
                    self.assertEqual(row[cell], finding.get(cell, ""))
                self.assertEqual(row["version"], finding.get("position", {}).get("version", ""))
                for cell in ("state", "expected", "other"):
                    self.assertEqual(json.loads(row[cell]) if row[cell] else None, finding.get(cell))
                self.assertEqual(json.loads(row["columns"] or "[]"), [c["name"] for c in finding.get("columns", [])])
                for cell in ("unknownColumns", "notComparable"):
                    self.assertEqual(json.loads(row[cell] or "[]"), finding.get(cell, []))
                self.assertEqual(json.loads(row["records"]), finding["records"])

    def test_no_csv_cell_begins_as_a_formula(self):
        cells = 0
        for name in self.names:
            text = (self.folder / (name + ".csv")).read_bytes().decode("utf-8")
            for row in csv.reader(io.StringIO(text, newline="")):
                for cell in row:
                    cells += 1
                    self.assertNotRegex(cell, r"^[ ]*[=+@\t\r\n＝＋－＠]")
                    self.assertNotRegex(cell, r"^[ ]*-(?![0-9])")
        self.assertGreater(cells, 1000)

    def test_summaries_fit_their_width(self):
        for look, width in (("80", 80), ("60", 60), ("140-unicode", 140), ("80-unicode", 80)):
            for name, text in self.summaries(look):
                # paths stand whole on lines of their own, to be copied
                body = re.sub(r"\nFiles\n(  .*\n)+", "\n", text)
                for line in body.split("\n"):
                    self.assertLessEqual(columns(line), width, "%s.%s: %r" % (name, look, line))
                    self.assertEqual(line, line.rstrip())

    def test_summaries_hold_no_control_or_hidden_characters(self):
        for look in ("80", "60", "140-unicode"):
            for name, text in self.summaries(look):
                for c in text:
                    self.assertTrue(c == "\n" or c == " " or unicodedata.category(c) not in ("Cc", "Cf", "Zs", "Zl", "Zp", "Co", "Cs"), "%s.%s: %r" % (name, look, c))
        for name, text in self.summaries("80"):
            self.assertTrue(text.isascii(), name)

    def test_colour_adds_nothing_but_colour(self):
        for name in self.names:
            coloured = (self.folder / (name + ".80-color.txt")).read_text(encoding="utf-8")
            self.assertIn("\x1b[", coloured)
            plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
            self.assertEqual(plain, (self.folder / (name + ".80-unicode.txt")).read_text(encoding="utf-8"), name)

    def test_a_summary_opens_with_the_headline_and_ends_with_the_exit_status(self):
        for name, text in self.summaries("140-unicode"):
            report = json.loads((self.folder / (name + ".json")).read_text(encoding="utf-8"))
            self.assertTrue(text.startswith("%s: %s" % (report["headline"]["word"], report["headline"]["sentence"][:60])), name)
            self.assertTrue(text.endswith("\nexit status %d\n" % report["exitStatus"]), name)
            for path in filter(None, report["run"]["outputs"].values()):
                self.assertIn(path, text)

    def test_summaries_are_as_they_were_looked_at(self):
        wanted = {}
        for look in GOLDEN_LOOKS:
            for name, text in self.summaries(look):
                if look == "80" or name in WITH_ALL_LOOKS:
                    wanted["%s.%s.txt" % (name, look)] = text
        if UPDATE:
            GOLDEN.mkdir(parents=True, exist_ok=True)
            for old in GOLDEN.glob("*.txt"):
                old.unlink()
            for file, text in wanted.items():
                (GOLDEN / file).write_text(text, encoding="utf-8")
        self.assertEqual(sorted(wanted), sorted(path.name for path in GOLDEN.glob("*.txt")))
        self.maxDiff = None
        for file, text in sorted(wanted.items()):
            self.assertEqual(text, (GOLDEN / file).read_text(encoding="utf-8"), file + ": if it should be so, run with --update")


UPDATE = "--update" in sys.argv or os.environ.get("SW_UPDATE") == "1"
if __name__ == "__main__":
    sys.argv = [a for a in sys.argv if a != "--update"]
    unittest.main()
