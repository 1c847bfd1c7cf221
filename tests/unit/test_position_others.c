/* SQL Server, MongoDB, BigQuery, Datastream, and what holds for all kinds. */
#include "position_testing.h"

#include "position/change_sequence.h"
#include "position/mongodb.h"
#include "position/scan.h"
#include "position/sqlserver_lsn.h"

/* Microsoft Learn, sys.fn_cdc_…; debezium Lsn, TxLogPosition */
static void a_sql_server_lsn_has_three_spellings(void **state)
{
    (void)state;
    const struct print_case cases[] = {
        {"0000002a:00000758:0003", "0000002a:00000758:0003"},
        {"2A:758:3", "0000002a:00000758:0003"},
        {"0x0000002A000007580003", "0000002a:00000758:0003"},
        {"0000002A000007580003", "0000002a:00000758:0003"},
        {"0000123C:0000BA78:0004", "0000123c:0000ba78:0004"}, /* as Datastream documents it */
        {"42000000188000003", "0000002a:00000758:0003"},      /* numeric(25,0), unconfirmed: read, not refused */
        {"0000002a:00000758:0003/0000002a:00000758:0002/1", "0000002a:00000758:0003/0000002a:00000758:0002/1"},
        {"0x0000002A000007580003/0x0000002A000007580002", "0000002a:00000758:0003/0000002a:00000758:0002"},
        {"00:0:0@fork=f1,database=d", "00000000:00000000:0000@database=d,fork=f1"},
    };
    check_prints("sqlserver", cases, COUNT(cases));
    check_note("sqlserver", "00000042000018800003", "read as hexadecimal");
    check_note("sqlserver", "0000002A000007580003", NULL);
    const struct refusal_case refused[] = {
        {"", "an empty text"},
        {"NULL", "not a SQL Server LSN"}, /* Debezium's "not available" */
        {"0000002a:00000758", "not a SQL Server LSN"},
        {"0000002a:00000758:00030", "not a SQL Server LSN"},
        {"0000002a00000758000", "not a SQL Server LSN"},
        {"0x0000002A00000758000", "not a SQL Server LSN"},
        {"0000002a:00000758:0003/", "not a SQL Server LSN"},
        {"0000002a:00000758:0003/x", "not a SQL Server LSN"},
        {"0000002a:00000758:0003/1:1:1/-1", "not a SQL Server LSN"},
        {"2026-11-30T10:00:00", "is a time, not a position"},
        {"1764500000", "is a time, not a position"},
    };
    check_refusals("sqlserver", refused, COUNT(refused));
}

static void sql_server_lsns_compare_as_unsigned_bytes(void **state)
{
    (void)state;
    const struct compare_case cases[] = {
        {"0000002a:00000758:0003", "0000002a:00000758:0004", SW_POSITION_BEFORE, NULL},
        {"9:0:0", "10:0:0", SW_POSITION_BEFORE, NULL},
        {"7fffffff:0:0", "80000000:0:0", SW_POSITION_BEFORE, NULL},
        {"0:ffffffff:ffff", "1:0:0", SW_POSITION_BEFORE, NULL},
        {"0x0000002A000007580003", "2a:758:3", SW_POSITION_EQUAL, NULL},
        /* change LSNs are not ordered across commits: the commit decides */
        {"1:0:1/1:0:9", "1:0:2/1:0:1", SW_POSITION_BEFORE, "commit LSN"},
        {"1:0:1/1:0:1", "1:0:1/1:0:2", SW_POSITION_BEFORE, "change LSN"},
        {"1:0:1/1:0:1/1", "1:0:1/1:0:1/2", SW_POSITION_BEFORE, "serial number"}, /* delete and insert of a key change */
        {"1:0:1", "1:0:1/1:0:1", SW_POSITION_INCOMPARABLE, "only one side names a change"},
        {"1:0:1/1:0:1", "1:0:1/1:0:1/1", SW_POSITION_INCOMPARABLE, "only one side says which event"},
        {"1:0:1@database=a", "1:0:2@database=b", SW_POSITION_INCOMPARABLE, "database differs"},
        {"1:0:1@fork=a", "1:0:2@fork=b", SW_POSITION_INCOMPARABLE, "recovery fork differs"},
        {"1:0:1@fork=a", "1:0:2", SW_POSITION_BEFORE, NULL}, /* the name of that field is unconfirmed: no reason to refuse */
    };
    check_comparisons("sqlserver", cases, COUNT(cases));
}

