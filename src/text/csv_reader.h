/* Reading CSV records, RFC 4180: fields in double quotes may hold delimiters, line ends and doubled quotes; a record
 * ends at LF or CR LF. Quoting is the only place where CSV tells an empty text from NULL, so it is kept. One reader a thread.
 *
 * With an escape it reads what databases write without quotes: PostgreSQL's COPY in its text format, MariaDB's and MySQL's INTO OUTFILE and --batch.
 * Quotes are data there, a record ends at LF alone, and NULL is a field that is written as null_text, before its escapes are resolved. */
#ifndef SW_TEXT_CSV_READER_H
#define SW_TEXT_CSV_READER_H

#include "base/buffer.h"
#include "text/kernel.h"
#include "text/token.h"

#define SW_CSV_COLUMNS_MAX 4096

struct sw_csv_problem {
    char text[160];
};

struct sw_csv_reader {
    const struct sw_kernel *kernel;
    uint8_t delimiter;
    struct sw_bytes null_text;   /* an unquoted field of exactly this text is NULL */
    bool null_quoted_too;
    uint8_t escape;              /* 0: none, and fields may be quoted */
    uint32_t column_count;       /* fields that a record must have; 0 = any number (a header) */
    struct sw_token *tokens;     /* of the last record: fields from index 1 on, as the members of a JSON record have nodes from 1 on;
                                  * SW_TOKEN_TEXT with quotes resolved, or SW_TOKEN_NULL */
    uint32_t token_count;
    struct sw_csv_problem problem;
};

/* False if memory ran out. `kernel` NULL = the best. */
bool sw_csv_reader_init(struct sw_csv_reader *reader, const struct sw_kernel *kernel, uint8_t delimiter);
void sw_csv_reader_free(struct sw_csv_reader *reader);

enum sw_csv_status { SW_CSV_OK, SW_CSV_BLANK, SW_CSV_BAD };

/* Reads the record at *at (before `end`), moves *at past its line end and adds the line ends it crossed to *lines. Doubled quotes are resolved in
 * place, so the bytes may change. SW_CSV_BLANK: an empty line, no record (never where a record has one column: there it is a NULL).
 * SW_CSV_BAD: problem.text says what was expected and found; *at stands after the record. */
enum sw_csv_status sw_csv_read(struct sw_csv_reader *reader, uint8_t **at, uint8_t *end, uint64_t *lines);

#endif
