#include "text/html_write.h"

static const char *reference(uint8_t byte)
{
    switch (byte) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

void sw_html_write_text(struct sw_buffer *out, struct sw_bytes text)
{
    size_t from = 0;
    for (size_t at = 0; at < text.len; at++) {
        const char *escaped = reference(text.at[at]);
        if (!escaped)
            continue;
        sw_buffer_add(out, text.at + from, at - from);
        sw_buffer_add_text(out, escaped);
        from = at + 1;
    }
    sw_buffer_add(out, text.at + from, text.len - from);
}
