/* Files for the tests of sources, and what a reader of their blocks sees, as text. */
#ifndef SW_TESTS_SOURCE_FILES_H
#define SW_TESTS_SOURCE_FILES_H

#include "source/source.h"

/* A new, empty directory under /tmp that becomes the working directory, and its removal with all files in it; for cmocka. */
int make_test_directory(void **state);
int remove_test_directory(void **state);

void write_file(const char *name, struct sw_bytes bytes);
/* The compressions of this build, ending with NULL. */
extern const char *const test_compressions[];
/* Packed by the library of the same name. */
struct sw_buffer pack(const char *compression, struct sw_bytes bytes);

/* Reads all blocks as a consumer would and checks what each promises. `log` gets a line for each record:
 * `INPUT@OFFSET:LINE text`, with `cut` or `oversized BYTES` where it is that; newlines in a text become '|'. */
enum sw_code read_all(struct sw_buffer *log, const char *const *names, size_t count, const struct sw_source_options *options, struct sw_error *error);

#endif
