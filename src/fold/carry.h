/* A value that an image leaves out is what it was before: carried forward from the last image of the key that has it. */
#ifndef SW_FOLD_CARRY_H
#define SW_FOLD_CARRY_H

#include "fold/fold.h"

/* Zero-initialise; holds the values of one image that was carried forward, until it is used for the next. */
struct sw_carry {
    struct sw_buffer values, columns;
};

/* Completes the image of records[at], which is not deleted: unavailable values, and with partial images the columns that it does not have. The
 * records are those of one key in the order of the fold, one for each content of each version. What is known ends at a tombstone, at an
 * image that is not partial and lacks the column, and where one version has several contents: there the value stays unavailable.
 *
 * Returns false if memory ran out.
 * Owner   the image's values are views into `carry`. */
bool sw_carry_forward(struct sw_draft_image *image, struct sw_carry *carry, struct sw_schema *schema, const struct sw_record *const *records, size_t at);
void sw_carry_free(struct sw_carry *carry);

#endif
