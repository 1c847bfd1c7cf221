#include "report/continuity_evidence.h"

#include <string.h>

#include "base/memory.h"
#include "report/finding_write.h"
#include "report/report.h"
#include "report/sentence.h"
#include "report/verdict.h"

static bool is(const char *text, const char *other) { return text && strcmp(text, other) == 0; }

static bool is_broken(const struct sw_continuity_evidence *evidence) { return is(evidence->verdict, "gap") || evidence->change_of_space || evidence->begins_anew; }

uint64_t sw_evidence_gaps(const struct sw_report *report)
{
    uint64_t gaps = 0;
    for (uint32_t i = 0; i < report->evidence_count; i++)
        gaps += report->evidence[i].gap_total;
    return gaps;
}

bool sw_evidence_is_broken(const struct sw_report *report)
{
    bool broken = report->successive != NULL || report->servers || report->begun_elsewhere || report->transactions.missing;
    for (uint32_t i = 0; i < report->evidence_count; i++)
        broken |= is_broken(&report->evidence[i]);
    return broken;
}

static void say_gaps(struct sw_sentences *out, const struct sw_continuity_evidence *evidence)
{
    char a[SW_NUMBER_TEXT_MAX];
    uint32_t discarded = 0;
    for (uint32_t i = 0; i < evidence->gap_count; i++)
        discarded += is(evidence->gaps[i].proof, "discarded at the source");
    if (!evidence->gap_total)
        return;
    sw_sentences_begin(out);
    sw_sentence_name(&out->text, sw_bytes_text(evidence->name));
    sw_buffer_printf(&out->text, ": %s gap%s", sw_number_text(a, evidence->gap_total), evidence->gap_total == 1 ? "" : "s");
    if (discarded && discarded < evidence->gap_count)
        sw_buffer_printf(&out->text, ", %u of them discarded at the source, the others only not seen", discarded);
    else
        sw_buffer_add_text(&out->text, discarded ? ", discarded at the source" : ", not seen");
    sw_sentences_end(out);
}

static void say_evidence(struct sw_claim *claim, const struct sw_continuity_evidence *evidence)
{
    sw_sentences_begin(&claim->evidence);
    sw_sentence_name(&claim->evidence.text, sw_bytes_text(evidence->name));
    sw_buffer_printf(&claim->evidence.text, " (%s): %s", evidence->command, evidence->verdict);
    if (evidence->reason_count)
        sw_buffer_printf(&claim->evidence.text, "; %.400s", evidence->reasons[0]);
    sw_sentences_end(&claim->evidence);
    for (uint32_t i = 0; i < evidence->proof_count; i++)
        sw_sentences_add(&claim->evidence, "%.400s", evidence->proofs[i]);
}

void sw_evidence_judge(struct sw_claim *claim, const struct sw_report *report)
{
    char a[SW_NUMBER_TEXT_MAX];
    const char *proof = NULL;
    bool broken = sw_evidence_is_broken(report), other = false;
    for (uint32_t i = 0; i < report->evidence_count; i++) {
        const struct sw_continuity_evidence *evidence = &report->evidence[i];
        say_evidence(claim, evidence);
        other |= evidence->scan && !evidence->same_events;
        if (evidence->missing_events && evidence->same_events) {
            if (claim->verdict != SW_VERDICT_REFUTED) /* no longer only unproven */
                sw_sentences_free(&claim->reasons);
            claim->verdict = SW_VERDICT_REFUTED;
            sw_sentences_add(&claim->reasons, "%s event%s of transactions %s not in evidence, by the count at their ends", sw_number_text(a, evidence->missing_events), evidence->missing_events == 1 ? "" : "s",
                             evidence->missing_events == 1 ? "is" : "are");
        }
        say_gaps(&claim->reasons, evidence);
        if (evidence->change_of_space)
            sw_sentences_add(&claim->reasons, "the events stand in several position spaces, between which nothing shows that none is missing");
        if (evidence->begins_anew)
            sw_sentences_add(&claim->reasons, "positions go back while time goes on: they may begin anew");
        if (evidence->claim && evidence->same_events)
            proof = evidence->claim;
    }
    if (report->successive)
        sw_sentences_add(&claim->reasons, "the records stand in several position spaces that differ by their %s: the source was promoted or restored between them, and nothing shows that no change was lost there (--spaces declares which follows which)", report->successive);
    if (report->begun_elsewhere)
        sw_sentences_add(&claim->reasons, "the events begin inside a transaction: its end is in evidence, its begin is not, and neither is what it changed before (read on from the begin of the transaction that an earlier run left open)");
    if (report->servers)
        sw_sentences_add(&claim->reasons, "events of one source name several servers (server_id %s): nothing shows that no change was lost where one followed the other", report->servers);
    if (other)
        sw_sentences_add(&claim->reasons, "a scan was given that is of other event files than this run read: what it proves does not count here, what it misses does");
    if (!proof)
        return;
    uint64_t open = report->bad_count + report->classes[SW_CLASS_CONFLICT] + report->reasons[SW_REASON_OPEN_TRANSACTION];
    if (claim->verdict == SW_VERDICT_REFUTED || broken || open || other) {
        sw_sentences_add(&claim->reasons, "one report proves the interval complete, and something else that is listed here speaks against it: not confirmed");
        return;
    }
    claim->verdict = SW_VERDICT_CONFIRMED;
    sw_sentences_free(&claim->reasons);
    sw_sentences_add(&claim->reasons, "%.700s", proof);
    sw_sentences_add(&claim->reasons, "that is the interval: what lies before it rests on the baseline, and nothing is said of what lies behind it");
}

