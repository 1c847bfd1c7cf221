/* Rows of given keys. Source of the rules: PostgreSQL's documentation, "Customized Options" and set_config; "Array Input and Output Syntax"; integer_ops compares integers of all sizes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "source/postgres/postgres.h"

#define KEYS_AT_ONCE 1000u

bool sw_postgres_keys_fit(const struct sw_source_keys *keys, const struct sw_postgres_shape *shape)
{
    uint32_t places[SW_SOURCE_KEY_COLUMNS_MAX];
    if (!keys || !sw_source_keys_find(places, keys, &shape->columns))
        return false;
    for (uint32_t k = 0; k < keys->column_count; k++) {
        static const struct { const char *cast; enum sw_type_kind kind; } kinds[] = {{"int8", SW_TYPE_INTEGER}, {"text", SW_TYPE_TEXT}, {"bpchar", SW_TYPE_TEXT}, {"uuid", SW_TYPE_UUID}, {"bytea", SW_TYPE_BYTES}};
        const char *cast = shape->key_casts[places[k]];
        bool fits = false;
        for (size_t i = 0; cast && i < sizeof kinds / sizeof *kinds; i++)
            fits |= strcmp(kinds[i].cast, cast) == 0 && sw_source_keys_kind_fits(keys->kinds[k], kinds[i].kind);
        if (!fits)
            return false;
    }
    return true;
}

/* Digits that bigint does not hold are in no column of integers, and the server would refuse the array. */
static bool fits_bigint(struct sw_bytes digits)
{
    char text[32];
    if (digits.len >= sizeof text)
        return false;
    memcpy(text, digits.at, digits.len);
    text[digits.len] = '\0';
    errno = 0;
    (void)strtoll(text, NULL, 10);
    return errno == 0;
}

/* {"a","b \\"c"}: every element in quotes. Bytes are \\x and their digits. */
static void add_element(struct sw_buffer *out, bool first, bool bytes, struct sw_bytes text)
{
    sw_buffer_add_text(out, first ? "{\"" : ",\"");
    if (bytes)
        sw_buffer_add_text(out, "\\\\x");
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] == '"' || text.at[i] == '\\')
            sw_buffer_add_byte(out, '\\');
        sw_buffer_add_byte(out, text.at[i]);
    }
    sw_buffer_add_byte(out, '"');
}

enum sw_code sw_postgres_keys_next(struct sw_buffer *sql, struct sw_postgres_keys *asked, struct sw_postgres *connection, const struct sw_postgres_shape *shape, struct sw_error *error)
{
    const struct sw_source_keys *keys = asked->keys;
    size_t count = keys->count - asked->done < KEYS_AT_ONCE ? keys->count - asked->done : KEYS_AT_ONCE;
    uint32_t places[SW_SOURCE_KEY_COLUMNS_MAX];
    enum sw_code code = SW_OK;
    if (count == 0 || !sw_source_keys_find(places, keys, &shape->columns))
        return SW_END;
    for (uint32_t k = 0; k < keys->column_count && code == SW_OK; k++) {
        struct sw_buffer array = {0}, statement = {0};
        struct sw_rows none = {0};
        for (size_t i = 0; i < count; i++) {
            struct sw_bytes value = keys->values[(asked->done + i) * keys->column_count + k];
            if (keys->kinds[k] == SW_TYPE_INTEGER && !fits_bigint(value))
                sw_buffer_add_text(&array, i ? ",NULL" : "{NULL");
            else
                add_element(&array, i == 0, keys->kinds[k] == SW_TYPE_BYTES, value);
        }
        sw_buffer_add_byte(&array, '}');
        sw_buffer_printf(&statement, "SELECT pg_catalog.set_config('slackwater.key%u', $1, true)", k);
        const char *text = sw_buffer_text(&statement), *const parameter = sw_buffer_text(&array);
        code = text && parameter ? sw_postgres_query(&none, connection, text, &parameter, 1, error) : sw_fail_memory(error, "keys", array.len);
        sw_rows_free(&none);
        sw_buffer_free(&array);
        sw_buffer_free(&statement);
    }
    asked->done += count;
    sw_buffer_add_text(sql, " WHERE (");
    for (uint32_t k = 0; k < keys->column_count; k++) {
        sw_buffer_add_text(sql, k ? ", q." : "q.");
        sw_postgres_quote_name(sql, keys->columns[k]);
    }
    bool one = keys->column_count == 1; /* = ANY is served by an index whatever the planner thinks of the number of keys */
    sw_buffer_add_text(sql, one ? ") = ANY (" : ") IN (SELECT * FROM ROWS FROM (");
    for (uint32_t k = 0; k < keys->column_count; k++)
        sw_buffer_printf(sql, "%s%spg_catalog.current_setting('slackwater.key%u')::pg_catalog.%s[]%s", k ? ", " : "", one ? "" : "pg_catalog.unnest(", k, shape->key_casts[places[k]], one ? "" : ")");
    sw_buffer_add_text(sql, one ? ")" : "))");
    return code == SW_OK && sql->failed ? sw_fail_memory(error, "a statement", sql->len) : code;
}
