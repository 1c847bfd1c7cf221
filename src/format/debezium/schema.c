/* What Kafka Connect's schema block says of the columns of a row. Source: Kafka Connect JsonConverter (the block), debezium io.debezium.time and
 * io.debezium.data (what the names mean), the pages of its connectors (which columns have them). */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/debezium/debezium.h"
#include "text/json_value.h"
#include "text/json_walk.h"

#define NESTED_FIELDS_MAX 65536u

void sw_debezium_schema_free(struct sw_debezium_schema *schema)
{
    sw_free(schema->columns);
    sw_buffer_free(&schema->names);
    sw_buffer_free(&schema->top_name);
    *schema = (struct sw_debezium_schema){0};
}

/* One schema node, taken apart. Texts are raw: names of types have no escapes. */
struct node {
    struct sw_bytes type, name, field;
    bool field_escaped;
    struct sw_token fields, parameters, items;
};

static bool is(struct sw_bytes text, const char *word) { return sw_bytes_is(text, word); }

static struct node read_node(struct sw_token object)
{
    struct node node = {.fields.kind = SW_TOKEN_ABSENT, .parameters.kind = SW_TOKEN_ABSENT, .items.kind = SW_TOKEN_ABSENT};
    struct sw_token name, value;
    for (struct sw_json_walk walk = sw_json_walk_begin(object); sw_json_walk_member(&name, &value, &walk);) {
        struct sw_bytes text = sw_bytes_of(name.at, name.len), found = sw_bytes_of(value.at, value.len);
        if (is(text, "fields"))
            node.fields = value;
        else if (is(text, "parameters"))
            node.parameters = value;
        else if (is(text, "items"))
            node.items = value;
        else if (value.kind != SW_TOKEN_TEXT)
            continue;
        else if (is(text, "type"))
            node.type = found;
        else if (is(text, "name"))
            node.name = found;
        else if (is(text, "field")) {
            node.field = found;
            node.field_escaped = value.escaped;
        }
    }
    return node;
}

/* A parameter as a number; parameters are texts. */
static int32_t number_parameter(const struct node *node, const char *wanted)
{
    struct sw_token name, value;
    for (struct sw_json_walk walk = sw_json_walk_begin(node->parameters); sw_json_walk_member(&name, &value, &walk);) {
        if (!is(sw_bytes_of(name.at, name.len), wanted) || value.len == 0 || value.len > 8)
            continue;
        int32_t number = 0;
        bool negative = value.at[0] == '-';
        for (uint32_t i = negative; i < value.len; i++) {
            if (value.at[i] < '0' || value.at[i] > '9')
                return 0;
            number = number * 10 + (value.at[i] - '0');
        }
        return negative ? -number : number;
    }
    return 0;
}

