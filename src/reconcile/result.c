#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "order/order_slots.h"
#include "reconcile/likeness.h"
#include "reconcile/run.h"
#include "reconcile/saved_transactions.h"

#define BAD_RECORDS_LISTED 20

static struct sw_place place_of(uint32_t input, uint64_t block, uint64_t line, const void *ctx) { return sw_read_place(ctx, input, block, line); }

static enum sw_code next_finding(const struct sw_finding **out, struct sw_finding_stream *stream, struct sw_error *error)
{
    struct sw_run_findings *findings = (struct sw_run_findings *)(void *)stream;
    if (!findings->merge) {
        enum sw_code code = sw_run_merge_open(&findings->merge, findings->runs, error);
        if (code < 0)
            return code;
    }
    struct sw_bytes key, content;
    enum sw_code code = sw_run_merge_next(&key, &content, findings->merge, error);
    if (code != SW_OK)
        return code;
    if (!sw_finding_record_read(&findings->finding, content, &findings->run->rules, &findings->room, place_of, &findings->run->reading))
        return sw_fail_memory(error, "a finding", content.len);
    *out = &findings->finding;
    return SW_OK;
}

static enum sw_code rewind_findings(struct sw_finding_stream *stream, struct sw_error *error)
{
    struct sw_run_findings *findings = (struct sw_run_findings *)(void *)stream;
    (void)error;
    sw_run_merge_close(&findings->merge); /* opened again at the next finding */
    return SW_OK;
}

void sw_run_findings_open(struct sw_run *run)
{
    const struct sw_finding_stream calls = {next_finding, rewind_findings};
    run->stream = (struct sw_run_findings){.stream = calls, .run = run, .runs = run->findings};
    run->contradiction_stream = (struct sw_run_findings){.stream = calls, .run = run, .runs = run->contradictions};
    run->report.findings = &run->stream.stream;
    run->report.contradictions = &run->contradiction_stream.stream;
}

static enum sw_code describe_inputs(struct sw_run *run, struct sw_error *error)
{
    struct sw_report *report = &run->report;
    uint32_t count = 0;
    for (int r = 0; r < SW_ROLE_COUNT; r++)
        count += run->reading.roles[r].input_count;
    report->inputs = sw_calloc(count, sizeof *report->inputs);
    if (!report->inputs)
        return sw_fail_memory(error, "the report", count * sizeof *report->inputs);
    static const char *const encodings[] = {[SW_FRAMING_LINES] = "ndjson", [SW_FRAMING_CSV] = "csv", [SW_FRAMING_ARRAY] = "json-array", [SW_FRAMING_VALUES] = "json-values", [SW_FRAMING_ROWS] = "rows"};
    for (int r = 0; r < SW_ROLE_COUNT; r++)
        for (uint32_t i = 0; i < run->reading.roles[r].input_count; i++) {
            const struct sw_input *input = sw_source_input(run->reading.roles[r].source, i);
            struct sw_input_report *to = &report->inputs[report->input_count++];
            to->role = (enum sw_role)r;
            to->locator = sw_strdup(input->locator);
            if (!to->locator)
                return sw_fail_memory(error, "the report", strlen(input->locator));
            to->table = run->reading.roles[r].inputs[i].table;
            to->format = run->reading.roles[r].format->name;
            to->encoding = encodings[input->framing];
            to->compression = input->compression;
            to->records = run->reading.roles[r].inputs[i].records;
            to->bad_records = run->reading.roles[r].inputs[i].bad;
            to->bytes = input->stored_bytes;
            to->decoded_bytes = input->decoded_bytes;
            memcpy(to->sha256, input->sha256, sizeof to->sha256);
            to->no_sha256 = input->no_sha256;
            if (input->position && !(to->position = sw_strdup(input->position)))
                return sw_fail_memory(error, "the report", strlen(input->position));
            if (!sw_source_cut_copy(&to->cut, &input->cut))
                return sw_fail_memory(error, "the report", 0);
        }
    return SW_OK;
}

