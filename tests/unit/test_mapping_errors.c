#include "mapping_case.h"

static void every_wrong_member_is_refused_with_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *yaml, *text;
        uint64_t line, column;
    } cases[] = {
        {"key: id\nkye: x\n", "mapping: unknown member 'kye'; did you mean 'key'?", 2, 1},
        {"events:\n  idenity: x\n", "events: unknown member 'idenity'; did you mean 'identity'?", 2, 3},
        {"csv: {nul: x}\n", "csv: unknown member 'nul'; did you mean 'null'?", 1, 7},
        {"csv: {colour: x}\n", "csv: unknown member 'colour'; known are null, null_quoted, delimiter, escape", 1, 7},
        {"op: {path: op, upset: u}\n", "op: unknown member 'upset'; did you mean 'upsert'?", 1, 16},
        {"table: {pth: t}\n", "table: unknown member 'pth'; did you mean 'path'?", 1, 9},
        {"expected: {table: {name: t}}\n", "expected.table: unknown member 'name'; known are path", 1, 20},
        {"key: id\nevents: {types: {a: text}}\n", "events: member 'types' stands at the top only, not in a section", 2, 10},
        {"events: {events: {}}\n", "events: member 'events' stands at the top only, not in a section", 1, 10},
        {"key: id\nop: op\nkey: id2\n", "member 'key' stands twice; the first is in line 1", 3, 1},
        {"types: {a: text, b: text, a: text}\n", "member 'a' stands twice; the first is in line 1", 1, 27},
        {"- key\n", "mapping: expected a map, found a list", 1, 1},
        {"key\n", "mapping: expected a map, found a text", 1, 1},
        {"key: [id\n", "not YAML: did not find expected ',' or ']'", 2, 1},
        {"key: \xff\n", "not YAML: invalid leading UTF-8 octet", 1, 0},
        {"a: &x 1\n", "anchors (&x) are not read; write the value out where it is needed", 1, 4},
        {"a: *x\n", "aliases (*x) are not read; write the value out", 1, 4},
        {"key: !!str id\n", "tags (tag:yaml.org,2002:str) are not read; every scalar is a text", 1, 6},
        {"? [a]\n: b\n", "expected a member's name, found a list", 1, 3},
        {"key: id\n---\nkey: id\n", "expected one document, found a second one", 2, 1},
        {"key: [[[[[[[[x]]]]]]]]\n", "values stand inside each other more than 8 deep", 1, 13},
        {"key: id\nscope: region =\n", "scope: expected a number, a text in single quotes, TRUE or FALSE at character 9, found the end", 2, 8},
        {"key: id\nscope: [a]\n", "scope: expected a text, found a list", 2, 8},
        {"expected: {scope: a = 1}\n", "expected: member 'scope' stands at the top only, not in a section", 1, 12},
        {"key:\n", "key: it has no value; leave it out, or write a text in quotes", 1, 5},
        {"key: ~\n", "key: it has no value; leave it out, or write a text in quotes", 1, 6},
        {"key: ''\n", "key: expected a text, found an empty one", 1, 6},
        {"key: \"a\\0b\"\n", "key: expected a text without NUL, found 'a\\u0000b'", 1, 6},
        {"key: []\n", "key: expected a text or a list of texts, found an empty list", 1, 6},
        {"key: {}\n", "key: expected at least one column, found an empty map", 1, 6},
        {"key: [a, [b]]\n", "key: expected a text, found a list", 1, 10},
        {"key: [a, a]\n", "key: column 'a' stands twice", 1, 10},
        {"key: [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q]\n", "key: expected at most 16 key columns, found more", 1, 55},
        {"events: {key: id}\n", "events.key: the key columns are not named; declare 'key' at the top as well", 1, 15},
        {"key: [a, b]\nevents: {key: id}\n", "events.key: expected 2 paths, one for each key column, found 1", 2, 15},
        {"key: [first, b]\nevents: {key: {frist: x, b: y}}\n", "events.key: 'frist' is no key column; did you mean 'first'?", 2, 15},
        {"key: id\nignore: {a: b}\n", "ignore: expected a text or a list of texts, found a map", 2, 9},
        {"key: id\nignore: [x, id]\n", "ignore: column 'id' is a key column and cannot be ignored", 2, 13},
        {"types: [a]\n", "types: expected a map, found a list", 1, 8},
        {"types: {a: [text]}\n", "types: expected a text, found a list", 1, 12},
        {"rename: a\n", "rename: expected a map, found a text", 1, 9},
        {"rename: {a: a}\n", "rename: column 'a' is renamed to itself", 1, 10},
        {"rename: {a: x, b: x}\n", "rename: columns 'a' and 'b' would both be 'x'", 1, 16},
        {"key: a\nrename: {a: b}\n", "rename: key column 'a' is renamed to 'b' in the baseline; name the key 'b'", 2, 10},
        {"types: {a: text}\nrename: {a: b}\n", "rename: column 'a' has a type and is renamed to 'b'; declare the type of 'b'", 2, 10},
        {"order: {file: pos.file}\n", "order: member 'policy' is missing", 1, 8},
        {"order: [mysql]\n", "order: expected a policy's name or a map with policy and the paths of its fields, found a list", 1, 8},
        {"events: {order: mysql}\n", "events.order: expected a map with the paths of the policy's fields, found a text; the policy is declared once, at the top", 1, 17},
        {"events: {order: {policy: mysql}}\n", "events.order: the policy is declared once, at the top; here stand the paths of its fields", 1, 18},
        {"order: {policy: x, a: a, b: b, c: c, d: d, e: e, f: f, g: g, h: h, i: i}\n", "order: expected at most 8 fields, found 9", 1, 8},
        {"order: {policy: x, a: a, b: b, c: c, d: d, e: e, f: f, g: g}\nevents: {order: {h: h, i: i}}\n",
         "events.order: expected at most 8 order fields over all sections, found more", 2, 17},
        {"order: {policy: mysql, pos: pos}\nversion: ver\n",
         "version: it is short for the order's single field, and 'order' in line 1 has fields; keep one of them", 2, 10},
        {"version: ver\norder: {policy: mysql, pos: pos}\n", "order: it has fields, and 'version' in line 1 is short for its single field; keep one of them", 2, 8},
        {"version: a..b\n", "version: expected a path such as source.pos, found 'a..b': an empty name stands between, before or after the dots", 1, 10},
        {"op: [a]\n", "op: expected a path or a map with path and spellings, found a list", 1, 5},
        {"op: {upsert: u}\n", "op: member 'path' is missing: where the operation stands", 1, 5},
        {"op: {path: op, upsert: [u, x], delete: x}\n", "op: spelling 'x' stands twice", 1, 40},
        {"op: {path: op, upsert: {u: x}}\n", "op: expected a text or a list of texts, found a map", 1, 24},
        {"deleted: [a]\n", "deleted: expected a text, found a list", 1, 10},
        {"key: id\nvalue: v\nafter: a\n", "value: 'after' is declared for events too; the columns stand either in value or in before and after", 2, 8},
        {"events: {value: v, before: b}\n", "events.value: 'before' is declared for events too; the columns stand either in value or in before and after", 1, 17},
        {"identity: [a, a]\n", "identity: 'a' stands twice", 1, 15},
        {"identity: [a, b, c, d, e, f, g, h, i]\n", "identity: expected at most 8 parts, found more", 1, 36},
        {"table: [t]\n", "table: expected a table's name or a map with name and path, found a list", 1, 8},
        {"expected: {table: [t]}\n", "expected.table: expected a table's name or a map with path: where the table's name stands, found a list", 1, 19},
        {"key: id\ntable: {path: tab}\nexpected: {table: t}\n", "expected.table: it is a name, and a path says that each row names its own; keep one of them", 3, 19},
        {"key: id\ntables: [a]\n", "tables: expected a map, found a list", 2, 9},
        {"key: id\ntables: {}\n", "tables: expected at least one table, found an empty map", 2, 9},
        {"expected: {tables: {a: {}}}\n", "expected: member 'tables' stands at the top only, not in a section", 1, 12},
        {"key: id\ntables: {a: [b]}\n", "tables.a: expected a map, found a list", 2, 10},
        {"key: id\ntables: {a: {baseline: {b: c}}}\n", "tables.a.baseline: expected a locator or a list of locators, found a map", 2, 24},
        {"key: id\ntables: {a: {expected: []}}\n", "tables.a.expected: expected a locator or a list of locators, found an empty list", 2, 24},
        {"key: id\ntables: {a: {version: v}}\n", "tables.a: unknown member 'version'; known are key, types, ignore, rename, baseline, expected", 2, 14},
        {"key: [a, b]\nevents: {key: [x.a, x.b]}\ntables: {t: {key: c}}\n", "events.key: expected 1 paths, one for each key column, found 2", 2, 15},
        {"expected: x\n", "expected: expected a map, found a text", 1, 11},
        {"absent: nul\n", "absent: expected unknown or null, found 'nul'; did you mean 'null'?", 1, 9},
        {"images: partal\n", "images: expected full or partial, found 'partal'; did you mean 'partial'?", 1, 9},
        {"compare: rows\n", "compare: expected state or value, found 'rows'", 1, 10},
        {"conflicts: latest\n", "conflicts: expected any or newest, found 'latest'", 1, 12},
        {"expected_deletes: tombstones\n", "expected_deletes: expected tombstone, absent, flag:COLUMN or set:COLUMN, found 'tombstones'; did you mean 'tombstone'?", 1, 19},
        {"expected_deletes: 'flag:'\n", "expected_deletes: expected tombstone, absent, flag:COLUMN or set:COLUMN, found 'flag:'; did you mean 'flag:COLUMN'?", 1, 19},
        {"csv: {delimiter: ab}\n", "csv: expected one ASCII character that no number, word or quote holds, or tab, found 'ab'", 1, 18},
        {"csv: {delimiter: 'x'}\n", "csv: expected one ASCII character that no number, word or quote holds, or tab, found 'x'", 1, 18},
        {"csv: {delimiter: '\"'}\n", "csv: expected one ASCII character that no number, word or quote holds, or tab, found '\\\"'", 1, 18},
        {"csv: {null_quoted: yes}\n", "csv: expected true or false, found 'yes'", 1, 20},
        {"csv: {escape: x}\n", "csv: expected a backslash, found 'x'", 1, 15},
        {"csv: x\n", "csv: expected a map, found a text", 1, 6},
        {"spaces: [a, a]\n", "spaces: space 'a' stands twice", 1, 13},
        {"spaces: 'a,,b'\n", "spaces: expected names with commas between them, found an empty name", 1, 9},
        {"placeholder: {a: b}\n", "placeholder: expected a text, found a map", 1, 14},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        refused(cases[i].yaml, cases[i].text, cases[i].line, cases[i].column);
}

