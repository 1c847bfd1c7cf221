#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/workers.h"
#include "fold/fold_late.h"
#include "reconcile/likeness.h"
#include "reconcile/run.h"
#include "reconcile/saved_members.h"

/* Folding may use this part of the budget, all threads together: records keep half of it until they are folded. */
#define FOLD_MEMORY_SHARE 4
/* So may records of keys that are folded late. */
#define LATE_MEMORY_SHARE 16
/* And a batch of records whose identity may stand for two contents, while nothing is folded yet. */
#define REUSE_MEMORY_SHARE 16

/* What identity scanning leaves behind: hashes that stand for two contents, and how often the others came again. */
struct identity_scan {
    struct sw_run *run;
    struct sw_buffer candidates;
    uint64_t repeats;
};

static bool next_partition(struct sw_run *run, uint32_t count, uint32_t *out)
{
    *out = atomic_fetch_add(&run->next_partition, 1);
    return *out < count && !atomic_load_explicit(&run->stop, memory_order_relaxed);
}

/* The context of the scan's threads is not the run. */
static bool watch_scan(void *ctx) { return sw_run_watch(((struct identity_scan *)ctx)->run); }
static void cancel_scan(void *ctx) { sw_run_cancel(((struct identity_scan *)ctx)->run); }

static enum sw_code scan_identities(unsigned index, void *ctx, struct sw_error *error)
{
    struct identity_scan *scan = ctx;
    struct sw_run *run = scan->run;
    struct sw_partition_load load = {0};
    struct sw_buffer table = {0}, candidates = {0}, all = {0};
    uint64_t repeats = 0;
    enum sw_code code = SW_OK;
    uint32_t partition;
    (void)index;
    while (code == SW_OK && next_partition(run, SW_IDENTITY_PARTITIONS, &partition)) {
        candidates.len = 0;
        code = sw_partition_load(&load, run->reading.identities, partition, error);
        if (code == SW_OK && !sw_identity_scan(&candidates, &repeats, partition, &load, &table))
            code = sw_fail_memory(error, "a table of identities", table.len);
        sw_buffer_add_bytes(&all, sw_buffer_view(&candidates));
        sw_partition_drop(run->reading.identities, partition);
    }
    pthread_mutex_lock(&run->reading.lock);
    sw_buffer_add_bytes(&scan->candidates, sw_buffer_view(&all));
    scan->repeats += repeats;
    if (code == SW_OK && (all.failed || scan->candidates.failed))
        code = sw_fail_memory(error, "identities used twice", all.len);
    pthread_mutex_unlock(&run->reading.lock);
    sw_partition_load_free(&load);
    sw_buffer_free(&table);
    sw_buffer_free(&candidates);
    sw_buffer_free(&all);
    if (code < 0)
        sw_run_cancel(run);
    return code;
}

static int by_number(const void *a, const void *b)
{
    uint64_t left, right;
    memcpy(&left, a, sizeof left);
    memcpy(&right, b, sizeof right);
    return (left > right) - (left < right);
}

static bool is_candidate(const struct sw_buffer *candidates, uint64_t hash)
{
    uint64_t name = sw_identity_name(hash);
    return bsearch(&name, candidates->at, candidates->len / sizeof name, sizeof name, by_number) != NULL;
}

/* The records that carry a candidate, by their identities. */
struct suspects {
    struct sw_run *run;
    const struct sw_buffer *candidates;
    struct sw_runs *runs;
    struct sw_run_batch batch;
};

static enum sw_code collect_suspects(struct sw_bytes left, void *ctx, struct sw_error *error)
{
    struct suspects *suspects = ctx;
    struct sw_run *run = suspects->run;
    struct sw_run_batch *batch = &suspects->batch;
    struct sw_bytes entry;
    enum sw_code code = SW_OK;
    while (code == SW_OK && sw_partition_next(&entry, &left)) {
        struct sw_record record;
        sw_record_read(&record, entry);
        if (!(record.flags & SW_RECORD_IDENTITY) || !is_candidate(suspects->candidates, sw_hash(record.identity.at, record.identity.len, run->reading.hash_seed)))
            continue;
        if (!sw_run_batch_add(batch, record.identity, entry))
            return sw_fail_memory(error, "identities used twice", batch->bytes.len);
        if (batch->bytes.len + batch->index.len > run->report.memory_limit / REUSE_MEMORY_SHARE)
            code = sw_run_batch_end(batch, suspects->runs, error);
    }
    return code;
}

