#include "report/cuts.h"

#include "report/sentence.h"
#include "report/width.h"

#define INPUTS_SHOWN 4u

/* By a table, so that each word has one sentence. */
static const struct { const char *relation, *sentence; bool comparable; } words[] = {
    {"same-state", "both sides show one state of one source: nothing was changed between the two readings", true},
    {"later", "both sides stand in one log, and the destination was read where the evidence ends or later: it may show changes that the evidence does not", true},
    {"earlier", "both sides stand in one log, and the destination was read before the evidence ends: it need not show yet what was changed in between", true},
    {"mixed", "all of it stands in one log, at several places: each pair says how its two stand to each other", true},
    {"apart", "the two sides stand in different logs, and no position says whether the destination had the time to apply what the evidence shows: a difference may be a change under way (--recheck tells)", false},
    {"untold", "not every input tells at which position of a log it stood: whether the destination had the time to apply what the evidence shows is not known from them", false},
};
enum { WORD_SAME, WORD_LATER, WORD_EARLIER, WORD_MIXED, WORD_APART, WORD_UNTOLD };

static bool is_file(const struct sw_input_report *input) { return input->cut.kind == SW_CUT_FILE || input->cut.kind == SW_CUT_NONE; }

static unsigned word_of(const uint64_t found[SW_CUTS_UNTOLD + 1])
{
    if (found[SW_CUTS_APART])
        return WORD_APART;
    if (found[SW_CUTS_UNTOLD])
        return WORD_UNTOLD;
    if (found[SW_CUTS_LATER] && !found[SW_CUTS_EARLIER])
        return WORD_LATER;
    if (found[SW_CUTS_EARLIER])
        return found[SW_CUTS_LATER] ? WORD_MIXED : WORD_EARLIER;
    return WORD_SAME;
}

void sw_report_cuts(struct sw_report_cuts *out, const struct sw_report *report)
{
    uint64_t found[SW_CUTS_UNTOLD + 1] = {0}, files = 0;
    bool evidence = false, expected = false;
    *out = (struct sw_report_cuts){0};
    for (uint32_t i = 0; i < report->input_count; i++) {
        *(report->inputs[i].role == SW_ROLE_EXPECTED ? &expected : &evidence) = true;
        files += is_file(&report->inputs[i]);
    }
    out->live = files < report->input_count;
    if (!evidence || !expected)
        return;
    found[SW_CUTS_UNTOLD] = files; /* however many pairs they make */
    for (uint32_t i = 0; i < report->input_count; i++)
        for (uint32_t j = 0; j < report->input_count && report->inputs[i].role != SW_ROLE_EXPECTED && !is_file(&report->inputs[i]); j++) {
            if (report->inputs[j].role != SW_ROLE_EXPECTED || is_file(&report->inputs[j]))
                continue;
            struct sw_cut_pair pair = {.evidence = i, .expected = j};
            sw_cuts_compare(&pair.answer, &report->inputs[i].cut, &report->inputs[j].cut);
            found[pair.answer.relation]++;
            if (out->pair_count < SW_CUT_PAIRS_MAX)
                out->pairs[out->pair_count++] = pair;
            else
                out->more_pairs++;
        }
    unsigned word = word_of(found);
    out->relation = words[word].relation;
    out->comparable = words[word].comparable;
    out->sentence = words[word].sentence;
}

static void member(struct sw_json_writer *json, const char *name, const char *text)
{
    if (text)
        sw_json_member_string(json, name, text);
}

void sw_cut_write_json(struct sw_json_writer *json, const char *name, const struct sw_source_cut *cut)
{
    if (cut->kind == SW_CUT_NONE || cut->kind == SW_CUT_FILE)
        return;
    sw_json_name(json, name);
    sw_json_begin_object(json);
    sw_json_member_string(json, "kind", sw_source_cut_kind_name(cut->kind));
    member(json, "log", cut->log);
    member(json, "from", cut->from);
    member(json, "position", cut->position);
    if (cut->position)
        sw_json_member_boolean(json, "exact", cut->exact);
    member(json, "gtid", cut->gtid);
    member(json, "snapshot", cut->snapshot);
    member(json, "at", cut->at);
    sw_json_end_object(json);
}

void sw_cuts_write_json(struct sw_json_writer *json, const struct sw_report *report)
{
    struct sw_report_cuts cuts;
    sw_report_cuts(&cuts, report);
    if (!cuts.relation)
        return;
    sw_json_name(json, "cuts");
    sw_json_begin_object(json);
    sw_json_member_string(json, "relation", cuts.relation);
    sw_json_member_boolean(json, "comparable", cuts.comparable);
    sw_json_member_string(json, "sentence", cuts.sentence);
    sw_json_name(json, "pairs");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < cuts.pair_count; i++) {
        sw_json_begin_object(json);
        sw_json_member_string(json, "evidence", report->inputs[cuts.pairs[i].evidence].locator);
        sw_json_member_string(json, "expected", report->inputs[cuts.pairs[i].expected].locator);
        sw_json_member_string(json, "relation", sw_cuts_relation_name(cuts.pairs[i].answer.relation));
        sw_json_member_string(json, "sentence", cuts.pairs[i].answer.text);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
    if (cuts.more_pairs)
        sw_json_member_u64(json, "morePairs", cuts.more_pairs);
    sw_json_end_object(json);
}

static void line(const struct sw_page *page, struct sw_bytes text)
{
    struct sw_buffer escaped = {0}, shown = {0};
    sw_json_write_text_inside(&escaped, text);
    sw_text_show(&shown, sw_buffer_view(&escaped), page->unicode);
    sw_page_blanks(page, 2);
    const char *at = sw_buffer_text(&shown);
    if (at)
        sw_page_wrap(page, 2, 4, at);
    page->out->failed |= escaped.failed || shown.failed;
    sw_buffer_free(&escaped);
    sw_buffer_free(&shown);
}

void sw_cuts_write_summary(const struct sw_page *page, const struct sw_report *report)
{
    struct sw_report_cuts cuts;
    uint32_t shown = 0, more = 0;
    sw_report_cuts(&cuts, report);
    if (!cuts.live)
        return;
    sw_page_title(page, "Cuts");
    for (uint32_t i = 0; i < report->input_count; i++) {
        const struct sw_input_report *input = &report->inputs[i];
        struct sw_buffer text = {0};
        if (is_file(input))
            continue;
        if (shown++ >= INPUTS_SHOWN) {
            more++;
            continue;
        }
        sw_buffer_printf(&text, "%s ", sw_role_name(input->role));
        sw_buffer_add_text(&text, input->locator);
        sw_buffer_add_text(&text, ": ");
        sw_buffer_add_text(&text, input->position ? input->position : input->cut.position ? "change " : "tells no position");
        if (!input->position && input->cut.position)
            sw_buffer_add_text(&text, input->cut.position);
        line(page, sw_buffer_view(&text));
        page->out->failed |= text.failed;
        sw_buffer_free(&text);
    }
    if (more)
        sw_buffer_printf(page->out, "  (%u more inputs)\n", more);
    if (cuts.sentence)
        line(page, sw_bytes_text(cuts.sentence));
}
