/* Text on a terminal: measured, escaped and cut. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "report/width.h"

#define WIDTH(text) sw_text_width(sw_bytes_text(text))

static void wide_characters_take_two_columns_and_marks_none(void **state)
{
    (void)state;
    assert_int_equal(WIDTH(""), 0);
    assert_int_equal(WIDTH("abc"), 3);
    assert_int_equal(WIDTH("水位"), 4);
    assert_int_equal(WIDTH("ﾊﾝ"), 2);             /* half-width kana */
    assert_int_equal(WIDTH("Ａ"), 2);             /* full-width A */
    assert_int_equal(WIDTH("e\xCC\x81"), 1);       /* e and a combining acute */
    assert_int_equal(WIDTH("🌊"), 2);
    assert_int_equal(WIDTH("ä…≠·"), 4);
    assert_int_equal(WIDTH("한국"), 4);
    assert_int_equal(WIDTH("\xFF\xC0\x80"), 3);    /* stray bytes */
    assert_int_equal(WIDTH("\xE6\xB0"), 2);        /* a cut sequence */
}

static void shown_is(const char *text, bool unicode, const char *expected)
{
    struct sw_buffer out = {0};
    sw_text_show(&out, sw_bytes_text(text), unicode);
    assert_string_equal(sw_buffer_text(&out), expected);
    sw_buffer_free(&out);
}

static void what_hides_or_moves_the_cursor_is_escaped(void **state)
{
    (void)state;
    shown_is("plain \"text\"", true, "plain \"text\"");
    shown_is("a\x1b[31m\n\t\x7F", true, "a\\u001b[31m\\u000a\\u0009\\u007f");
    shown_is("a\xC2\xA0" "b", true, "a\\u00a0b");              /* no-break space */
    shown_is("a\xE3\x80\x80" "b", true, "a\\u3000b");          /* ideographic space */
    shown_is("a\xE2\x80\x8B" "b", true, "a\\u200bb");          /* zero-width space */
    shown_is("a\xE2\x80\xAE" "b", true, "a\\u202eb");          /* right-to-left override */
    shown_is("a\xC2\x9B" "b", true, "a\\u009bb");              /* C1 control */
    shown_is("\xF3\xA0\x81\x81", true, "\\udb40\\udc41");       /* a tag character */
    shown_is("\xFF" "a\xED\xA0\x80", true, "\\udcffa\\udced\\udca0\\udc80");
    shown_is("水位 ä", true, "水位 ä");
    shown_is("水 ä 🌊", false, "\\u6c34 \\u00e4 \\ud83c\\udf0a");
    shown_is("e\xCC\x81\xCC\x81\xCC\x81\xCC\x81x", true, "e\xCC\x81\xCC\x81\\u0301\\u0301x");
}

static void fitted_is(const char *text, size_t columns, size_t focus, bool unicode, const char *expected)
{
    struct sw_buffer out = {0};
    sw_text_fit(&out, sw_bytes_text(text), columns, focus, unicode);
    assert_string_equal(sw_buffer_text(&out), expected);
    sw_buffer_free(&out);
}

static void text_that_fits_stays_and_longer_text_is_cut_in_the_middle(void **state)
{
    (void)state;
    fitted_is("0123456789", 10, SW_FIT_ANYWHERE, true, "0123456789");
    fitted_is("abcdefghijklmnopqrstuvwxyz", 20, SW_FIT_ANYWHERE, true, "abcdefghij…12 B…wxyz");
    fitted_is("abcdefghijklmnopqrstuvwxyz", 20, SW_FIT_ANYWHERE, false, "abcdefg...16 B...xyz");
    fitted_is("abcdefghij", 4, SW_FIT_ANYWHERE, true, "abc…");
    fitted_is("abcdefghij", 4, SW_FIT_ANYWHERE, false, "a...");
    fitted_is("abcdefghij", 1, SW_FIT_ANYWHERE, true, "…");
    fitted_is("abcdefghij", 1, SW_FIT_ANYWHERE, false, ".");
}

static void the_first_difference_stays_in_sight(void **state)
{
    (void)state;
    char a[400], b[400];
    for (size_t at = 1; at < 390; at += 7) {
        memset(a, 'a', sizeof a);
        memset(b, 'a', sizeof b);
        a[sizeof a - 1] = b[sizeof b - 1] = '\0';
        b[at] = 'X';
        size_t focus = sw_text_first_difference(sw_bytes_text(a), sw_bytes_text(b));
        assert_int_equal(focus, at);
        for (size_t columns = 20; columns < 60; columns += 3) {
            struct sw_buffer out = {0};
            sw_text_fit(&out, sw_bytes_text(b), columns, focus, true);
            assert_non_null(strchr(sw_buffer_text(&out), 'X'));
            sw_buffer_free(&out);
        }
    }
    assert_int_equal(sw_text_first_difference(sw_bytes_text("abc"), sw_bytes_text("ab")), 2);
    assert_true(sw_text_first_difference(sw_bytes_text("ab"), sw_bytes_text("ab")) == SW_FIT_ANYWHERE);
}

/* Texts of plain, wide, combining, escaped and stray pieces: whatever is asked, the columns are kept. */
static void no_text_ever_takes_more_columns_than_it_was_given(void **state)
{
    (void)state;
    static const char *const pieces[] = {"a", "水", "e\xCC\x81", "\\u00a0", "\\n", "\\\\", "🌊", "\xFF", "\\", "\"", "\xE6\xB0", " "};
    uint32_t random = 12345;
    for (int round = 0; round < 3000; round++) {
        struct sw_buffer text = {0}, out = {0};
        for (unsigned count = round % 90; count; count--) {
            random = random * 1664525 + 1013904223;
            sw_buffer_add_text(&text, pieces[(random >> 16) % (sizeof pieces / sizeof pieces[0])]);
        }
        random = random * 1664525 + 1013904223;
        size_t columns = 1 + (random >> 16) % 70, focus = round % 3 && text.len ? (random >> 8) % text.len : SW_FIT_ANYWHERE;
        sw_text_fit(&out, sw_buffer_view(&text), columns, focus, round & 1);
        assert_true(sw_text_width(sw_buffer_view(&out)) <= columns);
        if (sw_text_width(sw_buffer_view(&text)) <= columns)
            assert_true(sw_bytes_equal(sw_buffer_view(&text), sw_buffer_view(&out)));
        sw_buffer_free(&text);
        sw_buffer_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wide_characters_take_two_columns_and_marks_none),
        cmocka_unit_test(what_hides_or_moves_the_cursor_is_escaped),
        cmocka_unit_test(text_that_fits_stays_and_longer_text_is_cut_in_the_middle),
        cmocka_unit_test(the_first_difference_stays_in_sight),
        cmocka_unit_test(no_text_ever_takes_more_columns_than_it_was_given),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
