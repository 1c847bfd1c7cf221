/* The placeholder of unavailable values in every spelling. Source: debezium UnchangedToastedPlaceholder, PostgresValueConverter,
 * RelationalDatabaseConnectorConfig (unavailable.value.placeholder), ReselectColumnsPostProcessor. */
#include <string.h>

#include "base/character.h"
#include "base/memory.h"
#include "format/debezium/debezium.h"
#include "text/json_write.h"

#define DEFAULT_TEXT "__debezium_unavailable_value"
#define DEFAULT_UUID "b68a35a7-17ad-35b3-af2a-ae46edb4545a" /* name-based (MD5) UUID of the default text */

/* The bytes of the placeholder: what follows `hex:`, or the text itself. */
static void read_placeholder(struct sw_buffer *out, const char *text)
{
    size_t len = strlen(text);
    if (strncmp(text, "hex:", 4) != 0 || len % 2) {
        sw_buffer_add(out, text, len);
        return;
    }
    for (const char *at = text + 4; at[0]; at += 2) {
        if (sw_hex_value((uint8_t)at[0]) < 0 || sw_hex_value((uint8_t)at[1]) < 0) { /* not hexadecimal after all */
            out->len = 0;
            sw_buffer_add(out, text, len);
            return;
        }
        sw_buffer_add_byte(out, (uint8_t)(sw_hex_value((uint8_t)at[0]) << 4 | sw_hex_value((uint8_t)at[1])));
    }
}

static void add_base64(struct sw_buffer *out, struct sw_bytes bytes)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    sw_buffer_add_byte(out, '"');
    for (size_t i = 0; i < bytes.len; i += 3) {
        size_t have = bytes.len - i < 3 ? bytes.len - i : 3;
        uint32_t bits = (uint32_t)bytes.at[i] << 16 | (have > 1 ? (uint32_t)bytes.at[i + 1] << 8 : 0) | (have > 2 ? bytes.at[i + 2] : 0);
        char text[4] = {digits[bits >> 18], digits[bits >> 12 & 63], have > 1 ? digits[bits >> 6 & 63] : '=', have > 2 ? digits[bits & 63] : '='};
        sw_buffer_add(out, text, 4);
    }
    sw_buffer_add_byte(out, '"');
}

static void add_hex(struct sw_buffer *out, struct sw_bytes bytes)
{
    static const char digits[] = "0123456789abcdef";
    sw_buffer_add_byte(out, '"');
    for (size_t i = 0; i < bytes.len; i++) {
        sw_buffer_add_byte(out, (uint8_t)digits[bytes.at[i] >> 4]);
        sw_buffer_add_byte(out, (uint8_t)digits[bytes.at[i] & 15]);
    }
    sw_buffer_add_byte(out, '"');
}

static void add_codes(struct sw_buffer *out, struct sw_bytes bytes)
{
    sw_buffer_add_byte(out, '[');
    for (size_t i = 0; i < bytes.len; i++) {
        if (i)
            sw_buffer_add_byte(out, ',');
        for (unsigned place = bytes.at[i] > 99 ? 100 : bytes.at[i] > 9 ? 10 : 1; place; place /= 10)
            sw_buffer_add_byte(out, (uint8_t)('0' + bytes.at[i] / place % 10));
    }
    sw_buffer_add_byte(out, ']');
}

enum { TEXT, HEX, TEXT_OF_MAP, BASE64, TEXTS, BASE64S, CODES, UUIDS, MAP, SPELLING_COUNT };

static void add_spelling(struct sw_buffer *out, int spelling, struct sw_bytes bytes)
{
    struct sw_buffer inner = {0};
    switch (spelling) {
    case TEXT: sw_json_write_text(out, bytes); break;
    case HEX: add_hex(out, bytes); break;
    case BASE64: add_base64(out, bytes); break;
    case CODES: add_codes(out, bytes); break;
    case UUIDS: sw_buffer_add_text(out, "[\"" DEFAULT_UUID "\"]"); break;
    case TEXTS:
    case BASE64S:
        sw_buffer_add_byte(out, '[');
        add_spelling(out, spelling == TEXTS ? TEXT : BASE64, bytes);
        sw_buffer_add_byte(out, ']');
        break;
    default: /* an hstore: a map, or the text of one */
        sw_buffer_add_byte(&inner, '{');
        sw_json_write_text(&inner, bytes);
        sw_buffer_add_byte(&inner, ':');
        sw_json_write_text(&inner, bytes);
        sw_buffer_add_byte(&inner, '}');
        if (spelling == MAP)
            sw_buffer_add_bytes(out, sw_buffer_view(&inner));
        else
            sw_json_write_text(out, sw_buffer_view(&inner));
        out->failed |= inner.failed;
        sw_buffer_free(&inner);
        break;
    }
}

static bool belongs(int spelling, int kind)
{
    switch (kind) {
    case SW_DEBEZIUM_ANY_SPELLING: return true;
    case SW_DEBEZIUM_TEXT_SPELLING: return spelling <= TEXT_OF_MAP;
    case SW_DEBEZIUM_BYTES_SPELLING: return spelling == BASE64;
    default: return spelling > BASE64;
    }
}

struct sw_debezium_placeholders *sw_debezium_placeholders_new(const char *placeholder)
{
    struct sw_buffer bytes = {0}, text = {0};
    size_t ends[SPELLING_COUNT];
    read_placeholder(&bytes, placeholder ? placeholder : DEFAULT_TEXT);
    bool own = !placeholder || strcmp(placeholder, DEFAULT_TEXT) == 0;
    for (int i = 0; i < SPELLING_COUNT; i++) {
        if (bytes.len && (own || i != UUIDS))
            add_spelling(&text, i, sw_buffer_view(&bytes));
        ends[i] = text.len;
    }
    struct sw_debezium_placeholders *out = text.failed || bytes.failed ? NULL : sw_calloc(1, sizeof *out + text.len);
    if (out && text.len)
        memcpy(out->text, text.at, text.len);
    for (int kind = 0; out && kind < SW_DEBEZIUM_SPELLING_KINDS; kind++)
        for (int i = 0; i < SPELLING_COUNT; i++) {
            size_t from = i ? ends[i - 1] : 0, len = ends[i] - from;
            struct sw_placeholders *to = &out->of[kind];
            if (!len || !belongs(i, kind))
                continue;
            to->raw[to->count++] = sw_bytes_of(out->text + from, len);
            to->lengths |= UINT64_C(1) << (len < 63 ? len : 63);
        }
    sw_buffer_free(&bytes);
    sw_buffer_free(&text);
    return out;
}
