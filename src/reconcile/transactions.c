#include "reconcile/transactions.h"

#include <stdlib.h>
#include <string.h>

void sw_transactions_free(struct sw_transactions *transactions)
{
    sw_buffer_free(&transactions->blocks);
    sw_buffer_free(&transactions->open);
    sw_buffer_free(&transactions->saved);
    sw_buffer_free(&transactions->ended);
    sw_buffer_free(&transactions->ids);
}

struct sw_transaction_id sw_transaction_id_of(struct sw_bytes bytes)
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
        add_open(open, (struct sw_fold_open){marks->input, marks->block, marks->tail_line, marks->block, line, 0});
    }
    marks->tail = false;
}

void sw_block_marks_note(struct sw_block_marks *marks, struct sw_buffer *open, enum sw_mark mark, bool by_id, struct sw_bytes bytes, uint64_t line)
{
    const struct sw_transaction_id id = sw_transaction_id_of(bytes);
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

struct sw_bytes sw_transactions_id(const struct sw_transactions *transactions, const struct sw_fold_open *open)
{
    if (!open->id)
        return (struct sw_bytes){0};
    const struct sw_transaction_id *id = (const struct sw_transaction_id *)(const void *)transactions->ids.at + (open->id - 1);
    return sw_bytes_of(id->bytes, id->len);
}

void sw_saved_open_note(struct sw_buffer *list, uint32_t input, uint64_t block, uint64_t line, struct sw_bytes bytes)
{
    struct sw_saved_open *last = list->len ? (struct sw_saved_open *)(void *)(list->at + list->len) - 1 : NULL;
    const struct sw_transaction_id id = sw_transaction_id_of(bytes);
    if (last && last->input == input && last->block == block && last->to_line == line && last->id.len == id.len && memcmp(last->id.bytes, id.bytes, id.len) == 0)
        last->to_line++;
    else
        sw_buffer_add(list, &(struct sw_saved_open){input, block, line, line + 1, id}, sizeof *last);
}

int sw_transaction_id_compare(const void *a, const void *b)
{
    const struct sw_transaction_id *left = a, *right = b;
    return sw_bytes_compare(sw_bytes_of(left->bytes, left->len), sw_bytes_of(right->bytes, right->len));
}

static int by_id(const void *a, const void *b)
{
    const struct sw_transaction_end *left = a, *right = b;
    int order = sw_transaction_id_compare(&left->id, &right->id);
    return order ? order : (left->input > right->input) - (left->input < right->input);
}

static bool find_ended(struct sw_buffer *out, const struct sw_transactions *transactions, const struct sw_block_marks *blocks, size_t count)
{
    sw_buffer_add_bytes(out, sw_buffer_view(&transactions->ended));
    bool found = false; /* the first mark of the input */
    for (size_t i = 0; i < count; i++) {
        found &= i && blocks[i - 1].input == blocks[i].input;
        if (!found && blocks[i].any && blocks[i].first_commits && blocks[i].first_id.len)
            sw_buffer_add(out, &(struct sw_transaction_end){blocks[i].first_id, blocks[i].input}, sizeof(struct sw_transaction_end));
        found |= blocks[i].any;
    }
    if (!out->failed && out->len)
        qsort(out->at, out->len / sizeof(struct sw_transaction_end), sizeof(struct sw_transaction_end), by_id);
    return !out->failed;
}

/* Is the transaction, cut by the end of one input, committed at the head of another one? */
static bool committed_elsewhere(const struct sw_buffer *ended, uint32_t input, const struct sw_transaction_id *id)
{
    const struct sw_transaction_end *all = (const void *)ended->at;
    size_t count = ended->len / sizeof *all, low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sw_transaction_id_compare(&all[middle].id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < count && same(&all[low].id, id) && all[low].input == input)
        low++;
    return id->len && low < count && same(&all[low].id, id);
}

static uint32_t add_id(struct sw_transactions *transactions, const struct sw_transaction_id *id)
{
    if (!id->len)
        return 0;
    sw_buffer_add(&transactions->ids, id, sizeof *id);
    return (uint32_t)(transactions->ids.len / sizeof *id);
}

/* Does the input tell where transactions end? Without a commit, changes of the id tell nothing: the stream may just not carry marks. */
static bool tells_ends(const struct sw_block_marks *blocks, size_t count)
{
    bool tells = false;
    for (size_t i = 0; i < count; i++)
        tells |= blocks[i].by_id ? blocks[i].commits : blocks[i].any;
    return tells;
}

/* An input without marks, all of whose rows are of one transaction, may be cut out of the middle of it. */
static void settle_fragment(struct sw_transactions *transactions, const struct sw_buffer *ended, const struct sw_block_marks *blocks, size_t count)
{
    const struct sw_block_marks *first = NULL;
    for (size_t i = 0; i < count; i++) {
        if (blocks[i].any || !same(&blocks[i].head_id, &blocks[0].head_id) || (blocks[i].tail && !same(&blocks[i].tail_id, &blocks[0].head_id)))
            return;
        if (blocks[i].tail && !first)
            first = &blocks[i];
    }
    if (first && !committed_elsewhere(ended, first->input, &first->head_id))
        add_open(&transactions->open, (struct sw_fold_open){first->input, first->block, first->tail_line, UINT64_MAX, 0, add_id(transactions, &first->head_id)});
}

/* The blocks of one input, in order. */
static void settle_input(struct sw_transactions *transactions, const struct sw_buffer *ended, const struct sw_block_marks *blocks, size_t count)
{
    struct sw_buffer *open = &transactions->open;
    bool pending = false;
    uint64_t from_block = 0, from_line = 0;
    struct sw_transaction_id id = {0};
    for (size_t i = 0; i < count; i++) {
        const struct sw_block_marks *block = &blocks[i];
        if (pending && block->by_id && differ(&id, &block->head_id)) { /* another transaction begins with the block */
            add_open(open, (struct sw_fold_open){block->input, from_block, from_line, block->block, block->head_line, 0});
            pending = false;
        }
        if (block->any && !block->first_commits && (pending || block->head))
            add_open(open, (struct sw_fold_open){block->input, pending ? from_block : block->block, pending ? from_line : block->head_line, block->block, block->first_line, 0});
        pending &= !block->any;
        if (block->tail && !pending) {
            pending = true;
            from_block = block->block;
            from_line = block->tail_line;
        }
        if (block->tail_id.len)
            id = block->tail_id;
    }
    if (pending && !committed_elsewhere(ended, blocks[0].input, &id))
        add_open(open, (struct sw_fold_open){blocks[0].input, from_block, from_line, UINT64_MAX, 0, add_id(transactions, &id)});
}

/* Intervals inside blocks of inputs that tell of no ends are none. */
static void leave_out(struct sw_buffer *open, const struct sw_buffer *silent)
{
    struct sw_fold_open *all = (void *)open->at;
    const uint32_t *inputs = (const void *)silent->at;
    size_t kept = 0, count = open->len / sizeof *all, silent_count = silent->len / sizeof *inputs;
    for (size_t i = 0; i < count; i++) {
        size_t low = 0, high = silent_count;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (inputs[middle] < all[i].input)
                low = middle + 1;
            else
                high = middle;
        }
        if (low == silent_count || inputs[low] != all[i].input)
            all[kept++] = all[i];
    }
    open->len = kept * sizeof *all;
}

