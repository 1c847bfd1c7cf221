/* Exit status, verdicts and headline over every combination of what a report can hold. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "report/verdict.h"

/* One bit a fact. */
enum { EQUAL = 1, DIFFERENT = 2, CONFLICT = 4, UNDECIDED = 8, BAD_OF_KEY = 16, BAD_OF_ANY = 32, QUARANTINED = 64, ABSENT = 128, ALLOW_EMPTY = 256, BROKEN_HISTORY = 512, ALL = 1024 };
#define FOR_ALL(facts) for (unsigned facts = 0; facts < ALL; facts++)

static const struct sw_mapping no_mapping;

/* Counts are distinct primes, so that a sentence that names one names it alone. */
static struct sw_report report_of(unsigned facts)
{
    struct sw_report report = {.mapping = &no_mapping};
    report.classes[SW_CLASS_EQUAL] = facts & EQUAL ? 101 : 0;
    report.classes[SW_CLASS_DIFFERENT] = facts & DIFFERENT ? 103 : 0;
    report.classes[SW_CLASS_CONFLICT] = facts & CONFLICT ? 107 : 0;
    report.classes[SW_CLASS_UNDECIDED] = facts & UNDECIDED ? 109 : 0;
    report.bad_unattributed = facts & BAD_OF_ANY ? 113 : 0;
    report.bad_count = report.bad_unattributed + (facts & BAD_OF_KEY ? 127 : 0);
    report.quarantined = (facts & QUARANTINED) != 0;
    report.absent_column_count = facts & ABSENT ? 131 : 0;
    report.allow_empty = (facts & ALLOW_EMPTY) != 0;
    report.claims_held = 137;
    report.contradiction_count = facts & BROKEN_HISTORY ? 1 : 0;
    return report;
}

static bool any(unsigned facts, unsigned of) { return (facts & of) != 0; }

static void the_exit_status_follows_the_precedence_2_1_3_0(void **state)
{
    (void)state;
    FOR_ALL (facts) {
        struct sw_report report = report_of(facts);
        bool bad = any(facts, BAD_OF_KEY | BAD_OF_ANY), keys = any(facts, EQUAL | DIFFERENT | CONFLICT | UNDECIDED);
        bool two = bad && !any(facts, QUARANTINED), one = any(facts, DIFFERENT | CONFLICT);
        bool three = any(facts, UNDECIDED | ABSENT) || bad || (!keys && !any(facts, ALLOW_EMPTY));
        assert_int_equal(sw_report_exit_status(&report), two ? 2 : one ? 1 : three ? 3 : 0);
    }
}

static void the_current_state_is_confirmed_only_with_everything_read_compared_and_equal(void **state)
{
    (void)state;
    unsigned confirmed = 0, refuted = 0;
    FOR_ALL (facts) {
        struct sw_report report = report_of(facts);
        enum sw_verdict verdict = sw_report_current_state(&report);
        bool clean = any(facts, EQUAL) && !any(facts, DIFFERENT | CONFLICT | UNDECIDED | BAD_OF_KEY | BAD_OF_ANY | ABSENT);
        assert_int_equal(verdict == SW_VERDICT_CONFIRMED, clean);
        assert_int_equal(verdict == SW_VERDICT_REFUTED, any(facts, DIFFERENT) && !any(facts, BAD_OF_ANY));
        if (verdict == SW_VERDICT_CONFIRMED)
            assert_int_equal(sw_report_exit_status(&report), 0);
        if (sw_report_exit_status(&report) == 0)
            assert_int_equal(verdict, sw_report_keys(&report) ? SW_VERDICT_CONFIRMED : SW_VERDICT_UNPROVEN);
        confirmed += verdict == SW_VERDICT_CONFIRMED;
        refuted += verdict == SW_VERDICT_REFUTED;
    }
    assert_true(confirmed > 0 && refuted > 0);
}

static void process_is_never_inferred_and_history_is_never_confirmed(void **state)
{
    (void)state;
    FOR_ALL (facts) {
        struct sw_report report = report_of(facts);
        struct sw_verdicts verdicts = {0};
        sw_report_judge(&verdicts, &report);
        assert_int_equal(verdicts.process.verdict, SW_VERDICT_UNPROVEN);
        assert_int_equal(verdicts.history.verdict, any(facts, BROKEN_HISTORY) ? SW_VERDICT_REFUTED : SW_VERDICT_UNPROVEN);
        assert_true(verdicts.process.reasons.count > 0 && verdicts.current_state.reasons.count > 0 && verdicts.history.reasons.count > 0);
        sw_verdicts_free(&verdicts);
    }
}

