#include "case/note_build.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/memory.h"
#include "case/claim.h"
#include "case/command_text.h"
#include "case/rules/rule.h"
#include "slackwater/version.h"

#define SENTENCES_MAX 400u
#define TOOLS_MAX 64u

/* A list that grows up to what was reserved. */
struct texts {
    struct sw_case *folder;
    struct sw_note_texts *out;
    size_t capacity;
    bool no_memory;
};

static struct texts texts_begin(struct sw_note_texts *out, struct sw_case *folder, size_t capacity)
{
    struct texts texts = {folder, out, capacity, false};
    out->at = sw_mapping_alloc(&folder->memory, (capacity + 1) * sizeof *out->at);
    texts.no_memory = !out->at;
    return texts;
}

static void add_bytes(struct texts *texts, struct sw_bytes text)
{
    for (size_t i = 0; i < texts->out->count; i++)
        if (sw_bytes_equal(texts->out->at[i], text))
            return;
    if (texts->no_memory || texts->out->count == texts->capacity || !text.len)
        return;
    texts->out->at[texts->out->count++] = text;
}

static void add(struct texts *texts, const char *format, ...) SW_PRINTF(2, 3);

static void add(struct texts *texts, const char *format, ...)
{
    char text[1200];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char *copy = sw_mapping_text(&texts->folder->memory, text, strlen(text));
    if (copy)
        add_bytes(texts, sw_bytes_text(copy));
    else
        texts->no_memory = true;
}

static enum sw_code texts_end(const struct texts *texts, struct sw_error *error) { return texts->no_memory ? sw_fail_memory(error, "a note", 0) : SW_OK; }

static enum sw_code keep(struct sw_bytes *out, struct sw_case *folder, struct sw_buffer *text, struct sw_error *error)
{
    char *copy = text->failed ? NULL : sw_mapping_text(&folder->memory, (const char *)text->at, text->len);
    if (copy)
        *out = sw_bytes_of(copy, text->len);
    sw_buffer_free(text);
    return copy ? SW_OK : sw_fail_memory(error, "a note", 0);
}

/* ---- what is declared ---- */

static void take_declared(struct sw_handover_note *note, const struct sw_case_declaration *declared)
{
    static const char *const names[] = {"source", "pipeline", "destination"};
    note->title = declared->title;
    note->incident = declared->incident;
    note->started_at = declared->started_at;
    note->next_owner = declared->handover.next_owner;
    note->next_owner_contact = declared->handover.contact;
    note->next_step = declared->handover.next_step;
    note->may_stop = declared->handover.may_stop;
    note->results_kept = declared->handover.results_kept;
    note->pipeline_version = declared->handover.pipeline_version;
    note->affected_from = declared->affected_from;
    note->affected_to = declared->affected_to;
    note->affected_objects = declared->affected_objects;
    note->affected_scope = declared->affected_scope;
    note->restart_position = declared->restart.position;
    note->restart_reason = declared->restart.explanation;
    note->rehearsal_destination = declared->rehearsal.destination;
    note->resources = declared->resources;
    note->resource_count = declared->resource_count;
    note->exceptions = declared->exceptions;
    note->exception_count = declared->exception_count;
    note->skipped = declared->skipped;
    note->skipped_count = declared->skipped_count;
    for (size_t i = 0; i < 3; i++) {
        const struct sw_declared_boundary *boundary = &declared->boundaries[i];
        note->boundaries[i] = (struct sw_note_boundary){names[i], boundary->position, boundary->observed_at, boundary->system, boundary->evidence};
    }
}

/* ---- the ledger ---- */

static enum sw_code take_evidence(struct sw_handover_note *note, struct sw_case *folder, struct sw_error *error)
{
    size_t count = folder->ledger.count;
    if (!(note->evidence = sw_mapping_alloc(&folder->memory, (count + 1) * sizeof *note->evidence)))
        return sw_fail_memory(error, "a note", count);
    for (size_t i = 0; i < count; i++) {
        const struct sw_ledger_entry *entry = &folder->ledger.entries[i];
        note->evidence[i] = (struct sw_note_evidence){
            .number = entry->number, .kind = entry->kind, .title = entry->title, .name = entry->name, .link = entry->link, .sha256 = entry->sha256, .bytes = entry->bytes,
            .collected_at = entry->collected.len ? entry->collected : entry->at, .tool = entry->tool, .command = entry->command, .by = entry->by, .says = entry->says,
            .superseded_by = entry->superseded_by,
        };
    }
    note->evidence_count = count;
    return SW_OK;
}

