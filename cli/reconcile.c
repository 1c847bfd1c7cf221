/* slackwater reconcile: what should the destination hold, and what does it hold? */
#include "slackwater/reconcile.h"

#include "command.h"
#include "failure.h"
#include "progress.h"
#include "run_options.h"

struct call {
    struct sw_reconcile_options run;
    bool json;
    const char *progress, *color;
};

static const struct command_option options[] = {
    RUN_OPTIONS_INPUTS
    RUN_OPTIONS_MAPPING
    RUN_OPTIONS_CUT
    {"json", 'j', OPTION_FLAG, NULL, RUN_AT(json), 0, RUN_OUTPUTS, "Prints the report as JSON; a failure is then an object {\"error\": …} with a stable code, also on standard output.", NULL, false},
    {"report", 'o', OPTION_TEXT, "FILE", RUN_AT(run.report_file), 0, RUN_OUTPUTS, "Writes the JSON report to a file.", NULL, false},
    RUN_OPTIONS_FILES
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
    {3, "Nothing of the above, but something is undecided, or nothing was compared."},
    {4, "The environment failed (file, disk, memory, a signal): nothing is claimed."},
};

static const struct command_example examples[] = {
    {"rows and events with the plain names: key, version, deleted, value, id, op", "slackwater reconcile -b baseline.ndjson -e 'events-*.ndjson.gz' -x expected.ndjson"},
    {"two tables, no events", "slackwater reconcile -b source.csv -x destination.csv --key id --type amount=decimal"},
    {"the tables of two databases", "slackwater reconcile -b sqlite:source.db#orders -x sqlite:destination.db#orders"},
    {"a home-made stream, all differences in a file", "slackwater reconcile -m map.yaml -b base.csv -e events.ndjson -x dest.csv -d differences.csv"},
};

static int report_result(struct sw_report *report, const struct call *call)
{
    struct sw_error error = {0};
    struct sw_summary_style style = stdout_style(call->color);
    enum sw_code code = call->json ? sw_report_write_json(report, stdout_write, NULL, &error) : sw_report_write_summary(report, &style, stdout_write, NULL, &error);
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
