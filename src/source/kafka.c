/* kafka://BROKERS/TOPIC: the records of a topic as events, in the shape of kcat's dumps (format/kcat.c).
 *
 * Partitions are read one after the other, so that the order, and with it the number of a record, does not depend on the network. Offsets and their holes:
 * Apache Kafka's documentation, "Log Compaction", "Transactions" (control records take offsets), and `retention.ms`. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "client/kafka.h"
#include "source/connector.h"
#include "text/json_write.h"

#define HEAD_BYTES ((size_t)64 * 1024)
#define SHOWN_PARTITIONS 16u

/* Where reading begins or ends, as the locator says. */
enum bound_kind { BOUND_NONE, BOUND_BEGINNING, BOUND_END, BOUND_OFFSET, BOUND_TIME };
struct bound {
    enum bound_kind kind;
    int64_t number;            /* an offset, or milliseconds since 1970 */
};

struct part {
    int32_t partition;
    int64_t from, until;       /* what is read: [from, until) */
    int64_t first;             /* the first offset that is there */
    int64_t asked;             /* the offset that was asked for, where records before `first` were; else -1 */
};

struct kafka_source {
    struct sw_locator locator;
    struct sw_kafka_client *client;
    struct part *parts;
    size_t part_count, at;     /* the partition being read */
    struct sw_buffer line;     /* a record that did not fit into the last block */
    struct sw_buffer head;     /* the first block, read to be recognised by */
    struct sw_buffer position;
    bool reading, ended, head_waits, line_waits;
    size_t block_bytes, record_bytes_max;
    struct sw_budget *budget;
};

static void close_source(void **state)
{
    struct kafka_source *source = *state;
    *state = NULL;
    if (!source)
        return;
    sw_kafka_close(&source->client);
    sw_locator_free(&source->locator);
    sw_free(source->parts);
    sw_buffer_free(&source->line);
    sw_buffer_free(&source->head);
    sw_buffer_free(&source->position);
    sw_free(source);
}

/* ---- what is asked for ---- */

static bool read_digits(int64_t *out, const char **at, size_t most)
{
    *out = 0;
    size_t count = 0;
    for (; isdigit((unsigned char)**at) && count < most; (*at)++, count++)
        *out = *out * 10 + (**at - '0');
    return count != 0;
}

/* RFC 3339 with Z: 2026-11-30T02:00:00Z, fractions of a second up to milliseconds. */
static bool read_time(int64_t *out, const char *text)
{
    struct tm time = {0};
    const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &time);
    int64_t part = 0, scale = 100;
    if (!rest)
        return false;
    if (*rest == '.')
        for (rest++; isdigit((unsigned char)*rest); rest++, scale /= 10)
            part += (*rest - '0') * scale;
    if (strcmp(rest, "Z") != 0)
        return false;
    *out = (int64_t)timegm(&time) * 1000 + part;
    return true;
}

static enum sw_code read_bound(struct bound *out, const struct sw_locator *locator, const char *name, enum bound_kind without, struct sw_error *error)
{
    const char *text = sw_locator_parameter(locator, name), *rest = text;
    *out = (struct bound){without, 0};
    if (!text)
        return SW_OK;
    if (strcmp(text, "beginning") == 0)
        out->kind = BOUND_BEGINNING;
    else if (strcmp(text, "end") == 0)
        out->kind = BOUND_END;
    else if (read_digits(&out->number, &rest, 18) && !*rest)
        out->kind = BOUND_OFFSET;
    else if (read_time(&out->number, text))
        out->kind = BOUND_TIME;
    else
        return sw_fail(error, SW_ERR_USAGE, "%.300s: %s is an offset, a time such as 2026-11-30T02:00:00Z, beginning or end; found '%.64s'", locator->shown, name, text);
    return SW_OK;
}

/* Is the partition among "0,3,7"? All are, if nothing is said. SW_ERR_USAGE for another text. */
static enum sw_code is_wanted(bool *out, const struct sw_locator *locator, int32_t partition, struct sw_error *error)
{
    const char *at = sw_locator_parameter(locator, "partitions");
    *out = !at;
    while (at) {
        int64_t number;
        if (!read_digits(&number, &at, 9) || (*at && *at != ','))
            return sw_fail(error, SW_ERR_USAGE, "%.300s: partitions is a list of numbers such as 0,3,7; found '%.64s'", locator->shown, sw_locator_parameter(locator, "partitions"));
        *out |= number == partition;
        at = *at ? at + 1 : NULL;
    }
    return SW_OK;
}

