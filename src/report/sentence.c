#include "report/sentence.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/memory.h"
#include "text/json_write.h"

#define NAME_BYTES_MAX 60u

void sw_sentences_begin(struct sw_sentences *list) { list->count++; }
void sw_sentences_end(struct sw_sentences *list) { sw_buffer_add_byte(&list->text, 0); }

void sw_sentences_add(struct sw_sentences *list, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sw_sentences_begin(list);
    sw_buffer_add_text(&list->text, text);
    sw_sentences_end(list);
}

const char *sw_sentences_next(const struct sw_sentences *list, const char *previous)
{
    if (list->text.failed || !list->text.len)
        return NULL;
    const char *first = (const char *)list->text.at;
    const char *next = previous ? previous + strlen(previous) + 1 : first;
    return next < first + list->text.len ? next : NULL;
}

void sw_sentences_free(struct sw_sentences *list)
{
    sw_buffer_free(&list->text);
    list->count = 0;
}

void sw_sentences_json(struct sw_json_writer *json, const char *name, const struct sw_sentences *list)
{
    sw_json_name(json, name);
    sw_json_begin_array(json);
    for (const char *text = NULL; (text = sw_sentences_next(list, text));)
        sw_json_string(json, text);
    sw_json_end_array(json);
}

static bool plain_word(struct sw_bytes name)
{
    for (size_t i = 0; i < name.len; i++) {
        uint8_t c = name.at[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' || c == '$' || c == '/';
        if (!plain)
            return false;
    }
    return name.len > 0;
}

/* Where a cut at `at` would split a UTF-8 sequence, the place before it. */
static size_t before_sequence(struct sw_bytes text, size_t at)
{
    while (at > 0 && (text.at[at] & 0xC0) == 0x80)
        at--;
    return at;
}

void sw_sentence_name(struct sw_buffer *out, struct sw_bytes name)
{
    bool whole = name.len <= NAME_BYTES_MAX;
    if (plain_word(name) && whole) {
        sw_buffer_add_bytes(out, name);
        return;
    }
    sw_buffer_add_byte(out, '"');
    if (whole) {
        sw_json_write_text_inside(out, name);
    } else {
        size_t head = before_sequence(name, NAME_BYTES_MAX * 2 / 3), tail = before_sequence(name, name.len - NAME_BYTES_MAX / 3);
        sw_json_write_text_inside(out, sw_bytes_of(name.at, head));
        sw_buffer_printf(out, "...%zu B...", tail - head);
        sw_json_write_text_inside(out, sw_bytes_of(name.at + tail, name.len - tail));
    }
    sw_buffer_add_byte(out, '"');
}

const char *sw_number_text(char room[SW_NUMBER_TEXT_MAX], uint64_t number)
{
    char *at = room + SW_NUMBER_TEXT_MAX - 1;
    *at = '\0';
    for (unsigned digits = 0;; digits++) {
        if (digits && digits % 3 == 0)
            *--at = ',';
        *--at = (char)('0' + number % 10);
        number /= 10;
        if (!number)
            return at;
    }
}

void sw_sentence_number(struct sw_buffer *out, uint64_t number)
{
    char room[SW_NUMBER_TEXT_MAX];
    sw_buffer_add_text(out, sw_number_text(room, number));
}
