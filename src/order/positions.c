/* Positions as they are declared: one, or one for each of several spaces. */
#include "base/memory.h"
#include "order/order.h"
#include "position/scan.h"

/* Of positions that are written one by one. A set holds as many as it holds. */
#define PLACES_MAX 4096

void sw_order_positions_free(struct sw_order_positions *places)
{
    sw_free(places->places);
    sw_buffer_free(&places->text);
    *places = (struct sw_order_positions){0};
}

bool sw_order_positions_add(struct sw_order_positions *places, struct sw_bytes space, bool named, struct sw_bytes position)
{
    if ((places->count & (places->count - 1)) == 0) {
        size_t capacity = places->count ? places->count * 2 : 4;
        struct sw_order_position *grown = sw_realloc_array(places->places, capacity, sizeof *grown);
        if (!grown)
            return false;
        places->places = grown;
    }
    /* the text may move while it grows: lengths now, views at the end */
    places->places[places->count++] = (struct sw_order_position){.space.len = space.len, .named = named, .position.len = position.len};
    sw_buffer_add_bytes(&places->text, space);
    sw_buffer_add_bytes(&places->text, position);
    return !places->text.failed;
}

static enum sw_code add_key(struct sw_order_positions *out, const struct sw_order_key *key, struct sw_bytes space, bool explicit, struct sw_error *error)
{
    if (!explicit)
        space = sw_bytes_of(key->space, key->space_len);
    return sw_order_positions_add(out, space, explicit || key->named, sw_bytes_of(key->version, key->version_len)) ? SW_OK : sw_fail_memory(error, "positions", out->text.len);
}

/* Is `part`, the space that a position itself gives, said by `whole`, too: "base=b" by "base=b server=old"? */
static bool says_space(struct sw_bytes whole, struct sw_bytes part)
{
    for (size_t at = 0; part.len && at + part.len <= whole.len; at++)
        if ((at == 0 || whole.at[at - 1] == ' ') && (at + part.len == whole.len || whole.at[at + part.len] == ' ') && memcmp(whole.at + at, part.at, part.len) == 0)
            return true;
    return part.len == 0;
}

/* POSITION, or SPACE=POSITION: what is a position as a whole is one, and a space may hold '=' itself. An '@' in it would be the beginning of
 * attributes that could not be read (but for files, whose names may hold one). */
static enum sw_code add_one(struct sw_order_positions *out, const struct sw_order *order, struct sw_bytes text, struct sw_error *error)
{
    struct sw_order_key key, behind;
    if (order->parse(&key, text) == SW_ORDER_OK)
        return add_key(out, &key, (struct sw_bytes){0}, false, error);
    unsigned tries = 16; /* a hostile text of many '=' must not take long */
    for (size_t at = text.len; at-- > 0 && tries;)
        if (text.at[at] == '=' && tries-- && order->parse(&behind, sw_trim(sw_bytes_of(text.at + at + 1, text.len - at - 1))) == SW_ORDER_OK &&
            (order->arrival || !memchr(text.at, '@', at))) {
            struct sw_bytes space = sw_trim(sw_bytes_of(text.at, at)), own = sw_bytes_of(behind.space, behind.space_len);
            if (says_space(space, own))
                return add_key(out, &behind, space, true, error);
            return sw_fail(error, SW_ERR_INPUT, "the position '%.*s' is of the space '%.*s', and is said to be of '%.*s'; write SPACE=POSITION with the space that the report lists", (int)(text.len - at - 1 > 200 ? 200 : text.len - at - 1),
                           (const char *)text.at + at + 1, own.len > 200 ? 200 : (int)own.len, (const char *)own.at, space.len > 200 ? 200 : (int)space.len, (const char *)space.at);
        }
    return sw_fail(error, SW_ERR_INPUT, "%s", key.problem[0] ? key.problem : "it is empty");
}

/* Several of one item, "A,B,C@NAME=VALUE": what follows the '@' is said of all. */
static enum sw_code add_list(struct sw_order_positions *out, const struct sw_order *order, struct sw_bytes text, struct sw_error *error)
{
    struct sw_bytes core = text, attributes = {0};
    const uint8_t *at = text.len ? memchr(text.at, '@', text.len) : NULL;
    struct sw_buffer one = {0};
    enum sw_code code = SW_OK;
    if (at) {
        core.len = (size_t)(at - text.at);
        attributes = sw_bytes_of(at, text.len - core.len);
    }
    do {
        const uint8_t *comma = core.len ? memchr(core.at, ',', core.len) : NULL;
        size_t len = comma ? (size_t)(comma - core.at) : core.len;
        one.len = 0;
        sw_buffer_add_bytes(&one, sw_trim(sw_bytes_of(core.at, len)));
        sw_buffer_add_bytes(&one, attributes);
        code = one.failed ? sw_fail_memory(error, "positions", text.len) : add_one(out, order, one.len ? sw_buffer_view(&one) : SW_BYTES_LITERAL(""), error);
        core.at += len + (comma != NULL);
        core.len -= len + (comma != NULL);
    } while (code == SW_OK && core.len);
    sw_buffer_free(&one);
    return code;
}

static enum sw_code refuse_repeated(const struct sw_order_positions *places, struct sw_error *error)
{
    if (places->count > PLACES_MAX)
        return sw_fail(error, SW_ERR_LIMIT, "%zu positions are declared; at most %d", places->count, PLACES_MAX);
    for (size_t i = 0; i < places->count; i++)
        for (size_t j = 0; j < i; j++)
            if (sw_bytes_equal(places->places[i].space, places->places[j].space))
                return sw_fail(error, SW_ERR_INPUT, "there are two positions in the space '%.*s'", (int)places->places[i].space.len, (const char *)places->places[i].space.at);
    return SW_OK;
}

enum sw_code sw_order_positions_parse(struct sw_order_positions *out, const struct sw_order *order, struct sw_bytes text, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    text = text.at ? text : SW_BYTES_LITERAL("");
    *out = (struct sw_order_positions){0};
    if (order->parse_set) {
        code = order->parse_set(out, text, error);
    } else {
        struct sw_bytes left = sw_trim(text);
        do {
            size_t len = 0;
            while (len < left.len && left.at[len] != ';' && left.at[len] != '\n')
                len++;
            struct sw_bytes item = sw_trim(sw_bytes_of(left.at, len));
            code = order->lists ? add_list(out, order, item, error) : add_one(out, order, item, error);
            len += len < left.len;
            left = sw_bytes_of(left.at + len, left.len - len);
        } while (code == SW_OK && sw_trim(left).len);
    }
    const uint8_t *at = out->text.at ? out->text.at : (const uint8_t *)"";
    for (size_t i = 0; i < out->count; i++) {
        struct sw_order_position *place = &out->places[i];
        place->space.at = at;
        place->position.at = at + place->space.len;
        at = place->position.at + place->position.len;
    }
    if (code == SW_OK && !order->parse_set)
        code = refuse_repeated(out, error);
    if (code < 0)
        sw_order_positions_free(out);
    return code;
}
