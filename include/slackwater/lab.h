/* The bounded contract: one small JSON document in, one line of JSON out, exactly as agreed.
 *
 * A document names a `baseline`, the `events` that arrived since and the state that is `expected`; the
 * answer says which state the versions select for every key, which keys are blocked by a conflict, and
 * where the expected rows differ. It is the exercise on which the larger tool grew (docs/lab.md), and it
 * stays a fixed point: the line below is the same byte for byte as that of the reference program of the
 * course under CPython 3.11, refusals included. Nothing is kept between two calls.
 *
 *     char *line = NULL;
 *     size_t line_len = 0;
 *     struct sw_error error = {0};
 *     enum sw_code code = sw_lab_evaluate(&line, &line_len, document, document_len, &error);
 *     if (line)
 *         fwrite(line, 1, line_len, code == SW_OK ? stdout : stderr);
 *     sw_lab_line_free(&line);
 *     return sw_code_exit_status(code); */
#ifndef SLACKWATER_LAB_H
#define SLACKWATER_LAB_H

#include <stddef.h>

#include "slackwater/error.h"
#include "slackwater/export.h"

SW_BEGIN_DECLS

/* The longest document, in characters (Unicode code points, line breaks counted as they stand). */
#define SW_LAB_CHARACTERS_MAX 2000000
/* The most entries in each of the three lists. */
#define SW_LAB_ENTRIES_MAX 1000
/* A reader that has this many bytes need read no further: they hold more than SW_LAB_CHARACTERS_MAX characters, however
 * they are encoded, so that the document will be refused as too long. */
#define SW_LAB_BYTES_ENOUGH (4 * ((size_t)SW_LAB_CHARACTERS_MAX + 1))

/* Evaluates one document, or refuses it.
 *
 * @param line  receives the line that the contract prints: the report, or {"error": …}
 * @param line_len  receives its length in bytes
 * @param document  UTF-8 text of `document_len` bytes; NULL only if that is 0
 * @param error  may be NULL; receives the words of a refusal, with line, column and byte offset where a place is known
 *
 * Shape: the line ends in '\n', is pure ASCII and holds no NUL; one NUL, not counted, follows it.
 * Returns: SW_OK: evaluated; the line is the report, for standard output, whether or not the states match.
 *     SW_ERR_INPUT, SW_ERR_LIMIT: the document is refused; the line is the error, for standard error.
 *     SW_ERR_MEMORY: nothing was decided; the line is NULL.
 * Owner: the caller owns the line, refused or not, and releases it with sw_lab_line_free. The document is borrowed
 *     for the call.
 * Threads: any; no state is shared.
 * Cost: linear in the document, sorting names of large objects apart (n log n); memory up to some 20 bytes a byte.
 * Since: 0.1.0. */
SW_API SW_MUST_USE enum sw_code sw_lab_evaluate(char **line, size_t *line_len, const void *document, size_t document_len,
                                                struct sw_error *error);

/* Releases a line and sets the pointer to NULL; accepts a pointer to NULL. Any thread. Since: 0.1.0. */
SW_API void sw_lab_line_free(char **line);

SW_END_DECLS

#endif
