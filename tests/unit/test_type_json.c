#include "value_testing.h"

static void the_order_of_members_and_white_space_are_no_data(void **state)
{
    (void)state;
    /* O21, row by row */
    EQUAL("json", "{\"a\":1,\"b\":[1,2]}", "{\"b\":[1,2],\"a\":1}", "{ \"b\" : [ 1 , 2 ] , \"a\" : 1.0 }", "\"{\\\"b\\\":[1,2],\\\"a\\\":1}\"");
    assert_order("json", "{\"a\":[1,2]}", "{\"a\":[2,1]}", -1);
    assert_order("json", "\"{\\\"a\\\": 1, \\\"b\\\": 2}\"", "\"{\\\"b\\\":2,\\\"a\\\":1}\"", 0);
    assert_order("text", "\"{\\\"a\\\": 1}\"", "\"{\\\"a\\\":1}\"", -1);
    assert_order("json", "{\"a\":null}", "{}", 1);
    assert_order("any", "\"{\\\"a\\\": 1, \\\"b\\\": 2}\"", "\"{\\\"b\\\":2,\\\"a\\\":1}\"", -1);
    EQUAL("any", "{\"a\":1,\"b\":{\"y\":2,\"x\":[{\"q\":1,\"p\":2}]}}", "{\"b\":{\"x\":[{\"p\":2,\"q\":1.0}],\"y\":2e0},\"a\":1}");
    EQUAL("any", "{\"\\u0061\":1,\"b\":2}", "{\"b\":2,\"a\":1}");
    EQUAL("any", "{\"\":0,\"a\":1,\"a\\u0000\":2,\"ab\":3}", "{\"ab\":3,\"a\\u0000\":2,\"a\":1,\"\":0}");
}

static void kinds_and_depths_are_ordered(void **state)
{
    (void)state;
    ASCENDING("any", "false", "true", "-1e9", "0", "1e9", "\"\"", "\"zzz\"", "[]", "[null]", "[false]", "[true]", "[1]", "[1,1]", "[1,2]", "[2]", "[\"\"]", "[\"a\"]", "[[]]", "[[],1]", "[[1]]", "[{}]", "{}",
        "{\"\":0}", "{\"\":0,\"a\":0}", "{\"a\":0}", "{\"a\":0,\"b\":0}", "{\"a\":1}", "{\"a\":\"x\"}", "{\"a\":\"x\",\"b\":null}", "{\"b\":null}");
    assert_order("any", "[[1],[2]]", "[[1,2]]", -1);
    assert_order("any", "[1,[2]]", "[[1],2]", -1);
}

static void json_in_text_is_json_and_a_json_string_needs_its_quotes(void **state)
{
    (void)state;
    EQUAL("json", "1", "\"1\"", "\" 1.0 \"");
    EQUAL("json", "true", "\"true\"");
    assert_printed("json", "\"\\\"x\\\\ud83d\\\"\"", "\"\\\"x\\\\ud83d\\\"\"");
    assert_printed("json", "\"null\"", "\"null\"");
    assert_status("json", "null", SW_VALUE_NULL);
    assert_order("json", "\"\\\"1\\\"\"", "1", 1);
    INVALID("json", "\"hello\"", "\"\"", "\" \"", "\"nul\"", "\"{'a':1}\"", "\"{\\\"a\\\":1,}\"", "\"[1,]\"", "\"[1 2]\"", "\"{\\\"a\\\" 1}\"", "\"{a:1}\"", "\"[\"", "\"{\"", "\"{\\\"a\\\":\"", "\"[1]x\"", "\"\\\"\"",
        "\"\\\"\\\\\"", "\"\\\"\\\\x\\\"\"", "\"\\\"\\\\u12\\\"\"", "\"\\\"\\u0001\\\"\"", "\"01\"", "\"+1\"", "\"NaN\"", "\"\\\"\\ud83d\\\"\"", "\"\\ufeff1\"", "\"1\\u0000\"", "\"[,1]\"", "\"{,}\"", "\"]\"");
}

