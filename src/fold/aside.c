/* Records that do not make the state: beyond the cut, or of a transaction whose commit is not in evidence. */
#include "fold/fold.h"

bool sw_fold_beyond_cut(const struct sw_fold_rules *rules, const struct sw_record *record)
{
    uint32_t base = rules->cut_count ? sw_spaces_base(rules->spaces, record->space) : 0;
    for (uint32_t i = 0; i < rules->cut_count; i++)
        if (rules->cuts[i].space == base)
            return sw_order_reach(rules->order, rules->cuts[i].version, record->version) != SW_ORDER_WITHIN; /* never untold: reading refuses that */
    return false;
}

bool sw_fold_is_open(const struct sw_fold_rules *rules, const struct sw_record *record)
{
    if (rules->open_count == 0 || (record->role != SW_ROLE_EVENTS && record->role != SW_RECORD_ROLE_FOLLOWING) || (record->flags & SW_RECORD_READ))
        return false;
    size_t low = 0, high = rules->open_count; /* the last interval that begins at or before the record */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct sw_fold_open *open = &rules->open[middle];
        bool after = open->input != record->input          ? open->input > record->input
                     : open->from_block != record->block ? open->from_block > record->block
                                                         : open->from_line > record->line;
        if (after)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == 0)
        return false;
    const struct sw_fold_open *open = &rules->open[low - 1];
    return open->input == record->input && (record->block != open->to_block ? record->block < open->to_block : record->line < open->to_line);
}
