/* Sources: where the records of the inputs come from, handed out in blocks that hold whole records.
 *
 * A source is the list of inputs of one role (files found through paths, globs and directories, or standard
 * input; plain or compressed; tables, queries and streams of databases and brokers). Any number of threads ask it for the next block; reading, decompressing and
 * cutting at record borders happen one after the other under its lock (they are much faster than parsing),
 * parsing happens outside, and so does hashing. Blocks come in input order; block indexes and offsets do not
 * depend on who asks, and neither block size nor threads change which records there are.
 *
 *     struct sw_source *source;
 *     sw_source_open(&source, locators, count, &options, &error);
 *     while ((code = sw_source_next(&block, source, &error)) == SW_OK)
 *         …parse block.data[0 … block.len)…
 *     sw_block_free(&block); sw_source_close(&source);
 *
 * Records in a block. In every framing a record ends at a newline, and only the last one of an input may lack it:
 *
 *   LINES   the bytes as they stand; a record is a line (CR before LF is left to the parser, blank lines too).
 *   CSV     the bytes as they stand. A quote opens a quoted field only as the first byte of a field; inside, two
 *           quotes are one and a single one closes it; quotes anywhere else are text. A record ends at a newline
 *           outside quoted fields. The first block of an input begins with the header.
 *   ARRAY   the elements of a JSON array as if they stood one a line, so that what reads LINES reads them too: the
 *           brackets and commas of the array itself are taken away. Byte for byte: '[' is not part of a block; the
 *           comma after an element, and the ']', has become '\n'; '\n' elsewhere has become ' ' (inside a string,
 *           where it is an error, '\r'). Offsets stay exact, and the number of newlines before a record is the
 *           number of its element. A comma or ']' that follows no element ("[1,,2]", "[1,]") is left standing, so that
 *           the parser finds a bad record there. Anything but white space after the ']' is SW_ERR_INPUT.
 *   VALUES  JSON objects one after the other that are spread over lines (what `jq .` prints): '\n' inside brackets
 *           has become ' ' (inside a string '\r'), so that each line holds what stands between two line ends outside brackets.
 *           Lines are then not those of the file: name a place by its element, or by its offset.
 *
 *   ROWS    typed rows of a table or query, `block.rows` of them in a form of the source's own: input.rows->next takes one after the other apart into an
 *           array of tokens, one a column, among them native values (text/token.h). The columns' names, and their types as the catalogue declares
 *           them, are known before the first block. The number of a record is that of its row in the order in which the source hands them out.
 *
 * Whatever is no file is a *connector* (source/connector.h), found by the scheme of its locator in source/registry.c: sources of tables hand out ROWS,
 * sources of events (a topic, a slot, a binlog) LINES of JSON records in one of the formats, with some of them in `head` so that the format is recognised.
 *
 * An Avro object container file (told by its first bytes, whatever its name) is handed out as LINES: each record as a JSON object on a line of its own,
 * so that the number of a line is that of a record. So is a text that PostgreSQL's plugin test_decoding wrote (told by its first line), as lines of the format wal2json.
 * Offsets are those in these lines. `fields` says which types the file's schema gives its columns.
 */
#ifndef SW_SOURCE_SOURCE_H
#define SW_SOURCE_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "base/file_io.h"
#include "base/memory.h"
#include "model/field_tree.h"
#include "source/cut.h"
#include "text/kernel.h"
#include "text/token.h"

#define SW_BLOCK_PADDING 64

struct sw_source;
struct sw_source_keys;

enum sw_framing {
    SW_FRAMING_LINES,  /* a record ends at a newline: NDJSON */
    SW_FRAMING_CSV,    /* a record ends at a newline outside quotes */
    SW_FRAMING_ARRAY,  /* the elements of one JSON array */
    SW_FRAMING_VALUES, /* JSON objects spread over several lines each */
    SW_FRAMING_ROWS    /* typed rows: no text that stands anywhere */
};

/* Room for one native value: the longest (SW_TOKEN_DECIMAL) is two numbers. */
struct sw_row_slot {
    int64_t value, scale;
};

/* Where a reader stands in a block of rows. Zero-initialise; sw_row_cursor_free at the end. One a thread; reused for any block. */
struct sw_row_cursor {
    const struct sw_block *block;
    const uint8_t *at;         /* the next row, where rows stand one after the other in block->data */
    uint64_t row;              /* its number in the block, from 0 */
    struct sw_row_slot *slots; /* room for one native value a column, by the column's token; made by sw_row_cursor_begin */
    uint32_t slot_count;
    struct sw_buffer text;     /* room for values that have no bytes in the block */
    char problem[192];         /* why the last row is a bad one */
};

