/* MySQL by global transaction identifiers.
 * Sources: MySQL manual, "GTID Format and Storage", "GTID Auto-Positioning"; gtid_constants.h (tags). */
#include <stdio.h>

#include "order/order_slots.h"
#include "position/gtid_set.h"
#include "position/scan.h"

enum { GTID, ORDINAL, ROW };

#define GTID_FORM "a GTID of one transaction: UUID:NUMBER or UUID:TAG:NUMBER"

static size_t print_source(char out[36 + 1 + SW_GTID_TAG_MAX], const uint8_t uuid[16], const char *tag, size_t tag_len)
{
    sw_uuid_print(out, uuid);
    if (!tag_len)
        return 36;
    out[36] = ':';
    memcpy(out + 37, tag, tag_len);
    return 37 + tag_len;
}

static enum sw_order_status encode(struct sw_order_key *out, const struct sw_order_record *record)
{
    struct sw_order_writer writer;
    struct sw_gtid gtid = {0};
    char source[36 + 1 + SW_GTID_TAG_MAX];
    sw_order_begin(&writer, out, &sw_order_mysql_gtid, record);
    struct sw_bytes text = {0};
    if (sw_order_has(&writer, GTID))
        text = sw_order_text(&writer, GTID);
    if (!text.len) {
        sw_order_no_position(&writer); /* an empty text is how servers without GTIDs are recorded */
        return sw_order_finish(&writer);
    }
    if (record->fields[GTID].kind != SW_TOKEN_TEXT || !sw_gtid_parse(&gtid, text.at, text.len))
        sw_order_refuse(&writer, GTID, GTID_FORM);
    sw_order_put_number(&writer, gtid.number);
    sw_order_put_field(&writer, ORDINAL);
    sw_order_put_field(&writer, ROW);
    sw_order_put_space(&writer, NULL, sw_bytes_of(source, print_source(source, gtid.uuid, gtid.tag, gtid.tag_len)));
    out->named = true; /* the UUID names its source wherever the record was read */
    return sw_order_finish(&writer);
}

static size_t encode_usual(uint8_t *to, struct sw_token *given)
{
    uint8_t *begin = to, *end;
    uint64_t number;
    uint32_t source = sw_slot_head(given[GTID], ':');
    if (!source || !sw_word_digits(&number, given[GTID].at + source, given[GTID].len - source) || number == 0)
        return 0;
    to = end = sw_slot_put(to, number);
    to = sw_slot_put_optional(&end, to, given[ORDINAL]);
    if (!to || !sw_slot_put_optional(&end, to, given[ROW]))
        return 0;
    given[GTID].len = source;
    return (size_t)(end - begin);
}

static bool core(struct sw_token *fields, struct sw_bytes text)
{
    struct sw_gtid gtid;
    fields[GTID] = sw_order_token(text);
    return sw_gtid_parse(&gtid, text.at, text.len);
}

/* One transaction, as it is printed. What is declared on the command line is a set: parse_set. */
static enum sw_order_status parse(struct sw_order_key *out, struct sw_bytes text) { return sw_order_parse_fields(out, &sw_order_mysql_gtid, text, GTID_FORM, core); }

static void print(struct sw_buffer *out, struct sw_bytes version, struct sw_bytes space)
{
    struct sw_slot number = {0}, ordinal = {0}, row = {0};
    bool some = false;
    (void)(sw_slot_next(&number, &version) && sw_slot_next(&ordinal, &version) && sw_slot_next(&row, &version));
    const uint8_t *blank = space.len ? memchr(space.at, ' ', space.len) : NULL;
    if (space.len) {
        sw_buffer_add(out, space.at, blank ? (size_t)(blank - space.at) : space.len);
        sw_buffer_add_byte(out, ':');
    }
    sw_order_print_number(out, number);
    if (ordinal.present) {
        sw_order_print_attribute(out, &some, "ordinal");
        sw_order_print_number(out, ordinal);
    }
    if (row.present) {
        sw_order_print_attribute(out, &some, "row");
        sw_order_print_number(out, row);
    }
}

static uint64_t number_at(const uint8_t *at)
{
    uint64_t number = 0;
    for (int i = 0; i < 8; i++)
        number = number << 8 | at[i];
    return number;
}

