#include "position_testing.h"

#include "position/lsn.h"

/* PostgreSQL manual, "pg_lsn Type"; regression test pg_lsn; release 19 pads the low half. */
static void an_lsn_is_read_in_every_spelling_of_the_server_and_of_debezium(void **state)
{
    (void)state;
    const struct print_case cases[] = {
        {"0/16E9A28", "0/16E9A28"},
        {"0/016E9A28", "0/16E9A28"},
        {"0/16e9a28", "0/16E9A28"},
        {"00000000/00000001", "0/1"},
        {"FFFFFFFF/FFFFFFFF", "FFFFFFFF/FFFFFFFF"},
        {"24025640", "0/16E9A28"},
        {"18446744073709551615", "FFFFFFFF/FFFFFFFF"},
        {" 0/1 \n", "0/1"},
        {"0/0", "0/0"},
        {"0/1@timeline=02,system=007", "0/1@system=7,timeline=2"},
        {"0/1@system=18446744073709551615,timeline=4294967295,lsn=commit", "0/1@system=18446744073709551615,timeline=4294967295,lsn=commit"},
    };
    check_prints("postgres", cases, COUNT(cases));
}

static void what_is_no_lsn_is_refused_with_what_was_expected(void **state)
{
    (void)state;
    const struct refusal_case cases[] = {
        {"", "an empty text"},
        {"   ", "an empty text"},
        {"16E9A28", "not an LSN"},
        {"0/", "not an LSN"},
        {"/0", "not an LSN"},
        {"0/123456789", "not an LSN"},
        {"123456789/0", "not an LSN"},
        {"0 / 1", "not an LSN"},
        {"-1/0", "not an LSN"},
        {"0/-1", "not an LSN"},
        {"+0/1", "not an LSN"},
        {"0/1/2", "not an LSN"},
        {"G/0", "not an LSN"},
        {"0x0/1", "not an LSN"},
        {"18446744073709551616", "not an LSN"},
        {"\x01\xff", "found '\\x01\\xff'"},
        {"0/1@", "not an LSN"},
        {"0/1@timeline", "not an LSN"},
        {"0/1@timeline=", "expected a decimal number"},
        {"0/1@timeline=0", "expected a decimal number"},
        {"0/1@timeline=4294967296", "expected a decimal number"},
        {"0/1@timeline=-1", "expected a decimal number"},
        {"0/1@timeline=1,timeline=1", "given twice"},
        {"0/1@server=1", "no attribute 'server'"},
        {"0/1@system=1,slot", "expected a decimal number"},
        {"0/1@system=18446744073709551616", "expected a decimal number"},
        {"0/1@lsn=flush", "expected commit or row"},
    };
    check_refusals("postgres", cases, COUNT(cases));
}

static void a_time_is_refused_with_a_sentence_that_says_why(void **state)
{
    (void)state;
    const struct refusal_case cases[] = {
        {"2026-11-30T10:00:00Z", "is a time, not a position: a time says when somebody looked"},
        {"2026-11-30 10:00:00.123456+00", "is a time, not a position"},
        {"2026-11-30", "is a time, not a position"},
        {"20261130T100000Z", "is a time, not a position"},
        {"\"2026-11-30T10:00:00Z\"", "is a time, not a position"},
        {"10:00:00", "is a time, not a position"},
        {"30 Nov 2026", "is a time, not a position"},
        {"Mon, Nov 30 2026 10:00", "is a time, not a position"},
        {"2026-11-30T10:00:00Z@timeline=1", "is a time, not a position"},
    };
    check_refusals("postgres", cases, COUNT(cases));
}

