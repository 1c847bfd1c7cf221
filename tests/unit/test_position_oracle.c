#include "position_testing.h"

#include "position/scn.h"

static void an_scn_is_read_in_decimal_and_in_the_form_of_dumps(void **state)
{
    (void)state;
    const struct print_case cases[] = {
        {"8823771", "8823771"},
        {"0", "0"},
        {"9007199254740993", "9007199254740993"}, /* 2^53 + 1: no double */
        {"18446744073709551615", "18446744073709551615"},
        {"0x0000.0007a8b1", "501937"},
        {"0x0001.00000000", "4294967296"},
        {"0xFFFF.FFFFFFFF", "281474976710655"},
        {"0x0000000000fe0d60", "16649568"},
        {"0X0000.0007A8B1", "501937"},
        {"8823771@incarnation=2,dbid=1234567890", "8823771@dbid=1234567890,incarnation=2"},
        {"8823771@rs-id=0x000019.00000002.0010,ssn=3", "8823771@rs-id=0x19.2.10,ssn=3"},
        {"0x19.2.10", "0x19.2.10"},
        {"0x000019.00000002.0010", "0x19.2.10"},
        {"100:1,90:2", "100:1,90:2"},
        {"003:90", "3:90"},
        {"90:2, 100:1", "100:1,90:2"}, /* by thread */
        {"100:1:0a00-0b00,90:2:", "100:1:0a00-0b00,90:2"},
        {"100:1:0b00-0a00-0b00", "100:1:0a00-0b00"},
    };
    check_prints("oracle", cases, COUNT(cases));
    check_note("oracle", "1764500000123", "reads as a time");
    check_note("oracle", "8823771", NULL);
}

static void what_is_no_oracle_position_is_refused(void **state)
{
    (void)state;
    const struct refusal_case cases[] = {
        {"", "an empty text"},
        {"-1", "not an Oracle position"},
        {"18446744073709551616", "not an Oracle position"},
        {"1.5", "not an Oracle position"},
        {"1e6", "not an Oracle position"},
        {"0x", "not an Oracle position"},
        {"0x0001.", "not an Oracle position"},
        {"0x0001.000000000", "not an Oracle position"},
        {"0x100000000.0", "not an Oracle position"},
        {"0x19.2.10000", "not an Oracle position"},
        {"100:", "expected SCN:THREAD"},
        {"100:1,", "expected SCN:THREAD"},
        {"100:1;90:2", "expected ',' and another thread"},
        {"100:4294967296", "expected SCN:THREAD"},
        {"100:1,90:1", "redo thread 1 is there twice"},
        {"100:1:a--b", "expected SCN:THREAD"},
        {"8823771@rs-id=x", "three hexadecimal numbers"},
        {"8823771@ssn=1", "needs rs-id"},
        {"0x19.2.10@ssn=1", "belong to a plain SCN"},
        {"2026-11-30T10:00:00Z", "is a time, not a position"},
        {"10:00:00", "is a time, not a position"},
        {"3:5", "is a time of day rather than an SCN"}, /* however it is written: 003:05 reads the same */
    };
    check_refusals("oracle", cases, COUNT(cases));
}

static void scns_compare_as_numbers_within_an_incarnation(void **state)
{
    (void)state;
    const struct compare_case cases[] = {
        {"99999", "100000", SW_POSITION_BEFORE, NULL},
        {"9007199254740992", "9007199254740993", SW_POSITION_BEFORE, NULL},
        {"9223372036854775807", "9223372036854775808", SW_POSITION_BEFORE, NULL}, /* unsigned */
        {"501937", "0x0000.0007a8b1", SW_POSITION_EQUAL, "several changes and transactions may share it"},
        {"5@rs-id=0x9.1.1,ssn=0", "5@rs-id=0x10.1.1,ssn=0", SW_POSITION_BEFORE, "place in the redo"},
        {"5@rs-id=0x9.1.1,ssn=2", "5@rs-id=0x9.1.1,ssn=10", SW_POSITION_BEFORE, NULL},
        {"5@rs-id=0x9.1.1", "5", SW_POSITION_INCOMPARABLE, "unique neither to a change nor to a transaction"},
        {"5@rs-id=0x9.1.1", "6", SW_POSITION_BEFORE, NULL},
        {"5@dbid=1", "6@dbid=2", SW_POSITION_INCOMPARABLE, "DBID differs"},
        {"5@incarnation=1", "6@incarnation=2", SW_POSITION_INCOMPARABLE, "V$DATABASE_INCARNATION was not given"},
        {"5@incarnation=1", "6", SW_POSITION_INCOMPARABLE, "known on one side only"},
    };
    check_comparisons("oracle", cases, COUNT(cases));
    check_assumption("oracle", "5", "6", NULL, "neither side gives its DBID, incarnation"); /* only conditional */
}

