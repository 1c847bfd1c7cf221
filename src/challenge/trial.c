#include "challenge/trial.h"

#include <string.h>

#include "base/memory.h"
#include "fold/truncates.h"
#include "fold/finding_record.h"

static enum sw_code take_finding(const struct sw_draft *draft, void *ctx, struct sw_error *error)
{
    struct sw_trial *trial = ctx;
    struct sw_draft told = *draft;
    if (!trial->places) {
        told.place_count = 0;
        told.more_places = 0;
    }
    trial->reason = draft->reason;
    sw_finding_record_write(&trial->finding, &told);
    return trial->finding.failed ? sw_fail_memory(error, "a finding", trial->finding.len) : SW_OK;
}

enum sw_code sw_trial_fold(struct sw_outcome *out, struct sw_trial *trial, const struct sw_record *records, size_t count, struct sw_error *error)
{
    *out = (struct sw_outcome){.reason = SW_REASON_NONE};
    trial->finding.len = 0;
    trial->reason = SW_REASON_NONE;
    if (count == 0)
        return SW_OK;
    if (!trial->worker) {
        struct sw_fold_sink sink = {.finding = take_finding, .ctx = trial};
        trial->worker = sw_fold_worker_new(trial->rules, &sink);
        if (!trial->worker)
            return sw_fail_memory(error, "folding", 0);
    }
    size_t room = count + sw_fold_truncates_max(trial->rules, count);
    if (room > trial->capacity) {
        struct sw_record *grown = sw_realloc_array(trial->records, room * 2, sizeof *grown);
        if (!grown)
            return sw_fail_memory(error, "the records of a key", room * sizeof *grown);
        trial->records = grown;
        trial->capacity = room * 2;
    }
    memcpy(trial->records, records, count * sizeof *records);
    sw_fold_add_truncates(trial->records, &count, trial->rules);
    uint64_t before = sw_fold_worker_counts(trial->worker)->contradictions, outside = sw_fold_worker_counts(trial->worker)->outside;
    enum sw_code code = sw_fold_key(trial->worker, trial->records, count, NULL, error);
    out->contradictions = sw_fold_worker_counts(trial->worker)->contradictions - before;
    out->outside = sw_fold_worker_counts(trial->worker)->outside != outside;
    out->reason = trial->reason;
    out->finding = sw_buffer_view(&trial->finding);
    return code;
}

uint64_t sw_trial_disposed(const struct sw_trial *trial)
{
    uint64_t sum = 0;
    for (int i = 0; trial->worker && i < SW_DISPOSITION_COUNT; i++)
        sum += sw_fold_worker_counts(trial->worker)->dispositions[i];
    return sum;
}

void sw_trial_free(struct sw_trial *trial)
{
    sw_fold_worker_free(&trial->worker);
    sw_buffer_free(&trial->finding);
    sw_free(trial->records);
    *trial = (struct sw_trial){0};
}
