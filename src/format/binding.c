#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "format/bind.h"
#include "format/straight/straight.h"

#define BINDINGS_MAX 4096u /* kept of one template: one a table, or one a version of an embedded schema */

struct sw_binding_choice {
    const struct sw_field_tree *fields; /* equal trees of one source are one */
    const char *table;          /* what is declared of the input */
    struct sw_buffer texts;     /* of the selectors: kind, length and bytes of each */
    struct sw_binding *binding;
    uint64_t hash;              /* of all of the above */
    bool used;                  /* since it was last thought of letting it go */
};

static void free_binding(struct sw_binding **pointer)
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
        free_binding(&set->choices[i].binding);
    }
    sw_free(set->choices);
    sw_free(set->slots);
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

static uint64_t hash_of(const struct sw_binding_set *set, const struct sw_example *example)
{
    uint64_t hash = (uintptr_t)set ^ (uintptr_t)example->fields ^ (uint64_t)(uintptr_t)example->table << 1; /* where things stand differs from run to run: no names can be made to collide */
    for (uint32_t i = 0; i < set->selectors.count; i++) {
        struct sw_token token = selected(set, i, example);
        hash = sw_hash(token.at, token.kind == SW_TOKEN_ABSENT ? 0 : token.len, hash + token.kind);
    }
    return hash;
}

/* The slot of the choice that has these texts, or the free one where it would stand. */
static uint32_t *find_slot(const struct sw_binding_set *set, uint64_t hash, const struct sw_example *example)
{
    uint32_t at = (uint32_t)hash & (set->slot_count - 1);
    while (set->slots[at] && !(set->choices[set->slots[at] - 1].hash == hash && chosen(set, &set->choices[set->slots[at] - 1], example)))
        at = (at + 1) & (set->slot_count - 1);
    return &set->slots[at];
}

static void place(struct sw_binding_set *set, uint32_t index)
{
    uint32_t at = (uint32_t)set->choices[index].hash & (set->slot_count - 1);
    while (set->slots[at])
        at = (at + 1) & (set->slot_count - 1);
    set->slots[at] = index + 1;
}

/* What stood behind it because its place was taken moves up. */
static void take_out(struct sw_binding_set *set, uint32_t index)
{
    uint32_t mask = set->slot_count - 1, hole = (uint32_t)set->choices[index].hash & mask;
    while (set->slots[hole] != index + 1)
        hole = (hole + 1) & mask;
    for (uint32_t at = (hole + 1) & mask; set->slots[at]; at = (at + 1) & mask) {
        uint32_t wanted = (uint32_t)set->choices[set->slots[at] - 1].hash & mask;
        if (((at - wanted) & mask) >= ((at - hole) & mask)) {
            set->slots[hole] = set->slots[at];
            hole = at;
        }
    }
    set->slots[hole] = 0;
}

/* Room for one more. The index in *index; false if memory ran out. */
static bool make_room(uint32_t *index, struct sw_binding_set *set)
{
    if (set->count == BINDINGS_MAX) { /* one that was not needed for long goes: it is made again if need be */
        while (set->choices[set->hand].used) {
            set->choices[set->hand].used = false;
            set->hand = (set->hand + 1) % BINDINGS_MAX;
        }
        struct sw_binding_choice *gone = &set->choices[*index = set->hand];
        set->hand = (set->hand + 1) % BINDINGS_MAX;
        take_out(set, *index);
        set->only = gone->binding == set->only ? NULL : set->only;
        set->usual = gone->binding == set->usual ? NULL : set->usual;
        sw_buffer_free(&gone->texts);
        free_binding(&gone->binding);
        return true;
    }
    if (set->count == set->capacity) {
        uint32_t capacity = set->capacity ? set->capacity * 2 : 2;
        struct sw_binding_choice *grown = sw_realloc_array(set->choices, capacity, sizeof *grown);
        if (!grown)
            return false;
        set->choices = grown;
        uint32_t *slots = sw_calloc(capacity * 2, sizeof *slots);
        if (!slots)
            return false;
        sw_free(set->slots);
        set->slots = slots;
        set->slot_count = capacity * 2;
        set->capacity = capacity;
        for (uint32_t i = 0; i < set->count; i++)
            place(set, i);
    }
    *index = set->count++;
    return true;
}

/* Takes the binding. */
static bool add_choice(struct sw_binding_set *set, uint64_t hash, const struct sw_example *example, struct sw_binding *binding)
{
    struct sw_binding_choice choice = {.fields = example->fields, .table = example->table, .binding = binding, .hash = hash, .used = true};
    uint32_t index;
    for (uint32_t i = 0; i < set->selectors.count; i++) {
        struct sw_token token = selected(set, i, example);
        sw_buffer_add_byte(&choice.texts, token.kind);
        sw_buffer_add(&choice.texts, &token.len, sizeof token.len);
        sw_buffer_add(&choice.texts, token.at, token.kind == SW_TOKEN_ABSENT ? 0 : token.len);
    }
    if (choice.texts.failed || !make_room(&index, set)) {
        sw_buffer_free(&choice.texts);
        return false;
    }
    set->choices[index] = choice;
    set->last = index;
    place(set, index);
    return true;
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
    if (set->last < set->count && chosen(set, &set->choices[set->last], example))
        return set->choices[set->last].binding;
    uint64_t hash = hash_of(set, example);
    uint32_t index = set->count ? *find_slot(set, hash, example) : 0;
    if (index) {
        set->last = index - 1;
        set->choices[set->last].used = true;
        return set->choices[set->last].binding;
    }
    struct sw_binding *binding;
    const struct sw_bind_table *table = NULL;
    struct sw_bind_context of_table;
    bool bound = bind(&binding, format, context, NULL, example, error), unnamed = false, foreign = false;
    if (!bound && binding && (table = binding->chosen) != NULL) { /* of several tables: again, with what is declared of this one */
        unnamed = binding->unnamed;
        foreign = binding->foreign;
        *error = (struct sw_error){0};
        free_binding(&binding);
        of_table = *context;
        of_table.mapping = table->mapping;
        of_table.keys = table->keys;
        of_table.key_count = table->key_count;
        of_table.learned = context->learned ? context->learned + (table - context->tables) * SW_KEY_COLUMNS_MAX : NULL;
        of_table.tables = NULL;
        context = &of_table;
        bound = bind(&binding, format, context, table, example, error);
    }
    if (bound)
        binding->other_table |= foreign;
    if (bound && unnamed && !binding->not_row_change && (binding->after.present || binding->before.present))
        sw_bind_problem(binding, "table", "the record does not say of which table it is, and nothing declares it: `table:` in its section of the mapping, or its file under a table's `baseline` or `expected`");
    if (bound && !sw_straight_plan(&binding->straight, binding, format, context, example->template)) {
        sw_fail_memory(error, "a binding", 0);
        bound = false;
    }
    if (bound && !add_choice(set, hash, example, binding)) {
        sw_fail_memory(error, "bindings", sizeof *set->choices);
        bound = false;
    }
    if (!bound) {
        free_binding(&binding);
        return NULL;
    }
    binding->usual_order = sw_encode__usual_order(binding, context->order, example->template);
    if (binding->time_node == SW_JSON_NO_NODE)
        binding->time_node = time_node(format, example->template);
    binding->bare_texts = !binding->csv && !example->fields && !format->json_as_text;
    binding->time_per_second = context->mapping->time_per_second ? context->mapping->time_per_second : format->time_per_second;
    if (set->selectors.count == 0 && set->count == 1)
        set->only = binding;
    return binding;
}
