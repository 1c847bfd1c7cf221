/* One Avro value as JSON text. */
#include <stdio.h>
#include <string.h>

#include "source/file/avro_part.h"
#include "source/file/avro_spell.h"
#include "text/json_value.h"

#define VALUE_DEPTH_MAX 200

bool sw_avro_long(int64_t *out, struct sw_avro_cursor *cursor)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64 && cursor->at < cursor->end; shift += 7) {
        uint8_t byte = *cursor->at++;
        if (shift == 63 && byte > 1)
            break;
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *out = (int64_t)(number >> 1) ^ -(int64_t)(number & 1);
            return true;
        }
    }
    cursor->why = cursor->at == cursor->end ? "it ends inside a number" : "a number is longer than 64 bits";
    return false;
}

static void add(struct sw_avro_line *line, const void *at, size_t len)
{
    size_t used = line->out->len - line->begin, room = line->limit > used ? line->limit - used : 0;
    if (len > room) {
        line->over = true;
        len = room;
    }
    sw_buffer_add(line->out, at, len);
}

static void add_byte(struct sw_avro_line *line, uint8_t byte) { add(line, &byte, 1); }

static bool take(struct sw_bytes *out, struct sw_avro_cursor *cursor, int64_t len)
{
    if (len < 0 || len > cursor->end - cursor->at) {
        cursor->why = len < 0 ? "a length is negative" : "a value is longer than what is left of its block";
        return false;
    }
    *out = sw_bytes_of(cursor->at, (size_t)len);
    cursor->at += len;
    return true;
}

static bool take_bytes(struct sw_bytes *out, struct sw_avro_cursor *cursor)
{
    int64_t len;
    return sw_avro_long(&len, cursor) && take(out, cursor, len);
}

/* Bytes that are no UTF-8 stay: the reader of lines finds and names them. */
static void add_text(struct sw_avro_line *line, struct sw_bytes text)
{
    static const char hex[] = "0123456789abcdef";
    add_byte(line, '"');
    size_t from = 0;
    for (size_t i = 0; i < text.len && !line->over; i++) {
        uint8_t byte = text.at[i];
        if (byte >= 0x20 && byte != '"' && byte != '\\')
            continue;
        add(line, text.at + from, i - from);
        from = i + 1;
        char escape[6] = {'\\', (char)byte, '0', '0', hex[byte >> 4], hex[byte & 15]};
        if (byte < 0x20)
            escape[1] = 'u';
        add(line, escape, byte < 0x20 ? 6 : 2);
    }
    if (from < text.len)
        add(line, text.at + from, text.len - from);
    add_byte(line, '"');
}

static void add_base64(struct sw_avro_line *line, struct sw_bytes bytes)
{
    add_byte(line, '"');
    for (size_t i = 0; i < bytes.len && !line->over; i += 3 * 1024) { /* in pieces, so that what is over is not made */
        size_t begin = line->out->len, len = bytes.len - i < 3 * 1024 ? bytes.len - i : 3 * 1024;
        sw_avro_spell_base64(line->out, sw_bytes_of(bytes.at + i, len));
        if (line->out->len - line->begin > line->limit) {
            line->out->len = begin > line->begin + line->limit ? begin : line->begin + line->limit;
            line->over = true;
        }
    }
    add_byte(line, '"');
}

static void add_decimal(struct sw_avro_line *line, struct sw_bytes bytes, uint32_t scale)
{
    size_t used = line->out->len - line->begin;
    if (bytes.len > SW_AVRO_DECIMAL_BYTES_MAX) {
        add_text(line, SW_BYTES_LITERAL("a decimal of more than 1024 bytes"));
        return;
    }
    if (line->over)
        return;
    sw_avro_spell_decimal(line->out, bytes, scale);
    if (line->out->len - line->begin > line->limit) {
        line->out->len = line->begin + (used > line->limit ? used : line->limit);
        line->over = true;
    }
}