/* debezium CommitScn: one SCN a redo thread, with the transactions handled at it */
static void a_position_of_a_cluster_is_a_vector_over_threads(void **state)
{
    (void)state;
    const struct compare_case cases[] = {
        {"100:1,90:2", "100:1,95:2", SW_POSITION_BEFORE, "redo thread 2"},
        {"100:1,90:2", "99:1,95:2", SW_POSITION_INCOMPARABLE, "behind in redo thread 2 and ahead in redo thread 1"},
        {"100:1,90:2", "90:2,100:1", SW_POSITION_EQUAL, NULL},
        {"100:1:aa", "100:1:aa-bb", SW_POSITION_BEFORE, NULL},
        {"100:1", "100:1:aa", SW_POSITION_BEFORE, NULL},
        {"100:1:aa", "100:1:bb", SW_POSITION_INCOMPARABLE, NULL},
        {"100:1:aa", "101:1:bb", SW_POSITION_BEFORE, NULL},
        {"100:1", "200:2", SW_POSITION_INCOMPARABLE, "different redo threads"},
        {"100", "200:1", SW_POSITION_INCOMPARABLE, "a plain SCN and the second a vector"},
    };
    check_comparisons("oracle", cases, COUNT(cases));
}

static void redo_addresses_compare_within_one_thread(void **state)
{
    (void)state;
    const struct compare_case cases[] = {
        {"0x19.2.10", "0x19.2.11", SW_POSITION_BEFORE, NULL},
        {"0x19.2.10", "0x1a.1.0", SW_POSITION_BEFORE, NULL},
        {"0x19.10.10", "0x19.9.ffff", SW_POSITION_AFTER, NULL},
        {"0x19.2.10@thread=1", "0x19.2.10@thread=1", SW_POSITION_EQUAL, NULL},
        {"0x19.2.10@thread=1", "0x19.2.11@thread=2", SW_POSITION_INCOMPARABLE, "within one redo thread, and the thread differs"},
        {"0x19.2.10@thread=1", "0x19.2.11", SW_POSITION_INCOMPARABLE, "known on one side only"},
        {"0x19.2.10@incarnation=1", "0x19.2.11@incarnation=2", SW_POSITION_INCOMPARABLE, "start again with an incarnation"},
        {"0x19.2.10", "25", SW_POSITION_INCOMPARABLE, "a redo address and the second a plain SCN"},
    };
    check_comparisons("oracle", cases, COUNT(cases));
    check_assumption("oracle", "0x19.2.10", "0x19.2.11", NULL, "of one redo thread");
}

