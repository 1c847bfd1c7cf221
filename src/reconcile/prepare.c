#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "base/file_io.h"
#include "base/memory.h"
#include "reconcile/recheck.h"
#include "source/registry.h"

#define RECORD_PARTITIONS 512
#define MEMORY_BYTES_MIN ((uint64_t)16 << 20)
#define THREADS_MAX 256

bool sw_run_assume(struct sw_run *run, const char *format, ...)
{
    struct sw_report *report = &run->report;
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    char **grown = sw_realloc_array(report->assumed, report->assumed_count + 1, sizeof *grown);
    if (!grown)
        return false;
    report->assumed = grown;
    grown[report->assumed_count] = sw_strdup(text);
    return grown[report->assumed_count++] != NULL;
}

static enum sw_code choose_machine(struct sw_run *run, struct sw_error *error)
{
    const struct sw_reconcile_options *options = run->options;
    struct sw_report *report = &run->report;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    report->threads = options->threads ? options->threads : cores > 0 ? (unsigned)cores : 1;
    if (report->threads > THREADS_MAX)
        report->threads = THREADS_MAX;
    struct sysinfo info;
    uint64_t quarter = (uint64_t)1 << 30;
    if (sysinfo(&info) == 0)
        quarter = (uint64_t)info.totalram * info.mem_unit / 4;
    report->memory_limit = options->memory_bytes ? options->memory_bytes : quarter;
    if (report->memory_limit < MEMORY_BYTES_MIN)
        return sw_fail(error, SW_ERR_USAGE, "--memory: at least 16M are needed, %llu bytes were given", (unsigned long long)report->memory_limit);
    sw_budget_init(&run->budget, report->memory_limit);
    run->reading.kernel = sw_kernel_find(options->kernel);
    if (!run->reading.kernel)
        return sw_fail(error, SW_ERR_USAGE, "--kernel: this machine has no scan kernel '%s'; scalar always works", options->kernel);
    report->kernel = run->reading.kernel->name;
    run->reading.hash_seed = options->seed;
    if (!options->seed && getrandom(&run->reading.hash_seed, sizeof run->reading.hash_seed, 0) < 0)
        run->reading.hash_seed = (uint64_t)run->begun.tv_nsec;
    return sw_spill_file_open(&run->spill, options->temporary_directory, error);
}

/* Is there a role whose rows name no table, and no declaration of which one they are? */
static bool one_table(const struct sw_run *run)
{
    bool unnamed = false;
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        unnamed |= run->reading.roles[role].source && run->mapping.layout[role].table.step_count == 0 && !run->mapping.layout[role].table_name &&
                   (run->reading.roles[role].format == &sw_format_plain || (role == SW_ROLE_EXPECTED && run->reading.roles[role].format->unnamed_reference));
    return unnamed && !run->mapping.table && !run->tables;
}

/* An input is locked at its server: said as a phase of its own. */
static bool wait_for_lock(void *ctx)
{
    static const char *const phases[] = {"waiting for a lock (baseline)", "waiting for a lock (events)", "waiting for a lock (expected)"};
    struct sw_run *run = ctx;
    run->phase = phases[run->opening];
    bool go_on = sw_run_watch(run);
    run->phase = NULL;
    return go_on;
}

/* What the sources take for granted is taken for granted. */
static enum sw_code assume_told(struct sw_run *run, enum sw_role role, struct sw_error *error)
{
    const struct sw_source *source = run->reading.roles[role].source;
    for (uint32_t i = 0; i < sw_source_input_count(source); i++) {
        const struct sw_input *input = sw_source_input(source, i);
        for (const char *line = input->told, *end; line && (end = strchr(line, '\n')); line = end + 1)
            if (!sw_run_assume(run, "%s, %.160s: %.*s", sw_role_name(role), input->locator, (int)(end - line), line))
                return sw_fail_memory(error, "the report", 0);
    }
    return SW_OK;
}

