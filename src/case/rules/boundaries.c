/* 1xx: the last confirmed point of each boundary, and that positions are not mistaken for times, or for positions of another source. */
#include <stdio.h>

#include "case/rules/rule.h"
#include "continuity/instant.h"

static const char *const names[] = {"source", "pipeline", "destination"};

static bool is_time(struct sw_bytes text)
{
    struct sw_instant instant;
    return sw_instant_parse(&instant, text) != SW_INSTANT_WRONG;
}

static enum sw_answer check_boundary(struct sw_ruling *ruling, size_t index)
{
    const struct sw_declared_boundary *boundary = &ruling->declared->boundaries[index];
    struct sw_position *position = NULL;
    struct sw_error error = {0};
    char field[64];
    if (is_time(boundary->position))
        return sw_rule_fail(ruling, "boundaries.%s.position is a time (%s): it says when somebody looked, not where in the log", names[index], SW_RULE_SHOW(boundary->position));
    if (boundary->kind.len && !sw_rule_position(&position, ruling, boundary->kind, boundary->position, &error))
        return sw_rule_fail(ruling, "boundaries.%s.position: %.600s", names[index], error.text);
    sw_position_free(&position);
    snprintf(field, sizeof field, "boundaries.%s.evidence", names[index]);
    return sw_rule_entries(ruling, boundary->evidence, field);
}

static enum sw_answer check_source(struct sw_ruling *ruling) { return check_boundary(ruling, 0); }
static enum sw_answer check_pipeline(struct sw_ruling *ruling) { return check_boundary(ruling, 1); }
static enum sw_answer check_destination(struct sw_ruling *ruling) { return check_boundary(ruling, 2); }

static enum sw_answer check_observed(struct sw_ruling *ruling)
{
    for (size_t i = 0; i < 3; i++) {
        const struct sw_declared_boundary *boundary = &ruling->declared->boundaries[i];
        if (sw_bytes_equal(boundary->position, boundary->observed_at))
            return sw_rule_fail(ruling, "boundaries.%s: position and observed-at are the same text", names[i]);
        if (!sw_rule_is_past(ruling, boundary->observed_at))
            return sw_rule_fail(ruling, "boundaries.%s.observed-at lies in the future (%s)", names[i], SW_RULE_SHOW(boundary->observed_at));
    }
    return sw_rule_pass(ruling, "each position has a time of its own beside it");
}

/* The comparison that everything else rests on: where the pipeline stands in the log of the source that produces now. */
static enum sw_answer check_one_space(struct sw_ruling *ruling)
{
    const struct sw_declared_boundary *source = &ruling->declared->boundaries[0], *pipeline = &ruling->declared->boundaries[1];
    struct sw_position *a = NULL, *b = NULL;
    struct sw_position_comparison answer = {.order = SW_POSITION_INCOMPARABLE};
    struct sw_error error = {0};
    if (!sw_bytes_equal(source->kind, pipeline->kind))
        return sw_rule_fail(ruling, "the source's position is of kind %s and the pipeline's of %s: they do not compare", SW_RULE_SHOW(source->kind), SW_RULE_SHOW(pipeline->kind));
    bool read = sw_rule_position(&a, ruling, source->kind, source->position, &error) && sw_rule_position(&b, ruling, pipeline->kind, pipeline->position, &error);
    if (read)
        sw_position_compare(&answer, a, b, NULL);
    sw_position_free(&a);
    sw_position_free(&b);
    if (!read)
        return sw_rule_fail(ruling, "%.800s", error.text);
    if (answer.order == SW_POSITION_INCOMPARABLE)
        return sw_rule_fail(ruling, "the source's and the pipeline's position do not compare: %s", answer.reason);
    return sw_rule_pass(ruling, "the source is %s the pipeline%s%s", answer.order == SW_POSITION_EQUAL ? "where" : sw_position_order_name(answer.order), answer.order == SW_POSITION_EQUAL ? " is" : "",
                        *answer.assumed ? "; assumed: their identity, which neither gives, is the same" : "");
}

