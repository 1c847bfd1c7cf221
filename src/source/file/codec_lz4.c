#include "source/file/codecs.h"

#ifdef SW_WITH_LZ4
#include <lz4frame.h>

static void *open_lz4(void)
{
    LZ4F_dctx *context;
    return LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)) ? NULL : context;
}

static enum sw_codec_outcome step_lz4(void *state, struct sw_codec_step *step)
{
    size_t in = step->in_len, out = step->out_len;
    size_t result = LZ4F_decompress(state, step->out, &out, step->in, &in, NULL);
    if (LZ4F_isError(result)) {
        step->why = LZ4F_getErrorName(result);
        return SW_CODEC_DAMAGED;
    }
    step->in += in;
    step->in_len -= in;
    step->out += out;
    step->out_len -= out;
    return result == 0 ? SW_CODEC_BOUNDARY : SW_CODEC_MORE;
}

static void close_lz4(void *state) { LZ4F_freeDecompressionContext(state); }
#else
#define open_lz4 NULL
#define step_lz4 NULL
#define close_lz4 NULL
#endif

static bool recognises(struct sw_bytes stored)
{
    uint32_t magic = sw_magic_of(stored);
    return magic == 0x184d2204u || sw_magic_is_skippable(magic);
}

const struct sw_codec sw_codec_lz4 = {"lz4", "lz4 -dc", recognises, open_lz4, step_lz4, close_lz4};
