/* What an input is, told by its first decoded bytes (and, for CSV, by its name). */
#ifndef SW_SOURCE_FILE_TELL_H
#define SW_SOURCE_FILE_TELL_H

#include "source/source.h"

/* Refuses what is no UTF-8 text: UTF-16 and UTF-32, and known binary formats. SW_ERR_INPUT, SW_ERR_UNSUPPORTED; SW_OK else. */
enum sw_code sw_tell_text(struct sw_bytes head, struct sw_error *error);

/* `*start` is where the first record begins: after the '[' of an array, else 0. `head` has no byte-order mark. An array that is the first of several lines of
 * a file named .ndjson or .jsonl is a line of it. */
enum sw_framing sw_tell_framing(size_t *start, struct sw_bytes head, const char *locator);

/* Whether the name says that the content is JSON: ".json", ".ndjson", ".jsonl", also compressed. */
bool sw_tell_json_name(const char *locator);
/* .ndjson, .jsonl, packed or not: a record a line. */
bool sw_tell_lines_name(const char *locator);

/* ".gz", ".zst", ".lz4". */
bool sw_tell_packed_name(const char *locator);

/* Whether the first line can be a CSV header, and no record in JSON: it begins with neither bracket nor brace, holds no brace, and is no lone JSON
 * value, and no line below it is an object (psql's heading). For inputs whose name says nothing, above all standard input. `head` has no byte-order mark. */
bool sw_tell_csv_header(struct sw_bytes head);

/* Whether it is a table as it is drawn for people (psql, mysql, sqlcmd, DuckDB, Markdown), with a ruler or a frame. */
bool sw_tell_drawn_table(struct sw_bytes head);

/* ".csv" and ".tsv", also with the ending of a compression, in any case of letters. */
bool sw_tell_csv_name(const char *locator);

/* How many bytes of comment stand before the first JSON value: a block in C's form, lines that begin with // or #, blank lines among them. 0: none, or the comment
 * is not followed by a '{' or '[' within the head, so that it may be anything. Test data of public projects carries its licence so. `head` has no byte-order mark. */
size_t sw_tell_comment(struct sw_bytes head);

/* 3 if the UTF-8 byte-order mark stands at the begin, else 0. */
size_t sw_tell_mark(struct sw_bytes head);

#endif
