/* Which types the values look like that say what they are: for a message, never for a result. */
#ifndef SW_RECONCILE_TYPE_HINTS_H
#define SW_RECONCILE_TYPE_HINTS_H

#include "reconcile/run.h"

#define SW_HINT_KEYS_MAX 16u

/* What was seen of a column, as bits. */
enum sw_type_hint { SW_HINT_INTEGER = 1, SW_HINT_DECIMAL = 2, SW_HINT_BOOLEAN = 4, SW_HINT_TEXT = 8, SW_HINT_TIME = 16, SW_HINT_ZONED = 32, SW_HINT_NESTED = 64 };

struct sw_type_hints {
    uint8_t *columns; uint32_t column_count;  /* by column id */
    uint8_t *keys; uint32_t table_count;      /* by table id and number of the key column: [SW_HINT_KEYS_MAX] each */
};

/* Looks at the records, up to the first million, of inputs that are no CSV. What memory or a file fails on is left out: *out may be empty. */
void sw_type_hints_find(struct sw_type_hints *out, const struct sw_run *run);
void sw_type_hints_free(struct sw_type_hints *hints);

/* A type that takes all that was seen, quoted for a shell where it has to be; "TYPE" if nothing was. */
const char *sw_type_hint_name(uint8_t seen);
/* What was seen of the key column `key` in the tables of that name; NULL: of any. */
uint8_t sw_type_hint_of_key(const struct sw_type_hints *hints, const struct sw_schema *schema, const char *table, size_t key);

#endif
