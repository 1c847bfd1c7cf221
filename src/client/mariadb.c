#include "client/mariadb.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include <mysql.h>

#include <errmsg.h>
#include <mariadb_rpl.h>
#include <mysqld_error.h>

#include "base/memory.h"

struct sw_mariadb {
    MYSQL *connection;
    const struct sw_locator *locator;
    unsigned long thread;
    MYSQL_RES *result; /* of the statement that is read row by row */
    struct sw_client_column *columns;
    struct sw_bytes *cells;
    size_t column_count;
    unsigned number;
    _Atomic bool cancelled; /* by us, not by the server or by somebody else */
};

#define MYSQL_EXECUTION_TIME 3024 /* of MySQL: MariaDB's headers do not know it */

/* ---- messages ---- */

static const char *advice_of(unsigned number)
{
    switch (number) {
    case ER_ACCESS_DENIED_ERROR:
    case ER_ACCESS_DENIED_NO_PASSWORD_ERROR: return "check the user, the host it may come from, and its password (MYSQL_PWD, or an option file with defaults-file=); an account that requires TLS needs ssl=on, or ssl-cert= and ssl-key=";
    case ER_DBACCESS_DENIED_ERROR: return "the database is not there, or the user may not see it (SHOW DATABASES lists what it sees)";
    case ER_BAD_DB_ERROR: return "check the database's name behind the host (SHOW DATABASES lists them)";
    case ER_SPECIFIC_ACCESS_DENIED_ERROR:
    case ER_TABLEACCESS_DENIED_ERROR:
    case ER_COLUMNACCESS_DENIED_ERROR: return "grant what is named, or connect as a user who has it";
    case ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION: return "the session is read-only, and stays so";
    case ER_CON_COUNT_ERROR: return "the server has no free connection";
    case ER_QUERY_INTERRUPTED: return "somebody stopped it at the server (KILL QUERY)";
    case ER_STATEMENT_TIMEOUT: return "it took longer than max_statement_time, which the user, the server or an option file set; init-command=SET max_statement_time=0 in an option file (defaults-file=) lifts it for this run";
    case MYSQL_EXECUTION_TIME: return "it took longer than max_execution_time, which the server or an option file set; init-command=SET max_execution_time=0 in an option file (defaults-file=) lifts it for this run";
    case ER_LOCK_WAIT_TIMEOUT: return "the table is locked: SHOW PROCESSLIST (or the plugin metadata_lock_info) tells by whom";
    case ER_TABLE_DEF_CHANGED: return "the table was altered while its snapshot was taken: run it again";
    case ER_CONNECTION_KILLED: return "somebody ended the connection at the server; nothing is claimed: run it again";
    case ER_NET_PACKET_TOO_LARGE:
    case CR_NET_PACKET_TOO_LARGE: return "a row is larger than max_allowed_packet: an option file (defaults-file=) may raise it";
    case CR_CONN_HOST_ERROR:
    case CR_CONNECTION_ERROR: return "nothing listens there: check host and port (or socket=), and whether the server runs";
    case CR_UNKNOWN_HOST: return "the host's name is not known here";
    case CR_SSL_CONNECTION_ERROR: return "check ssl-ca=, and that the certificate is of this host";
    case ER_MASTER_FATAL_ERROR_READING_BINLOG: return "check the place where reading begins: SHOW BINARY LOGS lists the files that there are, and a position is that of an event's beginning";
    case CR_SERVER_GONE_ERROR:
    case CR_SERVER_LOST: return "the connection is lost; nothing is claimed: run it again";
    default: return NULL;
    }
}

