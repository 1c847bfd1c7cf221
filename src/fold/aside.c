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

const struct sw_fold_open *sw_fold_find_open(const struct sw_fold_open *places, size_t count, const struct sw_record *record)
{
    if (count == 0 || (record->role != SW_ROLE_EVENTS && record->role != SW_RECORD_ROLE_FOLLOWING) || (record->flags & SW_RECORD_READ))
        return NULL;
    size_t low = 0, high = count; /* the last interval that begins at or before the record */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct sw_fold_open *open = &places[middle];
        bool after = open->input != record->input          ? open->input > record->input
                     : open->from_block != record->block ? open->from_block > record->block
                                                         : open->from_line > record->line;
        if (after)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == 0)
        return NULL;
    const struct sw_fold_open *open = &places[low - 1];
    bool inside = open->input == record->input && (record->block != open->to_block ? record->block < open->to_block : record->line < open->to_line);
    return inside ? open : NULL;
}

bool sw_fold_is_open(const struct sw_fold_rules *rules, const struct sw_record *record) { return sw_fold_find_open(rules->open, rules->open_count, record) != NULL; }
