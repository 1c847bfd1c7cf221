#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "fold/membership.h"
#include "random_testing.h"

#define PARTITIONS 4u

struct fixture {
    struct sw_budget budget;
    struct sw_spill_file *spill;
    struct sw_partition_store *store;
    uint32_t line;
};

static void open_store(struct fixture *fixture)
{
    struct sw_error error = {0};
    *fixture = (struct fixture){0};
    sw_budget_init(&fixture->budget, (uint64_t)16 << 20);
    assert_int_equal(sw_spill_file_open(&fixture->spill, NULL, &error), SW_OK);
    const struct sw_partition_options options = {.partitions = PARTITIONS, .writers = 1, .memory_bytes = 1 << 20, .budget = &fixture->budget, .spill = fixture->spill};
    assert_int_equal(sw_partition_store_new(&fixture->store, &options, &error), SW_OK);
}

static void close_store(struct fixture *fixture)
{
    sw_partition_store_free(&fixture->store);
    sw_spill_file_close(&fixture->spill);
}

static void add(struct fixture *fixture, const char *id, enum sw_member_kind kind, const char *table, uint64_t number, uint32_t table_number)
{
    struct sw_error error = {0};
    struct sw_member member = {.number = number, .table_number = table_number, .table = sw_member_table(sw_bytes_text(table)), .kind = (uint32_t)kind, .line = fixture->line++};
    sw_member_transaction(member.transaction, sw_bytes_text(id));
    uint8_t *to = sw_partition_append(sw_partition_writer_at(fixture->store, 0), sw_member_partition(&member, PARTITIONS), sizeof member, &error);
    assert_non_null(to);
    memcpy(to, &member, sizeof member);
}

static bool is_one(const char *a, const char *b)
{
    uint64_t left[2], right[2];
    sw_member_transaction(left, sw_bytes_text(a));
    sw_member_transaction(right, sw_bytes_text(b));
    return memcmp(left, right, sizeof left) == 0;
}

/* Recorded from Debezium 3.6.1: {"status":"BEGIN","id":"757:22744392"}, events 757:22744920 and so on, {"status":"END","id":"757:22746520"}. */
static void a_transaction_of_postgresql_is_told_by_its_number_without_the_lsn(void **state)
{
    (void)state;
    assert_true(is_one("757:22744392", "757:22746520"));
    assert_false(is_one("757:22744392", "758:22744392"));
    assert_false(is_one("75:7", "757:7"));
    /* ids of other connectors are whole: GTIDs of both servers, binlog coordinates, LSNs of SQL Server, sessions of MongoDB */
    assert_false(is_one("3a1f0000-0000-0000-0000-000000000001:1", "3a1f0000-0000-0000-0000-000000000001:2"));
    assert_false(is_one("0-1-5", "0-1-6"));
    assert_false(is_one("file=b.000001,pos=4", "file=b.000001,pos=5"));
    assert_false(is_one("00000027:00000758:0003", "00000027:00000758:0004"));
    assert_false(is_one("757:", "757:1"));
    assert_false(is_one("757:1 ", "757:2 "));
    assert_false(is_one(":1", ":2"));
}

struct seen {
    struct sw_member_transaction transactions[8];
    size_t count;
};

static enum sw_code take(const struct sw_member_transaction *transaction, const struct sw_member *members, size_t count, void *ctx, struct sw_error *error)
{
    (void)members, (void)count;
    struct seen *seen = ctx;
    (void)error;
    assert_true(seen->count < 8);
    seen->transactions[seen->count++] = *transaction;
    return SW_OK;
}

/* `tables`: of which events are in evidence. */
static struct sw_member_transaction only(struct fixture *fixture, const char *const *tables, size_t count)
{
    struct seen seen = {0};
    struct sw_error error = {0};
    struct sw_partition_load room = {0};
    uint32_t hashes[4];
    for (size_t i = 0; i < count; i++) /* ascending */
        hashes[i] = sw_member_table(sw_bytes_text(tables[i]));
    if (count == 2 && hashes[0] > hashes[1]) {
        uint32_t first = hashes[0];
        hashes[0] = hashes[1];
        hashes[1] = first;
    }
    for (uint32_t p = 0; p < PARTITIONS; p++)
        assert_int_equal(sw_members_settle(&room, fixture->store, p, (struct sw_member_tables){hashes, count}, take, &seen, &error), SW_OK);
    sw_partition_load_free(&room);
    assert_int_equal(seen.count, 1);
    close_store(fixture);
    return seen.transactions[0];
}

