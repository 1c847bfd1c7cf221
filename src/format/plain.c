/* plain: the seed's records, and every home-made shape that a mapping describes by paths. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "format/format.h"
#include "text/json_value.h"

static uint32_t node_at(const struct sw_json_template *template, const struct sw_path *path)
{
    if (path->step_count == 0)
        return SW_JSON_NO_NODE;
    uint32_t node = 0;
    for (size_t i = 0; i < path->step_count && node != SW_JSON_NO_NODE; i++) {
        if (!template->nodes[node].object)
            return SW_JSON_NO_NODE;
        uint32_t child = template->nodes[node].first_child;
        struct sw_bytes step = sw_bytes_text(path->steps[i]);
        while (child != SW_JSON_NO_NODE && !sw_bytes_equal(sw_json_node_name(template, child), step))
            child = template->nodes[child].next;
        node = child;
    }
    return node;
}

static void deepen(unsigned *depth, const struct sw_path *path, unsigned extra)
{
    if (path->step_count && path->step_count - 1 + extra > *depth)
        *depth = (unsigned)path->step_count - 1 + extra;
}

static unsigned depth(const struct sw_mapping *mapping, enum sw_role role)
{
    const struct sw_layout *layout = &mapping->layout[role];
    unsigned levels = 0;
    deepen(&levels, &layout->before, 1);
    deepen(&levels, &layout->after, 1);
    deepen(&levels, &layout->value, 1);
    deepen(&levels, &layout->operation, 0);
    deepen(&levels, &layout->deleted, 0);
    deepen(&levels, &layout->table, 0);
    deepen(&levels, &layout->transaction, 0);
    for (size_t i = 0; i < layout->identity_count; i++)
        deepen(&levels, &layout->identity[i], 0);
    for (size_t i = 0; i < mapping->order_field_count; i++)
        deepen(&levels, &layout->order[i], 0);
    for (size_t i = 0; i < mapping->key_count; i++)
        deepen(&levels, &layout->key[i], 0);
    return levels;
}

struct binder {
    const struct sw_bind_context *context;
    const struct sw_json_template *template;
    const struct sw_layout *layout;
    struct sw_binding *out;
    struct sw_error *error;
};

static struct sw_bytes renamed(const struct binder *binder, struct sw_bytes name)
{
    const struct sw_column_rule *rule = sw_mapping_rule(binder->context->mapping, binder->context->role, name);
    return rule && rule->renamed_to ? sw_bytes_text(rule->renamed_to) : name;
}

static uint32_t key_index(const struct binder *binder, struct sw_bytes name)
{
    const struct sw_mapping *mapping = binder->context->mapping;
    for (size_t i = 0; i < mapping->key_count; i++)
        if (sw_bytes_is(name, mapping->keys[i]))
            return (uint32_t)i;
    return UINT32_MAX;
}

/* `declared_as` is the name under which types are declared and columns ignored. */
static enum sw_code add_column_as(struct sw_bound_image *image, const struct binder *binder, uint32_t node, struct sw_bytes name, struct sw_bytes declared_as)
{
    const struct sw_bind_context *context = binder->context;
    const struct sw_column_rule *rule = sw_mapping_column(context->mapping, declared_as);
    if (rule && rule->ignored)
        return SW_OK;
    if (context->flagged_deletes && sw_bytes_is(declared_as, context->mapping->delete_flag)) {
        binder->out->deleted_node = node;
        return SW_OK;
    }
    for (uint32_t i = 0; i < image->column_count; i++)
        if (sw_bytes_equal(image->columns[i].column->name, name)) {
            binder->out->problem_reason = "rename";
            snprintf(binder->out->problem, sizeof binder->out->problem, "two members of the record are the column %.*s after renaming", (int)name.len, (const char *)name.at);
            return SW_OK;
        }
    static const struct sw_type any = {.kind = SW_TYPE_ANY, .precision = -1};
    const struct sw_column *column = sw_schema_column(context->schema, binder->out->table->id, name, rule && rule->has_type ? &rule->type : &any,
                                                      rule && rule->has_type, false);
    if (!column)
        return sw_fail(binder->error, SW_ERR_LIMIT, "more than %u columns in one run, or memory ran out: is the value column really an object of columns? --type COLUMN=json keeps it as one", SW_SCHEMA_COLUMNS_MAX);
    if ((image->column_count & (image->column_count - 1)) == 0) {
        uint32_t capacity = image->column_count ? image->column_count * 2 : 4;
        struct sw_bound_column *columns = sw_realloc_array(image->columns, capacity, sizeof *columns);
        if (!columns)
            return sw_fail_memory(binder->error, "columns", capacity * sizeof *columns);
        image->columns = columns;
    }
    image->columns[image->column_count++] = (struct sw_bound_column){.node = node, .column = column};
    return SW_OK;
}

