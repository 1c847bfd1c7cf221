/* The bounded contract, as the course walks through it: one document, and the attempts to disprove its result.
 * What is refused, and with which words, is tests/lab/differential.py's concern; here are only the calls themselves. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "slackwater/lab.h"

#define DOCUMENT(baseline, events, expected) \
    "{\"baseline\": [" baseline "], \"events\": [" events "], \"expected\": [" expected "]}"
#define ROW(key, version, value) "{\"key\": \"" key "\", \"version\": " #version ", \"deleted\": false, \"value\": " #value "}"
#define TOMBSTONE(key, version) "{\"key\": \"" key "\", \"version\": " #version ", \"deleted\": true, \"value\": null}"
#define UPSERT(id, key, version, value) \
    "{\"id\": \"" id "\", \"key\": \"" key "\", \"version\": " #version ", \"op\": \"upsert\", \"value\": " #value "}"
#define DELETE(id, key, version) \
    "{\"id\": \"" id "\", \"key\": \"" key "\", \"version\": " #version ", \"op\": \"delete\", \"value\": null}"

/* A starts at version 4, B is deleted at 7; then come versions 6 and 5 of A, an old version of B, a new key C, and e1 again. */
#define CASE_BASELINE ROW("A", 4, 100) "," TOMBSTONE("B", 7)
#define CASE_EVENTS \
    UPSERT("e1", "A", 6, 120) "," UPSERT("e2", "A", 5, 110) "," UPSERT("e3", "B", 6, 50) "," UPSERT("e4", "C", 1, 30) "," \
    UPSERT("e1", "A", 6, 120)
#define CASE_EXPECTED ROW("A", 6, 120) "," TOMBSTONE("B", 7) "," ROW("C", 1, 30)

#define STATE(key, version, value) "{\"deleted\": false, \"key\": \"" key "\", \"value\": " #value ", \"version\": " #version "}"
#define DELETED_STATE(key, version) "{\"deleted\": true, \"key\": \"" key "\", \"value\": null, \"version\": " #version "}"
#define DIFFERENCE(key, reason) "{\"key\": \"" key "\", \"reason\": \"" reason "\"}"

/* The line for a document that is evaluated. The caller frees it. */
static char *evaluate(const char *document)
{
    char *line = NULL;
    size_t len = 0;
    struct sw_error error = {0};
    assert_int_equal(sw_lab_evaluate(&line, &len, document, strlen(document), &error), SW_OK);
    assert_int_equal(error.code, SW_OK);
    assert_int_equal(len, strlen(line));
    assert_int_equal(line[len - 1], '\n');
    return line;
}

/* The line holds `"member": text`, as a whole: what follows is the next member or the end. */
static void assert_member(const char *line, const char *member, const char *text)
{
    struct sw_buffer wanted = {0};
    sw_buffer_printf(&wanted, "\"%s\": %s", member, text);
    const char *found = strstr(line, sw_buffer_text(&wanted));
    if (!found || (strncmp(found + wanted.len, ", \"", 3) != 0 && strcmp(found + wanted.len, "}\n") != 0))
        fail_msg("%s should be %s, but the line is %s", member, text, line);
    sw_buffer_free(&wanted);
}

static void assert_members(const char *document, const char *states, const char *conflicts, const char *differences)
{
    char *line = evaluate(document);
    assert_member(line, "states", states);
    assert_member(line, "conflicts", conflicts);
    assert_member(line, "differences", differences);
    assert_member(line, "matchesDeclaredReference", strcmp(differences, "[]") == 0 ? "true" : "false");
    sw_lab_line_free(&line);
}

static void read_data(struct sw_buffer *out, const char *name)
{
    struct sw_buffer path = {0};
    sw_buffer_printf(&path, "%s/tests/data/lab/%s", getenv("SW_SOURCE_ROOT"), name);
    FILE *file = fopen(sw_buffer_text(&path), "rb");
    if (!file)
        fail_msg("%s cannot be opened", sw_buffer_text(&path));
    sw_buffer_free(&path);
    char part[4096];
    for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;)
        sw_buffer_add(out, part, got);
    assert_int_equal(fclose(file), 0);
}

