/* bytes: the bytes themselves; the declared encoding says how text carries them. */
#include "base/character.h"
#include "model/value.h"

/* Hexadecimal digits in any case, after \x (PostgreSQL), 0x (MySQL) or nothing. `out` has room for text.len / 2 bytes. */
static bool from_hex(uint8_t *out, size_t *len, struct sw_bytes text)
{
    if (text.len >= 2 && (text.at[0] == '\\' || text.at[0] == '0') && (text.at[1] | 0x20) == 'x')
        text = sw_bytes_of(text.at + 2, text.len - 2);
    if (text.len & 1)
        return false;
    for (size_t i = 0; i < text.len; i += 2) {
        int high = sw_hex_value(text.at[i]), low = sw_hex_value(text.at[i + 1]);
        if (high < 0 || low < 0)
            return false;
        out[i / 2] = (uint8_t)(high << 4 | low);
    }
    *len = text.len / 2;
    return true;
}

static int base64_digit(uint8_t byte, bool url)
{
    if (byte >= 'A' && byte <= 'Z')
        return byte - 'A';
    if (byte >= 'a' && byte <= 'z')
        return byte - 'a' + 26;
    if (byte >= '0' && byte <= '9')
        return byte - '0' + 52;
    return byte == (url ? '-' : '+') ? 62 : byte == (url ? '_' : '/') ? 63 : -1;
}

/* RFC 4648, with or without the padding. Line breaks are skipped, since MySQL's TO_BASE64 writes them; bits that no byte holds must be 0.
 * `out` has room for text.len bytes. */
static bool from_base64(uint8_t *out, size_t *len, struct sw_bytes text, bool url)
{
    size_t digits = 0, padding = 0, to = 0;
    uint32_t bits = 0;
    for (size_t i = 0; i < text.len; i++) {
        uint8_t byte = text.at[i];
        if (byte == '\n' || byte == '\r')
            continue;
        if (byte == '=') {
            padding++;
            continue;
        }
        int digit = base64_digit(byte, url);
        if (digit < 0 || padding)
            return false;
        bits = bits << 6 | (uint32_t)digit;
        if (++digits % 4 != 1) {
            unsigned held = 6 - 2 * (unsigned)((digits - 1) % 4); /* bits below the byte that is now whole: 4, 2 or 0 */
            out[to++] = (uint8_t)(bits >> held);
        }
    }
    size_t rest = digits % 4;
    if (rest == 1 || (padding && padding != (4 - rest) % 4))
        return false;
    if ((rest == 2 && bits & 0xf) || (rest == 3 && bits & 0x3))
        return false;
    *len = to;
    return true;
}

/* ASCII stands for itself, but for the backslash: \xHH is a byte (DuckDB), \ooo is one (PostgreSQL's bytea_output = escape), and two are one. A bare byte
 * beyond ASCII is none of either. `out` has room for text.len bytes. */
static bool from_escape(uint8_t *out, size_t *len, struct sw_bytes text)
{
    size_t to = 0;
    for (size_t i = 0; i < text.len;) {
        const uint8_t *at = text.at + i;
        size_t left = text.len - i;
        if (*at >= 0x80)
            return false;
        if (*at != '\\') {
            out[to++] = *at;
            i++;
        } else if (left >= 2 && at[1] == '\\') {
            out[to++] = '\\';
            i += 2;
        } else if (left >= 4 && at[1] == 'x' && sw_hex_value(at[2]) >= 0 && sw_hex_value(at[3]) >= 0) {
            out[to++] = (uint8_t)(sw_hex_value(at[2]) << 4 | sw_hex_value(at[3]));
            i += 4;
        } else if (left >= 4 && at[1] >= '0' && at[1] <= '3' && at[2] >= '0' && at[2] <= '7' && at[3] >= '0' && at[3] <= '7') {
            out[to++] = (uint8_t)((at[1] - '0') << 6 | (at[2] - '0') << 3 | (at[3] - '0'));
            i += 4;
        } else {
            return false;
        }
    }
    *len = to;
    return true;
}

