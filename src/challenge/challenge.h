/* A challenge while it runs, and its result: three lists of what was tried. */
#ifndef SW_CHALLENGE_CHALLENGE_H
#define SW_CHALLENGE_CHALLENGE_H

#include "challenge/mutation.h"
#include "reconcile/run.h"
#include "slackwater/challenge.h"

#define SW_CHALLENGE_ROWS_MAX 40
enum sw_challenge_list { SW_LIST_MUST_NOT_CHANGE, SW_LIST_MUST_BE_CAUGHT, SW_LIST_CANNOT_BE_CAUGHT, SW_LIST_COUNT };

/* What is declared can hide a fault; nothing else may. */
enum sw_hiding { SW_HIDDEN_BY_NOTHING, SW_HIDDEN_BY_COMPARE, SW_HIDDEN_BY_CONFLICTS, SW_HIDDEN_BY_IGNORE, SW_HIDDEN_BY_SCOPE, SW_HIDING_COUNT };

/* One line of a list. */
struct sw_challenge_row {
    enum sw_challenge_list list;
    const char *name, *title, *why;       /* static */
    const char *not_tried;                /* static; why, where `tried` is 0; NULL else */
    uint64_t tried;
    uint64_t passed;                      /* held, caught, or (of what cannot be caught) seen all the same */
    uint64_t hidden[SW_HIDING_COUNT];     /* of the others of SW_LIST_MUST_BE_CAUGHT */
    uint64_t shown;                       /* of its survivors, how many are kept */
};

/* One that got through: a fault that nothing told of, or a key that changed and must not. */
struct sw_survivor {
    uint32_t row;
    enum sw_hiding hidden;
    unsigned touched;                     /* keys; 0: it concerns none in particular */
    const struct sw_sample_key *keys[2];
    struct sw_bytes column;               /* empty: none in particular; views the schema or the mapping */
};

struct sw_challenge {
    const struct sw_challenge_options *options; /* while sw_challenge runs */
    struct sw_run *run;
    const struct sw_sample *sample;
    struct sw_sample inside;                    /* what `sample` views where a condition says which keys are in scope */
    uint64_t seed, sample_keys, sampled_of, listed;
    struct sw_trial trial;
    struct sw_subjects subjects;
    struct sw_challenge_row rows[SW_CHALLENGE_ROWS_MAX];
    uint32_t row_count;
    struct sw_survivor *survivors;
    size_t survivor_count, survivor_capacity;
};

/* A new line; its numbers are the caller's to fill in. Valid until the challenge is freed. */
struct sw_challenge_row *sw_challenge_row(struct sw_challenge *challenge, enum sw_challenge_list list, const char *name, const char *title, const char *why);
/* Keeps one that got through, unless its row has enough of them. */
enum sw_code sw_challenge_keep(struct sw_challenge *challenge, struct sw_challenge_row *row, const struct sw_survivor *survivor, struct sw_error *error);
/* A key that changed and must not: counted as tried, and as held if it did not. */
enum sw_code sw_challenge_held(struct sw_challenge *challenge, struct sw_challenge_row *row, size_t subject, bool held, struct sw_error *error);

/* What must not change anything, one concern a file; each adds its lines. */
enum sw_code sw_challenge_alone(struct sw_challenge *challenge, struct sw_error *error);    /* the sample by itself gives what the whole run gave */
enum sw_code sw_challenge_arrival(struct sw_challenge *challenge, struct sw_error *error);  /* shuffled */
enum sw_code sw_challenge_doubled(struct sw_challenge *challenge, struct sw_error *error);  /* each delivery twice */
enum sw_code sw_challenge_ways(struct sw_challenge *challenge, struct sw_error *error);     /* the sample through other threads, memory and partitions */
enum sw_code sw_challenge_again(struct sw_challenge *challenge, struct sw_error *error);    /* the inputs read again in other ways */
/* What must be caught, and what cannot be. */
enum sw_code sw_challenge_plant(struct sw_challenge *challenge, struct sw_error *error);

/* Faults that got through: which declaration hides this one? Folds it again as if that were not declared. */
enum sw_code sw_challenge_find_hiding(enum sw_hiding *out, const struct sw_challenge *challenge, const struct sw_mutant *mutant, struct sw_error *error);
/* As a person writes it: "--compare value" …; NULL for SW_HIDDEN_BY_NOTHING. Static. */
const char *sw_hiding_text(enum sw_hiding hiding);

uint64_t sw_challenge_total(const struct sw_challenge *challenge, enum sw_challenge_list list, bool passed);
/* What no challenge shows, as sentences; `index` from 0; NULL past the last. The first ones are about this one. */
const char *sw_challenge_limit(const struct sw_challenge *challenge, size_t index);

#endif
