/* Going through the inside of a JSON array or object that was checked before: element by element, member by member. */
#ifndef SW_TEXT_JSON_WALK_H
#define SW_TEXT_JSON_WALK_H

#include "base/buffer.h"
#include "text/token.h"

struct sw_json_walk {
    const uint8_t *at, *end;
};

/* `token` is an ARRAY or OBJECT token (raw JSON with its brackets). Anything else walks over nothing. */
struct sw_json_walk sw_json_walk_begin(struct sw_token token);
/* The next element; false at the end. */
bool sw_json_walk_element(struct sw_token *value, struct sw_json_walk *walk);
/* The next member: its name as a TEXT token, and its value; false at the end. */
bool sw_json_walk_member(struct sw_token *name, struct sw_token *value, struct sw_json_walk *walk);
/* The value of the first member of that name (as it stands: one with escapes in it is never found); ABSENT if there is none, or `object` is no OBJECT token. */
struct sw_token sw_json_walk_find(struct sw_token object, const char *wanted);

/* Appends a token as the JSON that it was: a text with its quotes. Nothing for an absent one. */
void sw_json_walk_write(struct sw_buffer *out, struct sw_token token);

#endif