/* An offset for a bound, in what the partition has. */
static enum sw_code settle_bound(int64_t *out, struct kafka_source *source, const struct sw_kafka_partition *there, struct bound bound, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    switch (bound.kind) {
    case BOUND_NONE:
    case BOUND_BEGINNING: *out = there->first; break;
    case BOUND_END: *out = there->last; break;
    case BOUND_OFFSET: *out = bound.number; break;
    case BOUND_TIME:
        code = sw_kafka_offset_at(out, source->client, source->locator.topic, there->partition, bound.number, error);
        *out = *out < 0 ? there->last : *out; /* all records are older */
        break;
    }
    return code;
}

static enum sw_code add_part(struct kafka_source *source, const struct sw_kafka_partition *there, struct bound from, struct bound until, struct sw_error *error)
{
    struct part *part = &source->parts[source->part_count];
    *part = (struct part){.partition = there->partition, .first = there->first, .asked = -1};
    if (!there->known)
        return sw_fail(error, SW_ERR_REMOTE, "%.300s: partition %d has no leader: nothing of it can be read; nothing is claimed", source->locator.shown, there->partition);
    enum sw_code code = settle_bound(&part->from, source, there, from, error);
    if (code == SW_OK)
        code = settle_bound(&part->until, source, there, until, error);
    if (code != SW_OK)
        return code;
    if (part->from < there->first) {
        part->asked = part->from;
        part->from = there->first;
    }
    /* the end is what it was when reading began: what is written meanwhile is not read */
    part->until = part->until < there->last ? part->until : there->last;
    source->part_count++;
    return SW_OK;
}

static enum sw_code find_parts(struct kafka_source *source, struct sw_error *error)
{
    struct sw_kafka_partition *there = NULL;
    size_t count = 0;
    struct bound from, until;
    enum sw_code code = read_bound(&from, &source->locator, "from", BOUND_BEGINNING, error);
    if (code == SW_OK)
        code = read_bound(&until, &source->locator, "until", BOUND_END, error);
    if (code == SW_OK)
        code = sw_kafka_partitions(&there, &count, source->client, source->locator.topic, error);
    if (code == SW_OK) {
        source->parts = sw_calloc(count + 1, sizeof *source->parts);
        code = source->parts ? SW_OK : sw_fail_memory(error, "partitions", count * sizeof *source->parts);
    }
    for (size_t i = 0; i < count && code == SW_OK; i++) {
        bool wanted;
        code = is_wanted(&wanted, &source->locator, there[i].partition, error);
        if (code == SW_OK && wanted)
            code = add_part(source, &there[i], from, until, error);
    }
    if (code == SW_OK && !source->part_count)
        code = sw_fail(error, SW_ERR_USAGE, "%.300s: the topic has no partition of those that are named; it has %zu, from 0 on", source->locator.shown, count);
    sw_free(there);
    return code;
}

/* What was read, for the report. */
static bool tell_cut(struct sw_source_cut *cut, struct kafka_source *source, const char *cluster, const char *now)
{
    struct sw_buffer from = {0}, until = {0}, log = {0};
    cut->kind = SW_CUT_KAFKA;
    for (size_t i = 0; i < source->part_count; i++) {
        const struct part *part = &source->parts[i];
        sw_buffer_printf(&from, "%s%d:%lld", i ? "," : "", part->partition, (long long)part->from);
        sw_buffer_printf(&until, "%s%d:%lld", i ? "," : "", part->partition, (long long)part->until);
    }
    if (cluster) {
        sw_buffer_printf(&log, "cluster %.100s, topic ", cluster);
        sw_buffer_add_text(&log, source->locator.topic);
    }
    bool taken = sw_source_cut_take(&cut->from, &from);
    taken = sw_source_cut_take(&cut->position, &until) && taken;
    taken = sw_source_cut_take(&cut->log, &log) && taken;
    return sw_source_cut_take_bytes(&cut->at, sw_bytes_text(now)) && taken;
}

