/* A program of your own that reconciles three sets of files with libslackwater.
 *
 *     reconcile_files BASELINE EVENTS EXPECTED [KEY VERSION]
 *
 * Each of the first three may be a file, a glob or a directory; KEY and VERSION are columns. Prints counts, then every key that is not equal as one JSON object a line. */
#include <inttypes.h>
#include <stdio.h>

#include <slackwater/reconcile.h>
#include <slackwater/report.h>

/* The library hands bytes over; where they go is ours to decide. */
static int print(const void *bytes, size_t len, void *ctx)
{
    return fwrite(bytes, 1, len, ctx) == len ? 0 : EOF;
}

static int fail(const struct sw_error *error)
{
    /* a text says what is wrong; the place, if there is one, says where */
    fputs("reconcile_files: ", stderr);
    if (error->has_place && error->source[0])
        fprintf(stderr, "%s: ", error->source);
    fprintf(stderr, "%s [%s]\n", error->text, sw_code_name(error->code));
    return sw_code_exit_status(error->code);
}

static enum sw_code print_report(struct sw_report *report, struct sw_error *error)
{
    static const char *const names[] = {"keys", "equal", "differences", "conflictKeys", "undecidedKeys"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint64_t count;
        if (sw_report_count(&count, report, names[i]))
            printf("%-14s%10" PRIu64 "\n", names[i], count);
    }
    return sw_report_write_differences(report, false, print, stdout, error);
}

int main(int argc, char **argv)
{
    if (argc != 4 && argc != 6) {
        fputs("usage: reconcile_files BASELINE EVENTS EXPECTED [KEY VERSION]\n", stderr);
        return 2;
    }
    const char *baseline[] = {argv[1]}, *events[] = {argv[2]}, *expected[] = {argv[3]}, *keys[] = {argv[4]};
    struct sw_reconcile_options options;
    sw_reconcile_options_init(&options);
    options.baseline = baseline;
    options.baseline_count = 1;
    options.events = events;
    options.event_count = 1;
    options.expected = expected;
    options.expected_count = 1;
    options.keys = keys;
    if (argc == 6) { /* else the plain format: key, version, deleted, value */
        options.key_count = 1;
        options.order = "integer";
        options.version = argv[5];
    }

    struct sw_error error = {0};
    struct sw_report *report = NULL;
    if (sw_reconcile(&report, &options, &error) < 0)
        return fail(&error);
    enum sw_code code = print_report(report, &error);
    int status = sw_report_exit_status(report);
    sw_report_free(&report);
    if (code >= 0 && fflush(stdout) != 0) {
        fputs("reconcile_files: standard output cannot be written\n", stderr);
        return 4;
    }
    return code < 0 ? fail(&error) : status;
}
