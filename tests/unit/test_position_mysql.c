#include "position_testing.h"

#include "position/binlog.h"
#include "position/gtid_set.h"

#define U "3a1f0000-0000-0000-0000-000000000001"
#define A "aaaaaaaa-0000-0000-0000-000000000001"
#define B "bbbbbbbb-0000-0000-0000-000000000002"

/* MySQL manual, "The Binary Log"; case O01: coordinates are numbers, not text. */
static void file_and_offset_print_as_the_server_writes_them(void **state)
{
    (void)state;
    const struct print_case cases[] = {
        {"binlog.000042:1234", "binlog.000042:1234"},
        {"bin.1000000:4", "bin.1000000:4"},
        {"bin.7:4", "bin.000007:4"},
        {"bin.000042", "bin.000042:4"},
        {"mysql.bin.a.000001:18446744073709551615", "mysql.bin.a.000001:18446744073709551615"},
        {"bin.2147483647:0", "bin.2147483647:0"},
        {"b@c.000001:4", "b@c.000001:4"},
        {"bin.000001:4@row=2,server=3A1F0000-0000-0000-0000-000000000001,event=1", "bin.000001:4@server=" U ",event=1,row=2"},
        {"bin.000001:4@gtids=" U ":2-3:1," A ":7,event=1", "bin.000001:4@event=1,gtids=" U ":1-3," A ":7"},
        {"bin.000001:4@gtids=" U ":5-3", "bin.000001:4@gtids="}, /* a set, and an empty one */
    };
    check_prints("mysql", cases, COUNT(cases));
    check_note("mysql", "bin.000042", "the head of the file is meant");
    check_note("mysql", "bin.000042:4", NULL);
}

static void what_is_no_binary_log_position_is_refused(void **state)
{
    (void)state;
    const struct refusal_case cases[] = {
        {"", "an empty text"},
        {"binlog:4", "not a binary log position"},
        {".000001:4", "not a binary log position"},
        {"bin.:4", "not a binary log position"},
        {"bin.00000x:4", "not a binary log position"},
        {"bin.000001:", "not a binary log position"},
        {"bin.000001:-4", "not a binary log position"},
        {"bin.000001:4.5", "not a binary log position"},
        {"bin.000001:18446744073709551616", "not a binary log position"},
        {"bin.2147483648:4", "up to 2147483647"},
        {"bin.00000000001:4", "not a binary log position"},
        {"b n.000001:4", "not a binary log position"},
        {"bin.000001:4@server=7", "expected a UUID"},
        {"bin.000001:4@server-id=x", "expected a decimal number"},
        {"bin.000001:4@gtids=x", "not a set of GTIDs"},
        {"2026-11-30T10:00:00Z", "is a time, not a position"},
        {"1764500000", "is a time, not a position"},
        {"1764500000123", "is a time, not a position"},
    };
    check_refusals("mysql", cases, COUNT(cases));
}

static void files_compare_by_number_then_offset_then_step(void **state)
{
    (void)state;
    const struct compare_case cases[] = {
        {"b.1000000:4", "b.999999:900", SW_POSITION_AFTER, "numbers, not text"},
        {"b.000007:123", "b.000007:23", SW_POSITION_AFTER, NULL},
        {"b.000008:4294967400", "b.000008:2147484000", SW_POSITION_AFTER, NULL},
        {"b.000008:2147483000", "b.000008:2147484000", SW_POSITION_BEFORE, NULL},
        {"b.7:4", "b.000007:4", SW_POSITION_EQUAL, NULL},
        {"b.000007:4@event=1", "b.000007:4@event=2", SW_POSITION_BEFORE, "event"},
        {"b.000007:4@event=1,row=9", "b.000007:4@event=2,row=1", SW_POSITION_BEFORE, NULL},
        {"b.000007:4@event=2,row=2", "b.000007:4@event=2,row=1", SW_POSITION_AFTER, "row"},
        {"b.000007:4@row=0", "b.000007:4", SW_POSITION_EQUAL, NULL},
        {"a.000007:4", "b.000008:4", SW_POSITION_INCOMPARABLE, "base names of the files differ"},
        {"b.000007:4@server=" U, "b.000008:4@server=" A, SW_POSITION_INCOMPARABLE, "the server_uuid differs"},
        {"b.000007:4@server=" U, "b.000008:4", SW_POSITION_INCOMPARABLE, "known on one side only"},
        {"b.000007:4@server=" U, "b.000008:4@server=3A1F0000-0000-0000-0000-000000000001", SW_POSITION_BEFORE, NULL},
        {"b.000007:4@server-id=1", "b.000008:4@server-id=2", SW_POSITION_INCOMPARABLE, "server id differs"},
        /* Debezium's snapshot offsets carry no server id: one side may lack it */
        {"b.000007:4@server-id=1", "b.000008:4", SW_POSITION_BEFORE, NULL},
    };
    check_comparisons("mysql", cases, COUNT(cases));
    check_assumption("mysql", "b.000007:4", "b.000008:4", NULL, "neither side gives its server_uuid");
    check_assumption("mysql", "b.000007:4@server-id=1", "b.000008:4", NULL, "the server id that one side does not give");
}

