#!/usr/bin/env python3
"""Writes width_table.h: which characters take two columns of a terminal, which none, and which must be escaped.

    src/report/width_table.py > src/report/width_table.h

From the Unicode data that this Python carries. Run by hand when a newer one is wanted; the result is kept in the tree.
"""
import sys
import unicodedata

FILLERS = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F, 0x2800, 0x3164, 0xFFA0}
SELECTORS = set(range(0xFE00, 0xFE10)) | set(range(0xE0100, 0xE01F0))


def hidden(code):
    category = unicodedata.category(chr(code))
    return category in ("Cc", "Cf", "Cs", "Co", "Zs", "Zl", "Zp") or code in FILLERS or code in SELECTORS


def kind(code):
    if hidden(code):
        return "hidden"
    if unicodedata.category(chr(code)) in ("Mn", "Me") or 0x1161 <= code <= 0x11FF:
        return "zero"
    return "wide" if unicodedata.east_asian_width(chr(code)) in ("W", "F") else "narrow"


def ranges(wanted):
    start = None
    for code in range(0x80, 0x110001):
        inside = code <= 0x10FFFF and kind(code) == wanted
        if inside and start is None:
            start = code
        elif not inside and start is not None:
            yield start, code - 1
            start = None


def main():
    print("/* Made by width_table.py from Unicode %s: do not edit. */" % unicodedata.unidata_version)
    print("#ifndef SW_REPORT_WIDTH_TABLE_H\n#define SW_REPORT_WIDTH_TABLE_H\n")
    for name in ("wide", "zero", "hidden"):
        print("static const struct width_range width_%s[] = {" % name)
        line = "   "
        for first, last in ranges(name):
            item = " {0x%X, 0x%X}," % (first, last)
            if len(line) + len(item) > 150:
                print(line)
                line = "   "
            line += item
        print(line + "\n};")
    print("\n#endif")
    return 0


if __name__ == "__main__":
    sys.exit(main())
