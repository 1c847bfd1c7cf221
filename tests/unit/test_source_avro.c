#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <zlib.h>
#ifdef SW_WITH_ZSTD
#include <zstd.h>
#endif

#include "avro_files.h"
#include "source_files.h"

#define RECORD_OF(type) "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":" type "}]}"

static struct sw_buffer container_of(const char *schema, const char *codec, int64_t records, struct sw_bytes data)
{
    struct sw_buffer file = {0};
    avro_header(&file, schema, codec);
    avro_block(&file, records, data);
    return file;
}

static bool pack_of(struct sw_bytes file) { return file.len && file.at[0] == 0x1f; }

static enum sw_code read_file(struct sw_buffer *log, struct sw_bytes file, uint64_t block_bytes, uint64_t record_bytes_max, struct sw_error *error)
{
    write_file("rows.avro", file);
    *error = (struct sw_error){0};
    sw_buffer_clear(log);
    enum sw_code code = read_all(log, (const char *[]){"rows.avro"}, 1, &(struct sw_source_options){.block_bytes = block_bytes, .record_bytes_max = record_bytes_max}, error);
    while (log->len && log->at[log->len - 1] != '\n')
        log->len--;
    char *last = strstr(sw_buffer_text(log), code == SW_END && pack_of(file) ? "gzip " : "none "); /* what the input was, at the end of the log */
    if (last)
        *last = '\0';
    return code;
}

/* The lines that a block of records becomes, without what the log says of their place. */
static enum sw_code read_block(struct sw_buffer *log, const char *schema, int64_t records, const char *hex, struct sw_error *error)
{
    struct sw_buffer data = avro_bytes(hex), file = container_of(schema, NULL, records, sw_buffer_view(&data));
    enum sw_code code = read_file(log, sw_buffer_view(&file), 0, 0, error);
    sw_buffer_free(&data);
    sw_buffer_free(&file);
    return code;
}

/* Sources: Avro specification 1.11, "Logical types"; for number, time-interval-micros, varchar, timestampTz: facts 2.7 (read from Datastream's own files);
 * datetime, calendarDate, year, timeTz and the infinities: Datastream, "Unified types", and DataflowTemplates, FormatDatastreamRecordToJson.java. */
