/* Key columns: canonical values made to delimit themselves, so that memcmp over their concatenation orders keys. */
#include "model/value.h"

enum mark { MARK_NULL = 0, MARK_VALUE = 1 };

static bool stands_as_it_is(enum sw_type_kind kind)
{
    return kind == SW_TYPE_ANY || kind == SW_TYPE_JSON || kind == SW_TYPE_ARRAY || kind == SW_TYPE_INTEGER || kind == SW_TYPE_DECIMAL;
}

void sw_key_column_add(struct sw_buffer *key, const struct sw_type *type, bool is_null, struct sw_bytes canonical)
{
    if (is_null) {
        sw_buffer_add_byte(key, MARK_NULL);
    } else if (stands_as_it_is(type->kind)) {
        sw_buffer_add_bytes(key, canonical);
    } else if (sw_value__fixed_size(type->kind)) {
        if (sw_buffer_reserve(key, canonical.len + 1)) {
            sw_buffer_add_byte(key, MARK_VALUE);
            sw_buffer_add_bytes(key, canonical);
        }
    } else if (sw_buffer_reserve(key, SW_ANY_TEXT_MAX(canonical.len))) {
        /* The form of text under any, with another mark. */
        uint8_t *start = key->at + key->len;
        key->len += sw_any_text_encode(start, canonical);
        *start = MARK_VALUE;
    }
}

/* Takes escaped bytes from the front of `key`, behind the mark. */
static enum sw_value_status read_escaped(struct sw_buffer *out, struct sw_bytes *key)
{
    size_t before = out->len;
    for (size_t at = 1; at + 1 < key->len;) {
        const uint8_t *nul = memchr(key->at + at, 0, key->len - 1 - at);
        if (!nul)
            break;
        size_t end = (size_t)(nul - key->at);
        sw_buffer_add(out, key->at + at, end - at);
        if (key->at[end + 1] == 0) {
            *key = sw_bytes_of(key->at + end + 2, key->len - end - 2);
            return out->failed ? SW_VALUE_NO_MEMORY : SW_VALUE_OK;
        }
        if (key->at[end + 1] != 0xff)
            break;
        sw_buffer_add_byte(out, 0);
        at = end + 2;
    }
    out->len = before;
    return SW_VALUE_INVALID;
}

enum sw_value_status sw_key_column_read(struct sw_buffer *out, const struct sw_type *type, struct sw_bytes *key)
{
    if (key->len == 0)
        return SW_VALUE_INVALID;
    if (key->at[0] == MARK_NULL) {
        *key = sw_bytes_of(key->at + 1, key->len - 1);
        return SW_VALUE_NULL;
    }
    size_t mark = !stands_as_it_is(type->kind);
    if (mark && key->at[0] != MARK_VALUE)
        return SW_VALUE_INVALID;
    size_t len = mark ? sw_value__fixed_size(type->kind) : sw_any__length(*key);
    if (mark && len == 0)
        return read_escaped(out, key);
    if (len == 0 || key->len - mark < len)
        return SW_VALUE_INVALID;
    sw_buffer_add(out, key->at + mark, len);
    if (out->failed)
        return SW_VALUE_NO_MEMORY;
    *key = sw_bytes_of(key->at + mark + len, key->len - mark - len);
    return SW_VALUE_OK;
}
