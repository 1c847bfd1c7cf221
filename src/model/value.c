/* A value by its type: which file encodes and writes it, and how a refusal is worded. */
#include "model/value.h"

#include <stdio.h>

#include "text/json_unescape.h"
#include "text/json_write.h"

#define EXCERPT_MAX 80 /* bytes of an offending value that a message shows */

void sw_value_scratch_free(struct sw_value_scratch *scratch)
{
    sw_buffer_free(&scratch->text);
    sw_buffer_free(&scratch->members);
    sw_buffer_free(&scratch->array);
    sw_buffer_free(&scratch->leaf);
    sw_buffer_free(&scratch->element);
    sw_buffer_free(&scratch->written);
}

enum sw_value_status sw_value__text(struct sw_bytes *out, struct sw_token token, struct sw_value_scratch *scratch)
{
    *out = sw_bytes_of(token.at, token.len);
    if (!token.escaped)
        return SW_VALUE_OK;
    sw_buffer_clear(&scratch->text);
    if (!sw_buffer_reserve(&scratch->text, (size_t)token.len + 1))
        return SW_VALUE_NO_MEMORY;
    size_t len;
    if (!sw_json_unescape(scratch->text.at, &len, *out)) {
        snprintf(scratch->problem, sizeof scratch->problem, "expected a JSON escape, found none at byte %zu of the text", len);
        return SW_VALUE_INVALID;
    }
    scratch->text.len = len;
    *out = sw_buffer_view(&scratch->text);
    return SW_VALUE_OK;
}

enum sw_value_status sw_value__scalar(struct sw_bytes *out, const char *expected, struct sw_token token, struct sw_value_scratch *scratch)
{
    if (token.kind == SW_TOKEN_TEXT)
        return sw_value__text(out, token, scratch);
    if (token.kind != SW_TOKEN_NUMBER)
        return sw_value__invalid(scratch, expected, token);
    *out = sw_bytes_of(token.at, token.len);
    return SW_VALUE_OK;
}

/* The front of `text`, not cut inside a character. */
static struct sw_bytes excerpt(struct sw_bytes text)
{
    if (text.len <= EXCERPT_MAX)
        return text;
    size_t len = EXCERPT_MAX;
    while (len > EXCERPT_MAX - 3 && (text.at[len] & 0xc0) == 0x80)
        len--;
    return sw_bytes_of(text.at, len);
}

/* Appends what was found. */
static void describe(struct sw_buffer *out, struct sw_token token)
{
    struct sw_bytes text = sw_bytes_of(token.at, token.len);
    struct sw_buffer plain = {0};
    size_t len;
    if (token.kind == SW_TOKEN_BYTES) {
        sw_buffer_printf(out, "%zu bytes", text.len);
        return;
    }
    if (token.kind >= SW_TOKEN_NATIVE) {
        struct sw_buffer spelled = {0};
        describe(out, sw_value_spell(&spelled, token));
        out->failed |= spelled.failed;
        sw_buffer_free(&spelled);
        return;
    }
    switch (token.kind) {
    case SW_TOKEN_ABSENT: sw_buffer_add_text(out, "nothing"); return;
    case SW_TOKEN_NULL: sw_buffer_add_text(out, "null"); return;
    case SW_TOKEN_FALSE: sw_buffer_add_text(out, "false"); return;
    case SW_TOKEN_TRUE: sw_buffer_add_text(out, "true"); return;
    case SW_TOKEN_ARRAY: sw_buffer_printf(out, "an array of %zu bytes", text.len); return;
    case SW_TOKEN_OBJECT: sw_buffer_printf(out, "an object of %zu bytes", text.len); return;
    case SW_TOKEN_NUMBER: sw_buffer_add_text(out, "the number "); break;
    default: sw_buffer_add_text(out, "the text "); break;
    }
    if (token.escaped && sw_buffer_reserve(&plain, text.len) && sw_json_unescape(plain.at, &len, text))
        text = sw_bytes_of(plain.at, len);
    struct sw_bytes shown = excerpt(text);
    if (token.kind == SW_TOKEN_NUMBER)
        sw_json_write_text_inside(out, shown);
    else
        sw_json_write_text(out, shown);
    if (shown.len < text.len)
        sw_buffer_printf(out, "… (%zu bytes)", text.len);
    out->failed |= plain.failed;
    sw_buffer_free(&plain);
}

enum sw_value_status sw_value__invalid(struct sw_value_scratch *scratch, const char *expected, struct sw_token token)
{
    struct sw_buffer found = {0};
    describe(&found, token);
    const char *text = sw_buffer_text(&found);
    /* An escape may be six times as long as its byte: the copy is cut at what `problem` holds. */
    snprintf(scratch->problem, sizeof scratch->problem, "expected %s, found %s", expected, text ? text : "another value");
    bool complete = !found.failed; /* what is said of a record must not depend on how much memory there is */
    sw_buffer_free(&found);
    return complete ? SW_VALUE_INVALID : SW_VALUE_NO_MEMORY;
}

bool sw_value__is_word(struct sw_bytes text, const char *word)
{
    size_t i = 0;
    for (; i < text.len && word[i]; i++) {
        uint8_t byte = text.at[i];
        if ((byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte) != (uint8_t)word[i])
            return false;
    }
    return i == text.len && word[i] == '\0';
}

