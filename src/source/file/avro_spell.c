#include "source/file/avro_spell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/c_locale.h"
#include "source/file/avro_part.h"

#define DAY_SECONDS 86400
#define YEAR_FIRST (-4712)
#define YEAR_LAST 294276

static void civil_from_days(int64_t *year, unsigned *month, unsigned *day, int64_t days)
{
    days += 719468; /* from 0000-03-01 on, in eras of 400 years */
    int64_t era = (days >= 0 ? days : days - 146096) / 146097, in_era = days - era * 146097;
    int64_t year_of_era = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    int64_t day_of_year = in_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100), shifted = (5 * day_of_year + 2) / 153;
    *day = (unsigned)(day_of_year - (153 * shifted + 2) / 5 + 1);
    *month = (unsigned)(shifted < 10 ? shifted + 3 : shifted - 9);
    *year = year_of_era + era * 400 + (*month <= 2);
}

static size_t bare(char *out, int64_t number) { return (size_t)snprintf(out, SW_AVRO_SPELLING_MAX, "%lld", (long long)number); }

static bool put_date(char **at, int64_t days)
{
    int64_t year;
    unsigned month, day;
    if (days < -2500000 || days > 110000000)
        return false;
    civil_from_days(&year, &month, &day, days);
    if (year < YEAR_FIRST || year > YEAR_LAST)
        return false;
    *at += snprintf(*at, 32, "%s%04lld-%02u-%02u", year < 0 ? "-" : "", (long long)(year < 0 ? -year : year), month, day);
    return true;
}

/* Of a part of a second, without zeros at its end. */
static void put_fraction(char **at, int64_t part, int64_t units)
{
    if (part == 0)
        return;
    int digits = units == 1000 ? 3 : units == 1000000 ? 6 : 9;
    int len = snprintf(*at, 16, ".%0*lld", digits, (long long)part);
    while ((*at)[len - 1] == '0')
        len--;
    *at += len;
}

static void put_clock(char **at, int64_t seconds, int64_t part, int64_t units)
{
    *at += snprintf(*at, 32, "%02lld:%02lld:%02lld", (long long)(seconds / 3600), (long long)(seconds / 60 % 60), (long long)(seconds % 60));
    put_fraction(at, part, units);
}

static bool put_offset(char **at, int64_t offset_ms)
{
    int64_t seconds = offset_ms / 1000;
    if (offset_ms % 1000 || seconds < -18 * 3600 || seconds > 18 * 3600)
        return false;
    int64_t size = seconds < 0 ? -seconds : seconds;
    *at += snprintf(*at, 16, "%c%02lld:%02lld", seconds < 0 ? '-' : '+', (long long)(size / 3600), (long long)(size / 60 % 60));
    if (size % 60)
        *at += snprintf(*at, 16, ":%02lld", (long long)(size % 60));
    return true;
}

static int64_t floor_divide(int64_t *rest, int64_t number, int64_t by)
{
    int64_t quotient = number / by;
    *rest = number % by;
    if (*rest < 0) {
        *rest += by;
        quotient--;
    }
    return quotient;
}

static bool put_timestamp(char **at, int64_t value, int64_t units)
{
    int64_t part, second_of_day, days = floor_divide(&second_of_day, floor_divide(&part, value, units), DAY_SECONDS);
    if (!put_date(at, days))
        return false;
    *(*at)++ = 'T';
    put_clock(at, second_of_day, part, units);
    return true;
}

static size_t quoted(char *out, char *at)
{
    *at++ = '"';
    return (size_t)(at - out);
}

size_t sw_avro_spell_date(char *out, int64_t days)
{
    char *at = out + 1;
    *out = '"';
    return put_date(&at, days) ? quoted(out, at) : bare(out, days);
}

size_t sw_avro_spell_timestamp(char *out, int64_t value, int64_t units, const char *zone)
{
    char *at = out + 1;
    *out = '"';
    if (!put_timestamp(&at, value, units))
        return bare(out, value);
    at += snprintf(at, 4, "%s", zone);
    return quoted(out, at);
}

size_t sw_avro_spell_timestamp_tz(char *out, int64_t micros, int64_t offset_ms)
{
    char *at = out + 1;
    int64_t local;
    *out = '"';
    if (__builtin_mul_overflow(offset_ms, (int64_t)1000, &local) || __builtin_add_overflow(local, micros, &local) || !put_timestamp(&at, local, 1000000) ||
        !put_offset(&at, offset_ms))
        return sw_avro_spell_timestamp(out, micros, 1000000, "Z"); /* the instant is the same */
    return quoted(out, at);
}

size_t sw_avro_spell_time(char *out, int64_t value, int64_t units, bool interval)
{
    char *at = out + 1;
    int64_t most = interval ? (838 * 3600 + 59 * 60 + 59) * units + units - 1 : DAY_SECONDS * units;
    if (value > most || value < (interval ? -most : 0))
        return bare(out, value);
    *out = '"';
    if (value < 0)
        *at++ = '-';
    int64_t size = value < 0 ? -value : value;
    put_clock(&at, size / units, size % units, units);
    return quoted(out, at);
}

