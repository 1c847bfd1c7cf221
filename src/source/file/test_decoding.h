/* What pg_recvlogical or psql -At wrote of PostgreSQL's plugin test_decoding, as lines of wal2json's version 2, so that all that reads those reads it too.
 *
 * Its values are quoted as SQL is, so that a record, which may hold newlines in quotes, ends at the first newline outside of them; a message says how long it is.
 * What stands in no quotes is one of few words. Anything else becomes a line that is no record of wal2json, {"test_decoding":"…"}: a bad record.
 * Source: PostgreSQL, contrib/test_decoding/test_decoding.c and its expected output; "Logical Decoding" in the manual. */
#ifndef SW_SOURCE_FILE_TEST_DECODING_H
#define SW_SOURCE_FILE_TEST_DECODING_H

#include "source/file/convert.h"

/* Appends the lines of one record, without what surrounds it; false, and nothing, where it is none. `room` is scratch. */
bool sw_test_decoding_add(struct sw_buffer *out, struct sw_buffer *room, struct sw_bytes record);
/* Appends a line that tells of a record which is none. */
void sw_test_decoding_add_bad(struct sw_buffer *out, struct sw_bytes record);

#endif
