/* Reading case.yaml, and writing its template, by the table of fields. */
#include "case/declaration.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "continuity/instant.h"
#include "mapping/yaml_tree.h"
#include "text/json_write.h"

#define PATH_MAX_LEN 80
#define ENTRIES_MAX 1000u
#define TEXT_MAX_LEN 4000u

struct reader {
    struct sw_mapping_block **memory;
    const char *name;
    struct sw_error *error;
};

static enum sw_code refuse(const struct reader *reader, const struct sw_yaml_node *node, const char *path, const char *format, ...) SW_PRINTF(4, 5);

static enum sw_code refuse(const struct reader *reader, const struct sw_yaml_node *node, const char *path, const char *format, ...)
{
    char text[SW_ERROR_TEXT_MAX / 2];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sw_fail(reader->error, SW_ERR_USAGE, "%s: %s", path, text);
    sw_error_place(reader->error, reader->name, node->line, node->column, UINT64_MAX);
    return SW_ERR_USAGE;
}

static enum sw_code no_memory(const struct reader *reader) { return sw_fail(reader->error, SW_ERR_MEMORY, "out of memory while %.200s was read", reader->name); }

static bool says_nothing(struct sw_bytes text)
{
    static const char *const words[] = {"", "?", "-", "tbd", "todo", "unknown", "~", "null"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (text.len == strlen(words[i]) && strncasecmp((const char *)text.at, words[i], text.len) == 0)
            return true;
    return false;
}

struct sw_case_shown sw_case_show(struct sw_bytes value)
{
    static const char more[] = "…";
    struct sw_case_shown shown = {""};
    size_t room = sizeof shown.text - sizeof more, len = value.len < room ? value.len : room;
    if (len < value.len)
        while (len && (value.at[len] & 0xc0) == 0x80)
            len--;
    for (size_t i = 0; i < len; i++)
        shown.text[i] = (char)(value.at[i] < ' ' || value.at[i] == 0x7f ? ' ' : value.at[i]);
    if (len < value.len)
        memcpy(shown.text + len, more, sizeof more);
    return shown;
}

bool sw_case_number(uint64_t *out, struct sw_bytes text)
{
    uint64_t number = 0;
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] < '0' || text.at[i] > '9' || __builtin_mul_overflow(number, 10, &number) || __builtin_add_overflow(number, (uint64_t)(text.at[i] - '0'), &number))
            return false;
    *out = number;
    return text.len != 0;
}

bool sw_case_duration(uint64_t *seconds, struct sw_bytes text)
{
    static const struct { char unit; uint64_t seconds; } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}};
    if (sw_bytes_is(text, "0")) {
        *seconds = 0;
        return true;
    }
    for (size_t i = 0; text.len && i < sizeof units / sizeof units[0]; i++)
        if (text.at[text.len - 1] == (uint8_t)units[i].unit)
            return sw_case_number(seconds, sw_bytes_of(text.at, text.len - 1)) && !__builtin_mul_overflow(*seconds, units[i].seconds, seconds);
    return false;
}

/* ---- values ---- */

static enum sw_code read_scalar(struct sw_bytes *out, const struct reader *reader, const struct sw_field *field, const char *path, const struct sw_yaml_node *node)
{
    if (node->kind != SW_YAML_SCALAR)
        return refuse(reader, node, path, "expected a text, found a %s", node->kind == SW_YAML_LIST ? "list" : "map");
    if (node->text.len > TEXT_MAX_LEN)
        return refuse(reader, node, path, "expected at most %u bytes, found %zu; keep long texts as evidence and name the entry", TEXT_MAX_LEN, node->text.len);
    if (node->text.len && memchr(node->text.at, '\0', node->text.len))
        return refuse(reader, node, path, "expected a text without NUL");
    *out = says_nothing(node->text) ? sw_bytes_of(NULL, 0) : node->text;
    if (!out->len)
        return SW_OK;
    struct sw_shown shown = sw_shown_bytes(*out);
    struct sw_instant instant;
    uint64_t number;
    switch (field->form) {
    case SW_FIELD_TIME:
        if (sw_instant_parse(&instant, *out) != SW_INSTANT_KNOWN)
            return refuse(reader, node, path, "expected a time with a zone such as 2031-02-03T04:05:06Z, found '%s'", shown.text);
        break;
    case SW_FIELD_DURATION:
        if (!sw_case_duration(&number, *out))
            return refuse(reader, node, path, "expected a length of time such as 0, 45s, 15m, 6h or 2d, found '%s'", shown.text);
        break;
    case SW_FIELD_COUNT:
        if (!sw_case_number(&number, *out))
            return refuse(reader, node, path, "expected a number, found '%s'", shown.text);
        break;
    case SW_FIELD_CHOICE: {
        char known[128] = "";
        for (size_t i = 0; field->choices[i]; i++) {
            if (sw_bytes_is(*out, field->choices[i]))
                return SW_OK;
            size_t len = strlen(known);
            snprintf(known + len, sizeof known - len, "%s%s", i == 0 ? "" : field->choices[i + 1] ? ", " : " or ", field->choices[i]);
        }
        return refuse(reader, node, path, "expected %s, found '%s'", known, shown.text);
    }
    default: break;
    }
    return SW_OK;
}

