/* What holds for every policy, whatever it reads: an order inside a space, the order of bytes for sorting, and texts that read again. */
#include "order_testing.h"

#define RECORDS 160

/* Values that each field of each policy is drawn from, separated by blanks; "-" = the field is absent. */
struct generator {
    const struct sw_order *order;
    const char *fields[SW_ORDER_FIELD_COUNT_MAX];
};

static const struct generator generators[] = {
    {&sw_order_integer, {"0 1 255 256 65535 18446744073709551615 18446744073709551616 20230316062544000000000000000000093 7 7"}},
    {&sw_order_postgres, {"0/1 0/FF 1/0 4294967296 FFFFFFFF/FFFFFFFF - 0/7", "0/2 0/100 - 9/0 10/0", "[null,\"5\"] [\"7\",\"9\"] [\"300\",null] - -", "0 1 2 10 -", "- 1", "1 2 -"}},
    {&sw_order_mysql, {"b.000001 b.999999 b.1000000 c.000001", "4 23 123 4294967400", "0 1 10 -", "1 2 -"}},
    {&sw_order_mysql_gtid, {"3a1f0000-0000-0000-0000-000000000001:1 3a1f0000-0000-0000-0000-000000000001:10 3A1F0000-0000-0000-0000-000000000001:9 "
                            "3a1f0000-0000-0000-0000-000000000002:10 3a1f0000-0000-0000-0000-000000000001:Blue:10 3a1f0000-0000-0000-0000-000000000001:9223372036854775807",
                            "0 1 10 -", "0 1 -"}},
    {&sw_order_mariadb, {"0-1-5 0-2-5 0-1-500 0-2-18446744073709551615 7-1-5", "0 1 -", "0 1 -"}},
    {&sw_order_oracle, {"5 10 9007199254740993 18446744073709551616 - 0x0001.00000000", "7 8 - -", "0x1.1.1 0x10.0.0 0x000019.00000002.0010 - -", "0 1 -", "1 2 -", "- 77", "1 2 -"}},
    {&sw_order_sqlserver, {"2a:758:3 2b:1:1 0x0000002a000007580003 ffffffff:ffffffff:ffff", "2a:1:1 2a:1:2 - NULL", "1 2 10 -", "a b"}},
    {&sw_order_db2, {"00000000:0000150f:0000000000048fca 00000000:0000150f:0000000000048fcb \"0000000000001510000000000000000a\" ffffffff:ffffffff:ffffffffffffffff",
                     "00000000:00000000:00000000048cc972 00000000:00000000:0000000000000001 - NULL", "a b"}},
    {&sw_order_mongodb, {"1:2 1:10 10:1 Timestamp(1,2) 826926A7600000000300 4294967295:4294967295", "0 1 -", "a b"}},
    {&sw_order_kafka, {"0 9 10 9223372036854775807", "0 1 10 -", "0 1", "t u -", "- c"}},
    {&sw_order_bigquery, {"\"7\" 7/0 7/1 \"8\" 07/00/0 7/0/0/FFFFFFFFFFFFFFFF ab AB/1 FFFFFFFFFFFFFFFF a", "- 5 10 2026-01-01T00:00:00.5Z"}},
    {&sw_order_datastream, {"[1,\"b.000001\",4] [9,\"b.999999\",23] [2,\"b.1000000\",4] [5] [6] [7,8] [1,\"0/5\"] [1,\"9/0\"] [1,\"10/0\"] [3,\"2a:758:3\"] [1,5,\"0x1.1.1\",0] [1,5,\"0x1.1.1\",1] [1,4,\"\",0]",
                            "UPDATE-DELETE INSERT -", "s -"}},
    {&sw_order_timestamp, {"-1.5 -1 0 0.25 1000 9007199254740993 2026-01-01T00:00:00Z 2026-01-01T00:00:00.094Z 2026-01-01T08:00:00.5+08:00 2026-01-01T00:00:00 1969-12-31T23:59:59.9Z", "- s"}},
};

static uint32_t seed = 20261130;

static unsigned pick(unsigned count)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 16) % count;
}

static size_t one_of(char *out, size_t room, const char *values)
{
    unsigned count = 1;
    for (const char *at = values; *at; at++)
        count += *at == ' ';
    unsigned chosen = pick(count);
    for (; chosen; chosen--)
        values = strchr(values, ' ') + 1;
    size_t len = strcspn(values, " ");
    assert_true(len < room);
    memcpy(out, values, len);
    out[len] = '\0';
    return len;
}

