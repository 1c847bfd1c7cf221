/* What a statement answered: rows as text, whole or one at a time, the same for every client. */
#ifndef SW_CLIENT_ROWS_H
#define SW_CLIENT_ROWS_H

#include "base/buffer.h"
#include "base/error.h"
#include "client/locator.h"
#include "text/client_table.h"

/* A column as the server describes it. Borrowed until the next row is asked for, or the statement ends. */
struct sw_client_column {
    const char *name;
    uint32_t type;      /* postgres: the type's oid; mariadb: enum enum_field_types */
    int32_t modifier;   /* postgres: atttypmod, -1 = none; mariadb: the number of decimals */
    uint32_t flags;     /* mariadb: the flags of the field (UNSIGNED_FLAG …) */
    uint32_t charset;   /* mariadb: 63 is binary */
    uint64_t length;    /* mariadb: the greatest length in bytes */
    uint32_t format;    /* mariadb: what the text in it is, where the server says more than the type does (enum sw_mariadb_format) */
};

/* One row of a statement that is read row by row. `cells[i].at` NULL is SQL's NULL; other cells are text as the server writes it.
 * Borrowed until the next call on the connection. */
struct sw_client_row {
    size_t count;
    const struct sw_bytes *cells;
};

/* A whole answer, for statements whose answer is small. Zero-initialise; `table` is set by sw_rows_end. */
struct sw_rows {
    struct sw_client_table table; /* names and cells, row by row */
    /* private */
    struct sw_buffer text;
    struct sw_bytes *views;       /* names, then cells */
    size_t view_count, view_capacity, columns;
    bool failed, ended;
};

#define SW_ROWS_MAX ((size_t)64 << 20)

/* Adds a name (before any cell) or a cell; failures are told by sw_rows_end. */
void sw_rows_name(struct sw_rows *rows, struct sw_bytes name);
void sw_rows_cell(struct sw_rows *rows, struct sw_bytes cell);
/* Makes `table` valid. SW_ERR_MEMORY; SW_ERR_LIMIT past SW_ROWS_MAX bytes. */
enum sw_code sw_rows_end(struct sw_rows *rows, struct sw_error *error);
void sw_rows_free(struct sw_rows *rows);

/* A cell of the first row by its column's name; at == NULL where there is no row, no such column, or NULL. */
struct sw_bytes sw_rows_first(const struct sw_rows *rows, const char *name);

/* Frees the columns and cells of a statement that was read row by row, and leaves none. */
void sw_client_columns_free(struct sw_client_column **columns, struct sw_bytes **cells, size_t *count);

/* The first two cells of the first row, copied: *schema and *table are the caller's (sw_free). */
enum sw_code sw_rows_table_name(char **schema, char **table, const struct sw_rows *rows, struct sw_error *error);

/* SW_ERR_USAGE: the table is not `where` ("in this database"); `names` are those that are there, and the near ones are told. */
enum sw_code sw_fail_no_table(const struct sw_locator *locator, const char *schema, const char *table, const char *where, const struct sw_rows *names, struct sw_error *error);

/* Up to three of `names` that are spelled nearly like `wanted`, nearest first, as "a, b, c"; nothing appended if none is near. */
void sw_near_names(struct sw_buffer *out, const char *wanted, const struct sw_bytes *names, size_t count);

#endif
