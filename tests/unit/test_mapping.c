#include "mapping_case.h"

/* --- what holds where nothing is declared --- */

static void nothing_declared_means_the_plain_names(void **state)
{
    (void)state;
    const char *const nothing[] = {"", "# only a comment\n", "---\n", "{}", "types: {value: decimal}\n", "order: bigquery\ntable: t\n"};
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++) {
        parse(nothing[i]);
        assert_true(mapping.plain_names);
        assert_int_equal(mapping.key_count, 1);
        assert_string_equal(mapping.keys[0], "key");
        path_is(&expected()->key[0], "key");
        path_is(&baseline()->order[0], "version");
        path_is(&baseline()->deleted, "deleted");
        path_is(&events()->value, "value");
        path_is(&events()->identity[0], "id");
        path_is(&events()->operation, "op");
        path_is(&baseline()->operation, "");
        assert_int_equal(baseline()->identity_count, 0);
        assert_int_equal(operation("upsert"), SW_OPERATION_UPSERT);
        assert_int_equal(operation("delete"), SW_OPERATION_DELETE);
        assert_int_equal(operation("u"), SW_OPERATION_UNKNOWN);
        assert_int_equal(operation("DELETE"), SW_OPERATION_UNKNOWN);
        assert_string_equal(mapping.order_field_names[0], "version");
    }
}

static void integer_is_the_order_by_default_of_plain_names_only(void **state)
{
    (void)state;
    parse("");
    assert_string_equal(mapping.order, "integer");
    assert_true(mapping.order_by_default);
    parse("key: id\nversion: ver\n");
    assert_string_equal(mapping.order, "integer");
    assert_true(mapping.order_by_default);
    parse("key: id\nversion: ver\nformat: plain\n");
    assert_string_equal(mapping.order, "integer");
    parse("key: id\nversion: source.lsn\nformat: debezium\n");
    assert_null(mapping.order);
    parse("key: id\n");
    assert_null(mapping.order);
    assert_false(mapping.order_by_default);
    parse("order: integer\n");
    assert_string_equal(mapping.order, "integer");
    assert_false(mapping.order_by_default);
}

static void defaults_are_careful(void **state)
{
    (void)state;
    parse("key: id\n");
    assert_false(mapping.plain_names);
    assert_int_equal(mapping.absent, SW_ABSENT_UNKNOWN);
    assert_int_equal(mapping.images, SW_IMAGES_FULL);
    assert_int_equal(mapping.compare, SW_COMPARE_AUTO);
    assert_int_equal(mapping.deletes, SW_DELETES_AUTO);
    assert_int_equal(mapping.csv_delimiter, ',');
    assert_int_equal(mapping.csv_null.len, 0);
    assert_false(mapping.csv_null_quoted_too);
    assert_false(mapping.conflicts_newest);
    assert_null(mapping.placeholder);
    path_is(&events()->value, "");
    path_is(&events()->operation, "");
    assert_int_equal(operation("u"), SW_OPERATION_UNKNOWN);
    declared_is("key id\n");
}

/* --- the field cases --- */

static void case_o01_binlog_coordinates(void **state)
{
    (void)state;
    parse("key: id\norder: {policy: mysql, file: pos.file, pos: pos.pos}\nidentity: id\nop: op\nafter: after\n");
    assert_string_equal(mapping.order, "mysql");
    assert_int_equal(mapping.order_field_count, 2);
    assert_string_equal(mapping.order_field_names[0], "file");
    assert_string_equal(mapping.order_field_names[1], "pos");
    path_is(&events()->order[0], "pos.file");
    path_is(&events()->order[1], "pos.pos");
    assert_int_equal(events()->order[1].step_count, 2);
    path_is(&events()->after, "after");
    /* rows of the baseline have columns of these names: events alone have an identity, an operation and images */
    assert_int_equal(baseline()->identity_count, 0);
    path_is(&baseline()->after, "");
    path_is(&expected()->operation, "");
    path_is(&baseline()->order[0], "pos.file");
}

