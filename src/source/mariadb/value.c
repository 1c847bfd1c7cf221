#include "source/mariadb/value.h"

#include <arpa/inet.h>
#include <math.h>
#include <stdio.h>
#include <time.h>
#include <zlib.h>

#include "base/c_locale.h"
#include "text/json_write.h"

void sw_binlog_room_free(struct sw_binlog_room *room)
{
    sw_binlog_charsets_free(&room->charsets);
    sw_buffer_free(&room->bytes);
    sw_buffer_free(&room->text);
}

/* ---- taking a row apart ---- */

static const uint8_t digit_bytes[10] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 4};

static size_t decimal_size(unsigned precision, unsigned scale)
{
    unsigned whole = precision - scale;
    return whole / 9 * 4 + digit_bytes[whole % 9] + scale / 9 * 4 + digit_bytes[scale % 9];
}

static unsigned fraction_bytes(unsigned digits) { return (digits + 1) / 2; }

/* How many bytes the value has; those of a length before it are taken. False for a type or a size that is none. */
static bool size_of(uint64_t *out, const struct sw_binlog_column *column, struct sw_binlog_bytes *from)
{
    unsigned size = column->size, scale = column->scale;
    switch (column->type) {
    case SW_BINLOG_NULL: *out = 0; return true;
    case SW_BINLOG_TINY:
    case SW_BINLOG_YEAR: *out = 1; return true;
    case SW_BINLOG_SHORT: *out = 2; return true;
    case SW_BINLOG_INT24:
    case SW_BINLOG_DATE:
    case SW_BINLOG_NEWDATE:
    case SW_BINLOG_TIME: *out = 3; return true;
    case SW_BINLOG_LONG:
    case SW_BINLOG_TIMESTAMP: *out = 4; return true;
    case SW_BINLOG_LONGLONG:
    case SW_BINLOG_DATETIME: *out = 8; return true;
    case SW_BINLOG_FLOAT: *out = 4; return size == 4;
    case SW_BINLOG_DOUBLE: *out = 8; return size == 8;
    case SW_BINLOG_NEWDECIMAL: *out = size <= 65 && scale <= size ? decimal_size(size, scale) : 0; return size && size <= 65 && scale <= size;
    case SW_BINLOG_BIT: *out = (size + 7) / 8; return size && size <= 64;
    case SW_BINLOG_TIMESTAMP2: *out = 4 + fraction_bytes(scale); return scale <= 6;
    case SW_BINLOG_DATETIME2: *out = 5 + fraction_bytes(scale); return scale <= 6;
    case SW_BINLOG_TIME2: *out = 3 + fraction_bytes(scale); return scale <= 6;
    case SW_BINLOG_ENUM: *out = size; return size == 1 || size == 2;
    case SW_BINLOG_SET: *out = size; return size && size <= 8;
    case SW_BINLOG_STRING:
    case SW_BINLOG_VAR_STRING:
    case SW_BINLOG_VARCHAR:
    case SW_BINLOG_VARCHAR_COMPRESSED: *out = sw_binlog_take_number(from, size < 256 ? 1 : 2); return *out <= size;
    case SW_BINLOG_BLOB:
    case SW_BINLOG_BLOB_COMPRESSED:
    case SW_BINLOG_JSON:
    case SW_BINLOG_GEOMETRY: *out = size && size <= 4 ? sw_binlog_take_number(from, size) : 0; return size && size <= 4;
    default: return false;
    }
}

bool sw_binlog_row_split(struct sw_binlog_value *values, const struct sw_binlog_column *columns, size_t count, const uint8_t *present, struct sw_binlog_bytes *from)
{
    size_t there = 0, place = 0;
    for (size_t i = 0; i < count; i++)
        there += present[i / 8] >> i % 8 & 1;
    struct sw_bytes nulls = sw_binlog_take_bytes(from, (there + 7) / 8);
    for (size_t i = 0; i < count && !from->cut; i++) {
        uint64_t size;
        values[i] = (struct sw_binlog_value){SW_BINLOG_ABSENT, {NULL, 0}};
        if (!(present[i / 8] >> i % 8 & 1))
            continue;
        bool null = nulls.at[place / 8] >> place % 8 & 1;
        place++;
        if (null) {
            values[i].presence = SW_BINLOG_IS_NULL;
            continue;
        }
        if (!size_of(&size, &columns[i], from))
            return false;
        values[i] = (struct sw_binlog_value){SW_BINLOG_THERE, sw_binlog_take_bytes(from, size)};
    }
    return !from->cut;
}

