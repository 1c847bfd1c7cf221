/* The elements of a JSON array, one after the other. Its token was checked when it was read, so that only memory can fail. */
#ifndef SW_FORMAT_STATE_ARRAY_H
#define SW_FORMAT_STATE_ARRAY_H

#include "text/json_value.h"

struct sw_state_array {
    const uint8_t *at, *end;
    struct sw_json_scratch scratch;
    bool failed;
};

/* False if the token is no array. */
static inline bool sw_state_array_open(struct sw_state_array *array, struct sw_token token)
{
    *array = (struct sw_state_array){0};
    if (token.kind != SW_TOKEN_ARRAY)
        return false;
    array->at = token.at + 1;
    array->end = token.at + token.len - 1;
    return true;
}

/* The next element; false at the end, and if memory ran out. */
static inline bool sw_state_array_next(struct sw_token *out, struct sw_state_array *array)
{
    struct sw_json_problem problem;
    array->at = sw_json_skip_space(array->at, array->end);
    if (array->at < array->end && *array->at == ',')
        array->at = sw_json_skip_space(array->at + 1, array->end);
    if (array->at == array->end)
        return false;
    const uint8_t *after = sw_json_read_value(out, array->at, array->end, 1, sw_kernel_find("scalar"), &array->scratch, &problem);
    array->failed = !after;
    array->at = after ? after : array->end;
    return after != NULL;
}

/* Frees its room. False if memory ran out before the last element. */
static inline bool sw_state_array_close(struct sw_state_array *array)
{
    sw_json_scratch_free(&array->scratch);
    return !array->failed;
}

#endif
