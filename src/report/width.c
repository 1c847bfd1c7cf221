#include "report/width.h"

#include <stdint.h>

#include "base/character.h"
#include "text/utf8.h"

struct width_range {
    uint32_t first, last;
};

#include "report/width_table.h"

static bool within(uint32_t code, const struct width_range *ranges, size_t count)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (code > ranges[middle].last)
            low = middle + 1;
        else if (code < ranges[middle].first)
            high = middle;
        else
            return true;
    }
    return false;
}
#define WITHIN(code, ranges) within(code, ranges, sizeof(ranges) / sizeof(ranges)[0])

static size_t width_of(uint32_t code)
{
    if (code < 0x300 || code == SW_UTF8_STRAY)
        return 1;
    if (WITHIN(code, width_zero))
        return 0;
    return WITHIN(code, width_wide) ? 2 : 1;
}

size_t sw_text_width(struct sw_bytes text)
{
    size_t width = 0, len;
    for (size_t at = 0; at < text.len; at += len)
        width += width_of(sw_utf8_decode(&len, text, at));
    return width;
}

bool sw_text_looks_like_another(struct sw_bytes text)
{
    size_t len;
    for (size_t at = 0; at < text.len; at += len) {
        uint32_t code = sw_utf8_decode(&len, text, at);
        if (code == 0xFFFD || !width_of(code))
            return true;
    }
    return false;
}

static void escape(struct sw_buffer *out, uint32_t code)
{
    if (code > 0xFFFF)
        sw_buffer_printf(out, "\\u%04x\\u%04x", 0xD800 + ((code - 0x10000) >> 10), 0xDC00 + ((code - 0x10000) & 0x3FF));
    else
        sw_buffer_printf(out, "\\u%04x", code);
}

void sw_text_show(struct sw_buffer *out, struct sw_bytes text, bool unicode)
{
    size_t len, marks = 0;
    for (size_t at = 0; at < text.len; at += len) {
        uint32_t code = sw_utf8_decode(&len, text, at);
        if (code == SW_UTF8_STRAY) {
            sw_buffer_printf(out, "\\udc%02x", text.at[at]);
            continue;
        }
        marks = width_of(code) ? 0 : marks + 1;
        bool control = code < 0x20 || code == 0x7F;
        if (control || (code >= 0x80 && (!unicode || marks > 2 || WITHIN(code, width_hidden))))
            escape(out, code);
        else
            sw_buffer_add(out, text.at + at, len);
    }
}

/* One step through shown text: a character, or a whole escape. What only looks like an escape is taken character by character. */
static size_t step(size_t *width, struct sw_bytes text, size_t at)
{
    size_t len, rest = text.len - at;
    const uint8_t *c = text.at + at;
    uint32_t code = sw_utf8_decode(&len, text, at);
    *width = width_of(code);
    if (code != '\\' || rest < 2)
        return len;
    if (c[1] == 'u' && rest >= 6 && sw_hex_value(c[2]) >= 0 && sw_hex_value(c[3]) >= 0 && sw_hex_value(c[4]) >= 0 && sw_hex_value(c[5]) >= 0)
        len = 6;
    else if (c[1] != 'u' && c[1] < 0x80)
        len = 2;
    *width = len;
    return len;
}

/* The largest prefix from `from` on that takes at most `columns`: its end. */
static size_t forward(struct sw_bytes text, size_t from, size_t columns)
{
    size_t at = from, used = 0, width;
    while (at < text.len) {
        size_t len = step(&width, text, at);
        if (used + width > columns)
            break;
        used += width;
        at += len;
    }
    return at;
}

/* The start of the largest suffix, not before `from`, that takes at most `columns`; `total` is the width of text from `from` on. */
static size_t backward(struct sw_bytes text, size_t from, size_t total, size_t columns)
{
    size_t at = from, width;
    while (at < text.len && total > columns) {
        at += step(&width, text, at);
        total -= width;
    }
    return at;
}

static void left_out(struct sw_buffer *out, size_t bytes, bool unicode)
{
    sw_buffer_printf(out, unicode ? "…%zu B…" : "...%zu B...", bytes);
}

static size_t left_out_width(size_t bytes, bool unicode)
{
    size_t digits = 1;
    for (size_t rest = bytes; rest > 9; rest /= 10)
        digits++;
    return digits + 2 + (unicode ? 2 : 6);
}

void sw_text_fit(struct sw_buffer *out, struct sw_bytes text, size_t columns, size_t focus, bool unicode)
{
    size_t total = sw_text_width(text), note = left_out_width(text.len, unicode);
    if (total <= columns) {
        sw_buffer_add_bytes(out, text);
        return;
    }
    if (columns < note + 4) { /* no room to say how much: the mark alone says that it is cut */
        size_t mark = unicode ? 1 : 3;
        sw_buffer_add(out, text.at, forward(text, 0, columns > mark ? columns - mark : 0));
        sw_buffer_add_text(out, columns < mark ? "." : unicode ? "…" : "...");
        return;
    }
    size_t room = columns - note, head = forward(text, 0, room - room / 3);
    size_t tail = backward(text, 0, total, room / 3);
    if (focus == SW_FIT_ANYWHERE || focus < head || focus >= tail) {
        sw_buffer_add(out, text.at, head);
        left_out(out, tail - head, unicode);
        sw_buffer_add(out, text.at + tail, text.len - tail);
        return;
    }
    /* a window that begins a little before the focus; in a narrow place its end has room for a mark only */
    size_t mark = columns < 3 * note ? (unicode ? 1 : 3) : note, window = columns > note + mark ? columns - note - mark : 1;
    size_t before = window / 4, width, start = 0, at = 0, lead = 0;
    while (at < focus) {
        size_t len = step(&width, text, at);
        if (at + len > focus)
            break;
        at += len;
        lead += width;
        while (lead > before) {
            start += step(&width, text, start);
            lead -= width;
        }
    }
    size_t end = forward(text, start, window);
    left_out(out, start, unicode);
    sw_buffer_add(out, text.at + start, end - start);
    if (end == text.len)
        return;
    if (mark == note)
        left_out(out, text.len - end, unicode);
    else
        sw_buffer_add_text(out, unicode ? "…" : "...");
}

size_t sw_text_first_difference(struct sw_bytes a, struct sw_bytes b)
{
    size_t common = a.len < b.len ? a.len : b.len;
    for (size_t i = 0; i < common; i++)
        if (a.at[i] != b.at[i])
            return i;
    return a.len == b.len ? SW_FIT_ANYWHERE : common;
}
