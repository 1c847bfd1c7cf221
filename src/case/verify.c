/* Is a case what it was? Every piece, the chain, the head, signatures, and the comparisons again. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file_io.h"
#include "base/memory.h"
#include "base/options.h"
#include "case/folder.h"
#include "case/repeat.h"
#include "case/signature.h"
#include "continuity/report.h"
#include "report/width.h"
#include "slackwater/case.h"
#include "slackwater/version.h"
#include "text/json_write.h"

struct verify {
    const struct sw_verify_options *options;
    struct sw_case *folder;
    struct sw_sentences problems;  /* a piece is not what it was */
    struct sw_sentences open;      /* what could not be vouched for */
    struct sw_sentences repeated;  /* what was, and came out the same */
    struct sw_sentences notes;
    bool head_checked, signed_whole;
    struct sw_error *error;
};

/* ---- pieces ---- */

static enum sw_code check_piece(struct verify *verify, const struct sw_ledger_entry *entry)
{
    char path[PATH_MAX], name[256], hex[SW_DIGEST_HEX_SIZE];
    uint64_t bytes;
    struct sw_error failure = {0};
    struct stat status;
    if (!entry->kind.len || entry->link || !entry->name.len)
        return SW_OK;
    snprintf(name, sizeof name, "%.*s", (int)entry->name.len, (const char *)entry->name.at);
    enum sw_code code = sw_case_path(path, verify->folder->path, name, verify->error);
    if (code < 0)
        return code;
    int sys_errno = sw_io_stat(&status, path);
    if (sys_errno == ENOENT || sys_errno == ENOTDIR) {
        sw_sentences_add(&verify->problems, "%s (entry %" PRIu64 "): is missing", name, entry->number);
        return SW_OK;
    }
    code = sw_case_digest_file(hex, &bytes, path, &failure);
    if (code == SW_ERR_INPUT) {
        sw_sentences_add(&verify->problems, "%s (entry %" PRIu64 "): is no file any more", name, entry->number);
        return SW_OK;
    }
    if (code < 0)
        return sw_fail(verify->error, code, "%s", failure.text);
    if (bytes != entry->bytes)
        sw_sentences_add(&verify->problems, "%s (entry %" PRIu64 "): was changed: %" PRIu64 " bytes, the ledger has %" PRIu64, name, entry->number, bytes, entry->bytes);
    else if (!sw_bytes_is(entry->sha256, hex))
        sw_sentences_add(&verify->problems, "%s (entry %" PRIu64 "): was changed: sha256 %.16s…, the ledger has %.16s…", name, entry->number, hex, (const char *)entry->sha256.at);
    return SW_OK;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* The names that the ledger has, sorted; each is ended by a NUL. */
static enum sw_code ledger_names(char ***out, size_t *count, struct verify *verify)
{
    const struct sw_ledger *ledger = &verify->folder->ledger;
    *count = 0;
    if (!(*out = sw_mapping_alloc(&verify->folder->memory, (ledger->count + 1) * sizeof **out)))
        return sw_fail_memory(verify->error, "a list of names", ledger->count);
    for (size_t i = 0; i < ledger->count; i++) {
        struct sw_bytes name = ledger->entries[i].name;
        if (ledger->entries[i].link || !name.len)
            continue;
        if (!((*out)[*count] = sw_mapping_text(&verify->folder->memory, (const char *)name.at, name.len)))
            return sw_fail_memory(verify->error, "a list of names", name.len);
        ++*count;
    }
    qsort(*out, *count, sizeof **out, by_name);
    return SW_OK;
}

/* Files that nobody recorded. */
static enum sw_code find_strays(struct verify *verify)
{
    enum { SHOWN = 20 };
    char path[PATH_MAX];
    char *names[SHOWN], **known = NULL;
    size_t count = 0, more = 0, known_count = 0;
    enum sw_code code = sw_case_path(path, verify->folder->path, "evidence", verify->error);
    if (code == SW_OK)
        code = ledger_names(&known, &known_count, verify);
    if (code < 0)
        return code;
    DIR *folder = opendir(path);
    if (!folder) {
        if (errno != ENOENT)
            return sw_fail_errno(verify->error, SW_ERR_IO, errno, "%.600s: could not be opened", path);
        sw_sentences_add(&verify->problems, "evidence: the folder is missing");
        return SW_OK;
    }
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char name[300];
        const char *key = name;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(name, sizeof name, "evidence/%s", entry->d_name);
        if (bsearch(&key, known, known_count, sizeof *known, by_name))
            continue;
        if (count == SHOWN)
            more++;
        else if ((names[count] = sw_mapping_text(&verify->folder->memory, name, strlen(name))) != NULL)
            count++;
        else
            code = sw_fail_memory(verify->error, "a list of names", 0);
    }
    closedir(folder);
    if (code < 0)
        return code;
    qsort(names, count, sizeof names[0], by_name);
    for (size_t i = 0; i < count; i++)
        sw_sentences_add(&verify->open, "%s: is not in the ledger: an add that died left it, or somebody put it there; add it, or remove it", sw_shown(names[i]).text);
    if (more)
        sw_sentences_add(&verify->open, "%zu more files in evidence/ are not in the ledger", more);
    return SW_OK;
}

