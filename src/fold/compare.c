#include <stdlib.h>

#include "base/memory.h"
#include "fold/fold.h"

int sw_content_compare(const struct sw_schema *schema, const struct sw_record *a, const struct sw_record *b)
{
    int deleted = (a->flags & SW_RECORD_DELETED) - (b->flags & SW_RECORD_DELETED);
    if (deleted || (a->flags & SW_RECORD_DELETED))
        return deleted;
    if (a->set != b->set) {
        const struct sw_column_set *left = sw_schema_set_at(schema, a->set), *right = sw_schema_set_at(schema, b->set);
        for (uint32_t i = 0; i < left->count && i < right->count; i++) {
            int order = sw_bytes_compare(left->columns[i]->name, right->columns[i]->name);
            if (order)
                return order;
        }
        return left->count < right->count ? -1 : 1;
    }
    return sw_bytes_compare(a->values, b->values);
}

void sw_comparison_free(struct sw_comparison *comparison)
{
    sw_free(comparison->differing);
    sw_free(comparison->unknown);
    sw_free(comparison->incomparable);
    *comparison = (struct sw_comparison){0};
}

bool sw_comparison_reserve(struct sw_comparison *comparison, uint32_t columns)
{
    if (columns <= comparison->capacity)
        return true;
    uint32_t **lists[] = {&comparison->differing, &comparison->unknown, &comparison->incomparable};
    for (size_t i = 0; i < 3; i++) {
        uint32_t *grown = sw_realloc_array(*lists[i], columns, sizeof *grown);
        if (!grown)
            return false;
        *lists[i] = grown;
    }
    comparison->capacity = columns;
    return true;
}

static void note_unknown(struct sw_comparison *out, const struct sw_column *column, bool invalid)
{
    out->unknown[out->unknown_count++] = column->id;
    out->invalid |= invalid;
}

/* A column that both rows have. */
static void compare_column(struct sw_comparison *out, const struct sw_column *column, struct sw_value state, struct sw_value expected)
{
    if (state.state == SW_STATE_UNKNOWN || expected.state == SW_STATE_UNKNOWN)
        note_unknown(out, column, true);
    else if (state.state == SW_STATE_UNAVAILABLE || expected.state == SW_STATE_UNAVAILABLE)
        note_unknown(out, column, false);
    else if (state.state != expected.state)
        out->differing[out->differing_count++] = column->id;
    else if (state.state == SW_STATE_VALUE && !sw_bytes_equal(state.canonical, expected.canonical)) {
        if (sw_value_comparable(&column->type, state.canonical, expected.canonical))
            out->differing[out->differing_count++] = column->id;
        else
            out->incomparable[out->incomparable_count++] = column->id;
    }
}

/* A column that only one row has. If the whole other side never has it, that is said once, for the run; else it is not in evidence here,
 * unless an absent column was declared to be null. */
static void one_sided(struct sw_comparison *out, const struct sw_fold_rules *rules, const struct sw_column *column, struct sw_value value, const uint8_t *in_other)
{
    if (column->ignored || !in_other[column->id])
        return;
    if (rules->mapping->absent == SW_ABSENT_NULL)
        compare_column(out, column, value, (struct sw_value){.state = SW_STATE_NULL});
    else
        note_unknown(out, column, false);
}

/* A bare value against columns: whatever stands in them, it is not the same row. The bare value is the column without a name. */
static bool shapes_differ(const struct sw_column_set *a, const struct sw_column_set *b)
{
    if (a->count == 0 || b->count == 0)
        return false;
    return (a->columns[0]->name.len == 0) != (b->columns[0]->name.len == 0);
}

bool sw_compare_images(struct sw_comparison *out, const struct sw_fold_rules *rules, const struct sw_draft_image *state, const struct sw_draft_image *expected)
{
    const struct sw_column_set *left = sw_schema_set_at(rules->schema, state->set), *right = sw_schema_set_at(rules->schema, expected->set);
    struct sw_bytes left_values = state->values, right_values = expected->values;
    out->differing_count = out->unknown_count = out->incomparable_count = 0;
    out->invalid = false;
    if (!sw_comparison_reserve(out, left->count + right->count))
        return false;
    bool shapes = shapes_differ(left, right);
    uint32_t l = 0, r = 0;
    while (l < left->count || r < right->count) {
        int order = l == left->count ? 1 : r == right->count ? -1 : sw_bytes_compare(left->columns[l]->name, right->columns[r]->name);
        if (order && shapes) {
            const struct sw_column *column = order < 0 ? left->columns[l++] : right->columns[r++];
            (void)sw_value_next(order < 0 ? &left_values : &right_values);
            if (!column->ignored)
                out->differing[out->differing_count++] = column->id;
        } else if (order < 0) {
            one_sided(out, rules, left->columns[l++], sw_value_next(&left_values), rules->in_reference);
        } else if (order > 0) {
            one_sided(out, rules, right->columns[r++], sw_value_next(&right_values), rules->in_evidence);
        } else {
            const struct sw_column *column = left->columns[l++];
            struct sw_value a = sw_value_next(&left_values), b = sw_value_next(&right_values);
            r++;
            if (!column->ignored)
                compare_column(out, column, a, b);
        }
    }
    return true;
}
