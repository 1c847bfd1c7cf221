/* What a container (an Avro file) says of the fields of its records, by their names from the outside in: the types of columns
 * that nobody has to declare. Read-only once it is made. */
#ifndef SW_MODEL_FIELD_TREE_H
#define SW_MODEL_FIELD_TREE_H

#include "model/type.h"

#define SW_FIELD_NONE UINT32_MAX

struct sw_field {
    struct sw_bytes name;          /* slices of the tree's names */
    uint32_t first_child, next;    /* SW_FIELD_NONE: none */
    bool has_type;
    struct sw_type type;
};

struct sw_field_tree {
    struct sw_field *fields;       /* [0] is the record itself */
    uint32_t count, capacity;
    struct sw_buffer names;        /* offsets until sw_field_tree_settle: then names are slices of it */
};

/* Adds a field under `parent` (SW_FIELD_NONE for the record itself, which comes first), in front of its siblings. Its index, or SW_FIELD_NONE if memory ran out. */
uint32_t sw_field_tree_add(struct sw_field_tree *tree, uint32_t parent, struct sw_bytes name, const struct sw_type *type);
/* Names are final: call it once, after the last field. */
void sw_field_tree_settle(struct sw_field_tree *tree);
/* The field of that name under `parent`, or SW_FIELD_NONE; also if `tree` is NULL or `parent` is SW_FIELD_NONE. */
uint32_t sw_field_tree_find(const struct sw_field_tree *tree, uint32_t parent, struct sw_bytes name);
bool sw_field_tree_equal(const struct sw_field_tree *a, const struct sw_field_tree *b);
/* Accepts NULL. */
void sw_field_tree_free(struct sw_field_tree **tree);

#endif
