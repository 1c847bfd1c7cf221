/* Evidence from what a client printed: values and tables, found by the names the servers give them. */
#ifndef SW_CONTINUITY_SHOWN_H
#define SW_CONTINUITY_SHOWN_H

#include "continuity/report.h"
#include "text/client_table.h"

struct sw_shown {
    struct sw_client_tables *files; /* one a pasted text */
    size_t count;
};

enum sw_code sw_shown_read(struct sw_shown *out, const struct sw_named_text *texts, size_t count, struct sw_error *error);
void sw_shown_free(struct sw_shown *shown);

/* A value by its name: a column of the name (also as @@name, @@global.name) with a single row, or the row of that name under
 * Variable_name/Value or name/setting. Several different values under one name: SW_ERR_INPUT. None: SW_OK and at == NULL.
 * An empty or NULL value counts as none. */
enum sw_code sw_shown_value(struct sw_bytes *out, const struct sw_shown *shown, const char *name, struct sw_error *error);

/* Whether something of that name was shown at all, be it empty: a column, or a row under Variable_name. */
bool sw_shown_has(const struct sw_shown *shown, const char *name);

/* The next table that has all of the columns, after `previous` (NULL: the first), or NULL. `columns` ends with NULL. */
const struct sw_client_table *sw_shown_table(const struct sw_shown *shown, const struct sw_client_table *previous, const char *const *columns);

/* An empty cell, or NULL in any case. */
bool sw_shown_is_null(struct sw_bytes cell);
/* t, true, yes, on, 1 */
bool sw_shown_is_true(struct sw_bytes cell);

#endif
