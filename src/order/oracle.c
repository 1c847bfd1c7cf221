/* Oracle by system change numbers.
 * Sources: Oracle Database Reference, V$LOGMNR_CONTENTS (SCN, RS_ID, SSN), V$DATABASE_INCARNATION; debezium Scn.java, CommitScn.java. */
#include "order/order_slots.h"
#include "position/scan.h"
#include "position/scn.h"

enum { SCN, COMMIT_SCN, RS_ID, SSN, THREAD, DBID, INCARNATION };
enum { SLOT_COMMIT, SLOT_SCN, SLOT_THREAD, SLOT_RS_ID, SLOT_SSN, SLOT_COUNT };

/* Longer than any SCN, and short enough for a version. */
#define DIGITS_MAX 38
#define SCN_FORM "an SCN: a decimal number of at most 38 digits, or 0xWWWW.BBBBBBBB"

/* An SCN may one day exceed 64 bits: it is kept exact, as a big-endian number. */
static bool read_scn(uint8_t out[16], struct sw_bytes text)
{
    uint64_t small;
    memset(out, 0, 16);
    if (sw_scn_parse(&small, text.at, text.len)) {
        for (int i = 0; i < 8; i++)
            out[8 + i] = (uint8_t)(small >> (8 * (7 - i)));
        return true;
    }
    if (!text.len || text.len > DIGITS_MAX)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        if (!sw_is_digit(text.at[i]))
            return false;
        unsigned carry = (unsigned)(text.at[i] - '0');
        for (int b = 15; b >= 0; b--) {
            carry += out[b] * 10u;
            out[b] = (uint8_t)carry;
            carry >>= 8;
        }
    }
    return true;
}

static bool is_zero(const uint8_t scn[16])
{
    static const uint8_t zero[16];
    return memcmp(scn, zero, sizeof zero) == 0;
}

static bool take_scn(struct sw_order_writer *writer, size_t field, uint8_t scn[16])
{
    enum sw_token_kind kind = (enum sw_token_kind)writer->record->fields[field].kind;
    if (!sw_order_has(writer, field))
        return false;
    if ((kind != SW_TOKEN_NUMBER && kind != SW_TOKEN_TEXT) || !read_scn(scn, sw_order_text(writer, field))) {
        sw_order_refuse(writer, field, SCN_FORM);
        return false;
    }
    return !is_zero(scn);
}

static void put_scn(struct sw_order_writer *writer, size_t field, bool has, const uint8_t scn[16])
{
    if (has)
        sw_order_put_bytes(writer, scn, 16);
    else
        sw_order_put_lack(writer, field);
}

static enum sw_order_status encode(struct sw_order_key *out, const struct sw_order_record *record)
{
    struct sw_order_writer writer;
    uint8_t scn[16], commit[16];
    struct sw_rba place;
    sw_order_begin(&writer, out, &sw_order_oracle, record);
    bool has_commit = take_scn(&writer, COMMIT_SCN, commit), has_scn = take_scn(&writer, SCN, scn);
    if (!has_commit && !has_scn)
        sw_order_no_position(&writer);
    bool all_up_to = !has_commit && has_scn && sw_order_reads_all_up_to(record, COMMIT_SCN);
    put_scn(&writer, COMMIT_SCN, has_commit || all_up_to, all_up_to ? scn : commit);
    put_scn(&writer, SCN, has_scn, scn);
    sw_order_put_field(&writer, THREAD);
    struct sw_bytes text = {0};
    if (sw_order_has(&writer, RS_ID))
        text = sw_trim(sw_order_text(&writer, RS_ID));
    if (!text.len) {
        sw_order_put_lack(&writer, RS_ID);
    } else if (record->fields[RS_ID].kind != SW_TOKEN_TEXT || !sw_rba_parse(&place, text.at, text.len)) {
        sw_order_refuse(&writer, RS_ID, "LogMiner's rs_id, three hexadecimal numbers such as 0x000019.00000002.0010");
    } else {
        const uint8_t bytes[10] = {(uint8_t)(place.sequence >> 24), (uint8_t)(place.sequence >> 16), (uint8_t)(place.sequence >> 8), (uint8_t)place.sequence,
                                   (uint8_t)(place.block >> 24),    (uint8_t)(place.block >> 16),    (uint8_t)(place.block >> 8),    (uint8_t)place.block,
                                   (uint8_t)(place.byte >> 8),      (uint8_t)place.byte};
        sw_order_put_bytes(&writer, bytes, sizeof bytes);
    }
    sw_order_put_field(&writer, SSN);
    sw_order_put_space_field(&writer, DBID, true);
    sw_order_put_space_field(&writer, INCARNATION, false);
    return sw_order_finish(&writer);
}

