/* Challenge: could the answer of a reconciliation be wrong?
 *
 * One call runs a reconciliation as sw_reconcile does, keeps a sample of its keys with all their records, and then tries to disprove
 * the result: it changes what must not matter (arrival, repeated deliveries, threads, memory, sizes of blocks) and looks whether anything
 * changes, and it plants faults (a row too many, two values swapped so that totals cancel, a tombstone removed …) and looks whether each is noticed.
 * A fault that is not noticed is a *survivor*; it comes with the option that hides it. What no comparison of this kind can notice is shown, too.
 *
 *     struct sw_challenge_options options;
 *     sw_challenge_options_init(&options);
 *     options.run = &run;                       …as for sw_reconcile
 *     struct sw_challenge *challenge = NULL;
 *     if (sw_challenge(&challenge, &options, &error) == SW_OK) {
 *         if (sw_challenge_write_summary(challenge, &style, write, ctx, &error) == SW_OK)
 *             status = sw_challenge_exit_status(challenge);
 *     }
 *     sw_challenge_free(&challenge);
 */
#ifndef SLACKWATER_CHALLENGE_H
#define SLACKWATER_CHALLENGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slackwater/error.h"
#include "slackwater/export.h"
#include "slackwater/reconcile.h"
#include "slackwater/report.h"

SW_BEGIN_DECLS

struct sw_challenge;

/* What is challenged, and how hard. Always initialise with sw_challenge_options_init. */
struct sw_challenge_options {
    size_t struct_size;                        /* set by init: the size the caller was compiled with */
    const struct sw_reconcile_options *run;    /* borrowed until the call returns; its outputs are written as sw_reconcile would. `expected` must be given */
    uint64_t seed;                             /* which keys are sampled, and how they are shuffled and paired; init sets 1 */
    uint64_t sample_keys;                      /* how many keys are kept with all their records, 1 to 100000; init sets 1000 */
    uint64_t again_bytes;                      /* inputs that are all regular files, of at most so many bytes as stored together, are read again in other ways; init
                                                * sets 256 MiB; 0 = never */
    uint64_t listed_survivors;                 /* how many of each kind the result names; init sets 20 */
    const char *report_file;                   /* JSON, appears whole or not at all; NULL = none */
};

/* As sw_reconcile_options_init_sized. */
SW_API void sw_challenge_options_init_sized(struct sw_challenge_options *options, size_t size);

/* Sets every field to its default. */
static inline void sw_challenge_options_init(struct sw_challenge_options *options) { sw_challenge_options_init_sized(options, sizeof *options); }

/* Reconciles, then tries to disprove the result.
 *
 * Returns SW_OK with *out set, whatever survived (see sw_challenge_exit_status); otherwise nothing is claimed and *out is NULL: as sw_reconcile,
 *         and SW_ERR_USAGE if there is no reference, or if sample_keys is out of its range.
 * Owner   the caller frees it with sw_challenge_free.
 * Threads as sw_reconcile.
 * Cost    one reconciliation, and a sample of it in memory; inputs within again_bytes are read three times more. The same inputs, options
 *         and seed give the same bytes in every form of the result, whatever the threads, the memory and the chunking. */
SW_API SW_MUST_USE enum sw_code sw_challenge(struct sw_challenge **out, const struct sw_challenge_options *options, struct sw_error *error);

/* 0 nothing survived that should have been noticed, and nothing changed that should not; 1 something did; 2 bad records (as for the reconciliation);
 * 3 nothing could be tried. Precedence 2, 1, 3, 0. */
SW_API int sw_challenge_exit_status(const struct sw_challenge *challenge);

/* Totals: "tried", "caught", "survived" (faults), "held", "changed" (what must not matter), "keys" (of the sample). False if there is no such count. */
SW_API bool sw_challenge_count(uint64_t *out, const struct sw_challenge *challenge, const char *name);

/* The JSON form, schema "slackwater.challenge/1": docs/challenge.md explains it, docs/challenge.schema.json is the schema. Returns as sw_report_write_json. */
SW_API SW_MUST_USE enum sw_code sw_challenge_write_json(const struct sw_challenge *challenge, sw_write_fn write, void *ctx, struct sw_error *error);

/* The text for people; `style->differences` says how many survivors are shown (0 = 5). Returns as sw_report_write_json. */
SW_API SW_MUST_USE enum sw_code sw_challenge_write_summary(const struct sw_challenge *challenge, const struct sw_summary_style *style, sw_write_fn write, void *ctx, struct sw_error *error);

/* Accepts NULL. */
SW_API void sw_challenge_free(struct sw_challenge **challenge);

SW_END_DECLS

#endif
