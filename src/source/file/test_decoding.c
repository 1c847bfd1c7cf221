#include "source/file/test_decoding.h"

#include <string.h>

#include "base/character.h"
#include "text/json_value.h"
#include "text/json_write.h"

#define SHOWN 200 /* bytes of a line that is none which its record keeps */

/* ---- one record ---- */

struct text {
    const uint8_t *at, *end;
};

static bool take(struct text *from, const char *word)
{
    size_t len = strlen(word);
    if ((size_t)(from->end - from->at) < len || memcmp(from->at, word, len) != 0)
        return false;
    from->at += len;
    return true;
}


static struct sw_bytes take_digits(struct text *from)
{
    const uint8_t *begin = from->at;
    while (from->at < from->end && sw_is_digit(*from->at))
        from->at++;
    return sw_bytes_of(begin, (size_t)(from->at - begin));
}

/* What stands in quotes, each doubled inside. False: the quote is not closed. */
static bool take_quoted(struct sw_buffer *room, struct text *from, uint8_t quote)
{
    room->len = 0;
    for (from->at++; from->at < from->end; from->at++) {
        if (*from->at == quote && (from->at + 1 == from->end || from->at[1] != quote)) {
            from->at++;
            return true;
        }
        from->at += *from->at == quote;
        sw_buffer_add_byte(room, *from->at);
    }
    return false;
}

/* A name as quote_identifier writes it, as a JSON text. */
static bool add_name(struct sw_buffer *out, struct sw_buffer *room, struct text *from)
{
    if (from->at < from->end && *from->at == '"') {
        if (!take_quoted(room, from, '"') || room->len == 0)
            return false;
        sw_json_write_text(out, sw_buffer_view(room));
        return true;
    }
    const uint8_t *begin = from->at;
    while (from->at < from->end && (*from->at == '_' || *from->at == '$' || *from->at >= 0x80 || sw_is_digit(*from->at) || (*from->at >= 'a' && *from->at <= 'z')))
        from->at++;
    if (from->at == begin)
        return false;
    sw_json_write_text(out, sw_bytes_of(begin, (size_t)(from->at - begin)));
    return true;
}

static bool add_table(struct sw_buffer *out, struct sw_buffer *room, struct text *from)
{
    sw_buffer_add_text(out, ",\"schema\":");
    if (!add_name(out, room, from) || !take(from, "."))
        return false;
    sw_buffer_add_text(out, ",\"table\":");
    return add_name(out, room, from);
}

/* The type of a column, between the brackets: it may hold brackets and quotes itself, but no "]:". */
static bool take_type(struct sw_bytes *out, struct text *from)
{
    bool quoted = false;
    if (!take(from, "["))
        return false;
    const uint8_t *begin = from->at;
    for (; from->at + 1 < from->end; from->at++) {
        quoted ^= *from->at == '"';
        if (!quoted && from->at[0] == ']' && from->at[1] == ':') {
            *out = sw_bytes_of(begin, (size_t)(from->at - begin));
            from->at += 2;
            return out->len != 0;
        }
    }
    return false;
}

/* Appends the value as JSON; *sent is false for one that is stored out of line and did not change. */
static bool add_value(struct sw_buffer *out, bool *sent, struct sw_buffer *room, struct text *from)
{
    *sent = true;
    if (take(from, "unchanged-toast-datum")) {
        *sent = false;
        return true;
    }
    bool bits = from->end - from->at > 1 && from->at[0] == 'B' && from->at[1] == '\'';
    from->at += bits;
    if (from->at < from->end && *from->at == '\'') {
        if (!take_quoted(room, from, '\''))
            return false;
        sw_json_write_text(out, room->len ? sw_buffer_view(room) : SW_BYTES_LITERAL(""));
        return true;
    }
    const uint8_t *begin = from->at;
    while (from->at < from->end && *from->at != ' ')
        from->at++;
    struct sw_bytes word = sw_bytes_of(begin, (size_t)(from->at - begin));
    bool known = sw_bytes_is(word, "null") || sw_bytes_is(word, "true") || sw_bytes_is(word, "false");
    if (known || (word.len && sw_json_number_end(begin, from->at) == from->at)) {
        sw_buffer_add_bytes(out, word);
        return true;
    }
    if (!sw_bytes_is(word, "NaN") && !sw_bytes_is(word, "Infinity") && !sw_bytes_is(word, "-Infinity"))
        return false;
    sw_json_write_text(out, word);
    return true;
}

/* Appends ,"MEMBER":[{"name":…,"type":…,"value":…},…] up to the end of the record or, of an old key, to the new row. */
static bool add_columns(struct sw_buffer *out, const char *member, struct sw_buffer *room, struct text *from)
{
    bool first = true;
    sw_buffer_printf(out, ",\"%s\":[", member);
    while (from->at < from->end) {
        struct text ahead = *from;
        if (take(&ahead, " new-tuple:"))
            break;
        struct sw_bytes type;
        bool sent;
        size_t before = out->len;
        if (!take(from, " "))
            return false;
        sw_buffer_add_text(out, first ? "{\"name\":" : ",{\"name\":");
        if (!add_name(out, room, from) || !take_type(&type, from))
            return false;
        sw_buffer_add_text(out, ",\"type\":");
        sw_json_write_text(out, type);
        sw_buffer_add_text(out, ",\"value\":");
        if (!add_value(out, &sent, room, from))
            return false;
        if (!sent)
            out->len = before;
        else
            sw_buffer_add_byte(out, '}');
        first &= !sent;
    }
    sw_buffer_add_byte(out, ']');
    return true;
}

