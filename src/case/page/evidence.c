/* The rules and what they were answered with, and the list of evidence with its digests. */
#include "case/page/page.h"

#include <string.h>

static void write_rule(struct sw_page *page, const struct sw_note_rule *rule)
{
    const char *class = strcmp(rule->answer, "failed") == 0 ? "refuted" : strcmp(rule->answer, "passed") == 0 ? "confirmed" : "unproven";
    sw_page_printf(page, "<tr><td class=\"number\">%u</td><td><span class=\"tag %s\">%s</span></td><td>", rule->number, class, rule->answer);
    sw_page_string(page, rule->title);
    if (rule->detail.len) {
        sw_page_add(page, "<br><span class=\"detail\">");
        sw_page_text(page, rule->detail);
        sw_page_add(page, "</span>");
    }
    sw_page_add(page, "</td></tr>\n");
}

/* Those that passed, or all others. */
static void write_rule_table(struct sw_page *page, bool passed)
{
    sw_page_add(page, "<table>\n<thead><tr><th scope=\"col\">Rule</th><th scope=\"col\">Answer</th><th scope=\"col\">What it asks, what was found</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < page->note->rule_count; i++)
        if ((strcmp(page->note->rules[i].answer, "passed") == 0) == passed)
            write_rule(page, &page->note->rules[i]);
    sw_page_add(page, "</tbody></table>\n");
}

void sw_page_write_rules(struct sw_page *page)
{
    const struct sw_handover_note *note = page->note;
    sw_page_add(page, "<section aria-labelledby=\"rules\">\n<h2 id=\"rules\">Rules</h2>\n");
    if (!note->rule_count) {
        sw_page_add(page, "<p class=\"none\">No rule was asked.</p>\n</section>\n");
        return;
    }
    sw_page_printf(page, "<p>%zu passed, %zu failed, %zu not answered.</p>\n", note->rules_passed, note->rules_failed, note->rules_open);
    if (note->rules_failed || note->rules_open)
        write_rule_table(page, false);
    if (note->rules_passed) {
        sw_page_printf(page, "<details><summary>The %zu that passed</summary>\n", note->rules_passed);
        write_rule_table(page, true);
        sw_page_add(page, "</details>\n");
    }
    sw_page_add(page, "</section>\n");
}

static void write_name(struct sw_page *page, const struct sw_note_evidence *evidence)
{
    bool clickable = evidence->link && (sw_bytes_begin_text(evidence->name, "https://") || sw_bytes_begin_text(evidence->name, "http://"));
    sw_page_add(page, clickable ? "<a rel=\"noreferrer noopener\" href=\"" : "<code>");
    if (clickable) {
        sw_page_text(page, evidence->name);
        sw_page_add(page, "\">");
    }
    sw_page_text_or(page, evidence->name, "unnamed");
    sw_page_add(page, clickable ? "</a>" : "</code>");
}

static void write_evidence(struct sw_page *page, const struct sw_note_evidence *evidence)
{
    sw_page_printf(page, "<li id=\"e%llu\" value=\"%llu\"%s>\n<p><span class=\"tag\">", (unsigned long long)evidence->number, (unsigned long long)evidence->number,
                   evidence->superseded_by ? " class=\"superseded\"" : "");
    sw_page_text(page, evidence->kind);
    sw_page_add(page, "</span> ");
    if (evidence->says.len) {
        sw_page_add(page, "<strong>");
        sw_page_text(page, evidence->says);
        sw_page_add(page, "</strong> ");
    }
    sw_page_text(page, evidence->title);
    if (evidence->superseded_by) {
        sw_page_add(page, " <em>superseded by ");
        sw_page_entries(page, &(struct sw_note_entries){(uint64_t[]){evidence->superseded_by}, 1});
        sw_page_add(page, "</em>");
    }
    sw_page_add(page, "</p>\n<p class=\"detail\">");
    write_name(page, evidence);
    if (!evidence->link) {
        sw_page_add(page, ", ");
        sw_page_count(page, evidence->bytes);
        sw_page_add(page, " bytes, SHA-256 <code class=\"digest\">");
        sw_page_text_or(page, evidence->sha256, "not recorded");
        sw_page_add(page, "</code>");
    }
    sw_page_add(page, ", collected ");
    sw_page_time(page, evidence->collected_at, "at a time that is not recorded");
    if (evidence->by.len) {
        sw_page_add(page, " by ");
        sw_page_text(page, evidence->by);
    }
    if (evidence->tool.len) {
        sw_page_add(page, " with ");
        sw_page_text(page, evidence->tool);
    }
    sw_page_add(page, "</p>\n");
    if (evidence->command.len) {
        sw_page_add(page, "<p class=\"detail\">");
        sw_page_value(page, evidence->command);
        sw_page_add(page, "</p>\n");
    }
    sw_page_add(page, "</li>\n");
}

void sw_page_write_evidence(struct sw_page *page)
{
    const struct sw_handover_note *note = page->note;
    sw_page_add(page, "<section aria-labelledby=\"evidence\">\n<h2 id=\"evidence\">Evidence</h2>\n");
    if (!note->evidence_count)
        sw_page_add(page, "<p class=\"none\">The ledger is empty.</p>\n");
    else
        sw_page_add(page, "<ol class=\"evidence\">\n");
    for (size_t i = 0; i < note->evidence_count; i++)
        write_evidence(page, &note->evidence[i]);
    sw_page_add(page, note->evidence_count ? "</ol>\n</section>\n" : "</section>\n");
}