static void each_kind_and_meaning_is_spelled_as_its_type_reads_it(void **state)
{
    (void)state;
    static const struct { const char *type, *hex, *json, *column; } cases[] = {
        {"\"null\"", "", "null", ""},
        {"\"boolean\"", "01", "true", "boolean"},
        {"\"int\"", "01", "-1", "integer"},
        {"\"long\"", "feffffffffffffffff01", "9223372036854775807", "integer"},
        {"\"long\"", "ffffffffffffffffff01", "-9223372036854775808", "integer"},
        {"\"float\"", "cdcccc3d", "0.1", "float32"},
        {"\"double\"", "9a9999999999b93f", "0.1", "float64"},
        {"\"double\"", "000000000000f07f", "\"Infinity\"", "float64"},
        {"\"double\"", "000000000000f8ff", "\"NaN\"", "float64"},
        {"\"double\"", "0000000000000080", "-0", "float64"},
        {"\"bytes\"", "06 00ff10", "\"AP8Q\"", "bytes base64"},
        {"\"bytes\"", "04 00ff", "\"AP8=\"", "bytes base64"},
        {"\"string\"", "0a 610a2271 5c", "\"a\\u000a\\\"q\\\\\"", "text"},
        {"\"string\"", "04 c3a9", "\"\xc3\xa9\"", "text"},
        {"{\"type\":\"enum\",\"name\":\"e\",\"symbols\":[\"A\",\"B\"]}", "02", "\"B\"", "text"},
        {"{\"type\":\"array\",\"items\":\"int\"}", "04 0204 00", "[1,2]", "array of integer"},
        {"{\"type\":\"array\",\"items\":\"int\"}", "03 04 0204 02 06 00", "[1,2,3]", "array of integer"},
        {"{\"type\":\"map\",\"values\":\"int\"}", "02 0278 06 00", "{\"x\":3}", "json"},
        {"{\"type\":\"fixed\",\"name\":\"f\",\"size\":2}", "0102", "\"AQI=\"", "bytes base64"},
        {"[\"null\",\"int\"]", "00", "null", "integer"},
        {"[\"null\",\"int\"]", "02 0e", "7", "integer"},
        {"[\"string\",\"long\"]", "00 0278", "\"x\"", ""},
        {"{\"type\":\"record\",\"name\":\"x\",\"fields\":[{\"name\":\"y\",\"type\":\"int\"}]}", "02", "{\"y\":1}", ""},
        {"{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":10,\"scale\":2}", "06 00b22c", "456.12", "decimal"},
        {"{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":10,\"scale\":2}", "02 ff", "-0.01", "decimal"},
        {"{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":10,\"scale\":2}", "02 00", "0.00", "decimal"},
        {"{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":10}", "04 ff00", "-256", "decimal"},
        {"{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":65,\"scale\":30}", "1a 0c9f2c9cd04674edea40000000", "1.000000000000000000000000000000", "decimal"},
        {"{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":4,\"scale\":0}", "00", "\"\"", "decimal"},
        {"{\"type\":\"fixed\",\"name\":\"f\",\"size\":2,\"logicalType\":\"decimal\",\"precision\":4,\"scale\":1}", "8000", "-3276.8", "decimal"},
        {"{\"type\":\"string\",\"logicalType\":\"number\"}", "28 3138343436373434303733373039353531363135", "18446744073709551615", "decimal"},
        {"{\"type\":\"string\",\"logicalType\":\"number\"}", "06 4e614e", "\"NaN\"", "decimal"},
        {"{\"type\":\"string\",\"logicalType\":\"uuid\"}", "02 78", "\"x\"", "uuid"},
        {"{\"type\":\"fixed\",\"name\":\"f\",\"size\":16,\"logicalType\":\"uuid\"}", "00112233445566778899aabbccddeeff", "\"00112233-4455-6677-8899-aabbccddeeff\"", "uuid"},
        {"{\"type\":\"int\",\"logicalType\":\"date\"}", "e6b802", "\"2024-10-23\"", "date"},
        {"{\"type\":\"int\",\"logicalType\":\"date\"}", "01", "\"1969-12-31\"", "date"},
        {"{\"type\":\"int\",\"logicalType\":\"time-millis\"}", "d00f", "\"00:00:01\"", "time"},
        {"{\"type\":\"long\",\"logicalType\":\"time-micros\"}", "8080bbdd8305", "\"24:00:00\"", "time"},
        {"{\"type\":\"long\",\"logicalType\":\"time-micros\"}", "01", "-1", "time"},
        {"{\"type\":\"long\",\"logicalType\":\"time-interval-micros\"}", "80b2dec0dd01", "\"08:15:30\"", "time"},
        {"{\"type\":\"long\",\"logicalType\":\"time-interval-micros\"}", "bfac93ba07", "\"-00:16:40.5\"", "time"},
        {"{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}", "01", "\"1969-12-31T23:59:59.999Z\"", "timestamptz"},
        {"{\"type\":\"long\",\"logicalType\":\"timestamp-micros\"}", "8080cbe1efb48806", "\"2024-02-08T00:00:00Z\"", "timestamptz"},
        {"{\"type\":\"long\",\"logicalType\":\"timestamp-micros\"}", "80d6e5e3ffffffffff01", "\"infinity\"", "timestamptz"},
        {"{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}", "feffffffffffffffff01", "9223372036854775807", "timestamptz"},
        {"{\"type\":\"long\",\"logicalType\":\"timestamp-nanos\"}", "02", "\"1970-01-01T00:00:00.000000001Z\"", "timestamptz"},
        {"{\"type\":\"long\",\"logicalType\":\"local-timestamp-micros\"}", "8080cbe1efb48806", "\"2024-02-08T00:00:00\"", "timestamp"},
        {"{\"type\":\"int\",\"logicalType\":\"timestamp-micros\"}", "02", "1", "integer"}, /* not of its type: it has no effect */
        {"\"long\",\"logicalType\":\"timestamp-micros\"", "02", "1", "integer"},              /* on the field: it has no effect */
        {"{\"type\":\"record\",\"name\":\"varchar\",\"fields\":[{\"name\":\"value\",\"type\":\"string\"},{\"name\":\"length\",\"type\":\"int\"}]}", "0478790a", "\"xy\"", "text"},
        {"{\"type\":\"record\",\"name\":\"varchar\",\"fields\":[{\"name\":\"value\",\"type\":\"string\"},{\"name\":\"other\",\"type\":\"int\"}]}", "0478790a", "{\"value\":\"xy\",\"other\":5}", ""},
        {"{\"type\":\"record\",\"name\":\"timestampTz\",\"fields\":[{\"name\":\"timestamp\",\"type\":{\"type\":\"long\",\"logicalType\":\"timestamp-micros\"}},{\"name\":\"offset\",\"type\":{\"type\":\"int\",\"logicalType\":\"time-millis\"}}]}",
         "8080cbe1efb48806 80bab703", "\"2024-02-08T01:00:00+01:00\"", "timestamptz"},
        {"{\"type\":\"record\",\"name\":\"datetime\",\"fields\":[{\"name\":\"date\",\"type\":\"int\"},{\"name\":\"time\",\"type\":\"long\"}]}", "02 80897a", "\"1970-01-02T00:00:01\"", "timestamp"},
        {"{\"type\":\"record\",\"name\":\"calendarDate\",\"fields\":[{\"name\":\"year\",\"type\":\"int\"},{\"name\":\"month\",\"type\":\"int\"},{\"name\":\"day\",\"type\":\"int\"}]}", "d01f 04 06", "\"2024-02-03\"", "date"},
        {"{\"type\":\"record\",\"name\":\"year\",\"fields\":[{\"name\":\"year\",\"type\":[\"null\",\"int\"]}]}", "02d01f", "2024", "integer"},
        {"{\"type\":\"record\",\"name\":\"year\",\"fields\":[{\"name\":\"year\",\"type\":[\"null\",\"int\"]}]}", "00", "null", "integer"},
        {"{\"type\":\"record\",\"name\":\"timeTz\",\"fields\":[{\"name\":\"time\",\"type\":\"long\"},{\"name\":\"offset\",\"type\":\"int\"}]}", "80897a ffb9b703", "\"00:00:01-01:00\"", "time"},
    };
    struct sw_buffer log = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char schema[700], expected[200], bytes[200];
        struct sw_error error;
        /* a second field, since a record of no bytes is none */
        snprintf(schema, sizeof schema, "{\"type\":\"record\",\"name\":\"row\",\"fields\":[{\"name\":\"a\",\"type\":%s},{\"name\":\"z\",\"type\":\"int\"}]}", cases[i].type);
        snprintf(bytes, sizeof bytes, "%s 02", cases[i].hex);
        snprintf(expected, sizeof expected, "0@0:1 {\"a\":%s,\"z\":1}|\n", cases[i].json);
        if (read_block(&log, schema, 1, bytes, &error) != SW_END)
            print_error("%s: %s\n", cases[i].type, error.text);
        assert_string_equal(log.at, expected);

        struct sw_source *source;
        assert_int_equal(sw_source_open(&source, (const char *[]){"rows.avro"}, 1, &(struct sw_source_options){0}, &error), SW_OK);
        const struct sw_field_tree *tree = sw_source_input(source, 0)->fields;
        uint32_t field = sw_field_tree_find(tree, 0, SW_BYTES_LITERAL("a"));
        struct sw_buffer type = {0};
        assert_true(field != SW_FIELD_NONE && sw_field_tree_find(tree, 0, SW_BYTES_LITERAL("b")) == SW_FIELD_NONE);
        if (tree->fields[field].has_type)
            sw_type_print(&type, &tree->fields[field].type);
        assert_string_equal(sw_buffer_text(&type), cases[i].column);
        sw_buffer_free(&type);
        sw_source_close(&source);
    }
    sw_buffer_free(&log);
}

