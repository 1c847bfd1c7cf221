#include "continuity/report.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/memory.h"

const char *sw_continuity_name(enum sw_continuity verdict)
{
    switch (verdict) {
    case SW_CONTINUOUS: return "continuous";
    case SW_GAP: return "gap";
    case SW_CANNOT_TELL: break;
    }
    return "cannot tell";
}

struct sw_continuity_report *sw_continuity_report_new(const char *command, const char *kind)
{
    struct sw_continuity_report *report = sw_calloc(1, sizeof *report);
    if (report) {
        report->command = command;
        report->kind = kind;
        report->verdict = report->conditional = SW_CANNOT_TELL;
        report->yes = sw_continuity_name(SW_CONTINUOUS);
        report->no = sw_continuity_name(SW_GAP);
    }
    return report;
}

void sw_continuity_add_fact(struct sw_continuity_report *report, const char *name, const char *value)
{
    if (report->fact_count == sizeof report->facts / sizeof *report->facts) {
        report->failed = true;
        return;
    }
    struct sw_fact *fact = &report->facts[report->fact_count++];
    *fact = (struct sw_fact){name, value ? sw_strdup(value) : NULL};
    report->failed |= value && !fact->value;
}

const char *sw_continuity_word(const struct sw_continuity_report *report, enum sw_continuity verdict)
{
    switch (verdict) {
    case SW_CONTINUOUS: return report->yes;
    case SW_GAP: return report->interval_count ? sw_continuity_name(SW_GAP) : report->no;
    case SW_CANNOT_TELL: break;
    }
    return sw_continuity_name(SW_CANNOT_TELL);
}

void sw_continuity_report_free(struct sw_continuity_report **report)
{
    if (!report || !*report)
        return;
    struct sw_continuity_report *self = *report;
    for (size_t i = 0; i < self->interval_count; i++) {
        sw_free(self->intervals[i].space);
        sw_free(self->intervals[i].from);
        sw_free(self->intervals[i].to);
    }
    sw_free(self->intervals);
    for (size_t i = 0; i < self->fact_count; i++)
        sw_free(self->facts[i].value);
    sw_sentences_free(&self->reasons);
    sw_sentences_free(&self->conditions);
    sw_sentences_free(&self->evidence);
    sw_sentences_free(&self->assumed);
    sw_sentences_free(&self->obligations);
    sw_sentences_free(&self->limits);
    sw_probed_free(&self->probed);
    sw_free(self);
    *report = NULL;
}

struct sw_interval *sw_continuity_add_interval(struct sw_continuity_report *report, struct sw_bytes space, struct sw_bytes from, struct sw_bytes to, bool open)
{
    if (report->interval_count == report->interval_capacity) {
        size_t capacity = report->interval_capacity * 2 + 4;
        struct sw_interval *intervals = sw_realloc_array(report->intervals, capacity, sizeof *intervals);
        if (!intervals) {
            report->failed = true;
            return &report->lost;
        }
        report->intervals = intervals;
        report->interval_capacity = capacity;
    }
    struct sw_interval *made = &report->intervals[report->interval_count++];
    *made = (struct sw_interval){.space = sw_strndup((const char *)space.at, space.len),
        .from = sw_strndup((const char *)from.at, from.len),
        .to = sw_strndup((const char *)to.at, to.len),
        .from_included = true,
        .open = open,
        .discarded = true};
    report->failed |= !made->space || !made->from || !made->to;
    return made;
}

void sw_continuity_decide(struct sw_continuity_report *report, enum sw_continuity verdict, const struct sw_continuity_rule *rule, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    report->verdict = report->conditional = verdict;
    report->rule = rule;
    struct sw_sentences reasons = {0};
    sw_sentences_add(&reasons, "%s", text);
    for (const char *old = NULL; (old = sw_sentences_next(&report->reasons, old));)
        sw_sentences_add(&reasons, "%s", old);
    reasons.text.failed |= report->reasons.text.failed;
    sw_sentences_free(&report->reasons);
    report->reasons = reasons;
}

void sw_continuity_settle(struct sw_continuity_report *report)
{
    report->conditional = report->verdict;
    if (report->conditions.count)
        report->verdict = SW_CANNOT_TELL;
}

bool sw_continuity_failed(const struct sw_continuity_report *report)
{
    return report->failed || report->reasons.text.failed || report->conditions.text.failed || report->evidence.text.failed || report->assumed.text.failed
        || report->obligations.text.failed || report->limits.text.failed || (report->probed && sw_probed_failed(report->probed));
}

enum sw_continuity sw_continuity_verdict(const struct sw_continuity_report *report) { return report->verdict; }

int sw_continuity_exit_status(const struct sw_continuity_report *report) { return (int)report->verdict; }

bool sw_continuity_interval(struct sw_gap_interval *out, const struct sw_continuity_report *report, size_t index)
{
    if (index >= report->interval_count)
        return false;
    const struct sw_interval *interval = &report->intervals[index];
    *out = (struct sw_gap_interval){
        .space = interval->space,
        .from = interval->from,
        .to = interval->to,
        .from_included = interval->from_included,
        .to_included = interval->to_included,
        .open = interval->open,
        .possible = interval->possible,
        .proof = interval->discarded ? "discarded at the source" : "not seen",
    };
    return true;
}