static const char *expected_form(enum sw_bytes_encoding encoding)
{
    switch (encoding) {
    case SW_BYTES_HEX: return "bytes in hexadecimal";
    case SW_BYTES_BASE64: return "bytes in base64";
    case SW_BYTES_BASE64URL: return "bytes in base64url";
    case SW_BYTES_ESCAPE: break;
    }
    return "bytes as ASCII and escapes (\\xff, \\377)";
}

enum sw_value_status sw_bytes__encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch)
{
    const char *expected = expected_form(type->encoding);
    if (token.kind != SW_TOKEN_TEXT)
        return sw_value__invalid(scratch, expected, token);
    struct sw_bytes text;
    enum sw_value_status status = sw_value__text(&text, token, scratch);
    if (status != SW_VALUE_OK)
        return status;
    if (!sw_buffer_reserve(out, text.len + 1)) /* never no room at all: `at` would be NULL */
        return SW_VALUE_NO_MEMORY;
    size_t len = 0;
    /* neither alphabet of base64 has a backslash: \x is PostgreSQL's form in any encoding, so that its own dump compares with a stream in base64 */
    bool escape = type->encoding == SW_BYTES_ESCAPE, hex = type->encoding == SW_BYTES_HEX || (!escape && text.len >= 2 && text.at[0] == '\\' && (text.at[1] | 0x20) == 'x');
    if (escape ? !from_escape(out->at + out->len, &len, text) : hex ? !from_hex(out->at + out->len, &len, text) : !from_base64(out->at + out->len, &len, text, type->encoding == SW_BYTES_BASE64URL))
        return sw_value__invalid(scratch, type->encoding == SW_BYTES_BASE64 && !hex && from_base64(out->at + out->len, &len, text, true) ? "bytes in base64; '-' and '_' are those of 'bytes base64url'" : expected, token);
    out->len += len;
    return SW_VALUE_OK;
}

static void write_base64(struct sw_buffer *out, struct sw_bytes bytes, bool url)
{
    const char *digits = url ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.len; i += 3) {
        size_t have = bytes.len - i < 3 ? bytes.len - i : 3;
        uint32_t bits = (uint32_t)bytes.at[i] << 16 | (have > 1 ? (uint32_t)bytes.at[i + 1] << 8 : 0) | (have > 2 ? bytes.at[i + 2] : 0);
        char text[4] = {digits[bits >> 18], digits[bits >> 12 & 63], digits[bits >> 6 & 63], digits[bits & 63]};
        for (size_t pad = have + 1; pad < 4; pad++)
            text[pad] = '=';
        sw_buffer_add(out, text, url ? have + 1 : 4);
    }
}

/* As DuckDB writes them, in JSON: each backslash is doubled. */
static void write_escape(struct sw_buffer *out, struct sw_bytes bytes)
{
    for (size_t i = 0; i < bytes.len; i++) {
        uint8_t byte = bytes.at[i];
        if (byte < 0x20 || byte >= 0x7f || byte == '\\' || byte == '"')
            sw_buffer_printf(out, "\\\\x%02X", byte);
        else
            sw_buffer_add_byte(out, byte);
    }
}

void sw_bytes__write(struct sw_buffer *out, const struct sw_type *type, struct sw_bytes canonical)
{
    static const char hex[] = "0123456789abcdef";
    sw_buffer_add_byte(out, '"');
    if (type->encoding == SW_BYTES_ESCAPE)
        write_escape(out, canonical);
    else if (type->encoding != SW_BYTES_HEX)
        write_base64(out, canonical, type->encoding == SW_BYTES_BASE64URL);
    else if (sw_buffer_reserve(out, 2 * canonical.len))
        for (size_t i = 0; i < canonical.len; i++) {
            out->at[out->len++] = (uint8_t)hex[canonical.at[i] >> 4];
            out->at[out->len++] = (uint8_t)hex[canonical.at[i] & 15];
        }
    sw_buffer_add_byte(out, '"');
}