/* google/snappy, format_description.txt: a literal of 4 bytes, and a copy of 4 from 4 back. */
static struct sw_buffer snappy_of_twice_the_same(const char *four)
{
    struct sw_buffer out = {0};
    uint8_t whole[8];
    memcpy(whole, four, 4);
    memcpy(whole + 4, four, 4);
    uint32_t sum = (uint32_t)crc32(0, whole, 8);
    sw_buffer_add(&out, "\x08\x0c", 2);
    sw_buffer_add(&out, four, 4);
    sw_buffer_add(&out, "\x01\x04", 2);
    for (int shift = 24; shift >= 0; shift -= 8)
        sw_buffer_add_byte(&out, (uint8_t)(sum >> shift));
    return out;
}

static struct sw_buffer deflate_of(const char *text, size_t len)
{
    struct sw_buffer out = {0};
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_true(sw_buffer_reserve(&out, 1000));
    stream.next_in = (Bytef *)(uintptr_t)text;
    stream.avail_in = (uInt)len;
    stream.next_out = out.at;
    stream.avail_out = 1000;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out.len = 1000 - stream.avail_out;
    deflateEnd(&stream);
    return out;
}

static void blocks_are_unpacked(void **state)
{
    (void)state;
    static const char two[] = "\x06" "abc" "\x06" "abc";
    const char *expected = "0@0:1 {\"a\":\"abc\"}|\n0@12:2 {\"a\":\"abc\"}|\n";
    struct sw_buffer log = {0};
    struct sw_error error;
    struct { const char *codec; struct sw_buffer data; } cases[3] = {{"deflate", deflate_of(two, 8)}, {"snappy", snappy_of_twice_the_same("\x06" "abc")}};
    size_t count = 2;
#ifdef SW_WITH_ZSTD
    assert_true(sw_buffer_reserve(&cases[2].data, 1000));
    cases[2].codec = "zstandard";
    cases[2].data.len = ZSTD_compress(cases[2].data.at, 1000, two, 8, 1);
    count = 3;
#endif
    for (size_t i = 0; i < count; i++) {
        struct sw_buffer file = container_of(RECORD_OF("\"string\""), cases[i].codec, 2, sw_buffer_view(&cases[i].data));
        assert_int_equal(read_file(&log, sw_buffer_view(&file), 0, 0, &error), SW_END);
        assert_string_equal(log.at, expected);
        sw_buffer_free(&file);
        for (size_t at = 0; at < cases[i].data.len; at++) { /* no byte of it may change unseen, but for the one that says a deflate block is the last */
            cases[i].data.at[at] ^= 0x10;
            file = container_of(RECORD_OF("\"string\""), cases[i].codec, 2, sw_buffer_view(&cases[i].data));
            enum sw_code code = read_file(&log, sw_buffer_view(&file), 0, 0, &error);
            assert_true(code == SW_ERR_INPUT || code == SW_ERR_LIMIT || code == SW_END);
            assert_true(code != SW_END || strcmp(cases[i].codec, "snappy") != 0);
            cases[i].data.at[at] ^= 0x10;
            sw_buffer_free(&file);
        }
        for (size_t len = 0; len < cases[i].data.len; len++) {
            file = container_of(RECORD_OF("\"string\""), cases[i].codec, 2, sw_bytes_of(cases[i].data.at, len));
            assert_int_equal(read_file(&log, sw_buffer_view(&file), 0, 0, &error), SW_ERR_INPUT);
            sw_buffer_free(&file);
        }
        sw_buffer_free(&cases[i].data);
    }
    struct sw_buffer file = container_of(RECORD_OF("\"string\""), "bzip2", 2, SW_BYTES_LITERAL("x"));
    assert_int_equal(read_file(&log, sw_buffer_view(&file), 0, 0, &error), SW_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "compressed with 'bzip2'; this build reads null, deflate, snappy"));
    sw_buffer_free(&file);
    sw_buffer_free(&log);
}

