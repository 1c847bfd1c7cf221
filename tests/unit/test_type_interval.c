#include "value_testing.h"

static void spellings_of_one_interval_are_one_value(void **state)
{
    (void)state;
    EQUAL("interval", "\"P1Y2M3DT4H5M6.789S\"", "\"1 year 2 mons 3 days 04:05:06.789\"", "\"@ 1 year 2 mons 3 days 4 hours 5 mins 6.789 secs\"", "\"1 year 2 months 3 days 04:05:06.789\"", "\"+1-2 +3 +4:05:06.789\"",
          "\"P14M3DT14706.789S\"", "\"P1Y2M3DT4H5M6.789000000000S\"");
    EQUAL("interval", "\"PT0S\"", "\"00:00:00\"", "\"@ 0\"", "\"0\"", "\"P0Y0M0DT0H0M0S\"", "\"-00:00:00\"", "\"P0D\"");
    EQUAL("interval", "\"P-1DT2H3M\"", "\"-1 days +02:03:00\"", "\"-1 days 02:03\"", "\"@ 1 day -2 hours -3 mins ago\"", "\"-P1DT-2H-3M\"");
    EQUAL("interval", "\"P-3DT-4H-5M-6S\"", "\"-3 days -04:05:06\"", "\"-3 4:05:06\"", "\"@ 3 days 4 hours 5 mins 6 secs ago\"");
    EQUAL("interval", "\"PT-0.5S\"", "\"-00:00:00.5\"", "\"@ 0.5 secs ago\"");
    EQUAL("interval", "\"P1Y\"", "\"12 mons\"", "\"1-0\"", "\"P12M\"");
    EQUAL("interval", "\"P2W\"", "\"14 days\"", "\"2 weeks\"");
    EQUAL("interval", "\"infinity\"", "\"Infinity\"");
}

static void a_month_is_not_thirty_days_and_a_day_not_24_hours(void **state)
{
    (void)state;
    assert_order("interval", "\"P1M\"", "\"P30D\"", 1);
    assert_order("interval", "\"P1D\"", "\"PT24H\"", 1);
    assert_order("interval", "\"1 mon\"", "\"P31D\"", 1);
    assert_order("interval", "\"00:00:00.000001\"", "\"PT0S\"", 1);
    assert_order("interval", "\"-1 days +02:03:00\"", "\"-1 days -02:03:00\"", 1);
    ASCENDING("interval", "\"-infinity\"", "\"-178000000 years\"", "\"-1 mons\"", "\"-1 days\"", "\"-00:00:01\"", "\"-00:00:00.000001\"", "\"0\"", "\"00:00:00.000000001\"", "\"23:59:59\"", "\"24:00:00\"", "\"1 day\"", "\"1 mon\"",
              "\"178000000 years\"", "\"infinity\"");
}

static void it_is_printed_as_iso_8601_has_it(void **state)
{
    (void)state;
    assert_printed("interval", "\"1 year 2 mons 3 days 04:05:06.789\"", "\"P1Y2M3DT4H5M6.789S\"");
    assert_printed("interval", "\"-1 days +02:03:00\"", "\"P-1DT2H3M\"");
    assert_printed("interval", "\"-00:00:00.5\"", "\"PT-0.5S\"");
    assert_printed("interval", "\"-01:00:01.25\"", "\"PT-1H-1.25S\"");
    assert_printed("interval", "\"-13 mons\"", "\"P-1Y-1M\"");
    assert_printed("interval", "\"0\"", "\"PT0S\"");
    assert_printed("interval", "\"2562047788:00:54.775807\"", "\"PT2562047788H54.775807S\"");
    assert_printed("interval", "\"-infinity\"", "\"-infinity\"");
}

static void what_is_no_interval_is_refused(void **state)
{
    (void)state;
    INVALID("interval", "\"\"", "\"P\"", "\"PT\"", "\"P1\"", "\"P1YT\"", "\"P1H\"", "\"PT1D\"", "\"P1.5D\"", "\"PT1.5H\"", "\"P1Y1Y\"", "\"1\"", "\"-5\"", "\"1 year 5\"", "\"1 parsec\"", "\"1 day 1 day\"", "\"04:60:00\"", "\"04:05:60\"",
            "\"1 day 04:05:06 07:08:09\"", "\"1 year  2 mons\"", "\" 1 year\"", "\"1 year \"", "\"1.5 days\"", "\"00:00:00.0000000001\"", "\"1 day ago\"", "\"@ ago\"", "\"P1Y2M3DT4H5M6.S\"", "\"3 4\"", "\"4:5:6:7\"", "\"P2147483648M\"",
            "\"-2147483649 days\"", "\"P99999999999999999D\"", "\"2026-01-28\"", "\"P1Y \"", "86400000000", "true", "[]", "\"nan\"", "\"@\"", "\"--P1D\"", "\"P0001-02-03T04:05:06\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spellings_of_one_interval_are_one_value), cmocka_unit_test(a_month_is_not_thirty_days_and_a_day_not_24_hours),
                                       cmocka_unit_test(it_is_printed_as_iso_8601_has_it), cmocka_unit_test(what_is_no_interval_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
