/* Positions of several streams: MariaDB's domains, Kafka's partitions. */
#include "position_testing.h"

#include "position/kafka.h"
#include "position/mariadb_gtid.h"

static void a_mariadb_position_prints_by_domain(void **state)
{
    (void)state;
    const struct print_case cases[] = {
        {"0-1-500", "0-1-500"},
        {"7-3-12,0-1-500", "0-1-500,7-3-12"},
        {" 7-3-12 ,\n 0-1-500 ", "0-1-500,7-3-12"},
        {"4294967295-4294967295-18446744073709551615", "4294967295-4294967295-18446744073709551615"},
        {"00-01-05", "0-1-5"},
        {"", ""},
        {"0-1-5@strict=on", "0-1-5@strict=on"},
        {"2026-11-30", "2026-11-30"}, /* a GTID: domain 2026, server 11, sequence 30 */
    };
    check_prints("mariadb", cases, COUNT(cases));
}

static void what_is_no_mariadb_position_is_refused(void **state)
{
    (void)state;
    const struct refusal_case cases[] = {
        {"0-1", "not a MariaDB position"},
        {"0-1-", "not a MariaDB position"},
        {"0-1-5-6", "expected ',' and another GTID"},
        {"0-1-5,", "expected ',' and another GTID"},
        {",0-1-5", "not a MariaDB position"},
        {"0-1-5;1-1-1", "expected ',' and another GTID"},
        {"4294967296-1-5", "not a MariaDB position"},
        {"0-4294967296-5", "not a MariaDB position"},
        {"0-1-18446744073709551616", "not a MariaDB position"},
        {"0-1--5", "not a MariaDB position"},
        {"0-1-5,0-2-6", "domain 0 is there twice"},
        {"3-1-5,0-2-6,3-1-7", "domain 3 is there twice"},
        {"3a1f0000-0000-0000-0000-000000000001:1-5", "not a MariaDB position"}, /* MySQL's */
        {"0-1-5@strict=yes", "expected on or off"},
        {"2026-11-30T10:00:00Z", "is a time, not a position"},
    };
    check_refusals("mariadb", cases, COUNT(cases));
}

/* MariaDB documentation, "Global Transaction ID", "gtid_strict_mode" */
static void mariadb_positions_are_ordered_domain_by_domain(void **state)
{
    (void)state;
    const struct compare_case cases[] = {
        {"0-1-9", "0-1-10", SW_POSITION_BEFORE, "behind in 1 domains (such as 0)"},
        {"0-1-9", "0-2-10", SW_POSITION_BEFORE, NULL}, /* the server is no part of the order */
        {"0-1-10", "0-1-10", SW_POSITION_EQUAL, NULL},
        {"0-1-10", "0-2-10", SW_POSITION_INCOMPARABLE, "written by server 1 and by server 2: the histories diverged"},
        {"0-1-10,7-1-1", "0-1-9,7-1-2", SW_POSITION_INCOMPARABLE, "domains are streams of their own"},
        {"0-1-9,7-1-1", "0-1-10,7-1-1", SW_POSITION_BEFORE, NULL},
        {"0-1-9", "0-1-9,7-1-1", SW_POSITION_BEFORE, "such as 7"}, /* the whole domain is unseen */
        {"0-1-9", "7-1-1", SW_POSITION_INCOMPARABLE, NULL},
        {"", "0-1-9", SW_POSITION_BEFORE, NULL},
        {"0-1-9@strict=off", "0-1-10", SW_POSITION_INCOMPARABLE, "gtid_strict_mode is off"},
        {"0-1-9@strict=off", "0-1-9@strict=off", SW_POSITION_EQUAL, NULL},
        {"0-1-9@strict=on", "0-1-10@strict=off", SW_POSITION_INCOMPARABLE, "gtid_strict_mode differs"},
    };
    check_comparisons("mariadb", cases, COUNT(cases));
    check_assumption("mariadb", "0-1-9", "0-1-10", NULL, "gtid_strict_mode, which is off by default");
    check_assumption("mariadb", "0-1-9@strict=on", "0-1-10@strict=on", NULL, "");
}

