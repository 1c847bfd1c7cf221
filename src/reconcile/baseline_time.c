/* When the baseline was taken, held against the times of the events that its position covers. A time decides nothing: it can only say that a position is not
 * to be trusted, as where it began again after a restore or a promotion and nothing in the records tells. */
#include <string.h>

#include "reconcile/run.h"

enum sw_code sw_run_read_baseline_time(struct sw_run *run, struct sw_error *error)
{
    const char *text = run->mapping.baseline_time;
    if (!text)
        return SW_OK;
    if (run->reading.order == &sw_order_timestamp)
        return sw_fail(error, SW_ERR_USAGE, "--baseline-time is a check of positions, and the order 'timestamp' has none but times: --baseline-position %.60s says that the baseline reaches so far", text);
    if (!run->reading.covered_count)
        return sw_fail(error, SW_ERR_USAGE, "--baseline-time alone does not say which events the baseline holds: a clock is no order. Give the position at which it was taken, --baseline-position P, and the time checks it "
                                            "(slackwater position probe tells where a source stands; an export's snapshot has one, too); --order timestamp orders by time, with --baseline-position TIME");
    if (!sw_order_time_read(&run->baseline_time, sw_bytes_text(text)) || run->baseline_time.kind == SW_TIME_NUMBER)
        return sw_fail(error, SW_ERR_USAGE, "--baseline-time: expected a time such as 2026-01-28T10:00:00Z, found '%.60s'", text);
    run->reading.baseline_time = &run->baseline_time;
    return SW_OK;
}

bool sw_read_is_later(struct sw_later_events *later, const struct sw_reading *reading, const struct sw_binding *binding, const struct sw_json_template *template, const struct sw_token *tokens,
                      const struct sw_record_place *place)
{
    struct sw_token token = sw_encode__token(template, tokens, place, binding->time_node);
    struct sw_order_time time;
    bool told = (token.kind == SW_TOKEN_TEXT || token.kind == SW_TOKEN_NUMBER) && sw_order_time_read(&time, sw_bytes_of(token.at, token.len)) && sw_order_time_scale(&time, binding->time_per_second) &&
                time.kind == reading->baseline_time->kind;
    if (!told) {
        later->untimed++;
        return false;
    }
    bool is_later = sw_order_time_compare(&time, reading->baseline_time) > 0;
    later->held++;
    later->later += is_later;
    return is_later;
}

enum sw_code sw_run_note_baseline_time(struct sw_run *run, struct sw_error *error)
{
    const struct sw_later_events *later = &run->reading.later;
    struct sw_buffer text = {0};
    bool kept = true;
    if (!run->reading.baseline_time)
        return SW_OK;
    sw_buffer_printf(&text, "--baseline-time %.60s was held against the source's times of the events that --baseline-position covers: %llu compare, %llu of them are later, and their keys are undecided. Equal times are not later; a clock that was wrong, or "
                            "another than the source's, says so falsely or hides it",
                     run->mapping.baseline_time, (unsigned long long)later->held, (unsigned long long)later->later);
    if (later->untimed)
        sw_buffer_printf(&text, "; %llu more have no time that compares with it (%s)", (unsigned long long)later->untimed,
                         run->baseline_time.kind == SW_TIME_ZONED ? "one with a zone, or a number whose time_unit is known" : "one without a zone, as the declared one");
    kept = !text.failed && sw_run_remark(run, sw_buffer_text(&text));
    sw_buffer_free(&text);
    return kept ? SW_OK : sw_fail_memory(error, "the report", 0);
}
