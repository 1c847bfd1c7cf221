/* A scan as JSON, schema "slackwater.scan/1". Nothing of the machine is in it: the same files and declarations give the same bytes. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "continuity/log_write.h"
#include "report/report_json.h"

#define INTERVALS_LISTED 1000u

static struct sw_bytes space_text(const struct sw_scan_report *scan, uint32_t space) { return sw_spaces_text(scan->run->reading.spaces, space); }

struct named {
    struct sw_bytes name;
    uint32_t id;
};

static int by_name(const void *a, const void *b) { return sw_bytes_compare(((const struct named *)a)->name, ((const struct named *)b)->name); }

static uint32_t *ids_by_name(struct named *named, uint32_t count)
{
    uint32_t *ids = sw_malloc((count + 1) * sizeof *ids);
    if (count)
        qsort(named, count, sizeof *named, by_name);
    for (uint32_t i = 0; ids && i < count; i++)
        ids[i] = named[i].id;
    sw_free(named);
    return ids;
}

uint32_t *sw_log_spaces_by_name(uint32_t *count, const struct sw_scan_report *scan)
{
    struct named *named = sw_malloc((scan->all.space_count + 1) * sizeof *named);
    *count = 0;
    for (uint32_t i = 0; named && i < scan->all.space_count; i++)
        if (scan->all.spaces[i].reach.events)
            named[(*count)++] = (struct named){space_text(scan, i), i};
    return named ? ids_by_name(named, *count) : NULL;
}

uint32_t *sw_log_tables_by_name(uint32_t *count, const struct sw_scan_report *scan)
{
    struct named *named = sw_malloc((scan->all.table_count + 1) * sizeof *named);
    *count = 0;
    for (uint32_t i = 0; named && i < scan->all.table_count; i++) {
        const uint64_t *events = scan->all.tables[i];
        if (events[SW_LOG_WRITE] || events[SW_LOG_DELETE] || events[SW_LOG_TRUNCATE] || events[SW_LOG_READ])
            named[(*count)++] = (struct named){sw_schema_table_at(scan->run->reading.schema, i)->name, i};
    }
    return named ? ids_by_name(named, *count) : NULL;
}

static void member_place(struct sw_json_writer *json, const struct sw_scan_report *scan, uint32_t input, uint64_t block, uint64_t line)
{
    struct sw_place place = sw_read_place(&scan->run->reading, input, block, line);
    sw_json_member_string(json, "input", scan->run->report.inputs[place.input].locator);
    sw_json_member_u64(json, "line", place.line);
}

static void member_time(struct sw_json_writer *json, const char *name, const struct sw_order_time *time)
{
    struct sw_buffer text = {0};
    sw_log_print_time(&text, time);
    sw_json_member_text(json, name, sw_buffer_view(&text));
    json->out->failed |= text.failed;
    sw_buffer_free(&text);
}

static void edge(struct sw_json_writer *json, const char *name, const struct sw_scan_report *scan, uint32_t space, const struct sw_log_edge *edge)
{
    char *position = sw_log_print(scan, space, sw_log_version(edge));
    sw_json_name(json, name);
    sw_json_begin_object(json);
    sw_json_member_string(json, "position", position);
    json->out->failed |= !position;
    sw_free(position);
    if (edge->timed)
        member_time(json, "time", &edge->time);
    member_place(json, scan, edge->input, edge->block, edge->line);
    sw_json_end_object(json);
}

static void intervals(struct sw_json_writer *json, const char *name, const char *count_name, const struct sw_number_list *list)
{
    sw_json_member_u64(json, count_name, list->count);
    sw_json_name(json, name);
    sw_json_begin_array(json);
    for (size_t i = 0; i < list->count && i < INTERVALS_LISTED; i++) {
        sw_json_begin_object(json);
        sw_json_member_u64(json, "first", list->at[i].first);
        sw_json_member_u64(json, "last", list->at[i].last);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
}

static void spaces(struct sw_json_writer *json, const struct sw_scan_report *scan)
{
    uint32_t count, *ids = sw_log_spaces_by_name(&count, scan);
    json->out->failed |= !ids;
    sw_json_name(json, "spaces");
    sw_json_begin_array(json);
    for (uint32_t i = 0; ids && i < count; i++) {
        const struct sw_log_space *space = &scan->all.spaces[ids[i]];
        sw_json_begin_object(json);
        sw_json_member_text(json, "space", space_text(scan, ids[i]));
        sw_json_member_u64(json, "events", space->reach.events);
        edge(json, "first", scan, ids[i], &space->reach.first);
        edge(json, "last", scan, ids[i], &space->reach.last);
        if (sw_log_has_numbers(scan->run->reading.order))
            intervals(json, "covered", "coveredIntervals", &space->numbers.all);
        if (space->numbers.repeats) {
            sw_json_member_u64(json, "redeliveredNumbers", sw_number_list_count(&space->numbers.repeated));
            intervals(json, "redelivered", "redeliveredIntervals", &space->numbers.repeated);
        }
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
    sw_free(ids);
}

static void tables(struct sw_json_writer *json, const struct sw_scan_report *scan)
{
    static const char *const names[] = {[SW_LOG_WRITE] = "writes", [SW_LOG_DELETE] = "deletes", [SW_LOG_TRUNCATE] = "truncates", [SW_LOG_READ] = "reads"};
    uint32_t count, *ids = sw_log_tables_by_name(&count, scan);
    json->out->failed |= !ids;
    sw_json_name(json, "tables");
    sw_json_begin_array(json);
    for (uint32_t i = 0; ids && i < count; i++) {
        sw_json_begin_object(json);
        sw_json_member_text(json, "table", sw_schema_table_at(scan->run->reading.schema, ids[i])->name);
        for (int o = 0; o < SW_LOG_OPERATIONS; o++)
            sw_json_member_u64(json, names[o], scan->all.tables[ids[i]][o]);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
    sw_free(ids);
}

static void take_table(struct sw_bytes table, void *ctx) { sw_json_text(ctx, table); }

static void gaps(struct sw_json_writer *json, const struct sw_scan_report *scan)
{
    sw_json_member_u64(json, "gapCount", scan->gap_count);
    sw_json_name(json, "gaps");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < scan->gaps_listed; i++) {
        const struct sw_log_gap *gap = &scan->gaps[i];
        sw_json_begin_object(json);
        sw_json_member_string(json, "space", gap->space_text);
        sw_json_member_string(json, "from", gap->from);
        sw_json_member_string(json, "to", gap->to);
        sw_json_member_boolean(json, "fromIncluded", gap->from_included);
        sw_json_member_boolean(json, "toIncluded", gap->to_included);
        if (gap->count)
            sw_json_member_u64(json, "numbers", gap->count);
        sw_json_member_string(json, "proof", gap->discarded ? "discarded at the source" : "not seen");
        sw_json_member_boolean(json, "possible", gap->possible);
        sw_json_member_string(json, "stands", gap->before_all && gap->after_all ? "alone" : gap->before_all ? "before" : gap->after_all ? "after" : "between");
        sw_json_name(json, "tables");
        sw_json_begin_array(json);
        uint32_t around = sw_log_tables_around(scan, gap, SW_LOG_TABLES_LISTED, take_table, json);
        sw_json_end_array(json);
        json->out->failed |= around == UINT32_MAX;
        sw_json_member_u64(json, "tableCount", around);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
}

const char *sw_log_member_name(enum sw_member_verdict verdict)
{
    static const char *const names[] = {[SW_MEMBERS_COMPLETE] = "complete", [SW_MEMBERS_ELSEWHERE] = "elsewhere", [SW_MEMBERS_NO_END] = "withoutEnd", [SW_MEMBERS_MISSING] = "missingEvents",
                                        [SW_MEMBERS_SURPLUS] = "surplusEvents"};
    return names[verdict];
}

static void transactions(struct sw_json_writer *json, const struct sw_scan_report *scan)
{
    sw_json_name(json, "transactions");
    sw_json_begin_object(json);
    sw_json_member_u64(json, "endRecords", scan->all.members.ends);
    sw_json_member_u64(json, "numberedEvents", scan->all.members.events);
    for (int i = 0; i < SW_MEMBERS_VERDICTS; i++)
        sw_json_member_u64(json, sw_log_member_name((enum sw_member_verdict)i), scan->members.verdicts[i]);
    sw_json_member_u64(json, "eventsNotInEvidence", scan->members.missing_events);
    sw_json_member_u64(json, "withoutCommit", scan->open_count);
    sw_json_name(json, "incomplete");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < scan->members.listed_count; i++) {
        const struct sw_member_transaction *each = &scan->members.listed[i];
        sw_json_begin_object(json);
        member_place(json, scan, each->input, each->block, each->line);
        sw_json_member_string(json, "verdict", sw_log_member_name(each->verdict));
        sw_json_member_u64(json, "events", each->events);
        sw_json_member_u64(json, "counted", each->counted);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
    sw_json_name(json, "open");
    sw_json_begin_array(json);
    for (size_t i = 0; i < scan->open_count && i < SW_LOG_LISTED; i++) {
        sw_json_begin_object(json);
        member_place(json, scan, scan->open[i].input, scan->open[i].from_block, scan->open[i].from_line);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
    sw_json_end_object(json);
}

static void arrival(struct sw_json_writer *json, const struct sw_scan_report *scan)
{
    const struct sw_log_stretch *total = &scan->total;
    bool parallel = sw_log_is_parallel(scan->run->reading.order);
    sw_json_name(json, "arrival");
    sw_json_begin_object(json);
    sw_json_member_u64(json, "stepsBack", total->step_count);
    sw_json_member_u64(json, "stepsBackWithLaterTime", total->later_count);
    sw_json_member_u64(json, "stepsBackWithoutTime", total->untimed_count);
    sw_json_name(json, "steps");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < total->steps_listed; i++) {
        const struct sw_log_step *step = &total->steps[i];
        sw_json_begin_object(json);
        sw_json_member_text(json, "space", space_text(scan, step->space));
        edge(json, "from", scan, step->space, &step->from);
        edge(json, "to", scan, step->space, &step->to);
        sw_json_member_boolean(json, "timeIsLater", step->later);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
    sw_json_member_u64(json, "spaceChanges", parallel ? 0 : total->change_count);
    sw_json_name(json, "changes");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < total->changes_listed && !parallel; i++) {
        sw_json_begin_object(json);
        sw_json_member_text(json, "from", space_text(scan, total->changes[i].from));
        sw_json_member_text(json, "to", space_text(scan, total->changes[i].to));
        member_place(json, scan, total->changes[i].input, total->changes[i].block, total->changes[i].line);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
    sw_json_end_object(json);
}

static void inputs(struct sw_json_writer *json, const struct sw_report *report)
{
    sw_json_name(json, "inputs");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < report->input_count; i++) {
        const struct sw_input_report *input = &report->inputs[i];
        sw_json_begin_object(json);
        sw_input_members_json(json, input);
        if (*input->sha256)
            sw_json_member_string(json, "sha256", input->sha256);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
}

static void records(struct sw_json_writer *json, const struct sw_scan_report *scan)
{
    const struct sw_report *report = &scan->run->report;
    uint64_t bad = scan->run->reading.bad_count;
    sw_json_name(json, "records");
    sw_json_begin_object(json);
    sw_json_member_u64(json, "read", scan->run->reading.roles[SW_ROLE_EVENTS].records);
    sw_json_member_u64(json, "events", scan->all.events);
    sw_json_member_u64(json, "snapshotReads", scan->all.reads);
    sw_json_member_u64(json, "withoutPosition", scan->all.without_position);
    sw_json_member_u64(json, "notRowChange", scan->run->reading.roles[SW_ROLE_EVENTS].not_row_change);
    sw_json_member_u64(json, "bad", bad);
    sw_json_end_object(json);
    sw_kinds_json(json, report, "records");
    sw_json_name(json, "badRecords");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < report->bad_listed; i++) {
        sw_json_begin_object(json);
        sw_json_member_string(json, "input", report->inputs[report->bad[i].place.input].locator);
        sw_json_member_u64(json, "line", report->bad[i].place.line);
        sw_json_member_string(json, "reason", report->bad[i].reason);
        sw_json_member_string(json, "text", report->bad[i].text);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
}

static void declared(struct sw_json_writer *json, const struct sw_scan_report *scan)
{
    const struct { const char *name, *value; } values[] = {{"expectFirst", scan->expect_first}, {"expectLast", scan->expect_last}, {"available", scan->available},
                                                           {"after", scan->after}, {"executed", scan->executed}, {"purged", scan->purged}};
    sw_json_name(json, "declared");
    sw_json_begin_object(json);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        if (values[i].value)
            sw_json_member_string(json, values[i].name, values[i].value);
    sw_json_member_boolean(json, "dense", scan->dense);
    sw_json_end_object(json);
}

static void gtids(struct sw_json_writer *json, const struct sw_scan_report *scan)
{
    if (!scan->gtids.seen)
        return;
    sw_json_name(json, "gtids");
    sw_json_begin_object(json);
    sw_json_member_string(json, "seen", scan->gtids.seen);
    if (scan->seen_before)
        sw_json_member_string(json, "seenBefore", scan->seen_before);
    sw_json_member_string(json, "expected", scan->gtids.expected);
    sw_json_member_string(json, "missing", scan->gtids.missing);
    sw_json_member_string(json, "discarded", scan->gtids.discarded);
    if (scan->executed)
        sw_json_member_string(json, "notExecuted", scan->gtids.foreign);
    if (scan->after)
        sw_json_member_string(json, "deliveredAgain", scan->gtids.again);
    sw_json_end_object(json);
}

enum sw_code sw_scan_write_json(const struct sw_scan_report *scan, sw_write_fn write, void *ctx, struct sw_error *error)
{
    struct sw_buffer out = {0};
    struct sw_json_writer json = {.out = &out, .indented = true};
    const struct sw_report *report = &scan->run->report;
    sw_continuity_json_head(&json, "slackwater.scan/1");
    sw_json_member_string(&json, "verdict", sw_continuity_name(scan->verdict));
    sw_json_member_u64(&json, "exitStatus", (uint64_t)sw_scan_exit_status(scan));
    sw_json_member_string(&json, "order", scan->run->reading.order->name);
    declared(&json, scan);
    sw_sentences_json(&json, "reasons", &scan->reasons);
    sw_sentences_json(&json, "proofs", &scan->proofs);
    sw_json_member_string(&json, "claim", scan->claim);
    inputs(&json, report);
    records(&json, scan);
    sw_json_member_boolean(&json, "changeOfSpace", scan->change_of_space);
    sw_json_member_boolean(&json, "beginsAnew", scan->total.later_count != 0);
    if (scan->all.timed && !scan->all.mixed_times) {
        sw_json_name(&json, "times");
        sw_json_begin_object(&json);
        member_time(&json, "first", &scan->all.earliest);
        member_time(&json, "last", &scan->all.latest);
        sw_json_end_object(&json);
    }
    spaces(&json, scan);
    tables(&json, scan);
    gtids(&json, scan);
    gaps(&json, scan);
    transactions(&json, scan);
    arrival(&json, scan);
    sw_json_member_strings(&json, "assumed", report->assumed, report->assumed_count);
    sw_json_member_strings(&json, "notes", report->notes, report->note_count);
    sw_sentences_json(&json, "obligations", &scan->obligations);
    sw_sentences_json(&json, "limits", &scan->limits);
    sw_json_end_object(&json);
    sw_buffer_add_byte(&out, '\n');
    return sw_continuity_hand_over(&out, write, ctx, error);
}
