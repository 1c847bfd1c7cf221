/* The options of a reconciliation, for every command that runs one: one row an option, whoever takes it.
 *
 * A command's own `struct call` has the members `run` (struct sw_reconcile_options), `json`, `progress` and `color`; its table is made of the
 * groups below, with rows of its own between them where they belong. */
#ifndef SW_CLI_RUN_OPTIONS_H
#define SW_CLI_RUN_OPTIONS_H

#include "command.h"
#include "slackwater/reconcile.h"
#include "slackwater/report.h"

extern const char *const run_progress_forms[], *const run_color_forms[], *const run_compare_forms[], *const run_conflict_forms[], *const run_absent_forms[], *const run_digest_forms[],
    *const run_kernel_forms[];

#define RUN_AT(field) offsetof(struct call, field)
#define RUN_INPUTS "inputs"
#define RUN_MAPPING "what is declared about the records (docs/mapping.md); each wins over --map"
#define RUN_CUT "order, cut and comparison"
#define RUN_OUTPUTS "outputs (files appear whole or not at all)"
#define RUN_MACHINE "the machine"

#define RUN_OPTIONS_INPUTS \
    {"baseline", 'b', OPTION_LIST, "LOCATOR", RUN_AT(run.baseline), RUN_AT(run.baseline_count), RUN_INPUTS, \
     "Rows of a snapshot, a backfill or a saved state: a file, a glob in quotes, a directory, or - for standard input; plain or .gz, .zst, .lz4; or a table as sqlite:FILE#TABLE ('slackwater sources' lists more). May be given again.", NULL, false}, \
    {"events", 'e', OPTION_LIST, "LOCATOR", RUN_AT(run.events), RUN_AT(run.event_count), RUN_INPUTS, "Change events. Their order in the files does not matter. May be given again.", NULL, false}, \
    {"expected", 'x', OPTION_LIST, "LOCATOR", RUN_AT(run.expected), RUN_AT(run.expected_count), RUN_INPUTS, "The reference: the destination's rows, or what they should be. May be given again.", NULL, false}, \
    {"baseline-query", 0, OPTION_TEXT, "SQL", RUN_AT(run.baseline_query), 0, RUN_INPUTS, "A SELECT that is read instead of a table; --baseline then names the database alone.", NULL, false}, \
    {"events-query", 0, OPTION_TEXT, "SQL", RUN_AT(run.events_query), 0, RUN_INPUTS, "The same for --events.", NULL, false}, \
    {"expected-query", 0, OPTION_TEXT, "SQL", RUN_AT(run.expected_query), 0, RUN_INPUTS, "The same for --expected.", NULL, false}, \
    {"format", 'f', OPTION_TEXT, "NAME", RUN_AT(run.format), 0, RUN_INPUTS, "How the events are written; 'slackwater formats' lists the names. Without it the first records tell.", NULL, false},

