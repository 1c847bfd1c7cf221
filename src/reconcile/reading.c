/* What a run's threads share while they read: made before they start, summed up when they have ended. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "fold/links.h"
#include "reconcile/read.h"
#include "slackwater/names.h"
#include "text/csv_reader.h"

struct sw_place sw_read_place(const struct sw_reading *reading, uint32_t input, uint64_t block, uint64_t line)
{
    const struct sw_read_role *role = reading->roles;
    while (input - role->first_input >= role->input_count)
        role++;
    const struct sw_block_lines *blocks = &role->inputs[input - role->first_input].blocks;
    return (struct sw_place){input, (block < blocks->count ? blocks->lines[block] : 0) + line + 1};
}

void sw_read_finish(struct sw_reading *reading)
{
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        for (uint32_t i = 0; i < reading->roles[role].input_count; i++) {
            struct sw_block_lines *blocks = &reading->roles[role].inputs[i].blocks;
            uint64_t sum = 0;
            for (size_t b = 0; b < blocks->count; b++) {
                uint64_t lines = blocks->lines[b];
                blocks->lines[b] = sum;
                sum += lines;
            }
        }
}

void sw_read_header_free(struct sw_json_template **pointer)
{
    struct sw_json_template *header = *pointer;
    *pointer = NULL;
    if (!header)
        return;
    sw_buffer_free(&header->names);
    sw_free(header->nodes);
    sw_free(header);
}

void sw_reading_free(struct sw_reading *reading)
{
    for (int r = 0; r < SW_ROLE_COUNT; r++) {
        struct sw_read_role *role = &reading->roles[r];
        sw_source_close(&role->source);
        for (uint32_t i = 0; i < role->input_count; i++) {
            sw_free(role->inputs[i].blocks.lines);
            sw_read_header_free(&role->inputs[i].header);
            sw_state_header_free(&role->inputs[i].state);
        }
        sw_free(role->inputs);
        sw_free(role->tables);
        sw_free(role->sets);
        for (uint32_t i = 0; i < role->kind_count; i++)
            sw_free(role->kinds[i].kind);
        sw_free(role->kinds);
    }
    sw_partition_store_free(&reading->records);
    sw_partition_store_free(&reading->identities);
    sw_runs_free(&reading->bad);
    sw_buffer_free(&reading->truncates);
    sw_buffer_free(&reading->truncate_spans);
    sw_buffer_free(&reading->links);
    sw_partition_store_free(&reading->members);
    sw_buffer_free(&reading->member_tables);
    pthread_mutex_destroy(&reading->lock);
    pthread_cond_destroy(&reading->carry_turn);
    sw_format_notes_free(&reading->notes);
    sw_invalid_values_free(&reading->invalid);
    sw_transactions_free(&reading->transactions);
}

bool sw_read_keep_link(struct sw_reading *reading, const struct sw_record *record)
{
    pthread_mutex_lock(&reading->lock);
    if (reading->links.len < reading->link_bytes_max)
        sw_fold_link_add(&reading->links, record);
    else
        reading->links_left_out++;
    bool kept = !reading->links.failed;
    pthread_mutex_unlock(&reading->lock);
    return kept;
}

enum sw_code sw_read_open_members(struct sw_reading *reading, struct sw_member_writer *writer, unsigned thread, struct sw_error *error)
{
    if (!writer->writer) { /* the store is made when the first such record comes */
        struct sw_partition_options options = {.partitions = SW_MEMBER_PARTITIONS, .writers = reading->threads, .memory_bytes = reading->link_bytes_max, .budget = reading->budget, .spill = reading->spill};
        pthread_mutex_lock(&reading->lock);
        enum sw_code code = reading->members ? SW_OK : sw_partition_store_new(&reading->members, &options, error);
        pthread_mutex_unlock(&reading->lock);
        if (code < 0)
            return code;
        writer->writer = sw_partition_writer_at(reading->members, thread);
        writer->partitions = SW_MEMBER_PARTITIONS;
    }
    return SW_OK;
}

enum sw_code sw_read_note_member(struct sw_reading *reading, struct sw_member_writer *writer, unsigned thread, const struct sw_watched *seen, struct sw_error *error)
{
    enum sw_code code = sw_read_open_members(reading, writer, thread, error);
    return code == SW_OK ? sw_member_note(writer, seen, error) : code;
}

