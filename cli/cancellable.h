/* A run that shows how far it is, and that SIGINT or SIGTERM ends. */
#ifndef SW_CLI_CANCELLABLE_H
#define SW_CLI_CANCELLABLE_H

#include "progress.h"

/* Begins the frame: fills *progress (the caller's, alive until cancellable_end) for `form`, the argument of --progress or NULL, has `show`
 * and `ctx` - the members `progress` and `progress_ctx` of the run's options - point to it, and catches the signals. `json`: an interruption
 * that cannot wait for the run is told as an object. */
void cancellable_begin(struct progress *progress, int (**show)(const struct sw_progress *, void *), void **ctx, const char *form, bool json);
/* Ends it: signals work as before, and the bar is gone. Returns `code`, what the run ended with; where it was cancelled, error->text becomes
 * the one sentence for people and programs, whatever the run was doing. */
enum sw_code cancellable_end(struct progress *progress, enum sw_code code, struct sw_error *error);

#endif
