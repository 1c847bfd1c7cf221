/* Declarations that no record has anything to do with. A misspelt column would otherwise be compared as if nothing had been said of it. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "reconcile/run.h"
#include "report/sentence.h"
#include "slackwater/names.h"

#define NEAR_NAMES_MAX 512
#define NAME_BYTES_MAX 64

/* Did the role bring records in which declared paths could stand? */
static bool has_plain_records(const struct sw_run *run, int role)
{
    const struct sw_read_role *read = &run->reading.roles[role];
    return read->source && read->format == &sw_format_plain && read->records > read->bad;
}

static bool has_records(const struct sw_run *run)
{
    bool some = false;
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        some |= run->reading.roles[role].records > run->reading.roles[role].bad;
    return some;
}

/* ", did you mean …?" by the columns that there are. */
static void add_near(struct sw_buffer *out, const struct sw_run *run, const char *name)
{
    const struct sw_schema *schema = run->reading.schema;
    char(*room)[NAME_BYTES_MAX + 1] = sw_calloc(NEAR_NAMES_MAX, sizeof *room);
    const char *names[NEAR_NAMES_MAX];
    size_t count = 0;
    for (uint32_t id = 0; room && id < sw_schema_column_count(schema) && count < NEAR_NAMES_MAX; id++) {
        struct sw_bytes column = sw_schema_column_at(schema, id)->name;
        if (column.len == 0 || column.len > NAME_BYTES_MAX || memchr(column.at, 0, column.len))
            continue;
        memcpy(room[count], column.at, column.len);
        names[count] = room[count];
        count++;
    }
    const char *near = sw_nearest_name(name, names, count);
    if (near && strcmp(near, name) != 0) {
        sw_buffer_add_text(out, "; did you mean ");
        sw_sentence_name(out, sw_bytes_text(near));
        sw_buffer_add_byte(out, '?');
    }
    sw_free(room);
}

static bool add_unmet(struct sw_run *run, const char *what, const char *name)
{
    struct sw_buffer text = {0};
    sw_buffer_add_text(&text, what);
    sw_buffer_add_byte(&text, ' ');
    sw_sentence_name(&text, sw_bytes_text(name));
    sw_buffer_add_text(&text, " is declared, and no record in scope has it");
    add_near(&text, run, name);
    const char *whole = sw_buffer_text(&text);
    bool kept = whole && sw_run_remark(run, whole);
    run->report.unmet++;
    sw_buffer_free(&text);
    return kept;
}

static bool is_key(const struct sw_mapping *mapping, const char *column)
{
    for (size_t i = 0; i < mapping->key_count; i++)
        if (strcmp(mapping->keys[i], column) == 0)
            return true;
    return false;
}

/* What is declared of columns: by the run's mapping, or by that of each table. */
static size_t mapping_count(const struct sw_run *run) { return run->tables ? run->mapping.table_count : 1; }
static const struct sw_mapping *mapping_at(const struct sw_run *run, size_t index) { return run->tables ? run->tables[index].mapping : &run->mapping; }

/* What the file says of all tables stands in the mapping of each: met in one of them, it is met. `before`: it stands in an earlier one, too, which told of it. */
static bool is_met_in_some(bool *before, const struct sw_run *run, size_t index, struct sw_bytes column, int role)
{
    bool met = false;
    *before = false;
    for (size_t m = 0; m < mapping_count(run); m++) {
        const struct sw_column_rule *same = role < 0 ? sw_mapping_column(mapping_at(run, m), column) : sw_mapping_rule(mapping_at(run, m), (enum sw_role)role, column);
        met |= same && sw_format_is_met(&run->reading.notes, same);
        *before |= same && m < index && (role >= 0 ? same->renamed_to != NULL : same->has_type || same->ignored);
    }
    return met;
}

static bool note_columns(struct sw_run *run, size_t index)
{
    const struct sw_mapping *mapping = mapping_at(run, index);
    bool kept = true, before;
    for (size_t i = 0; i < mapping->column_count; i++) {
        const struct sw_column_rule *rule = &mapping->columns[i];
        if ((rule->has_type || rule->ignored) && !is_key(mapping, rule->column) && !is_met_in_some(&before, run, index, sw_bytes_text(rule->column), -1) && !before)
            kept &= add_unmet(run, rule->has_type ? "column (--type)" : "column (--ignore)", rule->column);
    }
    return kept;
}

