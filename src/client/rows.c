#include "client/rows.h"

#include "base/memory.h"

/* Views are kept as offsets (in `at`) until the text no longer moves; NULL keeps len SIZE_MAX. */
static void add_view(struct sw_rows *rows, struct sw_bytes value)
{
    if (rows->failed)
        return;
    if (rows->view_count == rows->view_capacity) {
        size_t capacity = rows->view_capacity ? rows->view_capacity * 2 : 64;
        struct sw_bytes *grown = sw_realloc_array(rows->views, capacity, sizeof *grown);
        if (!grown) {
            rows->failed = true;
            return;
        }
        rows->views = grown;
        rows->view_capacity = capacity;
    }
    rows->views[rows->view_count++] = (struct sw_bytes){(const uint8_t *)rows->text.len, value.at ? value.len : SIZE_MAX};
    if (rows->text.len < SW_ROWS_MAX)
        sw_buffer_add_bytes(&rows->text, value);
}

void sw_rows_name(struct sw_rows *rows, struct sw_bytes name)
{
    rows->columns++;
    add_view(rows, name);
}

void sw_rows_cell(struct sw_rows *rows, struct sw_bytes cell) { add_view(rows, cell); }

enum sw_code sw_rows_end(struct sw_rows *rows, struct sw_error *error)
{
    sw_buffer_add_byte(&rows->text, 0); /* so that empty cells have an address */
    if (rows->text.len > SW_ROWS_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "the server's answer is larger than %zu MiB", SW_ROWS_MAX >> 20);
    if (rows->failed || rows->text.failed)
        return sw_fail_memory(error, "the server's answer", rows->text.len);
    for (size_t i = 0; i < rows->view_count && !rows->ended; i++)
        rows->views[i] = rows->views[i].len == SIZE_MAX ? (struct sw_bytes){0} : sw_bytes_of(rows->text.at + (uintptr_t)rows->views[i].at, rows->views[i].len);
    rows->ended = true;
    rows->table = (struct sw_client_table){.column_count = rows->columns, .row_count = rows->columns ? rows->view_count / rows->columns - 1 : 0, .names = rows->views,
        .cells = rows->columns ? rows->views + rows->columns : rows->views, .line = 1};
    return SW_OK;
}

void sw_rows_free(struct sw_rows *rows)
{
    sw_buffer_free(&rows->text);
    sw_free(rows->views);
    *rows = (struct sw_rows){0};
}

struct sw_bytes sw_rows_first(const struct sw_rows *rows, const char *name)
{
    return rows->table.row_count ? sw_client_table_cell(&rows->table, 0, name) : (struct sw_bytes){0};
}

/* ---- names that are nearly the same ---- */

#define NEAR_LEN_MAX 64

static uint8_t lower(uint8_t byte) { return byte >= 'A' && byte <= 'Z' ? byte | 0x20 : byte; }

/* Edits between two names, case not counted; NEAR_LEN_MAX if one is too long to ask. */
static size_t distance(struct sw_bytes a, struct sw_bytes b)
{
    size_t row[NEAR_LEN_MAX + 1];
    if (a.len > NEAR_LEN_MAX || b.len > NEAR_LEN_MAX)
        return NEAR_LEN_MAX;
    for (size_t j = 0; j <= b.len; j++)
        row[j] = j;
    for (size_t i = 0; i < a.len; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < b.len; j++) {
            size_t best = diagonal + (lower(a.at[i]) != lower(b.at[j]));
            best = row[j] + 1 < best ? row[j] + 1 : best;
            best = row[j + 1] + 1 < best ? row[j + 1] + 1 : best;
            diagonal = row[j + 1];
            row[j + 1] = best;
        }
    }
    return row[b.len];
}

void sw_near_names(struct sw_buffer *out, const char *wanted, const struct sw_bytes *names, size_t count)
{
    struct {
        size_t index, distance;
    } best[3];
    size_t found = 0;
    struct sw_bytes whole = sw_bytes_text(wanted);
    for (size_t i = 0; i < count; i++) {
        size_t whole_distance = distance(whole, names[i]), part = distance(sw_bytes_behind_last(whole, '.'), sw_bytes_behind_last(names[i], '.'));
        size_t each = part + 1 < whole_distance ? part + 1 : whole_distance; /* the same table in another schema is near, too */
        if (each > 1 + sw_bytes_behind_last(whole, '.').len / 3)
            continue;
        size_t at = found;
        while (at > 0 && best[at - 1].distance > each)
            at--;
        if (at == 3)
            continue;
        found += found < 3;
        for (size_t move = found - 1; move > at; move--)
            best[move] = best[move - 1];
        best[at].index = i;
        best[at].distance = each;
    }
    for (size_t i = 0; i < found; i++) {
        sw_buffer_add_text(out, i ? ", " : "");
        for (size_t at = 0; at < names[best[i].index].len; at++) { /* for a message: what moves the cursor is none of it */
            uint8_t byte = names[best[i].index].at[at];
            sw_buffer_add_byte(out, byte < ' ' || byte == 127 ? '?' : byte);
        }
    }
}

/* ---- for the clients ---- */

void sw_client_columns_free(struct sw_client_column **columns, struct sw_bytes **cells, size_t *count)
{
    for (size_t i = 0; i < *count; i++) {
        char *name;
        memcpy(&name, &(*columns)[i].name, sizeof name);
        sw_free(name);
    }
    sw_free(*columns);
    sw_free(*cells);
    *columns = NULL;
    *cells = NULL;
    *count = 0;
}

enum sw_code sw_rows_table_name(char **schema, char **table, const struct sw_rows *rows, struct sw_error *error)
{
    *schema = sw_strndup((const char *)rows->table.cells[0].at, rows->table.cells[0].len);
    *table = sw_strndup((const char *)rows->table.cells[1].at, rows->table.cells[1].len);
    if (*schema && *table)
        return SW_OK;
    sw_free(*schema);
    sw_free(*table);
    *schema = *table = NULL;
    return sw_fail_memory(error, "a table's name", 0);
}

enum sw_code sw_fail_no_table(const struct sw_locator *locator, const char *schema, const char *table, const char *where, const struct sw_rows *names, struct sw_error *error)
{
    struct sw_buffer wanted = {0}, near = {0};
    if (schema) {
        sw_locator_redact(&wanted, locator, schema); /* it makes them fit for a message, too */
        sw_buffer_add_byte(&wanted, '.');
    }
    sw_locator_redact(&wanted, locator, table);
    const char *name = sw_buffer_text(&wanted);
    sw_near_names(&near, name ? name : "", names->table.cells, names->table.row_count);
    const char *found = sw_buffer_text(&near);
    enum sw_code code = sw_fail(error, SW_ERR_USAGE, "%.300s: there is no table %.200s %s%s%.300s", locator->shown, name ? name : "of that name", where, found && *found ? "; near names: " : ", and none with a similar name",
        found ? found : "");
    sw_buffer_free(&wanted);
    sw_buffer_free(&near);
    return code;
}
