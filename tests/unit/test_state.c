/* Records of a saved state are read back to what they were, and anything else that stands in one is a bad record, never a crash. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "format/state/state.h"
#include "text/json_reader.h"
#include "text/kernel.h"

static const struct sw_type any = {.kind = SW_TYPE_ANY, .precision = -1};

/* What a run knows: two tables with one key of two columns, a few typed columns. */
struct world {
    struct sw_mapping mapping;
    struct sw_schema *schema;
    struct sw_spaces *spaces;
    struct sw_key_declaration keys[2];
    struct sw_bind_context context;
    struct sw_encoder encoder;
    struct sw_json_reader json;
    struct sw_state_names names;
    struct sw_buffer line;          /* what was written or read last, padded */
    const struct sw_column *amount, *note, *raw;
};

static void drop_bindings(void *pointer)
{
    struct sw_binding_set *set = pointer;
    sw_binding_set_free(&set);
}

static void world_open(struct world *world)
{
    struct sw_type integer = any, decimal = any;
    char *none[1] = {NULL};
    integer.kind = SW_TYPE_INT64;
    decimal.kind = SW_TYPE_DECIMAL;
    *world = (struct world){.schema = sw_schema_new(), .spaces = sw_spaces_new(none, 0)};
    world->keys[0] = (struct sw_key_declaration){sw_bytes_text("id"), integer, true};
    world->keys[1] = (struct sw_key_declaration){sw_bytes_text("part"), any, false};
    world->context = (struct sw_bind_context){.mapping = &world->mapping, .schema = world->schema, .order = &sw_order_integer, .role = SW_ROLE_BASELINE, .keys = world->keys, .key_count = 2};
    world->encoder = (struct sw_encoder){.context = &world->context, .spaces = world->spaces};
    sw_json_reader_init(&world->json, sw_kernel_find("scalar"), 1, drop_bindings);
    world->names = (struct sw_state_names){world->schema, &sw_order_integer, world->spaces};
    assert_int_equal(sw_spaces_intern(world->spaces, (struct sw_bytes){0}, 0), 0);
    assert_int_equal(sw_spaces_intern(world->spaces, sw_bytes_text("s:\xc3\xa9\""), 5), 1);
    assert_int_equal(sw_schema_table(world->schema, (struct sw_bytes){0}, world->keys, 2)->id, 0);
    assert_int_equal(sw_schema_table(world->schema, sw_bytes_text("a.\"b\""), world->keys, 2)->id, 1);
    world->amount = sw_schema_column(world->schema, 1, sw_bytes_text("amount"), &decimal, true, false);
    world->note = sw_schema_column(world->schema, 1, sw_bytes_of("no\0te", 5), &any, false, false);
    world->raw = sw_schema_column(world->schema, 1, (struct sw_bytes){0}, &any, false, false);
}

static void world_close(struct world *world)
{
    sw_json_reader_free(&world->json);
    sw_encoder_free(&world->encoder);
    sw_buffer_free(&world->line);
    sw_schema_free(&world->schema);
    sw_spaces_free(&world->spaces);
}

static void encode_json(struct sw_buffer *out, const struct sw_type *type, const char *json)
{
    struct sw_token token = {.at = (const uint8_t *)json, .len = (uint32_t)strlen(json), .kind = SW_TOKEN_NUMBER};
    struct sw_value_scratch scratch = {0};
    if (*json == '"')
        token = (struct sw_token){.at = (const uint8_t *)json + 1, .len = (uint32_t)strlen(json) - 2, .kind = SW_TOKEN_TEXT, .escaped = strchr(json, '\\') != NULL};
    else if (*json == '[' || *json == '{')
        token.kind = *json == '[' ? SW_TOKEN_ARRAY : SW_TOKEN_OBJECT;
    assert_int_equal(sw_value_encode(out, type, token, &scratch), SW_VALUE_OK);
    sw_value_scratch_free(&scratch);
}

