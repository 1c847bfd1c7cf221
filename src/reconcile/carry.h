/* Records that depend on one before them: the begin of their transaction, which may stand in an earlier block that another thread reads.
 *
 * Each block of an input is searched from its end for the last such mark before any record of it is taken; what the blocks hand on to each other is that mark.
 * Blocks are handed out in order and each is searched at once by who got it, so nobody waits for longer than a search takes; memory is one mark an input. */
#ifndef SW_RECONCILE_CARRY_H
#define SW_RECONCILE_CARRY_H

#include "format/format.h"
#include "source/source.h"
#include "text/json_reader.h"

/* What blocks of one input hand on. Zero-initialise. */
struct sw_carry_chain {
    uint64_t next;              /* the block whose turn it is */
    struct sw_carry carry;      /* as the blocks before it leave it */
    bool begins_inside;         /* the first mark of the input's head is the end of a transaction that does not begin in it */
};

/* What holds at the first record of a block of lines of JSON. The input's first block begins with what the first mark in `head` tells of the records before it. Called once for each block, in
 * whatever order and from whatever threads. `json` is the caller's. SW_ERR_MEMORY; the blocks that follow are let go on all the same. */
enum sw_code sw_carry_at(struct sw_carry *out, struct sw_carry_chain *chain, pthread_mutex_t *lock, pthread_cond_t *turn, const struct sw_format *format, struct sw_json_reader *json,
                         const struct sw_block *block, struct sw_bytes head, struct sw_error *error);

#endif