static void repeated_names_are_refused_however_they_are_spelled(void **state)
{
    (void)state;
    INVALID("json", "\"{\\\"a\\\":1,\\\"a\\\":1}\"", "\"{\\\"a\\\":1,\\\"b\\\":2,\\\"a\\\":3}\"", "\"{\\\"a\\\":1,\\\"\\\\u0061\\\":2}\"", "\"[{\\\"x\\\":{\\\"\\\":1,\\\"\\\":2}}]\"");
    INVALID("any", "{\"b\":1,\"a\":2,\"b\":3}");
    assert_status("json", "\"{\\\"a\\\":{\\\"a\\\":1},\\\"b\\\":{\\\"a\\\":1}}\"", SW_VALUE_OK);
}

static void depth_has_a_limit(void **state)
{
    (void)state;
    static char json[5 * (SW_VALUE_DEPTH_MAX + 1) + 1]; /* `{"":` and `}` a level */
    struct sw_buffer out = {0};
    for (int object = 0; object < 2; object++)
        for (int depth = SW_VALUE_DEPTH_MAX - 1; depth <= SW_VALUE_DEPTH_MAX + 1; depth++) {
            char *at = json;
            for (int i = 0; i < depth; i++)
                at = stpcpy(at, object ? i == depth - 1 ? "{" : "{\"\":" : "[");
            memset(at, object ? '}' : ']', (size_t)depth);
            at[depth] = '\0';
            assert_int_equal(encode_json(&out, "any", sw_bytes_text(json)), depth <= SW_VALUE_DEPTH_MAX ? SW_VALUE_OK : SW_VALUE_INVALID);
        }
    sw_buffer_free(&out);
}

/* Of a JSON record: canonical bytes, or none where the value is invalid. */
static enum sw_value_status in_record(struct sw_buffer *out, const char *spelling, const char *json)
{
    struct sw_type type = type_of(spelling);
    struct sw_value_scratch scratch = {.bare_texts = true};
    out->len = 0;
    enum sw_value_status status = sw_value_encode(out, &type, token_of(sw_bytes_text(json)), &scratch);
    if (status == SW_VALUE_INVALID) {
        assert_non_null(strstr(scratch.problem, "json bare"));
        assert_int_equal(out->len, 0);
    }
    sw_value_scratch_free(&scratch);
    return status;
}

static void a_text_of_a_json_record_is_no_number_until_it_is_declared(void **state)
{
    (void)state;
    static const struct { const char *json, *bare, *parsed; bool untold; } cases[] = {
        {"\"1\"", "\"\\\"1\\\"\"", "1", false}, {"\"null\"", "\"\\\"null\\\"\"", "\"null\"", false}, {"\"true\"", "\"\\\"true\\\"\"", "true", false}, {"\"-0\"", "\"\\\"-0\\\"\"", "0", false},
        {"\"x\"", "\"\\\"x\\\"\"", NULL, false}, {"\"\"", "\"\\\"\\\"\"", NULL, false}, {"\"\\\"x\\\"\"", "\"\\\"\\\\\\\"x\\\\\\\"\\\"\"", "\"\\\"x\\\"\"", true},
        {"\"{}\"", "\"\\\"{}\\\"\"", "{}", true}, {"\"[1]\"", "\"\\\"[1]\\\"\"", "[1]", true}, {"1", "1", "1", true}, {"{\"a\":\"1\"}", "{\"a\":\"1\"}", "{\"a\":\"1\"}", true}};
    struct sw_buffer out = {0}, printed = {0};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *const spellings[] = {"json bare", "json parsed", "json"}, *const expected[] = {cases[i].bare, cases[i].parsed, cases[i].untold ? cases[i].parsed : NULL};
        for (size_t s = 0; s < 3; s++) {
            struct sw_type type = type_of(spellings[s]);
            struct sw_value_scratch scratch = {.bare_texts = true};
            enum sw_value_status status = s == 1 && !cases[i].parsed ? sw_value_encode(&out, &type, token_of(sw_bytes_text(cases[i].json)), &scratch) : in_record(&out, spellings[s], cases[i].json);
            sw_value_scratch_free(&scratch);
            assert_int_equal(status, expected[s] ? SW_VALUE_OK : SW_VALUE_INVALID);
            if (!expected[s])
                continue;
            printed.len = 0;
            sw_value_write_json(&printed, &type, sw_buffer_view(&out));
            assert_string_equal(sw_buffer_text(&printed), expected[s]);
        }
    }
    assert_int_equal(in_record(&out, "array of json", "[\"1\"]"), SW_VALUE_INVALID);
    assert_int_equal(in_record(&out, "array of json", "\"{1}\""), SW_VALUE_OK); /* PostgreSQL writes JSON text */
    assert_int_equal(in_record(&out, "array of json bare", "[\"1\"]"), SW_VALUE_OK);
    assert_int_equal(in_record(&out, "json", "null"), SW_VALUE_NULL);
    sw_buffer_free(&out);
    sw_buffer_free(&printed);
}

