/* Times as an order: exact, and of three kinds that never compare. */
#ifndef SW_ORDER_ORDER_TIME_H
#define SW_ORDER_ORDER_TIME_H

#include "order/order_slots.h"

enum sw_time_kind {
    SW_TIME_NUMBER, /* a number since some epoch, in some unit: whatever the source says */
    SW_TIME_ZONED,  /* 2026-01-28T12:55:05.094Z */
    SW_TIME_LOCAL   /* the same without a zone */
};

struct sw_order_time {
    enum sw_time_kind kind;
    int64_t whole;     /* the number's whole part, or seconds since 1970 */
    uint64_t fraction; /* in units of 10^-18, upwards from `whole` */
};

#define SW_ORDER_TIME_FORM "a number, or a time such as 2026-01-28T12:55:05.094Z"

/* Dates of the years 1 to 9999, with 'T' or a blank before the time of day; at most 18 digits of fraction; a zone is Z, UTC, ±HH, ±HHMM or
 * ±HH:MM. Numbers have no exponent. False for anything else. */
bool sw_order_time_read(struct sw_order_time *out, struct sw_bytes text);
/* A number becomes the instant that it counts since 1970, in parts of which a second has `per_second` (a power of ten up to 10^9), and a zoned time. False, and
 * nothing is changed, for 0. Others stay what they are. */
bool sw_order_time_scale(struct sw_order_time *time, uint32_t per_second);
/* <0, 0, >0 of two times of one kind. */
int sw_order_time_compare(const struct sw_order_time *a, const struct sw_order_time *b);
/* Two slots. */
void sw_order_time_put(struct sw_order_writer *writer, const struct sw_order_time *time);
/* The same of a whole number, for sw_order.encode_usual: its length. */
size_t sw_order_time_put_whole(uint8_t *to, int64_t whole);
/* "number", "zoned", "local". */
const char *sw_time_kind_name(enum sw_time_kind kind);
/* The kind whose name is this part of the space; SW_TIME_NUMBER if none is. */
enum sw_time_kind sw_time_kind_of(struct sw_bytes space, const char *part);
void sw_order_time_print(struct sw_buffer *out, enum sw_time_kind kind, struct sw_slot whole, struct sw_slot fraction);

#endif
