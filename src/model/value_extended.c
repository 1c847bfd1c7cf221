/* MongoDB's Extended JSON: what its wrappers mean, in one form for canonical and relaxed, version 2 and version 1.
 * Source: MongoDB's Extended JSON specification (source/extended-json.md), and the manual's page on version 1.
 *
 *   {"$numberInt"|"$numberLong"|"$numberDouble"|"$numberDecimal":"5"}           the number; not finite: {"NAME":"NaN"}
 *   {"$date":"…"|{"$numberLong":"…"}|MILLISECONDS}                              {"$date":"2026-01-28T00:00:00Z"}
 *   {"$uuid":"…"}, {"$binary":{"base64":"…","subType":"04"}}, {"$binary":"…","$type":"04"}  {"$uuid":"…"}; of other subtypes {"$binary":{"base64":"…","subType":"00"}}
 *   {"$regularExpression":{"pattern":"…","options":"…"}}, {"$regex":"…","$options":"…"}    the first
 *   {"$oid":"…"}                                                                in small letters
 * All else, {"$timestamp":…}, {"$minKey":1}, {"$code":…}, is the object that it is. */
#include <stdio.h>

#include "model/value.h"
#include "text/json_walk.h"

static bool is_name(struct sw_token name, const char *word) { return !name.escaped && sw_bytes_is(sw_bytes_of(name.at, name.len), word); }

static void add_text(struct sw_buffer *out, struct sw_bytes text)
{
    if (sw_buffer_reserve(out, SW_ANY_TEXT_MAX(text.len)))
        out->len += sw_any_text_encode(out->at + out->len, text.len ? text : SW_BYTES_LITERAL(""));
}

static void begin_object(struct sw_buffer *out, const char *name)
{
    sw_buffer_add_byte(out, SW_ANY_OBJECT);
    add_text(out, sw_bytes_text(name));
}

/* A value under a type, written as that type's text: the inside of the JSON string. */
static enum sw_value_status spell(struct sw_buffer *out, struct sw_token token, struct sw_type type, struct sw_value_scratch *scratch)
{
    struct sw_buffer canonical = {0};
    enum sw_value_status status = sw_value_encode(&canonical, &type, token, scratch);
    if (status == SW_VALUE_OK && type.kind == SW_TYPE_TIMESTAMPTZ && canonical.len && canonical.at[canonical.len - 1] == 0)
        status = sw_value__invalid(scratch, "a time with its zone", token);
    if (status == SW_VALUE_OK)
        sw_value_write_json(out, &type, sw_buffer_view(&canonical));
    if (canonical.failed || out->failed)
        status = SW_VALUE_NO_MEMORY;
    sw_buffer_free(&canonical);
    return status == SW_VALUE_NULL ? sw_value__invalid(scratch, "a value in Extended JSON", token) : status;
}

/* What `spell` wrote, as a text under `name`. */
static void add_spelled(struct sw_buffer *out, const char *name, const struct sw_buffer *json)
{
    begin_object(out, name);
    add_text(out, json->len >= 2 ? sw_bytes_of(json->at + 1, json->len - 2) : sw_buffer_view(json));
    sw_buffer_add_byte(out, SW_ANY_END);
}

static struct sw_token of(struct sw_token object, const char *wanted)
{
    struct sw_token name, value;
    for (struct sw_json_walk walk = sw_json_walk_begin(object); object.kind == SW_TOKEN_OBJECT && sw_json_walk_member(&name, &value, &walk);)
        if (is_name(name, wanted))
            return value;
    return (struct sw_token){.kind = SW_TOKEN_ABSENT};
}

static enum sw_value_status take_number(struct sw_buffer *out, const char *name, struct sw_token value, struct sw_value_scratch *scratch)
{
    const struct sw_type type = {.kind = name[7] == 'I' || name[7] == 'L' ? SW_TYPE_INTEGER : SW_TYPE_DECIMAL, .precision = -1};
    if (value.kind != SW_TOKEN_TEXT && value.kind != SW_TOKEN_NUMBER)
        return sw_value__invalid(scratch, "a number in Extended JSON", value);
    enum sw_special special = value.kind == SW_TOKEN_TEXT ? sw_value__special(sw_bytes_of(value.at, value.len)) : SW_SPECIAL_NONE;
    if (special == SW_SPECIAL_NONE || type.kind == SW_TYPE_INTEGER)
        return sw_value_encode(out, &type, value, scratch);
    begin_object(out, "$numberDouble"); /* of doubles and decimals alike, as finite ones are numbers alike */
    add_text(out, special == SW_SPECIAL_NAN ? SW_BYTES_LITERAL("NaN") : special == SW_SPECIAL_INFINITY ? SW_BYTES_LITERAL("Infinity") : SW_BYTES_LITERAL("-Infinity"));
    sw_buffer_add_byte(out, SW_ANY_END);
    return SW_VALUE_OK;
}

