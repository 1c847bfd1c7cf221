/* canal: messages of Alibaba's Canal, flat or as entries. Source: alibaba/canal, FlatMessage.java, MQMessageUtils.java, EntryProtocol.proto. */
#include <stdio.h>
#include <strings.h>

#include "base/character.h"
#include "format/bind.h"
#include "format/envelope.h"
#include "text/json_walk.h"

/* What a message is turned into, one line a row: {"type":"UPDATE","database":…,"table":…,"ts":…,"es":…,"gtid":…,"file":…,"pos":…,"row":N,"types":{…},
 * "data":{…},"old":{…}}. `types` has MySQL's types by column, `row` is the row's place in its message. */

/* Of the sparest messages `data` and `type` are all there is. */
static bool has_rows(const struct sw_example *example)
{
    static const char *const types[] = {"INSERT", "UPDATE", "DELETE", "INIT"};
    struct sw_token type = sw_bind_token(example, "type");
    if (type.kind != SW_TOKEN_TEXT || sw_bind_token(example, "data").kind != SW_TOKEN_ARRAY)
        return false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (sw_bytes_is(sw_bytes_of(type.at, type.len), types[i]))
            return true;
    return false;
}

static unsigned recognise(const struct sw_example *example)
{
    if (has_rows(example))
        return sw_bind_token(example, "isDdl").kind != SW_TOKEN_ABSENT || sw_bind_token(example, "pkNames").kind != SW_TOKEN_ABSENT || sw_bind_token(example, "mysqlType").kind != SW_TOKEN_ABSENT ? 2 : 1;
    return sw_bind_token(example, "isDdl").kind != SW_TOKEN_ABSENT && sw_bind_token(example, "type").kind == SW_TOKEN_TEXT ? 2 : sw_bind_token(example, "entryType").kind != SW_TOKEN_ABSENT && sw_bind_token(example, "header").kind == SW_TOKEN_OBJECT ? 2 : 0;
}

static void add_member(struct sw_buffer *out, const char *name, struct sw_token value)
{
    if (value.kind == SW_TOKEN_ABSENT || value.kind == SW_TOKEN_NULL || (value.kind == SW_TOKEN_TEXT && value.len == 0))
        return;
    sw_buffer_printf(out, ",\"%s\":", name);
    sw_json_walk_write(out, value);
}

static bool is(struct sw_token token, const char *text) { return token.kind == SW_TOKEN_TEXT && sw_bytes_is(sw_bytes_of(token.at, token.len), text); }

/* The next word of a statement, comments passed over; empty at its end. */
static struct sw_bytes next_word(struct sw_bytes *left)
{
    for (;;) {
        while (left->len && (*left->at <= ' ' || *left->at == '(' || *left->at == '*' || (*left->at == '/' && !sw_bytes_begin_text(*left, "/*")) || (*left->at == '\\' && left->len > 1))) /* as JSON writes them: \n is two bytes */
            *left = sw_bytes_of(left->at + 1 + (*left->at == '\\'), left->len - 1 - (*left->at == '\\'));
        if (sw_bytes_begin_text(*left, "/*!")) { /* what stands in it counts, of servers from a version on */
            *left = sw_bytes_of(left->at + 3, left->len - 3);
            while (left->len && sw_is_digit(*left->at))
                *left = sw_bytes_of(left->at + 1, left->len - 1);
            continue;
        }
        const uint8_t *end = sw_bytes_begin_text(*left, "/*") ? memmem(left->at, left->len, "*/", 2) : NULL;
        if (!end)
            break;
        *left = sw_bytes_of(end + 2, left->len - (size_t)(end + 2 - left->at));
    }
    struct sw_bytes word = {left->at, 0};
    while (word.len < left->len && (sw_lower(left->at[word.len]) >= 'a' && sw_lower(left->at[word.len]) <= 'z'))
        word.len++;
    *left = sw_bytes_of(left->at + word.len, left->len - word.len);
    return word;
}

static bool is_word(struct sw_bytes word, const char *name) { return word.len == strlen(name) && strncasecmp((const char *)word.at, name, word.len) == 0; }

/* What a message without rows is, where its type does not tell it: "statement" is one that changes rows, which its log holds as a statement (binlog_format is not ROW; what is of type QUERY
 * stands beside the rows that it changed, as binlog_rows_query_log_events has it); "temporary" drops a table of one session alone. NULL: what its type says. */
