/* A report of continuity as text for people and as JSON. */
#include "continuity/report.h"

#include "report/width.h"
#include "slackwater/version.h"

#define POSITION_COLUMNS 100

/* ---- text ---- */

/* A text from outside, made fit for a terminal and cut. */
static void show(struct sw_buffer *out, const char *text, const char *when_empty)
{
    struct sw_buffer shown = {0};
    if (text && *text)
        sw_text_show(&shown, sw_bytes_text(text), false);
    else
        sw_buffer_add_text(&shown, when_empty);
    sw_text_fit(out, sw_buffer_view(&shown), POSITION_COLUMNS, SW_FIT_ANYWHERE, false);
    out->failed |= shown.failed;
    sw_buffer_free(&shown);
}

static void interval(struct sw_buffer *out, const struct sw_interval *interval)
{
    if (*interval->space) {
        show(out, interval->space, "");
        sw_buffer_add_byte(out, ' ');
    }
    if (!*interval->to && !interval->open) { /* a set */
        show(out, interval->from, "{}");
        return;
    }
    sw_buffer_add_byte(out, interval->from_included ? '[' : '(');
    show(out, interval->from, "the start");
    sw_buffer_add_text(out, ", ");
    show(out, interval->open ? "" : interval->to, "not known yet");
    sw_buffer_add_byte(out, interval->to_included ? ']' : ')');
}

static void answer(struct sw_buffer *out, const struct sw_continuity_report *report, enum sw_continuity verdict)
{
    sw_buffer_add_text(out, sw_continuity_word(report, verdict));
    if (verdict != SW_GAP || !report->interval_count)
        return;
    sw_buffer_add_byte(out, ' ');
    interval(out, &report->intervals[0]);
    if (report->interval_count > 1)
        sw_buffer_printf(out, " and %zu more", report->interval_count - 1);
}

static void list(struct sw_buffer *out, const char *title, const struct sw_sentences *sentences, bool numbered)
{
    unsigned number = 0;
    for (const char *text = NULL; (text = sw_sentences_next(sentences, text));) {
        if (!number)
            sw_buffer_printf(out, "\n%s\n", title);
        number++;
        if (numbered)
            sw_buffer_printf(out, "  %u. ", number);
        else
            sw_buffer_add_text(out, "  - ");
        sw_text_show(out, sw_bytes_text(text), false); /* names in it may come from outside */
        sw_buffer_add_byte(out, '\n');
    }
}

static void line(struct sw_buffer *out, const char *name, const char *text)
{
    sw_buffer_printf(out, "  %-12s ", name);
    show(out, text, text ? "(empty)" : "not given");
    sw_buffer_add_byte(out, '\n');
}

enum sw_code sw_continuity_hand_over(struct sw_buffer *out, sw_write_fn write, void *ctx, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    int sys_errno;
    if (out->failed)
        code = sw_fail_memory(error, "an answer", out->len);
    else if ((sys_errno = write(out->at, out->len, ctx)) != 0)
        code = sw_fail_errno(error, SW_ERR_IO, sys_errno, "the answer could not be written");
    sw_buffer_free(out);
    return code;
}

enum sw_code sw_continuity_write_text(const struct sw_continuity_report *report, sw_write_fn write, void *ctx, struct sw_error *error)
{
    struct sw_buffer out = {0};
    answer(&out, report, report->verdict);
    sw_buffer_add_byte(&out, '\n');
    for (const char *text = NULL; (text = sw_sentences_next(&report->reasons, text));) {
        sw_buffer_add_text(&out, "  ");
        sw_text_show(&out, sw_bytes_text(text), false);
        sw_buffer_add_byte(&out, '\n');
    }
    if (report->conditions.count) {
        sw_buffer_add_text(&out, "\nit would be ");
        answer(&out, report, report->conditional);
        list(&out, "if all of this holds", &report->conditions, false);
    }
    if (report->probed)
        sw_probed_write_warnings(&out, report->probed);
    list(&out, "what follows", &report->obligations, true); /* what to do stands before what it rests on */
    sw_buffer_add_byte(&out, '\n');
    if (report->probed)
        sw_probed_write_frame(&out, report->probed);
    for (size_t i = 0; i < report->fact_count; i++)
        line(&out, report->facts[i].name, report->facts[i].value);
    if (report->rule)
        sw_buffer_printf(&out, "  %-12s %s: %s\n  %-12s %s\n", "rule", report->rule->name, report->rule->text, "source", report->rule->source);
    for (size_t i = 0; i < report->interval_count; i++) {
        const struct sw_interval *each = &report->intervals[i];
        if (!i)
            sw_buffer_add_text(&out, "\nintervals\n");
        sw_buffer_add_text(&out, "  - ");
        interval(&out, each);
        sw_buffer_printf(&out, ", %s%s\n", each->discarded ? "discarded at the source" : "not seen", each->possible ? "; it may hold no change of your tables" : "");
    }
    if (report->probed)
        sw_probed_write_objects(&out, report->probed);
    list(&out, "evidence", &report->evidence, false);
    list(&out, "assumed", &report->assumed, false);
    list(&out, "what this does not show", &report->limits, false);
    out.failed |= sw_continuity_failed(report);
    return sw_continuity_hand_over(&out, write, ctx, error);
}

