/* Small files that are read whole: pasted output, histories, what a cloud tool printed. */
#ifndef SW_CLI_READ_TEXT_H
#define SW_CLI_READ_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "slackwater/error.h"

#define READ_TEXT_MAX ((size_t)16 << 20)

/* Reads a file, or standard input for "-". *text is the caller's (free), NULL on failure; no terminator is added.
 * False: the file could not be read, or is longer than READ_TEXT_MAX; `error` says so. */
bool read_text(char **text, size_t *len, const char *name, struct sw_error *error);

#endif
