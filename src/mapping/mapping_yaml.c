#include "base/memory.h"
#include "mapping/draft.h"
#include "mapping/yaml_tree.h"

/* What one member's value is read with. */
struct place {
    struct sw_draft *draft;
    struct sw_layout_draft *layout; /* the top's or the section's */
    int role;                       /* of the section; -1 at the top */
    const char *prefix;             /* "" or "events." */
};

typedef enum sw_code (*member_fn)(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value);
/* What a list of texts hands each of them to. */
typedef enum sw_code (*text_fn)(const struct place *place, const struct sw_spot *spot, struct sw_bytes text);

static const char *kind_name(const struct sw_yaml_node *node)
{
    return node->kind == SW_YAML_SCALAR ? "a text" : node->kind == SW_YAML_LIST ? "a list" : "a map";
}

/* The same thing, at the place of an item or member of it. */
static struct sw_spot at(const struct sw_spot *spot, const struct sw_yaml_node *node)
{
    struct sw_spot here = *spot;
    here.line = node->line;
    here.column = node->column;
    return here;
}

static enum sw_code scalar(struct sw_bytes *out, const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value)
{
    struct sw_spot here = at(spot, value);
    if (value->kind != SW_YAML_SCALAR)
        return sw_draft_refuse(place->draft, &here, "expected a text, found %s", kind_name(value));
    if (value->plain && (value->text.len == 0 || sw_bytes_is(value->text, "~")))
        return sw_draft_refuse(place->draft, &here, "it has no value; leave it out, or write a text in quotes");
    *out = value->text;
    return SW_OK;
}

static enum sw_code text_or_list(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value, text_fn take)
{
    struct sw_bytes text;
    enum sw_code code;
    if (value->kind == SW_YAML_MAP || (value->kind == SW_YAML_LIST && !value->first))
        return sw_draft_refuse(place->draft, spot, "expected a text or a list of texts, found %s", value->kind == SW_YAML_MAP ? "a map" : "an empty list");
    if (value->kind == SW_YAML_SCALAR)
        return (code = scalar(&text, place, spot, value)) < 0 ? code : take(place, spot, text);
    for (const struct sw_yaml_node *item = value->first; item; item = item->next) {
        struct sw_spot here = at(spot, item);
        if ((code = scalar(&text, place, spot, item)) < 0 || (code = take(place, &here, text)) < 0)
            return code;
    }
    return SW_OK;
}

static enum sw_code expect_map(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value)
{
    return value->kind == SW_YAML_MAP ? SW_OK : sw_draft_refuse(place->draft, spot, "expected a map, found %s", kind_name(value));
}

/* "did you mean", or all names there are. */
static enum sw_code unknown(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *name, const char *const *names, size_t count)
{
    struct sw_spot here = at(spot, name);
    struct sw_shown shown = sw_shown_bytes(name->text), meant = sw_meant(shown.text, names, count);
    struct sw_buffer known = {0};
    for (size_t i = 0; i < count && !meant.text[0]; i++)
        sw_buffer_printf(&known, "%s%s", i ? ", " : "; known are ", names[i]);
    const char *list = sw_buffer_text(&known);
    enum sw_code code = sw_draft_refuse(place->draft, &here, "unknown member '%s'%s%s", shown.text, meant.text, list ? list : "");
    sw_buffer_free(&known);
    return code;
}

static const struct sw_yaml_node *member_named(const struct sw_yaml_node *map, const char *name)
{
    for (const struct sw_yaml_node *member = map->first; member; member = member->next)
        if (sw_bytes_is(member->text, name))
            return member->value;
    return NULL;
}

static enum sw_code read_part(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value, enum sw_part part)
{
    struct sw_bytes text;
    enum sw_code code = scalar(&text, place, spot, value);
    return code < 0 ? code : sw_draft_part(place->draft, place->layout, part, spot, text);
}

static enum sw_code read_deleted(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_part(place, spot, value, SW_PART_DELETED); }
static enum sw_code read_before(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_part(place, spot, value, SW_PART_BEFORE); }
static enum sw_code read_after(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_part(place, spot, value, SW_PART_AFTER); }
static enum sw_code read_value(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_part(place, spot, value, SW_PART_VALUE); }
static enum sw_code read_transaction(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_part(place, spot, value, SW_PART_TRANSACTION); }
static enum sw_code read_time(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_part(place, spot, value, SW_PART_TIME); }

