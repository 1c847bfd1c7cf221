#include "broken_engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "fold/key_order.h"
#include "fold/worker.h"

_Atomic int engine_in_use, engine_runs;

enum sw_code __real_sw_fold_key(struct sw_fold_worker *worker, struct sw_record *records, size_t count, const struct sw_fold_unlisted *unlisted, struct sw_error *error);
enum sw_code __wrap_sw_fold_key(struct sw_fold_worker *worker, struct sw_record *records, size_t count, const struct sw_fold_unlisted *unlisted, struct sw_error *error);

/* Records that the engine does not look at are still accounted for: it is wrong, and its sums add up. */
static void pass_over(struct sw_fold_worker *worker, const struct sw_record *record)
{
    worker->counts.dispositions[SW_DISPOSITION_SUPERSEDED] += record->role != SW_RECORD_ROLE_FOLLOWING;
}

static size_t without_tombstones(struct sw_fold_worker *worker, struct sw_record *records, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (records[i].role != SW_ROLE_EXPECTED && (records[i].flags & SW_RECORD_DELETED))
            pass_over(worker, &records[i]);
        else
            records[kept++] = records[i];
    return kept;
}

static size_t last_arrival(struct sw_fold_worker *worker, struct sw_record *records, size_t count)
{
    size_t kept = 0, last = SIZE_MAX;
    for (size_t i = 0; i < count; i++)
        if (records[i].role != SW_ROLE_EXPECTED && (last == SIZE_MAX || sw_fold_compare_places(&records[last], &records[i]) < 0))
            last = i;
    for (size_t i = 0; i < count; i++)
        if (records[i].role == SW_ROLE_EXPECTED || i == last)
            records[kept++] = records[i];
        else
            pass_over(worker, &records[i]);
    return kept;
}

/* What the sound engine would say of the key. */
struct said {
    enum sw_reason reason;
    struct sw_draft_image state, expected;
};

static enum sw_code take(const struct sw_draft *draft, void *ctx, struct sw_error *error)
{
    struct said *said = ctx;
    (void)error;
    *said = (struct said){draft->reason, draft->state, draft->expected};
    return SW_OK;
}

/* A sum over the columns: what is swapped between two rows leaves it as it was. */
static uint64_t sum_of(const struct sw_fold_rules *rules, const struct sw_draft_image *image)
{
    const struct sw_column_set *set = sw_schema_set_at(rules->schema, image->set);
    struct sw_bytes values = image->values;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < set->count; i++) {
        struct sw_value value = sw_value_next(&values);
        sum += sw_hash(value.canonical.at, value.canonical.len, set->columns[i]->id);
    }
    return sum;
}

/* Makes the reference row the very row of the state if the totals agree. */
static void agree_by_totals(struct sw_fold_worker *worker, struct sw_record *records, size_t count)
{
    static _Thread_local uint64_t total;
    static _Thread_local int run;
    struct said said = {SW_REASON_NONE, {0}, {0}};
    struct sw_fold_sink sink = {.finding = take, .ctx = &said};
    struct sw_fold_worker *scratch = sw_fold_worker_new(worker->rules, &sink);
    struct sw_record *copies = malloc(count * sizeof *copies);
    memcpy(copies, records, count * sizeof *copies);
    if (run != engine_runs)
        total = 0;
    run = engine_runs;
    if (__real_sw_fold_key(scratch, copies, count, NULL, NULL) == SW_OK && said.reason == SW_REASON_STATE_MISMATCH && !said.state.deleted && !said.expected.deleted) {
        total += sum_of(worker->rules, &said.state) - sum_of(worker->rules, &said.expected);
        for (size_t i = 0; i < count && total == 0; i++)
            if (records[i].role == SW_ROLE_EXPECTED) {
                records[i].space = said.state.space;
                records[i].version = said.state.version;
                records[i].set = said.state.set;
                records[i].values = said.state.values;
            }
    }
    free(copies);
    sw_fold_worker_free(&scratch);
}

enum sw_code __wrap_sw_fold_key(struct sw_fold_worker *worker, struct sw_record *records, size_t count, const struct sw_fold_unlisted *unlisted, struct sw_error *error)
{
    switch ((enum broken_engine)engine_in_use) {
    case ENGINE_IGNORES_TOMBSTONES: count = without_tombstones(worker, records, count); break;
    case ENGINE_KEEPS_LAST_ARRIVAL: count = last_arrival(worker, records, count); break;
    case ENGINE_COMPARES_TOTALS: agree_by_totals(worker, records, count); break;
    case ENGINE_SOUND:
    case ENGINE_COUNT: break;
    }
    return count ? __real_sw_fold_key(worker, records, count, unlisted, error) : SW_OK;
}