static void arrays_are_arrays(void **state)
{
    (void)state;
    EQUAL("array", "[1,\"a\",null]", "\"[1.0, \\\"a\\\", null]\"", "[ 1e0 ,\"\\u0061\",null ]");
    INVALID("array", "{}", "1", "true", "\"x\"", "\"{1,2}\"", "\"{}\"", "\"1\"", "\"null\"");
    assert_printed("array", "\"[ [ ] , {\\\"b\\\":1, \\\"a\\\":[2]} ]\"", "[[],{\"a\":[2],\"b\":1}]");
}

static void elements_of_a_type_are_one_value_in_json_and_in_the_text_of_postgres(void **state)
{
    (void)state;
    EQUAL("array of integer", "[1,2,null]", "\"{1,2,NULL}\"", "\"{ 1 , \\\"2\\\", null}\"", "\"[1.0,2,null]\"", "\"[0:2]={1,2,NULL}\"", "\"[-1:1]={1,2,NULL}\"");
    EQUAL("array of integer", "[[1,2],[3,4]]", "\"{{1,2},{3,4}}\"", "\"[1:2][-2:-1]={{1,2},{3,4}}\"");
    EQUAL("array of text", "[\"a b\",null,\"NULL\",\"\",\"q\\\"\\\\{},\"]", "\"{\\\"a b\\\",NULL,\\\"NULL\\\",\\\"\\\",\\\"q\\\\\\\"\\\\\\\\{},\\\"}\"");
    EQUAL("array of text", "[]", "\"{}\"", "\"[]\"", "\" { } \"");
    EQUAL("array of text", "[\"1\"]", "\"{1}\"", "[1]");
    EQUAL("array of decimal", "[1.10,\"NaN\"]", "\"{1.1,NaN}\"", "[\"1.1\",\"nan\"]");
    EQUAL("array of boolean", "[true,false]", "\"{t,f}\"");
    EQUAL("array of bytes", "[\"\\\\xDEAD\"]", "[\"dead\"]", "\"{\\\"\\\\\\\\xdead\\\"}\"");
    EQUAL("array of bytes base64", "[\"3q0=\"]", "\"{\\\"\\\\\\\\xdead\\\"}\"");
    EQUAL("array of date unit=days", "[20000,null]", "\"{2024-10-04,NULL}\"");
    EQUAL("array of timestamptz", "[\"2026-01-28T08:00:00+08:00\"]", "\"{\\\"2026-01-28 00:00:00+00\\\"}\"");
    EQUAL("array of json", "[{\"a\":1,\"b\":2}]", "[\"{\\\"b\\\":2,\\\"a\\\":1.0}\"]");
    EQUAL("array of uuid", "[\"B68A35A7-17AD-35B3-AF2A-AE46EDB4545A\"]", "\"{b68a35a717ad35b3af2aae46edb4545a}\"");
    assert_order("array of integer", "\"{9}\"", "\"{10}\"", -1);
    assert_order("array of text", "\"{NULL}\"", "\"{\\\"NULL\\\"}\"", -1);
    assert_order("array of integer", "\"{{1},{2}}\"", "\"{{1,2}}\"", -1);
    assert_printed("array of decimal", "\"{1.50,NULL,{2}}\"", "[1.5,null,[2]]");
    INVALID("array of integer", "\"{1\"", "\"{1,}\"", "\"{,1}\"", "\"{1}x\"", "\"{a}\"", "\"{1.5}\"", "[1.5]", "\"\"", "1", "{}", "\"{1,,2}\"", "\"{\\\"1}\"", "\"{1 2}\"", "\"{{{{{{{1}}}}}}}\"", "\"[0:1={1}\"",
            "\"[0:]={1}\"", "\"[1:1]=\"", "\"{1\\\\\"", "\"[1,]\"", "\"{\\\"1\\\"2}\"", "\"}{\"");
    INVALID("array of timestamp", "[\"2026-01-28T08:00:00Z\"]");
    INVALID("array of timestamptz", "\"{\\\"2026-01-28 08:00:00\\\"}\"");
    INVALID("array of text", "[{}]", "\"{\\\"a\\\"b}\"");
}

