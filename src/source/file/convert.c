#include "source/file/convert.h"

#include <string.h>

#include "base/memory.h"
#include "source/file/tell.h"

#define CHUNK ((size_t)64 << 10)

struct sw_conversion {
    const struct sw_text_form *form;
    struct sw_feed *feed;
    struct sw_decoder *decoder;
    struct sw_buffer raw;     /* from the begin of a piece on */
    struct sw_text_work work;
    size_t given;             /* of its lines */
    size_t lost;              /* bytes that the last cut took, of a run of them; 0: the last piece was whole */
    bool begun, ended, finished;
};

const struct sw_text_form *sw_text_form_of(struct sw_bytes head, const char *locator)
{
    static const struct sw_text_form *const forms[] = {&sw_form_test_decoding, &sw_form_psql_unaligned, &sw_form_psql, &sw_form_slot_csv, &sw_form_slot_objects, &sw_form_kafka_console, &sw_form_objects};
    size_t mark = sw_tell_mark(head);
    head = sw_bytes_of(head.at + mark, head.len - mark);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!(forms[i]->unnamed && sw_tell_lines_name(locator)) && (forms[i]->csv || !sw_tell_csv_name(locator)) && forms[i]->recognises(head))
            return forms[i];
    return NULL;
}

size_t sw_text_follow_json(struct sw_text_work *work, struct sw_bytes bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        uint8_t byte = bytes.at[i];
        if (work->in_string) {
            work->in_string = work->escaped || byte != '"';
            work->escaped = byte == '\\' && !work->escaped;
        } else if (byte == '"')
            work->in_string = true;
        else if (byte == '{' || byte == '[')
            work->depth++;
        else if ((byte == '}' || byte == ']') && work->depth && --work->depth == 0)
            return i + 1;
    }
    return bytes.len;
}

enum sw_code sw_conversion_open(struct sw_conversion **out, const struct sw_text_form *form, struct sw_bytes head, struct sw_feed *feed, struct sw_decoder *decoder, size_t record_bytes_max,
                                struct sw_error *error)
{
    struct sw_conversion *self = *out = sw_calloc(1, sizeof *self);
    if (!self)
        return sw_fail_memory(error, "a text that is converted", sizeof *self);
    self->form = form;
    self->feed = feed;
    self->decoder = decoder;
    self->work.record_bytes_max = record_bytes_max;
    sw_buffer_add_bytes(&self->raw, head);
    return self->raw.failed ? sw_fail_memory(error, "a text that is converted", head.len) : SW_OK;
}

static enum sw_code fill(struct sw_conversion *self, struct sw_error *error)
{
    size_t got, wanted = self->raw.len > CHUNK ? self->raw.len : CHUNK; /* a long record is looked at few times */
    if (!sw_buffer_reserve(&self->raw, wanted))
        return sw_fail_memory(error, "a record", self->raw.len + wanted);
    uint8_t *to = self->raw.at + self->raw.len;
    enum sw_code code = self->decoder ? sw_decoder_read(&got, self->decoder, to, wanted, error) : sw_feed_read(&got, self->feed, to, wanted, error);
    if (code != SW_OK)
        return code;
    self->raw.len += got;
    self->ended = got < wanted;
    return SW_OK;
}

/* How much of `rest`, in which no piece ends, is cut off: its first line, so that those that follow are judged by themselves. Where they have no end either, each cut is twice the one before:
 * every one of them cost a look at all of `rest`. */
static size_t cut_length(struct sw_conversion *self, struct sw_bytes rest)
{
    size_t least = self->lost ? self->lost * 2 : 0;
    const uint8_t *newline = least < rest.len ? memchr(rest.at + least, '\n', rest.len - least) : NULL;
    size_t len = newline ? (size_t)(newline - rest.at) : rest.len;
    self->lost = len + 1;
    return len;
}

/* A piece that is longer than a record may be. */
static void take_cut(struct sw_conversion *self, struct sw_bytes piece)
{
    struct sw_buffer *lines = &self->work.lines;
    size_t before = lines->len;
    if (self->form->cut) {
        self->form->cut(&self->work, piece);
        return;
    }
    sw_buffer_add_bytes(lines, piece);
    for (size_t i = before; i < lines->len; i++)
        if (lines->at[i] == '\n')
            lines->at[i] = ' ';
    sw_buffer_add_byte(lines, '\n');
}

/* Turns what is there into lines, and keeps the piece that is not whole. */
static enum sw_code turn(struct sw_conversion *self, struct sw_error *error)
{
    struct sw_text_work *work = &self->work;
    size_t at = 0;
    work->lines.len = self->given = 0;
    if (!self->begun && (self->raw.len >= 3 || self->ended)) {
        self->begun = true;
        at = sw_tell_mark(sw_buffer_view(&self->raw));
    }
    while (self->begun && at < self->raw.len && work->lines.len < CHUNK) {
        struct sw_bytes rest = sw_bytes_of(self->raw.at + at, self->raw.len - at);
        const uint8_t *newline = self->form->end ? NULL : memchr(rest.at, '\n', rest.len);
        size_t end = self->form->end ? self->form->end(rest) : newline ? (size_t)(newline - rest.at) : SIZE_MAX;
        if (end == SIZE_MAX && rest.len < work->record_bytes_max && !self->ended)
            break;
        if (end == SIZE_MAX && self->ended) { /* the last one lacks its end; or something is not closed, and all the rest may stand in it */
            end = rest.len;
            self->form->take(work, rest);
        } else if (end == SIZE_MAX) { /* longer than a record may be */
            end = cut_length(self, rest);
            take_cut(self, sw_bytes_of(rest.at, end));
        } else {
            self->lost = 0;
            self->form->take(work, sw_bytes_of(rest.at, end));
        }
        at += end + (!self->form->keeps && end < rest.len);
    }
    if (at)
        memmove(self->raw.at, self->raw.at + at, self->raw.len - at);
    self->raw.len -= at;
    if (self->ended && self->begun && self->raw.len == 0 && !self->finished && work->lines.len < CHUNK) {
        self->finished = true;
        if (self->form->finish)
            self->form->finish(work);
    }
    return work->lines.failed || work->room.failed || work->held.failed ? sw_fail_memory(error, "a record", work->lines.len) : SW_OK;
}

enum sw_code sw_conversion_read(size_t *got, struct sw_conversion *self, void *at, size_t len, struct sw_error *error)
{
    *got = 0;
    while (*got < len) {
        struct sw_buffer *lines = &self->work.lines;
        if (self->given == lines->len) {
            enum sw_code code = turn(self, error);
            if (code == SW_OK && lines->len == 0 && !self->ended)
                code = fill(self, error);
            if (code != SW_OK)
                return code;
            if (lines->len == 0 && self->finished)
                break;
            continue;
        }
        size_t more = lines->len - self->given < len - *got ? lines->len - self->given : len - *got;
        memcpy((uint8_t *)at + *got, lines->at + self->given, more);
        self->given += more;
        *got += more;
    }
    return SW_OK;
}

void sw_conversion_close(struct sw_conversion **pointer)
{
    struct sw_conversion *self = *pointer;
    *pointer = NULL;
    if (!self)
        return;
    sw_buffer_free(&self->raw);
    sw_buffer_free(&self->work.lines);
    sw_buffer_free(&self->work.room);
    sw_buffer_free(&self->work.held);
    sw_free(self);
}
