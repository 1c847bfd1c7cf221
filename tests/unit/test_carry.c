/* What an image leaves out, against the rule looked up column by column; and that it costs what the records do. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "fold/carry.h"
#include "random_testing.h"

#define COLUMNS 6u
#define RECORDS 12u

struct world {
    struct sw_schema *schema;
    struct sw_mapping mapping;
    struct sw_fold_rules rules;
    const struct sw_column *columns[COLUMNS];
    uint8_t in_evidence[COLUMNS], in_reference[COLUMNS];
};

static void world_open(struct world *world)
{
    static const struct sw_type any = {.kind = SW_TYPE_ANY, .precision = -1};
    struct sw_key_declaration key = {.type = any};
    *world = (struct world){.schema = sw_schema_new()};
    assert_non_null(sw_schema_table(world->schema, sw_bytes_text("t"), &key, 1));
    for (uint32_t i = 0; i < COLUMNS; i++) {
        const char *const names[COLUMNS] = {"f", "b", "e", "c", "a", "d"};
        world->columns[i] = sw_schema_column(world->schema, 0, sw_bytes_text(names[i]), &any, false, i == 5);
        assert_non_null(world->columns[i]);
        world->in_evidence[i] = i != 3;
        world->in_reference[i] = i != 4;
    }
    world->rules = (struct sw_fold_rules){.mapping = &world->mapping, .schema = world->schema, .in_evidence = world->in_evidence, .in_reference = world->in_reference};
}

/* An image of some of the columns; some of its values are not there. */
static void make_image(struct sw_record *record, struct sw_buffer *values, struct world *world)
{
    const struct sw_column *columns[COLUMNS];
    uint32_t count = 0;
    values->len = 0;
    for (uint32_t i = 0; i < COLUMNS; i++)
        if (pick(2))
            columns[count++] = world->columns[i];
    const struct sw_column_set *set = sw_schema_set(world->schema, columns, count);
    assert_non_null(set);
    for (uint32_t i = 0; i < count; i++) {
        static const uint8_t value[][2] = {{0x59, 1}, {0x59, 2}};
        unsigned kind = (unsigned)pick(6);
        sw_value_append(values, kind < 2 ? (struct sw_value){SW_STATE_VALUE, sw_bytes_of(value[kind], 2)} : (struct sw_value){.state = kind == 2 ? SW_STATE_NULL : kind == 3 ? SW_STATE_UNKNOWN : SW_STATE_UNAVAILABLE});
    }
    record->set = set->id;
    record->values = sw_buffer_view(values);
}

static bool same_version(const struct sw_record *a, const struct sw_record *b)
{
    return (a->flags & SW_RECORD_VERSION) == (b->flags & SW_RECORD_VERSION) && sw_bytes_equal(a->version, b->version);
}

static bool shows(struct sw_value *out, const struct world *world, const struct sw_record *record, const struct sw_column *column)
{
    const struct sw_column_set *set = sw_schema_set_at(world->schema, record->set);
    struct sw_bytes values = record->values;
    for (uint32_t i = 0; i < set->count; i++) {
        *out = sw_value_next(&values);
        if (set->columns[i] == column)
            return true;
    }
    return false;
}

/* The rule itself, backwards. False: the row has no such column. */
static bool by_rule(struct sw_value *out, const struct world *world, const struct sw_record *const *records, size_t at, const struct sw_column *column)
{
    bool has = false, lost = false, found = false; /* a column is the row's if an image has it before one that is whole; its value may be older than that */
    struct sw_value value = {.state = SW_STATE_UNAVAILABLE};
    bool whole = false;
    for (size_t i = at; !lost && !found;) {
        struct sw_value shown;
        bool here = shows(&shown, world, records[i], column);
        has |= here && !whole;
        found = here && shown.state != SW_STATE_UNAVAILABLE;
        if (found)
            value = shown;
        lost = !here && !(records[i]->flags & SW_RECORD_PARTIAL);
        whole |= !(records[i]->flags & SW_RECORD_PARTIAL);
        if (records[i]->claim & SW_CLAIM_MOVED)
            break;
        size_t before = i;
        while (before && same_version(records[before - 1], records[i])) /* the other contents of its version; of those before there is none */
            before--;
        if (before == 0 || (records[before - 1]->flags & SW_RECORD_DELETED) || (before > 1 && same_version(records[before - 1], records[before - 2])))
            break;
        i = before - 1;
    }
    *out = has ? value : (struct sw_value){.state = SW_STATE_UNAVAILABLE};
    return has;
}