static enum sw_value_status take_date(struct sw_buffer *out, struct sw_token value, struct sw_value_scratch *scratch)
{
    struct sw_token number = of(value, "$numberLong");
    struct sw_buffer text = {0};
    enum sw_value_status status = spell(&text, number.kind == SW_TOKEN_ABSENT ? value : number, (struct sw_type){.kind = SW_TYPE_TIMESTAMPTZ, .precision = -1, .unit = SW_UNIT_MILLISECONDS}, scratch);
    if (status == SW_VALUE_OK)
        add_spelled(out, "$date", &text);
    sw_buffer_free(&text);
    return status;
}

static enum sw_value_status take_binary(struct sw_buffer *out, struct sw_token data, struct sw_token kind, struct sw_value_scratch *scratch)
{
    static const struct sw_type base64 = {.kind = SW_TYPE_BYTES, .precision = -1, .encoding = SW_BYTES_BASE64}, hex = {.kind = SW_TYPE_BYTES, .precision = -1}, uuid = {.kind = SW_TYPE_UUID, .precision = -1};
    struct sw_buffer bytes = {0}, text = {0}, subtype = {0};
    char digits[8] = "00";
    if (kind.kind == SW_TOKEN_NUMBER || kind.kind == SW_TOKEN_TEXT) /* version 1 wrote one digit, and numbers */
        snprintf(digits, sizeof digits, "%s%.*s", kind.len == 1 ? "0" : "", (int)(kind.len < 5 ? kind.len : 5), kind.len ? (const char *)kind.at : "");
    const struct sw_token subtype_token = {.kind = SW_TOKEN_TEXT, .at = (const uint8_t *)digits, .len = (uint32_t)strlen(digits)};
    enum sw_value_status status = data.kind == SW_TOKEN_TEXT ? sw_value_encode(&bytes, &base64, data, scratch) : sw_value__invalid(scratch, "base64 in Extended JSON", data);
    if (status == SW_VALUE_OK)
        status = spell(&subtype, subtype_token, hex, scratch);
    if (status == SW_VALUE_OK && sw_bytes_is(sw_buffer_view(&subtype), "\"04\"") && bytes.len == 16) {
        sw_value_write_json(&text, &uuid, sw_buffer_view(&bytes));
        add_spelled(out, "$uuid", &text);
    } else if (status == SW_VALUE_OK) {
        sw_value_write_json(&text, &base64, sw_buffer_view(&bytes));
        begin_object(out, "$binary");
        begin_object(out, "base64");
        add_text(out, sw_bytes_of(text.at + 1, text.len - 2));
        add_text(out, SW_BYTES_LITERAL("subType"));
        add_text(out, sw_bytes_of(subtype.at + 1, subtype.len - 2));
        sw_buffer_add_byte(out, SW_ANY_END);
        sw_buffer_add_byte(out, SW_ANY_END);
    }
    if (bytes.failed || text.failed || subtype.failed)
        status = SW_VALUE_NO_MEMORY;
    sw_buffer_free(&bytes);
    sw_buffer_free(&text);
    sw_buffer_free(&subtype);
    return status;
}

static enum sw_value_status take_uuid(struct sw_buffer *out, struct sw_token value, struct sw_value_scratch *scratch)
{
    struct sw_buffer text = {0};
    enum sw_value_status status = spell(&text, value, (struct sw_type){.kind = SW_TYPE_UUID, .precision = -1}, scratch);
    if (status == SW_VALUE_OK)
        add_spelled(out, "$uuid", &text);
    sw_buffer_free(&text);
    return status;
}

