/* Avro schemas, which are JSON, as nodes. */
#include <stdio.h>

#include "base/memory.h"
#include "source/file/avro_part.h"
#include "text/json_value.h"
#include "text/json_write.h"

struct parser {
    struct sw_avro_schema *schema;
    const struct sw_kernel *kernel;
    struct sw_json_scratch scratch;
    struct sw_buffer name, space; /* scratch: a full name, an unescaped text */
    struct sw_error *error;
    bool no_memory;               /* a scanner had no room: what it did not see is not missing */
};

/* The members that a schema object may have and that matter here. */
struct members {
    struct sw_token type, name, space, fields, items, values, symbols, size, logical, precision, scale;
};

static enum sw_code no_memory(struct parser *parser) { return sw_fail_memory(parser->error, "an Avro schema", 0); }
static enum sw_code bad(struct parser *parser, const char *what)
{
    return parser->no_memory ? no_memory(parser) : sw_fail(parser->error, SW_ERR_INPUT, "the Avro schema is none: %s", what);
}

static struct sw_bytes view(struct sw_token token) { return sw_bytes_of(token.at, token.len); }
static bool is(struct sw_token token, const char *text) { return token.kind == SW_TOKEN_TEXT && sw_bytes_is(view(token), text); }

/* The next member (or, where `name` is NULL, element) of a raw object or array whose syntax was checked. */
static bool next_item(struct sw_token *name, struct sw_token *value, const uint8_t **at, const uint8_t *end, struct parser *parser)
{
    struct sw_json_problem problem;
    const uint8_t *from = sw_json_skip_space(*at, end);
    if (from < end && *from == ',')
        from = sw_json_skip_space(from + 1, end);
    if (from >= end || *from == ']' || *from == '}')
        return false;
    if (name) {
        from = sw_json_read_value(name, from, end, 0, parser->kernel, &parser->scratch, &problem);
        if (!from) {
            parser->no_memory = true; /* its syntax was checked before */
            return false;
        }
        from = sw_json_skip_space(from, end);
        from = sw_json_skip_space(from + 1, end); /* the colon */
    }
    const uint8_t *after = sw_json_read_value(value, from, end, 0, parser->kernel, &parser->scratch, &problem);
    parser->no_memory |= !after;
    *at = after ? after : end;
    return after != NULL;
}

static void read_members(struct members *out, struct sw_token object, struct parser *parser)
{
    const struct { const char *name; struct sw_token *to; } known[] = {
        {"type", &out->type}, {"name", &out->name}, {"namespace", &out->space}, {"fields", &out->fields}, {"items", &out->items}, {"values", &out->values},
        {"symbols", &out->symbols}, {"size", &out->size}, {"logicalType", &out->logical}, {"precision", &out->precision}, {"scale", &out->scale}};
    const uint8_t *at = object.at + 1, *end = object.at + object.len;
    struct sw_token name, value;
    *out = (struct members){0};
    while (next_item(&name, &value, &at, end, parser))
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (is(name, known[i].name))
                *known[i].to = value;
}

static bool add_text(uint32_t *at, uint32_t *len, struct sw_avro_schema *schema, struct sw_bytes text)
{
    *at = (uint32_t)schema->texts.len;
    sw_buffer_add_bytes(&schema->texts, text);
    *len = (uint32_t)text.len;
    return !schema->texts.failed;
}

/* The inside of a JSON string, unescaped; and as JSON text, with what comes after it. */
static bool add_name(struct sw_avro_child *child, struct parser *parser, struct sw_token token, const char *after)
{
    struct sw_avro_schema *schema = parser->schema;
    child->name_at = (uint32_t)schema->texts.len;
    if (token.escaped)
        sw_json_unescape_add(&schema->texts, view(token));
    else
        sw_buffer_add_bytes(&schema->texts, view(token));
    child->name_len = (uint32_t)(schema->texts.len - child->name_at);
    parser->space.len = 0;
    sw_buffer_add_bytes(&parser->space, sw_avro_text(schema, child->name_at, child->name_len)); /* the texts may move while they are written */
    child->text_at = (uint32_t)schema->texts.len;
    sw_json_write_text(&schema->texts, sw_buffer_view(&parser->space));
    sw_buffer_add_text(&schema->texts, after);
    child->text_len = (uint32_t)(schema->texts.len - child->text_at);
    return !schema->texts.failed && !parser->space.failed;
}