static const char *kind_of_statement(struct sw_token type, struct sw_token sql)
{
    struct sw_bytes left = sw_bytes_of(sql.at, sql.kind == SW_TOKEN_TEXT ? sql.len : 0), word = next_word(&left);
    if (is(type, "INSERT") || is(type, "UPDATE") || is(type, "DELETE"))
        return word.len ? "statement" : NULL;
    return is(type, "ERASE") && is_word(word, "drop") && is_word(next_word(&left), "temporary") ? "temporary" : NULL;
}

static void add_head(struct sw_buffer *out, const struct sw_example *example)
{
    const char *kind = sw_bind_token(example, "data").kind == SW_TOKEN_ARRAY || sw_bind_token(example, "old").kind == SW_TOKEN_ARRAY ? NULL : kind_of_statement(sw_bind_token(example, "type"), sw_bind_token(example, "sql"));
    sw_buffer_add_text(out, "{\"type\":");
    if (kind)
        sw_buffer_printf(out, "\"%s\"", kind);
    else
        sw_json_walk_write(out, sw_bind_token(example, "type"));
    add_member(out, SW_ENVELOPE, sw_bind_token(example, SW_ENVELOPE));
    add_member(out, "database", sw_bind_token(example, "database"));
    add_member(out, "table", sw_bind_token(example, "table"));
    add_member(out, "ts", sw_bind_token(example, "ts"));
    add_member(out, "es", sw_bind_token(example, "es"));
    add_member(out, "gtid", sw_bind_token(example, "gtid"));
    add_member(out, "commit_ts", sw_json_walk_find(sw_bind_token(example, "_tidb"), "commitTs"));
}

static size_t count_of(struct sw_token array)
{
    struct sw_token item;
    size_t count = 0;
    for (struct sw_json_walk walk = sw_json_walk_begin(array); sw_json_walk_element(&item, &walk);)
        count++;
    return count;
}

static bool expand_flat(struct sw_buffer *out, const struct sw_example *example, char problem[256])
{
    struct sw_token data = sw_bind_token(example, "data"), old = sw_bind_token(example, "old"), types = sw_bind_token(example, "mysqlType"), row, former;
    if (data.kind != SW_TOKEN_ARRAY && old.kind == SW_TOKEN_ARRAY && is(sw_bind_token(example, "type"), "DELETE")) { /* as some releases of Flink CDC write it */
        data = old;
        old = (struct sw_token){.kind = SW_TOKEN_ABSENT};
    }
    if (data.kind != SW_TOKEN_ARRAY) { /* a statement, or a row message without rows: what it is stands in its type */
        add_head(out, example);
        sw_buffer_add_text(out, ",\"row\":0}\n"); /* so that its position compares with those of rows */
        return true;
    }
    if (old.kind == SW_TOKEN_ARRAY && count_of(old) != count_of(data)) {
        snprintf(problem, 256, "'old' has %zu rows and 'data' has %zu: which row had which former values cannot be told (older versions of Canal leave rows out)", count_of(old), count_of(data));
        return false;
    }
    struct sw_json_walk formers = sw_json_walk_begin(old.kind == SW_TOKEN_ARRAY ? old : (struct sw_token){.kind = SW_TOKEN_ABSENT});
    unsigned place = 0;
    for (struct sw_json_walk walk = sw_json_walk_begin(data); sw_json_walk_element(&row, &walk); place++) {
        if (row.kind != SW_TOKEN_OBJECT)
            return snprintf(problem, 256, "row %u of 'data' is no object", place + 1), false;
        add_head(out, example);
        sw_buffer_printf(out, ",\"row\":%u", place);
        if (types.kind == SW_TOKEN_OBJECT)
            add_member(out, "types", types);
        add_member(out, "data", row);
        if (sw_json_walk_element(&former, &formers) && former.kind == SW_TOKEN_OBJECT)
            add_member(out, "old", former);
        sw_buffer_add_text(out, "}\n");
        if (sw_bind_repeats_too_much(problem, out, example))
            return false;
    }
    return true;
}

