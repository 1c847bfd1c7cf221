/* Scanning a log: which positions do these event files cover, and what is missing between them?
 *
 * The events are read once, by the same readers as for a reconciliation, and nothing of their rows is kept. The answer is as strong as the
 * evidence: where positions are dense (MySQL's GTIDs, the offsets of a Kafka topic that is declared to have no holes) continuity can be shown; where
 * they are not (a PostgreSQL LSN is a byte address) that no gap is seen does not mean that there is none, and the answer is "cannot tell".
 *
 *     struct sw_scan_options options;
 *     sw_scan_options_init(&options);
 *     options.events = files;
 *     options.event_count = 2;
 *     options.order = "mysql-gtid";
 *     struct sw_scan_report *report = NULL;
 *     if (sw_scan(&report, &options, &error) == SW_OK)
 *         status = sw_scan_exit_status(report);
 *     sw_scan_report_free(&report);
 *
 * docs/positions.md has what is shown for each source, and why. */
#ifndef SLACKWATER_SCAN_H
#define SLACKWATER_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slackwater/continuity.h"
#include "slackwater/error.h"
#include "slackwater/export.h"
#include "slackwater/reconcile.h"
#include "slackwater/report.h"

SW_BEGIN_DECLS

/* Texts and arrays are borrowed until the call returns; NULL, 0 and false mean "not declared" unless a field says otherwise. */
struct sw_scan_options {
    size_t struct_size;              /* set by init */
    const char *const *events; size_t event_count; /* locators, as for a reconciliation; at least one */
    const char *events_query;        /* a SELECT that is read instead of a table, as in sw_reconcile_options */
    const char *format;              /* NULL = the first records tell */
    const char *map_file;            /* YAML: for shapes of one's own */
    const char *order;               /* a policy from `slackwater orders`; NULL: integer for plain records, none elsewhere */
    const char *version;             /* where the single field of the order stands */
    const char *operation;           /* where an event says what it does */
    const char *space;               /* the space of positions that carry none */

    /* what should be there */
    const char *expect_first, *expect_last; /* positions that the evidence should reach, inclusive; several, one a space, as in sw_reconcile_options.cut */
    const char *baseline_position;   /* as in sw_reconcile_options: of the order mysql-gtid it is `after`, of others nothing */
    const char *after;               /* mysql-gtid: the set that was processed before the first event; NULL: the baseline position, here, in the mapping file or in a saved state */
    const char *executed;            /* mysql-gtid: gtid_executed: every transaction of it that is not in `after` should be in evidence */
    const char *purged;              /* mysql-gtid: gtid_purged: what is missing and in it was discarded at the source */
    const char *available;           /* the oldest position that the source can still serve: what is missing below it was discarded */
    const char *const *saved; size_t saved_count; /* mysql-gtid: locators of saved states, what else is among them is passed over: what the runs that wrote them saw is in evidence, too */
    bool only_sets;                  /* reads nothing, and gives no report, unless the order is mysql-gtid, whose positions tell by themselves what is missing */
    bool dense;                      /* the log numbers its records without holes, so that a hole is a gap */

    const char *report_file;         /* JSON; appears whole or not at all */

    /* the machine, as in sw_reconcile_options */
    unsigned threads;
    uint64_t memory_bytes;
    const char *temporary_directory;
    uint64_t block_bytes;
    uint64_t record_bytes_max;
    const char *kernel;
    const char *digest;
    int (*progress)(const struct sw_progress *progress, void *ctx);
    void *progress_ctx;
};

/* As sw_reconcile_options_init_sized: for callers of other languages. */
SW_API void sw_scan_options_init_sized(struct sw_scan_options *options, size_t size);

/* Sets every field to its default. */
static inline void sw_scan_options_init(struct sw_scan_options *options) { sw_scan_options_init_sized(options, sizeof *options); }

struct sw_scan_report;

/* Reads the events and judges what they cover.
 *
 * Returns SW_OK with *out set, whatever was found (NULL only by `only_sets`); SW_ERR_USAGE, SW_ERR_INPUT, …: nothing is claimed, *out is NULL, no output file exists.
 * Owner   the caller, with sw_scan_report_free.
 * Threads the call starts its own and joins them. Several calls may run at once. */
SW_API SW_MUST_USE enum sw_code sw_scan(struct sw_scan_report **out, const struct sw_scan_options *options, struct sw_error *error);
SW_API void sw_scan_report_free(struct sw_scan_report **report);

SW_API enum sw_continuity sw_scan_verdict(const struct sw_scan_report *report);
/* 0 continuous, 1 a gap, 3 cannot tell; 2 if a record could not be read, whatever else was found. */
SW_API int sw_scan_exit_status(const struct sw_scan_report *report);

/* The answer on the first line, then what it rests on. / As JSON, schema "slackwater.scan/1" (docs/scan.schema.json). */
SW_API SW_MUST_USE enum sw_code sw_scan_write_text(const struct sw_scan_report *report, sw_write_fn write, void *ctx, struct sw_error *error);
SW_API SW_MUST_USE enum sw_code sw_scan_write_json(const struct sw_scan_report *report, sw_write_fn write, void *ctx, struct sw_error *error);

SW_END_DECLS

#endif
