/* What the tests of values share: values spelled as JSON in tables, and laws that every accepted value is held against. */
#ifndef SW_UNIT_VALUE_TESTING_H
#define SW_UNIT_VALUE_TESTING_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "model/type.h"
#include "model/value_any.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

static inline struct sw_type type_of(const char *spelling)
{
    struct sw_type type;
    struct sw_error error = {0};
    if (sw_type_parse(&type, sw_bytes_text(spelling), &error) != SW_OK)
        fail_msg("%s: %s", spelling, error.text);
    return type;
}

/* The token a scanner makes of one JSON value. */
static inline struct sw_token token_of(struct sw_bytes json)
{
    struct sw_token token = {json.at, (uint32_t)json.len, SW_TOKEN_NUMBER, false};
    switch (json.at[0]) {
    case '"':
        token = (struct sw_token){json.at + 1, (uint32_t)json.len - 2, SW_TOKEN_TEXT, memchr(json.at, '\\', json.len) != NULL};
        break;
    case '[': token.kind = SW_TOKEN_ARRAY; break;
    case '{': token.kind = SW_TOKEN_OBJECT; break;
    case 't': token.kind = SW_TOKEN_TRUE; break;
    case 'f': token.kind = SW_TOKEN_FALSE; break;
    case 'n': token.kind = SW_TOKEN_NULL; break;
    }
    return token;
}

/* Two values of one type after each other, and two key columns, are told apart again; the text printed reads back to the same bytes. */
static inline void assert_laws(const struct sw_type *type, struct sw_bytes canonical)
{
    struct sw_buffer printed = {0}, again = {0}, key = {0}, column = {0};
    struct sw_value_scratch scratch = {0};
    sw_value_write_json(&printed, type, canonical);
    enum sw_value_status status = sw_value_encode(&again, type, token_of(sw_buffer_view(&printed)), &scratch);
    if (status != SW_VALUE_OK || !sw_bytes_equal(sw_buffer_view(&again), canonical))
        fail_msg("%s does not read back under %s (status %d, %s)", sw_buffer_text(&printed), sw_type_kind_name(type->kind), (int)status, scratch.problem);
    sw_key_column_add(&key, type, false, canonical);
    sw_key_column_add(&key, type, true, canonical);
    sw_key_column_add(&key, type, false, canonical);
    struct sw_bytes rest = sw_buffer_view(&key);
    assert_int_equal(sw_key_column_read(&column, type, &rest), SW_VALUE_OK);
    assert_true(sw_bytes_equal(sw_buffer_view(&column), canonical));
    assert_int_equal(sw_key_column_read(&column, type, &rest), SW_VALUE_NULL);
    assert_int_equal(sw_key_column_read(&column, type, &rest), SW_VALUE_OK);
    assert_int_equal(rest.len, 0);
    assert_int_equal(column.len, 2 * canonical.len);
    for (size_t cut = 0; cut < key.len / 2 && cut < 400; cut++) {
        struct sw_bytes part = sw_bytes_of(key.at, cut);
        status = sw_key_column_read(&column, type, &part);
        if (status == SW_VALUE_OK) { /* a text goes as far as its key */
            assert_true(cut && (key.at[0] == SW_ANY_TEXT || (key.at[0] == 1 && (type->kind == SW_TYPE_TEXT || type->kind == SW_TYPE_BYTES))));
            assert_true(column.len <= 3 * canonical.len);
            assert_int_equal(part.len, 0);
            column.len = 2 * canonical.len;
            continue;
        }
        assert_int_equal(status, SW_VALUE_INVALID);
        assert_int_equal(part.len, cut);
        assert_int_equal(column.len, 2 * canonical.len);
    }
    sw_buffer_free(&printed);
    sw_buffer_free(&again);
    sw_buffer_free(&key);
    sw_buffer_free(&column);
    sw_value_scratch_free(&scratch);
}

