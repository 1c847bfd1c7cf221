/* The orders of Oracle, SQL Server, MongoDB and Kafka. Sources: Oracle Database Reference, V$LOGMNR_CONTENTS; debezium Scn.java; Microsoft Learn,
 * cdc.<capture_instance>_CT; debezium TxLogPosition.java; MongoDB manual, Timestamp (BSON), Change Events; Apache Kafka documentation, Design. */
#include "order_testing.h"

static const struct sw_order *const oracle = &sw_order_oracle, *const sqlserver = &sw_order_sqlserver, *const db2 = &sw_order_db2, *const mongodb = &sw_order_mongodb, *const kafka = &sw_order_kafka;

/* debezium Scn.java keeps SCNs as big integers; a double holds 2^53. */
static void scns_are_exact_decimal_numbers(void **state)
{
    (void)state;
    PAIRS(oracle, {"scn=9", "scn=10", BEFORE}, {"scn=\"9007199254740993\"", "scn=9007199254740992", AFTER}, {"scn=\"18446744073709551616\"", "scn=18446744073709551615", AFTER},
          {"scn=\"18446744073709551617\"", "scn=\"18446744073709551616\"", AFTER}, {"scn=0x0001.00000000", "scn=4294967296", EQUAL}, {"scn=\"007\"", "scn=7", EQUAL},
          {"commit_scn=5 scn=9", "commit_scn=6 scn=2", BEFORE}, {"commit_scn=6 scn=2", "commit_scn=6 scn=3", BEFORE});
    ALL(oracle, SW_ORDER_NO_POSITION, "scn=null", "scn=0", "scn=\"0\"", "rs_id=null", "ssn=5");
    ALL(oracle, SW_ORDER_INVALID, "scn=-1", "scn=1.5", "scn=x", "scn=\"\"", "scn=\"123456789012345678901234567890123456789\"", "scn=5 rs_id=x", "scn=5 ssn=-1", "scn={}");
}

/* V$LOGMNR_CONTENTS: RS_ID is log sequence, block and byte in hexadecimal, and with SSN names the record of one redo thread. */
static void rs_id_and_ssn_break_ties_within_a_redo_thread(void **state)
{
    (void)state;
    PAIRS(oracle, {"scn=5 | rs_id=\" 0x000019.00000002.0010 \"", "scn=5 | rs_id=\" 0x000019.0000000a.0004 \"", BEFORE}, {"scn=5 rs_id=0x9.1.1", "scn=5 rs_id=0x10.0.0", BEFORE},
          {"scn=5 rs_id=0x9.1.1 ssn=9", "scn=5 rs_id=0x9.1.1 ssn=10", BEFORE}, {"scn=5 thread=1 rs_id=0x9.1.1", "scn=5 thread=2 rs_id=0x10.0.0", UNORDERED},
          {"scn=5 thread=2 rs_id=0x9.1.1", "scn=6 thread=1 rs_id=0x1.0.0", BEFORE}, {"scn=5 thread=1 rs_id=0x9.1.1", "scn=5 thread=1 rs_id=0x9.1.2", BEFORE});
    space_is(oracle, "scn=5 incarnation=2 dbid=77", "dbid=77 incarnation=2");
    PAIRS(oracle, {"scn=5 incarnation=1", "scn=6 incarnation=2", UNORDERED});
    struct sw_order_key read, before, after; /* a row that was read AS OF an SCN stands behind the commits up to it */
    const uint32_t declared = 1u << 0 | 1u << 1; /* scn, commit_scn */
    assert_int_equal(encode_case(&read, &(struct order_case){oracle, declared, true}, "scn=100 commit_scn=null"), SW_ORDER_OK);
    assert_int_equal(encode_case(&before, &(struct order_case){oracle, declared, false}, "scn=90 commit_scn=100"), SW_ORDER_OK);
    assert_int_equal(encode_case(&after, &(struct order_case){oracle, declared, false}, "scn=95 commit_scn=101"), SW_ORDER_OK);
    assert_int_equal(read.space_len, 0);
    assert_int_equal(sw_version_compare(oracle, version_of(&before), version_of(&read)), SW_VERSION_BEFORE);
    assert_int_equal(sw_version_compare(oracle, version_of(&read), version_of(&after)), SW_VERSION_BEFORE);
    prints(oracle, "scn=\"18446744073709551616\" | commit_scn=7 | thread=1 | rs_id=\" 0x000019.00000002.0010 \" | ssn=3", "18446744073709551616@commit_scn=7,thread=1,rs_id=0x000019.00000002.0010,ssn=3");
}

