#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "slackwater/names.h"

static const char *const names[] = {"key", "version", "deleted", NULL, "expected_deletes", "transaction", "identity", "op", "Key"};
#define NAME_COUNT (sizeof names / sizeof names[0])

static const char *near(const char *text) { return sw_nearest_name(text, names, NAME_COUNT); }

static void a_swap_a_slip_and_a_forgotten_letter_are_near(void **state)
{
    (void)state;
    assert_string_equal(near("kye"), "key");
    assert_string_equal(near("versoin"), "version");
    assert_string_equal(near("delted"), "deleted");
    assert_string_equal(near("identify"), "identity");
}

static void case_only_decides_between_equally_near_names(void **state)
{
    (void)state;
    assert_string_equal(near("VERSION"), "version");
    assert_string_equal(near("KEY"), "Key");
    assert_string_equal(near("kEy"), "key");
}

static void the_beginning_of_a_name_is_near(void **state)
{
    (void)state;
    assert_string_equal(near("trans"), "transaction");
    assert_string_equal(near("expected"), "expected_deletes");
    assert_null(near("tr"));
}

static void what_is_far_or_too_long_is_near_to_nothing(void **state)
{
    (void)state;
    char text[80];
    memset(text, 'k', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_null(near(text));
    assert_null(near(""));
    assert_null(near("colour"));
    assert_null(near("o"));
    assert_null(sw_nearest_name("key", NULL, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_swap_a_slip_and_a_forgotten_letter_are_near),
        cmocka_unit_test(case_only_decides_between_equally_near_names),
        cmocka_unit_test(the_beginning_of_a_name_is_near),
        cmocka_unit_test(what_is_far_or_too_long_is_near_to_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
