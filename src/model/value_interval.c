/* interval: months, days and a time, each for itself, since a month has no fixed number of days and a day none of hours. Canonical bytes, high byte first:
 *
 *     4 bytes: months, plus 2^31; 4 bytes: days, plus 2^31; 6 bytes: seconds, plus 2^47; 4 bytes: nanoseconds
 *
 * The infinities of PostgreSQL 17 are all bits 0 and all bits 1. Source of the spellings: PostgreSQL's documentation, "Interval Output" (its four styles) and
 * "Interval Input"; ISO 8601, 4.4.3 (the format with designators); DuckDB's documentation, "Interval Type". */
#include <ctype.h>

#include "model/value.h"

#define SECOND_NS INT64_C(1000000000)
#define MONTHS_MAX INT32_MAX
#define SECONDS_MAX INT64_C(100000000000000) /* PostgreSQL's are below 10^13 */
#define BIAS (INT64_C(1) << 31)
#define SECOND_BIAS (INT64_C(1) << 47)
#define SIZE 18u

struct interval {
    int64_t months, days, seconds, nanoseconds; /* of one sign: seconds and nanoseconds */
};

struct cursor {
    const uint8_t *at, *end;
};

static bool at_end(const struct cursor *c) { return c->at == c->end; }

static bool take(struct cursor *c, char byte)
{
    if (at_end(c) || *c->at != (uint8_t)byte)
        return false;
    c->at++;
    return true;
}

static bool is_digit(const struct cursor *c) { return !at_end(c) && (unsigned)*c->at - '0' <= 9; }

/* A number with up to nine digits of a fraction (more, if they are 0). Fails on more than 15 digits before it. */
struct quantity {
    int64_t whole, nanos;
    bool negative, with_sign, with_fraction;
};

static bool take_sign(struct quantity *q, struct cursor *c)
{
    q->negative = take(c, '-');
    q->with_sign = q->negative || take(c, '+');
    return true;
}

static bool take_digits(int64_t *out, struct cursor *c)
{
    int count = 0;
    for (*out = 0; is_digit(c); c->at++)
        if (++count <= 15)
            *out = *out * 10 + (*c->at - '0');
    return count > 0 && count <= 15;
}

static bool take_fraction(struct quantity *q, struct cursor *c)
{
    int64_t unit = SECOND_NS / 10;
    if (!take(c, '.'))
        return true;
    if (!is_digit(c))
        return false;
    q->with_fraction = true;
    for (; is_digit(c); c->at++, unit /= 10) {
        if (unit == 0 && *c->at != '0')
            return false;
        q->nanos += (*c->at - '0') * unit;
    }
    return true;
}

static bool take_quantity(struct quantity *q, struct cursor *c)
{
    *q = (struct quantity){0};
    return take_sign(q, c) && take_digits(&q->whole, c) && take_fraction(q, c);
}

enum unit { UNIT_NONE, UNIT_YEAR, UNIT_MONTH, UNIT_WEEK, UNIT_DAY, UNIT_HOUR, UNIT_MINUTE, UNIT_SECOND, UNIT_COUNT };

/* Adds a quantity of a unit. `seen` has a bit for each unit that was there. */
static bool add(struct interval *out, unsigned *seen, const struct quantity *q, enum unit unit)
{
    static const int64_t months[UNIT_COUNT] = {[UNIT_YEAR] = 12, [UNIT_MONTH] = 1}, days[UNIT_COUNT] = {[UNIT_WEEK] = 7, [UNIT_DAY] = 1};
    static const int64_t seconds[UNIT_COUNT] = {[UNIT_HOUR] = 3600, [UNIT_MINUTE] = 60, [UNIT_SECOND] = 1};
    if (unit == UNIT_NONE || *seen & 1u << unit || (q->with_fraction && unit != UNIT_SECOND) || q->whole > SECONDS_MAX)
        return false;
    *seen |= 1u << unit;
    int64_t sign = q->negative ? -1 : 1;
    out->months += sign * q->whole * months[unit];
    out->days += sign * q->whole * days[unit];
    out->seconds += sign * q->whole * seconds[unit];
    out->nanoseconds += sign * q->nanos;
    return true;
}

