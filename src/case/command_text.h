/* Commands as they are kept: without passwords, and as one line that a shell reads back. */
#ifndef SW_CASE_COMMAND_TEXT_H
#define SW_CASE_COMMAND_TEXT_H

#include <stdbool.h>

#include "base/buffer.h"

/* Appends an argument with its secrets replaced by ***: the password of a URL's user, and values of names such as password, token,
 * secret or key in a query or a connection string. `secret`: the option before it says that all of it is one. True: something was replaced. */
bool sw_command_blot(struct sw_buffer *out, struct sw_bytes argument, bool secret);
/* Is this an option whose argument is a secret, such as --password? */
bool sw_command_takes_secret(struct sw_bytes argument);
/* Appends it so that a POSIX shell reads it as one word. */
void sw_command_quote(struct sw_buffer *out, struct sw_bytes argument);

#endif
