/* A kind of position: what a file of this folder must offer, and the helpers that all of them use.
 *
 * A kind is a static struct sw_position_kind, listed once in registry.c. Its positions are structs that begin with
 * struct sw_position; the shared code in position.c allocates them, reads the attributes after the '@', refuses
 * positions of other spaces and frees what is common. */
#ifndef SW_POSITION_POSITION_H
#define SW_POSITION_POSITION_H

#include "base/buffer.h"
#include "base/error.h"
#include "slackwater/position.h"

#define SW_ATTRIBUTES_MAX 6
#define SW_ATTRIBUTE_TEXT_MAX (1 << 20)
/* Of a position that is no set. */
#define SW_POSITION_PLAIN_TEXT_MAX ((size_t)2 << 20)

enum sw_attribute_type {
    SW_ATTRIBUTE_U32,  /* decimal, not 0 */
    SW_ATTRIBUTE_U64,  /* decimal */
    SW_ATTRIBUTE_UUID, /* 8-4-4-4-12, printed in lower case */
    SW_ATTRIBUTE_WORD, /* printable, without , = @ and blanks */
    SW_ATTRIBUTE_LIST  /* words with commas between them, or nothing; read by the kind in `settle` */
};

enum sw_attribute_role {
    SW_ATTRIBUTE_DETAIL,   /* part of the position; the kind compares it */
    SW_ATTRIBUTE_IDENTITY, /* must be the same on both sides; on one side only: incomparable */
    SW_ATTRIBUTE_SORT,     /* what sort of position it is: compared like an identity, but says nothing about the source */
    SW_ATTRIBUTE_HINT,     /* an identity that one side may lack without harm */
    SW_ATTRIBUTE_LINEAGE   /* an identity with descent (timeline, incarnation): the kind compares it */
};

struct sw_attribute {
    const char *name;    /* NULL ends the list */
    const char *meaning; /* for messages: "system identifier" */
    enum sw_attribute_type type;
    enum sw_attribute_role role;
};

/* Bits of sw_position.notes; their sentences stand in position.c. */
enum sw_position_note_bit {
    SW_NOTE_LEADING_ZERO = 1 << 0,
    SW_NOTE_EMPTY_INTERVAL = 1 << 1,
    SW_NOTE_READ_AS_HEX = 1 << 2,
    SW_NOTE_LOOKS_LIKE_TIME = 1 << 3,
    SW_NOTE_HEAD_OF_FILE = 1 << 4,
    SW_NOTE_DECIMAL_LSN = 1 << 5,
    SW_NOTE_PLACE_UNKNOWN = 1 << 6,
    SW_NOTE_INVALID_LSN = 1 << 7
};

struct sw_position {
    const struct sw_position_kind *kind;
    char *attributes[SW_ATTRIBUTES_MAX]; /* canonical values in the kind's order; NULL = not given */
    uint32_t notes;
};

enum sw_set_operation { SW_SET_UNITE, SW_SET_SUBTRACT, SW_SET_INTERSECT };

struct sw_position_sets {
    /* Fills the zeroed `out`; both are of this kind and one space. */
    enum sw_code (*combine)(struct sw_position *out, const struct sw_position *a, const struct sw_position *b, enum sw_set_operation operation, struct sw_error *error);
    bool (*contains)(const struct sw_position *a, const struct sw_position *b);
    uint64_t (*count)(const struct sw_position *a);
};

/* Which of two components a vector keeps, where a vector stands for all that lies before it in each component. `order` is that
 * of the left component against the right one, and counts only where both are there. */
enum sw_vector_pick { SW_PICK_NONE, SW_PICK_LEFT, SW_PICK_RIGHT };
static inline enum sw_vector_pick sw_vector_pick(enum sw_set_operation operation, bool left, bool right, int order)
{
    switch (operation) {
    case SW_SET_UNITE: return !left || (right && order < 0) ? SW_PICK_RIGHT : SW_PICK_LEFT;
    case SW_SET_INTERSECT: return !left || !right ? SW_PICK_NONE : order < 0 ? SW_PICK_LEFT : SW_PICK_RIGHT;
    case SW_SET_SUBTRACT: break;
    }
    return left && (!right || order > 0) ? SW_PICK_LEFT : SW_PICK_NONE;
}

struct sw_position_kind {
    struct sw_position_kind_info info;
    size_t size; /* of its struct */
    bool whole_text; /* the kind reads the attributes itself */
    struct sw_attribute attributes[SW_ATTRIBUTES_MAX + 1];
    /* Reads the text before the '@', blanks trimmed, into the zeroed `self`. On failure, `release` is still called. */
    enum sw_code (*parse)(struct sw_position *self, struct sw_bytes text, struct sw_error *error);
    /* Called once the attributes are known; may be NULL. */
    enum sw_code (*settle)(struct sw_position *self, struct sw_error *error);
    void (*print)(struct sw_buffer *out, const struct sw_position *self);
    /* Whether these two compare without regard to their identity; may be NULL: never. */
    bool (*across_spaces)(const struct sw_position *a, const struct sw_position *b);
    /* Both are of this kind and their identity agrees. Fills order and reason. */
    void (*compare)(struct sw_position_comparison *out, const struct sw_position *a, const struct sw_position *b, const struct sw_position_compare_options *options);
    void (*release)(struct sw_position *self);  /* may be NULL */
    const struct sw_position_sets *sets;        /* NULL: no set */
};

extern const struct sw_position_kind sw_kind_postgres, sw_kind_mysql, sw_kind_mysql_gtid, sw_kind_mariadb, sw_kind_oracle,
    sw_kind_sqlserver, sw_kind_mongodb, sw_kind_kafka, sw_kind_bigquery, sw_kind_datastream;

const struct sw_position_kind *sw_position__kind(const char *name); /* NULL if unknown */

/* As sw_position_parse, for a kind at hand. */
enum sw_code sw_position__parse(struct sw_position **out, const struct sw_position_kind *kind, struct sw_bytes text, struct sw_error *error);
/* Appends the canonical text. */
void sw_position__print(struct sw_buffer *out, const struct sw_position *position);
/* A zeroed position of a kind; NULL if memory ran out. */
struct sw_position *sw_position__new(const struct sw_position_kind *kind);
/* A copy of `position` with one attribute set (replaced if given). */
enum sw_code sw_position__with(struct sw_position **out, const struct sw_position *position, const char *name, struct sw_bytes value, struct sw_error *error);

/* Sets order and reason. */
void sw_position__say(struct sw_position_comparison *out, enum sw_position_order order, const char *format, ...) SW_PRINTF(3, 4);
/* Appends a sentence to `assumed`. */
void sw_position__assume(struct sw_position_comparison *out, const char *format, ...) SW_PRINTF(2, 3);

/* A short printable form of hostile text for messages: quotes, escapes and an ellipsis. Returns `out`. */
#define SW_QUOTE_MAX 80
const char *sw_position__quote(char out[SW_QUOTE_MAX], struct sw_bytes text);

/* Whether a text that is no position reads as a time: an ISO date, a time of day, a month name with digits, or a number of
 * seconds, milliseconds, microseconds or nanoseconds since 1970 between 2001 and 2096. */
bool sw_position__reads_as_time(struct sw_bytes text);
/* The last of these alone. */
bool sw_position__reads_as_epoch(uint64_t number);

#endif
