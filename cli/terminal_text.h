/* Text of lines that may be long, for a terminal: broken between words, further lines under the text of the first. */
#ifndef SW_CLI_TERMINAL_TEXT_H
#define SW_CLI_TERMINAL_TEXT_H

#include <stddef.h>

/* How many columns the terminal on standard output has; 0 where it is none, or does not say. */
unsigned terminal_columns(void);

/* An sw_write_fn to standard output. On a terminal, lines that are wider than it are broken; elsewhere every line stays one, so that it can be searched and counted. */
int terminal_text_write(const void *bytes, size_t len, void *ctx);

#endif
