#include "fold/carry.h"

#include <string.h>

#include "base/memory.h"
#include "fold/key_order.h"

/* What is known of one column: in the row before a version, in the image looked at, and in the one that rows are held against. */
struct sw_carry_cell {
    uint64_t row_stamp, own_stamp, other_stamp;
    struct sw_value row, own, other;
};

static bool same_step(const struct sw_record *a, const struct sw_record *b)
{
    return sw_fold_group_of(a) == sw_fold_group_of(b) && a->space == b->space && sw_bytes_equal(a->version, b->version);
}

static bool has_cell(struct sw_carry *carry, uint32_t id)
{
    if (id < carry->cell_count)
        return true;
    uint32_t count = carry->cell_count ? carry->cell_count : 16;
    while (count <= id)
        count *= 2;
    struct sw_carry_cell *grown = sw_realloc_array(carry->cells, count, sizeof *grown);
    if (!grown)
        return false;
    memset(grown + carry->cell_count, 0, (count - carry->cell_count) * sizeof *grown);
    carry->cells = grown;
    carry->cell_count = count;
    return true;
}

static void forget_row(struct sw_carry *carry)
{
    carry->row_stamp++;
    carry->row.len = 0;
    carry->unequal_row = carry->unequal_absent;
}

void sw_carry_forget(struct sw_carry *carry)
{
    carry->records = NULL;
    carry->at = NULL;
}

/* Of a column that one side alone has: is that a difference? See sw_compare_images. */
static bool is_one_side_unequal(const struct sw_carry *carry, const struct sw_column *column, struct sw_value value, const uint8_t *in_other)
{
    if (column->ignored || !in_other[column->id])
        return false;
    return carry->rules->mapping->absent != SW_ABSENT_NULL || value.state != SW_STATE_NULL;
}

/* Is the column not proven equal, where the row has this value (NULL: has no such column)? */
static size_t unequal(const struct sw_carry *carry, const struct sw_column *column, const struct sw_value *value)
{
    const struct sw_carry_cell *cell = &carry->cells[column->id];
    if (!carry->other)
        return 0;
    if (cell->other_stamp != carry->other_stamp)
        return value && is_one_side_unequal(carry, column, *value, carry->rules->in_reference);
    if (!value)
        return is_one_side_unequal(carry, column, cell->other, carry->rules->in_evidence);
    if (column->ignored)
        return 0;
    bool known = (value->state == SW_STATE_NULL || value->state == SW_STATE_VALUE) && value->state == cell->other.state;
    return !known || (value->state == SW_STATE_VALUE && !sw_bytes_equal(value->canonical, cell->other.canonical));
}

/* Takes the image of a record apart; what it leaves out is taken from the row, if that is before it. */
static bool take_own(struct sw_carry *carry, const struct sw_schema *schema, const struct sw_record *record)
{
    const struct sw_column_set *set = sw_schema_set_at(schema, record->set);
    struct sw_bytes values = record->values;
    carry->own_stamp++;
    carry->at = record;
    carry->adds_to_row = (record->flags & SW_RECORD_PARTIAL) && !(record->claim & SW_CLAIM_MOVED);
    for (uint32_t i = 0; i < set->count; i++) {
        struct sw_value value = sw_value_next(&values);
        if (!has_cell(carry, set->columns[i]->id))
            return false;
        struct sw_carry_cell *cell = &carry->cells[set->columns[i]->id];
        bool before = cell->row_stamp == carry->row_stamp && !(record->claim & SW_CLAIM_MOVED); /* a row that came from another key has no past here */
        cell->own = value.state == SW_STATE_UNAVAILABLE && before ? cell->row : value;
        cell->own_stamp = carry->own_stamp;
    }
    return true;
}

/* The image that was taken becomes the row before what follows. */
static bool keep_own(struct sw_carry *carry, const struct sw_schema *schema)
{
    const struct sw_column_set *set = sw_schema_set_at(schema, carry->at->set);
    if (!carry->adds_to_row)
        forget_row(carry);
    for (uint32_t i = 0; i < set->count; i++) {
        struct sw_carry_cell *cell = &carry->cells[set->columns[i]->id];
        bool known = cell->row_stamp == carry->row_stamp;
        carry->unequal_row += unequal(carry, set->columns[i], &cell->own) - unequal(carry, set->columns[i], known ? &cell->row : NULL);
        cell->row = cell->own;
        cell->row_stamp = carry->row_stamp;
        if (!known)
            sw_buffer_add(&carry->row, &set->columns[i], sizeof set->columns[i]);
    }
    return !carry->row.failed;
}

/* Passes over the version at `next`. */
static bool pass_version(struct sw_carry *carry, const struct sw_schema *schema)
{
    const struct sw_record *record = carry->records[carry->next];
    if (carry->next && same_step(carry->records[carry->next - 1], record)) { /* another content of the version before */
        forget_row(carry);
        carry->next++;
        return true;
    }
    carry->next++;
    if (record->flags & SW_RECORD_DELETED) {
        forget_row(carry);
        return true;
    }
    return take_own(carry, schema, record) && keep_own(carry, schema);
}

