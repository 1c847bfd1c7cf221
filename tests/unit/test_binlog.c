/* Logs that MariaDB 10.11 wrote (tests/record/record_binlog.py) as lines, and bytes made by hand for what MySQL writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "comma_locale.h"
#include "source/mariadb/binlog.h"
#include "source/mariadb/statement.h"
#include "source/mariadb/value.h"

static char name_id[] = "id", name_note[] = "note", name_n[] = "n", name_uu[] = "uu", name_ip[] = "ip", name_i4[] = "i4", utf8[] = "utf8mb4";
static const struct sw_binlog_column small[] = {{.name = name_id, .type = SW_BINLOG_LONG}, {.name = name_note, .type = SW_BINLOG_VARCHAR, .size = 80, .charset = utf8},
                                                {.name = name_n, .type = SW_BINLOG_NEWDECIMAL, .size = 10, .scale = 2, .without_sign = true}};
static const struct sw_binlog_column meanings[] = {{.name = name_uu, .type = SW_BINLOG_STRING, .size = 16, .meaning = SW_BINLOG_UUID}, {.name = name_ip, .type = SW_BINLOG_STRING, .size = 16, .meaning = SW_BINLOG_INET6},
                                                   {.name = name_i4, .type = SW_BINLOG_STRING, .size = 4, .meaning = SW_BINLOG_INET4}};
static const struct sw_binlog_collation collations[] = {{8, "latin1"}, {13, "sjis"}, {35, "ucs2"}, {45, "utf8mb4"}, {46, "utf8mb4"}, {54, "utf16"}};

struct log {
    uint8_t bytes[65536];
    size_t len;
};

static struct log *read_log(const char *name)
{
    static struct log log;
    char path[512];
    const char *root = getenv("SW_SOURCE_ROOT");
    snprintf(path, sizeof path, "%s/fuzz/corpus/binlog/%s", root ? root : ".", name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    log.len = fread(log.bytes, 1, sizeof log.bytes, file);
    fclose(file);
    assert_in_range(log.len, 256, sizeof log.bytes - 1);
    return &log;
}

static struct sw_binlog_options options_of(const char *table, const struct sw_binlog_column *columns, size_t count)
{
    return (struct sw_binlog_options){.database = "shop", .table = table, .mariadb = true, .catalogue = {columns, count, collations, 6, true}, .file = "binlog.000001", .position = 4, .record_bytes_max = 65536,
                                      .held_bytes_max = 1 << 20, .event_bytes_max = 1 << 20};
}

static size_t length_at(const struct log *log, size_t at) { return log->bytes[at + 9] | (size_t)log->bytes[at + 10] << 8; }

/* All lines, up to a failure, whose text is then in *error. */
static const char *lines_of(const struct log *log, const struct sw_binlog_options *options, struct sw_binlog_counts *counts, struct sw_error *error)
{
    static struct sw_buffer all;
    struct sw_buffer line = {0};
    struct sw_binlog *self;
    uint64_t too_long;
    all.len = 0;
    *error = (struct sw_error){0};
    assert_int_equal(sw_binlog_open(&self, options, error), SW_OK);
    enum sw_code code = SW_OK;
    for (size_t at = 4; code == SW_OK && at < log->len; at += length_at(log, at)) {
        code = sw_binlog_take(self, sw_bytes_of(log->bytes + at, length_at(log, at)), error);
        while (code == SW_OK && (code = sw_binlog_line(&line, &too_long, self, error)) == SW_OK)
            if (too_long)
                sw_buffer_printf(&all, "too long\n");
            else
                sw_buffer_add_bytes(&all, sw_buffer_view(&line));
        code = code == SW_END ? SW_OK : code;
    }
    if (code == SW_OK) {
        const char *file;
        uint64_t position;
        sw_binlog_place(&file, &position, self);
        assert_int_equal(position, log->len);
        assert_true(sw_binlog_reached(self, "binlog.000001", log->len) && !sw_binlog_reached(self, "binlog.000001", log->len + 1) && !sw_binlog_reached(self, "binlog.000002", 4));
    }
    if (counts)
        *counts = sw_binlog_counts(self);
    sw_binlog_close(&self);
    sw_buffer_free(&line);
    return sw_buffer_text(&all);
}

