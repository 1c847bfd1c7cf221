#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reconcile/rounding.h"

#define ROUNDED(digits) (1u << (digits))
#define CUT(digits) (1u << ((digits) + 16))

static uint32_t find(const char *a, const char *b) { return sw_rounding_find(sw_bytes_text(a), sw_bytes_text(b)); }

static void a_number_is_rounded_a_half_away_from_zero(void **state)
{
    (void)state;
    assert_int_equal(find("921.4862", "921.49"), ROUNDED(2));
    assert_int_equal(find("-921.4862", "-921.49"), ROUNDED(2));
    assert_int_equal(find("0.125", "0.13"), ROUNDED(2));
    assert_int_equal(find("99.996", "100"), ROUNDED(0) | ROUNDED(1) | ROUNDED(2));
    assert_int_equal(find("0.5", "1"), ROUNDED(0));
    assert_int_equal(find("1.23456789", "1.234568"), ROUNDED(6));
}

static void a_number_is_cut(void **state)
{
    (void)state;
    assert_int_equal(find("921.4862", "921.48"), CUT(2));
    assert_int_equal(find("0.9", "0"), CUT(0));
    assert_int_equal(find("312.4173", "312.417"), ROUNDED(3) | CUT(3));
}

static void zeros_that_say_nothing_do_not_count(void **state)
{
    (void)state;
    assert_int_equal(find("921.4962", "921.50"), ROUNDED(1) | ROUNDED(2));
    assert_int_equal(find("1.10", "1.1"), 0);
    assert_int_equal(find("0.004", "0"), ROUNDED(0) | ROUNDED(1) | ROUNDED(2) | CUT(0) | CUT(1) | CUT(2));
}

static void other_numbers_and_other_texts_are_none_of_it(void **state)
{
    (void)state;
    assert_int_equal(find("921.48", "921.4862"), 0);
    assert_int_equal(find("921.4862", "-921.49"), 0);
    assert_int_equal(find("921.4862", "921.47"), 0);
    assert_int_equal(find("1.5e3", "1500"), 0);
    assert_int_equal(find("", "1"), 0);
    assert_int_equal(find("-", "0"), 0);
    assert_int_equal(find("NaN", "0"), 0);
    assert_int_equal(find("1.", "1"), 0);
    assert_int_equal(find("0.33333333333333333333333333333333333333333333333333333333333333333333333333333333333", "0.33"), 0);
    assert_int_equal(find("12345678901234567890123456789012345678901234567890.5", "1"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_is_rounded_a_half_away_from_zero),
        cmocka_unit_test(a_number_is_cut),
        cmocka_unit_test(zeros_that_say_nothing_do_not_count),
        cmocka_unit_test(other_numbers_and_other_texts_are_none_of_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
