/* MongoDB's cluster time and resume tokens. No allocation, any thread. */
#ifndef SW_POSITION_MONGODB_H
#define SW_POSITION_MONGODB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A BSON Timestamp: seconds, and a counter within the second. It orders operations; it is no clock. */
struct sw_cluster_time {
    uint32_t seconds, increment;
};

/* {"$timestamp":{"t":1,"i":2}}, Timestamp(1,2), Timestamp({t:1,i:2}) or 1:2. False, and *out untouched, for anything else. */
bool sw_cluster_time_parse(struct sw_cluster_time *out, const uint8_t *at, size_t len);

/* The cluster time in a resume token's `_data`: hexadecimal text whose first byte is 82, then t and i, big-endian. False for
 * anything else; the rest of a token is internal to the server. */
bool sw_resume_token_time(struct sw_cluster_time *out, const uint8_t *at, size_t len);

static inline int sw_cluster_time_compare(struct sw_cluster_time a, struct sw_cluster_time b)
{
    if (a.seconds != b.seconds)
        return a.seconds < b.seconds ? -1 : 1;
    return (a.increment > b.increment) - (a.increment < b.increment);
}

struct sw_position;
/* The cluster time of a mongodb position, and whether it comes from a resume token. */
struct sw_cluster_time sw_cluster_time_of(const struct sw_position *position, bool *is_token);

#endif