static enum sw_code check_declaration(struct verify *verify)
{
    bool same;
    const struct sw_ledger_entry *recorded;
    enum sw_code code = sw_case_recorded(&recorded, &same, verify->folder, verify->error);
    if (code < 0)
        return code;
    if (!recorded)
        sw_sentences_add(&verify->open, "case.yaml: is not in the ledger yet; `slackwater case handover` records it");
    else if (!same)
        sw_sentences_add(&verify->problems, "case.yaml: was changed after entry %" PRIu64 " recorded it (%.*s has it as it was); hand over again, or put it back", recorded->number, (int)recorded->name.len, (const char *)recorded->name.at);
    return SW_OK;
}

/* ---- the head ---- */

/* A head that was copied in part or mistyped must not read as a ledger that was tampered with. */
static enum sw_code read_head(char out[SW_DIGEST_HEX_SIZE], const char *given, struct sw_error *error)
{
    size_t len = 0;
    for (; len < SW_DIGEST_HEX_SIZE - 1 && isxdigit((unsigned char)given[len]); len++)
        out[len] = (char)tolower((unsigned char)given[len]);
    out[len] = '\0';
    if (len == SW_DIGEST_HEX_SIZE - 1 && !given[len])
        return SW_OK;
    return sw_fail(error, SW_ERR_USAGE, "the head: expected the %d hexadecimal digits that a note prints behind --head, found %zu characters, '%s'; copy all of it", SW_DIGEST_HEX_SIZE - 1,
                   strlen(given), sw_shown(given).text);
}

static void check_head(struct verify *verify)
{
    const struct sw_verify_options *options = verify->options;
    const struct sw_ledger *ledger = &verify->folder->ledger;
    if (!options->head) {
        if (options->length && options->length != ledger->count)
            sw_sentences_add(&verify->problems, "ledger.ndjson: has %zu entries, expected %" PRIu64, ledger->count, options->length);
        return;
    }
    verify->head_checked = true;
    for (size_t i = 0; i < ledger->count; i++) {
        if (strcmp(ledger->entries[i].digest, options->head) != 0)
            continue;
        if (options->length && options->length != i + 1)
            sw_sentences_add(&verify->problems, "ledger.ndjson: the head that was given is that of entry %zu, not of %" PRIu64, i + 1, options->length);
        else if (i + 1 < ledger->count)
            sw_sentences_add(&verify->notes, "%zu entr%s added after the head that was given; the %zu up to it are as they were", ledger->count - i - 1, ledger->count - i == 2 ? "y was" : "ies were", i + 1);
        return;
    }
    sw_sentences_add(&verify->problems, "ledger.ndjson: no entry has the head that was given (%.16s…): its end was cut off, or it was written anew", options->head);
}

/* The bytes of the first `count` lines. */
static struct sw_bytes first_lines(const struct sw_case *folder, uint64_t count)
{
    struct sw_bytes text = sw_buffer_view(&folder->ledger_text);
    size_t len = 0;
    for (uint64_t i = 0; i < count; i++) {
        const uint8_t *feed = len < text.len ? memchr(text.at + len, '\n', text.len - len) : NULL;
        if (!feed)
            return sw_bytes_of(NULL, 0);
        len = (size_t)(feed - text.at) + 1;
    }
    return sw_bytes_of(text.at, len);
}

static enum sw_code check_signature(struct verify *verify, const char *path, const char *name, uint64_t length)
{
    struct sw_buffer signature = {0};
    bool good = false;
    enum sw_code code = sw_case_read_file(&signature, path, 4096, verify->error);
    struct sw_bytes text = first_lines(verify->folder, length);
    if (code == SW_OK)
        code = sw_signature_check(&good, verify->options->key_file, sw_buffer_view(&signature), text, verify->error);
    sw_buffer_free(&signature);
    if (code < 0)
        return code;
    if (!good || (length && !text.len)) {
        sw_sentences_add(&verify->problems, "signatures/%s: does not fit the first %" PRIu64 " entries and this key: one of them was changed, or another key signed", name, length);
        return SW_OK;
    }
    sw_sentences_add(&verify->notes, "signatures/%s: the first %" PRIu64 " entries are as they were signed", name, length);
    verify->signed_whole = verify->signed_whole || length == verify->folder->ledger.count;
    return SW_OK;
}

