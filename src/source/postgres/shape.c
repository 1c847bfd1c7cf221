/* The columns of a table or query of PostgreSQL: their types, and in which form each is asked for. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "source/postgres/postgres.h"

/* Types that are sent in a binary form that is read here. By name, since names are what the documentation promises of pg_catalog's types. */
static const struct known {
    const char *name;
    enum sw_postgres_decoder decoder;
    enum sw_type_kind kind;
} known_types[] = {
    {"bool", SW_POSTGRES_BOOL, SW_TYPE_BOOLEAN}, {"int2", SW_POSTGRES_INT2, SW_TYPE_INTEGER}, {"int4", SW_POSTGRES_INT4, SW_TYPE_INTEGER}, {"int8", SW_POSTGRES_INT8, SW_TYPE_INTEGER},
    {"oid", SW_POSTGRES_OID, SW_TYPE_INTEGER}, {"float4", SW_POSTGRES_FLOAT4, SW_TYPE_FLOAT32}, {"float8", SW_POSTGRES_FLOAT8, SW_TYPE_FLOAT64}, {"numeric", SW_POSTGRES_NUMERIC, SW_TYPE_DECIMAL},
    {"text", SW_POSTGRES_TEXT, SW_TYPE_TEXT}, {"varchar", SW_POSTGRES_TEXT, SW_TYPE_TEXT}, {"bpchar", SW_POSTGRES_TEXT, SW_TYPE_TEXT}, {"name", SW_POSTGRES_TEXT, SW_TYPE_TEXT},
    {"bytea", SW_POSTGRES_BYTES, SW_TYPE_BYTES}, {"uuid", SW_POSTGRES_UUID, SW_TYPE_UUID}, {"date", SW_POSTGRES_DATE, SW_TYPE_DATE}, {"time", SW_POSTGRES_TIME, SW_TYPE_TIME},
    {"timestamp", SW_POSTGRES_TIMESTAMP, SW_TYPE_TIMESTAMP}, {"timestamptz", SW_POSTGRES_TIMESTAMPTZ, SW_TYPE_TIMESTAMPTZ}, {"json", SW_POSTGRES_TEXT, SW_TYPE_JSON},
    {"jsonb", SW_POSTGRES_JSONB, SW_TYPE_JSON},
    /* asked for as text, and yet more than text */
    {"timetz", SW_POSTGRES_CAST, SW_TYPE_TIME}, {"interval", SW_POSTGRES_CAST, SW_TYPE_INTERVAL}};

/* JSON inside of an array is asked for as text: written into the array's JSON, a text of it would look like JSON text */
static const struct known array_type = {"", SW_POSTGRES_ARRAY, SW_TYPE_ARRAY}, json_array_type = {"json", SW_POSTGRES_ARRAY, SW_TYPE_ARRAY}, enum_type = {"", SW_POSTGRES_TEXT, SW_TYPE_TEXT}, other_type = {"", SW_POSTGRES_CAST, SW_TYPE_TEXT};

/* The type under a domain, for each type of the statement. */
#define TYPES \
    "WITH RECURSIVE c AS (SELECT t.oid AS root, t.oid, t.typtype, t.typbasetype FROM pg_catalog.pg_type t WHERE t.oid = ANY ($1::pg_catalog.oid[]) " \
    "UNION ALL SELECT c.root, t.oid, t.typtype, t.typbasetype FROM c JOIN pg_catalog.pg_type t ON t.oid = c.typbasetype WHERE c.typtype = 'd') " \
    "SELECT c.root::pg_catalog.text AS root, t.typname::pg_catalog.text AS name, t.typtype::pg_catalog.text AS kind, (t.typelem <> 0 AND t.typlen = -1 AND t.typcategory = 'A')::pg_catalog.text AS is_array, " \
    "(t.typnamespace = 'pg_catalog'::pg_catalog.regnamespace)::pg_catalog.text AS own, " \
    "CASE WHEN COALESCE(b.typtype, e.typtype) IN ('b', 'e', 'r') THEN COALESCE(b.typname, e.typname)::pg_catalog.text ELSE '' END AS element, " \
    "(COALESCE(b.typnamespace, e.typnamespace) = 'pg_catalog'::pg_catalog.regnamespace)::pg_catalog.text AS own_element " \
    "FROM c JOIN pg_catalog.pg_type t ON t.oid = c.oid LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem LEFT JOIN pg_catalog.pg_type b ON e.typtype = 'd' AND b.oid = e.typbasetype " \
    "WHERE c.typtype <> 'd'"

