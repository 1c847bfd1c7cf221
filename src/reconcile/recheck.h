/* --recheck: the keys that differ are read again, after a while, and what became of each difference is told (recheck.c). */
#ifndef SW_RECONCILE_RECHECK_H
#define SW_RECONCILE_RECHECK_H

#include "reconcile/run.h"

/* Reads --recheck and holds it against the inputs. SW_ERR_USAGE where nothing that could change would be read again, or an input can be read once only. */
enum sw_code sw_run_plan_recheck(struct sw_run *run, struct sw_error *error);
/* Once the first comparison is complete: waits, reads the keys that differ again, as often as was asked, and fills run->report.recheck. Nothing if it was not asked for.
 * SW_ERR_CANCELLED, also while it waits; and the failures of a run. */
enum sw_code sw_run_recheck(struct sw_run *run, struct sw_error *error);

#endif
