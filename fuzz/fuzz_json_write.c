/* Any bytes, written as a JSON string, are a JSON string in UTF-8 that shows nothing misleading, and read back as what they were. */
#include "property.h"

#include <string.h>

#include "text/json_write.h"

static int hex(uint8_t c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static uint32_t four_digits(const uint8_t *at)
{
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        PROPERTY(hex(at[i]) >= 0);
        value = value << 4 | (uint32_t)hex(at[i]);
    }
    return value;
}

static void add_utf8(struct sw_buffer *out, uint32_t point)
{
    if (point < 0x80) {
        sw_buffer_add_byte(out, (uint8_t)point);
        return;
    }
    int more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static const uint8_t lead[] = {0, 0xc0, 0xe0, 0xf0};
    sw_buffer_add_byte(out, (uint8_t)(lead[more] | point >> 6 * more));
    while (more--)
        sw_buffer_add_byte(out, (uint8_t)(0x80 | (point >> 6 * more & 0x3f)));
}

/* The code point at `*at`, which moves past it; the bytes must be UTF-8 in its shortest form. */
static uint32_t read_utf8(const uint8_t **at, const uint8_t *end)
{
    uint8_t first = *(*at)++;
    if (first < 0x80)
        return first;
    int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    PROPERTY(first >= 0xc2 && first <= 0xf4 && end - *at >= more);
    uint32_t point = first & (0x3fu >> more);
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    for (int i = 0; i < more; i++) {
        PROPERTY((**at & 0xc0) == 0x80);
        point = point << 6 | (*(*at)++ & 0x3fu);
    }
    PROPERTY(point >= least[more] && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff));
    return point;
}

static bool misleads(uint32_t point)
{
    static const struct { uint32_t first, last; } ranges[] = {
        {0, 0x1f}, {0x7f, 0x9f}, {0x61c, 0x61c}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
        {0xfeff, 0xfeff}, {0xfff9, 0xfffb}, {0xe0000, 0xe007f},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (point >= ranges[i].first && point <= ranges[i].last)
            return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sw_buffer out = {0}, back = {0};
    sw_json_write_text(&out, sw_bytes_of(data, size));
    PROPERTY(!out.failed && out.len >= 2 && out.at[0] == '"' && out.at[out.len - 1] == '"');

    const uint8_t *at = out.at + 1, *end = out.at + out.len - 1;
    /* A lone surrogate may stand for one stray byte or for three, and two of them may look like a pair. */
    bool exact = true;
    while (at < end) {
        uint32_t point = read_utf8(&at, end);
        if (point != '\\') {
            PROPERTY(point != '"' && !misleads(point));
            add_utf8(&back, point);
            continue;
        }
        PROPERTY(at < end);
        static const char escapes[] = "\"\\bfnrt", meant[] = "\"\\\b\f\n\r\t";
        uint8_t kind = *at++;
        const char *found = memchr(escapes, kind, sizeof escapes - 1);
        if (found) {
            add_utf8(&back, (uint8_t)meant[found - escapes]);
            continue;
        }
        PROPERTY(kind == 'u' && end - at >= 4);
        point = four_digits(at);
        at += 4;
        if (point >= 0xd800 && point <= 0xdbff && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
            uint32_t low = four_digits(at + 2);
            if (low >= 0xdc00 && low <= 0xdfff) {
                point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
                at += 6;
                exact &= misleads(point);
            }
        }
        exact &= point < 0xd800 || point > 0xdfff;
        add_utf8(&back, point);
    }
    if (exact)
        PROPERTY(back.len == size && (size == 0 || memcmp(back.at, data, size) == 0));
    sw_buffer_free(&out);
    sw_buffer_free(&back);
    return 0;
}