static void mariadb_vectors_form_a_lattice(void **state)
{
    (void)state;
    const struct set_case cases[] = {
        {"0-1-9,7-1-1", "0-1-10", "0-1-10,7-1-1", "7-1-1", "0-1-9", false},
        {"0-1-10,7-1-1", "0-1-9", "0-1-10,7-1-1", "0-1-10,7-1-1", "0-1-9", true},
        {"0-1-10", "0-1-10", "0-1-10", "", "0-1-10", true},
        {"", "0-1-10", "0-1-10", "", "", false},
        {"0-1-10", "0-2-10", NULL, NULL, NULL, false}, /* diverged */
    };
    check_sets("mariadb", cases, COUNT(cases));
    struct sw_mariadb_gtid gtid = {0};
    assert_true(sw_mariadb_gtid_parse(&gtid, (const uint8_t *)"7-3-12", 6));
    assert_int_equal(gtid.domain, 7);
    assert_int_equal(gtid.server, 3);
    assert_int_equal(gtid.sequence, 12);
    assert_false(sw_mariadb_gtid_parse(&gtid, (const uint8_t *)"7-3-12,", 7));
    assert_false(sw_mariadb_gtid_parse(&gtid, (const uint8_t *)"", 0));
}

static void kafka_offsets_print_by_topic_and_partition(void **state)
{
    (void)state;
    const struct print_case cases[] = {
        {"orders:0:500", "orders:0:500"},
        {"orders:10:1,orders:2:3", "orders:2:3,orders:10:1"}, /* numbers, not text */
        {"orders:0:500\norders:1:700\n", "orders:0:500,orders:1:700"}, /* as kafka-get-offsets prints */
        {"orders:0:500\r\n orders:1:700", "orders:0:500,orders:1:700"},
        {"b:0:1,a:0:2", "a:0:2,b:0:1"},
        {"A.b_c-9:2147483647:9223372036854775807", "A.b_c-9:2147483647:9223372036854775807"},
        {"500", "500"},
        {"", ""},
        {"orders:0:500@topic-id=XyZ,cluster=abc", "orders:0:500@cluster=abc,topic-id=XyZ"},
        {"a:0:1,b:0:2@topic-id=a:X,b:Y,cluster=c", "a:0:1,b:0:2@cluster=c,topic-id=a:X,b:Y"},
    };
    check_prints("kafka", cases, COUNT(cases));
    check_note("kafka", "500", "no topic and partition");
    check_note("kafka", "1764500000", "reads as a time");
    check_note("kafka", "orders:0:1764500000", NULL);
}

static void what_is_no_map_of_offsets_is_refused(void **state)
{
    (void)state;
    const struct refusal_case cases[] = {
        {"orders:0", "not a map of Kafka offsets"},
        {"orders:0:", "not a map of Kafka offsets"},
        {"orders::5", "not a map of Kafka offsets"},
        {":0:5", "not a map of Kafka offsets"},
        {"orders:0:-1", "mean latest and earliest, and are no positions"},
        {"-1", "not a map of Kafka offsets"},
        {"orders:-1:5", "not a map of Kafka offsets"},
        {"orders:2147483648:5", "not a map of Kafka offsets"},
        {"orders:0:9223372036854775808", "not a map of Kafka offsets"},
        {"9223372036854775808", "not a map of Kafka offsets"},
        {"or ders:0:5", "not a map of Kafka offsets"},
        {"orders:0:5 orders:1:6", "expected ',' or a new line"},
        {"orders:0:5,5", "not a map of Kafka offsets"},
        {"orders:0:5,orders:0:6", "partition orders:0 is there twice"},
        {"a:0:1@topic-id=", "topic-id of a kafka position is empty"},
        {"a:0:1,b:0:2@topic-id=X", "expected TOPIC:ID for each"},
        {"2026-11-30T10:00:00Z", "is a time, not a position"},
        {"10:00", "is a time, not a position"},
    };
    check_refusals("kafka", cases, COUNT(cases));
}

