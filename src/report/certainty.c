/* How far the headline reaches, in one line: the reader of the first screen must know it before the counts. */
#include "report/continuity_evidence.h"
#include "report/recheck.h"
#include "report/sentence.h"
#include "report/verdict.h"

static void join(struct sw_buffer *out, const char *text)
{
    if (out->len)
        sw_buffer_add_text(out, "; ");
    sw_buffer_add_text(out, text);
}

static void add_compared(struct sw_buffer *out, const struct sw_report *report)
{
    char a[SW_NUMBER_TEXT_MAX], b[SW_NUMBER_TEXT_MAX];
    uint64_t keys = sw_report_keys(report), compared = sw_report_compared(report);
    if (!compared && keys && report->role_given[SW_ROLE_EXPECTED])
        sw_buffer_printf(out, keys == 1 ? "the one key could not be compared" : "none of %s keys could be compared", sw_number_text(a, keys));
    else if (!compared)
        join(out, "nothing was compared");
    else if (compared < keys)
        sw_buffer_printf(out, "%s of %s keys could be compared", sw_number_text(a, compared), sw_number_text(b, keys));
    else if (keys == 1)
        join(out, "the one key was compared");
    else
        sw_buffer_printf(out, "all %s keys were compared", sw_number_text(a, keys));
    if (compared && sw_report_compared_keys_alone(report))
        sw_buffer_add_text(out, " (keys alone: there is no other column)");
}

static void add_history(struct sw_buffer *out, const struct sw_report *report, enum sw_verdict history)
{
    char a[SW_NUMBER_TEXT_MAX];
    uint64_t gaps = sw_evidence_gaps(report);
    if (history == SW_VERDICT_REFUTED) {
        join(out, "changes are missing in the events");
    } else if (history == SW_VERDICT_CONFIRMED) {
        join(out, "no change of the interval is missing in the events");
    } else if (gaps) {
        join(out, sw_number_text(a, gaps));
        sw_buffer_add_text(out, gaps == 1 ? " gap is known, and what changed in it is not in the events" : " gaps are known, and what changed in them is not in the events");
    } else if (report->role_given[SW_ROLE_EVENTS]) {
        join(out, "whether the events hold every change is not proven");
    }
}

void sw_report_certainty(struct sw_buffer *out, const struct sw_report *report)
{
    char a[SW_NUMBER_TEXT_MAX];
    struct sw_verdicts verdicts = {0};
    struct sw_buffer text = {0};
    add_compared(&text, report);
    if (report->bad_unattributed) {
        join(&text, sw_number_text(a, report->bad_unattributed));
        sw_buffer_add_text(&text, report->bad_unattributed == 1 ? " unread record may be about any key" : " unread records may be about any key");
    }
    if (report->classes[SW_CLASS_DIFFERENT] > sw_report_in_flight_different(report) && !report->mapping->cut && !report->recheck)
        join(&text, "without a cut, a destination that lags looks the same");
    sw_report_judge(&verdicts, report);
    add_history(&text, report, verdicts.history.verdict);
    if (report->assumed_count) {
        join(&text, sw_number_text(a, report->assumed_count));
        sw_buffer_add_text(&text, report->assumed_count == 1 ? " thing was assumed, named below" : " things were assumed, named below");
    }
    sw_buffer_add_bytes(out, sw_buffer_view(&text));
    out->failed |= text.failed || verdicts.current_state.reasons.text.failed || verdicts.history.reasons.text.failed || verdicts.process.reasons.text.failed;
    sw_verdicts_free(&verdicts);
    sw_buffer_free(&text);
}
