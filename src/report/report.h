/* The report of a reconciliation: what was found, as data, before anyone writes it out.
 *
 * The engine fills it; the writers of this folder print it as JSON, as CSV and for people. Everything
 * here is deterministic for given inputs and declarations, but for `started`, `reached`, `seconds` and tool facts. */
#ifndef SW_REPORT_REPORT_H
#define SW_REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "mapping/mapping.h"
#include "model/schema.h"
#include "order/order.h"
#include "slackwater/report.h"

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

/* "missing-state" …, and the member of `counts` ("missingState" …). Static. */
const char *sw_reason_name(enum sw_reason reason);
const char *sw_reason_count_name(enum sw_reason reason);
enum sw_class sw_reason_class(enum sw_reason reason);
const char *sw_class_name(enum sw_class class);

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
    SW_CAUSE_REPEATED_ROWS,  /* duplicate-key: repeated and identical */
    SW_CAUSE_DIFFERING_ROWS, /* duplicate-key: repeated and different */
    SW_CAUSE_COUNT
};
const char *sw_cause_name(enum sw_cause cause);

enum sw_disposition {
    SW_DISPOSITION_APPLIED, SW_DISPOSITION_DUPLICATE, SW_DISPOSITION_REPEATED, SW_DISPOSITION_SUPERSEDED, SW_DISPOSITION_COVERED,
    SW_DISPOSITION_BEYOND_CUT, SW_DISPOSITION_OTHER_TABLE, SW_DISPOSITION_NOT_ROW_CHANGE, SW_DISPOSITION_OPEN_TRANSACTION,
    SW_DISPOSITION_BLOCKED,   /* of a key in conflict or undecided: neither applied nor superseded */
    SW_DISPOSITION_REFERENCE, /* a row of the reference that took part in the comparison */
    SW_DISPOSITION_BAD, SW_DISPOSITION_COUNT
};
const char *sw_disposition_name(enum sw_disposition disposition);

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

struct sw_input_report {
    enum sw_role role;
    char *locator;           /* without secrets */
    const char *format;      /* "plain" … */
    const char *encoding;    /* "ndjson", "json-array", "csv" */
    const char *compression; /* "none", "gzip", "zstd", "lz4" */
    uint64_t records, bad_records;
    uint64_t bytes;          /* as stored */
    uint64_t decoded_bytes;
    char sha256[65];         /* of the stored bytes; "" = not computed */
};

struct sw_bad_record {
    struct sw_place place;
    char *reason;            /* a stable word: "json", "csv", "key", "version", "operation", "identity", "too-long" … */
    char *text;              /* what was expected and found */
    bool key_known;          /* the key it concerns is undecided; false: the current state as a whole is unproven */
};

/* A column that one whole side never has. */
struct sw_column_note { const struct sw_column *column; enum sw_role absent_from; /* SW_ROLE_EXPECTED, or SW_ROLE_BASELINE for "the evidence" */ };
/* The first record of a side that has a column set: how columns come and go in mid-stream. */
struct sw_set_note { const struct sw_table *table; const struct sw_column_set *set; enum sw_role role; struct sw_place first; uint64_t records; };

struct sw_table_counts { const struct sw_table *table; uint64_t classes[SW_CLASS_COUNT]; uint64_t reasons[SW_REASON_COUNT]; };

struct sw_kind_count { char *kind; uint64_t count; }; /* records that are no row change, by kind */

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

struct sw_report {
    const struct sw_mapping *mapping;
    const struct sw_schema *schema;
    const struct sw_order *order;        /* NULL: no record needed one */
    bool order_assumed;                  /* integer by default for plain */
    char *started;                       /* RFC 3339, UTC */
    char *reached;                       /* RFC 3339, UTC: when the last key was compared, and so when the verdicts were reached */
    double seconds;
    unsigned threads;
    uint64_t memory_limit, memory_peak, spilled_bytes;
    const char *kernel;
    struct sw_input_report *inputs; uint32_t input_count;
    bool role_given[SW_ROLE_COUNT];
    enum sw_compare compare;             /* resolved: STATE or VALUE */
    enum sw_expected_deletes deletes;    /* resolved */
    char **assumed; uint32_t assumed_count;      /* sentences */
    char **notes; uint32_t note_count;           /* remarks that change no verdict (a format writes NaN as null …): sentences; may be NULL */
    uint64_t records[SW_ROLE_COUNT];
    uint64_t dispositions[SW_DISPOSITION_COUNT]; /* their sum is the sum of records */
    struct sw_kind_count *kinds; uint32_t kind_count;
    uint64_t classes[SW_CLASS_COUNT];            /* their sum is the number of keys */
    uint64_t reasons[SW_REASON_COUNT];
    uint64_t states, tombstones, duplicate_deliveries, repeated_records, reused_identities;
    uint64_t null_flags;                         /* reference rows whose soft-delete flag is null */
    uint64_t unpositioned_reads, superseded_reads;
    uint64_t updates_of_unseen_keys;
    struct sw_table_counts *tables; uint32_t table_count; /* sorted by name */
    struct sw_column_note *absent_columns; uint32_t absent_column_count;
    struct sw_set_note *sets; uint32_t set_count;
    struct sw_bad_record *bad; uint32_t bad_listed; uint64_t bad_count, bad_unattributed; /* the first 20 by place; all; those without a known key */
    bool quarantined;                            /* bad records were written to a quarantine file */
    char *report_file, *differences_file, *states_file, *save_state_file, *quarantine_file; /* outputs of the run; NULL = not asked for */
    char **spaces; uint32_t space_count;         /* position spaces seen, sorted */
    struct sw_finding_stream *findings;          /* NULL: no key that is not equal */
    uint64_t listed_differences;                 /* how many the report lists */
    bool allow_empty;
};

#endif