#define RUN_OPTIONS_MAPPING \
    {"map", 'm', OPTION_TEXT, "FILE", RUN_AT(run.map_file), 0, RUN_MAPPING, "A YAML file with all that is declared.", NULL, false}, \
    {"key", 'k', OPTION_LIST, "COLUMNS", RUN_AT(run.keys), RUN_AT(run.key_count), RUN_MAPPING, "The key columns, with commas between them. Every other column is then a value column, unless an option names it.", NULL, false}, \
    {"type", 0, OPTION_LIST, "COLUMN=TYPE", RUN_AT(run.types), RUN_AT(run.type_count), RUN_MAPPING, "The type of a column, such as decimal, timestamptz(3) or 'uint32 wrap'. May be given again.", NULL, false}, \
    {"ignore", 0, OPTION_LIST, "COLUMNS", RUN_AT(run.ignore), RUN_AT(run.ignore_count), RUN_MAPPING, "Columns left out of the comparison.", NULL, false}, \
    {"partitions", 0, OPTION_LIST, "TABLE=PATTERN", RUN_AT(run.partitions), RUN_AT(run.partition_count), RUN_MAPPING, "Records of tables whose names match PATTERN (* and ?) are records of TABLE: partitions, shards, chunks. May be given again.", NULL, false}, \
    {"rename", 0, OPTION_LIST, "OLD=NEW", RUN_AT(run.renames), RUN_AT(run.rename_count), RUN_MAPPING, "A column of baseline and events that has another name in the reference. May be given again.", NULL, false}, \
    {"table", 't', OPTION_TEXT, "NAME", RUN_AT(run.table), 0, RUN_MAPPING, "Only records of this table are in scope.", NULL, false}, \
    {"version", 0, OPTION_TEXT, "PATH", RUN_AT(run.version), 0, RUN_MAPPING, "Where the version stands: the single field of the order.", NULL, false}, \
    {"deleted", 0, OPTION_TEXT, "PATH", RUN_AT(run.deleted), 0, RUN_MAPPING, "Where a row says that it is a tombstone: true or false, or set:PATH for a value that is null until then, as a time of deletion is.", NULL, false}, \
    {"identity", 0, OPTION_TEXT, "PATHS", RUN_AT(run.identity), 0, RUN_MAPPING, "What names an event: a second delivery of it is a duplicate.", NULL, false}, \
    {"op", 0, OPTION_TEXT, "PATH", RUN_AT(run.operation), 0, RUN_MAPPING, "Where an event says what it does.", NULL, false}, \
    {"absent", 0, OPTION_CHOICE, NULL, RUN_AT(run.absent), 0, RUN_MAPPING, "What it means that a row has no such column. Default: unknown.", run_absent_forms, false}, \
    {"csv-null", 0, OPTION_TEXT, "TEXT", RUN_AT(run.csv_null), 0, RUN_MAPPING, "The unquoted text that is NULL in CSV. Default: nothing between two delimiters.", NULL, false}, \
    {"csv-escape", 0, OPTION_CHARACTER, "CHARACTER", RUN_AT(run.csv_escape), 0, RUN_MAPPING, "A backslash: fields are not quoted, and the byte behind one is data, as in PostgreSQL's COPY as text, INTO OUTFILE and --batch of MariaDB and MySQL. NULL is \\N then, if --csv-null does not say otherwise.", NULL, false}, \
    {"csv-delimiter", 0, OPTION_CHARACTER, "CHARACTER", RUN_AT(run.csv_delimiter), 0, RUN_MAPPING, "What stands between the fields of CSV; tab is understood. Default: a comma.", NULL, false},

#define RUN_OPTIONS_CUT \
    {"order", 0, OPTION_TEXT, "POLICY", RUN_AT(run.order), 0, RUN_CUT, "The rule by which versions of one key compare; 'slackwater orders' lists them. Default: integer for plain records, none elsewhere.", NULL, false}, \
    {"space", 0, OPTION_TEXT, "NAME", RUN_AT(run.space), 0, RUN_CUT, "The position space of records that do not name their source.", NULL, false}, \
    {"spaces", 0, OPTION_TEXT, "A,B,C", RUN_AT(run.spaces), 0, RUN_CUT, "The declared order between position spaces, oldest first, as after a failover; a comma inside a name is \\,.", NULL, false}, \
    {"baseline-position", 0, OPTION_TEXT, "POSITION", RUN_AT(run.baseline_position), 0, RUN_CUT, "Events at or below it are covered by the baseline; a set for GTIDs. Several, one a space: 'POSITION;SPACE=POSITION'. docs/orders.md has the forms.", NULL, false}, \
    {"baseline-time", 0, OPTION_TEXT, "TIME", RUN_AT(run.baseline_time), 0, RUN_CUT, "When the baseline was taken, such as 2026-01-28T10:00:00Z: a check of --baseline-position. The key of an event that the position covers and that says that it was made later is undecided.", NULL, false}, \
    {"cut", 0, OPTION_TEXT, "POSITION", RUN_AT(run.cut), 0, RUN_CUT, "Both sides are compared at this position, inclusive; it names one in every space, several as in --baseline-position.", NULL, false}, \
    {"max-staleness", 0, OPTION_TEXT, "LENGTH", RUN_AT(run.max_staleness), 0, RUN_CUT, "The destination may show what it held so long ago (BigQuery's max_staleness): 15m, 6h. A cut inside that window is refused, by --cut-at and --read-at.", NULL, false}, \
    {"cut-at", 0, OPTION_TEXT, "TIME", RUN_AT(run.cut_at), 0, RUN_CUT, "When the source made the last change up to the cut, with a zone: 2026-01-28T12:55:05Z.", NULL, false}, \
    {"read-at", 0, OPTION_TEXT, "TIME", RUN_AT(run.read_at), 0, RUN_CUT, "When the destination was read, with a zone.", NULL, false}, \
    {"compare", 0, OPTION_CHOICE, NULL, RUN_AT(run.compare), 0, RUN_CUT, "state compares versions too. Default: state if the reference has versions.", run_compare_forms, false}, \
    {"expected-deletes", 0, OPTION_TEXT, "FORM", RUN_AT(run.expected_deletes), 0, RUN_CUT, \
     "How the reference shows a deleted row: tombstone, absent, flag:COLUMN (true or false), or set:COLUMN (null until it is deleted, as a time of deletion). Default: tombstone if it has a deleted column, else absent.", NULL, false}, \
    {"conflicts", 0, OPTION_CHOICE, NULL, RUN_AT(run.conflicts), 0, RUN_CUT, "newest: a conflict below the newest version of a key does not count. Default: any.", run_conflict_forms, false}, \
    {"allow-empty", 0, OPTION_FLAG, NULL, RUN_AT(run.allow_empty), 0, RUN_CUT, "Nothing to compare is no reason for exit status 3.", NULL, false},

