#include <string.h>

#include "base/memory.h"
#include "format/bind.h"
#include "format/straight/straight.h"

#define BINDINGS_MAX 4096u /* kept of one template: one a table, or one a version of an embedded schema */

struct sw_binding_choice {
    const struct sw_field_tree *fields; /* equal trees of one source are one */
    const char *table;          /* what is declared of the input */
    struct sw_buffer texts;     /* of the selectors: kind, length and bytes of each */
    struct sw_binding *binding;
};

void sw_binding_free(struct sw_binding **pointer)
{
    struct sw_binding *binding = *pointer;
    *pointer = NULL;
    if (!binding)
        return;
    sw_free(binding->after.columns);
    sw_free(binding->before.columns);
    sw_free(binding->moved.columns);
    sw_free(binding->state);
    sw_free(binding->straight);
    sw_free(binding->owned);
    sw_free(binding);
}

void sw_binding_set_free(struct sw_binding_set **pointer)
{
    struct sw_binding_set *set = *pointer;
    *pointer = NULL;
    if (!set)
        return;
    for (uint32_t i = 0; i < set->count; i++) {
        sw_buffer_free(&set->choices[i].texts);
        sw_binding_free(&set->choices[i].binding);
    }
    sw_free(set->choices);
    sw_free(set);
}

static struct sw_token selected(const struct sw_binding_set *set, uint32_t index, const struct sw_example *example)
{
    uint32_t node = set->selectors.nodes[index];
    if (node == SW_JSON_NO_NODE)
        return (struct sw_token){.kind = SW_TOKEN_ABSENT};
    return sw_json_node_token(example->template, example->tokens, example->record, node);
}

/* Do the record's texts at the selectors equal those of a choice? */
static bool chosen(const struct sw_binding_set *set, const struct sw_binding_choice *choice, const struct sw_example *example)
{
    const uint8_t *at = choice->texts.at;
    if (choice->fields != example->fields || choice->table != example->table)
        return false;
    for (uint32_t i = 0; i < set->selectors.count; i++) {
        struct sw_token token = selected(set, i, example);
        uint32_t len;
        if (*at++ != token.kind)
            return false;
        memcpy(&len, at, sizeof len);
        at += sizeof len;
        if (len != token.len || (len && memcmp(at, token.at, len) != 0))
            return false;
        at += len;
    }
    return true;
}

static struct sw_binding_choice *add_choice(struct sw_binding_set *set, const struct sw_example *example, struct sw_error *error)
{
    if (set->count == BINDINGS_MAX) { /* the one that was not needed for longest goes: it is made again if need be */
        struct sw_binding_choice *last = &set->choices[--set->count];
        set->only = last->binding == set->only ? NULL : set->only;
        set->usual = last->binding == set->usual ? NULL : set->usual;
        sw_buffer_free(&last->texts);
        sw_binding_free(&last->binding);
    }
    if (set->count == set->capacity) {
        uint32_t capacity = set->capacity ? set->capacity * 2 : 1;
        struct sw_binding_choice *grown = sw_realloc_array(set->choices, capacity, sizeof *grown);
        if (!grown) {
            sw_fail_memory(error, "bindings", capacity * sizeof *grown);
            return NULL;
        }
        set->choices = grown;
        set->capacity = capacity;
    }
    struct sw_binding_choice *choice = &set->choices[set->count];
    *choice = (struct sw_binding_choice){.fields = example->fields, .table = example->table};
    for (uint32_t i = 0; i < set->selectors.count; i++) {
        struct sw_token token = selected(set, i, example);
        sw_buffer_add_byte(&choice->texts, token.kind);
        sw_buffer_add(&choice->texts, &token.len, sizeof token.len);
        sw_buffer_add(&choice->texts, token.at, token.kind == SW_TOKEN_ABSENT ? 0 : token.len);
    }
    if (choice->texts.failed) {
        sw_buffer_free(&choice->texts);
        sw_fail_memory(error, "a binding", choice->texts.len);
        return NULL;
    }
    set->count++;
    return choice;
}

void sw_binding_note_usual(struct sw_binding_set *set, struct sw_binding *binding, const struct sw_json_template *template)
{
    bool held = true;
    for (uint32_t i = 0; i < set->selectors.count; i++)
        held = held && (set->selectors.nodes[i] == SW_JSON_NO_NODE || sw_json_usual_holds(template, set->selectors.nodes[i]));
    set->usual = held ? binding : NULL;
    set->usual_serial = template->usual->serial;
}

