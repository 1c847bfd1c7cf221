/* A spill file: temporary bytes on disk that nobody sees and that vanish with the program, however it ends.
 *
 * The file has no name (O_TMPFILE; where the file system lacks it, it is unlinked as soon as it is made). Threads
 * append runs and read them back at the offsets they were given.
 *
 *     sw_spill_file_open(&spill, options->temporary_directory, &error);
 *     sw_spill_file_append(&offset, spill, bytes, &error);    …any thread
 *     sw_spill_file_read(at, spill, (struct sw_extent){offset, len}, &error);
 *     sw_spill_file_close(&spill); */
#ifndef SW_BASE_SPILL_FILE_H
#define SW_BASE_SPILL_FILE_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

struct sw_spill_file;

/* A run in a spill file. */
struct sw_extent {
    uint64_t offset, len;
};

/* In `directory`; NULL: in $TMPDIR if it is set and not empty, else /tmp. SW_ERR_IO, SW_ERR_MEMORY. Owner: sw_spill_file_close. */
enum sw_code sw_spill_file_open(struct sw_spill_file **out, const char *directory, struct sw_error *error);

/* Appends one run, in one piece, and says where. Thread-safe; runs of different threads do not mix.
 * SW_ERR_IO: a full disk is told with the directory, what was written so far, and the options that help. */
enum sw_code sw_spill_file_append(uint64_t *offset, struct sw_spill_file *spill, struct sw_bytes bytes, struct sw_error *error);

/* Reads a run, or a part of one, that an append has given. Thread-safe. SW_ERR_IO. */
enum sw_code sw_spill_file_read(void *at, struct sw_spill_file *spill, struct sw_extent extent, struct sw_error *error);

/* Bytes appended so far, failed appends included. Any thread, any time. */
uint64_t sw_spill_file_bytes(const struct sw_spill_file *spill);

/* Gives the space back. Accepts NULL. No other thread may use it any more. */
void sw_spill_file_close(struct sw_spill_file **spill);

#endif