static uint32_t add_node(struct sw_avro_schema *schema, enum sw_avro_kind kind)
{
    if (schema->node_count == SW_AVRO_NODES_MAX)
        return SW_AVRO_NO_NODE;
    if (schema->node_count == schema->node_capacity) {
        uint32_t capacity = schema->node_capacity ? schema->node_capacity * 2 : 32;
        struct sw_avro_node *grown = sw_realloc_array(schema->nodes, capacity, sizeof *grown);
        if (!grown)
            return SW_AVRO_NO_NODE;
        schema->nodes = grown;
        schema->node_capacity = capacity;
    }
    schema->nodes[schema->node_count] = (struct sw_avro_node){.kind = (uint8_t)kind, .first = SW_AVRO_NO_NODE};
    return schema->node_count++;
}

static struct sw_avro_child *add_child(struct sw_avro_schema *schema, uint32_t parent, uint32_t *last)
{
    if (schema->child_count == SW_AVRO_NODES_MAX)
        return NULL;
    if (schema->child_count == schema->child_capacity) {
        uint32_t capacity = schema->child_capacity ? schema->child_capacity * 2 : 32;
        struct sw_avro_child *grown = sw_realloc_array(schema->children, capacity, sizeof *grown);
        if (!grown)
            return NULL;
        schema->children = grown;
        schema->child_capacity = capacity;
    }
    uint32_t index = schema->child_count++;
    schema->children[index] = (struct sw_avro_child){.node = SW_AVRO_NO_NODE, .next = SW_AVRO_NO_NODE};
    if (*last == SW_AVRO_NO_NODE)
        schema->nodes[parent].first = index;
    else
        schema->children[*last].next = index;
    *last = index;
    schema->nodes[parent].count++;
    return &schema->children[index];
}

static enum sw_code full(struct parser *parser)
{
    return parser->schema->node_count == SW_AVRO_NODES_MAX || parser->schema->child_count == SW_AVRO_NODES_MAX
               ? sw_fail(parser->error, SW_ERR_LIMIT, "the Avro schema has more than %u parts", SW_AVRO_NODES_MAX)
               : no_memory(parser);
}

/* The names of the primitive types, in the order of their kinds. */
static bool primitive(enum sw_avro_kind *out, struct sw_token token)
{
    static const char *const names[] = {"null", "boolean", "int", "long", "float", "double", "bytes", "string"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is(token, names[i])) {
            *out = (enum sw_avro_kind)i;
            return true;
        }
    return false;
}

/* parser->name: the full name of a name that stands in a namespace. */
static void full_name(struct parser *parser, struct sw_bytes name, struct sw_bytes space)
{
    parser->name.len = 0;
    if (space.len && !memchr(name.at, '.', name.len)) {
        sw_buffer_add_bytes(&parser->name, space);
        sw_buffer_add_byte(&parser->name, '.');
    }
    sw_buffer_add_bytes(&parser->name, name);
}

static uint32_t find_named(const struct sw_avro_schema *schema, struct sw_bytes name)
{
    for (uint32_t i = 0; i < schema->node_count; i++) {
        const struct sw_avro_node *node = &schema->nodes[i];
        if (node->name_len && sw_bytes_equal(sw_avro_text(schema, node->name_at, node->name_len), name))
            return i;
    }
    return SW_AVRO_NO_NODE;
}

/* The part of a full name before its last dot. */
static struct sw_bytes space_of(struct sw_bytes name)
{
    for (size_t i = name.len; i-- > 0;)
        if (name.at[i] == '.')
            return sw_bytes_of(name.at, i);
    return (struct sw_bytes){0};
}

static bool number_of(uint32_t *out, struct sw_token token)
{
    uint64_t number = 0;
    if (token.kind != SW_TOKEN_NUMBER || token.len > 10)
        return false;
    for (uint32_t i = 0; i < token.len; i++) {
        if ((uint8_t)(token.at[i] - '0') > 9)
            return false;
        number = number * 10 + (uint64_t)(token.at[i] - '0');
    }
    *out = (uint32_t)number;
    return number <= INT32_MAX;
}