static void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("%s\n\nis not in\n\n%s", part, text);
}

static void assert_has_not(const char *text, const char *part)
{
    if (strstr(text, part))
        fail_msg("%s\n\nis in\n\n%s", part, text);
}

static void every_type_is_read_with_the_names_signs_charsets_and_labels_of_the_log(void **state)
{
    (void)state;
    struct sw_error error;
    const struct sw_binlog_options options = options_of("kinds", meanings, 3);
    const char *text = lines_of(read_log("kinds"), &options, NULL, &error);
    assert_string_equal(error.text, "");
    assert_has(text, "\"id\":18446744073709551615,\"t\":-128,\"tu\":255,\"s\":-32768,\"m\":-8388608,\"mu\":16777215,\"i\":-2147483648,\"iu\":4294967295,\"z\":42,\"b\":-9223372036854775808,\"u\":18446744073709551615,\"y\":2155,"
                     "\"b1\":1,\"b9\":341,\"b64\":18446744073709551615,\"de\":12345678901234567890123456789012345.123456789012345678901234567890,\"d5\":-999.99,\"d0\":-9999999999,\"dd\":0.000000001,");
    assert_has(text, "\"d\":0.10000000000000001,\"c\":\"abc\",\"cl\":\"añb\",\"v\":\"nß€ 😀\\\"\\\\\",\"vl\":\"€üñ\",\"vu\":\"aü€\",\"v16\":\"a😀\",\"vs\":\"ソ漢\",\"tx\":\"xx\",\"tt\":\"t€\",\"bi\":\"61620000\",");
    assert_has(text, "\"vb\":\"610062\",");
    assert_has(text, "\"bl\":\"00ff10\",\"tb\":\"\",\"mb\":\"6d\",\"lb\":\"6c\",\"e\":\"b c\",\"el\":\"€\",\"st\":\"x,z\",\"s64\":\"m0,m9\",\"da\":\"9999-12-31\",\"ti\":\"-838:59:59\",\"ti6\":\"-23:59:59.999999\",\"ti3\":\"00:00:00.001\","
                     "\"dt\":\"9999-12-31 23:59:59\",\"dt6\":\"9999-12-31 23:59:59.999999\",\"dt1\":\"2000-01-01 00:00:00.9\",\"ts\":\"2038-01-19 03:14:07+00:00\",\"ts6\":\"2038-01-19 03:14:07.999999+00:00\","
                     "\"ts2\":\"1970-01-01 00:00:01.05+00:00\",\"js\":\"{\\\"b\\\": 1, \\\"a\\\": [1.10]}\",\"uu\":\"123e4567e89b12d3a456426614174000\",\"ip\":\"::ffff:1.2.3.4\",\"i4\":\"1.2.3.4\",\"g\":\"e6100000010100000000000000"
                     "0000f03f0000000000000040\",");
    assert_has(text, "\"de\":-0.000000000000000000000000000001,\"d5\":0.01,\"d0\":0,\"dd\":-0.999999999,\"f\":16777216,\"d\":1.7976931348623157e+308,");
    assert_has(text, "\"da\":\"0000-00-00\",\"ti\":\"00:00:00\",\"ti6\":\"-00:00:00.000001\",\"ti3\":\"838:59:59.999\",\"dt\":\"0000-00-00 00:00:00\",\"dt6\":\"1000-01-01 00:00:00.000000\",\"dt1\":\"2020-02-00 00:00:00.0\","
                     "\"ts\":\"0000-00-00 00:00:00+00:00\",\"ts6\":\"0000-00-00 00:00:00.000000+00:00\",");
    assert_has(text, "\"ti6\":\"-12:34:56.500000\",\"ti3\":\"-00:00:01.500\",");
    assert_has(text, "\"e\":\"it's\",");
    assert_has(text, "\"bi\":\"00006100\",");
    assert_has(text, "\"vc\":\"zipzip");
    assert_has(text, "\"bc\":\"7a61707a6170");
    assert_has(text, "\"vc\":\"short\",\"bc\":\"73686f7274\",\"inv\":5}");
    assert_has(text, "\"gv\":6,\"gs\":7,");
    assert_has(text, "\"op\":\"d\"");
}

