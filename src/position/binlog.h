/* MySQL's and MariaDB's binary log coordinates. No allocation, any thread. */
#ifndef SW_POSITION_BINLOG_H
#define SW_POSITION_BINLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"

#define SW_BINLOG_SUFFIX_MAX 2147483647u
/* The head of a file: the first event follows the four magic bytes. */
#define SW_BINLOG_HEAD 4u

struct sw_binlog_file {
    struct sw_bytes base; /* borrowed from the input: "mysql-bin" */
    uint64_t suffix;      /* compares as a number: 1000000 comes after 999999 */
};

/* "BASE.NNNNNN", split at the last dot; the suffix has 1 to 10 digits and is at most 2147483647 (MySQL manual, "The Binary
 * Log"; sql/binlog.cc). False, and *out untouched, for anything else. */
bool sw_binlog_file_parse(struct sw_binlog_file *out, const uint8_t *at, size_t len);

#endif