/* Types with a name of their own. `text` is the kind of the column; a unit is that of bare numbers. */
static const struct named {
    const char *name;
    enum sw_type_kind kind;
    enum sw_time_unit unit;
    sw_decode_fn decode;
} named_types[] = {
    {"io.debezium.time.Date", SW_TYPE_DATE, SW_UNIT_DAYS, sw_debezium_time},
    {"org.apache.kafka.connect.data.Date", SW_TYPE_DATE, SW_UNIT_DAYS, sw_debezium_time},
    {"io.debezium.time.Time", SW_TYPE_TIME, SW_UNIT_MILLISECONDS, NULL},
    {"org.apache.kafka.connect.data.Time", SW_TYPE_TIME, SW_UNIT_MILLISECONDS, NULL},
    {"io.debezium.time.MicroTime", SW_TYPE_TIME, SW_UNIT_MICROSECONDS, NULL},
    {"io.debezium.time.NanoTime", SW_TYPE_TIME, SW_UNIT_NANOSECONDS, NULL},
    {"io.debezium.time.Timestamp", SW_TYPE_TIMESTAMP, SW_UNIT_MILLISECONDS, sw_debezium_time},
    {"org.apache.kafka.connect.data.Timestamp", SW_TYPE_TIMESTAMP, SW_UNIT_MILLISECONDS, sw_debezium_time},
    {"io.debezium.time.MicroTimestamp", SW_TYPE_TIMESTAMP, SW_UNIT_MICROSECONDS, sw_debezium_time},
    {"io.debezium.time.NanoTimestamp", SW_TYPE_TIMESTAMP, SW_UNIT_NANOSECONDS, NULL},
    {"io.debezium.time.ZonedTimestamp", SW_TYPE_TIMESTAMPTZ, SW_UNIT_NONE, NULL},
    {"io.debezium.time.IsoDate", SW_TYPE_DATE, SW_UNIT_NONE, sw_debezium_iso_local},
    {"io.debezium.time.IsoTime", SW_TYPE_TIME, SW_UNIT_NONE, sw_debezium_iso_local},
    {"io.debezium.time.IsoTimestamp", SW_TYPE_TIMESTAMP, SW_UNIT_NONE, sw_debezium_iso_local},
    {"io.debezium.time.StructuredDate", SW_TYPE_DATE, SW_UNIT_NONE, sw_debezium_structured},
    {"io.debezium.time.StructuredTime", SW_TYPE_TIME, SW_UNIT_NONE, sw_debezium_structured},
    {"io.debezium.time.StructuredTimestamp", SW_TYPE_TIMESTAMP, SW_UNIT_NONE, sw_debezium_structured},
    {"io.debezium.time.StructuredZonedTimestamp", SW_TYPE_TIMESTAMPTZ, SW_UNIT_NONE, sw_debezium_structured},
    {"io.debezium.time.Year", SW_TYPE_INTEGER, SW_UNIT_NONE, NULL},
    {"org.apache.kafka.connect.data.Decimal", SW_TYPE_DECIMAL, SW_UNIT_NONE, sw_debezium_decimal},
    {"io.debezium.data.VariableScaleDecimal", SW_TYPE_DECIMAL, SW_UNIT_NONE, sw_debezium_variable_decimal},
    {"io.debezium.data.Bits", SW_TYPE_TEXT, SW_UNIT_NONE, sw_debezium_bits},
    {"io.debezium.time.Interval", SW_TYPE_INTERVAL, SW_UNIT_NONE, NULL},
    {"io.debezium.data.Uuid", SW_TYPE_UUID, SW_UNIT_NONE, NULL},
    {"io.debezium.data.Json", SW_TYPE_JSON, SW_UNIT_NONE, NULL},
};

static const struct { const char *type; enum sw_type_kind kind; } bare_types[] = {
    {"int8", SW_TYPE_INTEGER}, {"int16", SW_TYPE_INTEGER}, {"int32", SW_TYPE_INTEGER}, {"int64", SW_TYPE_INTEGER}, {"boolean", SW_TYPE_BOOLEAN},
    {"string", SW_TYPE_TEXT}, {"float", SW_TYPE_FLOAT32}, {"float32", SW_TYPE_FLOAT32}, {"double", SW_TYPE_FLOAT64}, {"float64", SW_TYPE_FLOAT64},
};

/* What the items of an array are becomes what its elements are; decoders of times only know numbers for infinity, which no element shows. */
static void describe(struct sw_debezium_column *out, const struct node *node);

static void describe_array(struct sw_debezium_column *out, const struct node *node)
{
    struct sw_debezium_column item;
    const struct node items = read_node(node->items);
    if (node->items.kind != SW_TOKEN_OBJECT || is(items.type, "array") || is(items.type, "map"))
        return; /* what the JSON says */
    describe(&item, &items);
    if (item.type.kind == SW_TYPE_ANY || item.decode == sw_debezium_bits || item.decode == sw_debezium_structured)
        return;
    out->type = item.type;
    out->type.element = item.type.kind;
    out->type.kind = SW_TYPE_ARRAY;
    out->decode = item.decode == sw_debezium_decimal ? sw_debezium_decimals : item.decode == sw_debezium_variable_decimal ? sw_debezium_variable_decimals : NULL;
    out->scale = item.scale;
}