static void a_row_is_what_its_records_leave_of_it_in_whatever_order_it_is_asked_for(void **state)
{
    (void)state;
    struct world world;
    struct sw_carry carry = {0}, held = {0};
    struct sw_comparison comparison = {0};
    size_t equal = 0;
    world_open(&world);
    random_state = 3;
    for (int round = 0; round < 20000; round++) {
        struct sw_record rows[RECORDS], expected = {0};
        const struct sw_record *records[RECORDS];
        struct sw_buffer values[RECORDS + 1] = {{0}};
        uint8_t versions[RECORDS];
        uint8_t version = 0;
        for (size_t i = 0; i < RECORDS; i++) {
            version = (uint8_t)(version + (pick(6) != 0));
            versions[i] = version;
            rows[i] = (struct sw_record){.role = SW_ROLE_EVENTS, .flags = SW_RECORD_VERSION, .version = sw_bytes_of(&versions[i], 1), .claim = pick(9) ? 0 : SW_CLAIM_MOVED};
            make_image(&rows[i], &values[i], &world);
            rows[i].flags |= (uint8_t)((pick(2) ? SW_RECORD_PARTIAL : 0) | (pick(7) ? 0 : SW_RECORD_DELETED));
            records[i] = &rows[i];
        }
        make_image(&expected, &values[RECORDS], &world);
        world.mapping.absent = round % 3 ? SW_ABSENT_NULL : SW_ABSENT_UNKNOWN;
        const struct sw_draft_image other = {.present = true, .set = expected.set, .values = expected.values};
        assert_true(sw_carry_hold_against(&held, &world.rules, &other));
        sw_carry_forget(&carry);
        for (size_t turn = 0; turn < 2 * RECORDS; turn++) {
            size_t at = turn < RECORDS ? turn : pick(RECORDS); /* in order, and then in any */
            if (rows[at].flags & SW_RECORD_DELETED)
                continue;
            struct sw_draft_image image = {.present = true};
            uint32_t count = 0;
            assert_true(sw_carry_forward(&image, &carry, world.schema, records, at));
            const struct sw_record made = {.set = image.set, .values = image.values};
            for (uint32_t c = 0; c < COLUMNS; c++) {
                struct sw_value wanted, found = {.state = SW_STATE_NULL}, shown = {.state = SW_STATE_NULL};
                bool has = by_rule(&wanted, &world, records, at, world.columns[c]);
                assert_int_equal(sw_carry_value(&found, &carry, world.columns[c]), has);
                assert_int_equal(shows(&shown, &world, &made, world.columns[c]), has);
                count += has;
                if (has && (found.state != wanted.state || shown.state != wanted.state || (wanted.state == SW_STATE_VALUE && !sw_bytes_equal(found.canonical, wanted.canonical))))
                    fail_msg("round %d, record %zu, column %u: state %d, the rule says %d", round, at, c, (int)found.state, (int)wanted.state);
            }
            assert_int_equal(sw_schema_set_at(world.schema, image.set)->count, count);
            assert_true(sw_carry_to(&held, world.schema, records, at));
            assert_true(sw_compare_images(&comparison, &world.rules, &image, &other));
            bool same = !comparison.differing_count && !comparison.unknown_count && !comparison.incomparable_count;
            equal += same;
            assert_int_equal(sw_carry_equals(&held), same);
        }
        for (size_t i = 0; i <= RECORDS; i++)
            sw_buffer_free(&values[i]);
    }
    assert_true(equal > 1000);
    sw_comparison_free(&comparison);
    sw_carry_free(&carry);
    sw_carry_free(&held);
    sw_schema_free(&world.schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_row_is_what_its_records_leave_of_it_in_whatever_order_it_is_asked_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