static enum sw_code add_note(struct sw_report *report, struct sw_error *error, const char *format, ...)
{
    struct sw_buffer text = {0};
    va_list arguments;
    va_start(arguments, format);
    char room[512];
    int len = vsnprintf(room, sizeof room, format, arguments);
    va_end(arguments);
    sw_buffer_add(&text, room, len < 0 ? 0 : (size_t)len < sizeof room ? (size_t)len : sizeof room - 1);
    char **grown = sw_realloc_array(report->notes, report->note_count + 1, sizeof *grown);
    if (grown)
        report->notes = grown;
    if (!grown || !sw_buffer_text(&text)) {
        sw_buffer_free(&text);
        return sw_fail_memory(error, "the report", text.len);
    }
    report->notes[report->note_count++] = (char *)text.at; /* taken: freed with the report */
    return SW_OK;
}

/* A file that changed while it was read may have been read half old and half new: the reader of the report must know. */
static enum sw_code note_changed_inputs(struct sw_run *run, struct sw_error *error)
{
    struct sw_report *report = &run->report;
    for (int r = 0; r < SW_ROLE_COUNT; r++)
        for (uint32_t i = 0; i < run->reading.roles[r].input_count; i++) {
            const struct sw_input *input = sw_source_input(run->reading.roles[r].source, i);
            if (!input->changed)
                continue;
            enum sw_code code = add_note(report, error, "%s was written to while it was read: what was read may be neither its old content nor its new one", input->locator);
            if (code < 0)
                return code;
        }
    return SW_OK;
}

/* Whoever writes CSV ends each row; where the last one has no end, a field that was cut reads like a shorter one. */
static enum sw_code note_torn_inputs(struct sw_run *run, struct sw_error *error)
{
    for (int r = 0; r < SW_ROLE_COUNT; r++)
        for (uint32_t i = 0; i < run->reading.roles[r].input_count; i++) {
            if (!run->reading.roles[r].inputs[i].no_line_end)
                continue;
            enum sw_code code = add_note(&run->report, error, "%s ends without a line end: if it was cut, its last row may be cut in a field, which cannot be seen", sw_source_input(run->reading.roles[r].source, i)->locator);
            if (code < 0)
                return code;
        }
    return SW_OK;
}

/* A header among the rows is data like any other row, and nobody meant it to be. */
static enum sw_code note_repeated_headers(struct sw_run *run, struct sw_error *error)
{
    for (int r = 0; r < SW_ROLE_COUNT; r++)
        for (uint32_t i = 0; i < run->reading.roles[r].input_count; i++) {
            uint64_t again = run->reading.roles[r].inputs[i].headers_again;
            enum sw_code code = again == 0 ? SW_OK : add_note(&run->report, error, "%s has its header line again among its rows, %llu time%s, as where exports were put one after the other: each is taken for a row; give the exports as files of their own, or take those lines out",
                                                              sw_source_input(run->reading.roles[r].source, i)->locator, (unsigned long long)again, again == 1 ? "" : "s");
            if (code < 0)
                return code;
        }
    return SW_OK;
}

static enum sw_code note_staleness(struct sw_run *run, struct sw_error *error)
{
    const struct sw_reconcile_options *options = run->options;
    return !options->cut_at || !options->read_at ? SW_OK : add_note(&run->report, error, "the destination, read at %.40s with max-staleness %.20s, has to show the cut, which is of %.40s", options->read_at,
                                                                    options->max_staleness, options->cut_at);
}

static enum sw_code note_unlinked(struct sw_run *run, struct sw_error *error)
{
    return !atomic_load(&run->unlinked) ? SW_OK : add_note(&run->report, error,
        "rows that changed their key and whose events lack columns were not given what they had under the old key: there are too many for --memory; such columns are unknown");
}

static int by_kind(const void *a, const void *b) { return strcmp(((const struct sw_kind_count *)a)->kind, ((const struct sw_kind_count *)b)->kind); }

static enum sw_code describe_kinds(struct sw_run *run, struct sw_error *error)
{
    struct sw_report *report = &run->report;
    for (int r = 0; r < SW_ROLE_COUNT; r++)
        for (uint32_t i = 0; i < run->reading.roles[r].kind_count; i++) {
            struct sw_kind_count *from = &run->reading.roles[r].kinds[i];
            uint32_t k = 0;
            while (k < report->kind_count && strcmp(report->kinds[k].kind, from->kind) != 0)
                k++;
            if (k < report->kind_count) {
                report->kinds[k].count += from->count;
                continue;
            }
            struct sw_kind_count *grown = sw_realloc_array(report->kinds, report->kind_count + 1, sizeof *grown);
            if (!grown)
                return sw_fail_memory(error, "the report", sizeof *grown);
            report->kinds = grown;
            grown[report->kind_count] = (struct sw_kind_count){sw_strdup(from->kind), from->count};
            if (!grown[report->kind_count++].kind)
                return sw_fail_memory(error, "the report", strlen(from->kind));
        }
    if (report->kind_count)
        qsort(report->kinds, report->kind_count, sizeof *report->kinds, by_kind);
    return SW_OK;
}

