/* slackwater position: can the source be resumed without a hole? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_result.h"
#include "command.h"
#include "failure.h"
#include "position.h"
#include "read_text.h"
#include "saved_position.h"
#include "terminal_text.h"

static const char *const kinds[] = {"postgres", "mysql", "mysql-gtid", "mariadb", "oracle", "sqlserver", "mongodb", "kafka", "bigquery", "datastream", NULL},
                  *const switches[] = {"on", "off", NULL};

struct call {
    const char *kind;
    const char *const *history; size_t history_count;
    bool same_source, json;
    struct sw_gap_options gap;
    const char *const *show; size_t show_count;
    struct sw_snapshot_options snapshot;
    const char *case_directory;
};

#define AT(field) offsetof(struct call, field)
#define POSITIONS "positions"
#define SOURCE "what is known of the source"
#define OUTPUT "output"

#define OPTION_KIND {"kind", 'k', OPTION_CHOICE, NULL, AT(kind), 0, POSITIONS, "What the positions are of. docs/positions.md says how each is written.", kinds, false}
#define OPTION_HISTORY \
    {"history", 0, OPTION_LIST, "FILE", AT(history), AT(history_count), SOURCE, \
     "A timeline history file of PostgreSQL (its name, such as 00000003.history, says whose it is), or the rows of Oracle's V$DATABASE_INCARNATION as a client prints them. May be given again.", NULL, false}
#define OPTION_SAME_SOURCE \
    {"same-source", 0, OPTION_FLAG, NULL, AT(same_source), 0, SOURCE, \
     "Declares that identity which a position does not give is the same on both sides. It is listed under what was assumed; identities that differ stay incomparable.", NULL, false}
#define OPTION_JSON {"json", 'j', OPTION_FLAG, NULL, AT(json), 0, OUTPUT, "Prints the answer as JSON; a failure is then an object {\"error\": …} with a stable code, also on standard output.", NULL, false}

/* ---- files ---- */

void texts_free(struct texts *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        char *text;
        memcpy(&text, &texts->at[i].text, sizeof text);
        free(text);
    }
    free(texts->at);
    *texts = (struct texts){0};
}

bool texts_read(struct texts *out, const char *const *names, size_t count, struct sw_error *error)
{
    *out = (struct texts){.at = calloc(count + 1, sizeof *out->at)};
    if (!out->at) {
        *error = (struct sw_error){.code = SW_ERR_MEMORY, .text = "out of memory while files were read"};
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        char *text;
        size_t len;
        if (!read_text(&text, &len, names[i], error))
            return false;
        out->at[out->count++] = (struct sw_named_text){names[i], text, len};
    }
    return true;
}

/* ---- results for a case ---- */

static enum sw_code write_report(void *report, sw_write_fn write, void *ctx, struct sw_error *error) { return sw_continuity_write_json(report, write, ctx, error); }

void position_add_report(int *status, const char *directory, struct sw_continuity_report *report, const char *file_name)
{
    const struct case_result result = {.directory = directory, .file_name = file_name, .write = write_report, .result = report};
    *status = case_result_add(*status, &result);
}

struct compared { const struct sw_position_comparison *answer; const struct sw_position *first, *second; };

static enum sw_code write_comparison(void *source, sw_write_fn write, void *ctx, struct sw_error *error)
{
    const struct compared *compared = source;
    return sw_continuity_write_comparison_json(compared->answer, compared->first, compared->second, write, ctx, error);
}

/* ---- compare ---- */

static enum sw_code history_read(struct sw_position_history **out, const struct call *call, const struct texts *texts, struct sw_error *error)
{
    *out = NULL;
    if (!texts->count)
        return SW_OK;
    enum sw_code code = sw_position_history_new(out, call->kind, error);
    for (size_t i = 0; code >= 0 && i < texts->count; i++) {
        code = sw_position_history_add(*out, texts->at[i].name, texts->at[i].text, texts->at[i].len, error);
        if (code < 0 && !error->has_place) {
            error->has_place = true;
            error->offset = UINT64_MAX;
            snprintf(error->source, sizeof error->source, "%s", texts->at[i].name);
        }
    }
    return code;
}

