/* The timeline of positions: one drawing a lane, since positions of two lanes do not compare.
 *
 * A lane runs from top to bottom, oldest first, so that its texts are readable on a phone. Distances mean nothing: ranks order, they do not measure. */
#include "case/page/page.h"

#include <string.h>

#include "base/memory.h"
#include "report/width.h"

#define RANKS_MAX 200u          /* more are only listed */
#define ROW_HEIGHT 40u          /* of one point */
#define AXIS 26u                /* where the line stands */
#define LABEL 52u               /* where texts begin */
#define POSITION_COLUMNS 44u    /* what a drawing shows of a position; the list below has the whole */

static const char *class_of(enum sw_note_point_kind kind)
{
    switch (kind) {
    case SW_NOTE_POINT_AVAILABLE_FIRST:
    case SW_NOTE_POINT_AVAILABLE_LAST: return "available";
    case SW_NOTE_POINT_CUT: return "cut";
    case SW_NOTE_POINT_RESTART: return "restart";
    case SW_NOTE_POINT_GAP_END: return "edge";
    default: return "boundary";
    }
}

/* The rows at which each rank begins, and past the last; NULL if memory ran out. */
static unsigned *rows_of(const struct sw_note_lane *lane)
{
    unsigned *rows = sw_calloc(lane->rank_count + 1u, sizeof *rows);
    if (!rows)
        return NULL;
    for (size_t i = 0; i < lane->point_count; i++)
        if (lane->points[i].rank < lane->rank_count)
            rows[lane->points[i].rank + 1]++;
    for (unsigned rank = 0; rank < lane->rank_count; rank++)
        rows[rank + 1] = rows[rank] + (rows[rank + 1] ? rows[rank + 1] : 1);
    return rows;
}

static unsigned center(unsigned row) { return row * ROW_HEIGHT + ROW_HEIGHT / 2; }

static void write_fitted(struct sw_page *page, struct sw_bytes text)
{
    struct sw_buffer fitted = {0};
    sw_text_fit(&fitted, text, POSITION_COLUMNS, SW_FIT_ANYWHERE, true);
    page->output.buffer.failed |= fitted.failed;
    sw_page_text(page, sw_buffer_view(&fitted));
    sw_buffer_free(&fitted);
}

static void draw_gap(struct sw_page *page, const struct sw_note_lane *lane, const struct sw_note_gap *gap, const unsigned *rows)
{
    unsigned last = lane->rank_count - 1;
    unsigned from = gap->from_rank > last ? last : gap->from_rank, to = gap->to_rank > last ? last : gap->to_rank;
    unsigned top = center(rows[from]), bottom = gap->open ? rows[lane->rank_count] * ROW_HEIGHT : center(rows[to]);
    if (bottom < top + 10)
        bottom = top + 10;
    sw_page_printf(page, "<rect class=\"gap%s\" x=\"%u\" y=\"%u\" width=\"14\" height=\"%u\"/>\n", gap->possible ? " possible" : "", AXIS - 7, top, bottom - top);
}

/* A position without the identity that the title of its lane has already. */
static struct sw_bytes bare_position(struct sw_bytes position, struct sw_bytes lane)
{
    const uint8_t *at = position.len ? memchr(position.at, '@', position.len) : NULL;
    size_t behind = at ? position.len - (size_t)(at + 1 - position.at) : 0;
    return behind && lane.len && memmem(lane.at, lane.len, at + 1, behind) ? sw_bytes_of(position.at, (size_t)(at - position.at)) : position;
}

static void draw_point(struct sw_page *page, const struct sw_note_lane *lane, const struct sw_note_point *point, unsigned row)
{
    unsigned y = center(row);
    const char *class = class_of(point->kind);
    if (point->kind == SW_NOTE_POINT_CUT)
        sw_page_printf(page, "<line class=\"cut\" x1=\"2\" y1=\"%u\" x2=\"%u\" y2=\"%u\"/>\n", y, LABEL - 4, y);
    else if (point->kind == SW_NOTE_POINT_RESTART)
        sw_page_printf(page, "<path class=\"restart\" d=\"M%u %uv14l11-7z\"/>\n", AXIS - 5, y - 7);
    else
        sw_page_printf(page, "<circle class=\"%s\" cx=\"%u\" cy=\"%u\" r=\"6\"/>\n", class, AXIS, y);
    sw_page_printf(page, "<text x=\"%u\" y=\"%u\" class=\"label\">", LABEL, y - 4);
    sw_page_text(page, point->label);
    sw_page_printf(page, "</text><text x=\"%u\" y=\"%u\" class=\"position\">", LABEL, y + 13);
    write_fitted(page, bare_position(point->position, lane->name));
    sw_page_add(page, "</text>\n");
}

