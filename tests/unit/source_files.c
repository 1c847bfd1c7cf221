#include "source_files.h"

#include <stdarg.h>
#include <setjmp.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>
#ifdef SW_WITH_ZSTD
#include <zstd.h>
#endif
#ifdef SW_WITH_LZ4
#include <lz4frame.h>
#endif

static char directory[64];

int make_test_directory(void **state)
{
    (void)state;
    snprintf(directory, sizeof directory, "/tmp/slackwater-source-XXXXXX");
    return mkdtemp(directory) && chdir(directory) == 0 ? 0 : -1;
}

int remove_test_directory(void **state)
{
    (void)state;
    DIR *dir = opendir(directory);
    struct dirent *entry;
    while (dir && (entry = readdir(dir)))
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            unlink(entry->d_name);
    closedir(dir);
    return chdir("/") == 0 ? rmdir(directory) : -1;
}

void write_file(const char *name, struct sw_bytes bytes)
{
    int fd;
    assert_int_equal(sw_io_open(&fd, name, O_WRONLY | O_CREAT | O_TRUNC, 0600), 0);
    assert_int_equal(sw_io_write(NULL, fd, bytes.at, bytes.len), 0);
    assert_int_equal(sw_io_close(&fd), 0);
}

static void pack_gzip(struct sw_buffer *out, struct sw_bytes bytes)
{
    z_stream stream = {0};
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    sw_buffer_reserve(out, deflateBound(&stream, bytes.len) + 64);
    stream.next_in = (Bytef *)(uintptr_t)bytes.at;
    stream.avail_in = (uInt)bytes.len;
    stream.next_out = out->at;
    stream.avail_out = (uInt)out->capacity;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    out->len = stream.total_out;
    deflateEnd(&stream);
}

#ifdef SW_WITH_ZSTD
static void pack_zstd(struct sw_buffer *out, struct sw_bytes bytes)
{
    sw_buffer_reserve(out, ZSTD_compressBound(bytes.len));
    out->len = ZSTD_compress(out->at, out->capacity, bytes.at, bytes.len, 3);
    assert_false(ZSTD_isError(out->len));
}
#endif

#ifdef SW_WITH_LZ4
static void pack_lz4(struct sw_buffer *out, struct sw_bytes bytes)
{
    LZ4F_preferences_t checked = {.frameInfo = {.contentChecksumFlag = LZ4F_contentChecksumEnabled}};
    sw_buffer_reserve(out, LZ4F_compressFrameBound(bytes.len, &checked));
    out->len = LZ4F_compressFrame(out->at, out->capacity, bytes.at, bytes.len, &checked);
    assert_false(LZ4F_isError(out->len));
}
#endif

const char *const test_compressions[] = {
    "gzip",
#ifdef SW_WITH_ZSTD
    "zstd",
#endif
#ifdef SW_WITH_LZ4
    "lz4",
#endif
    NULL,
};

struct sw_buffer pack(const char *compression, struct sw_bytes bytes)
{
    struct sw_buffer out = {0};
    if (strcmp(compression, "gzip") == 0)
        pack_gzip(&out, bytes);
#ifdef SW_WITH_ZSTD
    if (strcmp(compression, "zstd") == 0)
        pack_zstd(&out, bytes);
#endif
#ifdef SW_WITH_LZ4
    if (strcmp(compression, "lz4") == 0)
        pack_lz4(&out, bytes);
#endif
    assert_true(out.len);
    return out;
}

/* Written apart from src/: the index after the record's newline, or `len`. */
static size_t record_end(const struct sw_block *block, size_t at, enum sw_framing framing, char quote)
{
    bool quoted = false, begin = true;
    while (at < block->len) {
        char byte = (char)block->data[at++];
        if (framing == SW_FRAMING_CSV && quoted) {
            if (byte == quote && at < block->len && (char)block->data[at] == quote)
                at++;
            else if (byte == quote)
                quoted = begin = false;
        } else if (framing == SW_FRAMING_CSV && byte == quote && begin)
            quoted = true;
        else {
            if (byte == '\n')
                return at;
            begin = byte == ',';
        }
    }
    return at;
}

struct progress {
    uint32_t input;
    uint64_t blocks, offset, lines;
};

static void log_block(struct sw_buffer *log, const struct sw_block *block, const struct sw_input *input, struct progress *progress, char quote)
{
    for (size_t at = 0; at < block->len;) {
        size_t end = record_end(block, at, input->framing, quote);
        bool whole = block->data[end - 1] == '\n';
        sw_buffer_printf(log, "%u@%llu:%llu %s", block->input, (unsigned long long)(block->offset + at), (unsigned long long)progress->lines + 1,
                         block->unfinished ? "cut " : "");
        for (; at < end; at++) {
            progress->lines += block->data[at] == '\n';
            sw_buffer_add_byte(log, block->data[at] == '\n' ? '|' : block->data[at]);
        }
        sw_buffer_add_byte(log, '\n');
        assert_true(whole || end == block->len);
    }
}

enum sw_code read_all(struct sw_buffer *log, const char *const *names, size_t count, const struct sw_source_options *options, struct sw_error *error)
{
    struct sw_source *source;
    struct sw_block block = {0};
    uint64_t record_max = options->record_bytes_max ? options->record_bytes_max : 64 << 20;
    char quote = options->csv_quote ? options->csv_quote : '"';
    struct progress progress = {.input = UINT32_MAX};
    enum sw_code code = sw_source_open(&source, names, count, options, error);
    if (code != SW_OK)
        return code;
    while ((code = sw_source_next(&block, source, error)) == SW_OK) {
        if (block.input != progress.input) {
            assert_true(progress.input == UINT32_MAX || block.input > progress.input);
            progress = (struct progress){.input = block.input, .offset = block.offset};
        }
        const struct sw_input *input = sw_source_input(source, block.input);
        bool json = input->framing == SW_FRAMING_ARRAY || input->framing == SW_FRAMING_VALUES;
        assert_int_equal(block.index, progress.blocks++);
        assert_int_equal(block.offset, progress.offset);
        assert_int_equal(block.first_record, json ? progress.lines : 0);
        assert_true(block.len <= record_max && block.capacity >= block.len + SW_BLOCK_PADDING);
        assert_true(block.len || block.oversized || block.unfinished);
        if (block.oversized) {
            assert_int_equal(block.len, 0);
            assert_true(block.oversized > record_max);
            sw_buffer_printf(log, "%u@%llu:%llu %soversized %llu\n", block.input, (unsigned long long)block.offset, (unsigned long long)progress.lines + 1,
                             block.unfinished ? "cut " : "", (unsigned long long)block.oversized);
            progress.lines += block.oversized_lines;
        } else if (!block.len)
            sw_buffer_printf(log, "%u@%llu:%llu cut\n", block.input, (unsigned long long)block.offset, (unsigned long long)progress.lines + 1);
        log_block(log, &block, input, &progress, quote);
        progress.offset += block.len + block.oversized;
        memset(block.data, 'w', block.len); /* the block is the consumer's: what it writes must not come back */
    }
    for (uint32_t i = 0; code == SW_END && i < sw_source_input_count(source); i++) {
        const struct sw_input *input = sw_source_input(source, i);
        sw_buffer_printf(log, "%s %llu %s\n", input->compression, (unsigned long long)input->stored_bytes, input->sha256);
        assert_int_equal(input->changed, false);
    }
    sw_block_free(&block);
    sw_source_close(&source);
    assert_null(source);
    return code;
}
