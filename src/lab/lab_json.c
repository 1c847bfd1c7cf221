#include "lab/lab_document.h"

#include "base/error.h"
#include "base/memory.h"

/* Python's recursion limit of 1000 less the calls that the reference is in when it meets the outermost bracket. */
#define DEPTH_MAX 995
/* sys.get_int_max_str_digits() of CPython 3.11. */
#define INTEGER_DIGITS_MAX 4300

struct parser {
    struct lab_document *document;
    const uint8_t *at; /* document->text */
    size_t len, pos;
    struct sw_error *error;
    uint32_t open[DEPTH_MAX]; /* nodes of the open containers, outermost first */
    size_t depth;
};

/* As JSONDecodeError words it; columns and characters are code points, counted up to `pos`. */
static enum sw_code refuse_at(struct parser *parser, const char *what, size_t pos)
{
    size_t line = 1, characters = 0, line_start = 0;
    for (size_t i = 0; i < pos; i++) {
        characters += (parser->at[i] & 0xC0) != 0x80;
        if (parser->at[i] == '\n') {
            line++;
            line_start = characters;
        }
    }
    size_t column = characters - line_start + 1;
    sw_fail(parser->error, SW_ERR_INPUT, "%s: line %zu column %zu (char %zu)", what, line, column, characters);
    sw_error_place(parser->error, NULL, line, column, pos);
    return SW_ERR_INPUT;
}

static enum sw_code push(struct parser *parser, struct lab_node node)
{
    struct lab_document *document = parser->document;
    if (document->count == document->capacity) {
        uint32_t capacity = document->capacity ? document->capacity * 2 : 64;
        struct lab_node *nodes = sw_realloc_array(document->nodes, capacity, sizeof *nodes);
        if (!nodes)
            return sw_fail_memory(parser->error, "the values of a document", capacity * sizeof *nodes);
        document->nodes = nodes;
        document->capacity = capacity;
    }
    node.next = document->count + 1;
    document->nodes[document->count++] = node;
    return SW_OK;
}

static void skip_space(struct parser *parser)
{
    while (parser->pos < parser->len) {
        uint8_t c = parser->at[parser->pos];
        if (c != ' ' && c != '\n' && c != '\t' && c != '\r')
            return;
        parser->pos++;
    }
}

static bool next_is(const struct parser *parser, uint8_t c)
{
    return parser->pos < parser->len && parser->at[parser->pos] == c;
}

static bool digit_at(const struct parser *parser, size_t pos)
{
    return pos < parser->len && parser->at[pos] >= '0' && parser->at[pos] <= '9';
}

static int hex_value(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* The four digits of an escape whose 'u' is at `u`. Like Python, wants a character behind the digits: at the very end of
 * the text it complains of the escape, not of the missing quote. */
static bool hex4(uint32_t *unit, const struct parser *parser, size_t u)
{
    if (parser->len - u <= 5)
        return false;
    *unit = 0;
    for (size_t i = 1; i <= 4; i++) {
        int value = hex_value(parser->at[u + i]);
        if (value < 0)
            return false;
        *unit = *unit << 4 | (uint32_t)value;
    }
    return true;
}

/* Surrogates are written like any other character of three bytes. No two texts come out alike, since a high and a low
 * surrogate that stand side by side have become one character before this. */
static size_t put_utf8(uint8_t *to, uint32_t c)
{
    if (c < 0x80) {
        to[0] = (uint8_t)c;
        return 1;
    }
    if (c < 0x800) {
        to[0] = (uint8_t)(0xC0 | c >> 6);
        to[1] = (uint8_t)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        to[0] = (uint8_t)(0xE0 | c >> 12);
        to[1] = (uint8_t)(0x80 | (c >> 6 & 0x3F));
        to[2] = (uint8_t)(0x80 | (c & 0x3F));
        return 3;
    }
    to[0] = (uint8_t)(0xF0 | c >> 18);
    to[1] = (uint8_t)(0x80 | (c >> 12 & 0x3F));
    to[2] = (uint8_t)(0x80 | (c >> 6 & 0x3F));
    to[3] = (uint8_t)(0x80 | (c & 0x3F));
    return 4;
}

/* Takes the escape at `pos` (the backslash) and appends its character. */
static enum sw_code scan_escape(struct parser *parser, size_t string_start)
{
    static const uint8_t simple[256] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
                                        ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};
    struct lab_document *document = parser->document;
    size_t backslash = parser->pos;
    if (backslash + 1 == parser->len)
        return refuse_at(parser, "Unterminated string starting at", string_start);
    uint8_t c = parser->at[backslash + 1];
    if (c != 'u') {
        if (!simple[c])
            return refuse_at(parser, "Invalid \\escape", backslash);
        document->unescaped[document->unescaped_len++] = simple[c];
        parser->pos = backslash + 2;
        return SW_OK;
    }
    uint32_t unit;
    if (!hex4(&unit, parser, backslash + 1))
        return refuse_at(parser, "Invalid \\uXXXX escape", backslash + 1);
    size_t end = backslash + 6;
    if ((unit & 0xFC00) == 0xD800 && parser->len - end >= 2 && parser->at[end] == '\\' && parser->at[end + 1] == 'u') {
        uint32_t low;
        if (!hex4(&low, parser, end + 1))
            return refuse_at(parser, "Invalid \\uXXXX escape", end + 1);
        if ((low & 0xFC00) == 0xDC00) {
            unit = 0x10000 + ((unit & 0x3FF) << 10 | (low & 0x3FF));
            end += 6;
        }
    }
    document->unescaped_len += (uint32_t)put_utf8(document->unescaped + document->unescaped_len, unit);
    parser->pos = end;
    return SW_OK;
}