static struct sw_buffer two_blocks(void)
{
    struct sw_buffer file = {0};
    avro_header(&file, RECORD_OF("\"string\""), "null");
    avro_block(&file, 2, SW_BYTES_LITERAL("\x02" "x" "\x04" "yz"));
    avro_block(&file, 1, SW_BYTES_LITERAL("\x02" "w"));
    return file;
}

static void records_are_lines_whatever_the_blocks(void **state)
{
    (void)state;
    struct sw_buffer log = {0}, file = two_blocks(), packed = pack("gzip", sw_buffer_view(&file));
    struct sw_error error;
    for (uint64_t block_bytes = 1; block_bytes < 40; block_bytes++) {
        assert_int_equal(read_file(&log, sw_buffer_view(&file), block_bytes, 0, &error), SW_END);
        assert_string_equal(log.at, "0@0:1 {\"a\":\"x\"}|\n0@10:2 {\"a\":\"yz\"}|\n0@21:3 {\"a\":\"w\"}|\n");
        assert_int_equal(read_file(&log, sw_buffer_view(&packed), block_bytes, 0, &error), SW_END);
        assert_string_equal(log.at, "0@0:1 {\"a\":\"x\"}|\n0@10:2 {\"a\":\"yz\"}|\n0@21:3 {\"a\":\"w\"}|\n");
    }
    sw_buffer_free(&log);
    sw_buffer_free(&file);
    sw_buffer_free(&packed);
}

