/* How many keys ended how: counts, and bars by reason and by table. */
#include "base/c_locale.h"
#include "case/page/page.h"

static void bar(struct sw_page *page, const char *class, uint64_t count, uint64_t most)
{
    double share = most ? 100.0 * (double)count / (double)most : 0;
    if (count && share < 0.5)
        share = 0.5; /* a single key must be seen */
    locale_t before = sw_c_locale_enter();
    sw_page_printf(page, "<svg class=\"bar\" width=\"100%%\" height=\"14\" aria-hidden=\"true\"><rect class=\"%s\" width=\"%.1f%%\" height=\"14\" rx=\"2\"/></svg>",
                   class, share);
    sw_c_locale_leave(before);
}

static void begin_chart(struct sw_page *page, const char *caption, const char *first)
{
    sw_page_printf(page, "<table class=\"chart\">\n<caption>%s</caption>\n<thead><tr><th scope=\"col\">%s</th><th scope=\"col\">Keys</th>"
                         "<td aria-hidden=\"true\"></td></tr></thead>\n<tbody>\n", caption, first);
}

static void chart_row(struct sw_page *page, struct sw_bytes name, const char *none, const char *class, uint64_t count, uint64_t most)
{
    sw_page_add(page, "<tr><th scope=\"row\">");
    sw_page_text_or(page, name, none);
    sw_page_add(page, "</th><td class=\"number\">");
    sw_page_count(page, count);
    sw_page_add(page, "</td><td class=\"barcell\">");
    bar(page, class, count, most);
    sw_page_add(page, "</td></tr>\n");
}

static uint64_t findings_of(const struct sw_note_table *table) { return table->different + table->conflict + table->undecided; }

static void by_reason(struct sw_page *page, const struct sw_note_differences *differences)
{
    uint64_t most = 0;
    for (size_t i = 0; i < differences->reason_count; i++)
        if (differences->reasons[i].count > most)
            most = differences->reasons[i].count;
    begin_chart(page, "Findings by reason", "Reason");
    for (size_t i = 0; i < differences->reason_count; i++)
        chart_row(page, differences->reasons[i].name, "unnamed", "finding", differences->reasons[i].count, most);
    sw_page_add(page, "</tbody></table>\n");
}

static void by_table(struct sw_page *page, const struct sw_note_differences *differences)
{
    uint64_t most = 0;
    for (size_t i = 0; i < differences->table_count; i++)
        if (findings_of(&differences->tables[i]) > most)
            most = findings_of(&differences->tables[i]);
    begin_chart(page, "Findings by table", "Table");
    for (size_t i = 0; i < differences->table_count; i++)
        chart_row(page, differences->tables[i].name, "the one unnamed table", "finding", findings_of(&differences->tables[i]), most);
    sw_page_add(page, "</tbody></table>\n");
}

void sw_page_write_charts(struct sw_page *page)
{
    const struct sw_note_differences *differences = &page->note->differences;
    sw_page_add(page, "<section aria-labelledby=\"differences\">\n<h2 id=\"differences\">Destination and evidence</h2>\n");
    if (!differences->reconciled) {
        sw_page_add(page, "<p class=\"none\">No reconciliation is in evidence: nothing is known of the destination\xe2\x80\x99s rows.</p>\n</section>\n");
        return;
    }
    static const char *const names[] = {"equal", "different", "in conflict", "undecided"};
    const uint64_t counts[] = {differences->equal, differences->different, differences->conflict, differences->undecided};
    sw_page_add(page, "<div class=\"columns\">\n");
    begin_chart(page, "Keys", "Class");
    for (size_t i = 0; i < 4; i++)
        chart_row(page, sw_bytes_text(names[i]), "", i ? "finding" : "equal", counts[i], differences->keys);
    sw_page_add(page, "</tbody><tfoot><tr><th scope=\"row\">all</th><td class=\"number\">");
    sw_page_count(page, differences->keys);
    sw_page_add(page, "</td><td></td></tr></tfoot></table>\n");
    if (differences->reason_count)
        by_reason(page, differences);
    if (differences->table_count)
        by_table(page, differences);
    sw_page_add(page, "</div>\n</section>\n");
}
