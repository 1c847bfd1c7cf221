#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "source/cut.h"

static char *lend(const char *text) { return (char *)(uintptr_t)text; }

static struct sw_source_cut rows_at(enum sw_source_cut_kind kind, const char *log, const char *position)
{
    return (struct sw_source_cut){.kind = kind, .log = lend(log), .position = lend(position), .exact = true};
}

static struct sw_source_cut events_of(enum sw_source_cut_kind kind, const char *log, const char *from, const char *position)
{
    return (struct sw_source_cut){.kind = kind, .log = lend(log), .from = lend(from), .position = lend(position)};
}

static enum sw_cuts_relation compare(struct sw_source_cut a, struct sw_source_cut b)
{
    struct sw_cuts_comparison answer;
    sw_cuts_compare(&answer, &a, &b);
    assert_true(strlen(answer.text) > 10);
    return answer.relation;
}

static enum sw_cuts_relation succeed(struct sw_source_cut a, struct sw_source_cut b)
{
    struct sw_cuts_comparison answer;
    sw_cuts_succeed(&answer, &a, &b);
    assert_true(strlen(answer.text) > 10);
    return answer.relation;
}

static void positions_of_one_log_compare_as_that_log_orders_them(void **state)
{
    (void)state;
    assert_int_equal(compare(rows_at(SW_CUT_POSTGRES, "system 7, timeline 1", "9/0"), rows_at(SW_CUT_POSTGRES, "system 7, timeline 1", "10/0")), SW_CUTS_LATER);
    assert_int_equal(compare(rows_at(SW_CUT_POSTGRES, "system 7, timeline 1", "A/0"), rows_at(SW_CUT_POSTGRES, "system 7, timeline 1", "9/FFFFFFFF")), SW_CUTS_EARLIER);
    assert_int_equal(compare(rows_at(SW_CUT_MARIADB, "server a", "bin.999999:4"), rows_at(SW_CUT_MARIADB, "server a", "bin.1000000:4")), SW_CUTS_LATER);
    assert_int_equal(compare(rows_at(SW_CUT_MARIADB, "server a", "bin.000002:1000"), rows_at(SW_CUT_MARIADB, "server a", "bin.000002:999")), SW_CUTS_EARLIER);
    assert_int_equal(compare(rows_at(SW_CUT_MARIADB, "server a", "bin.000002:4"), rows_at(SW_CUT_MARIADB, "server a", "log.000002:4")), SW_CUTS_APART);
    assert_int_equal(compare(rows_at(SW_CUT_SQLITE, "file 1:2", "9"), rows_at(SW_CUT_SQLITE, "file 1:2", "10")), SW_CUTS_LATER);
    assert_int_equal(compare(rows_at(SW_CUT_SQLITE, "file 1:2", "9"), rows_at(SW_CUT_SQLITE, "file 1:2", "9")), SW_CUTS_SAME);
    assert_int_equal(compare(events_of(SW_CUT_KAFKA, "c, topic t", "0:0,1:0", "0:5,1:7"), events_of(SW_CUT_KAFKA, "c, topic t", "0:0,1:0", "0:5,1:8")), SW_CUTS_LATER);
    assert_int_equal(compare(events_of(SW_CUT_KAFKA, "c, topic t", "0:0,1:0", "0:5,1:7"), events_of(SW_CUT_KAFKA, "c, topic t", "0:0,1:0", "0:6,1:6")), SW_CUTS_APART);
    assert_int_equal(compare(events_of(SW_CUT_KAFKA, "c, topic t", "0:0", "0:5"), events_of(SW_CUT_KAFKA, "c, topic t", "0:0,1:0", "0:5,1:6")), SW_CUTS_APART);
}

static void positions_of_two_logs_never_compare(void **state)
{
    (void)state;
    assert_int_equal(compare(rows_at(SW_CUT_POSTGRES, "system 7, timeline 1", "9/0"), rows_at(SW_CUT_POSTGRES, "system 8, timeline 1", "9/0")), SW_CUTS_APART);
    assert_int_equal(compare(rows_at(SW_CUT_POSTGRES, "system 7, timeline 1", "9/0"), rows_at(SW_CUT_POSTGRES, "system 7, timeline 2", "9/0")), SW_CUTS_APART);
    assert_int_equal(compare(rows_at(SW_CUT_POSTGRES, "a", "9/0"), rows_at(SW_CUT_MARIADB, "a", "bin.1:4")), SW_CUTS_APART);
    assert_int_equal(compare(rows_at(SW_CUT_MARIADB, "server a", "bin.000002:4"), rows_at(SW_CUT_MARIADB, "server b", "bin.000002:4")), SW_CUTS_APART);
    assert_int_equal(compare(rows_at(SW_CUT_POSTGRES, "a", "junk"), rows_at(SW_CUT_POSTGRES, "a", "9/0")), SW_CUTS_APART);
}

