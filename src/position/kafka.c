/* Kind "kafka": a map of committed offsets. A committed offset is the next one to read.
 * Source: Apache Kafka documentation, consumer and protocol; TOPIC:PARTITION:OFFSET is what kafka-get-offsets prints. */
#include "position/kafka.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "position/scan.h"

#define TOPIC_MAX 249

struct kafka_position {
    struct sw_position base;
    struct sw_kafka_offset *offsets;
    size_t count;
    char *text; /* what topics are views of */
};

enum { CLUSTER, TOPIC_ID };

static struct kafka_position *self_of(struct sw_position *base) { return (struct kafka_position *)(void *)base; }
static const struct kafka_position *of(const struct sw_position *self) { return (const struct kafka_position *)(const void *)self; }

const struct sw_kafka_offset *sw_kafka_offsets_of(size_t *count, const struct sw_position *position)
{
    *count = of(position)->count;
    return of(position)->offsets;
}

static int compare_partitions(const struct sw_kafka_offset *a, const struct sw_kafka_offset *b)
{
    int order = sw_bytes_compare(a->topic, b->topic);
    return order ? order : (a->partition > b->partition) - (a->partition < b->partition);
}

static int by_partition(const void *a, const void *b) { return compare_partitions(a, b); }

static bool topic_byte(uint8_t byte) { return (sw_lower(byte) >= 'a' && sw_lower(byte) <= 'z') || sw_is_digit(byte) || byte == '.' || byte == '_' || byte == '-'; }

static bool scan_offset(struct sw_kafka_offset *out, struct sw_scan *scan)
{
    const uint8_t *from = scan->at;
    while (scan->at < scan->end && topic_byte(*scan->at))
        scan->at++;
    out->topic = sw_bytes_of(from, (size_t)(scan->at - from));
    uint64_t partition;
    if (!out->topic.len || out->topic.len > TOPIC_MAX || !sw_scan_byte(scan, ':') || !sw_scan_u64(scan, &partition) || partition > INT32_MAX || !sw_scan_byte(scan, ':')
        || !sw_scan_u64(scan, &out->offset) || out->offset > INT64_MAX)
        return false;
    out->partition = (uint32_t)partition;
    return true;
}

static enum sw_code reserve(struct kafka_position *self, size_t count, size_t text, struct sw_error *error)
{
    self->offsets = sw_malloc(count * sizeof *self->offsets);
    self->text = sw_malloc(text);
    return self->offsets && self->text ? SW_OK : sw_fail_memory(error, "a map of offsets", count * sizeof *self->offsets + text);
}

static enum sw_code parse(struct sw_position *base, struct sw_bytes text, struct sw_error *error)
{
    struct kafka_position *self = self_of(base);
    char quoted[SW_QUOTE_MAX];
    size_t items = 1;
    for (size_t i = 0; i < text.len; i++)
        items += text.at[i] == ',' || text.at[i] == '\n';
    enum sw_code code = reserve(self, items, text.len, error);
    if (code < 0 || !text.len)
        return code;
    memcpy(self->text, text.at, text.len);
    struct sw_scan scan = sw_scan_of(sw_bytes_of(self->text, text.len));
    uint64_t bare;
    if (sw_scan_whole_u64(text, &bare) && bare <= INT64_MAX) {
        self->offsets[self->count++] = (struct sw_kafka_offset){.topic = {(const uint8_t *)"", 0}, .offset = bare};
        base->notes |= SW_NOTE_PLACE_UNKNOWN | (sw_position__reads_as_epoch(bare) ? (uint32_t)SW_NOTE_LOOKS_LIKE_TIME : 0u);
        return SW_OK;
    }
    bool sorted = true;
    for (sw_scan_blanks(&scan); !sw_scan_done(&scan); sw_scan_blanks(&scan)) {
        struct sw_bytes rest = sw_scan_rest(&scan);
        struct sw_kafka_offset *offset = &self->offsets[self->count];
        if (!scan_offset(offset, &scan))
            return sw_fail(error, SW_ERR_INPUT,
                "not a map of Kafka offsets: expected TOPIC:PARTITION:OFFSET, such as orders:0:500,orders:1:700, or one offset (-1 and -2 mean latest and earliest, and are no positions), found %s",
                sw_position__quote(quoted, rest));
        sorted = sorted && (!self->count || compare_partitions(&self->offsets[self->count - 1], offset) < 0);
        self->count++;
        const uint8_t *from = scan.at;
        sw_scan_blanks(&scan);
        bool new_line = scan.at > from && memchr(from, '\n', (size_t)(scan.at - from));
        if (sw_scan_done(&scan))
            break;
        if (!sw_scan_byte(&scan, ',') && !new_line)
            return sw_fail(error, SW_ERR_INPUT, "not a map of Kafka offsets: expected ',' or a new line between partitions, found %s", sw_position__quote(quoted, sw_scan_rest(&scan)));
    }
    if (!sorted) {
        qsort(self->offsets, self->count, sizeof *self->offsets, by_partition);
        for (size_t i = 1; i < self->count; i++)
            if (compare_partitions(&self->offsets[i - 1], &self->offsets[i]) == 0)
                return sw_fail(error, SW_ERR_INPUT, "partition %.*s:%u is there twice", (int)self->offsets[i].topic.len, (const char *)self->offsets[i].topic.at, self->offsets[i].partition);
    }
    return SW_OK;
}

