/* What reading the differing keys again said of each difference (--recheck), and what may be said of it.
 *
 * The first comparison stands as it was found. A difference that a later reading did not show any more was under way; that never makes a state in which all keys are equal, since
 * no reading showed all of them at once. */
#ifndef SW_REPORT_RECHECK_H
#define SW_REPORT_RECHECK_H

#include "fold/finding.h"
#include "fold/key_list.h"
#include "report/page.h"
#include "report/report.h"
#include "report/sentence.h"
#include "text/json_write.h"

enum sw_recheck_outcome {
    SW_RECHECK_IN_FLIGHT,  /* a later reading showed the key equal */
    SW_RECHECK_PERSISTENT, /* every later reading showed both rows as the first one did */
    SW_RECHECK_CHANGING,   /* it differs still, but not as it did: something writes to it */
    SW_RECHECK_UNDECIDED,  /* no later reading proves anything of it */
    SW_RECHECK_LEFT_OUT,   /* beyond the most keys that are read again */
    SW_RECHECK_COUNT
};
/* "in-flight", "persistent", "changing", "undecided", "left-out". Static. */
const char *sw_recheck_outcome_name(enum sw_recheck_outcome outcome);

/* One key that was read again, by its index in the list. */
struct sw_recheck_key {
    uint8_t outcome;
    bool conflict;                /* its class at first was conflict, not different */
    bool changed;                 /* some reading showed other rows than the first one */
    uint32_t seen;                /* the last round that showed it different; 0: the first comparison */
    uint32_t gone;                /* the round that showed it equal; 0: none did */
};

struct sw_recheck_input {
    enum sw_role role;
    char *locator;                /* without secrets */
    bool live;                    /* no file */
    bool by_key;                  /* the source was asked for the keys alone */
    uint64_t records;
    struct sw_source_cut cut;
    struct sw_cuts_comparison answer; /* how it stands to the reading before */
};

struct sw_recheck_round {
    char *at;                     /* RFC 3339: when the reading began */
    double after;                 /* seconds since the first comparison began to read */
    uint64_t keys, gone, unchanged, changed, undecided;
    bool proves;                  /* it was read of the same sources, later, with nothing lost in between */
    bool untold;                  /* a live source tells no position: that this reading is the later one rests on the time alone */
    char why[SW_ERROR_TEXT_MAX];  /* if it proves nothing: why not */
    struct sw_recheck_input *inputs; uint32_t input_count;
};

struct sw_recheck_report {
    double seconds;               /* as declared: to wait before each reading */
    uint32_t times;
    struct sw_key_list *list;     /* the keys that were read again, in the order of findings */
    struct sw_recheck_key *keys;  /* of each */
    uint64_t outcomes[SW_RECHECK_COUNT];
    uint64_t in_flight_different; /* of those in flight: of class different; the others were in conflict */
    uint64_t keys_max;            /* the most that are read again, by count or by --memory */
    struct sw_recheck_round *rounds; uint32_t round_count;
    bool file_evidence;           /* baseline or events are files, which say the same again */
};
void sw_recheck_report_free(struct sw_recheck_report **recheck);

/* How many differences were gone at a later reading; 0 without --recheck. */
uint64_t sw_report_in_flight(const struct sw_report *report);
/* Of those of class different. */
uint64_t sw_report_in_flight_different(const struct sw_report *report);

/* The member `recheck` of the report, and of a finding; nothing without --recheck, or for one that is undecided. */
void sw_recheck_write_json(struct sw_json_writer *json, const struct sw_report *report);
void sw_recheck_write_finding_json(struct sw_json_writer *json, const struct sw_report *report, const struct sw_finding *finding);
/* "in-flight", … of a finding, or NULL. */
const char *sw_recheck_finding_word(const struct sw_report *report, const struct sw_finding *finding);
/* "gone when it was read again, 2.0 s after it was first seen" …; nothing without --recheck. */
void sw_recheck_finding_sentence(struct sw_buffer *out, const struct sw_report *report, const struct sw_finding *finding);
/* A section of the summary. */
void sw_recheck_write_summary(const struct sw_page *page, const struct sw_report *report);
/* Reasons for the verdict on the current state, what this does not show, and what to do next. */
void sw_recheck_judge(struct sw_sentences *reasons, const struct sw_report *report);
void sw_recheck_limits(struct sw_sentences *out, const struct sw_report *report);
void sw_recheck_next(struct sw_sentences *out, const struct sw_report *report);

#endif
