#include "source/keys.h"

#include <string.h>

bool sw_source_keys_find(uint32_t *places, const struct sw_source_keys *keys, const struct sw_row_columns *columns)
{
    for (uint32_t k = 0; k < keys->column_count; k++) {
        uint32_t i = 0;
        while (i < columns->count && strcmp(columns->names[i], keys->columns[k]) != 0)
            i++;
        if (i == columns->count)
            return false;
        places[k] = i;
    }
    return keys->column_count != 0;
}

bool sw_source_keys_kind_fits(enum sw_type_kind kind, enum sw_type_kind catalogue)
{
    return kind == catalogue || (kind == SW_TYPE_INTEGER && catalogue >= SW_TYPE_INTEGER && catalogue <= SW_TYPE_UINT64);
}

bool sw_source_keys_beyond_ascii(const struct sw_source_keys *keys)
{
    for (size_t i = 0; i < keys->count * keys->column_count; i++)
        for (size_t b = 0; b < keys->values[i].len; b++)
            if (keys->values[i].at[b] > 0x7f)
                return true;
    return false;
}