static void a_transaction_is_handed_out_at_its_end_and_what_was_rolled_back_never(void **state)
{
    (void)state;
    struct sw_error error;
    struct sw_binlog_counts counts;
    const struct sw_binlog_options options = options_of("t", small, 3);
    const char *text = lines_of(read_log("changes"), &options, &counts, &error);
    assert_string_equal(error.text, "");
    assert_has(text, "{\"before\":null,\"after\":{\"id\":1,\"note\":\"a\",\"n\":1.00},\"source\":{\"connector\":\"mariadb\",\"ts_ms\":1764500000000,\"snapshot\":\"false\",\"db\":\"shop\",\"table\":\"t\",\"server_id\":1,\"gtid\":\"0-1-2\",");
    assert_has(text, "\"row\":1},\"op\":\"c\",\"ts_ms\":1764500000000,\"transaction\":{\"id\":\"0-1-2\",\"total_order\":2,\"data_collection_order\":2}}\n");
    assert_has(text, "{\"before\":{\"id\":1,\"note\":\"a\",\"n\":1.00},\"after\":{\"id\":1,\"note\":\"c\",\"n\":1.00},");
    assert_has(text, "{\"before\":{\"id\":2,\"note\":\"b\",\"n\":2.00},\"after\":null,");
    /* prepared first and committed last: its place is that of the commit */
    assert_true(strstr(text, "\"note\":\"meanwhile\"") < strstr(text, "\"note\":\"xa\",\"n\":4.00"));
    assert_has_not(text, "\"n\":6.00");
    /* an image of what changed: the rest is what it was before, or unknown */
    assert_has(text, "{\"before\":{\"id\":3},\"after\":{\"id\":3,\"note\":\"__debezium_unavailable_value\",\"n\":9.00},");
    assert_has(text, "{\"before\":null,\"after\":{\"id\":7,\"note\":\"__debezium_unavailable_value\",\"n\":\"__debezium_unavailable_value\"},");
    assert_has(text, "{\"before\":{\"id\":7},\"after\":null,");
    assert_has(text, "\"databaseName\":\"shop\",\"ddl\":\"ALTER TABLE t ADD INDEX (note)\"}\n");
    assert_has(text, "{\"before\":null,\"after\":null,\"source\":{\"connector\":\"mariadb\",\"ts_ms\":1764500000000,\"snapshot\":\"false\",\"db\":\"shop\",\"table\":\"t\",\"server_id\":1,");
    assert_has(text, "\"op\":\"t\"");
    assert_int_equal(counts.rolled_back, 1);
    assert_int_equal(counts.unfinished, 0);
    assert_int_equal(counts.rows, 11);
}

static void a_transaction_too_large_to_wait_for_comes_out_the_same(void **state)
{
    (void)state;
    struct sw_error error;
    struct sw_binlog_options options = options_of("t", small, 3);
    const struct log *log = read_log("packed");
    char *whole = strdup(lines_of(log, &options, NULL, &error));
    assert_string_equal(error.text, "");
    options.held_bytes_max = 16;
    assert_string_equal(lines_of(log, &options, NULL, &error), whole);
    free(whole);
    /* a prepared transaction of that size has rows that nobody can take back */
    lines_of(read_log("changes"), &options, NULL, &error);
    assert_has(error.text, "was prepared (XA) and not committed, and its rows were handed out already");
}

static void compressed_rows_and_statements_are_unpacked(void **state)
{
    (void)state;
    struct sw_error error;
    struct sw_binlog_counts counts;
    struct sw_binlog_options options = options_of("t", small, 3);
    const struct log *log = read_log("packed");
    const char *text = lines_of(log, &options, &counts, &error);
    assert_string_equal(error.text, "");
    assert_int_equal(counts.rows, 50 + 50 + 47);
    assert_has(text, "{\"before\":{\"id\":50,\"note\":\"row 50\",\"n\":50.00},\"after\":{\"id\":50,\"note\":\"row 50\",\"n\":51.00},");
    assert_has(text, "\"ddl\":\"ALTER TABLE t COMMENT 'long long");
    options.event_bytes_max = 100;
    lines_of(log, &options, NULL, &error);
    assert_has(error.text, "more than the 100 that may be");
}

