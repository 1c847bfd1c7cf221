/* plain: the seed's records, and every home-made shape that a mapping describes by paths. */
#include "format/bind.h"
#include "format/envelope.h"

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
    deepen(&levels, &layout->time, 0);
    for (size_t i = 0; i < layout->identity_count; i++)
        deepen(&levels, &layout->identity[i], 0);
    for (size_t i = 0; i < mapping->order_field_count; i++)
        deepen(&levels, &layout->order[i], 0);
    for (size_t i = 0; i < mapping->key_count; i++)
        deepen(&levels, &layout->key[i], 0);
    return levels;
}

static const struct sw_layout *layout_of(const struct sw_binder *binder) { return &binder->context->mapping->layout[binder->context->role]; }

static enum sw_code add_column(struct sw_bound_image *image, const struct sw_binder *binder, uint32_t node, struct sw_bytes name)
{
    return sw_bind_column_as(NULL, image, binder, node, name, name, NULL);
}

/* A value that is no object of columns: one column without a name, so that it is never taken for a column that has the value's name. */
static enum sw_code add_scalar(struct sw_bound_image *image, const struct sw_binder *binder, uint32_t node)
{
    return sw_bind_column_as(NULL, image, binder, node, (struct sw_bytes){0}, sw_bind_renamed(binder, sw_json_node_name(binder->template, node)), NULL);
}

/* The members of one object are columns: key columns go to the key, the others to the image. */
static enum sw_code bind_members(struct sw_bound_image *image, const struct sw_binder *binder, uint32_t object, bool top)
{
    const struct sw_json_template *template = binder->template;
    for (uint32_t child = template->nodes[object].first_child; child != SW_JSON_NO_NODE; child = template->nodes[child].next) {
        struct sw_bytes name = sw_json_node_name(template, child);
        uint32_t key = sw_bind_key_index(binder, sw_bind_renamed(binder, name));
        if (key != UINT32_MAX && layout_of(binder)->key[key].step_count == 0) {
            image->key[key] = child;
            sw_bind_learn_key(binder, key, child, NULL);
            continue;
        }
        if (top && (sw_layout_claims(layout_of(binder), name) || sw_bytes_is(name, SW_ENVELOPE)))
            continue;
        if (top && key != UINT32_MAX)
            continue;
        if (name.len == 0 && !top && layout_of(binder)->value.step_count) { /* it would be taken for the column of a bare value */
            sw_bind_problem(binder->out, "column", "a column without a name; --type COLUMN=json keeps an object as one value");
        }
        enum sw_code code = add_column(image, binder, child, sw_bind_renamed(binder, name));
        if (code < 0)
            return code;
    }
    return SW_OK;
}

static enum sw_code bind_image(struct sw_bound_image *image, const struct sw_binder *binder, const struct sw_path *path)
{
    sw_bind_image_begin(image);
    uint32_t object = path ? sw_bind_path(binder->template, path) : 0;
    if (path && (object == SW_JSON_NO_NODE || !binder->template->nodes[object].object))
        return SW_OK;
    enum sw_code code = SW_OK;
    if (!path && layout_of(binder)->value.step_count) {
        uint32_t value = sw_bind_path(binder->template, &layout_of(binder)->value);
        bool columns = value != SW_JSON_NO_NODE && binder->template->nodes[value].object && binder->template->nodes[value].first_child != SW_JSON_NO_NODE;
        if (columns)
            code = bind_members(image, binder, value, false);
        /* plain CSV: there is no object, so every field that is nothing else is a column */
        if (binder->context->csv)
            for (uint32_t child = binder->template->nodes[0].first_child; child != SW_JSON_NO_NODE && code == SW_OK; child = binder->template->nodes[child].next) {
                struct sw_bytes name = sw_json_node_name(binder->template, child);
                if (child != value && !sw_layout_claims(layout_of(binder), name) && sw_bind_key_index(binder, name) == UINT32_MAX)
                    code = add_column(image, binder, child, sw_bind_renamed(binder, name));
            }
        if (code == SW_OK && value != SW_JSON_NO_NODE && !columns)
            code = image->column_count ? add_column(image, binder, value, sw_bind_renamed(binder, sw_json_node_name(binder->template, value))) : add_scalar(image, binder, value);
    } else {
        code = bind_members(image, binder, object, !path);
    }
    return code < 0 ? code : sw_bind_image_end(image, binder);
}

