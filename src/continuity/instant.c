#include "continuity/instant.h"

#include <stdio.h>
#include <stdlib.h>

#include "position/scan.h"

#define DURATION_SECONDS_MAX 315576000000u

/* Days from 1970-01-01 of the proleptic Gregorian calendar. */
static int64_t days_of(int64_t year, unsigned month, unsigned day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    unsigned of_era = (unsigned)(year - era * 400), of_year = (153 * (month + (month > 2 ? -3u : 9u)) + 2) / 5 + day - 1;
    return era * 146097 + (int64_t)(of_era * 365 + of_era / 4 - of_era / 100 + of_year) - 719468;
}

static void date_of(int64_t days, int64_t *year, unsigned *month, unsigned *day)
{
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    unsigned of_era = (unsigned)(days - era * 146097), year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    unsigned of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100), shifted = (5 * of_year + 2) / 153;
    *day = of_year - (153 * shifted + 2) / 5 + 1;
    *month = shifted < 10 ? shifted + 3 : shifted - 9;
    *year = (int64_t)year_of_era + era * 400 + (*month <= 2);
}

static unsigned days_in(unsigned year, unsigned month)
{
    static const unsigned days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
}

static bool scan_digits(struct sw_scan *scan, unsigned count, unsigned *out)
{
    if ((size_t)(scan->end - scan->at) < count)
        return false;
    *out = 0;
    for (unsigned i = 0; i < count; i++, scan->at++) {
        if (!sw_is_digit(*scan->at))
            return false;
        *out = *out * 10 + (unsigned)(*scan->at - '0');
    }
    return true;
}

/* ".5" → 500000000 */
static bool scan_fraction(struct sw_scan *scan, uint32_t *out)
{
    *out = 0;
    if (!sw_scan_byte(scan, '.'))
        return true;
    unsigned digits = 0;
    for (; scan->at < scan->end && sw_is_digit(*scan->at); scan->at++, digits++) {
        if (digits == 9)
            return false;
        *out = *out * 10 + (uint32_t)(*scan->at - '0');
    }
    for (unsigned i = digits; i < 9; i++)
        *out *= 10;
    return digits > 0;
}

enum sw_instant_status sw_instant_parse(struct sw_instant *out, struct sw_bytes text)
{
    struct sw_scan scan = sw_scan_of(text);
    unsigned year, month, day, hour, minute, second, zone_hour = 0, zone_minute = 0;
    uint32_t fraction;
    if (!scan_digits(&scan, 4, &year) || !sw_scan_byte(&scan, '-') || !scan_digits(&scan, 2, &month) || !sw_scan_byte(&scan, '-') || !scan_digits(&scan, 2, &day)
        || !(sw_scan_byte(&scan, 'T') || sw_scan_byte(&scan, 't') || sw_scan_byte(&scan, ' ')) || !scan_digits(&scan, 2, &hour) || !sw_scan_byte(&scan, ':')
        || !scan_digits(&scan, 2, &minute) || !sw_scan_byte(&scan, ':') || !scan_digits(&scan, 2, &second) || !scan_fraction(&scan, &fraction))
        return SW_INSTANT_WRONG;
    if (month < 1 || month > 12 || day < 1 || day > days_in(year, month) || hour > 23 || minute > 59 || second > 60)
        return SW_INSTANT_WRONG;
    int64_t seconds = days_of(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
    enum sw_instant_status status = SW_INSTANT_KNOWN;
    if (sw_scan_peek(&scan, '+') || sw_scan_peek(&scan, '-')) {
        bool west = *scan.at++ == '-';
        if (!scan_digits(&scan, 2, &zone_hour) || !sw_scan_byte(&scan, ':') || !scan_digits(&scan, 2, &zone_minute) || zone_hour > 23 || zone_minute > 59)
            return SW_INSTANT_WRONG;
        int64_t offset = zone_hour * 3600 + zone_minute * 60;
        seconds += west ? offset : -offset;
    } else if (!sw_scan_byte(&scan, 'Z') && !sw_scan_byte(&scan, 'z')) {
        status = SW_INSTANT_NO_ZONE;
    }
    if (!sw_scan_done(&scan))
        return SW_INSTANT_WRONG;
    *out = (struct sw_instant){seconds, fraction};
    return status;
}

bool sw_duration_parse(struct sw_instant *out, struct sw_bytes text)
{
    struct sw_scan scan = sw_scan_of(text);
    uint64_t seconds;
    uint32_t fraction;
    if (!sw_scan_u64(&scan, &seconds) || seconds > DURATION_SECONDS_MAX || !scan_fraction(&scan, &fraction) || !sw_scan_byte(&scan, 's') || !sw_scan_done(&scan))
        return false;
    *out = (struct sw_instant){(int64_t)seconds, fraction};
    return true;
}

struct sw_instant sw_instant_add(struct sw_instant instant, struct sw_instant duration)
{
    uint32_t nanoseconds = instant.nanoseconds + duration.nanoseconds;
    return (struct sw_instant){instant.seconds + duration.seconds + (nanoseconds >= 1000000000), nanoseconds % 1000000000};
}

struct sw_instant sw_instant_subtract(struct sw_instant instant, struct sw_instant duration)
{
    bool borrow = instant.nanoseconds < duration.nanoseconds;
    return (struct sw_instant){instant.seconds - duration.seconds - borrow, instant.nanoseconds + (borrow ? 1000000000u : 0u) - duration.nanoseconds};
}

const char *sw_instant_print(char out[SW_INSTANT_TEXT_MAX], struct sw_instant instant)
{
    int64_t days = instant.seconds / 86400, left = instant.seconds % 86400, year;
    unsigned month, day;
    if (left < 0) {
        left += 86400;
        days--;
    }
    date_of(days, &year, &month, &day);
    int len = snprintf(out, SW_INSTANT_TEXT_MAX, "%04lld-%02u-%02uT%02lld:%02lld:%02lld", (long long)year, month, day, (long long)(left / 3600), (long long)(left / 60 % 60), (long long)(left % 60));
    if (len > 0 && len < SW_INSTANT_TEXT_MAX && instant.nanoseconds) {
        len += snprintf(out + len, SW_INSTANT_TEXT_MAX - (size_t)len, ".%09u", instant.nanoseconds);
        while (len < SW_INSTANT_TEXT_MAX && out[len - 1] == '0')
            out[--len] = '\0';
    }
    if (len > 0 && len < SW_INSTANT_TEXT_MAX)
        snprintf(out + len, SW_INSTANT_TEXT_MAX - (size_t)len, "Z");
    return out;
}

const char *sw_instant_distance(char out[SW_INSTANT_TEXT_MAX], struct sw_instant a, struct sw_instant b)
{
    struct sw_instant between = sw_instant_compare(a, b) < 0 ? sw_instant_subtract(b, a) : sw_instant_subtract(a, b);
    long long seconds = (long long)between.seconds;
    if (seconds >= 86400)
        snprintf(out, SW_INSTANT_TEXT_MAX, "%lld d %lld h", seconds / 86400, seconds / 3600 % 24);
    else if (seconds >= 3600)
        snprintf(out, SW_INSTANT_TEXT_MAX, "%lld h %lld min", seconds / 3600, seconds / 60 % 60);
    else if (seconds >= 60)
        snprintf(out, SW_INSTANT_TEXT_MAX, "%lld min %lld s", seconds / 60, seconds % 60);
    else
        snprintf(out, SW_INSTANT_TEXT_MAX, "%lld s", seconds);
    return out;
}
