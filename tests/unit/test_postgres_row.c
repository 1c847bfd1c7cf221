/* Rows of a binary COPY, written here as a server writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "source/postgres/postgres.h"

static void put16(struct sw_buffer *out, int value)
{
    const uint8_t bytes[2] = {(uint8_t)(value >> 8), (uint8_t)value};
    sw_buffer_add(out, bytes, sizeof bytes);
}

/* What numeric_send makes of a number that is written with `scale` digits behind the point; `digits` without sign and point. */
static void put_numeric(struct sw_buffer *out, const char *digits, int scale, bool negative)
{
    char padded[96];
    int len = (int)strlen(digits), before = len - scale, front = ((before % 4) + 4) % 4 ? 4 - ((before % 4) + 4) % 4 : 0;
    int count = snprintf(padded, sizeof padded, "%.*s%s%.*s", front, "000", digits, (4 - (front + len) % 4) % 4, "000") / 4;
    int groups[24], first = 0, weight = (before + front) / 4 - 1;
    for (int i = 0; i < count; i++)
        groups[i] = (padded[4 * i] - '0') * 1000 + (padded[4 * i + 1] - '0') * 100 + (padded[4 * i + 2] - '0') * 10 + padded[4 * i + 3] - '0';
    while (count && groups[count - 1] == 0)
        count--;
    while (first < count && groups[first] == 0)
        first++, weight--;
    put16(out, count - first);
    put16(out, count == first ? 0 : weight);
    put16(out, negative && count > first ? 0x4000 : 0);
    put16(out, scale);
    for (int i = first; i < count; i++)
        put16(out, groups[i]);
}

/* The text of a numeric as it comes out of a row. */
static void read_numeric(struct sw_buffer *out, struct sw_bytes value)
{
    char name[] = "v", *names[] = {name};
    uint8_t decoder = SW_POSTGRES_NUMERIC;
    struct sw_postgres_shape shape = {.columns = {.count = 1, .names = names}, .decoders = &decoder};
    struct sw_postgres_copying copying = {.begun = true};
    struct sw_buffer row = {0};
    struct sw_block block = {0};
    struct sw_row_cursor cursor = {0};
    struct sw_token tokens[2];
    struct sw_error error = {0};
    put16(&row, 1);
    put16(&row, 0);
    put16(&row, (int)value.len);
    sw_buffer_add_bytes(&row, value);
    assert_int_equal(sw_postgres_take_chunk(&block, &copying, sw_buffer_view(&row), 1, 4096, NULL, &error), SW_OK);
    assert_int_equal(sw_row_cursor_begin(&cursor, &block, &shape.columns, &error), SW_OK);
    assert_true(sw_postgres_row_next(tokens, &cursor, &shape));
    struct sw_token said = sw_value_spell(out, tokens[1]);
    if (said.at != out->at)
        sw_buffer_add(out, said.at, said.len);
    sw_row_cursor_free(&cursor);
    sw_block_free(&block);
    sw_buffer_free(&row);
}

static void assert_numeric(const char *expected)
{
    char digits[64];
    size_t count = 0;
    const char *point = strchr(expected, '.');
    struct sw_buffer value = {0}, text = {0};
    for (const char *at = expected; *at; at++)
        if (*at >= '0' && *at <= '9')
            digits[count++] = *at;
    digits[count] = '\0';
    put_numeric(&value, digits, point ? (int)strlen(point + 1) : 0, *expected == '-');
    read_numeric(&text, sw_buffer_view(&value));
    assert_string_equal(sw_buffer_text(&text), expected);
    sw_buffer_free(&value);
    sw_buffer_free(&text);
}

static void a_numeric_is_spelled_as_the_server_spells_it(void **state)
{
    static const char *const numbers[] = {"0", "1", "-1", "10", "9999", "10000", "12345678", "1.5", "1.50", "-0.005", "0.0001", "0.00001", "10000.0001", "123456789012.3456", "9999999999999999",
                                          "99999999999999999", "123456789012345678901234567890.123456789", "0.000000000000000001", "0.0000000000000000000001", "100000000000000000000"};
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_numeric(numbers[i]);
}

static void every_short_numeric_keeps_its_digits_and_its_point(void **state)
{
    uint64_t seed = 7;
    (void)state;
    for (int round = 0; round < 20000; round++) {
        char text[64], digits[32];
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)((seed >> 4 | 1) >> (seed >> 58))), scale = (int)(seed >> 33 & 15);
        if (scale >= len)
            snprintf(text, sizeof text, "0.%.*s%s", scale - len, "000000000000000000", digits);
        else
            snprintf(text, sizeof text, "%.*s%s%s", len - scale, digits, scale ? "." : "", digits + len - scale);
        if (strcmp(digits, "0") != 0) /* a zero has no digits in this form, and is told as 0 */
            assert_numeric(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_numeric_is_spelled_as_the_server_spells_it),
        cmocka_unit_test(every_short_numeric_keeps_its_digits_and_its_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
