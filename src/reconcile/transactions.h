/* Which records belong to transactions whose commit is not in evidence.
 *
 * Streams with marks hold whole transactions one after the other, so a row is committed if and only if the next mark after it in its input is a commit.
 * A record carries its place; all that is kept is one summary a block, and from those, once all is read, the intervals of places that are open. */
#ifndef SW_RECONCILE_TRANSACTIONS_H
#define SW_RECONCILE_TRANSACTIONS_H

#include "fold/fold.h"
#include "format/encode.h"

struct sw_transaction_id {
    uint8_t len;                        /* 0: not known */
    uint8_t bytes[SW_TRANSACTION_ID_MAX];
};

/* What is known of the marks of one block. Zero-initialise at its begin, with input and block. */
struct sw_block_marks {
    uint32_t input;
    uint64_t block;
    bool tracked, by_id;                /* any record of a transaction; transactions begin where the id changes */
    bool any, first_commits, commits;   /* any mark; what the first one is; any commit */
    bool head;                          /* rows stand before the first mark */
    bool tail;                          /* rows stand after the last mark, from tail_line on */
    uint64_t head_line, first_line, tail_line;
    struct sw_transaction_id head_id, first_id, tail_id; /* of the first record (at head_line), of the first mark, of the rows in the tail */
};

/* Lines of a saved state that hold records of one transaction which was open for the run that saved it. */
struct sw_saved_open {
    uint32_t input;
    uint64_t block, from_line, to_line; /* the first, and the one behind the last */
    struct sw_transaction_id id;        /* not known: it never ends */
};
/* Adds such a line of a block. */
void sw_saved_open_note(struct sw_buffer *list, uint32_t input, uint64_t block, uint64_t line, struct sw_bytes id);

/* The end of a transaction that is the first mark of an input: it began elsewhere. */
struct sw_transaction_end {
    struct sw_transaction_id id;
    uint32_t input;                     /* of a saved state: the state itself, whose inputs are not told apart */
};

/* All of one run: summaries of blocks, and open intervals inside blocks. Growing; one thread at a time. */
struct sw_transactions {
    struct sw_buffer blocks;            /* struct sw_block_marks */
    struct sw_buffer open;              /* struct sw_fold_open */
    struct sw_buffer saved;             /* struct sw_saved_open */
    struct sw_buffer ended;             /* struct sw_transaction_end: those that saved states tell of; once settled, those of this run, too: sorted, each id once */
    bool tells;                         /* commits were met, by this run or those before it: without any, nothing says that anything is open */
    struct sw_buffer ids;               /* struct sw_transaction_id: of open[].id - 1 */
};
void sw_transactions_free(struct sw_transactions *transactions);
struct sw_transaction_id sw_transaction_id_of(struct sw_bytes bytes);
/* For qsort and bsearch. */
int sw_transaction_id_compare(const void *a, const void *b);
/* The id of an interval; empty: not known. */
struct sw_bytes sw_transactions_id(const struct sw_transactions *transactions, const struct sw_fold_open *open);

/* Takes note of a record that stands in a transaction or is a mark. `id` may be empty. Open intervals inside the block go to `open`. */
void sw_block_marks_note(struct sw_block_marks *marks, struct sw_buffer *open, enum sw_mark mark, bool by_id, struct sw_bytes id, uint64_t line);
/* All open intervals, by place, in transactions->open; they hold if transactions->tells. False if memory ran out. */
bool sw_transactions_settle(struct sw_transactions *transactions);

#endif
