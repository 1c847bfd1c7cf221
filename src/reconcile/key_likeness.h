/* What the keys that one side alone has have in common with those that the other side alone has: they would be the same under another type. For a remark, never for a result. */
#ifndef SW_RECONCILE_KEY_LIKENESS_H
#define SW_RECONCILE_KEY_LIKENESS_H

#include "fold/fold.h"

struct sw_run;
struct sw_likeness_room;

#define SW_KEY_LIKENESS_COLUMNS 4u /* key columns that are tried */
#define SW_KEY_LIKENESS_TYPES 12u
#define SW_KEY_LIKENESS_SAMPLE 64u

/* The keys of the lowest hashes, in the order of those: what is kept depends on the set of the keys alone, not on threads, partitions or order. */
struct sw_key_sample { uint64_t hashes[SW_KEY_LIKENESS_SAMPLE]; uint32_t count; };

/* One key column read under one type, the others as they are; [0] the evidence's keys, [1] the reference's. */
struct sw_key_reading { struct sw_key_sample samples[2]; bool refuted; };

struct sw_key_readings { struct sw_key_reading of[SW_KEY_LIKENESS_COLUMNS][SW_KEY_LIKENESS_TYPES]; };

/* Of one thread, then of the run; zero-initialised. Of runs of one table. */
struct sw_key_likeness {
    uint8_t seen[2][SW_KEY_LIKENESS_COLUMNS]; /* what columns without a type hold: bits 1 number, 2 text, 4 anything else */
    uint64_t keys[2];
    struct sw_key_readings *readings;         /* made with the first key */
    struct sw_type types[SW_KEY_LIKENESS_TYPES];
    bool failed;                              /* memory ran out */
};
void sw_key_likeness_free(struct sw_key_likeness *likeness);

/* Looks at the key of a row that one side alone has. Keys of more than 4 KiB have nothing in common with anything. `room` is the thread's. */
void sw_key_likeness_look(struct sw_key_likeness *likeness, struct sw_likeness_room *room, const struct sw_schema *schema, const struct sw_draft *draft);
void sw_key_likeness_add(struct sw_key_likeness *to, const struct sw_key_likeness *from);
/* The remarks, into report.notes. False if memory ran out. */
bool sw_key_likeness_note(struct sw_run *run);

#endif
