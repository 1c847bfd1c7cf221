#include "reconcile/carry.h"

#include <string.h>

#include "text/utf8.h"

/* Takes the mark that a line is, if it is one. `line` is followed by bytes that may be read. False if memory ran out. */
static bool take_mark(struct sw_carry *carry, bool *is_mark, const struct sw_format *format, struct sw_json_reader *json, struct sw_bytes line)
{
    const uint8_t *end = line.at + line.len, *at = sw_json_skip_space(line.at, end);
    struct sw_json_template *template;
    *is_mark = false;
    if (at == end || *at != '{' || !format->may_carry(sw_bytes_of(at, (size_t)(end - at))) || sw_utf8_valid(line.at, line.len) != line.len)
        return true;
    const uint8_t *after = sw_json_read(&template, json, at, end);
    if (after && sw_json_skip_space(after, end) == end) /* anything else is a bad record and marks nothing */
        *is_mark = format->carry(carry, &(struct sw_example){.template = template, .tokens = json->tokens, .record = at});
    return after || !json->problem.no_memory;
}

/* The last mark of a block. */
static bool find_last(struct sw_carry *carry, bool *found, const struct sw_format *format, struct sw_json_reader *json, const struct sw_block *block)
{
    const uint8_t *end = block->data + block->len;
    while (end > block->data && !*found) {
        const uint8_t *newline = memrchr(block->data, '\n', (size_t)(end - block->data));
        const uint8_t *line = newline ? newline + 1 : block->data;
        if (!take_mark(carry, found, format, json, sw_bytes_of(line, (size_t)(end - line))))
            return false;
        end = newline ? newline : block->data;
    }
    return true;
}

/* The first mark of an input's head: if it is the end of a transaction whose begin is not there, it tells of the records before it. */
static bool find_first(struct sw_carry *carry, const struct sw_format *format, struct sw_json_reader *json, struct sw_bytes head)
{
    struct sw_buffer copy = {0};
    bool found = false, good;
    sw_buffer_add_bytes(&copy, head);
    good = sw_buffer_reserve(&copy, SW_BLOCK_PADDING) && !copy.failed;
    if (good)
        memset(copy.at + copy.len, 0, SW_BLOCK_PADDING);
    for (size_t at = 0; good && !found && at < copy.len;) {
        const uint8_t *newline = memchr(copy.at + at, '\n', copy.len - at);
        if (!newline)
            break; /* it may go on */
        good = take_mark(carry, &found, format, json, sw_bytes_of(copy.at + at, (size_t)(newline - copy.at) - at));
        at = (size_t)(newline - copy.at) + 1;
    }
    if (found)
        carry->open = !carry->open;
    sw_buffer_free(&copy);
    return good;
}

enum sw_code sw_carry_at(struct sw_carry *out, struct sw_carry_chain *chain, pthread_mutex_t *lock, pthread_cond_t *turn, const struct sw_format *format, struct sw_json_reader *json,
                         const struct sw_block *block, struct sw_bytes head, struct sw_error *error)
{
    struct sw_carry last = {0}, first = {0};
    bool found = false, good = find_last(&last, &found, format, json, block);
    if (block->index == 0)
        good &= find_first(&first, format, json, head);
    pthread_mutex_lock(lock);
    while (chain->next != block->index)
        pthread_cond_wait(turn, lock);
    *out = block->index == 0 ? first : chain->carry;
    chain->begins_inside |= block->index == 0 && first.open;
    chain->carry = found ? last : *out;
    chain->next++;
    pthread_cond_broadcast(turn);
    pthread_mutex_unlock(lock);
    return good ? SW_OK : sw_fail_memory(error, "the begin of a transaction", block->len);
}
