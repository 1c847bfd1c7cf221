#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fold/key_order.h"
#include "reconcile/run.h"
#include "reconcile/type_hints.h"

/* A few rows that are read again show fewer columns than all did: what a side has is what it had. */
static void take_over_columns(struct sw_run *run)
{
    const struct sw_schema *here = run->reading.schema, *there = run->first->reading.schema;
    for (uint32_t c = 0; c < sw_schema_column_count(here); c++) {
        const struct sw_column *column = sw_schema_column_at(here, c);
        struct sw_bytes table = sw_schema_table_at(here, column->table)->name;
        for (uint32_t d = 0; d < sw_schema_column_count(there); d++) {
            const struct sw_column *before = sw_schema_column_at(there, d);
            if (!sw_bytes_equal(before->name, column->name) || !sw_bytes_equal(sw_schema_table_at(there, before->table)->name, table))
                continue;
            run->in_evidence[c] |= run->first->in_evidence[d];
            run->in_reference[c] |= run->first->in_reference[d];
        }
    }
}

/* Which columns does each side have, by the sets that its records showed? */
static enum sw_code find_columns(struct sw_run *run, struct sw_error *error)
{
    uint32_t columns = sw_schema_column_count(run->reading.schema);
    run->in_evidence = sw_calloc(columns, 1);
    run->in_reference = sw_calloc(columns, 1);
    if (!run->in_evidence || !run->in_reference)
        return sw_fail_memory(error, "columns", columns);
    for (int r = 0; r < SW_ROLE_COUNT; r++) {
        const struct sw_read_role *role = &run->reading.roles[r];
        uint8_t *side = r == SW_ROLE_EXPECTED ? run->in_reference : run->in_evidence;
        for (uint32_t s = 0; s < role->set_count; s++) {
            if (role->sets[s].count == 0)
                continue;
            const struct sw_column_set *set = sw_schema_set_at(run->reading.schema, s);
            for (uint32_t c = 0; c < set->count; c++)
                side[set->columns[c]->id] |= (uint8_t)(1u << r);
        }
    }
    if (run->first)
        take_over_columns(run);
    return SW_OK;
}

static int by_columns(const void *a, const void *b)
{
    const struct sw_column_set *left = *(const struct sw_column_set *const *)a, *right = *(const struct sw_column_set *const *)b;
    for (uint32_t i = 0; i < left->count && i < right->count; i++) {
        int order = sw_bytes_compare(left->columns[i]->name, right->columns[i]->name);
        if (order)
            return order;
    }
    return (left->count > right->count) - (left->count < right->count);
}

/* Set ids follow arrival; their ranks do not. */
static enum sw_code rank_sets(struct sw_run *run, struct sw_error *error)
{
    uint32_t count = sw_schema_set_count(run->reading.schema);
    const struct sw_column_set **sets = sw_calloc(count, sizeof *sets);
    run->set_ranks = sw_calloc(count, sizeof *run->set_ranks);
    if (!sets || !run->set_ranks) {
        sw_free(sets);
        return sw_fail_memory(error, "column sets", count * sizeof *sets);
    }
    for (uint32_t i = 0; i < count; i++)
        sets[i] = sw_schema_set_at(run->reading.schema, i);
    if (count)
        qsort(sets, count, sizeof *sets, by_columns);
    for (uint32_t i = 0; i < count; i++)
        run->set_ranks[sets[i]->id] = i;
    sw_free(sets);
    run->rules.set_ranks = run->set_ranks;
    return SW_OK;
}

/* The column of a bare value has no name; its type is declared under the name of the member. */
static struct sw_bytes bare_value_name(const struct sw_mapping *mapping)
{
    for (int r = 0; r < SW_ROLE_COUNT; r++)
        if (mapping->layout[r].value.step_count)
            return sw_bytes_text(mapping->layout[r].value.steps[mapping->layout[r].value.step_count - 1]);
    return SW_BYTES_LITERAL("value");
}

