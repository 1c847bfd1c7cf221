#include "text/json_document.h"

#include "base/memory.h"
#include "text/utf8.h"

/* Kernels may read this far behind the end. */
#define PADDING 64

enum sw_code sw_document_read(struct sw_document *out, struct sw_bytes text, const char *name, struct sw_error *error)
{
    return sw_document_read_up_to(out, text, SW_DOCUMENT_MAX, name, error);
}

enum sw_code sw_document_read_up_to(struct sw_document *out, struct sw_bytes text, size_t max, const char *name, struct sw_error *error)
{
    struct sw_json_scratch scratch = {0};
    struct sw_json_problem problem = {0};
    *out = (struct sw_document){0};
    if (text.len > max)
        return sw_fail(error, SW_ERR_LIMIT, "%.200s: %zu bytes; at most %zu are read", name, text.len, max);
    size_t valid = sw_utf8_valid(text.at, text.len);
    if (valid != text.len)
        return sw_fail(error, SW_ERR_INPUT, "%.200s: not UTF-8 at byte %zu", name, valid);
    out->bytes = sw_calloc(text.len + PADDING, 1);
    if (!out->bytes)
        return sw_fail_memory(error, "a document", text.len + PADDING);
    if (text.len)
        memcpy(out->bytes, text.at, text.len);
    const uint8_t *end = out->bytes + text.len, *at = sw_json_skip_space(out->bytes, end);
    const uint8_t *after = at < end ? sw_json_read_value(&out->root, at, end, 0, sw_kernel_find(NULL), &scratch, &problem) : NULL;
    if (after)
        after = sw_json_skip_space(after, end);
    bool starved = scratch.names.failed || scratch.text.failed;
    sw_json_scratch_free(&scratch);
    if (after == end)
        return SW_OK;
    size_t offset = (size_t)((after ? after : problem.at ? problem.at : at) - out->bytes);
    sw_document_free(out);
    if (starved)
        return sw_fail_memory(error, "a document", text.len);
    return sw_fail(error, SW_ERR_INPUT, "%.200s: not one JSON document: at byte %zu: %s", name, offset, after ? "expected the end" : problem.text ? problem.text : "expected a value");
}

void sw_document_free(struct sw_document *document)
{
    sw_free(document->bytes);
    *document = (struct sw_document){0};
}

struct sw_document_items sw_document_items(struct sw_token container)
{
    struct sw_document_items items = {0};
    if (container.kind == SW_TOKEN_OBJECT || container.kind == SW_TOKEN_ARRAY) {
        items.object = container.kind == SW_TOKEN_OBJECT;
        items.at = container.at + 1;
        items.end = container.at + container.len - 1;
    }
    return items;
}

/* The value at `at` of a document that was checked: nothing is allocated, so nothing can fail. */
static const uint8_t *skip_value(struct sw_token *out, const uint8_t *at, const uint8_t *end)
{
    struct sw_json_problem problem;
    const struct sw_kernel *kernel = sw_kernel_find(NULL);
    const uint8_t *start = at;
    bool escaped = false;
    if (*at == '"') {
        at = sw_json_read_string(&escaped, at, end, kernel, &problem);
        *out = (struct sw_token){.at = start + 1, .len = (uint32_t)(at - start) - 2, .kind = SW_TOKEN_TEXT, .escaped = escaped};
        return at;
    }
    size_t depth = 0;
    do {
        if (*at == '"') {
            at = sw_json_read_string(&escaped, at, end, kernel, &problem);
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
    } while (at < end && (depth || (*start != '{' && *start != '[' && *at != ',' && *at != '}' && *at != ']' && *at > ' ')));
    enum sw_token_kind kind = *start == '{' ? SW_TOKEN_OBJECT : *start == '[' ? SW_TOKEN_ARRAY : *start == 't' ? SW_TOKEN_TRUE : *start == 'f' ? SW_TOKEN_FALSE : *start == 'n' ? SW_TOKEN_NULL : SW_TOKEN_NUMBER;
    *out = (struct sw_token){.at = start, .len = (uint32_t)(at - start), .kind = (uint8_t)kind};
    return at;
}

bool sw_document_next(struct sw_document_items *items)
{
    const uint8_t *at = items->at;
    while (at < items->end && (*at == ',' || *at <= ' '))
        at++;
    if (at >= items->end)
        return false;
    if (items->object) {
        struct sw_token name;
        at = sw_json_skip_space(skip_value(&name, at, items->end), items->end);
        items->name = sw_bytes_of(name.at, name.len);
        at = sw_json_skip_space(at + 1, items->end); /* past the colon */
    }
    items->at = skip_value(&items->value, at, items->end);
    return true;
}

struct sw_token sw_document_member(struct sw_token object, const char *name)
{
    struct sw_token absent = {.kind = SW_TOKEN_ABSENT};
    struct sw_document_items items = sw_document_items(object);
    while (items.object && sw_document_next(&items)) {
        struct sw_token as_text = {.at = items.name.at, .len = (uint32_t)items.name.len, .kind = SW_TOKEN_TEXT, .escaped = true};
        char found[64];
        if (sw_document_text(found, sizeof found, as_text) && strcmp(found, name) == 0)
            return items.value;
    }
    return absent;
}

bool sw_document_text(char *out, size_t room, struct sw_token token)
{
    size_t len;
    if (token.kind != SW_TOKEN_TEXT || token.len >= room || !sw_json_unescape((uint8_t *)out, &len, sw_bytes_of(token.at, token.len)) || memchr(out, '\0', len))
        return false;
    out[len] = '\0';
    return true;
}