static void case_o08_versions_with_images(void **state)
{
    (void)state;
    parse("key: id\norder: {policy: integer, version: ver}\nidentity: id\nop: op\nbefore: before\nafter: after\n");
    path_is(&events()->identity[0], "id");
    path_is(&events()->before, "before");
    path_is(&events()->order[0], "ver");
    assert_int_equal(operation("c"), SW_OPERATION_INSERT);
    assert_int_equal(operation("u"), SW_OPERATION_UPDATE);
    assert_int_equal(operation("r"), SW_OPERATION_READ);
    assert_int_equal(operation("d"), SW_OPERATION_REMOVE);
    assert_int_equal(operation("x"), SW_OPERATION_UNKNOWN);
    assert_true(sw_layout_claims(events(), sw_bytes_text("ver")));
    assert_true(sw_layout_claims(events(), sw_bytes_text("before")));
    assert_true(sw_layout_claims(events(), sw_bytes_text("id")));
    assert_false(sw_layout_claims(baseline(), sw_bytes_text("id")));
    assert_false(sw_layout_claims(events(), sw_bytes_text("v")));
}

static void case_o11_o12_o15_placeholder_partial_images_and_wrapping(void **state)
{
    (void)state;
    parse("key: c\nimages: partial\nplaceholder: __debezium_unavailable_value\ntypes: {c: uint64 wrap, n: uint32}\n");
    assert_int_equal(mapping.images, SW_IMAGES_PARTIAL);
    assert_string_equal(mapping.placeholder, "__debezium_unavailable_value");
    assert_int_equal(rule(SW_ROLE_EVENTS, "c")->type.kind, SW_TYPE_UINT64);
    assert_true(rule(SW_ROLE_EVENTS, "c")->type.wrap);
    assert_false(rule(SW_ROLE_EXPECTED, "n")->type.wrap);
    assert_null(rule(SW_ROLE_EVENTS, "m"));
    declared_is("key c\ntype c uint64 wrap\ntype n uint32\nimages partial\nplaceholder __debezium_unavailable_value\n");
}

static void case_o18_the_null_of_csv(void **state)
{
    (void)state;
    parse("key: id\ncsv: {null: NULL, delimiter: tab, null_quoted: true}\n");
    assert_true(sw_bytes_is(mapping.csv_null, "NULL"));
    assert_int_equal(mapping.csv_delimiter, '\t');
    assert_true(mapping.csv_null_quoted_too);
    declared_is("key id\ncsv null \"NULL\"\ncsv null_quoted true\ncsv delimiter \\t\n");
    parse("key: id\ncsv: {escape: '\\'}\n");
    assert_int_equal(mapping.csv_escape, '\\');
    assert_true(sw_bytes_is(mapping.csv_null, "\\N"));
    declared_is("key id\ncsv escape \\\\\n");
    parse("key: id\ncsv: {escape: '\\', null: 'NULL'}\n");
    assert_true(sw_bytes_is(mapping.csv_null, "NULL"));
    parse("key: id\ncsv: {null: \"\", null_quoted: false, delimiter: ';'}\n");
    assert_int_equal(mapping.csv_null.len, 0);
    assert_int_equal(mapping.csv_delimiter, ';');
    assert_false(mapping.csv_null_quoted_too);
}

