#include "evidence.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* The events of the run, read once before it. */
static enum sw_code scan(char **text, size_t *len, const struct sw_reconcile_options *run, struct sw_error *error)
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
    if (code >= 0)
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
    for (size_t i = 0; i < count; i++) {
        char *text = NULL;
        size_t len = 0;
        bool good = strcmp(names[i], "scan") == 0 ? scan(&text, &len, run, error) >= 0 : read_text(&text, &len, names[i], error);
        out->at[out->count++] = (struct sw_named_text){names[i], text, len};
        if (!good)
            return false;
    }
    return true;
}
