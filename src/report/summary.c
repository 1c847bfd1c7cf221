/* The summary for people: verdicts first, then counts, then the first differences, then what to do next.
 *
 * Read at night by somebody in a hurry: the first screen says what is the matter, how sure that is and what to do first; the last lines, which a terminal
 * shows, say where the files are, what to do, and the headline again. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "report/cuts.h"
#include "report/finding_write.h"
#include "report/output.h"
#include "report/page.h"
#include "report/recheck.h"
#include "report/scope_words.h"
#include "report/sentence.h"
#include "report/verdict.h"
#include "report/width.h"

#define DIFFERENCES_DEFAULT 5u
#define UNDECIDED_MAX 3u
#define BAD_MAX 5u
#define TABLES_MAX 10u
#define COLUMNS_MAX 8u
#define KINDS_MAX 12u
#define LABEL 18u   /* width of the labels on the left */
#define COUNT 15u   /* of the counts beside them */

static const char *separator(const struct sw_page *page) { return page->unicode ? " · " : ", "; }

static enum sw_ink ink_of_headline(const struct sw_report *report)
{
    int status = sw_report_exit_status(report);
    return status == 3 || (status == 0 && sw_report_current_state(report) != SW_VERDICT_CONFIRMED) ? SW_INK_WARNING : status == 0 ? SW_INK_GOOD : SW_INK_BAD;
}

static void headline(const struct sw_page *page, const struct sw_report *report)
{
    struct sw_buffer sentence = {0};
    const char *word = sw_report_headline(&sentence, report);
    sw_page_ink(page, ink_of_headline(report));
    sw_buffer_add_text(page->out, word);
    sw_page_ink(page, SW_INK_PLAIN);
    sw_buffer_add_text(page->out, ": ");
    if (sw_buffer_text(&sentence))
        sw_page_wrap(page, strlen(word) + 2, 2, (const char *)sentence.at);
    page->out->failed |= sentence.failed;
    sw_buffer_free(&sentence);
}

#define SHORT_LABEL 12u /* "  how sure  ", "  next      " */

static void short_line(const struct sw_page *page, const char *label, struct sw_buffer *text)
{
    const char *whole = sw_buffer_text(text);
    sw_buffer_printf(page->out, "  %-*s", (int)SHORT_LABEL - 2, label);
    sw_page_wrap(page, SHORT_LABEL, SHORT_LABEL, whole ? whole : "");
    page->out->failed |= !whole || text->failed;
    sw_buffer_free(text);
}

/* The first screen answers what is asked first: is it equal, how sure is that, what is to be done. */
static void in_short(const struct sw_page *page, const struct sw_report *report, const struct sw_sentences *steps)
{
    struct sw_buffer sure = {0}, step = {0};
    sw_report_certainty(&sure, report);
    short_line(page, "how sure", &sure);
    const char *first = sw_sentences_next(steps, NULL);
    sw_buffer_add_text(&step, first ? first : "");
    if (steps->count > 1)
        sw_buffer_printf(&step, " (step 1 of %u, at the end)", steps->count);
    short_line(page, "next", &step);
}

static void claim(const struct sw_page *page, const char *name, const struct sw_claim *claim)
{
    static const char *const words[] = {[SW_VERDICT_CONFIRMED] = "CONFIRMED", [SW_VERDICT_REFUTED] = "REFUTED", [SW_VERDICT_UNPROVEN] = "UNPROVEN"};
    static const enum sw_ink inks[] = {[SW_VERDICT_CONFIRMED] = SW_INK_GOOD, [SW_VERDICT_REFUTED] = SW_INK_BAD, [SW_VERDICT_UNPROVEN] = SW_INK_WARNING};
    const size_t indent = 2 + LABEL - 3 + 11;
    sw_buffer_printf(page->out, "  %-*s", (int)LABEL - 3, name);
    sw_page_ink(page, inks[claim->verdict]);
    sw_buffer_printf(page->out, "%-9s", words[claim->verdict]);
    sw_page_ink(page, SW_INK_PLAIN);
    sw_buffer_add_text(page->out, "  ");
    for (const char *at = NULL; (at = sw_sentences_next(&claim->reasons, at)) != NULL;) {
        if (at != (const char *)claim->reasons.text.at)
            sw_page_blanks(page, indent);
        sw_page_wrap(page, indent, indent, at);
    }
}

