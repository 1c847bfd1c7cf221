/* Checking a case against the rules, its status, and the handover note. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/options.h"
#include "base/output_file.h"
#include "case/append.h"
#include "case/course.h"
#include "case/note_build.h"
#include "case/rules/rule.h"
#include "case/signature.h"
#include "continuity/report.h"
#include "report/width.h"
#include "text/json_write.h"

static enum sw_code make_note(struct sw_handover_note **out, const char *directory, const char *now, struct sw_error *error)
{
    struct sw_case *folder;
    enum sw_code code = sw_case_open(&folder, directory, now, true, NULL, error);
    *out = NULL;
    return code < 0 ? code : sw_handover_note_build(out, &folder, error);
}

static void show(struct sw_buffer *out, struct sw_bytes text, const char *otherwise)
{
    struct sw_buffer shown = {0};
    sw_text_show(&shown, text, true);
    for (size_t i = 0; i < shown.len; i++)
        if (shown.at[i] == '\n' || shown.at[i] == '\t')
            shown.at[i] = ' ';
    sw_text_fit(out, sw_buffer_view(&shown), 600, SW_FIT_ANYWHERE, true);
    if (!text.len)
        sw_buffer_add_text(out, otherwise);
    out->failed |= shown.failed;
    sw_buffer_free(&shown);
}

/* ---- check ---- */

enum { NEXT_MAX = 10 };

static bool has_answer(const struct sw_note_rule *rule, enum sw_answer answer) { return strcmp(rule->answer, sw_answer_name(answer)) == 0; }

static void rule_text(struct sw_buffer *out, const struct sw_note_rule *rule)
{
    sw_buffer_printf(out, "  %u  %-12s  %s\n                     ", rule->number, rule->answer, rule->title);
    show(out, rule->detail, "");
    sw_buffer_add_byte(out, '\n');
}

static void next_text(struct sw_buffer *out, const struct sw_handover_note *note)
{
    size_t listed = 0;
    for (size_t i = 0; i < note->rule_count; i++)
        if (has_answer(&note->rules[i], SW_ANSWER_FAILED)) {
            sw_buffer_add_text(out, listed++ ? "" : "\nFailed\n");
            rule_text(out, &note->rules[i]);
        }
    const struct sw_note_rule **open = sw_calloc(note->rule_count + 1, sizeof *open);
    size_t count = open ? sw_course_open(open, note) : 0;
    for (size_t i = 0; i < count && i < NEXT_MAX; i++) {
        sw_buffer_add_text(out, i ? "" : "\nTo answer first\n");
        rule_text(out, open[i]);
    }
    if (count > NEXT_MAX)
        sw_buffer_printf(out, "\n%zu more %s not answered; --open --all lists every one\n", count - NEXT_MAX, count - NEXT_MAX == 1 ? "is" : "are");
    out->failed |= !open;
    sw_free(open);
}

static void check_text(struct sw_buffer *out, const struct sw_handover_note *note, enum sw_case_listed listed)
{
    const char *group = NULL;
    sw_buffer_printf(out, "%s: %zu rules passed, %zu failed, %zu not answered\n", note->rules_failed ? "failed" : note->rules_open ? "not answered" : "passed", note->rules_passed, note->rules_failed, note->rules_open);
    if (listed == SW_CASE_LIST_NEXT) {
        next_text(out, note);
        return;
    }
    for (size_t i = 0; i < note->rule_count; i++) {
        const struct sw_note_rule *rule = &note->rules[i];
        const struct sw_rule_group *of = sw_rule_group_at(rule->number / 100 - 1);
        if (listed == SW_CASE_LIST_OPEN && has_answer(rule, SW_ANSWER_PASSED))
            continue;
        if (of && of->title != group)
            sw_buffer_printf(out, "\n%s\n", group = of->title);
        rule_text(out, rule);
    }
}

static void check_json(struct sw_buffer *out, const struct sw_handover_note *note, int status)
{
    struct sw_json_writer json = {.out = out, .indented = true};
    sw_json_begin_object(&json);
    sw_json_member_string(&json, "schema", "slackwater.case-check/1");
    sw_json_member_text(&json, "tool", note->tool);
    sw_json_member_text(&json, "checkedAt", note->written_at);
    sw_json_member_u64(&json, "exitStatus", (uint64_t)status);
    sw_json_member_u64(&json, "passed", note->rules_passed);
    sw_json_member_u64(&json, "failed", note->rules_failed);
    sw_json_member_u64(&json, "notAnswered", note->rules_open);
    sw_json_name(&json, "rules");
    sw_json_begin_array(&json);
    for (size_t i = 0; i < note->rule_count; i++) {
        const struct sw_rule *rule = sw_rule_find(note->rules[i].number);
        sw_json_begin_object(&json);
        sw_json_member_u64(&json, "number", note->rules[i].number);
        sw_json_member_string(&json, "rule", note->rules[i].title);
        sw_json_member_string(&json, "reads", rule ? rule->reads : NULL);
        sw_json_member_string(&json, "answer", note->rules[i].answer);
        sw_json_member_text(&json, "detail", note->rules[i].detail);
        sw_json_end_object(&json);
    }
    sw_json_end_array(&json);
    sw_json_end_object(&json);
    sw_buffer_add_byte(out, '\n');
}