/* A name before renaming is met if the records of any role in which it is declared have it. */
static bool note_renames(struct sw_run *run, size_t index)
{
    const struct sw_mapping *mapping = mapping_at(run, index);
    bool kept = true;
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        for (size_t i = 0; i < mapping->rule_count[role]; i++) {
            const struct sw_column_rule *rule = &mapping->rules[role][i];
            bool met = !rule->renamed_to, told = false, before;
            for (int other = 0; other < SW_ROLE_COUNT; other++) {
                const struct sw_column_rule *same = sw_mapping_rule(mapping, (enum sw_role)other, sw_bytes_text(rule->column));
                met |= is_met_in_some(&before, run, index, sw_bytes_text(rule->column), other);
                told |= (same && other < role) || before;
            }
            if (!met && !told)
                kept &= add_unmet(run, "column (--rename)", rule->column);
        }
    return kept;
}

/* One part of a record, in each role's layout. Records of a known format may have it, too, where it is declared beside that format's own places. */
static bool note_path(struct sw_run *run, const char *what, const struct sw_path *const paths[SW_ROLE_COUNT])
{
    const struct sw_path *declared = NULL;
    bool met = false;
    for (int role = 0; role < SW_ROLE_COUNT; role++) {
        if (paths[role]->step_count == 0)
            continue;
        if (has_plain_records(run, role))
            declared = paths[role];
        size_t offset = (size_t)((const char *)paths[role] - (const char *)&run->mapping.layout[role]);
        for (size_t m = 0; m < mapping_count(run); m++) /* each has the same paths at its own places */
            met |= sw_format_is_met(&run->reading.notes, (const char *)&mapping_at(run, m)->layout[role] + offset);
    }
    if (!declared || met)
        return true;
    struct sw_buffer text = {0};
    sw_path_print(&text, declared);
    const char *name = sw_buffer_text(&text);
    bool kept = name && add_unmet(run, what, name);
    sw_buffer_free(&text);
    return kept;
}

/* Images are left out: a stream of inserts alone has no `before`, one of deletes no `after`. */
static bool note_paths(struct sw_run *run)
{
    const struct sw_layout *layout = run->mapping.layout;
    bool kept = true;
    if (run->mapping.plain_names)
        return true; /* nobody declared them */
#define NOTE(what, part) note_path(run, what, (const struct sw_path *const[SW_ROLE_COUNT]){&layout[0].part, &layout[1].part, &layout[2].part})
    kept &= NOTE("the operation (--op)", operation);
    kept &= NOTE("the tombstone flag (--deleted)", deleted);
    kept &= NOTE("the transaction", transaction);
    for (size_t i = 0; i < SW_IDENTITY_PARTS_MAX; i++)
        kept &= NOTE("the identity (--identity)", identity[i]);
    for (size_t i = 0; i < run->mapping.order_field_count; i++)
        kept &= NOTE("the order field (--version)", order[i]);
#undef NOTE
    return kept;
}

/* An order between spaces of which no record stands in one is most often a name that is not spelled as the report spells it. */
static bool note_spaces(struct sw_run *run)
{
    const struct sw_spaces *spaces = run->reading.spaces;
    bool kept = true;
    for (size_t i = 0; i < run->mapping.space_count && !run->mapping.baseline_position && kept; i++) {
        struct sw_bytes declared = sw_bytes_text(run->mapping.spaces[i]);
        bool seen = false;
        struct sw_buffer text = {0};
        for (uint32_t id = 0; id < sw_spaces_count(spaces); id++) {
            struct sw_bytes base = sw_spaces_text(spaces, sw_spaces_base(spaces, id));
            if (!sw_spaces_seen(spaces, id))
                continue;
            seen |= sw_bytes_equal(base, declared) || sw_bytes_equal(sw_spaces_text(spaces, id), declared);
        }
        sw_buffer_add_text(&text, "the space ");
        sw_sentence_name(&text, declared);
        sw_buffer_add_text(&text, " is declared (--spaces), and no record stands in it; `spaces` in the JSON report lists those that there are, spelled as they are declared");
        const char *whole = sw_buffer_text(&text);
        if (!seen) {
            kept = whole && sw_run_remark(run, whole);
            run->report.unmet++;
        }
        sw_buffer_free(&text);
    }
    return kept;
}

enum sw_code sw_run_note_unmet(struct sw_run *run, struct sw_error *error)
{
    if (!has_records(run))
        return SW_OK;
    bool kept = !run->reading.notes.met_failed;
    for (size_t m = 0; m < mapping_count(run) && kept; m++)
        kept = note_columns(run, m) && note_renames(run, m);
    kept = kept && note_paths(run) && note_spaces(run);
    return kept ? SW_OK : sw_fail_memory(error, "the report", 0);
}
