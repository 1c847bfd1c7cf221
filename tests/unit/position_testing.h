/* Tables of what positions must do: one row an edge. */
#ifndef SW_TESTS_POSITION_TESTING_H
#define SW_TESTS_POSITION_TESTING_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "slackwater/position.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static inline struct sw_position *read_position(const char *kind, const char *text)
{
    struct sw_position *position = NULL;
    struct sw_error error = {0};
    if (sw_position_parse(&position, kind, text, strlen(text), &error) != SW_OK)
        fail_msg("%s '%s': %s", kind, text, error.text);
    return position;
}

/* Canonical text; parsing it again must give the same text. */
struct print_case {
    const char *text, *canonical;
};

static inline void check_prints(const char *kind, const struct print_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sw_position *first = read_position(kind, cases[i].text);
        char *text = NULL, *again = NULL;
        size_t len = 0;
        assert_int_equal(sw_position_print(&text, &len, first, NULL), SW_OK);
        assert_string_equal(text, cases[i].canonical);
        assert_int_equal(len, strlen(text));
        struct sw_position *second = read_position(kind, text);
        assert_int_equal(sw_position_print(&again, NULL, second, NULL), SW_OK);
        assert_string_equal(again, text);
        if (sw_position_compare(NULL, first, second, NULL) != SW_POSITION_EQUAL)
            fail_msg("%s '%s' does not equal its own canonical text '%s'", kind, cases[i].text, text);
        sw_position_text_free(&text);
        sw_position_text_free(&again);
        sw_position_free(&first);
        sw_position_free(&second);
    }
}

/* What is refused, and a part of the message. */
struct refusal_case {
    const char *text, *message;
};

static inline void check_refusals(const char *kind, const struct refusal_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sw_position *position = (struct sw_position *)(uintptr_t)1;
        struct sw_error error = {0};
        enum sw_code code = sw_position_parse(&position, kind, cases[i].text, strlen(cases[i].text), &error);
        if (code != SW_ERR_INPUT)
            fail_msg("%s '%s': expected SW_ERR_INPUT, found %s", kind, cases[i].text, sw_code_name(code));
        assert_null(position);
        if (!strstr(error.text, cases[i].message))
            fail_msg("%s '%s': expected a message with '%s', found '%s'", kind, cases[i].text, cases[i].message, error.text);
    }
}

/* The order, checked both ways, and a part of the reason (NULL: any). */
struct compare_case {
    const char *a, *b;
    enum sw_position_order order;
    const char *reason;
};

static inline enum sw_position_order mirrored(enum sw_position_order order)
{
    return order == SW_POSITION_BEFORE ? SW_POSITION_AFTER : order == SW_POSITION_AFTER ? SW_POSITION_BEFORE : order;
}

static inline void check_comparisons_with(const char *kind, const struct compare_case *cases, size_t count, const struct sw_position_compare_options *options)
{
    for (size_t i = 0; i < count; i++) {
        struct sw_position *a = read_position(kind, cases[i].a), *b = read_position(kind, cases[i].b);
        struct sw_position_comparison answer, back;
        sw_position_compare(&answer, a, b, options);
        sw_position_compare(&back, b, a, options);
        if (answer.order != cases[i].order)
            fail_msg("%s '%s' against '%s': expected %s, found %s (%s)", kind, cases[i].a, cases[i].b, sw_position_order_name(cases[i].order), sw_position_order_name(answer.order), answer.reason);
        if (back.order != mirrored(cases[i].order))
            fail_msg("%s '%s' against '%s': expected %s, found %s (%s)", kind, cases[i].b, cases[i].a, sw_position_order_name(mirrored(cases[i].order)), sw_position_order_name(back.order),
                back.reason);
        if (!*answer.reason)
            fail_msg("%s '%s' against '%s': no reason", kind, cases[i].a, cases[i].b);
        if (cases[i].reason && !strstr(answer.reason, cases[i].reason))
            fail_msg("%s '%s' against '%s': expected a reason with '%s', found '%s'", kind, cases[i].a, cases[i].b, cases[i].reason, answer.reason);
        sw_position_free(&a);
        sw_position_free(&b);
    }
}

static inline void check_comparisons(const char *kind, const struct compare_case *cases, size_t count) { check_comparisons_with(kind, cases, count, NULL); }

/* Set algebra by text; NULL for an operation that must be refused. */
struct set_case {
    const char *a, *b, *united, *subtracted, *intersected;
    bool contains;
};

static inline void check_set(enum sw_code code, struct sw_position *set, const char *expected, const struct set_case *from)
{
    char *text = NULL;
    if (!expected) {
        assert_int_equal(code, SW_ERR_INPUT);
        assert_null(set);
        return;
    }
    assert_int_equal(code, SW_OK);
    assert_int_equal(sw_position_print(&text, NULL, set, NULL), SW_OK);
    if (strcmp(text, expected) != 0)
        fail_msg("'%s' and '%s': expected '%s', found '%s'", from->a, from->b, expected, text);
    sw_position_text_free(&text);
    sw_position_free(&set);
}

static inline void check_sets(const char *kind, const struct set_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sw_position *a = read_position(kind, cases[i].a), *b = read_position(kind, cases[i].b), *made;
        bool contains = false;
        enum sw_code code = sw_position_unite(&made, a, b, NULL);
        check_set(code, made, cases[i].united, &cases[i]);
        code = sw_position_subtract(&made, a, b, NULL);
        check_set(code, made, cases[i].subtracted, &cases[i]);
        code = sw_position_intersect(&made, a, b, NULL);
        check_set(code, made, cases[i].intersected, &cases[i]);
        assert_int_equal(sw_position_contains(&contains, a, b, NULL), SW_OK);
        if (contains != cases[i].contains)
            fail_msg("'%s' contains '%s': found %d", cases[i].a, cases[i].b, contains);
        sw_position_free(&a);
        sw_position_free(&b);
    }
}

/* A part of one of the notes that a text must leave; NULL: no note at all. */
static inline void check_note(const char *kind, const char *text, const char *note)
{
    struct sw_position *position = read_position(kind, text);
    const char *found;
    bool seen = false;
    for (size_t i = 0; (found = sw_position_note(position, i)); i++)
        seen |= note && strstr(found, note);
    if (note ? !seen : sw_position_note(position, 0) != NULL)
        fail_msg("%s '%s': expected %s, found '%s'", kind, text, note ? note : "no note", sw_position_note(position, 0) ? sw_position_note(position, 0) : "");
    sw_position_free(&position);
}

/* Two positions compare, and the answer says what it assumed. */
static inline void check_assumption(const char *kind, const char *a, const char *b, const struct sw_position_compare_options *options, const char *part)
{
    struct sw_position *left = read_position(kind, a), *right = read_position(kind, b);
    struct sw_position_comparison answer;
    sw_position_compare(&answer, left, right, options);
    assert_int_not_equal(answer.order, SW_POSITION_INCOMPARABLE);
    if (*part ? !strstr(answer.assumed, part) : *answer.assumed)
        fail_msg("%s '%s' against '%s': expected an assumption with '%s', found '%s'", kind, a, b, part, answer.assumed);
    sw_position_free(&left);
    sw_position_free(&right);
}

#endif
