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
