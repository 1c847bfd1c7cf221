/* What a saved state holds of transactions: those that are open, and what tells that they are. */
#ifndef SW_RECONCILE_SAVED_TRANSACTIONS_H
#define SW_RECONCILE_SAVED_TRANSACTIONS_H

#include "reconcile/run.h"

/* Takes over what the header of a saved state, an input of the baseline, says. SW_ERR_MEMORY. */
enum sw_code sw_saved_take_transactions(struct sw_run *run, uint32_t input, const char *file, struct sw_error *error);
/* How many inputs of events, of this run and those before it, begin inside a transaction, and how many end inside one. */
void sw_saved_count_begins(uint64_t *begun_before, uint64_t *left_open, const struct sw_run *run);
/* Has the state that this run saves to remember that the record's transaction is open? *id: under which its end may yet come; empty: it never will. */
bool sw_saved_is_open(struct sw_bytes *id, const struct sw_run *run, const struct sw_record *record);
/* False if memory ran out. */
bool sw_saved_describe_transactions(struct sw_state_header *header, const struct sw_run *run);

#endif