static bool says(const char *text, const char *word) { return strstr(text, word) != NULL; }

/* Words that a reader takes for "all is well". */
static bool sounds_well(const char *text)
{
    static const char *const words[] = {"equal", "EQUAL", "verified", "VERIFIED", "match", "MATCH", "clean", "CLEAN", "agree", "recovered", "complete ", "COMPLETE ", "success"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (says(text, words[i]))
            return true;
    return false;
}

static void the_headline_and_the_reasons_sound_well_only_over_a_confirmed_state(void **state)
{
    (void)state;
    FOR_ALL (facts) {
        struct sw_report report = report_of(facts);
        struct sw_verdicts verdicts = {0};
        struct sw_buffer sentence = {0};
        const char *word = sw_report_headline(&sentence, &report), *text = sw_buffer_text(&sentence);
        bool confirmed = sw_report_current_state(&report) == SW_VERDICT_CONFIRMED;
        assert_int_equal(sounds_well(text), confirmed);
        assert_int_equal(sounds_well(word), confirmed);
        sw_report_judge(&verdicts, &report);
        for (const char *at = NULL; (at = sw_sentences_next(&verdicts.current_state.reasons, at)) != NULL;)
            assert_int_equal(sounds_well(at), confirmed);
        sw_verdicts_free(&verdicts);
        sw_buffer_free(&sentence);
    }
}

static void the_headline_leaves_out_nothing_that_is_wrong(void **state)
{
    (void)state;
    FOR_ALL (facts) {
        struct sw_report report = report_of(facts);
        struct sw_buffer sentence = {0};
        const char *word = sw_report_headline(&sentence, &report), *text = sw_buffer_text(&sentence);
        char bad[24];
        snprintf(bad, sizeof bad, "%llu record", (unsigned long long)report.bad_count);
        assert_int_equal(any(facts, BAD_OF_KEY | BAD_OF_ANY), says(text, "could not be used"));
        if (report.bad_count)
            assert_true(says(text, bad));
        assert_int_equal(any(facts, DIFFERENT), says(text, "103 of "));
        assert_int_equal(any(facts, CONFLICT), says(text, "107 ") && says(text, "in conflict"));
        assert_int_equal(any(facts, UNDECIDED), says(text, "109 ") && says(text, "undecided"));
        assert_int_equal(any(facts, ABSENT), says(text, "131 columns on one side only"));
        int status = sw_report_exit_status(&report);
        assert_int_equal(status == 2, strcmp(word, "UNREAD RECORDS") == 0);
        assert_int_equal(status == 1, strcmp(word, "DIFFERENT") == 0 || strcmp(word, "CONFLICT") == 0);
        sw_buffer_free(&sentence);
    }
}

static void one_of_a_thing_is_not_named_in_the_plural(void **state)
{
    (void)state;
    struct sw_report report = {.mapping = &no_mapping, .classes = {[SW_CLASS_DIFFERENT] = 1}, .bad_count = 1, .bad_unattributed = 1};
    struct sw_buffer sentence = {0};
    sw_report_headline(&sentence, &report);
    assert_string_equal(sw_buffer_text(&sentence), "1 record could not be used, 1 of 1 key differs");
    sw_buffer_clear(&sentence);
    report = (struct sw_report){.mapping = &no_mapping, .classes = {[SW_CLASS_EQUAL] = 1}};
    assert_string_equal(sw_report_headline(&sentence, &report), "EQUAL");
    assert_string_equal(sw_buffer_text(&sentence), "the only key in scope is equal to the declared reference");
    sw_buffer_free(&sentence);
}

static void counts_are_found_by_the_names_of_the_json_report(void **state)
{
    (void)state;
    struct sw_report report = report_of(EQUAL | DIFFERENT | CONFLICT | UNDECIDED | BAD_OF_ANY);
    report.reasons[SW_REASON_STATE_MISMATCH] = 103;
    report.tombstones = 7;
    report.duplicate_deliveries = 8;
    const struct { const char *name; uint64_t count; } wanted[] = {
        {"keys", 101 + 103 + 107 + 109}, {"equal", 101}, {"different", 103}, {"conflictKeys", 107}, {"undecidedKeys", 109}, {"differences", 103 + 107},
        {"stateMismatch", 103}, {"missingState", 0}, {"conflictingVersion", 0}, {"tombstones", 7}, {"duplicateDeliveries", 8}, {"repeatedRecords", 0},
        {"badRecords", 113}, {"unattributedBadRecords", 113}};
    uint64_t count;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        assert_true(sw_report_count(&count, &report, wanted[i].name));
        assert_int_equal(count, wanted[i].count);
    }
    assert_false(sw_report_count(&count, &report, "none"));
    assert_false(sw_report_count(&count, &report, ""));
    for (unsigned reason = 1; reason < SW_REASON_COUNT; reason++)
        assert_true(sw_report_count(&count, &report, sw_reason_count_name((enum sw_reason)reason)));
}

