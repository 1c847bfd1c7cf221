#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/memory.h"
#include "source_files.h"

/* A case: the bytes of a file, and what a reader of its blocks must see whatever the block size. */
struct framing_case {
    const char *name;
    struct sw_bytes bytes;
    const char *records;
    uint64_t record_max;
};
#define BYTES(text) {(const uint8_t *)(text), sizeof(text) - 1}

static const struct framing_case cases[] = {
    {"lines", BYTES("{\"a\":1}\n{\"a\":2}\n"), "0@0:1 {\"a\":1}|\n0@8:2 {\"a\":2}|\n", 0},
    {"no-newline", BYTES("a\nbb\nccc"), "0@0:1 a|\n0@2:2 bb|\n0@5:3 ccc\n", 0},
    {"blank-and-crlf", BYTES("\n\r\na\r\n\n"), "0@0:1 |\n0@1:2 \r|\n0@3:3 a\r|\n0@6:4 |\n", 0},
    {"mark", BYTES("\xef\xbb\xbf" "a\n\xef\xbb\xbf" "b\n"), "0@0:1 a|\n0@2:2 \xef\xbb\xbf" "b|\n", 0},
    {"mark-alone", BYTES("\xef\xbb\xbf"), "", 0},
    {"empty", BYTES(""), "", 0},
    {"long-line", BYTES("12345678\n1234567890\n1234567890123456789012345\n123456789\nend"),
     "0@0:1 12345678|\n0@9:2 oversized 11\n0@20:3 oversized 26\n0@46:4 123456789|\n0@56:5 end\n", 10},
    {"long-last-line", BYTES("1234\n12345"), "0@0:1 1234|\n0@5:2 12345\n", 5},
    {"too-long-last-line", BYTES("1234\n123456"), "0@0:1 1234|\n0@5:2 oversized 6\n", 5},
    {"last-line-of-limit", BYTES("12345\n1234"), "0@0:1 oversized 6\n0@6:2 1234\n", 5},
    {"quotes.csv", BYTES("id,note\r\n1,\"a\nb\"\r\n2,\"c\r\nd\"\r\n"), "0@0:1 id,note\r|\n0@9:2 1,\"a|b\"\r|\n0@18:4 2,\"c\r|d\"\r|\n", 0},
    {"marked-quotes.csv", BYTES("\xef\xbb\xbfid,note\n1,\"a\nb\"\n2,\"c\nd\""), "0@0:1 id,note|\n0@8:2 1,\"a|b\"|\n0@16:4 2,\"c|d\"\n", 0},
    {"escapes.csv", BYTES("a\n\"\"\n\"\"\"\n\"\"\",\"x\"\n\"\"\"\"\n"), "0@0:1 a|\n0@2:2 \"\"|\n0@5:3 \"\"\"|\"\"\",\"x\"|\n0@17:5 \"\"\"\"|\n", 0},
    {"stray-quotes.csv", BYTES("size\n5\" pipe\n\"6\"\" pipe\"\n\"x\"y\"\n7\"\n"),
     "0@0:1 size|\n0@5:2 5\" pipe|\n0@13:3 \"6\"\" pipe\"|\n0@24:4 \"x\"y\"|\n0@30:5 7\"|\n", 0},
    {"open-quote.csv", BYTES("a,b\n1,\"x\n2,y\n"), "0@0:1 a,b|\n0@4:2 cut 1,\"x|2,y|\n", 0},
    {"open-quote-at-end.csv", BYTES("a\n\""), "0@0:1 a|\n0@2:2 cut \"\n", 0},
    {"long-quoted.csv", BYTES("a\n\"1\n2\n3\n4\n5\n6\"\n7\n"), "0@0:1 a|\n0@2:2 oversized 14\n0@16:8 7|\n", 8},
    {"long-open-quote.csv", BYTES("a\n\"1\n2\n3\n4\n5\n6\n7\n"), "0@0:1 a|\n0@2:2 cut oversized 15\n", 8},
    {"array", BYTES("[{\"a\":1},{\"a\":[2,{}]}, 3 ,\"],\\\"[\" ]"), "0@1:1 {\"a\":1}|\n0@9:2 {\"a\":[2,{}]}|\n0@22:3  3 |\n0@26:4 \"],\\\"[\" |\n", 0},
    {"spread-array", BYTES(" \n[\n  {\n    \"a\": \"x\\\\\"\n  },\n  {}\n]\n\n"), "0@3:1    {     \"a\": \"x\\\\\"   }|\n0@27:2    {} |\n", 0},
    {"newline-in-string", BYTES("[\"a\nb\",2]"), "0@1:1 \"a\rb\"|\n0@7:2 2|\n", 0},
    {"empty-array", BYTES("[]"), "", 0},
    {"bracket-line.ndjson", BYTES("[]\n{\"a\":1}\n"), "0@0:1 []|\n0@3:2 {\"a\":1}|\n", 0},
    {"array-line.jsonl", BYTES(" [\"]\\\"\",{}]\n\n[2]"), "0@0:1  [\"]\\\"\",{}]|\n0@12:2 |\n0@13:3 [2]\n", 0},
    {"array.ndjson", BYTES("[1,\n2]\n\n"), "0@1:1 1|\n0@3:2  2|\n", 0},
    {"blank-array", BYTES("\xef\xbb\xbf [ \n ] \n"), "", 0},
    {"lacking-elements", BYTES("[,1,,2, ,]"), "0@1:1 ,1|\n0@4:2 ,2|\n0@7:3  ,|\n", 0},
    {"comma-at-end", BYTES("[1,]"), "0@1:1 1|\n0@3:2 ]\n", 0},
    {"cut-array", BYTES("[{\"a\":1},{\"a\":"), "0@1:1 {\"a\":1}|\n0@9:2 cut {\"a\":\n", 0},
    {"cut-after-element", BYTES("[{\"a\":1}"), "0@1:1 cut {\"a\":1}\n", 0},
    {"cut-after-comma", BYTES("[{\"a\":1},"), "0@1:1 {\"a\":1}|\n0@9:2 cut\n", 0},
    {"cut-at-begin", BYTES("["), "0@1:1 cut\n", 0},
    {"wrong-bracket", BYTES("[1},[2}},3]"), "0@1:1 1}|\n0@4:2 [2}}|\n0@9:3 3|\n", 0},
    {"long-element", BYTES("[1,{\"a\":\"12345678901234567\"},\"]]]]]]]]],,,,,,,,,,\",2]"), "0@1:1 1|\n0@3:2 oversized 26\n0@29:3 oversized 22\n0@51:4 2|\n", 12},
    {"long-last-element", BYTES("[1,\"12345678901234567\"] "), "0@1:1 1|\n0@3:2 oversized 20\n", 12},
    {"long-cut-element", BYTES("[1,\"1234567890,]1234567"), "0@1:1 1|\n0@3:2 cut oversized 20\n", 12},
    {"values", BYTES("{\n  \"a\": 1\n}\n{\n  \"a\": \"}\n\"\n}\n{}"), "0@0:1 {   \"a\": 1 }|\n0@13:2 {   \"a\": \"}\r\" }|\n0@29:3 {}\n", 0},
    {"decoding", BYTES("BEGIN 5\ntable public.t: INSERT: id[integer]:1 v[text]:'a''\n\nb' n[numeric]:NaN x[text]:null b[bit]:B'01'\ntable public.\"T t\": UPDATE: old-key: id[integer]:1 new-tuple: id[integer]:2 v[text]:unchanged-toast-datum\n"
                       "table public.t: DELETE: (no-tuple-data)\n\ntable public.a, public.b: TRUNCATE: (no-flags)\nmessage: transactional: 1 prefix: p, sz: 3 content:'\n'\nCOMMIT 5 (at 2026-01-28 12:00:00+00)\ntable public.t: INSERT: id[integer]:x\n"
                       "table public.t: INSERT: id[integer]:9 v[text]:'open\nCOMMIT 6"),
     "0@0:1 {\"action\":\"B\",\"xid\":5}|\n"
     "0@23:2 {\"action\":\"I\",\"schema\":\"public\",\"table\":\"t\",\"columns\":[{\"name\":\"id\",\"type\":\"integer\",\"value\":1},{\"name\":\"v\",\"type\":\"text\",\"value\":\"a'\\n\\nb\"},{\"name\":\"n\",\"type\":\"numeric\",\"value\":\"NaN\"},{\"name\":\"x\",\"type\":\"text\",\"value\":null},{\"name\":\"b\",\"type\":\"bit\",\"value\":\"01\"}]}|\n"
     "0@289:3 {\"action\":\"U\",\"schema\":\"public\",\"table\":\"T t\",\"identity\":[{\"name\":\"id\",\"type\":\"integer\",\"value\":1}],\"columns\":[{\"name\":\"id\",\"type\":\"integer\",\"value\":2}]}|\n"
     "0@443:4 {\"action\":\"D\",\"schema\":\"public\",\"table\":\"t\"}|\n"
     "0@488:5 |\n"
     "0@489:6 {\"action\":\"T\",\"schema\":\"public\",\"table\":\"a\"}|\n"
     "0@534:7 {\"action\":\"T\",\"schema\":\"public\",\"table\":\"b\"}|\n"
     "0@579:8 {\"action\":\"M\"}|\n"
     "0@594:9 {\"action\":\"C\",\"xid\":5,\"timestamp\":\"2026-01-28 12:00:00+00\"}|\n"
     "0@654:10 {\"test_decoding\":\"table public.t: INSERT: id[integer]:x\"}|\n"
     "0@712:11 {\"test_decoding\":\"table public.t: INSERT: id[integer]:9 v[text]:'open\\nCOMMIT 6\"}|\n", 0},
    {"decoding-with-lsn", BYTES("0/15B0638|751|BEGIN 751\n0/15B0638|751|table public.t: INSERT: id[integer]:1\n0/15B0708|751|COMMIT 751\n"),
     "0@0:1 {\"action\":\"B\",\"xid\":751}|\n0@25:2 {\"action\":\"I\",\"lsn\":\"0/15B0638\",\"xid\":751,\"schema\":\"public\",\"table\":\"t\",\"columns\":[{\"name\":\"id\",\"type\":\"integer\",\"value\":1}]}|\n0@151:3 {\"action\":\"C\",\"xid\":751}|\n", 0},
    {"psql", BYTES("\\set x\n data \n------\n {\"action\":\"B\"}\n {     +\n \"change\": [ +\n ]    +\n }\n(2 rows)\n\n lsn | xid | data\n-----+-----+------\n 0/A | 5 | {\"action\":\"I\"}\n 0/A | 5 | COMMIT 5\n 0/A | 5 | x\n\n n\n---\n {}\n k\n(1 row)\n"),
     "0@0:1 {\"psql\":true}|\n0@14:2 {\"psql\":true}|\n0@28:3 {\"psql\":true}|\n0@42:4 {\"action\":\"B\"}|\n0@57:5 { \"change\": [ ] }|\n0@75:6 |\n0@76:7 |\n0@77:8 |\n0@78:9 {\"psql\":true}|\n0@92:10 |\n"
     "0@93:11 {\"psql\":true}|\n0@107:12 {\"psql\":true}|\n0@121:13 {\"lsn\":\"0/A\",\"action\":\"I\"}|\n0@148:14 {\"action\":\"C\",\"xid\":5}|\n0@171:15 {\"test_decoding\":\"x\"}|\n"
     "0@193:16 |\n0@194:17 {\"psql\":true}|\n0@208:18 {\"psql\":true}|\n0@222:19 {}|\n0@225:20 {\"psql\":true}|\n0@239:21 {\"psql\":true}|\n", 0},
    {"psql-expanded", BYTES("-[ RECORD 1 ]--\nlsn  | 0/A\nxid  | 5\ndata | {\"action\":\"I\"}\n-[ RECORD 2 ]--\ndata | {    +\n     | \"change\":[ +\n     | ]}\n"),
     "0@0:1 {\"psql\":true}|\n0@14:2 {\"psql\":true}|\n0@28:3 {\"psql\":true}|\n0@42:4 {\"lsn\":\"0/A\",\"action\":\"I\"}|\n0@69:5 {\"psql\":true}|\n0@83:6 { \"change\":[ ]}|\n0@99:7 |\n0@100:8 |\n", 0},
    {"psql-torn", BYTES(" data\n----\n {\"action\":\"I\",\n {\"action\":\"C\"}\n"),
     "0@0:1 {\"psql\":true}|\n0@14:2 {\"psql\":true}|\n0@28:3 {\"action\":\"I\",|\n0@43:4 {\"action\":\"C\"}|\n", 0},
    {"psql-unaligned", BYTES("lsn|xid|data\n0/A|5|{\"action\":\"I\"}\n0/B|5|{\"action\":\"C\"}\n0/B|6|{\"change\":[]}\n0/C|7|{\"change\":[],\"nextlsn\":\"0/F\"}\nx\n(4 rows)\n"),
     "0@0:1 {\"psql\":true}|\n0@14:2 {\"lsn\":\"0/A\",\"action\":\"I\"}|\n0@41:3 {\"action\":\"C\"}|\n0@56:4 {\"nextlsn\":\"0/B\",\"change\":[]}|\n0@86:5 {\"change\":[],\"nextlsn\":\"0/F\"}|\n0@116:6 {\"test_decoding\":\"x\"}|\n0@138:7 {\"psql\":true}|\n", 0},
    {"console", BYTES("CreateTime:7\tPartition:0\tOffset:41\tNO_HEADERS\t{\"id\":1}\t{\"a\":1}\r\nPartition:0\tOffset:42\t{\"id\":1}\tnull\n\nnull\t{\"a\":2}\na\tb\tc\td\nProcessed\n"),
     "0@0:1 {\"topic\":\".\",\"partition\":0,\"offset\":41,\"ts\":7,\"key\":\"{\\\"id\\\":1}\",\"payload\":\"{\\\"a\\\":1}\"}|\n0@88:2 {\"topic\":\".\",\"partition\":0,\"offset\":42,\"key\":\"{\\\"id\\\":1}\",\"payload\":null}|\n0@162:3 |\n"
     "0@163:4 {\"topic\":\".\",\"payload\":\"{\\\"a\\\":2}\"}|\n0@199:5 a\tb\tc\td|\n0@207:6 Processed|\n", 0},
    {"objects", BYTES("{\"a\":\"}{\"}{\"a\":\n2} {\"a\":3},\n{\"a\":4},\n{\"a\":\n{\"a\":6}"), "0@0:1 {\"a\":\"}{\"}|\n0@11:2 {\"a\": 2}|\n0@20:3 {\"a\":3}|\n0@28:4 {\"a\":4}|\n0@36:5 {\"a\":|\n0@42:6 {\"a\":6}|\n", 0},
    {"chunk-at-begin", BYTES("{\"change\":[\n{\"a\":1}\n,{\"a\":2}\n]}\n{\"change\":[]}\n"), "0@0:1 {\"change\":[ {\"a\":1} ,{\"a\":2} ]}|\n0@32:2 {\"change\":[]}|\n", 0},
    {"two-on-a-line.ndjson", BYTES("{\"a\":1} {\"a\":2}\n"), "0@0:1 {\"a\":1} {\"a\":2}|\n", 0},
    {"no-decoding.csv", BYTES("BEGIN\nCOMM\n"), "0@0:1 BEGIN|\n0@6:2 COMM|\n", 0},
    {"comment", BYTES("\xef\xbb\xbf/* a\n * b\n */ {\"a\":1}\n{\"/*\":2}\n"), "0@0:1     |\n0@5:2     |\n0@10:3     {\"a\":1}|\n0@22:4 {\"/*\":2}|\n", 0},
    {"commented-array", BYTES("# a\n[1,\n2]\n"), "0@5:1 1|\n0@7:2  2|\n", 0},
    {"commented-values", BYTES("// a\n{\n\"a\":1}\n{}\n"), "0@0:1     |\n0@5:2 { \"a\":1}|\n0@14:3 {}|\n", 0},
    {"chunks", BYTES("{\"change\":[]}\n{\"change\":[\n{\"a\":1}\n,{\"a\":2}\n]}\n"), "0@0:1 {\"change\":[]}|\n0@14:2 {\"change\":[ {\"a\":1} ,{\"a\":2} ]}|\n", 0},
    {"torn-list", BYTES("{\"change\":[{\"a\":\n{\"change\":[]}\n"), "0@0:1 {\"change\":[{\"a\":|\n0@17:2 {\"change\":[]}|\n", 0},
    {"cut-values", BYTES("{\n  \"a\": 1\n}\n\n{\n  \"a\":"), "0@0:1 {   \"a\": 1 }|\n0@13:2 |\n0@14:3 cut {   \"a\":\n", 0},
    {"stray-close", BYTES("{\n \"a\": 1\n}}}\n{\n}\n"), "0@0:1 {  \"a\": 1 }}}|\n0@14:2 { }|\n", 0},
};