/* Reads world->line, which has no newline. */
static enum sw_encode_status read_line(struct world *world)
{
    assert_true(sw_buffer_reserve(&world->line, 64));
    memset(world->line.at + world->line.len, 0, 64);
    const uint8_t *at = world->line.at, *end = at + world->line.len;
    struct sw_json_template *template = NULL;
    assert_ptr_equal(sw_json_read(&template, &world->json, at, end), end);
    struct sw_record_place place = {.input = 2, .block = 1, .line = 5, .record = at};
    struct sw_example example = {template, world->json.tokens, at, NULL, NULL, NULL};
    struct sw_binding_set *set = template->binding;
    struct sw_error error = {0};
    struct sw_binding *binding = sw_binding_find(&set, &sw_format_state, &world->context, &example, &error);
    template->binding = set;
    assert_non_null(binding);
    return (enum sw_encode_status)sw_format_state.encode(&world->encoder, binding, template, world->json.tokens, &place);
}

static enum sw_encode_status read_text(struct world *world, const char *text)
{
    world->line.len = 0;
    sw_buffer_add_text(&world->line, text);
    return read_line(world);
}

static void check_round(struct world *world, const struct sw_record *record, enum sw_encode_status expected)
{
    world->line.len = 0;
    assert_true(sw_state_record_write(&world->line, record, NULL, &world->names));
    assert_int_equal(world->line.at[world->line.len - 1], '\n');
    assert_null(memchr(world->line.at, '\n', world->line.len - 1));
    world->line.len--;
    enum sw_encode_status status = read_line(world);
    if (status != expected)
        fail_msg("%.*s: status %d, %s", (int)world->line.len, (const char *)world->line.at, (int)status, world->encoder.bad_text);
    assert_int_equal(world->encoder.record_count, 1);
    const struct sw_record *again = &world->encoder.records[0];
    assert_int_equal(again->role, record->role);
    assert_int_equal(again->flags, record->flags);
    assert_int_equal(again->table, record->table);
    assert_int_equal(again->space, record->space);
    assert_true(sw_bytes_equal(again->key, record->key));
    assert_true(sw_bytes_equal(again->version, record->version));
    assert_true(sw_bytes_equal(again->identity, record->identity));
    assert_true(sw_bytes_equal(again->values, record->values));
    if (record->values.len)
        assert_int_equal(again->set, record->set);
    assert_int_equal(again->input, 2);
    assert_int_equal(again->block, 1);
    assert_int_equal(again->line, 5);
}

