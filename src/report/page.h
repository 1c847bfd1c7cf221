/* A page of the summary: lines that fit a terminal. */
#ifndef SW_REPORT_PAGE_H
#define SW_REPORT_PAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "report/report.h"

#define SW_PAGE_WIDTH_MIN 40u
#define SW_PAGE_WIDTH_MAX 1000u

enum sw_ink { SW_INK_PLAIN, SW_INK_GOOD, SW_INK_BAD, SW_INK_WARNING, SW_INK_BOLD, SW_INK_FAINT };

struct sw_page {
    struct sw_buffer *out;
    bool color, unicode;
    size_t width;
};

/* Colour repeats what the words say and is the only difference it makes. */
void sw_page_ink(const struct sw_page *page, enum sw_ink ink);
void sw_page_blanks(const struct sw_page *page, size_t count);
/* A section's title on a line of its own, after an empty line. */
void sw_page_title(const struct sw_page *page, const char *title);
/* Text in lines between `indent` and the page's width. The first line starts where the writer stands, at `column`. Ends the last line.
 * Words wider than a line are cut at its end. */
void sw_page_wrap(const struct sw_page *page, size_t column, size_t indent, const char *text);
/* Text as it is shown, cut in the middle to `columns` and filled up with blanks if `fill`. */
void sw_page_cell(const struct sw_page *page, struct sw_bytes text, size_t columns, size_t focus, bool fill);

/* One finding, both rows beside each other: `number` counts from 1. */
void sw_page_finding(const struct sw_page *page, const struct sw_report *report, const struct sw_finding *finding, unsigned number);

#endif
