/* Output files that appear whole or not at all.
 *
 * What is written goes to a temporary name beside the target (`.NAME.slackwater-XXXXXX`); the commit syncs it,
 * renames it over the target and syncs the directory. Until then an existing target is as it was. An abort, a
 * failure, or sw_output_file_abort_all from a signal handler removes the temporary file. Outputs that belong together
 * are committed together.
 *
 *     sw_output_file_open(&file, path, &error);
 *     sw_output_file_write(file, bytes, &error);     …a failure sticks, so one check at the end is enough
 *     sw_output_file_commit(&file, &error);          …or sw_output_file_abort(&file)
 *
 * Special files (a terminal, a FIFO, /dev/null) and the descriptors of the program (`-`, /dev/stdout, /dev/fd/N) are
 * written directly; of them an abort can take nothing back. A symbolic link is followed: the file behind it is replaced. */
#ifndef SW_BASE_OUTPUT_FILE_H
#define SW_BASE_OUTPUT_FILE_H

#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/file_io.h"
#include "slackwater/output.h"

struct sw_output_file;

/* Opens an output; the target is looked at, not touched. A new file gets the mode the umask leaves, an existing one keeps its mode (and
 * its owner, where that may be set).
 * SW_ERR_USAGE: a directory, or the target of another output that is open. SW_ERR_IO: it could not be written. SW_ERR_MEMORY.
 * Owner: the caller, who ends it with commit or abort. One thread at a time per output. */
enum sw_code sw_output_file_open(struct sw_output_file **out, const char *path, struct sw_error *error);

/* SW_ERR_USAGE if `path` is the file `input` (a hard or symbolic link included), which is named `locator` in the message; SW_OK if it is
 * not, or does not exist yet. Call it for every input before the first output is opened. */
enum sw_code sw_output_file_refuse_input(const char *path, struct sw_file_id input, const char *locator, struct sw_error *error);

/* Buffered. After a failure all further calls give it again. */
enum sw_code sw_output_file_write(struct sw_output_file *file, struct sw_bytes bytes, struct sw_error *error);
/* The same in the shape of sw_write_fn (slackwater/report.h): 0 or an errno; `output_file` is the struct sw_output_file. */
int sw_output_file_write_fn(const void *bytes, size_t len, void *output_file);
/* Bytes written so far. */
uint64_t sw_output_file_bytes(const struct sw_output_file *file);

/* Writes what is buffered and waits until the disk has it. More may be written afterwards. */
enum sw_code sw_output_file_sync(struct sw_output_file *file, struct sw_error *error);
/* Puts the output in its place and frees it. On failure, and if a write failed before, it is aborted instead: nothing has changed, unless
 * the message says that a file was replaced and only its directory could not be synced. *file is NULL in any case. */
enum sw_code sw_output_file_commit(struct sw_output_file **file, struct sw_error *error);
/* The same for outputs that belong together (NULL among them is passed over): all of them are on the disk before the first one is put in
 * its place, in the order given. If one cannot be, those that replaced no file are removed again; a file that was replaced stays replaced. */
enum sw_code sw_output_file_commit_all(struct sw_output_file **files, size_t count, struct sw_error *error);
/* Removes what was written and frees it. Accepts NULL. */
void sw_output_file_abort(struct sw_output_file **file);

#endif
