#include "value_testing.h"

#include "model/value_any.h"
#include "text/json_unescape.h"

static void assert_bytes(const char *type, const char *json, struct sw_bytes expected)
{
    struct sw_buffer out = {0};
    assert_int_equal(encode_json(&out, type, sw_bytes_text(json)), SW_VALUE_OK);
    if (!sw_bytes_equal(sw_buffer_view(&out), expected))
        fail_msg("%s under %s: %zu bytes, expected %zu or others", json, type, out.len, expected.len);
    sw_buffer_free(&out);
}

#define BYTES(literal) sw_bytes_of(literal, sizeof(literal) - 1)

static void text_is_its_bytes_with_escapes_resolved(void **state)
{
    (void)state;
    assert_bytes("text", "\"\"", BYTES(""));
    assert_bytes("text", "\"a b \"", BYTES("a b "));
    assert_bytes("text", "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", BYTES("\"\\/\b\f\n\r\t"));
    assert_bytes("text", "\"\\u0041\\u00e9\\u6c34\\ud83c\\udf0a\"", BYTES("A\xc3\xa9\xe6\xb0\xb4\xf0\x9f\x8c\x8a"));
    assert_bytes("text", "\"\\uD83C\\uDF0A\"", BYTES("\xf0\x9f\x8c\x8a"));
    assert_bytes("text", "\"ab\\u0000cd\"", BYTES("ab\0cd")); /* O20 */
    EQUAL("text", "\"\\u00e9\"", "\"\xc3\xa9\"");
    assert_order("text", "\"\xc3\xa9\"", "\"e\xcc\x81\"", 1); /* composed and decomposed are two texts unless nfc is declared */
    INVALID("text", "[1]", "{}", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\\"");
}

static void text_takes_bare_numbers_and_booleans_as_they_are_spelled(void **state)
{
    (void)state;
    assert_bytes("text", "1.10", BYTES("1.10"));
    assert_bytes("text", "true", BYTES("true"));
    assert_bytes("text", "false", BYTES("false"));
    assert_order("text", "1.0", "\"1\"", 1);
}

static void lone_surrogates_stay_distinct_and_read_back(void **state)
{
    (void)state;
    static const char *const kinds[] = {"text", "any"};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        ASCENDING(kinds[i], "\"\xed\x9f\xbf\"", "\"\\ud800\"", "\"\\ud83d\"", "\"\\udbff\"", "\"\\udc00\"", "\"\\udc00\\ud800\"", "\"\\udfff\"", "\"\\ue000\"", "\"\\ufffd\"");
        assert_printed(kinds[i], "\"\\ud83dx\"", "\"\\ud83dx\"");
        assert_printed(kinds[i], "\"\\uDE00\\ud83d\"", "\"\\ude00\\ud83d\"");
        assert_printed(kinds[i], "\"\\ud83d\\ud83c\\udf0a\"", "\"\\ud83d\xf0\x9f\x8c\x8a\"");
    }
}

static void an_escape_that_is_none_is_found_at_its_place(void **state)
{
    (void)state;
    uint8_t out[32];
    size_t len;
    assert_false(sw_json_unescape(out, &len, BYTES("ab\\qcd")));
    assert_int_equal(len, 2);
    assert_false(sw_json_unescape(out, &len, BYTES("\\u00")));
    assert_int_equal(len, 0);
    assert_false(sw_json_unescape(out, &len, BYTES("\\n\\")));
    assert_int_equal(len, 2);
    assert_true(sw_json_unescape(out, &len, BYTES("\\ud83d\\u00")) == false);
    assert_int_equal(len, 6);
    assert_true(sw_json_unescape(out, &len, BYTES("")));
    assert_int_equal(len, 0);
}

static void trim_cuts_trailing_blanks_alone(void **state)
{
    (void)state;
    EQUAL("text trim", "\"a\"", "\"a  \"", "\"a \\u0020\"");
    EQUAL("text trim", "\"\"", "\"   \"");
    assert_order("text trim", "\" a\"", "\"a\"", -1);
    assert_order("text trim", "\"a\\t\"", "\"a\"", 1);
    assert_order("text", "\"a \"", "\"a\"", 1);
}

