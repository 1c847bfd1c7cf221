/* What a report does not show, what it remarks, and what to do next. */
#include <string.h>

#include "base/character.h"
#include "order/spaces.h"
#include "report/continuity_evidence.h"
#include "report/finding_write.h"
#include "report/recheck.h"
#include "report/scope_words.h"
#include "report/sentence.h"
#include "report/verdict.h"

static const char *plural(uint64_t count, const char *one, const char *many) { return count == 1 ? one : many; }

/* One sentence around a name that came from outside. */
static void add_named(struct sw_sentences *out, const char *before, const char *name, const char *after)
{
    sw_sentences_begin(out);
    sw_buffer_add_text(&out->text, before);
    sw_sentence_name(&out->text, sw_bytes_text(name));
    sw_buffer_add_text(&out->text, after);
    sw_sentences_end(out);
}

/* Paths print as they are, but for what would mislead: they are there to be copied. */
static void add_file(struct sw_sentences *out, const char *before, const char *path, const char *after) { add_named(out, before, path, after); }

#define IGNORED_NAMED_MAX 8

/* Appends the columns that a mapping declares ignored, with the table's name before them where `of` is given; those that `besides` (or NULL) declares too are left out. */
static void add_ignored(struct sw_buffer *out, uint32_t *count, const struct sw_mapping *mapping, const char *of, const struct sw_mapping *besides)
{
    for (size_t i = 0; i < mapping->column_count; i++) {
        struct sw_bytes name = sw_bytes_text(mapping->columns[i].column);
        const struct sw_column_rule *shared = besides ? sw_mapping_column(besides, name) : NULL;
        if (!mapping->columns[i].ignored || (shared && shared->ignored) || ++*count > IGNORED_NAMED_MAX)
            continue;
        sw_buffer_add_text(out, *count > 1 ? ", " : ": ");
        if (of) {
            sw_sentence_name(out, sw_bytes_text(of));
            sw_buffer_add_byte(out, '.');
        }
        sw_sentence_name(out, name);
    }
}

/* Columns that nobody compares are in no schema: what was declared tells them. */
static void add_ignored_columns(struct sw_sentences *out, const struct sw_mapping *mapping)
{
    struct sw_buffer names = {0};
    char more[SW_NUMBER_TEXT_MAX];
    uint32_t count = 0;
    add_ignored(&names, &count, mapping, NULL, NULL);
    for (size_t i = 0; i < mapping->table_count; i++)
        add_ignored(&names, &count, mapping->tables[i].mapping, mapping->tables[i].mapping->table, mapping);
    if (count) {
        sw_sentences_begin(out);
        sw_buffer_add_text(&out->text, "columns that were declared ignored were not compared");
        sw_buffer_add(&out->text, names.at, names.len);
        if (count > IGNORED_NAMED_MAX)
            sw_buffer_printf(&out->text, " and %s more", sw_number_text(more, count - IGNORED_NAMED_MAX));
        sw_sentences_end(out);
    }
    out->text.failed |= names.failed;
    sw_buffer_free(&names);
}

bool sw_report_compared_keys_alone(const struct sw_report *report)
{
    for (uint32_t s = 0; s < report->set_count; s++)
        if (report->sets[s].set->count)
            return false;
    return report->set_count && report->role_given[SW_ROLE_EXPECTED];
}

static bool has_digests(const struct sw_report *report)
{
    for (uint32_t i = 0; i < report->input_count; i++)
        if (!report->inputs[i].sha256[0])
            return false;
    return true;
}

