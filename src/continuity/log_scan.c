/* One scan, from declarations to a judgement. */
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/options.h"
#include "base/workers.h"
#include "continuity/log_scan.h"

void sw_scan_options_init_sized(struct sw_scan_options *options, size_t size) { sw_options_init(options, size); }

/* The same declarations, as a reading of events alone takes them. */
static void declare(struct sw_reconcile_options *to, const struct sw_scan_options *from)
{
    sw_reconcile_options_init(to);
    to->events = from->events;
    to->event_count = from->event_count;
    to->events_query = from->events_query;
    to->format = from->format;
    to->map_file = from->map_file;
    to->order = from->order;
    to->version = from->version;
    to->operation = from->operation;
    to->baseline_position = from->baseline_position;
    to->space = from->space;
    to->threads = from->threads;
    to->memory_bytes = from->memory_bytes;
    to->temporary_directory = from->temporary_directory;
    to->block_bytes = from->block_bytes;
    to->record_bytes_max = from->record_bytes_max;
    to->kernel = from->kernel;
    to->report_file = from->report_file; /* decides whether the inputs are digested */
    to->digest = from->digest;
    to->progress = from->progress;
    to->progress_ctx = from->progress_ctx;
}

static bool copy_text(char **to, const char *from)
{
    *to = from ? sw_strdup(from) : NULL;
    return !from || *to;
}

static enum sw_code check_declared(const struct sw_scan_options *options, const struct sw_order *order, struct sw_error *error)
{
    bool gtids = order == &sw_order_mysql_gtid;
    struct sw_error inner = {0};
    const struct { const char *name, *value; } sets[] = {{"--after", options->after}, {"--executed", options->executed}, {"--purged", options->purged}},
                                             places[] = {{"--expect-first", options->expect_first}, {"--expect-last", options->expect_last}, {"--available", options->available}};
    for (size_t i = 0; i < 3; i++) {
        if (sets[i].value && !gtids)
            return sw_fail(error, SW_ERR_USAGE, "%s takes a set of GTIDs, and the order is '%s'; --expect-first, --expect-last and --available take its positions", sets[i].name, order ? order->name : "none");
        if (places[i].value && gtids)
            return sw_fail(error, SW_ERR_USAGE, "%s takes a position, and those of the order mysql-gtid are sets: --after says what was processed before, --executed what should be there, --purged what is discarded", places[i].name);
    }
    for (size_t i = 0; i < 6 && order; i++) { /* whatever is declared wrongly is said before hours of reading */
        const char *name = i < 3 ? sets[i].name : places[i - 3].name, *value = i < 3 ? sets[i].value : places[i - 3].value;
        struct sw_order_positions positions = {0};
        struct sw_gtid_set set = {0};
        enum sw_code code = !value ? SW_OK : gtids ? sw_gtid_set_parse(&set, sw_bytes_text(value), NULL, &inner) : sw_order_positions_parse(&positions, order, sw_bytes_text(value), &inner);
        sw_gtid_set_free(&set);
        sw_order_positions_free(&positions);
        if (code < 0)
            return sw_fail(error, code == SW_ERR_MEMORY ? code : SW_ERR_USAGE, "%s: %.900s", name, inner.text);
    }
    if (options->dense && !sw_log_has_numbers(order))
        return sw_fail(error, SW_ERR_USAGE, "--dense: positions of the order '%s' are no numbers of records or transactions, so that a log has none without holes; it is for integer, kafka and mariadb", order ? order->name : "none");
    return order ? SW_OK : sw_fail(error, SW_ERR_USAGE, "no order is declared: --order says which positions the events carry (slackwater orders)");
}

