/* Versions made of slots: what the policies of this folder share.
 *
 * A slot is one byte and a magnitude: 0 = the record lacks this part, else 1 + the number of bytes of a big-endian number without leading
 * zeros. So memcmp orders slots by size, what is lacking is lowest, and numbers may be wider than 64 bits. The slots of one
 * policy always stand in the same places; lacking ones at the end are left out. */
#ifndef SW_ORDER_ORDER_SLOTS_H
#define SW_ORDER_ORDER_SLOTS_H

#include "order/integer.h"
#include "order/order.h"

struct sw_slot {
    bool present;
    const uint8_t *at; /* len bytes, big-endian, no leading zeros */
    size_t len;
};

/* Takes the next slot off `left`; false at its end. */
static inline bool sw_slot_next(struct sw_slot *out, struct sw_bytes *left)
{
    if (left->len == 0)
        return false;
    size_t head = left->at[0], len = head ? head - 1 : 0;
    if (len > left->len - 1)
        len = left->len - 1;
    *out = (struct sw_slot){head != 0, left->at + 1, len};
    left->at += 1 + len;
    left->len -= 1 + len;
    return true;
}
/* By the numbers; one that is lacking is zero. */
static inline int sw_slot_compare(struct sw_slot a, struct sw_slot b)
{
    if (a.len != b.len)
        return a.len < b.len ? -1 : 1;
    return a.len ? sw_word_compare(a.at, b.at, a.len) : 0;
}
/* Its value; a slot of more than 8 bytes gives UINT64_MAX. */
uint64_t sw_slot_number(struct sw_slot slot);

/* What encodes one record. A failure is kept: the status of sw_order_finish is the first one. */
struct sw_order_writer {
    const struct sw_order *order;
    const struct sw_order_record *record;
    struct sw_order_key *out;
    enum sw_order_status status;
    uint32_t lacks;            /* declared fields that the record does not have */
    uint8_t room[512];         /* of the text of one field */
};

void sw_order_begin(struct sw_order_writer *writer, struct sw_order_key *out, const struct sw_order *order, const struct sw_order_record *record);
/* Is the field there, and not null? */
static inline bool sw_order_has(const struct sw_order_writer *writer, size_t field)
{
    return writer->record->fields[field].kind != SW_TOKEN_ABSENT && writer->record->fields[field].kind != SW_TOKEN_NULL;
}
/* A row that a snapshot read has no commit of its own: it shows what was committed up to its position, which is thus the commit that it stands behind. `field` is that of the commit,
 * which the run's records have. */
static inline bool sw_order_reads_all_up_to(const struct sw_order_record *record, size_t field) { return record->read && (record->declared >> field & 1); }
/* The text of a field with JSON escapes resolved; raw JSON of an object or array. Valid until the next call. */
struct sw_bytes sw_order_text(struct sw_order_writer *writer, size_t field);
/* The record has no position. */
void sw_order_no_position(struct sw_order_writer *writer);
/* The field is not what it must be: "FIELD is EXPECTED; found …". */
void sw_order_refuse(struct sw_order_writer *writer, size_t field, const char *expected);

void sw_order_put_number(struct sw_order_writer *writer, uint64_t number);
void sw_order_put_bytes(struct sw_order_writer *writer, const uint8_t *at, size_t len);
/* The slot of an optional field that the record lacks. */
void sw_order_put_lack(struct sw_order_writer *writer, size_t field);
/* A decimal number up to 2^64-1, or its lack. */
void sw_order_put_field(struct sw_order_writer *writer, size_t field);
/* Adds "NAME=TEXT" (or TEXT alone, if name is NULL) to the space; bytes that would confuse it are written %XX. */
void sw_order_put_space(struct sw_order_writer *writer, const char *name, struct sw_bytes text);
/* The same for a field, if the record has it: its own name. `source`: it names the source. */
void sw_order_put_space_field(struct sw_order_writer *writer, size_t field, bool source);
enum sw_order_status sw_order_finish(struct sw_order_writer *writer);

