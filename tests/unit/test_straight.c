/* The straight way (format/straight.h) against the general encoder: the same records, mutated, both ways. */
#include "mapping_case.h"

#include "format/straight.h"
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

static void open_world(struct world *world, enum sw_role role, const struct sw_order *order)
{
    char *none[1] = {NULL};
    *world = (struct world){.schema = sw_schema_new(), .spaces = sw_spaces_new(none, 0)};
    for (size_t i = 0; i < mapping.key_count; i++)
        world->keys[i] = (struct sw_key_declaration){.name = mapping.plain_names ? (struct sw_bytes){0} : sw_bytes_text(mapping.keys[i]), .type = {.kind = SW_TYPE_ANY, .precision = -1}};
    world->context = (struct sw_bind_context){.mapping = &mapping, .schema = world->schema, .order = order, .role = role, .keys = world->keys, .key_count = (uint32_t)mapping.key_count};
    world->general = world->straight = (struct sw_encoder){.context = &world->context, .spaces = world->spaces};
    sw_json_reader_init(&world->json, sw_kernel_find(NULL), sw_format_plain.depth(&mapping, role), drop_bindings);
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
    enum sw_encode_status status = sw_encode(&world->general, binding, template, tokens, &place);
    if (!taken) {
        world->declined++;
        return;
    }
    world->taken++;
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
        const struct sw_example example = {template, world->json.tokens, line, NULL, NULL};
        struct sw_binding_set *set = template->binding;
        struct sw_binding *binding = sw_binding_find(&set, &sw_format_plain, &world->context, &example, &error);
        template->binding = set;
        if (!binding)
            fail_msg("%s", error.text);
        both_ways(world, binding, template, world->json.tokens, line);
    }
    free(line);
}

static void run(enum sw_role role, const struct sw_order *order, const char *const *seeds, size_t count)
{
    struct world world;
    open_world(&world, role, order);
    for (unsigned round = 0; round < ROUNDS; round++)
        check_json(&world, seeds[pick((uint32_t)count)]);
    if (world.taken < ROUNDS / 8) /* or next to nothing was compared */
        fail_msg("%u of %u records went the straight way, %u were declined", world.taken, ROUNDS, world.declined);
    assert_true(world.declined > 0);
    close_world(&world);
}

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
    open_world(&world, SW_ROLE_EVENTS, &sw_order_integer);
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
            const struct sw_example example = {header, csv.tokens, record, NULL, NULL};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(plain_events_are_the_same_both_ways), TEST(plain_rows_are_the_same_both_ways), TEST(other_orders_are_the_same_both_ways),
        TEST(csv_is_the_same_both_ways), TEST(what_stands_at_paths_is_the_same_both_ways),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