/* Collects every record that carries a candidate, and finds byte by byte which identities really stand for two contents. */
static enum sw_code prove_reuse(struct sw_run *run, struct sw_buffer *candidates, uint64_t *repeats, struct sw_error *error)
{
    struct sw_partition_load room = {0};
    struct sw_run_merge *merge = NULL;
    if (!candidates->len)
        return SW_OK;
    qsort(candidates->at, candidates->len / sizeof(uint64_t), sizeof(uint64_t), by_number);
    struct suspects suspects = {.run = run, .candidates = candidates, .runs = sw_runs_new(run->report.memory_limit / REUSE_MEMORY_SHARE, &run->budget, run->spill)};
    enum sw_code code = suspects.runs ? SW_OK : sw_fail_memory(error, "sorted runs", 0);
    for (uint32_t p = 0; p < run->reading.record_partitions && code == SW_OK; p++)
        code = sw_partition_each(&room, run->reading.records, p, collect_suspects, &suspects, error);
    sw_partition_load_free(&room);
    if (code == SW_OK)
        code = sw_run_batch_end(&suspects.batch, suspects.runs, error);
    sw_run_batch_free(&suspects.batch);
    if (code == SW_OK)
        code = sw_run_merge_open(&merge, suspects.runs, error);
    uint64_t again = 0;
    if (code == SW_OK) {
        run->reused = sw_identity_reuse_new();
        code = run->reused ? sw_identity_reuse_merge(run->reused, &again, merge, run->reading.schema, error) : sw_fail_memory(error, "identities used twice", 0);
    }
    *repeats += again;
    run->rules.reused = code == SW_OK ? run->reused : NULL;
    sw_run_merge_close(&merge);
    sw_runs_free(&suspects.runs);
    return code;
}

/* One folding thread: what it emits goes to batches, one run a partition. */
struct folder {
    struct sw_run *run;
    struct sw_run_batch findings, states, saved, contradictions;
    struct sw_buffer key, content;
    struct sw_column_keys *columns; /* by id: [column_count] */
    struct sw_likeness *likeness;   /* the same */
    struct sw_likeness_room room;
    struct sw_key_likeness keys;
    uint32_t column_count;
};

/* Which columns make rows differ, or stay undecided: of many findings nobody reads more than a few. */
static void count_columns(struct folder *folder, const struct sw_draft *draft)
{
    bool different = draft->reason == SW_REASON_STATE_MISMATCH;
    if (!different && sw_reason_class(draft->reason) != SW_CLASS_UNDECIDED)
        return;
    for (uint32_t i = 0; different && i < draft->differing_count; i++)
        if (draft->differing[i] < folder->column_count)
            folder->columns[draft->differing[i]].different++;
    for (uint32_t i = 0; i < draft->unknown_count; i++)
        if (draft->unknown[i] < folder->column_count)
            folder->columns[draft->unknown[i]].unknown++;
    for (uint32_t i = 0; i < draft->incomparable_count; i++)
        if (draft->incomparable[i] < folder->column_count)
            folder->columns[draft->incomparable[i]].incomparable++;
}

static enum sw_code emit_finding(const struct sw_draft *draft, void *ctx, struct sw_error *error)
{
    struct folder *folder = ctx;
    folder->key.len = folder->content.len = 0;
    sw_finding_sort_key(&folder->key, folder->run->rules.schema, draft->table, draft->key);
    sw_finding_record_write(&folder->content, draft);
    if (folder->key.failed || folder->content.failed || !sw_run_batch_add(&folder->findings, sw_buffer_view(&folder->key), sw_buffer_view(&folder->content)))
        return sw_fail_memory(error, "a finding", folder->content.len);
    count_columns(folder, draft);
    if (draft->reason == SW_REASON_MISSING_STATE || draft->reason == SW_REASON_UNEXPECTED_STATE)
        sw_key_likeness_look(&folder->keys, &folder->room, folder->run->rules.schema, draft);
    if (draft->reason == SW_REASON_STATE_MISMATCH)
        sw_likeness_look(folder->likeness, folder->column_count, &folder->room, folder->run->rules.schema, draft);
    return SW_OK;
}

