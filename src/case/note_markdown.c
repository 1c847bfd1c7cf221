/* The note as Markdown: one page, in which no value from outside can become markup. */
#include <inttypes.h>
#include <stdio.h>

#include "case/note.h"
#include "continuity/report.h"
#include "report/sentence.h"
#include "report/width.h"

#define VALUE_COLUMNS 400u
#define EVIDENCE_SHOWN 60u
#define LISTED_SHOWN 12u

/* ---- values ---- */

/* A value as text: what hides or reorders is escaped, it is cut, line breaks become blanks, and Markdown's own characters get a backslash. */
static void value(struct sw_buffer *out, struct sw_bytes text)
{
    struct sw_buffer shown = {0}, fitted = {0};
    sw_text_show(&shown, text, true);
    sw_text_fit(&fitted, sw_buffer_view(&shown), VALUE_COLUMNS, SW_FIT_ANYWHERE, true);
    size_t digits = 0;
    while (digits < fitted.len && fitted.at[digits] >= '0' && fitted.at[digits] <= '9')
        digits++;
    for (size_t i = 0; i < fitted.len; i++) {
        uint8_t byte = fitted.at[i];
        if (byte == '\n' || byte == '\r' || byte == '\t')
            byte = ' ';
        bool markup = byte && strchr("\\`*_[]<>|~&$@{", byte);
        bool address = byte == ':' && i + 1 < fitted.len && fitted.at[i + 1] == '/'; /* which would become a link by itself */
        bool begins = i == 0 ? byte && strchr("#+-=.", byte) : i == digits && (byte == '.' || byte == ')') && (i + 1 == fitted.len || fitted.at[i + 1] <= ' '); /* a heading or a list, where a line begins with it */
        if (markup || address || begins)
            sw_buffer_add_byte(out, '\\');
        sw_buffer_add_byte(out, byte);
    }
    out->failed |= shown.failed || fitted.failed;
    sw_buffer_free(&shown);
    sw_buffer_free(&fitted);
}

static void value_or(struct sw_buffer *out, struct sw_bytes text, const char *otherwise)
{
    if (text.len)
        value(out, text);
    else
        sw_buffer_add_text(out, otherwise);
}

