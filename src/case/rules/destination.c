/* 7xx: what the destination was compared with, where, and what people looked at. */
#include <inttypes.h>

#include "case/rules/rule.h"
#include "continuity/instant.h"

#define BIGQUERY_DELETIONS_KEPT (2u * 86400) /* how long BigQuery CDC remembers a deletion */

static enum sw_answer check_cut(struct sw_ruling *ruling)
{
    size_t count = 0, without = 0;
    for (const struct sw_evidence *report = NULL; (report = sw_rule_next(ruling, SW_EVIDENCE_REPORT, report)) != NULL; count++)
        without += sw_evidence_at(report, "cut").kind != SW_TOKEN_TEXT;
    if (!count)
        return sw_rule_open(ruling, "no reconciliation is in evidence");
    if (!without)
        return sw_rule_pass(ruling, "each reconciliation has a cut");
    if (ruling->declared->destination.quiescent.len)
        return sw_rule_pass(ruling, "without a cut; why nothing changed meanwhile is recorded");
    return sw_rule_fail(ruling, "%zu reconciliation%s no cut, and destination.quiescent does not say why both sides stood still", without, without == 1 ? " has" : "s have");
}

static enum sw_answer check_staleness(struct sw_ruling *ruling)
{
    const struct sw_case_declaration *declared = ruling->declared;
    struct sw_instant cut, read;
    uint64_t staleness;
    if (!sw_case_duration(&staleness, declared->destination.max_staleness))
        return sw_rule_open(ruling, "destination.max-staleness is no length of time");
    if (!staleness)
        return sw_rule_pass(ruling, "the destination tolerates none");
    if (sw_instant_parse(&cut, declared->destination.cut_at) != SW_INSTANT_KNOWN || sw_instant_parse(&read, declared->destination.read_at) != SW_INSTANT_KNOWN)
        return sw_rule_open(ruling, "destination.cut-at or destination.read-at is empty: whether changes up to the cut had to be visible cannot be told");
    struct sw_instant visible = sw_instant_add(cut, (struct sw_instant){.seconds = staleness < INT32_MAX ? (int64_t)staleness : INT32_MAX});
    if (sw_instant_compare(read, visible) < 0)
        return sw_rule_fail(ruling, "the destination was read less than max-staleness (%s) after the cut: it may have shown an earlier baseline", SW_RULE_SHOW(declared->destination.max_staleness));
    return sw_rule_pass(ruling, "the destination was read at least that long after the cut");
}

static enum sw_answer check_by_key(struct sw_ruling *ruling)
{
    uint64_t keys;
    if (!sw_rule_sum(&keys, ruling, "counts.keys")) {
        if (sw_bytes_is(ruling->declared->current_state.decision, "accepted"))
            return sw_rule_fail(ruling, "the current state is accepted, and no comparison by key is in evidence");
        return sw_rule_open(ruling, "no reconciliation is in evidence");
    }
    return keys ? sw_rule_pass(ruling, "%" PRIu64 " keys were looked at, one by one", keys) : sw_rule_fail(ruling, "no key was compared");
}

/* A count that must be nought, or looked at by somebody. */
static enum sw_answer reviewed(struct sw_ruling *ruling, const char *path, const char *what, struct sw_bytes review, const char *field)
{
    uint64_t count;
    if (!sw_rule_sum(&count, ruling, path))
        return sw_rule_open(ruling, "no reconciliation is in evidence that counts %s", what);
    if (review.len)
        return sw_rule_pass(ruling, "%s: %" PRIu64 ", reviewed", what, count);
    return count ? sw_rule_fail(ruling, "%s: %" PRIu64 ", and %s is empty", what, count, field) : sw_rule_pass(ruling, "%s: none", what);
}

