/* The spelling of types: KIND, KIND(PRECISION), then policies. */
#include "model/type.h"

#include <stdlib.h>

#include "model/value.h"
#include "text/json_write.h"

/* Which policies a kind knows. */
enum {
    POLICY_PRECISION = 1 << 0,
    POLICY_WRAP = 1 << 1,
    POLICY_ZONE = 1 << 2,
    POLICY_UNIT = 1 << 3,
    POLICY_TEXT = 1 << 4,
    POLICY_ZERO = 1 << 5,
    POLICY_ENCODING = 1 << 6,
    POLICY_DAYS = 1 << 7, /* unit=days has a meaning */
    POLICY_EXTENDED = 1 << 8,
    POLICY_JSON = 1 << 9
};

static const struct {
    const char *name;
    unsigned policies;
} kinds[SW_TYPE_KIND_COUNT] = {
    [SW_TYPE_ANY] = {"any", POLICY_EXTENDED},
    [SW_TYPE_TEXT] = {"text", POLICY_TEXT},
    [SW_TYPE_INTEGER] = {"integer", 0},
    [SW_TYPE_INT8] = {"int8", 0},
    [SW_TYPE_INT16] = {"int16", 0},
    [SW_TYPE_INT32] = {"int32", 0},
    [SW_TYPE_INT64] = {"int64", 0},
    [SW_TYPE_UINT8] = {"uint8", POLICY_WRAP},
    [SW_TYPE_UINT16] = {"uint16", POLICY_WRAP},
    [SW_TYPE_UINT32] = {"uint32", POLICY_WRAP},
    [SW_TYPE_UINT64] = {"uint64", POLICY_WRAP},
    [SW_TYPE_DECIMAL] = {"decimal", 0},
    [SW_TYPE_FLOAT32] = {"float32", 0},
    [SW_TYPE_FLOAT64] = {"float64", 0},
    [SW_TYPE_BOOLEAN] = {"boolean", 0},
    [SW_TYPE_BYTES] = {"bytes", POLICY_ENCODING},
    [SW_TYPE_DATE] = {"date", POLICY_ZERO | POLICY_UNIT | POLICY_DAYS},
    [SW_TYPE_TIME] = {"time", POLICY_PRECISION | POLICY_ZONE | POLICY_UNIT},
    [SW_TYPE_TIMESTAMP] = {"timestamp", POLICY_PRECISION | POLICY_ZONE | POLICY_ZERO | POLICY_UNIT | POLICY_DAYS},
    [SW_TYPE_TIMESTAMPTZ] = {"timestamptz", POLICY_PRECISION | POLICY_ZONE | POLICY_ZERO | POLICY_UNIT | POLICY_DAYS},
    [SW_TYPE_UUID] = {"uuid", 0},
    [SW_TYPE_INTERVAL] = {"interval", 0},
    [SW_TYPE_JSON] = {"json", POLICY_EXTENDED | POLICY_JSON},
    [SW_TYPE_ARRAY] = {"array", 0},
};

static const char *const units[] = {[SW_UNIT_SECONDS] = "s", [SW_UNIT_MILLISECONDS] = "ms", [SW_UNIT_MICROSECONDS] = "us", [SW_UNIT_NANOSECONDS] = "ns", [SW_UNIT_DAYS] = "days"};
static const char *const encodings[] = {[SW_BYTES_HEX] = "hex", [SW_BYTES_BASE64] = "base64", [SW_BYTES_BASE64URL] = "base64url", [SW_BYTES_ESCAPE] = "escape"};

const char *sw_type_kind_name(enum sw_type_kind kind) { return kinds[kind].name; }

static bool is_blank(uint8_t byte) { return byte == ' ' || byte == '\t'; }

/* Takes the next word from the front of `text`; empty at the end. */
static struct sw_bytes next_word(struct sw_bytes *text)
{
    size_t at = 0, len = 0;
    while (at < text->len && is_blank(text->at[at]))
        at++;
    while (at + len < text->len && !is_blank(text->at[at + len]))
        len++;
    struct sw_bytes word = sw_bytes_of(text->at + at, len);
    *text = sw_bytes_of(text->at + at + len, text->len - at - len);
    return word;
}

static bool after(struct sw_bytes *rest, struct sw_bytes word, const char *prefix)
{
    size_t len = strlen(prefix);
    if (word.len < len || memcmp(word.at, prefix, len) != 0)
        return false;
    *rest = sw_bytes_of(word.at + len, word.len - len);
    return true;
}