static enum sw_code read_texts(struct sw_note_texts *out, const struct reader *reader, const struct sw_field *field, const char *path, const struct sw_yaml_node *node)
{
    if (!(out->at = sw_mapping_alloc(reader->memory, (node->count + 1) * sizeof *out->at)))
        return no_memory(reader);
    for (const struct sw_yaml_node *item = node->first; item; item = item->next) {
        enum sw_code code = read_scalar(&out->at[out->count], reader, field, path, item);
        if (code < 0)
            return code;
        if (out->at[out->count].len)
            out->count++;
    }
    return SW_OK;
}

static enum sw_code read_entries(struct sw_note_entries *out, const struct reader *reader, const char *path, const struct sw_yaml_node *node)
{
    if (!(out->at = sw_mapping_alloc(reader->memory, (node->count + 1) * sizeof *out->at)))
        return no_memory(reader);
    for (const struct sw_yaml_node *item = node->first; item; item = item->next)
        if (item->kind != SW_YAML_SCALAR || !sw_case_number(&out->at[out->count++], item->text))
            return refuse(reader, item, path, "expected numbers of ledger entries such as [1, 4], found '%s'", item->kind == SW_YAML_SCALAR ? sw_shown_bytes(item->text).text : "something inside");
    return SW_OK;
}

static enum sw_code read_members(void *out, const struct reader *reader, const struct sw_field *fields, size_t field_count, const char *prefix, const struct sw_yaml_node *map);

static enum sw_code read_records(void *out, const struct reader *reader, const struct sw_field *field, const char *path, const struct sw_yaml_node *node)
{
    uint8_t *records = sw_mapping_alloc(reader->memory, (node->count + 1) * field->item_size);
    size_t count = 0;
    if (!records)
        return no_memory(reader);
    for (const struct sw_yaml_node *item = node->first; item; item = item->next) {
        if (item->kind != SW_YAML_MAP)
            return refuse(reader, item, path, "expected maps with the members of the template, found a %s", item->kind == SW_YAML_LIST ? "list" : "text");
        enum sw_code code = read_members(records + count++ * field->item_size, reader, field->items, field->item_count, "", item);
        if (code < 0)
            return code;
    }
    memcpy((uint8_t *)out + field->at, &records, sizeof records);
    memcpy((uint8_t *)out + field->count_at, &count, sizeof count);
    return SW_OK;
}

static enum sw_code read_field(void *out, const struct reader *reader, const struct sw_field *field, const char *path, const struct sw_yaml_node *node)
{
    void *at = (uint8_t *)out + field->at;
    bool list = field->form == SW_FIELD_TEXTS || field->form == SW_FIELD_ENTRIES || field->form == SW_FIELD_RECORDS;
    if (!list)
        return read_scalar(at, reader, field, path, node);
    if (node->kind == SW_YAML_SCALAR && says_nothing(node->text))
        return SW_OK;
    if (node->kind != SW_YAML_LIST)
        return refuse(reader, node, path, "expected a list, found a %s", node->kind == SW_YAML_MAP ? "map" : "text");
    size_t most = field->form == SW_FIELD_RECORDS ? SW_CASE_RECORDS_MAX : ENTRIES_MAX;
    if (node->count > most)
        return refuse(reader, node, path, "expected at most %zu items, found %zu", most, node->count);
    if (field->form == SW_FIELD_RECORDS)
        return read_records(out, reader, field, path, node);
    return field->form == SW_FIELD_ENTRIES ? read_entries(at, reader, path, node) : read_texts(at, reader, field, path, node);
}

