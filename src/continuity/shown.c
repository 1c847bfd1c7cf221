#include "continuity/shown.h"

#include <stdio.h>

#include "base/memory.h"

enum sw_code sw_shown_read(struct sw_shown *out, const struct sw_named_text *texts, size_t count, struct sw_error *error)
{
    *out = (struct sw_shown){0};
    if (!count)
        return SW_OK;
    out->files = sw_calloc(count, sizeof *out->files);
    if (!out->files)
        return sw_fail_memory(error, "pasted output", count * sizeof *out->files);
    for (size_t i = 0; i < count; i++) {
        enum sw_code code = sw_client_tables_read(&out->files[i], sw_bytes_of(texts[i].text, texts[i].len), error);
        out->count += code >= 0;
        if (code >= 0 && !out->files[i].count)
            code = sw_fail(error, SW_ERR_INPUT, "%.200s holds no table that is understood: paste the output of the client with its header", texts[i].name ? texts[i].name : "the pasted output");
        if (code < 0) {
            sw_shown_free(out);
            return code;
        }
    }
    return SW_OK;
}

void sw_shown_free(struct sw_shown *shown)
{
    for (size_t i = 0; i < shown->count; i++)
        sw_client_tables_free(&shown->files[i]);
    sw_free(shown->files);
    *shown = (struct sw_shown){0};
}

static bool equal_folded(struct sw_bytes text, const char *word)
{
    size_t len = strlen(word);
    if (text.len != len)
        return false;
    for (size_t i = 0; i < len; i++) {
        uint8_t byte = text.at[i];
        if ((byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte) != (uint8_t)word[i])
            return false;
    }
    return true;
}

bool sw_shown_is_null(struct sw_bytes cell) { return cell.len == 0 || equal_folded(cell, "null"); }

bool sw_shown_is_true(struct sw_bytes cell)
{
    return equal_folded(cell, "t") || equal_folded(cell, "true") || equal_folded(cell, "yes") || equal_folded(cell, "on") || equal_folded(cell, "1");
}

/* Takes a value found, unless it contradicts one found before. */
static enum sw_code take(struct sw_bytes *out, struct sw_bytes value, const char *name, struct sw_error *error)
{
    if (sw_shown_is_null(value))
        return SW_OK;
    if (out->at && !sw_bytes_equal(*out, value))
        return sw_fail(error, SW_ERR_INPUT, "the pasted output gives two values of %s: it is of two servers or of two times", name);
    *out = value;
    return SW_OK;
}

static enum sw_code from_rows(struct sw_bytes *out, const struct sw_client_table *table, const char *names, const char *values, const char *name, struct sw_error *error)
{
    size_t column = sw_client_table_column(table, names), value = sw_client_table_column(table, values);
    enum sw_code code = SW_OK;
    if (column == SIZE_MAX || value == SIZE_MAX)
        return code;
    for (size_t row = 0; code >= 0 && row < table->row_count; row++)
        if (equal_folded(table->cells[row * table->column_count + column], name))
            code = take(out, table->cells[row * table->column_count + value], name, error);
    return code;
}

enum sw_code sw_shown_value(struct sw_bytes *out, const struct sw_shown *shown, const char *name, struct sw_error *error)
{
    static const char *const prefixes[] = {"", "@@", "@@global."};
    enum sw_code code = SW_OK;
    *out = (struct sw_bytes){0};
    for (size_t i = 0; code >= 0 && i < shown->count; i++)
        for (size_t t = 0; code >= 0 && t < shown->files[i].count; t++) {
            const struct sw_client_table *table = &shown->files[i].tables[t];
            for (size_t p = 0; code >= 0 && table->row_count == 1 && p < sizeof prefixes / sizeof *prefixes; p++) {
                char column[96];
                snprintf(column, sizeof column, "%s%s", prefixes[p], name);
                struct sw_bytes cell = sw_client_table_cell(table, 0, column);
                if (cell.at)
                    code = take(out, cell, name, error);
            }
            if (code >= 0)
                code = from_rows(out, table, "Variable_name", "Value", name, error);
            if (code >= 0)
                code = from_rows(out, table, "name", "setting", name, error);
        }
    return code;
}

static bool has_columns(const struct sw_client_table *table, const char *const *columns)
{
    for (; *columns; columns++)
        if (sw_client_table_column(table, *columns) == SIZE_MAX)
            return false;
    return true;
}

const struct sw_client_table *sw_shown_table(const struct sw_shown *shown, const struct sw_client_table *previous, const char *const *columns)
{
    bool passed = previous == NULL;
    for (size_t i = 0; i < shown->count; i++)
        for (size_t t = 0; t < shown->files[i].count; t++) {
            const struct sw_client_table *table = &shown->files[i].tables[t];
            if (passed && has_columns(table, columns))
                return table;
            passed |= table == previous;
        }
    return NULL;
}

bool sw_shown_has(const struct sw_shown *shown, const char *name)
{
    static const char *const rows[] = {"Variable_name", "Value", NULL};
    const char *const columns[] = {name, NULL};
    if (sw_shown_table(shown, NULL, columns))
        return true;
    for (const struct sw_client_table *table = NULL; (table = sw_shown_table(shown, table, rows));)
        for (size_t row = 0; row < table->row_count; row++)
            if (equal_folded(sw_client_table_cell(table, row, "Variable_name"), name))
                return true;
    return false;
}
