/* The head of an event, and the parts of those events that have a fixed form. Pure. Source of the rules: as in binlog.h. */
#ifndef SW_SOURCE_MARIADB_EVENT_H
#define SW_SOURCE_MARIADB_EVENT_H

#include "source/mariadb/bytes.h"
#include "base/error.h"

enum sw_binlog_event_type {
    SW_BINLOG_QUERY = 2, SW_BINLOG_ROTATE = 4, SW_BINLOG_FORMAT = 15, SW_BINLOG_XID = 16, SW_BINLOG_LOAD = 18, SW_BINLOG_TABLE_MAP = 19, SW_BINLOG_WRITE_1 = 23, SW_BINLOG_UPDATE_1 = 24, SW_BINLOG_DELETE_1 = 25,
    SW_BINLOG_INCIDENT = 26, SW_BINLOG_WRITE_2 = 30, SW_BINLOG_UPDATE_2 = 31, SW_BINLOG_DELETE_2 = 32, SW_BINLOG_GTID_MYSQL = 33, SW_BINLOG_ANONYMOUS = 34, SW_BINLOG_XA_PREPARE = 38, SW_BINLOG_PARTIAL_UPDATE = 39,
    SW_BINLOG_PAYLOAD = 40, SW_BINLOG_GTID_TAGGED = 42, SW_BINLOG_GTID_MARIADB = 162, SW_BINLOG_QUERY_COMPRESSED = 165, SW_BINLOG_WRITE_1_COMPRESSED = 166, SW_BINLOG_UPDATE_1_COMPRESSED = 167,
    SW_BINLOG_DELETE_1_COMPRESSED = 168, SW_BINLOG_WRITE_2_COMPRESSED = 169, SW_BINLOG_UPDATE_2_COMPRESSED = 170, SW_BINLOG_DELETE_2_COMPRESSED = 171
};

struct sw_binlog_event {
    uint8_t type;
    uint32_t seconds, server, next; /* next: where it ends in its file, the low 32 bits; 0 of one that stands in no file */
    uint16_t flags;
    struct sw_bytes body;           /* without head and checksum */
    uint64_t len;                   /* of all of it */
};

#define SW_BINLOG_ARTIFICIAL 0x20u

/* What a format description says of the events behind it. */
struct sw_binlog_format { bool known, checksums; };

/* Reads the head, looks at the checksum where the format has them, and, of a format description, sets *format. SW_ERR_REMOTE: malformed or damaged; SW_ERR_UNSUPPORTED: a log of a server before MySQL 5.1. */
enum sw_code sw_binlog_event_read(struct sw_binlog_event *out, struct sw_binlog_format *format, struct sw_bytes bytes, struct sw_error *error);

struct sw_binlog_query { struct sw_bytes database, statement; };
/* Of QUERY, LOAD and QUERY_COMPRESSED (whose statement is packed). False: malformed. */
bool sw_binlog_query_read(struct sw_binlog_query *out, const struct sw_binlog_event *event);

enum sw_binlog_change { SW_BINLOG_WRITE, SW_BINLOG_UPDATE, SW_BINLOG_DELETE };
struct sw_binlog_rows {
    uint64_t table_id;
    enum sw_binlog_change change;
    bool packed;                    /* `rows` are compressed */
    uint64_t column_count;
    const uint8_t *before, *after;  /* a bit a column: which the images have; the same bits where there is one image */
    struct sw_bytes rows;
};
/* Is it an event of rows? / Reads it; false: malformed. */
bool sw_binlog_is_rows(uint8_t type);
bool sw_binlog_rows_read(struct sw_binlog_rows *out, const struct sw_binlog_event *event);

/* The bytes of QUERY_COMPRESSED's statement and of compressed rows: how long they are unpacked, and where they begin. False: malformed. */
bool sw_binlog_packed_read(uint64_t *len, struct sw_bytes *bytes);

#endif