/* ---- numbers and times ---- */

static uint64_t low_first(struct sw_bytes bytes)
{
    uint64_t value = 0;
    for (size_t i = bytes.len; i-- > 0;)
        value = value << 8 | bytes.at[i];
    return value;
}

static void write_integer(struct sw_buffer *out, struct sw_bytes bytes, bool without_sign)
{
    uint64_t value = low_first(bytes), sign = 1ull << (8 * bytes.len - 1);
    if (!without_sign && value & sign)
        value |= ~(sign | (sign - 1));
    if (without_sign)
        sw_json_write_number_u64(out, value);
    else
        sw_json_write_number_i64(out, (int64_t)value);
}

static void write_float(struct sw_buffer *out, struct sw_bytes bytes)
{
    double value;
    if (bytes.len == 4) {
        float single;
        memcpy(&single, bytes.at, 4);
        value = single;
    } else {
        memcpy(&value, bytes.at, 8);
    }
    locale_t before = sw_c_locale_enter();
    if (isfinite(value))
        sw_buffer_printf(out, bytes.len == 4 ? "%.9g" : "%.17g", value);
    else
        sw_buffer_printf(out, "\"%s\"", isnan(value) ? "NaN" : value < 0 ? "-inf" : "inf");
    sw_c_locale_leave(before);
}

bool sw_binlog_write_decimal(struct sw_buffer *out, struct sw_bytes bytes, unsigned precision, unsigned scale)
{
    uint8_t copy[64] = {0};
    unsigned whole = precision - scale, at = 0, left = whole;
    if (scale > precision || precision > 81 || bytes.len < decimal_size(precision, scale) || !bytes.len)
        return false;
    size_t len = decimal_size(precision, scale);
    bool negative = !(bytes.at[0] & 0x80), digits = false;
    for (size_t i = 0; i < len; i++)
        copy[i] = negative ? (uint8_t)~bytes.at[i] : bytes.at[i];
    copy[0] ^= 0x80;
    if (negative)
        sw_buffer_add_byte(out, '-');
    for (bool behind = false;; left = scale, behind = true) {
        unsigned first = behind ? 9 : left % 9; /* digits of the next group: the odd one stands outside */
        if (behind && left)
            sw_buffer_add_byte(out, '.');
        for (bool begun = behind; left;) {
            unsigned group = behind ? (left < 9 ? left : 9) : !begun && first ? first : 9;
            begun = true;
            uint64_t value = sw_binlog_number_high_first(sw_bytes_of(copy + at, digit_bytes[group == 9 ? 9 : group]));
            at += digit_bytes[group == 9 ? 9 : group];
            left -= group;
            if (behind)
                sw_buffer_printf(out, "%0*llu", (int)group, (unsigned long long)value);
            else if (digits)
                sw_buffer_printf(out, "%09llu", (unsigned long long)value);
            else if (value)
                sw_buffer_printf(out, "%llu", (unsigned long long)value);
            digits |= value != 0;
        }
        if (behind)
            return true;
        if (!digits)
            sw_buffer_add_byte(out, '0');
    }
}

void sw_binlog_write_date(struct sw_buffer *out, unsigned year, unsigned month, unsigned day) { sw_buffer_printf(out, "%04u-%02u-%02u", year, month, day); }

static void write_fraction(struct sw_buffer *out, uint64_t fraction, unsigned digits)
{
    if (digits % 2)
        fraction /= 10;
    if (digits)
        sw_buffer_printf(out, ".%0*llu", (int)digits, (unsigned long long)fraction);
}

