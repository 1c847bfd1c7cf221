/* Positions in change logs: parsing, canonical text, comparison, set algebra.
 *
 * A position is a place in a source's log. It is read under a *kind* ("postgres", "mysql-gtid", …), which says how it
 * is written and what it compares with. Its text may carry attributes after an '@', among them its identity, the
 * scope inside which positions compare:
 *
 *     0/16E9A28@system=7301234567890123456,timeline=2
 *     binlog.000042:1234@server=3a1f0000-0000-0000-0000-000000000001
 *     orders:0:500,orders:1:700@cluster=abc,topic-id=XyZ
 *
 * An identity that only one of two positions gives makes them incomparable; one that neither gives is assumed to be
 * the same, and the comparison says so. A time is never a position: it says when somebody looked.
 *
 *     struct sw_position *a = NULL, *b = NULL;
 *     struct sw_position_comparison answer;
 *     if (sw_position_parse(&a, "postgres", "9/0", 3, &error) == SW_OK && sw_position_parse(&b, "postgres", "10/0", 4, &error) == SW_OK)
 *         if (sw_position_compare(&answer, a, b, NULL) == SW_POSITION_BEFORE)
 *             puts(answer.reason);
 *     sw_position_free(&a);
 *     sw_position_free(&b);
 *
 * Lifetimes: a position owns all it holds, and never changes after it was parsed; any number of threads may read one.
 * The rules and their sources are in docs/positions.md. */
#ifndef SLACKWATER_POSITION_H
#define SLACKWATER_POSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slackwater/error.h"
#include "slackwater/export.h"

SW_BEGIN_DECLS

struct sw_position;
struct sw_position_history;

enum sw_position_order {
    SW_POSITION_BEFORE = -1,
    SW_POSITION_EQUAL = 0,
    SW_POSITION_AFTER = 1,
    SW_POSITION_INCOMPARABLE = 2 /* another space, diverged, or the log does not say; never a synonym of "equal" */
};

/* "before", "equal", "after", "incomparable". Static storage. Any thread. */
SW_API const char *sw_position_order_name(enum sw_position_order order);

/* One kind of position, for help and documentation. All texts are static. */
struct sw_position_kind_info {
    const char *name;       /* "postgres" */
    const char *source;     /* "PostgreSQL" */
    const char *form;       /* how it is written, in one line */
    const char *example;    /* a position of this kind */
    const char *attributes; /* what may follow the '@', in one line; "" = nothing */
    bool is_set;            /* unite, subtract, intersect and contains work */
};

/* The kinds, in a fixed order; NULL from `index` = their number on. Any thread. */
SW_API const struct sw_position_kind_info *sw_position_kind_at(size_t index);

/* A longer text is refused: 16 MiB, and 2 MiB where the kind is no set. A GTID set of a million intervals fits. */
#define SW_POSITION_TEXT_MAX ((size_t)16 << 20)

/* Reads a position.
 *
 * Shape   `text` has `len` bytes and needs no terminator. Blanks around it are left out. GTID sets and Kafka maps may
 *         hold line breaks. An empty text is the empty set where the kind is a set, else an error.
 * Returns SW_OK; SW_ERR_USAGE for an unknown kind (error lists them); SW_ERR_INPUT when this is no position of that
 *         kind (error says what was expected, and why a time is none); SW_ERR_LIMIT; SW_ERR_MEMORY.
 * Owner   *out is the caller's, to be freed with sw_position_free; NULL on failure.
 * Threads any. */
SW_API SW_MUST_USE enum sw_code sw_position_parse(struct sw_position **out, const char *kind, const char *text, size_t len, struct sw_error *error);

/* Frees and sets to NULL; NULL is accepted. */
SW_API void sw_position_free(struct sw_position **position);

SW_API const struct sw_position_kind_info *sw_position_kind(const struct sw_position *position);

/* The canonical text: equal positions of one kind with the same attributes have the same text, and parsing it gives
 * the position again. Ends with a NUL that `*len` does not count; `len` may be NULL.
 * Returns SW_OK or SW_ERR_MEMORY. Owner: the caller, with sw_position_text_free. */
SW_API SW_MUST_USE enum sw_code sw_position_print(char **out, size_t *len, const struct sw_position *position, struct sw_error *error);
SW_API void sw_position_text_free(char **text);

/* The canonical value of an attribute, or NULL when the position does not give it. Lives as long as the position. */
SW_API const char *sw_position_attribute(const struct sw_position *position, const char *name);