static void a_record_that_is_too_long_is_told_and_the_next_one_read(void **state)
{
    (void)state;
    struct sw_error error;
    struct sw_binlog_options options = options_of("kinds", meanings, 3);
    options.record_bytes_max = 1800;
    const char *text = lines_of(read_log("kinds"), &options, NULL, &error);
    assert_string_equal(error.text, "");
    assert_has(text, "too long\n{");
}

static void checksums_are_looked_at(void **state)
{
    (void)state;
    struct sw_error error;
    struct sw_binlog_counts counts;
    const struct sw_binlog_options options = options_of("t", small, 3);
    struct log *log = read_log("checksums");
    lines_of(log, &options, &counts, &error);
    assert_string_equal(error.text, "");
    assert_int_equal(counts.rows, 2);
    log->bytes[log->len - 40] ^= 1;
    lines_of(log, &options, &counts, &error);
    assert_has(error.text, "the checksum of an event is wrong");
    assert_has(error.text, "binary log binlog.000001:");
}

static void no_cut_log_is_read_past_its_end(void **state)
{
    (void)state;
    struct sw_error error;
    const struct sw_binlog_options options = options_of("kinds", meanings, 3);
    const struct log *log = read_log("kinds");
    size_t failures = 0;
    for (size_t at = 4; at < log->len; at += length_at(log, at))
        for (size_t len = 0; len < length_at(log, at); len += 1 + len / 8) { /* an event that lacks its end, and says so */
            static struct log shorter;
            memcpy(shorter.bytes, log->bytes, at + len);
            shorter.len = at + len;
            if (len >= 13)
                memcpy(shorter.bytes + at + 9, &(uint32_t){(uint32_t)len}, 4);
            struct sw_binlog *self;
            assert_int_equal(sw_binlog_open(&self, &options, &error), SW_OK);
            error = (struct sw_error){0};
            struct sw_buffer line = {0};
            uint64_t too_long;
            enum sw_code code = SW_OK;
            for (size_t from = 4; code == SW_OK && from < shorter.len; from += from == at ? len : length_at(&shorter, from)) {
                size_t part = from == at ? len : length_at(&shorter, from);
                uint8_t *exact = malloc(part ? part : 1); /* so that a sanitizer sees a read past it */
                memcpy(exact, shorter.bytes + from, part);
                code = sw_binlog_take(self, sw_bytes_of(exact, part), &error);
                free(exact);
                while (code == SW_OK && (code = sw_binlog_line(&line, &too_long, self, &error)) == SW_OK)
                    ;
                code = code == SW_END ? SW_OK : code;
                if (from == at)
                    break;
            }
            failures += code != SW_OK;
            assert_true(code == SW_OK || error.text[0]);
            sw_buffer_free(&line);
            sw_binlog_close(&self);
        }
    assert_in_range(failures, 100, 100000);
}

static void a_table_that_is_not_todays_is_refused_where_the_log_has_no_names(void **state)
{
    (void)state;
    struct sw_error error;
    struct sw_binlog_column other[3];
    memcpy(other, small, sizeof other);
    other[2].scale = 3;
    struct sw_binlog_options options = options_of("t", other, 3);
    lines_of(read_log("changes"), &options, NULL, &error);
    assert_has(error.text, "table shop.t: its column 3 was decimal(10,2) then, and column n is decimal(10,3) today; the log has no names of columns");
    options = options_of("t", small, 2);
    lines_of(read_log("changes"), &options, NULL, &error);
    assert_has(error.text, "it had 3 columns then, and has 2 today");
    static struct sw_binlog_column more[4];
    memcpy(more, small, sizeof small);
    more[3] = (struct sw_binlog_column){.name = name_uu, .type = SW_BINLOG_LONG};
    options = options_of("t", more, 4); /* one stands behind them today: the first three are what they were */
    assert_has(lines_of(read_log("changes"), &options, NULL, &error), "\"after\":{\"id\":1,\"note\":\"a\",\"n\":1.00}");
    assert_string_equal(error.text, "");
}

