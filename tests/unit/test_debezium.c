/* Debezium's values, schema blocks and placeholders. Sources: debezium, documentation of the connectors ("Decimal types", "Temporal types", "Bit types"),
 * io.debezium.data.VariableScaleDecimal, io.debezium.data.Bits, UnchangedToastedPlaceholder; Kafka Connect JsonConverter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "format/debezium/debezium.h"

static struct sw_token token_of(enum sw_token_kind kind, const char *text)
{
    return (struct sw_token){.at = (const uint8_t *)text, .len = (uint32_t)strlen(text), .kind = (uint8_t)kind};
}

/* What a decoder makes of a value; "refused" if it refuses. */
static const char *decoded(sw_decode_fn decode, enum sw_token_kind kind, const char *text, const struct sw_bound_column *column)
{
    static char shown[4096];
    struct sw_decode_room room = {0};
    struct sw_token value = token_of(kind, text);
    if (decode(&value, &room, column))
        snprintf(shown, sizeof shown, "%.*s", (int)value.len, (const char *)value.at);
    else
        snprintf(shown, sizeof shown, "refused");
    if (strcmp(shown, "refused") == 0)
        assert_true(room.problem[0]);
    sw_buffer_free(&room.text);
    return shown;
}

static const char *decimal(const char *base64, int32_t scale)
{
    return decoded(sw_debezium_decimal, SW_TOKEN_TEXT, base64, &(struct sw_bound_column){.scale = scale});
}

static void decimals_are_signed_numbers_with_the_scale_of_the_schema(void **state)
{
    (void)state;
    assert_string_equal(decimal("MDk=", 2), "123.45");
    assert_string_equal(decimal("MDk=", 0), "12345");
    assert_string_equal(decimal("MDk=", 5), "0.12345");
    assert_string_equal(decimal("MDk=", 7), "0.0012345");
    assert_string_equal(decimal("MDk=", -3), "12345e3");
    assert_string_equal(decimal("MDk", 2), "123.45"); /* without padding */
    assert_string_equal(decimal("AA==", 2), "0.00");
    assert_string_equal(decimal("/w==", 0), "-1");
    assert_string_equal(decimal("gA==", 0), "-128");
    assert_string_equal(decimal("AIA=", 0), "128");
    assert_string_equal(decimal("gAAAAAAAAAA=", 0), "-9223372036854775808");
    assert_string_equal(decimal("AP//////////", 0), "18446744073709551615");
    assert_string_equal(decimal("/wAAAAAAAAAA", 0), "-18446744073709551616");
    assert_string_equal(decimal("S9zMlfS5aA4=", 4), "546646899214892.4430");
    assert_string_equal(decimal("AQAAAAAAAAAAAAAAAAAAAAA=", 0), "340282366920938463463374607431768211456");
    assert_string_equal(decoded(sw_debezium_decimal, SW_TOKEN_NUMBER, "1.50", &(struct sw_bound_column){.scale = 2}), "1.50"); /* decimal.format=NUMERIC */
    assert_string_equal(decimal("", 2), "refused");
    assert_string_equal(decimal("M", 2), "refused");
    assert_string_equal(decimal("M*k=", 2), "refused");
    assert_string_equal(decimal("M=Dk", 2), "refused");
}

static void decimals_without_a_fixed_scale_bring_their_own(void **state)
{
    const struct sw_bound_column none = {0};
    (void)state;
    assert_string_equal(decoded(sw_debezium_variable_decimal, SW_TOKEN_OBJECT, "{\"scale\":2,\"value\":\"MDk=\"}", &none), "123.45");
    assert_string_equal(decoded(sw_debezium_variable_decimal, SW_TOKEN_OBJECT, "{ \"value\" : \"/w==\" , \"scale\" : 0 }", &none), "-1");
    assert_string_equal(decoded(sw_debezium_variable_decimal, SW_TOKEN_OBJECT, "{\"scale\":-1,\"value\":\"/w==\"}", &none), "-1e1");
    assert_string_equal(decoded(sw_debezium_variable_decimal, SW_TOKEN_OBJECT, "{\"value\":\"/w==\"}", &none), "refused");
    assert_string_equal(decoded(sw_debezium_variable_decimal, SW_TOKEN_OBJECT, "{\"scale\":1e3,\"value\":\"/w==\"}", &none), "refused");
    assert_string_equal(decoded(sw_debezium_variable_decimal, SW_TOKEN_OBJECT, "{\"scale\":99999999,\"value\":\"/w==\"}", &none), "refused");
    assert_string_equal(decoded(sw_debezium_variable_decimal, SW_TOKEN_OBJECT, "{}", &none), "refused");
    assert_string_equal(decoded(sw_debezium_variable_decimal, SW_TOKEN_TEXT, "MDk=", &none), "refused");
}

