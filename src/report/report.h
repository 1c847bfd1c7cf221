/* The report of a reconciliation: what was found, as data, before anyone writes it out.
 *
 * The engine fills it; the writers of this folder print it as JSON, as CSV and for people. Everything
 * here is deterministic for given inputs and declarations, but for `started`, `reached`, `seconds` and tool facts. */
#ifndef SW_REPORT_REPORT_H
#define SW_REPORT_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "fold/finding.h"
#include "mapping/mapping.h"
#include "model/schema.h"
#include "order/order.h"
#include "report/continuity_evidence.h"
#include "slackwater/report.h"
#include "source/cut.h"

/* "missing-state" …, and the member of `counts` ("missingState" …). Static. */
const char *sw_reason_name(enum sw_reason reason);
const char *sw_reason_count_name(enum sw_reason reason);
const char *sw_class_name(enum sw_class class);
const char *sw_cause_name(enum sw_cause cause);
const char *sw_disposition_name(enum sw_disposition disposition);

struct sw_input_report {
    enum sw_role role;
    char *locator;           /* without secrets */
    const char *table;       /* of which table the mapping says that its rows are; NULL: of none in particular. Borrowed */
    const char *format;      /* "plain" … */
    const char *encoding;    /* "ndjson", "json-array", "json-values", "csv", "rows" */
    const char *compression; /* "none", "gzip", "zstd", "lz4" */
    uint64_t records, bad_records;
    uint64_t bytes;          /* as stored */
    uint64_t decoded_bytes;
    char sha256[65];         /* of the stored bytes; "" = not computed */
    const char *no_sha256;   /* why there can be none: of a server's answer; NULL = there can. Static */
    char *position;          /* at which position of its own the server stood, and when; NULL = not known */
    struct sw_source_cut cut;       /* the same for programs */
};

struct sw_bad_record {
    struct sw_place place;
    char *reason;            /* a stable word: "json", "csv", "key", "version", "operation", "identity", "too-long" … */
    char *text;              /* what was expected and found */
    bool key_known;          /* the key it concerns is undecided; false: the current state as a whole is unproven */
};

/* A column that one whole side never has. */
struct sw_column_note { const struct sw_column *column; enum sw_role absent_from; /* SW_ROLE_EXPECTED, or SW_ROLE_BASELINE for "the evidence" */ };
/* In how many keys a column is what differs, or what could not be compared. */
struct sw_column_keys { const struct sw_column *column; uint64_t different, unknown, incomparable; };
/* The first record of a side that has a column set: how columns come and go in mid-stream. */
struct sw_set_note { const struct sw_table *table; const struct sw_column_set *set; enum sw_role role; struct sw_place first; uint64_t records; };

struct sw_table_counts { const struct sw_table *table; uint64_t classes[SW_CLASS_COUNT]; uint64_t reasons[SW_REASON_COUNT]; uint64_t outside; };

/* Which keys were compared. The texts are borrowed from the mapping. */
struct sw_report_scope {
    bool limited;                        /* not all of them */
    bool partial;                        /* fewer than the declared scope: a sample, or a condition that is not the declared one. Status 0 is out of reach */
    struct sw_sample_part sample;        /* denominator 0: none */
    const char *where, *declared;        /* canonical spellings; NULL: none */
    uint64_t outside;                    /* keys that were left out */
    uint64_t open;                       /* keys that were taken because what decides is not in evidence */
};

struct sw_kind_count { char *kind; uint64_t count; }; /* records that are no row change, by kind */

/* Transactions whose events are numbered and counted, and how many of those are in evidence. */
struct sw_counted_transaction { struct sw_place first; uint64_t events, counted; };
struct sw_transaction_counts {
    uint64_t complete;                           /* every event that the end counts is in evidence */
    uint64_t elsewhere;                          /* what is missing is of tables of which nothing is in evidence */
    uint64_t without_end, missing, surplus;      /* no end in evidence; fewer events, or more, than the end counts */
    uint64_t missing_events;
    struct sw_counted_transaction *listed; uint32_t listed_count; /* missing or surplus: the first ones by place */
};

struct sw_recheck_report;

struct sw_report {
    const struct sw_mapping *mapping;
    const struct sw_schema *schema;
    const struct sw_order *order;        /* NULL: no record needed one */
    const char *successive;              /* the part of a space in which records stand in several, one after the other, and no order between them was declared; NULL: none */
    uint64_t begun_elsewhere;            /* transactions of which the events show the end and not the begin, by the marks at the heads of inputs */
    char *servers;                       /* "101, 202": servers that events name under one source, whose files compare within one server only; NULL: at most one */
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
    uint32_t unmet;                              /* declarations that no record has anything to do with; `notes` names them */
    uint32_t alike;                              /* columns of which `notes` say what their differences, or most of them, have in common */
    uint64_t updates_of_unseen_keys;
    uint64_t covered_later, truncates_later;     /* events that the baseline covers by its position and that are later than --baseline-time; truncates among them */
    uint64_t claims_held, claims_unheld;         /* what events say of the row before them: held against it, or not known against what */
    uint64_t contradiction_count;                /* of claims_held */
    uint64_t read_contradictions;                /* of contradiction_count: by rows that a snapshot read */
    struct sw_transaction_counts transactions;   /* of streams that number the events of a transaction and count them at its end */
    struct sw_finding_stream *contradictions;    /* all of them, by table, key and version; NULL: none. `state` is the row in evidence, `other` the one that the event replaces */
    struct sw_table_counts *tables; uint32_t table_count; /* sorted by name */
    struct sw_column_keys *column_keys; uint32_t column_key_count; /* those with any, the most keys first, then by table and name */
    struct sw_column_note *absent_columns; uint32_t absent_column_count;
    struct sw_set_note *sets; uint32_t set_count;
    struct sw_bad_record *bad; uint32_t bad_listed; uint64_t bad_count, bad_unattributed; /* the first 20 by place; all; those without a known key */
    bool quarantined;                            /* bad records were written to a quarantine file */
    char *report_file, *differences_file, *states_file, *save_state_file, *quarantine_file; /* outputs of the run; NULL = not asked for */
    char **spaces; uint32_t space_count;         /* position spaces seen, sorted */
    struct sw_recheck_report *recheck;           /* NULL: not asked for. report/recheck.h */
    struct sw_continuity_evidence *evidence; uint32_t evidence_count; /* --continuity */
    struct sw_finding_stream *findings;          /* NULL: no key that is not equal */
    uint64_t listed_differences;                 /* how many the report lists */
    bool allow_empty;
    struct sw_report_scope scope;
    uint32_t empty_tables;                       /* tables that the mapping lists, and of which neither side has a key */
};

#endif
