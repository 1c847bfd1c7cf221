/* 2xx: what has to be right, for whom, who decides, and what becomes of what cannot be had. */
#include "case/rules/rule.h"
#include "continuity/instant.h"

static enum sw_answer check_two_owners(struct sw_ruling *ruling)
{
    if (sw_rule_same_name(ruling->declared->current_state.owner, ruling->declared->every_change.owner))
        return sw_rule_fail(ruling, "both criteria are owned by %s: whoever needs current rows should not answer for history", SW_RULE_SHOW(ruling->declared->every_change.owner));
    return sw_rule_pass(ruling, "two owners");
}

/* Is it in evidence, or declared, that changes are gone for good? */
static bool is_lost(const struct sw_ruling *ruling)
{
    if (sw_bytes_is(ruling->declared->history_rebuildable, "no") || ruling->claims[SW_NOTE_HISTORY].verdict == SW_VERDICT_REFUTED)
        return true;
    for (const struct sw_evidence *each = NULL; (each = sw_rule_next(ruling, SW_EVIDENCE_CONTINUITY, each)) != NULL;)
        if (sw_evidence_has_gap(each))
            return !sw_bytes_is(ruling->declared->history_rebuildable, "yes");
    return false;
}

static enum sw_answer check_exception(struct sw_ruling *ruling)
{
    const struct sw_case_declaration *declared = ruling->declared;
    if (!is_lost(ruling)) {
        if (ruling->claims[SW_NOTE_HISTORY].verdict == SW_VERDICT_CONFIRMED)
            return sw_rule_pass(ruling, "the history is proven");
        return declared->history_rebuildable.len ? sw_rule_pass(ruling, "it is declared that the history can be rebuilt") : sw_rule_open(ruling, "case.yaml: history.rebuildable is empty");
    }
    if (!declared->exception_count)
        return sw_rule_fail(ruling, "changes are missing, and case.yaml has no exception for it");
    for (size_t i = 0; i < declared->exception_count; i++) {
        const struct sw_note_exception *exception = &declared->exceptions[i];
        if (!exception->what.len || !exception->reason.len || !exception->approved_by.len)
            return sw_rule_fail(ruling, "exception %zu does not say what, why and who approved it", i + 1);
        if (sw_rule_is_past(ruling, exception->until))
            return sw_rule_fail(ruling, "exception %zu ended at %s", i + 1, SW_RULE_SHOW(exception->until));
    }
    return sw_rule_pass(ruling, "%zu exception%s, each approved", declared->exception_count, declared->exception_count == 1 ? "" : "s");
}

static enum sw_answer check_history_accepted(struct sw_ruling *ruling)
{
    const struct sw_case_declaration *declared = ruling->declared;
    if (!sw_bytes_is(declared->every_change.decision, "accepted"))
        return sw_rule_pass(ruling, "nobody has accepted that no operation was lost");
    if (ruling->claims[SW_NOTE_HISTORY].verdict == SW_VERDICT_CONFIRMED)
        return sw_rule_pass(ruling, "accepted over a proven history");
    if (declared->exception_count)
        return sw_rule_pass(ruling, "accepted with an exception, over a history that is %s", sw_verdict_name(ruling->claims[SW_NOTE_HISTORY].verdict));
    return sw_rule_fail(ruling, "every change is accepted as present, and the history is %s: right balances do not show it", sw_verdict_name(ruling->claims[SW_NOTE_HISTORY].verdict));
}

static enum sw_answer check_decision(struct sw_ruling *ruling, const struct sw_declared_criterion *criterion, const char *name)
{
    if (!criterion->decision.len)
        return sw_rule_open(ruling, "criteria.%s.decision is empty: its owner has not decided", name);
    if (!criterion->decided_by.len || !criterion->decided_at.len)
        return sw_rule_fail(ruling, "criteria.%s has a decision without who and when", name);
    if (!sw_rule_same_name(criterion->decided_by, criterion->owner))
        return sw_rule_fail(ruling, "criteria.%s was decided by %s, who does not own it", name, SW_RULE_SHOW(criterion->decided_by));
    return sw_rule_pass(ruling, "decided by its owner");
}

static enum sw_answer check_acceptance(struct sw_ruling *ruling)
{
    enum sw_answer state = check_decision(ruling, &ruling->declared->current_state, "current-state");
    if (state != SW_ANSWER_PASSED)
        return state;
    return check_decision(ruling, &ruling->declared->every_change, "every-change");
}

