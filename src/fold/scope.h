/* Which keys of a run are compared: a sample of them, a condition, or both.
 *
 * A sample is decided by a hash of table and key alone, so that all roles and all runs take the same keys. A condition is decided once a key, on the
 * row that was proven and on the row that the reference has, never on single records: a key is inside if either row satisfies it. What key columns
 * alone decide is decided by them. A column that is not in evidence could hold anything: if that decides, the key is inside, and counted as open.
 *
 * Truth is three-valued as in SQL: a comparison with NULL is neither true nor false, and only what is true satisfies. Under a type, values compare by
 * their canonical bytes; a bare value (`any`) of another kind than the literal is not equal to it, and is neither before nor behind it. */
#ifndef SW_FOLD_SCOPE_H
#define SW_FOLD_SCOPE_H

#include "mapping/condition.h"
#include "model/schema.h"

struct sw_draft_image; /* fold/fold.h */

#define SW_SCOPE_CONDITIONS_MAX 2u /* the declared scope, and --where */

/* What is declared. Borrowed while the scope lives. */
struct sw_scope_declaration {
    struct sw_sample_part sample;                                     /* denominator 0: every key */
    const struct sw_condition *conditions[SW_SCOPE_CONDITIONS_MAX];   /* all have to hold; NULL: none */
    bool absent_is_null;                                              /* a column that a row lacks is NULL there */
};

struct sw_scope;

/* Room for one thread. Zero-initialise; sw_scope_room_free. */
struct sw_scope_room {
    struct sw_buffer key;                             /* canonical values of key columns */
    struct sw_value values[SW_CONDITION_COLUMNS_MAX]; /* by column of a condition; UNKNOWN: could be anything */
    uint8_t truths[SW_CONDITION_NODES_MAX];           /* by node: which truths are possible */
};
void sw_scope_room_free(struct sw_scope_room *room);

enum sw_scope_place {
    SW_SCOPE_INSIDE,
    SW_SCOPE_OUTSIDE,
    SW_SCOPE_OPEN,      /* of rows: a value that decides is not in evidence. Of a key: its rows decide */
    SW_SCOPE_NO_MEMORY
};

/* Resolves a declaration against the tables and columns of a run, once all is read. `schema`, `in_evidence` and `in_reference` (by column id) are borrowed.
 * SW_ERR_USAGE for a column that no table has and for a literal that is no value of its column's type; SW_ERR_MEMORY. */
enum sw_code sw_scope_new(struct sw_scope **out, const struct sw_scope_declaration *declaration, const struct sw_schema *schema, const uint8_t *in_evidence, const uint8_t *in_reference, struct sw_error *error);
void sw_scope_free(struct sw_scope **scope);

/* What the key alone decides. Thread-safe, one room each, as are the others. */
enum sw_scope_place sw_scope_of_key(const struct sw_scope *scope, struct sw_scope_room *room, uint32_t table, struct sw_bytes key);
/* What the two rows decide, after sw_scope_of_key left it to them. A row that is not present, or that is deleted, satisfies nothing; with `tombstones` a deleted row is
 * a row whose values are not in evidence. */
enum sw_scope_place sw_scope_of_rows(const struct sw_scope *scope, struct sw_scope_room *room, uint32_t table, struct sw_bytes key, const struct sw_draft_image *state, const struct sw_draft_image *expected,
                                     bool tombstones);

/* Is the key of the part? Of a part with denominator 0 every key is. `table` is the table's name. */
bool sw_scope_takes(const struct sw_sample_part *part, struct sw_bytes table, struct sw_bytes key);

/* The first column without a type that is held against a number while roles of `csv` (a bit each) have it, whose fields are text; empty: none. */
struct sw_bytes sw_scope_untyped(const struct sw_scope *scope, unsigned csv);

#endif
