/* bigquery: rows for BigQuery's change data capture. Source: BigQuery documentation, "Stream table updates with change data capture". */
#include "format/bind.h"

#define CHANGE_TYPE "_CHANGE_TYPE"
#define CHANGE_SEQUENCE_NUMBER "_CHANGE_SEQUENCE_NUMBER"

static unsigned recognise(const struct sw_example *example) { return sw_bind_node(example->template, 0, CHANGE_TYPE) != SW_JSON_NO_NODE ? 2 : 0; }

static const struct sw_operation_spelling operations[] = {
    {"UPSERT", SW_OPERATION_UPSERT, NULL},
    {"DELETE", SW_OPERATION_DELETE, NULL},
    {NULL, SW_OPERATION_UNKNOWN, NULL},
};

static enum sw_code bind(struct sw_binding *out, const struct sw_bind_context *context, const struct sw_example *example, struct sw_error *error)
{
    const struct sw_json_template *template = example->template;
    const struct sw_binder binder = {context, template, out, error};
    sw_bind_begin(out);
    out->csv = context->csv;
    out->operation_node = sw_bind_node(template, 0, CHANGE_TYPE);
    out->operations = operations;
    if (out->operation_node == SW_JSON_NO_NODE)
        sw_bind_problem(out, "operation", "the row has no " CHANGE_TYPE ", which says UPSERT or DELETE");
    enum sw_code code = sw_bind_no_table(&binder);
    if (code < 0 || !template->nodes[0].object)
        return code;
    sw_bind_order(&binder, sw_format_bigquery.order_places);
    sw_bind_image_begin(&out->after);
    for (uint32_t child = template->nodes[0].first_child; child != SW_JSON_NO_NODE && code == SW_OK; child = template->nodes[child].next) {
        struct sw_bytes name = sw_json_node_name(template, child);
        if (!sw_bytes_is(name, CHANGE_TYPE) && !sw_bytes_is(name, CHANGE_SEQUENCE_NUMBER) && !sw_layout_claims(&context->mapping->layout[context->role], name))
            code = sw_bind_column(NULL, &out->after, &binder, child, NULL);
    }
    return code == SW_OK ? sw_bind_image_end(&out->after, &binder) : code;
}

static const struct sw_order_place places[] = {{"bigquery", "number", CHANGE_SEQUENCE_NUMBER}, {NULL, NULL, NULL}};

static const struct sw_order_candidate candidates[] = {{"", "bigquery"}, {NULL, NULL}};

const struct sw_format sw_format_bigquery = {
    .name = "bigquery",
    .summary = "rows as they are written to BigQuery for change data capture: columns, _CHANGE_TYPE, _CHANGE_SEQUENCE_NUMBER",
    .explain = "UPSERT writes the row, DELETE removes its key; any other change type is a bad record, as BigQuery itself refuses it. The row names no table: --table does. No identity. "
               "_CHANGE_SEQUENCE_NUMBER has 1 to 4 sections of 1 to 16 hexadecimal digits and orders the rows (order bigquery); BigQuery breaks ties by ingestion time, which the rows do not carry. "
               "Source: BigQuery documentation, Stream table updates with change data capture.",
    .order_places = places,
    .unnamed_reference = true,
    .flat = true,
    .orders = candidates,
    .depth = sw_bind_depth_one, /* a column may be a struct: it is one value, and its node's token is its raw text */
    .recognise = recognise,
    .bind = bind,
};
