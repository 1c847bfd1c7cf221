/* changelog: rows of a stream with Flink's row kinds, {"data":{…},"op":"+I"}. Source: apache/flink, RowKind; ververica/flink-cdc-connectors, changelog-json. */
#include "format/bind.h"

static const struct sw_operation_spelling operations[] = {
    {"+I", SW_OPERATION_UPSERT, NULL}, {"+U", SW_OPERATION_UPSERT, NULL}, {"-U", SW_OPERATION_DELETE, NULL}, {"-D", SW_OPERATION_DELETE, NULL}, {NULL, SW_OPERATION_UNKNOWN, NULL}};

static unsigned recognise(const struct sw_example *example)
{
    uint32_t operation = sw_bind_node(example->template, 0, "op");
    if (operation == SW_JSON_NO_NODE || example->tokens[operation].kind != SW_TOKEN_TEXT || !sw_bind_is_object(example->template, sw_bind_node(example->template, 0, "data")))
        return 0;
    for (const struct sw_operation_spelling *one = operations; one->text; one++)
        if (sw_bytes_is(sw_bytes_of(example->tokens[operation].at, example->tokens[operation].len), one->text))
            return 2;
    return 0;
}

static enum sw_code bind(struct sw_binding *out, const struct sw_bind_context *context, const struct sw_example *example, struct sw_error *error)
{
    const struct sw_json_template *template = example->template;
    const struct sw_binder binder = {context, template, out, error};
    sw_bind_begin(out);
    out->operation_node = sw_bind_node(template, 0, "op");
    out->operations = operations;
    uint32_t data = sw_bind_node(template, 0, "data");
    if (out->operation_node == SW_JSON_NO_NODE || !sw_bind_is_object(template, data))
        sw_bind_problem(out, "format", "no record of a changelog: it has no members 'op' and 'data'");
    enum sw_code code = sw_bind_no_table(&binder);
    if (code < 0 || out->problem[0])
        return code;
    sw_bind_order(&binder, NULL);
    return sw_bind_object(&out->after, &binder, data);
}

static const struct sw_order_candidate candidates[] = {{"", "kafka, file"}, {NULL, NULL}};

const struct sw_format sw_format_changelog = {
    .name = "changelog",
    .summary = "rows with Flink's row kinds (changelog-json): data, op +I, -U, +U, -D",
    .explain = "+I and +U write `data`; -U, the row before an update, and -D remove its key: the +U behind a -U writes it again, perhaps under another key. A row names no table and has no position: order by the Kafka offset "
               "(format kcat, order kafka) or, declared, by the place in the file. No identity. Source: apache/flink, RowKind; Flink CDC's changelog-json.",
    .orders = candidates,
    .depth = sw_bind_depth_one,
    .recognise = recognise,
    .bind = bind,
};