/* A command to copy, in a block whose fence is longer than any run of backticks in it. */
static void command_block(struct sw_buffer *out, struct sw_bytes text)
{
    struct sw_buffer shown = {0};
    size_t run = 0, longest = 2;
    sw_text_show(&shown, text, true);
    for (size_t i = 0; i < shown.len; i++) {
        run = shown.at[i] == '`' ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    for (size_t side = 0; side < 2; side++) {
        for (size_t i = 0; i <= longest; i++)
            sw_buffer_add_byte(out, '`');
        sw_buffer_add_byte(out, '\n');
        for (size_t i = 0; side == 0 && i < shown.len; i++)
            sw_buffer_add_byte(out, shown.at[i] == '\n' || shown.at[i] == '\r' ? ' ' : shown.at[i]);
        if (side == 0)
            sw_buffer_add_byte(out, '\n');
    }
    out->failed |= shown.failed;
    sw_buffer_free(&shown);
}

static void entries(struct sw_buffer *out, struct sw_note_entries numbers)
{
    for (size_t i = 0; i < numbers.count; i++)
        sw_buffer_printf(out, "%s%" PRIu64, i ? ", " : "", numbers.at[i]);
    if (!numbers.count)
        sw_buffer_add_text(out, "none");
}

static void heading(struct sw_buffer *out, const char *text) { sw_buffer_printf(out, "\n## %s\n\n", text); }

static void items(struct sw_buffer *out, const struct sw_note_texts *texts, const char *otherwise)
{
    for (size_t i = 0; i < texts->count; i++) {
        sw_buffer_add_text(out, "- ");
        value(out, texts->at[i]);
        sw_buffer_add_byte(out, '\n');
    }
    if (!texts->count)
        sw_buffer_printf(out, "%s\n", otherwise);
}

static void row(struct sw_buffer *out, const char *name, struct sw_bytes text)
{
    sw_buffer_printf(out, "| %s | ", name);
    value_or(out, text, "*not recorded*");
    sw_buffer_add_text(out, " |\n");
}

/* ---- parts ---- */

static void claims(struct sw_buffer *out, const struct sw_handover_note *note)
{
    sw_buffer_add_text(out, "| claim | verdict | what may be said | reached | expires | evidence | owner's decision |\n| --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < SW_NOTE_CLAIM_COUNT; i++) {
        const struct sw_note_claim *claim = &note->claims[i];
        sw_buffer_printf(out, "| %s | **%s** | ", claim->title, sw_verdict_name(claim->verdict));
        value(out, claim->sentence);
        sw_buffer_add_text(out, " | ");
        value_or(out, claim->reached_at, "not reached");
        sw_buffer_add_text(out, " | ");
        value_or(out, claim->expires_at, "not declared");
        sw_buffer_add_text(out, claim->expired ? " (expired) | " : " | ");
        entries(out, claim->evidence);
        sw_buffer_add_text(out, " | ");
        if (i == SW_NOTE_PROCESS)
            sw_buffer_add_text(out, "-");
        else
            value_or(out, claim->accepted, "not decided");
        if (claim->accepted.len && claim->owner.len) {
            sw_buffer_add_text(out, " by ");
            value(out, claim->owner);
        }
        sw_buffer_add_text(out, " |\n");
    }
}

static void next_owner(struct sw_buffer *out, const struct sw_handover_note *note)
{
    heading(out, "Next owner");
    value_or(out, note->next_owner, "*No next owner is named.*");
    if (note->next_owner_contact.len) {
        sw_buffer_add_text(out, " (");
        value(out, note->next_owner_contact);
        sw_buffer_add_byte(out, ')');
    }
    sw_buffer_add_text(out, "\n\n| | |\n| --- | --- |\n");
    row(out, "next step", note->next_step);
    row(out, "may stop the handover", note->may_stop);
    row(out, "results are kept", note->results_kept);
}

static void facts(struct sw_buffer *out, const struct sw_handover_note *note)
{
    heading(out, "Interval, restart, version");
    sw_buffer_add_text(out, "| | |\n| --- | --- |\n");
    row(out, "incident", note->incident);
    row(out, "began", note->started_at);
    row(out, "affected from", note->affected_from);
    row(out, "affected to", note->affected_to);
    sw_buffer_add_text(out, "| affected objects | ");
    for (size_t i = 0; i < note->affected_objects.count; i++) {
        sw_buffer_add_text(out, i ? ", " : "");
        value(out, note->affected_objects.at[i]);
    }
    sw_buffer_add_text(out, note->affected_objects.count ? " |\n" : "*not recorded* |\n");
    if (note->affected_scope.len)
        row(out, "only rows where", note->affected_scope);
    row(out, "restart position", note->restart_position);
    row(out, "why there", note->restart_reason);
    row(out, "cut of the comparison", note->cut);
    row(out, "pipeline version", note->pipeline_version);
    row(out, "overlap is rehearsed in", note->rehearsal_destination);
    sw_buffer_add_text(out, "\n| boundary | last confirmed position | of | observed at | evidence |\n| --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < 3; i++) {
        const struct sw_note_boundary *boundary = &note->boundaries[i];
        sw_buffer_printf(out, "| %s | ", boundary->name);
        value_or(out, boundary->position, "*not recorded*");
        sw_buffer_add_text(out, " | ");
        value_or(out, boundary->system, "*not recorded*");
        sw_buffer_add_text(out, " | ");
        value_or(out, boundary->observed_at, "*not recorded*");
        sw_buffer_add_text(out, " | ");
        entries(out, boundary->evidence);
        sw_buffer_add_text(out, " |\n");
    }
}

static void differences(struct sw_buffer *out, const struct sw_handover_note *note)
{
    const struct sw_note_differences *found = &note->differences;
    heading(out, "Destination differences");
    if (!found->reconciled) {
        sw_buffer_add_text(out, "No reconciliation is in evidence.\n");
        return;
    }
    const struct { uint64_t count; const char *what; } parts[] = {
        {found->keys, " keys: "}, {found->equal, " equal, "}, {found->different, " different, "}, {found->conflict, " in conflict, "}, {found->undecided, " undecided.\n"}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        sw_sentence_number(out, parts[i].count);
        sw_buffer_add_text(out, parts[i].what);
    }
    if (found->reason_count) {
        sw_buffer_add_text(out, "\n| reason | keys |\n| --- | --- |\n");
        for (size_t i = 0; i < found->reason_count; i++) {
            sw_buffer_add_text(out, "| ");
            value(out, found->reasons[i].name);
            sw_buffer_add_text(out, " | ");
            sw_sentence_number(out, found->reasons[i].count);
            sw_buffer_add_text(out, " |\n");
        }
    }
    if (found->table_count > 1 || (found->table_count == 1 && found->tables[0].name.len)) {
        sw_buffer_add_text(out, "\n| table | keys | equal | different | conflict | undecided |\n| --- | --- | --- | --- | --- | --- |\n");
        for (size_t i = 0; i < found->table_count && i < LISTED_SHOWN; i++) {
            const struct sw_note_table *table = &found->tables[i];
            sw_buffer_add_text(out, "| ");
            value_or(out, table->name, "*unnamed*");
            const uint64_t counts[] = {table->keys, table->equal, table->different, table->conflict, table->undecided};
            for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
                sw_buffer_add_text(out, " | ");
                sw_sentence_number(out, counts[c]);
            }
            sw_buffer_add_text(out, " |\n");
        }
        if (found->table_count > LISTED_SHOWN)
            sw_buffer_printf(out, "\n%zu more tables stand in the JSON note.\n", found->table_count - LISTED_SHOWN);
    }
    for (size_t i = 0; i < found->file_count; i++) {
        sw_buffer_add_text(out, "\nAll findings: ");
        value(out, found->files[i].name);
        sw_buffer_printf(out, " (entry %" PRIu64 ")\n", found->files[i].entry);
    }
    if (found->unlisted)
        sw_buffer_printf(out, "\n%" PRIu64 " finding%s in no file of this case: compare again with `--case` or `--differences`.\n", found->unlisted, found->unlisted == 1 ? " is" : "s are");
}

