/* What came later than the state: does the reference show a record beyond the cut, or of an open transaction? */
#ifndef SW_FOLD_LATER_H
#define SW_FOLD_LATER_H

#include "fold/worker.h"

/* Once, before records are held against the reference's row, whose values have to stay until then. False if memory ran out. */
bool sw_later_hold_against(struct sw_fold_worker *worker, const struct sw_draft_image *expected);
/* Would comparing find records[at] to be what the reference shows? What its image leaves out is carried forward from the records before it.
 * *fine becomes false if memory ran out. */
bool sw_later_is_shown(bool *fine, struct sw_fold_worker *worker, const struct sw_record *const *records, size_t at, const struct sw_draft_image *expected);

#endif
