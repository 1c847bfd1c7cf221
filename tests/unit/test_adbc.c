/* Arrow arrays built by hand, with what a driver rarely hands out: offsets, views, dictionaries, unions, wide decimals; and manifests of drivers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "client/adbc_driver.h"
#include "source/adbc.h"

/* The value of row `row` as it is spelled. */
static void assert_value(const struct ArrowSchema *schema, const struct ArrowArray *array, int64_t row, const char *expected)
{
    struct sw_arrow_field field;
    struct sw_error error = {0};
    struct sw_buffer text = {0}, spelled = {0};
    struct sw_token token;
    struct sw_row_slot slot;
    bool in_text;
    assert_int_equal(sw_arrow_field_read(&field, schema, 0, &error), SW_OK);
    assert_int_equal(sw_arrow_array_check(array, &field, array->length, &error), SW_OK);
    assert_true(sw_arrow_value(&token, &slot, &in_text, &text, array, &field, row));
    if (in_text)
        token.at = text.at + slot.value;
    token = sw_value_spell(&spelled, token);
    if (token.kind == SW_TOKEN_NULL)
        assert_string_equal(expected, "NULL");
    else if (token.kind == SW_TOKEN_TRUE || token.kind == SW_TOKEN_FALSE)
        assert_string_equal(expected, token.kind == SW_TOKEN_TRUE ? "true" : "false");
    else if (token.len != strlen(expected) || (token.len && memcmp(token.at, expected, token.len) != 0))
        fail_msg("'%.*s' is not '%s'", (int)token.len, (const char *)token.at, expected);
    sw_arrow_field_free(&field);
    sw_buffer_free(&text);
    sw_buffer_free(&spelled);
}

static void offsets_and_validity_are_counted_from_the_offset_of_the_array(void **state)
{
    (void)state;
    int32_t numbers[] = {7, 8, -9, 10};
    uint8_t valid = 0x0b; /* the third is null */
    struct ArrowArray array = {.length = 3, .null_count = 1, .offset = 1, .n_buffers = 2, .buffers = (const void *[]){&valid, numbers}};
    struct ArrowSchema schema = {.format = "i", .name = "n"};
    assert_value(&schema, &array, 0, "8");
    assert_value(&schema, &array, 1, "NULL");
    assert_value(&schema, &array, 2, "10");
    uint8_t bits = 0x0a;
    struct ArrowArray flags = {.length = 3, .offset = 1, .n_buffers = 2, .buffers = (const void *[]){NULL, &bits}};
    struct ArrowSchema flag = {.format = "b", .name = "b"};
    assert_value(&flag, &flags, 0, "true");
    assert_value(&flag, &flags, 1, "false");
}

static void the_bytes_of_a_batch_are_told_about(void **state)
{
    static const int32_t numbers[100];
    static int32_t offsets[101];
    static const char texts[1000];
    for (int i = 0; i <= 100; i++)
        offsets[i] = i * 10;
    const void *number_buffers[] = {NULL, numbers}, *text_buffers[] = {NULL, offsets, texts};
    struct ArrowArray number = {.length = 100, .n_buffers = 2, .buffers = number_buffers}, text = {.length = 100, .n_buffers = 3, .buffers = text_buffers};
    struct ArrowArray *children[] = {&number, &text};
    struct ArrowSchema number_schema = {.format = "i", .name = "a"}, text_schema = {.format = "u", .name = "b"}, *schemas[] = {&number_schema, &text_schema};
    const void *none[] = {NULL};
    struct ArrowArray rows = {.length = 100, .n_buffers = 1, .buffers = none, .n_children = 2, .children = children};
    struct ArrowSchema schema = {.format = "+s", .name = "", .n_children = 2, .children = schemas};
    struct sw_arrow_field field;
    struct sw_error error = {0};
    (void)state;
    assert_int_equal(sw_arrow_field_read(&field, &schema, 0, &error), SW_OK);
    assert_int_equal(sw_arrow_array_check(&rows, &field, 0, &error), SW_OK);
    assert_in_range(sw_arrow_array_bytes(&rows, &field), 400 + 400 + 1000, 400 + 400 + 1000 + 3 * 16);
    sw_arrow_field_free(&field);
}

