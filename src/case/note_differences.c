/* What the reconciliations that count found, summed up for a note. */
#include <stdio.h>

#include "case/note_build.h"
#include "report/report.h"
#include "text/json_walk.h"

#define LISTED_MAX 10000u

static bool add_count(uint64_t *sum, struct sw_token token)
{
    uint64_t count;
    return token.kind == SW_TOKEN_NUMBER && sw_case_number(&count, sw_bytes_of(token.at, token.len)) && !__builtin_add_overflow(*sum, count, sum);
}

static struct sw_note_count *count_named(struct sw_note_count *counts, size_t *count, const char *name)
{
    for (size_t i = 0; i < *count; i++)
        if (sw_bytes_is(counts[i].name, name))
            return &counts[i];
    counts[*count] = (struct sw_note_count){.name = sw_bytes_text(name)};
    return &counts[(*count)++];
}

/* Adds the reasons of an object of counts, those that occur. */
static void add_reasons(struct sw_note_count *counts, size_t *count, struct sw_token object)
{
    for (unsigned reason = 1; reason < SW_REASON_COUNT; reason++) {
        uint64_t number = 0;
        if (add_count(&number, sw_document_member(object, sw_reason_count_name((enum sw_reason)reason))) && number) {
            struct sw_note_count *each = count_named(counts, count, sw_reason_name((enum sw_reason)reason));
            if (__builtin_add_overflow(each->count, number, &each->count))
                each->count = UINT64_MAX;
        }
    }
}

static enum sw_code add_table(struct sw_note_differences *out, struct sw_case *folder, struct sw_token token, struct sw_error *error)
{
    struct sw_bytes name;
    struct sw_note_table *table = NULL;
    if (!sw_case_token_text(&name, &folder->memory, sw_document_member(token, "table")))
        return sw_fail_memory(error, "a note", token.len);
    for (size_t i = 0; i < out->table_count && !table; i++)
        if (sw_bytes_equal(out->tables[i].name, name))
            table = &out->tables[i];
    if (!table) {
        table = &out->tables[out->table_count++];
        *table = (struct sw_note_table){.name = name, .reasons = sw_mapping_alloc(&folder->memory, SW_REASON_COUNT * sizeof *table->reasons)};
        if (!table->reasons)
            return sw_fail_memory(error, "a note", 0);
    }
    add_count(&table->keys, sw_document_member(token, "keys"));
    add_count(&table->equal, sw_document_member(token, "equal"));
    add_count(&table->different, sw_document_member(token, "different"));
    add_count(&table->conflict, sw_document_member(token, "conflictKeys"));
    add_count(&table->undecided, sw_document_member(token, "undecidedKeys"));
    add_reasons(table->reasons, &table->reason_count, token);
    return SW_OK;
}

static enum sw_code list_findings(struct sw_note_differences *out, struct sw_case *folder, struct sw_token list, uint64_t *listed, struct sw_error *error)
{
    struct sw_document_items items = sw_document_items(list);
    while (!items.object && out->listed.count < LISTED_MAX && sw_document_next(&items)) {
        if (items.value.kind != SW_TOKEN_OBJECT)
            continue;
        char *copy = sw_mapping_text(&folder->memory, (const char *)items.value.at, items.value.len);
        if (!copy)
            return sw_fail_memory(error, "a note", items.value.len);
        out->listed.at[out->listed.count++] = sw_bytes_of(copy, items.value.len);
        ++*listed;
    }
    return SW_OK;
}

