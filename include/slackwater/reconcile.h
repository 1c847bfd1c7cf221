/* Reconciliation: what should the destination hold, and what does it hold?
 *
 * One call reads a baseline, change events and a reference, folds them under declared rules, compares key by
 * key at a declared cut and gives a report. Nothing that changes an answer is guessed.
 *
 *     const char *events[] = {"events-1.ndjson.gz", "events-2.ndjson.gz"};
 *     struct sw_reconcile_options options;
 *     sw_reconcile_options_init(&options);
 *     options.events = events;
 *     options.event_count = 2;
 *     …
 *     struct sw_report *report = NULL;
 *     if (sw_reconcile(&report, &options, &error) == SW_OK) {
 *         if (sw_report_write_summary(report, &style, write, ctx, &error) == SW_OK)
 *             status = sw_report_exit_status(report);
 *     }
 *     sw_report_free(&report);
 */
#ifndef SLACKWATER_RECONCILE_H
#define SLACKWATER_RECONCILE_H

#include <stddef.h>
#include <stdint.h>

#include "slackwater/continuity.h"
#include "slackwater/error.h"
#include "slackwater/export.h"

SW_BEGIN_DECLS

struct sw_report;

/* How far a run is. Plain data, sent to the caller's callback about five times a second, from one thread at a time. */
struct sw_progress {
    const char *phase;            /* "reading baseline", "reading events", "reading expected", "comparing", "waiting to read again", "writing",
                                   * "waiting for a lock (ROLE)" while a table is locked at its server: static */
    uint64_t records;             /* read so far, all roles */
    uint64_t bytes, total_bytes;  /* of the inputs as stored; total 0 = unknown */
    uint64_t partitions, partitions_done; /* while comparing */
    uint64_t spilled_bytes;       /* written to temporary files */
    double seconds;               /* since the start */
    double wait_seconds;          /* phase "waiting to read again": how long still; 0 else */
};

/* One input whose rows are of one of the tables that the mapping lists. */
struct sw_table_input {
    const char *role;                /* "baseline", "expected" */
    const char *table;               /* its name, as the mapping has it */
    const char *locator;
};

/* All that is declared for a run. Texts and arrays are borrowed until the call returns. NULL, 0 and false mean
 * "not declared" unless a field says otherwise. Always initialise with sw_reconcile_options_init. */
struct sw_reconcile_options {
    size_t struct_size;              /* set by init: the size the caller was compiled with */

    /* inputs: locators (paths, globs, directories, "-", tables and streams as `slackwater sources` lists them), read as one set a role; a role may be left out */
    const char *const *baseline; size_t baseline_count;
    const char *const *events;   size_t event_count;
    const char *const *expected; size_t expected_count;
    const char *format;              /* of the events: "auto" or a name from `slackwater formats`; NULL = auto. Baseline and reference are
                                      * recognised, or declared in the mapping; without events it is theirs */

    /* the mapping; a declaration here wins over the same declaration in the file */
    const char *map_file;            /* YAML */
    const char *const *keys;  size_t key_count;    /* key columns; each may be "a,b" */
    const char *const *types; size_t type_count;   /* "COLUMN=TYPE" */
    const char *const *ignore; size_t ignore_count;/* columns left out of the comparison; each may be "a,b" */
    const char *const *renames; size_t rename_count; /* "OLD=NEW" */
    const char *table;               /* only records of this table are in scope; NULL = all */
    const char *order;               /* a policy from `slackwater orders` */
    const char *version, *deleted, *identity, *operation; /* column names or paths */
    const char *csv_null;            /* the unquoted CSV text that is NULL; NULL = the empty text */
    char csv_delimiter;              /* 0 = comma */
    char csv_escape;                 /* 0 = none, and fields may be quoted; a backslash: the byte behind it is data, and quotes are (COPY's text format, INTO OUTFILE, --batch) */
    const char *baseline_position;   /* events at or below it are covered by the baseline */
    const char *baseline_time;       /* with baseline_position: when the baseline was taken, such as "2026-01-28T10:00:00Z"; an event that the position covers and that says that it is later leaves its key undecided */
    const char *cut;                 /* compare at this position */
    const char *max_staleness;       /* the destination may show what it held so long ago: "0", "45s", "15m", "6h", "2d"; NULL = not declared */
    const char *cut_at, *read_at;    /* with max_staleness: when the source made the last change up to the cut, and when the destination was read; with zones */
    const char *space, *spaces;      /* the space of positions that carry none; "A,B,C": their declared order */
    const char *compare;             /* "state" or "value"; NULL = state if the reference has versions */
    const char *expected_deletes;    /* "tombstone", "absent", "flag:COLUMN" or "set:COLUMN"; NULL = tombstone if the reference has a deleted column */
    const char *conflicts;           /* "any" (NULL) or "newest" */
    const char *absent;              /* what an absent column of a row means: "unknown" (NULL) or "null" */
    bool allow_empty;                /* nothing to compare is no reason for status 3 */

