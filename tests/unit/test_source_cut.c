#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "source/file/cut.h"
#include "source/file/tell.h"

enum { LONGEST = 700 };

/* Bytes that matter to a framing, so that random texts are full of them. */
static const char *const letters[] = {
    [SW_FRAMING_LINES] = "a\n\r",
    [SW_FRAMING_CSV] = "a,\"\"\n\r;\\",
    [SW_FRAMING_ARRAY] = "1,\"{}[]\\\n {[",
    [SW_FRAMING_VALUES] = "1,\"{}[]\\\n\n ",
};

static uint32_t noise(uint32_t *seed) { return (*seed = *seed * 1664525 + 1013904223) >> 8; }

/* The rules of source/source.h byte by byte, rewriting included. Gives the last record end. */
static size_t cut_slowly(struct sw_cut *cut, uint8_t *at, size_t len)
{
    bool array = cut->framing == SW_FRAMING_ARRAY, json = array || cut->framing == SW_FRAMING_VALUES;
    size_t end = 0;
    for (size_t i = 0; i < len && !cut->closed; i++) {
        bool ends = sw_cut_byte(cut, at[i]), blank = true;
        for (size_t j = end; j < i; j++)
            blank &= memchr(" \t\r\n", at[j], 4) != NULL;
        if (cut->closed)
            cut->after_array = i + 1;
        if (ends && array && blank) {
            if (cut->closed && cut->records)
                end = i + 1;
        } else if (ends) {
            at[i] = '\n';
            end = i + 1;
            cut->records += json;
        } else if (at[i] == '\n' && json)
            at[i] = cut->in_string ? '\r' : ' ';
    }
    return end;
}

static void masks_find_what_the_rules_say_byte_by_byte(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (unsigned round = 0; round < 60000; round++) {
        enum sw_framing framing = (enum sw_framing)(round % 4);
        uint8_t fast[LONGEST + SW_BLOCK_PADDING], slow[LONGEST];
        memset(fast, '"', sizeof fast); /* what stands in the padding must not matter */
        size_t len = noise(&seed) % (round % 50 ? 150 : LONGEST);
        unsigned plain = noise(&seed) % 3 * 10;
        for (size_t i = 0; i < len; i++)
            fast[i] = plain && noise(&seed) % plain ? 'x' : (uint8_t)letters[framing][noise(&seed) % strlen(letters[framing])];
        memcpy(slow, fast, len);
        struct sw_cut one, two;
        sw_cut_begin(&one, framing, '"', ',');
        sw_cut_begin(&two, framing, '"', ',');
        one.escape = two.escape = round & 4 ? '\\' : 0;
        size_t expected = cut_slowly(&two, slow, len), from = 0, end = 0;
        /* looked at in pieces, as a block grows; after the end is found, nothing more is looked at */
        while (from < len && !end && !one.closed) {
            size_t to = from + 1 + noise(&seed) % (len - from);
            end = sw_cut_scan(&one, fast, from, to, false);
            from = to;
        }
        while (from < len && !one.closed) {
            size_t more = sw_cut_scan(&one, fast + end, from - end, len - end, false);
            end += more;
            from = len;
        }
        if (one.closed) {
            assert_true(two.closed);
            assert_int_equal(fast[end ? end - 1 : 0], slow[expected ? expected - 1 : 0]);
        }
        assert_int_equal(end, expected);
        assert_memory_equal(fast, slow, one.closed ? expected : len);
        assert_int_equal(one.records, two.records);
        assert_int_equal(one.closed, two.closed);
        if (!one.closed) {
            assert_int_equal(sw_cut_unfinished(&one), sw_cut_unfinished(&two));
            if (framing == SW_FRAMING_CSV)
                assert_int_equal(one.place, two.place);
            assert_int_equal(one.depth, two.depth);
            assert_int_equal(one.in_string, two.in_string);
            assert_int_equal(one.escaped, two.escaped);
        }
    }
}

static void the_first_end_is_found_from_anywhere_in_a_record(void **state)
{
    (void)state;
    uint32_t seed = 11;
    for (unsigned round = 0; round < 40000; round++) {
        enum sw_framing framing = (enum sw_framing)(round % 4);
        uint8_t fast[LONGEST + SW_BLOCK_PADDING] = {0};
        size_t len = 1 + noise(&seed) % 200;
        for (size_t i = 0; i < len; i++)
            fast[i] = (uint8_t)letters[framing][noise(&seed) % strlen(letters[framing])];
        struct sw_cut one, two;
        sw_cut_begin(&one, framing, '"', ',');
        sw_cut_begin(&two, framing, '"', ',');
        one.escape = two.escape = round & 4 ? '\\' : 0;
        size_t expected = 0;
        for (size_t i = 0; i < len && !expected; i++)
            expected = sw_cut_byte(&two, fast[i]) ? i + 1 : 0;
        size_t end = 0, from = 0;
        while (!end && from < len) {
            size_t to = from + 1 + noise(&seed) % (len - from);
            end = sw_cut_scan(&one, fast, from, to, true);
            from = to;
        }
        assert_int_equal(end, expected);
        if (end) { /* and the next record begins afresh */
            assert_false(!one.closed && framing != SW_FRAMING_ARRAY && sw_cut_unfinished(&one));
            assert_int_equal(one.depth, 0);
        }
    }
}

