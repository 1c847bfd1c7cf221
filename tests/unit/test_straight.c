/* The straight way (format/straight/straight.h) against the general encoder: the same records, mutated, both ways. */
#include "mapping_case.h"

#include "format/straight/straight.h"
#include "text/csv_reader.h"
#include "text/json_reader.h"

#define PADDING 64
#define ROUNDS 30000

static uint64_t random_state = 11;

static uint32_t pick(uint32_t below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % below;
}

/* One role of one run, and an encoder for each way. */
struct world {
    const struct sw_format *format;
    struct sw_schema *schema;
    struct sw_spaces *spaces;
    struct sw_key_declaration keys[SW_KEY_COLUMNS_MAX];
    struct sw_bind_context context;
    struct sw_encoder general, straight;
    struct sw_json_reader json;
    unsigned taken, declined;
};

static void drop_bindings(void *pointer)
{
    struct sw_binding_set *set = pointer;
    sw_binding_set_free(&set);
}

static void open_world(struct world *world, const struct sw_format *format, enum sw_role role, const struct sw_order *order)
{
    char *none[1] = {NULL};
    *world = (struct world){.format = format, .schema = sw_schema_new(), .spaces = sw_spaces_new(none, 0)};
    for (size_t i = 0; i < mapping.key_count; i++)
        world->keys[i] = (struct sw_key_declaration){.name = mapping.plain_names ? (struct sw_bytes){0} : sw_bytes_text(mapping.keys[i]), .type = {.kind = SW_TYPE_ANY, .precision = -1}};
    world->context = (struct sw_bind_context){.mapping = &mapping, .schema = world->schema, .order = order, .role = role, .keys = world->keys, .key_count = (uint32_t)mapping.key_count};
    world->general = world->straight = (struct sw_encoder){.context = &world->context, .spaces = world->spaces};
    sw_json_reader_init(&world->json, sw_kernel_find(NULL), format->depth(&mapping, role), drop_bindings);
    world->json.lines = true;
}

static void close_world(struct world *world)
{
    sw_json_reader_free(&world->json);
    sw_encoder_free(&world->general);
    sw_encoder_free(&world->straight);
    sw_schema_free(&world->schema);
    sw_spaces_free(&world->spaces);
}

/* Encodes a record whose tokens are known both ways, and holds one against the other. */
static void both_ways(struct world *world, const struct sw_binding *binding, const struct sw_json_template *template, const struct sw_token *tokens, const uint8_t *record)
{
    if (!binding->straight)
        return;
    struct sw_record_place place = {.input = pick(10), .block = pick(300), .line = pick(40000), .offset = pick(100000), .record = record};
    struct sw_straight_record row;
    uint8_t room[SW_STRAIGHT_BYTES_MAX];
    bool taken = sw_straight_encode(&row, room, &world->straight, binding, template, tokens, &place);
    uint64_t invalid = world->general.invalid_values;
    enum sw_encode_status status = sw_encode(&world->general, binding, template, tokens, &place);
    if (!taken) {
        world->declined++;
        return;
    }
    world->taken++;
    assert_int_equal(world->general.invalid_values, invalid);
    assert_int_equal(status, SW_ENCODE_ROW);
    assert_int_equal(world->general.record_count, 1);
    const struct sw_record *expected = &world->general.records[0];
    size_t size = sw_record_size(expected);
    uint8_t *bytes = malloc(size);
    assert_non_null(bytes);
    assert_ptr_equal(sw_record_put(bytes, expected), bytes + size);
    assert_int_equal(row.bytes.len, size);
    assert_memory_equal(row.bytes.at, bytes, size);
    assert_true(sw_bytes_equal(row.content, sw_record_content(sw_bytes_of(bytes, size))));
    assert_true(sw_bytes_equal(row.key, expected->key));
    assert_true(!(row.head & SW_RECORD_IDENTITY) || sw_bytes_equal(row.identity, expected->identity));
    assert_int_equal(row.head, sw_record_head(expected));
    assert_int_equal(row.table, expected->table);
    assert_int_equal(row.set, expected->set);
    assert_int_equal(world->general.saw_version, world->straight.saw_version);
    free(bytes);
}