/* Takes the string whose opening quote is at `pos`. */
static enum sw_code scan_string(struct parser *parser)
{
    struct lab_document *document = parser->document;
    size_t start = parser->pos++, chunk = parser->pos;
    uint32_t unescaped_start = document->unescaped_len;
    bool escaped = false;
    for (;;) {
        uint8_t c = 0;
        while (parser->pos < parser->len && (c = parser->at[parser->pos]) >= 0x20 && c != '"' && c != '\\')
            parser->pos++;
        if (parser->pos == parser->len)
            return refuse_at(parser, "Unterminated string starting at", start);
        if (c < 0x20)
            return refuse_at(parser, "Invalid control character at", parser->pos);
        if (c == '\\' && !document->unescaped) {
            /* No escape is shorter than its character, so what all strings of the text unescape to fits. */
            document->unescaped = sw_malloc(parser->len);
            if (!document->unescaped)
                return sw_fail_memory(parser->error, "the strings of a document", parser->len);
        }
        if (c == '\\' || escaped) {
            memcpy(document->unescaped + document->unescaped_len, parser->at + chunk, parser->pos - chunk);
            document->unescaped_len += (uint32_t)(parser->pos - chunk);
        }
        if (c == '"')
            break;
        escaped = true;
        enum sw_code code = scan_escape(parser, start);
        if (code < 0)
            return code;
        chunk = parser->pos;
    }
    struct lab_node node = {.kind = LAB_STRING};
    if (escaped) {
        node.as.string.at = (uint32_t)parser->len + unescaped_start;
        node.as.string.len = document->unescaped_len - unescaped_start;
    } else {
        node.as.string.at = (uint32_t)chunk;
        node.as.string.len = (uint32_t)(parser->pos - chunk);
    }
    parser->pos++;
    return push(parser, node);
}

static int64_t integer_value(const uint8_t *digits, size_t count, bool negative)
{
    if (count > 18)
        return negative ? INT64_MIN : INT64_MAX;
    int64_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = value * 10 + (digits[i] - '0');
    return negative ? -value : value;
}

/* Takes the longest number that stands at `pos`. What follows is not looked at: "01" is 0 and something more, "1.e5" is 1 and
 * something more, and it is for the surroundings to complain. */
static enum sw_code scan_number(struct parser *parser)
{
    size_t start = parser->pos, digits = start + (parser->at[start] == '-'), end = digits;
    if (!digit_at(parser, digits))
        return refuse_at(parser, "Expecting value", start);
    if (parser->at[end] == '0')
        end++;
    else
        while (digit_at(parser, end))
            end++;
    size_t integer_end = end;
    if (end < parser->len && parser->at[end] == '.' && digit_at(parser, end + 1))
        for (end++; digit_at(parser, end);)
            end++;
    if (end < parser->len && (parser->at[end] == 'e' || parser->at[end] == 'E')) {
        size_t exponent = end + 1;
        if (exponent < parser->len && (parser->at[exponent] == '-' || parser->at[exponent] == '+'))
            exponent++;
        if (digit_at(parser, exponent))
            for (end = exponent; digit_at(parser, end);)
                end++;
    }
    parser->pos = end;
    if (end > integer_end)
        return push(parser, (struct lab_node){.kind = LAB_FLOAT});
    size_t count = end - digits;
    if (count > INTEGER_DIGITS_MAX) {
        sw_fail(parser->error, SW_ERR_LIMIT,
                "Exceeds the limit (%d digits) for integer string conversion: value has %zu digits; "
                "use sys.set_int_max_str_digits() to increase the limit",
                INTEGER_DIGITS_MAX, count);
        sw_error_place(parser->error, NULL, 0, 0, start);
        return SW_ERR_LIMIT;
    }
    int64_t value = integer_value(parser->at + digits, count, digits > start);
    return push(parser, (struct lab_node){.kind = LAB_INTEGER, .as.integer = value});
}

static bool literal(struct parser *parser, const char *word)
{
    size_t len = strlen(word);
    if (parser->len - parser->pos < len || memcmp(parser->at + parser->pos, word, len) != 0)
        return false;
    parser->pos += len;
    return true;
}

