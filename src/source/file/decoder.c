#include "source/file/decoder.h"

#include <string.h>

#include "base/memory.h"
#include "source/file/codecs.h"

#define STORED_BYTES ((size_t)256 * 1024)

struct sw_decoder {
    const struct sw_codec *codec;
    void *state;
    struct sw_feed *feed;
    bool between;         /* streams: no byte of the next one has been taken */
    uint64_t decoded;
    size_t at, len;       /* what of `stored` is not decoded yet */
    uint8_t stored[];
};

const struct sw_codec *sw_codec_of(struct sw_bytes stored)
{
    static const struct sw_codec *const codecs[] = {&sw_codec_gzip, &sw_codec_zstd, &sw_codec_lz4};
    for (size_t i = 0; i < sizeof codecs / sizeof *codecs; i++)
        if (codecs[i]->recognises(stored))
            return codecs[i];
    return NULL;
}

enum sw_code sw_decoder_open(struct sw_decoder **out, const struct sw_codec *codec, struct sw_feed *feed, struct sw_error *error)
{
    *out = NULL;
    if (!codec->open)
        return sw_fail(error, SW_ERR_UNSUPPORTED, "the file is compressed with %s, and this build was made without it; unpack it first: %s",
                       codec->name, codec->unpack);
    struct sw_decoder *decoder = sw_malloc(sizeof *decoder + STORED_BYTES);
    void *state = decoder ? codec->open() : NULL;
    if (!state) {
        sw_free(decoder);
        return sw_fail_memory(error, "a decompressor", sizeof *decoder + STORED_BYTES);
    }
    *decoder = (struct sw_decoder){.codec = codec, .state = state, .feed = feed, .between = true};
    *out = decoder;
    return SW_OK;
}

static uint64_t stored_offset(const struct sw_decoder *decoder) { return decoder->feed->offset - decoder->len; }

static enum sw_code broken(const struct sw_decoder *decoder, enum sw_code code, const char *what, const char *why, struct sw_error *error)
{
    sw_fail(error, code, "the %s data %s at stored byte %llu (after %llu bytes of content)%s%s", decoder->codec->name, what,
            (unsigned long long)stored_offset(decoder), (unsigned long long)decoder->decoded, why ? ": " : "", why ? why : "");
    sw_error_place(error, decoder->feed->locator, 0, 0, decoder->decoded);
    return code;
}

static enum sw_code refill(struct sw_decoder *decoder, struct sw_error *error)
{
    memmove(decoder->stored, decoder->stored + decoder->at, decoder->len);
    decoder->at = 0;
    size_t got;
    enum sw_code code = sw_feed_read(&got, decoder->feed, decoder->stored + decoder->len, STORED_BYTES - decoder->len, error);
    decoder->len += got;
    return code;
}

/* Between two streams: SW_OK if another one begins, SW_END if nothing is left but the zeros that tapes and gzip allow. */
static enum sw_code next_stream(struct sw_decoder *decoder, struct sw_error *error)
{
    enum sw_code code = SW_OK;
    if (decoder->len < 4 && !decoder->feed->ended && (code = refill(decoder, error)) != SW_OK)
        return code;
    if (decoder->codec->recognises(sw_bytes_of(decoder->stored + decoder->at, decoder->len)))
        return SW_OK;
    for (;;) {
        while (decoder->len && decoder->stored[decoder->at] == 0) {
            decoder->at++;
            decoder->len--;
        }
        if (decoder->len)
            return broken(decoder, SW_ERR_INPUT, "is followed by something else", NULL, error);
        if (decoder->feed->ended)
            return SW_END;
        if ((code = refill(decoder, error)) != SW_OK)
            return code;
    }
}

static enum sw_code decode_some(struct sw_decoder *decoder, uint8_t **at, size_t *len, struct sw_error *error)
{
    enum sw_code code;
    if (decoder->between) {
        if ((code = next_stream(decoder, error)) != SW_OK)
            return code;
        decoder->between = false;
    } else if (!decoder->len && !decoder->feed->ended && (code = refill(decoder, error)) != SW_OK)
        return code;
    struct sw_codec_step step = {decoder->stored + decoder->at, decoder->len, *at, *len, NULL};
    enum sw_codec_outcome outcome = decoder->codec->step(decoder->state, &step);
    bool moved = step.in_len != decoder->len || step.out_len != *len;
    decoder->decoded += *len - step.out_len;
    decoder->at += decoder->len - step.in_len;
    decoder->len = step.in_len;
    *at = step.out;
    *len = step.out_len;
    switch (outcome) {
    case SW_CODEC_MORE:
        if (!moved && decoder->len) /* it has all it asked for */
            break;
        if (moved || !decoder->feed->ended)
            return SW_OK;
        return broken(decoder, SW_ERR_INPUT, "is cut: the file ends in the middle of it", NULL, error);
    case SW_CODEC_BOUNDARY: decoder->between = true; return SW_OK;
    case SW_CODEC_TOO_LARGE: return broken(decoder, SW_ERR_LIMIT, "needs a window above 128 MiB to be decoded; compress it without --long", step.why, error);
    case SW_CODEC_NO_MEMORY: return sw_fail_memory(error, "decompression", 0);
    case SW_CODEC_DAMAGED: break;
    }
    return broken(decoder, SW_ERR_INPUT, "is damaged", step.why, error);
}

enum sw_code sw_decoder_read(size_t *got, struct sw_decoder *decoder, void *at, size_t len, struct sw_error *error)
{
    uint8_t *out = at;
    size_t room = len;
    enum sw_code code = SW_OK;
    while (room && code == SW_OK)
        code = decode_some(decoder, &out, &room, error);
    *got = len - room;
    return code == SW_END ? SW_OK : code;
}

void sw_decoder_close(struct sw_decoder **decoder)
{
    if (!*decoder)
        return;
    (*decoder)->codec->close((*decoder)->state);
    sw_free(*decoder);
    *decoder = NULL;
}
