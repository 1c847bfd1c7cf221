/* date, time, timestamp, timestamptz. Canonical bytes, high byte first, so that memcmp orders by time:
 *
 *     date         4 bytes: days since 1970-01-01, plus 2^31
 *     time         7 bytes: nanoseconds since midnight, plus 2^55; 1 byte: 1 if it was written with a zone (then it is UTC), else 0
 *     timestamp    6 bytes: seconds since 1970-01-01 00:00:00, plus 2^47; 4 bytes: nanoseconds; 1 byte as for time
 *
 * The infinities of PostgreSQL are all bits 0 and all bits 1 (and 1 in the last byte). The calendar is the proleptic
 * Gregorian one (ISO 8601), the ranges are those of PostgreSQL for date and timestamp and of MySQL for time. */
#include "model/value.h"

#include <stdio.h>

#define DAY_NS INT64_C(86400000000000)
#define SECOND_NS INT64_C(1000000000)
#define YEAR_MIN (-4713)             /* 4714 BC */
#define FIRST_DAY INT64_C(-2440588)  /* 4714-11-24 BC, from which Julian days count */
#define DATE_YEAR_MAX 5874897
#define TIMESTAMP_YEAR_MAX 294276
#define TIME_MAX_NS (839 * 3600 * SECOND_NS - 1) /* 838:59:59.999999999 either way */
#define DATE_BIAS (INT64_C(1) << 31)
#define TIME_BIAS (INT64_C(1) << 55)
#define SECOND_BIAS (INT64_C(1) << 47)