static void each_table_of_a_list_has_a_mapping_of_its_own(void **state)
{
    (void)state;
    parse("key: id\nversion: ver\nop: op\nafter: row\ntypes: {n: text, at: date}\nignore: x\nrename: {a: b}\nevents: {table: {path: tab}}\n"
          "tables:\n"
          "  one:\n"
          "  s.two: {key: [p, q], types: {n: decimal}, ignore: [y], rename: {c: d}, baseline: f.csv, expected: [g.csv, 'sqlite:h#i']}\n");
    assert_int_equal(mapping.table_count, 2);
    assert_null(mapping.table);
    assert_false(mapping.plain_names);
    const struct sw_mapping *one = mapping.tables[0].mapping, *two = mapping.tables[1].mapping;
    assert_string_equal(one->table, "one");
    assert_string_equal(two->table, "s.two");
    assert_int_equal(one->key_count, 1);
    assert_string_equal(one->keys[0], "id");
    assert_int_equal(two->key_count, 2);
    assert_string_equal(two->keys[1], "q");
    assert_int_equal(sw_mapping_column(one, sw_bytes_text("n"))->type.kind, SW_TYPE_TEXT);
    assert_int_equal(sw_mapping_column(two, sw_bytes_text("n"))->type.kind, SW_TYPE_DECIMAL); /* its own comes first */
    assert_int_equal(sw_mapping_column(two, sw_bytes_text("at"))->type.kind, SW_TYPE_DATE);
    assert_true(sw_mapping_column(two, sw_bytes_text("x"))->ignored && sw_mapping_column(two, sw_bytes_text("y"))->ignored);
    assert_null(sw_mapping_column(one, sw_bytes_text("y")));
    assert_string_equal(sw_mapping_rule(two, SW_ROLE_EVENTS, sw_bytes_text("a"))->renamed_to, "b");
    assert_string_equal(sw_mapping_rule(two, SW_ROLE_EVENTS, sw_bytes_text("c"))->renamed_to, "d");
    assert_null(sw_mapping_rule(one, SW_ROLE_EVENTS, sw_bytes_text("c")));
    assert_int_equal(mapping.tables[0].input_count[SW_ROLE_BASELINE], 0);
    assert_int_equal(mapping.tables[1].input_count[SW_ROLE_BASELINE], 1);
    assert_int_equal(mapping.tables[1].input_count[SW_ROLE_EXPECTED], 2);
    assert_string_equal(mapping.tables[1].inputs[SW_ROLE_EXPECTED][1], "sqlite:h#i");
    for (size_t i = 0; i < 2; i++) {
        path_is(&mapping.tables[i].mapping->layout[SW_ROLE_EVENTS].table, "tab");
        path_is(&mapping.tables[i].mapping->layout[SW_ROLE_EXPECTED].after, "");
        path_is(&mapping.tables[i].mapping->layout[SW_ROLE_EVENTS].operation, "op");
    }
    static const struct { const char *full; size_t table; } names[] = {{"one", 0}, {"db.one", 0}, {"s.two", 1}, {"x.s.two", 1}, {"two", 2}, {"z.two", 2}, {"bone", 2}, {"", 2}, {".one", 0}, {"one.", 2}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_int_equal(sw_mapping_find_table(&mapping, sw_bytes_text(names[i].full)), names[i].table);

    options.table = "s.two";
    parse("key: id\ntables: {one: {}, s.two: {}}\n");
    options.table = NULL;
    assert_int_equal(mapping.table_count, 1);
    assert_string_equal(mapping.tables[0].mapping->table, "s.two");
}

static void case_o22_truncate_and_the_place_of_the_table(void **state)
{
    (void)state;
    parse("key: id\nversion: ver\nidentity: id\nop: op\nafter: after\ntable: {name: t, path: table}\n");
    assert_string_equal(mapping.table, "t");
    path_is(&events()->table, "table");
    path_is(&baseline()->table, "table");
    assert_int_equal(operation("t"), SW_OPERATION_TRUNCATE);
    parse("key: id\ntable: {path: table}\n");
    assert_null(mapping.table);
    parse("table: orders\n");
    assert_string_equal(mapping.table, "orders");
    path_is(&events()->table, "");
}

static void case_o27_a_flag_stands_for_a_delete(void **state)
{
    (void)state;
    parse("key: id\nversion: ver\nidentity: id\nop: op\nbefore: before\nexpected_deletes: flag:_del\n");
    assert_int_equal(mapping.deletes, SW_DELETES_FLAG);
    assert_string_equal(mapping.delete_flag, "_del");
}

static void case_o29_a_rename_leaves_the_reference_alone(void **state)
{
    (void)state;
    parse("key: id\nrename: {a: a2}\ntypes: {a2: text}\nignore: a\n");
    assert_string_equal(rule(SW_ROLE_BASELINE, "a")->renamed_to, "a2");
    assert_string_equal(rule(SW_ROLE_EVENTS, "a")->renamed_to, "a2");
    assert_int_equal(rule(SW_ROLE_EVENTS, "a")->type.kind, SW_TYPE_TEXT);
    assert_true(rule(SW_ROLE_EVENTS, "a")->has_type);
    assert_false(rule(SW_ROLE_EVENTS, "a")->ignored);
    assert_null(rule(SW_ROLE_EVENTS, "a2")->renamed_to);
    assert_null(rule(SW_ROLE_EXPECTED, "a")->renamed_to);
    assert_true(rule(SW_ROLE_EXPECTED, "a")->ignored);
    assert_true(sw_mapping_column(&mapping, sw_bytes_text("a"))->ignored);
    assert_null(sw_mapping_column(&mapping, sw_bytes_text("b")));
    declared_is("key id\nignore a\ntype a2 text\nrename in baseline a to a2\nrename in events a to a2\n");
}

static void whole_is(const char *full, const char *whole, enum sw_table_place wanted)
{
    enum sw_table_place place;
    struct sw_bytes found = sw_mapping_whole_table(&place, &mapping, sw_bytes_text(full));
    if (!sw_bytes_is(found, whole) || place != wanted)
        fail_msg("%s: found %.*s (%d), expected %s (%d)", full, (int)found.len, (const char *)found.at, place, whole, wanted);
}

static void partitions_are_told_by_patterns_of_names(void **state)
{
    (void)state;
    parse("key: id\npartitions: {shop.orders: ['orders_p?*', 's*.x*y*z', '*_2031'], lines: lines_1, orders_p9: orders_p9}\n");
    declared_is("key id\npartitions orders_p?* of shop.orders\npartitions s*.x*y*z of shop.orders\npartitions *_2031 of shop.orders\npartitions lines_1 of lines\npartitions orders_p9 of orders_p9\n");
    whole_is("orders_p1", "shop.orders", SW_TABLE_PART);
    whole_is("db.shop.orders_p12", "shop.orders", SW_TABLE_PART); /* the last parts */
    whole_is("orders_p", "orders_p", SW_TABLE_ITSELF);            /* `?` is one byte */
    whole_is("orders_p.", "orders_p.", SW_TABLE_ITSELF);          /* but no dot */
    whole_is("my_orders_p1", "my_orders_p1", SW_TABLE_ITSELF);    /* part of a part is none */
    whole_is("s.xaybyz", "shop.orders", SW_TABLE_PART);           /* a star gives back what it took */
    whole_is("shard7.xyz", "shop.orders", SW_TABLE_PART);
    whole_is("s.xy.z", "s.xy.z", SW_TABLE_ITSELF);                /* a star takes no dot */
    whole_is("s.xyzz_", "s.xyzz_", SW_TABLE_ITSELF);
    whole_is("db.shop.orders", "shop.orders", SW_TABLE_ITSELF);   /* the table itself, by the name that is declared */
    whole_is("lines_1", "lines", SW_TABLE_PART);
    whole_is("lines_12", "lines_12", SW_TABLE_ITSELF);
    whole_is("", "", SW_TABLE_ITSELF);
    parse("key: id\npartitions: {a: [x*], b: ['*y']}\n");
    whole_is("xz", "a", SW_TABLE_PART);
    whole_is("zy", "b", SW_TABLE_PART);
    whole_is("xy", "xy", SW_TABLE_PART_OF_SEVERAL);
    parse("key: id\npartitions: {a: [x*, xy]}\n");
    whole_is("xy", "a", SW_TABLE_PART);
}

/* --- the members --- */

static void keys_are_a_text_a_list_or_a_map(void **state)
{
    (void)state;
    parse("key: order.id\n");
    assert_string_equal(mapping.keys[0], "order.id");
    path_is(&events()->key[0], "");
    parse("key: [a, b]\nevents: {key: [after.x, after.y]}\nexpected: {key: {b: k2, a: k1}}\n");
    assert_int_equal(mapping.key_count, 2);
    path_is(&events()->key[0], "after.x");
    path_is(&events()->key[1], "after.y");
    path_is(&baseline()->key[0], "");
    path_is(&expected()->key[0], "k1");
    path_is(&expected()->key[1], "k2");
    parse("key: {a: meta.k, b: 'odd\\.name'}\n");
    assert_string_equal(mapping.keys[1], "b");
    path_is(&baseline()->key[0], "meta.k");
    path_is(&events()->key[1], "odd\\.name");
    assert_string_equal(events()->key[1].steps[0], "odd.name");
}

static void a_section_overrides_one_role(void **state)
{
    (void)state;
    parse("key: id\nversion: ver\nop: op\ndeleted: gone\nafter: after\nidentity: [a, b.c]\n"
          "baseline: {version: v0, value: payload}\n"
          "events: {identity: eid, transaction: tx.id, format: plain, op: {upsert: [+], delete: '-'}}\n"
          "expected: {deleted: _del, op: kind, table: {path: t}, format: plain}\n");
    path_is(&baseline()->order[0], "v0");
    path_is(&events()->order[0], "ver");
    path_is(&expected()->order[0], "ver");
    assert_int_equal(mapping.order_field_count, 1);
    path_is(&baseline()->value, "payload");
    path_is(&events()->value, "");
    assert_int_equal(events()->identity_count, 1);
    path_is(&events()->identity[0], "eid");
    path_is(&events()->transaction, "tx.id");
    path_is(&events()->operation, "op");
    assert_int_equal(operation("+"), SW_OPERATION_UPSERT);
    assert_int_equal(operation("-"), SW_OPERATION_DELETE);
    assert_int_equal(operation("u"), SW_OPERATION_UNKNOWN);
    path_is(&expected()->deleted, "_del");
    path_is(&events()->deleted, "gone");
    path_is(&expected()->operation, "kind");
    assert_int_equal(sw_mapping_operation(&mapping, SW_ROLE_EXPECTED, SW_BYTES_LITERAL("DELETE")), SW_OPERATION_REMOVE);
    path_is(&expected()->table, "t");
    assert_string_equal(mapping.format[SW_ROLE_EXPECTED], "plain");
    assert_null(mapping.format[SW_ROLE_BASELINE]);
}

static void a_section_says_where_the_columns_stand(void **state)
{
    (void)state;
    parse("key: id\nvalue: data\nevents: {after: new}\n");
    path_is(&events()->after, "new");
    path_is(&events()->value, "");
    path_is(&baseline()->value, "data");
    parse("key: id\nafter: new\nevents: {value: data}\n");
    path_is(&events()->value, "data");
    path_is(&events()->after, "");
}

static void order_fields_of_sections_are_one_list(void **state)
{
    (void)state;
    parse("key: id\norder: {policy: postgres, lsn: lsn}\nevents: {order: {commit: c.lsn, lsn: e.lsn}}\nexpected: {version: x}\n");
    assert_int_equal(mapping.order_field_count, 3);
    assert_string_equal(mapping.order_field_names[0], "lsn");
    assert_string_equal(mapping.order_field_names[1], "commit");
    assert_string_equal(mapping.order_field_names[2], "version");
    path_is(&baseline()->order[0], "lsn");
    path_is(&baseline()->order[1], "");
    path_is(&events()->order[0], "e.lsn");
    path_is(&events()->order[1], "c.lsn");
    path_is(&expected()->order[0], "");
    path_is(&expected()->order[2], "x");
}

static void the_usual_spellings_are_exact(void **state)
{
    (void)state;
    static const struct {
        enum sw_operation operation;
        const char *spellings[16];
    } cases[] = {
        {SW_OPERATION_INSERT, {"c", "create", "CREATE", "i", "I", "insert", "INSERT"}},
        {SW_OPERATION_UPDATE, {"u", "U", "update", "UPDATE"}},
        {SW_OPERATION_UPSERT, {"upsert", "UPSERT"}},
        {SW_OPERATION_READ, {"r", "read", "READ", "snapshot", "SNAPSHOT"}},
        {SW_OPERATION_REMOVE, {"d", "D", "delete", "DELETE"}},
        {SW_OPERATION_TRUNCATE, {"t", "T", "truncate", "TRUNCATE"}},
        {SW_OPERATION_IGNORED, {"m"}},
        {SW_OPERATION_UNKNOWN, {"C", "R", "M", "Delete", "upser", "upserts", " u", "B", "x"}},
    };
    parse("key: id\nop: op\n");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t k = 0; k < 16 && cases[i].spellings[k]; k++)
            assert_int_equal(operation(cases[i].spellings[k]), cases[i].operation);
    assert_int_equal(operation(""), SW_OPERATION_UNKNOWN);
    assert_int_equal(sw_mapping_operation(&mapping, SW_ROLE_EVENTS, sw_bytes_of("u\0", 2)), SW_OPERATION_UNKNOWN);
}