static enum sw_answer check_deletions(struct sw_ruling *ruling)
{
    enum sw_answer answer = reviewed(ruling, "counts.tombstones", "deletions", ruling->declared->review.deletions, "review.deletions");
    if (answer == SW_ANSWER_PASSED && !ruling->declared->review.deletions.len)
        return sw_rule_open(ruling, "no deletion is in evidence, and review.deletions does not say why that is right");
    return answer;
}

static enum sw_answer check_conflicts(struct sw_ruling *ruling) { return reviewed(ruling, "counts.conflictKeys", "keys in conflict", ruling->declared->review.conflicts, "review.conflicts"); }

static enum sw_answer check_unexpected(struct sw_ruling *ruling)
{
    enum sw_answer answer = reviewed(ruling, "counts.unexpectedState", "keys that the destination lacks", ruling->declared->review.unexpected, "review.unexpected-keys");
    return answer == SW_ANSWER_PASSED ? reviewed(ruling, "counts.missingState", "keys that the evidence lacks", ruling->declared->review.unexpected, "review.unexpected-keys") : answer;
}

static enum sw_answer check_challenge(struct sw_ruling *ruling)
{
    size_t count = 0;
    for (const struct sw_evidence *each = NULL; (each = sw_rule_next(ruling, SW_EVIDENCE_CHALLENGE, each)) != NULL; count++) {
        uint64_t survivors;
        if (!sw_evidence_survivors(&survivors, each))
            return sw_rule_open(ruling, "entry %" PRIu64 " does not say how many changes it did not notice", each->entry->number);
        if (survivors)
            return sw_rule_fail(ruling, "entry %" PRIu64 ": %" PRIu64 " change%s that should have been caught went unnoticed", each->entry->number, survivors, survivors == 1 ? "" : "s");
    }
    if (count)
        return sw_rule_pass(ruling, "nothing that should have been caught went unnoticed");
    return ruling->declared->review.totals.len ? sw_rule_pass(ruling, "reviewed by a person") : sw_rule_open(ruling, "no challenge is in evidence, and review.cancelling-values is empty");
}

static enum sw_answer check_kept(struct sw_ruling *ruling)
{
    const struct sw_case_declaration *declared = ruling->declared;
    uint64_t kept, oldest;
    if (!sw_case_duration(&kept, declared->destination.deletions_kept) || !sw_case_duration(&oldest, declared->destination.oldest_replayable))
        return sw_rule_open(ruling, "destination.deletions-kept or destination.oldest-replayable is no length of time");
    bool bigquery = sw_bytes_is(declared->boundaries[2].kind, "bigquery");
    if (bigquery && kept > BIGQUERY_DELETIONS_KEPT)
        return sw_rule_fail(ruling, "destination.deletions-kept says %s, and BigQuery remembers a deletion for two days", SW_RULE_SHOW(declared->destination.deletions_kept));
    if (kept < oldest)
        return sw_rule_fail(ruling, "deletions are remembered for %s, and events of %s ago can come again: a deleted row may come back", SW_RULE_SHOW(declared->destination.deletions_kept),
                            SW_RULE_SHOW(declared->destination.oldest_replayable));
    return sw_rule_pass(ruling, "as long as the oldest event that can come again");
}

static enum sw_answer check_covered(struct sw_ruling *ruling)
{
    const struct sw_note_texts objects = ruling->declared->affected_objects;
    if (!sw_rule_next(ruling, SW_EVIDENCE_REPORT, NULL))
        return sw_rule_open(ruling, "no reconciliation is in evidence");
    for (size_t i = 0; i < objects.count; i++)
        if (!sw_case_covers(ruling->folder, objects.at[i]))
            return sw_rule_fail(ruling, "%s is affected, and no reconciliation that counts names it", SW_RULE_SHOW(objects.at[i]));
    return sw_rule_pass(ruling, "all of %zu", objects.count);
}

