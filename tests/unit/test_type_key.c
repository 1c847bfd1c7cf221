#include "value_testing.h"

#include "model/value_any.h"

struct column {
    const char *type, *json;
};

/* The key of some columns, each given with its type. */
static void make_key(struct sw_buffer *key, const struct column *columns, size_t count)
{
    struct sw_buffer canonical = {0};
    sw_buffer_clear(key);
    for (size_t i = 0; i < count; i++) {
        struct sw_type type = type_of(columns[i].type);
        enum sw_value_status status = encode_json(&canonical, columns[i].type, sw_bytes_text(columns[i].json));
        assert_true(status == SW_VALUE_OK || status == SW_VALUE_NULL);
        size_t from = key->len;
        sw_key_column_add(key, &type, status == SW_VALUE_NULL, sw_buffer_view(&canonical));
        if (i == count - 1)
            sw_key_end(key, &type, from);
    }
    sw_buffer_free(&canonical);
}

static void assert_keys_ascend(const char *first_type, const char *second_type, const char *const (*keys)[2], size_t count)
{
    struct sw_buffer a = {0}, b = {0};
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            make_key(&a, (struct column[]){{first_type, keys[i][0]}, {second_type, keys[i][1]}}, 2);
            make_key(&b, (struct column[]){{first_type, keys[j][0]}, {second_type, keys[j][1]}}, 2);
            int order = sw_bytes_compare(sw_buffer_view(&a), sw_buffer_view(&b));
            if ((order > 0) - (order < 0) != (i > j) - (i < j))
                fail_msg("(%s, %s) against (%s, %s) under %s and %s: %d", keys[i][0], keys[i][1], keys[j][0], keys[j][1], first_type, second_type, order);
        }
    sw_buffer_free(&a);
    sw_buffer_free(&b);
}

static void composite_keys_are_ordered_column_by_column(void **state)
{
    (void)state;
    /* O16 among them */
    static const char *const texts[][2] = {
        {"null", "null"}, {"null", "\"\""}, {"null", "\"z\""}, {"\"\"", "null"}, {"\"\"", "\"k\""}, {"\"\\u0000\"", "\"\""}, {"\"\\u0000\"", "\"\\u0000\""}, {"\"1\"", "\"11\""}, {"\"11\"", "\"1\""},
        {"\"a\"", "\"\\u0000\""}, {"\"a\\u0000\"", "\"\""}, {"\"a\\u0000\\u0000\"", "\"\""}, {"\"k\"", "\"\""}, {"\"x\"", "\"y|z\""}, {"\"x|y\"", "\"z\""},
    };
    assert_keys_ascend("text", "text", texts, COUNT(texts));
    assert_keys_ascend("any", "any", texts, COUNT(texts));
    assert_keys_ascend("any", "text", texts, COUNT(texts));
    assert_keys_ascend("text", "any", texts, COUNT(texts));
    static const char *const numbers[][2] = {
        {"null", "null"}, {"null", "-5"}, {"-10", "9"}, {"-9", "-1"}, {"-1", "null"}, {"-1", "0"}, {"0", "-100"}, {"0", "100"}, {"1", "0"}, {"1", "1"}, {"9", "127"}, {"10", "-128"}, {"100", "0"},
    };
    static const char *const kinds[] = {"any", "integer", "decimal", "int8", "int16", "int32", "int64", "float32", "float64", "json"};
    for (size_t i = 0; i < COUNT(kinds); i++)
        for (size_t j = 0; j < COUNT(kinds); j++)
            assert_keys_ascend(kinds[i], kinds[j], numbers, COUNT(numbers));
    static const char *const mixed[][2] = {
        {"\"2026-01-01\"", "\"\""}, {"\"2026-01-01\"", "\"00\""}, {"\"2026-01-01\"", "\"0000\""}, {"\"2026-01-01\"", "\"01\""}, {"\"2026-01-02\"", "null"},
    };
    assert_keys_ascend("date", "bytes", mixed, COUNT(mixed));
    assert_keys_ascend("timestamp", "bytes", mixed, COUNT(mixed));
    assert_keys_ascend("timestamptz", "text", mixed, COUNT(mixed));
}

static void a_key_of_any_is_its_canonical_bytes(void **state)
{
    (void)state;
    struct sw_buffer key = {0};
    uint8_t raw[SW_ANY_TEXT_MAX(5) + SW_ANY_INTEGER_MAX];
    size_t len = sw_any_text_encode(raw, sw_bytes_of("a\0b", 3));
    len += sw_any_integer_encode(raw + len, sw_bytes_text("-120"));
    make_key(&key, (struct column[]){{"any", "\"a\\u0000b\""}, {"any", "-120"}}, 2);
    assert_true(sw_bytes_equal(sw_buffer_view(&key), sw_bytes_of(raw, len)));
    make_key(&key, (struct column[]){{"json", "\"\\\"a\\\\u0000b\\\"\""}, {"decimal", "-1.2e2"}}, 2);
    assert_true(sw_bytes_equal(sw_buffer_view(&key), sw_bytes_of(raw, len)));
    sw_buffer_free(&key);
}

