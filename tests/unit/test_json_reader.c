#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/json_reader.h"
#include "text/utf8.h"

/* Blocks are padded; so are the texts of these tests. */
static uint8_t *padded(const char *text, size_t len)
{
    uint8_t *copy = calloc(1, len + 64);
    assert_non_null(copy);
    memcpy(copy, text, len);
    return copy;
}

static void a_record_splits_into_its_members(void **state)
{
    (void)state;
    for (const struct sw_kernel *const *kernel = sw_kernels(); *kernel; kernel++) {
        if (!(*kernel)->supported())
            continue;
        struct sw_json_reader reader;
        sw_json_reader_init(&reader, *kernel, 1, NULL);
        const char *lines[] = {"{\"id\":\"e1\",\"value\":{\"a\":1,\"b\":\"x\"},\"n\":-12}", "{\"id\":\"e2\",\"value\":{\"a\":[1,{\"q\":2}],\"b\":null},\"n\":5e3}"};
        for (int round = 0; round < 3; round++)
            for (int i = 0; i < 2; i++) {
                uint8_t *line = padded(lines[i], strlen(lines[i]));
                struct sw_json_template *template;
                const uint8_t *after = sw_json_read(&template, &reader, line, line + strlen(lines[i]));
                assert_ptr_equal(after, line + strlen(lines[i]));
                uint32_t value = sw_json_child(template, 0, sw_bytes_text("value")), b = sw_json_child(template, value, sw_bytes_text("b"));
                assert_true(template->nodes[value].object);
                assert_int_equal(reader.tokens[b].kind, i ? SW_TOKEN_NULL : SW_TOKEN_TEXT);
                struct sw_token object = sw_json_node_token(template, reader.tokens, line, value);
                assert_memory_equal(object.at, strchr(lines[i] + 1, '{'), object.len);
                assert_int_equal(object.at[object.len - 1], '}');
                struct sw_token n = reader.tokens[sw_json_child(template, 0, sw_bytes_text("n"))];
                assert_int_equal(n.len, 3);
                free(line);
            }
        assert_int_equal(reader.template_count, 1);
        sw_json_reader_free(&reader);
    }
}

