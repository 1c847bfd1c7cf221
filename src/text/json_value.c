#include "text/json_value.h"

#include <stdlib.h>
#include <string.h>

#include "base/character.h"

static const uint8_t *fail(struct sw_json_problem *problem, const uint8_t *at, const char *text)
{
    *problem = (struct sw_json_problem){.at = at, .text = text};
    return NULL;
}

static const uint8_t *fail_memory(struct sw_json_problem *problem, const uint8_t *at)
{
    *problem = (struct sw_json_problem){at, "memory ran out", true};
    return NULL;
}

void sw_json_scratch_free(struct sw_json_scratch *scratch)
{
    sw_buffer_free(&scratch->names);
    sw_buffer_free(&scratch->text);
}

static inline bool is_digit(uint8_t c) { return (uint8_t)(c - '0') < 10; }

const uint8_t *sw_json_number_end(const uint8_t *at, const uint8_t *end)
{
    if (at < end && *at == '-')
        at++;
    if (at == end || !is_digit(*at))
        return NULL;
    if (*at == '0')
        at++;
    else
        while (at < end && is_digit(*at))
            at++;
    if (at < end && *at == '.') {
        at++;
        if (at == end || !is_digit(*at))
            return NULL;
        while (at < end && is_digit(*at))
            at++;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '+' || *at == '-'))
            at++;
        if (at == end || !is_digit(*at))
            return NULL;
        while (at < end && is_digit(*at))
            at++;
    }
    return at;
}

const uint8_t *sw_json_read_string(bool *escaped, const uint8_t *at, const uint8_t *end, const struct sw_kernel *kernel, struct sw_json_problem *problem)
{
    const uint8_t *start = at++;
    *escaped = false;
    for (;;) {
        at = kernel->string_end(at, end);
        if (at == end)
            return fail(problem, start, "a string is not closed");
        if (*at == '"')
            return at + 1;
        if (*at != '\\')
            return fail(problem, at, "a control character stands unescaped in a string");
        *escaped = true;
        if (end - at < 2)
            return fail(problem, start, "a string is not closed");
        switch (at[1]) {
        case '"': case '\\': case '/': case 'b': case 'f': case 'n': case 'r': case 't':
            at += 2;
            break;
        case 'u':
            if (end - at < 6)
                return fail(problem, at, "a \\u escape is cut");
            for (int i = 2; i < 6; i++)
                if (sw_hex_value(at[i]) < 0)
                    return fail(problem, at, "a \\u escape does not have four hexadecimal digits");
            at += 6;
            break;
        default:
            return fail(problem, at, "an escape is none of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u");
        }
    }
}

static bool add_name(struct sw_json_scratch *scratch, struct sw_bytes inside, bool escaped)
{
    struct sw_json_name name = {(uint32_t)scratch->text.len, 0};
    if (escaped)
        sw_json_unescape_add(&scratch->text, inside);
    else
        sw_buffer_add_bytes(&scratch->text, inside);
    name.len = (uint32_t)(scratch->text.len - name.at);
    sw_buffer_add(&scratch->names, &name, sizeof name);
    return !scratch->text.failed && !scratch->names.failed;
}

static int compare_names(const struct sw_json_name *a, const struct sw_json_name *b, const uint8_t *text)
{
    if (!a->len || !b->len) /* where all names are empty there may be no text at all */
        return (a->len > 0) - (b->len > 0);
    return sw_bytes_compare(sw_bytes_of(text + a->at, a->len), sw_bytes_of(text + b->at, b->len));
}

static int by_name(const void *a, const void *b, void *ctx) { return compare_names(a, b, ctx); }

bool sw_json_has_duplicate(struct sw_json_name *names, size_t count, const uint8_t *text)
{
    if (count <= 8) {
        for (size_t i = 1; i < count; i++)
            for (size_t j = 0; j < i; j++)
                if (names[i].len == names[j].len && compare_names(&names[i], &names[j], text) == 0)
                    return true;
        return false;
    }
    qsort_r(names, count, sizeof *names, by_name, (void *)(uintptr_t)text);
    for (size_t i = 1; i < count; i++)
        if (compare_names(&names[i - 1], &names[i], text) == 0)
            return true;
    return false;
}

static const uint8_t *skip_object(const uint8_t *at, const uint8_t *end, unsigned depth, const struct sw_kernel *kernel,
                                  struct sw_json_scratch *scratch, struct sw_json_problem *problem)
{
    const uint8_t *start = at;
    size_t first_name = scratch->names.len, first_text = scratch->text.len;
    const uint8_t *after = NULL;
    at = sw_json_skip_space(at + 1, end);
    if (at < end && *at == '}')
        return at + 1;
    for (;;) {
        if (at == end || *at != '"') {
            fail(problem, at == end ? start : at, at == end ? "an object is not closed" : "a member name in double quotes was expected");
            break;
        }
        bool escaped;
        const uint8_t *name = at + 1;
        at = sw_json_read_string(&escaped, at, end, kernel, problem);
        if (!at)
            break;
        if (!add_name(scratch, sw_bytes_of(name, (size_t)(at - 1 - name)), escaped)) {
            fail_memory(problem, name);
            break;
        }
        at = sw_json_skip_space(at, end);
        if (at == end || *at != ':') {
            fail(problem, at, "a colon was expected after a member name");
            break;
        }
        at = sw_json_skip_space(at + 1, end);
        struct sw_token value;
        at = sw_json_read_value(&value, at, end, depth + 1, kernel, scratch, problem);
        if (!at)
            break;
        at = sw_json_skip_space(at, end);
        if (at < end && *at == ',') {
            at = sw_json_skip_space(at + 1, end);
            continue;
        }
        if (at == end || *at != '}') {
            fail(problem, at == end ? start : at, at == end ? "an object is not closed" : "a comma or a closing brace was expected");
            break;
        }
        struct sw_json_name *names = (struct sw_json_name *)(void *)(scratch->names.at + first_name);
        if (sw_json_has_duplicate(names, (scratch->names.len - first_name) / sizeof *names, scratch->text.at)) {
            fail(problem, start, "an object has two members of one name");
            break;
        }
        after = at + 1;
        break;
    }
    scratch->names.len = first_name;
    scratch->text.len = first_text;
    return after;
}

