/* pgoutput: the messages of PostgreSQL's own output plugin, as the JSON lines that wal2json's format version 2 has. Source of the rules: PostgreSQL's documentation, "Logical Replication
 * Message Formats" (protocol version 1). Pure: no connection is needed. */
#ifndef SW_SOURCE_POSTGRES_PGOUTPUT_H
#define SW_SOURCE_POSTGRES_PGOUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"

/* What has to be known of a type besides its number: under a domain stands its base type, in an array its elements. */
struct sw_pgoutput_type {
    uint32_t oid, base;       /* base: itself if it is no domain; 25 (text) for an enum */
    uint32_t element;         /* not 0: an array of these (base types) */
};

struct sw_pgoutput_column {
    char *name;
    uint32_t type;
    bool key;                 /* of the replica identity */
};

struct sw_pgoutput_relation {
    uint32_t id;
    char *schema, *table;
    struct sw_pgoutput_column *columns;
    uint32_t column_count;
};

/* Zero-initialise; sw_pgoutput_free. `types` is the caller's, sorted by oid. */
struct sw_pgoutput {
    const struct sw_pgoutput_type *types; size_t type_count;
    struct sw_pgoutput_relation *relations; uint32_t relation_count, relation_capacity;
    uint32_t *relation_slots; /* by id: an index and one, 0 for none; open addressing, twice as many as there is room for */
    uint32_t xid;             /* of the transaction being read; 0: none */
    char problem[160];
};

enum sw_pgoutput_status { SW_PGOUTPUT_OK, SW_PGOUTPUT_MALFORMED /* problem */, SW_PGOUTPUT_NO_MEMORY };

/* Appends what a message says as none, one or several lines. `lsn` is the message's own position, as "0/16B3748"; lines of begin and commit have
 * the commit's instead. */
enum sw_pgoutput_status sw_pgoutput_message(struct sw_buffer *out, struct sw_pgoutput *self, struct sw_bytes message, struct sw_bytes lsn);
void sw_pgoutput_free(struct sw_pgoutput *self);

/* Appends a value as PostgreSQL prints it, as JSON: numbers and booleans bare, arrays as arrays, all else as text. False: it is no array though its type is one, and nothing is appended. */
bool sw_pgoutput_value(struct sw_buffer *out, const struct sw_pgoutput *self, uint32_t type, struct sw_bytes text);

#endif
