/* The fold of one key: from all its records to one class, by the rules that docs/report.md tells reason by reason.
 *
 * Arrival never matters: records are sorted by space, version and content first. The fold sees the records of one key
 * at a time and keeps nothing from key to key but counts. One worker a thread. */
#ifndef SW_FOLD_FOLD_H
#define SW_FOLD_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "mapping/mapping.h"
#include "model/record.h"
#include "model/schema.h"
#include "order/order.h"
#include "order/spaces.h"
#include "fold/finding.h"
#include "fold/partition.h"
#include "fold/scope.h"

/* A declared position (of the cut, or of the baseline) in one space: sw_order_reach holds versions of all spaces of that base against it. */
struct sw_fold_cut {
    uint32_t space;                      /* its base; before all is read only as far as it was declared */
    struct sw_bytes version;
    struct sw_bytes said;                /* what the position itself said of its space */
    bool loose;                          /* that names no source: it may be of any space of which it is true, if there is but one */
};

/* Places of records whose transaction's commit is not in evidence: from one (inclusive) to another of one input. */
struct sw_fold_open {
    uint32_t input;
    uint64_t from_block, from_line, to_block, to_line;
    uint32_t id;                         /* of the transaction that another input may yet end; 0: it never will */
};

struct sw_truncate_index;

/* What holds for all keys of a run; read-only while workers run. */
struct sw_fold_rules {
    const struct sw_mapping *mapping;
    struct sw_schema *schema;
    const struct sw_order *order;
    const struct sw_spaces *spaces;
    bool compare_versions;
    enum sw_expected_deletes deletes;    /* resolved */
    bool baseline_given, events_given, reference_given;
    const struct sw_fold_cut *cuts; uint32_t cut_count;
    const struct sw_fold_cut *covered; uint32_t covered_count; /* --baseline-position; events that it covers are not here */
    const struct sw_fold_open *open; size_t open_count; /* sorted, apart from each other */
    const struct sw_fold_open *marked; size_t marked_count; /* the same, or those that would be open if any commit were in evidence: what a saved state has to keep */
    const uint8_t *in_evidence, *in_reference; /* by column id: does any record of that side have the column? */
    const uint32_t *set_ranks;           /* by column set id: its place among all sets, by the names of their columns; NULL = by id */
    const struct sw_record *truncates; uint32_t truncate_count; /* without keys: they hold for every key of their table. Role SW_RECORD_ROLE_FOLLOWING */
    struct sw_bytes truncate_bytes;      /* where they all stand */
    const struct sw_truncate_index *truncate_index; /* which of them a key sees (truncates.h); NULL: all */
    const struct sw_identity_reuse *reused;    /* identities that were used for different contents; NULL = none */
    const struct sw_fold_links *links;   /* keys between which rows moved that lack columns; NULL = none */
    const struct sw_scope *scope;        /* which keys are compared; NULL = all of them */
};

/* An image on its way into a finding. */
struct sw_draft_image {
    bool present, deleted, has_version;
    uint32_t space, set;
    struct sw_bytes version, values;
};

#define SW_FINDING_PLACES_MAX 16
/* Further places are counted up to here: what is more, a run under little memory may not have kept. */
#define SW_FINDING_MORE_PLACES_MAX 40

/* A finding before it is written to a run. */
struct sw_draft {
    uint32_t table;
    struct sw_bytes key;
    enum sw_reason reason;
    enum sw_cause cause;
    struct sw_draft_image state, expected, other;
    bool has_cause_version;
    uint32_t cause_space;
    struct sw_bytes cause_version;
    const uint32_t *differing, *unknown, *incomparable;  /* column ids, by name */
    uint32_t differing_count, unknown_count, incomparable_count;
    struct sw_bytes identity;
    const struct sw_record *places[SW_FINDING_PLACES_MAX];
    uint32_t place_count;
    uint64_t more_places;
};

struct sw_fold_counts {
    uint64_t dispositions[SW_DISPOSITION_COUNT];
    uint64_t classes[SW_CLASS_COUNT];
    uint64_t reasons[SW_REASON_COUNT];
    uint64_t states, tombstones, duplicate_deliveries, repeated_records;
    uint64_t duplicates_in_key; /* those of duplicate_deliveries whose identity holds within its key */
    uint64_t reused_duplicates;          /* deliveries of reused identities: no duplicates, though equal */
    uint64_t unpositioned_reads, superseded_reads, unseen_updates;
    uint64_t unversioned_references;     /* compared by state, though the reference row has no version */
    uint64_t claims_held, claims_unheld; /* what events say of the row before them: held against it, or not known against what (claims.h) */
    uint64_t contradictions;             /* of claims_held */
    uint64_t read_contradictions;        /* of contradictions: rows that a snapshot read */
    uint64_t outside;                    /* keys that are not in scope: in no class */
    uint64_t open;                       /* keys in scope because what decides is not in evidence */
};

struct sw_fold_worker;