static bool generate(struct sw_order_key *key, const struct generator *generator, char *text, size_t room, bool read)
{
    size_t used = 0;
    uint32_t declared = (1u << generator->order->field_count) - 1;
    text[0] = '\0';
    for (size_t f = 0; f < generator->order->field_count; f++) {
        char value[96];
        one_of(value, sizeof value, generator->fields[f]);
        if (strcmp(value, "-") != 0)
            used += (size_t)snprintf(text + used, room - used, "%s%s=%s", used ? " | " : "", generator->order->fields[f].name, value);
    }
    enum sw_order_status status = encode_case(key, &(struct order_case){generator->order, declared, read}, text);
    if (status == SW_ORDER_INVALID)
        fail_msg("%s: %s: %s", generator->order->name, text, key->problem);
    return status == SW_ORDER_OK;
}

static bool one_space(const struct sw_order_key *a, const struct sw_order_key *b) { return sw_bytes_equal(space_of(a), space_of(b)); }

static void every_policy_is_an_order_inside_a_space(void **state)
{
    (void)state;
    static struct sw_order_key keys[RECORDS];
    for (size_t g = 0; g < sizeof generators / sizeof *generators; g++) {
        const struct sw_order *order = generators[g].order;
        size_t count = 0, ordered = 0;
        char text[512];
        for (int tries = 0; tries < 4 * RECORDS && count < RECORDS; tries++)
            count += generate(&keys[count], &generators[g], text, sizeof text, pick(8) == 0);
        assert_true(count > RECORDS / 2);
        for (size_t i = 0; i < count; i++)
            for (size_t j = 0; j < count; j++) {
                if (!one_space(&keys[i], &keys[j]))
                    continue;
                enum sw_version_order way = sw_version_compare(order, version_of(&keys[i]), version_of(&keys[j]));
                assert_int_equal(sw_version_compare(order, version_of(&keys[j]), version_of(&keys[i])), opposite(way));
                assert_true((way == EQUAL) == sw_bytes_equal(version_of(&keys[i]), version_of(&keys[j])));
                if (way == UNORDERED) /* only where the rule says so: a number that goes on, two redo threads, two servers */
                    assert_true(order == &sw_order_bigquery || order->split_slots);
                if (way != BEFORE)
                    continue;
                ordered++;
                assert_true(sw_bytes_compare(version_of(&keys[i]), version_of(&keys[j])) < 0); /* the fold sorts by bytes */
                for (size_t k = 0; k < count; k++)
                    if (one_space(&keys[i], &keys[k]) && sw_version_compare(order, version_of(&keys[j]), version_of(&keys[k])) == BEFORE)
                        assert_int_equal(sw_version_compare(order, version_of(&keys[i]), version_of(&keys[k])), BEFORE);
            }
        assert_true(ordered > 50);
    }
}

static void a_version_reads_again_as_it_is_printed(void **state)
{
    (void)state;
    for (size_t g = 0; g < sizeof generators / sizeof *generators; g++)
        for (int i = 0; i < 400; i++) {
            const struct sw_order *order = generators[g].order;
            struct sw_order_key key, again;
            char text[512];
            if (!generate(&key, &generators[g], text, sizeof text, pick(8) == 0))
                continue;
            struct sw_buffer printed = {0}, second = {0};
            order->print(&printed, version_of(&key), space_of(&key));
            if (order->parse(&again, sw_buffer_view(&printed)) != SW_ORDER_OK)
                fail_msg("%s: %s is printed as %s, which does not read: %s", order->name, text, sw_buffer_text(&printed), again.problem);
            if (!sw_bytes_equal(version_of(&key), version_of(&again)))
                fail_msg("%s: %s is printed as %s, which is another version", order->name, text, sw_buffer_text(&printed));
            order->print(&second, version_of(&again), space_of(&key));
            assert_string_equal(sw_buffer_text(&printed), sw_buffer_text(&second));
            sw_buffer_free(&printed);
            sw_buffer_free(&second);
        }
}

/* A position that is a record's own version holds that record, and what is newer in its space is beyond it. */
static void a_position_divides_its_space_where_the_version_stands(void **state)
{
    (void)state;
    for (size_t g = 0; g < sizeof generators / sizeof *generators; g++) {
        const struct sw_order *order = generators[g].order;
        for (int i = 0; i < 4000; i++) {
            struct sw_order_key position, record;
            char text[512];
            if (order == &sw_order_mysql_gtid || !generate(&position, &generators[g], text, sizeof text, false) || !generate(&record, &generators[g], text, sizeof text, false) ||
                !one_space(&position, &record))
                continue; /* a set of GTIDs is no version */
            enum sw_version_order way = sw_version_compare(order, version_of(&record), version_of(&position));
            enum sw_order_reach reach = sw_order_reach(order, version_of(&position), version_of(&record));
            assert_int_equal(sw_order_reach(order, version_of(&position), version_of(&position)), SW_ORDER_WITHIN);
            if (way == BEFORE && reach != SW_ORDER_WITHIN && order != &sw_order_oracle)
                fail_msg("%s: %s is before the position and not within it", order->name, text);
            if (way == AFTER && reach == SW_ORDER_UNTOLD)
                fail_msg("%s: %s is after the position, and that is not told", order->name, text);
        }
    }
}

