/* One run of a reconciliation, from declarations to report: the state that its steps share.
 *
 * Steps, each in a file of its own: prepare.c (declarations, inputs, outputs), recognise.c (formats), positions.c (the
 * order, and positions declared in it), read.c (records into partitions), fold_run.c (partitions into findings and counts), result.c (counts into the report), outputs.c (files). */
#ifndef SW_RECONCILE_RUN_H
#define SW_RECONCILE_RUN_H

#include <time.h>

#include "base/output_file.h"
#include "fold/finding_record.h"
#include "fold/identity.h"
#include "fold/links.h"
#include "fold/truncates.h"
#include "order/order_time.h"
#include "reconcile/likeness.h"
#include "reconcile/around.h"
#include "reconcile/read.h"
#include "source/keys.h"
#include "report/sentence.h"

enum sw_run_output { SW_OUTPUT_REPORT, SW_OUTPUT_DIFFERENCES, SW_OUTPUT_STATES, SW_OUTPUT_SAVE_STATE, SW_OUTPUT_QUARANTINE, SW_OUTPUT_COUNT };

/* Findings in key order, for the writers. */
struct sw_run_findings {
    struct sw_finding_stream stream;      /* first: what the writers see */
    struct sw_run *run;
    struct sw_runs *runs;                 /* where they stand, sorted */
    struct sw_run_merge *merge;
    struct sw_finding_room room;
    struct sw_finding finding;
};

/* Positions as they were declared, one a space. */
struct sw_declared_positions {
    struct sw_order_positions places;
    struct sw_fold_cut *cuts;
    uint32_t count;
};
void sw_declared_positions_free(struct sw_declared_positions *positions);

struct sw_run {
    struct sw_report report;              /* first: a pointer to it is a pointer to the run */
    const struct sw_reconcile_options *options; /* valid until sw_reconcile returns */
    struct sw_mapping mapping;
    struct sw_budget budget;
    struct sw_spill_file *spill;
    struct sw_reading reading;
    struct sw_sampler *sampler;           /* NULL: no sample was asked for */
    double recheck_seconds; uint32_t recheck_times; /* --recheck; 0 times: not asked for */
    const struct sw_run *first;           /* not NULL: this run reads keys of that one again; its defaults hold here */
    const struct sw_source_keys *asked_keys; /* NULL: sources are read whole */
    struct sw_key_declaration keys[SW_KEY_COLUMNS_MAX];
    struct sw_bind_table *tables;         /* of mapping.tables; NULL: all tables are alike */
    struct sw_key_declaration *table_keys; /* of each, SW_KEY_COLUMNS_MAX */
    const char **locators[SW_ROLE_COUNT]; /* given ones and those of tables; NULL: no table has some */
    struct sw_fold_rules rules;
    struct sw_declared_positions cut, covered; /* --cut, --baseline-position */
    struct sw_order_time baseline_time;   /* --baseline-time */
    char *taken_position;                 /* mapping.baseline_position, if it came from a saved state */
    uint8_t *in_evidence, *in_reference;
    uint32_t *set_ranks;
    struct sw_record *truncates;
    struct sw_truncate_index *truncate_index;
    uint64_t truncate_repeats;
    struct sw_identity_reuse *reused;
    struct sw_fold_links *links;          /* NULL: none */
    struct sw_partition_store *late;      /* records of linked keys */
    bool folding_late;
    struct sw_member_totals members;      /* transactions that number and count their events */
    _Atomic bool unlinked;                /* some rows that moved were not given what they lack: too little memory */
    struct sw_runs *findings, *states, *saved, *contradictions;
    struct sw_run_findings stream, contradiction_stream;
    struct sw_fold_counts counts;
    struct sw_key_likeness key_likeness; /* what keys of rows that one side alone has have in common */
    struct sw_likeness *likeness;        /* the same columns: what their differences have in common */
    struct sw_column_keys *column_keys;   /* by column id: [column_key_count]; `column` is not set */
    uint32_t column_key_count;
    struct sw_fold_table_counts *table_counts;
    uint32_t table_count;
    struct sw_output_file *outputs[SW_OUTPUT_COUNT];
    struct sw_scope *scope;               /* NULL: all keys are compared */
    struct sw_around around;              /* --continuity: events around the gaps */
    struct timespec begun;
    _Atomic uint64_t partitions_done;
    _Atomic uint32_t next_partition;
    _Atomic bool stop;
    const char *phase;
    enum sw_role opening;               /* whose inputs are being opened */
};

/* Which keys are kept with all their records, for what looks at the result again. */
struct sw_run_sampling {
    uint64_t seed;
    size_t keys;                          /* at least 1 */
    size_t outside_times, keys_max;       /* where a condition says which keys are in scope, which only the fold knows: so many times `keys` are kept, at most keys_max */
};
/* sw_reconcile, with the run itself, which the caller frees, and a sample of its keys (`sampling` may be NULL). run->options is NULL afterwards. */
enum sw_code sw_run_reconcile(struct sw_run **out, const struct sw_reconcile_options *options, const struct sw_run_sampling *sampling, struct sw_error *error);

