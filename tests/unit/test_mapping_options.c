#include "mapping_case.h"

static void each_option_declares_what_its_member_declares(void **state)
{
    (void)state;
    const char *const keys[] = {"a,b", "c\\,d"}, *const types[] = {"a=int64", "x\\=y=uint8 wrap"}, *const ignore[] = {"p,q", "r"}, *const renames[] = {"old=new"};
    options.keys = keys, options.key_count = 2;
    options.types = types, options.type_count = 2;
    options.ignore = ignore, options.ignore_count = 2;
    options.renames = renames, options.rename_count = 1;
    options.table = "t";
    options.order = "integer";
    options.version = "meta.v";
    options.deleted = "gone";
    options.identity = "eid,meta\\.id";
    options.operation = "kind";
    options.csv_null = "NULL";
    options.csv_delimiter = '|';
    options.baseline_position = "10";
    options.baseline_time = "2026-01-28T10:00:00Z";
    options.cut = "20";
    options.space = "s1";
    options.spaces = "s1,s2";
    options.compare = "value";
    options.expected_deletes = "flag:gone";
    options.conflicts = "newest";
    options.absent = "null";
    parse("");
    assert_int_equal(mapping.key_count, 3);
    assert_string_equal(mapping.keys[2], "c,d");
    assert_int_equal(rule(SW_ROLE_EVENTS, "x=y")->type.kind, SW_TYPE_UINT8);
    assert_true(rule(SW_ROLE_EVENTS, "x=y")->type.wrap);
    assert_true(rule(SW_ROLE_EVENTS, "q")->ignored);
    assert_string_equal(rule(SW_ROLE_BASELINE, "old")->renamed_to, "new");
    assert_null(rule(SW_ROLE_EXPECTED, "old"));
    assert_string_equal(mapping.table, "t");
    assert_string_equal(mapping.order, "integer");
    assert_false(mapping.order_by_default);
    path_is(&expected()->order[0], "meta.v");
    path_is(&baseline()->deleted, "gone");
    assert_int_equal(events()->identity_count, 2);
    path_is(&events()->identity[1], "meta\\.id");
    path_is(&events()->operation, "kind");
    path_is(&baseline()->operation, "");
    assert_int_equal(operation("d"), SW_OPERATION_REMOVE);
    assert_true(sw_bytes_is(mapping.csv_null, "NULL"));
    assert_int_equal(mapping.csv_delimiter, '|');
    assert_string_equal(mapping.baseline_position, "10");
    assert_string_equal(mapping.baseline_time, "2026-01-28T10:00:00Z");
    assert_string_equal(mapping.cut, "20");
    assert_string_equal(mapping.space, "s1");
    assert_int_equal(mapping.space_count, 2);
    assert_int_equal(mapping.compare, SW_COMPARE_VALUE);
    assert_int_equal(mapping.deletes, SW_DELETES_FLAG);
    assert_string_equal(mapping.delete_flag, "gone");
    assert_true(mapping.conflicts_newest);
    assert_int_equal(mapping.absent, SW_ABSENT_NULL);
}

