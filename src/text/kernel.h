/* Scan kernels: the innermost loops of reading, one set for each instruction set, chosen when a run starts.
 *
 * "scalar" is plain C and the reference: every other kernel must give the same answers on the same bytes, which
 * tests check by cutting inputs at every byte. All functions may read up to 64 bytes past `end` (blocks are
 * padded), but never decide on those bytes. */
#ifndef SW_TEXT_KERNEL_H
#define SW_TEXT_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/token.h"

struct sw_json_template;
struct sw_json_scratch;

struct sw_kernel {
    const char *name;
    /* Can this machine run it? */
    bool (*supported)(void);
    /* The first byte at or after `at` that ends plain string text: '"', '\\' or a control character; `end` if there is none. */
    const uint8_t *(*string_end)(const uint8_t *at, const uint8_t *end);
    /* Is every byte below 0x80? */
    bool (*is_ascii)(const uint8_t *at, const uint8_t *end);
    /* Matches a record against a template and fills its tokens. The byte after the record's last brace, or NULL where it does not match.
     * Arrays, and objects at the depth limit, are read with `scratch`; without one (NULL) they match only if they are what they were when the template was learned. */
    const uint8_t *(*json_match)(struct sw_token *tokens, const struct sw_json_template *template, const uint8_t *at, const uint8_t *end, struct sw_json_scratch *scratch);
    /* The same with the usual form of the template, which it must have. */
    const uint8_t *(*json_match_usual)(struct sw_token *tokens, const struct sw_json_template *template, const uint8_t *at, const uint8_t *end, struct sw_json_scratch *scratch);
    /* The first byte that ends a plain CSV field: `delimiter`, '\n', '\r' or '"'; `end` if there is none. */
    const uint8_t *(*csv_end)(const uint8_t *at, const uint8_t *end, uint8_t delimiter);
};

/* The kernel of that name, or the best that this machine runs if `name` is NULL. NULL if there is no such kernel or the machine cannot run it. */
const struct sw_kernel *sw_kernel_find(const char *name);
/* All of this build, the reference first, NULL-terminated. */
const struct sw_kernel *const *sw_kernels(void);

#endif
