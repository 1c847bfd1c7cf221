/* Folding partitions: from loaded entries to keys. */
#ifndef SW_FOLD_FOLD_PARTITION_H
#define SW_FOLD_FOLD_PARTITION_H

#include "fold/fold.h"
#include "fold/partition.h"

/* Room for one thread, reused from partition to partition. Zero-initialise; sw_fold_room_free. */
struct sw_fold_room {
    struct sw_partition_load load;
    struct sw_fold_entry *entries, *spread; /* as they were read, and by bucket; one allocation */
    size_t entry_capacity;
    uint32_t *buckets;                      /* where each begins in `spread`, and the end of the last */
    size_t bucket_capacity;
    struct sw_record *records;
    size_t record_capacity;
};
void sw_fold_room_free(struct sw_fold_room *room);

/* Loads a partition, groups its records by key and folds each. `seed` is the seed of the hash that spread the keys. */
enum sw_code sw_fold_partition(struct sw_fold_room *room, struct sw_fold_worker *worker, struct sw_partition_store *store, uint32_t partition, uint64_t seed,
                               struct sw_error *error);

#endif
