/* The writers of a report, over findings of our own: content, sizes, failures, and words over every combination of facts. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <errno.h>
#include <string.h>
#include <cmocka.h>

#include "../report/report_sample.h"
#include "report/sentence.h"
#include "report/verdict.h"

/* Takes what is written; fails with `failure` once `room` bytes are passed. */
struct sink {
    struct sw_buffer text;
    size_t room, largest, calls;
    int failure;
};

static int take(const void *bytes, size_t len, void *ctx)
{
    struct sink *sink = ctx;
    sink->calls++;
    sink->largest = len > sink->largest ? len : sink->largest;
    if (sink->failure && sink->text.len + len > sink->room)
        return sink->failure;
    sw_buffer_add(&sink->text, bytes, len);
    return 0;
}

static const char *text_of(struct sink *sink) { return sw_buffer_text(&sink->text); }
static bool says(const char *text, const char *word) { return strstr(text, word) != NULL; }

static size_t occurrences(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word))
        count++;
    return count;
}

static const struct sw_summary_style plain;

static void open_named(struct sample *sample, const char *name)
{
    const char *found;
    for (size_t i = 0; (found = sample_named(sample, i)) != NULL; i++) {
        if (strcmp(found, name) == 0)
            return;
        sample_free(sample);
    }
    fail_msg("no sample %s", name);
}

static void ten_thousand_differences_are_listed_up_to_the_limit_and_written_in_pieces(void **state)
{
    (void)state;
    struct sample sample;
    struct sink json = {0}, lines = {0}, summary = {0};
    open_named(&sample, "ten-thousand");
    assert_int_equal(sw_report_write_json(&sample.report, take, &json, NULL), SW_OK);
    assert_int_equal(sample.stream.next, 1000);
    assert_int_equal(occurrences(text_of(&json), "\"state-mismatch\""), 1000);
    assert_true(says(text_of(&json), "\"differencesListed\": 1000") && says(text_of(&json), "\"differencesOmitted\": 9000"));
    assert_true(json.calls > 3 && json.largest < 70000);
    assert_int_equal(sw_report_write_differences(&sample.report, false, take, &lines, NULL), SW_OK);
    assert_int_equal(occurrences(text_of(&lines), "\n"), 10000);
    assert_true(says(text_of(&lines), "{\"key\":9999,"));
    assert_true(lines.largest < 70000);
    assert_int_equal(sw_report_write_summary(&sample.report, &plain, take, &summary, NULL), SW_OK);
    assert_int_equal(sample.stream.next, 5); /* no more is read than shown */
    assert_true(says(text_of(&summary), "Differences: the first 5 of 10,000\n"));
    sw_buffer_free(&json.text);
    sw_buffer_free(&lines.text);
    sw_buffer_free(&summary.text);
    sample_free(&sample);
}

static void a_report_may_list_no_differences_and_have_no_stream(void **state)
{
    (void)state;
    struct sample sample;
    struct sink json = {0}, csv = {0}, summary = {0};
    open_named(&sample, "different");
    sample.report.listed_differences = 0;
    assert_int_equal(sw_report_write_json(&sample.report, take, &json, NULL), SW_OK);
    assert_true(says(text_of(&json), "\"differences\": [],\n  \"differencesListed\": 0,\n  \"differencesOmitted\": 7"));
    sample_free(&sample);
    open_named(&sample, "equal");
    sample.report.findings = NULL;
    json.text.len = 0;
    assert_int_equal(sw_report_write_json(&sample.report, take, &json, NULL), SW_OK);
    assert_true(says(text_of(&json), "\"matchesDeclaredReference\": true"));
    assert_int_equal(sw_report_write_differences(&sample.report, true, take, &csv, NULL), SW_OK);
    assert_int_equal(occurrences(text_of(&csv), "\r\n"), 1);
    assert_int_equal(sw_report_write_summary(&sample.report, &plain, take, &summary, NULL), SW_OK);
    assert_false(says(text_of(&summary), "Differences"));
    sw_buffer_free(&json.text);
    sw_buffer_free(&csv.text);
    sw_buffer_free(&summary.text);
    sample_free(&sample);
}

static enum sw_code write_form(struct sample *sample, unsigned form, struct sink *sink, struct sw_error *error)
{
    switch (form) {
    case 0: return sw_report_write_json(&sample->report, take, sink, error);
    case 1: return sw_report_write_summary(&sample->report, &plain, take, sink, error);
    case 2: return sw_report_write_differences(&sample->report, false, take, sink, error);
    default: return sw_report_write_differences(&sample->report, true, take, sink, error);
    }
}

