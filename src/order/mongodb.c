/* MongoDB by cluster time.
 * Sources: MongoDB manual, "Timestamp (BSON)", "Change Events" (clusterTime), "Resume a Change Stream". */
#include <stdio.h>

#include "order/order_slots.h"
#include "position/mongodb.h"
#include "position/scan.h"

enum { TIME, ORDINAL, CLUSTER };

#define TIME_FORM "a cluster time (a BSON timestamp in Extended JSON, Timestamp(T,I) or T:I) or a resume token"

/* {"_data":"82…"} or its inside. */
static bool read_token(struct sw_cluster_time *out, struct sw_bytes text)
{
    if (text.len && text.at[0] == '{') {
        struct sw_scan scan = sw_scan_of(text);
        if (!sw_scan_token(&scan, '{') || !sw_scan_token(&scan, '"') || !sw_scan_word(&scan, "_data\"") || !sw_scan_token(&scan, ':') || !sw_scan_token(&scan, '"'))
            return false;
        const uint8_t *end = memchr(scan.at, '"', (size_t)(scan.end - scan.at));
        if (!end)
            return false;
        text = sw_bytes_of(scan.at, (size_t)(end - scan.at));
        scan.at = end + 1;
        if (!sw_scan_token(&scan, '}') || (sw_scan_blanks(&scan), !sw_scan_done(&scan)))
            return false;
    }
    return sw_resume_token_time(out, text.at, text.len);
}

static enum sw_order_status encode(struct sw_order_key *out, const struct sw_order_record *record)
{
    struct sw_order_writer writer;
    struct sw_cluster_time time = {0};
    sw_order_begin(&writer, out, &sw_order_mongodb, record);
    if (!sw_order_has(&writer, TIME)) {
        sw_order_no_position(&writer);
        return sw_order_finish(&writer);
    }
    enum sw_token_kind kind = (enum sw_token_kind)record->fields[TIME].kind;
    struct sw_bytes text = sw_order_text(&writer, TIME);
    if ((kind != SW_TOKEN_TEXT && kind != SW_TOKEN_OBJECT) || (!sw_cluster_time_parse(&time, text.at, text.len) && !read_token(&time, text)))
        sw_order_refuse(&writer, TIME, TIME_FORM);
    else if (time.seconds == 0 && time.increment == 0)
        sw_order_no_position(&writer); /* the empty timestamp of BSON */
    sw_order_put_number(&writer, (uint64_t)time.seconds << 32 | time.increment);
    sw_order_put_field(&writer, ORDINAL);
    sw_order_put_space_field(&writer, CLUSTER, true);
    return sw_order_finish(&writer);
}

/* A resume token stands somewhere within its time, and a position must say whether that is before or after a change. */
static bool core(struct sw_token *fields, struct sw_bytes text)
{
    struct sw_cluster_time time;
    fields[TIME] = sw_order_token(text);
    return sw_cluster_time_parse(&time, text.at, text.len);
}

static enum sw_order_status parse(struct sw_order_key *out, struct sw_bytes text)
{
    return sw_order_parse_fields(out, &sw_order_mongodb, text, "a cluster time such as Timestamp(1764500000,3); a resume token stands within a time and is none", core);
}

static void print(struct sw_buffer *out, struct sw_bytes version, struct sw_bytes space)
{
    struct sw_slot time = {0}, ordinal = {0};
    bool some = false;
    (void)space;
    (void)(sw_slot_next(&time, &version) && sw_slot_next(&ordinal, &version));
    sw_buffer_printf(out, "Timestamp(%u,%u)", (unsigned)(sw_slot_number(time) >> 32), (unsigned)sw_slot_number(time));
    if (ordinal.present) {
        sw_order_print_attribute(out, &some, "ordinal");
        sw_order_print_number(out, ordinal);
    }
}

static enum sw_order_reach reach(struct sw_bytes position, struct sw_bytes version) { return sw_order_reach_slots(0, position, version); }

static const struct sw_order_field fields[] = {
    [TIME] = {"time", TIME_FORM, SW_ORDER_REQUIRED},
    [ORDINAL] = {"ordinal", "the place of the change in its transaction, an integer", SW_ORDER_OPTIONAL},
    [CLUSTER] = {"cluster", "the replica set or cluster", SW_ORDER_SPACE},
};

const struct sw_order sw_order_mongodb = {
    .name = "mongodb",
    .summary = "cluster time, then the place in the transaction",
    .rule = "The cluster time decides: seconds, then the counter within the second, both unsigned 32-bit numbers; then the ordinal. Of a resume token the cluster time in it is read. A space is one cluster.",
    .tie = "changes at one cluster time and ordinal with different contents are a conflict: the changes of a transaction share one time",
    .source = "MongoDB manual, Timestamp (BSON), Change Events, Resume a Change Stream",
    .not_promised = "an order within one cluster time by resume token: its inside is the server's own. That wall-clock fields (wallTime, Debezium's ts_ms) mean the same: they are not read. That an image that was "
                    "looked up later (fullDocument) shows the row as of its event",
    .position = "a cluster time: Timestamp(1764500000,3)",
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .slots = true,
    .encode = encode,
    .parse = parse,
    .print = print,
    .reach = reach,
};