static enum sw_code emit_contradiction(const struct sw_draft *draft, void *ctx, struct sw_error *error)
{
    struct folder *folder = ctx;
    folder->key.len = folder->content.len = 0;
    sw_finding_sort_key(&folder->key, folder->run->rules.schema, draft->table, draft->key);
    sw_buffer_add_byte(&folder->key, 0);
    sw_buffer_add_bytes(&folder->key, sw_spaces_text(folder->run->rules.spaces, draft->cause_space));
    sw_buffer_add_byte(&folder->key, 0);
    sw_buffer_add_bytes(&folder->key, draft->cause_version);
    sw_finding_record_write(&folder->content, draft);
    if (folder->key.failed || folder->content.failed || !sw_run_batch_add(&folder->contradictions, sw_buffer_view(&folder->key), sw_buffer_view(&folder->content)))
        return sw_fail_memory(error, "a contradiction", folder->content.len);
    return SW_OK;
}

static enum sw_code emit_state(uint32_t table, struct sw_bytes key, const struct sw_draft_image *state, void *ctx, struct sw_error *error)
{
    struct folder *folder = ctx;
    folder->key.len = folder->content.len = 0;
    sw_finding_sort_key(&folder->key, folder->run->rules.schema, table, key);
    sw_finding_state_write(&folder->content, table, state);
    if (folder->key.failed || folder->content.failed || !sw_run_batch_add(&folder->states, sw_buffer_view(&folder->key), sw_buffer_view(&folder->content)))
        return sw_fail_memory(error, "a state", folder->content.len);
    return SW_OK;
}

static enum sw_code emit_record(const struct sw_record *record, void *ctx, struct sw_error *error)
{
    struct folder *folder = ctx;
    folder->key.len = folder->content.len = 0;
    enum sw_code code = sw_run_saved_line(&folder->key, &folder->content, folder->run, record, error);
    if (code == SW_OK && !sw_run_batch_add(&folder->saved, sw_buffer_view(&folder->key), sw_buffer_view(&folder->content)))
        code = sw_fail_memory(error, "a saved record", folder->content.len);
    return code;
}

static bool add_column_keys(struct sw_run *run, const struct folder *folder)
{
    if (!run->column_keys)
        run->column_keys = sw_calloc(folder->column_count, sizeof *run->column_keys);
    if (!run->likeness)
        run->likeness = sw_calloc(folder->column_count, sizeof *run->likeness);
    if (!run->column_keys || !run->likeness)
        return false;
    run->column_key_count = folder->column_count;
    sw_key_likeness_add(&run->key_likeness, &folder->keys);
    for (uint32_t c = 0; c < folder->column_count; c++) {
        run->column_keys[c].different += folder->columns[c].different;
        run->column_keys[c].unknown += folder->columns[c].unknown;
        run->column_keys[c].incomparable += folder->columns[c].incomparable;
        sw_likeness_add(&run->likeness[c], &folder->likeness[c]);
    }
    return true;
}

