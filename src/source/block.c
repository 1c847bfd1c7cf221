/* Blocks, by whomever they are filled: their room, and what they give back. */
#include <string.h>

#include "base/memory.h"
#include "source/connector.h"

/* A block that a long record made large is given back after so many calls that did not need it. */
#define IDLE_CALLS 16

void sw_source_release_batch(struct sw_block *block)
{
    if (block->release)
        block->release(block->batch);
    block->release = NULL;
    block->batch = NULL;
}

void sw_block_free(struct sw_block *block)
{
    sw_source_release_batch(block);
    if (block->budget)
        sw_budget_give(block->budget, block->capacity);
    sw_free(block->data);
    *block = (struct sw_block){0};
}

enum sw_code sw_input_show(struct sw_input *input, const char *locator, enum sw_code code, struct sw_error *error)
{
    char *copy = locator ? sw_strdup(locator) : NULL;
    if (!copy)
        return code == SW_OK ? sw_fail_memory(error, "a locator", 0) : code;
    sw_free(input->locator);
    input->locator = copy;
    return code;
}

void sw_input_show_rows(struct sw_input *input, const struct sw_row_columns *columns, const struct sw_field_tree *fields)
{
    input->framing = SW_FRAMING_ROWS;
    input->rows = columns;
    input->fields = fields;
    input->compression = "none";
}

enum sw_code sw_source_room(struct sw_block *block, size_t len, bool keep, struct sw_budget *budget, struct sw_error *error)
{
    size_t capacity = len + SW_BLOCK_PADDING;
    if (block->budget != budget)
        sw_block_free(block);
    bool too_small = block->capacity < capacity, too_large = !keep && block->capacity / 2 > capacity;
    block->idle = too_large ? block->idle + 1 : 0;
    if (!too_small && block->idle <= IDLE_CALLS)
        return SW_OK;
    if (!keep)
        sw_block_free(block);
    uint8_t *data = sw_realloc(block->data, capacity);
    if (!data)
        return sw_fail_memory(error, "a block of input", capacity);
    if (budget) { /* cannot be spilled: a record must be in memory to be read */
        sw_budget_force(budget, capacity - block->capacity);
        block->budget = budget;
    }
    block->data = data;
    block->capacity = capacity;
    return SW_OK;
}

enum sw_code sw_source_give_first(struct sw_block *block, const struct sw_block *first, bool ended, struct sw_budget *budget, struct sw_error *error)
{
    enum sw_code code = first->len ? sw_source_room(block, first->len, false, budget, error) : ended && !first->oversized ? SW_END : SW_OK;
    block->len = code == SW_OK ? first->len : 0;
    if (block->len)
        memcpy(block->data, first->data, first->len);
    block->oversized = first->oversized;
    block->oversized_lines = first->oversized_lines;
    return code;
}