/* For sw_order.encode_usual: the slot of a number, at most SW_SLOT_NUMBER_MAX bytes, which are all written. Returns the byte after it. */
#define SW_SLOT_NUMBER_MAX 9
static inline uint8_t *sw_slot_put(uint8_t *to, uint64_t number)
{
    unsigned len = sw_integer_version_put(to, number);
    to[0]++;
    return to + len;
}
/* The same for ten bytes: eight, and two behind them. */
static inline uint8_t *sw_slot_put_ten(uint8_t *to, uint64_t high, uint16_t low)
{
    if (!high)
        return sw_slot_put(to, low);
    uint8_t *after = sw_slot_put(to, high);
    to[0] = (uint8_t)(to[0] + 2);
    *after++ = (uint8_t)(low >> 8);
    *after++ = (uint8_t)low;
    return after;
}
/* 1 to 19 digits as a number. */
static inline bool sw_slot_digits(uint64_t *out, const uint8_t *at, size_t len)
{
    static const uint64_t scale[4] = {1, 10, 100, 1000};
    uint64_t rest = 0;
    if (len <= 16)
        return sw_word_digits(out, at, len);
    if (len > 19 || !sw_word_digits(out, at, 16) || !sw_word_digits(&rest, at + 16, len - 16))
        return false;
    *out = *out * scale[len - 16] + rest;
    return true;
}
/* The number of a token that is a plain one. */
static inline bool sw_slot_plain_number(uint64_t *out, struct sw_token token)
{
    return (token.kind == SW_TOKEN_NUMBER || token.kind == SW_TOKEN_TEXT) && sw_slot_digits(out, token.at, token.len);
}
static inline bool sw_slot_plain_text(struct sw_token token) { return token.kind == SW_TOKEN_TEXT && !token.escaped; }
/* The slot of a number that may be lacking; *end moves behind it if it is there: what lacks at the end of a version is left out. NULL: it is no plain number. */
static inline uint8_t *sw_slot_put_optional(uint8_t **end, uint8_t *to, struct sw_token token)
{
    uint64_t number;
    *to = 0;
    if (token.kind <= SW_TOKEN_NULL)
        return to + 1;
    if (!sw_slot_plain_number(&number, token))
        return NULL;
    return *end = sw_slot_put(to, number);
}
/* How many bytes of a plain text stand before and including the last `byte`; 0: none, or it is no plain text. */
static inline uint32_t sw_slot_head(struct sw_token token, uint8_t byte)
{
    uint32_t len = sw_slot_plain_text(token) ? token.len : 0;
    while (len && token.at[len - 1] != byte)
        len--;
    return len;
}

/* Reads CORE@FIELD=VALUE,FIELD=VALUE. `core` fills the fields that the text before the '@' stands for (false: it is none; `expected` says
 * what one is); it may be empty if a field is given. */
enum sw_order_status sw_order_parse_fields(struct sw_order_key *out, const struct sw_order *order, struct sw_bytes text, const char *expected,
                                           bool (*core)(struct sw_token *fields, struct sw_bytes text));
struct sw_token sw_order_token(struct sw_bytes text);
/* Appends "@" or "," and "NAME=": the next attribute of a printed version. */
void sw_order_print_attribute(struct sw_buffer *out, bool *some, const char *name);
void sw_order_print_number(struct sw_buffer *out, struct sw_slot slot);
/* The value of NAME= in a space, as it was before %XX; false if it is not there. */
bool sw_order_print_space(struct sw_buffer *out, struct sw_bytes space, const char *name);
/* The space's text before this part; all of it if it has none. */
struct sw_bytes sw_order_space_before(struct sw_bytes space, const char *name);
/* Does the space have this part? */
bool sw_order_space_has(struct sw_bytes space, const char *name);

/* Slot by slot: a slot that the position lacks matches anything, one that the version lacks says nothing. `split` as in sw_order. */
enum sw_order_reach sw_order_reach_slots(uint32_t split, struct sw_bytes position, struct sw_bytes version);

#endif
