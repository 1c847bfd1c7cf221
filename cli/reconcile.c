/* slackwater reconcile: what should the destination hold, and what does it hold? */
#include "slackwater/reconcile.h"

#include <stdlib.h>
#include <string.h>

#include "cancellable.h"
#include "case_result.h"
#include "command.h"
#include "evidence.h"
#include "failure.h"
#include "run_options.h"
#include "waiting.h"

struct call {
    struct sw_reconcile_options run;
    bool json, copy_inputs;
    const char *progress, *color, *case_directory;
    const char *const *continuity; size_t continuity_count;
};

static const struct command_option options[] = {
    RUN_OPTIONS_INPUTS
    RUN_OPTIONS_MAPPING
    RUN_OPTIONS_CUT
    {"recheck", 0, OPTION_TEXT, "SECONDS[,TIMES]", RUN_AT(run.recheck), 0, RUN_CUT,
     "Reads the keys that differ again, TIMES times (default 1), each time after SECONDS, and tells differences that were in flight from those that stay. Sources that are no files only. "
     "Where all differences were in flight the status is 3, since no reading showed all keys equal at once.", NULL, false},
    {"continuity", 0, OPTION_LIST, "scan|none|FILE", RUN_AT(continuity), RUN_AT(continuity_count), RUN_CUT,
     "Evidence for the verdict on history: 'scan' reads the events once more before the run (slackwater position scan); FILE is the JSON that position scan, gap or probe wrote. A gap, a change of "
     "space or positions that begin anew exclude status 0; only a report that proves the interval complete confirms the history. May be given again. Default: scan where the order is mysql-gtid and the events are files, since a set of GTIDs "
     "shows by itself what is missing; 'none' leaves that out.", NULL, false},
    RUN_OPTIONS_SCOPE
    {"json", 'j', OPTION_FLAG, NULL, RUN_AT(json), 0, RUN_OUTPUTS, "Prints the report as JSON; a failure is then an object {\"error\": …} with a stable code, also on standard output.", NULL, false},
    {"report", 'o', OPTION_TEXT, "FILE", RUN_AT(run.report_file), 0, RUN_OUTPUTS, "Writes the JSON report to a file.", NULL, false},
    RUN_OPTIONS_FILES
    OPTION_CASE(RUN_OUTPUTS),
    {"copy-inputs", 0, OPTION_FLAG, NULL, RUN_AT(copy_inputs), 0, RUN_OUTPUTS, "With --case: keeps the inputs, too, so that the comparison can be repeated from the folder alone.", NULL, false},
    {"list", 0, OPTION_NUMBER, "COUNT", RUN_AT(run.listed_differences), 0, RUN_OUTPUTS, "How many differences the report itself lists. Default: 1000.", NULL, false},
    RUN_OPTIONS_SHOWN
    RUN_OPTIONS_MACHINE
    {"seed", 0, OPTION_NUMBER, "NUMBER", RUN_AT(run.seed), 0, RUN_MACHINE, "Of internal hashing; 0 is random. Never changes a result.", NULL, true},
    RUN_OPTIONS_HIDDEN
};

static const struct command_status statuses[] = {
    {0, "All rows in scope were compared and are equal; nothing is undecided."},
    {1, "A key differs, or its versions conflict."},
    {2, "Wrong usage, or bad records."},
    {3, "Nothing of the above, but something is undecided, or nothing was compared, or --continuity shows a gap or a change of space, or --recheck saw all differences go."},
    {4, "The environment failed (file, disk, memory, SIGTERM): nothing is claimed. So it is where Ctrl-C ends the program, as any other: a shell says 130."},
};

static const struct command_example examples[] = {
    {"is the copy right? two tables, no events", "slackwater reconcile -b sqlite:source.db#orders -x sqlite:destination.db#orders"},
    {"the same of two exports, which have no types of their own", "slackwater reconcile -b source.csv -x destination.csv --key id --type amount=decimal"},
    {"after an incident: rows from before, events since, the destination as it is", "slackwater reconcile -b baseline.ndjson -e 'events-*.ndjson.gz' -x destination.ndjson -d differences.csv"},
    {"a home-made stream, or many tables with a key each (docs/mapping.md)", "slackwater reconcile -m map.yaml -b base.csv -e events.ndjson -x dest.csv"},
};