void sw_report_limits_here(struct sw_sentences *out, const struct sw_report *report)
{
    const struct sw_mapping *mapping = report->mapping;
    char a[SW_NUMBER_TEXT_MAX];

    if (report->bad_count)
        sw_sentences_add(out, "%s %s not in this comparison: what %s is not known", sw_number_text(a, report->bad_count), plural(report->bad_count, "record is", "records are"), plural(report->bad_count, "it says", "they say"));
    sw_scope_limits(out, report);
    if (!report->role_given[SW_ROLE_EXPECTED])
        sw_sentences_add(out, "no reference was given: what the destination holds was not looked at");
    if (!report->role_given[SW_ROLE_BASELINE])
        sw_sentences_add(out, "no baseline was given: rows from before the first event are not in evidence");
    if (!report->role_given[SW_ROLE_EVENTS])
        sw_sentences_add(out, "no events were given: changes after the baseline are not in evidence");
    if (!mapping->cut)
        sw_sentences_add(out, "no cut was declared: both sides count as they were read, so a destination that lags, or was read inside a staleness window, looks like one that lost rows");
    sw_recheck_limits(out, report);
    if (report->order && report->order->arrival)
        sw_sentences_add(out, "the order rests on the place of records in their files, that is on arrival, as declared");
    else if (report->order && report->order->weak)
        sw_sentences_add(out, "the declared order is weak (a clock): it decides nothing where two contents tie, and a wrong clock orders wrongly");
    if (report->compare == SW_COMPARE_VALUE)
        sw_sentences_add(out, "values were compared, versions were not");
    if (report->deletes == SW_DELETES_ABSENT || report->deletes == SW_DELETES_FLAG)
        sw_sentences_add(out, "a deleted row and a row that never existed look the same in the destination: tombstones were held against absence");
    if (mapping->conflicts_newest)
        sw_sentences_add(out, "conflicts below the newest version of a key were left out, as declared");
    if (mapping->table)
        add_named(out, "only the table ", mapping->table, " is in scope");
    add_ignored_columns(out, mapping);
    if (sw_report_compared_keys_alone(report))
        sw_sentences_add(out, "keys alone were compared: no record had a column beside them that was not ignored");
    if (report->quarantined)
        sw_sentences_add(out, "bad records were put aside, not resolved");
    if (report->input_count && !has_digests(report))
        sw_sentences_add(out, "not every input has a digest in this report: that a later run reads the same bytes cannot be shown from it");
}

void sw_report_limits_always(struct sw_sentences *out)
{
    sw_sentences_add(out, "the reference was supplied to this run: whether it is what the destination really held at that moment was not checked");
    sw_sentences_add(out, "a current state says nothing of history: a change that a later one overwrote leaves no trace in it, and totals that agree prove nothing");
    sw_sentences_add(out, "versions were taken as their producer wrote them: no vendor's guarantee was checked");
    sw_sentences_add(out, "keys were compared one by one: that transactions over several keys are whole was not checked, nor that anything lasts after a restart");
    sw_sentences_add(out, "this report approves nothing: to replay or to release for production is for the people and the process in charge");
}

#define COLUMN_NOTES_MAX 5
#define COLUMN_NOTE_COLUMNS_MAX 2000