static enum sw_code add_column(struct sw_bound_image *image, const struct binder *binder, uint32_t node, struct sw_bytes name)
{
    return add_column_as(image, binder, node, name, name);
}

/* A value that is no object of columns: one column without a name, so that it is never taken for a column that has the value's name. */
static enum sw_code add_scalar(struct sw_bound_image *image, const struct binder *binder, uint32_t node)
{
    return add_column_as(image, binder, node, (struct sw_bytes){0}, renamed(binder, sw_json_node_name(binder->template, node)));
}

static int by_column_name(const void *a, const void *b)
{
    const struct sw_bound_column *left = a, *right = b;
    return sw_bytes_compare(left->column->name, right->column->name);
}

static enum sw_code finish_image(struct sw_bound_image *image, const struct binder *binder)
{
    const struct sw_column **columns = sw_calloc(image->column_count, sizeof *columns);
    if (!columns)
        return sw_fail_memory(binder->error, "columns", image->column_count * sizeof *columns);
    if (image->column_count)
        qsort(image->columns, image->column_count, sizeof *image->columns, by_column_name);
    for (uint32_t i = 0; i < image->column_count; i++)
        columns[i] = image->columns[i].column;
    image->set = sw_schema_set(binder->context->schema, columns, image->column_count);
    sw_free(columns);
    if (!image->set)
        return sw_fail(binder->error, SW_ERR_LIMIT, "more than %u different sets of columns in one run, or memory ran out", SW_SCHEMA_SETS_MAX);
    image->present = true;
    return SW_OK;
}

/* The members of one object are columns: key columns go to the key, the others to the image. */
static enum sw_code bind_members(struct sw_bound_image *image, const struct binder *binder, uint32_t object, bool top)
{
    const struct sw_json_template *template = binder->template;
    for (uint32_t child = template->nodes[object].first_child; child != SW_JSON_NO_NODE; child = template->nodes[child].next) {
        struct sw_bytes name = sw_json_node_name(template, child);
        uint32_t key = key_index(binder, renamed(binder, name));
        if (key != UINT32_MAX && binder->layout->key[key].step_count == 0) {
            image->key[key] = child;
            continue;
        }
        if (top && sw_layout_claims(binder->layout, name))
            continue;
        if (top && key != UINT32_MAX)
            continue;
        if (name.len == 0 && !top && binder->layout->value.step_count) { /* it would be taken for the column of a bare value */
            binder->out->problem_reason = "column";
            snprintf(binder->out->problem, sizeof binder->out->problem, "a column without a name; --type COLUMN=json keeps an object as one value");
        }
        enum sw_code code = add_column(image, binder, child, renamed(binder, name));
        if (code < 0)
            return code;
    }
    return SW_OK;
}

static enum sw_code bind_image(struct sw_bound_image *image, const struct binder *binder, const struct sw_path *path)
{
    for (size_t i = 0; i < SW_KEY_COLUMNS_MAX; i++)
        image->key[i] = SW_JSON_NO_NODE;
    uint32_t object = path ? node_at(binder->template, path) : 0;
    if (path && (object == SW_JSON_NO_NODE || !binder->template->nodes[object].object))
        return SW_OK;
    enum sw_code code = SW_OK;
    if (!path && binder->layout->value.step_count) {
        uint32_t value = node_at(binder->template, &binder->layout->value);
        bool columns = value != SW_JSON_NO_NODE && binder->template->nodes[value].object && binder->template->nodes[value].first_child != SW_JSON_NO_NODE;
        if (columns)
            code = bind_members(image, binder, value, false);
        /* plain CSV: there is no object, so every field that is nothing else is a column */
        if (binder->context->csv)
            for (uint32_t child = binder->template->nodes[0].first_child; child != SW_JSON_NO_NODE && code == SW_OK; child = binder->template->nodes[child].next) {
                struct sw_bytes name = sw_json_node_name(binder->template, child);
                if (child != value && !sw_layout_claims(binder->layout, name) && key_index(binder, name) == UINT32_MAX)
                    code = add_column(image, binder, child, renamed(binder, name));
            }
        if (code == SW_OK && value != SW_JSON_NO_NODE && !columns)
            code = image->column_count ? add_column(image, binder, value, renamed(binder, sw_json_node_name(binder->template, value))) : add_scalar(image, binder, value);
    } else {
        code = bind_members(image, binder, object, !path);
    }
    return code < 0 ? code : finish_image(image, binder);
}

static void complete_key(struct sw_bound_image *image, const struct binder *binder)
{
    image->key_complete = image->present;
    for (size_t i = 0; i < binder->context->mapping->key_count; i++) {
        if (binder->layout->key[i].step_count)
            image->key[i] = node_at(binder->template, &binder->layout->key[i]);
        image->key_complete &= image->key[i] != SW_JSON_NO_NODE;
    }
}

