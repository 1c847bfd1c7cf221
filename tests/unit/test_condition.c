/* Conditions of --where and `scope:`: what is read, how it is spelled again, what is refused; and parts of all keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "mapping/condition.h"

static void each_condition_has_one_spelling_that_reads_back(void **state)
{
    (void)state;
    static const struct { const char *written, *spelled; } cases[] = {
        {"a=1", "a = 1"},
        {"  a <> 'x''y' ", "a != 'x''y'"},
        {"a<=-1.5e3 and b>=0", "a <= -1.5e3 AND b >= 0"},
        {"a = 1 OR b = 2 AND NOT c = 3", "a = 1 OR b = 2 AND NOT c = 3"},
        {"(a = 1 OR b = 2) AND c = 3", "(a = 1 OR b = 2) AND c = 3"},
        {"((a = 1)) AND (b = 2 AND c = 3)", "a = 1 AND (b = 2 AND c = 3)"},
        {"a = 1 AND b = 2 AND c = 3 OR d = 4 OR e = 5", "a = 1 AND b = 2 AND c = 3 OR d = 4 OR e = 5"},
        {"not not a is null", "a IS NULL"},
        {"a is not null", "a IS NOT NULL"},
        {"NOT (a IS NULL)", "a IS NOT NULL"},
        {"a not in (1,'2' , true,FALSE)", "NOT a IN (1, '2', TRUE, FALSE)"},
        {"NOT (a = 1 OR b = 2)", "NOT (a = 1 OR b = 2)"},
        {"\"a\" = 1", "a = 1"},
        {"\"select \"\"x\"\"\" = 1", "\"select \"\"x\"\"\" = 1"},
        {"\"and\" = 1", "\"and\" = 1"},
        {"\"\" = 1", "\"\" = 1"},
        {"größe.cm$1 = ''", "größe.cm$1 = ''"},
        {"a = true", "a = TRUE"},
        {"a = fALSE", "a = FALSE"},
        {"a=1and b=2", NULL},
        {"a = 1\tAND\nb = 2", "a = 1 AND b = 2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sw_error error = {0};
        struct sw_condition *condition, *again;
        enum sw_code code = sw_condition_parse(&condition, sw_bytes_text(cases[i].written), &error);
        if (!cases[i].spelled) {
            assert_int_equal(code, SW_ERR_USAGE);
            assert_null(condition);
            continue;
        }
        assert_int_equal(code, SW_OK);
        assert_string_equal(condition->text, cases[i].spelled);
        assert_int_equal(sw_condition_parse(&again, sw_bytes_text(condition->text), &error), SW_OK);
        assert_string_equal(again->text, condition->text);
        sw_condition_free(&condition);
        sw_condition_free(&again);
    }
}

static void columns_stand_once_and_literals_say_whose_they_are(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct sw_condition *condition;
    assert_int_equal(sw_condition_parse(&condition, sw_bytes_text("b = 1 AND a IN ('x', 'y') OR \"b\" = TRUE"), &error), SW_OK);
    assert_int_equal(condition->column_count, 2);
    assert_true(sw_bytes_is(condition->columns[0], "b") && sw_bytes_is(condition->columns[1], "a"));
    assert_int_equal(condition->literal_count, 4);
    assert_int_equal(condition->literals[0].token.kind, SW_TOKEN_NUMBER);
    assert_int_equal(condition->literals[2].token.kind, SW_TOKEN_TEXT);
    assert_memory_equal(condition->literals[2].token.at, "y", 1);
    assert_int_equal(condition->literals[2].column, 1);
    assert_int_equal(condition->literals[3].token.kind, SW_TOKEN_TRUE);
    assert_int_equal(condition->literals[3].column, 0);
    assert_int_equal(condition->nodes[condition->node_count - 1].kind, SW_CONDITION_OR);
    sw_condition_free(&condition);
    assert_null(condition);
}

static void what_is_no_condition_is_refused_with_the_place(void **state)
{
    (void)state;
    static const struct { const char *written, *text; } cases[] = {
        {"", "expected the name of a column at character 1, found the end"},
        {"a", "expected =, !=, <, <=, >, >=, IN, NOT IN, IS NULL or IS NOT NULL at character 2, found the end"},
        {"a = b", "expected a number, a text in single quotes, TRUE or FALSE at character 5, found 'b'"},
        {"a = \"b\"", "expected a number, a text in single quotes, TRUE or FALSE at character 5, found '\\\"b\\\"'"},
        {"a = NULL", "expected a value: nothing equals NULL, IS NULL and IS NOT NULL ask for it; at character 5, found 'NULL'"},
        {"a = 'x", "expected a text that ends with a single quote at character 5, found ''x'"},
        {"\"a = 1", "expected a name that ends with a double quote at character 1, found '\\\"a = 1'"},
        {"a = 007", "expected a number, a text in single quotes, TRUE or FALSE at character 5, found '007'"},
        {"a = 1.", "expected a number, a text in single quotes, TRUE or FALSE at character 5, found '1.'"},
        {"a = 1e", "expected a number, a text in single quotes, TRUE or FALSE at character 5, found '1e'"},
        {"a IN ()", "expected a number, a text in single quotes, TRUE or FALSE at character 7, found ')'"},
        {"a IN (1", "expected ',' or ')' at character 8, found the end"},
        {"a IN 1", "expected '(' and values at character 6, found '1'"},
        {"a IS 1", "expected NULL or NOT NULL at character 6, found '1'"},
        {"a NOT 1", "expected IN at character 7, found '1'"},
        {"(a = 1", "expected AND, OR or ')' at character 7, found the end"},
        {"a = 1)", "expected AND, OR or the end at character 6, found ')'"},
        {"a = 1; drop table t", "expected AND, OR or the end at character 6, found '; drop table t'"},
        {"a LIKE 'x%'", "expected =, !=, <, <=, >, >=, IN, NOT IN, IS NULL or IS NOT NULL at character 3, found 'LIKE 'x%''"},
        {"AND = 1", "expected the name of a column at character 1, found 'AND = 1'"},
        {"a = 1 AND", "expected the name of a column at character 10, found the end"},
        {"a = '\xff'", "it is no UTF-8 text without NUL, at byte 6"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sw_error error = {0};
        struct sw_condition *condition;
        assert_int_equal(sw_condition_parse(&condition, sw_bytes_text(cases[i].written), &error), SW_ERR_USAGE);
        assert_null(condition);
        assert_string_equal(error.text, cases[i].text);
    }
}

/* A text of `count` times `part`, between `before` and `after`. */
static struct sw_buffer repeated(const char *before, const char *part, size_t count, const char *after)
{
    struct sw_buffer out = {0};
    sw_buffer_add_text(&out, before);
    for (size_t i = 0; i < count; i++)
        sw_buffer_add_text(&out, part);
    sw_buffer_add_text(&out, after);
    assert_false(out.failed);
    return out;
}