static enum sw_code check_signatures(struct verify *verify)
{
    char path[PATH_MAX];
    size_t count = 0;
    if (!verify->options->key_file)
        return SW_OK;
    enum sw_code code = sw_case_path(path, verify->folder->path, "signatures", verify->error);
    DIR *folder = code == SW_OK ? opendir(path) : NULL;
    if (code == SW_OK && !folder && errno != ENOENT)
        code = sw_fail_errno(verify->error, SW_ERR_IO, errno, "%.600s: could not be opened", path);
    for (const struct dirent *entry; code == SW_OK && folder && (entry = readdir(folder)) != NULL;) {
        char file[PATH_MAX];
        uint64_t length;
        size_t len = strlen(entry->d_name);
        if (len < 5 || strcmp(entry->d_name + len - 4, ".sig") != 0 || !sw_case_number(&length, sw_bytes_of(entry->d_name, len - 4)))
            continue;
        count++;
        code = sw_case_path(file, path, entry->d_name, verify->error);
        if (code == SW_OK)
            code = check_signature(verify, file, entry->d_name, length);
    }
    if (folder)
        closedir(folder);
    if (code == SW_OK && !count)
        sw_sentences_add(&verify->open, "a key was given, and the case has no signature");
    else if (code == SW_OK && !verify->signed_whole && !verify->problems.count)
        sw_sentences_add(&verify->open, "no signature is over the whole ledger: what was added after the last one is not vouched for");
    return code;
}

/* ---- again ---- */

static enum sw_code repeat_report(struct verify *verify, const struct sw_evidence *evidence, const struct sw_input_folder *inputs)
{
    struct sw_buffer why = {0};
    char sha256[SW_DIGEST_HEX_SIZE];
    enum sw_repeated result;
    uint64_t number = evidence->entry->number;
    enum sw_code code = sw_case_repeat(&result, &why, sha256, verify->folder, evidence, inputs, verify->options->repeat, verify->options->repeat_ctx, verify->error);
    const char *text = code == SW_OK ? sw_buffer_text(&why) : NULL;
    if (code == SW_OK && !text)
        code = sw_fail_memory(verify->error, "a repetition", 0);
    if (code == SW_OK) {
        if (result == SW_REPEATED_SAME)
            sw_sentences_add(&verify->repeated, "entry %" PRIu64 ": %s; sha256 of what it says: %s", number, text, sha256);
        else
            sw_sentences_add(result == SW_REPEATED_OTHER ? &verify->problems : &verify->open, "entry %" PRIu64 " (reconcile): %s%s", number, result == SW_REPEATED_OTHER ? "" : "not repeated: ", text);
    }
    sw_buffer_free(&why);
    return code;
}

static enum sw_code repeat_reports(struct verify *verify)
{
    struct sw_input_folder inputs = {0};
    enum sw_code code = verify->options->inputs ? sw_input_folder_read(&inputs, &verify->folder->memory, verify->options->inputs, verify->error) : SW_OK;
    size_t others = 0;
    for (size_t i = 0; i < verify->folder->ledger.count && code == SW_OK; i++) {
        const struct sw_evidence *evidence = &verify->folder->evidence[i];
        if (!evidence->current)
            continue;
        if (evidence->form == SW_EVIDENCE_REPORT && verify->options->repeat)
            code = repeat_report(verify, evidence, &inputs);
        else if (evidence->form == SW_EVIDENCE_REPORT)
            sw_sentences_add(&verify->open, "entry %zu (reconcile): not repeated", i + 1);
        else
            others += evidence->form != SW_EVIDENCE_OTHER;
    }
    if (others)
        sw_sentences_add(&verify->notes, "%zu other result%s of slackwater: checked by digest, not repeated", others, others == 1 ? "" : "s");
    return code;
}

/* ---- the answer ---- */

static enum sw_code run(struct verify *verify, const char *directory)
{
    enum sw_code code = sw_case_open(&verify->folder, directory, NULL, false, &verify->problems, verify->error);
    for (size_t i = 0; code == SW_OK && i < verify->folder->ledger.count; i++)
        code = check_piece(verify, &verify->folder->ledger.entries[i]);
    if (code == SW_OK)
        code = find_strays(verify);
    if (code == SW_OK)
        code = check_declaration(verify);
    if (code == SW_OK)
        check_head(verify);
    if (code == SW_OK)
        code = check_signatures(verify);
    if (code < 0)
        return code;
    if (verify->problems.count) {
        sw_sentences_add(&verify->open, "no comparison was repeated, since pieces are not what they were");
        return SW_OK;
    }
    sw_case_close(&verify->folder);
    code = sw_case_open(&verify->folder, directory, NULL, true, NULL, verify->error);
    return code == SW_OK ? repeat_reports(verify) : code;
}