static enum sw_code fail_server(struct sw_mariadb *self, bool connecting, struct sw_error *error)
{
    struct sw_buffer text = {0};
    self->number = mysql_errno(self->connection);
    sw_locator_redact(&text, self->locator, mysql_error(self->connection));
    const char *advice = atomic_load(&self->cancelled) ? "it was interrupted" : advice_of(self->number), *clean = sw_buffer_text(&text);
    if (self->number == CR_SERVER_LOST && sw_locator_parameter(self->locator, "defaults-file")) /* the library says no more of a packet that is too large for it */
        advice = "the connection is lost, or a row is larger than the option file's max_allowed_packet; nothing is claimed: run it again";
    sw_fail(error, SW_ERR_REMOTE, "%.300s: %s%.400s (error %u)%s%s", self->locator->shown, connecting ? "cannot connect: " : "", clean ? clean : "", self->number, advice ? "; " : "", advice ? advice : "");
    sw_buffer_free(&text);
    return SW_ERR_REMOTE;
}

/* Is the statement itself wrong (names, syntax, types, values, writing where nothing may be written), and not the server or a right that is missing? */
static bool is_usage(const struct sw_mariadb *self)
{
    static const unsigned rights[] = {ER_DBACCESS_DENIED_ERROR, ER_TABLEACCESS_DENIED_ERROR, ER_COLUMNACCESS_DENIED_ERROR, ER_SPECIFIC_ACCESS_DENIED_ERROR, ER_PROCACCESS_DENIED_ERROR, ER_VIEW_NO_EXPLAIN};
    static const char *const classes[] = {"42", "22", "25", "21", "0A"};
    const char *state = mysql_sqlstate(self->connection);
    bool wrong = false;
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
        wrong |= strncmp(state, classes[i], 2) == 0;
    for (size_t i = 0; i < sizeof rights / sizeof *rights; i++)
        wrong &= self->number != rights[i];
    return wrong || self->number == ER_UNSUPPORTED_PS;
}

/* The running statement may be the user's. */
static enum sw_code fail_statement(struct sw_mariadb *self, struct sw_error *error)
{
    enum sw_code code = fail_server(self, false, error);
    if (!is_usage(self))
        return code;
    if (error)
        error->code = SW_ERR_USAGE;
    return SW_ERR_USAGE;
}

unsigned sw_mariadb_number(const struct sw_mariadb *self) { return self->number; }

/* ---- connecting ---- */

static const char *const known[] = {"socket", "defaults-file", "defaults-group", "ssl", "ssl-ca", "ssl-cert", "ssl-key", "ssl-verify", "connect-timeout", "binlog", "gtid", NULL};

static enum sw_code check_parameters(const struct sw_locator *locator, struct sw_error *error)
{
    for (size_t i = 0; i < locator->parameter_count; i++) {
        const char *name = locator->parameters[i].name, *value = locator->parameters[i].value;
        size_t at = 0;
        while (known[at] && strcmp(known[at], name) != 0)
            at++;
        if (!known[at])
            return sw_fail(error, SW_ERR_USAGE, "%.300s: parameter '%.64s' is not known; known are socket, defaults-file, defaults-group, ssl, ssl-ca, ssl-cert, ssl-key, ssl-verify, connect-timeout, binlog, gtid", locator->shown, name);
        if ((strcmp(name, "ssl") == 0 || strcmp(name, "ssl-verify") == 0) && strcmp(value, "on") != 0 && strcmp(value, "off") != 0)
            return sw_fail(error, SW_ERR_USAGE, "%.300s: parameter %s must be on or off", locator->shown, name);
        if (strcmp(name, "connect-timeout") == 0 && (!*value || strlen(value) > 5 || strspn(value, "0123456789") != strlen(value)))
            return sw_fail(error, SW_ERR_USAGE, "%.300s: connect-timeout must be a number of seconds", locator->shown);
    }
    return SW_OK;
}

static bool is_on(const struct sw_locator *locator, const char *name)
{
    const char *value = sw_locator_parameter(locator, name);
    return value && strcmp(value, "on") == 0;
}