static void obligations(struct sw_buffer *out, const struct sw_handover_note *note)
{
    if (note->skipped_count) {
        heading(out, "Skipped intervals");
        sw_buffer_add_text(out, "| from | to | plan | owner | status |\n| --- | --- | --- | --- | --- |\n");
        for (size_t i = 0; i < note->skipped_count; i++) {
            const struct sw_bytes cells[] = {note->skipped[i].from, note->skipped[i].to, note->skipped[i].plan, note->skipped[i].owner, note->skipped[i].status};
            for (size_t j = 0; j < 5; j++) {
                sw_buffer_add_text(out, "| ");
                value_or(out, cells[j], "*not recorded* ");
                sw_buffer_add_byte(out, ' ');
            }
            sw_buffer_add_text(out, "|\n");
        }
    }
    if (note->exception_count) {
        heading(out, "Exceptions");
        for (size_t i = 0; i < note->exception_count; i++) {
            sw_buffer_add_text(out, "- ");
            value_or(out, note->exceptions[i].what, "*what is not recorded*");
            sw_buffer_add_text(out, ": ");
            value_or(out, note->exceptions[i].reason, "*no reason*");
            sw_buffer_add_text(out, "; approved by ");
            value_or(out, note->exceptions[i].approved_by, "*nobody*");
            if (note->exceptions[i].until.len) {
                sw_buffer_add_text(out, ", until ");
                value(out, note->exceptions[i].until);
            }
            sw_buffer_add_byte(out, '\n');
        }
    }
    heading(out, "Restoration resources");
    for (size_t i = 0; i < note->resource_count; i++) {
        sw_buffer_add_text(out, "- ");
        value_or(out, note->resources[i].name, "*unnamed*");
        sw_buffer_add_text(out, ": ");
        value_or(out, note->resources[i].what, "*what it restores is not recorded*");
        sw_buffer_add_text(out, "; valid until ");
        value_or(out, note->resources[i].valid_until, "*not recorded*");
        sw_buffer_add_byte(out, '\n');
    }
    if (!note->resource_count)
        sw_buffer_add_text(out, "None is recorded.\n");
}

static bool is_web_address(struct sw_bytes text)
{
    if (!(text.len > 8 && (memcmp(text.at, "https://", 8) == 0 || memcmp(text.at, "http://", 7) == 0)))
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] <= ' ' || text.at[i] >= 0x7f || strchr("<>\"`|\\^{}*_[]()", text.at[i]))
            return false;
    return true;
}

