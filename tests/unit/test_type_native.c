#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "model/type.h"

/* What a token becomes under a type, as JSON; "null", or "invalid". */
static const char *encoded(const char *type_text, struct sw_token token)
{
    static char result[256];
    struct sw_type type;
    struct sw_error error = {0};
    struct sw_buffer canonical = {0}, text = {0};
    struct sw_value_scratch scratch = {0};
    assert_int_equal(sw_type_parse(&type, sw_bytes_text(type_text), &error), SW_OK);
    enum sw_value_status status = sw_value_encode(&canonical, &type, token, &scratch);
    snprintf(result, sizeof result, "%s", status == SW_VALUE_NULL ? "null" : scratch.problem);
    if (status == SW_VALUE_OK) {
        sw_value_write_json(&text, &type, sw_buffer_view(&canonical));
        snprintf(result, sizeof result, "%s", sw_buffer_text(&text));
    }
    sw_value_scratch_free(&scratch);
    sw_buffer_free(&canonical);
    sw_buffer_free(&text);
    return result;
}

static struct sw_token integer(enum sw_token_kind kind, int64_t value)
{
    static int64_t slot;
    slot = value;
    return (struct sw_token){(const uint8_t *)&slot, sizeof slot, (uint8_t)kind, false};
}

static struct sw_token real(double value)
{
    static double slot;
    slot = value;
    return (struct sw_token){(const uint8_t *)&slot, sizeof slot, SW_TOKEN_FLOAT64, false};
}

static struct sw_token single(float value)
{
    static float slot;
    slot = value;
    return (struct sw_token){(const uint8_t *)&slot, sizeof slot, SW_TOKEN_FLOAT32, false};
}

static struct sw_token bytes(enum sw_token_kind kind, const void *at, uint32_t len) { return (struct sw_token){at, len, (uint8_t)kind, false}; }

static void a_native_integer_is_what_the_same_number_in_a_record_is(void **state)
{
    (void)state;
    assert_string_equal(encoded("any", integer(SW_TOKEN_INT64, -42)), "-42");
    assert_string_equal(encoded("integer", integer(SW_TOKEN_INT64, INT64_MIN)), "-9223372036854775808");
    assert_string_equal(encoded("uint64", integer(SW_TOKEN_UINT64, -1)), "18446744073709551615");
    assert_string_equal(encoded("decimal", integer(SW_TOKEN_INT64, 100)), "100");
    assert_string_equal(encoded("boolean", integer(SW_TOKEN_INT64, 1)), "true");
    assert_string_equal(encoded("text", integer(SW_TOKEN_INT64, 7)), "\"7\"");
    assert_string_equal(encoded("int8", integer(SW_TOKEN_INT64, 128)), "expected int8 (-128 to 127), found the number 128");
    assert_string_equal(encoded("timestamp unit=s", integer(SW_TOKEN_INT64, 86400)), "\"1970-01-02T00:00:00\"");
}

static struct sw_token decimal(int64_t digits, int64_t scale)
{
    static int64_t slot[2];
    slot[0] = digits;
    slot[1] = scale;
    return (struct sw_token){(const uint8_t *)slot, sizeof slot, SW_TOKEN_DECIMAL, false};
}

static void a_native_decimal_is_what_the_same_number_in_a_record_is(void **state)
{
    (void)state;
    assert_string_equal(encoded("decimal", decimal(150, 2)), "1.5");
    assert_string_equal(encoded("text", decimal(150, 2)), "\"1.50\"");
    assert_string_equal(encoded("text", decimal(-5, 3)), "\"-0.005\"");
    assert_string_equal(encoded("text", decimal(0, 2)), "\"0.00\"");
    assert_string_equal(encoded("any", decimal(-1, 18)), "-0.000000000000000001");
    assert_string_equal(encoded("json", decimal(999999999999999999, 1)), "99999999999999999.9");
    assert_string_equal(encoded("integer", decimal(1200, 2)), "12");
    assert_non_null(strstr(encoded("integer", decimal(1201, 2)), "12.01"));
    assert_string_equal(encoded("float64", decimal(25, 1)), "2.5");
}

