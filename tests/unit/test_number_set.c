#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "position/number_set.h"

#define NUMBERS 200u

static uint32_t next_random(uint32_t *state) { return (*state = *state * 1664525u + 1013904223u) >> 8; }

/* The set held against an array of counts, which is the rule itself. */
static void assert_counts(const struct sw_number_list *list, const unsigned *counts, unsigned least)
{
    size_t at = 0;
    for (uint64_t n = 0; n < NUMBERS; n++) {
        while (at < list->count && list->at[at].last < n)
            at++;
        bool in = at < list->count && list->at[at].first <= n;
        assert_int_equal(in, counts[n] >= least);
    }
    for (size_t i = 1; i < list->count; i++)
        assert_true(list->at[i].first > list->at[i - 1].last + 1);
}

static void any_order_and_any_split_give_the_same_set(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed < 300; seed++) {
        uint32_t random = seed;
        unsigned counts[NUMBERS] = {0};
        struct sw_number_set sets[3] = {{.repeats = true}, {.repeats = true}, {.repeats = true}};
        unsigned adds = next_random(&random) % 4000, walk = next_random(&random) % 2;
        for (unsigned i = 0, n = 0; i < adds; i++) {
            n = walk && next_random(&random) % 8 ? (n + 1) % NUMBERS : next_random(&random) % NUMBERS;
            counts[n]++;
            sw_number_set_add(&sets[next_random(&random) % 3], n);
        }
        for (int i = 0; i < 3; i++)
            assert_true(sw_number_set_settle(&sets[i]));
        assert_true(sw_number_set_unite(&sets[0], &sets[1]));
        assert_true(sw_number_set_unite(&sets[0], &sets[2]));
        assert_counts(&sets[0].all, counts, 1);
        assert_counts(&sets[0].repeated, counts, 2);
        for (int i = 0; i < 3; i++)
            sw_number_set_free(&sets[i]);
    }
}

static void without_repeats_a_number_again_is_nothing(void **state)
{
    (void)state;
    struct sw_number_set set = {0};
    const uint64_t numbers[] = {7, 7, 8, 7, 8, 3, UINT64_MAX, 0, UINT64_MAX, 0};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sw_number_set_add(&set, numbers[i]);
    assert_true(sw_number_set_settle(&set));
    assert_int_equal(set.all.count, 4);
    assert_int_equal(set.all.at[2].first, 7);
    assert_int_equal(set.all.at[2].last, 8);
    assert_true(set.all.at[3].last == UINT64_MAX);
    assert_int_equal(sw_number_list_count(&set.all), 5);
    assert_int_equal(set.repeated.count, 0);
    sw_number_set_free(&set);
}

static void a_list_of_all_numbers_has_more_than_can_be_said(void **state)
{
    (void)state;
    struct sw_number_list all = {0}, hole = {0}, rest = {0}, none = {0};
    assert_true(sw_number_list_append(&all, 0, UINT64_MAX));
    assert_true(sw_number_list_count(&all) == UINT64_MAX);
    assert_true(sw_number_list_append(&hole, 0, 4) && sw_number_list_append(&hole, UINT64_MAX, UINT64_MAX));
    assert_true(sw_number_list_subtract(&rest, &all, &hole));
    assert_int_equal(rest.count, 1);
    assert_int_equal(rest.at[0].first, 5);
    assert_true(rest.at[0].last == UINT64_MAX - 1);
    assert_true(sw_number_list_intersect(&none, &rest, &hole));
    assert_int_equal(none.count, 0);
    sw_number_list_free(&all);
    sw_number_list_free(&hole);
    sw_number_list_free(&rest);
    sw_number_list_free(&none);
}

static void fill(struct sw_number_list *out, unsigned *counts, uint32_t *random)
{
    for (uint64_t n = next_random(random) % 5; n < NUMBERS;) {
        uint64_t last = n + next_random(random) % 9;
        last = last < NUMBERS ? last : NUMBERS - 1;
        assert_true(sw_number_list_append(out, n, last));
        for (; n <= last; n++)
            counts[n] = 1;
        n += 1 + next_random(random) % 7;
    }
}

static void differences_and_intersections_are_those_of_the_numbers(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed < 500; seed++) {
        uint32_t random = seed;
        unsigned a[NUMBERS] = {0}, b[NUMBERS] = {0}, minus[NUMBERS], both[NUMBERS];
        struct sw_number_list left = {0}, right = {0}, difference = {0}, common = {0};
        fill(&left, a, &random);
        fill(&right, b, &random);
        for (size_t i = 0; i < NUMBERS; i++) {
            minus[i] = a[i] && !b[i];
            both[i] = a[i] && b[i];
        }
        assert_true(sw_number_list_subtract(&difference, &left, &right));
        assert_true(sw_number_list_intersect(&common, &left, &right));
        assert_counts(&difference, minus, 1);
        assert_counts(&common, both, 1);
        assert_int_equal(sw_number_list_count(&difference) + sw_number_list_count(&common), sw_number_list_count(&left));
        sw_number_list_free(&left);
        sw_number_list_free(&right);
        sw_number_list_free(&difference);
        sw_number_list_free(&common);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_order_and_any_split_give_the_same_set),
        cmocka_unit_test(without_repeats_a_number_again_is_nothing),
        cmocka_unit_test(a_list_of_all_numbers_has_more_than_can_be_said),
        cmocka_unit_test(differences_and_intersections_are_those_of_the_numbers),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
