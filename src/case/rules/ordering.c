/* 5xx: which version is the newer one, who says so, and what happens when two disagree. */
#include "case/rules/rule.h"

/* Policies that are rules of ours and that no vendor promises. */
static bool is_ours(struct sw_bytes policy) { return sw_bytes_is(policy, "integer") || sw_bytes_is(policy, "file") || sw_bytes_is(policy, "timestamp"); }

static enum sw_answer check_policy(struct sw_ruling *ruling)
{
    const struct sw_bytes policy = ruling->declared->order.policy;
    size_t count = 0;
    for (const struct sw_evidence *report = NULL; (report = sw_rule_next(ruling, SW_EVIDENCE_REPORT, report)) != NULL; count++) {
        struct sw_bytes used = sw_evidence_text(report, ruling->folder, "order.policy");
        if (used.len && !sw_bytes_equal(used, policy))
            return sw_rule_fail(ruling, "case.yaml names the policy %s, and entry %llu used %s", SW_RULE_SHOW(policy), (unsigned long long)report->entry->number, SW_RULE_SHOW(used));
    }
    if (sw_bytes_is(ruling->declared->order.whose, "vendor") && is_ours(policy))
        return sw_rule_fail(ruling, "%s is a rule of ours: it must not be presented as the vendor's guarantee", SW_RULE_SHOW(policy));
    if (!count)
        return sw_rule_open(ruling, "no reconciliation is in evidence that it could be held against");
    return sw_rule_pass(ruling, "%s, named as %s", SW_RULE_SHOW(policy), sw_bytes_is(ruling->declared->order.whose, "ours") ? "ours" : "the vendor's");
}

static enum sw_answer check_assumed(struct sw_ruling *ruling)
{
    size_t count = 0;
    for (const struct sw_evidence *report = NULL; (report = sw_rule_next(ruling, SW_EVIDENCE_REPORT, report)) != NULL; count++)
        if (sw_evidence_at(report, "order.assumed").kind == SW_TOKEN_TRUE && !ruling->declared->order.policy.len)
            return sw_rule_fail(ruling, "entry %llu assumed its order: nobody has declared one", (unsigned long long)report->entry->number);
    return count ? sw_rule_pass(ruling, "the order is declared") : sw_rule_open(ruling, "no reconciliation is in evidence");
}

static enum sw_answer check_identity(struct sw_ruling *ruling)
{
    uint64_t reused;
    if (!sw_rule_sum(&reused, ruling, "counts.reusedIdentities"))
        return sw_rule_open(ruling, "no reconciliation is in evidence that counts identities");
    if (reused)
        return sw_rule_fail(ruling, "%llu identit%s over several contents: what names an event does not name one", (unsigned long long)reused, reused == 1 ? "y stands" : "ies stand");
    return sw_rule_pass(ruling, "no identity stands over two contents");
}

static enum sw_answer check_mixed(struct sw_ruling *ruling)
{
    size_t count = 0;
    for (const struct sw_evidence *report = NULL; (report = sw_rule_next(ruling, SW_EVIDENCE_REPORT, report)) != NULL; count++) {
        uint64_t unordered;
        if (!sw_evidence_number(&unordered, report, "counts.unordered"))
            return sw_rule_open(ruling, "entry %llu does not count keys without an order", (unsigned long long)report->entry->number);
        if (unordered)
            return sw_rule_fail(ruling, "%llu key%s no order under the declared policy (entry %llu): numbered and unnumbered writes, or two sources, may be mixed", (unsigned long long)unordered, unordered == 1 ? " has" : "s have",
                                (unsigned long long)report->entry->number);
    }
    return count ? sw_rule_pass(ruling, "every key has an order") : sw_rule_open(ruling, "no reconciliation is in evidence");
}

static const struct sw_rule rules[] = {
    {501, "The ordering policy is named, as ours or as the vendor's, and is the one that was used.", "case.yaml: order.policy, order.whose; report: order.policy", NULL, {"order.policy", "order.whose"}, check_policy},
    {502, "The order was declared, not assumed.", "report: order.assumed; case.yaml: order.policy", NULL, {NULL}, check_assumed},
    {503, "It is written down who produces the version of a row.", "case.yaml: order.version-producer", NULL, {"order.version-producer"}, NULL},
    {504, "It is written down how two versions compare.", "case.yaml: order.comparison", NULL, {"order.comparison"}, NULL},
    {505, "It is written down what happens when two sources disagree.", "case.yaml: order.disagreement", NULL, {"order.disagreement"}, NULL},
    {506, "Deliveries are told apart by the event's identity, never by its key alone.", "case.yaml: order.event-identity; report: counts.reusedIdentities", NULL, {"order.event-identity"}, check_identity},
    {507, "Writes with and without the declared order are not mixed.", "report: counts.unordered", NULL, {NULL}, check_mixed},
};

const struct sw_rule_group sw_rules_ordering = {"Ordering and identity", rules, sizeof rules / sizeof rules[0]};
