/* What stands between the bytes and the parser: UTF-8 and the limit in characters.
 *
 * No line ending is translated: on POSIX systems Python opens its standard input so that "\r\n" stays two
 * characters, for the limit as for columns. */
#include "lab/lab_document.h"

#include "base/error.h"
#include "slackwater/lab.h"

/* Length of the UTF-8 character at the start of `at`, or 0 if it is none: overlong forms, surrogates, values past
 * U+10FFFF and cut characters are none. (Unicode, table 3-7.) */
static size_t character_len(const uint8_t *at, size_t len)
{
    uint8_t first = at[0];
    if (first < 0x80)
        return 1;
    size_t wanted = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || len < wanted)
        return 0;
    uint8_t low = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    uint8_t high = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    if (at[1] < low || at[1] > high)
        return 0;
    for (size_t i = 2; i < wanted; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    return wanted;
}

static bool eight_are_ascii(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return (word & UINT64_C(0x8080808080808080)) == 0;
}

enum sw_code lab_text_check(struct sw_bytes text, struct sw_error *error)
{
    size_t pos = 0, characters = 0;
    while (pos < text.len && characters <= SW_LAB_CHARACTERS_MAX) {
        if (text.len - pos >= 8 && eight_are_ascii(text.at + pos)) {
            pos += 8;
            characters += 8;
            continue;
        }
        size_t len = character_len(text.at + pos, text.len - pos);
        if (!len) {
            sw_fail(error, SW_ERR_INPUT, "input is not UTF-8: byte 0x%02x at offset %zu does not start a whole character",
                    text.at[pos], pos);
            sw_error_place(error, NULL, 0, 0, pos);
            return SW_ERR_INPUT;
        }
        pos += len;
        characters++;
    }
    return characters <= SW_LAB_CHARACTERS_MAX ? SW_OK : sw_fail(error, SW_ERR_LIMIT, "input exceeds local limit");
}
