/* Sets of unsigned numbers as intervals, made one number at a time: which numbers of a log are in evidence, and which of them came more than once.
 *
 * Numbers may come in any order and from several threads (a set each, united at the end): the result is the same. Numbers that follow each other
 * cost nothing; the rest is sorted in batches. One thread at a time for a set. */
#ifndef SW_POSITION_NUMBER_SET_H
#define SW_POSITION_NUMBER_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Closed. */
struct sw_number_interval { uint64_t first, last; };

/* Sorted, disjoint, and no two touch. Zero-initialised: empty. */
struct sw_number_list {
    struct sw_number_interval *at;
    size_t count, capacity;
};

struct sw_number_set {
    struct sw_number_list all;     /* complete only after sw_number_set_settle */
    struct sw_number_list repeated;/* what was added more than once; stays empty unless `repeats` */
    bool repeats;                  /* set by the caller before the first add: is a number that comes again of interest? */
    struct sw_number_list pending; /* private: unsorted */
    struct sw_number_interval run; /* private */
    bool running;                  /* private */
    bool failed;                   /* memory ran out: nothing that the set says holds */
};

/* Adds the run that is being made, and begins another. */
void sw_number_set_break(struct sw_number_set *set, uint64_t number);
static inline void sw_number_set_add(struct sw_number_set *set, uint64_t number)
{
    if (set->running && number - 1 == set->run.last && number)
        set->run.last = number;
    else if (!set->running || set->repeats || number < set->run.first || number > set->run.last)
        sw_number_set_break(set, number);
}
/* Once nothing more is added: `all` and `repeated` are complete. False if memory ran out. */
bool sw_number_set_settle(struct sw_number_set *set);
/* Adds all that a settled set holds, with what it says of repeats; `set` is settled afterwards. False if memory ran out. */
bool sw_number_set_unite(struct sw_number_set *set, const struct sw_number_set *more);
void sw_number_set_free(struct sw_number_set *set);

/* Appends an interval that does not begin before the last one; merges where they overlap or touch. */
bool sw_number_list_append(struct sw_number_list *list, uint64_t first, uint64_t last);
/* `out` is empty and neither of the two. All linear. False if memory ran out. */
bool sw_number_list_subtract(struct sw_number_list *out, const struct sw_number_list *a, const struct sw_number_list *b);
bool sw_number_list_intersect(struct sw_number_list *out, const struct sw_number_list *a, const struct sw_number_list *b);
/* How many numbers; UINT64_MAX if more. */
uint64_t sw_number_list_count(const struct sw_number_list *list);
void sw_number_list_free(struct sw_number_list *list);

#endif