static void draw(struct sw_page *page, const struct sw_note_lane *lane, size_t number)
{
    unsigned *rows = rows_of(lane);
    if (!rows) {
        page->output.buffer.failed = true;
        return;
    }
    unsigned height = rows[lane->rank_count] * ROW_HEIGHT;
    sw_page_printf(page, "<svg class=\"lane\" width=\"100%%\" height=\"%u\" role=\"img\" aria-labelledby=\"lane%zu\" aria-describedby=\"lane%zulist\">\n"
                         "<defs><pattern id=\"hatch%zu\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">"
                         "<rect width=\"3\" height=\"6\" class=\"hatch\"/></pattern></defs>\n<line class=\"axis\" x1=\"%u\" y1=\"0\" x2=\"%u\" y2=\"%u\"/>\n",
                   height, number, number, number, AXIS, AXIS, height);
    for (size_t i = 0; i < lane->gap_count; i++)
        draw_gap(page, lane, &lane->gaps[i], rows);
    unsigned rank = 0, used = 0;
    for (size_t i = 0; i < lane->point_count; i++) {
        const struct sw_note_point *point = &lane->points[i];
        if (point->rank >= lane->rank_count)
            continue;
        used = point->rank == rank && i ? used + 1 : 0;
        rank = point->rank;
        draw_point(page, lane, point, rows[rank] + used);
    }
    sw_page_add(page, "</svg>\n");
    sw_free(rows);
}

static void list_gap(struct sw_page *page, const struct sw_note_gap *gap)
{
    sw_page_printf(page, "<li class=\"gapline\"><strong>%s</strong> ", gap->possible ? "possible gap" : "gap");
    if (gap->from.len) {
        sw_page_add(page, gap->to.len || gap->open ? (gap->from_included ? "from and with " : "after ") : "");
        sw_page_value(page, gap->from);
    } else {
        sw_page_add(page, "since the start");
    }
    if (gap->to.len) {
        sw_page_add(page, gap->to_included ? " up to and with " : " to before ");
        sw_page_value(page, gap->to);
    } else if (gap->open) {
        sw_page_add(page, ", its end is not known");
    }
    sw_page_add(page, ": ");
    sw_page_text_or(page, gap->proof, "no proof is recorded");
    if (gap->entry) {
        sw_page_add(page, " (");
        sw_page_entries(page, &(struct sw_note_entries){(uint64_t[]){gap->entry}, 1});
        sw_page_add(page, ")");
    }
    sw_page_add(page, "</li>\n");
}

static void list_lane(struct sw_page *page, const struct sw_note_lane *lane, size_t number)
{
    sw_page_printf(page, "<ol class=\"points\" id=\"lane%zulist\">\n", number);
    for (size_t i = 0; i < lane->point_count; i++) {
        const struct sw_note_point *point = &lane->points[i];
        sw_page_add(page, "<li>");
        sw_page_text(page, point->label);
        sw_page_add(page, ": ");
        sw_page_value(page, point->position);
        if (point->observed_at.len) {
            sw_page_add(page, ", looked at ");
            sw_page_time(page, point->observed_at, "");
        }
        sw_page_add(page, "</li>\n");
    }
    sw_page_add(page, "</ol>\n");
    if (lane->gap_count) {
        sw_page_add(page, "<ul class=\"points\">\n");
        for (size_t i = 0; i < lane->gap_count; i++)
            list_gap(page, &lane->gaps[i]);
        sw_page_add(page, "</ul>\n");
    }
}

void sw_page_write_timeline(struct sw_page *page)
{
    const struct sw_handover_note *note = page->note;
    sw_page_add(page, "<section aria-labelledby=\"timeline\">\n<h2 id=\"timeline\">Timeline of positions</h2>\n");
    if (!note->lane_count)
        sw_page_add(page, "<p class=\"none\">No positions are in evidence that could be drawn.</p>\n");
    else
        sw_page_add(page, "<p class=\"hint\">Oldest first. Distances mean nothing. Positions of two drawings do not compare with each other.</p>\n<div class=\"lanes\">\n");
    for (size_t i = 0; i < note->lane_count; i++) {
        const struct sw_note_lane *lane = &note->lanes[i];
        sw_page_printf(page, "<figure>\n<figcaption id=\"lane%zu\">", i);
        sw_page_text_or(page, lane->name, "unnamed source");
        sw_page_add(page, "</figcaption>\n");
        if (lane->rank_count && lane->rank_count <= RANKS_MAX)
            draw(page, lane, i);
        list_lane(page, lane, i);
        sw_page_add(page, "</figure>\n");
    }
    sw_page_add(page, note->lane_count ? "</div>\n</section>\n" : "</section>\n");
}
