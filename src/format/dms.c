/* dms: what AWS Database Migration Service writes to Kafka and Kinesis. Source: awsdocs/aws-dms-user-guide, doc_source/CHAP_Target.Kafka.md. */
#include "format/bind.h"
#include "text/json_walk.h"

static unsigned recognise(const struct sw_example *example)
{
    const struct sw_json_template *template = example->template;
    return sw_bind_node(template, 0, "metadata.record-type") != SW_JSON_NO_NODE && sw_bind_node(template, 0, "metadata.operation") != SW_JSON_NO_NODE ? 2 : 0;
}

static void select_table(struct sw_selectors *out, const struct sw_bind_context *context, const struct sw_json_template *template)
{
    (void)context;
    out->nodes[out->count++] = sw_bind_node(template, 0, "metadata.schema-name");
    out->nodes[out->count++] = sw_bind_node(template, 0, "metadata.table-name");
    if (!sw_bind_is_object(template, sw_bind_node(template, 0, "data")))
        out->nodes[out->count++] = sw_bind_node(template, 0, "metadata.operation"); /* which ones empty their table */
}

static const struct sw_operation_spelling operations[] = {
    {"load", SW_OPERATION_READ, NULL},
    {"insert", SW_OPERATION_INSERT, NULL},
    {"update", SW_OPERATION_UPDATE, NULL},
    {"delete", SW_OPERATION_REMOVE, NULL},
    {"truncate-table", SW_OPERATION_TRUNCATE, NULL},
    {"create-table", SW_OPERATION_IGNORED, "schema change"},
    {"drop-table", SW_OPERATION_TRUNCATE, NULL}, /* its rows are gone, whatever is made under its name later */
    {"rename-table", SW_OPERATION_IGNORED, "schema change"},
    {"add-column", SW_OPERATION_IGNORED, "schema change"},
    {"drop-column", SW_OPERATION_IGNORED, "schema change"},
    {"rename-column", SW_OPERATION_IGNORED, "schema change"},
    {"change-columns", SW_OPERATION_IGNORED, "schema change"},
    {"column-type-change", SW_OPERATION_IGNORED, "schema change"},
    {NULL, SW_OPERATION_UNKNOWN, NULL},
};

/* The image before may hold the key alone or the changed columns: what it lacks is as in `data`. */
static enum sw_code bind_before(struct sw_bound_image *image, const struct sw_binder *binder, uint32_t data, uint32_t before)
{
    const struct sw_json_template *template = binder->template;
    sw_bind_image_begin(image);
    enum sw_code code = sw_bind_members(image, binder, before);
    for (uint32_t child = data == SW_JSON_NO_NODE ? data : template->nodes[data].first_child; child != SW_JSON_NO_NODE; child = template->nodes[child].next) {
        uint32_t key = sw_bind_key_index(binder, sw_bind_renamed(binder, sw_json_node_name(template, child)));
        if (key != UINT32_MAX && image->key[key] == SW_JSON_NO_NODE)
            image->key[key] = child;
    }
    return code == SW_OK ? sw_bind_image_end(image, binder) : code;
}

static enum sw_code bind_data(const struct sw_binder *binder, uint32_t data)
{
    const struct sw_json_template *template = binder->template;
    struct sw_bound_image *image = &binder->out->after;
    enum sw_code code = SW_OK;
    sw_bind_image_begin(image);
    for (uint32_t child = template->nodes[data].first_child; child != SW_JSON_NO_NODE && code == SW_OK; child = template->nodes[child].next)
        if (!sw_bind_is_before_column(binder, data, sw_json_node_name(template, child)))
            code = sw_bind_column(NULL, image, binder, child, NULL);
    return code == SW_OK ? sw_bind_image_end(image, binder) : code;
}

