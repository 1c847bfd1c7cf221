/* Kind "sqlserver": a commit LSN, and optionally a change inside that transaction.
 * Sources: Microsoft Learn, "sys.fn_cdc_increment_lsn", "cdc.<capture_instance>_CT"; debezium Lsn, TxLogPosition. */
#include "position/sqlserver_lsn.h"

#include "position/position.h"
#include "position/scan.h"

struct sqlserver_position {
    struct sw_position base;
    uint8_t commit[10];
    bool has_change;
    uint8_t change[10];
    bool has_serial;
    uint64_t serial; /* __$operation, or Debezium's event_serial_no */
};

enum { DATABASE, FORK };

static const struct sqlserver_position *of(const struct sw_position *self) { return (const struct sqlserver_position *)(const void *)self; }
const uint8_t *sw_sqlserver_lsn_of(const struct sw_position *position) { return of(position)->commit; }

bool sw_sqlserver_has_change(const struct sw_position *position) { return of(position)->has_change; }

static void put(uint8_t out[10], uint64_t vlf, uint64_t block, uint64_t slot)
{
    for (size_t i = 0; i < 4; i++) {
        out[i] = (uint8_t)(vlf >> (24 - 8 * i));
        out[4 + i] = (uint8_t)(block >> (24 - 8 * i));
    }
    out[8] = (uint8_t)(slot >> 8);
    out[9] = (uint8_t)slot;
}

bool sw_sqlserver_lsn_parse(uint8_t out[10], const uint8_t *at, size_t len)
{
    struct sw_scan scan = sw_scan_of(sw_bytes_of(at, len));
    uint64_t vlf, block, slot;
    if (sw_scan_hex(&scan, 8, &vlf) && sw_scan_byte(&scan, ':')) {
        if (!sw_scan_hex(&scan, 8, &block) || !sw_scan_byte(&scan, ':') || !sw_scan_hex(&scan, 4, &slot) || !sw_scan_done(&scan))
            return false;
        put(out, vlf, block, slot);
        return true;
    }
    scan = sw_scan_of(sw_bytes_of(at, len));
    if (!sw_scan_word(&scan, "0x"))
        (void)sw_scan_word(&scan, "0X");
    struct sw_bytes digits = sw_scan_rest(&scan);
    uint8_t lsn[10];
    if (digits.len != 20)
        return false;
    for (size_t i = 0; i < 10; i++) {
        int high = sw_hex_value(digits.at[2 * i]), low = sw_hex_value(digits.at[2 * i + 1]);
        if (high < 0 || low < 0)
            return false;
        lsn[i] = (uint8_t)(high << 4 | low);
    }
    memcpy(out, lsn, 10);
    return true;
}

bool sw_sqlserver_lsn_parse_decimal(uint8_t out[10], const uint8_t *at, size_t len)
{
    uint64_t vlf, block, slot;
    if (len < 16 || len > 25 || len == 20 || !sw_scan_whole_u64(sw_bytes_of(at, len - 15), &vlf) || !sw_scan_whole_u64(sw_bytes_of(at + len - 15, 10), &block)
        || !sw_scan_whole_u64(sw_bytes_of(at + len - 5, 5), &slot) || vlf > UINT32_MAX || block > UINT32_MAX || slot > UINT16_MAX)
        return false;
    put(out, vlf, block, slot);
    return true;
}

bool sw_sqlserver_lsn_increment(uint8_t lsn[10])
{
    for (size_t i = 10; i-- > 0;)
        if (++lsn[i])
            return true;
    memset(lsn, 0xff, 10);
    return false;
}

void sw_sqlserver_lsn_print(struct sw_buffer *out, const uint8_t lsn[10])
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < 10; i++) {
        if (i == 4 || i == 8)
            sw_buffer_add_byte(out, ':');
        sw_buffer_add_byte(out, (uint8_t)digits[lsn[i] >> 4]);
        sw_buffer_add_byte(out, (uint8_t)digits[lsn[i] & 15]);
    }
}

static bool all_digits(struct sw_bytes text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!sw_is_digit(text.at[i]))
            return false;
    return text.len > 0;
}

