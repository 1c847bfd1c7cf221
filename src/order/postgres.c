/* PostgreSQL: the commit LSN, then the LSN in the transaction.
 * Sources: PostgreSQL manual, "pg_lsn Type", "Logical Decoding Concepts" (transactions are sent in commit order), "Continuous Archiving:
 * Timelines"; debezium/debezium PostgresStreamingChangeEventSource, SourceInfo.sequence. */
#include <stdio.h>

#include "order/order_slots.h"
#include "position/lsn.h"
#include "position/scan.h"

enum { LSN, COMMIT_LSN, SEQUENCE, ORDINAL, SYSTEM, TIMELINE };
enum { SLOT_COMMIT, SLOT_PREVIOUS, SLOT_LSN, SLOT_ORDINAL, SLOT_COUNT };

#define LSN_FORM "an LSN: HIGH/LOW in hexadecimal, or one decimal number"

static bool read_lsn(uint64_t *out, struct sw_bytes text) { return sw_lsn_parse(out, text.at, text.len) || sw_scan_whole_u64(text, out); }

static bool scalar(const struct sw_order_writer *writer, size_t field)
{
    return writer->record->fields[field].kind == SW_TOKEN_NUMBER || writer->record->fields[field].kind == SW_TOKEN_TEXT;
}

/* One element of Debezium's `sequence`: null, or an LSN in quotes. */
static bool scan_element(struct sw_scan *scan, uint64_t *lsn, bool *has)
{
    sw_scan_blanks(scan);
    *has = !sw_scan_word(scan, "null");
    if (!*has)
        return true;
    if (!sw_scan_byte(scan, '"')) /* a bare number */
        return sw_scan_u64(scan, lsn);
    const uint8_t *from = scan->at;
    while (scan->at < scan->end && *scan->at != '"')
        scan->at++;
    struct sw_bytes inside = sw_bytes_of(from, (size_t)(scan->at - from));
    if (sw_bytes_is(inside, "null")) {
        *has = false;
        return sw_scan_byte(scan, '"');
    }
    return read_lsn(lsn, inside) && sw_scan_byte(scan, '"');
}

struct sequence {
    uint64_t previous, lsn;
    bool has_previous, has_lsn;
};

/* ["24023128","24023400"], as an array or as a text that holds one; or the first element alone. */
static bool read_sequence(struct sequence *out, struct sw_bytes text)
{
    struct sw_scan scan = sw_scan_of(text);
    if (!sw_scan_token(&scan, '[')) {
        out->has_previous = true;
        return read_lsn(&out->previous, text);
    }
    if (!scan_element(&scan, &out->previous, &out->has_previous))
        return false;
    if (sw_scan_token(&scan, ',') && !scan_element(&scan, &out->lsn, &out->has_lsn))
        return false;
    return sw_scan_token(&scan, ']') && (sw_scan_blanks(&scan), sw_scan_done(&scan));
}

/* The first element is null until the connector has seen a commit, and a connector that was made anew, to recover, begins with null again, far up in the log. What is null is at or
 * beyond what was committed before; so the change's own LSN stands for it: that is below the next commit that the same run of the connector will name, and beyond all that an
 * earlier run named. No commit is equal to the LSN of a change after it, so that it is told from one that was named. */
static uint64_t previous_or(uint64_t previous, uint64_t lsn) { return previous ? previous : lsn; }

/* A connector writes the sequence of rows that it read and of changes alike, or, before 1.3, of neither: rows that were read are no exception here, else those of an
 * old one would stand apart from its changes. */
static void put_no_sequence(struct sw_order_writer *writer, const struct sw_order_record *record)
{
    if (record->read)
        writer->lacks |= record->declared & 1u << SEQUENCE;
    sw_order_put_lack(writer, SEQUENCE);
}

/* A timeline as the names of WAL and history files have it, 8 hexadecimal digits, is the number that functions and views give. */
static void put_timeline(struct sw_order_writer *writer)
{
    const struct sw_token *token = &writer->record->fields[TIMELINE];
    struct sw_bytes text = sw_bytes_of(token->at, token->len);
    uint32_t number = 0;
    bool name = token->kind == SW_TOKEN_TEXT && text.len == 8 && text.at[0] == '0';
    for (size_t i = 0; name && i < text.len; i++) {
        int digit = sw_hex_value(text.at[i]);
        name = digit >= 0;
        number = number << 4 | (uint32_t)(name ? digit : 0);
    }
    if (!name) {
        sw_order_put_space_field(writer, TIMELINE, false);
        return;
    }
    char decimal[16];
    int len = snprintf(decimal, sizeof decimal, "%u", number);
    sw_order_put_space(writer, "timeline", sw_bytes_of((const uint8_t *)decimal, (size_t)len));
}