static void columns_are_read_back_one_by_one(void **state)
{
    (void)state;
    static const struct column columns[] = {
        {"text", "\"a\\u0000\\u0000b\""}, {"any", "\"a\\u0000b\""}, {"any", "{\"x\":[1,{\"y\":null}],\"\":\"\\u0000\"}"}, {"int32", "null"}, {"int16", "-2"}, {"decimal", "-123456789012345678901234567890.5"}, {"bytes", "\"0000ff00\""},
        {"json", "[[],{},[null]]"}, {"timestamptz", "\"2026-01-28T12:55:05.094Z\""}, {"text", "\"\""}, {"uuid", "\"b68a35a7-17ad-35b3-af2a-ae46edb4545a\""}, {"any", "null"}, {"integer", "1e999999"},
        {"float64", "-1.5"}, {"boolean", "true"}, {"array", "[1]"}, {"date", "\"infinity\""}, {"decimal", "\"NaN\""},
    };
    struct sw_buffer key = {0}, out = {0}, canonical = {0};
    make_key(&key, columns, COUNT(columns));
    struct sw_bytes rest = sw_buffer_view(&key);
    for (size_t i = 0; i < COUNT(columns); i++) {
        struct sw_type type = type_of(columns[i].type);
        enum sw_value_status expected = encode_json(&canonical, columns[i].type, sw_bytes_text(columns[i].json));
        sw_buffer_clear(&out);
        assert_int_equal(sw_key_column_read(&out, &type, &rest), expected);
        assert_true(sw_bytes_equal(sw_buffer_view(&out), sw_buffer_view(&canonical)));
    }
    assert_int_equal(rest.len, 0);
    for (size_t count = 1; count <= COUNT(columns); count++) { /* each of them as the last one, texts without their ends */
        make_key(&key, columns, count);
        rest = sw_buffer_view(&key);
        for (size_t i = 0; i < count; i++) {
            struct sw_type type = type_of(columns[i].type);
            enum sw_value_status expected = encode_json(&canonical, columns[i].type, sw_bytes_text(columns[i].json));
            sw_buffer_clear(&out);
            assert_int_equal(sw_key_column_read(&out, &type, &rest), expected);
            assert_true(sw_bytes_equal(sw_buffer_view(&out), sw_buffer_view(&canonical)));
        }
        assert_int_equal(rest.len, 0);
    }
    struct sw_type type = type_of("text");
    assert_int_equal(sw_key_column_read(&out, &type, &rest), SW_VALUE_INVALID);
    sw_buffer_free(&key);
    sw_buffer_free(&out);
    sw_buffer_free(&canonical);
}

static void malformed_keys_are_refused_and_left_alone(void **state)
{
    (void)state;
    static const struct { const char *type, *bytes; size_t len; } cases[] = {
        {"text", "\x02" "a\0\0", 4}, {"text", "\x01" "a\0\x01", 4}, {"text", "\x01" "a\0\x01\0\0", 6}, {"text", "\x01" "a\0", 3}, {"any", "\x90" "a\0", 3}, {"int32", "\x01\x80\0\0", 4}, {"int32", "\x02\x80\0\0\0", 5},
        {"any", "\x03", 1}, {"any", "\xa0", 1}, {"any", "\xa0\xa0\0", 3}, {"any", "\x59", 1}, {"any", "\x59\x05", 2}, {"any", "\x59\xfe", 2}, {"any", "\x78\x80\0", 3}, {"any", "\x90" "a\0\x02\0\0", 6},
        {"any", "\xb0\x90" "a\0\0", 5}, {"any", "\x14", 1}, {"any", "\x71\x02", 2}, {"any", "\x4f\x02", 2}, {"decimal", "\x7d", 1},
    };
    struct sw_buffer out = {0};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sw_type type = type_of(cases[i].type);
        struct sw_bytes key = sw_bytes_of(cases[i].bytes, cases[i].len);
        if (sw_key_column_read(&out, &type, &key) != SW_VALUE_INVALID)
            fail_msg("case %zu was read", i);
        assert_int_equal(key.len, cases[i].len);
        assert_int_equal(out.len, 0);
    }
    sw_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(composite_keys_are_ordered_column_by_column),
        cmocka_unit_test(a_key_of_any_is_its_canonical_bytes),
        cmocka_unit_test(columns_are_read_back_one_by_one),
        cmocka_unit_test(malformed_keys_are_refused_and_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
