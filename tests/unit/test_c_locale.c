/* Numbers in data, pages and options have a point, whatever the locale of the program is that embeds the library. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/c_locale.h"
#include "comma_locale.h"
#include "model/value.h"
#include "source/file/avro_spell.h"

static void a_thread_has_the_c_locale_from_enter_to_leave(void **state)
{
    (void)state;
    char text[8];
    if (!set_comma_locale())
        skip();
    locale_t before = sw_c_locale_enter();
    snprintf(text, sizeof text, "%.1f", 1.5);
    sw_c_locale_leave(before);
    assert_string_equal(text, "1.5");
    snprintf(text, sizeof text, "%.1f", 1.5);
    assert_string_equal(text, "1,5");
}

static void floats_of_avro_have_a_point(void **state)
{
    (void)state;
    char text[SW_AVRO_SPELLING_MAX + 1] = "";
    if (!set_comma_locale())
        skip();
    text[sw_avro_spell_double(text, 0.1)] = '\0';
    assert_string_equal(text, "0.1");
    text[sw_avro_spell_float(text, -2.5f)] = '\0';
    assert_string_equal(text, "-2.5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_thread_has_the_c_locale_from_enter_to_leave), cmocka_unit_test(floats_of_avro_have_a_point)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