/* debezium BinlogHistoryRecordComparator */
static void records_with_and_without_gtids_compare_by_debeziums_rule(void **state)
{
    (void)state;
    const struct compare_case cases[] = {
        {"b.000009:4@gtids=" U ":1-5", "b.000001:4@gtids=" U ":1-7", SW_POSITION_BEFORE, "holds all of the first"},
        {"b.000009:4@gtids=" U ":1-5", "c.000001:4@gtids=" U ":1-7,server=" A, SW_POSITION_BEFORE, NULL}, /* across servers */
        {"b.000009:4@gtids=" U ":1-5", "b.000001:4@gtids=" A ":1-7", SW_POSITION_INCOMPARABLE, "neither set holds the other"},
        {"b.000009:4@gtids=" U ":1-5,event=1", "b.000001:4@gtids=" U ":1-5,event=2", SW_POSITION_BEFORE, "event"},
        {"b.000009:4@gtids=" U ":1-5", "b.000001:4@gtids=" U ":1-5", SW_POSITION_EQUAL, NULL},
        {"b.000009:4", "b.000001:4@gtids=" U ":1-5", SW_POSITION_BEFORE, "the one without is taken as older"},
        {"b.000009:4@server=" U, "b.000001:4@server=" U ",gtids=" U ":1-5", SW_POSITION_AFTER, "file number"},
    };
    check_comparisons("mysql", cases, COUNT(cases));
    check_assumption("mysql", "b.000009:4", "b.000001:4@gtids=" U ":1-5", NULL, "GTIDs were switched on");
}

static void the_file_encoder_splits_at_the_last_dot(void **state)
{
    (void)state;
    struct sw_binlog_file file = {0};
    assert_true(sw_binlog_file_parse(&file, (const uint8_t *)"my.host-bin.000042", 18));
    assert_int_equal(file.suffix, 42);
    assert_true(sw_bytes_is(file.base, "my.host-bin"));
    assert_false(sw_binlog_file_parse(&file, (const uint8_t *)"", 0));
    assert_false(sw_binlog_file_parse(&file, (const uint8_t *)"000042", 6));
    assert_int_equal(file.suffix, 42);
}

/* MySQL manual, "GTID Format and Storage", release 8.3 and later */
static void a_set_of_gtids_is_normalised(void **state)
{
    (void)state;
    const struct print_case cases[] = {
        {"", ""},
        {" \n ", ""},
        {",,", ""},
        {U, ""},                    /* a UUID without intervals is empty */
        {U ":5", U ":5"},
        {U ":1-5", U ":1-5"},
        {U ":5-5", U ":5"},
        {U ":1-3:4-5", U ":1-5"},   /* touching */
        {U ":1-3:2-9:4", U ":1-9"}, /* overlapping */
        {U ":7:1-5", U ":1-5:7"},
        {U ":5-3", ""},             /* an empty interval is no error */
        {U ":5-3:8", U ":8"},
        {"3A1F0000-0000-0000-0000-00000000000A:1", "3a1f0000-0000-0000-0000-00000000000a:1"},
        {U ":1," U ":2", U ":1-2"},
        {B ":9," A ":1-5", A ":1-5," B ":9"},
        {A ":1-5:7:blue:1-2,\n" B ":9", A ":1-5:7:blue:1-2," B ":9"},
        {" " A " : 1 - 5 : 7 : blue : 1 - 2 , " B " : 9 ,", A ":1-5:7:blue:1-2," B ":9"},
        {U ":blue:1:2:red:3:4-5", U ":blue:1-2:red:3-5"}, /* a tag holds until the next */
        {U ":Blue:1," U ":BLUE:2," U ":blue:3", U ":blue:1-3"},
        {U ":1:_x:1," U ":3", U ":1:3:_x:1"}, /* untagged again in the next uuid_set */
        {U ":abcdefghijklmnopqrstuvwxyz012345:1", U ":abcdefghijklmnopqrstuvwxyz012345:1"},
        {U ":9223372036854775807", U ":9223372036854775807"},
        {U ":1-9223372036854775807:3", U ":1-9223372036854775807"},
        {U ":0001-010", U ":1-10"}, /* decimal, whatever old servers made of it */
    };
    check_prints("mysql-gtid", cases, COUNT(cases));
    check_note("mysql-gtid", U ":010", "leading zero");
    check_note("mysql-gtid", U ":5-3", "is empty, and was left out");
    check_note("mysql-gtid", U ":1-5", NULL);
}

