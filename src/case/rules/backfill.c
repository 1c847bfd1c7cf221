/* 4xx: rereading, its load, and what a rehearsal allows to conclude. */
#include "case/rules/rule.h"

static enum sw_answer check_applied(struct sw_ruling *ruling)
{
    const struct sw_bytes status = ruling->declared->backfill.status;
    if (!sw_bytes_is(status, "completed"))
        return sw_rule_pass(ruling, "the backfill is %s, and nothing is concluded from that", SW_RULE_SHOW(status));
    if (!sw_rule_next(ruling, SW_EVIDENCE_REPORT, NULL))
        return sw_rule_fail(ruling, "completed means read, not applied: no reconciliation of the destination is in evidence");
    return sw_rule_pass(ruling, "the destination was reconciled");
}

static enum sw_answer check_arrival(struct sw_ruling *ruling)
{
    size_t count = 0;
    for (const struct sw_evidence *report = NULL; (report = sw_rule_next(ruling, SW_EVIDENCE_REPORT, report)) != NULL; count++)
        if (sw_evidence_is(report, "order.policy", "file"))
            return sw_rule_fail(ruling, "entry %llu takes arrival for the order: the last file received can hold an older image", (unsigned long long)report->entry->number);
    return count ? sw_rule_pass(ruling, "no reconciliation orders by arrival") : sw_rule_open(ruling, "no reconciliation is in evidence");
}

static enum sw_answer check_resend(struct sw_ruling *ruling)
{
    const struct sw_case_declaration *declared = ruling->declared;
    if (!sw_bytes_is(declared->backfill.restarted, "yes"))
        return sw_rule_pass(ruling, "it was not started again");
    if (!declared->backfill.resend_planned.len)
        return sw_rule_open(ruling, "case.yaml: backfill.resend-planned is empty");
    if (!sw_bytes_is(declared->backfill.resend_planned, "yes"))
        return sw_rule_fail(ruling, "the backfill was started again, and nothing is planned for the rows that come a second time");
    return sw_rule_pass(ruling, "rows that come again are planned for");
}

static enum sw_answer check_size(struct sw_ruling *ruling)
{
    uint64_t rows = 0, largest = 0;
    const struct sw_case_declaration *declared = ruling->declared;
    if (!sw_case_number(&rows, declared->rehearsal.rows) || !sw_case_number(&largest, declared->rehearsal.largest_rows))
        return sw_rule_open(ruling, "rehearsal.rows or rehearsal.largest-rows is no number");
    if (!sw_bytes_is(declared->rehearsal.changes, "yes"))
        return sw_rule_fail(ruling, "nothing changed during the rehearsal: it says nothing about tables that change");
    if (!rows || rows < largest / 10 + (largest % 10 != 0))
        return sw_rule_fail(ruling, "%llu rows were rehearsed, and the largest table has %llu: %s", (unsigned long long)rows, (unsigned long long)largest, rows ? "less than a tenth of it" : "nothing was tried");
    return sw_rule_pass(ruling, "a table of at least a tenth of the largest was rehearsed, with changes going on");
}

static const struct sw_rule rules[] = {
    {401, "A backfill that is completed is not taken for applied: the destination was reconciled.", "case.yaml: backfill.status; report", "backfill.used", {"backfill.status"}, check_applied},
    {402, "It is written down how historical images and change events are ordered.", "case.yaml: backfill.ordering", "backfill.used", {"backfill.ordering"}, NULL},
    {403, "Arrival is not taken for order.", "report: order.policy", NULL, {NULL}, check_arrival},
    {404, "A backfill that was stopped and started again sends its rows again, and that is planned for.", "case.yaml: backfill.restarted, backfill.resend-planned", "backfill.used", {"backfill.restarted"}, check_resend},
    {405, "The rehearsed table is of representative size and changed meanwhile; nothing is extrapolated from a small quiet one.", "case.yaml: rehearsal.rows, rehearsal.largest-rows, rehearsal.changes-during", NULL,
     {"rehearsal.object", "rehearsal.rows", "rehearsal.largest-rows", "rehearsal.changes-during"}, check_size},
    {406, "The throughput was measured and recorded.", "case.yaml: rehearsal.throughput", NULL, {"rehearsal.throughput"}, NULL},
    {407, "The impact on the source was measured and recorded.", "case.yaml: rehearsal.source-impact", NULL, {"rehearsal.source-impact"}, NULL},
    {408, "The application lag was measured and recorded.", "case.yaml: rehearsal.application-lag", NULL, {"rehearsal.application-lag"}, NULL},
    {409, "It is recorded when concurrency is reduced and when the operation is stopped.", "case.yaml: rehearsal.stop-criteria", NULL, {"rehearsal.stop-criteria"}, NULL},
};

const struct sw_rule_group sw_rules_backfill = {"Backfill and rehearsal", rules, sizeof rules / sizeof rules[0]};
