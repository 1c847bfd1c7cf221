/* The usual form of a template: what a stream repeats besides names. The source block of a change event, its schema, a null: values that were the same in
 * a row of records are taken for bytes between values. So are numbers and texts that changed and kept their length (a time, an LSN, a counter): of each byte is known which
 * ones may stand there, and a record is held against all of these bounds in one go. Bytes that are equal to bytes that were checked need no second check, and the bounds of the
 * others are the grammar itself: what lies within them is a valid value of the same length. A record that has another value there does not match, and is read by the
 * template itself. */
#ifndef SW_TEXT_JSON_USUAL_H
#define SW_TEXT_JSON_USUAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/token.h"

struct sw_json_step;
struct sw_json_template;

/* The token of a value that stays where it is, but for its place: it begins so many bytes behind the begin of the run that it stands in. */
struct sw_json_place {
    uintptr_t offset;
    uint32_t len;
    uint8_t kind;
    bool escaped;
};

#if defined(__x86_64__)
_Static_assert(sizeof(struct sw_json_place) == sizeof(struct sw_token) && offsetof(struct sw_json_place, len) == offsetof(struct sw_token, len) &&
                   offsetof(struct sw_json_place, kind) == offsetof(struct sw_token, kind) && offsetof(struct sw_json_place, escaped) == offsetof(struct sw_token, escaped),
               "a place is a token whose address is still to be added");
#endif

/* Kernels write several places at a time: so many tokens more may be read and written than there are. */
#define SW_JSON_PLACES_MORE 4

#define SW_JSON_PLAIN_LOW ' '   /* a byte of a plain text: this or above, and no '"' and no '\\' */

#define SW_JSON_NEAR 32

/* Bytes that are known, and the value behind them. Most runs are short: what they are held against stands at hand. */
struct sw_json_run {
    uint8_t near_low[SW_JSON_NEAR], near_range[SW_JSON_NEAR]; /* of the first bytes: the same as in `low` and `range` */
    const uint8_t *low, *range; /* each byte is at least low, and at most range above it; both are followed by 64 bytes that allow anything */
    const struct sw_json_place *places; /* of the nodes between the value before it and the one behind it. Objects among them have no token, and get one of no length */
    const struct sw_json_step *step; /* of the template: whose value follows */
    size_t len;
    uint32_t place_count;
    bool last;                  /* no value follows: the record ends */
    bool near;                  /* not longer than SW_JSON_NEAR, and not `plain` */
    bool plain;                 /* where low is SW_JSON_PLAIN_LOW, neither '"' nor '\\' may stand */
};

struct sw_json_usual {
    uint64_t serial;            /* of all usual forms of its template: what was found out under another one is out of date */
    uint32_t run_count;
    uint32_t hits, misses;      /* lately */
    uint32_t left;              /* records that may match before it is looked for anew */
    uint32_t placed;            /* values that it places */
    struct sw_json_run *runs;   /* the last one ends the record */
    struct sw_json_place *places; /* by node */
    bool *is_constant;          /* by node: its value */
};

/* What a value of a stream does, by how much it changes. */
enum sw_json_change {
    SW_JSON_SAME,
    SW_JSON_DIGITS,             /* a number or text: digits, where it has digits */
    SW_JSON_PLAIN,              /* a text: escapes, if it has any, stay */
    SW_JSON_ANY                 /* its length or kind */
};

/* What a template remembers to find its usual form. Zero-initialise. */
struct sw_json_habit {
    uint32_t until;             /* so many records more before anything is done */
    uint32_t wait, left;        /* records between two attempts; records of this one that are still to be looked at */
    uint32_t window;            /* records of one attempt */
    uint64_t serial;
    uint8_t *record;            /* the first one of the attempt, its tokens with offsets for places, and what its values do since; NULL: no attempt */
    struct sw_token *tokens;
    uint32_t *offsets;
    uint8_t *change;            /* enum sw_json_change */
    uint8_t *least;             /* the same, as earlier forms had to learn; NULL: there was none */
    uint32_t review, placed;    /* after how many records a form is looked for anew; what the one before it placed */
};

/* The template itself read the record from `record` to `end`, whose tokens are given. Call it when habit.until is 0, or the usual form did not match. */
void sw_json_usual_learn(struct sw_json_template *template, const struct sw_token *tokens, const uint8_t *record, const uint8_t *end);
/* The usual form has matched so many records that another one is looked for: a counter that got one more digit may keep its length for long now. */
void sw_json_usual_review(struct sw_json_template *template);
void sw_json_usual_free(struct sw_json_template *template);

/* Do all records that match the usual form have the same value at a node (of an object: in all of it)? */
bool sw_json_usual_holds(const struct sw_json_template *template, uint32_t node);

#endif