static void write_time(struct sw_buffer *out, const struct sw_binlog_column *column, struct sw_bytes bytes)
{
    int64_t value;
    if (column->type == SW_BINLOG_TIME) { /* HHMMSS as decimal digits */
        value = (int64_t)low_first(bytes);
        value = value & 0x800000 ? value - 0x1000000 : value;
        long long part = value < 0 ? -value : value;
        sw_buffer_printf(out, "\"%s%02lld:%02lld:%02lld\"", value < 0 ? "-" : "", part / 10000, part / 100 % 100, part % 100);
        return;
    }
    unsigned shift = 8 * fraction_bytes(column->scale);
    value = (int64_t)sw_binlog_number_high_first(bytes) - (0x800000ll << shift);
    uint64_t part = (uint64_t)(value < 0 ? -value : value), whole = part >> shift;
    sw_buffer_printf(out, "\"%s%02llu:%02llu:%02llu", value < 0 ? "-" : "", (unsigned long long)(whole >> 12), (unsigned long long)(whole >> 6 & 63), (unsigned long long)(whole & 63));
    write_fraction(out, part & ((1ull << shift) - 1), column->scale);
    sw_buffer_add_byte(out, '"');
}

static void write_datetime(struct sw_buffer *out, const struct sw_binlog_column *column, struct sw_bytes bytes)
{
    sw_buffer_add_byte(out, '"');
    if (column->type == SW_BINLOG_DATETIME) { /* YYYYMMDDhhmmss as decimal digits */
        unsigned long long value = low_first(bytes), date = value / 1000000, time = value % 1000000;
        sw_binlog_write_date(out, (unsigned)(date / 10000 % 10000), (unsigned)(date / 100 % 100), (unsigned)(date % 100));
        sw_buffer_printf(out, " %02llu:%02llu:%02llu\"", time / 10000, time / 100 % 100, time % 100);
        return;
    }
    uint64_t value = (sw_binlog_number_high_first(sw_bytes_of(bytes.at, 5)) - 0x8000000000ull) & 0x7FFFFFFFFFull, days = value >> 17, seconds = value & 0x1FFFF, months = days >> 5;
    sw_binlog_write_date(out, (unsigned)(months / 13), (unsigned)(months % 13), (unsigned)(days & 31));
    sw_buffer_printf(out, " %02u:%02u:%02u", (unsigned)(seconds >> 12), (unsigned)(seconds >> 6 & 63), (unsigned)(seconds & 63));
    write_fraction(out, sw_binlog_number_high_first(sw_bytes_of(bytes.at + 5, bytes.len - 5)), column->scale);
    sw_buffer_add_byte(out, '"');
}

static void write_timestamp(struct sw_buffer *out, const struct sw_binlog_column *column, struct sw_bytes bytes)
{
    bool old = column->type == SW_BINLOG_TIMESTAMP;
    time_t seconds = (time_t)(old ? low_first(bytes) : sw_binlog_number_high_first(sw_bytes_of(bytes.at, 4)));
    uint64_t fraction = old ? 0 : sw_binlog_number_high_first(sw_bytes_of(bytes.at + 4, bytes.len - 4));
    struct tm utc = {.tm_year = -1900, .tm_mon = -1};
    if (seconds || fraction) /* nothing at all is the zero timestamp */
        gmtime_r(&seconds, &utc);
    sw_buffer_add_byte(out, '"');
    sw_binlog_write_date(out, (unsigned)(utc.tm_year + 1900), (unsigned)(utc.tm_mon + 1), (unsigned)utc.tm_mday);
    sw_buffer_printf(out, " %02d:%02d:%02d", utc.tm_hour, utc.tm_min, utc.tm_sec);
    write_fraction(out, fraction, old ? 0 : column->scale);
    sw_buffer_add_text(out, "+00:00\"");
}

/* ---- bytes and text ---- */

static void write_hex(struct sw_buffer *out, struct sw_bytes bytes, size_t len)
{
    static const char digits[] = "0123456789abcdef";
    if (!sw_buffer_reserve(out, 2 * len + 2))
        return;
    sw_buffer_add_byte(out, '"');
    for (size_t i = 0; i < len; i++) {
        uint8_t byte = i < bytes.len ? bytes.at[i] : 0;
        out->at[out->len++] = (uint8_t)digits[byte >> 4];
        out->at[out->len++] = (uint8_t)digits[byte & 15];
    }
    sw_buffer_add_byte(out, '"');
}