static void a_stream_that_fails_and_a_full_disk_are_failures_of_the_call(void **state)
{
    (void)state;
    for (unsigned form = 0; form < 4; form++) {
        struct sample sample;
        struct sink sink = {0};
        struct sw_error error = {0};
        open_named(&sample, "ten-thousand");
        sample.stream.fail_after = 3;
        assert_int_equal(write_form(&sample, form, &sink, &error), SW_ERR_IO);
        assert_string_equal(error.text, "the sample fails as told");
        sample.stream.fail_after = 0;
        sw_buffer_free(&sink.text);

        sink = (struct sink){.failure = ENOSPC, .room = 100};
        error = (struct sw_error){0};
        assert_int_equal(write_form(&sample, form, &sink, &error), SW_ERR_IO);
        assert_int_equal(error.sys_errno, ENOSPC);
        assert_int_equal(sink.calls, 1); /* nothing is written after a failure */
        sw_buffer_free(&sink.text);
        sample_free(&sample);
    }
}

static void every_reason_and_cause_has_a_sentence_that_says_which_side_lacks_what(void **state)
{
    (void)state;
    struct sample sample;
    sample_open(&sample, "t");
    for (unsigned reason = 1; reason < SW_REASON_COUNT; reason++)
        for (unsigned cause = 0; cause < SW_CAUSE_COUNT; cause++) {
            struct sw_finding finding = {.table = sample.table, .key = sample_key(&sample, "1"), .reason = (enum sw_reason)reason, .cause = (enum sw_cause)cause};
            struct sw_buffer out = {0};
            sw_finding_sentence(&out, &sample.report, &finding);
            const char *text = sw_buffer_text(&out), *lacking = sw_finding_lacking(&finding);
            assert_true(strlen(text) > 20);
            assert_false(says(text, "verified") || says(text, "  ") || text[strlen(text) - 1] == '.' || says(text, "(null)"));
            if (reason == SW_REASON_MISSING_STATE)
                assert_true(says(text, "the evidence lacks it") && strcmp(lacking, "evidence") == 0);
            else if (reason == SW_REASON_UNEXPECTED_STATE)
                assert_true(says(text, "the destination lacks it") && strcmp(lacking, "destination") == 0);
            else
                assert_null(lacking);
            sw_buffer_free(&out);
            sample_free(&sample);
            sample_open(&sample, "t");
        }
    sample_free(&sample);
}

static void a_finding_as_json_holds_both_rows_the_columns_and_the_records(void **state)
{
    (void)state;
    struct sample sample;
    struct sink sink = {0};
    open_named(&sample, "different");
    assert_int_equal(sw_report_write_differences(&sample.report, false, take, &sink, NULL), SW_OK);
    const char *text = text_of(&sink);
    assert_true(says(text,
        "{\"key\":\"A\",\"class\":\"different\",\"reason\":\"state-mismatch\","
        "\"state\":{\"version\":\"6\",\"deleted\":false,\"value\":{\"amount\":120,\"currency\":\"EUR\",\"note\":\"late\",\"status\":\"paid\",\"zone\":3}},"
        "\"expected\":{\"version\":\"6\",\"deleted\":false,\"value\":{\"amount\":80,\"currency\":\"EUR\",\"note\":null,\"status\":\"paid\",\"zone\":3}},"
        "\"columns\":[{\"name\":\"amount\",\"state\":120,\"expected\":80},{\"name\":\"note\",\"state\":\"late\",\"expected\":null}],"
        "\"records\":[\"events.ndjson:3\",\"expected.ndjson:1\"],\"sentence\":\"both sides have the row, columns amount and note differ\"}\n"));
    assert_true(says(text,
        "{\"key\":\"B\",\"class\":\"different\",\"reason\":\"missing-state\",\"lacking\":\"evidence\",\"cause\":\"deleted\",\"position\":{\"version\":\"7\"},"
        "\"state\":{\"version\":\"7\",\"deleted\":true,\"value\":null},"));
    assert_true(says(text, "\"version\":\"18446744073709551615\""));
    sw_buffer_free(&sink.text);
    sample_free(&sample);
}