/* Takes a value that is no container. */
static enum sw_code scan_scalar(struct parser *parser)
{
    if (parser->pos == parser->len)
        return refuse_at(parser, "Expecting value", parser->pos);
    if (parser->at[parser->pos] == '"')
        return scan_string(parser);
    if (literal(parser, "null"))
        return push(parser, (struct lab_node){.kind = LAB_NULL});
    if (literal(parser, "true"))
        return push(parser, (struct lab_node){.kind = LAB_TRUE});
    if (literal(parser, "false"))
        return push(parser, (struct lab_node){.kind = LAB_FALSE});
    if (literal(parser, "NaN") || literal(parser, "Infinity") || literal(parser, "-Infinity"))
        return push(parser, (struct lab_node){.kind = LAB_FLOAT});
    return scan_number(parser);
}

/* Takes a name and its colon, up to the value. */
static enum sw_code scan_name(struct parser *parser)
{
    if (!next_is(parser, '"'))
        return refuse_at(parser, "Expecting property name enclosed in double quotes", parser->pos);
    enum sw_code code = scan_string(parser);
    if (code < 0)
        return code;
    skip_space(parser);
    if (!next_is(parser, ':'))
        return refuse_at(parser, "Expecting ':' delimiter", parser->pos);
    parser->pos++;
    skip_space(parser);
    return SW_OK;
}

static enum sw_code open_container(struct parser *parser, enum lab_kind kind)
{
    if (parser->depth == DEPTH_MAX) {
        sw_fail(parser->error, SW_ERR_LIMIT, "maximum recursion depth exceeded while decoding a JSON %s from a unicode string",
                kind == LAB_ARRAY ? "array" : "object");
        sw_error_place(parser->error, NULL, 0, 0, parser->pos);
        return SW_ERR_LIMIT;
    }
    parser->open[parser->depth++] = parser->document->count;
    parser->pos++;
    skip_space(parser);
    return push(parser, (struct lab_node){.kind = kind});
}

/* Duplicate names are found when an object closes, not when the second name is read: a syntax error further in wins. */
static enum sw_code close_container(struct parser *parser)
{
    uint32_t index = parser->open[--parser->depth];
    struct lab_node *node = &parser->document->nodes[index];
    parser->pos++;
    node->next = parser->document->count;
    return node->kind == LAB_OBJECT ? lab_document_check_names(parser->document, index, parser->error) : SW_OK;
}

/* After a value: closes what closes here and takes the comma, so that a value must follow, or comes to the outermost end. */
static enum sw_code scan_after_value(struct parser *parser)
{
    while (parser->depth) {
        struct lab_node *container = &parser->document->nodes[parser->open[parser->depth - 1]];
        bool object = container->kind == LAB_OBJECT;
        container->as.count++;
        skip_space(parser);
        if (next_is(parser, object ? '}' : ']')) {
            enum sw_code code = close_container(parser);
            if (code < 0)
                return code;
            continue;
        }
        if (!next_is(parser, ','))
            return refuse_at(parser, "Expecting ',' delimiter", parser->pos);
        parser->pos++;
        skip_space(parser);
        return object ? scan_name(parser) : SW_OK;
    }
    return SW_END;
}

/* Takes one value, or the start of one: an opening bracket with what stands before its first value. */
static enum sw_code scan_value(struct parser *parser)
{
    bool object = next_is(parser, '{');
    if (!object && !next_is(parser, '[')) {
        enum sw_code code = scan_scalar(parser);
        return code < 0 ? code : scan_after_value(parser);
    }
    enum sw_code code = open_container(parser, object ? LAB_OBJECT : LAB_ARRAY);
    if (code < 0)
        return code;
    if (next_is(parser, object ? '}' : ']')) {
        code = close_container(parser);
        return code < 0 ? code : scan_after_value(parser);
    }
    return object ? scan_name(parser) : SW_OK;
}

enum sw_code lab_document_parse(struct lab_document *document, struct sw_bytes text, struct sw_error *error)
{
    struct parser parser = {.document = document, .at = text.at, .len = text.len, .error = error};
    document->text = text;
    if (literal(&parser, "\xEF\xBB\xBF"))
        return refuse_at(&parser, "Unexpected UTF-8 BOM (decode using utf-8-sig)", 0);
    skip_space(&parser);
    enum sw_code code;
    do
        code = scan_value(&parser);
    while (code == SW_OK);
    if (code < 0)
        return code;
    skip_space(&parser);
    if (parser.pos < parser.len)
        return refuse_at(&parser, "Extra data", parser.pos);
    return SW_OK;
}

void lab_document_free(struct lab_document *document)
{
    sw_free(document->nodes);
    sw_free(document->unescaped);
    sw_free(document->names);
    *document = (struct lab_document){0};
}