static enum sw_code read_text(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value, char **out)
{
    struct sw_bytes text;
    enum sw_code code = scalar(&text, place, spot, value);
    return code < 0 ? code : sw_draft_text(out, place->draft, spot, text);
}

static enum sw_code read_placeholder(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_text(place, spot, value, &place->draft->mapping->placeholder); }
/* A position, a list of them, or a map SPACE: POSITION: kept as the options write several, with ';' between them. */
static enum sw_code read_positions(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value, char **out)
{
    struct sw_buffer joined = {0};
    enum sw_code code = SW_OK;
    if (value->kind == SW_YAML_SCALAR)
        return read_text(place, spot, value, out);
    if (!value->first)
        return sw_draft_refuse(place->draft, spot, "expected a position, a list of positions or a map SPACE: POSITION, found an empty %s", value->kind == SW_YAML_MAP ? "map" : "list");
    for (const struct sw_yaml_node *item = value->first; item && code == SW_OK; item = item->next) {
        const struct sw_yaml_node *position = value->kind == SW_YAML_MAP ? item->value : item;
        struct sw_spot here = at(spot, position);
        struct sw_bytes text = {0};
        code = scalar(&text, place, &here, position);
        if (code == SW_OK && (memchr(text.at, ';', text.len) || memchr(text.at, '\n', text.len) || (position != item && memchr(item->text.at, ';', item->text.len))))
            code = sw_draft_refuse(place->draft, &here, "a position and its space hold no ';' and no line break: one item each");
        sw_buffer_add_text(&joined, joined.len ? ";" : "");
        if (position != item) {
            sw_buffer_add_bytes(&joined, item->text);
            sw_buffer_add_byte(&joined, '=');
        }
        if (code == SW_OK)
            sw_buffer_add_bytes(&joined, text);
    }
    if (code == SW_OK)
        code = joined.failed ? sw_draft_no_memory(place->draft) : sw_draft_text(out, place->draft, spot, sw_buffer_view(&joined));
    sw_buffer_free(&joined);
    return code;
}

static enum sw_code read_baseline_position(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_positions(place, spot, value, &place->draft->mapping->baseline_position); }
static enum sw_code read_baseline_time(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_text(place, spot, value, &place->draft->mapping->baseline_time); }
static enum sw_code read_cut(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_positions(place, spot, value, &place->draft->mapping->cut); }
static enum sw_code read_space(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_text(place, spot, value, &place->draft->mapping->space); }
static enum sw_code read_format(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_text(place, spot, value, &place->layout->format); }

typedef enum sw_code (*word_fn)(struct sw_draft *draft, const struct sw_spot *spot, struct sw_bytes text);

static enum sw_code read_word(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value, word_fn take)
{
    struct sw_bytes text;
    enum sw_code code = scalar(&text, place, spot, value);
    return code < 0 ? code : take(place->draft, spot, text);
}

static enum sw_code read_absent(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_word(place, spot, value, sw_draft_absent); }
static enum sw_code read_images(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_word(place, spot, value, sw_draft_images); }
static enum sw_code read_replica_identity(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_word(place, spot, value, sw_draft_replica_identity); }
static enum sw_code read_compare(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_word(place, spot, value, sw_draft_compare); }
static enum sw_code read_deletes(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_word(place, spot, value, sw_draft_deletes); }
static enum sw_code read_conflicts(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_word(place, spot, value, sw_draft_conflicts); }

static enum sw_code read_time_unit(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return read_word(place, spot, value, sw_draft_time_unit); }

static enum sw_code read_scope(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value)
{
    struct sw_bytes text;
    enum sw_code code = scalar(&text, place, spot, value);
    return code < 0 ? code : sw_draft_condition(&place->draft->mapping->scope, place->draft, spot, text);
}

static enum sw_code read_version(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value)
{
    struct sw_bytes text;
    enum sw_code code = scalar(&text, place, spot, value);
    if (code < 0)
        return code;
    if (place->layout->order_count)
        return sw_draft_refuse(place->draft, spot, "it is short for the order's single field, and 'order' in line %llu has fields; keep one of them",
                               (unsigned long long)place->layout->order_spot.line);
    return sw_draft_version(place->draft, place->layout, spot, text);
}

