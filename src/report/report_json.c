/* The JSON report, schema "slackwater.report/1": docs/report.schema.json and docs/report.md. */
#include <assert.h>

#include "report/cuts.h"
#include "report/finding_write.h"
#include "report/output.h"
#include "report/recheck.h"
#include "report/report_json.h"
#include "report/scope_words.h"
#include "report/sentence.h"
#include "report/verdict.h"
#include "slackwater/version.h"
#include "text/json_write.h"

#define CONTRADICTIONS_LISTED 20u

static void member_sentences(struct sw_json_writer *json, const char *name, const struct sw_sentences *list)
{
    sw_sentences_json(json, name, list);
    json->out->failed |= list->text.failed;
}

static void member_gathered(struct sw_json_writer *json, const char *name, const struct sw_report *report, void (*gather)(struct sw_sentences *, const struct sw_report *))
{
    struct sw_sentences list = {0};
    gather(&list, report);
    member_sentences(json, name, &list);
    sw_sentences_free(&list);
}

static void limits(struct sw_sentences *out, const struct sw_report *report)
{
    sw_report_limits_here(out, report);
    sw_report_limits_always(out);
}

static void write_claim(struct sw_json_writer *json, const char *name, const struct sw_claim *claim, const struct sw_report *report)
{
    sw_json_name(json, name);
    sw_json_begin_object(json);
    sw_json_member_string(json, "verdict", sw_verdict_name(claim->verdict));
    member_sentences(json, "reasons", &claim->reasons);
    member_sentences(json, "evidence", &claim->evidence);
    sw_json_member_string(json, "reachedAt", report->reached ? report->reached : report->started);
    sw_json_end_object(json);
}

static void write_judgement(struct sw_json_writer *json, const struct sw_report *report)
{
    struct sw_verdicts verdicts = {0};
    struct sw_buffer sentence = {0};
    const char *word = sw_report_headline(&sentence, report);
    sw_json_name(json, "headline");
    sw_json_begin_object(json);
    sw_json_member_string(json, "word", word);
    sw_json_member_text(json, "sentence", sw_buffer_view(&sentence));
    sw_json_end_object(json);
    sw_json_member_u64(json, "exitStatus", (uint64_t)sw_report_exit_status(report));

    sw_report_judge(&verdicts, report);
    sw_json_name(json, "verdicts");
    sw_json_begin_object(json);
    write_claim(json, "process", &verdicts.process, report);
    write_claim(json, "currentState", &verdicts.current_state, report);
    write_claim(json, "history", &verdicts.history, report);
    sw_json_end_object(json);
    sw_json_member_boolean(json, "matchesDeclaredReference", verdicts.current_state.verdict == SW_VERDICT_CONFIRMED);
    sw_json_member_boolean(json, "referenceIndependentlyVerified", false);
    sw_json_member_boolean(json, "historyCompletenessProven", verdicts.history.verdict == SW_VERDICT_CONFIRMED);
    sw_json_member_boolean(json, "productionReplayApproved", false);
    json->out->failed |= sentence.failed;
    sw_buffer_free(&sentence);
    sw_verdicts_free(&verdicts);
}

/* What was declared, and what was taken for granted. */
static void write_declarations(struct sw_json_writer *json, const struct sw_report *report)
{
    static const char *const compares[] = {[SW_COMPARE_AUTO] = "auto", [SW_COMPARE_STATE] = "state", [SW_COMPARE_VALUE] = "value"};
    static const char *const deletes[] = {[SW_DELETES_AUTO] = "auto", [SW_DELETES_TOMBSTONE] = "tombstone", [SW_DELETES_ABSENT] = "absent", [SW_DELETES_FLAG] = "flag"};
    const struct sw_mapping *mapping = report->mapping;
    const struct sw_order *order = report->order;
    sw_json_name(json, "order");
    sw_json_begin_object(json);
    sw_json_member_string(json, "policy", order ? order->name : NULL);
    sw_json_member_string(json, "rule", order ? order->rule : NULL);
    sw_json_member_string(json, "tie", order ? order->tie : NULL);
    sw_json_member_boolean(json, "assumed", report->order_assumed);
    sw_json_end_object(json);
    sw_json_member_string(json, "cut", mapping->cut);
    sw_json_member_string(json, "baselinePosition", mapping->baseline_position);
    sw_json_member_string(json, "baselineTime", mapping->baseline_time);
    sw_json_member_string(json, "compare", compares[report->compare]);
    sw_json_member_string(json, "expectedDeletes", deletes[report->deletes]);
    sw_json_member_string(json, "deleteFlag", report->deletes == SW_DELETES_FLAG ? mapping->delete_flag : NULL);
    sw_json_member_string(json, "conflicts", mapping->conflicts_newest ? "newest" : "any");

    sw_json_name(json, "declared");
    sw_json_begin_array(json);
    struct sw_bytes rest = sw_buffer_view(&mapping->declared);
    while (rest.len) {
        const uint8_t *end = memchr(rest.at, '\n', rest.len);
        size_t len = end ? (size_t)(end - rest.at) : rest.len;
        if (len)
            sw_json_text(json, sw_bytes_of(rest.at, len));
        rest = sw_bytes_of(rest.at + len + (end ? 1 : 0), rest.len - len - (end ? 1 : 0));
    }
    sw_json_end_array(json);
    sw_json_member_strings(json, "assumed", report->assumed, report->assumed_count);
    sw_json_member_strings(json, "spaces", report->spaces, report->space_count);
}

