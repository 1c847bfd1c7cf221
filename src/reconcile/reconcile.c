#include "slackwater/reconcile.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/options.h"
#include "base/workers.h"
#include "report/recheck.h"
#include "reconcile/recheck.h"

static char *now_text(void)
{
    char text[32];
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return sw_strdup(text);
}

static double seconds_since(const struct timespec *begun)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - begun->tv_sec) + (double)(now.tv_nsec - begun->tv_nsec) / 1e9;
}

bool sw_run_watch(void *ctx)
{
    static const char *const phases[] = {"reading baseline", "reading events", "reading expected"};
    struct sw_run *run = ctx;
    if (!run->options->progress)
        return true;
    struct sw_progress progress = {
        .phase = run->phase ? run->phase : phases[atomic_load(&run->reading.phase)], .records = atomic_load(&run->reading.records_done),
        .partitions = run->phase ? run->reading.record_partitions : 0, /* while reading there is nothing to count them by */
        .partitions_done = atomic_load(&run->partitions_done),
        .spilled_bytes = sw_spill_file_bytes(run->spill), .seconds = seconds_since(&run->begun)};
    bool streams = false;
    for (int r = 0; r < SW_ROLE_COUNT; r++)
        if (run->reading.roles[r].source) {
            uint64_t total = sw_source_stored_total(run->reading.roles[r].source);
            streams |= total == 0;
            progress.total_bytes += total;
            progress.bytes += sw_source_stored_done(run->reading.roles[r].source);
        }
    if (streams)
        progress.total_bytes = 0;
    return run->options->progress(&progress, run->options->progress_ctx) == 0;
}

void sw_run_cancel(void *ctx)
{
    struct sw_run *run = ctx;
    atomic_store(&run->stop, true);
    atomic_store(&run->reading.stop, true);
}

/* Threads that wait for a server must not wait for it any longer. */
void sw_run_cancel_reading(void *ctx)
{
    struct sw_run *run = ctx;
    sw_run_cancel(run);
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        if (run->reading.roles[role].source)
            sw_source_cancel(run->reading.roles[role].source);
}

enum sw_code sw_run_read_thread(unsigned index, void *ctx, struct sw_error *error)
{
    struct sw_run *run = ctx;
    return sw_read_thread(&run->reading, index, error);
}

enum sw_code sw_run_compare(struct sw_run *run, const struct sw_run_sampling *sampling, struct sw_error *error)
{
    enum sw_code code = sw_run_prepare(run, error);
    if (code < 0)
        return code;
    if (sampling) {
        size_t keys = sampling->keys;
        if ((run->mapping.scope || run->mapping.where) && sampling->outside_times > 1) /* some of the keys will turn out to be out of scope */
            keys = keys > sampling->keys_max / sampling->outside_times ? sampling->keys_max : keys * sampling->outside_times;
        run->sampler = run->reading.sampler = sw_sampler_new(sampling->seed, keys, run->report.threads);
        if (!run->sampler)
            return sw_fail_memory(error, "the sample", 0);
    }
    struct sw_workers readers = {run->report.threads, sw_run_read_thread, sw_run_watch, sw_run_cancel_reading, run};
    /* what says of which types its columns are comes first: all others take them over */
    for (int typed = 1; typed >= 0; typed--) {
        run->reading.typed = typed;
        if (sw_read_has_roles(&run->reading) && (code = sw_workers_run(&readers, error)) < 0)
            return code;
    }
    sw_read_finish(&run->reading);
    code = sw_run_settle(run, error);
    return code < 0 ? code : sw_run_fold(run, error);
}

static enum sw_code run_all(struct sw_run *run, const struct sw_run_sampling *sampling, struct sw_error *error)
{
    enum sw_code code = sw_run_compare(run, sampling, error);
    if (code < 0)
        return code;
    run->report.reached = now_text();
    run->report.seconds = seconds_since(&run->begun);
    sw_run_findings_open(run);
    if ((code = sw_run_result(run, error)) < 0 || (code = sw_run_recheck(run, error)) < 0)
        return code;
    if (run->report.recheck) { /* what is claimed now rests on the last reading */
        sw_free(run->report.reached);
        run->report.reached = now_text();
        run->report.seconds = seconds_since(&run->begun);
    }
    return sw_run_write_outputs(run, error);
}

enum sw_code sw_run_reconcile(struct sw_run **out, const struct sw_reconcile_options *options, const struct sw_run_sampling *sampling, struct sw_error *error)
{
    struct sw_reconcile_options complete; /* an older caller's structure may be shorter */
    sw_reconcile_options_init(&complete);
    *out = NULL;
    enum sw_code code = sw_options_take(&complete, sizeof complete, options, "sw_reconcile_options", error);
    if (code < 0)
        return code;
    struct sw_run *run = sw_run_new(&complete);
    if (!run)
        return sw_fail_memory(error, "a run", sizeof *run);
    code = run_all(run, sampling, error);
    run->options = NULL;
    if (code < 0) {
        sw_run_free(&run);
        return code;
    }
    *out = run;
    return SW_OK;
}

