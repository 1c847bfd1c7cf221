/* The Arrow C data and C stream interfaces: plain structs by which column batches pass between libraries of one process.
 * Source: Apache Arrow, "The Arrow C data interface" and "The Arrow C stream interface" (names and layout are theirs, so that any producer fits). */
#ifndef SW_CLIENT_ARROW_H
#define SW_CLIENT_ARROW_H

#include <stdint.h>

struct ArrowSchema {
    const char *format, *name, *metadata;
    int64_t flags, n_children;
    struct ArrowSchema **children, *dictionary;
    void (*release)(struct ArrowSchema *);
    void *private_data;
};

struct ArrowArray {
    int64_t length, null_count, offset, n_buffers, n_children;
    const void **buffers;
    struct ArrowArray **children, *dictionary;
    void (*release)(struct ArrowArray *);
    void *private_data;
};

/* Calls give 0 or an errno. `get_next` at the end: 0, and an array without a release. */
struct ArrowArrayStream {
    int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
    int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
    const char *(*get_last_error)(struct ArrowArrayStream *);
    void (*release)(struct ArrowArrayStream *);
    void *private_data;
};

#endif
