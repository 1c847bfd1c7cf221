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

static enum sw_code put_member(struct sw_member_writer *writer, const struct sw_member *member, struct sw_error *error)
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
        code = put_member(writer, &member, error);
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
        if (!sw_member_add_tables(&writer->tables, sw_bytes_of(&member.table, sizeof member.table)))
            return sw_fail_memory(error, "tables", writer->tables.len);
        member.number = token_number(&number, token_at(seen, membership->number)) ? number : 0;
        member.table_number = token_number(&number, token_at(seen, membership->table_number)) && number <= UINT32_MAX ? (uint32_t)number : 0;
        return put_member(writer, &member, error);
    }
    if (status.kind != SW_TOKEN_TEXT)
        return SW_OK;
    if (!sw_bytes_is(sw_bytes_of(status.at, status.len), "END")) {
        member.kind = SW_MEMBER_BEGIN;
        return put_member(writer, &member, error);
    }
    writer->ends++;
    member.kind = SW_MEMBER_END;
    member.number = token_number(&number, token_at(seen, membership->count)) ? number : UINT64_MAX;
    enum sw_code code = put_member(writer, &member, error);
    return code == SW_OK ? put_tables(writer, member, token_at(seen, membership->tables), error) : code;
}

bool sw_member_add_tables(struct sw_buffer *to, struct sw_bytes tables)
{
    for (size_t i = 0; i + sizeof(uint32_t) <= tables.len; i += sizeof(uint32_t)) {
        size_t at = to->len; /* the last one first: events of a table often stand together */
        while (at && memcmp(to->at + at - sizeof(uint32_t), (const uint8_t *)tables.at + i, sizeof(uint32_t)) != 0)
            at -= sizeof(uint32_t);
        if (at == 0)
            sw_buffer_add(to, (const uint8_t *)tables.at + i, sizeof(uint32_t));
    }
    return !to->failed;
}

static bool place_before(const struct sw_member_transaction *a, const struct sw_member_transaction *b)
{
    if (a->input != b->input)
        return a->input < b->input;
    return a->block != b->block ? a->block < b->block : a->line < b->line;
}

enum sw_code sw_member_count(const struct sw_member_transaction *transaction, void *ctx, struct sw_error *error)
{
    struct sw_member_totals *totals = ctx;
    (void)error;
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

enum sw_code sw_member_settle_all(struct sw_member_totals *totals, struct sw_partition_store *store, uint32_t partitions, struct sw_buffer *tables, struct sw_error *error)
{
    struct sw_partition_load room = {0};
    enum sw_code code = SW_OK;
    const struct sw_member_tables sorted = {(const uint32_t *)(const void *)tables->at, tables->len / sizeof(uint32_t)};
    if (sorted.count)
        qsort(tables->at, sorted.count, sizeof(uint32_t), by_number);
    for (uint32_t p = 0; p < partitions && code == SW_OK; p++)
        code = sw_members_settle(&room, store, p, sorted, sw_member_count, totals, error);
    sw_partition_load_free(&room);
    return code;
}
