/* Locators of databases and brokers: read once, kept in parts, and shown without what is secret.
 *
 *     postgresql://user@host:5432/shop?sslmode=verify-full#public.orders     (postgres:// is the same)
 *     postgresql://user@host/shop?slot=NAME&publication=NAME&read=peek     the changes of a logical replication slot
 *     service=shop#public.orders          libpq's own connection text: it begins with one of its keywords
 *     mysql://user@host:3306/shop?ssl-ca=ca.pem#shop.orders                  (mariadb:// is the same)
 *     mysql://user@host/shop?binlog=FILE:POSITION#orders                  the changes of a table in the binary log
 *     kafka://broker1:9092,broker2:9092/topic?security.protocol=SSL
 *     sqlite:shop.db#orders
 *
 * Parts are percent-encoded where they hold : / ? # @ & = % or a dot inside a table's name (%2E). A password may stand in a
 * locator, but the files and variables that the client libraries read (pgpass, service and option files) keep it out of
 * the list of processes. Nothing here prints it: `shown` is the only form of a locator that may reach a report, a log or a
 * message, and sw_locator_redact takes secrets out of what a library says. */
#ifndef SW_CLIENT_LOCATOR_H
#define SW_CLIENT_LOCATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

enum sw_locator_system { SW_SYSTEM_POSTGRES, SW_SYSTEM_MARIADB, SW_SYSTEM_KAFKA, SW_SYSTEM_SQLITE };

struct sw_locator_parameter {
    char *name, *value; /* decoded */
};

/* What is not given is NULL; texts are decoded, NUL-terminated and hold no other NUL. */
struct sw_locator {
    enum sw_locator_system system;
    char *scheme;                 /* as it was written: "postgresql", "mysql" …; "conninfo" for libpq's own text */
    char *user, *password;
    char *host;                   /* mariadb: the one host. postgres and kafka: the list as it was written */
    uint16_t port;                /* mariadb; 0 = not given */
    char *database;               /* postgres, mariadb; sqlite: the path of the file */
    char *topic;                  /* kafka */
    char *schema, *table;         /* of the fragment, #schema.table or #table */
    struct sw_locator_parameter *parameters;
    size_t parameter_count;
    char *connection;             /* postgres: what libpq is given, without the fragment and without slot, publication and read. Secret */
    char *shown;                  /* the locator with *** for each secret */
};

#define SW_LOCATOR_MAX ((size_t)8192)

/* Whether a text names a database or a broker, and not a file. Looks at its beginning only. */
bool sw_locator_is_remote(const char *text);

/* Reads a locator. SW_ERR_USAGE with a text that repeats nothing secret; SW_ERR_MEMORY. `*out` is the caller's
 * (sw_locator_free) on success, and empty on failure. */
enum sw_code sw_locator_parse(struct sw_locator *out, const char *text, struct sw_error *error);
void sw_locator_free(struct sw_locator *locator);

/* The value of a parameter (of the part after '?'), the last one if it is given twice; NULL if it is not given. */
const char *sw_locator_parameter(const struct sw_locator *locator, const char *name);

/* Whether a parameter of that name holds a secret: passwords, tokens, private keys. */
bool sw_locator_is_secret(const char *name);

/* Appends `text` in one line (line breaks become blanks), with *** for each secret of the locator, however it was encoded. */
void sw_locator_redact(struct sw_buffer *out, const struct sw_locator *locator, const char *text);

#endif
