/* any, json, array: the tagged form of model/value_any.h.
 *
 * The reader checks JSON's grammar, depth and repeated names itself, since JSON that is carried as text has passed no scanner.
 * Members are encoded where they are found, then put in the order of their names. */
#include "model/value.h"

#include <stdio.h>
#include <stdlib.h>

#include "text/json_unescape.h"
#include "text/json_write.h"

/* A member of the object that is being read: where it stands in the output. */
struct member {
    size_t at;
    size_t len;      /* of name and value */
    size_t name_len; /* of the encoded name */
};

struct reader {
    const uint8_t *start, *at, *end;
    struct sw_buffer *out;
    struct sw_value_scratch *scratch;
    unsigned depth;
    enum sw_value_status status; /* why reading stopped */
    bool extended;               /* MongoDB's wrappers are what they mean */
};

static bool stop(struct reader *r, const char *expected)
{
    snprintf(r->scratch->problem, sizeof r->scratch->problem, "expected JSON, found %s at byte %zu of %zu", expected, (size_t)(r->at - r->start), (size_t)(r->end - r->start));
    r->status = SW_VALUE_INVALID;
    return false;
}

static bool no_memory(struct reader *r)
{
    r->status = SW_VALUE_NO_MEMORY;
    return false;
}

static bool add_tag(struct reader *r, uint8_t tag)
{
    sw_buffer_add_byte(r->out, tag);
    return !r->out->failed || no_memory(r);
}

static void skip_space(struct reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
}

static bool read_literal(struct reader *r, const char *word, uint8_t tag)
{
    size_t len = strlen(word);
    if ((size_t)(r->end - r->at) < len || memcmp(r->at, word, len) != 0)
        return stop(r, "an unknown word");
    r->at += len;
    return add_tag(r, tag);
}

static bool add_text(struct sw_buffer *out, struct sw_bytes text)
{
    if (!sw_buffer_reserve(out, SW_ANY_TEXT_MAX(text.len)))
        return false;
    out->len += sw_any_text_encode(out->at + out->len, text);
    return true;
}

/* Text with JSON escapes in it. Unescaped behind the place where the encoded form goes, so that no other room is needed. */
static bool add_escaped_text(struct sw_buffer *out, size_t *fault, struct sw_bytes inside)
{
    size_t room = SW_ANY_TEXT_MAX(inside.len), len;
    *fault = SIZE_MAX;
    if (!sw_buffer_reserve(out, room + inside.len))
        return false;
    uint8_t *plain = out->at + out->len + room;
    if (!sw_json_unescape(plain, &len, inside)) {
        *fault = len;
        return false;
    }
    out->len += sw_any_text_encode(out->at + out->len, sw_bytes_of(plain, len));
    return true;
}

static bool read_text(struct reader *r)
{
    const uint8_t *from = ++r->at;
    bool escaped = false;
    for (;; r->at++) {
        if (r->at == r->end)
            return stop(r, "the end inside a string");
        uint8_t byte = *r->at;
        if (byte == '"')
            break;
        if (byte < 0x20)
            return stop(r, "a control character in a string");
        if (byte == 0xed && r->end - r->at > 1 && r->at[1] >= 0xa0)
            return stop(r, "a surrogate outside an escape"); /* it could pair up with the next one */
        if (byte == '\\') {
            escaped = true;
            if (++r->at == r->end)
                return stop(r, "the end inside a string");
        }
    }
    struct sw_bytes inside = sw_bytes_of(from, (size_t)(r->at - from));
    r->at++;
    if (!escaped)
        return add_text(r->out, inside) || no_memory(r);
    size_t fault;
    if (add_escaped_text(r->out, &fault, inside))
        return true;
    if (fault == SIZE_MAX)
        return no_memory(r);
    r->at = from + fault;
    return stop(r, "an escape that JSON does not know");
}

static bool read_number(struct reader *r)
{
    const uint8_t *from = r->at;
    while (r->at < r->end && ((*r->at >= '0' && *r->at <= '9') || *r->at == '-' || *r->at == '+' || *r->at == '.' || (*r->at | 0x20) == 'e'))
        r->at++;
    struct sw_bytes text = sw_bytes_of(from, (size_t)(r->at - from));
    if (!sw_buffer_reserve(r->out, SW_ANY_INTEGER_MAX))
        return no_memory(r);
    size_t len = sw_any_integer_encode(r->out->at + r->out->len, text);
    if (len) {
        r->out->len += len;
        return true;
    }
    struct sw_number number;
    switch (sw_number__parse(&number, text, true)) {
    case SW_NUMBER_OK: return sw_number__encode(r->out, &number) || no_memory(r);
    case SW_NUMBER_FAR: r->at = from; return stop(r, "a number of more than 1000000 places");
    case SW_NUMBER_NONE: break;
    }
    r->at = from;
    return stop(r, "no value");
}