static MYSQL *connect(const struct sw_locator *locator, uint32_t timeout_s, uint64_t packet_bytes_max)
{
    unsigned long packet = packet_bytes_max < 1ul << 30 ? (unsigned long)packet_bytes_max : 1ul << 30;
    const char *given = sw_locator_parameter(locator, "connect-timeout"), *file = sw_locator_parameter(locator, "defaults-file"), *group = sw_locator_parameter(locator, "defaults-group");
    unsigned timeout = timeout_s ? timeout_s : given ? (unsigned)atoi(given) : 15;
    my_bool on = 1, off = 0;
    unsigned no = 0;
    MYSQL *connection = mysql_init(NULL);
    if (!connection)
        return NULL;
    mysql_options(connection, MYSQL_OPT_CONNECT_TIMEOUT, &timeout);
    mysql_options(connection, MYSQL_OPT_LOCAL_INFILE, &no);
    mysql_options(connection, MYSQL_SET_CHARSET_NAME, "utf8mb4");
    if (packet)
        mysql_options(connection, MYSQL_OPT_MAX_ALLOWED_PACKET, &packet);
    mysql_options4(connection, MYSQL_OPT_CONNECT_ATTR_ADD, "program_name", "slackwater");
    if (file)
        mysql_options(connection, MYSQL_READ_DEFAULT_FILE, file);
    if (file || group)
        mysql_options(connection, MYSQL_READ_DEFAULT_GROUP, group ? group : "client");
    const char *ca = sw_locator_parameter(locator, "ssl-ca"), *certificate = sw_locator_parameter(locator, "ssl-cert"), *key = sw_locator_parameter(locator, "ssl-key");
    if (ca || certificate || key)
        mysql_ssl_set(connection, key, certificate, ca, NULL, NULL);
    if (is_on(locator, "ssl") || ca || certificate || key)
        mysql_options(connection, MYSQL_OPT_SSL_ENFORCE, &on);
    if (sw_locator_parameter(locator, "ssl-verify") || ca)
        mysql_options(connection, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, is_on(locator, "ssl-verify") || !sw_locator_parameter(locator, "ssl-verify") ? &on : &off);
    const char *password = locator->password ? locator->password : file || group ? NULL : getenv("MYSQL_PWD");
    mysql_real_connect(connection, locator->host, locator->user, password, locator->database, locator->port, sw_locator_parameter(locator, "socket"), 0);
    return connection;
}

/* The library goes on in the clear where a server has no TLS, whatever it was asked for by the locator or by an option file. */
static enum sw_code check_tls(const struct sw_mariadb *self, struct sw_error *error)
{
    my_bool enforced = 0, verified = 0;
    char *authority = NULL;
    if (mysql_get_ssl_cipher(self->connection))
        return SW_OK;
    (void)mysql_get_option(self->connection, MYSQL_OPT_SSL_ENFORCE, &enforced);
    (void)mysql_get_option(self->connection, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, &verified);
    (void)mysql_get_option(self->connection, MYSQL_OPT_SSL_CA, &authority);
    if (!enforced && !verified && !authority && !is_on(self->locator, "ssl"))
        return SW_OK;
    return sw_fail(error, SW_ERR_REMOTE, "%.300s: the server speaks no TLS, and the locator or the option file asks for it (ssl): nothing was read; ssl=off in the locator, and no ssl options, connect without it", self->locator->shown);
}

static enum sw_code run(struct sw_mariadb *self, const char *sql, struct sw_error *error)
{
    self->number = 0;
    return mysql_real_query(self->connection, sql, (unsigned long)strlen(sql)) ? fail_server(self, false, error) : SW_OK;
}

static enum sw_code prepare_session(struct sw_mariadb *self, const struct sw_mariadb_options *options, struct sw_error *error)
{
    char limit[96];
    enum sw_code code = run(self, "SET SESSION time_zone = '+00:00'", error);
    if (code >= 0)
        code = run(self, options->writable ? "SET SESSION TRANSACTION READ WRITE" : "SET SESSION TRANSACTION READ ONLY", error);
    if (code >= 0 && options->statement_timeout_ms) {
        unsigned long long ms = options->statement_timeout_ms;
        if (sw_mariadb_is_mariadb(self))
            snprintf(limit, sizeof limit, "SET SESSION max_statement_time = %llu.%03llu", ms / 1000, ms % 1000);
        else
            snprintf(limit, sizeof limit, "SET SESSION max_execution_time = %llu", ms);
        code = run(self, limit, error);
    }
    return code;
}

