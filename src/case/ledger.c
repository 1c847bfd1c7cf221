#include "case/ledger.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/memory.h"
#include "case/declaration.h"
#include "text/json_document.h"
#include "text/json_write.h"

static const char zeros[] = "0000000000000000000000000000000000000000000000000000000000000000";

enum sw_code sw_case_digest(char hex[SW_DIGEST_HEX_SIZE], struct sw_bytes bytes, struct sw_error *error)
{
    struct sw_digest *digest;
    enum sw_code code = sw_digest_open(&digest, error);
    if (code < 0)
        return code;
    sw_digest_add(digest, bytes.at, bytes.len);
    code = sw_digest_finish(hex, digest, error);
    sw_digest_close(&digest);
    return code;
}

bool sw_case_token_text(struct sw_bytes *out, struct sw_mapping_block **memory, struct sw_token token)
{
    size_t len = 0;
    *out = sw_bytes_of(NULL, 0);
    if (token.kind != SW_TOKEN_TEXT || !token.len)
        return true;
    uint8_t *room = sw_mapping_alloc(memory, token.len + 1u);
    if (!room)
        return false;
    if (sw_json_unescape(room, &len, sw_bytes_of(token.at, token.len)))
        *out = sw_bytes_of(room, len);
    return true;
}

/* ---- writing ---- */

static void member(struct sw_json_writer *json, const char *name, struct sw_bytes text)
{
    if (text.len)
        sw_json_member_text(json, name, text);
}

void sw_ledger_line(struct sw_buffer *out, const struct sw_ledger_entry *entry, const char *previous)
{
    struct sw_json_writer json = {.out = out};
    sw_json_begin_object(&json);
    sw_json_member_u64(&json, "number", entry->number);
    sw_json_member_string(&json, "previous", *previous ? previous : zeros);
    member(&json, "at", entry->at);
    member(&json, "collected", entry->collected);
    member(&json, "kind", entry->kind);
    member(&json, "title", entry->title);
    member(&json, "by", entry->by);
    member(&json, entry->link ? "link" : "name", entry->name);
    if (!entry->link) {
        member(&json, "sha256", entry->sha256);
        sw_json_member_u64(&json, "bytes", entry->bytes);
    }
    member(&json, "tool", entry->tool);
    member(&json, "command", entry->command);
    if (entry->arguments.count) {
        sw_json_name(&json, "arguments");
        sw_json_begin_array(&json);
        for (size_t i = 0; i < entry->arguments.count; i++)
            sw_json_text(&json, entry->arguments.at[i]);
        sw_json_end_array(&json);
    }
    if (entry->blotted)
        sw_json_member_boolean(&json, "blotted", true);
    member(&json, "directory", entry->directory);
    member(&json, "says", entry->says);
    if (entry->of)
        sw_json_member_u64(&json, "of", entry->of);
    member(&json, "role", entry->role);
    member(&json, "locator", entry->locator);
    if (entry->supersedes.count) {
        sw_json_name(&json, "supersedes");
        sw_json_begin_array(&json);
        for (size_t i = 0; i < entry->supersedes.count; i++)
            sw_json_u64(&json, entry->supersedes.at[i]);
        sw_json_end_array(&json);
    }
    sw_json_end_object(&json);
    sw_buffer_add_byte(out, '\n');
}

/* ---- reading ---- */

struct line {
    struct sw_ledger_entry *entry;
    struct sw_mapping_block **memory;
    char previous[SW_DIGEST_HEX_SIZE];
    char text[160];                 /* what is wrong; "" : nothing */
    bool no_memory;
};

static void wrong(struct line *line, const char *format, ...) SW_PRINTF(2, 3);

static void wrong(struct line *line, const char *format, ...)
{
    va_list args;
    if (line->text[0])
        return;
    va_start(args, format);
    vsnprintf(line->text, sizeof line->text, format, args);
    va_end(args);
}

static void take_text(struct line *line, const char *name, struct sw_bytes *out, struct sw_token value)
{
    if (value.kind != SW_TOKEN_TEXT)
        wrong(line, "member %s is no text", name);
    else if (!sw_case_token_text(out, line->memory, value))
        line->no_memory = true;
}

static void take_number(struct line *line, const char *name, uint64_t *out, struct sw_token value)
{
    if (value.kind != SW_TOKEN_NUMBER || !sw_case_number(out, sw_bytes_of(value.at, value.len)))
        wrong(line, "member %s is no number", name);
}

