#include "position/attribute.h"

#include <stdio.h>

#include "base/memory.h"
#include "position/scan.h"

static bool name_byte(uint8_t byte) { return (byte >= 'a' && byte <= 'z') || byte == '-'; }

/* The length of a "name=" at the start of `text`, without the '='; 0 if there is none. */
static size_t name_length(struct sw_bytes text)
{
    size_t len = 0;
    while (len < text.len && len < 32 && name_byte(text.at[len]))
        len++;
    return len < text.len && text.at[len] == '=' ? len : 0;
}

void sw_attributes_split(struct sw_bytes *core, struct sw_bytes *attributes, struct sw_bytes text)
{
    for (size_t i = text.len; i-- > 0;) {
        if (text.at[i] != '@')
            continue;
        struct sw_bytes after = {text.at + i + 1, text.len - i - 1};
        if (!name_length(after))
            break;
        *core = sw_trim((struct sw_bytes){text.at, i});
        *attributes = after;
        return;
    }
    *core = text;
    *attributes = (struct sw_bytes){0};
}

size_t sw_attribute_index(const struct sw_position_kind *kind, struct sw_bytes name)
{
    for (size_t i = 0; kind->attributes[i].name; i++)
        if (sw_bytes_is(name, kind->attributes[i].name))
            return i;
    return SIZE_MAX;
}

static bool word_is_clean(struct sw_bytes value, bool commas)
{
    for (size_t i = 0; i < value.len; i++) {
        uint8_t byte = value.at[i];
        if (byte <= ' ' || byte >= 127 || byte == '=' || byte == '@' || (byte == ',' && !commas))
            return false;
    }
    return value.len > 0 || commas;
}

enum sw_code sw_attribute_set(struct sw_position *self, size_t index, struct sw_bytes value, struct sw_error *error)
{
    const struct sw_attribute *attribute = &self->kind->attributes[index];
    char text[40];
    struct sw_bytes canonical = value;
    const char *expected = NULL;
    uint64_t number;
    uint8_t uuid[16];
    switch (attribute->type) {
    case SW_ATTRIBUTE_U32:
    case SW_ATTRIBUTE_U64: {
        uint64_t most = attribute->type == SW_ATTRIBUTE_U32 ? UINT32_MAX : UINT64_MAX;
        if (!sw_scan_whole_u64(value, &number) || number > most || (attribute->type == SW_ATTRIBUTE_U32 && number == 0)) {
            expected = attribute->type == SW_ATTRIBUTE_U32 ? "a decimal number from 1 to 4294967295" : "a decimal number up to 18446744073709551615";
            break;
        }
        canonical = sw_bytes_of(text, (size_t)snprintf(text, sizeof text, "%llu", (unsigned long long)number));
        break;
    }
    case SW_ATTRIBUTE_UUID: {
        struct sw_scan scan = sw_scan_of(value);
        if (!sw_scan_uuid(&scan, uuid) || !sw_scan_done(&scan)) {
            expected = "a UUID of 8-4-4-4-12 hexadecimal digits";
            break;
        }
        sw_uuid_print(text, uuid);
        canonical = sw_bytes_of(text, 36);
        break;
    }
    case SW_ATTRIBUTE_WORD:
    case SW_ATTRIBUTE_LIST:
        if (!word_is_clean(value, attribute->type == SW_ATTRIBUTE_LIST))
            expected = "printable text without blanks, '=', '@' and ','";
        break;
    }
    char quoted[SW_QUOTE_MAX];
    if (expected)
        return sw_fail(error, SW_ERR_INPUT, "attribute %s of a %s position: expected %s, found %s", attribute->name, self->kind->info.name, expected,
            sw_position__quote(quoted, value));
    if (canonical.len > SW_ATTRIBUTE_TEXT_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "attribute %s of a %s position is longer than %d bytes", attribute->name, self->kind->info.name, SW_ATTRIBUTE_TEXT_MAX);
    char *copy = sw_strndup((const char *)canonical.at, canonical.len);
    if (!copy)
        return sw_fail_memory(error, "an attribute", canonical.len + 1);
    sw_free(self->attributes[index]);
    self->attributes[index] = copy;
    return SW_OK;
}