/* The first record that the row at records[at] may rest on: whole versions, back to a tombstone or to a version with several contents. */
static size_t known_from(const struct sw_record *const *records, size_t at)
{
    size_t from = at;
    while (from && same_step(records[from - 1], records[at])) /* other contents of the same version (beyond the cut) are no past of it */
        from--;
    for (size_t end = from; from && !(from < end && (records[from]->claim & SW_CLAIM_MOVED)) && !(records[from - 1]->flags & SW_RECORD_DELETED) &&
                            !(from > 1 && same_step(records[from - 1], records[from - 2]));)
        from--;
    return from;
}

bool sw_carry_to(struct sw_carry *carry, const struct sw_schema *schema, const struct sw_record *const *records, size_t at)
{
    if (carry->records != records || carry->next > at) {
        carry->records = records;
        carry->next = known_from(records, at);
        forget_row(carry);
    }
    while (carry->next < at && !same_step(records[carry->next], records[at]))
        if (!pass_version(carry, schema))
            return false;
    return take_own(carry, schema, records[at]);
}

static bool in_row(const struct sw_carry *carry, const struct sw_carry_cell *cell) { return carry->adds_to_row && cell->row_stamp == carry->row_stamp; }

bool sw_carry_value(struct sw_value *out, const struct sw_carry *carry, const struct sw_column *column)
{
    const struct sw_carry_cell *cell = column->id < carry->cell_count ? &carry->cells[column->id] : NULL;
    if (!cell || (cell->own_stamp != carry->own_stamp && !in_row(carry, cell)))
        return false;
    *out = cell->own_stamp == carry->own_stamp ? cell->own : cell->row;
    return true;
}

bool sw_carry_forward(struct sw_draft_image *image, struct sw_carry *carry, struct sw_schema *schema, const struct sw_record *const *records, size_t at)
{
    if (!sw_carry_to(carry, schema, records, at))
        return false;
    const struct sw_column_set *set = sw_schema_set_at(schema, records[at]->set);
    const struct sw_column *const *row = (const struct sw_column *const *)(const void *)carry->row.at;
    size_t row_count = carry->adds_to_row ? carry->row.len / sizeof *row : 0;
    if (row_count) { /* else it has the columns of the image alone */
        carry->columns.len = 0;
        sw_buffer_add(&carry->columns, set->columns, set->count * sizeof(struct sw_column *));
        for (size_t i = 0; i < row_count; i++)
            if (carry->cells[row[i]->id].own_stamp != carry->own_stamp)
                sw_buffer_add(&carry->columns, &row[i], sizeof(struct sw_column *));
        set = carry->columns.failed ? NULL : sw_schema_set(schema, (const struct sw_column *const *)(const void *)carry->columns.at, (uint32_t)(carry->columns.len / sizeof(struct sw_column *)));
        if (!set)
            return false;
    }
    carry->values.len = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct sw_carry_cell *cell = &carry->cells[set->columns[i]->id];
        sw_value_append(&carry->values, cell->own_stamp == carry->own_stamp ? cell->own : cell->row);
    }
    image->set = set->id;
    image->values = sw_buffer_view(&carry->values);
    return !carry->values.failed;
}

bool sw_carry_hold_against(struct sw_carry *carry, const struct sw_fold_rules *rules, const struct sw_draft_image *image)
{
    struct sw_bytes values = image->values;
    sw_carry_forget(carry);
    carry->rules = rules;
    carry->other = sw_schema_set_at(rules->schema, image->set);
    carry->other_stamp++;
    for (uint32_t i = 0; i < carry->other->count; i++) {
        if (!has_cell(carry, carry->other->columns[i]->id))
            return false;
        struct sw_carry_cell *cell = &carry->cells[carry->other->columns[i]->id];
        cell->other = sw_value_next(&values);
        cell->other_stamp = carry->other_stamp;
    }
    carry->unequal_absent = 0;
    for (uint32_t i = 0; i < carry->other->count; i++)
        carry->unequal_absent += unequal(carry, carry->other->columns[i], NULL);
    return true;
}

bool sw_carry_equals(const struct sw_carry *carry)
{
    const struct sw_column_set *set = sw_schema_set_at(carry->rules->schema, carry->at->set);
    const struct sw_column *const *row = (const struct sw_column *const *)(const void *)carry->row.at;
    size_t row_count = carry->adds_to_row ? carry->row.len / sizeof *row : 0;
    const struct sw_column *first = set->count ? set->columns[0] : row_count ? row[0] : NULL;
    if (first && carry->other->count && !first->name.len != !carry->other->columns[0]->name.len)
        return false; /* a bare value, and columns */
    size_t count = carry->adds_to_row ? carry->unequal_row : carry->unequal_absent;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct sw_carry_cell *cell = &carry->cells[set->columns[i]->id];
        count += unequal(carry, set->columns[i], &cell->own) - unequal(carry, set->columns[i], in_row(carry, cell) ? &cell->row : NULL);
    }
    return count == 0;
}

void sw_carry_free(struct sw_carry *carry)
{
    sw_free(carry->cells);
    sw_buffer_free(&carry->row);
    sw_buffer_free(&carry->columns);
    sw_buffer_free(&carry->values);
    *carry = (struct sw_carry){0};
}