static void what_is_no_set_of_gtids_is_refused_at_its_byte(void **state)
{
    (void)state;
    const struct refusal_case cases[] = {
        {"x", "at byte 0 expected a UUID"},
        {"3a1f0000-0000-0000-0000-00000000000", "at byte 0 expected a UUID"},
        {"3a1f000000000000000000000000000001:1", "at byte 0 expected a UUID"},
        {U ":", "at byte 37 expected a transaction number"},
        {U ":0", "from 1 to 9223372036854775807, found '0'"},
        {U ":0-5", "expected a transaction number"},
        {U ":1-0", "expected a transaction number"},
        {U ":1-", "expected a transaction number"},
        {U ":-1", "expected a transaction number"},
        {U ":1--2", "expected a transaction number"},
        {U ":9223372036854775808", "expected a transaction number"},
        {U ":99999999999999999999999", "expected a transaction number"},
        {U ":1 2", "':' and an interval, ',' and a UUID, or the end"},
        {U ":1;" U ":2", "or the end"},
        {U " 1", "or the end"},
        {U ":blue", "':' and an interval after a tag"},
        {U ":blue:", "expected a transaction number"},
        {U ":blue:red:1", "expected a transaction number"},
        {U ":abcdefghijklmnopqrstuvwxyz0123456:1", "a tag of at most 32"},
        {U ":b-lue:1", "after a tag"},
        {U ":1@server=" U, "carries no attributes"},
        {"0-1-500", "expected a UUID"}, /* MariaDB's */
        {"2026-11-30T10:00:00Z", "is a time, not a position"},
    };
    check_refusals("mysql-gtid", cases, COUNT(cases));
}

static void sets_of_gtids_are_partially_ordered(void **state)
{
    (void)state;
    const struct compare_case cases[] = {
        {U ":1-5", U ":1-3:4-5", SW_POSITION_EQUAL, NULL},
        {"", "", SW_POSITION_EQUAL, NULL},
        {"", U ":1", SW_POSITION_BEFORE, NULL},
        {U ":1-5", U ":1-7", SW_POSITION_BEFORE, "2 transactions more, from " U ":6-7 on"},
        {U ":1-5:7", U ":1-7", SW_POSITION_BEFORE, "1 transaction more"},
        {U ":1-5", U ":1-5:blue:1", SW_POSITION_BEFORE, U ":blue:1 on"},
        {U ":1", U ":blue:1", SW_POSITION_INCOMPARABLE, "neither set holds the other"}, /* two sequences */
        {U ":blue:1", U ":BLUE:1", SW_POSITION_EQUAL, NULL},
        {A ":1-5", B ":1-5", SW_POSITION_INCOMPARABLE, "diverged, or were filtered differently"},
        {A ":1-5," B ":1", A ":1-4," B ":1-2", SW_POSITION_INCOMPARABLE, NULL},
        {A ":1-9223372036854775807," B ":1-9223372036854775807", A ":1," B ":1", SW_POSITION_AFTER, NULL},
    };
    check_comparisons("mysql-gtid", cases, COUNT(cases));
}

static void set_algebra_is_defined_for_each_uuid_and_tag(void **state)
{
    (void)state;
    const struct set_case cases[] = {
        {U ":1-10", U ":4-6", U ":1-10", U ":1-3:7-10", U ":4-6", true},
        {U ":1-5", U ":3-8", U ":1-8", U ":1-2", U ":3-5", false},
        {U ":1-3", U ":4-6", U ":1-6", U ":1-3", "", false}, /* union joins what touches */
        {U ":1-3:7-9", U ":2-8", U ":1-9", U ":1:9", U ":2-3:7-8", false},
        {"", U ":1", U ":1", "", "", false},
        {U ":1", "", U ":1", U ":1", "", true},
        {"", "", "", "", "", true},
        {A ":1-5:blue:1-5", A ":blue:2," B ":1", A ":1-5:blue:1-5," B ":1", A ":1-5:blue:1:3-5", A ":blue:2", false},
        {U ":1-9223372036854775807", U ":2", U ":1-9223372036854775807", U ":1:3-9223372036854775807", U ":2", true},
        /* P − S of the resumable rule, and case O25 */
        {U ":1-100", U ":1-40:51-200", U ":1-200", U ":41-50", U ":1-40:51-100", false},
        {U ":1-10", U ":1-7:9-10", U ":1-10", U ":8", U ":1-7:9-10", true},
    };
    check_sets("mysql-gtid", cases, COUNT(cases));
}