/* Which keys are compared. */
#define RUN_OPTIONS_SCOPE \
    {"where", 0, OPTION_TEXT, "CONDITION", RUN_AT(run.where), 0, RUN_CUT, \
     "Only keys of which the proven row or the destination's row satisfies it: \"region = 'EU' AND id >= 1000\"; = != < <= > >=, IN, IS [NOT] NULL, AND, OR, NOT (docs/report.md, \"A part of the keys\"). Unless the mapping " \
     "declares that scope, status 0 is out of reach.", NULL, false}, \
    {"sample", 0, OPTION_TEXT, "PART", RUN_AT(run.sample), 0, RUN_CUT, "Only a part of the keys, such as 1/1000 or 0.5%, by a hash of the key: the same keys in every role and every run. Status 0 is out of reach.", NULL, false},

/* Files that a run writes beside its report. */
#define RUN_OPTIONS_FILES \
    {"differences", 'd', OPTION_TEXT, "FILE", RUN_AT(run.differences_file), 0, RUN_OUTPUTS, "Writes all differences, as .ndjson or .csv.", NULL, false}, \
    {"states", 0, OPTION_TEXT, "FILE", RUN_AT(run.states_file), 0, RUN_OUTPUTS, "Writes the reconstructed rows, tombstones included, as .ndjson.", NULL, false}, \
    {"save-state", 0, OPTION_TEXT, "FILE", RUN_AT(run.save_state_file), 0, RUN_OUTPUTS, "Writes what the next run needs of this one; it takes the file as a baseline.", NULL, false}, \
    {"quarantine", 0, OPTION_TEXT, "FILE", RUN_AT(run.quarantine_file), 0, RUN_OUTPUTS, "Writes the bad records, with reason and place; the exit status is then 1 or 3 instead of 2.", NULL, false},

#define RUN_OPTIONS_SHOWN \
    {"color", 0, OPTION_CHOICE, NULL, RUN_AT(color), 0, RUN_OUTPUTS, "Default: auto, which means on a terminal, unless NO_COLOR is set.", run_color_forms, false}, \
    {"progress", 0, OPTION_CHOICE, NULL, RUN_AT(progress), 0, RUN_OUTPUTS, "How progress is shown on standard error. Default: a bar on a terminal, else none.", run_progress_forms, false},

#define RUN_OPTIONS_MACHINE \
    {"threads", 0, OPTION_UNSIGNED, "COUNT", RUN_AT(run.threads), 0, RUN_MACHINE, "Default: all cores.", NULL, false}, \
    {"memory", 0, OPTION_SIZE, "SIZE", RUN_AT(run.memory_bytes), 0, RUN_MACHINE, "How much memory is used before data goes to temporary files: 512M, 2G. Default: a quarter of the machine's.", NULL, false}, \
    {"temporary-directory", 0, OPTION_TEXT, "DIRECTORY", RUN_AT(run.temporary_directory), 0, RUN_MACHINE, "Default: TMPDIR, or /tmp.", NULL, false}, \
    {"record-max", 0, OPTION_SIZE, "SIZE", RUN_AT(run.record_bytes_max), 0, RUN_MACHINE, "A longer record is a bad record. Default: 64M.", NULL, false}, \
    {"digest", 0, OPTION_CHOICE, NULL, RUN_AT(run.digest), 0, RUN_MACHINE, "Of the inputs, for the report. Default: sha256 with --report, else none.", run_digest_forms, false},

/* For tests. */
#define RUN_OPTIONS_HIDDEN \
    {"block-bytes", 0, OPTION_SIZE, "SIZE", RUN_AT(run.block_bytes), 0, RUN_MACHINE, "How much is read at once. Never changes a result.", NULL, true}, \
    {"kernel", 0, OPTION_CHOICE, NULL, RUN_AT(run.kernel), 0, RUN_MACHINE, "Which scan kernel is used. Never changes a result.", run_kernel_forms, true},

/* How a summary looks on this terminal, or where there is none; `color` is NULL, "auto", "always" or "never". */
struct sw_summary_style stdout_style(const char *color);

#endif
