/* Which events of a run stand around the gaps that its evidence of continuity names: the nearest on either side, and the tables that have events on both. */
#ifndef SW_RECONCILE_AROUND_H
#define SW_RECONCILE_AROUND_H

#include "format/encode.h"
#include "order/spaces.h"
#include "report/continuity_evidence.h"

#define SW_AROUND_GAPS 16u /* every event is held against each: the first ones alone */
#define SW_AROUND_KEY_MAX 512u

struct sw_around_event {
    uint8_t version[SW_VERSION_BYTES_MAX], key[SW_AROUND_KEY_MAX];
    uint16_t version_len, key_len;
    uint32_t table, space, input;
    uint64_t block, line;
};

/* One gap as the order reads it, and what one thread, or all, saw of it. */
struct sw_around_side {
    struct sw_around_event near[SW_NEAR_EVENTS]; /* the nearest first */
    uint32_t near_count;
    uint64_t events;
};
struct sw_around_gap {
    struct sw_evidence_gap *of;
    char said[320];            /* the space as records would say it; "": any */
    uint8_t from[SW_VERSION_BYTES_MAX], to[SW_VERSION_BYTES_MAX];
    uint16_t from_len, to_len; /* to_len 0: not known */
};
struct sw_around_seen {
    struct sw_around_side before, after;
    uint64_t inside;
    uint8_t *tables; uint32_t table_count; /* by id: bit 0 has events before, bit 1 after */
};
struct sw_around_part {
    const struct sw_around *around;
    struct sw_around_seen seen[SW_AROUND_GAPS];
    uint32_t *masks; uint32_t mask_count;  /* by space id: bit g set if gap g is of it; bit 31: known */
};

struct sw_around {
    const struct sw_order *order;
    struct sw_spaces *spaces;
    struct sw_around_gap gaps[SW_AROUND_GAPS];
    uint32_t gap_count;
    struct sw_around_part all;
};

/* Reads the gaps of a run's evidence under its order; those that it does not read stay unplaced. `spaces` is borrowed. */
void sw_around_open(struct sw_around *around, struct sw_continuity_evidence *evidence, uint32_t count, const struct sw_order *order, struct sw_spaces *spaces);
void sw_around_free(struct sw_around *around);
/* A thread's share, and one event of it. False if memory ran out. */
struct sw_around_part *sw_around_part_new(const struct sw_around *around);
bool sw_around_note(struct sw_around_part *part, const struct sw_record *record, const struct sw_record_place *place);
void sw_around_part_free(struct sw_around_part **part);
/* Adds a share to the whole; one thread at a time. False if memory ran out. */
bool sw_around_unite(struct sw_around *around, const struct sw_around_part *part);

#endif
