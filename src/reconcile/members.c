#include "reconcile/members.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "position/scan.h"
#include "reconcile/read.h"
#include "text/json_document.h"

static struct sw_token token_at(const struct sw_watched *seen, uint32_t node)
{
    if (node == SW_JSON_NO_NODE)
        return (struct sw_token){.kind = SW_TOKEN_ABSENT};
    return sw_json_node_token(seen->template, seen->tokens, seen->place->record, node);
}

static bool token_number(uint64_t *out, struct sw_token token)
{
    return (token.kind == SW_TOKEN_NUMBER || token.kind == SW_TOKEN_TEXT) && sw_scan_whole_u64(sw_bytes_of(token.at, token.len), out);
}

enum sw_code sw_member_put(struct sw_member_writer *writer, const struct sw_member *member, struct sw_error *error)
{
    uint8_t *to = sw_partition_append(writer->writer, sw_member_partition(member, writer->partitions), sizeof *member, error);
    if (!to)
        return error->code;
    memcpy(to, member, sizeof *member);
    return SW_OK;
}

/* What the mark of an end says of each table. */
static enum sw_code put_tables(struct sw_member_writer *writer, struct sw_member member, struct sw_token tables, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    struct sw_document_items items = sw_document_items(tables);
    while (tables.kind == SW_TOKEN_ARRAY && code == SW_OK && sw_document_next(&items)) {
        struct sw_token name = sw_document_member(items.value, "data_collection"), count = sw_document_member(items.value, "event_count");
        if (name.kind != SW_TOKEN_TEXT || !token_number(&member.number, count))
            continue;
        member.kind = SW_MEMBER_TABLE;
        member.table = sw_member_table(sw_bytes_of(name.at, name.len));
        code = sw_member_put(writer, &member, error);
    }
    return code;
}

enum sw_code sw_member_note(struct sw_member_writer *writer, const struct sw_watched *seen, struct sw_error *error)
{
    const struct sw_bound_membership *membership = &seen->binding->membership;
    struct sw_token id = token_at(seen, membership->id), status = token_at(seen, membership->status);
    if (id.kind != SW_TOKEN_TEXT && id.kind != SW_TOKEN_NUMBER)
        return SW_OK;
    struct sw_member member = {.input = seen->place->input, .block = (uint32_t)seen->place->block, .line = (uint32_t)seen->place->line};
    uint64_t number;
    sw_member_transaction(member.transaction, sw_bytes_of(id.at, id.len));
    if (membership->status == SW_JSON_NO_NODE) {
        if (seen->status != SW_ENCODE_ROW)
            return SW_OK;
        writer->events++;
        member.kind = SW_MEMBER_EVENT;
        member.table = membership->table;
        if (!sw_member_add_table(&writer->tables, member.table))
            return sw_fail_memory(error, "tables", writer->tables.len);
        member.number = token_number(&number, token_at(seen, membership->number)) ? number : 0;
        member.table_number = token_number(&number, token_at(seen, membership->table_number)) && number <= UINT32_MAX ? (uint32_t)number : 0;
        return sw_member_put(writer, &member, error);
    }
    if (status.kind != SW_TOKEN_TEXT)
        return SW_OK;
    if (!sw_bytes_is(sw_bytes_of(status.at, status.len), "END")) {
        member.kind = SW_MEMBER_BEGIN;
        return sw_member_put(writer, &member, error);
    }
    writer->ends++;
    member.kind = SW_MEMBER_END;
    member.number = token_number(&number, token_at(seen, membership->count)) ? number : UINT64_MAX;
    enum sw_code code = sw_member_put(writer, &member, error);
    return code == SW_OK ? put_tables(writer, member, token_at(seen, membership->tables), error) : code;
}

/* A set of numbers: how many there are, then open addressing, a power of two of slots, at most half of them taken. */
#define TAKEN ((uint64_t)1 << 32)
#define SLOTS_FIRST 64u

static uint64_t *slot_of(uint64_t *slots, size_t count, uint32_t table)
{
    size_t at = (size_t)(table * 0x9e3779b97f4a7c15u >> 32) & (count - 1);
    while (slots[at] && slots[at] != (TAKEN | table))
        at = (at + 1) & (count - 1);
    return &slots[at];
}

