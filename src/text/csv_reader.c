#include "text/csv_reader.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "text/csv_rule.h"

bool sw_csv_reader_init(struct sw_csv_reader *reader, const struct sw_kernel *kernel, uint8_t delimiter)
{
    *reader = (struct sw_csv_reader){.kernel = kernel ? kernel : sw_kernel_find(NULL), .delimiter = delimiter};
    reader->tokens = sw_calloc(SW_CSV_COLUMNS_MAX + 1, sizeof *reader->tokens);
    return reader->tokens != NULL;
}

void sw_csv_reader_free(struct sw_csv_reader *reader)
{
    sw_free(reader->tokens);
    *reader = (struct sw_csv_reader){0};
}

/* After a fault seen at `now`: the record goes on to where the rule says that it ends, whatever it holds. What stands before `now` is not looked
 * at again: doubled quotes may have been resolved there. */
static enum sw_csv_status skip_rest(const struct sw_csv_reader *reader, uint8_t **at, uint8_t *now, const uint8_t *end, uint64_t *lines, enum sw_csv_place place)
{
    bool ended = false;
    while (now < end && !ended) {
        *lines += *now == '\n';
        ended = sw_csv_step(&place, *now++, '"', reader->delimiter);
    }
    *at = now;
    return SW_CSV_BAD;
}

/* A record of so many fields has been read. */
static enum sw_csv_status end_record(struct sw_csv_reader *reader, uint32_t count)
{
    reader->token_count = count;
    if (reader->column_count && count != reader->column_count) {
        snprintf(reader->problem.text, sizeof reader->problem.text, "a record has %u field%s; the header has %u", count, count == 1 ? "" : "s", reader->column_count);
        return SW_CSV_BAD;
    }
    return SW_CSV_OK;
}

/* Resolves the quoted field whose opening quote stands at `from`. Gives the byte after the closing quote, or NULL if it is never closed. The
 * bytes are only moved once the whole field is known to be well formed. */
static uint8_t *quoted_field(struct sw_token *out, uint8_t *from, const uint8_t *end, uint64_t *lines)
{
    uint8_t *start = from + 1, *close = start;
    size_t doubled = 0;
    for (;;) {
        close = memchr(close, '"', (size_t)(end - close));
        if (!close)
            return NULL;
        if (close + 1 < end && close[1] == '"') {
            doubled++;
            close += 2;
            continue;
        }
        break;
    }
    uint8_t *after = close + 1;
    for (uint8_t *line = start; (line = memchr(line, '\n', (size_t)(close - line))) != NULL; line++)
        ++*lines;
    size_t len = (size_t)(close - start);
    if (doubled) {
        uint8_t *to = start, *read = start;
        while (read < close) {
            uint8_t *quote = memchr(read, '"', (size_t)(close - read));
            size_t plain = quote ? (size_t)(quote - read) + 1 : (size_t)(close - read);
            memmove(to, read, plain);
            to += plain;
            read += plain + (quote ? 1 : 0);
        }
        len = (size_t)(to - start);
    }
    *out = (struct sw_token){start, (uint32_t)len, SW_TOKEN_TEXT, false};
    return after;
}

/* What the byte behind an escape stands for. Source: PostgreSQL's documentation, COPY, "Text Format"; MariaDB's, LOAD DATA. */
static uint8_t escaped_byte(uint8_t byte)
{
    switch (byte) {
    case '0': return 0;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    case 'Z': return 0x1a;
    default: return byte;
    }
}

/* The field at `now`, its escapes resolved in place. Gives where it ends; NULL if its last byte is an escape. */
static uint8_t *escaped_field(struct sw_token *out, const struct sw_csv_reader *reader, uint8_t *now, const uint8_t *end, uint64_t *lines)
{
    uint8_t *start = now, *to;
    while (now < end && *now != reader->escape && *now != reader->delimiter && *now != '\n')
        now++;
    bool null = false;
    for (to = now; now < end && *now != reader->delimiter && *now != '\n';) {
        if (*now != reader->escape) {
            *to++ = *now++;
            continue;
        }
        if (now + 1 == end)
            return NULL;
        /* \N alone: it is told from the text N by what follows it */
        null |= now == start && now[1] == 'N' && (now + 2 == end || now[2] == reader->delimiter || now[2] == '\n') && reader->null_text.len == 2 && reader->null_text.at[0] == reader->escape && reader->null_text.at[1] == 'N';
        *lines += now[1] == '\n';
        *to++ = escaped_byte(now[1]);
        now += 2;
    }
    bool resolved = to != now;
    *out = (struct sw_token){start, (uint32_t)(to - start), SW_TOKEN_TEXT, false};
    if (null || (!resolved && out->len == reader->null_text.len && (out->len == 0 || memcmp(start, reader->null_text.at, out->len) == 0)))
        out->kind = SW_TOKEN_NULL;
    return now;
}

