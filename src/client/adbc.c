#include "client/adbc.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "client/adbc_driver.h"
#include "client/locator.h"

/* ---- the interface, as a driver sees it: layout and meaning are of ADBC 1.0.0 ---- */

typedef uint8_t adbc_status;
#define ADBC_OK 0
#define ADBC_NOT_IMPLEMENTED 2
#define ADBC_NOT_FOUND 3
#define ADBC_INVALID_ARGUMENT 5
#define ADBC_VERSION_1_0_0 1000000

struct adbc_driver;

struct adbc_error {
    char *message;
    int32_t vendor_code;
    char sqlstate[5];
    void (*release)(struct adbc_error *error);
};

/* A database, a connection or a statement. */
struct adbc_object {
    void *private_data;
    struct adbc_driver *private_driver;
};

typedef adbc_status (*object_fn)(struct adbc_object *, struct adbc_error *);
typedef adbc_status (*option_fn)(struct adbc_object *, const char *, const char *, struct adbc_error *);
typedef void (*unused_fn)(void);

/* Members that are not called here are only room. */
struct adbc_driver {
    void *private_data, *private_manager;
    adbc_status (*release)(struct adbc_driver *, struct adbc_error *);
    object_fn database_init, database_new;
    option_fn database_set_option;
    object_fn database_release;
    unused_fn connection_commit, connection_get_info, connection_get_objects, connection_get_table_schema, connection_get_table_types;
    adbc_status (*connection_init)(struct adbc_object *, struct adbc_object *, struct adbc_error *);
    object_fn connection_new;
    option_fn connection_set_option;
    unused_fn connection_read_partition;
    object_fn connection_release;
    unused_fn connection_rollback, statement_bind, statement_bind_stream;
    adbc_status (*statement_execute_query)(struct adbc_object *, struct ArrowArrayStream *, int64_t *, struct adbc_error *);
    unused_fn statement_execute_partitions, statement_get_parameter_schema;
    adbc_status (*statement_new)(struct adbc_object *, struct adbc_object *, struct adbc_error *);
    unused_fn statement_prepare;
    object_fn statement_release;
    option_fn statement_set_option;
    adbc_status (*statement_set_sql_query)(struct adbc_object *, const char *, struct adbc_error *);
    unused_fn statement_set_substrait_plan;
    unused_fn reserve[64]; /* for a driver that fills a later version's table whatever it was asked for */
};

typedef adbc_status (*driver_init_fn)(int version, void *driver, struct adbc_error *);

struct sw_adbc {
    struct adbc_driver driver;
    struct adbc_object database, connection, statement;
    struct ArrowArrayStream stream;
    struct ArrowSchema schema;
    const struct sw_adbc_option *options;
    size_t option_count;
    char *secrets[8];                     /* values that no message may show */
    size_t secret_count;
};

/* ---- messages ---- */

/* Appends a text on one line, without what is secret. */
static void add_clean(struct sw_buffer *out, const struct sw_adbc *self, const char *text)
{
    while (*text) {
        size_t hit = 0;
        for (size_t i = 0; i < self->secret_count && !hit; i++)
            if (strncmp(text, self->secrets[i], strlen(self->secrets[i])) == 0)
                hit = strlen(self->secrets[i]);
        if (hit)
            sw_buffer_add_text(out, "***");
        else
            sw_buffer_add_byte(out, (unsigned char)*text < ' ' ? ' ' : (uint8_t)*text);
        text += hit ? hit : 1;
    }
}

static enum sw_code fail_driver(const struct sw_adbc *self, const char *what, adbc_status status, struct adbc_error *said, struct sw_error *error)
{
    struct sw_buffer text = {0};
    add_clean(&text, self, said->message ? said->message : "the driver gives no reason");
    const char *clean = sw_buffer_text(&text);
    enum sw_code code = status == ADBC_NOT_IMPLEMENTED || status == ADBC_NOT_FOUND || status == ADBC_INVALID_ARGUMENT ? SW_ERR_USAGE : SW_ERR_REMOTE;
    sw_fail(error, code, "%s: %.600s", what, clean ? clean : "");
    sw_buffer_free(&text);
    if (said->release)
        said->release(said);
    *said = (struct adbc_error){0};
    return code;
}

