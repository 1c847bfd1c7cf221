/* The encoder: turns one record, through its binding, into the engine's form. The hot path after scanning. */
#ifndef SW_FORMAT_ENCODE_H
#define SW_FORMAT_ENCODE_H

#include "format/format.h"
#include "model/record.h"
#include "order/spaces.h"

enum sw_encode_status {
    SW_ENCODE_ROW,             /* records[0 … record_count) are valid until the next call */
    SW_ENCODE_TRUNCATE,        /* records[0] is a tombstone without a key, for every key of its table */
    SW_ENCODE_OTHER_TABLE,     /* a row of a table that is not in scope */
    SW_ENCODE_NOT_ROW_CHANGE,  /* `kind` says what it is */
    SW_ENCODE_FRAME,           /* no record: a line of the file's own, such as a header */
    SW_ENCODE_BAD,             /* `bad_reason`, `bad_text`; if record_count is 1, records[0] is the mark that blocks its key */
    SW_ENCODE_FAILED           /* memory ran out, or too many spaces: the run cannot go on */
};

/* The first value of a column that was none of its type, by where it stands: what was expected and found. */
struct sw_invalid_value {
    const struct sw_column *column;
    uint32_t input;
    uint64_t block, line;
    char text[256];
};

/* One a column. Zero-initialise. `at` may be put in another order once nothing more is added. */
struct sw_invalid_values {
    struct sw_invalid_value *at;
    uint32_t count, capacity;
    uint32_t *places;           /* by the column's id: 1 + where in `at` it stands; 0: not there. A record can have thousands of such columns */
    uint32_t place_count;
};

/* Keeps the earlier one of a column. False if memory ran out. */
bool sw_invalid_values_add(struct sw_invalid_values *values, const struct sw_invalid_value *seen);
void sw_invalid_values_free(struct sw_invalid_values *values);

/* A space of which a record was that sw_order.encode_usual took, and what makes another record one of the same space. A dump of a topic has a few of them by turns. */
#define SW_USUAL_SPACES 4
struct sw_usual_space {
    bool known, read;
    uint32_t has, id;
    struct sw_token fields[SW_ORDER_FIELD_COUNT_MAX]; /* as encode_usual left them; their texts stand in `texts` */
    size_t offsets[SW_ORDER_FIELD_COUNT_MAX];
    struct sw_buffer texts;
};

/* Zero-initialise, set `context`, `spaces` and, for an arrival order, `arrival_space` per input. One a thread and role. */
#define SW_TRANSACTION_ID_MAX 40 /* bytes of a transaction's id; a longer one is not known */

struct sw_encoder {
    const struct sw_bind_context *context;
    struct sw_spaces *spaces;
    struct sw_value_scratch scratch;
    struct sw_buffer key, values, identity, canonical, old_key, old_values;
    struct sw_buffer claimed, claimed_values, step;
    uint8_t claim;                      /* what the operation says of the row before (enum sw_record_claim) */
    struct sw_decode_room decode;
    struct sw_buffer spelled[SW_ORDER_FIELD_COUNT_MAX]; /* native values of a row as text, for what is no column */
    struct sw_order_key order;
    uint8_t space[SW_SPACE_BYTES_MAX];  /* the last one, and its id */
    uint16_t space_len;
    uint32_t space_id;
    bool space_known;
    struct sw_usual_space usual[SW_USUAL_SPACES];
    unsigned usual_oldest;
    uint32_t arrival_space;
    struct sw_record records[2];        /* a change of key gives two: a removal and a write */
    unsigned record_count;
    const char *bad_reason;             /* static */
    char bad_text[320];
    char kind[48];
    uint64_t null_flags;                /* soft-delete flags that were null */
    uint64_t invalid_values;            /* values that made their column unknown */
    struct sw_invalid_values invalid;   /* what is told of them */
    bool claiming;                      /* the image is one that an event claims to replace: nothing of it is told */
    bool saw_version, saw_deleted;      /* any record of the role so far */
    struct { bool seen; uint64_t records, sum; } end; /* of a saved state: its end line, after SW_ENCODE_FRAME */
    struct sw_buffer members;           /* the same: what a line holds of the events of a transaction (struct sw_state_member), after SW_ENCODE_FRAME; else empty */
    struct { bool is; uint8_t len; uint8_t id[SW_TRANSACTION_ID_MAX]; } open; /* the same: the record's transaction was open, and may yet end if its id is told */
};