/* Are some of a table's rows fields of CSV, and others values that say what they are? An input that is declared to be of another table has none of it. */
static bool mixes(const struct sw_reading *reading, const char *table)
{
    bool csv = false, json = false;
    for (int r = 0; r < SW_ROLE_COUNT; r++)
        for (uint32_t i = 0; i < reading->roles[r].input_count; i++) {
            const struct sw_read_input *input = &reading->roles[r].inputs[i];
            if (!input->records || (input->table && strcmp(input->table, table) != 0))
                continue;
            csv |= input->csv || (input->state && input->state->csv);
            json |= !input->csv && !(input->state && input->state->csv);
        }
    return csv && json;
}

/* The declarations that are asked for, as options to copy. */
struct untyped {
    char list[768];
    size_t used, more;
    bool unknown; /* of some column no value was seen */
};

static void add_untyped(struct untyped *out, struct sw_bytes name, uint8_t seen)
{
    const char *type = sw_type_hint_name(seen);
    bool plain = name.len > 0;
    for (size_t i = 0; i < name.len; i++)
        plain &= (name.at[i] >= 'a' && name.at[i] <= 'z') || (name.at[i] >= 'A' && name.at[i] <= 'Z') || (name.at[i] >= '0' && name.at[i] <= '9') || name.at[i] == '_' || name.at[i] == '.' || name.at[i] >= 0x80;
    const char *quote = plain ? "" : "'";
    int len = snprintf(NULL, 0, " --type %s%.*s=%s%s", quote, (int)name.len, (const char *)name.at, type, quote);
    if (len < 0 || out->used + (size_t)len >= sizeof out->list) {
        out->more++;
        return;
    }
    out->used += (size_t)snprintf(out->list + out->used, sizeof out->list - out->used, " --type %s%.*s=%s%s", quote, (int)name.len, (const char *)name.at, type, quote);
    out->unknown |= seen == 0;
}

static void add_untyped_keys(struct untyped *out, const struct sw_type_hints *hints, const struct sw_schema *schema, const struct sw_key_declaration *keys, const struct sw_mapping *mapping, const char *table)
{
    for (size_t i = 0; i < mapping->key_count; i++)
        if (!keys[i].declared && keys[i].type.kind == SW_TYPE_ANY)
            add_untyped(out, sw_bytes_text(mapping->keys[i]), sw_type_hint_of_key(hints, schema, table, i));
}

/* A CSV field is text and a JSON value says what it is: without a type, declared or told by the records, the two cannot be compared. */
static enum sw_code refuse_mixed(struct sw_run *run, struct sw_error *error)
{
    const struct sw_reading *reading = &run->reading;
    unsigned csv = 0, json = 0;
    for (int r = 0; r < SW_ROLE_COUNT; r++) {
        unsigned some = reading->roles[r].records != 0; /* an empty input has no value that would need a type */
        csv |= (some & reading->roles[r].any_csv) << r;
        json |= (some & reading->roles[r].any_json) << r;
    }
    uint64_t records = 0;
    for (int r = 0; r < SW_ROLE_COUNT; r++)
        records += reading->roles[r].records;
    if (!csv || !json || reading->bad_count == records) /* where no record could be read, the reason of that is the one to tell */
        return SW_OK;
    struct untyped untyped = {.used = 0};
    struct sw_type_hints hints;
    sw_type_hints_find(&hints, run);
    if (!run->tables)
        add_untyped_keys(&untyped, &hints, reading->schema, run->keys, &run->mapping, NULL);
    for (size_t t = 0; t < run->mapping.table_count; t++)
        if (mixes(reading, run->tables[t].mapping->table))
            add_untyped_keys(&untyped, &hints, reading->schema, run->tables[t].keys, run->tables[t].mapping, run->tables[t].mapping->table);
    for (uint32_t id = 0; id < sw_schema_column_count(reading->schema); id++) {
        const struct sw_column *column = sw_schema_column_at(reading->schema, id);
        unsigned roles = (unsigned)(run->in_evidence[id] | run->in_reference[id]);
        if (run->tables && !mixes(reading, run->mapping.tables[column->table < run->mapping.table_count ? column->table : 0].mapping->table))
            continue;
        if (column->declared || column->ignored || column->type.kind != SW_TYPE_ANY || !(roles & csv) || !(roles & json))
            continue;
        add_untyped(&untyped, column->name.len ? column->name : bare_value_name(&run->mapping), id < hints.column_count ? hints.columns[id] : 0);
    }
    sw_type_hints_free(&hints);
    if (untyped.used == 0)
        return SW_OK;
    char rest[48] = "";
    if (untyped.more)
        snprintf(rest, sizeof rest, " and %zu more", untyped.more);
    return sw_fail(error, SW_ERR_USAGE, "one input is CSV and another is JSON: a field of CSV is text until its type is declared. Declare:%s%s (as the JSON values look%s; docs/types.md has all types)%s", untyped.list, rest,
                   untyped.unknown ? ", TYPE where there is none" : "", run->tables ? "; or in the mapping, under the `types` of its table" : "");
}