static void every_kind_of_record_is_read_back(void **state)
{
    (void)state;
    struct world world;
    world_open(&world);
    struct sw_buffer key = {0}, values = {0}, identity = {0}, canonical = {0};
    encode_json(&canonical, &world.keys[0].type, "-7");
    sw_key_column_add(&key, &world.keys[0].type, false, sw_buffer_view(&canonical));
    canonical.len = 0;
    encode_json(&canonical, &any, "\"x\\u0000\\ud800y\"");
    size_t last = key.len;
    sw_key_column_add(&key, &any, false, sw_buffer_view(&canonical));
    sw_key_end(&key, &any, last);
    const struct sw_column *columns[] = {world.amount, world.note, world.raw};
    const struct sw_column_set *set = sw_schema_set(world.schema, columns, 3), *none = sw_schema_set(world.schema, columns, 0);
    for (uint32_t i = 0; i < 3; i++) { /* in the order of the set: "", amount, no\0te */
        canonical.len = 0;
        encode_json(&canonical, &set->columns[i]->type, i == 1 ? "1.10" : "{\"b\":[1,{\"a\":\"\\u202e\"}]}");
        sw_value_append(&values, (struct sw_value){SW_STATE_VALUE, sw_buffer_view(&canonical)});
    }
    encode_json(&identity, &any, "\"e1\"");
    sw_key_column_add(&identity, &any, true, (struct sw_bytes){0});
    encode_json(&identity, &any, "[12345678901234567890, \"]\"]");
    struct sw_order_key order;
    assert_int_equal(sw_order_integer.parse(&order, sw_bytes_text("18446744073709551615")), SW_ORDER_OK);

    struct sw_record record = {.role = SW_ROLE_EVENTS, .flags = SW_RECORD_TABLE | SW_RECORD_VERSION | SW_RECORD_IDENTITY | SW_RECORD_PARTIAL, .table = 1, .space = 1, .set = set->id};
    record.key = sw_buffer_view(&key);
    record.version = sw_bytes_of(order.version, order.version_len);
    record.identity = sw_buffer_view(&identity);
    record.values = sw_buffer_view(&values);
    check_round(&world, &record, SW_ENCODE_ROW);
    record.space = 0;
    record.flags = SW_RECORD_TABLE | SW_RECORD_VERSION | SW_RECORD_READ;
    record.identity = (struct sw_bytes){0};
    check_round(&world, &record, SW_ENCODE_ROW);
    record.role = SW_ROLE_BASELINE;
    record.flags = SW_RECORD_TABLE;
    record.version = (struct sw_bytes){0};
    check_round(&world, &record, SW_ENCODE_ROW);

    struct sw_buffer gaps = {0};
    sw_value_append(&gaps, (struct sw_value){.state = SW_STATE_UNAVAILABLE});
    sw_value_append(&gaps, (struct sw_value){.state = SW_STATE_NULL});
    sw_value_append(&gaps, (struct sw_value){.state = SW_STATE_UNKNOWN});
    record.flags |= SW_RECORD_GAPS;
    record.values = sw_buffer_view(&gaps);
    check_round(&world, &record, SW_ENCODE_ROW);

    record = (struct sw_record){.role = SW_ROLE_EVENTS, .flags = SW_RECORD_DELETED | SW_RECORD_TABLE | SW_RECORD_PARTIAL, .table = 1, .key = sw_buffer_view(&key)};
    check_round(&world, &record, SW_ENCODE_ROW);
    record.flags = SW_RECORD_TABLE | SW_RECORD_UNREADABLE;
    check_round(&world, &record, SW_ENCODE_BAD);
    record = (struct sw_record){.role = SW_RECORD_ROLE_FOLLOWING, .flags = SW_RECORD_DELETED | SW_RECORD_TABLE, .table = 1, .set = set->id, .key = sw_buffer_view(&key), .values = sw_buffer_view(&gaps)};
    check_round(&world, &record, SW_ENCODE_ROW);
    record.set = none->id;
    record.values = (struct sw_bytes){0};
    check_round(&world, &record, SW_ENCODE_ROW);
    record = (struct sw_record){.role = SW_ROLE_EVENTS, .flags = SW_RECORD_DELETED | SW_RECORD_VERSION | SW_RECORD_IDENTITY, .space = 1};
    record.version = sw_bytes_of(order.version, order.version_len);
    record.identity = sw_buffer_view(&identity);
    check_round(&world, &record, SW_ENCODE_TRUNCATE);
    record = (struct sw_record){.role = SW_ROLE_EVENTS, .flags = 0, .set = none->id, .key = sw_buffer_view(&key)};
    check_round(&world, &record, SW_ENCODE_ROW);

    sw_buffer_free(&key);
    sw_buffer_free(&values);
    sw_buffer_free(&gaps);
    sw_buffer_free(&identity);
    sw_buffer_free(&canonical);
    world_close(&world);
}

