/* A list of keys, each with the name of its table, that is asked whether it holds a key: which keys are read again.
 *
 * Names of tables and keys as canonical bytes are the same in every run under one declaration; numbers of tables are not. */
#ifndef SW_FOLD_KEY_LIST_H
#define SW_FOLD_KEY_LIST_H

#include <stddef.h>

#include "base/buffer.h"

struct sw_key_list;

#define SW_KEY_LIST_NONE SIZE_MAX

/* `seed` is the run's, so that no input can be made to collide. NULL if memory ran out. */
struct sw_key_list *sw_key_list_new(uint64_t seed);
/* Accepts NULL. */
void sw_key_list_free(struct sw_key_list **list);
/* Adds a key that is not in it. False if memory ran out. Not while others ask. */
bool sw_key_list_add(struct sw_key_list *list, struct sw_bytes table, struct sw_bytes key);
size_t sw_key_list_count(const struct sw_key_list *list);
/* Bytes that the list takes, about. */
size_t sw_key_list_bytes(const struct sw_key_list *list);
/* The key at an index below the count, in the order in which they were added. Valid until the next is added. */
void sw_key_list_at(struct sw_bytes *table, struct sw_bytes *key, const struct sw_key_list *list, size_t index);
/* Its index, or SW_KEY_LIST_NONE. Any thread. */
size_t sw_key_list_find(const struct sw_key_list *list, struct sw_bytes table, struct sw_bytes key);

#endif
