/* One finding: its key and reason, its sentence, and the rows of all sides beside each other, column by column. */
#include "case/page/findings.h"

#include "text/json_document.h"
#include "text/json_walk.h"

#define COLUMNS_MAX 64u  /* wider rows show the columns that differ only */
#define PLACES_MAX 16u
#define MARK_DIFFERS "<span class=\"mark\">\xe2\x89\xa0<span class=\"unseen\"> differs: </span></span> " /* the sign, and what is read aloud */

enum side { SIDE_STATE, SIDE_OTHER, SIDE_EXPECTED, SIDE_COUNT };
static const char *const side_members[SIDE_COUNT] = {"state", "other", "expected"};

struct finding_row {
    struct sw_bytes name;               /* raw: JSON's escapes still in it. `at` NULL: the value of a single unnamed column */
    struct sw_token values[SIDE_COUNT];
    bool differs, unknown;
};

struct finding_view {
    struct sw_token root, sides[SIDE_COUNT];
    bool there[SIDE_COUNT];             /* the side has a column of its own */
    struct finding_row rows[COLUMNS_MAX];
    size_t row_count;
    uint64_t left_out;                  /* columns */
    struct sw_buffer text;              /* scratch */
};

static struct sw_bytes token_bytes(struct sw_token token) { return sw_bytes_of(token.at, token.len); }

/* A value as the JSON that it is. */
static void write_json(struct sw_page *page, struct finding_view *view, struct sw_token token)
{
    sw_buffer_clear(&view->text);
    sw_json_walk_write(&view->text, token);
    page->output.buffer.failed |= view->text.failed;
    sw_page_value(page, sw_buffer_view(&view->text));
}

/* A text without its quotes; what is no text, as the JSON that it is. */
static void write_plain(struct sw_page *page, struct finding_view *view, struct sw_token token)
{
    sw_buffer_clear(&view->text);
    if (token.kind == SW_TOKEN_TEXT)
        sw_json_unescape_add(&view->text, token_bytes(token));
    else
        sw_json_walk_write(&view->text, token);
    page->output.buffer.failed |= view->text.failed;
    sw_page_text(page, sw_buffer_view(&view->text));
}

static struct finding_row *row_named(struct finding_view *view, struct sw_bytes name)
{
    for (size_t i = 0; i < view->row_count; i++)
        if (sw_bytes_equal(view->rows[i].name, name))
            return &view->rows[i];
    return NULL;
}

static struct finding_row *row_add(struct finding_view *view, struct sw_bytes name)
{
    struct finding_row *row = row_named(view, name);
    if (row)
        return row;
    if (view->row_count == COLUMNS_MAX) {
        view->left_out++;
        return NULL;
    }
    row = &view->rows[view->row_count++];
    *row = (struct finding_row){.name = name};
    return row;
}

static size_t member_count(struct sw_token object)
{
    size_t count = 0;
    for (struct sw_document_items items = sw_document_items(object); sw_document_next(&items);)
        count++;
    return count;
}

/* The columns that the finding itself names as different: rows, with what they hold on each side. */
static void take_differing(struct finding_view *view)
{
    for (struct sw_document_items items = sw_document_items(sw_document_member(view->root, "columns")); sw_document_next(&items);) {
        struct sw_token name = sw_document_member(items.value, "name");
        struct finding_row *row = name.kind == SW_TOKEN_TEXT ? row_add(view, token_bytes(name)) : NULL;
        if (!row)
            continue;
        row->differs = true;
        for (int side = 0; side < SIDE_COUNT; side++)
            row->values[side] = sw_document_member(items.value, side_members[side]);
    }
}

static void take_unknown(struct finding_view *view, const char *member)
{
    for (struct sw_document_items items = sw_document_items(sw_document_member(view->root, member)); sw_document_next(&items);) {
        struct finding_row *row = items.value.kind == SW_TOKEN_TEXT ? row_add(view, token_bytes(items.value)) : NULL;
        if (row)
            row->unknown = true;
    }
}

/* All columns of one side. */
static void take_side(struct finding_view *view, int side)
{
    struct sw_token value = sw_document_member(view->sides[side], "value");
    if (value.kind != SW_TOKEN_OBJECT) {
        bool deleted = sw_document_member(view->sides[side], "deleted").kind == SW_TOKEN_TRUE; /* its null is no value */
        struct finding_row *row = value.kind == SW_TOKEN_ABSENT || (value.kind == SW_TOKEN_NULL && (view->row_count || deleted)) ? NULL : row_add(view, (struct sw_bytes){NULL, 0});
        if (row)
            row->values[side] = value;
        return;
    }
    for (struct sw_document_items items = sw_document_items(value); sw_document_next(&items);) {
        struct finding_row *row = row_add(view, items.name);
        if (row)
            row->values[side] = items.value;
    }
}

