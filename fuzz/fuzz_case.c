/* Any bytes, taken as a case: what is declared, then the line %%%, then a report. Declarations are refused with a place or read twice the same way;
 * a note of what was read is written in each form, its JSON is JSON, its Markdown has no markup but its own, and it confirms nothing that the
 * report's counts contradict. The same bytes taken as a ledger are read, or every fault of them is told. */
#include "property.h"

#include <string.h>

#include "base/memory.h"
#include "case/ledger.h"
#include "case/note_build.h"

static int gather(const void *bytes, size_t len, void *ctx)
{
    sw_buffer_add(ctx, bytes, len);
    return 0;
}

static void check_ledger(struct sw_bytes text)
{
    struct sw_mapping_block *memory = NULL, *memory_again = NULL;
    struct sw_ledger ledger, again;
    struct sw_sentences problems = {0};
    struct sw_error error = {0};
    enum sw_code strict = sw_ledger_read(&again, &memory_again, NULL, text, &error);
    enum sw_code code = sw_ledger_read(&ledger, &memory, &problems, text, &error);
    PROPERTY(code == SW_OK || code == SW_ERR_LIMIT);
    PROPERTY(strict != SW_OK || again.count == ledger.count);
    PROPERTY(code != SW_OK || strict == SW_OK || problems.count);
    for (size_t i = 0; code == SW_OK && i < ledger.count; i++)
        PROPERTY(ledger.entries[i].number == i + 1 && ledger.entries[i].superseded_by <= ledger.count);
    sw_sentences_free(&problems);
    sw_mapping_release(&memory);
    sw_mapping_release(&memory_again);
}

static void check_markdown(const struct sw_buffer *text)
{
    for (size_t i = 0; i < text->len; i++) {
        uint8_t byte = text->at[i];
        PROPERTY(byte == '\n' || byte >= ' ');
        if (byte == '<') /* escaped, or an address that was looked at */
            PROPERTY((i && text->at[i - 1] == '\\') || (i + 4 < text->len && memcmp(text->at + i + 1, "http", 4) == 0));
    }
}

static void check_note(struct sw_bytes declared, struct sw_bytes report)
{
    struct sw_case *folder = sw_calloc(1, sizeof *folder);
    struct sw_ledger_entry *entry = NULL;
    struct sw_handover_note *note = NULL;
    struct sw_buffer out = {0};
    struct sw_document document;
    struct sw_error error = {0};
    PROPERTY(folder);
    strcpy(folder->path, "case");
    strcpy(folder->now, "2031-02-03T12:00:00Z");
    folder->evidence = sw_mapping_alloc(&folder->memory, 2 * sizeof *folder->evidence);
    entry = sw_mapping_alloc(&folder->memory, 2 * sizeof *entry);
    PROPERTY(folder->evidence && entry);
    enum sw_code code = sw_case_declaration_read(&folder->declaration, &folder->memory, declared, "case.yaml", &error);
    PROPERTY(code == SW_OK || (code == SW_ERR_USAGE && error.text[0]) || code == SW_ERR_LIMIT);
    if (code == SW_OK && sw_document_read_up_to(&folder->evidence[0].document, report, SW_EVIDENCE_BYTES_MAX, "the report", &error) == SW_OK) {
        *entry = (struct sw_ledger_entry){.number = 1, .kind = SW_BYTES_LITERAL("reconcile"), .name = SW_BYTES_LITERAL("evidence/0001-report.json"), .title = report, .at = SW_BYTES_LITERAL("2031-02-03T11:00:00Z")};
        folder->ledger = (struct sw_ledger){.entries = entry, .count = 1};
        folder->evidence[0].entry = entry;
        folder->evidence[0].current = true;
        folder->evidence[0].form = sw_evidence_form_of(&folder->evidence[0].kind, folder->evidence[0].document.root);
        enum sw_verdict verdict = sw_evidence_verdict(&folder->evidence[0], "currentState");
        uint64_t different = 0;
        PROPERTY(verdict != SW_VERDICT_CONFIRMED || (sw_evidence_number(&different, &folder->evidence[0], "counts.different") && different == 0));
        PROPERTY(sw_handover_note_build(&note, &folder, &error) == SW_OK && !folder);
        PROPERTY(note->claims[SW_NOTE_CURRENT_STATE].verdict != SW_VERDICT_CONFIRMED || verdict == SW_VERDICT_CONFIRMED);
        PROPERTY(note->uncertain.count && note->limits.count && note->rule_count == note->rules_passed + note->rules_failed + note->rules_open);
        PROPERTY(sw_handover_note_write_markdown(note, gather, &out, &error) == SW_OK);
        check_markdown(&out);
        sw_buffer_clear(&out);
        PROPERTY(sw_handover_note_write_json(note, gather, &out, &error) == SW_OK);
        PROPERTY(sw_document_read_up_to(&document, sw_buffer_view(&out), (size_t)1 << 28, "the note", &error) == SW_OK);
        sw_document_free(&document);
    }
    sw_buffer_free(&out);
    sw_handover_note_free(&note);
    sw_case_close(&folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char separator[] = "\n%%%\n";
    const uint8_t *at = size ? memmem(data, size, separator, sizeof separator - 1) : NULL;
    struct sw_bytes declared = sw_bytes_of(data, at ? (size_t)(at - data) : 0), report = at ? sw_bytes_of(at + sizeof separator - 1, size - declared.len - sizeof separator + 1) : sw_bytes_of(data, size);
    check_ledger(sw_bytes_of(data, size));
    check_note(declared, report);
    return 0;
}
