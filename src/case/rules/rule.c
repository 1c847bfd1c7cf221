#include "case/rules/rule.h"

#include <inttypes.h>
#include <stdio.h>
#include <strings.h>

#include "continuity/instant.h"

const char *sw_answer_name(enum sw_answer answer)
{
    switch (answer) {
    case SW_ANSWER_PASSED: return "passed";
    case SW_ANSWER_FAILED: return "failed";
    case SW_ANSWER_OPEN: break;
    }
    return "not answered";
}

const struct sw_rule_group *sw_rule_group_at(size_t index)
{
    static const struct sw_rule_group *const groups[] = {&sw_rules_boundaries, &sw_rules_criteria, &sw_rules_restart, &sw_rules_backfill, &sw_rules_ordering, &sw_rules_overlap,
                                                         &sw_rules_destination, &sw_rules_statement};
    return index < sizeof groups / sizeof groups[0] ? groups[index] : NULL;
}

const struct sw_rule *sw_rule_find(unsigned number)
{
    const struct sw_rule_group *group;
    for (size_t i = 0; (group = sw_rule_group_at(i)) != NULL; i++)
        for (size_t j = 0; j < group->count; j++)
            if (group->rules[j].number == number)
                return &group->rules[j];
    return NULL;
}

#define ANSWER(name, answer) \
    enum sw_answer name(struct sw_ruling *ruling, const char *format, ...) \
    { \
        char text[1024]; \
        va_list args; \
        va_start(args, format); \
        vsnprintf(text, sizeof text, format, args); \
        va_end(args); \
        sw_buffer_clear(&ruling->detail); \
        sw_buffer_add_text(&ruling->detail, text); \
        return answer; \
    }

ANSWER(sw_rule_pass, SW_ANSWER_PASSED)
ANSWER(sw_rule_fail, SW_ANSWER_FAILED)
ANSWER(sw_rule_open, SW_ANSWER_OPEN)

static const struct sw_field *field_of(const char *path)
{
    for (size_t i = 0; i < sw_case_field_count; i++)
        if (strcmp(sw_case_fields[i].path, path) == 0)
            return &sw_case_fields[i];
    return NULL;
}

/* Does the field say something? */
static bool is_filled(const struct sw_case_declaration *declared, const struct sw_field *field)
{
    const uint8_t *at = (const uint8_t *)declared + field->at;
    size_t count;
    switch (field->form) {
    case SW_FIELD_RECORDS:
        memcpy(&count, (const uint8_t *)declared + field->count_at, sizeof count);
        return count > 0;
    case SW_FIELD_TEXTS: return ((const struct sw_note_texts *)(const void *)at)->count > 0;
    case SW_FIELD_ENTRIES: return ((const struct sw_note_entries *)(const void *)at)->count > 0;
    default: return ((const struct sw_bytes *)(const void *)at)->len > 0;
    }
}

static const struct sw_bytes *text_of(const struct sw_case_declaration *declared, const char *path)
{
    const struct sw_field *field = field_of(path);
    return field ? (const struct sw_bytes *)(const void *)((const uint8_t *)declared + field->at) : NULL;
}

enum sw_answer sw_rule_answer(struct sw_ruling *ruling, const struct sw_rule *rule)
{
    sw_buffer_clear(&ruling->detail);
    if (rule->when) {
        const struct sw_bytes *applies = text_of(ruling->declared, rule->when);
        if (!applies || !applies->len)
            return sw_rule_open(ruling, "case.yaml does not say whether this applies: %s is empty", rule->when);
        if (sw_bytes_is(*applies, "no"))
            return sw_rule_pass(ruling, "does not apply: %s is no", rule->when);
    }
    for (size_t i = 0; i < sizeof rule->needs / sizeof rule->needs[0] && rule->needs[i]; i++) {
        const struct sw_field *field = field_of(rule->needs[i]);
        if (!field || !is_filled(ruling->declared, field))
            return sw_rule_open(ruling, "case.yaml: %s is empty", rule->needs[i]);
    }
    return rule->check ? rule->check(ruling) : sw_rule_pass(ruling, "recorded in case.yaml");
}

