/* Built with the option `faults` only: other builds cannot make an allocation fail. */
#include "mapping_case.h"

static const char all_of_it[] = "key: {a: x.y, b: b}\ntypes: {n: text}\nignore: [i]\nrename: {o: n}\norder: {policy: mysql, file: f}\nidentity: [p, q]\n"
                                "op: {path: op, upsert: [u]}\nafter: after\nspaces: [s, t]\nplaceholder: z\ncsv: {null: x}\nevents: {rename: {o: m}, version: v}\n";

static void every_failed_allocation_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    struct sw_error error = {0};
    const char *const keys[] = {"k"}, *const types[] = {"n=int8"};
    sw_memory_fail_at(0, false);
    options.keys = keys, options.key_count = 1;
    options.types = types, options.type_count = 1;
    assert_int_equal(sw_mapping_parse(&mapping, sw_bytes_text(all_of_it), "map.yaml", &options, &error), SW_OK);
    sw_mapping_free(&mapping);
    assert_true(sw_memory_calls() > 0);
    for (int sticky = 0; sticky < 2; sticky++) {
        for (uint64_t nth = 1;; nth++) {
            error = (struct sw_error){0};
            sw_memory_fail_at(nth, sticky);
            enum sw_code code = sw_mapping_parse(&mapping, sw_bytes_text(all_of_it), "map.yaml", &options, &error);
            sw_memory_fail_at(0, false);
            if (code == SW_OK) {
                sw_mapping_free(&mapping);
                assert_true(nth > 20);
                break;
            }
            assert_int_equal(code, SW_ERR_MEMORY);
            assert_null(mapping.memory);
            assert_null(mapping.declared.at);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_failed_allocation_is_reported_and_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