/* The file of all findings that belongs to a report. */
static enum sw_code add_file(bool *found, struct sw_note_differences *out, struct sw_case *folder, uint64_t report, struct sw_error *error)
{
    *found = false;
    for (size_t i = 0; i < folder->ledger.count; i++) {
        const struct sw_ledger_entry *entry = &folder->ledger.entries[i];
        char path[PATH_MAX], name[256];
        if (entry->of != report || entry->superseded_by || !sw_bytes_is(entry->kind, "differences") || !sw_bytes_end_text(entry->name, ".ndjson"))
            continue;
        snprintf(name, sizeof name, "%.*s", (int)entry->name.len, (const char *)entry->name.at);
        enum sw_code code = sw_case_path(path, folder->path, name, error);
        char *copy = code == SW_OK ? sw_mapping_text(&folder->memory, path, strlen(path)) : NULL;
        if (code == SW_OK && !copy)
            code = sw_fail_memory(error, "a note", 0);
        if (code < 0)
            return code;
        out->files[out->file_count++] = (struct sw_note_finding_file){entry->name, sw_bytes_text(copy), entry->number, entry->bytes, entry->sha256};
        *found = true;
    }
    return SW_OK;
}

static enum sw_code add_report(struct sw_note_differences *out, struct sw_case *folder, const struct sw_evidence *report, struct sw_error *error)
{
    struct sw_token counts = sw_evidence_at(report, "counts");
    uint64_t findings = 0, listed = 0;
    bool file = false;
    out->reconciled = true;
    add_count(&out->keys, sw_document_member(counts, "keys"));
    add_count(&out->equal, sw_document_member(counts, "equal"));
    add_count(&out->different, sw_document_member(counts, "different"));
    add_count(&out->conflict, sw_document_member(counts, "conflictKeys"));
    add_count(&out->undecided, sw_document_member(counts, "undecidedKeys"));
    add_count(&findings, sw_document_member(counts, "different"));
    add_count(&findings, sw_document_member(counts, "conflictKeys"));
    add_count(&findings, sw_document_member(counts, "undecidedKeys"));
    add_reasons(out->reasons, &out->reason_count, counts);
    struct sw_document_items tables = sw_document_items(sw_evidence_at(report, "tables"));
    enum sw_code code = SW_OK;
    while (code == SW_OK && !tables.object && sw_document_next(&tables))
        code = add_table(out, folder, tables.value, error);
    if (code == SW_OK)
        code = add_file(&file, out, folder, report->entry->number, error);
    if (code < 0 || file)
        return code;
    code = list_findings(out, folder, sw_evidence_at(report, "differences"), &listed, error);
    if (code == SW_OK)
        code = list_findings(out, folder, sw_evidence_at(report, "undecided"), &listed, error);
    out->unlisted += findings > listed ? findings - listed : 0;
    return code;
}

enum sw_code sw_note_differences(struct sw_handover_note *note, struct sw_case *folder, struct sw_error *error)
{
    struct sw_note_differences *out = &note->differences;
    size_t tables = 0, findings = 0;
    for (size_t i = 0; i < folder->ledger.count; i++) {
        const struct sw_evidence *evidence = &folder->evidence[i];
        if (evidence->form != SW_EVIDENCE_REPORT || !evidence->current)
            continue;
        tables += sw_evidence_list(evidence, "tables");
        findings += sw_evidence_list(evidence, "differences") + sw_evidence_list(evidence, "undecided");
    }
    out->reasons = sw_mapping_alloc(&folder->memory, SW_REASON_COUNT * sizeof *out->reasons);
    out->tables = sw_mapping_alloc(&folder->memory, (tables + 1) * sizeof *out->tables);
    out->files = sw_mapping_alloc(&folder->memory, (folder->ledger.count + 1) * sizeof *out->files);
    out->listed.at = sw_mapping_alloc(&folder->memory, ((findings < LISTED_MAX ? findings : LISTED_MAX) + 1) * sizeof *out->listed.at);
    if (!out->reasons || !out->tables || !out->files || !out->listed.at)
        return sw_fail_memory(error, "a note", tables);
    enum sw_code code = SW_OK;
    for (size_t i = 0; i < folder->ledger.count && code == SW_OK; i++)
        if (folder->evidence[i].form == SW_EVIDENCE_REPORT && folder->evidence[i].current)
            code = add_report(out, folder, &folder->evidence[i], error);
    return code;
}
