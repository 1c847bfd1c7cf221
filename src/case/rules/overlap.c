/* 6xx: snapshots, seeks, and changes that arrive twice. */
#include <strings.h>

#include "case/rules/rule.h"

static bool holds_text(struct sw_bytes text, const char *part)
{
    size_t len = strlen(part);
    for (size_t i = 0; i + len <= text.len; i++)
        if (strncasecmp((const char *)text.at + i, part, len) == 0)
            return true;
    return false;
}

static enum sw_answer check_control(struct sw_ruling *ruling)
{
    const struct sw_case_declaration *declared = ruling->declared;
    const struct sw_bytes control = declared->overlap.control;
    bool repeats = sw_bytes_is(declared->snapshot.used, "yes") || sw_bytes_is(declared->seek.used, "yes") || sw_bytes_is(declared->backfill.used, "yes");
    if (sw_bytes_is(control, "none")) {
        if (repeats)
            return sw_rule_fail(ruling, "a snapshot, a seek or a backfill brings changes again: none is no control of overlap");
        return sw_rule_pass(ruling, "nothing arrives twice");
    }
    if (sw_bytes_is(control, "idempotent"))
        return declared->overlap.evidence.count ? sw_rule_entries(ruling, declared->overlap.evidence, "overlap.evidence")
                                                : sw_rule_fail(ruling, "idempotence is said, and not shown: overlap.evidence is empty");
    if (sw_bytes_is(control, "isolated")) {
        if (!declared->rehearsal.destination.len)
            return sw_rule_fail(ruling, "the overlap is said to be isolated, and rehearsal.destination is empty");
        if (!sw_rule_next(ruling, SW_EVIDENCE_REPORT, NULL))
            return sw_rule_fail(ruling, "an isolated destination is reconciled before it is promoted, and no reconciliation is in evidence");
        return sw_rule_pass(ruling, "an isolated destination, reconciled");
    }
    return sw_rule_fail(ruling, "overlap.control: expected idempotent, isolated or none, found %s", SW_RULE_SHOW(control));
}

static enum sw_answer check_exactly_once(struct sw_ruling *ruling)
{
    const struct sw_case_declaration *declared = ruling->declared;
    const struct sw_bytes texts[] = {declared->overlap.control, declared->seek.repeated_work};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (holds_text(texts[i], "exactly-once") || holds_text(texts[i], "exactly once"))
            return sw_rule_fail(ruling, "it rests on an option named exactly-once (%s): that concerns deliveries, not what the destination holds", SW_RULE_SHOW(texts[i]));
    return sw_rule_pass(ruling, "nothing rests on the name of an option");
}

static const struct sw_evidence *snapshot_check(const struct sw_ruling *ruling)
{
    const struct sw_evidence *found = NULL;
    for (const struct sw_evidence *each = NULL; (each = sw_rule_next(ruling, SW_EVIDENCE_CONTINUITY, each)) != NULL;)
        if (strcmp(each->kind, "snapshot") == 0)
            found = each;
    return found;
}

static enum sw_answer check_validity(struct sw_ruling *ruling)
{
    const struct sw_case_declaration *declared = ruling->declared;
    for (size_t i = 0; i < declared->resource_count; i++)
        if (sw_rule_is_past(ruling, declared->resources[i].valid_until))
            return sw_rule_fail(ruling, "%s was valid until %s, which is past", SW_RULE_SHOW(declared->resources[i].name), SW_RULE_SHOW(declared->resources[i].valid_until));
    const struct sw_evidence *check = snapshot_check(ruling);
    if (check && !sw_evidence_is_continuous(check)) {
        if (sw_evidence_has_gap(check) || sw_evidence_is(check, "verdict", "not restorable"))
            return sw_rule_fail(ruling, "entry %llu: the snapshot is %s", (unsigned long long)check->entry->number, SW_RULE_SHOW(check->entry->says));
        return sw_rule_open(ruling, "entry %llu: whether every part can be restored cannot be told", (unsigned long long)check->entry->number);
    }
    if (check)
        return sw_rule_pass(ruling, "entry %llu: every part can be restored", (unsigned long long)check->entry->number);
    for (size_t i = 0; i < declared->resource_count; i++)
        if (!declared->resources[i].valid_until.len)
            return sw_rule_open(ruling, "resource %zu does not say until when it is valid; a source's part can end before the job's", i + 1);
    return sw_rule_pass(ruling, "%zu resource%s, none over", declared->resource_count, declared->resource_count == 1 ? "" : "s");
}

