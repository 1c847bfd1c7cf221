#include "mapping/condition.h"

#include <stdio.h>

#include "base/memory.h"
#include "text/json_write.h"
#include "text/utf8.h"

#define SHOWN_BYTES 192u /* 24 bytes, each escaped */

struct span { size_t at, len; };

struct parser {
    struct sw_bytes text;
    size_t at;
    unsigned depth;
    struct sw_condition *out;
    struct span *columns, *literals; /* in out->names; views are made once the buffer stands still */
    struct sw_error *error;
};

static enum sw_code parse_or(uint32_t *node, struct parser *parser);

static uint8_t at_end(const struct parser *parser, size_t ahead) { return parser->at + ahead < parser->text.len ? parser->text.at[parser->at + ahead] : 0; }

static void skip_blanks(struct parser *parser)
{
    while (at_end(parser, 0) == ' ' || (at_end(parser, 0) >= '\t' && at_end(parser, 0) <= '\r'))
        parser->at++;
}

/* What stands here, for a message. */
static void show_rest(char out[SHOWN_BYTES], const struct parser *parser)
{
    size_t len = parser->text.len - parser->at, kept = len < 24 ? len : 24;
    struct sw_buffer shown = {0};
    while (kept < len && kept && (parser->text.at[parser->at + kept] & 0xc0) == 0x80)
        kept--;
    if (len)
        sw_json_write_text_inside(&shown, sw_bytes_of(parser->text.at + parser->at, kept));
    const char *text = len ? sw_buffer_text(&shown) : NULL;
    if (len)
        snprintf(out, SHOWN_BYTES, "'%s%s'", text ? text : "", kept < len ? "…" : "");
    else
        snprintf(out, SHOWN_BYTES, "the end");
    sw_buffer_free(&shown);
}

static enum sw_code refuse(struct parser *parser, const char *expected)
{
    char found[SHOWN_BYTES];
    skip_blanks(parser);
    show_rest(found, parser);
    return sw_fail(parser->error, SW_ERR_USAGE, "expected %s at character %zu, found %s", expected, parser->at + 1, found);
}

static enum sw_code too_many(struct parser *parser, const char *what, unsigned limit) { return sw_fail(parser->error, SW_ERR_LIMIT, "it has more than %u %s", limit, what); }

static bool is_name_byte(uint8_t byte, bool first)
{
    bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || byte == '_' || byte >= 0x80;
    return letter || (!first && ((byte >= '0' && byte <= '9') || byte == '.' || byte == '$' || byte == '#'));
}

static size_t word_length(const struct parser *parser)
{
    size_t len = 0;
    while (is_name_byte(at_end(parser, len), len == 0))
        len++;
    return len;
}

static bool same_word(const uint8_t *at, size_t len, const char *word)
{
    size_t i = 0;
    for (; i < len && word[i]; i++)
        if ((at[i] >= 'a' && at[i] <= 'z' ? at[i] - 'a' + 'A' : at[i]) != word[i])
            return false;
    return i == len && !word[i];
}

/* Takes a word of the language, in any case. */
static bool take_word(struct parser *parser, const char *word)
{
    skip_blanks(parser);
    size_t len = word_length(parser);
    if (!same_word(parser->text.at + parser->at, len, word))
        return false;
    parser->at += len;
    return true;
}

static bool take_byte(struct parser *parser, uint8_t byte)
{
    skip_blanks(parser);
    if (at_end(parser, 0) != byte || parser->at == parser->text.len)
        return false;
    parser->at++;
    return true;
}

/* Text between quotes, each quote inside doubled. Appends it to out->names. */
static enum sw_code take_quoted(struct span *out, struct parser *parser, uint8_t quote)
{
    struct sw_buffer *names = &parser->out->names;
    size_t begun = parser->at++;
    out->at = names->len;
    for (;; parser->at++) {
        if (parser->at == parser->text.len) {
            parser->at = begun;
            return refuse(parser, quote == '"' ? "a name that ends with a double quote" : "a text that ends with a single quote");
        }
        uint8_t byte = parser->text.at[parser->at];
        if (byte == quote) {
            parser->at++;
            if (at_end(parser, 0) != quote)
                break;
        }
        if (byte == 0 && quote == '"')
            return refuse(parser, "a name without NUL");
        sw_buffer_add_byte(names, byte);
    }
    out->len = names->len - out->at;
    return names->failed ? sw_fail_memory(parser->error, "a condition", parser->text.len) : SW_OK;
}

