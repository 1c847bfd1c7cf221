/* The straight way from tokens to a record, for bindings that leave nothing to decide: rows with or without an image of the row before, operations
 * of a few letters, values of any type. Most records of most streams are of that kind.
 *
 * What the general encoder finds out for each record is found out once a binding, and the record is written as bytes at once. It
 * gives the bytes that the general encoder gives, or declines and changes nothing: a record that has anything unusual in it (an escape in
 * its key, another key than before, a fault, an operation that nobody knows) is for the general encoder to read and to explain. Tests run both over the same records. */
#ifndef SW_FORMAT_STRAIGHT_H
#define SW_FORMAT_STRAIGHT_H

#include "format/encode.h"

/* Longer records are left to the general encoder. */
#define SW_STRAIGHT_BYTES_MAX 8192
/* The same for keys, which are shorter than 128 bytes; with what may be written beyond them. */
#define SW_STRAIGHT_KEY_BYTES_MAX 256

/* Decided once a binding; sw_free. */
struct sw_straight;

/* *out stays NULL if the records of this binding need the general encoder. False if memory ran out. */
bool sw_straight_plan(struct sw_straight **out, const struct sw_binding *binding, const struct sw_format *format, const struct sw_bind_context *context,
                      const struct sw_json_template *template);

/* A record as bytes (model/record.h), and where its parts stand in them. */
struct sw_straight_record {
    struct sw_bytes bytes, key, identity, content;
    uint32_t head, table, set;
};

/* Writes the record to `room`, of SW_STRAIGHT_BYTES_MAX bytes. `tokens` stand in a block (they are followed by SW_BLOCK_PADDING readable bytes), or in a buffer
 * that is padded likewise. False: it declines; nothing is noted anywhere. Uses the encoder's buffers. */
bool sw_straight_encode(struct sw_straight_record *out, uint8_t *room, struct sw_encoder *encoder, const struct sw_binding *binding,
                        const struct sw_json_template *template, const struct sw_token *tokens, const struct sw_record_place *place);

#endif
