/* 8xx: what is said, with what beside it, and whether somebody else can do it again. */
#include <inttypes.h>
#include <strings.h>

#include "case/rules/rule.h"

static bool holds_word(struct sw_bytes text, const char *word)
{
    size_t len = strlen(word);
    for (size_t i = 0; i + len <= text.len; i++)
        if (strncasecmp((const char *)text.at + i, word, len) == 0)
            return true;
    return false;
}

/* The word without one of the three things that it may mean. */
static bool is_vague(struct sw_bytes text)
{
    static const char *const meanings[] = {"process", "current state", "history", "every change"};
    if (!holds_word(text, "recovered") && !holds_word(text, "recovery is complete") && !holds_word(text, "fully restored"))
        return false;
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
        if (holds_word(text, meanings[i]))
            return false;
    return true;
}

/* Looks at every text that somebody wrote into case.yaml. */
static enum sw_answer check_words(struct sw_ruling *ruling)
{
    const uint8_t *base = (const uint8_t *)ruling->declared;
    for (size_t i = 0; i < sw_case_field_count; i++) {
        const struct sw_field *field = &sw_case_fields[i];
        if (field->form == SW_FIELD_TEXT && is_vague(*(const struct sw_bytes *)(const void *)(base + field->at)))
            return sw_rule_fail(ruling, "%s says that something is recovered, and not which: the process, the current state or the history", field->path);
        if (field->form != SW_FIELD_RECORDS)
            continue;
        const uint8_t *records;
        size_t count;
        memcpy(&records, base + field->at, sizeof records);
        memcpy(&count, base + field->count_at, sizeof count);
        for (size_t item = 0; item < count; item++)
            for (size_t j = 0; j < field->item_count; j++)
                if (is_vague(*(const struct sw_bytes *)(const void *)(records + item * field->item_size + field->items[j].at)))
                    return sw_rule_fail(ruling, "%s[%zu].%s says that something is recovered, and not which: the process, the current state or the history", field->path, item + 1, field->items[j].path);
    }
    for (size_t i = 0; i < ruling->folder->ledger.count; i++)
        if (is_vague(ruling->folder->ledger.entries[i].title))
            return sw_rule_fail(ruling, "the title of entry %zu says that something is recovered, and not which: the process, the current state or the history", i + 1);
    return sw_rule_pass(ruling, "no text says so without saying what");
}

static enum sw_answer check_times(struct sw_ruling *ruling)
{
    size_t reached = 0;
    for (size_t i = 0; i < SW_NOTE_CLAIM_COUNT; i++) {
        const struct sw_note_claim *claim = &ruling->claims[i];
        if (claim->verdict == SW_VERDICT_UNPROVEN)
            continue;
        if (!claim->reached_at.len)
            return sw_rule_fail(ruling, "%s is %s, and nobody knows since when", claim->name, sw_verdict_name(claim->verdict));
        reached++;
    }
    return sw_rule_pass(ruling, "%zu verdict%s reached, each with its time", reached, reached == 1 ? "" : "s");
}

static enum sw_answer check_limits(struct sw_ruling *ruling)
{
    size_t count = 0;
    for (const struct sw_evidence *report = NULL; (report = sw_rule_next(ruling, SW_EVIDENCE_REPORT, report)) != NULL; count++)
        if (!sw_evidence_list(report, "limits"))
            return sw_rule_fail(ruling, "entry %" PRIu64 " carries no limits: what it does not show must stand beside what it does", report->entry->number);
    return count ? sw_rule_pass(ruling, "each reconciliation carries its limits") : sw_rule_open(ruling, "no reconciliation is in evidence");
}

static enum sw_answer check_process(struct sw_ruling *ruling)
{
    const struct sw_case_declaration *declared = ruling->declared;
    for (size_t i = 0; i < declared->process.evidence.count; i++) {
        const struct sw_ledger_entry *entry = sw_ledger_entry(&ruling->folder->ledger, declared->process.evidence.at[i]);
        if (!entry || !(sw_bytes_is(entry->kind, "observation") || sw_bytes_is(entry->kind, "screenshot")))
            return sw_rule_fail(ruling, "process.evidence names entry %" PRIu64 ", which is no observation of the process", declared->process.evidence.at[i]);
    }
    return sw_rule_entries(ruling, declared->process.evidence, "process.evidence");
}

