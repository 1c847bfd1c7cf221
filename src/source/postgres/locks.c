/* A table that is locked: who holds it, so that somebody can be asked. Source of the rules: PostgreSQL's documentation, "Explicit Locking" and the view pg_locks. */
#include <inttypes.h>

#include "source/postgres/postgres.h"

/* Reading needs ACCESS SHARE, which ACCESS EXCLUSIVE alone keeps out: whoever has it, or waits for it in front of us. Statements may hold secrets and are not asked for. */
#define HOLDERS \
    "SELECT pg_catalog.format('%s by the process %s (%s)', l.relation::pg_catalog.regclass, l.pid, pg_catalog.concat_ws(', ', 'user ' || a.usename, nullif(a.application_name, ''), a.state, " \
    "'since ' || pg_catalog.to_char(a.xact_start AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), CASE WHEN NOT l.granted THEN 'waiting itself, and all others behind it' END)) AS holder " \
    "FROM pg_catalog.pg_locks l LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = l.pid WHERE l.locktype = 'relation' AND l.mode = 'AccessExclusiveLock' " \
    "AND l.database = (SELECT oid FROM pg_catalog.pg_database WHERE datname = pg_catalog.current_database()) AND l.pid <> pg_catalog.pg_backend_pid() " \
    "AND EXISTS (SELECT FROM pg_catalog.pg_class c WHERE c.oid = l.relation AND c.relkind IN ('r', 'p', 'm', 'f', 'v')) ORDER BY l.granted DESC, l.pid LIMIT 3"

enum sw_code sw_postgres_tell_lock(struct sw_postgres *connection, const char *shown, uint64_t waited_ms, struct sw_error *error)
{
    struct sw_rows none = {0}, rows = {0};
    struct sw_buffer list = {0};
    if (sw_postgres_query(&none, connection, "ROLLBACK", NULL, 0, NULL) == SW_OK && sw_postgres_query(&rows, connection, HOLDERS, NULL, 0, NULL) == SW_OK)
        for (size_t i = 0; i < rows.table.row_count && list.len < 300; i++)
            sw_buffer_printf(&list, "%s%.*s", i ? "; " : ": locked is ", (int)rows.table.cells[i].len, (const char *)rows.table.cells[i].at);
    const char *text = sw_buffer_text(&list);
    sw_fail(error, SW_ERR_REMOTE, "%.300s: the table is locked, and no lock was given within %" PRIu64 " ms (SQLSTATE 55P03)%.400s; wait for its end, or give it longer: lock_timeout in the locator "
            "(?options=-c%%20lock_timeout%%3D5min) or in PGOPTIONS", shown, waited_ms, text ? text : "");
    sw_buffer_free(&list);
    sw_rows_free(&none);
    sw_rows_free(&rows);
    return SW_ERR_REMOTE;
}
