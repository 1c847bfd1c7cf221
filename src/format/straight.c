#include "format/straight.h"

#include "base/memory.h"
#include "base/word.h"
#include "model/value_any.h"
#include "order/integer.h"

#define OPERATIONS_MAX 8
#define OPERATION_BYTES_MAX 8
#define CLAIM_BITS ((uint32_t)SW_RECORD_CLAIM_MORE << SW_RECORD_CLAIM_SHIFT)

/* One value, with what is written before and behind it, takes no more than its text and this. */
#define VALUE_MORE 32

struct spelled {
    uint64_t word;      /* its text, and zeros */
    uint32_t len;
    uint32_t flags;     /* of records that say it */
};

struct sw_straight {
    uint32_t flags;                         /* of every record */
    uint32_t plain_flags;                   /* of a record that says no operation */
    uint32_t operation_node, deleted_node, version_node; /* SW_JSON_NO_NODE: none */
    struct spelled operations[OPERATIONS_MAX];
    uint32_t operation_count;
    bool integer;                           /* versions are integers at version_node; else the policy is asked */
    bool nulls_unknown;
    uint32_t placeholder_len;               /* texts of this length may stand for an unavailable value; UINT32_MAX: none does */
    uint32_t identity_count;
};

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
    return operation != SW_OPERATION_REMOVE || !binding->removal_shows_row;
}

