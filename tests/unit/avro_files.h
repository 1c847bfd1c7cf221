/* Avro object container files for tests, made byte by byte. */
#ifndef SW_TESTS_AVRO_FILES_H
#define SW_TESTS_AVRO_FILES_H

#include "base/buffer.h"

#define AVRO_MARK "sixteen bytes :)"

/* A number as Avro writes it. */
static inline void avro_long(struct sw_buffer *out, int64_t number)
{
    uint64_t zigzag = (uint64_t)number << 1 ^ (uint64_t)(number >> 63);
    for (; zigzag >= 0x80; zigzag >>= 7)
        sw_buffer_add_byte(out, (uint8_t)(zigzag | 0x80));
    sw_buffer_add_byte(out, (uint8_t)zigzag);
}

static inline void avro_text(struct sw_buffer *out, struct sw_bytes text)
{
    avro_long(out, (int64_t)text.len);
    sw_buffer_add_bytes(out, text);
}

/* The header; `codec` may be NULL. */
static inline void avro_header(struct sw_buffer *out, const char *schema, const char *codec)
{
    sw_buffer_add(out, "Obj\x01", 4);
    avro_long(out, codec ? 2 : 1);
    avro_text(out, SW_BYTES_LITERAL("avro.schema"));
    avro_text(out, sw_bytes_text(schema));
    if (codec) {
        avro_text(out, SW_BYTES_LITERAL("avro.codec"));
        avro_text(out, sw_bytes_text(codec));
    }
    avro_long(out, 0);
    sw_buffer_add_text(out, AVRO_MARK);
}

static inline void avro_block(struct sw_buffer *out, int64_t records, struct sw_bytes data)
{
    avro_long(out, records);
    avro_long(out, (int64_t)data.len);
    sw_buffer_add_bytes(out, data);
    sw_buffer_add_text(out, AVRO_MARK);
}

/* Bytes from hexadecimal digits; blanks between them mean nothing. */
static inline struct sw_buffer avro_bytes(const char *hex)
{
    static const char digits[] = "0123456789abcdef";
    struct sw_buffer out = {0};
    for (; *hex; hex++) {
        if (*hex == ' ')
            continue;
        sw_buffer_add_byte(&out, (uint8_t)((strchr(digits, hex[0]) - digits) << 4 | (strchr(digits, hex[1]) - digits)));
        hex++;
    }
    return out;
}

#endif
