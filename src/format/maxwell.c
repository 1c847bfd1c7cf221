/* maxwell: what Maxwell's daemon writes, one JSON object a row. Source: zendesk/maxwell, docs/docs/dataformat.md and bootstrapping.md. */
#include "format/bind.h"

static bool is_text(const struct sw_example *example, uint32_t node)
{
    return node != SW_JSON_NO_NODE && !example->template->nodes[node].object && example->tokens[node].kind == SW_TOKEN_TEXT;
}

static unsigned recognise(const struct sw_example *example)
{
    const struct sw_json_template *template = example->template;
    if (!is_text(example, sw_bind_node(template, 0, "database")) || !is_text(example, sw_bind_node(template, 0, "type")))
        return sw_bind_is_object(template, sw_bind_node(template, 0, "encrypted")) && sw_bind_node(template, 0, "encrypted.iv") != SW_JSON_NO_NODE ? 2 : 0;
    bool row = sw_bind_is_object(template, sw_bind_node(template, 0, "data")) || sw_bind_node(template, 0, "encrypted") != SW_JSON_NO_NODE;
    bool ddl = sw_bind_node(template, 0, "sql") != SW_JSON_NO_NODE && sw_bind_node(template, 0, "isDdl") == SW_JSON_NO_NODE;
    return (row || ddl) && sw_bind_node(template, 0, "ts") != SW_JSON_NO_NODE ? 2 : 0;
}

static void select_table(struct sw_selectors *out, const struct sw_bind_context *context, const struct sw_json_template *template)
{
    out->nodes[out->count++] = sw_bind_node(template, 0, "database");
    out->nodes[out->count++] = sw_bind_node(template, 0, "table");
    if (context->order == &sw_order_mysql)
        out->nodes[out->count++] = sw_bind_node(template, 0, "server_id"); /* where output_server_id is on */
    if (!sw_bind_is_object(template, sw_bind_node(template, 0, "data")))
        out->nodes[out->count++] = sw_bind_node(template, 0, "type"); /* which ones empty their table */
}

static const struct sw_operation_spelling operations[] = {
    {"insert", SW_OPERATION_INSERT, NULL},
    {"update", SW_OPERATION_UPDATE, NULL},
    {"delete", SW_OPERATION_REMOVE, NULL},
    {"bootstrap-insert", SW_OPERATION_READ, NULL},
    {"bootstrap-start", SW_OPERATION_IGNORED, "bootstrap start"},
    {"bootstrap-complete", SW_OPERATION_IGNORED, "bootstrap end"},
    {"table-create", SW_OPERATION_IGNORED, "schema change"},
    {"table-alter", SW_OPERATION_IGNORED, "schema change"},
    {"table-drop", SW_OPERATION_TRUNCATE, NULL}, /* its rows are gone, whatever is made under its name later */
    {"database-create", SW_OPERATION_IGNORED, "schema change"},
    {"database-alter", SW_OPERATION_IGNORED, "schema change"},
    {"database-drop", SW_OPERATION_IGNORED, "schema change"},
    {NULL, SW_OPERATION_UNKNOWN, NULL},
};

/* The row before an update is `data` overlaid by `old`, which has the changed columns only. Columns that only `old` has are none of the table's any more. */
static enum sw_code bind_before(struct sw_bound_image *image, const struct sw_binder *binder, uint32_t data, uint32_t old)
{
    const struct sw_json_template *template = binder->template;
    enum sw_code code = SW_OK;
    sw_bind_image_begin(image);
    for (uint32_t child = template->nodes[data].first_child; child != SW_JSON_NO_NODE && code == SW_OK; child = template->nodes[child].next) {
        uint32_t former = sw_bind_child(template, old, sw_json_node_name(template, child));
        code = sw_bind_column(NULL, image, binder, former == SW_JSON_NO_NODE ? child : former, NULL);
    }
    return code == SW_OK ? sw_bind_image_end(image, binder) : code;
}

static bool is_type(const struct sw_example *example, const char *type)
{
    struct sw_token token = sw_bind_token(example, "type");
    return token.kind == SW_TOKEN_TEXT && sw_bytes_is(sw_bytes_of(token.at, token.len), type);
}

/* DROP DATABASE takes all its tables with it, without naming them. */
static void bind_dropped_database(const struct sw_binder *binder, const struct sw_example *example)
{
    struct sw_token name = sw_bind_token(example, "database");
    if (name.kind == SW_TOKEN_TEXT)
        sw_bind_dropped_database(binder, sw_bytes_of(name.at, name.len));
}

/* Two changes of one key in one transaction share a GTID. The row that has `commit` is the last of its transaction, and has no `xoffset`; where output_xoffset is off, the rows before it tie. */
static void bind_ordinal(const struct sw_binder *binder)
{
    const struct sw_order *order = binder->context->order;
    size_t field = order == &sw_order_mysql_gtid || order == &sw_order_mariadb ? sw_order_field_find(order, "ordinal") : SIZE_MAX;
    if (field == SIZE_MAX || binder->out->order[field] != SW_JSON_NO_NODE)
        return;
    bool last = sw_bind_node(binder->template, 0, "commit") != SW_JSON_NO_NODE;
    const char *text = last ? "4294967295" : "0";
    binder->out->order_fixed[field] = (struct sw_token){.at = (const uint8_t *)text, .len = (uint32_t)strlen(text), .kind = SW_TOKEN_NUMBER};
}