static int by_table(const void *a, const void *b)
{
    return sw_bytes_compare(((const struct sw_table_counts *)a)->table->name, ((const struct sw_table_counts *)b)->table->name);
}

static enum sw_code describe_tables(struct sw_run *run, struct sw_error *error)
{
    struct sw_report *report = &run->report;
    uint32_t declared = (uint32_t)run->mapping.table_count, count = run->table_count > declared ? run->table_count : declared; /* those come first in the schema */
    report->tables = sw_calloc(count, sizeof *report->tables);
    if (!report->tables)
        return sw_fail_memory(error, "the report", count * sizeof *report->tables);
    for (uint32_t t = 0; t < count; t++) {
        struct sw_table_counts *to = &report->tables[report->table_count++];
        to->table = sw_schema_table_at(run->reading.schema, t);
        if (t >= run->table_count)
            continue;
        to->outside = run->table_counts[t].outside;
        memcpy(to->classes, run->table_counts[t].classes, sizeof to->classes);
        memcpy(to->reasons, run->table_counts[t].reasons, sizeof to->reasons);
    }
    if (report->table_count)
        qsort(report->tables, report->table_count, sizeof *report->tables, by_table);
    return SW_OK;
}

static int by_column(const void *a, const void *b)
{
    const struct sw_column_note *left = a, *right = b;
    int order = left->column->table == right->column->table ? 0 : left->column->table < right->column->table ? -1 : 1;
    return order ? order : sw_bytes_compare(left->column->name, right->column->name);
}

/* Columns that one whole side never has. Where a side showed no row at all, nothing can be said of its columns. */
static enum sw_code describe_absent_columns(struct sw_run *run, struct sw_error *error)
{
    struct sw_report *report = &run->report;
    uint32_t columns = sw_schema_column_count(run->reading.schema);
    bool evidence = false, reference = false;
    for (int r = 0; r < SW_ROLE_COUNT; r++)
        for (uint32_t s = 0; s < run->reading.roles[r].set_count; s++)
            if (run->reading.roles[r].sets[s].count)
                *(r == SW_ROLE_EXPECTED ? &reference : &evidence) = true;
    report->absent_columns = sw_calloc(columns, sizeof *report->absent_columns);
    if (!report->absent_columns)
        return sw_fail_memory(error, "the report", columns * sizeof *report->absent_columns);
    for (uint32_t id = 0; id < columns && evidence && reference; id++) {
        const struct sw_column *column = sw_schema_column_at(run->reading.schema, id);
        if (!column->ignored && !run->in_evidence[id] != !run->in_reference[id])
            report->absent_columns[report->absent_column_count++] =
                (struct sw_column_note){column, run->in_evidence[id] ? SW_ROLE_EXPECTED : SW_ROLE_BASELINE};
    }
    if (report->absent_column_count)
        qsort(report->absent_columns, report->absent_column_count, sizeof *report->absent_columns, by_column);
    return SW_OK;
}

static uint64_t keys_of(const struct sw_column_keys *column) { return column->different + column->unknown + column->incomparable; }

static int by_keys(const void *a, const void *b, void *ctx)
{
    const struct sw_column_keys *left = a, *right = b;
    const struct sw_schema *schema = ctx;
    if (keys_of(left) != keys_of(right))
        return keys_of(left) > keys_of(right) ? -1 : 1;
    int order = sw_bytes_compare(sw_schema_table_at(schema, left->column->table)->name, sw_schema_table_at(schema, right->column->table)->name);
    return order ? order : sw_bytes_compare(left->column->name, right->column->name);
}

static enum sw_code describe_column_keys(struct sw_run *run, struct sw_error *error)
{
    struct sw_report *report = &run->report;
    report->column_keys = sw_calloc(run->column_key_count, sizeof *report->column_keys);
    if (!report->column_keys)
        return sw_fail_memory(error, "the report", run->column_key_count * sizeof *report->column_keys);
    for (uint32_t id = 0; id < run->column_key_count; id++)
        if (keys_of(&run->column_keys[id])) {
            struct sw_column_keys *to = &report->column_keys[report->column_key_count++];
            *to = run->column_keys[id];
            to->column = sw_schema_column_at(run->reading.schema, id);
        }
    if (report->column_key_count)
        qsort_r(report->column_keys, report->column_key_count, sizeof *report->column_keys, by_keys, run->reading.schema);
    return sw_likeness_note(run) ? SW_OK : sw_fail_memory(error, "a remark", 0);
}