static int by_version(const void *a, const void *b)
{
    const struct sw_record *left = a, *right = b;
    if (left->table != right->table)
        return left->table < right->table ? -1 : 1;
    if (left->space != right->space)
        return left->space < right->space ? -1 : 1;
    int order = sw_bytes_compare(left->version, right->version);
    if (!order)
        order = sw_bytes_compare(left->identity, right->identity);
    return order ? order : sw_fold_compare_places(left, right);
}

/* Committed, of a transaction that may yet end, or of one that never will. */
static int openness(const struct sw_fold_rules *rules, const struct sw_record *record)
{
    const struct sw_fold_open *open = sw_fold_find_open(rules->marked, rules->marked_count, record);
    return !open ? 0 : open->id ? 1 : 2;
}

/* Truncates were collected aside: sorted, told apart from their repeats and counted here, since no key is theirs alone. */
static enum sw_code settle_truncates(struct sw_run *run, struct sw_error *error)
{
    struct sw_reading *reading = &run->reading;
    size_t count = reading->truncate_spans.len / (2 * sizeof(uint64_t));
    run->truncates = sw_calloc(count, sizeof *run->truncates);
    if (!run->truncates)
        return sw_fail_memory(error, "truncates", count * sizeof *run->truncates);
    for (size_t i = 0; i < count; i++) {
        uint64_t span[2];
        memcpy(span, reading->truncate_spans.at + i * sizeof span, sizeof span);
        sw_record_read(&run->truncates[i], sw_bytes_of(reading->truncates.at + span[0], span[1]));
    }
    if (count)
        qsort(run->truncates, count, sizeof *run->truncates, by_version);
    uint32_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sw_record *record = &run->truncates[i];
        struct sw_record *before = kept ? &run->truncates[kept - 1] : NULL;
        bool again = before && before->table == record->table && before->space == record->space && sw_bytes_equal(before->version, record->version) &&
                     sw_bytes_equal(before->identity, record->identity);
        if (again && record->identity.len)
            run->counts.dispositions[SW_DISPOSITION_DUPLICATE]++, run->truncate_repeats++;
        else if (again)
            run->counts.dispositions[SW_DISPOSITION_REPEATED]++, run->counts.repeated_records++;
        if (again && openness(&run->rules, record) < openness(&run->rules, before))
            *before = *record; /* of equal ones, one that is committed stands for all */
        else if (!again)
            run->truncates[kept++] = *record;
    }
    for (uint32_t i = 0; i < kept; i++) {
        struct sw_record *record = &run->truncates[i];
        run->counts.dispositions[sw_fold_is_open(&run->rules, record) ? SW_DISPOSITION_OPEN_TRANSACTION : sw_fold_beyond_cut(&run->rules, record) ? SW_DISPOSITION_BEYOND_CUT : SW_DISPOSITION_APPLIED]++;
        record->role = SW_RECORD_ROLE_FOLLOWING;
    }
    run->rules.truncates = run->truncates;
    run->rules.truncate_count = kept;
    run->rules.truncate_bytes = sw_buffer_view(&reading->truncates);
    enum sw_code code = sw_truncate_index_new(&run->truncate_index, &run->rules, error);
    run->rules.truncate_index = run->truncate_index;
    return code;
}

