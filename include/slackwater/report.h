/* The report of a reconciliation: its exit status, and the forms in which it is written.
 *
 * A report is made by sw_reconcile and read-only from then on. Functions that write take a callback, so that
 * the caller decides where bytes go. One thread at a time per report (findings are read from temporary files). */
#ifndef SLACKWATER_REPORT_H
#define SLACKWATER_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slackwater/error.h"
#include "slackwater/export.h"

SW_BEGIN_DECLS

struct sw_report;

/* Takes `len` bytes; 0 when they are written, an errno otherwise. */
typedef int (*sw_write_fn)(const void *bytes, size_t len, void *ctx);

/* The exit status (docs/report.md, "Exit status and verdicts"): 0 all compared and equal, 1 differences or conflicts, 2 bad records,
 * 3 something undecided or nothing compared. Precedence 2, 1, 3, 0. */
SW_API int sw_report_exit_status(const struct sw_report *report);

/* The JSON report, schema "slackwater.report/1": docs/report.md explains every member, docs/report.schema.json is the schema.
 * UTF-8, ends with a newline. It lists the first findings only (sw_reconcile_options.listed_differences), written in pieces.
 * Returns SW_OK; SW_ERR_IO if `write` or the temporary files failed; SW_ERR_MEMORY. After a failure what was written is not whole. */
SW_API SW_MUST_USE enum sw_code sw_report_write_json(struct sw_report *report, sw_write_fn write, void *ctx, struct sw_error *error);

/* How the summary for people is laid out. Zero is a plain 80-column ASCII text without colour. */
struct sw_summary_style {
    bool color;            /* ANSI colours; they repeat what the words say */
    bool unicode;          /* the terminal shows UTF-8: marks, and text of the data as it is; false: all beyond ASCII is escaped */
    unsigned width;        /* columns of the terminal, 40 to 1000; 0 = 80. Only paths of files may be wider */
    unsigned differences;  /* how many are shown side by side; 0 = 5 */
};
/* The summary: headline, verdicts, counts, the first differences, limits, files, what to do next, exit status. Text from the data is
 * escaped and cut, so that it can neither move the cursor nor hide. Returns as sw_report_write_json. */
SW_API SW_MUST_USE enum sw_code sw_report_write_summary(struct sw_report *report, const struct sw_summary_style *style, sw_write_fn write, void *ctx, struct sw_error *error);

/* All findings in key order, one a line: every key that is not equal, those undecided included (`class` tells them apart). JSON objects, or
 * CSV with a header by RFC 4180; docs/report.md says how cells are kept from being taken for formulas. Returns as sw_report_write_json. */
SW_API SW_MUST_USE enum sw_code sw_report_write_differences(struct sw_report *report, bool csv, sw_write_fn write, void *ctx, struct sw_error *error);

/* Counts by the names of the JSON report ("keys", "equal", "stateMismatch" …). False if there is no such count. */
SW_API bool sw_report_count(uint64_t *out, const struct sw_report *report, const char *name);

/* Frees it and its temporary files; accepts NULL. */
SW_API void sw_report_free(struct sw_report **report);

SW_END_DECLS

#endif