static const char *const both[] = {"s.a", "s.b"};

static void what_the_end_counts_is_there(void **state)
{
    (void)state;
    struct fixture fixture;
    open_store(&fixture);
    add(&fixture, "7", SW_MEMBER_BEGIN, "", 0, 0);
    add(&fixture, "7", SW_MEMBER_EVENT, "db.s.a", 1, 1); /* the event names the database, the mark does not */
    add(&fixture, "7", SW_MEMBER_EVENT, "db.s.b", 2, 1);
    add(&fixture, "7", SW_MEMBER_EVENT, "db.s.a", 3, 2);
    add(&fixture, "7", SW_MEMBER_EVENT, "db.s.a", 3, 2); /* delivered again */
    add(&fixture, "7", SW_MEMBER_END, "", 3, 0);
    add(&fixture, "7", SW_MEMBER_TABLE, "s.a", 2, 0);
    add(&fixture, "7", SW_MEMBER_TABLE, "s.b", 1, 0);
    struct sw_member_transaction found = only(&fixture, both, 2);
    assert_int_equal(found.verdict, SW_MEMBERS_COMPLETE);
    assert_int_equal(found.events, 3);
    assert_int_equal(found.counted, 3);
    assert_int_equal(found.line, 0);
}

static void an_event_less_than_the_end_counts_is_missing(void **state)
{
    (void)state;
    struct fixture fixture;
    open_store(&fixture);
    add(&fixture, "7", SW_MEMBER_END, "", 3, 0);
    add(&fixture, "7", SW_MEMBER_TABLE, "s.a", 2, 0);
    add(&fixture, "7", SW_MEMBER_TABLE, "s.b", 1, 0);
    add(&fixture, "7", SW_MEMBER_EVENT, "s.a", 1, 1);
    add(&fixture, "7", SW_MEMBER_EVENT, "s.b", 2, 1);
    struct sw_member_transaction found = only(&fixture, both, 2);
    assert_int_equal(found.verdict, SW_MEMBERS_MISSING);
    assert_int_equal(found.events, 2);
    assert_int_equal(found.counted, 3);
}

static void a_table_of_which_nothing_is_in_evidence_is_not_missed(void **state)
{
    (void)state;
    struct fixture fixture;
    open_store(&fixture);
    add(&fixture, "7", SW_MEMBER_EVENT, "s.a", 1, 1);
    add(&fixture, "7", SW_MEMBER_END, "", 3, 0);
    add(&fixture, "7", SW_MEMBER_TABLE, "s.a", 1, 0);
    add(&fixture, "7", SW_MEMBER_TABLE, "s.b", 2, 0);
    assert_int_equal(only(&fixture, both, 1).verdict, SW_MEMBERS_ELSEWHERE);
}

static void a_number_between_two_others_is_missing_without_an_end(void **state)
{
    (void)state;
    struct fixture fixture;
    open_store(&fixture);
    add(&fixture, "7", SW_MEMBER_EVENT, "s.a", 1, 1);
    add(&fixture, "7", SW_MEMBER_EVENT, "s.a", 4, 3);
    assert_int_equal(only(&fixture, both, 2).verdict, SW_MEMBERS_MISSING);
    open_store(&fixture); /* 2 and 3 of the whole may be of another table */
    add(&fixture, "7", SW_MEMBER_EVENT, "s.a", 1, 1);
    add(&fixture, "7", SW_MEMBER_EVENT, "s.a", 4, 2);
    assert_int_equal(only(&fixture, both, 2).verdict, SW_MEMBERS_NO_END);
}

static void more_events_than_the_end_counts_is_a_contradiction(void **state)
{
    (void)state;
    struct fixture fixture;
    open_store(&fixture);
    add(&fixture, "7", SW_MEMBER_EVENT, "s.a", 1, 1);
    add(&fixture, "7", SW_MEMBER_EVENT, "s.a", 2, 2);
    add(&fixture, "7", SW_MEMBER_END, "", 1, 0);
    assert_int_equal(only(&fixture, both, 2).verdict, SW_MEMBERS_SURPLUS);
}

static void an_end_that_does_not_count_proves_no_loss(void **state)
{
    (void)state;
    struct fixture fixture;
    open_store(&fixture);
    add(&fixture, "7", SW_MEMBER_EVENT, "s.a", 1, 1);
    add(&fixture, "7", SW_MEMBER_END, "", UINT64_MAX, 0);
    assert_int_equal(only(&fixture, both, 2).verdict, SW_MEMBERS_NO_END);
}

struct taken {
    struct sw_member_transaction transaction;
    struct sw_member members[64];
    size_t count;
};

