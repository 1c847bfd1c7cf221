/* slackwater challenge: could the answer of a reconciliation be wrong? */
#include "slackwater/challenge.h"

#include "cancellable.h"
#include "case_result.h"
#include "command.h"
#include "failure.h"
#include "run_options.h"
#include "waiting.h"

struct call {
    struct sw_reconcile_options run;
    struct sw_challenge_options challenge;
    bool json;
    const char *progress, *color, *case_directory;
};

#define CHALLENGE "the challenge"

static const struct command_option options[] = {
    RUN_OPTIONS_INPUTS
    RUN_OPTIONS_MAPPING
    RUN_OPTIONS_CUT
    RUN_OPTIONS_SCOPE
    {"sample-keys", 0, OPTION_NUMBER, "COUNT", RUN_AT(challenge.sample_keys), 0, CHALLENGE, "How many keys are kept with all their records to plant faults in, up to 100000. Default: 1000.", NULL, false},
    {"seed", 0, OPTION_NUMBER, "NUMBER", RUN_AT(challenge.seed), 0, CHALLENGE, "Which keys those are, and how they are shuffled and paired; the same number gives the same result. Default: 1.", NULL, false},
    {"again-max", 0, OPTION_SIZE, "SIZE", RUN_AT(challenge.again_bytes), 0, CHALLENGE, "Files of at most this size together are read again in other ways; 0 reads once only. Default: 256M.", NULL, false},
    {"json", 'j', OPTION_FLAG, NULL, RUN_AT(json), 0, RUN_OUTPUTS, "Prints the result as JSON (docs/challenge.md); a failure is then an object {\"error\": …}, also on standard output.", NULL, false},
    {"report", 'o', OPTION_TEXT, "FILE", RUN_AT(challenge.report_file), 0, RUN_OUTPUTS, "Writes the result of the challenge as JSON to a file; the report of the reconciliation is reconcile's to write.", NULL, false},
    RUN_OPTIONS_FILES
    OPTION_CASE(RUN_OUTPUTS),
    {"list", 0, OPTION_NUMBER, "COUNT", RUN_AT(challenge.listed_survivors), 0, RUN_OUTPUTS, "How many survivors of each kind the result lists. Default: 20.", NULL, false},
    RUN_OPTIONS_SHOWN
    RUN_OPTIONS_MACHINE
    RUN_OPTIONS_HIDDEN
};

static const struct command_status statuses[] = {
    {0, "Every planted fault was noticed, and nothing changed that must not."},
    {1, "A fault survived, or something changed; the option that hides a fault is named."},
    {2, "Wrong usage, or bad records in the inputs."},
    {3, "No fault could be planted: nothing in the sample is equal, or has what it takes."},
    {4, "The environment failed (file, disk, memory, SIGTERM): nothing is claimed. So it is where Ctrl-C ends the program, as any other: a shell says 130."},
};

static const struct command_example examples[] = {
    {"the command that was run, with another word", "slackwater challenge -b baseline.ndjson -e 'events-*.ndjson.gz' -x expected.ndjson"},
    {"other keys, and a file for the handover", "slackwater challenge -m map.yaml -e events.ndjson -x dest.csv --seed 7 --report challenge.json"},
};

static enum sw_code write_challenge(void *challenge, sw_write_fn write, void *ctx, struct sw_error *error) { return sw_challenge_write_json(challenge, write, ctx, error); }

static int show(struct sw_challenge *challenge, const struct call *call)
{
    struct sw_error error = {0};
    struct sw_summary_style style = stdout_style(call->color);
    enum sw_code code = call->json ? sw_challenge_write_json(challenge, stdout_write, NULL, &error) : sw_challenge_write_summary(challenge, &style, stdout_write, NULL, &error);
    /* what stands on standard output already is no whole document, so the failure goes to standard error */
    if (code < 0)
        return failure_print(false, &error);
    const struct case_result result = {.directory = call->case_directory, .file_name = "challenge.json", .write = write_challenge, .result = challenge};
    return case_result_add(sw_challenge_exit_status(challenge), &result);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct call call = {.json = false};
    struct operands operands;
    struct sw_challenge *challenge = NULL;
    struct sw_error error = {0};
    int status;
    sw_reconcile_options_init(&call.run);
    sw_challenge_options_init(&call.challenge);
    if (command_parse(&status, &call, &operands, self, argc, argv)) {
        struct progress progress;
        call.challenge.run = &call.run;
        cancellable_begin(&progress, &call.run.progress, &call.run.progress_ctx, call.progress, call.json);
        waiting_tell(call.run.baseline, call.run.baseline_count);
        waiting_tell(call.run.events, call.run.event_count);
        waiting_tell(call.run.expected, call.run.expected_count);
        enum sw_code code = case_result_check(&error, call.case_directory) ? sw_challenge(&challenge, &call.challenge, &error) : error.code;
        code = cancellable_end(&progress, code, &error);
        status = code < 0 ? failure_print(call.json, &error) : show(challenge, &call);
        sw_challenge_free(&challenge);
    }
    command_release(&call, self);
    return status;
}

const struct command command_challenge = {
    .name = "challenge",
    .synopsis = "[--baseline LOCATOR]... [--events LOCATOR]... --expected LOCATOR... [OPTION]...",
    .summary = "try to disprove the result of a reconciliation",
    .description = "Takes the inputs and options of reconcile, reconciles them, and then asks whether the answer could be wrong. It changes what must not matter (arrival, repeated "
                   "deliveries, threads, memory, block sizes) and looks whether anything changes. It plants faults in a sample of the keys (a row too many or too few, values swapped so "
                   "that totals cancel, a changed version, a removed tombstone, a lost event …) and looks whether each is noticed.\n\n"
                   "A fault that is not noticed is a survivor, and comes with the option that hides it. What no comparison can notice is listed, too. Nothing is changed but copies in memory.",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .statuses = statuses,
    .status_count = sizeof statuses / sizeof statuses[0],
    .examples = examples,
    .example_count = sizeof examples / sizeof examples[0],
    .run = run,
};