static enum sw_order_status encode(struct sw_order_key *out, const struct sw_order_record *record)
{
    struct sw_order_writer writer;
    struct sequence sequence = {0};
    uint64_t lsn = 0, commit = 0;
    sw_order_begin(&writer, out, &sw_order_postgres, record);
    bool has_sequence = sw_order_has(&writer, SEQUENCE), has_commit = sw_order_has(&writer, COMMIT_LSN), has_lsn = sw_order_has(&writer, LSN);
    if (has_sequence && !read_sequence(&sequence, sw_order_text(&writer, SEQUENCE)))
        sw_order_refuse(&writer, SEQUENCE, "Debezium's [\"LSN of the previous commit\",\"LSN\"], where either may be null");
    if (has_commit && (!scalar(&writer, COMMIT_LSN) || !read_lsn(&commit, sw_order_text(&writer, COMMIT_LSN))))
        sw_order_refuse(&writer, COMMIT_LSN, LSN_FORM);
    if (has_lsn && (!scalar(&writer, LSN) || !read_lsn(&lsn, sw_order_text(&writer, LSN))))
        sw_order_refuse(&writer, LSN, LSN_FORM);
    if (!has_lsn && sequence.has_lsn) {
        lsn = sequence.lsn;
        has_lsn = true;
    }
    has_commit &= commit != 0; /* 0/0 is how PostgreSQL writes that there is none */
    has_lsn &= lsn != 0;
    if (!has_commit && !has_lsn)
        sw_order_no_position(&writer);
    if (!has_commit && has_lsn && sw_order_reads_all_up_to(record, COMMIT_LSN)) {
        commit = lsn;
        has_commit = true;
    }
    if (has_commit)
        sw_order_put_number(&writer, commit);
    else
        sw_order_put_lack(&writer, COMMIT_LSN);
    if (has_sequence)
        sw_order_put_number(&writer, previous_or(sequence.has_previous ? sequence.previous : 0, has_lsn ? lsn : 0));
    else
        put_no_sequence(&writer, record);
    if (has_lsn)
        sw_order_put_number(&writer, lsn);
    else
        sw_order_put_lack(&writer, LSN);
    sw_order_put_field(&writer, ORDINAL);
    sw_order_put_space_field(&writer, SYSTEM, true);
    put_timeline(&writer);
    return sw_order_finish(&writer);
}

/* The sequence as Debezium writes it, a text that holds an array: [\"24023128\",\"24023400\"], or null for the first one. */
static bool read_usual_sequence(uint64_t *previous, struct sw_token token)
{
    static const char open[] = "[\\\"", between[] = "\\\",\\\"", close[] = "\\\"]", null[] = "[null,\\\"";
    const uint8_t *at = token.at, *end = at + token.len;
    uint64_t lsn;
    *previous = 0;
    if (token.kind != SW_TOKEN_TEXT || token.len < 8)
        return false;
    if (memcmp(at, open, sizeof open - 1) == 0) {
        at += sizeof open - 1;
        size_t digits = sw_word_digit_count(at);
        if (!sw_word_digits(previous, at, digits) || memcmp(at + digits, between, sizeof between - 1) != 0)
            return false;
        at += digits + sizeof between - 1;
    } else if (memcmp(at, null, sizeof null - 1) == 0) {
        at += sizeof null - 1;
    } else {
        return false;
    }
    size_t digits = sw_word_digit_count(at);
    return sw_word_digits(&lsn, at, digits) && (size_t)(end - at) == digits + sizeof close - 1 && memcmp(at + digits, close, sizeof close - 1) == 0;
}

static size_t encode_usual(uint8_t *to, struct sw_token *given)
{
    uint8_t *begin = to;
    uint64_t lsn, previous;
    if (given[COMMIT_LSN].kind > SW_TOKEN_NULL || given[ORDINAL].kind > SW_TOKEN_NULL || !sw_slot_plain_number(&lsn, given[LSN]) || lsn == 0)
        return 0;
    *to++ = 0;
    if (given[SEQUENCE].kind <= SW_TOKEN_NULL)
        *to++ = 0;
    else if (read_usual_sequence(&previous, given[SEQUENCE]))
        to = sw_slot_put(to, previous_or(previous, lsn));
    else
        return 0;
    return (size_t)(sw_slot_put(to, lsn) - begin);
}

static bool core(struct sw_token *fields, struct sw_bytes text)
{
    uint64_t lsn;
    fields[LSN] = sw_order_token(text);
    return read_lsn(&lsn, text);
}

static enum sw_order_status parse(struct sw_order_key *out, struct sw_bytes text)
{
    return sw_order_parse_fields(out, &sw_order_postgres, text, "an LSN such as 0/16E9A28 (0/0 is none)", core);
}

static void read_slots(struct sw_slot slots[SLOT_COUNT], struct sw_bytes version)
{
    for (int i = 0; i < SLOT_COUNT; i++)
        if (!sw_slot_next(&slots[i], &version))
            slots[i] = (struct sw_slot){0};
}

/* Names the record a commit before it, rather than null? */
static bool names_previous(struct sw_slot previous, struct sw_slot lsn) { return previous.present && !(lsn.present && sw_slot_compare(previous, lsn) == 0); }

