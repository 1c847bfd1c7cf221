#include "source/file/codecs.h"

#ifdef SW_WITH_ZSTD
#include <zstd.h>
#include <zstd_errors.h>

static void *open_zstd(void) { return ZSTD_createDCtx(); }

static enum sw_codec_outcome step_zstd(void *state, struct sw_codec_step *step)
{
    ZSTD_inBuffer in = {step->in, step->in_len, 0};
    ZSTD_outBuffer out = {step->out, step->out_len, 0};
    size_t result = ZSTD_decompressStream(state, &out, &in);
    step->in += in.pos;
    step->in_len -= in.pos;
    step->out += out.pos;
    step->out_len -= out.pos;
    if (!ZSTD_isError(result))
        return result == 0 ? SW_CODEC_BOUNDARY : SW_CODEC_MORE;
    step->why = ZSTD_getErrorName(result);
    switch (ZSTD_getErrorCode(result)) {
    case ZSTD_error_frameParameter_windowTooLarge: return SW_CODEC_TOO_LARGE;
    case ZSTD_error_memory_allocation: return SW_CODEC_NO_MEMORY;
    default: return SW_CODEC_DAMAGED;
    }
}

static void close_zstd(void *state) { ZSTD_freeDCtx(state); }
#else
#define open_zstd NULL
#define step_zstd NULL
#define close_zstd NULL
#endif

static bool recognises(struct sw_bytes stored)
{
    uint32_t magic = sw_magic_of(stored);
    return magic == 0xfd2fb528u || sw_magic_is_skippable(magic);
}

const struct sw_codec sw_codec_zstd = {"zstd", "zstd -dc", recognises, open_zstd, step_zstd, close_zstd};