static void partitions_have_no_order_among_each_other(void **state)
{
    (void)state;
    const struct compare_case cases[] = {
        {"orders:0:500", "orders:0:700", SW_POSITION_BEFORE, "offsets may be missing in between by right"},
        {"orders:0:500", "orders:0:500", SW_POSITION_EQUAL, NULL},
        {"orders:0:500,orders:1:9", "orders:0:700,orders:1:8", SW_POSITION_INCOMPARABLE, "behind in 'orders':0 and ahead in 'orders':1"},
        {"orders:0:500,orders:1:9", "orders:0:700,orders:1:9", SW_POSITION_BEFORE, NULL},
        {"orders:0:500", "orders:0:700,orders:1:0", SW_POSITION_INCOMPARABLE, "only the second position has an offset for 'orders':1"},
        {"orders:0:500", "pays:0:700", SW_POSITION_INCOMPARABLE, NULL},
        {"500", "700", SW_POSITION_BEFORE, NULL},
        {"500", "orders:0:700", SW_POSITION_INCOMPARABLE, NULL},
        {"orders:0:5@cluster=a", "orders:0:6@cluster=b", SW_POSITION_INCOMPARABLE, "cluster id differs"},
        {"orders:0:5@topic-id=a", "orders:0:6@topic-id=b", SW_POSITION_INCOMPARABLE, "topic id differs"}, /* recreated */
        {"orders:0:5@topic-id=a", "orders:0:6", SW_POSITION_INCOMPARABLE, "known on one side only"},
    };
    check_comparisons("kafka", cases, COUNT(cases));
    check_assumption("kafka", "500", "700", NULL, "both offsets are of one partition");
    check_assumption("kafka", "orders:0:5", "orders:0:6", NULL, "neither side gives its cluster id, topic id");
}

static void kafka_maps_form_a_lattice(void **state)
{
    (void)state;
    const struct set_case cases[] = {
        {"a:0:5,a:1:9", "a:0:7,b:0:1", "a:0:7,a:1:9,b:0:1", "a:1:9", "a:0:5", false},
        {"a:0:7,a:1:9", "a:0:5", "a:0:7,a:1:9", "a:0:7,a:1:9", "a:0:5", true},
        {"a:0:5@cluster=x", "a:0:3@cluster=x", "a:0:5@cluster=x", "a:0:5@cluster=x", "a:0:3@cluster=x", true},
    };
    check_sets("kafka", cases, COUNT(cases));
    struct sw_position *a = read_position("kafka", "a:0:5@cluster=x"), *b = read_position("kafka", "a:0:5@cluster=y"), *made = NULL;
    bool contains = true;
    assert_int_equal(sw_position_unite(&made, a, b, NULL), SW_ERR_INPUT);
    assert_int_equal(sw_position_contains(&contains, a, b, NULL), SW_ERR_INPUT);
    assert_false(contains);
    sw_position_free(&a);
    sw_position_free(&b);
    /* a bare offset is of no known partition */
    a = read_position("kafka", "5");
    b = read_position("kafka", "b:0:5");
    assert_int_equal(sw_position_unite(&made, a, b, NULL), SW_ERR_INPUT);
    assert_null(made);
    sw_position_free(&a);
    sw_position_free(&b);
    /* one topic id cannot be that of two topics */
    a = read_position("kafka", "a:0:5@topic-id=X");
    b = read_position("kafka", "b:0:5@topic-id=X");
    assert_int_equal(sw_position_unite(&made, a, b, NULL), SW_ERR_INPUT);
    assert_null(made);
    sw_position_free(&a);
    sw_position_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mariadb_position_prints_by_domain),
        cmocka_unit_test(what_is_no_mariadb_position_is_refused),
        cmocka_unit_test(mariadb_positions_are_ordered_domain_by_domain),
        cmocka_unit_test(mariadb_vectors_form_a_lattice),
        cmocka_unit_test(kafka_offsets_print_by_topic_and_partition),
        cmocka_unit_test(what_is_no_map_of_offsets_is_refused),
        cmocka_unit_test(partitions_have_no_order_among_each_other),
        cmocka_unit_test(kafka_maps_form_a_lattice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
