#include "reconcile/saved_members.h"

#include <string.h>

#define LINE_MEMBERS_MAX 1000u /* a line stays short, however many events a transaction has */
#define BATCH_BYTES ((size_t)1 << 20)

enum sw_code sw_saved_read_members(struct sw_reading *reading, struct sw_member_writer *writer, unsigned thread, struct sw_bytes bytes, const struct sw_record_place *place, struct sw_error *error)
{
    static const enum sw_member_kind kinds[] = {SW_MEMBER_EVENT, SW_MEMBER_BEGIN, SW_MEMBER_END, SW_MEMBER_TABLE};
    enum sw_code code = sw_read_open_members(reading, writer, thread, error);
    for (size_t at = 0; at < bytes.len && code == SW_OK; at += sizeof(struct sw_state_member)) {
        struct sw_state_member from;
        memcpy(&from, bytes.at + at, sizeof from);
        struct sw_member member = {.number = from.number, .table_number = (uint32_t)from.table_number, .table = from.table, .kind = kinds[from.kind],
                                   .input = place->input, .block = (uint32_t)place->block, .line = (uint32_t)place->line};
        memcpy(member.transaction, from.transaction, sizeof member.transaction);
        if (member.kind == SW_MEMBER_EVENT) {
            member.more = from.count - 1;
            writer->events++;
            if (!sw_member_add_table(&writer->tables, member.table))
                return sw_fail_memory(error, "tables", writer->tables.len);
        }
        writer->ends += member.kind == SW_MEMBER_END;
        code = sw_member_put(writer, &member, error);
    }
    return code;
}

static void add_number(struct sw_buffer *out, uint64_t number)
{
    for (int i = 7; i >= 0; i--)
        sw_buffer_add_byte(out, (uint8_t)(number >> (8 * i)));
}

/* Behind all records, by transaction, and of one in its order. */
static enum sw_code write_line(struct sw_saved_members *saved, uint64_t number, struct sw_error *error)
{
    const struct sw_state_member *members = (const void *)saved->members.at;
    saved->key.len = saved->line.len = 0;
    sw_buffer_add_byte(&saved->key, 3);
    add_number(&saved->key, members[0].transaction[0]);
    add_number(&saved->key, members[0].transaction[1]);
    add_number(&saved->key, number);
    sw_state_members_write(&saved->line, members, saved->members.len / sizeof *members);
    saved->members.len = 0;
    if (saved->key.failed || saved->line.failed || saved->members.failed || !sw_run_batch_add(&saved->batch, sw_buffer_view(&saved->key), sw_buffer_view(&saved->line)))
        return sw_fail_memory(error, "the events of a transaction", saved->line.len);
    return saved->batch.bytes.len > BATCH_BYTES ? sw_run_batch_end(&saved->batch, saved->run->saved, error) : SW_OK;
}

enum sw_code sw_saved_keep_members(const struct sw_member *members, size_t count, void *ctx, struct sw_error *error)
{
    static const enum sw_state_member_kind kinds[] = {SW_STATE_MEMBER_EVENT, SW_STATE_MEMBER_BEGIN, SW_STATE_MEMBER_END, SW_STATE_MEMBER_TABLE};
    struct sw_saved_members *saved = ctx;
    enum sw_code code = SW_OK;
    for (size_t i = 0; i < count && code == SW_OK; i++) {
        struct sw_state_member member = {.kind = kinds[members[i].kind], .table = members[i].table, .number = members[i].number, .table_number = members[i].table_number, .count = members[i].more + 1};
        memcpy(member.transaction, members[i].transaction, sizeof member.transaction);
        sw_buffer_add(&saved->members, &member, sizeof member);
        if (i + 1 == count || (i + 1) % LINE_MEMBERS_MAX == 0)
            code = saved->members.failed ? sw_fail_memory(error, "the events of a transaction", saved->members.len) : write_line(saved, i / LINE_MEMBERS_MAX, error);
    }
    return code;
}

enum sw_code sw_saved_end_members(struct sw_saved_members *saved, struct sw_error *error) { return sw_run_batch_end(&saved->batch, saved->run->saved, error); }

void sw_saved_members_free(struct sw_saved_members *saved)
{
    sw_run_batch_free(&saved->batch);
    sw_buffer_free(&saved->key);
    sw_buffer_free(&saved->line);
    sw_buffer_free(&saved->members);
}