static bool same(struct sw_token a, struct sw_token b) { return a.kind == b.kind && sw_bytes_equal(token_bytes(a), token_bytes(b)); }

/* Of a bare value no list says that it differs. */
static void mark_bare(struct finding_view *view)
{
    struct finding_row *row = row_named(view, (struct sw_bytes){NULL, 0});
    int against = view->there[SIDE_OTHER] ? SIDE_OTHER : SIDE_EXPECTED;
    if (row && view->sides[SIDE_STATE].kind == SW_TOKEN_OBJECT && view->sides[against].kind == SW_TOKEN_OBJECT)
        row->differs |= !same(row->values[SIDE_STATE], row->values[against]);
}

static void gather(struct finding_view *view)
{
    size_t columns = 0;
    for (int side = 0; side < SIDE_COUNT; side++) {
        view->sides[side] = sw_document_member(view->root, side_members[side]);
        view->there[side] = side != SIDE_OTHER || view->sides[side].kind == SW_TOKEN_OBJECT;
        size_t count = member_count(sw_document_member(view->sides[side], "value"));
        columns = count > columns ? count : columns;
    }
    take_differing(view);
    take_unknown(view, "unknownColumns");
    take_unknown(view, "notComparable");
    if (columns > COLUMNS_MAX) {
        view->left_out = columns > view->row_count ? columns - view->row_count : 0;
        return;
    }
    for (int side = 0; side < SIDE_COUNT; side++)
        take_side(view, side);
    mark_bare(view);
}

static const char *side_title(const struct finding_view *view, int side)
{
    if (side == SIDE_EXPECTED)
        return "Destination";
    return !view->there[SIDE_OTHER] ? "Evidence" : side == SIDE_STATE ? "Evidence, one content" : "Evidence, other content";
}

static void write_cell(struct sw_page *page, struct finding_view *view, struct sw_token value, int side)
{
    sw_page_add(page, "<td>");
    if (value.kind != SW_TOKEN_ABSENT)
        write_json(page, view, value);
    else if (view->sides[side].kind != SW_TOKEN_OBJECT)
        sw_page_add(page, "<span class=\"none\">no row</span>");
    else
        sw_page_printf(page, "<span class=\"none\">%s</span>", sw_document_member(view->sides[side], "deleted").kind == SW_TOKEN_TRUE ? "deleted" : "no value");
    sw_page_add(page, "</td>");
}

/* Version, space and deletion: what a row has besides its columns. */
static void write_attribute(struct sw_page *page, struct finding_view *view, const char *member)
{
    struct sw_token values[SIDE_COUNT];
    bool any = false, differs = false, deleted = false;
    for (int side = 0; side < SIDE_COUNT; side++) {
        values[side] = sw_document_member(view->sides[side], member);
        any |= values[side].kind != SW_TOKEN_ABSENT;
        deleted |= values[side].kind == SW_TOKEN_TRUE;
    }
    bool flag = values[SIDE_STATE].kind == SW_TOKEN_FALSE || values[SIDE_STATE].kind == SW_TOKEN_TRUE || values[SIDE_EXPECTED].kind == SW_TOKEN_FALSE;
    if (!any || (flag && !deleted))
        return;
    if (values[SIDE_STATE].kind != SW_TOKEN_ABSENT && values[SIDE_EXPECTED].kind != SW_TOKEN_ABSENT)
        differs = !same(values[SIDE_STATE], values[SIDE_EXPECTED]);
    sw_page_printf(page, "<tr class=\"attribute%s\"><th scope=\"row\">%s%s</th>", differs ? " differs" : "", differs ? MARK_DIFFERS : "", member);
    for (int side = 0; side < SIDE_COUNT; side++)
        if (view->there[side])
            write_cell(page, view, values[side], side);
    sw_page_add(page, "</tr>\n");
}

static void write_row(struct sw_page *page, struct finding_view *view, const struct finding_row *row)
{
    sw_page_printf(page, "<tr%s><th scope=\"row\">", row->differs ? " class=\"differs\"" : row->unknown ? " class=\"unknown\"" : "");
    if (row->differs)
        sw_page_add(page, MARK_DIFFERS);
    else if (row->unknown)
        sw_page_add(page, "<span class=\"mark\">?<span class=\"unseen\"> not compared: </span></span> ");
    if (row->name.at)
        write_plain(page, view, (struct sw_token){.at = row->name.at, .len = (uint32_t)row->name.len, .kind = SW_TOKEN_TEXT});
    else
        sw_page_add(page, "value");
    sw_page_add(page, "</th>");
    for (int side = 0; side < SIDE_COUNT; side++)
        if (view->there[side])
            write_cell(page, view, row->values[side], side);
    sw_page_add(page, "</tr>\n");
}

