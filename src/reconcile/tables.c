/* Several tables in one run, each with its own key and types: `tables` of the mapping. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "reconcile/run.h"

void sw_run_declare_keys_of(struct sw_key_declaration *keys, const struct sw_mapping *mapping)
{
    for (size_t i = 0; i < mapping->key_count; i++) {
        struct sw_bytes name = sw_bytes_text(mapping->keys[i]);
        const struct sw_column_rule *rule = sw_mapping_column(mapping, name);
        keys[i].declared = rule && rule->has_type;
        keys[i].type = (struct sw_type){.kind = SW_TYPE_ANY, .precision = -1};
        if (keys[i].declared)
            keys[i].type = rule->type;
        keys[i].name = mapping->plain_names ? (struct sw_bytes){0} : name; /* a plain key prints as a bare value */
    }
}

enum sw_code sw_run_declare_tables(struct sw_run *run, struct sw_error *error)
{
    size_t count = run->mapping.table_count;
    if (count == 0)
        return SW_OK;
    run->tables = sw_calloc(count, sizeof *run->tables);
    run->table_keys = sw_calloc(count * SW_KEY_COLUMNS_MAX, sizeof *run->table_keys);
    if (!run->tables || !run->table_keys)
        return sw_fail_memory(error, "tables", count * sizeof *run->tables);
    for (size_t t = 0; t < count; t++) {
        const struct sw_mapping *mapping = run->mapping.tables[t].mapping;
        struct sw_key_declaration *keys = run->table_keys + t * SW_KEY_COLUMNS_MAX;
        sw_run_declare_keys_of(keys, mapping);
        run->tables[t] = (struct sw_bind_table){mapping, keys, (uint32_t)mapping->key_count};
    }
    return SW_OK;
}

/* Of a run that is repeated: what stands in the place of the files that the mapping names. */
static enum sw_code take_given(const char *const **locators, size_t *count, struct sw_run *run, enum sw_role role, struct sw_error *error)
{
    const struct sw_reconcile_options *options = run->options;
    const struct sw_mapping *mapping = &run->mapping;
    struct sw_read_role *to = &run->reading.roles[role];
    if (!options->table_input_count)
        return sw_fail(error, SW_ERR_UNSUPPORTED, "its mapping names files of its tables, and the report does not say which inputs those were");
    const char **all = sw_calloc(*count + options->table_input_count, sizeof *all);
    to->tables = sw_calloc(*count + options->table_input_count, sizeof *to->tables);
    run->locators[role] = all;
    if (!all || !to->tables)
        return sw_fail_memory(error, "the list of inputs", options->table_input_count * sizeof *all);
    for (size_t i = 0; i < *count; i++)
        all[i] = (*locators)[i];
    for (size_t i = 0; i < options->table_input_count; i++) {
        const struct sw_table_input *input = &options->table_inputs[i];
        if (strcmp(input->role, sw_role_name(role)) != 0)
            continue;
        size_t t = 0;
        while (t < mapping->table_count && strcmp(mapping->tables[t].mapping->table, input->table) != 0)
            t++;
        if (t == mapping->table_count)
            return sw_fail(error, SW_ERR_UNSUPPORTED, "its mapping lists no table %.200s, of which an input was", input->table);
        all[*count] = input->locator;
        to->tables[(*count)++] = mapping->tables[t].mapping->table;
    }
    to->table_count = *count;
    *locators = all;
    return SW_OK;
}

enum sw_code sw_run_gather_locators(const char *const **locators, size_t *count, struct sw_run *run, enum sw_role role, struct sw_error *error)
{
    const struct sw_mapping *mapping = &run->mapping;
    struct sw_read_role *to = &run->reading.roles[role];
    size_t more = 0;
    for (size_t t = 0; t < mapping->table_count; t++)
        more += mapping->tables[t].input_count[role];
    if (more == 0)
        return SW_OK;
    if (run->options->inputs_alone)
        return take_given(locators, count, run, role, error);
    const char **all = sw_calloc(*count + more, sizeof *all);
    to->tables = sw_calloc(*count + more, sizeof *to->tables);
    run->locators[role] = all;
    if (!all || !to->tables)
        return sw_fail_memory(error, "the list of inputs", more * sizeof *all);
    to->table_count = *count + more;
    for (size_t i = 0; i < *count; i++)
        all[i] = (*locators)[i];
    size_t at = *count;
    for (size_t t = 0; t < mapping->table_count; t++)
        for (size_t i = 0; i < mapping->tables[t].input_count[role]; i++, at++) {
            all[at] = mapping->tables[t].inputs[role][i];
            to->tables[at] = mapping->tables[t].mapping->table;
        }
    *locators = all;
    *count = at;
    return SW_OK;
}

const char *sw_run_table_of(const struct sw_run *run, const struct sw_input *input)
{
    for (int r = 0; r < SW_ROLE_COUNT; r++) {
        const struct sw_read_role *role = &run->reading.roles[r];
        for (uint32_t i = 0; role->source && role->table_count && i < sw_source_input_count(role->source); i++)
            if (sw_source_input(role->source, i) == input)
                return input->given < role->table_count ? role->tables[input->given] : NULL;
    }
    return NULL;
}

/* They are tables of the run in the order of the file, whether a record of them is met or not. */
enum sw_code sw_run_intern_tables(struct sw_run *run, struct sw_error *error)
{
    for (size_t t = 0; t < run->mapping.table_count; t++)
        if (!sw_schema_table(run->reading.schema, sw_bytes_text(run->tables[t].mapping->table), run->tables[t].keys, run->tables[t].key_count))
            return sw_schema_no_table(run->reading.schema, error);
    return SW_OK;
}

/* A table of which neither side has a key is most often a wrong name, or a file that is missing. */
enum sw_code sw_run_note_empty_tables(struct sw_run *run, struct sw_error *error)
{
    for (uint32_t i = 0; i < run->report.table_count && run->mapping.table_count; i++) {
        const struct sw_table_counts *counts = &run->report.tables[i];
        uint64_t keys = counts->outside;
        for (unsigned class = 0; class < SW_CLASS_COUNT; class++)
            keys += counts->classes[class];
        if (keys)
            continue;
        run->report.empty_tables++;
        struct sw_buffer text = {0};
        sw_buffer_add_text(&text, "no record is of the table ");
        sw_sentence_name(&text, counts->table->name);
        sw_buffer_add_text(&text, ", which the mapping lists: nothing of it was compared");
        const char *whole = sw_buffer_text(&text);
        bool kept = whole && sw_run_remark(run, whole);
        sw_buffer_free(&text);
        if (!kept)
            return sw_fail_memory(error, "the report", text.len);
    }
    return SW_OK;
}
