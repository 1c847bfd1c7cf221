#include "text/json_reader.h"

#include <string.h>

#include "base/memory.h"

#define REPEATED_MAX 65536u /* bytes of one nested value that a template keeps */
#define NESTED_TRIES 4      /* templates that may read nested values before the full reader does: 64 of them would read one array 64 times */

void sw_json_reader_init(struct sw_json_reader *reader, const struct sw_kernel *kernel, unsigned depth, void (*drop_binding)(void *binding))
{
    *reader = (struct sw_json_reader){.kernel = kernel, .depth = depth, .drop_binding = drop_binding};
}

static void template_free(struct sw_json_reader *reader, struct sw_json_template *template)
{
    if (!template)
        return;
    if (template->binding && reader->drop_binding)
        reader->drop_binding(template->binding);
    sw_free(template->nodes);
    sw_free(template->steps);
    sw_buffer_free(&template->literals);
    sw_buffer_free(&template->names);
    sw_buffer_free(&template->repeated);
    sw_json_usual_free(template);
    sw_free(template);
}

void sw_json_reader_free(struct sw_json_reader *reader)
{
    for (unsigned i = 0; i < reader->template_count; i++)
        template_free(reader, reader->templates[i]);
    sw_free(reader->tokens);
    sw_json_scratch_free(&reader->scratch);
    *reader = (struct sw_json_reader){0};
}

/* While a template is learned: what exists so far, and where the current literal began. */
struct learning {
    struct sw_json_reader *reader;
    struct sw_json_template *template;
    const uint8_t *literal;     /* first byte not yet covered by a step */
    const uint8_t *end;
    uint32_t node_capacity, step_capacity;
};

static const uint8_t *fail(struct sw_json_reader *reader, const uint8_t *at, const char *text)
{
    reader->problem = (struct sw_json_problem){.at = at, .text = text};
    return NULL;
}

static const uint8_t *fail_memory(struct sw_json_reader *reader, const uint8_t *at)
{
    reader->problem = (struct sw_json_problem){at, "memory ran out", true};
    return NULL;
}

static bool add_node(uint32_t *out, struct learning *learning, uint32_t parent, uint32_t name_at, uint32_t name_len)
{
    struct sw_json_template *template = learning->template;
    if (template->node_count == learning->node_capacity) {
        uint32_t capacity = learning->node_capacity ? learning->node_capacity * 2 : 16;
        struct sw_json_node *nodes = sw_realloc_array(template->nodes, capacity, sizeof *nodes);
        if (!nodes)
            return false;
        template->nodes = nodes;
        learning->node_capacity = capacity;
    }
    struct sw_json_reader *reader = learning->reader;
    if (template->node_count >= reader->token_capacity) {
        uint32_t capacity = reader->token_capacity ? reader->token_capacity * 2 : 32;
        struct sw_token *tokens = sw_realloc_array(reader->tokens, capacity + SW_JSON_PLACES_MORE, sizeof *tokens);
        if (!tokens)
            return false;
        reader->tokens = tokens;
        reader->token_capacity = capacity;
    }
    *out = template->node_count++;
    template->nodes[*out] = (struct sw_json_node){
        .name_at = name_at, .name_len = name_len, .parent = parent, .first_child = SW_JSON_NO_NODE, .next = SW_JSON_NO_NODE};
    return true;
}

static bool add_step(struct learning *learning, const uint8_t *literal_end, uint32_t node, bool may_hold_object)
{
    struct sw_json_template *template = learning->template;
    if (template->step_count == learning->step_capacity) {
        uint32_t capacity = learning->step_capacity ? learning->step_capacity * 2 : 16;
        struct sw_json_step *steps = sw_realloc_array(template->steps, capacity, sizeof *steps);
        if (!steps)
            return false;
        template->steps = steps;
        learning->step_capacity = capacity;
    }
    struct sw_json_step *step = &template->steps[template->step_count++];
    *step = (struct sw_json_step){.node = node, .may_hold_object = may_hold_object};
    step->literal_len = (uint32_t)(literal_end - learning->literal);
    uint8_t head[16] = {0}, mask[16] = {0};
    size_t head_len = step->literal_len < 16 ? step->literal_len : 16;
    memcpy(head, learning->literal, head_len);
    memset(mask, 0xff, head_len);
    memcpy(step->literal, head, 16);
    memcpy(step->mask, mask, 16);
    step->tail_at = (uint32_t)template->literals.len;
    step->tail_len = step->literal_len - (uint32_t)head_len;
    sw_buffer_add(&template->literals, learning->literal + head_len, step->tail_len);
    return !template->literals.failed;
}

static const uint8_t *learn_value(struct learning *learning, uint32_t node, const uint8_t *at, unsigned depth);

static const uint8_t *close_object(struct learning *learning, uint32_t node, const uint8_t *start, const uint8_t *brace)
{
    struct sw_json_node *closed = &learning->template->nodes[node];
    closed->close_step = learning->template->step_count;
    closed->close_offset = (uint32_t)(brace + 1 - learning->literal);
    learning->reader->tokens[node] = (struct sw_token){start, (uint32_t)(brace + 1 - start), SW_TOKEN_OBJECT, false};
    return brace + 1;
}

