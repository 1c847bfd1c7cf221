#include "fold/step.h"

#include <string.h>

#include "base/memory.h"
#include "fold/key_order.h"
#include "order/order_slots.h"

static bool same_version(const struct sw_record *a, const struct sw_record *b) { return a->space == b->space && sw_bytes_equal(a->version, b->version); }

static bool is_deleted(const struct sw_record *record) { return record->flags & SW_RECORD_DELETED; }

bool sw_fold_one_transaction(const struct sw_order *order, const struct sw_record *a, const struct sw_record *b)
{
    if (!order || !(a->flags & b->flags & SW_RECORD_VERSION) || a->space != b->space)
        return false;
    struct sw_bytes first = sw_claim_step(a), second = sw_claim_step(b);
    if (first.len && second.len)
        return sw_bytes_equal(first, second);
    struct sw_slot left, right;
    struct sw_bytes rest = a->version, other = b->version;
    for (unsigned i = 0; order->transaction_slots >> i && sw_slot_next(&left, &rest) && sw_slot_next(&right, &other); i++)
        if ((order->transaction_slots >> i & 1) && left.present && right.present && sw_slot_number(left)) /* 0 is the sequence before the first commit */
            return left.len == right.len && memcmp(left.at, right.at, left.len) == 0;
    return false;
}

enum gone { NONE_GONE, FIRST_GONE, SECOND_GONE, GONE_NO_MEMORY };

/* One transaction may remove a key by a change of key and write it, at one position: two rows that swap their keys. Of the two, records[i] and the next one, what
 * came first goes. If the removed image shows neither of the rows alone, both stay: a conflict. They alone stand at their position. */
static enum gone settle_pair(const struct sw_steps *steps, struct sw_fold_worker *worker, size_t i)
{
    const struct sw_record *const *records = steps->records;
    size_t removal = records[i]->role == SW_RECORD_ROLE_FOLLOWING ? i : i + 1, write = removal == i ? i + 1 : i;
    if (records[removal]->role != SW_RECORD_ROLE_FOLLOWING || is_deleted(records[write]))
        return NONE_GONE;
    struct sw_bytes removes = sw_claim_step(records[removal]), writes = sw_claim_step(records[write]);
    if (removes.len && writes.len && !sw_bytes_equal(removes, writes)) /* two transactions at one position are no step: a conflict */
        return NONE_GONE;
    bool earlier = i && !is_deleted(records[i - 1]);
    const struct sw_claim_evidence evidence = {.records = records, .count = i + 2, .versions_from = steps->versions_from};
    enum sw_claim_match was = earlier ? sw_claim_match(worker, &evidence, i - 1, removal) : SW_CLAIM_MATCH_DIFFERS, is = sw_claim_match(worker, &evidence, write, removal);
    if (was == SW_CLAIM_MATCH_NO_MEMORY || is == SW_CLAIM_MATCH_NO_MEMORY)
        return GONE_NO_MEMORY;
    bool was_earlier = was == SW_CLAIM_MATCH_SAME && is != SW_CLAIM_MATCH_SAME, was_written = is == SW_CLAIM_MATCH_SAME && was != SW_CLAIM_MATCH_SAME;
    if (was_earlier == was_written)
        return NONE_GONE;
    return (was_earlier ? removal : write) == i ? FIRST_GONE : SECOND_GONE;
}

/* The writes of the removal's transaction that stand right before it: where they begin. They are all ordered, and one of them puts a row there. */
static bool find_writes(size_t *from, const struct sw_steps *steps, const struct sw_order *order, size_t removal)
{
    const struct sw_record *const *records = steps->records, *last = records[removal];
    bool puts = false;
    size_t i = removal;
    if (removal + 1 < steps->count && same_version(records[removal], records[removal + 1]))
        return false;
    for (; i > steps->versions_from && !is_deleted(records[i - 1]) && sw_fold_one_transaction(order, records[i - 1], last); i--) {
        if (same_version(records[i - 1], records[i]) || sw_version_compare(order, records[i - 1]->version, records[i]->version) != SW_VERSION_BEFORE)
            return false;
        puts |= sw_fold_is_put(records[i - 1]);
    }
    *from = i;
    return puts;
}

enum told { IN_ORDER, REMOVED_FIRST, UNTOLD, NO_MEMORY };

