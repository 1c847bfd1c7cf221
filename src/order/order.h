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
#include "base/word.h"
#include "text/token.h"

#define SW_VERSION_BYTES_MAX 160
#define SW_SPACE_BYTES_MAX 256
#define SW_ORDER_USUAL_BYTES_MAX 64
#define SW_ORDER_TOKEN_PADDING 32
#define SW_ORDER_FIELD_COUNT_MAX 8

enum sw_order_need {
    SW_ORDER_OPTIONAL,
    SW_ORDER_REQUIRED,     /* a record without it has no position */
    SW_ORDER_ONE_OF,       /* of the fields so marked, a record needs at least one */
    SW_ORDER_SPACE         /* no part of the version: it tells spaces apart */
};

struct sw_order_field {
    const char *name;      /* as a mapping names it; "version" names the first one, whatever its name */
    const char *help;
    enum sw_order_need need;
};

enum sw_order_status {
    SW_ORDER_OK,
    SW_ORDER_NO_POSITION,  /* a required field is absent or null: the record cannot be ordered */
    SW_ORDER_INVALID,      /* a field is there and is not what it must be: a bad record; `problem` says why */
};

/* The order fields of one record. */
struct sw_order_record {
    const struct sw_token *fields; /* [field_count]; SW_TOKEN_ABSENT where missing */
    uint32_t declared;             /* bit i: field i stands somewhere in the records of this run, whatever their role */
    bool read;                     /* a snapshot or backfill row: what it lacks counts as lowest and does not tell it apart */
};

/* What a policy makes of a record. `space` holds the parts of the space that the record itself carries; may be empty. Its first
 * `base_len` bytes are where positions compare with one that is declared (a cut); what follows names the declared fields
 * that the record lacks (" without row"), since versions with and without them do not compare. */
struct sw_order_key {
    uint8_t version[SW_VERSION_BYTES_MAX];
    uint8_t space[SW_SPACE_BYTES_MAX];
    uint16_t version_len, space_len, base_len;
    bool named;                    /* the space names its source (system, server, cluster …): --space adds nothing */
    char problem[256];
};

/* How a version stands to a declared position, which is inclusive. */
enum sw_order_reach {
    SW_ORDER_WITHIN,       /* at or below it */
    SW_ORDER_BEYOND,
    SW_ORDER_UNTOLD        /* the rule does not say; nobody may choose */
};

enum sw_version_order { SW_VERSION_BEFORE, SW_VERSION_EQUAL, SW_VERSION_AFTER, SW_VERSION_UNORDERED };

/* One declared position: of one space, or, where positions are sets, what a set holds of one space. */
struct sw_order_position {
    struct sw_bytes space; /* as in sw_order_key */
    bool named;            /* `space` is all of it: --space adds nothing */
    struct sw_bytes position;
};

struct sw_order_positions {
    struct sw_order_position *places;
    size_t count;
    struct sw_buffer text; /* what the places view; owned */
};

struct sw_order {
    const char *name;
    const char *summary;       /* one line */
    const char *rule;          /* the whole rule */
    const char *tie;           /* what equal positions with different contents mean */
    const char *source;        /* vendor page, manual or paper; "ours" where it is our own */
    const char *not_promised;  /* what it does not promise */
    const char *position;      /* how --cut and --baseline-position write a position */
    const struct sw_order_field *fields;
    size_t field_count;
    bool weak;                 /* a tie is `unordered`, not a conflict */
    bool arrival;              /* the position is the place in the input; no fields */
    bool complete;             /* a baseline position names all that the baseline holds: a space that it does not name is newer as a whole */
    bool lists;                /* a declared position may be several, with commas between them */
    bool slots;                /* versions are slots (order_slots.h): one that goes on from another is the later, since what is lacking is lowest */
    const char *succession;    /* the part of a space that a promotion or a restore counts up (PostgreSQL's timeline): spaces that differ in it alone follow one another; may be NULL */
    uint32_t transaction_slots; /* bit i: slot i numbers transactions, so that records in which it is the same are of one; the first that both have decides */
    uint32_t split_slots;      /* bit i: a difference in slot i of the version (order_slots.h) has no order */