static void declared_spellings_are_the_only_ones(void **state)
{
    (void)state;
    parse("key: id\nop: {path: kind, upsert: [put, p], delete: drop, truncate: [wipe], read: [scan], ignore: [ping, pong]}\n");
    path_is(&events()->operation, "kind");
    assert_int_equal(operation("put"), SW_OPERATION_UPSERT);
    assert_int_equal(operation("p"), SW_OPERATION_UPSERT);
    assert_int_equal(operation("drop"), SW_OPERATION_DELETE);
    assert_int_equal(operation("wipe"), SW_OPERATION_TRUNCATE);
    assert_int_equal(operation("scan"), SW_OPERATION_READ);
    assert_int_equal(operation("pong"), SW_OPERATION_IGNORED);
    assert_int_equal(operation("u"), SW_OPERATION_UNKNOWN);
    /* a delete says that a row was there only where the other operations say whether one was */
    parse("key: id\nop: {path: kind, insert: new, update: change, delete: drop, upsert: put}\n");
    assert_int_equal(operation("new"), SW_OPERATION_INSERT);
    assert_int_equal(operation("change"), SW_OPERATION_UPDATE);
    assert_int_equal(operation("drop"), SW_OPERATION_REMOVE);
    assert_int_equal(operation("put"), SW_OPERATION_UPSERT);
    assert_int_equal(operation("d"), SW_OPERATION_UNKNOWN);
}

