/* A sample of keys is the same one however many threads read, in whatever order, and has all records of its keys. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "reconcile/sample.h"
#include "random_testing.h"

#define KEYS 3000u
#define RECORDS (KEYS * 3)

static struct sw_schema *schema_with_tables(void)
{
    static const struct sw_type any = {.kind = SW_TYPE_ANY, .precision = -1};
    struct sw_key_declaration key = {.type = any};
    struct sw_schema *schema = sw_schema_new();
    assert_non_null(sw_schema_table(schema, sw_bytes_text("b"), &key, 1));
    assert_non_null(sw_schema_table(schema, sw_bytes_text("a"), &key, 1));
    return schema;
}

static struct sw_record record_of(uint8_t *key, uint32_t number)
{
    uint32_t name = number % KEYS;
    memcpy(key, &name, sizeof name);
    return (struct sw_record){.role = 1, .flags = (uint8_t)(name % 2 ? SW_RECORD_TABLE : 0), .table = name % 2, .key = sw_bytes_of(key, sizeof name),
                              .line = number, .values = sw_bytes_of(key, sizeof name)};
}

static struct sw_sampler *sample_of(const struct sw_sample **out, const struct sw_schema *schema, size_t keys, unsigned writers, const uint32_t *order, size_t count)
{
    struct sw_sampler *sampler = sw_sampler_new(5, keys, writers);
    assert_non_null(sampler);
    for (size_t i = 0; i < count; i++) {
        uint8_t key[8];
        struct sw_record record = record_of(key, order[i]);
        assert_int_equal(sw_sample_take(sw_sampler_writer(sampler, (unsigned)(i % writers)), schema, &record, NULL), SW_OK);
    }
    assert_int_equal(sw_sampler_finish(out, sampler, schema, NULL, NULL), SW_OK);
    return sampler;
}

static void same_for_any_threads_and_arrival(void **state)
{
    (void)state;
    struct sw_schema *schema = schema_with_tables();
    uint32_t *order = malloc(RECORDS * sizeof *order);
    for (uint32_t i = 0; i < RECORDS; i++)
        order[i] = i;
    const struct sw_sample *first, *other;
    struct sw_sampler *one = sample_of(&first, schema, 40, 1, order, RECORDS);
    assert_int_equal(first->count, 40);
    assert_int_equal(first->records, 120);
    assert_int_equal(first->left_out, 0);
    for (unsigned writers = 1; writers < 5; writers++) {
        for (size_t i = RECORDS - 1; i; i--) {
            size_t j = pick(i + 1);
            uint32_t swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        struct sw_sampler *two = sample_of(&other, schema, 40, writers, order, RECORDS);
        assert_int_equal(other->count, first->count);
        for (size_t k = 0; k < first->count; k++) {
            assert_true(sw_bytes_equal(first->keys[k].sort_key, other->keys[k].sort_key));
            assert_int_equal(other->keys[k].count, 3);
            if (k)
                assert_true(sw_bytes_compare(other->keys[k - 1].sort_key, other->keys[k].sort_key) < 0);
            for (size_t r = 0; r < 3; r++) {
                assert_int_equal(first->keys[k].records[r].line, other->keys[k].records[r].line);
                assert_true(sw_bytes_equal(first->keys[k].records[r].bytes, other->keys[k].records[r].bytes));
            }
        }
        sw_sampler_free(&two);
    }
    sw_sampler_free(&one);
    free(order);
    sw_schema_free(&schema);
}

static void fewer_keys_than_wanted_are_all_there(void **state)
{
    (void)state;
    struct sw_schema *schema = schema_with_tables();
    const struct sw_sample *sample;
    uint32_t order[] = {4, 2, 7, 2 + KEYS};
    struct sw_sampler *sampler = sample_of(&sample, schema, 1000, 2, order, 4);
    assert_int_equal(sample->count, 3);
    assert_int_equal(sample->records, 4);
    assert_int_equal(sample->keys[0].table, 1); /* by name: a before b */
    sw_sampler_free(&sampler);
    sw_schema_free(&schema);
}

static void a_key_with_too_many_records_is_left_out_and_counted(void **state)
{
    (void)state;
    struct sw_schema *schema = schema_with_tables();
    const struct sw_sample *sample;
    uint32_t order[SW_SAMPLE_KEY_RECORDS_MAX + 3];
    for (uint32_t i = 0; i < SW_SAMPLE_KEY_RECORDS_MAX + 1; i++)
        order[i] = 6;
    order[SW_SAMPLE_KEY_RECORDS_MAX + 1] = 8;
    order[SW_SAMPLE_KEY_RECORDS_MAX + 2] = 10;
    struct sw_sampler *sampler = sample_of(&sample, schema, 1000, 3, order, sizeof order / sizeof *order);
    assert_int_equal(sample->count, 2);
    assert_int_equal(sample->left_out, 1);
    sw_sampler_free(&sampler);
    sw_schema_free(&schema);
}

int main(void)
{
    random_state = 7;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_for_any_threads_and_arrival),
        cmocka_unit_test(fewer_keys_than_wanted_are_all_there),
        cmocka_unit_test(a_key_with_too_many_records_is_left_out_and_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
