#include "value_testing.h"

#include "model/value_any.h"

static void spellings_of_one_number_are_one_value(void **state)
{
    (void)state;
    static const char *const exact[] = {"any", "decimal", "integer"};
    for (size_t i = 0; i < COUNT(exact); i++) {
        EQUAL(exact[i], "1", "1.0", "1e0", "10e-1", "0.1e1", "1E+0", "1.000", "100e-2", "0.00001e5");
        EQUAL(exact[i], "0", "-0", "0.0", "-0.00", "0e5", "0e999999999999", "0E-7", "0.000e-99999999");
        EQUAL(exact[i], "-120", "-1.2e2", "-120.0", "-12e1");
        EQUAL(exact[i], "12345678901234567890", "1234567890123456789e1", "1.234567890123456789e19");
        EQUAL(exact[i], "1e999999", "10e999998", "0.1e1000000");
    }
    EQUAL("decimal", "1.10", "\"1.1\"", "\"+1.1\"", "\"001.10\"", "\"1.1e0\"", "110e-2");
    EQUAL("decimal", "0.5", "\".5\"", "\"5e-1\"", "\"00.5\"");
    EQUAL("decimal", "5", "\"5.\"", "\"+5\"", "\"05\"");
    EQUAL("integer", "\"0007\"", "7", "\"7.0\"", "\"\\u0037\"");
}

static void decimals_are_exact_beyond_64_bits(void **state)
{
    (void)state;
    /* O32 */
    assert_order("decimal", "\"1.10\"", "\"1.1\"", 0);
    assert_order("decimal", "\"100\"", "\"1e2\"", 0);
    assert_order("decimal", "\"0\"", "\"0.000\"", 0);
    assert_order("decimal", "\"-0.00\"", "\"0\"", 0);
    assert_order("decimal", "\"0.1\"", "\"0.1000000000000000055511151231257827\"", -1);
    assert_order("decimal", "\"12345678901234567890.12345678901\"", "\"12345678901234567890.12345678902\"", -1);
    /* O14 */
    assert_order("any", "9007199254740992", "9007199254740993", -1);
    assert_order("int64", "9007199254740992", "9007199254740993", -1);
    assert_order("int64", "\"9007199254740993\"", "9007199254740993", 0);
    assert_order("integer", "467200000000000128", "467200000000000129", -1);
}

static void numbers_are_ordered_by_size(void **state)
{
    (void)state;
    ASCENDING("decimal", "\"-Infinity\"", "-1e999999", "-1e50", "-1e49", "-9.9e48", "-12345678901234567890", "-100", "-99", "-10.5", "-10.05", "-10", "-9", "-1.01",
        "-1", "-0.5", "-0.05", "-0.049", "-1e-17", "-1e-18", "-1e-19", "-1e-999999", "0", "1e-999999", "1e-20", "1e-19", "1e-18", "1e-17", "1e-16", "0.049", "0.05",
        "0.5", "1", "1.01", "1.1", "9", "10", "10.05", "10.5", "99", "100", "101", "999", "1000", "12345678901234567890", "12345678901234567891", "9.9e47", "1e48",
        "9.99e48", "1e49", "1.5e49", "1e50", "1e999999", "\"inf\"", "\"NaN\"");
    ASCENDING("any", "-10", "-9.99", "0", "0.001", "0.0011", "0.01", "7", "7.5", "70");
}

static void a_far_exponent_stays_a_few_bytes_and_has_a_limit(void **state)
{
    (void)state;
    static const char *const kinds[] = {"any", "decimal", "integer"};
    struct sw_buffer out = {0};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        assert_int_equal(encode_json(&out, kinds[i], sw_bytes_text("1e999999")), SW_VALUE_OK);
        assert_true(out.len <= 6);
        assert_int_equal(encode_json(&out, kinds[i], sw_bytes_text("1e1000000")), SW_VALUE_OK);
        assert_true(out.len <= 6);
        INVALID(kinds[i], "1e1000001", "-1e1000001", "10e1000000", "1e-1000001", "1e99999999999999999999999999", "1e-99999999999999999999999999");
        assert_printed(kinds[i], "1e1000000", "1e1000000");
        assert_printed(kinds[i], "-12e999998", "-1.2e999999");
    }
    assert_printed("decimal", "123e-999999", "1.23e-999997");
    sw_buffer_free(&out);
}