static void every_block_size_shows_the_same_records(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        write_file(cases[c].name, cases[c].bytes);
        char expected[2048], hex[SW_DIGEST_HEX_SIZE];
        struct sw_digest *digest;
        assert_int_equal(sw_digest_open(&digest, NULL), SW_OK);
        sw_digest_add(digest, cases[c].bytes.at, cases[c].bytes.len);
        assert_int_equal(sw_digest_finish(hex, digest, NULL), SW_OK);
        sw_digest_close(&digest);
        snprintf(expected, sizeof expected, "%snone %zu %s\n", cases[c].records, cases[c].bytes.len, hex);
        for (uint64_t size = 0; size <= 200; size++) {
            struct sw_error error = {0};
            struct sw_buffer log = {0};
            struct sw_source_options options = {.block_bytes = size, .record_bytes_max = cases[c].record_max, .sha256 = true};
            enum sw_code code = read_all(&log, (const char *[]){cases[c].name}, 1, &options, &error);
            if (code != SW_END || strcmp(sw_buffer_text(&log), expected) != 0)
                fail_msg("%s with blocks of %llu: code %d %s\n%s--- expected\n%s", cases[c].name, (unsigned long long)size, code, error.text, log.at, expected);
            sw_buffer_free(&log);
        }
    }
}