static void an_unknown_member_with_nothing_near_lists_what_is_known(void **state)
{
    (void)state;
    refused("colour: blue\n",
            "mapping: unknown member 'colour'; known are table, tables, partitions, key, types, ignore, rename, format, order, version, identity, op, before, after, value, deleted, "
            "transaction, time, time_unit, absent, images, replica_identity, placeholder, csv, baseline_position, baseline_time, cut, space, spaces, compare, expected_deletes, conflicts, scope, baseline, events, expected", 1, 1);
    refused("events: {colour: blue}\n",
            "events: unknown member 'colour'; known are table, key, rename, format, order, version, identity, op, before, after, value, deleted, transaction, time", 1, 10);
}

static void a_wrong_type_is_refused_with_its_column_and_place(void **state)
{
    (void)state;
    struct sw_error error = {0}, of_type = {0};
    struct sw_type type;
    struct sw_mapping out;
    char text[SW_ERROR_TEXT_MAX + 64];
    sw_type_parse(&type, SW_BYTES_LITERAL("decmal"), &of_type);
    snprintf(text, sizeof text, "types: column 'amount': %s", of_type.text);
    assert_int_equal(sw_mapping_parse(&out, SW_BYTES_LITERAL("types:\n  amount: decmal\n"), "map.yaml", NULL, &error), SW_ERR_USAGE);
    assert_string_equal(error.text, text);
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 11);
}

static void messages_escape_and_cut_what_they_quote(void **state)
{
    (void)state;
    refused("\"a\\x1b[31m\": x\n",
            "mapping: unknown member 'a\\u001b[31m'; known are table, tables, partitions, key, types, ignore, rename, format, order, version, identity, op, before, after, value, deleted, "
            "transaction, time, time_unit, absent, images, replica_identity, placeholder, csv, baseline_position, baseline_time, cut, space, spaces, compare, expected_deletes, conflicts, scope, baseline, events, expected", 1, 1);
    refused("compare: ééééééééééééééééééééééééééééééééééééééé\n",
            "compare: expected state or value, found 'éééééééééééééééééééééééééééééé…'", 1, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_wrong_member_is_refused_with_its_place),
        TEST(an_unknown_member_with_nothing_near_lists_what_is_known),
        TEST(a_wrong_type_is_refused_with_its_column_and_place),
        TEST(messages_escape_and_cut_what_they_quote),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
