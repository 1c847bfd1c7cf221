/* From what was collected to the mapping: who overrides whom, what contradicts what, and the defaults. */
#include <stdio.h>
#include <stdlib.h>

#include "mapping/draft.h"

static struct sw_path literal_path(struct sw_draft *draft, const char *name)
{
    struct sw_path path = {.step_count = 1};
    path.steps[0] = sw_mapping_text(&draft->mapping->memory, name, strlen(name));
    return path;
}

/* What the top declares about these is about events: rows of a baseline or a reference have none of them. */
static bool of_events_only(enum sw_part part)
{
    return part == SW_PART_OPERATION || part == SW_PART_TRANSACTION || part == SW_PART_TIME || part == SW_PART_BEFORE || part == SW_PART_AFTER;
}

static struct sw_path *part_of(struct sw_layout *layout, enum sw_part part)
{
    switch (part) {
    case SW_PART_OPERATION: return &layout->operation;
    case SW_PART_DELETED: return &layout->deleted;
    case SW_PART_TABLE: return &layout->table;
    case SW_PART_TRANSACTION: return &layout->transaction;
    case SW_PART_TIME: return &layout->time;
    case SW_PART_BEFORE: return &layout->before;
    case SW_PART_AFTER: return &layout->after;
    default: return &layout->value;
    }
}

static enum sw_code settle_parts(struct sw_layout *layout, struct sw_draft *draft, int role)
{
    const struct sw_layout_draft *top = &draft->top, *section = &draft->section[role];
    bool section_value = section->parts[SW_PART_VALUE].step_count;
    bool section_images = section->parts[SW_PART_BEFORE].step_count || section->parts[SW_PART_AFTER].step_count;
    const struct sw_spot *spots[SW_PART_COUNT] = {0};
    for (int part = 0; part < SW_PART_COUNT; part++) {
        /* columns stand either in value or in before and after: a section that says which is not mixed with the top */
        bool other_way = (part == SW_PART_VALUE && section_images) || ((part == SW_PART_BEFORE || part == SW_PART_AFTER) && section_value);
        const struct sw_layout_draft *from = section->parts[part].step_count ? section : top;
        if (from->parts[part].step_count && (from == section || (!other_way && (role == SW_ROLE_EVENTS || !of_events_only((enum sw_part)part))))) {
            *part_of(layout, (enum sw_part)part) = from->parts[part];
            if (part == SW_PART_DELETED)
                layout->deleted_when_set = from->deleted_when_set;
            spots[part] = &from->part_spots[part];
        }
    }
    const char *image = layout->after.step_count ? "after" : "before";
    if (layout->value.step_count && (layout->after.step_count || layout->before.step_count))
        return sw_draft_refuse(draft, spots[SW_PART_VALUE], "'%s' is declared for %s too; the columns stand either in value or in before and after", image, sw_role_name((enum sw_role)role));
    return SW_OK;
}

static void spelling_add(struct sw_layout *layout, char *text, enum sw_operation operation)
{
    layout->spellings[layout->spelling_count++] = (struct sw_spelling){text, operation};
    if (text[0] && !text[1])
        layout->one_byte[(uint8_t)text[0]] = (uint8_t)operation;
}

