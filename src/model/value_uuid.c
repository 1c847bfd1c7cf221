/* uuid: sixteen bytes. Written as 32 hexadecimal digits in any case, in groups of 8-4-4-4-12 or in one run, in braces, as a URN (RFC 9562, section 4) or bare. */
#include <strings.h>

#include "base/character.h"
#include "model/value.h"

static bool parse(uint8_t out[16], struct sw_bytes text)
{
    if (text.len > 9 && strncasecmp((const char *)text.at, "urn:uuid:", 9) == 0)
        text = sw_bytes_of(text.at + 9, text.len - 9);
    else if (text.len >= 2 && text.at[0] == '{' && text.at[text.len - 1] == '}')
        text = sw_bytes_of(text.at + 1, text.len - 2);
    bool groups = text.len == 36;
    if (!groups && text.len != 32)
        return false;
    size_t at = 0;
    for (size_t i = 0; i < 16; i++) {
        if (groups && (i == 4 || i == 6 || i == 8 || i == 10) && text.at[at++] != '-')
            return false;
        int high = sw_hex_value(text.at[at]), low = sw_hex_value(text.at[at + 1]);
        if (high < 0 || low < 0)
            return false;
        out[i] = (uint8_t)(high << 4 | low);
        at += 2;
    }
    return true;
}

/* Sixteen bytes as a binary column carries them: base64 with its padding (Debezium's BINARY(16)), or hexadecimal digits after \\x or 0x. No other form of a uuid has 24 or 34 characters. */
static enum sw_value_status encode_binary(struct sw_buffer *out, struct sw_bytes text, struct sw_token token, struct sw_value_scratch *scratch)
{
    const struct sw_type type = {.kind = SW_TYPE_BYTES, .precision = -1, .encoding = text.len == 24 ? SW_BYTES_BASE64 : SW_BYTES_HEX};
    size_t before = out->len;
    enum sw_value_status status = text.len == 24 || text.len == 34 ? sw_bytes__encode(out, &type, token, scratch) : SW_VALUE_INVALID;
    if (status == SW_VALUE_OK && out->len - before != 16) {
        out->len = before;
        status = SW_VALUE_INVALID;
    }
    return status;
}

enum sw_value_status sw_uuid__encode(struct sw_buffer *out, struct sw_token token, struct sw_value_scratch *scratch)
{
    static const char expected[] = "a uuid (32 hexadecimal digits)";
    if (token.kind != SW_TOKEN_TEXT)
        return sw_value__invalid(scratch, expected, token);
    struct sw_bytes text;
    enum sw_value_status status = sw_value__text(&text, token, scratch);
    if (status != SW_VALUE_OK)
        return status;
    uint8_t uuid[16];
    if (!parse(uuid, text)) {
        status = encode_binary(out, text, token, scratch);
        return status == SW_VALUE_INVALID ? sw_value__invalid(scratch, expected, token) : status;
    }
    sw_buffer_add(out, uuid, sizeof uuid);
    return SW_VALUE_OK;
}

void sw_uuid__write(struct sw_buffer *out, struct sw_bytes canonical)
{
    static const char hex[] = "0123456789abcdef";
    if (canonical.len != 16)
        return;
    char text[38];
    size_t at = 0;
    text[at++] = '"';
    for (size_t i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text[at++] = '-';
        text[at++] = hex[canonical.at[i] >> 4];
        text[at++] = hex[canonical.at[i] & 15];
    }
    text[at++] = '"';
    sw_buffer_add(out, text, at);
}
