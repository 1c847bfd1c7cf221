#include "value_testing.h"

static void spellings_of_one_instant_are_one_value(void **state)
{
    (void)state;
    EQUAL("timestamptz", "\"2026-03-01T00:00:00Z\"", "\"2026-03-01 00:00:00+00\"", "\"2026-03-01T08:00:00+08:00\"", "\"2026-03-01T08:00:00+0800\"", "\"2026-02-28 20:30:00-03:30\"",
        "\"2026-03-01t00:00:00z\"", "\"2026-03-01 00:00:00 UTC\"", "\"2026-03-01 00:00:00UTC\"", "\"2026-03-01 00:00:00 +0000\"", "\"2026-03-01 00:00:00.000000+00:00\"",
        "\"2026-03-01T00:00Z\"", "\"2026-03-01T00:00:00-00:00\"", "\"2026-02-28T24:00:00Z\"", "\"2026-03-01 00:19:32+00:19:32\"", "\"2026-03-01T00:00:00.000000000000Z\"",
        "\"+2026-03-01T00:00:00Z\"");
    EQUAL("timestamp", "\"2026-01-28 12:55:05.094\"", "\"2026-01-28T12:55:05.094000\"", "\"2026-01-28 12:55:05.094000000\"");
    EQUAL("timestamp", "\"2026-01-28\"", "\"2026-01-28 00:00\"", "\"2026-01-27T24:00:00.0\"");
    EQUAL("date", "\"2026-01-28\"", "\"2026-01-28Z\"", "\"2026-01-28T00:00:00Z\"", "\"2026-01-28 00:00:00\"", "\"2026-01-28 00:00:00.000\"");
    EQUAL("time", "\"04:05:06.789\"", "\"04:05:06.789000\"");
    EQUAL("time", "\"04:05\"", "\"04:05:00\"");
    EQUAL("time", "\"10:00:00+02\"", "\"08:00:00Z\"");
    EQUAL("time", "\"01:00:00+02\"", "\"23:00:00Z\"");
}

static void leading_zeros_of_a_fraction_precision_and_zone_matter(void **state)
{
    (void)state;
    /* O31, row by row */
    assert_order("timestamptz(6)", "\"2026-01-28T12:55:05.094Z\"", "\"2026-01-28 12:55:05.940000+00\"", -1);
    assert_order("timestamptz(6)", "\"2026-01-28T12:55:05.094Z\"", "\"2026-01-28 12:55:05.094000+00:00\"", 0);
    assert_order("timestamptz(6)", "\"2026-08-06T00:36:48.435488Z\"", "\"2026-08-06T00:36:48.435Z\"", 1);
    assert_order("timestamptz(3)", "\"2026-08-06T00:36:48.435488Z\"", "\"2026-08-06T00:36:48.435Z\"", 0);
    assert_order("timestamptz(6)", "\"2026-03-01T08:00:00+08:00\"", "\"2026-03-01T00:00:00Z\"", 0);
    assert_order("timestamptz(6) zone=+08:00", "\"2026-03-01 08:00:00\"", "\"2026-03-01T00:00:00Z\"", 0);
    assert_order("timestamptz(6)", "\"2026-03-01T00:00:00Z\"", "\"2026-03-01T08:00:00Z\"", -1);
}

static bool comparable(const char *type, const char *a, const char *b)
{
    struct sw_type parsed = type_of(type);
    struct sw_buffer left = {0}, right = {0};
    assert_int_equal(encode_json(&left, type, sw_bytes_text(a)), SW_VALUE_OK);
    assert_int_equal(encode_json(&right, type, sw_bytes_text(b)), SW_VALUE_OK);
    bool yes = sw_value_comparable(&parsed, sw_buffer_view(&left), sw_buffer_view(&right));
    assert_int_equal(yes, sw_value_comparable(&parsed, sw_buffer_view(&right), sw_buffer_view(&left)));
    if (!yes)
        assert_false(sw_bytes_equal(sw_buffer_view(&left), sw_buffer_view(&right)));
    sw_buffer_free(&left);
    sw_buffer_free(&right);
    return yes;
}

