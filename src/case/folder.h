/* A case folder, opened: what is declared, the ledger, and what the evidence in it says.
 *
 *     DIR/case.yaml        what people declare
 *     DIR/ledger.ndjson    what was collected, in the order it was
 *     DIR/evidence/        the pieces, NNNN-NAME
 *     DIR/signatures/      NNNN.sig: a signature over the first NNNN lines of the ledger */
#ifndef SW_CASE_FOLDER_H
#define SW_CASE_FOLDER_H

#include <limits.h>

#include "case/declaration.h"
#include "case/evidence.h"
#include "case/ledger.h"

struct sw_case {
    char path[PATH_MAX];
    struct sw_mapping_block *memory;
    struct sw_buffer declaration_text, ledger_text;
    struct sw_case_declaration declaration;
    struct sw_ledger ledger;
    struct sw_evidence *evidence;   /* one an entry, in the ledger's order */
    bool no_memory;                 /* a text or a position could not be read for want of memory: nothing may be concluded */
    char now[40];                   /* RFC 3339, UTC: the time of the judgement */
};

/* Opens it. `now` is the time of the judgement (NULL: the clock's). With `pieces` the evidence that slackwater itself wrote is read, too;
 * a piece whose digest is not the ledger's is SW_ERR_INPUT. `problems` as in sw_ledger_read.
 * SW_ERR_USAGE: no case there, or what is declared is wrong. SW_ERR_INPUT, SW_ERR_LIMIT, SW_ERR_IO, SW_ERR_MEMORY. Owner: sw_case_close. */
enum sw_code sw_case_open(struct sw_case **out, const char *path, const char *now, bool pieces, struct sw_sentences *problems, struct sw_error *error);
void sw_case_close(struct sw_case **folder);

/* Joins DIR and a name; SW_ERR_LIMIT if it is too long. */
enum sw_code sw_case_path(char out[PATH_MAX], const char *directory, const char *name, struct sw_error *error);
/* Reads a whole file of at most `max` bytes. SW_ERR_IO, SW_ERR_LIMIT (longer), SW_ERR_INPUT (no regular file), SW_ERR_MEMORY. */
enum sw_code sw_case_read_file(struct sw_buffer *out, const char *path, size_t max, struct sw_error *error);
/* Digest and length of a file. The same errors. */
enum sw_code sw_case_digest_file(char hex[SW_DIGEST_HEX_SIZE], uint64_t *bytes, const char *path, struct sw_error *error);

/* *out: the entry that holds case.yaml as it was recorded last, or NULL; *same: it is as it stands now. SW_OK, or what sw_case_digest says. */
enum sw_code sw_case_recorded(const struct sw_ledger_entry **out, bool *same, const struct sw_case *folder, struct sw_error *error);

/* Appends the time of the clock, RFC 3339, UTC, in whole seconds. */
void sw_case_now(char out[40]);

#endif