/* Fields as connectors write them, a byte of which is changed now and then. */
static const struct generator usual_generators[] = {
    {&sw_order_postgres, {"24023128 1234567890123456 1234567890123456789 99999999999999999999 0/1 0", "- - - 7", "\"[\\\"24023128\\\",\\\"24023400\\\"]\" \"[null,\\\"5\\\"]\" -", "- - 1", "shop other -", "1 2 -"}},
    {&sw_order_mysql, {"mysql-bin.000003 mysql-bin.000004 c.1000000 b.2147483648 .1 x. mysql-bin", "4 23 0 4294967400 -", "0 1 10 -", "shop other -"}},
    {&sw_order_mysql, {"mysql-bin.000003:4 mysql-bin.000004:310 c.1000000:0 mysql-bin.000003 a:b.1:2", "-", "0 1 10 -", "shop other -"}},
    {&sw_order_mysql_gtid, {"3e11fa47-71ca-11e1-9e33-c80aa9429562:23 3e11fa47-71ca-11e1-9e33-c80aa9429562:blue:7 3e11fa47-71ca-11e1-9e33-c80aa9429562:0 3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5",
                            "0 1 10 -", "0 1 -"}},
    {&sw_order_mariadb, {"0-1-500 0-22-501 7-1-18446744073709551615 4294967296-1-1 0-4294967296-1 1-2- -1-2 0-1-1234567890123456789", "0 1 -", "0 1 -"}},
    {&sw_order_oracle, {"2122184000 0 18446744073709551616 0x0001.00000000 -", "2122184010 0 - -", "\"\\x200x000019.00000002.0010\\x20\" 0x000019.00000002.0010 0x000000.00000000.0000 0x1.1.1 - -", "0 1 -", "1 2 -",
                        "- 77 shop", "1 2 -"}},
    {&sw_order_sqlserver, {"00000025:00000448:0005 00000000:00000000:0005 00000000:00000000:0000 FFFFFFFF:ffffffff:ffff 2a:758:3 0x0000002a000007580003", "00000025:00000448:0003 00000000:00000000:0000 - NULL", "1 2 10 -", "store b"}},
    {&sw_order_kafka, {"0 9 10 9223372036854775807 12345678901234567", "0 1 10 -", "0 1 x", "t u -", "- c"}},
    {&sw_order_timestamp, {"0 1000 1764500000000 1764500000000000000 9223372036854775807 9223372036854775808 -1 0.5 2026-01-01T00:00:00Z", "- s shop"}},
};

/* What a record of encode_usual is said to share with others: their space, and whether they have a position at all. */
struct usual_seen {
    char place[256];
    enum sw_order_status status;
    uint16_t space_len;
    uint8_t space[SW_SPACE_BYTES_MAX];
};

enum { USUAL_ROUNDS = 20000, PLACES_MAX = 4096, VALUE_MAX = 64 };

static bool same_as_before(struct usual_seen *seen, size_t *count, const char *place, enum sw_order_status status, const struct sw_order_key *key)
{
    size_t i = 0;
    while (i < *count && strcmp(seen[i].place, place) != 0)
        i++;
    if (i < *count)
        return seen[i].status == status && (status != SW_ORDER_OK || (seen[i].space_len == key->space_len && memcmp(seen[i].space, key->space, key->space_len) == 0));
    if (*count == PLACES_MAX)
        return true;
    snprintf(seen[i].place, sizeof seen[i].place, "%s", place);
    seen[i].status = status;
    seen[i].space_len = status == SW_ORDER_OK ? key->space_len : 0;
    memcpy(seen[i].space, key->space, seen[i].space_len);
    (*count)++;
    return true;
}

