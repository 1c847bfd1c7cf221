/* Every allocation of every writer fails once, and from then on: the call says so, or what it wrote is whole. Needs the option `faults`. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "../report/report_sample.h"
#include "base/memory.h"

static char whole[1 << 20], taken[1 << 20];

struct sink {
    char *at;
    size_t len;
};

static int take(const void *bytes, size_t len, void *ctx)
{
    struct sink *sink = ctx;
    assert_true(sink->len + len < sizeof whole);
    memcpy(sink->at + sink->len, bytes, len);
    sink->len += len;
    return 0;
}

static enum sw_code write_form(struct sample *sample, unsigned form, struct sink *sink, struct sw_error *error)
{
    static const struct sw_summary_style plain, wide = {.width = 140, .unicode = true, .color = true};
    switch (form) {
    case 0: return sw_report_write_json(&sample->report, take, sink, error);
    case 1: return sw_report_write_summary(&sample->report, &plain, take, sink, error);
    case 2: return sw_report_write_summary(&sample->report, &wide, take, sink, error);
    case 3: return sw_report_write_differences(&sample->report, false, take, sink, error);
    default: return sw_report_write_differences(&sample->report, true, take, sink, error);
    }
}

static void a_failing_allocation_is_told_or_does_no_harm(void **state)
{
    (void)state;
    uint64_t failures = 0;
    struct sample sample;
    const char *name;
    for (size_t i = 0; (name = sample_named(&sample, i)) != NULL; i++) {
        for (unsigned form = 0; form < 5 && strcmp(name, "ten-thousand") != 0; form++) {
            struct sink sink = {whole, 0};
            assert_int_equal(write_form(&sample, form, &sink, NULL), SW_OK);
            for (unsigned sticky = 0; sticky < 2; sticky++) {
                for (uint64_t nth = 1;; nth++) {
                    struct sink again = {taken, 0};
                    struct sw_error error = {0};
                    uint64_t before = sw_memory_calls();
                    sw_memory_fail_at(nth, sticky);
                    enum sw_code code = write_form(&sample, form, &again, &error);
                    sw_memory_fail_at(0, false);
                    bool reached = sw_memory_calls() - before >= nth;
                    if (code == SW_OK) {
                        assert_int_equal(again.len, sink.len);
                        assert_memory_equal(taken, whole, sink.len);
                    } else {
                        assert_int_equal(code, SW_ERR_MEMORY);
                        assert_int_equal(error.code, SW_ERR_MEMORY);
                        failures++;
                    }
                    if (!reached)
                        break;
                }
            }
        }
        sample_free(&sample);
    }
    assert_true(failures > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failing_allocation_is_told_or_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
