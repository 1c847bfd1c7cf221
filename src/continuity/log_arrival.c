/* What the order of arrival shows: where positions go back, and where they are of another space than before. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "continuity/log_scan.h"

struct sw_log_stretch *sw_log_stretch_new(void)
{
    struct sw_log_stretch *stretch = sw_calloc(1, sizeof *stretch);
    if (stretch)
        stretch->first_space = stretch->last_space = UINT32_MAX;
    return stretch;
}

void sw_log_stretch_free(struct sw_log_stretch **stretch)
{
    if (*stretch)
        sw_free((*stretch)->spaces);
    sw_free(*stretch);
    *stretch = NULL;
}

bool sw_log_place_before(const struct sw_log_edge *a, const struct sw_log_edge *b)
{
    if (a->input != b->input)
        return a->input < b->input;
    return a->block != b->block ? a->block < b->block : a->line < b->line;
}

/* Copies what is used of it. */
static void copy_edge(struct sw_log_edge *to, const struct sw_log_edge *from)
{
    memcpy(to->version, from->version, from->len);
    memcpy(&to->len, &from->len, sizeof *to - offsetof(struct sw_log_edge, len));
}

/* The place of a space among those of a stretch, or where it belongs. */
static uint32_t find_space(const struct sw_log_stretch *stretch, uint32_t space)
{
    uint32_t low = 0, high = stretch->space_count;
    if (high && stretch->spaces[high - 1].space < space)
        return high;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (stretch->spaces[middle].space < space)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool insert_space(struct sw_log_stretch *stretch, uint32_t at, const struct sw_log_seen *seen)
{
    if (stretch->space_count == stretch->space_capacity) {
        uint32_t capacity = stretch->space_capacity * 2 + 4;
        struct sw_log_seen *grown = sw_realloc_array(stretch->spaces, capacity, sizeof *grown);
        if (!grown)
            return false;
        stretch->spaces = grown;
        stretch->space_capacity = capacity;
    }
    memmove(&stretch->spaces[at + 1], &stretch->spaces[at], (stretch->space_count - at) * sizeof *stretch->spaces);
    stretch->spaces[at] = *seen;
    stretch->space_count++;
    return true;
}

static bool goes_back(const struct sw_order *order, const struct sw_log_edge *from, const struct sw_log_edge *to)
{
    return sw_version_compare(order, sw_log_version(to), sw_log_version(from)) == SW_VERSION_BEFORE;
}

static bool step_before(const struct sw_log_step *a, const struct sw_log_step *b)
{
    return a->later != b->later ? a->later : sw_log_place_before(&a->to, &b->to);
}

/* Keeps the first ones: those whose time is later, then by place. */
static void list_step(struct sw_log_stretch *stretch, const struct sw_log_step *step)
{
    uint32_t at = stretch->steps_listed;
    if (at == SW_LOG_LISTED && !step_before(step, &stretch->steps[at - 1]))
        return;
    at -= at == SW_LOG_LISTED;
    while (at > 0 && step_before(step, &stretch->steps[at - 1])) {
        stretch->steps[at] = stretch->steps[at - 1];
        at--;
    }
    stretch->steps[at] = *step;
    stretch->steps_listed += stretch->steps_listed < SW_LOG_LISTED;
}

static void note_step(struct sw_log_stretch *stretch, uint32_t space, const struct sw_log_edge *from, const struct sw_log_edge *to)
{
    bool timed = from->timed && to->timed && from->time.kind == to->time.kind;
    struct sw_log_step step = {.space = space, .later = timed && sw_log_time_before(&from->time, &to->time)};
    stretch->step_count++;
    stretch->later_count += step.later;
    stretch->untimed_count += !timed;
    copy_edge(&step.from, from);
    copy_edge(&step.to, to);
    list_step(stretch, &step);
}

static void list_change(struct sw_log_stretch *stretch, const struct sw_log_change *change)
{
    if (stretch->changes_listed < SW_LOG_LISTED)
        stretch->changes[stretch->changes_listed++] = *change;
}

bool sw_log_stretch_add(struct sw_log_stretch *stretch, uint32_t space, const struct sw_log_edge *edge, const struct sw_order *order)
{
    if (stretch->last_space != space) {
        if (stretch->last_space != UINT32_MAX) {
            stretch->change_count++;
            list_change(stretch, &(struct sw_log_change){stretch->last_space, space, edge->input, edge->block, edge->line});
        } else {
            stretch->first_space = space;
        }
        stretch->last_space = space;
    }
    uint32_t at = find_space(stretch, space);
    if (at == stretch->space_count || stretch->spaces[at].space != space) {
        struct sw_log_seen seen = {.space = space};
        copy_edge(&seen.first, edge);
        copy_edge(&seen.last, edge);
        return insert_space(stretch, at, &seen);
    }
    struct sw_log_seen *seen = &stretch->spaces[at];
    if (goes_back(order, &seen->last, edge))
        note_step(stretch, space, &seen->last, edge);
    copy_edge(&seen->last, edge);
    return true;
}

/* `right` follows `left` in the same input. */
static bool join(struct sw_log_stretch *left, const struct sw_log_stretch *right, const struct sw_order *order)
{
    bool done = true;
    left->end = right->end;
    if (right->first_space == UINT32_MAX)
        return true;
    if (left->last_space != UINT32_MAX && left->last_space != right->first_space) {
        const struct sw_log_edge *first = &right->spaces[find_space(right, right->first_space)].first;
        left->change_count++;
        list_change(left, &(struct sw_log_change){left->last_space, right->first_space, first->input, first->block, first->line});
    }
    if (left->first_space == UINT32_MAX)
        left->first_space = right->first_space;
    left->last_space = right->last_space;
    for (uint32_t i = 0; i < right->space_count && done; i++) {
        const struct sw_log_seen *seen = &right->spaces[i];
        uint32_t at = find_space(left, seen->space);
        if (at == left->space_count || left->spaces[at].space != seen->space) {
            done = insert_space(left, at, seen);
            continue;
        }
        if (goes_back(order, &left->spaces[at].last, &seen->first))
            note_step(left, seen->space, &left->spaces[at].last, &seen->first);
        copy_edge(&left->spaces[at].last, &seen->last);
    }
    left->step_count += right->step_count;
    left->later_count += right->later_count;
    left->untimed_count += right->untimed_count;
    left->change_count += right->change_count;
    for (uint32_t i = 0; i < right->steps_listed; i++)
        list_step(left, &right->steps[i]);
    for (uint32_t i = 0; i < right->changes_listed; i++)
        list_change(left, &right->changes[i]);
    return done;
}

static bool touches(const struct sw_log_stretch *left, const struct sw_log_stretch *right) { return left->input == right->input && left->end == right->begin; }

bool sw_log_arrival_add(struct sw_log_arrival *arrival, struct sw_log_stretch **pointer, const struct sw_order *order)
{
    struct sw_log_stretch *stretch = *pointer;
    size_t at = arrival->count;
    while (at > 0 && (arrival->stretches[at - 1]->input > stretch->input ||
                      (arrival->stretches[at - 1]->input == stretch->input && arrival->stretches[at - 1]->begin > stretch->begin)))
        at--;
    struct sw_log_stretch *left = at > 0 && touches(arrival->stretches[at - 1], stretch) ? arrival->stretches[at - 1] : NULL;
    struct sw_log_stretch *right = at < arrival->count && touches(stretch, arrival->stretches[at]) ? arrival->stretches[at] : NULL;
    if (left) {
        if (!join(left, stretch, order) || (right && !join(left, right, order)))
            return false;
        if (right) {
            sw_log_stretch_free(&arrival->stretches[at]);
            memmove(&arrival->stretches[at], &arrival->stretches[at + 1], (--arrival->count - at) * sizeof(void *));
        }
        return true; /* the caller keeps the empty shell */
    }
    if (arrival->count == arrival->capacity) {
        size_t capacity = arrival->capacity * 2 + 8;
        struct sw_log_stretch **grown = sw_realloc_array(arrival->stretches, capacity, sizeof *grown);
        if (!grown)
            return false;
        arrival->stretches = grown;
        arrival->capacity = capacity;
    }
    if (right) {
        if (!join(stretch, right, order))
            return false;
        sw_log_stretch_free(&arrival->stretches[at]);
    } else {
        memmove(&arrival->stretches[at + 1], &arrival->stretches[at], (arrival->count - at) * sizeof(void *));
        arrival->count++;
    }
    arrival->stretches[at] = stretch;
    *pointer = NULL;
    return true;
}

void sw_log_arrival_total(struct sw_log_stretch *out, const struct sw_log_arrival *arrival)
{
    for (size_t i = 0; i < arrival->count; i++) {
        const struct sw_log_stretch *from = arrival->stretches[i];
        out->step_count += from->step_count;
        out->later_count += from->later_count;
        out->untimed_count += from->untimed_count;
        out->change_count += from->change_count;
        for (uint32_t s = 0; s < from->steps_listed; s++)
            list_step(out, &from->steps[s]);
        for (uint32_t c = 0; c < from->changes_listed; c++)
            list_change(out, &from->changes[c]);
    }
}

void sw_log_arrival_free(struct sw_log_arrival *arrival)
{
    for (size_t i = 0; i < arrival->count; i++)
        sw_log_stretch_free(&arrival->stretches[i]);
    sw_free(arrival->stretches);
    arrival->stretches = NULL;
    arrival->count = arrival->capacity = 0;
}
