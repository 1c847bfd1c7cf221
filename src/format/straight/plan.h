/* What the straight way knows of a binding before it sees a record. For plan.c, which finds it out, and straight.c, which follows it. */
#ifndef SW_FORMAT_STRAIGHT_PLAN_H
#define SW_FORMAT_STRAIGHT_PLAN_H

#include "format/straight/straight.h"

#define SW_STRAIGHT_OPERATIONS_MAX 8
#define SW_STRAIGHT_OPERATION_BYTES_MAX 8
#define SW_STRAIGHT_CLAIM_BITS ((uint32_t)SW_RECORD_CLAIM_MORE << SW_RECORD_CLAIM_SHIFT)

/* How the usual values of a column become canonical bytes. All others, and all of SW_STRAIGHT_OTHER, go through sw_value_encode. */
enum sw_straight_way {
    SW_STRAIGHT_ANY,        /* `any`: plain text, integers, booleans */
    SW_STRAIGHT_TEXT,       /* `text` without a policy */
    SW_STRAIGHT_INTEGER,    /* `integer` */
    SW_STRAIGHT_DECIMAL,
    SW_STRAIGHT_FIXED,      /* integers of so many bits */
    SW_STRAIGHT_BOOLEAN,
    SW_STRAIGHT_OTHER
};

struct sw_straight_column {
    uint64_t unavailable;   /* bit min(length, 63): texts that long may stand for an unavailable value */
    uint64_t unavailable_first; /* bit of the low six bits: bytes that such a text may begin with, all if it may be empty */
    uint32_t node;
    uint8_t way;            /* enum sw_straight_way */
    uint8_t bits;           /* of SW_STRAIGHT_FIXED */
    bool is_signed;
    bool nested_unavailable; /* arrays and objects may, too */
};

/* One image: `columns` stand side by side with those of the binding. */
struct sw_straight_image {
    const struct sw_bound_image *bound; /* NULL: the binding has no such image */
    const struct sw_straight_column *columns;
    const struct sw_straight_column *keys;  /* NULL: sw_encode__key does it */
    bool has_key, nulls_unknown;
};

struct sw_straight_operation {
    uint64_t word;          /* its text, and zeros */
    uint32_t len;
    uint32_t flags;         /* of records that say it */
};

struct sw_straight {
    uint32_t flags;                         /* of every record */
    uint32_t plain_flags;                   /* of a record that says no operation */
    uint32_t operation_node, deleted_node;  /* SW_JSON_NO_NODE: none */
    struct sw_straight_operation operations[SW_STRAIGHT_OPERATIONS_MAX];
    uint32_t operation_count;
    struct sw_straight_image after, before;
    const struct sw_straight_image *claimed[2]; /* of a write, of a removal: the image that is claimed to have been replaced. NULL: none */
    bool claimed_nulls_unknown;
    bool nul_free;                          /* what stands unescaped in a text is no NUL: JSON */
    bool identity_in_key;
    uint32_t identity_count;
    uint32_t version_node;                  /* versions are integers that stand there; else the order is asked */
    struct sw_straight_column columns[];    /* of both images and their keys */
};

#endif