static void take_list(struct line *line, const char *name, struct sw_token value, struct sw_note_texts *texts, struct sw_note_entries *numbers)
{
    struct sw_document_items items = sw_document_items(value);
    size_t count = 0;
    if (value.kind != SW_TOKEN_ARRAY) {
        wrong(line, "member %s is no list", name);
        return;
    }
    while (sw_document_next(&items))
        count++;
    void *room = sw_mapping_alloc(line->memory, (count + 1) * (texts ? sizeof *texts->at : sizeof *numbers->at));
    if (!room) {
        line->no_memory = true;
        return;
    }
    items = sw_document_items(value);
    if (texts)
        texts->at = room;
    else
        numbers->at = room;
    while (sw_document_next(&items))
        if (texts)
            take_text(line, name, &texts->at[texts->count++], items.value);
        else
            take_number(line, name, &numbers->at[numbers->count++], items.value);
}

static bool is_hex_digest(struct sw_bytes text)
{
    if (text.len != SW_DIGEST_HEX_SIZE - 1)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (!((text.at[i] >= '0' && text.at[i] <= '9') || (text.at[i] >= 'a' && text.at[i] <= 'f')))
            return false;
    return true;
}

/* A name inside the case folder: no way leads out of it. */
static bool stays_inside(struct sw_bytes name)
{
    static const char folder[] = "evidence/";
    size_t len = sizeof folder - 1;
    return name.len > len && memcmp(name.at, folder, len) == 0 && !memchr(name.at + len, '/', name.len - len) && !memchr(name.at, '\0', name.len) && name.at[len] != '.';
}