static void numbers_are_printed_plainly_unless_that_needs_many_zeros(void **state)
{
    (void)state;
    assert_printed("decimal", "1.10", "1.1");
    assert_printed("decimal", "1e2", "100");
    assert_printed("decimal", "-0.0", "0");
    assert_printed("decimal", "1e-7", "0.0000001");
    assert_printed("decimal", "\"12345678901234567890.12345678901\"", "12345678901234567890.12345678901");
    assert_printed("decimal", "1e40", "10000000000000000000000000000000000000000");
    assert_printed("decimal", "1e41", "1e41");
    assert_printed("decimal", "1e-40", "0.0000000000000000000000000000000000000001");
    assert_printed("decimal", "1e-41", "0.00000000000000000000000000000000000000001");
    assert_printed("decimal", "1e-42", "1e-42");
    assert_printed("decimal", "\"nan\"", "\"NaN\"");
    assert_printed("decimal", "\"-INF\"", "\"-Infinity\"");
    assert_printed("int8", "-128", "-128");
    assert_printed("int64", "-9223372036854775808", "-9223372036854775808");
    assert_printed("int64", "-1", "-1");
    assert_printed("int64", "9223372036854775807", "9223372036854775807");
    assert_printed("uint64", "18446744073709551615", "18446744073709551615");
}

/* Naturals are written by a way of their own: of every length, with zeros behind, and beyond what it takes. */
static void integers_are_printed_as_their_digits(void **state)
{
    (void)state;
    static const char digits[] = "9070810203040506070809102";
    for (size_t len = 1; len < sizeof digits; len++)
        for (size_t zeros = 0; zeros + len < sizeof digits; zeros++)
            for (int minus = 0; minus < 2; minus++) {
                char text[40];
                size_t at = 0;
                if (minus)
                    text[at++] = '-';
                memcpy(text + at, digits, len);
                at += len;
                memset(text + at, '0', zeros);
                text[at + zeros] = '\0';
                assert_printed("any", text, text);
                assert_printed("integer", text, text);
            }
}

static void what_is_no_number_is_refused(void **state)
{
    (void)state;
    static const char *const kinds[] = {"decimal", "integer", "int32", "uint64", "float64", "float32"};
    for (size_t i = 0; i < COUNT(kinds); i++)
        INVALID(kinds[i], "\"\"", "\"-\"", "\"+\"", "\".\"", "\"1e\"", "\"1e+\"", "\"e1\"", "\" 1\"", "\"1 \"", "\"1,5\"", "\"0x10\"", "\"1_000\"", "\"--1\"",
            "\"1.2.3\"", "\"1e1e1\"", "\"\\u0000\"", "\"1\\u0000\"", "\"infinit\"", "\"nanx\"", "true", "false", "[1]", "{\"a\":1}", "\"\\x\"");
    INVALID("integer", "1.5", "\"NaN\"", "\"Infinity\"", "1e-1", "12345678901234567890.5");
    INVALID("int32", "1.5", "\"NaN\"");
    static const char *const any[] = {"any", "json"};
    for (size_t i = 0; i < COUNT(any); i++) /* not by JSON's grammar; a scanner never lets them through */
        INVALID(any[i], "01", "1.", "+1", "-", "1e", ".5", "-.5", "1.e5", "1x", "Infinity", "-01", "00");
}

