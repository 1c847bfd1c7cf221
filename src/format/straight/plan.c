/* Which bindings the straight way can take, and what it needs to know of them. */
#include "format/straight/plan.h"

#include "base/memory.h"
#include "base/word.h"
#include "order/integer.h"

static bool is_member(const struct sw_json_template *template, uint32_t node) { return node != SW_JSON_NO_NODE && !template->nodes[node].object; }

/* The flags of an operation, and what it says of the row before; false for those that make more of a record than a row. */
static bool flags_of(uint32_t *out, enum sw_operation operation, const struct sw_binding *binding)
{
    static const uint32_t absent = (uint32_t)SW_CLAIM_ABSENT << SW_RECORD_CLAIM_SHIFT, live = (uint32_t)SW_CLAIM_LIVE << SW_RECORD_CLAIM_SHIFT;
    bool write = operation == SW_OPERATION_UPSERT || operation == SW_OPERATION_INSERT || operation == SW_OPERATION_UPDATE;
    *out = 0;
    if (operation == SW_OPERATION_READ || (write && binding->reads))
        *out = SW_RECORD_READ;
    else if (operation == SW_OPERATION_DELETE || operation == SW_OPERATION_REMOVE)
        *out = SW_RECORD_DELETED | (operation == SW_OPERATION_REMOVE ? live : 0);
    else if (operation == SW_OPERATION_INSERT || operation == SW_OPERATION_UPDATE)
        *out = operation == SW_OPERATION_INSERT ? absent : live;
    else
        return write;
    return true;
}

/* The first of several equal spellings counts; those that are no change of a row, or too long, are not known here. */
static void add_spelling(struct sw_straight *plan, const char *text, enum sw_operation operation, const struct sw_binding *binding)
{
    uint8_t word[SW_STRAIGHT_OPERATION_BYTES_MAX] = {0};
    size_t len = strlen(text);
    uint32_t flags;
    if (len == 0 || len > SW_STRAIGHT_OPERATION_BYTES_MAX || plan->operation_count == SW_STRAIGHT_OPERATIONS_MAX || !flags_of(&flags, operation, binding))
        return;
    memcpy(word, text, len);
    plan->operations[plan->operation_count++] = (struct sw_straight_operation){sw_word_load(word), (uint32_t)len, flags};
}

static bool plan_operations(struct sw_straight *plan, const struct sw_binding *binding, const struct sw_bind_context *context, const struct sw_json_template *template)
{
    const struct sw_layout *layout = &context->mapping->layout[context->role];
    bool spelled = binding->operations && binding->operation_node != SW_JSON_NO_NODE;
    if (!spelled && (binding->operation_known || layout->operation.step_count == 0))
        return flags_of(&plan->plain_flags, binding->operation_known ? binding->operation : SW_OPERATION_UPSERT, binding);
    if (!is_member(template, binding->operation_node))
        return false;
    plan->operation_node = binding->operation_node;
    if (spelled) {
        for (const struct sw_operation_spelling *one = binding->operations; one->text; one++)
            add_spelling(plan, one->text, one->operation, binding);
        return true;
    }
    for (size_t i = 0; i < layout->spelling_count; i++) {
        const char *text = layout->spellings[i].text;
        add_spelling(plan, text, sw_mapping_operation(context->mapping, context->role, sw_bytes_text(text)), binding);
    }
    return true;
}

static struct sw_straight_column way_of(uint32_t node, const struct sw_type *type, bool decoded)
{
    struct sw_straight_column out = {.node = node, .way = SW_STRAIGHT_OTHER};
    if (decoded)
        return out;
    switch (type->kind) {
    case SW_TYPE_ANY: out.way = SW_STRAIGHT_ANY; break;
    case SW_TYPE_TEXT: out.way = type->trim || type->fold || type->nfc ? SW_STRAIGHT_OTHER : SW_STRAIGHT_TEXT; break;
    case SW_TYPE_INTEGER: out.way = SW_STRAIGHT_INTEGER; break;
    case SW_TYPE_DECIMAL: out.way = SW_STRAIGHT_DECIMAL; break;
    case SW_TYPE_INT8:
    case SW_TYPE_INT16:
    case SW_TYPE_INT32:
    case SW_TYPE_INT64:
        out.way = SW_STRAIGHT_FIXED;
        out.bits = (uint8_t)(8u << (type->kind - SW_TYPE_INT8));
        out.is_signed = true;
        break;
    case SW_TYPE_UINT8:
    case SW_TYPE_UINT16:
    case SW_TYPE_UINT32:
    case SW_TYPE_UINT64: /* wrapped ones are read below zero, too */
        out.way = type->wrap ? SW_STRAIGHT_OTHER : SW_STRAIGHT_FIXED;
        out.bits = (uint8_t)(8u << (type->kind - SW_TYPE_UINT8));
        break;
    case SW_TYPE_BOOLEAN: out.way = SW_STRAIGHT_BOOLEAN; break;
    default: break;
    }
    return out;
}

static uint64_t first_bit(const uint8_t *text, size_t len) { return len ? UINT64_C(1) << (text[0] & 63) : UINT64_MAX; }

/* Their lengths are those of raw JSON, with quotes; 63 stands for all that are longer. */
static void plan_lengths(struct sw_straight_column *out, const struct sw_placeholders *placeholders)
{
    out->unavailable = placeholders->lengths >> 2;
    if (placeholders->lengths >> 63)
        out->unavailable |= UINT64_C(7) << 61;
    out->nested_unavailable = true;
    for (uint32_t i = 0; i < placeholders->count; i++)
        if (placeholders->raw[i].len >= 2)
            out->unavailable_first |= first_bit(placeholders->raw[i].at + 1, placeholders->raw[i].len - 2);
}