static enum sw_code take_key_name(const struct place *place, const struct sw_spot *spot, struct sw_bytes text) { return sw_draft_key_add(place->draft, spot, text); }

static enum sw_code take_key_path(const struct place *place, const struct sw_spot *spot, struct sw_bytes text)
{
    struct sw_layout_draft *layout = place->layout;
    if (layout->key_count == SW_KEY_COLUMNS_MAX)
        return sw_draft_refuse(place->draft, spot, "expected at most %d key columns, found more", SW_KEY_COLUMNS_MAX);
    layout->key_names[layout->key_count] = NULL;
    return sw_draft_path(&layout->key[layout->key_count++], place->draft, spot, text);
}

static enum sw_code read_key(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value)
{
    place->layout->key_spot = *spot;
    if (value->kind != SW_YAML_MAP)
        return text_or_list(place, spot, value, place->role < 0 ? take_key_name : take_key_path);
    if (!value->first)
        return sw_draft_refuse(place->draft, spot, "expected at least one column, found an empty map");
    for (const struct sw_yaml_node *member = value->first; member; member = member->next) {
        struct sw_spot here = at(spot, member);
        struct sw_bytes path;
        enum sw_code code = scalar(&path, place, spot, member->value);
        size_t index = place->layout->key_count;
        if (code == SW_OK && place->role < 0)
            code = sw_draft_key_add(place->draft, &here, member->text);
        if (code == SW_OK)
            code = take_key_path(place, &here, path);
        if (code == SW_OK)
            code = sw_draft_text(&place->layout->key_names[index], place->draft, &here, member->text);
        if (code < 0)
            return code;
    }
    return SW_OK;
}

static enum sw_code take_identity(const struct place *place, const struct sw_spot *spot, struct sw_bytes text) { return sw_draft_identity_add(place->draft, place->layout, spot, text); }
static enum sw_code read_identity(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return text_or_list(place, spot, value, take_identity); }

static enum sw_code take_ignore(const struct place *place, const struct sw_spot *spot, struct sw_bytes text) { return sw_draft_ignore(place->draft, spot, text); }
static enum sw_code read_ignore(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value) { return text_or_list(place, spot, value, take_ignore); }

static enum sw_code read_types(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value)
{
    enum sw_code code = expect_map(place, spot, value);
    for (const struct sw_yaml_node *member = value->first; member && code == SW_OK; member = member->next) {
        struct sw_spot here = at(spot, member->value);
        struct sw_bytes type;
        if ((code = scalar(&type, place, spot, member->value)) == SW_OK)
            code = sw_draft_type(place->draft, &here, member->text, type);
    }
    return code;
}

static enum sw_code read_rename(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value)
{
    unsigned roles = place->role < 0 ? SW_ROLES_SOURCE : 1u << place->role;
    enum sw_code code = expect_map(place, spot, value);
    for (const struct sw_yaml_node *member = value->first; member && code == SW_OK; member = member->next) {
        struct sw_spot here = at(spot, member);
        struct sw_bytes to;
        if ((code = scalar(&to, place, spot, member->value)) == SW_OK)
            code = sw_draft_rename(place->draft, &here, member->text, to, roles, place->role >= 0);
    }
    return code;
}

static enum sw_code read_table(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value)
{
    static const char *const top_names[] = {"name", "path"}, *const section_names[] = {"path"};
    if (value->kind == SW_YAML_SCALAR && place->role >= 0)
        place->layout->part_spots[SW_PART_TABLE] = *spot;
    if (value->kind == SW_YAML_SCALAR)
        return read_text(place, spot, value, place->role < 0 ? &place->draft->mapping->table : &place->layout->table_name);
    if (value->kind != SW_YAML_MAP)
        return sw_draft_refuse(place->draft, spot, place->role < 0 ? "expected a table's name or a map with name and path, found %s"
                                                                   : "expected a table's name or a map with path: where the table's name stands, found %s", kind_name(value));
    enum sw_code code = SW_OK;
    for (const struct sw_yaml_node *member = value->first; member && code == SW_OK; member = member->next) {
        struct sw_spot here = at(spot, member->value);
        if (sw_bytes_is(member->text, "path"))
            code = read_part(place, &here, member->value, SW_PART_TABLE);
        else if (sw_bytes_is(member->text, "name") && place->role < 0)
            code = read_text(place, &here, member->value, &place->draft->mapping->table);
        else
            code = place->role < 0 ? unknown(place, spot, member, top_names, 2) : unknown(place, spot, member, section_names, 1);
    }
    return code;
}

