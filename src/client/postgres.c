#include "client/postgres.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <libpq-fe.h>

#include "base/memory.h"

struct sw_postgres {
    PGconn *connection;
    PGcancel *cancel;
    const struct sw_locator *locator;
    PGresult *result;      /* of the row that was last given out */
    char *chunk;           /* of COPY */
    struct sw_client_column *columns;
    struct sw_bytes *cells;
    size_t column_count;
    bool described;
    bool own_statement;    /* the running one was written by the user, as far as is known here */
    _Atomic bool cancelled; /* by us, not by the server or by somebody else */
    uint64_t statement_timeout_ms, lock_timeout_ms; /* of the session, 0 = none */
    char timeout_source[32]; /* who set the former, as pg_settings has it */
    bool lock_timeout_given; /* somebody chose it, 0 too */
    char state[6];
};

/* ---- messages ---- */

struct advice {
    const char *sign, *text;
};

/* libpq gives no code for a connection that fails, only the server's words. */
static const struct advice connect_advice[] = {
    {"password authentication failed", "check the user and where its password comes from: PGPASSWORD, pgpass (mode 600), service file"},
    {"no password supplied", "give a password through PGPASSWORD, a pgpass file (mode 600) or a service file; it need not stand in the locator"},
    {"fe_sendauth", "give a password through PGPASSWORD, a pgpass file (mode 600) or a service file; it need not stand in the locator"},
    {"no pg_hba.conf entry", "the server does not let this user in from here: have a line added to pg_hba.conf, or try sslmode=require"},
    {"does not support SSL", "the server speaks no TLS: sslmode=prefer connects without it"},
    {"certificate verify failed", "give the authority that signed the server's certificate with sslrootcert="},
    {"does not match host name", "the server's certificate is of another host: connect by the name that it has"},
    {"valid client certificate", "the server lets this user in by a certificate: give it with sslcert= and its key with sslkey="},
    {"certificate authentication failed", "the certificate of sslcert= is not this user's: its common name has to be the user's, or a map of the server's has to say so"},
    {"private key file", "sslkey= names the key of sslcert=; it may be read by its owner alone (mode 600)"},
    {"unknown ca", "the server does not know the authority that signed the certificate of sslcert="},
    {"root certificate file", "give the authority that signed the server's certificate with sslrootcert="},
    {"Connection refused", "nothing listens there: check host and port, and whether the server runs"},
    {"could not translate host name", "the host's name is not known here"},
    {"timeout expired", "no answer in time: check host, port and firewalls; connect_timeout= waits longer"},
    {"remaining connection slots", "the server has no free connection for this user"},
    {"too many connections", "the server has no free connection for this user"},
    {"definition of service", "check the service's name and PGSERVICEFILE"},
    {"the database system is starting up", "the server is not ready yet: try again"},
};

static enum sw_code fail_connect(const struct sw_postgres *self, struct sw_error *error)
{
    struct sw_buffer text = {0};
    const char *said = PQerrorMessage(self->connection), *advice = NULL;
    for (size_t i = 0; i < sizeof connect_advice / sizeof *connect_advice && !advice; i++)
        advice = strstr(said, connect_advice[i].sign) ? connect_advice[i].text : NULL;
    if (!advice && strstr(said, "database \"") && strstr(said, "does not exist"))
        advice = "check the database's name behind the host (psql -l lists them)";
    if (!advice && strstr(said, "role \"") && strstr(said, "does not exist"))
        advice = "check the user's name";
    sw_locator_redact(&text, self->locator, said);
    const char *clean = sw_buffer_text(&text);
    sw_fail(error, SW_ERR_REMOTE, "%.300s: cannot connect: %.450s%s%s", self->locator->shown, clean ? clean : "", advice ? "; " : "", advice ? advice : "");
    sw_buffer_free(&text);
    return SW_ERR_REMOTE;
}