static enum sw_code tell_position(struct kafka_source *source, struct sw_source_cut *cut, struct sw_error *error)
{
    char now[SW_CUT_NOW_MAX];
    struct sw_buffer *out = &source->position;
    sw_source_cut_now(now);
    sw_buffer_add_text(out, "offsets");
    for (size_t i = 0; i < source->part_count && i < SHOWN_PARTITIONS; i++) {
        const struct part *part = &source->parts[i];
        sw_buffer_printf(out, "%s %d:[%lld,%lld)", i ? "," : "", part->partition, (long long)part->from, (long long)part->until);
        if (part->asked >= 0)
            sw_buffer_printf(out, " (%lld to %lld are gone)", (long long)part->asked, (long long)part->first - 1);
    }
    if (source->part_count > SHOWN_PARTITIONS)
        sw_buffer_printf(out, " and those of %zu more partitions", source->part_count - SHOWN_PARTITIONS);
    const char *cluster = sw_kafka_cluster(source->client);
    if (cluster)
        sw_buffer_printf(out, ", cluster %.100s", cluster);
    sw_buffer_printf(out, ", %s", now);
    return sw_buffer_text(out) && tell_cut(cut, source, cluster, now) ? SW_OK : sw_fail_memory(error, "a position", 0);
}

/* ---- records ---- */

static void add_text_or_null(struct sw_buffer *out, struct sw_bytes text)
{
    if (text.at)
        sw_json_write_text(out, text);
    else
        sw_buffer_add_text(out, "null");
}

static void write_line(struct kafka_source *source, const struct sw_kafka_record *record)
{
    struct sw_buffer *out = &source->line;
    struct sw_bytes name, value;
    sw_buffer_clear(out);
    sw_buffer_add_text(out, "{\"topic\":");
    sw_json_write_text(out, sw_bytes_text(source->locator.topic));
    sw_buffer_printf(out, ",\"partition\":%d,\"offset\":%lld,", record->partition, (long long)record->offset);
    if (record->timestamp_ms >= 0)
        sw_buffer_printf(out, "\"ts\":%lld,", (long long)record->timestamp_ms);
    for (size_t i = 0; sw_kafka_header(&name, &value, source->client, i); i++) {
        sw_buffer_add_text(out, i ? "," : "\"headers\":[");
        sw_json_write_text(out, name);
        sw_buffer_add_byte(out, ',');
        add_text_or_null(out, value);
    }
    sw_buffer_add_text(out, out->at[out->len - 1] == ',' ? "\"key\":" : "],\"key\":");
    add_text_or_null(out, record->key);
    sw_buffer_add_text(out, ",\"payload\":");
    add_text_or_null(out, record->value);
    sw_buffer_add_text(out, "}\n");
}

/* The next record as a line in source->line; SW_END behind the last one. */
static enum sw_code next_line(struct kafka_source *source, struct sw_error *error)
{
    struct sw_kafka_record record;
    for (;;) {
        if (!source->reading) {
            if (source->at == source->part_count)
                return SW_END;
            const struct part *part = &source->parts[source->at];
            enum sw_code code = sw_kafka_read_from(source->client, source->locator.topic, part->partition, part->from, part->until, error);
            if (code != SW_OK)
                return code;
            source->reading = true;
        }
        enum sw_code code = sw_kafka_read(&record, source->client, error);
        if (code == SW_OK) {
            write_line(source, &record);
            return source->line.failed ? sw_fail_memory(error, "a record", record.value.len) : SW_OK;
        }
        if (code != SW_END)
            return code;
        source->reading = false;
        source->at++;
    }
}

static enum sw_code add_line(struct sw_block *block, struct kafka_source *source, struct sw_error *error)
{
    size_t len = source->line.len;
    if (block->capacity < block->len + len + SW_BLOCK_PADDING) {
        enum sw_code code = sw_source_room(block, block->len + len + source->block_bytes / 4, true, source->budget, error);
        if (code != SW_OK)
            return code;
    }
    memcpy(block->data + block->len, source->line.at, len);
    block->len += len;
    return SW_OK;
}