static enum sw_code bind(struct sw_binding *out, const struct sw_bind_context *context, const struct sw_example *example, struct sw_error *error)
{
    const struct sw_json_template *template = example->template;
    const struct sw_binder binder = {context, template, out, error};
    struct sw_buffer table = {0};
    sw_bind_begin(out);
    out->operation_node = sw_bind_node(template, 0, "metadata.operation");
    out->operations = operations;
    if (out->operation_node == SW_JSON_NO_NODE)
        sw_bind_problem(out, "format", "no record of DMS: it has no member 'operation' in 'metadata'");
    if (sw_bind_text(&table, example, sw_bind_node(template, 0, "metadata.schema-name")) && table.len)
        sw_buffer_add_byte(&table, '.');
    bool named = sw_bind_text(&table, example, sw_bind_node(template, 0, "metadata.table-name"));
    uint32_t data = sw_bind_node(template, 0, "data"), before = sw_bind_node(template, 0, "before-image");
    bool row = sw_bind_is_object(template, data);
    if (row && !named)
        sw_bind_problem(out, "table", "the record does not say of which table it is");
    struct sw_token operation = sw_bind_token(example, "metadata.operation");
    struct sw_bytes what = sw_bytes_of(operation.at, operation.kind == SW_TOKEN_TEXT ? operation.len : 0);
    bool of_rows = row || sw_bytes_is(what, "truncate-table");
    enum sw_code code = table.failed                  ? sw_fail_memory(error, "a table's name", table.len)
                        : out->problem[0] || !named ? sw_bind_no_table(&binder)
                        : of_rows                     ? sw_bind_table(&binder, sw_buffer_view(&table))
                        : sw_bytes_is(what, "drop-table") ? sw_bind_dropped_table(&binder, sw_buffer_view(&table))
                                                      : sw_bind_mentioned_table(&binder, sw_buffer_view(&table));
    sw_buffer_free(&table);
    if (code < 0 || out->problem[0] || out->other_table)
        return code;
    sw_bind_order(&binder, sw_format_dms.order_places);
    if (row)
        code = bind_data(&binder, data);
    if (code == SW_OK && sw_bind_is_object(template, before))
        code = bind_before(&out->before, &binder, row ? data : SW_JSON_NO_NODE, before);
    else if (code == SW_OK && row)
        code = sw_bind_before_columns(&binder, data);
    return code;
}

/* DMS tells the key where it makes the table, at the head of a full load. */
static bool names_keys(struct sw_buffer *out, const struct sw_example *example)
{
    struct sw_token table = sw_bind_token(example, "control.table-def");
    return table.kind == SW_TOKEN_OBJECT && sw_bind_names_in(out, sw_json_walk_find(table, "primary-key"));
}

static const struct sw_order_place places[] = {
    {"timestamp", "time", "metadata.commit-timestamp"}, {"timestamp", "time", "metadata.timestamp"}, {NULL, NULL, NULL}};

static const char *const remarks[] = {
    "DMS leaves out columns that are NULL or empty unless IncludeNullAndEmpty is set: without `absent: null` such a column is unknown here", NULL};

static const struct sw_order_candidate candidates[] = {{"", "kafka, timestamp"}, {NULL, NULL}};

const struct sw_format sw_format_dms = {
    .name = "dms",
    .summary = "messages of AWS DMS to Kafka or Kinesis: data, before-image, metadata",
    .explain = "insert and update write `data`, delete removes its key, load is a row that was read, truncate-table and drop-table empty the table; other control records are counted as schema changes. The old key of an "
               "update comes from `before-image`, where that is switched on, or from columns with BI_ before their names; without either a change of key cannot be seen. The primary-key of a create-table record is the key if none is declared. The table is schema-name.table-name. No identity. A record carries no position that "
               "compares (the shape of stream-position depends on the source): take the Kafka offset (format kcat, order kafka), or order timestamp, which is weak. Columns that are NULL are left out unless "
               "IncludeNullAndEmpty is set: absent: null says so. Source: AWS DMS user guide, Using Apache Kafka as a target.",
    .remarks = remarks,
    .order_places = places,
    .orders = candidates,
    .names_keys = names_keys,
    .depth = sw_bind_depth_one,
    .recognise = recognise,
    .select = select_table,
    .bind = bind,
};