static const char *advice_of(const char *state)
{
    static const struct advice by_state[] = {
        {"42501", "grant what is named, or connect as a user who has it"},
        {"25006", "the session is read-only, and stays so"},
        {"25P03", "the server ends transactions that wait (idle_in_transaction_session_timeout): nothing is claimed"},
        {"25P04", "transaction_timeout ended it: reading one snapshot takes one transaction; options=-c%20transaction_timeout%3D0 in the locator lifts it"},
        {"40001", "the standby removed rows that were still to be read: set hot_standby_feedback = on or a longer max_standby_streaming_delay there, or read from the primary"},
        {"55P03", "a lock was not given within lock_timeout; options=-c%20lock_timeout%3D60s in the locator (or PGOPTIONS) waits longer, 0 has no end"},
        {"57P01", "the server is being shut down, or somebody ended this connection; nothing is claimed: run it again"},
        {"57P02", "the server crashed; nothing is claimed: run it again"},
        {"57P03", "the server is not ready: try again"},
        {"53400", "the server collects what it sends in temporary files, and temp_file_limit ended it"},
        {"53300", "the server has no free connection"},
    };
    for (size_t i = 0; i < sizeof by_state / sizeof *by_state; i++)
        if (strcmp(state, by_state[i].sign) == 0)
            return by_state[i].text;
    return NULL;
}

/* Who said how long a statement may take, and where another limit is said. */
static const char *advice_of_cancelling(char *out, size_t room, const struct sw_postgres *self)
{
    static const struct advice setters[] = {{"client", "the locator's options, the service file or PGOPTIONS"}, {"user", "ALTER ROLE"}, {"database", "ALTER DATABASE"}, {"database user", "ALTER ROLE … IN DATABASE"},
                                            {"configuration file", "the server's configuration"}, {"session", "this program, which asks for answers that take no time"}};
    const char *by = self->timeout_source;
    for (size_t i = 0; i < sizeof setters / sizeof *setters; i++)
        if (strcmp(self->timeout_source, setters[i].sign) == 0)
            by = setters[i].text;
    if (atomic_load(&self->cancelled))
        return "it was interrupted";
    if (self->statement_timeout_ms == 0)
        return "somebody cancelled it at the server (pg_cancel_backend)";
    snprintf(out, room, "it took longer than the statement_timeout of %" PRIu64 " ms, which %s set, or somebody cancelled it; options=-c%%20statement_timeout%%3D0 in the locator (or PGOPTIONS) lifts it", self->statement_timeout_ms, by);
    return out;
}

/* Is the statement itself wrong (names, syntax, types, values, writing where nothing may be written), and not the server or a right that is missing? */
static bool is_usage(const char *state)
{
    return (strncmp(state, "42", 2) == 0 && strcmp(state, "42501") != 0) || strncmp(state, "22", 2) == 0 || strcmp(state, "0A000") == 0 ||
           (strncmp(state, "25", 2) == 0 && strncmp(state, "25P", 3) != 0);
}

/* `result` may be NULL: the connection itself failed. */
static enum sw_code fail_statement(struct sw_postgres *self, const PGresult *result, struct sw_error *error)
{
    struct sw_buffer text = {0};
    const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL, *primary = result ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    const char *hint = result ? PQresultErrorField(result, PG_DIAG_MESSAGE_HINT) : NULL;
    snprintf(self->state, sizeof self->state, "%s", state ? state : "");
    sw_locator_redact(&text, self->locator, primary ? primary : result && *PQresultErrorMessage(result) ? PQresultErrorMessage(result) : PQerrorMessage(self->connection));
    char limit[320];
    const char *advice = strcmp(self->state, "57014") == 0 ? advice_of_cancelling(limit, sizeof limit, self) : advice_of(self->state), *clean = sw_buffer_text(&text);
    if (!advice && PQstatus(self->connection) == CONNECTION_BAD)
        advice = "the connection is lost; nothing is claimed: run it again";
    enum sw_code code = self->own_statement && is_usage(self->state) ? SW_ERR_USAGE : SW_ERR_REMOTE;
    sw_fail(error, code, "%.300s: %.400s%s%s%s%s%.320s", self->locator->shown, clean ? clean : "", state ? " (SQLSTATE " : "", state ? state : "", state ? ")" : "", advice || hint ? "; " : "",
        advice ? advice : hint ? hint : "");
    sw_buffer_free(&text);
    return code;
}

