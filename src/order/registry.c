#include <string.h>

#include "order/order.h"

static const struct sw_order *const orders[] = {&sw_order_integer, &sw_order_file, NULL};

const struct sw_order *const *sw_orders(void) { return orders; }

const struct sw_order *sw_order_find(const char *name)
{
    for (const struct sw_order *const *order = orders; *order; order++)
        if (strcmp((*order)->name, name) == 0)
            return *order;
    return NULL;
}

enum sw_version_order sw_version_compare(struct sw_bytes a, struct sw_bytes b)
{
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common ? memcmp(a.at, b.at, common) : 0;
    if (order)
        return order < 0 ? SW_VERSION_BEFORE : SW_VERSION_AFTER;
    return a.len == b.len ? SW_VERSION_EQUAL : SW_VERSION_UNORDERED;
}