static void the_next_sql_server_lsn_is_one_more_of_80_bits(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
        bool more;
    } cases[] = {
        {"0000002a:00000758:0003", "0000002a:00000758:0004", true},
        {"0000002a:00000758:ffff", "0000002a:00000759:0000", true},
        {"0000002a:ffffffff:ffff", "0000002b:00000000:0000", true},
        {"ffffffff:ffffffff:ffff", "ffffffff:ffffffff:ffff", false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint8_t lsn[10];
        struct sw_buffer text = {0};
        assert_true(sw_sqlserver_lsn_parse(lsn, (const uint8_t *)cases[i].from, strlen(cases[i].from)));
        assert_int_equal(sw_sqlserver_lsn_increment(lsn), cases[i].more);
        sw_sqlserver_lsn_print(&text, lsn);
        assert_string_equal(sw_buffer_text(&text), cases[i].to);
        sw_buffer_free(&text);
    }
}

/* MongoDB manual, "Change Streams"; the time in a token was checked against a sample of the manual */
static void a_cluster_time_and_a_resume_token_are_read(void **state)
{
    (void)state;
    const struct print_case cases[] = {
        {"{\"$timestamp\":{\"t\":1764500000,\"i\":3}}", "Timestamp(1764500000,3)"},
        {"{ \"$timestamp\" : { \"i\" : 3 , \"t\" : 1764500000 } }", "Timestamp(1764500000,3)"},
        {"Timestamp(1764500000, 3)", "Timestamp(1764500000,3)"},
        {"Timestamp({ t: 1764500000, i: 3 })", "Timestamp(1764500000,3)"},
        {"1764500000:3", "Timestamp(1764500000,3)"},
        {"Timestamp(4294967295,4294967295)", "Timestamp(4294967295,4294967295)"},
        {"826926A4A0000000032B0229296E04", "826926A4A0000000032B0229296E04"},
        {"826926a4a0000000032b0229296e04", "826926A4A0000000032B0229296E04"},
        {"{\"_data\":\"826926A4A000000003\"}", "826926A4A000000003"},
        {"{ _data: '826926A4A000000003' }@stream=shop.orders,cluster=rs0", "826926A4A000000003@cluster=rs0,stream=shop.orders"},
    };
    check_prints("mongodb", cases, COUNT(cases));
    const struct refusal_case refused[] = {
        {"", "an empty text"},
        {"1764500000", "is a time, not a position"}, /* seconds without a counter */
        {"ISODate(2026-11-30)", "not a MongoDB position"},
        {"2026-11-30T10:00:00.000Z", "is a time, not a position"},
        {"Timestamp(1,2", "not a MongoDB position"},
        {"Timestamp(1,-2)", "not a MongoDB position"},
        {"Timestamp(4294967296,1)", "not a MongoDB position"},
        {"816926A4A000000003", "begins with 82"},
        {"826926A4A00000000", "not a MongoDB position"},
        {"826926A4A00000000G", "not a MongoDB position"},
        {"826926A4A0000000032", "not a MongoDB position"},
        {"{\"_data\":\"826926A4A000000003\"", "not a MongoDB position"},
        {"{\"_data\":826926}", "not a MongoDB position"},
    };
    check_refusals("mongodb", refused, COUNT(refused));
    struct sw_cluster_time time = {0};
    assert_true(sw_resume_token_time(&time, (const uint8_t *)"826926A4A0000000032B02", 22));
    assert_int_equal(time.seconds, 0x6926A4A0);
    assert_int_equal(time.increment, 3);
}