static bool has_column(const struct sw_column_set *set, const struct sw_column *column)
{
    uint32_t low = 0, high = set->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = sw_bytes_compare(set->columns[middle]->name, column->name);
        if (order == 0)
            return set->columns[middle] == column;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static int compare_columns(const struct sw_report *report, const struct sw_column *a, const struct sw_column *b)
{
    int order = a->table == b->table ? 0 : sw_bytes_compare(sw_schema_table_at(report->schema, a->table)->name, sw_schema_table_at(report->schema, b->table)->name);
    return order ? order : sw_bytes_compare(a->name, b->name);
}

/* The next column of the evidence, by table and name; NULL at the end. */
static const struct sw_column *next_column(const struct sw_report *report, const struct sw_column *after)
{
    const struct sw_column *next = NULL;
    for (uint32_t s = 0; s < report->set_count; s++) {
        const struct sw_column_set *set = report->sets[s].set;
        for (uint32_t c = 0; report->sets[s].role != SW_ROLE_EXPECTED && c < set->count; c++)
            if ((!after || compare_columns(report, set->columns[c], after) > 0) && (!next || compare_columns(report, set->columns[c], next) < 0))
                next = set->columns[c];
    }
    return next;
}

/* Columns that come or go in mid-stream: an image without the column says nothing of it, whatever another one said. */
static void note_columns(struct sw_sentences *out, const struct sw_report *report)
{
    unsigned told = 0;
    if (report->mapping->images == SW_IMAGES_PARTIAL)
        return; /* there it is the rule */
    uint32_t sets = 0, columns = 0;
    for (uint32_t s = 0; s < report->set_count; s++)
        if (report->sets[s].role != SW_ROLE_EXPECTED) {
            sets++;
            columns += report->sets[s].set->count;
        }
    if (sets < 2)
        return;
    if (columns > COLUMN_NOTE_COLUMNS_MAX) { /* what follows takes the square of it */
        sw_sentences_add(out, "the evidence has %u different sets of columns: columnSets in the JSON report names each and its first record", sets);
        return;
    }
    for (const struct sw_column *column = NULL; (column = next_column(report, column)) != NULL;) {
        const struct sw_set_note *first = NULL;
        uint64_t images = 0, without = 0;
        for (uint32_t s = 0; s < report->set_count; s++) {
            const struct sw_set_note *note = &report->sets[s];
            if (note->role == SW_ROLE_EXPECTED || !note->table || note->table->id != column->table)
                continue;
            images += note->records;
            if (has_column(note->set, column))
                continue;
            without += note->records;
            if (!first || note->first.input < first->first.input || (note->first.input == first->first.input && note->first.line < first->first.line))
                first = note;
        }
        if (!first)
            continue;
        if (told++ == COLUMN_NOTES_MAX) {
            sw_sentences_add(out, "further columns are not in every image: columnSets in the JSON report names them");
            return;
        }
        char a[SW_NUMBER_TEXT_MAX], b[SW_NUMBER_TEXT_MAX];
        sw_sentences_begin(out);
        if (column->name.len) {
            sw_buffer_add_text(&out->text, "column ");
            sw_sentence_name(&out->text, column->name);
        } else {
            sw_buffer_add_text(&out->text, "the bare value");
        }
        sw_buffer_printf(&out->text, " is not in every image of the evidence: %s of %s %s it, first ", sw_number_text(a, without), sw_number_text(b, images), plural(without, "lacks", "lack"));
        sw_place_write(&out->text, report, &first->first);
        sw_sentences_end(out);
    }
}

void sw_report_notes(struct sw_sentences *out, const struct sw_report *report)
{
    char a[SW_NUMBER_TEXT_MAX], b[SW_NUMBER_TEXT_MAX];
    for (uint32_t i = 0; i < report->note_count; i++) {
        sw_sentences_begin(out);
        sw_buffer_add_text(&out->text, report->notes[i]);
        sw_sentences_end(out);
    }
    if (report->null_flags)
        sw_sentences_add(out, "%s %s of the destination %s null as soft-delete flag: null is not true, so %s live", sw_number_text(a, report->null_flags), plural(report->null_flags, "row", "rows"), plural(report->null_flags, "has", "have"), plural(report->null_flags, "it counts as", "they count as"));
    if (report->unpositioned_reads)
        sw_sentences_add(out, "%s snapshot or backfill %s among the events without a position, %s of them superseded by a positioned event", sw_number_text(a, report->unpositioned_reads), plural(report->unpositioned_reads, "row stands", "rows stand"), sw_number_text(b, report->superseded_reads));
    uint64_t open = report->dispositions[SW_DISPOSITION_OPEN_TRANSACTION];
    if (open)
        sw_sentences_add(out, "%s %s of transactions whose commit is not in evidence: %s not applied%s", sw_number_text(a, open), plural(open, "record is", "records are"),
                         plural(open, "it was", "they were"), report->save_state_file ? ", and not saved: the next run has to read them again" : "");
    if (report->updates_of_unseen_keys)
        sw_sentences_add(out, "%s %s a key that was not seen before: the baseline may be incomplete", sw_number_text(a, report->updates_of_unseen_keys), plural(report->updates_of_unseen_keys, "update is of", "updates are each of"));
    note_columns(out, report);
    if (!sw_report_keys(report) && report->allow_empty)
        sw_sentences_add(out, "nothing was compared; that this is no reason for status 3 was declared (--allow-empty)");
}

#define SPACES_NAMED_MAX 4

/* The option is printed whole, to be copied: the names are long, and nobody guesses them. An order holds for all spaces of one base. */
static bool next_for_spaces(struct sw_sentences *out, const struct sw_report *report)
{
    uint32_t count = 0;
    struct sw_bytes bases[SPACES_NAMED_MAX];
    for (uint32_t i = 0; i < report->space_count; i++) {
        struct sw_bytes base = sw_bytes_of(report->spaces[i], sw_space_base_len(sw_bytes_text(report->spaces[i])));
        bool known = memchr(base.at, '\'', base.len) != NULL; /* it could not be copied into a shell */
        for (uint32_t k = 0; k < count; k++)
            known |= sw_bytes_equal(bases[k], base);
        if (!known && count == SPACES_NAMED_MAX)
            return false;
        if (!known)
            bases[count++] = base;
    }
    if (count < 2)
        return false;
    sw_sentences_begin(out);
    sw_buffer_add_text(&out->text, "unordered: if the keys' records stand in several position spaces of which one follows the other, declare them, the oldest first (here by name): --spaces '");
    for (uint32_t i = 0; i < count; i++) {
        sw_buffer_add_text(&out->text, i ? "," : "");
        for (size_t at = 0; at < bases[i].len; at++) {
            if (bases[i].at[at] == ',' || bases[i].at[at] == '\\')
                sw_buffer_add_byte(&out->text, '\\');
            sw_buffer_add_byte(&out->text, bases[i].at[at]);
        }
    }
    sw_buffer_add_text(&out->text, "'; what the old source wrote and the new one never had is left out by a --cut with a position in each (docs/recovery.md); if it is one space, an order whose position every record carries");
    sw_sentences_end(out);
    return true;
}

static void next_for_undecided(struct sw_sentences *out, const struct sw_report *report)
{
    const uint64_t *reasons = report->reasons;
    if (report->covered_later || report->truncates_later)
        sw_sentences_add(out, "later-than-baseline: find out from the source whether it was restored or promoted, and so began its positions again; then declare the position and its space (--baseline-position, --space), or take the baseline anew");
    if (reasons[SW_REASON_UNORDERED] > report->covered_later && !next_for_spaces(out, report))
        sw_sentences_add(out, "unordered: declare an order whose position every record carries (--order; `slackwater orders` lists them), or the order between spaces (--spaces)");
    if (reasons[SW_REASON_UNKNOWN_COLUMN])
        sw_sentences_add(out, "unknown-column: read those columns of those keys at the source, or leave them out by declaration (--ignore COLUMN); --absent null if a row without the column holds null in it, as after ADD COLUMN");
    if (reasons[SW_REASON_INVALID_VALUE])
        sw_sentences_add(out, "invalid-value: look at the records named; if the declared type is wrong, correct it (--type COLUMN=TYPE)");
    if (reasons[SW_REASON_NOT_COMPARABLE] > sw_report_rebuilt(report))
        sw_sentences_add(out, "not-comparable: declare the zone of the times that carry none (--type 'COLUMN=timestamptz zone=+00:00')");
    if (reasons[SW_REASON_BEYOND_CUT])
        sw_sentences_add(out, "beyond-cut: the destination is ahead; choose a later cut, or read the destination as of the cut");
    if (reasons[SW_REASON_OPEN_TRANSACTION])
        sw_sentences_add(out, "open-transaction: add the events up to the end of the transactions that are still open, and run again");
    if (reasons[SW_REASON_READ_AFTER_DELETE])
        sw_sentences_add(out, "read-after-delete: find the position at which those rows were read, or read those keys again at the source");
}

/* A column that no two rows have alike is hardly lost in each of them: its two sides are written in two forms, or one of them is not the pipeline's. */
static void next_for_columns(struct sw_sentences *out, const struct sw_report *report)
{
    uint64_t rows = report->reasons[SW_REASON_STATE_MISMATCH];
    if (rows < 2 || report->classes[SW_CLASS_EQUAL])
        return;
    for (uint32_t i = 0; i < report->column_key_count; i++) {
        const struct sw_column_keys *keys = &report->column_keys[i];
        if (keys->different != rows)
            continue;
        struct sw_buffer name = {0};
        sw_sentence_name(&name, keys->column->name);
        const char *column = sw_buffer_text(&name);
        sw_sentences_add(out, "column %s differs in every row that both sides have: if it is one value in two forms, declare what it is (--type COLUMN=TYPE, docs/types.md); if the pipeline sets it itself, leave it out (--ignore COLUMN)", column && *column ? column : "value");
        sw_buffer_free(&name);
        return;
    }
}

/* A side of which nothing was read: an export that failed looks like a table that lost all its rows. */
static void next_for_empty_sides(struct sw_sentences *out, const struct sw_report *report)
{
    for (int role = 0; role < SW_ROLE_COUNT && sw_report_keys(report); role++) {
        if (!report->role_given[role] || report->records[role])
            continue;
        uint32_t count = 0, first = 0;
        for (uint32_t i = 0; i < report->input_count; i++)
            if (report->inputs[i].role == (enum sw_role)role && !count++)
                first = i;
        sw_sentences_begin(out);
        sw_buffer_printf(&out->text, "--%s holds no record (", sw_role_name((enum sw_role)role));
        sw_sentence_name(&out->text, sw_bytes_text(count ? report->inputs[first].locator : "nothing"));
        if (count > 1)
            sw_buffer_printf(&out->text, " and %u more", count - 1);
        sw_buffer_add_text(&out->text, "): is it the right place, and had the export ended when it was read?");
        sw_sentences_end(out);
    }
}

#define OPTIONS_MAX 8u      /* of more renames, what a mapping says of them is told */
#define IGNORED_MAX 16u     /* columns named for --ignore */
#define ABSENT_TRIED 200u   /* columns that are held against one another */

/* Are two names one but for the case of letters, underscores, hyphens and blanks: orderId, ORDER_ID? */
static bool spelled_alike(struct sw_bytes a, struct sw_bytes b)
{
    size_t i = 0, j = 0;
    for (;; i++, j++) {
        while (i < a.len && strchr("_- ", a.at[i]) && a.at[i])
            i++;
        while (j < b.len && strchr("_- ", b.at[j]) && b.at[j])
            j++;
        if (i == a.len || j == b.len)
            return i == a.len && j == b.len;
        if (sw_lower(a.at[i]) != sw_lower(b.at[j]))
            return false;
    }
}

/* The one column of the destination that is spelled like the evidence's, or NULL: where there are two, neither is proposed. */
static const struct sw_column *spelled_like(const struct sw_report *report, const struct sw_column *column)
{
    const struct sw_column *found = NULL;
    for (uint32_t i = 0; i < report->absent_column_count && i < ABSENT_TRIED; i++) {
        const struct sw_column_note *note = &report->absent_columns[i];
        if (note->absent_from == SW_ROLE_EXPECTED || note->column->table != column->table || !spelled_alike(note->column->name, column->name))
            continue;
        if (found)
            return NULL;
        found = note->column;
    }
    return found;
}

/* Which columns of the evidence have one of the destination that is spelled alike: pairs[i], for the i-th absent column, or NULL. How many. */
static uint32_t find_renamed(const struct sw_column **pairs, const struct sw_report *report)
{
    uint32_t renamed = 0;
    for (uint32_t i = 0; i < report->absent_column_count && i < ABSENT_TRIED; i++) {
        const struct sw_column_note *note = &report->absent_columns[i];
        pairs[i] = note->absent_from == SW_ROLE_EXPECTED ? spelled_like(report, note->column) : NULL;
        renamed += pairs[i] != NULL;
    }
    return renamed;
}

static bool is_pair(const struct sw_column *const *pairs, const struct sw_report *report, const struct sw_column *column)
{
    for (uint32_t i = 0; i < report->absent_column_count && i < ABSENT_TRIED; i++)
        if (pairs[i] == column)
            return true;
    return false;
}

/* --ignore, with the names of what the destination alone has: what loaders add to a table. Of what it lacks, none is proposed. */
static void propose_ignored(struct sw_buffer *out, const struct sw_report *report, const struct sw_column *const *pairs)
{
    const struct sw_column *added[IGNORED_MAX];
    uint32_t count = 0, lacking = 0;
    for (uint32_t i = 0; i < report->absent_column_count && i < ABSENT_TRIED; i++) {
        const struct sw_column_note *note = &report->absent_columns[i];
        if (note->absent_from == SW_ROLE_EXPECTED)
            lacking += pairs[i] == NULL;
        else if (!is_pair(pairs, report, note->column) && count++ < IGNORED_MAX)
            added[count - 1] = note->column;
    }
    bool named = count && count <= IGNORED_MAX && report->absent_column_count <= ABSENT_TRIED;
    sw_buffer_add_text(out, !named || lacking ? "--ignore COLUMN" : "--ignore ");
    if (named && lacking)
        sw_buffer_add_text(out, "; what the destination alone has: --ignore ");
    for (uint32_t i = 0; named && i < count; i++) {
        sw_buffer_add_text(out, i ? "," : "");
        sw_sentence_name(out, added[i]->name);
    }
}

static void next_for_absent(struct sw_sentences *out, const struct sw_report *report)
{
    const struct sw_column *pairs[ABSENT_TRIED];
    if (!report->absent_column_count)
        return;
    uint32_t renamed = find_renamed(pairs, report), told = 0;
    bool options = renamed <= OPTIONS_MAX;
    sw_sentences_begin(out);
    sw_buffer_add_text(&out->text, "columns on one side only: ");
    for (uint32_t i = 0; told < renamed; i++) {
        if (!pairs[i])
            continue;
        if (!told)
            sw_buffer_add_text(&out->text, "if those that are spelled alike are one, declare ");
        sw_buffer_add_text(&out->text, options ? told ? " --rename " : "--rename " : told ? ", " : "in a mapping (--map) rename: {");
        sw_sentence_name(&out->text, report->absent_columns[i].column->name);
        sw_buffer_add_text(&out->text, options ? "=" : ": ");
        sw_sentence_name(&out->text, pairs[i]->name);
        told++;
    }
    if (renamed && !options)
        sw_buffer_add_byte(&out->text, '}');
    sw_buffer_add_text(&out->text, renamed ? "; others: add them to the other side, or leave them out by declaration (" : "add them to the other side, or leave them out by declaration (");
    propose_ignored(&out->text, report, pairs);
    sw_buffer_add_byte(&out->text, ')');
    sw_sentences_end(out);
}

static void next_for_history(struct sw_sentences *out, const struct sw_report *report)
{
    uint64_t gaps = sw_evidence_gaps(report);
    if (gaps)
        sw_sentences_add(out, "what changed in the %s is in no input: look for that part of the log elsewhere (a replica, an archive, a backup) and read it as one more --events; "
                         "if it is gone, compare the destination with the source itself (--baseline names its table, or an export made after the gap; no --events), deletions included, and record the interval with an owner",
                         plural(gaps, "gap", "gaps"));
    else if (report->contradiction_count > report->read_contradictions)
        sw_sentences_add(out, "find the changes that are missing between the row that %s %s and the one in evidence: --json lists them under history.contradictions; read that part of the log again, as one more --events",
                         plural(report->contradiction_count, "an event", "some events"), plural(report->contradiction_count, "replaces", "replace"));
    else if (report->read_contradictions)
        sw_sentences_add(out, "find the changes that are missing before the snapshot: --json lists the rows that it read otherwise under history.contradictions; read that part of the log again, as one more --events");
    else if (report->transactions.missing)
        sw_sentences_add(out, "events of transactions are missing: read that part of the log again, as one more --events; what is there twice counts once");
}

/* Can each input be read again (reconcile --recheck)? */
static bool all_live(const struct sw_report *report)
{
    for (uint32_t i = 0; i < report->input_count; i++) {
        enum sw_source_cut_kind kind = report->inputs[i].cut.kind;
        if (kind != SW_CUT_POSTGRES && kind != SW_CUT_MARIADB && kind != SW_CUT_MYSQL && kind != SW_CUT_SQLITE)
            return false;
    }
    return report->input_count > 0;
}

static uint64_t bad_records_of(const struct sw_report *report, enum sw_role role)
{
    uint64_t bad = 0;
    for (uint32_t i = 0; i < report->input_count; i++)
        bad += report->inputs[i].role == role ? report->inputs[i].bad_records : 0;
    return bad;
}

static bool names_operation(const struct sw_report *report)
{
    for (uint32_t i = 0; i < report->bad_listed; i++)
        if (report->inputs && report->bad[i].place.input < report->input_count && report->inputs[report->bad[i].place.input].role == SW_ROLE_EVENTS)
            return strcmp(report->bad[i].reason, "operation") == 0;
    return false;
}

void sw_report_next(struct sw_sentences *out, const struct sw_report *report)
{
    const uint64_t *classes = report->classes;
    if (report->bad_count && report->mapping->plain_names && !sw_report_keys(report))
        sw_sentences_add(out, "declare what names a row: without --key COLUMN[,COLUMN…], records are read that have the members key, version, deleted, value; events, id and op as well");
    if (report->role_given[SW_ROLE_EVENTS] && report->records[SW_ROLE_EVENTS] && bad_records_of(report, SW_ROLE_EVENTS) == report->records[SW_ROLE_EVENTS] && names_operation(report))
        sw_sentences_add(out, "no record of --events says what it does: rows in the place of events? Look whether --events and --expected (or --baseline) are mixed up; a place of their own for operations is declared with --op");
    if (report->bad_count) {
        if (report->quarantine_file)
            add_file(out, "look at the records that could not be read in ", report->quarantine_file, "; correct them and run again");
        else
            sw_sentences_add(out, "look at the records that could not be read, correct them and run again; --quarantine FILE.ndjson puts all of them aside with reason and place");
    }
    if (report->unmet)
        sw_sentences_add(out, "%s no record in scope, and \"Assumed and noted\" names %s: a misspelt name, most often", plural(report->unmet, "a declaration meets", "some declarations meet"), plural(report->unmet, "it", "them"));
    if (!sw_report_keys(report)) {
        if (!report->allow_empty || report->bad_count)
            sw_sentences_add(out, "find out why there is nothing to compare: an export that wrote nothing, a wrong path, a table that is not in scope");
    }
    if (report->servers)
        sw_sentences_add(out, "tell the servers apart (the verdict on the current state says how), and run again: as it is, an older row may have won");
    next_for_empty_sides(out, report);
    next_for_history(out, report);
    sw_recheck_next(out, report);
    if (report->alike)
        sw_sentences_add(out, "before single rows, look at what the differences of %s have in common (under \"Assumed and noted\"): one cause explains them", plural(report->alike, "a column", "some columns"));
    next_for_columns(out, report);
    if (classes[SW_CLASS_DIFFERENT] > sw_report_in_flight_different(report)) {
        if (!report->mapping->cut && !report->recheck && all_live(report))
            sw_sentences_add(out, "rule out lag before you call it loss: --recheck 30,3 reads the keys that differ again, three times half a minute apart, and tells what was in flight from what stays");
        else if (!report->mapping->cut && !report->recheck)
            sw_sentences_add(out, "rule out lag before you call it loss: was the destination read after it had applied the last event? If not, declare a --cut or read it again");
        if (report->reasons[SW_REASON_UNEXPECTED_STATE] || report->reasons[SW_REASON_STATE_MISMATCH])
            sw_sentences_add(out, "look at the records each difference names (file:line) and at what the pipeline did with them");
    }
    if (sw_report_rebuilt(report))
        sw_sentences_add(out, "no destination was looked at: --expected names its rows, in this run or in one over the saved state");
    if (sw_report_differences(report) || sw_report_undecided(report)) {
        if (report->differences_file)
            add_file(out, "all keys that are not settled, with both rows: ", report->differences_file, "");
        else
            sw_sentences_add(out, "write all of them, with both rows: --differences FILE.ndjson or FILE.csv");
    }
    if (report->reasons[SW_REASON_DUPLICATE_KEY])
        sw_sentences_add(out, "duplicate-key: if two of its rows are two things, the key lacks a column: --key COLUMN,COLUMN; if not, find out what wrote the row twice");
    if (classes[SW_CLASS_CONFLICT] > report->reasons[SW_REASON_DUPLICATE_KEY])
        sw_sentences_add(out, "conflicts: ask who produces the version, and which of the contents the source holds; until then do not replay those keys");
    next_for_undecided(out, report);
    next_for_absent(out, report);
    sw_scope_next(out, report);
    if (sw_report_current_state(report) == SW_VERDICT_CONFIRMED) {
        if (!report->report_file)
            sw_sentences_add(out, "keep this result: --report FILE.json writes it with the digests of the inputs");
        sw_sentences_add(out, "history and process are separate questions with their own evidence; do not report them as answered");
    }
    if (!out->count)
        sw_sentences_add(out, "nothing is left to do for this comparison");
}
