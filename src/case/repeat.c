#include "case/repeat.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/file_io.h"
#include "base/memory.h"
#include "slackwater/version.h"
#include "text/json_walk.h"
#include "text/json_write.h"

#define INPUTS_MAX 2000u
#define FOLDER_FILES_MAX 10000u

/* ---- the canonical form ---- */

struct canonical {
    struct sw_buffer *out;
    struct sw_token inputs, continuity; /* of the root */
};

/* The first input of that digest: of several that are equal, one file may stand for all when they are read again. `number`: of the input itself. */
static size_t first_equal(const struct canonical *canonical, struct sw_token sha256, size_t number)
{
    struct sw_document_items items = sw_document_items(canonical->inputs);
    for (size_t index = 1; sha256.kind == SW_TOKEN_TEXT && index < number && sw_document_next(&items); index++) {
        struct sw_token other = sw_document_member(items.value, "sha256");
        if (other.kind == SW_TOKEN_TEXT && sw_bytes_equal(sw_bytes_of(other.at, other.len), sw_bytes_of(sha256.at, sha256.len)))
            return index;
    }
    return number;
}

/* The name of an input, or of a report on continuity, at the front of what is left of a text: its length, and a number that stays what it is when the file has
 * another name. 0: none. Names and texts are compared as they are escaped, which one writer does in one way. */
static size_t name_at(size_t *number, const struct canonical *canonical, const uint8_t *at, size_t len)
{
    static const char *const members[] = {"locator", "name"};
    const struct sw_token lists[] = {canonical->inputs, canonical->continuity};
    size_t longest = 0, index = 0;
    for (size_t list = 0; list < 2; list++) {
        struct sw_document_items items = sw_document_items(lists[list]);
        while (!items.object && sw_document_next(&items)) {
            struct sw_token name = sw_document_member(items.value, members[list]);
            index++;
            if (name.kind == SW_TOKEN_TEXT && name.len > longest && name.len <= len && memcmp(name.at, at, name.len) == 0 && (name.len == len || strchr(": ,;)", at[name.len]))) {
                longest = name.len;
                *number = list == 0 ? first_equal(canonical, sw_document_member(items.value, "sha256"), index) : index;
            }
        }
    }
    return longest;
}

/* Writes a text with a number for each name in it. In the midst of a sentence only what looks like a file's name is taken for one. */
static void canonical_text(struct canonical *canonical, struct sw_token text)
{
    sw_buffer_add_byte(canonical->out, '"');
    for (size_t at = 0; at < text.len;) {
        size_t number = 0, len = 0;
        if (at == 0 || text.at[at - 1] == ' ' || text.at[at - 1] == '(')
            len = name_at(&number, canonical, text.at + at, text.len - at);
        if (len && (at == 0 || memchr(text.at + at, '.', len) || memchr(text.at + at, '/', len))) {
            sw_buffer_printf(canonical->out, "input %zu", number);
            at += len;
        } else {
            sw_buffer_add_byte(canonical->out, text.at[at++]);
        }
    }
    sw_buffer_add_byte(canonical->out, '"');
}

static bool differs_by_run(struct sw_bytes name) { return sw_bytes_is(name, "run") || sw_bytes_is(name, "tool") || sw_bytes_is(name, "reachedAt") || sw_bytes_is(name, "next"); }

/* Depth is bounded by the reader's. */
static void canonical_value(struct canonical *canonical, struct sw_token value)
{
    struct sw_document_items items = sw_document_items(value);
    bool first = true;
    switch (value.kind) {
    case SW_TOKEN_TEXT: canonical_text(canonical, value); return;
    case SW_TOKEN_OBJECT:
    case SW_TOKEN_ARRAY:
        sw_buffer_add_byte(canonical->out, items.object ? '{' : '[');
        while (sw_document_next(&items)) {
            if (items.object && differs_by_run(items.name))
                continue;
            if (!first)
                sw_buffer_add_byte(canonical->out, ',');
            first = false;
            if (items.object) {
                sw_buffer_add_byte(canonical->out, '"');
                sw_buffer_add_bytes(canonical->out, items.name);
                sw_buffer_add_text(canonical->out, "\":");
            }
            canonical_value(canonical, items.value);
        }
        sw_buffer_add_byte(canonical->out, value.kind == SW_TOKEN_OBJECT ? '}' : ']');
        return;
    default: sw_buffer_add(canonical->out, value.at, value.len);
    }
}

void sw_report_canonical(struct sw_buffer *out, struct sw_token root)
{
    struct canonical canonical = {out, sw_document_member(root, "inputs"), sw_document_member(root, "continuity")};
    canonical_value(&canonical, root);
}

/* ---- inputs ---- */

