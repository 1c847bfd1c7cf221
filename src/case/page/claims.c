/* The verdict panel, what is confirmed and what is not, the limits that stand beside every conclusion, and the boundaries. */
#include "case/page/page.h"

static const char *mark(enum sw_verdict verdict)
{
    return verdict == SW_VERDICT_CONFIRMED ? "\xe2\x9c\x93" : verdict == SW_VERDICT_REFUTED ? "\xe2\x9c\x97" : "?";
}

static void write_claim(struct sw_page *page, const struct sw_note_claim *claim)
{
    sw_page_printf(page, "<article class=\"claim %s\">\n<h3>%s</h3>\n<p class=\"verdict\"><span aria-hidden=\"true\">%s</span> %s</p>\n<p>",
                   sw_verdict_name(claim->verdict), claim->title, mark(claim->verdict), sw_verdict_name(claim->verdict));
    sw_page_text(page, claim->sentence);
    sw_page_add(page, "</p>\n");
    sw_page_list(page, &claim->reasons, SIZE_MAX - 1, "No reason is recorded.");
    sw_page_add(page, "<dl>\n<dt>Rests on</dt><dd>");
    if (claim->evidence.count)
        sw_page_entries(page, &claim->evidence);
    else
        sw_page_add(page, "<span class=\"none\">no evidence</span>");
    sw_page_add(page, "</dd>\n<dt>Reached</dt><dd>");
    sw_page_time(page, claim->reached_at, "not reached");
    sw_page_add(page, "</dd>\n<dt>Counts until</dt><dd>");
    sw_page_time(page, claim->expires_at, "no expiry is declared");
    if (claim->expired)
        sw_page_add(page, " <strong>expired</strong>");
    sw_page_add(page, "</dd>\n");
    if (claim->criterion.len || claim->owner.len) {
        sw_page_term(page, "Criterion", claim->criterion, "none is declared");
        sw_page_term(page, "Its owner", claim->owner, "nobody is named");
        sw_page_add(page, "<dt>Owner\xe2\x80\x99s decision</dt><dd>");
        sw_page_text_or(page, claim->accepted, "not decided");
        if (claim->accepted_at.len) {
            sw_page_add(page, " at ");
            sw_page_time(page, claim->accepted_at, "");
        }
        sw_page_add(page, claim->accepted.len ? " <span class=\"none\">(a decision, not evidence)</span></dd>\n" : "</dd>\n");
    }
    sw_page_add(page, "</dl>\n</article>\n");
}

static void write_owner(struct sw_page *page)
{
    const struct sw_handover_note *note = page->note;
    sw_page_add(page, "<section aria-labelledby=\"owner\">\n<h2 id=\"owner\">Next</h2>\n<dl>\n");
    sw_page_term(page, "Next owner", note->next_owner, "nobody is named");
    if (note->next_owner_contact.len)
        sw_page_term(page, "How to reach them", note->next_owner_contact, "");
    sw_page_term(page, "Next step", note->next_step, "not decided");
    sw_page_term(page, "Who may stop the handover", note->may_stop, "nobody is named");
    sw_page_term(page, "Where results are kept", note->results_kept, "not recorded");
    sw_page_add(page, "</dl>\n</section>\n");
}

/* What is confirmed, what is not, and who is next stand side by side, above everything that is longer. */
void sw_page_write_claims(struct sw_page *page)
{
    const struct sw_handover_note *note = page->note;
    sw_page_add(page, "<section aria-labelledby=\"verdicts\">\n<h2 id=\"verdicts\">Verdicts</h2>\n<div class=\"claims\">\n");
    for (int i = 0; i < SW_NOTE_CLAIM_COUNT; i++)
        write_claim(page, &note->claims[i]);
    sw_page_add(page, "</div>\n</section>\n<div class=\"columns summary\">\n<section aria-labelledby=\"confirmed\">\n<h2 id=\"confirmed\">Confirmed state</h2>\n");
    sw_page_list(page, &note->confirmed, SIZE_MAX - 1, "Nothing is confirmed.");
    sw_page_add(page, "</section>\n<section aria-labelledby=\"uncertain\">\n<h2 id=\"uncertain\">Remaining uncertainty</h2>\n");
    sw_page_list(page, &note->uncertain, SIZE_MAX - 1, "No uncertainty is recorded, which proves nothing.");
    sw_page_add(page, "</section>\n");
    write_owner(page);
    sw_page_add(page, "</div>\n<section class=\"limits\" aria-labelledby=\"limits\">\n<h2 id=\"limits\">What none of this shows</h2>\n");
    sw_page_list(page, &note->limits, 6, "No limit is recorded, which proves nothing.");
    sw_page_add(page, "</section>\n");
}

void sw_page_write_boundaries(struct sw_page *page)
{
    const struct sw_handover_note *note = page->note;
    sw_page_add(page, "<section aria-labelledby=\"boundaries\">\n<h2 id=\"boundaries\">Boundaries</h2>\n"
                      "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-labelledby=\"boundaries\"><table>\n<thead><tr><th scope=\"col\">Boundary</th>"
                      "<th scope=\"col\">Last confirmed position</th><th scope=\"col\">Of</th><th scope=\"col\">Looked at</th><th scope=\"col\">Evidence</th>"
                      "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < sizeof note->boundaries / sizeof note->boundaries[0]; i++) {
        const struct sw_note_boundary *boundary = &note->boundaries[i];
        sw_page_add(page, "<tr><th scope=\"row\">");
        sw_page_string(page, boundary->name);
        sw_page_add(page, "</th><td>");
        if (boundary->position.len)
            sw_page_value(page, boundary->position);
        else
            sw_page_add(page, "<span class=\"none\">not confirmed</span>");
        sw_page_add(page, "</td><td>");
        sw_page_text_or(page, boundary->system, "not recorded");
        sw_page_add(page, "</td><td>");
        sw_page_time(page, boundary->observed_at, "not recorded");
        sw_page_add(page, "</td><td>");
        if (boundary->evidence.count)
            sw_page_entries(page, &boundary->evidence);
        else
            sw_page_add(page, "<span class=\"none\">none</span>");
        sw_page_add(page, "</td></tr>\n");
    }
    sw_page_add(page, "</tbody></table></div>\n<dl>\n<dt>Affected interval</dt><dd>");
    sw_page_text_or(page, note->affected_from, "not known");
    sw_page_add(page, " to ");
    sw_page_text_or(page, note->affected_to, "not known");
    sw_page_add(page, "</dd>\n<dt>Affected objects</dt><dd>");
    for (size_t i = 0; i < note->affected_objects.count; i++) {
        sw_page_add(page, i ? ", <code>" : "<code>");
        sw_page_text(page, note->affected_objects.at[i]);
        sw_page_add(page, "</code>");
    }
    if (!note->affected_objects.count)
        sw_page_add(page, "<span class=\"none\">not recorded</span>");
    sw_page_add(page, "</dd>\n");
    if (note->affected_scope.len)
        sw_page_term(page, "Only rows where", note->affected_scope, "");
    sw_page_term(page, "Restart position", note->restart_position, "not decided");
    sw_page_term(page, "Why there", note->restart_reason, "not explained");
    sw_page_term(page, "Cut of the comparison", note->cut, "none: all that was read was compared");
    sw_page_term(page, "Pipeline version", note->pipeline_version, "not recorded");
    sw_page_term(page, "Rehearsal destination", note->rehearsal_destination, "not recorded");
    sw_page_add(page, "</dl>\n</section>\n");
}