static void tokens_of_one_cluster_time_have_no_documented_order(void **state)
{
    (void)state;
    const struct compare_case cases[] = {
        {"Timestamp(10,2)", "Timestamp(10,10)", SW_POSITION_BEFORE, NULL},
        {"Timestamp(9,99)", "Timestamp(10,1)", SW_POSITION_BEFORE, NULL},
        {"Timestamp(2147483648,1)", "Timestamp(2147483647,1)", SW_POSITION_AFTER, NULL}, /* unsigned */
        {"Timestamp(10,2)", "{\"$timestamp\":{\"t\":10,\"i\":2}}", SW_POSITION_EQUAL, NULL},
        {"82000000010000000200", "82000000010000000300", SW_POSITION_BEFORE, NULL},
        {"8200000001000000020A", "8200000001000000020a", SW_POSITION_EQUAL, "tokens are the same"},
        {"8200000001000000020A", "8200000001000000020B", SW_POSITION_INCOMPARABLE, "no documented rule orders them"},
        {"8200000001000000020A", "Timestamp(1,2)", SW_POSITION_INCOMPARABLE, "only one side is a resume token"},
        {"8200000001000000020A", "Timestamp(1,3)", SW_POSITION_BEFORE, NULL},
        {"Timestamp(1,2)@cluster=a", "Timestamp(1,3)@cluster=b", SW_POSITION_INCOMPARABLE, "cluster differs"},
        {"820000000100000002@stream=a", "820000000100000003@stream=b", SW_POSITION_INCOMPARABLE, "stream shape differs"},
    };
    check_comparisons("mongodb", cases, COUNT(cases));
}

/* BigQuery documentation, "Stream table updates with change data capture" */
static void change_sequence_numbers_follow_their_grammar(void **state)
{
    (void)state;
    const struct print_case cases[] = {
        {"0", "0"},
        {"0A", "A"},
        {"7b/0/a", "7B/0/A"},
        {"FFFFFFFFFFFFFFFF/FFFFFFFFFFFFFFFF/FFFFFFFFFFFFFFFF/FFFFFFFFFFFFFFFF", "FFFFFFFFFFFFFFFF/FFFFFFFFFFFFFFFF/FFFFFFFFFFFFFFFF/FFFFFFFFFFFFFFFF"},
    };
    check_prints("bigquery", cases, COUNT(cases));
    const struct refusal_case refused[] = {
        {"", "an empty text"},
        {"/", "not a change sequence number"},
        {"/1", "not a change sequence number"},
        {"1/", "not a change sequence number"},
        {"1//2", "not a change sequence number"},
        {"1/2/3/4/5", "not a change sequence number"},
        {"00000000000000001", "not a change sequence number"},
        {"0x1", "not a change sequence number"},
        {"-1", "not a change sequence number"},
        {"+1", "not a change sequence number"},
        {"1 /2", "not a change sequence number"},
        {"G", "not a change sequence number"},
        {"2026-11-30T10:00:00Z", "is a time, not a position"},
    };
    check_refusals("bigquery", refused, COUNT(refused));
    struct sw_change_sequence sequence = {.count = 9};
    assert_false(sw_change_sequence_parse(&sequence, (const uint8_t *)"", 0));
    assert_int_equal(sequence.count, 9);
    assert_true(sw_change_sequence_parse(&sequence, (const uint8_t *)"fff/ABC", 7));
    assert_int_equal(sequence.count, 2);
    assert_int_equal(sequence.sections[1], 0xABC);
}

static void change_sequence_numbers_compare_section_by_section(void **state)
{
    (void)state;
    const struct compare_case cases[] = {
        {"7B", "77", SW_POSITION_AFTER, NULL},
        {"FFF/ABC", "FFF/B", SW_POSITION_AFTER, NULL},
        {"ABC", "BA/FFFFFFFF", SW_POSITION_AFTER, NULL},
        {"FFF/ABC", "ABC", SW_POSITION_AFTER, NULL},
        {"0A", "a", SW_POSITION_EQUAL, NULL},
        {"ABC", "ABC/0", SW_POSITION_INCOMPARABLE, "does not document an order"},
        {"7FFFFFFFFFFFFFFF", "8000000000000000", SW_POSITION_BEFORE, NULL}, /* unsigned */
    };
    check_comparisons("bigquery", cases, COUNT(cases));
    check_note("bigquery", "1764500000123", "reads as a time");
}