static void bits_are_little_endian(void **state)
{
    struct sw_bound_column ten = {.scale = 10}, unknown = {0};
    (void)state;
    assert_string_equal(decoded(sw_debezium_bits, SW_TOKEN_TEXT, "AQI=", &ten), "1000000001");
    assert_string_equal(decoded(sw_debezium_bits, SW_TOKEN_TEXT, "AQ==", &ten), "0000000001");
    assert_string_equal(decoded(sw_debezium_bits, SW_TOKEN_TEXT, "AQI=", &unknown), "0000001000000001");
    assert_string_equal(decoded(sw_debezium_bits, SW_TOKEN_TEXT, "????", &ten), "refused");
    const struct sw_column integer = {.type = {.kind = SW_TYPE_INTEGER, .precision = -1}};
    ten.column = &integer;
    assert_string_equal(decoded(sw_debezium_bits, SW_TOKEN_TEXT, "AQI=", &ten), "513");
    assert_string_equal(decoded(sw_debezium_bits, SW_TOKEN_TEXT, "AAA=", &ten), "0");
}

static void structured_times_become_text(void **state)
{
    const struct sw_bound_column none = {0};
    static const struct { const char *json, *text; } cases[] = {
        {"{\"year\":2031,\"month\":2,\"day\":3}", "2031-02-03"},
        {"{\"hour\":4,\"minute\":5,\"second\":6,\"nanos\":0,\"precision\":0}", "04:05:06"},
        {"{\"year\":2031,\"month\":2,\"day\":3,\"hour\":4,\"minute\":5,\"second\":6,\"nanos\":789000000}", "2031-02-03T04:05:06.789000000"},
        {"{\"year\":2031,\"month\":2,\"day\":3,\"hour\":4,\"minute\":5,\"second\":6,\"nanos\":0,\"offsetSeconds\":-5400,\"zoneId\":null}", "2031-02-03T04:05:06-01:30:00"},
        {"{\"year\":0,\"month\":12,\"day\":31}", "0001-12-31 BC"},
        {"{\"year\":null,\"month\":null,\"day\":null,\"specialValue\":\"POSITIVE_INFINITY\"}", "infinity"},
        {"{\"specialValue\":\"NEGATIVE_INFINITY\"}", "-infinity"},
        {"{\"specialValue\":\"NEVER\"}", "refused"},
        {"{\"year\":2031,\"month\":2}", "refused"},
        {"{\"year\":2031,\"month\":13,\"day\":1}", "refused"},
        {"{\"minute\":5}", "refused"},
        {"{}", "refused"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(decoded(sw_debezium_structured, SW_TOKEN_OBJECT, cases[i].json, &none), cases[i].text);
}

static void infinite_dates_and_timestamps_of_postgresql_are_known_in_each_unit(void **state)
{
    const struct sw_bound_column days = {.scale = SW_UNIT_DAYS}, milli = {.scale = SW_UNIT_MILLISECONDS}, micro = {.scale = SW_UNIT_MICROSECONDS}, nano = {.scale = SW_UNIT_NANOSECONDS};
    (void)state;
    assert_string_equal(decoded(sw_debezium_time, SW_TOKEN_NUMBER, "-2147472692", &days), "infinity");
    assert_string_equal(decoded(sw_debezium_time, SW_TOKEN_NUMBER, "-2147472691", &days), "-infinity");
    assert_string_equal(decoded(sw_debezium_time, SW_TOKEN_NUMBER, "-2147472690", &days), "-2147472690");
    assert_string_equal(decoded(sw_debezium_time, SW_TOKEN_NUMBER, "9223372036825200", &milli), "infinity");
    assert_string_equal(decoded(sw_debezium_time, SW_TOKEN_NUMBER, "-9223372036832400", &milli), "-infinity");
    assert_string_equal(decoded(sw_debezium_time, SW_TOKEN_NUMBER, "9223372036825200000", &micro), "infinity");
    assert_string_equal(decoded(sw_debezium_time, SW_TOKEN_NUMBER, "-9223372036832400000", &micro), "-infinity");
    /* in microseconds, this is a day in 2262; nanoseconds do not reach so far */
    assert_string_equal(decoded(sw_debezium_time, SW_TOKEN_NUMBER, "9223372036825200", &micro), "9223372036825200");
    assert_string_equal(decoded(sw_debezium_time, SW_TOKEN_NUMBER, "9223372036825200000", &nano), "9223372036825200000");
    assert_string_equal(decoded(sw_debezium_time, SW_TOKEN_TEXT, "+294247-01-10T04:00:25.2Z", &micro), "infinity");
    assert_string_equal(decoded(sw_debezium_iso_local, SW_TOKEN_TEXT, "-290308-12-21T19:59:27.6Z", &days), "-infinity");
    assert_string_equal(decoded(sw_debezium_iso_local, SW_TOKEN_TEXT, "-5877611-06-21Z", &days), "infinity");
    assert_string_equal(decoded(sw_debezium_iso_local, SW_TOKEN_TEXT, "-5877611-06-22Z", &days), "-infinity");
    assert_string_equal(decoded(sw_debezium_iso_local, SW_TOKEN_TEXT, "2026-02-28Z", &days), "2026-02-28");
    assert_string_equal(decoded(sw_debezium_time, SW_TOKEN_TEXT, "2026-02-28Z", &days), "2026-02-28Z");
}

static void base64_without_a_scale_is_no_decimal(void **state)
{
    const struct sw_bound_column none = {0};
    (void)state;
    assert_string_equal(decoded(sw_debezium_decimal_without_schema, SW_TOKEN_TEXT, "MDk=", &none), "refused");
    assert_string_equal(decoded(sw_debezium_decimal_without_schema, SW_TOKEN_TEXT, "12.50", &none), "12.50");
    assert_string_equal(decoded(sw_debezium_decimal_without_schema, SW_TOKEN_TEXT, "NaN", &none), "NaN");
    assert_string_equal(decoded(sw_debezium_decimal_without_schema, SW_TOKEN_NUMBER, "1", &none), "1");
    assert_string_equal(decoded(sw_debezium_decimal_without_schema, SW_TOKEN_TEXT, "NAN", &none), "NaN");
    assert_string_equal(decoded(sw_debezium_decimal_without_schema, SW_TOKEN_TEXT, "POSITIVE_INFINITY", &none), "inf");
    assert_string_equal(decoded(sw_debezium_decimal_text, SW_TOKEN_TEXT, "NEGATIVE_INFINITY", &none), "-inf");
    assert_string_equal(decoded(sw_debezium_decimal_text, SW_TOKEN_TEXT, "MDk=", &none), "MDk=");
    assert_string_equal(decoded(sw_debezium_decimal_without_schema, SW_TOKEN_OBJECT, "{\"scale\":2,\"value\":\"MDk=\"}", &none), "123.45");
}

static const struct sw_debezium_column *column_of(const struct sw_debezium_schema *schema, const char *name) { return sw_debezium_schema_find(schema, sw_bytes_text(name)); }

static void a_schema_block_tells_the_types_of_columns(void **state)
{
    static const char block[] =
        "{\"type\":\"struct\",\"name\":\"a.b.c.Envelope\",\"fields\":[{\"type\":\"struct\",\"field\":\"before\",\"fields\":[{\"type\":\"string\",\"field\":\"wrong\"}]},"
        "{ \"fields\" : [ {\"type\":\"int64\",\"name\":\"io.debezium.time.MicroTimestamp\",\"field\":\"at\"}, {\"type\":\"bytes\",\"field\":\"p\",\"name\":\"org.apache.kafka.connect.data.Decimal\","
        "\"parameters\":{\"connect.decimal.precision\":\"9\",\"scale\":\"-2\"}}, {\"field\":\"\\u0061b\",\"type\":\"string\"},{\"field\":\"tz\",\"type\":\"string\",\"name\":\"io.debezium.time.ZonedTime\"},"
        "{\"field\":\"raw\",\"type\":\"bytes\"},{\"field\":\"list\",\"type\":\"array\",\"items\":{\"type\":\"int32\"}}], \"field\" : \"after\", \"type\":\"struct\"}]}";
    struct sw_debezium_schema schema;
    (void)state;
    sw_debezium_schema_read(&schema, token_of(SW_TOKEN_OBJECT, block), "after");
    assert_false(schema.failed);
    assert_int_equal(schema.count, 6);
    assert_true(sw_bytes_is(sw_buffer_view(&schema.top_name), "a.b.c.Envelope"));
    assert_null(column_of(&schema, "wrong"));
    assert_int_equal(column_of(&schema, "at")->type.kind, SW_TYPE_TIMESTAMP);
    assert_int_equal(column_of(&schema, "at")->type.unit, SW_UNIT_MICROSECONDS);
    assert_int_equal(column_of(&schema, "p")->scale, -2);
    assert_ptr_equal(column_of(&schema, "p")->decode, sw_debezium_decimal);
    assert_int_equal(column_of(&schema, "ab")->type.kind, SW_TYPE_TEXT);
    assert_int_equal(column_of(&schema, "tz")->type.kind, SW_TYPE_ANY);
    assert_int_equal(column_of(&schema, "raw")->type.encoding, SW_BYTES_BASE64);
    assert_int_equal(column_of(&schema, "list")->spellings, SW_DEBEZIUM_NESTED_SPELLING);
    sw_debezium_schema_free(&schema);
    sw_debezium_schema_read(&schema, token_of(SW_TOKEN_OBJECT, "{\"type\":\"struct\",\"fields\":[{\"field\":\"x\",\"type\":\"boolean\"}]}"), NULL);
    assert_int_equal(column_of(&schema, "x")->type.kind, SW_TYPE_BOOLEAN);
    sw_debezium_schema_free(&schema);
    sw_debezium_schema_read(&schema, token_of(SW_TOKEN_OBJECT, "{\"fields\":7}"), "after");
    assert_int_equal(schema.count, 0);
    sw_debezium_schema_free(&schema);
}

static bool spelled(const struct sw_placeholders *list, const char *raw)
{
    for (uint32_t i = 0; i < list->count; i++)
        if (sw_bytes_is(list->raw[i], raw))
            return true;
    return false;
}

static void placeholders_have_the_spelling_of_their_column(void **state)
{
    (void)state;
    struct sw_debezium_placeholders *own = sw_debezium_placeholders_new(NULL), *other = sw_debezium_placeholders_new("hex:676f6e65"), *odd = sw_debezium_placeholders_new("hex:zz");
    assert_true(own && other && odd);
    assert_int_equal(own->of[SW_DEBEZIUM_ANY_SPELLING].count, SW_PLACEHOLDERS_MAX);
    assert_true(spelled(&own->of[SW_DEBEZIUM_TEXT_SPELLING], "\"__debezium_unavailable_value\""));
    assert_false(spelled(&own->of[SW_DEBEZIUM_BYTES_SPELLING], "\"__debezium_unavailable_value\""));
    assert_true(spelled(&own->of[SW_DEBEZIUM_BYTES_SPELLING], "\"X19kZWJleml1bV91bmF2YWlsYWJsZV92YWx1ZQ==\""));
    assert_true(spelled(&own->of[SW_DEBEZIUM_NESTED_SPELLING], "[\"b68a35a7-17ad-35b3-af2a-ae46edb4545a\"]"));
    assert_true(spelled(&other->of[SW_DEBEZIUM_TEXT_SPELLING], "\"gone\""));
    assert_true(spelled(&other->of[SW_DEBEZIUM_NESTED_SPELLING], "[103,111,110,101]"));
    assert_true(spelled(&odd->of[SW_DEBEZIUM_TEXT_SPELLING], "\"hex:zz\""));
    sw_free(own);
    sw_free(other);
    sw_free(odd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_are_signed_numbers_with_the_scale_of_the_schema),
        cmocka_unit_test(decimals_without_a_fixed_scale_bring_their_own),
        cmocka_unit_test(bits_are_little_endian),
        cmocka_unit_test(structured_times_become_text),
        cmocka_unit_test(infinite_dates_and_timestamps_of_postgresql_are_known_in_each_unit),
        cmocka_unit_test(base64_without_a_scale_is_no_decimal),
        cmocka_unit_test(a_schema_block_tells_the_types_of_columns),
        cmocka_unit_test(placeholders_have_the_spelling_of_their_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
