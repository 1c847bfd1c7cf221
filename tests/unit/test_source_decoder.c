#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "source_files.h"

#define EACH_KIND(kind) for (const char *const *kind = test_compressions; *kind; kind++)

/* Lines that do not compress to nothing, so that cuts fall everywhere. */
static struct sw_buffer lines(unsigned count)
{
    struct sw_buffer text = {0};
    for (uint32_t i = 0, noise = 5; i < count; i++) {
        noise = noise * 1664525 + 1013904223;
        sw_buffer_printf(&text, "%u %x\n", i, noise);
    }
    return text;
}

static enum sw_code read_file(struct sw_buffer *log, struct sw_bytes stored, struct sw_error *error)
{
    write_file("packed", stored);
    *error = (struct sw_error){0};
    sw_buffer_clear(log);
    return read_all(log, (const char *[]){"packed"}, 1, &(struct sw_source_options){.block_bytes = 1000}, error);
}

static void several_streams_in_a_file_are_one_input(void **state)
{
    (void)state;
    struct sw_buffer log = {0};
    struct sw_error error;
    EACH_KIND(kind) {
        struct sw_buffer one = pack(*kind, SW_BYTES_LITERAL("1\n2")), none = pack(*kind, SW_BYTES_LITERAL("")), two = pack(*kind, SW_BYTES_LITERAL("3\n4\n"));
        struct sw_buffer all = {0};
        sw_buffer_add_bytes(&all, sw_buffer_view(&none));
        sw_buffer_add_bytes(&all, sw_buffer_view(&one));
        sw_buffer_add_bytes(&all, sw_buffer_view(&none));
        sw_buffer_add_bytes(&all, sw_buffer_view(&two));
        assert_int_equal(read_file(&log, sw_buffer_view(&all), &error), SW_END);
        assert_memory_equal(log.at, "0@0:1 1|\n0@2:2 23|\n0@5:3 4|\n", 28);
        sw_buffer_add(&all, "\0\0\0\0\0\0", 6); /* padding of tapes */
        assert_int_equal(read_file(&log, sw_buffer_view(&all), &error), SW_END);
        sw_buffer_add(&all, "x", 1);
        assert_int_equal(read_file(&log, sw_buffer_view(&all), &error), SW_ERR_INPUT);
        assert_non_null(strstr(error.text, "is followed by something else at stored byte"));
        sw_buffer_free(&one);
        sw_buffer_free(&none);
        sw_buffer_free(&two);
        sw_buffer_free(&all);
    }
    sw_buffer_free(&log);
}

static void a_stream_that_is_cut_anywhere_is_an_error(void **state)
{
    (void)state;
    struct sw_buffer text = lines(300), log = {0};
    struct sw_error error;
    EACH_KIND(kind) {
        struct sw_buffer packed = pack(*kind, sw_buffer_view(&text));
        assert_int_equal(read_file(&log, sw_buffer_view(&packed), &error), SW_END);
        /* with fewer bytes than the magic has, it is no compressed file at all */
        for (size_t len = 4; len < packed.len; len += 1 + len / 40) {
            assert_int_equal(read_file(&log, sw_bytes_of(packed.at, len), &error), SW_ERR_INPUT);
            char at[96];
            snprintf(at, sizeof at, "is cut: the file ends in the middle of it at stored byte %zu ", len);
            assert_non_null(strstr(error.text, at));
            assert_true(error.has_place);
        }
        sw_buffer_free(&packed);
    }
    sw_buffer_free(&text);
    sw_buffer_free(&log);
}

/* The codecs check sums, so that no changed byte can pass as data; only bits that carry nothing may change unseen. */
static void a_damaged_stream_is_an_error_or_gives_the_same_records(void **state)
{
    (void)state;
    struct sw_buffer text = lines(200), whole = {0}, log = {0};
    struct sw_error error;
    EACH_KIND(kind) {
        if (strcmp(*kind, "zstd") == 0)
            continue; /* written without a checksum by ZSTD_compress: as damaged as any plain file */
        struct sw_buffer packed = pack(*kind, sw_buffer_view(&text));
        assert_int_equal(read_file(&whole, sw_buffer_view(&packed), &error), SW_END);
        unsigned refused = 0;
        for (size_t at = 4; at < packed.len; at += 1 + at / 60) {
            packed.at[at] ^= 0x10;
            enum sw_code code = read_file(&log, sw_buffer_view(&packed), &error);
            if (code == SW_END)
                assert_string_equal(sw_buffer_text(&log), sw_buffer_text(&whole));
            else {
                assert_int_equal(code, SW_ERR_INPUT);
                refused++;
            }
            packed.at[at] ^= 0x10;
        }
        assert_true(refused > 100);
        sw_buffer_free(&packed);
    }
    sw_buffer_free(&text);
    sw_buffer_free(&log);
    sw_buffer_free(&whole);
}

static void a_small_file_that_decodes_to_much_needs_no_more_memory(void **state)
{
    (void)state;
    enum { MUCH = 64 << 20 };
    uint8_t *zeros = sw_malloc(MUCH);
    memset(zeros, '0', MUCH);
    EACH_KIND(kind) {
        struct sw_buffer packed = pack(*kind, sw_bytes_of(zeros, MUCH));
        write_file("packed", sw_buffer_view(&packed));
        sw_buffer_free(&packed);
        struct sw_budget budget;
        sw_budget_init(&budget, UINT64_MAX);
        struct sw_error error = {0};
        struct sw_source *source;
        struct sw_block block = {0};
        struct sw_source_options options = {.block_bytes = 4096, .record_bytes_max = 100000, .budget = &budget};
        assert_int_equal(sw_source_open(&source, (const char *[]){"packed"}, 1, &options, &error), SW_OK);
        assert_int_equal(sw_source_next(&block, source, &error), SW_OK);
        assert_int_equal(block.oversized, MUCH);
        assert_int_equal(sw_source_next(&block, source, &error), SW_END);
        assert_true(budget.peak < 300000);
        sw_block_free(&block);
        sw_source_close(&source);
    }
    sw_free(zeros);
}

#if !defined SW_WITH_ZSTD || !defined SW_WITH_LZ4
static void what_the_build_lacks_is_named_with_the_way_out(void **state)
{
    (void)state;
    struct sw_error error = {0};
    struct sw_source *source;
#ifndef SW_WITH_ZSTD
    write_file("packed", SW_BYTES_LITERAL("\x28\xb5\x2f\xfd\x20\0\x01\0\0"));
    assert_int_equal(sw_source_open(&source, (const char *[]){"packed"}, 1, &(struct sw_source_options){0}, &error), SW_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "compressed with zstd, and this build was made without it; unpack it first: zstd -dc"));
#endif
#ifndef SW_WITH_LZ4
    error = (struct sw_error){0};
    write_file("packed", SW_BYTES_LITERAL("\x04\x22\x4d\x18\x60\x40\x82\0\0\0\0"));
    assert_int_equal(sw_source_open(&source, (const char *[]){"packed"}, 1, &(struct sw_source_options){0}, &error), SW_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "compressed with lz4, and this build was made without it; unpack it first: lz4 -dc"));
#endif
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, make_test_directory, remove_test_directory)
        TEST(several_streams_in_a_file_are_one_input),
        TEST(a_stream_that_is_cut_anywhere_is_an_error),
        TEST(a_damaged_stream_is_an_error_or_gives_the_same_records),
        TEST(a_small_file_that_decodes_to_much_needs_no_more_memory),
#if !defined SW_WITH_ZSTD || !defined SW_WITH_LZ4
        TEST(what_the_build_lacks_is_named_with_the_way_out),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
