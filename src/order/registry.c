#include <string.h>

#include "order/order.h"
#include "order/order_slots.h"

static const struct sw_order *const orders[] = {
    &sw_order_integer,
    &sw_order_postgres,
    &sw_order_mysql,
    &sw_order_mysql_gtid,
    &sw_order_mariadb,
    &sw_order_oracle,
    &sw_order_sqlserver,
    &sw_order_db2,
    &sw_order_mongodb,
    &sw_order_kafka,
    &sw_order_bigquery,
    &sw_order_datastream,
    &sw_order_timestamp,
    &sw_order_file,
    NULL,
};

const struct sw_order *const *sw_orders(void) { return orders; }

const struct sw_order *sw_order_find(const char *name)
{
    for (const struct sw_order *const *order = orders; *order; order++)
        if (strcmp((*order)->name, name) == 0)
            return *order;
    return NULL;
}

size_t sw_order_field_find(const struct sw_order *order, const char *name)
{
    for (size_t i = 0; i < order->field_count; i++)
        if (strcmp(order->fields[i].name, name) == 0)
            return i;
    return order->field_count && strcmp(name, "version") == 0 ? 0 : SIZE_MAX;
}

/* Some slot decides; one that is no order decides nothing. */
static enum sw_version_order compare_split(uint32_t split, struct sw_bytes a, struct sw_bytes b)
{
    struct sw_slot left, right;
    for (unsigned i = 0; sw_slot_next(&left, &a) && sw_slot_next(&right, &b); i++)
        if (left.present != right.present || left.len != right.len || (left.len && memcmp(left.at, right.at, left.len) != 0)) {
            if (split >> i & 1)
                return SW_VERSION_UNORDERED;
            break;
        }
    return SW_VERSION_EQUAL;
}

enum sw_version_order sw_version_compare_other(const struct sw_order *order, struct sw_bytes a, struct sw_bytes b)
{
    if (order && order->compare)
        return order->compare(a, b);
    if (order && order->split_slots && compare_split(order->split_slots, a, b) == SW_VERSION_UNORDERED)
        return SW_VERSION_UNORDERED;
    size_t common = a.len < b.len ? a.len : b.len;
    int way = common ? memcmp(a.at, b.at, common) : 0;
    if (way)
        return way < 0 ? SW_VERSION_BEFORE : SW_VERSION_AFTER;
    if (a.len == b.len)
        return SW_VERSION_EQUAL;
    return !order || !order->slots ? SW_VERSION_UNORDERED : a.len < b.len ? SW_VERSION_BEFORE : SW_VERSION_AFTER;
}

enum sw_order_reach sw_order_reach(const struct sw_order *order, struct sw_bytes position, struct sw_bytes version)
{
    if (order->reach)
        return order->reach(position, version);
    return sw_bytes_compare(version, position) <= 0 ? SW_ORDER_WITHIN : SW_ORDER_BEYOND;
}

bool sw_order_is_weak(const struct sw_order *order, struct sw_bytes version)
{
    return order && (order->weak || (order->is_weak && order->is_weak(version)));
}
