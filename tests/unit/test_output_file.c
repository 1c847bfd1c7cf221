#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file_io.h"
#include "base/memory.h"
#include "base/output_file.h"

static char directory[64];

static const char *in_directory(const char *name)
{
    static char path[2][512];
    static unsigned turn;
    char *at = path[turn++ % 2];
    snprintf(at, sizeof path[0], "%s/%s", directory, name);
    return at;
}

/* Each test starts in an empty directory and leaves one: nothing may be left that it does not know of. */
static int make_directory(void **state)
{
    (void)state;
    snprintf(directory, sizeof directory, "/tmp/slackwater-output-XXXXXX");
    return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

static int remove_directory(void **state)
{
    (void)state;
    return chdir("/") == 0 ? rmdir(directory) : -1;
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

static void put_text(const char *name, const char *text)
{
    FILE *file = fopen(in_directory(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void assert_text(const char *name, const char *text)
{
    char bytes[256] = {0};
    FILE *file = fopen(in_directory(name), "r");
    assert_non_null(file);
    bytes[fread(bytes, 1, sizeof bytes - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(bytes, text);
}

static void a_commit_shows_the_whole_file_and_before_it_nothing(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct sw_output_file *file;
    umask(027);
    assert_int_equal(sw_output_file_open(&file, in_directory("report.json"), &error), SW_OK);
    assert_int_equal(sw_output_file_write(file, SW_BYTES_LITERAL("{}"), &error), SW_OK);
    assert_int_equal(sw_output_file_write_fn("\n", 1, file), 0);
    assert_int_equal(sw_output_file_write(file, sw_bytes_of(NULL, 0), &error), SW_OK);
    assert_int_equal(sw_output_file_bytes(file), 3);
    assert_int_equal(access(in_directory("report.json"), F_OK), -1);
    assert_int_equal(names_in_directory(), 1);
    assert_int_equal(sw_output_file_commit(&file, &error), SW_OK);
    assert_null(file);
    assert_int_equal(names_in_directory(), 1);
    assert_text("report.json", "{}\n");
    struct stat status;
    assert_int_equal(stat(in_directory("report.json"), &status), 0);
    assert_int_equal(status.st_mode & 07777, 0640);
    unlink(in_directory("report.json"));
}

static void an_abort_leaves_nothing_and_an_existing_file_as_it_was(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct sw_output_file *file;
    put_text("states", "old");
    assert_int_equal(sw_output_file_open(&file, "states", &error), SW_OK);
    assert_int_equal(sw_output_file_write(file, SW_BYTES_LITERAL("new"), &error), SW_OK);
    assert_int_equal(sw_output_file_sync(file, &error), SW_OK);
    assert_text("states", "old");
    sw_output_file_abort(&file);
    assert_null(file);
    assert_int_equal(names_in_directory(), 1);
    assert_text("states", "old");
    sw_output_file_abort(&file);
    unlink("states");
}

static void a_replaced_file_keeps_its_mode_and_a_link_stays_a_link(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct sw_output_file *file;
    put_text("real", "old");
    assert_int_equal(chmod("real", 0604), 0);
    assert_int_equal(symlink("real", "link"), 0);
    assert_int_equal(sw_output_file_open(&file, "link", &error), SW_OK);
    assert_int_equal(sw_output_file_write(file, SW_BYTES_LITERAL("new"), &error), SW_OK);
    assert_int_equal(sw_output_file_commit(&file, &error), SW_OK);
    struct stat status;
    assert_int_equal(lstat("link", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_int_equal(stat("real", &status), 0);
    assert_int_equal(status.st_mode & 07777, 0604);
    assert_text("real", "new");
    unlink("link");
    unlink("real");
}

static void more_than_the_buffer_is_written_whole(void **state)
{
    (void)state;
    enum { BYTES = 3000000 };
    struct sw_error error = {0};
    struct sw_output_file *file;
    uint8_t *bytes = sw_malloc(BYTES), *again = sw_malloc(BYTES);
    for (uint32_t i = 0, noise = 1; i < BYTES; i++)
        bytes[i] = (uint8_t)((noise = noise * 1664525 + 1013904223) >> 24);
    assert_int_equal(sw_output_file_open(&file, "large", &error), SW_OK);
    for (size_t at = 0, len = 1; at < BYTES; at += len, len = len * 3 % 700001 + 1) {
        if (len > BYTES - at)
            len = BYTES - at;
        assert_int_equal(sw_output_file_write(file, sw_bytes_of(bytes + at, len), &error), SW_OK);
    }
    assert_int_equal(sw_output_file_commit(&file, &error), SW_OK);
    int fd;
    size_t got;
    assert_int_equal(sw_io_open(&fd, "large", O_RDONLY, 0), 0);
    assert_int_equal(sw_io_read(&got, fd, again, BYTES), 0);
    assert_int_equal(got, BYTES);
    assert_memory_equal(bytes, again, BYTES);
    assert_int_equal(sw_io_close(&fd), 0);
    sw_free(bytes);
    sw_free(again);
    unlink("large");
}

static void the_text_of_a_refusal_contains(const char *path, enum sw_code code, const char *text)
{
    struct sw_error error = {0};
    struct sw_output_file *file = (void *)1;
    assert_int_equal(sw_output_file_open(&file, path, &error), code);
    assert_null(file);
    assert_non_null(strstr(error.text, text));
}

static void what_cannot_be_a_target_is_refused_by_name(void **state)
{
    (void)state;
    the_text_of_a_refusal_contains(directory, SW_ERR_USAGE, "this is a directory");
    the_text_of_a_refusal_contains("new/", SW_ERR_USAGE, "directory");
    the_text_of_a_refusal_contains("nowhere/report", SW_ERR_IO, "output nowhere/report: its directory does not exist; make it");
    the_text_of_a_refusal_contains("", SW_ERR_USAGE, "directory");
    assert_int_equal(symlink("nothing", "dangling"), 0);
    the_text_of_a_refusal_contains("dangling", SW_ERR_IO, "output dangling: what this link names does not exist");
    unlink("dangling");
    if (geteuid() != 0) { /* root may write anything */
        put_text("kept", "old");
        assert_int_equal(chmod("kept", 0444), 0);
        the_text_of_a_refusal_contains("kept", SW_ERR_IO, "Permission denied");
        unlink("kept");
    }
}

static void two_outputs_may_not_share_a_target(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct sw_output_file *first;
    assert_int_equal(sw_output_file_open(&first, "both", &error), SW_OK);
    the_text_of_a_refusal_contains(in_directory("./both"), SW_ERR_USAGE, "another output is written to the same file");
    sw_output_file_abort(&first);
    assert_int_equal(sw_output_file_open(&first, "both", &error), SW_OK);
    sw_output_file_abort(&first);
}

static void an_input_is_never_written_over_whatever_name_it_has(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct stat status;
    put_text("input", "data");
    assert_int_equal(link("input", "hard"), 0);
    assert_int_equal(symlink("input", "soft"), 0);
    assert_int_equal(stat("input", &status), 0);
    static const char *const names[] = {"input", "./input", "hard", "soft"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        error = (struct sw_error){0};
        assert_int_equal(sw_output_file_refuse_input(names[i], sw_file_id_of(&status), "the-input", &error), SW_ERR_USAGE);
        assert_non_null(strstr(error.text, "this is the input the-input"));
    }
    error = (struct sw_error){0};
    assert_int_equal(sw_output_file_refuse_input("other", sw_file_id_of(&status), "input", &error), SW_OK);
    put_text("other", "data");
    assert_int_equal(sw_output_file_refuse_input("other", sw_file_id_of(&status), "input", &error), SW_OK);
    unlink("input");
    unlink("hard");
    unlink("soft");
    unlink("other");
}

static void special_files_are_written_directly(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct sw_output_file *file;
    assert_int_equal(sw_output_file_open(&file, "/dev/null", &error), SW_OK);
    assert_int_equal(sw_output_file_write(file, SW_BYTES_LITERAL("gone"), &error), SW_OK);
    assert_int_equal(sw_output_file_commit(&file, &error), SW_OK);
    struct stat status;
    assert_int_equal(stat("/dev/null", &status), 0);
    assert_true(S_ISCHR(status.st_mode));

    assert_int_equal(sw_output_file_open(&file, "/dev/full", &error), SW_OK);
    assert_int_equal(sw_output_file_write(file, SW_BYTES_LITERAL("too much"), &error), SW_OK);
    assert_int_equal(sw_output_file_commit(&file, &error), SW_ERR_IO);
    assert_int_equal(error.sys_errno, ENOSPC);

    int ends[2];
    char path[64], text[8] = {0};
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    assert_int_equal(sw_output_file_open(&file, path, NULL), SW_OK);
    assert_int_equal(sw_output_file_write(file, SW_BYTES_LITERAL("piped"), NULL), SW_OK);
    assert_int_equal(sw_output_file_commit(&file, NULL), SW_OK);
    assert_int_equal(read(ends[0], text, sizeof text), 5);
    assert_string_equal(text, "piped");
    close(ends[0]);
    close(ends[1]);
}

/* `> file` before, and `>> file`: what the shell or others wrote there must stay. */
static void a_named_descriptor_goes_on_where_it_stands(void **state)
{
    (void)state;
    int fd = open("redirected", O_WRONLY | O_CREAT, 0600);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "before ", 7), 7);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct sw_output_file *file;
    assert_int_equal(sw_output_file_open(&file, path, NULL), SW_OK);
    assert_int_equal(sw_output_file_write(file, SW_BYTES_LITERAL("after"), NULL), SW_OK);
    assert_int_equal(sw_output_file_commit(&file, NULL), SW_OK);
    close(fd);
    assert_text("redirected", "before after");
    unlink("redirected");
}

static void a_long_name_still_has_a_temporary_one(void **state)
{
    (void)state;
    char name[256];
    for (size_t i = 0; i < 254; i += 2)
        memcpy(name + i, "\xc3\xa9", 2);
    name[254] = '\0';
    struct sw_output_file *file;
    assert_int_equal(sw_output_file_open(&file, name, NULL), SW_OK);
    assert_int_equal(sw_output_file_commit(&file, NULL), SW_OK);
    assert_text(name, "");
    unlink(name);
}

static void a_write_that_fails_sticks_and_the_commit_leaves_the_old_file(void **state)
{
    (void)state;
    struct rlimit old, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    small = (struct rlimit){.rlim_cur = 100000, .rlim_max = old.rlim_max};
    signal(SIGXFSZ, SIG_IGN);
    put_text("report", "old");
    static uint8_t bytes[300000];
    struct sw_error error = {0};
    struct sw_output_file *file;
    assert_int_equal(sw_output_file_open(&file, "report", &error), SW_OK);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    int failed = sw_output_file_write_fn(bytes, sizeof bytes, file);
    int again = sw_output_file_write_fn("x", 1, file);
    enum sw_code code = sw_output_file_commit(&file, &error);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_int_equal(failed, EFBIG);
    assert_int_equal(again, EFBIG);
    assert_int_equal(code, SW_ERR_IO);
    assert_int_equal(error.sys_errno, EFBIG);
    assert_null(file);
    assert_int_equal(names_in_directory(), 1);
    assert_text("report", "old");
    unlink("report");
}

static void end_by_signal(int number)
{
    (void)number;
    sw_output_file_abort_all();
    _exit(0);
}

static void a_signal_handler_removes_every_temporary_file(void **state)
{
    (void)state;
    put_text("second", "old");
    pid_t child = fork();
    if (child == 0) {
        struct sw_output_file *files[3];
        signal(SIGTERM, end_by_signal);
        _exit(sw_output_file_open(&files[0], "first", NULL) != SW_OK || sw_output_file_open(&files[1], "second", NULL) != SW_OK
              || sw_output_file_open(&files[2], "third", NULL) != SW_OK || sw_output_file_commit(&files[2], NULL) != SW_OK
              || names_in_directory() != 4 || raise(SIGTERM));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(names_in_directory(), 2);
    assert_text("second", "old");
    assert_text("third", "");
    unlink("second");
    unlink("third");
}

static void a_forked_child_leaves_the_files_of_its_parent(void **state)
{
    (void)state;
    struct sw_output_file *file;
    assert_int_equal(sw_output_file_open(&file, "parents", NULL), SW_OK);
    pid_t child = fork();
    if (child == 0) {
        sw_output_file_abort_all();
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(sw_output_file_commit(&file, NULL), SW_OK);
    assert_text("parents", "");
    unlink("parents");
}

static void what_was_interrupted_is_not_committed(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct sw_output_file *file;
    assert_int_equal(sw_output_file_open(&file, "late", &error), SW_OK);
    sw_output_file_abort_all();
    assert_int_equal(sw_output_file_commit(&file, &error), SW_ERR_CANCELLED);
    assert_null(file);
    assert_int_equal(names_in_directory(), 0);
}

#ifdef SW_FAULTS
static enum sw_code write_report(struct sw_error *error)
{
    struct sw_output_file *file;
    enum sw_code code = sw_output_file_open(&file, "report", error);
    if (code != SW_OK)
        return code;
    for (int i = 0; i < 5 && code == SW_OK; i++)
        code = sw_output_file_write(file, SW_BYTES_LITERAL("new"), error);
    enum sw_code end = sw_output_file_commit(&file, error);
    assert_null(file);
    return code == SW_OK ? end : code;
}

static void any_call_that_fails_leaves_the_old_file_or_the_whole_new_one(void **state)
{
    (void)state;
    sw_io_chop(2);
    put_text("report", "old");
    uint64_t before = sw_io_calls();
    assert_int_equal(write_report(NULL), SW_OK);
    uint64_t calls = sw_io_calls() - before;
    for (int sticky = 0; sticky < 2; sticky++)
        for (uint64_t n = 1; n <= calls; n++) {
            put_text("report", "old");
            struct sw_error error = {0};
            sw_io_fail_at(n, ENOSPC, sticky);
            enum sw_code code = write_report(&error);
            sw_io_fail_at(0, 0, false);
            assert_int_equal(names_in_directory(), 1);
            if (code == SW_OK) {
                assert_text("report", "newnewnewnewnew"); /* only the closing of the directory failed */
            } else if (strstr(error.text, "in its place, but")) {
                assert_text("report", "newnewnewnewnew");
            } else {
                assert_int_equal(code, SW_ERR_IO);
                assert_int_equal(error.sys_errno, ENOSPC);
                assert_text("report", "old");
            }
        }
    sw_io_chop(0);
    for (uint64_t n = 1; n <= 2; n++) {
        put_text("report", "old");
        sw_memory_fail_at(n, true);
        assert_int_equal(write_report(NULL), SW_ERR_MEMORY);
        sw_memory_fail_at(0, false);
        assert_text("report", "old");
        assert_int_equal(names_in_directory(), 1);
    }
    unlink("report");
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_directory, remove_directory)
        TEST(a_commit_shows_the_whole_file_and_before_it_nothing),
        TEST(an_abort_leaves_nothing_and_an_existing_file_as_it_was),
        TEST(a_replaced_file_keeps_its_mode_and_a_link_stays_a_link),
        TEST(more_than_the_buffer_is_written_whole),
        TEST(what_cannot_be_a_target_is_refused_by_name),
        TEST(two_outputs_may_not_share_a_target),
        TEST(an_input_is_never_written_over_whatever_name_it_has),
        TEST(special_files_are_written_directly),
        TEST(a_named_descriptor_goes_on_where_it_stands),
        TEST(a_long_name_still_has_a_temporary_one),
        TEST(a_write_that_fails_sticks_and_the_commit_leaves_the_old_file),
        TEST(a_signal_handler_removes_every_temporary_file),
        TEST(a_forked_child_leaves_the_files_of_its_parent),
        TEST(what_was_interrupted_is_not_committed),
#ifdef SW_FAULTS
        TEST(any_call_that_fails_leaves_the_old_file_or_the_whole_new_one),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
