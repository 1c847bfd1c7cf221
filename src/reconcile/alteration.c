#include "reconcile/alteration.h"

#include <string.h>

#include "base/character.h"
#include "text/utf8.h"

#define DOUBLE_DIGITS 15u  /* a double keeps all integers of so many digits */
#define CUT_LEAST 8u       /* shorter beginnings are words of their own: new, newer */
#define UUID_BYTES 16u

/* Windows-1252's characters for 0x80 to 0x9F; 0 where it has none (there Latin-1's stand). Source: the Unicode consortium's mapping table CP1252.TXT. */
static const uint16_t windows_1252[32] = {0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
                                          0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178};

/* Of texts as JSON writes them: is `with` the same as `without`, once each \r before an \n is left out? */
static bool is_without_returns(struct sw_bytes with, struct sw_bytes without)
{
    size_t i = 0, j = 0;
    bool left_out = false;
    while (i < with.len) {
        if (with.len - i >= 4 && memcmp(with.at + i, "\\r\\n", 4) == 0) {
            i += 2;
            left_out = true;
        }
        size_t step = with.at[i] == '\\' ? 2 : 1; /* an escape as a whole: a backslash may be the text's own */
        if (with.len - i < step || without.len - j < step || memcmp(with.at + i, without.at + j, step) != 0)
            return false;
        i += step, j += step;
    }
    return left_out && j == without.len;
}

static uint32_t take_character(struct sw_bytes *text)
{
    const uint8_t *at = text->at;
    size_t len = 6;
    bool control = text->len >= len && memcmp(at, "\\u00", 4) == 0 && (at[4] == '8' || at[4] == '9') && sw_hex_value(at[5]) >= 0; /* of 0x80 to 0x9F, which JSON's writer escapes */
    uint32_t character = control ? (uint32_t)(sw_hex_value(at[4]) << 4 | sw_hex_value(at[5])) : sw_utf8_decode(&len, *text, 0);
    *text = sw_bytes_of(at + len, text->len - len);
    return character;
}

/* -1: no byte of Latin-1 or Windows-1252 */
static int byte_of(uint32_t character)
{
    for (int i = 0; character > 0xFF && i < 32; i++)
        if (windows_1252[i] == character)
            return 0x80 + i;
    return character > 0xFF ? -1 : (int)character;
}

static bool is_encoded_twice(struct sw_bytes once, struct sw_bytes twice)
{
    size_t i = 0;
    if (twice.len <= once.len)
        return false;
    for (; twice.len && i < once.len; i++)
        if (byte_of(take_character(&twice)) != once.at[i])
            return false;
    return !twice.len && i == once.len;
}

static bool read_uuid(uint8_t out[UUID_BYTES], struct sw_bytes text)
{
    size_t digits = 0;
    for (size_t i = 0; i < text.len; i++) {
        int value = sw_hex_value(text.at[i]);
        if (value < 0 && (text.at[i] == '-' || text.at[i] == '{' || text.at[i] == '}'))
            continue;
        if (value < 0 || digits == 2 * UUID_BYTES)
            return false;
        out[digits / 2] = (uint8_t)(digits % 2 ? out[digits / 2] << 4 | value : value);
        digits++;
    }
    return digits == 2 * UUID_BYTES;
}

static bool is_reordered(const uint8_t a[UUID_BYTES], const uint8_t b[UUID_BYTES], const uint8_t order[8])
{
    for (size_t i = 0; i < 8; i++)
        if (a[order[i]] != b[i])
            return false;
    return memcmp(a + 8, b + 8, 8) == 0;
}

static bool is_uuid_of_other_order(struct sw_bytes evidence, struct sw_bytes reference)
{
    static const uint8_t sql_server[8] = {3, 2, 1, 0, 5, 4, 7, 6}, time_first[8] = {6, 7, 4, 5, 0, 1, 2, 3};
    uint8_t a[UUID_BYTES], b[UUID_BYTES];
    return read_uuid(a, evidence) && read_uuid(b, reference) && (is_reordered(a, b, sql_server) || is_reordered(a, b, time_first) || is_reordered(b, a, time_first));
}

