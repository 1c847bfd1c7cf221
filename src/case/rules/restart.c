/* 3xx: where reading starts again, why, and what that passes over. */
#include <stdio.h>

#include "case/rules/rule.h"

/* How the restart stands to what the pipeline saved; false: it cannot be said, and *why is filled. */
static bool restart_order(enum sw_position_order *out, char why[SW_POSITION_REASON_MAX], struct sw_ruling *ruling)
{
    struct sw_position *restart = NULL, *saved = NULL;
    struct sw_position_comparison answer = {.order = SW_POSITION_INCOMPARABLE};
    struct sw_error error = {0};
    const struct sw_declared_boundary *pipeline = &ruling->declared->boundaries[1];
    bool read = sw_rule_position(&restart, ruling, pipeline->kind, ruling->declared->restart.position, &error) && sw_rule_position(&saved, ruling, pipeline->kind, pipeline->position, &error);
    if (read)
        sw_position_compare(&answer, restart, saved, NULL);
    sw_position_free(&restart);
    sw_position_free(&saved);
    snprintf(why, SW_POSITION_REASON_MAX, "%.*s", SW_POSITION_REASON_MAX - 1, read ? answer.reason : error.text);
    *out = answer.order;
    return answer.order != SW_POSITION_INCOMPARABLE;
}

static enum sw_answer check_position(struct sw_ruling *ruling)
{
    enum sw_position_order order;
    char why[SW_POSITION_REASON_MAX];
    if (!restart_order(&order, why, ruling))
        return sw_rule_fail(ruling, "how the restart stands to what the pipeline saved cannot be said: %s", why);
    return sw_rule_pass(ruling, "the restart is %s what the pipeline saved", order == SW_POSITION_EQUAL ? "at" : sw_position_order_name(order));
}

/* Is an interval passed over? */
static bool is_skipped(struct sw_ruling *ruling, char why[SW_POSITION_REASON_MAX])
{
    enum sw_position_order order;
    for (const struct sw_evidence *each = NULL; (each = sw_rule_next(ruling, SW_EVIDENCE_CONTINUITY, each)) != NULL;)
        if (sw_evidence_has_gap(each)) {
            snprintf(why, SW_POSITION_REASON_MAX, "entry %llu (%s) found a gap", (unsigned long long)each->entry->number, each->kind);
            return true;
        }
    if (ruling->declared->restart.position.len && restart_order(&order, why, ruling) && order == SW_POSITION_AFTER) {
        snprintf(why, SW_POSITION_REASON_MAX, "the restart lies after what the pipeline saved");
        return true;
    }
    return false;
}

static enum sw_answer check_skipped(struct sw_ruling *ruling)
{
    const struct sw_case_declaration *declared = ruling->declared;
    char why[SW_POSITION_REASON_MAX] = "";
    for (size_t i = 0; i < declared->skipped_count; i++)
        if (!declared->skipped[i].plan.len || !declared->skipped[i].owner.len || !declared->skipped[i].from.len)
            return sw_rule_fail(ruling, "skipped interval %zu has no beginning, no plan or no owner", i + 1);
    if (is_skipped(ruling, why) && !declared->skipped_count)
        return sw_rule_fail(ruling, "%s, and case.yaml has no skipped-intervals: record the interval, a plan and an owner", why);
    if (declared->skipped_count)
        return sw_rule_pass(ruling, "%zu skipped interval%s, each with a plan and an owner", declared->skipped_count, declared->skipped_count == 1 ? "" : "s");
    if (!declared->restart.position.len || !sw_rule_next(ruling, SW_EVIDENCE_CONTINUITY, NULL))
        return sw_rule_open(ruling, "neither a check of continuity nor a restart position says whether an interval is skipped");
    return sw_rule_pass(ruling, "no interval is skipped");
}

static enum sw_answer check_earlier(struct sw_ruling *ruling)
{
    char why[SW_POSITION_REASON_MAX] = "";
    if (ruling->declared->restart.earlier.len)
        return sw_rule_pass(ruling, "recorded in case.yaml");
    if (is_skipped(ruling, why))
        return sw_rule_fail(ruling, "%s, and restart.earlier-considered is empty: what was tried to get the missing log back?", why);
    return ruling->declared->restart.position.len ? sw_rule_pass(ruling, "nothing is passed over") : sw_rule_open(ruling, "case.yaml: restart.position is empty");
}

static enum sw_answer check_retention(struct sw_ruling *ruling)
{
    const struct sw_bytes ends = ruling->declared->source.retention_ends_at;
    if (sw_rule_is_past(ruling, ends))
        return sw_rule_fail(ruling, "the log that is needed was kept until %s, which is past: look again, and decide again", SW_RULE_SHOW(ends));
    return ends.len ? sw_rule_pass(ruling, "recorded, and not over yet") : sw_rule_pass(ruling, "recorded, without an end");
}

static enum sw_answer check_rehearsal(struct sw_ruling *ruling)
{
    const struct sw_case_declaration *declared = ruling->declared;
    if (sw_rule_same_name(declared->rehearsal.destination, declared->boundaries[2].system))
        return sw_rule_fail(ruling, "overlap is rehearsed in %s, which is the destination itself", SW_RULE_SHOW(declared->rehearsal.destination));
    return sw_rule_pass(ruling, "it is not the destination itself");
}

static const struct sw_rule rules[] = {
    {301, "The restart position is recorded, in the space of what the pipeline saved.", "case.yaml: restart.position, boundaries.pipeline", NULL, {"restart.position", "boundaries.pipeline.kind", "boundaries.pipeline.position"}, check_position},
    {302, "The restart position can be explained to whoever validates the data afterwards.", "case.yaml: restart.explanation, restart.explained-to", NULL, {"restart.explanation", "restart.explained-to"}, NULL},
    {303, "A skipped interval has a plan and an owner.", "case.yaml: skipped-intervals, restart.position; gap, scan: intervals", NULL, {NULL}, check_skipped},
    {304, "Before jumping to a later position, getting the missing log back was considered.", "case.yaml: restart.earlier-considered", NULL, {NULL}, check_earlier},
    {305, "It is recorded how far back the source's log reaches.", "case.yaml: source.retention, source.retention-ends-at", NULL, {"source.retention"}, check_retention},
    {306, "The affected objects are recorded.", "case.yaml: affected.objects", NULL, {"affected.objects"}, NULL},
    {307, "It is recorded which writes go on during the change.", "case.yaml: source.writes-during-change", NULL, {"source.writes-during-change"}, NULL},
    {308, "It is recorded where overlap is rehearsed, and that is not the destination itself.", "case.yaml: rehearsal.destination, boundaries.destination.system", NULL, {"rehearsal.destination"}, check_rehearsal},
};

const struct sw_rule_group sw_rules_restart = {"Restart and skipped intervals", rules, sizeof rules / sizeof rules[0]};