static void decimals_of_any_width_and_scale_keep_every_digit(void **state)
{
    (void)state;
    uint64_t wide[][2] = {{UINT64_MAX, UINT64_MAX}, {7888470989671692977u, 66926059u}, {5, 0}, {0, 0}}; /* the low half first */
    struct ArrowArray array = {.length = 4, .n_buffers = 2, .buffers = (const void *[]){NULL, wide}};
    assert_value(&(struct ArrowSchema){.format = "d:38,3"}, &array, 0, "-0.001");
    assert_value(&(struct ArrowSchema){.format = "d:38,3"}, &array, 1, "1234567890123456789987654.321");
    assert_value(&(struct ArrowSchema){.format = "d:38,1"}, &array, 2, "0.5");
    assert_value(&(struct ArrowSchema){.format = "d:38,0"}, &array, 3, "0");
    assert_value(&(struct ArrowSchema){.format = "d:38,2"}, &array, 3, "0.00");
    assert_value(&(struct ArrowSchema){.format = "d:38,-2"}, &array, 2, "5e2");
    uint8_t widest[32];
    memset(widest, 0xff, sizeof widest);
    struct ArrowArray one = {.length = 1, .n_buffers = 2, .buffers = (const void *[]){NULL, widest}};
    assert_value(&(struct ArrowSchema){.format = "d:76,0,256"}, &one, 0, "-1");
    memset(widest, 0, sizeof widest);
    widest[31] = 0x80;
    assert_value(&(struct ArrowSchema){.format = "d:76,0,256"}, &one, 0, "-57896044618658097711785492504343953926634992332820282019728792003956564819968");
    int32_t narrow = -12345;
    struct ArrowArray small = {.length = 1, .n_buffers = 2, .buffers = (const void *[]){NULL, &narrow}};
    assert_value(&(struct ArrowSchema){.format = "d:9,2,32"}, &small, 0, "-123.45");
}

static void texts_stand_between_offsets_or_in_views(void **state)
{
    (void)state;
    int32_t offsets[] = {0, 0, 3, 5};
    struct ArrowArray array = {.length = 3, .n_buffers = 3, .buffers = (const void *[]){NULL, offsets, "abcde"}};
    assert_value(&(struct ArrowSchema){.format = "u"}, &array, 0, "");
    assert_value(&(struct ArrowSchema){.format = "u"}, &array, 1, "abc");
    assert_value(&(struct ArrowSchema){.format = "u"}, &array, 2, "de");
    uint8_t views[32] = {3, 0, 0, 0, 'x', 'y', 'z'};
    int32_t len = 20, place[2] = {0, 2};
    memcpy(views + 16, &len, 4);
    memcpy(views + 20, "0123", 4);
    memcpy(views + 24, place, sizeof place);
    int64_t size = 30;
    struct ArrowArray viewed = {.length = 2, .n_buffers = 4, .buffers = (const void *[]){NULL, views, "..0123456789abcdefghij", &size}};
    assert_value(&(struct ArrowSchema){.format = "vu"}, &viewed, 0, "xyz");
    assert_value(&(struct ArrowSchema){.format = "vu"}, &viewed, 1, "0123456789abcdefghij");
}

static void a_dictionary_gives_what_its_numbers_stand_for(void **state)
{
    (void)state;
    int32_t offsets[] = {0, 3, 8};
    int8_t numbers[] = {1, 0, 1};
    uint8_t valid = 5;
    struct ArrowArray values = {.length = 2, .n_buffers = 3, .buffers = (const void *[]){NULL, offsets, "redgreen"}};
    struct ArrowArray array = {.length = 3, .null_count = 1, .n_buffers = 2, .buffers = (const void *[]){&valid, numbers}, .dictionary = &values};
    struct ArrowSchema text = {.format = "u"}, schema = {.format = "c", .dictionary = &text};
    assert_value(&schema, &array, 0, "green");
    assert_value(&schema, &array, 1, "NULL");
}