static bool settle_defaults(struct sw_run *run)
{
    const struct sw_read_role *expected = &run->reading.roles[SW_ROLE_EXPECTED];
    struct sw_report *report = &run->report;
    report->compare = run->first ? run->first->report.compare : run->mapping.compare;
    report->deletes = run->first ? run->first->report.deletes : run->mapping.deletes;
    if (report->compare == SW_COMPARE_AUTO) {
        report->compare = expected->saw_version ? SW_COMPARE_STATE : SW_COMPARE_VALUE;
        if (expected->source && !sw_run_assume(run, expected->saw_version ? "compare state: the reference has versions, so they are compared too" : "compare value: the reference has no versions"))
            return false;
    }
    if (report->deletes == SW_DELETES_AUTO) {
        report->deletes = expected->saw_deleted ? SW_DELETES_TOMBSTONE : SW_DELETES_ABSENT;
        if (expected->source && !sw_run_assume(run, expected->saw_deleted ? "expected-deletes tombstone: the reference has a deleted column"
                                                                          : "expected-deletes absent: the reference has no deleted column, so a deleted key should have no row"))
            return false;
    }
    const struct sw_layout *events = &run->mapping.layout[SW_ROLE_EVENTS];
    if (run->reading.roles[SW_ROLE_EVENTS].source && run->reading.roles[SW_ROLE_EVENTS].format == &sw_format_plain && events->operation.step_count == 0 && events->deleted.step_count == 0)
        return sw_run_assume(run, "every event writes its row: no operation is declared (--op COLUMN declares where it stands)");
    return true;
}

static int by_name(const void *a, const void *b)
{
    const struct sw_column *left = *(const struct sw_column *const *)a, *right = *(const struct sw_column *const *)b;
    int order = sw_bytes_compare(left->name, right->name);
    return order ? order : (int)left->type.kind - (int)right->type.kind;
}

/* Types of columns that came with the records: one sentence, by name, cut where it gets long. */
static bool assume_types(struct sw_run *run)
{
    const struct sw_schema *schema = run->reading.schema;
    uint32_t count = 0, columns = sw_schema_column_count(schema);
    const struct sw_column **typed = sw_calloc(columns, sizeof *typed);
    struct sw_buffer text = {0};
    if (!typed)
        return false;
    for (uint32_t id = 0; id < columns; id++)
        if (!sw_schema_column_at(schema, id)->declared && sw_schema_column_at(schema, id)->type.kind != SW_TYPE_ANY)
            typed[count++] = sw_schema_column_at(schema, id);
    if (count)
        qsort(typed, count, sizeof *typed, by_name);
    uint32_t i = 0;
    for (; i < count && text.len < 380; i++) {
        sw_buffer_add_text(&text, i ? ", " : "");
        sw_buffer_add_bytes(&text, typed[i]->name);
        sw_buffer_add_byte(&text, ' ');
        sw_type_print(&text, &typed[i]->type);
    }
    if (i < count)
        sw_buffer_printf(&text, " and %u more", count - i);
    sw_free(typed);
    bool kept = !text.failed && (count == 0 || sw_run_assume(run, "types of columns, as the %s: %.*s", sw_run_has_rows(run) ? "catalogue says" : "records say", (int)text.len, (const char *)text.at));
    sw_buffer_free(&text);
    return kept;
}

bool sw_run_remark(struct sw_run *run, const char *text)
{
    struct sw_report *report = &run->report;
    for (uint32_t i = 0; i < report->note_count; i++)
        if (strcmp(report->notes[i], text) == 0)
            return true;
    char **grown = sw_realloc_array(report->notes, report->note_count + 1, sizeof *grown);
    if (!grown)
        return false;
    report->notes = grown;
    char *copy = sw_strdup(text);
    if (copy) /* the notes before it are compared with the next one */
        grown[report->note_count++] = copy;
    return copy != NULL;
}

#define INVALID_TOLD 20 /* columns of which a note says what their first invalid value was */

static int by_column_name(const void *a, const void *b)
{
    const struct sw_invalid_value *left = a, *right = b;
    int order = sw_bytes_compare(left->column->name, right->column->name);
    return order ? order : (left->column->table > right->column->table) - (left->column->table < right->column->table);
}