static enum sw_code open_role(struct sw_run *run, enum sw_role role, const char *const *locators, size_t count, struct sw_error *error)
{
    struct sw_read_role *to = &run->reading.roles[role];
    const struct sw_reconcile_options *options = run->options;
    static const char *const query_options[] = {"--baseline-query", "--events-query", "--expected-query"};
    const char *const queries[] = {options->baseline_query, options->events_query, options->expected_query};
    run->report.role_given[role] = count != 0;
    if (count == 0 && queries[role])
        return sw_fail(error, SW_ERR_USAGE, "%s: the query has no database; --%s names it", query_options[role], sw_role_name(role));
    if (count == 0)
        return SW_OK;
    bool digest = options->digest ? strcmp(options->digest, "sha256") == 0 : options->report_file != NULL;
    struct sw_source_options source = {
        .block_bytes = options->block_bytes, .record_bytes_max = options->record_bytes_max, .sha256 = digest,
        .csv_delimiter = run->mapping.csv_delimiter, .csv_escape = run->mapping.csv_escape, .budget = &run->budget, .threads = run->report.threads, .query = queries[role], .query_option = query_options[role],
        .keys = run->asked_keys, .wait = wait_for_lock, .wait_ctx = run};
    run->opening = role;
    enum sw_code code = sw_source_open(&to->source, locators, count, &source, error);
    if (code < 0 && error && !strstr(error->text, sw_role_name(role))) {
        char text[SW_ERROR_TEXT_MAX];
        snprintf(text, sizeof text, "%s: %.900s", sw_role_name(role), error->text);
        memcpy(error->text, text, sizeof text);
    }
    if (code == SW_OK)
        code = assume_told(run, role, error);
    if (code == SW_OK)
        code = sw_run_recognise(run, role, error);
    to->types = code == SW_OK && to->format->types;
    for (uint32_t i = 0; code == SW_OK && i < sw_source_input_count(to->source); i++)
        to->types |= sw_source_input(to->source, i)->fields != NULL;
    if (code == SW_OK && to->format->inner)
        code = sw_run_find_inner(run, role, error);
    to->context = (struct sw_bind_context){
        .mapping = &run->mapping, .schema = run->reading.schema, .role = role, .notes = &run->reading.notes,
        .flagged_deletes = role == SW_ROLE_EXPECTED && run->mapping.deletes == SW_DELETES_FLAG, .keys = run->keys, .key_count = (uint32_t)run->mapping.key_count,
        .tables = run->tables, .table_count = (uint32_t)run->mapping.table_count};
    return code;
}

static void declare_keys(struct sw_run *run) { sw_run_declare_keys_of(run->keys, &run->mapping); }

static enum sw_code no_key(struct sw_error *error) { return sw_fail(error, SW_ERR_USAGE, "no key is declared: --key COLUMN[,COLUMN…] says what names a row"); }

/* Is any input no file? */
static bool names_tables(const struct sw_reconcile_options *options)
{
    const char *const *locators[] = {options->baseline, options->events, options->expected};
    const size_t counts[] = {options->baseline_count, options->event_count, options->expected_count};
    bool some = false;
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        for (size_t i = 0; i < counts[role]; i++)
            some |= sw_source_of_locator(locators[role][i]) != NULL;
    return some;
}

/* Of an empty file nothing can be told: what is asked for then (a key, an order) is not what is wrong, most often. */
static void add_empty_inputs(struct sw_error *error, const struct sw_run *run)
{
    for (int role = 0; role < SW_ROLE_COUNT; role++) {
        const struct sw_source *source = run->reading.roles[role].source;
        uint32_t count = source ? sw_source_input_count(source) : 0, empty = 0;
        for (uint32_t i = 0; i < count; i++)
            empty += !sw_source_input(source, i)->rows && !sw_source_input(source, i)->head.len;
        if (count && empty == count)
            sw_error_add(error, "; and --%s is empty (%.200s%s): is it the right place, and had the export ended?", sw_role_name((enum sw_role)role), sw_source_input(source, 0)->locator, count > 1 ? " and more" : "");
    }
}

