/* Descent: timelines of PostgreSQL and incarnations of Oracle form a tree, and a position belongs to a branch of it.
 * Two positions on different branches compare exactly if the lower one lies on the common trunk. */
#ifndef SW_POSITION_LINEAGE_H
#define SW_POSITION_LINEAGE_H

#include "position/position.h"

/* Whether positions on the branches `left_branch` and `right_branch` (attribute values, NULL = not given; the shared
 * code has already refused one-sided ones) compare as numbers. If not, fills `out` with an incomparable answer; if it
 * rests on an assumption, adds it to out->assumed. `history` may be NULL or of another kind (it is then not used). */
bool sw_lineage_comparable(struct sw_position_comparison *out, const struct sw_position_history *history, const struct sw_position_kind *kind,
    const char *left_branch, const char *right_branch, uint64_t left, uint64_t right);

#endif
