#include "position/number_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define PENDING_MIN 1024u

void sw_number_list_free(struct sw_number_list *list)
{
    sw_free(list->at);
    *list = (struct sw_number_list){0};
}

void sw_number_set_free(struct sw_number_set *set)
{
    sw_number_list_free(&set->all);
    sw_number_list_free(&set->repeated);
    sw_number_list_free(&set->pending);
    *set = (struct sw_number_set){0};
}

static bool push(struct sw_number_list *list, struct sw_number_interval interval)
{
    if (list->count == list->capacity) {
        size_t capacity = list->capacity * 2 + 16;
        struct sw_number_interval *grown = sw_realloc_array(list->at, capacity, sizeof *grown);
        if (!grown)
            return false;
        list->at = grown;
        list->capacity = capacity;
    }
    list->at[list->count++] = interval;
    return true;
}

bool sw_number_list_append(struct sw_number_list *list, uint64_t first, uint64_t last)
{
    struct sw_number_interval *previous = list->count ? &list->at[list->count - 1] : NULL;
    if (!previous || (first > previous->last && first - 1 != previous->last))
        return push(list, (struct sw_number_interval){first, last});
    if (last > previous->last)
        previous->last = last;
    return true;
}

static int by_first(const void *a, const void *b)
{
    const struct sw_number_interval *left = a, *right = b;
    return (left->first > right->first) - (left->first < right->first);
}

/* The union of two lists that are sorted by their first numbers; intervals of one list may overlap. What is covered twice goes to
 * `twice`, if that is not NULL. */
static bool sweep(struct sw_number_list *out, struct sw_number_list *twice, const struct sw_number_list *a, const struct sw_number_list *b)
{
    bool done = true;
    for (size_t i = 0, j = 0; done && (i < a->count || j < b->count);) {
        bool left = j == b->count || (i < a->count && a->at[i].first <= b->at[j].first);
        struct sw_number_interval next = left ? a->at[i++] : b->at[j++];
        const struct sw_number_interval *previous = out->count ? &out->at[out->count - 1] : NULL;
        if (twice && previous && next.first <= previous->last)
            done = sw_number_list_append(twice, next.first, next.last < previous->last ? next.last : previous->last);
        done = done && sw_number_list_append(out, next.first, next.last);
    }
    return done;
}

static bool replace(struct sw_number_list *list, struct sw_number_list *by)
{
    sw_number_list_free(list);
    *list = *by;
    return true;
}

static bool add_repeated(struct sw_number_set *set, const struct sw_number_list *more)
{
    struct sw_number_list all = {0};
    if (!more->count)
        return true;
    if (sweep(&all, NULL, &set->repeated, more))
        return replace(&set->repeated, &all);
    sw_number_list_free(&all);
    return false;
}

/* Takes what is pending into `all`. */
static bool take_pending(struct sw_number_set *set)
{
    struct sw_number_list all = {0}, twice = {0};
    if (!set->pending.count)
        return true;
    qsort(set->pending.at, set->pending.count, sizeof *set->pending.at, by_first);
    bool done = sweep(&all, set->repeats ? &twice : NULL, &set->all, &set->pending) && add_repeated(set, &twice);
    if (done) {
        replace(&set->all, &all);
        set->pending.count = 0;
    } else {
        sw_number_list_free(&all);
    }
    sw_number_list_free(&twice);
    return done;
}

static bool push_run(struct sw_number_set *set)
{
    if (!set->running)
        return true;
    set->running = false;
    if (!push(&set->pending, set->run))
        return false;
    /* as many as there are already: each number is moved a logarithm of times */
    return set->pending.count < PENDING_MIN || set->pending.count < set->all.count || take_pending(set);
}

void sw_number_set_break(struct sw_number_set *set, uint64_t number)
{
    set->failed |= !push_run(set);
    set->run = (struct sw_number_interval){number, number};
    set->running = true;
}

bool sw_number_set_settle(struct sw_number_set *set)
{
    set->failed |= !push_run(set) || !take_pending(set);
    return !set->failed;
}

bool sw_number_set_unite(struct sw_number_set *set, const struct sw_number_set *more)
{
    set->failed |= more->failed || !sw_number_set_settle(set) || !add_repeated(set, &more->repeated);
    for (size_t i = 0; i < more->all.count && !set->failed; i++)
        set->failed = !push(&set->pending, more->all.at[i]);
    return sw_number_set_settle(set);
}

bool sw_number_list_subtract(struct sw_number_list *out, const struct sw_number_list *a, const struct sw_number_list *b)
{
    size_t j = 0;
    for (size_t i = 0; i < a->count; i++) {
        uint64_t from = a->at[i].first, last = a->at[i].last;
        bool left = true;
        while (j < b->count && b->at[j].last < from)
            j++;
        for (size_t k = j; k < b->count && b->at[k].first <= last && left; k++) {
            if (b->at[k].first > from && !push(out, (struct sw_number_interval){from, b->at[k].first - 1}))
                return false;
            left = b->at[k].last < last;
            from = left ? b->at[k].last + 1 : from;
        }
        if (left && !push(out, (struct sw_number_interval){from, last}))
            return false;
    }
    return true;
}

bool sw_number_list_intersect(struct sw_number_list *out, const struct sw_number_list *a, const struct sw_number_list *b)
{
    for (size_t i = 0, j = 0; i < a->count && j < b->count;) {
        uint64_t first = a->at[i].first > b->at[j].first ? a->at[i].first : b->at[j].first;
        uint64_t last = a->at[i].last < b->at[j].last ? a->at[i].last : b->at[j].last;
        if (first <= last && !push(out, (struct sw_number_interval){first, last}))
            return false;
        if (a->at[i].last < b->at[j].last)
            i++;
        else
            j++;
    }
    return true;
}

uint64_t sw_number_list_count(const struct sw_number_list *list)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < list->count; i++)
        if (__builtin_add_overflow(sum, list->at[i].last - list->at[i].first, &sum) || __builtin_add_overflow(sum, 1u, &sum))
            return UINT64_MAX;
    return sum;
}
