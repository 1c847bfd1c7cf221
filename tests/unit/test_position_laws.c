/* Laws that hold for any input, over small universes so that every relation occurs often. The generator is seeded: the
 * same run everywhere. */
#include "position_testing.h"

#include <stdio.h>

static uint64_t random_state;

static uint32_t draw(uint32_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32) % below;
}

static bool at_or_before(enum sw_position_order order) { return order == SW_POSITION_BEFORE || order == SW_POSITION_EQUAL; }

/* Compares every pair and every triple of `count` texts. With `total`, any two must compare. */
static void check_order(const char *kind, char (*texts)[160], size_t count, bool total, const struct sw_position_compare_options *options)
{
    struct sw_position **all = calloc(count, sizeof *all);
    int8_t *order = calloc(count * count, 1);
    assert_non_null(all);
    assert_non_null(order);
    for (size_t i = 0; i < count; i++) {
        all[i] = read_position(kind, texts[i]);
        char *text = NULL;
        assert_int_equal(sw_position_print(&text, NULL, all[i], NULL), SW_OK);
        struct sw_position *again = read_position(kind, text);
        assert_int_equal(sw_position_compare(NULL, all[i], again, options), SW_POSITION_EQUAL);
        sw_position_free(&again);
        sw_position_text_free(&text);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            order[i * count + k] = (int8_t)sw_position_compare(NULL, all[i], all[k], options);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(order[i * count + i], SW_POSITION_EQUAL);
        for (size_t k = 0; k < count; k++) {
            enum sw_position_order way = (enum sw_position_order)order[i * count + k];
            if (total && way == SW_POSITION_INCOMPARABLE)
                fail_msg("%s '%s' and '%s' are of one space and do not compare", kind, texts[i], texts[k]);
            if ((enum sw_position_order)order[k * count + i] != mirrored(way))
                fail_msg("%s '%s' and '%s': not antisymmetric", kind, texts[i], texts[k]);
            for (size_t m = 0; m < count; m++)
                if (at_or_before(way) && at_or_before((enum sw_position_order)order[k * count + m])) {
                    enum sw_position_order across = (enum sw_position_order)order[i * count + m];
                    bool equal = way == SW_POSITION_EQUAL && order[k * count + m] == SW_POSITION_EQUAL;
                    if (across != (equal ? SW_POSITION_EQUAL : SW_POSITION_BEFORE))
                        fail_msg("%s '%s' <= '%s' <= '%s', but the first against the third is %s", kind, texts[i], texts[k], texts[m], sw_position_order_name(across));
                }
        }
    }
    for (size_t i = 0; i < count; i++)
        sw_position_free(&all[i]);
    free(all);
    free(order);
}

enum { TEXTS = 48, ROUNDS = 40 };

static const char *const uuids[] = {"3a1f0000-0000-0000-0000-000000000001", "aaaaaaaa-0000-0000-0000-000000000001"};

static void draw_scalar(char out[160], const char *kind)
{
    static const uint64_t edges[] = {0, 1, 9, 10, 99, 100, INT32_MAX, UINT32_MAX, (uint64_t)UINT32_MAX + 1, (uint64_t)INT64_MAX, UINT64_MAX};
    uint64_t a = draw(2) ? edges[draw(COUNT(edges))] : draw(5), b = draw(2) ? edges[draw(COUNT(edges))] : draw(5);
    if (strcmp(kind, "postgres") == 0)
        snprintf(out, 160, "%X/%X", (unsigned)a, (unsigned)b | 1u);
    else if (strcmp(kind, "mysql") == 0)
        snprintf(out, 160, "bin.%06u:%llu@event=%u,row=%u", (unsigned)(a % 2147483648u), (unsigned long long)b, draw(2), draw(3));
    else if (strcmp(kind, "oracle") == 0)
        snprintf(out, 160, "%llu@rs-id=%x.%x.%x,ssn=%u", (unsigned long long)a, draw(3), draw(2), draw(2), draw(2));
    else if (strcmp(kind, "sqlserver") == 0)
        snprintf(out, 160, "%x:%x:%x/0:0:%x/%u", (unsigned)a, (unsigned)b, draw(3), draw(3), draw(3));
    else if (strcmp(kind, "mongodb") == 0)
        snprintf(out, 160, "%u:%u", (unsigned)a, (unsigned)b);
    else if (strcmp(kind, "kafka") == 0)
        snprintf(out, 160, "t:0:%llu", (unsigned long long)(a >> 1));
    else if (strcmp(kind, "bigquery") == 0)
        snprintf(out, 160, "%llx/%llx/%x", (unsigned long long)a, (unsigned long long)b, draw(2));
    else
        snprintf(out, 160, "[%u,\"bin.%06u\",%llu]", draw(9), (unsigned)(a % 2147483648u), (unsigned long long)b);
}