static enum sw_csv_status read_escaped(struct sw_csv_reader *reader, uint8_t **at, uint8_t *end, uint64_t *lines)
{
    uint8_t *now = *at;
    uint32_t count = 0;
    if (reader->column_count != 1 && *now == '\n') {
        *lines += 1;
        *at = now + 1;
        return SW_CSV_BLANK;
    }
    for (bool more = true; more; now++) {
        if (count == SW_CSV_COLUMNS_MAX) {
            snprintf(reader->problem.text, sizeof reader->problem.text, "a record has more than %d fields", SW_CSV_COLUMNS_MAX);
            enum sw_csv_place place = SW_CSV_FIELD_BEGIN;
            for (bool ended = false; now < end && !ended; now++) {
                *lines += *now == '\n';
                ended = sw_csv_step_escaped(&place, *now, reader->escape, reader->delimiter);
            }
            *at = now;
            return SW_CSV_BAD;
        }
        uint8_t *after = escaped_field(&reader->tokens[++count], reader, now, end, lines);
        if (!after) {
            snprintf(reader->problem.text, sizeof reader->problem.text, "the input ends with an escape, in field %u", count);
            *at = end;
            *lines += 1;
            return SW_CSV_BAD;
        }
        now = after;
        more = now < end && *now == reader->delimiter;
        if (now == end)
            break;
    }
    *lines += 1;
    *at = now;
    return end_record(reader, count);
}

enum sw_csv_status sw_csv_read(struct sw_csv_reader *reader, uint8_t **at, uint8_t *end, uint64_t *lines)
{
    if (reader->escape)
        return read_escaped(reader, at, end, lines);
    uint8_t *now = *at;
    uint32_t count = 0;
    if (reader->column_count != 1 && (*now == '\n' || (*now == '\r' && now + 1 < end && now[1] == '\n') || (*now == '\r' && now + 1 == end))) {
        *lines += 1;
        *at = *now == '\n' || now + 1 == end ? now + 1 : now + 2;
        return SW_CSV_BLANK;
    }
    for (;;) {
        if (count == SW_CSV_COLUMNS_MAX) {
            snprintf(reader->problem.text, sizeof reader->problem.text, "a record has more than %d fields", SW_CSV_COLUMNS_MAX);
            return skip_rest(reader, at, now, end, lines, SW_CSV_FIELD_BEGIN);
        }
        struct sw_token *token = &reader->tokens[++count];
        bool quoted = now < end && *now == '"';
        if (quoted) {
            uint64_t inside = 0;
            uint8_t *after = quoted_field(token, now, end, &inside);
            if (!after) {
                snprintf(reader->problem.text, sizeof reader->problem.text, "the quoted field %u is not closed", count);
                return skip_rest(reader, at, now, end, lines, SW_CSV_FIELD_BEGIN);
            }
            now = after;
            *lines += inside;
            if (now < end && *now != reader->delimiter && *now != '\n' && *now != '\r') {
                snprintf(reader->problem.text, sizeof reader->problem.text, "text follows the closing quote of field %u; a delimiter or a line end was expected", count);
                return skip_rest(reader, at, now, end, lines, SW_CSV_FIELD_PLAIN);
            }
        } else {
            const uint8_t *stop = reader->kernel->csv_end(now, end, reader->delimiter);
            if (stop < end && *stop == '"') {
                snprintf(reader->problem.text, sizeof reader->problem.text, "a quote stands inside the unquoted field %u; quote the whole field and double the quote", count);
                return skip_rest(reader, at, (uint8_t *)(uintptr_t)stop, end, lines, SW_CSV_FIELD_PLAIN);
            }
            if (stop < end && *stop == '\r' && !(stop + 1 < end && stop[1] == '\n') && stop + 1 != end) {
                snprintf(reader->problem.text, sizeof reader->problem.text, "a carriage return stands inside the unquoted field %u; lines end with LF or CR LF, not with CR alone", count);
                return skip_rest(reader, at, (uint8_t *)(uintptr_t)stop, end, lines, SW_CSV_FIELD_PLAIN);
            }
            *token = (struct sw_token){now, (uint32_t)(stop - now), SW_TOKEN_TEXT, false};
            now = (uint8_t *)(uintptr_t)stop;
        }
        if ((!quoted || reader->null_quoted_too) && token->len == reader->null_text.len &&
            (token->len == 0 || memcmp(token->at, reader->null_text.at, token->len) == 0))
            token->kind = SW_TOKEN_NULL;
        if (now < end && *now == reader->delimiter) {
            now++;
            continue;
        }
        if (now < end && *now == '\r')
            now++;
        if (now < end && *now != '\n') {
            snprintf(reader->problem.text, sizeof reader->problem.text, "a carriage return after field %u is not followed by a line feed", count);
            return skip_rest(reader, at, now, end, lines, SW_CSV_FIELD_PLAIN);
        }
        if (now < end)
            now++;
        *lines += 1;
        break;
    }
    *at = now;
    return end_record(reader, count);
}
