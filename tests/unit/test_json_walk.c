#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "text/json_walk.h"

static struct sw_token token_of(const char *text)
{
    return (struct sw_token){.at = (const uint8_t *)text, .len = (uint32_t)strlen(text), .kind = *text == '[' ? SW_TOKEN_ARRAY : SW_TOKEN_OBJECT};
}

static void an_array_gives_its_elements_one_after_the_other(void **state)
{
    (void)state;
    static const struct { const char *text; enum sw_token_kind kind; bool escaped; } elements[] = {
        {"1", SW_TOKEN_NUMBER, false}, {"a\\\"]", SW_TOKEN_TEXT, true}, {"null", SW_TOKEN_NULL, false}, {"true", SW_TOKEN_TRUE, false},
        {"false", SW_TOKEN_FALSE, false}, {"[1,[\"]\"]]", SW_TOKEN_ARRAY, false}, {"{\"a\":\"}\"}", SW_TOKEN_OBJECT, false}, {"", SW_TOKEN_TEXT, false}, {"-1.5e3", SW_TOKEN_NUMBER, false}};
    struct sw_json_walk walk = sw_json_walk_begin(token_of("[1 , \"a\\\"]\",null,true\n,false,[1,[\"]\"]], {\"a\":\"}\"},\"\",-1.5e3 ]"));
    struct sw_token token;
    for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
        assert_true(sw_json_walk_element(&token, &walk));
        assert_int_equal(token.kind, elements[i].kind);
        assert_int_equal(token.escaped, elements[i].escaped);
        assert_int_equal(token.len, strlen(elements[i].text));
        assert_memory_equal(token.at, elements[i].text, token.len);
    }
    assert_false(sw_json_walk_element(&token, &walk));
}

static void an_object_gives_names_and_values(void **state)
{
    (void)state;
    struct sw_json_walk walk = sw_json_walk_begin(token_of("{ \"a\" : 1 , \"b\\n\":{\"c\":[2]} }"));
    struct sw_token name, value;
    assert_true(sw_json_walk_member(&name, &value, &walk));
    assert_memory_equal(name.at, "a", 1);
    assert_int_equal(value.kind, SW_TOKEN_NUMBER);
    assert_true(sw_json_walk_member(&name, &value, &walk));
    assert_true(name.escaped);
    assert_int_equal(value.len, strlen("{\"c\":[2]}"));
    assert_false(sw_json_walk_member(&name, &value, &walk));
}

static void what_is_neither_has_nothing_inside(void **state)
{
    (void)state;
    static const char *const empty[] = {"[]", "{}", "[ ]", "{ \t}"};
    struct sw_token name, value;
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        struct sw_json_walk walk = sw_json_walk_begin(token_of(empty[i]));
        assert_false(empty[i][0] == '[' ? sw_json_walk_element(&value, &walk) : sw_json_walk_member(&name, &value, &walk));
    }
    struct sw_json_walk walk = sw_json_walk_begin((struct sw_token){.kind = SW_TOKEN_ABSENT});
    assert_false(sw_json_walk_element(&value, &walk));
    walk = sw_json_walk_begin((struct sw_token){.at = (const uint8_t *)"12", .len = 2, .kind = SW_TOKEN_NUMBER});
    assert_false(sw_json_walk_element(&value, &walk));
}

static void a_member_is_found_by_its_name_as_it_stands(void **state)
{
    (void)state;
    struct sw_token object = token_of("{\"a\":1,\"b\":\"x\",\"a\":2,\"c\\u0064\":3}");
    assert_memory_equal(sw_json_walk_find(object, "a").at, "1", 1);
    assert_int_equal(sw_json_walk_find(object, "b").kind, SW_TOKEN_TEXT);
    assert_int_equal(sw_json_walk_find(object, "cd").kind, SW_TOKEN_ABSENT);
    assert_int_equal(sw_json_walk_find(token_of("[\"a\",1]"), "a").kind, SW_TOKEN_ABSENT);
    assert_int_equal(sw_json_walk_find((struct sw_token){.kind = SW_TOKEN_ABSENT}, "a").kind, SW_TOKEN_ABSENT);
}

static void a_token_is_written_as_it_was(void **state)
{
    (void)state;
    struct sw_buffer out = {0};
    struct sw_json_walk walk = sw_json_walk_begin(token_of("[\"a\\u0041\",1.0,[1, 2]]"));
    struct sw_token token;
    while (sw_json_walk_element(&token, &walk))
        sw_json_walk_write(&out, token);
    sw_json_walk_write(&out, (struct sw_token){.kind = SW_TOKEN_ABSENT});
    assert_string_equal(sw_buffer_text(&out), "\"a\\u0041\"1.0[1, 2]");
    sw_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_gives_its_elements_one_after_the_other),
        cmocka_unit_test(an_object_gives_names_and_values),
        cmocka_unit_test(what_is_neither_has_nothing_inside),
        cmocka_unit_test(a_member_is_found_by_its_name_as_it_stands),
        cmocka_unit_test(a_token_is_written_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