static void integers_have_the_range_of_their_type(void **state)
{
    (void)state;
    static const struct { const char *type, *low, *below, *high, *above; } ranges[] = {
        {"int8", "-128", "-129", "127", "128"},
        {"int16", "-32768", "-32769", "32767", "32768"},
        {"int32", "-2147483648", "-2147483649", "2147483647", "2147483648"},
        {"int64", "-9223372036854775808", "-9223372036854775809", "9223372036854775807", "9223372036854775808"},
        {"uint8", "0", "-1", "255", "256"},
        {"uint16", "0", "-1", "65535", "65536"},
        {"uint32", "0", "-1", "4294967295", "4294967296"},
        {"uint64", "0", "-1", "18446744073709551615", "18446744073709551616"},
    };
    for (size_t i = 0; i < COUNT(ranges); i++) {
        assert_order(ranges[i].type, ranges[i].low, ranges[i].high, -1);
        assert_status(ranges[i].type, ranges[i].below, SW_VALUE_INVALID);
        assert_status(ranges[i].type, ranges[i].above, SW_VALUE_INVALID);
        INVALID(ranges[i].type, "1e30", "99999999999999999999", "1e999999", "1e-3", "-1e20");
    }
    EQUAL("int64", "100", "1e2", "100.0", "\"+100\"", "\"0100\"", "1000e-1");
    EQUAL("uint8", "0", "-0", "\"-0\"", "0.0");
    ASCENDING("int32", "-2147483648", "-256", "-255", "-1", "0", "1", "255", "256", "65536", "2147483647");
    ASCENDING("uint16", "0", "1", "255", "256", "65535");
}

static void negative_unsigned_values_wrap_only_if_declared(void **state)
{
    (void)state;
    /* O15 */
    INVALID("uint32", "-1");
    INVALID("uint64", "-1");
    assert_order("uint32 wrap", "-1", "4294967295", 0);
    assert_order("uint32 wrap", "-2", "4294967294", 0);
    assert_order("uint64 wrap", "-1", "18446744073709551615", 0);
    assert_order("uint64 wrap", "-9223372036854775808", "9223372036854775808", 0);
    assert_order("uint8 wrap", "-128", "128", 0);
    INVALID("uint8 wrap", "-129", "256");
    INVALID("uint64 wrap", "-9223372036854775809", "18446744073709551616");
    assert_printed("uint32 wrap", "-1", "4294967295");
}

static void the_raw_encoder_agrees_with_the_long_way(void **state)
{
    (void)state;
    static const char *const plain[] = {"0", "-0", "1", "-1", "9", "10", "99", "100", "1000", "-100", "123", "1234567", "-12345678", "100000000000000000", "999999999999999999", "-999999999999999999",
        "120000000000000001", "12345678901234567"};
    struct sw_buffer out = {0};
    for (size_t i = 0; i < COUNT(plain); i++) {
        uint8_t raw[SW_ANY_INTEGER_MAX + 1];
        raw[SW_ANY_INTEGER_MAX] = 0x5a;
        size_t len = sw_any_integer_encode(raw, sw_bytes_text(plain[i]));
        char with_point[32];
        snprintf(with_point, sizeof with_point, "%s.0", plain[i]);
        assert_int_equal(encode_json(&out, "decimal", sw_bytes_text(with_point)), SW_VALUE_OK);
        assert_true(sw_bytes_equal(sw_bytes_of(raw, len), sw_buffer_view(&out)));
        assert_int_equal(raw[SW_ANY_INTEGER_MAX], 0x5a);
    }
    static const char *const others[] = {"", "-", "01", "-01", "00", "1.0", "1e3", "+1", "1234567890123456789", "12a", "a2", "1a", "a", "--1", " 1", "12345678901234567x"};
    for (size_t i = 0; i < COUNT(others); i++) {
        uint8_t raw[SW_ANY_INTEGER_MAX];
        assert_int_equal(sw_any_integer_encode(raw, sw_bytes_text(others[i])), 0);
    }
    sw_buffer_free(&out);
}

static void the_padded_encoder_agrees_with_the_plain_one(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (unsigned round = 0; round < 200000; round++) {
        uint8_t text[48], plain[SW_ANY_INTEGER_MAX], padded[SW_ANY_INTEGER_MAX];
        random = random * 6364136223846793005u + 1442695040888963407u;
        size_t len = (random >> 33) % 20, zeros = random >> 40 & 3 ? 0 : (random >> 42) % 12; /* some numbers end in zeros */
        for (size_t i = 0; i < sizeof text; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            text[i] = (uint8_t)(random >> 60 < 1 && round % 8 == 0 ? random >> 50 : '0' + (random >> 33) % 10);
        }
        if (round & 1)
            text[0] = '-';
        for (size_t i = len - (zeros < len ? zeros : 0); i < len; i++)
            text[i] = '0';
        size_t expected = sw_any_integer_encode(plain, sw_bytes_of(text, len));
        assert_int_equal(sw_any_padded_integer_encode(padded, sw_bytes_of(text, len)), expected);
        assert_memory_equal(plain, padded, expected);
    }
}