static enum sw_answer check_comparisons(struct sw_ruling *ruling)
{
    size_t count = 0;
    for (const struct sw_evidence *each = NULL; (each = sw_rule_next(ruling, SW_EVIDENCE_COMPARISON, each)) != NULL; count++)
        if (sw_evidence_is(each, "order", "incomparable"))
            return sw_rule_fail(ruling, "entry %llu compares positions of two spaces: nothing follows from it; supersede it with one that compares", (unsigned long long)each->entry->number);
    return count ? sw_rule_pass(ruling, "%zu comparison%s of positions, each inside one space", count, count == 1 ? "" : "s") : sw_rule_pass(ruling, "no comparison of positions is in evidence");
}

static enum sw_answer check_failover(struct sw_ruling *ruling)
{
    const struct sw_case_declaration *declared = ruling->declared;
    if (!sw_rule_same_name(declared->source.failover_checked_on, declared->boundaries[0].system))
        return sw_rule_fail(ruling, "the sequence was checked on %s, and %s produces now", SW_RULE_SHOW(declared->source.failover_checked_on), SW_RULE_SHOW(declared->boundaries[0].system));
    return sw_rule_entries(ruling, declared->source.failover_evidence, "source.failover-evidence");
}

static enum sw_answer check_continuity(struct sw_ruling *ruling)
{
    size_t count = 0;
    for (const struct sw_evidence *each = NULL; (each = sw_rule_next(ruling, SW_EVIDENCE_CONTINUITY, each)) != NULL; count++)
        if (sw_evidence_has_gap(each) && !ruling->declared->skipped_count)
            return sw_rule_fail(ruling, "entry %llu (%s) found a gap, and case.yaml has no skipped-intervals", (unsigned long long)each->entry->number, each->kind);
    if (!count)
        return sw_rule_open(ruling, "no gap, scan, probe or snapshot check is in evidence; that a connection works shows nothing about the log");
    return sw_rule_pass(ruling, "%zu check%s of continuity in evidence", count, count == 1 ? "" : "s");
}

static const struct sw_rule rules[] = {
    {101, "The last confirmed position at the source is recorded, with its evidence.", "case.yaml: boundaries.source", NULL, {"boundaries.source.position", "boundaries.source.evidence"}, check_source},
    {102, "The last confirmed position that the pipeline saved is recorded, with its evidence.", "case.yaml: boundaries.pipeline", NULL, {"boundaries.pipeline.position", "boundaries.pipeline.evidence"}, check_pipeline},
    {103, "The last confirmed position at the destination is recorded, with its evidence.", "case.yaml: boundaries.destination", NULL, {"boundaries.destination.position", "boundaries.destination.evidence"}, check_destination},
    {104, "When somebody looked is recorded apart from the position.", "case.yaml: boundaries.*.observed-at", NULL,
     {"boundaries.source.observed-at", "boundaries.pipeline.observed-at", "boundaries.destination.observed-at", "boundaries.source.position"}, check_observed},
    {105, "Positions of two sources are never compared: the source's and the pipeline's are of one space.", "case.yaml: boundaries.source, boundaries.pipeline", NULL,
     {"boundaries.source.kind", "boundaries.source.position", "boundaries.pipeline.kind", "boundaries.pipeline.position"}, check_one_space},
    {106, "No conclusion rests on a comparison of positions that do not compare.", "comparison: order", NULL, {NULL}, check_comparisons},
    {107, "After a failover the sequence was checked on the server that now produces changes.", "case.yaml: source.failover", "source.failover", {"source.failover-checked-on", "boundaries.source.system"}, check_failover},
    {108, "That the log is continuous was checked; that a connection works does not show it.", "gap, scan, probe, snapshot: verdict, intervals", NULL, {NULL}, check_continuity},
};

const struct sw_rule_group sw_rules_boundaries = {"Boundaries and positions", rules, sizeof rules / sizeof rules[0]};