/* Everything up to the findings: prepares, reads, folds. `sampling` may be NULL. */
enum sw_code sw_run_compare(struct sw_run *run, const struct sw_run_sampling *sampling, struct sw_error *error);
/* A run that has begun; `options` is borrowed. NULL if memory ran out. sw_run_free frees it. */
struct sw_run *sw_run_new(const struct sw_reconcile_options *options);
/* Declarations, inputs and outputs. Everything that can be refused before reading is refused here. */
enum sw_code sw_run_prepare(struct sw_run *run, struct sw_error *error);
/* The same for a run that reads nothing but events and shows each to reading->watch: no key, no reference, no output is declared.
 * `only` (may be NULL) is the one order of interest: where another one is declared, or none, SW_END, and no input was opened. */
enum sw_code sw_run_prepare_watch(struct sw_run *run, const struct sw_order *only, struct sw_error *error);
/* One of the reading threads of a run; for sw_workers_run. `ctx` is the run. */
enum sw_code sw_run_read_thread(unsigned index, void *ctx, struct sw_error *error);
/* What a run read, into its report: inputs, kinds of records, bad records, notes. Once all is read. */
enum sw_code sw_run_describe_reading(struct sw_run *run, struct sw_error *error);
/* The format of a role whose source is open: the declared one, or what the first records of its inputs show. SW_ERR_USAGE if they show several. */
enum sw_code sw_run_recognise(struct sw_run *run, enum sw_role role, struct sw_error *error);
/* Events that are taken for plain ones because nothing else was told or declared: SW_ERR_USAGE where their first records show the form of a product, an operation that would
 * be taken for a column, no names of columns, the event in a member, or, without a key, nothing that plain records have (`rows`: the run needs to know which row a record is about);
 * and what to declare. Once all inputs are open and keys are named. */
enum sw_code sw_run_refuse_undeclared(struct sw_run *run, bool rows, struct sw_error *error);
/* Saved states (saved.c): does a role consist of some; their headers, once the inputs are open; their baseline position, once this run's is known; and their end
 * lines, once all is read. SW_ERR_USAGE where a header and this run's declarations differ, SW_ERR_INPUT where a file is damaged. */
enum sw_code sw_run_recognise_saved(bool *out, const struct sw_run *run, enum sw_role role, struct sw_error *error);
enum sw_code sw_run_take_saved(struct sw_run *run, struct sw_error *error);
enum sw_code sw_run_take_saved_position(struct sw_run *run, struct sw_error *error);
enum sw_code sw_run_check_saved(struct sw_run *run, struct sw_error *error);
/* The sets of GTIDs that the saved states among these files declare as covered, and that the runs before have seen, each list joined by commas;
 * *known: every state says what was seen. Order mysql-gtid; what is no saved state is passed over. */
enum sw_code sw_run_saved_seen(struct sw_buffer *position, struct sw_buffer *seen, bool *known, struct sw_run *run, const char *const *locators, size_t count, struct sw_error *error);
/* Appends a record's line for the state that this run saves, and its place there; then writing them all, from run->saved. */
enum sw_code sw_run_saved_line(struct sw_buffer *key, struct sw_buffer *line, const struct sw_run *run, const struct sw_record *record, struct sw_error *error);
enum sw_code sw_run_write_saved(struct sw_run *run, struct sw_output_file *file, struct sw_error *error);
/* Calls `look` for the first records of an input; the head is cut anywhere, and what cannot be read ends the look without being judged. */
typedef enum sw_code (*sw_look_fn)(void *ctx, struct sw_json_template *template, const struct sw_example *example, struct sw_error *error);
enum sw_code sw_run_look_at_head(struct sw_run *run, const struct sw_input *input, unsigned depth, sw_look_fn look, void *ctx, struct sw_error *error);
/* The key columns that nobody declares and the events name. SW_ERR_USAGE if the first of them do not name them, or not the same. */
enum sw_code sw_run_name_keys(struct sw_run *run, struct sw_error *error);
/* The key columns that nobody declares and a table's primary key names. SW_ERR_USAGE where primary keys differ, or are not all that is needed. */
enum sw_code sw_run_name_row_keys(struct sw_run *run, struct sw_error *error);
/* Several tables with keys of their own (tables.c): what is declared of them; the locators of a role with those that tables name; of which table the rows of an input are,
 * by declaration; their places in the schema; and those of which neither side has a key. */