static void the_case_of_the_course_gives_the_agreed_line(void **state)
{
    (void)state;
    struct sw_buffer document = {0}, expected = {0};
    read_data(&document, "case.json");
    read_data(&expected, "case.expected.json");
    char *line = evaluate(sw_buffer_text(&document));
    assert_string_equal(line, sw_buffer_text(&expected));
    assert_member(line, "states", "[" STATE("A", 6, 120) ", " DELETED_STATE("B", 7) ", " STATE("C", 1, 30) "]");
    assert_member(line, "duplicateDeliveries", "1");
    assert_member(line, "matchesDeclaredReference", "true");
    sw_lab_line_free(&line);

    line = evaluate(DOCUMENT(CASE_BASELINE, CASE_EVENTS, CASE_EXPECTED));
    assert_string_equal(line, sw_buffer_text(&expected));
    sw_lab_line_free(&line);
    sw_buffer_free(&document);
    sw_buffer_free(&expected);
}

static void values_that_cancel_in_the_total_are_two_differences(void **state)
{
    (void)state;
    assert_members(DOCUMENT(CASE_BASELINE, CASE_EVENTS, ROW("A", 6, 80) "," TOMBSTONE("B", 7) "," ROW("C", 1, 70)),
                   "[" STATE("A", 6, 120) ", " DELETED_STATE("B", 7) ", " STATE("C", 1, 30) "]", "[]",
                   "[" DIFFERENCE("A", "state-mismatch") ", " DIFFERENCE("C", "state-mismatch") "]");
}

static void a_conflict_below_the_newest_version_blocks_the_key(void **state)
{
    (void)state;
    assert_members(DOCUMENT(CASE_BASELINE, CASE_EVENTS "," UPSERT("e5", "A", 5, 111), CASE_EXPECTED),
                   "[" DELETED_STATE("B", 7) ", " STATE("C", 1, 30) "]", "[{\"key\": \"A\", \"versions\": [5]}]",
                   "[" DIFFERENCE("A", "conflicting-version") "]");
}

static void every_version_in_conflict_is_listed_once_in_order(void **state)
{
    (void)state;
    assert_members(DOCUMENT(ROW("A", 9, 1),
                            UPSERT("e1", "A", 9, 2) "," DELETE("e2", "A", 9) "," UPSERT("e3", "A", 10, 1) "," DELETE("e4", "A", 10) ","
                            UPSERT("e5", "A", 2, 0) "," UPSERT("e6", "A", 2, -1) "," UPSERT("e7", "A", 3, 5), ""),
                   "[]", "[{\"key\": \"A\", \"versions\": [2, 9, 10]}]", "[" DIFFERENCE("A", "conflicting-version") "]");
}

static void two_events_with_equal_content_at_one_version_are_no_conflict(void **state)
{
    (void)state;
    assert_members(DOCUMENT(ROW("A", 1, 5), UPSERT("e1", "A", 1, 5) "," UPSERT("e2", "A", 1, 5), ROW("A", 1, 5)),
                   "[" STATE("A", 1, 5) "]", "[]", "[]");
}

static void a_later_version_revives_a_deleted_row(void **state)
{
    (void)state;
    assert_members(DOCUMENT(CASE_BASELINE, CASE_EVENTS "," UPSERT("e6", "B", 8, 55), CASE_EXPECTED),
                   "[" STATE("A", 6, 120) ", " STATE("B", 8, 55) ", " STATE("C", 1, 30) "]", "[]",
                   "[" DIFFERENCE("B", "state-mismatch") "]");
}

/* All orders of the five deliveries and of a conflict give the same line. */
static void the_order_of_arrival_does_not_matter(void **state)
{
    (void)state;
    const char *const events[] = {UPSERT("e1", "A", 6, 120), UPSERT("e2", "A", 5, 110), UPSERT("e3", "B", 6, 50),
                                  UPSERT("e5", "A", 5, 111), UPSERT("e1", "A", 6, 120)};
    enum { COUNT = 5, ORDERS = 120 };
    char *first = NULL;
    for (int order = 0; order < ORDERS; order++) {
        struct sw_buffer document = {0};
        sw_buffer_add_text(&document, "{\"baseline\": [" CASE_BASELINE "], \"expected\": [" CASE_EXPECTED "], \"events\": [");
        bool used[COUNT] = {false};
        for (int place = 0, rest = order; place < COUNT; rest /= COUNT - place, place++) {
            int skip = rest % (COUNT - place), event = 0;
            while (used[event] || skip-- > 0)
                event++;
            used[event] = true;
            sw_buffer_printf(&document, "%s%s", place ? ", " : "", events[event]);
        }
        sw_buffer_add_text(&document, "]}");
        char *line = evaluate(sw_buffer_text(&document));
        assert_string_equal(line, first ? first : line);
        sw_buffer_free(&document);
        if (first)
            sw_lab_line_free(&line);
        else
            first = line;
    }
    assert_member(first, "conflicts", "[{\"key\": \"A\", \"versions\": [5]}]");
    sw_lab_line_free(&first);
}

