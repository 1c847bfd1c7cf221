/* Any bytes as an Avro file, or as a block under a schema that the first bytes choose: every line that comes out is JSON or too long, whatever pieces it
 * is asked for in; and what fails, fails the same way. */
#include "property.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file_io.h"
#include "source/file/avro.h"
#include "text/json_value.h"

#define RECORD_BYTES_MAX 3000

static const char *const schemas[] = {
    "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":[\"null\",\"r\"]},{\"name\":\"b\",\"type\":{\"type\":\"map\",\"values\":[\"string\",\"long\",\"r\"]}}]}",
    "{\"type\":\"array\",\"items\":[\"null\",\"boolean\",\"int\",\"long\",\"float\",\"double\",\"bytes\",\"string\",{\"type\":\"fixed\",\"name\":\"f\",\"size\":3},{\"type\":\"enum\",\"name\":\"e\",\"symbols\":[\"A\",\"B\"]}]}",
    "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"d\",\"type\":{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"scale\":9}},{\"name\":\"t\",\"type\":{\"type\":\"long\",\"logicalType\":\"timestamp-micros\"}},"
    "{\"name\":\"i\",\"type\":{\"type\":\"long\",\"logicalType\":\"time-interval-micros\"}},{\"name\":\"n\",\"type\":{\"type\":\"string\",\"logicalType\":\"number\"}},"
    "{\"name\":\"z\",\"type\":{\"type\":\"record\",\"name\":\"timestampTz\",\"fields\":[{\"name\":\"timestamp\",\"type\":\"long\"},{\"name\":\"offset\",\"type\":\"long\"}]}}]}",
    "{\"type\":\"array\",\"items\":{\"type\":\"record\",\"name\":\"e\",\"fields\":[{\"name\":\"a\",\"type\":\"null\"},{\"name\":\"b\",\"type\":[\"null\",{\"type\":\"array\",\"items\":\"e\"}]}]}}",
};

static void put_long(struct sw_buffer *out, uint64_t number)
{
    for (number <<= 1; number >= 0x80; number >>= 7)
        sw_buffer_add_byte(out, (uint8_t)(number | 0x80));
    sw_buffer_add_byte(out, (uint8_t)number);
}

static void wrap(struct sw_buffer *file, const char *schema, const uint8_t *data, size_t size)
{
    sw_buffer_add_text(file, "Obj\x01\x02\x16" "avro.schema");
    put_long(file, strlen(schema));
    sw_buffer_add_text(file, schema);
    sw_buffer_add(file, "\0sixteen bytes :)", 17);
    put_long(file, size ? data[0] : 0);
    put_long(file, size ? size - 1 : 0);
    sw_buffer_add(file, data + 1, size ? size - 1 : 0);
    sw_buffer_add_text(file, "sixteen bytes :)");
}

static enum sw_code read_all(struct sw_buffer *out, const char *path, size_t piece, struct sw_error *error)
{
    struct sw_feed feed;
    struct sw_avro *avro;
    size_t got = piece;
    enum sw_code code = sw_feed_open(&feed, path, error);
    PROPERTY(code == SW_OK);
    code = sw_avro_open(&avro, (struct sw_bytes){0}, &feed, NULL, RECORD_BYTES_MAX, error);
    while (code == SW_OK && got == piece && out->len < 1 << 20 && sw_buffer_reserve(out, piece)) {
        code = sw_avro_read(&got, avro, out->at + out->len, piece, error);
        out->len += got;
    }
    sw_avro_close(&avro);
    sw_feed_close(&feed);
    return code;
}

static void check_lines(const struct sw_buffer *lines)
{
    const struct sw_kernel *kernel = sw_kernel_find(NULL);
    struct sw_json_scratch scratch = {0};
    struct sw_buffer line = {0};
    for (size_t at = 0; at < lines->len;) {
        const uint8_t *end = memchr(lines->at + at, '\n', lines->len - at);
        if (!end)
            break; /* more than is looked at */
        size_t len = (size_t)(end - lines->at) - at;
        line.len = 0;
        sw_buffer_add(&line, lines->at + at, len);
        PROPERTY(len <= RECORD_BYTES_MAX && sw_buffer_reserve(&line, 64));
        memset(line.at + len, 0, 64);
        at += len + 1;
        if (len == RECORD_BYTES_MAX)
            continue; /* with its newline it is too long, and may be cut */
        struct sw_json_problem problem;
        struct sw_token token;
        const uint8_t *after = sw_json_read_value(&token, line.at, line.at + len, 0, kernel, &scratch, &problem);
        PROPERTY(after == line.at + len || (!after && strstr(problem.text, "two members of one name"))); /* a map may repeat a name */
    }
    sw_json_scratch_free(&scratch);
    sw_buffer_free(&line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sw_buffer file = {0}, large = {0}, small = {0};
    struct sw_error first = {0}, second = {0};
    if (size && data[0] < sizeof schemas / sizeof *schemas)
        wrap(&file, schemas[data[0]], data + 1, size - 1);
    else
        sw_buffer_add(&file, data, size);
    int fd = memfd_create("input", MFD_CLOEXEC);
    PROPERTY(fd >= 0 && sw_io_write(NULL, fd, file.at, file.len) == 0);
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    enum sw_code code = read_all(&large, path, 1 << 16, &first), again = read_all(&small, path, 7, &second);
    size_t common = large.len < small.len ? large.len : small.len;
    PROPERTY(code == again && (common == 0 || memcmp(large.at, small.at, common) == 0) && strcmp(first.text, second.text) == 0);
    PROPERTY(large.len == small.len || common >= (1 << 20));
    check_lines(&large);
    sw_buffer_free(&file);
    sw_buffer_free(&large);
    sw_buffer_free(&small);
    close(fd);
    return 0;
}
