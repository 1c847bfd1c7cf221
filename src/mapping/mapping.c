#include "mapping/mapping.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/near_file.h"
#include "mapping/draft.h"
#include "mapping/yaml_tree.h"
#include "text/json_write.h"

const char *sw_role_name(enum sw_role role)
{
    switch (role) {
    case SW_ROLE_BASELINE: return "baseline";
    case SW_ROLE_EVENTS: return "events";
    default: return "expected";
    }
}

enum sw_operation sw_mapping_operation(const struct sw_mapping *mapping, enum sw_role role, struct sw_bytes text)
{
    const struct sw_layout *layout = &mapping->layout[role];
    if (text.len == 1)
        return (enum sw_operation)layout->one_byte[text.at[0]];
    for (size_t i = 0; i < layout->spelling_count; i++) {
        const char *spelling = layout->spellings[i].text;
        size_t same = 0; /* no spelling holds a NUL, so this ends at its end */
        while (same < text.len && (uint8_t)spelling[same] == text.at[same] && text.at[same])
            same++;
        if (same == text.len && spelling[same] == '\0')
            return layout->spellings[i].operation;
    }
    return SW_OPERATION_UNKNOWN;
}

static bool stands_at(const struct sw_path *path, struct sw_bytes member) { return path->step_count && sw_bytes_is(member, path->steps[0]); }

bool sw_layout_claims(const struct sw_layout *layout, struct sw_bytes member)
{
    const struct sw_path *parts[] = {&layout->operation, &layout->deleted, &layout->table, &layout->transaction, &layout->time, &layout->before, &layout->after, &layout->value};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (stands_at(parts[i], member))
            return true;
    for (size_t i = 0; i < layout->identity_count; i++)
        if (stands_at(&layout->identity[i], member))
            return true;
    for (size_t i = 0; i < SW_ORDER_FIELDS_MAX; i++)
        if (stands_at(&layout->order[i], member))
            return true;
    return false;
}

static void line(struct sw_buffer *out, const char *what, const char *text)
{
    sw_buffer_printf(out, "%s ", what);
    sw_json_write_text_inside(out, sw_bytes_text(text));
    sw_buffer_add_byte(out, '\n');
}

static void write_order_fields(struct sw_buffer *out, const struct sw_mapping *mapping)
{
    for (size_t i = 0; i < mapping->order_field_count; i++) {
        for (int role = 0; role < SW_ROLE_COUNT; role++) {
            const struct sw_path *path = &mapping->layout[role].order[i];
            if (path->step_count == 0)
                continue;
            struct sw_buffer text = {0};
            sw_path_print(&text, path);
            sw_buffer_printf(out, "order field ");
            sw_json_write_text_inside(out, sw_bytes_text(mapping->order_field_names[i]));
            sw_buffer_printf(out, " of %s ", sw_role_name((enum sw_role)role));
            sw_json_write_text_inside(out, sw_buffer_view(&text));
            sw_buffer_add_byte(out, '\n');
            out->failed = out->failed || text.failed;
            sw_buffer_free(&text);
        }
    }
}

static void write_columns(struct sw_buffer *out, const struct sw_mapping *mapping)
{
    for (size_t i = 0; i < mapping->column_count; i++) {
        const struct sw_column_rule *rule = &mapping->columns[i];
        if (rule->has_type) {
            sw_buffer_add_text(out, "type ");
            sw_json_write_text_inside(out, sw_bytes_text(rule->column));
            sw_buffer_add_byte(out, ' ');
            sw_type_print(out, &rule->type);
            sw_buffer_add_byte(out, '\n');
        }
        if (rule->ignored)
            line(out, "ignore", rule->column);
    }
    for (int role = 0; role < SW_ROLE_COUNT; role++) {
        for (size_t i = 0; i < mapping->rule_count[role]; i++) {
            const struct sw_column_rule *rule = &mapping->rules[role][i];
            if (!rule->renamed_to)
                continue;
            sw_buffer_printf(out, "rename in %s ", sw_role_name((enum sw_role)role));
            sw_json_write_text_inside(out, sw_bytes_text(rule->column));
            line(out, " to", rule->renamed_to);
        }
    }
}

