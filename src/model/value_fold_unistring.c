/* Case folding and normalisation by libunistring. Left out of builds without it: value_fold_missing.c. */
#include <errno.h>
#include <unicase.h>
#include <uninorm.h>

#include "base/memory.h"
#include "model/value.h"

bool sw_fold__available(void) { return true; }

static bool is_ascii(struct sw_bytes text)
{
    uint8_t bits = 0;
    for (size_t i = 0; i < text.len; i++)
        bits |= text.at[i];
    return bits < 0x80;
}

static bool is_surrogate(const uint8_t *at, size_t len) { return len >= 3 && at[0] == 0xed && at[1] >= 0xa0; }

/* `text` is UTF-8 without surrogates. */
static enum sw_value_status add_run(struct sw_buffer *out, struct sw_bytes text, bool fold, bool nfc)
{
    if (text.len == 0)
        return SW_VALUE_OK;
    size_t len = 0;
    uint8_t *result = fold ? u8_casefold(text.at, text.len, NULL, nfc ? UNINORM_NFC : NULL, NULL, &len) : u8_normalize(UNINORM_NFC, text.at, text.len, NULL, &len);
    if (!result)
        return errno == EILSEQ ? SW_VALUE_INVALID : SW_VALUE_NO_MEMORY;
    sw_buffer_add(out, result, len);
    sw_free(result);
    return SW_VALUE_OK;
}

enum sw_value_status sw_fold__text(struct sw_buffer *out, struct sw_bytes text, bool fold, bool nfc)
{
    if (is_ascii(text)) {
        if (!sw_buffer_reserve(out, text.len))
            return SW_VALUE_NO_MEMORY;
        for (size_t i = 0; i < text.len; i++) {
            uint8_t byte = text.at[i];
            out->at[out->len++] = fold && byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte;
        }
        return SW_VALUE_OK;
    }
    /* Lone surrogates are no UTF-8: they stay, and the text between them is folded. */
    size_t from = 0, at = 0;
    while (at < text.len) {
        if (!is_surrogate(text.at + at, text.len - at)) {
            at++;
            continue;
        }
        enum sw_value_status status = add_run(out, sw_bytes_of(text.at + from, at - from), fold, nfc);
        if (status != SW_VALUE_OK)
            return status;
        sw_buffer_add(out, text.at + at, 3);
        from = at += 3;
    }
    return add_run(out, sw_bytes_of(text.at + from, at - from), fold, nfc);
}