static void lsns_compare_as_numbers_of_64_bits(void **state)
{
    (void)state;
    const struct compare_case cases[] = {
        {"0/FFFFFFFF", "1/0", SW_POSITION_BEFORE, "1 bytes of WAL before"},
        {"9/0", "10/0", SW_POSITION_BEFORE, NULL},
        {"0/16E9A28", "0/016E9A28", SW_POSITION_EQUAL, NULL},
        {"0/16E9A28", "24025640", SW_POSITION_EQUAL, NULL},
        {"0/16E9A40", "0/16E9A28", SW_POSITION_AFTER, "24 bytes of WAL after"},
        {"7FFFFFFF/FFFFFFFF", "80000000/0", SW_POSITION_BEFORE, NULL}, /* unsigned */
        {"0/0", "0/1", SW_POSITION_INCOMPARABLE, "the invalid LSN"},
        {"0/0", "0/0", SW_POSITION_EQUAL, NULL},
    };
    check_comparisons("postgres", cases, COUNT(cases));
    check_note("postgres", "0/0", "invalid LSN");
    check_note("postgres", "24025640", "decimal LSN");
    check_note("postgres", "1764500000123", "reads as a time");
    check_note("postgres", "0/16E9A28", NULL);
}

static void positions_of_different_or_half_known_systems_are_incomparable(void **state)
{
    (void)state;
    const struct compare_case cases[] = {
        {"0/1@system=7", "0/2@system=8", SW_POSITION_INCOMPARABLE, "the system identifier differs (7 and 8)"},
        {"0/1@system=7", "0/1@system=8", SW_POSITION_INCOMPARABLE, "system identifier differs"},
        {"0/1@system=7", "0/2", SW_POSITION_INCOMPARABLE, "the system identifier is known on one side only"},
        {"0/1@timeline=1", "0/2", SW_POSITION_INCOMPARABLE, "the timeline is known on one side only"},
        {"0/1@system=7,timeline=1", "0/2@system=7,timeline=1", SW_POSITION_BEFORE, NULL},
        {"0/1@system=7,timeline=1", "0/2@system=7,timeline=2", SW_POSITION_INCOMPARABLE, "the history of the newer timeline was not given"},
        {"0/1@lsn=row", "0/2@lsn=commit", SW_POSITION_INCOMPARABLE, "kind of LSN"}, /* transactions interleave */
        {"0/1@lsn=row", "0/2", SW_POSITION_INCOMPARABLE, NULL},
        {"0/1@lsn=commit", "0/2@lsn=commit", SW_POSITION_BEFORE, NULL},
        /* a proven difference is said rather than a missing value */
        {"0/1@system=7,timeline=1", "0/1@system=8", SW_POSITION_INCOMPARABLE, "differs"},
    };
    check_comparisons("postgres", cases, COUNT(cases));
    check_assumption("postgres", "0/1", "0/2", NULL, "neither side gives its system identifier, timeline");
    check_assumption("postgres", "0/1@system=7,timeline=1,lsn=commit", "0/2@system=7,timeline=1,lsn=commit", NULL, "");
    const struct sw_position_compare_options declared = {.struct_size = sizeof declared, .same_source = true};
    check_assumption("postgres", "0/1@system=7,timeline=1", "0/2", &declared, "declared: the system identifier");
    const struct compare_case still[] = {{"0/1@system=7", "0/2@system=8", SW_POSITION_INCOMPARABLE, "differs"}};
    check_comparisons_with("postgres", still, COUNT(still), &declared);
}

static struct sw_position_history *history_of(const char *const (*files)[2], size_t count)
{
    struct sw_position_history *history = NULL;
    struct sw_error error = {0};
    assert_int_equal(sw_position_history_new(&history, "postgres", NULL), SW_OK);
    for (size_t i = 0; i < count; i++)
        if (sw_position_history_add(history, files[i][0], files[i][1], strlen(files[i][1]), &error) != SW_OK)
            fail_msg("%s", error.text);
    return history;
}