static enum sw_code write_text(struct sw_buffer *out, const struct sw_binlog_column *column, struct sw_bytes bytes, struct sw_binlog_room *room, struct sw_error *error)
{
    if (!column->charset) {
        write_hex(out, bytes, column->type == SW_BINLOG_STRING ? column->size : bytes.len); /* BINARY lacks the zeros at its end */
        return SW_OK;
    }
    struct sw_bytes text;
    enum sw_code code = sw_binlog_to_utf8(&text, &room->charsets, column->charset, bytes, error);
    if (code == SW_OK)
        sw_json_write_text(out, text);
    return code;
}

static enum sw_code write_string(struct sw_buffer *out, const struct sw_binlog_column *column, struct sw_bytes bytes, struct sw_binlog_room *room, struct sw_error *error)
{
    uint8_t whole[16] = {0};
    char text[64] = "";
    if (column->meaning == SW_BINLOG_PLAIN)
        return write_text(out, column, bytes, room, error);
    if (bytes.len > sizeof whole)
        return sw_fail(error, SW_ERR_REMOTE, "a value is longer than its type");
    sw_bytes_copy(whole, bytes);
    if (column->meaning == SW_BINLOG_UUID) {
        write_hex(out, sw_bytes_of(whole, 16), 16);
        return SW_OK;
    }
    inet_ntop(column->meaning == SW_BINLOG_INET4 ? AF_INET : AF_INET6, whole, text, sizeof text);
    sw_buffer_printf(out, "\"%s\"", text);
    return SW_OK;
}

enum sw_code sw_binlog_inflate(struct sw_buffer *out, struct sw_bytes packed, uint64_t len, bool raw, size_t len_max, struct sw_error *error)
{
    if (len > len_max || packed.len > UINT32_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "%llu bytes unpacked, more than the %zu that may be", (unsigned long long)len, len_max);
    size_t before = out->len;
    if (!sw_buffer_reserve(out, (size_t)len + 1))
        return sw_fail_memory(error, "unpacked bytes", (size_t)len);
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)packed.at, .avail_in = (uInt)packed.len, .next_out = out->at + before, .avail_out = (uInt)len + 1};
    if (inflateInit2(&stream, raw ? -15 : 15) != Z_OK)
        return sw_fail_memory(error, "zlib", 0);
    int ended = inflate(&stream, Z_FINISH);
    inflateEnd(&stream);
    if (ended != Z_STREAM_END || stream.total_out != len)
        return sw_fail(error, SW_ERR_REMOTE, "compressed bytes are damaged, or are not the %llu that they should be", (unsigned long long)len);
    out->len = before + (size_t)len;
    return SW_OK;
}

/* A compressed column: a byte that says how (0: not at all; 8: deflated, and 8 in its low half: without zlib's head), the length, the bytes. */
static enum sw_code unpack(struct sw_bytes *bytes, struct sw_binlog_room *room, struct sw_error *error)
{
    struct sw_binlog_bytes from = sw_binlog_bytes(*bytes);
    if (!bytes->len)
        return SW_OK;
    unsigned how = (unsigned)sw_binlog_take_number(&from, 1);
    if (how == 0) {
        *bytes = sw_bytes_of(from.at, sw_binlog_left(&from));
        return SW_OK;
    }
    struct sw_bytes len = sw_binlog_take_bytes(&from, how & 7);
    if (how >> 4 != 8 || from.cut || len.len == 0 || len.len > 4)
        return sw_fail(error, SW_ERR_REMOTE, "a compressed value is none");
    room->bytes.len = 0;
    enum sw_code code = sw_binlog_inflate(&room->bytes, sw_bytes_of(from.at, sw_binlog_left(&from)), sw_binlog_number_high_first(len), how & 8, room->bytes_max, error);
    *bytes = sw_buffer_view(&room->bytes);
    return code;
}