enum sw_code sw_input_folder_read(struct sw_input_folder *out, struct sw_mapping_block **memory, const char *path, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    DIR *folder = opendir(path);
    if (!folder)
        return sw_fail_errno(error, SW_ERR_IO, errno, "%.600s: the folder of inputs could not be opened", path);
    if (!(out->files = sw_mapping_alloc(memory, FOLDER_FILES_MAX * sizeof *out->files)))
        code = sw_fail_memory(error, "a folder of inputs", FOLDER_FILES_MAX);
    for (const struct dirent *entry; code == SW_OK && (entry = readdir(folder)) != NULL;) {
        char file[PATH_MAX];
        struct stat status;
        uint64_t bytes;
        if (snprintf(file, sizeof file, "%s/%s", path, entry->d_name) >= (int)sizeof file || sw_io_stat(&status, file) != 0 || !S_ISREG(status.st_mode))
            continue;
        if (out->count == FOLDER_FILES_MAX)
            code = sw_fail(error, SW_ERR_LIMIT, "%.600s: more than %u files; name a folder that holds the inputs alone", path, FOLDER_FILES_MAX);
        else if ((code = sw_case_digest_file(out->files[out->count].sha256, &bytes, file, error)) == SW_OK && !(out->files[out->count++].path = sw_mapping_text(memory, file, strlen(file))))
            code = sw_fail_memory(error, "a folder of inputs", 0);
    }
    closedir(folder);
    return code;
}

struct repeat {
    struct sw_case *folder;
    const struct sw_evidence *evidence;
    const struct sw_input_folder *inputs;
    struct sw_buffer *why;
    struct sw_case_input *found;
    size_t count;
    struct sw_error *error;
};

static const char *keep(struct repeat *repeat, const char *text) { return sw_mapping_text(&repeat->folder->memory, text, strlen(text)); }

static bool has_digest(const char *path, struct sw_bytes sha256)
{
    char hex[SW_DIGEST_HEX_SIZE];
    uint64_t bytes;
    struct sw_error ignored = {0};
    return sw_case_digest_file(hex, &bytes, path, &ignored) == SW_OK && sw_bytes_is(sha256, hex);
}

/* A copy in the case, the file itself, or one of equal digest in the folder that was named. */
static const char *find_input(struct repeat *repeat, struct sw_bytes role, struct sw_bytes locator, struct sw_bytes sha256)
{
    const struct sw_ledger_entry *report = repeat->evidence->entry;
    char path[PATH_MAX];
    for (size_t i = 0; i < repeat->folder->ledger.count; i++) {
        const struct sw_ledger_entry *entry = &repeat->folder->ledger.entries[i];
        if (entry->of != report->number || !sw_bytes_equal(entry->role, role) || !sw_bytes_equal(entry->locator, locator) || (sha256.len && !sw_bytes_equal(entry->sha256, sha256)))
            continue;
        if (snprintf(path, sizeof path, "%s/%.*s", repeat->folder->path, (int)entry->name.len, (const char *)entry->name.at) < (int)sizeof path)
            return keep(repeat, path);
    }
    if (!sha256.len)
        return NULL;
    for (size_t i = 0; i < repeat->inputs->count; i++)
        if (sw_bytes_is(sha256, repeat->inputs->files[i].sha256))
            return repeat->inputs->files[i].path;
    bool absolute = locator.len && locator.at[0] == '/';
    int len = absolute || !report->directory.len ? snprintf(path, sizeof path, "%.*s", (int)locator.len, (const char *)locator.at)
                                                 : snprintf(path, sizeof path, "%.*s/%.*s", (int)report->directory.len, (const char *)report->directory.at, (int)locator.len, (const char *)locator.at);
    return len < (int)sizeof path && has_digest(path, sha256) ? keep(repeat, path) : NULL;
}

static bool plain_text(struct sw_bytes text) { return text.len && text.len < PATH_MAX && !memchr(text.at, '\0', text.len); }

/* False: `why` says which input is not there. */
static bool find_inputs(struct repeat *repeat)
{
    struct sw_mapping_block **memory = &repeat->folder->memory;
    struct sw_document_items inputs = sw_document_items(sw_evidence_at(repeat->evidence, "inputs"));
    while (!inputs.object && sw_document_next(&inputs)) {
        struct sw_bytes role, locator, sha256, table;
        if (!sw_case_token_text(&role, memory, sw_document_member(inputs.value, "role")) || !sw_case_token_text(&locator, memory, sw_document_member(inputs.value, "locator"))
            || !sw_case_token_text(&sha256, memory, sw_document_member(inputs.value, "sha256"))
            || !sw_case_token_text(&table, memory, sw_document_member(inputs.value, "table")))
            return false;
        if (!plain_text(role) || !plain_text(locator) || repeat->count == INPUTS_MAX) {
            sw_buffer_add_text(repeat->why, "the report names an input without a role or a locator, or too many of them");
            return false;
        }
        const char *path = sha256.len ? find_input(repeat, role, locator, sha256) : NULL;
        if (!path) {
            sw_buffer_printf(repeat->why, sha256.len ? "no file of the digest of %s is there; name a folder that has it with --inputs" : "the report has no digest of %s", sw_case_show(locator).text);
            return false;
        }
        repeat->found[repeat->count++] = (struct sw_case_input){keep(repeat, (const char *)role.at), keep(repeat, (const char *)locator.at), path, plain_text(table) ? keep(repeat, (const char *)table.at) : NULL};
    }
    if (!repeat->count)
        sw_buffer_add_text(repeat->why, "the report names no input");
    return repeat->count > 0;
}

