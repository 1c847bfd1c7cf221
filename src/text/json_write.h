/* Writing JSON: text with everything escaped that could mislead a terminal or a reader, and a small streaming writer.
 *
 * Output goes to a growing buffer; a buffer that could not grow remembers it (`failed`), so a writer checks once, at
 * its end. Nothing here allocates but the buffer itself. One thread at a time for a buffer.
 *
 *     struct sw_json_writer json = {.out = &buffer, .indented = true};
 *     sw_json_begin_object(&json);
 *     sw_json_name(&json, "keys");
 *     sw_json_u64(&json, 3);
 *     sw_json_end_object(&json);
 */
#ifndef SW_TEXT_JSON_WRITE_H
#define SW_TEXT_JSON_WRITE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"

/* Appends `text` as a JSON string, quotes included. Besides what JSON itself demands (quote, backslash, U+0000 to U+001F) these
 * are escaped, since they hide or reorder what a person sees: DEL, U+0080 to U+009F, U+061C, U+200B to U+200F, U+2028 to U+202E,
 * U+2060 to U+206F, U+FEFF, U+FFF9 to U+FFFB and U+E0000 to U+E007F. The rest of UTF-8 stands as it is.
 * Bytes that are not UTF-8 are not lost: a surrogate in its three-byte form (ED A0 80 to ED BF BF, the way a lone \udXXX of an
 * input is kept) becomes \udXXX again, and any other stray byte XX becomes \udcXX, as Python's `surrogateescape` has it. */
void sw_json_write_text(struct sw_buffer *out, struct sw_bytes text);
/* The same if every byte stands as it is; else false, and nothing is written. Bytes below 0x20 never do. */
bool sw_json_write_plain_text(struct sw_buffer *out, struct sw_bytes text);
/* The first without the quotes around it. */
void sw_json_write_text_inside(struct sw_buffer *out, struct sw_bytes text);

void sw_json_write_number_u64(struct sw_buffer *out, uint64_t number);
void sw_json_write_number_i64(struct sw_buffer *out, int64_t number);

#define SW_JSON_WRITER_DEPTH_MAX 63

/* A document being written. Set `out` and `indented`, zero the rest. Commas, line breaks and, when `indented`, two blanks a
 * level are the writer's business; an empty container stays on its line. Not indented means no white space at all. */
struct sw_json_writer {
    struct sw_buffer *out;
    bool indented;
    bool after_name;         /* a member's name stands; its value comes next */
    uint8_t depth;           /* open containers; at most SW_JSON_WRITER_DEPTH_MAX (asserted) */
    uint64_t has_items;      /* bit d: the container at depth d has an item */
};

void sw_json_begin_object(struct sw_json_writer *json);
void sw_json_end_object(struct sw_json_writer *json);
void sw_json_begin_array(struct sw_json_writer *json);
void sw_json_end_array(struct sw_json_writer *json);

/* The name of the next member. Names are not checked for repeats. */
void sw_json_name(struct sw_json_writer *json, const char *name);
void sw_json_name_bytes(struct sw_json_writer *json, struct sw_bytes name);

/* One value: after sw_json_name in an object, else the next item of an array, or the document itself. */
void sw_json_text(struct sw_json_writer *json, struct sw_bytes text);
void sw_json_string(struct sw_json_writer *json, const char *text);   /* NULL writes null */
void sw_json_u64(struct sw_json_writer *json, uint64_t number);
void sw_json_i64(struct sw_json_writer *json, int64_t number);
void sw_json_boolean(struct sw_json_writer *json, bool value);
void sw_json_null(struct sw_json_writer *json);
/* Writes the comma and line break that a value needs; the caller then appends one JSON value to `json->out` itself. */
void sw_json_value(struct sw_json_writer *json);

/* Name and value in one call. */
void sw_json_member_text(struct sw_json_writer *json, const char *name, struct sw_bytes text);
void sw_json_member_string(struct sw_json_writer *json, const char *name, const char *text);
void sw_json_member_u64(struct sw_json_writer *json, const char *name, uint64_t number);
void sw_json_member_boolean(struct sw_json_writer *json, const char *name, bool value);
void sw_json_member_strings(struct sw_json_writer *json, const char *name, char *const *texts, uint32_t count); /* an array; a NULL in it writes null */

#endif
