/* A value that an image leaves out is what it was before: carried forward from the last image of the key that has it.
 *
 * The row is kept column by column while its records go by, so that asking for the row at each of them, in their order, costs what reading them costs: no
 * more for a key with a million of them, nor for rows with as many columns as there may be. */
#ifndef SW_FOLD_CARRY_H
#define SW_FOLD_CARRY_H

#include "fold/fold.h"

struct sw_carry_cell;

/* Zero-initialise; forget what it knows whenever records change places, or are others; free. */
struct sw_carry {
    struct sw_carry_cell *cells;        /* by column id */
    uint32_t cell_count;
    const struct sw_record *const *records;
    size_t next;                        /* the row is known as it was before this record's version */
    uint64_t row_stamp, own_stamp;      /* cells with these stamps hold a column of that row, of the image looked at */
    struct sw_buffer row;               /* const struct sw_column *: the columns of that row */
    const struct sw_record *at;         /* whose row was asked for */
    bool adds_to_row;                   /* its image is partial: columns that it lacks are those of the row before it */
    /* held against another image (sw_carry_hold_against): */
    const struct sw_fold_rules *rules;
    const struct sw_column_set *other;
    uint64_t other_stamp;
    size_t unequal_absent, unequal_row; /* columns that are not proven equal: of no row at all, and of the row before `next` */
    struct sw_buffer columns, values;   /* of the image made last */
};

void sw_carry_forget(struct sw_carry *carry);
/* Finds the row at records[at], which is not deleted: unavailable values, and with partial images the columns that it does not have, are those before it.
 * The records are those of one key in the order of the fold, one for each content of each version. What is known ends at a tombstone, at an image that is
 * not partial and lacks the column, and where one version has several contents: there the value stays unavailable. Each ask for a record that stands
 * before one that was asked for costs a walk back to where what is known begins; asks in order are for nothing.
 *
 * Returns false if memory ran out. */
bool sw_carry_to(struct sw_carry *carry, const struct sw_schema *schema, const struct sw_record *const *records, size_t at);
/* The value of a column in that row; false if the row does not have the column. */
bool sw_carry_value(struct sw_value *out, const struct sw_carry *carry, const struct sw_column *column);
/* Completes the image of records[at] with that row.
 *
 * Returns false if memory ran out.
 * Owner   the image's values are views into `carry`, until the next is made. */
bool sw_carry_forward(struct sw_draft_image *image, struct sw_carry *carry, struct sw_schema *schema, const struct sw_record *const *records, size_t at);
/* From now on rows are held against this image; forgets the records. False if memory ran out. */
bool sw_carry_hold_against(struct sw_carry *carry, const struct sw_fold_rules *rules, const struct sw_draft_image *image);
/* Would sw_compare_images find the row that was asked for last equal to that image in every column? */
bool sw_carry_equals(const struct sw_carry *carry);
void sw_carry_free(struct sw_carry *carry);

#endif