/* A logical type that does not fit its type has no effect, as Avro's specification has it. */
static void read_meaning(struct sw_avro_node *node, const struct members *members)
{
    static const struct { const char *name; enum sw_avro_meaning meaning; enum sw_avro_kind kind; } known[] = {
        {"number", SW_AVRO_NUMBER, SW_AVRO_STRING}, {"uuid", SW_AVRO_UUID, SW_AVRO_STRING}, {"date", SW_AVRO_DATE, SW_AVRO_INT},
        {"time-millis", SW_AVRO_TIME_MILLIS, SW_AVRO_INT}, {"time-micros", SW_AVRO_TIME_MICROS, SW_AVRO_LONG},
        {"time-interval-micros", SW_AVRO_TIME_INTERVAL, SW_AVRO_LONG}, {"timestamp-millis", SW_AVRO_TIMESTAMP_MILLIS, SW_AVRO_LONG},
        {"timestamp-micros", SW_AVRO_TIMESTAMP_MICROS, SW_AVRO_LONG}, {"timestamp-nanos", SW_AVRO_TIMESTAMP_NANOS, SW_AVRO_LONG},
        {"local-timestamp-millis", SW_AVRO_LOCAL_MILLIS, SW_AVRO_LONG}, {"local-timestamp-micros", SW_AVRO_LOCAL_MICROS, SW_AVRO_LONG},
        {"local-timestamp-nanos", SW_AVRO_LOCAL_NANOS, SW_AVRO_LONG}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (is(members->logical, known[i].name) && node->kind == known[i].kind)
            node->meaning = (uint8_t)known[i].meaning;
    if (is(members->logical, "uuid") && node->kind == SW_AVRO_FIXED && node->size == 16)
        node->meaning = SW_AVRO_UUID;
    if (is(members->logical, "decimal") && (node->kind == SW_AVRO_BYTES || node->kind == SW_AVRO_FIXED) &&
        (members->scale.kind == SW_TOKEN_ABSENT || number_of(&node->scale, members->scale)) && node->scale <= 2000)
        node->meaning = SW_AVRO_DECIMAL;
    if (node->meaning != SW_AVRO_DECIMAL)
        node->scale = 0;
}

static enum sw_code parse(uint32_t *out, struct parser *parser, struct sw_token token, struct sw_bytes space, unsigned depth);

static bool all_empty(const struct sw_avro_schema *schema, const struct sw_avro_node *node)
{
    for (uint32_t c = node->first; c != SW_AVRO_NO_NODE; c = schema->children[c].next)
        if (!schema->nodes[schema->children[c].node].empty)
            return false;
    return true;
}

/* The node a field's value has where it is not null. */
static const struct sw_avro_node *not_null(const struct sw_avro_schema *schema, uint32_t index)
{
    const struct sw_avro_node *node = &schema->nodes[index], *found = NULL;
    if (node->kind != SW_AVRO_UNION)
        return node;
    for (uint32_t c = node->first; c != SW_AVRO_NO_NODE; c = schema->children[c].next) {
        const struct sw_avro_node *branch = &schema->nodes[schema->children[c].node];
        if (branch->kind == SW_AVRO_NULL)
            continue;
        if (found)
            return NULL;
        found = branch;
    }
    return found;
}

/* Records by which Datastream writes one value. They are told by name and by fields, so that a table's own record of that name stays an object. */
static enum sw_avro_meaning record_meaning(const struct sw_avro_schema *schema, const struct sw_avro_node *node)
{
    enum { I = 1u << SW_AVRO_INT, L = 1u << SW_AVRO_LONG, S = 1u << SW_AVRO_STRING };
    static const struct { const char *name; enum sw_avro_meaning meaning; struct { const char *name; unsigned kinds; } fields[4]; } known[] = {
        {"varchar", SW_AVRO_VARCHAR, {{"value", S}, {"length", I | L}}},
        {"timestampTz", SW_AVRO_TIMESTAMP_TZ, {{"timestamp", L}, {"offset", I | L}}},
        {"datetime", SW_AVRO_DATETIME, {{"date", I}, {"time", L}}},
        {"calendarDate", SW_AVRO_CALENDAR_DATE, {{"year", I | L}, {"month", I | L}, {"day", I | L}}},
        {"year", SW_AVRO_YEAR, {{"year", I | L}}},
        {"timeTz", SW_AVRO_TIME_TZ, {{"time", L}, {"offset", I | L}}}};
    struct sw_bytes name = sw_avro_text(schema, node->name_at, node->name_len), space = space_of(name);
    if (space.len)
        name = sw_bytes_of(name.at + space.len + 1, name.len - space.len - 1);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t f = 0;
        uint32_t c = node->first;
        if (!sw_bytes_is(name, known[i].name))
            continue;
        for (; c != SW_AVRO_NO_NODE && f < 4 && known[i].fields[f].name; c = schema->children[c].next, f++) {
            const struct sw_avro_child *child = &schema->children[c];
            const struct sw_avro_node *value = not_null(schema, child->node);
            if (!sw_bytes_is(sw_avro_text(schema, child->name_at, child->name_len), known[i].fields[f].name) || !value || !(known[i].fields[f].kinds >> value->kind & 1))
                break;
        }
        if (c == SW_AVRO_NO_NODE && (f == 4 || !known[i].fields[f].name))
            return known[i].meaning;
    }
    return SW_AVRO_PLAIN;
}

