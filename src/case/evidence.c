#include "case/evidence.h"

#include <stdio.h>

#include "case/declaration.h"
#include "case/folder.h"

/* ---- members ---- */

static struct sw_token member_at(struct sw_token token, const char *path)
{
    char name[64];
    while (*path) {
        size_t len = strcspn(path, ".");
        if (len >= sizeof name)
            return (struct sw_token){.kind = SW_TOKEN_ABSENT};
        memcpy(name, path, len);
        name[len] = '\0';
        token = sw_document_member(token, name);
        path += len + (path[len] == '.');
    }
    return token;
}

static bool token_is(struct sw_token token, const char *text)
{
    char found[128];
    return sw_document_text(found, sizeof found, token) && strcmp(found, text) == 0;
}

static bool token_begins(struct sw_token token, const char *text)
{
    char found[128];
    return sw_document_text(found, sizeof found, token) && strncmp(found, text, strlen(text)) == 0;
}

struct sw_token sw_evidence_at(const struct sw_evidence *evidence, const char *path) { return member_at(evidence->document.root, path); }

struct sw_bytes sw_evidence_text(const struct sw_evidence *evidence, struct sw_case *folder, const char *path)
{
    struct sw_bytes text;
    if (!sw_case_token_text(&text, &folder->memory, sw_evidence_at(evidence, path)))
        folder->no_memory = true;
    return text;
}

bool sw_evidence_number(uint64_t *out, const struct sw_evidence *evidence, const char *path)
{
    struct sw_token token = sw_evidence_at(evidence, path);
    return token.kind == SW_TOKEN_NUMBER && sw_case_number(out, sw_bytes_of(token.at, token.len));
}

bool sw_evidence_is(const struct sw_evidence *evidence, const char *path, const char *text) { return token_is(sw_evidence_at(evidence, path), text); }

static size_t list_count(struct sw_token list)
{
    struct sw_document_items items = sw_document_items(list);
    size_t count = 0;
    if (list.kind != SW_TOKEN_ARRAY)
        return 0;
    while (sw_document_next(&items))
        count++;
    return count;
}

size_t sw_evidence_list(const struct sw_evidence *evidence, const char *path) { return list_count(sw_evidence_at(evidence, path)); }

/* ---- what it is ---- */

enum sw_evidence_form sw_evidence_form_of(const char **kind, struct sw_token root)
{
    static const struct { const char *command, *kind; } commands[] = {
        {"position gap", "gap"}, {"position scan", "scan"}, {"position probe", "probe"}, {"position snapshot", "snapshot"},
    };
    struct sw_token schema = sw_document_member(root, "schema"), command = sw_document_member(root, "command");
    *kind = "file";
    if (token_begins(schema, "slackwater.report/")) {
        *kind = "reconcile";
        return SW_EVIDENCE_REPORT;
    }
    if (token_begins(schema, "slackwater.challenge/")) {
        *kind = "challenge";
        return SW_EVIDENCE_CHALLENGE;
    }
    if (token_begins(schema, "slackwater.comparison/")) {
        *kind = "comparison";
        return SW_EVIDENCE_COMPARISON;
    }
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char name[48];
        snprintf(name, sizeof name, "slackwater.%s/", commands[i].kind);
        if ((token_begins(schema, "slackwater.continuity/") && token_is(command, commands[i].command)) || token_begins(schema, name)) {
            *kind = commands[i].kind;
            return SW_EVIDENCE_CONTINUITY;
        }
    }
    if (token_begins(schema, "slackwater.continuity/")) {
        *kind = "continuity";
        return SW_EVIDENCE_CONTINUITY;
    }
    return SW_EVIDENCE_OTHER;
}

/* ---- what it says ---- */

static bool is_number(const struct sw_evidence *evidence, const char *path, uint64_t wanted)
{
    uint64_t number;
    return sw_evidence_number(&number, evidence, path) && number == wanted;
}

bool sw_evidence_is_limited(const struct sw_evidence *evidence) { return evidence->form == SW_EVIDENCE_REPORT && sw_evidence_at(evidence, "scope").kind != SW_TOKEN_ABSENT; }

/* Nothing but a declared condition and nothing else makes it whole. */
bool sw_evidence_is_part(const struct sw_evidence *evidence)
{
    struct sw_token declared = sw_evidence_at(evidence, "scope.declared");
    return sw_evidence_is_limited(evidence) && !(sw_evidence_at(evidence, "scope.part").kind == SW_TOKEN_FALSE && sw_evidence_at(evidence, "scope.sample").kind == SW_TOKEN_NULL && declared.kind == SW_TOKEN_TEXT && declared.len);
}