/* What holds for one of several tables, each line with its name. */
static void write_table(struct sw_buffer *out, const struct sw_mapping *mapping)
{
    struct sw_buffer lines = {0};
    for (size_t i = 0; i < mapping->key_count; i++)
        line(&lines, "key", mapping->keys[i]);
    write_columns(&lines, mapping);
    for (size_t at = 0; at < lines.len;) {
        const uint8_t *end = memchr(lines.at + at, '\n', lines.len - at);
        size_t len = end ? (size_t)(end - lines.at) + 1 - at : lines.len - at;
        sw_buffer_add_text(out, "table ");
        sw_json_write_text_inside(out, sw_bytes_text(mapping->table));
        sw_buffer_add_text(out, ": ");
        sw_buffer_add(out, lines.at + at, len);
        at += len;
    }
    out->failed = out->failed || lines.failed;
    sw_buffer_free(&lines);
}

/* In a fixed order, whatever order it was declared in. */
static void write_declared(struct sw_buffer *out, const struct sw_mapping *mapping, bool delimiter_declared, bool null_declared)
{
    static const char *const deletes[] = {NULL, "tombstone", "absent", "flag"};
    if (mapping->table)
        line(out, "table", mapping->table);
    for (size_t i = 0; i < mapping->key_count && !mapping->plain_names; i++)
        line(out, "key", mapping->keys[i]);
    if (mapping->order && !mapping->order_by_default)
        line(out, "order", mapping->order);
    if (!mapping->plain_names)
        write_order_fields(out, mapping);
    write_columns(out, mapping);
    for (size_t i = 0; i < mapping->part_count; i++) {
        sw_buffer_add_text(out, "partitions ");
        sw_json_write_text_inside(out, sw_bytes_text(mapping->parts[i].pattern));
        line(out, " of", mapping->parts[i].table);
    }
    for (size_t i = 0; i < mapping->table_count; i++)
        write_table(out, mapping->tables[i].mapping);
    if (mapping->absent == SW_ABSENT_NULL)
        line(out, "absent", "null");
    if (mapping->images == SW_IMAGES_PARTIAL)
        line(out, "images", "partial");
    if (mapping->replica_identity_full)
        line(out, "replica_identity", "full");
    if (mapping->placeholder)
        line(out, "placeholder", mapping->placeholder);
    if (null_declared) {
        sw_buffer_add_text(out, "csv null ");
        sw_json_write_text(out, mapping->csv_null);
        sw_buffer_add_byte(out, '\n');
    }
    if (mapping->csv_null_quoted_too)
        line(out, "csv null_quoted", "true");
    if (delimiter_declared) {
        char delimiter[] = {mapping->csv_delimiter, '\0'};
        line(out, "csv delimiter", delimiter);
    }
    if (mapping->csv_escape) {
        char escape[] = {mapping->csv_escape, '\0'};
        line(out, "csv escape", escape);
    }
    if (mapping->baseline_position)
        line(out, "baseline_position", mapping->baseline_position);
    if (mapping->baseline_time)
        line(out, "baseline_time", mapping->baseline_time);
    if (mapping->cut)
        line(out, "cut", mapping->cut);
    if (mapping->space)
        line(out, "space", mapping->space);
    for (size_t i = 0; i < mapping->space_count; i++)
        line(out, "spaces", mapping->spaces[i]);
    if (mapping->compare != SW_COMPARE_AUTO)
        line(out, "compare", mapping->compare == SW_COMPARE_STATE ? "state" : "value");
    if (mapping->deletes == SW_DELETES_FLAG)
        line(out, mapping->delete_when_set ? "expected_deletes set" : "expected_deletes flag", mapping->delete_flag);
    else if (mapping->deletes != SW_DELETES_AUTO)
        line(out, "expected_deletes", deletes[mapping->deletes]);
    if (mapping->conflicts_newest)
        line(out, "conflicts", "newest");
    if (mapping->scope)
        line(out, "scope", mapping->scope->text);
}

enum sw_code sw_mapping_parse(struct sw_mapping *out, struct sw_bytes yaml, const char *name, const struct sw_reconcile_options *options, struct sw_error *error)
{
    *out = (struct sw_mapping){.absent = SW_ABSENT_UNKNOWN};
    struct sw_draft draft = {.mapping = out, .error = error, .events_given = !options || options->event_count};
    struct sw_yaml_node *root = NULL;
    enum sw_code code = sw_draft_read_yaml(&root, &draft, yaml, name ? name : "mapping");
    if (code == SW_OK && options)
        code = sw_draft_read_options(&draft, options);
    if (code == SW_OK)
        code = sw_draft_settle(&draft);
    if (code == SW_OK && draft.tables)
        code = sw_draft_read_tables(&draft, root, name ? name : "mapping", options);
    bool delimiter_declared = out->csv_delimiter;
    if (!delimiter_declared)
        out->csv_delimiter = ',';
    if (code == SW_OK) {
        write_declared(&out->declared, out, delimiter_declared, out->csv_null.at != NULL);
        if (out->csv_escape && !out->csv_null.at)
            out->csv_null = SW_BYTES_LITERAL("\\N");
        if (out->declared.failed)
            code = sw_draft_no_memory(&draft);
    }
    sw_free(draft.columns);
    sw_free(draft.renames);
    sw_mapping_release(&draft.scratch);
    if (code < 0)
        sw_mapping_free(out);
    return code;
}

