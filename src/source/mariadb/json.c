/* MySQL's binary JSON. Source of the rules: mysql-server, sql-common/json_binary.h.
 * Offsets lead anywhere in a document; no honest one leads twice to the same bytes, so what is written is bounded by the length of the document: each entry is paid for, and so is each byte of a text. */
#include <inttypes.h>
#include <math.h>

#include "base/c_locale.h"
#include "source/mariadb/value.h"
#include "text/json_write.h"

#define DEPTH_MAX 100 /* of MySQL */

struct walk {
    struct sw_buffer *out;
    uint64_t credit;
};

static bool write_value(struct walk *walk, unsigned type, struct sw_bytes body, unsigned depth);

/* A length of seven bits a byte, the lowest first. */
static bool take_length(uint64_t *out, struct sw_binlog_bytes *from)
{
    *out = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
        uint64_t byte = sw_binlog_take_number(from, 1);
        *out |= (byte & 0x7F) << shift;
        if (!(byte & 0x80))
            return !from->cut;
    }
    return false;
}

static bool take_text(struct sw_bytes *out, struct walk *walk, struct sw_binlog_bytes *from)
{
    uint64_t len;
    if (!take_length(&len, from) || len > walk->credit)
        return false;
    walk->credit -= len;
    *out = sw_binlog_take_bytes(from, len);
    return !from->cut;
}

static bool write_number(struct walk *walk, unsigned type, struct sw_binlog_bytes *from)
{
    static const uint8_t sizes[] = {[5] = 2, [6] = 2, [7] = 4, [8] = 4, [9] = 8, [10] = 8, [11] = 8};
    uint64_t value = sw_binlog_take_number(from, sizes[type]);
    if (type == 11) {
        double number;
        memcpy(&number, &value, 8);
        if (!isfinite(number))
            return false;
        locale_t before = sw_c_locale_enter();
        sw_buffer_printf(walk->out, "%.17g", number);
        sw_c_locale_leave(before);
    } else if (type == 5) {
        sw_json_write_number_i64(walk->out, (int16_t)value);
    } else if (type == 7) {
        sw_json_write_number_i64(walk->out, (int32_t)value);
    } else if (type == 9) {
        sw_json_write_number_i64(walk->out, (int64_t)value);
    } else {
        sw_json_write_number_u64(walk->out, value);
    }
    return !from->cut;
}

static void write_base64(struct sw_buffer *out, struct sw_bytes bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.len; i += 3) {
        unsigned group = (unsigned)bytes.at[i] << 16 | (i + 1 < bytes.len ? (unsigned)bytes.at[i + 1] << 8 : 0) | (i + 2 < bytes.len ? bytes.at[i + 2] : 0);
        for (unsigned k = 0; k < 4; k++)
            sw_buffer_add_byte(out, i + k > bytes.len ? '=' : (uint8_t)digits[group >> (18 - 6 * k) & 63]);
    }
}

