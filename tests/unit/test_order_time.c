/* Times as instants: numbers of a known unit, and times with zones, compare exactly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "order/order_time.h"

static struct sw_order_time read_time(const char *text)
{
    struct sw_order_time time;
    assert_true(sw_order_time_read(&time, sw_bytes_text(text)));
    return time;
}

static int held(const char *number, uint32_t per_second, const char *instant)
{
    struct sw_order_time left = read_time(number), right = read_time(instant);
    assert_true(sw_order_time_scale(&left, per_second));
    assert_int_equal(left.kind, SW_TIME_ZONED);
    assert_int_equal(right.kind, SW_TIME_ZONED);
    return sw_order_time_compare(&left, &right);
}

static void numbers_of_each_unit_are_instants(void **state)
{
    (void)state;
    assert_int_equal(held("1769594400", 1, "2026-01-28T10:00:00Z"), 0);
    assert_int_equal(held("1769594400000", 1000, "2026-01-28T12:00:00+02:00"), 0);
    assert_int_equal(held("1769594400000001", 1000000, "2026-01-28T10:00:00Z"), 1);
    assert_int_equal(held("1769594400000000001", 1000000000, "2026-01-28T10:00:00.000000001Z"), 0);
    assert_int_equal(held("1769594400000.5", 1000, "2026-01-28T10:00:00.0005Z"), 0);
    assert_int_equal(held("1769594399999", 1000, "2026-01-28T10:00:00Z"), -1);
}

static void numbers_before_1970_are_rounded_to_no_side(void **state)
{
    (void)state;
    assert_int_equal(held("-1", 1000, "1969-12-31T23:59:59.999Z"), 0);
    assert_int_equal(held("-1000", 1000, "1969-12-31T23:59:59Z"), 0);
    assert_int_equal(held("-0.25", 1, "1969-12-31T23:59:59.75Z"), 0);
    assert_int_equal(held("-9223372036854775807", 1000, "0001-01-01T00:00:00Z"), -1);
    assert_int_equal(held("9223372036854775807", 1, "9999-12-31T23:59:59Z"), 1);
}

static void what_has_no_unit_stays_what_it_is(void **state)
{
    (void)state;
    struct sw_order_time number = read_time("17"), local = read_time("2026-01-28 10:00:00");
    assert_false(sw_order_time_scale(&number, 0));
    assert_int_equal(number.kind, SW_TIME_NUMBER);
    assert_int_equal(number.whole, 17);
    assert_true(sw_order_time_scale(&local, 1000));
    assert_int_equal(local.kind, SW_TIME_LOCAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_each_unit_are_instants),
        cmocka_unit_test(numbers_before_1970_are_rounded_to_no_side),
        cmocka_unit_test(what_has_no_unit_stays_what_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