static void a_union_gives_the_member_that_it_has(void **state)
{
    (void)state;
    int8_t members[] = {5, 2};
    int32_t places[] = {0, 1}, numbers[] = {41, 42};
    uint8_t bits = 3;
    struct ArrowArray number = {.length = 2, .n_buffers = 2, .buffers = (const void *[]){NULL, numbers}}, flag = {.length = 2, .n_buffers = 2, .buffers = (const void *[]){NULL, &bits}};
    struct ArrowArray *parts[] = {&flag, &number};
    struct ArrowArray array = {.length = 2, .n_buffers = 2, .n_children = 2, .buffers = (const void *[]){members, places}, .children = parts};
    struct ArrowSchema i = {.format = "i"}, b = {.format = "b"}, *kinds[] = {&b, &i}, schema = {.format = "+ud:5,2", .n_children = 2, .children = kinds};
    assert_value(&schema, &array, 0, "true");
    assert_value(&schema, &array, 1, "42");
}

static void times_are_exact_in_every_unit_and_before_1970(void **state)
{
    (void)state;
    int64_t values[] = {-1, 0, 951782400123456789};
    struct ArrowArray array = {.length = 3, .n_buffers = 2, .buffers = (const void *[]){NULL, values}};
    assert_value(&(struct ArrowSchema){.format = "tsn:"}, &array, 0, "1969-12-31T23:59:59.999999999");
    assert_value(&(struct ArrowSchema){.format = "tsn:UTC"}, &array, 2, "2000-02-29T00:00:00.123456789Z");
    assert_value(&(struct ArrowSchema){.format = "ttn"}, &(struct ArrowArray){.length = 1, .n_buffers = 2, .buffers = (const void *[]){NULL, (int64_t[]){86399999999999}}}, 0, "23:59:59.999999999");
}

static void intervals_keep_months_days_and_time_apart(void **state)
{
    (void)state;
    struct { int32_t months, days; int64_t nanos; } wide[] = {{14, 3, 14706789000000}, {-1, 1, -500000000}, {0, 0, 0}};
    struct ArrowArray array = {.length = 3, .n_buffers = 2, .buffers = (const void *[]){NULL, wide}};
    assert_value(&(struct ArrowSchema){.format = "tin"}, &array, 0, "P14M3DT14706.789000000S");
    assert_value(&(struct ArrowSchema){.format = "tin"}, &array, 1, "P-1M1DT-0.500000000S");
    assert_value(&(struct ArrowSchema){.format = "tin"}, &array, 2, "P0M0DT0.000000000S");
    int32_t millis[] = {2, -1500}, months[] = {-7};
    assert_value(&(struct ArrowSchema){.format = "tiD"}, &(struct ArrowArray){.length = 1, .n_buffers = 2, .buffers = (const void *[]){NULL, millis}}, 0, "P0M2DT-1.500000000S");
    assert_value(&(struct ArrowSchema){.format = "tiM"}, &(struct ArrowArray){.length = 1, .n_buffers = 2, .buffers = (const void *[]){NULL, months}}, 0, "P-7M0DT0.000000000S");
}

/* The metadata of a field with an extension, as DuckDB sends it: pairs of lengths and bytes. */
static void put_pair(struct sw_buffer *out, const char *key, const char *value)
{
    const char *const parts[] = {key, value};
    for (int i = 0; i < 2; i++) {
        int32_t len = (int32_t)strlen(parts[i]);
        sw_buffer_add(out, &len, sizeof len);
        sw_buffer_add_text(out, parts[i]);
    }
}

static void assert_extended(const char *format, const char *extension, const char *says, struct ArrowArray *array, int64_t row, const char *expected, enum sw_type_kind kind)
{
    struct sw_buffer metadata = {0};
    int32_t pairs = 2;
    sw_buffer_add(&metadata, &pairs, sizeof pairs);
    put_pair(&metadata, "ARROW:extension:name", extension);
    put_pair(&metadata, "ARROW:extension:metadata", says);
    const struct ArrowSchema schema = {.format = format, .name = "c", .metadata = (const char *)metadata.at};
    assert_value(&schema, array, row, expected);
    struct sw_arrow_field field;
    struct sw_error error = {0};
    struct sw_type type;
    assert_int_equal(sw_arrow_field_read(&field, &schema, 0, &error), SW_OK);
    assert_true(sw_arrow_field_type(&type, &field));
    assert_int_equal(type.kind, kind);
    sw_arrow_field_free(&field);
    sw_buffer_free(&metadata);
}

