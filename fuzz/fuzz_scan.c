/* Any bytes as events that are scanned: a scan ends in a report or in a failure that says why; threads, block size and scan kernel never change a byte of
 * it; its sums add up, its JSON is one document, and it is evidence that a reconciliation of the same events takes and calls its own. Any other bytes as
 * such evidence are taken or refused. Two bytes choose what is declared; then come the events and the evidence, with a byte 0x1e between them. */
#include "property.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/file_io.h"
#include "slackwater/scan.h"
#include "text/json_document.h"

static char folder[] = "/dev/shm/slackwater-fuzz-XXXXXX", path[64];

static void remove_folder(void)
{
    (void)unlink(path);
    (void)rmdir(folder);
}

static void write_events(struct sw_bytes bytes)
{
    int fd;
    if (!path[0]) {
        PROPERTY(mkdtemp(folder));
        snprintf(path, sizeof path, "%s/e.ndjson", folder);
        PROPERTY(atexit(remove_folder) == 0);
    }
    PROPERTY(sw_io_open(&fd, path, O_WRONLY | O_CREAT | O_TRUNC, 0600) == 0);
    PROPERTY(sw_io_write(NULL, fd, bytes.at, bytes.len) == 0);
    PROPERTY(sw_io_close(&fd) == 0);
}

static int take(const void *bytes, size_t len, void *ctx)
{
    sw_buffer_add(ctx, bytes, len);
    return 0;
}

static bool is_no_fault_of_ours(enum sw_code code) { return code == SW_ERR_USAGE || code == SW_ERR_INPUT || code == SW_ERR_LIMIT || code == SW_ERR_UNSUPPORTED; }

static uint64_t number(struct sw_token object, const char *name)
{
    struct sw_token token = sw_document_member(object, name);
    uint64_t value = 0;
    PROPERTY(token.kind == SW_TOKEN_NUMBER);
    for (uint32_t i = 0; i < token.len; i++)
        value = value * 10 + (uint64_t)(token.at[i] - '0');
    return value;
}

static void check_document(struct sw_bytes json, int status)
{
    struct sw_document document = {0};
    struct sw_error error = {0};
    PROPERTY(sw_document_read(&document, json, "scan", &error) == SW_OK);
    struct sw_token records = sw_document_member(document.root, "records");
    PROPERTY(number(records, "read") == number(records, "events") + number(records, "notRowChange") + number(records, "bad"));
    PROPERTY(number(document.root, "exitStatus") == (uint64_t)status);
    PROPERTY(status == 0 || status == 1 || status == 2 || status == 3);
    PROPERTY((status == 2) == (number(records, "bad") != 0));
    /* no claim over a gap, or over what was not read */
    PROPERTY(sw_document_member(document.root, "claim").kind != SW_TOKEN_TEXT || status == 0);
    PROPERTY(status != 0 || number(document.root, "gapCount") == 0);
    sw_document_free(&document);
}

static enum sw_code see(struct sw_buffer *json, const struct sw_scan_options *options)
{
    struct sw_error error = {0};
    struct sw_scan_report *report = NULL;
    struct sw_buffer text = {0};
    enum sw_code code = sw_scan(&report, options, &error);
    PROPERTY((code == SW_OK) == (report != NULL));
    if (code != SW_OK) {
        PROPERTY(error.code == code && error.text[0] && is_no_fault_of_ours(code));
        return code;
    }
    PROPERTY(sw_scan_write_json(report, take, json, NULL) == SW_OK);
    PROPERTY(sw_scan_write_text(report, take, &text, NULL) == SW_OK);
    check_document(sw_buffer_view(json), sw_scan_exit_status(report));
    sw_scan_report_free(&report);
    sw_buffer_free(&text);
    return code;
}

