#include "format/straight/value.h"

#include "order/integer.h"

/* What is written before and behind a value, and what may be written beyond it. */
#define VALUE_MORE (8 + SW_STRAIGHT_TOKEN_PADDING)
#define VARINTS_MAX (4 * SW_VARINT_MAX)

/* Where a record is written, and what it is made from. */
struct straight {
    const struct sw_straight *plan;
    struct sw_encoder *encoder;
    const struct sw_binding *binding;
    const struct sw_json_template *template;
    const struct sw_token *tokens;
    const struct sw_record_place *place;
    const uint8_t *limit;       /* no value begins that would reach it */
    uint32_t head;
    bool gaps;                  /* the image that was written last has values that are unknown or unavailable */
};

static inline bool has_room(const struct straight *s, const uint8_t *to, size_t len) { return to < s->limit && (size_t)(s->limit - to) >= len + VALUE_MORE; }

static inline bool find_operation(struct straight *s)
{
    const struct sw_straight *plan = s->plan;
    struct sw_token token = s->tokens[plan->operation_node];
    if (token.kind != SW_TOKEN_TEXT || token.escaped || token.len > SW_STRAIGHT_OPERATION_BYTES_MAX)
        return false;
    uint64_t word = sw_word_load(token.at) & sw_word_mask(token.len);
    for (uint32_t i = 0; i < plan->operation_count; i++)
        if (plan->operations[i].word == word && plan->operations[i].len == token.len) {
            s->head |= plan->operations[i].flags;
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
        *flags &= ~SW_STRAIGHT_CLAIM_BITS; /* of the write that it is not */
    *flags = (*flags & ~(uint32_t)SW_RECORD_READ) | SW_RECORD_DELETED;
    return true;
}

/* Puts the length in front of a list that begins behind it; NULL where it takes more than a byte. */
static inline uint8_t *close_list(struct sw_bytes *out, uint8_t *list, uint8_t *to)
{
    if (to - list >= 0x80)
        return NULL;
    list[-1] = (uint8_t)(to - list);
    *out = sw_bytes_of(list, (size_t)(to - list));
    return to;
}

static inline bool may_be_unavailable(const struct sw_straight_column *column, struct sw_token token)
{
    if (token.kind == SW_TOKEN_TEXT)
        return column->unavailable >> (token.len < 63 ? token.len : 63) & 1;
    return token.kind > SW_TOKEN_TEXT && column->nested_unavailable;
}

/* Length and bytes of the key of an image. `buffer`: for keys that the general encoder makes. */
static inline uint8_t *put_key(struct sw_bytes *out, uint8_t *to, const struct straight *s, const struct sw_straight_image *image, struct sw_buffer *buffer)
{
    uint8_t *list = ++to, *last = list;
    uint32_t count = s->binding->table->key_count;
    if (!image->keys) {
        if (sw_encode__key(s->encoder, buffer, image->bound, s->binding, s->template, s->tokens, s->place) != SW_ENCODE_ROW || buffer->failed || !has_room(s, to, buffer->len))
            return NULL;
        sw_bytes_copy(to, sw_buffer_view(buffer));
        return close_list(out, list, to + buffer->len);
    }
    for (uint32_t i = 0; i < count; i++) {
        struct sw_token token = s->tokens[image->keys[i].node];
        last = to;
        if (may_be_unavailable(&image->keys[i], token) || !has_room(s, to, token.len) || !(to = sw_straight__key_value(to, &image->keys[i], token, s->plan->nul_free)))
            return NULL;
    }
    if (count && sw_straight__ends_with_text(last, &image->keys[count - 1]))
        to -= 2;
    return close_list(out, list, to);
}

static inline uint8_t *put_identity(struct sw_bytes *out, uint8_t *to, const struct straight *s)
{
    uint8_t *list = ++to, *last = list;
    for (uint32_t i = 0; i < s->plan->identity_count; i++) {
        const struct sw_straight_column column = {.way = SW_STRAIGHT_ANY};
        struct sw_token token = s->tokens[s->binding->identity[i]];
        last = to;
        if (!has_room(s, to, token.len) || !(to = sw_straight__value(to, &column, token, s->plan->nul_free)))
            return NULL;
    }
    if (to != last && *last == SW_ANY_TEXT)
        to -= 2; /* sw_key_end */
    return close_list(out, list, to);
}

/* What the event does, among those of its key and position. */
static inline uint8_t *put_identity_in_key(struct sw_bytes *out, uint8_t *to, const struct straight *s)
{
    uint32_t node = s->binding->operation_node;
    struct sw_token token = {.at = (const uint8_t *)(s->head & SW_RECORD_DELETED ? "d" : "u"), .len = 1};
    if (node != SW_JSON_NO_NODE && s->tokens[node].kind == SW_TOKEN_TEXT)
        token = s->tokens[node];
    if (token.len > SW_STRAIGHT_OPERATION_BYTES_MAX)
        return NULL;
    uint8_t *list = to + 1;
    list[0] = SW_ANY_TRUE;
    list[1] = SW_ANY_TEXT;
    memcpy(list + 2, token.at, token.len);
    return close_list(out, list, list + 2 + token.len);
}

/* What is not usual (a decimal, an escape, a list, a type with rules of its own) goes through a buffer. */
static uint8_t *put_other(uint8_t *to, const struct straight *s, const struct sw_bound_column *bound, struct sw_token token)
{
    struct sw_encoder *encoder = s->encoder;
    struct sw_buffer *canonical = &encoder->canonical;
    canonical->len = 0;
    if ((bound->decode && !bound->decode(&token, &encoder->decode, bound)) || encoder->decode.text.failed || encoder->decode.array.failed ||
        sw_value_encode(canonical, &bound->type, token, &encoder->scratch) != SW_VALUE_OK || canonical->failed || !has_room(s, to, canonical->len))
        return NULL;
    sw_bytes_copy(to, sw_buffer_view(canonical));
    return to + canonical->len;
}

/* The head of a value that has been written behind one byte for it. */
static inline uint8_t *close_value(uint8_t *head, uint8_t *after)
{
    uint8_t *value = head + 1;
    size_t len = (size_t)(after - value), number = len + SW_STATE_VALUE;
    if (__builtin_expect(number < 0x80, 1)) {
        *head = (uint8_t)number;
        return after;
    }
    memmove(head + sw_varint_size(number), value, len);
    return sw_varint_put(head, number) + len;
}

/* A value and its head; NULL: it is one for the general encoder. */
static uint8_t *put_value(uint8_t *to, struct straight *s, const struct sw_straight_column *column, const struct sw_bound_column *bound, struct sw_token token, bool nulls_unknown)
{
    if (token.kind == SW_TOKEN_NULL) {
        *to = nulls_unknown ? SW_STATE_UNKNOWN : SW_STATE_NULL;
        s->gaps |= nulls_unknown;
        return to + 1;
    }
    if (may_be_unavailable(column, token) && sw_encode__is_unavailable(s->encoder, bound, token)) {
        *to = SW_STATE_UNAVAILABLE;
        s->gaps = true;
        return to + 1;
    }
    uint8_t *after = sw_straight__value(to + 1, column, token, s->plan->nul_free);
    if (!after && !(after = put_other(to + 1, s, bound, token)))
        return NULL;
    return close_value(to, after);
}

static uint8_t *put_values(uint8_t *to, struct straight *s, const struct sw_straight_image *image, bool nulls_unknown)
{
    const struct sw_token *tokens = s->tokens;
    const bool nul_free = s->plan->nul_free;
    s->gaps = false;
    for (uint32_t i = 0; i < image->bound->column_count; i++) {
        const struct sw_straight_column *column = &image->columns[i];
        const struct sw_token *token = &tokens[column->node];
        if (!has_room(s, to, token->len))
            return NULL;
        /* what most values are: plain and short texts and integers under `any` */
        bool text = token->kind == SW_TOKEN_TEXT && !token->escaped && token->len < 64 && !((column->unavailable >> token->len & 1) && (column->unavailable_first >> (token->at[0] & 63) & 1));
        if (column->way == SW_STRAIGHT_ANY && (text || token->kind == SW_TOKEN_NUMBER)) {
            uint8_t *after;
            if (text) {
                after = sw_straight__text(to + 1, *token, SW_ANY_TEXT, nul_free);
            } else {
                size_t len = sw_any_padded_integer_encode(to + 1, sw_bytes_of(token->at, token->len));
                after = len ? to + 1 + len : NULL;
            }
            if (after) {
                *to = (uint8_t)(after - to - 1 + SW_STATE_VALUE);
                to = after;
                continue;
            }
        }
        if (!(to = put_value(to, s, column, &image->bound->columns[i], *token, nulls_unknown)))
            return NULL;
    }
    return to;
}

/* Claim, length, set and values of the image that the event is said to replace. */
static uint8_t *put_claimed(uint8_t *to, struct straight *s, const struct sw_straight_image *image)
{
    uint8_t heads[2 * SW_VARINT_MAX + 2];
    uint8_t *values = to + sizeof heads, *end = put_values(values, s, image, image->nulls_unknown || s->plan->claimed_nulls_unknown);
    if (!end)
        return NULL;
    size_t len = (size_t)(end - values), set = image->bound->set->id, claimed = sw_varint_size(set) + sw_varint_size(len) + len;
    *to++ = SW_CLAIM_LIVE | SW_CLAIM_IMAGE;
    to = sw_varint_put(sw_varint_put(sw_varint_put(to, claimed), set), len);
    memmove(to, values, len);
    s->head |= SW_STRAIGHT_CLAIM_BITS; /* it stands behind the place */
    return to + len;
}

static inline uint8_t *put_claim(uint8_t *to, struct straight *s, bool deleted)
{
    const struct sw_straight_image *image = s->plan->claimed[deleted];
    bool live = (s->head >> SW_RECORD_CLAIM_SHIFT & SW_RECORD_CLAIM_MORE) == SW_CLAIM_LIVE;
    return live && image ? put_claimed(to, s, image) : to;
}

/* Adds a version to the head, and writes what stands before it. */
static inline uint8_t *open_version(uint8_t *to, struct straight *s, uint32_t space, uint32_t set, uint32_t len)
{
    s->head |= SW_RECORD_VERSION | (space < SW_RECORD_SPACE_MAX ? space : SW_RECORD_SPACE_MAX) << SW_RECORD_SPACE_SHIFT | sw_record__small(set) << SW_RECORD_SET_SHIFT |
               (len < SW_RECORD_VERSION_MAX ? len : SW_RECORD_VERSION_MAX) << SW_RECORD_VERSION_SHIFT;
    if (space >= SW_RECORD_SPACE_MAX)
        to = sw_varint_put(to, space);
    if (len >= SW_RECORD_VERSION_MAX)
        to = sw_varint_put(to, len);
    if (set >= SW_RECORD_SMALL_MAX)
        to = sw_varint_put(to, set);
    return to;
}

/* Space, length and bytes of the version; adds them to the head. */
static inline uint8_t *put_version(uint8_t *to, struct straight *s, uint32_t set)
{
    struct sw_encoder *encoder = s->encoder;
    struct sw_record record = {.flags = 0};
    if (s->plan->version_node != SW_JSON_NO_NODE && encoder->space_known) {
        uint64_t number;
        uint8_t version[16];
        struct sw_token token = s->tokens[s->plan->version_node];
        if ((token.kind == SW_TOKEN_NUMBER || token.kind == SW_TOKEN_TEXT) && sw_word_digits(&number, token.at, token.len)) {
            unsigned len = sw_integer_version_put(version, number);
            to = open_version(to, s, encoder->space_id, set, len);
            memcpy(to, version, sizeof version);
            return to + len;
        }
    }
    if (sw_encode__version_at_once(encoder, &record, s->head & SW_RECORD_READ, s->binding, s->template, s->tokens, s->place) != SW_ENCODE_ROW)
        return NULL;
    if (record.flags & SW_RECORD_VERSION) {
        to = open_version(to, s, record.space, set, (uint32_t)record.version.len);
    } else {
        s->head |= sw_record__small(set) << SW_RECORD_SET_SHIFT;
        if (set >= SW_RECORD_SMALL_MAX)
            to = sw_varint_put(to, set);
    }
    if (record.version.len - 1 < SW_ORDER_USUAL_BYTES_MAX)
        return sw_straight__copy(to, record.version.at, record.version.len); /* behind it the encoder has room for longer ones */
    sw_bytes_copy(to, record.version);
    return to + record.version.len;
}

/* Does the image before show the key that the record writes? If not, the record is two. */
static inline bool keeps_key(const struct straight *s, struct sw_bytes key)
{
    uint8_t room[SW_STRAIGHT_KEY_BYTES_MAX];
    struct straight other = *s;
    struct sw_bytes old;
    other.limit = room + sizeof room;
    return put_key(&old, room, &other, &s->plan->before, &s->encoder->old_key) && sw_bytes_equal(old, key);
}

bool sw_straight_encode(struct sw_straight_record *out, uint8_t *room, struct sw_encoder *encoder, const struct sw_binding *binding,
                        const struct sw_json_template *template, const struct sw_token *tokens, const struct sw_record_place *place)
{
    const struct sw_straight *plan = binding->straight;
    struct straight s = {plan, encoder, binding, template, tokens, place, room + SW_STRAIGHT_BYTES_MAX - SW_VERSION_BYTES_MAX - VARINTS_MAX, plan->flags | plan->plain_flags, false};
    if (plan->operation_node != SW_JSON_NO_NODE && !find_operation(&s))
        return false;
    if (plan->deleted_node != SW_JSON_NO_NODE && !find_deleted(&s.head, tokens[plan->deleted_node]))
        return false;
    bool deleted = s.head & SW_RECORD_DELETED;
    if (!deleted && !binding->after.present)
        return false; /* a write without an image */
    const struct sw_straight_image *keyed = (deleted && plan->before.has_key) || !plan->after.has_key ? &plan->before : &plan->after;
    uint8_t *to = room + SW_RECORD_HEAD_BYTES;
    if (s.head & SW_RECORD_TABLE)
        to = sw_varint_put(to, binding->table->id);
    to = put_key(&out->key, to, &s, keyed, &encoder->key);
    if (!to)
        return false;
    if (!deleted && !(s.head & SW_RECORD_READ) && plan->after.has_key && plan->before.has_key && !keeps_key(&s, out->key))
        return false;

    s.head |= sw_record__small(place->input) << SW_RECORD_INPUT_SHIFT;
    if (place->input >= SW_RECORD_SMALL_MAX)
        to = sw_varint_put(to, place->input);
    to = sw_varint_put(to, place->block);
    to = sw_varint_put(to, place->line);
    to = put_claim(to, &s, deleted);
    if (!to)
        return false;
    uint8_t *content = to;
    out->set = deleted ? 0 : binding->after.set->id;
    to = put_version(to, &s, out->set);
    if (!to)
        return false;

    if (plan->identity_count) {
        s.head |= SW_RECORD_IDENTITY;
        to = put_identity(&out->identity, to, &s);
    } else if (plan->identity_in_key && (s.head & SW_RECORD_VERSION)) {
        s.head |= SW_RECORD_IDENTITY;
        to = put_identity_in_key(&out->identity, to, &s);
    }
    if (to && !deleted) {
        to = put_values(to, &s, &plan->after, plan->after.nulls_unknown);
        s.head |= s.gaps ? SW_RECORD_GAPS : 0;
    }
    if (!to)
        return false;
    (void)sw_record_head_put(room, s.head);
    out->bytes = sw_bytes_of(room, (size_t)(to - room));
    out->content = sw_bytes_of(content, (size_t)(to - content));
    out->head = s.head;
    out->table = binding->table->id;
    encoder->saw_version |= (s.head & SW_RECORD_VERSION) && !encoder->context->order->arrival;
    encoder->saw_deleted |= plan->deleted_node != SW_JSON_NO_NODE;
    return true;
}
