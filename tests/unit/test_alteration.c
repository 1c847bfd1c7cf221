#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "reconcile/alteration.h"
#include "reconcile/debezium_likeness.h"

static uint32_t find(const char *evidence, const char *reference) { return sw_alteration_find(sw_bytes_text(evidence), sw_bytes_text(reference)); }

static void line_ends_are_seen_either_way_and_a_backslash_of_the_text_is_none(void **state)
{
    (void)state;
    assert_int_equal(find("a\\r\\nb", "a\\nb"), 1u << SW_ALTERATION_LINE_ENDS);
    assert_int_equal(find("a\\nb", "a\\r\\nb"), 1u << SW_ALTERATION_LINE_ENDS);
    assert_int_equal(find("a\\\\r\\nb", "a\\\\n\\nb"), 0);
    assert_int_equal(find("a\\r\\nb", "a\\n"), 0);
    assert_int_equal(find("a\\rb", "ab"), 0);
    assert_int_equal(find("\\", "\\r\\n"), 0);
}

static void text_that_was_encoded_twice_is_seen(void **state)
{
    (void)state;
    assert_int_equal(find("caf\xc3\xa9", "caf\xc3\x83\xc2\xa9"), 1u << SW_ALTERATION_ENCODED_TWICE);
    assert_int_equal(find("caf\xc3\x83\xc2\xa9", "caf\xc3\xa9"), 1u << SW_ALTERATION_ENCODED_TWICE);
    assert_int_equal(find("\xe2\x80\x9d", "\xc3\xa2\xe2\x82\xac\\u009d"), 1u << SW_ALTERATION_ENCODED_TWICE);
    assert_int_equal(find("caf\xc3\xa9", "cafe"), 0);
    assert_int_equal(find("\xc3\xa9", "\xc3\x83\xc2\xa9x"), 0);
    assert_int_equal(find("\xc3", "\xc3\x83\xe2\x80"), 0);
}

static void the_bytes_of_a_uuid_are_known_in_two_other_orders(void **state)
{
    (void)state;
    assert_int_equal(find("00112233-4455-6677-8899-aabbccddeeff", "33221100-5544-7766-8899-aabbccddeeff"), 1u << SW_ALTERATION_UUID_BYTES);
    assert_int_equal(find("00112233-4455-6677-8899-aabbccddeeff", "{66774455-0011-2233-8899-AABBCCDDEEFF}"), 1u << SW_ALTERATION_UUID_BYTES);
    assert_int_equal(find("66774455001122338899aabbccddeeff", "00112233-4455-6677-8899-aabbccddeeff"), 1u << SW_ALTERATION_UUID_BYTES);
    assert_int_equal(find("00112233-4455-6677-8899-aabbccddeeff", "33221100-5544-7766-8899-aabbccddeefe"), 0);
    assert_int_equal(find("00112233-4455-6677-8899-aabbccddeeff00", "33221100-5544-7766-8899-aabbccddeeff"), 0);
}

static void the_beginning_of_a_text_is_seen_from_eight_bytes_on(void **state)
{
    (void)state;
    assert_int_equal(find("a long remark", "a long r"), 1u << SW_ALTERATION_CUT_TEXT);
    assert_int_equal(find("a long remark", "a long "), 0);
    assert_int_equal(find("a long r", "a long remark"), 0);
}

static void an_integer_of_more_digits_than_a_double_keeps(void **state)
{
    (void)state;
    assert_true(sw_alteration_is_double(sw_bytes_text("9007199254740993")));
    assert_true(sw_alteration_is_double(sw_bytes_text("-9007199254740993")));
    assert_false(sw_alteration_is_double(sw_bytes_text("900719925474099")));
    assert_false(sw_alteration_is_double(sw_bytes_text("9007199254740993.5")));
    assert_false(sw_alteration_is_double(sw_bytes_text("")));
}

static void debeziums_placeholder_is_known_in_three_spellings(void **state)
{
    (void)state;
    assert_true(sw_alteration_is_placeholder(sw_bytes_text("__debezium_unavailable_value")));
    assert_true(sw_alteration_is_placeholder(sw_bytes_text("[\"__debezium_unavailable_value\"]")));
    assert_true(sw_alteration_is_placeholder(sw_bytes_text("X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==")));
    assert_true(sw_alteration_is_placeholder(sw_bytes_text("\\\\x5f5f646562657a69756d5f756e617661696c61626c655f76616c7565")));
    assert_true(sw_alteration_is_placeholder(sw_bytes_text("0x5F5F646562657A69756D5F756E617661696C61626C655F76616C7565")));
    assert_false(sw_alteration_is_placeholder(sw_bytes_text("__debezium_unavailable")));
    assert_false(sw_alteration_is_placeholder(sw_bytes_text("")));
}

