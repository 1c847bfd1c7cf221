#include "report/scope_words.h"

#include <stdio.h>

#include "report/verdict.h"

#define CONDITION_BYTES_MAX 300u /* of a condition in a sentence; the JSON report has all of it */

static const char *plural(uint64_t count, const char *one, const char *many) { return count == 1 ? one : many; }

/* A condition as it may be shown: escaped, and cut where it gets long. */
static void write_condition(struct sw_buffer *out, const char *text)
{
    struct sw_bytes shown = sw_bytes_text(text);
    bool cut = shown.len > CONDITION_BYTES_MAX;
    if (cut)
        shown.len = CONDITION_BYTES_MAX;
    while (cut && shown.len && (shown.at[shown.len] & 0xc0) == 0x80)
        shown.len--;
    sw_json_write_text_inside(out, shown);
    sw_buffer_add_text(out, cut ? "…" : "");
}

void sw_scope_write_part(struct sw_buffer *out, const struct sw_report *report)
{
    const struct sw_report_scope *scope = &report->scope;
    char a[SW_NUMBER_TEXT_MAX], b[SW_NUMBER_TEXT_MAX];
    if (scope->sample.denominator)
        sw_buffer_printf(out, "a sample of %s in %s keys%s", sw_number_text(a, scope->sample.numerator), sw_number_text(b, scope->sample.denominator), scope->where || scope->declared ? " of " : "");
    if (scope->where && !(scope->declared && !scope->partial)) {
        sw_buffer_add_text(out, "the keys where ");
        write_condition(out, scope->where);
    }
    if (scope->declared) {
        sw_buffer_add_text(out, scope->where && scope->partial ? " within the declared scope, " : "the declared scope, ");
        write_condition(out, scope->declared);
    }
}

static void add_outside(struct sw_sentences *list, const struct sw_report *report)
{
    char a[SW_NUMBER_TEXT_MAX];
    sw_sentences_add(list, "%s %s outside of what was compared: nothing is said of %s", sw_number_text(a, report->scope.outside), plural(report->scope.outside, "key is", "keys are"), plural(report->scope.outside, "it", "them"));
}

void sw_scope_judge(struct sw_sentences *reasons, struct sw_sentences *evidence, const struct sw_report *report)
{
    const struct sw_report_scope *scope = &report->scope;
    char a[SW_NUMBER_TEXT_MAX];
    if (!scope->limited)
        return;
    sw_sentences_begin(reasons);
    sw_buffer_add_text(&reasons->text, scope->partial ? "only a part was compared: " : "what is in scope was declared: ");
    sw_scope_write_part(&reasons->text, report);
    sw_sentences_end(reasons);
    add_outside(evidence, report);
    if (scope->open)
        sw_sentences_add(evidence, "%s %s in scope because it cannot be told that %s not: a value that decides is not in evidence", sw_number_text(a, scope->open), plural(scope->open, "key is", "keys are"),
                         plural(scope->open, "it is", "they are"));
}

void sw_scope_limits(struct sw_sentences *out, const struct sw_report *report)
{
    if (report->scope.limited)
        add_outside(out, report);
}

void sw_scope_next(struct sw_sentences *out, const struct sw_report *report)
{
    if (!report->scope.partial)
        return;
    if (report->scope.sample.denominator)
        sw_sentences_add(out, "a sample finds what is frequent, and proves nothing of the other keys: run without --sample before you say that the destination is right");
    else
        sw_sentences_add(out, "compare all keys: run without --where; or, if that part is what was agreed on, declare it in the mapping (scope: CONDITION) and run again");
}

void sw_scope_write_json(struct sw_json_writer *json, const struct sw_report *report)
{
    const struct sw_report_scope *scope = &report->scope;
    if (!scope->limited)
        return;
    sw_json_name(json, "scope");
    sw_json_begin_object(json);
    sw_json_member_boolean(json, "part", scope->partial);
    if (scope->sample.denominator) {
        char text[32];
        snprintf(text, sizeof text, "%u/%u", scope->sample.numerator, scope->sample.denominator);
        sw_json_member_string(json, "sample", text);
    } else {
        sw_json_member_string(json, "sample", NULL);
    }
    sw_json_member_string(json, "where", scope->where);
    sw_json_member_string(json, "declared", scope->declared);
    sw_json_member_u64(json, "keysOutside", scope->outside);
    sw_json_member_u64(json, "keysOpen", scope->open);
    sw_json_end_object(json);
}

static void line(const struct sw_page *page, struct sw_buffer *text)
{
    const char *shown = sw_buffer_text(text);
    sw_page_blanks(page, 2);
    sw_page_wrap(page, 2, 4, shown ? shown : "");
    page->out->failed |= text->failed;
    text->len = 0;
}

void sw_scope_write_summary(const struct sw_page *page, const struct sw_report *report)
{
    const struct sw_report_scope *scope = &report->scope;
    char a[SW_NUMBER_TEXT_MAX], b[SW_NUMBER_TEXT_MAX];
    struct sw_buffer text = {0};
    if (!scope->limited)
        return;
    sw_page_title(page, "Scope");
    sw_buffer_add_text(&text, scope->partial ? "only a part: " : "");
    sw_scope_write_part(&text, report);
    line(page, &text);
    sw_buffer_printf(&text, "%s %s in scope, %s outside", sw_number_text(a, sw_report_keys(report)), plural(sw_report_keys(report), "key", "keys"), sw_number_text(b, scope->outside));
    if (scope->open)
        sw_buffer_printf(&text, "; of %s in scope a value that decides is not in evidence", sw_number_text(a, scope->open));
    line(page, &text);
    sw_buffer_free(&text);
}
