#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/buffer.h"
#include "base/memory.h"

static void bytes_are_ordered_by_content_then_length(void **state)
{
    (void)state;
    assert_true(sw_bytes_compare(sw_bytes_text("a"), sw_bytes_text("ab")) < 0);
    assert_true(sw_bytes_compare(sw_bytes_text("b"), sw_bytes_text("ab")) > 0);
    assert_true(sw_bytes_compare(sw_bytes_of("a\0b", 3), sw_bytes_of("a\0c", 3)) < 0);
    assert_false(sw_bytes_equal(sw_bytes_of("a\0b", 3), sw_bytes_of("a", 1)));
}

static void a_buffer_keeps_nul_bytes_and_grows(void **state)
{
    (void)state;
    struct sw_buffer buffer = {0};
    for (int i = 0; i < 1000; i++)
        sw_buffer_add(&buffer, "a\0", 2);
    sw_buffer_printf(&buffer, "%d", 42);
    assert_int_equal(buffer.len, 2002);
    assert_string_equal(sw_buffer_text(&buffer) + 2000, "42");
    assert_false(buffer.failed);
    sw_buffer_free(&buffer);
}

static void numbers_are_written_as_printf_writes_them(void **state)
{
    (void)state;
    static const uint64_t numbers[] = {0, 1, 9, 10, 15, 16, 255, 1234567890, UINT32_MAX, (uint64_t)UINT32_MAX + 1, INT64_MAX, UINT64_MAX};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sw_buffer ours = {0}, printed = {0};
        sw_buffer_add_decimal(&ours, numbers[i]);
        sw_buffer_add_byte(&ours, ' ');
        sw_buffer_add_hex(&ours, numbers[i]);
        sw_buffer_printf(&printed, "%llu %llX", (unsigned long long)numbers[i], (unsigned long long)numbers[i]);
        assert_string_equal(sw_buffer_text(&ours), sw_buffer_text(&printed));
        sw_buffer_free(&ours);
        sw_buffer_free(&printed);
    }
}

static void an_empty_view_without_an_address_is_copied_as_an_empty_text(void **state)
{
    (void)state;
    char *copy = sw_strndup(NULL, 0);
    assert_non_null(copy);
    assert_string_equal(copy, "");
    sw_free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_ordered_by_content_then_length),
        cmocka_unit_test(a_buffer_keeps_nul_bytes_and_grows),
        cmocka_unit_test(numbers_are_written_as_printf_writes_them),
        cmocka_unit_test(an_empty_view_without_an_address_is_copied_as_an_empty_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
