#include "text/json_unescape.h"

/* Four hexadecimal digits, or -1. */
static int32_t hex4(const uint8_t *at)
{
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        uint8_t byte = at[i];
        int32_t digit = byte >= '0' && byte <= '9' ? byte - '0' : (byte | 0x20) >= 'a' && (byte | 0x20) <= 'f' ? (byte | 0x20) - 'a' + 10 : -1;
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

static uint8_t *put_code_point(uint8_t *out, uint32_t code)
{
    if (code < 0x80) {
        *out++ = (uint8_t)code;
    } else if (code < 0x800) {
        *out++ = (uint8_t)(0xc0 | code >> 6);
        *out++ = (uint8_t)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *out++ = (uint8_t)(0xe0 | code >> 12);
        *out++ = (uint8_t)(0x80 | (code >> 6 & 0x3f));
        *out++ = (uint8_t)(0x80 | (code & 0x3f));
    } else {
        *out++ = (uint8_t)(0xf0 | code >> 18);
        *out++ = (uint8_t)(0x80 | (code >> 12 & 0x3f));
        *out++ = (uint8_t)(0x80 | (code >> 6 & 0x3f));
        *out++ = (uint8_t)(0x80 | (code & 0x3f));
    }
    return out;
}

bool sw_json_unescape(uint8_t *out, size_t *len, struct sw_bytes inside)
{
    const uint8_t *at = inside.at, *end = at + inside.len;
    uint8_t *to = out;
    while (at < end) {
        if (*at != '\\') {
            *to++ = *at++;
            continue;
        }
        if (end - at < 2)
            goto bad;
        switch (at[1]) {
        case '"': *to++ = '"'; break;
        case '\\': *to++ = '\\'; break;
        case '/': *to++ = '/'; break;
        case 'b': *to++ = '\b'; break;
        case 'f': *to++ = '\f'; break;
        case 'n': *to++ = '\n'; break;
        case 'r': *to++ = '\r'; break;
        case 't': *to++ = '\t'; break;
        case 'u': {
            int32_t unit = end - at < 6 ? -1 : hex4(at + 2);
            if (unit < 0)
                goto bad;
            uint32_t code = (uint32_t)unit;
            at += 6;
            if ((code & 0xfc00) == 0xd800 && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
                int32_t low = hex4(at + 2);
                if (low >= 0 && (low & 0xfc00) == 0xdc00) {
                    code = 0x10000 + ((code & 0x3ff) << 10) + ((uint32_t)low & 0x3ff);
                    at += 6;
                }
            }
            to = put_code_point(to, code);
            continue;
        }
        default: goto bad;
        }
        at += 2;
    }
    *len = (size_t)(to - out);
    return true;
bad:
    *len = (size_t)(at - inside.at);
    return false;
}
