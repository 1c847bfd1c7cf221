/* The position spaces of a run: texts interned to small ids, and the order that was declared between them. */
#ifndef SW_ORDER_SPACES_H
#define SW_ORDER_SPACES_H

#include <stdint.h>

#include "base/buffer.h"

#define SW_SPACES_MAX 65536u

struct sw_spaces;

/* `declared` (may be empty) are the texts of `--spaces`, oldest first. NULL if memory ran out. */
struct sw_spaces *sw_spaces_new(char *const *declared, size_t declared_count);
void sw_spaces_free(struct sw_spaces **spaces);
/* The id of a space; UINT32_MAX if memory ran out or there are too many. Thread-safe. */
uint32_t sw_spaces_intern(struct sw_spaces *spaces, struct sw_bytes text);
/* Its text; stays valid. Thread-safe. */
struct sw_bytes sw_spaces_text(const struct sw_spaces *spaces, uint32_t id);
uint32_t sw_spaces_count(const struct sw_spaces *spaces);
/* Its rank in the declared order from 0, or UINT32_MAX if none was declared for it. */
uint32_t sw_spaces_rank(const struct sw_spaces *spaces, uint32_t id);

#endif
