#include "case/claim.h"

#include <inttypes.h>
#include <stdio.h>

#include "continuity/instant.h"

/* ---- words ---- */

static const struct { const char *clause, *sentence; } words[SW_NOTE_CLAIM_COUNT][3] = {
    [SW_NOTE_PROCESS] = {
        [SW_VERDICT_CONFIRMED] = {"a running process was observed", "A running process was observed; that says nothing about its data."},
        [SW_VERDICT_REFUTED] = {"the process was observed not running", "The process was observed not running."},
        [SW_VERDICT_UNPROVEN] = {"whether the process runs is not in evidence", "Whether the process runs is not in evidence."},
    },
    [SW_NOTE_CURRENT_STATE] = {
        [SW_VERDICT_CONFIRMED] = {NULL, NULL}, /* see `reconciled` */
        [SW_VERDICT_REFUTED] = {"current state not reconciled: the destination differs", "The current state is not reconciled: the destination differs from what the evidence says."},
        [SW_VERDICT_UNPROVEN] = {"current state unproven", "Whether the destination holds the current state is unproven."},
    },
    [SW_NOTE_HISTORY] = {
        [SW_VERDICT_CONFIRMED] = {"every change of the examined interval is in evidence", "Every change of the examined interval is in evidence, by proof."},
        [SW_VERDICT_REFUTED] = {"history incomplete: changes are missing", "The history is incomplete: changes are missing from the evidence."},
        [SW_VERDICT_UNPROVEN] = {"history unproven, still under investigation", "Whether every change is in evidence is unproven, and still under investigation."},
    },
};

static const struct { const char *clause, *sentence; } reconciled[4] = { /* by ground */
    {"current state reconciled, without a declared cut", "The current state is reconciled with the supplied reference, key by key, without a declared cut."},
    {"current state reconciled at the agreed cut", "The current state is reconciled with the supplied reference, key by key, at the agreed cut."},
    {"current state reconciled within the declared scope, without a declared cut", "Within the declared scope, the current state is reconciled with the supplied reference, key by key, without a declared cut; nothing is said of keys outside."},
    {"current state reconciled within the declared scope, at the agreed cut", "Within the declared scope, the current state is reconciled with the supplied reference, key by key, at the agreed cut; nothing is said of keys outside."},
};

static bool is_reconciled(size_t claim, enum sw_verdict verdict) { return claim == SW_NOTE_CURRENT_STATE && verdict == SW_VERDICT_CONFIRMED; }

const char *sw_claim_clause(size_t claim, enum sw_verdict verdict, unsigned ground) { return is_reconciled(claim, verdict) ? reconciled[ground & 3].clause : words[claim][verdict].clause; }

const char *sw_claim_sentence(size_t claim, enum sw_verdict verdict, unsigned ground) { return is_reconciled(claim, verdict) ? reconciled[ground & 3].sentence : words[claim][verdict].sentence; }

void sw_claim_headline(struct sw_buffer *out, const struct sw_headline *headline)
{
    static const size_t order[] = {SW_NOTE_CURRENT_STATE, SW_NOTE_HISTORY, SW_NOTE_PROCESS};
    for (size_t i = 0; i < SW_NOTE_CLAIM_COUNT; i++) {
        const char *clause = sw_claim_clause(order[i], headline->verdicts[order[i]], headline->ground);
        sw_buffer_add_text(out, i ? "; " : "");
        sw_buffer_add_byte(out, (uint8_t)(i || clause[0] < 'a' || clause[0] > 'z' ? clause[0] : clause[0] - 'a' + 'A'));
        sw_buffer_add_text(out, clause + 1);
    }
    if (headline->rules_failed)
        sw_buffer_printf(out, "; %zu rule%s failed", headline->rules_failed, headline->rules_failed == 1 ? "" : "s");
    if (headline->rules_open)
        sw_buffer_printf(out, "; %zu rule%s not answered", headline->rules_open, headline->rules_open == 1 ? " is" : "s are");
    sw_buffer_add_byte(out, '.');
}

/* ---- judging ---- */

struct judge {
    struct sw_case *folder;
    struct sw_note_claim *claim;
    size_t reason_capacity, entry_capacity;
    bool no_memory;
};

static void reason(struct judge *judge, const char *format, ...) SW_PRINTF(2, 3);

static void reason(struct judge *judge, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char *copy = sw_mapping_text(&judge->folder->memory, text, strlen(text));
    struct sw_note_texts *reasons = &judge->claim->reasons;
    if (copy && reasons->count < judge->reason_capacity)
        reasons->at[reasons->count++] = sw_bytes_text(copy);
    else
        judge->no_memory |= !copy;
}