static const char *claim(const struct verify *verify)
{
    if (verify->problems.count)
        return "Nothing is claimed.";
    if (verify->head_checked || verify->signed_whole)
        return "The pieces are those that the ledger recorded, up to the head or signature that was given.";
    return "The pieces fit together. Without a head digest that was kept elsewhere, or a signature, it cannot be told whether entries were cut from the end, or all of it was written anew.";
}

static const char *word(int status) { return status == 0 ? "intact" : status == 1 ? "changed" : "intact, and not all of it could be vouched for"; }

static void list_text(struct sw_buffer *out, const char *title, const struct sw_sentences *list)
{
    const char *text = NULL;
    for (bool first = true; (text = sw_sentences_next(list, text)) != NULL; first = false) {
        if (first)
            sw_buffer_printf(out, "\n%s\n", title);
        sw_buffer_add_text(out, "  - ");
        sw_text_show(out, sw_bytes_text(text), true);
        sw_buffer_add_byte(out, '\n');
    }
}

static void list_json(struct sw_json_writer *json, const char *name, const struct sw_sentences *list)
{
    sw_json_name(json, name);
    sw_json_begin_array(json);
    for (const char *text = NULL; (text = sw_sentences_next(list, text)) != NULL;)
        sw_json_string(json, text);
    sw_json_end_array(json);
}

static void print(struct sw_buffer *out, const struct verify *verify, int status, enum sw_case_format format)
{
    const struct sw_ledger *ledger = &verify->folder->ledger;
    if (format == SW_CASE_TEXT) {
        sw_buffer_printf(out, "%s\n  %s\n  ledger: %zu entr%s, head %s\n", word(status), claim(verify), ledger->count, ledger->count == 1 ? "y" : "ies", ledger->count ? ledger->head : "none");
        list_text(out, "not what they were", &verify->problems);
        list_text(out, "could not be vouched for", &verify->open);
        list_text(out, "repeated", &verify->repeated);
        list_text(out, "noted", &verify->notes);
        return;
    }
    struct sw_json_writer json = {.out = out, .indented = true};
    sw_json_begin_object(&json);
    sw_json_member_string(&json, "schema", "slackwater.case-verify/1");
    sw_json_member_string(&json, "tool", sw_version());
    sw_json_member_string(&json, "result", status == 0 ? "intact" : status == 1 ? "changed" : "not-all");
    sw_json_member_u64(&json, "exitStatus", (uint64_t)status);
    sw_json_member_string(&json, "claim", claim(verify));
    sw_json_member_string(&json, "head", ledger->count ? ledger->head : NULL);
    sw_json_member_u64(&json, "length", ledger->count);
    list_json(&json, "problems", &verify->problems);
    list_json(&json, "open", &verify->open);
    list_json(&json, "repeated", &verify->repeated);
    list_json(&json, "notes", &verify->notes);
    sw_json_end_object(&json);
    sw_buffer_add_byte(out, '\n');
}

enum sw_code sw_case_verify(int *status, const char *directory, const struct sw_verify_options *options, enum sw_case_format format, sw_write_fn write, void *ctx, struct sw_error *error)
{
    struct sw_verify_options copy = {0};
    char head[SW_DIGEST_HEX_SIZE];
    enum sw_code code = sw_options_take(&copy, sizeof copy, options, "sw_verify_options", error);
    if (code == SW_OK && copy.head)
        code = read_head(head, copy.head, error);
    if (code < 0)
        return code;
    copy.head = copy.head ? head : NULL;
    struct verify verify = {.options = &copy, .error = error};
    struct sw_buffer out = {0};
    code = run(&verify, directory);
    struct sw_sentences *lists[] = {&verify.problems, &verify.open, &verify.repeated, &verify.notes};
    for (size_t i = 0; i < 4; i++)
        if (code == SW_OK && lists[i]->text.failed)
            code = sw_fail_memory(error, "an answer", 0);
    if (code == SW_OK) {
        *status = verify.problems.count ? 1 : verify.open.count ? 3 : 0;
        print(&out, &verify, *status, format);
        code = sw_continuity_hand_over(&out, write, ctx, error);
    }
    for (size_t i = 0; i < 4; i++)
        sw_sentences_free(lists[i]);
    sw_case_close(&verify.folder);
    return code;
}