/* An independent comparison: both numbers written out in full to a row of digits around one point. */
#define SIDE 140
struct written_out {
    int sign;
    char digits[2 * SIDE + 1];
};

static struct written_out write_out(const char *text)
{
    struct written_out number = {.sign = 1};
    memset(number.digits, '0', 2 * SIDE);
    if (*text == '-') {
        number.sign = -1;
        text++;
    }
    const char *exponent_text = strchr(text, 'e');
    int exponent = 0;
    if (exponent_text)
        assert_int_equal(sscanf(exponent_text + 1, "%d", &exponent), 1);
    size_t len = exponent_text ? (size_t)(exponent_text - text) : strlen(text);
    const char *point = memchr(text, '.', len);
    int place = (int)(point ? point - text : (ptrdiff_t)len) + exponent; /* digits before the point */
    bool zero = true;
    for (size_t i = 0; i < len; i++) {
        if (text[i] == '.')
            continue;
        place--;
        assert_in_range(SIDE - 1 - place, 0, 2 * SIDE - 1);
        number.digits[SIDE - 1 - place] = text[i];
        zero &= text[i] == '0';
    }
    if (zero)
        number.sign = 0;
    return number;
}

static int compare_written_out(const char *a, const char *b)
{
    struct written_out left = write_out(a), right = write_out(b);
    if (left.sign != right.sign)
        return left.sign < right.sign ? -1 : 1;
    int order = strcmp(left.digits, right.digits) * left.sign;
    return (order > 0) - (order < 0);
}

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 33);
}

static void random_decimal(char *out, uint64_t *seed)
{
    if (next_random(seed) % 2)
        *out++ = '-';
    unsigned whole = 1 + next_random(seed) % (next_random(seed) % 4 ? 4 : 30), fraction = next_random(seed) % 3 ? 0 : next_random(seed) % 25;
    unsigned digits = 1 + next_random(seed) % 10; /* few different digits make close pairs */
    for (unsigned i = 0; i < whole; i++)
        *out++ = (char)('0' + (whole > 1 && i == 0 ? 1 + next_random(seed) % 9 : next_random(seed) % digits));
    if (fraction)
        *out++ = '.';
    for (unsigned i = 0; i < fraction; i++)
        *out++ = (char)('0' + next_random(seed) % digits);
    *out = '\0';
    if (next_random(seed) % 2)
        sprintf(out, "e%d", (int)(next_random(seed) % (next_random(seed) % 2 ? 5 : 120)) - (int)(next_random(seed) % 60));
}

static void the_order_of_random_decimals_is_that_of_their_digits(void **state)
{
    (void)state;
    uint64_t seed = 20261130;
    unsigned equal = 0;
    for (int i = 0; i < 4000; i++) {
        char a[100], b[100];
        random_decimal(a, &seed);
        if (i % 4)
            random_decimal(b, &seed);
        else /* the same number, or a near one, in another spelling */
            snprintf(b, sizeof b, "%.90s", a);
        if (i % 4 == 0 && strchr(a, '.') && !strchr(a, 'e'))
            strcat(b, i % 8 ? "00" : "01");
        int expected = compare_written_out(a, b);
        equal += expected == 0;
        assert_order("decimal", a, b, expected);
        assert_order("any", a, b, expected);
    }
    assert_true(equal > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_of_one_number_are_one_value),
        cmocka_unit_test(decimals_are_exact_beyond_64_bits),
        cmocka_unit_test(numbers_are_ordered_by_size),
        cmocka_unit_test(a_far_exponent_stays_a_few_bytes_and_has_a_limit),
        cmocka_unit_test(numbers_are_printed_plainly_unless_that_needs_many_zeros),
        cmocka_unit_test(integers_are_printed_as_their_digits),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(integers_have_the_range_of_their_type),
        cmocka_unit_test(negative_unsigned_values_wrap_only_if_declared),
        cmocka_unit_test(the_raw_encoder_agrees_with_the_long_way), cmocka_unit_test(the_padded_encoder_agrees_with_the_plain_one),
        cmocka_unit_test(the_order_of_random_decimals_is_that_of_their_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
