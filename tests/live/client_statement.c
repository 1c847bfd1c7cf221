/* Runs one statement over a client of the library, for tests against real servers.
 *
 *     client_statement query|rows|stop|copy|cancel LOCATOR SQL      prints cells with '|' between them, NULL as \N; or the error and its state
 *
 * `cancel` starts the statement, asks for its end from another thread after a moment, and prints what came of it. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "client/locator.h"
#ifdef SW_WITH_POSTGRES
#include "client/postgres.h"
#endif
#ifdef SW_WITH_MARIADB
#include "client/mariadb.h"
#endif

static void print_cells(const struct sw_bytes *cells, size_t count)
{
    for (size_t i = 0; i < count; i++)
        printf("%s%.*s", i ? "|" : "", cells[i].at ? (int)cells[i].len : 2, cells[i].at ? (const char *)cells[i].at : "\\N");
    putchar('\n');
}

static void print_rows(const struct sw_rows *rows)
{
    for (size_t row = 0; row < rows->table.row_count; row++)
        print_cells(rows->table.cells + row * rows->table.column_count, rows->table.column_count);
}

static int finish(enum sw_code code, const struct sw_error *error, const char *state)
{
    if (code >= 0)
        return 0;
    printf("%s %s: %s\n", sw_code_name(error->code), state, error->text);
    return 1;
}

struct canceller {
    void *connection;
    void (*cancel)(void *connection);
};

static void *cancel_soon(void *ctx)
{
    struct canceller *canceller = ctx;
    const struct timespec moment = {0, 300000000};
    nanosleep(&moment, NULL);
    canceller->cancel(canceller->connection);
    return NULL;
}

#ifdef SW_WITH_POSTGRES
static void cancel_postgres(void *connection) { sw_postgres_cancel(connection); }

static int postgres(const char *how, const struct sw_locator *locator, const char *sql)
{
    struct sw_postgres *connection;
    struct sw_error error = {0};
    struct sw_rows rows = {0};
    struct sw_client_row row;
    struct sw_bytes chunk;
    const struct sw_postgres_options options = {.statement_timeout_ms = 20000};
    pthread_t thread;
    enum sw_code code = sw_postgres_open(&connection, locator, &options, &error);
    if (code < 0)
        return finish(code, &error, "-");
    if (strcmp(how, "query") == 0) {
        code = sw_postgres_query(&rows, connection, sql, NULL, 0, &error);
        if (code >= 0)
            print_rows(&rows);
    } else if (strcmp(how, "rows") == 0) {
        code = sw_postgres_select(connection, sql, &error);
        while (code == SW_OK && (code = sw_postgres_row(&row, connection, &error)) == SW_OK)
            print_cells(row.cells, row.count);
    } else if (strcmp(how, "stop") == 0) { /* one row of many, then something else on the same connection */
        code = sw_postgres_select(connection, sql, &error);
        if (code >= 0)
            code = sw_postgres_row(&row, connection, &error);
        sw_postgres_stop(connection);
        if (code >= 0)
            code = sw_postgres_query(&rows, connection, "SELECT 'next'", NULL, 0, &error);
        if (code >= 0)
            print_rows(&rows);
    } else if (strcmp(how, "copy") == 0) {
        code = sw_postgres_copy(connection, sql, &error);
        while (code == SW_OK && (code = sw_postgres_copied(&chunk, connection, &error)) == SW_OK)
            fwrite(chunk.at, 1, chunk.len, stdout);
    } else {
        struct canceller canceller = {connection, cancel_postgres};
        pthread_create(&thread, NULL, cancel_soon, &canceller);
        code = sw_postgres_query(&rows, connection, sql, NULL, 0, &error);
        pthread_join(thread, NULL);
    }
    int status = finish(code, &error, *sw_postgres_state(connection) ? sw_postgres_state(connection) : "-");
    sw_rows_free(&rows);
    sw_postgres_close(&connection);
    return status;
}
#endif

#ifdef SW_WITH_MARIADB
static void cancel_mariadb(void *connection) { sw_mariadb_cancel(connection); }

static int mariadb(const char *how, const struct sw_locator *locator, const char *sql)
{
    struct sw_mariadb *connection;
    struct sw_error error = {0};
    struct sw_rows rows = {0};
    struct sw_client_row row;
    const struct sw_mariadb_options options = {.statement_timeout_ms = 20000};
    pthread_t thread;
    char number[16];
    enum sw_code code = sw_mariadb_open(&connection, locator, &options, &error);
    if (code < 0)
        return finish(code, &error, "-");
    if (strcmp(how, "query") == 0) {
        code = sw_mariadb_query(&rows, connection, sql, &error);
        if (code >= 0)
            print_rows(&rows);
    } else if (strcmp(how, "rows") == 0) {
        code = sw_mariadb_select(connection, sql, &error);
        while (code == SW_OK && (code = sw_mariadb_row(&row, connection, &error)) == SW_OK)
            print_cells(row.cells, row.count);
    } else if (strcmp(how, "stop") == 0) {
        code = sw_mariadb_select(connection, sql, &error);
        if (code >= 0)
            code = sw_mariadb_row(&row, connection, &error);
        sw_mariadb_stop(connection);
        if (code >= 0)
            code = sw_mariadb_query(&rows, connection, "SELECT 'next'", &error);
        if (code >= 0)
            print_rows(&rows);
    } else {
        struct canceller canceller = {connection, cancel_mariadb};
        pthread_create(&thread, NULL, cancel_soon, &canceller);
        code = sw_mariadb_query(&rows, connection, sql, &error);
        pthread_join(thread, NULL);
    }
    snprintf(number, sizeof number, "%u", sw_mariadb_number(connection));
    int status = finish(code, &error, number);
    sw_rows_free(&rows);
    sw_mariadb_close(&connection);
    return status;
}
#endif

int main(int argc, char **argv)
{
    struct sw_locator locator;
    struct sw_error error = {0};
    int status = 2;
    if (argc != 4)
        return 2;
    if (sw_locator_parse(&locator, argv[2], &error) < 0)
        return finish(error.code, &error, "-");
#ifdef SW_WITH_POSTGRES
    if (locator.system == SW_SYSTEM_POSTGRES)
        status = postgres(argv[1], &locator, argv[3]);
#endif
#ifdef SW_WITH_MARIADB
    if (locator.system == SW_SYSTEM_MARIADB)
        status = mariadb(argv[1], &locator, argv[3]);
#endif
    sw_locator_free(&locator);
    return status;
}
