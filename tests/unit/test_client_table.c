#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "text/client_table.h"

static void expect_cell(const char *text, const char *column, size_t row, const char *expected)
{
    struct sw_client_tables tables;
    assert_int_equal(sw_client_tables_read(&tables, sw_bytes_text(text), NULL), SW_OK);
    const struct sw_client_table *table = sw_client_tables_find(&tables, column);
    if (!table)
        fail_msg("no table with column %s in:\n%s", column, text);
    assert_true(row < table->row_count);
    struct sw_bytes cell = sw_client_table_cell(table, row, column);
    if (!sw_bytes_is(cell, expected))
        fail_msg("column %s, row %zu: expected '%s', found '%.*s'", column, row, expected, (int)cell.len, (const char *)cell.at);
    sw_client_tables_free(&tables);
}

static void mysql_boxes_are_read_with_values_over_several_lines(void **state)
{
    (void)state;
    static const char text[] = "mysql> SHOW MASTER STATUS;\n"
        "+---------------+----------+--------------+------------------+----------------------------------------+\n"
        "| File          | Position | Binlog_Do_DB | Binlog_Ignore_DB | Executed_Gtid_Set                      |\n"
        "+---------------+----------+--------------+------------------+----------------------------------------+\n"
        "| binlog.000004 |      197 |              |                  | 3a1f0000-0000-0000-0000-000000000001:1-5,\n"
        "aaaaaaaa-0000-0000-0000-000000000001:1-7 |\n"
        "+---------------+----------+--------------+------------------+----------------------------------------+\n"
        "1 row in set (0.00 sec)\n\n"
        "mysql> SHOW BINARY LOGS;\n"
        "+---------------+-----------+-----------+\r\n"
        "| Log_name      | File_size | Encrypted |\r\n"
        "+---------------+-----------+-----------+\r\n"
        "| binlog.000003 |       220 | No        |\r\n"
        "| binlog.000004 |       197 | No        |\r\n"
        "+---------------+-----------+-----------+\r\n";
    expect_cell(text, "file", 0, "binlog.000004");
    expect_cell(text, "Position", 0, "197");
    expect_cell(text, "Binlog_Do_DB", 0, "");
    expect_cell(text, "Executed_Gtid_Set", 0, "3a1f0000-0000-0000-0000-000000000001:1-5,\naaaaaaaa-0000-0000-0000-000000000001:1-7");
    expect_cell(text, "log_name", 1, "binlog.000004");
    expect_cell(text, "File_size", 0, "220");
}

static void mysql_batch_output_is_read_with_its_escapes(void **state)
{
    (void)state;
    static const char text[] = "Log_name\tFile_size\nbinlog.000003\t220\nbinlog.000004\t197\n"
        "File\tPosition\tExecuted_Gtid_Set\nbinlog.000004\t197\tu1:1-5,\\nu2:1-7\\\\\n"
        "@@server_uuid\n3a1f0000-0000-0000-0000-000000000001\n@@gtid_mode\nON\n";
    expect_cell(text, "Log_name", 1, "binlog.000004");
    expect_cell(text, "Executed_Gtid_Set", 0, "u1:1-5,\nu2:1-7\\");
    expect_cell(text, "@@server_uuid", 0, "3a1f0000-0000-0000-0000-000000000001");
    expect_cell(text, "@@gtid_mode", 0, "ON");
}

static void mysql_vertical_output_is_read_with_wrapped_sets(void **state)
{
    (void)state;
    static const char text[] = "*************************** 1. row ***************************\n"
        "             File: binlog.000004\n"
        "         Position: 197\n"
        "     Binlog_Do_DB: \n"
        "Executed_Gtid_Set: 3a1f0000-0000-0000-0000-000000000001:1-5,\n"
        "aaaaaaaa-0000-0000-0000-000000000001:1-7\n"
        "1 row in set (0.01 sec)\n\n"
        "*************************** 1. row ***************************\n"
        "Log_name: binlog.000003\nFile_size: 220\n"
        "*************************** 2. row ***************************\n"
        "Log_name: binlog.000004\nFile_size: 197\n";
    expect_cell(text, "Binlog_Do_DB", 0, "");
    expect_cell(text, "Executed_Gtid_Set", 0, "3a1f0000-0000-0000-0000-000000000001:1-5,\naaaaaaaa-0000-0000-0000-000000000001:1-7");
    expect_cell(text, "Log_name", 1, "binlog.000004");
}

