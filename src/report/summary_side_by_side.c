/* One finding for people: both rows side by side, the columns that differ first and marked.
 *
 * The marks are characters, not colours: "≠" (or "!") differs, "?" was not compared. */
#include "report/finding_write.h"
#include "report/page.h"
#include "report/recheck.h"
#include "report/sentence.h"
#include "report/width.h"

#define MARGIN 4u          /* number and blanks before the block */
#define MARKED_MAX 12u     /* marked columns shown of one finding */
#define UNMARKED_MAX 3u    /* others beside them */
#define ALONE_MAX 6u       /* columns of a row that only one side has */
#define PLACES_MAX 4u

enum mark { MARK_NONE, MARK_DIFFERS, MARK_OPEN };

struct grid {
    const struct sw_page *page;
    const struct sw_report *report;
    const struct sw_finding *finding;
    const struct sw_image *left, *right;
    bool conflict;            /* two contents of the evidence, not evidence against destination */
    size_t name_width, cell_width;
};

static enum mark mark_of(const struct grid *grid, const struct sw_column *column, struct sw_cell left, struct sw_cell right)
{
    const struct sw_finding *finding = grid->finding;
    if (sw_finding_column_differs(finding, column, left, right))
        return MARK_DIFFERS;
    if (sw_columns_have(finding->unknown, finding->unknown_count, column) || sw_columns_have(finding->incomparable, finding->incomparable_count, column))
        return MARK_OPEN;
    return MARK_NONE;
}

static void add_cell(struct sw_buffer *out, const struct sw_column *column, const struct sw_image *image, struct sw_cell cell, bool unicode)
{
    if (!image->present || image->deleted)
        return;
    switch (cell.kind) {
    case SW_CELL_ABSENT: sw_buffer_add_text(out, "(absent)"); return;
    case SW_CELL_NULL: sw_buffer_add_text(out, "null"); return;
    case SW_CELL_UNAVAILABLE: sw_buffer_add_text(out, "(not in evidence)"); return;
    case SW_CELL_INVALID: sw_buffer_add_text(out, "(invalid value)"); return;
    case SW_CELL_VALUE: break;
    }
    struct sw_buffer json = {0};
    sw_value_write_json(&json, &column->type, cell.canonical);
    sw_text_show(out, sw_buffer_view(&json), unicode);
    out->failed |= json.failed;
    sw_buffer_free(&json);
}

static void add_name(struct sw_buffer *out, const struct grid *grid, const struct sw_column *column)
{
    struct sw_buffer name = {0};
    if (column->name.len)
        sw_json_write_text_inside(&name, column->name);
    else
        sw_buffer_add_text(&name, "value");
    sw_text_show(out, sw_buffer_view(&name), grid->page->unicode);
    out->failed |= name.failed;
    sw_buffer_free(&name);
}

/* One line: mark, name, both cells. */
static void line(const struct grid *grid, enum mark mark, struct sw_bytes name, struct sw_bytes left, struct sw_bytes right)
{
    const struct sw_page *page = grid->page;
    size_t focus = mark == MARK_DIFFERS ? sw_text_first_difference(left, right) : SW_FIT_ANYWHERE;
    sw_page_blanks(page, MARGIN);
    if (mark != MARK_NONE)
        sw_page_ink(page, mark == MARK_DIFFERS ? SW_INK_BAD : SW_INK_WARNING);
    sw_buffer_add_text(page->out, mark == MARK_NONE ? " " : mark == MARK_OPEN ? "?" : page->unicode ? "≠" : "!");
    if (mark != MARK_NONE)
        sw_page_ink(page, SW_INK_PLAIN);
    sw_page_blanks(page, 1);
    sw_page_cell(page, name, grid->name_width, SW_FIT_ANYWHERE, true);
    sw_page_blanks(page, 2);
    sw_page_cell(page, left, grid->cell_width, focus, right.len > 0);
    if (right.len) {
        sw_page_blanks(page, 2);
        sw_page_cell(page, right, grid->cell_width, focus, false);
    }
    while (page->out->len && page->out->at[page->out->len - 1] == ' ')
        page->out->len--;
    sw_buffer_add_byte(page->out, '\n');
}

