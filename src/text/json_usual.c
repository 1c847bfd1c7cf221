#include "text/json_usual.h"

#include <string.h>

#include "base/character.h"
#include "base/memory.h"
#include "text/json_template.h"

#define RECORD_MAX (1u << 16)   /* longer records have no usual form */
#define WINDOW_FIRST 8u
#define WINDOW_MAX 1024u
#define WAIT_MAX (1u << 16)
#define RUN_PADDING 64
#define REVIEW_FIRST 16384u     /* records that may match before a form is looked for anew: so many at first, then more where that was of no use */
#define REVIEW_MAX (1u << 24)
#define REVIEW_WINDOW 128u
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
    sw_free(template->habit.least);
    template->habit.least = NULL;
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

/* The bytes of an escape that begins at `at`, in a text that was checked; 0: none does. */
static size_t escape_len(const uint8_t *at) { return *at != '\\' ? 0 : at[1] == 'u' ? 6 : 2; }

/* How far a value is from another one of the stream. Both were checked. */
static enum sw_json_change difference(struct sw_token a, const uint8_t *b)
{
    bool text = a.kind == SW_TOKEN_TEXT;
    enum sw_json_change most = SW_JSON_SAME;
    for (size_t i = 0, escape; i < a.len; i += escape ? escape : 1) {
        escape = text ? escape_len(a.at + i) : 0;
        if (a.at[i] == b[i] && (!escape || memcmp(a.at + i, b + i, escape) == 0))
            continue;
        if (escape || b[i] == '\\' || (!text && a.kind != SW_TOKEN_NUMBER))
            return SW_JSON_ANY;
        if (!sw_is_digit(a.at[i]) || !sw_is_digit(b[i])) {
            if (!text)
                return SW_JSON_ANY;
            most = SW_JSON_PLAIN;
        } else if (most == SW_JSON_SAME) {
            most = SW_JSON_DIGITS;
        }
    }
    return most;
}

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
    habit->change = carve(&room, nodes);
    memcpy(habit->record, record, len);
    for (const struct sw_json_step *step = template->steps; step->node != SW_JSON_NO_NODE; step++) {
        habit->tokens[step->node] = tokens[step->node];
        habit->offsets[step->node] = (uint32_t)(tokens[step->node].at - record);
        habit->change[step->node] = habit->least ? habit->least[step->node] : SW_JSON_SAME;
    }
    habit->left = habit->window;
}

static void hold_against(const struct sw_json_habit *habit, const struct sw_json_template *template, const struct sw_token *tokens)
{
    for (const struct sw_json_step *step = template->steps; step->node != SW_JSON_NO_NODE; step++) {
        struct sw_token first = habit->tokens[step->node], now = tokens[step->node];
        uint8_t *change = &habit->change[step->node], more = SW_JSON_ANY;
        if (*change == SW_JSON_ANY)
            continue;
        first.at = habit->record + habit->offsets[step->node];
        if (first.kind == now.kind && first.len == now.len && first.escaped == now.escaped)
            more = (uint8_t)difference(first, now.at);
        *change = more > *change ? more : *change;
    }
}

/* Which bytes may stand where a value stands that changes no more than that. */
static void bound_value(uint8_t *low, uint8_t *range, struct sw_token token, enum sw_json_change change)
{
    bool text = token.kind == SW_TOKEN_TEXT;
    size_t first = token.kind == SW_TOKEN_NUMBER && *token.at == '-'; /* the first digit of a number */
    for (size_t i = 0, escape; i < token.len; i += escape ? escape : 1) {
        escape = text ? escape_len(token.at + i) : 0;
        if (escape || change == SW_JSON_SAME || change == SW_JSON_ANY)
            continue;
        if (change == SW_JSON_PLAIN && text) {
            low[i] = SW_JSON_PLAIN_LOW;
            range[i] = 0xff - SW_JSON_PLAIN_LOW;
        } else if (sw_is_digit(token.at[i])) {
            bool leads = !text && i == first && i + 1 < token.len && sw_is_digit(token.at[i + 1]);
            low[i] = leads ? '1' : '0';
            range[i] = (uint8_t)('9' - low[i]);
        }
    }
}

