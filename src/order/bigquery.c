/* BigQuery's _CHANGE_SEQUENCE_NUMBER.
 * Source: BigQuery documentation, "Stream table updates with change data capture", "Custom ordering". */
#include "order/order_time.h"
#include "position/change_sequence.h"

enum { NUMBER, INGESTED };

#define NUMBER_FORM "a change sequence number: 1 to 4 sections of 1 to 16 hexadecimal digits with '/' between them"

/* Sections are slots without a count, so that one number that goes on from another is neither above nor below it. Where there is an ingestion
 * time, an empty slot stands before it. */
static enum sw_order_status encode(struct sw_order_key *out, const struct sw_order_record *record)
{
    struct sw_order_writer writer;
    struct sw_change_sequence sequence = {.count = 0};
    struct sw_order_time time;
    sw_order_begin(&writer, out, &sw_order_bigquery, record);
    if (!sw_order_has(&writer, NUMBER)) {
        sw_order_no_position(&writer);
        return sw_order_finish(&writer);
    }
    struct sw_bytes text = sw_order_text(&writer, NUMBER);
    if (record->fields[NUMBER].kind != SW_TOKEN_TEXT || !sw_change_sequence_parse(&sequence, text.at, text.len))
        sw_order_refuse(&writer, NUMBER, record->fields[NUMBER].kind == SW_TOKEN_NUMBER ? NUMBER_FORM ", a text: of a number nobody knows whether it is hexadecimal" : NUMBER_FORM);
    for (unsigned i = 0; i < sequence.count; i++)
        sw_order_put_number(&writer, sequence.sections[i]);
    if (!sw_order_has(&writer, INGESTED)) {
        if (record->declared & 1u << INGESTED)
            sw_order_put_lack(&writer, INGESTED);
        return sw_order_finish(&writer);
    }
    enum sw_token_kind kind = (enum sw_token_kind)record->fields[INGESTED].kind;
    if ((kind != SW_TOKEN_NUMBER && kind != SW_TOKEN_TEXT) || !sw_order_time_read(&time, sw_order_text(&writer, INGESTED))) {
        sw_order_refuse(&writer, INGESTED, SW_ORDER_TIME_FORM);
        return sw_order_finish(&writer);
    }
    sw_order_put_lack(&writer, NUMBER); /* it is there: this is the mark between */
    writer.lacks = 0;
    sw_order_time_put(&writer, &time);
    if (time.kind != SW_TIME_NUMBER)
        sw_order_put_space(&writer, "ingested", sw_bytes_text(sw_time_kind_name(time.kind)));
    return sw_order_finish(&writer);
}

static bool core(struct sw_token *fields, struct sw_bytes text)
{
    struct sw_change_sequence sequence;
    fields[NUMBER] = sw_order_token(text);
    return sw_change_sequence_parse(&sequence, text.at, text.len);
}

static enum sw_order_status parse(struct sw_order_key *out, struct sw_bytes text) { return sw_order_parse_fields(out, &sw_order_bigquery, text, NUMBER_FORM, core); }

static void print(struct sw_buffer *out, struct sw_bytes version, struct sw_bytes space)
{
    struct sw_slot slot, fraction = {0};
    bool some = false;
    for (unsigned i = 0; sw_slot_next(&slot, &version) && slot.present; i++)
        sw_buffer_printf(out, "%s%llX", i ? "/" : "", (unsigned long long)sw_slot_number(slot));
    if (!sw_slot_next(&slot, &version))
        return;
    (void)sw_slot_next(&fraction, &version);
    sw_order_print_attribute(out, &some, "ingested");
    sw_order_time_print(out, sw_time_kind_of(space, "ingested"), slot, fraction);
}

/* Sections decide as far as both go; then the counts must agree, and ingestion time decides. */
static enum sw_version_order compare(struct sw_bytes a, struct sw_bytes b)
{
    for (bool sections = true;;) {
        struct sw_slot left = {0}, right = {0};
        bool more_left = sw_slot_next(&left, &a), more_right = sw_slot_next(&right, &b);
        if (!more_left && !more_right)
            return SW_VERSION_EQUAL;
        if (sections && left.present != right.present)
            return SW_VERSION_UNORDERED;
        sections &= left.present;
        if (left.len != right.len)
            return left.len < right.len ? SW_VERSION_BEFORE : SW_VERSION_AFTER;
        int way = left.len ? memcmp(left.at, right.at, left.len) : 0;
        if (way)
            return way < 0 ? SW_VERSION_BEFORE : SW_VERSION_AFTER;
    }
}

static enum sw_order_reach reach(struct sw_bytes position, struct sw_bytes version)
{
    for (bool sections = true;;) {
        struct sw_slot declared = {0}, found = {0};
        bool more = sw_slot_next(&declared, &position), more_found = sw_slot_next(&found, &version);
        if (!more) /* without an ingestion time, a position holds all that was ingested under its number */
            return sections && found.present ? SW_ORDER_UNTOLD : SW_ORDER_WITHIN;
        if (!more_found || (sections && declared.present != found.present))
            return SW_ORDER_UNTOLD;
        sections &= declared.present;
        int way = declared.len != found.len ? (found.len < declared.len ? -1 : 1) : declared.len ? memcmp(found.at, declared.at, declared.len) : 0;
        if (way)
            return way < 0 ? SW_ORDER_WITHIN : SW_ORDER_BEYOND;
    }
}

static const struct sw_order_field fields[] = {
    [NUMBER] = {"number", NUMBER_FORM, SW_ORDER_REQUIRED},
    [INGESTED] = {"ingested", "when BigQuery took the row in: " SW_ORDER_TIME_FORM, SW_ORDER_OPTIONAL},
};

const struct sw_order sw_order_bigquery = {
    .name = "bigquery",
    .summary = "sections of the change sequence number as unsigned numbers",
    .rule = "Sections compare one by one from the left as unsigned 64-bit numbers; letter case and leading zeros do not matter. If two numbers agree as far as both go and one has more sections, they are unordered: "
            "the documentation does not say. Of one key, rows with a number and rows without one are unordered.",
    .tie = "equal numbers: the later ingestion time wins, if the records carry it; without it different contents are a conflict, since BigQuery decides by a time that is not in evidence",
    .source = "BigQuery documentation, Stream table updates with change data capture (custom ordering)",
    .not_promised = "that a row has been applied: with max_staleness a query may see an older state. That a deleted row stays deleted: BigQuery forgets a deletion after two days, and an older upsert that arrives later "
                    "re-creates the row",
    .position = "a change sequence number with as many sections as the records have: 1B5/16E9A28/0",
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .encode = encode,
    .parse = parse,
    .print = print,
    .compare = compare,
    .reach = reach,
};
