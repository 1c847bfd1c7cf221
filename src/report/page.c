#include "report/page.h"

#include "report/width.h"

void sw_page_ink(const struct sw_page *page, enum sw_ink ink)
{
    static const char *const codes[] = {
        [SW_INK_PLAIN] = "\x1b[0m", [SW_INK_GOOD] = "\x1b[1;32m", [SW_INK_BAD] = "\x1b[1;31m", [SW_INK_WARNING] = "\x1b[1;33m", [SW_INK_BOLD] = "\x1b[1m", [SW_INK_FAINT] = "\x1b[2m"};
    if (page->color)
        sw_buffer_add_text(page->out, codes[ink]);
}

void sw_page_blanks(const struct sw_page *page, size_t count)
{
    for (size_t i = 0; i < count; i++)
        sw_buffer_add_byte(page->out, ' ');
}

void sw_page_title(const struct sw_page *page, const char *title)
{
    sw_buffer_add_byte(page->out, '\n');
    sw_page_ink(page, SW_INK_BOLD);
    sw_buffer_add_text(page->out, title);
    sw_page_ink(page, SW_INK_PLAIN);
    sw_buffer_add_byte(page->out, '\n');
}

void sw_page_wrap(const struct sw_page *page, size_t column, size_t indent, const char *text)
{
    struct sw_buffer shown = {0}, word = {0};
    sw_text_show(&shown, sw_bytes_text(text), page->unicode);
    struct sw_bytes rest = sw_buffer_view(&shown);
    bool first = true;
    while (rest.len) {
        const uint8_t *blank = memchr(rest.at, ' ', rest.len);
        size_t len = blank ? (size_t)(blank - rest.at) : rest.len;
        sw_buffer_clear(&word);
        sw_text_fit(&word, sw_bytes_of(rest.at, len), page->width - indent, SW_FIT_ANYWHERE, page->unicode);
        size_t width = sw_text_width(sw_buffer_view(&word));
        if (width) {
            if (!first && column + 1 + width > page->width) {
                sw_buffer_add_byte(page->out, '\n');
                sw_page_blanks(page, indent);
                column = indent;
            } else if (!first) {
                sw_buffer_add_byte(page->out, ' ');
                column++;
            }
            sw_buffer_add_bytes(page->out, sw_buffer_view(&word));
            column += width;
            first = false;
        }
        rest = sw_bytes_of(rest.at + len + (blank ? 1 : 0), rest.len - len - (blank ? 1 : 0));
    }
    sw_buffer_add_byte(page->out, '\n');
    page->out->failed |= shown.failed || word.failed;
    sw_buffer_free(&shown);
    sw_buffer_free(&word);
}

void sw_page_cell(const struct sw_page *page, struct sw_bytes text, size_t columns, size_t focus, bool fill)
{
    size_t start = page->out->len;
    sw_text_fit(page->out, text, columns, focus, page->unicode);
    size_t width = sw_text_width(sw_bytes_of(page->out->at + start, page->out->len - start));
    if (fill && width < columns)
        sw_page_blanks(page, columns - width);
}
