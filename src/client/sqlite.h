/* SQLite: one file opened for reading, through libsqlite3. One thread at a time.
 *
 * The file is never made and never written; a statement that would write is refused before it runs. */
#ifndef SW_CLIENT_SQLITE_H
#define SW_CLIENT_SQLITE_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/error.h"
#include "text/token.h"

struct sw_sqlite;

/* `immutable`: nothing writes to the file while it is open, so no lock is needed (read-only media, a copy). SW_ERR_INPUT: there is no such file, or it is no SQLite database;
 * SW_ERR_IO; SW_ERR_MEMORY. */
enum sw_code sw_sqlite_open(struct sw_sqlite **out, const char *path, bool immutable, struct sw_error *error);
/* Accepts NULL. */
void sw_sqlite_close(struct sw_sqlite **db);

/* Prepares the one statement of `sql`; the statement before it ends. SW_ERR_USAGE: it is none, several, not one that reads, or has parameters beyond `texts`;
 * the text says what SQLite says. `texts` are bound to ?1, ?2 …. */
enum sw_code sw_sqlite_prepare(struct sw_sqlite *db, const char *sql, const char *const *texts, int text_count, struct sw_error *error);
/* What is prepared from now on reads one state of the file, until it is closed. SW_ERR_IO, SW_ERR_MEMORY. */
enum sw_code sw_sqlite_hold(struct sw_sqlite *db, struct sw_error *error);
/* The next row: SW_OK, SW_END; SW_ERR_IO (damaged, locked), SW_ERR_MEMORY. */
enum sw_code sw_sqlite_step(struct sw_sqlite *db, struct sw_error *error);
int sw_sqlite_column_count(const struct sw_sqlite *db);
/* Of the statement, before any row. Valid until the next statement. `declared` is NULL for an expression. */
const char *sw_sqlite_column_name(const struct sw_sqlite *db, int column);
const char *sw_sqlite_column_declared(const struct sw_sqlite *db, int column);
/* A value of the current row by its storage class: NULL, INT64, FLOAT64, TEXT or BYTES. `*slot` holds a number. Valid until the next step. SW_ERR_MEMORY. */
enum sw_code sw_sqlite_value(struct sw_token *out, int64_t *slot, struct sw_sqlite *db, int column, struct sw_error *error);

/* The number of changes that the file counts in its header, while a statement reads from it. False: it is in WAL mode, where nothing is counted there, or no file. */
bool sw_sqlite_change_counter(uint32_t *out, struct sw_sqlite *db);

/* Appends a name in double quotes. */
void sw_sqlite_quote_name(struct sw_buffer *out, const char *name);

#endif
