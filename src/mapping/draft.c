#include "mapping/draft.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/memory.h"
#include "slackwater/names.h"
#include "text/json_write.h"

void *sw_mapping_alloc(struct sw_mapping_block **list, size_t size)
{
    size_t total;
    if (__builtin_add_overflow(size, sizeof(struct sw_mapping_block), &total))
        return NULL;
    struct sw_mapping_block *block = sw_calloc(1, total);
    if (!block)
        return NULL;
    block->next = *list;
    *list = block;
    return block->at;
}

char *sw_mapping_text(struct sw_mapping_block **list, const char *text, size_t len)
{
    char *copy = sw_mapping_alloc(list, len + 1);
    if (copy && len)
        memcpy(copy, text, len);
    return copy;
}

void sw_mapping_release(struct sw_mapping_block **list)
{
    while (*list) {
        struct sw_mapping_block *next = (*list)->next;
        sw_free(*list);
        *list = next;
    }
}

enum sw_code sw_draft_refuse(struct sw_draft *draft, const struct sw_spot *spot, const char *format, ...)
{
    char text[SW_ERROR_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sw_fail(draft->error, SW_ERR_USAGE, "%s: %s", spot->thing, text);
    if (spot->file)
        sw_error_place(draft->error, spot->file, spot->line, spot->column, UINT64_MAX);
    return SW_ERR_USAGE;
}

enum sw_code sw_draft_no_memory(struct sw_draft *draft) { return sw_fail(draft->error, SW_ERR_MEMORY, "out of memory while the mapping was read"); }

/* The length of the longest beginning of at most `room` bytes that ends with a whole character. */
static size_t whole_characters(struct sw_bytes text, size_t room)
{
    size_t len = text.len < room ? text.len : room;
    if (len < text.len)
        while (len && (text.at[len] & 0xc0) == 0x80)
            len--;
    return len;
}

struct sw_shown sw_shown_bytes(struct sw_bytes text)
{
    enum { ROOM = 60 };
    struct sw_shown shown = {{0}};
    struct sw_buffer escaped = {0};
    size_t taken = whole_characters(text, ROOM);
    sw_json_write_text_inside(&escaped, sw_bytes_of(text.at, taken));
    size_t len = whole_characters(sw_buffer_view(&escaped), ROOM);
    if (len)
        memcpy(shown.text, escaped.at, len);
    if (taken < text.len || len < escaped.len)
        memcpy(shown.text + len, "…", sizeof "…");
    sw_buffer_free(&escaped);
    return shown;
}

struct sw_shown sw_shown(const char *text) { return sw_shown_bytes(sw_bytes_text(text)); }

struct sw_shown sw_meant(const char *text, const char *const *names, size_t count)
{
    struct sw_shown meant = {{0}};
    const char *name = sw_nearest_name(text, names, count);
    if (name)
        snprintf(meant.text, sizeof meant.text, "; did you mean '%s'?", name);
    return meant;
}

enum sw_code sw_draft_text(char **out, struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text)
{
    if (text.len == 0)
        return sw_draft_refuse(draft, spot, "expected a text, found an empty one");
    if (memchr(text.at, '\0', text.len))
        return sw_draft_refuse(draft, spot, "expected a text without NUL, found '%s'", sw_shown_bytes(text).text);
    char *copy = sw_mapping_text(&draft->mapping->memory, (const char *)text.at, text.len);
    if (!copy)
        return sw_draft_no_memory(draft);
    *out = copy;
    return SW_OK;
}

enum sw_code sw_draft_path(struct sw_path *out, struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text)
{
    const char *problem;
    char *room = sw_mapping_alloc(&draft->mapping->memory, text.len + SW_PATH_STEPS_MAX);
    if (!room)
        return sw_draft_no_memory(draft);
    if (!sw_path_parse(out, text, room, &problem))
        return sw_draft_refuse(draft, spot, "expected a path such as source.pos, found '%s': %s", sw_shown_bytes(text).text, problem);
    return SW_OK;
}

enum sw_code sw_draft_part(struct sw_draft *draft, struct sw_layout_draft *layout, enum sw_part part, const struct sw_spot *spot, struct sw_bytes text)
{
    layout->part_spots[part] = *spot;
    if (part == SW_PART_DELETED) { /* set:PATH, as of expected_deletes */
        layout->deleted_when_set = text.len > 4 && memcmp(text.at, "set:", 4) == 0;
        if (layout->deleted_when_set)
            text = sw_bytes_of(text.at + 4, text.len - 4);
    }
    return sw_draft_path(&layout->parts[part], draft, spot, text);
}

enum sw_code sw_draft_version(struct sw_draft *draft, struct sw_layout_draft *layout, const struct sw_spot *spot, struct sw_bytes text)
{
    static char version[] = "version";
    layout->order_names[0] = version;
    layout->order_count = 1;
    layout->order_spot = *spot;
    return sw_draft_path(&layout->order[0], draft, spot, text);
}

enum sw_code sw_draft_key_add(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes name)
{
    struct sw_mapping *mapping = draft->mapping;
    for (size_t i = 0; i < mapping->key_count; i++)
        if (sw_bytes_is(name, mapping->keys[i]))
            return sw_draft_refuse(draft, spot, "column '%s' stands twice", sw_shown_bytes(name).text);
    if (mapping->key_count == SW_KEY_COLUMNS_MAX)
        return sw_draft_refuse(draft, spot, "expected at most %d key columns, found more", SW_KEY_COLUMNS_MAX);
    draft->key_spot = *spot;
    enum sw_code code = sw_draft_text(&mapping->keys[mapping->key_count], draft, spot, name);
    if (code == SW_OK)
        mapping->key_count++;
    return code;
}

enum sw_code sw_draft_identity_add(struct sw_draft *draft, struct sw_layout_draft *layout, const struct sw_spot *spot, struct sw_bytes text)
{
    struct sw_path path;
    enum sw_code code = sw_draft_path(&path, draft, spot, text);
    if (code < 0)
        return code;
    for (size_t i = 0; i < layout->identity_count; i++)
        if (sw_path_equal(&path, &layout->identity[i]))
            return sw_draft_refuse(draft, spot, "'%s' stands twice", sw_shown_bytes(text).text);
    if (layout->identity_count == SW_IDENTITY_PARTS_MAX)
        return sw_draft_refuse(draft, spot, "expected at most %d parts, found more", SW_IDENTITY_PARTS_MAX);
    layout->identity[layout->identity_count++] = path;
    return SW_OK;
}

static struct sw_column_draft *column_add(struct sw_draft *draft)
{
    if (draft->column_count == draft->column_capacity) {
        size_t capacity = draft->column_capacity ? draft->column_capacity * 2 : 16;
        struct sw_column_draft *columns = sw_realloc_array(draft->columns, capacity, sizeof *columns);
        if (!columns)
            return NULL;
        draft->columns = columns;
        draft->column_capacity = capacity;
    }
    draft->columns[draft->column_count] = (struct sw_column_draft){0};
    return &draft->columns[draft->column_count++];
}

enum sw_code sw_draft_type(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes column, struct sw_bytes type)
{
    struct sw_column_draft *added = column_add(draft);
    if (!added)
        return sw_draft_no_memory(draft);
    added->spot = *spot;
    added->has_type = true;
    added->of_table = draft->in_table;
    enum sw_code code = sw_draft_text(&added->column, draft, spot, column);
    if (code < 0)
        return code;
    struct sw_error error = {0};
    code = sw_type_parse(&added->type, type, &error);
    if (code == SW_OK)
        return SW_OK;
    sw_fail(draft->error, code, "%s: column '%s': %s", spot->thing, sw_shown_bytes(column).text, error.text);
    if (spot->file)
        sw_error_place(draft->error, spot->file, spot->line, spot->column, UINT64_MAX);
    return code;
}

enum sw_code sw_draft_ignore(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes column)
{
    struct sw_column_draft *added = column_add(draft);
    if (!added)
        return sw_draft_no_memory(draft);
    added->spot = *spot;
    added->ignored = true;
    return sw_draft_text(&added->column, draft, spot, column);
}

enum sw_code sw_draft_rename(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes from, struct sw_bytes to, unsigned roles, bool in_section)
{
    if (sw_bytes_equal(from, to))
        return sw_draft_refuse(draft, spot, "column '%s' is renamed to itself", sw_shown_bytes(from).text);
    if (draft->rename_count == draft->rename_capacity) {
        size_t capacity = draft->rename_capacity ? draft->rename_capacity * 2 : 16;
        struct sw_rename_draft *renames = sw_realloc_array(draft->renames, capacity, sizeof *renames);
        if (!renames)
            return sw_draft_no_memory(draft);
        draft->renames = renames;
        draft->rename_capacity = capacity;
    }
    struct sw_rename_draft *added = &draft->renames[draft->rename_count++];
    *added = (struct sw_rename_draft){.roles = roles, .rank = !spot->file ? 2 : in_section || draft->in_table, .spot = *spot};
    enum sw_code code = sw_draft_text(&added->from, draft, spot, from);
    return code < 0 ? code : sw_draft_text(&added->to, draft, spot, to);
}

/* Takes the next item of "a,b" off `rest`; `\,` is a comma inside a name. */
static enum sw_code next_item(struct sw_bytes *item, struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes *rest, bool *more)
{
    char *text = sw_mapping_alloc(&draft->scratch, rest->len + 1);
    size_t len = 0, at = 0;
    if (!text)
        return sw_draft_no_memory(draft);
    for (; at < rest->len && rest->at[at] != ','; at++) {
        if (rest->at[at] == '\\' && at + 1 < rest->len && rest->at[at + 1] == ',')
            at++;
        text[len++] = (char)rest->at[at];
    }
    *more = at < rest->len;
    *rest = sw_bytes_of(rest->at + at + *more, rest->len - at - *more);
    *item = sw_bytes_of(text, len);
    return len ? SW_OK : sw_draft_refuse(draft, spot, "expected names with commas between them, found an empty name");
}

enum sw_code sw_draft_each_item(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes list, sw_item_fn take)
{
    struct sw_bytes rest = list, item;
    enum sw_code code;
    bool more;
    do {
        if ((code = next_item(&item, draft, spot, &rest, &more)) < 0 || (code = take(draft, spot, item)) < 0)
            return code;
    } while (more);
    return SW_OK;
}

enum sw_code sw_draft_space_add(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes space)
{
    struct sw_mapping *mapping = draft->mapping;
    enum { SPACES_MAX = 64 };
    if (!mapping->spaces) {
        mapping->spaces = sw_mapping_alloc(&mapping->memory, SPACES_MAX * sizeof *mapping->spaces);
        if (!mapping->spaces)
            return sw_draft_no_memory(draft);
    }
    for (size_t i = 0; i < mapping->space_count; i++)
        if (sw_bytes_is(space, mapping->spaces[i]))
            return sw_draft_refuse(draft, spot, "space '%s' stands twice", sw_shown_bytes(space).text);
    if (mapping->space_count == SPACES_MAX)
        return sw_draft_refuse(draft, spot, "expected at most %d spaces, found more", SPACES_MAX);
    enum sw_code code = sw_draft_text(&mapping->spaces[mapping->space_count], draft, spot, space);
    if (code == SW_OK)
        mapping->space_count++;
    return code;
}

enum sw_code sw_draft_spaces(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes list)
{
    return sw_draft_each_item(draft, spot, list, sw_draft_space_add);
}

/* The index of `text` among two words, or -1 with the message written. */
static int word(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text, const char *first, const char *second)
{
    if (sw_bytes_is(text, first))
        return 0;
    if (sw_bytes_is(text, second))
        return 1;
    struct sw_shown shown = sw_shown_bytes(text);
    const char *names[] = {first, second};
    sw_draft_refuse(draft, spot, "expected %s or %s, found '%s'%s", first, second, shown.text, sw_meant(shown.text, names, 2).text);
    return -1;
}

enum sw_code sw_draft_absent(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text)
{
    int found = word(draft, spot, text, "unknown", "null");
    draft->mapping->absent = found == 1 ? SW_ABSENT_NULL : SW_ABSENT_UNKNOWN;
    return found < 0 ? SW_ERR_USAGE : SW_OK;
}

enum sw_code sw_draft_images(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text)
{
    int found = word(draft, spot, text, "full", "partial");
    draft->mapping->images = found == 1 ? SW_IMAGES_PARTIAL : SW_IMAGES_FULL;
    return found < 0 ? SW_ERR_USAGE : SW_OK;
}

enum sw_code sw_draft_replica_identity(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text)
{
    int found = word(draft, spot, text, "default", "full");
    draft->mapping->replica_identity_full = found == 1;
    return found < 0 ? SW_ERR_USAGE : SW_OK;
}

enum sw_code sw_draft_compare(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text)
{
    int found = word(draft, spot, text, "state", "value");
    draft->mapping->compare = found == 1 ? SW_COMPARE_VALUE : SW_COMPARE_STATE;
    return found < 0 ? SW_ERR_USAGE : SW_OK;
}

/* A problem of a condition is told as one of the member or option that holds it. */
enum sw_code sw_draft_condition(struct sw_condition **out, struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text)
{
    struct sw_error problem = {0};
    struct sw_condition *condition;
    enum sw_code code = sw_condition_parse(&condition, text, &problem);
    if (code == SW_ERR_MEMORY)
        return sw_draft_no_memory(draft);
    if (code < 0)
        return sw_draft_refuse(draft, spot, "%s", problem.text);
    sw_condition_free(out);
    *out = condition;
    return SW_OK;
}

enum sw_code sw_draft_sample(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text)
{
    const char *problem;
    if (!sw_sample_part_parse(&draft->mapping->sample, text, &problem))
        return sw_draft_refuse(draft, spot, "'%s': %s", sw_shown_bytes(text).text, problem);
    return SW_OK;
}

enum sw_code sw_draft_conflicts(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text)
{
    int found = word(draft, spot, text, "any", "newest");
    draft->mapping->conflicts_newest = found == 1;
    return found < 0 ? SW_ERR_USAGE : SW_OK;
}

enum sw_code sw_draft_time_unit(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text)
{
    static const struct { const char *name; uint32_t per_second; } units[] = {{"s", 1}, {"ms", 1000}, {"us", 1000000}, {"ns", 1000000000}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (sw_bytes_is(text, units[i].name)) {
            draft->mapping->time_per_second = units[i].per_second;
            return SW_OK;
        }
    return sw_draft_refuse(draft, spot, "expected s, ms, us or ns, found '%s'", sw_shown_bytes(text).text);
}

enum sw_code sw_draft_deletes(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text)
{
    static const char *const names[] = {"tombstone", "absent", "flag:COLUMN", "set:COLUMN"};
    struct sw_mapping *mapping = draft->mapping;
    mapping->delete_flag = NULL;
    mapping->delete_when_set = false;
    if (sw_bytes_is(text, "tombstone")) {
        mapping->deletes = SW_DELETES_TOMBSTONE;
    } else if (sw_bytes_is(text, "absent")) {
        mapping->deletes = SW_DELETES_ABSENT;
    } else if (text.len > 5 && memcmp(text.at, "flag:", 5) == 0) {
        mapping->deletes = SW_DELETES_FLAG;
        return sw_draft_text(&mapping->delete_flag, draft, spot, sw_bytes_of(text.at + 5, text.len - 5));
    } else if (text.len > 4 && memcmp(text.at, "set:", 4) == 0) {
        mapping->deletes = SW_DELETES_FLAG;
        mapping->delete_when_set = true;
        return sw_draft_text(&mapping->delete_flag, draft, spot, sw_bytes_of(text.at + 4, text.len - 4));
    } else {
        struct sw_shown shown = sw_shown_bytes(text);
        return sw_draft_refuse(draft, spot, "expected tombstone, absent, flag:COLUMN or set:COLUMN, found '%s'%s", shown.text, sw_meant(shown.text, names, 4).text);
    }
    return SW_OK;
}

enum sw_code sw_draft_delimiter(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text)
{
    if (sw_bytes_is(text, "tab"))
        text = SW_BYTES_LITERAL("\t");
    /* what a field, a number or a record end may hold cannot part fields */
    if (text.len != 1 || text.at[0] >= 0x80 || text.at[0] < ' ' || text.at[0] == 0x7f || strchr("\"+-.", (char)text.at[0])
        || (text.at[0] >= '0' && text.at[0] <= '9') || ((text.at[0] | 0x20) >= 'a' && (text.at[0] | 0x20) <= 'z'))
        if (!sw_bytes_is(text, "\t"))
            return sw_draft_refuse(draft, spot, "expected one ASCII character that no number, word or quote holds, or tab, found '%s'", sw_shown_bytes(text).text);
    draft->mapping->csv_delimiter = (char)text.at[0];
    return SW_OK;
}

enum sw_code sw_draft_csv_escape(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text)
{
    if (!sw_bytes_is(text, "\\"))
        return sw_draft_refuse(draft, spot, "expected a backslash, found '%s'", sw_shown_bytes(text).text);
    draft->mapping->csv_escape = '\\';
    return SW_OK;
}

enum sw_code sw_draft_csv_null(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text)
{
    (void)spot;
    char *copy = sw_mapping_text(&draft->mapping->memory, (const char *)text.at, text.len);
    if (!copy)
        return sw_draft_no_memory(draft);
    draft->mapping->csv_null = sw_bytes_of(copy, text.len);
    return SW_OK;
}