static void extended_json_is_what_it_stands_for(void **state)
{
    (void)state;
    EQUAL("any extended", "5", "{\"$numberInt\":\"5\"}", "{ \"$numberLong\" : \"5\" }", "{\"$numberDouble\":\"5.0\"}", "{\"$numberDecimal\":\"5E0\"}");
    EQUAL("any extended", "{\"$numberDouble\":\"NaN\"}", "{\"$numberDecimal\":\"NaN\"}");
    EQUAL("any extended", "{\"$date\":\"1970-01-01T00:00:01.500Z\"}", "{\"$date\":{\"$numberLong\":\"1500\"}}", "{\"$date\":1500}", "{\"$date\":\"1970-01-01T01:00:01.5+01:00\"}");
    EQUAL("any extended", "{\"$binary\":{\"base64\":\"AAE=\",\"subType\":\"00\"}}", "{\"$binary\":\"AAE\",\"$type\":\"0\"}", "{\"$type\":0,\"$binary\":\"AAE=\"}");
    EQUAL("json extended", "[{\"a\":{\"$numberLong\":\"1\"},\"b\":[2]}]", "\"[{\\\"b\\\":[{\\\"$numberInt\\\":\\\"2\\\"}],\\\"a\\\":1}]\"");
    assert_order("any extended", "{\"$numberLong\":\"9\"}", "{\"$numberInt\":\"10\"}", -1);
    assert_order("any", "{\"$numberLong\":\"5\"}", "5", 1);
    assert_printed("any extended", "{\"$uuid\":\"B68A35A717AD35B3AF2AAE46EDB4545A\"}", "{\"$uuid\":\"b68a35a7-17ad-35b3-af2a-ae46edb4545a\"}");
    assert_printed("any extended", "{\"$oid\":\"65ABCDEF0123456789abcdef\"}", "{\"$oid\":\"65abcdef0123456789abcdef\"}");
    assert_printed("any extended", "{\"$timestamp\":{\"t\":1,\"i\":2},\"x\":1}", "{\"$timestamp\":{\"i\":2,\"t\":1},\"x\":1}");
    assert_printed("any extended", "{\"$numberLong\":\"5\",\"more\":1}", "{\"$numberLong\":\"5\",\"more\":1}");
    assert_printed("any extended", "{\"$regex\":\"a\\n\",\"$options\":\"xim\"}", "{\"$regularExpression\":{\"options\":\"imx\",\"pattern\":\"a\\n\"}}");
    INVALID("any extended", "{\"$numberLong\":\"five\"}", "{\"$numberInt\":\"1.5\"}", "{\"$numberInt\":\"NaN\"}", "{\"$numberDouble\":true}", "{\"$date\":\"today\"}", "{\"$date\":\"2026-01-28T00:00:00\"}", "{\"$date\":null}", "{\"$uuid\":\"x\"}", "{\"$oid\":7}",
            "{\"$binary\":{\"base64\":\"*\",\"subType\":\"00\"}}", "{\"$binary\":{\"base64\":\"AAE=\",\"subType\":\"zz\"}}", "{\"$binary\":{}}", "{\"$regularExpression\":{}}", "[1,{\"$numberLong\":\"\"}]");
}