static void fold_and_nfc_join_what_they_say_or_are_refused(void **state)
{
    (void)state;
    struct sw_type type;
    struct sw_error error = {0};
    if (sw_type_parse(&type, sw_bytes_text("text fold"), &error) == SW_ERR_UNSUPPORTED) {
        assert_non_null(strstr(error.text, "libunistring"));
        error = (struct sw_error){0};
        assert_int_equal(sw_type_parse(&type, sw_bytes_text("text trim nfc"), &error), SW_ERR_UNSUPPORTED);
        return;
    }
    EQUAL("text fold", "\"stra\xc3\x9f" "e\"", "\"STRASSE\"", "\"Strasse\"");
    EQUAL("text fold", "\"\xce\xa3\"", "\"\xcf\x83\"", "\"\xcf\x82\""); /* the three sigmas */
    assert_order("text fold", "\"\xc3\xa9\"", "\"E\xcc\x81\"", 1);
    EQUAL("text nfc", "\"\xc3\xa9\"", "\"e\xcc\x81\"", "\"\\u0065\\u0301\"");
    assert_order("text nfc", "\"E\"", "\"e\"", -1);
    EQUAL("text fold nfc", "\"\xc3\x89\"", "\"e\xcc\x81\"", "\"E\xcc\x81\"");
    EQUAL("text trim fold", "\"ABC  \"", "\"abc\"");
    assert_bytes("text nfc", "\"\\ud83de\\u0301\\udc00\"", BYTES("\xed\xa0\xbd\xc3\xa9\xed\xb0\x80"));
    assert_bytes("text fold", "\"A\\u0000B\\u00c9\"", BYTES("a\0b\xc3\xa9"));
}

static void any_text_orders_by_bytes_with_nul_lowest(void **state)
{
    (void)state;
    ASCENDING("any", "\"\"", "\"\\u0000\"", "\"\\u0000\\u0000\"", "\"\\u0000a\"", "\"\\u0001\"", "\"a\"", "\"a\\u0000\"", "\"a\\u0000\\u0000\"", "\"a\\u0000b\"", "\"a\\u0001\"", "\"ab\"", "\"b\"");
    ASCENDING("any", "\"k\"", "\"k\\u0000a\"", "\"k\\u0000b\""); /* O20 */
    assert_order("any", "\"1\"", "1", 1); /* text never equals a number */
    assert_order("any", "\"true\"", "true", 1);
}

static void the_raw_encoder_of_text_agrees_and_stays_in_its_room(void **state)
{
    (void)state;
    uint8_t text[64];
    for (size_t len = 0; len <= 40; len++)
        for (size_t nul = 0; nul <= len; nul++) {
            memset(text, 'x', sizeof text);
            if (nul < len)
                text[nul] = 0;
            if (nul + 9 < len)
                text[nul + 9] = 0;
            uint8_t raw[SW_ANY_TEXT_MAX(40) + 1];
            memset(raw, 0x5a, sizeof raw);
            size_t written = sw_any_text_encode(raw, sw_bytes_of(text, len));
            assert_true(written <= SW_ANY_TEXT_MAX(len));
            assert_int_equal(raw[written], 0x5a);
            uint8_t expected[SW_ANY_TEXT_MAX(40)];
            size_t at = 0;
            expected[at++] = SW_ANY_TEXT;
            for (size_t i = 0; i < len; i++) {
                expected[at++] = text[i];
                if (text[i] == 0)
                    expected[at++] = 0xff;
            }
            expected[at++] = 0;
            expected[at++] = 0;
            assert_int_equal(written, at);
            assert_memory_equal(raw, expected, at);
        }
    uint8_t nuls[40] = {0}, raw[SW_ANY_TEXT_MAX(40)];
    assert_int_equal(sw_any_text_encode(raw, sw_bytes_of(nuls, 40)), SW_ANY_TEXT_MAX(40));
}