/* ---- members ---- */

static enum sw_code unknown_member(const struct reader *reader, const struct sw_field *fields, size_t field_count, const char *prefix, const struct sw_yaml_node *member)
{
    enum { NAMES_MAX = 128 };
    char room[NAMES_MAX][48];
    const char *names[NAMES_MAX];
    size_t count = 0, prefix_len = strlen(prefix);
    for (size_t i = 0; i < field_count && count < NAMES_MAX; i++) {
        if (strncmp(fields[i].path, prefix, prefix_len) != 0)
            continue;
        const char *rest = fields[i].path + prefix_len;
        snprintf(room[count], sizeof room[count], "%.*s", (int)strcspn(rest, "."), rest);
        names[count] = room[count];
        count += count == 0 || strcmp(room[count], room[count - 1]) != 0;
    }
    char path[PATH_MAX_LEN + 1];
    struct sw_shown shown = sw_shown_bytes(member->text), meant = sw_meant(shown.text, names, count);
    snprintf(path, sizeof path, "%s", *prefix ? prefix : "case");
    if (*prefix)
        path[strlen(path) - 1] = '\0';
    return refuse(reader, member, path, "unknown member '%s'%s", shown.text, meant.text[0] ? meant.text : "; `slackwater case init` writes a template with all of them");
}

static enum sw_code read_members(void *out, const struct reader *reader, const struct sw_field *fields, size_t field_count, const char *prefix, const struct sw_yaml_node *map)
{
    for (const struct sw_yaml_node *member = map->first; member; member = member->next) {
        char path[2 * PATH_MAX_LEN];
        const struct sw_field *field = NULL;
        bool part = false;
        if (member->text.len > PATH_MAX_LEN - 2 || strlen(prefix) + member->text.len > PATH_MAX_LEN - 2)
            return unknown_member(reader, fields, field_count, prefix, member);
        snprintf(path, sizeof path, "%s%.*s", prefix, (int)member->text.len, (const char *)member->text.at);
        size_t len = strlen(path);
        for (size_t i = 0; i < field_count && !field; i++) {
            if (strcmp(fields[i].path, path) == 0)
                field = &fields[i];
            part = part || (strncmp(fields[i].path, path, len) == 0 && fields[i].path[len] == '.');
        }
        enum sw_code code = SW_OK;
        if (field) {
            code = read_field(out, reader, field, path, member->value);
        } else if (!part) {
            code = unknown_member(reader, fields, field_count, prefix, member);
        } else if (member->value->kind == SW_YAML_MAP) {
            path[len] = '.';
            path[len + 1] = '\0';
            code = read_members(out, reader, fields, field_count, path, member->value);
        } else if (member->value->kind != SW_YAML_SCALAR || !says_nothing(member->value->text)) {
            code = refuse(reader, member->value, path, "expected a map, found a %s", member->value->kind == SW_YAML_LIST ? "list" : "text");
        }
        if (code < 0)
            return code;
    }
    return SW_OK;
}

enum sw_code sw_case_declaration_read(struct sw_case_declaration *out, struct sw_mapping_block **memory, struct sw_bytes text, const char *name, struct sw_error *error)
{
    const struct reader reader = {memory, name, error};
    struct sw_yaml_node *root;
    *out = (struct sw_case_declaration){0};
    enum sw_code code = sw_yaml_read(&root, memory, text, name, error);
    if (code < 0 || !root || (root->kind == SW_YAML_SCALAR && says_nothing(root->text)))
        return code;
    if (root->kind != SW_YAML_MAP)
        return refuse(&reader, root, "case", "expected a map, found a %s", root->kind == SW_YAML_LIST ? "list" : "text");
    return read_members(out, &reader, sw_case_fields, sw_case_field_count, "", root);
}

/* ---- the template ---- */

