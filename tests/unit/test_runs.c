#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/memory.h"
#include "base/spill_file.h"
#include "fold/runs.h"

#define ITEMS 600
#define KEY_MAX 40

struct item {
    uint8_t key[KEY_MAX];
    size_t key_len;
    uint32_t content;
};

static int in_order(const void *a, const void *b)
{
    const struct item *left = a, *right = b;
    int order = sw_bytes_compare(sw_bytes_of(left->key, left->key_len), sw_bytes_of(right->key, right->key_len));
    return order ? order : memcmp(&left->content, &right->content, sizeof left->content);
}

static uint64_t next(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

/* Keys of one to three tables, with few different bytes (0 and 255 among them), some with nothing behind the name, many twice. */
static void make(struct item *items, uint64_t seed, unsigned tables)
{
    static const char *const names[] = {"public.orders", "public.order_lines", "stock"};
    static const uint8_t bytes[] = {0, 1, 'a', 255};
    for (uint32_t i = 0; i < ITEMS; i++) {
        struct item *item = &items[i];
        const char *name = names[next(&seed) % tables];
        item->key_len = strlen(name) + 1;
        memcpy(item->key, name, item->key_len);
        for (uint64_t more = next(&seed) % 14; more; more--)
            item->key[item->key_len++] = bytes[next(&seed) % sizeof bytes];
        item->content = (uint32_t)next(&seed);
    }
}

static void merge_gives_all_in_order(unsigned tables, uint64_t memory, uint64_t seed)
{
    static struct item items[ITEMS];
    struct sw_error error = {0};
    struct sw_budget budget;
    struct sw_spill_file *spill;
    struct sw_run_batch batch = {0};
    struct sw_run_merge *merge;
    struct sw_bytes key, content;
    sw_budget_init(&budget, UINT64_C(1) << 30);
    assert_int_equal(sw_spill_file_open(&spill, "/tmp", &error), SW_OK);
    struct sw_runs *runs = sw_runs_new(memory, &budget, spill);
    make(items, seed, tables);
    for (size_t i = 0; i < ITEMS; i++) {
        assert_true(sw_run_batch_add(&batch, sw_bytes_of(items[i].key, items[i].key_len), sw_bytes_of(&items[i].content, sizeof items[i].content)));
        if (i % 37 == 36 || i == 40) /* also a run of one item */
            assert_int_equal(sw_run_batch_end(&batch, runs, &error), SW_OK);
    }
    assert_int_equal(sw_run_batch_end(&batch, runs, &error), SW_OK);
    qsort(items, ITEMS, sizeof *items, in_order);
    assert_int_equal(sw_run_merge_open(&merge, runs, &error), SW_OK);
    for (size_t i = 0; i < ITEMS; i++) {
        assert_int_equal(sw_run_merge_next(&key, &content, merge, &error), SW_OK);
        assert_true(sw_bytes_equal(key, sw_bytes_of(items[i].key, items[i].key_len)));
        assert_true(sw_bytes_equal(content, sw_bytes_of(&items[i].content, sizeof items[i].content)));
    }
    assert_int_equal(sw_run_merge_next(&key, &content, merge, &error), SW_END);
    sw_run_merge_close(&merge);
    sw_run_batch_free(&batch);
    sw_runs_free(&runs);
    sw_spill_file_close(&spill);
}

static void items_of_one_table_come_in_the_order_of_their_keys(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 30; seed++)
        merge_gives_all_in_order(1, UINT64_C(1) << 20, seed);
}

static void items_of_several_tables_do_too(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 30; seed++)
        for (unsigned tables = 2; tables <= 3; tables++)
            merge_gives_all_in_order(tables, UINT64_C(1) << 20, seed);
}

static void items_that_went_to_the_spill_file_do_too(void **state)
{
    (void)state;
    for (uint64_t memory = 0; memory <= 4096; memory += 4096) /* none and some of the runs stay in memory */
        for (unsigned tables = 1; tables <= 3; tables++)
            merge_gives_all_in_order(tables, memory, memory + tables);
}

static void no_items_are_no_runs(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct sw_budget budget;
    struct sw_run_batch batch = {0};
    struct sw_run_merge *merge;
    struct sw_bytes key, content;
    sw_budget_init(&budget, UINT64_C(1) << 30);
    struct sw_runs *runs = sw_runs_new(UINT64_C(1) << 20, &budget, NULL);
    assert_int_equal(sw_run_batch_end(&batch, runs, &error), SW_OK);
    assert_int_equal(sw_run_merge_open(&merge, runs, &error), SW_OK);
    assert_int_equal(sw_run_merge_next(&key, &content, merge, &error), SW_END);
    sw_run_merge_close(&merge);
    sw_runs_free(&runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_of_one_table_come_in_the_order_of_their_keys),
        cmocka_unit_test(items_of_several_tables_do_too),
        cmocka_unit_test(items_that_went_to_the_spill_file_do_too),
        cmocka_unit_test(no_items_are_no_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