static enum sw_code unknown_name(const struct sw_position *self, struct sw_bytes name, struct sw_error *error)
{
    char quoted[SW_QUOTE_MAX];
    if (!self->kind->attributes[0].name)
        return sw_fail(error, SW_ERR_INPUT, "a %s position carries no attributes: found %s", self->kind->info.name, sw_position__quote(quoted, name));
    return sw_fail(error, SW_ERR_INPUT, "a %s position has no attribute %s; it may carry %s", self->kind->info.name, sw_position__quote(quoted, name),
        self->kind->info.attributes);
}

enum sw_code sw_attributes_parse(struct sw_position *self, struct sw_bytes text, struct sw_error *error)
{
    while (text.len) {
        size_t name_len = name_length(text);
        if (!name_len) {
            char quoted[SW_QUOTE_MAX];
            return sw_fail(error, SW_ERR_INPUT, "attributes of a %s position: expected name=value, found %s", self->kind->info.name, sw_position__quote(quoted, text));
        }
        struct sw_bytes name = {text.at, name_len};
        size_t end = name_len + 1;
        /* a comma ends the value only if another name= follows */
        while (end < text.len && !(text.at[end] == ',' && name_length((struct sw_bytes){text.at + end + 1, text.len - end - 1})))
            end++;
        size_t index = sw_attribute_index(self->kind, name);
        if (index == SIZE_MAX)
            return unknown_name(self, name, error);
        if (self->attributes[index])
            return sw_fail(error, SW_ERR_INPUT, "attribute %s of a %s position is given twice", self->kind->attributes[index].name, self->kind->info.name);
        enum sw_code code = sw_attribute_set(self, index, sw_trim((struct sw_bytes){text.at + name_len + 1, end - name_len - 1}), error);
        if (code < 0)
            return code;
        size_t used = end < text.len ? end + 1 : end;
        text = (struct sw_bytes){text.at + used, text.len - used};
    }
    return SW_OK;
}

void sw_attributes_print(struct sw_buffer *out, const struct sw_position *self)
{
    char before = '@';
    for (size_t i = 0; self->kind->attributes[i].name; i++) {
        if (!self->attributes[i])
            continue;
        sw_buffer_add_byte(out, (uint8_t)before);
        sw_buffer_add_text(out, self->kind->attributes[i].name);
        sw_buffer_add_byte(out, '=');
        sw_buffer_add_text(out, self->attributes[i]);
        before = ',';
    }
}

bool sw_attributes_same_space(struct sw_position_comparison *out, const struct sw_position *a, const struct sw_position *b, bool same_source)
{
    const struct sw_attribute *attributes = a->kind->attributes;
    /* a proven difference is a better reason than a missing value: it comes first */
    for (size_t i = 0; attributes[i].name; i++) {
        const char *left = a->attributes[i], *right = b->attributes[i];
        if (left && right && strcmp(left, right) != 0 && (attributes[i].role != SW_ATTRIBUTE_DETAIL && attributes[i].role != SW_ATTRIBUTE_LINEAGE)) {
            sw_position__say(out, SW_POSITION_INCOMPARABLE, "the %s differs (%.60s and %.60s): these are two position spaces", attributes[i].meaning, left, right);
            return false;
        }
    }
    char neither[SW_POSITION_ASSUMED_MAX] = "";
    size_t len = 0;
    for (size_t i = 0; attributes[i].name; i++) {
        const char *left = a->attributes[i], *right = b->attributes[i];
        if (attributes[i].role == SW_ATTRIBUTE_DETAIL || (left && right))
            continue;
        if (!left && !right) {
            if ((attributes[i].role == SW_ATTRIBUTE_IDENTITY || attributes[i].role == SW_ATTRIBUTE_LINEAGE) && len < sizeof neither - 64)
                len += (size_t)snprintf(neither + len, sizeof neither - len, "%s%s", len ? ", " : "", attributes[i].meaning);
            continue;
        }
        if (attributes[i].role == SW_ATTRIBUTE_HINT) {
            sw_position__assume(out, "the %s that one side does not give is the other's", attributes[i].meaning);
            continue;
        }
        if (same_source) {
            sw_position__assume(out, "declared: the %s that one side does not give is the other's", attributes[i].meaning);
            continue;
        }
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "the %s is known on one side only (%.60s): without it nothing shows that both are of one position space; add @%s= to the other",
            attributes[i].meaning, left ? left : right, attributes[i].name);
        return false;
    }
    if (len)
        sw_position__assume(out, "neither side gives its %s: both are taken to be of one source", neither);
    return true;
}