/* "public.a, public.b: TRUNCATE: (no-flags)": a line each. `head` is what they begin with, LSN and xid. */
static bool add_truncates(struct sw_buffer *out, struct sw_buffer *room, struct text from, struct sw_bytes head)
{
    for (;;) {
        sw_buffer_add_text(out, "{\"action\":\"T\"");
        sw_buffer_add_bytes(out, head);
        if (!add_table(out, room, &from))
            return false;
        sw_buffer_add_text(out, "}\n");
        if (!take(&from, ", "))
            break;
    }
    return take(&from, ": TRUNCATE: ") && (take(&from, "(no-flags)") || take(&from, "restart_seqs") || take(&from, "cascade")) && (from.at == from.end || *from.at == ' ');
}

static bool add_change(struct sw_buffer *out, struct sw_buffer *room, struct text from, struct sw_bytes head)
{
    struct text begin = from;
    size_t before = out->len;
    sw_buffer_add_text(out, "{\"action\":\"?\"");
    size_t action = out->len - 2;
    sw_buffer_add_bytes(out, head);
    if (!add_table(out, room, &from))
        return false;
    bool good = true;
    if (take(&from, ": INSERT:")) {
        out->at[action] = 'I';
        good = add_columns(out, "columns", room, &from);
    } else if (take(&from, ": UPDATE:")) {
        out->at[action] = 'U';
        if (take(&from, " old-key:"))
            good = add_columns(out, "identity", room, &from) && take(&from, " new-tuple:");
        good = good && add_columns(out, "columns", room, &from);
    } else if (take(&from, ": DELETE:")) {
        out->at[action] = 'D';
        if (!take(&from, " (no-tuple-data)"))
            good = add_columns(out, "identity", room, &from);
    } else {
        out->len = before;
        return add_truncates(out, room, begin, head);
    }
    sw_buffer_add_text(out, "}\n");
    return good && from.at == from.end;
}

/* "BEGIN 555", "COMMIT 555 (at 2026-01-28 12:00:00+00)"; numbers and time are options. */
static bool add_mark(struct sw_buffer *out, struct text from, char action, struct sw_bytes head)
{
    sw_buffer_printf(out, "{\"action\":\"%c\"", action);
    sw_buffer_add_bytes(out, head);
    if (take(&from, " ") && from.at < from.end && sw_is_digit(*from.at)) {
        struct sw_bytes xid = take_digits(&from);
        if (!head.len)
            sw_buffer_printf(out, ",\"xid\":%.*s", (int)xid.len, (const char *)xid.at);
        (void)take(&from, " ");
    }
    if (take(&from, "(at ")) {
        if (from.end == from.at || from.end[-1] != ')')
            return false;
        sw_buffer_add_text(out, ",\"timestamp\":");
        sw_json_write_text(out, sw_bytes_of(from.at, (size_t)(from.end - from.at - 1)));
        from.at = from.end;
    }
    sw_buffer_add_text(out, "}\n");
    return from.at == from.end;
}

/* "0/16E9A28|555|": how psql -At shows the columns lsn and xid. `head` gets them as members. */
static void take_position(struct sw_buffer *head, struct text *from, bool row)
{
    struct text ahead = *from;
    const uint8_t *begin = ahead.at;
    unsigned slashes = 0;
    while (ahead.at < ahead.end && (sw_is_digit(*ahead.at) || (*ahead.at >= 'A' && *ahead.at <= 'F') || *ahead.at == '/'))
        slashes += *ahead.at++ == '/';
    size_t len = (size_t)(ahead.at - begin);
    if (slashes != 1 || len < 3 || len > 17 || !take(&ahead, "|"))
        return;
    struct sw_bytes xid = take_digits(&ahead);
    if (xid.len == 0 || xid.len > 10 || !take(&ahead, "|"))
        return;
    if (row) /* those of BEGIN and COMMIT are no commit's position */
        sw_buffer_printf(head, ",\"lsn\":\"%.*s\"", (int)len, (const char *)begin);
    sw_buffer_printf(head, ",\"xid\":%.*s", (int)xid.len, (const char *)xid.at);
    *from = ahead;
}

static struct text without_position(struct sw_bytes record)
{
    struct sw_buffer nothing = {0};
    struct text from = {record.at, record.at + record.len};
    take_position(&nothing, &from, true);
    sw_buffer_free(&nothing);
    return from;
}

