#include "value_testing.h"

#include <locale.h>
#include <stdlib.h>

static void spellings_of_the_nearest_double_are_one_value(void **state)
{
    (void)state;
    /* O32 */
    assert_order("float64", "0.1", "0.10000000000000001", 0);
    assert_order("float64", "0.3", "0.30000000000000004", -1);
    assert_order("float64", "-0.19", "-0.0", -1);
    EQUAL("float64", "0", "-0.0", "0.0", "\"-0\"", "0e5", "1e-400", "-1e-400");
    EQUAL("float64", "1e23", "9.999999999999999e22", "99999999999999991611392");
    EQUAL("float64", "9007199254740993", "9007199254740992", "9007199254740992.9"); /* no double in between */
    EQUAL("float64", "1", "1.0", "10e-1", "1.00000000000000000000000000000000000000000000000000000000000000000000000000000");
    EQUAL("float64", "2.2250738585072014e-308", "2.2250738585072013830902327173324040642192159804623318305533274168872e-308");
    EQUAL("float64", "5e-324", "4.9406564584124654e-324", "3e-324");
    EQUAL("float32", "0.1", "0.10000000149011612", "\"0.1\"");
    EQUAL("float32", "16777217", "16777216");
    EQUAL("float32", "3.4028235e38", "340282346638528859811704183484516925440");
}

static void infinities_and_nan_are_values_in_text(void **state)
{
    (void)state;
    static const char *const kinds[] = {"float64", "float32", "decimal"};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        EQUAL(kinds[i], "\"NaN\"", "\"nan\"", "\"NAN\"", "\"-nan\"");
        EQUAL(kinds[i], "\"Infinity\"", "\"inf\"", "\"+Infinity\"", "\"INF\"", "\"+inf\"", "\"infinity\"");
        EQUAL(kinds[i], "\"-Infinity\"", "\"-inf\"", "\"-INFINITY\"");
        ASCENDING(kinds[i], "\"-inf\"", "-1e30", "-1", "0", "1", "1e30", "\"inf\"", "\"nan\"");
    }
}

static void a_number_that_only_an_infinity_could_hold_is_refused(void **state)
{
    (void)state;
    INVALID("float64", "1e309", "-1e309", "1.7976931348623159e308", "1e999999");
    INVALID("float32", "3.5e38", "-1e39", "3.4028236e38");
    assert_status("float64", "1.7976931348623157e308", SW_VALUE_OK);
    INVALID("float64", "\"0x1p3\"", "\"1d\"", "\"1f\"", "\"nan(1)\"", "\"inf1\"", "\"infinityx\"");
}

static void floats_are_ordered_by_size(void **state)
{
    (void)state;
    ASCENDING("float64", "-1.7976931348623157e308", "-1e10", "-2", "-1.5", "-1", "-5e-324", "0", "5e-324", "2.2250738585072014e-308", "0.1", "0.10000000000000002", "1", "1.5", "1e10",
        "1.7976931348623157e308");
    ASCENDING("float32", "-3.4028235e38", "-1", "-1e-45", "0", "1e-45", "0.1", "0.10000001", "1", "3.4028235e38");
}

static void floats_are_printed_with_the_fewest_digits(void **state)
{
    (void)state;
    assert_printed("float64", "0.1000000000000000055511151231257827", "0.1");
    assert_printed("float64", "0.30000000000000004", "0.30000000000000004");
    assert_printed("float64", "-0.0", "0");
    assert_printed("float64", "100000", "100000");
    assert_printed("float64", "123456789012345680000", "123456789012345680000");
    assert_printed("float64", "1e21", "1e21");
    assert_printed("float64", "1e20", "100000000000000000000");
    assert_printed("float64", "0.000001", "0.000001");
    assert_printed("float64", "1e-7", "1e-7");
    assert_printed("float64", "-1.5", "-1.5");
    assert_printed("float64", "4.9e-324", "5e-324");
    assert_printed("float32", "0.10000000149011612", "0.1");
    assert_printed("float32", "16777216", "16777216");
    assert_printed("float64", "\"inf\"", "\"Infinity\"");
    assert_printed("float64", "\"nan\"", "\"NaN\"");
}

static uint64_t next_random(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

static void random_doubles_agree_with_the_c_library_and_are_ordered(void **state)
{
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 3000; i++) {
        char a[64], b[64];
        snprintf(a, sizeof a, "%s%llu.%llue%d", i & 1 ? "-" : "", (unsigned long long)(next_random(&seed) % 100000), (unsigned long long)(next_random(&seed) % (i & 2 ? 10 : 100000000000)),
            (int)(next_random(&seed) % (i & 4 ? 600 : 50)) - (i & 4 ? 300 : 25));
        double left = strtod(a, NULL);
        snprintf(b, sizeof b, "%.17g", left);
        assert_order("float64", a, b, 0);
        snprintf(b, sizeof b, "%.14g", left);
        double right = strtod(b, NULL);
        assert_order("float64", a, b, (left > right) - (left < right));
        float narrow = strtof(a, NULL);
        if (narrow - narrow != 0)
            continue;
        snprintf(b, sizeof b, "%.9g", (double)narrow);
        assert_order("float32", a, b, 0);
    }
}

/* A locale whose only word is the decimal comma, made for the occasion in `folder`; a whole one would take seconds. */
static bool set_comma_locale(char *folder)
{
    char text[200];
    assert_non_null(mkdtemp(folder));
    snprintf(text, sizeof text, "%s/source", folder);
    FILE *file = fopen(text, "w");
    assert_non_null(file);
    fputs("LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \"\"\ngrouping -1\nEND LC_NUMERIC\n", file);
    assert_int_equal(fclose(file), 0);
    snprintf(text, sizeof text, "localedef -c -i %s/source -f ANSI_X3.4-1968 %s/comma >/dev/null 2>&1", folder, folder);
    int warned = system(text); /* 1: the other categories are missing */
    return warned >= 0 && setenv("LOCPATH", folder, 1) == 0 && setlocale(LC_NUMERIC, "comma");
}

static void the_locale_of_the_program_changes_nothing(void **state)
{
    (void)state;
    char folder[] = "/tmp/slackwater-locale-XXXXXX", text[8], command[100];
    if (set_comma_locale(folder)) {
        snprintf(text, sizeof text, "%.1f", 0.5);
        assert_string_equal(text, "0,5");
    } else {
        print_message("# no locale with a decimal comma could be had: checked under C alone\n");
    }
    assert_order("float64", "0.1234567890123456789", "0.1234567890123457", -1);
    assert_printed("float64", "0.25", "0.25");
    assert_printed("float64", "0.1234567890123456789", "0.12345678901234568");
    assert_printed("float32", "16777216.5", "16777216");
    setlocale(LC_ALL, "C");
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_of_the_nearest_double_are_one_value),
        cmocka_unit_test(infinities_and_nan_are_values_in_text),
        cmocka_unit_test(a_number_that_only_an_infinity_could_hold_is_refused),
        cmocka_unit_test(floats_are_ordered_by_size),
        cmocka_unit_test(floats_are_printed_with_the_fewest_digits),
        cmocka_unit_test(random_doubles_agree_with_the_c_library_and_are_ordered),
        cmocka_unit_test(the_locale_of_the_program_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
