/* The sample through the whole of the engine in other ways: as many threads, as little memory, as many partitions as a run might have. */
#include <stdatomic.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/workers.h"
#include "challenge/challenge.h"
#include "fold/fold_large.h"

struct way {
    const char *name, *title, *why;
    unsigned threads;
    uint32_t partitions;          /* a power of two */
    uint64_t stored_bytes;        /* what partitions may take before they go to disk */
    uint64_t fold_bytes;          /* what folding may take; 0: as a run would, in memory */
};

#define MUCH ((uint64_t)64 << 20)

static const struct way ways[] = {
    {"one-thread", "one thread", "The sample is spread and compared by one thread.", 1, 64, MUCH, 0},
    {"other-threads", "seven threads", "The sample is spread and compared by seven threads.", 7, 64, MUCH, 0},
    {"other-partitions", "one partition for all keys", "All keys of the sample stand in one partition.", 2, 1, MUCH, 0},
    {"other-memory", "hardly any memory", "The records go to disk, and are split and sorted outside of memory.", 2, 2, 1, 1},
};

/* One way through, shared by its threads. */
struct passage {
    struct sw_challenge *challenge;
    const struct way *way;
    struct sw_partition_store *store;
    struct sw_spill_file *spill;
    struct sw_budget budget;
    struct sw_runs *findings;
    uint64_t seed;
    _Atomic uint32_t next;
};

static enum sw_code spread(unsigned index, void *ctx, struct sw_error *error)
{
    struct passage *passage = ctx;
    const struct sw_sample *sample = passage->challenge->sample;
    struct sw_partition_writer *writer = sw_partition_writer_at(passage->store, index);
    uint64_t number = 0;
    for (size_t k = 0; k < sample->count; k++)
        for (size_t r = 0; r < sample->keys[k].count; r++) {
            const struct sw_record *record = &sample->keys[k].records[r];
            if (number++ % passage->way->threads != index)
                continue;
            uint64_t hash = sw_hash(record->key.at, record->key.len, passage->seed + record->table);
            uint8_t *to = sw_partition_append(writer, (uint32_t)(hash >> 32) & (passage->way->partitions - 1), record->bytes.len, error);
            if (!to)
                return error->code;
            memcpy(to, record->bytes.at, record->bytes.len);
        }
    return SW_OK;
}

/* What a folding thread collects. */
struct collector {
    const struct sw_fold_rules *rules;
    struct sw_run_batch batch;
    struct sw_buffer key, content;
};

static enum sw_code collect(const struct sw_draft *draft, void *ctx, struct sw_error *error)
{
    struct collector *collector = ctx;
    collector->key.len = collector->content.len = 0;
    sw_finding_sort_key(&collector->key, collector->rules->schema, draft->table, draft->key);
    sw_finding_record_write(&collector->content, draft);
    if (collector->key.failed || collector->content.failed || !sw_run_batch_add(&collector->batch, sw_buffer_view(&collector->key), sw_buffer_view(&collector->content)))
        return sw_fail_memory(error, "a finding", collector->content.len);
    return SW_OK;
}

static enum sw_code fold(unsigned index, void *ctx, struct sw_error *error)
{
    struct passage *passage = ctx;
    const struct sw_fold_rules *rules = &passage->challenge->run->rules;
    struct collector collector = {.rules = rules};
    struct sw_fold_sink sink = {.finding = collect, .ctx = &collector};
    struct sw_fold_worker *worker = sw_fold_worker_new(rules, &sink);
    struct sw_fold_room room = {0};
    enum sw_code code = worker ? SW_OK : sw_fail_memory(error, "folding", 0);
    uint32_t partition;
    (void)index;
    while (code == SW_OK && (partition = atomic_fetch_add(&passage->next, 1)) < passage->way->partitions) {
        struct sw_fold_large large = {&room, worker, rules, passage->store, partition, passage->seed, passage->way->fold_bytes, &passage->budget, passage->spill};
        code = passage->way->fold_bytes ? sw_fold_large_partition(&large, error) : sw_fold_partition(&room, worker, passage->store, partition, passage->seed, error);
        if (code == SW_OK)
            code = sw_run_batch_end(&collector.batch, passage->findings, error);
    }
    sw_fold_room_free(&room);
    sw_fold_worker_free(&worker);
    sw_run_batch_free(&collector.batch);
    sw_buffer_free(&collector.key);
    sw_buffer_free(&collector.content);
    return code;
}

/* Each key's finding as it was, and none where none was. */
static enum sw_code hold(struct passage *passage, struct sw_challenge_row *row, struct sw_error *error)
{
    struct sw_challenge *challenge = passage->challenge;
    struct sw_trial trial = {.rules = &challenge->run->rules, .places = true};
    struct sw_run_merge *merge = NULL;
    struct sw_bytes key = {0}, content = {0};
    enum sw_code code = sw_run_merge_open(&merge, passage->findings, error), got = SW_END;
    if (code == SW_OK)
        got = sw_run_merge_next(&key, &content, merge, error);
    for (size_t i = 0; i < challenge->subjects.count && code == SW_OK && got >= 0; i++) {
        const struct sw_sample_key *sample = challenge->subjects.at[i].sample;
        struct sw_outcome outcome;
        bool found = got == SW_OK && sw_bytes_equal(key, sample->sort_key);
        code = sw_trial_fold(&outcome, &trial, sample->records, sample->count, error);
        if (code == SW_OK)
            code = sw_challenge_held(challenge, row, i, sw_bytes_equal(outcome.finding, found ? content : (struct sw_bytes){0}), error);
        while (got == SW_OK && sw_bytes_compare(key, sample->sort_key) <= 0)
            got = sw_run_merge_next(&key, &content, merge, error);
    }
    sw_run_merge_close(&merge);
    sw_trial_free(&trial);
    return code < 0 ? code : got < 0 ? got : SW_OK;
}

static enum sw_code pass(struct sw_challenge *challenge, const struct way *way, struct sw_error *error)
{
    struct sw_challenge_row *row = sw_challenge_row(challenge, SW_LIST_MUST_NOT_CHANGE, way->name, way->title, way->why);
    struct passage passage = {.challenge = challenge, .way = way, .seed = challenge->seed};
    sw_budget_init(&passage.budget, (uint64_t)1 << 30);
    enum sw_code code = sw_spill_file_open(&passage.spill, challenge->options->run->temporary_directory, error);
    struct sw_partition_options options = {.partitions = way->partitions, .writers = way->threads, .memory_bytes = way->stored_bytes, .budget = &passage.budget, .spill = passage.spill};
    if (code == SW_OK)
        code = sw_partition_store_new(&passage.store, &options, error);
    if (code == SW_OK && !(passage.findings = sw_runs_new(MUCH, &passage.budget, passage.spill)))
        code = sw_fail_memory(error, "findings", 0);
    struct sw_workers workers = {.count = way->threads, .work = spread, .ctx = &passage};
    if (code == SW_OK)
        code = sw_workers_run(&workers, error);
    workers.work = fold;
    if (code == SW_OK)
        code = sw_workers_run(&workers, error);
    if (code == SW_OK)
        code = hold(&passage, row, error);
    sw_runs_free(&passage.findings);
    sw_partition_store_free(&passage.store);
    sw_spill_file_close(&passage.spill);
    return code;
}

enum sw_code sw_challenge_ways(struct sw_challenge *challenge, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && code == SW_OK; i++)
        code = pass(challenge, &ways[i], error);
    return code;
}
