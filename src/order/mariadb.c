/* MariaDB by global transaction identifiers.
 * Sources: MariaDB documentation, "Global Transaction ID", "gtid_strict_mode". */
#include <stdio.h>

#include "order/order_slots.h"
#include "position/mariadb_gtid.h"
#include "position/scan.h"

enum { GTID, ORDINAL, ROW };
enum { SLOT_SEQUENCE, SLOT_SERVER, SLOT_ORDINAL, SLOT_ROW };

#define GTID_FORM "a GTID: DOMAIN-SERVER-SEQUENCE, three decimal numbers"

static enum sw_order_status encode(struct sw_order_key *out, const struct sw_order_record *record)
{
    struct sw_order_writer writer;
    struct sw_mariadb_gtid gtid = {0};
    sw_order_begin(&writer, out, &sw_order_mariadb, record);
    struct sw_bytes text = {0};
    if (sw_order_has(&writer, GTID))
        text = sw_order_text(&writer, GTID);
    if (!text.len) {
        sw_order_no_position(&writer);
        return sw_order_finish(&writer);
    }
    if (record->fields[GTID].kind != SW_TOKEN_TEXT || !sw_mariadb_gtid_parse(&gtid, text.at, text.len))
        sw_order_refuse(&writer, GTID, GTID_FORM);
    sw_order_put_number(&writer, gtid.sequence);
    sw_order_put_number(&writer, gtid.server);
    sw_order_put_field(&writer, ORDINAL);
    sw_order_put_field(&writer, ROW);
    char domain[16];
    int len = snprintf(domain, sizeof domain, "%u", gtid.domain);
    sw_order_put_space(&writer, "domain", sw_bytes_of(domain, (size_t)len));
    return sw_order_finish(&writer);
}

static size_t encode_usual(uint8_t *to, struct sw_token *given)
{
    uint8_t *begin = to, *end;
    uint64_t server, sequence;
    if (!sw_slot_plain_text(given[GTID]))
        return 0;
    const uint8_t *text = given[GTID].at;
    uint32_t domain = (uint32_t)sw_word_digit_count(text), middle = domain + 1, last;
    if (domain + 1 >= given[GTID].len || text[domain] != '-')
        return 0;
    last = middle + (uint32_t)sw_word_digit_count(text + middle);
    if (last + 1 >= given[GTID].len || text[last] != '-' || !sw_word_digits(&server, text + middle, last - middle) || server > UINT32_MAX ||
        !sw_slot_digits(&sequence, text + last + 1, given[GTID].len - last - 1))
        return 0;
    to = end = sw_slot_put(sw_slot_put(to, sequence), server);
    to = sw_slot_put_optional(&end, to, given[ORDINAL]);
    if (!to || !sw_slot_put_optional(&end, to, given[ROW]))
        return 0;
    given[GTID].len = middle;
    return (size_t)(end - begin);
}

static bool core(struct sw_token *fields, struct sw_bytes text)
{
    struct sw_mariadb_gtid gtid;
    fields[GTID] = sw_order_token(text);
    return sw_mariadb_gtid_parse(&gtid, text.at, text.len);
}

static enum sw_order_status parse(struct sw_order_key *out, struct sw_bytes text) { return sw_order_parse_fields(out, &sw_order_mariadb, text, GTID_FORM, core); }

static void print(struct sw_buffer *out, struct sw_bytes version, struct sw_bytes space)
{
    static const char *const names[] = {[SLOT_ORDINAL] = "ordinal", [SLOT_ROW] = "row"};
    struct sw_slot sequence = {0}, server = {0}, slot;
    bool some = false;
    (void)(sw_slot_next(&sequence, &version) && sw_slot_next(&server, &version));
    if (!sw_order_print_space(out, space, "domain"))
        sw_buffer_add_byte(out, '?'); /* the version alone does not say it */
    sw_buffer_printf(out, "-%llu-%llu", (unsigned long long)sw_slot_number(server), (unsigned long long)sw_slot_number(sequence));
    for (int i = SLOT_ORDINAL; i <= SLOT_ROW && sw_slot_next(&slot, &version); i++)
        if (slot.present) {
            sw_order_print_attribute(out, &some, names[i]);
            sw_order_print_number(out, slot);
        }
}

static enum sw_order_reach reach(struct sw_bytes position, struct sw_bytes version) { return sw_order_reach_slots(1u << SLOT_SERVER, position, version); }

static const struct sw_order_field fields[] = {
    [GTID] = {"gtid", GTID_FORM, SW_ORDER_REQUIRED},
    [ORDINAL] = {"ordinal", "the place of the event in its transaction, an integer", SW_ORDER_OPTIONAL},
    [ROW] = {"row", "the row in the event, an integer", SW_ORDER_OPTIONAL},
};

const struct sw_order sw_order_mariadb = {
    .name = "mariadb",
    .summary = "sequence number of the GTID within its domain, then the place in the transaction",
    .rule = "Transactions of one domain are ordered by their sequence number (64 bits), inside a transaction by ordinal and row. Each domain is a space of its own. The server is no part of the order. "
            "A declared position has one GTID for each domain; a domain that a baseline's position does not name is newer than the baseline.",
    .tie = "records of one transaction and place with different contents are a conflict; one domain and sequence number from two servers is a diverged history, and unordered",
    .source = "MariaDB documentation, Global Transaction ID, gtid_strict_mode",
    .not_promised = "that a larger number is later: that holds with gtid_strict_mode=ON, which is off by default. An order between domains. That numbers are without holes",
    .position = "one GTID a domain: 0-1-500,7-3-12",
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .slots = true,
    .transaction_slots = 1u << SLOT_SEQUENCE,
    .complete = true,
    .lists = true,
    .split_slots = 1u << SLOT_SERVER,
    .encode = encode,
    .encode_usual = encode_usual,
    .space_fields = 1u << GTID,
    .parse = parse,
    .print = print,
    .reach = reach,
};