/* What was processed before the first event, where only the mapping or a saved state says it; and what the runs before have seen. */
static enum sw_code take_before(struct sw_scan_report *scan, struct sw_error *error)
{
    const struct sw_scan_options *declared = scan->declared;
    const char *covered = scan->run->mapping.baseline_position;
    struct sw_buffer position = {0}, seen = {0};
    bool known = true;
    enum sw_code code = sw_run_saved_seen(&position, &seen, &known, scan->run, declared->saved, declared->saved_count, error);
    const char *after = scan->after ? scan->after : covered ? covered : position.len ? sw_buffer_text(&position) : NULL;
    char *copy = NULL;
    bool kept = !position.failed && (!after || !known || copy_text(&copy, after));
    if (kept && known && seen.len)
        kept = (scan->seen_before = sw_strndup((const char *)seen.at, seen.len)) != NULL;
    sw_free(scan->after);
    scan->after = copy;
    sw_buffer_free(&position);
    sw_buffer_free(&seen);
    return code == SW_OK && !kept ? sw_fail_memory(error, "a set of GTIDs", 0) : code;
}

static enum sw_code settle_members(struct sw_scan_report *scan, struct sw_error *error)
{
    struct sw_reading *reading = &scan->run->reading;
    if (!scan->all.members.events && !scan->all.members.ends)
        return SW_OK;
    enum sw_code code = sw_member_settle_all(&scan->members, reading->records, reading->record_partitions, &scan->all.members.tables, error);
    return code;
}

static enum sw_code unite(struct sw_scan_report *scan, struct sw_error *error)
{
    struct sw_run *run = scan->run;
    enum sw_code code = SW_OK;
    for (unsigned i = 0; i < scan->part_count && code == SW_OK; i++) {
        code = sw_log_unite(&scan->all, &scan->parts[i], run->reading.order, error);
        sw_log_part_free(&scan->parts[i]);
    }
    sw_log_arrival_total(&scan->total, &scan->arrival);
    if (code == SW_OK && !sw_transactions_settle(&run->reading.transactions))
        code = sw_fail_memory(error, "open transactions", 0);
    scan->open = (void *)run->reading.transactions.open.at;
    scan->open_count = run->reading.transactions.open.len / sizeof *scan->open;
    return code == SW_OK ? settle_members(scan, error) : code;
}

static enum sw_code write_report(struct sw_scan_report *scan, struct sw_output_file **file, struct sw_error *error)
{
    if (!*file)
        return SW_OK;
    enum sw_code code = sw_scan_write_json(scan, sw_output_file_write_fn, *file, error);
    return code == SW_OK ? sw_output_file_commit(file, error) : code;
}

static enum sw_code scan_all(struct sw_scan_report *scan, struct sw_error *error)
{
    struct sw_run *run = scan->run;
    const struct sw_scan_options *declared = scan->declared;
    struct sw_output_file *file = NULL;
    enum sw_code code = sw_run_prepare_watch(run, declared->only_sets ? &sw_order_mysql_gtid : NULL, error);
    if (code == SW_OK)
        code = check_declared(declared, run->reading.order, error);
    if (code != SW_OK)
        return code;
    if (run->reading.order == &sw_order_mysql_gtid && (code = take_before(scan, error)) < 0)
        return code;
    scan->parts = sw_calloc(run->report.threads, sizeof *scan->parts);
    if (!scan->parts)
        return sw_fail_memory(error, "threads", run->report.threads * sizeof *scan->parts);
    scan->part_count = run->report.threads;
    for (unsigned i = 0; i < scan->part_count; i++)
        scan->parts[i].members = (struct sw_member_writer){.writer = sw_partition_writer_at(run->reading.records, i), .partitions = run->reading.record_partitions};
    for (uint32_t i = 0; declared->report_file && i < run->reading.roles[SW_ROLE_EVENTS].input_count && code == SW_OK; i++) {
        const struct sw_input *input = sw_source_input(run->reading.roles[SW_ROLE_EVENTS].source, i);
        code = input->regular ? sw_output_file_refuse_input(declared->report_file, input->id, input->locator, error) : SW_OK;
    }
    if (code == SW_OK && declared->report_file)
        code = sw_output_file_open(&file, declared->report_file, error);
    scan->watch = (struct sw_read_watch){sw_log_watch_record, sw_log_watch_end_block, scan};
    run->reading.watch = &scan->watch;
    struct sw_workers readers = {run->report.threads, sw_run_read_thread, sw_run_watch, sw_run_cancel_reading, run};
    for (int typed = 1; typed >= 0 && code == SW_OK; typed--) {
        run->reading.typed = typed;
        if (sw_read_has_roles(&run->reading))
            code = sw_workers_run(&readers, error);
    }
    if (code == SW_OK) {
        sw_read_finish(&run->reading);
        code = unite(scan, error);
    }
    if (code == SW_OK)
        code = sw_run_describe_reading(run, error);
    for (uint32_t i = 0; code == SW_OK && i < run->reading.notes.assumed_count; i++)
        if (!sw_run_assume(run, "%s", run->reading.notes.assumed[i]))
            code = sw_fail_memory(error, "the report", 0);
    if (code == SW_OK)
        code = sw_log_judge(scan, error);
    if (code == SW_OK)
        code = write_report(scan, &file, error);
    sw_output_file_abort(&file);
    return code;
}

