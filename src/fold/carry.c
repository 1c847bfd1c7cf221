#include "fold/carry.h"

#include "fold/key_order.h"

static bool same_step(const struct sw_record *a, const struct sw_record *b)
{
    return sw_fold_group_of(a) == sw_fold_group_of(b) && a->space == b->space && sw_bytes_equal(a->version, b->version);
}

/* The value of one column in an image, or false if the image does not have the column. */
static bool value_of(struct sw_value *out, const struct sw_schema *schema, const struct sw_record *record, const struct sw_column *column)
{
    const struct sw_column_set *set = sw_schema_set_at(schema, record->set);
    struct sw_bytes values = record->values;
    for (uint32_t i = 0; i < set->count; i++) {
        struct sw_value value = sw_value_next(&values);
        if (set->columns[i] == column) {
            *out = value;
            return true;
        }
    }
    return false;
}

/* The steps before records[at], as far as they are known: whole versions, back to a tombstone or to a version with several contents. records[*end] is
 * the last of them, records[from] the first; none if *end is from. */
static size_t known_from(size_t *end, const struct sw_record *const *records, size_t at)
{
    size_t from = at;
    while (from && same_step(records[from - 1], records[at])) /* other contents of the same version (beyond the cut) are no past of it */
        from--;
    *end = from;
    if (records[at]->claim & SW_CLAIM_MOVED)
        return from; /* the row came from another key: what this one had before is not its past */
    while (from && !(from < *end && (records[from]->claim & SW_CLAIM_MOVED)) && !(records[from - 1]->flags & SW_RECORD_DELETED) && !(from > 1 && same_step(records[from - 1], records[from - 2])))
        from--;
    return from;
}

static void add_columns(struct sw_buffer *columns, const struct sw_column_set *set)
{
    for (uint32_t c = 0; c < set->count; c++) {
        const struct sw_column **known = (const struct sw_column **)(void *)columns->at;
        size_t count = columns->len / sizeof *known, i = 0;
        while (i < count && known[i] != set->columns[c])
            i++;
        if (i == count)
            sw_buffer_add(columns, &set->columns[c], sizeof *known);
    }
}

/* What the column was at records[at]: the image itself, then those of the steps before it, newest first. */
static struct sw_value value_at(const struct sw_schema *schema, const struct sw_record *const *records, size_t at, size_t from, size_t end, const struct sw_column *column)
{
    const struct sw_record *record = records[at];
    for (size_t i = end;; record = records[--i]) {
        struct sw_value value;
        bool has = value_of(&value, schema, record, column);
        if (has && value.state != SW_STATE_UNAVAILABLE)
            return value;
        if (i == from || (!has && !(record->flags & SW_RECORD_PARTIAL)))
            return (struct sw_value){.state = SW_STATE_UNAVAILABLE};
    }
}

bool sw_carry_forward(struct sw_draft_image *image, struct sw_carry *carry, struct sw_schema *schema, const struct sw_record *const *records, size_t at)
{
    size_t end, from = known_from(&end, records, at);
    carry->values.len = carry->columns.len = 0;
    /* the columns: those of the image, and, as long as images are partial, those of the ones before it */
    add_columns(&carry->columns, sw_schema_set_at(schema, records[at]->set));
    const struct sw_record *record = records[at];
    for (size_t i = end; i > from && (record->flags & SW_RECORD_PARTIAL); i--) {
        record = records[i - 1];
        add_columns(&carry->columns, sw_schema_set_at(schema, record->set));
    }
    const struct sw_column *const *columns = (const struct sw_column *const *)(void *)carry->columns.at;
    const struct sw_column_set *set = carry->columns.failed ? NULL : sw_schema_set(schema, columns, (uint32_t)(carry->columns.len / sizeof *columns));
    if (!set)
        return false;
    for (uint32_t c = 0; c < set->count; c++)
        sw_value_append(&carry->values, value_at(schema, records, at, from, end, set->columns[c]));
    image->set = set->id;
    image->values = sw_buffer_view(&carry->values);
    return !carry->values.failed;
}

void sw_carry_free(struct sw_carry *carry)
{
    sw_buffer_free(&carry->values);
    sw_buffer_free(&carry->columns);
}
