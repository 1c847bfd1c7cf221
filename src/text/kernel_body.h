/* The loops that every kernel shares, compiled once for each instruction set. The including file defines
 * string_end, string_end_near, digits_end, digits_end_near, csv_end, is_ascii, fits and put_places for its instruction set, then includes this. */
#include <string.h>

#include "base/word.h"
#include "text/json_template.h"
#include "text/json_value.h"

/* Whether the literal stands at `at`, which may be as far as `end`: what lies behind `end` may match too, so whoever goes on from there checks. */
static inline bool literal_matches(const struct sw_json_step *step, const struct sw_json_template *template, const uint8_t *at, const uint8_t *end)
{
    if (((sw_word_load(at) ^ step->literal[0]) & step->mask[0]) | ((sw_word_load(at + 8) ^ step->literal[1]) & step->mask[1]))
        return false;
    return step->tail_len == 0 || (end - at >= (ptrdiff_t)step->literal_len && memcmp(at + 16, template->literals.at + step->tail_at, step->tail_len) == 0);
}

/* A number token: digits first, the rest of the grammar only where it is needed. */
static inline const uint8_t *number_end(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *digits = at + (*at == '-');
    const uint8_t *now = digits_end(digits, end);
    if (now == digits || (*digits == '0' && now - digits > 1))
        return NULL;
    if ((*now == '.' || (*now | 0x20) == 'e') && now < end)
        return sw_json_number_end(at, end);
    return now;
}

static const uint8_t *word_end(const uint8_t *at, const uint8_t *end, const char *word, size_t len)
{
    return (size_t)(end - at) >= len && memcmp(at, word, len) == 0 ? at + len : NULL;
}

/* Which token a value's first byte begins. One look-up: a minus is as likely as a digit in many a column, and to guess would be wrong half of the time.
 * Arrays and objects are left out: read_nested. */
static const uint8_t begins[256] = {
    ['"'] = SW_TOKEN_TEXT, ['-'] = SW_TOKEN_NUMBER, ['0'] = SW_TOKEN_NUMBER, ['1'] = SW_TOKEN_NUMBER, ['2'] = SW_TOKEN_NUMBER, ['3'] = SW_TOKEN_NUMBER,
    ['4'] = SW_TOKEN_NUMBER, ['5'] = SW_TOKEN_NUMBER, ['6'] = SW_TOKEN_NUMBER, ['7'] = SW_TOKEN_NUMBER, ['8'] = SW_TOKEN_NUMBER, ['9'] = SW_TOKEN_NUMBER,
    ['t'] = SW_TOKEN_TRUE, ['f'] = SW_TOKEN_FALSE, ['n'] = SW_TOKEN_NULL,
};

/* An array, or an object at the depth limit. What a line may hold is the full reader's to say: one with a line end in it does not match. */
static const uint8_t *read_nested(struct sw_token *token, const struct sw_json_step *step, const struct sw_json_template *template, const uint8_t *at, const uint8_t *end,
                                  struct sw_json_scratch *scratch)
{
    if (step->repeat_len && (size_t)(end - at) >= step->repeat_len && memcmp(at, template->repeated.at + step->repeat_at, step->repeat_len) == 0) {
        *token = (struct sw_token){at, step->repeat_len, *at == '[' ? SW_TOKEN_ARRAY : SW_TOKEN_OBJECT, false};
        return at + step->repeat_len;
    }
    if (!scratch || (*at != '[' && (*at != '{' || !step->may_hold_object)))
        return NULL;
    struct sw_json_problem problem;
    const uint8_t *after = sw_json_read_value(token, at, end, step->depth, &KERNEL, scratch, &problem);
    return after && !memchr(at, '\n', (size_t)(after - at)) ? after : NULL;
}

/* The byte after a string that begins at `string`, of which all before `at` is plain, and which does not end there; NULL: it is none. Escapes of one letter are
 * passed over here. */
static const uint8_t *escaped_end(const uint8_t *at, const uint8_t *string, const uint8_t *end)
{
    static const bool letters[256] = {['"'] = true, ['\\'] = true, ['/'] = true, ['b'] = true, ['f'] = true, ['n'] = true, ['r'] = true, ['t'] = true};
    while (end - at >= 2 && *at == '\\' && letters[at[1]]) {
        at = string_end(at + 2, end);
        if (at < end && *at == '"')
            return at + 1;
    }
    struct sw_json_problem problem;
    bool escaped;
    return at < end ? sw_json_read_string(&escaped, string, end, &KERNEL, &problem) : NULL;
}