static bool add_counts(struct sw_run *run, const struct sw_fold_worker *worker)
{
    const struct sw_fold_counts *from = sw_fold_worker_counts(worker);
    struct sw_fold_counts *to = &run->counts;
    for (int i = 0; i < SW_DISPOSITION_COUNT; i++)
        to->dispositions[i] += from->dispositions[i];
    for (int i = 0; i < SW_CLASS_COUNT; i++)
        to->classes[i] += from->classes[i];
    for (int i = 0; i < SW_REASON_COUNT; i++)
        to->reasons[i] += from->reasons[i];
    to->states += from->states;
    to->tombstones += from->tombstones;
    to->duplicate_deliveries += from->duplicate_deliveries;
    to->duplicates_in_key += from->duplicates_in_key;
    to->reused_duplicates += from->reused_duplicates;
    to->repeated_records += from->repeated_records;
    to->unpositioned_reads += from->unpositioned_reads;
    to->superseded_reads += from->superseded_reads;
    to->unseen_updates += from->unseen_updates;
    to->claims_held += from->claims_held;
    to->claims_unheld += from->claims_unheld;
    to->contradictions += from->contradictions;
    to->read_contradictions += from->read_contradictions;
    to->outside += from->outside;
    to->open += from->open;
    to->unversioned_references += from->unversioned_references;
    uint32_t count;
    const struct sw_fold_table_counts *tables = sw_fold_worker_tables(worker, &count);
    if (count > run->table_count) {
        struct sw_fold_table_counts *grown = sw_realloc_array(run->table_counts, count, sizeof *grown);
        if (!grown)
            return false;
        memset(grown + run->table_count, 0, (count - run->table_count) * sizeof *grown);
        run->table_counts = grown;
        run->table_count = count;
    }
    for (uint32_t t = 0; t < count; t++) {
        run->table_counts[t].outside += tables[t].outside;
        for (int i = 0; i < SW_CLASS_COUNT; i++)
            run->table_counts[t].classes[i] += tables[t].classes[i];
        for (int i = 0; i < SW_REASON_COUNT; i++)
            run->table_counts[t].reasons[i] += tables[t].reasons[i];
    }
    return true;
}

static enum sw_code fold_partitions(unsigned index, void *ctx, struct sw_error *error)
{
    struct sw_run *run = ctx;
    const uint32_t columns = sw_schema_column_count(run->rules.schema);
    struct folder folder = {.run = run, .columns = sw_calloc(columns, sizeof *folder.columns), .likeness = sw_calloc(columns, sizeof *folder.likeness), .column_count = columns};
    struct sw_fold_sink sink = {.finding = emit_finding, .state = run->outputs[SW_OUTPUT_STATES] ? emit_state : NULL, .record = run->outputs[SW_OUTPUT_SAVE_STATE] ? emit_record : NULL, .contradiction = emit_contradiction, .ctx = &folder};
    struct sw_fold_worker *worker = sw_fold_worker_new(&run->rules, &sink);
    struct sw_fold_room room = {0};
    enum sw_code code = worker && folder.columns && folder.likeness ? SW_OK : sw_fail_memory(error, "folding", 0);
    uint32_t partition;
    uint64_t memory_bytes = run->report.memory_limit / FOLD_MEMORY_SHARE / run->report.threads;
    bool late = run->folding_late, unlinked = false;
    struct sw_partition_store *store = late ? run->late : run->reading.records;
    if (worker && run->late && !late)
        sw_fold_worker_set_late(worker, sw_partition_writer_at(run->late, index));
    while (code == SW_OK && next_partition(run, late ? SW_FOLD_LATE_PARTITIONS : run->reading.record_partitions, &partition)) {
        struct sw_fold_large large = {&room, worker, &run->rules, store, partition, run->reading.hash_seed, memory_bytes, &run->budget, run->spill};
        if (late)
            code = sw_fold_late_partition(&unlinked, &large, error);
        else if (sw_fold_partition_cost(store, partition) <= memory_bytes)
            code = sw_fold_partition(&room, worker, store, partition, run->reading.hash_seed, error);
        else
            code = sw_fold_large_partition(&large, error);
        if (unlinked)
            atomic_store(&run->unlinked, true);
        if (code == SW_OK)
            code = sw_run_batch_end(&folder.findings, run->findings, error);
        if (code == SW_OK)
            code = sw_run_batch_end(&folder.states, run->states, error);
        if (code == SW_OK)
            code = sw_run_batch_end(&folder.saved, run->saved, error);
        if (code == SW_OK)
            code = sw_run_batch_end(&folder.contradictions, run->contradictions, error);
        sw_partition_drop(store, partition);
        atomic_fetch_add(&run->partitions_done, !late);
    }
    if (code == SW_OK) {
        pthread_mutex_lock(&run->reading.lock);
        if (!add_counts(run, worker) || !add_column_keys(run, &folder))
            code = sw_fail_memory(error, "counts", 0);
        pthread_mutex_unlock(&run->reading.lock);
    }
    if (code < 0)
        sw_run_cancel(run);
    sw_fold_room_free(&room);
    sw_fold_worker_free(&worker);
    sw_run_batch_free(&folder.findings);
    sw_run_batch_free(&folder.states);
    sw_run_batch_free(&folder.saved);
    sw_run_batch_free(&folder.contradictions);
    sw_free(folder.columns);
    sw_likeness_free(folder.likeness, columns);
    sw_likeness_room_free(&folder.room);
    sw_key_likeness_free(&folder.keys);
    sw_buffer_free(&folder.key);
    sw_buffer_free(&folder.content);
    return code;
}