/* Datastream documentation: sort keys, and specificStartPosition of "Recover a stream" */
static void a_datastream_position_is_its_sources_position(void **state)
{
    (void)state;
    const struct print_case cases[] = {
        {"[1927857906000,\"mysql-bin.000042\",3141]", "mysql:mysql-bin.000042:3141"},
        {"[ \"1927857906000\" , \"mysql-bin.000042\" , \"3141\" ]", "mysql:mysql-bin.000042:3141"}, /* as text in BigQuery */
        {"[1927857906000,8823771,\" 0x000019.00000002.0010 \",3]", "oracle:8823771@rs-id=0x19.2.10,ssn=3"},
        {"[1927857906000,8823771,\"\",0]", "oracle:8823771"},
        {"[1927857906000,\"0/16E9A28\"]", "postgres:0/16E9A28"},
        {"[1927857906000,\"0000002a:00000758:0003\"]", "sqlserver:0000002a:00000758:0003"},
        {"{\"cdcStrategy\":{\"specificStartPosition\":{\"mysqlLogPosition\":{\"logFile\":\"mysql-bin.000042\",\"logPosition\":4}}}}", "mysql:mysql-bin.000042:4"},
        {"{\"mysqlLogPosition\":{\"logFile\":\"mysql-bin.000042\"}}", "mysql:mysql-bin.000042:4"},
        {"{\"mysqlGtidPosition\":{\"gtidSet\":\"3a1f0000-0000-0000-0000-000000000001:1-3,\\n3a1f0000-0000-0000-0000-000000000001:4\"}}", "mysql-gtid:3a1f0000-0000-0000-0000-000000000001:1-4"},
        {"{\"specificStartPosition\":{\"oracleScnPosition\":{\"scn\":\"9007199254740993\"}}}", "oracle:9007199254740993"},
        {"{\"sqlServerLsnPosition\":{\"lsn\":\"0000123C0000BA780004\"}}", "sqlserver:0000123c:0000ba78:0004"},
        {"mysql:binlog.000001:4@server=3a1f0000-0000-0000-0000-000000000001", "mysql:binlog.000001:4@server=3a1f0000-0000-0000-0000-000000000001"},
        {"mongodb:Timestamp(1,2)", "mongodb:Timestamp(1,2)"},
    };
    check_prints("datastream", cases, COUNT(cases));
    const struct refusal_case refused[] = {
        {"", "an empty text"},
        {"[\"\"]", "begins with a time"},
        {"[1927857906000]", "hold a time and no position"},
        {"[1764500000,123000000]", "hold a time and no position"}, /* MongoDB: seconds and nanoseconds */
        {"[1927857906000,\"\",0]", "of a backfill row"},
        {"[1927857906000,0,0]", "of a backfill row"},
        {"[\"x\",\"mysql-bin.000042\",3141]", "begins with a time"},
        {"[1927857906000,\"mysql-bin.000042\",3141", "not sort keys"},
        {"[1,\"a\",\"b\",\"c\"]", "none of the known shapes"},
        {"[1,2,3,4,5,6,7,8,9,10]", "not sort keys"},
        {"[1927857906000,\"mysql-bin\",3141]", "not a binary log position"},
        {"[1927857906000,\"\\u0041.000042\",3141]", "not sort keys"},
        {"{\"mostRecentStartPosition\":{}}", "name no place"},
        {"{\"mongodbChangeStreamPosition\":{}}", "is not documented"},
        {"{\"mysqlLogPosition\":{\"logFile\":\"mysql-bin.000042\"}", "not a start position"},
        {"{\"mysqlLogPosition\":{\"file\":\"mysql-bin.000042\"}}", "not a start position"},
        {"kafka:orders:0:5", "SOURCE:POSITION"},
        {"mysql:x", "not a binary log position"},
        {"2026-11-30T10:00:00Z", "is a time, not a position"},
    };
    check_refusals("datastream", refused, COUNT(refused));
}

static void datastream_positions_compare_without_their_leading_time(void **state)
{
    (void)state;
    const struct compare_case cases[] = {
        {"[1927857906000,\"mysql-bin.999999\",900]", "[1927857905000,\"mysql-bin.1000000\",4]", SW_POSITION_BEFORE, NULL},
        {"[1,\"9/0\"]", "[1,\"10/0\"]", SW_POSITION_BEFORE, NULL},
        {"[1,\"mysql-bin.000001\",4]", "{\"mysqlLogPosition\":{\"logFile\":\"mysql-bin.000001\"}}", SW_POSITION_EQUAL, NULL},
        {"[1,\"0/1\"]", "[1,\"mysql-bin.000001\",4]", SW_POSITION_INCOMPARABLE, "different logs"},
        {"[1,\"mysql-bin.000001\",4]@server=3a1f0000-0000-0000-0000-000000000001", "[1,\"mysql-bin.000002\",4]", SW_POSITION_INCOMPARABLE, "known on one side only"},
    };
    check_comparisons("datastream", cases, COUNT(cases));
}