static void describe(struct sw_debezium_column *out, const struct node *node)
{
    out->type = (struct sw_type){.kind = SW_TYPE_ANY, .precision = -1};
    out->decode = NULL;
    out->scale = 0;
    out->spellings = is(node->type, "string") ? SW_DEBEZIUM_TEXT_SPELLING : is(node->type, "bytes") ? SW_DEBEZIUM_BYTES_SPELLING : SW_DEBEZIUM_NESTED_SPELLING;
    for (size_t i = 0; i < sizeof named_types / sizeof *named_types; i++)
        if (is(node->name, named_types[i].name)) {
            out->type.kind = named_types[i].kind;
            out->type.unit = named_types[i].unit;
            out->decode = named_types[i].decode;
            out->scale = out->decode == sw_debezium_time ? (int32_t)out->type.unit : number_parameter(node, out->decode == sw_debezium_bits ? "length" : "scale");
            return;
        }
    if (is(node->type, "array")) {
        describe_array(out, node);
        return;
    }
    if (is(node->type, "bytes")) {
        out->type.kind = SW_TYPE_BYTES;
        out->type.encoding = SW_BYTES_BASE64;
        return;
    }
    /* intervals, zoned times and other names that carry text or numbers are what the JSON says of them */
    if (node->name.len >= 17 && memcmp(node->name.at, "io.debezium.time.", 17) == 0)
        return;
    for (size_t i = 0; i < sizeof bare_types / sizeof *bare_types; i++)
        if (is(node->type, bare_types[i].type))
            out->type.kind = bare_types[i].kind;
}

static void add_column(struct sw_debezium_schema *out, const struct node *node)
{
    if (out->count == out->capacity) {
        size_t capacity = out->capacity ? out->capacity * 2 : 16;
        struct sw_debezium_column *grown = sw_realloc_array(out->columns, capacity, sizeof *grown);
        if (!grown) {
            out->failed = true;
            return;
        }
        out->columns = grown;
        out->capacity = capacity;
    }
    struct sw_debezium_column *column = &out->columns[out->count++];
    describe(column, node);
    size_t before = out->names.len;
    if (node->field_escaped)
        sw_json_unescape_add(&out->names, node->field);
    else
        sw_buffer_add_bytes(&out->names, node->field);
    column->name = sw_bytes_of(NULL, out->names.len - before); /* where it stands is known once the names no longer move */
    out->failed |= out->names.failed;
}

static int by_name(const void *a, const void *b)
{
    const struct sw_debezium_column *left = a, *right = b;
    return sw_bytes_compare(left->name, right->name);
}

static void read_row(struct sw_debezium_schema *out, struct sw_token fields)
{
    struct sw_token field;
    for (struct sw_json_walk walk = sw_json_walk_begin(fields); out->count < NESTED_FIELDS_MAX && !out->failed && sw_json_walk_element(&field, &walk);) {
        struct node node = read_node(field);
        if (node.field.at)
            add_column(out, &node);
    }
    const uint8_t *at = out->names.at;
    for (size_t i = 0; i < out->count && !out->failed; i++) {
        out->columns[i].name.at = at;
        at += out->columns[i].name.len;
    }
    if (out->count)
        qsort(out->columns, out->count, sizeof *out->columns, by_name);
}

void sw_debezium_schema_read(struct sw_debezium_schema *out, struct sw_token block, const char *row)
{
    *out = (struct sw_debezium_schema){0};
    struct node top = read_node(block);
    sw_buffer_add_bytes(&out->top_name, top.name);
    if (!row) {
        read_row(out, top.fields);
        return;
    }
    struct sw_token field;
    for (struct sw_json_walk walk = sw_json_walk_begin(top.fields); sw_json_walk_element(&field, &walk);) {
        struct node node = read_node(field);
        if (is(node.field, row)) {
            read_row(out, node.fields);
            return;
        }
    }
}

const struct sw_debezium_column *sw_debezium_schema_find(const struct sw_debezium_schema *schema, struct sw_bytes name)
{
    const struct sw_debezium_column wanted = {.name = name};
    return schema->count ? bsearch(&wanted, schema->columns, schema->count, sizeof wanted, by_name) : NULL;
}
