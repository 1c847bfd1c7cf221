/* The orders of BigQuery, Datastream and clocks, and the integers of the lab. Sources: BigQuery documentation, "Stream table updates with change data
 * capture" (custom ordering); Datastream documentation, "Events and streams"; GoogleCloudPlatform/DataflowTemplates issues 127, 417, pull request 2867. */
#include "order_testing.h"

static const struct sw_order *const bigquery = &sw_order_bigquery, *const datastream = &sw_order_datastream, *const timestamp = &sw_order_timestamp, *const integer = &sw_order_integer;

/* "Custom ordering": sections of 1 to 16 hexadecimal digits, at most 4, compared one by one; FFF/ABC is above FFF/B, and ABC above BA/FFFFFFFF. */
static void sections_compare_as_unsigned_numbers(void **state)
{
    (void)state;
    PAIRS(bigquery, {"number=\"7B\"", "number=\"77\"", AFTER}, {"number=FFF/ABC", "number=FFF/B", AFTER}, {"number=ABC", "number=BA/FFFFFFFF", AFTER}, {"number=FFF/ABC", "number=ABC", AFTER},
          {"number=2A/10", "number=2A/9", AFTER}, {"number=\"20\"", "number=1F/FFFF", AFTER}, {"number=ab", "number=AB", EQUAL}, {"number=\"0A\"", "number=a", EQUAL},
          {"number=FFFFFFFFFFFFFFFF", "number=7FFFFFFFFFFFFFFF", AFTER}, {"number=0/0/0/0", "number=0/0/0/1", BEFORE},
          {"number=1/2/3/FFFFFFFFFFFFFFFF", "number=1/2/4/0", BEFORE});
}

/* The documentation does not say: nobody may choose. */
static void a_number_that_goes_on_from_another_is_unordered(void **state)
{
    (void)state;
    PAIRS(bigquery, {"number=\"7\"", "number=7/0", UNORDERED}, {"number=7/0", "number=7/0/0", UNORDERED}, {"number=0007/0", "number=\"7\"", UNORDERED}, {"number=\"8\"", "number=7/0", AFTER},
          {"number=7/1", "number=7/0/0", AFTER}, {"number=1/1/1/1", "number=1/1/1", UNORDERED});
    reach_is(bigquery, "7", "number=7/0", 'u');
    reach_is(bigquery, "7/0", "number=\"7\"", 'u');
    reach_is(bigquery, "7/0", "number=\"6\"", 'w');
    reach_is(bigquery, "7/0", "number=7/1", 'b');
    reach_is(bigquery, "7/0", "number=07/00", 'w');
    reach_is(bigquery, "7", "number=\"7\" ingested=5", 'w');
    reach_is(bigquery, "7@ingested=4", "number=\"7\" ingested=5", 'b');
    reach_is(bigquery, "7@ingested=4", "number=\"7\"", 'u');
}

static void what_is_no_sequence_number_is_refused(void **state)
{
    (void)state;
    ALL(bigquery, SW_ORDER_INVALID, "number=10000000000000000", "number=\"10000000000000000\"", "number=\"\"", "number=/1", "number=1/", "number=1//2", "number=1/2/3/4/5", "number=-1", "number=0x1",
        "number=\" 1\" | ingested=5", "number=G", "number=10", "number={}", "number=\"1\" ingested=x");
    ALL(bigquery, SW_ORDER_NO_POSITION, "number=null", "ingested=5");
    problem_is(bigquery, "number=\"10000000000000000\"",
               "number is a change sequence number: 1 to 4 sections of 1 to 16 hexadecimal digits with '/' between them; found 10000000000000000");
    prints(bigquery, "number=02a/0b/0", "2A/B/0");
}

/* "the record with the latest ingestion time": it breaks ties, and never decides between numbers. */
static void the_ingestion_time_breaks_ties(void **state)
{
    (void)state;
    PAIRS(bigquery, {"number=A ingested=5", "number=a ingested=10", BEFORE}, {"number=B ingested=5", "number=A ingested=10", AFTER}, {"number=A ingested=5", "number=A/0 ingested=10", UNORDERED},
          {"number=A ingested=2026-01-01T00:00:00.5Z", "number=A ingested=2026-01-01T00:00:00.25Z", AFTER}, {"number=A ingested=5", "number=A ingested=2026-01-01T00:00:00Z", UNORDERED});
    struct sw_order_key key;
    assert_int_equal(encode_case(&key, &(struct order_case){bigquery, 3, false}, "number=A"), SW_ORDER_OK);
    assert_true(sw_bytes_is(space_of(&key), "without ingested"));
    prints(bigquery, "number=A/1 ingested=2026-01-01T00:00:00.25Z", "A/1@ingested=2026-01-01T00:00:00.25Z");
}