static void what_is_no_saved_record_is_bad(void **state)
{
    (void)state;
    static const struct {
        const char *line, *says;
        bool marks; /* its key is known, and blocked */
    } cases[] = {
        {"5", "an object was expected", false},
        {"{}", "role is", false},
        {"{\"unreadable\":true}", "about any key", false},
        {"{\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"op\":\"upsert\",\"row\":{},\"more\":1}", "there is a member 'more'", false},
        {"{\"role\":\"events\",\"key\":{\"id\":1,\"part\":2},\"op\":\"upsert\",\"row\":{}}", "role is \"baseline\"", false},
        {"{\"role\":\"event\",\"key\":{\"id\":1},\"op\":\"upsert\",\"row\":{}}", "the columns of the key", false},
        {"{\"role\":\"event\",\"key\":{\"id\":1,\"part\":2,\"x\":3},\"op\":\"upsert\",\"row\":{}}", "the columns of the key", false},
        {"{\"role\":\"event\",\"key\":1,\"op\":\"upsert\",\"row\":{}}", "the columns of the key", false},
        {"{\"role\":\"event\",\"key\":{\"id\":\"a\",\"part\":2},\"op\":\"upsert\",\"row\":{}}", "expected", false},
        {"{\"table\":1,\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"op\":\"upsert\",\"row\":{}}", "a text was expected in 'table'", false},
        {"{\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"op\":\"upsert\",\"row\":1}", "an object of columns was expected", false},
        {"{\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"op\":\"upsert\",\"row\":{\"a\":1},\"unknown\":{\"a\":null}}", "a column stands twice", false},
        {"{\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"op\":\"upsert\"}", "a row was expected", true},
        {"{\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"op\":\"delete\",\"row\":{}}", "a deleted row has no columns", true},
        {"{\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"op\":\"u\",\"row\":{}}", "op is", true},
        {"{\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"op\":{},\"row\":{}}", "op is", true},
        {"{\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"version\":5,\"op\":\"upsert\",\"row\":{}}", "a version is a text", true},
        {"{\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"version\":\"-5\",\"op\":\"upsert\",\"row\":{}}", "a version is an integer", true},
        {"{\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"space\":\"s\",\"op\":\"upsert\",\"row\":{}}", "a space is a text beside a version", true},
        {"{\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"op\":\"upsert\",\"identity\":\"e\",\"row\":{}}", "an identity is an array", true},
        {"{\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"op\":\"upsert\",\"identity\":[],\"row\":{}}", "an identity has a value", true},
        {"{\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"op\":\"upsert\",\"identity\":[1e9999999],\"row\":{}}", "expected", true},
        {"{\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"op\":\"upsert\",\"partial\":1,\"row\":{}}", "partial is", true},
        {"{\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"unreadable\":false,\"op\":\"upsert\",\"row\":{}}", "unreadable is", true},
        {"{\"table\":\"a.\\\"b\\\"\",\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"op\":\"upsert\",\"row\":{\"amount\":\"x\"}}", "expected", true},
        {"{\"role\":\"following\",\"key\":{\"id\":1,\"part\":2},\"op\":\"upsert\",\"row\":{}}", "is a delete without an identity", true},
        {"{\"role\":\"following\",\"key\":{\"id\":1,\"part\":2},\"op\":\"delete\",\"identity\":[1],\"row\":{}}", "is a delete without an identity", true},
        {"{\"role\":\"event\",\"op\":\"delete\"}", "only a truncate", false},
        {"{\"role\":\"baseline\",\"op\":\"truncate\"}", "only a truncate", false},
        {"{\"slackwater\":\"state/1\"}", "a header stands in the first line", false},
        {"{\"records\":1}", "an end line has two members", false},
        {"{\"records\":1,\"sum\":\"0123456789abcdef\",\"x\":1}", "there is a member 'x'", false},
        {"{\"records\":1,\"sum\":\"0123456789abcdeF\"}", "an end line has", false},
        {"{\"records\":1,\"sum\":\"0123\"}", "an end line has", false},
        {"{\"records\":18446744073709551616,\"sum\":\"0123456789abcdef\"}", "an end line has", false},
        {"{\"records\":1.5,\"sum\":\"0123456789abcdef\"}", "an end line has", false},
    };
    struct world world;
    world_open(&world);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int again = 0; again < 2; again++) { /* the second time through the template that the first one made */
            if (read_text(&world, cases[i].line) != SW_ENCODE_BAD || !strstr(world.encoder.bad_text, cases[i].says) || world.encoder.record_count != cases[i].marks)
                fail_msg("%s: %s, %u records", cases[i].line, world.encoder.bad_text, world.encoder.record_count);
            if (cases[i].marks)
                assert_true(world.encoder.records[0].flags & SW_RECORD_UNREADABLE);
        }
    world.context.order = NULL;
    assert_int_equal(read_text(&world, "{\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"version\":\"5\",\"op\":\"upsert\",\"row\":{}}"), SW_ENCODE_BAD);
    assert_non_null(strstr(world.encoder.bad_text, "names no order"));
    world_close(&world);
}

static void an_end_line_gives_its_count_and_sum(void **state)
{
    (void)state;
    struct world world;
    world_open(&world);
    sw_state_end_write(&world.line, 18446744073709551615u, 0x0123456789abcdefu);
    world.line.len--;
    assert_int_equal(read_line(&world), SW_ENCODE_FRAME);
    assert_true(world.encoder.end.seen);
    assert_true(world.encoder.end.records == 18446744073709551615u && world.encoder.end.sum == 0x0123456789abcdefu);
    assert_int_equal(read_text(&world, "{\"role\":\"event\",\"key\":{\"id\":1,\"part\":2},\"op\":\"upsert\",\"row\":{}}"), SW_ENCODE_ROW);
    assert_false(world.encoder.end.seen);
    world_close(&world);
}