static void single_positions_of_one_space_are_totally_ordered(void **state)
{
    (void)state;
    static const char *const kinds[] = {"postgres", "mysql", "oracle", "sqlserver", "mongodb", "kafka", "bigquery", "datastream"};
    char texts[TEXTS][160];
    random_state = 20261130;
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (int round = 0; round < ROUNDS; round++) {
            for (size_t i = 0; i < TEXTS; i++)
                draw_scalar(texts[i], kinds[k]);
            check_order(kinds[k], texts, TEXTS, true, NULL);
        }
}

static void what_mixes_spaces_and_forms_is_still_a_partial_order(void **state)
{
    (void)state;
    char texts[TEXTS][160];
    random_state = 7;
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < TEXTS; i++)
            switch (draw(3)) {
            case 0: snprintf(texts[i], 160, "%u/%u", draw(2), draw(4)); break;
            case 1: snprintf(texts[i], 160, "%u/%u@system=%u", draw(2), draw(4), draw(2)); break;
            default: snprintf(texts[i], 160, "%u/%u@timeline=%u,lsn=%s", draw(2), draw(4), 1 + draw(2), draw(2) ? "row" : "commit");
            }
        check_order("postgres", texts, TEXTS, false, NULL);
        for (size_t i = 0; i < TEXTS; i++)
            snprintf(texts[i], 160, draw(2) ? "%x/%x" : "%x", draw(3), draw(3));
        check_order("bigquery", texts, TEXTS, false, NULL);
        for (size_t i = 0; i < TEXTS; i++)
            switch (draw(5)) {
            case 0: snprintf(texts[i], 160, "%u", draw(4)); break;
            case 1: snprintf(texts[i], 160, "%u:1,%u:2", draw(4), draw(4)); break;
            case 2: snprintf(texts[i], 160, "%u:1:%s", draw(4), draw(2) ? "a" : draw(2) ? "b" : "a-b"); break;
            case 3: snprintf(texts[i], 160, "0x%x.%x.%x@thread=%u", draw(2), draw(2), draw(2), 1 + draw(2)); break;
            default: snprintf(texts[i], 160, "%u@rs-id=1.1.%x", draw(4), draw(3));
            }
        check_order("oracle", texts, TEXTS, false, NULL);
        for (size_t i = 0; i < TEXTS; i++)
            switch (draw(3)) {
            case 0: snprintf(texts[i], 160, "%u:%u", draw(2), draw(2)); break;
            case 1: snprintf(texts[i], 160, "82%08x%08x%02x", draw(2), draw(2), draw(2)); break;
            default: snprintf(texts[i], 160, "%u:%u@cluster=%u", draw(2), draw(2), draw(2));
            }
        check_order("mongodb", texts, TEXTS, false, NULL);
        for (size_t i = 0; i < TEXTS; i++)
            switch (draw(3)) {
            case 0: snprintf(texts[i], 160, "1:0:%x", draw(3)); break;
            case 1: snprintf(texts[i], 160, "1:0:%x/0:0:%x", draw(3), draw(2)); break;
            default: snprintf(texts[i], 160, "1:0:%x/0:0:%x/%u", draw(3), draw(2), draw(2));
            }
        check_order("sqlserver", texts, TEXTS, false, NULL);
        for (size_t i = 0; i < TEXTS; i++)
            snprintf(texts[i], 160, "%s.00000%u:4@server=%s", draw(2) ? "a" : "b", draw(3), uuids[draw(2)]);
        check_order("mysql", texts, TEXTS, false, NULL);
    }
}

static void vectors_are_partially_ordered(void **state)
{
    (void)state;
    char texts[TEXTS][160];
    random_state = 11;
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < TEXTS; i++) {
            int len = 0;
            texts[i][0] = '\0';
            for (unsigned domain = 0; domain < 3; domain++)
                if (draw(3))
                    len += snprintf(texts[i] + len, 160 - (size_t)len, "%s%u-%u-%u", len ? "," : "", domain, 1 + draw(2), 1 + draw(3));
        }
        /* numbers that two servers wrote make histories diverge, so the vectors of one history keep server = sequence */
        for (size_t i = 0; i < TEXTS; i++)
            for (char *at = texts[i]; (at = strchr(at, '-')); at = strchr(at, ',') ? strchr(at, ',') : at + strlen(at))
                at[1] = at[3];
        check_order("mariadb", texts, TEXTS, false, NULL);
        for (size_t i = 0; i < TEXTS; i++)
            snprintf(texts[i], 160, draw(4) ? "t:0:%u,t:1:%u" : "t:%u:%u", draw(3), draw(3));
        check_order("kafka", texts, TEXTS, false, NULL);
    }
}