static void types_of_duckdbs_own_are_read_as_what_they_are(void **state)
{
    (void)state;
    uint64_t wide[][2] = {{UINT64_MAX, INT64_MAX}, {UINT64_MAX, UINT64_MAX}};
    struct ArrowArray huge = {.length = 2, .n_buffers = 2, .buffers = (const void *[]){NULL, wide}};
    assert_extended("w:16", "arrow.opaque", "{\"type_name\":\"hugeint\",\"vendor_name\":\"DuckDB\"}", &huge, 0, "170141183460469231731687303715884105727", SW_TYPE_INTEGER);
    assert_extended("w:16", "arrow.opaque", "{\"type_name\":\"hugeint\",\"vendor_name\":\"DuckDB\"}", &huge, 1, "-1", SW_TYPE_INTEGER);
    assert_extended("w:16", "arrow.opaque", "{\"type_name\":\"uhugeint\",\"vendor_name\":\"DuckDB\"}", &huge, 1, "340282366920938463463374607431768211455", SW_TYPE_INTEGER);
    uint64_t times[] = {UINT64_C(0x0a0eebb00000c4df), (UINT64_C(3723000001) << 24) | (57599 + 12600)};
    struct ArrowArray clock = {.length = 2, .n_buffers = 2, .buffers = (const void *[]){NULL, times}};
    assert_extended("w:8", "arrow.opaque", "{\"type_name\":\"time_tz\",\"vendor_name\":\"DuckDB\"}", &clock, 0, "12:00:00.000000+02:00:00", SW_TYPE_TIME);
    assert_extended("w:8", "arrow.opaque", "{\"type_name\":\"time_tz\",\"vendor_name\":\"DuckDB\"}", &clock, 1, "01:02:03.000001-03:30:00", SW_TYPE_TIME);
    int32_t offsets[] = {0, 2, 2};
    struct ArrowArray bits = {.length = 2, .n_buffers = 3, .buffers = (const void *[]){NULL, offsets, "\x03\xf5"}};
    assert_extended("z", "arrow.opaque", "{\"type_name\":\"bit\",\"vendor_name\":\"DuckDB\"}", &bits, 0, "10101", SW_TYPE_TEXT);
    assert_extended("z", "arrow.opaque", "{\"type_name\":\"bit\",\"vendor_name\":\"DuckDB\"}", &bits, 1, "", SW_TYPE_TEXT);
    int8_t flags[] = {1, 0};
    struct ArrowArray booleans = {.length = 2, .n_buffers = 2, .buffers = (const void *[]){NULL, flags}};
    assert_extended("c", "arrow.bool8", "", &booleans, 0, "true", SW_TYPE_BOOLEAN);
    assert_extended("c", "arrow.bool8", "", &booleans, 1, "false", SW_TYPE_BOOLEAN);
}

static void infinities_of_duckdb_are_those_of_postgresql(void **state)
{
    (void)state;
    int32_t days[] = {INT32_MAX, -INT32_MAX};
    struct ArrowArray dates = {.length = 2, .n_buffers = 2, .buffers = (const void *[]){NULL, days}};
    assert_value(&(struct ArrowSchema){.format = "tdD"}, &dates, 0, "infinity");
    assert_value(&(struct ArrowSchema){.format = "tdD"}, &dates, 1, "-infinity");
    int64_t moments[] = {INT64_MAX, -INT64_MAX};
    struct ArrowArray times = {.length = 2, .n_buffers = 2, .buffers = (const void *[]){NULL, moments}};
    assert_value(&(struct ArrowSchema){.format = "tsu:"}, &times, 0, "infinity");
    assert_value(&(struct ArrowSchema){.format = "tsu:UTC"}, &times, 1, "-infinity");
    assert_value(&(struct ArrowSchema){.format = "tsn:"}, &times, 0, "2262-04-11T23:47:16.854775807");
}