/* Makes the usual form of the values that stay where they are. */
static void make_usual(struct sw_json_template *template, const struct sw_token *tokens, const uint8_t *record, const uint8_t *end)
{
    struct sw_json_habit *habit = &template->habit;
    size_t len = (size_t)(end - record), placed = 0, nodes = template->node_count;
    for (const struct sw_json_step *step = template->steps; step->node != SW_JSON_NO_NODE; step++)
        placed += habit->change[step->node] != SW_JSON_ANY;
    if (placed == 0)
        return;
    size_t runs = template->step_count - placed, bounds = len + runs * RUN_PADDING;
    struct sw_json_usual *usual;
    uint8_t *room = sw_calloc(1, rounded(sizeof *usual) + rounded(runs * sizeof *usual->runs) + rounded((nodes + SW_JSON_PLACES_MORE) * sizeof *usual->places) + 2 * rounded(bounds) + rounded(nodes));
    if (!room)
        return;
    usual = carve(&room, sizeof *usual);
    usual->runs = carve(&room, runs * sizeof *usual->runs);
    usual->places = carve(&room, (nodes + SW_JSON_PLACES_MORE) * sizeof *usual->places);
    uint8_t *low = carve(&room, bounds), *range = carve(&room, bounds);
    usual->is_constant = carve(&room, nodes);
    usual->serial = ++habit->serial;
    usual->placed = (uint32_t)placed;
    if (!habit->review)
        habit->review = REVIEW_FIRST;
    else if (habit->placed >= placed && habit->review < REVIEW_MAX)
        habit->review *= 2; /* nothing was gained */
    usual->left = habit->review;
    habit->placed = 0;
    const uint8_t *begin = record;  /* of the run */
    uint32_t first = 0;             /* node in it */
    bool plain = false;
    for (uint32_t node = 0; node < nodes; node++)
        usual->places[node].kind = SW_TOKEN_OBJECT; /* what is none gets its own */
    for (uint32_t i = 0; i < template->step_count; i++) {
        uint32_t node = template->steps[i].node;
        bool last = node == SW_JSON_NO_NODE;
        if (!last && habit->change[node] != SW_JSON_ANY) {
            usual->places[node] = (struct sw_json_place){(uintptr_t)(tokens[node].at - begin), tokens[node].len, tokens[node].kind, tokens[node].escaped};
            usual->is_constant[node] = habit->change[node] == SW_JSON_SAME;
            plain |= habit->change[node] == SW_JSON_PLAIN;
            continue;
        }
        uint32_t behind = last ? (uint32_t)nodes : node;
        const uint8_t *stop = last ? end : value_begin(tokens[node]);
        struct sw_json_run *run = &usual->runs[usual->run_count++];
        *run = (struct sw_json_run){.low = low, .range = range, .places = usual->places + first, .step = &template->steps[i], .len = (size_t)(stop - begin), .place_count = behind - first,
                                    .last = last, .near = !plain && stop - begin <= SW_JSON_NEAR, .plain = plain};
        if (run->len)
            memcpy(low, begin, run->len);
        for (; first < behind; first++)
            if (!template->nodes[first].object)
                bound_value(low + usual->places[first].offset, range + usual->places[first].offset, tokens[first], (enum sw_json_change)habit->change[first]);
        memset(range + run->len, 0xff, RUN_PADDING); /* and low is 0 there */
        memcpy(run->near_low, low, SW_JSON_NEAR);
        memcpy(run->near_range, range, SW_JSON_NEAR);
        low += run->len + RUN_PADDING;
        range += run->len + RUN_PADDING;
        begin = last ? end : value_end(tokens[node]);
        first = behind + 1;
        plain = false;
    }
    template->usual = usual;
}

/* How far a value that did not fit is from those that did. `low` and `range`: which bytes were expected. */
static enum sw_json_change change_of(const struct sw_json_place *place, struct sw_token now, const uint8_t *low, const uint8_t *range)
{
    enum sw_json_change most = SW_JSON_SAME;
    if (place->kind != now.kind || place->len != now.len || place->escaped != now.escaped)
        return SW_JSON_ANY;
    for (uint32_t i = 0; i < now.len; i++) {
        if ((uint8_t)(now.at[i] - low[i]) <= range[i])
            continue;
        bool digits = sw_is_digit(low[i]) && sw_is_digit(now.at[i]);
        if (now.escaped || (now.kind != SW_TOKEN_TEXT && (now.kind != SW_TOKEN_NUMBER || !digits)))
            return SW_JSON_ANY;
        most = digits && most != SW_JSON_PLAIN ? SW_JSON_DIGITS : SW_JSON_PLAIN;
    }
    return most;
}

/* A record did not match because some of its values change more than it seemed. Notes which: the next form will not place them so. False: none was found. */
static bool note_changes(struct sw_json_template *template, const struct sw_token *tokens)
{
    struct sw_json_habit *habit = &template->habit;
    const struct sw_json_usual *usual = template->usual;
    bool found = false;
    if (!habit->least && !(habit->least = sw_calloc(template->node_count, 1)))
        return false;
    for (uint32_t i = 0; i < usual->run_count; i++) {
        const struct sw_json_run *run = &usual->runs[i];
        for (uint32_t k = 0; k < run->place_count; k++) {
            const struct sw_json_place *place = &run->places[k];
            uint32_t node = (uint32_t)(place - usual->places);
            enum sw_json_change change = template->nodes[node].object ? SW_JSON_SAME : change_of(place, tokens[node], run->low + place->offset, run->range + place->offset);
            found |= change > habit->least[node];
            habit->least[node] = change > habit->least[node] ? (uint8_t)change : habit->least[node];
        }
    }
    return found;
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
    if (!template->nodes[0].object) { /* a number that is the whole record ends where no digit follows, and a form does not look there */
        habit->until = WAIT_MAX;
        return;
    }
    if (template->usual) {
        if (may_keep(template->usual))
            return;
        bool found = note_changes(template, tokens);
        drop_usual(template);
        if (found) { /* every value can be found out only so often */
            habit->until = 0;
            return;
        }
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

void sw_json_usual_review(struct sw_json_template *template)
{
    struct sw_json_habit *habit = &template->habit;
    habit->placed = template->usual->placed;
    habit->window = habit->window < REVIEW_WINDOW ? REVIEW_WINDOW : habit->window;
    habit->until = 0;
    if (habit->least)
        memset(habit->least, 0, template->node_count);
    drop_usual(template);
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