/* As LogMiner writes it: 0x000019.00000002.0010, with a blank before and behind it or without. */
static bool read_usual_place(uint64_t *high, uint16_t *low, struct sw_token token)
{
    uint64_t sequence, block, byte;
    const uint8_t *at = token.at;
    uint32_t len = token.len;
    if (!sw_slot_plain_text(token))
        return false;
    if (len == 24 && at[0] == ' ' && at[23] == ' ') {
        at++;
        len = 22;
    }
    if (len != 22 || at[0] != '0' || at[1] != 'x' || at[8] != '.' || at[17] != '.' || !sw_word_hex(&sequence, at + 2, 6) || !sw_word_hex(&block, at + 9, 8) || !sw_word_hex(&byte, at + 18, 4))
        return false;
    *high = sequence << 32 | block;
    *low = (uint16_t)byte;
    return true;
}

static bool read_usual_scn(uint64_t *out, struct sw_token token) { return sw_slot_plain_number(out, token) && *out; }

static size_t encode_usual(uint8_t *to, struct sw_token *given)
{
    uint8_t *begin = to, *end;
    uint64_t scn, commit, high;
    uint16_t low;
    if (!read_usual_scn(&scn, given[SCN]))
        return 0;
    if (given[COMMIT_SCN].kind <= SW_TOKEN_NULL)
        *to++ = 0;
    else if (read_usual_scn(&commit, given[COMMIT_SCN]))
        to = sw_slot_put(to, commit);
    else
        return 0;
    to = end = sw_slot_put(to, scn);
    if (!(to = sw_slot_put_optional(&end, to, given[THREAD])))
        return 0;
    if (given[RS_ID].kind <= SW_TOKEN_NULL)
        *to++ = 0;
    else if (read_usual_place(&high, &low, given[RS_ID]))
        to = end = sw_slot_put_ten(to, high, low);
    else
        return 0;
    return sw_slot_put_optional(&end, to, given[SSN]) ? (size_t)(end - begin) : 0;
}

static bool core(struct sw_token *fields, struct sw_bytes text)
{
    uint8_t scn[16];
    fields[SCN] = sw_order_token(text);
    return read_scn(scn, text);
}

static enum sw_order_status parse(struct sw_order_key *out, struct sw_bytes text)
{
    return sw_order_parse_fields(out, &sw_order_oracle, text, "an SCN such as 8823771 (0 is none)", core);
}

static void print_decimal(struct sw_buffer *out, struct sw_slot slot)
{
    uint8_t number[16] = {0};
    char digits[DIGITS_MAX + 2];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    if (slot.len <= sizeof number && slot.len)
        memcpy(number + sizeof number - slot.len, slot.at, slot.len);
    do {
        unsigned rest = 0;
        for (size_t b = 0; b < sizeof number; b++) {
            rest = rest << 8 | number[b];
            number[b] = (uint8_t)(rest / 10);
            rest %= 10;
        }
        digits[--at] = (char)('0' + rest);
    } while (at && !is_zero(number));
    sw_buffer_add_text(out, digits + at);
}

static void print_rs_id(struct sw_buffer *out, struct sw_slot slot)
{
    uint8_t bytes[10] = {0};
    if (slot.len <= sizeof bytes && slot.len)
        memcpy(bytes + sizeof bytes - slot.len, slot.at, slot.len);
    sw_buffer_printf(out, "0x%06x.%08x.%04x", (unsigned)bytes[0] << 24 | (unsigned)bytes[1] << 16 | (unsigned)bytes[2] << 8 | bytes[3],
                     (unsigned)bytes[4] << 24 | (unsigned)bytes[5] << 16 | (unsigned)bytes[6] << 8 | bytes[7], (unsigned)bytes[8] << 8 | bytes[9]);
}