static void timelines_with_a_history_form_a_tree(void **state)
{
    (void)state;
    static const char three[] = "1\t0/4\tx\n", two[] = "1\t0/6\tx\n", four[] = "1\t0/6\tx\n2\t0/8\tx\n";
    struct sw_position_history *history = NULL;
    assert_int_equal(sw_position_history_new(&history, "postgres", NULL), SW_OK);
    assert_int_equal(sw_position_history_add(history, "00000003.history", three, strlen(three), NULL), SW_OK);
    assert_int_equal(sw_position_history_add(history, "00000002.history", two, strlen(two), NULL), SW_OK);
    assert_int_equal(sw_position_history_add(history, "00000004.history", four, strlen(four), NULL), SW_OK);
    const struct sw_position_compare_options options = {.struct_size = sizeof options, .history = history};
    char texts[TEXTS][160];
    random_state = 13;
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < TEXTS; i++)
            snprintf(texts[i], 160, "0/%X@timeline=%u", 1 + draw(10), 1 + draw(4));
        check_order("postgres", texts, TEXTS, false, &options);
    }
    sw_position_history_free(&history);
}

/* ---- sets of GTIDs against a model that cannot be wrong: one bit a transaction ---- */

enum { SOURCES = 4, NUMBERS = 24 }; /* two UUIDs, each untagged and with one tag */

struct model {
    uint32_t bits[SOURCES];
};

static void draw_set(char *out, size_t size, struct model *model)
{
    size_t len = 0;
    memset(model, 0, sizeof *model);
    out[0] = '\0';
    for (uint32_t parts = draw(5); parts > 0; parts--) {
        uint32_t source = draw(SOURCES);
        len += (size_t)snprintf(out + len, size - len, "%s%s%s", len ? draw(2) ? "," : " , \n" : "", uuids[source / 2], source % 2 ? ":Tag" : "");
        if (source % 2 == 0 && draw(8) == 0)
            continue; /* a UUID without intervals */
        for (uint32_t intervals = 1 + draw(4); intervals > 0; intervals--) {
            uint32_t first = 1 + draw(NUMBERS), last = 1 + draw(NUMBERS);
            if (draw(4) == 0)
                last = first;
            len += (size_t)snprintf(out + len, size - len, first == last && draw(2) ? ":%u" : ":%u-%u", first, last);
            for (uint32_t n = first; n <= last; n++)
                model->bits[source] |= 1u << n;
        }
    }
}

static struct model model_of(const struct sw_position *set)
{
    struct model model = {0};
    for (uint32_t source = 0; source < SOURCES; source++)
        for (uint32_t n = 1; n <= NUMBERS; n++) {
            char text[96];
            snprintf(text, sizeof text, "%s%s:%u", uuids[source / 2], source % 2 ? ":tag" : "", n);
            struct sw_position *one = read_position("mysql-gtid", text);
            bool in = false;
            assert_int_equal(sw_position_contains(&in, set, one, NULL), SW_OK);
            model.bits[source] |= (uint32_t)in << n;
            sw_position_free(&one);
        }
    return model;
}

static void expect_model(enum sw_code code, struct sw_position *set, const struct model *expected, const char *what, const char *a, const char *b)
{
    assert_int_equal(code, SW_OK);
    struct model found = model_of(set);
    uint64_t count = 0;
    for (uint32_t source = 0; source < SOURCES; source++) {
        if (found.bits[source] != expected->bits[source])
            fail_msg("%s of '%s' and '%s' differs from the model in source %u: %x, expected %x", what, a, b, source, found.bits[source], expected->bits[source]);
        count += (uint64_t)__builtin_popcount(expected->bits[source]);
    }
    assert_int_equal(sw_position_count(set), count);
    /* canonical: the same members always print the same */
    char *text = NULL;
    assert_int_equal(sw_position_print(&text, NULL, set, NULL), SW_OK);
    struct sw_position *again = read_position("mysql-gtid", text);
    char *second = NULL;
    assert_int_equal(sw_position_print(&second, NULL, again, NULL), SW_OK);
    assert_string_equal(text, second);
    sw_position_text_free(&text);
    sw_position_text_free(&second);
    sw_position_free(&again);
    sw_position_free(&set);
}

