/* Adding a piece, and what belongs to it. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "base/file_io.h"
#include "base/memory.h"
#include "base/options.h"
#include "case/append.h"
#include "case/command_text.h"
#include "continuity/instant.h"
#include "slackwater/version.h"
#include "text/utf8.h"

#define ARGUMENTS_MAX 2000u
#define PIECE_TEXT_MAX 4000u

static enum sw_code keep(struct sw_bytes *out, struct sw_append *append, const char *what, const char *text, struct sw_error *error)
{
    size_t len = text ? strlen(text) : 0;
    if (!len)
        return SW_OK;
    if (len > PIECE_TEXT_MAX || sw_utf8_valid((const uint8_t *)text, len) != len)
        return sw_fail(error, SW_ERR_USAGE, "%s must be UTF-8 of at most %u bytes; keep long texts as a file", what, PIECE_TEXT_MAX);
    char *copy = sw_mapping_text(&append->folder->memory, text, len);
    if (!copy)
        return sw_fail_memory(error, what, len);
    *out = sw_bytes_of(copy, len);
    return SW_OK;
}

static enum sw_code keep_buffer(struct sw_bytes *out, struct sw_append *append, struct sw_buffer *text, struct sw_error *error)
{
    char *copy = text->failed ? NULL : sw_mapping_text(&append->folder->memory, (const char *)text->at, text->len);
    if (copy)
        *out = sw_bytes_of(copy, text->len);
    sw_buffer_free(text);
    return copy ? SW_OK : sw_fail_memory(error, "an entry", 0);
}

/* The command, argument by argument and as a line, without its secrets. */
static enum sw_code keep_command(struct sw_ledger_entry *entry, struct sw_append *append, const struct sw_case_piece *piece, struct sw_error *error)
{
    struct sw_buffer line = {0};
    enum sw_code code = SW_OK;
    enum sw_blot blot = SW_BLOT_SECRETS;
    if (!piece->argument_count)
        return SW_OK;
    if (piece->argument_count > ARGUMENTS_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "the command has %zu arguments; at most %u are kept", piece->argument_count, ARGUMENTS_MAX);
    if (!(entry->arguments.at = sw_mapping_alloc(&append->folder->memory, piece->argument_count * sizeof *entry->arguments.at)))
        return sw_fail_memory(error, "a command", 0);
    for (size_t i = 0; i < piece->argument_count && code == SW_OK; i++) {
        struct sw_bytes argument = sw_bytes_text(piece->arguments[i]);
        struct sw_buffer blotted = {0};
        entry->blotted |= sw_command_blot(&blotted, argument, blot);
        blot = sw_command_blot_next(argument);
        if (i)
            sw_buffer_add_byte(&line, ' ');
        sw_command_quote(&line, sw_buffer_view(&blotted));
        code = keep_buffer(&entry->arguments.at[i], append, &blotted, error);
    }
    entry->arguments.count = piece->argument_count;
    if (code == SW_OK)
        return keep_buffer(&entry->command, append, &line, error);
    sw_buffer_free(&line);
    return code;
}

static enum sw_code keep_supersedes(struct sw_ledger_entry *entry, struct sw_append *append, const struct sw_case_piece *piece, struct sw_error *error)
{
    if (!piece->supersede_count)
        return SW_OK;
    if (!(entry->supersedes.at = sw_mapping_alloc(&append->folder->memory, piece->supersede_count * sizeof *entry->supersedes.at)))
        return sw_fail_memory(error, "an entry", 0);
    for (size_t i = 0; i < piece->supersede_count; i++) {
        uint64_t number = piece->supersedes[i];
        if (!number || number > append->folder->ledger.count)
            return sw_fail(error, SW_ERR_USAGE, "entry %" PRIu64 " cannot be superseded: the ledger has the entries 1 to %zu", number, append->folder->ledger.count);
        entry->supersedes.at[entry->supersedes.count++] = number;
    }
    return SW_OK;
}

/* When a file was collected: its last change, unless somebody says so. */
static enum sw_code keep_collected(struct sw_ledger_entry *entry, struct sw_append *append, const struct sw_case_piece *piece, struct sw_error *error)
{
    struct sw_instant instant;
    struct stat status;
    char text[SW_INSTANT_TEXT_MAX];
    if (piece->collected) {
        if (sw_instant_parse(&instant, sw_bytes_text(piece->collected)) != SW_INSTANT_KNOWN)
            return sw_fail(error, SW_ERR_USAGE, "expected the time of collection with a zone such as 2031-02-03T04:05:06Z, found '%s'", sw_shown(piece->collected).text);
        return keep(&entry->collected, append, "the time", sw_instant_print(text, instant), error);
    }
    if (!piece->path || sw_io_stat(&status, piece->path) != 0)
        return SW_OK;
    return keep(&entry->collected, append, "the time", sw_instant_print(text, (struct sw_instant){.seconds = status.st_mtim.tv_sec}), error);
}

