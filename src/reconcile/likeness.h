/* What all differences of a column, or most of them, have in common: they would be gone under another type, or lie one offset apart. For a remark, never for a result. */
#ifndef SW_RECONCILE_LIKENESS_H
#define SW_RECONCILE_LIKENESS_H

#include "fold/fold.h"
#include "format/format.h"
#include "reconcile/alteration.h"
#include "reconcile/key_likeness.h"
#include "reconcile/rounding.h"

struct sw_run;

#define SW_LIKENESS_ZONES 107 /* quarters of an hour to each side: 26 h 45 min */

/* How many differences have each of the things that most may have in common: made with the first one that has any. */
struct sw_likeness_counts {
    uint64_t zones[2 * SW_LIKENESS_ZONES + 1]; /* offsets in time that are whole quarters of an hour, from the earliest */
    uint64_t rounded[SW_ROUNDING_DIGITS], cut[SW_ROUNDING_DIGITS];
    uint64_t altered[SW_ALTERATION_COUNT];
};

/* Of one column; zero-initialised. What is known of two threads' differences does not depend on which thread saw which. */
struct sw_likeness {
    uint64_t differences;
    uint64_t refuted;              /* bits: the candidates under which some difference stays one */
    uint32_t offset_count;         /* different offsets in time; above 2 they are not kept, and have nothing in common */
    int64_t offsets[2];            /* nanoseconds, reference minus evidence, the lower first */
    struct sw_likeness_counts *counts; /* NULL: none has any of it */
    bool failed;                   /* memory ran out for them */
};

struct sw_likeness_room;
#define SW_LIKENESS_TYPES 33
/* Of one thread; zero-initialised. */
struct sw_likeness_room {
    struct sw_value_scratch scratch;
    struct sw_buffer left_text, right_text, left, right;
    struct sw_decode_room decode;
    struct sw_type types[SW_LIKENESS_TYPES];
    uint64_t types_unknown;        /* bits */
    bool types_read;
};
void sw_likeness_room_free(struct sw_likeness_room *room);

/* Reads types, at most 64. Returns bits: those that the build does not know, as one without libunistring has no fold. */
uint64_t sw_likeness_read_types(struct sw_type *types, const char *const *texts, size_t count);
/* A canonical value as JSON writes it, to be read again under another type; `out` views `room`. False: it has no text. */
bool sw_likeness_spell(struct sw_token *out, struct sw_buffer *room, const struct sw_type *column, struct sw_bytes value);

/* Looks at the differing columns of one finding; columns[id]. */
void sw_likeness_look(struct sw_likeness *columns, uint32_t column_count, struct sw_likeness_room *room, const struct sw_schema *schema, const struct sw_draft *draft);
void sw_likeness_add(struct sw_likeness *to, const struct sw_likeness *from);
void sw_likeness_free(struct sw_likeness *columns, uint32_t column_count);
/* The remarks, those of keys too, into report.notes. False if memory ran out. */
bool sw_likeness_note(struct sw_run *run);

#endif
