/* Values of the reference swapped between two keys: every total, and every sum of row hashes, stays what it was. */
#include "base/memory.h"
#include "challenge/mutation.h"

static bool can_swap(const struct sw_subject *subject, const struct sw_fold_rules *rules)
{
    return sw_subject_equal(subject) && sw_is_live(subject->expected) && sw_counts_as_row(rules, subject->expected) && !(subject->expected->flags & SW_RECORD_GAPS);
}

bool sw_mutant_pair(struct sw_mutant *mutant)
{
    const struct sw_subjects *subjects = mutant->subjects;
    size_t *order = sw_calloc(subjects->count, sizeof *order), count = 0;
    mutant->partners = sw_calloc(subjects->count, sizeof *mutant->partners);
    if (!order || !mutant->partners) {
        sw_free(order);
        return false;
    }
    for (size_t i = 0; i < subjects->count; i++) {
        mutant->partners[i] = SIZE_MAX;
        if (can_swap(&subjects->at[i], subjects->rules))
            order[count++] = i;
    }
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)sw_dice_roll(&mutant->dice, i), swap = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swap;
    }
    for (size_t i = 0; i < count; i++) {
        const struct sw_record *row = subjects->at[order[i]].expected;
        size_t tries = 0;
        for (size_t j = i + 1; j < count && mutant->partners[order[i]] == SIZE_MAX && tries < 64; j++, tries++) {
            const struct sw_record *other = subjects->at[order[j]].expected;
            if (mutant->partners[order[j]] != SIZE_MAX || other->table != row->table || other->set != row->set || sw_bytes_equal(other->values, row->values))
                continue;
            mutant->partners[order[i]] = order[j];
            mutant->partners[order[j]] = order[i];
        }
    }
    sw_free(order);
    return true;
}

static bool is_told(struct sw_value value) { return value.state == SW_STATE_VALUE || value.state == SW_STATE_NULL; }

/* Rewrites both rows' values with one column swapped. False if that changes nothing, or the column is on one side only. */
static bool swap_column(struct sw_mutant *out, const struct sw_record *a, const struct sw_record *b, const struct sw_column_set *set, uint32_t column)
{
    struct sw_bytes left = a->values, right = b->values;
    bool swapped = false;
    out->made[0].len = out->made[1].len = 0;
    for (uint32_t c = 0; c < set->count; c++) {
        struct sw_value one = sw_value_next(&left), two = sw_value_next(&right);
        bool here = c == column && is_told(one) && is_told(two) && (one.state != two.state || !sw_bytes_equal(one.canonical, two.canonical));
        swapped |= here;
        sw_value_append(&out->made[0], here ? two : one);
        sw_value_append(&out->made[1], here ? one : two);
    }
    out->failed |= out->made[0].failed || out->made[1].failed;
    return swapped && out->subjects->rules->in_evidence[set->columns[column]->id];
}

/* The whole row swapped, where it has several columns. */
static bool swap_row(struct sw_mutant *out, const struct sw_record *a, const struct sw_record *b, const struct sw_column_set *set)
{
    bool seen = false;
    for (uint32_t c = 0; c < set->count; c++) /* rows that differ in what is on one side only are the same to a comparison */
        seen |= swap_column(out, a, b, set, c);
    out->made[0].len = out->made[1].len = 0;
    sw_buffer_add_bytes(&out->made[0], b->values);
    sw_buffer_add_bytes(&out->made[1], a->values);
    out->failed |= out->made[0].failed || out->made[1].failed;
    return set->count > 1 && seen;
}

/* The first variants swap one column each, of those that both rows have and that differ; the last one swaps the whole row. */
static bool make(struct sw_mutant *out, size_t index, size_t variant)
{
    const struct sw_subjects *subjects = out->subjects;
    size_t partner = out->partners[index];
    if (partner == SIZE_MAX || partner < index) /* told with the other key */
        return false;
    const struct sw_record *a = subjects->at[index].expected, *b = subjects->at[partner].expected;
    const struct sw_column_set *set = sw_schema_set_at(subjects->rules->schema, a->set);
    uint32_t column = 0;
    size_t seen = 0;
    for (; column < set->count; column++)
        if (swap_column(out, a, b, set, column) && seen++ == variant)
            break;
    if (column == set->count && (seen != variant || !swap_row(out, a, b, set)))
        return false;
    for (unsigned which = 0; which < 2; which++) {
        sw_mutant_copy(out, which, which ? partner : index);
        for (size_t i = 0; i < out->count[which]; i++)
            if (out->records[which][i].role == SW_ROLE_EXPECTED)
                out->records[which][i].values = sw_buffer_view(&out->made[which]);
    }
    out->column = column < set->count ? set->columns[column] : NULL;
    return true;
}

const struct sw_mutation sw_mutation_swapped_values = {
    .name = "swapped-values",
    .title = "two keys' values swapped, totals cancel",
    .why = "In the reference, the values of one column are exchanged between two keys, so that no total changes: both keys must differ. Every column is tried, and whole rows.",
    .none = "no two equal keys of the sample have rows with the same columns and different values",
    .list = SW_MUST_BE_CAUGHT,
    .make = make,
};