static void the_remaining_members_reach_their_fields(void **state)
{
    (void)state;
    parse("key: id\nabsent: null\nbaseline_position: 0/5000000\ncut: 'b.000001:4'\nspace: a\nspaces: [a, 'b,c']\n"
          "compare: value\nexpected_deletes: absent\nconflicts: newest\nignore: [x, y]\nformat: wal2json\n");
    assert_int_equal(mapping.absent, SW_ABSENT_NULL);
    assert_string_equal(mapping.baseline_position, "0/5000000");
    assert_string_equal(mapping.cut, "b.000001:4");
    assert_string_equal(mapping.space, "a");
    assert_int_equal(mapping.space_count, 2);
    assert_string_equal(mapping.spaces[1], "b,c");
    assert_int_equal(mapping.compare, SW_COMPARE_VALUE);
    assert_int_equal(mapping.deletes, SW_DELETES_ABSENT);
    assert_true(mapping.conflicts_newest);
    assert_true(rule(SW_ROLE_EXPECTED, "y")->ignored);
    assert_false(rule(SW_ROLE_EXPECTED, "y")->has_type);
    declared_is("key id\nignore x\nignore y\nabsent null\nbaseline_position 0/5000000\ncut b.000001:4\nspace a\nspaces a\nspaces b,c\n"
                "compare value\nexpected_deletes absent\nconflicts newest\n");
    parse("compare: state\nexpected_deletes: tombstone\nconflicts: any\nabsent: unknown\nimages: full\nreplica_identity: full\nspaces: 'a,b'\n");
    assert_int_equal(mapping.compare, SW_COMPARE_STATE);
    assert_int_equal(mapping.deletes, SW_DELETES_TOMBSTONE);
    assert_false(mapping.conflicts_newest);
    assert_string_equal(mapping.spaces[1], "b");
    assert_true(mapping.replica_identity_full);
    declared_is("replica_identity full\nspaces a\nspaces b\ncompare state\nexpected_deletes tombstone\n");
}