void sw_input_members_json(struct sw_json_writer *json, const struct sw_input_report *input)
{
    sw_json_member_string(json, "locator", input->locator);
    if (input->table)
        sw_json_member_string(json, "table", input->table);
    sw_json_member_string(json, "format", input->format);
    sw_json_member_string(json, "encoding", input->encoding);
    sw_json_member_string(json, "compression", input->compression);
    sw_json_member_u64(json, "records", input->records);
    sw_json_member_u64(json, "badRecords", input->bad_records);
    sw_json_member_u64(json, "bytes", input->bytes);
}

void sw_kinds_json(struct sw_json_writer *json, const struct sw_report *report, const char *count_name)
{
    sw_json_name(json, "kinds");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < report->kind_count; i++) {
        sw_json_begin_object(json);
        sw_json_member_string(json, "kind", report->kinds[i].kind);
        sw_json_member_u64(json, count_name, report->kinds[i].count);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
}

static void write_inputs(struct sw_json_writer *json, const struct sw_report *report)
{
    sw_json_name(json, "inputs");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < report->input_count; i++) {
        const struct sw_input_report *input = &report->inputs[i];
        sw_json_begin_object(json);
        sw_json_member_string(json, "role", sw_role_name(input->role));
        sw_input_members_json(json, input);
        sw_json_member_u64(json, "decodedBytes", input->decoded_bytes);
        sw_json_member_string(json, "sha256", input->sha256[0] ? input->sha256 : NULL);
        if (input->no_sha256)
            sw_json_member_string(json, "noSha256", input->no_sha256);
        if (input->position)
            sw_json_member_string(json, "position", input->position);
        sw_cut_write_json(json, "cut", &input->cut);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
}

static void write_counts(struct sw_json_writer *json, const struct sw_report *report)
{
    sw_json_name(json, "records");
    sw_json_begin_object(json);
    for (unsigned role = 0; role < SW_ROLE_COUNT; role++)
        sw_json_member_u64(json, sw_role_name((enum sw_role)role), report->records[role]);
    sw_json_end_object(json);

    sw_json_name(json, "dispositions");
    sw_json_begin_object(json);
    for (unsigned i = 0; i < SW_DISPOSITION_COUNT; i++)
        if (i != SW_DISPOSITION_OUT_OF_SCOPE || report->scope.limited)
            sw_json_member_u64(json, sw_disposition_name((enum sw_disposition)i), report->dispositions[i]);
    sw_json_end_object(json);

    sw_kinds_json(json, report, "count");

    sw_json_name(json, "counts");
    sw_json_begin_object(json);
    const char *name;
    uint64_t count;
    for (size_t i = 0; (name = sw_report_count_at(&count, report, i)) != NULL; i++)
        sw_json_member_u64(json, name, count);
    sw_json_end_object(json);
}

static void member_table(struct sw_json_writer *json, const struct sw_table *table)
{
    if (table && table->name.len)
        sw_json_member_text(json, "table", table->name);
}

