/* One thread that reads one role: what it needs, and what it has counted so far. read.c takes blocks apart, reader.c makes readers, runs them and adds up. */
#ifndef SW_RECONCILE_READER_H
#define SW_RECONCILE_READER_H

#include "fold/links.h"
#include "format/straight/straight.h"
#include "reconcile/read.h"
#include "text/csv_reader.h"
#include "text/json_reader.h"

#define EXPANSIONS_MAX 2 /* a record in an envelope, and its rows */

/* What one thread needs to read one role. */
struct reader {
    struct sw_reading *reading;
    struct sw_read_role *role;
    enum sw_role role_id;
    unsigned thread;
    struct sw_encoder encoder;
    const struct sw_field_tree *fields;         /* of the input being read */
    const char *table;                          /* the same: what is declared of it */
    struct sw_json_reader json;
    struct sw_csv_reader csv;
    struct sw_token *row;                       /* of a row: one token a column, from index 1 on */
    uint32_t row_capacity;
    struct sw_row_cursor cursor;
    struct sw_bind_context csv_context;
    struct sw_binding_set **csv_bindings;       /* by input: of CSV and rows */
    struct sw_partition_writer *records, *identities;
    struct sw_member_writer members;
    struct sw_sample_writer *sample;            /* NULL: no sample is taken */
    struct sw_around_part *around;              /* NULL: no gap is known, or no events are read */
    struct sw_partition_tail *record_tails, *identity_tails;
    struct sw_buffer stored;                    /* the record on its way to its partition */
    bool only_stores;                           /* store() has nothing to do with a record but to store it */
    bool stores_straight;                       /* the same, and nothing else is told of a record that is written straight */
    uint8_t row_room[SW_STRAIGHT_BYTES_MAX];
    struct sw_run_batch bad;
    struct sw_buffer bad_key, bad_content;
    struct sw_buffer expanded[EXPANSIONS_MAX];              /* what a record of a format with arrays was turned into */
    struct sw_set_use *sets;
    uint32_t set_capacity;
    struct sw_kind_count *kinds;
    uint32_t kind_count;
    uint64_t record_count, other_table, not_row_change, covered, bad_count, bad_unattributed, identity_entries;
    uint64_t input_records, input_bad, headers_again; /* of the block being read */
    struct sw_carry carry;                      /* what the records before the one being read left, of formats that carry */
    struct sw_block_marks marks;                /* of the block being read */
    struct sw_buffer open;
    struct sw_buffer saved_open;                /* struct sw_saved_open: of a saved state */
    struct sw_later_events later;
    struct sw_saved_lines saved;                /* the same, of a saved state */
    struct sw_error *error;
};

/* Takes all records of a block. */
enum sw_code sw_read_block(struct reader *reader, const struct sw_block *block);

#endif
