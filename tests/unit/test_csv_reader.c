#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "text/csv_reader.h"
#include "text/csv_rule.h"

/* Reads everything and prints it as one text: fields in [] or NULL as ~, records ended by |, blank lines as _, bad records as !. */
static const char *shown_as(const char *text, size_t len, uint32_t columns, const char *null_text, uint8_t delimiter, uint8_t escape)
{
    static char out[4096];
    size_t used = 0;
    struct sw_csv_reader reader;
    assert_true(sw_csv_reader_init(&reader, NULL, delimiter));
    reader.escape = escape;
    reader.column_count = columns;
    reader.null_text = sw_bytes_text(null_text);
    uint8_t *copy = calloc(1, len + 64), *at = copy, *end = copy + len;
    memcpy(copy, text, len);
    uint64_t lines = 0;
    while (at < end) {
        switch (sw_csv_read(&reader, &at, end, &lines)) {
        case SW_CSV_BLANK: out[used++] = '_'; continue;
        case SW_CSV_BAD: out[used++] = '!'; continue;
        case SW_CSV_OK: break;
        }
        for (uint32_t i = 1; i <= reader.token_count; i++) {
            if (reader.tokens[i].kind == SW_TOKEN_NULL) {
                out[used++] = '~';
                continue;
            }
            out[used++] = '[';
            memcpy(out + used, reader.tokens[i].at, reader.tokens[i].len);
            used += reader.tokens[i].len;
            out[used++] = ']';
        }
        out[used++] = '|';
    }
    out[used] = '\0';
    size_t newlines = 0;
    for (size_t i = 0; i < len; i++)
        newlines += text[i] == '\n';
    assert_true(lines == newlines || lines == newlines + 1);
    free(copy);
    sw_csv_reader_free(&reader);
    return out;
}

static const char *shown(const char *text, size_t len, uint32_t columns, const char *null_text) { return shown_as(text, len, columns, null_text, ',', 0); }

#define ESCAPED(text, columns) shown_as(text, sizeof(text) - 1, columns, "\\N", '\t', '\\')
#define SHOWN(text, columns) shown(text, sizeof(text) - 1, columns, "")

static void a_quoted_empty_field_is_text_and_a_bare_one_is_null(void **state)
{
    (void)state; /* O18 */
    assert_string_equal(SHOWN("1,\"\"\n2,\n3,\"NULL\"\n4,NULL\n5,\"a \"\"b\"\", c\"\n", 2), "[1][]|[2]~|[3][NULL]|[4][NULL]|[5][a \"b\", c]|");
    assert_string_equal(shown("1,\"\"\n2,\n3,\"NULL\"\n4,NULL\n", 24, 2, "NULL"), "[1][]|[2][]|[3][NULL]|[4]~|");
}

static void line_ends_are_framing_outside_quotes_and_data_inside(void **state)
{
    (void)state; /* O19 */
    assert_string_equal(SHOWN("1,\"a\nb\"\r\n2,\"c\r\nd\"\r\n", 2), "[1][a\nb]|[2][c\r\nd]|");
    assert_string_equal(SHOWN("1,\"a\nb\"\n2,\"c\nd\"", 2), "[1][a\nb]|[2][c\nd]|");
    assert_string_equal(SHOWN("1,a\r\n\r\n\n2,b\r\n", 2), "[1][a]|__[2][b]|");
    assert_string_equal(SHOWN("a\n\nb\n", 1), "[a]|~|[b]|");
}

static void a_malformed_record_is_bad_and_the_next_one_is_read(void **state)
{
    (void)state;
    assert_string_equal(SHOWN("1,\"a\"x,\"\n\"\n2,b\n", 2), "![2][b]|");
    assert_string_equal(SHOWN("1,a\"b\n2,b\n", 2), "![2][b]|");
    assert_string_equal(SHOWN("1,a,c\n2,b\n", 2), "![2][b]|");
    assert_string_equal(SHOWN("1\n2,b\n", 2), "![2][b]|");
    assert_string_equal(SHOWN("1,\"open\n2,b\n", 2), "!");
    assert_string_equal(SHOWN("1,a\rb\n2,b\n", 2), "![2][b]|");
    assert_string_equal(SHOWN("1,\"a\"\r2\n3,c\n", 2), "![3][c]|");
}

