/* What the tests of the mapping share: one mapping and one set of options, fresh for every test. */
#ifndef SW_TEST_MAPPING_CASE_H
#define SW_TEST_MAPPING_CASE_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/memory.h"
#include "mapping/mapping.h"

static struct sw_mapping mapping;
static struct sw_reconcile_options options;

static inline int fresh(void **state)
{
    (void)state;
    sw_reconcile_options_init(&options);
    return 0;
}

static inline int released(void **state)
{
    (void)state;
    sw_mapping_free(&mapping);
    return 0;
}

static inline void parse(const char *yaml)
{
    struct sw_error error = {0};
    sw_mapping_free(&mapping);
    enum sw_code code = sw_mapping_parse(&mapping, sw_bytes_text(yaml), "map.yaml", &options, &error);
    if (code != SW_OK)
        fail_msg("%s:%d:%d: %s", error.source, (int)error.line, (int)error.column, error.text);
}

/* Asserts the whole message and its place; line 0: the message is about an option and has no place. */
static inline void refused(const char *yaml, const char *text, uint64_t line, uint64_t column)
{
    struct sw_error error = {0};
    struct sw_mapping out;
    assert_int_equal(sw_mapping_parse(&out, sw_bytes_text(yaml), "map.yaml", &options, &error), SW_ERR_USAGE);
    assert_string_equal(error.text, text);
    assert_int_equal(error.line, line);
    assert_int_equal(error.column, column);
    assert_string_equal(error.source, line ? "map.yaml" : "");
    assert_int_equal(error.has_place, line != 0);
    assert_null(out.memory);
}

static inline void declared_is(const char *text) { assert_string_equal(sw_buffer_text(&mapping.declared), text); }

static inline void path_is(const struct sw_path *path, const char *text)
{
    struct sw_buffer printed = {0};
    sw_path_print(&printed, path);
    assert_string_equal(sw_buffer_text(&printed), text);
    sw_buffer_free(&printed);
}

static inline const struct sw_layout *events(void) { return &mapping.layout[SW_ROLE_EVENTS]; }
static inline const struct sw_layout *baseline(void) { return &mapping.layout[SW_ROLE_BASELINE]; }
static inline const struct sw_layout *expected(void) { return &mapping.layout[SW_ROLE_EXPECTED]; }
static inline enum sw_operation operation(const char *text) { return sw_mapping_operation(&mapping, SW_ROLE_EVENTS, sw_bytes_text(text)); }
static inline const struct sw_column_rule *rule(enum sw_role role, const char *column) { return sw_mapping_rule(&mapping, role, sw_bytes_text(column)); }

#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, released)

#endif