static void declare(struct sw_scan_options *options, uint8_t first, uint8_t second)
{
    static const char *const orders[] = {NULL, "mysql-gtid", "kafka", "postgres", "mysql", "mariadb", "oracle", "sqlserver", "datastream", "timestamp", "file", "bigquery", "mongodb", "integer"};
    static const char *const formats[] = {NULL, "plain", "debezium", "maxwell", "wal2json", "canal", "kcat", "datastream"};
    options->order = orders[first % (sizeof orders / sizeof *orders)];
    options->dense = first & 16;
    if (options->order && strcmp(options->order, "mysql-gtid") == 0) {
        options->after = first & 32 ? "3a1f0000-0000-0000-0000-000000000001:1-2" : NULL;
        options->executed = first & 64 ? "3a1f0000-0000-0000-0000-000000000001:1-9,bbbb0000-0000-0000-0000-000000000002:t:3" : NULL;
        options->purged = first & 128 ? "3a1f0000-0000-0000-0000-000000000001:1-4" : NULL;
    } else {
        options->expect_first = first & 32 ? "3" : NULL;
        options->expect_last = first & 64 ? "900" : NULL;
        options->available = first & 128 ? "5" : NULL;
    }
    options->version = second & 1 ? "n" : NULL;
    options->operation = second & 2 ? "o" : NULL;
    options->space = second & 4 ? "here" : NULL;
    options->format = formats[second >> 5];
}

/* A reconciliation of the same events with evidence. */
static void reconcile(const struct sw_scan_options *scan, struct sw_bytes evidence, const char *const *events, bool own)
{
    static const char *const keys[] = {"id"};
    struct sw_reconcile_options options;
    struct sw_report *report = NULL;
    struct sw_error error = {0};
    struct sw_buffer json = {0};
    const struct sw_named_text text = {"evidence", (const char *)evidence.at, evidence.len};
    sw_reconcile_options_init(&options);
    options.events = events, options.event_count = 1;
    options.expected = events, options.expected_count = 1;
    options.keys = keys, options.key_count = 1;
    options.order = scan->order, options.format = scan->format, options.version = scan->version, options.operation = scan->operation, options.space = scan->space;
    options.continuity = &text, options.continuity_count = 1;
    options.temporary_directory = folder;
    options.memory_bytes = (uint64_t)16 << 20;
    options.record_bytes_max = 4096;
    options.threads = 1;
    enum sw_code code = sw_reconcile(&report, &options, &error);
    PROPERTY(code == SW_OK || is_no_fault_of_ours(code));
    if (code == SW_OK) {
        PROPERTY(sw_report_write_json(report, take, &json, NULL) == SW_OK);
        PROPERTY(!own || memmem(json.at, json.len, "\"sameEvents\": true", 18));
        const struct sw_summary_style style = {0};
        PROPERTY(sw_report_write_summary(report, &style, take, &json, NULL) == SW_OK);
    }
    sw_buffer_free(&json);
    sw_report_free(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    struct sw_scan_options options;
    struct sw_buffer one = {0}, other = {0};
    const uint8_t *end = data + size, *mark = memchr(data + 2, 0x1e, size - 2);
    const char *events[] = {path};
    write_events(sw_bytes_of(data + 2, (size_t)((mark ? mark : end) - data - 2)));
    sw_scan_options_init(&options);
    declare(&options, data[0], data[1]);
    options.events = events, options.event_count = 1;
    options.temporary_directory = folder;
    options.memory_bytes = (uint64_t)16 << 20;
    options.record_bytes_max = 4096;
    options.threads = 1;
    enum sw_code code = see(&one, &options);
    options.threads = 2;
    options.block_bytes = 1 + size % 61;
    options.kernel = "scalar";
    PROPERTY(see(&other, &options) == code);
    PROPERTY(sw_bytes_equal(sw_buffer_view(&one), sw_buffer_view(&other)));
    if (code == SW_OK && one.len < SW_DOCUMENT_MAX)
        reconcile(&options, sw_buffer_view(&one), events, true);
    if (mark)
        reconcile(&options, sw_bytes_of(mark + 1, (size_t)(end - mark - 1)), events, false);
    sw_buffer_free(&one);
    sw_buffer_free(&other);
    return 0;
}