/* Is it a pipe or a socket, whose bytes go to one of those who read it? */
static bool is_pipe(struct sw_file_id *id, const char *locator)
{
    struct stat status;
    int failed = strcmp(locator, "-") == 0 ? sw_io_fstat(&status, STDIN_FILENO) : sw_io_stat(&status, locator);
    if (failed || !(S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode)))
        return false;
    *id = sw_file_id_of(&status);
    return true;
}

/* One pipe under two names (-, /dev/stdin, a FIFO given twice) would be dealt out between them, and the one side would look empty. Asked before any is opened: that could wait for ever. */
static enum sw_code refuse_shared_pipes(const char *const *const locators[SW_ROLE_COUNT], const size_t counts[SW_ROLE_COUNT], struct sw_error *error)
{
    struct pipe { struct sw_file_id id; const char *locator; } *pipes = NULL;
    size_t count = 0;
    enum sw_code code = SW_OK;
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        for (size_t i = 0; i < counts[role] && code == SW_OK; i++) {
            const char *locator = locators[role][i];
            struct sw_file_id id;
            if (!is_pipe(&id, locator))
                continue;
            for (size_t p = 0; p < count && code == SW_OK; p++)
                if (sw_file_id_equal(pipes[p].id, id))
                    code = sw_fail(error, SW_ERR_USAGE, "inputs %.200s and %.200s are one pipe, which can be read once: what one of them takes the other lacks; write it to a file and name that twice", pipes[p].locator, locator);
            struct pipe *grown = sw_realloc_array(pipes, count + 1, sizeof *grown);
            if (!grown && code == SW_OK)
                code = sw_fail_memory(error, "the list of pipes", (count + 1) * sizeof *grown);
            pipes = grown ? grown : pipes;
            if (grown)
                pipes[count++] = (struct pipe){id, locator};
        }
    sw_free(pipes);
    return code;
}