static bool is_reserved(const uint8_t *at, size_t len)
{
    static const char *const words[] = {"AND", "OR", "NOT", "IN", "IS", "NULL", "TRUE", "FALSE", "BETWEEN", "LIKE"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (same_word(at, len, words[i]))
            return true;
    return false;
}

static enum sw_code take_column(uint32_t *index, struct parser *parser)
{
    struct sw_condition *out = parser->out;
    struct span span = {out->names.len, 0};
    skip_blanks(parser);
    if (at_end(parser, 0) == '"') {
        enum sw_code code = take_quoted(&span, parser, '"');
        if (code < 0)
            return code;
    } else {
        size_t len = word_length(parser);
        if (!len || is_reserved(parser->text.at + parser->at, len))
            return refuse(parser, "the name of a column");
        sw_buffer_add(&out->names, parser->text.at + parser->at, len);
        span.len = len;
        parser->at += len;
    }
    if (out->names.failed)
        return sw_fail_memory(parser->error, "a condition", span.len);
    struct sw_bytes name = sw_bytes_of(out->names.at + span.at, span.len);
    for (uint32_t i = 0; i < out->column_count; i++)
        if (sw_bytes_equal(sw_bytes_of(out->names.at + parser->columns[i].at, parser->columns[i].len), name)) {
            *index = i;
            return SW_OK;
        }
    if (out->column_count == SW_CONDITION_COLUMNS_MAX)
        return too_many(parser, "columns", SW_CONDITION_COLUMNS_MAX);
    struct span *grown = sw_realloc_array(parser->columns, out->column_count + 1, sizeof *grown);
    if (!grown)
        return sw_fail_memory(parser->error, "a condition", sizeof *grown);
    parser->columns = grown;
    grown[out->column_count] = span;
    *index = out->column_count++;
    return SW_OK;
}

/* A number by JSON's grammar. */
static size_t number_length(const struct parser *parser)
{
    size_t len = at_end(parser, 0) == '-', digits = len;
    while (at_end(parser, len) >= '0' && at_end(parser, len) <= '9')
        len++;
    if (len == digits || (at_end(parser, digits) == '0' && len > digits + 1))
        return 0;
    if (at_end(parser, len) == '.') {
        digits = ++len;
        while (at_end(parser, len) >= '0' && at_end(parser, len) <= '9')
            len++;
        if (len == digits)
            return 0;
    }
    if (at_end(parser, len) == 'e' || at_end(parser, len) == 'E') {
        len++;
        len += at_end(parser, len) == '+' || at_end(parser, len) == '-';
        digits = len;
        while (at_end(parser, len) >= '0' && at_end(parser, len) <= '9')
            len++;
        if (len == digits)
            return 0;
    }
    return is_name_byte(at_end(parser, len), false) ? 0 : len;
}

static enum sw_code take_literal(struct parser *parser, uint32_t column)
{
    struct sw_condition *out = parser->out;
    struct span span = {out->names.len, 0};
    uint8_t kind = SW_TOKEN_TEXT;
    skip_blanks(parser);
    size_t number = number_length(parser);
    if (out->literal_count == SW_CONDITION_LITERALS_MAX)
        return too_many(parser, "values", SW_CONDITION_LITERALS_MAX);
    if ((out->literal_count & (out->literal_count - 1)) == 0) {
        size_t capacity = out->literal_count ? 2 * (size_t)out->literal_count : 4;
        struct sw_condition_literal *grown = sw_realloc_array(out->literals, capacity, sizeof *grown);
        if (grown)
            out->literals = grown;
        struct span *spans = sw_realloc_array(parser->literals, capacity, sizeof *spans);
        if (spans)
            parser->literals = spans;
        if (!grown || !spans)
            return sw_fail_memory(parser->error, "a condition", capacity * sizeof *grown);
    }
    if (at_end(parser, 0) == '\'') {
        enum sw_code code = take_quoted(&span, parser, '\'');
        if (code < 0)
            return code;
    } else if (number) {
        kind = SW_TOKEN_NUMBER;
        sw_buffer_add(&out->names, parser->text.at + parser->at, number);
        span.len = number;
        parser->at += number;
    } else if (take_word(parser, "TRUE") || take_word(parser, "FALSE")) {
        kind = (parser->text.at[parser->at - 1] | 0x20) == 'e' && (parser->text.at[parser->at - 4] | 0x20) == 't' ? SW_TOKEN_TRUE : SW_TOKEN_FALSE;
    } else {
        size_t len = word_length(parser);
        return refuse(parser, same_word(parser->text.at + parser->at, len, "NULL") ? "a value: nothing equals NULL, IS NULL and IS NOT NULL ask for it;" : "a number, a text in single quotes, TRUE or FALSE");
    }
    if (out->names.failed)
        return sw_fail_memory(parser->error, "a condition", span.len);
    parser->literals[out->literal_count] = span;
    out->literals[out->literal_count++] = (struct sw_condition_literal){.token = {.kind = kind}, .column = column};
    return SW_OK;
}

static enum sw_code add_node(uint32_t *index, struct parser *parser, struct sw_condition_node node)
{
    struct sw_condition *out = parser->out;
    if (out->node_count == SW_CONDITION_NODES_MAX)
        return too_many(parser, "conditions", SW_CONDITION_NODES_MAX);
    if ((out->node_count & (out->node_count - 1)) == 0) {
        struct sw_condition_node *grown = sw_realloc_array(out->nodes, out->node_count ? 2 * (size_t)out->node_count : 4, sizeof *grown);
        if (!grown)
            return sw_fail_memory(parser->error, "a condition", sizeof *grown);
        out->nodes = grown;
    }
    out->nodes[out->node_count] = node;
    *index = out->node_count++;
    return SW_OK;
}

static enum sw_code add_not(uint32_t *index, struct parser *parser, bool negated)
{
    return negated ? add_node(index, parser, (struct sw_condition_node){.kind = SW_CONDITION_NOT, .left = *index}) : SW_OK;
}

static bool take_operator(enum sw_condition_operator *out, struct parser *parser)
{
    static const struct { const char *text; enum sw_condition_operator operator; } operators[] = {
        {"!=", SW_CONDITION_NOT_EQUAL}, {"<>", SW_CONDITION_NOT_EQUAL}, {"<=", SW_CONDITION_AT_MOST}, {">=", SW_CONDITION_AT_LEAST}, {"=", SW_CONDITION_EQUAL}, {"<", SW_CONDITION_LESS}, {">", SW_CONDITION_MORE}};
    skip_blanks(parser);
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        size_t len = strlen(operators[i].text);
        if (parser->text.len - parser->at >= len && memcmp(parser->text.at + parser->at, operators[i].text, len) == 0) {
            *out = operators[i].operator;
            parser->at += len;
            return true;
        }
    }
    return false;
}