static const struct known *known_type(struct sw_bytes name)
{
    for (size_t k = 0; k < sizeof known_types / sizeof *known_types; k++)
        if (sw_bytes_is(name, known_types[k].name))
            return &known_types[k];
    return NULL;
}

/* `element`: of an array, what its elements are. */
static const struct known *find_type(enum sw_type_kind *element, const struct sw_rows *types, uint32_t oid)
{
    char text[16];
    *element = SW_TYPE_ANY;
    snprintf(text, sizeof text, "%u", oid);
    for (size_t i = 0; i < types->table.row_count; i++) {
        if (!sw_bytes_is(sw_client_table_cell(&types->table, i, "root"), text))
            continue;
        struct sw_bytes name = sw_client_table_cell(&types->table, i, "name");
        if (sw_bytes_is(sw_client_table_cell(&types->table, i, "is_array"), "true")) {
            struct sw_bytes of = sw_client_table_cell(&types->table, i, "element");
            const struct known *known = sw_bytes_is(sw_client_table_cell(&types->table, i, "own_element"), "true") ? known_type(of) : NULL;
            *element = known && known->decoder != SW_POSTGRES_CAST ? known->kind : of.len ? SW_TYPE_TEXT : SW_TYPE_ANY;
            if (*element == SW_TYPE_JSON)
                return &json_array_type;
            return &array_type;
        }
        if (sw_bytes_is(sw_client_table_cell(&types->table, i, "kind"), "e"))
            return &enum_type;
        if (sw_bytes_is(sw_client_table_cell(&types->table, i, "own"), "true") && known_type(name))
            return known_type(name);
        break;
    }
    return &other_type;
}

static void add_to_list(struct sw_buffer *list, const char *name, const struct known *known)
{
    bool array = known->decoder == SW_POSTGRES_ARRAY, cast = known->decoder == SW_POSTGRES_CAST;
    struct sw_buffer column = {0};
    sw_buffer_add_text(&column, "q.");
    sw_postgres_quote_name(&column, name);
    const char *text = sw_buffer_text(&column);
    list->failed |= !text;
    sw_buffer_add_text(list, list->len ? ", " : "");
    /* a type's own output, which a cast to text is not for all: that of inet adds a mask */
    sw_buffer_add_text(list, array ? "pg_catalog.to_json(" : cast ? "CASE WHEN " : "");
    sw_buffer_add_text(list, text ? text : "");
    sw_buffer_add_text(list, known == &json_array_type ? "::pg_catalog.text[]" : "");
    if (cast) {
        sw_buffer_add_text(list, " IS NOT DISTINCT FROM NULL THEN NULL ELSE pg_catalog.format('%s', ");
        sw_buffer_add_text(list, text ? text : "");
    }
    sw_buffer_add_text(list, array ? ")::pg_catalog.text" : cast ? ") END" : "");
    sw_buffer_free(&column);
}

/* The type of an array whose elements the server compares with the column as we compare values, or more loosely; and which an index of the column serves. char(n) is its own: as text it would lose its blanks. */
static const char *key_cast(const struct known *known)
{
    static const struct { const char *name, *cast; } casts[] = {{"int2", "int8"}, {"int4", "int8"}, {"int8", "int8"}, {"text", "text"}, {"varchar", "text"}, {"bpchar", "bpchar"}, {"uuid", "uuid"}, {"bytea", "bytea"}};
    for (size_t i = 0; i < sizeof casts / sizeof *casts; i++)
        if (strcmp(known->name, casts[i].name) == 0)
            return casts[i].cast;
    return NULL;
}

static enum sw_code read_types(struct sw_rows *types, struct sw_postgres *connection, const uint32_t *oids, size_t count, struct sw_error *error)
{
    struct sw_buffer list = {0};
    for (size_t i = 0; i < count; i++)
        sw_buffer_printf(&list, "%c%u", i ? ',' : '{', oids[i]);
    sw_buffer_add_text(&list, count ? "}" : "{}");
    const char *const parameters[] = {sw_buffer_text(&list)};
    enum sw_code code = parameters[0] ? sw_postgres_query(types, connection, TYPES, parameters, 1, error) : sw_fail_memory(error, "types", count);
    sw_buffer_free(&list);
    return code;
}