static void verdicts(const struct sw_page *page, const struct sw_report *report)
{
    struct sw_verdicts verdicts = {0};
    sw_report_judge(&verdicts, report);
    sw_page_title(page, "Verdicts");
    claim(page, "current state", &verdicts.current_state);
    claim(page, "history", &verdicts.history);
    claim(page, "process", &verdicts.process);
    page->out->failed |= verdicts.current_state.reasons.text.failed || verdicts.history.reasons.text.failed || verdicts.process.reasons.text.failed;
    sw_verdicts_free(&verdicts);
}

static void count_line(const struct sw_page *page, size_t indent, const char *label, uint64_t count, const char *meaning)
{
    char room[SW_NUMBER_TEXT_MAX];
    size_t width = LABEL + 6 - indent;
    sw_page_blanks(page, indent);
    sw_buffer_printf(page->out, "%-*s%*s", (int)width, label, (int)COUNT, sw_number_text(room, count));
    if (meaning && page->width >= 70) {
        sw_buffer_add_text(page->out, "  ");
        sw_page_wrap(page, 26 + COUNT, 26 + COUNT, meaning);
    } else {
        sw_buffer_add_byte(page->out, '\n');
    }
}

static const char *meaning(const struct sw_report *report, enum sw_reason reason)
{
    static const char *const meanings[SW_REASON_COUNT] = {
        [SW_REASON_MISSING_STATE] = "evidence lacks the row",
        [SW_REASON_UNEXPECTED_STATE] = "destination lacks the row",
        [SW_REASON_STATE_MISMATCH] = "both have the key, not the same",
        [SW_REASON_CONFLICTING_VERSION] = "one version, several contents",
        [SW_REASON_IDENTITY_REUSED] = "one identity, several contents",
        [SW_REASON_DUPLICATE_KEY] = "one side repeats the key",
        [SW_REASON_INCONSISTENT_HISTORY] = "an event is missing",
        [SW_REASON_UNORDERED] = "the order does not decide",
        [SW_REASON_READ_AFTER_DELETE] = "read without a position",
        [SW_REASON_OPEN_TRANSACTION] = "commit is not in evidence",
        [SW_REASON_BEYOND_CUT] = "destination is past the cut",
        [SW_REASON_UNKNOWN_COLUMN] = "a column is not in evidence",
        [SW_REASON_INVALID_VALUE] = "a value is none of its type",
        [SW_REASON_NOT_COMPARABLE] = "types do not compare",
        [SW_REASON_UNREADABLE_RECORD] = "a record of it is bad",
    };
    return reason == SW_REASON_NOT_COMPARABLE && sw_report_rebuilt(report) ? "no reference was given" : meanings[reason];
}

static void keys(const struct sw_page *page, const struct sw_report *report)
{
    static const char *const labels[SW_CLASS_COUNT] = {"equal", "different", "in conflict", "undecided"};
    sw_page_title(page, "Keys");
    count_line(page, 2, "all", sw_report_keys(report), NULL);
    for (unsigned class = 0; class < SW_CLASS_COUNT; class++) {
        count_line(page, 2, labels[class], report->classes[class], NULL);
        for (unsigned reason = 1; reason < SW_REASON_COUNT; reason++)
            if (sw_reason_class((enum sw_reason)reason) == (enum sw_class)class && report->reasons[reason])
                count_line(page, 4, sw_reason_name((enum sw_reason)reason), report->reasons[reason], meaning(report, (enum sw_reason)reason));
    }
}

/* Words, as formats name kinds of records, stand as they are; the spelling of a declared operation may be anything. */
static void add_kind(struct sw_buffer *out, const char *kind)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz ";
    if (strspn(kind, letters) == strlen(kind) && strlen(kind) <= 40)
        sw_buffer_add_text(out, kind);
    else
        sw_sentence_name(out, sw_bytes_text(kind));
}

/* What the records that are no row change are instead. */
static void kinds(const struct sw_page *page, const struct sw_report *report)
{
    struct sw_buffer text = {0};
    if (!report->kind_count)
        return;
    sw_buffer_add_text(&text, "no row change: ");
    for (uint32_t i = 0; i < report->kind_count && i < KINDS_MAX; i++) {
        sw_buffer_add_text(&text, i ? separator(page) : "");
        sw_sentence_number(&text, report->kinds[i].count);
        sw_buffer_add_byte(&text, ' ');
        add_kind(&text, report->kinds[i].kind);
    }
    if (report->kind_count > KINDS_MAX)
        sw_buffer_printf(&text, "%s%u more kinds", separator(page), report->kind_count - KINDS_MAX);
    sw_page_blanks(page, 4);
    sw_page_wrap(page, 4, 6, sw_buffer_text(&text) ? (const char *)text.at : "");
    page->out->failed |= text.failed;
    sw_buffer_free(&text);
}

