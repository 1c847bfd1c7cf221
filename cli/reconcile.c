/* slackwater reconcile: what should the destination hold, and what does it hold? */
#include "slackwater/reconcile.h"

#include <errno.h>
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "command.h"
#include "failure.h"
#include "progress.h"
#include "slackwater/report.h"

struct call {
    struct sw_reconcile_options run;
    bool json;
    const char *progress, *color;
};

static const char *const progress_forms[] = {"bar", "plain", "json", "none", NULL}, *const color_forms[] = {"auto", "always", "never", NULL},
                  *const compare_forms[] = {"state", "value", NULL}, *const conflict_forms[] = {"any", "newest", NULL}, *const absent_forms[] = {"unknown", "null", NULL},
                  *const digest_forms[] = {"sha256", "none", NULL}, *const kernel_forms[] = {"scalar", "sse2", "avx2", NULL};

#define AT(field) offsetof(struct call, field)
#define INPUTS "inputs"
#define MAPPING "what is declared about the records (docs/mapping.md); each wins over --map"
#define CUT "order, cut and comparison"
#define OUTPUTS "outputs (files appear whole or not at all)"
#define MACHINE "the machine"

static const struct command_option options[] = {
    {"baseline", 'b', OPTION_LIST, "LOCATOR", AT(run.baseline), AT(run.baseline_count), INPUTS,
     "Rows of a snapshot, a backfill or a saved state: a file, a glob in quotes, a directory, or - for standard input; plain or .gz, .zst, .lz4; or a table as sqlite:FILE#TABLE ('slackwater sources' lists more). May be given again.", NULL, false},
    {"events", 'e', OPTION_LIST, "LOCATOR", AT(run.events), AT(run.event_count), INPUTS, "Change events. Their order in the files does not matter. May be given again.", NULL, false},
    {"expected", 'x', OPTION_LIST, "LOCATOR", AT(run.expected), AT(run.expected_count), INPUTS, "The reference: the destination's rows, or what they should be. May be given again.", NULL, false},
    {"baseline-query", 0, OPTION_TEXT, "SQL", AT(run.baseline_query), 0, INPUTS, "A SELECT that is read instead of a table; --baseline then names the database alone.", NULL, false},
    {"events-query", 0, OPTION_TEXT, "SQL", AT(run.events_query), 0, INPUTS, "The same for --events.", NULL, false},
    {"expected-query", 0, OPTION_TEXT, "SQL", AT(run.expected_query), 0, INPUTS, "The same for --expected.", NULL, false},
    {"format", 'f', OPTION_TEXT, "NAME", AT(run.format), 0, INPUTS, "How the events are written; 'slackwater formats' lists the names. Without it the first records tell.", NULL, false},

    {"map", 'm', OPTION_TEXT, "FILE", AT(run.map_file), 0, MAPPING, "A YAML file with all that is declared.", NULL, false},
    {"key", 'k', OPTION_LIST, "COLUMNS", AT(run.keys), AT(run.key_count), MAPPING, "The key columns, with commas between them. Every other column is then a value column, unless an option names it.", NULL, false},
    {"type", 0, OPTION_LIST, "COLUMN=TYPE", AT(run.types), AT(run.type_count), MAPPING, "The type of a column, such as decimal, timestamptz(3) or 'uint32 wrap'. May be given again.", NULL, false},
    {"ignore", 0, OPTION_LIST, "COLUMNS", AT(run.ignore), AT(run.ignore_count), MAPPING, "Columns left out of the comparison.", NULL, false},
    {"rename", 0, OPTION_LIST, "OLD=NEW", AT(run.renames), AT(run.rename_count), MAPPING, "A column of baseline and events that has another name in the reference. May be given again.", NULL, false},
    {"table", 't', OPTION_TEXT, "NAME", AT(run.table), 0, MAPPING, "Only records of this table are in scope.", NULL, false},
    {"version", 0, OPTION_TEXT, "PATH", AT(run.version), 0, MAPPING, "Where the version stands: the single field of the order.", NULL, false},
    {"deleted", 0, OPTION_TEXT, "PATH", AT(run.deleted), 0, MAPPING, "Where a row says that it is a tombstone.", NULL, false},
    {"identity", 0, OPTION_TEXT, "PATHS", AT(run.identity), 0, MAPPING, "What names an event: a second delivery of it is a duplicate.", NULL, false},
    {"op", 0, OPTION_TEXT, "PATH", AT(run.operation), 0, MAPPING, "Where an event says what it does.", NULL, false},
    {"absent", 0, OPTION_CHOICE, NULL, AT(run.absent), 0, MAPPING, "What it means that a row has no such column. Default: unknown.", absent_forms, false},
    {"csv-null", 0, OPTION_TEXT, "TEXT", AT(run.csv_null), 0, MAPPING, "The unquoted text that is NULL in CSV. Default: nothing between two delimiters.", NULL, false},
    {"csv-delimiter", 0, OPTION_CHARACTER, "CHARACTER", AT(run.csv_delimiter), 0, MAPPING, "What stands between the fields of CSV; tab is understood. Default: a comma.", NULL, false},

    {"order", 0, OPTION_TEXT, "POLICY", AT(run.order), 0, CUT, "The rule by which versions of one key compare; 'slackwater orders' lists them. Default: integer for plain records, none elsewhere.", NULL, false},
    {"space", 0, OPTION_TEXT, "NAME", AT(run.space), 0, CUT, "The position space of records that do not name their source.", NULL, false},
    {"spaces", 0, OPTION_TEXT, "A,B,C", AT(run.spaces), 0, CUT, "The declared order between position spaces, oldest first, as after a failover; a comma inside a name is \\,.", NULL, false},
    {"baseline-position", 0, OPTION_TEXT, "POSITION", AT(run.baseline_position), 0, CUT, "Events at or below it are covered by the baseline; a set for GTIDs. Several, one a space: 'POSITION;SPACE=POSITION'. docs/orders.md has the forms.", NULL, false},
    {"cut", 0, OPTION_TEXT, "POSITION", AT(run.cut), 0, CUT, "Both sides are compared at this position, inclusive; it names one in every space, several as in --baseline-position.", NULL, false},
    {"compare", 0, OPTION_CHOICE, NULL, AT(run.compare), 0, CUT, "state compares versions too. Default: state if the reference has versions.", compare_forms, false},
    {"expected-deletes", 0, OPTION_TEXT, "FORM", AT(run.expected_deletes), 0, CUT,
     "How the reference shows a deleted row: tombstone, absent, or flag:COLUMN. Default: tombstone if it has a deleted column, else absent.", NULL, false},
    {"conflicts", 0, OPTION_CHOICE, NULL, AT(run.conflicts), 0, CUT, "newest: a conflict below the newest version of a key does not count. Default: any.", conflict_forms, false},
    {"allow-empty", 0, OPTION_FLAG, NULL, AT(run.allow_empty), 0, CUT, "Nothing to compare is no reason for exit status 3.", NULL, false},

    {"json", 'j', OPTION_FLAG, NULL, AT(json), 0, OUTPUTS, "Prints the report as JSON; a failure is then an object {\"error\": …} with a stable code, also on standard output.", NULL, false},
    {"report", 'o', OPTION_TEXT, "FILE", AT(run.report_file), 0, OUTPUTS, "Writes the JSON report to a file.", NULL, false},
    {"differences", 'd', OPTION_TEXT, "FILE", AT(run.differences_file), 0, OUTPUTS, "Writes all differences, as .ndjson or .csv.", NULL, false},
    {"states", 0, OPTION_TEXT, "FILE", AT(run.states_file), 0, OUTPUTS, "Writes the reconstructed rows, tombstones included, as .ndjson.", NULL, false},
    {"save-state", 0, OPTION_TEXT, "FILE", AT(run.save_state_file), 0, OUTPUTS, "Writes what the next run needs of this one; it takes the file as a baseline.", NULL, false},
    {"quarantine", 0, OPTION_TEXT, "FILE", AT(run.quarantine_file), 0, OUTPUTS, "Writes the bad records, with reason and place; the exit status is then 1 or 3 instead of 2.", NULL, false},
    {"list", 0, OPTION_NUMBER, "COUNT", AT(run.listed_differences), 0, OUTPUTS, "How many differences the report itself lists. Default: 1000.", NULL, false},
    {"color", 0, OPTION_CHOICE, NULL, AT(color), 0, OUTPUTS, "Default: auto, which means on a terminal, unless NO_COLOR is set.", color_forms, false},
    {"progress", 0, OPTION_CHOICE, NULL, AT(progress), 0, OUTPUTS, "How progress is shown on standard error. Default: a bar on a terminal, else none.", progress_forms, false},

    {"threads", 0, OPTION_UNSIGNED, "COUNT", AT(run.threads), 0, MACHINE, "Default: all cores.", NULL, false},
    {"memory", 0, OPTION_SIZE, "SIZE", AT(run.memory_bytes), 0, MACHINE, "How much memory is used before data goes to temporary files: 512M, 2G. Default: a quarter of the machine's.", NULL, false},
    {"temporary-directory", 0, OPTION_TEXT, "DIRECTORY", AT(run.temporary_directory), 0, MACHINE, "Default: TMPDIR, or /tmp.", NULL, false},
    {"record-max", 0, OPTION_SIZE, "SIZE", AT(run.record_bytes_max), 0, MACHINE, "A longer record is a bad record. Default: 64M.", NULL, false},
    {"digest", 0, OPTION_CHOICE, NULL, AT(run.digest), 0, MACHINE, "Of the inputs, for the report. Default: sha256 with --report, else none.", digest_forms, false},

    {"block-bytes", 0, OPTION_SIZE, "SIZE", AT(run.block_bytes), 0, MACHINE, "How much is read at once. Never changes a result.", NULL, true},
    {"seed", 0, OPTION_NUMBER, "NUMBER", AT(run.seed), 0, MACHINE, "Of internal hashing; 0 is random. Never changes a result.", NULL, true},
    {"kernel", 0, OPTION_CHOICE, NULL, AT(run.kernel), 0, MACHINE, "Which scan kernel is used. Never changes a result.", kernel_forms, true},
};