enum sw_code sw_read_csv_header(struct sw_json_template **out, const struct sw_kernel *kernel, const struct sw_mapping *mapping, const struct sw_input *from, struct sw_error *error)
{
    struct sw_csv_reader csv = {0};
    struct sw_buffer head = {0};
    enum sw_code code = SW_OK;
    *out = NULL;
    sw_buffer_add_bytes(&head, from->head);
    if (!sw_buffer_reserve(&head, 64) || head.failed || !sw_csv_reader_init(&csv, kernel, (uint8_t)mapping->csv_delimiter)) {
        sw_buffer_free(&head);
        return sw_fail_memory(error, "a CSV header", from->head.len);
    }
    memset(head.at + head.len, 0, 64);
    csv.escape = (uint8_t)mapping->csv_escape;
    uint8_t *at = head.at;
    uint64_t lines = 0;
    struct sw_json_template *header = sw_calloc(1, sizeof *header);
    if (sw_csv_read(&csv, &at, head.at + head.len, &lines) != SW_CSV_OK) {
        code = sw_fail(error, SW_ERR_INPUT, "the CSV header cannot be read: %s", csv.problem.text[0] ? csv.problem.text : "it is an empty line");
    } else if (!header || !(header->nodes = sw_calloc(csv.token_count + 1, sizeof *header->nodes))) {
        code = sw_fail_memory(error, "a CSV header", csv.token_count * sizeof *header->nodes);
    } else {
        header->node_count = csv.token_count + 1;
        header->nodes[0] = (struct sw_json_node){.parent = SW_JSON_NO_NODE, .next = SW_JSON_NO_NODE, .first_child = 1, .object = true};
        for (uint32_t i = 1; i <= csv.token_count && code == SW_OK && !header->names.failed; i++) {
            struct sw_token name = csv.tokens[i];
            header->nodes[i] = (struct sw_json_node){.name_at = (uint32_t)header->names.len, .name_len = name.len, .parent = 0,
                                                     .first_child = SW_JSON_NO_NODE, .next = i < csv.token_count ? i + 1 : SW_JSON_NO_NODE};
            sw_buffer_add(&header->names, name.at, name.len);
            if (name.len == 0)
                code = sw_fail(error, SW_ERR_INPUT, "column %u of the CSV header has no name", i);
            for (uint32_t j = 1; j < i && code == SW_OK && !header->names.failed; j++)
                if (sw_bytes_equal(sw_json_node_name(header, j), sw_json_node_name(header, i)))
                    code = sw_fail(error, SW_ERR_INPUT, "columns %u and %u of the CSV header are both named \"%.*s\"", j, i, (int)name.len, (const char *)name.at);
        }
    }
    if (code == SW_OK && header->names.failed)
        code = sw_fail_memory(error, "a CSV header", from->head.len);
    sw_error_place(error, from->locator, 1, 0, 0);
    sw_buffer_free(&head);
    sw_csv_reader_free(&csv);
    if (code < 0)
        sw_read_header_free(&header);
    *out = header;
    return code;
}

static enum sw_code read_header(struct sw_reading *reading, struct sw_read_input *input, const struct sw_input *from, struct sw_error *error)
{
    enum sw_code code = sw_read_csv_header(&input->header, reading->kernel, reading->mapping, from, error);
    if (code == SW_OK)
        input->column_count = input->header->node_count - 1;
    return code;
}

