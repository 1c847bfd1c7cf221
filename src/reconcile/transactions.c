#include "reconcile/transactions.h"

#include <stdlib.h>

void sw_transactions_free(struct sw_transactions *transactions)
{
    sw_buffer_free(&transactions->blocks);
    sw_buffer_free(&transactions->open);
}

static struct sw_transaction_id id_of(struct sw_bytes bytes)
{
    struct sw_transaction_id id = {0};
    if (bytes.len && bytes.len <= SW_TRANSACTION_ID_MAX) { /* a longer one is not known */
        id.len = (uint8_t)bytes.len;
        memcpy(id.bytes, bytes.at, bytes.len);
    }
    return id;
}

static bool same(const struct sw_transaction_id *a, const struct sw_transaction_id *b) { return a->len && a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0; }

static bool differ(const struct sw_transaction_id *a, const struct sw_transaction_id *b) { return a->len && b->len && !same(a, b); }

static void add_open(struct sw_buffer *open, struct sw_fold_open interval) { sw_buffer_add(open, &interval, sizeof interval); }

static void mark_at(struct sw_block_marks *marks, struct sw_buffer *open, bool commits, const struct sw_transaction_id *id, uint64_t line)
{
    if (!marks->any) {
        marks->any = true;
        marks->first_commits = commits;
        marks->first_line = line;
        marks->first_id = *id;
        marks->head = marks->tail;
    } else if (!commits && marks->tail) {
        add_open(open, (struct sw_fold_open){marks->input, marks->block, marks->tail_line, marks->block, line});
    }
    marks->tail = false;
}

void sw_block_marks_note(struct sw_block_marks *marks, struct sw_buffer *open, enum sw_mark mark, bool by_id, struct sw_bytes bytes, uint64_t line)
{
    const struct sw_transaction_id id = id_of(bytes);
    if (!marks->tracked) {
        marks->head_id = id;
        marks->head_line = line;
    }
    marks->tracked = true;
    marks->by_id = by_id;
    if (mark == SW_MARK_BEGIN || (by_id && marks->tail && differ(&marks->tail_id, &id)))
        mark_at(marks, open, false, &id, line);
    if (mark == SW_MARK_COMMIT) {
        marks->commits = true;
        mark_at(marks, open, true, &id, line);
        return;
    }
    if (mark == SW_MARK_NONE && !marks->tail) {
        marks->tail = true;
        marks->tail_line = line;
    }
    if (id.len)
        marks->tail_id = id;
}

static int by_place(const void *a, const void *b)
{
    const struct sw_block_marks *left = a, *right = b;
    if (left->input != right->input)
        return left->input < right->input ? -1 : 1;
    return (left->block > right->block) - (left->block < right->block);
}

static int by_begin(const void *a, const void *b)
{
    const struct sw_fold_open *left = a, *right = b;
    if (left->input != right->input)
        return left->input < right->input ? -1 : 1;
    if (left->from_block != right->from_block)
        return left->from_block < right->from_block ? -1 : 1;
    return (left->from_line > right->from_line) - (left->from_line < right->from_line);
}

/* Is the transaction, cut by the end of one input, committed at the head of another one? */
static bool committed_elsewhere(const struct sw_block_marks *blocks, size_t count, uint32_t input, const struct sw_transaction_id *id)
{
    for (size_t i = 0; i < count; i++) {
        bool first = blocks[i].any && blocks[i].input != input;
        for (size_t j = i; first && j-- > 0 && blocks[j].input == blocks[i].input;)
            first = !blocks[j].any;
        if (first && blocks[i].first_commits && same(&blocks[i].first_id, id))
            return true;
    }
    return false;
}

/* The blocks of one input, in order. */
static void settle_input(struct sw_buffer *open, const struct sw_block_marks *all, size_t all_count, const struct sw_block_marks *blocks, size_t count)
{
    bool pending = false, marked = false;
    uint64_t from_block = 0, from_line = 0;
    struct sw_transaction_id id = {0};
    size_t before = open->len;
    for (size_t i = 0; i < count; i++) {
        const struct sw_block_marks *block = &blocks[i];
        if (pending && block->by_id && differ(&id, &block->head_id)) { /* another transaction begins with the block */
            add_open(open, (struct sw_fold_open){block->input, from_block, from_line, block->block, block->head_line});
            pending = false;
        }
        marked |= block->any;
        if (block->any && !block->first_commits && (pending || block->head))
            add_open(open, (struct sw_fold_open){block->input, pending ? from_block : block->block, pending ? from_line : block->head_line, block->block, block->first_line});
        pending &= !block->any;
        if (block->tail && !pending) {
            pending = true;
            from_block = block->block;
            from_line = block->tail_line;
        }
        if (block->tail_id.len)
            id = block->tail_id;
    }
    if (!marked)
        open->len = before; /* nothing in the input tells where transactions end */
    else if (pending && !committed_elsewhere(all, all_count, blocks[0].input, &id))
        add_open(open, (struct sw_fold_open){blocks[0].input, from_block, from_line, UINT64_MAX, 0});
}

/* Without any commit, changes of the id tell nothing: the stream may just not carry marks. */
static bool commits_anywhere(const struct sw_block_marks *blocks, size_t count)
{
    bool commits = false;
    for (size_t i = 0; i < count; i++)
        commits |= !blocks[i].by_id || blocks[i].commits;
    return commits;
}

bool sw_transactions_settle(struct sw_transactions *transactions)
{
    struct sw_block_marks *blocks = (void *)transactions->blocks.at;
    size_t count = transactions->blocks.len / sizeof *blocks;
    if (transactions->blocks.failed)
        return false;
    if (count)
        qsort(blocks, count, sizeof *blocks, by_place);
    if (!commits_anywhere(blocks, count)) {
        transactions->open.len = 0;
        return !transactions->open.failed;
    }
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && blocks[end].input == blocks[i].input;)
            end++;
        settle_input(&transactions->open, blocks, count, &blocks[i], end - i);
    }
    size_t intervals = transactions->open.len / sizeof(struct sw_fold_open);
    if (intervals)
        qsort(transactions->open.at, intervals, sizeof(struct sw_fold_open), by_begin);
    return !transactions->open.failed;
}