static void a_timeline_history_makes_the_common_part_comparable(void **state)
{
    (void)state;
    const char *const files[][2] = {{"/wal/00000003.history", "# made by a test\n1\t0/5000000\tno recovery target specified\n\n2\t0/7000000\treason\n"}};
    struct sw_position_history *history = history_of(files, 1);
    const struct sw_position_compare_options options = {.struct_size = sizeof options, .history = history};
    const struct compare_case cases[] = {
        {"0/4F00000@timeline=1", "0/6000000@timeline=2", SW_POSITION_BEFORE, NULL},
        {"0/5000000@timeline=1", "0/6000000@timeline=2", SW_POSITION_BEFORE, NULL}, /* the switch point itself is shared */
        {"0/5000001@timeline=1", "0/6000000@timeline=2", SW_POSITION_INCOMPARABLE, "part after 0/5000000"},
        {"0/5000001@timeline=1", "0/4000000@timeline=2", SW_POSITION_AFTER, NULL}, /* the lower one is on the trunk */
        {"0/4000000@timeline=1", "0/4000000@timeline=2", SW_POSITION_EQUAL, NULL},
        {"0/6000000@timeline=1", "0/6000000@timeline=2", SW_POSITION_INCOMPARABLE, "different branches"},
        {"0/4F00000@timeline=1", "0/8000000@timeline=3", SW_POSITION_BEFORE, NULL},
        {"0/7000000@timeline=2", "0/8000000@timeline=3", SW_POSITION_BEFORE, NULL},
        {"0/7000001@timeline=2", "0/8000000@timeline=3", SW_POSITION_INCOMPARABLE, "part after 0/7000000"},
        {"0/4F00000@timeline=1", "0/8000000@timeline=4", SW_POSITION_INCOMPARABLE, "does not list both"},
        {"0/4F00000@system=7,timeline=1", "0/6000000@system=8,timeline=2", SW_POSITION_INCOMPARABLE, "system identifier differs"},
        {"0/4F00000@timeline=1", "0/6000000", SW_POSITION_INCOMPARABLE, "known on one side only"},
    };
    check_comparisons_with("postgres", cases, COUNT(cases), &options);
    sw_position_history_free(&history);
    assert_null(history);
}

static void sibling_timelines_need_the_history_of_both(void **state)
{
    (void)state;
    const char *const files[][2] = {{"00000003.history", "1\t0/5000000\tx\n"}, {"00000002.history", "1\t0/6000000\tx\n"}};
    struct sw_position_history *one = history_of(files, 1), *both = history_of(files, 2);
    const struct sw_position_compare_options with_one = {.struct_size = sizeof with_one, .history = one}, with_both = {.struct_size = sizeof with_both, .history = both};
    const struct compare_case unknown[] = {{"0/4000000@timeline=2", "0/4100000@timeline=3", SW_POSITION_INCOMPARABLE, "does not list both"}};
    const struct compare_case known[] = {
        {"0/4000000@timeline=2", "0/4100000@timeline=3", SW_POSITION_BEFORE, NULL},
        {"0/5000000@timeline=2", "0/5800000@timeline=3", SW_POSITION_BEFORE, NULL},
        {"0/5100000@timeline=2", "0/5800000@timeline=3", SW_POSITION_INCOMPARABLE, "part after 0/5000000"},
    };
    check_comparisons_with("postgres", unknown, COUNT(unknown), &with_one);
    check_comparisons_with("postgres", known, COUNT(known), &with_both);
    sw_position_history_free(&one);
    sw_position_history_free(&both);
}

static void a_history_without_a_name_is_taken_as_that_of_the_newer_timeline_and_says_so(void **state)
{
    (void)state;
    const char *const files[][2] = {{"pasted.txt", "1\t0/5000000\tx\r\n"}};
    struct sw_position_history *history = history_of(files, 1);
    const struct sw_position_compare_options options = {.struct_size = sizeof options, .history = history};
    check_assumption("postgres", "0/4000000@timeline=1", "0/6000000@timeline=2", &options, "does not say whose it is: it is taken as that of timeline 2");
    sw_position_history_free(&history);
}