size_t sw_avro_spell_time_tz(char *out, int64_t micros, int64_t offset_ms)
{
    char *at = out + sw_avro_spell_time(out, micros, 1000000, false) - 1;
    return *out == '"' && put_offset(&at, offset_ms) ? quoted(out, at) : bare(out, micros);
}

size_t sw_avro_spell_datetime(char *out, int64_t days, int64_t micros)
{
    char *at = out + 1;
    *out = '"';
    if (micros < 0 || micros >= DAY_SECONDS * (int64_t)1000000 || !put_date(&at, days))
        return bare(out, days);
    *at++ = 'T';
    put_clock(&at, micros / 1000000, micros % 1000000, 1000000);
    return quoted(out, at);
}

static size_t special(char *out, bool nan, bool negative) { return (size_t)snprintf(out, SW_AVRO_SPELLING_MAX, "\"%s\"", nan ? "NaN" : negative ? "-Infinity" : "Infinity"); }

size_t sw_avro_spell_float(char *out, float value)
{
    int len = 0;
    if (!isfinite(value))
        return special(out, isnan(value), value < 0);
    locale_t before = sw_c_locale_enter();
    for (int digits = 6; digits <= 9; digits++) {
        len = snprintf(out, SW_AVRO_SPELLING_MAX, "%.*g", digits, (double)value);
        if (strtof(out, NULL) == value)
            break;
    }
    sw_c_locale_leave(before);
    return (size_t)len;
}

size_t sw_avro_spell_double(char *out, double value)
{
    int len = 0;
    if (!isfinite(value))
        return special(out, isnan(value), value < 0);
    locale_t before = sw_c_locale_enter();
    for (int digits = 15; digits <= 17; digits++) {
        len = snprintf(out, SW_AVRO_SPELLING_MAX, "%.*g", digits, value);
        if (strtod(out, NULL) == value)
            break;
    }
    sw_c_locale_leave(before);
    return (size_t)len;
}

void sw_avro_spell_decimal(struct sw_buffer *out, struct sw_bytes unscaled, uint32_t scale)
{
    uint32_t limbs[SW_AVRO_DECIMAL_BYTES_MAX / 4] = {0}, count = 0; /* high one first */
    char digits[SW_AVRO_DECIMAL_BYTES_MAX * 3];
    size_t digit_count = 0;
    if (unscaled.len == 0) { /* no number at all: the type refuses it */
        sw_buffer_add_text(out, "\"\"");
        return;
    }
    bool negative = unscaled.at[0] & 0x80;
    size_t head = unscaled.len % 4, at = 0;
    while (at < unscaled.len) {
        size_t len = at == 0 && head ? head : 4;
        uint32_t limb = negative ? UINT32_MAX : 0;
        for (size_t i = 0; i < len; i++)
            limb = limb << 8 | unscaled.at[at + i];
        limbs[count++] = limb;
        at += len;
    }
    if (negative) {
        bool carry = true;
        for (uint32_t i = count; i-- > 0;) {
            limbs[i] = ~limbs[i] + carry;
            carry = carry && limbs[i] == 0;
        }
    }
    for (uint32_t first = 0; first < count;) {
        uint64_t rest = 0;
        for (uint32_t i = first; i < count; i++) {
            uint64_t number = rest << 32 | limbs[i];
            limbs[i] = (uint32_t)(number / 1000000000);
            rest = number % 1000000000;
        }
        while (first < count && limbs[first] == 0)
            first++;
        for (int i = 0; i < 9; i++, rest /= 10)
            digits[digit_count++] = (char)('0' + rest % 10);
    }
    while (digit_count && digits[digit_count - 1] == '0')
        digit_count--;
    if (negative)
        sw_buffer_add_byte(out, '-');
    if (digit_count <= scale)
        sw_buffer_add_byte(out, '0');
    for (size_t place = digit_count > scale ? digit_count : scale; place-- > 0;) {
        if (place + 1 == scale)
            sw_buffer_add_byte(out, '.');
        sw_buffer_add_byte(out, place < digit_count ? (uint8_t)digits[place] : '0');
    }
}

void sw_avro_spell_base64(struct sw_buffer *out, struct sw_bytes bytes)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < bytes.len; i += 3) {
        size_t left = bytes.len - i;
        uint32_t three = (uint32_t)bytes.at[i] << 16 | (left > 1 ? (uint32_t)bytes.at[i + 1] << 8 : 0) | (left > 2 ? bytes.at[i + 2] : 0);
        uint8_t four[4] = {(uint8_t)letters[three >> 18], (uint8_t)letters[three >> 12 & 63], left > 1 ? (uint8_t)letters[three >> 6 & 63] : '=',
                           left > 2 ? (uint8_t)letters[three & 63] : '='};
        sw_buffer_add(out, four, 4);
    }
}
