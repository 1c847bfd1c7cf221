/* Values of rows as the binary log has them, as JSON that reads back to what the server's own text would: numbers bare and exact, bytes in hexadecimal digits, times as text (TIMESTAMP in UTC), JSON as text.
 * Pure. Source of the rules: MySQL's internals, "Rows_event" (row image, TIME2 and its like, NEWDECIMAL), json_binary.h of mysql-server; MariaDB's manual, "Storage-Engine Independent Column Compression", seen in what
 * MariaDB 10.11 wrote. */
#ifndef SW_SOURCE_MARIADB_VALUE_H
#define SW_SOURCE_MARIADB_VALUE_H

#include "source/mariadb/bytes.h"
#include "source/mariadb/column.h"

enum sw_binlog_presence { SW_BINLOG_ABSENT /* the image leaves the column out */, SW_BINLOG_IS_NULL, SW_BINLOG_THERE };

struct sw_binlog_value {
    enum sw_binlog_presence presence;
    struct sw_bytes bytes;     /* without a length before them */
};

/* Takes one row image apart: its bits of NULL, then the values of the columns that `present` has (a bit a column). False: it is none. */
bool sw_binlog_row_split(struct sw_binlog_value *values, const struct sw_binlog_column *columns, size_t count, const uint8_t *present, struct sw_binlog_bytes *from);

/* Room for values. Zero-initialise; sw_binlog_room_free. */
struct sw_binlog_room {
    struct sw_binlog_charsets charsets;
    struct sw_buffer bytes, text;
    size_t bytes_max;          /* how large a value may become, unpacked */
};
void sw_binlog_room_free(struct sw_binlog_room *room);

/* Appends the value as JSON. SW_ERR_LIMIT: larger than room->bytes_max; SW_ERR_REMOTE: it is none of its type; SW_ERR_UNSUPPORTED, SW_ERR_INPUT of a character set; SW_ERR_MEMORY. What was appended is then of no use. */
enum sw_code sw_binlog_value_write(struct sw_buffer *out, const struct sw_binlog_column *column, struct sw_bytes value, struct sw_binlog_room *room, struct sw_error *error);

/* Unpacks deflated bytes; `raw`: without zlib's head. SW_ERR_LIMIT above `len_max`, SW_ERR_REMOTE if they are none or not `len` bytes. */
enum sw_code sw_binlog_inflate(struct sw_buffer *out, struct sw_bytes packed, uint64_t len, bool raw, size_t len_max, struct sw_error *error);

/* MySQL's binary JSON as JSON text, appended. SW_ERR_REMOTE: it is none. */
enum sw_code sw_binlog_json_write(struct sw_buffer *out, struct sw_bytes binary, struct sw_error *error);
/* A packed decimal and packed times, which binary JSON has, too; false: too short. */
bool sw_binlog_write_decimal(struct sw_buffer *out, struct sw_bytes bytes, unsigned precision, unsigned scale);
void sw_binlog_write_date(struct sw_buffer *out, unsigned year, unsigned month, unsigned day);

#endif