/* The text up to the next '/', which is taken off. */
static struct sw_bytes next_part(struct sw_bytes *text)
{
    const uint8_t *slash = text->len ? memchr(text->at, '/', text->len) : NULL;
    struct sw_bytes part = {text->at, slash ? (size_t)(slash - text->at) : text->len};
    size_t used = part.len + (slash != NULL);
    *text = (struct sw_bytes){text->at + used, text->len - used};
    return part;
}

static bool read_lsn(uint8_t out[10], struct sw_bytes text, uint32_t *notes)
{
    if (text.len == 20 && all_digits(text))
        *notes |= SW_NOTE_READ_AS_HEX;
    return sw_sqlserver_lsn_parse(out, text.at, text.len) || sw_sqlserver_lsn_parse_decimal(out, text.at, text.len);
}

static enum sw_code parse(struct sw_position *base, struct sw_bytes text, struct sw_error *error)
{
    struct sqlserver_position *self = (struct sqlserver_position *)(void *)base;
    struct sw_bytes rest = text;
    bool good = read_lsn(self->commit, next_part(&rest), &base->notes);
    if (good && rest.len) {
        self->has_change = true;
        good = read_lsn(self->change, next_part(&rest), &base->notes);
    }
    if (good && rest.len) {
        self->has_serial = true;
        good = sw_scan_whole_u64(rest, &self->serial);
    }
    char quoted[SW_QUOTE_MAX];
    if (!good || text.at[text.len - 1] == '/')
        return sw_fail(error, SW_ERR_INPUT,
            "not a SQL Server LSN: expected 8:8:4 hexadecimal digits, 0x and 20 of them, or 20 of them, with /CHANGE-LSN/SERIAL behind it for a change inside a transaction, found %s",
            sw_position__quote(quoted, text));
    return SW_OK;
}

static void print(struct sw_buffer *out, const struct sw_position *base)
{
    const struct sqlserver_position *self = of(base);
    sw_sqlserver_lsn_print(out, self->commit);
    if (self->has_change) {
        sw_buffer_add_byte(out, '/');
        sw_sqlserver_lsn_print(out, self->change);
    }
    if (self->has_serial)
        sw_buffer_printf(out, "/%llu", (unsigned long long)self->serial);
}

static bool decided(struct sw_position_comparison *out, int way, const char *what)
{
    if (way)
        sw_position__say(out, way < 0 ? SW_POSITION_BEFORE : SW_POSITION_AFTER, "%s is %s (compared byte by byte, unsigned)", what, way < 0 ? "lower" : "higher");
    return way != 0;
}

static void compare(struct sw_position_comparison *out, const struct sw_position *left, const struct sw_position *right, const struct sw_position_compare_options *options)
{
    (void)options;
    const struct sqlserver_position *a = of(left), *b = of(right);
    if (decided(out, memcmp(a->commit, b->commit, 10), "the commit LSN"))
        return;
    if (a->has_change != b->has_change) {
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "the commit LSN is the same, and only one side names a change inside that transaction");
        return;
    }
    if (a->has_change && decided(out, memcmp(a->change, b->change, 10), "the commit LSN is the same, and the change LSN"))
        return;
    if (a->has_serial != b->has_serial) {
        sw_position__say(out, SW_POSITION_INCOMPARABLE, "both LSNs are the same, and only one side says which event at them");
        return;
    }
    if (a->serial != b->serial)
        sw_position__say(out, a->serial < b->serial ? SW_POSITION_BEFORE : SW_POSITION_AFTER, "both LSNs are the same, and the serial number is %s", a->serial < b->serial ? "lower" : "higher");
    else
        sw_position__say(out, SW_POSITION_EQUAL, "every part is the same");
}

const struct sw_position_kind sw_kind_sqlserver = {
    .info = {
        .name = "sqlserver",
        .source = "SQL Server",
        .form = "a commit LSN (8:8:4 hexadecimal digits, 0x and 20, or 20), or COMMIT-LSN/CHANGE-LSN/SERIAL",
        .example = "0000002a:00000758:0003@database=orders",
        .attributes = "database, fork (recovery fork)",
    },
    .size = sizeof(struct sqlserver_position),
    .attributes = {
        [DATABASE] = {"database", "database", SW_ATTRIBUTE_WORD, SW_ATTRIBUTE_IDENTITY},
        [FORK] = {"fork", "recovery fork", SW_ATTRIBUTE_WORD, SW_ATTRIBUTE_HINT},
    },
    .parse = parse,
    .print = print,
    .compare = compare,
};