static void bytes_are_read_in_their_encoding(void **state)
{
    (void)state;
    EQUAL("bytes", "\"deadbeef\"", "\"DEADBEEF\"", "\"\\\\xdeadbeef\"", "\"0xDeadBeef\"");
    assert_bytes("bytes", "\"\\\\x\"", BYTES(""));
    assert_bytes("bytes hex", "\"00ff\"", BYTES("\0\xff"));
    INVALID("bytes", "\"abc\"", "\"zz\"", "\"\\\\x0\"", "12", "\"0x0x00\"", "\"aa bb\"");
    assert_bytes("bytes base64", "\"MDk=\"", BYTES("09"));
    assert_bytes("bytes base64", "\"MDk\"", BYTES("09"));
    assert_bytes("bytes base64", "\"\"", BYTES(""));
    assert_bytes("bytes base64", "\"+/+/\"", BYTES("\xfb\xff\xbf"));
    assert_bytes("bytes base64", "\"QUJD\\nREU=\"", BYTES("ABCDE"));
    INVALID("bytes base64", "\"MDl=\"", "\"M\"", "\"MD=\"", "\"MDk==\"", "\"MD==k\"", "\"-_-_\"", "\"MD k\"", "\"====\"", "\"QUJD=\"", "\"MB\"", "5");
    assert_bytes("bytes base64url", "\"-_-_\"", BYTES("\xfb\xff\xbf"));
    INVALID("bytes base64url", "\"+/+/\"");
    assert_printed("bytes", "\"DEAD\"", "\"dead\"");
    assert_bytes("bytes escape", "\"ab\"", BYTES("ab"));
    assert_bytes("bytes escape", "\"a\\\\x00\\\\xFF\\\\377\\\\\\\\\"", BYTES("a\0\xff\xff\\"));
    assert_bytes("bytes escape", "\"\\\\x5C\\u0001\"", BYTES("\\\x01"));
    INVALID("bytes escape", "\"\\\\\"", "\"\\\\x0\"", "\"\\\\400\"", "\"\\\\xg0\"", "\"\u00e9\"", "5");
    assert_printed("bytes escape", "\"a\\\\000\\\"\\\\xff\"", "\"a\\\\x00\\\\x22\\\\xFF\"");
    assert_printed("bytes base64", "\"MDk\"", "\"MDk=\"");
    assert_printed("bytes base64", "\"MA\"", "\"MA==\"");
    assert_printed("bytes base64url", "\"-_8=\"", "\"-_8\"");
    ASCENDING("bytes", "\"\"", "\"00\"", "\"0000\"", "\"0001\"", "\"01\"", "\"7f\"", "\"80\"", "\"ff\"", "\"ff00\"");
}

static void uuids_are_read_in_all_their_dresses(void **state)
{
    (void)state;
    EQUAL("uuid", "\"b68a35a7-17ad-35b3-af2a-ae46edb4545a\"", "\"B68A35A7-17AD-35B3-AF2A-AE46EDB4545A\"", "\"{b68a35a7-17ad-35b3-af2a-ae46edb4545a}\"", "\"b68a35a717ad35b3af2aae46edb4545a\"",
        "\"{b68a35a717ad35b3af2aae46edb4545a}\"", "\"urn:uuid:b68a35a7-17ad-35b3-af2a-ae46edb4545a\"", "\"URN:UUID:B68A35A7-17AD-35B3-AF2A-AE46EDB4545A\"",
        "\"too1pxetNbOvKq5G7bRUWg==\"", "\"\\\\xb68a35a717ad35b3af2aae46edb4545a\"", "\"0xB68A35A717AD35B3AF2AAE46EDB4545A\"");
    INVALID("uuid", "\"too1pxetNbOvKq5G7bRUWg\"", "\"too1pxetNbOvKq5G7bRUW===\"", "\"too1pxetNbOvKq5G7bRUWgAA\"", "\"b68a35a717ad35b3af2aae46edb4545aff\"");
    INVALID("uuid", "\"urn:uuid:\"", "\"urn:uuid:b68a\"", "\"\"", "\"b68a35a7-17ad-35b3-af2a-ae46edb4545\"", "\"b68a35a7-17ad-35b3-af2a-ae46edb4545ag\"", "\"b68a35a7-17ad-35b3-af2aa-e46edb4545a\"", "\"g68a35a7-17ad-35b3-af2a-ae46edb4545a\"",
        "\"{b68a35a7-17ad-35b3-af2a-ae46edb4545a\"", "1", "\"{}\"");
    assert_printed("uuid", "\"{B68A35A717AD35B3AF2AAE46EDB4545A}\"", "\"b68a35a7-17ad-35b3-af2a-ae46edb4545a\"");
}

static void booleans_are_read_as_the_databases_write_them(void **state)
{
    (void)state;
    EQUAL("boolean", "true", "\"true\"", "\"TRUE\"", "\"t\"", "\"T\"", "\"1\"", "1", "\"b'1'\"", "\"B'1'\"", "\"\\u0001\"");
    EQUAL("boolean", "false", "\"false\"", "\"False\"", "\"f\"", "\"0\"", "0", "\"b'0'\"", "\"\\u0000\"");
    assert_order("boolean", "false", "true", -1);
    INVALID("boolean", "\"yes\"", "\"no\"", "2", "-1", "\"\"", "1.0", "[]", "\"on\"", "\"tru\"", "\"b'2'\"", "\"b'10'\"", "\"b'1\"", "\"\\u0002\"");
    assert_printed("boolean", "\"t\"", "true");
}

