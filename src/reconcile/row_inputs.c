/* What inputs that hand out typed rows say before any row is read: which columns are the key. */
#include <string.h>

#include "base/memory.h"
#include "reconcile/run.h"

static const struct sw_input *rows_at(const struct sw_run *run, int role, uint32_t i)
{
    const struct sw_source *source = run->reading.roles[role].source;
    const struct sw_input *input = source && i < sw_source_input_count(source) ? sw_source_input(source, i) : NULL;
    return input && input->rows ? input : NULL;
}

static bool has_column(const struct sw_row_columns *columns, const char *name)
{
    for (uint32_t i = 0; i < columns->count; i++)
        if (strcmp(columns->names[i], name) == 0)
            return true;
    return false;
}

static void list_key(struct sw_buffer *out, const struct sw_row_columns *columns)
{
    for (uint32_t i = 0; i < columns->key_count; i++)
        sw_buffer_printf(out, "%s%s", i ? "," : "", columns->names[columns->key[i]]);
}

static bool same_key(const struct sw_row_columns *a, const struct sw_row_columns *b)
{
    bool same = a->key_count == b->key_count;
    for (uint32_t i = 0; i < a->key_count && same; i++)
        same = strcmp(a->names[a->key[i]], b->names[b->key[i]]) == 0;
    return same;
}

static enum sw_code refuse_two(const struct sw_input *a, const struct sw_input *b, struct sw_error *error)
{
    struct sw_buffer first = {0}, second = {0};
    list_key(&first, a->rows);
    list_key(&second, b->rows);
    const char *one = sw_buffer_text(&first), *other = sw_buffer_text(&second);
    enum sw_code code = sw_fail(error, SW_ERR_USAGE, "no key is declared, and the primary keys differ: %.100s of %.200s, %.100s of %.200s; --key COLUMN[,COLUMN…] names it", one ? one : "",
                                a->locator, other ? other : "", b->locator);
    sw_buffer_free(&first);
    sw_buffer_free(&second);
    return code;
}

static enum sw_code take_key(struct sw_run *run, const struct sw_input *from, struct sw_error *error)
{
    struct sw_buffer names = {0};
    for (uint32_t i = 0; i < from->rows->key_count; i++) {
        const char *name = from->rows->names[from->rows->key[i]];
        sw_buffer_add(&names, name, strlen(name) + 1);
    }
    enum sw_code code = names.failed ? sw_fail_memory(error, "names of key columns", 0) : sw_mapping_name_keys(&run->mapping, sw_buffer_view(&names), error);
    sw_buffer_free(&names);
    for (size_t i = 0; i < run->mapping.key_count && code == SW_OK; i++)
        if (!sw_run_assume(run, "key column %s: of the primary key of %s", run->mapping.keys[i], from->locator))
            code = sw_fail_memory(error, "the report", 0);
    return code;
}

enum sw_code sw_run_name_row_keys(struct sw_run *run, struct sw_error *error)
{
    const struct sw_input *with = NULL, *without = NULL, *input;
    bool plain = true; /* every table has a column `key`: the names of plain rows hold */
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        for (uint32_t i = 0; run->reading.roles[role].source && i < sw_source_input_count(run->reading.roles[role].source); i++) {
            if (!(input = rows_at(run, role, i)))
                continue;
            plain &= has_column(input->rows, "key");
            if (input->rows->key_count == 0)
                without = input;
            else if (with && !same_key(with->rows, input->rows))
                return refuse_two(with, input, error);
            else
                with = input;
        }
    const struct sw_format *events = run->reading.roles[SW_ROLE_EVENTS].format;
    if ((!with && !without) || (plain && run->mapping.plain_names && (!events || events == &sw_format_plain)))
        return SW_OK;
    if (run->reading.roles[SW_ROLE_EVENTS].source && run->reading.roles[SW_ROLE_EVENTS].format == &sw_format_plain && run->mapping.plain_names) { /* in whose records nobody says what is the key, the version, the operation */
        struct sw_buffer key = {0};
        if (with)
            list_key(&key, with->rows);
        const char *text = sw_buffer_text(&key);
        sw_fail(error, SW_ERR_USAGE, "no key is declared: --key %s names it, and --version, --op, --identity (or a mapping) where the events keep the rest", with && text ? text : "COLUMN[,COLUMN…]");
        sw_buffer_free(&key);
        return SW_ERR_USAGE;
    }
    if (!with)
        return sw_fail(error, SW_ERR_USAGE, "no key is declared, and %.300s has no primary key that names it: --key COLUMN[,COLUMN…]", without->locator);
    return take_key(run, with, error);
}

bool sw_run_has_rows(const struct sw_run *run)
{
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        for (uint32_t i = 0; run->reading.roles[role].source && i < sw_source_input_count(run->reading.roles[role].source); i++)
            if (rows_at(run, role, i))
                return true;
    return false;
}