static void take_member(struct line *line, struct sw_bytes name, struct sw_token value)
{
    struct sw_ledger_entry *entry = line->entry;
    const struct { const char *name; struct sw_bytes *out; } texts[] = {
        {"at", &entry->at}, {"collected", &entry->collected}, {"kind", &entry->kind}, {"title", &entry->title}, {"by", &entry->by}, {"name", &entry->name}, {"sha256", &entry->sha256},
        {"tool", &entry->tool}, {"command", &entry->command}, {"directory", &entry->directory}, {"says", &entry->says}, {"role", &entry->role}, {"locator", &entry->locator},
    };
    const struct { const char *name; uint64_t *out; } numbers[] = {{"number", &entry->number}, {"bytes", &entry->bytes}, {"of", &entry->of}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (sw_bytes_is(name, texts[i].name)) {
            take_text(line, texts[i].name, texts[i].out, value);
            return;
        }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (sw_bytes_is(name, numbers[i].name)) {
            take_number(line, numbers[i].name, numbers[i].out, value);
            return;
        }
    if (sw_bytes_is(name, "link")) {
        entry->link = true;
        take_text(line, "link", &entry->name, value);
    } else if (sw_bytes_is(name, "previous")) {
        if (!sw_document_text(line->previous, sizeof line->previous, value))
            wrong(line, "member previous is no digest");
    } else if (sw_bytes_is(name, "blotted")) {
        entry->blotted = value.kind == SW_TOKEN_TRUE;
    } else if (sw_bytes_is(name, "arguments")) {
        take_list(line, "arguments", value, &entry->arguments, NULL);
    } else if (sw_bytes_is(name, "supersedes")) {
        take_list(line, "supersedes", value, NULL, &entry->supersedes);
    } else {
        wrong(line, "member %s is not known", sw_shown_bytes(name).text);
    }
}

static void read_line(struct line *line, struct sw_bytes text)
{
    struct sw_document document;
    struct sw_error error = {0};
    if (text.len > SW_LEDGER_LINE_MAX) {
        wrong(line, "it is longer than 1 MiB");
        return;
    }
    if (sw_document_read(&document, text, "the line", &error) < 0) {
        line->no_memory = error.code == SW_ERR_MEMORY;
        wrong(line, "%.120s", error.text);
        return;
    }
    if (document.root.kind != SW_TOKEN_OBJECT)
        wrong(line, "it is no JSON object");
    struct sw_document_items items = sw_document_items(document.root);
    while (document.root.kind == SW_TOKEN_OBJECT && sw_document_next(&items))
        take_member(line, items.name, items.value);
    sw_document_free(&document);
    const struct sw_ledger_entry *entry = line->entry;
    if (!entry->kind.len || !entry->at.len)
        wrong(line, "it has no kind, or no time");
    if (!entry->link && !is_hex_digest(entry->sha256))
        wrong(line, "its sha256 is no digest");
    if (!entry->link && entry->name.len && !stays_inside(entry->name))
        wrong(line, "its name does not stand for a file in evidence/");
    /* its address is no name of a file, and nothing may read it as one */
    if (entry->link && (entry->sha256.len || entry->of || entry->role.len || entry->locator.len))
        wrong(line, "it is a link, and says what only a file can be");
}

static enum sw_code report_problem(struct sw_sentences *problems, uint64_t number, const char *text, struct sw_error *error)
{
    if (problems) {
        sw_sentences_add(problems, "ledger.ndjson line %" PRIu64 ": %s", number, text);
        return SW_OK;
    }
    sw_fail(error, SW_ERR_INPUT, "ledger.ndjson: line %" PRIu64 ": %s; `slackwater case verify` lists all that is wrong", number, text);
    return SW_ERR_INPUT;
}

static enum sw_code read_entry(struct sw_ledger *ledger, struct sw_mapping_block **memory, struct sw_sentences *problems, struct sw_bytes text, struct sw_error *error)
{
    struct line line = {.entry = &ledger->entries[ledger->count], .memory = memory};
    uint64_t number = ++ledger->count;
    enum sw_code code = sw_case_digest(line.entry->digest, text, error);
    if (code < 0)
        return code;
    line.entry->line = text;
    read_line(&line, text);
    if (line.no_memory)
        return sw_fail_memory(error, "the ledger", text.len);
    if (line.text[0]) {
        line.entry->kind = sw_bytes_of(NULL, 0);
        code = report_problem(problems, number, line.text, error);
    } else if (line.entry->number != number) {
        char found[96];
        snprintf(found, sizeof found, "it says that it is number %" PRIu64 ": lines were taken out, added or reordered", line.entry->number);
        code = report_problem(problems, number, found, error);
    }
    if (code == SW_OK && strcmp(line.previous, number == 1 ? zeros : ledger->head) != 0)
        code = report_problem(problems, number, number == 1 ? "it does not begin the chain: what stood before it is gone" : "it does not follow the line before it: one of the two was changed, or one between them is gone", error);
    line.entry->number = number;
    memcpy(ledger->head, line.entry->digest, sizeof ledger->head);
    return code;
}

enum sw_code sw_ledger_read(struct sw_ledger *out, struct sw_mapping_block **memory, struct sw_sentences *problems, struct sw_bytes text, struct sw_error *error)
{
    size_t lines = 0;
    *out = (struct sw_ledger){0};
    if (text.len > SW_LEDGER_BYTES_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "ledger.ndjson: %zu bytes; at most %zu are read", text.len, SW_LEDGER_BYTES_MAX);
    char *copy = sw_mapping_text(memory, (const char *)text.at, text.len);
    if (!copy)
        return sw_fail_memory(error, "the ledger", text.len);
    for (size_t i = 0; i < text.len; i++)
        lines += copy[i] == '\n';
    if (lines > SW_LEDGER_ENTRIES_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "ledger.ndjson: %zu lines; at most %u are read", lines, SW_LEDGER_ENTRIES_MAX);
    if (!(out->entries = sw_mapping_alloc(memory, (lines + 1) * sizeof *out->entries)))
        return sw_fail_memory(error, "the ledger", lines * sizeof *out->entries);
    const char *at = copy, *end = copy + text.len;
    for (const char *feed; (feed = memchr(at, '\n', (size_t)(end - at))) != NULL; at = feed + 1) {
        enum sw_code code = read_entry(out, memory, problems, sw_bytes_of(at, (size_t)(feed - at)), error);
        if (code < 0)
            return code;
    }
    if (at < end) {
        enum sw_code code = report_problem(problems, out->count + 1, "it is not whole: its end was cut off", error);
        if (code < 0)
            return code;
    }
    for (size_t i = 0; i < out->count; i++)
        for (size_t j = 0; j < out->entries[i].supersedes.count; j++) {
            uint64_t number = out->entries[i].supersedes.at[j];
            if (number && number <= i)
                out->entries[number - 1].superseded_by = i + 1;
            else if (problems)
                sw_sentences_add(problems, "ledger.ndjson line %zu: it supersedes %" PRIu64 ", which does not stand before it", i + 1, number);
        }
    return SW_OK;
}

const struct sw_ledger_entry *sw_ledger_entry(const struct sw_ledger *ledger, uint64_t number) { return number && number <= ledger->count ? &ledger->entries[number - 1] : NULL; }