static int compare_names(const struct sw_buffer *out, struct member a, struct member b)
{
    return sw_bytes_compare(sw_bytes_of(out->at + a.at, a.name_len), sw_bytes_of(out->at + b.at, b.name_len));
}

static int by_name(const void *a, const void *b, void *ctx)
{
    return compare_names(ctx, *(const struct member *)a, *(const struct member *)b);
}

/* Puts the members that stand in the output from `start` on into the order of their names. */
static bool order_members(struct reader *r, size_t start, struct member *members, size_t count)
{
    bool sorted = true;
    for (size_t i = 1; i < count && sorted; i++)
        sorted = compare_names(r->out, members[i - 1], members[i]) < 0;
    if (sorted)
        return true;
    qsort_r(members, count, sizeof *members, by_name, r->out);
    for (size_t i = 1; i < count; i++)
        if (compare_names(r->out, members[i - 1], members[i]) == 0)
            return stop(r, "an object with a repeated name that ends");
    size_t len = r->out->len - start;
    if (!sw_buffer_reserve(r->out, len))
        return no_memory(r);
    uint8_t *to = r->out->at + r->out->len;
    for (size_t i = 0; i < count; i++) {
        memcpy(to, r->out->at + members[i].at, members[i].len);
        to += members[i].len;
    }
    memcpy(r->out->at + start, r->out->at + r->out->len, len);
    return true;
}

static bool read_value(struct reader *r);

static bool read_members(struct reader *r)
{
    size_t first = r->scratch->members.len, start = r->out->len;
    for (bool more = true; more;) {
        skip_space(r);
        if (r->at == r->end || *r->at != '"')
            return stop(r, "no name of a member");
        struct member member = {.at = r->out->len};
        if (!read_text(r))
            return false;
        member.name_len = r->out->len - member.at;
        skip_space(r);
        if (r->at == r->end || *r->at != ':')
            return stop(r, "no colon after a name");
        r->at++;
        skip_space(r);
        if (!read_value(r))
            return false;
        member.len = r->out->len - member.at;
        sw_buffer_add(&r->scratch->members, &member, sizeof member);
        if (r->scratch->members.failed)
            return no_memory(r);
        skip_space(r);
        more = r->at < r->end && *r->at == ',';
        r->at += more;
    }
    if (r->at == r->end || *r->at != '}')
        return stop(r, "no end of an object");
    r->at++;
    struct member *members = (struct member *)(void *)(r->scratch->members.at + first);
    if (!order_members(r, start, members, (r->scratch->members.len - first) / sizeof *members))
        return false;
    r->scratch->members.len = first;
    return true;
}

static bool read_elements(struct reader *r)
{
    for (bool more = true; more;) {
        skip_space(r);
        if (!read_value(r))
            return false;
        skip_space(r);
        more = r->at < r->end && *r->at == ',';
        r->at += more;
    }
    if (r->at == r->end || *r->at != ']')
        return stop(r, "no end of an array");
    r->at++;
    return true;
}

static bool read_container(struct reader *r, bool object)
{
    const uint8_t *from = r->at;
    size_t before = r->out->len;
    if (r->depth == SW_VALUE_DEPTH_MAX)
        return stop(r, "a depth of more than 512");
    if (!add_tag(r, object ? SW_ANY_OBJECT : SW_ANY_ARRAY))
        return false;
    r->depth++;
    r->at++;
    skip_space(r);
    if (r->at < r->end && *r->at == (object ? '}' : ']'))
        r->at++;
    else if (!(object ? read_members(r) : read_elements(r)))
        return false;
    r->depth--;
    if (!add_tag(r, SW_ANY_END))
        return false;
    if (object && r->extended)
        r->status = sw_extended__rewrite(r->out, before, sw_bytes_of(from, (size_t)(r->at - from)), r->scratch);
    return r->status == SW_VALUE_OK;
}

static bool read_value(struct reader *r)
{
    if (r->at == r->end)
        return stop(r, "the end");
    switch (*r->at) {
    case '{': return read_container(r, true);
    case '[': return read_container(r, false);
    case '"': return read_text(r);
    case 't': return read_literal(r, "true", SW_ANY_TRUE);
    case 'f': return read_literal(r, "false", SW_ANY_FALSE);
    case 'n': return read_literal(r, "null", SW_ANY_NULL);
    default: return read_number(r);
    }
}