static void text_line(const struct grid *grid, enum mark mark, const char *name, const char *left, const char *right)
{
    line(grid, mark, sw_bytes_text(name), sw_bytes_text(left), sw_bytes_text(right));
}

static void column_line(const struct grid *grid, enum mark mark, const struct sw_column *column, struct sw_cell left, struct sw_cell right)
{
    struct sw_buffer name = {0}, a = {0}, b = {0};
    add_name(&name, grid, column);
    add_cell(&a, column, grid->left, left, grid->page->unicode);
    add_cell(&b, column, grid->right, right, grid->page->unicode);
    if (mark == MARK_DIFFERS && (sw_text_looks_like_another(sw_buffer_view(&a)) || sw_text_looks_like_another(sw_buffer_view(&b)))) {
        sw_buffer_clear(&a);
        sw_buffer_clear(&b);
        add_cell(&a, column, grid->left, left, false);
        add_cell(&b, column, grid->right, right, false);
    }
    line(grid, mark, sw_buffer_view(&name), sw_buffer_view(&a), sw_buffer_view(&b));
    grid->page->out->failed |= name.failed || a.failed || b.failed;
    sw_buffer_free(&name);
    sw_buffer_free(&a);
    sw_buffer_free(&b);
}

/* Shows up to `most` columns, those with a mark or those without; returns how many there are. */
static uint64_t columns(const struct grid *grid, bool marked, uint64_t most)
{
    const struct sw_column *column;
    struct sw_cell left, right;
    struct sw_image_walk walk = {.left = grid->left, .right = grid->right};
    uint64_t count = 0;
    while (sw_image_walk_next(&column, &left, &right, &walk)) {
        enum mark mark = mark_of(grid, column, left, right);
        if ((mark != MARK_NONE) != marked)
            continue;
        if (count++ < most)
            column_line(grid, mark, column, left, right);
    }
    return count;
}

static void more_columns(const struct grid *grid, uint64_t count, const char *what)
{
    if (!count)
        return;
    sw_page_blanks(grid->page, MARGIN + 2);
    sw_page_ink(grid->page, SW_INK_FAINT);
    sw_buffer_printf(grid->page->out, "(%llu more %s%s)", (unsigned long long)count, count == 1 ? "column" : "columns", what);
    sw_page_ink(grid->page, SW_INK_PLAIN);
    sw_buffer_add_byte(grid->page->out, '\n');
}

static const char *presence(const struct sw_image *image) { return !image->present ? "no row" : image->deleted ? "deleted" : "a row"; }

static void version_line(const struct grid *grid)
{
    if (!grid->left->has_version && !grid->right->has_version)
        return;
    struct sw_buffer a = {0}, b = {0}, shown_a = {0}, shown_b = {0};
    if (grid->left->has_version)
        sw_report_print_version(&a, grid->report, grid->left->version, grid->left->space);
    if (grid->right->has_version)
        sw_report_print_version(&b, grid->report, grid->right->version, grid->right->space);
    sw_text_show(&shown_a, sw_buffer_view(&a), grid->page->unicode);
    sw_text_show(&shown_b, sw_buffer_view(&b), grid->page->unicode);
    bool both = grid->left->has_version && grid->right->has_version;
    bool differs = both && grid->report->compare == SW_COMPARE_STATE && !sw_bytes_equal(grid->left->version, grid->right->version);
    line(grid, differs ? MARK_DIFFERS : MARK_NONE, sw_bytes_text("version"), sw_buffer_view(&shown_a), sw_buffer_view(&shown_b));
    grid->page->out->failed |= a.failed || b.failed || shown_a.failed || shown_b.failed;
    sw_buffer_free(&a);
    sw_buffer_free(&b);
    sw_buffer_free(&shown_a);
    sw_buffer_free(&shown_b);
}