/* A bare offset stands alone; a topic id belongs to one topic, and several topics name each. */
static enum sw_code settle(struct sw_position *base, struct sw_error *error)
{
    const struct kafka_position *self = self_of(base);
    const char *ids = base->attributes[TOPIC_ID];
    bool several = self->count && sw_bytes_compare(self->offsets[0].topic, self->offsets[self->count - 1].topic) != 0;
    if (self->count > 1 && !self->offsets[0].topic.len)
        return sw_fail(error, SW_ERR_INPUT, "a bare offset and the offset of a topic are not of one kafka position: nothing says which partition the bare one is of");
    if (ids && !*ids)
        return sw_fail(error, SW_ERR_INPUT, "attribute topic-id of a kafka position is empty");
    if (ids && several && !strchr(ids, ':'))
        return sw_fail(error, SW_ERR_INPUT, "attribute topic-id of a kafka position with several topics: expected TOPIC:ID for each, found one id");
    return SW_OK;
}

static void print(struct sw_buffer *out, const struct sw_position *self)
{
    for (size_t i = 0; i < of(self)->count; i++) {
        const struct sw_kafka_offset *offset = &of(self)->offsets[i];
        if (i)
            sw_buffer_add_byte(out, ',');
        if (offset->topic.len) {
            sw_buffer_add_bytes(out, offset->topic);
            sw_buffer_printf(out, ":%u:", offset->partition);
        }
        sw_buffer_printf(out, "%llu", (unsigned long long)offset->offset);
    }
}

static void release(struct sw_position *base)
{
    sw_free(self_of(base)->offsets);
    sw_free(self_of(base)->text);
}

static bool next_partition(const struct kafka_position *a, size_t *i, const struct kafka_position *b, size_t *k, const struct sw_kafka_offset **left, const struct sw_kafka_offset **right)
{
    *left = *i < a->count ? &a->offsets[*i] : NULL;
    *right = *k < b->count ? &b->offsets[*k] : NULL;
    if (!*left && !*right)
        return false;
    int order = !*left ? 1 : !*right ? -1 : compare_partitions(*left, *right);
    if (order > 0)
        *left = NULL;
    if (order < 0)
        *right = NULL;
    *i += *left != NULL;
    *k += *right != NULL;
    return true;
}

static const char *name(char out[SW_QUOTE_MAX + 16], const struct sw_kafka_offset *offset)
{
    char quoted[SW_QUOTE_MAX];
    if (!offset->topic.len)
        snprintf(out, SW_QUOTE_MAX + 16, "the partition");
    else
        snprintf(out, SW_QUOTE_MAX + 16, "%s:%u", sw_position__quote(quoted, offset->topic), offset->partition);
    return out;
}

