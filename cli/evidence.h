/* Reports of continuity for reconcile --continuity: files, or a scan of the run's own events. */
#ifndef SW_CLI_EVIDENCE_H
#define SW_CLI_EVIDENCE_H

#include <stdbool.h>

#include "slackwater/reconcile.h"

/* Zero-initialise; evidence_free releases. */
struct evidence {
    struct sw_named_text *at;
    size_t count;
};

/* Reads each file; the word "scan" scans the run's events in a pass of its own, "none" stands for nothing. Without any name the events are scanned if
 * their order is mysql-gtid and they are files: only there do positions tell by themselves what is missing. False: the failure is in `error`. */
bool evidence_gather(struct evidence *out, const char *const *names, size_t count, const struct sw_reconcile_options *run, struct sw_error *error);
void evidence_free(struct evidence *evidence);

#endif