/* Columns of an entry, as an array of {name, value, isNull}, become an object. */
static bool add_columns(struct sw_buffer *out, const char *name, struct sw_token columns, char problem[256])
{
    struct sw_token column;
    bool first = true;
    if (columns.kind != SW_TOKEN_ARRAY || count_of(columns) == 0)
        return true;
    sw_buffer_printf(out, ",\"%s\":{", name);
    for (struct sw_json_walk walk = sw_json_walk_begin(columns); sw_json_walk_element(&column, &walk); first = false) {
        struct sw_token column_name = sw_json_walk_find(column, "name"), value = sw_json_walk_find(column, "value"), null = sw_json_walk_find(column, "isNull");
        if (column_name.kind != SW_TOKEN_TEXT)
            return snprintf(problem, 256, "a column of '%s' has no name", name), false;
        if (!first)
            sw_buffer_add_byte(out, ',');
        sw_json_walk_write(out, column_name);
        sw_buffer_add_byte(out, ':');
        if (null.kind == SW_TOKEN_TRUE || value.kind == SW_TOKEN_NULL)
            sw_buffer_add_text(out, "null");
        else if (value.kind == SW_TOKEN_ABSENT)
            sw_buffer_add_text(out, "\"\""); /* JSON of protobuf leaves out what has its default */
        else
            sw_json_walk_write(out, value);
    }
    sw_buffer_add_byte(out, '}');
    return true;
}

static void add_column_types(struct sw_buffer *out, struct sw_token columns)
{
    struct sw_token column;
    bool first = true;
    for (struct sw_json_walk walk = sw_json_walk_begin(columns); columns.kind == SW_TOKEN_ARRAY && sw_json_walk_element(&column, &walk); first = false) {
        struct sw_token type = sw_json_walk_find(column, "mysqlType");
        sw_buffer_add_text(out, first ? ",\"types\":{" : ",");
        sw_json_walk_write(out, sw_json_walk_find(column, "name"));
        sw_buffer_add_byte(out, ':');
        if (type.kind == SW_TOKEN_TEXT)
            sw_json_walk_write(out, type);
        else
            sw_buffer_add_text(out, "null");
    }
    if (!first)
        sw_buffer_add_byte(out, '}');
}

static void add_entry_head(struct sw_buffer *out, const struct sw_example *example, struct sw_token header, struct sw_token type)
{
    sw_buffer_add_text(out, "{\"type\":");
    if (type.kind == SW_TOKEN_TEXT)
        sw_json_walk_write(out, type);
    else
        sw_buffer_add_text(out, "\"\"");
    add_member(out, SW_ENVELOPE, sw_bind_token(example, SW_ENVELOPE));
    add_member(out, "database", sw_json_walk_find(header, "schemaName"));
    add_member(out, "table", sw_json_walk_find(header, "tableName"));
    add_member(out, "es", sw_json_walk_find(header, "executeTime"));
    add_member(out, "gtid", sw_json_walk_find(header, "gtid"));
    add_member(out, "file", sw_json_walk_find(header, "logfileName"));
    add_member(out, "pos", sw_json_walk_find(header, "logfileOffset"));
}

/* An entry whose store value was printed, too: `storeValue` (or `rowChange`) is an object with rowDatas. As bytes it is protobuf, which is not read. */
static bool expand_entry(struct sw_buffer *out, const struct sw_example *example, char problem[256])
{
    struct sw_token header = sw_bind_token(example, "header"), kind = sw_bind_token(example, "entryType"), change = sw_bind_token(example, "rowChange"), row;
    if (change.kind == SW_TOKEN_ABSENT)
        change = sw_bind_token(example, "storeValue");
    bool rows = kind.kind == SW_TOKEN_TEXT && sw_bytes_is(sw_bytes_of(kind.at, kind.len), "ROWDATA");
    if (!rows) {
        add_entry_head(out, example, header, kind);
        sw_buffer_add_text(out, "}\n");
        return true;
    }
    if (change.kind != SW_TOKEN_OBJECT)
        return snprintf(problem, 256, "the rows of the entry stand in storeValue as protobuf bytes, which are not read: print the entry with its RowChange, or send flat messages"), false;
    struct sw_token type = sw_json_walk_find(change, "eventType");
    if (type.kind != SW_TOKEN_TEXT)
        type = sw_json_walk_find(header, "eventType");
    unsigned place = 0;
    struct sw_token datas = sw_json_walk_find(change, "rowDatas");
    if (count_of(datas) == 0) {
        add_entry_head(out, example, header, type);
        sw_buffer_add_text(out, ",\"row\":0}\n");
        return true;
    }
    for (struct sw_json_walk walk = sw_json_walk_begin(datas); sw_json_walk_element(&row, &walk); place++) {
        struct sw_token before = sw_json_walk_find(row, "beforeColumns"), after = sw_json_walk_find(row, "afterColumns");
        bool deletes = count_of(after) == 0;
        add_entry_head(out, example, header, type);
        sw_buffer_printf(out, ",\"row\":%u", place);
        add_column_types(out, deletes ? before : after);
        if (!add_columns(out, "data", deletes ? before : after, problem) || (!deletes && !add_columns(out, "old", before, problem)))
            return false;
        sw_buffer_add_text(out, "}\n");
        if (sw_bind_repeats_too_much(problem, out, example))
            return false;
    }
    return true;
}

