/* Option structs of the public API. Each begins with `size_t struct_size`, the size that its caller was compiled with, so that fields can be added at its end: an older caller's is shorter. */
#ifndef SW_BASE_OPTIONS_H
#define SW_BASE_OPTIONS_H

#include <stddef.h>

#include "base/error.h"

/* Zeroes `size` bytes, which are what the caller's struct has, and notes the size in them. */
void sw_options_init(void *options, size_t size);

/* Copies a caller's options over *out, which holds `known` bytes of defaults: what an older caller does not know keeps its default.
 * SW_ERR_USAGE: nobody set a size, or it is one of a newer header, whose fields would be passed over in silence. `name` is the struct's, for the message. */
enum sw_code sw_options_take(void *out, size_t known, const void *given, const char *name, struct sw_error *error);

#endif
