#include "reconcile/debezium_likeness.h"

#include <string.h>

#include "base/character.h"
#include "format/debezium/debezium.h"
#include "reconcile/alteration.h"
#include "text/json_walk.h"

#define WKB_HEAD 5u                   /* the byte order, and the type of the geometry in four bytes */
#define EWKB_SRID UINT32_C(0x20000000) /* in PostGIS's type: four bytes of an SRID follow */

struct decimal {
    bool negative;
    struct sw_bytes digits; /* from the first that is not 0, the point among them */
};

/* A number without an exponent, as JSON or a text writes it. */
static bool read_decimal(struct decimal *out, struct sw_bytes text)
{
    bool point = false;
    size_t count = 0;
    *out = (struct decimal){.negative = text.len && text.at[0] == '-'};
    text = sw_bytes_of(text.at + out->negative, text.len - out->negative);
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '.' && !point) {
            point = true;
            continue;
        }
        if (!sw_is_digit(text.at[i]))
            return false;
        count++;
    }
    while (text.len && (text.at[0] == '0' || text.at[0] == '.'))
        text = sw_bytes_of(text.at + 1, text.len - 1);
    out->digits = text;
    return count != 0;
}

static bool take_digit(uint8_t *digit, struct sw_bytes *digits)
{
    if (digits->len && digits->at[0] == '.')
        *digits = sw_bytes_of(digits->at + 1, digits->len - 1);
    if (!digits->len)
        return false;
    *digit = digits->at[0];
    *digits = sw_bytes_of(digits->at + 1, digits->len - 1);
    return true;
}

/* The digits of both, but for zeros at the end of one: a scale that the other side does not show. */
static bool same_digits(struct decimal a, struct decimal b)
{
    if (a.negative != b.negative)
        return false;
    for (;;) {
        uint8_t left = '0', right = '0';
        bool more = take_digit(&left, &a.digits);
        more = take_digit(&right, &b.digits) || more;
        if (left != right)
            return false;
        if (!more)
            return true;
    }
}

static bool same_under(const struct sw_type *type, struct sw_token a, struct sw_token b)
{
    struct sw_value_scratch scratch = {0};
    struct sw_buffer left = {0}, right = {0};
    bool same = sw_value_encode(&left, type, a, &scratch) == SW_VALUE_OK && sw_value_encode(&right, type, b, &scratch) == SW_VALUE_OK && sw_bytes_equal(sw_buffer_view(&left), sw_buffer_view(&right));
    sw_buffer_free(&left);
    sw_buffer_free(&right);
    sw_value_scratch_free(&scratch);
    return same;
}

static uint32_t decimals(struct sw_decode_room *room, struct sw_token evidence, struct sw_token reference)
{
    struct decimal read, given;
    const struct sw_bound_column no_scale = {.scale = 0};
    const struct sw_type type = {.kind = SW_TYPE_DECIMAL, .precision = -1};
    if (!read_decimal(&given, sw_bytes_of(reference.at, reference.len)))
        return 0;
    if (evidence.kind == SW_TOKEN_TEXT && evidence.len && sw_debezium_decimal(&evidence, room, &no_scale) && read_decimal(&read, sw_bytes_of(evidence.at, evidence.len)) && same_digits(read, given))
        return 1u << SW_ALTERATION_UNSCALED;
    if (evidence.kind == SW_TOKEN_OBJECT && sw_debezium_variable_decimal(&evidence, room, NULL) && same_under(&type, evidence, reference))
        return 1u << SW_ALTERATION_VARIABLE_DECIMAL;
    return 0;
}

/* The bytes of a geometry, which `out` gets: in base64, or in hexadecimal digits with or without \x or 0x before them. */
static bool read_bytes(struct sw_buffer *out, struct sw_token text)
{
    struct sw_type type = {.kind = SW_TYPE_BYTES, .precision = -1};
    struct sw_value_scratch scratch = {0};
    struct sw_bytes digits = sw_bytes_of(text.at, text.len);
    bool hex = text.len >= 2 * WKB_HEAD && text.len % 2 == 0 && !memchr(text.at, '\\', text.len);
    for (size_t i = 0; hex && i < digits.len; i++)
        hex = sw_hex_value(digits.at[i]) >= 0;
    for (size_t i = 0; hex && i < digits.len; i += 2)
        sw_buffer_add_byte(out, (uint8_t)(sw_hex_value(digits.at[i]) << 4 | sw_hex_value(digits.at[i + 1])));
    if (hex)
        return !out->failed;
    bool marked = text.len > 2 && (text.at[0] == '\\' || (text.at[0] == '0' && (text.at[1] | 0x20) == 'x'));
    type.encoding = marked ? SW_BYTES_HEX : SW_BYTES_BASE64;
    enum sw_value_status status = sw_value_encode(out, &type, text, &scratch);
    sw_value_scratch_free(&scratch);
    return status == SW_VALUE_OK && !out->failed;
}

/* PostGIS's form with an SRID becomes the one without: the type's bit is taken out, and the four bytes behind it. */
static void drop_srid(struct sw_buffer *geometry)
{
    if (geometry->len < WKB_HEAD + 4 || geometry->at[0] > 1)
        return;
    uint8_t *highest = geometry->at + (geometry->at[0] ? 4 : 1);
    if (!(*highest & EWKB_SRID >> 24))
        return;
    *highest = (uint8_t)(*highest & ~(EWKB_SRID >> 24));
    memmove(geometry->at + WKB_HEAD, geometry->at + WKB_HEAD + 4, geometry->len - WKB_HEAD - 4);
    geometry->len -= 4;
}

static bool is_geometry(struct sw_token evidence, struct sw_token reference)
{
    struct sw_token wkb = sw_json_walk_find(evidence, "wkb");
    struct sw_buffer a = {0}, b = {0};
    bool same = false;
    if (wkb.kind == SW_TOKEN_TEXT && read_bytes(&a, wkb) && read_bytes(&b, reference) && a.len >= WKB_HEAD) {
        drop_srid(&a);
        bool prefixed = b.len == a.len + 4 && memcmp(b.at + 4, a.at, a.len) == 0; /* MySQL's own form: the SRID, then the WKB */
        drop_srid(&b);
        same = prefixed || (a.len == b.len && memcmp(a.at, b.at, a.len) == 0);
    }
    sw_buffer_free(&a);
    sw_buffer_free(&b);
    return same;
}

uint32_t sw_debezium_likeness(struct sw_decode_room *room, struct sw_token evidence, struct sw_token reference)
{
    if (reference.kind != SW_TOKEN_TEXT && reference.kind != SW_TOKEN_NUMBER)
        return 0;
    uint32_t found = decimals(room, evidence, reference);
    if (!found && evidence.kind == SW_TOKEN_OBJECT && reference.kind == SW_TOKEN_TEXT && is_geometry(evidence, reference))
        found = 1u << SW_ALTERATION_GEOMETRY;
    return found;
}
