/* The usual form of a template: what a stream repeats besides names. The source block of a change event, its schema, a null: values that were the same in
 * a row of records are taken for bytes between values, and a record is compared with all of them in one go. What is equal to bytes that were checked needs no
 * second check. A record that has another value there does not match, and is read by the template itself. */
#ifndef SW_TEXT_JSON_USUAL_H
#define SW_TEXT_JSON_USUAL_H

#include <stdbool.h>
#include <stdint.h>

#include "text/token.h"

struct sw_json_step;
struct sw_json_template;

/* A value that stays the same. */
struct sw_json_constant {
    struct sw_token token;      /* but for its place */
    uint32_t node, offset;      /* it begins so many bytes behind the begin of the run that it stands in */
};

/* Bytes that stay the same, and the value behind them. */
struct sw_json_run {
    const uint8_t *text;        /* followed by 64 readable bytes */
    const struct sw_json_constant *constants_end; /* one behind the last constant that stands in it */
    const struct sw_json_step *step; /* of the template: whose value follows */
    uint32_t len, node;         /* the step's; SW_JSON_NO_NODE: the record ends */
};

struct sw_json_usual {
    uint64_t serial;            /* of all usual forms of its template: what was found out under another one is out of date */
    uint32_t run_count;
    uint32_t hits, misses;      /* lately */
    struct sw_json_run *runs;   /* the last one ends the record */
    struct sw_json_constant *constants;
    bool *is_constant;          /* by node: its value */
};

/* What a template remembers to find its usual form. Zero-initialise. */
struct sw_json_habit {
    uint32_t until;             /* so many records more before anything is done */
    uint32_t wait, left;        /* records between two attempts; records of this one that are still to be looked at */
    uint32_t window;            /* records of one attempt */
    uint64_t serial;
    uint8_t *record;            /* the first one of the attempt, its tokens with offsets for places, and which of its values have not changed; NULL: no attempt */
    struct sw_token *tokens;
    uint32_t *offsets;
    bool *same;
};

/* The template itself read the record from `record` to `end`, whose tokens are given. Call it when habit.until is 0, or the usual form did not match. */
void sw_json_usual_learn(struct sw_json_template *template, const struct sw_token *tokens, const uint8_t *record, const uint8_t *end);
void sw_json_usual_free(struct sw_json_template *template);

/* Do all records that match the usual form have the same value at a node (of an object: in all of it)? */
bool sw_json_usual_holds(const struct sw_json_template *template, uint32_t node);

#endif