/* What was declared in files: kept with the report, and found by its name. */
static void find_declared(struct repeat *repeat)
{
    for (size_t i = 0; i < repeat->folder->ledger.count && repeat->count < INPUTS_MAX; i++) {
        const struct sw_ledger_entry *entry = &repeat->folder->ledger.entries[i];
        bool mapping = sw_bytes_is(entry->role, "mapping");
        if (entry->of != repeat->evidence->entry->number || !(mapping || sw_bytes_is(entry->role, "continuity")) || !plain_text(entry->locator))
            continue;
        const char *path = find_input(repeat, entry->role, entry->locator, entry->sha256);
        if (path)
            repeat->found[repeat->count++] = (struct sw_case_input){mapping ? "mapping" : "continuity", keep(repeat, (const char *)entry->locator.at), path, NULL};
    }
}

static int gather(const void *bytes, size_t len, void *ctx)
{
    struct sw_buffer *out = ctx;
    sw_buffer_add(out, bytes, len);
    return out->failed ? ENOMEM : out->len > SW_EVIDENCE_BYTES_MAX ? EFBIG : 0;
}

static enum sw_code compare(enum sw_repeated *out, char sha256[SW_DIGEST_HEX_SIZE], struct repeat *repeat, struct sw_bytes text)
{
    struct sw_document document;
    struct sw_buffer before = {0}, after = {0};
    enum sw_code code = sw_document_read_up_to(&document, text, SW_EVIDENCE_BYTES_MAX, "the repeated report", repeat->error);
    if (code < 0)
        return code;
    sw_report_canonical(&before, repeat->evidence->document.root);
    sw_report_canonical(&after, document.root);
    if (before.failed || after.failed)
        code = sw_fail_memory(repeat->error, "a report", text.len);
    else
        code = sw_case_digest(sha256, sw_buffer_view(&after), repeat->error);
    if (code == SW_OK) {
        bool same = sw_bytes_equal(sw_buffer_view(&before), sw_buffer_view(&after));
        *out = same ? SW_REPEATED_SAME : SW_REPEATED_OTHER;
        sw_buffer_add_text(repeat->why, same ? "the same result from inputs of equal digest" : "another result from inputs of equal digest");
        char made_by[64];
        if (!same && sw_document_text(made_by, sizeof made_by, sw_evidence_at(repeat->evidence, "tool.version")) && strcmp(made_by, sw_version()) != 0)
            sw_buffer_printf(repeat->why, "; it was made by slackwater %s, this is %s", sw_shown(made_by).text, sw_version());
    }
    sw_buffer_free(&before);
    sw_buffer_free(&after);
    sw_document_free(&document);
    return code;
}

enum sw_code sw_case_repeat(enum sw_repeated *out, struct sw_buffer *why, char sha256[SW_DIGEST_HEX_SIZE], struct sw_case *folder, const struct sw_evidence *evidence, const struct sw_input_folder *inputs,
    sw_case_repeat_fn run, void *run_ctx, struct sw_error *error)
{
    const struct sw_ledger_entry *entry = evidence->entry;
    struct repeat repeat = {.folder = folder, .evidence = evidence, .inputs = inputs, .why = why, .error = error};
    const char **arguments = sw_mapping_alloc(&folder->memory, (entry->arguments.count + 1) * sizeof *arguments);
    struct sw_buffer text = {0};
    struct sw_error failure = {0};
    *out = SW_NOT_REPEATED;
    sha256[0] = '\0';
    repeat.found = sw_mapping_alloc(&folder->memory, (INPUTS_MAX + 1) * sizeof *repeat.found);
    if (!arguments || !repeat.found)
        return sw_fail_memory(error, "a repetition", 0);
    if (!entry->arguments.count || entry->blotted) {
        sw_buffer_add_text(why, entry->blotted ? "its command held a password, which is not kept" : "it was added without its command");
        return SW_OK;
    }
    for (size_t i = 0; i < entry->arguments.count; i++)
        if (!(arguments[i] = sw_mapping_text(&folder->memory, (const char *)entry->arguments.at[i].at, entry->arguments.at[i].len)))
            return sw_fail_memory(error, "a repetition", 0);
    if (!find_inputs(&repeat))
        return SW_OK;
    find_declared(&repeat);
    enum sw_code code = run(arguments, entry->arguments.count, repeat.found, repeat.count, gather, &text, run_ctx, &failure);
    if (code == SW_OK)
        code = compare(out, sha256, &repeat, sw_buffer_view(&text));
    else if (code == SW_ERR_MEMORY || code == SW_ERR_CANCELLED)
        code = sw_fail(error, code, "%s", failure.text);
    else { /* what it was made with may no longer be there: that is no change of the case */
        sw_buffer_printf(why, "the command could not be run again: %.600s", failure.text);
        code = SW_OK;
    }
    sw_buffer_free(&text);
    return code;
}
