/* The gaps that evidence of continuity names, for people. */
#include <string.h>

#include "report/continuity_evidence.h"
#include "report/page.h"
#include "report/report.h"
#include "report/width.h"

#define GAPS_SHOWN 5u
#define KEYS_SHOWN 3u
#define TABLES_SHOWN 5u
#define TEXT_COLUMNS 60

static void show(struct sw_buffer *out, const struct sw_page *page, struct sw_bytes text)
{
    struct sw_buffer shown = {0};
    sw_text_show(&shown, text, page->unicode);
    sw_text_fit(out, sw_buffer_view(&shown), TEXT_COLUMNS, SW_FIT_ANYWHERE, page->unicode);
    out->failed |= shown.failed;
    sw_buffer_free(&shown);
}

static void show_text(struct sw_buffer *out, const struct sw_page *page, const char *text) { show(out, page, sw_bytes_text(text)); }

static void keys(struct sw_buffer *out, const struct sw_page *page, const char *side, const struct sw_near_event *events, uint32_t count)
{
    for (uint32_t i = 0; i < count && i < KEYS_SHOWN; i++) {
        sw_buffer_add_text(out, i ? ", " : side);
        if (events[i].table->name.len) {
            show(out, page, events[i].table->name);
            sw_buffer_add_byte(out, ' ');
        }
        show_text(out, page, events[i].key);
    }
}

static void gap_line(const struct sw_page *page, const struct sw_evidence_gap *gap)
{
    struct sw_buffer text = {0};
    if (*gap->space && strncmp(gap->from, gap->space, strlen(gap->space)) != 0) { /* a GTID has its source in it */
        show_text(&text, page, gap->space);
        sw_buffer_add_byte(&text, ' ');
    }
    bool one = gap->to && strcmp(gap->from, gap->to) == 0;
    if (!one)
        sw_buffer_add_byte(&text, gap->from_included ? '[' : '(');
    show_text(&text, page, *gap->from ? gap->from : "the start");
    if (!one) {
        sw_buffer_add_text(&text, ", ");
        show_text(&text, page, gap->to ? gap->to : "not known");
        sw_buffer_add_byte(&text, gap->to_included ? ']' : ')');
    }
    sw_buffer_add_text(&text, ": ");
    show_text(&text, page, gap->proof);
    if (gap->possible)
        sw_buffer_add_text(&text, "; it may hold no change of your tables");
    if (gap->inside)
        sw_buffer_printf(&text, "; %llu events of this run stand inside it", (unsigned long long)gap->inside);
    for (uint32_t i = 0; i < gap->table_count && i < TABLES_SHOWN; i++) {
        sw_buffer_add_text(&text, i ? ", " : "; tables with events on both sides: ");
        show_text(&text, page, *gap->tables[i] ? gap->tables[i] : "(unnamed)");
    }
    if (gap->table_count > TABLES_SHOWN)
        sw_buffer_printf(&text, " and %u more", gap->table_count - TABLES_SHOWN);
    keys(&text, page, "; last keys before it: ", gap->near_before, gap->before_count);
    keys(&text, page, "; first keys after it: ", gap->near_after, gap->after_count);
    const char *whole = sw_buffer_text(&text);
    sw_buffer_add_text(page->out, "  - ");
    if (whole)
        sw_page_wrap(page, 4, 4, whole);
    page->out->failed |= !whole || text.failed;
    sw_buffer_free(&text);
}

void sw_evidence_write_summary(const struct sw_page *page, const struct sw_report *report)
{
    uint64_t shown = 0, all = sw_evidence_gaps(report);
    for (uint32_t i = 0; i < report->evidence_count; i++)
        for (uint32_t g = 0; g < report->evidence[i].gap_count && shown < GAPS_SHOWN; g++) {
            if (!shown++)
                sw_page_title(page, "Gaps");
            gap_line(page, &report->evidence[i].gaps[g]);
        }
    if (all > shown)
        sw_buffer_printf(page->out, "  - and %llu more: --json lists them under continuity\n", (unsigned long long)(all - shown));
}
