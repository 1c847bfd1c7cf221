#include "order/order_time.h"

#include <stdio.h>

#include "position/scan.h"

#define FRACTION_DIGITS 18
/* `whole` is written with this added, so that it compares as an unsigned number. */
#define BIAS ((uint64_t)1 << 63)

static const char *const names[] = {[SW_TIME_NUMBER] = "number", [SW_TIME_ZONED] = "zoned", [SW_TIME_LOCAL] = "local"};

const char *sw_time_kind_name(enum sw_time_kind kind) { return names[kind]; }

enum sw_time_kind sw_time_kind_of(struct sw_bytes space, const char *part)
{
    struct sw_buffer value = {0};
    enum sw_time_kind kind = SW_TIME_NUMBER;
    if (sw_order_print_space(&value, space, part))
        for (size_t i = 0; i < sizeof names / sizeof *names; i++)
            if (sw_bytes_is(sw_buffer_view(&value), names[i]))
                kind = (enum sw_time_kind)i;
    sw_buffer_free(&value);
    return kind;
}

/* After the point. */
static bool scan_fraction(struct sw_scan *scan, uint64_t *fraction)
{
    unsigned digits = 0;
    uint64_t value = 0;
    for (; scan->at < scan->end && sw_is_digit(*scan->at); scan->at++, digits++) {
        if (digits >= FRACTION_DIGITS) {
            if (*scan->at != '0')
                return false;
            continue;
        }
        value = value * 10 + (uint64_t)(*scan->at - '0');
    }
    for (unsigned i = digits; i < FRACTION_DIGITS; i++)
        value *= 10;
    *fraction = value;
    return digits != 0;
}

#define FRACTION_ONE UINT64_C(1000000000000000000)

static bool read_number(struct sw_order_time *out, struct sw_bytes text)
{
    struct sw_scan scan = sw_scan_of(text);
    bool negative = sw_scan_byte(&scan, '-');
    uint64_t whole;
    *out = (struct sw_order_time){.kind = SW_TIME_NUMBER};
    if (!sw_scan_u64(&scan, &whole) || whole > INT64_MAX)
        return false;
    if (sw_scan_byte(&scan, '.') && !scan_fraction(&scan, &out->fraction))
        return false;
    out->whole = negative ? -(int64_t)whole : (int64_t)whole;
    if (negative && out->fraction) { /* -1.25 is -2 + 0.75 */
        if (out->whole == -INT64_MAX)
            return false;
        out->whole--;
        out->fraction = FRACTION_ONE - out->fraction;
    }
    return sw_scan_done(&scan);
}

static bool scan_digits(struct sw_scan *scan, int count, int *out)
{
    int value = 0;
    if (scan->end - scan->at < count)
        return false;
    for (int i = 0; i < count; i++, scan->at++) {
        if (!sw_is_digit(*scan->at))
            return false;
        value = value * 10 + (*scan->at - '0');
    }
    *out = value;
    return true;
}

/* Days since 1970-01-01 in the proleptic Gregorian calendar. */
static int64_t days_of(int year, int month, int day)
{
    int64_t y = month > 2 ? year : year - 1, era = y / 400, of_era = y - era * 400;
    int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int days_in(int year, int month)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return days[month - 1] + (month == 2 && year % 4 == 0 && (year % 100 != 0 || year % 400 == 0));
}

static bool scan_zone(struct sw_scan *scan, struct sw_order_time *out)
{
    int hours, minutes = 0;
    (void)sw_scan_byte(scan, ' ');
    if (sw_scan_byte(scan, 'Z') || sw_scan_byte(scan, 'z') || sw_scan_word(scan, "UTC"))
        return true;
    bool west = sw_scan_peek(scan, '-');
    if (!west && !sw_scan_peek(scan, '+'))
        return false;
    scan->at++;
    if (!scan_digits(scan, 2, &hours))
        return false;
    bool colon = sw_scan_byte(scan, ':');
    if ((colon || !sw_scan_done(scan)) && !scan_digits(scan, 2, &minutes))
        return false;
    if (hours > 23 || minutes > 59)
        return false;
    int offset = hours * 3600 + minutes * 60;
    out->whole += west ? offset : -offset;
    return true;
}

