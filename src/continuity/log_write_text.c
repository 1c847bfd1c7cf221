/* A scan for people: the answer first, then what it rests on. */
#include <string.h>

#include "base/memory.h"
#include "continuity/log_write.h"
#include "report/width.h"

#define COLUMNS 96
#define LISTED 10u

/* A text from outside, made fit for a terminal and cut. */
static void show(struct sw_buffer *out, struct sw_bytes text)
{
    struct sw_buffer shown = {0};
    sw_text_show(&shown, text, false);
    sw_text_fit(out, sw_buffer_view(&shown), COLUMNS, SW_FIT_ANYWHERE, false);
    out->failed |= shown.failed;
    sw_buffer_free(&shown);
}

static void show_text(struct sw_buffer *out, const char *text) { show(out, sw_bytes_text(text ? text : "")); }

static void position(struct sw_buffer *out, const struct sw_scan_report *scan, uint32_t space, const struct sw_log_edge *edge)
{
    char *text = sw_log_print(scan, space, sw_log_version(edge));
    show_text(out, text);
    out->failed |= !text;
    sw_free(text);
}

static void place(struct sw_buffer *out, const struct sw_scan_report *scan, uint32_t input, uint64_t block, uint64_t line)
{
    struct sw_place at = sw_read_place(&scan->run->reading, input, block, line);
    show_text(out, scan->run->report.inputs[at.input].locator);
    sw_buffer_printf(out, ":%llu", (unsigned long long)at.line);
}

static void time_after(struct sw_buffer *out, const struct sw_log_edge *edge)
{
    if (!edge->timed)
        return;
    sw_buffer_add_text(out, " at ");
    sw_log_print_time(out, &edge->time);
}

static void number(struct sw_buffer *out, uint64_t count) { sw_sentence_number(out, count); }

static void label(struct sw_buffer *out, const char *name) { sw_buffer_printf(out, "  %-12s ", name); }

static void list(struct sw_buffer *out, const char *title, const struct sw_sentences *sentences, bool numbered)
{
    unsigned count = 0;
    for (const char *text = NULL; (text = sw_sentences_next(sentences, text));) {
        if (!count++)
            sw_buffer_printf(out, "\n%s\n", title);
        if (numbered)
            sw_buffer_printf(out, "  %u. ", count);
        else
            sw_buffer_add_text(out, "  - ");
        sw_buffer_add_text(out, text);
        sw_buffer_add_byte(out, '\n');
    }
}

static void more(struct sw_buffer *out, uint64_t all, uint64_t shown)
{
    if (all <= shown)
        return;
    sw_buffer_add_text(out, "  … and ");
    number(out, all - shown);
    sw_buffer_add_text(out, " more (--json lists them)\n");
}