static void records(const struct sw_page *page, const struct sw_report *report)
{
    static const char *const words[SW_DISPOSITION_COUNT] = {
        "applied", "duplicate deliveries", "repeated", "superseded", "covered by the baseline", "beyond the cut", "of other tables", "no row change",
        "in an open transaction", "of blocked keys", "of the reference", "out of scope", "bad"};
    struct sw_buffer text = {0};
    sw_page_title(page, "Records");
    for (unsigned role = 0; role < SW_ROLE_COUNT; role++) {
        sw_buffer_add_text(&text, role ? separator(page) : "");
        sw_sentence_number(&text, report->records[role]);
        sw_buffer_printf(&text, " %s", sw_role_name((enum sw_role)role));
    }
    sw_page_blanks(page, 2);
    sw_page_wrap(page, 2, 2, sw_buffer_text(&text) ? (const char *)text.at : "");
    page->out->failed |= text.failed;
    sw_buffer_clear(&text);
    for (unsigned i = 0; i < SW_DISPOSITION_COUNT; i++) {
        if (!report->dispositions[i])
            continue;
        sw_buffer_add_text(&text, text.len ? separator(page) : "");
        sw_sentence_number(&text, report->dispositions[i]);
        sw_buffer_printf(&text, " %s", i == SW_DISPOSITION_DUPLICATE && report->dispositions[i] == 1 ? "duplicate delivery" : words[i]);
    }
    if (text.len) {
        sw_page_blanks(page, 2);
        sw_page_wrap(page, 2, 2, sw_buffer_text(&text) ? (const char *)text.at : "");
    }
    page->out->failed |= text.failed;
    sw_buffer_free(&text);
    kinds(page, report);
}

/* By which rules the records were put in order and compared. */
static void rules(const struct sw_page *page, const struct sw_report *report)
{
    static const char *const deletes[] = {[SW_DELETES_TOMBSTONE] = "as tombstones", [SW_DELETES_ABSENT] = "by absence", [SW_DELETES_FLAG] = "by a flag"};
    struct sw_buffer text = {0};
    sw_page_title(page, "Rules");
    sw_buffer_printf(&text, "order %s%s%s", report->order ? report->order->name : "not needed", report->order_assumed ? " (assumed)" : report->order && report->mapping->order_by_default ? " (by default)" : "", separator(page));
    if (report->mapping->cut) {
        sw_buffer_add_text(&text, "cut at ");
        sw_sentence_name(&text, sw_bytes_text(report->mapping->cut));
    } else {
        sw_buffer_add_text(&text, "no cut");
    }
    sw_buffer_printf(&text, "%s%s compared", separator(page), report->compare == SW_COMPARE_STATE ? "values and versions" : "values");
    if (deletes[report->deletes])
        sw_buffer_printf(&text, "%sdeletes expected %s", separator(page), deletes[report->deletes]);
    sw_page_blanks(page, 2);
    sw_page_wrap(page, 2, 2, sw_buffer_text(&text) ? (const char *)text.at : "");
    page->out->failed |= text.failed;
    sw_buffer_free(&text);
}

static void more(const struct sw_page *page, uint64_t count, const char *what)
{
    char room[SW_NUMBER_TEXT_MAX];
    if (count)
        sw_buffer_printf(page->out, "  (%s more %s)\n", sw_number_text(room, count), what);
}

static void more_settled(const struct sw_page *page, uint64_t count)
{
    char room[SW_NUMBER_TEXT_MAX];
    if (count)
        sw_buffer_printf(page->out, "  (%s %s without a difference)\n", sw_number_text(room, count), count == 1 ? "table" : "tables");
}

/* A name from outside in a cell, escaped and cut. */
static void name_cell(const struct sw_page *page, struct sw_bytes name, size_t columns)
{
    struct sw_buffer json = {0}, shown = {0};
    sw_json_write_text_inside(&json, name);
    sw_text_show(&shown, sw_buffer_view(&json), page->unicode);
    sw_page_cell(page, sw_buffer_view(&shown), columns, SW_FIT_ANYWHERE, true);
    page->out->failed |= json.failed || shown.failed;
    sw_buffer_free(&json);
    sw_buffer_free(&shown);
}

