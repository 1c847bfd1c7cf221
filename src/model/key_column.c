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

void sw_key_end(struct sw_buffer *key, const struct sw_type *type, size_t from)
{
    if (key->len == from)
        return;
    bool text = stands_as_it_is(type->kind) ? key->at[from] == SW_ANY_TEXT : !sw_value__fixed_size(type->kind) && key->at[from] == MARK_VALUE;
    key->len -= text ? 2 : 0;
}

/* Takes escaped bytes from the front of `key`, behind the mark: up to 00 00, or to the end of the key. */
static enum sw_value_status read_escaped(struct sw_buffer *out, struct sw_bytes *key)
{
    size_t before = out->len, at = 1, end = key->len, after = key->len;
    for (const uint8_t *nul; (nul = memchr(key->at + at, 0, key->len - at)) != NULL; at = end + 2, end = key->len) {
        end = (size_t)(nul - key->at);
        sw_buffer_add(out, key->at + at, end - at);
        if (end + 1 == key->len || (key->at[end + 1] != 0 && key->at[end + 1] != 0xff)) {
            out->len = before;
            return SW_VALUE_INVALID;
        }
        if (key->at[end + 1] == 0) {
            at = end;
            after = end + 2;
            break;
        }
        sw_buffer_add_byte(out, 0);
    }
    sw_buffer_add(out, key->at + at, end - at);
    if (out->failed) {
        out->len = before;
        return SW_VALUE_NO_MEMORY;
    }
    *key = sw_bytes_of(key->at + after, key->len - after);
    return SW_VALUE_OK;
}

/* Text under any that goes to the end of the key: its canonical form has an end of its own. */
static enum sw_value_status read_last_text(struct sw_buffer *out, struct sw_bytes *key)
{
    for (size_t at = 1; at < key->len; at++)
        if (key->at[at] == 0 && (++at == key->len || key->at[at] != 0xff))
            return SW_VALUE_INVALID;
    if (!sw_buffer_reserve(out, key->len + 2))
        return SW_VALUE_NO_MEMORY;
    sw_buffer_add_bytes(out, *key);
    sw_buffer_add(out, "\0", 2);
    *key = sw_bytes_of(key->at + key->len, 0);
    return SW_VALUE_OK;
}

bool sw_key_column_view(struct sw_bytes *canonical, const struct sw_type *type, struct sw_bytes *key)
{
    size_t len = stands_as_it_is(type->kind) ? sw_any__length(*key) : 0;
    if (len == 0 || len > key->len || key->at[0] == MARK_NULL)
        return false;
    *canonical = sw_bytes_of(key->at, len);
    *key = sw_bytes_of(key->at + len, key->len - len);
    return true;
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
    if (len == 0 && !mark && key->at[0] == SW_ANY_TEXT)
        return read_last_text(out, key);
    if (len == 0 || key->len - mark < len)
        return SW_VALUE_INVALID;
    sw_buffer_add(out, key->at + mark, len);
    if (out->failed)
        return SW_VALUE_NO_MEMORY;
    *key = sw_bytes_of(key->at + mark + len, key->len - mark - len);
    return SW_VALUE_OK;
}