static enum sw_value_status encode_json(struct sw_buffer *out, struct sw_bytes text, bool extended, struct sw_value_scratch *scratch)
{
    struct reader r = {text.at, text.at, text.at + text.len, out, scratch, 0, SW_VALUE_OK, extended};
    sw_buffer_clear(&scratch->members);
    scratch->members.failed = false;
    skip_space(&r);
    if (!read_value(&r))
        return r.status;
    skip_space(&r);
    if (r.at != r.end) {
        stop(&r, "more after the value");
        return r.status;
    }
    return SW_VALUE_OK;
}

enum sw_value_status sw_any__encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch)
{
    struct sw_bytes text = sw_bytes_of(token.at, token.len);
    if (token.kind == SW_TOKEN_NUMBER && type->kind != SW_TYPE_ARRAY && sw_buffer_reserve(out, SW_ANY_INTEGER_MAX)) {
        size_t len = sw_any_integer_encode(out->at + out->len, text);
        if (len) {
            out->len += len;
            return SW_VALUE_OK;
        }
    }
    bool in_record = token.kind == SW_TOKEN_TEXT && type->kind == SW_TYPE_JSON && scratch->bare_texts;
    if (token.kind == SW_TOKEN_TEXT && (type->kind == SW_TYPE_ANY || (in_record && type->json_text == SW_JSON_TEXT_BARE))) {
        size_t fault = SIZE_MAX;
        if (token.escaped ? add_escaped_text(out, &fault, text) : add_text(out, text))
            return SW_VALUE_OK;
        return fault == SIZE_MAX ? SW_VALUE_NO_MEMORY : sw_value__invalid(scratch, "text with JSON's escapes", token);
    }
    if (token.kind == SW_TOKEN_TEXT) {
        enum sw_value_status status = sw_value__text(&text, token, scratch);
        if (status != SW_VALUE_OK)
            return status;
    } else if (token.kind == SW_TOKEN_TRUE || token.kind == SW_TOKEN_FALSE) {
        text = token.kind == SW_TOKEN_TRUE ? SW_BYTES_LITERAL("true") : SW_BYTES_LITERAL("false");
    }
    size_t before = out->len;
    enum sw_value_status status = encode_json(out, text, type->extended, scratch);
    bool nested = text.len && (text.at[0] == '{' || text.at[0] == '['); /* meant as JSON: what is wrong with it is told */
    if (in_record && type->json_text == SW_JSON_TEXT_UNTOLD && ((status == SW_VALUE_INVALID && !nested) || (status == SW_VALUE_OK && out->at[before] < SW_ANY_TEXT))) {
        out->len = before;
        return sw_value__invalid(scratch, "JSON text of an object, an array or a string, or a declaration: 'json bare' if texts are strings as they stand, 'json parsed' if they are JSON text", token);
    }
    if (status == SW_VALUE_OK && type->kind == SW_TYPE_ARRAY && out->at[before] != SW_ANY_ARRAY)
        return sw_value__invalid(scratch, "a JSON array", token);
    return status;
}

/* Bytes of the encoded text (tag and end included) at the front of `bytes`; 0 if it is cut. */
static size_t text_length(struct sw_bytes bytes)
{
    for (size_t at = 1; at + 1 < bytes.len; at++) {
        const uint8_t *nul = memchr(bytes.at + at, 0, bytes.len - 1 - at);
        if (!nul)
            return 0;
        at = (size_t)(nul - bytes.at) + 1;
        if (bytes.at[at] == 0)
            return at + 1;
        if (bytes.at[at] != 0xff)
            return 0;
    }
    return 0;
}

size_t sw_any__length(struct sw_bytes bytes)
{
    unsigned depth = 0;
    for (size_t at = 0; at < bytes.len;) {
        uint8_t tag = bytes.at[at];
        struct sw_bytes rest = sw_bytes_of(bytes.at + at, bytes.len - at);
        size_t len = 1;
        if (tag == SW_ANY_TEXT) {
            len = text_length(rest);
        } else if (tag >= SW_ANY_NUMBER_FIRST && tag <= SW_ANY_NUMBER_LAST) {
            len = sw_number__length(rest);
        } else if (tag == SW_ANY_ARRAY || tag == SW_ANY_OBJECT) {
            if (++depth > SW_VALUE_DEPTH_MAX)
                return 0;
        } else if (tag == SW_ANY_END) {
            if (depth-- == 0)
                return 0;
        } else if (tag != SW_ANY_NULL && tag != SW_ANY_FALSE && tag != SW_ANY_TRUE) {
            return 0;
        }
        if (len == 0)
            return 0;
        at += len;
        if (depth == 0)
            return at;
    }
    return 0;
}