/* The columns of a table or query, in the order of its rows. Owned by the connector; unchanged while the source is open. */
struct sw_row_columns {
    uint32_t count;            /* 1 to SW_ROW_COLUMNS_MAX */
    char **names;              /* as the catalogue spells them; UTF-8 */
    uint32_t key_count;        /* 0: no primary key is declared, or nobody knows (a query) */
    uint32_t *key;             /* the columns of the primary key, in its order: indexes of names */
    /* Takes the row at the cursor apart into tokens[1 … count] and moves the cursor on. Tokens live as long as the block and until the next call;
     * their bytes are followed by SW_BLOCK_PADDING readable ones, those of native values excepted. False: the row is a bad
     * record (cursor->problem), the cursor has moved on all the same. Any thread: `ctx` is read-only. */
    bool (*next)(struct sw_token *tokens, struct sw_row_cursor *cursor, const void *ctx);
    const void *ctx;
};

#define SW_ROW_COLUMNS_MAX 4096u

enum sw_code sw_row_cursor_begin(struct sw_row_cursor *cursor, const struct sw_block *block, const struct sw_row_columns *columns, struct sw_error *error);
void sw_row_cursor_free(struct sw_row_cursor *cursor);
/* Texts of a row are promised by nobody to be UTF-8: the number of the first column (from 1) whose text is not, or 0. */
uint32_t sw_row_find_bad_text(const struct sw_row_columns *columns, const struct sw_token *tokens, const struct sw_kernel *kernel);
/* Appends a row as a JSON object: bytes as hexadecimal digits, times as text. For people; it need not read back to the same values. */
void sw_row_write_json(struct sw_buffer *out, const struct sw_row_columns *columns, const struct sw_token *tokens);

struct sw_input {
    char *locator;             /* as it is shown: a path, "-", or a locator without its secrets */
    enum sw_framing framing;   /* told by the head: '[' is an array; CSV by the name (.csv, .tsv, .csv.gz …),
                                * by `csv` in the options, or, where the name says nothing, by a first line that is a header and no JSON */
    bool avro;                 /* an Avro object container file */
    size_t given;              /* which of the locators that were given it came from, from 0 */
    const struct sw_field_tree *fields; /* of an Avro file or of rows: what their schema says; equal trees of one source are one. NULL else */
    const struct sw_row_columns *rows;  /* ROWS: their columns. NULL else */
    const char *position;      /* of a database or broker: at which position of its own, and when, what is read stood there ("lsn 0/16B3748 of system 7…, 2026-…Z"); NULL: none is known */
    struct sw_source_cut cut;         /* the same for programs, and of a file when it was last written. Filled by whoever opens the input, owned by the source; of SQLite complete with the first block */
    const char *told;          /* what is taken for granted of what is read, a line each with its newline ("nothing was written to the table meanwhile: …"); NULL: nothing */
    const char *format;        /* LINES of a source, or of a converted text, that knows in which format they are: its name; NULL: the head tells. Static */
    bool converted;            /* its lines are made of a text in another form: they are not the bytes of the file (source/file/convert.h) */
    bool by_key;               /* the source was asked for the keys of the options alone */
    const char *no_sha256;     /* why there is no digest of the stored bytes, if there cannot be one; static */
    const char *compression;   /* "none", "gzip", "zstd", "lz4": told by the magic bytes */
    struct sw_bytes head;      /* the first decoded bytes, cut anywhere, without a byte-order mark: up to 64 KiB; of inputs after the 64th up to 4 KiB */
    struct sw_file_id id;      /* device and inode: an output may not be an input (sw_output_file_refuse_input) */
    bool regular;              /* false: a stream (standard input, a FIFO), which can be read once only and whose size is unknown */
    uint64_t stored_bytes;     /* size of the file as stored, when it was opened; of a stream: read so far. At its end: what was read */
    uint64_t decoded_bytes;    /* handed out or skipped so far */
    bool changed;              /* at its end: the file's size or modification time are not those it was opened with */
    char sha256[65];           /* of the stored bytes, once the input is at its end and if it was asked for; "" else */
};

/* A run of whole records. Zero-initialise once, reuse for every call; sw_block_free at the end. */
struct sw_block {
    uint8_t *data;             /* followed by SW_BLOCK_PADDING readable bytes that are no part of it; the caller may write into the block */
    size_t len;                /* never above record_bytes_max */
    size_t capacity;
    uint32_t input;            /* index in the source */
    uint64_t index;            /* of the block in its input, from 0 */
    uint64_t offset;           /* of data[0] in the decoded input, a byte-order mark not counted */
    uint64_t first_record;     /* ARRAY and VALUES only: newlines in the blocks before this one, so the number of elements before it. LINES and CSV: 0 (the consumer counts lines) */
    bool unfinished;           /* the input ends, and without what should close it: a quote, a bracket, the ']' of the array. The block holds
                                * the cut record alone, a bad one; or nothing (`len` is 0, or only white space): then too a bad record
                                * stands here, of no bytes. (A missing final newline is fine.) */
    uint64_t rows;             /* ROWS: how many rows the block holds; `len` and `data` are then of the source's own form */
    void *batch;               /* ROWS: what a source hands out instead of copying it into `data`; given back by `release` */
    void (*release)(void *batch);
    uint64_t oversized;        /* not 0: the block holds no data; here stood a record of so many bytes, its newline or comma counted, longer than the limit: a bad record */
    uint64_t oversized_lines;  /* by how much it moves the consumer's line (or element) number on */
    struct sw_budget *budget;  /* private: whom sw_block_free gives the capacity back to */
    uint32_t idle;             /* private: calls since the capacity was last needed */
};