static void every_name_is_there_and_none_stands_twice(void **state)
{
    (void)state;
    for (unsigned a = 0; a < SW_REASON_COUNT; a++)
        for (unsigned b = 0; b < a; b++) {
            assert_string_not_equal(sw_reason_name((enum sw_reason)a), sw_reason_name((enum sw_reason)b));
            assert_string_not_equal(sw_reason_count_name((enum sw_reason)a), sw_reason_count_name((enum sw_reason)b));
        }
    for (unsigned a = 0; a < SW_CAUSE_COUNT; a++)
        for (unsigned b = 0; b < a; b++)
            assert_string_not_equal(sw_cause_name((enum sw_cause)a), sw_cause_name((enum sw_cause)b));
    for (unsigned a = 0; a < SW_DISPOSITION_COUNT; a++)
        for (unsigned b = 0; b < a; b++)
            assert_string_not_equal(sw_disposition_name((enum sw_disposition)a), sw_disposition_name((enum sw_disposition)b));
    assert_string_equal(sw_reason_name(SW_REASON_UNEXPECTED_STATE), "unexpected-state");
    assert_string_equal(sw_reason_count_name(SW_REASON_UNEXPECTED_STATE), "unexpectedState");
}

static void numbers_have_commas_between_thousands(void **state)
{
    (void)state;
    char room[SW_NUMBER_TEXT_MAX];
    assert_string_equal(sw_number_text(room, 0), "0");
    assert_string_equal(sw_number_text(room, 999), "999");
    assert_string_equal(sw_number_text(room, 1000), "1,000");
    assert_string_equal(sw_number_text(room, UINT64_MAX), "18,446,744,073,709,551,615");
}

static void names_in_sentences_are_quoted_escaped_and_cut(void **state)
{
    (void)state;
    struct sw_buffer out = {0};
    sw_sentence_name(&out, sw_bytes_text("public.orders"));
    sw_buffer_add_byte(&out, ' ');
    sw_sentence_name(&out, sw_bytes_text("a \x1b[31m\"b\""));
    assert_string_equal(sw_buffer_text(&out), "public.orders \"a \\u001b[31m\\\"b\\\"\"");
    sw_buffer_clear(&out);
    char name[601];
    for (size_t i = 0; i < 300; i++)
        memcpy(name + 2 * i, "\xC3\xA4", 3);
    sw_sentence_name(&out, sw_bytes_text(name));
    assert_true(out.len < 100);
    assert_true(says(sw_buffer_text(&out), "\xC3\xA4...540 B...\xC3\xA4"));
    sw_buffer_clear(&out);
    sw_sentence_name(&out, sw_bytes_text(""));
    assert_string_equal(sw_buffer_text(&out), "\"\"");
    sw_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_exit_status_follows_the_precedence_2_1_3_0),
        cmocka_unit_test(the_current_state_is_confirmed_only_with_everything_read_compared_and_equal),
        cmocka_unit_test(process_is_never_inferred_and_history_is_never_confirmed),
        cmocka_unit_test(the_headline_and_the_reasons_sound_well_only_over_a_confirmed_state),
        cmocka_unit_test(the_headline_leaves_out_nothing_that_is_wrong),
        cmocka_unit_test(one_of_a_thing_is_not_named_in_the_plural),
        cmocka_unit_test(counts_are_found_by_the_names_of_the_json_report),
        cmocka_unit_test(every_name_is_there_and_none_stands_twice),
        cmocka_unit_test(numbers_have_commas_between_thousands),
        cmocka_unit_test(names_in_sentences_are_quoted_escaped_and_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