static void an_scn_as_a_position_is_that_of_a_commit(void **state)
{
    (void)state;
    reach_is(oracle, "10", "commit_scn=10 scn=5", 'w');
    reach_is(oracle, "9", "commit_scn=10 scn=5", 'b');
    reach_is(oracle, "9", "scn=9 ssn=4", 'w');
    reach_is(oracle, "9@incarnation=1", "scn=9 incarnation=2", '-');
    reach_is(oracle, "9@thread=1,rs_id=0x1.1.1", "scn=9 thread=2 rs_id=0x1.1.0", 'u');
    reach_is(oracle, "9@commit_scn=12", "commit_scn=12 scn=10", 'b');
    position_refused(oracle, "10:00:00", "expected an SCN such as 8823771 (0 is none), found 10:00:00");
}

/* TxLogPosition: commit, then change, then event_serial_no; "NULL" stands for none. Microsoft Learn: ten bytes, in several spellings. */
static void sql_servers_lsns_are_numbers_of_ten_bytes(void **state)
{
    (void)state;
    PAIRS(sqlserver, {"commit_lsn=0000002a:00000758:0003", "commit_lsn=0000002b:00000001:0001", BEFORE}, {"commit_lsn=0000002A:00000758:0003", "commit_lsn=0x0000002a000007580003", EQUAL},
          {"commit_lsn=\"0000002a000007580003\"", "commit_lsn=2a:758:3", EQUAL}, {"commit_lsn=80000000:0:0", "commit_lsn=7fffffff:0:0", AFTER},
          {"commit_lsn=2a:758:3 change_lsn=2a:700:9", "commit_lsn=2a:758:4 change_lsn=2a:600:1", BEFORE}, {"commit_lsn=2a:758:3 change_lsn=2a:700:2", "commit_lsn=2a:758:3 change_lsn=2a:700:1", AFTER},
          {"commit_lsn=2a:758:3 change_lsn=2a:700:2 serial=1", "commit_lsn=2a:758:3 change_lsn=2a:700:2 serial=2", BEFORE}, {"commit_lsn=2a:1:1 database=a", "commit_lsn=2a:1:2 database=b", UNORDERED});
    ALL(sqlserver, SW_ORDER_NO_POSITION, "commit_lsn=NULL", "commit_lsn=null", "change_lsn=2a:758:3", "commit_lsn=00000000:00000000:0000", "commit_lsn=\"00\"", "commit_lsn=\"00000000000000000000\"");
    ALL(sqlserver, SW_ORDER_INVALID, "commit_lsn=x", "commit_lsn=2a:758", "commit_lsn=123456789:0:1", "commit_lsn=42", "commit_lsn=2a:758:3 change_lsn=x", "commit_lsn=2a:758:3 serial=-1");
    reach_is(sqlserver, "2a:758:3", "commit_lsn=2a:758:3 change_lsn=2a:700:2 serial=9", 'w');
    reach_is(sqlserver, "2a:758:3/2a:700:2/1", "commit_lsn=2a:758:3 change_lsn=2a:700:2 serial=2", 'b');
    prints(sqlserver, "commit_lsn=2a:758:3 change_lsn=2a:700:2 serial=9", "0000002a:00000758:0003/0000002a:00000700:0002/9");
}

/* debezium-connector-db2, Lsn.java: sixteen bytes, with colons behind the fourth and the eighth. */
#define DB2(high, low) "commit_lsn=00000000:" high ":" low
static void db2s_lsns_are_numbers_of_sixteen_bytes(void **state)
{
    (void)state;
    PAIRS(db2, {DB2("0000150f", "0000000000048fca"), DB2("0000187a", "000000000004c4e9"), BEFORE}, {DB2("0000150F", "0000000000048FCA"), "commit_lsn=000000000000150f0000000000048fca", EQUAL},
          {DB2("80000000", "0000000000000000"), DB2("7fffffff", "ffffffffffffffff"), AFTER},
          {DB2("0000150f", "0000000000000001 change_lsn=00000000:00000000:0000000000000009"), DB2("0000150f", "0000000000000002 change_lsn=00000000:00000000:0000000000000001"), BEFORE},
          {DB2("0000150f", "0000000000000001 change_lsn=00000000:00000000:0000000000000002"), DB2("0000150f", "0000000000000001 change_lsn=00000000:00000000:0000000000000001"), AFTER},
          {DB2("0000150f", "0000000000000001 database=a"), DB2("0000150f", "0000000000000002 database=b"), UNORDERED});
    ALL(db2, SW_ORDER_NO_POSITION, "commit_lsn=NULL", "commit_lsn=null", "change_lsn=00000000:00000000:0000000000000009", "commit_lsn=00000000:00000000:0000000000000000");
    ALL(db2, SW_ORDER_INVALID, "commit_lsn=x", "commit_lsn=0000002a:00000758:0003", "commit_lsn=00000000:0000150f:0000000000048fcg", "commit_lsn=00000000-0000150f-0000000000048fca", "commit_lsn=42",
        DB2("0000150f", "0000000000048fca change_lsn=x"));
    reach_is(db2, "00000000:0000150f:0000000000048fca", DB2("0000150f", "0000000000048fca change_lsn=00000000:00000000:0000000000000009"), 'w');
    prints(db2, DB2("0000150f", "0000000000048fca change_lsn=000000000000000000000000048cc972"), "00000000:0000150f:0000000000048fca/00000000:00000000:00000000048cc972");
}

