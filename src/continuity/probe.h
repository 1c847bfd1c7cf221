/* Asking a live source: what the shared code does around the questions of each system.
 *
 * A system's file connects, asks, and notes the answers as the judge of pasted output reads them (shown), as objects for the report, and as
 * sentences; then it has the position judged. Rules of continuity stand in gap_*.c alone. */
#ifndef SW_CONTINUITY_PROBE_H
#define SW_CONTINUITY_PROBE_H

#include "client/locator.h"
#include "client/rows.h"
#include "continuity/gap.h"

#define SW_PROBE_ANSWERS_MAX 16

struct sw_probe {
    const struct sw_probe_options *options;
    struct sw_locator locator;
    struct sw_gap_options gap;          /* what the judge is given; a system's file may set kind, saved, first, last */
    struct sw_rows answers[SW_PROBE_ANSWERS_MAX];
    size_t answer_count;
    struct sw_named_text history;       /* read at the source; owned */
    struct sw_probed *probed;
    struct sw_sentences reasons, conditions, evidence, assumed, obligations, limits; /* go to the report */
    const char *same_source_because;    /* why identity that is not given is nevertheless the same; static */
    bool failed;
    struct sw_continuity_report *report;
    struct sw_error *error;
};

/* The next answer to fill. A place beyond the last is never needed: the number of questions is fixed. */
struct sw_rows *sw_probe_answer(struct sw_probe *probe);

/* Has the saved position judged; `conclude` is called once the verdict stands. */
enum sw_code sw_probe_judge(struct sw_probe *probe, void (*conclude)(struct sw_probe *probe, struct sw_gap_case *gap, void *facts), void *facts);

/* Notes the columns of a row as members of an object, the values of a two-column answer as settings. */
void sw_probe_object(struct sw_probe *probe, const char *type, const struct sw_client_table *table, size_t row);
void sw_probe_settings(struct sw_probe *probe, const struct sw_client_table *table);

/* A setting as a number; false if it was not told or is none. */
bool sw_probe_number(int64_t *out, const struct sw_probe *probe, const char *setting);

/* Asks for the locator's table and those of the options, each given as SCHEMA (or NULL) and TABLE. False in *any if there is none. */
enum sw_code sw_probe_tables(bool *any, struct sw_probe *probe, enum sw_code (*ask)(void *facts, const char *schema, const char *table), void *facts);

/* "3.2 GiB" / "6 d 3 h" of milliseconds. */
#define SW_PROBE_TEXT_MAX 40
const char *sw_probe_bytes(char out[SW_PROBE_TEXT_MAX], int64_t bytes);
const char *sw_probe_duration(char out[SW_PROBE_TEXT_MAX], int64_t milliseconds);

enum sw_code sw_probe_postgres(struct sw_probe *probe);
enum sw_code sw_probe_mariadb(struct sw_probe *probe);
enum sw_code sw_probe_kafka(struct sw_probe *probe);

#endif