/* What earlier runs left open. An end of that id in the state itself stood at the head of the same input, which then is another transaction of that id: any other would have ended it. */
static void settle_saved(struct sw_transactions *transactions, const struct sw_buffer *ended)
{
    const struct sw_saved_open *saved = (const void *)transactions->saved.at;
    for (size_t i = 0; i < transactions->saved.len / sizeof *saved; i++)
        if (!committed_elsewhere(ended, saved[i].input, &saved[i].id))
            add_open(&transactions->open, (struct sw_fold_open){saved[i].input, saved[i].block, saved[i].from_line, saved[i].block, saved[i].to_line, add_id(transactions, &saved[i].id)});
}

bool sw_transactions_settle(struct sw_transactions *transactions)
{
    struct sw_block_marks *blocks = (void *)transactions->blocks.at;
    struct sw_buffer ended = {0};
    size_t count = transactions->blocks.len / sizeof *blocks;
    if (transactions->blocks.failed || transactions->saved.failed || transactions->ended.failed)
        return false;
    if (count)
        qsort(blocks, count, sizeof *blocks, by_place);
    bool good = find_ended(&ended, transactions, blocks, count);
    struct sw_buffer silent = {0}; /* uint32_t: inputs, ascending */
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0, end; good && i < count; i = end) {
            for (end = i; end < count && blocks[end].input == blocks[i].input;)
                end++;
            bool tells = tells_ends(&blocks[i], end - i);
            if (turn == 0 && !tells)
                sw_buffer_add(&silent, &blocks[i].input, sizeof blocks[i].input);
            else if (turn == 1)
                (tells ? settle_input : settle_fragment)(transactions, &ended, &blocks[i], end - i);
            transactions->tells |= tells;
        }
        good &= !silent.failed && !transactions->open.failed;
        if (turn == 0 && good)
            leave_out(&transactions->open, &silent);
    }
    sw_buffer_free(&silent);
    settle_saved(transactions, &ended);
    size_t intervals = transactions->open.len / sizeof(struct sw_fold_open);
    if (intervals)
        qsort(transactions->open.at, intervals, sizeof(struct sw_fold_open), by_begin);
    transactions->ended.len = 0;
    const struct sw_transaction_end *all = (const void *)ended.at;
    for (size_t i = 0; i < ended.len / sizeof *all; i++)
        if (i == 0 || !same(&all[i - 1].id, &all[i].id))
            sw_buffer_add(&transactions->ended, &all[i], sizeof all[i]);
    sw_buffer_free(&ended);
    return good && !transactions->open.failed && !transactions->ids.failed && !transactions->ended.failed;
}