static void hostile_text_is_bounded(void **state)
{
    (void)state;
    static const struct { const char *before, *part, *after; size_t count; enum sw_code code; } cases[] = {
        {"", "(", "a = 1", 64, SW_ERR_USAGE}, /* not closed */
        {"", "(", "a = 1", 65, SW_ERR_LIMIT},
        {"", "(", "a = 1", 60000, SW_ERR_LIMIT},
        {"", "NOT ", "a = 1", 15000, SW_OK},
        {"a = 1", " OR a=2", "", 2000, SW_OK},
        {"a = 1", " OR a=2", "", 2100, SW_ERR_LIMIT},
        {"a IN (1", ",1", ")", 16383, SW_OK},
        {"a IN (1", ",1", ")", 16384, SW_ERR_LIMIT},
        {"a = '", "x", "'", 65000, SW_OK},
        {"a = '", "x", "'", 65536, SW_ERR_LIMIT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sw_error error = {0};
        struct sw_condition *condition;
        struct sw_buffer text = repeated(cases[i].before, cases[i].part, cases[i].count, cases[i].after);
        assert_int_equal(sw_condition_parse(&condition, sw_buffer_view(&text), &error), cases[i].code);
        assert_true((condition != NULL) == (cases[i].code == SW_OK));
        sw_condition_free(&condition);
        sw_buffer_free(&text);
    }
    struct sw_buffer columns = {0};
    for (unsigned i = 0; i < SW_CONDITION_COLUMNS_MAX + 1; i++)
        sw_buffer_printf(&columns, "%sc%u = 1", i ? " AND " : "", i);
    struct sw_error error = {0};
    struct sw_condition *condition;
    assert_int_equal(sw_condition_parse(&condition, sw_buffer_view(&columns), &error), SW_ERR_LIMIT);
    sw_buffer_free(&columns);
    static const uint8_t nul[] = {'a', '=', '\'', 0, '\''};
    assert_int_equal(sw_condition_parse(&condition, sw_bytes_of(nul, sizeof nul), &error), SW_ERR_USAGE);
}

static void a_sample_is_a_part_and_never_all_or_nothing(void **state)
{
    (void)state;
    static const struct { const char *text; uint32_t numerator, denominator; } cases[] = {
        {"1/1000", 1, 1000}, {"1%", 1, 100}, {"0.05%", 1, 2000}, {"50%", 1, 2}, {"99.999999%", 99999999, 100000000}, {"2/3", 2, 3}, {"10/100", 1, 10}, {"999999998/999999999", 999999998, 999999999},
        {"", 0, 0}, {"1", 0, 0}, {"%", 0, 0}, {"0%", 0, 0}, {"0/5", 0, 0}, {"5/0", 0, 0}, {"100%", 0, 0}, {"3/2", 0, 0}, {"1/1", 0, 0}, {"1/", 0, 0}, {"/2", 0, 0}, {"-1/2", 0, 0}, {"1/2%", 0, 0},
        {"0.0000001%", 0, 0}, {"1000000000/9999999999", 0, 0}, {"1/2 ", 0, 0}, {"1.%", 0, 0}, {".5%", 0, 0}, {"101%", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sw_sample_part part = {0};
        const char *problem = NULL;
        assert_int_equal(sw_sample_part_parse(&part, sw_bytes_text(cases[i].text), &problem), cases[i].denominator != 0);
        assert_int_equal(part.numerator, cases[i].numerator);
        assert_int_equal(part.denominator, cases[i].denominator);
        assert_non_null(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_condition_has_one_spelling_that_reads_back),
        cmocka_unit_test(columns_stand_once_and_literals_say_whose_they_are),
        cmocka_unit_test(what_is_no_condition_is_refused_with_the_place),
        cmocka_unit_test(hostile_text_is_bounded),
        cmocka_unit_test(a_sample_is_a_part_and_never_all_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