static void every_kind_is_listed_with_an_example_that_it_reads(void **state)
{
    (void)state;
    static const char *const names[] = {"postgres", "mysql", "mysql-gtid", "mariadb", "oracle", "sqlserver", "mongodb", "kafka", "bigquery", "datastream"};
    const struct sw_position_kind_info *info;
    size_t count = 0;
    for (; (info = sw_position_kind_at(count)); count++) {
        assert_true(count < COUNT(names));
        assert_string_equal(info->name, names[count]);
        struct sw_position *position = read_position(info->name, info->example);
        assert_ptr_equal(sw_position_kind(position), info);
        sw_position_free(&position);
        assert_null(position);
    }
    assert_int_equal(count, COUNT(names));
    struct sw_position *position = NULL;
    struct sw_error error = {0};
    assert_int_equal(sw_position_parse(&position, "sybase", "1", 1, &error), SW_ERR_USAGE);
    assert_non_null(strstr(error.text, "postgres, mysql, mysql-gtid"));
    assert_int_equal(sw_position_parse(&position, NULL, "1", 1, NULL), SW_ERR_USAGE);
    sw_position_free(NULL);
}

static void attributes_are_there_to_be_read(void **state)
{
    (void)state;
    struct sw_position *position = read_position("postgres", "0/1@timeline=0002");
    assert_string_equal(sw_position_attribute(position, "timeline"), "2");
    assert_null(sw_position_attribute(position, "system"));
    assert_null(sw_position_attribute(position, "nonsense"));
    sw_position_free(&position);
}

static void a_text_beyond_the_limit_is_refused_before_it_is_read(void **state)
{
    (void)state;
    size_t len = SW_POSITION_TEXT_MAX + 1;
    char *text = malloc(len);
    assert_non_null(text);
    memset(text, '1', len);
    struct sw_position *position = NULL;
    struct sw_error error = {0};
    assert_int_equal(sw_position_parse(&position, "mysql-gtid", text, len, &error), SW_ERR_LIMIT);
    assert_int_equal(sw_position_parse(&position, "oracle", text, len / 2, NULL), SW_ERR_LIMIT);
    free(text);
}

static void a_percent_sign_and_two_digits_stand_for_a_byte(void **state)
{
    (void)state;
    static const struct { const char *text; size_t len; int value; } cases[] = {
        {"%2F", 3, 0x2f}, {"%fFx", 4, 0xff}, {"%00", 3, 0}, {"%2", 2, -1}, {"%2F", 2, -1}, {"%2g", 3, -1}, {"%g2", 3, -1}, {"%%2F", 4, -1}, {"a2F", 3, -1}, {"", 0, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(sw_percent_value((const uint8_t *)cases[i].text, cases[i].len), cases[i].value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_percent_sign_and_two_digits_stand_for_a_byte),
        cmocka_unit_test(a_sql_server_lsn_has_three_spellings),
        cmocka_unit_test(sql_server_lsns_compare_as_unsigned_bytes),
        cmocka_unit_test(the_next_sql_server_lsn_is_one_more_of_80_bits),
        cmocka_unit_test(a_cluster_time_and_a_resume_token_are_read),
        cmocka_unit_test(tokens_of_one_cluster_time_have_no_documented_order),
        cmocka_unit_test(change_sequence_numbers_follow_their_grammar),
        cmocka_unit_test(change_sequence_numbers_compare_section_by_section),
        cmocka_unit_test(a_datastream_position_is_its_sources_position),
        cmocka_unit_test(datastream_positions_compare_without_their_leading_time),
        cmocka_unit_test(every_kind_is_listed_with_an_example_that_it_reads),
        cmocka_unit_test(attributes_are_there_to_be_read),
        cmocka_unit_test(a_text_beyond_the_limit_is_refused_before_it_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
