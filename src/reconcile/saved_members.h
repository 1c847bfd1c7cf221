/* What a saved state holds of the events of transactions, of streams that number and count them: what the next run needs to judge them as one run would. */
#ifndef SW_RECONCILE_SAVED_MEMBERS_H
#define SW_RECONCILE_SAVED_MEMBERS_H

#include "reconcile/run.h"

/* Entries from a line of a saved state, `members` being struct sw_state_member; `writer` is the thread's. */
enum sw_code sw_saved_read_members(struct sw_reading *reading, struct sw_member_writer *writer, unsigned thread, struct sw_bytes members, const struct sw_record_place *place, struct sw_error *error);

/* Entries on their way into the state that a run saves. Zero-initialise, with the run; free. */
struct sw_saved_members {
    struct sw_run *run;
    struct sw_run_batch batch;
    struct sw_buffer key, line, members;
};
/* For sw_member_totals.keep; `ctx` is a struct sw_saved_members. */
enum sw_code sw_saved_keep_members(const struct sw_member *members, size_t count, void *ctx, struct sw_error *error);
/* What is left, and the end. */
enum sw_code sw_saved_end_members(struct sw_saved_members *saved, struct sw_error *error);
void sw_saved_members_free(struct sw_saved_members *saved);

#endif