static void positions_may_be_several(void **state)
{
    (void)state;
    parse("baseline_time: 2026-01-28T10:00:00Z\ntime: source.ts\ntime_unit: us\n");
    assert_string_equal(mapping.baseline_time, "2026-01-28T10:00:00Z");
    path_is(&events()->time, "source.ts");
    assert_int_equal(baseline()->time.step_count, 0);
    assert_int_equal(mapping.time_per_second, 1000000);
    declared_is("baseline_time 2026-01-28T10:00:00Z\n");
    parse("cut: ['0/5@timeline=1', '0/6@timeline=2']\nbaseline_position: {base=b server=one: '000900:700', base=b server=two: '000001:40'}\n");
    assert_string_equal(mapping.cut, "0/5@timeline=1;0/6@timeline=2");
    assert_string_equal(mapping.baseline_position, "base=b server=one=000900:700;base=b server=two=000001:40");
    refused("cut: []\n", "cut: expected a position, a list of positions or a map SPACE: POSITION, found an empty list", 1, 6);
    refused("cut: ['0/5;0/6']\n", "cut: a position and its space hold no ';' and no line break: one item each", 1, 7);
    refused("cut: [[a]]\n", "cut: expected a text, found a list", 1, 7);
}

static void the_format_is_the_events_format(void **state)
{
    (void)state;
    const char *const inputs[] = {"e.ndjson"};
    options.events = inputs;
    options.event_count = 1;
    options.format = "debezium";
    parse("key: id\nformat: maxwell\nevents: {format: canal}\nexpected: {format: plain}\n");
    assert_string_equal(mapping.format[SW_ROLE_EVENTS], "debezium");
    assert_null(mapping.format[SW_ROLE_BASELINE]);
    assert_string_equal(mapping.format[SW_ROLE_EXPECTED], "plain");
    options.event_count = 0;
    options.format = "plain";
    parse("key: id\n");
    assert_string_equal(mapping.format[SW_ROLE_BASELINE], "plain");
    assert_string_equal(mapping.format[SW_ROLE_EXPECTED], "plain");
    options.format = "auto";
    parse("key: id\n");
    assert_null(mapping.format[SW_ROLE_EVENTS]);
}