static void no_bytes_may_be_null(void **state)
{
    (void)state;
    for (int kind = 0; kind < SW_TYPE_KIND_COUNT; kind++) {
        struct sw_type type = {.kind = (enum sw_type_kind)kind, .precision = -1};
        struct sw_buffer out = {0};
        struct sw_value_scratch scratch = {0};
        enum sw_value_status status = sw_value_encode(&out, &type, (struct sw_token){.kind = SW_TOKEN_TEXT}, &scratch);
        bool empty_is_a_value = kind == SW_TYPE_ANY || kind == SW_TYPE_TEXT || kind == SW_TYPE_BYTES;
        assert_int_equal(status, empty_is_a_value ? SW_VALUE_OK : SW_VALUE_INVALID);
        sw_value_scratch_free(&scratch);
        sw_buffer_free(&out);
    }
}

static void null_is_null_under_every_type(void **state)
{
    (void)state;
    static const char *const kinds[] = {"any", "text", "integer", "int8", "decimal", "float64", "boolean", "bytes", "date", "time", "timestamp", "timestamptz", "uuid", "json", "array"};
    struct sw_buffer out = {0};
    struct sw_value_scratch scratch = {0};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        assert_status(kinds[i], "null", SW_VALUE_NULL);
        struct sw_type type = type_of(kinds[i]);
        assert_int_equal(sw_value_encode(&out, &type, (struct sw_token){.kind = SW_TOKEN_ABSENT}, &scratch), SW_VALUE_INVALID);
        assert_int_equal(out.len, 0);
    }
}

static void a_refusal_says_what_was_expected_and_found(void **state)
{
    (void)state;
    static const struct { const char *type, *json, *problem; } cases[] = {
        {"int8", "300", "expected int8 (-128 to 127), found the number 300"},
        {"date", "\"2026-02-30\"", "expected a date (2026-01-28), found the text \"2026-02-30\""},
        {"uuid", "[1,2]", "expected a uuid (32 hexadecimal digits), found an array of 5 bytes"},
        {"boolean", "\"a\\nb\\u202e\"", "expected a boolean (true, false, t, f, 1 or 0), found the text \"a\\nb\\u202e\""},
        {"timestamp", "5", "expected text, or a declared unit of numbers (unit=s, ms, us, ns or days), found the number 5"},
        {"integer", "true", "expected an integer (--type 'COLUMN=boolean' takes 1 and 0 for true and false), found true"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sw_type type = type_of(cases[i].type);
        struct sw_buffer out = {0};
        struct sw_value_scratch scratch = {0};
        assert_int_equal(sw_value_encode(&out, &type, token_of(sw_bytes_text(cases[i].json)), &scratch), SW_VALUE_INVALID);
        assert_string_equal(scratch.problem, cases[i].problem);
        sw_value_scratch_free(&scratch);
        sw_buffer_free(&out);
    }
    char json[2000] = "\"";
    for (int i = 0; i < 500; i++)
        strcat(json, "\xc3\xa9");
    strcat(json, "\"");
    struct sw_type type = type_of("int8");
    struct sw_buffer out = {0};
    struct sw_value_scratch scratch = {0};
    assert_int_equal(sw_value_encode(&out, &type, token_of(sw_bytes_text(json)), &scratch), SW_VALUE_INVALID);
    assert_non_null(strstr(scratch.problem, "\xc3\xa9\"… (1000 bytes)")); /* cut between two characters, and said so */
    sw_value_scratch_free(&scratch);
    sw_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_its_bytes_with_escapes_resolved),
        cmocka_unit_test(text_takes_bare_numbers_and_booleans_as_they_are_spelled),
        cmocka_unit_test(lone_surrogates_stay_distinct_and_read_back),
        cmocka_unit_test(an_escape_that_is_none_is_found_at_its_place),
        cmocka_unit_test(trim_cuts_trailing_blanks_alone),
        cmocka_unit_test(fold_and_nfc_join_what_they_say_or_are_refused),
        cmocka_unit_test(any_text_orders_by_bytes_with_nul_lowest),
        cmocka_unit_test(the_raw_encoder_of_text_agrees_and_stays_in_its_room),
        cmocka_unit_test(bytes_are_read_in_their_encoding),
        cmocka_unit_test(uuids_are_read_in_all_their_dresses),
        cmocka_unit_test(booleans_are_read_as_the_databases_write_them),
        cmocka_unit_test(no_bytes_may_be_null),
        cmocka_unit_test(null_is_null_under_every_type),
        cmocka_unit_test(a_refusal_says_what_was_expected_and_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