static enum sw_code take_all(const struct sw_member_transaction *transaction, const struct sw_member *members, size_t count, void *ctx, struct sw_error *error)
{
    struct taken *taken = ctx;
    (void)error;
    assert_true(count <= 64);
    taken->transaction = *transaction;
    memcpy(taken->members, members, count * sizeof *members);
    taken->count = count;
    return SW_OK;
}

static void settle(struct taken *out, const struct sw_member *members, size_t count, struct sw_member_tables tables)
{
    struct fixture fixture;
    struct sw_error error = {0};
    struct sw_partition_load room = {0};
    open_store(&fixture);
    *out = (struct taken){.count = 0};
    for (size_t i = 0; i < count; i++) {
        uint8_t *to = sw_partition_append(sw_partition_writer_at(fixture.store, 0), 0, sizeof *members, &error);
        assert_non_null(to);
        memcpy(to, &members[i], sizeof *members);
    }
    assert_int_equal(sw_members_settle(&room, fixture.store, 0, tables, take_all, out, &error), SW_OK);
    sw_partition_load_free(&room);
    close_store(&fixture);
}

/* Distinct events by the rule itself: those of which neither place is told each count. */
static uint64_t count_by_rule(const struct sw_member *members, size_t count)
{
    uint64_t events = 0;
    for (size_t i = 0; i < count; i++) {
        bool again = false;
        for (size_t j = 0; j < i && (members[i].number || members[i].table_number); j++)
            again |= members[j].kind == SW_MEMBER_EVENT && members[j].table == members[i].table && members[j].number == members[i].number && members[j].table_number == members[i].table_number;
        events += members[i].kind == SW_MEMBER_EVENT && !again;
    }
    return events;
}

static void what_was_made_one_counts_as_it_did_also_with_what_comes_later(void **state)
{
    (void)state;
    static const uint32_t tables[] = {3, 5};
    random_state = 7;
    for (int round = 0; round < 5000; round++) {
        struct sw_member members[64];
        struct taken whole, first, joined;
        size_t count = 1 + pick(30), cut = pick(count + 1), events = pick(count + 1);
        for (size_t i = 0; i < count; i++) {
            members[i] = (struct sw_member){.transaction = {1, 2}, .line = (uint32_t)i, .kind = SW_MEMBER_EVENT, .table = tables[pick(2)], .number = pick(9), .table_number = (uint32_t)pick(4)};
            if (pick(3))
                members[i].number = members[i].table_number + (members[i].table == 3 ? 0 : 2);
            if (i >= events) {
                members[i].kind = (uint32_t[]){SW_MEMBER_BEGIN, SW_MEMBER_END, SW_MEMBER_TABLE}[pick(3)];
                members[i].table = members[i].kind == SW_MEMBER_TABLE ? members[i].table : 0;
                members[i].number = members[i].kind == SW_MEMBER_BEGIN ? 0 : pick(5) ? 12 : UINT64_MAX;
                members[i].table_number = 0;
            }
        }
        for (size_t i = count; i-- > 1;) {
            size_t j = (size_t)pick(i + 1);
            struct sw_member swap = members[i];
            members[i] = members[j], members[j] = swap;
        }
        const struct sw_member_tables seen = {tables, 1 + pick(2)};
        settle(&whole, members, count, seen);
        assert_int_equal(whole.transaction.events, count_by_rule(members, count));
        settle(&first, members, cut, seen);
        memcpy(first.members + first.count, members + cut, (count - cut) * sizeof *members);
        settle(&joined, first.members, first.count + count - cut, seen);
        assert_int_equal(joined.transaction.events, whole.transaction.events);
        assert_int_equal(joined.transaction.counted, whole.transaction.counted);
        assert_int_equal(joined.transaction.verdict, whole.transaction.verdict);
        assert_int_equal(joined.count, whole.count);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_transaction_of_postgresql_is_told_by_its_number_without_the_lsn),
        cmocka_unit_test(what_the_end_counts_is_there),
        cmocka_unit_test(an_event_less_than_the_end_counts_is_missing),
        cmocka_unit_test(a_table_of_which_nothing_is_in_evidence_is_not_missed),
        cmocka_unit_test(a_number_between_two_others_is_missing_without_an_end),
        cmocka_unit_test(more_events_than_the_end_counts_is_a_contradiction),
        cmocka_unit_test(an_end_that_does_not_count_proves_no_loss),
        cmocka_unit_test(what_was_made_one_counts_as_it_did_also_with_what_comes_later),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
