#include "reconcile/type_hints.h"

#include <string.h>

#include "base/character.h"
#include "base/memory.h"
#include "fold/partition.h"
#include "model/record.h"

#define RECORDS_MAX 1000000u

struct look {
    const struct sw_run *run;
    struct sw_type_hints *hints;
    struct sw_buffer room;
    uint32_t records;
};

static bool digits(const uint8_t *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!sw_is_digit(at[i]))
            return false;
    return true;
}

/* "2026-01-02 03:04:05" with a blank or a T, and whatever behind it. */
static uint8_t hint_of_text(struct sw_bytes text)
{
    const uint8_t *at = text.at;
    if (text.len < 19 || !digits(at, 4) || at[4] != '-' || !digits(at + 5, 2) || at[7] != '-' || !digits(at + 8, 2) || (at[10] != 'T' && at[10] != ' ') || !digits(at + 11, 2) || at[13] != ':'
        || !digits(at + 14, 2) || at[16] != ':' || !digits(at + 17, 2))
        return SW_HINT_TEXT;
    for (size_t i = 19; i < text.len; i++)
        if (at[i] == 'Z' || at[i] == '+' || at[i] == '-')
            return SW_HINT_ZONED;
    return SW_HINT_TIME;
}

/* Of a value in its tagged form (model/value_any.h). */
static uint8_t hint_of(struct sw_bytes value)
{
    if (!value.len)
        return 0;
    unsigned tag = value.at[0];
    if (tag == SW_ANY_TEXT)
        return hint_of_text(sw_bytes_of(value.at + 1, value.len >= 3 ? value.len - 3 : 0));
    if (tag == SW_ANY_FALSE || tag == SW_ANY_TRUE)
        return SW_HINT_BOOLEAN;
    if (tag == SW_ANY_ARRAY || tag == SW_ANY_OBJECT)
        return SW_HINT_NESTED;
    if (tag < SW_ANY_NUMBER_FIRST || tag > SW_ANY_NUMBER_LAST)
        return 0;
    if (tag < SW_ANY_ZERO)
        tag = SW_ANY_NEGATIVE(tag);
    bool whole = tag == SW_ANY_ZERO || (tag <= SW_ANY_NUMBER + SW_ANY_E_MAX && tag >= SW_ANY_NUMBER && value.len - 1 <= tag - SW_ANY_NUMBER);
    return whole ? SW_HINT_INTEGER : SW_HINT_DECIMAL;
}

static bool is_csv(const struct sw_reading *reading, uint32_t input)
{
    for (int r = 0; r < SW_ROLE_COUNT; r++) {
        const struct sw_read_role *role = &reading->roles[r];
        if (input >= role->first_input && input - role->first_input < role->input_count) {
            const struct sw_read_input *from = &role->inputs[input - role->first_input];
            return from->csv || (from->state && from->state->csv);
        }
    }
    return true;
}

static void look_at_key(struct look *look, const struct sw_record *record)
{
    static const struct sw_type any = {.kind = SW_TYPE_ANY, .precision = -1};
    const struct sw_table *table = sw_schema_table_at(look->run->reading.schema, record->table);
    struct sw_bytes key = record->key;
    if (record->table >= look->hints->table_count)
        return;
    for (uint32_t i = 0; i < table->key_count && i < SW_HINT_KEYS_MAX && table->keys[i]->type.kind == SW_TYPE_ANY; i++) {
        sw_buffer_clear(&look->room);
        if (sw_key_column_read(&look->room, &any, &key) != SW_VALUE_OK)
            return;
        look->hints->keys[record->table * SW_HINT_KEYS_MAX + i] |= hint_of(sw_buffer_view(&look->room));
    }
}

static enum sw_code look_at_run(struct sw_bytes left, void *ctx, struct sw_error *error)
{
    struct look *look = ctx;
    struct sw_bytes entry;
    (void)error;
    while (sw_partition_next(&entry, &left)) {
        struct sw_record record;
        sw_record_read(&record, entry);
        if (record.role >= SW_ROLE_COUNT || record.flags & SW_RECORD_UNREADABLE || is_csv(&look->run->reading, record.input))
            continue;
        look_at_key(look, &record);
        if (!(record.flags & SW_RECORD_DELETED)) {
            const struct sw_column_set *set = sw_schema_set_at(look->run->reading.schema, record.set);
            for (uint32_t c = 0; c < set->count; c++) {
                struct sw_value value = sw_value_next(&record.values);
                if (value.state == SW_STATE_VALUE && set->columns[c]->type.kind == SW_TYPE_ANY && set->columns[c]->id < look->hints->column_count)
                    look->hints->columns[set->columns[c]->id] |= hint_of(value.canonical);
            }
        }
        if (++look->records == RECORDS_MAX)
            return SW_END;
    }
    return SW_OK;
}

void sw_type_hints_find(struct sw_type_hints *out, const struct sw_run *run)
{
    struct look look = {.run = run, .hints = out};
    struct sw_partition_load load = {0};
    struct sw_error ignored = {0};
    *out = (struct sw_type_hints){.column_count = sw_schema_column_count(run->reading.schema), .table_count = sw_schema_table_count(run->reading.schema)};
    out->columns = sw_calloc(out->column_count, 1);
    out->keys = sw_calloc(out->table_count, SW_HINT_KEYS_MAX);
    enum sw_code code = out->columns && out->keys ? SW_OK : SW_ERR_MEMORY;
    if (code < 0)
        sw_type_hints_free(out);
    for (uint32_t p = 0; p < run->reading.record_partitions && code == SW_OK; p++)
        code = sw_partition_each(&load, run->reading.records, p, look_at_run, &look, &ignored);
    sw_partition_load_free(&load);
    sw_buffer_free(&look.room);
}

void sw_type_hints_free(struct sw_type_hints *hints)
{
    sw_free(hints->columns);
    sw_free(hints->keys);
    *hints = (struct sw_type_hints){0};
}

const char *sw_type_hint_name(uint8_t seen)
{
    switch (seen) {
    case 0: return "TYPE";
    case SW_HINT_INTEGER: return "integer";
    case SW_HINT_DECIMAL:
    case SW_HINT_INTEGER | SW_HINT_DECIMAL: return "decimal";
    case SW_HINT_BOOLEAN: return "boolean";
    case SW_HINT_TIME: return "timestamp";
    case SW_HINT_ZONED: return "timestamptz";
    default: return seen & (SW_HINT_INTEGER | SW_HINT_DECIMAL | SW_HINT_BOOLEAN | SW_HINT_NESTED) ? "json" : "text";
    }
}

uint8_t sw_type_hint_of_key(const struct sw_type_hints *hints, const struct sw_schema *schema, const char *table, size_t key)
{
    uint8_t seen = 0;
    for (uint32_t t = 0; t < hints->table_count && key < SW_HINT_KEYS_MAX; t++)
        if (!table || sw_bytes_is(sw_schema_table_at(schema, t)->name, table))
            seen |= hints->keys[t * SW_HINT_KEYS_MAX + key];
    return seen;
}