static unsigned check_usual(const struct generator *generator, struct usual_seen *seen)
{
    static const char letters[] = "0123456789afAF.:-x@ \"\\";
    const struct sw_order *order = generator->order;
    unsigned taken = 0;
    size_t places = 0;
    uint32_t declared = 0;
    for (size_t f = 0; f < order->field_count; f++)
        declared |= (uint32_t)(strcmp(generator->fields[f], "-") != 0) << f;
    for (unsigned round = 0; round < USUAL_ROUNDS; round++) {
        char values[SW_ORDER_FIELD_COUNT_MAX][VALUE_MAX + SW_ORDER_TOKEN_PADDING] = {{0}}, place[256];
        struct sw_token fields[SW_ORDER_FIELD_COUNT_MAX] = {{0}}, given[SW_ORDER_FIELD_COUNT_MAX];
        struct sw_order_key key;
        uint8_t version[SW_ORDER_USUAL_BYTES_MAX];
        bool read = pick(4) == 0;
        unsigned mutated = pick(2) ? pick((unsigned)order->field_count) : SW_ORDER_FIELD_COUNT_MAX;
        size_t used = (size_t)snprintf(place, sizeof place, "%d", read);
        for (size_t f = 0; f < order->field_count; f++) {
            size_t len = one_of(values[f], VALUE_MAX, generator->fields[f]);
            if (len && f == mutated)
                values[f][pick((unsigned)len)] = letters[pick(sizeof letters - 1)];
            for (char *blank; (blank = strstr(values[f], "\\x20"));) { /* the lists are split at blanks */
                memmove(blank + 1, blank + 4, strlen(blank + 4) + 1);
                *blank = ' ';
            }
            if (strcmp(values[f], "-") != 0)
                fields[f] = token_of(values[f], strlen(values[f]));
            fields[f].escaped = fields[f].kind == SW_TOKEN_TEXT && memchr(fields[f].at, '\\', fields[f].len);
        }
        memcpy(given, fields, sizeof given);
        enum sw_order_status status = order->encode(&key, &(struct sw_order_record){fields, declared, read});
        uint32_t has = 0;
        for (size_t f = 0; f < order->field_count; f++)
            has |= (uint32_t)(fields[f].kind > SW_TOKEN_NULL) << f;
        size_t len = sw_order_is_usual(order, has, declared, read) ? order->encode_usual(version, given) : 0;
        if (!len)
            continue;
        taken++;
        for (size_t f = 0; f < order->field_count; f++)
            used += (size_t)snprintf(place + used, sizeof place - used, " %d%.*s", fields[f].kind > SW_TOKEN_NULL, order->space_fields >> f & 1 ? (int)given[f].len : 0, (const char *)given[f].at);
        if (status == SW_ORDER_OK && !sw_bytes_equal(version_of(&key), sw_bytes_of(version, len)))
            fail_msg("%s: another version of %s", order->name, place);
        if (!same_as_before(seen, &places, place, status, &key))
            fail_msg("%s: not all records of %s are of one space", order->name, place);
    }
    return taken;
}

static void a_usual_record_gets_the_version_that_any_record_gets(void **state)
{
    (void)state;
    struct usual_seen *seen = calloc(PLACES_MAX, sizeof *seen);
    assert_non_null(seen);
    for (size_t i = 0; i < sizeof usual_generators / sizeof *usual_generators; i++) {
        unsigned taken = check_usual(&usual_generators[i], seen);
        if (taken < USUAL_ROUNDS / 16)
            fail_msg("%s: only %u of %d records were usual ones", usual_generators[i].order->name, taken, USUAL_ROUNDS);
    }
    for (const struct sw_order *const *at = sw_orders(); *at; at++) {
        size_t i = 0;
        while (i < sizeof usual_generators / sizeof *usual_generators && usual_generators[i].order != *at)
            i++;
        assert_true(!(*at)->encode_usual || i < sizeof usual_generators / sizeof *usual_generators);
    }
    free(seen);
}

static void all_policies_say_what_they_are(void **state)
{
    (void)state;
    size_t count = 0;
    for (const struct sw_order *const *at = sw_orders(); *at; at++, count++) {
        const struct sw_order *order = *at;
        assert_ptr_equal(sw_order_find(order->name), order);
        const char *const texts[] = {order->summary, order->rule, order->tie, order->source, order->not_promised, order->position};
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            assert_true(texts[i] && strlen(texts[i]) > 8);
        assert_true(order->arrival || order->field_count > 0);
        assert_true(order->field_count <= SW_ORDER_FIELD_COUNT_MAX);
        for (size_t f = 0; f < order->field_count; f++)
            assert_int_equal(sw_order_field_find(order, order->fields[f].name), f);
        assert_true(order->arrival || sw_order_field_find(order, "version") == 0);
    }
    assert_int_equal(count, sizeof generators / sizeof *generators + 1);
    assert_null(sw_order_find("lsn"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_is_an_order_inside_a_space),
        cmocka_unit_test(a_version_reads_again_as_it_is_printed),
        cmocka_unit_test(a_position_divides_its_space_where_the_version_stands),
        cmocka_unit_test(a_usual_record_gets_the_version_that_any_record_gets),
        cmocka_unit_test(all_policies_say_what_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
