#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "source/postgres/pgoutput.h"

/* A message as bytes: \0 inside is written as such. */
#define MESSAGE(text) ((struct sw_bytes){(const uint8_t *)(text), sizeof(text) - 1})

static const struct sw_pgoutput_type types[] = {{1007, 1007, 23}, {1009, 1009, 25}, {90001, 1700, 0}, {90002, 25, 0}, {90003, 90003, 16}};

static const char *says(struct sw_pgoutput *self, struct sw_bytes message)
{
    static struct sw_buffer out;
    out.len = 0;
    switch (sw_pgoutput_message(&out, self, message, SW_BYTES_LITERAL("0/10"))) {
    case SW_PGOUTPUT_OK: return sw_buffer_text(&out);
    case SW_PGOUTPUT_MALFORMED: assert_int_equal(out.len, 0); return self->problem;
    case SW_PGOUTPUT_NO_MEMORY: break;
    }
    return "no memory";
}

#define RELATION "R\0\0\0\7public\0t\0d\0\2\1id\0\0\0\0\x17\xff\xff\xff\xff\0note\0\0\0\0\x19\xff\xff\xff\xff"
#define BEGIN "B\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2\0\0\2\x2b"

static void rows_become_lines_of_wal2json(void **state)
{
    (void)state;
    struct sw_pgoutput self = {.types = types, .type_count = sizeof types / sizeof *types};
    assert_string_equal(says(&self, MESSAGE(BEGIN)), "{\"action\":\"B\",\"xid\":555,\"lsn\":\"0/1\"}\n");
    assert_string_equal(says(&self, MESSAGE(RELATION)), "");
    assert_string_equal(says(&self, MESSAGE("I\0\0\0\7N\0\2t\0\0\0\1" "5" "t\0\0\0\3a\"b")),
                        "{\"action\":\"I\",\"xid\":555,\"lsn\":\"0/10\",\"schema\":\"public\",\"table\":\"t\",\"columns\":[{\"name\":\"id\",\"type\":\"integer\",\"value\":5},"
                        "{\"name\":\"note\",\"type\":\"text\",\"value\":\"a\\\"b\"}]}\n");
    assert_string_equal(says(&self, MESSAGE("U\0\0\0\7K\0\2t\0\0\0\1" "5" "nN\0\2t\0\0\0\1" "6" "u")),
                        "{\"action\":\"U\",\"xid\":555,\"lsn\":\"0/10\",\"schema\":\"public\",\"table\":\"t\",\"columns\":[{\"name\":\"id\",\"type\":\"integer\",\"value\":6}],"
                        "\"identity\":[{\"name\":\"id\",\"type\":\"integer\",\"value\":5}]}\n");
    assert_string_equal(says(&self, MESSAGE("D\0\0\0\7O\0\2t\0\0\0\1" "5" "n")),
                        "{\"action\":\"D\",\"xid\":555,\"lsn\":\"0/10\",\"schema\":\"public\",\"table\":\"t\",\"identity\":[{\"name\":\"id\",\"type\":\"integer\",\"value\":5},"
                        "{\"name\":\"note\",\"type\":\"text\",\"value\":null}]}\n");
    assert_string_equal(says(&self, MESSAGE("T\0\0\0\1\0\0\0\0\7")), "{\"action\":\"T\",\"xid\":555,\"lsn\":\"0/10\",\"schema\":\"public\",\"table\":\"t\"}\n");
    assert_string_equal(says(&self, MESSAGE("C\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\3")), "{\"action\":\"C\",\"xid\":555,\"lsn\":\"0/1\"}\n");
    assert_string_equal(says(&self, MESSAGE("Y\0\0\0\1public\0mood\0")), "");
    sw_pgoutput_free(&self);
}

static void a_table_may_be_described_anew(void **state)
{
    (void)state;
    struct sw_pgoutput self = {0};
    assert_string_equal(says(&self, MESSAGE(RELATION)), "");
    assert_string_equal(says(&self, MESSAGE("R\0\0\0\7public\0t\0d\0\1\1id\0\0\0\0\x17\xff\xff\xff\xff")), "");
    assert_string_equal(says(&self, MESSAGE("I\0\0\0\7N\0\1t\0\0\0\1" "5")), "{\"action\":\"I\",\"xid\":0,\"lsn\":\"0/10\",\"schema\":\"public\",\"table\":\"t\",\"columns\":[{\"name\":\"id\",\"type\":\"integer\",\"value\":5}]}\n");
    assert_int_equal(self.relation_count, 1);
    sw_pgoutput_free(&self);
}