const char *sw_postgres_state(const struct sw_postgres *self) { return self->state; }

/* ---- connecting ---- */

static void ignore_notice(void *ctx, const PGresult *result)
{
    (void)ctx;
    (void)result;
}

static bool keyword_given(const PQconninfoOption *options, const char *name)
{
    for (; options->keyword; options++)
        if (strcmp(options->keyword, name) == 0)
            return options->val && *options->val;
    return false;
}

static enum sw_code connect(struct sw_postgres *self, const struct sw_postgres_options *options, struct sw_error *error)
{
    char timeout[16];
    char *complaint = NULL;
    PQconninfoOption *parsed = PQconninfoParse(self->locator->connection, &complaint);
    if (!parsed) { /* the complaint may repeat a part of the text, which may hold a password that was written wrongly */
        PQfreemem(complaint);
        return sw_fail(error, SW_ERR_USAGE, "%.300s: libpq does not understand this locator: check the names of its parameters and the encoding of its parts", self->locator->shown);
    }
    size_t count = 0, given = 0;
    while (parsed[count].keyword)
        count++;
    const char **names = sw_calloc(count + 5, sizeof *names), **values = sw_calloc(count + 5, sizeof *values);
    if (names && values) {
        for (size_t i = 0; i < count; i++)
            if (parsed[i].val) {
                names[given] = parsed[i].keyword;
                values[given++] = parsed[i].val;
            }
        names[given] = "fallback_application_name";
        values[given++] = "slackwater";
        names[given] = "client_encoding";
        values[given++] = "UTF8";
        if (options->connect_timeout_s || (!keyword_given(parsed, "connect_timeout") && !getenv("PGCONNECT_TIMEOUT"))) {
            snprintf(timeout, sizeof timeout, "%u", options->connect_timeout_s ? options->connect_timeout_s : 15);
            names[given] = "connect_timeout";
            values[given++] = timeout;
        }
        self->connection = PQconnectdbParams(names, values, 0);
    }
    PQconninfoFree(parsed);
    sw_free(names);
    sw_free(values);
    if (!self->connection)
        return sw_fail_memory(error, "a connection", count * sizeof *names);
    PQsetNoticeReceiver(self->connection, ignore_notice, NULL);
    return PQstatus(self->connection) == CONNECTION_OK ? SW_OK : fail_connect(self, error);
}

/* What the session's own limits are: the user's, the role's, the server's. None of them is lifted. */
static void read_limits(struct sw_postgres *self, const PGresult *result)
{
    for (int row = 0; row < PQntuples(result); row++) {
        uint64_t ms = strtoull(PQgetvalue(result, row, 1), NULL, 10);
        if (strcmp(PQgetvalue(result, row, 0), "lock_timeout") == 0) {
            self->lock_timeout_ms = ms;
            self->lock_timeout_given = strcmp(PQgetvalue(result, row, 2), "default") != 0;
            continue;
        }
        self->statement_timeout_ms = ms;
        snprintf(self->timeout_source, sizeof self->timeout_source, "%s", PQgetvalue(result, row, 2));
    }
}