static uint64_t not_equal(const struct sw_table_counts *counts)
{
    return counts->classes[SW_CLASS_DIFFERENT] + counts->classes[SW_CLASS_CONFLICT] + counts->classes[SW_CLASS_UNDECIDED];
}

/* One line of the tables: a name cell must stand before it. */
static void table_counts(const struct sw_page *page, size_t cell, const uint64_t classes[SW_CLASS_COUNT])
{
    char a[SW_NUMBER_TEXT_MAX];
    uint64_t conflict = classes[SW_CLASS_CONFLICT], undecided = classes[SW_CLASS_UNDECIDED], keys = classes[SW_CLASS_EQUAL] + classes[SW_CLASS_DIFFERENT] + conflict + undecided;
    bool narrow = page->width < 80;
    sw_buffer_printf(page->out, "%*s", (int)cell, sw_number_text(a, keys));
    sw_buffer_printf(page->out, "%*s", (int)cell, sw_number_text(a, classes[SW_CLASS_DIFFERENT]));
    sw_buffer_printf(page->out, "%*s", (int)cell, sw_number_text(a, narrow ? conflict + undecided : conflict));
    if (!narrow)
        sw_buffer_printf(page->out, "%*s", (int)cell, sw_number_text(a, undecided));
    sw_buffer_add_byte(page->out, '\n');
}

/* Tables with something to look at; only if there is more than one table. A narrow page has one column less. */
static void tables(const struct sw_page *page, const struct sw_report *report)
{
    if (report->table_count < 2)
        return;
    bool narrow = page->width < 80;
    size_t cell = narrow ? 10 : 14, columns = narrow ? 3 : 4, name = page->width - 3 - columns * cell;
    uint32_t shown = 0, settled = 0, open = 0;
    if (narrow && page->width >= 56) {
        cell = 14;
        name = page->width - 3 - columns * cell;
    }
    sw_page_title(page, "Tables");
    sw_page_blanks(page, 2 + name);
    sw_buffer_printf(page->out, "%*s%*s%*s", (int)cell, "keys", (int)cell, "different", (int)cell, narrow ? "unsettled" : "in conflict");
    if (!narrow)
        sw_buffer_printf(page->out, "%*s", (int)cell, "undecided");
    sw_buffer_add_byte(page->out, '\n');
    for (uint32_t i = 0; i < report->table_count; i++) {
        const struct sw_table_counts *counts = &report->tables[i];
        if (!not_equal(counts)) {
            settled++;
            continue;
        }
        open++;
        if (shown == TABLES_MAX)
            continue;
        shown++;
        sw_page_blanks(page, 2);
        name_cell(page, counts->table->name, name);
        table_counts(page, cell, counts->classes);
    }
    more(page, open - shown, "tables with keys that are not settled");
    more_settled(page, settled);
}

static void bad_records(const struct sw_page *page, const struct sw_report *report)
{
    if (!report->bad_count)
        return;
    uint32_t shown = report->bad_listed < BAD_MAX ? report->bad_listed : BAD_MAX;
    sw_page_title(page, "Records that could not be used");
    for (uint32_t i = 0; i < shown; i++) {
        const struct sw_bad_record *bad = &report->bad[i];
        struct sw_buffer text = {0}, place = {0};
        sw_place_write(&place, report, &bad->place);
        sw_json_write_text_inside(&text, sw_buffer_view(&place));
        sw_buffer_printf(&text, "  %s: ", bad->reason);
        sw_buffer_add_text(&text, bad->text);
        sw_buffer_add_text(&text, bad->key_known ? "; its key is undecided" : "; it may be about any key");
        sw_page_blanks(page, 2);
        if (sw_buffer_text(&text))
            sw_page_wrap(page, 2, 6, (const char *)text.at);
        page->out->failed |= text.failed || place.failed;
        sw_buffer_free(&text);
        sw_buffer_free(&place);
    }
    more(page, report->bad_count - shown, "such records");
}

