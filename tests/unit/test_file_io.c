#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file_io.h"

static void ignore_signal(int number) { (void)number; }

/* Writes byte by byte into a pipe and interrupts the reader in between. */
struct dripper {
    int fd;
    pthread_t reader;
};

static void *drip(void *ctx)
{
    struct dripper *dripper = ctx;
    for (int i = 0; i < 50; i++) {
        uint8_t byte = (uint8_t)i;
        pthread_kill(dripper->reader, SIGUSR1);
        assert_int_equal(write(dripper->fd, &byte, 1), 1);
    }
    close(dripper->fd);
    return NULL;
}

static void a_read_goes_on_over_signals_and_short_counts_until_the_end(void **state)
{
    (void)state;
    struct sigaction action = {.sa_handler = ignore_signal}; /* no SA_RESTART: read gives EINTR */
    sigaction(SIGUSR1, &action, NULL);
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    struct dripper dripper = {.fd = ends[1], .reader = pthread_self()};
    pthread_t thread;
    pthread_create(&thread, NULL, drip, &dripper);
    uint8_t bytes[100];
    size_t got;
    assert_int_equal(sw_io_read(&got, ends[0], bytes, 40), 0);
    assert_int_equal(got, 40);
    assert_int_equal(sw_io_read(&got, ends[0], bytes + 40, 60), 0);
    assert_int_equal(got, 10);
    for (int i = 0; i < 50; i++)
        assert_int_equal(bytes[i], i);
    pthread_join(thread, NULL);
    assert_int_equal(sw_io_close(&ends[0]), 0);
    assert_int_equal(ends[0], -1);
}

/* Writes the next byte once the reader has taken the one before it, and so most likely met an empty pipe. */
static void *drip_when_empty(void *ctx)
{
    const int *fd = ctx;
    for (int i = 0; i < 50; i++) {
        uint8_t byte = (uint8_t)i;
        for (int left = 1; left; sched_yield())
            assert_int_equal(ioctl(*fd, FIONREAD, &left), 0);
        assert_int_equal(write(*fd, &byte, 1), 1);
    }
    close(*fd);
    return NULL;
}

static void a_pipe_that_was_made_non_blocking_is_waited_for(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
    pthread_t thread;
    pthread_create(&thread, NULL, drip_when_empty, &ends[1]);
    uint8_t bytes[100];
    size_t got;
    assert_int_equal(sw_io_read(&got, ends[0], bytes, sizeof bytes), 0);
    assert_int_equal(got, 50);
    for (int i = 0; i < 50; i++)
        assert_int_equal(bytes[i], i);
    pthread_join(thread, NULL);
    assert_int_equal(sw_io_close(&ends[0]), 0);
}

static void *drain(void *ctx)
{
    const int *fd = ctx;
    uint8_t bytes[4096];
    size_t *total = calloc(1, sizeof *total);
    for (ssize_t count; (count = read(*fd, bytes, sizeof bytes)) > 0;)
        *total += (size_t)count;
    return total;
}

static void a_full_pipe_that_was_made_non_blocking_is_written_whole(void **state)
{
    (void)state;
    static uint8_t bytes[1 << 20]; /* a pipe holds less */
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
    pthread_t thread;
    void *total;
    pthread_create(&thread, NULL, drain, &ends[0]);
    size_t put;
    assert_int_equal(sw_io_write(&put, ends[1], bytes, sizeof bytes), 0);
    assert_int_equal(put, sizeof bytes);
    assert_int_equal(sw_io_close(&ends[1]), 0);
    pthread_join(thread, &total);
    assert_int_equal(*(size_t *)total, sizeof bytes);
    free(total);
    assert_int_equal(sw_io_close(&ends[0]), 0);
}

static void failures_come_back_as_errno(void **state)
{
    (void)state;
    int fd;
    assert_int_equal(sw_io_open(&fd, "/nowhere/at/all", O_RDONLY, 0), ENOENT);
    assert_int_equal(fd, -1);
    assert_int_equal(sw_io_close(&fd), 0);
    size_t count = 9;
    uint8_t byte;
    assert_int_equal(sw_io_read(&count, -1, &byte, 1), EBADF);
    assert_int_equal(count, 0);
    assert_int_equal(sw_io_open(&fd, "/dev/full", O_WRONLY, 0), 0);
    assert_int_equal(sw_io_write(&count, fd, "x", 1), ENOSPC);
    assert_int_equal(count, 0);
    assert_int_equal(sw_io_close(&fd), 0);
}

static void what_is_written_at_a_place_is_read_there(void **state)
{
    (void)state;
    char path[] = "/tmp/slackwater-file-io-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    unlink(path);
    uint8_t bytes[16];
    size_t count;
    assert_int_equal(sw_io_pwrite(&count, fd, "later", 5, 5), 0);
    assert_int_equal(count, 5);
    assert_int_equal(sw_io_write(NULL, fd, "first", 5), 0);
    assert_int_equal(sw_io_sync(fd), 0);
    assert_int_equal(sw_io_pread(&count, fd, bytes, sizeof bytes, 2), 0);
    assert_int_equal(count, 8);
    assert_memory_equal(bytes, "rstlater", 8);
    assert_int_equal(sw_io_close(&fd), 0);
}

static void what_cannot_be_synced_counts_as_synced(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(sw_io_sync(ends[1]), 0);
    assert_int_equal(sw_io_close(&ends[0]), 0);
    assert_int_equal(sw_io_close(&ends[1]), 0);
    assert_int_equal(sw_io_sync(-1), EBADF);
}

#ifdef SW_FAULTS
static void the_nth_call_fails_as_told_and_a_chopped_transfer_is_still_whole(void **state)
{
    (void)state;
    int fd;
    sw_io_fail_at(2, EIO, false);
    assert_int_equal(sw_io_open(&fd, "/dev/zero", O_RDONLY, 0), 0);
    uint8_t bytes[64];
    size_t got;
    assert_int_equal(sw_io_read(&got, fd, bytes, sizeof bytes), EIO);
    assert_int_equal(sw_io_read(&got, fd, bytes, sizeof bytes), 0);
    sw_io_chop(3);
    uint64_t before = sw_io_calls();
    assert_int_equal(sw_io_read(&got, fd, bytes, sizeof bytes), 0);
    assert_int_equal(got, sizeof bytes);
    assert_int_equal(sw_io_calls() - before, 22);
    sw_io_chop(0);
    sw_io_fail_at(1, ENOSPC, true);
    struct stat status;
    assert_int_equal(sw_io_fstat(&status, fd), ENOSPC);
    assert_int_equal(sw_io_close(&fd), ENOSPC);
    sw_io_fail_at(0, 0, false);
    assert_int_equal(fd, -1);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_goes_on_over_signals_and_short_counts_until_the_end),
        cmocka_unit_test(a_pipe_that_was_made_non_blocking_is_waited_for),
        cmocka_unit_test(a_full_pipe_that_was_made_non_blocking_is_written_whole),
        cmocka_unit_test(failures_come_back_as_errno),
        cmocka_unit_test(what_is_written_at_a_place_is_read_there),
        cmocka_unit_test(what_cannot_be_synced_counts_as_synced),
#ifdef SW_FAULTS
        cmocka_unit_test(the_nth_call_fails_as_told_and_a_chopped_transfer_is_still_whole),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
