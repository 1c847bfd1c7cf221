/* Tables, columns and column sets of a run: names are interned once, records carry small ids.
 *
 * Ids are given in the order of arrival, so they differ from run to run: nothing that is printed or sorted
 * may depend on them. Entries never move and never change once given out; they live as long as the schema.
 * Interning takes a lock (readers cache what they found); looking an id up takes none. */
#ifndef SW_MODEL_SCHEMA_H
#define SW_MODEL_SCHEMA_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "model/type.h"
#include "model/varint.h"

#ifdef SW_FUZZING /* small: a run begins sooner, and what happens at the limits is reached */
#define SW_SCHEMA_COLUMNS_MAX 256u
#define SW_SCHEMA_SETS_MAX 64u
#define SW_SCHEMA_TABLES_MAX 32u
#else
#define SW_SCHEMA_COLUMNS_MAX 65536u
#define SW_SCHEMA_SETS_MAX 65536u
#define SW_SCHEMA_TABLES_MAX 4096u
#endif

struct sw_column {
    struct sw_bytes name;
    uint32_t id;
    uint32_t table;
    struct sw_type type;
    bool declared;     /* the type was declared, not the format's default */
    bool ignored;      /* read, never compared */
};

/* The columns that one image has, sorted by name. Two images have the same set if and only if they have the same set id. */
struct sw_column_set {
    uint32_t id;
    uint32_t count;
    const struct sw_column *const *columns;
};

struct sw_table {
    struct sw_bytes name;          /* empty: the only, unnamed table */
    uint32_t id;
    uint32_t key_count;
    const struct sw_column *const *keys;  /* the key columns in key order; a single column with an empty name prints as a bare value */
};

struct sw_schema;

struct sw_schema *sw_schema_new(void);
void sw_schema_free(struct sw_schema **schema);

/* The table of that name, made with the given key columns if it is new (`keys` name and type them). NULL if memory ran out or the limit is reached. */
struct sw_key_declaration { struct sw_bytes name; struct sw_type type; bool declared; };
const struct sw_table *sw_schema_table(struct sw_schema *schema, struct sw_bytes name, const struct sw_key_declaration *keys, uint32_t key_count);
/* The column of that name in a table, made with `type` if it is new; an existing column keeps its type. */
const struct sw_column *sw_schema_column(struct sw_schema *schema, uint32_t table, struct sw_bytes name, const struct sw_type *type, bool declared, bool ignored);
/* The set of these columns (any order, no column twice). */
const struct sw_column_set *sw_schema_set(struct sw_schema *schema, const struct sw_column *const *columns, uint32_t count);

/* Why one of the three above gave NULL: SW_ERR_LIMIT, or SW_ERR_MEMORY. */
enum sw_code sw_schema_no_table(const struct sw_schema *schema, struct sw_error *error);
enum sw_code sw_schema_no_column(const struct sw_schema *schema, struct sw_error *error);
enum sw_code sw_schema_no_set(const struct sw_schema *schema, struct sw_error *error);

const struct sw_table *sw_schema_table_at(const struct sw_schema *schema, uint32_t id);
const struct sw_column *sw_schema_column_at(const struct sw_schema *schema, uint32_t id);
const struct sw_column_set *sw_schema_set_at(const struct sw_schema *schema, uint32_t id);
uint32_t sw_schema_table_count(const struct sw_schema *schema);
uint32_t sw_schema_column_count(const struct sw_schema *schema);
uint32_t sw_schema_set_count(const struct sw_schema *schema);

/* An image's values: for each column of its set, in the set's order, a varint head and the canonical bytes.
 * Head: 0 null, 1 unavailable, 2 unknown (a bad value), n >= 3: n - 3 canonical bytes follow. */
enum sw_value_state { SW_STATE_NULL, SW_STATE_UNAVAILABLE, SW_STATE_UNKNOWN, SW_STATE_VALUE };

struct sw_value {
    enum sw_value_state state;
    struct sw_bytes canonical;   /* SW_STATE_VALUE only */
};

/* Takes the next value from the front of `values`. The bytes come from this process, so their form is asserted, not checked. */
static inline struct sw_value sw_value_next(struct sw_bytes *values)
{
    const uint8_t *at = values->at, *end = at + values->len;
    uint64_t head = sw_varint_get(&at);
    struct sw_value value = {.state = head < SW_STATE_VALUE ? (enum sw_value_state)head : SW_STATE_VALUE};
    if (head >= SW_STATE_VALUE) {
        value.canonical = sw_bytes_of(at, head - SW_STATE_VALUE);
        at += head - SW_STATE_VALUE;
    }
    assert(at <= end);
    *values = sw_bytes_of(at, (size_t)(end - at));
    return value;
}
void sw_value_append(struct sw_buffer *values, struct sw_value value);

/* Appends a key (the order-preserving encoding of all key columns of `table`) as JSON: a bare value for a single unnamed column, else an object. */
void sw_key_write_json(struct sw_buffer *out, const struct sw_table *table, struct sw_bytes key);

#endif