static enum sw_answer check_links(struct sw_ruling *ruling)
{
    size_t count = 0;
    for (size_t i = 0; i < ruling->folder->ledger.count; i++) {
        const struct sw_ledger_entry *entry = &ruling->folder->ledger.entries[i];
        count += !entry->superseded_by && (sw_bytes_is(entry->kind, "query") || entry->link);
    }
    return count ? sw_rule_pass(ruling, "%zu quer%s and links in evidence", count, count == 1 ? "y" : "ies") : sw_rule_open(ruling, "no query and no link is in evidence: slackwater case add --kind query, --link");
}

static enum sw_answer check_commands(struct sw_ruling *ruling)
{
    size_t count = 0;
    for (size_t i = 0; i < ruling->folder->ledger.count; i++) {
        const struct sw_evidence *evidence = &ruling->folder->evidence[i];
        if (!evidence->current || evidence->form == SW_EVIDENCE_OTHER)
            continue;
        if (!evidence->entry->tool.len)
            return sw_rule_fail(ruling, "entry %zu (%s) does not say which version made it", i + 1, evidence->kind);
        if (!evidence->entry->arguments.count)
            return sw_rule_open(ruling, "entry %zu (%s) was added without its command: let the command itself add it, with --case", i + 1, evidence->kind);
        count++;
    }
    return count ? sw_rule_pass(ruling, "each result has its time, version and command") : sw_rule_open(ruling, "no result of slackwater is in evidence");
}

static enum sw_answer check_digests(struct sw_ruling *ruling)
{
    size_t count = 0;
    for (const struct sw_evidence *report = NULL; (report = sw_rule_next(ruling, SW_EVIDENCE_REPORT, report)) != NULL; count++) {
        struct sw_document_items inputs = sw_document_items(sw_evidence_at(report, "inputs"));
        while (!inputs.object && sw_document_next(&inputs))
            if (sw_document_member(inputs.value, "sha256").kind != SW_TOKEN_TEXT)
                return sw_rule_fail(ruling, "entry %" PRIu64 " has an input without a digest: nobody can tell whether a file is the one that was compared", report->entry->number);
    }
    return count ? sw_rule_pass(ruling, "each input has a digest") : sw_rule_open(ruling, "no reconciliation is in evidence");
}

static const struct sw_rule rules[] = {
    {801, "Nothing is called recovered without saying which is meant: the process, the current state or the history.", "case.yaml: every text; ledger: title", NULL, {NULL}, check_words},
    {802, "Each verdict stands with the time it was reached.", "report: verdicts.*.reachedAt; case.yaml: process.observed-at", NULL, {NULL}, check_times},
    {803, "Its limits stand beside every conclusion.", "report: limits", NULL, {NULL}, check_limits},
    {804, "That the process runs rests on an observation of it, never on data.", "case.yaml: process.evidence; ledger: kind", NULL, {"process.state", "process.observed-at"}, check_process},
    {805, "The next owner is named, with what comes next.", "case.yaml: handover.next-owner, handover.next-step", NULL, {"handover.next-owner", "handover.next-step"}, NULL},
    {806, "The affected interval is recorded.", "case.yaml: affected.from, affected.to", NULL, {"affected.from", "affected.to"}, NULL},
    {807, "The pipeline's version is recorded.", "case.yaml: handover.pipeline-version", NULL, {"handover.pipeline-version"}, NULL},
    {808, "What can be restored from is recorded.", "case.yaml: resources", NULL, {"resources"}, NULL},
    {809, "Queries and results can be reached: they are kept, or linked.", "ledger: kind", NULL, {NULL}, check_links},
    {810, "Each result stands with the time, the version and the exact command that made it.", "ledger: at, tool, command", NULL, {NULL}, check_commands},
    {811, "Another person can repeat the comparison: its inputs are known by their digests.", "report: inputs.sha256", NULL, {NULL}, check_digests},
    {812, "It is written down which process of the organization authorizes production; nothing here does.", "case.yaml: handover.authorization", NULL, {"handover.authorization"}, NULL},
};

const struct sw_rule_group sw_rules_statement = {"What is said", rules, sizeof rules / sizeof rules[0]};