static void rests_on(struct judge *judge, uint64_t number)
{
    struct sw_note_entries *entries = &judge->claim->evidence;
    for (size_t i = 0; i < entries->count; i++)
        if (entries->at[i] == number)
            return;
    if (entries->count < judge->entry_capacity)
        entries->at[entries->count++] = number;
}

/* The later of two times; an empty one is earlier than any. */
static struct sw_bytes later(struct sw_bytes a, struct sw_bytes b)
{
    struct sw_instant left, right;
    if (sw_instant_parse(&left, a) != SW_INSTANT_KNOWN)
        return b;
    return sw_instant_parse(&right, b) == SW_INSTANT_KNOWN && sw_instant_compare(right, left) > 0 ? b : a;
}

static bool is_past(struct sw_bytes time, const char *now)
{
    struct sw_instant end, current;
    return sw_instant_parse(&end, time) == SW_INSTANT_KNOWN && sw_instant_parse(&current, sw_bytes_text(now)) == SW_INSTANT_KNOWN && sw_instant_compare(end, current) <= 0;
}

static void lower_expired(struct judge *judge)
{
    struct sw_note_claim *claim = judge->claim;
    if (claim->verdict == SW_VERDICT_UNPROVEN || !is_past(claim->expires_at, judge->folder->now))
        return;
    reason(judge, "what was %s expired at %.*s: collect the evidence again", sw_verdict_name(claim->verdict), (int)claim->expires_at.len, (const char *)claim->expires_at.at);
    claim->verdict = SW_VERDICT_UNPROVEN;
    claim->expired = true;
}

static void judge_process(struct judge *judge)
{
    const struct sw_case_declaration *declared = &judge->folder->declaration;
    struct sw_note_claim *claim = judge->claim;
    size_t observations = 0;
    claim->expires_at = declared->process.expires_at;
    for (size_t i = 0; i < declared->process.evidence.count; i++) {
        const struct sw_ledger_entry *entry = sw_ledger_entry(&judge->folder->ledger, declared->process.evidence.at[i]);
        if (!entry || entry->superseded_by)
            continue;
        if (sw_bytes_is(entry->kind, "observation") || sw_bytes_is(entry->kind, "screenshot")) {
            rests_on(judge, entry->number);
            observations++;
        } else {
            reason(judge, "entry %" PRIu64 " is no observation of the process: that something runs is never inferred from data", entry->number);
        }
    }
    if (!declared->process.state.len)
        reason(judge, "nobody has said whether it runs");
    else if (!observations)
        reason(judge, "it is said to be %.*s, and no observation is in evidence", (int)declared->process.state.len, (const char *)declared->process.state.at);
    else if (!declared->process.observed_at.len)
        reason(judge, "it is said to be %.*s, and not when that was seen", (int)declared->process.state.len, (const char *)declared->process.state.at);
    else {
        bool running = sw_bytes_is(declared->process.state, "running");
        claim->verdict = running ? SW_VERDICT_CONFIRMED : SW_VERDICT_REFUTED;
        claim->reached_at = declared->process.observed_at;
        reason(judge, "it was seen %.*s by a person, at %.*s", (int)declared->process.state.len, (const char *)declared->process.state.at, (int)claim->reached_at.len, (const char *)claim->reached_at.at);
    }
}

/* The verdict of several reports together: refuted if one is, confirmed if all are. */
static void judge_reports(struct judge *judge, const char *name)
{
    struct sw_case *folder = judge->folder;
    size_t reports = 0, confirmed = 0, refuted = 0;
    char path[64];
    for (size_t i = 0; i < folder->ledger.count; i++) {
        const struct sw_evidence *evidence = &folder->evidence[i];
        if (evidence->form != SW_EVIDENCE_REPORT || !evidence->current)
            continue;
        enum sw_verdict verdict = sw_evidence_verdict(evidence, name);
        reports++;
        confirmed += verdict == SW_VERDICT_CONFIRMED;
        refuted += verdict == SW_VERDICT_REFUTED;
        rests_on(judge, evidence->entry->number);
        snprintf(path, sizeof path, "verdicts.%s.reachedAt", name);
        judge->claim->reached_at = later(judge->claim->reached_at, sw_evidence_text(evidence, folder, path));
        snprintf(path, sizeof path, "verdicts.%s.reasons", name);
        struct sw_document_items reasons = sw_document_items(sw_evidence_at(evidence, path));
        size_t told = 0;
        while (!reasons.object && told < 8 && sw_document_next(&reasons)) {
            struct sw_bytes text;
            if (!sw_case_token_text(&text, &folder->memory, reasons.value))
                judge->no_memory = true;
            else if (text.len) {
                reason(judge, "%.*s (entry %" PRIu64 ")", (int)(text.len < 800 ? text.len : 800), (const char *)text.at, evidence->entry->number);
                told++;
            }
        }
        if (verdict == SW_VERDICT_UNPROVEN && sw_evidence_is(evidence, sw_bytes_is(sw_bytes_text(name), "history") ? "verdicts.history.verdict" : "verdicts.currentState.verdict", "confirmed"))
            reason(judge, "entry %" PRIu64 " calls itself confirmed, which its own counts do not bear out", evidence->entry->number);
    }
    if (!reports)
        reason(judge, "no reconciliation is in evidence");
    else
        judge->claim->verdict = refuted ? SW_VERDICT_REFUTED : confirmed == reports ? SW_VERDICT_CONFIRMED : SW_VERDICT_UNPROVEN;
}

