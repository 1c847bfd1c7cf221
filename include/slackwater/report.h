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

/* The exit status of design section 4: 0 all compared and equal, 1 differences or conflicts, 2 bad records,
 * 3 something undecided or nothing compared. Precedence 2, 1, 3, 0. */
SW_API int sw_report_exit_status(const struct sw_report *report);

/* The JSON report, schema "slackwater.report/1", docs/report.schema.json. Ends with a newline. */
SW_API SW_MUST_USE enum sw_code sw_report_write_json(struct sw_report *report, sw_write_fn write, void *ctx, struct sw_error *error);

/* How the summary for people is laid out. Zero is a plain 80-column text without colour. */
struct sw_summary_style {
    bool color;
    bool unicode;          /* box characters and arrows */
    unsigned width;        /* columns of the terminal; 0 = 80 */
    unsigned differences;  /* how many are shown side by side; 0 = 5 */
};
SW_API SW_MUST_USE enum sw_code sw_report_write_summary(struct sw_report *report, const struct sw_summary_style *style, sw_write_fn write, void *ctx, struct sw_error *error);

/* All differences in key order: one JSON object a line, or CSV with a header. */
SW_API SW_MUST_USE enum sw_code sw_report_write_differences(struct sw_report *report, bool csv, sw_write_fn write, void *ctx, struct sw_error *error);

/* Counts by the names of the JSON report ("keys", "equal", "stateMismatch" …). False if there is no such count. */
SW_API bool sw_report_count(uint64_t *out, const struct sw_report *report, const char *name);

/* Frees it and its temporary files; accepts NULL. */
SW_API void sw_report_free(struct sw_report **report);

SW_END_DECLS

#endif