static void a_value_without_a_zone_is_not_comparable_with_one_that_has_one(void **state)
{
    (void)state;
    static const char *const kinds[] = {"timestamptz", "timestamp"};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        assert_false(comparable(kinds[i], "\"2026-03-01 08:00:00\"", "\"2026-03-01T00:00:00Z\""));
        assert_false(comparable(kinds[i], "\"2026-03-01 00:00:00\"", "\"2026-03-01T00:00:00Z\""));
        assert_true(comparable(kinds[i], "\"2026-03-01 08:00:00\"", "\"2026-03-01T00:00:00\""));
        assert_true(comparable(kinds[i], "\"2026-03-01 08:00:00+01\"", "\"2026-03-01T00:00:00Z\""));
        assert_true(comparable(kinds[i], "\"infinity\"", "\"2026-03-01T00:00:00\""));
        assert_true(comparable(kinds[i], "\"-infinity\"", "\"2026-03-01T00:00:00Z\""));
    }
    assert_false(comparable("time", "\"08:00:00\"", "\"08:00:00Z\""));
    assert_true(comparable("timestamptz zone=Z", "\"2026-03-01 08:00:00\"", "\"2026-03-01T00:00:00Z\""));
    assert_true(comparable("timestamp zone=Z", "\"2026-03-01 08:00:00\"", "\"2026-03-01T00:00:00Z\""));
    assert_true(comparable("text", "\"2026-03-01 08:00:00\"", "\"2026-03-01T00:00:00Z\""));
    assert_true(comparable("date", "\"2026-03-01\"", "\"2026-03-01Z\""));
}

static void a_declared_zone_makes_both_forms_one(void **state)
{
    (void)state;
    EQUAL("timestamptz zone=-03:30", "\"2026-03-01 08:00:00\"", "\"2026-03-01T11:30:00Z\"", "\"2026-03-01T12:30:00+01:00\"");
    EQUAL("timestamp zone=+08:00", "\"2026-03-01 08:00:00\"", "\"2026-03-01T00:00:00Z\"", "\"2026-02-28T23:00:00-01:00\"");
    EQUAL("time zone=+02:00", "\"01:00:00\"", "\"23:00:00Z\"", "\"00:00:00+01\"");
    assert_printed("timestamp zone=+08:00", "\"2026-03-01T00:00:00Z\"", "\"2026-03-01T08:00:00\"");
    assert_printed("timestamptz zone=+08:00", "\"2026-03-01 08:00:00\"", "\"2026-03-01T00:00:00Z\"");
}

static void precision_cuts_and_never_rounds(void **state)
{
    (void)state;
    assert_printed("timestamp(0)", "\"2026-01-01 00:00:00.999999999\"", "\"2026-01-01T00:00:00\"");
    assert_printed("timestamp(3)", "\"1969-12-31 23:59:59.9999\"", "\"1969-12-31T23:59:59.999\"");
    assert_printed("timestamp(9)", "\"2026-01-01 00:00:00.123456789\"", "\"2026-01-01T00:00:00.123456789\"");
    assert_printed("time(2)", "\"23:59:59.999\"", "\"23:59:59.99\"");
    assert_printed("time(2)", "\"-00:00:01.999\"", "\"-00:00:01.99\"");
    assert_printed("timestamp(6)", "\"2026-01-01 00:00:00.1234567891234\"", "\"2026-01-01T00:00:00.123456\"");
    INVALID("timestamp", "\"2026-01-01 00:00:00.1234567891\"");
    INVALID("time", "\"00:00:00.0000000001\"");
    assert_status("time", "\"00:00:00.1230000000000000000\"", SW_VALUE_OK);
}