/* ---- what belongs to a report ---- */

static enum sw_code path_of(char out[PATH_MAX], const char *directory, const char *locator, struct sw_error *error)
{
    if (*locator == '/' || !directory)
        return snprintf(out, PATH_MAX, "%s", locator) < PATH_MAX ? SW_OK : sw_fail(error, SW_ERR_LIMIT, "a path is too long");
    return sw_case_path(out, directory, locator, error);
}

static enum sw_code copy_input(struct sw_append *append, const struct sw_case_piece *piece, uint64_t of, const char *role, const char *locator, const char *wanted, struct sw_error *error)
{
    struct sw_ledger_entry entry = {.kind = SW_BYTES_LITERAL("input"), .of = of};
    char path[PATH_MAX], name[PATH_MAX + 32];
    enum sw_code code = path_of(path, piece->directory, locator, error);
    const char *slash = strrchr(locator, '/');
    snprintf(name, sizeof name, "%s-%s", role, slash ? slash + 1 : locator);
    if (code == SW_OK)
        code = sw_append_file(&entry, append, path, name, wanted, error);
    if (code == SW_OK)
        code = keep(&entry.role, append, "a role", role, error);
    if (code == SW_OK)
        code = keep(&entry.locator, append, "a locator", locator, error);
    return code == SW_OK ? sw_append_entry(&entry, append, error) : code;
}

/* The next value of an option among the arguments from *at on ("--map FILE", "--map=FILE", "-mFILE"), or NULL; `letter` 0: it has none. */
static const char *option_value(size_t *at, const struct sw_case_piece *piece, const char *name, char letter)
{
    size_t len = strlen(name);
    while (*at < piece->argument_count) {
        const char *argument = piece->arguments[(*at)++];
        const char *next = *at < piece->argument_count ? piece->arguments[*at] : NULL;
        if (strcmp(argument, "--") == 0)
            break;
        if (strncmp(argument, "--", 2) == 0 && strncmp(argument + 2, name, len) == 0 && (argument[2 + len] == '\0' || argument[2 + len] == '='))
            return argument[2 + len] ? argument + 3 + len : next;
        if (letter && argument[0] == '-' && argument[1] == letter)
            return argument[2] ? argument + 2 : next;
    }
    *at = piece->argument_count;
    return NULL;
}

static enum sw_code add_inputs(struct sw_append *append, const struct sw_case_piece *piece, uint64_t of, const struct sw_evidence *report, struct sw_error *error)
{
    struct sw_document_items inputs = sw_document_items(sw_evidence_at(report, "inputs"));
    enum sw_code code = SW_OK;
    while (code == SW_OK && !inputs.object && sw_document_next(&inputs)) {
        char role[32], locator[PATH_MAX], wanted[SW_DIGEST_HEX_SIZE];
        if (!sw_document_text(role, sizeof role, sw_document_member(inputs.value, "role")) || !sw_document_text(locator, sizeof locator, sw_document_member(inputs.value, "locator")))
            return sw_fail(error, SW_ERR_INPUT, "the report names an input without a role or a locator; it cannot be copied");
        if (!sw_document_text(wanted, sizeof wanted, sw_document_member(inputs.value, "sha256")))
            return sw_fail(error, SW_ERR_INPUT, "%.300s: the report has no digest of it, so that a copy could not be told from another file; compare again with --digest sha256", locator);
        code = copy_input(append, piece, of, role, locator, wanted, error);
    }
    return code;
}

/* The mapping, and reports that were given as evidence of continuity, are small and decide the answer: they are always kept. */
static enum sw_code add_declared(struct sw_append *append, const struct sw_case_piece *piece, uint64_t of, struct sw_error *error)
{
    static const struct { const char *option, *role; char letter; } kept[] = {{"map", "mapping", 'm'}, {"continuity", "continuity", 0}};
    enum sw_code code = SW_OK;
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        size_t at = 0;
        const char *name;
        while (code == SW_OK && (name = option_value(&at, piece, kept[i].option, kept[i].letter)) != NULL)
            if (strcmp(name, "scan") != 0) /* the run's own events, not a file */
                code = copy_input(append, piece, of, kept[i].role, name, NULL, error);
    }
    return code;
}

