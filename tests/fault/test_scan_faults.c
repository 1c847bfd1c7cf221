/* Every allocation of a scan, and of a reconciliation that takes its report as evidence, fails once, and from then on. Each time the run says so and leaves
 * no output behind, or did not need what failed and gives the very bytes it gives otherwise. Needs the option `faults`. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/memory.h"
#include "slackwater/scan.h"

#define U "3a1f0000-0000-0000-0000-000000000001"
#define EVENT(number, order, table, pos, time) \
    "{\"before\":null,\"after\":{\"id\":" #number "},\"source\":{\"connector\":\"mysql\",\"name\":\"s\",\"ts_ms\":" #time ",\"db\":\"d\",\"table\":\"" table "\",\"gtid\":\"" U ":" #number \
    "\",\"file\":\"b.1\",\"pos\":" #pos ",\"row\":0},\"op\":\"c\",\"transaction\":{\"id\":\"" U ":" #number "\",\"total_order\":" #order ",\"data_collection_order\":" #order "}}\n"
#define END(number, count) "{\"status\":\"END\",\"id\":\"" U ":" #number "\",\"event_count\":" #count ",\"data_collections\":[{\"data_collection\":\"d.a\",\"event_count\":" #count "}]}\n"

static const char events_text[] = EVENT(3, 1, "a", 10, 1000) EVENT(3, 2, "a", 20, 1000) EVENT(5, 1, "b", 30, 3000) EVENT(9, 1, "a", 50, 5000) EVENT(5, 1, "b", 30, 3000) END(3, 2) END(9, 2)
    "{\"ts_ms\":5}\nnot json\n";
static char folder[] = "/tmp/slackwater-faults-XXXXXX", events_file[64], report_file[64];
static const char *const events[] = {events_file}, *const keys[] = {"id"};

static int make_place(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(events_file, sizeof events_file, "%s/e.ndjson", folder);
    snprintf(report_file, sizeof report_file, "%s/r.json", folder);
    FILE *file = fopen(events_file, "w");
    assert_non_null(file);
    assert_true(fputs(events_text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return 0;
}

static int remove_place(void **state)
{
    (void)state;
    (void)unlink(report_file);
    return unlink(events_file) | rmdir(folder);
}

static int take(const void *bytes, size_t len, void *ctx)
{
    sw_buffer_add(ctx, bytes, len);
    return ((struct sw_buffer *)ctx)->failed ? 12 : 0;
}

static enum sw_code scan(struct sw_buffer *out, struct sw_error *error)
{
    struct sw_scan_options options;
    struct sw_scan_report *report = NULL;
    sw_scan_options_init(&options);
    options.events = events, options.event_count = 1;
    options.order = "mysql-gtid";
    options.after = U ":1-2";
    options.executed = U ":1-9";
    options.purged = U ":1-4";
    options.threads = 1; /* the n-th call must be the same one each time */
    options.memory_bytes = (uint64_t)16 << 20;
    options.temporary_directory = folder;
    options.report_file = report_file;
    enum sw_code code = sw_scan(&report, &options, error);
    assert_true((code == SW_OK) == (report != NULL));
    if (code == SW_OK)
        code = sw_scan_write_text(report, take, out, error);
    if (code == SW_OK)
        code = sw_scan_write_json(report, take, out, error);
    sw_scan_report_free(&report);
    return code;
}

static struct sw_buffer evidence;

static enum sw_code reconcile(struct sw_buffer *out, struct sw_error *error)
{
    struct sw_reconcile_options options;
    struct sw_report *report = NULL;
    const struct sw_named_text text = {"scan.json", (const char *)evidence.at, evidence.len};
    sw_reconcile_options_init(&options);
    options.events = events, options.event_count = 1;
    options.expected = events, options.expected_count = 1;
    options.keys = keys, options.key_count = 1;
    options.order = "mysql-gtid";
    options.continuity = &text, options.continuity_count = 1;
    options.threads = 1;
    options.seed = 1;
    options.memory_bytes = (uint64_t)16 << 20;
    options.temporary_directory = folder;
    enum sw_code code = sw_reconcile(&report, &options, error);
    if (code == SW_OK) {
        const struct sw_summary_style style = {0};
        code = sw_report_write_summary(report, &style, take, out, error);
    }
    sw_report_free(&report);
    return code;
}

static void fail_each(enum sw_code (*run)(struct sw_buffer *, struct sw_error *))
{
    struct sw_buffer wanted = {0}, now = {0};
    struct sw_error error = {0};
    assert_int_equal(run(&wanted, &error), SW_OK);
    assert_true(wanted.len > 500);
    for (int sticky = 0; sticky < 2; sticky++) {
        unsigned failures = 0;
        for (uint64_t nth = 1;; nth += nth > 300 ? 7 : 1) {
            uint64_t before = sw_memory_calls();
            now.len = 0;
            now.failed = false;
            (void)unlink(report_file);
            error = (struct sw_error){0};
            assert_true(sw_buffer_reserve(&now, wanted.len + 4096)); /* the writer's own memory is not on trial */
            sw_memory_fail_at(nth, sticky);
            enum sw_code code = run(&now, &error);
            sw_memory_fail_at(0, false);
            bool reached = sw_memory_calls() - before >= nth;
            if (code == SW_OK) {
                size_t same = 0;
                while (same < now.len && same < wanted.len && now.at[same] == wanted.at[same])
                    same++;
                if (same < now.len || same < wanted.len)
                    print_message("# call %llu, from byte %zu: expected %.*s, found %.*s\n", (unsigned long long)nth, same, (int)(wanted.len - same < 99 ? wanted.len - same : 99), (char *)wanted.at + same,
                                  (int)(now.len - same < 99 ? now.len - same : 99), (char *)now.at + same);
                assert_true(sw_bytes_equal(sw_buffer_view(&now), sw_buffer_view(&wanted)));
            } else {
                if (code != SW_ERR_MEMORY)
                    print_message("# call %llu: %s: %s\n", (unsigned long long)nth, sw_code_name(code), error.text);
                assert_int_equal(code, SW_ERR_MEMORY);
                assert_true(strlen(error.text) > 20);
                failures++;
            }
            if (!reached)
                break;
        }
        print_message("# %u allocations failed the run\n", failures);
        assert_true(failures > 100);
    }
    sw_buffer_free(&wanted);
    sw_buffer_free(&now);
}

static void a_scan_survives_every_failed_allocation(void **state)
{
    (void)state;
    fail_each(scan);
}

static void evidence_survives_every_failed_allocation(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct sw_buffer both = {0};
    assert_int_equal(scan(&both, &error), SW_OK);
    const uint8_t *json = memmem(both.at, both.len, "{\n  \"schema\"", 12);
    assert_non_null(json);
    sw_buffer_add(&evidence, json, (size_t)(both.at + both.len - json));
    fail_each(reconcile);
    sw_buffer_free(&both);
    sw_buffer_free(&evidence);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scan_survives_every_failed_allocation),
        cmocka_unit_test(evidence_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, make_place, remove_place);
}