static void text_in_a_quoted_field_of_a_bad_record_never_becomes_a_record(void **state)
{
    (void)state;
    assert_string_equal(SHOWN("9,\"a\"\"\n1,good,x\nz\",c\"d\n2,b,y\n", 3), "![2][b][y]|");
    assert_string_equal(SHOWN("9,\"a\"\"\n1,good,x\nz\",c\rd\n2,b,y\n", 3), "![2][b][y]|");
    assert_string_equal(SHOWN("9,\"a\"\"\n1,good,x\nz\"d,\"e\nf\"\n2,b,y\n", 3), "![2][b][y]|");
    assert_string_equal(SHOWN("9,\"a\"\"\n1,good,x\nz\",\"d\n2,b,y\n", 3), "!");
}

static void with_an_escape_quotes_are_data_and_line_ends_are_escaped(void **state)
{
    (void)state;
    assert_string_equal(ESCAPED("1\ta\\nb\n2\t\\\\N\n3\t\\N\n4\t\n5\tN\n6\t\"q\"\n", 2), "[1][a\nb]|[2][\\N]|[3]~|[4][]|[5][N]|[6][\"q\"]|");
    /* INTO OUTFILE writes the bytes themselves behind the escape, --batch and COPY letters */
    assert_string_equal(ESCAPED("1\ta\\\nb\n2\ta\\\tb\n3\ta\\tb\r\n4\t\\b\\r\\Z\\x\n", 2), "[1][a\nb]|[2][a\tb]|[3][a\tb\r]|[4][\b\r\x1ax]|");
    assert_string_equal(ESCAPED("\\N\t\\Nx\tx\\N\t\\N", 4), "~[Nx][xN]~|");
    assert_string_equal(ESCAPED("1\t2\t3\n\n4\t5\n6\t\\", 2), "!_[4][5]|!");
    assert_string_equal(shown_as("1\tNULL\n2\t\\NULL\n", 14, 2, "NULL", '\t', '\\'), "[1]~|[2][NULL]|");
    assert_string_equal(ESCAPED("1\n\n", 1), "[1]|[]|");
}

/* Blocks are cut by csv_rule.h: a record that ended elsewhere for the reader would depend on the block size. */
static void every_record_ends_where_the_rule_says_good_or_bad(void **state)
{
    (void)state;
    static const char letters[] = "ab,\"\"\n\r\\";
    uint32_t noise = 3;
    struct sw_csv_reader reader;
    assert_true(sw_csv_reader_init(&reader, NULL, ','));
    for (unsigned round = 0; round < 30000; round++) {
        uint8_t text[40 + 64], copy[40];
        size_t len = 1 + (noise >> 8) % 40;
        for (size_t i = 0; i < len; i++)
            copy[i] = (uint8_t)letters[((noise = noise * 1664525 + 1013904223) >> 8) % (sizeof letters - 1)];
        memset(text, '"', sizeof text);
        memcpy(text, copy, len);
        reader.column_count = round % 4;
        reader.escape = round & 4 ? '\\' : 0;
        uint8_t *at = text, *end = text + len;
        uint64_t lines = 0, newlines = 0;
        for (size_t expected = 0; at < end;) {
            enum sw_csv_place place = SW_CSV_FIELD_BEGIN;
            bool ended = false;
            while (expected < len && !ended) {
                newlines += copy[expected] == '\n';
                ended = reader.escape ? sw_csv_step_escaped(&place, copy[expected++], '\\', ',') : sw_csv_step(&place, copy[expected++], '"', ',');
            }
            (void)sw_csv_read(&reader, &at, end, &lines);
            assert_int_equal(at - text, expected);
            assert_true(lines == newlines || (at == end && lines == newlines + 1));
        }
    }
    sw_csv_reader_free(&reader);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quoted_empty_field_is_text_and_a_bare_one_is_null),
        cmocka_unit_test(line_ends_are_framing_outside_quotes_and_data_inside),
        cmocka_unit_test(a_malformed_record_is_bad_and_the_next_one_is_read),
        cmocka_unit_test(text_in_a_quoted_field_of_a_bad_record_never_becomes_a_record),
        cmocka_unit_test(with_an_escape_quotes_are_data_and_line_ends_are_escaped),
        cmocka_unit_test(every_record_ends_where_the_rule_says_good_or_bad),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
