/* Every allocation and every I/O call of a challenge fails once, and from then on. Each time it says so, or did not need what failed and gives the very bytes
 * that it gives otherwise; no fault of the machine is ever taken for a fault that survived. Needs the option `faults`. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file_io.h"
#include "base/memory.h"
#include "slackwater/challenge.h"

static struct sw_buffer wanted;

static void put(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static int enter_folder(void **state)
{
    static char name[] = "/tmp/slackwater-challenge-faults-XXXXXX";
    *state = mkdtemp(name);
    if (!*state || chdir(*state) != 0)
        return -1;
    put("baseline.ndjson", "{\"key\":\"A\",\"version\":4,\"deleted\":false,\"value\":{\"a\":1,\"b\":2}}\n{\"key\":\"B\",\"version\":7,\"deleted\":true,\"value\":null}\n");
    put("events.ndjson", "{\"id\":\"e1\",\"key\":\"A\",\"version\":6,\"op\":\"upsert\",\"value\":{\"a\":3,\"b\":2}}\n{\"id\":\"e2\",\"key\":\"A\",\"version\":5,\"op\":\"upsert\",\"value\":{\"a\":2,\"b\":2}}\n"
                         "{\"id\":\"e3\",\"key\":\"B\",\"version\":6,\"op\":\"upsert\",\"value\":{\"a\":9,\"b\":9}}\n{\"id\":\"e4\",\"key\":\"C\",\"version\":1,\"op\":\"upsert\",\"value\":{\"a\":4,\"b\":5}}\n"
                         "{\"id\":\"e1\",\"key\":\"A\",\"version\":6,\"op\":\"upsert\",\"value\":{\"a\":3,\"b\":2}}\n");
    put("expected.ndjson", "{\"key\":\"A\",\"version\":6,\"deleted\":false,\"value\":{\"a\":3,\"b\":2}}\n{\"key\":\"B\",\"version\":7,\"deleted\":true,\"value\":null}\n"
                           "{\"key\":\"C\",\"version\":1,\"deleted\":false,\"value\":{\"a\":4,\"b\":5}}\n");
    return 0;
}

static int leave_folder(void **state)
{
    int left = unlink("baseline.ndjson") | unlink("events.ndjson") | unlink("expected.ndjson") | unlink("challenge.json");
    sw_buffer_free(&wanted);
    return left | chdir("/") | rmdir(*state);
}

static enum sw_code challenge(struct sw_error *error)
{
    static const char *const baseline[] = {"baseline.ndjson"}, *const events[] = {"events.ndjson"}, *const expected[] = {"expected.ndjson"};
    struct sw_reconcile_options run;
    struct sw_challenge_options options;
    struct sw_challenge *challenge = NULL;
    sw_reconcile_options_init(&run);
    run.baseline = baseline, run.events = events, run.expected = expected;
    run.baseline_count = run.event_count = run.expected_count = 1;
    run.threads = 1;
    run.memory_bytes = (uint64_t)16 << 20;
    run.seed = 1;
    run.compare = "value"; /* so that there is something to look for an explanation of */
    sw_challenge_options_init(&options);
    options.run = &run;
    options.report_file = "challenge.json";
    enum sw_code code = sw_challenge(&challenge, &options, error);
    assert_true((code == SW_OK) == (challenge != NULL));
    sw_challenge_free(&challenge);
    return code;
}

static void read_report(struct sw_buffer *out)
{
    FILE *file = fopen("challenge.json", "r");
    assert_non_null(file);
    out->len = 0;
    assert_true(sw_buffer_reserve(out, 1 << 16));
    out->len = fread(out->at, 1, 1 << 16, file);
    assert_int_equal(fclose(file), 0);
}

/* `sys_errno` 0: allocations; else I/O calls. Past the first thousand every seventh. */
static void fail_each(int sys_errno, bool sticky)
{
    uint64_t failures = 0, unharmed = 0, calls = 0, nth = 1;
    struct sw_buffer found = {0};
    for (; calls >= nth || nth == 1; nth += nth > 1000 ? 7 : 1) {
        struct sw_error error = {0};
        uint64_t before = sys_errno ? sw_io_calls() : sw_memory_calls();
        (void)unlink("challenge.json");
        if (sys_errno)
            sw_io_fail_at(nth, sys_errno, sticky);
        else
            sw_memory_fail_at(nth, sticky);
        enum sw_code code = challenge(&error);
        sw_io_fail_at(0, 0, false);
        sw_memory_fail_at(0, false);
        calls = (sys_errno ? sw_io_calls() : sw_memory_calls()) - before;
        if (code == SW_OK) {
            unharmed++;
            read_report(&found);
            assert_true(sw_bytes_equal(sw_buffer_view(&found), sw_buffer_view(&wanted)));
            continue;
        }
        failures++;
        bool told = error.code == code && strlen(error.text) > 20 && (sys_errno ? code == SW_ERR_IO && error.sys_errno == sys_errno : code == SW_ERR_MEMORY);
        if (!told || access("challenge.json", F_OK) == 0)
            fail_msg("call %llu: %s: %s", (unsigned long long)nth, sw_code_name(code), error.text);
        calls = UINT64_MAX; /* it ended early: what comes later is still to be tried */
    }
    sw_buffer_free(&found);
    print_message("# %s %s: %llu calls, %llu failed it, %llu did no harm\n", sys_errno ? strerror(sys_errno) : "allocation", sticky ? "from then on" : "once", (unsigned long long)nth,
                  (unsigned long long)failures, (unsigned long long)unharmed);
    assert_true(failures > 30);
}

static void each_allocation_may_fail(void **state)
{
    (void)state;
    struct sw_error error = {0};
    assert_int_equal(challenge(&error), SW_OK);
    read_report(&wanted);
    assert_non_null(memmem(wanted.at, wanted.len, "--compare value", 15));
    fail_each(0, false);
    fail_each(0, true);
}

static void each_call_of_the_system_may_fail(void **state)
{
    (void)state;
    fail_each(EIO, false);
    fail_each(ENOSPC, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_allocation_may_fail),
        cmocka_unit_test(each_call_of_the_system_may_fail),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