/* Fills a block with lines. One that is too long stands alone in a block without data. */
static enum sw_code fill(struct sw_block *block, struct kafka_source *source, struct sw_error *error)
{
    enum sw_code code = sw_source_room(block, source->block_bytes, false, source->budget, error);
    block->len = 0;
    while (code == SW_OK && block->len < source->block_bytes) {
        if (!source->line_waits)
            code = next_line(source, error);
        if (code != SW_OK)
            break;
        source->line_waits = true;
        if (source->line.len > source->record_bytes_max && block->len)
            return SW_OK;
        source->line_waits = false;
        if (source->line.len > source->record_bytes_max) {
            block->oversized = source->line.len;
            block->oversized_lines = 1;
            return SW_OK;
        }
        code = add_line(block, source, error);
    }
    if (code != SW_END)
        return code;
    source->ended = true;
    return block->len ? SW_OK : SW_END;
}

static enum sw_code next_block(struct sw_block *block, void *state, struct sw_error *error)
{
    struct kafka_source *source = state;
    if (source->head_waits) {
        enum sw_code code = sw_source_room(block, source->head.len, false, source->budget, error);
        if (code != SW_OK)
            return code;
        memcpy(block->data, source->head.at, source->head.len);
        block->len = source->head.len;
        source->head_waits = false;
        return SW_OK;
    }
    return source->ended ? SW_END : fill(block, source, error);
}

/* Reads the lines by which the format is recognised; `next` hands them out first. */
static enum sw_code read_head(struct kafka_source *source, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    while (source->head.len < HEAD_BYTES && (code = next_line(source, error)) == SW_OK) {
        if (source->head.len + source->line.len > HEAD_BYTES) {
            source->line_waits = true;
            break;
        }
        sw_buffer_add_bytes(&source->head, sw_buffer_view(&source->line));
        if (source->head.failed)
            return sw_fail_memory(error, "the head of an input", source->line.len);
    }
    source->head_waits = source->head.len != 0;
    source->ended = code == SW_END;
    return code == SW_END ? SW_OK : code;
}

static enum sw_code open_topic(struct kafka_source *source, struct sw_source_cut *cut, const struct sw_connector_request *request, struct sw_error *error)
{
    static const struct sw_kafka_options options;
    enum sw_code code = sw_locator_parse(&source->locator, request->locator, error);
    if (code != SW_OK)
        return code;
    if (request->query)
        return sw_fail(error, SW_ERR_USAGE, "%s: a topic has no queries; from=, until= and partitions= in its locator say what is read", request->query_option);
    if (!source->locator.topic)
        return sw_fail(error, SW_ERR_USAGE, "%.300s: no topic is named: kafka://BROKERS/TOPIC", source->locator.shown);
    code = sw_kafka_open(&source->client, &source->locator, &options, error);
    if (code == SW_OK)
        code = find_parts(source, error);
    if (code == SW_OK)
        code = tell_position(source, cut, error);
    return code == SW_OK ? read_head(source, error) : code;
}

static enum sw_code open_source(void **state, struct sw_input *shown, const struct sw_connector_request *request, struct sw_error *error)
{
    struct kafka_source *source = sw_calloc(1, sizeof *source);
    *state = source;
    if (!source)
        return sw_fail_memory(error, "a source", sizeof *source);
    source->block_bytes = request->block_bytes;
    source->record_bytes_max = request->record_bytes_max;
    source->budget = request->budget;
    enum sw_code code = open_topic(source, &shown->cut, request, error);
    code = sw_input_show(shown, source->locator.shown, code, error);
    if (code != SW_OK) {
        close_source(state);
        return code;
    }
    shown->framing = SW_FRAMING_LINES;
    shown->head = sw_buffer_view(&source->head);
    shown->compression = "none";
    shown->position = (const char *)source->position.at;
    shown->no_sha256 = "a topic has no stored bytes of its own here";
    return SW_OK;
}

static void cancel(void *state)
{
    struct kafka_source *source = state;
    sw_kafka_cancel(source->client);
}

const struct sw_connector sw_connector_kafka = {.open = open_source, .next = next_block, .close = close_source, .cancel = cancel};