static enum sw_code prepare_session(struct sw_postgres *self, const struct sw_postgres_options *options, struct sw_error *error)
{
    char sql[768], limit[64] = "";
    if (options->statement_timeout_ms)
        snprintf(limit, sizeof limit, "SET statement_timeout = %" PRIu64 "; ", options->statement_timeout_ms);
    snprintf(sql, sizeof sql,
        "SET default_transaction_read_only = %s; %sSET datestyle = 'ISO, YMD'; SET intervalstyle = 'iso_8601'; SET timezone = 'UTC'; "
        "SET extra_float_digits = 3; SET bytea_output = 'hex'; SET standard_conforming_strings = on; "
        "SELECT name, setting, source FROM pg_catalog.pg_settings WHERE name IN ('lock_timeout', 'statement_timeout')",
        options->writable ? "off" : "on", limit);
    PGresult *result = PQexec(self->connection, sql);
    enum sw_code code = PQresultStatus(result) == PGRES_TUPLES_OK ? SW_OK : fail_statement(self, result, error);
    if (code == SW_OK)
        read_limits(self, result);
    PQclear(result);
    return code;
}

enum sw_code sw_postgres_open(struct sw_postgres **out, const struct sw_locator *locator, const struct sw_postgres_options *options, struct sw_error *error)
{
    struct sw_postgres *self = sw_calloc(1, sizeof *self);
    *out = NULL;
    if (!self)
        return sw_fail_memory(error, "a connection", sizeof *self);
    self->locator = locator;
    enum sw_code code = connect(self, options, error);
    if (code >= 0)
        code = prepare_session(self, options, error);
    if (code >= 0)
        self->cancel = PQgetCancel(self->connection);
    if (code < 0)
        sw_postgres_close(&self);
    *out = self;
    return code;
}

static void drop_row(struct sw_postgres *self)
{
    PQclear(self->result);
    self->result = NULL;
    PQfreemem(self->chunk);
    self->chunk = NULL;
}

static void forget_columns(struct sw_postgres *self)
{
    sw_client_columns_free(&self->columns, &self->cells, &self->column_count);
    self->described = false;
}

void sw_postgres_close(struct sw_postgres **connection)
{
    struct sw_postgres *self = *connection;
    if (!self)
        return;
    drop_row(self);
    forget_columns(self);
    PQfreeCancel(self->cancel);
    PQfinish(self->connection);
    sw_free(self);
    *connection = NULL;
}

int sw_postgres_version(const struct sw_postgres *self) { return PQserverVersion(self->connection); }
bool sw_postgres_lock_timeout(uint64_t *ms, const struct sw_postgres *self)
{
    *ms = self->lock_timeout_ms;
    return self->lock_timeout_given;
}

static void ask_to_stop(struct sw_postgres *self)
{
    char said[256];
    if (self->cancel)
        PQcancel(self->cancel, said, sizeof said);
}

void sw_postgres_cancel(struct sw_postgres *self)
{
    atomic_store(&self->cancelled, true);
    ask_to_stop(self);
}

/* ---- whole answers ---- */

static struct sw_bytes cell_of(const PGresult *result, int row, int column)
{
    if (PQgetisnull(result, row, column))
        return (struct sw_bytes){0};
    return sw_bytes_of(PQgetvalue(result, row, column), (size_t)PQgetlength(result, row, column));
}

enum sw_code sw_postgres_query(struct sw_rows *out, struct sw_postgres *self, const char *sql, const char *const *parameters, size_t parameter_count, struct sw_error *error)
{
    self->state[0] = '\0';
    self->own_statement = false;
    PGresult *result = PQexecParams(self->connection, sql, (int)parameter_count, NULL, parameters, NULL, NULL, 0);
    ExecStatusType status = PQresultStatus(result);
    enum sw_code code = SW_OK;
    if (status == PGRES_TUPLES_OK) {
        int columns = PQnfields(result), rows = PQntuples(result);
        for (int i = 0; i < columns; i++)
            sw_rows_name(out, sw_bytes_text(PQfname(result, i)));
        for (int row = 0; row < rows; row++)
            for (int i = 0; i < columns; i++)
                sw_rows_cell(out, cell_of(result, row, i));
        code = sw_rows_end(out, error);
    } else if (status != PGRES_COMMAND_OK) {
        code = fail_statement(self, result, error);
    }
    PQclear(result);
    return code;
}