/* What MariaDB 10.11 logs for INSERT INTO t VALUES () under binlog_row_image=MINIMAL: no columns, and so no bytes for a row. */
static void rows_of_which_nothing_was_logged_are_a_failure_and_not_nothing(void **state)
{
    (void)state;
    struct sw_error error;
    const struct sw_binlog_options options = options_of("t", small, 3);
    struct log *log = read_log("changes");
    const size_t event = 678, bare = 19 + 10; /* the first event of rows: its head, the table's number, flags, how many columns, which */
    assert_int_equal(log->bytes[event + 4], 23);
    size_t len = length_at(log, event);
    log->bytes[event + bare - 1] = 0;
    log->bytes[event + 9] = bare;
    memmove(log->bytes + event + bare, log->bytes + event + len, log->len - event - len);
    log->len -= len - bare;
    lines_of(log, &options, NULL, &error);
    assert_has(error.text, "binary log binlog.000001:702, table shop.t: rows were inserted of which the log has no value");
}

static void an_enum_with_the_label_compressed_is_not_compressed(void **state)
{
    (void)state;
    static const struct { const char *data, *whole, *printed; } cases[] = {
        {"enum", "enum('NONE','COMPRESSED','unsigned')", "enum"}, {"varchar", "varchar(20) /*M!100301 COMPRESSED*/", "varchar of 21 bytes compressed"}, {"blob", "blob /*M!100301 COMPRESSED*/", "text compressed"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sw_binlog_column *column = calloc(1, sizeof *column);
        size_t count = 1;
        struct sw_binlog_charsets charsets = {0};
        struct sw_buffer text = {0};
        const struct sw_binlog_described described = {.data_type = sw_bytes_text(cases[i].data), .column_type = sw_bytes_text(cases[i].whole), .octets = 20};
        assert_int_equal(sw_binlog_column_describe(column, &charsets, &described, NULL), SW_OK);
        sw_binlog_column_print(&text, column);
        assert_string_equal(sw_buffer_text(&text), cases[i].printed);
        sw_buffer_free(&text);
        sw_binlog_charsets_free(&charsets);
        sw_binlog_columns_free(&column, &count);
    }
}

static enum sw_binlog_effect effect(const char *statement, const char *database)
{
    const struct sw_binlog_table_name name = {SW_BYTES_LITERAL("shop"), SW_BYTES_LITERAL("t`s"), false};
    const struct sw_binlog_table_name folded = {SW_BYTES_LITERAL("shop"), SW_BYTES_LITERAL("orders"), true};
    return sw_binlog_statement_effect(sw_bytes_text(statement), sw_bytes_text(database), strchr(statement, '`') ? &name : &folded);
}

static void statements_are_told_apart_by_what_they_do_to_the_table(void **state)
{
    (void)state;
    static const struct { enum sw_binlog_effect wanted; const char *database, *statement; } cases[] = {
        {SW_BINLOG_BEGINS, "", "BEGIN"}, {SW_BINLOG_COMMITS, "shop", "COMMIT"}, {SW_BINLOG_ROLLS_BACK, "", "ROLLBACK"}, {SW_BINLOG_ROLLS_BACK_TO, "", "ROLLBACK TO `a`"}, {SW_BINLOG_NOTHING, "", "SAVEPOINT `a`"},
        {SW_BINLOG_XA_COMMITS, "", "XA COMMIT X'31',X'',1"}, {SW_BINLOG_XA_ROLLS_BACK, "", "XA ROLLBACK X'31',X'',1"},
        {SW_BINLOG_EMPTIES, "shop", "TRUNCATE TABLE orders"}, {SW_BINLOG_EMPTIES, "", "truncate shop.ORDERS"}, {SW_BINLOG_NOTHING, "other", "TRUNCATE orders"}, {SW_BINLOG_NOTHING, "shop", "TRUNCATE other.orders"},
        {SW_BINLOG_EMPTIES, "shop", "DROP TABLE IF EXISTS `a`,`t``s` /* generated by server */"}, {SW_BINLOG_NOTHING, "shop", "DROP TEMPORARY TABLE `t``s`"}, {SW_BINLOG_EMPTIES, "", "DROP DATABASE IF EXISTS `shop`"},
        {SW_BINLOG_NOTHING, "shop", "DROP VIEW orders"}, {SW_BINLOG_EMPTIES, "shop", "CREATE OR REPLACE TABLE orders (id INT)"}, {SW_BINLOG_DESCRIBES, "shop", "CREATE TABLE IF NOT EXISTS orders (id INT)"},
        {SW_BINLOG_MAY_CHANGE, "shop", "CREATE TABLE orders (id INT) AS SELECT 1 AS id"}, {SW_BINLOG_DESCRIBES, "shop", "CREATE UNIQUE INDEX i ON orders (id)"}, {SW_BINLOG_DESCRIBES, "shop", "DROP INDEX i ON shop.orders"},
        {SW_BINLOG_REPLACES, "shop", "RENAME TABLE orders TO old, new TO orders"}, {SW_BINLOG_REPLACES, "other", "RENAME TABLE a TO shop.orders"}, {SW_BINLOG_NOTHING, "shop", "RENAME TABLE a TO b"},
        {SW_BINLOG_DESCRIBES, "shop", "ALTER TABLE orders ADD COLUMN note TEXT DEFAULT 'DROP COLUMN'"}, {SW_BINLOG_MOVES_COLUMNS, "shop", "ALTER TABLE orders DROP note"},
        {SW_BINLOG_DESCRIBES, "shop", "ALTER TABLE orders DROP INDEX note, DROP FOREIGN KEY f"}, {SW_BINLOG_MOVES_COLUMNS, "shop", "ALTER TABLE orders ADD a INT FIRST"},
        {SW_BINLOG_MOVES_COLUMNS, "shop", "ALTER TABLE orders RENAME COLUMN a TO b"}, {SW_BINLOG_REPLACES, "shop", "ALTER TABLE orders RENAME TO gone"}, {SW_BINLOG_REPLACES, "shop", "ALTER TABLE gone RENAME orders"},
        {SW_BINLOG_REPLACES, "shop", "ALTER TABLE orders TRUNCATE PARTITION p0"}, {SW_BINLOG_REPLACES, "shop", "ALTER TABLE parts EXCHANGE PARTITION p0 WITH TABLE orders"}, {SW_BINLOG_NOTHING, "shop", "ALTER TABLE a ADD orders INT"},
        {SW_BINLOG_DESCRIBES, "shop", "/*!40000 ALTER TABLE orders DISABLE KEYS */"}, {SW_BINLOG_REPLACES, "shop", "ALTER TABLE orders IMPORT TABLESPACE"},
        {SW_BINLOG_MAY_CHANGE, "shop", "INSERT INTO other VALUES (1)"}, {SW_BINLOG_MAY_CHANGE, "other", "update shop . orders set a = 1"}, {SW_BINLOG_NOTHING, "other", "INSERT INTO a VALUES ('shop.orders')"},
        {SW_BINLOG_MAY_CHANGE, "other", "-- orders\nDELETE FROM \"Orders\""}, {SW_BINLOG_NOTHING, "other", "# orders\nDELETE FROM a"}, {SW_BINLOG_MAY_CHANGE, "shop", "FROBNICATE"}, {SW_BINLOG_NOTHING, "shop", "GRANT ALL ON shop.orders TO a"},
        {SW_BINLOG_EMPTIES, "shop", "SET STATEMENT max_statement_time=100, a='FOR' FOR TRUNCATE TABLE orders"}, {SW_BINLOG_MAY_CHANGE, "other", "SET STATEMENT a=1 FOR SET STATEMENT b=2 FOR INSERT INTO shop.orders VALUES (5)"},
        {SW_BINLOG_MAY_CHANGE, "shop", "ANALYZE INSERT INTO orders VALUES (6)"}, {SW_BINLOG_MAY_CHANGE, "shop", "ANALYZE FORMAT=JSON UPDATE orders SET v=1"}, {SW_BINLOG_NOTHING, "other", "ANALYZE DELETE FROM a"},
        {SW_BINLOG_NOTHING, "shop", "SET STATEMENT a=1"}, {SW_BINLOG_NOTHING, "shop", "SET a = 1 FOR orders"}, {SW_BINLOG_NOTHING, "shop", "ANALYZE LOCAL TABLE orders"}, {SW_BINLOG_NOTHING, "shop", "ANALYZE"},
        {SW_BINLOG_NOTHING, "shop", "ANALYZE TABLE orders"}, {SW_BINLOG_NOTHING, "shop", ""}, {SW_BINLOG_NOTHING, "shop", "/* */ "}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (effect(cases[i].statement, cases[i].database) != cases[i].wanted)
            fail_msg("%s (in %s): %d, expected %d", cases[i].statement, cases[i].database, effect(cases[i].statement, cases[i].database), cases[i].wanted);
}

static const char *json_of(const char *bytes, size_t len)
{
    static struct sw_buffer out;
    out.len = 0;
    return sw_binlog_json_write(&out, sw_bytes_of(bytes, len), NULL) == SW_OK ? sw_buffer_text(&out) : "none";
}
#define JSON(bytes) json_of(bytes, sizeof(bytes) - 1)

static void binary_json_of_mysql_is_text(void **state)
{
    (void)state;
    assert_string_equal(JSON("\x04\x00"), "null");
    assert_string_equal(JSON("\x0c\x03" "a\"b"), "\"a\\\"b\"");
    /* {"a": 1, "bc": [true, -2]} */
    assert_string_equal(JSON("\x00\x02\x00\x1f\x00\x12\x00\x01\x00\x13\x00\x02\x00\x05\x01\x00\x02\x15\x00" "abc" "\x02\x00\x0a\x00\x04\x01\x00\x05\xfe\xff"), "{\"a\":1,\"bc\":[true,-2]}");
    assert_string_equal(JSON("\x0b\x00\x00\x00\x00\x00\x00\xf8\x3f"), "1.5");
    assert_string_equal(JSON("\x0f\xf6\x03\x04\x02\x80"), "none"); /* shorter than its digits */
    assert_string_equal(JSON("\x0f\xf6\x04\x04\x02\x8c\x22"), "12.34");
    assert_string_equal(JSON("\x0f\x0c\x08\x00\x00\x00\x00\x00\x00\x00\x00"), "\"0000-00-00 00:00:00.000000\"");
    assert_string_equal(JSON("\x0f\xfc\x02\x00\xff"), "\"base64:type252:AP8=\"");
    assert_string_equal(JSON(""), "null");
    /* an array that is its own element, one that is longer than its bytes, a text of which only the length is there */
    assert_string_equal(JSON("\x02\x01\x00\x07\x00\x02\x00\x00"), "none");
    assert_string_equal(JSON("\x02\xff\xff\x07\x00\x04\x00\x00"), "none");
    assert_string_equal(JSON("\x0c\xff\xff\xff\xff\x0f"), "none");
}

static void numbers_have_a_point_in_every_locale(void **state)
{
    (void)state;
    struct sw_buffer out = {0};
    struct sw_binlog_room room = {.bytes_max = 100};
    const struct sw_binlog_column column = {.type = SW_BINLOG_DOUBLE, .size = 8};
    const double value = 0.5;
    if (!set_comma_locale())
        skip();
    assert_string_equal(JSON("\x0b\0\0\0\0\0\0\xe0\x3f"), "0.5");
    assert_int_equal(sw_binlog_value_write(&out, &column, sw_bytes_of(&value, 8), &room, NULL), SW_OK);
    assert_string_equal(sw_buffer_text(&out), "0.5");
    sw_buffer_free(&out);
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_read_with_the_names_signs_charsets_and_labels_of_the_log),
        cmocka_unit_test(a_transaction_is_handed_out_at_its_end_and_what_was_rolled_back_never),
        cmocka_unit_test(a_transaction_too_large_to_wait_for_comes_out_the_same),
        cmocka_unit_test(compressed_rows_and_statements_are_unpacked),
        cmocka_unit_test(a_record_that_is_too_long_is_told_and_the_next_one_read),
        cmocka_unit_test(checksums_are_looked_at),
        cmocka_unit_test(no_cut_log_is_read_past_its_end),
        cmocka_unit_test(a_table_that_is_not_todays_is_refused_where_the_log_has_no_names),
        cmocka_unit_test(rows_of_which_nothing_was_logged_are_a_failure_and_not_nothing),
        cmocka_unit_test(an_enum_with_the_label_compressed_is_not_compressed),
        cmocka_unit_test(statements_are_told_apart_by_what_they_do_to_the_table),
        cmocka_unit_test(binary_json_of_mysql_is_text),
        cmocka_unit_test(numbers_have_a_point_in_every_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