static void a_column_without_a_value_is_named_and_not_written_as_null(void **state)
{
    (void)state;
    struct sample sample;
    struct sink sink = {0};
    open_named(&sample, "undecided");
    assert_int_equal(sw_report_write_differences(&sample.report, false, take, &sink, NULL), SW_OK);
    assert_true(says(text_of(&sink), "\"state\":{\"deleted\":false,\"value\":{\"st\":\"b\"},\"unavailable\":[\"bio\"]}"));
    assert_true(says(text_of(&sink), "\"state\":{\"deleted\":false,\"value\":{},\"invalid\":[\"n\"]}"));
    sw_buffer_free(&sink.text);
    sample_free(&sample);
}

static void a_single_unnamed_column_is_written_as_a_bare_value(void **state)
{
    (void)state;
    struct sample sample;
    struct sink sink = {0}, summary = {0};
    sample_open(&sample, "");
    struct sample_column seven[] = {{"", "7"}, {0}}, null[] = {{"", "null"}, {0}};
    sample_add(&sample, (struct sw_finding){.key = sample_key(&sample, "\"k\""), .reason = SW_REASON_STATE_MISMATCH, .state = sample_row(&sample, seven), .expected = sample_row(&sample, null),
        .differing = sample_columns(&sample, (const char *const[]){""}, 1), .differing_count = 1});
    assert_int_equal(sw_report_write_differences(&sample.report, false, take, &sink, NULL), SW_OK);
    assert_true(says(text_of(&sink), "\"state\":{\"deleted\":false,\"value\":7},\"expected\":{\"deleted\":false,\"value\":null}"));
    assert_int_equal(sw_report_write_summary(&sample.report, &plain, take, &summary, NULL), SW_OK);
    assert_true(says(text_of(&summary), "! value"));
    sw_buffer_free(&sink.text);
    sw_buffer_free(&summary.text);
    sample_free(&sample);
}

static void a_version_of_no_known_policy_is_written_as_hex(void **state)
{
    (void)state;
    struct sw_report report = {0};
    struct sw_buffer out = {0};
    sw_report_print_version(&out, &report, sw_bytes_of("\x01\xFF\x00", 3), (struct sw_bytes){0});
    assert_string_equal(sw_buffer_text(&out), "01ff00");
    sw_buffer_free(&out);
}

static void a_place_outside_the_inputs_is_no_crash(void **state)
{
    (void)state;
    struct sample sample;
    struct sink sink = {0};
    static const struct sw_place nowhere = {99, UINT64_MAX};
    sample_open(&sample, "");
    struct sw_finding *finding = sample_add(&sample, (struct sw_finding){.key = sample_key(&sample, "1"), .reason = SW_REASON_DUPLICATE_KEY, .cause = SW_CAUSE_REPEATED_ROWS});
    finding->places = &nowhere;
    finding->place_count = 1;
    assert_int_equal(sw_report_write_differences(&sample.report, false, take, &sink, NULL), SW_OK);
    assert_true(says(text_of(&sink), "\"records\":[\"?:18446744073709551615\"]"));
    sw_buffer_free(&sink.text);
    sample_free(&sample);
}

/* One bit a fact, as in test_report_verdict.c, here over whole documents. */
enum { EQUAL = 1, DIFFERENT = 2, CONFLICT = 4, UNDECIDED = 8, BAD_OF_KEY = 16, BAD_OF_ANY = 32, QUARANTINED = 64, ABSENT = 128, ALLOW_EMPTY = 256, ALL = 512 };