/* Where `op` is declared without spellings. docs/mapping.md has the list. */
static const struct {
    const char *text;
    enum sw_operation operation;
} usual[] = {
    {"c", SW_OPERATION_INSERT}, {"create", SW_OPERATION_INSERT}, {"CREATE", SW_OPERATION_INSERT},
    {"i", SW_OPERATION_INSERT}, {"I", SW_OPERATION_INSERT}, {"insert", SW_OPERATION_INSERT}, {"INSERT", SW_OPERATION_INSERT},
    {"u", SW_OPERATION_UPDATE}, {"U", SW_OPERATION_UPDATE}, {"update", SW_OPERATION_UPDATE}, {"UPDATE", SW_OPERATION_UPDATE},
    {"upsert", SW_OPERATION_UPSERT}, {"UPSERT", SW_OPERATION_UPSERT},
    {"r", SW_OPERATION_READ}, {"read", SW_OPERATION_READ}, {"READ", SW_OPERATION_READ}, {"snapshot", SW_OPERATION_READ}, {"SNAPSHOT", SW_OPERATION_READ},
    {"d", SW_OPERATION_REMOVE}, {"D", SW_OPERATION_REMOVE}, {"delete", SW_OPERATION_REMOVE}, {"DELETE", SW_OPERATION_REMOVE},
    {"t", SW_OPERATION_TRUNCATE}, {"T", SW_OPERATION_TRUNCATE}, {"truncate", SW_OPERATION_TRUNCATE}, {"TRUNCATE", SW_OPERATION_TRUNCATE},
    {"m", SW_OPERATION_IGNORED},
};
static const struct {
    const char *text;
    enum sw_operation operation;
} plain[] = {{"upsert", SW_OPERATION_UPSERT}, {"delete", SW_OPERATION_DELETE}};

static enum sw_code settle_spellings(struct sw_layout *layout, struct sw_draft *draft, int role)
{
    struct sw_mapping *mapping = draft->mapping;
    const struct sw_layout_draft *from = draft->section[role].spelling_count ? &draft->section[role] : &draft->top;
    bool declared = from->spelling_count && (from != &draft->top || role == SW_ROLE_EVENTS);
    memset(layout->one_byte, SW_OPERATION_UNKNOWN, sizeof layout->one_byte);
    if (layout->operation.step_count == 0)
        return declared ? sw_draft_refuse(draft, &from->spelling_spot, "member 'path' is missing: where the operation stands") : SW_OK;
    size_t usual_count = sizeof usual / sizeof usual[0], plain_count = sizeof plain / sizeof plain[0];
    size_t count = declared ? from->spelling_count : mapping->plain_names ? plain_count : usual_count;
    layout->spellings = sw_mapping_alloc(&mapping->memory, count * sizeof *layout->spellings);
    if (!layout->spellings)
        return sw_draft_no_memory(draft);
    bool told = false; /* whether a row was there is part of the operations: a delete, too, is of a row that was */
    for (size_t i = 0; declared && i < count; i++)
        told |= from->spellings[i].operation == SW_OPERATION_INSERT || from->spellings[i].operation == SW_OPERATION_UPDATE;
    for (size_t i = 0; i < count; i++) {
        const char *text = declared ? from->spellings[i].text : mapping->plain_names ? plain[i].text : usual[i].text;
        char *copy = sw_mapping_text(&mapping->memory, text, strlen(text));
        if (!copy)
            return sw_draft_no_memory(draft);
        enum sw_operation operation = declared ? from->spellings[i].operation : mapping->plain_names ? plain[i].operation : usual[i].operation;
        spelling_add(layout, copy, told && operation == SW_OPERATION_DELETE ? SW_OPERATION_REMOVE : operation);
    }
    return SW_OK;
}

static enum sw_code settle_key(struct sw_layout *layout, struct sw_draft *draft, int role)
{
    const struct sw_mapping *mapping = draft->mapping;
    const struct sw_layout_draft *from = draft->section[role].key_count ? &draft->section[role] : &draft->top;
    if (from->key_count == 0 || (draft->tables && mapping->key_count == 0))
        return SW_OK; /* each table has its own */
    if (mapping->key_count == 0)
        return sw_draft_refuse(draft, &from->key_spot, "the key columns are not named; declare 'key' at the top as well");
    if (from->key_count != mapping->key_count)
        return sw_draft_refuse(draft, &from->key_spot, "expected %zu paths, one for each key column, found %zu", mapping->key_count, from->key_count);
    for (size_t i = 0; i < from->key_count; i++) {
        size_t index = i;
        for (index = 0; from->key_names[i] && index < mapping->key_count && strcmp(mapping->keys[index], from->key_names[i]) != 0;)
            index++;
        if (!from->key_names[i])
            index = i;
        if (index == mapping->key_count) {
            struct sw_shown shown = sw_shown(from->key_names[i]);
            return sw_draft_refuse(draft, &from->key_spot, "'%s' is no key column%s", shown.text,
                                   sw_meant(shown.text, (const char *const *)mapping->keys, mapping->key_count).text);
        }
        layout->key[index] = from->key[i];
    }
    return SW_OK;
}