static enum sw_framing told(const char *head)
{
    size_t start;
    return sw_tell_framing(&start, sw_bytes_text(head), "a.json");
}

static void the_framing_is_told_by_the_first_value(void **state)
{
    (void)state;
    size_t start;
    assert_int_equal(sw_tell_framing(&start, SW_BYTES_LITERAL(" \r\n\t[1]"), "a.ndjson"), SW_FRAMING_ARRAY);
    assert_int_equal(start, 5);
    assert_int_equal(told(""), SW_FRAMING_LINES);
    assert_int_equal(told("id,name\n"), SW_FRAMING_LINES);
    assert_int_equal(told("{\"a\":1}\n{\"a\":2}\n"), SW_FRAMING_LINES);
    assert_int_equal(told("{\n  \"a\": 1\n}\n{"), SW_FRAMING_VALUES);
    assert_int_equal(told("{\r\n\t\"a\": [\r\n"), SW_FRAMING_VALUES);
    assert_int_equal(told("{\"a\": {\"b\": 1,\n\"c\": 2}}"), SW_FRAMING_VALUES);
    assert_int_equal(told("{\"a\": \"{\"}\n{\"a\":2}\n"), SW_FRAMING_LINES);
    assert_int_equal(told("{\"a\": \"\\\"{\"}\n  {\"a\":2}\n"), SW_FRAMING_LINES);
}

static void a_torn_first_line_does_not_make_lines_into_values(void **state)
{
    (void)state;
    assert_int_equal(told("{\"a\":1,\n{\"a\":2}\n{\"a\":3}\n"), SW_FRAMING_LINES);
    assert_int_equal(told("{\"a\":\"x\n{\"a\":2}\n{\"a\":3}\n"), SW_FRAMING_LINES);
    assert_int_equal(told("{"), SW_FRAMING_LINES);
    assert_int_equal(told("{\"a"), SW_FRAMING_LINES);
    assert_int_equal(told("{\"a\\"), SW_FRAMING_LINES);
}

static void csv_is_told_by_the_name_also_of_compressed_files(void **state)
{
    (void)state;
    static const char *const yes[] = {"a.csv", "dir/A.CSV", "a.csv.gz", "a.csv.zst", "a.Csv.LZ4", "a.tsv", "a.TSV.gz"};
    static const char *const no[] = {"", "-", "csv", ".csv", "a.csvx", "a.csv.bz2", "a.csv.json", "a.gz", "acsv.gz"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(sw_tell_csv_name(yes[i]));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(sw_tell_csv_name(no[i]));
}

static void a_header_of_csv_is_no_record_in_json(void **state)
{
    (void)state;
    static const char *const yes[] = {"id", "id,v\n1,2\n", "\n id;v\r\n1;{\"a\":1}", "id,v\n1,\"{\n{\"\"a\"\":1}\n}\"\n", "\"id\",\"v\"\n", "id\tv\n", "null,a\n"};
    static const char *const no[] = {"", "\n", "{\"a\":1}", "[1]", "null\n{\"a\":1}", "true", "12\n", "-1", "\"id\"\n", "\"\"", "\"", "x{\"id\":1}\n{\"id\":2}\n", ",\"b\":1}\n",
                                      " data \n------\n {\"a\":1}\n(1 row)\n", "\\set VERBOSITY terse\nCREATE TABLE t (a int, b int);\n {\"a\":1} \n"};
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(sw_tell_csv_header(sw_bytes_text(yes[i])));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(sw_tell_csv_header(sw_bytes_text(no[i])));
    assert_true(sw_tell_json_name("a.ndjson.gz") && sw_tell_json_name("A.JSON") && sw_tell_json_name("b.jsonl"));
    assert_false(sw_tell_json_name("-") || sw_tell_json_name("json") || sw_tell_json_name("a.json.txt"));
}

static size_t comment(const char *text) { return sw_tell_comment(sw_bytes_text(text)); }

static void a_comment_is_one_only_where_a_json_value_follows(void **state)
{
    (void)state;
    assert_int_equal(comment("/* a\n * b */\n\n{\"a\":1}\n"), 12);
    assert_int_equal(comment("\n# a\n// b\n{\"a\":1}\n"), 10);
    assert_int_equal(comment("/* a */ [1]"), 7);
    assert_int_equal(comment("/*/ a */{}"), 8);
    static const char *const none[] = {"", "{\"a\":1}\n# b\n", "  {\"a\":\"/*\"}", "/* a", "/* a {\"a\":1}", "# a", "# a\nid,name\n1,2\n", "/", "/* a */", "/*/", "/ {}", "#{}"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(comment(none[i]), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_comment_is_one_only_where_a_json_value_follows),
        cmocka_unit_test(a_header_of_csv_is_no_record_in_json),
        cmocka_unit_test(masks_find_what_the_rules_say_byte_by_byte),
        cmocka_unit_test(the_first_end_is_found_from_anywhere_in_a_record),
        cmocka_unit_test(the_framing_is_told_by_the_first_value),
        cmocka_unit_test(a_torn_first_line_does_not_make_lines_into_values),
        cmocka_unit_test(csv_is_told_by_the_name_also_of_compressed_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
