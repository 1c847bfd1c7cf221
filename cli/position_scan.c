/* slackwater position scan: which positions do event files cover, and what is missing between them? */
#include <stdio.h>
#include <string.h>

#include "cancellable.h"
#include "case_result.h"
#include "command.h"
#include "failure.h"
#include "run_options.h"
#include "slackwater/scan.h"
#include "terminal_text.h"
#include "waiting.h"

struct call {
    struct sw_scan_options scan;
    const char *kind, *progress, *case_directory;
    bool json;
};

static const char *const kinds[] = {"postgres", "mysql", "mysql-gtid", "mariadb", "oracle", "sqlserver", "mongodb", "kafka", "bigquery", "datastream", NULL};

#define AT(field) offsetof(struct call, field)
#define EVENTS "events"
#define EXPECTED "what should be there"
#define OUTPUT "output"
#define MACHINE "the machine"

static const struct command_option options[] = {
    {"events", 'e', OPTION_LIST, "LOCATOR", AT(scan.events), AT(scan.event_count), EVENTS, "Change events: a file, a glob in quotes, a directory, or - for standard input; plain or .gz, .zst, .lz4. May be given again.", NULL, false},
    {"events-query", 0, OPTION_TEXT, "SQL", AT(scan.events_query), 0, EVENTS, "A SELECT that is read instead of a table; --events then names the database alone.", NULL, false},
    {"format", 'f', OPTION_TEXT, "NAME", AT(scan.format), 0, EVENTS, "How the events are written; 'slackwater formats' lists the names. Without it the first records tell.", NULL, false},
    {"map", 'm', OPTION_TEXT, "FILE", AT(scan.map_file), 0, EVENTS, "A YAML file that says where things stand in records of one's own (docs/mapping.md).", NULL, false},
    {"order", 0, OPTION_TEXT, "POLICY", AT(scan.order), 0, EVENTS, "Which positions the events carry; 'slackwater orders' lists them. Default: integer for plain records, none elsewhere.", NULL, false},
    {"kind", 'k', OPTION_CHOICE, NULL, AT(kind), 0, EVENTS, "The same, by the names that the other position commands use.", kinds, false},
    {"version", 0, OPTION_TEXT, "PATH", AT(scan.version), 0, EVENTS, "Where the single field of the order stands.", NULL, false},
    {"op", 0, OPTION_TEXT, "PATH", AT(scan.operation), 0, EVENTS, "Where an event says what it does.", NULL, false},
    {"space", 0, OPTION_TEXT, "NAME", AT(scan.space), 0, EVENTS, "The position space of records that do not name their source.", NULL, false},

    {"expect-first", 0, OPTION_TEXT, "POSITION", AT(scan.expect_first), 0, EXPECTED, "The evidence should reach back to it, inclusive. Several, one a space: 'SPACE=POSITION;SPACE=POSITION'.", NULL, false},
    {"expect-last", 0, OPTION_TEXT, "POSITION", AT(scan.expect_last), 0, EXPECTED, "The evidence should reach it, inclusive.", NULL, false},
    {"available", 0, OPTION_TEXT, "POSITION", AT(scan.available), 0, EXPECTED, "The oldest position that the source can still serve: what is missing below it was discarded there.", NULL, false},
    {"after", 0, OPTION_TEXT, "SET", AT(scan.after), 0, EXPECTED, "mysql-gtid: the set that was processed before the first event.", NULL, false},
    {"executed", 0, OPTION_TEXT, "SET", AT(scan.executed), 0, EXPECTED, "mysql-gtid: gtid_executed. Every transaction of it that is not in --after should be in evidence.", NULL, false},
    {"purged", 0, OPTION_TEXT, "SET", AT(scan.purged), 0, EXPECTED, "mysql-gtid: gtid_purged. What is missing and in it was discarded at the source.", NULL, false},
    {"dense", 0, OPTION_FLAG, NULL, AT(scan.dense), 0, EXPECTED, "Declares that the log numbers its records without holes (a Kafka topic that is neither compacted nor written in transactions): a hole is then a gap. For kafka, mariadb and integer.", NULL, false},

    {"json", 'j', OPTION_FLAG, NULL, AT(json), 0, OUTPUT, "Prints the answer as JSON (docs/scan.schema.json); a failure is then an object {\"error\": …} with a stable code, also on standard output.", NULL, false},
    {"report", 'o', OPTION_TEXT, "FILE", AT(scan.report_file), 0, OUTPUT, "Writes the JSON to a file: evidence for reconcile --continuity.", NULL, false},
    OPTION_CASE(OUTPUT),
    {"progress", 0, OPTION_CHOICE, NULL, AT(progress), 0, OUTPUT, "How progress is shown on standard error. Default: a bar on a terminal, else none.", run_progress_forms, false},

    {"threads", 0, OPTION_UNSIGNED, "COUNT", AT(scan.threads), 0, MACHINE, "Default: all cores.", NULL, false},
    {"memory", 0, OPTION_SIZE, "SIZE", AT(scan.memory_bytes), 0, MACHINE, "How much memory is used before counts of transactions go to temporary files. Default: a quarter of the machine's.", NULL, false},
    {"temporary-directory", 0, OPTION_TEXT, "DIRECTORY", AT(scan.temporary_directory), 0, MACHINE, "Default: TMPDIR, or /tmp.", NULL, false},
    {"record-max", 0, OPTION_SIZE, "SIZE", AT(scan.record_bytes_max), 0, MACHINE, "A longer record is a bad record. Default: 64M.", NULL, false},
    {"digest", 0, OPTION_CHOICE, NULL, AT(scan.digest), 0, MACHINE, "Of the inputs. Default: sha256 with --report, else none.", run_digest_forms, false},

    {"block-bytes", 0, OPTION_SIZE, "SIZE", AT(scan.block_bytes), 0, MACHINE, "How much is read at once. Never changes a result.", NULL, true},
    {"kernel", 0, OPTION_CHOICE, NULL, AT(scan.kernel), 0, MACHINE, "Which scan kernel is used. Never changes a result.", run_kernel_forms, true},
};