bool sw_member_add_table(struct sw_buffer *set, uint32_t table)
{
    uint64_t *all = (void *)set->at;
    size_t slots = set->len ? set->len / sizeof *all - 1 : 0;
    if (slots == 0 || all[0] * 2 >= slots) {
        struct sw_buffer grown = {0};
        size_t wanted = slots ? slots * 2 : SLOTS_FIRST, bytes = (wanted + 1) * sizeof *all;
        if (!sw_buffer_reserve(&grown, bytes))
            return false;
        memset(grown.at, 0, bytes);
        grown.len = bytes;
        uint64_t *to = (void *)grown.at;
        for (size_t i = 1; i <= slots; i++)
            if (all[i])
                *slot_of(to + 1, wanted, (uint32_t)all[i]) = all[i];
        to[0] = slots ? all[0] : 0;
        sw_buffer_free(set);
        *set = grown;
        all = to;
        slots = wanted;
    }
    uint64_t *slot = slot_of(all + 1, slots, table);
    all[0] += *slot == 0;
    *slot = TAKEN | table;
    return true;
}

bool sw_member_add_tables(struct sw_buffer *set, const struct sw_buffer *tables)
{
    const uint64_t *all = (const void *)tables->at;
    for (size_t i = 1; i < tables->len / sizeof *all; i++)
        if (all[i] && !sw_member_add_table(set, (uint32_t)all[i]))
            return false;
    return true;
}

static bool place_before(const struct sw_member_transaction *a, const struct sw_member_transaction *b)
{
    if (a->input != b->input)
        return a->input < b->input;
    return a->block != b->block ? a->block < b->block : a->line < b->line;
}

enum sw_code sw_member_count(const struct sw_member_transaction *transaction, const struct sw_member *members, size_t count, void *ctx, struct sw_error *error)
{
    struct sw_member_totals *totals = ctx;
    enum sw_code code = totals->keep ? totals->keep(members, count, totals->keep_ctx, error) : SW_OK;
    if (code < 0)
        return code;
    totals->verdicts[transaction->verdict]++;
    if (transaction->verdict != SW_MEMBERS_MISSING && transaction->verdict != SW_MEMBERS_SURPLUS)
        return SW_OK;
    totals->missing_events += transaction->counted > transaction->events ? transaction->counted - transaction->events : 0;
    uint32_t at = totals->listed_count;
    for (; at > 0 && place_before(transaction, &totals->listed[at - 1]); at--)
        if (at < SW_MEMBERS_LISTED)
            totals->listed[at] = totals->listed[at - 1];
    if (at < SW_MEMBERS_LISTED) {
        totals->listed[at] = *transaction;
        totals->listed_count += totals->listed_count < SW_MEMBERS_LISTED;
    }
    return SW_OK;
}

static int by_number(const void *a, const void *b)
{
    uint32_t left, right;
    memcpy(&left, a, sizeof left);
    memcpy(&right, b, sizeof right);
    return (left > right) - (left < right);
}

enum sw_code sw_member_settle_all(struct sw_member_totals *totals, struct sw_partition_store *store, uint32_t partitions, const struct sw_buffer *tables, struct sw_error *error)
{
    struct sw_partition_load room = {0};
    enum sw_code code = SW_OK;
    const uint64_t *all = (const void *)tables->at;
    struct sw_member_tables sorted = {NULL, 0};
    uint32_t *numbers = sw_malloc(tables->len + 1);
    if (!numbers)
        return sw_fail_memory(error, "tables", tables->len);
    for (size_t i = 1; i < tables->len / sizeof *all; i++)
        if (all[i])
            numbers[sorted.count++] = (uint32_t)all[i];
    if (sorted.count)
        qsort(numbers, sorted.count, sizeof *numbers, by_number);
    sorted.at = numbers;
    for (uint32_t p = 0; p < partitions && code == SW_OK; p++)
        code = sw_members_settle(&room, store, p, sorted, sw_member_count, totals, error);
    sw_partition_load_free(&room);
    sw_free(numbers);
    return code;
}
