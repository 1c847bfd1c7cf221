/* Kind "postgres": an LSN in a system's timeline.
 * Source: PostgreSQL manual, "pg_lsn Type", "Streaming Replication Protocol" (IDENTIFY_SYSTEM), "Timelines". */
#include "position/lsn.h"

#include "position/lineage.h"
#include "position/position.h"
#include "position/scan.h"

struct lsn_position {
    struct sw_position base;
    uint64_t lsn;
};

enum { SYSTEM, TIMELINE, WHICH };

static uint64_t lsn_of(const struct sw_position *self) { return ((const struct lsn_position *)(const void *)self)->lsn; }

bool sw_lsn_parse(uint64_t *out, const uint8_t *at, size_t len)
{
    struct sw_scan scan = sw_scan_of(sw_bytes_of(at, len));
    uint64_t high, low;
    if (!sw_scan_hex(&scan, 8, &high) || !sw_scan_byte(&scan, '/') || !sw_scan_hex(&scan, 8, &low) || !sw_scan_done(&scan))
        return false;
    *out = high << 32 | low;
    return true;
}

void sw_lsn_print(struct sw_buffer *out, uint64_t lsn)
{
    sw_buffer_add_hex(out, lsn >> 32);
    sw_buffer_add_byte(out, '/');
    sw_buffer_add_hex(out, lsn & UINT32_MAX);
}

static enum sw_code parse(struct sw_position *base, struct sw_bytes text, struct sw_error *error)
{
    struct lsn_position *self = (struct lsn_position *)(void *)base;
    char quoted[SW_QUOTE_MAX];
    if (sw_scan_whole_u64(text, &self->lsn)) {
        base->notes |= SW_NOTE_DECIMAL_LSN;
        if (sw_position__reads_as_epoch(self->lsn))
            base->notes |= SW_NOTE_LOOKS_LIKE_TIME;
    } else if (!sw_lsn_parse(&self->lsn, text.at, text.len)) {
        return sw_fail(error, SW_ERR_INPUT, "not an LSN: expected 1 to 8 hexadecimal digits on each side of a '/', such as 0/16E9A28, or Debezium's decimal number, found %s",
            sw_position__quote(quoted, text));
    }
    if (self->lsn == 0)
        base->notes |= SW_NOTE_INVALID_LSN;
    return SW_OK;
}

static enum sw_code settle(struct sw_position *base, struct sw_error *error)
{
    const char *which = base->attributes[WHICH];
    char quoted[SW_QUOTE_MAX];
    if (which && strcmp(which, "commit") != 0 && strcmp(which, "row") != 0)
        return sw_fail(error, SW_ERR_INPUT, "attribute lsn of a postgres position: expected commit or row, found %s", sw_position__quote(quoted, sw_bytes_text(which)));
    return SW_OK;
}

static void print(struct sw_buffer *out, const struct sw_position *self) { sw_lsn_print(out, lsn_of(self)); }

static void compare(struct sw_position_comparison *out, const struct sw_position *a, const struct sw_position *b, const struct sw_position_compare_options *options)
{
    uint64_t left = lsn_of(a), right = lsn_of(b);
    if ((left == 0) != (right == 0)) {
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "0/0 is the invalid LSN: it says that there is no position, and stands before or after nothing");
        return;
    }
    if (!sw_lineage_comparable(out, options->history, &sw_kind_postgres, a->attributes[TIMELINE], b->attributes[TIMELINE], left, right))
        return;
    if (left == right)
        sw_position__say(out, SW_POSITION_EQUAL, "both name byte %X/%X of the WAL", (unsigned)(left >> 32), (unsigned)left);
    else
        sw_position__say(out, left < right ? SW_POSITION_BEFORE : SW_POSITION_AFTER,
            "the first stands %llu bytes of WAL %s the second; bytes are not events, there may be none between them",
            (unsigned long long)(left < right ? right - left : left - right), left < right ? "before" : "after");
}

const struct sw_position_kind sw_kind_postgres = {
    .info = {
        .name = "postgres",
        .source = "PostgreSQL",
        .form = "an LSN (HIGH/LOW in hexadecimal, or one decimal number)",
        .example = "0/16E9A28@system=7301234567890123456,timeline=1",
        .attributes = "system (system identifier), timeline, lsn (commit or row: of what the LSN is)",
    },
    .size = sizeof(struct lsn_position),
    .attributes = {
        [SYSTEM] = {"system", "system identifier", SW_ATTRIBUTE_U64, SW_ATTRIBUTE_IDENTITY},
        [TIMELINE] = {"timeline", "timeline", SW_ATTRIBUTE_U32, SW_ATTRIBUTE_LINEAGE},
        [WHICH] = {"lsn", "kind of LSN (of a commit or of a row)", SW_ATTRIBUTE_WORD, SW_ATTRIBUTE_SORT},
    },
    .parse = parse,
    .settle = settle,
    .print = print,
    .compare = compare,
};