static enum sw_code order_field_index(size_t *index, struct sw_draft *draft, const struct sw_spot *spot, char *name)
{
    struct sw_mapping *mapping = draft->mapping;
    for (*index = 0; *index < mapping->order_field_count; ++*index)
        if (strcmp(mapping->order_field_names[*index], name) == 0)
            return SW_OK;
    if (*index == SW_ORDER_FIELDS_MAX)
        return sw_draft_refuse(draft, spot, "expected at most %d order fields over all sections, found more", SW_ORDER_FIELDS_MAX);
    mapping->order_field_names[mapping->order_field_count++] = name;
    return SW_OK;
}

static enum sw_code settle_order(struct sw_draft *draft)
{
    struct sw_mapping *mapping = draft->mapping;
    size_t index;
    for (int from = -1; from < SW_ROLE_COUNT; from++) { /* the top's fields come first, so that their order is the file's */
        const struct sw_layout_draft *draft_of = from < 0 ? &draft->top : &draft->section[from];
        for (size_t i = 0; i < draft_of->order_count; i++) {
            enum sw_code code = order_field_index(&index, draft, &draft_of->order_spot, draft_of->order_names[i]);
            if (code < 0)
                return code;
            for (int role = 0; role < SW_ROLE_COUNT; role++)
                if (from == role || (from < 0 && draft->section[role].order_count == 0))
                    mapping->layout[role].order[index] = draft_of->order[i];
        }
    }
    return SW_OK;
}

static bool declares_shape(const struct sw_layout_draft *layout)
{
    for (int part = 0; part < SW_PART_COUNT; part++)
        if (layout->parts[part].step_count)
            return true;
    return layout->identity_count || layout->key_count || layout->order_count || layout->spelling_count;
}

static void settle_plain_names(struct sw_draft *draft)
{
    struct sw_mapping *mapping = draft->mapping;
    struct sw_path key = literal_path(draft, "key"), version = literal_path(draft, "version");
    mapping->keys[0] = key.steps[0];
    mapping->key_count = 1;
    mapping->order_field_names[0] = version.steps[0];
    mapping->order_field_count = 1;
    for (int role = 0; role < SW_ROLE_COUNT; role++) {
        struct sw_layout *layout = &mapping->layout[role];
        layout->key[0] = key;
        layout->order[0] = version;
        layout->deleted = literal_path(draft, "deleted");
        layout->value = literal_path(draft, "value");
    }
    struct sw_layout *events = &mapping->layout[SW_ROLE_EVENTS];
    events->identity[0] = literal_path(draft, "id");
    events->identity_count = 1;
    events->operation = literal_path(draft, "op");
}

static bool paths_complete(const struct sw_mapping *mapping)
{
    const struct sw_layout *events = &mapping->layout[SW_ROLE_EVENTS];
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        if (!mapping->layout[role].deleted.steps[0] || !mapping->layout[role].value.steps[0])
            return false;
    return mapping->keys[0] && mapping->order_field_names[0] && events->identity[0].steps[0] && events->operation.steps[0];
}