enum sw_code sw_read_row_header(struct sw_json_template **out, const struct sw_input *from, struct sw_error *error)
{
    const struct sw_row_columns *columns = from->rows;
    struct sw_json_template *header = sw_calloc(1, sizeof *header);
    enum sw_code code = SW_OK;
    *out = NULL;
    if (!header || !(header->nodes = sw_calloc((size_t)columns->count + 1, sizeof *header->nodes))) {
        sw_free(header);
        return sw_fail_memory(error, "columns", columns->count * sizeof *header->nodes);
    }
    header->node_count = columns->count + 1;
    header->nodes[0] = (struct sw_json_node){.parent = SW_JSON_NO_NODE, .next = SW_JSON_NO_NODE, .first_child = 1, .object = true};
    for (uint32_t i = 1; i <= columns->count && code == SW_OK; i++) {
        const char *name = columns->names[i - 1];
        header->nodes[i] = (struct sw_json_node){.name_at = (uint32_t)header->names.len, .name_len = (uint32_t)strlen(name), .parent = 0,
                                                 .first_child = SW_JSON_NO_NODE, .next = i < columns->count ? i + 1 : SW_JSON_NO_NODE};
        sw_buffer_add_text(&header->names, name);
        if (!*name)
            code = sw_fail(error, SW_ERR_USAGE, "column %u has no name; name it with AS", i);
        for (uint32_t j = 1; j < i && code == SW_OK; j++)
            if (strcmp(columns->names[j - 1], name) == 0)
                code = sw_fail(error, SW_ERR_USAGE, "columns %u and %u are both named \"%.80s\"; name one of them with AS", j, i, name);
    }
    if (code == SW_OK && header->names.failed)
        code = sw_fail_memory(error, "columns", header->names.len);
    if (code == SW_OK) {
        *out = header;
        return SW_OK;
    }
    sw_error_place(error, from->locator, 0, 0, UINT64_MAX);
    sw_read_header_free(&header);
    return code;
}

static bool has_column(const struct sw_mapping *mapping, enum sw_role role, const struct sw_json_template *header, const char *wanted)
{
    for (uint32_t i = 1; i < header->node_count; i++) {
        struct sw_bytes name = sw_json_node_name(header, i);
        const struct sw_column_rule *rule = sw_mapping_rule(mapping, role, name);
        if (sw_bytes_is(rule && rule->renamed_to ? sw_bytes_text(rule->renamed_to) : name, wanted))
            return true;
    }
    return false;
}

/* The column whose name is nearest to `key`, in `texts`, or NULL. */
static const char *nearest_column(struct sw_buffer *texts, const struct sw_json_template *header, const char *key)
{
    const char *known[64];
    size_t count = 0;
    for (uint32_t i = 1; i < header->node_count && i <= 64; i++) {
        sw_buffer_add_bytes(texts, sw_json_node_name(header, i));
        sw_buffer_add_byte(texts, '\0');
    }
    for (const char *at = sw_buffer_text(texts); at && count < 64 && count + 1 < header->node_count; at += strlen(at) + 1)
        known[count++] = at;
    return sw_nearest_name(key, known, count);
}

/* A header that is one column and holds another separator: what to declare, or "". */
static const char *separator_hint(const struct sw_json_template *header, bool csv)
{
    static const struct { char separator; const char *hint; } others[] = {
        {';', "; its one column holds ';': if that separates fields, declare --csv-delimiter ';'"},
        {'\t', "; its one column holds tabs: if those separate fields, declare --csv-delimiter tab"},
        {'|', "; its one column holds '|': if that separates fields, declare --csv-delimiter '|'"}};
    for (size_t i = 0; csv && header->node_count == 2 && i < sizeof others / sizeof *others; i++)
        if (memchr(sw_json_node_name(header, 1).at, others[i].separator, sw_json_node_name(header, 1).len))
            return others[i].hint;
    return "";
}

static enum sw_code fail_keyless(const struct sw_json_template *header, const char *key, bool declared, const struct sw_input *from, struct sw_error *error)
{
    bool csv = from->framing == SW_FRAMING_CSV;
    struct sw_buffer names = {0}, texts = {0};
    for (uint32_t i = 1; i < header->node_count && names.len < 300; i++) {
        sw_buffer_add_text(&names, i > 1 ? ", " : "");
        sw_buffer_add_bytes(&names, sw_json_node_name(header, i));
    }
    const char *list = sw_buffer_text(&names), *near = nearest_column(&texts, header, key);
    if (declared)
        (void)sw_fail(error, SW_ERR_USAGE, "there is no key column %s%s%s%s: the columns are %.400s%s; --key names the key, --rename a column that one side calls otherwise", key,
                      near ? " (did you mean " : "", near ? near : "", near ? "?)" : "", list ? list : "", separator_hint(header, csv));
    else
        (void)sw_fail(error, SW_ERR_USAGE, "no key is declared, and no column is named key: --key COLUMN[,COLUMN…] says what names a row; the columns are %.400s%s", list ? list : "", separator_hint(header, csv));
    sw_buffer_free(&names);
    sw_buffer_free(&texts);
    sw_error_place(error, from->locator, csv ? 1 : 0, 0, csv ? 0 : UINT64_MAX);
    return SW_ERR_USAGE;
}

