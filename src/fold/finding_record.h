/* Findings as bytes in a sorted run, and back. */
#ifndef SW_FOLD_FINDING_RECORD_H
#define SW_FOLD_FINDING_RECORD_H

#include "fold/fold.h"
#include "fold/runs.h"

/* The sort key of an item about a key: table name, then key. */
void sw_finding_sort_key(struct sw_buffer *out, const struct sw_schema *schema, uint32_t table, struct sw_bytes key);
/* Appends the content of an item. */
void sw_finding_record_write(struct sw_buffer *out, const struct sw_draft *draft);

/* The state of a key is an item, too: its content is short, since its key stands in its sort key. */
struct sw_state_item {
    const struct sw_table *table;
    struct sw_bytes key;
    struct sw_image state;
};
void sw_finding_state_write(struct sw_buffer *content, uint32_t table, const struct sw_draft_image *state);
/* Views point into `sort_key` and `content`. */
void sw_finding_state_read(struct sw_state_item *out, struct sw_bytes sort_key, struct sw_bytes content, const struct sw_fold_rules *rules);

/* Room that reading needs: zero-initialise, reuse, free. */
struct sw_finding_room {
    const struct sw_column **columns;
    size_t column_capacity;
    struct sw_place places[SW_FINDING_PLACES_MAX];
    struct sw_buffer identity;
};
void sw_finding_room_free(struct sw_finding_room *room);

/* Turns a place of the engine into one for people. */
typedef struct sw_place (*sw_place_fn)(uint32_t input, uint64_t block, uint64_t line, const void *ctx);

/* Reads an item back; views point into `content` and `room`. False if memory ran out. */
bool sw_finding_record_read(struct sw_finding *out, struct sw_bytes content, const struct sw_fold_rules *rules, struct sw_finding_room *room, sw_place_fn place,
                            const void *place_ctx);

#endif