/* The seed with a few bytes changed, padded. */
static uint8_t *mutated(const char *seed, const char *letters)
{
    size_t len = strlen(seed);
    uint8_t *line = calloc(1, len + PADDING);
    assert_non_null(line);
    memcpy(line, seed, len);
    for (unsigned change = pick(4); change; change--)
        line[pick((uint32_t)len)] = (uint8_t)letters[pick((uint32_t)strlen(letters))];
    return line;
}

static void check_json(struct world *world, const char *seed)
{
    struct sw_error error = {0};
    size_t len = strlen(seed);
    uint8_t *line = mutated(seed, "\"\\{}[]:,09a -.etnulfdris");
    struct sw_json_template *template;
    if (sw_json_read(&template, &world->json, line, line + len) == line + len) {
        const struct sw_example example = {template, world->json.tokens, line, NULL, NULL, NULL};
        struct sw_binding_set *set = template->binding;
        struct sw_binding *binding = sw_binding_find(&set, world->format, &world->context, &example, &error);
        template->binding = set;
        if (binding)
            both_ways(world, binding, template, world->json.tokens, line);
        else if (error.code != SW_ERR_USAGE) /* a schema was mutated, and contradicts the others */
            fail_msg("%s", error.text);
    }
    free(line);
}

static void run_format(const struct sw_format *format, enum sw_role role, const struct sw_order *order, const char *const *seeds, size_t count)
{
    struct world world;
    open_world(&world, format, role, order);
    world.context.order_declared = 7;
    for (unsigned round = 0; round < ROUNDS; round++)
        check_json(&world, seeds[pick((uint32_t)count)]);
    if (world.taken < ROUNDS / 8) /* or next to nothing was compared */
        fail_msg("%u of %u records went the straight way, %u were declined", world.taken, ROUNDS, world.declined);
    assert_true(world.declined > 0);
    close_world(&world);
}

static void run(enum sw_role role, const struct sw_order *order, const char *const *seeds, size_t count) { run_format(&sw_format_plain, role, order, seeds, count); }

static const char *const plain_events[] = {
    "{\"id\":\"e3868712\",\"key\":\"k0001934356\",\"version\":253869,\"op\":\"upsert\",\"value\":762146310}",
    "{\"id\":\"e5613697\",\"key\":-2806848,\"version\":\"586733\",\"op\":\"delete\",\"value\":null}",
    "{\"id\":7,\"key\":\"long enough that it is more than thirty-two bytes\",\"version\":18446744073709551615,\"op\":\"upsert\",\"value\":\"\\u00e9\"}",
    "{\"id\":\"e1\",\"key\":\"\",\"version\":0,\"op\":\"upsert\",\"value\":{\"b\":\"two\",\"a\":12.50,\"c\":null,\"d\":[1,2],\"e\":false}}",
};
static const char *const plain_rows[] = {
    "{\"key\":\"k0000000000\",\"version\":796679,\"deleted\":false,\"value\":-626250616}",
    "{\"key\":\"k0000000001\",\"version\":574884,\"deleted\":true,\"value\":null}",
    "{\"key\":123456789012345678,\"version\":9,\"deleted\":\"true\",\"value\":{\"b\":1e5,\"a\":\"\"}}",
};

static void plain_events_are_the_same_both_ways(void **state)
{
    (void)state;
    parse("key: key\n");
    run(SW_ROLE_EVENTS, &sw_order_integer, plain_events, sizeof plain_events / sizeof *plain_events);
}

static void plain_rows_are_the_same_both_ways(void **state)
{
    (void)state;
    parse("key: key\n");
    run(SW_ROLE_BASELINE, &sw_order_integer, plain_rows, sizeof plain_rows / sizeof *plain_rows);
    run(SW_ROLE_EXPECTED, &sw_order_integer, plain_rows, sizeof plain_rows / sizeof *plain_rows);
}

static void other_orders_are_the_same_both_ways(void **state)
{
    (void)state;
    parse("key: key\n");
    run(SW_ROLE_EVENTS, &sw_order_file, plain_events, sizeof plain_events / sizeof *plain_events);
    run(SW_ROLE_EVENTS, NULL, plain_events, sizeof plain_events / sizeof *plain_events);
}