static void the_calendar_is_checked(void **state)
{
    (void)state;
    INVALID("date", "\"2026-00-10\"", "\"2026-13-01\"", "\"2026-01-00\"", "\"2026-01-32\"", "\"2026-04-31\"", "\"2026-02-29\"", "\"1900-02-29\"", "\"2026-1-1\"", "\"26-01-01\"", "\"2026-01-01x\"",
        "\"2026/01/01\"", "\"20260101\"", "\"\"", "\"2026-01-01 12:00:00\"", "\"2026-01-01+02:00\"", "\"0000-00-00\"", "\"2026-01-01T\"", "\"2026-01-01 \"", "20260101", "true", "[]", "\"nan\"",
        "\"5874898-01-01\"", "\"-4713-11-23\"", "\"4714-11-23 BC\"", "\"12345678-01-01\"", "\"2026-01-001\"", "\"0000-01-01 BC\"", "\"-0044-01-01 BC\"");
    INVALID("timestamp", "\"2026-01-01 24:00:01\"", "\"2026-01-01 24:00:00.1\"", "\"2026-01-01 25:00:00\"", "\"2026-01-01 12:60:00\"", "\"2026-01-01 12:00:61\"", "\"2026-01-01 12:00:00.\"",
        "\"2026-01-01 12\"", "\"2026-01-01 1:00:00\"", "\"2026-01-01  12:00:00\"", "\"2026-01-01 12:00:00 \"", "\"2026-01-01 12:00:00+1\"", "\"2026-01-01 12:00:00+19\"", "\"2026-01-01 12:00:00+01:60\"",
        "\"2026-01-01 12:00:00+010\"", "\"2026-01-01 12:00:00+01000\"", "\"2026-01-01 12:00:00ZZ\"", "\"2026-01-01 12:00:00 CET\"", "\"2026-01-01 12:00:00,5\"", "\"12:00:00\"",
        "\"294277-01-01 00:00:00\"", "\"294276-12-31 24:00:00\"", "\"294276-12-31 23:00:00-02\"", "\"294277-01-01 01:00:00+01\"", "\"-4713-11-24 00:00:00+01\"", "\"-4713-11-23 23:59:59\"", "\"0000-00-00 00:00:00\"", "1764500000123");
    /* A leap second is stored by none of the databases; PostgreSQL would make it the next minute. */
    INVALID("timestamp", "\"2016-12-31 23:59:60\"");
    INVALID("time", "\"23:59:60\"", "\"24:00:00Z \"", "\"24:00:01Z\"", "\"-01:00:00Z\"", "\"839:00:00\"", "\"1:00:00\"", "\"0100:00:00\"", "\"12\"", "\"infinity\"", "\"+12:00:00\"", "\"12:00:00 BC\"");
    assert_status("date", "\"2024-02-29\"", SW_VALUE_OK);
    assert_status("date", "\"2000-02-29\"", SW_VALUE_OK);
    assert_status("timestamp", "\"294276-12-31 23:59:59.999999\"", SW_VALUE_OK);
}

static void years_before_1_and_beyond_9999_are_read_as_postgresql_and_iso_write_them(void **state)
{
    (void)state;
    EQUAL("date", "\"0044-03-15 BC\"", "\"-0043-03-15\"");
    EQUAL("date", "\"0001-01-01 BC\"", "\"0000-01-01\"", "\"-0000-01-01\"");
    EQUAL("date", "\"12345-01-01\"", "\"+12345-01-01\"", "\"+0012345-01-01\"");
    EQUAL("timestamptz", "\"0044-03-15 12:00:00+00 BC\"", "\"-0043-03-15T12:00:00Z\"");
    EQUAL("timestamp", "\"0044-03-15 12:00:00 BC\"", "\"-0043-03-15T12:00:00\"");
    assert_printed("date", "\"4713-01-01 BC\"", "\"-4712-01-01\"");
    assert_printed("date", "\"4714-11-24 BC\"", "\"-4713-11-24\"");
    /* DuckDB's spelling, and the ends of the range as a zone to the east or to the west of UTC shows them */
    EQUAL("date", "\"0044-03-15 BC\"", "\"0044-03-15 (BC)\"");
    EQUAL("timestamp", "\"0044-03-15 12:00:00 BC\"", "\"0044-03-15 (BC) 12:00:00\"");
    EQUAL("timestamptz", "\"294276-12-31 23:59:59.999999Z\"", "\"294277-01-01 00:59:59.999999+01\"");
    EQUAL("timestamptz", "\"4714-11-24 00:00:00Z BC\"", "\"4714-11-23 19:00:00-05 BC\"", "\"4714-11-24 (BC) 01:00:00+01\"");
    assert_status("date", "\"0044-03-15 (BC) BC\"", SW_VALUE_INVALID);
    assert_status("timestamp", "\"0044-03-15 (BC) 12:00:00 BC\"", SW_VALUE_INVALID);
    assert_status("date", "\"-0044-03-15 (BC)\"", SW_VALUE_INVALID);
    assert_printed("date", "\"5874897-12-31\"", "\"+5874897-12-31\"");
    ASCENDING("date", "\"-infinity\"", "\"4714-11-24 BC\"", "\"4713-01-01 BC\"", "\"0001-12-31 BC\"", "\"0001-01-01\"", "\"1969-12-31\"", "\"1970-01-01\"", "\"1970-01-02\"", "\"9999-12-31\"", "\"+10000-01-01\"",
        "\"5874897-12-31\"", "\"infinity\"");
    ASCENDING("timestamp", "\"-infinity\"", "\"4713-01-01 00:00:00 BC\"", "\"1969-12-31 23:59:59.000000001\"", "\"1969-12-31 23:59:59.999999999\"", "\"1970-01-01 00:00:00\"",
        "\"1970-01-01 00:00:00.000000001\"", "\"2026-01-28 12:55:05.094\"", "\"2026-01-28 12:55:05.94\"", "\"294276-12-31 23:59:59\"", "\"infinity\"");
    EQUAL("timestamptz", "\"infinity\"", "\"Infinity\"", "\"INF\"");
}

