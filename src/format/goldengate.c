/* goldengate: what Oracle GoldenGate's JSON formatter writes. Source: Oracle GoldenGate for Distributed Applications and Analytics, "Using the Pluggable Formatters", JSON Formatter. */
#include "format/bind.h"
#include "format/envelope.h"

static bool has(const struct sw_json_template *template, const char *name) { return sw_bind_node(template, 0, name) != SW_JSON_NO_NODE; }

static unsigned recognise(const struct sw_example *example)
{
    const struct sw_json_template *template = example->template;
    uint32_t operation = sw_bind_node(template, 0, "op_type");
    if (operation == SW_JSON_NO_NODE || example->tokens[operation].kind != SW_TOKEN_TEXT)
        return 0;
    return has(template, "after") || has(template, "before") || (has(template, "table") && has(template, "pos")) ? 2 : 0;
}

/* What an update leaves out is as it was; an insert leaves out nothing. */
static void select_table(struct sw_selectors *out, const struct sw_bind_context *context, const struct sw_json_template *template)
{
    (void)context;
    out->nodes[out->count++] = sw_bind_node(template, 0, "table");
    out->nodes[out->count++] = sw_bind_node(template, 0, "op_type");
}

static const struct sw_operation_spelling operations[] = {
    {"I", SW_OPERATION_INSERT, NULL}, {"U", SW_OPERATION_UPDATE, NULL}, {"D", SW_OPERATION_REMOVE, NULL}, {"T", SW_OPERATION_TRUNCATE, NULL}, {NULL, SW_OPERATION_UNKNOWN, NULL}};

/* What stands beside the columns in a record of the row formatter. */
static bool is_of_formatter(struct sw_bytes name)
{
    static const char *const names[] = {"table", "op_type", "op_ts", "current_ts", "pos", "primary_keys", "tokens", "csn", "xid", "rowid", "ts", "opseqno", "schema_hash", "position"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sw_bytes_is(name, names[i]))
            return true;
    return false;
}

static enum sw_code bind_row(struct sw_bound_image *image, const struct sw_binder *binder)
{
    const struct sw_json_template *template = binder->template;
    enum sw_code code = SW_OK;
    sw_bind_image_begin(image);
    for (uint32_t child = template->nodes[0].first_child; child != SW_JSON_NO_NODE && code == SW_OK; child = template->nodes[child].next) {
        struct sw_bytes name = sw_json_node_name(template, child);
        if (!is_of_formatter(name) && !sw_bytes_is(name, SW_ENVELOPE))
            code = sw_bind_column(NULL, image, binder, child, NULL);
    }
    return code == SW_OK ? sw_bind_image_end(image, binder) : code;
}

static enum sw_code bind(struct sw_binding *out, const struct sw_bind_context *context, const struct sw_example *example, struct sw_error *error)
{
    const struct sw_json_template *template = example->template;
    const struct sw_binder binder = {context, template, out, error};
    struct sw_buffer table = {0}, operation = {0};
    sw_bind_begin(out);
    out->operation_node = sw_bind_node(template, 0, "op_type");
    out->operations = operations;
    if (out->operation_node == SW_JSON_NO_NODE)
        sw_bind_problem(out, "format", "no record of GoldenGate's: it has no member 'op_type'");
    out->partial = sw_bind_text(&operation, example, out->operation_node) && sw_bytes_is(sw_buffer_view(&operation), "U");
    bool named = sw_bind_text(&table, example, sw_bind_node(template, 0, "table"));
    enum sw_code code = table.failed || operation.failed ? sw_fail_memory(error, "a table's name", table.len) : named ? sw_bind_table(&binder, sw_buffer_view(&table)) : sw_bind_no_table(&binder);
    sw_buffer_free(&table);
    sw_buffer_free(&operation);
    if (code < 0 || out->problem[0] || out->other_table)
        return code;
    uint32_t after = sw_bind_node(template, 0, "after"), before = sw_bind_node(template, 0, "before");
    sw_bind_order(&binder, sw_format_goldengate.order_places);
    if (after == SW_JSON_NO_NODE && before == SW_JSON_NO_NODE) { /* the row formatter's: one row, as the operation left it or found it */
        out->removal_shows_row = out->removal_unsure = true;
        code = bind_row(&out->after, &binder);
    }
    if (sw_bind_is_object(template, after))
        code = sw_bind_object(&out->after, &binder, after);
    if (code == SW_OK && sw_bind_is_object(template, before))
        code = sw_bind_object(&out->before, &binder, before);
    return code;
}

static const struct sw_order_place places[] = {{"integer", "version", "pos"}, {"timestamp", "time", "op_ts"}, {NULL, NULL, NULL}};

static bool names_keys(struct sw_buffer *out, const struct sw_example *example) { return sw_bind_names(out, example, sw_bind_node(example->template, 0, "primary_keys")); }

static const struct sw_order_candidate candidates[] = {{"", "integer (pos, of one trail), kafka, timestamp"}, {NULL, NULL}};

const struct sw_format sw_format_goldengate = {
    .name = "goldengate",
    .summary = "operations and rows as Oracle GoldenGate's JSON formatters write them: op_type, table, pos, before, after",
    .explain = "I and U write `after`, D removes the key of `before`, T empties the table. Columns that an update leaves out keep what they were; a `before` with another key is a change of key. The table is as `table` says "
               "(OWNER.TABLE). Positions: `pos`, the place in the trail (order integer; of one trail only, since a new one counts anew), or `op_ts`, which is weak. `primary_keys` names the key where it is there. No "
               "identity. Records of the row formatter have the columns beside table, op_type and pos, and no row before: a change of key cannot be seen. Source: Oracle GoldenGate documentation, JSON Formatter.",
    .order_places = places,
    .orders = candidates,
    .names_keys = names_keys,
    .depth = sw_bind_depth_one,
    .recognise = recognise,
    .select = select_table,
    .bind = bind,
};
