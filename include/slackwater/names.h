/* Which known name was meant by one that is not known: for messages of the form "did you mean 'key'?". */
#ifndef SLACKWATER_NAMES_H
#define SLACKWATER_NAMES_H

#include <stddef.h>

#include "slackwater/export.h"

SW_BEGIN_DECLS

/* The name of `names` ([count], NULL entries are passed over) nearest to `text`, or NULL if none is near enough to be worth offering.
 *
 * Near is: at most a third of the longer one's bytes, and at most 3, have to be inserted, deleted, changed or swapped with their
 * neighbour (the optimal string alignment distance); or `text` has at least 3 bytes and a name begins with it. Case
 * decides only between equally near names; then the first is taken. Texts and names beyond 64 bytes are near to nothing.
 *
 * Owner: the result is one of `names`. Threads: any. Cost: length times length for each name. */
SW_API const char *sw_nearest_name(const char *text, const char *const *names, size_t count);

SW_END_DECLS

#endif
