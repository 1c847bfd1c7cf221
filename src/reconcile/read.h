/* Reading a run's inputs: blocks in, records out to partitions. What each thread does, and what all of it left behind. */
#ifndef SW_RECONCILE_READ_H
#define SW_RECONCILE_READ_H

#include <pthread.h>
#include <stdatomic.h>

#include "fold/fold.h"
#include "fold/key_list.h"
#include "fold/partition.h"
#include "fold/runs.h"
#include "format/encode.h"
#include "format/state/state.h"
#include "report/report.h"
#include "reconcile/sample.h"
#include "reconcile/around.h"
#include "reconcile/members.h"
#include "reconcile/carry.h"
#include "reconcile/transactions.h"
#include "source/source.h"
#include "text/kernel.h"

/* The first record of a role with a column set, and how many there are. */
struct sw_set_use {
    uint64_t count;
    uint32_t input;                     /* of all inputs of the run */
    uint64_t block, line;
};

/* Lines (or elements) of each block of an input, by the block's index; after reading, what stands before each block. */
struct sw_block_lines {
    uint64_t *lines;
    size_t count, capacity;
};

/* What was counted in a saved state, and what its end line says. */
struct sw_saved_lines {
    uint64_t records, sum, ends, end_records, end_sum;
};

/* Events that the baseline covers by its position, held against --baseline-time. */
struct sw_later_events {
    uint64_t held, later, untimed;      /* those whose time compares, those of them that are later; those whose time does not */
    uint64_t truncates;                 /* of `later` */
};

/* What is known of one input of one role after reading. */
struct sw_read_input {
    struct sw_block_lines blocks;
    uint64_t records, bad;
    bool csv;
    uint64_t headers_again;             /* CSV: rows that are the header, as where exports were put one after the other */
    bool no_line_end;                   /* CSV: its last row ends without one. Written by the one thread that reads it */
    uint32_t arrival_space;
    struct sw_json_template *header;    /* CSV and rows: the columns, as a template */
    uint32_t column_count;
    const char *table;                  /* of which table its rows are, by declaration; NULL: not declared */
    struct sw_state_header *state;      /* not NULL: the input is a saved state */
    struct sw_saved_lines saved;
    struct sw_carry_chain carry;        /* of formats whose records depend on one before them */
};

/* One role: where its bytes come from and how they are read. */
struct sw_read_role {
    struct sw_source *source;           /* NULL: not given */
    const struct sw_format *format;
    bool types;                         /* the records, or what holds them, say of which types the columns are */
    const struct sw_format *inner;      /* what it wraps, as the first records tell; NULL: nothing */
    struct sw_bind_context context;     /* for records that are JSON */
    struct sw_read_input *inputs;
    uint32_t input_count;
    uint32_t first_input;               /* the number of inputs[0] among all inputs of the run */
    const char **tables; size_t table_count; /* by locator, as it was given: of which table its rows are; NULL: not declared */
    bool any_csv, any_json;             /* values that are text until a type is declared; values that say what they are (rows, too) */
    /* summed over threads */
    uint64_t records, bad, bad_unattributed, other_table, not_row_change, covered, null_flags, invalid_values;
    bool saw_version, saw_deleted;
    struct sw_set_use *sets; uint32_t set_count;
    struct sw_kind_count *kinds; uint32_t kind_count;
};

/* One who looks at every event where it stands, instead of folding it: nothing is written to partitions then. Each call comes from the thread of that
 * number; those of a block come one after the other. */
struct sw_watched {
    enum sw_encode_status status;       /* ROW, NOT_ROW_CHANGE, OTHER_TABLE; truncates are rows here */
    enum sw_operation operation;        /* of a ROW */
    const struct sw_record *record;     /* of a ROW: as sw_encode_position leaves it */
    const struct sw_binding *binding;
    const struct sw_json_template *template;
    const struct sw_token *tokens;
    const struct sw_record_place *place;
};
struct sw_read_watch {
    enum sw_code (*record)(void *ctx, unsigned thread, const struct sw_watched *seen, struct sw_error *error);
    enum sw_code (*end_block)(void *ctx, unsigned thread, uint32_t input, uint64_t block, struct sw_error *error); /* blocks without records included */
    void *ctx;
};