static bool add_record(struct sw_buffer *out, struct sw_buffer *room, struct sw_bytes record)
{
    struct text from = {record.at, record.at + record.len}, ahead = without_position(record);
    struct sw_buffer head = {0};
    bool table = take(&ahead, "table "), good = false;
    take_position(&head, &from, table);
    if (table)
        good = take(&from, "table ") && add_change(out, room, from, sw_buffer_view(&head));
    else if (take(&from, "BEGIN"))
        good = add_mark(out, from, 'B', sw_buffer_view(&head));
    else if (take(&from, "COMMIT"))
        good = add_mark(out, from, 'C', sw_buffer_view(&head));
    else if (take(&from, "message: transactional: ")) {
        sw_buffer_add_text(out, "{\"action\":\"M\"}\n");
        good = true;
    }
    out->failed |= head.failed;
    sw_buffer_free(&head);
    return good;
}

/* ---- the text ---- */

/* A message says how many bytes it has, and any byte may be among them: where it ends. 0: it is no message; SIZE_MAX: more is needed to tell. */
static size_t end_of_message(struct sw_bytes raw)
{
    struct text from = without_position(raw);
    const uint8_t *newline = memchr(raw.at, '\n', raw.len);
    if (!take(&from, "message: transactional: "))
        return 0;
    const uint8_t *content = memmem(from.at, (size_t)(from.end - from.at), ", sz: ", 6);
    if (!content)
        return newline ? 0 : SIZE_MAX;
    from.at = content + 6;
    struct sw_bytes digits = take_digits(&from);
    uint64_t size = 0;
    for (size_t i = 0; i < digits.len && size < UINT32_MAX; i++)
        size = size * 10 + (uint64_t)(digits.at[i] - '0');
    if (!take(&from, " content:"))
        return (size_t)(from.end - from.at) < 9 ? SIZE_MAX : 0;
    return (uint64_t)(from.end - from.at) > size ? (size_t)(from.at - raw.at) + (size_t)size : SIZE_MAX;
}

/* The newline that ends the record at the front; SIZE_MAX: it is not there yet. */
static size_t end_of_record(struct sw_bytes raw)
{
    size_t message = end_of_message(raw);
    struct text from = without_position(raw);
    if (message)
        return message;
    if (!take(&from, "table ")) {
        const uint8_t *newline = memchr(raw.at, '\n', raw.len);
        return newline ? (size_t)(newline - raw.at) : SIZE_MAX;
    }
    uint8_t quote = 0;
    for (size_t i = 0; i < raw.len; i++) {
        uint8_t byte = raw.at[i];
        if (quote)
            quote = byte == quote ? 0 : quote;
        else if (byte == '\'' || byte == '"')
            quote = byte;
        else if (byte == '\n')
            return i;
    }
    return SIZE_MAX;
}

void sw_test_decoding_add_bad(struct sw_buffer *out, struct sw_bytes record)
{
    sw_buffer_add_text(out, "{\"test_decoding\":");
    sw_json_write_text(out, record.len > SHOWN ? sw_bytes_of(record.at, SHOWN) : record);
    sw_buffer_add_text(out, "}\n");
}

bool sw_test_decoding_add(struct sw_buffer *out, struct sw_buffer *room, struct sw_bytes record)
{
    size_t before = out->len;
    bool good = add_record(out, room, record);
    if (!good)
        out->len = before;
    return good;
}

static void take_record(struct sw_text_work *work, struct sw_bytes record)
{
    while (record.len && record.at[record.len - 1] == '\r')
        record.len--;
    if (record.len == 0) {
        sw_buffer_add_byte(&work->lines, '\n');
    } else if (!sw_test_decoding_add(&work->lines, &work->room, record)) {
        sw_test_decoding_add_bad(&work->lines, record);
    }
}

static void take_cut(struct sw_text_work *work, struct sw_bytes piece) { sw_test_decoding_add_bad(&work->lines, piece); }

static bool recognises(struct sw_bytes head)
{
    const uint8_t *newline = head.len ? memchr(head.at, '\n', head.len) : NULL;
    struct text from = without_position(sw_bytes_of(head.at, newline ? (size_t)(newline - head.at) : head.len));
    if (take(&from, "BEGIN")) {
        bool numbered = take(&from, " ") && take_digits(&from).len;
        struct text next = newline ? without_position(sw_bytes_of(newline + 1, head.len - (size_t)(newline + 1 - head.at))) : from;
        return newline && (numbered || from.at == from.end) && (from.at == from.end || *from.at == '\r') &&
               (take(&next, "table ") || take(&next, "COMMIT") || take(&next, "message: transactional: "));
    }
    struct sw_buffer out = {0}, room = {0};
    bool table = take(&from, "table ") && add_table(&out, &room, &from) && (take(&from, ": INSERT: ") || take(&from, ": UPDATE: ") || take(&from, ": DELETE: ") || take(&from, ": TRUNCATE: "));
    sw_buffer_free(&out);
    sw_buffer_free(&room);
    return table;
}

const struct sw_text_form sw_form_test_decoding = {.format = "wal2json", .recognises = recognises, .end = end_of_record, .take = take_record, .cut = take_cut};