/* Where a worker sends what it finds. Each call may fail; the failure stops the run. `state`, `record` and `contradiction` may be NULL. */
struct sw_fold_sink {
    enum sw_code (*finding)(const struct sw_draft *draft, void *ctx, struct sw_error *error);
    /* The state of a key, if it has one, with the record that made it. */
    enum sw_code (*state)(uint32_t table, struct sw_bytes key, const struct sw_draft_image *state, void *ctx, struct sw_error *error);
    /* Each record of a key's evidence once, blocked keys included: of equal ones with one identity the lowest, of marks of bad records one. */
    enum sw_code (*record)(const struct sw_record *record, void *ctx, struct sw_error *error);
    /* An event that replaces another row than the one that the evidence has there: `state` is that row, `other` the one that the event shows, the cause's
     * version the event's. */
    enum sw_code (*contradiction)(const struct sw_draft *draft, void *ctx, struct sw_error *error);
    void *ctx;
};

struct sw_fold_worker *sw_fold_worker_new(const struct sw_fold_rules *rules, const struct sw_fold_sink *sink);
void sw_fold_worker_free(struct sw_fold_worker **worker);
/* Records of a key that are not listed because they cannot change its class: older than a listed one of their space and in no conflict, further
 * contents of a version (or of the reference) that has many already, or beyond the cut (or open) and not what the reference shows. Repeats were counted
 * with sw_fold_count_repeat. */
struct sw_fold_unlisted {
    uint64_t evidence, reference;
    uint64_t beyond_cut, open;           /* none of these is the first one, nor does any that is listed rest on it */
};
/* All records of one key, in any order; reorders them. `unlisted` is NULL if nothing was left out; else the caller has sent the key's records to the sink. */
enum sw_code sw_fold_key(struct sw_fold_worker *worker, struct sw_record *records, size_t count, const struct sw_fold_unlisted *unlisted, struct sw_error *error);
/* A record that was left out because it repeats one that was seen: a duplicate delivery, or the same content again. */
void sw_fold_count_repeat(struct sw_fold_worker *worker, const struct sw_record *record, bool same_identity);
/* For callers that give sw_fold_key less than all records: does sink.record want them? */
bool sw_fold_sends_records(const struct sw_fold_worker *worker);
/* Sends the next record of a key on, in the order of the fold, unless it repeats the one before; of equal ones whose transactions differ, what a later run needs to
 * know: one that is committed, else one of each transaction that may yet be. The last of a key's may wait for sw_fold_send_end. */
enum sw_code sw_fold_send_next(struct sw_fold_worker *worker, const struct sw_record *record, struct sw_error *error);
enum sw_code sw_fold_send_end(struct sw_fold_worker *worker, struct sw_error *error);
/* The same for all evidence of one key, in its order: each record once. */
enum sw_code sw_fold_send_key(struct sw_fold_worker *worker, const struct sw_record *evidence, size_t count, struct sw_error *error);
/* Where records of linked keys go while the others are folded; NULL: they are folded as all others. */
void sw_fold_worker_set_late(struct sw_fold_worker *worker, struct sw_partition_writer *late);
/* Where a record stands among the records of its key: a memcmp-able key, equal parts side by side, for sorting outside of memory. The reference's rows
 * come first: what is beyond the cut is held against them as it goes by. */
void sw_fold_sort_key(struct sw_buffer *out, const struct sw_fold_rules *rules, const struct sw_record *record);
bool sw_fold_beyond_cut(const struct sw_fold_rules *rules, const struct sw_record *record);
/* In which of these places the record stands; NULL: in none. Rows that were read stand in no transaction. */
const struct sw_fold_open *sw_fold_find_open(const struct sw_fold_open *open, size_t count, const struct sw_record *record);
/* Is it of a transaction whose commit is not in evidence? */
bool sw_fold_is_open(const struct sw_fold_rules *rules, const struct sw_record *record);
/* One of the two: it is kept for what it may explain, and does not make the state. */
static inline bool sw_fold_is_aside(const struct sw_fold_rules *rules, const struct sw_record *record)
{
    return sw_fold_beyond_cut(rules, record) || sw_fold_is_open(rules, record);
}
const struct sw_fold_rules *sw_fold_worker_rules(const struct sw_fold_worker *worker);
const struct sw_fold_counts *sw_fold_worker_counts(const struct sw_fold_worker *worker);
/* Classes and reasons by table id; *count entries. */
struct sw_fold_table_counts { uint64_t classes[SW_CLASS_COUNT], reasons[SW_REASON_COUNT], outside; };
const struct sw_fold_table_counts *sw_fold_worker_tables(const struct sw_fold_worker *worker, uint32_t *count);

/* Orders contents (deleted, columns, values); 0 if and only if they are the same. Never by ids that differ from run to run. */
int sw_content_compare(const struct sw_schema *schema, const struct sw_record *a, const struct sw_record *b);

/* Column by column. The lists hold column ids in the order of their names and stay valid until the next call. */
struct sw_comparison {
    uint32_t *differing, *unknown, *incomparable;
    uint32_t differing_count, unknown_count, incomparable_count, capacity;
    bool invalid;                        /* an unknown column is unknown because its value was bad */
};
bool sw_compare_images(struct sw_comparison *out, const struct sw_fold_rules *rules, const struct sw_draft_image *state, const struct sw_draft_image *expected);
/* Room for the columns of two images. False if memory ran out. */
bool sw_comparison_reserve(struct sw_comparison *comparison, uint32_t columns);
void sw_comparison_free(struct sw_comparison *comparison);
/* Is a space one in which the baseline's position was declared, or declared to come after all of those? */
bool sw_fold_follows_baseline(const struct sw_fold_rules *rules, uint32_t space);

#endif