static void values_in_a_list_are_spelled_as_postgresql_spells_them_in_json(void **state)
{
    (void)state;
    int32_t offsets[] = {0, 2};
    int64_t moments[] = {1500000, -1000000};
    struct ArrowArray times = {.length = 2, .n_buffers = 2, .buffers = (const void *[]){NULL, moments}}, *time_child = &times;
    struct ArrowArray list = {.length = 1, .n_buffers = 2, .n_children = 1, .buffers = (const void *[]){NULL, offsets}, .children = &time_child};
    struct ArrowSchema zoned = {.format = "tsu:UTC", .name = "e"}, local = {.format = "tsu:", .name = "e"}, *zoned_child = &zoned, *local_child = &local;
    assert_value(&(struct ArrowSchema){.format = "+l", .n_children = 1, .children = &zoned_child}, &list, 0, "[\"1970-01-01T00:00:01.5+00:00\",\"1969-12-31T23:59:59+00:00\"]");
    assert_value(&(struct ArrowSchema){.format = "+l", .n_children = 1, .children = &local_child}, &list, 0, "[\"1970-01-01T00:00:01.5\",\"1969-12-31T23:59:59\"]");
    int32_t ends[] = {0, 2, 2};
    struct ArrowArray bytes = {.length = 2, .n_buffers = 3, .buffers = (const void *[]){NULL, ends, "\x00\xff"}}, *bytes_child = &bytes;
    struct ArrowArray blobs = {.length = 1, .n_buffers = 2, .n_children = 1, .buffers = (const void *[]){NULL, offsets}, .children = &bytes_child};
    struct ArrowSchema blob = {.format = "z", .name = "e"}, *blob_child = &blob;
    assert_value(&(struct ArrowSchema){.format = "+l", .n_children = 1, .children = &blob_child}, &blobs, 0, "[\"\\\\x00ff\",\"\\\\x\"]");
}

static void integers_of_all_sizes_are_one_type(void **state)
{
    (void)state;
    static const char formats[] = "csilCSIL";
    for (size_t i = 0; formats[i]; i++) {
        const char format[] = {formats[i], '\0'};
        struct sw_arrow_field field;
        struct sw_error error = {0};
        struct sw_type type;
        assert_int_equal(sw_arrow_field_read(&field, &(struct ArrowSchema){.format = format, .name = "n"}, 0, &error), SW_OK);
        assert_true(sw_arrow_field_type(&type, &field));
        assert_int_equal(type.kind, SW_TYPE_INTEGER);
        sw_arrow_field_free(&field);
    }
}

static void refused(const struct ArrowSchema *schema, enum sw_code code, const char *text)
{
    struct sw_arrow_field field;
    struct sw_error error = {0};
    assert_int_equal(sw_arrow_field_read(&field, schema, 0, &error), code);
    assert_non_null(strstr(error.text, text));
    sw_arrow_field_free(&field);
}

