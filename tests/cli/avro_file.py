"""Avro object container files for tests, written by the specification: numbers in zigzag, texts with their length, a mark behind each block."""
import json
import zlib

MARK = b'sixteen bytes :)'


def number(value):
    zigzag, out = (value << 1 ^ value >> 63) & 2 ** 64 - 1, bytearray()
    while zigzag >= 0x80:
        out.append(zigzag & 0x7f | 0x80)
        zigzag >>= 7
    out.append(zigzag)
    return bytes(out)


def text(value):
    value = value.encode() if isinstance(value, str) else value
    return number(len(value)) + value


def header(schema, codec=None):
    entries = {'avro.schema': json.dumps(schema), **({'avro.codec': codec} if codec else {})}
    return b'Obj\x01' + number(len(entries)) + b''.join(text(k) + text(v) for k, v in entries.items()) + number(0) + MARK


def block(records, codec=None):
    data = b''.join(records)
    if codec == 'deflate':
        packer = zlib.compressobj(6, zlib.DEFLATED, -15)
        data = packer.compress(data) + packer.flush()
    return number(len(records)) + number(len(data)) + data + MARK


def container(schema, *blocks, codec=None):
    return header(schema, codec) + b''.join(block(records, codec) for records in blocks)