static enum sw_code add_columns(struct sw_postgres_shape *out, struct sw_postgres *connection, char *const *names, const uint32_t *oids, size_t count, struct sw_error *error)
{
    struct sw_rows types = {0};
    enum sw_code code = read_types(&types, connection, oids, count, error);
    out->decoders = sw_calloc(count + 1, 1);
    out->key_casts = sw_calloc(count + 1, sizeof *out->key_casts);
    if (code == SW_OK && (!out->decoders || !out->key_casts))
        code = sw_fail_memory(error, "columns", count);
    for (size_t i = 0; i < count && code == SW_OK; i++) {
        enum sw_type_kind element;
        const struct known *known = find_type(&element, &types, oids[i]);
        const struct sw_type type = {.kind = known->kind, .element = element, .precision = -1};
        out->decoders[i] = (uint8_t)known->decoder;
        out->key_casts[i] = key_cast(known);
        add_to_list(&out->list, names[i], known);
        code = sw_row_columns_add(&out->columns, &out->fields, names[i], &type, error);
    }
    sw_rows_free(&types);
    if (code == SW_OK && !sw_buffer_text(&out->list))
        code = sw_fail_memory(error, "a statement", out->list.len);
    if (code == SW_OK && count == 0)
        code = sw_fail(error, SW_ERR_USAGE, "there are no columns to read");
    if (out->fields)
        sw_field_tree_settle(out->fields);
    out->columns.next = sw_postgres_row_next;
    out->columns.ctx = out;
    return code;
}

enum sw_code sw_postgres_shape_read(struct sw_postgres_shape *out, struct sw_postgres *connection, const char *from, struct sw_error *error)
{
    struct sw_buffer sql = {0};
    struct sw_client_row row;
    sw_buffer_printf(&sql, "SELECT * FROM ");
    sw_buffer_add_text(&sql, from);
    sw_buffer_add_text(&sql, " LIMIT 0");
    const char *text = sw_buffer_text(&sql);
    enum sw_code code = text ? sw_postgres_select(connection, text, error) : sw_fail_memory(error, "a statement", 0);
    sw_buffer_free(&sql);
    if (code != SW_OK || (code = sw_postgres_row(&row, connection, error)) < 0)
        return code;
    size_t count = 0, copied = 0;
    const struct sw_client_column *columns = sw_postgres_columns(&count, connection);
    char **names = sw_calloc(count + 1, sizeof *names);
    uint32_t *oids = sw_calloc(count + 1, sizeof *oids);
    code = names && oids ? SW_OK : sw_fail_memory(error, "columns", count);
    for (; copied < count && code == SW_OK; copied++) {
        oids[copied] = columns[copied].type;
        if (!(names[copied] = sw_strdup(columns[copied].name)))
            code = sw_fail_memory(error, "columns", count);
    }
    sw_postgres_stop(connection);
    if (code == SW_OK)
        code = add_columns(out, connection, names, oids, count, error);
    for (size_t i = 0; i < count && names; i++)
        sw_free(names[i]);
    sw_free(names);
    sw_free(oids);
    return code;
}

enum sw_code sw_postgres_shape_read_key(struct sw_postgres_shape *shape, struct sw_postgres *connection, const char *schema, const char *table, struct sw_error *error)
{
    struct sw_rows rows = {0};
    const char *const parameters[] = {schema, table};
    enum sw_code code = sw_postgres_query(&rows, connection,
        "SELECT a.attname::pg_catalog.text AS name FROM (SELECT i.* FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indrelid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
        "WHERE n.nspname = $1 AND c.relname = $2 AND i.indisvalid AND (i.indisprimary OR i.indisreplident) ORDER BY i.indisprimary DESC LIMIT 1) i "
        "CROSS JOIN LATERAL pg_catalog.unnest(i.indkey::pg_catalog.int2[]) WITH ORDINALITY k (attnum, place) JOIN pg_catalog.pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum "
        "WHERE k.place <= i.indnkeyatts ORDER BY k.place", parameters, 2, error);
    for (size_t i = 0; i < rows.table.row_count && code == SW_OK; i++) {
        struct sw_bytes cell = sw_client_table_cell(&rows.table, i, "name");
        char *name = sw_strndup((const char *)cell.at, cell.len);
        code = name ? sw_row_columns_add_key(&shape->columns, name, error) : sw_fail_memory(error, "a key column", cell.len);
        sw_free(name);
    }
    sw_rows_free(&rows);
    return code;
}

void sw_postgres_shape_free(struct sw_postgres_shape *shape)
{
    sw_row_columns_free(&shape->columns);
    sw_field_tree_free(&shape->fields);
    sw_free(shape->decoders);
    sw_free(shape->key_casts);
    sw_buffer_free(&shape->list);
}