enum sw_code sw_scan(struct sw_scan_report **out, const struct sw_scan_options *options, struct sw_error *error)
{
    struct sw_scan_options complete;
    sw_scan_options_init(&complete);
    *out = NULL;
    enum sw_code code = sw_options_take(&complete, sizeof complete, options, "sw_scan_options", error);
    if (code < 0)
        return code;
    struct sw_scan_report *scan = sw_calloc(1, sizeof *scan);
    if (!scan)
        return sw_fail_memory(error, "a scan", sizeof *scan);
    pthread_mutex_init(&scan->arrival.lock, NULL);
    scan->total.first_space = scan->total.last_space = UINT32_MAX;
    scan->run = sw_run_new(&scan->options);
    bool kept = scan->run && copy_text(&scan->after, complete.after) && copy_text(&scan->executed, complete.executed) && copy_text(&scan->purged, complete.purged) &&
                copy_text(&scan->expect_first, complete.expect_first) && copy_text(&scan->expect_last, complete.expect_last) && copy_text(&scan->available, complete.available) &&
                copy_text(&scan->report_file, complete.report_file);
    if (!kept)
        code = sw_fail_memory(error, "a scan", sizeof *scan);
    declare(&scan->options, &complete);
    scan->declared = &complete;
    scan->dense = complete.dense;
    if (code == SW_OK)
        code = scan_all(scan, error);
    scan->declared = NULL;
    if (scan->run)
        scan->run->options = NULL;
    scan->options = (struct sw_reconcile_options){0};
    if (code == SW_OK && scan->failed)
        code = sw_fail_memory(error, "a scan", 0);
    if (code != SW_OK)
        sw_scan_report_free(&scan);
    *out = scan;
    return code == SW_END ? SW_OK : code;
}

void sw_scan_report_free(struct sw_scan_report **pointer)
{
    struct sw_scan_report *scan = pointer ? *pointer : NULL;
    if (!scan)
        return;
    *pointer = NULL;
    for (unsigned i = 0; i < scan->part_count; i++)
        sw_log_part_free(&scan->parts[i]);
    sw_free(scan->parts);
    sw_log_part_free(&scan->all);
    sw_log_arrival_free(&scan->arrival);
    pthread_mutex_destroy(&scan->arrival.lock);
    char *texts[] = {scan->seen_before, scan->after, scan->executed, scan->purged, scan->expect_first, scan->expect_last, scan->available, scan->report_file, scan->claim,
                     scan->gtids.seen, scan->gtids.expected, scan->gtids.missing, scan->gtids.discarded, scan->gtids.foreign, scan->gtids.again};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        sw_free(texts[i]);
    for (uint32_t i = 0; i < scan->gaps_listed; i++) {
        sw_free(scan->gaps[i].space_text);
        sw_free(scan->gaps[i].from);
        sw_free(scan->gaps[i].to);
    }
    sw_free(scan->gaps);
    struct sw_sentences *lists[] = {&scan->reasons, &scan->proofs, &scan->assumed, &scan->obligations, &scan->limits};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        sw_sentences_free(lists[i]);
    sw_run_free(&scan->run);
    sw_free(scan);
}

enum sw_continuity sw_scan_verdict(const struct sw_scan_report *scan) { return scan->verdict; }

int sw_scan_exit_status(const struct sw_scan_report *scan) { return scan->run->reading.bad_count ? 2 : (int)scan->verdict; }