/* "Events and streams": MySQL's sort keys are [time, file, position]; pull request 2867: the time is that of the statement and decides nothing. */
static void sort_keys_are_read_by_what_they_hold(void **state)
{
    (void)state;
    PAIRS(datastream, {"sort_keys=[2000,\"b.000001\",100]", "sort_keys=[1500,\"b.000001\",200]", BEFORE}, {"sort_keys=[1,\"b.999999\",9]", "sort_keys=[1,\"b.1000000\",4]", BEFORE},
          {"sort_keys=[\"1\",\"b.000001\",\"23\"]", "sort_keys=[1,\"b.000001\",123]", BEFORE}, /* in BigQuery all are texts */
          {"sort_keys=[9,\"9/FF\"]", "sort_keys=[1,\"10/0\"]", BEFORE}, {"sort_keys=[9,\"0/9000000\"]", "sort_keys=[1,\"0/10000000\"]", BEFORE},
          {"sort_keys=[9,\"0000002a:00000758:0003\"]", "sort_keys=[1,\"0000002b:00000001:0001\"]", BEFORE},
          {"sort_keys=[9,8823771,\"0x000019.00000002.0010\",5]", "sort_keys=[1,8823772,\"0x000001.00000001.0001\",0]", BEFORE},
          {"sort_keys=[1,8823771,\"0x000019.00000002.0010\",5]", "sort_keys=[1,8823771,\"0x000019.00000002.0010\",6]", BEFORE},
          {"sort_keys=[1,\"a.000001\",4]", "sort_keys=[1,\"b.000002\",4]", UNORDERED}, {"sort_keys=[1]", "sort_keys=[2]", BEFORE}, {"sort_keys=[1]", "sort_keys=[1,\"0/5\"]", UNORDERED},
          {"sort_keys=\"[1,\\\"b.000001\\\",4]\" | change_type=x", "sort_keys=[1, \"b.000001\" , 5] | change_type=x", BEFORE});
}

/* Issue 417: backfill rows have an empty file and position 0; one sample has [time,0,0]. They were read from the table. */
static void backfill_rows_have_no_position(void **state)
{
    (void)state;
    ALL(datastream, SW_ORDER_NO_POSITION, "sort_keys=[1764500000000,\"\",0]", "sort_keys=[1764500000000,0,0]", "sort_keys=null", "change_type=INSERT", "sort_keys=[1,\"\"]", "sort_keys=[1,\"0/0\"]");
    ALL(datastream, SW_ORDER_INVALID, "sort_keys=[]", "sort_keys=[\"x\"]", "sort_keys=[1,\"x\"]", "sort_keys=[1,\"b.000001\",\"x\"]", "sort_keys=[1,2,3,4,5]", "sort_keys={}", "sort_keys=[1,[2]]",
        "sort_keys=[1,\"b.000001\",4", "sort_keys=5", "sort_keys=[1.5]", "sort_keys=[1,7,\"x\",4]", "sort_keys=[1,\"b\\\\u0041.000001\",4]");
}

/* "Events and streams": a change of key is UPDATE-DELETE and UPDATE-INSERT, which share file and position. */
static void of_a_change_of_key_the_removal_comes_first(void **state)
{
    (void)state;
    PAIRS(datastream, {"sort_keys=[2,\"b.000001\",4] change_type=UPDATE-DELETE", "sort_keys=[1,\"b.000001\",4] change_type=UPDATE-INSERT", BEFORE},
          {"sort_keys=[1,\"b.000001\",4] change_type=UPDATE-INSERT", "sort_keys=[1,\"b.000001\",5] change_type=UPDATE-DELETE", BEFORE},
          {"sort_keys=[1,\"b.000001\",4] change_type=INSERT", "sort_keys=[1,\"b.000001\",4] change_type=DELETE", EQUAL});
    prints(datastream, "sort_keys=[1,\"b.000001\",4] change_type=UPDATE-DELETE", "mysql:b.000001:4@change_type=UPDATE-DELETE");
    prints(datastream, "sort_keys=[1,8823771,\"0x000019.00000002.0010\",5]", "oracle:8823771/0x000019.00000002.0010/5");
    prints(datastream, "sort_keys=[1764500000000]", "time:1764500000000");
    reach_is(datastream, "mysql:b.000001:4", "sort_keys=[9,\"b.000001\",4]", 'w');
    reach_is(datastream, "[0,\"b.000001\",4]", "sort_keys=[9,\"b.000001\",5]", 'b');
    reach_is(datastream, "postgres:0/16E9A28", "sort_keys=[9,\"0/16E9A28\"]", 'w');
    reach_is(datastream, "sqlserver:2a:758:3", "sort_keys=[9,\"0000002a:00000758:0004\"]", 'b');
    reach_is(datastream, "oracle:5/0x1.1.1/0", "sort_keys=[9,5,\"0x1.1.1\",1]", 'b');
}

static void where_only_a_time_is_left_the_order_is_weak(void **state)
{
    (void)state;
    struct sw_order_key time, place;
    const struct order_case with = {.order = datastream};
    assert_int_equal(encode_case(&time, &with, "sort_keys=[1764500000000]"), SW_ORDER_OK);
    assert_int_equal(encode_case(&place, &with, "sort_keys=[1764500000000,\"b.000001\",4]"), SW_ORDER_OK);
    assert_true(sw_order_is_weak(datastream, version_of(&time)));
    assert_false(sw_order_is_weak(datastream, version_of(&place)));
    assert_true(sw_order_is_weak(timestamp, version_of(&time)));
    assert_false(sw_order_is_weak(&sw_order_postgres, version_of(&time)));
    assert_false(sw_order_is_weak(NULL, version_of(&time)));
}

