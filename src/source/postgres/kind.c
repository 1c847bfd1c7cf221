/* Tables that are not simply a table, and those of which a user may see a part. Source of the rules: PostgreSQL's documentation, "Inheritance" (Caveats), "CREATE MATERIALIZED VIEW", "Foreign Data" and "Privileges". */
#include "source/postgres/postgres.h"

#define KIND \
    "SELECT CASE c.relkind WHEN 'm' THEN 'the materialized view is as it was last refreshed' WHEN 'f' THEN 'the rows of the foreign table are of one time: the snapshot here does not hold for its own server' " \
    "WHEN 'r' THEN (SELECT 'the rows of ' || pg_catalog.count(*) || ' tables that inherit from it are its own (' || pg_catalog.string_agg(h.inhrelid::pg_catalog.regclass::pg_catalog.text, ', ') || " \
    "'): no primary key holds for all of them' FROM (SELECT inhrelid FROM pg_catalog.pg_inherits WHERE inhparent = c.oid ORDER BY 1 LIMIT 5) h HAVING pg_catalog.count(*) > 0) " \
    "WHEN 'p' THEN (SELECT 'the rows of its partitions on foreign servers are of one time: the snapshot here does not hold for those servers' FROM pg_catalog.pg_partition_tree(c.oid) t " \
    "JOIN pg_catalog.pg_class f ON f.oid = t.relid WHERE f.relkind = 'f' LIMIT 1) END AS line " \
    "FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2"

#define COLUMNS \
    "SELECT pg_catalog.string_agg(CASE WHEN NOT p.may THEN p.name END, ', ' ORDER BY p.num) AS hidden, pg_catalog.string_agg(CASE WHEN p.may THEN p.name END, ', ' ORDER BY p.num) AS open FROM (" \
    "SELECT pg_catalog.quote_ident(a.attname) AS name, a.attnum AS num, pg_catalog.has_column_privilege(c.oid, a.attnum, 'SELECT') AS may FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid " \
    "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2 AND a.attnum > 0 AND NOT a.attisdropped) p"

enum sw_code sw_postgres_tell_kind(struct sw_buffer *told, struct sw_postgres *connection, const char *schema, const char *table, struct sw_error *error)
{
    struct sw_rows rows = {0};
    const char *const parameters[] = {schema, table};
    enum sw_code code = sw_postgres_query(&rows, connection, KIND, parameters, 2, error);
    struct sw_bytes line = sw_rows_first(&rows, "line");
    for (size_t i = 0; code == SW_OK && i < line.len; i++) /* a name may hold a line's end */
        sw_buffer_add_byte(told, line.at[i] == '\n' ? ' ' : line.at[i]);
    if (code == SW_OK && line.len)
        sw_buffer_add_byte(told, '\n');
    sw_rows_free(&rows);
    return code == SW_OK && told->failed ? sw_fail_memory(error, "a note", told->len) : code;
}

enum sw_code sw_postgres_tell_columns(struct sw_postgres *connection, const char *shown, const char *schema, const char *table, enum sw_code code, struct sw_error *error)
{
    struct sw_rows none = {0}, rows = {0};
    const char *const parameters[] = {schema, table};
    if (sw_postgres_query(&none, connection, "ROLLBACK", NULL, 0, NULL) == SW_OK && sw_postgres_query(&rows, connection, COLUMNS, parameters, 2, NULL) == SW_OK) {
        struct sw_bytes hidden = sw_rows_first(&rows, "hidden"), open = sw_rows_first(&rows, "open");
        if (open.len && hidden.len) {
            if (error)
                *error = (struct sw_error){0};
            sw_fail(error, code, "%.300s: this user may not read the columns %.*s of %.64s.%.64s: grant SELECT on the table, or read the others by a query (--baseline-query 'SELECT %.*s FROM %.64s.%.64s', with --ignore for what the "
                    "other side has)", shown, (int)(hidden.len < 120 ? hidden.len : 120), (const char *)hidden.at, schema, table, (int)(open.len < 160 ? open.len : 160), (const char *)open.at, schema, table);
        }
    }
    sw_rows_free(&none);
    sw_rows_free(&rows);
    return code;
}
