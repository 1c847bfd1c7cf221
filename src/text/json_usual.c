#include "text/json_usual.h"

#include <string.h>

#include "base/memory.h"
#include "text/json_template.h"

#define RECORD_MAX (1u << 16)   /* longer records have no usual form */
#define WINDOW_FIRST 8u
#define WINDOW_MAX 1024u
#define WAIT_MAX (1u << 16)
#define TEXT_PADDING 64
#define HITS_MAX 4096u          /* after so many, what was before is forgotten */

static const uint8_t *value_begin(struct sw_token token) { return token.at - (token.kind == SW_TOKEN_TEXT); }
static const uint8_t *value_end(struct sw_token token) { return token.at + token.len + (token.kind == SW_TOKEN_TEXT); }

static void end_attempt(struct sw_json_habit *habit)
{
    sw_free(habit->record);
    habit->record = NULL;
}

static void drop_usual(struct sw_json_template *template)
{
    sw_free(template->usual);
    template->usual = NULL;
}

void sw_json_usual_free(struct sw_json_template *template)
{
    end_attempt(&template->habit);
    drop_usual(template);
}

/* One piece of memory for several arrays: the next one of them. Sizes are rounded up, so that each is aligned. */
static void *carve(uint8_t **room, size_t size)
{
    void *at = *room;
    *room += (size + 15) / 16 * 16;
    return at;
}

static size_t rounded(size_t size) { return (size + 15) / 16 * 16; }

/* Keeps the record; from now on values are held against its own. */
static void begin_attempt(struct sw_json_template *template, const struct sw_token *tokens, const uint8_t *record, size_t len)
{
    struct sw_json_habit *habit = &template->habit;
    size_t nodes = template->node_count;
    uint8_t *room = sw_malloc(rounded(len) + rounded(nodes * sizeof *habit->tokens) + rounded(nodes * sizeof *habit->offsets) + rounded(nodes));
    if (!room)
        return; /* it is not needed */
    habit->record = carve(&room, len);
    habit->tokens = carve(&room, nodes * sizeof *habit->tokens);
    habit->offsets = carve(&room, nodes * sizeof *habit->offsets);
    habit->same = carve(&room, nodes);
    memcpy(habit->record, record, len);
    memset(habit->same, 0, nodes);
    for (const struct sw_json_step *step = template->steps; step->node != SW_JSON_NO_NODE; step++) {
        habit->tokens[step->node] = tokens[step->node];
        habit->offsets[step->node] = (uint32_t)(tokens[step->node].at - record);
        habit->same[step->node] = true;
    }
    habit->left = habit->window;
}

static void hold_against(const struct sw_json_habit *habit, const struct sw_json_template *template, const struct sw_token *tokens)
{
    for (const struct sw_json_step *step = template->steps; step->node != SW_JSON_NO_NODE; step++) {
        const struct sw_token *first = &habit->tokens[step->node], *now = &tokens[step->node];
        bool *same = &habit->same[step->node];
        *same = *same && first->kind == now->kind && first->len == now->len && first->escaped == now->escaped &&
                (now->len == 0 || memcmp(habit->record + habit->offsets[step->node], now->at, now->len) == 0);
    }
}

/* Makes the usual form of the values that have not changed. */
static void make_usual(struct sw_json_template *template, const struct sw_token *tokens, const uint8_t *record, const uint8_t *end)
{
    struct sw_json_habit *habit = &template->habit;
    size_t len = (size_t)(end - record), constants = 0;
    for (uint32_t node = 0; node < template->node_count; node++)
        constants += habit->same[node];
    if (constants == 0)
        return;
    size_t runs = template->step_count - constants;
    struct sw_json_usual *usual;
    uint8_t *room = sw_calloc(1, rounded(sizeof *usual) + rounded(runs * sizeof *usual->runs) + rounded(constants * sizeof *usual->constants) + rounded(len + TEXT_PADDING) +
                                     rounded(template->node_count));
    if (!room)
        return;
    usual = carve(&room, sizeof *usual);
    usual->runs = carve(&room, runs * sizeof *usual->runs);
    usual->constants = carve(&room, constants * sizeof *usual->constants);
    uint8_t *text = carve(&room, len + TEXT_PADDING);
    usual->is_constant = carve(&room, template->node_count);
    memcpy(usual->is_constant, habit->same, template->node_count);
    usual->serial = ++habit->serial;
    const uint8_t *begin = record;  /* of the run */
    uint32_t found = 0;
    for (uint32_t i = 0; i < template->step_count; i++) {
        uint32_t node = template->steps[i].node;
        if (node != SW_JSON_NO_NODE && habit->same[node]) {
            usual->constants[found++] = (struct sw_json_constant){{NULL, tokens[node].len, tokens[node].kind, tokens[node].escaped}, node, (uint32_t)(tokens[node].at - begin)};
            continue;
        }
        const uint8_t *stop = node == SW_JSON_NO_NODE ? end : value_begin(tokens[node]);
        struct sw_json_run *run = &usual->runs[usual->run_count++];
        *run = (struct sw_json_run){text, usual->constants + found, &template->steps[i], (uint32_t)(stop - begin), node};
        if (run->len)
            memcpy(text, begin, run->len);
        text += run->len;
        begin = node == SW_JSON_NO_NODE ? end : value_end(tokens[node]);
    }
    template->usual = usual;
}

/* The usual form did not match. Where that is not seldom it is given up, and another one is looked for, among more records. */
static bool may_keep(struct sw_json_usual *usual)
{
    if (usual->hits > HITS_MAX)
        usual->hits = usual->misses = 0;
    usual->misses++;
    return usual->misses <= 4 + usual->hits / 16;
}

void sw_json_usual_learn(struct sw_json_template *template, const struct sw_token *tokens, const uint8_t *record, const uint8_t *end)
{
    struct sw_json_habit *habit = &template->habit;
    size_t len = (size_t)(end - record);
    if (template->usual) {
        if (may_keep(template->usual))
            return;
        drop_usual(template);
        habit->window = habit->window < WINDOW_MAX ? 2 * habit->window : WINDOW_MAX;
        habit->wait = habit->wait < WAIT_MAX ? 2 * habit->wait : WAIT_MAX;
        habit->until = habit->wait;
        return;
    }
    if (!habit->window) {
        habit->window = habit->wait = habit->until = WINDOW_FIRST;
        return;
    }
    if (!habit->record) {
        if (len <= RECORD_MAX)
            begin_attempt(template, tokens, record, len);
        habit->until = habit->record ? 0 : WAIT_MAX;
        return;
    }
    hold_against(habit, template, tokens);
    if (--habit->left)
        return;
    if (len <= RECORD_MAX)
        make_usual(template, tokens, record, end);
    end_attempt(habit);
    habit->wait = template->usual || habit->wait >= WAIT_MAX ? habit->wait : 2 * habit->wait;
    habit->until = habit->wait;
}

bool sw_json_usual_holds(const struct sw_json_template *template, uint32_t node)
{
    const struct sw_json_node *nodes = template->nodes;
    if (!template->usual)
        return false;
    if (!nodes[node].object)
        return template->usual->is_constant[node];
    for (uint32_t child = nodes[node].first_child; child != SW_JSON_NO_NODE; child = nodes[child].next)
        if (!sw_json_usual_holds(template, child))
            return false;
    return true;
}