static enum sw_code write_report(void *report, sw_write_fn write, void *ctx, struct sw_error *error) { return sw_report_write_json(report, write, ctx, error); }
static enum sw_code write_findings(void *report, sw_write_fn write, void *ctx, struct sw_error *error) { return sw_report_write_differences(report, false, write, ctx, error); }

static int report_result(struct sw_report *report, const struct call *call)
{
    struct sw_error error = {0};
    struct sw_summary_style style = stdout_style(call->color);
    enum sw_code code = call->json ? sw_report_write_json(report, stdout_write, NULL, &error) : sw_report_write_summary(report, &style, stdout_write, NULL, &error);
    /* what stands on standard output already is no whole document, so the failure goes to standard error */
    if (code < 0)
        return failure_print(false, &error);
    const struct case_result result = {.directory = call->case_directory, .file_name = "report.json", .write = write_report, .write_findings = write_findings, .result = report, .copy_inputs = call->copy_inputs};
    return case_result_add(sw_report_exit_status(report), &result);
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
        struct progress progress;
        if (call.case_directory && !call.run.digest) /* a case names its inputs by digest */
            call.run.digest = "sha256";
        cancellable_begin(&progress, &call.run.progress, &call.run.progress_ctx, call.progress, call.json);
        waiting_tell(call.run.baseline, call.run.baseline_count);
        waiting_tell(call.run.events, call.run.event_count);
        waiting_tell(call.run.expected, call.run.expected_count);
        struct evidence evidence = {0};
        enum sw_code code = SW_OK;
        if (!case_result_check(&error, call.case_directory))
            code = error.code;
        else if (!evidence_gather(&evidence, call.continuity, call.continuity_count, &call.run, &error))
            code = error.code;
        call.run.continuity = evidence.at;
        call.run.continuity_count = evidence.count;
        if (code == SW_OK)
            code = sw_reconcile(&report, &call.run, &error);
        call.run.continuity = NULL;
        evidence_free(&evidence);
        code = cancellable_end(&progress, code, &error);
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

/* ---- again ---- */

/* Puts the found files in place of those that the role named. */
static bool replace_inputs(const char *const **list, size_t *list_count, const char ***room, const char *role, const struct sw_case_input *inputs, size_t count)
{
    size_t found = 0;
    *room = calloc(count + 1, sizeof **room);
    if (!*room)
        return false;
    for (size_t i = 0; i < count; i++)
        if (strcmp(inputs[i].role, role) == 0 && !inputs[i].table)
            (*room)[found++] = inputs[i].path;
    memcpy((void *)list, room, sizeof *list);
    *list_count = found;
    return true;
}

/* Those whose rows are of one of the mapping's tables. */
static bool take_table_inputs(struct sw_reconcile_options *run, struct sw_table_input **room, const struct sw_case_input *inputs, size_t count)
{
    size_t found = 0;
    *room = calloc(count + 1, sizeof **room);
    for (size_t i = 0; i < count && *room; i++)
        if (inputs[i].table)
            (*room)[found++] = (struct sw_table_input){inputs[i].role, inputs[i].table, inputs[i].path};
    run->table_inputs = *room;
    run->table_input_count = found;
    return *room != NULL;
}

static enum sw_code again(struct call *call, const struct sw_case_input *inputs, size_t count, sw_write_fn write, void *write_ctx, struct sw_error *error)
{
    struct sw_reconcile_options run = call->run;
    struct sw_report *report = NULL;
    const char **rooms[3] = {NULL};
    struct sw_table_input *tables = NULL;
    if (run.baseline_query || run.events_query || run.expected_query) {
        snprintf(error->text, sizeof error->text, "it read a database, whose rows are not kept");
        return error->code = SW_ERR_UNSUPPORTED;
    }
    if (run.recheck) {
        snprintf(error->text, sizeof error->text, "it read sources again that change (--recheck), and what they held is not kept");
        return error->code = SW_ERR_UNSUPPORTED;
    }
    for (size_t i = 0; i < count && run.map_file; i++)
        if (strcmp(inputs[i].role, "mapping") == 0)
            run.map_file = inputs[i].path;
    if (run.map_file && run.map_file == call->run.map_file) {
        snprintf(error->text, sizeof error->text, "its mapping was not kept");
        return error->code = SW_ERR_UNSUPPORTED;
    }
    /* nothing is written, and nothing that cannot change the result is taken from an old command */
    run.report_file = run.differences_file = run.states_file = run.save_state_file = NULL;
    run.quarantine_file = run.quarantine_file ? "/dev/null" : NULL;
    run.threads = 0;
    run.memory_bytes = run.block_bytes = 0;
    run.seed = 0;
    run.temporary_directory = run.kernel = NULL;
    run.digest = "sha256";
    run.inputs_alone = true;
    struct evidence evidence = {0};
    const char **names = calloc(call->continuity_count + 1, sizeof *names);
    enum sw_code code = SW_OK;
    if (!names || !take_table_inputs(&run, &tables, inputs, count) || !replace_inputs(&run.baseline, &run.baseline_count, &rooms[0], "baseline", inputs, count) || !replace_inputs(&run.events, &run.event_count, &rooms[1], "events", inputs, count)
        || !replace_inputs(&run.expected, &run.expected_count, &rooms[2], "expected", inputs, count)) {
        snprintf(error->text, sizeof error->text, "out of memory");
        code = error->code = SW_ERR_MEMORY;
    }
    for (size_t i = 0; i < call->continuity_count && code == SW_OK; i++) {
        names[i] = strcmp(call->continuity[i], "scan") == 0 || strcmp(call->continuity[i], "none") == 0 ? call->continuity[i] : NULL;
        for (size_t j = 0; j < count && !names[i]; j++)
            if (strcmp(inputs[j].role, "continuity") == 0 && strcmp(inputs[j].locator, call->continuity[i]) == 0)
                names[i] = inputs[j].path;
        if (!names[i]) {
            snprintf(error->text, sizeof error->text, "its evidence of continuity was not kept");
            code = error->code = SW_ERR_UNSUPPORTED;
        }
    }
    if (code == SW_OK && !evidence_gather(&evidence, names, call->continuity_count, &run, error))
        code = error->code;
    for (size_t i = 0; i < evidence.count && i < call->continuity_count && code == SW_OK; i++)
        evidence.at[i].name = call->continuity[i]; /* the report names it so */
    run.continuity = evidence.at;
    run.continuity_count = evidence.count;
    if (code == SW_OK)
        code = sw_reconcile(&report, &run, error);
    if (code == SW_OK)
        code = sw_report_write_json(report, write, write_ctx, error);
    evidence_free(&evidence);
    free(names);
    sw_report_free(&report);
    for (size_t i = 0; i < 3; i++)
        free(rooms[i]);
    free(tables);
    return code;
}

enum sw_code reconcile_repeat(const char *const *arguments, size_t argument_count, const struct sw_case_input *inputs, size_t count, sw_write_fn write, void *write_ctx, void *ctx, struct sw_error *error)
{
    struct call call = {.json = false};
    struct operands operands;
    size_t first = 1;
    (void)ctx;
    while (first < argument_count && strcmp(arguments[first], "reconcile") != 0)
        first++;
    char **argv = calloc(argument_count + 1, sizeof *argv); /* the parser permutes it */
    if (!argv || first >= argument_count) {
        error->code = argv ? SW_ERR_UNSUPPORTED : SW_ERR_MEMORY;
        snprintf(error->text, sizeof error->text, argv ? "it is no 'slackwater reconcile'" : "out of memory");
        free(argv);
        return error->code;
    }
    memcpy(argv, arguments + first, (argument_count - first) * sizeof *argv);
    sw_reconcile_options_init(&call.run);
    enum sw_code code = SW_OK;
    if (command_parse_quietly(error, &call, &operands, &command_reconcile, (int)(argument_count - first), argv))
        code = again(&call, inputs, count, write, write_ctx, error);
    else
        code = error->code;
    command_release(&call, &command_reconcile);
    free(argv);
    return code;
}
