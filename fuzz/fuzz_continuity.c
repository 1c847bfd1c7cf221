/* Continuity: the first byte picks a kind of position or the judgement of snapshots, the second the declarations; the rest
 * is texts with NULs between them: saved, first, last, purged, executed, pasted output, history; or cloud documents. Whatever
 * comes, there is an error or a report; a report can be written, its JSON reads back, and its parts agree. */
#include <string.h>

#include "base/buffer.h"
#include "text/json_document.h"
#include "continuity/report.h"
#include "property.h"

enum { FIELDS = 7 };

static int append(const void *bytes, size_t len, void *ctx)
{
    sw_buffer_add(ctx, bytes, len);
    return 0;
}

static void check_report(struct sw_continuity_report *report)
{
    struct sw_buffer text = {0}, json = {0};
    struct sw_document document;
    enum sw_continuity verdict = sw_continuity_verdict(report);
    PROPERTY(verdict == SW_CONTINUOUS || verdict == SW_GAP || verdict == SW_CANNOT_TELL);
    PROPERTY(report->rule && report->reasons.count && report->limits.count);
    /* the three never collapse: a clean answer has no interval and no condition, a gap has what follows from it */
    PROPERTY(verdict != SW_CONTINUOUS || (!report->interval_count && !report->conditions.count));
    PROPERTY(verdict != SW_GAP || (report->obligations.count && !report->conditions.count));
    PROPERTY(sw_continuity_write_text(report, append, &text, NULL) == SW_OK);
    PROPERTY(sw_continuity_write_json(report, append, &json, NULL) == SW_OK);
    for (size_t i = 0; i < text.len; i++) { /* nothing that steers a terminal */
        if (text.at[i] != '\n' && (text.at[i] < ' ' || text.at[i] >= 127))
            fprintf(stderr, "byte %02x at %zu of:\n%.*s\n", text.at[i], i, (int)text.len, (const char *)text.at);
        PROPERTY(text.at[i] == '\n' || (text.at[i] >= ' ' && text.at[i] < 127));
    }
    PROPERTY(sw_document_read(&document, sw_buffer_view(&json), "report", NULL) == SW_OK);
    PROPERTY(sw_document_member(document.root, "verdict").kind == SW_TOKEN_TEXT);
    sw_document_free(&document);
    sw_buffer_free(&text);
    sw_buffer_free(&json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    size_t kinds = 0;
    while (sw_position_kind_at(kinds))
        kinds++;
    if (size < 2)
        return 0;
    char *fields[FIELDS] = {NULL}, *copy = malloc(size - 1);
    size_t lengths[FIELDS] = {0}, count = 0;
    PROPERTY(copy != NULL);
    memcpy(copy, data + 2, size - 2);
    copy[size - 2] = '\0';
    for (size_t at = 0; count < FIELDS && at <= size - 2; count++) {
        fields[count] = copy + at;
        lengths[count] = strlen(copy + at);
        at += lengths[count] + 1;
    }
    struct sw_continuity_report *report = NULL;
    struct sw_error error = {0};
    enum sw_code code;
    if (data[0] % (kinds + 1) == kinds) {
        struct sw_named_text documents[FIELDS];
        struct sw_snapshot_options options;
        sw_snapshot_options_init(&options);
        for (size_t i = 0; i < count; i++)
            if (lengths[i])
                documents[options.document_count++] = (struct sw_named_text){"document", fields[i], lengths[i]};
        options.documents = documents;
        options.at = data[1] & 1 ? "2031-02-04T00:00:00Z" : "2031-02-12T00:00:00Z";
        options.region = data[1] & 2 ? "us-central1" : NULL;
        options.need_seconds = data[1] >> 2;
        code = sw_continuity_snapshot(&report, &options, &error);
    } else {
        struct sw_named_text shown = {"shown", fields[5], lengths[5]}, history = {"00000002.history", fields[6], lengths[6]};
        struct sw_gap_options options;
        sw_gap_options_init(&options);
        options.kind = sw_position_kind_at(data[0] % (kinds + 1))->name;
        options.saved = fields[0];
        options.first = lengths[1] ? fields[1] : NULL;
        options.last = lengths[2] ? fields[2] : NULL;
        options.purged = lengths[3] ? fields[3] : NULL;
        options.executed = lengths[4] ? fields[4] : NULL;
        options.shown = &shown;
        options.shown_count = lengths[5] != 0;
        options.histories = &history;
        options.history_count = lengths[6] != 0;
        options.same_source = data[1] & 1;
        options.strict = data[1] & 2 && strcmp(options.kind, "mariadb") == 0 ? (data[1] & 4 ? "on" : "off") : NULL;
        code = sw_continuity_gap(&report, &options, &error);
    }
    PROPERTY((code == SW_OK) == (report != NULL));
    PROPERTY(code == SW_OK || code == SW_ERR_INPUT || code == SW_ERR_LIMIT || code == SW_ERR_USAGE);
    PROPERTY(code == SW_OK || error.text[0]);
    if (report)
        check_report(report);
    sw_continuity_report_free(&report);
    free(copy);
    return 0;
}