static void tables_share_a_template_and_keep_their_columns(void **state)
{
    (void)state;
    struct world world;
    world_open(&world);
    static const char *const names[] = {"a", "b", "a", "c", "b"};
    uint32_t tables[5];
    for (size_t i = 0; i < 5; i++) {
        char line[160];
        snprintf(line, sizeof line, "{\"table\":\"%s\",\"role\":\"baseline\",\"key\":{\"id\":1,\"part\":2},\"op\":\"upsert\",\"row\":{\"v\":%zu}}", names[i], i);
        assert_int_equal(read_text(&world, line), SW_ENCODE_ROW);
        const struct sw_record *record = &world.encoder.records[0];
        tables[i] = record->table;
        assert_true(sw_bytes_is(sw_schema_table_at(world.schema, record->table)->name, names[i]));
        assert_int_equal(sw_schema_set_at(world.schema, record->set)->columns[0]->table, record->table);
    }
    assert_int_equal(tables[0], tables[2]);
    assert_int_equal(tables[1], tables[4]);
    assert_int_not_equal(tables[0], tables[1]);
    char scope[] = "b";
    world.mapping.table = scope;
    sw_json_reader_free(&world.json);
    sw_json_reader_init(&world.json, sw_kernel_find("scalar"), 1, drop_bindings);
    assert_int_equal(read_text(&world, "{\"table\":\"a\",\"role\":\"baseline\",\"key\":{\"id\":1,\"part\":2},\"op\":\"upsert\",\"row\":{}}"), SW_ENCODE_OTHER_TABLE);
    assert_int_equal(read_text(&world, "{\"table\":\"b\",\"role\":\"baseline\",\"key\":{\"id\":1,\"part\":2},\"op\":\"upsert\",\"row\":{}}"), SW_ENCODE_ROW);
    world_close(&world);
}

static void a_header_is_read_back(void **state)
{
    (void)state;
    struct sw_state_column keys[] = {{sw_bytes_text("z"), sw_bytes_text("int64")}, {sw_bytes_text("a"), sw_bytes_text("any")}};
    struct sw_state_column columns[] = {{sw_bytes_of("v\0\"", 3), sw_bytes_text("timestamptz zone=+08:00")}};
    struct sw_state_table tables[] = {{(struct sw_bytes){0}, keys, columns, 2, 1}, {sw_bytes_text("t\xc3\xa9"), keys + 1, NULL, 1, 0}};
    struct sw_bytes declared[] = {sw_bytes_text("key z"), sw_bytes_text("csv null \"\\N\"")};
    struct sw_state_header header = {.tool = sw_bytes_text("0.1"), .order = sw_bytes_text("integer"), .csv = true, .json = true, .has_position = true, .position = sw_bytes_text("5"),
                                     .position_space = sw_bytes_text("s"), .declared = declared, .declared_count = 2, .bad_records = 18446744073709551615u, .tables = tables, .table_count = 2};
    struct sw_buffer line = {0}, again = {0};
    struct sw_state_header *read;
    struct sw_error error = {0};
    sw_state_header_write(&line, &header);
    assert_true(sw_state_recognise(sw_buffer_view(&line)));
    assert_int_equal(line.at[line.len - 1], '\n');
    assert_int_equal(sw_state_header_read(&read, sw_bytes_of(line.at, line.len - 1), &error), SW_OK);
    sw_state_header_write(&again, read);
    assert_true(sw_bytes_equal(sw_buffer_view(&line), sw_buffer_view(&again)));
    assert_int_equal(read->table_count, 2);
    assert_true(sw_bytes_is(read->tables[0].keys[0].name, "z")); /* the order of key columns is theirs */
    assert_true(sw_bytes_equal(read->tables[0].columns[0].name, columns[0].name));
    sw_state_header_free(&read);
    for (size_t len = 0; len < line.len - 1; len++) { /* cut anywhere, it is none */
        struct sw_error cut = {0};
        assert_int_equal(sw_state_header_read(&read, sw_bytes_of(line.at, len), &cut), SW_ERR_INPUT);
        assert_null(read);
    }
    sw_buffer_free(&line);
    sw_buffer_free(&again);
}

