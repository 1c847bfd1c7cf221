/* Sources: where the bytes of the inputs come from, handed out in blocks that hold whole records.
 *
 * A source is the list of inputs of one role (files found through paths, globs and directories, or standard
 * input; plain or compressed). Any number of threads ask it for the next block; reading, decompressing, hashing
 * and cutting at record borders happen one after the other under its lock (they are much faster than parsing),
 * parsing happens outside. Blocks come in input order; block indexes and offsets do not depend on who asks.
 *
 *     struct sw_source *source;
 *     sw_source_open(&source, locators, count, &options, &error);
 *     while ((code = sw_source_next(&block, source, &error)) == SW_OK)
 *         …parse block.data[0 … block.len)…
 *     sw_block_free(&block); sw_source_close(&source);
 */
#ifndef SW_SOURCE_SOURCE_H
#define SW_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/memory.h"

#define SW_BLOCK_PADDING 64

enum sw_framing {
    SW_FRAMING_LINES,  /* a record ends at a newline: NDJSON */
    SW_FRAMING_CSV,    /* a record ends at a newline outside quotes */
    SW_FRAMING_ARRAY   /* the elements of one JSON array, or JSON values one after the other that are not one a line */
};

struct sw_input {
    char *locator;             /* as it is shown: a path, or "-" */
    enum sw_framing framing;   /* told by the head: '[' is an array; by the name for CSV (.csv, .csv.gz …) or by `csv` in the options */
    const char *compression;   /* "none", "gzip", "zstd", "lz4": told by the magic bytes */
    struct sw_bytes head;      /* the first decoded bytes, up to 64 KiB, cut anywhere; without a byte-order mark */
    uint64_t stored_bytes;     /* size of the file as stored; of a stream: read so far */
    uint64_t decoded_bytes;    /* handed out so far */
    char sha256[65];           /* of the stored bytes, once the input is at its end and if it was asked for; "" else */
};

/* A run of whole records. Zero-initialise once, reuse for every call; sw_block_free at the end. */
struct sw_block {
    uint8_t *data;             /* followed by SW_BLOCK_PADDING readable bytes that are no part of it; the caller may write into the block */
    size_t len;
    size_t capacity;
    uint32_t input;            /* index in the source */
    uint64_t index;            /* of the block in its input, from 0 */
    uint64_t offset;           /* of data[0] in the decoded input, a byte-order mark not counted */
    uint64_t first_record;     /* ARRAY only: number of elements before this block. LINES and CSV: 0 (the consumer counts lines) */
    bool unfinished;           /* the last record of this block ends with the input and without what should close it (no final newline is fine) */
    uint64_t oversized;        /* not 0: the block holds no data; here stood a record of so many bytes, longer than the limit: a bad record */
    uint64_t oversized_lines;  /* newlines inside it, its own end included */
};

struct sw_source_options {
    uint64_t block_bytes;      /* 0 = 1 MiB; at least 1: tests cut anywhere */
    uint64_t record_bytes_max; /* 0 = 64 MiB */
    bool sha256;
    bool csv;                  /* every input is CSV whatever its name */
    char csv_quote;            /* 0 = '"' */
    struct sw_budget *budget;  /* takes what blocks use; NULL = uncounted */
};

/* Finds and opens all inputs of the locators: globs in byte order of their names, directories by their files (not hidden, not recursive), and reads each head.
 * Errors: SW_ERR_INPUT: no such file, a glob or directory without files, a file given twice (by device and inode) in one role, CSV without a header line;
 *         SW_ERR_IO: a file that cannot be opened or read; SW_ERR_UNSUPPORTED: a compression or a locator scheme that this build has not. */
enum sw_code sw_source_open(struct sw_source **out, const char *const *locators, size_t count, const struct sw_source_options *options, struct sw_error *error);
void sw_source_close(struct sw_source **source);

uint32_t sw_source_input_count(const struct sw_source *source);
/* Stays valid until the source is closed; the counters and the digest are final after SW_END. */
const struct sw_input *sw_source_input(const struct sw_source *source, uint32_t input);
/* Sum of the stored sizes; 0 if one of them is a stream. And the stored bytes read so far: any thread, any time. */
uint64_t sw_source_stored_total(const struct sw_source *source);
uint64_t sw_source_stored_done(const struct sw_source *source);

/* The next block. SW_OK, SW_END, or a failure, which all later calls give again: SW_ERR_IO for a read error or a file that became shorter
 * while it was read; SW_ERR_INPUT for a compressed stream that is cut or damaged. Thread-safe. */
enum sw_code sw_source_next(struct sw_block *out, struct sw_source *source, struct sw_error *error);
void sw_block_free(struct sw_block *block);

#endif
