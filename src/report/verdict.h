/* The judgement of a report: its exit status and its three verdicts, each from counts alone. */
#ifndef SW_REPORT_VERDICT_H
#define SW_REPORT_VERDICT_H

#include <stdbool.h>

#include "report/report.h"
#include "report/sentence.h"

enum sw_verdict { SW_VERDICT_CONFIRMED, SW_VERDICT_REFUTED, SW_VERDICT_UNPROVEN };

/* "confirmed", "refuted", "unproven". Static. */
const char *sw_verdict_name(enum sw_verdict verdict);

struct sw_claim {
    enum sw_verdict verdict;
    struct sw_sentences reasons;   /* why; never empty */
    struct sw_sentences evidence;  /* what it rests on; may be empty */
};

struct sw_verdicts {
    struct sw_claim process, current_state, history;
};

/* Fills `out`, which must be zero; sw_verdicts_free releases it. Memory that ran out shows in the lists' `text.failed`. */
void sw_report_judge(struct sw_verdicts *out, const struct sw_report *report);
void sw_verdicts_free(struct sw_verdicts *verdicts);

/* The verdict on the current state alone:
 * unproven   if a bad record cannot be attributed to a key (it may be about any of them), or else
 * refuted    if a key is proven different, or else
 * unproven   if anything is in conflict, undecided, unread or absent from a whole side, or nothing was compared, or only a part of what is in scope, or else
 * confirmed. */
enum sw_verdict sw_report_current_state(const struct sw_report *report);

/* The one word (or two) that a report is known by, static, and appends the sentence beside it. "EQUAL" stands only over a confirmed current state. */
const char *sw_report_headline(struct sw_buffer *sentence, const struct sw_report *report);

/* Keys of all classes, keys that have a verdict, and what the seed calls differences: keys different or in conflict. */
uint64_t sw_report_keys(const struct sw_report *report);
/* Keys of a run without a reference whose row, or tombstone, is reconstructed; 0 with one. */
uint64_t sw_report_rebuilt(const struct sw_report *report);
/* Undecided keys but for those. */
uint64_t sw_report_undecided(const struct sw_report *report);
uint64_t sw_report_compared(const struct sw_report *report);
uint64_t sw_report_differences(const struct sw_report *report);
uint64_t sw_report_records(const struct sw_report *report);

/* The i-th count of the report by its name in `counts`; NULL past the last. Every count of the report stands here once. */
const char *sw_report_count_at(uint64_t *out, const struct sw_report *report, size_t index);

#endif
