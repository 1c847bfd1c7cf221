/* Any bytes as an input, plain or compressed: whatever the block size, the same records, oversized ones and cut ones, at the same
 * offsets, or the same failure; and of plain lines and CSV, the blocks are the input. The first four bytes choose how it is read. */
#include "property.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file_io.h"
#include "source/source.h"
#include "text/csv_rule.h"

struct seen {
    enum sw_code code;
    struct sw_buffer records; /* as text: offset, line, what is wrong with it, bytes */
    struct sw_buffer bytes;   /* of the blocks; as many zeros for what was skipped */
    enum sw_framing framing;
    bool converted, commented;
};

static void see_block(struct seen *seen, const struct sw_block *block, uint64_t *line, const struct sw_source_options *options)
{
    enum sw_csv_place place = SW_CSV_FIELD_BEGIN;
    size_t begin = 0;
    if (block->oversized || !block->len)
        sw_buffer_printf(&seen->records, "%llu:%llu oversized %llu%s\n", (unsigned long long)block->offset, (unsigned long long)*line,
                         (unsigned long long)block->oversized, block->unfinished ? " cut" : "");
    for (uint64_t i = 0; i < block->oversized; i++)
        sw_buffer_add_byte(&seen->bytes, 0);
    *line += block->oversized_lines;
    sw_buffer_add(&seen->bytes, block->data, block->len);
    for (size_t at = 0; at < block->len; at++) {
        bool newline = block->data[at] == '\n', ends = newline;
        if (seen->framing == SW_FRAMING_CSV)
            ends = sw_csv_step(&place, block->data[at], (uint8_t)options->csv_quote, (uint8_t)options->csv_delimiter);
        if (ends || at + 1 == block->len) {
            sw_buffer_printf(&seen->records, "%llu:%llu%s ", (unsigned long long)(block->offset + begin), (unsigned long long)*line, block->unfinished ? " cut" : "");
            sw_buffer_add(&seen->records, block->data + begin, at + 1 - begin);
            begin = at + 1;
        }
        if (newline)
            ++*line;
    }
}

static struct seen see(const char *path, const struct sw_source_options *options)
{
    struct seen seen = {0};
    struct sw_error error = {0};
    struct sw_source *source;
    struct sw_block block = {0};
    uint64_t line = 1, offset = UINT64_MAX, index = 0;
    seen.code = sw_source_open(&source, &path, 1, options, &error);
    if (seen.code != SW_OK)
        return seen;
    seen.framing = sw_source_input(source, 0)->framing;
    seen.converted = sw_source_input(source, 0)->converted;
    seen.commented = sw_source_input(source, 0)->told != NULL;
    while ((seen.code = sw_source_next(&block, source, &error)) == SW_OK) {
        PROPERTY(block.index == index++ && (offset == UINT64_MAX || block.offset == offset));
        PROPERTY(block.len <= options->record_bytes_max && (block.len || block.oversized || block.unfinished));
        PROPERTY(!block.oversized || (!block.len && block.oversized > options->record_bytes_max));
        PROPERTY(seen.framing < SW_FRAMING_ARRAY || block.first_record == line - 1);
        offset = block.offset + block.len + block.oversized;
        see_block(&seen, &block, &line, options);
    }
    PROPERTY(seen.code == SW_END || error.code == seen.code);
    sw_block_free(&block);
    sw_source_close(&source);
    return seen;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 4)
        return 0;
    struct sw_source_options options = {
        .block_bytes = 1 + data[0],
        .record_bytes_max = data[1] ? 1 + data[1] * 8u : 1 << 20,
        .csv = data[2] & 1,
        .csv_quote = data[2] & 2 ? '\'' : '"',
        .csv_delimiter = data[2] & 4 ? ';' : ',',
        .sha256 = data[3] & 1,
    };
    data += 4;
    size -= 4;
    int fd = memfd_create("input", MFD_CLOEXEC);
    PROPERTY(fd >= 0 && sw_io_write(NULL, fd, data, size) == 0);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    struct seen small = see(path, &options);
    options.block_bytes = 1 << 20;
    struct seen large = see(path, &options);

    PROPERTY(small.code == large.code && small.framing == large.framing && small.converted == large.converted);
    if (small.code == SW_END) {
        PROPERTY(sw_bytes_equal(sw_buffer_view(&small.records), sw_buffer_view(&large.records)));
        bool packed = size >= 4 && ((data[0] == 0x1f && data[1] == 0x8b) || data[3] == 0xfd || data[3] == 0x18);
        size_t mark = size >= 3 && data[0] == 0xef && data[1] == 0xbb && data[2] == 0xbf ? 3 : 0;
        if (!packed && !small.converted && small.framing < SW_FRAMING_ARRAY) {
            PROPERTY(small.bytes.len == size - mark);
            for (size_t i = 0; i < small.bytes.len; i++)
                PROPERTY(small.bytes.at[i] == data[mark + i] || small.bytes.at[i] == 0 || (small.commented && small.bytes.at[i] == ' '));
        }
    }
    sw_buffer_free(&small.records);
    sw_buffer_free(&small.bytes);
    sw_buffer_free(&large.records);
    sw_buffer_free(&large.bytes);
    close(fd);
    return 0;
}
