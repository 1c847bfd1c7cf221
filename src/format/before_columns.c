/* The row before an update in columns of its own: `BI_id` beside `id`. Source: AWS DMS user guide, "Transformation rules and actions" (add-before-image-columns; column-prefix is BI_ by default,
 * column-filter the columns of the key). */
#include "format/bind.h"

#define PREFIX "BI_"

/* The key column of whose earlier value that is; UINT32_MAX: of none. */
static uint32_t key_before(const struct sw_binder *binder, struct sw_bytes name)
{
    size_t len = sizeof PREFIX - 1;
    if (!sw_bytes_begin_text(name, PREFIX) || name.len == len)
        return UINT32_MAX;
    return sw_bind_key_index(binder, sw_bind_renamed(binder, sw_bytes_of(name.at + len, name.len - len)));
}

/* A table may have a column of such a name by itself: only where all of the key has one is it DMS's. */
static bool has_before_columns(const struct sw_binder *binder, uint32_t object)
{
    const struct sw_json_template *template = binder->template;
    uint32_t found = 0;
    for (uint32_t child = template->nodes[object].first_child; child != SW_JSON_NO_NODE; child = template->nodes[child].next)
        found += key_before(binder, sw_json_node_name(template, child)) != UINT32_MAX;
    return found && found == binder->context->key_count && binder->context->role == SW_ROLE_EVENTS;
}

bool sw_bind_is_before_column(const struct sw_binder *binder, uint32_t object, struct sw_bytes name)
{
    size_t len = sizeof PREFIX - 1;
    return sw_bytes_begin_text(name, PREFIX) && sw_bind_child(binder->template, object, sw_bytes_of(name.at + len, name.len - len)) != SW_JSON_NO_NODE && has_before_columns(binder, object);
}

enum sw_code sw_bind_before_columns(const struct sw_binder *binder, uint32_t object)
{
    const struct sw_json_template *template = binder->template;
    struct sw_bound_image *before = &binder->out->before;
    if (!has_before_columns(binder, object))
        return SW_OK;
    sw_bind_image_begin(before);
    for (uint32_t child = template->nodes[object].first_child; child != SW_JSON_NO_NODE; child = template->nodes[child].next) {
        uint32_t key = key_before(binder, sw_json_node_name(template, child));
        if (key != UINT32_MAX)
            before->key[key] = child;
    }
    binder->out->before_in_columns = true;
    enum sw_code code = sw_bind_assume(binder, "columns with " PREFIX " before their names hold the row before an update, as AWS DMS's add-before-image-columns writes it");
    return code == SW_OK ? sw_bind_image_end(before, binder) : code;
}
