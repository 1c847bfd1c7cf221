/* The note as JSON, schema "slackwater.handover/1". */
#include "case/note.h"
#include "continuity/report.h"
#include "text/json_write.h"

static void member(struct sw_json_writer *json, const char *name, struct sw_bytes text)
{
    sw_json_name(json, name);
    if (text.len)
        sw_json_text(json, text);
    else
        sw_json_null(json);
}

static void texts(struct sw_json_writer *json, const char *name, const struct sw_note_texts *list)
{
    sw_json_name(json, name);
    sw_json_begin_array(json);
    for (size_t i = 0; i < list->count; i++)
        sw_json_text(json, list->at[i]);
    sw_json_end_array(json);
}

static void entries(struct sw_json_writer *json, const char *name, const struct sw_note_entries *list)
{
    sw_json_name(json, name);
    sw_json_begin_array(json);
    for (size_t i = 0; i < list->count; i++)
        sw_json_u64(json, list->at[i]);
    sw_json_end_array(json);
}

static void claims(struct sw_json_writer *json, const struct sw_handover_note *note)
{
    sw_json_name(json, "verdicts");
    sw_json_begin_object(json);
    for (size_t i = 0; i < SW_NOTE_CLAIM_COUNT; i++) {
        const struct sw_note_claim *claim = &note->claims[i];
        sw_json_name(json, claim->name);
        sw_json_begin_object(json);
        sw_json_member_string(json, "verdict", sw_verdict_name(claim->verdict));
        member(json, "sentence", claim->sentence);
        texts(json, "reasons", &claim->reasons);
        entries(json, "evidence", &claim->evidence);
        member(json, "reachedAt", claim->reached_at);
        member(json, "expiresAt", claim->expires_at);
        sw_json_member_boolean(json, "expired", claim->expired);
        member(json, "criterion", claim->criterion);
        member(json, "owner", claim->owner);
        member(json, "decision", claim->accepted);
        member(json, "decidedAt", claim->accepted_at);
        sw_json_end_object(json);
    }
    sw_json_end_object(json);
}

static void counts(struct sw_json_writer *json, const char *name, const struct sw_note_count *list, size_t count)
{
    sw_json_name(json, name);
    sw_json_begin_object(json);
    for (size_t i = 0; i < count; i++) {
        sw_json_name_bytes(json, list[i].name);
        sw_json_u64(json, list[i].count);
    }
    sw_json_end_object(json);
}

