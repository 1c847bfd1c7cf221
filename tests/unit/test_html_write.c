#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "text/html_write.h"

static void assert_written(const char *text, size_t len, const char *expected)
{
    struct sw_buffer out = {0};
    sw_html_write_text(&out, sw_bytes_of(text, len));
    assert_string_equal(sw_buffer_text(&out), expected);
    sw_buffer_free(&out);
}

static void the_five_characters_that_are_markup_become_references(void **state)
{
    (void)state;
    assert_written("<a href=\"x\" title='y'>&amp;</a>", 31, "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;");
    assert_written("<", 1, "&lt;");
    assert_written("a<", 2, "a&lt;");
}

static void all_other_text_stands_as_it_is(void **state)
{
    (void)state;
    assert_written("", 0, "");
    assert_written("n\xc3\xa4h \xe6\xbd\xae = 1; x/y", 17, "n\xc3\xa4h \xe6\xbd\xae = 1; x/y");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_five_characters_that_are_markup_become_references),
        cmocka_unit_test(all_other_text_stands_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
