#include "reconcile/around.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"

#define KNOWN 0x80000000u

/* ---- gaps as the order reads them ---- */

static bool read_position(uint8_t *out, uint16_t *len, const struct sw_order *order, const char *text)
{
    struct sw_order_key key = {0};
    if (!order->parse || order->parse(&key, sw_bytes_text(text)) != SW_ORDER_OK)
        return false;
    memcpy(out, key.version, key.version_len);
    *len = key.version_len;
    return true;
}

/* position gap names streams as its own tables do: TOPIC:PARTITION, "redo thread 1". What is no part of a record's space is left out: SCNs of all threads compare. */
static void say_space(struct sw_around_gap *gap, const struct sw_order *order)
{
    const char *space = gap->of->space, *colon = strrchr(space, ':');
    gap->said[0] = '\0';
    if (order == &sw_order_kafka && colon && !strchr(space, '='))
        snprintf(gap->said, sizeof gap->said, "topic=%.*s partition=%s", (int)(colon - space), space, colon + 1);
    else if (order == &sw_order_mysql_gtid || strchr(space, '='))
        snprintf(gap->said, sizeof gap->said, "%s", space);
}

void sw_around_open(struct sw_around *around, struct sw_continuity_evidence *evidence, uint32_t count, const struct sw_order *order, struct sw_spaces *spaces)
{
    around->order = order;
    around->spaces = spaces;
    for (uint32_t i = 0; i < count && order; i++)
        for (uint32_t g = 0; g < evidence[i].gap_count && around->gap_count < SW_AROUND_GAPS; g++) {
            struct sw_around_gap *gap = &around->gaps[around->gap_count];
            *gap = (struct sw_around_gap){.of = &evidence[i].gaps[g]};
            const char *from = gap->of->from, *to = gap->of->to;
            gap->of->placed = from && read_position(gap->from, &gap->from_len, order, from) && (!to || read_position(gap->to, &gap->to_len, order, to));
            say_space(gap, order);
            around->gap_count += gap->of->placed;
        }
    around->all.around = around;
}

/* ---- where an event stands ---- */

enum side { BEFORE, INSIDE, AFTER, UNTOLD };

/* Positions of this order are sets where they are declared, and single ones here. */
static int compare(const struct sw_order *order, struct sw_bytes position, struct sw_bytes version, bool *told)
{
    *told = true;
    if (!order->parse_set && order->reach) {
        enum sw_order_reach reach = sw_order_reach(order, position, version);
        *told = reach != SW_ORDER_UNTOLD;
        return reach == SW_ORDER_WITHIN ? -1 : 1; /* the version against the position: at or below, above */
    }
    size_t len = position.len < version.len ? position.len : version.len; /* slots: what the position does not say is not looked at */
    int stands = memcmp(version.at, position.at, len);
    return stands <= 0 ? -1 : 1;
}

static bool same_head(struct sw_bytes position, struct sw_bytes version) { return version.len >= position.len && memcmp(version.at, position.at, position.len) == 0; }

static enum side side_of(const struct sw_around *around, const struct sw_around_gap *gap, struct sw_bytes version)
{
    struct sw_bytes from = sw_bytes_of(gap->from, gap->from_len), to = sw_bytes_of(gap->to, gap->to_len);
    bool told;
    int stands = compare(around->order, from, version, &told);
    if (!told)
        return UNTOLD;
    if (stands < 0)
        return gap->of->from_included && same_head(from, version) ? INSIDE : BEFORE;
    if (!to.len)
        return INSIDE;
    stands = compare(around->order, to, version, &told);
    if (!told)
        return UNTOLD;
    return stands > 0 || (!gap->of->to_included && same_head(to, version)) ? AFTER : INSIDE;
}

static uint32_t mask_of(struct sw_around_part *part, uint32_t space)
{
    const struct sw_around *around = part->around;
    if (space >= part->mask_count) {
        uint32_t count = (space + 1) * 2;
        uint32_t *grown = sw_realloc_array(part->masks, count, sizeof *grown);
        if (!grown)
            return 0;
        memset(grown + part->mask_count, 0, (count - part->mask_count) * sizeof *grown);
        part->masks = grown;
        part->mask_count = count;
    }
    if (!(part->masks[space] & KNOWN)) {
        struct sw_bytes text = sw_spaces_text(around->spaces, space);
        uint32_t mask = KNOWN;
        for (uint32_t g = 0; g < around->gap_count; g++)
            if (sw_space_says(text, sw_bytes_text(around->gaps[g].said)))
                mask |= 1u << g;
        part->masks[space] = mask;
    }
    return part->masks[space];
}

/* ---- the nearest ---- */