/* P1Y2M3DT4H5M6.789S, each with a sign of its own or none; a sign before the P goes for all. */
static bool read_iso(struct interval *out, struct cursor *c)
{
    static const struct { char letter; enum unit unit; } dates[] = {{'Y', UNIT_YEAR}, {'M', UNIT_MONTH}, {'W', UNIT_WEEK}, {'D', UNIT_DAY}}, times[] = {{'H', UNIT_HOUR}, {'M', UNIT_MINUTE}, {'S', UNIT_SECOND}};
    unsigned seen = 0;
    bool clock = false;
    while (!at_end(c)) {
        struct quantity q;
        enum unit unit = UNIT_NONE;
        if (!clock && take(c, 'T'))
            clock = true;
        if (!take_quantity(&q, c) || at_end(c))
            return false;
        for (size_t i = 0; !clock && i < sizeof dates / sizeof *dates; i++)
            unit = (char)*c->at == dates[i].letter ? dates[i].unit : unit;
        for (size_t i = 0; clock && i < sizeof times / sizeof *times; i++)
            unit = (char)*c->at == times[i].letter ? times[i].unit : unit;
        c->at++;
        if (!add(out, &seen, &q, unit))
            return false;
    }
    return seen != 0;
}

static enum unit take_unit(struct cursor *c)
{
    static const struct { const char *word; enum unit unit; } words[] = {
        {"year", UNIT_YEAR}, {"month", UNIT_MONTH}, {"mon", UNIT_MONTH}, {"week", UNIT_WEEK}, {"day", UNIT_DAY}, {"hour", UNIT_HOUR}, {"minute", UNIT_MINUTE}, {"min", UNIT_MINUTE}, {"second", UNIT_SECOND}, {"sec", UNIT_SECOND}};
    const uint8_t *from = c->at;
    while (!at_end(c) && isalpha(*c->at))
        c->at++;
    size_t len = (size_t)(c->at - from);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t size = strlen(words[i].word);
        if ((len == size || (len == size + 1 && (from[size] | 0x20) == 's')) && sw_value__is_word(sw_bytes_of(from, size), words[i].word))
            return words[i].unit;
    }
    return UNIT_NONE;
}

/* :MM or :MM:SS.fraction behind the hours. */
static bool read_clock(struct interval *out, unsigned *seen, struct cursor *c, const struct quantity *hours)
{
    struct quantity minutes = {.negative = hours->negative}, seconds = minutes;
    if (!take_digits(&minutes.whole, c) || minutes.whole > 59)
        return false;
    if (take(c, ':') && (!take_digits(&seconds.whole, c) || seconds.whole > 59 || !take_fraction(&seconds, c)))
        return false;
    return add(out, seen, hours, UNIT_HOUR) && add(out, seen, &minutes, UNIT_MINUTE) && add(out, seen, &seconds, UNIT_SECOND);
}

/* "1 year 2 mons -3 days +04:05:06.789", "@ 1 year 2 mons ago", and the SQL standard's "1-2", "3 4:05:06", in which a sign of the days is one of the time, too. */
static bool read_words(struct interval *out, struct cursor *c)
{
    unsigned seen = 0;
    bool verbose = take(c, '@') && take(c, ' '), ago = false;
    bool days_open = false, days_negative = false; /* a number without a unit: days, if a time follows */
    for (bool first = true; !at_end(c); first = false) {
        struct quantity q, months;
        if (!first && !take(c, ' '))
            return false;
        if (verbose && !first && c->end - c->at == 3 && sw_value__is_word(sw_bytes_of(c->at, 3), "ago")) {
            c->at = c->end;
            ago = true;
            break;
        }
        if (!take_quantity(&q, c))
            return false;
        if (take(c, ':')) {
            q.negative |= days_open && days_negative && !q.with_sign;
            days_open = false;
            if (q.with_fraction || !read_clock(out, &seen, c, &q))
                return false;
            continue;
        }
        if (days_open)
            return false;
        if (take(c, '-')) {
            months = (struct quantity){.negative = q.negative};
            if (!take_digits(&months.whole, c) || !add(out, &seen, &q, UNIT_YEAR) || !add(out, &seen, &months, UNIT_MONTH))
                return false;
            continue;
        }
        struct cursor word = *c;
        enum unit unit = take(&word, ' ') ? take_unit(&word) : UNIT_NONE;
        if (unit == UNIT_NONE) {
            days_open = true;
            days_negative = q.negative;
            unit = UNIT_DAY;
        } else {
            *c = word;
        }
        if (!add(out, &seen, &q, unit))
            return false;
    }
    if (ago)
        *out = (struct interval){-out->months, -out->days, -out->seconds, -out->nanoseconds};
    /* a lone number is no interval, but for the 0 of PostgreSQL's style sql_standard and the "@ 0" of the verbose one */
    return seen && (!days_open || (seen == 1u << UNIT_DAY && out->days == 0));
}