/* debezium, "Decimal types" and "Spatial types": two's complement of the digits in base64; WKB. */
static uint32_t debezium(const char *evidence, uint8_t kind, const char *reference)
{
    struct sw_decode_room room = {0};
    struct sw_token a = {(const uint8_t *)evidence, (uint32_t)strlen(evidence), kind, false}, b = {(const uint8_t *)reference, (uint32_t)strlen(reference), SW_TOKEN_TEXT, false};
    uint32_t found = sw_debezium_likeness(&room, a, b);
    sw_buffer_free(&room.text);
    sw_buffer_free(&room.array);
    return found;
}

static void what_debezium_writes_without_a_schema_is_known_beside_the_destinations_form(void **state)
{
    (void)state;
    const uint32_t unscaled = 1u << SW_ALTERATION_UNSCALED, variable = 1u << SW_ALTERATION_VARIABLE_DECIMAL, geometry = 1u << SW_ALTERATION_GEOMETRY;
    assert_int_equal(debezium("MDk=", SW_TOKEN_TEXT, "123.45"), unscaled);
    assert_int_equal(debezium("MDk=", SW_TOKEN_TEXT, "0.012345"), unscaled);
    assert_int_equal(debezium("z8c=", SW_TOKEN_TEXT, "-123.450"), unscaled);
    assert_int_equal(debezium("AA==", SW_TOKEN_TEXT, "0.00"), unscaled);
    assert_int_equal(debezium("MDk=", SW_TOKEN_TEXT, "-123.45"), 0);
    assert_int_equal(debezium("MDk=", SW_TOKEN_TEXT, "123.46"), 0);
    assert_int_equal(debezium("MDk=", SW_TOKEN_TEXT, "1.2.3"), 0);
    assert_int_equal(debezium("MDk=", SW_TOKEN_TEXT, ""), 0);
    assert_int_equal(debezium("", SW_TOKEN_TEXT, "0"), 0);
    assert_int_equal(debezium("12345", SW_TOKEN_TEXT, "123.45"), 0);
    assert_int_equal(debezium("{\"scale\":2,\"value\":\"MDk=\"}", SW_TOKEN_OBJECT, "123.45"), variable);
    assert_int_equal(debezium("{\"scale\":3,\"value\":\"MDk=\"}", SW_TOKEN_OBJECT, "123.45"), 0);
    assert_int_equal(debezium("{\"value\":\"MDk=\"}", SW_TOKEN_OBJECT, "123.45"), 0);
#define POINT "{\"wkb\":\"AQEAAAAAAAAAAADwPwAAAAAAAPA/\",\"srid\":null}"
    assert_int_equal(debezium(POINT, SW_TOKEN_OBJECT, "0101000000000000000000F03F000000000000F03F"), geometry);
    assert_int_equal(debezium(POINT, SW_TOKEN_OBJECT, "0101000020E6100000000000000000F03F000000000000F03F"), geometry);
    assert_int_equal(debezium(POINT, SW_TOKEN_OBJECT, "0xE61000000101000000000000000000F03F000000000000F03F"), geometry);
    assert_int_equal(debezium(POINT, SW_TOKEN_OBJECT, "0101000000000000000000F03F0000000000000040"), 0);
    assert_int_equal(debezium(POINT, SW_TOKEN_OBJECT, "0101000020E6"), 0);
    assert_int_equal(debezium(POINT, SW_TOKEN_OBJECT, "POINT(1 1)"), 0);
    assert_int_equal(debezium("{\"wkb\":\"\"}", SW_TOKEN_OBJECT, ""), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_ends_are_seen_either_way_and_a_backslash_of_the_text_is_none),
        cmocka_unit_test(text_that_was_encoded_twice_is_seen),
        cmocka_unit_test(the_bytes_of_a_uuid_are_known_in_two_other_orders),
        cmocka_unit_test(the_beginning_of_a_text_is_seen_from_eight_bytes_on),
        cmocka_unit_test(an_integer_of_more_digits_than_a_double_keeps),
        cmocka_unit_test(debeziums_placeholder_is_known_in_three_spellings),
        cmocka_unit_test(what_debezium_writes_without_a_schema_is_known_beside_the_destinations_form),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