enum sw_code sw_mariadb_open(struct sw_mariadb **out, const struct sw_locator *locator, const struct sw_mariadb_options *options, struct sw_error *error)
{
    *out = NULL;
    enum sw_code code = check_parameters(locator, error);
    if (code < 0)
        return code;
    struct sw_mariadb *self = sw_calloc(1, sizeof *self);
    if (self)
        self->connection = connect(locator, options->connect_timeout_s, options->packet_bytes_max);
    if (!self || !self->connection) {
        sw_free(self);
        return sw_fail_memory(error, "a connection", sizeof *self);
    }
    self->locator = locator;
    if (mysql_errno(self->connection))
        code = fail_server(self, true, error);
    else
        code = check_tls(self, error);
    if (code >= 0)
        code = prepare_session(self, options, error);
    self->thread = mysql_thread_id(self->connection);
    if (code < 0)
        sw_mariadb_close(&self);
    *out = self;
    return code;
}

static void forget_columns(struct sw_mariadb *self)
{
    sw_client_columns_free(&self->columns, &self->cells, &self->column_count);
}

void sw_mariadb_close(struct sw_mariadb **connection)
{
    struct sw_mariadb *self = *connection;
    if (!self)
        return;
    sw_mariadb_stop(self);
    forget_columns(self);
    mysql_close(self->connection);
    sw_free(self);
    *connection = NULL;
}

bool sw_mariadb_is_mariadb(const struct sw_mariadb *self) { return mariadb_connection(self->connection) != 0; }
unsigned long sw_mariadb_version(const struct sw_mariadb *self) { return mysql_get_server_version(self->connection); }
const char *sw_mariadb_version_text(const struct sw_mariadb *self) { return mysql_get_server_info(self->connection); }

static void ask_to_stop(struct sw_mariadb *self)
{
    char sql[64];
    MYSQL *second = connect(self->locator, 5, 0);
    if (second && !mysql_errno(second)) {
        snprintf(sql, sizeof sql, "KILL QUERY %lu", self->thread);
        (void)mysql_real_query(second, sql, (unsigned long)strlen(sql));
    }
    if (second)
        mysql_close(second);
}

void sw_mariadb_cancel(struct sw_mariadb *self)
{
    atomic_store(&self->cancelled, true);
    ask_to_stop(self);
}

/* ---- whole answers ---- */

enum sw_code sw_mariadb_query(struct sw_rows *out, struct sw_mariadb *self, const char *sql, struct sw_error *error)
{
    enum sw_code code = run(self, sql, error);
    if (code < 0)
        return code;
    MYSQL_RES *result = mysql_store_result(self->connection);
    if (!result)
        return mysql_errno(self->connection) ? fail_server(self, false, error) : SW_OK;
    unsigned columns = mysql_num_fields(result);
    const MYSQL_FIELD *fields = mysql_fetch_fields(result);
    for (unsigned i = 0; i < columns; i++)
        sw_rows_name(out, sw_bytes_of(fields[i].name, fields[i].name_length));
    for (MYSQL_ROW row; (row = mysql_fetch_row(result));) {
        const unsigned long *lengths = mysql_fetch_lengths(result);
        for (unsigned i = 0; i < columns; i++)
            sw_rows_cell(out, row[i] ? sw_bytes_of(row[i], lengths[i]) : (struct sw_bytes){0});
    }
    mysql_free_result(result);
    return sw_rows_end(out, error);
}

/* ---- row by row ---- */

