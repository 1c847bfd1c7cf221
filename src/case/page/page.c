/* The page as a whole: head, parts in their order, end. */
#include "case/page/page.h"

#include "case/page/page_assets.h"

static void add_asset(struct sw_page *page, const char *bytes, size_t len) { sw_buffer_add(&page->output.buffer, bytes, len); }

static void write_head(struct sw_page *page)
{
    sw_page_add(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                      /* nothing is loaded, nothing runs but the one script, and no form or base can lead away */
                      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; style-src '" SW_PAGE_STYLE_DIGEST
                      "'; script-src '" SW_PAGE_SCRIPT_DIGEST "'; form-action 'none'; base-uri 'none'\">\n"
                      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
                      "<meta name=\"color-scheme\" content=\"light dark\">\n<link rel=\"icon\" href=\"data:,\">\n<title>Handover: ");
    sw_page_text_or(page, page->note->title, "incident without a title");
    sw_page_add(page, "</title>\n<style>");
    add_asset(page, sw_page_style, sizeof sw_page_style);
    sw_page_add(page, "</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#content\">Skip to the verdicts</a>\n");
}

static void write_heading(struct sw_page *page)
{
    const struct sw_handover_note *note = page->note;
    sw_page_add(page, "<header>\n<p class=\"kind\">Handover note");
    if (note->incident.len) {
        sw_page_add(page, " \xc2\xb7 ");
        sw_page_text(page, note->incident);
    }
    sw_page_add(page, "</p>\n<h1>");
    sw_page_text_or(page, note->title, "An incident without a title");
    sw_page_add(page, "</h1>\n<p class=\"headline\">");
    sw_page_text(page, note->headline);
    sw_page_add(page, "</p>\n<p class=\"when\">Began ");
    sw_page_time(page, note->started_at, "at a time that is not recorded");
    sw_page_add(page, " \xc2\xb7 written ");
    sw_page_time(page, note->written_at, "at a time that is not recorded");
    sw_page_add(page, " by ");
    sw_page_text_or(page, note->tool, "an unnamed tool");
    sw_page_add(page, "</p>\n</header>\n<main id=\"content\">\n");
}

/* Title of a section and one row of names for its table. */
static void begin_table(struct sw_page *page, const char *id, const char *title, const char *columns)
{
    sw_page_printf(page, "<section aria-labelledby=\"%s\">\n<h2 id=\"%s\">%s</h2>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-labelledby=\"%s\">"
                         "<table>\n<thead><tr>", id, id, title, id);
    sw_page_add(page, columns);
    sw_page_add(page, "</tr></thead>\n<tbody>\n");
}

static void end_table(struct sw_page *page) { sw_page_add(page, "</tbody></table></div>\n</section>\n"); }

static void cells(struct sw_page *page, const struct sw_bytes *texts, size_t count)
{
    sw_page_add(page, "<tr>");
    for (size_t i = 0; i < count; i++) {
        sw_page_add(page, "<td>");
        sw_page_text_or(page, texts[i], "not recorded");
        sw_page_add(page, "</td>");
    }
    sw_page_add(page, "</tr>\n");
}

static void write_declared(struct sw_page *page)
{
    const struct sw_handover_note *note = page->note;
    if (note->skipped_count) {
        begin_table(page, "skipped", "Skipped intervals", "<th scope=\"col\">From</th><th scope=\"col\">To</th><th scope=\"col\">Plan</th>"
                    "<th scope=\"col\">Owner</th><th scope=\"col\">Status</th>");
        for (size_t i = 0; i < note->skipped_count; i++) {
            const struct sw_note_skipped *skipped = &note->skipped[i];
            cells(page, (struct sw_bytes[]){skipped->from, skipped->to, skipped->plan, skipped->owner, skipped->status}, 5);
        }
        end_table(page);
    }
    if (note->exception_count) {
        begin_table(page, "exceptions", "Exceptions", "<th scope=\"col\">What</th><th scope=\"col\">Why</th><th scope=\"col\">Approved by</th><th scope=\"col\">Until</th>");
        for (size_t i = 0; i < note->exception_count; i++) {
            const struct sw_note_exception *exception = &note->exceptions[i];
            cells(page, (struct sw_bytes[]){exception->what, exception->reason, exception->approved_by, exception->until}, 4);
        }
        end_table(page);
    }
    if (note->resource_count) {
        begin_table(page, "resources", "Restoration resources", "<th scope=\"col\">Name</th><th scope=\"col\">What it is</th><th scope=\"col\">Valid until</th>"
                    "<th scope=\"col\">Region</th><th scope=\"col\">Version</th>");
        for (size_t i = 0; i < note->resource_count; i++) {
            const struct sw_note_resource *resource = &note->resources[i];
            cells(page, (struct sw_bytes[]){resource->name, resource->what, resource->valid_until, resource->region, resource->version}, 5);
        }
        end_table(page);
    }
}

static void write_end(struct sw_page *page)
{
    const struct sw_handover_note *note = page->note;
    sw_page_add(page, "<section aria-labelledby=\"check\">\n<h2 id=\"check\">How to check this note</h2>\n<dl>\n");
    sw_page_add(page, "<dt>Ledger</dt><dd>");
    sw_page_count(page, note->ledger_length);
    sw_page_add(page, note->ledger_length == 1 ? " entry, head <code>" : " entries, head <code>");
    sw_page_text_or(page, note->head, "none: the ledger is empty");
    sw_page_add(page, "</code></dd>\n<dt>Verify</dt><dd><code>");
    sw_page_text_or(page, note->verify_command, "no command is recorded");
    sw_page_add(page, "</code></dd>\n</dl>\n<h3>Versions</h3>\n");
    sw_page_list(page, &note->versions, SIZE_MAX - 1, "No version is recorded.");
    sw_page_add(page, "</section>\n</main>\n<script>");
    add_asset(page, sw_page_script, sizeof sw_page_script);
    sw_page_add(page, "</script>\n</body>\n</html>\n");
}

enum sw_code sw_handover_note_write_html(const struct sw_handover_note *note, sw_write_fn write, void *ctx, struct sw_error *error)
{
    struct sw_page page = {.note = note, .output = {.write = write, .ctx = ctx, .error = error}};
    write_head(&page);
    write_heading(&page);
    sw_page_write_claims(&page);
    sw_page_write_boundaries(&page);
    sw_page_write_timeline(&page);
    sw_page_write_charts(&page);
    sw_page_write_findings(&page);
    write_declared(&page);
    sw_page_write_rules(&page);
    sw_page_write_evidence(&page);
    write_end(&page);
    enum sw_code code = sw_output_flush(&page.output);
    sw_output_free(&page.output);
    sw_buffer_free(&page.shown);
    return code;
}