static void write_tables(struct sw_json_writer *json, const struct sw_report *report)
{
    sw_json_name(json, "tables");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < report->table_count; i++) {
        const struct sw_table_counts *counts = &report->tables[i];
        uint64_t keys = 0;
        for (unsigned class = 0; class < SW_CLASS_COUNT; class++)
            keys += counts->classes[class];
        sw_json_begin_object(json);
        member_table(json, counts->table);
        sw_json_member_u64(json, "keys", keys);
        sw_json_member_u64(json, "equal", counts->classes[SW_CLASS_EQUAL]);
        sw_json_member_u64(json, "different", counts->classes[SW_CLASS_DIFFERENT]);
        sw_json_member_u64(json, "conflictKeys", counts->classes[SW_CLASS_CONFLICT]);
        sw_json_member_u64(json, "undecidedKeys", counts->classes[SW_CLASS_UNDECIDED]);
        if (report->scope.limited)
            sw_json_member_u64(json, "keysOutside", counts->outside);
        for (unsigned reason = 1; reason < SW_REASON_COUNT; reason++)
            sw_json_member_u64(json, sw_reason_count_name((enum sw_reason)reason), counts->reasons[reason]);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
}

static void member_place(struct sw_json_writer *json, const char *name, const struct sw_report *report, const struct sw_place *place)
{
    struct sw_buffer text = {0};
    sw_place_write(&text, report, place);
    sw_json_member_text(json, name, sw_buffer_view(&text));
    json->out->failed |= text.failed;
    sw_buffer_free(&text);
}

static void write_columns(struct sw_json_writer *json, const struct sw_report *report)
{
    sw_json_name(json, "columnsAbsent");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < report->absent_column_count; i++) {
        const struct sw_column_note *note = &report->absent_columns[i];
        sw_json_begin_object(json);
        member_table(json, sw_schema_table_at(report->schema, note->column->table));
        sw_json_member_text(json, "column", note->column->name);
        sw_json_member_string(json, "absentFrom", note->absent_from == SW_ROLE_EXPECTED ? "destination" : "evidence");
        sw_json_end_object(json);
    }
    sw_json_end_array(json);

    sw_json_name(json, "columnKeys");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < report->column_key_count; i++) {
        const struct sw_column_keys *keys = &report->column_keys[i];
        sw_json_begin_object(json);
        member_table(json, sw_schema_table_at(report->schema, keys->column->table));
        sw_json_member_text(json, "column", keys->column->name);
        sw_json_member_u64(json, "different", keys->different);
        sw_json_member_u64(json, "unknown", keys->unknown);
        sw_json_member_u64(json, "notComparable", keys->incomparable);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);

    sw_json_name(json, "columnSets");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < report->set_count; i++) {
        const struct sw_set_note *note = &report->sets[i];
        sw_json_begin_object(json);
        member_table(json, note->table);
        sw_json_member_string(json, "role", sw_role_name(note->role));
        sw_json_name(json, "columns");
        sw_json_begin_array(json);
        for (uint32_t column = 0; column < note->set->count; column++)
            sw_json_text(json, note->set->columns[column]->name);
        sw_json_end_array(json);
        member_place(json, "first", report, &note->first);
        sw_json_member_u64(json, "records", note->records);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
}

static void write_bad_records(struct sw_json_writer *json, const struct sw_report *report)
{
    sw_json_name(json, "badRecords");
    sw_json_begin_object(json);
    sw_json_member_u64(json, "count", report->bad_count);
    sw_json_member_u64(json, "unattributed", report->bad_unattributed);
    sw_json_member_boolean(json, "quarantined", report->quarantined);
    sw_json_name(json, "listed");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < report->bad_listed; i++) {
        const struct sw_bad_record *bad = &report->bad[i];
        sw_json_begin_object(json);
        member_place(json, "record", report, &bad->place);
        sw_json_member_string(json, "reason", bad->reason);
        sw_json_member_string(json, "text", bad->text);
        sw_json_member_boolean(json, "keyKnown", bad->key_known);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
    sw_json_end_object(json);
}

/* One list of findings: those that are undecided, or those that are not. One compact object a line, handed over as it grows. */
static enum sw_code write_findings(struct sw_json_writer *json, struct sw_output *output, struct sw_report *report, bool undecided)
{
    uint64_t all = undecided ? report->classes[SW_CLASS_UNDECIDED] : sw_report_differences(report), listed = 0;
    sw_json_name(json, undecided ? "undecided" : "differences");
    sw_json_begin_array(json);
    enum sw_code code = SW_OK;
    if (report->findings && all && report->listed_differences)
        code = sw_finding_rewind(report->findings, output->error);
    while (code == SW_OK && report->findings && listed < all && listed < report->listed_differences) {
        const struct sw_finding *finding;
        code = sw_finding_next(&finding, report->findings, output->error);
        if (code != SW_OK || (sw_reason_class(finding->reason) == SW_CLASS_UNDECIDED) != undecided)
            continue;
        struct sw_json_writer line = {.out = &output->buffer};
        sw_json_value(json);
        sw_finding_write_json(&line, report, finding);
        listed++;
        code = sw_output_relieve(output);
    }
    if (code < 0)
        return code;
    sw_json_end_array(json);
    sw_json_member_u64(json, undecided ? "undecidedListed" : "differencesListed", listed);
    sw_json_member_u64(json, undecided ? "undecidedOmitted" : "differencesOmitted", all > listed ? all - listed : 0);
    return SW_OK;
}

