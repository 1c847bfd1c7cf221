#include "model/field_tree.h"

#include "base/memory.h"

uint32_t sw_field_tree_add(struct sw_field_tree *tree, uint32_t parent, struct sw_bytes name, const struct sw_type *type)
{
    if (tree->count == tree->capacity) {
        uint32_t capacity = tree->capacity ? tree->capacity * 2 : 16;
        struct sw_field *grown = sw_realloc_array(tree->fields, capacity, sizeof *grown);
        if (!grown)
            return SW_FIELD_NONE;
        tree->fields = grown;
        tree->capacity = capacity;
    }
    size_t at = tree->names.len;
    sw_buffer_add_bytes(&tree->names, name);
    if (tree->names.failed)
        return SW_FIELD_NONE;
    uint32_t index = tree->count++;
    struct sw_field *field = &tree->fields[index];
    *field = (struct sw_field){.name = {(const uint8_t *)(uintptr_t)at, name.len}, .first_child = SW_FIELD_NONE, .next = SW_FIELD_NONE, .has_type = type != NULL};
    if (type)
        field->type = *type;
    if (parent != SW_FIELD_NONE) {
        field->next = tree->fields[parent].first_child;
        tree->fields[parent].first_child = index;
    }
    return index;
}

void sw_field_tree_settle(struct sw_field_tree *tree)
{
    for (uint32_t i = 0; i < tree->count; i++) {
        struct sw_bytes *name = &tree->fields[i].name;
        *name = name->len ? sw_bytes_of(tree->names.at + (uintptr_t)name->at, name->len) : (struct sw_bytes){0};
    }
}

uint32_t sw_field_tree_find(const struct sw_field_tree *tree, uint32_t parent, struct sw_bytes name)
{
    if (!tree || parent == SW_FIELD_NONE)
        return SW_FIELD_NONE;
    uint32_t child = tree->fields[parent].first_child;
    while (child != SW_FIELD_NONE && !sw_bytes_equal(tree->fields[child].name, name))
        child = tree->fields[child].next;
    return child;
}

bool sw_field_tree_equal(const struct sw_field_tree *a, const struct sw_field_tree *b)
{
    if (a->count != b->count || !sw_bytes_equal(sw_buffer_view(&a->names), sw_buffer_view(&b->names)))
        return false;
    for (uint32_t i = 0; i < a->count; i++) {
        const struct sw_field *x = &a->fields[i], *y = &b->fields[i];
        if (x->name.len != y->name.len || x->first_child != y->first_child || x->next != y->next || x->has_type != y->has_type ||
            (x->has_type && !sw_type_equal(&x->type, &y->type)))
            return false;
    }
    return true;
}

void sw_field_tree_free(struct sw_field_tree **pointer)
{
    struct sw_field_tree *tree = *pointer;
    *pointer = NULL;
    if (!tree)
        return;
    sw_buffer_free(&tree->names);
    sw_free(tree->fields);
    sw_free(tree);
}