/* Each line would cost a look at all that is there. */
static void objects_that_never_end_are_cut_off_in_few_pieces(void **state)
{
    (void)state;
    struct sw_buffer text = {0}, log = {0};
    struct sw_error error = {0};
    size_t records = 0;
    sw_buffer_add_text(&text, "{\"a\":1},{\"a\":2},\n");
    while (text.len < 300000)
        sw_buffer_add_text(&text, " {\n");
    sw_buffer_add_text(&text, "{\"a\":3}\n");
    write_file("endless", sw_buffer_view(&text));
    assert_int_equal(read_all(&log, (const char *[]){"endless"}, 1, &(struct sw_source_options){.record_bytes_max = 1000}, &error), SW_END);
    const char *shown = sw_buffer_text(&log);
    for (const char *at = shown; (at = strchr(at, '|')); at++)
        records++;
    assert_in_range(records, 3, 40);
    assert_non_null(strstr(shown, " {\"a\":2}|\n"));
    assert_non_null(strstr(shown, " {\"a\":3}|\n"));
    sw_buffer_free(&text);
    sw_buffer_free(&log);
}

static void a_compressed_input_shows_what_the_plain_one_shows(void **state)
{
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (const char *const *kind = test_compressions; *kind; kind++) {
            char name[64], expected[2048];
            const char *ending = strcmp(*kind, "gzip") == 0 ? "gz" : strcmp(*kind, "zstd") == 0 ? "zst" : *kind;
            snprintf(name, sizeof name, "%s.%s", cases[c].name, ending);
            struct sw_buffer packed = pack(*kind, cases[c].bytes);
            write_file(name, sw_buffer_view(&packed));
            snprintf(expected, sizeof expected, "%s%s %zu \n", cases[c].records, *kind, packed.len);
            sw_buffer_free(&packed);
            for (uint64_t size = 1; size <= 200; size += 1 + size / 8) {
                struct sw_error error = {0};
                struct sw_buffer log = {0};
                struct sw_source_options options = {.block_bytes = size, .record_bytes_max = cases[c].record_max};
                enum sw_code code = read_all(&log, (const char *[]){name}, 1, &options, &error);
                if (code != SW_END || strcmp(sw_buffer_text(&log), expected) != 0)
                    fail_msg("%s with blocks of %llu: code %d %s\n%s--- expected\n%s", name, (unsigned long long)size, code, error.text, log.at, expected);
                sw_buffer_free(&log);
            }
        }
}