static enum sw_code parse_fields(struct parser *parser, uint32_t record, struct sw_token fields, struct sw_bytes space, unsigned depth)
{
    struct sw_avro_schema *schema = parser->schema;
    struct sw_token item;
    uint32_t last = SW_AVRO_NO_NODE, node;
    enum sw_code code = SW_OK;
    if (fields.kind != SW_TOKEN_ARRAY)
        return bad(parser, "a record has an array of fields");
    const uint8_t *at = fields.at + 1, *end = fields.at + fields.len;
    while (code == SW_OK && next_item(NULL, &item, &at, end, parser)) {
        struct members members;
        if (item.kind != SW_TOKEN_OBJECT)
            return bad(parser, "a field is an object");
        read_members(&members, item, parser);
        if (members.name.kind != SW_TOKEN_TEXT || members.type.kind == SW_TOKEN_ABSENT)
            return bad(parser, "a field has a name and a type");
        struct sw_avro_child *child = add_child(schema, record, &last);
        if (!child)
            return full(parser);
        if (!add_name(child, parser, members.name, ":"))
            return no_memory(parser);
        code = parse(&node, parser, members.type, space, depth + 1);
        if (code == SW_OK)
            schema->children[last].node = node;
    }
    if (code != SW_OK)
        return code;
    uint32_t count = schema->nodes[record].count;
    struct sw_json_name *names = sw_calloc(count, sizeof *names);
    if (!names)
        return no_memory(parser);
    count = 0;
    for (uint32_t c = schema->nodes[record].first; c != SW_AVRO_NO_NODE; c = schema->children[c].next)
        names[count++] = (struct sw_json_name){schema->children[c].name_at, schema->children[c].name_len};
    bool twice = sw_json_has_duplicate(names, count, schema->texts.at);
    sw_free(names);
    return twice ? bad(parser, "a record has two fields of one name") : SW_OK;
}

static enum sw_code parse_list(struct parser *parser, uint32_t parent, struct sw_token list, struct sw_bytes space, unsigned depth, bool symbols)
{
    struct sw_token item;
    uint32_t last = SW_AVRO_NO_NODE, node;
    enum sw_code code = SW_OK;
    if (list.kind != SW_TOKEN_ARRAY)
        return bad(parser, symbols ? "an enum has an array of symbols" : "a union is an array");
    const uint8_t *at = list.at + 1, *end = list.at + list.len;
    while (code == SW_OK && next_item(NULL, &item, &at, end, parser)) {
        struct sw_avro_child *child = add_child(parser->schema, parent, &last);
        if (!child)
            return full(parser);
        if (symbols) {
            if (item.kind != SW_TOKEN_TEXT)
                return bad(parser, "a symbol of an enum is a text");
            if (!add_name(child, parser, item, ""))
                return no_memory(parser);
            continue;
        }
        code = parse(&node, parser, item, space, depth + 1);
        if (code == SW_OK)
            parser->schema->children[last].node = node;
    }
    return code;
}