static bool attribute_is(const MYSQL_FIELD *field, enum mariadb_field_attr_t which, const char *wanted)
{
    MARIADB_CONST_STRING attribute = {0};
    return mariadb_field_attr(&attribute, field, which) == 0 && attribute.length == strlen(wanted) && memcmp(attribute.str, wanted, attribute.length) == 0;
}

static uint32_t format_of(const MYSQL_FIELD *field)
{
    if (field->type == MYSQL_TYPE_JSON || attribute_is(field, MARIADB_FIELD_ATTR_FORMAT_NAME, "json"))
        return SW_MARIADB_JSON;
    if (attribute_is(field, MARIADB_FIELD_ATTR_DATA_TYPE_NAME, "uuid"))
        return SW_MARIADB_UUID;
    return attribute_is(field, MARIADB_FIELD_ATTR_DATA_TYPE_NAME, "inet6") || attribute_is(field, MARIADB_FIELD_ATTR_DATA_TYPE_NAME, "inet4") ? SW_MARIADB_INET : SW_MARIADB_PLAIN;
}

#define CHARSET_BINARY 63u

enum sw_mariadb_cell sw_mariadb_column_type(struct sw_type *out, bool *typed, const struct sw_client_column *column)
{
    *out = (struct sw_type){.kind = SW_TYPE_TEXT, .precision = -1};
    *typed = true;
    switch (column->type) {
    case MYSQL_TYPE_TINY:
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONG:
    case MYSQL_TYPE_LONGLONG:
    case MYSQL_TYPE_YEAR: out->kind = SW_TYPE_INTEGER; return SW_MARIADB_NUMBER; /* of any size, so that INT on one side compares with BIGINT on the other */
    case MYSQL_TYPE_DECIMAL:
    case MYSQL_TYPE_NEWDECIMAL: out->kind = SW_TYPE_DECIMAL; return SW_MARIADB_NUMBER;
    case MYSQL_TYPE_FLOAT: out->kind = SW_TYPE_FLOAT32; return SW_MARIADB_NUMBER;
    case MYSQL_TYPE_DOUBLE: out->kind = SW_TYPE_FLOAT64; return SW_MARIADB_NUMBER;
    case MYSQL_TYPE_BIT: out->kind = SW_TYPE_INTEGER; return SW_MARIADB_BITS;
    case MYSQL_TYPE_DATE:
    case MYSQL_TYPE_NEWDATE: out->kind = SW_TYPE_DATE; return SW_MARIADB_TEXT;
    case MYSQL_TYPE_TIME: out->kind = SW_TYPE_TIME; return SW_MARIADB_TEXT;
    case MYSQL_TYPE_DATETIME: out->kind = SW_TYPE_TIMESTAMP; return SW_MARIADB_TEXT;
    case MYSQL_TYPE_TIMESTAMP: out->kind = SW_TYPE_TIMESTAMPTZ; return SW_MARIADB_UTC;
    case MYSQL_TYPE_GEOMETRY: out->kind = SW_TYPE_BYTES; return SW_MARIADB_BYTES;
    case MYSQL_TYPE_NULL: *typed = false; return SW_MARIADB_TEXT;
    default: break;
    }
    if (column->format == SW_MARIADB_JSON)
        out->kind = SW_TYPE_JSON;
    else if (column->format == SW_MARIADB_UUID)
        out->kind = SW_TYPE_UUID;
    else if (column->charset == CHARSET_BINARY && column->format == SW_MARIADB_PLAIN && !(column->flags & (ENUM_FLAG | SET_FLAG)))
        out->kind = SW_TYPE_BYTES;
    return out->kind == SW_TYPE_BYTES ? SW_MARIADB_BYTES : SW_MARIADB_TEXT;
}

