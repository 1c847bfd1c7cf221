/* Connectors: what is read from and is no file. One a file in src/source/, one line in registry.c.
 *
 * A connector opens one locator, says what it found, and hands out blocks in order. It is called by one thread at a time (any thread, under the source's lock):
 * one that reads over several connections runs threads of its own and hands their blocks out in an order that does not depend on them.
 *
 *     open: connect, take the snapshot, fill *shown: locator (replaced by one without secrets: sw_input_show), framing, and
 *           for ROWS   rows, and fields: the types that the catalogue declares
 *           for LINES  head: the first bytes of what `next` will hand out (they are handed out again), at most 64 KiB
 *           position, cut, no_sha256; id and regular if it is a file that an output must not overwrite; stored_bytes if a size is known.
 *     next: fill the block: data and len (sw_source_room makes room), rows for ROWS. input, index, offset and first_record are set by the caller.
 *           SW_END at the end, once all that was asked for is read and the connection has been closed in order.
 *     cancel: any thread, also while `next` runs, which then fails soon. NULL: nothing is ever waited for.
 *     close: after an end, a failure, or in the middle.
 *
 * The promises of source.h hold: nothing is written, a failure in the middle is SW_ERR_REMOTE (nothing is claimed), and no secret stands in a text. */
#ifndef SW_SOURCE_CONNECTOR_H
#define SW_SOURCE_CONNECTOR_H

#include "source/keys.h"
#include "source/source.h"

struct sw_connector_request {
    const char *locator;         /* as it was given: it may hold a password */
    const char *query;           /* NULL: what the locator names */
    const char *query_option;    /* "--expected-query" */
    const struct sw_source_keys *keys; /* NULL: all rows. Else rows of other keys may be left out; by_key of the input says whether they were. Borrowed until `close` */
    unsigned threads;            /* at least 1 */
    size_t block_bytes;          /* about how large a block is */
    size_t record_bytes_max;     /* a longer record is a bad record */
    struct sw_budget *budget;
    bool (*wait)(void *ctx);     /* called about once a second while `open` waits for a lock; false: it shall wait no longer, SW_ERR_CANCELLED. NULL: nobody asks */
    void *wait_ctx;
};

struct sw_connector {
    /* On failure *state is NULL and nothing is left open. */
    enum sw_code (*open)(void **state, struct sw_input *shown, const struct sw_connector_request *request, struct sw_error *error);
    enum sw_code (*next)(struct sw_block *block, void *state, struct sw_error *error);
    void (*close)(void **state);
    void (*cancel)(void *state);
};

/* At the end of an `open` that came to `code`: makes `locator`, which holds no secret, the one that is shown, also as the place of a failure. Returns `code`, or SW_ERR_MEMORY in the place of
 * SW_OK. NULL: the locator could not be read (or memory ran out), and nothing is changed. */
enum sw_code sw_input_show(struct sw_input *input, const char *locator, enum sw_code code, struct sw_error *error);
/* Shows what a source of rows hands out; both belong to the source. */
void sw_input_show_rows(struct sw_input *input, const struct sw_row_columns *columns, const struct sw_field_tree *fields);
/* What a source handed out without copying goes back to it. */
void sw_source_release_batch(struct sw_block *block);
/* Makes room for `len` bytes and the padding in a block; what it holds is kept if `keep` says so. */
enum sw_code sw_source_room(struct sw_block *block, size_t len, bool keep, struct sw_budget *budget, struct sw_error *error);
/* Hands out the block that a connector of lines read ahead when it was opened: a copy, since what the input shows as its head stays in `first`. Where that holds neither bytes nor
 * a record that was too long: SW_END if the source has `ended`, else SW_OK, and the caller reads on. SW_ERR_MEMORY. */
enum sw_code sw_source_give_first(struct sw_block *block, const struct sw_block *first, bool ended, struct sw_budget *budget, struct sw_error *error);

/* Each is there if the build has its client library. */
extern const struct sw_connector sw_connector_sqlite, sw_connector_postgres, sw_connector_mariadb, sw_connector_kafka, sw_connector_adbc;

/* Adds a column and, in the tree of types (made with the first one), its type; NULL: the source says none. sw_field_tree_settle ends the tree. Then the columns of the primary
 * key, in its order. SW_ERR_LIMIT, SW_ERR_MEMORY; what was added is freed with sw_row_columns_free and sw_field_tree_free, also after a failure. */
enum sw_code sw_row_columns_add(struct sw_row_columns *columns, struct sw_field_tree **fields, const char *name, const struct sw_type *type, struct sw_error *error);
enum sw_code sw_row_columns_add_key(struct sw_row_columns *columns, const char *name, struct sw_error *error);
void sw_row_columns_free(struct sw_row_columns *columns);

/* Rows as connectors without a form of their own write them (sw_row_writer_put), and the `next` of their columns (sw_row_writer_next). */
struct sw_row_writer {
    struct sw_block *block;
    struct sw_budget *budget;
    size_t row_from;             /* where the row being written begins */
    size_t record_bytes_max;
    bool too_long;               /* the row being written is longer than that */
    uint64_t row_bytes;
};
void sw_row_writer_begin(struct sw_row_writer *rows, struct sw_block *block, size_t record_bytes_max, struct sw_budget *budget);
/* Appends the next value of the row: a token of any kind but ARRAY and OBJECT. */
enum sw_code sw_row_writer_put(struct sw_row_writer *rows, struct sw_token token, struct sw_error *error);
/* Ends a row. */
enum sw_code sw_row_writer_end(struct sw_row_writer *rows, struct sw_error *error);
/* For sw_row_columns.next; `ctx` is the struct sw_row_columns. */
bool sw_row_writer_next(struct sw_token *tokens, struct sw_row_cursor *cursor, const void *ctx);

#endif