/* The file of all findings that the report names, if it is still there. */
static enum sw_code add_differences(struct sw_append *append, const struct sw_case_piece *piece, uint64_t of, const struct sw_evidence *report, struct sw_error *error)
{
    struct sw_ledger_entry entry = {.kind = SW_BYTES_LITERAL("differences"), .of = of, .tool = report->entry->tool};
    char path[PATH_MAX], found[PATH_MAX];
    struct stat status;
    if (piece->write_findings) {
        enum sw_code code = sw_append_source(&entry, append, piece->write_findings, piece->source, "differences.ndjson", NULL, error);
        return code == SW_OK ? sw_append_entry(&entry, append, error) : code;
    }
    if (!sw_document_text(found, sizeof found, sw_evidence_at(report, "run.outputs.differences")))
        return SW_OK;
    enum sw_code code = path_of(path, piece->directory, found, error);
    if (code < 0 || sw_io_stat(&status, path) != 0)
        return code;
    code = sw_append_file(&entry, append, path, NULL, NULL, error);
    return code == SW_OK ? sw_append_entry(&entry, append, error) : code;
}

static enum sw_code add_what_belongs(struct sw_append *append, const struct sw_case_piece *piece, uint64_t of, const struct sw_evidence *report, struct sw_error *error)
{
    enum sw_code code = add_differences(append, piece, of, report, error);
    if (code == SW_OK)
        code = add_declared(append, piece, of, error);
    return code == SW_OK && piece->copy_inputs ? add_inputs(append, piece, of, report, error) : code;
}

/* ---- the piece ---- */

/* An address, without what is secret in it. */
static enum sw_code keep_link(struct sw_ledger_entry *entry, struct sw_append *append, const char *link, struct sw_error *error)
{
    struct sw_buffer blotted = {0};
    struct sw_bytes whole = {0};
    enum sw_code code = keep(&whole, append, "a link", link, error);
    if (code == SW_OK && !whole.len)
        return sw_fail(error, SW_ERR_USAGE, "a link must not be empty");
    entry->blotted = sw_command_blot(&blotted, whole, SW_BLOT_SECRETS);
    return code == SW_OK ? keep_buffer(&entry->name, append, &blotted, error) : code;
}

/* Reads what was copied, to see what it is. A file that is no JSON of ours is kept all the same. */
static enum sw_code recognise(struct sw_evidence *out, struct sw_append *append, const struct sw_ledger_entry *entry, const struct sw_buffer *written, struct sw_error *error)
{
    struct sw_buffer text = {0};
    struct sw_error ignored = {0};
    char path[PATH_MAX];
    *out = (struct sw_evidence){.entry = entry, .kind = "file"};
    struct sw_bytes view = sw_buffer_view(written);
    if (!view.len) {
        if (entry->bytes > SW_EVIDENCE_BYTES_MAX)
            return SW_OK;
        enum sw_code code = sw_case_path(path, append->folder->path, (const char *)entry->name.at, error);
        if (code == SW_OK)
            code = sw_case_read_file(&text, path, SW_EVIDENCE_BYTES_MAX, error);
        if (code < 0) {
            sw_buffer_free(&text);
            return code;
        }
        view = sw_buffer_view(&text);
    }
    enum sw_code code = sw_document_read_up_to(&out->document, view, SW_EVIDENCE_BYTES_MAX, "the piece", &ignored);
    if (code == SW_OK)
        out->form = sw_evidence_form_of(&out->kind, out->document.root);
    sw_buffer_free(&text);
    return code == SW_ERR_MEMORY ? sw_fail_memory(error, "a piece of evidence", view.len) : SW_OK;
}