static enum sw_code open_all(struct sw_run *run, struct sw_error *error)
{
    const struct sw_reconcile_options *options = run->options;
    const char *const *locators[] = {options->baseline, options->events, options->expected};
    size_t counts[] = {options->baseline_count, options->event_count, options->expected_count};
    unsigned streams = 0;
    enum sw_code code = SW_OK;
    for (int role = 0; role < SW_ROLE_COUNT && code == SW_OK; role++)
        code = sw_run_gather_locators(&locators[role], &counts[role], run, (enum sw_role)role, error);
    if (code < 0)
        return code;
    if (counts[0] + counts[1] + counts[2] == 0)
        return sw_fail(error, SW_ERR_USAGE, "no input: --baseline, --events and --expected say what to reconcile, as in: slackwater reconcile --key id --order postgres --events events.ndjson --expected table.csv; slackwater reconcile --help has more");
    if (!counts[SW_ROLE_EXPECTED] && !options->states_file && !options->save_state_file)
        return sw_fail(error, SW_ERR_USAGE, "nothing to compare with: --expected names the destination's rows (or --states FILE asks for the reconstructed rows alone)");
    if (counts[SW_ROLE_EXPECTED] && !counts[SW_ROLE_BASELINE] && !counts[SW_ROLE_EVENTS])
        return sw_fail(error, SW_ERR_USAGE, "nothing to compare with the reference: --baseline or --events (or both) say what it should hold");
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        for (size_t i = 0; i < counts[role]; i++)
            streams += strcmp(locators[role][i], "-") == 0;
    if (streams > 1)
        return sw_fail(error, SW_ERR_USAGE, "standard input is given as '-' %u times; it can be read once", streams);
    code = refuse_shared_pipes(locators, counts, error);
    for (int role = 0; role < SW_ROLE_COUNT && code == SW_OK; role++)
        code = open_role(run, (enum sw_role)role, locators[role], counts[role], error);
    const struct sw_format *events = run->reading.roles[SW_ROLE_EVENTS].format;
    bool foreign = events && events != &sw_format_plain;
    if (code == SW_OK && run->mapping.plain_names && foreign && (events->names_keys || events->inner))
        code = sw_run_name_keys(run, error);
    if (code == SW_OK && !run->tables && (run->mapping.plain_names || run->mapping.key_count == 0))
        code = sw_run_name_row_keys(run, error);
    if (code == SW_OK && run->mapping.plain_names && foreign)
        return sw_fail(error, SW_ERR_USAGE, "no key is declared, and records of the format %s do not say which columns are the key: --key COLUMN[,COLUMN…] names them", events->name);
    if (code == SW_OK)
        code = sw_run_refuse_undeclared(run, true, error);
    declare_keys(run);
    if (code == SW_OK && !run->tables && run->mapping.key_count == 0)
        code = no_key(error);
    if (code == SW_OK)
        code = sw_run_choose_order(run, error); /* which there are depends on the format */
    bool documents = events && (events == &sw_format_debezium_mongodb || run->reading.roles[SW_ROLE_EVENTS].inner == &sw_format_debezium_mongodb);
    for (size_t i = 0; documents && i < run->mapping.key_count; i++)
        run->keys[i].type.extended |= !run->keys[i].declared && run->keys[i].type.kind == SW_TYPE_ANY;
    if (documents && code == SW_OK && !sw_run_assume(run, "MongoDB's Extended JSON: on both sides, objects such as {\"$numberLong\": \"5\"} are the values that they stand for"))
        code = sw_fail_memory(error, "the report", 0);
    for (int role = 0; role < SW_ROLE_COUNT; role++) {
        run->reading.roles[role].context.extended = documents;
        run->reading.roles[role].context.order = run->reading.order;
        run->reading.roles[role].context.key_count = (uint32_t)run->mapping.key_count;
        run->reading.roles[role].context.order_declared = run->reading.order_declared;
        run->reading.roles[role].context.one_table = one_table(run);
    }
    return code == SW_OK ? sw_run_learn_keys(run, error) : code;
}

static enum sw_code open_inputs(struct sw_run *run, struct sw_error *error)
{
    enum sw_code code = open_all(run, error);
    if (code == SW_ERR_USAGE)
        add_empty_inputs(error, run);
    return code;
}

static enum sw_code refuse_inputs_as_outputs(struct sw_run *run, const char *path, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        for (uint32_t i = 0; i < run->reading.roles[role].input_count && code == SW_OK; i++) {
            const struct sw_input *input = sw_source_input(run->reading.roles[role].source, i);
            if (input->regular)
                code = sw_output_file_refuse_input(path, input->id, input->locator, error);
        }
    return code;
}

static enum sw_code open_outputs(struct sw_run *run, struct sw_error *error)
{
    const struct sw_reconcile_options *options = run->options;
    const char *const paths[SW_OUTPUT_COUNT] = {options->report_file, options->differences_file, options->states_file, options->save_state_file, options->quarantine_file};
    char **const names[SW_OUTPUT_COUNT] = {&run->report.report_file, &run->report.differences_file, &run->report.states_file, &run->report.save_state_file,
                                           &run->report.quarantine_file};
    for (int i = 0; i < SW_OUTPUT_COUNT; i++) {
        if (!paths[i])
            continue;
        for (int j = 0; j < i; j++)
            if (paths[j] && strcmp(paths[i], paths[j]) == 0)
                return sw_fail(error, SW_ERR_USAGE, "two outputs are to be written to %s", paths[i]);
        enum sw_code code = refuse_inputs_as_outputs(run, paths[i], error);
        if (code == SW_OK)
            code = sw_output_file_open(&run->outputs[i], paths[i], error);
        if (code < 0)
            return code;
        *names[i] = sw_strdup(paths[i]);
        if (!*names[i])
            return sw_fail_memory(error, "the report", strlen(paths[i]));
    }
    if (options->differences_file) {
        size_t len = strlen(options->differences_file);
        bool known = (len > 4 && strcmp(options->differences_file + len - 4, ".csv") == 0) || (len > 7 && strcmp(options->differences_file + len - 7, ".ndjson") == 0);
        if (!known && strncmp(options->differences_file, "/dev/", 5) != 0)
            return sw_fail(error, SW_ERR_USAGE, "--differences: the name ends in .ndjson or .csv, which says how they are written; found %s", options->differences_file);
    }
    return SW_OK;
}