/* ---- row by row ---- */

static enum sw_code describe(struct sw_postgres *self, const PGresult *result, struct sw_error *error)
{
    size_t count = (size_t)PQnfields(result);
    if (self->described)
        return SW_OK;
    self->described = true;
    self->columns = sw_calloc(count + 1, sizeof *self->columns);
    self->cells = sw_calloc(count + 1, sizeof *self->cells);
    if (!self->columns || !self->cells)
        return sw_fail_memory(error, "the columns of an answer", count * sizeof *self->columns);
    for (; self->column_count < count; self->column_count++) {
        int i = (int)self->column_count;
        char *name = sw_strdup(PQfname(result, i));
        if (!name)
            return sw_fail_memory(error, "the columns of an answer", count * sizeof *self->columns);
        self->columns[i] = (struct sw_client_column){.name = name, .type = PQftype(result, i), .modifier = PQfmod(result, i)};
    }
    return SW_OK;
}

static enum sw_code send(struct sw_postgres *self, const char *sql, struct sw_error *error)
{
    drop_row(self);
    forget_columns(self);
    self->state[0] = '\0';
    self->own_statement = true;
    /* the extended protocol takes one statement only, so that nothing can be smuggled in behind it */
    return PQsendQueryParams(self->connection, sql, 0, NULL, NULL, NULL, NULL, 0) ? SW_OK : fail_statement(self, NULL, error);
}

enum sw_code sw_postgres_select(struct sw_postgres *self, const char *sql, struct sw_error *error)
{
    enum sw_code code = send(self, sql, error);
    if (code >= 0 && !PQsetSingleRowMode(self->connection))
        code = fail_statement(self, NULL, error);
    return code;
}

enum sw_code sw_postgres_row(struct sw_client_row *out, struct sw_postgres *self, struct sw_error *error)
{
    *out = (struct sw_client_row){0};
    drop_row(self);
    self->result = PQgetResult(self->connection);
    if (!self->result)
        return PQstatus(self->connection) == CONNECTION_OK ? SW_END : fail_statement(self, NULL, error);
    ExecStatusType status = PQresultStatus(self->result);
    if (status == PGRES_SINGLE_TUPLE || status == PGRES_TUPLES_OK) {
        enum sw_code code = describe(self, self->result, error);
        if (code < 0 || status == PGRES_TUPLES_OK) {
            sw_postgres_stop(self);
            return code < 0 ? code : SW_END;
        }
        for (size_t i = 0; i < self->column_count; i++)
            self->cells[i] = cell_of(self->result, 0, (int)i);
        *out = (struct sw_client_row){self->column_count, self->cells};
        return SW_OK;
    }
    enum sw_code code = status == PGRES_COMMAND_OK || status == PGRES_EMPTY_QUERY ? sw_fail(error, SW_ERR_USAGE, "%.300s: the statement gives no rows: a SELECT is expected", self->locator->shown)
                                                                                  : fail_statement(self, self->result, error);
    sw_postgres_stop(self);
    return code;
}

const struct sw_client_column *sw_postgres_columns(size_t *count, const struct sw_postgres *self)
{
    *count = self->column_count;
    return self->columns;
}

void sw_postgres_stop(struct sw_postgres *self)
{
    drop_row(self);
    if (PQtransactionStatus(self->connection) != PQTRANS_ACTIVE)
        return;
    PGresult *result;
    ask_to_stop(self);
    while ((result = PQgetResult(self->connection))) {
        ExecStatusType status = PQresultStatus(result);
        PQclear(result);
        char *chunk;
        while (status == PGRES_COPY_OUT && PQgetCopyData(self->connection, &chunk, 0) > 0)
            PQfreemem(chunk);
        if (PQstatus(self->connection) != CONNECTION_OK || status == PGRES_COPY_IN || status == PGRES_COPY_BOTH)
            break;
    }
}

