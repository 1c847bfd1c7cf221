/* Ordering policies: the declared rule by which versions of one key compare.
 *
 * A policy turns the order fields of a record into a *space* (the scope inside which positions compare) and
 * order-preserving bytes; the engine knows nothing else. Inside one space, versions compare by memcmp over
 * their bytes; where one is a proper prefix of the other, the policy leaves them unordered. */
#ifndef SW_ORDER_ORDER_H
#define SW_ORDER_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "text/token.h"

#define SW_VERSION_BYTES_MAX 160
#define SW_SPACE_BYTES_MAX 256
#define SW_ORDER_FIELD_COUNT_MAX 8

struct sw_order_field {
    const char *name;      /* as a mapping names it */
    const char *help;
    bool required;         /* a record without it has no position */
};

enum sw_order_status {
    SW_ORDER_OK,
    SW_ORDER_NO_POSITION,  /* a required field is absent or null: the record cannot be ordered */
    SW_ORDER_INVALID,      /* a field is there and is not what it must be: a bad record; `problem` says why */
};

/* What a policy makes of a record. `space` holds the parts of the space that the record itself carries; may be empty. */
struct sw_order_key {
    uint8_t version[SW_VERSION_BYTES_MAX];
    uint8_t space[SW_SPACE_BYTES_MAX];
    uint16_t version_len, space_len;
    char problem[256];
};

struct sw_order {
    const char *name;
    const char *summary;       /* one line */
    const char *rule;          /* the whole rule */
    const char *tie;           /* what equal positions with different contents mean */
    const char *source;        /* vendor page, manual or paper; "ours" where it is our own */
    const char *not_promised;  /* what it does not promise */
    const struct sw_order_field *fields;
    size_t field_count;
    bool weak;                 /* a tie is `unordered`, not a conflict */
    bool arrival;              /* the position is the place in the input; no fields */

    /* Encodes a record's fields ([field_count], SW_TOKEN_ABSENT where missing). Thread-safe, no allocation. */
    enum sw_order_status (*encode)(struct sw_order_key *out, const struct sw_token *fields);
    /* Reads a position as a person writes it for --cut or --baseline-position. SW_ORDER_INVALID with `problem` otherwise. */
    enum sw_order_status (*parse)(struct sw_order_key *out, struct sw_bytes text);
    /* Appends the version as a person reads it. */
    void (*print)(struct sw_buffer *out, struct sw_bytes version);
};

extern const struct sw_order sw_order_integer, sw_order_file;

/* All policies, NULL-terminated, in the order they are listed. */
const struct sw_order *const *sw_orders(void);
/* By name, or NULL. */
const struct sw_order *sw_order_find(const char *name);

enum sw_version_order { SW_VERSION_BEFORE, SW_VERSION_EQUAL, SW_VERSION_AFTER, SW_VERSION_UNORDERED };
/* Compares two versions of one space by the rule above. */
enum sw_version_order sw_version_compare(struct sw_bytes a, struct sw_bytes b);

#endif