enum sw_code sw_case_check(int *status, const char *directory, const char *now, enum sw_case_format format, enum sw_case_listed listed, sw_write_fn write, void *ctx, struct sw_error *error)
{
    struct sw_handover_note *note;
    struct sw_buffer out = {0};
    enum sw_code code = make_note(&note, directory, now, error);
    if (code < 0)
        return code;
    *status = note->rules_failed ? 1 : note->rules_open ? 3 : 0;
    if (format == SW_CASE_JSON)
        check_json(&out, note, *status);
    else
        check_text(&out, note, listed);
    sw_handover_note_free(&note);
    return sw_continuity_hand_over(&out, write, ctx, error);
}

/* ---- status ---- */

/* What stands in the way: the first rule that failed, and the first that is not answered, with what answers it. */
static void obstacles_text(struct sw_buffer *out, const struct sw_handover_note *note, const char *directory)
{
    const struct sw_note_rule *failed = sw_course_failed(note), **open = sw_calloc(note->rule_count + 1, sizeof *open);
    out->failed |= !open;
    if (failed) {
        sw_buffer_printf(out, "\nfailed         %u  %s\n               ", failed->number, failed->title);
        show(out, failed->detail, "");
    }
    if (open && sw_course_open(open, note)) {
        struct sw_buffer answer = {0};
        sw_buffer_printf(out, "\nanswer first   %u  %s\n               ", open[0]->number, open[0]->title);
        show(out, open[0]->detail, "");
        sw_course_answer(&answer, note, open[0], directory);
        sw_buffer_add_text(out, "\nanswer with    ");
        show(out, sw_buffer_view(&answer), "");
        out->failed |= answer.failed;
        sw_buffer_free(&answer);
    }
    sw_free(open);
}

static void status_text(struct sw_buffer *out, const struct sw_handover_note *note, const char *directory)
{
    show(out, note->title, "(no title)");
    sw_buffer_add_byte(out, '\n');
    show(out, note->headline, "");
    sw_buffer_add_text(out, "\n\n");
    for (size_t i = 0; i < SW_NOTE_CLAIM_COUNT; i++) {
        const struct sw_note_claim *claim = &note->claims[i];
        sw_buffer_printf(out, "%-14s %s", claim->title, sw_verdict_name(claim->verdict));
        if (claim->reached_at.len) {
            sw_buffer_printf(out, "%*s reached ", (int)(10 - strlen(sw_verdict_name(claim->verdict))), "");
            show(out, claim->reached_at, "");
        }
        for (size_t j = 0; j < claim->reasons.count && j < 4; j++) {
            sw_buffer_add_text(out, "\n                 ");
            show(out, claim->reasons.at[j], "");
        }
        sw_buffer_add_byte(out, '\n');
    }
    sw_buffer_add_text(out, "\nnext owner     ");
    show(out, note->next_owner, "not named");
    sw_buffer_add_text(out, "\nnext step      ");
    show(out, note->next_step, "not said");
    sw_buffer_printf(out, "\nrules          %zu passed, %zu failed, %zu not answered", note->rules_passed, note->rules_failed, note->rules_open);
    obstacles_text(out, note, directory);
    sw_buffer_printf(out, "\nledger         %" PRIu64 " entr%s, head ", note->ledger_length, note->ledger_length == 1 ? "y" : "ies");
    show(out, note->head, "none");
    sw_buffer_add_byte(out, '\n');
}

enum sw_code sw_case_status(const char *directory, const char *now, enum sw_case_format format, sw_write_fn write, void *ctx, struct sw_error *error)
{
    struct sw_handover_note *note;
    struct sw_buffer out = {0};
    enum sw_code code = make_note(&note, directory, now, error);
    if (code < 0)
        return code;
    if (format == SW_CASE_JSON) {
        code = sw_handover_note_write_json(note, write, ctx, error);
    } else {
        status_text(&out, note, directory);
        code = sw_continuity_hand_over(&out, write, ctx, error);
    }
    sw_handover_note_free(&note);
    return code;
}

/* ---- handover ---- */

#define BY_MAX 200u

/* Puts case.yaml into the ledger, unless it stands there as it is. */
static enum sw_code record_declaration(struct sw_append *append, const char *by, struct sw_error *error)
{
    struct sw_ledger_entry entry = {.kind = SW_BYTES_LITERAL("declaration"), .title = SW_BYTES_LITERAL("what is declared, as it was handed over")};
    char path[PATH_MAX];
    const struct sw_ledger_entry *recorded;
    bool same;
    if (by && strlen(by) > BY_MAX) /* who it was is not dropped in silence */
        return sw_fail(error, SW_ERR_USAGE, "who hands over: expected at most %u bytes, found %zu", BY_MAX, strlen(by));
    enum sw_code code = sw_case_recorded(&recorded, &same, append->folder, error);
    if (code < 0 || same)
        return code;
    code = sw_case_path(path, append->folder->path, "case.yaml", error);
    if (code == SW_OK)
        code = sw_append_file(&entry, append, path, NULL, NULL, error);
    entry.by = sw_bytes_text(by ? by : "");
    if (code == SW_OK)
        code = sw_append_entry(&entry, append, error);
    return code == SW_OK ? sw_append_commit(append, error) : code;
}

