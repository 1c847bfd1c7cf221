#!/usr/bin/env python3
"""Writes change events as Debezium's PostgreSQL connector does (bare JSON, about 600 bytes each) and the table that they leave behind.

    bench/gen_debezium.py EVENTS KEYS EVENTS.ndjson DESTINATION.ndjson [--wrapped]

Keys change round-robin with a stride, one in ten events is a delete, one in three a create. The same arguments give the same bytes.
"""
import json
import sys

COLUMNS = [("int64", "id"), ("string", "customer"), ("string", "email"), ("string", "status"), ("int32", "quantity"), ("string", "note"), ("boolean", "paid"), ("string", "city")]


def schema():
    fields = [{"type": kind, "optional": name != "id", "field": name} for kind, name in COLUMNS]
    row = {"type": "struct", "fields": fields, "optional": True, "name": "shop.public.orders.Value"}
    return json.dumps({"type": "struct", "fields": [dict(row, field="before"), dict(row, field="after"), {"type": "string", "optional": False, "field": "op"}],
                       "optional": False, "name": "shop.public.orders.Envelope"}, separators=(",", ":"))


def row(key, version):
    return ('{"id":%d,"customer":"customer-%08d","email":"customer.%d@mail.example","status":"%s","quantity":%d,"note":"%s","paid":%s,"city":"%s"}'
            % (key, key * 7919 % 99999989, key, ("new", "packed", "sent", "returned")[version % 4], version % 1000, "nothing to remark on this order but its number " + str(version),
               "true" if version % 2 else "false", ("Oslo", "Lima", "Kyoto", "Accra", "Quito")[key % 5]))


def main():
    events, keys, wrapped = int(sys.argv[1]), int(sys.argv[2]), "--wrapped" in sys.argv
    alive = {}
    head = '{"schema":' + schema() + ',"payload":' if wrapped else ""
    with open(sys.argv[3], "w", encoding="ascii") as out:
        for n in range(events):
            key = n * 7919 % keys + 1
            lsn = 24000000000 + n * 56
            op = "d" if n % 10 == 9 and key in alive else "u" if key in alive else "c"
            after = "null" if op == "d" else row(key, n)
            before = '{"id":%d,"customer":null,"email":null,"status":null,"quantity":null,"note":null,"paid":null,"city":null}' % key if op == "d" else "null"
            out.write('%s{"before":%s,"after":%s,"source":{"version":"3.0.0.Final","connector":"postgresql","name":"shop","ts_ms":%d,"snapshot":"false","db":"store",'
                      '"sequence":"[\\"%d\\",\\"%d\\"]","ts_us":%d,"ts_ns":%d,"schema":"public","table":"orders","txId":%d,"lsn":%d,"xmin":null},"transaction":null,"op":"%s",'
                      '"ts_ms":%d,"ts_us":%d,"ts_ns":%d}%s\n'
                      % (head, before, after, 1764500000000 + n, lsn - lsn % 560, lsn, (1764500000000 + n) * 1000, (1764500000000 + n) * 1000000, 500 + n // 10, lsn, op,
                         1764500000100 + n, (1764500000100 + n) * 1000, (1764500000100 + n) * 1000000, "}" if wrapped else ""))
            if op == "d":
                del alive[key]
            else:
                alive[key] = n
    with open(sys.argv[4], "w", encoding="ascii") as out:
        for key in sorted(alive):
            out.write(row(key, alive[key]) + "\n")


main()