/* Whatever the type, a native number has the bytes that its text has. */
static void native_numbers_and_their_texts_have_the_same_bytes(void **state)
{
    static const enum sw_type_kind kinds[] = {SW_TYPE_ANY, SW_TYPE_JSON, SW_TYPE_INTEGER, SW_TYPE_DECIMAL, SW_TYPE_TEXT, SW_TYPE_INT64, SW_TYPE_FLOAT64};
    struct sw_buffer native = {0}, spelled = {0}, text = {0};
    struct sw_value_scratch scratch = {0};
    uint64_t seed = 1;
    (void)state;
    for (int round = 0; round < 200000; round++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        int64_t value = (int64_t)(seed ^ seed >> 29) >> (seed >> 58);
        if (round & 1)
            value = value / 1000 * 1000; /* zeros at the end */
        struct sw_token tokens[] = {decimal(value % INT64_C(1000000000000000000), (int64_t)(seed >> 40) % 19), integer(SW_TOKEN_INT64, value), integer(SW_TOKEN_UINT64, value)};
        for (size_t i = 0; i < 3; i++)
            for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
                const struct sw_type type = {.kind = kinds[kind], .precision = -1};
                native.len = spelled.len = text.len = 0;
                enum sw_value_status one = sw_value_encode(&native, &type, tokens[i], &scratch), other = sw_value_encode(&spelled, &type, sw_value_spell(&text, tokens[i]), &scratch);
                assert_int_equal(one, other);
                assert_int_equal(native.len, spelled.len);
                if (native.len)
                    assert_memory_equal(native.at, spelled.at, native.len);
            }
    }
    sw_buffer_free(&native);
    sw_buffer_free(&spelled);
    sw_buffer_free(&text);
    sw_value_scratch_free(&scratch);
}

static void native_floats_are_exact_and_keep_their_special_values(void **state)
{
    (void)state;
    assert_string_equal(encoded("float64", real(0.1)), "0.1");
    assert_string_equal(encoded("float64", real(-0.0)), "0");
    assert_string_equal(encoded("float64", real((double)NAN)), "\"NaN\"");
    assert_string_equal(encoded("float64", real(-(double)INFINITY)), "\"-Infinity\"");
    assert_string_equal(encoded("float32", single(0.1f)), "0.1");
    assert_string_equal(encoded("any", real(1e21)), "1000000000000000000000");
    assert_string_equal(encoded("any", single(0.1f)), "0.1");
    assert_string_equal(encoded("decimal", real((double)NAN)), "\"NaN\"");
    assert_string_equal(encoded("decimal", real(2.5)), "2.5");
}

static void native_times_are_what_the_same_times_as_text_are(void **state)
{
    (void)state;
    assert_string_equal(encoded("date", integer(SW_TOKEN_DATE, -1)), "\"1969-12-31\"");
    assert_string_equal(encoded("date", integer(SW_TOKEN_DATE, INT64_MAX)), "\"infinity\"");
    assert_string_equal(encoded("timestamp", integer(SW_TOKEN_TIMESTAMP, -1)), "\"1969-12-31T23:59:59.999999\"");
    assert_string_equal(encoded("timestamptz", integer(SW_TOKEN_TIMESTAMPTZ, 1500000)), "\"1970-01-01T00:00:01.5Z\"");
    assert_string_equal(encoded("timestamptz", integer(SW_TOKEN_TIMESTAMPTZ, INT64_MIN)), "\"-infinity\"");
    assert_string_equal(encoded("timestamptz zone=+08:00", integer(SW_TOKEN_TIMESTAMP, 0)), "\"1969-12-31T16:00:00Z\"");
    assert_string_equal(encoded("timestamp zone=+08:00", integer(SW_TOKEN_TIMESTAMPTZ, 0)), "\"1970-01-01T08:00:00\"");
    assert_string_equal(encoded("time", integer(SW_TOKEN_TIME, 86399999999)), "\"23:59:59.999999\"");
    assert_string_equal(encoded("text", integer(SW_TOKEN_TIMESTAMP, 0)), "\"1970-01-01T00:00:00.000000\"");
    assert_string_equal(encoded("text", integer(SW_TOKEN_DATE, -719529)), "\"-0001-12-31\"");
    assert_string_equal(encoded("timestamp(0)", integer(SW_TOKEN_TIMESTAMP, 1999999)), "\"1970-01-01T00:00:01\"");
    assert_string_equal(encoded("timestamp", integer(SW_TOKEN_DATE, 1)), "\"1970-01-02T00:00:00\"");
}