static bool has_duplicate_member(struct learning *learning, uint32_t node)
{
    struct sw_json_template *template = learning->template;
    struct sw_buffer *list = &learning->reader->scratch.names;
    size_t before = list->len, count = 0;
    for (uint32_t child = template->nodes[node].first_child; child != SW_JSON_NO_NODE; child = template->nodes[child].next, count++) {
        struct sw_json_name name = {template->nodes[child].name_at, template->nodes[child].name_len};
        sw_buffer_add(list, &name, sizeof name);
    }
    bool duplicate = !list->failed && sw_json_has_duplicate((struct sw_json_name *)(void *)(list->at + before), count, template->names.at);
    list->len = before;
    return duplicate;
}

static const uint8_t *learn_object(struct learning *learning, uint32_t node, const uint8_t *at, unsigned depth)
{
    struct sw_json_reader *reader = learning->reader;
    const uint8_t *start = at, *end = learning->end;
    struct sw_json_node *opened = &learning->template->nodes[node];
    opened->object = true;
    opened->open_step = learning->template->step_count;
    opened->open_offset = (uint32_t)(at - learning->literal);
    uint32_t last = SW_JSON_NO_NODE;
    at = sw_json_skip_space(at + 1, end);
    if (at < end && *at == '}')
        return close_object(learning, node, start, at);
    for (;;) {
        if (at == end)
            return fail(reader, start, "an object is not closed");
        if (*at != '"')
            return fail(reader, at, "a member name in double quotes was expected");
        bool escaped;
        const uint8_t *inside = at + 1;
        at = sw_json_read_string(&escaped, at, end, reader->kernel, &reader->problem);
        if (!at)
            return NULL;
        struct sw_buffer *names = &learning->template->names;
        size_t name_at = names->len;
        struct sw_bytes raw = sw_bytes_of(inside, (size_t)(at - 1 - inside));
        if (escaped)
            sw_json_unescape_add(names, raw);
        else
            sw_buffer_add_bytes(names, raw);
        if (names->failed)
            return fail_memory(reader, start);
        at = sw_json_skip_space(at, end);
        if (at == end || *at != ':')
            return fail(reader, at, "a colon was expected after a member name");
        at = sw_json_skip_space(at + 1, end);
        uint32_t child;
        if (!add_node(&child, learning, node, (uint32_t)name_at, (uint32_t)(names->len - name_at)))
            return fail_memory(reader, start);
        if (last == SW_JSON_NO_NODE)
            learning->template->nodes[node].first_child = child;
        else
            learning->template->nodes[last].next = child;
        last = child;
        at = learn_value(learning, child, at, depth + 1);
        if (!at)
            return NULL;
        at = sw_json_skip_space(at, end);
        if (at == end)
            return fail(reader, start, "an object is not closed");
        if (*at == '}') {
            bool duplicate = has_duplicate_member(learning, node);
            if (reader->scratch.names.failed)
                return fail_memory(reader, start);
            if (duplicate)
                return fail(reader, start, "an object has two members of one name");
            return close_object(learning, node, start, at);
        }
        if (*at != ',')
            return fail(reader, at, "a comma or a closing brace was expected");
        at = sw_json_skip_space(at + 1, end);
    }
}

/* Keeps a nested value that may come again. One that is spread over lines is left to the full reader, which knows whether that is allowed. */
static bool remember(struct learning *learning, uint32_t step, const uint8_t *at, size_t len)
{
    struct sw_buffer *repeated = &learning->template->repeated;
    if ((*at != '[' && *at != '{') || len > REPEATED_MAX || memchr(at, '\n', len))
        return true;
    learning->template->steps[step].repeat_at = (uint32_t)repeated->len;
    learning->template->steps[step].repeat_len = (uint32_t)len;
    sw_buffer_add(repeated, at, len);
    return !repeated->failed;
}

static const uint8_t *learn_value(struct learning *learning, uint32_t node, const uint8_t *at, unsigned depth)
{
    struct sw_json_reader *reader = learning->reader;
    if (at < learning->end && *at == '{' && depth <= reader->depth)
        return learn_object(learning, node, at, depth);
    if (!add_step(learning, at, node, depth > reader->depth))
        return fail_memory(reader, at);
    uint32_t step = learning->template->step_count - 1;
    learning->template->steps[step].depth = (uint16_t)depth;
    const uint8_t *after = sw_json_read_value(&reader->tokens[node], at, learning->end, depth, reader->kernel, &reader->scratch, &reader->problem);
    learning->literal = after;
    return after && !remember(learning, step, at, (size_t)(after - at)) ? fail_memory(reader, at) : after;
}

