/* The columns of a row source, as its connector finds them. */
#include <string.h>

#include "base/memory.h"
#include "base/word.h"
#include "source/connector.h"
#include "text/json_write.h"
#include "text/utf8.h"

enum sw_code sw_row_columns_add(struct sw_row_columns *columns, struct sw_field_tree **fields, const char *name, const struct sw_type *type, struct sw_error *error)
{
    if (columns->count == SW_ROW_COLUMNS_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "more than %u columns; a query can leave some out", SW_ROW_COLUMNS_MAX);
    if ((columns->count & (columns->count - 1)) == 0) {
        size_t capacity = columns->count ? columns->count * 2 : 8;
        char **grown = sw_realloc_array(columns->names, capacity, sizeof *grown);
        if (!grown)
            return sw_fail_memory(error, "columns", capacity * sizeof *grown);
        columns->names = grown;
    }
    if (!*fields) {
        *fields = sw_calloc(1, sizeof **fields);
        if (!*fields || sw_field_tree_add(*fields, SW_FIELD_NONE, (struct sw_bytes){0}, NULL) == SW_FIELD_NONE)
            return sw_fail_memory(error, "columns", sizeof **fields);
    }
    columns->names[columns->count] = sw_strdup(name);
    if (!columns->names[columns->count])
        return sw_fail_memory(error, "columns", strlen(name));
    columns->count++;
    return sw_field_tree_add(*fields, 0, sw_bytes_text(name), type) == SW_FIELD_NONE ? sw_fail_memory(error, "columns", strlen(name)) : SW_OK;
}

enum sw_code sw_row_columns_add_key(struct sw_row_columns *columns, const char *name, struct sw_error *error)
{
    uint32_t at = 0;
    while (at < columns->count && strcmp(columns->names[at], name) != 0)
        at++;
    if (at == columns->count)
        return sw_fail(error, SW_ERR_INTERNAL, "the key column %.80s is no column", name);
    uint32_t *grown = sw_realloc_array(columns->key, columns->key_count + 1, sizeof *grown);
    if (!grown)
        return sw_fail_memory(error, "key columns", 0);
    columns->key = grown;
    columns->key[columns->key_count++] = at;
    return SW_OK;
}

void sw_row_columns_free(struct sw_row_columns *columns)
{
    for (uint32_t i = 0; i < columns->count; i++)
        sw_free(columns->names[i]);
    sw_free(columns->names);
    sw_free(columns->key);
    *columns = (struct sw_row_columns){0};
}

void sw_row_write_json(struct sw_buffer *out, const struct sw_row_columns *columns, const struct sw_token *tokens)
{
    struct sw_buffer text = {0};
    for (uint32_t i = 1; i <= columns->count; i++) {
        sw_buffer_add_byte(out, i == 1 ? '{' : ',');
        sw_json_write_text(out, sw_bytes_text(columns->names[i - 1]));
        sw_buffer_add_byte(out, ':');
        text.len = 0;
        struct sw_token token = sw_value_spell(&text, tokens[i]);
        switch (token.kind) {
        case SW_TOKEN_TEXT: sw_json_write_text(out, sw_bytes_of(token.at, token.len)); break;
        case SW_TOKEN_NUMBER: sw_buffer_add(out, token.at, token.len); break;
        case SW_TOKEN_TRUE: sw_buffer_add_text(out, "true"); break;
        case SW_TOKEN_FALSE: sw_buffer_add_text(out, "false"); break;
        default: sw_buffer_add_text(out, "null"); break;
        }
    }
    sw_buffer_add_byte(out, '}');
    out->failed |= text.failed;
    sw_buffer_free(&text);
}

/* Eight bytes at a time for texts as short as most: they are followed by bytes that may be read. */
static bool is_ascii(struct sw_token token, const struct sw_kernel *kernel)
{
    const uint8_t *at = token.at, *end = at + token.len;
    uint64_t bits = 0;
    if (token.len > 64)
        return kernel->is_ascii(at, end);
    for (; end - at > 8; at += 8)
        bits |= sw_word_load(at);
    bits |= sw_word_load(at) & sw_word_mask((size_t)(end - at));
    return (bits & UINT64_C(0x8080808080808080)) == 0;
}

uint32_t sw_row_find_bad_text(const struct sw_row_columns *columns, const struct sw_token *tokens, const struct sw_kernel *kernel)
{
    for (uint32_t i = 1; i <= columns->count; i++)
        if (tokens[i].kind == SW_TOKEN_TEXT && tokens[i].len && !is_ascii(tokens[i], kernel) && sw_utf8_valid(tokens[i].at, tokens[i].len) != tokens[i].len)
            return i;
    return 0;
}