static void times_are_exact_and_of_three_kinds(void **state)
{
    (void)state;
    PAIRS(timestamp, {"time=999", "time=1000", BEFORE}, {"time=-1", "time=0", BEFORE}, {"time=-2", "time=-1", BEFORE}, {"time=-1.25", "time=-1.2", BEFORE}, {"time=1.5", "time=1.25", AFTER},
          {"time=9007199254740993", "time=9007199254740992", AFTER}, {"time=1000", "time=1000.0", EQUAL}, {"time=2026-01-28T12:55:05.094Z", "time=2026-01-28T12:55:05.94Z", BEFORE},
          {"time=2026-01-28T12:55:05.094Z", "time=2026-01-28T20:55:05.094000+08:00", EQUAL}, {"time=2026-01-28T12:55:05+0530", "time=2026-01-28T07:25:05Z", EQUAL},
          {"time=1969-12-31T23:59:59.999999999Z", "time=1970-01-01T00:00:00Z", BEFORE}, {"time=2024-02-29T00:00:00Z", "time=2024-03-01T00:00:00Z", BEFORE},
          {"time=\"2026-01-28 12:55:05\" | source=s", "time=2026-01-28T12:55:06 | source=s", BEFORE}, {"time=2026-01-28T12:55:05Z", "time=2026-01-28T12:55:06", UNORDERED},
          {"time=5", "time=2026-01-28T12:55:06Z", UNORDERED}, {"time=0001-01-01T00:00:00Z", "time=9999-12-31T23:59:59Z", BEFORE});
    ALL(timestamp, SW_ORDER_INVALID, "time=2026-02-29T00:00:00Z", "time=2026-13-01T00:00:00Z", "time=2026-01-28T24:00:00Z", "time=2026-01-28", "time=12:00:00", "time=1e3", "time=x", "time=\"\"",
        "time=2026-01-28T12:55:05+25:00", "time=2026-01-28T12:55:05.Z", "time=9223372036854775808", "time={}", "time=1.0000000000000000001", "time=0000-01-01T00:00:00Z");
    ALL(timestamp, SW_ORDER_NO_POSITION, "time=null", "source=s");
    prints(timestamp, "time=-1.25", "-1.25");
    prints(timestamp, "time=-0.5", "-0.5");
    prints(timestamp, "time=2026-01-28T20:55:05.0940+08:00", "2026-01-28T12:55:05.094Z");
    prints(timestamp, "time=\"0001-03-01 00:00:00\" | source=s", "0001-03-01T00:00:00");
    prints(timestamp, "time=1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59.5Z");
}

static void integers_have_up_to_77_digits(void **state)
{
    (void)state;
    PAIRS(integer, {"version=9", "version=10", BEFORE}, {"version=18446744073709551615", "version=18446744073709551614", AFTER}, {"version=255", "version=256", BEFORE}, {"version=0", "version=0", EQUAL});
    PAIRS(integer, {"version=18446744073709551616", "version=18446744073709551615", AFTER}, {"version=\"20230316062544000000000000000000093\"", "version=\"20230316062544000000000000000000094\"", BEFORE},
          {"version=99999999999999999999", "version=100000000000000000000", BEFORE}, {"version=\"00000000000000000000000000000000000007\"", "version=7", EQUAL},
          {"version=99999999999999999999999999999999999999999999999999999999999999999999999999999", "version=99999999999999999999999999999999999999999999999999999999999999999999999999998", AFTER});
    prints(integer, "version=18446744073709551616", "18446744073709551616");
    prints(integer, "version=\"00020230316062544000000000000000000093\"", "20230316062544000000000000000000093");
    prints(integer, "version=99999999999999999999999999999999999999999999999999999999999999999999999999999", "99999999999999999999999999999999999999999999999999999999999999999999999999999");
    ALL(integer, SW_ORDER_INVALID, "version=-1", "version=x", "version=\"\"", "version=100000000000000000000000000000000000000000000000000000000000000000000000000000", "version=\"2023031606254400000x\"",
        "version=\"2023031606254400000000x\"");
    reach_is(integer, "10", "version=10", 'w');
    reach_is(integer, "10", "version=11", 'b');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_compare_as_unsigned_numbers),
        cmocka_unit_test(a_number_that_goes_on_from_another_is_unordered),
        cmocka_unit_test(what_is_no_sequence_number_is_refused),
        cmocka_unit_test(the_ingestion_time_breaks_ties),
        cmocka_unit_test(sort_keys_are_read_by_what_they_hold),
        cmocka_unit_test(backfill_rows_have_no_position),
        cmocka_unit_test(of_a_change_of_key_the_removal_comes_first),
        cmocka_unit_test(where_only_a_time_is_left_the_order_is_weak),
        cmocka_unit_test(times_are_exact_and_of_three_kinds),
        cmocka_unit_test(integers_have_up_to_77_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
