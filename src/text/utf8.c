#include "text/utf8.h"

#include <stdbool.h>
#include <string.h>

static bool continues(uint8_t byte) { return (byte & 0xc0) == 0x80; }

size_t sw_utf8_valid(const uint8_t *at, size_t len)
{
    size_t i = 0;
    while (i < len) {
        uint64_t word;
        while (len - i >= 8 && (memcpy(&word, at + i, 8), (word & 0x8080808080808080u) == 0))
            i += 8;
        if (i == len)
            break;
        uint8_t lead = at[i];
        if (lead < 0x80) {
            i++;
        } else if (lead >= 0xc2 && lead < 0xe0) {
            if (len - i < 2 || !continues(at[i + 1]))
                return i;
            i += 2;
        } else if (lead >= 0xe0 && lead < 0xf0) {
            if (len - i < 3 || !continues(at[i + 1]) || !continues(at[i + 2]) || (lead == 0xe0 && at[i + 1] < 0xa0) || (lead == 0xed && at[i + 1] >= 0xa0))
                return i;
            i += 3;
        } else if (lead >= 0xf0 && lead < 0xf5) {
            if (len - i < 4 || !continues(at[i + 1]) || !continues(at[i + 2]) || !continues(at[i + 3]) || (lead == 0xf0 && at[i + 1] < 0x90) ||
                (lead == 0xf4 && at[i + 1] >= 0x90))
                return i;
            i += 4;
        } else {
            return i;
        }
    }
    return len;
}

uint32_t sw_utf8_decode(size_t *len, struct sw_bytes text, size_t at)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint8_t lead = text.at[at];
    *len = 1;
    if (lead < 0x80)
        return lead;
    size_t count = lead >= 0xF0 && lead < 0xF5 ? 4 : lead >= 0xE0 && lead < 0xF0 ? 3 : lead >= 0xC2 && lead < 0xE0 ? 2 : 0;
    if (!count || count > text.len - at)
        return SW_UTF8_STRAY;
    uint32_t code = lead & (0xFFu >> (count + 1));
    for (size_t i = 1; i < count; i++) {
        uint8_t next = text.at[at + i];
        if ((next & 0xC0) != 0x80)
            return SW_UTF8_STRAY;
        code = code << 6 | (next & 0x3F);
    }
    if (code < least[count] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000))
        return SW_UTF8_STRAY;
    *len = count;
    return code;
}
