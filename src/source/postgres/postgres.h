/* What the files of the source postgres share. Source of the rules: PostgreSQL's documentation, "COPY" (binary format), "Transaction snapshots", and the send functions of its types. */
#ifndef SW_SOURCE_POSTGRES_H
#define SW_SOURCE_POSTGRES_H

#include "client/postgres.h"
#include "source/connector.h"

/* How a column of the binary format is read. */
enum sw_postgres_decoder {
    SW_POSTGRES_TEXT, SW_POSTGRES_CAST /* any other type, as its own output */, SW_POSTGRES_ARRAY /* as JSON text */, SW_POSTGRES_BOOL, SW_POSTGRES_INT2, SW_POSTGRES_INT4, SW_POSTGRES_INT8, SW_POSTGRES_OID,
    SW_POSTGRES_FLOAT4, SW_POSTGRES_FLOAT8, SW_POSTGRES_NUMERIC, SW_POSTGRES_BYTES, SW_POSTGRES_UUID, SW_POSTGRES_DATE, SW_POSTGRES_TIME, SW_POSTGRES_TIMESTAMP, SW_POSTGRES_TIMESTAMPTZ, SW_POSTGRES_JSONB
};

/* What the rows of a table or query are made of: names, types, the select list that gives them in a form that is known here, and how each is decoded. */
struct sw_postgres_shape {
    struct sw_row_columns columns;      /* ctx is the shape */
    struct sw_field_tree *fields;
    uint8_t *decoders;                  /* one a column: enum sw_postgres_decoder */
    const char **key_casts;             /* of each column: as an array of which type keys are asked for; NULL: they are not. Static texts */
    struct sw_buffer list;              /* "a, b::text, to_json(c)::text" */
};

/* SW_ERR_REMOTE in the place of a failure of the server to give a lock: which tables are locked, and by whom, as far as this user may know. Ends the transaction. */
enum sw_code sw_postgres_tell_lock(struct sw_postgres *connection, const char *shown, uint64_t waited_ms, struct sw_error *error);

/* What is to be said of a table that is more, or less, than a table: others that inherit from it, a materialized view, foreign rows. A line each. */
enum sw_code sw_postgres_tell_kind(struct sw_buffer *told, struct sw_postgres *connection, const char *schema, const char *table, struct sw_error *error);
/* A table was refused with `code` (SQLSTATE 42501): if this user may read some of its columns, *error says which not, and how to read the others. Ends the transaction. Returns `code`. */
enum sw_code sw_postgres_tell_columns(struct sw_postgres *connection, const char *shown, const char *schema, const char *table, enum sw_code code, struct sw_error *error);

/* Reads the columns that `from` (a table's name, or a query in parentheses with an alias) gives. Inside a transaction. */
enum sw_code sw_postgres_shape_read(struct sw_postgres_shape *out, struct sw_postgres *connection, const char *from, struct sw_error *error);
/* The primary key of a table, else the index of its replica identity; none is no error. */
enum sw_code sw_postgres_shape_read_key(struct sw_postgres_shape *shape, struct sw_postgres *connection, const char *schema, const char *table, struct sw_error *error);
void sw_postgres_shape_free(struct sw_postgres_shape *shape);
/* sw_row_columns.next: a row as sw_postgres_reading writes it, its length in 4 bytes before it; UINT32_MAX and 8 bytes: one that is too long. */
bool sw_postgres_row_next(struct sw_token *tokens, struct sw_row_cursor *cursor, const void *ctx);

/* One COPY being read. Zero-initialise. */
struct sw_postgres_copying {
    bool begun, ended;                  /* the header, the trailer */
};
/* Appends one chunk of a binary COPY to a block, as rows. SW_ERR_REMOTE if it is none. */
enum sw_code sw_postgres_take_chunk(struct sw_block *block, struct sw_postgres_copying *copying, struct sw_bytes chunk, uint32_t columns, size_t record_bytes_max, struct sw_budget *budget,
                                    struct sw_error *error);

/* Several connections that read ranges of one table in one snapshot, and hand their blocks out in the order of the ranges. */
struct sw_postgres_ranges;
struct sw_postgres_ranges_options {
    const struct sw_locator *locator;
    const char *snapshot;               /* as pg_export_snapshot named it */
    const char *select;                 /* "SELECT … FROM …" without a WHERE */
    uint64_t pages;                     /* of the table, when the snapshot was taken */
    unsigned connections;
    uint32_t columns;
    size_t block_bytes, record_bytes_max;
    struct sw_budget *budget;
};
enum sw_code sw_postgres_ranges_open(struct sw_postgres_ranges **out, const struct sw_postgres_ranges_options *options, struct sw_error *error);
enum sw_code sw_postgres_ranges_next(struct sw_block *block, struct sw_postgres_ranges *ranges, struct sw_error *error);
/* Any thread, also while another is in `next`, which then fails soon. */
void sw_postgres_ranges_cancel(struct sw_postgres_ranges *ranges);
void sw_postgres_ranges_close(struct sw_postgres_ranges **ranges);

/* Whose positions the server's are, as `log`: an LSN means nothing without its system and timeline. Of a standby the timeline is that of its last restart point. */
#define SW_POSTGRES_LOG \
    "SELECT 'system ' || c.system_identifier || ', timeline ' || CASE WHEN pg_catalog.pg_is_in_recovery() THEN (SELECT k.timeline_id::pg_catalog.text FROM pg_catalog.pg_control_checkpoint() k) " \
    "ELSE ('x' || pg_catalog.substr(pg_catalog.pg_walfile_name(pg_catalog.pg_current_wal_insert_lsn()), 1, 8))::pg_catalog.bit(32)::pg_catalog.int4::pg_catalog.text END AS log FROM pg_catalog.pg_control_system() c"

/* What changes of a slot leave out of what happened, a line each: a publication's filters, columns and operations ("a,b": its names, as the user wrote them), or, of wal2json
 * (`publications` NULL), tables without a replica identity. */
enum sw_code sw_postgres_tell_left_out(struct sw_buffer *told, struct sw_postgres *connection, const char *publications, struct sw_error *error);

/* Asking for keys, some of them at a time: the texts of each key column are bound as a parameter to a setting of the transaction, which the statement of a COPY, that takes no parameters, reads back. */
struct sw_postgres_keys {
    const struct sw_source_keys *keys;
    size_t done;                        /* of which a statement was begun */
};
/* Can the rows be asked for by these keys? */
bool sw_postgres_keys_fit(const struct sw_source_keys *keys, const struct sw_postgres_shape *shape);
/* Binds the next keys and appends the condition on `q` ("WHERE …") to a statement. SW_END: there are none left. */
enum sw_code sw_postgres_keys_next(struct sw_buffer *sql, struct sw_postgres_keys *keys, struct sw_postgres *connection, const struct sw_postgres_shape *shape, struct sw_error *error);

/* A logical replication slot as a source of events: its changes up to where the log stands now, looked at and never taken. */
struct sw_postgres_slot;
enum sw_code sw_postgres_slot_open(struct sw_postgres_slot **out, struct sw_input *shown, struct sw_postgres *connection, const struct sw_locator *locator, const struct sw_connector_request *request,
                                   struct sw_error *error);
enum sw_code sw_postgres_slot_next(struct sw_block *block, struct sw_postgres_slot *slot, struct sw_error *error);
/* The connection stays the caller's. */
void sw_postgres_slot_close(struct sw_postgres_slot **slot);

#endif