/* A file may end between two blocks: nothing in it says how many there are. */
static void a_file_that_is_cut_anywhere_else_is_an_error(void **state)
{
    (void)state;
    struct sw_buffer log = {0}, file = two_blocks(), header = {0}, first = {0};
    struct sw_error error;
    avro_header(&header, RECORD_OF("\"string\""), "null");
    avro_header(&first, RECORD_OF("\"string\""), "null");
    avro_block(&first, 2, SW_BYTES_LITERAL("\x02" "x" "\x04" "yz"));
    for (size_t len = 4; len < file.len; len++) {
        enum sw_code code = read_file(&log, sw_bytes_of(file.at, len), 0, 0, &error);
        if (len == header.len || len == first.len) {
            assert_int_equal(code, SW_END);
            continue;
        }
        assert_int_equal(code, SW_ERR_INPUT);
        char where[64];
        snprintf(where, sizeof where, "the Avro file is cut: it ends at byte %zu", len);
        assert_non_null(strstr(error.text, where));
    }
    sw_buffer_free(&header);
    sw_buffer_free(&first);
    sw_buffer_free(&file);
    sw_buffer_free(&log);
}

static void what_cannot_be_is_refused_and_says_where(void **state)
{
    (void)state;
    static const struct { const char *schema, *hex; int64_t records; const char *problem; } cases[] = {
        {RECORD_OF("\"string\""), "02", 1, "a value is longer than what is left of its block"},
        {RECORD_OF("\"string\""), "fcffffffffffffffff01", 1, "a value is longer than what is left of its block"},
        {RECORD_OF("\"bytes\""), "03", 1, "a length is negative"},
        {RECORD_OF("\"long\""), "ffffffffffffffffff02 00", 1, "a number is longer than 64 bits"},
        {RECORD_OF("\"long\""), "80", 1, "it ends inside a number"},
        {RECORD_OF("\"int\""), "8080808020", 1, "an int is longer than 32 bits"},
        {RECORD_OF("\"boolean\""), "02", 1, "a boolean is neither 0 nor 1"},
        {RECORD_OF("\"double\""), "00", 1, "a value is longer than what is left of its block"},
        {RECORD_OF("{\"type\":\"fixed\",\"name\":\"f\",\"size\":2147483647}"), "00", 1, "a value is longer than what is left of its block"},
        {RECORD_OF("[\"null\",\"int\"]"), "04", 1, "a union has no branch of that number"},
        {RECORD_OF("[\"null\",\"int\"]"), "01", 1, "a union has no branch of that number"},
        {RECORD_OF("{\"type\":\"enum\",\"name\":\"e\",\"symbols\":[\"A\"]}"), "02", 1, "an enum has no symbol of that number"},
        {RECORD_OF("{\"type\":\"array\",\"items\":\"int\"}"), "feffffffffffffffff01 02", 1, "it ends inside a number"},
        {RECORD_OF("\"int\""), "02 02", 1, "bytes are left behind its last record"},
        {RECORD_OF("\"int\""), "02", 2, "it ends inside a number"},
        {RECORD_OF("\"int\""), "02", -1, "its length is negative"},
    };
    struct sw_buffer log = {0};
    struct sw_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(read_block(&log, cases[i].schema, cases[i].records, cases[i].hex, &error), SW_ERR_INPUT);
        if (!strstr(error.text, cases[i].problem))
            print_error("%s %s: %s\n", cases[i].schema, cases[i].hex, error.text);
        assert_non_null(strstr(error.text, cases[i].problem));
        assert_non_null(strstr(error.text, "in its block 1, at byte "));
    }
    struct sw_buffer file = two_blocks();
    file.at[file.len - 1] ^= 1;
    assert_int_equal(read_file(&log, sw_buffer_view(&file), 0, 0, &error), SW_ERR_INPUT);
    assert_non_null(strstr(error.text, "the mark that ends it is not the file's"));
    sw_buffer_free(&file);
    avro_header(&file, RECORD_OF("\"int\""), NULL);
    avro_long(&file, 1);
    avro_long(&file, (int64_t)1 << 40); /* promised, never there */
    assert_int_equal(read_file(&log, sw_buffer_view(&file), 0, 0, &error), SW_ERR_LIMIT);
    sw_buffer_free(&file);
    sw_buffer_free(&log);
}