static const struct { const char *part, *help; } parts[] = {
    {"boundaries", "The last confirmed point at each boundary. A position is a place in a log; the time says when you looked."},
    {"affected", "What is affected."},
    {"criteria", "Two criteria, two owners: right balances do not mean that no operation was lost."},
    {"handover", "Who is next."},
    {"process", "Whether something runs. It is never inferred from data."},
    {"history", "Whether history can be rebuilt, and what is to become of what cannot. Lists are written as the comment shows."},
    {"restart", "Where reading starts again, and why."},
    {"source", "What is known of the source."},
    {"rehearsal", "What was tried before it was done."},
    {"backfill", "Rereading of whole tables."},
    {"order", "Which version of a row is the newer one."},
    {"overlap", "A snapshot, a replay or a backfill brings changes that the destination has already."},
    {"snapshot", "Snapshots of a job. They do not rewind the destination."},
    {"seek", "Setting a subscription or an offset back."},
    {"destination", "What the destination was compared with, and when."},
    {"review", "What people looked at, and what they found."},
    {"resources", "What can be restored from, and until when."},
    {"assumptions", "What the decisions rest on. When one no longer holds, set `holds: no`: decisions from before it are open again."},
};

static size_t common_parts(const char *a, const char *b)
{
    size_t parts_count = 0;
    for (size_t i = 0; a[i] && a[i] == b[i]; i++)
        parts_count += a[i] == '.';
    return parts_count;
}

static void indent(struct sw_buffer *out, size_t depth) { sw_buffer_printf(out, "%*s", (int)(2 * depth), ""); }

static void template_field(struct sw_buffer *out, const struct sw_field *field, const char *previous, struct sw_bytes title)
{
    const char *name = field->path;
    size_t depth = 0, common = common_parts(field->path, previous), column;
    for (const char *dot; (dot = strchr(name, '.')) != NULL; name = dot + 1, depth++) {
        if (depth < common)
            continue;
        indent(out, depth);
        sw_buffer_add(out, name, (size_t)(dot - name));
        sw_buffer_add_text(out, ":\n");
    }
    indent(out, depth);
    bool list = field->form == SW_FIELD_TEXTS || field->form == SW_FIELD_ENTRIES || field->form == SW_FIELD_RECORDS;
    size_t start = out->len;
    sw_buffer_printf(out, "%s: ", name);
    if (strcmp(field->path, "title") == 0 && title.len)
        sw_json_write_text(out, title); /* YAML reads JSON's text */
    else
        sw_buffer_add_text(out, list ? "[]" : "\"\"");
    column = 2 * depth + out->len - start;
    if (field->help)
        sw_buffer_printf(out, "%*s# %s", (int)(column < 34 ? 34 - column : 1), "", field->help);
    sw_buffer_add_byte(out, '\n');
    for (size_t i = 0; i < field->item_count; i++) {
        start = out->len;
        sw_buffer_printf(out, "#  %s %s: \"\"", i ? " " : "-", field->items[i].path);
        column = out->len - start;
        sw_buffer_printf(out, "%*s# %s\n", (int)(column < 34 ? 34 - column : 1), "", field->items[i].help);
    }
}

void sw_case_template(struct sw_buffer *out, struct sw_bytes title)
{
    const char *previous = "";
    sw_buffer_add_text(out, "# What is known of the incident, and what is not. Fill in what you know and leave the rest empty: what is empty is\n"
                            "# \"not answered\", never assumed. `slackwater case check` says which answers are missing, and why each is asked for.\n"
                            "# Times are written 2031-02-03T04:05:06Z. Evidence is named by the numbers that `slackwater case add` gives it.\n"
                            "# The first ten minutes: down to `handover`. The rest before anybody says that anything is recovered.\n\n");
    for (size_t i = 0; i < sw_case_field_count; i++) {
        const char *path = sw_case_fields[i].path;
        size_t len = strcspn(path, ".");
        bool begins = strncmp(previous, path, len) != 0 || (previous[len] != '.' && previous[len] != '\0');
        for (size_t part = 0; begins && part < sizeof parts / sizeof parts[0]; part++)
            if (strlen(parts[part].part) == len && strncmp(parts[part].part, path, len) == 0)
                sw_buffer_printf(out, "\n# %s\n", parts[part].help);
        template_field(out, &sw_case_fields[i], previous, title);
        previous = path;
    }
}
