/* What the forms of PostgreSQL's logical decoding share: a row with its position, its transaction and what the plugin wrote. */
#ifndef SW_SOURCE_FILE_PSQL_H
#define SW_SOURCE_FILE_PSQL_H

#include "source/file/convert.h"

/* Is the text an LSN; a transaction's number? */
bool sw_psql_is_lsn(struct sw_bytes text);
bool sw_psql_is_xid(struct sw_bytes text);
/* Is it what a plugin writes: of wal2json a record or its first brace, a line of test_decoding? */
bool sw_psql_shows_record(struct sw_bytes value);
/* One row of the function that reads a slot. `value` holds no newline outside of quotes of test_decoding; a piece of a record of wal2json goes on from the row before. */
void sw_psql_take_row(struct sw_text_work *work, struct sw_bytes lsn, struct sw_bytes xid, struct sw_bytes value);
/* Hands out what is held. */
void sw_psql_finish(struct sw_text_work *work);

#endif