static enum sw_code bind(struct sw_binding *out, const struct sw_bind_context *context, const struct sw_example *example, struct sw_error *error)
{
    const struct sw_json_template *template = example->template;
    const struct sw_binder binder = {context, template, out, error};
    struct sw_buffer table = {0};
    sw_bind_begin(out);
    if (!template->nodes[0].object) {
        sw_bind_problem(out, "json", "a record is a JSON object; this line is another value");
        return SW_OK;
    }
    out->operation_node = sw_bind_node(template, 0, "type");
    out->operations = operations;
    out->removal_shows_row = true;
    out->transaction_node = sw_bind_node(template, 0, "xid");
    out->commit_node = sw_bind_node(template, 0, "commit");
    out->transactional = out->transaction_by_id = out->transaction_node != SW_JSON_NO_NODE;
    uint32_t data = sw_bind_node(template, 0, "data"), old = sw_bind_node(template, 0, "old");
    if (sw_bind_node(template, 0, "encrypted") != SW_JSON_NO_NODE)
        sw_bind_problem(out, "encrypted", "the row is encrypted (Maxwell's encrypt=data or encrypt=all): it can only be read where the key is");
    else if (out->operation_node == SW_JSON_NO_NODE)
        sw_bind_problem(out, "format", "no record of Maxwell's: it has no member 'type'");
    bool named = sw_bind_text(&table, example, sw_bind_node(template, 0, "database"));
    sw_buffer_add_byte(&table, '.');
    named &= sw_bind_text(&table, example, sw_bind_node(template, 0, "table"));
    if (!named && sw_bind_is_object(template, data))
        sw_bind_problem(out, "table", "the record does not say of which database and table it is");
    bool shows_row = sw_bind_is_object(template, data) && template->nodes[data].first_child != SW_JSON_NO_NODE; /* the marks of a bootstrap show an empty one */
    bool drops = is_type(example, "table-drop");
    if (is_type(example, "database-drop"))
        bind_dropped_database(&binder, example);
    enum sw_code code = table.failed                  ? sw_fail_memory(error, "a table's name", table.len)
                        : out->problem[0] || !named ? sw_bind_no_table(&binder)
                        : drops                       ? sw_bind_dropped_table(&binder, sw_buffer_view(&table))
                        : shows_row                   ? sw_bind_table(&binder, sw_buffer_view(&table))
                                                      : sw_bind_mentioned_table(&binder, sw_buffer_view(&table));
    sw_buffer_free(&table);
    if (code < 0 || out->problem[0] || out->other_table)
        return code;
    sw_bind_order(&binder, drops && context->order == &sw_order_timestamp ? NULL : sw_format_maxwell.order_places); /* a schema change has its `ts` in milliseconds, a row in seconds */
    bind_ordinal(&binder);
    if (context->order == &sw_order_mysql && !context->mapping->space && out->order[sw_order_field_find(context->order, "server")] == SW_JSON_NO_NODE &&
        sw_bind_server(&binder, example, SW_JSON_NO_NODE, sw_bind_node(template, 0, "server_id")) < 0)
        return SW_ERR_MEMORY;
    if (!sw_bind_is_object(template, data))
        return SW_OK; /* a schema change, or a bad record that the operation tells */
    code = sw_bind_object(&out->after, &binder, data);
    if (code == SW_OK && sw_bind_is_object(template, old))
        code = bind_before(&out->before, &binder, data, old);
    return code;
}

static const struct sw_order_place places[] = {
    {"mysql", "file", "position"}, {"mysql-gtid", "gtid", "gtid"}, {"mysql-gtid", "ordinal", "xoffset"}, {"mariadb", "gtid", "gtid"}, {"mariadb", "ordinal", "xoffset"}, {"timestamp", "time", "ts"}, {NULL, NULL, NULL}};

static bool names_keys(struct sw_buffer *out, const struct sw_example *example) { return sw_bind_names(out, example, sw_bind_node(example->template, 0, "primary_key_columns")); }

static const struct sw_order_candidate candidates[] = {{"", "mysql, mysql-gtid, mariadb"}, {NULL, NULL}};

const struct sw_format sw_format_maxwell = {
    .name = "maxwell",
    .summary = "rows as Maxwell writes them: type, database, table, data, old",
    .explain = "insert and update write `data`, delete removes it; bootstrap-insert is a row that was read. The row before an update is `data` overlaid by `old`, so a change of key removes the old key. "
               "table-drop empties its table; bootstrap marks and other schema changes are counted, not applied; encrypted rows are bad records. The table is database.table. Nothing in a record names the event: `xid` is unique "
               "in one server's life at best, so there is no identity and equal records count as repeated. Positions stand in `position` (output_binlog_position) or `gtid` (output_gtid_position); "
               "the place in the transaction is `xoffset` (output_xoffset), and the row with `commit` the last one. With output_nulls=false declare absent: null. Rows after the last `commit` of an input are of an open transaction. "
               "Source: zendesk/maxwell, docs/docs/dataformat.md, bootstrapping.md, config.md.",
    .order_places = places,
    .time_per_second = 1,
    .orders = candidates,
    .names_keys = names_keys,
    .depth = sw_bind_depth_one,
    .recognise = recognise,
    .select = select_table,
    .bind = bind,
};