static enum sw_code write_signature(const char *path, struct sw_bytes signature, struct sw_error *error)
{
    struct sw_output_file *file = NULL;
    enum sw_code code = sw_output_file_open(&file, path, error);
    if (code == SW_OK)
        code = sw_output_file_write(file, signature, error);
    if (code == SW_OK)
        return sw_output_file_commit(&file, error);
    if (file)
        sw_output_file_abort(&file);
    return code;
}

/* A signature that is there is somebody's word: it stays. The same key over the same lines gives the same one. A link there would lead out of the folder. */
static enum sw_code keep_signature(const char *path, struct sw_bytes signature, struct sw_error *error)
{
    struct sw_buffer before = {0};
    struct stat status;
    if (lstat(path, &status) != 0)
        return errno == ENOENT ? write_signature(path, signature, error) : sw_fail_errno(error, SW_ERR_IO, errno, "%.600s: could not be looked at", path);
    enum sw_code code = S_ISREG(status.st_mode) ? sw_case_read_file(&before, path, 4096, error) : SW_OK;
    bool same = code == SW_OK && sw_bytes_equal(sw_buffer_view(&before), signature);
    sw_buffer_free(&before);
    if (code == SW_OK && !same)
        code = sw_fail(error, SW_ERR_USAGE, "%.600s: another key signed these entries; it stays, and nothing was written: add what you vouch for, and sign then", path);
    return code;
}

static enum sw_code sign(struct sw_append *append, const char *key_file, struct sw_error *error)
{
    uint8_t signature[SW_SIGNATURE_BYTES];
    char path[PATH_MAX], name[64];
    struct sw_buffer text = {0};
    enum sw_code code = sw_case_path(path, append->folder->path, "ledger.ndjson", error);
    if (code == SW_OK)
        code = sw_case_read_file(&text, path, SW_LEDGER_BYTES_MAX, error);
    if (code == SW_OK)
        code = sw_signature_make(signature, key_file, sw_buffer_view(&text), error);
    sw_buffer_free(&text);
    if (code == SW_OK)
        code = sw_case_path(path, append->folder->path, "signatures", error);
    if (code == SW_OK && mkdir(path, 0777) != 0 && errno != EEXIST)
        code = sw_fail_errno(error, SW_ERR_IO, errno, "%.600s: the folder could not be made", path);
    snprintf(name, sizeof name, "signatures/%04" PRIu64 ".sig", append->count);
    if (code == SW_OK)
        code = sw_case_path(path, append->folder->path, name, error);
    return code == SW_OK ? keep_signature(path, sw_bytes_of(signature, sizeof signature), error) : code;
}

/* Records, signs, and makes the note before anybody else may add: its head is the one that was signed. */
static enum sw_code record_and_make(struct sw_handover_note **out, const char *directory, const struct sw_handover_options *options, struct sw_error *error)
{
    struct sw_append append;
    enum sw_code code = sw_append_open(&append, directory, error);
    if (code < 0)
        return code;
    if (!options->leave_as_is)
        code = record_declaration(&append, options->by, error);
    if (code == SW_OK && options->key_file)
        code = sign(&append, options->key_file, error);
    if (code == SW_OK)
        code = make_note(out, directory, options->now, error);
    sw_append_close(&append);
    return code;
}

static enum sw_code write_note(const struct sw_handover_note *note, enum sw_note_format format, sw_write_fn write, void *ctx, struct sw_error *error)
{
    switch (format) {
    case SW_NOTE_JSON: return sw_handover_note_write_json(note, write, ctx, error);
    case SW_NOTE_HTML: return sw_handover_note_write_html(note, write, ctx, error);
    case SW_NOTE_MARKDOWN: break;
    }
    return sw_handover_note_write_markdown(note, write, ctx, error);
}

enum sw_code sw_case_handover(const char *directory, const struct sw_handover_options *given, sw_write_fn write, void *ctx, struct sw_error *error)
{
    struct sw_handover_options copy = {0};
    enum sw_code code = sw_options_take(&copy, sizeof copy, given, "sw_handover_options", error);
    const struct sw_handover_options *options = &copy;
    struct sw_handover_note *note;
    struct sw_output_file *file = NULL;
    if (code == SW_OK)
        code = options->leave_as_is && !options->key_file ? make_note(&note, directory, options->now, error) : record_and_make(&note, directory, options, error);
    if (code < 0)
        return code;
    if (options->output_file) {
        code = sw_output_file_open(&file, options->output_file, error);
        if (code == SW_OK)
            code = write_note(note, options->format, sw_output_file_write_fn, file, error);
        if (code == SW_OK)
            code = sw_output_file_commit(&file, error);
        else if (file)
            sw_output_file_abort(&file);
    } else {
        code = write_note(note, options->format, write, ctx, error);
    }
    sw_handover_note_free(&note);
    return code;
}
