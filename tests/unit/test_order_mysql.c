/* The orders of MySQL and MariaDB. Sources: MySQL manual, "The Binary Log", "GTID Format and Storage"; mysql-server sql/binlog.cc (suffix of
 * at least 6 digits, at most 2147483647), gtid_constants.h (tags of 32 characters); MariaDB documentation, "Global Transaction ID". */
#include "order_testing.h"

#define U "3a1f0000-0000-0000-0000-000000000001"
#define V "3a1f0000-0000-0000-0000-000000000002"

static const struct sw_order *const mysql = &sw_order_mysql, *const gtid = &sw_order_mysql_gtid, *const mariadb = &sw_order_mariadb;

/* sql/binlog.cc: the suffix grows beyond six digits, so that text order puts 1000000 before 999999. */
static void files_and_positions_are_numbers(void **state)
{
    (void)state;
    PAIRS(mysql, {"file=b.999999 pos=900", "file=b.1000000 pos=4", BEFORE}, {"file=b.000007 pos=23", "file=b.000007 pos=123", BEFORE},
          {"file=b.000008 pos=2147484000", "file=b.000008 pos=4294967400", BEFORE}, {"file=b.000008 pos=104", "file=b.000008 pos=4294967400", BEFORE},
          {"file=b.000008 pos=18446744073709551615", "file=b.000009 pos=4", BEFORE}, {"file=b.000007 pos=23 row=9", "file=b.000007 pos=23 row=10", BEFORE},
          {"file=b.7 pos=23", "file=b.000007 pos=23", EQUAL}, {"file=b.000007 pos=\"23\"", "file=b.000007 pos=23", EQUAL}, {"file=a.b.000001 pos=4", "file=a.b.000002 pos=4", BEFORE});
}

/* Maxwell writes both as one text. */
static void file_and_position_may_stand_in_one_field(void **state)
{
    (void)state;
    PAIRS(mysql, {"file=b.000007:23", "file=b.000007:123", BEFORE}, {"file=b.999999:4 row=1", "file=b.1000000:4 row=0", BEFORE});
    ALL(mysql, SW_ORDER_INVALID, "file=b.000007", "file=b.000007:", "file=b.000007:x", "file=:5", "file=b:5");
}

/* Datastream in GTID mode writes nulls, and marks backfill rows with an empty file. */
static void a_record_without_file_or_position_has_none(void **state)
{
    (void)state;
    ALL(mysql, SW_ORDER_NO_POSITION, "file=null pos=null", "file=b.000001 pos=null", "file=null pos=4", "file=\"\" pos=0", "file=\"\" pos=null", "pos=4");
    ALL(mysql, SW_ORDER_INVALID, "file=b pos=4", "file=b. pos=4", "file=.000001 pos=4", "file=b.2147483648 pos=4", "file=b.000001 pos=-4", "file=b.000001 pos=4.0", "file=b.00x001 pos=4",
        "file=b.000001 pos=18446744073709551616", "file=000001 pos=4", "file=b.000001 pos=4 row=x", "file={} pos=4", "file=b.000001 pos=[]");
    problem_is(mysql, "file=mysql-bin pos=4", "file is a binary log file, BASE.NUMBER with a number up to 2147483647; found mysql-bin");
}

/* "The Binary Log": each server numbers its own files. */
static void base_name_and_server_are_the_space(void **state)
{
    (void)state;
    space_is(mysql, "file=b.000001 pos=4", "base=b");
    space_is(mysql, "file=b.000001 pos=4 server=223344", "base=b server=223344");
    space_is(mysql, "file=b.000001 | pos=4 | server=a b%", "base=b server=a%20b%25");
    PAIRS(mysql, {"file=a.000001 pos=4", "file=b.000001 pos=4", UNORDERED}, {"file=a.000001 pos=4 server=1", "file=a.000002 pos=4 server=2", UNORDERED});
    struct sw_order_key key;
    assert_int_equal(encode_case(&key, &(struct order_case){mysql, 1 | 2 | 4, false}, "file=b.000001 pos=4"), SW_ORDER_OK);
    assert_true(sw_bytes_is(space_of(&key), "base=b without row"));
    assert_int_equal(encode_case(&key, &(struct order_case){mysql, 1 | 2 | 4, false}, "file=b.000001"), SW_ORDER_NO_POSITION);
}

static void a_binlog_position_holds_all_rows_of_its_event(void **state)
{
    (void)state;
    reach_is(mysql, "b.000007:23", "file=b.000007 pos=23 row=5", 'w');
    reach_is(mysql, "b.000007:23@row=4", "file=b.000007 pos=23 row=5", 'b');
    reach_is(mysql, "b.000007:23@row=4", "file=b.000007 pos=23", 'u');
    reach_is(mysql, "b.000007:23@row=4", "file=b.000007 pos=22", 'w');
    reach_is(mysql, "b.1000000:4", "file=b.999999 pos=900", 'w');
    reach_is(mysql, "c.000007:23", "file=b.000007 pos=23", '-');
    reach_is(mysql, "base=b=000007:23", "file=b.000007 pos=23", 'w');
    prints(mysql, "file=b.7 pos=23 row=2", "b.000007:23@row=2");
    prints(mysql, "file=b.1000000 pos=4 server=9", "b.1000000:4");
    position_refused(mysql, "b.000007", "expected FILE:POSITION of the binary log, such as binlog.000042:1234, found b.000007");
}

