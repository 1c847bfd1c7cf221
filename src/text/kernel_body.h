/* The loops that every kernel shares, compiled once for each instruction set. The including file defines
 * string_end, csv_end and is_ascii for its instruction set, then includes this. */
#include <string.h>

#include "text/json_template.h"
#include "text/json_value.h"

static inline uint64_t load64(const uint8_t *at)
{
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

static inline bool literal_matches(const struct sw_json_step *step, const struct sw_json_template *template, const uint8_t *at, const uint8_t *end)
{
    if ((size_t)(end - at) < step->literal_len)
        return false;
    if (((load64(at) ^ step->literal[0]) & step->mask[0]) | ((load64(at + 8) ^ step->literal[1]) & step->mask[1]))
        return false;
    return step->tail_len == 0 || memcmp(at + 16, template->literals.at + step->tail_at, step->tail_len) == 0;
}

/* How many of the eight bytes at `at` are digits before the first that is none. */
static inline unsigned digit_run(const uint8_t *at)
{
    uint64_t word = load64(at) ^ UINT64_C(0x3030303030303030);
    uint64_t other = (word | (word + UINT64_C(0x7676767676767676))) & UINT64_C(0x8080808080808080); /* above 9 carries into the high bit */
    if (!other)
        return 8;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (unsigned)__builtin_ctzll(other) / 8;
#else
    return (unsigned)__builtin_clzll(other) / 8;
#endif
}

/* A number token: digits first, the rest of the grammar only where it is needed. */
static inline const uint8_t *number_end(const uint8_t *at, const uint8_t *end)
{
    const uint8_t *digits = at + (*at == '-');
    const uint8_t *now = digits;
    unsigned run;
    do {
        run = digit_run(now);
        now += run;
    } while (run == 8 && now < end);
    if (now > end)
        now = end;
    if (now == digits || (*digits == '0' && now - digits > 1))
        return NULL;
    if (now < end && (*now == '.' || (*now | 0x20) == 'e'))
        return sw_json_number_end(at, end);
    return now;
}

static const uint8_t *json_match(struct sw_token *tokens, const struct sw_json_template *template, const uint8_t *at, const uint8_t *end)
{
    const struct sw_json_step *step = template->steps;
    for (;; step++) {
        if (!literal_matches(step, template, at, end))
            return NULL;
        at += step->literal_len;
        if (step->node == SW_JSON_NO_NODE)
            return at;
        if (at >= end)
            return NULL;
        struct sw_token *token = &tokens[step->node];
        if (*at == '"') {
            const uint8_t *close = string_end(at + 1, end);
            if (close == end)
                return NULL;
            token->escaped = false;
            if (*close == '"') {
                token->at = at + 1;
                token->len = (uint32_t)(close - at - 1);
                token->kind = SW_TOKEN_TEXT;
                at = close + 1;
                continue;
            }
            struct sw_json_problem problem;
            close = sw_json_read_string(&token->escaped, at, end, &KERNEL, &problem);
            if (!close)
                return NULL;
            token->at = at + 1;
            token->len = (uint32_t)(close - at - 2);
            token->kind = SW_TOKEN_TEXT;
            at = close;
            continue;
        }
        const uint8_t *after;
        if ((uint8_t)(*at - '0') < 10 || *at == '-') {
            after = number_end(at, end);
            token->kind = SW_TOKEN_NUMBER;
        } else if (*at == 't') {
            after = end - at >= 4 && memcmp(at, "true", 4) == 0 ? at + 4 : NULL;
            token->kind = SW_TOKEN_TRUE;
        } else if (*at == 'f') {
            after = end - at >= 5 && memcmp(at, "false", 5) == 0 ? at + 5 : NULL;
            token->kind = SW_TOKEN_FALSE;
        } else if (*at == 'n') {
            after = end - at >= 4 && memcmp(at, "null", 4) == 0 ? at + 4 : NULL;
            token->kind = SW_TOKEN_NULL;
        } else {
            return NULL; /* arrays, and objects at the depth limit: the full reader has the room to check them */
        }
        if (!after)
            return NULL;
        token->escaped = false;
        token->at = at;
        token->len = (uint32_t)(after - at);
        at = after;
    }
}

const struct sw_kernel KERNEL = {
    .name = KERNEL_NAME, .supported = supported, .string_end = string_end, .is_ascii = is_ascii, .json_match = json_match, .csv_end = csv_end,
};