/* What was expected of a column and what stood there, for the first value of each: the finding names the column alone. */
static bool note_invalid_values(struct sw_run *run)
{
    struct sw_invalid_values *invalid = &run->reading.invalid;
    bool kept = true;
    if (invalid->count)
        qsort(invalid->at, invalid->count, sizeof *invalid->at, by_column_name);
    for (uint32_t i = 0; i < invalid->count && i < INVALID_TOLD; i++) {
        struct sw_buffer text = {0};
        const struct sw_column *column = invalid->at[i].column;
        sw_buffer_add_text(&text, "column ");
        sw_buffer_add_bytes(&text, column->name.len ? column->name : bare_value_name(&run->mapping));
        sw_buffer_printf(&text, " was not compared where it is no %s: %s", sw_type_kind_name(column->type.kind), invalid->at[i].text);
        kept &= sw_buffer_text(&text) && sw_run_remark(run, sw_buffer_text(&text));
        sw_buffer_free(&text);
    }
    return kept;
}

static bool settle_notes(struct sw_run *run)
{
    const struct sw_format_notes *notes = &run->reading.notes;
    bool kept = true;
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        for (const char *const *remark = run->reading.roles[role].source ? run->reading.roles[role].format->remarks : NULL; remark && *remark; remark++)
            kept &= sw_run_remark(run, *remark);
    for (uint32_t i = 0; i < notes->assumed_count; i++)
        kept &= sw_run_assume(run, "%s", notes->assumed[i]);
    if (notes->table_count == 1 && notes->tables[0][0]) /* a saved state of rows without a table names none either */
        kept &= sw_run_assume(run, "table %s: all rows of the other side are taken for its rows, since none names a table", notes->tables[0]);
    return kept && note_invalid_values(run) && assume_types(run);
}

enum sw_code sw_run_settle(struct sw_run *run, struct sw_error *error)
{
    enum sw_code code = sw_run_check_saved(run, error);
    if (code == SW_OK)
        code = sw_format_refuse_several_tables(&run->reading.notes, error);
    if (code == SW_OK)
        code = find_columns(run, error);
    if (code == SW_OK && !settle_notes(run))
        code = sw_fail_memory(error, "the report", 0);
    if (code == SW_OK)
        code = sw_run_note_unmet(run, error);
    if (code == SW_OK)
        code = sw_run_note_other_tables(run, error);
    if (code == SW_OK)
        code = rank_sets(run, error);
    if (code == SW_OK)
        code = refuse_mixed(run, error);
    if (code == SW_OK)
        code = sw_run_settle_positions(run, error);
    if (code == SW_OK && !settle_defaults(run))
        code = sw_fail_memory(error, "the report", 0);
    run->rules.mapping = &run->mapping;
    run->rules.schema = run->reading.schema;
    run->rules.order = run->reading.order;
    run->rules.spaces = run->reading.spaces;
    run->rules.cuts = run->cut.cuts;
    run->rules.cut_count = run->cut.count;
    run->rules.covered = run->covered.cuts;
    run->rules.covered_count = run->covered.count;
    run->rules.compare_versions = run->report.compare == SW_COMPARE_STATE;
    run->rules.deletes = run->report.deletes;
    run->rules.baseline_given = run->report.role_given[SW_ROLE_BASELINE];
    run->rules.events_given = run->report.role_given[SW_ROLE_EVENTS];
    run->rules.reference_given = run->report.role_given[SW_ROLE_EXPECTED];
    if (!sw_transactions_settle(&run->reading.transactions) && code == SW_OK)
        code = sw_fail_memory(error, "transactions", run->reading.transactions.blocks.len);
    run->rules.open = run->rules.marked = (const void *)run->reading.transactions.open.at;
    run->rules.marked_count = run->reading.transactions.open.len / sizeof *run->rules.marked;
    run->rules.open_count = run->reading.transactions.tells ? run->rules.marked_count : 0;
    run->rules.in_evidence = run->in_evidence;
    run->rules.in_reference = run->in_reference;
    if (code == SW_OK)
        code = sw_run_settle_scope(run, error);
    return code == SW_OK ? settle_truncates(run, error) : code;
}