static bool expand(struct sw_buffer *out, const struct sw_example *example, char problem[256])
{
    if (sw_bind_token(example, "entryType").kind != SW_TOKEN_ABSENT && sw_bind_token(example, "header").kind == SW_TOKEN_OBJECT)
        return expand_entry(out, example, problem);
    if (sw_bind_token(example, "type").kind == SW_TOKEN_TEXT)
        return expand_flat(out, example, problem);
    snprintf(problem, 256, "no message of Canal: it has neither 'type' (flat message) nor 'header' and 'entryType' (entry)");
    return false;
}

static const struct sw_operation_spelling operations[] = {
    {"INSERT", SW_OPERATION_INSERT, NULL},
    {"UPDATE", SW_OPERATION_UPDATE, NULL},
    {"DELETE", SW_OPERATION_REMOVE, NULL},
    {"INIT", SW_OPERATION_READ, NULL}, /* of Alibaba's Data Transmission Service: a row of the full load */
    {"TRUNCATE", SW_OPERATION_TRUNCATE, NULL},
    {"CREATE", SW_OPERATION_IGNORED, "schema change"},
    {"ALTER", SW_OPERATION_IGNORED, "schema change"},
    {"ERASE", SW_OPERATION_TRUNCATE, NULL}, /* DROP TABLE: its rows are gone, whatever is made under its name later */
    {"temporary", SW_OPERATION_IGNORED, "schema change"},
    {"RENAME", SW_OPERATION_IGNORED, "schema change"},
    {"CINDEX", SW_OPERATION_IGNORED, "schema change"},
    {"DINDEX", SW_OPERATION_IGNORED, "schema change"},
    {"QUERY", SW_OPERATION_IGNORED, "statement"},
    {"TRANSACTIONBEGIN", SW_OPERATION_IGNORED, "transaction begin"},
    {"TRANSACTIONEND", SW_OPERATION_IGNORED, "transaction commit"},
    {"TIDB_WATERMARK", SW_OPERATION_IGNORED, "watermark"},
    {"HEARTBEAT", SW_OPERATION_IGNORED, "heartbeat"},
    {"GTIDLOG", SW_OPERATION_IGNORED, "GTID mark"},
    {NULL, SW_OPERATION_UNKNOWN, NULL},
};

static void select_row(struct sw_selectors *out, const struct sw_bind_context *context, const struct sw_json_template *template)
{
    (void)context;
    out->nodes[out->count++] = sw_bind_node(template, 0, "database");
    out->nodes[out->count++] = sw_bind_node(template, 0, "table");
    out->nodes[out->count++] = sw_bind_node(template, 0, "types"); /* the whole object, as text */
    if (sw_bind_node(template, 0, "data") == SW_JSON_NO_NODE)
        out->nodes[out->count++] = sw_bind_node(template, 0, "type"); /* which ones empty their table */
}

