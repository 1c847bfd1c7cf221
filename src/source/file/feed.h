/* The stored bytes of one file or stream, in order, counted, and hashed if that is asked for. */
#ifndef SW_SOURCE_FILE_FEED_H
#define SW_SOURCE_FILE_FEED_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "base/digest.h"
#include "base/error.h"
#include "base/file_io.h"

/* What a decoder or a file format may want to see before anything is read. */
#define SW_FEED_PEEK_MAX 16

/* Initialise with sw_feed_open. One thread at a time. */
struct sw_feed {
    const char *locator;           /* borrowed */
    int fd;                        /* -1: closed */
    bool regular, size_known;
    struct sw_file_id id;
    uint64_t size;                 /* what should come, if it is known */
    struct timespec modified;
    uint64_t offset;               /* bytes handed out */
    bool ended;
    struct sw_digest *digest;      /* borrowed: takes what is handed out; NULL: the caller sees to it, or nobody does */
    _Atomic uint64_t *done;        /* borrowed: counts what is handed out; NULL: nobody does */
    size_t peeked, peeked_taken;   /* bytes that were looked at, and of them those handed out */
    uint8_t peek[SW_FEED_PEEK_MAX];
};

/* Opens a path, or "-". SW_ERR_IO. */
enum sw_code sw_feed_open(struct sw_feed *feed, const char *locator, struct sw_error *error);
/* The first bytes, up to SW_FEED_PEEK_MAX; they are handed out all the same. Before the first read only. */
enum sw_code sw_feed_peek(struct sw_bytes *out, struct sw_feed *feed, struct sw_error *error);
/* Reads until `len` bytes are there or the input ends; `*got` < `len` means the end. SW_ERR_IO, also for a file that became shorter. */
enum sw_code sw_feed_read(size_t *got, struct sw_feed *feed, void *at, size_t len, struct sw_error *error);
/* Whether size or time of modification are not those of the opening; at the end of the input. SW_ERR_IO. */
enum sw_code sw_feed_changed(bool *out, const struct sw_feed *feed, struct sw_error *error);
void sw_feed_close(struct sw_feed *feed);

#endif
