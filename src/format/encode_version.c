/* The version of a record and the space in which it compares, by the order of the run. */
#include "format/encode.h"

struct sw_token sw_encode__readable(struct sw_encoder *encoder, size_t slot, const struct sw_json_template *template, const struct sw_token *tokens, const struct sw_record_place *place, uint32_t node)
{
    struct sw_token token = sw_encode__token(template, tokens, place, node);
    if (token.kind < SW_TOKEN_NATIVE)
        return token;
    encoder->spelled[slot].len = 0;
    return sw_value_spell(&encoder->spelled[slot], token);
}

/* The id of the space of the order key that was just encoded. */
static bool find_space(struct sw_encoder *encoder, uint32_t *out)
{
    const struct sw_order_key *order = &encoder->order;
    if (!encoder->space_known || encoder->space_len != order->space_len ||
        (order->space_len && memcmp(encoder->space, order->space, order->space_len) != 0)) {
        const struct sw_space_text text = {{order->space, order->space_len}, order->base_len, order->named};
        encoder->space_id = sw_spaces_intern_under(encoder->spaces, &text, encoder->context->mapping->space);
        if (encoder->space_id == UINT32_MAX)
            return false;
        memcpy(encoder->space, order->space, order->space_len);
        encoder->space_len = order->space_len;
        encoder->space_known = true;
    }
    *out = encoder->space_id;
    return true;
}

enum sw_encode_status sw_encode__version(struct sw_encoder *encoder, struct sw_record *record, bool read, const struct sw_binding *binding,
                                         const struct sw_json_template *template, const struct sw_token *tokens, const struct sw_record_place *place)
{
    const struct sw_order *policy = encoder->context->order;
    if (!policy)
        return SW_ENCODE_ROW;
    if (policy->arrival) {
        if (encoder->context->role != SW_ROLE_EVENTS)
            return SW_ENCODE_ROW;
        for (int i = 0; i < 8; i++)
            encoder->order.version[i] = (uint8_t)(place->offset >> (8 * (7 - i)));
        record->version = sw_bytes_of(encoder->order.version, 8);
        record->space = encoder->arrival_space;
        record->flags |= SW_RECORD_VERSION;
        return SW_ENCODE_ROW;
    }
    struct sw_token fields[SW_ORDER_FIELD_COUNT_MAX];
    for (size_t i = 0; i < policy->field_count; i++)
        fields[i] = binding->order[i] == SW_JSON_NO_NODE ? binding->order_fixed[i] : sw_encode__readable(encoder, i, template, tokens, place, binding->order[i]);
    const struct sw_order_record order_record = {fields, encoder->context->order_declared, read};
    switch (policy->encode(&encoder->order, &order_record)) {
    case SW_ORDER_NO_POSITION:
        return SW_ENCODE_ROW;
    case SW_ORDER_INVALID:
        return sw_encode__bad(encoder, "version", encoder->order.problem, (struct sw_token){.kind = SW_TOKEN_ABSENT});
    case SW_ORDER_OK:
        break;
    }
    if (!find_space(encoder, &record->space))
        return SW_ENCODE_FAILED;
    record->version = sw_bytes_of(encoder->order.version, encoder->order.version_len);
    record->flags |= SW_RECORD_VERSION;
    encoder->saw_version = true;
    return SW_ENCODE_ROW;
}

uint32_t sw_encode__usual_order(const struct sw_binding *binding, const struct sw_order *order, const struct sw_json_template *template)
{
    uint32_t fields = 0;
    for (size_t i = 0; order && order->encode_usual && i < order->field_count; i++) {
        uint32_t node = binding->order[i];
        if (node != SW_JSON_NO_NODE && !template->nodes[node].object)
            fields |= 1u << i;
        else if (node != SW_JSON_NO_NODE || binding->order_fixed[i].kind != SW_TOKEN_ABSENT)
            return 0; /* what is given for all records is not padded */
    }
    return fields;
}

/* The order fields as encode_usual takes them, and a bit for each that the record has. False: one of them is of a kind that it does not look at. */
static inline bool usual_fields(struct sw_token fields[SW_ORDER_FIELD_COUNT_MAX], uint32_t *has, const struct sw_binding *binding, const struct sw_token *tokens)
{
    uint32_t native = 0, some = 0;
    for (size_t i = 0; i < SW_ORDER_FIELD_COUNT_MAX; i++)
        fields[i].kind = SW_TOKEN_ABSENT; /* and nobody looks at the rest of it */
    for (uint32_t left = binding->usual_order; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        fields[i] = tokens[binding->order[i]];
        some |= (uint32_t)(fields[i].kind > SW_TOKEN_NULL) << i;
        native |= fields[i].kind >= SW_TOKEN_NATIVE;
    }
    *has = some;
    return !native;
}

static bool is_in(const struct sw_usual_space *space, const struct sw_token *fields, uint32_t has, bool read, uint32_t space_fields)
{
    if (!space->known || space->has != has || space->read != read)
        return false;
    for (uint32_t left = space_fields & has; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        const struct sw_token *known = &space->fields[i];
        if (known->kind != fields[i].kind || known->escaped != fields[i].escaped || known->len != fields[i].len ||
            sw_word_compare(space->texts.at + space->offsets[i], fields[i].at, known->len) != 0)
            return false;
    }
    return true;
}

/* In place of the one that has been known for the longest time. */
static void remember(struct sw_encoder *encoder, const struct sw_token *fields, uint32_t has, bool read, uint32_t id)
{
    struct sw_usual_space *space = &encoder->usual[encoder->usual_oldest];
    encoder->usual_oldest = (encoder->usual_oldest + 1) % SW_USUAL_SPACES;
    space->texts.len = 0;
    for (uint32_t left = encoder->context->order->space_fields & has; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        space->fields[i] = fields[i];
        space->offsets[i] = space->texts.len;
        sw_buffer_add(&space->texts, fields[i].at, fields[i].len);
    }
    space->known = !space->texts.failed;
    space->read = read;
    space->has = has;
    space->id = id;
}

enum sw_encode_status sw_encode__version_at_once(struct sw_encoder *encoder, struct sw_record *record, bool read, const struct sw_binding *binding,
                                                 const struct sw_json_template *template, const struct sw_token *tokens, const struct sw_record_place *place)
{
    const struct sw_order *policy = encoder->context->order;
    struct sw_token fields[SW_ORDER_FIELD_COUNT_MAX];
    uint32_t has;
    size_t len = 0;
    if (binding->usual_order && usual_fields(fields, &has, binding, tokens) && sw_order_is_usual(policy, has, encoder->context->order_declared, read))
        len = policy->encode_usual(encoder->order.version, fields);
    for (size_t i = 0; i < SW_USUAL_SPACES && len; i++)
        if (is_in(&encoder->usual[i], fields, has, read, policy->space_fields)) {
            record->version = sw_bytes_of(encoder->order.version, len);
            record->space = encoder->usual[i].id;
            record->flags |= SW_RECORD_VERSION;
            encoder->saw_version = true;
            return SW_ENCODE_ROW;
        }
    enum sw_encode_status status = sw_encode__version(encoder, record, read, binding, template, tokens, place);
    if (len && status == SW_ENCODE_ROW && (record->flags & SW_RECORD_VERSION))
        remember(encoder, fields, has, read, record->space);
    return status;
}
