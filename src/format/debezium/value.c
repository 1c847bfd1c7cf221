/* Values of Debezium records that are not what their JSON says.
 * Source: debezium the pages of its connectors ("Decimal types", "Temporal types"), io.debezium.data.{VariableScaleDecimal,Bits},
 * io.debezium.time, Kafka Connect's Decimal. */
#include <stdio.h>
#include <string.h>

#include "format/debezium/debezium.h"
#include "text/json_value.h"
#include "text/json_walk.h"

#define DECIMAL_BYTES_MAX 1024
#define PLAIN_SCALE_MAX 64 /* more digits after the point than this are written with an exponent */

static bool refuse(struct sw_decode_room *room, const char *problem)
{
    snprintf(room->problem, sizeof room->problem, "%s", problem);
    return false;
}

static int base64_digit(uint8_t byte)
{
    if (byte >= 'A' && byte <= 'Z')
        return byte - 'A';
    if (byte >= 'a' && byte <= 'z')
        return byte - 'a' + 26;
    if (byte >= '0' && byte <= '9')
        return byte - '0' + 52;
    return byte == '+' ? 62 : byte == '/' ? 63 : -1;
}

/* RFC 4648 with its padding, as Java's encoder writes it; an escaped slash is a slash. False if it is anything else, or longer than the room. */
static bool from_base64(uint8_t *out, size_t *len, size_t room, struct sw_token text)
{
    uint32_t bits = 0, digits = 0, padding = 0;
    *len = 0;
    if (text.kind != SW_TOKEN_TEXT)
        return false;
    for (uint32_t i = 0; i < text.len; i++) {
        if (text.at[i] == '\\' && i + 1 < text.len && text.at[i + 1] == '/')
            continue;
        if (text.at[i] == '=') {
            padding++;
            continue;
        }
        int digit = base64_digit(text.at[i]);
        if (digit < 0 || padding)
            return false;
        bits = bits << 6 | (uint32_t)digit;
        if (++digits % 4 == 1)
            continue;
        if (*len == room)
            return false;
        out[(*len)++] = (uint8_t)(bits >> (6 - 2 * ((digits - 1) % 4)));
    }
    return digits % 4 != 1 && (padding == 0 || padding == (4 - digits % 4) % 4);
}

/* Digits of a number of `len` big-endian bytes, which are used up. Room for 3 * len + 1 digits. */
static size_t digits_of(char *out, uint8_t *bytes, size_t len)
{
    size_t count = 0, first = 0;
    while (first < len) {
        unsigned rest = 0;
        for (size_t i = first; i < len; i++) {
            unsigned part = rest << 8 | bytes[i];
            bytes[i] = (uint8_t)(part / 100);
            rest = part % 100;
        }
        out[count++] = (char)('0' + rest % 10);
        out[count++] = (char)('0' + rest / 10);
        while (first < len && bytes[first] == 0)
            first++;
    }
    while (count > 1 && out[count - 1] == '0')
        count--;
    for (size_t i = 0; i < count / 2; i++) {
        char other = out[i];
        out[i] = out[count - 1 - i];
        out[count - 1 - i] = other;
    }
    return count;
}