/* Values of other types: decimals as numbers, times as the server prints them, others in base64 with their type before them. */
static bool write_opaque(struct walk *walk, struct sw_binlog_bytes *from)
{
    unsigned type = (unsigned)sw_binlog_take_number(from, 1);
    struct sw_bytes bytes;
    if (!take_text(&bytes, walk, from))
        return false;
    if (type == SW_BINLOG_NEWDECIMAL)
        return bytes.len > 2 && sw_binlog_write_decimal(walk->out, sw_bytes_of(bytes.at + 2, bytes.len - 2), bytes.at[0], bytes.at[1]);
    if (type == SW_BINLOG_DATE || type == SW_BINLOG_TIME || type == SW_BINLOG_DATETIME || type == SW_BINLOG_TIMESTAMP) {
        struct sw_binlog_bytes packed = sw_binlog_bytes(bytes);
        int64_t value = (int64_t)sw_binlog_take_number(&packed, 8);
        if (packed.cut || value == INT64_MIN)
            return false;
        uint64_t part = (uint64_t)(value < 0 ? -value : value), whole = part >> 24, days = whole >> 17, seconds = type == SW_BINLOG_TIME ? whole : whole & 0x1FFFF;
        sw_buffer_add_text(walk->out, value < 0 ? "\"-" : "\"");
        if (type != SW_BINLOG_TIME)
            sw_binlog_write_date(walk->out, (unsigned)((days >> 5) / 13), (unsigned)((days >> 5) % 13), (unsigned)(days & 31));
        if (type != SW_BINLOG_DATE)
            sw_buffer_printf(walk->out, "%s%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64 ".%06" PRIu64, type == SW_BINLOG_TIME ? "" : " ", seconds >> 12, seconds >> 6 & 63, seconds & 63, part & 0xFFFFFF);
        sw_buffer_add_byte(walk->out, '"');
        return true;
    }
    sw_buffer_printf(walk->out, "\"base64:type%u:", type);
    write_base64(walk->out, bytes);
    sw_buffer_add_byte(walk->out, '"');
    return true;
}

static bool write_literal(struct walk *walk, unsigned which)
{
    static const char *const words[] = {"null", "true", "false"};
    if (which > 2)
        return false;
    sw_buffer_add_text(walk->out, words[which]);
    return true;
}

/* Is the value itself in its entry, and not an offset? */
static bool stands_inside(unsigned type, bool large) { return type == 4 || type == 5 || type == 6 || (large && (type == 7 || type == 8)); }

static bool write_container(struct walk *walk, struct sw_bytes body, bool object, bool large, unsigned depth)
{
    unsigned wide = large ? 4 : 2;
    struct sw_binlog_bytes head = sw_binlog_bytes(body);
    uint64_t count = sw_binlog_take_number(&head, wide), size = sw_binlog_take_number(&head, wide), key_size = object ? wide + 2 : 0, value_size = 1 + wide;
    if (head.cut || size > body.len || count > sw_binlog_left(&head) || count * (key_size + value_size) > sw_binlog_left(&head) || count > walk->credit)
        return false;
    walk->credit -= count;
    struct sw_binlog_bytes keys = sw_binlog_bytes(sw_binlog_take_bytes(&head, count * key_size)), values = sw_binlog_bytes(sw_binlog_take_bytes(&head, count * value_size));
    sw_buffer_add_byte(walk->out, object ? '{' : '[');
    for (uint64_t i = 0; i < count; i++) {
        if (i)
            sw_buffer_add_byte(walk->out, ',');
        if (object) {
            uint64_t offset = sw_binlog_take_number(&keys, wide), len = sw_binlog_take_number(&keys, 2);
            if (offset > size || len > size - offset || len > walk->credit)
                return false;
            walk->credit -= len;
            sw_json_write_text(walk->out, sw_bytes_of(body.at + offset, (size_t)len));
            sw_buffer_add_byte(walk->out, ':');
        }
        unsigned type = (unsigned)sw_binlog_take_number(&values, 1);
        struct sw_bytes entry = sw_binlog_take_bytes(&values, wide);
        struct sw_binlog_bytes place = sw_binlog_bytes(entry);
        uint64_t offset = sw_binlog_take_number(&place, wide);
        bool inside = stands_inside(type, large);
        if (!inside && (offset > size || offset == 0))
            return false;
        if (!write_value(walk, type, inside ? entry : sw_bytes_of(body.at + offset, (size_t)(size - offset)), depth + 1))
            return false;
    }
    sw_buffer_add_byte(walk->out, object ? '}' : ']');
    return true;
}

static bool write_value(struct walk *walk, unsigned type, struct sw_bytes body, unsigned depth)
{
    struct sw_binlog_bytes from = sw_binlog_bytes(body);
    struct sw_bytes text;
    if (depth > DEPTH_MAX)
        return false;
    switch (type) {
    case 0:
    case 1:
    case 2:
    case 3: return write_container(walk, body, type < 2, type & 1, depth);
    case 4: return body.len && write_literal(walk, body.at[0]);
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
    case 10:
    case 11: return write_number(walk, type, &from);
    case 12:
        if (!take_text(&text, walk, &from))
            return false;
        sw_json_write_text(walk->out, text);
        return true;
    case 15: return write_opaque(walk, &from);
    default: return false;
    }
}

enum sw_code sw_binlog_json_write(struct sw_buffer *out, struct sw_bytes binary, struct sw_error *error)
{
    struct walk walk = {out, binary.len};
    if (!binary.len) { /* what NULL becomes in a column that may not be NULL, without strict mode */
        sw_buffer_add_text(out, "null");
        return SW_OK;
    }
    if (!write_value(&walk, binary.at[0], sw_bytes_of(binary.at + 1, binary.len - 1), 0))
        return sw_fail(error, SW_ERR_REMOTE, "a JSON value in the log is none");
    return out->failed ? sw_fail_memory(error, "a value", binary.len) : SW_OK;
}