static int compare_sets(const struct sw_column_set *a, const struct sw_column_set *b)
{
    for (uint32_t i = 0; i < a->count && i < b->count; i++) {
        int order = sw_bytes_compare(a->columns[i]->name, b->columns[i]->name);
        if (order)
            return order;
    }
    return (a->count > b->count) - (a->count < b->count);
}

static int by_set(const void *a, const void *b)
{
    const struct sw_set_note *left = a, *right = b;
    int order = left->table && right->table ? sw_bytes_compare(left->table->name, right->table->name) : 0;
    if (!order)
        order = (int)left->role - (int)right->role;
    return order ? order : compare_sets(left->set, right->set);
}

static enum sw_code describe_sets(struct sw_run *run, struct sw_error *error)
{
    struct sw_report *report = &run->report;
    size_t room = 0;
    for (int r = 0; r < SW_ROLE_COUNT; r++)
        room += run->reading.roles[r].set_count;
    report->sets = sw_calloc(room, sizeof *report->sets);
    if (!report->sets)
        return sw_fail_memory(error, "the report", room * sizeof *report->sets);
    for (int r = 0; r < SW_ROLE_COUNT; r++)
        for (uint32_t s = 0; s < run->reading.roles[r].set_count; s++) {
            const struct sw_set_use *use = &run->reading.roles[r].sets[s];
            if (use->count == 0)
                continue;
            const struct sw_column_set *set = sw_schema_set_at(run->reading.schema, s);
            const struct sw_table *table = sw_schema_table_at(run->reading.schema, set->count ? set->columns[0]->table : 0);
            report->sets[report->set_count++] = (struct sw_set_note){table, set, (enum sw_role)r, sw_read_place(&run->reading, use->input, use->block, use->line), use->count};
        }
    if (report->set_count)
        qsort(report->sets, report->set_count, sizeof *report->sets, by_set);
    return SW_OK;
}

