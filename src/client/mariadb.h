/* MariaDB and MySQL: connections for reading, through libmariadb.
 *
 * A connection is made from a locator. Its parameters: socket, defaults-file, defaults-group (an option file is read only if one of the two
 * is given), ssl-ca, ssl-cert, ssl-key, ssl-verify (on, off), ssl (on: required), connect-timeout (seconds), and binlog and gtid, which
 * the source of binary logs reads (source/mariadb/). A password that the
 * locator does not give is taken from MYSQL_PWD. Every transaction is read-only unless `writable`; text is utf8mb4, times are in
 * UTC, backslashes in texts are read as the session's sql_mode says. The server may not ask for local files.
 * Compiled only where libmariadb is there (SW_WITH_MARIADB). A connection is used by one thread at a time, except for sw_mariadb_cancel. Messages hold no secret. */
#ifndef SW_CLIENT_MARIADB_H
#define SW_CLIENT_MARIADB_H

#include "client/locator.h"
#include "client/rows.h"
#include "model/type.h"

struct sw_mariadb;

struct sw_mariadb_options {
    uint64_t statement_timeout_ms; /* 0 = what the session has: the user's own, the server's */
    uint32_t connect_timeout_s;    /* 0 = as the locator says, else 15 */
    bool writable;                 /* the session may write; for the commands whose purpose that is */
    uint64_t packet_bytes_max;     /* a larger answer of the server in one piece is refused; 0 = the library's limit, 1 GiB */
};

/* SW_ERR_REMOTE with what to do where that can be told; SW_ERR_USAGE, SW_ERR_MEMORY.
 * `locator` must live as long as the connection. */
enum sw_code sw_mariadb_open(struct sw_mariadb **out, const struct sw_locator *locator, const struct sw_mariadb_options *options, struct sw_error *error);
/* Closes and sets to NULL; NULL is accepted. */
void sw_mariadb_close(struct sw_mariadb **connection);

/* Whether the server is MariaDB, and not MySQL. / Its version as 101119 is 10.11.19, and as it calls itself. */
bool sw_mariadb_is_mariadb(const struct sw_mariadb *connection);
unsigned long sw_mariadb_version(const struct sw_mariadb *connection);
const char *sw_mariadb_version_text(const struct sw_mariadb *connection);

/* One statement, its whole answer in *out (zero-initialised by the caller, sw_rows_free). */
enum sw_code sw_mariadb_query(struct sw_rows *out, struct sw_mariadb *connection, const char *sql, struct sw_error *error);

/* Whether a text is one statement that gives rows, by itself; it is not run. What stands between parentheses of ours is no statement then that ends them and goes on.
 * SW_ERR_USAGE with what the server says of it. */
enum sw_code sw_mariadb_check_query(struct sw_mariadb *connection, const char *sql, struct sw_error *error);

/* One statement, row by row (SW_ERR_USAGE if the statement itself is wrong: it may be the user's): begin, then rows until SW_END (or a failure), which ends it. The server waits while nothing is read, and no other
 * statement can run meanwhile. sw_mariadb_stop abandons it early. */
enum sw_code sw_mariadb_select(struct sw_mariadb *connection, const char *sql, struct sw_error *error);
enum sw_code sw_mariadb_row(struct sw_client_row *out, struct sw_mariadb *connection, struct sw_error *error);
/* The columns of the running statement; known from sw_mariadb_select on. */
const struct sw_client_column *sw_mariadb_columns(size_t *count, const struct sw_mariadb *connection);
void sw_mariadb_stop(struct sw_mariadb *connection);

/* What MariaDB says of a column beside its type: JSON is a text there, and its newer types are known by name alone. */
enum sw_mariadb_format { SW_MARIADB_PLAIN, SW_MARIADB_JSON, SW_MARIADB_UUID, SW_MARIADB_INET };

/* How a cell of a column is to be read. */
enum sw_mariadb_cell {
    SW_MARIADB_TEXT,
    SW_MARIADB_BYTES,
    SW_MARIADB_NUMBER,   /* digits as JSON has them, but for zeros in front (ZEROFILL, YEAR) */
    SW_MARIADB_BITS,     /* up to 8 bytes, the highest first */
    SW_MARIADB_UTC       /* a timestamp in the session's zone, which is UTC */
};
/* The type of a column's values, and how its cells are read. *typed is false where there is no such type: the text is taken as it is. */
enum sw_mariadb_cell sw_mariadb_column_type(struct sw_type *out, bool *typed, const struct sw_client_column *column);

/* The binary log from a place on (`file` NULL: from where the session's variables say, @slave_connect_state), up to where it ends now. Nothing is registered at the server: the client gives the number 0, for which it
 * ends no other reader. Events come as they stand in the log, borrowed until the next call; SW_END at the log's end. libmariadb takes no part in reading them: what it has for that trusts the server's bytes. The
 * connection serves nothing else afterwards. */
enum sw_code sw_mariadb_dump(struct sw_mariadb *connection, const char *file, uint64_t position, struct sw_error *error);
enum sw_code sw_mariadb_dump_next(struct sw_bytes *event, struct sw_mariadb *connection, struct sw_error *error);

/* The server's number of the last statement that failed (1227 …), or 0. */
unsigned sw_mariadb_number(const struct sw_mariadb *connection);

/* Appends a name in backquotes / a text in single quotes, as the server reads them. */
void sw_mariadb_quote_name(struct sw_buffer *out, const char *name);
void sw_mariadb_quote_text(struct sw_buffer *out, struct sw_mariadb *connection, struct sw_bytes text);

/* Finds a table: database (the connection's where NULL) and name as they are. SW_ERR_USAGE with near names if it is not there.
 * *database and *table are the caller's (sw_free). */
enum sw_code sw_mariadb_find_table(char **database, char **table, struct sw_mariadb *connection, const char *wanted_database, const char *wanted_table, struct sw_error *error);

/* Asks the server, over a second connection, to stop what this one is doing. Any thread; a failure to ask is silent. */
void sw_mariadb_cancel(struct sw_mariadb *connection);

#endif