static void a_key_that_the_reference_lacks_is_unexpected(void **state)
{
    (void)state;
    assert_members(DOCUMENT(CASE_BASELINE, CASE_EVENTS, ROW("A", 6, 120) "," TOMBSTONE("B", 7)),
                   "[" STATE("A", 6, 120) ", " DELETED_STATE("B", 7) ", " STATE("C", 1, 30) "]", "[]",
                   "[" DIFFERENCE("C", "unexpected-state") "]");
}

static void a_key_that_only_the_reference_has_is_missing(void **state)
{
    (void)state;
    assert_members(DOCUMENT("", UPSERT("e1", "B", 1, 1), ROW("C", 1, 0) "," ROW("B", 1, 1) "," TOMBSTONE("A", 3)),
                   "[" STATE("B", 1, 1) "]", "[]",
                   "[" DIFFERENCE("A", "missing-state") ", " DIFFERENCE("C", "missing-state") "]");
}

static void versions_are_compared_even_where_values_match(void **state)
{
    (void)state;
    assert_members(DOCUMENT(ROW("A", 4, 100) "," TOMBSTONE("B", 7), "", ROW("A", 5, 100) "," TOMBSTONE("B", 6)),
                   "[" STATE("A", 4, 100) ", " DELETED_STATE("B", 7) "]", "[]",
                   "[" DIFFERENCE("A", "state-mismatch") ", " DIFFERENCE("B", "state-mismatch") "]");
}

static void a_deleted_row_is_not_the_value_zero(void **state)
{
    (void)state;
    /* the deletion stands between two equal contents, so that a sort by value alone would hide it */
    assert_members(DOCUMENT(ROW("A", 1, 0), DELETE("e1", "A", 1) "," UPSERT("e2", "A", 1, 0), ""), "[]", "[{\"key\": \"A\", \"versions\": [1]}]",
                   "[" DIFFERENCE("A", "conflicting-version") "]");
}

static void assert_refused(const char *document, enum sw_code code, const char *words, const char *line_wanted)
{
    char *line = NULL;
    size_t len = 0;
    struct sw_error error = {0};
    assert_int_equal(sw_lab_evaluate(&line, &len, document, strlen(document), &error), code);
    assert_int_equal(error.code, code);
    assert_string_equal(error.text, words);
    assert_string_equal(line, line_wanted);
    assert_int_equal(len, strlen(line));
    assert_int_equal(sw_code_exit_status(code), 2);
    sw_lab_line_free(&line);
    assert_null(line);
}

static void an_event_id_with_two_contents_refuses_the_document(void **state)
{
    (void)state;
    assert_refused(DOCUMENT("", UPSERT("e1", "A", 1, 1) "," DELETE("e1", "A", 1), ""), SW_ERR_INPUT,
                   "event identity reused with different content",
                   "{\"error\": \"event identity reused with different content\"}\n");
}

static void a_repeated_key_in_a_list_of_rows_refuses_the_document(void **state)
{
    (void)state;
    assert_refused(DOCUMENT("", "", ROW("A", 1, 1) "," ROW("A", 2, 1)), SW_ERR_INPUT, "duplicate row key",
                   "{\"error\": \"duplicate row key\"}\n");
}

static void a_syntax_error_names_its_place(void **state)
{
    (void)state;
    const char document[] = "{\"baseline\": [],\n \"\xC3\xA9\\u00e\" : 1}";
    char *line = NULL;
    size_t len = 0;
    struct sw_error error = {0};
    assert_int_equal(sw_lab_evaluate(&line, &len, document, sizeof document - 1, &error), SW_ERR_INPUT);
    assert_string_equal(line, "{\"error\": \"Invalid \\\\uXXXX escape: line 2 column 5 (char 21)\"}\n");
    assert_string_equal(error.text, "Invalid \\uXXXX escape: line 2 column 5 (char 21)");
    assert_true(error.has_place);
    assert_int_equal(error.line, 2);
    assert_int_equal(error.column, 5);
    assert_int_equal(error.offset, 22);
    sw_lab_line_free(&line);
}

static void names_are_compared_unescaped_when_their_object_closes(void **state)
{
    (void)state;
    assert_refused("{\"A\": 1, \"\\u0041\": 2}", SW_ERR_INPUT, "duplicate JSON field", "{\"error\": \"duplicate JSON field\"}\n");
    assert_refused("{\"A\": 1, \"\\u0041\": }", SW_ERR_INPUT, "Expecting value: line 1 column 20 (char 19)",
                   "{\"error\": \"Expecting value: line 1 column 20 (char 19)\"}\n");
}

