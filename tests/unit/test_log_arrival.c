#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "continuity/log_scan.h"

#define EVENTS 60u

static uint32_t next_random(uint32_t *state) { return (*state = *state * 1664525u + 1013904223u) >> 8; }

struct event {
    uint32_t space, number;
    int64_t time; /* 0: none */
};

static struct sw_log_edge edge_of(const struct event *event, uint64_t block, uint64_t line)
{
    struct sw_log_edge edge = {.len = 2, .version = {1, (uint8_t)event->number}, .timed = event->time != 0, .time = {.whole = event->time}, .block = block, .line = line};
    return edge;
}

/* Steps and changes by the rule itself: each event against the one before it in its space, and in the input. */
static void by_rule(struct sw_log_stretch *out, const struct event *events, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        out->change_count += events[i].space != events[i - 1].space;
        size_t j = i;
        while (j > 0 && events[j - 1].space != events[i].space)
            j--;
        if (j == 0 || events[j - 1].number <= events[i].number)
            continue;
        out->step_count++;
        out->untimed_count += !events[i].time || !events[j - 1].time;
        out->later_count += events[i].time && events[j - 1].time && events[i].time > events[j - 1].time;
    }
}

static void any_blocks_in_any_order_show_the_same_arrival(void **state)
{
    (void)state;
    for (uint32_t seed = 1; seed < 400; seed++) {
        uint32_t random = seed;
        struct event events[EVENTS];
        size_t count = 1 + next_random(&random) % EVENTS;
        for (size_t i = 0; i < count; i++)
            events[i] = (struct event){next_random(&random) % 3, next_random(&random) % 20, next_random(&random) % 3 ? 1 + (int64_t)(next_random(&random) % 9) : 0};
        struct sw_log_stretch *blocks[EVENTS + 8];
        size_t block_count = 0;
        for (size_t i = 0; i < count || block_count == 0;) {
            struct sw_log_stretch *block = blocks[block_count] = sw_log_stretch_new();
            assert_non_null(block);
            block->begin = block_count;
            block->end = block_count + 1;
            for (uint32_t n = next_random(&random) % 4; n > 0 && i < count; n--, i++) { /* some blocks are empty */
                const struct sw_log_edge edge = edge_of(&events[i], block_count, i);
                assert_true(sw_log_stretch_add(block, events[i].space, &edge, &sw_order_integer));
            }
            if (++block_count == EVENTS + 8)
                break;
        }
        if (block_count == EVENTS + 8) { /* too many empty ones */
            for (size_t b = 0; b < block_count; b++)
                sw_log_stretch_free(&blocks[b]);
            continue;
        }
        struct sw_log_arrival arrival = {0};
        for (size_t left = block_count; left > 0; left--) {
            size_t at = next_random(&random) % left;
            struct sw_log_stretch *block = blocks[at];
            blocks[at] = blocks[left - 1];
            assert_true(sw_log_arrival_add(&arrival, &block, &sw_order_integer));
            sw_log_stretch_free(&block);
        }
        assert_int_equal(arrival.count, 1); /* joined: memory does not grow with the input */
        struct sw_log_stretch total = {.first_space = UINT32_MAX, .last_space = UINT32_MAX}, rule = {0};
        sw_log_arrival_total(&total, &arrival);
        by_rule(&rule, events, count);
        assert_int_equal(total.step_count, rule.step_count);
        assert_int_equal(total.later_count, rule.later_count);
        assert_int_equal(total.untimed_count, rule.untimed_count);
        assert_int_equal(total.change_count, rule.change_count);
        assert_int_equal(total.steps_listed, rule.step_count < SW_LOG_LISTED ? rule.step_count : SW_LOG_LISTED);
        for (uint32_t i = 1; i < total.steps_listed; i++) {
            bool later = total.steps[i - 1].later && !total.steps[i].later;
            assert_true(later || (total.steps[i - 1].later == total.steps[i].later && sw_log_place_before(&total.steps[i - 1].to, &total.steps[i].to)));
        }
        sw_log_arrival_free(&arrival);
    }
}

static void print(char *out, size_t room, enum sw_time_kind kind, int64_t whole, uint64_t fraction)
{
    struct sw_buffer text = {0};
    const struct sw_order_time time = {kind, whole, fraction};
    sw_log_print_time(&text, &time);
    assert_true(text.len < room && !text.failed);
    memcpy(out, text.at, text.len);
    out[text.len] = '\0';
    sw_buffer_free(&text);
}

static void times_are_shown_as_dates_where_their_unit_can_be_told(void **state)
{
    (void)state;
    char text[64];
    print(text, sizeof text, SW_TIME_NUMBER, 1764500000, 0);
    assert_string_equal(text, "2025-11-30T10:53:20Z");
    print(text, sizeof text, SW_TIME_NUMBER, 1764500000123, 0);
    assert_string_equal(text, "2025-11-30T10:53:20.123Z");
    print(text, sizeof text, SW_TIME_NUMBER, 1764500000123456789, 0);
    assert_string_equal(text, "2025-11-30T10:53:20.123456789Z");
    print(text, sizeof text, SW_TIME_NUMBER, 17, 0);
    assert_string_equal(text, "17");
    print(text, sizeof text, SW_TIME_NUMBER, -1764500000, 0);
    assert_string_equal(text, "-1764500000");
    print(text, sizeof text, SW_TIME_LOCAL, 1764500000, 500000000000000000u);
    assert_string_equal(text, "2025-11-30T10:53:20.5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_blocks_in_any_order_show_the_same_arrival),
        cmocka_unit_test(times_are_shown_as_dates_where_their_unit_can_be_told),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
