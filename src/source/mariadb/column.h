/* Columns of a table whose rows stand in a binary log: what the log says of them (always their types; with binlog_row_metadata=FULL names, signs, character sets, labels), and what the catalogue says today.
 * Pure: no connection is needed. Source of the rules: MySQL's internals, "Table_map_log_event" and its optional metadata (signs, character sets, names, labels); MariaDB's manual, "Rows_event_v1", "binlog_row_metadata". */
#ifndef SW_SOURCE_MARIADB_COLUMN_H
#define SW_SOURCE_MARIADB_COLUMN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "source/mariadb/charset.h"

#define SW_BINLOG_COLUMNS_MAX 4096u

/* The numbers of types, as the log has them. */
enum sw_binlog_type {
    SW_BINLOG_TINY = 1, SW_BINLOG_SHORT = 2, SW_BINLOG_LONG = 3, SW_BINLOG_FLOAT = 4, SW_BINLOG_DOUBLE = 5, SW_BINLOG_NULL = 6, SW_BINLOG_TIMESTAMP = 7, SW_BINLOG_LONGLONG = 8, SW_BINLOG_INT24 = 9,
    SW_BINLOG_DATE = 10, SW_BINLOG_TIME = 11, SW_BINLOG_DATETIME = 12, SW_BINLOG_YEAR = 13, SW_BINLOG_NEWDATE = 14, SW_BINLOG_VARCHAR = 15, SW_BINLOG_BIT = 16, SW_BINLOG_TIMESTAMP2 = 17, SW_BINLOG_DATETIME2 = 18,
    SW_BINLOG_TIME2 = 19, SW_BINLOG_BLOB_COMPRESSED = 140, SW_BINLOG_VARCHAR_COMPRESSED = 141, SW_BINLOG_JSON = 245, SW_BINLOG_NEWDECIMAL = 246, SW_BINLOG_ENUM = 247, SW_BINLOG_SET = 248, SW_BINLOG_BLOB = 252,
    SW_BINLOG_VAR_STRING = 253, SW_BINLOG_STRING = 254, SW_BINLOG_GEOMETRY = 255
};

/* What the bytes of a column stand for, where its type does not say it. */
enum sw_binlog_meaning { SW_BINLOG_PLAIN, SW_BINLOG_UUID, SW_BINLOG_INET4, SW_BINLOG_INET6 };

struct sw_binlog_column {
    char *name;                /* NULL: not known */
    uint8_t type;              /* enum sw_binlog_type; of ENUM and SET these, though the log calls them STRING */
    uint16_t size;             /* CHAR, BINARY, VARCHAR: bytes at most; BLOB, JSON, ENUM, SET: bytes of the length, or of the number; BIT: bits; DECIMAL: digits; FLOAT, DOUBLE: bytes */
    uint8_t scale;             /* DECIMAL: digits behind the point; TIME, DATETIME, TIMESTAMP: digits of the second */
    bool without_sign;
    enum sw_binlog_meaning meaning;
    char *charset;             /* NULL: none, its bytes are no text */
    char **labels;             /* ENUM, SET: in UTF-8 */
    size_t label_count;
};

void sw_binlog_columns_free(struct sw_binlog_column **columns, size_t *count);

/* What the catalogue says of a column, as information_schema.columns has it (an absent text has at == NULL), and the type's number and sizes that follow from it. SW_ERR_UNSUPPORTED for a type that is not known here. */
struct sw_binlog_described {
    struct sw_bytes data_type, column_type, charset;
    uint64_t octets;           /* character_octet_length */
    uint64_t precision, scale; /* numeric_…; scale also datetime_precision */
};
enum sw_code sw_binlog_column_describe(struct sw_binlog_column *out, struct sw_binlog_charsets *charsets, const struct sw_binlog_described *described, struct sw_error *error);
/* The catalogue's spelling of its kind: "decimal(12,2)", "varchar of 800 bytes". */
void sw_binlog_column_print(struct sw_buffer *out, const struct sw_binlog_column *column);

/* The names of character sets by the numbers of collations, sorted by number. */
struct sw_binlog_collation { uint32_t id; char charset[32]; };

/* What a table map says. Zero-initialise; sw_binlog_table_map_free. */
struct sw_binlog_table_map {
    uint64_t id;
    struct sw_bytes database, table; /* borrowed of the event */
    struct sw_bytes rest;            /* from the number of columns on */
};
/* Reads the head of a table map's body: SW_ERR_REMOTE if it is none. */
enum sw_code sw_binlog_table_map_read(struct sw_binlog_table_map *out, struct sw_bytes body, struct sw_error *error);

/* The columns as the log describes them, with what the catalogue adds: all of a column where the log has no names (then types must fit, column by column), its meaning where it has. */
struct sw_binlog_catalogue {
    const struct sw_binlog_column *columns;
    size_t count;
    const struct sw_binlog_collation *collations;
    size_t collation_count;
    bool mariadb;              /* it gives geometries a place among the character sets, MySQL does not */
};
/* SW_ERR_REMOTE: malformed; SW_ERR_INPUT: not the table that the catalogue describes (the text says which column); SW_ERR_UNSUPPORTED; SW_ERR_MEMORY. *named: the log has the names. */
enum sw_code sw_binlog_columns_read(struct sw_binlog_column **out, size_t *count, bool *named, struct sw_binlog_charsets *charsets, struct sw_bytes rest, const struct sw_binlog_catalogue *catalogue, struct sw_error *error);

#endif