/* A sign before the year sends a time the general way: it has to say what the usual way says. */
static void the_usual_form_is_read_as_the_general_way_reads_it(void **state)
{
    static const char *const ends[] = {"", "Z", "+02:00", " UTC", ".5", ".123456789", ".1234567891", ".", "1", ":", "x", ".000+01", " "};
    static const char *const kinds[] = {"timestamp", "timestamptz", "date", "timestamp(3)", "timestamp zone=+08:00"};
    struct sw_buffer one = {0}, other = {0};
    struct sw_value_scratch scratch = {0};
    struct sw_error error = {0};
    unsigned seed = 3, good = 0;
    (void)state;
    for (int round = 0; round < 100000; round++) {
        char text[64] = "+";
        struct sw_type type;
        unsigned fields[7];
        for (int i = 0; i < 7; i++) {
            static const unsigned limits[] = {100, 100, 14, 33, 26, 61, 61};
            seed = seed * 1103515245 + 12345;
            fields[i] = seed / 65536 % limits[i];
        }
        seed = seed * 1103515245 + 12345;
        int len = snprintf(text + 1, sizeof text - 1, "%02u%02u-%02u-%02u%c%02u:%02u:%02u%s", fields[0], fields[1], fields[2], fields[3], seed >> 30 ? 'T' : ' ', fields[4], fields[5], fields[6],
                           ends[seed / 65536 % 13]);
        if (round % 4 == 0)
            text[1 + seed / 7 % (unsigned)len] = "09-:. TZ"[seed >> 29];
        if (text[1] == '+' || text[1] == '-')
            continue;
        assert_int_equal(sw_type_parse(&type, sw_bytes_text(kinds[round % 5]), &error), SW_OK);
        one.len = other.len = 0;
        enum sw_value_status usual = sw_value_encode(&one, &type, (struct sw_token){(const uint8_t *)text + 1, (uint32_t)strlen(text + 1), SW_TOKEN_TEXT, false}, &scratch);
        enum sw_value_status general = sw_value_encode(&other, &type, (struct sw_token){(const uint8_t *)text, (uint32_t)strlen(text), SW_TOKEN_TEXT, false}, &scratch);
        if (usual != general || !sw_bytes_equal(sw_buffer_view(&one), sw_buffer_view(&other)))
            fail_msg("'%s' is read in two ways", text + 1);
        good += usual == SW_VALUE_OK;
    }
    assert_true(good > 10000);
    sw_buffer_free(&one);
    sw_buffer_free(&other);
    sw_value_scratch_free(&scratch);
}

static void every_day_of_the_calendar_reads_back(void **state)
{
    (void)state;
    struct sw_type date = type_of("date");
    struct sw_buffer canonical = {0}, text = {0};
    struct sw_value_scratch scratch = {0};
    uint32_t previous = 0;
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    for (int year = 1895; year < 2105; year++)
        for (int month = 1; month <= 12; month++)
            for (int day = 1; day <= days[month - 1] + (month == 2 && year % 4 == 0 && (year % 100 || year % 400 == 0)); day++) {
                char json[48];
                snprintf(json, sizeof json, "\"%04d-%02d-%02d\"", year, month, day);
                sw_buffer_clear(&canonical);
                sw_buffer_clear(&text);
                assert_int_equal(sw_value_encode(&canonical, &date, token_of(sw_bytes_text(json)), &scratch), SW_VALUE_OK);
                assert_int_equal(canonical.len, 4);
                uint32_t number = (uint32_t)canonical.at[0] << 24 | (uint32_t)canonical.at[1] << 16 | (uint32_t)canonical.at[2] << 8 | canonical.at[3];
                assert_true(previous == 0 || number == previous + 1);
                assert_true(strcmp(json, "\"1970-01-01\"") != 0 || number == 0x80000000);
                previous = number;
                sw_value_write_json(&text, &date, sw_buffer_view(&canonical));
                assert_string_equal(sw_buffer_text(&text), json);
            }
    sw_buffer_free(&canonical);
    sw_buffer_free(&text);
    sw_value_scratch_free(&scratch);
}