static void csv_is_the_same_both_ways(void **state)
{
    (void)state;
    static const char header_text[] = "{\"id\":0,\"key\":0,\"version\":0,\"op\":0,\"value\":0}";
    static const char *const seeds[] = {"e3868712,k0001934356,253869,upsert,762146310", "e1,\"k\"\"2\",1,delete,", "1,2,3,upsert,\"a\"\"b\""};
    struct world world;
    struct sw_json_template *header;
    struct sw_csv_reader csv;
    struct sw_binding_set *set = NULL;
    parse("key: key\n");
    open_world(&world, &sw_format_plain, SW_ROLE_EVENTS, &sw_order_integer);
    world.context.csv = true;
    uint8_t *line = calloc(1, sizeof header_text + PADDING);
    memcpy(line, header_text, sizeof header_text);
    assert_non_null(sw_json_read(&header, &world.json, line, line + sizeof header_text - 1));
    assert_true(sw_csv_reader_init(&csv, sw_kernel_find(NULL), ','));
    csv.column_count = 5;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct sw_error error = {0};
        const char *seed = seeds[pick(3)];
        uint8_t *record = mutated(seed, "\",09a k\xc3-");
        size_t len = strlen(seed);
        if (pick(20) == 0)
            record[pick((uint32_t)len)] = 0; /* text may hold a NUL */
        uint8_t *at = record;
        uint64_t lines = 0;
        if (sw_csv_read(&csv, &at, record + len, &lines) == SW_CSV_OK && at == record + len) {
            const struct sw_example example = {header, csv.tokens, record, NULL, NULL, NULL};
            struct sw_binding *binding = sw_binding_find(&set, &sw_format_plain, &world.context, &example, &error);
            assert_non_null(binding);
            both_ways(&world, binding, header, csv.tokens, record);
        }
        free(record);
    }
    assert_true(world.taken > ROUNDS / 4);
    sw_binding_set_free(&set);
    sw_csv_reader_free(&csv);
    close_world(&world);
    free(line);
}

/* A token as a database hands it out, of any kind whatever the column is; mostly of few kinds, so that most records are usual ones. */
static struct sw_token database_token(int64_t slot[2])
{
    static const char texts[][128] = {"", "a", "row number 17 of the table", "a text of more than thirty-two bytes, for the second turn of the loop", "nul \0 inside", "gr\xc3\xbc\xc3\x9f", "true", "f"};
    static const char numbers[][96] = {"0", "-17", "12.50", "123456789012345678901234567890", "1e3"};
    static const uint8_t lens[] = {0, 1, 26, 70, 12, 6, 4, 1};
    static const uint8_t bytes[64] = {0, 1, 255, 'a'};
    slot[0] = (int64_t)((uint64_t)pick(UINT32_MAX) << 32 | pick(UINT32_MAX)) >> pick(64);
    slot[1] = pick(19);
    uint32_t text = pick(8), number = pick(5);
    switch (pick(16)) {
    case 0: return (struct sw_token){.kind = SW_TOKEN_NULL};
    case 1: return (struct sw_token){.kind = SW_TOKEN_TRUE};
    case 2: return (struct sw_token){.kind = SW_TOKEN_FALSE};
    case 3: return (struct sw_token){(const uint8_t *)slot, 8, SW_TOKEN_UINT64, false};
    case 4: slot[0] %= INT64_C(1000000000000000000); return (struct sw_token){(const uint8_t *)slot, 16, SW_TOKEN_DECIMAL, false};
    case 5: return (struct sw_token){(const uint8_t *)slot, 8, SW_TOKEN_TIMESTAMP, false};
    case 6: return (struct sw_token){(const uint8_t *)slot, 8, SW_TOKEN_DATE, false};
    case 7: return (struct sw_token){bytes, pick(17), SW_TOKEN_BYTES, false};
    case 8: return (struct sw_token){bytes, 16, SW_TOKEN_UUID, false};
    case 9: return (struct sw_token){(const uint8_t *)numbers[number], (uint32_t)strlen(numbers[number]), SW_TOKEN_NUMBER, false};
    case 10:
    case 11:
    case 12: return (struct sw_token){(const uint8_t *)texts[text], lens[text], SW_TOKEN_TEXT, false};
    default: return (struct sw_token){(const uint8_t *)slot, 8, SW_TOKEN_INT64, false};
    }
}