static enum sw_answer check_bad_records(struct sw_ruling *ruling)
{
    uint64_t bad, undecided;
    if (!sw_rule_sum(&bad, ruling, "counts.badRecords") || !sw_rule_sum(&undecided, ruling, "counts.undecidedKeys"))
        return sw_rule_open(ruling, "no reconciliation is in evidence");
    if (bad || undecided)
        return sw_rule_fail(ruling, "%" PRIu64 " records could not be used and %" PRIu64 " keys are undecided", bad, undecided);
    return sw_rule_pass(ruling, "every record was used, every key decided");
}

static enum sw_answer check_scope(struct sw_ruling *ruling)
{
    struct sw_bytes named = ruling->declared->affected_scope;
    size_t count = 0, limited = 0;
    for (const struct sw_evidence *report = NULL; (report = sw_rule_next(ruling, SW_EVIDENCE_REPORT, report)) != NULL; count++) {
        if (!sw_evidence_is_limited(report))
            continue;
        limited++;
        if (sw_evidence_is_part(report))
            return sw_rule_fail(ruling, "entry %" PRIu64 " compared only a part of the keys: compare the rest, or what is declared as scope", report->entry->number);
        struct sw_bytes declared = sw_evidence_text(report, ruling->folder, "scope.declared");
        if (!named.len)
            return sw_rule_open(ruling, "entry %" PRIu64 " is about %s alone, and affected.scope is empty: whoever takes over must see what was left out", report->entry->number, SW_RULE_SHOW(declared));
        if (!sw_bytes_equal(declared, named))
            return sw_rule_fail(ruling, "entry %" PRIu64 " is about %s alone, and affected.scope says something else", report->entry->number, SW_RULE_SHOW(declared));
    }
    if (!count)
        return sw_rule_open(ruling, "no reconciliation is in evidence");
    return limited ? sw_rule_pass(ruling, "%zu of %zu reconciliations are about the scope that affected.scope names", limited, count) : sw_rule_pass(ruling, "all keys were compared");
}

static const struct sw_rule rules[] = {
    {701, "The destination was compared at a comparable cut.", "report: cut; case.yaml: destination.quiescent", NULL, {NULL}, check_cut},
    {702, "The cut respects the staleness that the destination tolerates.", "case.yaml: destination.max-staleness, cut-at, read-at", NULL, {"destination.max-staleness"}, check_staleness},
    {703, "The evidence is by key; totals prove nothing.", "report: counts.keys", NULL, {NULL}, check_by_key},
    {704, "Deletions were reviewed.", "report: counts.tombstones; case.yaml: review.deletions", NULL, {NULL}, check_deletions},
    {705, "Conflicts were reviewed.", "report: counts.conflictKeys; case.yaml: review.conflicts", NULL, {NULL}, check_conflicts},
    {706, "Keys that stand on one side only were reviewed.", "report: counts.unexpectedState, counts.missingState; case.yaml: review.unexpected-keys", NULL, {NULL}, check_unexpected},
    {707, "Somebody tried to disprove the result, values that cancel in a total among it.", "challenge: survivors; case.yaml: review.cancelling-values", NULL, {NULL}, check_challenge},
    {708, "The destination remembers deletions at least as long as the oldest event that can come again.", "case.yaml: destination.deletions-kept, destination.oldest-replayable", NULL,
     {"destination.deletions-kept", "destination.oldest-replayable"}, check_kept},
    {709, "Every affected object was reconciled.", "case.yaml: affected.objects; report: tables", NULL, {"affected.objects"}, check_covered},
    {710, "It is recorded where the reference came from: a match shows nothing more than a match with it.", "case.yaml: destination.reference", NULL, {"destination.reference"}, NULL},
    {711, "No record was left unread and no key undecided.", "report: counts.badRecords, counts.undecidedKeys", NULL, {NULL}, check_bad_records},
    {712, "All keys were compared, or the part that was is the declared scope, and is named.", "report: scope; case.yaml: affected.scope", NULL, {NULL}, check_scope},
};

const struct sw_rule_group sw_rules_destination = {"The destination", rules, sizeof rules / sizeof rules[0]};
