/* Any bytes, read as a mapping, are refused with a message and a place and leave nothing behind, or give the same mapping twice:
 * with every rule found by its name, every path printed and read back, and every spelling meaning what it was declared to mean.
 *
 * The first byte says which options are laid over the file. */
#include "property.h"

#include <string.h>

#include "mapping/mapping.h"

static void check_path(const struct sw_path *path)
{
    struct sw_buffer printed = {0};
    struct sw_path again;
    const char *problem;
    if (path->step_count == 0)
        return;
    PROPERTY(path->step_count <= SW_PATH_STEPS_MAX);
    sw_path_print(&printed, path);
    char *room = malloc(printed.len + SW_PATH_STEPS_MAX);
    PROPERTY(room && sw_path_parse(&again, sw_buffer_view(&printed), room, &problem) && sw_path_equal(path, &again));
    free(room);
    sw_buffer_free(&printed);
}

static void check_layout(const struct sw_mapping *mapping, enum sw_role role)
{
    const struct sw_layout *layout = &mapping->layout[role];
    const struct sw_path *parts[] = {&layout->operation, &layout->deleted, &layout->table, &layout->transaction, &layout->before, &layout->after, &layout->value};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        check_path(parts[i]);
        PROPERTY(!parts[i]->step_count || sw_layout_claims(layout, sw_bytes_text(parts[i]->steps[0])));
    }
    for (size_t i = 0; i < SW_KEY_COLUMNS_MAX; i++) {
        check_path(&layout->key[i]);
        PROPERTY(i < mapping->key_count || layout->key[i].step_count == 0);
    }
    for (size_t i = 0; i < SW_ORDER_FIELDS_MAX; i++)
        PROPERTY(i < mapping->order_field_count || layout->order[i].step_count == 0);
    PROPERTY(layout->identity_count <= SW_IDENTITY_PARTS_MAX);
    PROPERTY(!layout->value.step_count || mapping->plain_names || (!layout->before.step_count && !layout->after.step_count));
    PROPERTY(layout->operation.step_count || layout->spelling_count == 0);
    for (size_t i = 0; i < layout->spelling_count; i++)
        PROPERTY(sw_mapping_operation(mapping, role, sw_bytes_text(layout->spellings[i].text)) == layout->spellings[i].operation);
    for (size_t i = 0; i < mapping->rule_count[role]; i++) {
        const struct sw_column_rule *rule = &mapping->rules[role][i];
        PROPERTY(sw_mapping_rule(mapping, role, sw_bytes_text(rule->column)) == rule);
        PROPERTY(!rule->renamed_to || strcmp(rule->renamed_to, rule->column) != 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const keys[] = {"id,b"}, *const types[] = {"n=decimal"}, *const renames[] = {"a=b"};
    struct sw_reconcile_options options;
    struct sw_mapping first, second;
    struct sw_error error = {0}, error_again = {0};
    uint8_t chosen = size ? data[0] : 0;
    sw_reconcile_options_init(&options);
    options.keys = keys, options.key_count = chosen & 1;
    options.types = types, options.type_count = chosen >> 1 & 1;
    options.renames = renames, options.rename_count = chosen >> 2 & 1;
    options.version = chosen & 8 ? "v.w" : NULL;
    options.operation = chosen & 16 ? "op" : NULL;
    struct sw_bytes yaml = sw_bytes_of(data + (size ? 1 : 0), size ? size - 1 : 0);

    enum sw_code code = sw_mapping_parse(&first, yaml, "map.yaml", &options, &error);
    PROPERTY(sw_mapping_parse(&second, yaml, "map.yaml", &options, &error_again) == code);
    if (code < 0) {
        PROPERTY(code == SW_ERR_USAGE || code == SW_ERR_LIMIT || code == SW_ERR_UNSUPPORTED);
        PROPERTY(error.text[0] && strcmp(error.text, error_again.text) == 0 && error.line == error_again.line && error.column == error_again.column);
        PROPERTY(!first.memory && !first.declared.at && !second.memory && !second.declared.at);
        return 0;
    }
    PROPERTY(sw_bytes_equal(sw_buffer_view(&first.declared), sw_buffer_view(&second.declared)));
    PROPERTY(first.plain_names == second.plain_names && first.key_count == second.key_count && first.order_field_count == second.order_field_count);
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        check_layout(&first, (enum sw_role)role);
    sw_mapping_free(&second);
    sw_mapping_free(&first);
    PROPERTY(!first.memory && !first.declared.at);
    return 0;
}