static void options_win_over_the_file_and_its_sections(void **state)
{
    (void)state;
    const char *const keys[] = {"k"}, *const types[] = {"n=int64"}, *const ignore[] = {"y"}, *const renames[] = {"a=c"};
    options.keys = keys, options.key_count = 1;
    options.types = types, options.type_count = 1;
    options.ignore = ignore, options.ignore_count = 1;
    options.renames = renames, options.rename_count = 1;
    options.table = "other";
    options.order = "timestamp";
    options.version = "ts";
    options.deleted = "gone";
    options.identity = "uid";
    options.operation = "action";
    options.csv_null = "";
    options.csv_delimiter = ';';
    options.baseline_position = "1";
    options.cut = "2";
    options.space = "z";
    options.spaces = "y,z";
    options.compare = "state";
    options.expected_deletes = "absent";
    options.conflicts = "any";
    options.absent = "unknown";
    parse("key: [a, b]\ntypes: {n: text, m: text}\nignore: x\nrename: {a: b2, d: e}\ntable: {name: t, path: tab}\norder: {policy: mysql, file: f, pos: p}\n"
          "deleted: del\nidentity: [i, j]\nop: {path: op, upsert: put}\ncsv: {null: N, delimiter: tab}\nbaseline_position: 9\ncut: 9\nspace: q\nspaces: [q, r]\n"
          "compare: value\nexpected_deletes: flag:f\nconflicts: newest\nabsent: null\n"
          "events: {key: [x, y], identity: zz, op: oo, deleted: dd, order: {file: ff}, rename: {a: a9}}\n");
    assert_int_equal(mapping.key_count, 1);
    assert_string_equal(mapping.keys[0], "k");
    path_is(&events()->key[0], "");
    assert_int_equal(rule(SW_ROLE_EVENTS, "n")->type.kind, SW_TYPE_INT64);
    assert_int_equal(rule(SW_ROLE_EVENTS, "m")->type.kind, SW_TYPE_TEXT);
    assert_true(rule(SW_ROLE_EVENTS, "x")->ignored);
    assert_true(rule(SW_ROLE_EVENTS, "y")->ignored);
    assert_string_equal(rule(SW_ROLE_EVENTS, "a")->renamed_to, "c");
    assert_string_equal(rule(SW_ROLE_BASELINE, "d")->renamed_to, "e");
    assert_string_equal(mapping.table, "other");
    path_is(&events()->table, "tab");
    assert_string_equal(mapping.order, "timestamp");
    assert_int_equal(mapping.order_field_count, 1);
    assert_string_equal(mapping.order_field_names[0], "version");
    path_is(&events()->order[0], "ts");
    path_is(&events()->deleted, "gone");
    assert_int_equal(events()->identity_count, 1);
    path_is(&events()->identity[0], "uid");
    path_is(&events()->operation, "action");
    assert_int_equal(operation("put"), SW_OPERATION_UPSERT);
    assert_int_equal(operation("u"), SW_OPERATION_UNKNOWN);
    assert_int_equal(mapping.csv_null.len, 0);
    assert_int_equal(mapping.csv_delimiter, ';');
    assert_string_equal(mapping.baseline_position, "1");
    assert_string_equal(mapping.cut, "2");
    assert_string_equal(mapping.space, "z");
    assert_string_equal(mapping.spaces[0], "y");
    assert_int_equal(mapping.space_count, 2);
    assert_int_equal(mapping.compare, SW_COMPARE_STATE);
    assert_int_equal(mapping.deletes, SW_DELETES_ABSENT);
    assert_null(mapping.delete_flag);
    assert_false(mapping.conflicts_newest);
    assert_int_equal(mapping.absent, SW_ABSENT_UNKNOWN);
}

static void the_order_of_options_and_of_members_does_not_matter(void **state)
{
    (void)state;
    const char *const types[] = {"a=text", "b=decimal", "c=int8"}, *const types_back[] = {"c=int8", "b=decimal", "a=text"};
    const char *const ignore[] = {"x", "y,z"}, *const ignore_back[] = {"z,y", "x"}, *const renames[] = {"p=q", "r=s"}, *const renames_back[] = {"r=s", "p=q"};
    options.types = types, options.type_count = 3;
    options.ignore = ignore, options.ignore_count = 2;
    options.renames = renames, options.rename_count = 2;
    parse("key: id\nconflicts: newest\nrename: {t: u}\nop: op\n");
    char *first = strdup(sw_buffer_text(&mapping.declared));
    options.types = types_back;
    options.ignore = ignore_back;
    options.renames = renames_back;
    parse("op: op\nrename: {t: u}\nconflicts: newest\nkey: id\n");
    declared_is(first);
    free(first);
    declared_is("key id\ntype a text\ntype b decimal\ntype c int8\nignore x\nignore y\nignore z\nrename in baseline p to q\nrename in baseline r to s\n"
                "rename in baseline t to u\nrename in events p to q\nrename in events r to s\nrename in events t to u\nconflicts newest\n");
}