static enum sw_answer check_decision_is_no_evidence(struct sw_ruling *ruling)
{
    for (size_t claim = 0; claim < SW_NOTE_CLAIM_COUNT; claim++)
        for (size_t i = 0; i < ruling->claims[claim].evidence.count; i++) {
            const struct sw_ledger_entry *entry = sw_ledger_entry(&ruling->folder->ledger, ruling->claims[claim].evidence.at[i]);
            if (entry && sw_bytes_is(entry->kind, "decision"))
                return sw_rule_fail(ruling, "%s rests on entry %llu, which is a decision", ruling->claims[claim].name, (unsigned long long)entry->number);
        }
    const struct { struct sw_note_entries entries; const char *field; } named[] = {
        {ruling->declared->process.evidence, "process.evidence"}, {ruling->declared->overlap.evidence, "overlap.evidence"},
        {ruling->declared->boundaries[0].evidence, "boundaries.source.evidence"}, {ruling->declared->boundaries[1].evidence, "boundaries.pipeline.evidence"},
        {ruling->declared->boundaries[2].evidence, "boundaries.destination.evidence"},
    };
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        for (size_t j = 0; j < named[i].entries.count; j++) {
            const struct sw_ledger_entry *entry = sw_ledger_entry(&ruling->folder->ledger, named[i].entries.at[j]);
            if (entry && sw_bytes_is(entry->kind, "decision"))
                return sw_rule_fail(ruling, "%s names entry %llu, which is a decision", named[i].field, (unsigned long long)entry->number);
        }
    return sw_rule_pass(ruling, "no decision stands as evidence");
}

/* Was the decision taken after the assumption was found not to hold? */
static bool decided_since(struct sw_bytes decided_at, struct sw_bytes checked_at)
{
    struct sw_instant decided, checked;
    return sw_instant_parse(&decided, decided_at) == SW_INSTANT_KNOWN && sw_instant_parse(&checked, checked_at) == SW_INSTANT_KNOWN && sw_instant_compare(decided, checked) > 0;
}

static enum sw_answer check_assumptions(struct sw_ruling *ruling)
{
    const struct sw_case_declaration *declared = ruling->declared;
    for (size_t i = 0; i < declared->assumption_count; i++) {
        const struct sw_declared_assumption *assumption = &declared->assumptions[i];
        if (!assumption->what.len || !assumption->holds.len || !assumption->checked_at.len)
            return sw_rule_open(ruling, "assumption %zu does not say what, whether it holds and when that was checked", i + 1);
        if (!sw_bytes_is(assumption->holds, "no"))
            continue;
        if ((declared->current_state.decision.len && !decided_since(declared->current_state.decided_at, assumption->checked_at))
            || (declared->every_change.decision.len && !decided_since(declared->every_change.decided_at, assumption->checked_at)))
            return sw_rule_fail(ruling, "assumption %zu (%s) no longer holds, and a decision from before it stands: decide again on new evidence", i + 1, SW_RULE_SHOW(assumption->what));
    }
    return sw_rule_pass(ruling, "%zu assumption%s recorded, no decision older than one that fell", declared->assumption_count, declared->assumption_count == 1 ? "" : "s");
}

static const struct sw_rule rules[] = {
    {201, "The criterion for the current state is written down, and has an owner.", "case.yaml: criteria.current-state", NULL, {"criteria.current-state.text", "criteria.current-state.owner"}, NULL},
    {202, "The criterion for every change is written down, and has an owner.", "case.yaml: criteria.every-change", NULL, {"criteria.every-change.text", "criteria.every-change.owner"}, NULL},
    {203, "The two criteria have two owners.", "case.yaml: criteria.*.owner", NULL, {"criteria.current-state.owner", "criteria.every-change.owner"}, check_two_owners},
    {204, "Where the history cannot be rebuilt, there is an explicit exception for that requirement.", "case.yaml: history.rebuildable, exceptions; report: verdicts.history; gap, scan: intervals", NULL, {NULL}, check_exception},
    {205, "A right current state does not stand for a complete history.", "case.yaml: criteria.every-change.decision; report: verdicts.history", NULL, {NULL}, check_history_accepted},
    {206, "It is written down who may stop the handover.", "case.yaml: handover.may-stop", NULL, {"handover.may-stop"}, NULL},
    {207, "It is written down where the results are kept.", "case.yaml: handover.results-kept", NULL, {"handover.results-kept"}, NULL},
    {208, "Each criterion was decided by its owner, with the time.", "case.yaml: criteria.*.decision, decided-by, decided-at", NULL, {NULL}, check_acceptance},
    {209, "An owner's acceptance stands apart from the evidence.", "case.yaml: *.evidence; ledger: kind", NULL, {NULL}, check_decision_is_no_evidence},
    {210, "An assumption that no longer holds reopens the decision.", "case.yaml: assumptions", NULL, {"assumptions"}, check_assumptions},
};

const struct sw_rule_group sw_rules_criteria = {"Criteria, owners, exceptions", rules, sizeof rules / sizeof rules[0]};