static const uint8_t *skip_array(const uint8_t *at, const uint8_t *end, unsigned depth, const struct sw_kernel *kernel,
                                 struct sw_json_scratch *scratch, struct sw_json_problem *problem)
{
    const uint8_t *start = at;
    at = sw_json_skip_space(at + 1, end);
    if (at < end && *at == ']')
        return at + 1;
    for (;;) {
        struct sw_token value;
        at = sw_json_read_value(&value, at, end, depth + 1, kernel, scratch, problem);
        if (!at)
            return NULL;
        at = sw_json_skip_space(at, end);
        if (at == end)
            return fail(problem, start, "an array is not closed");
        if (*at == ']')
            return at + 1;
        if (*at != ',')
            return fail(problem, at, "a comma or a closing bracket was expected");
        at = sw_json_skip_space(at + 1, end);
    }
}

/* What is wrong where no value begins: words that other languages write for one are named, since JSON has no NaN and whoever wrote it has to choose. */
static const char *why_no_value(const uint8_t *at, const uint8_t *end)
{
    static const struct { const char *word, *why; } words[] = {
        {"NaN", "NaN is no JSON value: null was expected, or the text \"NaN\" where the column is a float"},
        {"Infinity", "Infinity is no JSON value: null was expected, or the text \"Infinity\" where the column is a float"},
        {"-Infinity", "-Infinity is no JSON value: null was expected, or the text \"-Infinity\" where the column is a float"},
        {"None", "None is no JSON value, it is Python's: null was expected (json.dumps writes it)"},
        {"True", "True is no JSON value, it is Python's: true was expected (json.dumps writes it)"},
        {"False", "False is no JSON value, it is Python's: false was expected (json.dumps writes it)"},
        {"'", "a text in single quotes is no JSON value: double quotes were expected"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if ((size_t)(end - at) >= strlen(words[i].word) && memcmp(at, words[i].word, strlen(words[i].word)) == 0)
            return words[i].why;
    return "no JSON value: an object, array, string, number, true, false or null was expected";
}

const uint8_t *sw_json_read_value(struct sw_token *out, const uint8_t *at, const uint8_t *end, unsigned depth, const struct sw_kernel *kernel,
                             struct sw_json_scratch *scratch, struct sw_json_problem *problem)
{
    if (at == end)
        return fail(problem, at, "a value was expected, the record ends");
    const uint8_t *after = NULL;
    out->at = at;
    out->escaped = false;
    switch (*at) {
    case '"':
        after = sw_json_read_string(&out->escaped, at, end, kernel, problem);
        if (!after)
            return NULL;
        out->kind = SW_TOKEN_TEXT;
        out->at = at + 1;
        out->len = (uint32_t)(after - at - 2);
        return after;
    case '{':
        if (depth >= SW_JSON_DEPTH_MAX)
            return fail(problem, at, "objects and arrays are nested deeper than 512 levels");
        after = skip_object(at, end, depth, kernel, scratch, problem);
        out->kind = SW_TOKEN_OBJECT;
        break;
    case '[':
        if (depth >= SW_JSON_DEPTH_MAX)
            return fail(problem, at, "objects and arrays are nested deeper than 512 levels");
        after = skip_array(at, end, depth, kernel, scratch, problem);
        out->kind = SW_TOKEN_ARRAY;
        break;
    case 't':
        if (end - at >= 4 && memcmp(at, "true", 4) == 0)
            after = at + 4;
        out->kind = SW_TOKEN_TRUE;
        break;
    case 'f':
        if (end - at >= 5 && memcmp(at, "false", 5) == 0)
            after = at + 5;
        out->kind = SW_TOKEN_FALSE;
        break;
    case 'n':
        if (end - at >= 4 && memcmp(at, "null", 4) == 0)
            after = at + 4;
        out->kind = SW_TOKEN_NULL;
        break;
    default:
        after = sw_json_number_end(at, end);
        out->kind = SW_TOKEN_NUMBER;
        break;
    }
    if (!after) {
        if (out->kind != SW_TOKEN_OBJECT && out->kind != SW_TOKEN_ARRAY)
            return fail(problem, at, why_no_value(at, end));
        return NULL;
    }
    out->len = (uint32_t)(after - at);
    return after;
}