enum sw_code sw_rules_apply(struct sw_note_rule **out, size_t *count, struct sw_case *folder, const struct sw_note_claim *claims, struct sw_error *error)
{
    struct sw_ruling ruling = {.folder = folder, .declared = &folder->declaration, .claims = claims};
    const struct sw_rule_group *group;
    size_t most = 0;
    for (size_t i = 0; (group = sw_rule_group_at(i)) != NULL; i++)
        most += group->count;
    *count = 0;
    if (!(*out = sw_mapping_alloc(&folder->memory, (most + 1) * sizeof **out)))
        return sw_fail_memory(error, "the rules", most);
    for (size_t i = 0; (group = sw_rule_group_at(i)) != NULL; i++)
        for (size_t j = 0; j < group->count; j++) {
            enum sw_answer answer = sw_rule_answer(&ruling, &group->rules[j]);
            char *detail = ruling.detail.failed ? NULL : sw_mapping_text(&folder->memory, (const char *)ruling.detail.at, ruling.detail.len);
            if (!detail) {
                sw_buffer_free(&ruling.detail);
                return sw_fail_memory(error, "the rules", 0);
            }
            (*out)[(*count)++] = (struct sw_note_rule){group->rules[j].number, group->rules[j].title, sw_answer_name(answer), sw_bytes_of(detail, ruling.detail.len)};
        }
    sw_buffer_free(&ruling.detail);
    return SW_OK;
}

/* ---- for the checks ---- */

enum sw_answer sw_rule_entries(struct sw_ruling *ruling, struct sw_note_entries entries, const char *field)
{
    for (size_t i = 0; i < entries.count; i++) {
        const struct sw_ledger_entry *entry = sw_ledger_entry(&ruling->folder->ledger, entries.at[i]);
        if (!entry)
            return sw_rule_fail(ruling, "%s names entry %" PRIu64 ", and the ledger has %zu", field, entries.at[i], ruling->folder->ledger.count);
        if (entry->superseded_by)
            return sw_rule_fail(ruling, "%s names entry %" PRIu64 ", which entry %" PRIu64 " has replaced", field, entries.at[i], entry->superseded_by);
        if (sw_bytes_is(entry->kind, "decision"))
            return sw_rule_fail(ruling, "%s names entry %" PRIu64 ", which is a decision and no evidence", field, entries.at[i]);
    }
    return entries.count ? sw_rule_pass(ruling, "rests on %zu entr%s", entries.count, entries.count == 1 ? "y" : "ies") : sw_rule_open(ruling, "case.yaml: %s is empty", field);
}

const struct sw_evidence *sw_rule_next(const struct sw_ruling *ruling, enum sw_evidence_form form, const struct sw_evidence *previous)
{
    const struct sw_case *folder = ruling->folder;
    for (size_t i = previous ? (size_t)(previous - folder->evidence) + 1 : 0; i < folder->ledger.count; i++)
        if (folder->evidence[i].form == form && folder->evidence[i].current)
            return &folder->evidence[i];
    return NULL;
}

bool sw_rule_sum(uint64_t *out, const struct sw_ruling *ruling, const char *path)
{
    bool any = false;
    *out = 0;
    for (const struct sw_evidence *report = NULL; (report = sw_rule_next(ruling, SW_EVIDENCE_REPORT, report)) != NULL; any = true) {
        uint64_t count;
        if (!sw_evidence_number(&count, report, path) || __builtin_add_overflow(*out, count, out))
            return false;
    }
    return any;
}

static struct sw_bytes trimmed(struct sw_bytes text)
{
    while (text.len && text.at[0] <= ' ')
        text = sw_bytes_of(text.at + 1, text.len - 1);
    while (text.len && text.at[text.len - 1] <= ' ')
        text.len--;
    return text;
}

bool sw_rule_same_name(struct sw_bytes a, struct sw_bytes b)
{
    a = trimmed(a);
    b = trimmed(b);
    return a.len == b.len && (!a.len || strncasecmp((const char *)a.at, (const char *)b.at, a.len) == 0);
}

bool sw_rule_position(struct sw_position **out, struct sw_ruling *ruling, struct sw_bytes kind, struct sw_bytes text, struct sw_error *error)
{
    char name[64];
    *out = NULL;
    snprintf(name, sizeof name, "%.*s", kind.len < sizeof name ? (int)kind.len : 0, (const char *)kind.at);
    enum sw_code code = sw_position_parse(out, name, (const char *)text.at, text.len, error);
    if (code == SW_ERR_MEMORY)
        ruling->folder->no_memory = true;
    return code >= 0;
}

bool sw_rule_is_past(const struct sw_ruling *ruling, struct sw_bytes time)
{
    struct sw_instant end, now;
    return sw_instant_parse(&end, time) == SW_INSTANT_KNOWN && sw_instant_parse(&now, sw_bytes_text(ruling->folder->now)) == SW_INSTANT_KNOWN && sw_instant_compare(end, now) <= 0;
}