static enum sw_code read_order(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value)
{
    struct sw_layout_draft *layout = place->layout;
    if (value->kind == SW_YAML_SCALAR && place->role < 0)
        return read_text(place, spot, value, &place->draft->mapping->order);
    if (value->kind != SW_YAML_MAP)
        return sw_draft_refuse(place->draft, spot, place->role < 0 ? "expected a policy's name or a map with policy and the paths of its fields, found %s"
                                                                   : "expected a map with the paths of the policy's fields, found %s; the policy is declared once, at the top", kind_name(value));
    if (place->role < 0 && !member_named(value, "policy"))
        return sw_draft_refuse(place->draft, spot, "member 'policy' is missing");
    size_t count = value->count - (place->role < 0);
    if (count && layout->order_count)
        return sw_draft_refuse(place->draft, spot, "it has fields, and 'version' in line %llu is short for its single field; keep one of them",
                               (unsigned long long)layout->order_spot.line);
    if (count > SW_ORDER_FIELDS_MAX)
        return sw_draft_refuse(place->draft, spot, "expected at most %d fields, found %zu", SW_ORDER_FIELDS_MAX, count);
    layout->order_spot = *spot;
    for (const struct sw_yaml_node *member = value->first; member; member = member->next) {
        struct sw_spot here = at(spot, member->value);
        struct sw_bytes path;
        enum sw_code code;
        if (sw_bytes_is(member->text, "policy")) {
            struct sw_spot name = at(spot, member);
            code = place->role < 0 ? read_text(place, &here, member->value, &place->draft->mapping->order)
                                   : sw_draft_refuse(place->draft, &name, "the policy is declared once, at the top; here stand the paths of its fields");
        } else {
            size_t index = layout->order_count;
            code = scalar(&path, place, spot, member->value);
            if (code == SW_OK)
                code = sw_draft_text(&layout->order_names[index], place->draft, &here, member->text);
            if (code == SW_OK)
                code = sw_draft_path(&layout->order[index], place->draft, &here, path);
            layout->order_count++;
        }
        if (code < 0)
            return code;
    }
    return SW_OK;
}

static const struct {
    const char *name;
    enum sw_operation operation;
} operations[] = {
    {"upsert", SW_OPERATION_UPSERT},     {"insert", SW_OPERATION_INSERT}, {"update", SW_OPERATION_UPDATE},  {"delete", SW_OPERATION_DELETE},
    {"truncate", SW_OPERATION_TRUNCATE}, {"read", SW_OPERATION_READ},     {"ignore", SW_OPERATION_IGNORED},
};

static enum sw_code add_spelling(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *item, enum sw_operation operation)
{
    struct sw_layout_draft *layout = place->layout;
    struct sw_bytes text;
    enum sw_code code = scalar(&text, place, spot, item);
    if (code < 0)
        return code;
    struct sw_spot here = at(spot, item);
    for (size_t i = 0; i < layout->spelling_count; i++)
        if (sw_bytes_is(text, layout->spellings[i].text))
            return sw_draft_refuse(place->draft, &here, "spelling '%s' stands twice", sw_shown_bytes(text).text);
    layout->spellings[layout->spelling_count].operation = operation;
    code = sw_draft_text(&layout->spellings[layout->spelling_count].text, place->draft, &here, text);
    if (code == SW_OK)
        layout->spelling_count++;
    return code;
}