static enum sw_code describe_bad_records(struct sw_run *run, struct sw_error *error)
{
    struct sw_report *report = &run->report;
    report->bad_count = run->reading.bad_count;
    report->bad_unattributed = run->reading.bad_unattributed;
    report->bad = sw_calloc(BAD_RECORDS_LISTED, sizeof *report->bad);
    struct sw_run_merge *merge = NULL;
    enum sw_code code = report->bad ? sw_run_merge_open(&merge, run->reading.bad, error) : sw_fail_memory(error, "the report", 0);
    struct sw_bytes key, content;
    while (code == SW_OK && report->bad_listed < BAD_RECORDS_LISTED && (code = sw_run_merge_next(&key, &content, merge, error)) == SW_OK) {
        struct sw_bad_item item;
        sw_bad_item_read(&item, content);
        struct sw_bad_record *to = &report->bad[report->bad_listed++];
        to->place = sw_read_place(&run->reading, item.input, item.block, item.line);
        to->key_known = item.key_known;
        to->reason = sw_strndup((const char *)item.reason.at, item.reason.len);
        to->text = sw_strndup((const char *)item.text.at, item.text.len);
        if (!to->reason || !to->text)
            code = sw_fail_memory(error, "the report", item.text.len);
    }
    sw_run_merge_close(&merge);
    return code < 0 ? code : SW_OK;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static enum sw_code describe_spaces(struct sw_run *run, struct sw_error *error)
{
    struct sw_report *report = &run->report;
    uint32_t count = sw_spaces_count(run->reading.spaces);
    report->spaces = sw_calloc(count, sizeof *report->spaces);
    if (!report->spaces)
        return sw_fail_memory(error, "the report", count * sizeof *report->spaces);
    for (uint32_t i = 0; i < count; i++) {
        struct sw_bytes text = sw_spaces_text(run->reading.spaces, i);
        if (text.len == 0 || !sw_spaces_seen(run->reading.spaces, i))
            continue;
        report->spaces[report->space_count] = sw_strndup((const char *)text.at, text.len);
        if (!report->spaces[report->space_count++])
            return sw_fail_memory(error, "the report", text.len);
    }
    if (report->space_count)
        qsort(report->spaces, report->space_count, sizeof *report->spaces, by_text);
    return SW_OK;
}

/* One place in a succession, and what is the same in all of it. */
struct successor {
    struct sw_bytes same, base;
    bool ranked;
};

static int by_succession(const void *a, const void *b)
{
    const struct successor *left = a, *right = b;
    int order = sw_bytes_compare(left->same, right->same);
    return order ? order : sw_bytes_compare(left->base, right->base);
}

/* Do records stand on several timelines (or incarnations) of one source, of which --spaces declares no order? */
static enum sw_code find_successive(struct sw_run *run, struct sw_error *error)
{
    const struct sw_spaces *spaces = run->reading.spaces;
    const char *name = run->reading.order ? run->reading.order->succession : NULL;
    uint32_t count = name ? sw_spaces_count(spaces) : 0, seen = 0;
    struct successor *all = count ? sw_calloc(count, sizeof *all) : NULL;
    if (count && !all)
        return sw_fail_memory(error, "the report", count * sizeof *all);
    for (uint32_t i = 0; i < count; i++) {
        struct sw_bytes base = sw_spaces_text(spaces, sw_spaces_base(spaces, i));
        bool counts = sw_spaces_seen(spaces, i);
        for (uint32_t c = 0; c < run->covered.count; c++) /* where the baseline stands is a place in it, too */
            counts |= run->covered.cuts[c].space == i;
        if (counts && sw_order_space_has(base, name))
            all[seen++] = (struct successor){sw_order_space_before(base, name), base, sw_spaces_rank(spaces, i) != UINT32_MAX};
    }
    if (seen)
        qsort(all, seen, sizeof *all, by_succession);
    for (uint32_t i = 1; i < seen; i++)
        if (sw_bytes_equal(all[i - 1].same, all[i].same) && !sw_bytes_equal(all[i - 1].base, all[i].base) && !(all[i - 1].ranked && all[i].ranked))
            run->report.successive = name;
    sw_free(all);
    return SW_OK;
}

static size_t source_len(const char *server) { return (size_t)(strrchr(server, ' ') - server); }

static bool one_source(const char *a, const char *b) { return source_len(a) == source_len(b) && memcmp(a, b, source_len(a)) == 0; }

/* Do events of one source name several servers, while the order compares the files of one? --space declares that they do compare. */
static enum sw_code describe_servers(struct sw_run *run, struct sw_error *error)
{
    const struct sw_format_notes *notes = &run->reading.notes;
    struct sw_buffer text = {0};
    uint32_t named = 0;
    for (uint32_t i = 0; i + 1 < notes->server_count && !named; i++) /* sorted: those of one source stand together; the first source with several is named */
        for (uint32_t j = i + 1; j < notes->server_count && named < 8 && one_source(notes->servers[i], notes->servers[j]); j++, named++) {
            sw_buffer_add_text(&text, named ? "" : strrchr(notes->servers[i], ' ') + 1);
            sw_buffer_add_text(&text, ", ");
            sw_buffer_add_text(&text, strrchr(notes->servers[j], ' ') + 1);
        }
    if (named)
        run->report.servers = sw_buffer_text(&text) ? sw_strdup(sw_buffer_text(&text)) : NULL;
    sw_buffer_free(&text);
    return !named || run->report.servers ? SW_OK : sw_fail_memory(error, "the report", 0);
}

/* A transaction that one input leaves open may end in any other; what more of them end than begin began in no input. */
static enum sw_code describe_begins(struct sw_run *run, struct sw_error *error)
{
    uint64_t inside, open;
    (void)error;
    sw_saved_count_begins(&inside, &open, run);
    run->report.begun_elsewhere = inside > open ? inside - open : 0;
    return SW_OK;
}

static void copy_counts(struct sw_run *run)
{
    struct sw_report *report = &run->report;
    const struct sw_fold_counts *counts = &run->counts;
    for (int r = 0; r < SW_ROLE_COUNT; r++) {
        const struct sw_read_role *role = &run->reading.roles[r];
        report->records[r] = role->records;
        report->dispositions[SW_DISPOSITION_OTHER_TABLE] += role->other_table;
        report->dispositions[SW_DISPOSITION_NOT_ROW_CHANGE] += role->not_row_change;
        report->dispositions[SW_DISPOSITION_COVERED] += role->covered;
    }
    report->null_flags = run->reading.roles[SW_ROLE_EXPECTED].null_flags;
    for (int i = 0; i < SW_DISPOSITION_COUNT; i++)
        report->dispositions[i] += counts->dispositions[i];
    report->dispositions[SW_DISPOSITION_BAD] += run->reading.bad_count;
    memcpy(report->classes, counts->classes, sizeof report->classes);
    memcpy(report->reasons, counts->reasons, sizeof report->reasons);
    report->states = counts->states;
    report->tombstones = counts->tombstones;
    report->duplicate_deliveries = counts->duplicate_deliveries;
    report->repeated_records = counts->repeated_records;
    report->reused_identities = sw_identity_reuse_count(run->reused);
    report->unpositioned_reads = counts->unpositioned_reads;
    report->superseded_reads = counts->superseded_reads;
    report->updates_of_unseen_keys = counts->unseen_updates;
    report->covered_later = run->reading.later.later;
    report->truncates_later = run->reading.later.truncates;
    report->claims_held = counts->claims_held;
    report->claims_unheld = counts->claims_unheld;
    report->contradiction_count = counts->contradictions;
    report->read_contradictions = counts->read_contradictions;
    sw_run_describe_scope(run);
    report->memory_peak = atomic_load(&run->budget.peak);
    report->spilled_bytes = sw_spill_file_bytes(run->spill);
    report->quarantined = run->outputs[SW_OUTPUT_QUARANTINE] != NULL;
    report->listed_differences = run->options->listed_differences;
    report->allow_empty = run->options->allow_empty;
}

enum sw_code sw_run_describe_reading(struct sw_run *run, struct sw_error *error)
{
    enum sw_code (*const steps[])(struct sw_run *, struct sw_error *) = {describe_inputs, note_changed_inputs, note_torn_inputs, note_repeated_headers, describe_kinds, describe_bad_records};
    enum sw_code code = SW_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && code == SW_OK; i++)
        code = steps[i](run, error);
    return code;
}

