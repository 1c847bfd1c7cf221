/* Keys that a source of rows may be asked for, instead of all it has.
 *
 * A source that is given some hands out at least the rows of these keys, and may hand out others: what comes is held against the keys again. It asks its server by key only where
 * the server's comparison finds every row that ours finds; where that is not certain it reads all. */
#ifndef SW_SOURCE_KEYS_H
#define SW_SOURCE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "model/type.h"
#include "source/source.h"

#define SW_SOURCE_KEY_COLUMNS_MAX 16u

struct sw_source_keys {
    char *const *columns;          /* the key columns, as the source spells them */
    const enum sw_type_kind *kinds;/* SW_TYPE_INTEGER: digits; SW_TYPE_TEXT: the text; SW_TYPE_UUID; SW_TYPE_BYTES: hexadecimal digits. No other */
    uint32_t column_count;         /* at most SW_SOURCE_KEY_COLUMNS_MAX */
    const struct sw_bytes *values; /* column_count of them a key; never NULL, and without a NUL in them */
    size_t count;                  /* at least 1 */
};

/* The index of each key column among a source's columns; false if one is missing. `places` has room for keys->column_count. */
bool sw_source_keys_find(uint32_t *places, const struct sw_source_keys *keys, const struct sw_row_columns *columns);
/* May a row whose key column has this type, by the source's own catalogue, be asked for by the texts of a key of that kind? Integers of all sizes are one kind. */
bool sw_source_keys_kind_fits(enum sw_type_kind kind, enum sw_type_kind catalogue);

/* Is there a text with a byte beyond ASCII among the keys? */
bool sw_source_keys_beyond_ascii(const struct sw_source_keys *keys);

#endif