static void what_a_source_does_not_tell_is_not_made_up(void **state)
{
    struct sw_source_cut none = {0}, file = {.kind = SW_CUT_FILE, .log = lend("file 1:2"), .at = lend("2026-11-30T00:00:00Z")};
    (void)state;
    assert_int_equal(compare(none, none), SW_CUTS_UNTOLD);
    assert_int_equal(compare(file, file), SW_CUTS_UNTOLD);
    assert_int_equal(compare(rows_at(SW_CUT_POSTGRES, NULL, "9/0"), rows_at(SW_CUT_POSTGRES, NULL, "9/0")), SW_CUTS_UNTOLD);
    assert_int_equal(compare(rows_at(SW_CUT_POSTGRES, "a", NULL), rows_at(SW_CUT_POSTGRES, "a", "9/0")), SW_CUTS_UNTOLD);
    assert_int_equal(compare(rows_at(SW_CUT_SQLITE, "file 1:2", NULL), rows_at(SW_CUT_SQLITE, "file 1:2", NULL)), SW_CUTS_UNTOLD);
}

static void one_state_is_proven_by_the_transactions_that_are_seen_and_not_by_a_position_behind_them(void **state)
{
    struct sw_source_cut a = rows_at(SW_CUT_POSTGRES, "a", "9/0"), b = rows_at(SW_CUT_POSTGRES, "a", "9/0");
    (void)state;
    a.exact = b.exact = false;
    a.snapshot = lend("700:700:");
    b.snapshot = lend("700:701:");
    assert_int_equal(compare(a, b), SW_CUTS_LATER);
    b.snapshot = a.snapshot;
    b.position = lend("9/80"); /* a checkpoint in between changes nothing */
    assert_int_equal(compare(a, b), SW_CUTS_SAME);
    b.log = lend("b");
    assert_int_equal(compare(a, b), SW_CUTS_APART);
    b = a;
    b.from = lend("8/0"); /* the end of events is no snapshot */
    assert_int_equal(compare(a, b), SW_CUTS_LATER);
}

static void sets_of_transactions_compare_over_servers_by_what_they_hold(void **state)
{
    const char *less = "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5", *more = "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-9", *other = "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-4:7";
    struct sw_source_cut unsure = rows_at(SW_CUT_MYSQL, "server b", less);
    (void)state;
    unsure.exact = false;
    assert_int_equal(compare(rows_at(SW_CUT_MYSQL, "server a", less), rows_at(SW_CUT_MYSQL, "server b", more)), SW_CUTS_LATER);
    assert_int_equal(compare(rows_at(SW_CUT_MYSQL, "server a", more), rows_at(SW_CUT_MYSQL, "server b", less)), SW_CUTS_EARLIER);
    assert_int_equal(compare(rows_at(SW_CUT_MYSQL, "server a", less), rows_at(SW_CUT_MYSQL, "server b", less)), SW_CUTS_SAME);
    assert_int_equal(compare(rows_at(SW_CUT_MYSQL, "server a", less), unsure), SW_CUTS_LATER);
    assert_int_equal(compare(rows_at(SW_CUT_MYSQL, "server a", less), rows_at(SW_CUT_MYSQL, "server b", other)), SW_CUTS_APART);
}

static void a_later_reading_follows_an_earlier_one_only_if_nothing_was_lost_in_between(void **state)
{
    struct sw_source_cut file = {.kind = SW_CUT_FILE, .log = lend("file 1:2 of 3 bytes"), .at = lend("2026-11-30T00:00:00Z")}, written = file;
    (void)state;
    assert_int_equal(succeed(rows_at(SW_CUT_POSTGRES, "a", "9/0"), rows_at(SW_CUT_POSTGRES, "a", "9/8")), SW_CUTS_LATER);
    assert_int_equal(succeed(rows_at(SW_CUT_POSTGRES, "a", "9/8"), rows_at(SW_CUT_POSTGRES, "a", "9/0")), SW_CUTS_EARLIER);
    /* the consumer of the slot went on: what it took is in no evidence any more */
    assert_int_equal(succeed(events_of(SW_CUT_POSTGRES, "a", "1/0", "9/0"), events_of(SW_CUT_POSTGRES, "a", "1/0", "9/8")), SW_CUTS_LATER);
    assert_int_equal(succeed(events_of(SW_CUT_POSTGRES, "a", "1/0", "9/0"), events_of(SW_CUT_POSTGRES, "a", "1/8", "9/8")), SW_CUTS_APART);
    assert_int_equal(succeed(events_of(SW_CUT_KAFKA, "t", "0:3", "0:9"), events_of(SW_CUT_KAFKA, "t", "0:3", "0:9")), SW_CUTS_LATER);
    assert_int_equal(succeed(events_of(SW_CUT_KAFKA, "t", "0:3", "0:9"), events_of(SW_CUT_KAFKA, "t", "0:4", "0:10")), SW_CUTS_APART);
    assert_int_equal(succeed(file, file), SW_CUTS_SAME);
    written.at = lend("2026-11-30T00:00:01Z");
    assert_int_equal(succeed(file, written), SW_CUTS_UNTOLD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(positions_of_one_log_compare_as_that_log_orders_them),
        cmocka_unit_test(positions_of_two_logs_never_compare),
        cmocka_unit_test(what_a_source_does_not_tell_is_not_made_up),
        cmocka_unit_test(one_state_is_proven_by_the_transactions_that_are_seen_and_not_by_a_position_behind_them),
        cmocka_unit_test(sets_of_transactions_compare_over_servers_by_what_they_hold),
        cmocka_unit_test(a_later_reading_follows_an_earlier_one_only_if_nothing_was_lost_in_between),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
