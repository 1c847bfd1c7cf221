#include "format/state/members.h"

#include "format/bind.h"
#include "format/state/array.h"
#include "position/scan.h"

/* "name":[ before the first of a list, a comma before the others. */
static void begin_member(struct sw_buffer *out, bool first, const char *name)
{
    if (first)
        sw_buffer_printf(out, ",\"%s\":[", name);
    else
        sw_buffer_add_byte(out, ',');
}

void sw_state_members_write(struct sw_buffer *out, const struct sw_state_member *members, size_t count)
{
    sw_buffer_printf(out, "{\"members\":\"%016llx%016llx\"", (unsigned long long)members[0].transaction[0], (unsigned long long)members[0].transaction[1]);
    for (size_t i = 0; i < count; i++) {
        const struct sw_state_member *member = &members[i];
        bool first = i == 0 || members[i - 1].kind != member->kind, last = i + 1 == count || members[i + 1].kind != member->kind;
        switch (member->kind) {
        case SW_STATE_MEMBER_EVENT:
            begin_member(out, first, "events");
            sw_buffer_printf(out, "[\"%08x\",%llu,%llu,%llu]", member->table, (unsigned long long)member->number, (unsigned long long)member->table_number, (unsigned long long)member->count);
            break;
        case SW_STATE_MEMBER_BEGIN: sw_buffer_add_text(out, first ? ",\"begun\":true" : ""); continue;
        case SW_STATE_MEMBER_END:
            begin_member(out, first, "ends");
            if (member->number == UINT64_MAX)
                sw_buffer_add_text(out, "null");
            else
                sw_buffer_printf(out, "%llu", (unsigned long long)member->number);
            break;
        case SW_STATE_MEMBER_TABLE:
            begin_member(out, first, "counted");
            sw_buffer_printf(out, "[\"%08x\",%llu]", member->table, (unsigned long long)member->number);
            break;
        }
        if (last)
            sw_buffer_add_byte(out, ']');
    }
    sw_buffer_add_text(out, "}\n");
}

static bool read_u64(uint64_t *out, struct sw_token token) { return token.kind == SW_TOKEN_NUMBER && sw_scan_whole_u64(sw_bytes_of(token.at, token.len), out); }

static bool read_hex(uint64_t *out, const uint8_t *at, size_t len)
{
    *out = 0;
    for (size_t i = 0; i < len; i++) {
        if ((uint8_t)(at[i] - '0') > 9 && (uint8_t)(at[i] - 'a') > 5)
            return false;
        *out = *out << 4 | (uint64_t)(at[i] < 'a' ? at[i] - '0' : at[i] - 'a' + 10);
    }
    return true;
}

/* [table, number …]: false if it is none. */
static bool read_numbers(struct sw_state_member *member, uint64_t *numbers, unsigned wanted, struct sw_token token)
{
    struct sw_state_array array;
    struct sw_token element;
    uint64_t table = 0;
    unsigned found = 0;
    bool good = sw_state_array_open(&array, token);
    while (good && sw_state_array_next(&element, &array)) {
        good = found == 0 ? element.kind == SW_TOKEN_TEXT && element.len == 8 && read_hex(&table, element.at, 8) : found <= wanted && read_u64(&numbers[found - 1], element);
        found++;
    }
    member->table = (uint32_t)table;
    return (token.kind != SW_TOKEN_ARRAY || sw_state_array_close(&array)) && good && found == wanted + 1;
}

static bool read_events(struct sw_state_member *member, struct sw_token token)
{
    uint64_t numbers[3] = {0}, last;
    if (!read_numbers(member, numbers, 3, token))
        return false;
    member->number = numbers[0];
    member->table_number = numbers[1];
    member->count = numbers[2];
    return numbers[2] != 0 && !__builtin_add_overflow(numbers[0], numbers[2], &last) && !__builtin_add_overflow(numbers[1], numbers[2], &last) && last <= UINT32_MAX;
}

static bool read_counted(struct sw_state_member *member, struct sw_token token) { return read_numbers(member, &member->number, 1, token); }

static bool read_end_count(struct sw_state_member *member, struct sw_token token)
{
    member->number = UINT64_MAX;
    return token.kind == SW_TOKEN_NULL || (read_u64(&member->number, token) && member->number != UINT64_MAX);
}

/* A list of them; false if it is none, or memory ran out. */
static bool read_list(struct sw_buffer *out, struct sw_token token, struct sw_state_member member, bool (*read)(struct sw_state_member *member, struct sw_token token))
{
    struct sw_token element;
    struct sw_state_array array;
    bool good = true;
    if (token.kind == SW_TOKEN_ABSENT)
        return true;
    if (!sw_state_array_open(&array, token))
        return false;
    while (good && sw_state_array_next(&element, &array)) {
        good = read(&member, element);
        sw_buffer_add(out, &member, sizeof member);
    }
    return sw_state_array_close(&array) && good;
}

enum sw_encode_status sw_state_members_read(struct sw_encoder *encoder, const struct sw_state_members_parts *parts)
{
    struct sw_buffer *out = &encoder->members;
    struct sw_token name = parts->members;
    struct sw_state_member member = {.kind = SW_STATE_MEMBER_EVENT};
    bool good = name.kind == SW_TOKEN_TEXT && name.len == 32 && read_hex(&member.transaction[0], name.at, 16) && read_hex(&member.transaction[1], name.at + 16, 16) &&
                (parts->begun.kind == SW_TOKEN_ABSENT || parts->begun.kind == SW_TOKEN_TRUE);
    good = good && read_list(out, parts->events, member, read_events);
    member.kind = SW_STATE_MEMBER_BEGIN;
    if (parts->begun.kind == SW_TOKEN_TRUE)
        sw_buffer_add(out, &member, sizeof member);
    member.kind = SW_STATE_MEMBER_END;
    good = good && read_list(out, parts->ends, member, read_end_count);
    member.kind = SW_STATE_MEMBER_TABLE;
    good = good && read_list(out, parts->counted, member, read_counted);
    if (out->failed)
        return SW_ENCODE_FAILED;
    if (good && out->len)
        return SW_ENCODE_FRAME;
    out->len = 0;
    return sw_encode__bad(encoder, "state", "members is 32 hexadecimal digits, and with it stand events, ends and counted, lists, or begun, which is true", (struct sw_token){.kind = SW_TOKEN_ABSENT});
}