static void put_big_endian(uint8_t *to, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

static bool add_interval(struct sw_buffer *out, struct interval i)
{
    i.seconds += i.nanoseconds / SECOND_NS;
    i.nanoseconds %= SECOND_NS;
    if (i.nanoseconds < 0) {
        i.nanoseconds += SECOND_NS;
        i.seconds--;
    }
    if (i.months > MONTHS_MAX || i.months < -MONTHS_MAX - 1 || i.days > MONTHS_MAX || i.days < -MONTHS_MAX - 1 || i.seconds > SECONDS_MAX || i.seconds < -SECONDS_MAX)
        return false;
    uint8_t bytes[SIZE];
    put_big_endian(bytes, (uint64_t)(i.months + BIAS), 4);
    put_big_endian(bytes + 4, (uint64_t)(i.days + BIAS), 4);
    put_big_endian(bytes + 8, (uint64_t)(i.seconds + SECOND_BIAS), 6);
    put_big_endian(bytes + 14, (uint64_t)i.nanoseconds, 4);
    sw_buffer_add(out, bytes, sizeof bytes);
    return true;
}

enum sw_value_status sw_interval__encode(struct sw_buffer *out, struct sw_token token, struct sw_value_scratch *scratch)
{
    static const char expected[] = "an interval (P1Y2M3DT4H5M6.789S, 1 year 2 mons 3 days 04:05:06.789)";
    struct sw_bytes text;
    if (token.kind != SW_TOKEN_TEXT)
        return sw_value__invalid(scratch, expected, token);
    enum sw_value_status status = sw_value__text(&text, token, scratch);
    if (status != SW_VALUE_OK)
        return status;
    enum sw_special special = sw_value__special(text);
    if (special == SW_SPECIAL_INFINITY || special == SW_SPECIAL_NEGATIVE_INFINITY) {
        for (unsigned i = 0; i < SIZE; i++)
            sw_buffer_add_byte(out, special == SW_SPECIAL_INFINITY ? 0xff : 0);
        return SW_VALUE_OK;
    }
    struct cursor c = {text.at, text.at + text.len};
    struct interval found = {0};
    bool negative = text.len > 1 && text.at[0] == '-' && text.at[1] == 'P', good;
    c.at += negative;
    if (take(&c, 'P'))
        good = read_iso(&found, &c);
    else
        good = read_words(&found, &c);
    if (negative)
        found = (struct interval){-found.months, -found.days, -found.seconds, -found.nanoseconds};
    return good && add_interval(out, found) ? SW_VALUE_OK : sw_value__invalid(scratch, expected, token);
}

static uint64_t read_big_endian(const uint8_t *at, unsigned bytes)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value = value << 8 | at[i];
    return value;
}

static void write_part(struct sw_buffer *out, int64_t value, char letter)
{
    if (value)
        sw_buffer_printf(out, "%lld%c", (long long)value, letter);
}

void sw_interval__write(struct sw_buffer *out, struct sw_bytes canonical)
{
    if (canonical.len != SIZE)
        return;
    bool ones = true, zeros = true;
    for (unsigned i = 0; i < SIZE; i++) {
        ones &= canonical.at[i] == 0xff;
        zeros &= canonical.at[i] == 0;
    }
    if (ones || zeros) {
        sw_buffer_add_text(out, ones ? "\"infinity\"" : "\"-infinity\"");
        return;
    }
    int64_t months = (int64_t)read_big_endian(canonical.at, 4) - BIAS, days = (int64_t)read_big_endian(canonical.at + 4, 4) - BIAS;
    int64_t seconds = (int64_t)read_big_endian(canonical.at + 8, 6) - SECOND_BIAS, nanoseconds = (int64_t)read_big_endian(canonical.at + 14, 4);
    if (seconds < 0 && nanoseconds) { /* of one sign again */
        seconds++;
        nanoseconds -= SECOND_NS;
    }
    sw_buffer_add_text(out, "\"P");
    write_part(out, months / 12, 'Y');
    write_part(out, months % 12, 'M');
    write_part(out, days, 'D');
    bool clock = seconds || nanoseconds;
    if (clock || (!months && !days))
        sw_buffer_add_byte(out, 'T');
    write_part(out, seconds / 3600, 'H');
    write_part(out, seconds / 60 % 60, 'M');
    if (nanoseconds) {
        int64_t fraction = nanoseconds < 0 ? -nanoseconds : nanoseconds, whole = seconds % 60;
        int digits = 9;
        for (; fraction % 10 == 0; digits--)
            fraction /= 10;
        sw_buffer_printf(out, "%s%lld.%0*lldS", nanoseconds < 0 ? "-" : "", (long long)(whole < 0 ? -whole : whole), digits, (long long)fraction);
    } else {
        write_part(out, seconds % 60, 'S');
    }
    if (!months && !days && !clock)
        sw_buffer_add_text(out, "0S");
    sw_buffer_add_byte(out, '"');
}
