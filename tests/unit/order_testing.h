/* What the tests of ordering policies share: records from texts, and what a policy makes of them. */
#ifndef SW_TEST_ORDER_TESTING_H
#define SW_TEST_ORDER_TESTING_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "order/order.h"

/* A record: FIELD=VALUE with blanks between them, or " | " where values hold blanks. A value in JSON's own form: digits are a number, null is null,
 * {…} and […] are raw, anything else is a text. A field that is not named is absent. */
struct order_case {
    const struct sw_order *order;
    uint32_t declared; /* 0: exactly the fields that are named */
    bool read;
};

static inline struct sw_token token_of(const char *text, size_t len)
{
    struct sw_token token = {.at = (const uint8_t *)text, .len = (uint32_t)len, .kind = SW_TOKEN_TEXT};
    size_t digits = 0;
    while (digits < len && text[digits] >= '0' && text[digits] <= '9')
        digits++;
    if (len == 4 && memcmp(text, "null", 4) == 0)
        token.kind = SW_TOKEN_NULL;
    else if (len && digits == len)
        token.kind = SW_TOKEN_NUMBER;
    else if (len && text[0] == '{')
        token.kind = SW_TOKEN_OBJECT;
    else if (len && text[0] == '[')
        token.kind = SW_TOKEN_ARRAY;
    else if (len > 1 && text[0] == '"') { /* a text that looks like something else */
        token.at++, token.len -= 2;
        token.escaped = memchr(token.at, '\\', token.len) != NULL;
    }
    return token;
}

static inline enum sw_order_status encode_case(struct sw_order_key *out, const struct order_case *with, const char *text)
{
    struct sw_token fields[SW_ORDER_FIELD_COUNT_MAX] = {{0}};
    const char *separator = strstr(text, " | ") ? " | " : " ";
    uint32_t named = 0;
    for (const char *at = text; *at;) {
        const char *end = strstr(at, separator), *equals = strchr(at, '=');
        size_t len = end ? (size_t)(end - at) : strlen(at), field = 0;
        assert_non_null(equals);
        while (field < with->order->field_count && (strlen(with->order->fields[field].name) != (size_t)(equals - at) || memcmp(with->order->fields[field].name, at, (size_t)(equals - at)) != 0))
            field++;
        if (field == with->order->field_count)
            fail_msg("%s has no field like %s", with->order->name, at);
        fields[field] = token_of(equals + 1, len - (size_t)(equals + 1 - at));
        named |= 1u << field;
        at += end ? len + strlen(separator) : len;
    }
    const struct sw_order_record record = {fields, with->declared ? with->declared : named, with->read};
    return with->order->encode(out, &record);
}

static inline struct sw_bytes version_of(const struct sw_order_key *key) { return sw_bytes_of(key->version, key->version_len); }
static inline struct sw_bytes space_of(const struct sw_order_key *key) { return sw_bytes_of(key->space, key->space_len); }
static inline struct sw_bytes base_of(const struct sw_order_key *key) { return sw_bytes_of(key->space, key->base_len); }

static inline void space_is(const struct sw_order *order, const char *record, const char *space)
{
    struct sw_order_key key;
    char text[SW_SPACE_BYTES_MAX + 1];
    assert_int_equal(encode_case(&key, &(struct order_case){.order = order}, record), SW_ORDER_OK);
    snprintf(text, sizeof text, "%.*s", key.space_len, (const char *)key.space);
    assert_string_equal(text, space);
}

struct pair {
    const char *a, *b;
    enum sw_version_order order;
};

static inline enum sw_version_order opposite(enum sw_version_order order)
{
    return order == SW_VERSION_BEFORE ? SW_VERSION_AFTER : order == SW_VERSION_AFTER ? SW_VERSION_BEFORE : order;
}