static enum sw_code take_versions(struct sw_handover_note *note, struct sw_case *folder, struct sw_error *error)
{
    struct { struct sw_bytes tool; size_t count, first; } tools[TOOLS_MAX];
    struct texts texts = texts_begin(&note->versions, folder, SENTENCES_MAX);
    size_t count = 0;
    for (size_t i = 0; i < folder->ledger.count; i++) {
        struct sw_bytes tool = folder->ledger.entries[i].tool;
        size_t at = 0;
        while (at < count && !sw_bytes_equal(tools[at].tool, tool))
            at++;
        if (!tool.len || (at == count && count == TOOLS_MAX))
            continue;
        if (at == count) {
            tools[count].tool = tool;
            tools[count].count = 0;
            tools[count++].first = i + 1;
        }
        tools[at].count++;
    }
    for (size_t i = 0; i < count; i++)
        add(&texts, "%.*s made %zu entr%s, the first of them number %zu", (int)(tools[i].tool.len < 200 ? tools[i].tool.len : 200), (const char *)tools[i].tool.at, tools[i].count,
            tools[i].count == 1 ? "y" : "ies", tools[i].first);
    add(&texts, "slackwater %s wrote this note", sw_version());
    return texts_end(&texts, error);
}

static enum sw_code take_limits(struct sw_handover_note *note, struct sw_case *folder, struct sw_error *error)
{
    struct texts texts = texts_begin(&note->limits, folder, SENTENCES_MAX);
    for (size_t i = 0; i < folder->ledger.count; i++) {
        const struct sw_evidence *evidence = &folder->evidence[i];
        struct sw_document_items limits = sw_document_items(sw_evidence_at(evidence, "limits"));
        while (evidence->form != SW_EVIDENCE_OTHER && evidence->current && !limits.object && sw_document_next(&limits)) {
            struct sw_bytes text;
            if (!sw_case_token_text(&text, &folder->memory, limits.value))
                return sw_fail_memory(error, "a note", 0);
            add_bytes(&texts, text);
        }
    }
    add(&texts, "a match is a match with the reference that was supplied; where that came from is recorded, not verified");
    add(&texts, "nothing here shows that transactions over several keys were atomic, or that what was read survives a restart");
    add(&texts, "the ledger shows that its pieces fit together; only a head digest that was kept elsewhere, or a signature, shows that nothing was cut from its end or written anew");
    add(&texts, "nothing here authorizes production: that remains with the organization's own process");
    return texts_end(&texts, error);
}

/* ---- what may be said ---- */

static enum sw_code take_sentences(struct sw_handover_note *note, struct sw_case *folder, struct sw_error *error)
{
    struct texts confirmed = texts_begin(&note->confirmed, folder, SENTENCES_MAX), uncertain = texts_begin(&note->uncertain, folder, SENTENCES_MAX);
    bool same;
    for (size_t i = 0; i < SW_NOTE_CLAIM_COUNT; i++) {
        const struct sw_note_claim *claim = &note->claims[i];
        if (claim->verdict == SW_VERDICT_CONFIRMED) {
            add_bytes(&confirmed, claim->sentence);
            continue;
        }
        add_bytes(&uncertain, claim->sentence);
        for (size_t j = 0; j < claim->reasons.count && j < 6; j++)
            add(&uncertain, "%s: %.*s.", claim->title, (int)(claim->reasons.at[j].len < 1000 ? claim->reasons.at[j].len : 1000), (const char *)claim->reasons.at[j].at);
    }
    for (size_t i = 0; i < note->skipped_count; i++)
        if (!sw_bytes_is(note->skipped[i].status, "closed"))
            add(&uncertain, "An interval was skipped and is open: from %s to %s; owner: %s.", sw_case_show(note->skipped[i].from).text,
                note->skipped[i].to.len ? sw_case_show(note->skipped[i].to).text : "not known", note->skipped[i].owner.len ? sw_case_show(note->skipped[i].owner).text : "nobody");
    if (note->rules_failed)
        add(&uncertain, "%zu rule%s failed.", note->rules_failed, note->rules_failed == 1 ? "" : "s");
    if (note->rules_open)
        add(&uncertain, "%zu rule%s not answered.", note->rules_open, note->rules_open == 1 ? " is" : "s are");
    if (!note->next_owner.len)
        add(&uncertain, "No next owner is named.");
    const struct sw_ledger_entry *recorded;
    enum sw_code code = sw_case_recorded(&recorded, &same, folder, error);
    if (code < 0)
        return code;
    if (!recorded)
        add(&uncertain, "What is declared (case.yaml) is not in the ledger.");
    else if (!same)
        add(&uncertain, "What is declared (case.yaml) is not as entry %" PRIu64 " of the ledger has it.", recorded->number);
    add(&uncertain, "Whether the supplied reference is what the source holds was not verified here.");
    code = texts_end(&confirmed, error);
    return code == SW_OK ? texts_end(&uncertain, error) : code;
}