static void evidence(struct sw_buffer *out, const struct sw_handover_note *note)
{
    heading(out, "Evidence");
    sw_buffer_add_text(out, "| entry | kind | what | says | file or link | sha256 | collected | by version |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < note->evidence_count && i < EVIDENCE_SHOWN; i++) {
        const struct sw_note_evidence *each = &note->evidence[i];
        sw_buffer_printf(out, "| %" PRIu64 "%s | ", each->number, each->superseded_by ? " (replaced)" : "");
        value(out, each->kind);
        sw_buffer_add_text(out, " | ");
        value(out, each->title);
        sw_buffer_add_text(out, " | ");
        value(out, each->says);
        sw_buffer_add_text(out, " | ");
        if (each->link && is_web_address(each->name)) {
            sw_buffer_add_byte(out, '<');
            sw_buffer_add_bytes(out, each->name);
            sw_buffer_add_byte(out, '>');
        } else {
            value(out, each->name);
        }
        sw_buffer_add_text(out, " | ");
        value(out, sw_bytes_of(each->sha256.at, each->sha256.len < 16 ? each->sha256.len : 16));
        sw_buffer_add_text(out, each->sha256.len > 16 ? "… | " : " | ");
        value(out, each->collected_at);
        sw_buffer_add_text(out, " | ");
        value(out, each->tool);
        sw_buffer_add_text(out, " |\n");
    }
    if (note->evidence_count > EVIDENCE_SHOWN)
        sw_buffer_printf(out, "\n%zu more entries stand in the ledger.\n", note->evidence_count - EVIDENCE_SHOWN);
    sw_buffer_add_byte(out, '\n');
    items(out, &note->versions, "No version is recorded.");
}

static void rules(struct sw_buffer *out, const struct sw_handover_note *note)
{
    heading(out, "Rules");
    sw_buffer_printf(out, "%zu passed, %zu failed, %zu not answered.\n", note->rules_passed, note->rules_failed, note->rules_open);
    for (size_t i = 0, shown = 0; i < note->rule_count; i++) {
        const struct sw_note_rule *rule = &note->rules[i];
        if (strcmp(rule->answer, "failed") != 0)
            continue;
        sw_buffer_printf(out, "%s- %u **failed:** %s ", shown++ ? "" : "\n", rule->number, rule->title);
        value(out, rule->detail);
        sw_buffer_add_byte(out, '\n');
    }
    if (note->rules_open) { /* one page: which ones, and where the rest is said */
        sw_buffer_add_text(out, "\nNot answered: ");
        for (size_t i = 0, shown = 0; i < note->rule_count; i++)
            if (strcmp(note->rules[i].answer, "not answered") == 0)
                sw_buffer_printf(out, "%s%u", shown++ ? ", " : "", note->rules[i].number);
        sw_buffer_add_text(out, ". `slackwater case check --open` says what each asks for.\n");
    }
}

enum sw_code sw_handover_note_write_markdown(const struct sw_handover_note *note, sw_write_fn write, void *ctx, struct sw_error *error)
{
    struct sw_buffer out = {0};
    sw_buffer_add_text(&out, "# Handover: ");
    value_or(&out, note->title, "an incident without a title");
    sw_buffer_add_text(&out, "\n\n**");
    value(&out, note->headline);
    sw_buffer_add_text(&out, "**\n\n");
    claims(&out, note);
    heading(&out, "Confirmed state");
    items(&out, &note->confirmed, "Nothing is confirmed.");
    heading(&out, "Remaining uncertainty");
    items(&out, &note->uncertain, "None was found, which is no proof that there is none.");
    next_owner(&out, note);
    facts(&out, note);
    differences(&out, note);
    obligations(&out, note);
    evidence(&out, note);
    rules(&out, note);
    heading(&out, "What this does not show");
    items(&out, &note->limits, "Limits are missing: do not rely on this note.");
    heading(&out, "Check it");
    sw_buffer_printf(&out, "Ledger: %" PRIu64 " entr%s, head ", note->ledger_length, note->ledger_length == 1 ? "y" : "ies");
    value_or(&out, note->head, "none");
    sw_buffer_add_text(&out, ". Beside the case folder:\n\n");
    command_block(&out, note->verify_command);
    sw_buffer_add_text(&out, "\nWritten ");
    value(&out, note->written_at);
    sw_buffer_add_text(&out, " by ");
    value(&out, note->tool);
    sw_buffer_add_text(&out, ".\n");
    return sw_continuity_hand_over(&out, write, ctx, error);
}