static bool read_date(struct sw_order_time *out, struct sw_bytes text)
{
    struct sw_scan scan = sw_scan_of(text);
    int year, month, day, hour, minute, second;
    *out = (struct sw_order_time){.kind = SW_TIME_LOCAL};
    if (!scan_digits(&scan, 4, &year) || !sw_scan_byte(&scan, '-') || !scan_digits(&scan, 2, &month) || !sw_scan_byte(&scan, '-') || !scan_digits(&scan, 2, &day))
        return false;
    if (!sw_scan_byte(&scan, 'T') && !sw_scan_byte(&scan, 't') && !sw_scan_byte(&scan, ' '))
        return false;
    if (!scan_digits(&scan, 2, &hour) || !sw_scan_byte(&scan, ':') || !scan_digits(&scan, 2, &minute) || !sw_scan_byte(&scan, ':') || !scan_digits(&scan, 2, &second))
        return false;
    if (sw_scan_byte(&scan, '.') && !scan_fraction(&scan, &out->fraction))
        return false;
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > days_in(year, month) || hour > 23 || minute > 59 || second > 60)
        return false;
    out->whole = days_of(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
    if (!sw_scan_done(&scan)) {
        out->kind = SW_TIME_ZONED;
        if (!scan_zone(&scan, out))
            return false;
    }
    return sw_scan_done(&scan);
}

bool sw_order_time_read(struct sw_order_time *out, struct sw_bytes text) { return read_number(out, text) || read_date(out, text); }

bool sw_order_time_scale(struct sw_order_time *time, uint32_t per_second)
{
    if (time->kind != SW_TIME_NUMBER)
        return true;
    if (!per_second)
        return false;
    int64_t rest = time->whole % per_second;
    time->whole = time->whole / per_second - (rest < 0); /* downwards */
    rest += rest < 0 ? per_second : 0;
    time->fraction = (uint64_t)rest * (FRACTION_ONE / per_second) + time->fraction / per_second;
    time->kind = SW_TIME_ZONED;
    return true;
}

int sw_order_time_compare(const struct sw_order_time *a, const struct sw_order_time *b)
{
    if (a->whole != b->whole)
        return a->whole < b->whole ? -1 : 1;
    return (a->fraction > b->fraction) - (a->fraction < b->fraction);
}

void sw_order_time_put(struct sw_order_writer *writer, const struct sw_order_time *time)
{
    sw_order_put_number(writer, (uint64_t)time->whole + BIAS);
    sw_order_put_number(writer, time->fraction);
}

size_t sw_order_time_put_whole(uint8_t *to, int64_t whole) { return (size_t)(sw_slot_put(sw_slot_put(to, (uint64_t)whole + BIAS), 0) - to); }

static void print_fraction(struct sw_buffer *out, uint64_t fraction)
{
    char digits[24]; /* as many as a uint64_t may have, though fractions have FRACTION_DIGITS */
    if (!fraction)
        return;
    snprintf(digits, sizeof digits, "%018llu", (unsigned long long)fraction);
    for (size_t len = FRACTION_DIGITS; len && digits[len - 1] == '0'; len--)
        digits[len - 1] = '\0';
    sw_buffer_add_byte(out, '.');
    sw_buffer_add_text(out, digits);
}

void sw_order_time_print(struct sw_buffer *out, enum sw_time_kind kind, struct sw_slot whole_slot, struct sw_slot fraction_slot)
{
    int64_t whole = (int64_t)(sw_slot_number(whole_slot) - BIAS);
    uint64_t fraction = sw_slot_number(fraction_slot);
    if (kind == SW_TIME_NUMBER) {
        bool negative = whole < 0;
        if (negative && fraction) {
            whole++;
            fraction = FRACTION_ONE - fraction;
        }
        sw_buffer_printf(out, "%s%llu", negative ? "-" : "", (unsigned long long)(negative ? 0 - (uint64_t)whole : (uint64_t)whole));
        print_fraction(out, fraction);
        return;
    }
    int64_t days = whole / 86400 - (whole % 86400 < 0), of_day = whole - days * 86400;
    int64_t shifted = days + 719468, era = (shifted >= 0 ? shifted : shifted - 146096) / 146097, of_era = shifted - era * 146097;
    int64_t year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365, of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month_from_march = (5 * of_year + 2) / 153, day = of_year - (153 * month_from_march + 2) / 5 + 1;
    int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9, year = year_of_era + era * 400 + (month <= 2);
    sw_buffer_printf(out, "%04lld-%02lld-%02lldT%02lld:%02lld:%02lld", (long long)year, (long long)month, (long long)day, (long long)(of_day / 3600), (long long)(of_day / 60 % 60),
                     (long long)(of_day % 60));
    print_fraction(out, fraction);
    if (kind == SW_TIME_ZONED)
        sw_buffer_add_byte(out, 'Z');
}