static void print(struct sw_buffer *out, struct sw_bytes version, struct sw_bytes space)
{
    static const char *const names[SLOT_COUNT] = {"commit_lsn", "sequence", NULL, "ordinal"};
    struct sw_slot slots[SLOT_COUNT];
    bool some = false;
    (void)space;
    read_slots(slots, version);
    if (slots[SLOT_LSN].present)
        sw_lsn_print(out, sw_slot_number(slots[SLOT_LSN]));
    for (int i = 0; i < SLOT_COUNT; i++)
        if (names[i] && slots[i].present) {
            sw_order_print_attribute(out, &some, names[i]);
            if (i == SLOT_ORDINAL)
                sw_order_print_number(out, slots[i]);
            else
                sw_lsn_print(out, i == SLOT_PREVIOUS && !names_previous(slots[SLOT_PREVIOUS], slots[SLOT_LSN]) ? 0 : sw_slot_number(slots[i]));
        }
}

/* A position is that of a commit: it is held against the commit of a record that says it, else against its own LSN. The previous commit is
 * no position of the record, but what comes after a commit at or beyond the position is beyond it. */
static enum sw_order_reach reach(struct sw_bytes position, struct sw_bytes version)
{
    struct sw_bytes left = position;
    struct sw_slot commit = {0}, previous = {0}, place = {0}, lsn = {0};
    (void)(sw_slot_next(&commit, &left) && sw_slot_next(&previous, &left) && sw_slot_next(&place, &left));
    if (commit.present || previous.present || left.len)
        return sw_order_reach_slots(0, position, version);
    (void)sw_slot_next(&commit, &version);
    if (commit.present)
        return sw_slot_compare(commit, place) <= 0 ? SW_ORDER_WITHIN : SW_ORDER_BEYOND;
    (void)(sw_slot_next(&previous, &version) && sw_slot_next(&lsn, &version));
    if (names_previous(previous, lsn) && sw_slot_compare(previous, place) >= 0)
        return SW_ORDER_BEYOND;
    return sw_slot_compare(lsn, place) <= 0 ? SW_ORDER_WITHIN : SW_ORDER_BEYOND;
}

static const struct sw_order_field fields[] = {
    [LSN] = {"lsn", LSN_FORM ": of the change itself", SW_ORDER_ONE_OF},
    [COMMIT_LSN] = {"commit_lsn", LSN_FORM ": of the transaction's commit", SW_ORDER_ONE_OF},
    [SEQUENCE] = {"sequence", "Debezium's source.sequence: the LSNs of the previous commit and of the change", SW_ORDER_ONE_OF},
    [ORDINAL] = {"ordinal", "the place of the change in its transaction, an integer", SW_ORDER_OPTIONAL},
    [SYSTEM] = {"system", "system identifier of the cluster (IDENTIFY_SYSTEM)", SW_ORDER_SPACE},
    [TIMELINE] = {"timeline", "timeline of the WAL: a number, or 8 hexadecimal digits with a leading 0 as in the names of WAL files", SW_ORDER_SPACE},
};

const struct sw_order sw_order_postgres = {
    .name = "postgres",
    .summary = "commit LSN, then the LSN of the change, then its place in the transaction",
    .rule = "Transactions are ordered by the LSN of their commit, as logical decoding sends them; inside one transaction changes are ordered by their own LSN, then by their ordinal. "
            "LSNs compare as unsigned 64-bit numbers, never as text; HIGH/LOW text and decimal numbers are the same value, 0/0 is no position. Where records carry Debezium's sequence instead of "
            "a commit LSN, its first element is put before the LSN: it is the commit before this transaction, equal for all its changes; where it is null, as it is until a connector that was made anew has seen a commit, the change's own LSN stands for it. A row that a snapshot read has no commit and shows what was committed up to its LSN. "
            "A space is one system identifier and timeline.",
    .tie = "changes at one position with different contents are a conflict: several rows may share an LSN, and only an ordinal tells them apart",
    .source = "PostgreSQL manual, pg_lsn type, logical decoding, timelines; debezium SourceInfo.sequence and PostgresStreamingChangeEventSource",
    .not_promised = "with an LSN alone: the order of transactions that overlapped, since their LSNs interleave. That no event is missing: LSNs are byte addresses, and two of them say nothing of what "
                    "lies between. A cut or baseline position is the LSN of a commit; records that carry none are held against it by their own LSN, which says nothing of when they were committed",
    .position = "an LSN, HIGH/LOW or decimal, and after an '@' the fields it has: 0/16E9A28@timeline=1",
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .slots = true,
    .succession = "timeline",
    .transaction_slots = 1u << SLOT_COMMIT | 1u << SLOT_PREVIOUS,
    .encode = encode,
    .encode_usual = encode_usual,
    .commit_fields = 1u << COMMIT_LSN,
    .space_fields = 1u << SYSTEM | 1u << TIMELINE,
    .parse = parse,
    .print = print,
    .reach = reach,
};