static void space_line(const struct grid *grid)
{
    if (!grid->left->space.len && !grid->right->space.len)
        return;
    struct sw_buffer a = {0}, b = {0};
    sw_sentence_name(&a, grid->left->space);
    sw_sentence_name(&b, grid->right->space);
    line(grid, MARK_NONE, sw_bytes_text("space"), grid->left->space.len ? sw_buffer_view(&a) : (struct sw_bytes){0}, grid->right->space.len ? sw_buffer_view(&b) : (struct sw_bytes){0});
    grid->page->out->failed |= a.failed || b.failed;
    sw_buffer_free(&a);
    sw_buffer_free(&b);
}

/* The widest name of a column that will be shown, between 7 ("version") and a fifth of the page. */
static size_t name_width(const struct grid *grid)
{
    size_t most = grid->page->width / 5, widest = 7;
    if (most < 8)
        most = 8;
    const struct sw_column *column;
    struct sw_cell left, right;
    struct sw_image_walk walk = {.left = grid->left, .right = grid->right};
    struct sw_buffer name = {0};
    while (widest < most && sw_image_walk_next(&column, &left, &right, &walk)) {
        sw_buffer_clear(&name);
        add_name(&name, grid, column);
        size_t width = sw_text_width(sw_buffer_view(&name));
        widest = width > widest ? width : widest;
    }
    grid->page->out->failed |= name.failed;
    sw_buffer_free(&name);
    return widest < most ? widest : most;
}

static void title(const struct grid *grid, unsigned number)
{
    const struct sw_page *page = grid->page;
    const struct sw_finding *finding = grid->finding;
    struct sw_buffer key = {0}, shown = {0};
    const char *reason = sw_reason_name(finding->reason);
    size_t start = page->out->len;
    sw_buffer_printf(page->out, "%3u ", number);
    if (finding->table->name.len) {
        sw_json_write_text_inside(&key, finding->table->name);
        sw_text_show(&shown, sw_buffer_view(&key), page->unicode);
        sw_page_cell(page, sw_buffer_view(&shown), page->width / 4, SW_FIT_ANYWHERE, false);
        sw_buffer_add_text(page->out, "  ");
    }
    size_t used = sw_text_width(sw_bytes_of(page->out->at + start, page->out->len - start)), tail = strlen(reason) + 2;
    sw_buffer_clear(&key);
    sw_buffer_clear(&shown);
    sw_key_write_json(&key, finding->table, finding->key);
    sw_text_show(&shown, sw_buffer_view(&key), page->unicode);
    sw_page_ink(page, SW_INK_BOLD);
    sw_page_cell(page, sw_buffer_view(&shown), page->width > used + tail ? page->width - used - tail : 1, SW_FIT_ANYWHERE, false);
    sw_page_ink(page, SW_INK_PLAIN);
    sw_buffer_printf(page->out, "  %s\n", reason);
    page->out->failed |= key.failed || shown.failed;
    sw_buffer_free(&key);
    sw_buffer_free(&shown);
}

static void places(const struct grid *grid)
{
    const struct sw_finding *finding = grid->finding;
    struct sw_buffer text = {0}, place = {0};
    for (uint32_t i = 0; i < finding->place_count && i < PLACES_MAX; i++) {
        if (i)
            sw_buffer_add_text(&text, ", ");
        sw_buffer_clear(&place);
        sw_place_write(&place, grid->report, &finding->places[i]);
        sw_json_write_text_inside(&text, sw_buffer_view(&place));
    }
    uint64_t more = finding->more_places + (finding->place_count > PLACES_MAX ? finding->place_count - PLACES_MAX : 0);
    if (more)
        sw_buffer_printf(&text, " and %llu more", (unsigned long long)more);
    if (text.len) {
        sw_page_blanks(grid->page, MARGIN + 2);
        sw_buffer_add_text(grid->page->out, "from ");
        sw_page_wrap(grid->page, MARGIN + 7, MARGIN + 7, sw_buffer_text(&text) ? (const char *)text.at : "");
    }
    grid->page->out->failed |= text.failed || place.failed;
    sw_buffer_free(&text);
    sw_buffer_free(&place);
}