static void a_file_is_read_and_its_absence_said(void **state)
{
    (void)state;
    char path[] = "/tmp/sw-test-mapping-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "key: id\n", 8), 8);
    close(fd);
    struct sw_error error = {0};
    options.map_file = path;
    assert_int_equal(sw_mapping_load(&mapping, &options, &error), SW_OK);
    assert_string_equal(mapping.keys[0], "id");
    assert_int_equal(truncate(path, (1 << 20) + 1), 0);
    sw_mapping_free(&mapping);
    assert_int_equal(sw_mapping_load(&mapping, &options, &error), SW_ERR_LIMIT);
    assert_string_equal(error.text, "expected a mapping of at most 1 MiB, found a larger one");
    assert_string_equal(error.source, path);
    unlink(path);
    error = (struct sw_error){0};
    options.map_file = "/nowhere/map.yaml";
    assert_int_equal(sw_mapping_load(&mapping, &options, &error), SW_ERR_INPUT);
    assert_string_equal(error.text, "mapping: no such file: /nowhere/map.yaml; the directory /nowhere/ cannot be opened: No such file or directory");
    assert_null(mapping.memory);
}

static void many_columns_are_found_by_their_names(void **state)
{
    (void)state;
    struct sw_buffer yaml = {0};
    char name[16];
    sw_buffer_add_text(&yaml, "key: c0\ntypes:\n");
    for (int i = 0; i < 20000; i++)
        sw_buffer_printf(&yaml, "  c%d: %s\n", (i * 7919) % 20000, i % 2 ? "text" : "int64");
    parse(sw_buffer_text(&yaml));
    assert_int_equal(mapping.column_count, 20000);
    for (int i = 0; i < 20000; i++) {
        snprintf(name, sizeof name, "c%d", (i * 7919) % 20000);
        assert_int_equal(rule(SW_ROLE_EVENTS, name)->type.kind, i % 2 ? SW_TYPE_TEXT : SW_TYPE_INT64);
    }
    assert_null(rule(SW_ROLE_EVENTS, "c20000"));
    sw_buffer_free(&yaml);
}