static void write_sides(struct sw_page *page, struct finding_view *view)
{
    sw_page_add(page, "<div class=\"wide\"><table class=\"sides\">\n<thead><tr><th scope=\"col\">Column</th>");
    for (int side = 0; side < SIDE_COUNT; side++)
        if (view->there[side])
            sw_page_printf(page, "<th scope=\"col\">%s</th>", side_title(view, side));
    sw_page_add(page, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < view->row_count; i++)
        write_row(page, view, &view->rows[i]);
    write_attribute(page, view, "space");
    write_attribute(page, view, "version");
    write_attribute(page, view, "deleted");
    sw_page_add(page, "</tbody></table></div>\n");
    if (view->left_out) {
        sw_page_add(page, "<p class=\"none\">");
        sw_page_count(page, view->left_out);
        sw_page_add(page, " more columns do not stand here.</p>\n");
    }
}

static void write_places(struct sw_page *page, struct finding_view *view)
{
    size_t count = 0;
    for (struct sw_document_items items = sw_document_items(sw_document_member(view->root, "records")); count < PLACES_MAX && sw_document_next(&items); count++) {
        sw_page_add(page, count ? ", " : "<p class=\"detail\">from ");
        write_plain(page, view, items.value);
    }
    struct sw_token more = sw_document_member(view->root, "moreRecords");
    if (count && more.kind != SW_TOKEN_ABSENT) {
        sw_page_add(page, " and ");
        write_plain(page, view, more);
        sw_page_add(page, " more");
    }
    if (count)
        sw_page_add(page, "</p>\n");
}

/* An attribute that the page's filters look at. */
static void write_data(struct sw_page *page, struct finding_view *view, const char *attribute, const char *member)
{
    sw_page_printf(page, " data-%s=\"", attribute);
    struct sw_token token = sw_document_member(view->root, member);
    if (token.kind != SW_TOKEN_ABSENT)
        write_plain(page, view, token);
    sw_page_add(page, "\"");
}

static void write_read(struct sw_page *page, struct finding_view *view)
{
    gather(view);
    sw_page_add(page, "<article class=\"finding\"");
    write_data(page, view, "reason", "reason");
    write_data(page, view, "table", "table");
    sw_page_add(page, ">\n<h3>");
    struct sw_token table = sw_document_member(view->root, "table");
    if (table.kind != SW_TOKEN_ABSENT) {
        write_plain(page, view, table);
        sw_page_add(page, " ");
    }
    write_json(page, view, sw_document_member(view->root, "key"));
    sw_page_add(page, " <span class=\"tag\">");
    write_plain(page, view, sw_document_member(view->root, "reason"));
    sw_page_add(page, "</span></h3>\n<p>");
    write_plain(page, view, sw_document_member(view->root, "sentence"));
    sw_page_add(page, "</p>\n");
    write_sides(page, view);
    write_places(page, view);
    sw_page_add(page, "</article>\n");
}

static void write_unreadable(struct sw_page *page, struct sw_bytes file, uint64_t line, const struct sw_error *problem)
{
    sw_page_add(page, "<article class=\"finding unreadable\" data-reason=\"unreadable\" data-table=\"\">\n<h3>");
    if (file.len) {
        sw_page_text(page, file);
        sw_page_printf(page, ", line %llu: ", (unsigned long long)line);
    } else {
        sw_page_printf(page, "A report\xe2\x80\x99s finding %llu: ", (unsigned long long)line);
    }
    sw_page_add(page, "cannot be read</h3>\n<p>");
    sw_page_string(page, problem->text[0] ? problem->text : "it is no JSON object");
    sw_page_add(page, "</p>\n</article>\n");
}

void sw_page_write_finding(struct sw_page *page, struct sw_bytes json, struct sw_bytes file, uint64_t line)
{
    struct sw_document document = {0};
    struct sw_error problem = {0};
    enum sw_code code = sw_document_read(&document, json, "the finding", &problem);
    if (code == SW_ERR_MEMORY) {
        page->output.buffer.failed = true;
    } else if (code < 0 || document.root.kind != SW_TOKEN_OBJECT) {
        write_unreadable(page, file, line, &problem);
    } else {
        struct finding_view view = {.root = document.root};
        write_read(page, &view);
        sw_buffer_free(&view.text);
    }
    sw_document_free(&document);
}