static void wrong_options_are_refused_by_their_name(void **state)
{
    (void)state;
    const char *one[1];
    static const struct {
        size_t list, count; /* offsets of a repeatable option in the struct */
        const char *value, *text;
    } lists[] = {
#define LIST(field, number) offsetof(struct sw_reconcile_options, field), offsetof(struct sw_reconcile_options, number)
        {LIST(keys, key_count), "a,a", "--key: column 'a' stands twice"},
        {LIST(keys, key_count), "a,,b", "--key: expected names with commas between them, found an empty name"},
        {LIST(keys, key_count), "", "--key: expected names with commas between them, found an empty name"},
        {LIST(types, type_count), "amount", "--type: expected COLUMN=TYPE, found 'amount'"},
        {LIST(types, type_count), "=text", "--type: expected COLUMN=TYPE, found '=text'"},
        {LIST(types, type_count), "amount=", "--type: expected COLUMN=TYPE, found 'amount='"},
        {LIST(ignore, ignore_count), "a,", "--ignore: expected names with commas between them, found an empty name"},
        {LIST(renames, rename_count), "a=a", "--rename: column 'a' is renamed to itself"},
        {LIST(renames, rename_count), "a", "--rename: expected OLD=NEW, found 'a'"},
    };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const char *const *list = one;
        size_t count = 1;
        one[0] = lists[i].value;
        sw_reconcile_options_init(&options);
        memcpy((char *)&options + lists[i].list, &list, sizeof list);
        memcpy((char *)&options + lists[i].count, &count, sizeof count);
        refused("", lists[i].text, 0, 0);
    }
    static const struct {
        size_t field;
        const char *value, *text;
    } texts[] = {
#define TEXT(field) offsetof(struct sw_reconcile_options, field)
        {TEXT(version), "", "--version: expected a path such as source.pos, found '': it is empty"},
        {TEXT(version), "a.b.c.d.e.f.g.h.i", "--version: expected a path such as source.pos, found 'a.b.c.d.e.f.g.h.i': it has more than 8 steps"},
        {TEXT(deleted), "a\\x", "--deleted: expected a path such as source.pos, found 'a\\\\x': a backslash stands before something other than a dot or a backslash"},
        {TEXT(operation), ".", "--op: expected a path such as source.pos, found '.': an empty name stands between, before or after the dots"},
        {TEXT(identity), "a,a", "--identity: 'a' stands twice"},
        {TEXT(compare), "stat", "--compare: expected state or value, found 'stat'; did you mean 'state'?"},
        {TEXT(expected_deletes), "gone", "--expected-deletes: expected tombstone, absent, flag:COLUMN or set:COLUMN, found 'gone'"},
        {TEXT(conflicts), "new", "--conflicts: expected any or newest, found 'new'; did you mean 'newest'?"},
        {TEXT(absent), "NULL", "--absent: expected unknown or null, found 'NULL'; did you mean 'null'?"},
        {TEXT(spaces), "a,a", "--spaces: space 'a' stands twice"},
        {TEXT(table), "", "--table: expected a text, found an empty one"},
        {TEXT(order), "", "--order: expected a text, found an empty one"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        sw_reconcile_options_init(&options);
        memcpy((char *)&options + texts[i].field, &texts[i].value, sizeof texts[i].value);
        refused("", texts[i].text, 0, 0);
    }
    sw_reconcile_options_init(&options);
    options.csv_delimiter = '\n';
    refused("", "--csv-delimiter: expected one ASCII character that no number, word or quote holds, or tab, found '\\n'", 0, 0);
}

static void contradictory_options_are_refused(void **state)
{
    (void)state;
    const char *const types[] = {"a=text", "a=decimal"}, *const same[] = {"a=text", "a=text"}, *const renames[] = {"a=b", "a=c"};
    options.types = types, options.type_count = 2;
    refused("", "--type: column 'a' has two types", 0, 0);
    options.types = same;
    parse("");
    assert_int_equal(rule(SW_ROLE_EVENTS, "a")->type.kind, SW_TYPE_TEXT);
    options.type_count = 0;
    options.renames = renames, options.rename_count = 2;
    refused("", "--rename: column 'a' has two new names", 0, 0);
}

static void options_are_initialised_within_their_size_only(void **state)
{
    (void)state;
    struct sw_reconcile_options sized;
    memset(&sized, 0x5a, sizeof sized);
    size_t half = offsetof(struct sw_reconcile_options, cut);
    sw_reconcile_options_init_sized(&sized, half);
    assert_int_equal(sized.struct_size, half);
    assert_null(sized.baseline);
    assert_int_equal(((unsigned char *)&sized)[half], 0x5a);
    sw_reconcile_options_init(&sized);
    assert_int_equal(sized.struct_size, sizeof sized);
    assert_int_equal(sized.listed_differences, 1000);
    assert_null(sized.cut);
    assert_null(sized.progress);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(each_option_declares_what_its_member_declares),
        TEST(options_win_over_the_file_and_its_sections),
        TEST(the_order_of_options_and_of_members_does_not_matter),
        TEST(wrong_options_are_refused_by_their_name),
        TEST(contradictory_options_are_refused),
        TEST(options_are_initialised_within_their_size_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