struct sw_run *sw_run_new(const struct sw_reconcile_options *options)
{
    struct sw_run *run = sw_calloc(1, sizeof *run);
    if (!run)
        return NULL;
    pthread_mutex_init(&run->reading.lock, NULL);
    pthread_cond_init(&run->reading.carry_turn, NULL);
    pthread_mutex_init(&run->reading.notes.lock, NULL);
    clock_gettime(CLOCK_MONOTONIC, &run->begun);
    run->options = options;
    run->report.started = now_text();
    return run;
}

enum sw_code sw_reconcile(struct sw_report **out, const struct sw_reconcile_options *options, struct sw_error *error)
{
    struct sw_run *run;
    *out = NULL;
    enum sw_code code = sw_run_reconcile(&run, options, NULL, error);
    if (code == SW_OK)
        *out = &run->report;
    return code;
}

static void free_texts(char **texts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        sw_free(texts[i]);
    sw_free(texts);
}

static void free_report(struct sw_report *report)
{
    sw_free(report->started);
    sw_free(report->servers);
    sw_free(report->reached);
    for (uint32_t i = 0; i < report->input_count; i++) {
        sw_free(report->inputs[i].locator);
        sw_free(report->inputs[i].position);
        sw_source_cut_free(&report->inputs[i].cut);
    }
    sw_free(report->inputs);
    free_texts(report->assumed, report->assumed_count);
    free_texts(report->notes, report->note_count);
    free_texts(report->spaces, report->space_count);
    for (uint32_t i = 0; i < report->kind_count; i++)
        sw_free(report->kinds[i].kind);
    sw_free(report->kinds);
    sw_free(report->tables);
    sw_recheck_report_free(&report->recheck);
    sw_evidence_free(report->evidence, report->evidence_count);
    sw_free(report->absent_columns);
    sw_free(report->column_keys);
    sw_free(report->sets);
    for (uint32_t i = 0; i < report->bad_listed; i++) {
        sw_free(report->bad[i].reason);
        sw_free(report->bad[i].text);
    }
    sw_free(report->bad);
    sw_free(report->transactions.listed);
    char *files[] = {report->report_file, report->differences_file, report->states_file, report->save_state_file, report->quarantine_file};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        sw_free(files[i]);
}

void sw_run_free(struct sw_run **pointer)
{
    struct sw_run *run = *pointer;
    *pointer = NULL;
    if (!run)
        return;
    for (int i = 0; i < SW_OUTPUT_COUNT; i++)
        sw_output_file_abort(&run->outputs[i]);
    free_report(&run->report);
    sw_around_free(&run->around);
    sw_run_merge_close(&run->stream.merge);
    sw_finding_room_free(&run->stream.room);
    sw_run_merge_close(&run->contradiction_stream.merge);
    sw_finding_room_free(&run->contradiction_stream.room);
    sw_reading_free(&run->reading);
    sw_sampler_free(&run->sampler);
    sw_runs_free(&run->findings);
    sw_runs_free(&run->states);
    sw_runs_free(&run->saved);
    sw_runs_free(&run->contradictions);
    sw_identity_reuse_free(&run->reused);
    sw_fold_links_free(&run->links);
    sw_scope_free(&run->scope);
    sw_free(run->tables);
    sw_free(run->table_keys);
    for (int i = 0; i < SW_ROLE_COUNT; i++)
        sw_free(run->locators[i]);
    sw_partition_store_free(&run->late);
    sw_free(run->taken_position);
    sw_free(run->in_evidence);
    sw_free(run->in_reference);
    sw_free(run->set_ranks);
    sw_free(run->truncates);
    sw_truncate_index_free(&run->truncate_index);
    sw_free(run->column_keys);
    sw_likeness_free(run->likeness, run->column_key_count);
    sw_key_likeness_free(&run->key_likeness);
    sw_free(run->table_counts);
    sw_spill_file_close(&run->spill);
    sw_spaces_free(&run->reading.spaces);
    sw_declared_positions_free(&run->cut);
    sw_declared_positions_free(&run->covered);
    sw_schema_free(&run->reading.schema);
    sw_mapping_free(&run->mapping);
    sw_free(run);
}

void sw_report_free(struct sw_report **report)
{
    if (!report || !*report)
        return;
    struct sw_run *run = (struct sw_run *)(void *)*report; /* the report is the run's first member */
    *report = NULL;
    sw_run_free(&run);
}
