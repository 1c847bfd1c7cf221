/* Points in time and lengths of time, as the cloud's JSON writes them. Nanoseconds, no floating point. */
#ifndef SW_CONTINUITY_INSTANT_H
#define SW_CONTINUITY_INSTANT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"

struct sw_instant {
    int64_t seconds;      /* since 1970-01-01T00:00:00Z; years 0 to 9999 */
    uint32_t nanoseconds;
};

enum sw_instant_status {
    SW_INSTANT_KNOWN,
    SW_INSTANT_NO_ZONE, /* a date and time without Z or an offset: it compares with nothing */
    SW_INSTANT_WRONG
};

/* RFC 3339: 2031-02-03T04:05:06.123456789Z or with +01:00; 'T' may be a blank, a fraction has 1 to 9 digits. */
enum sw_instant_status sw_instant_parse(struct sw_instant *out, struct sw_bytes text);

/* Seconds with the suffix s and up to 9 decimals, "604800s", "3600.5s"; not negative, at most ten thousand years. */
bool sw_duration_parse(struct sw_instant *out, struct sw_bytes text);

static inline int sw_instant_compare(struct sw_instant a, struct sw_instant b)
{
    if (a.seconds != b.seconds)
        return a.seconds < b.seconds ? -1 : 1;
    return (a.nanoseconds > b.nanoseconds) - (a.nanoseconds < b.nanoseconds);
}

struct sw_instant sw_instant_add(struct sw_instant instant, struct sw_instant duration);
struct sw_instant sw_instant_subtract(struct sw_instant instant, struct sw_instant duration);

/* "2031-02-03T04:05:06Z", with a fraction if there is one. */
#define SW_INSTANT_TEXT_MAX 40
const char *sw_instant_print(char out[SW_INSTANT_TEXT_MAX], struct sw_instant instant);
/* The length of time between two instants, whichever is earlier: "6 d 3 h", "3 h 20 min", "45 s". */
const char *sw_instant_distance(char out[SW_INSTANT_TEXT_MAX], struct sw_instant a, struct sw_instant b);

#endif