static void take_criterion(struct sw_note_claim *claim, const struct sw_declared_criterion *criterion)
{
    claim->criterion = criterion->text;
    claim->owner = criterion->owner;
    claim->expires_at = criterion->expires_at;
    claim->accepted = criterion->decision;
    claim->accepted_at = criterion->decided_at;
}

static void lower(struct judge *judge)
{
    if (judge->claim->verdict == SW_VERDICT_CONFIRMED)
        judge->claim->verdict = SW_VERDICT_UNPROVEN;
}

static void judge_current_state(struct judge *judge)
{
    struct sw_case *folder = judge->folder;
    take_criterion(judge->claim, &folder->declaration.current_state);
    judge_reports(judge, "currentState");
    for (size_t i = 0; i < folder->ledger.count; i++) {
        const struct sw_evidence *evidence = &folder->evidence[i];
        uint64_t survivors;
        if (evidence->form != SW_EVIDENCE_CHALLENGE || !evidence->current)
            continue;
        if (sw_evidence_survivors(&survivors, evidence) && survivors) { /* a comparison that overlooks a change proves nothing */
            lower(judge);
            rests_on(judge, evidence->entry->number);
            reason(judge, "the comparison did not notice %" PRIu64 " of the changes that it should have noticed (entry %" PRIu64 ")", survivors, evidence->entry->number);
        }
    }
    for (size_t i = 0; i < folder->ledger.count; i++) {
        const struct sw_evidence *evidence = &folder->evidence[i];
        if (!evidence->current || !sw_evidence_is_limited(evidence) || sw_evidence_is_part(evidence) || sw_bytes_equal(sw_evidence_text(evidence, folder, "scope.declared"), folder->declaration.affected_scope))
            continue; /* a part was not confirmed in the first place */
        lower(judge);
        reason(judge, "entry %" PRIu64 " is about a declared scope alone, and affected.scope does not name the same one", evidence->entry->number);
    }
    bool claimed = judge->claim->verdict == SW_VERDICT_CONFIRMED;
    for (size_t i = 0, told = 0; claimed && i < folder->declaration.affected_objects.count && told < 5; i++) {
        struct sw_bytes object = folder->declaration.affected_objects.at[i];
        if (!sw_case_covers(folder, object)) {
            lower(judge);
            told++;
            reason(judge, "%s is affected, and no reconciliation that counts names it", sw_case_show(object).text);
        }
    }
}

bool sw_case_covers(const struct sw_case *folder, struct sw_bytes object)
{
    for (size_t i = 0; i < folder->ledger.count; i++) {
        const struct sw_evidence *evidence = &folder->evidence[i];
        struct sw_document_items tables = sw_document_items(sw_evidence_at(evidence, "tables"));
        if (evidence->form != SW_EVIDENCE_REPORT || !evidence->current)
            continue;
        while (!tables.object && sw_document_next(&tables)) {
            char name[512];
            struct sw_token table = sw_document_member(tables.value, "table");
            if (table.kind == SW_TOKEN_ABSENT ? folder->declaration.affected_objects.count == 1 : sw_document_text(name, sizeof name, table) && sw_bytes_is(object, name))
                return true;
        }
    }
    return false;
}

/* ": from A to before B and 2 more", of the part that a result says is missing; empty where it says none, or its names are too long for a line. */
static void interval_text(char *out, size_t room, const struct sw_evidence *evidence)
{
    const char *member = strcmp(evidence->kind, "scan") == 0 ? "gaps" : "intervals";
    struct sw_document_items intervals = sw_document_items(sw_evidence_at(evidence, member));
    size_t count = sw_evidence_list(evidence, member);
    char from[200] = "", to[200] = "", more[40] = "";
    *out = '\0';
    if (intervals.object || !sw_document_next(&intervals))
        return;
    if (sw_document_text(from, sizeof from, sw_document_member(intervals.value, "set")) && *from) {
        snprintf(out, room, ": %s", from);
        return;
    }
    if (!sw_document_text(from, sizeof from, sw_document_member(intervals.value, "from")))
        *from = '\0';
    if (!sw_document_text(to, sizeof to, sw_document_member(intervals.value, "to")))
        *to = '\0';
    if (count > 1)
        snprintf(more, sizeof more, " and %zu more", count - 1);
    const char *begins = !*from ? "since the start" : sw_document_member(intervals.value, "fromIncluded").kind == SW_TOKEN_TRUE ? "from " : "after ";
    const char *ends = !*to ? ", its end is not known" : sw_document_member(intervals.value, "toIncluded").kind == SW_TOKEN_TRUE ? " up to " : " to before ";
    if (*from || *to)
        snprintf(out, room, ": %s%s%s%s%s", begins, from, ends, to, more);
}

