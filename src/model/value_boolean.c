/* boolean: one byte, 0 or 1. MySQL's BIT(1) comes as the literal b'1' from some tools, from others as its byte. */
#include "model/value.h"

enum sw_value_status sw_boolean__encode(struct sw_buffer *out, struct sw_token token, struct sw_value_scratch *scratch)
{
    static const char expected[] = "a boolean (true, false, t, f, 1 or 0)";
    if (token.kind == SW_TOKEN_TRUE || token.kind == SW_TOKEN_FALSE) {
        sw_buffer_add_byte(out, token.kind == SW_TOKEN_TRUE);
        return SW_VALUE_OK;
    }
    struct sw_bytes text;
    enum sw_value_status status = sw_value__scalar(&text, expected, token, scratch);
    if (status != SW_VALUE_OK)
        return status;
    if (text.len == 4 && (text.at[0] | 0x20) == 'b' && text.at[1] == '\'' && text.at[3] == '\'')
        text = sw_bytes_of(text.at + 2, 1);
    else if (text.len == 1 && text.at[0] <= 1)
        text = text.at[0] ? SW_BYTES_LITERAL("1") : SW_BYTES_LITERAL("0");
    bool yes = sw_bytes_is(text, "1") || sw_value__is_word(text, "true") || sw_value__is_word(text, "t");
    if (!yes && !sw_bytes_is(text, "0") && !sw_value__is_word(text, "false") && !sw_value__is_word(text, "f"))
        return sw_value__invalid(scratch, expected, token);
    sw_buffer_add_byte(out, yes);
    return SW_VALUE_OK;
}