/* ---- JSON ---- */

void sw_continuity_json_head(struct sw_json_writer *json, const char *schema)
{
    sw_json_begin_object(json);
    sw_json_member_string(json, "schema", schema);
    sw_json_name(json, "tool");
    sw_json_begin_object(json);
    sw_json_member_string(json, "name", "slackwater");
    sw_json_member_string(json, "version", sw_version());
    sw_json_end_object(json);
}

static void member_intervals(struct sw_json_writer *json, const struct sw_continuity_report *report)
{
    sw_json_name(json, "intervals");
    sw_json_begin_array(json);
    for (size_t i = 0; i < report->interval_count; i++) {
        const struct sw_interval *each = &report->intervals[i];
        bool set = !*each->to && !each->open;
        sw_json_begin_object(json);
        if (*each->space)
            sw_json_member_string(json, "space", each->space);
        if (set) {
            sw_json_member_string(json, "set", each->from);
        } else {
            sw_json_member_string(json, "from", *each->from ? each->from : NULL);
            sw_json_member_string(json, "to", each->open ? NULL : each->to);
            sw_json_member_boolean(json, "fromIncluded", each->from_included);
            sw_json_member_boolean(json, "toIncluded", each->to_included);
        }
        sw_json_member_string(json, "proof", each->discarded ? "discarded at the source" : "not seen");
        sw_json_member_boolean(json, "possible", each->possible);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
}

enum sw_code sw_continuity_write_json(const struct sw_continuity_report *report, sw_write_fn write, void *ctx, struct sw_error *error)
{
    struct sw_buffer out = {0};
    struct sw_json_writer json = {.out = &out, .indented = true};
    sw_continuity_json_head(&json, report->probed ? "slackwater.probe/1" : "slackwater.continuity/1");
    sw_json_member_string(&json, "command", report->command);
    sw_json_member_string(&json, "kind", report->kind);
    sw_json_member_string(&json, "verdict", sw_continuity_word(report, report->verdict));
    if (report->conditions.count)
        sw_json_member_string(&json, "conditionalVerdict", sw_continuity_word(report, report->conditional));
    for (size_t i = 0; i < report->fact_count; i++)
        sw_json_member_string(&json, report->facts[i].name, report->facts[i].value);
    if (report->rule) {
        sw_json_name(&json, "rule");
        sw_json_begin_object(&json);
        sw_json_member_string(&json, "name", report->rule->name);
        sw_json_member_string(&json, "text", report->rule->text);
        sw_json_member_string(&json, "source", report->rule->source);
        sw_json_end_object(&json);
    }
    member_intervals(&json, report);
    if (report->probed)
        sw_probed_write_json(&json, report->probed);
    sw_sentences_json(&json, "reasons", &report->reasons);
    sw_sentences_json(&json, "conditions", &report->conditions);
    sw_sentences_json(&json, "evidence", &report->evidence);
    sw_sentences_json(&json, "assumed", &report->assumed);
    sw_sentences_json(&json, "obligations", &report->obligations);
    sw_sentences_json(&json, "limits", &report->limits);
    sw_json_end_object(&json);
    sw_buffer_add_byte(&out, '\n');
    out.failed |= sw_continuity_failed(report);
    return sw_continuity_hand_over(&out, write, ctx, error);
}
