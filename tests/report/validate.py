#!/usr/bin/env python3
"""Holds reports and findings against docs/report.schema.json, and their sums against each other.

    validate.py FILE...     FILE.json is a report, FILE.ndjson a file of differences; TAP, exit status 0 if all hold

What a schema cannot say is checked here: every sum of the report adds up to the records and keys it speaks of.
"""
import json
import pathlib
import sys

try:
    import jsonschema
except ImportError:  # Debian: python3-jsonschema
    jsonschema = None

SCHEMA_FILE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "report.schema.json"
SCHEMA = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
REPORT = jsonschema and jsonschema.Draft202012Validator(SCHEMA)
FINDING = jsonschema and jsonschema.Draft202012Validator({"$ref": "#/$defs/finding", "$defs": SCHEMA["$defs"]})

REASONS = {
    "different": ("missingState", "unexpectedState", "stateMismatch"),
    "conflictKeys": ("conflictingVersion", "identityReused", "duplicateKey", "inconsistentHistory"),
    "undecidedKeys": ("unordered", "readAfterDelete", "openTransaction", "beyondCut", "unknownColumn", "invalidValue", "notComparable", "unreadableRecord"),
}


def unique(pairs):
    names = [name for name, _ in pairs]
    if len(names) != len(set(names)):
        raise ValueError("an object has a member twice: %s" % sorted(names))
    return dict(pairs)


def parse(text):
    return json.loads(text, object_pairs_hook=unique)


def errors_of(validator, document):
    return ["%s: %s" % ("/".join(map(str, e.absolute_path)) or "(top)", e.message[:300]) for e in validator.iter_errors(document)]


def class_sums(counts, name):
    if counts["keys"] != counts["equal"] + counts["different"] + counts["conflictKeys"] + counts["undecidedKeys"]:
        yield "%s: keys are not the sum of their classes" % name
    for group, reasons in REASONS.items():
        if counts[group] != sum(counts[reason] for reason in reasons):
            yield "%s: %s is not the sum of its reasons" % (name, group)


def sums(report):
    """Sentences about sums that do not add up."""
    counts = report["counts"]
    yield from class_sums(counts, "counts")
    if counts["differences"] != counts["different"] + counts["conflictKeys"]:
        yield "differences are not those different and in conflict"
    for table in report["tables"]:
        yield from class_sums(table, "table %s" % table.get("table", ""))
    for kind, total in (("differences", counts["differences"]), ("undecided", counts["undecidedKeys"])):
        if len(report[kind]) != report[kind + "Listed"]:
            yield "%sListed is not the length of %s" % (kind, kind)
        if report[kind + "Listed"] + report[kind + "Omitted"] != total:
            yield "%s listed and omitted are not all of them" % kind
    bad = report["badRecords"]
    if bad["count"] != counts["badRecords"] or bad["unattributed"] > bad["count"] or len(bad["listed"]) > bad["count"]:
        yield "the bad records do not add up"
    if sum(report["dispositions"].values()) != sum(report["records"].values()):
        yield "the dispositions do not add up to the records read"
    if report["dispositions"]["bad"] != bad["count"]:
        yield "bad records are not those of that disposition"
    if report["dispositions"]["notRowChange"] != sum(kind["count"] for kind in report["kinds"]):
        yield "the kinds are not the records that are no row change"


def problems(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ndjson":
        for number, line in enumerate(text.split("\n")[:-1], 1):
            yield from ("line %d: %s" % (number, error) for error in errors_of(FINDING, parse(line)))
        if text and not text.endswith("\n"):
            yield "the last line has no end"
        return
    report = parse(text)
    found = errors_of(REPORT, report)
    yield from found
    if not found:
        yield from sums(report)


def main(arguments):
    if not jsonschema:
        print("1..0 # SKIP python3-jsonschema is not installed")
        return 0
    failed = 0
    print("1..%d" % len(arguments))
    for number, argument in enumerate(arguments, 1):
        found = list(problems(pathlib.Path(argument)))
        failed += bool(found)
        print("%s %d - %s holds to the schema" % ("not ok" if found else "ok", number, argument))
        for problem in found[:20]:
            print("# " + problem)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
