/* Continuity: can the source serve every change after a saved position?
 *
 * There are three answers, and they never collapse: *continuous* (the source can serve everything after the saved
 * position), *gap* (the source can prove that something in between was discarded, or will be skipped), and *cannot tell*
 * (the identities differ or are unknown, or nothing proves either). A report names the rule that decided, with its source,
 * what it assumed, what follows, and what it does not show.
 *
 *     struct sw_gap_options options;
 *     sw_gap_options_init(&options);
 *     options.kind = "mysql";
 *     options.saved = "binlog.000042:1234@server=3a1f…";
 *     options.first = "binlog.000050:4@server=3a1f…";
 *     struct sw_continuity_report *report = NULL;
 *     if (sw_continuity_gap(&report, &options, &error) == SW_OK)
 *         status = sw_continuity_exit_status(report);
 *     sw_continuity_report_free(&report);
 *
 * The rules for each source are in docs/positions.md. */
#ifndef SLACKWATER_CONTINUITY_H
#define SLACKWATER_CONTINUITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slackwater/error.h"
#include "slackwater/export.h"
#include "slackwater/position.h"
#include "slackwater/report.h"

SW_BEGIN_DECLS

enum sw_continuity {
    SW_CONTINUOUS = 0,
    SW_GAP = 1,
    SW_CANNOT_TELL = 3
};

/* "continuous", "gap", "cannot tell". Static storage. Any thread. */
SW_API const char *sw_continuity_name(enum sw_continuity verdict);

struct sw_continuity_report;

/* A text and what it is called: a file's name, or NULL. Borrowed. */
struct sw_named_text {
    const char *name;
    const char *text;
    size_t len;
};

/* Texts are borrowed until the call returns; NULL means "not known" unless a field says otherwise. */
struct sw_gap_options {
    size_t struct_size;          /* set by init */
    const char *kind;            /* a kind of position; required */
    const char *saved;           /* what the pipeline has durably processed; required */
    const char *first, *last;    /* the oldest and the newest position that the source can serve */
    const char *purged, *executed; /* mysql-gtid: gtid_purged and gtid_executed */
    const struct sw_named_text *histories; size_t history_count; /* timeline histories, or V$DATABASE_INCARNATION */
    const struct sw_named_text *shown; size_t shown_count;       /* what a client printed: docs/positions.md lists what is understood */
    const char *slot;            /* postgres: the name of the replication slot among those shown */
    const char *sources;         /* mysql-gtid: only these UUIDs count, with commas between them */
    const char *strict;          /* mariadb: gtid_strict_mode, "on" or "off" */
    bool same_source;            /* declared: what does not give its identity is of the same source */
};

/* As sw_reconcile_options_init_sized: for callers of other languages. */
SW_API void sw_gap_options_init_sized(struct sw_gap_options *options, size_t size);

/* Sets every field to its default. */
static inline void sw_gap_options_init(struct sw_gap_options *options) { sw_gap_options_init_sized(options, sizeof *options); }

/* Judges whether the source can be resumed at `saved` without a hole.
 *
 * Returns SW_OK with *out set, whatever the answer; SW_ERR_USAGE for what is declared wrongly; SW_ERR_INPUT when a position or
 *         pasted output is not what it must be, or contradicts itself; SW_ERR_LIMIT; SW_ERR_MEMORY. *out is NULL on failure.
 * Owner   the caller, with sw_continuity_report_free.
 * Threads any. */
SW_API SW_MUST_USE enum sw_code sw_continuity_gap(struct sw_continuity_report **out, const struct sw_gap_options *options, struct sw_error *error);

/* Texts are borrowed until the call returns; NULL means "not given". */
struct sw_probe_options {
    size_t struct_size;          /* set by init */
    const char *locator;         /* postgresql://, mysql://, mariadb://, kafka:// or libpq's keyword=value text; required */
    const char *kind;            /* of the saved position; NULL: by the locator, for MySQL and MariaDB by its form */
    const char *saved;           /* what the pipeline has durably processed; Kafka: may be left out where `group` is given */
    const char *slot;            /* postgres: the replication slot */
    const char *publication;     /* postgres: the publication that the pipeline reads; NULL: any will do */
    const char *group;           /* kafka: the consumer group whose committed offsets are read */
    const char *sources;         /* mysql-gtid: only these UUIDs count, with commas between them */
    const char *const *tables; size_t table_count; /* TABLE or SCHEMA.TABLE, which the pipeline must carry; besides the locator's own */
    const struct sw_named_text *histories; size_t history_count; /* timeline histories, where the server does not let them be read */
    bool same_source;            /* declared: what does not give its identity is of the same source */
    uint64_t timeout_seconds;    /* for connecting and for each question; 0 = 15 */
};