static void absent_columns(const struct sw_page *page, const struct sw_report *report)
{
    if (!report->absent_column_count)
        return;
    uint32_t shown = report->absent_column_count < COLUMNS_MAX ? report->absent_column_count : COLUMNS_MAX;
    sw_page_title(page, "Columns on one side only, not compared");
    for (uint32_t i = 0; i < shown; i++) {
        const struct sw_column_note *note = &report->absent_columns[i];
        const struct sw_table *table = sw_schema_table_at(report->schema, note->column->table);
        struct sw_buffer text = {0};
        if (table && table->name.len) {
            sw_sentence_name(&text, table->name);
            sw_buffer_add_text(&text, ", ");
        }
        sw_sentence_name(&text, note->column->name);
        bool flag = report->deletes == SW_DELETES_FLAG && report->mapping->delete_flag && sw_bytes_is(note->column->name, report->mapping->delete_flag);
        sw_buffer_add_text(&text, note->absent_from != SW_ROLE_EXPECTED ? ": the evidence never has it"
                                  : flag ? ": in the destination it says which rows are deleted, and is no value; --ignore leaves it out of the evidence" : ": the destination never has it");
        sw_page_blanks(page, 2);
        if (sw_buffer_text(&text))
            sw_page_wrap(page, 2, 6, (const char *)text.at);
        page->out->failed |= text.failed;
        sw_buffer_free(&text);
    }
    more(page, report->absent_column_count - shown, "such columns");
}

/* Which columns make rows differ: of many findings only the first are shown, and those need not be like the others. */
static void column_keys(const struct sw_page *page, const struct sw_report *report, unsigned most)
{
    uint32_t shown = report->column_key_count < COLUMNS_MAX ? report->column_key_count : COLUMNS_MAX;
    if (!shown || report->reasons[SW_REASON_STATE_MISMATCH] + report->classes[SW_CLASS_UNDECIDED] <= most)
        return;
    sw_page_title(page, "Columns that differ or could not be compared, in keys of both sides");
    for (uint32_t i = 0; i < shown; i++) {
        const struct sw_column_keys *keys = &report->column_keys[i];
        const struct sw_table *table = sw_schema_table_at(report->schema, keys->column->table);
        const struct { uint64_t count; const char *what; } parts[] = {{keys->different, "different"}, {keys->unknown, "not in evidence"}, {keys->incomparable, "not comparable"}};
        struct sw_buffer text = {0};
        if (table->name.len && report->table_count > 1) {
            sw_sentence_name(&text, table->name);
            sw_buffer_add_text(&text, ", ");
        }
        if (keys->column->name.len)
            sw_sentence_name(&text, keys->column->name);
        else
            sw_buffer_add_text(&text, "the value");
        for (size_t p = 0, told = 0; p < sizeof parts / sizeof parts[0]; p++) {
            if (!parts[p].count)
                continue;
            sw_buffer_add_text(&text, told++ ? separator(page) : ": ");
            sw_sentence_number(&text, parts[p].count);
            sw_buffer_printf(&text, " %s", parts[p].what);
        }
        sw_page_blanks(page, 2);
        if (sw_buffer_text(&text))
            sw_page_wrap(page, 2, 6, (const char *)text.at);
        page->out->failed |= text.failed;
        sw_buffer_free(&text);
    }
    more(page, report->column_key_count - shown, "such columns");
}

/* The first findings of one sort, handed over one by one. */
static enum sw_code findings(const struct sw_page *page, struct sw_report *report, struct sw_output *output, bool undecided, unsigned most)
{
    uint64_t all = undecided ? sw_report_undecided(report) : sw_report_differences(report);
    char a[SW_NUMBER_TEXT_MAX], b[SW_NUMBER_TEXT_MAX], title[96];
    if (!all || !most || !report->findings)
        return SW_OK;
    snprintf(title, sizeof title, all > most ? "%s: the first %s of %s" : "%s", undecided ? "Undecided keys" : "Differences", sw_number_text(a, most), sw_number_text(b, all));
    sw_page_title(page, title);
    enum sw_code code = sw_finding_rewind(report->findings, output->error);
    unsigned shown = 0;
    while (code == SW_OK && shown < most && shown < all) {
        const struct sw_finding *finding;
        code = sw_finding_next(&finding, report->findings, output->error);
        if (code != SW_OK || (sw_reason_class(finding->reason) == SW_CLASS_UNDECIDED) != undecided)
            continue;
        sw_page_finding(page, report, finding, ++shown);
        code = sw_output_relieve(output);
    }
    return code < 0 ? code : SW_OK;
}

static void bullets(const struct sw_page *page, const struct sw_sentences *list, bool numbered)
{
    unsigned number = 0;
    for (const char *at = NULL; (at = sw_sentences_next(list, at)) != NULL;) {
        if (numbered)
            sw_buffer_printf(page->out, "%3u. ", ++number);
        else
            sw_buffer_add_text(page->out, "  - ");
        sw_page_wrap(page, numbered ? 5 : 4, numbered ? 5 : 4, at);
    }
    page->out->failed |= list->text.failed;
}

