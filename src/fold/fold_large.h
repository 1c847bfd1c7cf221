/* Partitions that are too large to be loaded: split again under another seed, and what cannot be split is sorted outside of memory. */
#ifndef SW_FOLD_FOLD_LARGE_H
#define SW_FOLD_FOLD_LARGE_H

#include "fold/fold_partition.h"

struct sw_fold_large {
    struct sw_fold_room *room;
    struct sw_fold_worker *worker;
    const struct sw_fold_rules *rules;
    struct sw_partition_store *store;
    uint32_t partition;
    uint64_t seed;              /* that spread the keys into `store` */
    uint64_t memory_bytes;      /* what this thread may use */
    struct sw_budget *budget;
    struct sw_spill_file *spill;
};

/* Bytes that sw_fold_partition would need for a partition. */
uint64_t sw_fold_partition_cost(const struct sw_partition_store *store, uint32_t partition);
/* Folds a partition within memory_bytes, however large it and its keys are (but for keys whose images are partial or have unavailable values: those need
 * all their images). Gives the same calls to the sink as sw_fold_partition, in another order. */
enum sw_code sw_fold_large_partition(const struct sw_fold_large *large, struct sw_error *error);

#endif
