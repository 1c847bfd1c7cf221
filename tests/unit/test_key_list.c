#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "fold/key_list.h"

#define KEYS 5000u

static struct sw_bytes text(char room[32], const char *prefix, unsigned number)
{
    snprintf(room, 32, "%s%u", prefix, number);
    return sw_bytes_text(room);
}

static void a_list_finds_what_was_added_and_nothing_else(void **state)
{
    char a[32], b[32];
    struct sw_key_list *list = sw_key_list_new(7);
    (void)state;
    assert_non_null(list);
    assert_int_equal(sw_key_list_find(list, sw_bytes_text("t"), sw_bytes_text("1")), SW_KEY_LIST_NONE);
    for (unsigned i = 0; i < KEYS; i++)
        assert_true(sw_key_list_add(list, text(a, "table", i / 1000), text(b, "key", i)));
    assert_int_equal(sw_key_list_count(list), KEYS);
    for (unsigned i = 0; i < KEYS; i++) {
        struct sw_bytes table, key;
        assert_int_equal(sw_key_list_find(list, text(a, "table", i / 1000), text(b, "key", i)), i);
        sw_key_list_at(&table, &key, list, i);
        assert_true(sw_bytes_equal(table, sw_bytes_text(a)) && sw_bytes_equal(key, sw_bytes_text(b)));
        /* the same key of another table, and the same bytes cut in another place, are other keys */
        assert_int_equal(sw_key_list_find(list, text(a, "table", i / 1000 + 1), sw_bytes_text(b)), SW_KEY_LIST_NONE);
    }
    assert_int_equal(sw_key_list_find(list, sw_bytes_text("table"), sw_bytes_text("0key0")), SW_KEY_LIST_NONE);
    assert_true(sw_key_list_bytes(list) < KEYS * 200);
    sw_key_list_free(&list);
    assert_null(list);
    sw_key_list_free(&list);
}

static void names_and_keys_may_be_empty(void **state)
{
    struct sw_key_list *list = sw_key_list_new(7);
    struct sw_bytes none = {0}, table, key;
    (void)state;
    assert_true(sw_key_list_add(list, none, none));
    assert_true(sw_key_list_add(list, none, sw_bytes_text("k")));
    assert_int_equal(sw_key_list_find(list, none, none), 0);
    assert_int_equal(sw_key_list_find(list, none, sw_bytes_text("k")), 1);
    assert_int_equal(sw_key_list_find(list, sw_bytes_text("k"), none), SW_KEY_LIST_NONE);
    sw_key_list_at(&table, &key, list, 1);
    assert_int_equal(table.len, 0);
    assert_int_equal(key.len, 1);
    sw_key_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_list_finds_what_was_added_and_nothing_else),
        cmocka_unit_test(names_and_keys_may_be_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
