/* Commands as they are kept: without passwords, and as one line that a shell reads back. */
#ifndef SW_CASE_COMMAND_TEXT_H
#define SW_CASE_COMMAND_TEXT_H

#include <stdbool.h>

#include "base/buffer.h"

enum sw_blot {
    SW_BLOT_SECRETS, /* the password of a URL's user, and values of names such as password, token or secret in a query or a connection string */
    SW_BLOT_ALL,     /* the option before it says that all of it is one */
    SW_BLOT_ADDRESSES/* of names only those in addresses: the option before it takes COLUMN=TYPE or the like */
};

/* Appends an argument with its secrets replaced by ***. True: something was replaced. */
bool sw_command_blot(struct sw_buffer *out, struct sw_bytes argument, enum sw_blot what);
/* What is to be blotted in the argument behind this one. */
enum sw_blot sw_command_blot_next(struct sw_bytes argument);
/* Appends it so that a POSIX shell reads it as one word. */
void sw_command_quote(struct sw_buffer *out, struct sw_bytes argument);

#endif