struct sw_source_options {
    uint64_t block_bytes;      /* 0 = 1 MiB; at least 1: tests cut anywhere */
    uint64_t record_bytes_max; /* 0 = 64 MiB; with its newline; at most 1 GiB. Blocks never exceed it */
    bool sha256;
    bool csv;                  /* every input is CSV whatever its name */
    char csv_quote;            /* 0 = '"' */
    char csv_delimiter;        /* 0 = ',': needed to know where a field begins */
    char csv_escape;           /* 0 = none: fields may be quoted. Else they are not, and the byte behind an escape is data */
    struct sw_budget *budget;  /* takes what blocks use; NULL = uncounted */
    unsigned threads;          /* how many connections a source may open; 0 = 1 */
    const char *query;         /* SQL that is read instead of the table that the locator names; NULL: none */
    const char *query_option;  /* "--expected-query": for messages */
    bool (*wait)(void *ctx);   /* called about once a second while a table is locked and opening it has to wait; false: SW_ERR_CANCELLED. NULL: nobody asks */
    void *wait_ctx;
    const struct sw_source_keys *keys; /* sources of rows may leave out rows of other keys (source/keys.h); NULL: all are read. Borrowed until the source is closed */
};

/* Finds and opens all inputs of the locators, in their order, and reads each head. A locator that names a file is that file; else a
 * glob gives its files in byte order of their names, and a directory its regular files likewise (not hidden, not recursive).
 * Errors: SW_ERR_INPUT: no such file (near names are shown), a glob or directory without files, a file given twice (by device and
 *           inode) in one role, CSV without a header line, UTF-16 or other bytes that are no text;
 *         SW_ERR_IO: a file that cannot be opened or read; SW_ERR_UNSUPPORTED: a compression or a locator scheme that this build has not;
 *         SW_ERR_USAGE: a query without a database; what the connectors say (SW_ERR_REMOTE: a server that cannot be reached, or refuses).
 * Texts name no file where the place of the error does. Owner: the caller closes *out; on failure it is NULL. */
enum sw_code sw_source_open(struct sw_source **out, const char *const *locators, size_t count, const struct sw_source_options *options, struct sw_error *error);
/* Accepts NULL. No other thread may use the source any more; blocks outlive it. */
void sw_source_close(struct sw_source **source);

uint32_t sw_source_input_count(const struct sw_source *source);
/* Stays valid until the source is closed; what changes while reading (counters, digest, changed) may be read after SW_END only. */
const struct sw_input *sw_source_input(const struct sw_source *source, uint32_t input);
/* Are its records JSON texts, of which the head shows the first? */
static inline bool sw_input_is_json(const struct sw_input *input) { return input->framing != SW_FRAMING_CSV && input->framing != SW_FRAMING_ROWS; }
/* Makes the head of an input larger: up to `bytes` decoded bytes, fewer only if the input has no more, or is an Avro file or no file. Before the first sw_source_next. The head that
 * sw_input showed moves. SW_ERR_IO, also for a file that changed; SW_ERR_INPUT for a damaged stream; SW_ERR_MEMORY. */
enum sw_code sw_source_grow_head(struct sw_source *source, uint32_t input, size_t bytes, struct sw_error *error);
/* Sum of the stored sizes; 0 if one of them is a stream. And the stored bytes read so far: any thread, any time. */
uint64_t sw_source_stored_total(const struct sw_source *source);
uint64_t sw_source_stored_done(const struct sw_source *source);

/* The next block. SW_OK, SW_END, or a failure, which all later calls give again: SW_ERR_IO for a read error or a file that became shorter
 * or was replaced while it was read; SW_ERR_INPUT for a compressed stream that is cut or damaged, or bytes after the end of an array;
 * SW_ERR_REMOTE for a server that is gone; SW_ERR_MEMORY. Thread-safe. `out` may be reused for any source. */
enum sw_code sw_source_next(struct sw_block *out, struct sw_source *source, struct sw_error *error);
/* Any thread, while others are in sw_source_next: what waits for a server waits no longer, and all calls that follow are SW_ERR_CANCELLED. Files go on: they are waited for by nobody. */
void sw_source_cancel(struct sw_source *source);
/* Gives its memory back and zeroes it. */
void sw_block_free(struct sw_block *block);

#endif