static void add_uuid(struct sw_avro_line *line, struct sw_bytes bytes)
{
    static const char hex[] = "0123456789abcdef";
    char text[38] = "\"";
    size_t at = 1;
    for (size_t i = 0; i < 16; i++) {
        if (i == 4 || i == 6 || i == 8 || i == 10)
            text[at++] = '-';
        text[at++] = hex[bytes.at[i] >> 4];
        text[at++] = hex[bytes.at[i] & 15];
    }
    text[at++] = '"';
    add(line, text, at);
}

/* A number that came as text stays one if JSON can write it so. */
static void add_number(struct sw_avro_line *line, struct sw_bytes text)
{
    if (text.len && sw_json_number_end(text.at, text.at + text.len) == text.at + text.len)
        add(line, text.at, text.len);
    else
        add_text(line, text);
}

static void add_long(struct sw_avro_line *line, const struct sw_avro_node *node, int64_t number)
{
    char text[SW_AVRO_SPELLING_MAX];
    size_t len;
    switch (node->meaning) {
    case SW_AVRO_DATE: len = sw_avro_spell_date(text, number); break;
    case SW_AVRO_TIME_MILLIS: len = sw_avro_spell_time(text, number, 1000, false); break;
    case SW_AVRO_TIME_MICROS: len = sw_avro_spell_time(text, number, 1000000, false); break;
    case SW_AVRO_TIME_INTERVAL: len = sw_avro_spell_time(text, number, 1000000, true); break;
    case SW_AVRO_TIMESTAMP_MILLIS: len = sw_avro_spell_timestamp(text, number, 1000, "Z"); break;
    case SW_AVRO_TIMESTAMP_MICROS:
        /* by these two numbers Datastream writes PostgreSQL's infinities (DataflowTemplates, FormatDatastreamRecordToJson.java) */
        if (number == 9223372036825200000 || number == -9223372036832400000) {
            add_text(line, sw_bytes_text(number > 0 ? "infinity" : "-infinity"));
            return;
        }
        len = sw_avro_spell_timestamp(text, number, 1000000, "Z");
        break;
    case SW_AVRO_TIMESTAMP_NANOS: len = sw_avro_spell_timestamp(text, number, 1000000000, "Z"); break;
    case SW_AVRO_LOCAL_MILLIS: len = sw_avro_spell_timestamp(text, number, 1000, ""); break;
    case SW_AVRO_LOCAL_MICROS: len = sw_avro_spell_timestamp(text, number, 1000000, ""); break;
    case SW_AVRO_LOCAL_NANOS: len = sw_avro_spell_timestamp(text, number, 1000000000, ""); break;
    default: len = (size_t)snprintf(text, sizeof text, "%lld", (long long)number); break;
    }
    add(line, text, len);
}

static bool take_int(int64_t *out, struct sw_avro_cursor *cursor)
{
    if (!sw_avro_long(out, cursor))
        return false;
    if (*out >= INT32_MIN && *out <= INT32_MAX)
        return true;
    cursor->why = "an int is longer than 32 bits";
    return false;
}

static bool add_float(struct sw_avro_line *line, struct sw_avro_cursor *cursor, bool twice)
{
    struct sw_bytes bytes;
    char text[SW_AVRO_SPELLING_MAX];
    uint64_t bits = 0;
    if (!take(&bytes, cursor, twice ? 8 : 4))
        return false;
    for (size_t i = bytes.len; i-- > 0;)
        bits = bits << 8 | bytes.at[i];
    if (twice) {
        double number;
        memcpy(&number, &bits, sizeof number);
        add(line, text, sw_avro_spell_double(text, number));
    } else {
        uint32_t low = (uint32_t)bits;
        float number;
        memcpy(&number, &low, sizeof number);
        add(line, text, sw_avro_spell_float(text, number));
    }
    return true;
}

