/* Telling a time from a position, so that a time handed in as one is refused with the right words. */
#include "position/position.h"
#include "position/scan.h"

static size_t digits(struct sw_bytes text, size_t from)
{
    size_t count = 0;
    while (from + count < text.len && sw_is_digit(text.at[from + count]))
        count++;
    return count;
}

static bool is_at(struct sw_bytes text, size_t at, uint8_t byte) { return at < text.len && text.at[at] == byte; }

/* 2026-11-30, 2026-11-30T10:00:00Z, 2026-11-30 10:00 … */
static bool iso_date(struct sw_bytes text)
{
    if (digits(text, 0) != 4 || !is_at(text, 4, '-') || digits(text, 5) != 2 || !is_at(text, 7, '-') || digits(text, 8) < 2)
        return false;
    return digits(text, 8) == 2 && (text.len == 10 || text.at[10] == 'T' || text.at[10] == 't' || text.at[10] == ' ' || text.at[10] == '_' || text.at[10] == 'Z');
}

/* 20261130T100000Z */
static bool iso_basic(struct sw_bytes text) { return digits(text, 0) == 8 && (is_at(text, 8, 'T') || is_at(text, 8, 't')) && digits(text, 9) >= 4; }

/* 10:00, 10:00:00.5 */
static bool time_of_day(struct sw_bytes text)
{
    return (digits(text, 0) == 1 || digits(text, 0) == 2) && is_at(text, digits(text, 0), ':') && digits(text, digits(text, 0) + 1) == 2;
}

static bool month_name(struct sw_bytes text)
{
    static const char months[] = "janfebmaraprmayjunjulaugsepoctnovdec";
    bool has_digit = false, has_month = false;
    if (text.len > 64)
        return false;
    for (size_t i = 0; i < text.len; i++) {
        has_digit |= sw_is_digit(text.at[i]);
        bool starts = i == 0 || !((text.at[i - 1] | 0x20) >= 'a' && (text.at[i - 1] | 0x20) <= 'z');
        for (size_t m = 0; starts && m < 36 && i + 3 <= text.len; m += 3)
            if (sw_lower(text.at[i]) == months[m] && sw_lower(text.at[i + 1]) == months[m + 1] && sw_lower(text.at[i + 2]) == months[m + 2])
                has_month |= i + 3 == text.len || text.at[i + 3] == ' ' || text.at[i + 3] == '-' || text.at[i + 3] == ',' || text.at[i + 3] == '/';
    }
    return has_digit && has_month;
}

bool sw_position__reads_as_epoch(uint64_t number)
{
    const uint64_t from = 1000000000, to = 4000000000; /* seconds: 2001-09-09 to 2096-10-02 */
    for (uint64_t unit = 1; unit <= 1000000000; unit *= 1000)
        if (number / unit >= from && number / unit < to)
            return true;
    return false;
}

bool sw_position__reads_as_time(struct sw_bytes text)
{
    uint64_t number;
    if (text.len >= 2 && (text.at[0] == '"' || text.at[0] == '\'') && text.at[text.len - 1] == text.at[0])
        text = (struct sw_bytes){text.at + 1, text.len - 2};
    return iso_date(text) || iso_basic(text) || time_of_day(text) || month_name(text) || (sw_scan_whole_u64(text, &number) && sw_position__reads_as_epoch(number));
}