/* "GTID Format and Storage": numbers up to 2^63-1 count within one UUID and tag; tags are not case-sensitive. */
static void gtids_count_within_their_uuid_and_tag(void **state)
{
    (void)state;
    PAIRS(gtid, {"gtid=" U ":9", "gtid=" U ":10", BEFORE}, {"gtid=" U ":9", "gtid=" V ":10", UNORDERED}, {"gtid=" U ":9", "gtid=" U ":blue:10", UNORDERED},
          {"gtid=" U ":blue:9", "gtid=" U ":BLUE:9", EQUAL}, {"gtid=3A1F0000-0000-0000-0000-000000000001:9", "gtid=" U ":9", EQUAL},
          {"gtid=" U ":9223372036854775807", "gtid=" U ":9223372036854775806", AFTER}, {"gtid=" U ":9 row=1", "gtid=" U ":9 row=2", BEFORE},
          {"gtid=" U ":9 ordinal=1 row=7", "gtid=" U ":9 ordinal=2 row=0", BEFORE});
    space_is(gtid, "gtid=" U ":9", U);
    space_is(gtid, "gtid=" U ":Blue:9", U ":blue");
    ALL(gtid, SW_ORDER_NO_POSITION, "gtid=null", "gtid=\"\"", "row=1");
    ALL(gtid, SW_ORDER_INVALID, "gtid=" U ":0", "gtid=" U ":9223372036854775808", "gtid=" U ":1-5", "gtid=" U, "gtid=5", "gtid=0-1-500", "gtid=" U ":1," U ":2", "gtid=" U ":-1");
}

/* "GTID Auto-Positioning": a position is a set, and coverage is no maximum. */
static void a_gtid_position_is_a_set(void **state)
{
    (void)state;
    const char *const set = U ":1-6:9-10:blue:3,\n " V ":1";
    reach_is(gtid, set, "gtid=" U ":6", 'w');
    reach_is(gtid, set, "gtid=" U ":7", 'b');
    reach_is(gtid, set, "gtid=" U ":9 row=3", 'w');
    reach_is(gtid, set, "gtid=" U ":11", 'b');
    reach_is(gtid, set, "gtid=" U ":blue:3", 'w');
    reach_is(gtid, set, "gtid=" U ":blue:2", 'b');
    reach_is(gtid, set, "gtid=" V ":2", 'b');
    reach_is(gtid, U ":7-7", "gtid=" U ":7", 'w');
    reach_is(gtid, U ":1", "gtid=" U ":1", 'w');
    assert_true(gtid->complete);
    position_refused(gtid, U ":100", "one GTID is one transaction, and a position by GTIDs is the set of all that it holds: write UUID:1-100 for all up to it, or UUID:100-100 for it alone");
    prints(gtid, "gtid=" U ":Blue:9 ordinal=2 row=5", U ":blue:9@ordinal=2,row=5");
}

/* "Global Transaction ID": DOMAIN-SERVER-SEQUENCE; domains are independent streams, the server is no part of the order. */
static void mariadbs_gtids_count_within_their_domain(void **state)
{
    (void)state;
    PAIRS(mariadb, {"gtid=0-1-9", "gtid=0-1-10", BEFORE}, {"gtid=0-2-9", "gtid=0-1-10", BEFORE}, {"gtid=0-1-9", "gtid=7-1-10", UNORDERED},
          {"gtid=0-1-18446744073709551615", "gtid=0-1-18446744073709551614", AFTER}, {"gtid=0-1-9 row=1", "gtid=0-1-9 row=0", AFTER},
          {"gtid=0-1-9", "gtid=0-2-9", UNORDERED}); /* diverged: two servers wrote one number */
    space_is(mariadb, "gtid=7-1-10", "domain=7");
    ALL(mariadb, SW_ORDER_NO_POSITION, "gtid=null", "gtid=\"\"");
    ALL(mariadb, SW_ORDER_INVALID, "gtid=0-1", "gtid=0-1-2-3", "gtid=0-1-18446744073709551616", "gtid=4294967296-1-1", "gtid=0-1-x", "gtid=" U ":1", "gtid=500");
    reach_is(mariadb, "0-1-500,7-3-12", "gtid=0-1-500 row=4", 'w');
    reach_is(mariadb, "0-1-500,7-3-12", "gtid=0-4-499", 'w');
    reach_is(mariadb, "0-1-500,7-3-12", "gtid=7-3-13", 'b');
    reach_is(mariadb, "0-1-500,7-3-12", "gtid=7-4-12", 'u');
    reach_is(mariadb, "0-1-500", "gtid=7-3-13", '-');
    prints(mariadb, "gtid=7-3-12 ordinal=1", "7-3-12@ordinal=1");
    position_refused(mariadb, "0-1-500,0-1-600", "there are two positions in the space 'domain=0'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_and_positions_are_numbers),
        cmocka_unit_test(file_and_position_may_stand_in_one_field),
        cmocka_unit_test(a_record_without_file_or_position_has_none),
        cmocka_unit_test(base_name_and_server_are_the_space),
        cmocka_unit_test(a_binlog_position_holds_all_rows_of_its_event),
        cmocka_unit_test(gtids_count_within_their_uuid_and_tag),
        cmocka_unit_test(a_gtid_position_is_a_set),
        cmocka_unit_test(mariadbs_gtids_count_within_their_domain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