    /* Encodes a record's fields. Thread-safe, no allocation. */
    enum sw_order_status (*encode)(struct sw_order_key *out, const struct sw_order_record *record);
    /* The version alone, as `encode` gives it, of a record as most are: written to `to` (SW_ORDER_USUAL_BYTES_MAX), its length returned; 0: ask `encode`. A field of
     * which no more than a first part names the space is cut to that part in `fields`. The space is then what `encode` gave for another record of which this is true, that
     * has and lacks the same fields, was read or not as this one was, and has equal tokens (cut likewise) at the fields of `space_fields`. Tokens of fields that are no
     * SW_ORDER_SPACE are followed by SW_ORDER_TOKEN_PADDING readable bytes, and none is native. May be NULL. */
    size_t (*encode_usual)(uint8_t *to, struct sw_token *fields);
    uint32_t space_fields;     /* bit i: of `encode_usual` */
    uint32_t commit_fields;    /* bit i: field i is the position of a commit, which a row that a snapshot read does not have: one without it is not for `encode_usual` (sw_order_is_usual) */
    /* Reads one position as a person writes it. SW_ORDER_INVALID with `problem` otherwise. */
    enum sw_order_status (*parse)(struct sw_order_key *out, struct sw_bytes text);
    /* Appends the version as a person reads it, with what `space` says of its place (a file's base name, a UUID, a domain, a partition).
     * `parse` of it gives the same version. */
    void (*print)(struct sw_buffer *out, struct sw_bytes version, struct sw_bytes space);
    /* May be NULL: bytes compare, and a proper prefix is unordered. */
    enum sw_version_order (*compare)(struct sw_bytes a, struct sw_bytes b);
    /* May be NULL: at or below by bytes. */
    enum sw_order_reach (*reach)(struct sw_bytes position, struct sw_bytes version);
    /* May be NULL: `weak` holds for every version. */
    bool (*is_weak)(struct sw_bytes version);
    /* May be NULL: positions are read one by one. Else the whole text is a set. SW_ERR_INPUT, SW_ERR_LIMIT, SW_ERR_MEMORY. */
    enum sw_code (*parse_set)(struct sw_order_positions *out, struct sw_bytes text, struct sw_error *error);
};

extern const struct sw_order sw_order_integer, sw_order_postgres, sw_order_mysql, sw_order_mysql_gtid, sw_order_mariadb, sw_order_oracle,
    sw_order_sqlserver, sw_order_db2, sw_order_mongodb, sw_order_kafka, sw_order_bigquery, sw_order_datastream, sw_order_timestamp, sw_order_file;

/* May a record that has the fields `has` be given to encode_usual? `declared` and `read` as in sw_order_record. */
static inline bool sw_order_is_usual(const struct sw_order *order, uint32_t has, uint32_t declared, bool read) { return !read || !(order->commit_fields & declared & ~has); }

/* All policies, NULL-terminated, in the order they are listed. */
const struct sw_order *const *sw_orders(void);
/* By name, or NULL. */
const struct sw_order *sw_order_find(const char *name);
/* The field of that name, or SIZE_MAX. "version" is the first field of any policy. */
size_t sw_order_field_find(const struct sw_order *order, const char *name);

/* The longer way of sw_version_compare: for policies that do not only compare bytes, and versions of different lengths. */
enum sw_version_order sw_version_compare_other(const struct sw_order *order, struct sw_bytes a, struct sw_bytes b);

/* Compares two versions of one space. `order` may be NULL: bytes compare. */
static inline enum sw_version_order sw_version_compare(const struct sw_order *order, struct sw_bytes a, struct sw_bytes b)
{
    if (a.len != b.len || (order && (order->compare || order->split_slots)))
        return sw_version_compare_other(order, a, b);
    int way = sw_word_compare(a.at, b.at, a.len);
    return way < 0 ? SW_VERSION_BEFORE : way > 0 ? SW_VERSION_AFTER : SW_VERSION_EQUAL;
}
/* Where a version stands to a position of the same space (of its base). */
enum sw_order_reach sw_order_reach(const struct sw_order *order, struct sw_bytes position, struct sw_bytes version);
bool sw_order_is_weak(const struct sw_order *order, struct sw_bytes version);

/* Reads the positions of --cut or --baseline-position: POSITION or SPACE=POSITION, several with ';' or line breaks between them; SPACE
 * is a space as the report prints it. On failure *out is all zero. SW_ERR_INPUT with what is wrong, SW_ERR_MEMORY. */
enum sw_code sw_order_positions_parse(struct sw_order_positions *out, const struct sw_order *order, struct sw_bytes text, struct sw_error *error);
void sw_order_positions_free(struct sw_order_positions *places);
/* Appends a place while the whole is being built: views are settled by sw_order_positions_parse. False if memory ran out. */
bool sw_order_positions_add(struct sw_order_positions *places, struct sw_bytes space, bool named, struct sw_bytes position);

#endif
