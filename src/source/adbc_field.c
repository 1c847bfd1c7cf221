/* Arrow's types. Source: Apache Arrow, "The Arrow C data interface", "Data type description"; the extension types arrow.uuid and arrow.json of its canonical list. */
#include "source/adbc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define DEPTH_MAX 64u
#define CHILDREN_MAX 4096

static enum sw_code refuse(struct sw_error *error, const struct ArrowSchema *schema, const char *what)
{
    return sw_fail(error, SW_ERR_USAGE, "column %.100s is %s (Arrow type %.40s), which cannot be compared: cast it in a query", schema->name ? schema->name : "", what, schema->format);
}

/* The value of a key in a schema's metadata: a count, then for each pair the length and bytes of the key and of the value, all 32 bits in host order. */
static struct sw_bytes metadata_value(const struct ArrowSchema *schema, const char *key)
{
    const char *at = schema->metadata;
    int32_t pairs = 0;
    if (at)
        memcpy(&pairs, at, sizeof pairs);
    at += at ? sizeof pairs : 0;
    for (int32_t i = 0; i < pairs; i++) {
        struct sw_bytes part[2];
        for (int side = 0; side < 2; side++) {
            int32_t len;
            memcpy(&len, at, sizeof len);
            part[side] = sw_bytes_of(at + sizeof len, len > 0 ? (size_t)len : 0);
            at += sizeof len + part[side].len;
        }
        if (sw_bytes_is(part[0], key))
            return part[1];
    }
    return (struct sw_bytes){0};
}

struct simple {
    const char *format;
    enum sw_arrow_kind kind;
    uint8_t width;
    int64_t unit;
};

static const struct simple simples[] = {
    {"n", SW_ARROW_NULL, 0, 0}, {"b", SW_ARROW_BOOLEAN, 0, 0},
    {"c", SW_ARROW_SIGNED, 1, 0}, {"s", SW_ARROW_SIGNED, 2, 0}, {"i", SW_ARROW_SIGNED, 4, 0}, {"l", SW_ARROW_SIGNED, 8, 0},
    {"C", SW_ARROW_UNSIGNED, 1, 0}, {"S", SW_ARROW_UNSIGNED, 2, 0}, {"I", SW_ARROW_UNSIGNED, 4, 0}, {"L", SW_ARROW_UNSIGNED, 8, 0},
    {"e", SW_ARROW_HALF, 2, 0}, {"f", SW_ARROW_FLOAT, 4, 0}, {"g", SW_ARROW_DOUBLE, 8, 0},
    {"u", SW_ARROW_TEXT, 4, 0}, {"U", SW_ARROW_TEXT, 8, 0}, {"vu", SW_ARROW_TEXT, 0, 0}, {"z", SW_ARROW_BYTES, 4, 0}, {"Z", SW_ARROW_BYTES, 8, 0}, {"vz", SW_ARROW_BYTES, 0, 0},
    {"tdD", SW_ARROW_DATE, 4, 1}, {"tdm", SW_ARROW_DATE, 8, 86400000},
    {"tts", SW_ARROW_TIME, 4, 1}, {"ttm", SW_ARROW_TIME, 4, 1000}, {"ttu", SW_ARROW_TIME, 8, 1000000}, {"ttn", SW_ARROW_TIME, 8, 1000000000},
    {"tiM", SW_ARROW_INTERVAL, 4, 0}, {"tiD", SW_ARROW_INTERVAL, 8, 0}, {"tin", SW_ARROW_INTERVAL, 16, 0},
    {"+l", SW_ARROW_LIST, 4, 0}, {"+L", SW_ARROW_LIST, 8, 0}, {"+vl", SW_ARROW_LIST_VIEW, 4, 0}, {"+vL", SW_ARROW_LIST_VIEW, 8, 0}, {"+s", SW_ARROW_STRUCT, 0, 0}, {"+m", SW_ARROW_MAP, 4, 0}};

/* "d:38,10" or "d:38,10,256". */
static bool read_decimal(struct sw_arrow_field *out, const char *format)
{
    int precision, scale, bits = 128;
    int found = sscanf(format, "d:%d,%d,%d", &precision, &scale, &bits);
    if (found < 2 || (bits != 32 && bits != 64 && bits != 128 && bits != 256) || scale < -1000 || scale > 1000)
        return false;
    out->kind = SW_ARROW_DECIMAL;
    out->width = (uint8_t)(bits / 8);
    out->scale = scale;
    return true;
}