enum sw_special sw_value__special(struct sw_bytes text)
{
    if (text.len < 3 || text.len > 9)
        return SW_SPECIAL_NONE;
    bool negative = text.at[0] == '-';
    if (negative || text.at[0] == '+')
        text = sw_bytes_of(text.at + 1, text.len - 1);
    if (sw_value__is_word(text, "inf") || sw_value__is_word(text, "infinity"))
        return negative ? SW_SPECIAL_NEGATIVE_INFINITY : SW_SPECIAL_INFINITY;
    return sw_value__is_word(text, "nan") ? SW_SPECIAL_NAN : SW_SPECIAL_NONE;
}

static enum sw_value_status encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch)
{
    switch (type->kind) {
    case SW_TYPE_ANY:
    case SW_TYPE_JSON: return sw_any__encode(out, type, token, scratch);
    case SW_TYPE_ARRAY: return sw_array__encode(out, type, token, scratch);
    case SW_TYPE_TEXT: return sw_text__encode(out, type, token, scratch);
    case SW_TYPE_INTEGER:
    case SW_TYPE_DECIMAL: return sw_number__encode_exact(out, type, token, scratch);
    case SW_TYPE_INT8:
    case SW_TYPE_INT16:
    case SW_TYPE_INT32:
    case SW_TYPE_INT64:
    case SW_TYPE_UINT8:
    case SW_TYPE_UINT16:
    case SW_TYPE_UINT32:
    case SW_TYPE_UINT64: return sw_integer__encode(out, type, token, scratch);
    case SW_TYPE_FLOAT32:
    case SW_TYPE_FLOAT64: return sw_float__encode(out, type, token, scratch);
    case SW_TYPE_BOOLEAN: return sw_boolean__encode(out, token, scratch);
    case SW_TYPE_BYTES: return sw_bytes__encode(out, type, token, scratch);
    case SW_TYPE_DATE:
    case SW_TYPE_TIME:
    case SW_TYPE_TIMESTAMP:
    case SW_TYPE_TIMESTAMPTZ: return sw_time__encode(out, type, token, scratch);
    case SW_TYPE_UUID: return sw_uuid__encode(out, token, scratch);
    case SW_TYPE_INTERVAL: return sw_interval__encode(out, token, scratch);
    }
    return SW_VALUE_INVALID;
}

enum sw_value_status sw_value_encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch)
{
    if (token.kind == SW_TOKEN_NULL)
        return SW_VALUE_NULL;
    if (token.kind == SW_TOKEN_ABSENT)
        return sw_value__invalid(scratch, "a value", token);
    if (token.len == 0)
        token.at = (const uint8_t *)""; /* NULL may stand for no bytes, but has no end */
    size_t before = out->len;
    bool failed = out->failed;
    enum sw_value_status status = token.kind < SW_TOKEN_NATIVE ? encode(out, type, token, scratch) : sw_native__encode(out, type, token, scratch);
    if (out->failed && !failed)
        status = SW_VALUE_NO_MEMORY;
    if (status != SW_VALUE_OK)
        out->len = before;
    return status;
}

void sw_value_write_json(struct sw_buffer *out, const struct sw_type *type, struct sw_bytes canonical)
{
    switch (type->kind) {
    case SW_TYPE_ANY:
    case SW_TYPE_JSON:
    case SW_TYPE_ARRAY: sw_any__write(out, type, canonical); return;
    case SW_TYPE_TEXT: sw_json_write_text(out, canonical); return;
    case SW_TYPE_INTEGER:
    case SW_TYPE_DECIMAL: sw_number__write(out, canonical); return;
    case SW_TYPE_INT8:
    case SW_TYPE_INT16:
    case SW_TYPE_INT32:
    case SW_TYPE_INT64:
    case SW_TYPE_UINT8:
    case SW_TYPE_UINT16:
    case SW_TYPE_UINT32:
    case SW_TYPE_UINT64: sw_integer__write(out, type, canonical); return;
    case SW_TYPE_FLOAT32:
    case SW_TYPE_FLOAT64: sw_float__write(out, type, canonical); return;
    case SW_TYPE_BOOLEAN: sw_buffer_add_text(out, canonical.len && canonical.at[0] ? "true" : "false"); return;
    case SW_TYPE_BYTES: sw_bytes__write(out, type, canonical); return;
    case SW_TYPE_DATE:
    case SW_TYPE_TIME:
    case SW_TYPE_TIMESTAMP:
    case SW_TYPE_TIMESTAMPTZ: sw_time__write(out, type, canonical); return;
    case SW_TYPE_UUID: sw_uuid__write(out, canonical); return;
    case SW_TYPE_INTERVAL: sw_interval__write(out, canonical); return;
    }
}

bool sw_value_comparable(const struct sw_type *type, struct sw_bytes a, struct sw_bytes b)
{
    return type->kind < SW_TYPE_TIME || type->kind > SW_TYPE_TIMESTAMPTZ || sw_time__comparable(type, a, b);
}

size_t sw_value__fixed_size(enum sw_type_kind kind)
{
    switch (kind) {
    case SW_TYPE_BOOLEAN:
    case SW_TYPE_INT8:
    case SW_TYPE_UINT8: return 1;
    case SW_TYPE_INT16:
    case SW_TYPE_UINT16: return 2;
    case SW_TYPE_INT32:
    case SW_TYPE_UINT32:
    case SW_TYPE_FLOAT32:
    case SW_TYPE_DATE: return 4;
    case SW_TYPE_INT64:
    case SW_TYPE_UINT64:
    case SW_TYPE_FLOAT64:
    case SW_TYPE_TIME: return 8;
    case SW_TYPE_TIMESTAMP:
    case SW_TYPE_TIMESTAMPTZ: return 11;
    case SW_TYPE_UUID: return 16;
    case SW_TYPE_INTERVAL: return 18;
    default: return 0;
    }
}
