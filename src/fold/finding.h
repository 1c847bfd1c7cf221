/* What the fold finds: classes, reasons, causes and findings, as data. The writers of src/report print them.
 *
 * The names stand in src/report/report.h; here are only the facts. */
#ifndef SW_FOLD_FINDING_H
#define SW_FOLD_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "model/schema.h"

enum sw_class { SW_CLASS_EQUAL, SW_CLASS_DIFFERENT, SW_CLASS_CONFLICT, SW_CLASS_UNDECIDED, SW_CLASS_COUNT };

enum sw_reason {
    SW_REASON_NONE,
    SW_REASON_MISSING_STATE,        /* different */
    SW_REASON_UNEXPECTED_STATE,
    SW_REASON_STATE_MISMATCH,
    SW_REASON_CONFLICTING_VERSION,  /* conflict */
    SW_REASON_IDENTITY_REUSED,
    SW_REASON_DUPLICATE_KEY,
    SW_REASON_INCONSISTENT_HISTORY,
    SW_REASON_UNORDERED,            /* undecided */
    SW_REASON_READ_AFTER_DELETE,
    SW_REASON_OPEN_TRANSACTION,
    SW_REASON_BEYOND_CUT,
    SW_REASON_UNKNOWN_COLUMN,
    SW_REASON_INVALID_VALUE,
    SW_REASON_NOT_COMPARABLE,
    SW_REASON_UNREADABLE_RECORD,
    SW_REASON_COUNT
};

/* Why the destination should not have a row, or has another. */
enum sw_cause {
    SW_CAUSE_NONE,
    SW_CAUSE_NEVER_SEEN,     /* no baseline row and no event has the key */
    SW_CAUSE_DELETED,        /* deleted at `cause_version` */
    SW_CAUSE_BEYOND_CUT,     /* the key appears only after the cut */
    SW_CAUSE_FLAGGED,        /* the reference flags the row as deleted */
    SW_CAUSE_VERSION_ONLY,   /* the rows are equal, the versions are not */
    SW_CAUSE_FLAG_DIFFERS,   /* deleted on one side only */
    SW_CAUSE_NO_POSITION,    /* records without a position under the declared order */
    SW_CAUSE_SPACES,         /* records in several position spaces */
    SW_CAUSE_TIE,            /* a tie under a weak order, or versions the policy leaves unordered */
    SW_CAUSE_STEP,           /* one transaction writes the key and removes it, and no image says which came first */
    SW_CAUSE_LATER,          /* an event that the baseline covers by its position says that it is later than the baseline */
    SW_CAUSE_REPEATED_ROWS,  /* duplicate-key: repeated and identical */
    SW_CAUSE_DIFFERING_ROWS, /* duplicate-key: repeated and different */
    SW_CAUSE_ROW_DIFFERS,    /* inconsistent-history: the row that an event replaces showed something else (`other`: what the event says that it was) */
    SW_CAUSE_ROW_WAS_THERE,  /* an insert over a row */
    SW_CAUSE_ROW_WAS_GONE,   /* a change of a row that was deleted */
    SW_CAUSE_READ_DIFFERS,   /* a snapshot read a row that the evidence has otherwise right before (`other`: what it read) */
    SW_CAUSE_READ_WAS_GONE,  /* a snapshot read a row that was deleted */
    SW_CAUSE_COUNT
};

enum sw_disposition {
    SW_DISPOSITION_APPLIED, SW_DISPOSITION_DUPLICATE, SW_DISPOSITION_REPEATED, SW_DISPOSITION_SUPERSEDED, SW_DISPOSITION_COVERED,
    SW_DISPOSITION_BEYOND_CUT, SW_DISPOSITION_OTHER_TABLE, SW_DISPOSITION_NOT_ROW_CHANGE, SW_DISPOSITION_OPEN_TRANSACTION,
    SW_DISPOSITION_BLOCKED,   /* of a key in conflict or undecided: neither applied nor superseded */
    SW_DISPOSITION_REFERENCE, /* a row of the reference that took part in the comparison */
    SW_DISPOSITION_OUT_OF_SCOPE, /* of a key that --sample, --where or the declared scope leaves out */
    SW_DISPOSITION_BAD, SW_DISPOSITION_COUNT
};

/* A place in an input: the locator's index in the report's inputs, and the line (or, in a JSON array, the element) from 1. */
struct sw_place {
    uint32_t input;
    uint64_t line;
};

/* A row as one side has it. Views live as long as the finding. */
struct sw_image {
    bool present;
    bool deleted;
    bool has_version;
    struct sw_bytes space;               /* text; empty = the only one */
    struct sw_bytes version;             /* bytes of the order policy: print with sw_order.print */
    const struct sw_column_set *set;     /* NULL: no row */
    struct sw_bytes values;              /* see sw_value_next */
};

/* One key that is not equal. */
struct sw_finding {
    const struct sw_table *table;
    struct sw_bytes key;
    enum sw_reason reason;
    enum sw_cause cause;
    struct sw_image state;               /* what the evidence says */
    struct sw_image expected;            /* what the reference has */
    struct sw_image other;               /* conflicting-version: a second content at the lowest conflicting version (state is the first); identity-reused likewise */
    struct sw_bytes cause_space, cause_version; /* for SW_CAUSE_DELETED and conflicts: the position; empty = none */
    const struct sw_column *const *differing; uint32_t differing_count;   /* columns proven different, by name */
    const struct sw_column *const *unknown; uint32_t unknown_count;       /* columns not in evidence, by name */
    const struct sw_column *const *incomparable; uint32_t incomparable_count;
    struct sw_bytes identity;            /* identity-reused: JSON text of the identity; empty else */
    const struct sw_place *places; uint32_t place_count; /* the records it rests on, sorted, at most 16 */
    uint64_t more_places;                /* further ones not listed */
};

/* Findings in key order, all of them, read from sorted runs. The engine embeds this as the first member of its own
 * structure and fills the calls, so that the writers link without the engine and tests bring their own findings. */
struct sw_finding_stream {
    /* SW_OK with *out valid until the next call; SW_END; or a failure. */
    enum sw_code (*next)(const struct sw_finding **out, struct sw_finding_stream *stream, struct sw_error *error);
    /* Back to the first finding; any number of times. */
    enum sw_code (*rewind)(struct sw_finding_stream *stream, struct sw_error *error);
};

static inline enum sw_code sw_finding_next(const struct sw_finding **out, struct sw_finding_stream *stream, struct sw_error *error)
{
    return stream->next(out, stream, error);
}
static inline enum sw_code sw_finding_rewind(struct sw_finding_stream *stream, struct sw_error *error)
{
    return stream->rewind(stream, error);
}

/* The class that a reason belongs to. */
enum sw_class sw_reason_class(enum sw_reason reason);

#endif
