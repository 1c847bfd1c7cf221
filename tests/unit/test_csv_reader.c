#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "text/csv_reader.h"

/* Reads everything and prints it as one text: fields in [] or NULL as ~, records ended by |, blank lines as _, bad records as !. */
static const char *shown(const char *text, size_t len, uint32_t columns, const char *null_text)
{
    static char out[4096];
    size_t used = 0;
    struct sw_csv_reader reader;
    assert_true(sw_csv_reader_init(&reader, NULL, ','));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_quoted_empty_field_is_text_and_a_bare_one_is_null),
        cmocka_unit_test(line_ends_are_framing_outside_quotes_and_data_inside),
        cmocka_unit_test(a_malformed_record_is_bad_and_the_next_one_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