static enum sw_code make_stores(struct sw_run *run, struct sw_error *error)
{
    struct sw_reading *reading = &run->reading;
    reading->record_partitions = RECORD_PARTITIONS;
    reading->link_bytes_max = run->report.memory_limit / 32;
    /* half of the budget for records, an eighth for identities; the rest is for blocks, folding and output */
    struct sw_partition_options options = {.partitions = reading->record_partitions, .writers = run->report.threads, .memory_bytes = run->report.memory_limit / 2,
                                           .budget = &run->budget, .spill = run->spill};
    enum sw_code code = sw_partition_store_new(&reading->records, &options, error);
    if (code < 0)
        return code;
    options.partitions = SW_IDENTITY_PARTITIONS;
    options.memory_bytes = run->report.memory_limit / 8;
    code = sw_partition_store_new(&reading->identities, &options, error);
    reading->bad = sw_runs_new(run->report.memory_limit / 64, &run->budget, run->spill);
    run->findings = sw_runs_new(run->report.memory_limit / 16, &run->budget, run->spill);
    run->states = sw_runs_new(run->report.memory_limit / 16, &run->budget, run->spill);
    run->saved = sw_runs_new(run->report.memory_limit / 16, &run->budget, run->spill);
    run->contradictions = sw_runs_new(run->report.memory_limit / 64, &run->budget, run->spill);
    if (code == SW_OK && (!reading->bad || !run->findings || !run->states || !run->saved || !run->contradictions))
        code = sw_fail_memory(error, "outputs", 0);
    return code;
}

/* Declarations, the machine, and what every reading needs. */
static enum sw_code prepare_reading(struct sw_run *run, struct sw_error *error)
{
    const struct sw_reconcile_options *options = run->options;
    struct sw_reading *reading = &run->reading;
    enum sw_code code = sw_mapping_load(&run->mapping, options, error);
    if (code < 0)
        return code;
    if (options->digest && strcmp(options->digest, "sha256") != 0 && strcmp(options->digest, "none") != 0)
        return sw_fail(error, SW_ERR_USAGE, "--digest takes sha256 or none; found '%s'", options->digest);
    run->report.mapping = reading->mapping = &run->mapping;
    run->report.schema = reading->schema = sw_schema_new();
    reading->spaces = sw_spaces_new(run->mapping.spaces, run->mapping.space_count);
    reading->keep_bad_bytes = options->quarantine_file != NULL;
    reading->record_bytes_max = options->record_bytes_max ? options->record_bytes_max : (uint64_t)64 << 20;
    if (!reading->schema || !reading->spaces)
        return sw_fail_memory(error, "the schema", 0);
    if ((code = choose_machine(run, error)) < 0)
        return code;
    reading->threads = run->report.threads;
    reading->budget = &run->budget;
    reading->spill = run->spill;
    declare_keys(run);
    return SW_OK;
}

