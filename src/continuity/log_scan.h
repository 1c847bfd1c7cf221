/* What the events of a log show about themselves: how far they reach, what is missing between them, where they begin anew.
 *
 * Each thread fills a struct sw_log_part while it reads; what depends on the order of arrival goes block by block to one struct sw_log_arrival, where
 * neighbours are joined as they come, so that memory does not grow with the input. When all is read the parts are united, held against what is
 * declared, and judged. Places apart, and but for the arrival, nothing depends on the order in which records came. */
#ifndef SW_CONTINUITY_LOG_SCAN_H
#define SW_CONTINUITY_LOG_SCAN_H

#include <pthread.h>

#include "continuity/report.h"
#include "order/order_time.h"
#include "position/gtid_set.h"
#include "position/number_set.h"
#include "reconcile/members.h"
#include "reconcile/run.h"
#include "slackwater/scan.h"

/* One event as an edge: of a space, of a block. */
struct sw_log_edge {
    uint8_t version[SW_VERSION_BYTES_MAX];
    uint8_t len;
    bool timed;
    struct sw_order_time time;
    uint32_t input;
    uint64_t block, line;
};
static inline struct sw_bytes sw_log_version(const struct sw_log_edge *edge) { return sw_bytes_of(edge->version, edge->len); }
bool sw_log_place_before(const struct sw_log_edge *a, const struct sw_log_edge *b);

/* The reach of a space, or of a table in a space. */
struct sw_log_reach {
    uint64_t events;               /* 0: the rest means nothing */
    struct sw_log_edge first, last;
};

struct sw_log_space {
    struct sw_log_reach reach;
    struct sw_number_set numbers;  /* of orders with numbers */
    bool unordered;                /* some of its positions do not compare */
};

/* Of one table in one space. */
struct sw_log_table_space {
    uint64_t key;                  /* space << 32 | table */
    struct sw_log_reach reach;
};

enum sw_log_operation { SW_LOG_WRITE, SW_LOG_DELETE, SW_LOG_TRUNCATE, SW_LOG_READ, SW_LOG_OPERATIONS };

/* Where the position goes back from one event to the next one of its space in the same input. */
struct sw_log_step {
    uint32_t space;
    bool later;                    /* the event's time is later than that of the event before it: positions that begin anew, not a delivery again */
    struct sw_log_edge from, to;
};
/* Where an event stands in another space than the one before it. */
struct sw_log_change {
    uint32_t from, to;
    uint32_t input;
    uint64_t block, line;
};

#define SW_LOG_LISTED 20u

/* The first and the last event of a space, as they came. */
struct sw_log_seen {
    uint32_t space;
    struct sw_log_edge first, last;
};

/* What a run of blocks of one input shows of its order. */
struct sw_log_stretch {
    uint32_t input;
    uint64_t begin, end;           /* blocks [begin, end) */
    struct sw_log_seen *spaces;    /* by space id */
    uint32_t space_count, space_capacity;
    uint32_t first_space, last_space; /* UINT32_MAX: no event */
    uint64_t step_count, later_count, untimed_count, change_count;
    struct sw_log_step steps[SW_LOG_LISTED]; uint32_t steps_listed;     /* the first ones; those that are later first */
    struct sw_log_change changes[SW_LOG_LISTED]; uint32_t changes_listed;
};

struct sw_log_arrival {
    pthread_mutex_t lock;
    struct sw_log_stretch **stretches; /* by input and block; joined where they touch */
    size_t count, capacity;
};

/* One thread's share. */
struct sw_log_part {
    struct sw_log_space *spaces; uint32_t space_count;
    uint64_t (*tables)[SW_LOG_OPERATIONS]; uint32_t table_count;
    struct sw_log_table_space *pairs; uint32_t pair_count, pair_capacity; /* a hash table; events == 0: free */
    struct sw_log_stretch *stretch;    /* of the block being read */
    struct sw_member_writer members;
    uint64_t events, reads, without_position, other_tables;
    struct sw_order_time earliest, latest; bool timed;
    bool mixed_times;                  /* times of several kinds: none is the earliest */
    uint64_t untimed;
};

/* Positions of a space that are not in evidence. */
struct sw_log_gap {
    uint32_t space;                /* UINT32_MAX: none that has an event */
    char *space_text, *from, *to;  /* as they are printed; `to` NULL: not known */
    bool from_included, to_included, discarded;
    bool possible;                 /* it may hold nothing of these tables, or nothing at all */
    uint64_t count;                /* how many numbers; 0: not a matter of numbers */
    uint64_t first, last;          /* the numbers */
    bool before_all, after_all;    /* it lies before, or after, every event of its space */
};

