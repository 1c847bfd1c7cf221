/* Avro object container files as JSON lines: one record a line, so that all that reads lines reads them too.
 *
 * The decoder is our own (docs/decisions/0004-avro.md) and takes nothing on trust: lengths are believed only as far as bytes arrive,
 * nesting, schema and block sizes have limits, and a record that would become longer than a record may be is handed out cut, just long
 * enough that whoever reads lines sees it is too long.
 *
 * How values are spelled: docs/formats.md, "Avro". What type each field has: `fields` of an opened file. */
#ifndef SW_SOURCE_FILE_AVRO_H
#define SW_SOURCE_FILE_AVRO_H

#include "model/field_tree.h"
#include "source/file/decoder.h"

struct sw_avro;

/* Whether the first decoded bytes are those of an Avro file. */
bool sw_avro_recognises(struct sw_bytes head);

/* Reads the header and the schema. Bytes come from `head` (copied; what was read already) and then from `decoder`, or from `feed` where that
 * is NULL; both are borrowed. `record_bytes_max` is the longest line that a reader takes.
 * SW_ERR_INPUT for a file that is cut or damaged, or whose schema is none; SW_ERR_UNSUPPORTED for a codec that this build has not;
 * SW_ERR_LIMIT; SW_ERR_IO. */
enum sw_code sw_avro_open(struct sw_avro **out, struct sw_bytes head, struct sw_feed *feed, struct sw_decoder *decoder, size_t record_bytes_max, struct sw_error *error);
/* What the schema says of its fields. Owned by the file; NULL if its records are no records of fields. */
const struct sw_field_tree *sw_avro_fields(const struct sw_avro *avro);
/* Gives the tree away: the caller frees it. */
struct sw_field_tree *sw_avro_take_fields(struct sw_avro *avro);
/* Lines until `len` bytes are there or the file ends; `*got` < `len` means the end. Errors as at opening; they stick. */
enum sw_code sw_avro_read(size_t *got, struct sw_avro *avro, void *at, size_t len, struct sw_error *error);
/* Accepts NULL. */
void sw_avro_close(struct sw_avro **avro);

#endif
