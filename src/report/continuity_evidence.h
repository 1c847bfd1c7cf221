/* What reports of continuity (a scan of the events, a judged gap, a probe of the source) say to the history of a reconciliation. */
#ifndef SW_REPORT_CONTINUITY_EVIDENCE_H
#define SW_REPORT_CONTINUITY_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "fold/finding.h"
#include "text/json_write.h"

struct sw_report;
struct sw_claim;

/* An event that stands near a gap. */
struct sw_near_event {
    const struct sw_table *table;
    char *key, *position;      /* as JSON; as the order prints it */
    struct sw_place place;
};
#define SW_NEAR_EVENTS 8u

/* One gap. Texts are owned by the report. */
struct sw_evidence_gap {
    char *space, *from, *to;   /* `from` "": the start; `to` NULL: not known */
    char *proof;               /* "discarded at the source", "not seen" */
    bool from_included, to_included, possible;
    bool placed;               /* the run's order reads it, and it was held against every event */
    uint64_t before, after, inside; /* events of this run on either side, and, against what the evidence says, in it */
    char **tables; uint32_t table_count; /* with events on both sides; sorted */
    struct sw_near_event near_before[SW_NEAR_EVENTS], near_after[SW_NEAR_EVENTS]; /* the nearest first */
    uint32_t before_count, after_count;
};

struct sw_continuity_evidence {
    char *name;                /* of the file, or "scan" */
    char *command;             /* "position scan" … */
    char *verdict;             /* "continuous", "gap", "cannot tell" */
    char *claim;               /* what it says of the history in full; NULL: nothing */
    char **reasons; uint32_t reason_count;
    char **proofs; uint32_t proof_count;
    bool scan;                 /* it rests on event files */
    bool same_events;          /* of a scan: those that this run read */
    char *seen;                /* of a scan: the set of GTIDs in evidence; NULL: another order */
    bool change_of_space, begins_anew;
    uint64_t missing_events;   /* that counts of transactions prove to be missing */
    struct sw_evidence_gap *gaps; uint32_t gap_count;
    uint64_t gap_total;        /* with those that are not listed */
};

/* Gaps of all of it. */
uint64_t sw_evidence_gaps(const struct sw_report *report);
/* A gap, positions that begin anew, a change of space: what keeps exit status 0 away. */
bool sw_evidence_is_broken(const struct sw_report *report);
/* Adds to the verdict on the history, which holds what the events themselves say. */
void sw_evidence_judge(struct sw_claim *claim, const struct sw_report *report);
/* Writes the member `continuity`; nothing without evidence. */
void sw_evidence_write_json(struct sw_json_writer *json, const struct sw_report *report);
/* The gaps as a part of the summary; nothing without any. */
struct sw_page;
void sw_evidence_write_summary(const struct sw_page *page, const struct sw_report *report);
void sw_evidence_free(struct sw_continuity_evidence *evidence, uint32_t count);

#endif