static enum sw_code compare(int *status, const struct call *call, const char *a, const char *b, const struct texts *texts, struct sw_error *error)
{
    struct sw_position *first = NULL, *second = NULL;
    struct sw_position_history *history = NULL;
    struct sw_position_comparison answer;
    enum sw_code code = sw_position_parse(&first, call->kind, a, strlen(a), error);
    if (code >= 0)
        code = sw_position_parse(&second, call->kind, b, strlen(b), error);
    if (code >= 0)
        code = history_read(&history, call, texts, error);
    if (code >= 0) {
        const struct sw_position_compare_options options = {.struct_size = sizeof options, .history = history, .same_source = call->same_source};
        *status = sw_position_compare(&answer, first, second, &options) == SW_POSITION_INCOMPARABLE ? EXIT_UNDECIDED : 0;
        code = call->json ? sw_continuity_write_comparison_json(&answer, first, second, stdout_write, NULL, error)
                          : sw_continuity_write_comparison_text(&answer, first, second, terminal_text_write, NULL, error);
    }
    if (code >= 0) {
        struct compared compared = {&answer, first, second};
        const struct case_result result = {.directory = call->case_directory, .file_name = "comparison.json", .write = write_comparison, .result = &compared};
        *status = case_result_add(*status, &result);
    }
    sw_position_history_free(&history);
    sw_position_free(&first);
    sw_position_free(&second);
    return code;
}

static int run_compare(const struct command *self, int argc, char **argv)
{
    struct call call = {0};
    struct operands operands;
    struct sw_error error = {0};
    int status;
    if (command_parse(&status, &call, &operands, self, argc, argv)) {
        struct texts texts = {0};
        if (!call.kind)
            saved_position_ask_kind(&error, operands.at[0], kinds);
        if (error.code >= 0 && texts_read(&texts, call.history, call.history_count, &error))
            (void)compare(&status, &call, operands.at[0], operands.at[1], &texts, &error);
        if (error.code < 0)
            status = failure_print(call.json, &error);
        texts_free(&texts);
    }
    command_release(&call, self);
    return status;
}

static const struct command_option compare_options[] = {OPTION_KIND, OPTION_HISTORY, OPTION_SAME_SOURCE, OPTION_CASE(OUTPUT), OPTION_JSON};

static const struct command_status compare_statuses[] = {
    {0, "The two compare: the first line is before, equal or after."},
    {2, "Wrong usage, or one of the two is not a position (a time is none)."},
    {3, "The first line is incomparable; the second says why."},
    {4, "The environment failed: nothing is claimed."},
};

static const struct command_example compare_examples[] = {
    {"numbers, not text", "slackwater position compare --kind postgres 9/0 10/0"},
    {"across a promotion", "slackwater position compare -k postgres 0/4F00000@timeline=1 0/6000000@timeline=2 --history 00000002.history"},
};

static const struct command compare_command = {
    .name = "position compare",
    .synopsis = "--kind KIND A B",
    .summary = "which of two positions comes first, or why that cannot be said",
    .description = "Compares two positions of one kind. Inside one space (a system's timeline, a server, a topic) they have an order; across spaces they have none, unless a history relates them.",
    .options = compare_options, .option_count = sizeof compare_options / sizeof compare_options[0],
    .operands_min = 2, .operands_max = 2,
    .statuses = compare_statuses, .status_count = sizeof compare_statuses / sizeof compare_statuses[0],
    .examples = compare_examples, .example_count = sizeof compare_examples / sizeof compare_examples[0],
    .run = run_compare,
};

/* ---- gap ---- */

static enum sw_code gap(int *status, struct call *call, struct sw_error *error)
{
    struct sw_continuity_report *report = NULL;
    struct texts histories = {0}, shown = {0};
    enum sw_code code = SW_OK;
    if (!texts_read(&histories, call->history, call->history_count, error) || !texts_read(&shown, call->show, call->show_count, error))
        code = error->code;
    call->gap.kind = call->kind;
    call->gap.same_source = call->same_source;
    call->gap.histories = histories.at;
    call->gap.history_count = histories.count;
    call->gap.shown = shown.at;
    call->gap.shown_count = shown.count;
    if (code >= 0 && !saved_position_check(error, call->gap.saved))
        code = error->code;
    if (code >= 0 && !call->kind && call->gap.saved) {
        saved_position_ask_kind(error, call->gap.saved, kinds);
        code = error->code;
    }
    if (code >= 0)
        code = sw_continuity_gap(&report, &call->gap, error);
    if (code >= 0) {
        *status = sw_continuity_exit_status(report);
        code = call->json ? sw_continuity_write_json(report, stdout_write, NULL, error) : sw_continuity_write_text(report, terminal_text_write, NULL, error);
    }
    if (code >= 0)
        position_add_report(status, call->case_directory, report, "gap.json");
    sw_continuity_report_free(&report);
    texts_free(&histories);
    texts_free(&shown);
    return code;
}