static void a_schema_that_is_none_is_refused(void **state)
{
    (void)state;
    static const struct { const char *schema, *problem; } cases[] = {
        {"", "the Avro schema is no JSON"},
        {"{\"type\":", "the Avro schema is no JSON"},
        {"\"int\" 7", "more text follows it"},
        {"7", "a type is a name, an object or an array"},
        {"{}", "a type is missing"},
        {"\"nobody\"", "there is no type 'nobody'"},
        {RECORD_OF("\"nobody\""), "there is no type 'nobody'"},
        {"{\"type\":\"record\",\"fields\":[]}", "has a name"},
        {"{\"type\":\"record\",\"name\":\"r\"}", "an array of fields"},
        {"{\"type\":\"record\",\"name\":\"r\",\"fields\":[7]}", "a field is an object"},
        {"{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\"}]}", "a field has a name and a type"},
        {"{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":\"int\"},{\"name\":\"\\u0061\",\"type\":\"int\"}]}", "two fields of one name"},
        {"{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":{\"type\":\"enum\",\"name\":\"r\",\"symbols\":[]}}]}", "two types have one name"},
        {"{\"type\":\"record\",\"name\":\"r\",\"fields\":[]}", "its records would have no bytes"},
        {"{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":\"r\"}]}", "its records would have no bytes"},
        {"\"null\"", "its records would have no bytes"},
        {RECORD_OF("{\"type\":\"fixed\",\"name\":\"f\",\"size\":-1}"), "a fixed has a size"},
        {RECORD_OF("{\"type\":\"array\"}"), "an array has items"},
        {RECORD_OF("{\"type\":\"enum\",\"name\":\"e\"}"), "an enum has an array of symbols"},
    };
    struct sw_buffer log = {0};
    struct sw_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(read_block(&log, cases[i].schema, 1, "02", &error), SW_ERR_INPUT);
        if (!strstr(error.text, cases[i].problem))
            print_error("%s: %s\n", cases[i].schema, error.text);
        assert_non_null(strstr(error.text, cases[i].problem));
    }
    struct sw_buffer deep = {0};
    for (int i = 0; i < 400; i++)
        sw_buffer_add_text(&deep, "{\"type\":\"array\",\"items\":");
    sw_buffer_add_text(&deep, "\"int\"");
    for (int i = 0; i < 400; i++)
        sw_buffer_add_byte(&deep, '}');
    assert_int_equal(read_block(&log, sw_buffer_text(&deep), 1, "02", &error), SW_ERR_LIMIT);
    assert_non_null(strstr(error.text, "nested deeper than 64 levels"));
    sw_buffer_free(&deep);
    sw_buffer_free(&log);
}

static void names_are_found_in_their_namespaces(void **state)
{
    (void)state;
    struct sw_buffer log = {0};
    struct sw_error error;
    assert_int_equal(read_block(&log, "{\"type\":\"record\",\"name\":\"a.r\",\"fields\":[{\"name\":\"x\",\"type\":{\"type\":\"enum\",\"name\":\"e\",\"symbols\":[\"A\"]}},"
                                      "{\"name\":\"y\",\"type\":\"e\"},{\"name\":\"z\",\"type\":\"a.e\"},{\"name\":\"n\",\"type\":[\"null\",\"r\"]}]}", 1, "00 00 00 02 00 00 00 00", &error), SW_END);
    assert_string_equal(log.at, "0@0:1 {\"x\":\"A\",\"y\":\"A\",\"z\":\"A\",\"n\":{\"x\":\"A\",\"y\":\"A\",\"z\":\"A\",\"n\":null}}|\n");
    sw_buffer_free(&log);
}