static enum sw_code take_rules(struct sw_handover_note *note, struct sw_case *folder, struct sw_error *error)
{
    enum sw_code code = sw_rules_apply(&note->rules, &note->rule_count, folder, note->claims, error);
    for (size_t i = 0; i < note->rule_count && code == SW_OK; i++) {
        note->rules_passed += strcmp(note->rules[i].answer, sw_answer_name(SW_ANSWER_PASSED)) == 0;
        note->rules_failed += strcmp(note->rules[i].answer, sw_answer_name(SW_ANSWER_FAILED)) == 0;
    }
    note->rules_open = note->rule_count - note->rules_passed - note->rules_failed;
    return code;
}

static enum sw_code take_cut(struct sw_handover_note *note, struct sw_case *folder, struct sw_error *error)
{
    struct sw_buffer cuts = {0};
    struct sw_bytes before = {0};
    for (size_t i = 0; i < folder->ledger.count; i++) {
        const struct sw_evidence *evidence = &folder->evidence[i];
        if (evidence->form != SW_EVIDENCE_REPORT || !evidence->current)
            continue;
        struct sw_bytes cut = sw_evidence_text(evidence, folder, "cut");
        if (!cut.len || (before.len && sw_bytes_equal(before, cut)))
            continue;
        if (cuts.len)
            sw_buffer_add_text(&cuts, "; ");
        sw_buffer_add_bytes(&cuts, cut);
        before = cut;
    }
    return keep(&note->cut, folder, &cuts, error);
}

static enum sw_code take_heads(struct sw_handover_note *note, struct sw_case *folder, struct sw_error *error)
{
    struct sw_buffer headline = {0}, command = {0}, tool = {0};
    struct sw_headline parts = {.ground = sw_case_ground(folder), .rules_failed = note->rules_failed, .rules_open = note->rules_open};
    for (size_t i = 0; i < SW_NOTE_CLAIM_COUNT; i++)
        parts.verdicts[i] = note->claims[i].verdict;
    sw_claim_headline(&headline, &parts);
    const char *slash = strrchr(folder->path, '/');
    const char *name = slash && slash[1] ? slash + 1 : folder->path;
    sw_buffer_add_text(&command, "slackwater case verify ");
    sw_command_quote(&command, sw_bytes_text(name));
    if (folder->ledger.count)
        sw_buffer_printf(&command, " --head %s --length %zu", folder->ledger.head, folder->ledger.count);
    sw_buffer_printf(&tool, "slackwater %s", sw_version());
    note->ledger_length = folder->ledger.count;
    enum sw_code code = keep(&note->headline, folder, &headline, error);
    enum sw_code second = keep(&note->verify_command, folder, &command, error), third = keep(&note->tool, folder, &tool, error);
    struct sw_buffer head = {0}, now = {0};
    sw_buffer_add_text(&head, folder->ledger.head);
    sw_buffer_add_text(&now, folder->now);
    enum sw_code fourth = keep(&note->head, folder, &head, error), fifth = keep(&note->written_at, folder, &now, error);
    return code < 0 ? code : second < 0 ? second : third < 0 ? third : fourth < 0 ? fourth : fifth;
}

static enum sw_code build(struct sw_handover_note *note, struct sw_case *folder, struct sw_error *error)
{
    take_declared(note, &folder->declaration);
    enum sw_code code = sw_case_judge(note->claims, folder, error);
    if (code == SW_OK)
        code = take_rules(note, folder, error);
    if (code == SW_OK)
        code = take_evidence(note, folder, error);
    if (code == SW_OK)
        code = take_versions(note, folder, error);
    if (code == SW_OK)
        code = take_limits(note, folder, error);
    if (code == SW_OK)
        code = take_cut(note, folder, error);
    if (code == SW_OK)
        code = take_sentences(note, folder, error);
    if (code == SW_OK)
        code = sw_note_differences(note, folder, error);
    if (code == SW_OK)
        code = sw_note_lanes(note, folder, error);
    if (code == SW_OK && folder->no_memory)
        return sw_fail_memory(error, "a note", 0);
    return code == SW_OK ? take_heads(note, folder, error) : code;
}

enum sw_code sw_handover_note_build(struct sw_handover_note **out, struct sw_case **folder, struct sw_error *error)
{
    struct sw_handover_note *note = sw_calloc(1, sizeof *note);
    *out = NULL;
    enum sw_code code = note ? build(note, *folder, error) : sw_fail_memory(error, "a note", sizeof *note);
    if (note) { /* every text of the note lives there */
        note->memory = (*folder)->memory;
        (*folder)->memory = NULL;
        for (size_t i = 0; (*folder)->evidence && i < (*folder)->ledger.count; i++)
            sw_document_free(&(*folder)->evidence[i].document);
        (*folder)->evidence = NULL;
    }
    sw_case_close(folder);
    if (code == SW_OK)
        *out = note;
    else
        sw_handover_note_free(&note);
    return code;
}

void sw_handover_note_free(struct sw_handover_note **note)
{
    if (!*note)
        return;
    sw_mapping_release(&(*note)->memory);
    sw_free(*note);
    *note = NULL;
}
