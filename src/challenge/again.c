/* The inputs read again, whole, in other ways: every difference must come out the same, to the byte. */
#include <string.h>

#include "base/digest.h"
#include "challenge/challenge.h"
#include "report/verdict.h"

struct rerun {
    const char *name, *title, *why;
    unsigned threads;
    uint64_t memory_bytes, block_bytes;
    const char *kernel;
};

static const struct rerun reruns[] = {
    {"again-little-memory", "read again: one thread, 16 MiB", "All inputs are read and compared again by one thread within 16 MiB: every difference must be the same, to the byte.", 1, (uint64_t)16 << 20, 0, NULL},
    {"again-small-blocks", "read again: blocks of 4 KiB, 3 threads", "All inputs are read again in blocks of 4 KiB by three threads: no record may be cut or lost at a border.", 3, 0, 4096, NULL},
    {"again-plain-scanning", "read again: scanned byte by byte", "All inputs are read again without vector instructions.", 0, 0, 0, "scalar"},
};

static int digest_write(const void *bytes, size_t len, void *ctx)
{
    sw_digest_add(ctx, bytes, len);
    return 0;
}

/* The differences of a report, by their digest. */
static enum sw_code digest_of(char hex[SW_DIGEST_HEX_SIZE], struct sw_report *report, struct sw_error *error)
{
    struct sw_digest *digest = NULL;
    enum sw_code code = sw_digest_open(&digest, error);
    if (code == SW_OK)
        code = sw_report_write_differences(report, false, digest_write, digest, error);
    if (code == SW_OK)
        code = sw_digest_finish(hex, digest, error);
    sw_digest_close(&digest);
    return code;
}

static bool same_counts(const struct sw_report *a, const struct sw_report *b)
{
    uint64_t left, right;
    bool same = true;
    for (size_t i = 0; sw_report_count_at(&left, a, i); i++)
        same &= sw_report_count_at(&right, b, i) != NULL && left == right;
    return same;
}

/* Can all inputs be read again, and is that worth it? NULL: yes. */
static const char *why_not(const struct sw_challenge *challenge)
{
    const struct sw_reading *reading = &challenge->run->reading;
    uint64_t stored = 0;
    if (challenge->options->again_bytes == 0)
        return "reading again is switched off (--again-max 0)";
    for (int r = 0; r < SW_ROLE_COUNT; r++)
        for (uint32_t i = 0; i < reading->roles[r].input_count; i++) {
            const struct sw_input *input = sw_source_input(reading->roles[r].source, i);
            if (!input->regular)
                return "an input can be read only once (standard input, a pipe, a database)";
            stored += input->stored_bytes;
        }
    return stored > challenge->options->again_bytes ? "the inputs are larger than --again-max" : NULL;
}

static enum sw_code run_again(bool *same, const struct sw_challenge *challenge, const struct rerun *rerun, const char *wanted, struct sw_error *error)
{
    struct sw_reconcile_options options = *challenge->options->run;
    struct sw_report *report = NULL;
    char found[SW_DIGEST_HEX_SIZE];
    options.report_file = options.differences_file = options.states_file = options.save_state_file = options.quarantine_file = NULL;
    options.digest = "none";
    if (rerun->threads)
        options.threads = rerun->threads;
    if (rerun->memory_bytes)
        options.memory_bytes = rerun->memory_bytes;
    if (rerun->block_bytes)
        options.block_bytes = rerun->block_bytes;
    if (rerun->kernel)
        options.kernel = rerun->kernel;
    enum sw_code code = sw_reconcile(&report, &options, error);
    if (code == SW_OK)
        code = digest_of(found, report, error);
    if (code == SW_OK)
        *same = strcmp(found, wanted) == 0 && same_counts(report, &challenge->run->report);
    sw_report_free(&report);
    return code;
}

enum sw_code sw_challenge_again(struct sw_challenge *challenge, struct sw_error *error)
{
    const char *not_tried = why_not(challenge);
    char wanted[SW_DIGEST_HEX_SIZE];
    enum sw_code code = not_tried ? SW_OK : digest_of(wanted, &challenge->run->report, error);
    for (size_t i = 0; i < sizeof reruns / sizeof *reruns && code == SW_OK; i++) {
        struct sw_challenge_row *row = sw_challenge_row(challenge, SW_LIST_MUST_NOT_CHANGE, reruns[i].name, reruns[i].title, reruns[i].why);
        bool same = false;
        row->not_tried = not_tried;
        if (not_tried)
            continue;
        code = run_again(&same, challenge, &reruns[i], wanted, error);
        if (code < 0)
            return code;
        row->tried = 1;
        row->passed = same;
        if (!same)
            code = sw_challenge_keep(challenge, row, &(struct sw_survivor){.touched = 0}, error);
    }
    return code;
}
