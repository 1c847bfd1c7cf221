/* Arrays whose elements have a type: JSON, or PostgreSQL's text. An element is made canonical under its type and then stands in the array as the JSON that
 * it is written as, so that arrays of one type of elements compare byte by byte wherever they come from. */
#include "model/value.h"
#include "text/json_walk.h"
#include "text/postgres_array.h"

static bool add_tag(struct sw_buffer *out, uint8_t tag)
{
    sw_buffer_add_byte(out, tag);
    return !out->failed;
}

/* Local times and instants do not compare, and inside an array nobody would see it: such a value is none of the type. */
static bool has_its_zone(const struct sw_type *element, struct sw_bytes canonical)
{
    bool time = element->kind == SW_TYPE_TIMESTAMP || element->kind == SW_TYPE_TIMESTAMPTZ;
    return !time || element->has_zone || canonical.len == 0 || canonical.at[canonical.len - 1] == (element->kind == SW_TYPE_TIMESTAMPTZ);
}

static enum sw_value_status add_element(struct sw_buffer *out, const struct sw_type *element, struct sw_token token, struct sw_value_scratch *scratch)
{
    static const struct sw_type json = {.kind = SW_TYPE_JSON, .precision = -1};
    if (token.kind == SW_TOKEN_NULL)
        return add_tag(out, SW_ANY_NULL) ? SW_VALUE_OK : SW_VALUE_NO_MEMORY;
    struct sw_buffer *canonical = &scratch->element, *written = &scratch->written;
    canonical->len = written->len = 0;
    enum sw_value_status status = sw_value_encode(canonical, element, token, scratch);
    if (status == SW_VALUE_NULL)
        return add_tag(out, SW_ANY_NULL) ? SW_VALUE_OK : SW_VALUE_NO_MEMORY;
    if (status != SW_VALUE_OK)
        return status;
    if (!has_its_zone(element, sw_buffer_view(canonical)))
        return sw_value__invalid(scratch, element->kind == SW_TYPE_TIMESTAMP ? "an element without a zone (or zone= with the type)" : "an element with a zone (or zone= with the type)", token);
    sw_value_write_json(written, element, sw_buffer_view(canonical));
    if (canonical->failed || written->failed)
        return SW_VALUE_NO_MEMORY;
    /* under `json`, text is JSON text; what is written is one JSON value, read here as a token of no text */
    const struct sw_token value = {.kind = SW_TOKEN_ARRAY, .at = written->at, .len = (uint32_t)written->len};
    return sw_any__encode(out, &json, value, scratch);
}

/* `array` is known to be JSON, no deeper than JSON may be. */
static enum sw_value_status add_json(struct sw_buffer *out, const struct sw_type *element, struct sw_token array, struct sw_value_scratch *scratch)
{
    struct sw_token item;
    if (!add_tag(out, SW_ANY_ARRAY))
        return SW_VALUE_NO_MEMORY;
    for (struct sw_json_walk walk = sw_json_walk_begin(array); sw_json_walk_element(&item, &walk);) {
        enum sw_value_status status = item.kind == SW_TOKEN_ARRAY ? add_json(out, element, item, scratch) : add_element(out, element, item, scratch);
        if (status != SW_VALUE_OK)
            return status;
    }
    return add_tag(out, SW_ANY_END) ? SW_VALUE_OK : SW_VALUE_NO_MEMORY;
}

static enum sw_value_status add_postgres(struct sw_buffer *out, const struct sw_type *element, struct sw_token token, struct sw_value_scratch *scratch)
{
    struct sw_postgres_array walk = sw_postgres_array_walk(sw_bytes_of(token.at, token.len), &scratch->leaf);
    enum sw_postgres_array_step step;
    enum sw_value_status status = SW_VALUE_OK;
    scratch->leaf.failed = false;
    if (element->kind == SW_TYPE_ANY)
        return sw_value__invalid(scratch, "a JSON array (what the elements of PostgreSQL's text are, only a type says: array of TYPE)", token);
    while (status == SW_VALUE_OK && (step = sw_postgres_array_next(&walk)) != SW_POSTGRES_ARRAY_END) {
        switch (step) {
        case SW_POSTGRES_ARRAY_OPEN: status = add_tag(out, SW_ANY_ARRAY) ? SW_VALUE_OK : SW_VALUE_NO_MEMORY; break;
        case SW_POSTGRES_ARRAY_CLOSE: status = add_tag(out, SW_ANY_END) ? SW_VALUE_OK : SW_VALUE_NO_MEMORY; break;
        case SW_POSTGRES_ARRAY_NULL: status = add_tag(out, SW_ANY_NULL) ? SW_VALUE_OK : SW_VALUE_NO_MEMORY; break;
        case SW_POSTGRES_ARRAY_ELEMENT:
            status = add_element(out, element, (struct sw_token){.kind = SW_TOKEN_TEXT, .at = walk.element.len ? walk.element.at : (const uint8_t *)"", .len = (uint32_t)walk.element.len}, scratch);
            break;
        case SW_POSTGRES_ARRAY_NO_MEMORY: return SW_VALUE_NO_MEMORY;
        default: return sw_value__invalid(scratch, "PostgreSQL's text of an array", token);
        }
    }
    return status;
}

/* What a text holds, in room that elements do not use. */
static enum sw_value_status take_text(struct sw_token *token, struct sw_value_scratch *scratch)
{
    struct sw_bytes text;
    enum sw_value_status status = sw_value__text(&text, *token, scratch);
    if (status != SW_VALUE_OK)
        return status;
    if (token->escaped) {
        struct sw_buffer kept = scratch->array;
        scratch->array = scratch->text;
        scratch->text = kept;
    }
    token->at = text.len ? text.at : (const uint8_t *)"";
    token->len = (uint32_t)text.len;
    token->escaped = false;
    return SW_VALUE_OK;
}

enum sw_value_status sw_array__encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch)
{
    static const struct sw_type plain = {.kind = SW_TYPE_ARRAY, .precision = -1};
    struct sw_type element = *type;
    element.kind = type->element;
    element.element = SW_TYPE_ANY;
    enum sw_value_status status = token.kind == SW_TOKEN_TEXT ? take_text(&token, scratch) : SW_VALUE_OK;
    if (status == SW_VALUE_OK && token.kind == SW_TOKEN_TEXT && sw_postgres_array_begins(sw_bytes_of(token.at, token.len))) {
        bool bare = scratch->bare_texts;
        scratch->bare_texts = false; /* PostgreSQL writes JSON text */
        status = add_postgres(out, &element, token, scratch);
        scratch->bare_texts = bare;
        return status;
    }
    size_t before = out->len;
    if (status == SW_VALUE_OK)
        status = sw_any__encode(out, &plain, token, scratch); /* is it JSON, and an array? */
    if (status != SW_VALUE_OK || element.kind == SW_TYPE_ANY)
        return status;
    out->len = before;
    const struct sw_bytes text = sw_bytes_of(token.at, token.len);
    const uint8_t *at = text.at, *end = at + text.len;
    while (*at != '[')
        at++;
    while (end[-1] != ']')
        end--;
    return add_json(out, &element, (struct sw_token){.kind = SW_TOKEN_ARRAY, .at = at, .len = (uint32_t)(end - at)}, scratch);
}