/* Appends the text at the front of `bytes` as a JSON string; `len` as text_length has it. */
static void write_text(struct sw_buffer *out, struct sw_bytes bytes, size_t len)
{
    sw_buffer_add_byte(out, '"');
    for (size_t at = 1; at < len - 2;) {
        const uint8_t *nul = memchr(bytes.at + at, 0, len - 2 - at);
        size_t end = nul ? (size_t)(nul - bytes.at) + 1 : len - 2;
        sw_json_write_text_inside(out, sw_bytes_of(bytes.at + at, end - at));
        at = end + (nul != NULL);
    }
    sw_buffer_add_byte(out, '"');
}

/* Appends one value and returns its bytes; 0 if it is malformed. */
static size_t write_value(struct sw_buffer *out, struct sw_bytes bytes, unsigned depth)
{
    size_t len = 1;
    if (bytes.len == 0)
        return 0;
    uint8_t tag = bytes.at[0];
    switch (tag) {
    case SW_ANY_NULL: sw_buffer_add_text(out, "null"); return 1;
    case SW_ANY_FALSE: sw_buffer_add_text(out, "false"); return 1;
    case SW_ANY_TRUE: sw_buffer_add_text(out, "true"); return 1;
    case SW_ANY_TEXT:
        len = text_length(bytes);
        if (len)
            write_text(out, bytes, len);
        return len;
    case SW_ANY_ARRAY:
    case SW_ANY_OBJECT: break;
    default:
        len = sw_number__length(bytes);
        if (len)
            sw_number__write(out, sw_bytes_of(bytes.at, len));
        return len;
    }
    if (depth == SW_VALUE_DEPTH_MAX)
        return 0;
    sw_buffer_add_byte(out, tag == SW_ANY_ARRAY ? '[' : '{');
    for (bool first = true; len < bytes.len && bytes.at[len] != SW_ANY_END; first = false) {
        if (!first)
            sw_buffer_add_byte(out, ',');
        if (tag == SW_ANY_OBJECT) {
            struct sw_bytes name = sw_bytes_of(bytes.at + len, bytes.len - len);
            size_t name_len = name.at[0] == SW_ANY_TEXT ? text_length(name) : 0;
            if (name_len == 0)
                return 0;
            write_text(out, name, name_len);
            sw_buffer_add_byte(out, ':');
            len += name_len;
        }
        size_t value_len = write_value(out, sw_bytes_of(bytes.at + len, bytes.len - len), depth + 1);
        if (value_len == 0)
            return 0;
        len += value_len;
    }
    if (len == bytes.len)
        return 0;
    sw_buffer_add_byte(out, tag == SW_ANY_ARRAY ? ']' : '}');
    return len + 1;
}

/* What most values are: a text in which nothing is escaped, here or in JSON, and a natural number. False, and nothing is written: it may be neither. */
static bool write_usual(struct sw_buffer *out, struct sw_bytes canonical)
{
    if (canonical.len < 3 || canonical.at[0] != SW_ANY_TEXT)
        return sw_number__write_natural(out, canonical);
    bool ends = canonical.at[canonical.len - 2] == 0 && canonical.at[canonical.len - 1] == 0;
    return ends && sw_json_write_plain_text(out, sw_bytes_of(canonical.at + 1, canonical.len - 3)); /* a NUL is not plain */
}

void sw_any__write(struct sw_buffer *out, const struct sw_type *type, struct sw_bytes canonical)
{
    if (type->kind != SW_TYPE_JSON && write_usual(out, canonical))
        return;
    bool carried = type->kind == SW_TYPE_JSON && canonical.len && (canonical.at[0] == SW_ANY_TEXT || canonical.at[0] == SW_ANY_NULL);
    if (!carried) {
        write_value(out, canonical, 0);
        return;
    }
    /* Under json, text is JSON text, and a bare null is the column's NULL: a JSON string and a JSON null need their quotes. */
    struct sw_buffer inner = {0};
    write_value(&inner, canonical, 0);
    if (inner.failed)
        out->failed = true;
    else
        sw_json_write_text(out, sw_buffer_view(&inner));
    sw_buffer_free(&inner);
}
