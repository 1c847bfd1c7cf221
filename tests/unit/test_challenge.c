/* Planted faults: each kind makes what its name says, nothing else, and never in the sample itself. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "challenge/mutation.h"
#include "fold/key_order.h"

#define RECORDS_MAX 32

/* A run's rules over a handful of records, and its sample. */
struct world {
    struct sw_schema *schema;
    struct sw_spaces *spaces;
    struct sw_mapping mapping;
    struct sw_fold_rules rules;
    uint32_t set;
    uint8_t seen[4];
    struct sw_sampler *sampler;
    const struct sw_sample *sample;
    struct sw_trial trial;
    struct sw_subjects subjects;
    struct sw_mutant mutant;
    uint64_t line;
};

static void world_open(struct world *world)
{
    static const struct sw_type any = {.kind = SW_TYPE_ANY, .precision = -1};
    char *none[1] = {NULL};
    struct sw_key_declaration key = {.type = any};
    *world = (struct world){.schema = sw_schema_new(), .spaces = sw_spaces_new(none, 0), .sampler = sw_sampler_new(1, 100, 1)};
    assert_int_equal(sw_spaces_intern(world->spaces, sw_bytes_text(""), 0), 0);
    assert_non_null(sw_schema_table(world->schema, (struct sw_bytes){0}, &key, 1));
    const struct sw_column *columns[2] = {sw_schema_column(world->schema, 0, sw_bytes_text("a"), &any, false, false),
                                          sw_schema_column(world->schema, 0, sw_bytes_text("b"), &any, false, false)};
    world->set = sw_schema_set(world->schema, columns, 2)->id;
    memset(world->seen, 7, sizeof world->seen);
    world->rules = (struct sw_fold_rules){.mapping = &world->mapping, .schema = world->schema, .order = &sw_order_integer, .spaces = world->spaces, .compare_versions = true,
                                          .deletes = SW_DELETES_TOMBSTONE, .reference_given = true, .in_evidence = world->seen, .in_reference = world->seen};
}

/* A record of key `key`; version 0 is none; values of the two columns, 0 and 0 is a delete; identity 0 is none. */
static void add(struct world *world, uint8_t role, char key, uint8_t version, uint8_t a, uint8_t b, uint8_t identity)
{
    struct sw_buffer values = {0};
    uint8_t key_bytes[] = {0x90, (uint8_t)key, 0, 0}, version_bytes[] = {1, version}, identity_bytes[] = {0x59, identity};
    struct sw_record record = {.role = role, .key = sw_bytes_of(key_bytes, 4), .input = role, .line = world->line++, .set = world->set};
    if (version) {
        record.flags |= SW_RECORD_VERSION;
        record.version = sw_bytes_of(version_bytes, 2);
    }
    if (identity) {
        record.flags |= SW_RECORD_IDENTITY;
        record.identity = sw_bytes_of(identity_bytes, 2);
    }
    if (a || b) {
        sw_value_append(&values, (struct sw_value){SW_STATE_VALUE, sw_bytes_of(&a, 1)});
        sw_value_append(&values, (struct sw_value){SW_STATE_VALUE, sw_bytes_of(&b, 1)});
        record.values = sw_buffer_view(&values);
    } else {
        record.flags |= SW_RECORD_DELETED;
    }
    assert_int_equal(sw_sample_take(sw_sampler_writer(world->sampler, 0), world->schema, &record, NULL), SW_OK);
    sw_buffer_free(&values);
}

static void settle(struct world *world)
{
    assert_int_equal(sw_sampler_finish(&world->sample, world->sampler, world->schema, NULL, NULL), SW_OK);
    world->trial.rules = &world->rules;
    assert_int_equal(sw_subjects_open(&world->subjects, world->sample, &world->rules, &world->trial, NULL), SW_OK);
    world->mutant = (struct sw_mutant){.subjects = &world->subjects, .dice = {1}};
    assert_true(sw_mutant_pair(&world->mutant));
}