static size_t digits_of_u64(char *out, uint64_t number)
{
    char reversed[20];
    size_t count = 0;
    do {
        reversed[count++] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    for (size_t i = 0; i < count; i++)
        out[i] = reversed[count - 1 - i];
    return count;
}

static void write_decimal(struct sw_buffer *out, bool negative, const char *digits, size_t count, int64_t scale)
{
    if (negative)
        sw_buffer_add_byte(out, '-');
    if (scale < 0 || scale > PLAIN_SCALE_MAX) {
        sw_buffer_add(out, digits, count);
        sw_buffer_printf(out, "e%lld", (long long)-scale);
        return;
    }
    size_t after = (size_t)scale;
    if (count <= after) {
        sw_buffer_add_text(out, "0.");
        for (size_t i = count; i < after; i++)
            sw_buffer_add_byte(out, '0');
        sw_buffer_add(out, digits, count);
        return;
    }
    sw_buffer_add(out, digits, count - after);
    if (after) {
        sw_buffer_add_byte(out, '.');
        sw_buffer_add(out, digits + count - after, after);
    }
}

static bool decode_decimal(struct sw_token *value, struct sw_decode_room *room, int64_t scale)
{
    uint8_t bytes[DECIMAL_BYTES_MAX];
    char digits[3 * DECIMAL_BYTES_MAX + 2];
    size_t len, count;
    if (!from_base64(bytes, &len, sizeof bytes, *value) || len == 0)
        return refuse(room, "a decimal in base64 of at most 1024 bytes was expected");
    bool negative = bytes[0] & 0x80;
    if (len <= 8) {
        uint64_t number = negative ? UINT64_MAX : 0;
        for (size_t i = 0; i < len; i++)
            number = number << 8 | bytes[i];
        count = digits_of_u64(digits, negative ? 0 - number : number);
    } else {
        unsigned carry = 1;
        for (size_t i = len; negative && i-- > 0;) {
            carry += (uint8_t)~bytes[i];
            bytes[i] = (uint8_t)carry;
            carry >>= 8;
        }
        count = digits_of(digits, bytes, len);
    }
    room->text.len = 0;
    write_decimal(&room->text, negative, digits, count, scale);
    *value = (struct sw_token){.at = room->text.at, .len = (uint32_t)room->text.len, .kind = SW_TOKEN_NUMBER};
    return !room->text.failed || refuse(room, "memory ran out");
}

bool sw_debezium_decimal(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column)
{
    /* the converter may be told to write decimals as numbers (decimal.format=NUMERIC) */
    return value->kind == SW_TOKEN_NUMBER || decode_decimal(value, room, column->scale);
}

static bool read_integer(int64_t *out, struct sw_token token)
{
    bool negative = token.len && token.at[0] == '-';
    uint64_t number = 0;
    if (token.kind != SW_TOKEN_NUMBER || token.len == negative || token.len > 18)
        return false;
    for (uint32_t i = negative; i < token.len; i++) {
        if (token.at[i] < '0' || token.at[i] > '9')
            return false;
        number = number * 10 + (uint64_t)(token.at[i] - '0');
    }
    *out = negative ? -(int64_t)number : (int64_t)number;
    return true;
}

bool sw_debezium_variable_decimal(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column)
{
    struct sw_token name, member, unscaled = {.kind = SW_TOKEN_ABSENT};
    int64_t scale = 0;
    bool has_scale = false;
    (void)column;
    if (value->kind == SW_TOKEN_NUMBER)
        return true;
    for (struct sw_json_walk walk = sw_json_walk_begin(*value); sw_json_walk_member(&name, &member, &walk);) {
        if (sw_bytes_is(sw_bytes_of(name.at, name.len), "scale"))
            has_scale = read_integer(&scale, member);
        else if (sw_bytes_is(sw_bytes_of(name.at, name.len), "value"))
            unscaled = member;
    }
    if (!has_scale || scale > 100000 || scale < -100000 || unscaled.kind != SW_TOKEN_TEXT)
        return refuse(room, "a decimal as {\"scale\":…,\"value\":…} was expected");
    *value = unscaled;
    return decode_decimal(value, room, scale);
}

bool sw_debezium_bits(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column)
{
    uint8_t bytes[DECIMAL_BYTES_MAX];
    size_t len;
    if (value->kind == SW_TOKEN_TRUE || value->kind == SW_TOKEN_FALSE)
        return true;
    if (!from_base64(bytes, &len, sizeof bytes, *value))
        return refuse(room, "bits in base64, at most 1024 bytes of them, were expected");
    enum sw_type_kind kind = column->column ? column->column->type.kind : SW_TYPE_TEXT;
    room->text.len = 0;
    if ((kind >= SW_TYPE_INTEGER && kind <= SW_TYPE_UINT64) || kind == SW_TYPE_DECIMAL) {
        char digits[3 * DECIMAL_BYTES_MAX + 2];
        for (size_t i = 0; i < len / 2; i++) {
            uint8_t other = bytes[i];
            bytes[i] = bytes[len - 1 - i];
            bytes[len - 1 - i] = other;
        }
        size_t count = digits_of(digits, bytes, len);
        sw_buffer_add(&room->text, count ? digits : "0", count ? count : 1);
    } else {
        size_t count = column->scale > 0 && (size_t)column->scale <= 8 * sizeof bytes ? (size_t)column->scale : 8 * len;
        for (size_t i = count; i-- > 0;)
            sw_buffer_add_byte(&room->text, i / 8 < len && bytes[i / 8] >> (i % 8) & 1 ? '1' : '0');
    }
    bool number = kind != SW_TYPE_TEXT && kind != SW_TYPE_ANY;
    *value = (struct sw_token){.at = room->text.at, .len = (uint32_t)room->text.len, .kind = number ? SW_TOKEN_NUMBER : SW_TOKEN_TEXT};
    return !room->text.failed || refuse(room, "memory ran out");
}

/* PostgreSQL's infinite dates and timestamps, as its connector writes them: numbers that its driver hands over, or the time that these would be. A date's is
 * 2147483647 (or the next) days behind 2000-01-01, which no longer fits the 32 bits that count from 1970. */
static const struct infinite { int32_t unit; const char *spelling[2]; } infinite_times[] = {
    {SW_UNIT_DAYS, {"-2147472692", "-2147472691"}},
    {SW_UNIT_MILLISECONDS, {"9223372036825200", "-9223372036832400"}},
    {SW_UNIT_MICROSECONDS, {"9223372036825200000", "-9223372036832400000"}},
    {SW_UNIT_NONE, {"-5877611-06-21", "-5877611-06-22"}},
    {SW_UNIT_NONE, {"+294247-01-10T04:00:25.2", "-290308-12-21T19:59:27.6"}},
};

static void see_infinity(struct sw_token *value, struct sw_bytes text, int32_t unit)
{
    static const char *const words[2] = {"infinity", "-infinity"};
    for (size_t i = 0; i < sizeof infinite_times / sizeof *infinite_times; i++)
        for (int sign = 0; sign < 2 && infinite_times[i].unit == unit; sign++)
            if (sw_bytes_is(text, infinite_times[i].spelling[sign])) {
                *value = (struct sw_token){.at = (const uint8_t *)words[sign], .len = (uint32_t)strlen(words[sign]), .kind = SW_TOKEN_TEXT};
                return;
            }
}

bool sw_debezium_iso_local(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column)
{
    (void)room;
    (void)column;
    if (value->kind == SW_TOKEN_TEXT && value->len && value->at[value->len - 1] == 'Z') {
        value->len--;
        see_infinity(value, sw_bytes_of(value->at, value->len), SW_UNIT_NONE);
    }
    return true;
}

bool sw_debezium_time(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column)
{
    struct sw_bytes text = sw_bytes_of(value->at, value->len);
    (void)room;
    if (value->kind == SW_TOKEN_NUMBER)
        see_infinity(value, text, column->scale);
    else if (value->kind == SW_TOKEN_TEXT && text.len && text.at[text.len - 1] == 'Z')
        see_infinity(value, sw_bytes_of(text.at, text.len - 1), SW_UNIT_NONE);
    return true;
}

enum { YEAR, MONTH, DAY, HOUR, MINUTE, SECOND, NANOS, OFFSET, PART_COUNT };
static const char *const part_names[PART_COUNT] = {"year", "month", "day", "hour", "minute", "second", "nanos", "offsetSeconds"};

/* Takes the parts that are there and says which (bit i). False for one that is no number in its range. */
static bool read_parts(int64_t parts[PART_COUNT], unsigned *found, struct sw_bytes *special, struct sw_token value)
{
    static const int64_t most[PART_COUNT] = {999999, 12, 31, 838, 59, 60, 999999999, 86399};
    struct sw_token name, member;
    *found = 0;
    for (struct sw_json_walk walk = sw_json_walk_begin(value); sw_json_walk_member(&name, &member, &walk);) {
        struct sw_bytes text = sw_bytes_of(name.at, name.len);
        if (member.kind == SW_TOKEN_NULL)
            continue;
        if (sw_bytes_is(text, "specialValue") && member.kind == SW_TOKEN_TEXT)
            *special = sw_bytes_of(member.at, member.len);
        for (int i = 0; i < PART_COUNT; i++)
            if (sw_bytes_is(text, part_names[i])) {
                if (!read_integer(&parts[i], member) || parts[i] > most[i] || (parts[i] < 0 && i != YEAR && i != OFFSET) || parts[i] < -999999)
                    return false;
                *found |= 1u << i;
            }
    }
    return true;
}

bool sw_debezium_structured(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column)
{
    int64_t parts[PART_COUNT] = {0};
    unsigned found = 0;
    struct sw_bytes special = {0};
    (void)column;
    if (value->kind != SW_TOKEN_OBJECT)
        return true;
    if (!read_parts(parts, &found, &special, *value))
        return refuse(room, "a part of a structured time is no number in its range");
    struct sw_buffer *out = &room->text;
    out->len = 0;
    const unsigned date = 1u << YEAR | 1u << MONTH | 1u << DAY;
    if (special.len) {
        bool positive = sw_bytes_is(special, "POSITIVE_INFINITY");
        if (!positive && !sw_bytes_is(special, "NEGATIVE_INFINITY"))
            return refuse(room, "a special value of a structured time is POSITIVE_INFINITY or NEGATIVE_INFINITY");
        sw_buffer_add_text(out, positive ? "infinity" : "-infinity");
    } else {
        if ((found & date) == date) {
            bool before = parts[YEAR] < 1; /* year 0 is 1 BC */
            sw_buffer_printf(out, "%04lld-%02lld-%02lld", (long long)(before ? 1 - parts[YEAR] : parts[YEAR]), (long long)parts[MONTH], (long long)parts[DAY]);
        } else if (found & date || !(found & 1u << HOUR)) {
            return refuse(room, "a structured time lacks its year, month, day or hour");
        }
        if (found & 1u << HOUR) {
            if (found & date)
                sw_buffer_add_byte(out, 'T');
            sw_buffer_printf(out, "%02lld:%02lld:%02lld", (long long)parts[HOUR], (long long)parts[MINUTE], (long long)parts[SECOND]);
            if (parts[NANOS])
                sw_buffer_printf(out, ".%09lld", (long long)parts[NANOS]);
        }
        if (found & 1u << OFFSET) {
            long long offset = parts[OFFSET] < 0 ? -parts[OFFSET] : parts[OFFSET];
            sw_buffer_printf(out, "%c%02lld:%02lld:%02lld", parts[OFFSET] < 0 ? '-' : '+', offset / 3600, offset / 60 % 60, offset % 60);
        }
        if ((found & date) == date && parts[YEAR] < 1)
            sw_buffer_add_text(out, " BC");
    }
    *value = (struct sw_token){.at = out->at, .len = (uint32_t)out->len, .kind = SW_TOKEN_TEXT};
    return !out->failed || refuse(room, "memory ran out");
}

bool sw_debezium_decimal_text(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column)
{
    static const char *const words[][2] = {{"NAN", "NaN"}, {"POSITIVE_INFINITY", "inf"}, {"NEGATIVE_INFINITY", "-inf"}};
    (void)room;
    (void)column;
    for (size_t i = 0; value->kind == SW_TOKEN_TEXT && i < sizeof words / sizeof *words; i++)
        if (sw_bytes_is(sw_bytes_of(value->at, value->len), words[i][0]))
            *value = (struct sw_token){.at = (const uint8_t *)words[i][1], .len = (uint32_t)strlen(words[i][1]), .kind = SW_TOKEN_TEXT};
    return true;
}

bool sw_debezium_decimal_without_schema(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column)
{
    sw_debezium_decimal_text(value, room, column);
    if (value->kind == SW_TOKEN_OBJECT)
        return sw_debezium_variable_decimal(value, room, column);
    if (value->kind != SW_TOKEN_TEXT)
        return true;
    bool other = false; /* a character that base64 has and decimal text has not */
    for (uint32_t i = 0; i < value->len; i++)
        other |= !((value->at[i] >= '0' && value->at[i] <= '9') || strchr("+-.eE", value->at[i]));
    uint8_t bytes[DECIMAL_BYTES_MAX];
    size_t len;
    if (other && from_base64(bytes, &len, sizeof bytes, *value) && value->len % 4 == 0)
        return refuse(room, "a decimal in base64 has its scale in the schema, which the record lacks: write records with schemas, or with decimal.handling.mode=string");
    return true;
}

static bool decode_elements(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column, sw_decode_fn decode)
{
    struct sw_token item;
    bool first = true;
    if (value->kind != SW_TOKEN_ARRAY)
        return true; /* the type says what is wrong */
    room->array.len = 0;
    sw_buffer_add_byte(&room->array, '[');
    for (struct sw_json_walk walk = sw_json_walk_begin(*value); sw_json_walk_element(&item, &walk); first = false) {
        if (!first)
            sw_buffer_add_byte(&room->array, ',');
        if (item.kind != SW_TOKEN_NULL && !decode(&item, room, column))
            return false;
        sw_json_walk_write(&room->array, item);
    }
    sw_buffer_add_byte(&room->array, ']');
    value->at = room->array.at;
    value->len = (uint32_t)room->array.len;
    return true;
}

bool sw_debezium_decimals(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column)
{
    return decode_elements(value, room, column, sw_debezium_decimal);
}

bool sw_debezium_variable_decimals(struct sw_token *value, struct sw_decode_room *room, const struct sw_bound_column *column)
{
    return decode_elements(value, room, column, sw_debezium_variable_decimal);
}
