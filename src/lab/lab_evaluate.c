#include "lab/lab_contract.h"

#include <stdlib.h>

#define THREE_WAY(a, b) (((a) > (b)) - ((a) < (b)))

/* By key, version and content: contents that are equal come to stand side by side. */
static int compare_rows(const void *a, const void *b)
{
    const struct lab_row *left = a, *right = b;
    int order = sw_bytes_compare(left->key, right->key);
    if (!order)
        order = THREE_WAY(left->version, right->version);
    if (!order)
        order = THREE_WAY(left->deleted, right->deleted);
    return order ? order : THREE_WAY(left->value, right->value);
}

static bool same_content(const struct lab_row *a, const struct lab_row *b)
{
    return a->deleted == b->deleted && a->value == b->value;
}

static void differ(struct lab_result *result, struct sw_bytes key, enum lab_reason reason)
{
    result->differences[result->difference_count++] = (struct lab_difference){key, reason};
}

/* Records the versions of one key (rows sorted, `count` of them) that have more than one content. One is enough to block the
 * key, however old it is: which of the contents was true cannot be told from the rows. */
static bool find_conflicts(struct lab_result *result, const struct lab_row *rows, size_t count)
{
    uint32_t first = result->version_count;
    for (size_t start = 0, end; start < count; start = end) {
        end = start + 1;
        while (end < count && rows[end].version == rows[start].version)
            end++;
        if (!same_content(&rows[start], &rows[end - 1]))
            result->versions[result->version_count++] = rows[start].version;
    }
    if (result->version_count == first)
        return false;
    result->conflicts[result->conflict_count++] = (struct lab_conflict){rows[0].key, first, result->version_count - first};
    return true;
}

/* The newest row of one key against the reference's row, which may be NULL. */
static void select_and_compare(struct lab_result *result, const struct lab_row *rows, size_t count,
                               const struct lab_row *expected)
{
    if (find_conflicts(result, rows, count)) {
        differ(result, rows[0].key, LAB_CONFLICTING_VERSION);
        return;
    }
    const struct lab_row *state = &rows[count - 1];
    result->states[result->state_count++] = *state;
    if (!expected)
        differ(result, state->key, LAB_UNEXPECTED_STATE);
    else if (state->version != expected->version || !same_content(state, expected))
        differ(result, state->key, LAB_STATE_MISMATCH);
}

void lab_evaluate(struct lab_result *result, struct lab_input *input, struct lab_row rows[2 * SW_LAB_ENTRIES_MAX])
{
    result->state_count = result->conflict_count = result->version_count = result->difference_count = 0;
    result->duplicate_deliveries = input->duplicate_deliveries;

    /* Baseline rows take part like events: a tombstone in the baseline outlives an older event. */
    size_t count = (size_t)input->baseline_count + input->event_count;
    memcpy(rows, input->baseline, input->baseline_count * sizeof *rows);
    memcpy(rows + input->baseline_count, input->events, input->event_count * sizeof *rows);
    qsort(rows, count, sizeof *rows, compare_rows);
    qsort(input->expected, input->expected_count, sizeof *input->expected, compare_rows);

    const struct lab_row *expected = input->expected, *expected_end = expected + input->expected_count;
    for (size_t start = 0, end; start < count; start = end) {
        end = start + 1;
        while (end < count && sw_bytes_equal(rows[end].key, rows[start].key))
            end++;
        while (expected < expected_end && sw_bytes_compare(expected->key, rows[start].key) < 0)
            differ(result, expected++->key, LAB_MISSING_STATE);
        bool found = expected < expected_end && sw_bytes_equal(expected->key, rows[start].key);
        select_and_compare(result, rows + start, end - start, found ? expected++ : NULL);
    }
    while (expected < expected_end)
        differ(result, expected++->key, LAB_MISSING_STATE);
}
