#include <limits.h>

#define ZLIB_CONST
#include <zlib.h>

#include "base/memory.h"
#include "source/file/codecs.h"

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

static bool recognises(struct sw_bytes stored) { return stored.len >= 2 && stored.at[0] == 0x1f && stored.at[1] == 0x8b; }

static void *open_gzip(void)
{
    z_stream *stream = sw_calloc(1, sizeof *stream);
    if (!stream)
        return NULL;
    stream->zalloc = zlib_alloc;
    stream->zfree = zlib_free;
    if (inflateInit2(stream, 15 + 16) != Z_OK) { /* 16: a gzip header and trailer, checked */
        sw_free(stream);
        return NULL;
    }
    return stream;
}

static enum sw_codec_outcome step_gzip(void *state, struct sw_codec_step *step)
{
    z_stream *stream = state;
    uInt in = step->in_len < UINT_MAX ? (uInt)step->in_len : UINT_MAX, out = step->out_len < UINT_MAX ? (uInt)step->out_len : UINT_MAX;
    stream->next_in = step->in;
    stream->avail_in = in;
    stream->next_out = step->out;
    stream->avail_out = out;
    int result = inflate(stream, Z_NO_FLUSH);
    step->in += in - stream->avail_in;
    step->in_len -= in - stream->avail_in;
    step->out += out - stream->avail_out;
    step->out_len -= out - stream->avail_out;
    step->why = stream->msg;
    switch (result) {
    case Z_OK:
    case Z_BUF_ERROR: return SW_CODEC_MORE;
    case Z_STREAM_END: return inflateReset(stream) == Z_OK ? SW_CODEC_BOUNDARY : SW_CODEC_DAMAGED;
    case Z_MEM_ERROR: return SW_CODEC_NO_MEMORY;
    default: return SW_CODEC_DAMAGED;
    }
}

static void close_gzip(void *state)
{
    (void)inflateEnd(state);
    sw_free(state);
}

const struct sw_codec sw_codec_gzip = {"gzip", "gzip -dc", recognises, open_gzip, step_gzip, close_gzip};
