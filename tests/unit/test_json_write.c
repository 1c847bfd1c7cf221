#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "text/json_write.h"

#define BYTES(literal) sw_bytes_of(literal, sizeof(literal) - 1)

static void assert_written(struct sw_bytes text, const char *expected)
{
    struct sw_buffer out = {0};
    sw_json_write_text(&out, text);
    assert_string_equal(sw_buffer_text(&out), expected);
    sw_buffer_free(&out);
}

static void plain_text_and_utf8_stand_as_they_are(void **state)
{
    (void)state;
    assert_written(BYTES(""), "\"\"");
    assert_written(BYTES("order 7 / ~"), "\"order 7 / ~\"");
    assert_written(BYTES("\xc3\xa9 \xe6\xb0\xb4 \xf0\x9f\x8c\x8a"), "\"\xc3\xa9 \xe6\xb0\xb4 \xf0\x9f\x8c\x8a\"");
}

static void what_json_demands_is_escaped(void **state)
{
    (void)state;
    assert_written(BYTES("a\"b\\c"), "\"a\\\"b\\\\c\"");
    assert_written(BYTES("\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\"");
    assert_written(BYTES("k\0a\x01\x1f"), "\"k\\u0000a\\u0001\\u001f\"");
}

static void what_misleads_a_reader_is_escaped(void **state)
{
    (void)state;
    assert_written(BYTES("\x7f"), "\"\\u007f\"");
    assert_written(BYTES("\xc2\x9b" "31m"), "\"\\u009b31m\"");              /* the one-character CSI */
    assert_written(BYTES("\xe2\x80\xa8\xe2\x80\xa9"), "\"\\u2028\\u2029\"");
    assert_written(BYTES("\xe2\x80\xaa\xe2\x80\xae"), "\"\\u202a\\u202e\"");
    assert_written(BYTES("\xe2\x81\xa6\xe2\x81\xa9"), "\"\\u2066\\u2069\"");
    assert_written(BYTES("\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\x8b"), "\"\\u200e\\u200f\\u200b\"");
    assert_written(BYTES("\xef\xbb\xbf"), "\"\\ufeff\"");
    assert_written(BYTES("\xf3\xa0\x81\x81"), "\"\\udb40\\udc41\"");        /* a tag letter, U+E0041 */
    assert_written(BYTES("\xe2\x80\xaf\xe2\x80\xa7\xc2\xa0"), "\"\xe2\x80\xaf\xe2\x80\xa7\xc2\xa0\""); /* their harmless neighbours */
}

/* Plain text is taken eight bytes at a time: what is none of it has to be seen wherever it stands. */
static void every_byte_is_written_the_same_wherever_it_stands(void **state)
{
    (void)state;
    for (unsigned byte = 0; byte < 256; byte++) {
        struct sw_buffer alone = {0};
        uint8_t one = (uint8_t)byte;
        sw_json_write_text_inside(&alone, sw_bytes_of(&one, 1));
        for (size_t place = 0; place < 20; place++) {
            uint8_t text[20];
            struct sw_buffer out = {0}, expected = {0};
            memset(text, 'x', sizeof text);
            text[place] = one;
            sw_json_write_text_inside(&out, sw_bytes_of(text, sizeof text));
            for (size_t i = 0; i < sizeof text; i++)
                sw_buffer_add_bytes(&expected, i == place ? sw_buffer_view(&alone) : SW_BYTES_LITERAL("x"));
            assert_true(sw_bytes_equal(sw_buffer_view(&out), sw_buffer_view(&expected)));
            sw_buffer_free(&out);
            sw_buffer_free(&expected);
        }
        sw_buffer_free(&alone);
    }
}

/* The same for texts of each length, with and without quotes around them. */
static void one_byte_is_seen_in_texts_of_every_length(void **state)
{
    (void)state;
    for (size_t len = 0; len < 40; len++)
        for (size_t place = 0; place <= len; place++) { /* at `len`: nowhere */
            uint8_t *text = malloc(len + 1);
            char expected[64] = "\"";
            struct sw_buffer out = {0};
            assert_non_null(text);
            memset(text, 'x', len);
            text[place] = '"';
            for (size_t i = 0; i < len; i++)
                strcat(expected, i == place ? "\\\"" : "x");
            strcat(expected, "\"");
            text = realloc(text, len ? len : 1); /* what is read beyond it is an error that tools see */
            assert_int_equal(sw_json_write_plain_text(&out, sw_bytes_of(text, len)), place == len);
            sw_buffer_clear(&out);
            sw_json_write_text(&out, sw_bytes_of(text, len));
            assert_string_equal(sw_buffer_text(&out), expected);
            sw_buffer_free(&out);
            free(text);
        }
}

static void lone_surrogates_and_stray_bytes_are_not_lost(void **state)
{
    (void)state;
    assert_written(BYTES("\xed\xa0\xbd"), "\"\\ud83d\"");
    assert_written(BYTES("\xed\xbf\xbf!"), "\"\\udfff!\"");
    assert_written(BYTES("a\xff" "b\x80"), "\"a\\udcffb\\udc80\"");
    assert_written(BYTES("\xc3"), "\"\\udcc3\"");                           /* a cut sequence */
    assert_written(BYTES("\xe2\x82"), "\"\\udce2\\udc82\"");
    assert_written(BYTES("\xc0\xaf"), "\"\\udcc0\\udcaf\"");                /* too long for what it says */
    assert_written(BYTES("\xe0\x80\xaf"), "\"\\udce0\\udc80\\udcaf\"");
    assert_written(BYTES("\xf4\x90\x80\x80"), "\"\\udcf4\\udc90\\udc80\\udc80\""); /* beyond U+10FFFF */
}

static void numbers_are_written_to_their_limits(void **state)
{
    (void)state;
    struct sw_buffer out = {0};
    sw_json_write_number_u64(&out, 0);
    sw_buffer_add_byte(&out, ' ');
    sw_json_write_number_u64(&out, UINT64_MAX);
    sw_buffer_add_byte(&out, ' ');
    sw_json_write_number_i64(&out, INT64_MIN);
    sw_buffer_add_byte(&out, ' ');
    sw_json_write_number_i64(&out, -1);
    assert_string_equal(sw_buffer_text(&out), "0 18446744073709551615 -9223372036854775808 -1");
    sw_buffer_free(&out);
}

static void write_document(struct sw_json_writer *json)
{
    sw_json_begin_object(json);
    sw_json_member_u64(json, "keys", 3);
    sw_json_name(json, "empty");
    sw_json_begin_array(json);
    sw_json_end_array(json);
    sw_json_name(json, "list");
    sw_json_begin_array(json);
    sw_json_i64(json, -1);
    sw_json_null(json);
    sw_json_begin_object(json);
    sw_json_end_object(json);
    sw_json_begin_object(json);
    sw_json_member_boolean(json, "yes", true);
    sw_json_member_string(json, "none", NULL);
    sw_json_end_object(json);
    sw_json_end_array(json);
    sw_json_name_bytes(json, BYTES("a\nb"));
    sw_json_value(json);
    sw_buffer_add_text(json->out, "1e2");
    sw_json_member_text(json, "text", BYTES("x\"y"));
    sw_json_end_object(json);
}

static void a_list_of_texts_is_an_array_that_may_hold_nulls(void **state)
{
    (void)state;
    char first[] = "a\"b", *const texts[] = {first, NULL};
    struct sw_buffer out = {0};
    struct sw_json_writer json = {.out = &out};
    sw_json_begin_object(&json);
    sw_json_member_strings(&json, "some", texts, 2);
    sw_json_member_strings(&json, "none", NULL, 0);
    sw_json_end_object(&json);
    assert_string_equal(sw_buffer_text(&out), "{\"some\":[\"a\\\"b\",null],\"none\":[]}");
    sw_buffer_free(&out);
}

static void the_writer_puts_commas_and_no_blanks(void **state)
{
    (void)state;
    struct sw_buffer out = {0};
    struct sw_json_writer json = {.out = &out};
    write_document(&json);
    assert_string_equal(sw_buffer_text(&out), "{\"keys\":3,\"empty\":[],\"list\":[-1,null,{},{\"yes\":true,\"none\":null}],\"a\\nb\":1e2,\"text\":\"x\\\"y\"}");
    assert_int_equal(json.depth, 0);
    sw_buffer_free(&out);
}

static void the_writer_indents_by_two(void **state)
{
    (void)state;
    struct sw_buffer out = {0};
    struct sw_json_writer json = {.out = &out, .indented = true};
    write_document(&json);
    assert_string_equal(sw_buffer_text(&out),
        "{\n  \"keys\": 3,\n  \"empty\": [],\n  \"list\": [\n    -1,\n    null,\n    {},\n    {\n      \"yes\": true,\n      \"none\": null\n    }\n  ],\n"
        "  \"a\\nb\": 1e2,\n  \"text\": \"x\\\"y\"\n}");
    sw_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_text_and_utf8_stand_as_they_are),
        cmocka_unit_test(what_json_demands_is_escaped),
        cmocka_unit_test(what_misleads_a_reader_is_escaped),
        cmocka_unit_test(every_byte_is_written_the_same_wherever_it_stands),
        cmocka_unit_test(one_byte_is_seen_in_texts_of_every_length),
        cmocka_unit_test(lone_surrogates_and_stray_bytes_are_not_lost),
        cmocka_unit_test(numbers_are_written_to_their_limits),
        cmocka_unit_test(a_list_of_texts_is_an_array_that_may_hold_nulls),
        cmocka_unit_test(the_writer_puts_commas_and_no_blanks),
        cmocka_unit_test(the_writer_indents_by_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