static void a_stream_shows_what_the_file_shows(void **state)
{
    (void)state;
    int old = dup(0);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int ends[2];
        if (strstr(cases[c].name, "-line."))
            continue; /* its name tells */
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], cases[c].bytes.at, cases[c].bytes.len), cases[c].bytes.len);
        close(ends[1]);
        dup2(ends[0], 0);
        close(ends[0]);
        struct sw_error error = {0};
        struct sw_buffer log = {0};
        bool csv = strstr(cases[c].name, ".csv");
        struct sw_source_options options = {.block_bytes = 7, .record_bytes_max = cases[c].record_max, .csv = csv};
        assert_int_equal(read_all(&log, (const char *[]){"-"}, 1, &options, &error), SW_END);
        assert_memory_equal(log.at, cases[c].records, strlen(cases[c].records));
        sw_buffer_free(&log);
    }
    dup2(old, 0);
    close(old);
}

static void several_inputs_come_one_after_the_other_and_empty_ones_give_no_block(void **state)
{
    (void)state;
    write_file("b", SW_BYTES_LITERAL("2"));
    write_file("a", SW_BYTES_LITERAL("1\n"));
    write_file("c", SW_BYTES_LITERAL(""));
    write_file("d", SW_BYTES_LITERAL("[4]"));
    struct sw_error error = {0};
    struct sw_buffer log = {0};
    assert_int_equal(read_all(&log, (const char *[]){"c", "b", "[ad]"}, 3, &(struct sw_source_options){0}, &error), SW_END);
    assert_string_equal(sw_buffer_text(&log), "1@0:1 2\n2@0:1 1|\n3@1:1 4|\nnone 0 \nnone 1 \nnone 2 \nnone 3 \n");
    sw_buffer_free(&log);
    assert_int_equal(read_all(&log, NULL, 0, &(struct sw_source_options){0}, &error), SW_END);
    assert_int_equal(log.len, 0);
    sw_buffer_free(&log);
}

static void what_is_told_of_an_input_before_it_is_read(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct sw_source *source;
    write_file("x.csv", SW_BYTES_LITERAL("\xef\xbb\xbfid\n1\n"));
    write_file("y", SW_BYTES_LITERAL(" [1]"));
    assert_int_equal(sw_source_open(&source, (const char *[]){"x.csv", "y"}, 2, &(struct sw_source_options){0}, &error), SW_OK);
    assert_int_equal(sw_source_input_count(source), 2);
    assert_int_equal(sw_source_stored_total(source), 12);
    assert_int_equal(sw_source_stored_done(source), 0);
    const struct sw_input *x = sw_source_input(source, 0), *y = sw_source_input(source, 1);
    assert_string_equal(x->locator, "x.csv");
    assert_int_equal(x->framing, SW_FRAMING_CSV);
    assert_true(sw_bytes_is(x->head, "id\n1\n"));
    assert_int_equal(x->stored_bytes, 8);
    assert_true(x->regular);
    assert_int_equal(y->framing, SW_FRAMING_ARRAY);
    assert_true(sw_bytes_is(y->head, " [1]"));
    struct stat status;
    assert_int_equal(stat("y", &status), 0);
    assert_true(sw_file_id_equal(y->id, sw_file_id_of(&status)));
    struct sw_block block = {0};
    assert_int_equal(sw_source_next(&block, source, &error), SW_OK);
    assert_int_equal(sw_source_next(&block, source, &error), SW_OK);
    assert_int_equal(sw_source_next(&block, source, &error), SW_END);
    assert_int_equal(sw_source_next(&block, source, &error), SW_END);
    assert_int_equal(sw_source_stored_done(source), 12);
    sw_block_free(&block);
    sw_source_close(&source);
}

static void refused(const char *name, enum sw_code code, const char *text)
{
    struct sw_error error = {0};
    struct sw_source *source = (void *)1;
    enum sw_code found = sw_source_open(&source, &name, 1, &(struct sw_source_options){0}, &error);
    if (found != code || !strstr(error.text, text))
        fail_msg("%s: code %d: %s", name, found, error.text);
    assert_null(source);
}