/* Where the source says when it made the change. */
static uint32_t time_node(const struct sw_format *format, const struct sw_json_template *template)
{
    for (const struct sw_order_place *place = format->order_places; place && place->policy; place++) {
        uint32_t node = strcmp(place->policy, "timestamp") == 0 && strcmp(place->field, "time") == 0 ? sw_bind_node(template, 0, place->path) : SW_JSON_NO_NODE;
        if (node != SW_JSON_NO_NODE)
            return node;
    }
    return SW_JSON_NO_NODE;
}

/* False: the error says why, or the binding which of several tables is meant. */
static bool bind(struct sw_binding **out, const struct sw_format *format, const struct sw_bind_context *context, const struct sw_bind_table *chosen, const struct sw_example *example, struct sw_error *error)
{
    struct sw_binding *binding = *out = sw_calloc(1, sizeof *binding);
    if (!binding) {
        sw_fail_memory(error, "a binding", sizeof *binding);
        return false;
    }
    binding->fields = example->fields;
    binding->given_table = example->table;
    binding->chosen = chosen;
    return format->bind(binding, context, example, error) >= 0;
}

struct sw_binding *sw_binding_find(struct sw_binding_set **pointer, const struct sw_format *format, const struct sw_bind_context *context,
                                   const struct sw_example *example, struct sw_error *error)
{
    struct sw_binding_set *set = *pointer;
    if (set && set->only && set->only->fields == example->fields && set->only->given_table == example->table)
        return set->only;
    if (!set) {
        *pointer = set = sw_calloc(1, sizeof *set);
        if (!set) {
            sw_fail_memory(error, "bindings", sizeof *set);
            return NULL;
        }
        if (format->select)
            format->select(&set->selectors, context, example->template);
    }
    for (uint32_t i = 0; i < set->count; i++)
        if (chosen(set, &set->choices[i], example)) {
            if (i) {
                struct sw_binding_choice found = set->choices[i];
                memmove(&set->choices[1], &set->choices[0], i * sizeof *set->choices);
                set->choices[0] = found;
            }
            return set->choices[0].binding;
        }
    struct sw_binding_choice *choice = add_choice(set, example, error);
    if (!choice)
        return NULL;
    const struct sw_bind_table *table = NULL;
    struct sw_bind_context of_table;
    bool bound = bind(&choice->binding, format, context, NULL, example, error), unnamed = false, foreign = false;
    if (!bound && choice->binding && (table = choice->binding->chosen) != NULL) { /* of several tables: again, with what is declared of this one */
        unnamed = choice->binding->unnamed;
        foreign = choice->binding->foreign;
        *error = (struct sw_error){0};
        sw_binding_free(&choice->binding);
        of_table = *context;
        of_table.mapping = table->mapping;
        of_table.keys = table->keys;
        of_table.key_count = table->key_count;
        of_table.learned = context->learned ? context->learned + (table - context->tables) * SW_KEY_COLUMNS_MAX : NULL;
        of_table.tables = NULL;
        context = &of_table;
        bound = bind(&choice->binding, format, context, table, example, error);
    }
    if (bound)
        choice->binding->other_table |= foreign;
    if (bound && unnamed && !choice->binding->not_row_change && (choice->binding->after.present || choice->binding->before.present))
        sw_bind_problem(choice->binding, "table", "the record does not say of which table it is, and nothing declares it: `table:` in its section of the mapping, or its file under a table's `baseline` or `expected`");
    if (bound && !sw_straight_plan(&choice->binding->straight, choice->binding, format, context, example->template)) {
        sw_fail_memory(error, "a binding", 0);
        bound = false;
    }
    if (!bound) {
        sw_binding_free(&choice->binding);
        sw_buffer_free(&choice->texts);
        set->count--;
        return NULL;
    }
    choice->binding->usual_order = sw_encode__usual_order(choice->binding, context->order, example->template);
    if (choice->binding->time_node == SW_JSON_NO_NODE)
        choice->binding->time_node = time_node(format, example->template);
    choice->binding->bare_texts = !choice->binding->csv && !example->fields && !format->json_as_text;
    choice->binding->time_per_second = context->mapping->time_per_second ? context->mapping->time_per_second : format->time_per_second;
    if (set->selectors.count == 0 && set->count == 1)
        set->only = choice->binding;
    return choice->binding;
}
