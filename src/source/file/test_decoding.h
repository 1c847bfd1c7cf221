/* What pg_recvlogical or psql -At wrote of PostgreSQL's plugin test_decoding, as lines of wal2json's version 2, so that all that reads those reads it too.
 *
 * Its values are quoted as SQL is, so that a record, which may hold newlines in quotes, ends at the first newline outside of them; a message says how long it is.
 * What stands in no quotes is one of few words. Anything else becomes a line that is no record of wal2json, {"test_decoding":"…"}: a bad record.
 * Source: PostgreSQL, contrib/test_decoding/test_decoding.c and its expected output; "Logical Decoding" in the manual. */
#ifndef SW_SOURCE_FILE_TEST_DECODING_H
#define SW_SOURCE_FILE_TEST_DECODING_H

#include "source/file/decoder.h"

struct sw_test_decoding;

/* Whether the first decoded bytes are such text: a first line BEGIN, or of a table. */
bool sw_test_decoding_recognises(struct sw_bytes head);

/* Bytes come from `head` (copied; what was read already) and then from `decoder`, or from `feed` where that is NULL; both are borrowed. A record longer than
 * `record_bytes_max` is a bad one. SW_ERR_MEMORY. */
enum sw_code sw_test_decoding_open(struct sw_test_decoding **out, struct sw_bytes head, struct sw_feed *feed, struct sw_decoder *decoder, size_t record_bytes_max, struct sw_error *error);
/* Lines until `len` bytes are there or the text ends; `*got` < `len` means the end. Errors of feed and decoder, and SW_ERR_MEMORY. */
enum sw_code sw_test_decoding_read(size_t *got, struct sw_test_decoding *self, void *at, size_t len, struct sw_error *error);
/* Accepts NULL. */
void sw_test_decoding_close(struct sw_test_decoding **self);

#endif
