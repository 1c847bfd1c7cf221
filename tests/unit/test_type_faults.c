/* Built with the option `faults` only: other builds cannot make an allocation fail. */
#include "value_testing.h"

#include "base/memory.h"

static void every_failed_allocation_is_reported_and_appends_nothing(void **state)
{
    (void)state;
    static const struct { const char *type, *json; } cases[] = {
        {"any", "123456"}, {"any", "1.5e300"}, {"any", "\"a text that needs some room, and then a little more than that\""}, {"any", "\"with \\u0000 escapes\""},
        {"any", "{\"b\":[1,2,{\"d\":null,\"c\":\"x\\ny\"}],\"a\":true}"}, {"json", "\"{\\\"b\\\":1,\\\"a\\\":[false]}\""}, {"array", "[[],[1]]"}, {"text", "\"a\\u0041\""}, {"decimal", "\"\\u0031.5\""},
        {"int64", "-5"}, {"float64", "\"0.30000000000000004000000000000000000000000000000000000000000000000000000000000000\""}, {"boolean", "true"}, {"bytes", "\"deadbeef\""}, {"date", "\"2026-01-28\""},
        {"time", "\"12:55\""}, {"timestamptz", "\"infinity\""}, {"uuid", "\"b68a35a717ad35b3af2aae46edb4545a\""},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sw_type type = type_of(cases[i].type);
        struct sw_token token = token_of(sw_bytes_text(cases[i].json));
        unsigned refused = 0;
        for (uint64_t nth = 1;; nth++) {
            struct sw_buffer out = {0};
            struct sw_value_scratch scratch = {0};
            sw_memory_fail_at(nth, false);
            enum sw_value_status status = sw_value_encode(&out, &type, token, &scratch);
            sw_memory_fail_at(0, false);
            if (status != SW_VALUE_OK) {
                assert_int_equal(status, SW_VALUE_NO_MEMORY);
                assert_int_equal(out.len, 0);
                refused++;
            }
            sw_buffer_free(&out);
            sw_value_scratch_free(&scratch);
            if (status == SW_VALUE_OK)
                break;
        }
        assert_true(refused > 0);
    }
}

static void printing_without_memory_is_marked_in_the_buffer(void **state)
{
    (void)state;
    static const struct { const char *type, *json; } cases[] = {
        {"any", "{\"a\":[1.25,\"x\"]}"}, {"json", "\"\\\"a string that is printed twice, once inside the other\\\"\""}, {"decimal", "-1.5"}, {"float64", "0.5"}, {"int8", "1"}, {"uuid", "\"b68a35a717ad35b3af2aae46edb4545a\""},
        {"timestamp", "\"2026-01-28 12:55:05.094\""}, {"bytes", "\"deadbeef\""}, {"bytes base64", "\"MDk=\""}, {"text", "\"x\""}, {"boolean", "true"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sw_type type = type_of(cases[i].type);
        struct sw_buffer canonical = {0};
        assert_int_equal(encode_json(&canonical, cases[i].type, sw_bytes_text(cases[i].json)), SW_VALUE_OK);
        for (uint64_t nth = 1;; nth++) {
            struct sw_buffer out = {0};
            uint64_t before = sw_memory_calls();
            sw_memory_fail_at(nth, true);
            sw_value_write_json(&out, &type, sw_buffer_view(&canonical));
            sw_memory_fail_at(0, false);
            bool reached = sw_memory_calls() - before >= nth;
            assert_int_equal(out.failed, reached);
            sw_buffer_free(&out);
            if (!reached)
                break;
        }
        sw_buffer_free(&canonical);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_is_reported_and_appends_nothing),
        cmocka_unit_test(printing_without_memory_is_marked_in_the_buffer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
