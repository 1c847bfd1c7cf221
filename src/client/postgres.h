/* PostgreSQL: connections for reading, through libpq.
 *
 * A connection is made from a locator; what it does not say comes from where libpq looks (service and pgpass files, PG*
 * variables). Every transaction is read-only unless `writable`; text is UTF-8, times are ISO in UTC, floats exact.
 * Compiled only where libpq is there (SW_WITH_POSTGRES). A connection is used by one thread at a time, except for sw_postgres_cancel. Messages hold no secret. */
#ifndef SW_CLIENT_POSTGRES_H
#define SW_CLIENT_POSTGRES_H

#include "client/locator.h"
#include "client/rows.h"

struct sw_postgres;

struct sw_postgres_options {
    uint64_t statement_timeout_ms; /* 0 = what the session has: the user's own, the role's, the server's */
    uint32_t connect_timeout_s;    /* 0 = as the locator says, else 15 */
    bool writable;                 /* the session may write; for the commands whose purpose that is */
};

/* SW_ERR_REMOTE with what to do where that can be told; SW_ERR_USAGE, SW_ERR_MEMORY.
 * `locator` must live as long as the connection. */
enum sw_code sw_postgres_open(struct sw_postgres **out, const struct sw_locator *locator, const struct sw_postgres_options *options, struct sw_error *error);
/* Closes and sets to NULL; NULL is accepted. */
void sw_postgres_close(struct sw_postgres **connection);

/* The server's version as 150020 is 15.20. */
int sw_postgres_version(const struct sw_postgres *connection);
/* The session's own lock_timeout in milliseconds, 0 = none. Whether somebody chose it: the locator's options, the service file, PGOPTIONS, the role or the server. */
bool sw_postgres_lock_timeout(uint64_t *ms, const struct sw_postgres *connection);

/* One statement with text parameters ($1 …; NULL entries are NULL), its whole answer in *out (zero-initialised by the caller, sw_rows_free).
 * Several statements in one text are refused by the server. */
enum sw_code sw_postgres_query(struct sw_rows *out, struct sw_postgres *connection, const char *sql, const char *const *parameters, size_t parameter_count, struct sw_error *error);

/* One statement, row by row (SW_ERR_USAGE if the statement itself is wrong: it may be the user's): begin, then rows until SW_END (or a failure), which ends it. sw_postgres_stop abandons it early. */
enum sw_code sw_postgres_select(struct sw_postgres *connection, const char *sql, struct sw_error *error);
enum sw_code sw_postgres_row(struct sw_client_row *out, struct sw_postgres *connection, struct sw_error *error);
/* The columns of the running statement; known once sw_postgres_row answered, also with SW_END. */
const struct sw_client_column *sw_postgres_columns(size_t *count, const struct sw_postgres *connection);
void sw_postgres_stop(struct sw_postgres *connection);

/* COPY … TO STDOUT: begin, then chunks (for text and csv: lines with their newline) until SW_END. Chunks are borrowed until the next call. */
enum sw_code sw_postgres_copy(struct sw_postgres *connection, const char *sql, struct sw_error *error);
enum sw_code sw_postgres_copied(struct sw_bytes *out, struct sw_postgres *connection, struct sw_error *error);

/* The SQLSTATE of the last statement that failed ("42501"), or "" if it had none. */
const char *sw_postgres_state(const struct sw_postgres *connection);

/* Appends a name in double quotes / a text in single ones, as the server reads them. */
void sw_postgres_quote_name(struct sw_buffer *out, const char *name);
void sw_postgres_quote_text(struct sw_buffer *out, const char *text);

/* Finds the table of the locator's fragment (or `name` as TABLE or SCHEMA.TABLE, if not NULL): schema and name as they are, by the search path where no
 * schema is given. SW_ERR_USAGE with near names if it is not there. *schema and *table are the caller's (sw_free). */
enum sw_code sw_postgres_find_table(char **schema, char **table, struct sw_postgres *connection, const char *wanted_schema, const char *wanted_table, struct sw_error *error);

/* Asks the server to stop what the connection is doing. Any thread; a failure to ask is silent. */
void sw_postgres_cancel(struct sw_postgres *connection);

#endif