static void write_change_end(struct sw_json_writer *json, const char *name, const struct sw_report *report, const struct sw_image *image)
{
    struct sw_buffer text = {0};
    sw_json_name(json, name);
    sw_json_begin_object(json);
    if (image->space.len)
        sw_json_member_text(json, "space", image->space);
    if (image->has_version)
        sw_report_print_version(&text, report, image->version, image->space);
    if (image->has_version)
        sw_json_member_text(json, "version", sw_buffer_view(&text));
    else
        sw_json_member_string(json, "version", NULL);
    sw_json_end_object(json);
    json->out->failed |= text.failed;
    sw_buffer_free(&text);
}

/* Between which two versions of a key a change is missing, and by which event that is seen. */
static void write_contradiction(struct sw_json_writer *json, const struct sw_report *report, const struct sw_finding *finding)
{
    const struct sw_image event = {.has_version = true, .space = finding->cause_space, .version = finding->cause_version};
    sw_json_begin_object(json);
    member_table(json, finding->table);
    sw_json_name(json, "key");
    sw_json_value(json);
    sw_key_write_json(json->out, finding->table, finding->key);
    sw_json_member_string(json, "cause", sw_cause_name(finding->cause));
    write_change_end(json, "after", report, &finding->state);
    write_change_end(json, "before", report, &event);
    sw_json_name(json, "columns");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < finding->differing_count; i++)
        sw_json_text(json, finding->differing[i]->name);
    sw_json_end_array(json);
    sw_json_name(json, "state");
    sw_image_write_json(json, report, &finding->state);
    sw_json_name(json, "replaced");
    sw_image_write_json(json, report, &finding->other);
    sw_json_name(json, "records");
    sw_places_write_json(json, report, finding);
    sw_json_end_object(json);
}

static void write_transactions(struct sw_json_writer *json, const struct sw_report *report)
{
    const struct sw_transaction_counts *counts = &report->transactions;
    sw_json_name(json, "transactions");
    sw_json_begin_object(json);
    sw_json_member_u64(json, "complete", counts->complete);
    sw_json_member_u64(json, "elsewhere", counts->elsewhere);
    sw_json_member_u64(json, "withoutEnd", counts->without_end);
    sw_json_member_u64(json, "missing", counts->missing);
    sw_json_member_u64(json, "surplus", counts->surplus);
    sw_json_member_u64(json, "missingEvents", counts->missing_events);
    sw_json_name(json, "listed");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < counts->listed_count; i++) {
        sw_json_begin_object(json);
        member_place(json, "first", report, &counts->listed[i].first);
        sw_json_member_u64(json, "events", counts->listed[i].events);
        sw_json_member_u64(json, "counted", counts->listed[i].counted);
        sw_json_end_object(json);
    }
    sw_json_end_array(json);
    sw_json_end_object(json);
}

/* What events say of the row before them: the first contradictions, by key and version. */
static enum sw_code write_history(struct sw_json_writer *json, struct sw_output *output, struct sw_report *report)
{
    uint64_t listed = 0, all = report->contradiction_count;
    sw_json_name(json, "history");
    sw_json_begin_object(json);
    sw_json_member_u64(json, "claimsHeld", report->claims_held);
    sw_json_member_u64(json, "claimsUnheld", report->claims_unheld);
    sw_json_name(json, "contradictions");
    sw_json_begin_array(json);
    enum sw_code code = report->contradictions && all ? sw_finding_rewind(report->contradictions, output->error) : SW_OK;
    while (code == SW_OK && report->contradictions && listed < all && listed < CONTRADICTIONS_LISTED) {
        const struct sw_finding *finding;
        code = sw_finding_next(&finding, report->contradictions, output->error);
        if (code != SW_OK)
            continue;
        struct sw_json_writer line = {.out = &output->buffer};
        sw_json_value(json);
        write_contradiction(&line, report, finding);
        listed++;
        code = sw_output_relieve(output);
    }
    if (code < 0)
        return code;
    sw_json_end_array(json);
    sw_json_member_u64(json, "contradictionsListed", listed);
    sw_json_member_u64(json, "contradictionsOmitted", all - listed);
    write_transactions(json, report);
    sw_json_end_object(json);
    return SW_OK;
}