static enum sw_code describe_transactions(struct sw_run *run, struct sw_error *error)
{
    struct sw_transaction_counts *to = &run->report.transactions;
    const struct sw_member_totals *from = &run->members;
    to->complete = from->verdicts[SW_MEMBERS_COMPLETE];
    to->elsewhere = from->verdicts[SW_MEMBERS_ELSEWHERE];
    to->without_end = from->verdicts[SW_MEMBERS_NO_END];
    to->missing = from->verdicts[SW_MEMBERS_MISSING];
    to->surplus = from->verdicts[SW_MEMBERS_SURPLUS];
    to->missing_events = from->missing_events;
    to->listed = sw_calloc(from->listed_count + 1, sizeof *to->listed);
    if (!to->listed)
        return sw_fail_memory(error, "the report", from->listed_count * sizeof *to->listed);
    for (uint32_t i = 0; i < from->listed_count; i++) {
        const struct sw_member_transaction *each = &from->listed[i];
        to->listed[to->listed_count++] = (struct sw_counted_transaction){sw_read_place(&run->reading, each->input, each->block, each->line), each->events, each->counted};
    }
    return SW_OK;
}

enum sw_code sw_run_result(struct sw_run *run, struct sw_error *error)
{
    enum sw_code (*const steps[])(struct sw_run *, struct sw_error *) = {
        sw_run_describe_reading, note_unlinked, note_staleness, sw_run_note_baseline_time, describe_transactions, describe_tables, sw_run_note_empty_tables, describe_absent_columns, describe_column_keys, describe_sets, describe_spaces, find_successive, describe_servers, describe_begins, sw_run_describe_continuity};
    copy_counts(run);
    uint64_t read = 0, disposed = 0;
    for (int r = 0; r < SW_ROLE_COUNT; r++)
        read += run->report.records[r];
    for (int i = 0; i < SW_DISPOSITION_COUNT; i++)
        disposed += run->report.dispositions[i];
    if (read != disposed)
        return sw_fail(error, SW_ERR_INTERNAL, "%llu records were read and %llu are accounted for: nothing is claimed; please report this",
                       (unsigned long long)read, (unsigned long long)disposed);
    enum sw_code code = SW_OK;
    for (size_t i = 0; i < sizeof steps / sizeof *steps && code == SW_OK; i++)
        code = steps[i](run, error);
    return code;
}