/* A few bytes may say that they are very many: nothing is made that no reader would take. */
static void records_that_grow_too_long_are_cut_and_the_next_one_is_read(void **state)
{
    (void)state;
    static const struct { const char *schema, *hex; } cases[] = {
        {RECORD_OF("[\"int\",{\"type\":\"array\",\"items\":\"null\"}]"), "02 feffffffffffffffff01 00 00 0e"},
        {"{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":[\"int\","
         "{\"type\":\"record\",\"name\":\"l1\",\"fields\":[{\"name\":\"o\",\"type\":\"int\"},{\"name\":\"a\",\"type\":{\"type\":\"array\",\"items\":"
         "{\"type\":\"record\",\"name\":\"l2\",\"fields\":[{\"name\":\"a\",\"type\":\"null\"},{\"name\":\"b\",\"type\":\"null\"}]}}}]}]}]}", "02 02 feffffffffffffffff01 00 00 0e"},
        {RECORD_OF("[\"int\",\"string\"]"), "02 50 78787878787878787878787878787878787878787878787878787878787878787878787878787878 00 0e"},
    };
    struct sw_buffer log = {0};
    struct sw_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sw_buffer data = avro_bytes(cases[i].hex), file = container_of(cases[i].schema, NULL, 2, sw_buffer_view(&data));
        enum sw_code code = read_file(&log, sw_buffer_view(&file), 0, 30, &error);
        if (code != SW_END)
            print_error("%s\n", error.text);
        assert_int_equal(code, SW_END);
        assert_string_equal(log.at, "0@0:1 oversized 31\n0@31:2 {\"a\":7}|\n");
        sw_buffer_free(&data);
        sw_buffer_free(&file);
    }
    sw_buffer_free(&log);
}

static void values_that_name_their_own_type_end_somewhere(void **state)
{
    (void)state;
    struct sw_buffer log = {0}, hex = {0};
    struct sw_error error;
    for (int i = 0; i < 100000; i++)
        sw_buffer_add_text(&hex, "02");
    sw_buffer_add_text(&hex, "00");
    assert_int_equal(read_block(&log, "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"n\",\"type\":[\"null\",\"r\"]}]}", 1, sw_buffer_text(&hex), &error), SW_ERR_INPUT);
    assert_non_null(strstr(error.text, "nested deeper than 200 levels"));
    sw_buffer_free(&hex);
    sw_buffer_free(&log);
}

static void files_of_one_schema_share_what_it_says(void **state)
{
    (void)state;
    struct sw_buffer file = two_blocks();
    struct sw_source *source;
    struct sw_error error = {0};
    write_file("one.avro", sw_buffer_view(&file));
    write_file("two.avro", sw_buffer_view(&file));
    assert_int_equal(sw_source_open(&source, (const char *[]){"one.avro", "two.avro"}, 2, &(struct sw_source_options){0}, &error), SW_OK);
    assert_ptr_equal(sw_source_input(source, 0)->fields, sw_source_input(source, 1)->fields);
    assert_true(sw_source_input(source, 1)->avro && sw_source_input(source, 1)->framing == SW_FRAMING_LINES);
    sw_source_close(&source);
    sw_buffer_free(&file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_and_meaning_is_spelled_as_its_type_reads_it),
        cmocka_unit_test(blocks_are_unpacked),
        cmocka_unit_test(records_are_lines_whatever_the_blocks),
        cmocka_unit_test(a_file_that_is_cut_anywhere_else_is_an_error),
        cmocka_unit_test(what_cannot_be_is_refused_and_says_where),
        cmocka_unit_test(a_schema_that_is_none_is_refused),
        cmocka_unit_test(names_are_found_in_their_namespaces),
        cmocka_unit_test(records_that_grow_too_long_are_cut_and_the_next_one_is_read),
        cmocka_unit_test(values_that_name_their_own_type_end_somewhere),
        cmocka_unit_test(files_of_one_schema_share_what_it_says),
    };
    return cmocka_run_group_tests(tests, make_test_directory, remove_test_directory);
}