static void what_cannot_be_or_cannot_be_compared_is_refused(void **state)
{
    (void)state;
    struct ArrowSchema child = {.format = "i", .name = "x"}, *children[] = {&child, NULL};
    refused(&(struct ArrowSchema){.format = "tDn", .name = "d"}, SW_ERR_USAGE, "column d is a duration");
    refused(&(struct ArrowSchema){.format = "?", .name = "d"}, SW_ERR_USAGE, "not known");
    refused(&(struct ArrowSchema){.format = "d:x", .name = "d"}, SW_ERR_USAGE, "not known");
    refused(&(struct ArrowSchema){.format = "w:-1", .name = "d"}, SW_ERR_USAGE, "not known");
    refused(&(struct ArrowSchema){.format = NULL, .name = "d"}, SW_ERR_REMOTE, "cannot be");
    refused(&(struct ArrowSchema){.format = "+l", .name = "d"}, SW_ERR_REMOTE, "0 parts");
    refused(&(struct ArrowSchema){.format = "i", .name = "d", .n_children = 1, .children = children}, SW_ERR_REMOTE, "1 parts");
    refused(&(struct ArrowSchema){.format = "+s", .name = "d", .n_children = 2, .children = children}, SW_ERR_REMOTE, "without its parts");
    refused(&(struct ArrowSchema){.format = "f", .name = "d", .dictionary = &child}, SW_ERR_REMOTE, "dictionary");
    struct sw_arrow_field field;
    struct sw_error error = {0};
    assert_int_equal(sw_arrow_field_read(&field, &child, 0, &error), SW_OK);
    int32_t number = 1;
    assert_int_equal(sw_arrow_array_check(&(struct ArrowArray){.length = 1, .n_buffers = 3, .buffers = (const void *[]){NULL, &number, NULL}}, &field, 1, &error), SW_ERR_REMOTE);
    assert_int_equal(sw_arrow_array_check(&(struct ArrowArray){.length = 1, .n_buffers = 2, .buffers = (const void *[]){NULL, NULL}}, &field, 1, NULL), SW_ERR_REMOTE);
    assert_int_equal(sw_arrow_array_check(&(struct ArrowArray){.length = 1, .n_buffers = 2, .buffers = (const void *[]){NULL, &number}}, &field, 2, NULL), SW_ERR_REMOTE);
    sw_arrow_field_free(&field);
}

static void assert_manifest(const char *text, const char *library, const char *entrypoint)
{
    struct sw_adbc_driver_file file = {0};
    assert_int_equal(sw_adbc_manifest_read(&file, sw_bytes_text(text)), library != NULL);
    if (library) {
        assert_string_equal(sw_buffer_text(&file.library), library);
        assert_string_equal(sw_buffer_text(&file.entrypoint), entrypoint);
    }
    sw_adbc_driver_file_free(&file);
}

static void a_manifest_names_the_library_of_this_machine(void **state)
{
    (void)state;
    assert_manifest("manifest_version = 1\nname = 'x'\n[ADBC]\nversion = '1.1.0'\n[Driver]\nentrypoint = \"Init\" # why\n[Driver.shared]\nwindows_amd64 = 'C:\\x.dll'\n"
                    "linux_amd64 = '/opt/a.so'\nlinux_arm64 = '/opt/a.so'\r\n", "/opt/a.so", "Init");
    assert_manifest("[Driver]\nshared = \"/opt/\\\"b\\\".so\"", "/opt/\"b\".so", "");
    assert_manifest("[Driver.shared]\nmacos_arm64 = '/x.dylib'\n", NULL, NULL);
    assert_manifest("[Other]\nshared = '/x.so'\n", NULL, NULL);
    assert_manifest("[Driver]\nshared = '/x.so", NULL, NULL);
    assert_manifest("", NULL, NULL);
    assert_manifest("=\n[\n[]\n]\n= '", NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets_and_validity_are_counted_from_the_offset_of_the_array),
        cmocka_unit_test(the_bytes_of_a_batch_are_told_about),
        cmocka_unit_test(decimals_of_any_width_and_scale_keep_every_digit),
        cmocka_unit_test(texts_stand_between_offsets_or_in_views),
        cmocka_unit_test(a_dictionary_gives_what_its_numbers_stand_for),
        cmocka_unit_test(a_union_gives_the_member_that_it_has),
        cmocka_unit_test(times_are_exact_in_every_unit_and_before_1970),
        cmocka_unit_test(intervals_keep_months_days_and_time_apart),
        cmocka_unit_test(types_of_duckdbs_own_are_read_as_what_they_are),
        cmocka_unit_test(infinities_of_duckdb_are_those_of_postgresql),
        cmocka_unit_test(values_in_a_list_are_spelled_as_postgresql_spells_them_in_json),
        cmocka_unit_test(integers_of_all_sizes_are_one_type),
        cmocka_unit_test(what_cannot_be_or_cannot_be_compared_is_refused),
        cmocka_unit_test(a_manifest_names_the_library_of_this_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