static void psql_output_is_read_aligned_unaligned_and_expanded(void **state)
{
    (void)state;
    static const char *const texts[] = {
        ("shop=# select slot_name, restart_lsn, wal_status from pg_replication_slots;\n"
         " slot_name | restart_lsn | wal_status \n-----------+-------------+------------\n a         |             | lost\n b         | 0/16E9A28   | reserved\n(2 rows)\n"),
        "slot_name|restart_lsn|wal_status\na||lost\nb|0/16E9A28|reserved\n(2 rows)\n",
        "-[ RECORD 1 ]----------\nslot_name   | a\nrestart_lsn | \nwal_status  | lost\n-[ RECORD 2 ]----------\nslot_name   | b\nrestart_lsn | 0/16E9A28\nwal_status  | reserved\n",
        "slot_name,restart_lsn,wal_status\na,,lost\nb,0/16E9A28,reserved\n",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        expect_cell(texts[i], "slot_name", 1, "b");
        expect_cell(texts[i], "restart_lsn", 0, "");
        expect_cell(texts[i], "restart_lsn", 1, "0/16E9A28");
        expect_cell(texts[i], "wal_status", 0, "lost");
    }
    expect_cell(" systemid \n----------\n 7301234567890123456\n(1 row)\n", "systemid", 0, "7301234567890123456");
}

static void sqlplus_and_kafka_columns_are_read(void **state)
{
    (void)state;
    static const char oracle[] = "   THREAD#  SEQUENCE# NAME            FIRST_CHANGE#\n---------- ---------- --------------- -------------\n         1         25 /arc/a b.dbf            1000\n         2          7                         1100\n\n";
    expect_cell(oracle, "THREAD#", 0, "1");
    expect_cell(oracle, "NAME", 0, "/arc/a b.dbf");
    expect_cell(oracle, "NAME", 1, "");
    expect_cell(oracle, "FIRST_CHANGE#", 1, "1100");
    expect_cell("\"INCARNATION#\",\"STATUS\"\n1,\"PARENT\"\n", "INCARNATION#", 0, "1");
    expect_cell("\"INCARNATION#\",\"STATUS\"\n1,\"PARENT\"\n", "STATUS", 0, "PARENT");
    static const char kafka[] = "\nGROUP           TOPIC           PARTITION  CURRENT-OFFSET  LOG-END-OFFSET\netl             orders          0          500             700\netl             orders          1          -               9\n";
    expect_cell(kafka, "TOPIC", 0, "orders");
    expect_cell(kafka, "CURRENT-OFFSET", 1, "-");
}

static void what_is_no_table_gives_none_and_what_is_cut_gives_what_is_there(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t tables, rows;
    } cases[] = {
        {"", 0, 0},
        {"\n\n  \n", 0, 0},
        {"+---+\n", 0, 0},
        {"+---+\n| a |", 1, 0},
        {"+---+\n| a |\n+---+\n| 1\n", 1, 0},
        {"*************************** 1. row ***************************", 0, 0},
        {"a|b", 1, 0},
        {"a|b\n1|2|3\n", 1, 0},
        {"Empty set (0.00 sec)\n", 0, 0},
        {"ERROR 1381 (HY000): You are not using binary logging\n", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sw_client_tables tables;
        assert_int_equal(sw_client_tables_read(&tables, sw_bytes_text(cases[i].text), NULL), SW_OK);
        if (tables.count != cases[i].tables)
            fail_msg("'%s': expected %zu tables, found %zu", cases[i].text, cases[i].tables, tables.count);
        if (tables.count)
            assert_int_equal(tables.tables[0].row_count, cases[i].rows);
        sw_client_tables_free(&tables);
    }
    struct sw_client_tables tables;
    assert_int_equal(sw_client_tables_read(&tables, sw_bytes_text("a|b\n1|2\n"), NULL), SW_OK);
    assert_null(sw_client_tables_find(&tables, "c"));
    assert_null(sw_client_table_cell(&tables.tables[0], 0, "c").at);
    sw_client_tables_free(&tables);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mysql_boxes_are_read_with_values_over_several_lines),
        cmocka_unit_test(mysql_batch_output_is_read_with_its_escapes),
        cmocka_unit_test(mysql_vertical_output_is_read_with_wrapped_sets),
        cmocka_unit_test(psql_output_is_read_aligned_unaligned_and_expanded),
        cmocka_unit_test(sqlplus_and_kafka_columns_are_read),
        cmocka_unit_test(what_is_no_table_gives_none_and_what_is_cut_gives_what_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