static void names_that_lead_nowhere_are_explained(void **state)
{
    (void)state;
    write_file("expected.ndjson", SW_BYTES_LITERAL("{}\n"));
    write_file("events.ndjson", SW_BYTES_LITERAL("{}\n"));
    refused("expcted.ndjson", SW_ERR_INPUT, "no such file: expcted.ndjson; did you mean expected.ndjson?");
    refused("./evnets.ndjson", SW_ERR_INPUT, "no such file: ./evnets.ndjson; did you mean ./events.ndjson?");
    refused("Baseline.parquet", SW_ERR_INPUT, "no such file: Baseline.parquet");
    refused("nowhere/events.ndjson", SW_ERR_INPUT, "the directory nowhere/ cannot be opened");
    refused("*.csv", SW_ERR_INPUT, "no file matches *.csv");
    refused("", SW_ERR_INPUT, "empty");
    refused("oracle://user:secret@host/db#t", SW_ERR_UNSUPPORTED, "input oracle:");
    refused("other://host/t", SW_ERR_UNSUPPORTED, "input other:");
    refused("events.ndjson/x", SW_ERR_INPUT, "no such file");
    struct sw_error error = {0};
    struct sw_source *source;
    assert_int_equal(sw_source_open(&source, (const char *[]){"oracle://u:secret@h/d"}, 1, &(struct sw_source_options){0}, &error), SW_ERR_UNSUPPORTED);
    assert_null(strstr(error.text, "secret"));
    static const char *const mistyped[] = {"postgresql:/u:secret@h/d#t", "u:secret@h/d?sslmode=require#t", "postgresql//u:secret@h/d", "u:sec@ret@h/d"};
    for (size_t i = 0; i < sizeof mistyped / sizeof *mistyped; i++) {
        error = (struct sw_error){0};
        assert_int_equal(sw_source_open(&source, &mistyped[i], 1, &(struct sw_source_options){0}, &error), SW_ERR_INPUT);
        assert_non_null(strstr(error.text, "a database is named SCHEME://USER@HOST"));
        assert_null(strstr(error.text, "sec"));
    }
}

static void a_file_of_no_bytes_is_cut_where_its_name_says_that_it_is_compressed(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct sw_buffer log = {0};
    static const char *const packed[] = {"a.ndjson.gz", "b.csv.GZ", "c.zst", "d.jsonl.lz4"};
    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        write_file(packed[i], SW_BYTES_LITERAL(""));
        refused(packed[i], SW_ERR_INPUT, "the file is empty, and its name says that it is compressed");
    }
    write_file("gz", SW_BYTES_LITERAL(""));
    write_file("plain.gz", SW_BYTES_LITERAL("1\n"));
    assert_int_equal(read_all(&log, (const char *[]){"gz", "plain.gz"}, 2, &(struct sw_source_options){0}, &error), SW_END);
    assert_string_equal(sw_buffer_text(&log), "1@0:1 1|\nnone 0 \nnone 2 \n");
    sw_buffer_free(&log);
}

static void a_directory_gives_its_visible_files_by_bytes(void **state)
{
    (void)state;
    assert_int_equal(mkdir("empty", 0700), 0);
    refused("empty", SW_ERR_INPUT, "directory empty: no file is in it");
    refused("e*y", SW_ERR_INPUT, "only directories do");
    assert_int_equal(rmdir("empty"), 0);
    write_file("b", SW_BYTES_LITERAL("2\n"));
    write_file("B", SW_BYTES_LITERAL("1\n"));
    write_file(".hidden", SW_BYTES_LITERAL("0\n"));
    assert_int_equal(mkdir("sub", 0700), 0);
    struct sw_error error = {0};
    struct sw_buffer log = {0};
    assert_int_equal(read_all(&log, (const char *[]){"./"}, 1, &(struct sw_source_options){0}, &error), SW_END);
    assert_string_equal(sw_buffer_text(&log), "0@0:1 1|\n1@0:1 2|\nnone 2 \nnone 2 \n");
    sw_buffer_free(&log);
    assert_int_equal(rmdir("sub"), 0);
}

static void a_file_is_read_once_in_a_role(void **state)
{
    (void)state;
    write_file("a", SW_BYTES_LITERAL("1\n"));
    assert_int_equal(link("a", "hard"), 0);
    struct sw_error error = {0};
    struct sw_source *source;
    assert_int_equal(sw_source_open(&source, (const char *[]){"a", "a"}, 2, &(struct sw_source_options){0}, &error), SW_ERR_INPUT);
    assert_non_null(strstr(error.text, "input a: it is given twice"));
    error = (struct sw_error){0};
    assert_int_equal(sw_source_open(&source, (const char *[]){"a", "./hard"}, 2, &(struct sw_source_options){0}, &error), SW_ERR_INPUT);
    assert_non_null(strstr(error.text, "input ./hard: it is the same file as a"));
    error = (struct sw_error){0};
    assert_int_equal(sw_source_open(&source, (const char *[]){"-", "a", "-"}, 3, &(struct sw_source_options){0}, &error), SW_ERR_INPUT);
    assert_non_null(strstr(error.text, "standard input is named twice"));
}

static void a_name_with_pattern_signs_that_is_a_file_is_that_file(void **state)
{
    (void)state;
    write_file("a[1].ndjson", SW_BYTES_LITERAL("1\n"));
    write_file("a1.ndjson", SW_BYTES_LITERAL("2\n"));
    struct sw_error error = {0};
    struct sw_buffer log = {0};
    assert_int_equal(read_all(&log, (const char *[]){"a[1].ndjson"}, 1, &(struct sw_source_options){0}, &error), SW_END);
    assert_string_equal(sw_buffer_text(&log), "0@0:1 1|\nnone 2 \n");
    sw_buffer_free(&log);
}