/* ---- opening ---- */

/* AdbcDriverSqliteInit for libadbc_driver_sqlite.so, by the manager's rule. */
static void derive_entrypoint(struct sw_buffer *out, const char *library)
{
    const char *name = strrchr(library, '/');
    name = name ? name + 1 : library;
    name += strncmp(name, "lib", 3) == 0 ? 3 : 0;
    bool upper = true;
    for (; *name && *name != '.'; name++) {
        if (isalnum((unsigned char)*name)) {
            sw_buffer_add_byte(out, (uint8_t)(upper ? toupper((unsigned char)*name) : *name));
            upper = false;
        } else {
            upper = true;
        }
    }
    if (out->len < 4 || memcmp(out->at, "Adbc", 4) != 0) {
        struct sw_buffer with = {0};
        sw_buffer_add_text(&with, "Adbc");
        sw_buffer_add_bytes(&with, sw_buffer_view(out));
        with.failed |= out->failed;
        sw_buffer_free(out);
        *out = with;
    }
    sw_buffer_add_text(out, "Init");
}

static driver_init_fn symbol(void *library, const char *name)
{
    void *found = name && *name ? dlsym(library, name) : NULL;
    driver_init_fn function;
    memcpy(&function, &found, sizeof function); /* POSIX gives functions as objects */
    return function;
}

static driver_init_fn find_entrypoint(void *library, const struct sw_adbc_driver_file *file, const char *declared)
{
    struct sw_buffer derived = {0};
    derive_entrypoint(&derived, (const char *)file->library.at);
    driver_init_fn function = NULL;
    if (declared || file->entrypoint.len)
        function = symbol(library, declared ? declared : (const char *)file->entrypoint.at);
    else if (!(function = symbol(library, sw_buffer_text(&derived))) && !(function = symbol(library, "AdbcDriverInit")))
        function = symbol(library, "duckdb_adbc_init");
    sw_buffer_free(&derived);
    return function;
}

static const char *option_value(const struct sw_adbc *self, const char *name)
{
    for (size_t i = 0; i < self->option_count; i++)
        if (strcmp(self->options[i].name, name) == 0)
            return self->options[i].value;
    return NULL;
}

