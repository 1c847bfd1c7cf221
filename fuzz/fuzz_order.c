/* Ordering policies: the first byte picks one, the second which fields are declared and whether the row was read; then two records, their fields with a NUL
 * behind each, each field with a first byte for its kind; what is left is a declared position. Records encode or are refused with a reason, compare
 * antisymmetrically and as their bytes sort, and what is printed reads again; a position is read or refused, and has an answer for both. */
#include <string.h>

#include "order/order.h"
#include "order/spaces.h"
#include "property.h"

static const struct sw_order *pick(uint8_t byte)
{
    const struct sw_order *const *orders = sw_orders();
    size_t count = 0;
    while (orders[count])
        count++;
    return orders[byte % count];
}

/* The next field; ABSENT at the end of the input. */
static struct sw_token take(const uint8_t **at, const uint8_t *end)
{
    struct sw_token token = {0};
    if (*at == end)
        return token;
    token.kind = (uint8_t)(*(*at)++ % (SW_TOKEN_OBJECT + 1));
    token.at = *at;
    while (*at < end && **at)
        ++*at;
    token.len = (uint32_t)(*at - token.at);
    token.escaped = token.kind == SW_TOKEN_TEXT && token.len && memchr(token.at, '\\', token.len);
    *at += *at < end;
    return token;
}

static bool encode(struct sw_order_key *key, const struct sw_order *order, const uint8_t **at, const uint8_t *end, uint8_t flags)
{
    struct sw_token fields[SW_ORDER_FIELD_COUNT_MAX] = {{0}};
    for (size_t i = 0; i < order->field_count && i < SW_ORDER_FIELD_COUNT_MAX; i++)
        fields[i] = take(at, end);
    const struct sw_order_record record = {fields, flags & 0x7fu, flags >> 7};
    if (order->arrival)
        return false;
    enum sw_order_status status = order->encode(key, &record);
    PROPERTY(status == SW_ORDER_OK || status == SW_ORDER_NO_POSITION || status == SW_ORDER_INVALID);
    PROPERTY(status != SW_ORDER_INVALID || key->problem[0]);
    if (status != SW_ORDER_OK)
        return false;
    PROPERTY(key->version_len > 0 && key->version_len <= SW_VERSION_BYTES_MAX);
    PROPERTY(key->space_len <= SW_SPACE_BYTES_MAX && key->base_len <= key->space_len);
    PROPERTY(sw_space_base_len((struct sw_bytes){key->space, key->space_len}) == key->base_len);
    return true;
}

static struct sw_bytes version_of(const struct sw_order_key *key) { return sw_bytes_of(key->version, key->version_len); }
static struct sw_bytes space_of(const struct sw_order_key *key) { return sw_bytes_of(key->space, key->space_len); }

static void check_print(const struct sw_order *order, const struct sw_order_key *key)
{
    struct sw_buffer text = {0};
    struct sw_order_key again;
    order->print(&text, version_of(key), space_of(key));
    if (order->parse(&again, sw_buffer_view(&text)) != SW_ORDER_OK || !sw_bytes_equal(version_of(key), version_of(&again))) {
        fprintf(stderr, "%s: %.*s\n", order->name, (int)text.len, (const char *)text.at);
        PROPERTY(false); /* a printed version reads again as the same */
    }
    sw_buffer_free(&text);
}

static void check_pair(const struct sw_order *order, const struct sw_order_key *a, const struct sw_order_key *b)
{
    if (!sw_bytes_equal(space_of(a), space_of(b)))
        return;
    enum sw_version_order way = sw_version_compare(order, version_of(a), version_of(b)), back = sw_version_compare(order, version_of(b), version_of(a));
    int bytes = sw_bytes_compare(version_of(a), version_of(b));
    PROPERTY((way == SW_VERSION_EQUAL) == (bytes == 0));
    PROPERTY(way != SW_VERSION_BEFORE || (back == SW_VERSION_AFTER && bytes < 0));
    PROPERTY(way != SW_VERSION_AFTER || (back == SW_VERSION_BEFORE && bytes > 0));
    PROPERTY(way != SW_VERSION_UNORDERED || back == SW_VERSION_UNORDERED);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    const struct sw_order *order = pick(data[0]);
    const uint8_t *at = data + 2, *end = data + size;
    struct sw_order_key a, b;
    bool first = encode(&a, order, &at, end, data[1]), second = encode(&b, order, &at, end, data[1]);
    if (first)
        check_print(order, &a);
    if (first && second)
        check_pair(order, &a, &b);
    struct sw_order_positions positions;
    struct sw_error error = {0};
    enum sw_code code = sw_order_positions_parse(&positions, order, sw_bytes_of(at, (size_t)(end - at)), &error);
    PROPERTY(code == SW_OK || code == SW_ERR_INPUT || code == SW_ERR_LIMIT);
    PROPERTY(code == SW_OK ? error.code == SW_OK : error.text[0] != '\0');
    for (size_t i = 0; code == SW_OK && i < positions.count; i++) {
        if (first)
            (void)sw_order_reach(order, positions.places[i].position, version_of(&a));
        (void)sw_space_says(positions.places[i].space, positions.places[i].space);
    }
    if (code == SW_OK)
        sw_order_positions_free(&positions);
    return 0;
}