/* The position is a set: pairs of 64-bit numbers, first and last, ascending. */
static enum sw_order_reach reach(struct sw_bytes position, struct sw_bytes version)
{
    struct sw_slot slot = {0};
    if (!sw_slot_next(&slot, &version))
        return SW_ORDER_UNTOLD;
    uint64_t number = sw_slot_number(slot);
    size_t low = 0, high = position.len / 16;
    while (low < high) { /* the first interval that ends at or after it */
        size_t middle = low + (high - low) / 2;
        if (number_at(position.at + 16 * middle + 8) < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < position.len / 16 && number_at(position.at + 16 * low) <= number ? SW_ORDER_WITHIN : SW_ORDER_BEYOND;
}

static void put_number(struct sw_buffer *out, uint64_t number)
{
    for (int i = 7; i >= 0; i--)
        sw_buffer_add_byte(out, (uint8_t)(number >> (8 * i)));
}

/* "UUID:100" alone reads like "up to 100", and is the one transaction 100. */
static enum sw_code refuse_single(const struct sw_gtid_set *set, struct sw_bytes text, struct sw_error *error)
{
    bool range = text.len && memchr(text.at + (text.len > 36 ? 36 : text.len), '-', text.len > 36 ? text.len - 36 : 0);
    const struct sw_gtid_interval *only = set->intervals;
    if (set->source_count != 1 || set->interval_count != 1 || range || only->first != only->last || only->first == 1)
        return SW_OK;
    return sw_fail(error, SW_ERR_INPUT, "one GTID is one transaction, and a position by GTIDs is the set of all that it holds: write UUID:1-%llu for all up to it, or UUID:%llu-%llu for it alone",
                   (unsigned long long)only->first, (unsigned long long)only->first, (unsigned long long)only->first);
}

static enum sw_code parse_set(struct sw_order_positions *out, struct sw_bytes text, struct sw_error *error)
{
    struct sw_gtid_set set = {0};
    struct sw_buffer intervals = {0};
    enum sw_code code = sw_gtid_set_parse(&set, text, NULL, error);
    if (code == SW_OK)
        code = refuse_single(&set, sw_trim(text), error);
    for (size_t i = 0; code == SW_OK && i < set.source_count; i++) {
        const struct sw_gtid_source *source = &set.sources[i];
        char name[36 + 1 + SW_GTID_TAG_MAX];
        size_t len = print_source(name, source->uuid, source->tag, source->tag_len);
        intervals.len = 0;
        for (size_t k = 0; k < source->count; k++) {
            put_number(&intervals, set.intervals[source->begin + k].first);
            put_number(&intervals, set.intervals[source->begin + k].last);
        }
        if (intervals.failed || !sw_order_positions_add(out, sw_bytes_of(name, len), true, sw_buffer_view(&intervals)))
            code = sw_fail_memory(error, "a set of GTIDs", intervals.len);
    }
    sw_buffer_free(&intervals);
    sw_gtid_set_free(&set);
    return code;
}

static const struct sw_order_field fields[] = {
    [GTID] = {"gtid", GTID_FORM, SW_ORDER_REQUIRED},
    [ORDINAL] = {"ordinal", "the place of the event in its transaction, an integer", SW_ORDER_OPTIONAL},
    [ROW] = {"row", "the row in the event, an integer", SW_ORDER_OPTIONAL},
};

const struct sw_order sw_order_mysql_gtid = {
    .name = "mysql-gtid",
    .summary = "number of the GTID within its UUID and tag, then the place in the transaction",
    .rule = "Transactions of one UUID and tag are ordered by their number, inside a transaction by ordinal and row. Each pair of UUID and tag is a space of its own: U:1 and U:blue:1 are different "
            "transactions. Tags and UUIDs compare without regard to case. A declared position is a set, and an event is at or below it if its GTID is in the set; a UUID that a baseline's set "
            "does not name is newer than the baseline.",
    .tie = "records of one transaction and place with different contents are a conflict; without ordinal, two statements of a transaction that touch one row tie",
    .source = "MySQL manual, GTID Format and Storage, GTID Auto-Positioning; mysql-server gtid_constants.h; AWS, GTID tags",
    .not_promised = "an order between servers: numbers of two UUIDs say nothing about each other. That numbers are without holes: coverage is a set, not a maximum",
    .position = "a set of GTIDs: 3a1f0000-0000-0000-0000-000000000001:1-5:7",
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .slots = true,
    .transaction_slots = 1,
    .complete = true,
    .encode = encode,
    .encode_usual = encode_usual,
    .space_fields = 1u << GTID,
    .parse = parse,
    .print = print,
    .reach = reach,
    .parse_set = parse_set,
};