static enum sw_answer check_region(struct sw_ruling *ruling)
{
    for (size_t i = 0; i < ruling->declared->resource_count; i++)
        if (!ruling->declared->resources[i].region.len || !ruling->declared->resources[i].version.len)
            return sw_rule_open(ruling, "resource %zu does not say its region and version", i + 1);
    return sw_rule_pass(ruling, "recorded for %zu resource%s", ruling->declared->resource_count, ruling->declared->resource_count == 1 ? "" : "s");
}

/* A snapshot restores the job's state and, at best, its source. */
static enum sw_answer check_sink(struct sw_ruling *ruling)
{
    const struct sw_bytes control = ruling->declared->overlap.control;
    if (sw_bytes_is(control, "idempotent") || sw_bytes_is(control, "isolated"))
        return sw_rule_pass(ruling, "what the destination received since is handled: %s", SW_RULE_SHOW(control));
    return sw_rule_fail(ruling, "the snapshot does not undo what the destination received after it, and overlap.control is %s", control.len ? SW_RULE_SHOW(control) : "empty");
}

static enum sw_answer check_preserved(struct sw_ruling *ruling) { return sw_rule_entries(ruling, ruling->declared->seek.preserved, "seek.preserved-evidence"); }

static const struct sw_rule rules[] = {
    {601, "A snapshot is not taken to rewind the destination.", "case.yaml: snapshot.used, overlap.control", "snapshot.used", {NULL}, check_sink},
    {602, "Overlap is controlled by idempotence that was shown, or by an isolated destination that was reconciled.", "case.yaml: overlap.control, overlap.evidence", NULL, {"overlap.control"}, check_control},
    {603, "Nothing rests on an option that is named exactly-once.", "case.yaml: overlap.control, seek.repeated-work", NULL, {"overlap.control"}, check_exactly_once},
    {604, "Region and version of each part that is restored are recorded.", "case.yaml: resources", "snapshot.used", {"resources"}, check_region},
    {605, "Each part that is restored is still valid, the source's as well as the job's.", "case.yaml: resources.valid-until; snapshot: verdict", "snapshot.used", {"resources"}, check_validity},
    {606, "The version that is started is known to read the snapshot.", "case.yaml: snapshot.compatibility", "snapshot.used", {"snapshot.compatibility"}, NULL},
    {607, "It is recorded which consumers remain active.", "case.yaml: seek.active-consumers", "seek.used", {"seek.active-consumers"}, NULL},
    {608, "It is recorded how work done before is told from work done again.", "case.yaml: seek.repeated-work", "seek.used", {"seek.repeated-work"}, NULL},
    {609, "It is recorded how an acknowledgement from before a seek is recognised.", "case.yaml: seek.stale-acknowledgements", "seek.used", {"seek.stale-acknowledgements"}, NULL},
    {610, "Delivery attempts and other counters that a seek resets were preserved outside them.", "case.yaml: seek.preserved-evidence", "seek.used", {"seek.preserved-evidence"}, check_preserved},
    {611, "The subscription's filter, which limits what comes again, is recorded.", "case.yaml: seek.filter", "seek.used", {"seek.filter"}, NULL},
};

const struct sw_rule_group sw_rules_overlap = {"Snapshot, seek and overlap", rules, sizeof rules / sizeof rules[0]};