static const uint8_t *learn(struct sw_json_template **out, struct sw_json_reader *reader, const uint8_t *at, const uint8_t *end)
{
    struct sw_json_template *template = sw_calloc(1, sizeof *template);
    if (!template)
        return fail_memory(reader, at);
    struct learning learning = {.reader = reader, .template = template, .literal = at, .end = end};
    uint32_t root;
    const uint8_t *after = NULL;
    if (!add_node(&root, &learning, SW_JSON_NO_NODE, 0, 0))
        fail_memory(reader, at);
    else
        after = learn_value(&learning, root, at, 0);
    if (after && !add_step(&learning, after, SW_JSON_NO_NODE, false))
        after = fail_memory(reader, at);
    if (!after) {
        template_free(reader, template);
        return NULL;
    }
    *out = template;
    return after;
}

/* Is it the same but for values? Two records may give equal templates where one has a value the matcher leaves to us (an array). */
static bool same_template(const struct sw_json_template *a, const struct sw_json_template *b)
{
    if (a->node_count != b->node_count || a->step_count != b->step_count || a->literals.len != b->literals.len)
        return false;
    for (uint32_t i = 0; i < a->step_count; i++)
        if (memcmp(a->steps[i].literal, b->steps[i].literal, 16) != 0 || a->steps[i].literal_len != b->steps[i].literal_len || a->steps[i].node != b->steps[i].node)
            return false;
    for (uint32_t i = 0; i < a->node_count; i++)
        if (a->nodes[i].object != b->nodes[i].object)
            return false;
    return a->literals.len == 0 || memcmp(a->literals.at, b->literals.at, a->literals.len) == 0;
}

static void move_to_front(struct sw_json_reader *reader, unsigned from)
{
    struct sw_json_template *found = reader->templates[from];
    memmove(&reader->templates[1], &reader->templates[0], from * sizeof reader->templates[0]);
    reader->templates[0] = found;
}

/* Tries the usual form of a template, unless that has been done, and the template itself. */
static const uint8_t *match(struct sw_json_reader *reader, struct sw_json_template *template, const uint8_t *at, const uint8_t *end, bool try_usual, struct sw_json_scratch *scratch)
{
    if (try_usual && template->usual) {
        const uint8_t *after = reader->kernel->json_match_usual(reader->tokens, template, at, end, scratch);
        if (after) {
            sw_json__note_usual(reader, template);
            return after;
        }
    }
    const uint8_t *after = reader->kernel->json_match(reader->tokens, template, at, end, scratch);
    if (!after)
        return NULL;
    if (template->usual || template->habit.until == 0)
        sw_json_usual_learn(template, reader->tokens, at, after);
    else
        template->habit.until--;
    return after;
}

const uint8_t *sw_json_read_other(struct sw_json_template **out, struct sw_json_reader *reader, const uint8_t *at, const uint8_t *end)
{
    for (unsigned i = 0; i < reader->template_count; i++) {
        const uint8_t *after = match(reader, reader->templates[i], at, end, i > 0, i < NESTED_TRIES ? &reader->scratch : NULL);
        if (after) {
            move_to_front(reader, i);
            *out = reader->templates[0];
            return after;
        }
    }
    struct sw_json_template *learned;
    if (reader->lines) { /* what was learned from one line never matches more than a line */
        const uint8_t *line_end = memchr(at, '\n', (size_t)(end - at));
        end = line_end ? line_end : end;
    }
    const uint8_t *after = learn(&learned, reader, at, end);
    if (!after)
        return NULL;
    for (unsigned i = 0; i < reader->template_count; i++)
        if (same_template(learned, reader->templates[i])) {
            template_free(reader, learned);
            move_to_front(reader, i);
            *out = reader->templates[0];
            return after;
        }
    if (reader->template_count == SW_JSON_TEMPLATES_MAX)
        template_free(reader, reader->templates[--reader->template_count]);
    reader->template_count++;
    memmove(&reader->templates[1], &reader->templates[0], (reader->template_count - 1) * sizeof reader->templates[0]);
    reader->templates[0] = learned;
    *out = learned;
    return after;
}

uint32_t sw_json_child(const struct sw_json_template *template, uint32_t parent, struct sw_bytes name)
{
    for (uint32_t child = template->nodes[parent].first_child; child != SW_JSON_NO_NODE; child = template->nodes[child].next)
        if (sw_bytes_equal(sw_json_node_name(template, child), name))
            return child;
    return SW_JSON_NO_NODE;
}

struct sw_token sw_json_node_token(const struct sw_json_template *template, const struct sw_token *tokens, const uint8_t *record, uint32_t node)
{
    const struct sw_json_node *wanted = &template->nodes[node];
    if (!wanted->object)
        return tokens[node];
    const uint8_t *edge[2];
    const uint32_t steps[2] = {wanted->open_step, wanted->close_step}, offsets[2] = {wanted->open_offset, wanted->close_offset};
    for (int i = 0; i < 2; i++) {
        edge[i] = record;
        if (steps[i]) {
            const struct sw_token *before = &tokens[template->steps[steps[i] - 1].node];
            edge[i] = before->at + before->len + (before->kind == SW_TOKEN_TEXT);
        }
        edge[i] += offsets[i];
    }
    return (struct sw_token){edge[0], (uint32_t)(edge[1] - edge[0]), SW_TOKEN_OBJECT, false};
}