static enum sw_code settle_layouts(struct sw_draft *draft)
{
    struct sw_mapping *mapping = draft->mapping;
    enum sw_code code = SW_OK;
    if (mapping->plain_names) {
        settle_plain_names(draft);
        if (!paths_complete(mapping))
            return sw_draft_no_memory(draft);
    }
    for (int role = 0; role < SW_ROLE_COUNT && code == SW_OK; role++) {
        struct sw_layout *layout = &mapping->layout[role];
        const struct sw_layout_draft *from = draft->section[role].identity_count ? &draft->section[role] : &draft->top;
        if (from->identity_count && (from != &draft->top || role == SW_ROLE_EVENTS)) {
            memcpy(layout->identity, from->identity, sizeof layout->identity);
            layout->identity_count = from->identity_count;
        }
        if (!mapping->plain_names)
            code = settle_parts(layout, draft, role);
        if (code == SW_OK)
            code = settle_key(layout, draft, role);
        if (code == SW_OK)
            code = settle_spellings(layout, draft, role);
        layout->table_name = draft->section[role].table_name;
        if (layout->table_name && (mapping->table || draft->top.parts[SW_PART_TABLE].step_count || draft->section[role].parts[SW_PART_TABLE].step_count) && !draft->one_of_tables) {
            const struct sw_spot *spot = &draft->section[role].part_spots[SW_PART_TABLE];
            return sw_draft_refuse(draft, spot, mapping->table ? "the table in scope is declared, too; keep one of them" : "it is a name, and a path says that each row names its own; keep one of them");
        }
        mapping->format[role] = draft->section[role].format;
        if (!mapping->format[role] && (role == SW_ROLE_EVENTS || !draft->events_given))
            mapping->format[role] = draft->top.format;
        if (mapping->format[role] && strcmp(mapping->format[role], "auto") == 0)
            mapping->format[role] = NULL;
    }
    return code == SW_OK ? settle_order(draft) : code;
}

static void settle_order_default(struct sw_mapping *mapping, char *integer)
{
    const char *format = mapping->format[SW_ROLE_EVENTS];
    bool version_only = mapping->order_field_count == 1 && strcmp(mapping->order_field_names[0], "version") == 0;
    if (!mapping->order && version_only && (!format || strcmp(format, "plain") == 0)) {
        mapping->order = integer;
        mapping->order_by_default = true;
    }
}

static int by_column(const void *left, const void *right)
{
    const struct sw_column_draft *a = left, *b = right;
    int order = strcmp(a->column, b->column);
    if (order)
        return order;
    if (a->has_type != b->has_type)
        return a->has_type ? -1 : 1;
    if (a->of_table != b->of_table && a->spot.file && b->spot.file)
        return a->of_table ? -1 : 1; /* what a table says of its own column, before what is said of all */
    return (a->spot.file != NULL) - (b->spot.file != NULL); /* the option first: it wins */
}

/* mapping->columns: one rule for each column that anything is declared of. */
static enum sw_code settle_columns(struct sw_draft *draft)
{
    struct sw_mapping *mapping = draft->mapping;
    if (draft->column_count == 0)
        return SW_OK;
    qsort(draft->columns, draft->column_count, sizeof *draft->columns, by_column);
    mapping->columns = sw_mapping_alloc(&mapping->memory, draft->column_count * sizeof *mapping->columns);
    if (!mapping->columns)
        return sw_draft_no_memory(draft);
    for (size_t i = 0; i < draft->column_count; i++) {
        const struct sw_column_draft *from = &draft->columns[i];
        struct sw_column_rule *rule = mapping->column_count ? &mapping->columns[mapping->column_count - 1] : NULL;
        if (!rule || strcmp(rule->column, from->column) != 0) {
            rule = &mapping->columns[mapping->column_count++];
            *rule = (struct sw_column_rule){.column = from->column, .type = {.kind = SW_TYPE_ANY, .precision = -1}};
        }
        if (from->ignored)
            rule->ignored = true;
        if (!from->has_type)
            continue;
        if (rule->has_type && !from->spot.file && !sw_type_equal(&rule->type, &from->type))
            return sw_draft_refuse(draft, &from->spot, "column '%s' has two types", sw_shown(from->column).text);
        if (!rule->has_type)
            rule->type = from->type;
        rule->has_type = true;
    }
    return SW_OK;
}