/* The first of several equal spellings counts; those that are no change of a row, or too long, are not known here. */
static void add_spelling(struct sw_straight *plan, const char *text, enum sw_operation operation, const struct sw_binding *binding)
{
    uint8_t word[OPERATION_BYTES_MAX] = {0};
    size_t len = strlen(text);
    uint32_t flags;
    if (len == 0 || len > OPERATION_BYTES_MAX || plan->operation_count == OPERATIONS_MAX || !flags_of(&flags, operation, binding))
        return;
    memcpy(word, text, len);
    plan->operations[plan->operation_count++] = (struct spelled){sw_word_load(word), (uint32_t)len, flags};
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

static bool plan_image(struct sw_straight *plan, const struct sw_binding *binding, const struct sw_bind_context *context, const struct sw_json_template *template)
{
    const struct sw_bound_image *image = &binding->after;
    bool evidence = context->role != SW_ROLE_EXPECTED;
    if (!image->present || !image->key_complete || binding->before.present || binding->before.key_complete)
        return false;
    for (uint32_t i = 0; i < binding->table->key_count; i++)
        if (binding->table->keys[i]->type.kind != SW_TYPE_ANY || image->key_decoders[i].decode || !is_member(template, image->key[i]))
            return false;
    for (uint32_t i = 0; i < image->column_count; i++) {
        const struct sw_bound_column *bound = &image->columns[i];
        if (bound->column->type.kind != SW_TYPE_ANY || bound->type.kind != SW_TYPE_ANY || bound->decode || (bound->placeholders && evidence) || !is_member(template, bound->node))
            return false;
    }
    for (size_t i = 0; i < binding->identity_count && binding->has_identity; i++)
        if (!is_member(template, binding->identity[i]))
            return false;
    plan->identity_count = binding->has_identity ? (uint32_t)binding->identity_count : 0;
    plan->nulls_unknown = image->nulls_unknown;
    plan->placeholder_len = evidence && context->mapping->placeholder ? (uint32_t)strlen(context->mapping->placeholder) : UINT32_MAX;
    return true;
}

bool sw_straight_plan(struct sw_straight **out, const struct sw_binding *binding, const struct sw_format *format, const struct sw_bind_context *context,
                      const struct sw_json_template *template)
{
    *out = NULL;
    if (format->encode || binding->not_row_change || binding->null_kind || binding->problem[0] || binding->other_table || binding->is_read || binding->identity_in_key)
        return true;
    struct sw_straight plan = {.operation_node = SW_JSON_NO_NODE, .deleted_node = binding->deleted_node, .version_node = SW_JSON_NO_NODE};
    if (binding->deleted_node != SW_JSON_NO_NODE && !is_member(template, binding->deleted_node))
        return true;
    if (!plan_image(&plan, binding, context, template) || !plan_operations(&plan, binding, context, template))
        return true;
    plan.flags = (uint32_t)context->role << SW_RECORD_ROLE_SHIFT;
    if (context->role != SW_ROLE_EVENTS) { /* rows replace nothing */
        plan.plain_flags &= ~CLAIM_BITS;
        for (uint32_t i = 0; i < plan.operation_count; i++)
            plan.operations[i].flags &= ~CLAIM_BITS;
    }
    if (binding->table->id)
        plan.flags |= SW_RECORD_TABLE;
    if (context->role == SW_ROLE_EVENTS && (binding->partial || context->mapping->images == SW_IMAGES_PARTIAL))
        plan.flags |= SW_RECORD_PARTIAL;
    if (context->order == &sw_order_integer && is_member(template, binding->order[0])) {
        plan.integer = true;
        plan.version_node = binding->order[0];
    }
    *out = sw_malloc(sizeof plan);
    if (*out)
        **out = plan;
    return *out != NULL;
}

/* Text under `any`, eight bytes at a time. NULL if it holds a NUL. */
static inline uint8_t *put_text(uint8_t *to, struct sw_token token)
{
    uint64_t nuls = 0;
    const uint8_t *from = token.at, *end = from + token.len;
    *to++ = SW_ANY_TEXT;
    for (; end - from >= 8; from += 8, to += 8) {
        uint64_t word = sw_word_load(from);
        nuls |= (word - SW_ANY__ONES) & ~word;
        sw_word_store(to, word);
    }
    size_t rest = (size_t)(end - from);
    uint64_t word = sw_word_load(from) & sw_word_mask(rest), filled = word | ~sw_word_mask(rest);
    nuls |= (filled - SW_ANY__ONES) & ~filled;
    sw_word_store(to, word);
    to[rest] = to[rest + 1] = 0; /* the end; the word had eight bytes at most */
    return nuls & SW_ANY__HIGHS ? NULL : to + rest + 2;
}

/* A value that is written as it stands; NULL for all others. */
static inline uint8_t *put_plain(uint8_t *to, const uint8_t *limit, struct sw_token token)
{
    if ((size_t)(limit - to) < (size_t)token.len + VALUE_MORE)
        return NULL;
    if (token.kind == SW_TOKEN_TEXT)
        return token.escaped ? NULL : put_text(to, token);
    if (token.kind == SW_TOKEN_NUMBER) {
        size_t len = sw_any_padded_integer_encode(to, sw_bytes_of(token.at, token.len));
        return len ? to + len : NULL;
    }
    if (token.kind != SW_TOKEN_TRUE && token.kind != SW_TOKEN_FALSE)
        return NULL;
    *to = token.kind == SW_TOKEN_TRUE ? SW_ANY_TRUE : SW_ANY_FALSE;
    return to + 1;
}

/* Length and values of a key or an identity. */
static inline uint8_t *put_list(struct sw_bytes *out, uint8_t *to, const uint8_t *limit, const struct sw_token *tokens, const uint32_t *nodes, uint32_t count)
{
    uint8_t *list = to + 1, *last = to = list;
    for (uint32_t i = 0; i < count; i++) {
        last = to;
        to = put_plain(to, limit, tokens[nodes[i]]);
        if (!to)
            return NULL;
    }
    if (to != last && *last == SW_ANY_TEXT)
        to -= 2; /* sw_key_end */
    if (to - list >= 0x80)
        return NULL;
    list[-1] = (uint8_t)(to - list);
    *out = sw_bytes_of(list, (size_t)(to - list));
    return to;
}

/* What takes more than that (a decimal, an escape, a list) goes through a buffer. */
static uint8_t *put_other(uint8_t *to, const uint8_t *limit, struct sw_encoder *encoder, struct sw_token token)
{
    static const struct sw_type any = {.kind = SW_TYPE_ANY, .precision = -1};
    encoder->canonical.len = 0;
    if (sw_value_encode(&encoder->canonical, &any, token, &encoder->scratch) != SW_VALUE_OK || encoder->canonical.failed ||
        (size_t)(limit - to) < encoder->canonical.len + VALUE_MORE)
        return NULL;
    sw_bytes_copy(to, sw_buffer_view(&encoder->canonical));
    return to + encoder->canonical.len;
}

static inline bool find_operation(uint32_t *flags, const struct sw_straight *plan, struct sw_token token)
{
    if (token.kind != SW_TOKEN_TEXT || token.escaped || token.len > OPERATION_BYTES_MAX)
        return false;
    uint64_t word = sw_word_load(token.at) & sw_word_mask(token.len);
    for (uint32_t i = 0; i < plan->operation_count; i++)
        if (plan->operations[i].word == word && plan->operations[i].len == token.len) {
            *flags |= plan->operations[i].flags;
            return true;
        }
    return false;
}

/* A row flagged as deleted has no image, whatever it was said to be. */
static inline bool find_deleted(uint32_t *flags, struct sw_token token)
{
    bool text = token.kind == SW_TOKEN_TEXT;
    if (token.kind == SW_TOKEN_FALSE || (text && token.len == 5 && memcmp(token.at, "false", 5) == 0))
        return true;
    if (token.kind != SW_TOKEN_TRUE && !(text && token.len == 4 && memcmp(token.at, "true", 4) == 0))
        return false;
    if (!(*flags & SW_RECORD_DELETED))
        *flags &= ~CLAIM_BITS; /* of the write that it is not */
    *flags = (*flags & ~(uint32_t)SW_RECORD_READ) | SW_RECORD_DELETED;
    return true;
}

/* Space, length and bytes of the version; adds them to the head. */
static inline uint8_t *put_version(uint8_t *to, uint32_t *head, const struct sw_straight *plan, uint32_t set, struct sw_encoder *encoder, const struct sw_binding *binding,
                                   const struct sw_json_template *template, const struct sw_token *tokens, const struct sw_record_place *place)
{
    uint64_t number;
    struct sw_record record;
    record.flags = 0;
    record.space = 0;
    record.version.len = 0;
    if (plan->integer && encoder->space_known && encoder->space_id < SW_RECORD_SPACE_MAX && set < SW_RECORD_SMALL_MAX) {
        struct sw_token token = tokens[plan->version_node];
        if ((token.kind == SW_TOKEN_NUMBER || token.kind == SW_TOKEN_TEXT) && sw_word_digits(&number, token.at, token.len)) {
            unsigned len = sw_integer_version_put(to, number);
            *head |= SW_RECORD_VERSION | encoder->space_id << SW_RECORD_SPACE_SHIFT | set << SW_RECORD_SET_SHIFT | len << SW_RECORD_VERSION_SHIFT;
            return to + len;
        }
    }
    if (sw_encode__version(encoder, &record, *head & SW_RECORD_READ, binding, template, tokens, place) != SW_ENCODE_ROW)
        return NULL;
    record.set = set;
    record.input = place->input;
    record.role = encoder->context->role & 3;
    record.flags |= (uint8_t)*head;
    record.claim = *head >> SW_RECORD_CLAIM_SHIFT & SW_RECORD_CLAIM_MORE;
    *head = sw_record_head(&record);
    if (record.space >= SW_RECORD_SPACE_MAX)
        to = sw_varint_put(to, record.space);
    if (record.version.len >= SW_RECORD_VERSION_MAX)
        to = sw_varint_put(to, record.version.len);
    if (set >= SW_RECORD_SMALL_MAX)
        to = sw_varint_put(to, set);
    sw_bytes_copy(to, record.version);
    return to + record.version.len;
}

static uint8_t *put_values(uint8_t *to, const uint8_t *limit, const struct sw_straight *plan, struct sw_encoder *encoder, const struct sw_bound_image *image,
                           const struct sw_token *tokens)
{
    for (uint32_t i = 0; i < image->column_count; i++) {
        struct sw_token token = tokens[image->columns[i].node];
        if (token.kind == SW_TOKEN_NULL) {
            if (plan->nulls_unknown || to + VALUE_MORE > limit)
                return NULL;
            *to++ = SW_STATE_NULL;
            continue;
        }
        if (token.kind == SW_TOKEN_TEXT && token.len == plan->placeholder_len)
            return NULL;
        uint8_t *value = to + 1, *after = put_plain(value, limit, token);
        if (!after)
            after = put_other(value, limit, encoder, token);
        if (!after || after - value >= 0x80 - SW_STATE_VALUE)
            return NULL;
        *to = (uint8_t)(after - value + SW_STATE_VALUE);
        to = after;
    }
    return to;
}

bool sw_straight_encode(struct sw_straight_record *out, uint8_t *room, struct sw_encoder *encoder, const struct sw_binding *binding,
                        const struct sw_json_template *template, const struct sw_token *tokens, const struct sw_record_place *place)
{
    const struct sw_straight *plan = binding->straight;
    const struct sw_bound_image *image = &binding->after;
    const uint8_t *limit = room + SW_STRAIGHT_BYTES_MAX - SW_VERSION_BYTES_MAX - VALUE_MORE;
    uint32_t head = plan->flags | plan->plain_flags;
    if (plan->operation_node != SW_JSON_NO_NODE && !find_operation(&head, plan, tokens[plan->operation_node]))
        return false;
    if (plan->deleted_node != SW_JSON_NO_NODE && !find_deleted(&head, tokens[plan->deleted_node]))
        return false;
    bool deleted = head & SW_RECORD_DELETED;
    uint8_t *to = room + SW_RECORD_HEAD_BYTES;
    if (head & SW_RECORD_TABLE)
        to = sw_varint_put(to, binding->table->id);

    to = put_list(&out->key, to, limit, tokens, image->key, binding->table->key_count);
    if (!to)
        return false;

    head |= sw_record__small(place->input) << SW_RECORD_INPUT_SHIFT;
    if (place->input >= SW_RECORD_SMALL_MAX)
        to = sw_varint_put(to, place->input);
    to = sw_varint_put(to, place->block);
    to = sw_varint_put(to, place->line);
    uint8_t *content = to;
    if (plan->identity_count)
        head |= SW_RECORD_IDENTITY;
    out->set = deleted ? 0 : image->set->id;
    to = put_version(to, &head, plan, out->set, encoder, binding, template, tokens, place);
    if (!to)
        return false;

    if (plan->identity_count) {
        to = put_list(&out->identity, to, limit, tokens, binding->identity, plan->identity_count);
        if (!to)
            return false;
    }
    if (!deleted && !(to = put_values(to, limit, plan, encoder, image, tokens)))
        return false;
    (void)sw_record_head_put(room, head);
    out->bytes = sw_bytes_of(room, (size_t)(to - room));
    out->content = sw_bytes_of(content, (size_t)(to - content));
    out->head = head;
    out->table = binding->table->id;
    encoder->saw_version |= (head & SW_RECORD_VERSION) && !encoder->context->order->arrival;
    encoder->saw_deleted |= plan->deleted_node != SW_JSON_NO_NODE;
    return true;
}
