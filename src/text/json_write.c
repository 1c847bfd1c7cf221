#include "text/json_write.h"

#include <assert.h>

#include "base/word.h"

/* Bytes that stand in a JSON string as they are. The rest is looked at one by one. */
static inline bool plain(uint8_t byte) { return byte >= 0x20 && byte < 0x7f && byte != '"' && byte != '\\'; }

/* The same of eight at once; false may be wrong of some that are. */
static inline bool all_plain(uint64_t word)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), highs = ones << 7;
    uint64_t quotes = word ^ ones * '"', slashes = word ^ ones * '\\';
    uint64_t good = ((word | highs) - ones * 0x20) & ((quotes | highs) - ones) & ((slashes | highs) - ones);
    return !((~good | word | (word + ones)) & highs);
}

static void escape_unit(struct sw_buffer *out, uint32_t unit)
{
    static const char hex[] = "0123456789abcdef";
    char text[6] = {'\\', 'u', hex[unit >> 12 & 15], hex[unit >> 8 & 15], hex[unit >> 4 & 15], hex[unit & 15]};
    sw_buffer_add(out, text, sizeof text);
}

static void escape_code_point(struct sw_buffer *out, uint32_t code)
{
    if (code < 0x10000) {
        escape_unit(out, code);
        return;
    }
    escape_unit(out, 0xd800 + ((code - 0x10000) >> 10));
    escape_unit(out, 0xdc00 + ((code - 0x10000) & 0x3ff));
}

static void escape_ascii(struct sw_buffer *out, uint8_t byte)
{
    char letter;
    switch (byte) {
    case '"': letter = '"'; break;
    case '\\': letter = '\\'; break;
    case '\b': letter = 'b'; break;
    case '\f': letter = 'f'; break;
    case '\n': letter = 'n'; break;
    case '\r': letter = 'r'; break;
    case '\t': letter = 't'; break;
    default: escape_unit(out, byte); return;
    }
    char text[2] = {'\\', letter};
    sw_buffer_add(out, text, sizeof text);
}

/* The code point at the front of `at` and its length; surrogates in three-byte form count as code points. 0 if the bytes are none. */
static size_t code_point_at(uint32_t *code, const uint8_t *at, size_t len)
{
    uint8_t lead = at[0];
    size_t need = lead >= 0xf0 && lead <= 0xf4 ? 4 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xc2 && lead < 0xe0 ? 2 : 0;
    if (need == 0 || need > len)
        return 0;
    uint32_t value = lead & (0x7fu >> need);
    for (size_t i = 1; i < need; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        value = value << 6 | (at[i] & 0x3f);
    }
    if ((need == 3 && value < 0x800) || (need == 4 && (value < 0x10000 || value > 0x10ffff)))
        return 0;
    *code = value;
    return need;
}

/* Invisible or reordering: a name that holds one of these could be read as another name. */
static bool misleading(uint32_t code)
{
    return (code >= 0x80 && code <= 0x9f) || code == 0x61c || (code >= 0x200b && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e)
        || (code >= 0x2060 && code <= 0x206f) || (code >= 0xd800 && code <= 0xdfff) || code == 0xfeff || (code >= 0xfff9 && code <= 0xfffb)
        || (code >= 0xe0000 && code <= 0xe007f);
}

/* Copies what stands in JSON as it is, and says how much of the text that was: all of it, or what stands before eight bytes of which one may not. */
static inline size_t copy_plain(uint8_t *to, struct sw_bytes text)
{
    size_t at = 0;
    for (; text.len - at >= 8; at += 8) {
        uint64_t word = sw_word_load(text.at + at);
        if (!all_plain(word))
            return at;
        sw_word_store(to + at, word);
    }
    if (at == text.len)
        return at;
    if (text.len >= 8) { /* the last eight bytes: some of them are copied twice */
        uint64_t word = sw_word_load(text.at + text.len - 8);
        if (!all_plain(word))
            return at;
        sw_word_store(to + text.len - 8, word);
        return text.len;
    }
    for (; at < text.len && plain(text.at[at]); at++)
        to[at] = text.at[at];
    return at;
}

void sw_json_write_text_inside(struct sw_buffer *out, struct sw_bytes text)
{
    if (text.len == 0 || !sw_buffer_reserve(out, text.len))
        return;
    size_t at = copy_plain(out->at + out->len, text);
    out->len += at;
    while (at < text.len) {
        size_t from = at;
        uint32_t code = 0;
        size_t len = 0;
        while (text.len - at >= 8 && all_plain(sw_word_load(text.at + at)))
            at += 8;
        for (; at < text.len; at += len) {
            if (plain(text.at[at])) {
                len = 1;
                continue;
            }
            if (text.at[at] < 0x80)
                break;
            len = code_point_at(&code, text.at + at, text.len - at);
            if (len == 0 || misleading(code))
                break;
        }
        sw_buffer_add(out, text.at + from, at - from);
        if (at == text.len)
            return;
        if (text.at[at] < 0x80) {
            escape_ascii(out, text.at[at++]);
        } else if (len == 0) {
            escape_unit(out, 0xdc00u + text.at[at++]);
        } else {
            escape_code_point(out, code);
            at += len;
        }
    }
}