static const struct sw_column_rule *find(const struct sw_column_rule *rules, size_t count, struct sw_bytes column)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = sw_bytes_compare(sw_bytes_text(rules[middle].column), column);
        if (order == 0)
            return &rules[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const struct sw_column_rule *sw_mapping_rule(const struct sw_mapping *mapping, enum sw_role role, struct sw_bytes column)
{
    return find(mapping->rules[role], mapping->rule_count[role], column);
}

const struct sw_column_rule *sw_mapping_column(const struct sw_mapping *mapping, struct sw_bytes column)
{
    return find(mapping->columns, mapping->column_count, column);
}

static int by_from_then_rank(const void *left, const void *right)
{
    const struct sw_rename_draft *a = left, *b = right;
    int order = strcmp(a->from, b->from);
    return order ? order : (a->rank < b->rank) - (a->rank > b->rank);
}

static int by_to(const void *left, const void *right)
{
    const struct sw_rename_draft *a = left, *b = right;
    int order = strcmp(a->to, b->to);
    return order ? order : strcmp(a->from, b->from);
}

static int by_rule_column(const void *left, const void *right)
{
    const struct sw_column_rule *a = left, *b = right;
    return strcmp(a->column, b->column);
}

/* The renames that hold for a role, the strongest for each old name, sorted by it, in renames[0 … *count). */
static enum sw_code renames_of(struct sw_rename_draft *renames, size_t *count, struct sw_draft *draft, int role)
{
    size_t kept = 0, candidates = 0;
    for (size_t i = 0; i < draft->rename_count; i++)
        if (draft->renames[i].roles & 1u << role)
            renames[candidates++] = draft->renames[i];
    if (candidates == 0)
        return SW_OK;
    qsort(renames, candidates, sizeof *renames, by_from_then_rank);
    for (size_t i = 0; i < candidates; i++) {
        if (kept == 0 || strcmp(renames[kept - 1].from, renames[i].from) != 0)
            renames[kept++] = renames[i];
        else if (renames[kept - 1].rank == renames[i].rank && strcmp(renames[kept - 1].to, renames[i].to) != 0)
            return sw_draft_refuse(draft, &renames[i].spot, "column '%s' has two new names", sw_shown(renames[i].from).text);
    }
    qsort(renames, kept, sizeof *renames, by_to);
    for (size_t i = 1; i < kept; i++)
        if (strcmp(renames[i - 1].to, renames[i].to) == 0)
            return sw_draft_refuse(draft, &renames[i].spot, "columns '%s' and '%s' would both be '%s'", sw_shown(renames[i - 1].from).text,
                                   sw_shown(renames[i].from).text, sw_shown(renames[i].to).text);
    *count = kept;
    return SW_OK;
}

static bool is_new_name(const struct sw_rename_draft *renames, size_t count, const char *name)
{
    struct sw_rename_draft wanted = {.to = (char *)(uintptr_t)name, .from = (char *)(uintptr_t)""};
    size_t low = 0, high = count;
    while (low < high) { /* the first whose new name is not before it */
        size_t middle = low + (high - low) / 2;
        if (by_to(&renames[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && strcmp(renames[low].to, name) == 0;
}

/* Declarations are by the new name: one by an old name would be about a column that the role no longer has. */
static enum sw_code refuse_old_names(struct sw_draft *draft, int role, const struct sw_rename_draft *renames, size_t count)
{
    const struct sw_mapping *mapping = draft->mapping;
    for (size_t i = 0; i < count; i++) {
        const struct sw_column_rule *rule = sw_mapping_column(mapping, sw_bytes_text(renames[i].from));
        if (is_new_name(renames, count, renames[i].from))
            continue;
        for (size_t k = 0; k < mapping->key_count; k++)
            if (strcmp(mapping->keys[k], renames[i].from) == 0)
                return sw_draft_refuse(draft, &renames[i].spot, "key column '%s' is renamed to '%s' in the %s; name the key '%s'", sw_shown(renames[i].from).text,
                                       sw_shown(renames[i].to).text, sw_role_name((enum sw_role)role), sw_shown(renames[i].to).text);
        if (rule && rule->has_type && role != SW_ROLE_EXPECTED)
            return sw_draft_refuse(draft, &renames[i].spot, "column '%s' has a type and is renamed to '%s'; declare the type of '%s'", sw_shown(renames[i].from).text,
                                   sw_shown(renames[i].to).text, sw_shown(renames[i].to).text);
    }
    return SW_OK;
}

static enum sw_code settle_rules(struct sw_draft *draft, int role)
{
    struct sw_mapping *mapping = draft->mapping;
    struct sw_rename_draft *renames = sw_mapping_alloc(&draft->scratch, (draft->rename_count + 1) * sizeof *renames);
    size_t rename_count = 0, room = draft->rename_count + mapping->column_count, count = 0;
    struct sw_column_rule *rules = sw_mapping_alloc(&mapping->memory, (room + 1) * sizeof *rules);
    if (!renames || !rules)
        return sw_draft_no_memory(draft);
    enum sw_code code = renames_of(renames, &rename_count, draft, role);
    if (code == SW_OK)
        code = refuse_old_names(draft, role, renames, rename_count);
    if (code < 0)
        return code;
    for (size_t i = 0; i < rename_count; i++) {
        const struct sw_column_rule *of_new = sw_mapping_column(mapping, sw_bytes_text(renames[i].to));
        rules[count] = of_new ? *of_new : (struct sw_column_rule){.type = {.kind = SW_TYPE_ANY, .precision = -1}};
        rules[count].column = renames[i].from;
        rules[count++].renamed_to = renames[i].to;
    }
    qsort(rules, count, sizeof *rules, by_rule_column);
    size_t renamed = count;
    for (size_t i = 0; i < mapping->column_count; i++)
        if (!find(rules, renamed, sw_bytes_text(mapping->columns[i].column)))
            rules[count++] = mapping->columns[i];
    qsort(rules, count, sizeof *rules, by_rule_column);
    mapping->rules[role] = rules;
    mapping->rule_count[role] = count;
    return SW_OK;
}

static enum sw_code refuse_ignored_key(struct sw_draft *draft)
{
    const struct sw_mapping *mapping = draft->mapping;
    for (size_t k = 0; k < mapping->key_count; k++) {
        const struct sw_column_rule *rule = sw_mapping_column(mapping, sw_bytes_text(mapping->keys[k]));
        for (size_t i = 0; rule && rule->ignored && i < draft->column_count; i++)
            if (draft->columns[i].ignored && strcmp(draft->columns[i].column, mapping->keys[k]) == 0)
                return sw_draft_refuse(draft, &draft->columns[i].spot, "column '%s' is a key column and cannot be ignored", sw_shown(mapping->keys[k]).text);
    }
    return SW_OK;
}

enum sw_code sw_draft_settle(struct sw_draft *draft)
{
    struct sw_mapping *mapping = draft->mapping;
    mapping->plain_names = mapping->key_count == 0 && !declares_shape(&draft->top) && !draft->tables && !draft->one_of_tables;
    for (int role = 0; role < SW_ROLE_COUNT; role++)
        mapping->plain_names = mapping->plain_names && !declares_shape(&draft->section[role]);
    enum sw_code code = settle_layouts(draft);
    if (code == SW_OK)
        code = settle_columns(draft);
    if (code == SW_OK)
        code = refuse_ignored_key(draft);
    for (int role = 0; role < SW_ROLE_COUNT && code == SW_OK; role++)
        code = settle_rules(draft, role);
    if (code < 0)
        return code;
    char *integer = sw_mapping_text(&mapping->memory, "integer", strlen("integer"));
    if (!integer)
        return sw_draft_no_memory(draft);
    settle_order_default(mapping, integer);
    return SW_OK;
}