static enum sw_code parse_inner(struct parser *parser, uint32_t parent, struct sw_token of, struct sw_bytes space, unsigned depth)
{
    uint32_t last = SW_AVRO_NO_NODE, node;
    if (of.kind == SW_TOKEN_ABSENT)
        return bad(parser, "an array has items, a map has values");
    if (!add_child(parser->schema, parent, &last))
        return full(parser);
    enum sw_code code = parse(&node, parser, of, space, depth + 1);
    if (code == SW_OK)
        parser->schema->children[last].node = node;
    return code;
}

/* Records, enums and fixed have names, by which they are meant later. */
static enum sw_code parse_named(uint32_t *out, struct parser *parser, const struct members *members, enum sw_avro_kind kind, struct sw_bytes space, unsigned depth)
{
    struct sw_avro_schema *schema = parser->schema;
    if (members->name.kind != SW_TOKEN_TEXT || members->name.len == 0 || members->name.escaped)
        return bad(parser, "a record, enum or fixed has a name");
    if (members->space.kind == SW_TOKEN_TEXT && !members->space.escaped)
        space = view(members->space);
    full_name(parser, view(members->name), space);
    if (find_named(schema, sw_buffer_view(&parser->name)) != SW_AVRO_NO_NODE)
        return bad(parser, "two types have one name");
    uint32_t node = add_node(schema, kind);
    if (node == SW_AVRO_NO_NODE)
        return full(parser);
    if (parser->name.failed || !add_text(&schema->nodes[node].name_at, &schema->nodes[node].name_len, schema, sw_buffer_view(&parser->name)))
        return no_memory(parser);
    *out = node;
    enum sw_code code = SW_OK;
    if (kind == SW_AVRO_RECORD) {
        /* the namespace is read from the input's own text, which does not move */
        struct sw_bytes own = space_of(view(members->name));
        schema->nodes[node].empty = true; /* one that holds itself and nothing else has no bytes, and no end */
        code = parse_fields(parser, node, members->fields, own.len ? own : space, depth);
        if (code == SW_OK) {
            schema->nodes[node].empty = all_empty(schema, &schema->nodes[node]);
            schema->nodes[node].meaning = (uint8_t)record_meaning(schema, &schema->nodes[node]);
        }
    } else if (kind == SW_AVRO_ENUM) {
        code = parse_list(parser, node, members->symbols, space, depth, true);
    } else {
        if (!number_of(&schema->nodes[node].size, members->size))
            return bad(parser, "a fixed has a size from 0 to 2147483647");
        schema->nodes[node].empty = schema->nodes[node].size == 0;
        read_meaning(&schema->nodes[node], members);
    }
    return code;
}

static enum sw_code parse_object(uint32_t *out, struct parser *parser, struct sw_token token, struct sw_bytes space, unsigned depth)
{
    struct members members;
    enum sw_avro_kind kind;
    read_members(&members, token, parser);
    if (is(members.type, "record") || is(members.type, "error"))
        return parse_named(out, parser, &members, SW_AVRO_RECORD, space, depth);
    if (is(members.type, "enum"))
        return parse_named(out, parser, &members, SW_AVRO_ENUM, space, depth);
    if (is(members.type, "fixed"))
        return parse_named(out, parser, &members, SW_AVRO_FIXED, space, depth);
    bool array = is(members.type, "array");
    if (array || is(members.type, "map")) {
        *out = add_node(parser->schema, array ? SW_AVRO_ARRAY : SW_AVRO_MAP);
        return *out == SW_AVRO_NO_NODE ? full(parser) : parse_inner(parser, *out, array ? members.items : members.values, space, depth);
    }
    if (!primitive(&kind, members.type)) /* {"type": {…}}, {"type": "Name"}, {"type": […]} */
        return members.type.kind == SW_TOKEN_ABSENT ? bad(parser, "a type is missing") : parse(out, parser, members.type, space, depth + 1);
    *out = add_node(parser->schema, kind);
    if (*out == SW_AVRO_NO_NODE)
        return full(parser);
    parser->schema->nodes[*out].empty = kind == SW_AVRO_NULL;
    read_meaning(&parser->schema->nodes[*out], &members);
    return SW_OK;
}

