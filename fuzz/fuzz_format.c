/* Any bytes as records of a format: the run ends with a report or a refusal, and in the report every record has one disposition, each key one class,
 * whatever the threads' block size. There is one program for each format, FUZZED_FORMAT; the first byte chooses the order and options, the rest are the
 * events. FUZZED_FORMATS are all of them, each between two blanks: a format that is registered and has no program stops them all. */
#include "property.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "format/format.h"
#include "report/report.h"

struct outcome {
    enum sw_code code;
    uint64_t records, bad, keys, equal, dispositions[SW_DISPOSITION_COUNT];
};

static struct outcome run(const char *events, const char *expected, const struct sw_format *format, uint8_t choice, uint64_t block_bytes)
{
    static const char *const keys[] = {"id"}, *const documents[] = {"_id"}, *const wide[] = {"id,b"};
    struct sw_reconcile_options options;
    struct sw_report *report;
    struct sw_error error = {0};
    struct outcome outcome = {0};
    size_t orders = 0;
    while (sw_orders()[orders])
        orders++;
    sw_reconcile_options_init(&options);
    options.events = &events, options.event_count = 1;
    options.expected = &expected, options.expected_count = 1;
    options.format = format->name;
    options.keys = choice & 0x40 ? wide : format == &sw_format_debezium_mongodb ? documents : keys, options.key_count = 1;
    options.table = choice & 0x80 ? "t" : NULL;
    options.order = sw_orders()[(choice & 0x3f) % orders]->name;
    options.threads = 1, options.memory_bytes = (uint64_t)16 << 20, options.block_bytes = block_bytes, options.seed = 1;
    outcome.code = sw_reconcile(&report, &options, &error);
    if (outcome.code != SW_OK) {
        PROPERTY(error.code == outcome.code && error.text[0]);
        PROPERTY(outcome.code == SW_ERR_USAGE || outcome.code == SW_ERR_INPUT || outcome.code == SW_ERR_LIMIT || outcome.code == SW_ERR_UNSUPPORTED);
        return outcome;
    }
    uint64_t dispositions = 0, records = 0, classes = 0, kinds = 0;
    for (int i = 0; i < SW_DISPOSITION_COUNT; i++)
        dispositions += outcome.dispositions[i] = report->dispositions[i];
    for (int i = 0; i < SW_ROLE_COUNT; i++)
        records += report->records[i];
    for (int i = 0; i < SW_CLASS_COUNT; i++)
        classes += report->classes[i];
    for (uint32_t i = 0; i < report->kind_count; i++)
        kinds += report->kinds[i].count;
    PROPERTY(dispositions == records);
    PROPERTY(kinds == report->dispositions[SW_DISPOSITION_NOT_ROW_CHANGE]);
    PROPERTY(report->dispositions[SW_DISPOSITION_BAD] == report->bad_count);
    outcome.records = records, outcome.bad = report->bad_count, outcome.keys = classes, outcome.equal = report->classes[SW_CLASS_EQUAL];
    sw_report_free(&report);
    return outcome;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char rows[] = "{\"id\":1,\"v\":\"a\"}\n{\"id\":2,\"v\":null}\n";
    char path[64], reference[64];
    static const struct sw_format *format;
    if (size < 1)
        return 0;
    for (const struct sw_format *const *each = format ? NULL : sw_formats(); each && *each; each++) {
        char name[64];
        snprintf(name, sizeof name, " %s ", (*each)->name);
        PROPERTY(strstr(FUZZED_FORMATS, name) || *each == &sw_format_state); /* which has a target of its own */
        if (strcmp((*each)->name, FUZZED_FORMAT) == 0)
            format = *each;
    }
    PROPERTY(format);
    int events = memfd_create("events", 0), expected = memfd_create("rows", 0);
    PROPERTY(events >= 0 && expected >= 0);
    PROPERTY(write(events, data + 1, size - 1) == (ssize_t)(size - 1) && write(expected, rows, sizeof rows - 1) == (ssize_t)sizeof rows - 1);
    snprintf(path, sizeof path, "/proc/self/fd/%d", events);
    snprintf(reference, sizeof reference, "/proc/self/fd/%d", expected);
    struct outcome whole = run(path, reference, format, data[0], 0), cut = run(path, reference, format, data[0], 1);
    PROPERTY(whole.code == cut.code && whole.records == cut.records && whole.bad == cut.bad && whole.keys == cut.keys && whole.equal == cut.equal);
    PROPERTY(memcmp(whole.dispositions, cut.dispositions, sizeof whole.dispositions) == 0);
    close(events);
    close(expected);
    return 0;
}