/* Where the record stands. */
struct sw_record_place {
    uint32_t input;                     /* of all inputs of the run */
    uint64_t block, line;
    uint64_t offset;                    /* in the decoded input, for an arrival order */
    const uint8_t *record;              /* its first byte */
};

enum sw_encode_status sw_encode(struct sw_encoder *encoder, const struct sw_binding *binding, const struct sw_json_template *template,
                                const struct sw_token *tokens, const struct sw_record_place *place);
void sw_encoder_free(struct sw_encoder *encoder);

/* The same for one who wants to know where an event stands and what it does, and nothing of its row: *operation, and records[0] with its table, place,
 * space and version alone (without SW_RECORD_VERSION: it has no position). Tokens are followed by SW_ORDER_TOKEN_PADDING readable bytes. */
enum sw_encode_status sw_encode_position(struct sw_encoder *encoder, enum sw_operation *operation, const struct sw_binding *binding, const struct sw_json_template *template,
                                         const struct sw_token *tokens, const struct sw_record_place *place);

/* For formats that encode by themselves. */
struct sw_token sw_encode__token(const struct sw_json_template *template, const struct sw_token *tokens, const struct sw_record_place *place, uint32_t node);
/* SW_ENCODE_BAD with what is wrong with it; `found` may be absent. `reason` is static. */
enum sw_encode_status sw_encode__bad(struct sw_encoder *encoder, const char *reason, const char *what, struct sw_token found);
/* The text of a token, unescaped; valid until the encoder is used again. */
struct sw_bytes sw_encode__text(struct sw_encoder *encoder, struct sw_token token);
/* `key` becomes the key that stands at the nodes of `image`. */
enum sw_encode_status sw_encode__key(struct sw_encoder *encoder, struct sw_buffer *key, const struct sw_bound_image *image, const struct sw_binding *binding,
                                     const struct sw_json_template *template, const struct sw_token *tokens, const struct sw_record_place *place);
/* Does the value stand for one that the record does not show? */
bool sw_encode__is_unavailable(const struct sw_encoder *encoder, const struct sw_bound_column *bound, struct sw_token token);
/* Version, space and the flag that there is one, by the order of the run. `read`: the record shows a row as it was read from the table. */
enum sw_encode_status sw_encode__version(struct sw_encoder *encoder, struct sw_record *record, bool read, const struct sw_binding *binding,
                                         const struct sw_json_template *template, const struct sw_token *tokens, const struct sw_record_place *place);
/* The same for tokens that are followed by SW_ORDER_TOKEN_PADDING readable bytes: sw_order.encode_usual first. */
enum sw_encode_status sw_encode__version_at_once(struct sw_encoder *encoder, struct sw_record *record, bool read, const struct sw_binding *binding,
                                                 const struct sw_json_template *template, const struct sw_token *tokens, const struct sw_record_place *place);
/* What sw_binding.usual_order is. `order` may be NULL. */
uint32_t sw_encode__usual_order(const struct sw_binding *binding, const struct sw_order *order, const struct sw_json_template *template);
/* The token of a node for what reads texts and numbers but no native values. `slot` keeps what must live side by side apart. */
struct sw_token sw_encode__readable(struct sw_encoder *encoder, size_t slot, const struct sw_json_template *template, const struct sw_token *tokens, const struct sw_record_place *place, uint32_t node);

#endif