static void what_is_no_text_is_refused_with_the_way_out(void **state)
{
    (void)state;
    static const struct {
        struct sw_bytes bytes;
        enum sw_code code;
        const char *text;
    } kinds[] = {
        {BYTES("\xff\xfe{\0}\0\n\0"), SW_ERR_INPUT, "iconv"},
        {BYTES("\xfe\xff\0{\0}"), SW_ERR_INPUT, "UTF-16"},
        {BYTES("{\0\"\0a\0\"\0:\0001\0}\0\n\0"), SW_ERR_INPUT, "NUL"},
        {BYTES("PAR1\x15\x04"), SW_ERR_UNSUPPORTED, "Parquet"},
        {BYTES("PK\x03\x04zip"), SW_ERR_UNSUPPORTED, "ZIP"},
        {BYTES("\xfd" "7zXZ\0\0"), SW_ERR_UNSUPPORTED, "xz -dc"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        write_file("file", kinds[i].bytes);
        refused("file", kinds[i].code, kinds[i].text);
    }
    write_file("file", SW_BYTES_LITERAL("{\"a\":\"x\0y\0z\0\0 is text with NUL inside\"}\n")); /* 4 of 42: data, if bad data */
    struct sw_error error = {0};
    struct sw_buffer log = {0};
    assert_int_equal(read_all(&log, (const char *[]){"file"}, 1, &(struct sw_source_options){0}, &error), SW_END);
    sw_buffer_free(&log);
}

static void csv_needs_a_header_line(void **state)
{
    (void)state;
    write_file("x.csv", SW_BYTES_LITERAL(""));
    write_file("y.csv", SW_BYTES_LITERAL("\xef\xbb\xbf"));
    write_file("z", SW_BYTES_LITERAL(""));
    refused("x.csv", SW_ERR_INPUT, "a CSV header line was expected");
    refused("y.csv", SW_ERR_INPUT, "a CSV header line was expected");
    struct sw_error error = {0};
    struct sw_source *source;
    assert_int_equal(sw_source_open(&source, (const char *[]){"z"}, 1, &(struct sw_source_options){.csv = true}, &error), SW_ERR_INPUT);
}

static void other_quotes_and_delimiters_are_followed(void **state)
{
    (void)state;
    write_file("x.csv", SW_BYTES_LITERAL("a;b\n'1\n';\"2\n3;'4''\n'\n"));
    for (uint64_t size = 1; size < 30; size++) {
        struct sw_error error = {0};
        struct sw_buffer log = {0};
        struct sw_source_options options = {.block_bytes = size, .csv_quote = '\'', .csv_delimiter = ';'};
        struct sw_source *source;
        struct sw_block block = {0};
        assert_int_equal(sw_source_open(&source, (const char *[]){"x.csv"}, 1, &options, &error), SW_OK);
        while (sw_source_next(&block, source, &error) == SW_OK) {
            assert_int_equal(block.data[block.len - 1], '\n');
            assert_true(block.offset == 0 || block.offset == 4 || block.offset == 12);
        }
        assert_int_equal(sw_source_input(source, 0)->decoded_bytes, 21);
        sw_block_free(&block);
        sw_source_close(&source);
        sw_buffer_free(&log);
    }
}

static void bytes_after_an_array_are_an_error_with_their_place(void **state)
{
    (void)state;
    write_file("a", SW_BYTES_LITERAL("[1,2]\n [3]"));
    for (uint64_t size = 1; size < 20; size++) {
        struct sw_error error = {0};
        struct sw_buffer log = {0};
        assert_int_equal(read_all(&log, (const char *[]){"a"}, 1, &(struct sw_source_options){.block_bytes = size}, &error), SW_ERR_INPUT);
        assert_non_null(strstr(error.text, "more data begins at byte 7"));
        assert_true(error.has_place);
        assert_int_equal(error.offset, 7);
        assert_string_equal(error.source, "a");
        sw_buffer_free(&log);
    }
}

static void a_long_record_makes_a_block_grow_and_the_budget_knows(void **state)
{
    (void)state;
    enum { LONG = 300000 };
    struct sw_buffer text = {0};
    sw_buffer_add_text(&text, "short\n");
    for (int i = 0; i < LONG; i++)
        sw_buffer_add_byte(&text, 'x');
    sw_buffer_add_text(&text, "\n");
    for (int i = 0; i < 100000; i++)
        sw_buffer_add_text(&text, "short again\n");
    write_file("a", sw_buffer_view(&text));
    struct sw_budget budget;
    sw_budget_init(&budget, UINT64_MAX);
    struct sw_error error = {0};
    struct sw_source *source;
    struct sw_block block = {0};
    struct sw_source_options options = {.block_bytes = 1000, .budget = &budget};
    assert_int_equal(sw_source_open(&source, (const char *[]){"a"}, 1, &options, &error), SW_OK);
    size_t largest = 0, last = 0;
    uint64_t total = 0;
    while (sw_source_next(&block, source, &error) == SW_OK) {
        largest = block.capacity > largest ? block.capacity : largest;
        last = block.capacity;
        total += block.len;
        assert_true(budget.used >= block.capacity);
    }
    assert_int_equal(total, text.len);
    assert_true(largest > LONG && largest < 3 * LONG);
    assert_true(last < 2500); /* what one record needed is not kept for ever */
    sw_block_free(&block);
    sw_source_close(&source);
    assert_int_equal(budget.used, 0);
    sw_buffer_free(&text);
}

static void a_file_that_became_shorter_is_no_shorter_input(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct sw_source *source;
    struct sw_block block = {0};
    write_file("a", SW_BYTES_LITERAL("1\n2\n3\n4\n5\n"));
    assert_int_equal(sw_source_open(&source, (const char *[]){"a"}, 1, &(struct sw_source_options){.block_bytes = 4}, &error), SW_OK);
    assert_int_equal(sw_source_next(&block, source, &error), SW_OK);
    assert_int_equal(truncate("a", 6), 0);
    enum sw_code code;
    while ((code = sw_source_next(&block, source, &error)) == SW_OK) {
    }
    assert_int_equal(code, SW_ERR_IO);
    assert_non_null(strstr(error.text, "the file became shorter while it was read: 10 bytes were expected, 6 are there"));
    assert_int_equal(sw_source_next(&block, source, NULL), SW_ERR_IO);
    sw_source_close(&source);

    error = (struct sw_error){0};
    assert_int_equal(sw_source_open(&source, (const char *[]){"a"}, 1, &(struct sw_source_options){0}, &error), SW_OK);
    assert_int_equal(truncate("a", 3), 0);
    assert_int_equal(sw_source_next(&block, source, &error), SW_ERR_IO);
    assert_non_null(strstr(error.text, "became shorter between its opening and its reading"));
    sw_source_close(&source);

    error = (struct sw_error){0};
    assert_int_equal(sw_source_open(&source, (const char *[]){"a"}, 1, &(struct sw_source_options){0}, &error), SW_OK);
    write_file("other", SW_BYTES_LITERAL("9\n9\n9\n"));
    assert_int_equal(rename("other", "a"), 0);
    assert_int_equal(sw_source_next(&block, source, &error), SW_ERR_IO);
    assert_non_null(strstr(error.text, "was replaced"));
    sw_source_close(&source);
    sw_block_free(&block);
}

static void a_file_that_grew_is_told_as_changed(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct sw_source *source;
    struct sw_block block = {0};
    write_file("a", SW_BYTES_LITERAL("1\n"));
    assert_int_equal(sw_source_open(&source, (const char *[]){"a"}, 1, &(struct sw_source_options){0}, &error), SW_OK);
    write_file("a", SW_BYTES_LITERAL("1\n2\n"));
    assert_int_equal(sw_source_next(&block, source, &error), SW_OK);
    assert_int_equal(sw_source_next(&block, source, &error), SW_END);
    assert_true(sw_source_input(source, 0)->changed);
    assert_int_equal(sw_source_input(source, 0)->stored_bytes, 4);
    sw_source_close(&source);
    sw_block_free(&block);
}

static struct sw_bytes long_text(struct sw_buffer *text)
{
    for (int i = 0; i < 20000; i++)
        sw_buffer_printf(text, "{\"number\":%d}\n", i);
    return sw_buffer_view(text);
}

/* The head grows to what is wanted or to all there is, and nothing of the input is lost by it. */
static void check_grown_head(const char *name, struct sw_bytes text)
{
    struct sw_error error = {0};
    struct sw_source *source;
    assert_int_equal(sw_source_open(&source, &name, 1, &(struct sw_source_options){.sha256 = true}, &error), SW_OK);
    assert_int_equal(sw_source_input(source, 0)->head.len, 64 * 1024);
    assert_int_equal(sw_source_grow_head(source, 0, 100, &error), SW_OK);
    assert_int_equal(sw_source_input(source, 0)->head.len, 64 * 1024);
    const size_t wanted[] = {100000, 1000000};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sw_source_grow_head(source, 0, wanted[i], &error), SW_OK);
        struct sw_bytes head = sw_source_input(source, 0)->head;
        assert_true(sw_bytes_equal(head, sw_bytes_of(text.at, wanted[i] < text.len ? wanted[i] : text.len)));
    }
    struct sw_block block = {0};
    struct sw_buffer all = {0};
    while (sw_source_next(&block, source, &error) == SW_OK)
        sw_buffer_add(&all, block.data, block.len);
    assert_int_equal(error.code, SW_OK);
    assert_true(sw_bytes_equal(sw_buffer_view(&all), text));
    assert_int_equal(strlen(sw_source_input(source, 0)->sha256), 64);
    sw_buffer_free(&all);
    sw_block_free(&block);
    sw_source_close(&source);
}