/* Appends what may follow a kind, for a message. */
static void list_policies(struct sw_buffer *out, enum sw_type_kind kind)
{
    static const struct { unsigned policy; const char *spelling; } list[] = {
        {POLICY_PRECISION, "(0) to (9)"}, {POLICY_WRAP, "wrap"}, {POLICY_ZONE, "zone=+HH:MM"}, {POLICY_DAYS, "unit=s|ms|us|ns|days"},
        {POLICY_UNIT, "unit=s|ms|us|ns"}, {POLICY_TEXT, "trim, fold, nfc"}, {POLICY_ZERO, "zero=null"}, {POLICY_ENCODING, "hex, base64, base64url, escape"}, {POLICY_JSON, "bare, parsed"}, {POLICY_EXTENDED, "extended"},
    };
    unsigned policies = kinds[kind].policies;
    if (policies & POLICY_DAYS)
        policies &= ~(unsigned)POLICY_UNIT;
    bool first = true;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (!(policies & list[i].policy))
            continue;
        if (!first)
            sw_buffer_add_text(out, ", ");
        sw_buffer_add_text(out, list[i].spelling);
        first = false;
    }
    if (first)
        sw_buffer_add_text(out, "nothing");
}

/* SW_ERR_USAGE: what was found, and what there is. `kind` SW_TYPE_KIND_COUNT if none is known yet. */
static enum sw_code refuse(struct sw_error *error, enum sw_type_kind kind, struct sw_bytes word)
{
    struct sw_buffer found = {0}, known = {0};
    sw_json_write_text(&found, word.len > 60 ? sw_bytes_of(word.at, 60) : word);
    if (kind < SW_TYPE_KIND_COUNT) {
        list_policies(&known, kind);
    } else {
        for (size_t i = 0; i < SW_TYPE_KIND_COUNT; i++) {
            sw_buffer_add_text(&known, i ? ", " : "");
            sw_buffer_add_text(&known, kinds[i].name);
        }
    }
    const char *found_text = sw_buffer_text(&found), *known_text = sw_buffer_text(&known);
    enum sw_code code = !found_text || !known_text ? sw_fail_memory(error, "a message", 64)
        : kind < SW_TYPE_KIND_COUNT ? sw_fail(error, SW_ERR_USAGE, "type %s: expected %s after it, found %s", kinds[kind].name, known_text, found_text)
                                    : sw_fail(error, SW_ERR_USAGE, "unknown type %s: the types are %s", found_text, known_text);
    sw_buffer_free(&found);
    sw_buffer_free(&known);
    return code;
}

/* One policy. False if the kind does not know it, if it is said twice or has a bad value. */
static bool read_policy(struct sw_type *type, unsigned *said, struct sw_bytes word)
{
    unsigned known = kinds[type->kind].policies;
    struct sw_bytes value;
    unsigned policy;
    if (sw_bytes_is(word, "wrap")) {
        policy = POLICY_WRAP;
        type->wrap = true;
    } else if (after(&value, word, "zone=")) {
        int32_t seconds;
        policy = POLICY_ZONE;
        if (!sw_zone__parse(&seconds, value) || seconds % 60)
            return false;
        type->has_zone = true;
        type->zone_minutes = (int16_t)(seconds / 60);
    } else if (after(&value, word, "unit=")) {
        policy = POLICY_UNIT;
        for (enum sw_time_unit unit = SW_UNIT_SECONDS; unit <= SW_UNIT_DAYS; unit++)
            if (sw_bytes_is(value, units[unit]))
                type->unit = unit;
        if (type->unit == SW_UNIT_NONE || (type->unit == SW_UNIT_DAYS && !(known & POLICY_DAYS)))
            return false;
    } else if (sw_bytes_is(word, "extended")) {
        policy = POLICY_EXTENDED;
        type->extended = true;
    } else if (sw_bytes_is(word, "bare") || sw_bytes_is(word, "parsed")) {
        policy = POLICY_JSON;
        type->json_text = word.at[0] == 'b' ? SW_JSON_TEXT_BARE : SW_JSON_TEXT_PARSED;
    } else if (sw_bytes_is(word, "zero=null")) {
        policy = POLICY_ZERO;
        type->zero_null = true;
    } else if (sw_bytes_is(word, "trim") || sw_bytes_is(word, "fold") || sw_bytes_is(word, "nfc")) {
        bool *flag = word.at[0] == 't' ? &type->trim : word.at[0] == 'f' ? &type->fold : &type->nfc;
        if (*flag)
            return false;
        *flag = true;
        return known & POLICY_TEXT;
    } else {
        policy = POLICY_ENCODING;
        enum sw_bytes_encoding encoding = SW_BYTES_HEX;
        while (encoding <= SW_BYTES_ESCAPE && !sw_bytes_is(word, encodings[encoding]))
            encoding++;
        if (encoding > SW_BYTES_ESCAPE)
            return false;
        type->encoding = encoding;
    }
    if (*said & policy)
        return false;
    *said |= policy;
    return known & policy;
}

