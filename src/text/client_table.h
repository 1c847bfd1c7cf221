/* Tables as database clients print them, pasted by a person.
 *
 * Read are: mysql's boxed tables, its tab-separated batch output and its \G records; psql's aligned, unaligned (-A) and
 * expanded output; SQL*Plus and sqlcmd columns under dashes; comma-separated output with a header; and columns separated
 * by blanks under a header in capitals, as Kafka's tools print them. Several tables may stand in one text, with prompts,
 * statements and row counts between them, which are skipped. */
#ifndef SW_TEXT_CLIENT_TABLE_H
#define SW_TEXT_CLIENT_TABLE_H

#include "base/buffer.h"
#include "base/error.h"

struct sw_client_table {
    size_t column_count, row_count;
    const struct sw_bytes *names; /* column_count of them */
    const struct sw_bytes *cells; /* row by row; blanks around values trimmed, line breaks in them kept */
    uint64_t line;                /* of the header, from 1 */
};

struct sw_client_tables {
    struct sw_client_table *tables;
    size_t count;
    /* private */
    uint8_t *text;
    struct sw_bytes *cells;
    size_t cell_count, cell_capacity, capacity;
};

#define SW_CLIENT_TEXT_MAX ((size_t)16 << 20)

/* Finds every table in `text`; none is no error. `out` owns what it holds: sw_client_tables_free, on success only.
 * Returns SW_OK, SW_ERR_LIMIT, SW_ERR_MEMORY. */
enum sw_code sw_client_tables_read(struct sw_client_tables *out, struct sw_bytes text, struct sw_error *error);
void sw_client_tables_free(struct sw_client_tables *tables);

/* The first table with a column of that name (case does not matter), or NULL. */
const struct sw_client_table *sw_client_tables_find(const struct sw_client_tables *tables, const char *column);

/* The column of that name, or SIZE_MAX. */
size_t sw_client_table_column(const struct sw_client_table *table, const char *name);

/* A cell by row and column name; at == NULL if there is no such column; empty for an empty cell. */
struct sw_bytes sw_client_table_cell(const struct sw_client_table *table, size_t row, const char *name);

#endif
