/* What the parts of the Avro decoder share: the schema as nodes, and a cursor over binary data. */
#ifndef SW_SOURCE_FILE_AVRO_PART_H
#define SW_SOURCE_FILE_AVRO_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "model/field_tree.h"

#define SW_AVRO_DEPTH_MAX 64            /* of schemas, and of values (a schema may name itself) */
#define SW_AVRO_NODES_MAX 65536u
#define SW_AVRO_SCHEMA_BYTES_MAX ((size_t)1 << 20)
#define SW_AVRO_DECIMAL_BYTES_MAX 1024u /* of one decimal: about 2,466 digits */

enum sw_avro_kind {
    SW_AVRO_NULL, SW_AVRO_BOOLEAN, SW_AVRO_INT, SW_AVRO_LONG, SW_AVRO_FLOAT, SW_AVRO_DOUBLE, SW_AVRO_BYTES, SW_AVRO_STRING,
    SW_AVRO_RECORD, SW_AVRO_ENUM, SW_AVRO_ARRAY, SW_AVRO_MAP, SW_AVRO_UNION, SW_AVRO_FIXED
};

/* What a value means beyond its kind: Avro's logical types, Datastream's two own, and Datastream's records that stand for one value. */
enum sw_avro_meaning {
    SW_AVRO_PLAIN, SW_AVRO_DECIMAL, SW_AVRO_NUMBER, SW_AVRO_UUID, SW_AVRO_DATE, SW_AVRO_TIME_MILLIS, SW_AVRO_TIME_MICROS, SW_AVRO_TIME_INTERVAL,
    SW_AVRO_TIMESTAMP_MILLIS, SW_AVRO_TIMESTAMP_MICROS, SW_AVRO_TIMESTAMP_NANOS, SW_AVRO_LOCAL_MILLIS, SW_AVRO_LOCAL_MICROS, SW_AVRO_LOCAL_NANOS,
    SW_AVRO_VARCHAR, SW_AVRO_TIMESTAMP_TZ, SW_AVRO_DATETIME, SW_AVRO_CALENDAR_DATE, SW_AVRO_YEAR, SW_AVRO_TIME_TZ
};

#define SW_AVRO_NO_NODE UINT32_MAX

struct sw_avro_node {
    uint8_t kind, meaning;
    bool empty;                    /* its values have no bytes */
    uint32_t scale;                /* decimals */
    uint32_t size;                 /* fixed */
    uint32_t first, count;         /* children: fields of a record, branches of a union, the items, the values of a map, symbols of an enum */
    uint32_t name_at, name_len;    /* records, enums, fixed: the full name, in `texts` */
};

struct sw_avro_child {
    uint32_t node;                 /* SW_AVRO_NO_NODE: a symbol */
    uint32_t next;                 /* of the same parent; SW_AVRO_NO_NODE: the last */
    uint32_t text_at, text_len;    /* fields: `"name":`; symbols: `"symbol"`; in `texts` */
    uint32_t name_at, name_len;    /* fields: the name unescaped */
};

struct sw_avro_schema {
    struct sw_avro_node *nodes;
    struct sw_avro_child *children;
    uint32_t node_count, node_capacity, child_count, child_capacity;
    struct sw_buffer texts;
    uint32_t root;
};

/* SW_ERR_INPUT with what is wrong; SW_ERR_LIMIT; SW_ERR_MEMORY. sw_avro_schema_free in any case. */
enum sw_code sw_avro_schema_parse(struct sw_avro_schema *out, struct sw_bytes json, struct sw_error *error);
void sw_avro_schema_free(struct sw_avro_schema *schema);
/* Of what stands in the objects that its records become. NULL if memory ran out. */
struct sw_field_tree *sw_avro_schema_fields(const struct sw_avro_schema *schema);

static inline struct sw_bytes sw_avro_text(const struct sw_avro_schema *schema, uint32_t at, uint32_t len) { return sw_bytes_of(schema->texts.at + at, len); }

struct sw_avro_cursor {
    const uint8_t *at, *end;
    const char *why;               /* static: what is damaged */
};

/* False: cut, or longer than 64 bits. */
bool sw_avro_long(int64_t *out, struct sw_avro_cursor *cursor);

/* Where a record's JSON goes. Beyond `limit` bytes nothing more is kept; `over` says so. */
struct sw_avro_line {
    struct sw_buffer *out;
    size_t begin, limit;
    bool over;
};

/* Appends the value at the cursor as JSON. False: damaged, and cursor->why says how. */
bool sw_avro_value(struct sw_avro_line *line, const struct sw_avro_schema *schema, uint32_t node, struct sw_avro_cursor *cursor, unsigned depth);

/* Unpacks one block. `out` is cleared first; at most `most` bytes are allowed. SW_ERR_INPUT with *why, SW_ERR_LIMIT, SW_ERR_MEMORY. */
struct sw_avro_codec {
    const char *name;
    enum sw_code (*unpack)(struct sw_buffer *out, struct sw_bytes stored, size_t most, const char **why); /* NULL: not in this build, or nothing to do for "null" */
};
/* By name, or NULL if it is unknown. */
const struct sw_avro_codec *sw_avro_codec_find(struct sw_bytes name);

#endif
