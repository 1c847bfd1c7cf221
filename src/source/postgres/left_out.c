/* What a slot's changes leave out. Source of the rules: PostgreSQL's documentation, "Publication", "Row Filters", "Column Lists" and "Replica Identity"; wal2json's README. */
#include "source/postgres/postgres.h"

#define FILTERS_VERSION 150000

#define OPERATIONS \
    "SELECT pg_catalog.format('no operation in question is one that the publication %s leaves out: it publishes no %s', p.pubname, pg_catalog.concat_ws(', ', CASE WHEN NOT p.pubinsert THEN 'insert' END, " \
    "CASE WHEN NOT p.pubupdate THEN 'update' END, CASE WHEN NOT p.pubdelete THEN 'delete' END, CASE WHEN pg_catalog.to_jsonb(p) ->> 'pubtruncate' = 'false' THEN 'truncate' END)) AS line " \
    "FROM pg_catalog.pg_publication p WHERE p.pubname = ANY (pg_catalog.string_to_array($1, ',')) AND (NOT p.pubinsert OR NOT p.pubupdate OR NOT p.pubdelete OR pg_catalog.to_jsonb(p) ->> 'pubtruncate' = 'false') ORDER BY 1"

#define FILTERS \
    "SELECT pg_catalog.format('no change in question is left out by the publication %s: of %s it publishes %s', p.pubname, r.prrelid::pg_catalog.regclass, pg_catalog.concat_ws(', ', " \
    "'the rows WHERE ' || pg_catalog.pg_get_expr(r.prqual, r.prrelid), 'the columns ' || (SELECT pg_catalog.string_agg(a.attname, ' and ' ORDER BY a.attnum) FROM pg_catalog.pg_attribute a " \
    "WHERE a.attrelid = r.prrelid AND a.attnum = ANY (r.prattrs::pg_catalog.int2[])))) AS line FROM pg_catalog.pg_publication_rel r JOIN pg_catalog.pg_publication p ON p.oid = r.prpubid " \
    "WHERE p.pubname = ANY (pg_catalog.string_to_array($1, ',')) AND (r.prqual IS NOT NULL OR r.prattrs IS NOT NULL) ORDER BY 1 LIMIT 20"

#define NO_IDENTITY \
    "SELECT pg_catalog.format('nothing was changed or deleted in tables without a replica identity, of which wal2json gives only inserts: %s', pg_catalog.string_agg(t.name, ', ')) AS line FROM (" \
    "SELECT c.oid::pg_catalog.regclass::pg_catalog.text AS name FROM pg_catalog.pg_class c WHERE c.relkind = 'r' AND c.relpersistence = 'p' AND c.oid >= 16384 AND (c.relreplident = 'n' OR c.relreplident = 'd' AND NOT EXISTS (" \
    "SELECT FROM pg_catalog.pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)) ORDER BY 1 LIMIT 5) t HAVING pg_catalog.count(*) > 0"

static enum sw_code add_lines(struct sw_buffer *told, struct sw_postgres *connection, const char *sql, const char *publications, struct sw_error *error)
{
    struct sw_rows rows = {0};
    enum sw_code code = sw_postgres_query(&rows, connection, sql, &publications, publications ? 1 : 0, error);
    for (size_t i = 0; i < rows.table.row_count && code == SW_OK; i++) { /* a name may hold a line's end */
        for (size_t k = 0; k < rows.table.cells[i].len; k++)
            sw_buffer_add_byte(told, rows.table.cells[i].at[k] == '\n' ? ' ' : rows.table.cells[i].at[k]);
        sw_buffer_add_byte(told, '\n');
    }
    sw_rows_free(&rows);
    return code == SW_OK && told->failed ? sw_fail_memory(error, "a note", told->len) : code;
}

enum sw_code sw_postgres_tell_left_out(struct sw_buffer *told, struct sw_postgres *connection, const char *publications, struct sw_error *error)
{
    if (!publications)
        return add_lines(told, connection, NO_IDENTITY, NULL, error);
    enum sw_code code = add_lines(told, connection, OPERATIONS, publications, error);
    return code == SW_OK && sw_postgres_version(connection) >= FILTERS_VERSION ? add_lines(told, connection, FILTERS, publications, error) : code;
}