/* Of a conflict: what the destination has, on one line. */
static void destination_line(const struct grid *grid)
{
    const struct sw_image *expected = &grid->finding->expected;
    struct sw_buffer json = {0}, shown = {0};
    struct sw_json_writer writer = {.out = &json};
    if (expected->present)
        sw_image_write_json(&writer, grid->report, expected);
    else
        sw_buffer_add_text(&json, "no row");
    sw_text_show(&shown, sw_buffer_view(&json), grid->page->unicode);
    sw_page_blanks(grid->page, MARGIN + 2);
    sw_buffer_add_text(grid->page->out, "destination: ");
    sw_page_cell(grid->page, sw_buffer_view(&shown), grid->page->width - MARGIN - 2 - 13, SW_FIT_ANYWHERE, false);
    sw_buffer_add_byte(grid->page->out, '\n');
    grid->page->out->failed |= json.failed || shown.failed;
    sw_buffer_free(&json);
    sw_buffer_free(&shown);
}

void sw_page_finding(const struct sw_page *page, const struct sw_report *report, const struct sw_finding *finding, unsigned number)
{
    struct grid grid = {.page = page, .report = report, .finding = finding, .left = &finding->state, .right = sw_finding_against(finding)};
    grid.conflict = grid.right == &finding->other;
    grid.name_width = name_width(&grid);
    grid.cell_width = (page->width - MARGIN - 2 - grid.name_width - 4) / 2;

    sw_buffer_add_byte(page->out, '\n');
    title(&grid, number);
    struct sw_buffer sentence = {0};
    sw_finding_sentence(&sentence, report, finding);
    sw_page_blanks(page, MARGIN);
    if (sw_buffer_text(&sentence))
        sw_page_wrap(page, MARGIN, MARGIN, sw_buffer_text(&sentence));
    page->out->failed |= sentence.failed;
    sw_buffer_free(&sentence);

    struct sw_buffer again = {0};
    sw_recheck_finding_sentence(&again, report, finding);
    if (again.len && sw_buffer_text(&again)) {
        sw_page_blanks(page, MARGIN);
        sw_page_wrap(page, MARGIN, MARGIN, (const char *)again.at);
    }
    page->out->failed |= again.failed;
    sw_buffer_free(&again);
    bool left = grid.left->present, right = grid.right->present;
    if (left || right) {
        text_line(&grid, MARK_NONE, "", grid.conflict ? "one content" : "evidence", grid.conflict ? "another content" : "destination");
        bool both_live = left && right && !grid.left->deleted && !grid.right->deleted;
        bool differs = sw_reason_class(finding->reason) == SW_CLASS_DIFFERENT || grid.conflict;
        if (!both_live)
            text_line(&grid, differs ? MARK_DIFFERS : MARK_NONE, "(row)", presence(grid.left), presence(grid.right));
        uint64_t marked = both_live ? columns(&grid, true, MARKED_MAX) : 0;
        more_columns(&grid, marked > MARKED_MAX ? marked - MARKED_MAX : 0, marked > MARKED_MAX ? " with a mark" : "");
        uint64_t room = both_live ? UNMARKED_MAX : ALONE_MAX, others = 0;
        if (both_live) {
            others = columns(&grid, false, room);
        } else { /* one row alone: its columns, none of which has a counterpart */
            struct grid alone = grid;
            static const struct sw_finding nothing = {0};
            alone.finding = &nothing;
            alone.conflict = false;
            others = columns(&alone, false, room);
        }
        more_columns(&grid, others > room ? others - room : 0, both_live && differs ? " without a difference" : "");
        version_line(&grid);
        space_line(&grid);
    }
    if (grid.conflict)
        destination_line(&grid);
    places(&grid);
}