static void a_header_of_another_form_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        enum sw_code code;
    } cases[] = {
        {"{\"slackwater\":\"state/3\"}", SW_ERR_UNSUPPORTED},
        {"{\"slackwater\":\"state/1\"}", SW_ERR_INPUT},
        {"{\"slackwater\":{}}", SW_ERR_INPUT},
        {"[1]", SW_ERR_INPUT},
        {"{\"slackwater\":\"state/1\",\"tool\":\"x\",\"encodings\":[\"xml\"],\"declared\":[],\"badRecords\":0,\"tables\":{}}", SW_ERR_INPUT},
        {"{\"slackwater\":\"state/1\",\"tool\":\"x\",\"encodings\":[],\"declared\":[1],\"badRecords\":0,\"tables\":{}}", SW_ERR_INPUT},
        {"{\"slackwater\":\"state/1\",\"tool\":\"x\",\"encodings\":[],\"declared\":[],\"badRecords\":-1,\"tables\":{}}", SW_ERR_INPUT},
        {"{\"slackwater\":\"state/1\",\"tool\":\"x\",\"encodings\":[],\"declared\":[],\"badRecords\":0,\"tables\":[]}", SW_ERR_INPUT},
        {"{\"slackwater\":\"state/1\",\"tool\":\"x\",\"encodings\":[],\"declared\":[],\"badRecords\":0,\"tables\":{\"\":1}}", SW_ERR_INPUT},
        {"{\"slackwater\":\"state/1\",\"tool\":\"x\",\"encodings\":[],\"declared\":[],\"badRecords\":0,\"tables\":{\"\":{\"key\":{},\"columns\":{}}}}", SW_ERR_INPUT},
        {"{\"slackwater\":\"state/1\",\"tool\":\"x\",\"encodings\":[],\"declared\":[],\"badRecords\":0,\"tables\":{\"\":{\"key\":{\"a\":{}},\"columns\":{}}}}", SW_ERR_INPUT},
        {"{\"slackwater\":\"state/1\",\"tool\":\"x\",\"baselinePosition\":\"5\",\"encodings\":[],\"declared\":[],\"badRecords\":0,\"tables\":{}}", SW_ERR_INPUT},
        {"{\"slackwater\":\"state/1\",\"tool\":\"x\",\"encodings\":[],\"declared\":[],\"badRecords\":0,\"tables\":{}}", SW_OK},
        {"{\"slackwater\":\"state/2\",\"tool\":\"x\",\"encodings\":[],\"declared\":[],\"badRecords\":0,\"tables\":{},\"transactions\":{\"begunBefore\":1,\"leftOpen\":2,\"commits\":true,\"ended\":[\"7\"]}}", SW_OK},
        {"{\"slackwater\":\"state/2\",\"tool\":\"x\",\"encodings\":[],\"declared\":[],\"badRecords\":0,\"tables\":{},\"transactions\":[]}", SW_ERR_INPUT},
        {"{\"slackwater\":\"state/2\",\"tool\":\"x\",\"encodings\":[],\"declared\":[],\"badRecords\":0,\"tables\":{},\"transactions\":{\"begunBefore\":1,\"leftOpen\":2,\"ended\":[\"7\"]}}", SW_ERR_INPUT},
        {"{\"slackwater\":\"state/2\",\"tool\":\"x\",\"encodings\":[],\"declared\":[],\"badRecords\":0,\"tables\":{},\"transactions\":{\"begunBefore\":-1,\"leftOpen\":2,\"commits\":true,\"ended\":[\"7\"]}}", SW_ERR_INPUT},
        {"{\"slackwater\":\"state/2\",\"tool\":\"x\",\"encodings\":[],\"declared\":[],\"badRecords\":0,\"tables\":{},\"transactions\":{\"begunBefore\":1,\"commits\":true,\"ended\":[\"7\"]}}", SW_ERR_INPUT},
        {"{\"slackwater\":\"state/2\",\"tool\":\"x\",\"encodings\":[],\"declared\":[],\"badRecords\":0,\"tables\":{},\"transactions\":{\"begunBefore\":1,\"leftOpen\":2,\"commits\":true,\"ended\":[7]}}", SW_ERR_INPUT},
        {"{\"slackwater\":\"state/2\",\"tool\":\"x\",\"encodings\":[],\"declared\":[],\"badRecords\":0,\"tables\":{},\"transactions\":{\"begunBefore\":1,\"leftOpen\":2,\"commits\":true,\"ended\":[\"\"]}}", SW_ERR_INPUT},
        {"{\"slackwater\":\"state/2\",\"tool\":\"x\",\"encodings\":[],\"declared\":[],\"badRecords\":0,\"tables\":{},\"transactions\":{\"begunBefore\":1,\"leftOpen\":2,\"commits\":true,\"ended\":[\"12345678901234567890123456789012345678901\"]}}", SW_ERR_INPUT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sw_state_header *header;
        struct sw_error error = {0};
        enum sw_code code = sw_state_header_read(&header, sw_bytes_text(cases[i].line), &error);
        if (code != cases[i].code)
            fail_msg("%s: %d %s", cases[i].line, (int)code, error.text);
        sw_state_header_free(&header);
    }
}

