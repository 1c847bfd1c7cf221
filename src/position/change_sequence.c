/* Kind "bigquery": a custom change sequence number.
 * Source: BigQuery documentation, "Stream table updates with change data capture". */
#include "position/change_sequence.h"

#include "position/position.h"
#include "position/scan.h"

struct sequence_position {
    struct sw_position base;
    struct sw_change_sequence sequence;
};

static const struct sw_change_sequence *of(const struct sw_position *self) { return &((const struct sequence_position *)(const void *)self)->sequence; }

bool sw_change_sequence_parse(struct sw_change_sequence *out, const uint8_t *at, size_t len)
{
    struct sw_scan scan = sw_scan_of(sw_bytes_of(at, len));
    struct sw_change_sequence sequence = {.count = 0};
    do
        if (sequence.count == 4 || !sw_scan_hex(&scan, 16, &sequence.sections[sequence.count++]))
            return false;
    while (sw_scan_byte(&scan, '/'));
    if (!sw_scan_done(&scan))
        return false;
    *out = sequence;
    return true;
}

int sw_change_sequence_compare(const struct sw_change_sequence *a, const struct sw_change_sequence *b)
{
    for (unsigned i = 0; i < a->count && i < b->count; i++)
        if (a->sections[i] != b->sections[i])
            return a->sections[i] < b->sections[i] ? -1 : 1;
    return a->count == b->count ? 0 : 2;
}

static enum sw_code parse(struct sw_position *base, struct sw_bytes text, struct sw_error *error)
{
    char quoted[SW_QUOTE_MAX];
    if (!sw_change_sequence_parse(&((struct sequence_position *)(void *)base)->sequence, text.at, text.len))
        return sw_fail(error, SW_ERR_INPUT, "not a change sequence number: expected 1 to 4 sections of 1 to 16 hexadecimal digits with '/' between them, such as 7B/0/A, found %s",
            sw_position__quote(quoted, text));
    uint64_t number;
    if (sw_scan_whole_u64(text, &number) && sw_position__reads_as_epoch(number))
        base->notes |= SW_NOTE_LOOKS_LIKE_TIME;
    return SW_OK;
}

static void print(struct sw_buffer *out, const struct sw_position *self)
{
    for (unsigned i = 0; i < of(self)->count; i++)
        sw_buffer_printf(out, "%s%llX", i ? "/" : "", (unsigned long long)of(self)->sections[i]);
}

static void compare(struct sw_position_comparison *out, const struct sw_position *a, const struct sw_position *b, const struct sw_position_compare_options *options)
{
    (void)options;
    switch (sw_change_sequence_compare(of(a), of(b))) {
    case 0: sw_position__say(out, SW_POSITION_EQUAL, "every section is the same number; in BigQuery, ingestion time then decides"); break;
    case -1: sw_position__say(out, SW_POSITION_BEFORE, "the first section that differs is the lower number"); break;
    case 1: sw_position__say(out, SW_POSITION_AFTER, "the first section that differs is the higher number"); break;
    default:
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "one has %u sections and the other %u, and they agree as far as both go: BigQuery does not document an order for that", of(a)->count, of(b)->count);
    }
}

const struct sw_position_kind sw_kind_bigquery = {
    .info = {
        .name = "bigquery",
        .source = "BigQuery CDC",
        .form = "1 to 4 sections of 1 to 16 hexadecimal digits (7B/0/A)",
        .example = "1B5/16E9A28/0",
        .attributes = "",
    },
    .size = sizeof(struct sequence_position),
    .parse = parse,
    .print = print,
    .compare = compare,
};