/* Encodes behind a byte that is already there, which must stay; the laws hold for what comes out. */
static inline enum sw_value_status encode_json(struct sw_buffer *out, const char *spelling, struct sw_bytes json)
{
    struct sw_type type = type_of(spelling);
    struct sw_value_scratch scratch = {0};
    struct sw_buffer room = {0};
    sw_buffer_add_byte(&room, '#');
    enum sw_value_status status = sw_value_encode(&room, &type, token_of(json), &scratch);
    assert_int_equal(room.at[0], '#');
    struct sw_bytes canonical = sw_bytes_of(room.at + 1, room.len - 1);
    if (status == SW_VALUE_OK)
        assert_laws(&type, canonical);
    else
        assert_int_equal(canonical.len, 0);
    if (status == SW_VALUE_INVALID && strstr(scratch.problem, "expected ") != scratch.problem)
        fail_msg("%s under %s: no reason given: %s", (const char *)json.at, spelling, scratch.problem);
    sw_buffer_clear(out);
    sw_buffer_add_bytes(out, canonical);
    sw_buffer_free(&room);
    sw_value_scratch_free(&scratch);
    return status;
}

static inline void assert_status(const char *type, const char *json, enum sw_value_status expected)
{
    struct sw_buffer out = {0};
    enum sw_value_status status = encode_json(&out, type, sw_bytes_text(json));
    if (status != expected)
        fail_msg("%s under %s: status %d, expected %d", json, type, (int)status, (int)expected);
    sw_buffer_free(&out);
}

/* -1, 0, 1: the order of two values that must both be accepted. */
static inline int order_of(const char *type, const char *a, const char *b)
{
    struct sw_buffer left = {0}, right = {0};
    enum sw_value_status status = encode_json(&left, type, sw_bytes_text(a));
    if (status != SW_VALUE_OK)
        fail_msg("%s under %s: status %d", a, type, (int)status);
    status = encode_json(&right, type, sw_bytes_text(b));
    if (status != SW_VALUE_OK)
        fail_msg("%s under %s: status %d", b, type, (int)status);
    int order = sw_bytes_compare(sw_buffer_view(&left), sw_buffer_view(&right));
    sw_buffer_free(&left);
    sw_buffer_free(&right);
    return (order > 0) - (order < 0);
}

static inline void assert_order(const char *type, const char *a, const char *b, int expected)
{
    int order = order_of(type, a, b);
    if (order != expected)
        fail_msg("%s against %s under %s: %d, expected %d", a, b, type, order, expected);
    if (order_of(type, b, a) != -expected)
        fail_msg("%s against %s under %s: not the opposite the other way round", b, a, type);
}

static inline void assert_printed(const char *type, const char *json, const char *expected)
{
    struct sw_buffer out = {0}, text = {0};
    struct sw_type parsed = type_of(type);
    assert_int_equal(encode_json(&out, type, sw_bytes_text(json)), SW_VALUE_OK);
    sw_value_write_json(&text, &parsed, sw_buffer_view(&out));
    assert_string_equal(sw_buffer_text(&text), expected);
    sw_buffer_free(&out);
    sw_buffer_free(&text);
}

/* Each value is below the next, and each below all that follow. */
static inline void assert_ascending(const char *type, const char *const *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count; j++)
            assert_order(type, values[i], values[j], -1);
}

/* All values are one. */
static inline void assert_all_equal(const char *type, const char *const *values, size_t count)
{
    for (size_t i = 1; i < count; i++)
        assert_order(type, values[0], values[i], 0);
}

static inline void assert_all_status(const char *type, const char *const *values, size_t count, enum sw_value_status expected)
{
    for (size_t i = 0; i < count; i++)
        assert_status(type, values[i], expected);
}

#define ASCENDING(type, ...) \
    do { \
        static const char *const list_[] = {__VA_ARGS__}; \
        assert_ascending(type, list_, COUNT(list_)); \
    } while (0)
#define EQUAL(type, ...) \
    do { \
        static const char *const list_[] = {__VA_ARGS__}; \
        assert_all_equal(type, list_, COUNT(list_)); \
    } while (0)
#define INVALID(type, ...) \
    do { \
        static const char *const list_[] = {__VA_ARGS__}; \
        assert_all_status(type, list_, COUNT(list_), SW_VALUE_INVALID); \
    } while (0)

#endif