static void gtid_sets_agree_with_a_model_of_single_transactions(void **state)
{
    (void)state;
    random_state = 17;
    for (int round = 0; round < 1500; round++) {
        char left[2048], right[2048];
        struct model a, b, united, subtracted, intersected;
        draw_set(left, sizeof left, &a);
        draw_set(right, sizeof right, &b);
        bool a_in_b = true, b_in_a = true;
        for (size_t i = 0; i < SOURCES; i++) {
            united.bits[i] = a.bits[i] | b.bits[i];
            subtracted.bits[i] = a.bits[i] & ~b.bits[i];
            intersected.bits[i] = a.bits[i] & b.bits[i];
            a_in_b &= subtracted.bits[i] == 0;
            b_in_a &= (b.bits[i] & ~a.bits[i]) == 0;
        }
        struct sw_position *x = read_position("mysql-gtid", left), *y = read_position("mysql-gtid", right), *made = NULL;
        struct model read = model_of(x);
        assert_memory_equal(&read, &a, sizeof a);
        enum sw_code code = sw_position_unite(&made, x, y, NULL);
        expect_model(code, made, &united, "union", left, right);
        code = sw_position_subtract(&made, x, y, NULL);
        expect_model(code, made, &subtracted, "difference", left, right);
        code = sw_position_intersect(&made, x, y, NULL);
        expect_model(code, made, &intersected, "intersection", left, right);
        bool contains = false;
        assert_int_equal(sw_position_contains(&contains, x, y, NULL), SW_OK);
        assert_int_equal(contains, b_in_a);
        enum sw_position_order expected = a_in_b && b_in_a ? SW_POSITION_EQUAL : a_in_b ? SW_POSITION_BEFORE : b_in_a ? SW_POSITION_AFTER : SW_POSITION_INCOMPARABLE;
        assert_int_equal(sw_position_compare(NULL, x, y, NULL), expected);
        sw_position_free(&x);
        sw_position_free(&y);
    }
}

/* (A − B) ∪ (A ∩ B) = A, A ∪ B = B ∪ A, A ∩ B ⊆ A ⊆ A ∪ B: for sets and for vectors. */
static void algebra_keeps_its_identities(const char *kind, const char *left, const char *right)
{
    struct sw_position *a = read_position(kind, left), *b = read_position(kind, right), *minus = NULL, *both = NULL, *again = NULL, *either = NULL, *other = NULL;
    bool contains = false;
    if (sw_position_subtract(&minus, a, b, NULL) == SW_OK) {
        assert_int_equal(sw_position_intersect(&both, a, b, NULL), SW_OK);
        assert_int_equal(sw_position_unite(&again, minus, both, NULL), SW_OK);
        assert_int_equal(sw_position_contains(&contains, again, a, NULL), SW_OK);
        assert_true(contains);
        assert_int_equal(sw_position_contains(&contains, a, again, NULL), SW_OK);
        assert_true(contains);
        assert_int_equal(sw_position_unite(&either, a, b, NULL), SW_OK);
        assert_int_equal(sw_position_unite(&other, b, a, NULL), SW_OK);
        assert_int_equal(sw_position_compare(NULL, either, other, NULL), SW_POSITION_EQUAL);
        assert_int_equal(sw_position_contains(&contains, either, a, NULL), SW_OK);
        assert_true(contains);
        assert_int_equal(sw_position_contains(&contains, a, both, NULL), SW_OK);
        assert_true(contains);
    }
    enum sw_position_order order = sw_position_compare(NULL, a, b, NULL);
    assert_int_equal(sw_position_contains(&contains, b, a, NULL), SW_OK);
    if (at_or_before(order))
        assert_true(contains);
    sw_position_free(&a);
    sw_position_free(&b);
    sw_position_free(&minus);
    sw_position_free(&both);
    sw_position_free(&again);
    sw_position_free(&either);
    sw_position_free(&other);
}

static void algebra_keeps_its_identities_for_every_kind_of_set(void **state)
{
    (void)state;
    random_state = 19;
    for (int round = 0; round < 3000; round++) {
        char left[2048], right[2048];
        struct model ignored;
        draw_set(left, sizeof left, &ignored);
        draw_set(right, sizeof right, &ignored);
        algebra_keeps_its_identities("mysql-gtid", left, right);
        snprintf(left, sizeof left, draw(4) ? "0-1-%u,%u-1-%u" : "%u-1-5", draw(4), 1 + draw(2), draw(4));
        snprintf(right, sizeof right, draw(4) ? "0-1-%u,%u-%u-3" : "%u-1-5", draw(4), 1 + draw(2), 1 + draw(2));
        algebra_keeps_its_identities("mariadb", left, right);
        snprintf(left, sizeof left, "a:%u:%u,b:%u:%u", draw(2), draw(4), draw(2), draw(4));
        snprintf(right, sizeof right, "a:%u:%u,b:%u:%u", draw(2), draw(4), draw(2), draw(4));
        algebra_keeps_its_identities("kafka", left, right);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_positions_of_one_space_are_totally_ordered),
        cmocka_unit_test(what_mixes_spaces_and_forms_is_still_a_partial_order),
        cmocka_unit_test(vectors_are_partially_ordered),
        cmocka_unit_test(timelines_with_a_history_form_a_tree),
        cmocka_unit_test(gtid_sets_agree_with_a_model_of_single_transactions),
        cmocka_unit_test(algebra_keeps_its_identities_for_every_kind_of_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
