/* What the commands under `position` share. */
#ifndef SW_CLI_POSITION_H
#define SW_CLI_POSITION_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"
#include "slackwater/continuity.h"

extern const struct command command_position_probe;

/* Files that are read whole; both the list and the texts are freed by texts_free, also after a failure. */
struct texts {
    struct sw_named_text *at;
    size_t count;
};
bool texts_read(struct texts *out, const char *const *names, size_t count, struct sw_error *error);
void texts_free(struct texts *texts);

/* Adds the report to a case; `directory` NULL: does nothing. *status becomes the failure's if that fails. */
void position_add_report(int *status, const char *directory, struct sw_continuity_report *report, const char *file_name);

#endif