static void differences(struct sw_json_writer *json, const struct sw_note_differences *found)
{
    sw_json_name(json, "differences");
    sw_json_begin_object(json);
    sw_json_member_boolean(json, "reconciled", found->reconciled);
    sw_json_member_u64(json, "keys", found->keys);
    sw_json_member_u64(json, "equal", found->equal);
    sw_json_member_u64(json, "different", found->different);
    sw_json_member_u64(json, "conflictKeys", found->conflict);
    sw_json_member_u64(json, "undecidedKeys", found->undecided);
    counts(json, "reasons", found->reasons, found->reason_count);
    sw_json_name(json, "tables");
    sw_json_begin_array(json);
    for (size_t i = 0; i < found->table_count; i++) {
        const struct sw_note_table *table = &found->tables[i];
        sw_json_begin_object(json);
        member(json, "table", table->name);
        sw_json_member_u64(json, "keys", table->keys);
        sw_json_member_u64(json, "equal", table->equal);
        sw_json_member_u64(json, "different", table->different);
        sw_json_member_u64(json, "conflictKeys", table->conflict);
        sw_json_member_u64(json, "undecidedKeys", table->undecided);
        counts(json, "reasons", table->reasons, table->reason_count);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
    sw_json_name(json, "files");
    sw_json_begin_array(json);
    for (size_t i = 0; i < found->file_count; i++) {
        sw_json_begin_object(json);
        member(json, "name", found->files[i].name);
        sw_json_member_u64(json, "entry", found->files[i].entry);
        sw_json_member_u64(json, "bytes", found->files[i].bytes);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
    sw_json_member_u64(json, "unlisted", found->unlisted);
    sw_json_end_object(json);
}

static void lanes(struct sw_json_writer *json, const struct sw_handover_note *note)
{
    static const char *const kinds[] = {
        [SW_NOTE_POINT_AVAILABLE_FIRST] = "availableFirst", [SW_NOTE_POINT_AVAILABLE_LAST] = "availableLast", [SW_NOTE_POINT_SOURCE] = "source", [SW_NOTE_POINT_PIPELINE] = "pipeline",
        [SW_NOTE_POINT_DESTINATION] = "destination", [SW_NOTE_POINT_CUT] = "cut", [SW_NOTE_POINT_RESTART] = "restart", [SW_NOTE_POINT_GAP_END] = "gapEnd",
    };
    sw_json_name(json, "positions");
    sw_json_begin_array(json);
    for (size_t i = 0; i < note->lane_count; i++) {
        const struct sw_note_lane *lane = &note->lanes[i];
        sw_json_begin_object(json);
        member(json, "space", lane->name);
        sw_json_name(json, "points");
        sw_json_begin_array(json);
        for (size_t j = 0; j < lane->point_count; j++) {
            sw_json_begin_object(json);
            sw_json_member_string(json, "kind", kinds[lane->points[j].kind]);
            member(json, "label", lane->points[j].label);
            member(json, "position", lane->points[j].position);
            sw_json_member_u64(json, "rank", lane->points[j].rank);
            member(json, "observedAt", lane->points[j].observed_at);
            sw_json_end_object(json);
        }
        sw_json_end_array(json);
        sw_json_name(json, "gaps");
        sw_json_begin_array(json);
        for (size_t j = 0; j < lane->gap_count; j++) {
            const struct sw_note_gap *gap = &lane->gaps[j];
            sw_json_begin_object(json);
            member(json, "from", gap->from);
            member(json, "to", gap->to);
            sw_json_member_boolean(json, "fromIncluded", gap->from_included);
            sw_json_member_boolean(json, "toIncluded", gap->to_included);
            sw_json_member_boolean(json, "open", gap->open);
            sw_json_member_boolean(json, "possible", gap->possible);
            member(json, "proof", gap->proof);
            sw_json_member_u64(json, "entry", gap->entry);
            sw_json_end_object(json);
        }
        sw_json_end_array(json);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
}

static void evidence(struct sw_json_writer *json, const struct sw_handover_note *note)
{
    sw_json_name(json, "evidence");
    sw_json_begin_array(json);
    for (size_t i = 0; i < note->evidence_count; i++) {
        const struct sw_note_evidence *each = &note->evidence[i];
        sw_json_begin_object(json);
        sw_json_member_u64(json, "number", each->number);
        member(json, "kind", each->kind);
        member(json, "title", each->title);
        member(json, each->link ? "link" : "name", each->name);
        member(json, "sha256", each->sha256);
        sw_json_member_u64(json, "bytes", each->bytes);
        member(json, "collectedAt", each->collected_at);
        member(json, "tool", each->tool);
        member(json, "command", each->command);
        member(json, "by", each->by);
        member(json, "says", each->says);
        sw_json_name(json, "supersededBy");
        if (each->superseded_by)
            sw_json_u64(json, each->superseded_by);
        else
            sw_json_null(json);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
}

static void declared(struct sw_json_writer *json, const struct sw_handover_note *note)
{
    sw_json_name(json, "boundaries");
    sw_json_begin_array(json);
    for (size_t i = 0; i < 3; i++) {
        const struct sw_note_boundary *boundary = &note->boundaries[i];
        sw_json_begin_object(json);
        sw_json_member_string(json, "boundary", boundary->name);
        member(json, "system", boundary->system);
        member(json, "position", boundary->position);
        member(json, "observedAt", boundary->observed_at);
        entries(json, "evidence", &boundary->evidence);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
    sw_json_name(json, "affected");
    sw_json_begin_object(json);
    member(json, "from", note->affected_from);
    member(json, "to", note->affected_to);
    texts(json, "objects", &note->affected_objects);
    member(json, "scope", note->affected_scope);
    sw_json_end_object(json);
    sw_json_name(json, "restart");
    sw_json_begin_object(json);
    member(json, "position", note->restart_position);
    member(json, "explanation", note->restart_reason);
    sw_json_end_object(json);
    member(json, "cut", note->cut);
    member(json, "pipelineVersion", note->pipeline_version);
    member(json, "rehearsalDestination", note->rehearsal_destination);
    sw_json_name(json, "resources");
    sw_json_begin_array(json);
    for (size_t i = 0; i < note->resource_count; i++) {
        sw_json_begin_object(json);
        member(json, "name", note->resources[i].name);
        member(json, "what", note->resources[i].what);
        member(json, "validUntil", note->resources[i].valid_until);
        member(json, "region", note->resources[i].region);
        member(json, "version", note->resources[i].version);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
    sw_json_name(json, "exceptions");
    sw_json_begin_array(json);
    for (size_t i = 0; i < note->exception_count; i++) {
        sw_json_begin_object(json);
        member(json, "what", note->exceptions[i].what);
        member(json, "reason", note->exceptions[i].reason);
        member(json, "approvedBy", note->exceptions[i].approved_by);
        member(json, "until", note->exceptions[i].until);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
    sw_json_name(json, "skippedIntervals");
    sw_json_begin_array(json);
    for (size_t i = 0; i < note->skipped_count; i++) {
        sw_json_begin_object(json);
        member(json, "from", note->skipped[i].from);
        member(json, "to", note->skipped[i].to);
        member(json, "plan", note->skipped[i].plan);
        member(json, "owner", note->skipped[i].owner);
        member(json, "status", note->skipped[i].status);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
}

static void rules(struct sw_json_writer *json, const struct sw_handover_note *note)
{
    sw_json_name(json, "rules");
    sw_json_begin_object(json);
    sw_json_member_u64(json, "passed", note->rules_passed);
    sw_json_member_u64(json, "failed", note->rules_failed);
    sw_json_member_u64(json, "notAnswered", note->rules_open);
    sw_json_name(json, "list");
    sw_json_begin_array(json);
    for (size_t i = 0; i < note->rule_count; i++) {
        sw_json_begin_object(json);
        sw_json_member_u64(json, "number", note->rules[i].number);
        sw_json_member_string(json, "rule", note->rules[i].title);
        sw_json_member_string(json, "answer", note->rules[i].answer);
        member(json, "detail", note->rules[i].detail);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
    sw_json_end_object(json);
}

enum sw_code sw_handover_note_write_json(const struct sw_handover_note *note, sw_write_fn write, void *ctx, struct sw_error *error)
{
    struct sw_buffer out = {0};
    struct sw_json_writer json = {.out = &out, .indented = true};
    sw_json_begin_object(&json);
    sw_json_member_string(&json, "schema", "slackwater.handover/1");
    member(&json, "tool", note->tool);
    member(&json, "writtenAt", note->written_at);
    member(&json, "title", note->title);
    member(&json, "incident", note->incident);
    member(&json, "startedAt", note->started_at);
    member(&json, "headline", note->headline);
    claims(&json, note);
    texts(&json, "confirmed", &note->confirmed);
    texts(&json, "uncertain", &note->uncertain);
    sw_json_name(&json, "nextOwner");
    sw_json_begin_object(&json);
    member(&json, "name", note->next_owner);
    member(&json, "contact", note->next_owner_contact);
    member(&json, "nextStep", note->next_step);
    sw_json_end_object(&json);
    member(&json, "mayStop", note->may_stop);
    member(&json, "resultsKept", note->results_kept);
    declared(&json, note);
    differences(&json, &note->differences);
    lanes(&json, note);
    evidence(&json, note);
    rules(&json, note);
    texts(&json, "versions", &note->versions);
    texts(&json, "limits", &note->limits);
    sw_json_name(&json, "ledger");
    sw_json_begin_object(&json);
    member(&json, "head", note->head);
    sw_json_member_u64(&json, "length", note->ledger_length);
    member(&json, "verify", note->verify_command);
    sw_json_end_object(&json);
    sw_json_end_object(&json);
    sw_buffer_add_byte(&out, '\n');
    return sw_continuity_hand_over(&out, write, ctx, error);
}
