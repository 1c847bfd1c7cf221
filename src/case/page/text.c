/* Texts, counts and lists of the page. */
#include "case/page/page.h"

#include <stdarg.h>
#include <stdio.h>

#include "report/width.h"
#include "text/html_write.h"

#define VALUE_CUT 240u                    /* of a value: shown at once */
#define VALUE_MAX ((size_t)64 << 10)      /* of a value: shown at all */

void sw_page_add(struct sw_page *page, const char *markup)
{
    sw_buffer_add_text(&page->output.buffer, markup);
    sw_output_relieve(&page->output);
}

void sw_page_printf(struct sw_page *page, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int len = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (len < 0 || (size_t)len >= sizeof text)
        page->output.buffer.failed = true;
    else
        sw_page_add(page, text);
}

void sw_page_text(struct sw_page *page, struct sw_bytes text)
{
    sw_buffer_clear(&page->shown);
    sw_text_show(&page->shown, text, true);
    sw_html_write_text(&page->output.buffer, sw_buffer_view(&page->shown));
    page->output.buffer.failed |= page->shown.failed;
    sw_output_relieve(&page->output);
}

void sw_page_string(struct sw_page *page, const char *text) { sw_page_text(page, sw_bytes_text(text)); }

void sw_page_text_or(struct sw_page *page, struct sw_bytes text, const char *none)
{
    if (text.len)
        sw_page_text(page, text);
    else
        sw_page_printf(page, "<span class=\"none\">%s</span>", none);
}

/* The largest prefix of at most `len` bytes that ends between two characters. */
static struct sw_bytes prefix(struct sw_bytes text, size_t len)
{
    if (text.len <= len)
        return text;
    while (len && (text.at[len] & 0xc0) == 0x80)
        len--;
    return sw_bytes_of(text.at, len);
}

void sw_page_value(struct sw_page *page, struct sw_bytes text)
{
    if (text.len <= VALUE_CUT) {
        sw_page_add(page, "<code>");
        sw_page_text(page, text);
        sw_page_add(page, "</code>");
        return;
    }
    sw_page_add(page, "<details class=\"long\"><summary><code>");
    sw_page_text(page, prefix(text, VALUE_CUT / 2));
    sw_page_add(page, "\xe2\x80\xa6</code> <span class=\"none\">");
    sw_page_count(page, text.len);
    sw_page_add(page, " bytes</span></summary><code>");
    sw_page_text(page, prefix(text, VALUE_MAX));
    sw_page_add(page, "</code>");
    if (text.len > VALUE_MAX) {
        sw_page_add(page, " <span class=\"none\">only the first ");
        sw_page_count(page, VALUE_MAX);
        sw_page_add(page, " bytes stand here</span>");
    }
    sw_page_add(page, "</details>");
}

void sw_page_count(struct sw_page *page, uint64_t count)
{
    char digits[32], grouped[48];
    int len = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    size_t to = 0;
    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0)
            grouped[to++] = ',';
        grouped[to++] = digits[i];
    }
    grouped[to] = 0;
    sw_page_add(page, grouped);
}

void sw_page_time(struct sw_page *page, struct sw_bytes time, const char *none)
{
    if (!time.len) {
        sw_page_text_or(page, time, none);
        return;
    }
    sw_page_add(page, "<time>");
    sw_page_text(page, time);
    sw_page_add(page, "</time>");
}

void sw_page_entries(struct sw_page *page, const struct sw_note_entries *entries)
{
    for (size_t i = 0; i < entries->count; i++) {
        unsigned long long number = entries->at[i];
        sw_page_printf(page, "%s<a href=\"#e%llu\">%s%llu</a>", i ? ", " : "", number, i ? "" : "evidence ", number);
    }
}

static void write_items(struct sw_page *page, const struct sw_note_texts *texts, size_t from, size_t to)
{
    sw_page_add(page, "<ul>\n");
    for (size_t i = from; i < to; i++) {
        sw_page_add(page, "<li>");
        sw_page_text(page, texts->at[i]);
        sw_page_add(page, "</li>\n");
    }
    sw_page_add(page, "</ul>\n");
}

void sw_page_list(struct sw_page *page, const struct sw_note_texts *texts, size_t open, const char *none)
{
    if (!texts->count) {
        sw_page_printf(page, "<p class=\"none\">%s</p>\n", none);
        return;
    }
    open = texts->count <= open + 1 ? texts->count : open; /* one alone is not worth a click */
    write_items(page, texts, 0, open);
    if (open < texts->count) {
        sw_page_printf(page, "<details><summary>%zu more</summary>\n", texts->count - open);
        write_items(page, texts, open, texts->count);
        sw_page_add(page, "</details>\n");
    }
}

void sw_page_term(struct sw_page *page, const char *term, struct sw_bytes text, const char *none)
{
    sw_page_printf(page, "<dt>%s</dt><dd>", term);
    sw_page_text_or(page, text, none);
    sw_page_add(page, "</dd>\n");
}
