/* A clock. Sources of its weakness: GoogleCloudPlatform/DataflowTemplates issue 127 and pull request 2867 (several changes of a key share a
 * time; MySQL's is that of the statement, not of the commit). */
#include "order/order_time.h"

enum { TIME, SOURCE };

static enum sw_order_status encode(struct sw_order_key *out, const struct sw_order_record *record)
{
    struct sw_order_writer writer;
    struct sw_order_time time = {0};
    sw_order_begin(&writer, out, &sw_order_timestamp, record);
    if (!sw_order_has(&writer, TIME)) {
        sw_order_no_position(&writer);
        return sw_order_finish(&writer);
    }
    enum sw_token_kind kind = (enum sw_token_kind)record->fields[TIME].kind;
    if ((kind != SW_TOKEN_NUMBER && kind != SW_TOKEN_TEXT) || !sw_order_time_read(&time, sw_order_text(&writer, TIME)))
        sw_order_refuse(&writer, TIME, SW_ORDER_TIME_FORM);
    sw_order_time_put(&writer, &time);
    sw_order_put_space_field(&writer, SOURCE, true);
    if (time.kind != SW_TIME_NUMBER)
        sw_order_put_space(&writer, "time", sw_bytes_text(sw_time_kind_name(time.kind)));
    return sw_order_finish(&writer);
}

static size_t encode_usual(uint8_t *to, struct sw_token *given)
{
    uint64_t number;
    if (!sw_slot_plain_number(&number, given[TIME]) || number > INT64_MAX)
        return 0;
    return sw_order_time_put_whole(to, (int64_t)number);
}

static bool core(struct sw_token *fields, struct sw_bytes text)
{
    struct sw_order_time time;
    fields[TIME] = sw_order_token(text);
    return sw_order_time_read(&time, text);
}

static enum sw_order_status parse(struct sw_order_key *out, struct sw_bytes text) { return sw_order_parse_fields(out, &sw_order_timestamp, text, SW_ORDER_TIME_FORM, core); }

static void print(struct sw_buffer *out, struct sw_bytes version, struct sw_bytes space)
{
    struct sw_slot whole = {0}, fraction = {0};
    (void)(sw_slot_next(&whole, &version) && sw_slot_next(&fraction, &version));
    sw_order_time_print(out, sw_time_kind_of(space, "time"), whole, fraction);
}

static enum sw_order_reach reach(struct sw_bytes position, struct sw_bytes version) { return sw_order_reach_slots(0, position, version); }

static const struct sw_order_field fields[] = {
    [TIME] = {"time", SW_ORDER_TIME_FORM, SW_ORDER_REQUIRED},
    [SOURCE] = {"source", "whose clock it is", SW_ORDER_SPACE},
};

const struct sw_order sw_order_timestamp = {
    .name = "timestamp",
    .summary = "a clock, weak: what shares a time is unordered",
    .rule = "The later time is newer. Numbers compare as exact decimals, in whatever unit the source writes; times of day compare to the last digit, at most 18 of a second. Numbers, times with a zone and times "
            "without one are spaces of their own and never compare.",
    .tie = "different contents at one time are unordered: a clock does not say which came last",
    .source = "ours; GoogleCloudPlatform/DataflowTemplates issue 127 and pull request 2867 for what a clock does not tell",
    .not_promised = "that the later time is the later change: clocks step back, several changes share one time, and many sources write the time of the statement or of the connector instead of the commit's. "
                    "A time is no position: nothing can be resumed from it",
    .position = "a time, written as in the records: 1764500000123 or 2026-01-28T12:55:05.094Z",
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .slots = true,
    .weak = true,
    .encode = encode,
    .encode_usual = encode_usual,
    .space_fields = 1u << SOURCE,
    .parse = parse,
    .print = print,
    .reach = reach,
};