static void show_read(struct sw_buffer *out, const struct sw_scan_report *scan)
{
    const struct sw_report *report = &scan->run->report;
    label(out, "read");
    number(out, scan->run->reading.roles[SW_ROLE_EVENTS].records);
    sw_buffer_printf(out, " record%s of %u input%s: ", scan->run->reading.roles[SW_ROLE_EVENTS].records == 1 ? "" : "s", report->input_count, report->input_count == 1 ? "" : "s");
    number(out, scan->all.events - scan->all.reads);
    sw_buffer_printf(out, " event%s", scan->all.events - scan->all.reads == 1 ? "" : "s");
    const struct { uint64_t count; const char *what; } parts[] = {{scan->all.reads, "snapshot rows"}, {scan->run->reading.roles[SW_ROLE_EVENTS].not_row_change, "no row changes"}, {scan->run->reading.bad_count, "bad"}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (parts[i].count) {
            sw_buffer_add_text(out, ", ");
            number(out, parts[i].count);
            sw_buffer_printf(out, " %s", parts[i].what);
        }
    sw_buffer_add_byte(out, '\n');
    label(out, "order");
    sw_buffer_printf(out, "%s\n", scan->run->reading.order->name);
    if (scan->all.timed && !scan->all.mixed_times) {
        label(out, "times");
        sw_log_print_time(out, &scan->all.earliest);
        sw_buffer_add_text(out, " to ");
        sw_log_print_time(out, &scan->all.latest);
        sw_buffer_add_text(out, " (of the events; a time is no position)\n");
    }
    for (uint32_t i = 0; i < report->kind_count; i++) {
        label(out, i ? "" : "kinds");
        number(out, report->kinds[i].count);
        sw_buffer_add_byte(out, ' ');
        show_text(out, report->kinds[i].kind);
        sw_buffer_add_byte(out, '\n');
    }
}

static void show_spaces(struct sw_buffer *out, const struct sw_scan_report *scan)
{
    uint32_t count, *ids = sw_log_spaces_by_name(&count, scan);
    out->failed |= !ids;
    for (uint32_t i = 0; ids && i < count && i < LISTED; i++) {
        const struct sw_log_space *space = &scan->all.spaces[ids[i]];
        struct sw_bytes name = sw_spaces_text(scan->run->reading.spaces, ids[i]);
        if (!i)
            sw_buffer_add_text(out, "\nspaces\n");
        sw_buffer_add_text(out, "  - ");
        show(out, name.len ? name : SW_BYTES_LITERAL("(the only one)"));
        sw_buffer_add_text(out, ": ");
        number(out, space->reach.events);
        sw_buffer_printf(out, " event%s, first ", space->reach.events == 1 ? "" : "s");
        position(out, scan, ids[i], &space->reach.first);
        time_after(out, &space->reach.first);
        sw_buffer_add_text(out, ", last ");
        position(out, scan, ids[i], &space->reach.last);
        time_after(out, &space->reach.last);
        if (sw_log_has_numbers(scan->run->reading.order) && space->numbers.all.count > 1) {
            sw_buffer_add_text(out, ", in ");
            number(out, space->numbers.all.count);
            sw_buffer_add_text(out, " pieces");
        }
        if (space->numbers.repeated.count) {
            sw_buffer_add_text(out, ", ");
            number(out, sw_number_list_count(&space->numbers.repeated));
            sw_buffer_add_text(out, " delivered more than once");
        }
        sw_buffer_add_byte(out, '\n');
    }
    more(out, count, LISTED);
    sw_free(ids);
}

static void show_tables(struct sw_buffer *out, const struct sw_scan_report *scan)
{
    static const char *const names[] = {[SW_LOG_WRITE] = "write", [SW_LOG_DELETE] = "delete", [SW_LOG_TRUNCATE] = "truncate", [SW_LOG_READ] = "snapshot row"};
    uint32_t count, *ids = sw_log_tables_by_name(&count, scan);
    out->failed |= !ids;
    for (uint32_t i = 0; ids && i < count && i < 2 * LISTED; i++) {
        struct sw_bytes name = sw_schema_table_at(scan->run->reading.schema, ids[i])->name;
        if (!i)
            sw_buffer_add_text(out, "\ntables\n");
        sw_buffer_add_text(out, "  - ");
        show(out, name.len ? name : SW_BYTES_LITERAL("(unnamed)"));
        sw_buffer_add_byte(out, ':');
        for (int o = 0, some = 0; o < SW_LOG_OPERATIONS; o++)
            if (scan->all.tables[ids[i]][o]) {
                sw_buffer_add_text(out, some++ ? ", " : " ");
                number(out, scan->all.tables[ids[i]][o]);
                sw_buffer_printf(out, " %s%s", names[o], scan->all.tables[ids[i]][o] == 1 ? "" : "s");
            }
        sw_buffer_add_byte(out, '\n');
    }
    more(out, count, 2 * LISTED);
    sw_free(ids);
}

struct shown_tables {
    struct sw_buffer *out;
    unsigned count;
};

static void take_table(struct sw_bytes table, void *ctx)
{
    struct shown_tables *shown = ctx;
    sw_buffer_add_text(shown->out, shown->count++ ? ", " : "; tables with events on both sides: ");
    show(shown->out, table.len ? table : SW_BYTES_LITERAL("(unnamed)"));
}

static void show_gaps(struct sw_buffer *out, const struct sw_scan_report *scan)
{
    for (uint32_t i = 0; i < scan->gaps_listed && i < LISTED; i++) {
        const struct sw_log_gap *gap = &scan->gaps[i];
        if (!i)
            sw_buffer_add_text(out, "\ngaps\n");
        sw_buffer_add_text(out, "  - ");
        if (*gap->space_text && scan->run->reading.order != &sw_order_mysql_gtid) {
            show_text(out, gap->space_text);
            sw_buffer_add_byte(out, ' ');
        }
        if (gap->count != 1) {
            sw_buffer_add_byte(out, gap->from_included ? '[' : '(');
            show_text(out, gap->from);
            sw_buffer_add_text(out, ", ");
            show_text(out, gap->to ? gap->to : "not known");
            sw_buffer_add_byte(out, gap->to_included ? ']' : ')');
        } else {
            show_text(out, gap->from);
        }
        if (gap->count > 1) {
            sw_buffer_add_text(out, ", ");
            number(out, gap->count);
            sw_buffer_add_text(out, " of them");
        }
        sw_buffer_add_text(out, gap->discarded ? ": discarded at the source" : ": not seen");
        if (gap->before_all && gap->after_all)
            sw_buffer_add_text(out, "; nothing of this space is in evidence");
        else if (gap->before_all || gap->after_all)
            sw_buffer_printf(out, ", %s all events", gap->before_all ? "before" : "after");
        struct shown_tables shown = {out, 0};
        uint32_t around = sw_log_tables_around(scan, gap, LISTED, take_table, &shown);
        out->failed |= around == UINT32_MAX;
        if (around > LISTED)
            sw_buffer_printf(out, " and %u more", around - LISTED);
        sw_buffer_add_byte(out, '\n');
    }
    more(out, scan->gap_count, LISTED);
}

static void show_transactions(struct sw_buffer *out, const struct sw_scan_report *scan)
{
    static const char *const what[] = {[SW_MEMBERS_COMPLETE] = "complete by their own count", [SW_MEMBERS_ELSEWHERE] = "complete in these tables, with events in others", [SW_MEMBERS_NO_END] = "without an END record",
                                       [SW_MEMBERS_MISSING] = "with events missing", [SW_MEMBERS_SURPLUS] = "with more events than counted"};
    bool some = false;
    for (int i = 0; i < SW_MEMBERS_VERDICTS; i++)
        if (scan->members.verdicts[i]) {
            sw_buffer_add_text(out, some ? "" : "\ntransactions\n");
            sw_buffer_add_text(out, "  - ");
            number(out, scan->members.verdicts[i]);
            sw_buffer_printf(out, " %s\n", what[i]);
            some = true;
        }
    for (uint32_t i = 0; i < scan->members.listed_count && i < LISTED; i++) {
        const struct sw_member_transaction *each = &scan->members.listed[i];
        sw_buffer_add_text(out, "  - ");
        place(out, scan, each->input, each->block, each->line);
        sw_buffer_printf(out, ": %llu of %llu events of its transaction\n", (unsigned long long)each->events, (unsigned long long)each->counted);
    }
    for (size_t i = 0; i < scan->open_count && i < LISTED; i++) {
        sw_buffer_add_text(out, some ? "" : "\ntransactions\n");
        some = true;
        sw_buffer_add_text(out, "  - ");
        place(out, scan, scan->open[i].input, scan->open[i].from_block, scan->open[i].from_line);
        sw_buffer_add_text(out, ": begins a transaction without a commit\n");
    }
    more(out, scan->open_count, LISTED);
}

static void show_arrival(struct sw_buffer *out, const struct sw_scan_report *scan)
{
    const struct sw_log_stretch *total = &scan->total;
    for (uint32_t i = 0; i < total->steps_listed && i < LISTED; i++) {
        const struct sw_log_step *step = &total->steps[i];
        if (!i)
            sw_buffer_add_text(out, "\npositions that go back\n");
        sw_buffer_add_text(out, "  - ");
        place(out, scan, step->to.input, step->to.block, step->to.line);
        sw_buffer_add_text(out, ": ");
        position(out, scan, step->space, &step->to);
        time_after(out, &step->to);
        sw_buffer_add_text(out, " after ");
        position(out, scan, step->space, &step->from);
        time_after(out, &step->from);
        sw_buffer_add_text(out, step->later ? ": positions begin anew?\n" : "\n");
    }
    more(out, total->step_count, LISTED);
    if (sw_log_is_parallel(scan->run->reading.order))
        return;
    for (uint32_t i = 0; i < total->changes_listed && i < LISTED; i++) {
        if (!i)
            sw_buffer_add_text(out, "\nchanges of space\n");
        sw_buffer_add_text(out, "  - ");
        place(out, scan, total->changes[i].input, total->changes[i].block, total->changes[i].line);
        sw_buffer_add_text(out, ": ");
        show(out, sw_spaces_text(scan->run->reading.spaces, total->changes[i].from));
        sw_buffer_add_text(out, " to ");
        show(out, sw_spaces_text(scan->run->reading.spaces, total->changes[i].to));
        sw_buffer_add_byte(out, '\n');
    }
    more(out, total->change_count, LISTED);
}

static void show_sets(struct sw_buffer *out, const struct sw_scan_report *scan)
{
    const struct { const char *name, *value; } sets[] = {{"seen", scan->gtids.seen}, {"after", scan->after}, {"executed", scan->executed}, {"missing", scan->gtids.missing}, {"discarded", scan->gtids.discarded}};
    for (size_t i = 0; scan->gtids.seen && i < sizeof sets / sizeof *sets; i++)
        if (sets[i].value && (*sets[i].value || i < 4)) {
            label(out, sets[i].name);
            show_text(out, *sets[i].value ? sets[i].value : "{}");
            sw_buffer_add_byte(out, '\n');
        }
}

static void show_bad(struct sw_buffer *out, const struct sw_report *report)
{
    for (uint32_t i = 0; i < report->bad_listed && i < LISTED; i++) {
        sw_buffer_add_text(out, i ? "" : "\nbad records\n");
        sw_buffer_add_text(out, "  - ");
        show_text(out, report->inputs[report->bad[i].place.input].locator);
        sw_buffer_printf(out, ":%llu: ", (unsigned long long)report->bad[i].place.line);
        show_text(out, report->bad[i].text);
        sw_buffer_add_byte(out, '\n');
    }
    more(out, report->bad_count, LISTED);
}

static void texts(struct sw_buffer *out, const char *title, char *const *list, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!i)
            sw_buffer_printf(out, "\n%s\n", title);
        sw_buffer_printf(out, "  - %s\n", list[i]);
    }
}