static void run_rows(enum sw_role role, const struct sw_order *order, const char *names, uint32_t count)
{
    struct world world;
    struct sw_json_template *header;
    struct sw_binding_set *set = NULL;
    struct sw_error error = {0};
    struct sw_token tokens[16] = {{.kind = SW_TOKEN_ABSENT}};
    int64_t slots[16][2];
    size_t len = strlen(names);
    open_world(&world, &sw_format_plain, role, order);
    world.context.csv = true;
    uint8_t *line = calloc(1, len + PADDING);
    memcpy(line, names, len);
    assert_non_null(sw_json_read(&header, &world.json, line, line + len));
    const struct sw_example example = {header, tokens, line, NULL, NULL, NULL};
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 1; i <= count; i++)
            tokens[i] = database_token(slots[i]);
        struct sw_binding *binding = sw_binding_find(&set, &sw_format_plain, &world.context, &example, &error);
        assert_non_null(binding);
        both_ways(&world, binding, header, tokens, line);
    }
    if (world.taken < ROUNDS / 128)
        fail_msg("%u of %u records of %s went the straight way, %u were declined", world.taken, ROUNDS, names, world.declined);
    assert_true(world.declined > 0);
    sw_binding_set_free(&set);
    close_world(&world);
    free(line);
}

static void rows_of_databases_are_the_same_both_ways(void **state)
{
    (void)state;
    parse("key: k\n");
    run_rows(SW_ROLE_EXPECTED, NULL, "{\"k\":0,\"a\":0,\"b\":0}", 3);
    run_rows(SW_ROLE_BASELINE, &sw_order_integer, "{\"k\":0,\"a\":0,\"version\":0}", 3);
    parse("key: k\ntypes:\n  k: integer\n  a: decimal\n  b: text\n  c: boolean\n");
    run_rows(SW_ROLE_EXPECTED, NULL, "{\"k\":0,\"a\":0,\"b\":0,\"c\":0}", 4);
    parse("key: k\ntypes:\n  k: text\n  a: timestamp\n  b: uuid\n  c: int64\n  d: json\n");
    run_rows(SW_ROLE_BASELINE, NULL, "{\"k\":0,\"a\":0,\"b\":0}", 3);
}

static void what_stands_at_paths_is_the_same_both_ways(void **state)
{
    (void)state;
    static const char *const seeds[] = {
        "{\"meta\":{\"n\":12,\"op\":\"c\",\"uid\":\"u-1\",\"part\":3},\"row\":{\"a\":1,\"b\":\"x\",\"name\":\"Ada\",\"note\":\"__unset__\"}}",
        "{\"meta\":{\"n\":9,\"op\":\"r\",\"uid\":\"u-22\",\"part\":4},\"row\":{\"a\":1,\"b\":\"yy\",\"name\":\"Ada\",\"note\":\"other text\"}}",
        "{\"meta\":{\"n\":13,\"op\":\"d\",\"uid\":\"u-3\",\"part\":true},\"row\":{\"a\":-1,\"b\":\"\",\"name\":null,\"note\":\"\"}}",
    };
    parse("key: [a, b]\nafter: row\nversion: meta.n\nplaceholder: __unset__\nidentity: [meta.uid, meta.part]\n"
          "op:\n  path: meta.op\n  upsert: [c, u]\n  delete: d\n  read: r\n  ignore: heartbeat\n");
    run(SW_ROLE_EVENTS, &sw_order_integer, seeds, sizeof seeds / sizeof *seeds);
}

static void declared_types_are_the_same_both_ways(void **state)
{
    (void)state;
    static const char *const seeds[] = {
        "{\"k\":12,\"s\":\"a1\",\"version\":5,\"a\":1,\"b\":-129,\"c\":\"12345\",\"d\":0.50,\"e\":true,\"f\":\"plain\",\"g\":\"2024-02-29\",\"h\":18446744073709551615}",
        "{\"k\":-1,\"s\":\"\",\"version\":6,\"a\":-128,\"b\":32767,\"c\":9007199254740993,\"d\":\"1e3\",\"e\":\"t\",\"f\":\"a longer text, of more than thirty-two bytes, and then some\",\"g\":null,\"h\":7}",
        "{\"k\":99,\"s\":\"\\u0041\",\"version\":7,\"a\":127,\"b\":0,\"c\":-0,\"d\":100,\"e\":false,\"f\":\"\\n\",\"g\":\"1999-12-31\",\"h\":0}",
    };
    parse("key: [k, s]\ntypes:\n  a: int8\n  b: int16\n  c: int64\n  d: decimal\n  e: boolean\n  f: text\n  g: date\n  h: uint64\n");
    run(SW_ROLE_EVENTS, &sw_order_integer, seeds, sizeof seeds / sizeof *seeds);
    parse("key: [k, s]\ntypes:\n  a: integer\n  b: int32\n  c: uint64\n  d: float64\n  e: text\n  f: text trim\n  h: integer\n");
    run(SW_ROLE_EXPECTED, &sw_order_integer, seeds, sizeof seeds / sizeof *seeds);
}