static void each_of_very_many_tables_is_found(void **state)
{
    (void)state;
    struct sw_pgoutput self = {0};
    for (int turn = 0; turn < 2; turn++)
        for (uint32_t i = 0; i < 65536; i++) {
            const uint32_t id = i * 65537;
            char relation[] = "R\0\0\0\7public\0t00000\0d\0\1\1id\0\0\0\0\x17\xff\xff\xff\xff", row[] = "I\0\0\0\7N\0\1t\0\0\0\1" "5", name[8], wanted[16];
            snprintf(name, sizeof name, "t%05u", i);
            snprintf(wanted, sizeof wanted, "\"%s\"", name);
            for (int k = 0; k < 4; k++)
                relation[1 + k] = row[1 + k] = (char)(id >> (24 - 8 * k));
            memcpy(relation + 12, name, 6);
            if (turn == 0)
                assert_string_equal(says(&self, MESSAGE(relation)), "");
            else
                assert_non_null(strstr(says(&self, MESSAGE(row)), wanted));
        }
    assert_int_equal(self.relation_count, 65536);
    sw_pgoutput_free(&self);
}

static void values_are_json_of_their_type(void **state)
{
    (void)state;
    static const struct { uint32_t type; const char *text, *json; } cases[] = {
        {23, "-5", "-5"}, {1700, "1.10", "1.10"}, {1700, "NaN", "\"NaN\""}, {701, "-Infinity", "\"-Infinity\""}, {701, "1e+20", "1e+20"}, {16, "t", "true"}, {16, "x", "\"x\""}, {25, "t", "\"t\""}, {17, "\\x00ff", "\"\\\\x00ff\""},
        {90001, "7.50", "7.50"}, {90002, "sad", "\"sad\""}, {1007, "{}", "[]"}, {1007, "{1,NULL,-3}", "[1,null,-3]"}, {1007, "{{1,2},{3,4}}", "[[1,2],[3,4]]"}, {1007, "[0:1]={1,2}", "[1,2]"},
        {1009, "{a,\"b \\\"c\\\\\",\"\",\"NULL\",null}", "[\"a\",\"b \\\"c\\\\\",\"\",\"NULL\",null]"}, {90003, "{t,f}", "[true,false]"}, {1007, "", NULL}, {1007, "{1", NULL}, {1007, "{1,}", NULL}, {1007, "{1}}", NULL}, {1007, "{,}", NULL}, {1009, "{\"a}", NULL}, {1009, "{a\\", NULL}};
    struct sw_pgoutput self = {.types = types, .type_count = sizeof types / sizeof *types};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sw_buffer out = {0};
        bool good = sw_pgoutput_value(&out, &self, cases[i].type, sw_bytes_text(cases[i].text));
        if (good != (cases[i].json != NULL) || (good && strcmp(sw_buffer_text(&out), cases[i].json) != 0))
            fail_msg("%s: %s", cases[i].text, good ? sw_buffer_text(&out) : "refused");
        sw_buffer_free(&out);
    }
}

static void what_is_no_message_is_refused_and_says_nothing(void **state)
{
    (void)state;
    struct sw_pgoutput self = {0};
    assert_non_null(strstr(says(&self, MESSAGE("")), "kind is unknown"));
    assert_non_null(strstr(says(&self, MESSAGE("I\0\0\0\7N\0\1n")), "was not described"));
    assert_string_equal(says(&self, MESSAGE(RELATION)), "");
    const struct { struct sw_bytes message; const char *text; } cases[] = {
        {MESSAGE("?"), "kind is unknown"}, {MESSAGE("B\0\0"), "cut"}, {MESSAGE(BEGIN "x"), "behind its end"}, {MESSAGE("R\0\0\0\7public\0t\0d\0\2\1id"), "cut"}, {MESSAGE("R\0\0\0\7public"), "cut"},
        {MESSAGE("I\0\0\0\7N\0\1n"), "not as many"}, {MESSAGE("I\0\0\0\7N\0\2nb\0\0\0\1x"), "not asked for"}, {MESSAGE("I\0\0\0\7N\0\2nt\xff\xff\xff\xffx"), "cut"}, {MESSAGE("I\0\0\0\7K\0\2nn"), "new values"},
        {MESSAGE("D\0\0\0\7N\0\2nn"), "without its key"}, {MESSAGE("T\xff\xff\xff\xff\0"), "cut"}, {MESSAGE("T\0\0\0\1\0\0\0\0\x9"), "not described"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (!strstr(says(&self, cases[i].message), cases[i].text))
            fail_msg("case %zu: %s", i, says(&self, cases[i].message));
    sw_pgoutput_free(&self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_become_lines_of_wal2json),
        cmocka_unit_test(a_table_may_be_described_anew), cmocka_unit_test(each_of_very_many_tables_is_found),
        cmocka_unit_test(values_are_json_of_their_type),
        cmocka_unit_test(what_is_no_message_is_refused_and_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