static enum sw_code copy_piece(struct sw_ledger_entry *entry, struct sw_evidence *evidence, struct sw_append *append, const struct sw_case_piece *piece, struct sw_error *error)
{
    struct sw_buffer written = {0}, says = {0};
    char tool[64];
    enum sw_code code = piece->write ? sw_append_source(entry, append, piece->write, piece->source, piece->file_name ? piece->file_name : "result.json", &written, error)
                                     : sw_append_file(entry, append, piece->path, piece->file_name, NULL, error);
    if (code == SW_OK && piece->write && entry->bytes > SW_EVIDENCE_BYTES_MAX)
        code = sw_fail(error, SW_ERR_LIMIT, "the result takes %" PRIu64 " bytes as JSON, and at most %zu are judged: let it list fewer findings (--list)", entry->bytes, SW_EVIDENCE_BYTES_MAX);
    if (code == SW_OK)
        code = recognise(evidence, append, entry, &written, error);
    sw_buffer_free(&written);
    if (code < 0)
        return code;
    sw_evidence_says(&says, evidence->form, evidence->document.root);
    code = keep_buffer(&entry->says, append, &says, error);
    entry->kind = sw_bytes_text(evidence->kind);
    if (code < 0 || !sw_document_text(tool, sizeof tool, sw_evidence_at(evidence, "tool.version")))
        return code;
    struct sw_buffer text = {0};
    sw_buffer_printf(&text, "slackwater %s", tool);
    return keep_buffer(&entry->tool, append, &text, error);
}

static enum sw_code add_piece(uint64_t *number, struct sw_append *append, const struct sw_case_piece *piece, struct sw_error *error)
{
    struct sw_ledger_entry entry = {.link = piece->link != NULL};
    struct sw_evidence evidence = {.kind = "file"};
    char declared[PATH_MAX];
    struct stat ours, given;
    enum sw_code code = piece->link ? keep_link(&entry, append, piece->link, error) : copy_piece(&entry, &evidence, append, piece, error);
    if (code == SW_OK && piece->link)
        entry.kind = SW_BYTES_LITERAL("link");
    if (code == SW_OK && piece->path && sw_case_path(declared, append->folder->path, "case.yaml", NULL) == SW_OK && sw_io_stat(&ours, declared) == 0 && sw_io_stat(&given, piece->path) == 0
        && sw_file_id_equal(sw_file_id_of(&ours), sw_file_id_of(&given)))
        entry.kind = SW_BYTES_LITERAL("declaration");
    if (code == SW_OK && piece->kind && evidence.form == SW_EVIDENCE_OTHER) /* what slackwater wrote keeps its own kind */
        code = keep(&entry.kind, append, "the kind", piece->kind, error);
    if (code == SW_OK && !entry.tool.len)
        code = keep(&entry.tool, append, "the tool", piece->tool, error);
    if (code == SW_OK)
        code = keep(&entry.title, append, "the title", piece->title, error);
    if (code == SW_OK)
        code = keep(&entry.by, append, "who adds it", piece->by, error);
    if (code == SW_OK)
        code = keep(&entry.directory, append, "the directory", piece->directory, error);
    if (code == SW_OK)
        code = keep_collected(&entry, append, piece, error);
    if (code == SW_OK)
        code = keep_command(&entry, append, piece, error);
    if (code == SW_OK)
        code = keep_supersedes(&entry, append, piece, error);
    if (code == SW_OK)
        code = sw_append_entry(&entry, append, error);
    if (code == SW_OK && number)
        *number = entry.number;
    if (code == SW_OK && evidence.form == SW_EVIDENCE_REPORT)
        code = add_what_belongs(append, piece, entry.number, &evidence, error);
    sw_document_free(&evidence.document);
    return code;
}

enum sw_code sw_case_add(uint64_t *number, const char *directory, const struct sw_case_piece *given, struct sw_error *error)
{
    struct sw_case_piece copy = {0};
    enum sw_code code = sw_options_take(&copy, sizeof copy, given, "sw_case_piece", error);
    if (code < 0)
        return code;
    const struct sw_case_piece *piece = &copy;
    static const char *const kinds[] = {"file", "query", "observation", "decision", "link", "screenshot", "declaration"};
    struct sw_append append;
    bool known = !piece->kind;
    if ((piece->path != NULL) + (piece->link != NULL) + (piece->write != NULL) != 1)
        return sw_fail(error, SW_ERR_USAGE, "a piece of evidence is one file, one link or one result");
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        known = known || strcmp(piece->kind, kinds[i]) == 0;
    if (!known)
        return sw_fail(error, SW_ERR_USAGE, "kind: expected file, query, observation, decision or screenshot, found '%s'; results of slackwater are recognised", sw_shown(piece->kind).text);
    code = sw_append_open(&append, directory, error);
    if (code < 0)
        return code;
    code = add_piece(number, &append, piece, error);
    if (code == SW_OK)
        code = sw_append_commit(&append, error);
    sw_append_close(&append);
    return code;
}
