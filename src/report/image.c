#include "report/finding_write.h"

static struct sw_cell take(struct sw_bytes *values)
{
    static const enum sw_cell_kind kinds[] = {
        [SW_STATE_NULL] = SW_CELL_NULL, [SW_STATE_UNAVAILABLE] = SW_CELL_UNAVAILABLE, [SW_STATE_UNKNOWN] = SW_CELL_INVALID, [SW_STATE_VALUE] = SW_CELL_VALUE};
    struct sw_value value = sw_value_next(values);
    return (struct sw_cell){kinds[value.state], value.canonical};
}

static const struct sw_column *column_at(const struct sw_image *image, uint32_t at)
{
    return image && image->set && at < image->set->count ? image->set->columns[at] : NULL;
}

bool sw_image_walk_next(const struct sw_column **column, struct sw_cell *left, struct sw_cell *right, struct sw_image_walk *walk)
{
    if (!walk->started) {
        walk->started = true;
        walk->left_values = walk->left ? walk->left->values : (struct sw_bytes){0};
        walk->right_values = walk->right ? walk->right->values : (struct sw_bytes){0};
    }
    const struct sw_column *a = column_at(walk->left, walk->left_at), *b = column_at(walk->right, walk->right_at);
    if (!a && !b)
        return false;
    int order = !a ? 1 : !b ? -1 : a == b ? 0 : sw_bytes_compare(a->name, b->name);
    *column = order <= 0 ? a : b;
    *left = *right = (struct sw_cell){SW_CELL_ABSENT, {0}};
    if (order <= 0) {
        *left = take(&walk->left_values);
        walk->left_at++;
    }
    if (order >= 0) {
        *right = take(&walk->right_values);
        walk->right_at++;
    }
    return true;
}

const struct sw_image *sw_finding_against(const struct sw_finding *finding)
{
    bool several = sw_reason_class(finding->reason) == SW_CLASS_CONFLICT || finding->reason == SW_REASON_UNORDERED; /* contents of which none may be shown as the evidence's */
    return several && finding->other.present ? &finding->other : &finding->expected;
}