static void near(struct sw_json_writer *json, const char *name, const struct sw_report *report, const struct sw_near_event *events, uint32_t count)
{
    sw_json_name(json, name);
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < count; i++) {
        sw_json_begin_object(json);
        if (events[i].table->name.len)
            sw_json_member_text(json, "table", events[i].table->name);
        sw_json_name(json, "key");
        sw_json_value(json);
        sw_buffer_add_text(json->out, events[i].key);
        sw_json_member_string(json, "position", events[i].position);
        struct sw_buffer place = {0};
        sw_place_write(&place, report, &events[i].place);
        sw_json_member_text(json, "record", sw_buffer_view(&place));
        json->out->failed |= place.failed;
        sw_buffer_free(&place);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
}

static void write_gap(struct sw_json_writer *json, const struct sw_report *report, const struct sw_evidence_gap *gap)
{
    sw_json_begin_object(json);
    if (*gap->space)
        sw_json_member_string(json, "space", gap->space);
    sw_json_member_string(json, "from", *gap->from ? gap->from : NULL);
    sw_json_member_string(json, "to", gap->to);
    sw_json_member_boolean(json, "fromIncluded", gap->from_included);
    sw_json_member_boolean(json, "toIncluded", gap->to_included);
    sw_json_member_string(json, "proof", gap->proof);
    sw_json_member_boolean(json, "possible", gap->possible);
    sw_json_member_boolean(json, "placed", gap->placed);
    if (gap->placed) {
        sw_json_member_u64(json, "eventsBefore", gap->before);
        sw_json_member_u64(json, "eventsAfter", gap->after);
        sw_json_member_u64(json, "eventsInside", gap->inside);
        sw_json_member_strings(json, "tables", gap->tables, gap->table_count);
        near(json, "nearestBefore", report, gap->near_before, gap->before_count);
        near(json, "nearestAfter", report, gap->near_after, gap->after_count);
    }
    sw_json_end_object(json);
}

void sw_evidence_write_json(struct sw_json_writer *json, const struct sw_report *report)
{
    if (!report->evidence_count)
        return;
    sw_json_name(json, "continuity");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < report->evidence_count; i++) {
        const struct sw_continuity_evidence *evidence = &report->evidence[i];
        sw_json_begin_object(json);
        sw_json_member_string(json, "name", evidence->name);
        sw_json_member_string(json, "command", evidence->command);
        sw_json_member_string(json, "verdict", evidence->verdict);
        sw_json_member_string(json, "claim", evidence->claim);
        if (evidence->scan)
            sw_json_member_boolean(json, "sameEvents", evidence->same_events);
        sw_json_member_boolean(json, "changeOfSpace", evidence->change_of_space);
        sw_json_member_boolean(json, "beginsAnew", evidence->begins_anew);
        sw_json_member_strings(json, "reasons", evidence->reasons, evidence->reason_count);
        sw_json_member_strings(json, "proofs", evidence->proofs, evidence->proof_count);
        sw_json_member_u64(json, "gapCount", evidence->gap_total);
        sw_json_name(json, "gaps");
        sw_json_begin_array(json);
        for (uint32_t g = 0; g < evidence->gap_count; g++)
            write_gap(json, report, &evidence->gaps[g]);
        sw_json_end_array(json);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
}

static void free_texts(char **list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        sw_free(list[i]);
    sw_free(list);
}

void sw_evidence_free(struct sw_continuity_evidence *evidence, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct sw_continuity_evidence *each = &evidence[i];
        for (uint32_t g = 0; g < each->gap_count; g++) {
            struct sw_evidence_gap *gap = &each->gaps[g];
            for (uint32_t n = 0; n < SW_NEAR_EVENTS; n++) {
                sw_free(gap->near_before[n].key);
                sw_free(gap->near_before[n].position);
                sw_free(gap->near_after[n].key);
                sw_free(gap->near_after[n].position);
            }
            free_texts(gap->tables, gap->table_count);
            sw_free(gap->space);
            sw_free(gap->from);
            sw_free(gap->to);
            sw_free(gap->proof);
        }
        sw_free(each->gaps);
        free_texts(each->reasons, each->reason_count);
        free_texts(each->proofs, each->proof_count);
        sw_free(each->name);
        sw_free(each->command);
        sw_free(each->seen);
        sw_free(each->verdict);
        sw_free(each->claim);
    }
    sw_free(evidence);
}