/* SW_SOURCE_ROOT is set by the build; a run by hand from the root of the tree needs none. */
static void every_example_of_the_documentation_is_a_mapping(void **state)
{
    (void)state;
    char path[4096], line[1024];
    const char *root = getenv("SW_SOURCE_ROOT");
    snprintf(path, sizeof path, "%s/docs/mapping.md", root ? root : ".");
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    struct sw_buffer yaml = {0};
    bool inside = false;
    int examples = 0;
    while (fgets(line, sizeof line, file)) {
        if (!inside && strcmp(line, "```yaml\n") == 0) {
            inside = true;
        } else if (inside && strcmp(line, "```\n") == 0) {
            parse(sw_buffer_text(&yaml));
            assert_false(mapping.plain_names);
            sw_buffer_clear(&yaml);
            inside = false;
            examples++;
        } else if (inside) {
            sw_buffer_add_text(&yaml, line);
        }
    }
    fclose(file);
    sw_buffer_free(&yaml);
    assert_int_equal(examples, 10);
}

static void paths_are_read_and_printed_alike(void **state)
{
    (void)state;
    static const char *const good[] = {"a", "a.b", "a.b.c.d.e.f.g.h", "odd\\.name.x", "back\\\\slash", " a . b ", "é.ü", "\\.", "a\\..b"};
    static const char *const bad[] = {"", ".", "a.", ".a", "a..b", "a\\", "a\\b", "a.b.c.d.e.f.g.h.i"};
    char room[64];
    const char *problem;
    struct sw_path path, again;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        char room_again[64];
        struct sw_buffer printed = {0};
        assert_true(sw_path_parse(&path, sw_bytes_text(good[i]), room, &problem));
        assert_null(problem);
        sw_path_print(&printed, &path);
        assert_string_equal(sw_buffer_text(&printed), good[i]);
        assert_true(sw_path_parse(&again, sw_buffer_view(&printed), room_again, &problem));
        assert_true(sw_path_equal(&path, &again));
        sw_buffer_free(&printed);
    }
    assert_true(sw_path_parse(&path, sw_bytes_text("a\\..b"), room, &problem));
    assert_string_equal(path.steps[0], "a.");
    assert_string_equal(path.steps[1], "b");
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(sw_path_parse(&path, sw_bytes_text(bad[i]), room, &problem));
        assert_non_null(problem);
    }
    assert_false(sw_path_parse(&path, sw_bytes_of("a\0b", 3), room, &problem));
    assert_string_equal(problem, "it holds a NUL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(nothing_declared_means_the_plain_names),
        TEST(integer_is_the_order_by_default_of_plain_names_only),
        TEST(defaults_are_careful),
        TEST(case_o01_binlog_coordinates),
        TEST(case_o08_versions_with_images),
        TEST(case_o11_o12_o15_placeholder_partial_images_and_wrapping),
        TEST(case_o18_the_null_of_csv),
        TEST(each_table_of_a_list_has_a_mapping_of_its_own),
        TEST(case_o22_truncate_and_the_place_of_the_table),
        TEST(case_o27_a_flag_stands_for_a_delete),
        TEST(case_o29_a_rename_leaves_the_reference_alone),
        TEST(partitions_are_told_by_patterns_of_names),
        TEST(keys_are_a_text_a_list_or_a_map),
        TEST(a_section_overrides_one_role),
        TEST(a_section_says_where_the_columns_stand),
        TEST(order_fields_of_sections_are_one_list),
        TEST(the_usual_spellings_are_exact),
        TEST(declared_spellings_are_the_only_ones),
        TEST(the_remaining_members_reach_their_fields),
        TEST(positions_may_be_several),
        TEST(the_format_is_the_events_format),
        TEST(a_file_is_read_and_its_absence_said),
        TEST(many_columns_are_found_by_their_names),
        TEST(every_example_of_the_documentation_is_a_mapping),
        TEST(paths_are_read_and_printed_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