static enum sw_code read_op(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value)
{
    enum { SPELLINGS_MAX = 256 };
    static const char *const names[] = {"path", "upsert", "insert", "update", "delete", "truncate", "read", "ignore"};
    struct sw_layout_draft *layout = place->layout;
    enum sw_code code = SW_OK;
    if (value->kind == SW_YAML_SCALAR)
        return read_part(place, spot, value, SW_PART_OPERATION);
    if (value->kind != SW_YAML_MAP)
        return sw_draft_refuse(place->draft, spot, "expected a path or a map with path and spellings, found a list");
    size_t room = 0;
    for (const struct sw_yaml_node *member = value->first; member; member = member->next)
        room += member->value->kind == SW_YAML_LIST ? member->value->count : 1;
    if (room > SPELLINGS_MAX)
        return sw_draft_refuse(place->draft, spot, "expected at most %d spellings, found more", SPELLINGS_MAX);
    layout->spelling_spot = *spot;
    layout->spellings = sw_mapping_alloc(&place->draft->mapping->memory, room * sizeof *layout->spellings);
    if (!layout->spellings)
        return sw_draft_no_memory(place->draft);
    for (const struct sw_yaml_node *member = value->first; member && code == SW_OK; member = member->next) {
        const struct sw_yaml_node *item = member->value;
        struct sw_spot here = at(spot, item);
        size_t i = 0;
        if (sw_bytes_is(member->text, "path")) {
            code = read_part(place, &here, item, SW_PART_OPERATION);
            continue;
        }
        while (i < sizeof operations / sizeof operations[0] && !sw_bytes_is(member->text, operations[i].name))
            i++;
        if (i == sizeof operations / sizeof operations[0])
            return unknown(place, spot, member, names, sizeof names / sizeof names[0]);
        if (item->kind == SW_YAML_SCALAR)
            code = add_spelling(place, spot, item, operations[i].operation);
        else if (item->kind == SW_YAML_MAP)
            code = sw_draft_refuse(place->draft, &here, "expected a text or a list of texts, found a map");
        else
            for (item = item->first; item && code == SW_OK; item = item->next)
                code = add_spelling(place, spot, item, operations[i].operation);
    }
    return code;
}

static enum sw_code read_csv(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value)
{
    static const char *const names[] = {"null", "null_quoted", "delimiter", "escape"};
    enum sw_code code = expect_map(place, spot, value);
    for (const struct sw_yaml_node *member = value->first; member && code == SW_OK; member = member->next) {
        struct sw_spot here = at(spot, member->value);
        struct sw_bytes text;
        if (!sw_bytes_is(member->text, "null") && !sw_bytes_is(member->text, "null_quoted") && !sw_bytes_is(member->text, "delimiter") && !sw_bytes_is(member->text, "escape"))
            return unknown(place, spot, member, names, 4);
        if ((code = scalar(&text, place, spot, member->value)) < 0)
            return code;
        if (sw_bytes_is(member->text, "null"))
            code = sw_draft_csv_null(place->draft, &here, text);
        else if (sw_bytes_is(member->text, "delimiter"))
            code = sw_draft_delimiter(place->draft, &here, text);
        else if (sw_bytes_is(member->text, "escape"))
            code = sw_draft_csv_escape(place->draft, &here, text);
        else if (sw_bytes_is(text, "true") || sw_bytes_is(text, "false"))
            place->draft->mapping->csv_null_quoted_too = sw_bytes_is(text, "true");
        else
            code = sw_draft_refuse(place->draft, &here, "expected true or false, found '%s'", sw_shown_bytes(text).text);
    }
    return code;
}

static enum sw_code take_space(const struct place *place, const struct sw_spot *spot, struct sw_bytes text) { return sw_draft_space_add(place->draft, spot, text); }
static enum sw_code take_spaces(const struct place *place, const struct sw_spot *spot, struct sw_bytes text) { return sw_draft_spaces(place->draft, spot, text); }
static enum sw_code read_spaces(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value)
{
    return text_or_list(place, spot, value, value->kind == SW_YAML_SCALAR ? take_spaces : take_space);
}