/* As sw_reconcile_options_init_sized: for callers of other languages. */
SW_API void sw_probe_options_init_sized(struct sw_probe_options *options, size_t size);

/* Sets every field to its default. */
static inline void sw_probe_options_init(struct sw_probe_options *options) { sw_probe_options_init_sized(options, sizeof *options); }

/* Asks a live source whether the log after `saved` still exists, what would be skipped without an error, and which settings lose data
 * next. Nothing is changed at the source: sessions are read-only, no group is joined, nothing is committed.
 *
 * The report is that of sw_continuity_gap, and besides says what was asked and answered (JSON schema "slackwater.probe/1").
 * Returns as sw_continuity_gap; SW_ERR_REMOTE where the source cannot be reached or fails; SW_ERR_UNSUPPORTED where this build has no client for
 *         it. What the user may not see is no failure: the report names it, and what to grant.
 * Owner   the caller, with sw_continuity_report_free.
 * Threads any. */
SW_API SW_MUST_USE enum sw_code sw_continuity_probe(struct sw_continuity_report **out, const struct sw_probe_options *options, struct sw_error *error);

/* Texts are borrowed until the call returns. */
struct sw_snapshot_options {
    size_t struct_size;          /* set by init */
    const struct sw_named_text *documents; size_t document_count; /* what the cloud's tools printed as JSON; at least one */
    const char *id;              /* which Dataflow snapshot, if several are there */
    const char *at;              /* the time of the judgement, RFC 3339 with Z or an offset; NULL = now */
    const char *region;          /* where the new job is to run; NULL = not declared */
    uint64_t need_seconds;       /* how long the restore takes: every part must live that much longer */
};

/* As sw_reconcile_options_init_sized: for callers of other languages. */
SW_API void sw_snapshot_options_init_sized(struct sw_snapshot_options *options, size_t size);

/* Sets every field to its default. */
static inline void sw_snapshot_options_init(struct sw_snapshot_options *options) { sw_snapshot_options_init_sized(options, sizeof *options); }

/* Judges whether a Dataflow snapshot, or a Pub/Sub snapshot, can be restored without losing input.
 *
 * Understood are Dataflow snapshots, Pub/Sub snapshots, subscriptions and topics, as single objects or lists. The verdict is
 * SW_CONTINUOUS ("restorable"), SW_GAP ("not restorable", or a gap with its interval) or SW_CANNOT_TELL.
 * Returns, Owner, Threads as sw_continuity_gap. */
SW_API SW_MUST_USE enum sw_code sw_continuity_snapshot(struct sw_continuity_report **out, const struct sw_snapshot_options *options, struct sw_error *error);

SW_API enum sw_continuity sw_continuity_verdict(const struct sw_continuity_report *report);
/* 0 continuous, 1 a gap, 3 cannot tell. */
SW_API int sw_continuity_exit_status(const struct sw_continuity_report *report);

/* An interval of the source's log that the pipeline will not see. Texts live as long as the report. */
struct sw_gap_interval {
    const char *space;    /* which stream: a domain, a redo thread, a partition; "" if there is one only */
    const char *from, *to;/* positions, or sets of GTIDs in `from` with `to` empty; `to` empty with `open`: not known yet */
    bool from_included, to_included;
    bool open;            /* the end is not known yet */
    bool possible;        /* it may hold no change of the tables that matter */
    const char *proof;    /* "discarded at the source" or "not seen" */
};
/* False from their number on. */
SW_API bool sw_continuity_interval(struct sw_gap_interval *out, const struct sw_continuity_report *report, size_t index);

/* The answer on the first line, then why and what follows. / The same as JSON, schema "slackwater.continuity/1". */
SW_API SW_MUST_USE enum sw_code sw_continuity_write_text(const struct sw_continuity_report *report, sw_write_fn write, void *ctx, struct sw_error *error);
SW_API SW_MUST_USE enum sw_code sw_continuity_write_json(const struct sw_continuity_report *report, sw_write_fn write, void *ctx, struct sw_error *error);

/* Writes the answer of sw_position_compare: the order alone on the first line, then the reason, what was assumed, and
 * what is to be noted about each text. / As JSON, schema "slackwater.comparison/1". `a` and `b` are what was compared. */
SW_API SW_MUST_USE enum sw_code sw_continuity_write_comparison_text(const struct sw_position_comparison *answer, const struct sw_position *a, const struct sw_position *b, sw_write_fn write,
    void *ctx, struct sw_error *error);
SW_API SW_MUST_USE enum sw_code sw_continuity_write_comparison_json(const struct sw_position_comparison *answer, const struct sw_position *a, const struct sw_position *b, sw_write_fn write,
    void *ctx, struct sw_error *error);

/* Frees and sets to NULL; NULL is accepted. */
SW_API void sw_continuity_report_free(struct sw_continuity_report **report);

SW_END_DECLS

#endif