static void judge_history(struct judge *judge)
{
    struct sw_case *folder = judge->folder;
    const struct sw_case_declaration *declared = &folder->declaration;
    size_t open = 0;
    take_criterion(judge->claim, &declared->every_change);
    judge_reports(judge, "history");
    for (size_t i = 0; i < folder->ledger.count; i++) {
        const struct sw_evidence *evidence = &folder->evidence[i];
        if (!evidence->current || !sw_evidence_has_gap(evidence))
            continue;
        lower(judge);
        rests_on(judge, evidence->entry->number);
        char missing[512];
        interval_text(missing, sizeof missing, evidence);
        reason(judge, "entry %" PRIu64 " (%s) names a part of the source's log that is not in evidence%s", evidence->entry->number, evidence->kind, missing);
    }
    for (size_t i = 0; i < declared->skipped_count; i++)
        open += !sw_bytes_is(declared->skipped[i].status, "closed");
    if (open) {
        lower(judge);
        reason(judge, "%zu skipped interval%s open", open, open == 1 ? " is" : "s are");
    }
    if (sw_bytes_is(declared->history_rebuildable, "no")) {
        lower(judge);
        reason(judge, "it is declared that the history cannot be rebuilt");
    }
}

enum sw_code sw_case_judge(struct sw_note_claim claims[SW_NOTE_CLAIM_COUNT], struct sw_case *folder, struct sw_error *error)
{
    static const struct { const char *name, *title; void (*judge)(struct judge *); } kinds[SW_NOTE_CLAIM_COUNT] = {
        [SW_NOTE_PROCESS] = {"process", "Process", judge_process},
        [SW_NOTE_CURRENT_STATE] = {"currentState", "Current state", judge_current_state},
        [SW_NOTE_HISTORY] = {"history", "History", judge_history},
    };
    unsigned ground = sw_case_ground(folder);
    size_t judged = 0;
    for (size_t i = 0; i < folder->ledger.count; i++)
        judged += folder->evidence[i].form != SW_EVIDENCE_OTHER;
    for (size_t i = 0; i < SW_NOTE_CLAIM_COUNT; i++) {
        size_t reasons = 16 * (judged + 2) + folder->declaration.process.evidence.count, entries = folder->ledger.count + 1;
        claims[i] = (struct sw_note_claim){.name = kinds[i].name, .title = kinds[i].title, .verdict = SW_VERDICT_UNPROVEN};
        struct judge judge = {.folder = folder, .claim = &claims[i], .reason_capacity = reasons, .entry_capacity = entries};
        claims[i].reasons.at = sw_mapping_alloc(&folder->memory, reasons * sizeof *claims[i].reasons.at);
        claims[i].evidence.at = sw_mapping_alloc(&folder->memory, entries * sizeof *claims[i].evidence.at);
        if (!claims[i].reasons.at || !claims[i].evidence.at)
            return sw_fail_memory(error, "a verdict", reasons);
        kinds[i].judge(&judge);
        lower_expired(&judge);
        if (judge.no_memory)
            return sw_fail_memory(error, "a verdict", 0);
        claims[i].sentence = sw_bytes_text(sw_claim_sentence(i, claims[i].verdict, ground));
    }
    return SW_OK;
}

unsigned sw_case_ground(const struct sw_case *folder)
{
    size_t reports = 0, cuts = 0, scoped = 0;
    for (size_t i = 0; i < folder->ledger.count; i++) {
        const struct sw_evidence *evidence = &folder->evidence[i];
        if (evidence->form != SW_EVIDENCE_REPORT || !evidence->current)
            continue;
        struct sw_token cut = sw_evidence_at(evidence, "cut");
        reports++;
        cuts += cut.kind == SW_TOKEN_TEXT && cut.len;
        scoped += sw_evidence_is_limited(evidence);
    }
    return (reports && cuts == reports ? SW_GROUND_CUT : 0) | (scoped ? SW_GROUND_SCOPE : 0);
}