static const struct command_status statuses[] = {
    {0, "Continuous: nothing is missing between what is judged, and the proof is named."},
    {1, "A gap: transactions, numbers or events are missing; the intervals are listed."},
    {2, "Wrong usage, or records that cannot be read."},
    {3, "Cannot tell: no gap is proven, and nothing proves that there is none."},
    {4, "The environment failed (file, disk, memory, SIGTERM): nothing is claimed. So it is where Ctrl-C ends the program, as any other: a shell says 130."},
};

static const struct command_example examples[] = {
    {"which transactions of a MySQL server are in these files?", "slackwater position scan -e 'orders-*.ndjson.zst' --order mysql-gtid --after \"$SAVED\" --executed \"$EXECUTED\""},
    {"a topic, with the records of its transaction topic", "slackwater position scan -e orders.ndjson -e transactions.ndjson --order postgres"},
    {"evidence for a reconciliation", "slackwater position scan -e events.ndjson --order kafka --report scan.json"},
};

static enum sw_code write_scan(void *report, sw_write_fn write, void *ctx, struct sw_error *error) { return sw_scan_write_json(report, write, ctx, error); }

static enum sw_code scan(int *status, struct call *call, struct sw_error *error)
{
    struct sw_scan_report *report = NULL;
    if (call->kind && call->scan.order && strcmp(call->kind, call->scan.order) != 0) {
        *error = (struct sw_error){.code = SW_ERR_USAGE};
        snprintf(error->text, sizeof error->text, "--kind is %s and --order is %s: they name the same thing; give one", call->kind, call->scan.order);
        return error->code;
    }
    if (!case_result_check(error, call->case_directory))
        return error->code;
    call->scan.order = call->scan.order ? call->scan.order : call->kind;
    struct progress progress;
    cancellable_begin(&progress, &call->scan.progress, &call->scan.progress_ctx, call->progress, call->json);
    waiting_tell(call->scan.events, call->scan.event_count);
    enum sw_code code = cancellable_end(&progress, sw_scan(&report, &call->scan, error), error);
    if (code >= 0) {
        *status = sw_scan_exit_status(report);
        code = call->json ? sw_scan_write_json(report, stdout_write, NULL, error) : sw_scan_write_text(report, terminal_text_write, NULL, error);
    }
    if (code >= 0) {
        const struct case_result result = {.directory = call->case_directory, .file_name = "scan.json", .write = write_scan, .result = report};
        *status = case_result_add(*status, &result);
    }
    sw_scan_report_free(&report);
    return code;
}

static int run(const struct command *self, int argc, char **argv)
{
    struct call call = {0};
    struct operands operands;
    struct sw_error error = {0};
    int status;
    sw_scan_options_init(&call.scan);
    if (command_parse(&status, &call, &operands, self, argc, argv) && scan(&status, &call, &error) < 0)
        status = failure_print(call.json, &error);
    command_release(&call, self);
    return status;
}

const struct command command_position_scan = {
    .name = "position scan",
    .synopsis = "--events LOCATOR... [--order POLICY] [OPTION]...",
    .summary = "which positions event files cover, and what is missing between them",
    .description = "Reads change events of any format and says how far their positions reach in each space, which numbers are missing, where positions go back or the space changes, which transactions are "
                   "without an end or without all their events, and what was delivered again.\n\n"
                   "The answer is as strong as the evidence. Where positions are no dense numbers (an LSN is a byte address), that no gap is seen does not mean that there is none: it is then \"cannot tell\".",
    .options = options, .option_count = sizeof options / sizeof options[0],
    .statuses = statuses, .status_count = sizeof statuses / sizeof statuses[0],
    .examples = examples, .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
