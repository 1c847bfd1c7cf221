/* The codecs of this build, each defined in its own file. */
#ifndef SW_SOURCE_FILE_CODECS_H
#define SW_SOURCE_FILE_CODECS_H

#include "source/file/decoder.h"

extern const struct sw_codec sw_codec_gzip, sw_codec_zstd, sw_codec_lz4;

static inline uint32_t sw_magic_of(struct sw_bytes stored)
{
    return stored.len < 4 ? 0 : (uint32_t)stored.at[0] | (uint32_t)stored.at[1] << 8 | (uint32_t)stored.at[2] << 16 | (uint32_t)stored.at[3] << 24;
}

/* Frames that hold no data; zstd and lz4 share them. */
static inline bool sw_magic_is_skippable(uint32_t magic) { return (magic & 0xfffffff0u) == 0x184d2a50u; }

#endif
