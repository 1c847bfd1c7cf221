#include <stdio.h>

#include "order/order.h"

/* The engine knows where a record stands and writes it as this policy prints it: eight bytes, big-endian. */
static enum sw_order_status encode(struct sw_order_key *out, const struct sw_order_record *record)
{
    (void)record;
    out->version_len = out->space_len = out->base_len = 0;
    out->named = false;
    return SW_ORDER_NO_POSITION; /* never called: `arrival` is set */
}

static enum sw_order_status parse(struct sw_order_key *out, struct sw_bytes text)
{
    uint64_t offset = 0;
    for (size_t i = 0; i < text.len; i++)
        if ((uint8_t)(text.at[i] - '0') > 9 || __builtin_mul_overflow(offset, 10u, &offset) || __builtin_add_overflow(offset, (uint64_t)(text.at[i] - '0'), &offset)) {
            snprintf(out->problem, sizeof out->problem, "a place in a file is a byte offset from 0 to 18446744073709551615");
            return SW_ORDER_INVALID;
        }
    for (int i = 0; i < 8; i++)
        out->version[i] = (uint8_t)(offset >> (8 * (7 - i)));
    out->version_len = 8;
    out->space_len = out->base_len = 0;
    out->named = false;
    out->problem[0] = '\0';
    return text.len ? SW_ORDER_OK : SW_ORDER_INVALID;
}

static void print(struct sw_buffer *out, struct sw_bytes version, struct sw_bytes space)
{
    (void)space;
    uint64_t offset = 0;
    for (size_t i = 0; i < version.len; i++)
        offset = offset << 8 | version.at[i];
    sw_buffer_printf(out, "%llu", (unsigned long long)offset);
}

const struct sw_order sw_order_file = {
    .name = "file",
    .summary = "the place in the input, later is newer; only if declared",
    .rule = "Of the records of a key in one input, the one that stands later is the newest. Every input is a space of its own.",
    .tie = "there are none",
    .source = "ours; what a sink does that applies records as they arrive",
    .not_promised = "anything about the source: the order rests on arrival, and re-delivered or shuffled records change the result",
    .position = "LOCATOR=OFFSET, the byte offset at which the last record that counts begins",
    .field_count = 0,
    .arrival = true,
    .encode = encode,
    .parse = parse,
    .print = print,
};