/* ---- COPY ---- */

enum sw_code sw_postgres_copy(struct sw_postgres *self, const char *sql, struct sw_error *error)
{
    enum sw_code code = send(self, sql, error);
    if (code < 0)
        return code;
    PGresult *result = PQgetResult(self->connection);
    if (PQresultStatus(result) != PGRES_COPY_OUT) {
        code = PQresultStatus(result) == PGRES_FATAL_ERROR || !result ? fail_statement(self, result, error) : sw_fail(error, SW_ERR_USAGE, "%.300s: the statement is no COPY ... TO STDOUT", self->locator->shown);
        PQclear(result);
        sw_postgres_stop(self);
        return code;
    }
    PQclear(result);
    return SW_OK;
}

enum sw_code sw_postgres_copied(struct sw_bytes *out, struct sw_postgres *self, struct sw_error *error)
{
    *out = (struct sw_bytes){0};
    drop_row(self);
    int len = PQgetCopyData(self->connection, &self->chunk, 0);
    if (len > 0) {
        *out = sw_bytes_of(self->chunk, (size_t)len);
        return SW_OK;
    }
    PGresult *result = PQgetResult(self->connection);
    enum sw_code code = len == -1 && PQresultStatus(result) == PGRES_COMMAND_OK ? SW_END : fail_statement(self, result, error);
    PQclear(result);
    while ((result = PQgetResult(self->connection)))
        PQclear(result);
    return code;
}

/* ---- names ---- */

static void quote(struct sw_buffer *out, const char *text, char mark)
{
    sw_buffer_add_byte(out, (uint8_t)mark);
    for (; *text; text++) {
        if (*text == mark)
            sw_buffer_add_byte(out, (uint8_t)mark);
        sw_buffer_add_byte(out, (uint8_t)*text);
    }
    sw_buffer_add_byte(out, (uint8_t)mark);
}

void sw_postgres_quote_name(struct sw_buffer *out, const char *name) { quote(out, name, '"'); }

/* standard_conforming_strings is on in every session of ours, so that a backslash is itself */
void sw_postgres_quote_text(struct sw_buffer *out, const char *text) { quote(out, text, '\''); }

static enum sw_code fail_table(struct sw_postgres *self, const char *schema, const char *table, struct sw_error *error)
{
    static const char sql[] = "SELECT n.nspname || '.' || c.relname AS name FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
                              "WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') AND NOT pg_catalog.pg_is_other_temp_schema(n.oid) ORDER BY 1 LIMIT 10000";
    struct sw_rows names = {0};
    (void)sw_postgres_query(&names, self, sql, NULL, 0, NULL); /* without it, no names are near */
    enum sw_code code = sw_fail_no_table(self->locator, schema, table, "in this database", &names, error);
    sw_rows_free(&names);
    return code;
}

enum sw_code sw_postgres_find_table(char **schema, char **table, struct sw_postgres *self, const char *wanted_schema, const char *wanted_table, struct sw_error *error)
{
    struct sw_rows rows = {0};
    const char *const parameters[] = {wanted_schema, wanted_table};
    *schema = *table = NULL;
    enum sw_code code = sw_postgres_query(&rows, self,
        "SELECT n.nspname, c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
        "WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND c.relname = $2 AND ($1::text IS NOT NULL AND n.nspname = $1 OR $1::text IS NULL AND pg_catalog.pg_table_is_visible(c.oid))",
        parameters, 2, error);
    if (code >= 0 && !rows.table.row_count)
        code = fail_table(self, wanted_schema, wanted_table, error);
    if (code >= 0)
        code = sw_rows_table_name(schema, table, &rows, error);
    sw_rows_free(&rows);
    return code;
}