static void the_type_of_elements_is_written_behind_of(void **state)
{
    struct sw_error error = {0};
    struct sw_type type;
    (void)state;
    static const char *const good[] = {"array of integer", "array of timestamp(3) zone=+08:00 unit=ms", "array of bytes base64", "array"};
    assert_int_equal(sw_type_parse(&type, sw_bytes_text("text extended"), &error), SW_ERR_USAGE);
    for (size_t i = 0; i < COUNT(good); i++) {
        struct sw_buffer text = {0};
        assert_int_equal(sw_type_parse(&type, sw_bytes_text(good[i]), &error), SW_OK);
        assert_int_equal(type.kind, SW_TYPE_ARRAY);
        sw_type_print(&text, &type);
        assert_true(sw_bytes_is(sw_buffer_view(&text), good[i]));
        sw_buffer_free(&text);
    }
    static const char *const bad[] = {"array of", "array of array", "array of integer wrap", "array of int", "array integer", "array of array of integer"};
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_int_equal(sw_type_parse(&type, sw_bytes_text(bad[i]), &error), SW_ERR_USAGE);
}

static void nested_values_are_printed_in_the_order_of_names(void **state)
{
    (void)state;
    assert_printed("any", "{\"b\":[1.50,\"x\\u0000y\",null,true,false],\"a\":{\"\\u202e\":-0}}", "{\"a\":{\"\\u202e\":0},\"b\":[1.5,\"x\\u0000y\",null,true,false]}");
    assert_printed("any", "[1e999999,-1e-999999]", "[1e999999,-1e-999999]");
    assert_printed("any", "\"\\u0000\"", "\"\\u0000\"");
    assert_printed("any", "\"\\u0000\\u0000a\"", "\"\\u0000\\u0000a\"");
    assert_printed("any", "\"\"", "\"\"");
}

static void objects_with_many_members_are_sorted(void **state)
{
    (void)state;
    struct sw_buffer forward = {0}, backward = {0}, mixed = {0}, a = {0}, b = {0}, c = {0};
    enum { MEMBERS = 3001 };
    sw_buffer_add_byte(&forward, '{');
    sw_buffer_add_byte(&backward, '{');
    sw_buffer_add_byte(&mixed, '{');
    for (int i = 0; i < MEMBERS; i++) {
        const char *comma = i ? "," : "";
        sw_buffer_printf(&forward, "%s\"k%05d\":[%d]", comma, i, i);
        sw_buffer_printf(&backward, "%s\"k%05d\":[%d]", comma, MEMBERS - 1 - i, MEMBERS - 1 - i);
        sw_buffer_printf(&mixed, "%s\"k%05d\":[%d]", comma, i * 1000 % MEMBERS, i * 1000 % MEMBERS);
    }
    sw_buffer_add_byte(&forward, '}');
    sw_buffer_add_byte(&backward, '}');
    sw_buffer_add_byte(&mixed, '}');
    assert_int_equal(encode_json(&a, "any", sw_buffer_view(&forward)), SW_VALUE_OK);
    assert_int_equal(encode_json(&b, "any", sw_buffer_view(&backward)), SW_VALUE_OK);
    assert_int_equal(encode_json(&c, "any", sw_buffer_view(&mixed)), SW_VALUE_OK);
    assert_true(sw_bytes_equal(sw_buffer_view(&a), sw_buffer_view(&b)));
    assert_true(sw_bytes_equal(sw_buffer_view(&a), sw_buffer_view(&c)));
    struct sw_buffer *all[] = {&forward, &backward, &mixed, &a, &b, &c};
    for (size_t i = 0; i < COUNT(all); i++)
        sw_buffer_free(all[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_order_of_members_and_white_space_are_no_data),
        cmocka_unit_test(kinds_and_depths_are_ordered),
        cmocka_unit_test(json_in_text_is_json_and_a_json_string_needs_its_quotes),
        cmocka_unit_test(a_text_of_a_json_record_is_no_number_until_it_is_declared),
        cmocka_unit_test(repeated_names_are_refused_however_they_are_spelled),
        cmocka_unit_test(depth_has_a_limit),
        cmocka_unit_test(arrays_are_arrays),
        cmocka_unit_test(elements_of_a_type_are_one_value_in_json_and_in_the_text_of_postgres),
        cmocka_unit_test(extended_json_is_what_it_stands_for),
        cmocka_unit_test(the_type_of_elements_is_written_behind_of),
        cmocka_unit_test(nested_values_are_printed_in_the_order_of_names),
        cmocka_unit_test(objects_with_many_members_are_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