/* What a reader should know about how the text was read (a leading zero, an empty interval, a number that also reads
 * as a time), one sentence each; NULL from their number on. Static storage. */
SW_API const char *sw_position_note(const struct sw_position *position, size_t index);

#define SW_POSITION_REASON_MAX 512
#define SW_POSITION_ASSUMED_MAX 320

struct sw_position_comparison {
    enum sw_position_order order;           /* of the first against the second */
    char reason[SW_POSITION_REASON_MAX];    /* one sentence, never empty */
    char assumed[SW_POSITION_ASSUMED_MAX];  /* what the answer rests on that the positions do not say; "" = nothing */
};

struct sw_position_compare_options {
    size_t struct_size;                        /* sizeof this struct, as the caller was compiled */
    const struct sw_position_history *history; /* timelines or incarnations; NULL = unknown. Borrowed */
    bool same_source;                          /* the caller declares that identity given by one side only holds for the other */
};

/* Compares two positions. Never fails: where nothing can be said, the order is incomparable and `reason` says why.
 * `out` may be NULL; `options` may be NULL. Cost: linear in the two positions. Threads: any.
 * Laws: inside one space (same kind, same attributes) it is a total order for single positions and a partial order for
 * sets and vectors; across spaces it is incomparable, but for timelines and incarnations whose history is given. */
SW_API enum sw_position_order sw_position_compare(struct sw_position_comparison *out, const struct sw_position *a, const struct sw_position *b,
    const struct sw_position_compare_options *options);

/* Set algebra, where the kind is a set (GTID sets) or a vector (MariaDB GTIDs, Kafka offsets). A vector stands for all
 * that lies before it in each component: the union takes the higher component, the intersection the lower one and only
 * components of both, the difference keeps the components of `a` that `b` lacks or is behind in.
 *
 * Returns SW_OK; SW_ERR_UNSUPPORTED when the kind is no set; SW_ERR_INPUT when the two are of different kinds or
 *         spaces, or have diverged (one MariaDB sequence number written by two servers); SW_ERR_MEMORY; SW_ERR_LIMIT.
 * Owner   *out is the caller's; it carries the attributes of `a`. NULL on failure.
 * Cost    linear in the sum of both. */
SW_API SW_MUST_USE enum sw_code sw_position_unite(struct sw_position **out, const struct sw_position *a, const struct sw_position *b, struct sw_error *error);
SW_API SW_MUST_USE enum sw_code sw_position_subtract(struct sw_position **out, const struct sw_position *a, const struct sw_position *b, struct sw_error *error);
SW_API SW_MUST_USE enum sw_code sw_position_intersect(struct sw_position **out, const struct sw_position *a, const struct sw_position *b, struct sw_error *error);
/* *out = every member of `b` is in `a`. The empty set is in everything. */
SW_API SW_MUST_USE enum sw_code sw_position_contains(bool *out, const struct sw_position *a, const struct sw_position *b, struct sw_error *error);
/* How many members a set has: transactions of a GTID set (UINT64_MAX if more), components of a vector, 1 otherwise. */
SW_API uint64_t sw_position_count(const struct sw_position *position);

/* The descent of timelines (PostgreSQL) or incarnations (Oracle): what makes positions on both sides of a promotion or
 * a RESETLOGS comparable. `kind` is "postgres" or "oracle"; others: SW_ERR_USAGE. */
SW_API SW_MUST_USE enum sw_code sw_position_history_new(struct sw_position_history **out, const char *kind, struct sw_error *error);
SW_API void sw_position_history_free(struct sw_position_history **history);

/* Adds the text of one history.
 *
 * Shape   postgres: a timeline history file (lines of parent timeline, switch point, reason). `name` is its file name or
 *         path, "00000003.history", from which its own timeline is taken; NULL or another name: unknown, and it is then
 *         taken as the history of the newer of two compared timelines that no history lists.
 *         oracle: the rows of V$DATABASE_INCARNATION with their header, as a client prints them; `name` is not used.
 * Returns SW_OK; SW_ERR_INPUT with the line; SW_ERR_LIMIT; SW_ERR_MEMORY. On failure nothing was added. */
SW_API SW_MUST_USE enum sw_code sw_position_history_add(struct sw_position_history *history, const char *name, const char *text, size_t len, struct sw_error *error);

SW_END_DECLS

#endif