/* A value that is neither a plain text nor a plain integer without a sign. */
static const uint8_t *read_other(struct sw_token *token, const struct sw_json_step *step, const struct sw_json_template *template, const uint8_t *at, const uint8_t *end,
                                 struct sw_json_scratch *scratch)
{
    uint8_t kind = begins[*at];
    const uint8_t *after;
    if (kind == SW_TOKEN_TEXT) {
        after = escaped_end(string_end(at + 1, end), at, end);
        if (after)
            *token = (struct sw_token){at + 1, (uint32_t)(after - 2 - at), SW_TOKEN_TEXT, true};
        return after;
    }
    if (kind == SW_TOKEN_NUMBER)
        after = number_end(at, end);
    else if (kind == SW_TOKEN_NULL)
        after = word_end(at, end, "null", 4);
    else if (kind == SW_TOKEN_FALSE)
        after = word_end(at, end, "false", 5);
    else if (kind == SW_TOKEN_TRUE)
        after = word_end(at, end, "true", 4);
    else
        return read_nested(token, step, template, at, end, scratch);
    if (after)
        *token = (struct sw_token){at, (uint32_t)(after - at), kind, false};
    return after;
}

/* The length of the "true" or "false" that stands here, or 0. Which of them it is cannot be foreseen: nothing branches on it. */
static inline uint32_t truth_len(const uint8_t *at)
{
    uint64_t yes, no, word = sw_word_load(at);
    memcpy(&yes, "true\0\0\0", 8);
    memcpy(&no, "false\0\0", 8);
    bool is_true = *at == 't';
    uint64_t differs = (word ^ (is_true ? yes : no)) & (is_true ? sw_word_mask(4) : sw_word_mask(5));
    return differs ? 0 : 5 - (uint32_t)is_true;
}

/* What goes on after digits: an integer does not end before it. */
static const bool goes_on[256] = {['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true, ['4'] = true, ['5'] = true, ['6'] = true, ['7'] = true, ['8'] = true, ['9'] = true, ['.'] = true, ['e'] = true, ['E'] = true};

/* The value that follows a step. NULL if it is none, or not one that a template may have there. Most values are a text without escapes or an integer, and shorter
 * than a vector: those take the fewest steps. They may end behind `end`, for what stands there is not looked at apart: whoever goes on from there checks. */
static inline const uint8_t *read_value(struct sw_token *token, const struct sw_json_step *step, const struct sw_json_template *template, const uint8_t *at, const uint8_t *end,
                                        struct sw_json_scratch *scratch)
{
    if (*at == '"') {
        const uint8_t *inside = at + 1, *after = string_end_near(inside);
        if (*after != '"' && *(after = string_end(after, end)) != '"')
            return read_other(token, step, template, at, end, scratch);
        *token = (struct sw_token){inside, (uint32_t)(after - inside), SW_TOKEN_TEXT, false};
        return after + 1;
    }
    const uint8_t *first = at + (*at == '-'); /* a minus is as likely as a digit in many a column */
    if ((uint8_t)(*first - '1') < 9) {
        const uint8_t *after = digits_end_near(first);
        if (!goes_on[*after]) {
            *token = (struct sw_token){at, (uint32_t)(after - at), SW_TOKEN_NUMBER, false};
            return after;
        }
    } else {
        uint32_t len = truth_len(at);
        if (len) {
            *token = (struct sw_token){at, len, (uint8_t)(SW_TOKEN_FALSE + 5 - len), false};
            return at + len;
        }
    }
    return read_other(token, step, template, at, end, scratch);
}

static const uint8_t *json_match(struct sw_token *tokens, const struct sw_json_template *template, const uint8_t *at, const uint8_t *end, struct sw_json_scratch *scratch)
{
    for (const struct sw_json_step *step = template->steps;; step++) {
        if (!literal_matches(step, template, at, end))
            return NULL;
        at += step->literal_len;
        if (step->node == SW_JSON_NO_NODE)
            return at <= end ? at : NULL;
        if (at >= end)
            return NULL;
        at = read_value(&tokens[step->node], step, template, at, end, scratch);
        if (!at)
            return NULL;
    }
}

static const uint8_t *json_match_usual(struct sw_token *tokens, const struct sw_json_template *template, const uint8_t *at, const uint8_t *end, struct sw_json_scratch *scratch)
{
    const struct sw_json_usual *usual = template->usual;
    for (const struct sw_json_run *run = usual->runs;; run++) {
        if (end - at < (ptrdiff_t)run->len || !fits(at, run))
            return NULL;
        put_places(tokens, run, at); /* nodes are numbered as they stand: the next one is that of the value that follows */
        tokens += run->place_count;
        at += run->len;
        if (run->last)
            return at;
        if (at == end)
            return NULL;
        at = read_value(tokens++, run->step, template, at, end, scratch);
        if (!at)
            return NULL;
    }
}

const struct sw_kernel KERNEL = {
    .name = KERNEL_NAME, .supported = supported, .string_end = string_end, .is_ascii = is_ascii, .json_match = json_match, .json_match_usual = json_match_usual, .csv_end = csv_end,
};