/* Every value is a text: MySQL's type says what it means. Types that are not here stay text. */
static const struct { const char *name; struct sw_type type; } known_types[] = {
    {"tinyint", {.kind = SW_TYPE_INTEGER, .precision = -1}},   {"smallint", {.kind = SW_TYPE_INTEGER, .precision = -1}},
    {"mediumint", {.kind = SW_TYPE_INTEGER, .precision = -1}}, {"int", {.kind = SW_TYPE_INTEGER, .precision = -1}},
    {"integer", {.kind = SW_TYPE_INTEGER, .precision = -1}},   {"bigint", {.kind = SW_TYPE_INTEGER, .precision = -1}},
    {"year", {.kind = SW_TYPE_INTEGER, .precision = -1}},      {"decimal", {.kind = SW_TYPE_DECIMAL, .precision = -1}},
    {"numeric", {.kind = SW_TYPE_DECIMAL, .precision = -1}},   {"float", {.kind = SW_TYPE_FLOAT32, .precision = -1}},
    {"double", {.kind = SW_TYPE_FLOAT64, .precision = -1}},    {"date", {.kind = SW_TYPE_DATE, .precision = -1}},
    {"datetime", {.kind = SW_TYPE_TIMESTAMP, .precision = -1}}, {"timestamp", {.kind = SW_TYPE_TIMESTAMP, .precision = -1}},
    {"json", {.kind = SW_TYPE_JSON, .precision = -1}},         {"time", {.kind = SW_TYPE_TIME, .precision = -1}},
    {"bit", {.kind = SW_TYPE_INTEGER, .precision = -1}},       {"bool", {.kind = SW_TYPE_BOOLEAN, .precision = -1}},
    {"boolean", {.kind = SW_TYPE_BOOLEAN, .precision = -1}},   {"dec", {.kind = SW_TYPE_DECIMAL, .precision = -1}},
    {"fixed", {.kind = SW_TYPE_DECIMAL, .precision = -1}},     {"real", {.kind = SW_TYPE_FLOAT64, .precision = -1}},
};

static const struct sw_type *type_of(struct sw_bytes name)
{
    size_t len = 0;
    if (name.len > 9 && strncasecmp((const char *)name.at, "unsigned ", 9) == 0)
        name = sw_bytes_of(name.at + 9, name.len - 9);
    while (len < name.len && name.at[len] != '(' && name.at[len] != ' ')
        len++;
    static const struct sw_type boolean = {.kind = SW_TYPE_BOOLEAN, .precision = -1};
    if (len == 3 && strncasecmp((const char *)name.at, "bit", 3) == 0 && (name.len == 3 || sw_bytes_is(sw_bytes_of(name.at + 3, name.len - 3), "(1)")))
        return &boolean;
    for (size_t i = 0; i < sizeof known_types / sizeof *known_types; i++)
        if (strlen(known_types[i].name) == len && strncasecmp(known_types[i].name, (const char *)name.at, len) == 0)
            return &known_types[i].type;
    return NULL;
}

/* Columns of `data`; where `old` is an object, with its former values in their place: the row before. Columns that `old` has unchanged do no harm there. */
static enum sw_code bind_columns(struct sw_bound_image *image, const struct sw_binder *binder, const struct sw_example *example, uint32_t data, uint32_t old)
{
    const struct sw_json_template *template = binder->template;
    struct sw_token types = sw_bind_token(example, "types"), type;
    enum sw_code code = SW_OK;
    sw_bind_image_begin(image);
    for (uint32_t child = template->nodes[data].first_child; child != SW_JSON_NO_NODE && code == SW_OK; child = template->nodes[child].next) {
        struct sw_bytes name = sw_json_node_name(template, child);
        uint32_t former = old == SW_JSON_NO_NODE ? old : sw_bind_child(template, old, name);
        char text[256];
        type = (struct sw_token){.kind = SW_TOKEN_ABSENT};
        if (name.len < sizeof text) { /* names with escapes in them find no type, and stay text */
            sw_bytes_copy((uint8_t *)text, name);
            text[name.len] = '\0';
            type = sw_json_walk_find(types, text);
        }
        code = sw_bind_column(NULL, image, binder, former == SW_JSON_NO_NODE ? child : former,
                              type.kind == SW_TOKEN_TEXT ? type_of(sw_bytes_of(type.at, type.len)) : NULL);
    }
    return code == SW_OK ? sw_bind_image_end(image, binder) : code;
}