static void a_number_needs_a_declared_unit(void **state)
{
    (void)state;
    INVALID("timestamp", "1764500000123", "\"1764500000123\"");
    INVALID("date", "20000");
    INVALID("time", "1");
    EQUAL("timestamptz unit=ms", "1764500000123", "\"1764500000123\"", "\"2025-11-30T10:53:20.123Z\"", "1764500000123.0", "1.764500000123e12");
    EQUAL("timestamp unit=s", "1764500000", "\"2025-11-30 10:53:20\"");
    EQUAL("timestamp unit=s", "1764500000.123456789", "\"2025-11-30 10:53:20.123456789\"");
    EQUAL("timestamp unit=us", "1764500000123456", "\"2025-11-30 10:53:20.123456\"");
    EQUAL("timestamp unit=ns", "1764500000123456789", "\"2025-11-30 10:53:20.123456789\"");
    EQUAL("timestamp unit=us", "-1", "\"1969-12-31 23:59:59.999999\"");
    EQUAL("timestamp(3) unit=us", "-1", "\"1969-12-31 23:59:59.999\"");
    EQUAL("timestamp(0) unit=s", "-1.5", "\"1969-12-31 23:59:58\"");
    EQUAL("timestamp unit=days", "0.5", "\"1970-01-01 12:00:00\"");
    EQUAL("date unit=days", "20000", "\"2024-10-04\"", "\"20000\"");
    EQUAL("date unit=days", "-1", "\"1969-12-31\"");
    EQUAL("date unit=ms", "86400000", "\"1970-01-02\"");
    EQUAL("time unit=us", "14706789000", "\"04:05:06.789\"");
    EQUAL("time unit=ms", "86400000", "\"24:00:00\"");
    EQUAL("time unit=us", "-1000000", "\"-00:00:01\"");
    INVALID("timestamp unit=s", "1764500000.1234567891", "1e30", "-1e15", "1e999999", "1e-999999", "\"1764500000 \"", "true");
    INVALID("date unit=ms", "1", "86400001");
    INVALID("date unit=days", "0.5", "3000000000");
    INVALID("time unit=s", "3020400", "1e300");
    assert_status("timestamp(6) unit=s", "1764500000.1234567891", SW_VALUE_OK);
    INVALID("date unit=days", "0.12345678901234567890123456789012345678901234567890");
}

static void zero_dates_are_null_only_if_declared(void **state)
{
    (void)state;
    assert_status("date zero=null", "\"0000-00-00\"", SW_VALUE_NULL);
    assert_status("timestamp zero=null", "\"0000-00-00 00:00:00\"", SW_VALUE_NULL);
    assert_status("timestamp(6) zero=null", "\"0000-00-00 00:00:00.000000\"", SW_VALUE_NULL);
    assert_status("timestamptz zero=null", "\"0000-00-00T00:00:00Z\"", SW_VALUE_NULL);
    INVALID("date zero=null", "\"2026-00-00\"", "\"0000-01-00\"", "\"0000-00-01\"", "\"0000-00-00 BC\"");
    INVALID("timestamp zero=null", "\"0000-00-00 00:00:01\"");
}

static void times_reach_as_far_as_mysql_writes_them(void **state)
{
    (void)state;
    ASCENDING("time", "\"-838:59:59\"", "\"-01:00:00\"", "\"-00:00:00.5\"", "\"00:00:00\"", "\"00:00:00.000000001\"", "\"23:59:59.999999\"", "\"24:00:00\"", "\"100:00:00\"", "\"838:59:59.999999\"");
    assert_order("time", "\"24:00:00\"", "\"00:00:00\"", 1);
    assert_order("time", "\"-00:00:00\"", "\"00:00:00\"", 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_of_one_instant_are_one_value),
        cmocka_unit_test(leading_zeros_of_a_fraction_precision_and_zone_matter),
        cmocka_unit_test(a_value_without_a_zone_is_not_comparable_with_one_that_has_one),
        cmocka_unit_test(a_declared_zone_makes_both_forms_one),
        cmocka_unit_test(precision_cuts_and_never_rounds),
        cmocka_unit_test(the_calendar_is_checked),
        cmocka_unit_test(years_before_1_and_beyond_9999_are_read_as_postgresql_and_iso_write_them),
        cmocka_unit_test(the_usual_form_is_read_as_the_general_way_reads_it),
        cmocka_unit_test(every_day_of_the_calendar_reads_back),
        cmocka_unit_test(a_number_needs_a_declared_unit),
        cmocka_unit_test(zero_dates_are_null_only_if_declared),
        cmocka_unit_test(times_reach_as_far_as_mysql_writes_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
