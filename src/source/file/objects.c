/* JSON objects one after the other without the newlines that would tell them apart: "{…}{…}" (Amazon Data Firehose and others concatenate what they take), "{…} {…}", and lists that lack
 * their brackets: "{…},\n{…},". A record is an object; commas and blanks between two are left out. */
#include <string.h>

#include "source/file/convert.h"

static bool is_between(uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n' || byte == ','; }

size_t sw_text_end_of_object(bool *closed, struct sw_bytes raw)
{
    struct sw_text_work work = {0};
    size_t at = 0;
    *closed = false;
    while (at < raw.len && is_between(raw.at[at]))
        at++;
    if (at == raw.len)
        return SIZE_MAX;
    if (raw.at[at] != '{') { /* something else: to the end of its line */
        const uint8_t *newline = memchr(raw.at + at, '\n', raw.len - at);
        return newline ? (size_t)(newline - raw.at) : SIZE_MAX;
    }
    for (;;) { /* line by line: one that begins with a brace, where those of an object that is spread over lines are indented, shows that the object before it is torn */
        const uint8_t *newline = memchr(raw.at + at, '\n', raw.len - at);
        size_t line = newline ? (size_t)(newline - raw.at) + 1 - at : raw.len - at;
        at += sw_text_follow_json(&work, sw_bytes_of(raw.at + at, line));
        *closed = work.depth == 0;
        if (*closed || (at < raw.len && raw.at[at] == '{' && raw.at[at - 1] == '\n'))
            return at;
        if (at == raw.len)
            return SIZE_MAX;
    }
}

static size_t end_of_object(struct sw_bytes raw)
{
    bool closed;
    return sw_text_end_of_object(&closed, raw);
}

static void take_object(struct sw_text_work *work, struct sw_bytes piece)
{
    while (piece.len && is_between(*piece.at))
        piece = sw_bytes_of(piece.at + 1, piece.len - 1);
    while (piece.len && is_between(piece.at[piece.len - 1]))
        piece.len--;
    if (piece.len == 0)
        return;
    size_t before = work->lines.len;
    bool in_string = false, escaped = false;
    sw_buffer_add_bytes(&work->lines, piece);
    for (size_t i = before; i < work->lines.len; i++) { /* a newline between tokens is a blank; one in a text stays an error, but does not cut the record in two */
        uint8_t *byte = &work->lines.at[i];
        if (*byte == '\n')
            *byte = in_string ? '\r' : ' ';
        if (*byte == '"' && !escaped)
            in_string = !in_string;
        escaped = *byte == '\\' && !escaped;
    }
    sw_buffer_add_byte(&work->lines, '\n');
}

static bool recognises(struct sw_bytes head)
{
    size_t at = 0;
    while (at < head.len && is_between(head.at[at]) && head.at[at] != ',')
        at++;
    if (at == head.len || head.at[at] != '{')
        return false;
    bool newline = false, comma = false, closed;
    size_t end = sw_text_end_of_object(&closed, head);
    if (!closed) /* a torn line of NDJSON; or an object whose lines are not indented, which is a value that is spread over lines (tell.h) */
        return false;
    for (; end < head.len && is_between(head.at[end]); end++) {
        newline |= head.at[end] == '\n';
        comma |= head.at[end] == ',';
    }
    return end < head.len && head.at[end] == '{' && (comma || !newline);
}

const struct sw_text_form sw_form_objects = {.unnamed = true, .recognises = recognises, .end = end_of_object, .keeps = true, .take = take_object};