/* TABLE: a pattern, or a list of them. */
static enum sw_code read_partitions(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value)
{
    enum sw_code code = expect_map(place, spot, value);
    for (const struct sw_yaml_node *table = value->first; table && code == SW_OK; table = table->next) {
        const struct sw_yaml_node *patterns = table->value;
        if (patterns->kind == SW_YAML_MAP || (patterns->kind == SW_YAML_LIST && !patterns->first))
            return sw_draft_refuse(place->draft, spot, "expected a name or a list of names of its partitions, found %s", patterns->kind == SW_YAML_MAP ? "a map" : "an empty list");
        for (const struct sw_yaml_node *item = patterns->kind == SW_YAML_LIST ? patterns->first : patterns; item && code == SW_OK; item = patterns->kind == SW_YAML_LIST ? item->next : NULL) {
            struct sw_spot here = at(spot, item);
            struct sw_bytes pattern;
            if ((code = scalar(&pattern, place, spot, item)) == SW_OK)
                code = sw_draft_part_add(place->draft, &here, table->text, pattern);
        }
    }
    return code;
}

static enum sw_code read_section(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value);

/* Looked at later: each table is read over all of the file. */
static enum sw_code read_tables(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value)
{
    enum sw_code code = expect_map(place, spot, value);
    if (code == SW_OK && !value->first)
        code = sw_draft_refuse(place->draft, spot, "expected at least one table, found an empty map");
    if (code == SW_OK && value->count > SW_MAPPING_TABLES_MAX)
        code = sw_draft_refuse(place->draft, spot, "expected at most %d tables, found %zu", SW_MAPPING_TABLES_MAX, value->count);
    place->draft->tables = place->draft->one_of_tables ? NULL : value;
    place->draft->tables_spot = *spot;
    return code;
}

/* All members; the documentation (docs/mapping.md) has them in this order. */
static const struct member {
    const char *name;
    member_fn read;
    bool in_section; /* may stand in baseline, events and expected too */
} members[] = {
    {"table", read_table, true},
    {"tables", read_tables, false},
    {"partitions", read_partitions, false},
    {"key", read_key, true},
    {"types", read_types, false},
    {"ignore", read_ignore, false},
    {"rename", read_rename, true},
    {"format", read_format, true},
    {"order", read_order, true},
    {"version", read_version, true},
    {"identity", read_identity, true},
    {"op", read_op, true},
    {"before", read_before, true},
    {"after", read_after, true},
    {"value", read_value, true},
    {"deleted", read_deleted, true},
    {"transaction", read_transaction, true},
    {"time", read_time, true},
    {"time_unit", read_time_unit, false},
    {"absent", read_absent, false},
    {"images", read_images, false},
    {"replica_identity", read_replica_identity, false},
    {"placeholder", read_placeholder, false},
    {"csv", read_csv, false},
    {"baseline_position", read_baseline_position, false},
    {"baseline_time", read_baseline_time, false},
    {"cut", read_cut, false},
    {"space", read_space, false},
    {"spaces", read_spaces, false},
    {"compare", read_compare, false},
    {"expected_deletes", read_deletes, false},
    {"conflicts", read_conflicts, false},
    {"scope", read_scope, false},
    {"baseline", read_section, false},
    {"events", read_section, false},
    {"expected", read_section, false},
};
#define MEMBER_COUNT (sizeof members / sizeof members[0])

static enum sw_code read_members(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *map)
{
    for (const struct sw_yaml_node *name = map->first; name; name = name->next) {
        const char *known[MEMBER_COUNT];
        size_t known_count = 0, i = 0;
        while (i < MEMBER_COUNT && !sw_bytes_is(name->text, members[i].name))
            i++;
        if (i == MEMBER_COUNT) {
            for (i = 0; i < MEMBER_COUNT; i++)
                if (place->role < 0 || members[i].in_section)
                    known[known_count++] = members[i].name;
            return unknown(place, spot, name, known, known_count);
        }
        struct sw_spot here = at(spot, name);
        if (place->role >= 0 && !members[i].in_section)
            return sw_draft_refuse(place->draft, &here, "member '%s' stands at the top only, not in a section", members[i].name);
        char *thing = sw_mapping_alloc(&place->draft->scratch, strlen(place->prefix) + strlen(members[i].name) + 1);
        if (!thing)
            return sw_draft_no_memory(place->draft);
        strcat(strcpy(thing, place->prefix), members[i].name);
        here = at(spot, name->value);
        here.thing = thing;
        enum sw_code code = members[i].read(place, &here, name->value);
        if (code < 0)
            return code;
    }
    return SW_OK;
}