/* "Timestamp (BSON)": seconds and a counter within the second, both 32 bits. */
static void cluster_times_compare_by_seconds_and_counter(void **state)
{
    (void)state;
    PAIRS(mongodb, {"time=Timestamp(9,5)", "time=Timestamp(10,1)", BEFORE}, {"time=10:2", "time=10:10", BEFORE},
          {"time={\"$timestamp\":{\"t\":1764500000,\"i\":3}}", "time=Timestamp(1764500000,3)", EQUAL}, {"time=4294967295:1", "time=2147483647:4294967295", AFTER},
          {"time=10:2 ordinal=0", "time=10:2 ordinal=1", BEFORE}, {"time=826926A7600000000300", "time=1764140896:3", EQUAL}, {"time={\"_data\":\"826926A7600000000300\"}", "time=1764140896:4", BEFORE},
          {"time=10:2 cluster=a", "time=10:3 cluster=b", UNORDERED});
    ALL(mongodb, SW_ORDER_NO_POSITION, "time=null", "time=0:0", "ordinal=4");
    ALL(mongodb, SW_ORDER_INVALID, "time=1764500000123", "time=2026-01-01T00:00:00Z", "time=4294967296:1", "time={}", "time={\"$timestamp\":{\"t\":1}}", "time=\"\"", "time=10", "time={\"_data\":\"99\"}");
    reach_is(mongodb, "Timestamp(10,2)", "time=10:2 ordinal=8", 'w');
    reach_is(mongodb, "10:2", "time=10:3", 'b');
    position_refused(mongodb, "826926A7600000000300",
                     "expected a cluster time such as Timestamp(1764500000,3); a resume token stands within a time and is none, found 826926A7600000000300");
    prints(mongodb, "time=10:2", "Timestamp(10,2)");
}

/* "Design": an order within a partition, none between them. */
static void offsets_count_within_a_partition(void **state)
{
    (void)state;
    PAIRS(kafka, {"offset=9 partition=0", "offset=10 partition=0", BEFORE}, {"offset=9 partition=0", "offset=10 partition=1", UNORDERED}, {"offset=9223372036854775807", "offset=9223372036854775806", AFTER},
          {"offset=\"9\" partition=\"0\" topic=t", "offset=9 partition=0 topic=t", EQUAL}, {"offset=9 topic=a", "offset=10 topic=b", UNORDERED});
    space_is(kafka, "offset=5 partition=3 topic=orders cluster=c", "cluster=c topic=orders partition=3");
    ALL(kafka, SW_ORDER_NO_POSITION, "offset=null", "partition=0");
    ALL(kafka, SW_ORDER_INVALID, "offset=-1", "offset=x", "offset=1.5", "offset=[]");
    reach_is(kafka, "orders:0:5,orders:1:9", "offset=9 partition=1 topic=orders", 'w');
    reach_is(kafka, "orders:0:5,orders:1:9", "offset=6 partition=0 topic=orders", 'b');
    reach_is(kafka, "orders:0:5,orders:1:9@cluster=c", "offset=6 partition=0 topic=orders cluster=c", 'b');
    reach_is(kafka, "5", "offset=5", 'w');
    prints(kafka, "offset=5 partition=3 topic=orders", "orders:3:5");
    position_refused(kafka, "orders:5", "expected the offset of a record, OFFSET or TOPIC:PARTITION:OFFSET, found orders:5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scns_are_exact_decimal_numbers),
        cmocka_unit_test(rs_id_and_ssn_break_ties_within_a_redo_thread),
        cmocka_unit_test(an_scn_as_a_position_is_that_of_a_commit),
        cmocka_unit_test(sql_servers_lsns_are_numbers_of_ten_bytes),
        cmocka_unit_test(db2s_lsns_are_numbers_of_sixteen_bytes),
        cmocka_unit_test(cluster_times_compare_by_seconds_and_counter),
        cmocka_unit_test(offsets_count_within_a_partition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