enum sw_code sw_scan_write_text(const struct sw_scan_report *scan, sw_write_fn write, void *ctx, struct sw_error *error)
{
    struct sw_buffer out = {0};
    const struct sw_report *report = &scan->run->report;
    sw_buffer_printf(&out, "%s\n", sw_continuity_name(scan->verdict));
    for (const char *text = NULL; (text = sw_sentences_next(&scan->reasons, text));)
        sw_buffer_printf(&out, "  %s\n", text);
    if (scan->claim)
        sw_buffer_printf(&out, "\nwhat may be said\n  - %s\n", scan->claim);
    list(&out, "what follows", &scan->obligations, true); /* what to do stands before what it rests on */
    sw_buffer_add_byte(&out, '\n');
    show_read(&out, scan);
    show_sets(&out, scan);
    show_gaps(&out, scan);
    show_spaces(&out, scan);
    show_tables(&out, scan);
    show_transactions(&out, scan);
    show_arrival(&out, scan);
    show_bad(&out, report);
    list(&out, "proofs", &scan->proofs, false);
    texts(&out, "assumed", report->assumed, report->assumed_count);
    texts(&out, "notes", report->notes, report->note_count);
    list(&out, "what this does not show", &scan->limits, false);
    return sw_continuity_hand_over(&out, write, ctx, error);
}