/* The branch of a union that comes next; of any other node, the node itself. */
static bool take_branch(uint32_t *out, const struct sw_avro_schema *schema, uint32_t index, struct sw_avro_cursor *cursor)
{
    const struct sw_avro_node *node = &schema->nodes[index];
    int64_t branch;
    *out = index;
    if (node->kind != SW_AVRO_UNION)
        return true;
    if (!sw_avro_long(&branch, cursor))
        return false;
    uint32_t child = node->first;
    while (branch > 0 && child != SW_AVRO_NO_NODE) {
        child = schema->children[child].next;
        branch--;
    }
    if (branch < 0 || child == SW_AVRO_NO_NODE) {
        cursor->why = "a union has no branch of that number";
        return false;
    }
    *out = schema->children[child].node;
    return true;
}

/* Records that stand for one value: NULL if a part of it is. */
static bool add_record_value(struct sw_avro_line *line, const struct sw_avro_schema *schema, const struct sw_avro_node *record, struct sw_avro_cursor *cursor)
{
    int64_t parts[4] = {0};
    struct sw_bytes text = {0};
    size_t count = 0, len = 0;
    bool null = false;
    for (uint32_t c = record->first; c != SW_AVRO_NO_NODE; c = schema->children[c].next, count++) {
        uint32_t node;
        if (!take_branch(&node, schema, schema->children[c].node, cursor))
            return false;
        bool is_null = schema->nodes[node].kind == SW_AVRO_NULL, length = record->meaning == SW_AVRO_VARCHAR && count == 1;
        null |= is_null && !length; /* how long a varchar is says its text */
        if (is_null)
            continue;
        if (schema->nodes[node].kind == SW_AVRO_STRING ? !take_bytes(&text, cursor) : !sw_avro_long(&parts[count], cursor))
            return false;
    }
    char spelled[SW_AVRO_SPELLING_MAX];
    if (null) {
        add(line, "null", 4);
        return true;
    }
    switch (record->meaning) {
    case SW_AVRO_VARCHAR: add_text(line, text); return true;
    case SW_AVRO_TIMESTAMP_TZ: len = sw_avro_spell_timestamp_tz(spelled, parts[0], parts[1]); break;
    case SW_AVRO_DATETIME: len = sw_avro_spell_datetime(spelled, parts[0], parts[1]); break;
    case SW_AVRO_TIME_TZ: len = sw_avro_spell_time_tz(spelled, parts[0], parts[1]); break;
    case SW_AVRO_CALENDAR_DATE: len = (size_t)snprintf(spelled, sizeof spelled, "\"%04lld-%02lld-%02lld\"", (long long)parts[0], (long long)parts[1], (long long)parts[2]); break;
    default: add_long(line, &(struct sw_avro_node){.kind = SW_AVRO_LONG}, parts[0]); return true;
    }
    add(line, spelled, len);
    return true;
}

static bool add_record(struct sw_avro_line *line, const struct sw_avro_schema *schema, const struct sw_avro_node *record, struct sw_avro_cursor *cursor, unsigned depth)
{
    add_byte(line, '{');
    for (uint32_t c = record->first; c != SW_AVRO_NO_NODE; c = schema->children[c].next) {
        const struct sw_avro_child *field = &schema->children[c];
        if (c != record->first)
            add_byte(line, ',');
        add(line, schema->texts.at + field->text_at, field->text_len);
        if (!sw_avro_value(line, schema, field->node, cursor, depth + 1))
            return false;
    }
    add_byte(line, '}');
    return true;
}

