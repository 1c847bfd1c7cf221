/* Writing HTML: text so that it is text, whatever it holds. */
#ifndef SW_TEXT_HTML_WRITE_H
#define SW_TEXT_HTML_WRITE_H

#include "base/buffer.h"

/* Appends `text` with the five characters that are markup written as references: & < > " '. What comes out can neither open an element nor end
 * a quoted attribute. UTF-8 stays as it is; bytes that are none stay too, so show them first (sw_text_show) where they may occur. */
void sw_html_write_text(struct sw_buffer *out, struct sw_bytes text);

#endif
