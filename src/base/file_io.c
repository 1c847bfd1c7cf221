#include "base/file_io.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#ifdef SW_FAULTS
static _Atomic uint64_t calls, fail_at, chop;
static _Atomic int fail_errno;
static _Atomic bool fail_sticky;

/* The errno the switch wants here, 0 for none. */
static int refused(void)
{
    uint64_t call = atomic_fetch_add(&calls, 1) + 1;
    uint64_t at = atomic_load(&fail_at);
    return at && (call == at || (call > at && atomic_load(&fail_sticky))) ? atomic_load(&fail_errno) : 0;
}

static size_t chopped(size_t len)
{
    uint64_t most = atomic_load(&chop);
    return most && len > most ? most : len;
}

void sw_io_fail_at(uint64_t nth, int sys_errno, bool sticky)
{
    atomic_store(&fail_errno, sys_errno);
    atomic_store(&fail_sticky, sticky);
    atomic_store(&fail_at, nth ? atomic_load(&calls) + nth : 0);
}

void sw_io_chop(size_t bytes) { atomic_store(&chop, bytes); }

uint64_t sw_io_calls(void) { return atomic_load(&calls); }
#else
static inline int refused(void) { return 0; }
static inline size_t chopped(size_t len) { return len; }
void sw_io_fail_at(uint64_t nth, int sys_errno, bool sticky) { (void)nth, (void)sys_errno, (void)sticky; }
void sw_io_chop(size_t bytes) { (void)bytes; }
uint64_t sw_io_calls(void) { return 0; }
#endif

/* Linux moves at most this much in one call. */
#define MOST_AT_ONCE ((size_t)0x7ffff000)

static size_t at_once(size_t len) { return chopped(len < MOST_AT_ONCE ? len : MOST_AT_ONCE); }

int sw_io_open(int *fd, const char *path, int flags, unsigned mode)
{
    *fd = -1;
    int fault = refused();
    if (fault)
        return fault;
    do
        *fd = open(path, flags | O_CLOEXEC, (mode_t)mode);
    while (*fd < 0 && errno == EINTR);
    return *fd < 0 ? errno : 0;
}

int sw_io_close(int *fd)
{
    if (*fd < 0)
        return 0;
    int fault = refused();
    /* on Linux the descriptor is gone even where close says EINTR: it must not be closed again */
    int result = close(*fd) < 0 && errno != EINTR ? errno : 0;
    *fd = -1;
    return fault ? fault : result;
}

int sw_io_stat(struct stat *out, const char *path)
{
    int fault = refused();
    return fault ? fault : stat(path, out) < 0 ? errno : 0;
}

int sw_io_fstat(struct stat *out, int fd)
{
    int fault = refused();
    return fault ? fault : fstat(fd, out) < 0 ? errno : 0;
}

/* After a call that failed with `failed`: whether it is to be made again. A descriptor that another program made non-blocking (what ssh, node and some schedulers hand on) is waited for. */
static bool is_to_be_repeated(int failed, int fd, short event)
{
    if (failed != EAGAIN && failed != EWOULDBLOCK)
        return failed == EINTR;
    struct pollfd wait = {.fd = fd, .events = event};
    return poll(&wait, 1, -1) > 0 || errno == EINTR;
}

int sw_io_read(size_t *got, int fd, void *at, size_t len)
{
    *got = 0;
    while (*got < len) {
        int fault = refused();
        if (fault)
            return fault;
        ssize_t count = read(fd, (uint8_t *)at + *got, at_once(len - *got));
        if (count == 0)
            break;
        int failed = count < 0 ? errno : 0;
        if (count > 0)
            *got += (size_t)count;
        else if (!is_to_be_repeated(failed, fd, POLLIN))
            return failed;
    }
    return 0;
}

int sw_io_pread(size_t *got, int fd, void *at, size_t len, uint64_t offset)
{
    *got = 0;
    while (*got < len) {
        int fault = refused();
        if (fault)
            return fault;
        ssize_t count = pread(fd, (uint8_t *)at + *got, at_once(len - *got), (off_t)(offset + *got));
        if (count == 0)
            break;
        if (count > 0)
            *got += (size_t)count;
        else if (errno != EINTR)
            return errno;
    }
    return 0;
}

int sw_io_write(size_t *put, int fd, const void *at, size_t len)
{
    size_t done = 0;
    int result = 0;
    while (done < len && !(result = refused())) {
        ssize_t count = write(fd, (const uint8_t *)at + done, at_once(len - done));
        int failed = count < 0 ? errno : 0;
        if (count >= 0)
            done += (size_t)count;
        else if (!is_to_be_repeated(failed, fd, POLLOUT)) {
            result = failed;
            break;
        }
    }
    if (put)
        *put = done;
    return result;
}

int sw_io_pwrite(size_t *put, int fd, const void *at, size_t len, uint64_t offset)
{
    size_t done = 0;
    int result = 0;
    while (done < len && !(result = refused())) {
        ssize_t count = pwrite(fd, (const uint8_t *)at + done, at_once(len - done), (off_t)(offset + done));
        if (count >= 0)
            done += (size_t)count;
        else if (errno != EINTR) {
            result = errno;
            break;
        }
    }
    if (put)
        *put = done;
    return result;
}

int sw_io_sync(int fd)
{
    int fault = refused();
    if (fault)
        return fault;
    int result;
    do
        result = fsync(fd) < 0 ? errno : 0;
    while (result == EINTR);
    return result == EINVAL || result == EROFS || result == ENOTSUP ? 0 : result;
}

int sw_io_rename(const char *from, const char *to)
{
    int fault = refused();
    return fault ? fault : rename(from, to) < 0 ? errno : 0;
}
