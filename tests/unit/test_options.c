#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/options.h"
#include "slackwater/case.h"
#include "slackwater/challenge.h"
#include "slackwater/continuity.h"
#include "slackwater/reconcile.h"
#include "slackwater/scan.h"

static void what_an_older_caller_does_not_know_keeps_its_default(void **state)
{
    (void)state;
    struct { size_t struct_size; int old; int new; } known = {0, 1, 2};
    struct { size_t struct_size; int old; int beyond; } given = {offsetof(__typeof__(known), new), 7, 8};
    struct sw_error error = {0};
    assert_int_equal(sw_options_take(&known, sizeof known, &given, "s", &error), SW_OK);
    assert_int_equal(known.old, 7);
    assert_int_equal(known.new, 2);
    given.struct_size = sizeof known + 1;
    assert_int_equal(sw_options_take(&known, sizeof known, &given, "s", &error), SW_ERR_USAGE);
    assert_non_null(strstr(error.text, "compiled with a newer header"));
}

static void an_older_callers_struct_is_written_no_further_than_it_goes(void **state)
{
    (void)state;
    struct { struct sw_scan_options options; } room;
    size_t older = offsetof(struct sw_scan_options, kernel);
    memset(&room, 0xab, sizeof room);
    sw_scan_options_init_sized(&room.options, older);
    assert_int_equal(room.options.struct_size, older);
    assert_null(room.options.events);
    for (size_t i = older; i < sizeof room; i++)
        assert_int_equal(((uint8_t *)&room)[i], 0xab);
}

static int discard(const void *bytes, size_t len, void *ctx)
{
    (void)bytes, (void)len, (void)ctx;
    return 0;
}

/* Else the options that were set would be passed over in silence. */
static void options_that_nobody_set_up_are_refused_by_every_call(void **state)
{
    (void)state;
    void *out = (void *)1;
    int status;
    struct sw_error error[8] = {0};
    assert_int_equal(sw_reconcile((struct sw_report **)&out, &(struct sw_reconcile_options){0}, &error[0]), SW_ERR_USAGE);
    assert_null(out);
    assert_int_equal(sw_challenge((struct sw_challenge **)&out, &(struct sw_challenge_options){0}, &error[1]), SW_ERR_USAGE);
    assert_int_equal(sw_scan((struct sw_scan_report **)&out, &(struct sw_scan_options){0}, &error[2]), SW_ERR_USAGE);
    assert_int_equal(sw_continuity_gap((struct sw_continuity_report **)&out, &(struct sw_gap_options){0}, &error[3]), SW_ERR_USAGE);
    assert_int_equal(sw_continuity_probe((struct sw_continuity_report **)&out, &(struct sw_probe_options){0}, &error[4]), SW_ERR_USAGE);
    assert_int_equal(sw_continuity_snapshot((struct sw_continuity_report **)&out, &(struct sw_snapshot_options){0}, &error[5]), SW_ERR_USAGE);
    assert_int_equal(sw_case_add(NULL, "/nowhere", &(struct sw_case_piece){.path = "x"}, &error[6]), SW_ERR_USAGE);
    assert_int_equal(sw_case_handover("/nowhere", &(struct sw_handover_options){.leave_as_is = true}, discard, NULL, &error[7]), SW_ERR_USAGE);
    for (size_t i = 0; i < 8; i++)
        assert_non_null(strstr(error[i].text, "was not set up"));
    struct sw_error last = {0};
    assert_int_equal(sw_case_verify(&status, "/nowhere", &(struct sw_verify_options){0}, SW_CASE_TEXT, discard, NULL, &last), SW_ERR_USAGE);
    assert_non_null(strstr(last.text, "struct sw_verify_options was not set up"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_an_older_caller_does_not_know_keeps_its_default),
        cmocka_unit_test(an_older_callers_struct_is_written_no_further_than_it_goes),
        cmocka_unit_test(options_that_nobody_set_up_are_refused_by_every_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