static enum sw_code read_file(struct sw_buffer *out, const char *path, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && (errno == ENOENT || errno == ENOTDIR)) { /* as of an input: a wrong name is wrong usage, not a failure of the machine */
        struct sw_error missing = {0};
        (void)sw_no_such_file(path, &missing);
        return sw_fail(error, SW_ERR_INPUT, "mapping: %.900s", missing.text);
    }
    if (fd < 0)
        return sw_fail_errno(error, SW_ERR_IO, errno, "mapping '%s' cannot be opened", sw_shown(path).text);
    while (code == SW_OK && out->len <= SW_YAML_BYTES_MAX) {
        ssize_t got = sw_buffer_reserve(out, 1 << 14) ? read(fd, out->at + out->len, 1 << 14) : 0;
        if (out->failed)
            code = sw_fail_memory(error, "the mapping", out->len + (1 << 14));
        else if (got < 0 && errno != EINTR)
            code = sw_fail_errno(error, SW_ERR_IO, errno, "mapping '%s' cannot be read", sw_shown(path).text);
        else if (got == 0)
            break;
        else if (got > 0)
            out->len += (size_t)got;
    }
    close(fd);
    return code;
}

enum sw_code sw_mapping_load(struct sw_mapping *out, const struct sw_reconcile_options *options, struct sw_error *error)
{
    struct sw_buffer yaml = {0};
    *out = (struct sw_mapping){.absent = SW_ABSENT_UNKNOWN};
    enum sw_code code = options->map_file ? read_file(&yaml, options->map_file, error) : SW_OK;
    if (code == SW_OK)
        code = sw_mapping_parse(out, sw_buffer_view(&yaml), options->map_file, options, error);
    sw_buffer_free(&yaml);
    return code;
}

enum sw_code sw_mapping_name_keys(struct sw_mapping *mapping, struct sw_bytes names, struct sw_error *error)
{
    if (mapping->plain_names)
        mapping->order_field_count = 0;
    for (int role = 0; role < SW_ROLE_COUNT && mapping->plain_names; role++)
        mapping->layout[role] = (struct sw_layout){0}; /* nothing was declared: what stands there is the default of plain rows */
    mapping->plain_names = false;
    mapping->key_count = 0;
    for (size_t at = 0; at < names.len; mapping->key_count++) {
        const char *name = (const char *)names.at + at;
        size_t len = strnlen(name, names.len - at);
        if (mapping->key_count == SW_KEY_COLUMNS_MAX)
            return sw_fail(error, SW_ERR_LIMIT, "the records name more than %d key columns", SW_KEY_COLUMNS_MAX);
        mapping->keys[mapping->key_count] = sw_mapping_text(&mapping->memory, name, len);
        if (!mapping->keys[mapping->key_count])
            return sw_fail_memory(error, "key columns", len);
        at += len + 1;
    }
    return SW_OK;
}

bool sw_table_is(struct sw_bytes full, struct sw_bytes name)
{
    return sw_bytes_equal(full, name) || (full.len > name.len && full.at[full.len - name.len - 1] == '.' && name.len && memcmp(full.at + full.len - name.len, name.at, name.len) == 0);
}

size_t sw_mapping_find_table(const struct sw_mapping *mapping, struct sw_bytes full)
{
    size_t found = mapping->table_count;
    for (size_t i = 0; i < mapping->table_count; i++) { /* of several, the one that says most */
        struct sw_bytes name = sw_bytes_text(mapping->tables[i].mapping->table);
        if (sw_table_is(full, name) && (found == mapping->table_count || strlen(mapping->tables[found].mapping->table) < name.len))
            found = i;
    }
    return found;
}

void sw_mapping_free(struct sw_mapping *mapping)
{
    for (size_t i = 0; i < mapping->table_count; i++) {
        sw_mapping_free(mapping->tables[i].mapping);
        sw_free(mapping->tables[i].mapping);
    }
    sw_mapping_release(&mapping->memory);
    sw_buffer_free(&mapping->declared);
    sw_condition_free(&mapping->scope);
    sw_condition_free(&mapping->where);
    *mapping = (struct sw_mapping){.absent = SW_ABSENT_UNKNOWN};
}