/* Which transactions have all the events that their ends count. */
static enum sw_code settle_members(struct sw_run *run, struct sw_error *error)
{
    struct sw_reading *reading = &run->reading;
    bool counted = reading->member_events || reading->member_ends, kept = run->outputs[SW_OUTPUT_SAVE_STATE] && reading->members;
    struct sw_member_totals begins = {0}, *totals = counted ? &run->members : &begins; /* begins alone say nothing yet */
    if (!counted && !kept)
        return SW_OK;
    struct sw_saved_members saved = {.run = run};
    if (kept) {
        totals->keep = sw_saved_keep_members;
        totals->keep_ctx = &saved;
    }
    enum sw_code code = sw_member_settle_all(totals, reading->members, SW_MEMBER_PARTITIONS, &reading->member_tables, error);
    if (code == SW_OK)
        code = sw_saved_end_members(&saved, error);
    totals->keep = NULL;
    totals->keep_ctx = NULL;
    sw_saved_members_free(&saved);
    return code;
}

/* Rows that moved lack columns which their old keys have: those keys are folded together, after the others. */
static enum sw_code prepare_late(struct sw_run *run, struct sw_error *error)
{
    struct sw_reading *reading = &run->reading;
    if (reading->links_left_out) {
        atomic_store(&run->unlinked, true);
        return SW_OK;
    }
    enum sw_code code = sw_fold_links_new(&run->links, sw_buffer_view(&reading->links), reading->hash_seed, error);
    if (code < 0 || !run->links)
        return code;
    struct sw_partition_options options = {.partitions = SW_FOLD_LATE_PARTITIONS, .writers = run->report.threads, .memory_bytes = run->report.memory_limit / LATE_MEMORY_SHARE,
                                           .budget = &run->budget, .spill = run->spill};
    run->rules.links = run->links;
    return sw_partition_store_new(&run->late, &options, error);
}

enum sw_code sw_run_fold(struct sw_run *run, struct sw_error *error)
{
    run->phase = "comparing";
    struct identity_scan scan = {.run = run};
    struct sw_workers workers = {run->report.threads, scan_identities, watch_scan, cancel_scan, &scan};
    enum sw_code code = run->reading.identity_entries ? sw_workers_run(&workers, error) : SW_OK;
    if (code == SW_OK)
        code = prove_reuse(run, &scan.candidates, &scan.repeats, error);
    sw_buffer_free(&scan.candidates);
    sw_partition_store_free(&run->reading.identities);
    if (code < 0)
        return code;
    code = settle_members(run, error);
    if (code == SW_OK)
        code = prepare_late(run, error);
    if (code < 0)
        return code;
    workers = (struct sw_workers){run->report.threads, fold_partitions, sw_run_watch, sw_run_cancel, run};
    for (int late = 0; late <= (run->late != NULL) && code == SW_OK; late++) {
        run->folding_late = late;
        atomic_store(&run->next_partition, 0);
        code = sw_workers_run(&workers, error);
    }
    uint64_t repeats = run->counts.duplicate_deliveries - run->counts.duplicates_in_key; /* of those that have entries */
    run->counts.duplicate_deliveries += run->truncate_repeats;
    if (code == SW_OK && repeats != scan.repeats)
        return sw_fail(error, SW_ERR_INTERNAL, "two hashes of 64 bits collided (%llu repeats by hash, %llu by content): run it again, it takes another seed",
                       (unsigned long long)scan.repeats, (unsigned long long)repeats);
    return code;
}