static void notes(const struct sw_page *page, const struct sw_report *report)
{
    struct sw_sentences list = {0};
    for (uint32_t i = 0; i < report->assumed_count; i++) {
        sw_sentences_begin(&list);
        sw_buffer_add_text(&list.text, "assumed: ");
        sw_buffer_add_text(&list.text, report->assumed[i]);
        sw_sentences_end(&list);
    }
    sw_report_notes(&list, report);
    if (list.count) {
        sw_page_title(page, "Assumed and noted");
        bullets(page, &list, false);
    }
    page->out->failed |= list.text.failed;
    sw_sentences_free(&list);
}

static void limits(const struct sw_page *page, const struct sw_report *report)
{
    struct sw_sentences list = {0};
    sw_report_limits_here(&list, report);
    sw_page_title(page, "What this does not show");
    bullets(page, &list, false);
    sw_sentences_free(&list);
    sw_buffer_add_text(page->out, "  - ");
    sw_page_wrap(page, 4, 4, "in no report: that the reference is what the destination really held; history behind the state; a vendor's guarantee behind versions; "
                             "whole transactions over several keys; what lasts after a restart. It approves no replay and no release.");
}

/* Paths stand whole on a line of their own, however long: they are there to be copied. */
static void files(const struct sw_page *page, const struct sw_report *report)
{
    const struct { const char *what, *path; } all[] = {
        {"report", report->report_file}, {"differences", report->differences_file}, {"quarantine", report->quarantine_file},
        {"states", report->states_file}, {"saved state", report->save_state_file}};
    bool titled = false;
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (!all[i].path)
            continue;
        if (!titled)
            sw_page_title(page, "Files");
        titled = true;
        sw_buffer_printf(page->out, "  %-13s", all[i].what);
        struct sw_buffer json = {0};
        sw_json_write_text_inside(&json, sw_bytes_text(all[i].path));
        sw_text_show(page->out, sw_buffer_view(&json), page->unicode);
        sw_buffer_add_byte(page->out, '\n');
        page->out->failed |= json.failed;
        sw_buffer_free(&json);
    }
}

static void next(const struct sw_page *page, const struct sw_sentences *steps)
{
    sw_page_title(page, "Next");
    bullets(page, steps, true);
}

/* The end of the page is what a terminal shows when the run is over: it says once more what the first line says. */
static void end(const struct sw_page *page, const struct sw_report *report)
{
    sw_buffer_add_byte(page->out, '\n');
    headline(page, report);
    sw_buffer_printf(page->out, "exit status %d\n", sw_report_exit_status(report));
}

enum sw_code sw_report_write_summary(struct sw_report *report, const struct sw_summary_style *style, sw_write_fn write, void *ctx, struct sw_error *error)
{
    assert(report && style && write);
    struct sw_output output = {.write = write, .ctx = ctx, .error = error};
    struct sw_page page = {.out = &output.buffer, .color = style->color, .unicode = style->unicode, .width = style->width ? style->width : 80};
    unsigned most = style->differences ? style->differences : DIFFERENCES_DEFAULT;
    page.width = page.width < SW_PAGE_WIDTH_MIN ? SW_PAGE_WIDTH_MIN : page.width > SW_PAGE_WIDTH_MAX ? SW_PAGE_WIDTH_MAX : page.width;

    struct sw_sentences steps = {0};
    sw_report_next(&steps, report);
    headline(&page, report);
    in_short(&page, report, &steps);
    verdicts(&page, report);
    sw_evidence_write_summary(&page, report);
    sw_scope_write_summary(&page, report);
    keys(&page, report);
    sw_recheck_write_summary(&page, report);
    tables(&page, report);
    records(&page, report);
    rules(&page, report);
    sw_cuts_write_summary(&page, report);
    bad_records(&page, report);
    absent_columns(&page, report);
    column_keys(&page, report, most);
    enum sw_code code = findings(&page, report, &output, false, most);
    if (code == SW_OK)
        code = findings(&page, report, &output, true, most < UNDECIDED_MAX ? most : UNDECIDED_MAX);
    if (code == SW_OK) {
        notes(&page, report);
        limits(&page, report);
        files(&page, report);
        next(&page, &steps);
        end(&page, report);
        code = sw_output_flush(&output);
    }
    sw_sentences_free(&steps);
    sw_output_free(&output);
    return code;
}