static int run_gap(const struct command *self, int argc, char **argv)
{
    struct call call = {0};
    struct operands operands;
    struct sw_error error = {0};
    int status;
    sw_gap_options_init(&call.gap);
    if (command_parse(&status, &call, &operands, self, argc, argv) && gap(&status, &call, &error) < 0)
        status = failure_print(call.json, &error);
    command_release(&call, self);
    return status;
}

static const struct command_option gap_options[] = {
    OPTION_KIND,
    {"saved", 's', OPTION_TEXT, "POSITION", AT(gap.saved), 0, POSITIONS, "What the pipeline has durably processed.", NULL, false},
    {"first", 0, OPTION_TEXT, "POSITION", AT(gap.first), 0, POSITIONS, "The oldest position that the source can still serve.", NULL, false},
    {"last", 0, OPTION_TEXT, "POSITION", AT(gap.last), 0, POSITIONS, "The newest position of the source.", NULL, false},
    {"purged", 0, OPTION_TEXT, "SET", AT(gap.purged), 0, POSITIONS, "mysql-gtid: gtid_purged. The empty text is the empty set.", NULL, false},
    {"executed", 0, OPTION_TEXT, "SET", AT(gap.executed), 0, POSITIONS, "mysql-gtid: gtid_executed.", NULL, false},
    {"sources", 0, OPTION_TEXT, "UUIDS", AT(gap.sources), 0, POSITIONS, "mysql-gtid: only these UUIDs count, with commas between them, as in a connector's filter.", NULL, false},
    {"show", 0, OPTION_LIST, "FILE", AT(show), AT(show_count), SOURCE,
     "What a client of the source printed, pasted into a file (- for standard input): SHOW BINARY LOGS, SHOW MASTER STATUS, variables, pg_replication_slots, IDENTIFY_SYSTEM, V$ARCHIVED_LOG, V$LOG … May be given again.", NULL, false},
    {"slot", 0, OPTION_TEXT, "NAME", AT(gap.slot), 0, SOURCE, "postgres: which replication slot of those shown is meant.", NULL, false},
    {"strict", 0, OPTION_CHOICE, NULL, AT(gap.strict), 0, SOURCE, "mariadb: gtid_strict_mode.", switches, false},
    OPTION_HISTORY,
    OPTION_SAME_SOURCE,
    OPTION_CASE(OUTPUT),
    OPTION_JSON,
};

static const struct command_status gap_statuses[] = {
    {0, "Continuous: the source can serve everything after the saved position."},
    {1, "A gap: the first line has the interval."},
    {2, "Wrong usage, or something given is not a position."},
    {3, "Cannot tell: what is missing is listed, and what the answer would be with it."},
    {4, "The environment failed: nothing is claimed."},
};

static const struct command_example gap_examples[] = {
    {"the slot as psql printed it", "slackwater position gap -k postgres --saved 0/16E9A28@system=7,timeline=1 --show slots.txt --show identify.txt"},
    {"the file is gone", "slackwater position gap -k mysql --saved binlog.000042:1234 --first binlog.000050 --same-source"},
    {"by sets of GTIDs", "slackwater position gap -k mysql-gtid --saved \"$SAVED\" --executed \"$EXECUTED\" --purged \"$PURGED\""},
};

static const struct command gap_command = {
    .name = "position gap",
    .synopsis = "--kind KIND --saved POSITION [OPTION]...",
    .summary = "whether the source can be resumed at a saved position",
    .description = "Judges whether everything after the saved position can still be read. There are three answers, and they never collapse: continuous, gap, and cannot tell.\n\n"
                   "The answer names the rule that decided, what was assumed, what follows from it and in which order, and what it does not show.",
    .options = gap_options, .option_count = sizeof gap_options / sizeof gap_options[0],
    .statuses = gap_statuses, .status_count = sizeof gap_statuses / sizeof gap_statuses[0],
    .examples = gap_examples, .example_count = sizeof gap_examples / sizeof gap_examples[0],
    .run = run_gap,
};

/* ---- snapshot ---- */