#define SW_LOG_GAPS_LISTED 1000u

struct sw_scan_report {
    struct sw_run *run;            /* owns what was read, and the report's inputs, kinds and bad records */
    struct sw_reconcile_options options;
    const struct sw_scan_options *declared; /* valid while the scan runs */
    struct sw_read_watch watch;
    struct sw_log_part *parts; unsigned part_count;
    struct sw_log_part all;        /* united */
    struct sw_log_arrival arrival;
    struct sw_log_stretch total;   /* of all inputs: counts and lists */
    struct sw_member_totals members;
    struct sw_fold_open *open; size_t open_count; /* transactions without a commit: places; in run->reading.transactions */
    bool dense;                    /* declared: the log numbers its records without holes */
    char *seen_before;             /* by the runs whose saved states were given; a list of sets; NULL: none */
    char *after, *executed, *purged, *expect_first, *expect_last, *available; /* as declared; canonical where sets; NULL: not */
    struct { char *seen, *expected, *missing, *discarded, *foreign, *again; uint64_t missing_count, discarded_count, foreign_count, again_count; } gtids; /* canonical sets */
    struct sw_log_gap *gaps; uint32_t gaps_listed, gap_capacity;
    uint64_t gap_count, hole_numbers, single_holes;
    enum sw_continuity verdict;
    bool change_of_space;          /* several spaces that do not stand side by side by their nature */
    bool no_numbers;               /* nothing is missing that could be seen, and the order counts nothing */
    struct sw_sentences reasons, proofs, assumed, obligations, limits;
    char *claim;                   /* what may be said of the history, in full; NULL: nothing */
    char *report_file;
    bool failed;
};

/* An order whose versions begin with a number that counts: of transactions, or of records. */
bool sw_log_has_numbers(const struct sw_order *order);
uint64_t sw_log_number(const struct sw_order *order, struct sw_bytes version);
/* Spaces of this order stand side by side (partitions, domains, UUIDs): that there are several says nothing of a change. */
bool sw_log_is_parallel(const struct sw_order *order);

/* One event of a thread, and the end of a block; for struct sw_read_watch. `ctx` is the report. */
enum sw_code sw_log_watch_record(void *ctx, unsigned thread, const struct sw_watched *seen, struct sw_error *error);
enum sw_code sw_log_watch_end_block(void *ctx, unsigned thread, uint32_t input, uint64_t block, struct sw_error *error);
void sw_log_part_free(struct sw_log_part *part);
enum sw_code sw_log_unite(struct sw_log_part *all, struct sw_log_part *part, const struct sw_order *order, struct sw_error *error);
void sw_log_reach_unite(struct sw_log_reach *to, const struct sw_log_reach *from, const struct sw_order *order);

/* Arrival: a stretch of no block yet, one event of it, two neighbours into the left one, and all stretches into one that only counts and lists. */
struct sw_log_stretch *sw_log_stretch_new(void);
void sw_log_stretch_free(struct sw_log_stretch **stretch);
bool sw_log_stretch_add(struct sw_log_stretch *stretch, uint32_t space, const struct sw_log_edge *edge, const struct sw_order *order);
bool sw_log_arrival_add(struct sw_log_arrival *arrival, struct sw_log_stretch **stretch, const struct sw_order *order);
void sw_log_arrival_total(struct sw_log_stretch *out, const struct sw_log_arrival *arrival);
void sw_log_arrival_free(struct sw_log_arrival *arrival);

/* What is declared, once the order is known: SW_ERR_USAGE, SW_ERR_INPUT. And the judgement, once all is united. */
enum sw_code sw_log_judge(struct sw_scan_report *scan, struct sw_error *error);
enum sw_code sw_log_judge_gtids(struct sw_scan_report *scan, struct sw_error *error);
enum sw_code sw_log_add_gap(struct sw_scan_report *scan, const struct sw_log_gap *gap, struct sw_error *error);
/* The version of a space as a person reads it. */
char *sw_log_print(const struct sw_scan_report *scan, uint32_t space, struct sw_bytes version);
/* Calls `take` with each table that has events on both sides of a gap, in the order of their names; at most `most`. Gives their number;
 * UINT32_MAX if memory ran out. */
uint32_t sw_log_tables_around(const struct sw_scan_report *scan, const struct sw_log_gap *gap, uint32_t most, void (*take)(struct sw_bytes table, void *ctx), void *ctx);
/* RFC 3339 where the number can be told to be seconds to nanoseconds since 1970; else as it stands. */
void sw_log_print_time(struct sw_buffer *out, const struct sw_order_time *time);
bool sw_log_time_before(const struct sw_order_time *a, const struct sw_order_time *b);

#endif