static enum told tell(struct sw_fold_worker *worker, const struct sw_steps *steps, size_t from, size_t removal)
{
    const struct sw_claim_evidence evidence = {.records = steps->records, .count = steps->count, .versions_from = steps->versions_from};
    const struct sw_record *earlier = from ? steps->records[from - 1] : NULL;
    bool moves = steps->records[removal]->role == SW_RECORD_ROLE_FOLLOWING;
    bool read = earlier && sw_fold_group_of(earlier) != SW_FOLD_GROUP_BASELINE && sw_fold_group_of(earlier) != SW_FOLD_GROUP_VERSION;
    if (read) /* of an unknown time: it may have been read after all of this */
        earlier = NULL;
    if (earlier ? is_deleted(earlier) : !moves || (worker->rules->baseline_given && !read)) /* the key was free: there was nothing else to remove */
        return IN_ORDER;
    enum sw_claim_match was = earlier ? sw_claim_match(worker, &evidence, from - 1, removal) : SW_CLAIM_MATCH_UNSEEN, is = sw_claim_match(worker, &evidence, removal - 1, removal);
    if (was == SW_CLAIM_MATCH_NO_MEMORY || is == SW_CLAIM_MATCH_NO_MEMORY)
        return NO_MEMORY;
    if (is == SW_CLAIM_MATCH_DIFFERS)
        return was == SW_CLAIM_MATCH_DIFFERS ? IN_ORDER : REMOVED_FIRST; /* a row that was never in evidence is a contradiction, and told as one */
    if (was == SW_CLAIM_MATCH_DIFFERS || is == was)
        return was == SW_CLAIM_MATCH_DIFFERS ? IN_ORDER : UNTOLD;
    return is == SW_CLAIM_MATCH_SAME ? IN_ORDER : REMOVED_FIRST;
}

static bool mark_untold(struct sw_steps *steps, struct sw_fold_worker *worker, size_t from, size_t removal)
{
    if (worker->untold_capacity < steps->count) {
        uint8_t *grown = sw_realloc_array(worker->untold, steps->count * 2, 1);
        if (!grown)
            return false;
        worker->untold = grown;
        worker->untold_capacity = steps->count * 2;
    }
    if (!steps->untold)
        memset(worker->untold, 0, steps->count);
    memset(worker->untold + from, 1, removal + 1 - from);
    steps->untold = worker->untold;
    if (!sw_fold_is_aside(worker->rules, steps->records[removal])) {
        steps->state_untold = true;
        steps->untold_last = removal;
    }
    return true;
}

bool sw_steps_settle(struct sw_steps *steps, struct sw_fold_worker *worker)
{
    const struct sw_order *order = worker->rules->order;
    sw_carry_forget(&worker->carry);
    for (size_t i = steps->versions_from + 1; i < steps->count; i++) {
        const struct sw_record *removal = steps->records[i];
        size_t from;
        if (!is_deleted(removal) || !find_writes(&from, steps, order, i))
            continue;
        switch (tell(worker, steps, from, i)) {
        case IN_ORDER: break;
        case NO_MEMORY: return false;
        case REMOVED_FIRST:
            memmove(&steps->records[from + 1], &steps->records[from], (i - from) * sizeof removal);
            steps->records[from] = removal;
            sw_carry_forget(&worker->carry);
            break;
        case UNTOLD:
            if (!mark_untold(steps, worker, from, i))
                return false;
            break;
        }
    }
    return true;
}

bool sw_steps_settle_pairs(struct sw_steps *steps, struct sw_fold_worker *worker)
{
    const struct sw_record **records = steps->records;
    size_t kept = steps->versions_from, count = steps->count;
    sw_carry_forget(&worker->carry);
    for (size_t i = kept; i < count; i++) { /* what is kept moves together as it goes: records[kept] is the one that is looked at */
        enum gone gone = NONE_GONE;
        records[kept] = records[i];
        if (i + 1 < count && same_version(records[i], records[i + 1]) && !(i + 2 < count && same_version(records[i + 1], records[i + 2])) &&
            !(kept > steps->versions_from && same_version(records[kept], records[kept - 1]))) {
            records[kept + 1] = records[i + 1];
            gone = settle_pair(steps, worker, kept);
        }
        if (gone == GONE_NO_MEMORY)
            return false;
        if (gone != NONE_GONE) {
            steps->superseded += !(records[gone == FIRST_GONE ? kept : kept + 1]->flags & SW_RECORD_DELETED);
            if (gone == FIRST_GONE)
                records[kept] = records[kept + 1];
            i++;
        }
        kept++;
    }
    steps->count = kept;
    return true;
}

bool sw_step_is_told(const struct sw_fold_rules *rules, const struct sw_record *const *past, size_t count, const struct sw_record *move)
{
    size_t from = count;
    bool puts = false;
    for (; from && sw_fold_one_transaction(rules->order, past[from - 1], move) && !is_deleted(past[from - 1]); from--)
        puts |= sw_fold_is_put(past[from - 1]);
    return !puts || (from ? is_deleted(past[from - 1]) : rules->baseline_given);
}