enum sw_code sw_type_parse(struct sw_type *out, struct sw_bytes text, struct sw_error *error)
{
    struct sw_type type = {.precision = -1};
    struct sw_bytes rest = text, word = next_word(&rest), after_array = rest;
    bool array = sw_bytes_is(word, kinds[SW_TYPE_ARRAY].name) && sw_bytes_is(next_word(&after_array), "of");
    if (array) {
        rest = after_array;
        word = next_word(&rest);
    }
    struct sw_bytes name = word;
    bool has_precision = word.len > 3 && word.at[word.len - 1] == ')' && word.at[word.len - 3] == '(';
    if (has_precision)
        name.len -= 3;
    enum sw_type_kind kind = SW_TYPE_ANY;
    while (kind < SW_TYPE_KIND_COUNT && !sw_bytes_is(name, kinds[kind].name))
        kind++;
    if (kind == SW_TYPE_KIND_COUNT)
        return refuse(error, SW_TYPE_KIND_COUNT, word);
    if (array && kind == SW_TYPE_ARRAY)
        return sw_fail(error, SW_ERR_USAGE, "type array: an array of any number of dimensions is an array of what its elements are, 'array of integer' for [[1,2],[3,4]]; found an array of arrays");
    type.kind = kind;
    if (has_precision) {
        unsigned digit = (unsigned)word.at[word.len - 2] - '0';
        if (digit > 9 || !(kinds[kind].policies & POLICY_PRECISION))
            return refuse(error, kind, sw_bytes_of(word.at + name.len, 3));
        type.precision = (int8_t)digit;
    }
    unsigned said = 0;
    while ((word = next_word(&rest)).len)
        if (!read_policy(&type, &said, word))
            return refuse(error, kind, word);
    if ((type.fold || type.nfc) && !sw_fold__available())
        return sw_fail(error, SW_ERR_UNSUPPORTED, "type text: this build has no libunistring, so that fold and nfc cannot be had; build with -Dunistring=enabled");
    if (array) {
        type.element = type.kind;
        type.kind = SW_TYPE_ARRAY;
    }
    *out = type;
    return SW_OK;
}

void sw_type_print(struct sw_buffer *out, const struct sw_type *type)
{
    sw_buffer_add_text(out, kinds[type->kind].name);
    if (type->kind == SW_TYPE_ARRAY && type->element != SW_TYPE_ANY)
        sw_buffer_printf(out, " of %s", kinds[type->element].name);
    if (type->precision >= 0)
        sw_buffer_printf(out, "(%d)", type->precision);
    if (type->encoding != SW_BYTES_HEX)
        sw_buffer_printf(out, " %s", encodings[type->encoding]);
    if (type->wrap)
        sw_buffer_add_text(out, " wrap");
    if (type->has_zone)
        sw_buffer_printf(out, " zone=%c%02d:%02d", type->zone_minutes < 0 ? '-' : '+', abs(type->zone_minutes) / 60, abs(type->zone_minutes) % 60);
    if (type->unit != SW_UNIT_NONE)
        sw_buffer_printf(out, " unit=%s", units[type->unit]);
    if (type->zero_null)
        sw_buffer_add_text(out, " zero=null");
    if (type->json_text != SW_JSON_TEXT_UNTOLD)
        sw_buffer_add_text(out, type->json_text == SW_JSON_TEXT_BARE ? " bare" : " parsed");
    if (type->extended)
        sw_buffer_add_text(out, " extended");
    if (type->trim)
        sw_buffer_add_text(out, " trim");
    if (type->fold)
        sw_buffer_add_text(out, " fold");
    if (type->nfc)
        sw_buffer_add_text(out, " nfc");
}

bool sw_type_equal(const struct sw_type *a, const struct sw_type *b)
{
    return a->kind == b->kind && a->element == b->element && a->precision == b->precision && a->wrap == b->wrap && a->has_zone == b->has_zone && a->zone_minutes == b->zone_minutes
        && a->unit == b->unit && a->trim == b->trim && a->fold == b->fold && a->nfc == b->nfc && a->extended == b->extended && a->json_text == b->json_text && a->zero_null == b->zero_null && a->encoding == b->encoding;
}

/* Kinds with one form of canonical bytes. */
static enum sw_type_kind form_of(enum sw_type_kind kind)
{
    switch (kind) {
    case SW_TYPE_DECIMAL: return SW_TYPE_INTEGER;
    case SW_TYPE_ARRAY:
    case SW_TYPE_JSON: return SW_TYPE_ANY;
    default: return kind;
    }
}

/* Elements of arrays are kept as the JSON that they are written as: all exact numbers alike. */
static enum sw_type_kind element_form_of(enum sw_type_kind kind) { return (kind >= SW_TYPE_INTEGER && kind <= SW_TYPE_DECIMAL) ? SW_TYPE_INTEGER : kind; }

bool sw_type_same_form(const struct sw_type *a, const struct sw_type *b)
{
    struct sw_type x = *a, y = *b;
    x.kind = form_of(x.kind);
    y.kind = form_of(y.kind);
    x.element = element_form_of(x.element);
    y.element = element_form_of(y.element);
    x.unit = y.unit;
    x.json_text = y.json_text;
    x.encoding = y.encoding;
    return sw_type_equal(&x, &y);
}