/* What follows a column. */
static enum sw_code parse_predicate(uint32_t *index, struct parser *parser)
{
    struct sw_condition_node node = {.literal_count = 1};
    enum sw_condition_operator operator;
    enum sw_code code = take_column(&node.column, parser);
    if (code < 0)
        return code;
    node.literal = parser->out->literal_count;
    if (take_operator(&operator, parser)) {
        node.kind = SW_CONDITION_COMPARE;
        node.operator = (uint8_t)operator;
        code = take_literal(parser, node.column);
        return code < 0 ? code : add_node(index, parser, node);
    }
    if (take_word(parser, "IS")) {
        bool negated = take_word(parser, "NOT");
        node.kind = SW_CONDITION_IS_NULL;
        node.literal_count = 0;
        if (!take_word(parser, "NULL"))
            return refuse(parser, negated ? "NULL" : "NULL or NOT NULL");
        code = add_node(index, parser, node);
        return code < 0 ? code : add_not(index, parser, negated);
    }
    bool negated = take_word(parser, "NOT");
    if (!take_word(parser, "IN"))
        return refuse(parser, negated ? "IN" : "=, !=, <, <=, >, >=, IN, NOT IN, IS NULL or IS NOT NULL");
    if (!take_byte(parser, '('))
        return refuse(parser, "'(' and values");
    node.kind = SW_CONDITION_IN;
    do {
        if ((code = take_literal(parser, node.column)) < 0)
            return code;
    } while (take_byte(parser, ','));
    if (!take_byte(parser, ')'))
        return refuse(parser, "',' or ')'");
    node.literal_count = parser->out->literal_count - node.literal;
    code = add_node(index, parser, node);
    return code < 0 ? code : add_not(index, parser, negated);
}

static enum sw_code parse_not(uint32_t *index, struct parser *parser)
{
    bool negated = false;
    while (take_word(parser, "NOT"))
        negated = !negated;
    enum sw_code code;
    if (!take_byte(parser, '(')) {
        code = parse_predicate(index, parser);
    } else if (++parser->depth > SW_CONDITION_DEPTH_MAX) {
        return too_many(parser, "parentheses inside each other", SW_CONDITION_DEPTH_MAX);
    } else {
        code = parse_or(index, parser);
        if (code == SW_OK && !take_byte(parser, ')'))
            code = refuse(parser, "AND, OR or ')'");
        parser->depth--;
    }
    return code < 0 ? code : add_not(index, parser, negated);
}