    /* outputs: files that appear whole or not at all; NULL = none */
    const char *report_file;         /* JSON */
    const char *differences_file;    /* .ndjson or .csv, all of them */
    const char *states_file;         /* .ndjson, the reconstructed rows, tombstones included */
    const char *save_state_file;     /* .ndjson, usable as the next run's baseline */
    const char *quarantine_file;     /* .ndjson, the bad records with reason and place */
    uint64_t listed_differences;     /* how many differences the report itself lists; init sets 1000 */

    /* the machine */
    unsigned threads;                /* 0 = all cores */
    uint64_t memory_bytes;           /* 0 = a quarter of the machine's memory */
    const char *temporary_directory; /* for spilled partitions; NULL = TMPDIR or /tmp */
    const char *digest;              /* "sha256", "none"; NULL = sha256 if report_file is set, else none */
    uint64_t block_bytes;            /* of a read; 0 = default; for tests */
    uint64_t record_bytes_max;       /* a longer record is a bad record; 0 = 64 MiB */
    uint64_t seed;                   /* of internal hashing; 0 = random. Never changes a result */
    const char *kernel;              /* scan kernel: "scalar", "sse2", "avx2"; NULL = the best this machine has */

    /* called now and then; may be NULL. Return non-zero to cancel the run. */
    int (*progress)(const struct sw_progress *progress, void *ctx);
    void *progress_ctx;

    /* Evidence for the history: JSON reports of a scan, a judged gap or a probe, each with its name. A gap, a change of space or positions that begin anew
     * in one of them keep the exit status from being 0; only a report that proves an interval complete confirms the history. */
    const struct sw_named_text *continuity; size_t continuity_count;

    /* SQL that is read instead of a table, where the role's one locator names a database; NULL = none */
    const char *baseline_query, *events_query, *expected_query;

    /* A part of the keys: a condition on columns ("region = 'EU' AND id >= 1000"), and a share of all keys by a hash of the key ("1/1000", "1%"), which is the same
     * in every role and every run. A run over a part that the mapping does not declare as its scope never ends with status 0. NULL = all keys */
    const char *where, *sample;

    /* "SECONDS[,TIMES]": after the comparison the keys that differ are read again, each time after so many seconds, and the report says which differences were under way.
     * SW_ERR_USAGE if the destination is no source that could say something else. NULL = they are not */
    const char *recheck;

    /* The inputs here are all there are, for whoever repeats a run from copies: files that the mapping names for its tables are not read, but `table_inputs` in their place, in this order.
     * A mapping that names files, and none here: SW_ERR_UNSUPPORTED */
    bool inputs_alone;
    const struct sw_table_input *table_inputs; size_t table_input_count;

    /* "TABLE=PATTERN": records of tables whose names match are records of TABLE: partitions, shards, chunks. `*` stands for any bytes but dots, `?` for one */
    const char *const *partitions; size_t partition_count;
};

/* Sets the first `size` bytes of the options to their defaults, and struct_size to `size`. For callers of other languages;
 * C programs call sw_reconcile_options_init, so that a library with more fields never writes past what they compiled. */
SW_API void sw_reconcile_options_init_sized(struct sw_reconcile_options *options, size_t size);

/* Sets every field to its default. */
static inline void sw_reconcile_options_init(struct sw_reconcile_options *options) { sw_reconcile_options_init_sized(options, sizeof *options); }

/* Runs one reconciliation and gives a report.
 *
 * Returns SW_OK with *out set: the run is complete, whatever it found (see sw_report_exit_status).
 *         SW_ERR_USAGE, SW_ERR_INPUT, …: nothing is claimed, no output file exists, *out is NULL.
 * Owner   the caller frees the report with sw_report_free.
 * Threads the call starts its own threads and joins them before it returns. Several calls may run at once.
 * Files   outputs are written under a temporary name, synced and renamed only when the run is complete. */
SW_API SW_MUST_USE enum sw_code sw_reconcile(struct sw_report **out, const struct sw_reconcile_options *options, struct sw_error *error);

SW_END_DECLS

#endif
