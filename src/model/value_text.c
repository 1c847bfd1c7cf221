/* text: the bytes, after the declared policies. A number or boolean of the input is taken as it is spelled. */
#include "model/value.h"


static struct sw_bytes trimmed(struct sw_bytes text)
{
    while (text.len && text.at[text.len - 1] == ' ')
        text.len--;
    return text;
}

enum sw_value_status sw_text__encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch)
{
    struct sw_bytes text;
    switch (token.kind) {
    case SW_TOKEN_TRUE: text = SW_BYTES_LITERAL("true"); break;
    case SW_TOKEN_FALSE: text = SW_BYTES_LITERAL("false"); break;
    case SW_TOKEN_NUMBER: text = sw_bytes_of(token.at, token.len); break;
    case SW_TOKEN_TEXT: {
        enum sw_value_status status = sw_value__text(&text, token, scratch);
        if (status != SW_VALUE_OK)
            return status;
        break;
    }
    default: return sw_value__invalid(scratch, "text", token);
    }
    if (type->trim)
        text = trimmed(text);
    if (type->fold || type->nfc)
        return sw_fold__text(out, text, type->fold, type->nfc);
    sw_buffer_add_bytes(out, text);
    return SW_VALUE_OK;
}
