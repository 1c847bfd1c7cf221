/* ADBC: any database for which there is a driver, as batches of Arrow columns. The driver is a shared library that is loaded when it is asked for; nothing
 * is linked. Source of the interface: Apache Arrow ADBC, "C API" (version 1.0.0 of the driver's table) and "Driver Manifests".
 *
 * A driver is named by the path of its library or manifest (it has a '/', or ends in .so or .toml), or by its name alone: then NAME.toml, libadbc_driver_NAME.so
 * and libNAME.so are looked for in the folders of ADBC_DRIVER_PATH, ~/.config/adbc/drivers and /etc/adbc/drivers, and the two libraries where the loader looks.
 *
 * Options whose names begin with adbc.connection. are set on the connection, those with adbc.statement. on the statement, all others on the database; `entrypoint` names the
 * library's function. One thread at a time for a connection. Messages hold none of the texts named secret. */
#ifndef SW_CLIENT_ADBC_H
#define SW_CLIENT_ADBC_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buffer.h"
#include "base/error.h"
#include "client/arrow.h"

struct sw_adbc;

struct sw_adbc_option {
    const char *name, *value;
};

/* Loads the driver, opens a database and a connection. SW_ERR_USAGE: no such driver (the text says where it was looked for), an option that it refuses;
 * SW_ERR_UNSUPPORTED: a library that is no driver; SW_ERR_REMOTE: what the driver says. SW_ERR_MEMORY. The library stays loaded until the process ends; `options` must live as long as the connection. */
enum sw_code sw_adbc_open(struct sw_adbc **out, const char *driver, const struct sw_adbc_option *options, size_t option_count, struct sw_error *error);
/* Ends what runs and closes; accepts NULL. Batches must be released before. */
void sw_adbc_close(struct sw_adbc **connection);

/* Is there a library for this driver's name? Loads nothing. */
bool sw_adbc_is_there(const char *driver);

/* Begins a query. *schema stays valid until the connection is closed, or the next query. */
enum sw_code sw_adbc_query(const struct ArrowSchema **schema, struct sw_adbc *connection, const char *sql, struct sw_error *error);
/* The next batch, the caller's (out->release). SW_END behind the last one; SW_ERR_REMOTE. */
enum sw_code sw_adbc_next(struct ArrowArray *out, struct sw_adbc *connection, struct sw_error *error);

#endif