static void what_is_not_json_is_refused_with_a_reason(void **state)
{
    (void)state;
    static const struct { const char *text, *reason; } bad[] = {
        {"{\"\":1,\"\":2}", "two members of one name"}, {"{\"a\":1,\"a\":2}", "two members of one name"}, {"{\"a\":1,\"\\u0061\":2}", "two members of one name"},
        {"{\"x\":{\"q\":{\"a\":1,\"\\u0061\":2}}}", "two members of one name"},
        {"{\"a\":01}", "comma or a closing brace"}, {"{\"a\":+1}", "no JSON value"}, {"{\"a\":NaN}", "NaN is no JSON value: null"}, {"{\"a\":-Infinity}", "-Infinity is no JSON value: null"}, {"{\"a\":Na}", "no JSON value: an object"},
        {"{\"a\":True}", "Python's: true was"}, {"{\"a\":'b'}", "double quotes"}, {"[N", "no JSON value: an object"}, {"{\"a\":1.}", "no JSON value"},
        {"{\"a\":\"\x01\"}", "control character"}, {"{\"a\":\"\\x\"}", "an escape is none"}, {"{\"a\":\"\\u12g4\"}", "four hexadecimal"},
        {"{\"a\":\"b", "not closed"}, {"{\"a\":1", "not closed"}, {"{\"a\":[1,2", "not closed"}, {"{\"a\" 1}", "colon"}, {"{a:1}", "member name"},
        {"{\"a\":1,}", "member name"}, {"[1,]", "no JSON value"}, {"tru", "no JSON value"}, {"{\"a\":tru}", "no JSON value"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        for (unsigned depth = 0; depth < 3; depth++) {
            struct sw_json_reader reader;
            sw_json_reader_init(&reader, sw_kernel_find(NULL), depth, NULL);
            size_t len = strlen(bad[i].text);
            uint8_t *line = padded(bad[i].text, len);
            struct sw_json_template *template;
            assert_null(sw_json_read(&template, &reader, line, line + len));
            if (!strstr(reader.problem.text, bad[i].reason))
                fail_msg("%s: %s", bad[i].text, reader.problem.text);
            sw_json_reader_free(&reader);
            free(line);
        }
}

static void depth_is_bounded(void **state)
{
    (void)state;
    char text[2048];
    memset(text, '[', 1024);
    memset(text + 1024, ']', 1024);
    uint8_t *line = padded(text, sizeof text);
    struct sw_json_reader reader;
    sw_json_reader_init(&reader, sw_kernel_find(NULL), 1, NULL);
    struct sw_json_template *template;
    assert_null(sw_json_read(&template, &reader, line, line + sizeof text));
    assert_non_null(strstr(reader.problem.text, "deeper than 512"));
    free(line);
    sw_json_reader_free(&reader);
}

/* Every kernel, fresh or with a template learned from another record, must split a text in the same way. */
static void kernels_agree_on_mutated_records(void **state)
{
    (void)state;
    const char *seeds[] = {
        "{\"id\":\"e1\",\"key\":\"k0000000001\",\"version\":12,\"op\":\"upsert\",\"value\":{\"owner\":\"cust \\u00e9 \\\"x\\\"\",\"amount\":12.50}}",
        "{ \"a\" : [1, 2, {\"b\": \"c\"}], \"long name that passes sixteen bytes\" : \"a value of more than thirty-two bytes, to cross a vector\", \"n\": -0.5e-7 }",
    };
    uint64_t random = 7;
    for (int round = 0; round < 20000; round++) {
        const char *seed = seeds[round & 1];
        size_t len = strlen(seed);
        uint8_t *line = padded(seed, len);
        int changes = round % 4;
        for (int c = 0; c < changes; c++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            line[(random >> 33) % len] = (uint8_t)"\"\\{}[]:,0a \x01" "1-.e\xc3"[(random >> 20) % 17];
        }
        bool reference_ok = false;
        uint32_t reference_nodes = 0;
        struct sw_token reference[32];
        for (const struct sw_kernel *const *kernel = sw_kernels(); *kernel; kernel++)
            for (int warm = 0; warm < 2; warm++) {
                if (!(*kernel)->supported())
                    continue;
                struct sw_json_reader reader;
                sw_json_reader_init(&reader, *kernel, 1, NULL);
                struct sw_json_template *template;
                if (warm) {
                    uint8_t *clean = padded(seed, len);
                    assert_non_null(sw_json_read(&template, &reader, clean, clean + len));
                    free(clean);
                }
                const uint8_t *after = sw_json_read(&template, &reader, line, line + len);
                if (kernel == sw_kernels() && !warm) {
                    reference_ok = after != NULL;
                    if (after) {
                        reference_nodes = template->node_count;
                        for (uint32_t i = 0; i < reference_nodes && i < 32; i++)
                            reference[i] = sw_json_node_token(template, reader.tokens, line, i);
                    }
                }
                assert_int_equal(after != NULL, reference_ok);
                if (after) {
                    assert_int_equal(template->node_count, reference_nodes);
                    for (uint32_t i = 0; i < reference_nodes && i < 32; i++) {
                        struct sw_token token = sw_json_node_token(template, reader.tokens, line, i);
                        assert_ptr_equal(token.at, reference[i].at);
                        assert_int_equal(token.len, reference[i].len);
                        assert_int_equal(token.kind, reference[i].kind);
                        assert_int_equal(token.escaped, reference[i].escaped);
                    }
                }
                sw_json_reader_free(&reader);
            }
        free(line);
    }
}

/* A learned template takes arrays, and objects below its depth, whether they are those that it was learned from or others: the answer is that of a fresh reader. */
static void nested_values_match_a_template_and_are_checked_all_the_same(void **state)
{
    static const struct { const char *text; bool good; } records[] = {
        {"{\"s\":[{\"t\":1},[]],\"o\":{\"p\":{\"q\":2}},\"n\":1}", true},
        {"{\"s\":[{\"t\":1},[]],\"o\":{\"p\":{\"q\":2}},\"n\":2}", true},       /* the same nested values again */
        {"{\"s\":[{\"t\":1},[]] ,\"o\":{\"p\":{\"q\":2}},\"n\":2}", true},      /* another space: another template */
        {"{\"s\":[],\"o\":{\"p\":{\"q\":[3,\"]\"]}},\"n\":3}", true},
        {"{\"s\":[{\"t\":1},[],0],\"o\":{\"p\":{}},\"n\":3}", true},
        {"{\"s\":[{\"t\":1},[[]],\"o\":{\"p\":{\"q\":2}},\"n\":1}", false},     /* a bracket too many */
        {"{\"s\":[{\"t\":1,\"\\u0074\":2}],\"o\":{\"p\":{}},\"n\":1}", false}, /* two members of one name, inside */
        {"{\"s\":[{\"t\":01}],\"o\":{\"p\":{}},\"n\":1}", false},
        {"{\"s\":[{\"t\":1},\n[]],\"o\":{\"p\":{}},\"n\":1}", false},            /* passes the end of its line */
        {"{\"s\":{\"t\":1},\"o\":{\"p\":{}},\"n\":1}", true},                 /* an object where an array was: members of its own */
        {"{\"s\":[1],\"o\":{\"p\":4},\"n\":1}", true},
        {"{\"s\":[{\"t\":1},[]", false},
    };
    (void)state;
    for (const struct sw_kernel *const *kernel = sw_kernels(); *kernel; kernel++) {
        if (!(*kernel)->supported())
            continue;
        struct sw_json_reader reader;
        sw_json_reader_init(&reader, *kernel, 1, NULL);
        reader.lines = true;
        for (size_t round = 0; round < 3; round++)
            for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
                size_t len = strlen(records[i].text);
                uint8_t *line = padded(records[i].text, len);
                struct sw_json_template *template, *fresh;
                struct sw_json_reader other;
                sw_json_reader_init(&other, *kernel, 1, NULL);
                other.lines = true;
                const uint8_t *after = sw_json_read(&template, &reader, line, line + len), *expected = sw_json_read(&fresh, &other, line, line + len);
                assert_ptr_equal(after, expected);
                assert_int_equal(after != NULL, records[i].good);
                if (!after) {
                    assert_string_equal(reader.problem.text, other.problem.text);
                    assert_ptr_equal(reader.problem.at, other.problem.at);
                } else {
                    assert_int_equal(template->node_count, fresh->node_count);
                    for (uint32_t n = 0; n < fresh->node_count; n++) {
                        struct sw_token a = sw_json_node_token(template, reader.tokens, line, n), b = sw_json_node_token(fresh, other.tokens, line, n);
                        assert_true(a.at == b.at && a.len == b.len && a.kind == b.kind && a.escaped == b.escaped);
                    }
                }
                sw_json_reader_free(&other);
                free(line);
            }
        assert_int_equal(reader.template_count, 3);
        sw_json_reader_free(&reader);
    }
}

/* A reader that knows what a stream repeats, and a fresh one. */
static void read_both_ways(struct sw_json_reader *reader, const uint8_t *line, size_t len)
{
    struct sw_json_template *template, *fresh;
    struct sw_json_reader other;
    sw_json_reader_init(&other, reader->kernel, reader->depth, NULL);
    other.lines = reader->lines;
    const uint8_t *after = sw_json_read(&template, reader, line, line + len), *expected = sw_json_read(&fresh, &other, line, line + len);
    assert_ptr_equal(after, expected);
    if (!after) {
        assert_string_equal(reader->problem.text, other.problem.text);
        assert_ptr_equal(reader->problem.at, other.problem.at);
    } else {
        assert_int_equal(template->node_count, fresh->node_count);
        for (uint32_t n = 0; n < fresh->node_count; n++) {
            struct sw_token a = sw_json_node_token(template, reader->tokens, line, n), b = sw_json_node_token(fresh, other.tokens, line, n);
            assert_true(a.at == b.at && a.len == b.len && a.kind == b.kind && a.escaped == b.escaped);
        }
    }
    sw_json_reader_free(&other);
}

/* The same of a record with nothing of the stream behind it. Did the usual form match? */
static bool read_alone(struct sw_json_reader *reader, const char *text, size_t len)
{
    uint8_t *line = padded(text, len);
    read_both_ways(reader, line, len);
    free(line);
    return reader->usual;
}

static int event(char *out, size_t size, int n)
{
    return snprintf(out, size, "{\"before\":null,\"after\":{\"id\":%d,\"note\":\"note \\u00e9 %d, and a text that is longer than any vector\",\"paid\":%s},"
                               "\"source\":{\"version\":\"3.0\",\"snapshot\":\"%s\",\"list\":[1,{\"a\":\"]\"}],\"table\":\"orders\"},\"op\":\"%s\",\"ts\":%lld}",
                    n, n * 7919, n % 3 ? "true" : "false", n % 700 == 650 ? "last" : "false", n < 40 || n % 5 ? "u" : "c", 1764500000000LL + n);
}

static void what_a_stream_repeats_is_compared_and_gives_the_same_tokens(void **state)
{
    (void)state;
    for (const struct sw_kernel *const *kernel = sw_kernels(); *kernel; kernel++) {
        if (!(*kernel)->supported())
            continue;
        struct sw_json_reader reader, hostile;
        sw_json_reader_init(&reader, *kernel, 2, NULL);
        sw_json_reader_init(&hostile, *kernel, 2, NULL);
        reader.lines = hostile.lines = true;
        uint64_t random = 5;
        unsigned usual = 0, of_hostile = 0;
        uint64_t serial = 0;
        char text[512];
        for (int n = 0; n < 3000; n++) {
            size_t len = (size_t)event(text, sizeof text, n);
            uint8_t *line = padded(text, len);
            read_both_ways(&reader, line, len);
            usual += reader.usual;
            if (reader.usual) {
                const struct sw_json_template *template = reader.templates[0];
                uint32_t source = sw_json_child(template, 0, sw_bytes_text("source")), after = sw_json_child(template, 0, sw_bytes_text("after"));
                assert_true(sw_json_usual_holds(template, sw_json_child(template, source, sw_bytes_text("table"))));
                assert_true(sw_json_usual_holds(template, source));
                assert_false(sw_json_usual_holds(template, after));
                serial = template->usual->serial;
            }
            read_both_ways(&hostile, line, len);
            of_hostile += hostile.usual;
            for (int change = 0; change < 4 && n % 20 == 0; change++) { /* one byte is another, or the record is cut */
                random = random * 6364136223846793005u + 1442695040888963407u;
                size_t at = (random >> 33) % len, cut = change == 3 ? at : len;
                uint8_t was = line[at];
                line[at] = (uint8_t)"\"\\{}[]:,0a \x01" "1-.e\n"[(random >> 20) % 17];
                read_both_ways(&hostile, line, cut);
                line[at] = was;
            }
            free(line);
        }
        assert_true(usual > 1000);
        assert_true(of_hostile > 500);
        assert_true(serial > 1); /* `op` was taken for a constant at first */
        sw_json_reader_free(&hostile);
        sw_json_reader_free(&reader);
    }
}

static void a_usual_form_that_seldom_matches_is_given_up(void **state)
{
    (void)state;
    struct sw_json_reader reader;
    sw_json_reader_init(&reader, sw_kernel_find(NULL), 1, NULL);
    unsigned usual = 0;
    for (int n = 0; n < 20000; n++) {
        char text[64];
        int length = n / 40 % 7 + 1; /* stays for forty records, and then never comes for long */
        size_t len = (size_t)snprintf(text, sizeof text, "{\"a\":%d,\"b\":\"%.*s\",\"c\":\"%.*s\"}", n, length, "abcdefgh", n * 5 % 7, "xxxxxxxx");
        usual += read_alone(&reader, text, len);
    }
    assert_true(usual < 1000);
    sw_json_reader_free(&reader);
}

static void a_record_that_is_a_number_has_no_usual_form(void **state)
{
    (void)state;
    for (const struct sw_kernel *const *kernel = sw_kernels(); *kernel; kernel++)
        for (unsigned depth = 0; depth < 2 && (*kernel)->supported(); depth++) {
            struct sw_json_reader reader;
            sw_json_reader_init(&reader, *kernel, depth, NULL);
            reader.lines = true;
            for (int n = 0; n < 100; n++) {
                char text[8];
                size_t len = (size_t)snprintf(text, sizeof text, "%d", n < 60 ? n % 10 : n); /* one digit, until there are two */
                assert_false(read_alone(&reader, text, len));
            }
            sw_json_reader_free(&reader);
        }
}

/* Everything keeps its length here, whatever it is made of. */
static size_t steady(char *out, size_t size, unsigned n)
{
    return (size_t)snprintf(out, size,
                            "{\"a\":{\"ts\":%u,\"digit\":%u,\"minus\":-%u,\"point\":%u.%02u,\"small\":0.%03u,\"power\":%ue+0%u,\"hex\":\"%08x-longer than one vector is-%08x\"},"
                            "\"s\":\"[\\\"%u\\\",\\\"\\u00e9%u\\\"]\",\"none\":\"\",\"f\":false,\"z\":null,\"e\":{},\"o\":{\"in\":[%u]},\"last\":%u}",
                            1764500000 + n, n % 10, 10 + n % 90, 10 + n % 80, n % 100, n % 1000, 1 + n % 9, n % 10, n * 2654435761u, n * 40503u, 24000000 + n, 100 + n % 800, 7, 100000 + n);
}

static void values_that_keep_their_length_are_held_against_bounds(void **state)
{
    static const uint8_t others[] = "\"\\{}[]:,0129-+.eEuntf/;az`~ !#[]^\x01\x1f\x7f\x80\xc3\xff\n\r\t";
    (void)state;
    for (const struct sw_kernel *const *kernel = sw_kernels(); *kernel; kernel++) {
        if (!(*kernel)->supported())
            continue;
        struct sw_json_reader reader;
        sw_json_reader_init(&reader, *kernel, 1, NULL);
        reader.lines = true;
        char text[512];
        unsigned n = 0, usual = 0, of_changed = 0, good = 0;
        for (; n < 200; n++) {
            size_t len = steady(text, sizeof text, n * 37);
            usual += read_alone(&reader, text, len) && n >= 100;
        }
        assert_int_equal(usual, 100); /* not one of a hundred needed the template */
        assert_int_equal(reader.templates[0]->usual->run_count, 1);
        size_t most = steady(text, sizeof text, 1);
        for (size_t at = 0; at < most; at++)
            for (size_t i = 0; i < sizeof others; i++, n++) { /* one byte is another, NUL among them; then one is missing, or one too many; then the record is cut */
                size_t len = steady(text, sizeof text, n);
                uint8_t *line = padded(text, len);
                read_both_ways(&reader, line, len);
                good += reader.usual;
                line[at] = others[i];
                read_both_ways(&reader, line, len);
                of_changed += reader.usual;
                free(line);
            }
        assert_true(good > most * sizeof others / 2);
        assert_true(of_changed > most);   /* a digit for a digit, a letter for a letter */
        for (size_t at = 0; at < most; at++)
            for (int change = 0; change < 3; change++, n++) {
                size_t len = steady(text, sizeof text, n);
                if (change == 1)
                    memmove(text + at, text + at + 1, len-- - at);
                if (change == 2)
                    memmove(text + at + 1, text + at, ++len - at);
                uint8_t *line = padded(text, len);
                read_both_ways(&reader, line, change ? len : at);
                free(line);
            }
        sw_json_reader_free(&reader);
    }
}

/* A counter that gets another digit, a text that was all digits, a flag that was always the same: the next form places what still stays. */
static void a_form_that_knew_too_little_is_followed_by_one_that_knows_more(void **state)
{
    (void)state;
    struct sw_json_reader reader;
    sw_json_reader_init(&reader, sw_kernel_find(NULL), 1, NULL);
    unsigned usual = 0;
    for (unsigned n = 0; n < 40000; n++) {
        char text[128];
        size_t len = (size_t)snprintf(text, sizeof text, "{\"n\":%u,\"d\":\"%03u%s\",\"op\":\"%c\",\"t\":%u}", n % 20000, n % 1000, n < 5000 || n % 2 ? "1" : "a", n < 10000 || n % 2 ? 'c' : 'u', 1000000 + n);
        usual += read_alone(&reader, text, len);
    }
    assert_true(usual > 36000);
    sw_json_reader_free(&reader);
}

/* Values that changed their length once are placed again when they have kept it for long; those that go on changing it are not. */
static void a_form_is_looked_for_anew_after_many_records(void **state)
{
    (void)state;
    struct sw_json_reader reader;
    sw_json_reader_init(&reader, sw_kernel_find(NULL), 1, NULL);
    uint32_t usual = 0, at_first = 0, late = 0;
    for (unsigned n = 0; n < 90000; n++) {
        char text[128];
        size_t len = (size_t)snprintf(text, sizeof text, "{\"n\":%u,\"e\":\"%.*s\",\"t\":%u}", n, (int)(n * 7 % 5), "xxxx", 1000000 + n);
        if (read_alone(&reader, text, len)) {
            usual++;
            at_first = n < 12000 ? reader.templates[0]->usual->run_count : at_first;
            late = reader.templates[0]->usual->run_count;
        }
    }
    assert_int_equal(at_first, 3);
    assert_int_equal(late, 2);
    assert_true(usual > 85000);
    sw_json_reader_free(&reader);
}

static void escapes_resolve_and_lone_surrogates_stay_distinct(void **state)
{
    (void)state;
    struct sw_buffer out = {0};
    sw_json_unescape_add(&out, sw_bytes_text("a\\n\\u00e9\\ud83d\\ude00\\\\\\/"));
    assert_memory_equal(out.at, "a\n\xc3\xa9\xf0\x9f\x98\x80\\/", out.len);
    out.len = 0;
    sw_json_unescape_add(&out, sw_bytes_text("\\ud83d\\u0000"));
    assert_int_equal(out.len, 4);
    assert_memory_equal(out.at, "\xed\xa0\xbd\0", 4);
    sw_buffer_free(&out);
}

static void utf8_is_checked_strictly(void **state)
{
    (void)state;
    static const struct { const char *text; size_t valid; } cases[] = {
        {"plain ascii text", 16}, {"\xc3\xa9", 2}, {"\xc0\xaf", 0}, {"\xe0\x80\x80", 0}, {"\xed\xa0\x80", 0}, {"\xef\xbf\xbf", 3},
        {"\xf0\x9f\x98\x80", 4}, {"\xf4\x90\x80\x80", 0}, {"\xf8", 0}, {"ab\xff", 2}, {"\xe2\x82", 0}, {"12345678\x80", 8},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(sw_utf8_valid((const uint8_t *)cases[i].text, strlen(cases[i].text)), cases[i].valid);
}

static void kernels_agree_on_where_plain_text_ends(void **state)
{
    (void)state;
    uint8_t bytes[160 + 64] = {0};
    uint64_t random = 3;
    for (int round = 0; round < 20000; round++) {
        for (int i = 0; i < 160; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            unsigned pick = (unsigned)(random >> 40) % 100;
            bytes[i] = (uint8_t)(pick == 0 ? '"' : pick == 1 ? '\\' : pick == 2 ? (random >> 33) & 31 : pick == 3 ? 0x80 | (random >> 33 & 0x7f) : pick == 4 ? ',' : 'a' + pick % 26);
        }
        const uint8_t *start = bytes + random % 16, *end = start + (random >> 20) % 140;
        const struct sw_kernel *scalar = sw_kernel_find("scalar");
        for (const struct sw_kernel *const *kernel = sw_kernels(); *kernel; kernel++) {
            if (!(*kernel)->supported())
                continue;
            assert_ptr_equal((*kernel)->string_end(start, end), scalar->string_end(start, end));
            assert_ptr_equal((*kernel)->csv_end(start, end, ','), scalar->csv_end(start, end, ','));
            assert_int_equal((*kernel)->is_ascii(start, end), scalar->is_ascii(start, end));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_record_splits_into_its_members),
        cmocka_unit_test(what_is_not_json_is_refused_with_a_reason),
        cmocka_unit_test(nested_values_match_a_template_and_are_checked_all_the_same),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(what_a_stream_repeats_is_compared_and_gives_the_same_tokens),
        cmocka_unit_test(a_usual_form_that_seldom_matches_is_given_up),
        cmocka_unit_test(a_record_that_is_a_number_has_no_usual_form),
        cmocka_unit_test(values_that_keep_their_length_are_held_against_bounds),
        cmocka_unit_test(a_form_that_knew_too_little_is_followed_by_one_that_knows_more),
        cmocka_unit_test(a_form_is_looked_for_anew_after_many_records),
        cmocka_unit_test(kernels_agree_on_mutated_records),
        cmocka_unit_test(escapes_resolve_and_lone_surrogates_stay_distinct),
        cmocka_unit_test(utf8_is_checked_strictly),
        cmocka_unit_test(kernels_agree_on_where_plain_text_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