static enum sw_code bind(struct sw_binding *out, const struct sw_bind_context *context, const struct sw_example *example, struct sw_error *error)
{
    const struct sw_json_template *template = example->template;
    const struct sw_binder binder = {context, template, out, error};
    struct sw_buffer table = {0};
    sw_bind_begin(out);
    out->operation_node = sw_bind_node(template, 0, "type");
    out->operations = operations;
    out->removal_shows_row = true;
    uint32_t data = sw_bind_node(template, 0, "data"), old = sw_bind_node(template, 0, "old");
    bool named = sw_bind_text(&table, example, sw_bind_node(template, 0, "database")) && table.len;
    if (named)
        sw_buffer_add_byte(&table, '.');
    named = sw_bind_text(&table, example, sw_bind_node(template, 0, "table")) && table.len;
    if (sw_bind_is_object(template, data) && !named)
        sw_bind_problem(out, "table", "the message does not say of which table its rows are: if all are of one, add it (jq -c '. + {database: \"DATABASE\", table: \"TABLE\"}')");
    struct sw_token type = sw_bind_token(example, "type"), database = sw_bind_token(example, "database");
    bool of_rows = sw_bind_is_object(template, data) || is(type, "TRUNCATE") || is(type, "statement"), drops = is(type, "ERASE");
    if (is(type, "statement"))
        sw_bind_problem(out, "statement", "the message holds a statement that changes rows, and not the rows (the binary log was not in binlog_format=ROW): what it changed is not in evidence");
    if (drops && !named && database.kind == SW_TOKEN_TEXT)
        sw_bind_dropped_database(&binder, sw_bytes_of(database.at, database.len));
    enum sw_code code = table.failed                  ? sw_fail_memory(error, "a table's name", table.len)
                        : !named || (out->problem[0] && !is(type, "statement")) ? sw_bind_no_table(&binder)
                        : of_rows                     ? sw_bind_table(&binder, sw_buffer_view(&table))
                        : drops                       ? sw_bind_dropped_table(&binder, sw_buffer_view(&table))
                                                      : sw_bind_mentioned_table(&binder, sw_buffer_view(&table));
    sw_buffer_free(&table);
    if (out->other_table)
        out->problem[0] = '\0';
    if (code < 0 || out->problem[0] || out->other_table)
        return code;
    if (drops && !named)
        out->not_row_change = "schema change";
    if (is(type, "RENAME") && named)
        code = sw_bind_assume(&binder, "a RENAME TABLE stands among the events, of this table or to its name: rows from before it are taken for rows of the table as it is now named");
    if (code < 0)
        return code;
    sw_bind_order(&binder, sw_format_canal.order_places);
    if (!sw_bind_is_object(template, data))
        return SW_OK;
    code = bind_columns(&out->after, &binder, example, data, SW_JSON_NO_NODE);
    if (code == SW_OK && sw_bind_is_object(template, old))
        code = bind_columns(&out->before, &binder, example, data, old);
    return code;
}

static const struct sw_order_place places[] = {
    {"mysql", "file", "file"}, {"mysql", "pos", "pos"}, {"mysql", "row", "row"}, {"mysql-gtid", "gtid", "gtid"}, {"mysql-gtid", "row", "row"},
    {"mariadb", "gtid", "gtid"}, {"mariadb", "row", "row"}, {"integer", "version", "commit_ts"}, {"kafka", "ordinal", "row"}, {"timestamp", "time", "es"}, {NULL, NULL, NULL}};

static bool names_keys(struct sw_buffer *out, const struct sw_example *example) { return sw_bind_names(out, example, sw_bind_node(example->template, 0, "pkNames")); }

static const struct sw_order_candidate candidates[] = {{"", "kafka, mysql-gtid, file; integer for TiCDC's commitTs"}, {NULL, NULL}};

const struct sw_format sw_format_canal = {
    .name = "canal",
    .json_as_text = true,
    .summary = "messages of Alibaba Canal: flat messages, and entries printed as JSON",
    .explain = "A message is read row by row. INSERT and UPDATE write `data`, DELETE removes it, INIT (Alibaba DTS) is a row that was read, TRUNCATE and ERASE (DROP TABLE) empty the table; other DDL, QUERY and the marks of transactions are counted. The row before an update is `data` "
               "overlaid by `old`; where `old` and `data` are not equally long (older versions), the message is a bad record. All values are texts: mysqlType says what they mean and becomes the columns' types. "
               "The table is database.table. No identity. A flat message has no binlog position: order by the Kafka offset (format kcat, order kafka), by gtid where it is filled (order mysql-gtid; changes of "
               "one key in several messages of one transaction cannot be told apart by it), or by `es`, which is weak. Entries carry file and offset (order mysql). An entry whose storeValue is protobuf bytes is a bad record. "
               "TiCDC's extension: order integer takes _tidb.commitTs, and watermarks are counted. "
               "Source: alibaba/canal, FlatMessage.java, MQMessageUtils.java, EntryProtocol.proto.",
    .order_places = places,
    .time_per_second = 1000,
    .orders = candidates,
    .names_keys = names_keys,
    .types = true,
    .depth = sw_bind_depth_one,
    .recognise = recognise,
    .select = select_row,
    .expand = expand,
    .bind = bind,
};
