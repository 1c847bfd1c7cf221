/* Tables that were declared and of which a side has no record, while it has records of tables that nobody declared: a misspelt name, or a schema that is called
 * otherwise there. Without a word all rows of the other side would look lost. */
#include <string.h>

#include "reconcile/run.h"
#include "report/sentence.h"
#include "slackwater/names.h"

#define NAMED_MAX 5u

static const char *const sides[SW_ROLE_COUNT] = {[SW_ROLE_BASELINE] = "baseline", [SW_ROLE_EVENTS] = "events", [SW_ROLE_EXPECTED] = "reference"};

/* The one that was probably meant: the same table in another schema, or a name that is spelled nearly so. NULL: none. */
static const char *meant(const struct sw_format_notes *notes, int role, const char *declared)
{
    struct sw_bytes part = sw_bytes_behind_last(sw_bytes_text(declared), '.');
    for (uint32_t i = 0; i < notes->other_count[role]; i++)
        if (sw_bytes_equal(sw_bytes_behind_last(sw_bytes_text(notes->others[role][i]), '.'), part))
            return notes->others[role][i];
    return sw_nearest_name(declared, (const char *const *)notes->others[role], notes->other_count[role]);
}

static bool remark(struct sw_run *run, int role, const char *declared, const char *near)
{
    const struct sw_format_notes *notes = &run->reading.notes;
    struct sw_buffer text = {0};
    sw_buffer_printf(&text, "no record of the %s is of ", sides[role]);
    if (declared) {
        sw_buffer_add_text(&text, "the table ");
        sw_sentence_name(&text, sw_bytes_text(declared));
        sw_buffer_add_text(&text, near ? "; not in scope, and there: " : ", they are of ");
    } else {
        sw_buffer_add_text(&text, "a table that the mapping lists, they are of ");
    }
    for (uint32_t i = 0; !near && i < notes->other_count[role] && i < NAMED_MAX; i++) {
        sw_buffer_add_text(&text, i ? ", " : "");
        sw_sentence_name(&text, sw_bytes_text(notes->others[role][i]));
    }
    if (near)
        sw_sentence_name(&text, sw_bytes_text(near));
    else if (notes->other_count[role] > NAMED_MAX)
        sw_buffer_add_text(&text, " and others");
    if (declared && !near && notes->other_count[role] > 1 && (near = meant(notes, role, declared)) != NULL) {
        sw_buffer_add_text(&text, "; did you mean ");
        sw_sentence_name(&text, sw_bytes_text(near));
        sw_buffer_add_byte(&text, '?');
    }
    const char *whole = sw_buffer_text(&text);
    bool kept = whole && sw_run_remark(run, whole);
    run->report.unmet++;
    sw_buffer_free(&text);
    return kept;
}

static bool has_records_of(const struct sw_run *run, int role, const char *declared)
{
    const struct sw_read_role *read = &run->reading.roles[role];
    for (uint32_t s = 0; s < read->set_count; s++) {
        const struct sw_column_set *set = sw_schema_set_at(run->reading.schema, s);
        if (read->sets[s].count && set->count && sw_bytes_is(sw_schema_table_at(run->reading.schema, set->columns[0]->table)->name, declared))
            return true;
    }
    return false;
}

enum sw_code sw_run_note_other_tables(struct sw_run *run, struct sw_error *error)
{
    const struct sw_format_notes *notes = &run->reading.notes;
    bool kept = true;
    for (int role = 0; role < SW_ROLE_COUNT; role++) {
        const struct sw_read_role *read = &run->reading.roles[role];
        if (!read->source || !notes->other_count[role])
            continue;
        if (read->other_table + read->not_row_change + read->bad >= read->records)
            kept &= remark(run, role, run->tables ? NULL : run->mapping.table, NULL);
        else
            for (size_t t = 0; run->tables && t < run->mapping.table_count && kept; t++) {
                const char *declared = run->tables[t].mapping->table, *near = meant(notes, role, declared);
                if (near && sw_bytes_equal(sw_bytes_behind_last(sw_bytes_text(near), '.'), sw_bytes_behind_last(sw_bytes_text(declared), '.')) && !has_records_of(run, role, declared))
                    kept &= remark(run, role, declared, near);
            }
    }
    return kept ? SW_OK : sw_fail_memory(error, "the report", 0);
}