/* What differs from run to run on the same inputs stands here, and in `reachedAt`. */
static void write_run(struct sw_json_writer *json, const struct sw_report *report)
{
    const struct { const char *name, *path; } outputs[] = {
        {"report", report->report_file}, {"differences", report->differences_file}, {"states", report->states_file},
        {"saveState", report->save_state_file}, {"quarantine", report->quarantine_file}};
    sw_json_name(json, "run");
    sw_json_begin_object(json);
    sw_json_member_string(json, "started", report->started);
    sw_json_name(json, "seconds");
    sw_json_value(json);
    uint64_t milliseconds = report->seconds > 0 ? (uint64_t)(report->seconds * 1000 + 0.5) : 0;
    sw_buffer_printf(json->out, "%llu.%03llu", (unsigned long long)(milliseconds / 1000), (unsigned long long)(milliseconds % 1000));
    sw_json_member_u64(json, "threads", report->threads);
    sw_json_member_u64(json, "memoryLimit", report->memory_limit);
    sw_json_member_u64(json, "memoryPeak", report->memory_peak);
    sw_json_member_u64(json, "spilledBytes", report->spilled_bytes);
    sw_json_member_string(json, "kernel", report->kernel);
    sw_json_name(json, "modified");
    sw_json_begin_array(json);
    for (uint32_t i = 0; i < report->input_count; i++)
        sw_json_string(json, report->inputs[i].cut.kind == SW_CUT_FILE ? report->inputs[i].cut.at : NULL);
    sw_json_end_array(json);
    sw_json_name(json, "outputs");
    sw_json_begin_object(json);
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
        sw_json_member_string(json, outputs[i].name, outputs[i].path);
    sw_json_end_object(json);
    sw_json_end_object(json);
}

enum sw_code sw_report_write_json(struct sw_report *report, sw_write_fn write, void *ctx, struct sw_error *error)
{
    assert(report && write);
    struct sw_output output = {.write = write, .ctx = ctx, .error = error};
    struct sw_json_writer json = {.out = &output.buffer, .indented = true};

    sw_json_begin_object(&json);
    sw_json_member_string(&json, "schema", "slackwater.report/1");
    sw_json_name(&json, "tool");
    sw_json_begin_object(&json);
    sw_json_member_string(&json, "name", "slackwater");
    sw_json_member_string(&json, "version", sw_version());
    sw_json_end_object(&json);
    write_judgement(&json, report);
    write_declarations(&json, report);
    sw_scope_write_json(&json, report);
    write_inputs(&json, report);
    sw_cuts_write_json(&json, report);
    write_counts(&json, report);
    sw_recheck_write_json(&json, report);
    write_tables(&json, report);
    write_columns(&json, report);
    write_bad_records(&json, report);
    member_gathered(&json, "notes", report, sw_report_notes);
    sw_evidence_write_json(&json, report);
    member_gathered(&json, "limits", report, limits);
    member_gathered(&json, "next", report, sw_report_next);
    enum sw_code code = write_history(&json, &output, report);
    if (code == SW_OK)
        code = write_findings(&json, &output, report, false);
    if (code == SW_OK)
        code = write_findings(&json, &output, report, true);
    if (code == SW_OK) {
        write_run(&json, report);
        sw_json_end_object(&json);
        sw_buffer_add_byte(&output.buffer, '\n');
        code = sw_output_flush(&output);
    }
    sw_output_free(&output);
    return code;
}

enum sw_code sw_report_write_differences(struct sw_report *report, bool csv, sw_write_fn write, void *ctx, struct sw_error *error)
{
    assert(report && write);
    struct sw_output output = {.write = write, .ctx = ctx, .error = error};
    if (csv)
        sw_finding_write_csv_header(&output.buffer, report);
    enum sw_code code = report->findings ? sw_finding_rewind(report->findings, error) : SW_END;
    while (code == SW_OK) {
        const struct sw_finding *finding;
        code = sw_finding_next(&finding, report->findings, error);
        if (code != SW_OK)
            break;
        if (csv) {
            sw_finding_write_csv(&output.buffer, report, finding);
        } else {
            struct sw_json_writer json = {.out = &output.buffer};
            sw_finding_write_json(&json, report, finding);
            sw_buffer_add_byte(&output.buffer, '\n');
        }
        code = sw_output_relieve(&output);
    }
    if (code >= 0)
        code = sw_output_flush(&output);
    sw_output_free(&output);
    return code;
}
