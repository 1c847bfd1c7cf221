/* Where the library of an ADBC driver is, and by which function it is entered. */
#ifndef SW_CLIENT_ADBC_DRIVER_H
#define SW_CLIENT_ADBC_DRIVER_H

#include <stdbool.h>

#include "base/buffer.h"
#include "base/error.h"

struct sw_adbc_driver_file {
    struct sw_buffer library;      /* a path, or a name for the loader; ended by a NUL */
    struct sw_buffer entrypoint;   /* empty: not told */
};

/* SW_ERR_USAGE: a manifest that names no library for this machine, or that cannot be read. SW_END: the driver was found nowhere. SW_ERR_MEMORY. */
enum sw_code sw_adbc_driver_find(struct sw_adbc_driver_file *out, const char *driver, struct sw_error *error);
void sw_adbc_driver_file_free(struct sw_adbc_driver_file *file);

/* Reads a manifest's text: the library for this machine, and the function. False if it names none. (TOML: tables and texts on one line, which is all that manifests hold.) */
bool sw_adbc_manifest_read(struct sw_adbc_driver_file *out, struct sw_bytes text);

#endif
