#include "source/file/cut.h"

#include <string.h>

void sw_cut_begin(struct sw_cut *cut, enum sw_framing framing, char quote, char delimiter)
{
    *cut = (struct sw_cut){.framing = framing, .quote = (uint8_t)quote, .delimiter = (uint8_t)delimiter};
}

size_t sw_cut_scan(struct sw_cut *cut, uint8_t *at, size_t from, size_t len, bool first)
{
    switch (cut->framing) {
    case SW_FRAMING_CSV: return sw_cut_scan_csv(cut, at, from, len, first);
    case SW_FRAMING_ARRAY:
    case SW_FRAMING_VALUES: return sw_cut_scan_json(cut, at, from, len, first);
    case SW_FRAMING_ROWS: /* never cut */
    case SW_FRAMING_LINES: break;
    }
    if (from == len)
        return 0;
    const uint8_t *end = first ? memchr(at + from, '\n', len - from) : memrchr(at + from, '\n', len - from);
    return end ? (size_t)(end - at) + 1 : 0;
}

bool sw_cut_unfinished(const struct sw_cut *cut)
{
    switch (cut->framing) {
    case SW_FRAMING_CSV: return cut->place == SW_CSV_FIELD_QUOTED || cut->place == SW_CSV_FIELD_ESCAPED;
    case SW_FRAMING_ARRAY: return !cut->closed;
    case SW_FRAMING_VALUES: return cut->depth || cut->in_string;
    case SW_FRAMING_ROWS: /* never cut */
    case SW_FRAMING_LINES: break;
    }
    return false;
}

static bool json_byte(struct sw_cut *cut, uint8_t byte)
{
    bool escaped = cut->escaped;
    cut->escaped = byte == '\\' && !escaped;
    if (byte == '"' && !escaped)
        cut->in_string = !cut->in_string;
    if (cut->in_string)
        return false;
    bool array = cut->framing == SW_FRAMING_ARRAY;
    if (byte == '{' || byte == '[')
        cut->depth++;
    else if ((byte == '}' || byte == ']') && cut->depth)
        cut->depth--;
    else if (array && byte == ']')
        return cut->closed = true;
    return cut->depth == 0 && byte == (array ? ',' : '\n');
}

bool sw_cut_byte(struct sw_cut *cut, uint8_t byte)
{
    switch (cut->framing) {
    case SW_FRAMING_CSV: return cut->escape ? sw_csv_step_escaped(&cut->place, byte, cut->escape, cut->delimiter) : sw_csv_step(&cut->place, byte, cut->quote, cut->delimiter);
    case SW_FRAMING_ARRAY:
    case SW_FRAMING_VALUES: return json_byte(cut, byte);
    case SW_FRAMING_ROWS: /* never cut */
    case SW_FRAMING_LINES: break;
    }
    return byte == '\n';
}