static void typed_keys_are_the_same_both_ways(void **state)
{
    (void)state;
    static const struct sw_type types[][2] = {
        {{.kind = SW_TYPE_INT32, .precision = -1}, {.kind = SW_TYPE_TEXT, .precision = -1}},
        {{.kind = SW_TYPE_INTEGER, .precision = -1}, {.kind = SW_TYPE_INT64, .precision = -1}},
        {{.kind = SW_TYPE_TEXT, .precision = -1}, {.kind = SW_TYPE_BOOLEAN, .precision = -1}},
        {{.kind = SW_TYPE_DATE, .precision = -1}, {.kind = SW_TYPE_ANY, .precision = -1}},
    };
    static const char *const seeds[] = {"{\"k\":12,\"s\":\"77\",\"version\":5,\"v\":1}", "{\"k\":\"2024-05-06\",\"s\":-1,\"version\":5,\"v\":\"x\"}", "{\"k\":\"y\",\"s\":true,\"version\":5,\"v\":false}"};
    parse("key: [k, s]\n");
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        struct world world;
        open_world(&world, &sw_format_plain, SW_ROLE_EVENTS, &sw_order_integer);
        world.keys[0].type = types[i][0];
        world.keys[1].type = types[i][1];
        for (unsigned round = 0; round < ROUNDS / 4; round++)
            check_json(&world, seeds[pick(sizeof seeds / sizeof *seeds)]);
        assert_true(world.taken > 0);
        assert_true(world.declined > 0);
        close_world(&world);
    }
}

#define SOURCE_OF_POSTGRES(sequence, lsn) \
    "\"source\":{\"version\":\"3.0.0.Final\",\"connector\":\"postgresql\",\"name\":\"shop\",\"ts_ms\":1,\"snapshot\":\"false\",\"db\":\"store\",\"sequence\":" sequence \
    ",\"schema\":\"public\",\"table\":\"orders\",\"txId\":500,\"lsn\":" lsn ",\"xmin\":null},"
#define SOURCE_OF_MYSQL "\"source\":{\"connector\":\"mysql\",\"name\":\"shop\",\"db\":\"store\",\"table\":\"orders\",\"server_id\":7,\"gtid\":null,\"file\":\"binlog.000042\",\"pos\":1234,\"row\":1},"

static const char *const debezium_events[] = {
    "{\"before\":null,\"after\":{\"id\":1,\"name\":\"Ada\",\"n\":3,\"paid\":true,\"note\":\"some text that is a little longer than thirty-two bytes\"},"
    SOURCE_OF_POSTGRES("\"[\\\"23999999520\\\",\\\"24000000000\\\"]\"", "24000000000") "\"op\":\"c\"}",
    "{\"before\":null,\"after\":{\"id\":1,\"name\":\"__debezium_unavailable_value\",\"n\":3,\"paid\":true,\"note\":null},"
    SOURCE_OF_POSTGRES("\"[null,\\\"24000000056\\\"]\"", "24000000056") "\"op\":\"u\"}",
    "{\"before\":{\"id\":1,\"name\":\"Ada\",\"n\":4,\"paid\":true,\"note\":\"\"},\"after\":{\"id\":1,\"name\":\"Bo\",\"n\":-5,\"paid\":false,\"note\":\"x\"},"
    SOURCE_OF_POSTGRES("\"[\\\"0\\\",\\\"1/2\\\"]\"", "\"16/B374D848\"") "\"op\":\"u\"}",
    "{\"before\":{\"id\":1,\"name\":null,\"n\":0,\"paid\":false,\"note\":null},\"after\":null," SOURCE_OF_POSTGRES("null", "24000000112") "\"op\":\"d\"}",
    "{\"before\":null,\"after\":{\"id\":7,\"name\":\"Cy\",\"n\":9,\"paid\":null,\"note\":\"z\"}," SOURCE_OF_POSTGRES("null", "null") "\"op\":\"r\"}",
};