static void plan_placeholders(struct sw_straight_column *out, const struct sw_bound_column *bound, const struct sw_bind_context *context)
{
    if (context->role == SW_ROLE_EXPECTED)
        return;
    if (bound->placeholders)
        plan_lengths(out, bound->placeholders);
    if (context->mapping->placeholder) {
        size_t len = strlen(context->mapping->placeholder);
        out->unavailable |= UINT64_C(1) << (len < 63 ? len : 63);
        out->unavailable_first |= first_bit((const uint8_t *)context->mapping->placeholder, len);
    }
}

/* Takes its columns from *free. */
static bool plan_image(struct sw_straight_image *out, struct sw_straight_column **free, const struct sw_bound_image *bound, const struct sw_table *table,
                       const struct sw_bind_context *context, const struct sw_json_template *template)
{
    if (!bound->present && !bound->key_complete)
        return true;
    *out = (struct sw_straight_image){.bound = bound, .columns = *free, .has_key = bound->key_complete, .nulls_unknown = bound->nulls_unknown};
    for (uint32_t i = 0; i < bound->column_count; i++) {
        const struct sw_bound_column *column = &bound->columns[i];
        if (!is_member(template, column->node))
            return false;
        **free = way_of(column->node, &column->type, column->decode);
        plan_placeholders((*free)++, column, context);
    }
    bool plain = bound->key_complete;
    for (uint32_t i = 0; i < table->key_count && plain; i++) {
        (*free)[i] = way_of(bound->key[i], &table->keys[i]->type, bound->key_decoders[i].decode);
        plain = is_member(template, bound->key[i]) && (*free)[i].way != SW_STRAIGHT_OTHER;
        if (bound->key_placeholders)
            plan_lengths(&(*free)[i], bound->key_placeholders);
    }
    if (plain) {
        out->keys = *free;
        *free += table->key_count;
    }
    return true;
}

static bool plan_images(struct sw_straight *plan, const struct sw_binding *binding, const struct sw_bind_context *context, const struct sw_json_template *template)
{
    struct sw_straight_column *free = plan->columns;
    if (!plan_image(&plan->after, &free, &binding->after, binding->table, context, template) ||
        !plan_image(&plan->before, &free, &binding->before, binding->table, context, template))
        return false;
    if ((!plan->after.has_key && !plan->before.has_key) || (!binding->after.present && binding->tombstone_without_image))
        return false;
    plan->claimed_nulls_unknown = binding->claimed_nulls_unknown;
    const struct sw_straight_image *before = binding->before.present && binding->before.column_count ? &plan->before : NULL;
    plan->claimed[0] = before;
    if (!binding->removal_unsure)
        plan->claimed[1] = binding->removal_shows_row ? (binding->after.present && binding->after.column_count ? &plan->after : NULL) : before;
    return true;
}

static void plan_version(struct sw_straight *plan, const struct sw_binding *binding, const struct sw_order *order, const struct sw_json_template *template)
{
    if (order == &sw_order_integer && is_member(template, binding->order[0]))
        plan->version_node = binding->order[0];
}

static bool fill(struct sw_straight *plan, const struct sw_binding *binding, const struct sw_bind_context *context, const struct sw_json_template *template)
{
    if (!plan_images(plan, binding, context, template) || !plan_operations(plan, binding, context, template))
        return false;
    for (size_t i = 0; i < binding->identity_count && binding->has_identity; i++)
        if (!is_member(template, binding->identity[i]))
            return false;
    plan->identity_count = binding->has_identity ? (uint32_t)binding->identity_count : 0;
    plan->identity_in_key = binding->identity_in_key;
    if (plan->identity_in_key && (plan->identity_count || (binding->operation_node != SW_JSON_NO_NODE && !is_member(template, binding->operation_node))))
        return false;
    plan->flags = (uint32_t)context->role << SW_RECORD_ROLE_SHIFT;
    if (context->role != SW_ROLE_EVENTS) { /* rows replace nothing */
        plan->plain_flags &= ~SW_STRAIGHT_CLAIM_BITS;
        for (uint32_t i = 0; i < plan->operation_count; i++)
            plan->operations[i].flags &= ~SW_STRAIGHT_CLAIM_BITS;
        plan->claimed[0] = plan->claimed[1] = NULL;
    }
    if (binding->table->id)
        plan->flags |= SW_RECORD_TABLE;
    if (context->role == SW_ROLE_EVENTS && (binding->partial || context->mapping->images == SW_IMAGES_PARTIAL))
        plan->flags |= SW_RECORD_PARTIAL;
    plan->nul_free = !context->csv;
    plan_version(plan, binding, context->order, template);
    return true;
}

bool sw_straight_plan(struct sw_straight **out, const struct sw_binding *binding, const struct sw_format *format, const struct sw_bind_context *context,
                      const struct sw_json_template *template)
{
    *out = NULL;
    if (format->encode || binding->not_row_change || binding->null_kind || binding->problem[0] || binding->other_table || binding->is_read || binding->moved.key_complete || binding->before_in_columns)
        return true;
    if (binding->deleted_node != SW_JSON_NO_NODE && (!is_member(template, binding->deleted_node) || (context->flagged_deletes ? context->mapping->delete_when_set : binding->deleted_when_set)))
        return true;
    size_t columns = (size_t)binding->after.column_count + binding->before.column_count + 2 * (size_t)binding->table->key_count;
    struct sw_straight *plan = sw_calloc(1, sizeof *plan + columns * sizeof *plan->columns);
    if (!plan)
        return false;
    plan->operation_node = plan->version_node = SW_JSON_NO_NODE;
    plan->deleted_node = binding->deleted_node;
    if (fill(plan, binding, context, template))
        *out = plan;
    else
        sw_free(plan);
    return true;
}