static enum sw_value_status take_oid(struct sw_buffer *out, struct sw_token value, struct sw_value_scratch *scratch)
{
    char text[64];
    if (value.kind != SW_TOKEN_TEXT || value.escaped || value.len >= sizeof text)
        return sw_value__invalid(scratch, "the hexadecimal digits of an object's id", value);
    for (uint32_t i = 0; i < value.len; i++)
        text[i] = (char)(value.at[i] >= 'A' && value.at[i] <= 'F' ? value.at[i] | 0x20 : value.at[i]);
    begin_object(out, "$oid");
    add_text(out, sw_bytes_of((const uint8_t *)text, value.len));
    sw_buffer_add_byte(out, SW_ANY_END);
    return SW_VALUE_OK;
}

/* Version 1's way; options are a set of letters. */
static enum sw_value_status take_regex(struct sw_buffer *out, struct sw_token pattern, struct sw_token options, struct sw_value_scratch *scratch)
{
    struct sw_bytes text;
    char letters[16];
    uint32_t count = 0;
    if (pattern.kind != SW_TOKEN_TEXT || (options.kind != SW_TOKEN_TEXT && options.kind != SW_TOKEN_ABSENT) || (options.kind == SW_TOKEN_TEXT && options.len > sizeof letters))
        return sw_value__invalid(scratch, "a regular expression in Extended JSON", pattern);
    for (uint32_t i = 0; options.kind == SW_TOKEN_TEXT && i < options.len; i++) {
        uint32_t at = count++;
        for (; at && letters[at - 1] > (char)options.at[i]; at--)
            letters[at] = letters[at - 1];
        letters[at] = (char)options.at[i];
    }
    enum sw_value_status status = sw_value__text(&text, pattern, scratch);
    if (status != SW_VALUE_OK)
        return status;
    begin_object(out, "$regularExpression");
    begin_object(out, "options");
    add_text(out, sw_bytes_of((const uint8_t *)letters, count));
    add_text(out, SW_BYTES_LITERAL("pattern"));
    add_text(out, text);
    sw_buffer_add_byte(out, SW_ANY_END);
    sw_buffer_add_byte(out, SW_ANY_END);
    return SW_VALUE_OK;
}

enum sw_value_status sw_extended__rewrite(struct sw_buffer *out, size_t before, struct sw_bytes object, struct sw_value_scratch *scratch)
{
    static const char *const numbers[] = {"$numberInt", "$numberLong", "$numberDouble", "$numberDecimal"};
    const struct sw_token token = {.kind = SW_TOKEN_OBJECT, .at = object.at, .len = (uint32_t)object.len};
    struct sw_json_walk walk = sw_json_walk_begin(token);
    struct sw_token name, value, other_name, other;
    if (!sw_json_walk_member(&name, &value, &walk) || name.len < 4 || name.at[0] != '$')
        return SW_VALUE_OK;
    bool two = sw_json_walk_member(&other_name, &other, &walk), three = two && sw_json_walk_member(&other_name, &other, &walk);
    size_t encoded = out->len;
    enum sw_value_status status = SW_VALUE_OK;
    const char *number = NULL;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        number = is_name(name, numbers[i]) ? numbers[i] : number;
    if (three)
        return SW_VALUE_OK;
    out->len = before;
    if (!two && number)
        status = take_number(out, number, value, scratch);
    else if (!two && is_name(name, "$date"))
        status = take_date(out, value, scratch);
    else if (!two && is_name(name, "$uuid"))
        status = take_uuid(out, value, scratch);
    else if (!two && is_name(name, "$oid"))
        status = take_oid(out, value, scratch);
    else if (!two && is_name(name, "$binary") && value.kind == SW_TOKEN_OBJECT)
        status = take_binary(out, of(value, "base64"), of(value, "subType"), scratch);
    else if (two && (is_name(name, "$binary") || is_name(name, "$type")) && of(token, "$binary").kind != SW_TOKEN_ABSENT && of(token, "$type").kind != SW_TOKEN_ABSENT)
        status = take_binary(out, of(token, "$binary"), of(token, "$type"), scratch);
    else if (!two && is_name(name, "$regularExpression") && value.kind == SW_TOKEN_OBJECT)
        status = take_regex(out, of(value, "pattern"), of(value, "options"), scratch);
    else if (two && of(token, "$regex").kind == SW_TOKEN_TEXT && of(token, "$options").kind == SW_TOKEN_TEXT)
        status = take_regex(out, of(token, "$regex"), of(token, "$options"), scratch);
    else
        out->len = encoded; /* the object that it is */
    return out->failed ? SW_VALUE_NO_MEMORY : status;
}