static enum sw_code read_section(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value)
{
    static const char *const prefixes[SW_ROLE_COUNT] = {"baseline.", "events.", "expected."};
    enum sw_code code = expect_map(place, spot, value);
    int role = 0;
    while (role < SW_ROLE_COUNT - 1 && strcmp(spot->thing, sw_role_name((enum sw_role)role)) != 0)
        role++;
    const struct place section = {place->draft, &place->draft->section[role], role, prefixes[role]};
    return code < 0 ? code : read_members(&section, spot, value);
}

static enum sw_code read_inputs(const struct place *place, const struct sw_spot *spot, const struct sw_yaml_node *value, struct sw_mapping_table *table, enum sw_role role)
{
    size_t room = value->kind == SW_YAML_LIST ? value->count : 1;
    if (value->kind == SW_YAML_MAP || !room)
        return sw_draft_refuse(place->draft, spot, "expected a locator or a list of locators, found %s", value->kind == SW_YAML_MAP ? "a map" : "an empty list");
    table->inputs[role] = sw_mapping_alloc(&place->draft->mapping->memory, room * sizeof *table->inputs[role]);
    if (!table->inputs[role])
        return sw_draft_no_memory(place->draft);
    enum sw_code code = SW_OK;
    for (const struct sw_yaml_node *item = value->kind == SW_YAML_LIST ? value->first : value; item && code == SW_OK; item = value->kind == SW_YAML_LIST ? item->next : NULL) {
        struct sw_spot here = at(spot, item);
        code = read_text(place, &here, item, &table->inputs[role][table->input_count[role]]);
        table->input_count[role] += code == SW_OK;
    }
    return code;
}

static enum sw_code read_table_members(const struct place *place, struct sw_mapping_table *table, const struct sw_spot *spot, const struct sw_yaml_node *map)
{
    static const char *const names[] = {"key", "types", "ignore", "rename", "baseline", "expected"};
    static const member_fn readers[] = {read_key, read_types, read_ignore, read_rename};
    enum sw_code code = SW_OK;
    for (const struct sw_yaml_node *name = map->first; name && code == SW_OK; name = name->next) {
        size_t i = 0;
        while (i < sizeof names / sizeof names[0] && !sw_bytes_is(name->text, names[i]))
            i++;
        if (i == sizeof names / sizeof names[0])
            return unknown(place, spot, name, names, i);
        struct sw_spot here = at(spot, name->value);
        char *thing = sw_mapping_alloc(&place->draft->scratch, strlen(spot->thing) + strlen(names[i]) + 2);
        if (!thing)
            return sw_draft_no_memory(place->draft);
        strcat(strcat(strcpy(thing, spot->thing), "."), names[i]);
        here.thing = thing;
        if (i == 0) /* its own key takes the place of the one that is declared for all */
            place->draft->mapping->key_count = place->draft->top.key_count = 0;
        code = i < sizeof readers / sizeof readers[0] ? readers[i](place, &here, name->value) : read_inputs(place, &here, name->value, table, i == 4 ? SW_ROLE_BASELINE : SW_ROLE_EXPECTED);
    }
    return code;
}

/* Reads one table into a mapping of its own: what the file says of all, over it what it says of the table, over both the options. */
static enum sw_code read_one_table(struct sw_mapping_table *table, struct sw_draft *whole, const struct sw_yaml_node *root, const struct sw_yaml_node *name, const char *file,
                                   const struct sw_reconcile_options *options)
{
    struct sw_draft draft = {.mapping = table->mapping, .error = whole->error, .events_given = whole->events_given, .one_of_tables = true};
    const struct place top = {&draft, &draft.top, -1, ""};
    char *thing = sw_mapping_alloc(&draft.scratch, name->text.len + sizeof "tables.");
    struct sw_spot spot = {.thing = "tables", .file = file, .line = name->line, .column = name->column};
    enum sw_code code = thing ? read_members(&top, &spot, root) : sw_draft_no_memory(&draft);
    if (code == SW_OK) {
        strcat(strcpy(thing, "tables."), (const char *)name->text.at);
        spot.thing = thing;
        draft.in_table = true;
        code = sw_draft_text(&table->mapping->table, &draft, &spot, name->text);
    }
    bool nothing = name->value->kind == SW_YAML_SCALAR && name->value->plain && name->value->text.len == 0; /* the key of all is its key */
    if (code == SW_OK && !nothing)
        code = expect_map(&top, &spot, name->value);
    if (code == SW_OK && !nothing)
        code = read_table_members(&top, table, &spot, name->value);
    draft.in_table = false;
    if (code == SW_OK && draft.mapping->key_count == 0)
        code = sw_draft_refuse(&draft, &spot, "no key is declared: 'key' here, or at the top for all tables");
    if (code == SW_OK && options) {
        struct sw_reconcile_options others = *options;
        others.table = NULL;
        code = sw_draft_read_options(&draft, &others);
    }
    if (code == SW_OK)
        code = sw_draft_settle(&draft);
    if (!table->mapping->csv_delimiter)
        table->mapping->csv_delimiter = ',';
    sw_free(draft.columns);
    sw_free(draft.renames);
    sw_mapping_release(&draft.scratch);
    return code;
}

