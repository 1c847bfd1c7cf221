/* The order of PostgreSQL's positions. Sources: PostgreSQL manual, "pg_lsn Type" and regression test pg_lsn; "Logical Decoding
 * Concepts"; debezium SourceInfo.sequence and PostgresStreamingChangeEventSource.commitMessage; postgres commit 2633dae (padding). */
#include "order_testing.h"

static const struct sw_order *const postgres = &sw_order_postgres;

/* "pg_lsn Type": 64 bits in two halves, hexadecimal, either case. Debezium writes the same value as a decimal number. */
static void an_lsn_is_a_number_in_any_spelling(void **state)
{
    (void)state;
    PAIRS(postgres, {"lsn=9/0", "lsn=10/0", BEFORE}, {"lsn=0/FFFFFFFF", "lsn=1/0", BEFORE}, {"lsn=0/16E9A28", "lsn=0/016E9A28", EQUAL}, {"lsn=0/16e9a28", "lsn=24025640", EQUAL},
          {"lsn=FFFFFFFF/FFFFFFFF", "lsn=18446744073709551615", EQUAL}, {"lsn=2147483648", "lsn=2147483647", AFTER}, {"lsn=1/0", "lsn=4294967296", EQUAL},
          {"lsn=\"24025640\"", "lsn=24025640", EQUAL}, {"lsn=\"0\\/16E9A28\"", "lsn=0/16E9A28", EQUAL});
}

/* "Logical Decoding Concepts": transactions come in the order of their commits, however their changes interleave. */
static void the_commit_decides_before_the_change(void **state)
{
    (void)state;
    PAIRS(postgres, {"commit_lsn=0/90 lsn=0/60", "commit_lsn=0/A0 lsn=0/30", BEFORE}, {"commit_lsn=0/A0 lsn=0/30", "commit_lsn=0/A0 lsn=0/50", BEFORE},
          {"commit_lsn=0/A0 lsn=0/30 ordinal=1", "commit_lsn=0/A0 lsn=0/30 ordinal=2", BEFORE}, {"commit_lsn=0/A0 ordinal=9", "commit_lsn=0/A0 ordinal=10", BEFORE},
          {"lsn=0/500", "lsn=0/500", EQUAL});
}

/* SourceInfo.sequence: ["last commit","this change"]; the first is the commit before this transaction, and null before a connector has seen any, which may be far up in the log if it was made anew
 * (MaterializeInc/materialize#14211). */
static void debeziums_sequence_is_a_prefix_and_null_is_before_the_next_commit_only(void **state)
{
    (void)state;
    PAIRS(postgres, {"sequence=\"[\\\"100\\\",\\\"60\\\"]\" | lsn=60", "sequence=\"[\\\"160\\\",\\\"48\\\"]\" | lsn=48", BEFORE},
          {"sequence=[null,\"300\"] | lsn=300", "sequence=[\"320\",\"330\"] | lsn=330", BEFORE}, {"sequence=[null,\"300\"] | lsn=300", "sequence=[\"320\",\"290\"] | lsn=290", BEFORE},
          {"sequence=[\"200\",\"250\"] | lsn=250", "sequence=[null,\"300\"] | lsn=300", BEFORE}, {"sequence=[null,\"300\"]", "sequence=[null,\"301\"]", BEFORE}, {"sequence=[\"200\",\"250\"]", "sequence=[\"200\",\"251\"]", BEFORE},
          {"sequence=[\"200\",null] | lsn=250", "sequence=[\"200\",\"250\"] | lsn=250", EQUAL}, {"sequence=[\"null\",\"250\"]", "sequence=[null,\"250\"]", EQUAL});
    ALL(postgres, SW_ORDER_INVALID, "sequence=[\"200\" | lsn=1", "sequence=[\"x\",\"250\"] | lsn=1", "sequence={} | lsn=1", "sequence=[\"1\",\"2\",\"3\"]", "sequence=[1.5,\"2\"]");
}

static void what_is_no_lsn_is_refused_and_what_is_none_has_no_position(void **state)
{
    (void)state;
    ALL(postgres, SW_ORDER_NO_POSITION, "lsn=null", "lsn=0/0", "lsn=0", "ordinal=5", "lsn=null commit_lsn=null", "lsn=null timeline=2", "sequence=[\"200\",null]");
    ALL(postgres, SW_ORDER_INVALID, "lsn=0/", "lsn=/5", "lsn=0/123456789", "lsn=-5", "lsn=0x5/1", "lsn=0/G", "lsn=\"\"", "lsn={}", "lsn=[]", "lsn=18446744073709551616", "lsn=1/2/3",
        "lsn=\" 0/5\" | ordinal=1", "lsn=1.0", "lsn=0/5 ordinal=-1", "lsn=0/5 ordinal=x", "lsn=0/5 commit_lsn=x");
    problem_is(postgres, "lsn=0/zz", "lsn is an LSN: HIGH/LOW in hexadecimal, or one decimal number; found 0/zz");
}

/* A timeline is a branch of the WAL: the same LSN may be different data ("Continuous Archiving: Timelines"). */
static void system_and_timeline_are_the_space(void **state)
{
    (void)state;
    space_is(postgres, "lsn=0/5", "");
    space_is(postgres, "lsn=0/5 timeline=2", "timeline=2");
    space_is(postgres, "timeline=2 system=7301234567890123456 lsn=0/5", "system=7301234567890123456 timeline=2");
    PAIRS(postgres, {"lsn=0/5 timeline=1", "lsn=0/6 timeline=2", UNORDERED}, {"lsn=0/5 system=1", "lsn=0/5 system=2", UNORDERED}, {"lsn=0/5 timeline=1", "lsn=0/6 timeline=\"1\"", BEFORE});
    ALL(postgres, SW_ORDER_INVALID, "lsn=0/5 timeline=\"\"", "lsn=0/5 system={}");
}

