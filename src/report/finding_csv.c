/* CSV by RFC 4180. Values come from outside and end up in spreadsheets, which take a cell that begins with = + - @ for a formula.
 * What may hold anything is therefore written as JSON (it begins with a quote, a brace, a bracket, a digit or a sign before digits), and
 * the two cells of free text, table and space, get an apostrophe before such a beginning. */
#include "report/finding_write.h"

#include "report/recheck.h"
#include "report/sentence.h"

static const char *const header = "table,key,class,reason,lacking,cause,space,version,columns,unknownColumns,notComparable,state,expected,other,records,moreRecords,sentence";

void sw_finding_write_csv_header(struct sw_buffer *out, const struct sw_report *report)
{
    sw_buffer_add_text(out, header);
    sw_buffer_add_text(out, report->recheck ? ",recheck\r\n" : "\r\n");
}

static bool needs_quotes(struct sw_bytes cell)
{
    if (cell.len && (cell.at[0] == ' ' || cell.at[cell.len - 1] == ' '))
        return true;
    for (size_t i = 0; i < cell.len; i++)
        if (cell.at[i] == ',' || cell.at[i] == '"' || cell.at[i] == '\r' || cell.at[i] == '\n')
            return true;
    return false;
}

/* Takes the cell that was gathered in `cell`, and empties it. */
static void put(struct sw_buffer *out, struct sw_buffer *cell, bool last)
{
    if (!needs_quotes(sw_buffer_view(cell))) {
        sw_buffer_add_bytes(out, sw_buffer_view(cell));
    } else {
        sw_buffer_add_byte(out, '"');
        for (size_t i = 0; i < cell->len; i++) {
            if (cell->at[i] == '"')
                sw_buffer_add_byte(out, '"');
            sw_buffer_add_byte(out, cell->at[i]);
        }
        sw_buffer_add_byte(out, '"');
    }
    sw_buffer_add_text(out, last ? "\r\n" : ",");
    out->failed |= cell->failed;
    sw_buffer_clear(cell);
}

static bool begins_a_formula(struct sw_bytes text)
{
    static const char *const starts[] = {"=", "+", "-", "@", "'", "\t", "\r", "\n", "\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};
    while (text.len && text.at[0] == ' ') {
        text.at++;
        text.len--;
    }
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        if (sw_bytes_begin_text(text, starts[i]))
            return true;
    return false;
}

static void guarded(struct sw_buffer *cell, struct sw_bytes text)
{
    if (begins_a_formula(text))
        sw_buffer_add_byte(cell, '\'');
    sw_json_write_text_inside(cell, text);
}

static void names(struct sw_buffer *cell, const struct sw_column *const *columns, uint32_t count)
{
    if (!count)
        return;
    struct sw_json_writer json = {.out = cell};
    sw_json_begin_array(&json);
    for (uint32_t i = 0; i < count; i++)
        sw_json_text(&json, columns[i]->name);
    sw_json_end_array(&json);
}

static void differing(struct sw_buffer *cell, const struct sw_finding *finding)
{
    struct sw_json_writer json = {.out = cell};
    struct sw_image_walk walk = {.left = &finding->state, .right = sw_finding_against(finding)};
    const struct sw_column *column;
    struct sw_cell left, right;
    while (sw_image_walk_next(&column, &left, &right, &walk)) {
        if (!sw_finding_column_differs(finding, column, left, right))
            continue;
        if (!cell->len)
            sw_json_begin_array(&json);
        sw_json_text(&json, column->name);
    }
    if (cell->len)
        sw_json_end_array(&json);
}

static void image(struct sw_buffer *cell, const struct sw_report *report, const struct sw_image *row)
{
    struct sw_json_writer json = {.out = cell};
    if (row->present)
        sw_image_write_json(&json, report, row);
}

void sw_finding_write_csv(struct sw_buffer *out, const struct sw_report *report, const struct sw_finding *finding)
{
    struct sw_buffer cell = {0};
    struct sw_json_writer json = {.out = &cell};

    guarded(&cell, finding->table->name);
    put(out, &cell, false);
    sw_key_write_json(&cell, finding->table, finding->key);
    put(out, &cell, false);
    sw_buffer_add_text(&cell, sw_class_name(sw_reason_class(finding->reason)));
    put(out, &cell, false);
    sw_buffer_add_text(&cell, sw_reason_name(finding->reason));
    put(out, &cell, false);
    sw_buffer_add_text(&cell, sw_finding_lacking(finding) ? sw_finding_lacking(finding) : "");
    put(out, &cell, false);
    sw_buffer_add_text(&cell, finding->cause != SW_CAUSE_NONE ? sw_cause_name(finding->cause) : "");
    put(out, &cell, false);
    guarded(&cell, finding->cause_space);
    put(out, &cell, false);
    if (finding->cause_version.len) {
        struct sw_buffer version = {0};
        sw_report_print_version(&version, report, finding->cause_version, finding->cause_space);
        guarded(&cell, sw_buffer_view(&version));
        cell.failed |= version.failed;
        sw_buffer_free(&version);
    }
    put(out, &cell, false);
    differing(&cell, finding);
    put(out, &cell, false);
    names(&cell, finding->unknown, finding->unknown_count);
    put(out, &cell, false);
    names(&cell, finding->incomparable, finding->incomparable_count);
    put(out, &cell, false);
    image(&cell, report, &finding->state);
    put(out, &cell, false);
    image(&cell, report, &finding->expected);
    put(out, &cell, false);
    image(&cell, report, &finding->other);
    put(out, &cell, false);
    sw_places_write_json(&json, report, finding);
    put(out, &cell, false);
    if (finding->more_places)
        sw_buffer_printf(&cell, "%llu", (unsigned long long)finding->more_places);
    put(out, &cell, false);
    sw_finding_sentence(&cell, report, finding);
    put(out, &cell, !report->recheck);
    if (report->recheck) {
        const char *word = sw_recheck_finding_word(report, finding);
        sw_buffer_add_text(&cell, word ? word : "");
        put(out, &cell, true);
    }
    sw_buffer_free(&cell);
}