static void a_history_that_cannot_be_one_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text, *message;
    } cases[] = {
        {NULL, "", "no line names a parent"},
        {NULL, "# only a comment\n", "no line names a parent"},
        {NULL, "1\t0/1\n0\t0/2\n", "line 2: expected a timeline"},
        {NULL, "1\n", "line 1: expected a timeline"},
        {NULL, "1 x/y reason\n", "line 1: expected a timeline"},
        {NULL, "2\t0/5\n1\t0/6\n", "line 2: timelines and switch points must rise"},
        {NULL, "1\t0/6\n2\t0/5\n", "line 2: timelines and switch points must rise"},
        {"00000002.history", "2\t0/6\n", "cannot be a parent of timeline 2"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sw_position_history *history = NULL;
        struct sw_error error = {0};
        assert_int_equal(sw_position_history_new(&history, "postgres", NULL), SW_OK);
        assert_int_equal(sw_position_history_add(history, cases[i].name, cases[i].text, strlen(cases[i].text), &error), SW_ERR_INPUT);
        if (!strstr(error.text, cases[i].message))
            fail_msg("'%s': expected '%s', found '%s'", cases[i].text, cases[i].message, error.text);
        sw_position_history_free(&history);
    }
    struct sw_position_history *history = NULL;
    assert_int_equal(sw_position_history_new(&history, "kafka", NULL), SW_ERR_USAGE);
    assert_null(history);
}

static void the_encoder_takes_what_the_kind_takes_but_no_decimal(void **state)
{
    (void)state;
    uint64_t lsn = 42;
    assert_true(sw_lsn_parse(&lsn, (const uint8_t *)"16/B374D848", 11));
    assert_int_equal(lsn, 0x16B374D848);
    assert_false(sw_lsn_parse(&lsn, (const uint8_t *)"24025640", 8));
    assert_false(sw_lsn_parse(&lsn, NULL, 0));
    assert_int_equal(lsn, 0x16B374D848);
}

/* Case O03: events of overlapping transactions interleave; commits do not. */
static void interleaved_rows_are_no_step_back_of_commits(void **state)
{
    (void)state;
    const struct compare_case cases[] = {
        {"0/90@lsn=commit", "0/A0@lsn=commit", SW_POSITION_BEFORE, NULL},
        {"0/60@lsn=row", "0/A0@lsn=commit", SW_POSITION_INCOMPARABLE, NULL},
        {"0/60@lsn=row", "0/30@lsn=row", SW_POSITION_AFTER, NULL},
    };
    check_comparisons("postgres", cases, COUNT(cases));
}

/* Case O30: a promoted server's LSN below the saved one is not "already processed". */
static void a_promotion_below_the_saved_position_shows(void **state)
{
    (void)state;
    const struct compare_case without[] = {
        {"0/4F00000@timeline=2", "0/5000000@timeline=1", SW_POSITION_INCOMPARABLE, "timelines 2 and 1"},
        {"0/4000000@timeline=1", "0/5000000@timeline=1", SW_POSITION_BEFORE, NULL},
    };
    check_comparisons("postgres", without, COUNT(without));
    const char *const files[][2] = {{"00000002.history", "1\t0/4E00000\tno recovery target specified\n"}};
    struct sw_position_history *history = history_of(files, 1);
    const struct sw_position_compare_options options = {.struct_size = sizeof options, .history = history};
    const struct compare_case with[] = {{"0/4F00000@timeline=2", "0/5000000@timeline=1", SW_POSITION_INCOMPARABLE, "part after 0/4E00000"}};
    check_comparisons_with("postgres", with, COUNT(with), &options);
    sw_position_history_free(&history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_lsn_is_read_in_every_spelling_of_the_server_and_of_debezium),
        cmocka_unit_test(what_is_no_lsn_is_refused_with_what_was_expected),
        cmocka_unit_test(a_time_is_refused_with_a_sentence_that_says_why),
        cmocka_unit_test(lsns_compare_as_numbers_of_64_bits),
        cmocka_unit_test(positions_of_different_or_half_known_systems_are_incomparable),
        cmocka_unit_test(a_timeline_history_makes_the_common_part_comparable),
        cmocka_unit_test(sibling_timelines_need_the_history_of_both),
        cmocka_unit_test(a_history_without_a_name_is_taken_as_that_of_the_newer_timeline_and_says_so),
        cmocka_unit_test(a_history_that_cannot_be_one_is_refused_with_its_line),
        cmocka_unit_test(the_encoder_takes_what_the_kind_takes_but_no_decimal),
        cmocka_unit_test(interleaved_rows_are_no_step_back_of_commits),
        cmocka_unit_test(a_promotion_below_the_saved_position_shows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