/* Rows and CSV whose columns are known, and none of whose records could be read: each would be a bad record. */
static enum sw_code refuse_without_operation(const struct sw_read_role *events, struct sw_error *error)
{
    for (uint32_t i = 0; i < events->input_count; i++) {
        const struct sw_json_template *header = events->inputs[i].header;
        struct sw_buffer names = {0};
        bool found = !header;
        for (uint32_t n = 1; header && n < header->node_count && !found; n++) {
            struct sw_bytes name = sw_json_node_name(header, n);
            found = sw_bytes_is(name, "op");
            if (names.len < 300) {
                sw_buffer_add_text(&names, names.len ? ", " : "");
                sw_buffer_add_bytes(&names, name);
            }
        }
        const char *list = found ? NULL : sw_buffer_text(&names);
        if (!found)
            (void)sw_fail(error, SW_ERR_USAGE, "events: %.300s says nowhere what a row did: there is no column op among %.350s. --version COLUMN says where its position stands, and --op where its operation does, if it has one",
                          sw_source_input(events->source, i)->locator, list ? list : "its columns");
        sw_buffer_free(&names);
        if (!found)
            return error->code;
    }
    return SW_OK;
}

enum sw_code sw_run_prepare_watch(struct sw_run *run, const struct sw_order *only, struct sw_error *error)
{
    const struct sw_reconcile_options *options = run->options;
    struct sw_read_role *events = &run->reading.roles[SW_ROLE_EVENTS];
    if (options->event_count == 0)
        return sw_fail(error, SW_ERR_USAGE, "no input: --events says what to read, as in: slackwater position scan --order postgres --events events.ndjson");
    enum sw_code code = prepare_reading(run, error);
    if (code == SW_OK && only && !(run->mapping.order && strcmp(run->mapping.order, only->name) == 0))
        return SW_END;
    if (code == SW_OK)
        code = open_role(run, SW_ROLE_EVENTS, options->events, options->event_count, error);
    if (code == SW_OK && events->format == &sw_format_state)
        code = sw_fail(error, SW_ERR_USAGE, "a saved state holds rows, not the events that made them: there is nothing in it to scan");
    if (code == SW_OK && run->mapping.plain_names && events->format != &sw_format_plain) { /* the names of plain records are not special there; which columns are the key does not matter */
        code = sw_mapping_name_keys(&run->mapping, SW_BYTES_LITERAL("key\0"), error);
        declare_keys(run);
    }
    if (code == SW_OK)
        code = sw_run_refuse_undeclared(run, false, error);
    if (code == SW_OK)
        code = sw_run_choose_order(run, error);
    events->context.order = run->reading.order;
    events->context.order_declared = run->reading.order_declared;
    events->context.key_count = (uint32_t)run->mapping.key_count;
    events->context.one_table = false; /* every table is looked at */
    if (code == SW_OK)
        code = sw_read_prepare(&run->reading, error);
    if (code == SW_OK && run->mapping.plain_names && events->format == &sw_format_plain)
        code = refuse_without_operation(events, error);
    return code == SW_OK ? make_stores(run, error) : code;
}

enum sw_code sw_run_prepare(struct sw_run *run, struct sw_error *error)
{
    struct sw_reading *reading = &run->reading;
    enum sw_code code = sw_run_check_staleness(run->options, error);
    if (code == SW_OK)
        code = prepare_reading(run, error);
    if (code < 0)
        return code;
    if ((code = sw_run_declare_tables(run, error)) < 0)
        return code;
    if (run->mapping.key_count == 0 && !run->tables && !names_tables(run->options)) /* else a primary key may say it */
        return no_key(error);
    if ((code = open_inputs(run, error)) < 0 || (code = sw_read_prepare(reading, error)) < 0 || (code = sw_read_refuse_undeclared(reading, error)) < 0 || (code = sw_run_take_saved(run, error)) < 0 || (code = sw_run_intern_row_columns(run, error)) < 0 ||
        (code = open_outputs(run, error)) < 0)
        return code;
    if ((code = sw_run_plan_recheck(run, error)) < 0)
        return code;
    if ((code = sw_run_read_positions(run, error)) < 0 || (code = sw_run_take_continuity(run, error)) < 0)
        return code;
    if ((code = sw_run_take_saved_position(run, error)) < 0 || (code = sw_run_read_baseline_time(run, error)) < 0)
        return code;
    return make_stores(run, error);
}