static void no_document_says_more_than_its_verdicts(void **state)
{
    (void)state;
    static struct sw_column_note absent;
    for (unsigned facts = 0; facts < ALL; facts++) {
        struct sample sample;
        struct sink json = {0}, summary = {0};
        sample_open(&sample, "t");
        struct sw_report *report = &sample.report;
        report->findings = NULL;
        report->classes[SW_CLASS_EQUAL] = facts & EQUAL ? 2 : 0;
        report->classes[SW_CLASS_DIFFERENT] = report->reasons[SW_REASON_STATE_MISMATCH] = facts & DIFFERENT ? 2 : 0;
        report->classes[SW_CLASS_CONFLICT] = report->reasons[SW_REASON_DUPLICATE_KEY] = facts & CONFLICT ? 2 : 0;
        report->classes[SW_CLASS_UNDECIDED] = report->reasons[SW_REASON_UNORDERED] = facts & UNDECIDED ? 2 : 0;
        report->bad_unattributed = facts & BAD_OF_ANY ? 2 : 0;
        report->bad_count = report->bad_unattributed + (facts & BAD_OF_KEY ? 2 : 0);
        report->quarantined = facts & QUARANTINED;
        report->allow_empty = facts & ALLOW_EMPTY;
        absent = (struct sw_column_note){sample_column(&sample, "c"), SW_ROLE_EXPECTED};
        report->absent_columns = &absent;
        report->absent_column_count = facts & ABSENT ? 1 : 0;
        bool confirmed = sw_report_current_state(report) == SW_VERDICT_CONFIRMED;

        assert_int_equal(sw_report_write_summary(report, &plain, take, &summary, NULL), SW_OK);
        const char *text = text_of(&summary);
        assert_int_equal(confirmed, strncmp(text, "EQUAL: ", 7) == 0);
        assert_int_equal(confirmed, occurrences(text, "CONFIRMED") == 1);
        assert_int_equal(confirmed, occurrences(text, "equal to") == 3); /* headline, reason, and the headline at the end */
        assert_int_equal(0, occurrences(text, "verified") + occurrences(text, "recovered") + occurrences(text, "VERIFIED"));
        assert_true(says(text, "\nNext\n  1. "));
        char status[32];
        snprintf(status, sizeof status, "\nexit status %d\n", sw_report_exit_status(report));
        assert_string_equal(text + strlen(text) - strlen(status), status);

        assert_int_equal(sw_report_write_json(report, take, &json, NULL), SW_OK);
        text = text_of(&json);
        assert_int_equal(confirmed, says(text, "\"matchesDeclaredReference\": true"));
        assert_int_equal(confirmed, says(text, "\"verdict\": \"confirmed\""));
        assert_int_equal(confirmed, says(text, "equal to"));
        assert_true(says(text, "\"referenceIndependentlyVerified\": false") && says(text, "\"historyCompletenessProven\": false") && says(text, "\"productionReplayApproved\": false"));
        sw_buffer_free(&json.text);
        sw_buffer_free(&summary.text);
        sample_free(&sample);
    }
}

static void what_was_left_out_by_declaration_stands_among_the_limits(void **state)
{
    (void)state;
    struct sample sample;
    sample_open(&sample, "t");
    struct sw_report *report = &sample.report;
    struct sw_column_rule rules[] = {{.column = sample_text(&sample, "loaded_at"), .ignored = true}, {.column = sample_text(&sample, "v"), .has_type = true}};
    sample.mapping.columns = rules;
    sample.mapping.column_count = 2;
    sample.mapping.conflicts_newest = true;
    sample.mapping.table = sample_text(&sample, "t");
    report->order = &sw_order_file;
    report->role_given[SW_ROLE_BASELINE] = false;
    sample.inputs[2].sha256[0] = '\0';
    struct sw_sentences limits = {0};
    sw_report_limits_here(&limits, report);
    static const char *const wanted[] = {"no baseline", "no cut", "on arrival", "versions were not", "tombstones were held", "conflicts below the newest", "only the table t ", "ignored were not compared: loaded_at", "digest"};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        bool found = false;
        for (const char *at = NULL; (at = sw_sentences_next(&limits, at)) != NULL;)
            found |= says(at, wanted[i]);
        if (!found)
            fail_msg("no limit says: %s", wanted[i]);
    }
    assert_int_equal(limits.count, sizeof wanted / sizeof wanted[0]);
    sw_sentences_free(&limits);
    sample_free(&sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_thousand_differences_are_listed_up_to_the_limit_and_written_in_pieces),
        cmocka_unit_test(a_report_may_list_no_differences_and_have_no_stream),
        cmocka_unit_test(a_stream_that_fails_and_a_full_disk_are_failures_of_the_call),
        cmocka_unit_test(every_reason_and_cause_has_a_sentence_that_says_which_side_lacks_what),
        cmocka_unit_test(a_finding_as_json_holds_both_rows_the_columns_and_the_records),
        cmocka_unit_test(a_column_without_a_value_is_named_and_not_written_as_null),
        cmocka_unit_test(a_single_unnamed_column_is_written_as_a_bare_value),
        cmocka_unit_test(a_version_of_no_known_policy_is_written_as_hex),
        cmocka_unit_test(a_place_outside_the_inputs_is_no_crash),
        cmocka_unit_test(no_document_says_more_than_its_verdicts),
        cmocka_unit_test(what_was_left_out_by_declaration_stands_among_the_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
