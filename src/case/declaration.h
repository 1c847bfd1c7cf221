/* case.yaml: what people declare about an incident, as a struct, and one table that says how it is written.
 *
 * The table (declaration_fields.c) gives each field its place in the file, its form and a line of help. The reader, the template
 * that `case init` writes and the places that rules name are made from it, so that they cannot disagree.
 *
 * Texts are UTF-8 without NUL. What says that nothing is known yet ("?", "tbd", "todo", "unknown", "-", any case) is read as empty. */
#ifndef SW_CASE_DECLARATION_H
#define SW_CASE_DECLARATION_H

#include "base/buffer.h"
#include "base/error.h"
#include "case/note.h"
#include "mapping/draft.h"

#define SW_CASE_RECORDS_MAX 200u /* items of a list in case.yaml */

/* The last confirmed point of one boundary. */
struct sw_declared_boundary {
    struct sw_bytes system;       /* which server and database, stream, table */
    struct sw_bytes kind;         /* of the position, as in `slackwater position compare --kind` */
    struct sw_bytes position;
    struct sw_note_entries evidence;
    struct sw_bytes observed_at;  /* when somebody looked: a time, never a position */
};

/* One of the two acceptance criteria. What the owner decided stands apart from the evidence. */
struct sw_declared_criterion {
    struct sw_bytes text, owner;
    struct sw_bytes expires_at;   /* from then on the evidence does not count any more */
    struct sw_bytes decision, decided_by, decided_at; /* "accepted", "refused", or empty */
};

struct sw_declared_assumption { struct sw_bytes what, holds, checked_at; }; /* holds: yes, no */

struct sw_case_declaration {
    struct sw_bytes title, incident, started_at;
    struct sw_declared_boundary boundaries[3]; /* source, pipeline, destination */
    struct sw_bytes affected_from, affected_to;
    struct sw_bytes affected_scope;
    struct sw_note_texts affected_objects;

    struct { struct sw_bytes state, observed_at, expires_at; struct sw_note_entries evidence; } process; /* state: running, stopped, failed */
    struct sw_declared_criterion current_state, every_change;
    struct sw_bytes history_rebuildable; /* yes, no */
    struct sw_note_exception *exceptions; size_t exception_count;
    struct sw_note_skipped *skipped; size_t skipped_count;

    struct { struct sw_bytes position, explanation, explained_to, earlier; } restart;
    struct { struct sw_bytes retention, retention_ends_at, writes, failover, failover_checked_on; struct sw_note_entries failover_evidence; } source; /* failover: yes, no */
    struct { struct sw_bytes destination, object, rows, largest_rows, changes, throughput, source_impact, application_lag, stop_criteria; } rehearsal; /* changes: yes, no */
    struct { struct sw_bytes used, status, ordering, restarted, resend_planned; } backfill; /* used, restarted, resend_planned: yes, no */
    struct { struct sw_bytes policy, whose, producer, comparison, disagreement, identity; } order; /* whose: ours, vendor */
    struct { struct sw_bytes control; struct sw_note_entries evidence; } overlap;
    struct { struct sw_bytes used, compatibility; } snapshot; /* used: yes, no */
    struct { struct sw_bytes used, filter, consumers, repeated_work, stale_acknowledgements; struct sw_note_entries preserved; } seek;
    struct { struct sw_bytes reference, quiescent, max_staleness, cut_at, read_at, deletions_kept, oldest_replayable; } destination;
    struct { struct sw_bytes deletions, conflicts, unexpected, totals; } review;
    struct sw_note_resource *resources; size_t resource_count;
    struct sw_declared_assumption *assumptions; size_t assumption_count;
    struct { struct sw_bytes next_owner, contact, next_step, may_stop, results_kept, pipeline_version, authorization; } handover;
};

enum sw_field_form {
    SW_FIELD_TEXT,
    SW_FIELD_TIME,      /* RFC 3339 with a zone */
    SW_FIELD_DURATION,  /* 0, 45s, 15m, 6h, 2d */
    SW_FIELD_COUNT,     /* decimal digits */
    SW_FIELD_CHOICE,
    SW_FIELD_TEXTS,     /* a list of texts */
    SW_FIELD_ENTRIES,   /* a list of numbers of ledger entries */
    SW_FIELD_RECORDS    /* a list of maps */
};

struct sw_field {
    const char *path;              /* "boundaries.source.position" */
    enum sw_field_form form;
    size_t at, count_at;           /* offsets; count_at of RECORDS alone */
    const char *help;              /* one line of the template; NULL repeats nothing */
    const char *const *choices;    /* NULL-terminated */
    const struct sw_field *items; size_t item_count, item_size; /* of RECORDS */
};

extern const struct sw_field sw_case_fields[];
extern const size_t sw_case_field_count;

/* Reads case.yaml. Texts live in `memory`.
 * Errors: SW_ERR_USAGE with line and column for an unknown member or a value of the wrong form, SW_ERR_LIMIT, SW_ERR_MEMORY. */
enum sw_code sw_case_declaration_read(struct sw_case_declaration *out, struct sw_mapping_block **memory, struct sw_bytes text, const char *name, struct sw_error *error);

/* Appends the template, with `title` filled in. */
void sw_case_template(struct sw_buffer *out, struct sw_bytes title);

/* A value inside a sentence: its first whole characters, as they are but for controls, which become blanks. It allocates nothing, so that no sentence
 * lacks a value for want of memory; whoever writes the sentence out escapes it. */
struct sw_case_shown { char text[128]; };
struct sw_case_shown sw_case_show(struct sw_bytes value);

/* Seconds of a duration ("0", "45s", "15m", "6h", "2d"); false for anything else. */
bool sw_case_duration(uint64_t *seconds, struct sw_bytes text);
/* Decimal digits without sign; false if it is none or does not fit. */
bool sw_case_number(uint64_t *out, struct sw_bytes text);

#endif