static void compare(struct sw_position_comparison *out, const struct sw_position *left, const struct sw_position *right, const struct sw_position_compare_options *options)
{
    (void)options;
    const struct kafka_position *a = of(left), *b = of(right);
    const struct sw_kafka_offset *l, *r, *behind = NULL, *ahead = NULL;
    char first[SW_QUOTE_MAX + 16], second[SW_QUOTE_MAX + 16];
    for (size_t i = 0, k = 0; next_partition(a, &i, b, &k, &l, &r);) {
        if (!l || !r) {
            sw_position__say(out, SW_POSITION_INCOMPARABLE, "only the %s position has an offset for %s: where none is committed, nothing says what was read", l ? "first" : "second", name(first, l ? l : r));
            return;
        }
        if (l->offset < r->offset && !behind)
            behind = l;
        if (l->offset > r->offset && !ahead)
            ahead = l;
    }
    if (behind && ahead)
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "the first is behind in %s and ahead in %s; partitions have no order among each other", name(first, behind), name(second, ahead));
    else if (behind || ahead)
        sw_position__say(out, behind ? SW_POSITION_BEFORE : SW_POSITION_AFTER, "the first is %s in %s, and in none the other way; offsets may be missing in between by right", behind ? "behind" : "ahead",
            name(first, behind ? behind : ahead));
    else
        sw_position__say(out, SW_POSITION_EQUAL, "every partition has the same next offset");
    if (a->count && !a->offsets[0].topic.len)
        sw_position__assume(out, "both offsets are of one partition");
}

static enum sw_code combine(struct sw_position *made, const struct sw_position *left, const struct sw_position *right, enum sw_set_operation operation, struct sw_error *error)
{
    struct kafka_position *out = self_of(made);
    const struct kafka_position *a = of(left), *b = of(right);
    const struct sw_kafka_offset *l, *r;
    size_t text = 0, used = 0;
    for (size_t i = 0, k = 0; next_partition(a, &i, b, &k, &l, &r);)
        text += l ? l->topic.len : r->topic.len;
    enum sw_code code = reserve(out, a->count + b->count, text, error);
    for (size_t i = 0, k = 0; code >= 0 && next_partition(a, &i, b, &k, &l, &r);) {
        enum sw_vector_pick pick = sw_vector_pick(operation, l, r, l && r ? (l->offset > r->offset) - (l->offset < r->offset) : 0);
        if (pick == SW_PICK_NONE)
            continue;
        const struct sw_kafka_offset *taken = pick == SW_PICK_LEFT ? l : r;
        struct sw_kafka_offset *kept = &out->offsets[out->count++];
        *kept = *taken;
        if (taken->topic.len)
            memcpy(out->text + used, taken->topic.at, taken->topic.len);
        kept->topic.at = (const uint8_t *)out->text + used;
        used += taken->topic.len;
    }
    return code;
}

static bool contains(const struct sw_position *left, const struct sw_position *right)
{
    const struct sw_kafka_offset *l, *r;
    for (size_t i = 0, k = 0; next_partition(of(left), &i, of(right), &k, &l, &r);)
        if (r && (!l || l->offset < r->offset))
            return false;
    return true;
}

static uint64_t count(const struct sw_position *self) { return of(self)->count; }

static const struct sw_position_sets sets = {combine, contains, count};

const struct sw_position_kind sw_kind_kafka = {
    .info = {
        .name = "kafka",
        .source = "Apache Kafka",
        .form = "next offsets to read (TOPIC:PARTITION:OFFSET,...), or one bare offset",
        .example = "orders:0:500,orders:1:700@cluster=abc,topic-id=XyZ",
        .attributes = "cluster, topic-id (an id, or TOPIC:ID,TOPIC:ID for several topics)",
        .is_set = true,
    },
    .size = sizeof(struct kafka_position),
    .attributes = {
        [CLUSTER] = {"cluster", "cluster id", SW_ATTRIBUTE_WORD, SW_ATTRIBUTE_IDENTITY},
        [TOPIC_ID] = {"topic-id", "topic id", SW_ATTRIBUTE_LIST, SW_ATTRIBUTE_IDENTITY},
    },
    .parse = parse,
    .settle = settle,
    .print = print,
    .compare = compare,
    .release = release,
    .sets = &sets,
};