/* Arrays and maps come in blocks of items; a block of 0 ends them. */
static bool add_items(struct sw_avro_line *line, const struct sw_avro_schema *schema, const struct sw_avro_node *node, struct sw_avro_cursor *cursor, unsigned depth)
{
    bool map = node->kind == SW_AVRO_MAP, first = true;
    uint32_t item = schema->children[node->first].node;
    int64_t count, bytes;
    add_byte(line, map ? '{' : '[');
    for (;;) {
        if (!sw_avro_long(&count, cursor))
            return false;
        if (count == 0)
            break;
        if (count < 0 && !sw_avro_long(&bytes, cursor))
            return false;
        uint64_t left = count < 0 ? 0 - (uint64_t)count : (uint64_t)count;
        for (; left; left--, first = false) {
            struct sw_bytes name;
            if (line->over && !map && schema->nodes[item].empty)
                break; /* nothing of it is kept, and nothing of it stands in the file */
            if (!first)
                add_byte(line, ',');
            if (map) {
                if (!take_bytes(&name, cursor))
                    return false;
                add_text(line, name);
                add_byte(line, ':');
            }
            if (!sw_avro_value(line, schema, item, cursor, depth + 1))
                return false;
        }
    }
    add_byte(line, map ? '}' : ']');
    return true;
}

bool sw_avro_value(struct sw_avro_line *line, const struct sw_avro_schema *schema, uint32_t index, struct sw_avro_cursor *cursor, unsigned depth)
{
    struct sw_bytes bytes;
    int64_t number;
    if (depth > VALUE_DEPTH_MAX) {
        cursor->why = "a value is nested deeper than 200 levels";
        return false;
    }
    if (!take_branch(&index, schema, index, cursor))
        return false;
    const struct sw_avro_node *node = &schema->nodes[index];
    if (line->over && node->empty)
        return true; /* records in records that have no bytes could go on for ever */
    switch (node->kind) {
    case SW_AVRO_NULL: add(line, "null", 4); return true;
    case SW_AVRO_BOOLEAN:
        if (!take(&bytes, cursor, 1))
            return false;
        if (bytes.at[0] > 1) {
            cursor->why = "a boolean is neither 0 nor 1";
            return false;
        }
        add(line, bytes.at[0] ? "true" : "false", bytes.at[0] ? 4 : 5);
        return true;
    case SW_AVRO_INT:
        if (!take_int(&number, cursor))
            return false;
        add_long(line, node, number);
        return true;
    case SW_AVRO_LONG:
        if (!sw_avro_long(&number, cursor))
            return false;
        add_long(line, node, number);
        return true;
    case SW_AVRO_FLOAT: case SW_AVRO_DOUBLE: return add_float(line, cursor, node->kind == SW_AVRO_DOUBLE);
    case SW_AVRO_BYTES: case SW_AVRO_FIXED:
        if (node->kind == SW_AVRO_FIXED ? !take(&bytes, cursor, node->size) : !take_bytes(&bytes, cursor))
            return false;
        if (node->meaning == SW_AVRO_DECIMAL)
            add_decimal(line, bytes, node->scale);
        else if (node->meaning == SW_AVRO_UUID)
            add_uuid(line, bytes);
        else
            add_base64(line, bytes);
        return true;
    case SW_AVRO_STRING:
        if (!take_bytes(&bytes, cursor))
            return false;
        if (node->meaning == SW_AVRO_NUMBER)
            add_number(line, bytes);
        else
            add_text(line, bytes);
        return true;
    case SW_AVRO_ENUM: {
        if (!sw_avro_long(&number, cursor))
            return false;
        uint32_t symbol = node->first;
        for (; number > 0 && symbol != SW_AVRO_NO_NODE; number--)
            symbol = schema->children[symbol].next;
        if (number != 0 || symbol == SW_AVRO_NO_NODE) {
            cursor->why = "an enum has no symbol of that number";
            return false;
        }
        add(line, schema->texts.at + schema->children[symbol].text_at, schema->children[symbol].text_len);
        return true;
    }
    case SW_AVRO_ARRAY: case SW_AVRO_MAP: return add_items(line, schema, node, cursor, depth);
    case SW_AVRO_UNION: cursor->why = "a union stands in a union"; return false;
    default: return node->meaning == SW_AVRO_PLAIN ? add_record(line, schema, node, cursor, depth) : add_record_value(line, schema, node, cursor);
    }
}
