/* How a command says that it failed: a line on standard error, or one object on standard output in JSON mode. */
#ifndef SW_CLI_FAILURE_H
#define SW_CLI_FAILURE_H

#include <stdbool.h>
#include <stdio.h>

#include "slackwater/error.h"

/* Prints the failure and returns its exit status.
 *
 *     slackwater: map.yaml:3:5: rename: expected a map, found a text
 *     {"error":{"code":"usage","text":"…","source":"map.yaml","line":3,"column":5}}
 *
 * Members without a known value are left out; `code` is sw_code_name of the code, and stable. */
int failure_print(bool json, const struct sw_error *error);

/* Bytes to standard output, in the shape of sw_write_fn. */
int stdout_write(const void *bytes, size_t len, void *ctx);
/* The errno of the first stdout_write that failed, or 0. main tells it once, when the program ends; failure_print leaves it out. */
int stdout_failure(void);

/* Prints a text for people, such as the name of a file that came from elsewhere: what steers a terminal (control characters, turns of direction) and
 * bytes that are no UTF-8 as \xNN. */
void plain_text_print(FILE *to, const char *text);

/* Prints a text as a JSON string: ASCII controls escaped, bytes that are not UTF-8 replaced by U+FFFD. */
void json_text_print(FILE *to, const char *text);

#endif
