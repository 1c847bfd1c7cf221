#include "text/postgres_array.h"

#include <strings.h>

static bool is_blank(uint8_t byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

static void skip_blanks(struct sw_postgres_array *walk)
{
    while (walk->at < walk->end && is_blank(*walk->at))
        walk->at++;
}

/* One [LOW:HIGH], or several, and an equals sign: the byte behind it. NULL: there is none. */
static const uint8_t *after_bounds(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *from = at;
    while (at < end && *at == '[') {
        bool colon = false, digit = false;
        for (at++; at < end && *at != ']'; at++) {
            if (*at == ':' && digit && !colon)
                colon = true, digit = false;
            else if (*at >= '0' && *at <= '9')
                digit = true;
            else if ((*at != '-' && *at != '+') || digit)
                return NULL;
        }
        if (at == end || !colon || !digit)
            return NULL;
        at++;
    }
    return at > from && at < end && *at == '=' ? at + 1 : NULL;
}

bool sw_postgres_array_begins(struct sw_bytes text)
{
    size_t at = 0;
    while (at < text.len && is_blank(text.at[at]))
        at++;
    return at < text.len && (text.at[at] == '{' || after_bounds(text.at + at, text.at + text.len));
}

struct sw_postgres_array sw_postgres_array_walk(struct sw_bytes text, struct sw_buffer *room)
{
    struct sw_postgres_array walk = {.at = text.at, .end = text.at + text.len, .room = room};
    skip_blanks(&walk);
    const uint8_t *after = after_bounds(walk.at, walk.end);
    walk.at = after ? after : walk.at;
    return walk;
}

/* An element in quotes, from behind the first of them. */
static enum sw_postgres_array_step read_quoted(struct sw_postgres_array *walk)
{
    const uint8_t *from = walk->at;
    bool escaped = false;
    walk->room->len = 0;
    for (; walk->at < walk->end && *walk->at != '"'; walk->at++) {
        if (*walk->at == '\\') {
            sw_buffer_add(walk->room, from, (size_t)(walk->at - from));
            escaped = true;
            from = ++walk->at;
            if (walk->at == walk->end)
                return SW_POSTGRES_ARRAY_BAD;
        }
    }
    if (walk->at == walk->end)
        return SW_POSTGRES_ARRAY_BAD;
    walk->element = sw_bytes_of(from, (size_t)(walk->at - from));
    walk->at++;
    if (escaped) {
        sw_buffer_add_bytes(walk->room, walk->element);
        walk->element = sw_buffer_view(walk->room);
    }
    return walk->room->failed ? SW_POSTGRES_ARRAY_NO_MEMORY : SW_POSTGRES_ARRAY_ELEMENT;
}

static enum sw_postgres_array_step read_bare(struct sw_postgres_array *walk)
{
    walk->room->len = 0;
    size_t solid = 0; /* up to the last byte that is no blank */
    for (; walk->at < walk->end && *walk->at != ',' && *walk->at != '}' && *walk->at != '{' && *walk->at != '"'; walk->at++) {
        bool escaped = *walk->at == '\\';
        if (escaped && ++walk->at == walk->end)
            return SW_POSTGRES_ARRAY_BAD;
        sw_buffer_add_byte(walk->room, *walk->at);
        if (escaped || !is_blank(*walk->at))
            solid = walk->room->len;
    }
    if (walk->room->failed)
        return SW_POSTGRES_ARRAY_NO_MEMORY;
    walk->room->len = solid;
    walk->element = sw_buffer_view(walk->room);
    if (solid == 0)
        return SW_POSTGRES_ARRAY_BAD;
    return solid == 4 && strncasecmp((const char *)walk->element.at, "null", 4) == 0 ? SW_POSTGRES_ARRAY_NULL : SW_POSTGRES_ARRAY_ELEMENT;
}

enum sw_postgres_array_step sw_postgres_array_next(struct sw_postgres_array *walk)
{
    skip_blanks(walk);
    if (walk->depth == 0) {
        if (walk->begun)
            return walk->at == walk->end ? SW_POSTGRES_ARRAY_END : SW_POSTGRES_ARRAY_BAD;
        if (walk->at == walk->end || *walk->at != '{')
            return SW_POSTGRES_ARRAY_BAD;
        walk->begun = true;
        walk->depth = 1;
        walk->at++;
        return SW_POSTGRES_ARRAY_OPEN;
    }
    if (walk->at == walk->end)
        return SW_POSTGRES_ARRAY_BAD;
    bool first = !walk->after_value;
    if (*walk->at == '}') { /* behind a comma it is met below, as an element without text */
        walk->at++;
        walk->depth--;
        walk->after_value = true;
        return SW_POSTGRES_ARRAY_CLOSE;
    }
    if (!first) {
        if (*walk->at != ',')
            return SW_POSTGRES_ARRAY_BAD;
        walk->at++;
        skip_blanks(walk);
        if (walk->at == walk->end)
            return SW_POSTGRES_ARRAY_BAD;
    }
    walk->after_value = true;
    if (*walk->at == '{') {
        if (walk->depth == SW_POSTGRES_ARRAY_DEPTH_MAX)
            return SW_POSTGRES_ARRAY_BAD;
        walk->at++;
        walk->depth++;
        walk->after_value = false;
        return SW_POSTGRES_ARRAY_OPEN;
    }
    if (*walk->at != '"')
        return read_bare(walk);
    walk->at++;
    return read_quoted(walk);
}