static enum sw_code snapshot(int *status, struct call *call, const struct operands *operands, struct sw_error *error)
{
    struct sw_continuity_report *report = NULL;
    struct texts documents = {0};
    enum sw_code code = texts_read(&documents, (const char *const *)operands->at, (size_t)operands->count, error) ? SW_OK : error->code;
    call->snapshot.documents = documents.at;
    call->snapshot.document_count = documents.count;
    if (code >= 0)
        code = sw_continuity_snapshot(&report, &call->snapshot, error);
    if (code >= 0) {
        *status = sw_continuity_exit_status(report);
        code = call->json ? sw_continuity_write_json(report, stdout_write, NULL, error) : sw_continuity_write_text(report, terminal_text_write, NULL, error);
    }
    if (code >= 0)
        position_add_report(status, call->case_directory, report, "snapshot.json");
    sw_continuity_report_free(&report);
    texts_free(&documents);
    return code;
}

static int run_snapshot(const struct command *self, int argc, char **argv)
{
    struct call call = {0};
    struct operands operands;
    struct sw_error error = {0};
    int status;
    sw_snapshot_options_init(&call.snapshot);
    if (command_parse(&status, &call, &operands, self, argc, argv) && snapshot(&status, &call, &operands, &error) < 0)
        status = failure_print(call.json, &error);
    command_release(&call, self);
    return status;
}

#define DECLARED "what is declared"

static const struct command_option snapshot_options[] = {
    {"at", 0, OPTION_TEXT, "TIME", AT(snapshot.at), 0, DECLARED, "The time of the judgement, such as 2031-02-03T04:05:06Z; a zone is required. Default: now.", NULL, false},
    {"need", 0, OPTION_NUMBER, "SECONDS", AT(snapshot.need_seconds), 0, DECLARED, "How long the restore takes: every part must live that much longer.", NULL, false},
    {"region", 0, OPTION_TEXT, "REGION", AT(snapshot.region), 0, DECLARED, "Where the new job is to run.", NULL, false},
    {"id", 0, OPTION_TEXT, "ID", AT(snapshot.id), 0, DECLARED, "Which Dataflow snapshot is meant, if the files hold several.", NULL, false},
    OPTION_CASE(OUTPUT),
    OPTION_JSON,
};

static const struct command_status snapshot_statuses[] = {
    {0, "Restorable: every part that is needed is there and lives long enough."},
    {1, "Not restorable, or restorable with a gap; the first line says which."},
    {2, "Wrong usage, or a file is not what the tools print."},
    {3, "Cannot tell: the documents do not say enough, or a source part ends first."},
    {4, "The environment failed: nothing is claimed."},
};

static const struct command_example snapshot_examples[] = {
    {"the snapshot, its source part and the subscription", "slackwater position snapshot dataflow.json pubsub.json subscription.json --need 3600 --region europe-west1"},
    {"straight from the tool", "gcloud dataflow snapshots describe ID --region R --format=json | slackwater position snapshot -"},
};

static const struct command snapshot_command = {
    .name = "position snapshot",
    .synopsis = "FILE... [--at TIME] [--region R] [--need SECONDS]",
    .summary = "whether a Dataflow or Pub/Sub snapshot can be restored without losing input",
    .description = "Reads what gcloud prints with --format=json: Dataflow snapshots, Pub/Sub snapshots, subscriptions and topics, in any order; - is standard input. Judges state, region, age and the end of each part: the source part can end before the job's.\n\n"
                   "The answer says what a restore will not rewind and what a seek resets.",
    .options = snapshot_options, .option_count = sizeof snapshot_options / sizeof snapshot_options[0],
    .operands_min = 1, .operands_max = 64,
    .statuses = snapshot_statuses, .status_count = sizeof snapshot_statuses / sizeof snapshot_statuses[0],
    .examples = snapshot_examples, .example_count = sizeof snapshot_examples / sizeof snapshot_examples[0],
    .run = run_snapshot,
};

/* ---- position ---- */

static const struct command *const subcommands[] = {&compare_command, &gap_command, &command_position_probe, &command_position_scan, &snapshot_command, NULL};

const struct command command_position = {
    .name = "position",
    .synopsis = "COMMAND [OPTION]...",
    .summary = "compare positions; can the source be resumed without a hole?",
    .description = "Positions are places in a source's log. A time is none: it says when somebody looked.",
    .subcommands = subcommands,
};