static enum sw_code parse_text(uint32_t *out, struct parser *parser, struct sw_token token, struct sw_bytes space)
{
    enum sw_avro_kind kind;
    if (primitive(&kind, token)) {
        *out = add_node(parser->schema, kind);
        if (*out == SW_AVRO_NO_NODE)
            return full(parser);
        parser->schema->nodes[*out].empty = kind == SW_AVRO_NULL;
        return SW_OK;
    }
    full_name(parser, view(token), space);
    if (parser->name.failed)
        return no_memory(parser);
    *out = find_named(parser->schema, sw_buffer_view(&parser->name));
    if (*out == SW_AVRO_NO_NODE)
        *out = find_named(parser->schema, view(token));
    if (*out != SW_AVRO_NO_NODE)
        return SW_OK;
    return sw_fail(parser->error, SW_ERR_INPUT, "the Avro schema is none: there is no type '%.*s'", (int)(token.len < 60 ? token.len : 60), (const char *)token.at);
}

static enum sw_code parse(uint32_t *out, struct parser *parser, struct sw_token token, struct sw_bytes space, unsigned depth)
{
    if (depth > SW_AVRO_DEPTH_MAX)
        return sw_fail(parser->error, SW_ERR_LIMIT, "the Avro schema is nested deeper than %d levels", SW_AVRO_DEPTH_MAX);
    switch (token.kind) {
    case SW_TOKEN_TEXT: return parse_text(out, parser, token, space);
    case SW_TOKEN_OBJECT: return parse_object(out, parser, token, space, depth);
    case SW_TOKEN_ARRAY:
        *out = add_node(parser->schema, SW_AVRO_UNION);
        return *out == SW_AVRO_NO_NODE ? full(parser) : parse_list(parser, *out, token, space, depth, false);
    default: return bad(parser, "a type is a name, an object or an array");
    }
}

enum sw_code sw_avro_schema_parse(struct sw_avro_schema *out, struct sw_bytes json, struct sw_error *error)
{
    struct parser parser = {.schema = out, .kernel = sw_kernel_find(NULL), .error = error};
    struct sw_buffer copy = {0}; /* the scanners read a little beyond the end */
    struct sw_json_problem problem = {0};
    struct sw_token token;
    sw_buffer_add_bytes(&copy, json);
    if (copy.failed || !sw_buffer_reserve(&copy, 64)) {
        sw_buffer_free(&copy);
        return no_memory(&parser);
    }
    memset(copy.at + copy.len, 0, 64);
    const uint8_t *end = copy.at + copy.len, *at = sw_json_skip_space(copy.at, end);
    const uint8_t *after = sw_json_read_value(&token, at, end, 0, parser.kernel, &parser.scratch, &problem);
    enum sw_code code;
    if (!after && problem.no_memory)
        code = no_memory(&parser);
    else if (!after)
        code = sw_fail(error, SW_ERR_INPUT, "the Avro schema is no JSON: %s, at byte %zu of it", problem.text, (size_t)(problem.at - copy.at) + 1);
    else if (sw_json_skip_space(after, end) != end)
        code = bad(&parser, "more text follows it");
    else
        code = parse(&out->root, &parser, token, (struct sw_bytes){0}, 0);
    if (code == SW_OK && parser.no_memory)
        code = no_memory(&parser);
    sw_json_scratch_free(&parser.scratch);
    sw_buffer_free(&parser.name);
    sw_buffer_free(&parser.space);
    sw_buffer_free(&copy);
    return code;
}

void sw_avro_schema_free(struct sw_avro_schema *schema)
{
    sw_free(schema->nodes);
    sw_free(schema->children);
    sw_buffer_free(&schema->texts);
    *schema = (struct sw_avro_schema){0};
}