static enum sw_code write_labels(struct sw_buffer *out, const struct sw_binlog_column *column, struct sw_bytes bytes, struct sw_binlog_room *room, struct sw_error *error)
{
    uint64_t value = low_first(bytes);
    struct sw_buffer *text = &room->text;
    text->len = 0;
    if (column->type == SW_BINLOG_ENUM) {
        if (value > column->label_count)
            return sw_fail(error, SW_ERR_INPUT, "the label %llu of an ENUM of %zu is none: was the column altered since?", (unsigned long long)value, column->label_count);
        if (value) /* 0: an empty text, where what was written was no label */
            sw_buffer_add_text(text, column->labels[value - 1]);
    } else {
        if (column->label_count < 64 && value >> column->label_count)
            return sw_fail(error, SW_ERR_INPUT, "a SET of %zu labels holds another one: was the column altered since?", column->label_count);
        for (size_t i = 0, some = 0; i < column->label_count && i < 64; i++)
            if (value >> i & 1) {
                sw_buffer_add_text(text, some++ ? "," : "");
                sw_buffer_add_text(text, column->labels[i]);
            }
    }
    sw_json_write_text(out, sw_buffer_view(text));
    return text->failed ? sw_fail_memory(error, "a value", 0) : SW_OK;
}

enum sw_code sw_binlog_value_write(struct sw_buffer *out, const struct sw_binlog_column *column, struct sw_bytes value, struct sw_binlog_room *room, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    uint64_t number;
    if (value.len > room->bytes_max)
        return sw_fail(error, SW_ERR_LIMIT, "a value of %zu bytes is longer than a record may be", value.len);
    switch (column->type) {
    case SW_BINLOG_TINY:
    case SW_BINLOG_SHORT:
    case SW_BINLOG_INT24:
    case SW_BINLOG_LONG:
    case SW_BINLOG_LONGLONG: write_integer(out, value, column->without_sign); break;
    case SW_BINLOG_YEAR: sw_json_write_number_u64(out, value.at[0] ? 1900u + value.at[0] : 0); break;
    case SW_BINLOG_FLOAT:
    case SW_BINLOG_DOUBLE: write_float(out, value); break;
    case SW_BINLOG_NEWDECIMAL:
        if (!sw_binlog_write_decimal(out, value, column->size, column->scale))
            code = sw_fail(error, SW_ERR_REMOTE, "a decimal is cut");
        break;
    case SW_BINLOG_BIT: sw_json_write_number_u64(out, sw_binlog_number_high_first(value)); break;
    case SW_BINLOG_DATE:
    case SW_BINLOG_NEWDATE:
        number = low_first(value);
        sw_buffer_add_byte(out, '"');
        sw_binlog_write_date(out, (unsigned)(number >> 9), (unsigned)(number >> 5 & 15), (unsigned)(number & 31));
        sw_buffer_add_byte(out, '"');
        break;
    case SW_BINLOG_TIME:
    case SW_BINLOG_TIME2: write_time(out, column, value); break;
    case SW_BINLOG_DATETIME:
    case SW_BINLOG_DATETIME2: write_datetime(out, column, value); break;
    case SW_BINLOG_TIMESTAMP:
    case SW_BINLOG_TIMESTAMP2: write_timestamp(out, column, value); break;
    case SW_BINLOG_ENUM:
    case SW_BINLOG_SET: code = write_labels(out, column, value, room, error); break;
    case SW_BINLOG_GEOMETRY: write_hex(out, value, value.len); break;
    case SW_BINLOG_STRING: code = write_string(out, column, value, room, error); break;
    case SW_BINLOG_VARCHAR_COMPRESSED:
    case SW_BINLOG_BLOB_COMPRESSED:
        code = unpack(&value, room, error);
        if (code == SW_OK)
            code = write_text(out, column, value, room, error);
        break;
    case SW_BINLOG_JSON:
        room->bytes.len = 0;
        code = sw_binlog_json_write(&room->bytes, value, error);
        sw_json_write_text(out, sw_buffer_view(&room->bytes));
        break;
    default: code = write_text(out, column, value, room, error); break;
    }
    return code == SW_OK && (out->failed || room->bytes.failed) ? sw_fail_memory(error, "a value", value.len) : code;
}
