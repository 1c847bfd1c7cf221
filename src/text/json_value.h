/* JSON values, one at a time, by RFC 8259: what every reader of JSON here is built from. */
#ifndef SW_TEXT_JSON_VALUE_H
#define SW_TEXT_JSON_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "text/json_unescape.h"
#include "text/kernel.h"
#include "text/token.h"

#define SW_JSON_DEPTH_MAX 512

/* Why a value could not be read. `at` is where. */
struct sw_json_problem {
    const uint8_t *at;
    const char *text;      /* static; lower case */
    bool no_memory;        /* the record may be sound: memory ran out while it was read */
};

/* Room for checking duplicate names in nested objects: zero-initialise, reuse, sw_json_scratch_free. One per thread. */
struct sw_json_scratch {
    struct sw_buffer names;   /* a stack of struct sw_json_name: the open objects' members */
    struct sw_buffer text;
};
void sw_json_scratch_free(struct sw_json_scratch *scratch);

/* A member name: where its unescaped text stands in some buffer. */
struct sw_json_name {
    uint32_t at, len;
};
/* Are two of the names equal? May reorder `names`. Never quadratic. */
bool sw_json_has_duplicate(struct sw_json_name *names, size_t count, const uint8_t *text);

/* Space, tab, line feed and carriage return. */
static inline const uint8_t *sw_json_skip_space(const uint8_t *at, const uint8_t *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
        at++;
    return at;
}

/* Reads one value of any kind that starts at `at` (no space before it). Gives the byte after it, or NULL with `problem` filled.
 * Arrays and objects become one token; their inside is checked: syntax, depth (`depth` levels are open already), duplicate names. */
const uint8_t *sw_json_read_value(struct sw_token *out, const uint8_t *at, const uint8_t *end, unsigned depth, const struct sw_kernel *kernel,
                             struct sw_json_scratch *scratch, struct sw_json_problem *problem);

/* Appends the text of a JSON string's inside to a buffer; its escapes were checked when its token was read. */
static inline void sw_json_unescape_add(struct sw_buffer *out, struct sw_bytes inside)
{
    size_t len;
    if (sw_buffer_reserve(out, inside.len) && sw_json_unescape(out->at + out->len, &len, inside))
        out->len += len;
}

/* Number by JSON's grammar at `at`: the byte after it, or NULL. */
const uint8_t *sw_json_number_end(const uint8_t *at, const uint8_t *end);
/* String whose opening quote is at `at`: the byte after the closing quote, or NULL with `problem`; sets *escaped. */
const uint8_t *sw_json_read_string(bool *escaped, const uint8_t *at, const uint8_t *end, const struct sw_kernel *kernel, struct sw_json_problem *problem);

#endif
