/* What a judgement of continuity consists of, before it is written out. */
#ifndef SW_CONTINUITY_REPORT_H
#define SW_CONTINUITY_REPORT_H

#include "base/buffer.h"
#include "base/error.h"
#include "continuity/probed.h"
#include "report/sentence.h"
#include "slackwater/continuity.h"
#include "text/json_write.h"

/* A rule that decided. All texts are static; docs/positions.md lists them by name. */
struct sw_continuity_rule {
    const char *name;   /* "mysql.file.purged" */
    const char *text;   /* what it says, one sentence without a full stop */
    const char *source; /* where it comes from */
};

struct sw_interval {
    char *space, *from, *to;
    bool from_included, to_included, open, possible, discarded;
};

struct sw_continuity_report {
    const char *command; /* "position gap" */
    const char *kind;
    enum sw_continuity verdict;
    /* What the verdict would be if `conditions` held; the same as `verdict` if there are none. */
    enum sw_continuity conditional;
    const struct sw_continuity_rule *rule;
    const char *yes, *no;      /* the words for SW_CONTINUOUS, and for SW_GAP without an interval */
    struct sw_fact { const char *name; char *value; } facts[8]; /* the frame: canonical positions, times; value NULL = not given */
    size_t fact_count;
    struct sw_interval *intervals;
    size_t interval_count, interval_capacity;
    struct sw_sentences reasons;     /* why this verdict, the deciding one first */
    struct sw_sentences conditions;  /* what is not known and would have to hold */
    struct sw_sentences evidence;    /* what was read from pasted output */
    struct sw_sentences assumed;
    struct sw_sentences obligations; /* what follows, in the order to do it */
    struct sw_sentences limits;
    struct sw_probed *probed;        /* what a live source answered; NULL where none was asked. Owned */
    bool failed;                     /* memory ran out somewhere */
    struct sw_interval lost;         /* what is written to when it did */
};

struct sw_continuity_report *sw_continuity_report_new(const char *command, const char *kind);

/* Adds to the frame of the report; the value is copied, NULL stands for "not given". */
void sw_continuity_add_fact(struct sw_continuity_report *report, const char *name, const char *value);

/* The word for a verdict in this report. */
const char *sw_continuity_word(const struct sw_continuity_report *report, enum sw_continuity verdict);

/* Adds an interval; texts are copied. `to` NULL: open. Sets report->failed if memory runs out. */
struct sw_interval *sw_continuity_add_interval(struct sw_continuity_report *report, struct sw_bytes space, struct sw_bytes from, struct sw_bytes to, bool open);

/* Sets the verdict and the rule, and adds the reason as the first sentence. */
void sw_continuity_decide(struct sw_continuity_report *report, enum sw_continuity verdict, const struct sw_continuity_rule *rule, const char *format, ...) SW_PRINTF(4, 5);

/* Downgrades a verdict to "cannot tell" if it rests on conditions; called once, at the end. */
void sw_continuity_settle(struct sw_continuity_report *report);

/* Whether memory ran out in any part. */
bool sw_continuity_failed(const struct sw_continuity_report *report);

/* Begins a JSON answer: the opening brace, `schema` and `tool`. */
void sw_continuity_json_head(struct sw_json_writer *json, const char *schema);
/* Writes and frees what is in `out`: SW_OK, SW_ERR_MEMORY if it could not grow, SW_ERR_IO. */
enum sw_code sw_continuity_hand_over(struct sw_buffer *out, sw_write_fn write, void *ctx, struct sw_error *error);

#endif
