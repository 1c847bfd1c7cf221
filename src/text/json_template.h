/* Templates: the exact bytes between the values of a record, learned from one record and tried on the next.
 *
 * Records of a stream mostly repeat the same names in the same order with the same spaces. A template is the list
 * of those in-between bytes; a record that matches it is split into tokens without looking at a single name.
 * What matches was checked when the template was made: names, nesting, duplicate names. Values are checked every time. */
#ifndef SW_TEXT_JSON_TEMPLATE_H
#define SW_TEXT_JSON_TEMPLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "text/json_usual.h"
#include "text/token.h"

#define SW_JSON_NO_NODE UINT32_MAX

/* A member of the record, or the record itself (node 0). Members of one object are linked in the order in which they stand. */
struct sw_json_node {
    uint32_t name_at, name_len; /* in `names`; unescaped */
    uint32_t parent, first_child, next;
    bool object;                /* its members are nodes too; false: its value is a token of its own */
    uint32_t open_step, open_offset, close_step, close_offset; /* objects: in which literals its braces stand, and where */
};

struct sw_json_step {
    uint64_t literal[2], mask[2]; /* the first 16 bytes of the literal, masked */
    uint32_t tail_at, tail_len; /* what is longer than 16 bytes, in `literals` */
    uint32_t literal_len;
    uint32_t node;              /* whose value follows; SW_JSON_NO_NODE after the last literal */
    bool may_hold_object;       /* a value at the depth limit: objects are tokens there */
    uint16_t depth;             /* levels that are open where the value stands */
    uint32_t repeat_at, repeat_len; /* in `repeated`: the array or object that stood here first; 0: none, or too long */
};

struct sw_json_template {
    struct sw_json_node *nodes;
    uint32_t node_count;
    struct sw_json_step *steps;
    uint32_t step_count;
    struct sw_buffer literals, names;
    struct sw_buffer repeated;  /* nested values: what comes again byte for byte (a schema block) needs no second check */
    struct sw_json_usual *usual; /* NULL: none is known */
    struct sw_json_habit habit;
    void *binding;              /* of the consumer */
};

static inline struct sw_bytes sw_json_node_name(const struct sw_json_template *template, uint32_t node)
{
    const struct sw_json_node *named = &template->nodes[node];
    return named->name_len ? sw_bytes_of(template->names.at + named->name_at, named->name_len) : (struct sw_bytes){0}; /* there may be no names at all */
}

/* The token of any node of the record that was read last: of an object node, its raw text with braces. `record` is the record's first byte. */
struct sw_token sw_json_node_token(const struct sw_json_template *template, const struct sw_token *tokens, const uint8_t *record, uint32_t node);

#endif