uint32_t sw_alteration_find(struct sw_bytes evidence, struct sw_bytes reference)
{
    uint32_t found = 0;
    if (is_without_returns(evidence, reference) || is_without_returns(reference, evidence))
        found |= 1u << SW_ALTERATION_LINE_ENDS;
    if (is_encoded_twice(evidence, reference) || is_encoded_twice(reference, evidence))
        found |= 1u << SW_ALTERATION_ENCODED_TWICE;
    if (is_uuid_of_other_order(evidence, reference))
        found |= 1u << SW_ALTERATION_UUID_BYTES;
    if (reference.len >= CUT_LEAST && evidence.len > reference.len && memcmp(evidence.at, reference.at, reference.len) == 0)
        found |= 1u << SW_ALTERATION_CUT_TEXT;
    return found;
}

bool sw_alteration_is_double(struct sw_bytes evidence)
{
    size_t digits = 0;
    for (size_t i = evidence.len && evidence.at[0] == '-' ? 1 : 0; i < evidence.len; i++, digits++)
        if (!sw_is_digit(evidence.at[i]))
            return false;
    return digits > DOUBLE_DIGITS;
}

bool sw_alteration_is_placeholder(struct sw_bytes reference)
{
    static const char *const spellings[] = {"__debezium_unavailable_value", "X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ", "5f5f646562657a69756d5f756e617661696c61626c655f76616c7565",
                                            "5F5F646562657A69756D5F756E617661696C61626C655F76616C7565"};
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        if (memmem(reference.at, reference.len, spellings[i], strlen(spellings[i])))
            return true;
    return false;
}

const char *sw_alteration_text(enum sw_alteration alteration)
{
    static const char *const texts[SW_ALTERATION_COUNT] = {
        [SW_ALTERATION_DOUBLE] = "the destination has what a floating-point number (float64) keeps of the evidence's integer; no type brings the lost digits back: load it again as an integer or as text",
        [SW_ALTERATION_EMPTY_NULL] = "one side has empty text where the other has NULL, as Oracle and some CSV readers make one of the other",
        [SW_ALTERATION_LINE_ENDS] = "one side ends lines with CR LF where the other has LF alone",
        [SW_ALTERATION_ENCODED_TWICE] = "one side has the other's text encoded twice: UTF-8 that was read as Latin-1 or Windows-1252",
        [SW_ALTERATION_UUID_BYTES] = "they are one UUID with its bytes in another order, as SQL Server stores them (uniqueidentifier) or MySQL's UUID_TO_BIN(x, 1)",
        [SW_ALTERATION_CUT_TEXT] = "the destination has the beginning of the evidence's text: a column that is too short, or a limit for large values on the way, cuts so",
        [SW_ALTERATION_PLACEHOLDER] = "the destination has Debezium's placeholder where a value did not change: the sink wrote it over the value, which has to be put back from the source",
        [SW_ALTERATION_UNSCALED] = "the evidence has the destination's digits as Debezium writes a decimal in records without a schema, in base64 and without its scale: where the point stands is not in them; "
                                   "take records with schemas or with decimal.handling.mode=string, or declare --type COLUMN=decimal, under which such a value is unknown and no difference",
        [SW_ALTERATION_VARIABLE_DECIMAL] = "the evidence has the destination's number as Debezium's {\"scale\":…,\"value\":…}: declare --type COLUMN=decimal, which reads it, and run again",
        [SW_ALTERATION_GEOMETRY] = "the evidence has the destination's geometry as Debezium's {\"wkb\":…,\"srid\":…}, in base64; no type compares the two: leave the column out (--ignore COLUMN), or write both as text "
                                   "(ST_AsText)"};
    return texts[alteration];
}