static const struct command_status statuses[] = {
    {0, "All rows in scope were compared and are equal; nothing is undecided."},
    {1, "A key differs, or its versions conflict."},
    {2, "Wrong usage, or bad records."},
    {3, "Nothing of the above, but something is undecided, or nothing was compared."},
    {4, "The environment failed (file, disk, memory, a signal): nothing is claimed."},
};

static const struct command_example examples[] = {
    {"rows and events with the plain names: key, version, deleted, value, id, op", "slackwater reconcile -b baseline.ndjson -e 'events-*.ndjson.gz' -x expected.ndjson"},
    {"two tables, no events", "slackwater reconcile -b source.csv -x destination.csv --key id --type amount=decimal"},
    {"the tables of two databases", "slackwater reconcile -b sqlite:source.db#orders -x sqlite:destination.db#orders"},
    {"a home-made stream, all differences in a file", "slackwater reconcile -m map.yaml -b base.csv -e events.ndjson -x dest.csv -d differences.csv"},
};

static int write_stdout(const void *bytes, size_t len, void *ctx)
{
    (void)ctx;
    errno = 0;
    return fwrite(bytes, 1, len, stdout) == len ? 0 : errno ? errno : EIO;
}

static struct sw_summary_style style_of(const struct call *call)
{
    struct winsize window = {0};
    const char *terminal = getenv("TERM"), *no_color = getenv("NO_COLOR");
    bool is_terminal = isatty(STDOUT_FILENO);
    struct sw_summary_style style = {.color = call->color && strcmp(call->color, "always") == 0, .unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0};
    if (!call->color || strcmp(call->color, "auto") == 0)
        style.color = is_terminal && !(no_color && no_color[0]) && terminal && strcmp(terminal, "dumb") != 0;
    if (is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0)
        style.width = window.ws_col;
    return style;
}