/* The type of a column whose values are of this node. */
static bool type_of(struct sw_type *out, const struct sw_avro_schema *schema, const struct sw_avro_node *node)
{
    *out = (struct sw_type){.kind = SW_TYPE_ANY, .precision = -1};
    switch (node->meaning) {
    case SW_AVRO_DECIMAL: case SW_AVRO_NUMBER: out->kind = SW_TYPE_DECIMAL; return true;
    case SW_AVRO_UUID: out->kind = SW_TYPE_UUID; return true;
    case SW_AVRO_DATE: case SW_AVRO_CALENDAR_DATE: out->kind = SW_TYPE_DATE; return true;
    case SW_AVRO_TIME_MILLIS: case SW_AVRO_TIME_MICROS: case SW_AVRO_TIME_INTERVAL: case SW_AVRO_TIME_TZ: out->kind = SW_TYPE_TIME; return true;
    case SW_AVRO_TIMESTAMP_MILLIS: case SW_AVRO_TIMESTAMP_MICROS: case SW_AVRO_TIMESTAMP_NANOS: case SW_AVRO_TIMESTAMP_TZ: out->kind = SW_TYPE_TIMESTAMPTZ; return true;
    case SW_AVRO_LOCAL_MILLIS: case SW_AVRO_LOCAL_MICROS: case SW_AVRO_LOCAL_NANOS: case SW_AVRO_DATETIME: out->kind = SW_TYPE_TIMESTAMP; return true;
    case SW_AVRO_VARCHAR: out->kind = SW_TYPE_TEXT; return true;
    case SW_AVRO_YEAR: out->kind = SW_TYPE_INTEGER; return true;
    default: break;
    }
    switch (node->kind) {
    case SW_AVRO_BOOLEAN: out->kind = SW_TYPE_BOOLEAN; return true;
    case SW_AVRO_INT: case SW_AVRO_LONG: out->kind = SW_TYPE_INTEGER; return true;
    case SW_AVRO_FLOAT: out->kind = SW_TYPE_FLOAT32; return true;
    case SW_AVRO_DOUBLE: out->kind = SW_TYPE_FLOAT64; return true;
    case SW_AVRO_BYTES: case SW_AVRO_FIXED: out->kind = SW_TYPE_BYTES; out->encoding = SW_BYTES_BASE64; return true;
    case SW_AVRO_STRING: case SW_AVRO_ENUM: out->kind = SW_TYPE_TEXT; return true;
    case SW_AVRO_ARRAY: {
        const struct sw_avro_node *item = not_null(schema, schema->children[node->first].node);
        if (item && item->kind != SW_AVRO_MAP && item->kind != SW_AVRO_ARRAY && type_of(out, schema, item))
            out->element = out->kind;
        out->kind = SW_TYPE_ARRAY;
        return true;
    }
    case SW_AVRO_MAP: out->kind = SW_TYPE_JSON; return true;
    default: return false; /* null, records (their fields say), unions of several */
    }
}

static bool add_fields(struct sw_field_tree *tree, uint32_t parent, const struct sw_avro_schema *schema, const struct sw_avro_node *record, unsigned depth)
{
    for (uint32_t c = record->first; c != SW_AVRO_NO_NODE; c = schema->children[c].next) {
        const struct sw_avro_child *child = &schema->children[c];
        const struct sw_avro_node *value = not_null(schema, child->node);
        struct sw_type type;
        bool typed = value && type_of(&type, schema, value);
        if (tree->count == SW_AVRO_NODES_MAX) /* a record that is named again and again would stand there each time */
            return true;
        uint32_t field = sw_field_tree_add(tree, parent, sw_avro_text(schema, child->name_at, child->name_len), typed ? &type : NULL);
        if (field == SW_FIELD_NONE)
            return false;
        if (value && value->kind == SW_AVRO_RECORD && value->meaning == SW_AVRO_PLAIN && depth < 4 && !add_fields(tree, field, schema, value, depth + 1))
            return false;
    }
    return true;
}

struct sw_field_tree *sw_avro_schema_fields(const struct sw_avro_schema *schema)
{
    struct sw_field_tree *tree = sw_calloc(1, sizeof *tree);
    const struct sw_avro_node *root = not_null(schema, schema->root);
    bool done = tree && sw_field_tree_add(tree, SW_FIELD_NONE, (struct sw_bytes){0}, NULL) != SW_FIELD_NONE;
    if (done && root && root->kind == SW_AVRO_RECORD)
        done = add_fields(tree, 0, schema, root, 0);
    if (!done)
        sw_field_tree_free(&tree);
    else
        sw_field_tree_settle(tree);
    return tree;
}