#define TABLES_TOLD 6u

static enum sw_code refuse_table(struct sw_draft *draft, const char *wanted)
{
    struct sw_buffer names = {0};
    uint32_t count = 0;
    for (const struct sw_yaml_node *name = draft->tables->first; name; name = name->next)
        if (count++ < TABLES_TOLD)
            sw_buffer_printf(&names, "%s%.*s", count > 1 ? ", " : "", (int)(name->text.len < 64 ? name->text.len : 64), name->text.len ? (const char *)name->text.at : "");
    if (count > TABLES_TOLD)
        sw_buffer_printf(&names, " and %u more", count - TABLES_TOLD);
    const char *told = sw_buffer_text(&names);
    enum sw_code code = !told ? sw_draft_no_memory(draft)
                              : sw_draft_refuse(draft, &(struct sw_spot){.thing = "--table"}, "the mapping lists no table '%s'; it lists %s, and a table is named as there", sw_shown(wanted).text, told);
    sw_buffer_free(&names);
    return code;
}

enum sw_code sw_draft_read_tables(struct sw_draft *draft, const struct sw_yaml_node *root, const char *file, const struct sw_reconcile_options *options)
{
    struct sw_mapping *mapping = draft->mapping;
    enum sw_code code = SW_OK;
    if (options && options->key_count)
        return sw_draft_refuse(draft, &(struct sw_spot){.thing = "--key"}, "the mapping lists tables, each with its own key: declare it there");
    if (mapping->table && !(options && options->table))
        return sw_draft_refuse(draft, &draft->tables_spot, "'table' names one, too; keep one of them");
    mapping->tables = sw_mapping_alloc(&mapping->memory, draft->tables->count * sizeof *mapping->tables);
    if (!mapping->tables)
        return sw_draft_no_memory(draft);
    for (const struct sw_yaml_node *name = draft->tables->first; name && code == SW_OK; name = name->next) {
        struct sw_mapping_table *table = &mapping->tables[mapping->table_count];
        if (mapping->table && !sw_bytes_is(name->text, mapping->table))
            continue; /* --table: this one alone */
        table->mapping = sw_calloc(1, sizeof *table->mapping);
        if (!table->mapping)
            return sw_draft_no_memory(draft);
        mapping->table_count++;
        code = read_one_table(table, draft, root, name, file, options);
    }
    if (code == SW_OK && !mapping->table_count)
        code = refuse_table(draft, mapping->table);
    mapping->table = NULL;
    return code;
}

enum sw_code sw_draft_read_yaml(struct sw_yaml_node **out, struct sw_draft *draft, struct sw_bytes yaml, const char *name)
{
    struct sw_yaml_node *root = NULL;
    const struct place top = {draft, &draft->top, -1, ""};
    enum sw_code code = sw_yaml_read(&root, &draft->scratch, yaml, name, draft->error);
    *out = root;
    if (code < 0 || !root || (root->kind == SW_YAML_SCALAR && root->plain && root->text.len == 0))
        return code;
    const struct sw_spot spot = {.thing = "mapping", .file = name, .line = root->line, .column = root->column};
    if (root->kind != SW_YAML_MAP)
        return sw_draft_refuse(draft, &spot, "expected a map, found %s", kind_name(root));
    return read_members(&top, &spot, root);
}
