#include "text/json_walk.h"

static bool is_space(uint8_t byte) { return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r'; }

static void skip_space(struct sw_json_walk *walk)
{
    while (walk->at < walk->end && is_space(*walk->at))
        walk->at++;
}

/* `walk->at` stands on the opening quote. */
static struct sw_token take_text(struct sw_json_walk *walk)
{
    struct sw_token token = {.at = ++walk->at, .kind = SW_TOKEN_TEXT};
    while (walk->at < walk->end && *walk->at != '"') {
        token.escaped |= *walk->at == '\\';
        walk->at += *walk->at == '\\' && walk->at + 1 < walk->end ? 2 : 1;
    }
    token.len = (uint32_t)(walk->at - token.at);
    if (walk->at < walk->end)
        walk->at++;
    return token;
}

static struct sw_token take_nested(struct sw_json_walk *walk)
{
    struct sw_token token = {.at = walk->at, .kind = *walk->at == '[' ? SW_TOKEN_ARRAY : SW_TOKEN_OBJECT};
    unsigned depth = 0;
    while (walk->at < walk->end) {
        uint8_t byte = *walk->at;
        if (byte == '"') {
            (void)take_text(walk);
            continue;
        }
        walk->at++;
        depth += byte == '[' || byte == '{';
        depth -= byte == ']' || byte == '}';
        if (depth == 0)
            break;
    }
    token.len = (uint32_t)(walk->at - token.at);
    return token;
}

static struct sw_token take_word(struct sw_json_walk *walk)
{
    struct sw_token token = {.at = walk->at};
    while (walk->at < walk->end && *walk->at != ',' && *walk->at != ']' && *walk->at != '}' && !is_space(*walk->at))
        walk->at++;
    token.len = (uint32_t)(walk->at - token.at);
    switch (*token.at) {
    case 'n': token.kind = SW_TOKEN_NULL; break;
    case 't': token.kind = SW_TOKEN_TRUE; break;
    case 'f': token.kind = SW_TOKEN_FALSE; break;
    default: token.kind = SW_TOKEN_NUMBER; break;
    }
    return token;
}

static struct sw_token take_value(struct sw_json_walk *walk)
{
    if (*walk->at == '"')
        return take_text(walk);
    return *walk->at == '[' || *walk->at == '{' ? take_nested(walk) : take_word(walk);
}

struct sw_json_walk sw_json_walk_begin(struct sw_token token)
{
    bool nested = (token.kind == SW_TOKEN_ARRAY || token.kind == SW_TOKEN_OBJECT) && token.len >= 2;
    return nested ? (struct sw_json_walk){token.at + 1, token.at + token.len - 1} : (struct sw_json_walk){0};
}

/* Steps over the comma before the next item. */
static bool next(struct sw_json_walk *walk)
{
    skip_space(walk);
    if (walk->at < walk->end && *walk->at == ',') {
        walk->at++;
        skip_space(walk);
    }
    return walk->at < walk->end;
}

bool sw_json_walk_element(struct sw_token *value, struct sw_json_walk *walk)
{
    if (!next(walk))
        return false;
    *value = take_value(walk);
    return true;
}

bool sw_json_walk_member(struct sw_token *name, struct sw_token *value, struct sw_json_walk *walk)
{
    if (!next(walk))
        return false;
    *name = take_text(walk);
    skip_space(walk);
    walk->at += walk->at < walk->end;
    skip_space(walk);
    if (walk->at >= walk->end)
        return false;
    *value = take_value(walk);
    return true;
}

void sw_json_walk_write(struct sw_buffer *out, struct sw_token token)
{
    if (token.kind == SW_TOKEN_ABSENT)
        return;
    if (token.kind == SW_TOKEN_TEXT)
        sw_buffer_add_byte(out, '"');
    sw_buffer_add(out, token.at, token.len);
    if (token.kind == SW_TOKEN_TEXT)
        sw_buffer_add_byte(out, '"');
}

struct sw_token sw_json_walk_find(struct sw_token object, const char *wanted)
{
    struct sw_token name, value;
    for (struct sw_json_walk walk = sw_json_walk_begin(object); object.kind == SW_TOKEN_OBJECT && sw_json_walk_member(&name, &value, &walk);)
        if (sw_bytes_is(sw_bytes_of(name.at, name.len), wanted))
            return value;
    return (struct sw_token){.kind = SW_TOKEN_ABSENT};
}
