/* System calls on files: whole transfers over EINTR, short counts and descriptors that were made non-blocking, and a switch that makes the n-th call fail.
 *
 * Each call returns 0 or an errno value, so that the caller can word the failure: it alone knows what the file is. */
#ifndef SW_BASE_FILE_IO_H
#define SW_BASE_FILE_IO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* What a file is, whatever its name. */
struct sw_file_id {
    uint64_t device, inode;
};

static inline struct sw_file_id sw_file_id_of(const struct stat *status) { return (struct sw_file_id){status->st_dev, status->st_ino}; }
static inline bool sw_file_id_equal(struct sw_file_id a, struct sw_file_id b) { return a.device == b.device && a.inode == b.inode; }

/* open(2) with O_CLOEXEC; `*fd` is -1 on failure. `mode` counts where `flags` create a file. */
int sw_io_open(int *fd, const char *path, int flags, unsigned mode);
/* Closes and sets `*fd` to -1, whatever comes of it; -1 is left alone. The file's last write error may come up here. */
int sw_io_close(int *fd);
int sw_io_stat(struct stat *out, const char *path);
int sw_io_fstat(struct stat *out, int fd);

/* Read until `len` bytes are there or the end of the file: `*got` < `len` with 0 means the end. On failure `*got` says what was read before. */
int sw_io_read(size_t *got, int fd, void *at, size_t len);
int sw_io_pread(size_t *got, int fd, void *at, size_t len, uint64_t offset);
/* Write all of it, or fail; `*put` (may be NULL) says how much was written. */
int sw_io_write(size_t *put, int fd, const void *at, size_t len);
int sw_io_pwrite(size_t *put, int fd, const void *at, size_t len, uint64_t offset);
/* fsync(2); files that have nothing to sync (terminals, pipes) count as synced. */
int sw_io_sync(int fd);
int sw_io_rename(const char *from, const char *to);

/* Test builds only (option `faults`): the n-th call from now fails with `sys_errno`, and each one after it if `sticky`; 0 switches it off. */
void sw_io_fail_at(uint64_t nth, int sys_errno, bool sticky);
/* Test builds only: no system call moves more than `bytes`; 0 = as many as it wants. */
void sw_io_chop(size_t bytes);
/* System calls since the start of the program; 0 in other builds. */
uint64_t sw_io_calls(void);

#endif
