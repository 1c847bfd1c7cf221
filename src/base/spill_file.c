#include "base/spill_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file_io.h"
#include "base/memory.h"

struct sw_spill_file {
    int fd;
    _Atomic uint64_t end;
    char directory[]; /* for messages */
};

/* Some file systems (older overlayfs, NFS) have no nameless files: make one and take its name away. */
static int open_and_unlink(int *fd, const char *directory)
{
    char path[PATH_MAX];
    if ((size_t)snprintf(path, sizeof path, "%s/slackwater-XXXXXX", directory) >= sizeof path)
        return ENAMETOOLONG;
    *fd = mkostemp(path, O_CLOEXEC);
    if (*fd < 0)
        return errno;
    return unlink(path) < 0 ? errno : 0;
}

enum sw_code sw_spill_file_open(struct sw_spill_file **out, const char *directory, struct sw_error *error)
{
    *out = NULL;
    if (!directory) {
        const char *set = getenv("TMPDIR");
        directory = set && *set ? set : "/tmp";
    }
    size_t size = strlen(directory) + 1;
    struct sw_spill_file *spill = sw_malloc(sizeof *spill + size);
    if (!spill)
        return sw_fail_memory(error, "a temporary file", sizeof *spill + size);
    memcpy(spill->directory, directory, size);
    atomic_init(&spill->end, 0);
    int failed = sw_io_open(&spill->fd, directory, O_TMPFILE | O_RDWR, 0600);
    /* kernels and file systems without O_TMPFILE see the directory alone (EISDIR), or say so */
    if (failed == EOPNOTSUPP || failed == EISDIR || failed == EINVAL)
        failed = open_and_unlink(&spill->fd, directory);
    if (failed) {
        sw_fail_errno(error, SW_ERR_IO, failed, "temporary file: cannot be made in %s (choose a place with --temporary-directory)", directory);
        sw_spill_file_close(&spill);
        return SW_ERR_IO;
    }
    *out = spill;
    return SW_OK;
}

enum sw_code sw_spill_file_append(uint64_t *offset, struct sw_spill_file *spill, struct sw_bytes bytes, struct sw_error *error)
{
    uint64_t at = atomic_fetch_add_explicit(&spill->end, bytes.len, memory_order_relaxed);
    size_t put;
    int failed = sw_io_pwrite(&put, spill->fd, bytes.at, bytes.len, at);
    *offset = at;
    if (!failed)
        return SW_OK;
    if (failed == ENOSPC || failed == EDQUOT || failed == EFBIG)
        return sw_fail_errno(error, SW_ERR_IO, failed,
                             "temporary file: %s took %llu bytes (%.1f MB) and then no more (what is spilled may come to half of the inputs' size, unpacked); name a larger place with --temporary-directory, "
                             "or allow more memory with --memory so that less is spilled",
                             spill->directory, (unsigned long long)(at + put), (double)(at + put) / 1e6);
    return sw_fail_errno(error, SW_ERR_IO, failed, "temporary file: writing in %s at byte %llu", spill->directory, (unsigned long long)(at + put));
}

enum sw_code sw_spill_file_read(void *at, struct sw_spill_file *spill, struct sw_extent extent, struct sw_error *error)
{
    size_t got;
    int failed = sw_io_pread(&got, spill->fd, at, extent.len, extent.offset);
    if (failed)
        return sw_fail_errno(error, SW_ERR_IO, failed, "temporary file: reading back in %s at byte %llu", spill->directory,
                             (unsigned long long)(extent.offset + got));
    if (got < extent.len)
        return sw_fail(error, SW_ERR_IO, "temporary file: in %s, %llu bytes were expected at byte %llu and %zu were there", spill->directory,
                       (unsigned long long)extent.len, (unsigned long long)extent.offset, got);
    return SW_OK;
}

uint64_t sw_spill_file_bytes(const struct sw_spill_file *spill) { return atomic_load_explicit(&spill->end, memory_order_relaxed); }

void sw_spill_file_close(struct sw_spill_file **spill)
{
    if (!*spill)
        return;
    (void)sw_io_close(&(*spill)->fd); /* what it held is not wanted any more */
    sw_free(*spill);
    *spill = NULL;
}
