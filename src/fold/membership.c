#include "fold/membership.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "format/format.h"

#define SEED_FIRST 0x51d7348c0f1be4a3u
#define SEED_SECOND 0xb5297a4d3f84d5b5u

static size_t digits_at(struct sw_bytes text, size_t at)
{
    size_t count = 0;
    while (at + count < text.len && text.at[at + count] >= '0' && text.at[at + count] <= '9')
        count++;
    return count;
}

/* Debezium's PostgreSQL connector writes TXID:LSN, and the LSN is that of each record: begin, event and end of one transaction differ in it.
 * A GTID is no pair of plain numbers, nor is any other connector's id. */
static struct sw_bytes lasting_part(struct sw_bytes id)
{
    size_t number = digits_at(id, 0), lsn = number && number < id.len && id.at[number] == ':' ? digits_at(id, number + 1) : 0;
    return lsn && number + 1 + lsn == id.len ? sw_bytes_of(id.at, number) : id;
}

void sw_member_transaction(uint64_t out[2], struct sw_bytes id)
{
    id = lasting_part(id);
    out[0] = sw_hash(id.at, id.len, SEED_FIRST);
    out[1] = sw_hash(id.at, id.len, SEED_SECOND);
}

uint32_t sw_member_table(struct sw_bytes name) { return sw_table_hash(name); }

static int compare_numbers(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

/* Events of which the same places are told, and of which these differ by the same number, stand in a row: where it begins, and the place in it. */
static unsigned told_places(const struct sw_member *event) { return (event->number != 0) | (event->table_number != 0) << 1; }
static uint64_t row_of(const struct sw_member *event) { return event->number && event->table_number ? event->number - event->table_number : 0; }
static uint64_t place_in_row(const struct sw_member *event) { return event->table_number ? event->table_number : event->number; }

/* By transaction; marks behind the events; events by table, row and place, so that those of a table stand together. */
static int by_transaction(const void *a, const void *b)
{
    const struct sw_member *left = a, *right = b;
    int order = compare_numbers(left->transaction[0], right->transaction[0]);
    if (!order)
        order = compare_numbers(left->transaction[1], right->transaction[1]);
    if (!order)
        order = compare_numbers(left->kind, right->kind);
    if (!order)
        order = compare_numbers(left->table, right->table);
    if (!order && left->kind == SW_MEMBER_EVENT)
        order = compare_numbers(told_places(left), told_places(right));
    if (!order && left->kind == SW_MEMBER_EVENT)
        order = compare_numbers(row_of(left), row_of(right));
    if (!order && left->kind == SW_MEMBER_EVENT)
        order = compare_numbers(place_in_row(left), place_in_row(right));
    return order ? order : compare_numbers(left->number, right->number);
}

/* Does the event go on from the one before, or repeat some of it? */
static bool goes_on(const struct sw_member *event, const struct sw_member *before)
{
    return before->kind == SW_MEMBER_EVENT && event->kind == SW_MEMBER_EVENT && event->table == before->table && told_places(event) == told_places(before) &&
           row_of(event) == row_of(before) && (!told_places(event) || place_in_row(event) <= place_in_row(before) + before->more + 1);
}

/* Makes one of sorted entries of one transaction that go on from each other: what they count stays the same. */
static size_t unite(struct sw_member *members, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const struct sw_member *member = &members[i];
        struct sw_member *before = kept ? &members[kept - 1] : NULL;
        bool again = before && member->kind != SW_MEMBER_EVENT && member->kind == before->kind && member->table == before->table && (member->kind == SW_MEMBER_TABLE || member->number == before->number);
        if (again)
            continue;
        if (!before || !goes_on(member, before)) {
            members[kept++] = *member;
        } else if (!told_places(member)) {
            before->more += member->more + 1;
        } else {
            uint64_t last = place_in_row(member) + member->more, from = place_in_row(before);
            before->more = last > from + before->more ? last - from : before->more;
        }
    }
    return kept;
}

static bool has_table(struct sw_member_tables tables, uint32_t table)
{
    size_t low = 0, high = tables.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (tables.at[middle] < table)
            low = middle + 1;
        else
            high = middle;
    }
    return low < tables.count && tables.at[low] == table;
}

/* Distinct events of one table, and the highest place among them. */
struct of_table {
    uint64_t events, highest;
};

