/* A sample of a run's keys with all their records, taken while the inputs are read, so that whatever can be read once can be sampled.
 *
 * The keys are those with the lowest hashes of table name and key under the sample's seed: the same ones for any threads, memory, block
 * sizes and arrival. Each reading thread keeps the lowest keys that it has seen; a key that is among the lowest of all is among those of each thread. */
#ifndef SW_RECONCILE_SAMPLE_H
#define SW_RECONCILE_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "fold/links.h"
#include "model/record.h"
#include "model/schema.h"

/* A key with more records or bytes than this is left out of the sample, and counted. */
#define SW_SAMPLE_KEY_RECORDS_MAX 256u
#define SW_SAMPLE_KEY_BYTES_MAX ((size_t)1 << 20)

struct sw_sampler;
struct sw_sample_writer;

/* A key and its records, by role and place. Views into the sampler. */
struct sw_sample_key {
    uint32_t table;
    struct sw_bytes key;
    struct sw_bytes sort_key;      /* sw_finding_sort_key of it */
    struct sw_record *records;
    size_t count;
};

/* What sw_sampler_finish gives: keys in the order of findings (table name, key). */
struct sw_sample {
    struct sw_sample_key *keys;
    size_t count;
    uint64_t records;
    uint64_t left_out;             /* keys that were among the lowest and are too large */
    uint64_t linked;               /* keys that were among the lowest and are not folded alone */
};

/* A sampler of `keys` keys for `writers` threads. NULL if memory ran out. */
struct sw_sampler *sw_sampler_new(uint64_t seed, size_t keys, unsigned writers);
void sw_sampler_free(struct sw_sampler **sampler);
/* The writer of thread `index`; owned by the sampler. One thread at a time for a writer. */
struct sw_sample_writer *sw_sampler_writer(struct sw_sampler *sampler, unsigned index);
/* Looks at a record that goes to the fold. SW_ERR_MEMORY. */
enum sw_code sw_sample_take(struct sw_sample_writer *writer, const struct sw_schema *schema, const struct sw_record *record, struct sw_error *error);
/* Once no thread writes any more. Keys that `links` (may be NULL) folds together with others are left out. The sample is valid until the sampler is freed.
 * SW_ERR_MEMORY. */
enum sw_code sw_sampler_finish(const struct sw_sample **out, struct sw_sampler *sampler, const struct sw_schema *schema, const struct sw_fold_links *links, struct sw_error *error);

#endif