static int report_result(struct sw_report *report, const struct call *call)
{
    struct sw_error error = {0};
    struct sw_summary_style style = style_of(call);
    enum sw_code code = call->json ? sw_report_write_json(report, write_stdout, NULL, &error) : sw_report_write_summary(report, &style, write_stdout, NULL, &error);
    /* what stands on standard output already is no whole document, so the failure goes to standard error */
    return code < 0 ? failure_print(false, &error) : sw_report_exit_status(report);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct call call = {.json = false};
    struct operands operands;
    struct sw_report *report = NULL;
    struct sw_error error = {0};
    int status;
    sw_reconcile_options_init(&call.run);
    if (command_parse(&status, &call, &operands, self, argc, argv)) {
        struct progress progress = {.form = progress_form_of(call.progress)};
        call.run.progress = progress_show;
        call.run.progress_ctx = &progress;
        signals_catch(call.json, progress.form);
        enum sw_code code = sw_reconcile(&report, &call.run, &error);
        signals_release();
        progress_end(&progress);
        if (code == SW_ERR_CANCELLED) /* whatever it was doing: one sentence for people and programs */
            snprintf(error.text, sizeof error.text, "interrupted: nothing is claimed");
        status = code < 0 ? failure_print(call.json, &error) : report_result(report, &call);
        sw_report_free(&report);
    }
    command_release(&call, self);
    return status;
}

const struct command command_reconcile = {
    .name = "reconcile",
    .synopsis = "[--baseline LOCATOR]... [--events LOCATOR]... [--expected LOCATOR]... [OPTION]...",
    .summary = "compare what the evidence says with what the destination holds",
    .description = "Reads a baseline, change events and a reference, folds baseline and events key by key under a declared order, and compares the result with the "
                   "reference: which rows the destination lacks, which it should not have, which differ, and which cannot be decided, with the records that prove it.\n\n"
                   "Nothing that changes an answer is guessed. Two different contents at one version of a key are a conflict, not a choice. Nothing is written to any database.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .statuses = statuses,
    .status_count = sizeof statuses / sizeof statuses[0],
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