/* Of united entries: those of one table. */
static size_t count_table(struct of_table *out, uint64_t *highest, const struct sw_member *members, size_t count)
{
    size_t i = 0;
    *out = (struct of_table){0};
    for (; i < count && members[i].kind == SW_MEMBER_EVENT && members[i].table == members[0].table; i++) {
        const struct sw_member *member = &members[i];
        uint64_t last = member->number ? member->number + member->more : 0, last_of_table = member->table_number ? member->table_number + member->more : 0;
        out->events += member->more + 1;
        out->highest = last_of_table > out->highest ? last_of_table : out->highest;
        *highest = last > *highest ? last : *highest;
    }
    return i;
}

/* What is there of a table, among sorted events. */
static struct of_table table_among(const struct sw_member *members, size_t count, uint32_t table)
{
    struct of_table found = {0};
    uint64_t highest = 0;
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (members[middle].table < table)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < count && members[low].table == table)
        (void)count_table(&found, &highest, &members[low], count - low);
    return found;
}

struct place { uint32_t input, block, line; };

static struct place first_place(const struct sw_member *members, size_t count)
{
    struct place first = {UINT32_MAX, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const struct sw_member *at = &members[i];
        if (at->input < first.input || (at->input == first.input && (at->block < first.block || (at->block == first.block && at->line < first.line)))) {
            first.input = at->input;
            first.block = at->block;
            first.line = at->line;
        }
    }
    return first;
}

/* Entries are united. */
static struct sw_member_transaction judge(const struct sw_member *members, size_t count, struct sw_member_tables tables)
{
    struct sw_member_transaction out = {.verdict = SW_MEMBERS_NO_END};
    uint64_t highest = 0, elsewhere = 0, ended = 0;
    bool holes = false, missing = false, end = false, told = false, detailed = false;
    size_t i = 0;
    while (i < count && members[i].kind == SW_MEMBER_EVENT) {
        struct of_table each;
        i += count_table(&each, &highest, &members[i], count - i);
        out.events += each.events;
        holes |= each.highest > each.events;
    }
    size_t events = i;
    for (; i < count; i++) {
        const struct sw_member *mark = &members[i];
        end |= mark->kind == SW_MEMBER_END;
        if (mark->kind == SW_MEMBER_END && mark->number != UINT64_MAX) {
            told = true;
            ended = mark->number;
        }
        if (mark->kind != SW_MEMBER_TABLE)
            continue;
        detailed = true;
        struct of_table seen = table_among(members, events, mark->table);
        if (seen.events < mark->number && has_table(tables, mark->table))
            missing = true;
        else if (seen.events < mark->number)
            elsewhere += mark->number - seen.events;
    }
    out.counted = told ? ended : highest;
    if (!end || (!told && !detailed)) /* an end that counts nothing shows nothing */
        out.verdict = holes ? SW_MEMBERS_MISSING : SW_MEMBERS_NO_END;
    else if (told && out.events > ended)
        out.verdict = SW_MEMBERS_SURPLUS;
    else if (holes || missing || (!detailed && told && out.events < ended))
        out.verdict = SW_MEMBERS_MISSING;
    else
        out.verdict = elsewhere ? SW_MEMBERS_ELSEWHERE : SW_MEMBERS_COMPLETE;
    return out;
}

enum sw_code sw_members_settle(struct sw_partition_load *room, struct sw_partition_store *store, uint32_t partition, struct sw_member_tables tables, sw_members_take_fn take, void *ctx,
                               struct sw_error *error)
{
    size_t count = (size_t)sw_partition_entries(store, partition), filled = 0;
    struct sw_member *members = sw_malloc(count * sizeof *members);
    enum sw_code code = members ? sw_partition_load(room, store, partition, error) : sw_fail_memory(error, "the events of transactions", count * sizeof *members);
    for (size_t r = 0; code == SW_OK && r < room->run_count; r++) {
        struct sw_bytes run = room->runs[r], entry;
        while (filled < count && sw_partition_next(&entry, &run))
            memcpy(&members[filled++], entry.at, sizeof *members);
    }
    if (code == SW_OK && filled)
        qsort(members, filled, sizeof *members, by_transaction);
    for (size_t i = 0, end; code == SW_OK && i < filled; i = end) {
        for (end = i; end < filled && memcmp(members[end].transaction, members[i].transaction, sizeof members[i].transaction) == 0;)
            end++;
        struct place first = first_place(&members[i], end - i);
        size_t united = unite(&members[i], end - i);
        struct sw_member_transaction transaction = judge(&members[i], united, tables);
        transaction.input = first.input;
        transaction.block = first.block;
        transaction.line = first.line;
        code = take(&transaction, &members[i], united, ctx, error);
    }
    sw_free(members);
    sw_partition_drop(store, partition);
    return code;
}