static void incarnations_are_comparable_below_their_resetlogs_change(void **state)
{
    (void)state;
    static const char table[] =
        "SQL> select incarnation#, resetlogs_change#, prior_incarnation#, status from v$database_incarnation;\n\n"
        "INCARNATION# RESETLOGS_CHANGE# PRIOR_INCARNATION# STATUS\n"
        "------------ ----------------- ------------------ -------\n"
        "           1                 1                  0 PARENT\n"
        "           2              1000                  1 ORPHAN\n"
        "           3              1500                  1 CURRENT\n\n"
        "3 rows selected.\n";
    struct sw_position_history *history = NULL;
    struct sw_error error = {0};
    assert_int_equal(sw_position_history_new(&history, "oracle", NULL), SW_OK);
    if (sw_position_history_add(history, NULL, table, strlen(table), &error) != SW_OK)
        fail_msg("%s", error.text);
    const struct sw_position_compare_options options = {.struct_size = sizeof options, .history = history};
    const struct compare_case cases[] = {
        {"1499@incarnation=1", "2000@incarnation=3", SW_POSITION_BEFORE, NULL},
        {"1500@incarnation=1", "2000@incarnation=3", SW_POSITION_INCOMPARABLE, "part after 1499"}, /* at RESETLOGS_CHANGE#: abandoned */
        {"1200@incarnation=2", "2000@incarnation=3", SW_POSITION_INCOMPARABLE, "part after 999"},  /* an orphan */
        {"999@incarnation=2", "2000@incarnation=3", SW_POSITION_BEFORE, NULL},
        {"1200@incarnation=1", "1100@incarnation=2", SW_POSITION_INCOMPARABLE, NULL},
        {"5@incarnation=1", "6@incarnation=4", SW_POSITION_INCOMPARABLE, "does not list both"},
        {"1499:1@incarnation=1", "2000:1@incarnation=3", SW_POSITION_BEFORE, NULL},
        {"1499:1,1600:2@incarnation=1", "2000:1,2000:2@incarnation=3", SW_POSITION_INCOMPARABLE, NULL},
    };
    check_comparisons_with("oracle", cases, COUNT(cases), &options);
    /* a history of the other kind is not used */
    const struct compare_case foreign[] = {{"0/1@timeline=1", "0/2@timeline=3", SW_POSITION_INCOMPARABLE, "was not given"}};
    check_comparisons_with("postgres", foreign, COUNT(foreign), &options);
    sw_position_history_free(&history);
}

static void incarnations_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", "expected the rows of V$DATABASE_INCARNATION"},
        {"1\t0/5\tx\n", "expected the rows of V$DATABASE_INCARNATION"},
        {"INCARNATION#\tRESETLOGS_CHANGE#\tPRIOR_INCARNATION#\n1\tx\t0\n", "row 1: expected numbers"},
        {"INCARNATION#\tRESETLOGS_CHANGE#\tPRIOR_INCARNATION#\n1\t5\t0\n1\t6\t0\n", "row 2: number 1 is there twice"},
        {"INCARNATION#\tRESETLOGS_CHANGE#\tPRIOR_INCARNATION#\n1\t5\t2\n2\t6\t1\n", "descends from itself"},
        {"INCARNATION#\tRESETLOGS_CHANGE#\n1\t5\n", "row 1: expected numbers"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sw_position_history *history = NULL;
        struct sw_error error = {0};
        assert_int_equal(sw_position_history_new(&history, "oracle", NULL), SW_OK);
        assert_int_equal(sw_position_history_add(history, NULL, cases[i][0], strlen(cases[i][0]), &error), SW_ERR_INPUT);
        if (!strstr(error.text, cases[i][1]))
            fail_msg("expected '%s', found '%s'", cases[i][1], error.text);
        sw_position_history_free(&history);
    }
}

static void the_encoders_read_scn_and_rs_id(void **state)
{
    (void)state;
    uint64_t scn = 7;
    struct sw_rba rba = {0};
    assert_true(sw_scn_parse(&scn, (const uint8_t *)"0xffffffffffffffff", 18));
    assert_true(scn == UINT64_MAX);
    assert_false(sw_scn_parse(&scn, (const uint8_t *)"0x1.2.3", 7));
    assert_false(sw_scn_parse(&scn, (const uint8_t *)"", 0));
    assert_true(sw_rba_parse(&rba, (const uint8_t *)" 0x000019.00000002.0010 ", 24)); /* as LogMiner pads it */
    assert_int_equal(rba.sequence, 25);
    assert_int_equal(rba.block, 2);
    assert_int_equal(rba.byte, 16);
    assert_false(sw_rba_parse(&rba, (const uint8_t *)"0x19.2", 6));
    assert_false(sw_rba_parse(&rba, (const uint8_t *)"0x19.2.10.1", 11));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_scn_is_read_in_decimal_and_in_the_form_of_dumps),
        cmocka_unit_test(what_is_no_oracle_position_is_refused),
        cmocka_unit_test(scns_compare_as_numbers_within_an_incarnation),
        cmocka_unit_test(a_position_of_a_cluster_is_a_vector_over_threads),
        cmocka_unit_test(redo_addresses_compare_within_one_thread),
        cmocka_unit_test(incarnations_are_comparable_below_their_resetlogs_change),
        cmocka_unit_test(incarnations_that_cannot_be_are_refused),
        cmocka_unit_test(the_encoders_read_scn_and_rs_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
