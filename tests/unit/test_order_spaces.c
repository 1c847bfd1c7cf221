/* Spaces: their texts, bases and ranks; and positions that are declared for several of them. */
#include "order_testing.h"

#include "order/spaces.h"

static struct sw_spaces *made(char **declared, size_t count)
{
    struct sw_spaces *spaces = sw_spaces_new(declared, count);
    assert_non_null(spaces);
    return spaces;
}

static uint32_t intern(struct sw_spaces *spaces, const char *text)
{
    struct sw_bytes bytes = sw_bytes_text(text);
    return sw_spaces_intern(spaces, bytes, sw_space_base_len(bytes));
}

static void a_space_is_found_again_and_keeps_its_text(void **state)
{
    (void)state;
    struct sw_spaces *spaces = made(NULL, 0);
    uint32_t a = intern(spaces, "timeline=1"), b = intern(spaces, ""), c = intern(spaces, "timeline=2");
    assert_true(a != b && b != c && a != c);
    assert_int_equal(intern(spaces, "timeline=1"), a);
    assert_int_equal(intern(spaces, ""), b);
    assert_true(sw_bytes_is(sw_spaces_text(spaces, c), "timeline=2"));
    assert_int_equal(sw_spaces_count(spaces), 3);
    assert_int_equal(sw_spaces_rank(spaces, a), UINT32_MAX);
    sw_spaces_free(&spaces);
}

static void what_is_only_named_is_not_seen(void **state)
{
    (void)state;
    char *declared[] = {(char[]){"A"}, (char[]){"B"}};
    struct sw_spaces *spaces = made(declared, 2);
    uint32_t cut = sw_spaces_declare(spaces, sw_bytes_text("C")), b = intern(spaces, "B");
    assert_false(sw_spaces_seen(spaces, 0));
    assert_true(sw_spaces_seen(spaces, b));
    assert_false(sw_spaces_seen(spaces, cut));
    assert_int_equal(intern(spaces, "C"), cut);
    assert_true(sw_spaces_seen(spaces, cut));
    sw_spaces_free(&spaces);
}

static void spaces_of_one_base_share_its_rank(void **state)
{
    (void)state;
    char *declared[] = {(char[]){"base=a"}, (char[]){"base=b"}, (char[]){"base=b without row"}};
    struct sw_spaces *spaces = made(declared, 3);
    uint32_t marked = intern(spaces, "base=a without row"), other = intern(spaces, "base=c without row"), named = intern(spaces, "base=b without row");
    assert_int_equal(sw_spaces_base(spaces, marked), 0);
    assert_int_equal(sw_spaces_rank(spaces, marked), 0);
    assert_int_equal(sw_spaces_rank(spaces, other), UINT32_MAX);
    assert_true(sw_bytes_is(sw_spaces_text(spaces, sw_spaces_base(spaces, other)), "base=c"));
    assert_false(sw_spaces_seen(spaces, sw_spaces_base(spaces, other)));
    assert_int_equal(sw_spaces_rank(spaces, named), 2); /* it was ranked itself */
    assert_int_equal(sw_spaces_base(spaces, named), 1);
    sw_spaces_free(&spaces);
}

static void the_base_ends_where_the_lacking_fields_begin(void **state)
{
    (void)state;
    assert_int_equal(sw_space_base_len(sw_bytes_text("base=b without row+server")), 6);
    assert_int_equal(sw_space_base_len(sw_bytes_text("without row")), 0);
    assert_int_equal(sw_space_base_len(sw_bytes_text("base=b")), 6);
    assert_int_equal(sw_space_base_len(sw_bytes_text("")), 0);
    assert_int_equal(sw_space_base_len(sw_bytes_text("base=xwithout row")), 17);
    assert_int_equal(sw_space_base_len(sw_bytes_text("without")), 7);
}

/* --space names what the records leave unnamed; a source that they name themselves needs no name. */
static void the_option_stands_before_what_does_not_name_its_source(void **state)
{
    (void)state;
    struct sw_spaces *spaces = made(NULL, 0);
    const struct sw_space_text bare = {{0}, 0, false}, marked = {SW_BYTES_LITERAL("without row"), 0, false}, base = {SW_BYTES_LITERAL("base=b without row"), 6, false},
                               named = {SW_BYTES_LITERAL("base=b server=1"), 15, true};
    assert_true(sw_bytes_is(sw_spaces_text(spaces, sw_spaces_intern_under(spaces, &bare, "prod")), "prod"));
    uint32_t id = sw_spaces_intern_under(spaces, &marked, "prod");
    assert_true(sw_bytes_is(sw_spaces_text(spaces, id), "prod without row"));
    assert_true(sw_bytes_is(sw_spaces_text(spaces, sw_spaces_base(spaces, id)), "prod"));
    id = sw_spaces_intern_under(spaces, &base, "prod");
    assert_true(sw_bytes_is(sw_spaces_text(spaces, id), "prod base=b without row"));
    assert_true(sw_bytes_is(sw_spaces_text(spaces, sw_spaces_base(spaces, id)), "prod base=b"));
    assert_true(sw_bytes_is(sw_spaces_text(spaces, sw_spaces_intern_under(spaces, &named, "prod")), "base=b server=1"));
    assert_true(sw_bytes_is(sw_spaces_text(spaces, sw_spaces_intern_under(spaces, &bare, NULL)), ""));
    sw_spaces_free(&spaces);
}

static void positions_of_several_spaces_are_declared_together(void **state)
{
    (void)state;
    struct sw_order_positions positions;
    const char *const texts[] = {"0/5@timeline=1; timeline=2=0/7", " 0/5@timeline=1 \n 0/7@timeline=2\n", "timeline=1=0/5;timeline=2=7"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(sw_order_positions_parse(&positions, &sw_order_postgres, sw_bytes_text(texts[i]), NULL), SW_OK);
        assert_int_equal(positions.count, 2);
        assert_true(sw_bytes_is(positions.places[0].space, "timeline=1"));
        assert_true(sw_bytes_is(positions.places[1].space, "timeline=2"));
        sw_order_positions_free(&positions);
    }
    assert_int_equal(sw_order_positions_parse(&positions, &sw_order_file, sw_bytes_text("a=b.ndjson=12;c.ndjson=7"), NULL), SW_OK);
    assert_true(sw_bytes_is(positions.places[0].space, "a=b.ndjson"));
    assert_true(positions.places[0].named);
    sw_order_positions_free(&positions);
    position_refused(&sw_order_postgres, "0/5@timeline=1;0/6@timeline=1", "there are two positions in the space 'timeline=1'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_space_is_found_again_and_keeps_its_text),
        cmocka_unit_test(what_is_only_named_is_not_seen),
        cmocka_unit_test(spaces_of_one_base_share_its_rank),
        cmocka_unit_test(the_base_ends_where_the_lacking_fields_begin),
        cmocka_unit_test(the_option_stands_before_what_does_not_name_its_source),
        cmocka_unit_test(positions_of_several_spaces_are_declared_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