/* What the counts themselves allow to be called equal: see docs/report.md, "Exit status and verdicts". */
static bool all_equal(const struct sw_evidence *report)
{
    uint64_t keys, equal;
    return sw_evidence_number(&keys, report, "counts.keys") && sw_evidence_number(&equal, report, "counts.equal") && keys && keys == equal && is_number(report, "counts.different", 0)
        && is_number(report, "counts.conflictKeys", 0) && is_number(report, "counts.undecidedKeys", 0) && is_number(report, "counts.badRecords", 0)
        && (is_number(report, "exitStatus", 0) || is_number(report, "exitStatus", 3)) /* 3: of a gap in the history, which is another claim */
        && sw_evidence_at(report, "columnsAbsent").kind == SW_TOKEN_ARRAY && sw_evidence_list(report, "columnsAbsent") == 0
        && !sw_evidence_is_part(report) && sw_evidence_at(report, "differences").kind == SW_TOKEN_ARRAY && sw_evidence_list(report, "differences") == 0;
}

enum sw_verdict sw_evidence_verdict(const struct sw_evidence *evidence, const char *claim)
{
    char path[64];
    snprintf(path, sizeof path, "verdicts.%s.verdict", claim);
    if (evidence->form != SW_EVIDENCE_REPORT)
        return SW_VERDICT_UNPROVEN;
    if (sw_evidence_is(evidence, path, "refuted"))
        return SW_VERDICT_REFUTED;
    if (!sw_evidence_is(evidence, path, "confirmed"))
        return SW_VERDICT_UNPROVEN;
    if (strcmp(claim, "currentState") == 0)
        return all_equal(evidence) ? SW_VERDICT_CONFIRMED : SW_VERDICT_UNPROVEN;
    return is_number(evidence, "counts.inconsistentHistory", 0) && is_number(evidence, "counts.badRecords", 0) && sw_evidence_at(evidence, "historyCompletenessProven").kind == SW_TOKEN_TRUE
        ? SW_VERDICT_CONFIRMED : SW_VERDICT_UNPROVEN;
}

bool sw_evidence_has_gap(const struct sw_evidence *evidence)
{
    if (evidence->form != SW_EVIDENCE_CONTINUITY)
        return false;
    return sw_evidence_list(evidence, "intervals") || sw_evidence_list(evidence, "gaps") || sw_evidence_is(evidence, "verdict", "gap") || sw_evidence_is(evidence, "verdict", "restorable with a gap");
}

bool sw_evidence_is_continuous(const struct sw_evidence *evidence)
{
    return evidence->form == SW_EVIDENCE_CONTINUITY && !sw_evidence_has_gap(evidence) && (sw_evidence_is(evidence, "verdict", "continuous") || sw_evidence_is(evidence, "verdict", "restorable"));
}

/* The sum of a number over the rows of one of a challenge's lists. */
static uint64_t rows_sum(const struct sw_evidence *evidence, const char *list, const char *name)
{
    struct sw_document_items rows = sw_document_items(sw_evidence_at(evidence, list));
    uint64_t sum = 0, number;
    while (!rows.object && sw_document_next(&rows)) {
        struct sw_token token = sw_document_member(rows.value, name);
        if (token.kind == SW_TOKEN_NUMBER && sw_case_number(&number, sw_bytes_of(token.at, token.len)) && __builtin_add_overflow(sum, number, &sum))
            return UINT64_MAX;
    }
    return sum;
}

bool sw_evidence_survivors(uint64_t *out, const struct sw_evidence *evidence)
{
    struct sw_token list = sw_evidence_at(evidence, "survivors");
    if (evidence->form != SW_EVIDENCE_CHALLENGE)
        return false;
    uint64_t status, changed = 0;
    if (list.kind != SW_TOKEN_ARRAY || !sw_evidence_number(&status, evidence, "exitStatus"))
        return false;
    /* the list is cut at some length; the rows count all of them, and what changed and must not have */
    *out = rows_sum(evidence, "mustBeCaught", "survived");
    changed = rows_sum(evidence, "mustNotChange", "changed");
    *out = *out > list_count(list) ? *out : list_count(list);
    if (__builtin_add_overflow(*out, changed, out))
        *out = UINT64_MAX;
    if (!*out && status == 1)
        *out = 1;
    return *out || status == 0;
}

void sw_evidence_says(struct sw_buffer *out, enum sw_evidence_form form, struct sw_token root)
{
    const struct sw_evidence evidence = {.form = form, .document = {.root = root}};
    char text[256];
    uint64_t survivors;
    switch (form) {
    case SW_EVIDENCE_REPORT:
        if (sw_document_text(text, sizeof text, sw_evidence_at(&evidence, "headline.word")))
            sw_buffer_add_text(out, text);
        if (sw_document_text(text, sizeof text, sw_evidence_at(&evidence, "headline.sentence")))
            sw_buffer_printf(out, ": %s", text);
        break;
    case SW_EVIDENCE_CONTINUITY:
        if (sw_document_text(text, sizeof text, sw_evidence_at(&evidence, "verdict")))
            sw_buffer_add_text(out, text);
        break;
    case SW_EVIDENCE_COMPARISON:
        if (sw_document_text(text, sizeof text, sw_evidence_at(&evidence, "order")))
            sw_buffer_add_text(out, text);
        break;
    case SW_EVIDENCE_CHALLENGE:
        if (sw_evidence_survivors(&survivors, &evidence))
            sw_buffer_printf(out, survivors == 1 ? "1 survivor" : "%llu survivors", (unsigned long long)survivors);
        break;
    case SW_EVIDENCE_OTHER: break;
    }
}
