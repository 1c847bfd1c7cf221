#include "slackwater/catalogue.h"

#include "format/format.h"
#include "order/order.h"
#include "source/registry.h"

static const struct sw_order *order_at(size_t index)
{
    const struct sw_order *const *at = sw_orders();
    for (; *at && index; index--)
        at++;
    return *at;
}

static const struct sw_format *format_at(size_t index)
{
    const struct sw_format *const *at = sw_formats();
    for (; *at && index; index--)
        at++;
    return *at;
}

bool sw_catalogue_at(struct sw_catalogue_entry *out, enum sw_catalogue catalogue, size_t index)
{
    const struct sw_order *order;
    const struct sw_format *format;
    const struct sw_source_info *source;
    switch (catalogue) {
    case SW_CATALOGUE_ORDERS:
        if ((order = order_at(index)))
            *out = (struct sw_catalogue_entry){order->name, order->summary, NULL};
        return order != NULL;
    case SW_CATALOGUE_FORMATS:
        if ((format = format_at(index)))
            *out = (struct sw_catalogue_entry){format->name, format->summary, NULL};
        return format != NULL;
    case SW_CATALOGUE_SOURCES:
        if ((source = sw_source_info_at(index)))
            *out = (struct sw_catalogue_entry){source->name, source->summary, sw_source_missing(source)};
        return source != NULL;
    }
    return false;
}

static const char *need_name(enum sw_order_need need)
{
    switch (need) {
    case SW_ORDER_REQUIRED: return "required";
    case SW_ORDER_ONE_OF: return "one of these is required";
    case SW_ORDER_SPACE: return "part of the space";
    case SW_ORDER_OPTIONAL: break;
    }
    return "optional";
}

static bool order_part(struct sw_catalogue_part *out, const struct sw_order *order, size_t part)
{
    const struct sw_catalogue_part parts[] = {{"tie", NULL, NULL, order->tie},
                                              {"position", NULL, NULL, order->position},
                                              {"not promised", NULL, NULL, order->not_promised},
                                              {"source", NULL, NULL, order->source}};
    if (part == 0) {
        *out = (struct sw_catalogue_part){"rule", NULL, NULL, order->rule};
        return true;
    }
    if (--part < order->field_count) {
        const struct sw_order_field *field = &order->fields[part];
        *out = (struct sw_catalogue_part){"fields", field->name, need_name(field->need), field->help};
        return true;
    }
    part -= order->field_count;
    if (part >= sizeof parts / sizeof *parts)
        return false;
    *out = parts[part];
    return true;
}

static bool format_part(struct sw_catalogue_part *out, const struct sw_format *format, size_t part)
{
    if (part == 0) {
        *out = (struct sw_catalogue_part){"rule", NULL, NULL, format->explain};
        return true;
    }
    for (const struct sw_order_candidate *at = format->orders; at && at->source; at++)
        if (--part == 0) {
            *out = (struct sw_catalogue_part){"orders", at->source[0] ? at->source : NULL, NULL, at->orders};
            return true;
        }
    return false;
}

bool sw_catalogue_part(struct sw_catalogue_part *out, enum sw_catalogue catalogue, size_t index, size_t part)
{
    const struct sw_order *order;
    const struct sw_format *format;
    const struct sw_source_info *source;
    switch (catalogue) {
    case SW_CATALOGUE_ORDERS:
        return (order = order_at(index)) && order_part(out, order, part);
    case SW_CATALOGUE_FORMATS:
        return (format = format_at(index)) && format_part(out, format, part);
    case SW_CATALOGUE_SOURCES:
        source = part == 0 ? sw_source_info_at(index) : NULL;
        if (source)
            *out = (struct sw_catalogue_part){"rule", NULL, NULL, source->explain};
        return source != NULL;
    }
    return false;
}