void sw_run_declare_keys_of(struct sw_key_declaration *keys, const struct sw_mapping *mapping);
enum sw_code sw_run_declare_tables(struct sw_run *run, struct sw_error *error);
enum sw_code sw_run_gather_locators(const char *const **locators, size_t *count, struct sw_run *run, enum sw_role role, struct sw_error *error);
const char *sw_run_table_of(const struct sw_run *run, const struct sw_input *input);
enum sw_code sw_run_intern_tables(struct sw_run *run, struct sw_error *error);
enum sw_code sw_run_note_empty_tables(struct sw_run *run, struct sw_error *error);
/* The columns of tables become columns of the run before any record is read. SW_ERR_USAGE where two tables say different things of one. */
enum sw_code sw_run_intern_row_columns(struct sw_run *run, struct sw_error *error);
/* Does any input hand out typed rows? */
bool sw_run_has_rows(const struct sw_run *run);
/* What a format of wrappers wraps, by the first record that tells: roles[role].inner, or NULL. */
enum sw_code sw_run_find_inner(struct sw_run *run, enum sw_role role, struct sw_error *error);
/* Types of key columns that nobody declares and the records' own schema names. */
enum sw_code sw_run_learn_keys(struct sw_run *run, struct sw_error *error);
/* The declared order, and which of its fields stand somewhere, once the formats are known. SW_ERR_USAGE where a declaration is wrong or missing. */
enum sw_code sw_run_choose_order(struct sw_run *run, struct sw_error *error);
/* Positions as `option` declares them, in spaces under `space` (the text of --space, or NULL). SW_ERR_USAGE if they are none. */
enum sw_code sw_run_parse_positions(struct sw_declared_positions *out, struct sw_run *run, const char *option, const char *text, const char *space, struct sw_error *error);
/* The same positions in the same spaces? */
bool sw_declared_positions_equal(const struct sw_declared_positions *a, const struct sw_declared_positions *b);
/* --cut and --baseline-position. */
enum sw_code sw_run_read_positions(struct sw_run *run, struct sw_error *error);
/* --baseline-time, once the baseline's position is known; and what was found by it, as a note. */
enum sw_code sw_run_read_baseline_time(struct sw_run *run, struct sw_error *error);
enum sw_code sw_run_note_baseline_time(struct sw_run *run, struct sw_error *error);
/* After reading: in which space each position stands. SW_ERR_USAGE if that is not told, or if a record stands in a space in which the cut names none. */
enum sw_code sw_run_settle_positions(struct sw_run *run, struct sw_error *error);
/* --max-staleness against --cut-at and --read-at. SW_ERR_USAGE if the destination need not show the cut yet, or if that cannot be told. */
enum sw_code sw_run_check_staleness(const struct sw_reconcile_options *options, struct sw_error *error);
/* What only the records could tell: are the two sides comparable, which defaults hold. */
enum sw_code sw_run_settle(struct sw_run *run, struct sw_error *error);
/* --continuity (continuity.c): reads the reports and places their gaps, once the order is known; and what was seen around them, once all is read. SW_ERR_USAGE for
 * what is no report of continuity. */
enum sw_code sw_run_take_continuity(struct sw_run *run, struct sw_error *error);
enum sw_code sw_run_describe_continuity(struct sw_run *run, struct sw_error *error);
/* --sample, --where and the declared scope (scope.c), once all is read; and what they left out, once all is folded. SW_ERR_USAGE for a column that no row has, and for a
 * value that is none of its column's type. */
enum sw_code sw_run_settle_scope(struct sw_run *run, struct sw_error *error);
void sw_run_describe_scope(struct sw_run *run);
enum sw_code sw_run_fold(struct sw_run *run, struct sw_error *error);
enum sw_code sw_run_result(struct sw_run *run, struct sw_error *error);
enum sw_code sw_run_write_outputs(struct sw_run *run, struct sw_error *error);
void sw_run_findings_open(struct sw_run *run);
/* Adds a remark for each declaration that no record has anything to do with: a misspelt column, most often. SW_ERR_MEMORY. */
enum sw_code sw_run_note_unmet(struct sw_run *run, struct sw_error *error);
/* The same of tables: a side has records of tables that are not in scope, and none of one that is. */
enum sw_code sw_run_note_other_tables(struct sw_run *run, struct sw_error *error);
/* Adds a remark to report.notes, once. False if memory ran out. */
bool sw_run_remark(struct sw_run *run, const char *text);
/* Adds a sentence to report.assumed. False if memory ran out. */
bool sw_run_assume(struct sw_run *run, const char *format, ...) SW_PRINTF(2, 3);
/* The watch of sw_workers_run: tells the caller how far the run is. `ctx` is the run. */
bool sw_run_watch(void *ctx);
void sw_run_cancel(void *ctx);
/* The same while inputs are read: threads that wait for a server wait no longer. */
void sw_run_cancel_reading(void *ctx);
void sw_run_free(struct sw_run **run);

#endif