static enum sw_code load(struct sw_adbc *self, const char *driver, struct sw_error *error)
{
    struct sw_adbc_driver_file file = {0};
    struct adbc_error said = {0};
    enum sw_code code = sw_adbc_driver_find(&file, driver, error);
    if (code == SW_END)
        code = sw_fail(error, SW_ERR_USAGE, "no ADBC driver '%.200s' was found: its library or manifest is looked for in ADBC_DRIVER_PATH, ~/.config/adbc/drivers, /etc/adbc/drivers and where the loader looks; or give its path", driver);
    if (code == SW_OK && (sw_buffer_text(&file.entrypoint), file.entrypoint.failed))
        code = sw_fail_memory(error, "a driver's name", 0);
    void *library = code == SW_OK ? dlopen((const char *)file.library.at, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (code == SW_OK && !library)
        code = sw_fail(error, SW_ERR_UNSUPPORTED, "the driver's library cannot be loaded: %.400s", dlerror());
    driver_init_fn init = library ? find_entrypoint(library, &file, option_value(self, "entrypoint")) : NULL;
    if (library && !init)
        code = sw_fail(error, SW_ERR_UNSUPPORTED, "%.300s is no ADBC driver: it has none of the functions by which one is entered; entrypoint= names another", (const char *)file.library.at);
    adbc_status status = init ? init(ADBC_VERSION_1_0_0, &self->driver, &said) : ADBC_OK;
    if (init && status != ADBC_OK)
        code = fail_driver(self, "the driver does not start", status, &said, error);
    const struct adbc_driver *d = &self->driver;
    if (code == SW_OK && (!d->database_new || !d->database_set_option || !d->database_init || !d->database_release || !d->connection_new || !d->connection_set_option || !d->connection_init ||
                          !d->connection_release || !d->statement_new || !d->statement_set_sql_query || !d->statement_set_option || !d->statement_execute_query || !d->statement_release))
        code = sw_fail(error, SW_ERR_UNSUPPORTED, "%.300s lacks functions that every ADBC driver must have", (const char *)file.library.at);
    sw_adbc_driver_file_free(&file); /* the library stays: drivers keep threads and exit handlers */
    return code;
}

enum option_place { OF_DATABASE, OF_CONNECTION, OF_STATEMENT };

static enum option_place place_of(const char *name)
{
    return strncmp(name, "adbc.connection.", 16) == 0 ? OF_CONNECTION : strncmp(name, "adbc.statement.", 15) == 0 ? OF_STATEMENT : OF_DATABASE;
}

static enum sw_code set_options(struct sw_adbc *self, struct adbc_object *object, option_fn set, enum option_place place, struct sw_error *error)
{
    for (size_t i = 0; i < self->option_count; i++) {
        const struct sw_adbc_option *option = &self->options[i];
        struct adbc_error said = {0};
        if (place_of(option->name) != place || strcmp(option->name, "entrypoint") == 0)
            continue;
        adbc_status status = set(object, option->name, option->value, &said);
        if (status != ADBC_OK) {
            char what[160];
            snprintf(what, sizeof what, "the driver refuses the option %.100s", option->name);
            (void)fail_driver(self, what, status, &said, error);
            return SW_ERR_USAGE;
        }
    }
    return SW_OK;
}

static enum sw_code connect(struct sw_adbc *self, struct sw_error *error)
{
    struct adbc_error said = {0}, ignored = {0};
    struct adbc_driver *driver = &self->driver;
    adbc_status status = driver->database_new(&self->database, &said);
    if (status != ADBC_OK)
        return fail_driver(self, "the driver cannot make a database", status, &said, error);
    self->database.private_driver = driver;
    enum sw_code code = set_options(self, &self->database, driver->database_set_option, OF_DATABASE, error);
    if (code != SW_OK)
        return code;
    if ((status = driver->database_init(&self->database, &said)) != ADBC_OK)
        return fail_driver(self, "the database cannot be opened", status, &said, error);
    if ((status = driver->connection_new(&self->connection, &said)) != ADBC_OK)
        return fail_driver(self, "the driver cannot make a connection", status, &said, error);
    self->connection.private_driver = driver;
    code = set_options(self, &self->connection, driver->connection_set_option, OF_CONNECTION, error);
    if (code == SW_OK && (status = driver->connection_init(&self->connection, &self->database, &said)) != ADBC_OK)
        code = fail_driver(self, "the database cannot be reached", status, &said, error);
    /* where the driver knows how; where not, what is asked of it cannot write either */
    if (code == SW_OK && driver->connection_set_option(&self->connection, "adbc.connection.readonly", "true", &ignored) != ADBC_OK && ignored.release)
        ignored.release(&ignored);
    return code;
}

/* Values that must stand in no message: those of options with a secret's name, and the password in a URI. */
static bool keep_secrets(struct sw_adbc *self)
{
    bool kept = true;
    for (size_t i = 0; i < self->option_count && kept && self->secret_count < sizeof self->secrets / sizeof *self->secrets; i++) {
        const char *value = self->options[i].value, *from = value, *at = strstr(value, "://");
        size_t len = sw_locator_is_secret(self->options[i].name) ? strlen(value) : 0;
        if (!len && at) {
            const char *colon = strchr(at + 3, ':'), *end = strrchr(at, '@');
            if (colon && end && colon < end) {
                from = colon + 1;
                len = (size_t)(end - from);
            }
        }
        if (!len)
            continue;
        self->secrets[self->secret_count] = sw_strndup(from, len);
        kept = self->secrets[self->secret_count] != NULL;
        self->secret_count += kept;
    }
    return kept;
}

enum sw_code sw_adbc_open(struct sw_adbc **out, const char *driver, const struct sw_adbc_option *options, size_t option_count, struct sw_error *error)
{
    struct sw_adbc *self = sw_calloc(1, sizeof *self);
    *out = NULL;
    if (!self)
        return sw_fail_memory(error, "a connection", sizeof *self);
    self->options = options;
    self->option_count = option_count;
    enum sw_code code = keep_secrets(self) ? load(self, driver, error) : sw_fail_memory(error, "options", option_count);
    if (code == SW_OK)
        code = connect(self, error);
    if (code != SW_OK)
        sw_adbc_close(&self);
    *out = self;
    return code;
}

static void end_query(struct sw_adbc *self)
{
    struct adbc_error ignored = {0};
    if (self->schema.release)
        self->schema.release(&self->schema);
    if (self->stream.release)
        self->stream.release(&self->stream);
    self->schema = (struct ArrowSchema){0};
    self->stream = (struct ArrowArrayStream){0};
    if (self->statement.private_data && self->driver.statement_release(&self->statement, &ignored) != ADBC_OK && ignored.release)
        ignored.release(&ignored);
    self->statement = (struct adbc_object){0};
}

void sw_adbc_close(struct sw_adbc **connection)
{
    struct sw_adbc *self = *connection;
    struct adbc_error ignored = {0};
    *connection = NULL;
    if (!self)
        return;
    end_query(self);
    if (self->connection.private_data && self->driver.connection_release(&self->connection, &ignored) != ADBC_OK && ignored.release)
        ignored.release(&ignored);
    ignored = (struct adbc_error){0};
    if (self->database.private_data && self->driver.database_release(&self->database, &ignored) != ADBC_OK && ignored.release)
        ignored.release(&ignored);
    ignored = (struct adbc_error){0};
    if (self->driver.release && self->driver.release(&self->driver, &ignored) != ADBC_OK && ignored.release)
        ignored.release(&ignored);
    for (size_t i = 0; i < self->secret_count; i++) {
        explicit_bzero(self->secrets[i], strlen(self->secrets[i]));
        sw_free(self->secrets[i]);
    }
    sw_free(self);
}

bool sw_adbc_is_there(const char *driver)
{
    struct sw_adbc_driver_file file = {0};
    bool found = sw_adbc_driver_find(&file, driver, NULL) == SW_OK;
    sw_adbc_driver_file_free(&file);
    return found;
}

/* ---- reading ---- */

static enum sw_code fail_stream(struct sw_adbc *self, const char *what, int failed, struct sw_error *error)
{
    struct sw_buffer text = {0};
    const char *said = self->stream.get_last_error ? self->stream.get_last_error(&self->stream) : NULL;
    add_clean(&text, self, said ? said : strerror(failed));
    const char *clean = sw_buffer_text(&text);
    sw_fail(error, failed == ENOMEM ? SW_ERR_MEMORY : SW_ERR_REMOTE, "%s: %.600s; nothing is claimed", what, clean ? clean : "");
    sw_buffer_free(&text);
    return failed == ENOMEM ? SW_ERR_MEMORY : SW_ERR_REMOTE;
}

enum sw_code sw_adbc_query(const struct ArrowSchema **schema, struct sw_adbc *self, const char *sql, struct sw_error *error)
{
    struct adbc_error said = {0};
    end_query(self);
    adbc_status status = self->driver.statement_new(&self->connection, &self->statement, &said);
    self->statement.private_driver = &self->driver;
    enum sw_code code = status == ADBC_OK ? set_options(self, &self->statement, self->driver.statement_set_option, OF_STATEMENT, error)
                                          : fail_driver(self, "the driver cannot make a statement", status, &said, error);
    if (code == SW_OK && (status = self->driver.statement_set_sql_query(&self->statement, sql, &said)) != ADBC_OK)
        code = fail_driver(self, "the query is refused", status, &said, error);
    if (code == SW_OK && (status = self->driver.statement_execute_query(&self->statement, &self->stream, NULL, &said)) != ADBC_OK)
        code = fail_driver(self, "the query fails", status, &said, error);
    if (code != SW_OK)
        return code;
    int failed = self->stream.get_schema ? self->stream.get_schema(&self->stream, &self->schema) : EINVAL;
    if (failed)
        return fail_stream(self, "the columns of the answer cannot be read", failed, error);
    *schema = &self->schema;
    return SW_OK;
}

enum sw_code sw_adbc_next(struct ArrowArray *out, struct sw_adbc *self, struct sw_error *error)
{
    *out = (struct ArrowArray){0};
    int failed = self->stream.get_next(&self->stream, out);
    if (failed)
        return fail_stream(self, "reading failed", failed, error);
    return out->release ? SW_OK : SW_END;
}