static void print(struct sw_buffer *out, struct sw_bytes version, struct sw_bytes space)
{
    static const char *const names[SLOT_COUNT] = {"commit_scn", NULL, "thread", "rs_id", "ssn"};
    struct sw_slot slots[SLOT_COUNT] = {{0}};
    bool some = false;
    (void)space;
    for (int i = 0; i < SLOT_COUNT && sw_slot_next(&slots[i], &version);)
        i++;
    if (slots[SLOT_SCN].present)
        print_decimal(out, slots[SLOT_SCN]);
    for (int i = 0; i < SLOT_COUNT; i++)
        if (names[i] && slots[i].present) {
            sw_order_print_attribute(out, &some, names[i]);
            if (i == SLOT_RS_ID)
                print_rs_id(out, slots[i]);
            else
                print_decimal(out, slots[i]);
        }
}

/* A bare SCN is that of a commit: held against the record's commit if it has one, else against its own. */
static enum sw_order_reach reach(struct sw_bytes position, struct sw_bytes version)
{
    struct sw_bytes declared = position, found = version;
    struct sw_slot no_commit, scn, commit;
    if (!sw_slot_next(&no_commit, &declared) || no_commit.present || !sw_slot_next(&scn, &declared) || declared.len || !sw_slot_next(&commit, &found) || !commit.present)
        return sw_order_reach_slots(1u << SLOT_THREAD, position, version);
    return sw_order_reach_slots(0, sw_bytes_of(position.at + 1, position.len - 1), version);
}

static const struct sw_order_field fields[] = {
    [SCN] = {"scn", SCN_FORM ": of the change itself", SW_ORDER_ONE_OF},
    [COMMIT_SCN] = {"commit_scn", SCN_FORM ": of the transaction's commit", SW_ORDER_ONE_OF},
    [RS_ID] = {"rs_id", "LogMiner's rs_id, the address in the redo log", SW_ORDER_OPTIONAL},
    [SSN] = {"ssn", "LogMiner's ssn, an integer", SW_ORDER_OPTIONAL},
    [THREAD] = {"thread", "redo thread, an integer", SW_ORDER_OPTIONAL},
    [DBID] = {"dbid", "DBID of the database", SW_ORDER_SPACE},
    [INCARNATION] = {"incarnation", "INCARNATION# (changes with OPEN RESETLOGS)", SW_ORDER_SPACE},
};

const struct sw_order sw_order_oracle = {
    .name = "oracle",
    .summary = "commit SCN, then SCN, rs_id and ssn",
    .rule = "Transactions are ordered by the SCN of their commit; inside one, changes by their own SCN, then by LogMiner's rs_id (log sequence, block, byte) and ssn. a row that a snapshot read has no commit of its own and shows what was committed up to its SCN. SCNs compare as exact decimal numbers, "
            "also beyond 2^53 and 2^64. rs_id compares within one redo thread only: if the threads are known and differ, equal SCNs are unordered. A space is one DBID and incarnation.",
    .tie = "changes at one position with different contents are a conflict: several transactions may share one commit SCN",
    .source = "Oracle Database Reference, V$LOGMNR_CONTENTS, V$DATABASE_INCARNATION; debezium Scn.java, CommitScn.java",
    .not_promised = "with an SCN alone: the order of transactions that overlapped. On RAC without the thread: the order of changes that share an SCN. Anything across OPEN RESETLOGS, unless the incarnation is a field",
    .position = "an SCN, and after an '@' the fields it has: 8823771@incarnation=2",
    .fields = fields,
    .field_count = sizeof fields / sizeof *fields,
    .slots = true,
    .succession = "incarnation",
    .transaction_slots = 1u << SLOT_COMMIT,
    .split_slots = 1u << SLOT_THREAD,
    .encode = encode,
    .encode_usual = encode_usual,
    .commit_fields = 1u << COMMIT_SCN,
    .space_fields = 1u << DBID | 1u << INCARNATION,
    .parse = parse,
    .print = print,
    .reach = reach,
};