/* A record's table is a value in it: it chooses the binding. */
static void select_table(struct sw_selectors *out, const struct sw_bind_context *context, const struct sw_json_template *template)
{
    const struct sw_path *path = &context->mapping->layout[context->role].table;
    if (path->step_count)
        out->nodes[out->count++] = node_at(template, path);
}

/* The table of a record: what stands at the declared path, or else the one that is declared for all. */
static enum sw_code bind_table(const struct binder *binder, const struct sw_example *example)
{
    const struct sw_bind_context *context = binder->context;
    struct sw_binding *out = binder->out;
    struct sw_buffer text = {0};
    struct sw_bytes name = context->mapping->table ? sw_bytes_text(context->mapping->table) : (struct sw_bytes){0};
    if (binder->layout->table.step_count) {
        uint32_t node = node_at(example->template, &binder->layout->table);
        struct sw_token token = node == SW_JSON_NO_NODE ? (struct sw_token){.kind = SW_TOKEN_ABSENT} : sw_json_node_token(example->template, example->tokens, example->record, node);
        if (token.kind == SW_TOKEN_TEXT) {
            struct sw_bytes found = sw_bytes_of(token.at, token.len);
            if (token.escaped) {
                sw_json_unescape_add(&text, found);
                found = sw_buffer_view(&text);
            }
            out->other_table = context->mapping->table && !sw_bytes_equal(found, name);
            name = found;
        } else if (context->mapping->table) {
            out->other_table = context->role == SW_ROLE_EVENTS; /* rows that name no table are of the one that is in scope */
        } else {
            out->problem_reason = "table";
            snprintf(out->problem, sizeof out->problem, "the record names no table where the mapping says that it stands");
        }
    }
    out->table = sw_schema_table(context->schema, name, context->keys, context->key_count);
    sw_buffer_free(&text);
    return out->table ? SW_OK : sw_fail(binder->error, SW_ERR_LIMIT, "more than %u tables in one run, or memory ran out", SW_SCHEMA_TABLES_MAX);
}

static enum sw_code bind(struct sw_binding *out, const struct sw_bind_context *context, const struct sw_example *example, struct sw_error *error)
{
    const struct sw_json_template *template = example->template;
    const struct sw_mapping *mapping = context->mapping;
    const struct sw_layout *layout = &mapping->layout[context->role];
    struct binder binder = {context, template, layout, out, error};
    out->csv = context->csv;
    if (!template->nodes[0].object) {
        out->problem_reason = "json";
        snprintf(out->problem, sizeof out->problem, "a record is a JSON object; this line is another value");
        return SW_OK;
    }
    enum sw_code code = bind_table(&binder, example);
    if (code < 0 || out->other_table || out->problem[0])
        return code;
    out->operation_node = node_at(template, &layout->operation);
    out->deleted_node = node_at(template, &layout->deleted);
    out->transaction_node = node_at(template, &layout->transaction);
    out->identity_count = layout->identity_count;
    for (size_t i = 0; i < layout->identity_count; i++) {
        out->identity[i] = node_at(template, &layout->identity[i]);
        out->has_identity |= out->identity[i] != SW_JSON_NO_NODE;
    }
    for (size_t i = 0; i < SW_ORDER_FIELD_COUNT_MAX; i++)
        out->order[i] = SW_JSON_NO_NODE;
    for (size_t i = 0; context->order && i < context->order->field_count; i++)
        for (size_t j = 0; j < mapping->order_field_count; j++)
            if (sw_bytes_is(sw_bytes_text(context->order->fields[i].name), mapping->order_field_names[j]) ||
                (context->order->field_count == 1 && sw_bytes_is(SW_BYTES_LITERAL("version"), mapping->order_field_names[j])))
                out->order[i] = node_at(template, &layout->order[j]);
    if (layout->after.step_count || layout->before.step_count) {
        code = layout->after.step_count ? bind_image(&out->after, &binder, &layout->after) : SW_OK;
        if (code == SW_OK && layout->before.step_count)
            code = bind_image(&out->before, &binder, &layout->before);
    } else {
        code = bind_image(&out->after, &binder, NULL);
    }
    complete_key(&out->after, &binder);
    complete_key(&out->before, &binder);
    return code;
}

const struct sw_format sw_format_plain = {
    .name = "plain",
    .summary = "rows and events as the lab writes them, or any shape that a mapping describes; NDJSON, JSON array, CSV",
    .explain = "Rows are objects with key, version, deleted and value; events have id, key, version, op and value. With --key or a mapping, columns are named "
               "and every part of a record may stand at a path of its own.",
    .depth = depth,
    .select = select_table,
    .bind = bind,
};
