/* How far a run is, on standard error. */
#ifndef SW_CLI_PROGRESS_H
#define SW_CLI_PROGRESS_H

#include "slackwater/reconcile.h"

enum progress_form { PROGRESS_NONE, PROGRESS_BAR, PROGRESS_PLAIN, PROGRESS_JSON };

/* Kept between calls; zero-initialise but for `form`. */
struct progress {
    enum progress_form form;
    bool drawn;              /* a bar stands on the terminal */
    double printed_at;       /* seconds of the run when the last plain line was printed */
    const char *phase;       /* of the last plain line */
    uint64_t phase_records, phase_bytes;
    double phase_started;    /* for the rate */
};

/* The form that NULL, "bar", "plain", "json" or "none" means here: a bar by default and only on a terminal; a bar that was
 * asked for and has no terminal becomes plain lines. */
enum progress_form progress_form_of(const char *name);
/* The callback of sw_reconcile; `ctx` is a struct progress. Not zero once SIGINT or SIGTERM has arrived. */
int progress_show(const struct sw_progress *now, void *ctx);
/* Takes the bar off the terminal. */
void progress_end(struct progress *progress);

/* Until signals_release, the first SIGINT or SIGTERM makes progress_show return non-zero, so that the run is cancelled. If it has not ended
 * two seconds later (it may wait for an input that never comes), or at the second signal, unfinished outputs are removed, the
 * interruption is told as failure_print would, and the program ends: with status 4 at SIGTERM, by the signal itself at SIGINT. */
void signals_catch(bool json, enum progress_form form);
void signals_release(void);
/* At the very end: does not return where SIGINT ended what was done, else returns `status`. */
int signals_end(int status);

#endif
