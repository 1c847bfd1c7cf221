/* Text on a terminal: how many columns it takes, and how a value is made fit to be looked at.
 *
 * The C library's wcwidth depends on the locale of the process, which a library must not set; hence a table of our own. */
#ifndef SW_REPORT_WIDTH_H
#define SW_REPORT_WIDTH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"

/* Columns that UTF-8 text takes: East Asian wide characters two, combining marks none. Bytes that are not UTF-8 count one each. */
size_t sw_text_width(struct sw_bytes text);

/* Appends JSON text for a person to look at: what hides, looks like a blank or moves the cursor is escaped as JSON would (\u00a0), so
 * are stray bytes and the third and later combining mark in a row. Without `unicode` everything beyond ASCII is escaped. */
void sw_text_show(struct sw_buffer *out, struct sw_bytes text, bool unicode);

/* Is there a combining mark in shown text (é is one character or two), or the replacement character, which stands for any? Then a person cannot tell it from another by looking. */
bool sw_text_looks_like_another(struct sw_bytes text);

#define SW_FIT_ANYWHERE SIZE_MAX
/* Appends shown text, cut to at most `columns` (at least 1). What is left out is said in bytes, `"abc…812 B…xyz"`; an escape is never cut.
 * `focus` is a byte of the text that must stay visible, such as the first that differs from another text; SW_FIT_ANYWHERE: head and tail stay. */
void sw_text_fit(struct sw_buffer *out, struct sw_bytes text, size_t columns, size_t focus, bool unicode);

/* The first byte at which two texts differ; SW_FIT_ANYWHERE if they do not. */
size_t sw_text_first_difference(struct sw_bytes a, struct sw_bytes b);

#endif