static enum sw_code parse_and(uint32_t *index, struct parser *parser)
{
    enum sw_code code = parse_not(index, parser);
    while (code == SW_OK && take_word(parser, "AND")) {
        struct sw_condition_node node = {.kind = SW_CONDITION_AND, .left = *index};
        if ((code = parse_not(&node.right, parser)) == SW_OK)
            code = add_node(index, parser, node);
    }
    return code;
}

static enum sw_code parse_or(uint32_t *index, struct parser *parser)
{
    enum sw_code code = parse_and(index, parser);
    while (code == SW_OK && take_word(parser, "OR")) {
        struct sw_condition_node node = {.kind = SW_CONDITION_OR, .left = *index};
        if ((code = parse_and(&node.right, parser)) == SW_OK)
            code = add_node(index, parser, node);
    }
    return code;
}

/* ---- the canonical spelling ---- */

static void write_quoted(struct sw_buffer *out, struct sw_bytes text, uint8_t quote)
{
    sw_buffer_add_byte(out, quote);
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == quote)
            sw_buffer_add_byte(out, quote);
        sw_buffer_add_byte(out, text.at[i]);
    }
    sw_buffer_add_byte(out, quote);
}

static void write_column(struct sw_buffer *out, struct sw_bytes name)
{
    bool bare = name.len && !is_reserved(name.at, name.len);
    for (size_t i = 0; i < name.len; i++)
        bare &= is_name_byte(name.at[i], i == 0);
    if (bare)
        sw_buffer_add_bytes(out, name);
    else
        write_quoted(out, name, '"');
}

static void write_literal(struct sw_buffer *out, struct sw_token token)
{
    if (token.kind == SW_TOKEN_TEXT)
        write_quoted(out, sw_bytes_of(token.at, token.len), '\'');
    else if (token.kind == SW_TOKEN_NUMBER)
        sw_buffer_add(out, token.at, token.len);
    else
        sw_buffer_add_text(out, token.kind == SW_TOKEN_TRUE ? "TRUE" : "FALSE");
}

/* Nodes are trees of AND and OR that lean to the left: the way down on the left is walked, that on the right is bounded by the parentheses. */
static void write_node(struct sw_buffer *out, const struct sw_condition *condition, uint32_t index, unsigned tightness)
{
    static const char *const operators[] = {" = ", " != ", " < ", " <= ", " > ", " >= "};
    const struct sw_condition_node *node = &condition->nodes[index];
    switch ((enum sw_condition_kind)node->kind) {
    case SW_CONDITION_AND:
    case SW_CONDITION_OR: {
        unsigned own = node->kind == SW_CONDITION_AND ? 1 : 0;
        uint32_t chain = index, count = 1;
        while (condition->nodes[chain].kind == node->kind) {
            chain = condition->nodes[chain].left;
            count++;
        }
        if (own < tightness)
            sw_buffer_add_byte(out, '(');
        for (uint32_t i = 0; i < count; i++) { /* the i-th of the chain, from the left: its parent is count - 1 - i steps down */
            uint32_t at = index;
            for (uint32_t step = 1; step < count - i; step++)
                at = condition->nodes[at].left;
            if (i)
                sw_buffer_add_text(out, own ? " AND " : " OR ");
            write_node(out, condition, i == 0 ? at : condition->nodes[at].right, own + 1);
        }
        if (own < tightness)
            sw_buffer_add_byte(out, ')');
        break;
    }
    case SW_CONDITION_NOT: {
        const struct sw_condition_node *inner = &condition->nodes[node->left];
        if (inner->kind == SW_CONDITION_IS_NULL) {
            write_column(out, condition->columns[inner->column]);
            sw_buffer_add_text(out, " IS NOT NULL");
            break;
        }
        sw_buffer_add_text(out, "NOT ");
        write_node(out, condition, node->left, 2);
        break;
    }
    case SW_CONDITION_IS_NULL:
        write_column(out, condition->columns[node->column]);
        sw_buffer_add_text(out, " IS NULL");
        break;
    case SW_CONDITION_COMPARE:
    case SW_CONDITION_IN:
        write_column(out, condition->columns[node->column]);
        sw_buffer_add_text(out, node->kind == SW_CONDITION_IN ? " IN (" : operators[node->operator]);
        for (uint32_t i = 0; i < node->literal_count; i++) {
            sw_buffer_add_text(out, i ? ", " : "");
            write_literal(out, condition->literals[node->literal + i].token);
        }
        sw_buffer_add_text(out, node->kind == SW_CONDITION_IN ? ")" : "");
        break;
    }
}

