/* Character sets of columns, by the server's names, to UTF-8. Source of the rules: MariaDB's manual, "Supported Character Sets"; MySQL's, "The latin1 character set" (it is cp1252, and its five holes are
 * the control characters of their numbers). */
#ifndef SW_SOURCE_MARIADB_CHARSET_H
#define SW_SOURCE_MARIADB_CHARSET_H

#include "base/buffer.h"
#include "base/error.h"

#define SW_BINLOG_CONVERTERS_MAX 16

/* Converters that are open. Zero-initialise; one thread at a time. */
struct sw_binlog_charsets {
    struct sw_binlog_converter {
        char name[32];
        void *handle;
    } open[SW_BINLOG_CONVERTERS_MAX];
    size_t count;
    struct sw_buffer text;
};

/* The text in UTF-8, borrowed: as it stands where the set is UTF-8 (also if it is none: the reader of the record says so), else in charsets->text until the next call. `name`: the server's name of the set,
 * in lower case. SW_ERR_UNSUPPORTED: a set that is not known here; SW_ERR_INPUT: bytes that are none of it. */
enum sw_code sw_binlog_to_utf8(struct sw_bytes *out, struct sw_binlog_charsets *charsets, const char *name, struct sw_bytes text, struct sw_error *error);
void sw_binlog_charsets_free(struct sw_binlog_charsets *charsets);

#endif