/* Three keys, as in the exercise: an updated row with a late event and a repeat, a deleted one with a late event, a new one. */
static void world_of_exercise(struct world *world)
{
    world_open(world);
    add(world, SW_ROLE_BASELINE, 'A', 4, 100, 1, 0);
    add(world, SW_ROLE_BASELINE, 'B', 7, 0, 0, 0);
    add(world, SW_ROLE_EVENTS, 'A', 6, 120, 1, 1);
    add(world, SW_ROLE_EVENTS, 'A', 5, 110, 1, 2);
    add(world, SW_ROLE_EVENTS, 'B', 6, 50, 1, 3);
    add(world, SW_ROLE_EVENTS, 'C', 1, 30, 2, 4);
    add(world, SW_ROLE_EVENTS, 'A', 6, 120, 1, 1);
    add(world, SW_ROLE_EXPECTED, 'A', 6, 120, 1, 0);
    add(world, SW_ROLE_EXPECTED, 'B', 7, 0, 0, 0);
    add(world, SW_ROLE_EXPECTED, 'C', 1, 30, 2, 0);
    settle(world);
    assert_int_equal(world->subjects.count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(world->subjects.at[i].base, SW_REASON_NONE);
}

static void world_close(struct world *world)
{
    sw_mutant_free(&world->mutant);
    sw_subjects_free(&world->subjects);
    sw_trial_free(&world->trial);
    sw_sampler_free(&world->sampler);
    sw_schema_free(&world->schema);
    sw_spaces_free(&world->spaces);
}

static bool make(struct world *world, const struct sw_mutation *mutation, size_t subject, size_t variant)
{
    bool made = mutation->make(&world->mutant, subject, variant);
    assert_false(world->mutant.failed);
    return made;
}

static enum sw_reason reason_of(struct world *world, unsigned which)
{
    struct sw_outcome outcome;
    assert_int_equal(sw_trial_fold(&outcome, &world->trial, world->mutant.records[which], world->mutant.count[which], NULL), SW_OK);
    return outcome.reason;
}

static size_t count_role(const struct world *world, uint8_t role)
{
    size_t count = 0;
    for (size_t i = 0; i < world->mutant.count[0]; i++)
        count += world->mutant.records[0][i].role == role;
    return count;
}

static size_t count_version(const struct world *world, uint8_t version)
{
    size_t count = 0;
    for (size_t i = 0; i < world->mutant.count[0]; i++)
        count += world->mutant.records[0][i].role != SW_ROLE_EXPECTED && world->mutant.records[0][i].version.len == 2 && world->mutant.records[0][i].version.at[1] == version;
    return count;
}

enum { A, B, C };

static void the_newest_and_the_one_before_are_told_by_the_order_alone(void **state)
{
    (void)state;
    struct world world;
    world_of_exercise(&world);
    assert_int_equal(world.subjects.at[A].newest->version.at[1], 6);
    assert_int_equal(world.subjects.at[A].older->version.at[1], 5);
    assert_int_equal(world.subjects.at[B].newest->role, SW_ROLE_BASELINE);
    assert_int_equal(world.subjects.at[B].older->version.at[1], 6);
    assert_null(world.subjects.at[C].older);
    world_close(&world);
}

static void rows_of_the_reference_go_come_and_stand_twice(void **state)
{
    (void)state;
    struct world world;
    world_of_exercise(&world);
    assert_true(make(&world, &sw_mutation_row_removed, A, 0));
    assert_int_equal(count_role(&world, SW_ROLE_EXPECTED), 0);
    assert_int_equal(reason_of(&world, 0), SW_REASON_UNEXPECTED_STATE);
    assert_false(make(&world, &sw_mutation_row_removed, A, 1));
    assert_true(make(&world, &sw_mutation_row_removed, B, 0)); /* its tombstone is a row here */
    assert_int_equal(reason_of(&world, 0), SW_REASON_UNEXPECTED_STATE);
    assert_true(make(&world, &sw_mutation_row_added, C, 0));
    assert_int_equal(world.mutant.count[0], 1);
    assert_int_equal(reason_of(&world, 0), SW_REASON_MISSING_STATE);
    assert_false(make(&world, &sw_mutation_row_added, B, 0));
    assert_true(make(&world, &sw_mutation_row_twice, A, 0));
    assert_int_equal(count_role(&world, SW_ROLE_EXPECTED), 2);
    assert_int_equal(reason_of(&world, 0), SW_REASON_DUPLICATE_KEY);
    assert_false(make(&world, &sw_mutation_deleted_row_shown, A, 0));
    assert_true(make(&world, &sw_mutation_deleted_row_shown, B, 0));
    assert_int_equal(reason_of(&world, 0), SW_REASON_STATE_MISMATCH);
    world_close(&world);
}

static void swapped_values_leave_every_total(void **state)
{
    (void)state;
    struct world world;
    world_of_exercise(&world);
    unsigned made = 0;
    for (size_t variant = 0; make(&world, &sw_mutation_swapped_values, A, variant); variant++, made++) {
        int sums[2] = {0, 0};
        assert_int_equal(world.mutant.touched, 2);
        for (unsigned which = 0; which < 2; which++) {
            for (size_t i = 0; i < world.mutant.count[which]; i++) {
                struct sw_bytes values = world.mutant.records[which][i].values;
                for (int column = 0; world.mutant.records[which][i].role == SW_ROLE_EXPECTED && column < 2; column++)
                    sums[column] += sw_value_next(&values).canonical.at[0];
            }
            assert_int_equal(reason_of(&world, which), SW_REASON_STATE_MISMATCH);
        }
        assert_int_equal(sums[0], 150);
        assert_int_equal(sums[1], 3);
        assert_int_equal(world.mutant.column != NULL, variant < 2);
    }
    assert_int_equal(made, 3); /* a, b, and the whole row */
    assert_false(make(&world, &sw_mutation_swapped_values, C, 0)); /* told with A */
    assert_false(make(&world, &sw_mutation_swapped_values, B, 0));
    world_close(&world);
}

static void a_column_that_the_evidence_lacks_is_not_swapped(void **state)
{
    (void)state;
    struct world world;
    world_of_exercise(&world);
    world.seen[0] = 0; /* column a */
    assert_true(make(&world, &sw_mutation_swapped_values, A, 0));
    assert_true(sw_bytes_is(world.mutant.column->name, "b"));
    world_close(&world);
}

static void events_go_with_all_their_deliveries(void **state)
{
    (void)state;
    struct world world;
    world_of_exercise(&world);
    assert_true(make(&world, &sw_mutation_newest_dropped, A, 0));
    assert_int_equal(count_version(&world, 6), 0);
    assert_int_equal(count_version(&world, 5), 1);
    assert_int_equal(reason_of(&world, 0), SW_REASON_STATE_MISMATCH);
    assert_true(make(&world, &sw_mutation_newest_dropped, C, 0));
    assert_int_equal(reason_of(&world, 0), SW_REASON_MISSING_STATE);
    assert_true(make(&world, &sw_mutation_tombstone_removed, B, 0));
    assert_int_equal(count_version(&world, 7), 0);
    assert_int_equal(reason_of(&world, 0), SW_REASON_STATE_MISMATCH);
    assert_false(make(&world, &sw_mutation_tombstone_removed, A, 0));
    assert_true(make(&world, &sw_mutation_superseded_dropped, A, 0));
    assert_int_equal(count_version(&world, 5), 0);
    assert_int_equal(count_version(&world, 6), 2);
    assert_int_equal(reason_of(&world, 0), SW_REASON_NONE);
    assert_false(make(&world, &sw_mutation_invisible_dropped, A, 0));
    world_close(&world);
}

static void an_event_that_changed_nothing_is_no_fault_that_must_be_caught(void **state)
{
    (void)state;
    struct world world;
    world_open(&world);
    world.rules.compare_versions = false;
    add(&world, SW_ROLE_EVENTS, 'A', 5, 110, 1, 0);
    add(&world, SW_ROLE_EVENTS, 'A', 6, 110, 1, 0);
    add(&world, SW_ROLE_EXPECTED, 'A', 6, 110, 1, 0);
    settle(&world);
    assert_false(make(&world, &sw_mutation_newest_dropped, A, 0));
    assert_true(make(&world, &sw_mutation_invisible_dropped, A, 0));
    assert_int_equal(reason_of(&world, 0), SW_REASON_NONE);
    world_close(&world);
}

static void twins_have_other_contents(void **state)
{
    (void)state;
    struct world world;
    world_of_exercise(&world);
    assert_true(make(&world, &sw_mutation_twin_below, A, 0));
    assert_int_equal(count_version(&world, 5), 2);
    assert_int_equal(reason_of(&world, 0), SW_REASON_CONFLICTING_VERSION);
    assert_false(make(&world, &sw_mutation_twin_below, C, 0));
    for (size_t i = A; i <= C; i++) {
        assert_true(make(&world, &sw_mutation_twin_newest, i, 0));
        assert_int_equal(reason_of(&world, 0), SW_REASON_CONFLICTING_VERSION);
    }
    world_close(&world);
}

static void a_late_event_comes_after_the_tombstone(void **state)
{
    (void)state;
    struct world world;
    world_of_exercise(&world);
    assert_true(make(&world, &sw_mutation_late_revival, B, 0)); /* 7 is the highest of all: the next version is made up */
    assert_int_equal(count_version(&world, 8), 1);
    assert_int_equal(reason_of(&world, 0), SW_REASON_STATE_MISMATCH);
    assert_false(make(&world, &sw_mutation_late_revival, A, 0));
    world_close(&world);
}

static void a_changed_version_is_a_wrong_one(void **state)
{
    (void)state;
    struct world world;
    world_of_exercise(&world);
    for (size_t i = A; i <= C; i++) {
        assert_true(make(&world, &sw_mutation_version_changed, i, 0));
        assert_int_equal(world.mutant.count[0], world.subjects.at[i].sample->count);
        assert_int_equal(reason_of(&world, 0), SW_REASON_STATE_MISMATCH);
    }
    world_close(&world);
}

static void an_identity_comes_again_at_another_version(void **state)
{
    (void)state;
    struct world world;
    world_of_exercise(&world);
    assert_true(make(&world, &sw_mutation_identity_reused, A, 0));
    const struct sw_record *last = &world.mutant.records[0][world.mutant.count[0] - 1];
    assert_true(sw_bytes_equal(last->identity, world.subjects.at[A].newest->identity));
    assert_false(sw_bytes_equal(last->version, world.subjects.at[A].newest->version));
    assert_false(make(&world, &sw_mutation_identity_reused, B, 0)); /* its newest is of the baseline */
    world_close(&world);
}

static void both_sides_can_be_wrong_alike(void **state)
{
    (void)state;
    struct world world;
    world_of_exercise(&world);
    assert_true(make(&world, &sw_mutation_both_sides, A, 0));
    assert_int_equal(reason_of(&world, 0), SW_REASON_NONE);
    world_close(&world);
}

static void keys_that_cannot_be_placed_get_no_faults_in_their_events(void **state)
{
    (void)state;
    struct world world;
    world_open(&world);
    add(&world, SW_ROLE_EVENTS, 'A', 5, 110, 1, 0);
    add(&world, SW_ROLE_EVENTS, 'A', 0, 110, 1, 0); /* without a position, and alike */
    add(&world, SW_ROLE_EXPECTED, 'A', 5, 110, 1, 0);
    add(&world, SW_ROLE_EVENTS, 'B', 5, 110, 1, 0);
    add(&world, SW_ROLE_EXPECTED, 'B', 5, 111, 1, 0); /* differs: nothing can be missed here */
    settle(&world);
    assert_null(world.subjects.at[A].newest);
    unsigned made[2] = {0, 0};
    for (const struct sw_mutation *const *at = sw_mutations(); *at; at++)
        for (size_t i = A; i <= B; i++)
            made[i] += make(&world, *at, i, 0);
    assert_int_equal(made[A], 3); /* rows of the reference alone: removed, added, twice */
    assert_int_equal(made[B], 0);
    world_close(&world);
}

static void the_sample_stays_as_it_was(void **state)
{
    (void)state;
    struct world world;
    struct sw_record before[3][RECORDS_MAX];
    world_of_exercise(&world);
    for (size_t k = 0; k < 3; k++) {
        assert_true(world.sample->keys[k].count <= RECORDS_MAX);
        memcpy(before[k], world.sample->keys[k].records, world.sample->keys[k].count * sizeof **before);
    }
    unsigned made = 0;
    for (const struct sw_mutation *const *at = sw_mutations(); *at; at++)
        for (size_t k = 0; k < 3; k++)
            for (size_t variant = 0; make(&world, *at, k, variant); variant++, made++)
                for (unsigned which = 0; which < world.mutant.touched; which++)
                    (void)reason_of(&world, which);
    assert_true(made > 25);
    for (size_t k = 0; k < 3; k++) {
        assert_memory_equal(before[k], world.sample->keys[k].records, world.sample->keys[k].count * sizeof **before);
        for (size_t i = 0; i < world.sample->keys[k].count; i++) {
            struct sw_record again;
            sw_record_read(&again, before[k][i].bytes);
            assert_true(sw_bytes_equal(again.values, before[k][i].values));
        }
    }
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_newest_and_the_one_before_are_told_by_the_order_alone),
        cmocka_unit_test(rows_of_the_reference_go_come_and_stand_twice),
        cmocka_unit_test(swapped_values_leave_every_total),
        cmocka_unit_test(a_column_that_the_evidence_lacks_is_not_swapped),
        cmocka_unit_test(events_go_with_all_their_deliveries),
        cmocka_unit_test(an_event_that_changed_nothing_is_no_fault_that_must_be_caught),
        cmocka_unit_test(twins_have_other_contents),
        cmocka_unit_test(a_late_event_comes_after_the_tombstone),
        cmocka_unit_test(a_changed_version_is_a_wrong_one),
        cmocka_unit_test(an_identity_comes_again_at_another_version),
        cmocka_unit_test(both_sides_can_be_wrong_alike),
        cmocka_unit_test(keys_that_cannot_be_placed_get_no_faults_in_their_events),
        cmocka_unit_test(the_sample_stays_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