static void limits_have_a_code_of_their_own(void **state)
{
    (void)state;
    struct sw_buffer document = {0};
    for (int i = 0; i < SW_LAB_CHARACTERS_MAX; i++)
        sw_buffer_add(&document, "\xC3\xA9", 2);
    char *line = NULL;
    size_t len = 0;
    assert_int_equal(sw_lab_evaluate(&line, &len, document.at, document.len, NULL), SW_ERR_INPUT);
    assert_string_equal(line, "{\"error\": \"Expecting value: line 1 column 1 (char 0)\"}\n");
    sw_lab_line_free(&line);
    sw_buffer_add_byte(&document, ' ');
    assert_int_equal(sw_lab_evaluate(&line, &len, document.at, document.len, NULL), SW_ERR_LIMIT);
    assert_string_equal(line, "{\"error\": \"input exceeds local limit\"}\n");
    sw_lab_line_free(&line);
    sw_buffer_free(&document);
}

static void nothing_is_a_document_that_ends_too_soon(void **state)
{
    (void)state;
    char *line = NULL;
    size_t len = 0;
    assert_int_equal(sw_lab_evaluate(&line, &len, NULL, 0, NULL), SW_ERR_INPUT);
    assert_string_equal(line, "{\"error\": \"Expecting value: line 1 column 1 (char 0)\"}\n");
    sw_lab_line_free(&line);
    sw_lab_line_free(&line);
    sw_lab_line_free(NULL);
}

static void an_earlier_failure_in_the_error_is_kept(void **state)
{
    (void)state;
    char *line = NULL;
    size_t len = 0;
    struct sw_error error = {.code = SW_ERR_IO, .text = "the first failure"};
    assert_int_equal(sw_lab_evaluate(&line, &len, "x", 1, &error), SW_ERR_INPUT);
    assert_int_equal(error.code, SW_ERR_IO);
    assert_string_equal(error.text, "the first failure");
    sw_lab_line_free(&line);
}

#ifdef SW_FAULTS
/* Each allocation fails in turn: the call says so, gives no line and leaks nothing. */
static void running_out_of_memory_decides_nothing(void **state)
{
    (void)state;
    const char document[] = DOCUMENT(CASE_BASELINE, "{\"i\\u0064\": \"e1\", \"key\": \"A\", \"version\": 6, "
                                                    "\"op\": \"upsert\", \"value\": 1}", "");
    uint64_t before = sw_memory_calls();
    char *line = evaluate(document);
    uint64_t calls = sw_memory_calls() - before;
    sw_lab_line_free(&line);
    assert_true(calls > 0);
    for (uint64_t nth = 1; nth <= calls; nth++) {
        struct sw_error error = {0};
        size_t len = 1;
        sw_memory_fail_at(nth, false);
        enum sw_code code = sw_lab_evaluate(&line, &len, document, sizeof document - 1, &error);
        sw_memory_fail_at(0, false);
        assert_int_equal(code, SW_ERR_MEMORY);
        assert_int_equal(error.code, SW_ERR_MEMORY);
        assert_null(line);
        assert_int_equal(len, 0);
    }
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_case_of_the_course_gives_the_agreed_line),
        cmocka_unit_test(values_that_cancel_in_the_total_are_two_differences),
        cmocka_unit_test(a_conflict_below_the_newest_version_blocks_the_key),
        cmocka_unit_test(every_version_in_conflict_is_listed_once_in_order),
        cmocka_unit_test(two_events_with_equal_content_at_one_version_are_no_conflict),
        cmocka_unit_test(a_later_version_revives_a_deleted_row),
        cmocka_unit_test(the_order_of_arrival_does_not_matter),
        cmocka_unit_test(a_key_that_the_reference_lacks_is_unexpected),
        cmocka_unit_test(a_key_that_only_the_reference_has_is_missing),
        cmocka_unit_test(versions_are_compared_even_where_values_match),
        cmocka_unit_test(a_deleted_row_is_not_the_value_zero),
        cmocka_unit_test(an_event_id_with_two_contents_refuses_the_document),
        cmocka_unit_test(a_repeated_key_in_a_list_of_rows_refuses_the_document),
        cmocka_unit_test(a_syntax_error_names_its_place),
        cmocka_unit_test(names_are_compared_unescaped_when_their_object_closes),
        cmocka_unit_test(limits_have_a_code_of_their_own),
        cmocka_unit_test(nothing_is_a_document_that_ends_too_soon),
        cmocka_unit_test(an_earlier_failure_in_the_error_is_kept),
#ifdef SW_FAULTS
        cmocka_unit_test(running_out_of_memory_decides_nothing),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