static void debezium_is_the_same_both_ways(void **state)
{
    (void)state;
    const size_t count = sizeof debezium_events / sizeof *debezium_events;
    parse("key: id\nplaceholder: __debezium_unavailable_value\n");
    run_format(&sw_format_debezium, SW_ROLE_EVENTS, &sw_order_postgres, debezium_events, count);
    run_format(&sw_format_debezium, SW_ROLE_BASELINE, &sw_order_postgres, debezium_events, count);
    run_format(&sw_format_debezium, SW_ROLE_EXPECTED, NULL, debezium_events, count);
    run_format(&sw_format_debezium, SW_ROLE_EVENTS, &sw_order_file, debezium_events, count);
    parse("key: id\nreplica_identity: full\ntypes:\n  n: int32\n  note: text\n");
    run_format(&sw_format_debezium, SW_ROLE_EVENTS, &sw_order_postgres, debezium_events, count);
    parse("key: [id, name]\n"); /* a change of key, which is two records */
    run_format(&sw_format_debezium, SW_ROLE_EVENTS, &sw_order_postgres, debezium_events, count);
}

/* A record of each operation, with another place and two servers by turns. */
#define RECORDS_OF(source) \
    "{\"before\":{\"id\":1,\"name\":\"Ada\",\"n\":3},\"after\":{\"id\":1,\"name\":\"Bo\",\"n\":4}," source("shop", "7") "\"op\":\"u\"}", \
    "{\"before\":{\"id\":1,\"name\":\"Ada\",\"n\":3},\"after\":null," source("shop", "8") "\"op\":\"d\"}", \
    "{\"before\":null,\"after\":{\"id\":1,\"name\":\"Bo\",\"n\":4}," source("two", "9") "\"op\":\"c\"}"
#define SOURCE_OF_GTIDS(name, digit) "\"source\":{\"connector\":\"mysql\",\"name\":\"" name "\",\"db\":\"d\",\"table\":\"t\",\"server_id\":2,\"gtid\":\"3e11fa47-71ca-11e1-9e33-c80aa9429562:" digit "\",\"file\":\"b.00000" digit "\",\"pos\":310,\"row\":0},"
#define SOURCE_OF_SQLSERVER(name, digit) "\"source\":{\"connector\":\"sqlserver\",\"name\":\"s\",\"db\":\"" name "\",\"schema\":\"dbo\",\"table\":\"t\",\"change_lsn\":\"00000025:0000044" digit ":0003\",\"commit_lsn\":\"00000025:0000044" digit ":0005\",\"event_serial_no\":1},"
#define SOURCE_OF_ORACLE(name, digit) "\"source\":{\"connector\":\"oracle\",\"name\":\"" name "\",\"db\":\"d\",\"schema\":\"S\",\"table\":\"T\",\"scn\":\"212218400" digit "\",\"commit_scn\":\"2122184010\",\"rs_id\":\" 0x000019.00000002.001" digit " \",\"ssn\":0,\"redo_thread\":1},"

static void debezium_of_other_databases_is_the_same_both_ways(void **state)
{
    (void)state;
    static const char *const gtids[] = {RECORDS_OF(SOURCE_OF_GTIDS)}, *const sqlserver[] = {RECORDS_OF(SOURCE_OF_SQLSERVER)}, *const oracle[] = {RECORDS_OF(SOURCE_OF_ORACLE)};
    parse("key: id\n");
    run_format(&sw_format_debezium, SW_ROLE_EVENTS, &sw_order_mysql_gtid, gtids, 3);
    run_format(&sw_format_debezium, SW_ROLE_EVENTS, &sw_order_mysql, gtids, 3);
    run_format(&sw_format_debezium, SW_ROLE_EVENTS, &sw_order_sqlserver, sqlserver, 3);
    run_format(&sw_format_debezium, SW_ROLE_EVENTS, &sw_order_oracle, oracle, 3);
}