static void the_head_of_a_file_and_of_a_stream_grows(void **state)
{
    (void)state;
    struct sw_buffer buffer = {0};
    struct sw_bytes text = long_text(&buffer);
    write_file("plain", text);
    check_grown_head("plain", text);
    for (const char *const *compression = test_compressions; *compression; compression++) {
        struct sw_buffer packed = pack(*compression, text);
        write_file("packed", sw_buffer_view(&packed));
        check_grown_head("packed", text);
        sw_buffer_free(&packed);
    }
    assert_int_equal(mkfifo("pipe", 0600), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        FILE *pipe = fopen("pipe", "w");
        _exit(!pipe || fwrite(text.at, 1, text.len, pipe) != text.len || fclose(pipe));
    }
    check_grown_head("pipe", text);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    sw_buffer_free(&buffer);
}

static void a_file_that_changed_under_its_head_is_refused(void **state)
{
    (void)state;
    struct sw_buffer buffer = {0};
    struct sw_bytes text = long_text(&buffer);
    struct sw_error error = {0};
    struct sw_source *source;
    write_file("plain", text);
    assert_int_equal(sw_source_open(&source, (const char *[]){"plain"}, 1, &(struct sw_source_options){0}, &error), SW_OK);
    buffer.at[0] = '[';
    write_file("plain", text);
    assert_int_equal(sw_source_grow_head(source, 0, 100000, &error), SW_ERR_IO);
    assert_non_null(strstr(error.text, "changed"));
    assert_string_equal(error.source, "plain");
    sw_source_close(&source);
    sw_buffer_free(&buffer);
}

static void a_fifo_is_read_as_a_stream(void **state)
{
    (void)state;
    assert_int_equal(mkfifo("fifo", 0600), 0);
    pid_t child = fork();
    if (child == 0) {
        struct sw_buffer text = {0};
        for (int i = 0; i < 50000; i++)
            sw_buffer_printf(&text, "%d\n", i);
        FILE *fifo = fopen("fifo", "w");
        _exit(!fifo || fwrite(text.at, 1, text.len, fifo) != text.len || fclose(fifo));
    }
    struct sw_error error = {0};
    struct sw_source *source;
    struct sw_block block = {0};
    assert_int_equal(sw_source_open(&source, (const char *[]){"fifo"}, 1, &(struct sw_source_options){.sha256 = true, .block_bytes = 10000}, &error), SW_OK);
    assert_int_equal(sw_source_stored_total(source), 0);
    int next = 0;
    while (sw_source_next(&block, source, &error) == SW_OK)
        for (size_t at = 0; at < block.len; next++) {
            char *end;
            assert_int_equal(strtol((char *)block.data + at, &end, 10), next);
            at = (size_t)((uint8_t *)end - block.data) + 1;
        }
    assert_int_equal(next, 50000);
    assert_int_equal(sw_source_input(source, 0)->stored_bytes, 288890);
    assert_string_equal(sw_source_input(source, 0)->sha256, "6d8abe9f22049e2bb850ac164617da140d0d7071a2c199669a8e38e093f07701");
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    sw_source_close(&source);
    sw_block_free(&block);
}

/* Threads. */

struct counting {
    struct sw_source *source;
    uint64_t records, sum;
    enum sw_code code;
};

