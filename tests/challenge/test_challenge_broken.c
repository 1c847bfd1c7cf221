/* A challenge can fail: engines that are wrong are caught, each of them every time, and a sound one never is. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "broken_engine.h"
#include "challenge/challenge.h"
#include "../unit/random_testing.h"

#define KEYS 150u
#define ROUNDS 6u

static FILE *open_file(const char *name)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    return file;
}

/* A stream with updates, deletes, repeats and revivals, in any order, and the reference that it leads to. `tombstones`: the reference shows deletes. */
static void write_inputs(bool tombstones)
{
    FILE *baseline = open_file("baseline.ndjson"), *events = open_file("events.ndjson"), *expected = open_file("expected.ndjson");
    char lines[KEYS * 5][128];
    size_t count = 0;
    for (unsigned key = 0; key < KEYS; key++) {
        unsigned version = 1 + (unsigned)pick(3), value = (unsigned)pick(1000);
        bool deleted = false;
        if (key % 2 == 0)
            fprintf(baseline, "{\"key\":\"k%u\",\"version\":%u,\"deleted\":false,\"value\":{\"a\":%u,\"b\":\"x%u\"}}\n", key, version, value, key % 7);
        for (unsigned i = 0, changes = 1 + (unsigned)pick(3); i < changes; i++) {
            version += 1 + (unsigned)pick(4);
            value = value + 1 + (unsigned)pick(50);
            deleted = pick(3) == 0;
            if (deleted)
                snprintf(lines[count++], sizeof *lines, "{\"key\":\"k%u\",\"version\":%u,\"op\":\"delete\",\"value\":null}\n", key, version);
            else
                snprintf(lines[count++], sizeof *lines, "{\"key\":\"k%u\",\"version\":%u,\"op\":\"upsert\",\"value\":{\"a\":%u,\"b\":\"x%u\"}}\n", key, version, value, key % 7);
        }
        if (!deleted)
            fprintf(expected, "{\"key\":\"k%u\",\"version\":%u%s,\"value\":{\"a\":%u,\"b\":\"x%u\"}}\n", key, version, tombstones ? ",\"deleted\":false" : "", value, key % 7);
        else if (tombstones)
            fprintf(expected, "{\"key\":\"k%u\",\"version\":%u,\"deleted\":true,\"value\":null}\n", key, version);
    }
    for (size_t i = count; i > 1; i--) {
        char swap[sizeof *lines];
        size_t j = pick(i);
        memcpy(swap, lines[i - 1], sizeof swap);
        memcpy(lines[i - 1], lines[j], sizeof swap);
        memcpy(lines[j], swap, sizeof swap);
    }
    for (size_t i = 0; i < count; i++)
        fputs(lines[i], events);
    assert_int_equal(fclose(baseline) | fclose(events) | fclose(expected), 0);
}

static struct sw_challenge *challenge_with(enum broken_engine engine, uint64_t seed)
{
    const char *baseline = "baseline.ndjson", *events = "events.ndjson", *expected = "expected.ndjson";
    struct sw_reconcile_options run;
    struct sw_challenge_options options;
    struct sw_challenge *challenge;
    struct sw_error error = {0};
    sw_reconcile_options_init(&run);
    run.baseline = &baseline;
    run.events = &events;
    run.expected = &expected;
    run.baseline_count = run.event_count = run.expected_count = 1;
    run.threads = 2;
    run.memory_bytes = (uint64_t)64 << 20;
    sw_challenge_options_init(&options);
    options.run = &run;
    options.seed = seed;
    engine_in_use = engine;
    engine_runs++;
    enum sw_code code = sw_challenge(&challenge, &options, &error);
    engine_in_use = ENGINE_SOUND;
    if (code < 0)
        print_error("%s\n", error.text);
    assert_int_equal(code, SW_OK);
    return challenge;
}

/* What got through under a name. */
static uint64_t through(const struct sw_challenge *challenge, const char *name)
{
    for (uint32_t i = 0; i < challenge->row_count; i++)
        if (strcmp(challenge->rows[i].name, name) == 0) {
            assert_true(challenge->rows[i].tried > 0);
            return challenge->rows[i].tried - challenge->rows[i].passed;
        }
    fail_msg("there is no row %s", name);
    return 0;
}

static void every_time(enum broken_engine engine, const char *name)
{
    for (unsigned round = 0; round < ROUNDS; round++) {
        random_state = 100 + round;
        write_inputs(round % 2);
        struct sw_challenge *challenge = challenge_with(engine, round);
        assert_int_equal(sw_challenge_exit_status(challenge), engine == ENGINE_SOUND ? 0 : 1);
        if (engine == ENGINE_SOUND) {
            uint64_t count;
            assert_true(sw_challenge_count(&count, challenge, "survived"));
            assert_int_equal(count, 0);
            assert_true(sw_challenge_count(&count, challenge, "changed"));
            assert_int_equal(count, 0);
            assert_true(sw_challenge_count(&count, challenge, "tried"));
            assert_true(count > KEYS * 4);
        } else {
            assert_true(through(challenge, name) > 0);
        }
        sw_challenge_free(&challenge);
    }
}

static void a_sound_engine_passes(void **state)
{
    (void)state;
    every_time(ENGINE_SOUND, NULL);
}

static void an_engine_that_ignores_tombstones_is_caught_every_time(void **state)
{
    (void)state;
    every_time(ENGINE_IGNORES_TOMBSTONES, "tombstone-removed");
}

static void an_engine_that_compares_totals_is_caught_every_time(void **state)
{
    (void)state;
    every_time(ENGINE_COMPARES_TOTALS, "swapped-values");
    every_time(ENGINE_COMPARES_TOTALS, "version-changed");
}

static void an_engine_that_keeps_the_last_arrival_is_caught_every_time(void **state)
{
    (void)state;
    every_time(ENGINE_KEEPS_LAST_ARRIVAL, "arrival-shuffled");
}

static int enter_folder(void **state)
{
    static char name[] = "/tmp/slackwater-challenge-XXXXXX";
    *state = mkdtemp(name);
    return *state && chdir(*state) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    int left = unlink("baseline.ndjson") | unlink("events.ndjson") | unlink("expected.ndjson");
    return left | chdir("/") | rmdir(*state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_engine_passes),
        cmocka_unit_test(an_engine_that_ignores_tombstones_is_caught_every_time),
        cmocka_unit_test(an_engine_that_compares_totals_is_caught_every_time),
        cmocka_unit_test(an_engine_that_keeps_the_last_arrival_is_caught_every_time),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
