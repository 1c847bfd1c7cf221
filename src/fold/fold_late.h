/* Keys that are linked by changes of key whose events lack columns: folded last, group by group, once all their records are together.
 *
 * While the other keys are folded, records of linked keys are set aside in a store of their own, by group. Then, of each group, the rows that moved take
 * what they lack from the old key's state right before the move, in the order of the moves, so that a row may move on; and each key is folded
 * as any other. A state that is not known for sure (no row there, several contents, spaces that are not ordered) gives nothing: the column stays
 * unknown. What is saved for a later run is the record as it was read. */
#ifndef SW_FOLD_FOLD_LATE_H
#define SW_FOLD_FOLD_LATE_H

#include "fold/fold_large.h"
#include "fold/links.h"

#define SW_FOLD_LATE_PARTITIONS 64u

/* Takes a record out of its partition if it is of a linked key (*taken). The worker has a writer for such records (sw_fold_worker_set_late), else nothing is taken. */
enum sw_code sw_fold_set_aside(bool *taken, struct sw_fold_worker *worker, struct sw_bytes bytes, struct sw_error *error);
/* Folds what was set aside in one partition of the late store. A partition that does not fit into large->memory_bytes is folded without its links; *unlinked
 * says so. large->seed is any. */
enum sw_code sw_fold_late_partition(bool *unlinked, const struct sw_fold_large *large, struct sw_error *error);

#endif