static void other_kinds_and_scalars_are_no_sets(void **state)
{
    (void)state;
    struct sw_position *a = read_position("mysql-gtid", U ":1"), *b = read_position("mariadb", "0-1-5"), *c = read_position("mysql", "b.1:4"), *made = NULL;
    struct sw_error error = {0};
    struct sw_position_comparison answer;
    bool contains = true;
    assert_int_equal(sw_position_unite(&made, a, b, &error), SW_ERR_INPUT);
    assert_null(made);
    assert_int_equal(sw_position_contains(&contains, c, c, NULL), SW_ERR_UNSUPPORTED);
    assert_false(contains);
    assert_int_equal(sw_position_compare(&answer, a, b, NULL), SW_POSITION_INCOMPARABLE);
    assert_non_null(strstr(answer.reason, "different logs"));
    sw_position_free(&a);
    sw_position_free(&b);
    sw_position_free(&c);
}

static void transactions_are_counted_without_overflow(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t count;
    } cases[] = {{"", 0}, {U ":1-5:7", 6}, {A ":1-9223372036854775807", INT64_MAX}, {A ":1-9223372036854775807:x:1-9223372036854775807:y:1-9223372036854775807", UINT64_MAX}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sw_position *set = read_position("mysql-gtid", cases[i].text);
        assert_true(sw_position_count(set) == cases[i].count);
        sw_position_free(&set);
    }
}

static void one_gtid_is_read_and_looked_up(void **state)
{
    (void)state;
    struct sw_gtid gtid;
    struct sw_gtid_set set = {0};
    assert_int_equal(sw_gtid_set_parse(&set, sw_bytes_text(A ":1-5:9-12:Blue:3," B ":2"), NULL, NULL), SW_OK);
    static const struct {
        const char *text;
        bool in;
    } cases[] = {{A ":1", true}, {A ":5", true}, {A ":6", false}, {A ":9", true}, {A ":13", false}, {A ":BLUE:3", true}, {A ":blue:1", false}, {A ":red:3", false}, {B ":2", true}, {U ":1", false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_true(sw_gtid_parse(&gtid, (const uint8_t *)cases[i].text, strlen(cases[i].text)));
        assert_int_equal(sw_gtid_set_has(&set, &gtid), cases[i].in);
    }
    static const char *const wrong[] = {"", A, A ":", A ":0", A ":1-2", A ":blue", A ":blue:0", A ":1:2", A ": 1", A ":9223372036854775808", A ":abcdefghijklmnopqrstuvwxyz0123456:1"};
    for (size_t i = 0; i < COUNT(wrong); i++)
        assert_false(sw_gtid_parse(&gtid, (const uint8_t *)wrong[i], strlen(wrong[i])));
    sw_gtid_set_free(&set);
}

static void a_set_can_be_restricted_to_some_servers(void **state)
{
    (void)state;
    struct sw_gtid_set set = {0}, part = {0};
    uint8_t uuids[1][16] = {{0xaa, 0xaa, 0xaa, 0xaa, [15] = 1}};
    struct sw_buffer text = {0};
    assert_int_equal(sw_gtid_set_parse(&set, sw_bytes_text(A ":1-5:blue:7," B ":2"), NULL, NULL), SW_OK);
    assert_int_equal(sw_gtid_set_restrict(&part, &set, (const uint8_t(*)[16])uuids, 1, false, NULL), SW_OK);
    sw_gtid_set_print(&text, &part);
    assert_string_equal(sw_buffer_text(&text), A ":1-5:blue:7");
    sw_gtid_set_free(&part);
    sw_buffer_clear(&text);
    assert_int_equal(sw_gtid_set_restrict(&part, &set, (const uint8_t(*)[16])uuids, 1, true, NULL), SW_OK);
    sw_gtid_set_print(&text, &part);
    assert_string_equal(sw_buffer_text(&text), B ":2");
    sw_gtid_set_free(&part);
    sw_gtid_set_free(&set);
    sw_buffer_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(file_and_offset_print_as_the_server_writes_them),
        cmocka_unit_test(what_is_no_binary_log_position_is_refused),
        cmocka_unit_test(files_compare_by_number_then_offset_then_step),
        cmocka_unit_test(records_with_and_without_gtids_compare_by_debeziums_rule),
        cmocka_unit_test(the_file_encoder_splits_at_the_last_dot),
        cmocka_unit_test(a_set_of_gtids_is_normalised),
        cmocka_unit_test(what_is_no_set_of_gtids_is_refused_at_its_byte),
        cmocka_unit_test(sets_of_gtids_are_partially_ordered),
        cmocka_unit_test(set_algebra_is_defined_for_each_uuid_and_tag),
        cmocka_unit_test(other_kinds_and_scalars_are_no_sets),
        cmocka_unit_test(transactions_are_counted_without_overflow),
        cmocka_unit_test(one_gtid_is_read_and_looked_up),
        cmocka_unit_test(a_set_can_be_restricted_to_some_servers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