/* All of it. Made by the driver, filled by sw_read_all. */
struct sw_reading {
    const struct sw_mapping *mapping;
    struct sw_schema *schema;
    struct sw_spaces *spaces;
    const struct sw_order *order;
    uint32_t order_declared;            /* its fields that stand somewhere (sw_order_record) */
    const struct sw_kernel *kernel;
    unsigned threads;
    uint64_t hash_seed;
    struct sw_read_role roles[SW_ROLE_COUNT];
    struct sw_partition_store *records, *identities;
    struct sw_sampler *sampler;         /* NULL: no sample of keys is taken. Borrowed */
    struct sw_buffer truncates, truncate_spans; /* records of truncates, and where each stands (offset, length) */
    uint32_t record_partitions;         /* a power of two */
    struct sw_partition_store *members; /* events and marks of transactions (members.h); NULL: none was met */
    struct sw_buffer member_tables;     /* a set of those of which an event says of which transaction it is (sw_member_add_table) */
    uint64_t member_events, member_ends;
    struct sw_budget *budget;
    struct sw_spill_file *spill;
    struct sw_buffer links;             /* keys between which rows moved that lack columns (fold/links.h) */
    uint64_t link_bytes_max, links_left_out; /* those that memory had no room for */
    struct sw_runs *bad;                /* bad records, sorted by place */
    bool keep_bad_bytes;                /* with their raw bytes, for the quarantine */
    const struct sw_fold_cut *covered; uint32_t covered_count; /* --baseline-position: events at or below it are covered */
    const struct sw_fold_cut *cuts; uint32_t cut_count;        /* --cut */
    const struct sw_order_time *baseline_time; /* --baseline-time; NULL: not declared */
    struct sw_later_events later;       /* summed over threads */
    uint64_t record_bytes_max;
    struct sw_format_notes notes;
    struct sw_invalid_values invalid;   /* the first of each column */
    struct sw_transactions transactions;
    const struct sw_key_list *only;     /* NULL: all keys. Else records of other keys are counted and not folded. Borrowed */
    struct sw_around *around;           /* NULL: no gap is known */
    const struct sw_read_watch *watch;  /* NULL: events are folded */
    bool typed;                         /* which roles are read now */
    /* results */
    uint64_t bad_count, bad_unattributed;
    uint64_t identity_entries;
    /* shared while reading */
    pthread_mutex_t lock;
    pthread_cond_t carry_turn;          /* with `lock`: a block handed on what it carries */
    _Atomic uint64_t records_done;
    _Atomic bool stop;
    _Atomic int phase;                  /* the role being read */
};

/* Marks of events that the baseline's position covers and its time does not (baseline_time.c). */
static inline bool sw_read_is_later_mark(const struct sw_record *record) { return (record->flags & SW_RECORD_UNREADABLE) && record->claim == SW_CLAIM_LATER; }
/* An event that the baseline covers by its position: is it later than the baseline, by what it says of its own time? Counts it. `later` is the thread's. */
bool sw_read_is_later(struct sw_later_events *later, const struct sw_reading *reading, const struct sw_binding *binding, const struct sw_json_template *template, const struct sw_token *tokens,
                      const struct sw_record_place *place);

/* A bad record as it is kept: content of a run item. */
struct sw_bad_item {
    uint8_t role;
    uint32_t input;                     /* of all inputs of the run */
    uint64_t block, line;
    bool key_known;
    struct sw_bytes reason, text, bytes;
};
void sw_bad_item_write(struct sw_buffer *key, struct sw_buffer *content, const struct sw_bad_item *item);
void sw_bad_item_read(struct sw_bad_item *out, struct sw_bytes content);

/* A row that moved lacks columns: its old key is needed to fold it. False if memory ran out. Thread-safe. */
bool sw_read_keep_link(struct sw_reading *reading, const struct sw_record *record);
/* Makes the store of members, and the thread's way to it, if they are not there. SW_ERR_MEMORY. */
enum sw_code sw_read_open_members(struct sw_reading *reading, struct sw_member_writer *writer, unsigned thread, struct sw_error *error);
/* A record of a stream that numbers the events of its transactions, and counts them at their end; `writer` is the thread's. */
enum sw_code sw_read_note_member(struct sw_reading *reading, struct sw_member_writer *writer, unsigned thread, const struct sw_watched *seen, struct sw_error *error);
/* The thread function: reads all roles whose format says of which types its columns are, or all others (reading->typed), to their end, or until reading->stop is set. `index` is the thread's number. */
enum sw_code sw_read_thread(struct sw_reading *reading, unsigned index, struct sw_error *error);
/* Is there any role to be read now? */
bool sw_read_has_roles(const struct sw_reading *reading);
/* Once, before the threads: CSV headers. Errors: SW_ERR_INPUT for a header that cannot be used. */
enum sw_code sw_read_prepare(struct sw_reading *reading, struct sw_error *error);
/* After it, where keys count: SW_ERR_USAGE if no key is declared and an input whose columns are known has none that is named key. */
enum sw_code sw_read_refuse_undeclared(const struct sw_reading *reading, struct sw_error *error);
/* The columns of a source of rows as a template: one node a column, as a flat JSON object would have. SW_ERR_USAGE for two columns of one name. */
enum sw_code sw_read_row_header(struct sw_json_template **out, const struct sw_input *from, struct sw_error *error);
/* The header of a CSV input as a template: one node a column, as a flat JSON object would have. sw_read_header_free. */
enum sw_code sw_read_csv_header(struct sw_json_template **out, const struct sw_kernel *kernel, const struct sw_mapping *mapping, const struct sw_input *from, struct sw_error *error);
void sw_read_header_free(struct sw_json_template **header);
/* Is an event part of the baseline, by the position that was declared? SW_ERR_USAGE if the order does not say how the record stands to that, or to the
 * cut. Thread-safe. */
enum sw_code sw_read_find_covered(bool *covered, const struct sw_reading *reading, const struct sw_record *record, struct sw_error *error);
/* Once, after the threads: block lines become sums. */
void sw_read_finish(struct sw_reading *reading);
void sw_reading_free(struct sw_reading *reading);
/* The place for people of a record. */
struct sw_place sw_read_place(const struct sw_reading *reading, uint32_t input, uint64_t block, uint64_t line);

#endif