static int compare_events(const struct sw_around_event *a, const struct sw_around_event *b)
{
    int order = sw_bytes_compare(sw_bytes_of(a->version, a->version_len), sw_bytes_of(b->version, b->version_len));
    if (!order)
        order = a->input != b->input ? (a->input < b->input ? -1 : 1) : a->block != b->block ? (a->block < b->block ? -1 : 1) : (a->line > b->line) - (a->line < b->line);
    return order;
}

/* `sign`: 1 the lowest are the nearest, -1 the highest. */
static void keep(struct sw_around_side *side, const struct sw_around_event *event, int sign)
{
    uint32_t at = side->near_count;
    if (at == SW_NEAR_EVENTS && sign * compare_events(event, &side->near[at - 1]) >= 0)
        return;
    at -= at == SW_NEAR_EVENTS;
    while (at > 0 && sign * compare_events(event, &side->near[at - 1]) < 0) {
        side->near[at] = side->near[at - 1];
        at--;
    }
    side->near[at] = *event;
    side->near_count += side->near_count < SW_NEAR_EVENTS;
}

static bool is_nearer(const struct sw_around_side *side, struct sw_bytes version, int sign)
{
    if (side->near_count < SW_NEAR_EVENTS)
        return true;
    const struct sw_around_event *last = &side->near[SW_NEAR_EVENTS - 1];
    return sign * sw_bytes_compare(version, sw_bytes_of(last->version, last->version_len)) <= 0;
}

static bool note_table(struct sw_around_seen *seen, uint32_t table, uint8_t bit)
{
    if (table >= seen->table_count) {
        uint32_t count = (table + 1) * 2;
        uint8_t *grown = sw_realloc_array(seen->tables, count, sizeof *grown);
        if (!grown)
            return false;
        memset(grown + seen->table_count, 0, count - seen->table_count);
        seen->tables = grown;
        seen->table_count = count;
    }
    seen->tables[table] |= bit;
    return true;
}

struct sw_around_part *sw_around_part_new(const struct sw_around *around)
{
    struct sw_around_part *part = sw_calloc(1, sizeof *part);
    if (part)
        part->around = around;
    return part;
}

bool sw_around_note(struct sw_around_part *part, const struct sw_record *record, const struct sw_record_place *place)
{
    if (!(record->flags & SW_RECORD_VERSION))
        return true;
    uint32_t mask = mask_of(part, record->space);
    if (!(mask & KNOWN))
        return false;
    for (uint32_t g = 0; g < part->around->gap_count; g++) {
        if (!(mask & 1u << g))
            continue;
        struct sw_around_seen *seen = &part->seen[g];
        enum side side = side_of(part->around, &part->around->gaps[g], record->version);
        seen->inside += side == INSIDE;
        if (side != BEFORE && side != AFTER)
            continue;
        struct sw_around_side *of = side == BEFORE ? &seen->before : &seen->after;
        int sign = side == BEFORE ? -1 : 1;
        of->events++;
        if (!note_table(seen, record->table, side == BEFORE ? 1 : 2))
            return false;
        if (record->key.len > SW_AROUND_KEY_MAX || !is_nearer(of, record->version, sign))
            continue;
        struct sw_around_event event = {.version_len = (uint16_t)record->version.len, .key_len = (uint16_t)record->key.len, .table = record->table, .space = record->space,
                                        .input = place->input, .block = place->block, .line = place->line};
        memcpy(event.version, record->version.at, record->version.len);
        sw_bytes_copy(event.key, record->key);
        keep(of, &event, sign);
    }
    return true;
}

static void part_clear(struct sw_around_part *part)
{
    for (uint32_t g = 0; g < SW_AROUND_GAPS; g++)
        sw_free(part->seen[g].tables);
    sw_free(part->masks);
}

void sw_around_part_free(struct sw_around_part **part)
{
    if (*part)
        part_clear(*part);
    sw_free(*part);
    *part = NULL;
}

bool sw_around_unite(struct sw_around *around, const struct sw_around_part *part)
{
    bool done = true;
    for (uint32_t g = 0; g < around->gap_count && done; g++) {
        struct sw_around_seen *to = &around->all.seen[g];
        const struct sw_around_seen *from = &part->seen[g];
        to->inside += from->inside;
        to->before.events += from->before.events;
        to->after.events += from->after.events;
        for (uint32_t i = 0; i < from->before.near_count; i++)
            keep(&to->before, &from->before.near[i], -1);
        for (uint32_t i = 0; i < from->after.near_count; i++)
            keep(&to->after, &from->after.near[i], 1);
        for (uint32_t t = 0; t < from->table_count && done; t++)
            done = !from->tables[t] || note_table(to, t, from->tables[t]);
    }
    return done;
}

void sw_around_free(struct sw_around *around)
{
    part_clear(&around->all);
    *around = (struct sw_around){0};
}
