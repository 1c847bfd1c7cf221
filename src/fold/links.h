/* Keys between which rows moved with columns that the event did not show: the new key's row takes them from the old key's, so these keys are folded
 * together, after all others (fold_late.h). */
#ifndef SW_FOLD_LINKS_H
#define SW_FOLD_LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "model/record.h"

/* Appends what is kept of a record with SW_CLAIM_MOVED while reading. */
void sw_fold_link_add(struct sw_buffer *list, const struct sw_record *record);

struct sw_fold_links;
/* From all that was kept. `seed` is the run's, so that no input can be made to collide. *out stays NULL if that is nothing. Errors: SW_ERR_MEMORY, SW_ERR_LIMIT. */
enum sw_code sw_fold_links_new(struct sw_fold_links **out, struct sw_bytes list, uint64_t seed, struct sw_error *error);
void sw_fold_links_free(struct sw_fold_links **links);
/* Is the key one of them? Keys that are linked, over whatever others, have the same group. `links` may be NULL. Thread-safe. */
bool sw_fold_links_find(uint32_t *group, const struct sw_fold_links *links, uint32_t table, struct sw_bytes key);

#endif