enum sw_code sw_mariadb_select(struct sw_mariadb *self, const char *sql, struct sw_error *error)
{
    sw_mariadb_stop(self);
    forget_columns(self);
    self->number = 0;
    if (mysql_real_query(self->connection, sql, (unsigned long)strlen(sql)))
        return fail_statement(self, error);
    self->result = mysql_use_result(self->connection);
    if (!self->result)
        return mysql_errno(self->connection) ? fail_statement(self, error) : sw_fail(error, SW_ERR_USAGE, "%.300s: the statement gives no rows: a SELECT is expected", self->locator->shown);
    size_t count = mysql_num_fields(self->result);
    const MYSQL_FIELD *fields = mysql_fetch_fields(self->result);
    self->columns = sw_calloc(count + 1, sizeof *self->columns);
    self->cells = sw_calloc(count + 1, sizeof *self->cells);
    for (; self->columns && self->cells && self->column_count < count; self->column_count++) {
        const MYSQL_FIELD *field = &fields[self->column_count];
        char *name = sw_strndup(field->name, field->name_length);
        if (!name)
            break;
        self->columns[self->column_count] = (struct sw_client_column){name, (uint32_t)field->type, (int32_t)field->decimals, field->flags, field->charsetnr, field->length, format_of(field)};
    }
    if (self->column_count < count || !self->columns || !self->cells) {
        sw_mariadb_stop(self);
        return sw_fail_memory(error, "the columns of an answer", count * sizeof *self->columns);
    }
    return SW_OK;
}

enum sw_code sw_mariadb_check_query(struct sw_mariadb *self, const char *sql, struct sw_error *error)
{
    MYSQL_STMT *statement = mysql_stmt_init(self->connection);
    if (!statement)
        return sw_fail_memory(error, "a statement", 0);
    enum sw_code code = SW_OK;
    if (mysql_stmt_prepare(statement, sql, (unsigned long)strlen(sql)))
        code = fail_statement(self, error);
    else if (mysql_stmt_field_count(statement) == 0)
        code = sw_fail(error, SW_ERR_USAGE, "%.300s: the statement gives no rows: a SELECT is expected", self->locator->shown);
    mysql_stmt_close(statement);
    return code;
}

enum sw_code sw_mariadb_row(struct sw_client_row *out, struct sw_mariadb *self, struct sw_error *error)
{
    *out = (struct sw_client_row){0};
    if (!self->result)
        return SW_END;
    MYSQL_ROW row = mysql_fetch_row(self->result);
    if (!row) {
        enum sw_code code = mysql_errno(self->connection) ? fail_statement(self, error) : SW_END;
        mysql_free_result(self->result);
        self->result = NULL;
        return code;
    }
    const unsigned long *lengths = mysql_fetch_lengths(self->result);
    for (size_t i = 0; i < self->column_count; i++)
        self->cells[i] = row[i] ? sw_bytes_of(row[i], lengths[i]) : (struct sw_bytes){0};
    *out = (struct sw_client_row){self->column_count, self->cells};
    return SW_OK;
}

const struct sw_client_column *sw_mariadb_columns(size_t *count, const struct sw_mariadb *self)
{
    *count = self->column_count;
    return self->columns;
}

void sw_mariadb_stop(struct sw_mariadb *self)
{
    if (!self->result)
        return;
    ask_to_stop(self); /* else freeing the result would read all that is left of it */
    mysql_free_result(self->result);
    self->result = NULL;
}

/* ---- the binary log ---- */

enum sw_code sw_mariadb_dump(struct sw_mariadb *self, const char *file, uint64_t position, struct sw_error *error)
{
    if (position > UINT32_MAX)
        return sw_fail(error, SW_ERR_UNSUPPORTED, "%.300s: the server's protocol can begin at a position up to 4294967295; begin at an earlier one, or by GTID", self->locator->shown);
    /* Not by mariadb_rpl_open, which makes a 1 of the number 0: then the server ends another reader that gave 1, as mariadb-binlog does. */
    struct sw_buffer request = {0};
    uint8_t head[10] = {(uint8_t)position, (uint8_t)(position >> 8), (uint8_t)(position >> 16), (uint8_t)(position >> 24), MARIADB_RPL_BINLOG_DUMP_NON_BLOCK};
    sw_buffer_add(&request, head, sizeof head);
    sw_buffer_add_text(&request, file ? file : "");
    self->number = 0;
    enum sw_code code = request.failed ? sw_fail_memory(error, "a request", request.len) : SW_OK;
    if (code == SW_OK && self->connection->methods->db_command(self->connection, COM_BINLOG_DUMP, (const char *)request.at, request.len, 1, NULL))
        code = fail_server(self, false, error);
    sw_buffer_free(&request);
    return code;
}

