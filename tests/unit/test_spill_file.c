#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <signal.h>
#include <unistd.h>

#include "base/file_io.h"
#include "base/memory.h"
#include "base/spill_file.h"

static char directory[64];

static int make_directory(void **state)
{
    (void)state;
    snprintf(directory, sizeof directory, "/tmp/slackwater-spill-XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
    (void)state;
    return rmdir(directory);
}

static int names_in_directory(void)
{
    int count = 0;
    DIR *dir = opendir(directory);
    assert_non_null(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count - 2;
}

static void a_run_is_read_back_where_it_was_put_and_the_file_has_no_name(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct sw_spill_file *spill;
    assert_int_equal(sw_spill_file_open(&spill, directory, &error), SW_OK);
    assert_int_equal(names_in_directory(), 0);
    uint64_t first, second;
    assert_int_equal(sw_spill_file_append(&first, spill, SW_BYTES_LITERAL("first run"), &error), SW_OK);
    assert_int_equal(sw_spill_file_append(&second, spill, SW_BYTES_LITERAL("\0\0second"), &error), SW_OK);
    assert_int_equal(sw_spill_file_bytes(spill), 17);
    char text[16] = {0};
    assert_int_equal(sw_spill_file_read(text, spill, (struct sw_extent){second + 2, 6}, &error), SW_OK);
    assert_string_equal(text, "second");
    assert_int_equal(sw_spill_file_read(text, spill, (struct sw_extent){first, 5}, &error), SW_OK);
    assert_memory_equal(text, "first", 5);
    assert_int_equal(names_in_directory(), 0);
    sw_spill_file_close(&spill);
    assert_null(spill);
    sw_spill_file_close(&spill);
}

static void reading_past_the_end_is_an_error(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct sw_spill_file *spill;
    assert_int_equal(sw_spill_file_open(&spill, directory, &error), SW_OK);
    uint64_t offset;
    char text[8];
    assert_int_equal(sw_spill_file_append(&offset, spill, SW_BYTES_LITERAL("abc"), &error), SW_OK);
    assert_int_equal(sw_spill_file_read(text, spill, (struct sw_extent){offset, 4}, &error), SW_ERR_IO);
    assert_non_null(strstr(error.text, "4 bytes were expected at byte 0 and 3 were there"));
    sw_spill_file_close(&spill);
}

static void a_directory_that_is_not_there_is_named_with_the_option_that_helps(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct sw_spill_file *spill = (void *)1;
    assert_int_equal(sw_spill_file_open(&spill, "/nowhere/at/all", &error), SW_ERR_IO);
    assert_null(spill);
    assert_int_equal(error.sys_errno, ENOENT);
    assert_non_null(strstr(error.text, "/nowhere/at/all"));
    assert_non_null(strstr(error.text, "--temporary-directory"));
}

static void tmpdir_is_used_unless_it_is_empty(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct sw_spill_file *spill;
    setenv("TMPDIR", "/nowhere/by/environment", 1);
    assert_int_equal(sw_spill_file_open(&spill, NULL, &error), SW_ERR_IO);
    assert_non_null(strstr(error.text, "/nowhere/by/environment"));
    setenv("TMPDIR", "", 1);
    error = (struct sw_error){0};
    assert_int_equal(sw_spill_file_open(&spill, NULL, &error), SW_OK);
    sw_spill_file_close(&spill);
    unsetenv("TMPDIR");
}

/* A limit on the size of files stands for a full disk: the same error path, on any machine. */
static void a_full_disk_is_told_with_the_place_the_amount_and_the_ways_out(void **state)
{
    (void)state;
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = (struct rlimit){.rlim_cur = 1000, .rlim_max = old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    struct sw_error error = {0};
    struct sw_spill_file *spill;
    assert_int_equal(sw_spill_file_open(&spill, directory, &error), SW_OK);
    uint8_t bytes[600] = {0};
    uint64_t offset;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    assert_int_equal(sw_spill_file_append(&offset, spill, sw_bytes_of(bytes, sizeof bytes), &error), SW_OK);
    assert_int_equal(sw_spill_file_append(&offset, spill, sw_bytes_of(bytes, sizeof bytes), &error), SW_ERR_IO);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_non_null(strstr(error.text, directory));
    assert_non_null(strstr(error.text, "took 1000 bytes"));
    assert_non_null(strstr(error.text, "--temporary-directory"));
    assert_non_null(strstr(error.text, "--memory"));
    sw_spill_file_close(&spill);
}

enum { RUNS = 2000, THREADS = 4 };

struct writer {
    struct sw_spill_file *spill;
    uint8_t number;
    uint64_t offsets[RUNS];
};

static size_t run_length(unsigned i) { return 1 + (i * 37) % 200; }

static void *append_runs(void *ctx)
{
    struct writer *writer = ctx;
    uint8_t bytes[256];
    for (unsigned i = 0; i < RUNS; i++) {
        memset(bytes, (int)(writer->number * 50u + i % 50), sizeof bytes);
        if (sw_spill_file_append(&writer->offsets[i], writer->spill, sw_bytes_of(bytes, run_length(i)), NULL) != SW_OK)
            return writer;
    }
    return NULL;
}

static void runs_of_several_threads_do_not_mix(void **state)
{
    (void)state;
    static struct writer writers[THREADS];
    struct sw_error error = {0};
    struct sw_spill_file *spill;
    assert_int_equal(sw_spill_file_open(&spill, directory, &error), SW_OK);
    pthread_t threads[THREADS];
    for (uint8_t t = 0; t < THREADS; t++) {
        writers[t] = (struct writer){.spill = spill, .number = t};
        assert_int_equal(pthread_create(&threads[t], NULL, append_runs, &writers[t]), 0);
    }
    for (unsigned t = 0; t < THREADS; t++) {
        void *failed;
        pthread_join(threads[t], &failed);
        assert_null(failed);
    }
    uint64_t total = 0;
    for (unsigned t = 0; t < THREADS; t++)
        for (unsigned i = 0; i < RUNS; i++) {
            uint8_t bytes[256];
            total += run_length(i);
            assert_int_equal(sw_spill_file_read(bytes, spill, (struct sw_extent){writers[t].offsets[i], run_length(i)}, &error), SW_OK);
            for (size_t b = 0; b < run_length(i); b++)
                assert_int_equal(bytes[b], t * 50u + i % 50);
        }
    assert_int_equal(sw_spill_file_bytes(spill), total);
    sw_spill_file_close(&spill);
}

#ifdef SW_FAULTS
static enum sw_code use_a_spill_file(struct sw_error *error)
{
    struct sw_spill_file *spill;
    enum sw_code code = sw_spill_file_open(&spill, directory, error);
    if (code != SW_OK)
        return code;
    uint64_t offset;
    char text[4];
    for (int i = 0; i < 3 && code == SW_OK; i++) {
        code = sw_spill_file_append(&offset, spill, SW_BYTES_LITERAL("four"), error);
        if (code == SW_OK)
            code = sw_spill_file_read(text, spill, (struct sw_extent){offset, 4}, error);
    }
    sw_spill_file_close(&spill);
    return code;
}

static void any_call_that_fails_is_a_clean_error(void **state)
{
    (void)state;
    static const int errnos[] = {EIO, ENOSPC, EOPNOTSUPP};
    for (size_t e = 0; e < sizeof errnos / sizeof *errnos; e++)
        for (int sticky = 0; sticky < 2; sticky++) {
            sw_io_fail_at(0, 0, false);
            uint64_t before = sw_io_calls();
            assert_int_equal(use_a_spill_file(NULL), SW_OK);
            uint64_t calls = sw_io_calls() - before;
            for (uint64_t n = 1; n < calls; n++) { /* the last one closes the file, which may fail unseen */
                struct sw_error error = {0};
                sw_io_fail_at(n, errnos[e], sticky);
                enum sw_code code = use_a_spill_file(&error);
                /* without O_TMPFILE a file is made in the other way */
                if (!(code == SW_OK && n == 1 && errnos[e] == EOPNOTSUPP)) {
                    assert_int_equal(code, SW_ERR_IO);
                    assert_int_equal(error.sys_errno, errnos[e]);
                }
                sw_io_fail_at(0, 0, false);
                assert_int_equal(names_in_directory(), 0);
            }
        }
    sw_memory_fail_at(1, false);
    assert_int_equal(use_a_spill_file(NULL), SW_ERR_MEMORY);
    sw_memory_fail_at(0, false);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_read_back_where_it_was_put_and_the_file_has_no_name),
        cmocka_unit_test(reading_past_the_end_is_an_error),
        cmocka_unit_test(a_directory_that_is_not_there_is_named_with_the_option_that_helps),
        cmocka_unit_test(tmpdir_is_used_unless_it_is_empty),
        cmocka_unit_test(a_full_disk_is_told_with_the_place_the_amount_and_the_ways_out),
        cmocka_unit_test(runs_of_several_threads_do_not_mix),
#ifdef SW_FAULTS
        cmocka_unit_test(any_call_that_fails_is_a_clean_error),
#endif
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
