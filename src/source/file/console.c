/* What Kafka's console consumer prints: "CreateTime:1764500000000	Partition:0	Offset:41	NO_HEADERS	KEY	VALUE", of which all but the value are options of its formatter, with a tab between
 * two. Each line becomes an envelope of kcat; the topic, which is not told, is '.', which Kafka
 * lets no topic be named. Source: apache/kafka, ConsoleConsumer's DefaultMessageFormatter (print.timestamp, print.partition, print.offset, print.headers,
 * print.delivery, print.epoch, print.key). */
#include <string.h>

#include "base/character.h"
#include "source/file/convert.h"
#include "text/json_write.h"

#define FIELDS_MAX 3 /* headers, key, value */

struct line {
    struct sw_bytes time, partition, offset; /* digits; empty: not there */
    struct sw_bytes fields[FIELDS_MAX];
    size_t count;
};

static bool take_word(struct sw_bytes *digits, struct sw_bytes field, const char *word)
{
    size_t len = strlen(word);
    if (field.len <= len || !sw_bytes_begin_text(field, word))
        return false;
    for (size_t i = len; i < field.len; i++)
        if (!sw_is_digit(field.at[i]))
            return false;
    *digits = sw_bytes_of(field.at + len, field.len - len);
    return true;
}

/* False: there are more fields than a record has. Tabs stand between fields and, escaped only, in values. */
static bool split(struct line *out, struct sw_bytes text)
{
    *out = (struct line){0};
    for (bool prefix = true;;) {
        const uint8_t *tab = text.len ? memchr(text.at, '\t', text.len) : NULL;
        struct sw_bytes field = sw_bytes_of(text.at, tab ? (size_t)(tab - text.at) : text.len);
        prefix = prefix && tab && (take_word(&out->time, field, "CreateTime:") || take_word(&out->time, field, "LogAppendTime:") || sw_bytes_begin_text(field, "NO_TIMESTAMP") || sw_bytes_begin_text(field, "NoTimestampType:") ||
                                   take_word(&out->partition, field, "Partition:") || take_word(&out->offset, field, "Offset:") || take_word(&(struct sw_bytes){0}, field, "Delivery:") ||
                                   take_word(&(struct sw_bytes){0}, field, "Epoch:") || sw_bytes_is(field, "Delivery:NOT_PRESENT") || sw_bytes_is(field, "Epoch:NOT_PRESENT"));
        if (!prefix && out->count == FIELDS_MAX)
            return false;
        if (!prefix)
            out->fields[out->count++] = field;
        if (!tab)
            return true;
        text = sw_bytes_of(tab + 1, text.len - field.len - 1);
    }
}

static bool has_prefix(const struct line *line) { return line->time.len || line->partition.len || line->offset.len; }

static bool is_object(struct sw_bytes text) { return text.len > 1 && *text.at == '{' && text.at[text.len - 1] == '}'; }

static bool is_null(struct sw_bytes text) { return sw_bytes_is(text, "null"); }

static void add_member(struct sw_buffer *out, const char *name, struct sw_bytes digits)
{
    if (digits.len)
        sw_buffer_printf(out, ",\"%s\":%.*s", name, (int)(digits.len < 20 ? digits.len : 20), (const char *)digits.at);
}

static void take_line(struct sw_text_work *work, struct sw_bytes text)
{
    struct sw_buffer *out = &work->lines;
    struct line line;
    text.len -= text.len && text.at[text.len - 1] == '\r';
    if (text.len == 0 || !split(&line, text)) {
        sw_buffer_add_bytes(out, text);
        sw_buffer_add_byte(out, '\n');
        return;
    }
    struct sw_bytes value = line.fields[line.count - 1], key = line.count > 1 ? line.fields[line.count - 2] : (struct sw_bytes){0};
    if (line.count == 2 && sw_bytes_begin_text(key, "NO_HEADERS"))
        key.len = 0;
    if (!has_prefix(&line) && line.count == 1 && !is_object(value) && !is_null(value)) { /* "Processed a total of 3 messages", a line of a log */
        sw_buffer_add_bytes(out, text);
        sw_buffer_add_byte(out, '\n');
        return;
    }
    sw_buffer_add_text(out, "{\"topic\":\".\"");
    add_member(out, "partition", line.partition);
    add_member(out, "offset", line.offset);
    add_member(out, "ts", line.time);
    if (key.len && !is_null(key)) {
        sw_buffer_add_text(out, ",\"key\":");
        sw_json_write_text(out, key);
    }
    sw_buffer_add_text(out, ",\"payload\":");
    if (is_null(value))
        sw_buffer_add_text(out, "null");
    else
        sw_json_write_text(out, value);
    sw_buffer_add_text(out, "}\n");
}

/* By its first line: something that the formatter puts before a record, or a key and a value that is an object or null. */
static bool recognises(struct sw_bytes head)
{
    struct line line;
    while (head.len && (*head.at == '\n' || *head.at == '\r'))
        head = sw_bytes_of(head.at + 1, head.len - 1);
    const uint8_t *newline = head.len ? memchr(head.at, '\n', head.len) : NULL;
    struct sw_bytes first = sw_bytes_of(head.at, newline ? (size_t)(newline - head.at) : head.len);
    if (first.len && first.at[first.len - 1] == '\r')
        first.len--;
    if (first.len == 0 || !split(&line, first))
        return false;
    struct sw_bytes value = line.fields[line.count - 1], key = line.count > 1 ? line.fields[line.count - 2] : (struct sw_bytes){0};
    bool object = is_object(value) || (!newline && sw_bytes_begin_text(value, "{")); /* longer than the head: its end is not there to be seen */
    if (has_prefix(&line))
        return object || is_null(value) || line.count > 1;
    bool structured = is_object(key);
    if (line.count == FIELDS_MAX && memchr(line.fields[0].at, '/', line.fields[0].len) && take_word(&(struct sw_bytes){0}, line.fields[1], "")) /* a row of a slot */
        return false;
    return key.len && (structured || !memchr(key.at, '"', key.len)) && (object || (structured && is_null(value)));
}

const struct sw_text_form sw_form_kafka_console = {.format = "kcat", .recognises = recognises, .take = take_line};