static void complete_key(struct sw_bound_image *image, const struct sw_binder *binder)
{
    image->key_complete = image->present;
    for (size_t i = 0; i < binder->context->mapping->key_count; i++) {
        if (layout_of(binder)->key[i].step_count)
            image->key[i] = sw_bind_path(binder->template, &layout_of(binder)->key[i]);
        image->key_complete &= image->key[i] != SW_JSON_NO_NODE;
    }
}

/* A record's table is a value in it: it chooses the binding. */
static void select_table(struct sw_selectors *out, const struct sw_bind_context *context, const struct sw_json_template *template)
{
    const struct sw_path *path = &context->mapping->layout[context->role].table;
    if (path->step_count)
        out->nodes[out->count++] = sw_bind_path(template, path);
    else
        out->nodes[out->count++] = sw_bind_node(template, 0, SW_ENVELOPE ".topic");
}

/* The table of a record: what stands at the declared path, or else the one that is declared for all. */
static enum sw_code bind_table(const struct sw_binder *binder, const struct sw_example *example)
{
    const struct sw_bind_context *context = binder->context;
    struct sw_binding *out = binder->out;
    struct sw_buffer text = {0};
    struct sw_bytes name = context->mapping->table ? sw_bytes_text(context->mapping->table) : layout_of(binder)->table_name ? sw_bytes_text(layout_of(binder)->table_name) : (struct sw_bytes){0};
    if (context->tables) {
        uint32_t node = sw_bind_path(example->template, &layout_of(binder)->table);
        (void)(layout_of(binder)->table.step_count && sw_bind_text(&text, example, node));
        enum sw_code code = text.failed ? sw_fail_memory(binder->error, "the name of a table", 0) : sw_bind_choose(binder, sw_buffer_view(&text));
        sw_buffer_free(&text);
        return code;
    }
    if (layout_of(binder)->table.step_count) {
        uint32_t node = sw_bind_path(example->template, &layout_of(binder)->table);
        if (sw_bind_text(&text, example, node)) {
            struct sw_bytes found = sw_bind_whole_table(binder, sw_buffer_view(&text));
            bool one_of_several = out->chosen != NULL; /* those go by the names that the mapping has */
            out->other_table = context->mapping->table && !(one_of_several ? sw_table_is(found, name) : sw_bytes_equal(found, name));
            if (out->other_table && !sw_format_note_other_table(context->notes, context->role, found))
                text.failed = true;
            name = one_of_several ? name : found;
        } else if (context->mapping->table) {
            out->other_table = context->role == SW_ROLE_EVENTS && !out->chosen; /* rows that name no table are of the one that is in scope */
        } else {
            sw_bind_problem(out, "table", "the record names no table where the mapping says that it stands");
        }
    }
    else if (sw_bind_note_topic(binder, example) < 0)
        text.failed = true;
    if (text.failed) {
        sw_buffer_free(&text);
        return sw_fail_memory(binder->error, "the name of a table", 0);
    }
    out->table = sw_schema_table(context->schema, name, context->keys, context->key_count);
    sw_buffer_free(&text);
    return out->table ? SW_OK : sw_schema_no_table(context->schema, binder->error);
}

static enum sw_code bind(struct sw_binding *out, const struct sw_bind_context *context, const struct sw_example *example, struct sw_error *error)
{
    const struct sw_json_template *template = example->template;
    const struct sw_mapping *mapping = context->mapping;
    const struct sw_layout *layout = &mapping->layout[context->role];
    const struct sw_binder binder = {context, template, out, error};
    sw_bind_begin(out);
    out->csv = context->csv;
    if (!template->nodes[0].object) {
        sw_bind_problem(out, "json", "a record is a JSON object; this line is another value");
        return SW_OK;
    }
    enum sw_code code = bind_table(&binder, example);
    if (code < 0 || out->other_table)
        return code;
    out->operation_node = sw_bind_declared_path(&binder, &layout->operation);
    out->problem_of_changes = out->problem[0]; /* a mark names no table, and need not */
    if (out->problem[0])
        return code;
    out->deleted_node = sw_bind_declared_path(&binder, &layout->deleted);
    out->deleted_when_set = layout->deleted_when_set;
    out->transaction_node = sw_bind_declared_path(&binder, &layout->transaction);
    out->time_node = sw_bind_declared_path(&binder, &layout->time);
    out->identity_count = layout->identity_count;
    for (size_t i = 0; i < layout->identity_count; i++) {
        out->identity[i] = sw_bind_declared_path(&binder, &layout->identity[i]);
        out->has_identity |= out->identity[i] != SW_JSON_NO_NODE;
    }
    sw_bind_order(&binder, NULL);
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
