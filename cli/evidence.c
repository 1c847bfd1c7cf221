#include "evidence.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "read_text.h"
#include "slackwater/scan.h"

struct grown {
    char *at;
    size_t len, capacity;
};

static int append(const void *bytes, size_t len, void *ctx)
{
    struct grown *grown = ctx;
    if (grown->capacity - grown->len < len) {
        size_t capacity = grown->capacity * 2 > grown->len + len ? grown->capacity * 2 : grown->len + len + 4096;
        char *more = realloc(grown->at, capacity);
        if (!more)
            return ENOMEM;
        grown->at = more;
        grown->capacity = capacity;
    }
    memcpy(grown->at + grown->len, bytes, len);
    grown->len += len;
    return 0;
}

void evidence_free(struct evidence *evidence)
{
    for (size_t i = 0; i < evidence->count; i++) {
        char *text;
        memcpy(&text, &evidence->at[i].text, sizeof text);
        free(text);
    }
    free(evidence->at);
    *evidence = (struct evidence){0};
}

/* Can all of them be read twice? A folder or a pattern stands for files, a locator of a database or a topic does not. */
static bool are_files(const char *const *locators, size_t count)
{
    struct stat at;
    for (size_t i = 0; i < count; i++)
        if (strcmp(locators[i], "-") == 0 || (stat(locators[i], &at) == 0 ? !S_ISREG(at.st_mode) && !S_ISDIR(at.st_mode) : !strpbrk(locators[i], "*?[") || strchr(locators[i], ':')))
            return false;
    return true;
}

/* The events of the run, read once before it. *text stays NULL if only sets were asked for, and the order has none. */
static enum sw_code scan(char **text, size_t *len, const struct sw_reconcile_options *run, bool only_sets, struct sw_error *error)
{
    struct sw_scan_options options;
    struct sw_scan_report *report = NULL;
    struct grown grown = {0};
    for (size_t i = 0; i < run->event_count; i++)
        if (strcmp(run->events[i], "-") == 0) {
            *error = (struct sw_error){.code = SW_ERR_USAGE};
            snprintf(error->text, sizeof error->text, "--continuity scan reads the events twice, and standard input can be read once: put them into a file");
            return error->code;
        }
    sw_scan_options_init(&options);
    options.only_sets = only_sets;
    options.baseline_position = run->baseline_position;
    if (are_files(run->baseline, run->baseline_count)) {
        options.saved = run->baseline;
        options.saved_count = run->baseline_count;
    }
    options.events = run->events;
    options.event_count = run->event_count;
    options.events_query = run->events_query;
    options.format = run->format;
    options.map_file = run->map_file;
    options.order = run->order;
    options.version = run->version;
    options.operation = run->operation;
    options.space = run->space;
    options.threads = run->threads;
    options.memory_bytes = run->memory_bytes;
    options.temporary_directory = run->temporary_directory;
    options.block_bytes = run->block_bytes;
    options.record_bytes_max = run->record_bytes_max;
    options.kernel = run->kernel;
    options.digest = run->report_file && !run->digest ? "sha256" : run->digest;
    options.progress = run->progress;
    options.progress_ctx = run->progress_ctx;
    enum sw_code code = sw_scan(&report, &options, error);
    if (code >= 0 && report)
        code = sw_scan_write_json(report, append, &grown, error);
    sw_scan_report_free(&report);
    *text = grown.at;
    *len = grown.len;
    return code;
}

bool evidence_gather(struct evidence *out, const char *const *names, size_t count, const struct sw_reconcile_options *run, struct sw_error *error)
{
    *out = (struct evidence){.at = calloc(count + 1, sizeof *out->at)};
    if (!out->at) {
        *error = (struct sw_error){.code = SW_ERR_MEMORY, .text = "out of memory while evidence of continuity was read"};
        return false;
    }
    if (count == 0 && run->event_count && !run->events_query && are_files(run->events, run->event_count)) {
        char *text = NULL;
        size_t len = 0;
        enum sw_code code = scan(&text, &len, run, true, error);
        if (code == SW_OK && text)
            out->at[out->count++] = (struct sw_named_text){"scan", text, len};
        else
            free(text);
        if (code == SW_ERR_CANCELLED || code == SW_ERR_MEMORY)
            return false;
        *error = (struct sw_error){0}; /* whatever else is wrong with the inputs, the run says it better */
        return true;
    }
    if (count == 1 && strcmp(names[0], "none") == 0)
        return true;
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i], "none") == 0) {
            *error = (struct sw_error){.code = SW_ERR_USAGE, .text = "--continuity none leaves evidence out, and other evidence was given: one of the two"};
            return false;
        }
        char *text = NULL;
        size_t len = 0;
        bool good = strcmp(names[i], "scan") == 0 ? scan(&text, &len, run, false, error) >= 0 : read_text(&text, &len, names[i], error);
        out->at[out->count++] = (struct sw_named_text){names[i], text, len};
        if (!good)
            return false;
    }
    return true;
}
