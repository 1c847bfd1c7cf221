/* The codecs of Avro's blocks. Output grows as it is made, never by what a header promises. */
#include <limits.h>

#define ZLIB_CONST
#include <zlib.h>
#ifdef SW_WITH_ZSTD
#include <zstd.h>
#endif

#include "base/memory.h"
#include "source/file/avro_part.h"

#define STEP_BYTES ((size_t)1 << 18)

/* Room for the next piece, up to `most` and one byte more, by which too much is seen. SW_ERR_LIMIT if that byte was written. */
static enum sw_code next_room(size_t *room, struct sw_buffer *out, size_t most)
{
    if (out->len > most)
        return SW_ERR_LIMIT;
    *room = most + 1 - out->len < STEP_BYTES ? most + 1 - out->len : STEP_BYTES;
    return sw_buffer_reserve(out, *room) ? SW_OK : SW_ERR_MEMORY;
}

static voidpf zlib_alloc(voidpf ctx, uInt count, uInt size)
{
    (void)ctx;
    return sw_calloc(count, size);
}

static void zlib_free(voidpf ctx, voidpf memory)
{
    (void)ctx;
    sw_free(memory);
}

static enum sw_code unpack_deflate(struct sw_buffer *out, struct sw_bytes stored, size_t most, const char **why)
{
    z_stream stream = {.zalloc = zlib_alloc, .zfree = zlib_free};
    enum sw_code code = stored.len > UINT_MAX ? SW_ERR_LIMIT : SW_OK;
    int result = Z_OK;
    if (inflateInit2(&stream, -15) != Z_OK) /* raw: no header, no trailer */
        return SW_ERR_MEMORY;
    stream.next_in = stored.at;
    stream.avail_in = (uInt)stored.len;
    out->len = 0;
    while (code == SW_OK && result != Z_STREAM_END) {
        size_t room;
        code = next_room(&room, out, most);
        if (code != SW_OK)
            break;
        stream.next_out = out->at + out->len;
        stream.avail_out = (uInt)room;
        result = inflate(&stream, Z_NO_FLUSH);
        out->len += room - stream.avail_out;
        if (result == Z_MEM_ERROR)
            code = SW_ERR_MEMORY;
        else if (result != Z_OK && result != Z_STREAM_END) {
            *why = stream.msg ? stream.msg : "its compressed data is cut";
            code = SW_ERR_INPUT;
        }
    }
    if (code == SW_OK && stream.avail_in) {
        *why = "its compressed data is followed by something else";
        code = SW_ERR_INPUT;
    }
    (void)inflateEnd(&stream);
    return code;
}

static bool snappy_length(uint64_t *out, const uint8_t **at, const uint8_t *end)
{
    *out = 0;
    for (unsigned shift = 0; shift < 35 && *at < end; shift += 7) {
        uint8_t byte = *(*at)++;
        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return *out <= UINT32_MAX;
    }
    return false;
}

/* A length or an offset of `bytes` bytes, low one first. */
static bool snappy_number(uint32_t *out, const uint8_t **at, const uint8_t *end, unsigned bytes)
{
    *out = 0;
    if ((size_t)(end - *at) < bytes)
        return false;
    for (unsigned i = 0; i < bytes; i++)
        *out |= (uint32_t)(*(*at)++) << (8 * i);
    return true;
}

/* One element of snappy's raw format: a literal, or a copy of what was written before. */
static bool snappy_element(struct sw_buffer *out, const uint8_t **at, const uint8_t *end, uint64_t length)
{
    uint8_t tag = *(*at)++;
    uint32_t len = tag >> 2, offset = 0;
    if ((tag & 3) == 0) {
        if (len >= 60 && !snappy_number(&len, at, end, len - 59))
            return false;
        if (len == UINT32_MAX || len + 1 > (size_t)(end - *at) || out->len + len + 1 > length)
            return false;
        sw_buffer_add(out, *at, len + 1);
        *at += len + 1;
        return true;
    }
    if ((tag & 3) == 1) {
        len = (tag >> 2 & 7) + 4;
        if (!snappy_number(&offset, at, end, 1))
            return false;
        offset |= (uint32_t)(tag >> 5) << 8;
    } else {
        len++;
        if (!snappy_number(&offset, at, end, (tag & 3) == 2 ? 2 : 4))
            return false;
    }
    if (offset == 0 || offset > out->len || out->len + len > length)
        return false;
    if (!sw_buffer_reserve(out, len))
        return true; /* `failed` says so */
    for (uint32_t i = 0; i < len; i++, out->len++)
        out->at[out->len] = out->at[out->len - offset];
    return true;
}

/* Snappy's raw format, and the CRC-32 of what comes out, high byte first. Source: google/snappy, format_description.txt; Avro specification, "snappy". */
static enum sw_code unpack_snappy(struct sw_buffer *out, struct sw_bytes stored, size_t most, const char **why)
{
    const uint8_t *at = stored.at, *end = stored.at + (stored.len < 4 ? 0 : stored.len - 4);
    uint64_t length = 0;
    out->len = 0;
    *why = "its compressed data is damaged";
    if (stored.len < 4 || !snappy_length(&length, &at, end))
        return SW_ERR_INPUT;
    if (length > most)
        return SW_ERR_LIMIT;
    while (at < end && !out->failed)
        if (!snappy_element(out, &at, end, length))
            return SW_ERR_INPUT;
    if (out->failed)
        return SW_ERR_MEMORY;
    uint32_t sum = (uint32_t)end[0] << 24 | (uint32_t)end[1] << 16 | (uint32_t)end[2] << 8 | end[3];
    uLong found = crc32(0, NULL, 0);
    for (size_t i = 0; i < out->len; i += UINT_MAX / 2)
        found = crc32(found, out->at + i, (uInt)(out->len - i < UINT_MAX / 2 ? out->len - i : UINT_MAX / 2));
    if (out->len == length && found == sum)
        return SW_OK;
    *why = out->len == length ? "its check sum does not match" : *why;
    return SW_ERR_INPUT;
}

#ifdef SW_WITH_ZSTD
static enum sw_code unpack_zstd(struct sw_buffer *out, struct sw_bytes stored, size_t most, const char **why)
{
    ZSTD_DCtx *context = ZSTD_createDCtx();
    ZSTD_inBuffer in = {stored.at, stored.len, 0};
    enum sw_code code = context ? SW_OK : SW_ERR_MEMORY;
    size_t result = 1;
    out->len = 0;
    while (code == SW_OK && (in.pos < in.size || result != 0)) {
        size_t room;
        code = next_room(&room, out, most);
        if (code != SW_OK)
            break;
        ZSTD_outBuffer piece = {out->at + out->len, room, 0};
        size_t before = in.pos;
        result = ZSTD_decompressStream(context, &piece, &in);
        out->len += piece.pos;
        if (ZSTD_isError(result)) {
            *why = ZSTD_getErrorName(result);
            code = SW_ERR_INPUT;
        } else if (result != 0 && in.pos == before && piece.pos == 0) {
            *why = "its compressed data is cut";
            code = SW_ERR_INPUT;
        }
    }
    ZSTD_freeDCtx(context);
    return code;
}
#else
#define unpack_zstd NULL
#endif

const struct sw_avro_codec *sw_avro_codec_find(struct sw_bytes name)
{
    static const struct sw_avro_codec codecs[] = {{"null", NULL}, {"deflate", unpack_deflate}, {"snappy", unpack_snappy}, {"zstandard", unpack_zstd}, {"bzip2", NULL}, {"xz", NULL}};
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++)
        if (sw_bytes_is(name, codecs[i].name))
            return &codecs[i];
    return NULL;
}
