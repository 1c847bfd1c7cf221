/* Sorted runs: items with a sort key, collected in batches, kept in memory or in the spill file, read back in one order.
 *
 * Every partition gives one batch a kind of output; the merge of all runs is the output in key order, whichever thread
 * folded which partition when. */
#ifndef SW_FOLD_RUNS_H
#define SW_FOLD_RUNS_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/spill_file.h"

struct sw_runs;

/* Runs take memory from `budget` up to `memory_bytes`, then go to the spill file. NULL if memory ran out. */
struct sw_runs *sw_runs_new(uint64_t memory_bytes, struct sw_budget *budget, struct sw_spill_file *spill);
void sw_runs_free(struct sw_runs **runs);

/* One thread's items until they become a run. Zero-initialise; sw_run_batch_free. */
struct sw_run_batch {
    struct sw_buffer bytes, index;
};
/* Adds one item. False if memory ran out. Keys need not be unique; equal keys come out in the order of their contents. */
bool sw_run_batch_add(struct sw_run_batch *batch, struct sw_bytes key, struct sw_bytes content);
/* Sorts the batch and makes it a run; the batch is empty afterwards. Thread-safe. */
enum sw_code sw_run_batch_end(struct sw_run_batch *batch, struct sw_runs *runs, struct sw_error *error);
void sw_run_batch_free(struct sw_run_batch *batch);

/* Reads all runs in key order. Several merges may be open; each belongs to one thread. */
struct sw_run_merge;
enum sw_code sw_run_merge_open(struct sw_run_merge **out, const struct sw_runs *runs, struct sw_error *error);
/* SW_OK with key and content valid until the next call, SW_END, or a failure. */
enum sw_code sw_run_merge_next(struct sw_bytes *key, struct sw_bytes *content, struct sw_run_merge *merge, struct sw_error *error);
void sw_run_merge_close(struct sw_run_merge **merge);

#endif