static void what_is_known_of_the_events_of_transactions_is_read_back(void **state)
{
    (void)state;
    struct world world;
    const struct sw_state_member members[] = {
        {.transaction = {1, UINT64_MAX}, .kind = SW_STATE_MEMBER_EVENT, .table = 7, .number = 1, .table_number = 1, .count = 2},
        {.transaction = {1, UINT64_MAX}, .kind = SW_STATE_MEMBER_EVENT, .table = UINT32_MAX, .count = 5},
        {.transaction = {1, UINT64_MAX}, .kind = SW_STATE_MEMBER_BEGIN},
        {.transaction = {1, UINT64_MAX}, .kind = SW_STATE_MEMBER_END, .number = UINT64_MAX},
        {.transaction = {1, UINT64_MAX}, .kind = SW_STATE_MEMBER_END, .number = 9},
        {.transaction = {1, UINT64_MAX}, .kind = SW_STATE_MEMBER_TABLE, .table = 7, .number = 3},
    };
    world_open(&world);
    for (size_t from = 0; from < 6; from++)
        for (size_t to = from + 1; to <= 6; to++) {
            world.line.len = 0;
            sw_state_members_write(&world.line, members + from, to - from);
            world.line.len--;
            assert_int_equal(read_line(&world), SW_ENCODE_FRAME);
            const struct sw_state_member *again = (const void *)world.encoder.members.at;
            assert_int_equal(world.encoder.members.len, (to - from) * sizeof *again);
            for (size_t i = from; i < to; i++, again++) {
                assert_memory_equal(again->transaction, members[i].transaction, sizeof again->transaction);
                assert_int_equal(again->kind, members[i].kind);
                assert_int_equal(again->table, members[i].table);
                assert_int_equal(again->number, members[i].number);
                assert_int_equal(again->table_number, members[i].table_number);
                assert_int_equal(again->count, members[i].count);
            }
        }
    static const char *const bad[] = {
        "{\"members\":\"1\"}", "{\"members\":\"0123456789abcdef0123456789abcdeF\",\"begun\":true}", "{\"members\":\"0123456789abcdef0123456789abcdef\"}", "{\"begun\":true}",
        "{\"members\":\"0123456789abcdef0123456789abcdef\",\"begun\":false}", "{\"members\":\"0123456789abcdef0123456789abcdef\",\"begun\":true,\"role\":\"event\"}",
        "{\"members\":\"0123456789abcdef0123456789abcdef\",\"events\":[[\"00000001\",1,1]]}", "{\"members\":\"0123456789abcdef0123456789abcdef\",\"events\":[[\"00000001\",1,1,0]]}",
        "{\"members\":\"0123456789abcdef0123456789abcdef\",\"events\":[[\"00000001\",1,1,1,1]]}", "{\"members\":\"0123456789abcdef0123456789abcdef\",\"events\":[[1,1,1,1]]}",
        "{\"members\":\"0123456789abcdef0123456789abcdef\",\"events\":[[\"00000001\",18446744073709551615,1,1]]}", "{\"members\":\"0123456789abcdef0123456789abcdef\",\"events\":[[\"00000001\",1,4294967295,1]]}",
        "{\"members\":\"0123456789abcdef0123456789abcdef\",\"events\":[[\"00000001\",-1,1,1]]}", "{\"members\":\"0123456789abcdef0123456789abcdef\",\"ends\":[\"1\"]}",
        "{\"members\":\"0123456789abcdef0123456789abcdef\",\"ends\":3}", "{\"members\":\"0123456789abcdef0123456789abcdef\",\"counted\":[[\"00000001\"]]}",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(read_text(&world, bad[i]), SW_ENCODE_BAD);
        assert_int_equal(world.encoder.members.len, 0);
    }
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_of_record_is_read_back), cmocka_unit_test(what_is_no_saved_record_is_bad),
        cmocka_unit_test(an_end_line_gives_its_count_and_sum), cmocka_unit_test(tables_share_a_template_and_keep_their_columns),
        cmocka_unit_test(a_header_is_read_back), cmocka_unit_test(a_header_of_another_form_is_refused),
        cmocka_unit_test(what_is_known_of_the_events_of_transactions_is_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
