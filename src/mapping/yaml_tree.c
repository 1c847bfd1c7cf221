#include "mapping/yaml_tree.h"

#include <stdlib.h>
#include <yaml.h>

struct tree {
    yaml_parser_t parser;
    struct sw_mapping_block **memory;
    struct sw_bytes text;
    const char *name;
    struct sw_error *error;
};

static enum sw_code refuse(struct tree *tree, uint64_t line, uint64_t column, const char *format, ...) SW_PRINTF(4, 5);

static enum sw_code refuse(struct tree *tree, uint64_t line, uint64_t column, const char *format, ...)
{
    char text[SW_ERROR_TEXT_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sw_fail(tree->error, SW_ERR_USAGE, "%s", text);
    sw_error_place(tree->error, tree->name, line, column, UINT64_MAX);
    return SW_ERR_USAGE;
}

static enum sw_code no_memory(struct tree *tree) { return sw_fail(tree->error, SW_ERR_MEMORY, "out of memory while the mapping was read"); }

static uint64_t line_of(struct sw_bytes text, size_t offset)
{
    uint64_t line = 1;
    for (size_t i = 0; i < offset && i < text.len; i++)
        line += text.at[i] == '\n';
    return line;
}

/* What people stumble over, and the library does not explain. */
static const char *advice_on(const char *problem)
{
    if (strstr(problem, "mapping values are not allowed"))
        return "; a text with ': ' in it stands in \"quotes\"";
    if (strstr(problem, "cannot start any token"))
        return "; lines are indented with blanks, never tabs, and a text that begins with @, ` or % stands in \"quotes\"";
    return "";
}

static enum sw_code next_event(yaml_event_t *event, struct tree *tree)
{
    yaml_parser_t *parser = &tree->parser;
    if (yaml_parser_parse(parser, event))
        return SW_OK;
    const char *problem = parser->problem ? parser->problem : "it cannot be read";
    switch (parser->error) {
    case YAML_MEMORY_ERROR: return no_memory(tree);
    case YAML_READER_ERROR: return refuse(tree, line_of(tree->text, parser->problem_offset), 0, "not YAML: %s", problem);
    default: return refuse(tree, parser->problem_mark.line + 1, parser->problem_mark.column + 1, "not YAML: %s%s", problem, advice_on(problem));
    }
}

static struct sw_yaml_node *node_new(struct tree *tree, enum sw_yaml_kind kind, const yaml_event_t *event)
{
    struct sw_yaml_node *node = sw_mapping_alloc(tree->memory, sizeof *node);
    if (node) {
        node->kind = kind;
        node->line = event->start_mark.line + 1;
        node->column = event->start_mark.column + 1;
    }
    return node;
}

static int by_text_then_place(const void *left, const void *right)
{
    const struct sw_yaml_node *a = *(const struct sw_yaml_node *const *)left, *b = *(const struct sw_yaml_node *const *)right;
    int order = sw_bytes_compare(a->text, b->text);
    if (order)
        return order;
    return a->line != b->line ? (a->line > b->line) - (a->line < b->line) : (a->column > b->column) - (a->column < b->column);
}

static enum sw_code refuse_repeats(struct tree *tree, const struct sw_yaml_node *map)
{
    if (map->count < 2)
        return SW_OK;
    const struct sw_yaml_node **members = sw_mapping_alloc(tree->memory, map->count * sizeof *members);
    if (!members)
        return no_memory(tree);
    size_t count = 0;
    for (const struct sw_yaml_node *member = map->first; member; member = member->next)
        members[count++] = member;
    qsort(members, count, sizeof *members, by_text_then_place);
    for (size_t i = 1; i < count; i++)
        if (sw_bytes_equal(members[i - 1]->text, members[i]->text))
            return refuse(tree, members[i]->line, members[i]->column, "member '%s' stands twice; the first is in line %llu",
                          sw_shown_bytes(members[i]->text).text, (unsigned long long)members[i - 1]->line);
    return SW_OK;
}

static enum sw_code read_node(struct sw_yaml_node **out, struct tree *tree, const yaml_event_t *event, int depth);

/* The items up to the end of the list or map that `node` opened. */
static enum sw_code read_items(struct sw_yaml_node *node, struct tree *tree, int depth)
{
    struct sw_yaml_node **tail = &node->first;
    struct sw_yaml_node *name = NULL;
    for (;;) {
        yaml_event_t event;
        struct sw_yaml_node *item = NULL;
        enum sw_code code = next_event(&event, tree);
        if (code < 0)
            return code;
        if (event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT) {
            yaml_event_delete(&event);
            return node->kind == SW_YAML_MAP ? refuse_repeats(tree, node) : SW_OK;
        }
        code = read_node(&item, tree, &event, depth + 1);
        yaml_event_delete(&event);
        if (code < 0)
            return code;
        if (name) {
            name->value = item;
            name = NULL;
            continue;
        }
        if (node->kind == SW_YAML_MAP) {
            if (item->kind != SW_YAML_SCALAR)
                return refuse(tree, item->line, item->column, "expected a member's name, found a %s", item->kind == SW_YAML_LIST ? "list" : "map");
            name = item;
        }
        *tail = item;
        tail = &item->next;
        node->count++;
    }
}

static enum sw_code read_node(struct sw_yaml_node **out, struct tree *tree, const yaml_event_t *event, int depth)
{
    uint64_t line = event->start_mark.line + 1, column = event->start_mark.column + 1;
    const yaml_char_t *anchor = NULL, *tag = NULL;
    struct sw_yaml_node *node;
    enum sw_yaml_kind kind;
    switch (event->type) {
    case YAML_ALIAS_EVENT: return refuse(tree, line, column, "aliases (*%s) are not read; write the value out", sw_shown((const char *)event->data.alias.anchor).text);
    case YAML_SCALAR_EVENT:
        kind = SW_YAML_SCALAR;
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
        break;
    case YAML_SEQUENCE_START_EVENT:
        kind = SW_YAML_LIST;
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
        break;
    case YAML_MAPPING_START_EVENT:
        kind = SW_YAML_MAP;
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
        break;
    default: return refuse(tree, line, column, "expected a value");
    }
    if (anchor)
        return refuse(tree, line, column, "anchors (&%s) are not read; write the value out where it is needed", sw_shown((const char *)anchor).text);
    if (tag)
        return refuse(tree, line, column, "tags (%s) are not read; every scalar is a text", sw_shown((const char *)tag).text);
    if (depth > SW_YAML_DEPTH_MAX)
        return refuse(tree, line, column, "values stand inside each other more than %d deep", SW_YAML_DEPTH_MAX);
    if (!(node = node_new(tree, kind, event)))
        return no_memory(tree);
    *out = node;
    if (kind != SW_YAML_SCALAR)
        return read_items(node, tree, depth);
    char *text = sw_mapping_text(tree->memory, (const char *)event->data.scalar.value, event->data.scalar.length);
    if (!text)
        return no_memory(tree);
    node->text = sw_bytes_of(text, event->data.scalar.length);
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    return SW_OK;
}

static enum sw_code read_stream(struct sw_yaml_node **out, struct tree *tree)
{
    bool started = false;
    for (;;) {
        yaml_event_t event;
        enum sw_code code = next_event(&event, tree);
        if (code < 0)
            return code;
        switch (event.type) {
        case YAML_STREAM_START_EVENT:
        case YAML_DOCUMENT_END_EVENT: break;
        case YAML_DOCUMENT_START_EVENT:
            if (started)
                code = refuse(tree, event.start_mark.line + 1, event.start_mark.column + 1, "expected one document, found a second one");
            started = true;
            break;
        case YAML_STREAM_END_EVENT: yaml_event_delete(&event); return SW_OK;
        default: code = read_node(out, tree, &event, 1);
        }
        yaml_event_delete(&event);
        if (code < 0)
            return code;
    }
}

enum sw_code sw_yaml_read(struct sw_yaml_node **out, struct sw_mapping_block **memory, struct sw_bytes text, const char *name, struct sw_error *error)
{
    struct tree tree = {.memory = memory, .text = text, .name = name, .error = error};
    *out = NULL;
    if (text.len > SW_YAML_BYTES_MAX) {
        sw_fail(error, SW_ERR_LIMIT, "expected a mapping of at most 1 MiB, found a larger one");
        sw_error_place(error, name, 0, 0, UINT64_MAX);
        return SW_ERR_LIMIT;
    }
    if (!yaml_parser_initialize(&tree.parser))
        return no_memory(&tree);
    yaml_parser_set_encoding(&tree.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&tree.parser, text.at ? text.at : (const uint8_t *)"", text.len);
    enum sw_code code = read_stream(out, &tree);
    yaml_parser_delete(&tree.parser);
    return code;
}