static void *count_records(void *ctx)
{
    struct counting *counting = ctx;
    struct sw_block block = {0};
    while ((counting->code = sw_source_next(&block, counting->source, NULL)) == SW_OK)
        for (size_t at = 0; at < block.len; counting->records++) {
            char *end;
            counting->sum += (uint64_t)strtoull((char *)block.data + at, &end, 10);
            *end = '\0'; /* written into while others hash */
            at = (size_t)((uint8_t *)end - block.data) + 1;
        }
    sw_block_free(&block);
    return NULL;
}

static void threads_share_the_blocks_and_the_digest_is_that_of_the_file(void **state)
{
    (void)state;
    enum { LINES = 300000, THREADS = 4 };
    struct sw_buffer text = {0};
    for (int i = 0; i < LINES; i++)
        sw_buffer_printf(&text, "%d\n", i);
    char hex[SW_DIGEST_HEX_SIZE];
    struct sw_digest *digest;
    assert_int_equal(sw_digest_open(&digest, NULL), SW_OK);
    sw_digest_add(digest, text.at, text.len);
    assert_int_equal(sw_digest_finish(hex, digest, NULL), SW_OK);
    sw_digest_close(&digest);
    write_file("a", sw_buffer_view(&text));
    write_file("b", sw_buffer_view(&text));
    sw_buffer_free(&text);
    for (uint64_t size = 1000; size <= 100000; size *= 10) {
        struct sw_error error = {0};
        struct sw_source *source;
        struct sw_source_options options = {.block_bytes = size, .sha256 = true};
        assert_int_equal(sw_source_open(&source, (const char *[]){"a", "b"}, 2, &options, &error), SW_OK);
        struct counting counting[THREADS];
        pthread_t threads[THREADS];
        for (int t = 0; t < THREADS; t++) {
            counting[t] = (struct counting){.source = source};
            assert_int_equal(pthread_create(&threads[t], NULL, count_records, &counting[t]), 0);
        }
        uint64_t records = 0, sum = 0;
        for (int t = 0; t < THREADS; t++) {
            pthread_join(threads[t], NULL);
            assert_int_equal(counting[t].code, SW_END);
            records += counting[t].records;
            sum += counting[t].sum;
        }
        assert_int_equal(records, 2 * LINES);
        assert_int_equal(sum, (uint64_t)LINES * (LINES - 1));
        assert_string_equal(sw_source_input(source, 0)->sha256, hex);
        assert_string_equal(sw_source_input(source, 1)->sha256, hex);
        sw_source_close(&source);
    }
}

#ifdef SW_FAULTS
/* Whatever fails, the result is an error or the whole input, never a part of it. */
static void any_call_that_fails_is_a_clean_error(void **state)
{
    (void)state;
    struct sw_buffer text = {0};
    for (int i = 0; i < 400; i++)
        sw_buffer_printf(&text, "%d,\"%*d\n\"\n", i, i % 90, i);
    write_file("a.csv", sw_buffer_view(&text));
    struct sw_buffer packed = pack("gzip", sw_buffer_view(&text));
    write_file("b.csv.gz", sw_buffer_view(&packed));
    write_file("c", SW_BYTES_LITERAL("[1,2,{\"x\":[3,4]}]"));
    const char *names[] = {"[ab].csv*", "c"};
    struct sw_source_options options = {.block_bytes = 64, .record_bytes_max = 90, .sha256 = true};
    struct sw_buffer whole = {0};
    sw_io_chop(1000);
    uint64_t io = sw_io_calls(), memory = sw_memory_calls();
    assert_int_equal(read_all(&whole, names, 2, &options, NULL), SW_END);
    io = sw_io_calls() - io;
    memory = sw_memory_calls() - memory;
    assert_true(io > 100 && memory > 10);
    for (int sticky = 0; sticky < 2; sticky++)
        for (uint64_t n = 1; n <= io + memory; n++) {
            struct sw_error error = {0};
            struct sw_buffer log = {0};
            /* the log allocates too: it must not be the one that fails */
            sw_buffer_reserve(&log, whole.len + 4096);
            if (n <= io)
                sw_io_fail_at(n, EIO, sticky);
            else
                sw_memory_fail_at(n - io, sticky);
            enum sw_code code = read_all(&log, names, 2, &options, &error);
            sw_io_fail_at(0, 0, false);
            sw_memory_fail_at(0, false);
            if (code == SW_END) /* closing a file that was read may fail */
                assert_string_equal(sw_buffer_text(&log), sw_buffer_text(&whole));
            else
                assert_true((code == SW_ERR_IO && error.sys_errno == EIO && n <= io) || (code == SW_ERR_MEMORY && n > io));
            sw_buffer_free(&log);
        }
    sw_io_chop(0);
    sw_buffer_free(&whole);
    sw_buffer_free(&text);
    sw_buffer_free(&packed);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_test_directory, remove_test_directory)
        TEST(every_block_size_shows_the_same_records),
        TEST(objects_that_never_end_are_cut_off_in_few_pieces),
        TEST(a_compressed_input_shows_what_the_plain_one_shows),
        TEST(a_stream_shows_what_the_file_shows),
        TEST(several_inputs_come_one_after_the_other_and_empty_ones_give_no_block),
        TEST(what_is_told_of_an_input_before_it_is_read),
        TEST(names_that_lead_nowhere_are_explained),
        TEST(a_file_of_no_bytes_is_cut_where_its_name_says_that_it_is_compressed),
        TEST(a_directory_gives_its_visible_files_by_bytes),
        TEST(a_file_is_read_once_in_a_role),
        TEST(a_name_with_pattern_signs_that_is_a_file_is_that_file),
        TEST(what_is_no_text_is_refused_with_the_way_out),
        TEST(csv_needs_a_header_line),
        TEST(other_quotes_and_delimiters_are_followed),
        TEST(bytes_after_an_array_are_an_error_with_their_place),
        TEST(a_long_record_makes_a_block_grow_and_the_budget_knows),
        TEST(a_file_that_became_shorter_is_no_shorter_input),
        TEST(a_file_that_grew_is_told_as_changed),
        TEST(the_head_of_a_file_and_of_a_stream_grows),
        TEST(a_file_that_changed_under_its_head_is_refused),
        TEST(a_fifo_is_read_as_a_stream),
        TEST(threads_share_the_blocks_and_the_digest_is_that_of_the_file),
#ifdef SW_FAULTS
        TEST(any_call_that_fails_is_a_clean_error),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
