/* Decompression: the decoded bytes of a feed. One codec a file; those a build lacks stay in the list, with the reason.
 *
 * Several compressed streams one after the other are one input, as `cat a.gz b.gz` makes them. What is cut, damaged or
 * followed by something else is an error with the stored offset, never a silent end. */
#ifndef SW_SOURCE_FILE_DECODER_H
#define SW_SOURCE_FILE_DECODER_H

#include "source/file/feed.h"

enum sw_codec_outcome {
    SW_CODEC_MORE,     /* wants more input or more room */
    SW_CODEC_BOUNDARY, /* a stream is complete, and all of it handed out */
    SW_CODEC_DAMAGED,
    SW_CODEC_TOO_LARGE,/* needs a larger window than is allowed */
    SW_CODEC_NO_MEMORY
};

/* What one step of a codec has to work with; it moves `in` and `out` on past what it took and gave. */
struct sw_codec_step {
    const uint8_t *in;
    size_t in_len;
    uint8_t *out;
    size_t out_len;
    const char *why; /* static, of what is damaged; may be NULL */
};

struct sw_codec {
    const char *name;    /* "gzip" */
    const char *unpack;  /* the command that does the same */
    bool (*recognises)(struct sw_bytes stored); /* at the begin of each stream, by its first 4 bytes */
    void *(*open)(void); /* NULL: no memory. A codec without it is not in this build */
    enum sw_codec_outcome (*step)(void *state, struct sw_codec_step *step);
    void (*close)(void *state);
};

/* Of the first stored bytes; NULL if they are not compressed. */
const struct sw_codec *sw_codec_of(struct sw_bytes stored);

struct sw_decoder;

/* The feed is borrowed, and must be at its begin. SW_ERR_UNSUPPORTED if the build lacks the codec; SW_ERR_MEMORY. */
enum sw_code sw_decoder_open(struct sw_decoder **out, const struct sw_codec *codec, struct sw_feed *feed, struct sw_error *error);
/* As sw_feed_read, for decoded bytes. SW_ERR_INPUT: cut or damaged. SW_ERR_LIMIT: a window above 128 MiB. */
enum sw_code sw_decoder_read(size_t *got, struct sw_decoder *decoder, void *at, size_t len, struct sw_error *error);
/* Accepts NULL. */
void sw_decoder_close(struct sw_decoder **decoder);

#endif