/* Columns that are known before any record: without a key column all of them would be bad records, hours later. */
static enum sw_code refuse_keyless(const struct sw_reading *reading, enum sw_role role, const struct sw_json_template *header, const char *table, const struct sw_input *from, struct sw_error *error)
{
    const struct sw_mapping *mapping = reading->mapping;
    const char *of = table ? table : mapping->layout[role].table_name;
    size_t at = mapping->table_count && of ? sw_mapping_find_table(mapping, sw_bytes_text(of)) : mapping->table_count;
    if (at < mapping->table_count)
        mapping = mapping->tables[at].mapping;
    const struct sw_layout *layout = &mapping->layout[role];
    if (reading->roles[role].format != &sw_format_plain || layout->after.step_count || layout->before.step_count || layout->value.step_count)
        return SW_OK;
    for (size_t key = 0; key < mapping->key_count; key++)
        if (!layout->key[key].step_count && !has_column(mapping, role, header, mapping->keys[key]))
            return fail_keyless(header, mapping->keys[key], true, from, error);
    return SW_OK;
}

enum sw_code sw_read_refuse_undeclared(const struct sw_reading *reading, struct sw_error *error)
{
    for (int r = 0; r < SW_ROLE_COUNT && reading->mapping->plain_names; r++) {
        const struct sw_read_role *role = &reading->roles[r];
        for (uint32_t i = 0; i < role->input_count && role->format == &sw_format_plain; i++) {
            const struct sw_json_template *header = role->inputs[i].header;
            if (header && !has_column(reading->mapping, (enum sw_role)r, header, "key"))
                return fail_keyless(header, "key", false, sw_source_input(role->source, i), error);
        }
    }
    return SW_OK;
}

enum sw_code sw_read_prepare(struct sw_reading *reading, struct sw_error *error)
{
    uint32_t inputs = 0;
    for (int r = 0; r < SW_ROLE_COUNT; r++) {
        struct sw_read_role *role = &reading->roles[r];
        role->first_input = inputs;
        if (!role->source)
            continue;
        uint32_t count = sw_source_input_count(role->source);
        role->inputs = sw_calloc(count, sizeof *role->inputs);
        if (!role->inputs)
            return sw_fail_memory(error, "inputs", count * sizeof *role->inputs);
        role->input_count = count;
        inputs += count;
        for (uint32_t i = 0; i < count; i++) {
            const struct sw_input *input = sw_source_input(role->source, i);
            role->inputs[i].csv = input->framing == SW_FRAMING_CSV;
            role->inputs[i].table = input->given < role->table_count ? role->tables[input->given] : NULL;
            role->any_csv |= role->inputs[i].csv;
            role->any_json |= !role->inputs[i].csv;
            if (reading->order && reading->order->arrival && r == SW_ROLE_EVENTS) {
                role->inputs[i].arrival_space = sw_spaces_intern(reading->spaces, sw_bytes_text(input->locator), strlen(input->locator));
                if (role->inputs[i].arrival_space == UINT32_MAX)
                    return sw_fail_memory(error, "position spaces", 0);
            }
            if (input->framing == SW_FRAMING_ROWS) {
                enum sw_code code = sw_read_row_header(&role->inputs[i].header, input, error);
                if (code < 0)
                    return code;
                role->inputs[i].column_count = input->rows->count;
            }
            if (role->inputs[i].csv) {
                enum sw_code code = read_header(reading, &role->inputs[i], input, error);
                if (code < 0)
                    return code;
            }
            if (role->inputs[i].header) {
                enum sw_code code = refuse_keyless(reading, (enum sw_role)r, role->inputs[i].header, role->inputs[i].table, input, error);
                if (code < 0)
                    return code;
            }
        }
    }
    return SW_OK;
}