enum sw_code sw_mariadb_dump_next(struct sw_bytes *event, struct sw_mariadb *self, struct sw_error *error)
{
    unsigned long len = mysql_net_read_packet(self->connection);
    const uint8_t *at = self->connection->net.read_pos;
    if (len == packet_error)
        return fail_server(self, false, error);
    if (len && len < 9 && at[0] == 0xFE)
        return SW_END;
    if (!len || at[0] != 0)
        return sw_fail(error, SW_ERR_REMOTE, "%.300s: the server's answer is no event of its binary log", self->locator->shown);
    *event = sw_bytes_of(at + 1, len - 1);
    return SW_OK;
}

/* ---- names ---- */

void sw_mariadb_quote_name(struct sw_buffer *out, const char *name)
{
    sw_buffer_add_byte(out, '`');
    for (; *name; name++) {
        if (*name == '`')
            sw_buffer_add_byte(out, '`');
        sw_buffer_add_byte(out, (uint8_t)*name);
    }
    sw_buffer_add_byte(out, '`');
}

void sw_mariadb_quote_text(struct sw_buffer *out, struct sw_mariadb *self, struct sw_bytes text)
{
    sw_buffer_add_byte(out, '\'');
    if (text.len && sw_buffer_reserve(out, text.len * 2 + 1)) /* it knows whether the session reads backslashes */
        out->len += mysql_real_escape_string(self->connection, (char *)out->at + out->len, (const char *)text.at, (unsigned long)text.len);
    sw_buffer_add_byte(out, '\'');
}

static enum sw_code fail_table(struct sw_mariadb *self, const char *database, const char *table, struct sw_error *error)
{
    static const char sql[] = "SELECT CONCAT(table_schema, '.', table_name) FROM information_schema.tables WHERE table_schema NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys') ORDER BY 1 LIMIT 10000";
    struct sw_rows names = {0};
    (void)sw_mariadb_query(&names, self, sql, NULL); /* without it, no names are near */
    enum sw_code code = sw_fail_no_table(self->locator, database, table, "that this user can see", &names, error);
    sw_rows_free(&names);
    return code;
}

enum sw_code sw_mariadb_find_table(char **database, char **table, struct sw_mariadb *self, const char *wanted_database, const char *wanted_table, struct sw_error *error)
{
    struct sw_rows rows = {0};
    struct sw_buffer sql = {0};
    *database = *table = NULL;
    if (!wanted_database)
        wanted_database = self->locator->database;
    if (!wanted_database)
        return sw_fail(error, SW_ERR_USAGE, "%.300s: no database is given for table %.200s: write it behind the host, or as #DATABASE.TABLE", self->locator->shown, wanted_table);
    sw_buffer_add_text(&sql, "SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema = ");
    sw_mariadb_quote_text(&sql, self, sw_bytes_text(wanted_database));
    sw_buffer_add_text(&sql, " AND table_name = ");
    sw_mariadb_quote_text(&sql, self, sw_bytes_text(wanted_table));
    const char *text = sw_buffer_text(&sql);
    enum sw_code code = text ? sw_mariadb_query(&rows, self, text, error) : sw_fail_memory(error, "a statement", sql.len);
    if (code >= 0 && !rows.table.row_count)
        code = fail_table(self, wanted_database, wanted_table, error);
    if (code >= 0)
        code = sw_rows_table_name(database, table, &rows, error);
    sw_rows_free(&rows);
    sw_buffer_free(&sql);
    return code;
}
