/* Judging one saved position: what the shared code prepares and each kind decides. */
#ifndef SW_CONTINUITY_GAP_H
#define SW_CONTINUITY_GAP_H

#include "continuity/report.h"
#include "continuity/shown.h"
#include "position/position.h"

struct sw_gap_case;

/* What a live source answered, for a judgement that rests on it and not on what somebody pasted. */
struct sw_gap_probed {
    const char *command;
    struct sw_shown shown; /* borrowed */
    /* Called when the verdict stands, before identity and conditions are weighed. */
    void (*weigh)(struct sw_gap_case *gap, void *ctx);
    void *ctx;
    const char *same_source; /* why identity that is not given is the same nevertheless; NULL: nothing shows that */
};

struct sw_gap_case {
    const struct sw_gap_options *options;
    const struct sw_position_kind *kind; /* of the source itself, also where options->kind is "datastream" */
    struct sw_position *saved, *first, *last; /* owned; NULL = not known */
    struct sw_position_history *history;
    struct sw_shown shown;
    const struct sw_gap_probed *probed; /* NULL: what was pasted */
    struct sw_position_compare_options compare; /* with the history; identity that is missing does not stop a comparison here */
    struct sw_continuity_report *report;
    struct sw_error *error;
};

struct sw_gap_judge {
    const struct sw_position_kind *kind;
    /* Fills first, last and their identity from what was shown, where the options do not give them; may be NULL. */
    enum sw_code (*gather)(struct sw_gap_case *gap);
    /* Decides, as if identity that is not given were the same; adds conditions, intervals, obligations and limits. */
    enum sw_code (*decide)(struct sw_gap_case *gap);
};

extern const struct sw_gap_judge sw_gap_postgres, sw_gap_mysql, sw_gap_mysql_gtid, sw_gap_mariadb, sw_gap_oracle, sw_gap_sqlserver, sw_gap_mongodb, sw_gap_kafka;

/* As sw_continuity_gap; `probed` NULL: with what the options show. */
enum sw_code sw_gap_run(struct sw_continuity_report **out, const struct sw_gap_options *options, const struct sw_gap_probed *probed, struct sw_error *error);

/* What to say to somebody who can paste more, or give options, and what where the source itself was asked. */
static inline const char *sw_gap_says(const struct sw_gap_case *gap, const char *pasted, const char *probed) { return gap->probed ? probed : pasted; }

/* Reads a position out of pasted output; `what` names the column. Empty or NULL: *out stays NULL. */
enum sw_code sw_gap_read(struct sw_position **out, struct sw_gap_case *gap, struct sw_bytes text, const char *what);
/* The value of that name, as a position. */
enum sw_code sw_gap_read_value(struct sw_position **out, struct sw_gap_case *gap, const char *name);
/* Gives *position (if any) an attribute it lacks; a different value that it has is left alone, and will not compare. */
enum sw_code sw_gap_identify(struct sw_position **position, const char *attribute, struct sw_bytes value, struct sw_error *error);

/* Compares; where that is impossible, decides "cannot tell" with the reason. True if it compared. */
bool sw_gap_compared(struct sw_gap_case *gap, enum sw_position_order *order, const struct sw_position *a, const struct sw_position *b);

/* Whether two positions are of one space, whatever their order; decides "cannot tell" if not. */
bool sw_gap_same_space(struct sw_gap_case *gap, const struct sw_position *a, const struct sw_position *b);

/* Adds [from, to), texts without attributes; `to` NULL: open. */
struct sw_interval *sw_gap_interval(struct sw_gap_case *gap, const struct sw_position *from, const struct sw_position *to);

/* The text of a position without its attributes, cut to fit a sentence. */
#define SW_GAP_NAME_MAX 96
const char *sw_gap_name(char out[SW_GAP_NAME_MAX], struct sw_gap_case *gap, const struct sw_position *position);

/* What follows from any gap, around the sentences of a kind: get the log back and retry; else start at the first
 * position that is there; record, backfill and compare the interval; what retention still allows. */
void sw_gap_follow(struct sw_gap_case *gap, const char *recover, const char *start, const char *retention);

#endif
