/* The cuts of a report: where each source stood when it was read, and whether what the two sides show compares. */
#ifndef SW_REPORT_CUTS_H
#define SW_REPORT_CUTS_H

#include "report/page.h"
#include "report/report.h"
#include "text/json_write.h"

#define SW_CUT_PAIRS_MAX 16u

struct sw_cut_pair {
    uint32_t evidence, expected; /* indexes of the report's inputs */
    struct sw_cuts_comparison answer;
};

struct sw_report_cuts {
    const char *relation;        /* "same-state", "later", "earlier", "mixed", "apart", "untold": how the destination stands to the evidence, over all pairs. NULL: one side was not given */
    bool comparable;             /* all of it stands in one log */
    bool live;                   /* some input is no file */
    const char *sentence;
    struct sw_cut_pair pairs[SW_CUT_PAIRS_MAX]; /* of inputs that are no files; the first ones */
    uint32_t pair_count;
    uint64_t more_pairs;
};
void sw_report_cuts(struct sw_report_cuts *out, const struct sw_report *report);

/* The member `cut` of an input, if it has one that is no file's. */
void sw_cut_write_json(struct sw_json_writer *json, const char *name, const struct sw_source_cut *cut);
/* The member `cuts`, if both sides were given. */
void sw_cuts_write_json(struct sw_json_writer *json, const struct sw_report *report);
/* A section of the summary, where an input is no file. */
void sw_cuts_write_summary(const struct sw_page *page, const struct sw_report *report);

#endif