/* Names and texts stand still now: views are made of them. */
static enum sw_code settle(struct parser *parser)
{
    struct sw_condition *out = parser->out;
    struct sw_buffer text = {0};
    out->columns = sw_calloc(out->column_count, sizeof *out->columns);
    if (!out->columns)
        return sw_fail_memory(parser->error, "a condition", out->column_count * sizeof *out->columns);
    for (uint32_t i = 0; i < out->column_count; i++)
        out->columns[i] = sw_bytes_of(out->names.at + parser->columns[i].at, parser->columns[i].len);
    for (uint32_t i = 0; i < out->literal_count; i++) {
        out->literals[i].token.at = out->names.at ? out->names.at + parser->literals[i].at : NULL;
        out->literals[i].token.len = (uint32_t)parser->literals[i].len;
    }
    write_node(&text, out, out->node_count - 1, 0);
    const char *spelled = sw_buffer_text(&text);
    out->text = spelled && !text.failed ? sw_strdup(spelled) : NULL;
    sw_buffer_free(&text);
    return out->text ? SW_OK : sw_fail_memory(parser->error, "a condition", text.len);
}

enum sw_code sw_condition_parse(struct sw_condition **out, struct sw_bytes text, struct sw_error *error)
{
    struct parser parser = {.text = text, .error = error};
    uint32_t root;
    *out = NULL;
    if (text.len > SW_CONDITION_BYTES_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "it is longer than %u bytes", SW_CONDITION_BYTES_MAX);
    if (sw_utf8_valid(text.at, text.len) != text.len || memchr(text.at ? text.at : (const uint8_t *)"", '\0', text.len))
        return sw_fail(error, SW_ERR_USAGE, "it is no UTF-8 text without NUL, at byte %zu", sw_utf8_valid(text.at, text.len) + 1);
    parser.out = sw_calloc(1, sizeof *parser.out);
    if (!parser.out)
        return sw_fail_memory(error, "a condition", sizeof *parser.out);
    enum sw_code code = parse_or(&root, &parser);
    skip_blanks(&parser);
    if (code == SW_OK && parser.at < text.len)
        code = refuse(&parser, "AND, OR or the end");
    if (code == SW_OK)
        code = settle(&parser);
    sw_free(parser.columns);
    sw_free(parser.literals);
    if (code < 0)
        sw_condition_free(&parser.out);
    *out = parser.out;
    return code;
}

void sw_condition_free(struct sw_condition **pointer)
{
    struct sw_condition *condition = *pointer;
    *pointer = NULL;
    if (!condition)
        return;
    sw_free(condition->columns);
    sw_free(condition->nodes);
    sw_free(condition->literals);
    sw_free(condition->text);
    sw_buffer_free(&condition->names);
    sw_free(condition);
}

/* ---- the sample ---- */

static bool take_digits(uint64_t *out, size_t *count, struct sw_bytes *text, size_t most)
{
    *out = 0;
    for (*count = 0; text->len && text->at[0] >= '0' && text->at[0] <= '9'; ++*count) {
        if (*count == most)
            return false;
        *out = *out * 10 + (uint64_t)(text->at[0] - '0');
        *text = sw_bytes_of(text->at + 1, text->len - 1);
    }
    return true;
}

bool sw_sample_part_parse(struct sw_sample_part *out, struct sw_bytes text, const char **problem)
{
    uint64_t whole, more = 0, parts = 0;
    size_t digits, scale = 0;
    *problem = "a part is written 1/1000, 1% or 0.05%, with at most 9 digits";
    if (!take_digits(&whole, &digits, &text, 9) || !digits || !text.len)
        return false;
    if (text.at[0] == '/') {
        text = sw_bytes_of(text.at + 1, text.len - 1);
        if (!take_digits(&parts, &digits, &text, 9) || !digits || text.len)
            return false;
    } else {
        if (text.at[0] == '.') {
            text = sw_bytes_of(text.at + 1, text.len - 1);
            if (!take_digits(&more, &scale, &text, 6) || !scale)
                return false;
        }
        if (!sw_bytes_is(text, "%") || whole > 100)
            return false;
        for (parts = 100; scale; scale--) {
            whole *= 10;
            parts *= 10;
        }
        whole += more;
    }
    if (!whole || !parts)
        *problem = "it takes no key at all";
    else if (whole >= parts)
        *problem = "it takes every key: leave the option out";
    if (!whole || whole >= parts)
        return false;
    uint64_t common = parts;
    for (uint64_t rest = whole; rest;) {
        uint64_t left = common % rest;
        common = rest;
        rest = left;
    }
    *out = (struct sw_sample_part){(uint32_t)(whole / common), (uint32_t)(parts / common)};
    return true;
}