/* Records with a part and records without it do not compare; what was read from the table is exempt. */
static void which_fields_a_record_has_is_part_of_its_space(void **state)
{
    (void)state;
    struct sw_order_key with, without, read;
    const uint32_t declared = 1u << 0 | 1u << 1 | 1u << 3; /* lsn, commit_lsn, ordinal */
    assert_int_equal(encode_case(&with, &(struct order_case){postgres, declared, false}, "lsn=0/5 commit_lsn=0/9 ordinal=1"), SW_ORDER_OK);
    assert_int_equal(encode_case(&without, &(struct order_case){postgres, declared, false}, "lsn=0/5 ordinal=null"), SW_ORDER_OK);
    assert_int_equal(encode_case(&read, &(struct order_case){postgres, declared, true}, "lsn=0/5"), SW_ORDER_OK);
    assert_int_equal(with.space_len, 0);
    assert_true(sw_bytes_is(space_of(&without), "without commit_lsn+ordinal"));
    assert_int_equal(without.base_len, 0);
    assert_int_equal(read.space_len, 0);
    assert_int_equal(sw_version_compare(postgres, version_of(&read), version_of(&with)), SW_VERSION_BEFORE);
    assert_int_equal(encode_case(&read, &(struct order_case){postgres, declared, true}, "lsn=0/A"), SW_ORDER_OK); /* read behind the commit at 0/9 */
    assert_int_equal(sw_version_compare(postgres, version_of(&read), version_of(&with)), SW_VERSION_AFTER);
    assert_int_equal(encode_case(&without, &(struct order_case){postgres, declared, false}, "lsn=0/5 ordinal=1 timeline=3"), SW_ORDER_OK);
    assert_true(sw_bytes_is(space_of(&without), "timeline=3 without commit_lsn"));
    assert_true(sw_bytes_is(base_of(&without), "timeline=3"));
}

/* A declared position is that of a commit (pg_replication_slots.confirmed_flush_lsn); the previous commit is never a cut. */
static void a_position_holds_the_transactions_that_committed_up_to_it(void **state)
{
    (void)state;
    reach_is(postgres, "0/A0", "commit_lsn=0/A0 lsn=0/30", 'w');
    reach_is(postgres, "0/9F", "commit_lsn=0/A0 lsn=0/30", 'b');
    reach_is(postgres, "0/30", "lsn=0/30 ordinal=7", 'w');
    reach_is(postgres, "0/30", "lsn=0/31", 'b');
    reach_is(postgres, "10/0", "lsn=9/0", 'w');
    reach_is(postgres, "160", "sequence=[\"160\",\"48\"] | lsn=48", 'b');
    reach_is(postgres, "161", "sequence=[\"160\",\"48\"] | lsn=48", 'w');
    reach_is(postgres, "0/5000000@timeline=1", "lsn=0/4F00000 timeline=2", '-');
    reach_is(postgres, "0/5000000@timeline=1", "lsn=0/4000000 timeline=1", 'w');
    reach_is(postgres, "@commit_lsn=0/A0,ordinal=2", "commit_lsn=0/A0 ordinal=2", 'w');
    reach_is(postgres, "@commit_lsn=0/A0,ordinal=2", "commit_lsn=0/A0 ordinal=3", 'b');
    reach_is(postgres, "0/30@ordinal=2", "lsn=0/30", 'u');
    position_refused(postgres, "0/0", "expected an LSN such as 0/16E9A28 (0/0 is none), found 0/0");
    position_refused(postgres, "", "expected an LSN such as 0/16E9A28 (0/0 is none), found nothing");
    position_refused(postgres, "2026-01-01T00:00:00Z", "expected an LSN such as 0/16E9A28 (0/0 is none), found 2026-01-01T00:00:00Z");
    position_refused(postgres, "0/5@lsn=0/6", "after the '@' stand fields of the order postgres, each once (NAME=VALUE,NAME=VALUE); found lsn=0/6");
}

static void a_version_is_printed_as_people_write_it(void **state)
{
    (void)state;
    prints(postgres, "lsn=24025640", "0/16E9A28");
    prints(postgres, "lsn=0/70 commit_lsn=0/A0 ordinal=3 timeline=2", "0/70@commit_lsn=0/A0,ordinal=3");
    prints(postgres, "commit_lsn=0/A0", "@commit_lsn=0/A0");
    prints(postgres, "sequence=[null,\"24025640\"]", "0/16E9A28@sequence=0/0");
    reach_is(postgres, "300", "sequence=[null,\"300\"]", 'w');
    reach_is(postgres, "299", "sequence=[null,\"300\"]", 'b');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_lsn_is_a_number_in_any_spelling),
        cmocka_unit_test(the_commit_decides_before_the_change),
        cmocka_unit_test(debeziums_sequence_is_a_prefix_and_null_is_before_the_next_commit_only),
        cmocka_unit_test(what_is_no_lsn_is_refused_and_what_is_none_has_no_position),
        cmocka_unit_test(system_and_timeline_are_the_space),
        cmocka_unit_test(which_fields_a_record_has_is_part_of_its_space),
        cmocka_unit_test(a_position_holds_the_transactions_that_committed_up_to_it),
        cmocka_unit_test(a_version_is_printed_as_people_write_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