/* Days from 1970-01-01 and back: the era method of Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms". */
static int64_t days_from_civil(int64_t year, unsigned month, unsigned day)
{
    year -= month <= 2;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t year_of_era = year - era * 400;
    int64_t day_of_year = (153 * ((int64_t)month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

static void civil_from_days(int64_t *year, unsigned *month, unsigned *day, int64_t days)
{
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    int64_t day_of_era = days - era * 146097;
    int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t from_march = (5 * day_of_year + 2) / 153;
    *day = (unsigned)(day_of_year - (153 * from_march + 2) / 5 + 1);
    *month = (unsigned)(from_march < 10 ? from_march + 3 : from_march - 9);
    *year = year_of_era + era * 400 + (*month <= 2);
}

static unsigned month_days(int64_t year, unsigned month)
{
    static const uint8_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return days[month - 1] + (month == 2 && leap);
}

struct cursor {
    const uint8_t *at, *end;
};

static bool take(struct cursor *c, uint8_t byte)
{
    if (c->at == c->end || *c->at != byte)
        return false;
    c->at++;
    return true;
}

static bool is_digit(const struct cursor *c) { return c->at < c->end && (unsigned)*c->at - '0' <= 9; }

/* `min` to `max` (at most 9) digits. */
static bool take_digits(struct cursor *c, uint32_t *out, int min, int max)
{
    uint32_t value = 0;
    int count = 0;
    for (; count < max && is_digit(c); count++)
        value = value * 10 + (*c->at++ - '0');
    *out = value;
    return count >= min && !is_digit(c);
}

static bool take_word(struct cursor *c, const char *word)
{
    size_t len = strlen(word);
    if ((size_t)(c->end - c->at) < len || !sw_value__is_word(sw_bytes_of(c->at, len), word))
        return false;
    c->at += len;
    return true;
}

struct moment {
    int64_t year;
    uint32_t month, day;
    int64_t nanoseconds;      /* of the day; for `time` of any size */
    bool has_date, signed_year, has_zone;
    bool finer;               /* digits below a nanosecond that are not 0 */
    int32_t zone_seconds;
};

static bool take_date(struct cursor *c, struct moment *m)
{
    bool sign = c->at < c->end && (*c->at == '+' || *c->at == '-');
    bool before = sign && *c->at == '-';
    c->at += sign;
    uint32_t year;
    if (!take_digits(c, &year, 4, 7) || !take(c, '-') || !take_digits(c, &m->month, 2, 2) || !take(c, '-') || !take_digits(c, &m->day, 2, 2))
        return false;
    m->year = before ? -(int64_t)year : year;
    m->signed_year = sign;
    m->has_date = true;
    return true;
}

/* The digits behind a point, if there is one. */
static bool take_fraction(struct cursor *c, int64_t *fraction, bool *finer)
{
    int64_t unit = SECOND_NS / 10;
    if (!take(c, '.'))
        return true;
    if (!is_digit(c))
        return false;
    for (; is_digit(c); c->at++, unit /= 10) {
        *fraction += (*c->at - '0') * unit;
        *finer |= unit == 0 && *c->at != '0';
    }
    return true;
}

/* hh:mm, hh:mm:ss or hh:mm:ss.fraction; `hour_digits` are allowed for the hours. */
static bool take_time(struct cursor *c, struct moment *m, int hour_digits)
{
    uint32_t hours, minutes, seconds = 0;
    int64_t fraction = 0;
    if (!take_digits(c, &hours, 2, hour_digits) || !take(c, ':') || !take_digits(c, &minutes, 2, 2) || minutes > 59)
        return false;
    if (take(c, ':')) {
        if (!take_digits(c, &seconds, 2, 2) || seconds > 59)
            return false;
        if (!take_fraction(c, &fraction, &m->finer))
            return false;
    }
    m->nanoseconds = ((int64_t)hours * 3600 + minutes * 60 + seconds) * SECOND_NS + fraction;
    return true;
}

static inline unsigned two_digits(unsigned *bad, const uint8_t *at)
{
    unsigned high = (unsigned)at[0] - '0', low = (unsigned)at[1] - '0';
    *bad |= (high > 9) | (low > 9);
    return high * 10 + low;
}

/* YYYY-MM-DD hh:mm:ss, as nearly all begin. False: nothing is taken, and what it is the others say. */
static bool take_usual(struct cursor *c, struct moment *m)
{
    const uint8_t *at = c->at;
    unsigned bad = 0;
    if (c->end - at < 19 || at[4] != '-' || at[7] != '-' || (at[10] != ' ' && at[10] != 'T') || at[13] != ':' || at[16] != ':')
        return false;
    unsigned century = two_digits(&bad, at), year = two_digits(&bad, at + 2), month = two_digits(&bad, at + 5), day = two_digits(&bad, at + 8);
    unsigned hours = two_digits(&bad, at + 11), minutes = two_digits(&bad, at + 14), seconds = two_digits(&bad, at + 17);
    if (bad || minutes > 59 || seconds > 59 || (c->end - at > 19 && (unsigned)at[19] - '0' <= 9))
        return false;
    m->has_date = true;
    m->year = century * 100 + year;
    m->month = month;
    m->day = day;
    m->nanoseconds = ((int64_t)hours * 3600 + minutes * 60 + seconds) * SECOND_NS;
    c->at += 19;
    return true;
}

static bool take_zone(struct cursor *c, struct moment *m)
{
    m->has_zone = true;
    if (take_word(c, "utc") || take_word(c, "z"))
        return true;
    if (c->at == c->end || (*c->at != '+' && *c->at != '-'))
        return false;
    bool west = *c->at++ == '-';
    uint32_t hours, minutes = 0, seconds = 0;
    uint32_t digits;
    const uint8_t *from = c->at;
    if (!take_digits(c, &digits, 2, 4) || (c->at - from) == 3)
        return false;
    bool together = c->at - from == 4;
    hours = together ? digits / 100 : digits;
    minutes = together ? digits % 100 : 0;
    if (!together && take(c, ':')) {
        if (!take_digits(c, &minutes, 2, 2))
            return false;
        if (take(c, ':') && !take_digits(c, &seconds, 2, 2))
            return false;
    }
    if (hours > 18 || minutes > 59 || seconds > 59)
        return false;
    m->zone_seconds = (int32_t)(hours * 3600 + minutes * 60 + seconds) * (west ? -1 : 1);
    return true;
}

bool sw_zone__parse(int32_t *seconds, struct sw_bytes text)
{
    struct cursor c = {text.at, text.at + text.len};
    struct moment m = {0};
    if (text.len == 0 || !take_zone(&c, &m) || c.at != c.end)
        return false;
    *seconds = m.zone_seconds;
    return true;
}

/* A year before 1, as it was written with BC. */
static bool make_bc(struct moment *m)
{
    if (!m->has_date || m->signed_year || m->year < 1)
        return false;
    m->year = 1 - m->year;
    m->signed_year = true;
    return true;
}

/* A zone, with one blank before it or none, and PostgreSQL's " BC" at the end. */
static bool take_end(struct cursor *c, struct moment *m)
{
    bool before_christ = take_word(c, " bc");
    if (!before_christ && c->at < c->end) {
        take(c, ' ');
        if (!take_zone(c, m))
            return false;
        before_christ = take_word(c, " bc");
    }
    return (!before_christ || make_bc(m)) && c->at == c->end;
}

/* The number of digits that are cut off, as a power of ten of nanoseconds. */
static int64_t grain(const struct sw_type *type)
{
    int64_t unit = 1;
    if (type->precision >= 0)
        for (int i = type->precision; i < 9; i++)
            unit *= 10;
    return unit;
}

static int64_t floor_to(int64_t value, int64_t unit)
{
    int64_t rest = value % unit;
    return value - rest - (rest < 0 ? unit : 0);
}

static void put_big_endian(uint8_t *to, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

static void add_date(struct sw_buffer *out, int64_t days)
{
    uint8_t text[4];
    put_big_endian(text, (uint64_t)(days + DATE_BIAS), 4);
    sw_buffer_add(out, text, sizeof text);
}

/* Adds a timestamp, cut to the type's precision. False if it is out of range. */
static bool add_timestamp(struct sw_buffer *out, const struct sw_type *type, int64_t seconds, int64_t nanoseconds, bool zoned)
{
    if (seconds < FIRST_DAY * 86400 || seconds >= days_from_civil(TIMESTAMP_YEAR_MAX + 1, 1, 1) * 86400)
        return false;
    uint8_t text[11];
    put_big_endian(text, (uint64_t)(seconds + SECOND_BIAS), 6);
    put_big_endian(text + 6, (uint64_t)(nanoseconds - nanoseconds % grain(type)), 4);
    text[10] = zoned;
    sw_buffer_add(out, text, sizeof text);
    return true;
}

static void add_infinity(struct sw_buffer *out, const struct sw_type *type, bool positive)
{
    size_t size = sw_value__fixed_size(type->kind) - (type->kind != SW_TYPE_DATE);
    for (size_t i = 0; i < size; i++)
        sw_buffer_add_byte(out, positive ? 0xff : 0);
    if (type->kind != SW_TYPE_DATE)
        sw_buffer_add_byte(out, 1);
}

/* Adds a time of day or a MySQL time. False if it is out of range. */
static bool add_time(struct sw_buffer *out, const struct sw_type *type, int64_t ns, bool zoned, int32_t zone_seconds)
{
    if (zoned) {
        if (ns < 0 || ns > DAY_NS)
            return false;
        ns -= zone_seconds * SECOND_NS;
        if (type->has_zone) {
            ns += type->zone_minutes * 60 * SECOND_NS;
            zoned = false;
        }
        ns -= floor_to(ns, DAY_NS);
    }
    if (ns > TIME_MAX_NS || ns < -TIME_MAX_NS)
        return false;
    ns -= ns % grain(type);
    uint8_t text[8];
    put_big_endian(text, (uint64_t)(ns + TIME_BIAS), 7);
    text[7] = zoned;
    sw_buffer_add(out, text, sizeof text);
    return true;
}

__extension__ typedef __int128 wide;

#define DAY_US INT64_C(86400000000)
#define SECOND_US INT64_C(1000000)
#define NATIVE_MAX (INT64_MAX / 2) /* far outside of any calendar: no arithmetic below it overflows */

bool sw_time__add_native(struct sw_buffer *out, const struct sw_type *type, enum sw_token_kind kind, int64_t units)
{
    if (kind != SW_TOKEN_TIME && (units == INT64_MIN || units == INT64_MAX)) {
        add_infinity(out, type, units == INT64_MAX);
        return true;
    }
    if (kind == SW_TOKEN_TIME)
        return units <= TIME_MAX_NS / 1000 && units >= -TIME_MAX_NS / 1000 && add_time(out, type, units * 1000, false, 0);
    if (kind == SW_TOKEN_DATE) {
        if (units < FIRST_DAY || units >= days_from_civil(DATE_YEAR_MAX + 1, 1, 1))
            return false;
        add_date(out, units);
        return true;
    }
    if (units < -NATIVE_MAX)
        return false;
    bool zoned = kind == SW_TOKEN_TIMESTAMPTZ;
    int64_t seconds = floor_to(units, SECOND_US) / SECOND_US, nanoseconds = (units - seconds * SECOND_US) * 1000;
    if (type->has_zone && zoned != (type->kind == SW_TYPE_TIMESTAMPTZ)) {
        seconds += (zoned ? 1 : -1) * type->zone_minutes * 60;
        zoned = !zoned;
    }
    return add_timestamp(out, type, seconds, nanoseconds, zoned);
}

void sw_time__spell(struct sw_buffer *out, enum sw_token_kind kind, int64_t units)
{
    if (kind != SW_TOKEN_TIME && (units == INT64_MIN || units == INT64_MAX)) {
        sw_buffer_add_text(out, units == INT64_MAX ? "infinity" : "-infinity");
        return;
    }
    if (units < -NATIVE_MAX || (kind == SW_TOKEN_DATE && units > NATIVE_MAX)) {
        sw_buffer_printf(out, "%lld %s", (long long)units, kind == SW_TOKEN_DATE ? "days" : "microseconds");
        return;
    }
    int64_t days = kind == SW_TOKEN_DATE ? units : kind == SW_TOKEN_TIME ? 0 : floor_to(units, DAY_US) / DAY_US;
    int64_t us = kind == SW_TOKEN_DATE ? 0 : units - days * DAY_US;
    if (kind != SW_TOKEN_TIME) {
        int64_t year;
        unsigned month, day;
        civil_from_days(&year, &month, &day, days);
        sw_buffer_printf(out, "%s%04lld-%02u-%02u%s", year < 0 ? "-" : "", (long long)(year < 0 ? -year : year), month, day, kind == SW_TOKEN_DATE ? "" : "T");
    }
    if (kind == SW_TOKEN_TIME && us < 0) {
        sw_buffer_add_byte(out, '-');
        us = -us;
    }
    if (kind != SW_TOKEN_DATE)
        sw_buffer_printf(out, "%02lld:%02lld:%02lld.%06lld%s", (long long)(us / 3600 / SECOND_US), (long long)(us / 60 / SECOND_US % 60), (long long)(us / SECOND_US % 60),
                         (long long)(us % SECOND_US), kind == SW_TOKEN_TIMESTAMPTZ ? "Z" : "");
}

enum outcome { FINE, NULL_BY_RULE, OUT_OF_RANGE, NOT_A_TIME, TOO_FINE, ZERO_DATE };

/* ± 0.DDD × 10^point units as nanoseconds, exactly; cut if the type cuts. */
static enum outcome nanoseconds_of(wide *out, const struct sw_type *type, const struct sw_number *number)
{
    static const int8_t scale[] = {[SW_UNIT_SECONDS] = 9, [SW_UNIT_MILLISECONDS] = 6, [SW_UNIT_MICROSECONDS] = 3, [SW_UNIT_NANOSECONDS] = 0, [SW_UNIT_DAYS] = 11};
    size_t count = sw_number__digit_count(number);
    int64_t shift = number->point - (int64_t)count + scale[type->unit];
    if (number->point > 20)
        return OUT_OF_RANGE;
    if (count > 28 || shift < -28)
        return TOO_FINE;
    wide value = 0;
    for (size_t i = 0; i < count; i++)
        value = value * 10 + sw_number__digit(number, i);
    if (type->unit == SW_UNIT_DAYS)
        value *= 864;
    for (; shift > 0; shift--)
        value *= 10;
    if (number->negative)
        value = -value;
    if (shift < 0) {
        wide divisor = 1;
        for (; shift < 0; shift++)
            divisor *= 10;
        wide rest = value % divisor;
        if (rest && type->precision < 0)
            return TOO_FINE;
        value = value / divisor - (rest < 0);
    }
    *out = value;
    return FINE;
}

static enum outcome from_number(struct sw_buffer *out, const struct sw_type *type, const struct sw_number *number)
{
    wide total;
    enum outcome outcome = nanoseconds_of(&total, type, number);
    if (outcome != FINE)
        return outcome;
    if (type->kind == SW_TYPE_TIME)
        return total > TIME_MAX_NS || total < -TIME_MAX_NS || !add_time(out, type, (int64_t)total, false, 0) ? OUT_OF_RANGE : FINE;
    int64_t last_year = type->kind == SW_TYPE_DATE ? DATE_YEAR_MAX : TIMESTAMP_YEAR_MAX;
    if (total < (wide)FIRST_DAY * DAY_NS || total >= (wide)days_from_civil(last_year + 1, 1, 1) * DAY_NS)
        return OUT_OF_RANGE;
    if (type->kind == SW_TYPE_DATE) {
        if (total % DAY_NS)
            return TOO_FINE;
        add_date(out, (int64_t)(total / DAY_NS));
        return FINE;
    }
    int64_t seconds = (int64_t)(total / SECOND_NS) - (total % SECOND_NS < 0);
    int64_t nanoseconds = (int64_t)(total - (wide)seconds * SECOND_NS);
    return add_timestamp(out, type, seconds, nanoseconds, type->kind == SW_TYPE_TIMESTAMPTZ) ? FINE : OUT_OF_RANGE;
}

static enum outcome from_text_time(struct sw_buffer *out, const struct sw_type *type, struct sw_bytes text)
{
    struct cursor c = {text.at, text.at + text.len};
    struct moment m = {0};
    bool negative = take(&c, '-');
    if (!take_time(&c, &m, 3) || !take_end(&c, &m))
        return NOT_A_TIME;
    if (m.finer && type->precision < 0)
        return TOO_FINE;
    if (negative && m.has_zone)
        return NOT_A_TIME;
    return add_time(out, type, negative ? -m.nanoseconds : m.nanoseconds, m.has_zone, m.zone_seconds) ? FINE : OUT_OF_RANGE;
}

static enum outcome from_text(struct sw_buffer *out, const struct sw_type *type, struct sw_bytes text)
{
    if (type->kind == SW_TYPE_TIME)
        return from_text_time(out, type, text);
    enum sw_special special = sw_value__special(text);
    if (special == SW_SPECIAL_INFINITY || special == SW_SPECIAL_NEGATIVE_INFINITY) {
        add_infinity(out, type, special == SW_SPECIAL_INFINITY);
        return FINE;
    }
    struct cursor c = {text.at, text.at + text.len};
    struct moment m = {0};
    bool usual = take_usual(&c, &m);
    if (usual ? !take_fraction(&c, &m.nanoseconds, &m.finer) : !take_date(&c, &m) || (take_word(&c, " (bc)") && !make_bc(&m))) /* behind the date, as DuckDB writes it */
        return NOT_A_TIME;
    if (!usual && c.at < c.end && (*c.at == 'T' || *c.at == 't' || (*c.at == ' ' && c.end - c.at > 1 && (unsigned)c.at[1] - '0' <= 9))) {
        c.at++;
        if (!take_time(&c, &m, 2))
            return NOT_A_TIME;
    }
    if (!take_end(&c, &m))
        return NOT_A_TIME;
    if (m.year == 0 && m.month == 0 && m.day == 0 && m.nanoseconds == 0)
        return type->zero_null ? NULL_BY_RULE : ZERO_DATE;
    if (m.month < 1 || m.month > 12 || m.day < 1 || m.day > month_days(m.year, m.month) || m.nanoseconds > DAY_NS || (m.nanoseconds == DAY_NS && m.finer))
        return NOT_A_TIME;
    /* the last instants of the range are in the next year of zones to the east: instants are judged by add_timestamp */
    if (m.year < YEAR_MIN || m.year > (type->kind == SW_TYPE_DATE ? DATE_YEAR_MAX : TIMESTAMP_YEAR_MAX + 1))
        return OUT_OF_RANGE;
    int64_t days = days_from_civil(m.year, m.month, m.day);
    if (type->kind == SW_TYPE_DATE) {
        if (days < FIRST_DAY)
            return OUT_OF_RANGE;
        if (m.nanoseconds || m.finer || m.zone_seconds)
            return TOO_FINE;
        add_date(out, days);
        return FINE;
    }
    if (m.finer && type->precision < 0)
        return TOO_FINE;
    int64_t seconds = days * 86400 + m.nanoseconds / SECOND_NS;
    int64_t nanoseconds = m.nanoseconds % SECOND_NS;
    bool zoned = m.has_zone;
    if (zoned)
        seconds -= m.zone_seconds;
    if (type->has_zone && type->kind == SW_TYPE_TIMESTAMPTZ && !zoned) {
        seconds -= type->zone_minutes * 60;
        zoned = true;
    } else if (type->has_zone && type->kind == SW_TYPE_TIMESTAMP && zoned) {
        seconds += type->zone_minutes * 60;
        zoned = false;
    }
    return add_timestamp(out, type, seconds, nanoseconds, zoned) ? FINE : OUT_OF_RANGE;
}

static const char *expected_range(const struct sw_type *type)
{
    switch (type->kind) {
    case SW_TYPE_DATE: return "a date from 4714-11-24 BC to 5874897";
    case SW_TYPE_TIME: return "a time within 838:59:59";
    default: return "a timestamp from 4714-11-24 BC to 294276";
    }
}

static const char *expected_form(const struct sw_type *type)
{
    switch (type->kind) {
    case SW_TYPE_DATE: return "a date (2026-01-28)";
    case SW_TYPE_TIME: return "a time (12:55:05.094)";
    case SW_TYPE_TIMESTAMP: return "a timestamp (2026-01-28 12:55:05.094)";
    default: return "a timestamp (2026-01-28T12:55:05.094Z)";
    }
}

enum sw_value_status sw_time__encode(struct sw_buffer *out, const struct sw_type *type, struct sw_token token, struct sw_value_scratch *scratch)
{
    struct sw_bytes text;
    enum sw_value_status status = sw_value__scalar(&text, expected_form(type), token, scratch);
    if (status != SW_VALUE_OK)
        return status;
    struct sw_number number;
    enum outcome outcome;
    if (type->unit != SW_UNIT_NONE && sw_number__parse(&number, text, false) == SW_NUMBER_OK)
        outcome = from_number(out, type, &number);
    else if (token.kind == SW_TOKEN_NUMBER)
        return sw_value__invalid(scratch, "text, or a declared unit of numbers (unit=s, ms, us, ns or days)", token);
    else
        outcome = from_text(out, type, text);
    switch (outcome) {
    case FINE: return SW_VALUE_OK;
    case NULL_BY_RULE: return SW_VALUE_NULL;
    case OUT_OF_RANGE: return sw_value__invalid(scratch, expected_range(type), token);
    case TOO_FINE: return sw_value__invalid(scratch, type->kind == SW_TYPE_DATE ? "a whole day" : "at most nanoseconds, or a declared precision that cuts", token);
    case ZERO_DATE: {
        char expected[96];
        snprintf(expected, sizeof expected, "a day that there is (--type 'COLUMN=%s zero=null' makes zero dates NULL)", sw_type_kind_name(type->kind));
        return sw_value__invalid(scratch, expected, token);
    }
    case NOT_A_TIME: break;
    }
    return sw_value__invalid(scratch, expected_form(type), token);
}

static uint64_t read_big_endian(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value = value << 8 | at[i];
    return value;
}

/* -1, 1: an infinity; else 0. */
static int infinity(const struct sw_type *type, struct sw_bytes canonical)
{
    if (type->kind == SW_TYPE_TIME)
        return 0;
    size_t size = canonical.len - (type->kind != SW_TYPE_DATE);
    bool ones = true, zeros = true;
    for (size_t i = 0; i < size; i++) {
        ones &= canonical.at[i] == 0xff;
        zeros &= canonical.at[i] == 0;
    }
    return ones - zeros;
}

static void write_date(struct sw_buffer *out, int64_t days)
{
    int64_t year;
    unsigned month, day;
    civil_from_days(&year, &month, &day, days);
    sw_buffer_printf(out, "%s%04lld-%02u-%02u", year < 0 ? "-" : year > 9999 ? "+" : "", (long long)(year < 0 ? -year : year), month, day);
}

/* `ns` is not negative. */
static void write_clock(struct sw_buffer *out, int64_t ns)
{
    int64_t seconds = ns / SECOND_NS, fraction = ns % SECOND_NS;
    sw_buffer_printf(out, "%02lld:%02lld:%02lld", (long long)(seconds / 3600), (long long)(seconds / 60 % 60), (long long)(seconds % 60));
    if (fraction == 0)
        return;
    int digits = 9;
    for (; fraction % 10 == 0; digits--)
        fraction /= 10;
    sw_buffer_printf(out, ".%0*lld", digits, (long long)fraction);
}

void sw_time__write(struct sw_buffer *out, const struct sw_type *type, struct sw_bytes canonical)
{
    if (canonical.len != sw_value__fixed_size(type->kind))
        return;
    int infinite = infinity(type, canonical);
    if (infinite) {
        sw_buffer_add_text(out, infinite > 0 ? "\"infinity\"" : "\"-infinity\"");
        return;
    }
    sw_buffer_add_byte(out, '"');
    if (type->kind == SW_TYPE_DATE) {
        write_date(out, (int64_t)read_big_endian(canonical.at, 4) - DATE_BIAS);
    } else if (type->kind == SW_TYPE_TIME) {
        int64_t ns = (int64_t)read_big_endian(canonical.at, 7) - TIME_BIAS;
        if (ns < 0)
            sw_buffer_add_byte(out, '-');
        write_clock(out, ns < 0 ? -ns : ns);
    } else {
        int64_t seconds = (int64_t)read_big_endian(canonical.at, 6) - SECOND_BIAS;
        int64_t of_day = seconds - floor_to(seconds, 86400);
        write_date(out, (seconds - of_day) / 86400);
        sw_buffer_add_byte(out, 'T');
        write_clock(out, of_day * SECOND_NS + (int64_t)read_big_endian(canonical.at + 6, 4));
    }
    if (type->kind != SW_TYPE_DATE && canonical.at[canonical.len - 1])
        sw_buffer_add_byte(out, 'Z');
    sw_buffer_add_byte(out, '"');
}

bool sw_time__comparable(const struct sw_type *type, struct sw_bytes a, struct sw_bytes b)
{
    size_t size = sw_value__fixed_size(type->kind);
    if (a.len != size || b.len != size)
        return true;
    return a.at[size - 1] == b.at[size - 1] || infinity(type, a) || infinity(type, b);
}