static void times_outside_of_every_calendar_are_refused(void **state)
{
    (void)state;
    assert_non_null(strstr(encoded("timestamp", integer(SW_TOKEN_TIMESTAMP, INT64_MIN + 1)), "expected"));
    assert_non_null(strstr(encoded("date", integer(SW_TOKEN_DATE, INT64_MAX - 1)), "expected"));
    assert_non_null(strstr(encoded("date", integer(SW_TOKEN_DATE, INT64_MIN + 1)), "expected"));
    assert_string_equal(encoded("time", integer(SW_TOKEN_TIME, -1)), "\"-00:00:00.000001\"");
    assert_non_null(strstr(encoded("time", integer(SW_TOKEN_TIME, INT64_C(839) * 3600 * 1000000)), "expected"));
    assert_non_null(strstr(encoded("time", integer(SW_TOKEN_TIME, INT64_MIN)), "expected"));
}

static void bytes_are_bytes_and_never_text(void **state)
{
    (void)state;
    assert_string_equal(encoded("bytes", bytes(SW_TOKEN_BYTES, "\0\xff", 2)), "\"00ff\"");
    assert_string_equal(encoded("bytes base64", bytes(SW_TOKEN_BYTES, "\0\xff", 2)), "\"AP8=\"");
    assert_string_equal(encoded("text", bytes(SW_TOKEN_BYTES, "ab", 2)), "expected text (--type COLUMN=bytes compares bytes), found 2 bytes");
    assert_non_null(strstr(encoded("any", bytes(SW_TOKEN_BYTES, "ab", 2)), "bytes"));
    assert_string_equal(encoded("uuid", bytes(SW_TOKEN_UUID, "0123456789abcdef", 16)), "\"30313233-3435-3637-3839-616263646566\"");
    assert_string_equal(encoded("uuid", bytes(SW_TOKEN_BYTES, "0123456789abcdef", 16)), "\"30313233-3435-3637-3839-616263646566\"");
    assert_string_equal(encoded("text", bytes(SW_TOKEN_UUID, "0123456789abcdef", 16)), "\"30313233-3435-3637-3839-616263646566\"");
}

static void types_that_keep_the_same_are_of_one_form(void **state)
{
    (void)state;
    static const struct { const char *a, *b; bool same; } cases[] = {
        {"timestamp unit=us", "timestamp", true}, {"bytes base64", "bytes", true}, {"integer", "decimal", true}, {"json", "any", true}, {"array", "any", true},
        {"timestamp", "timestamptz", false}, {"integer", "int32", false}, {"text", "any", false}, {"timestamp(3)", "timestamp", false}, {"text trim", "text", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sw_type a, b;
        assert_int_equal(sw_type_parse(&a, sw_bytes_text(cases[i].a), NULL), SW_OK);
        assert_int_equal(sw_type_parse(&b, sw_bytes_text(cases[i].b), NULL), SW_OK);
        assert_int_equal(sw_type_same_form(&a, &b), cases[i].same);
        assert_int_equal(sw_type_same_form(&b, &a), cases[i].same);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_native_integer_is_what_the_same_number_in_a_record_is),
        cmocka_unit_test(a_native_decimal_is_what_the_same_number_in_a_record_is),
        cmocka_unit_test(native_numbers_and_their_texts_have_the_same_bytes),
        cmocka_unit_test(native_floats_are_exact_and_keep_their_special_values),
        cmocka_unit_test(native_times_are_what_the_same_times_as_text_are),
        cmocka_unit_test(times_outside_of_every_calendar_are_refused),
        cmocka_unit_test(bytes_are_bytes_and_never_text),
        cmocka_unit_test(types_that_keep_the_same_are_of_one_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
