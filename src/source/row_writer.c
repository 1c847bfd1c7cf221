/* Rows in a form that any connector can write: for each row a byte (0: whole, 1: too long, its size follows), then for each column a byte with the token's
 * kind, the length in 4 bytes, and the bytes. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "source/connector.h"

#define HEAD 5u

enum sw_code sw_row_cursor_begin(struct sw_row_cursor *cursor, const struct sw_block *block, const struct sw_row_columns *columns, struct sw_error *error)
{
    cursor->block = block;
    cursor->at = block->data;
    cursor->row = 0;
    if (cursor->slot_count > columns->count)
        return SW_OK;
    struct sw_row_slot *slots = sw_realloc_array(cursor->slots, (size_t)columns->count + 1, sizeof *slots);
    if (!slots)
        return sw_fail_memory(error, "a row", columns->count * sizeof *slots);
    cursor->slots = slots;
    cursor->slot_count = columns->count + 1;
    return SW_OK;
}

void sw_row_cursor_free(struct sw_row_cursor *cursor)
{
    sw_free(cursor->slots);
    sw_buffer_free(&cursor->text);
    *cursor = (struct sw_row_cursor){0};
}

void sw_row_writer_begin(struct sw_row_writer *rows, struct sw_block *block, size_t record_bytes_max, struct sw_budget *budget)
{
    *rows = (struct sw_row_writer){.block = block, .budget = budget, .record_bytes_max = record_bytes_max};
    block->len = 0;
    block->rows = 0;
}

/* Makes room for `len` more bytes. */
static inline enum sw_code room(struct sw_row_writer *rows, size_t len, struct sw_error *error)
{
    struct sw_block *block = rows->block;
    if (block->capacity >= block->len + len + SW_BLOCK_PADDING)
        return SW_OK;
    return sw_source_room(block, (block->len + len) * 2, true, rows->budget, error);
}

enum sw_code sw_row_writer_put(struct sw_row_writer *rows, struct sw_token token, struct sw_error *error)
{
    struct sw_block *block = rows->block;
    uint32_t len = token.kind == SW_TOKEN_NULL ? 0 : token.len;
    bool first = rows->row_bytes == 0;
    if (first) {
        rows->row_from = block->len;
        rows->too_long = false;
    }
    rows->row_bytes += HEAD + len;
    rows->too_long |= rows->row_bytes > rows->record_bytes_max;
    size_t size = first + (rows->too_long ? 0 : HEAD + (size_t)len);
    enum sw_code code = room(rows, size, error);
    if (code != SW_OK)
        return code;
    uint8_t *to = block->data + block->len;
    block->len += size;
    if (first)
        *to++ = 0;
    if (rows->too_long)
        return SW_OK;
    *to++ = token.kind;
    memcpy(to, &len, sizeof len);
    if (len)
        memcpy(to + sizeof len, token.at, len);
    return SW_OK;
}

enum sw_code sw_row_writer_end(struct sw_row_writer *rows, struct sw_error *error)
{
    struct sw_block *block = rows->block;
    enum sw_code code = SW_OK;
    if (rows->too_long) {
        block->len = rows->row_from;
        if ((code = room(rows, 1 + sizeof rows->row_bytes, error)) == SW_OK) {
            block->data[block->len] = 1;
            memcpy(block->data + block->len + 1, &rows->row_bytes, sizeof rows->row_bytes);
            block->len += 1 + sizeof rows->row_bytes;
        }
    }
    rows->row_bytes = 0;
    block->rows++;
    return code;
}

bool sw_row_writer_next(struct sw_token *tokens, struct sw_row_cursor *cursor, const void *ctx)
{
    const struct sw_row_columns *columns = ctx;
    const uint8_t *at = cursor->at;
    cursor->row++;
    if (*at++) {
        uint64_t size;
        memcpy(&size, at, sizeof size);
        cursor->at = at + sizeof size;
        snprintf(cursor->problem, sizeof cursor->problem, "a row of %llu bytes is longer than a record may be; --record-max raises it", (unsigned long long)size);
        return false;
    }
    for (uint32_t i = 1; i <= columns->count; i++) {
        uint32_t len;
        memcpy(&len, at + 1, sizeof len);
        tokens[i] = (struct sw_token){at + HEAD, len, *at, false};
        at += HEAD + len;
    }
    cursor->at = at;
    return true;
}