static void debezium_of_mysql_is_the_same_both_ways(void **state)
{
    (void)state;
    static const char *const seeds[] = {
        "{\"before\":{\"id\":1,\"name\":\"Ada\",\"n\":3},\"after\":{\"id\":1,\"name\":\"Bo\",\"n\":4}," SOURCE_OF_MYSQL "\"op\":\"u\"}",
        "{\"before\":{\"id\":1,\"name\":\"Ada\",\"n\":3},\"after\":null," SOURCE_OF_MYSQL "\"op\":\"d\"}",
        "{\"before\":null,\"after\":{\"id\":1,\"name\":\"Bo\",\"n\":4}," SOURCE_OF_MYSQL "\"op\":\"c\"}",
    };
    parse("key: id\n");
    run_format(&sw_format_debezium, SW_ROLE_EVENTS, &sw_order_mysql, seeds, sizeof seeds / sizeof *seeds);
    run_format(&sw_format_debezium, SW_ROLE_EVENTS, NULL, seeds, sizeof seeds / sizeof *seeds);
}

#define FIELDS(name) "{\"type\":\"struct\",\"fields\":[{\"type\":\"int64\",\"optional\":false,\"field\":\"id\"},{\"type\":\"string\",\"optional\":true,\"field\":\"name\"}," \
    "{\"type\":\"int32\",\"optional\":true,\"field\":\"n\"},{\"type\":\"boolean\",\"optional\":true,\"field\":\"paid\"}," \
    "{\"type\":\"bytes\",\"optional\":true,\"name\":\"org.apache.kafka.connect.data.Decimal\",\"parameters\":{\"scale\":\"2\"},\"field\":\"price\"}],\"optional\":true,\"field\":\"" name "\"}"
#define WRAPPED(payload) "{\"schema\":{\"type\":\"struct\",\"fields\":[" FIELDS("before") "," FIELDS("after") "],\"optional\":false,\"name\":\"shop.public.orders.Envelope\"},\"payload\":" payload "}"

static void wrapped_debezium_is_the_same_both_ways(void **state)
{
    (void)state;
    static const char *const seeds[] = {
        WRAPPED("{\"before\":null,\"after\":{\"id\":1,\"name\":\"Ada\",\"n\":3,\"paid\":true,\"price\":\"MDk=\"}," SOURCE_OF_POSTGRES("null", "56") "\"op\":\"c\"}"),
        WRAPPED("{\"before\":{\"id\":1,\"name\":\"Ada\",\"n\":3,\"paid\":true,\"price\":null},\"after\":{\"id\":1,\"name\":\"Ada\",\"n\":2147483648,\"paid\":true,\"price\":\"MDk=\"},"
                SOURCE_OF_POSTGRES("null", "64") "\"op\":\"u\"}"),
    };
    parse("key: id\n");
    run_format(&sw_format_debezium, SW_ROLE_EVENTS, &sw_order_postgres, seeds, sizeof seeds / sizeof *seeds);
}

static void other_formats_are_the_same_both_ways(void **state)
{
    (void)state;
    static const char *const seeds[] = {
        "{\"database\":\"d\",\"table\":\"t\",\"type\":\"update\",\"ts\":1,\"xid\":2,\"commit\":true,\"position\":\"b.000001:77\",\"data\":{\"id\":1,\"v\":\"x\"},\"old\":{\"v\":\"w\"}}",
        "{\"database\":\"d\",\"table\":\"t\",\"type\":\"delete\",\"ts\":1,\"xid\":3,\"commit\":true,\"position\":\"b.000001:99\",\"data\":{\"id\":1,\"v\":\"x\"}}",
        "{\"database\":\"d\",\"table\":\"t\",\"type\":\"insert\",\"ts\":1,\"xid\":3,\"xoffset\":1,\"position\":\"b.000001:99\",\"data\":{\"id\":12,\"v\":null}}",
    };
    parse("key: id\n");
    run_format(&sw_format_maxwell, SW_ROLE_EVENTS, &sw_order_mysql, seeds, sizeof seeds / sizeof *seeds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(plain_events_are_the_same_both_ways), TEST(plain_rows_are_the_same_both_ways), TEST(other_orders_are_the_same_both_ways),
        TEST(csv_is_the_same_both_ways), TEST(rows_of_databases_are_the_same_both_ways), TEST(what_stands_at_paths_is_the_same_both_ways),
        TEST(declared_types_are_the_same_both_ways), TEST(typed_keys_are_the_same_both_ways), TEST(debezium_is_the_same_both_ways), TEST(debezium_of_mysql_is_the_same_both_ways),
        TEST(debezium_of_other_databases_is_the_same_both_ways),
        TEST(wrapped_debezium_is_the_same_both_ways), TEST(other_formats_are_the_same_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