bool sw_json_write_plain_text(struct sw_buffer *out, struct sw_bytes text)
{
    if (!sw_buffer_reserve(out, text.len + 2))
        return false;
    uint8_t *to = out->at + out->len;
    if (copy_plain(to + 1, text) < text.len)
        return false;
    to[0] = to[1 + text.len] = '"';
    out->len += text.len + 2;
    return true;
}

void sw_json_write_text(struct sw_buffer *out, struct sw_bytes text)
{
    if (sw_json_write_plain_text(out, text))
        return;
    sw_buffer_add_byte(out, '"');
    sw_json_write_text_inside(out, text);
    sw_buffer_add_byte(out, '"');
}

void sw_json_write_number_u64(struct sw_buffer *out, uint64_t number) { sw_buffer_add_decimal(out, number); }

void sw_json_write_number_i64(struct sw_buffer *out, int64_t number)
{
    if (number < 0)
        sw_buffer_add_byte(out, '-');
    sw_json_write_number_u64(out, number < 0 ? 0 - (uint64_t)number : (uint64_t)number);
}

static void new_line(struct sw_json_writer *json)
{
    if (!json->indented)
        return;
    sw_buffer_add_byte(json->out, '\n');
    for (uint8_t i = 0; i < json->depth; i++)
        sw_buffer_add(json->out, "  ", 2);
}

/* What stands before an item of the innermost container: a comma unless it is the first, and a line break. */
static void next_item(struct sw_json_writer *json)
{
    if (json->depth == 0)
        return;
    uint64_t bit = UINT64_C(1) << json->depth;
    if (json->has_items & bit)
        sw_buffer_add_byte(json->out, ',');
    json->has_items |= bit;
    new_line(json);
}

void sw_json_value(struct sw_json_writer *json)
{
    if (json->after_name)
        json->after_name = false;
    else
        next_item(json);
}

static void begin(struct sw_json_writer *json, uint8_t bracket)
{
    sw_json_value(json);
    sw_buffer_add_byte(json->out, bracket);
    assert(json->depth < SW_JSON_WRITER_DEPTH_MAX);
    json->depth++;
    json->has_items &= ~(UINT64_C(1) << json->depth);
}

static void end(struct sw_json_writer *json, uint8_t bracket)
{
    assert(json->depth > 0 && !json->after_name);
    bool items = json->has_items & UINT64_C(1) << json->depth;
    json->depth--;
    if (items)
        new_line(json);
    sw_buffer_add_byte(json->out, bracket);
}

void sw_json_begin_object(struct sw_json_writer *json) { begin(json, '{'); }
void sw_json_end_object(struct sw_json_writer *json) { end(json, '}'); }
void sw_json_begin_array(struct sw_json_writer *json) { begin(json, '['); }
void sw_json_end_array(struct sw_json_writer *json) { end(json, ']'); }

void sw_json_name_bytes(struct sw_json_writer *json, struct sw_bytes name)
{
    assert(json->depth > 0 && !json->after_name);
    next_item(json);
    sw_json_write_text(json->out, name);
    sw_buffer_add(json->out, ": ", json->indented ? 2 : 1);
    json->after_name = true;
}

void sw_json_name(struct sw_json_writer *json, const char *name) { sw_json_name_bytes(json, sw_bytes_text(name)); }

void sw_json_text(struct sw_json_writer *json, struct sw_bytes text)
{
    sw_json_value(json);
    sw_json_write_text(json->out, text);
}

void sw_json_string(struct sw_json_writer *json, const char *text)
{
    if (text)
        sw_json_text(json, sw_bytes_text(text));
    else
        sw_json_null(json);
}

void sw_json_u64(struct sw_json_writer *json, uint64_t number)
{
    sw_json_value(json);
    sw_json_write_number_u64(json->out, number);
}

void sw_json_i64(struct sw_json_writer *json, int64_t number)
{
    sw_json_value(json);
    sw_json_write_number_i64(json->out, number);
}

void sw_json_boolean(struct sw_json_writer *json, bool value)
{
    sw_json_value(json);
    sw_buffer_add_text(json->out, value ? "true" : "false");
}

void sw_json_null(struct sw_json_writer *json)
{
    sw_json_value(json);
    sw_buffer_add(json->out, "null", 4);
}

void sw_json_member_text(struct sw_json_writer *json, const char *name, struct sw_bytes text)
{
    sw_json_name(json, name);
    sw_json_text(json, text);
}

void sw_json_member_string(struct sw_json_writer *json, const char *name, const char *text)
{
    sw_json_name(json, name);
    sw_json_string(json, text);
}

void sw_json_member_u64(struct sw_json_writer *json, const char *name, uint64_t number)
{
    sw_json_name(json, name);
    sw_json_u64(json, number);
}

void sw_json_member_boolean(struct sw_json_writer *json, const char *name, bool value)
{
    sw_json_name(json, name);
    sw_json_boolean(json, value);
}

void sw_json_member_strings(struct sw_json_writer *json, const char *name, char *const *texts, uint32_t count)
{
    sw_json_name(json, name);
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < count; i++)
        sw_json_string(json, texts[i]);
    sw_json_end_array(json);
}
