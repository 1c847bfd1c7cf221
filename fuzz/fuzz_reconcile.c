/* Any bytes as a baseline, events and a reference: a run ends in a report or in a failure that says why, and its threads, block size, scan kernel and
 * hashing never change which; sums add up, or the run itself refuses to claim anything. Two bytes choose what is declared; then come the three
 * inputs, with a byte 0x1e between them. */
#include "property.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file_io.h"
#include "slackwater/reconcile.h"
#include "slackwater/report.h"

static const char *const names[3][2] = {{"b.ndjson", "b.csv"}, {"e.ndjson", "e.csv"}, {"x.ndjson", "x.csv"}};
static char folder[] = "/dev/shm/slackwater-fuzz-XXXXXX", paths[3][2][64];

static void remove_folder(void)
{
    for (int i = 0; i < 6; i++)
        (void)unlink(paths[i / 2][i % 2]);
    (void)rmdir(folder);
}

static void make_folder(void)
{
    if (paths[0][0][0])
        return;
    PROPERTY(mkdtemp(folder));
    for (int i = 0; i < 6; i++)
        snprintf(paths[i / 2][i % 2], sizeof paths[0][0], "%s/%s", folder, names[i / 2][i % 2]);
    PROPERTY(atexit(remove_folder) == 0);
}

static void write_input(const char *name, struct sw_bytes bytes)
{
    int fd;
    PROPERTY(sw_io_open(&fd, name, O_WRONLY | O_CREAT | O_TRUNC, 0600) == 0);
    PROPERTY(sw_io_write(NULL, fd, bytes.at, bytes.len) == 0);
    PROPERTY(sw_io_close(&fd) == 0);
}

static int take(const void *bytes, size_t len, void *ctx)
{
    sw_buffer_add(ctx, bytes, len);
    return 0;
}

static uint64_t count_of(const struct sw_report *report, const char *name)
{
    uint64_t count = 0;
    PROPERTY(sw_report_count(&count, report, name));
    return count;
}

static void check_sums(const struct sw_report *report)
{
    uint64_t different = count_of(report, "different"), conflicts = count_of(report, "conflictKeys"), undecided = count_of(report, "undecidedKeys");
    PROPERTY(count_of(report, "keys") == count_of(report, "equal") + different + conflicts + undecided);
    PROPERTY(count_of(report, "differences") == different + conflicts);
    PROPERTY(different == count_of(report, "missingState") + count_of(report, "unexpectedState") + count_of(report, "stateMismatch"));
    int status = sw_report_exit_status(report);
    PROPERTY(status >= 0 && status <= 3);
    PROPERTY(status != 0 || (different + conflicts + undecided == 0 && count_of(report, "badRecords") == 0));
}

/* The report without what a run may choose: when it ran, and on what. */
static void keep_what_is_claimed(struct sw_buffer *report)
{
    static const char *const members[] = {"\"reachedAt\"", "\"run\": {"};
    for (size_t m = 0; m < 2; m++)
        for (uint8_t *at = report->at; at && (at = memmem(at, (size_t)(report->at + report->len - at), members[m], strlen(members[m]))) != NULL;) {
            uint8_t *end = memchr(at, '\n', (size_t)(report->at + report->len - at));
            if (m == 1 || !end) {
                report->len = (size_t)(at - report->at);
                break;
            }
            memmove(at, end, (size_t)(report->at + report->len - end));
            report->len -= (size_t)(end - at);
        }
}

struct seen {
    enum sw_code code;
    struct sw_buffer report, differences;
};

static struct seen see(const struct sw_reconcile_options *options)
{
    struct seen seen = {0};
    struct sw_error error = {0};
    struct sw_report *report = NULL;
    seen.code = sw_reconcile(&report, options, &error);
    PROPERTY((seen.code == SW_OK) == (report != NULL));
    if (seen.code != SW_OK) {
        PROPERTY(error.code == seen.code && error.text[0]);
        /* nothing but the input can be at fault */
        PROPERTY(seen.code == SW_ERR_USAGE || seen.code == SW_ERR_INPUT || seen.code == SW_ERR_LIMIT || seen.code == SW_ERR_UNSUPPORTED);
        return seen;
    }
    check_sums(report);
    PROPERTY(sw_report_write_json(report, take, &seen.report, NULL) == SW_OK);
    PROPERTY(sw_report_write_differences(report, false, take, &seen.differences, NULL) == SW_OK);
    keep_what_is_claimed(&seen.report);
    sw_report_free(&report);
    return seen;
}

static void declare(struct sw_reconcile_options *options, uint8_t first, uint8_t second)
{
    static const char *const keys[] = {"k", "j"}, *const types[] = {"v=decimal", "w=timestamptz(3)", "k=int64", "value=json"};
    static const char *const formats[] = {NULL, "plain", "debezium", "maxwell", "wal2json", "canal", "dms", "datastream"};
    if (first & 1)
        options->order = "file";
    if (first & 2)
        options->keys = keys, options->key_count = 2;
    if (first & 4)
        options->conflicts = "newest";
    if (first & 8)
        options->compare = "value";
    if (first & 16)
        options->expected_deletes = first & 2 ? "flag:w" : "absent";
    if (first & 32)
        options->types = types, options->type_count = 4;
    if (first & 2 && !(first & 1))
        options->version = "n", options->identity = "i", options->operation = "o", options->order = "integer";
    if (second & 8)
        options->cut = "3";
    if (second & 16)
        options->baseline_position = "1";
    if ((second & 24) == 24) /* formats that tell a time of their events hold it against this one */
        options->baseline_time = "2026-01-28T10:00:00Z";
    options->format = formats[second >> 5];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    struct sw_reconcile_options options;
    const char *inputs[3];
    const uint8_t *at = data + 2, *end = data + size;
    make_folder();
    for (int role = 0; role < 3; role++) {
        const uint8_t *mark = at < end ? memchr(at, 0x1e, (size_t)(end - at)) : NULL;
        const uint8_t *stop = mark && role < 2 ? mark : end;
        inputs[role] = paths[role][data[1] >> role & 1];
        write_input(inputs[role], sw_bytes_of(at, (size_t)(stop - at)));
        at = stop < end ? stop + 1 : end;
    }
    sw_reconcile_options_init(&options);
    declare(&options, data[0], data[1]);
    options.baseline = &inputs[0], options.baseline_count = data[0] & 64 ? 0 : 1;
    options.events = &inputs[1], options.event_count = data[0] & 128 ? 0 : 1;
    options.expected = &inputs[2], options.expected_count = 1;
    options.temporary_directory = folder;
    options.memory_bytes = (uint64_t)16 << 20;
    options.record_bytes_max = 4096;
    options.threads = 1;
    options.seed = 1;
    struct seen one = see(&options);
    options.threads = 2;
    options.seed = 77;
    options.block_bytes = 1 + size % 61;
    options.kernel = "scalar";
    struct seen other = see(&options);

    PROPERTY(one.code == other.code);
    PROPERTY(sw_bytes_equal(sw_buffer_view(&one.differences), sw_buffer_view(&other.differences)));
    PROPERTY(sw_bytes_equal(sw_buffer_view(&one.report), sw_buffer_view(&other.report)));
    sw_buffer_free(&one.report);
    sw_buffer_free(&one.differences);
    sw_buffer_free(&other.report);
    sw_buffer_free(&other.differences);
    return 0;
}
