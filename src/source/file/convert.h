/* Texts that are no lines of records but hold them, turned into such lines while they are read: one form of text a description, all in one list.
 *
 * Where a form keeps lines in their places (psql), line n of what comes out is line n of the file; a record that the text spreads over
 * several lines stands on the first of them, and blank lines follow. Else a record is a line. */
#ifndef SW_SOURCE_FILE_CONVERT_H
#define SW_SOURCE_FILE_CONVERT_H

#include "source/file/decoder.h"

/* What a form works with. All of it is zero at the begin of a text. */
struct sw_text_work {
    struct sw_buffer lines; /* appended to: what the text became */
    struct sw_buffer room;  /* scratch */
    struct sw_buffer held;  /* a record of which lines are still to come */
    size_t record_bytes_max;
    size_t owed;            /* lines that the held record took */
    uint64_t depth;         /* brackets open in it */
    bool in_string, escaped;
    unsigned place, columns;/* where in the text, and of how many columns */
    bool data, blank;       /* the heading above is that of a plugin's output; the last line was blank */
    char lsn[32], xid[16];  /* of rows that psql spreads over lines */
};

struct sw_text_form {
    const char *format;     /* in which the lines are; NULL: their head tells */
    bool (*recognises)(struct sw_bytes head);
    size_t (*end)(struct sw_bytes raw); /* the byte that ends the piece at the front, itself not part of it; SIZE_MAX: it is not there yet. NULL: the next newline */
    bool unnamed;           /* never where the name says that each line is a record (.ndjson, .jsonl) */
    bool csv;               /* also where the name says that the file is CSV */
    bool keeps;             /* no byte stands between two pieces */
    void (*take)(struct sw_text_work *work, struct sw_bytes piece); /* appends lines */
    void (*cut)(struct sw_text_work *work, struct sw_bytes piece);  /* the same for the begin of one that is longer than a record may be; NULL: it is handed on, to be judged by its length */
    void (*finish)(struct sw_text_work *work);                      /* at the end; NULL: nothing is held */
};

/* pg_recvlogical or psql -At of PostgreSQL's plugin test_decoding. */
extern const struct sw_text_form sw_form_test_decoding;
/* psql's tables of what wal2json or test_decoding wrote, with or without the commands around them; and unaligned (psql -A) with more columns than the data. */
extern const struct sw_text_form sw_form_psql, sw_form_psql_unaligned;
/* The same rows as CSV and as JSON, and what pgcopydb keeps of them. */
extern const struct sw_text_form sw_form_slot_csv, sw_form_slot_objects;
/* Kafka's console consumer, with what it can print before a value. */
extern const struct sw_text_form sw_form_kafka_console;
/* JSON objects one after the other with nothing, blanks or a comma between them. */
extern const struct sw_text_form sw_form_objects;

/* Of the first decoded bytes and the name; NULL: they are as they should be, or of none of these. */
const struct sw_text_form *sw_text_form_of(struct sw_bytes head, const char *locator);

struct sw_conversion;

/* Bytes come from `head` (copied; what was read already) and then from `decoder`, or from `feed` where that is NULL; both are borrowed. A record longer than
 * `record_bytes_max` is a bad one. SW_ERR_MEMORY. */
enum sw_code sw_conversion_open(struct sw_conversion **out, const struct sw_text_form *form, struct sw_bytes head, struct sw_feed *feed, struct sw_decoder *decoder, size_t record_bytes_max,
                                struct sw_error *error);
/* Lines until `len` bytes are there or the text ends; `*got` < `len` means the end. Errors of feed and decoder, and SW_ERR_MEMORY. */
enum sw_code sw_conversion_read(size_t *got, struct sw_conversion *self, void *at, size_t len, struct sw_error *error);
/* Accepts NULL. */
void sw_conversion_close(struct sw_conversion **self);

/* For forms. */

/* Follows JSON through bytes: brackets and strings, in work->depth, in_string and escaped. The bytes up to the one that closes the outermost bracket, that included; all of them where none does. */
size_t sw_text_follow_json(struct sw_text_work *work, struct sw_bytes bytes);
/* Where the first object of a text ends, that end included, blanks and commas before it passed over, or the line that holds something else; SIZE_MAX: it is not there. `*closed`: by its own brace,
 * not by the begin of another one. */
size_t sw_text_end_of_object(bool *closed, struct sw_bytes raw);

#endif