/* "tsu:" or "tsu:Europe/Paris": the zone says only how it is shown, the number is of UTC. */
static bool read_timestamp(struct sw_arrow_field *out, const char *format)
{
    static const struct { char letter; int64_t unit; } units[] = {{'s', 1}, {'m', 1000}, {'u', 1000000}, {'n', 1000000000}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (format[2] == units[i].letter && format[3] == ':') {
            out->kind = format[4] ? SW_ARROW_TIMESTAMPTZ : SW_ARROW_TIMESTAMP;
            out->width = 8;
            out->unit = units[i].unit;
            return true;
        }
    return false;
}

/* "w:16", "+w:3". */
static bool read_size(int64_t *out, const char *text)
{
    char *end;
    *out = strtoll(text, &end, 10);
    return *text && !*end && *out >= 0 && *out <= INT32_MAX;
}

/* "+ud:0,1,5" and "+us:…". */
static bool read_union(struct sw_arrow_field *out, const struct ArrowSchema *schema, bool *no_memory)
{
    const char *at = schema->format + 4;
    out->kind = SW_ARROW_UNION;
    out->dense = schema->format[2] == 'd';
    out->members = sw_calloc((size_t)schema->n_children + 1, sizeof *out->members);
    *no_memory = !out->members;
    for (int64_t i = 0; out->members && i < schema->n_children; i++) {
        char *end;
        long id = strtol(at, &end, 10);
        if (end == at || id < 0 || id > 127)
            return false;
        out->members[i] = (int8_t)id;
        at = *end == ',' ? end + 1 : end;
    }
    return out->members != NULL;
}

static enum sw_code read_format(struct sw_arrow_field *out, const struct ArrowSchema *schema, struct sw_error *error)
{
    const char *format = schema->format;
    bool no_memory = false;
    for (size_t i = 0; i < sizeof simples / sizeof *simples; i++)
        if (strcmp(format, simples[i].format) == 0) {
            out->kind = simples[i].kind;
            out->width = simples[i].width;
            out->unit = simples[i].unit;
            return SW_OK;
        }
    if (strncmp(format, "d:", 2) == 0 && read_decimal(out, format))
        return SW_OK;
    if (strncmp(format, "ts", 2) == 0 && read_timestamp(out, format))
        return SW_OK;
    if (strncmp(format, "w:", 2) == 0 && read_size(&out->unit, format + 2)) {
        out->kind = SW_ARROW_BYTES;
        out->fixed = true;
        return SW_OK;
    }
    if (strncmp(format, "+w:", 3) == 0 && read_size(&out->unit, format + 3)) {
        out->kind = SW_ARROW_FIXED_LIST;
        return SW_OK;
    }
    if ((strncmp(format, "+ud:", 4) == 0 || strncmp(format, "+us:", 4) == 0) && read_union(out, schema, &no_memory))
        return SW_OK;
    if (no_memory)
        return sw_fail_memory(error, "a column", 0);
    if (strncmp(format, "tD", 2) == 0)
        return refuse(error, schema, "a duration");
    return refuse(error, schema, "of a type that is not known here");
}

/* Types that Arrow has no name for, by the extension that says what the storage means. SW_ERR_USAGE: an opaque type that is not known here. */
static enum sw_code read_extension(struct sw_arrow_field *out, const struct ArrowSchema *schema, struct sw_error *error)
{
    struct sw_bytes name = metadata_value(schema, "ARROW:extension:name"), says = metadata_value(schema, "ARROW:extension:metadata");
    out->json = sw_bytes_is(name, "arrow.json") && out->kind == SW_ARROW_TEXT;
    out->uuid = sw_bytes_is(name, "arrow.uuid") && out->fixed && out->unit == 16;
    if (sw_bytes_is(name, "arrow.bool8") && out->kind == SW_ARROW_SIGNED && out->width == 1)
        out->kind = SW_ARROW_BOOL8;
    if (!sw_bytes_is(name, "arrow.opaque") || !memmem(says.at, says.len, "\"DuckDB\"", 8))
        return SW_OK;
    static const struct { const char *type; enum sw_arrow_kind kind; int64_t bytes; bool without_sign; } types[] = {
        {"\"hugeint\"", SW_ARROW_DECIMAL, 16, false}, {"\"uhugeint\"", SW_ARROW_DECIMAL, 16, true}, {"\"time_tz\"", SW_ARROW_TIME_TZ, 8, false}, {"\"bit\"", SW_ARROW_BITS, 0, false}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (memmem(says.at, says.len, types[i].type, strlen(types[i].type)) && out->kind == SW_ARROW_BYTES && (types[i].bytes ? out->fixed && out->unit == types[i].bytes : !out->fixed && out->width)) {
            out->kind = types[i].kind;
            out->whole = types[i].bytes == 16;
            out->unsigned_wide = types[i].without_sign;
            out->width = types[i].bytes ? (uint8_t)types[i].bytes : out->width;
            return SW_OK;
        }
    return refuse(error, schema, "of a type of DuckDB's own that is not known here");
}

static bool has_children(const struct sw_arrow_field *field, int64_t count)
{
    switch (field->kind) {
    case SW_ARROW_LIST:
    case SW_ARROW_LIST_VIEW:
    case SW_ARROW_FIXED_LIST:
    case SW_ARROW_MAP: return count == 1;
    case SW_ARROW_STRUCT:
    case SW_ARROW_UNION: return count <= CHILDREN_MAX;
    default: return count == 0;
    }
}

enum sw_code sw_arrow_field_read(struct sw_arrow_field *out, const struct ArrowSchema *schema, unsigned depth, struct sw_error *error)
{
    *out = (struct sw_arrow_field){.name = schema->name ? schema->name : ""};
    if (!schema->format || schema->n_children < 0 || (schema->n_children && !schema->children) || schema->n_children > CHILDREN_MAX || depth > DEPTH_MAX)
        return sw_fail(error, SW_ERR_REMOTE, "the driver describes column %.100s in a way that cannot be: nothing is claimed", out->name);
    enum sw_code code = read_format(out, schema, error);
    if (code != SW_OK)
        return code;
    if (!has_children(out, schema->n_children))
        return sw_fail(error, SW_ERR_REMOTE, "the driver describes column %.100s of type %.40s with %lld parts: nothing is claimed", out->name, schema->format, (long long)schema->n_children);
    code = read_extension(out, schema, error);
    if (code != SW_OK)
        return code;
    if (schema->n_children && !(out->children = sw_calloc((size_t)schema->n_children, sizeof *out->children)))
        return sw_fail_memory(error, "columns", (size_t)schema->n_children);
    for (int64_t i = 0; i < schema->n_children && code == SW_OK; i++) {
        out->child_count++;
        code = schema->children[i] ? sw_arrow_field_read(&out->children[i], schema->children[i], depth + 1, error)
                                   : sw_fail(error, SW_ERR_REMOTE, "the driver describes column %.100s without its parts: nothing is claimed", out->name);
    }
    if (code != SW_OK || !schema->dictionary)
        return code;
    if (out->kind != SW_ARROW_SIGNED && out->kind != SW_ARROW_UNSIGNED)
        return sw_fail(error, SW_ERR_REMOTE, "the driver describes a dictionary for column %.100s whose numbers are none: nothing is claimed", out->name);
    out->values = sw_calloc(1, sizeof *out->values);
    return out->values ? sw_arrow_field_read(out->values, schema->dictionary, depth + 1, error) : sw_fail_memory(error, "a column", sizeof *out->values);
}

void sw_arrow_field_free(struct sw_arrow_field *field)
{
    for (uint32_t i = 0; i < field->child_count; i++)
        sw_arrow_field_free(&field->children[i]);
    if (field->values)
        sw_arrow_field_free(field->values);
    sw_free(field->children);
    sw_free(field->values);
    sw_free(field->members);
    *field = (struct sw_arrow_field){0};
}

bool sw_arrow_field_type(struct sw_type *out, const struct sw_arrow_field *field)
{
    *out = (struct sw_type){.kind = SW_TYPE_ANY, .precision = -1};
    if (field->values)
        return sw_arrow_field_type(out, field->values);
    switch (field->kind) {
    case SW_ARROW_NULL: return false;
    case SW_ARROW_BOOL8:
    case SW_ARROW_BOOLEAN: out->kind = SW_TYPE_BOOLEAN; break;
    case SW_ARROW_SIGNED:
    case SW_ARROW_UNSIGNED: out->kind = SW_TYPE_INTEGER; break; /* of any size, as in other databases: int on one side and bigint on the other are one type */
    case SW_ARROW_HALF:
    case SW_ARROW_FLOAT: out->kind = SW_TYPE_FLOAT32; break;
    case SW_ARROW_DOUBLE: out->kind = SW_TYPE_FLOAT64; break;
    case SW_ARROW_DECIMAL: out->kind = field->whole ? SW_TYPE_INTEGER : SW_TYPE_DECIMAL; break;
    case SW_ARROW_BITS: out->kind = SW_TYPE_TEXT; break;
    case SW_ARROW_TEXT: out->kind = field->json ? SW_TYPE_JSON : SW_TYPE_TEXT; break;
    case SW_ARROW_BYTES: out->kind = field->uuid ? SW_TYPE_UUID : SW_TYPE_BYTES; break;
    case SW_ARROW_INTERVAL: out->kind = SW_TYPE_INTERVAL; break;
    case SW_ARROW_DATE: out->kind = SW_TYPE_DATE; break;
    case SW_ARROW_TIME_TZ:
    case SW_ARROW_TIME: out->kind = SW_TYPE_TIME; break;
    case SW_ARROW_TIMESTAMP: out->kind = SW_TYPE_TIMESTAMP; break;
    case SW_ARROW_TIMESTAMPTZ: out->kind = SW_TYPE_TIMESTAMPTZ; break;
    case SW_ARROW_LIST:
    case SW_ARROW_LIST_VIEW:
    case SW_ARROW_FIXED_LIST:
        if (field->child_count == 1 && sw_arrow_field_type(out, &field->children[0]) && out->kind != SW_TYPE_JSON && out->kind != SW_TYPE_ARRAY)
            out->element = out->kind;
        out->kind = SW_TYPE_ARRAY; /* of arrays: of what those are of */
        break;
    case SW_ARROW_STRUCT:
    case SW_ARROW_MAP:
    case SW_ARROW_UNION: out->kind = SW_TYPE_JSON; break;
    }
    return true;
}
