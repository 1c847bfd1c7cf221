/* Lines that stand between records and are none: what a tool said while it wrote them, where its messages went into the same file, and comments. */
#ifndef SW_RECONCILE_BETWEEN_H
#define SW_RECONCILE_BETWEEN_H

#include "base/buffer.h"

/* What a line that is no JSON is counted as; NULL: it is a bad record. Messages are known ones, word by word: one that tells of an error is none of them. Static text.
 * Sources: edenhill/kcat, kcat.c; apache/kafka, ConsoleConsumer. */
const char *sw_between_kind(struct sw_bytes line);
/* What may be wrong with a line that is no record, as the end of a sentence; "" if it looks like nothing that is known. Static text. */
const char *sw_between_hint(struct sw_bytes line);
/* Does the line hold a record behind (or in front of) something else, as tools write keys, partitions and offsets with separators of one's own? */
bool sw_between_is_keyed(struct sw_bytes line);

#endif