/* SW_VERSION_UNORDERED also stands for two spaces. */
static inline void pairs_are(const struct sw_order *order, const struct pair *pairs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sw_order_key a, b;
        const struct order_case with = {.order = order};
        if (encode_case(&a, &with, pairs[i].a) != SW_ORDER_OK)
            fail_msg("%s: %s", pairs[i].a, a.problem);
        if (encode_case(&b, &with, pairs[i].b) != SW_ORDER_OK)
            fail_msg("%s: %s", pairs[i].b, b.problem);
        bool one = sw_bytes_equal(space_of(&a), space_of(&b));
        enum sw_version_order found = one ? sw_version_compare(order, version_of(&a), version_of(&b)) : SW_VERSION_UNORDERED;
        enum sw_version_order back = one ? sw_version_compare(order, version_of(&b), version_of(&a)) : SW_VERSION_UNORDERED;
        if (found != pairs[i].order || back != opposite(pairs[i].order))
            fail_msg("%s: %s against %s: found %d and %d, expected %d", order->name, pairs[i].a, pairs[i].b, (int)found, (int)back, (int)pairs[i].order);
    }
}

static inline void all_have_status(const struct sw_order *order, enum sw_order_status status, const char *const *records, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct sw_order_key key = {0};
        enum sw_order_status found = encode_case(&key, &(struct order_case){.order = order}, records[i]);
        if (found != status)
            fail_msg("%s: %s: found status %d, expected %d (%s)", order->name, records[i], (int)found, (int)status, key.problem);
        if (status == SW_ORDER_INVALID)
            assert_true(key.problem[0] != '\0');
    }
}

static inline void problem_is(const struct sw_order *order, const char *record, const char *problem)
{
    struct sw_order_key key = {0};
    assert_int_equal(encode_case(&key, &(struct order_case){.order = order}, record), SW_ORDER_INVALID);
    assert_string_equal(key.problem, problem);
}

/* How a record stands to a declared position: 'w'ithin, 'b'eyond, 'u'ntold, or '-' if it stands in another space. */
static inline char reach_of(const struct sw_order *order, const char *position, const char *record)
{
    struct sw_order_positions places;
    struct sw_error error = {0};
    struct sw_order_key key;
    char found = '-';
    if (sw_order_positions_parse(&places, order, sw_bytes_text(position), &error) != SW_OK)
        fail_msg("%s: %s", position, error.text);
    assert_int_equal(encode_case(&key, &(struct order_case){.order = order}, record), SW_ORDER_OK);
    for (size_t i = 0; i < places.count; i++)
        if (sw_bytes_equal(places.places[i].space, base_of(&key)))
            found = "wbu"[sw_order_reach(order, places.places[i].position, version_of(&key))];
    sw_order_positions_free(&places);
    return found;
}

static inline void reach_is(const struct sw_order *order, const char *position, const char *record, char reach)
{
    char found = reach_of(order, position, record);
    if (found != reach)
        fail_msg("%s: %s against %s: found %c, expected %c", order->name, record, position, found, reach);
}

static inline void prints(const struct sw_order *order, const char *record, const char *text)
{
    struct sw_order_key key;
    struct sw_buffer out = {0};
    assert_int_equal(encode_case(&key, &(struct order_case){.order = order}, record), SW_ORDER_OK);
    order->print(&out, version_of(&key), space_of(&key));
    assert_string_equal(sw_buffer_text(&out), text);
    sw_buffer_free(&out);
}

static inline void position_refused(const struct sw_order *order, const char *position, const char *text)
{
    struct sw_order_positions places;
    struct sw_error error = {0};
    assert_true(sw_order_positions_parse(&places, order, sw_bytes_text(position), &error) < 0);
    assert_string_equal(error.text, text);
    assert_null(places.places);
}

#define PAIRS(order, ...) pairs_are(order, (const struct pair[]){__VA_ARGS__}, sizeof((const struct pair[]){__VA_ARGS__}) / sizeof(struct pair))
#define ALL(order, status, ...) \
    all_have_status(order, status, (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
#define BEFORE SW_VERSION_BEFORE
#define EQUAL SW_VERSION_EQUAL
#define AFTER SW_VERSION_AFTER
#define UNORDERED SW_VERSION_UNORDERED

#endif
