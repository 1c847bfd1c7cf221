/* The ledger of a case: one line a piece of evidence, each line holding the SHA-256 of the line before it.
 *
 * `ledger.ndjson` is only ever added to. The digest of a line is taken over its bytes without the line feed; `previous` of the first
 * line is 64 zeros. The digest of the last line is the head: who knows head and length can tell any change, of any line. Without
 * them a chain shows that it fits together, not that nothing was cut from its end or that it was not written anew. */
#ifndef SW_CASE_LEDGER_H
#define SW_CASE_LEDGER_H

#include "base/buffer.h"
#include "base/digest.h"
#include "case/note.h"
#include "report/sentence.h"
#include "text/token.h"

#define SW_LEDGER_BYTES_MAX ((size_t)64 << 20)
#define SW_LEDGER_LINE_MAX ((size_t)1 << 20)
#define SW_LEDGER_ENTRIES_MAX 100000u

/* One line. Texts are views of `memory`; an empty text was absent. */
struct sw_ledger_entry {
    uint64_t number;               /* from 1; the line's number */
    struct sw_bytes at;            /* when it was added: RFC 3339, UTC */
    struct sw_bytes collected;     /* when the piece itself was collected, if that is known to be another time */
    struct sw_bytes kind;          /* see sw_note_evidence.kind */
    struct sw_bytes title, by;
    struct sw_bytes name;          /* of the file, relative to the case folder, or the link; empty: named by its digest only */
    bool link;
    struct sw_bytes sha256;
    uint64_t bytes;
    struct sw_bytes tool, command, directory; /* what made it, quoted for a shell, and where that ran */
    struct sw_note_texts arguments;/* the same command, argument by argument; passwords are blotted out */
    bool blotted;                  /* something was, so that the command cannot be repeated as it stands */
    struct sw_bytes says;          /* the answer in a word or a line */
    uint64_t of;                   /* the entry that it belongs to: an input's report; 0: none */
    struct sw_bytes role, locator; /* of an input: "events", and how the report names it */
    struct sw_note_entries supersedes;
    uint64_t superseded_by;        /* not in the line: worked out when the ledger is read; 0: none */
    struct sw_bytes line;          /* without its line feed */
    char digest[SW_DIGEST_HEX_SIZE];
};

struct sw_ledger {
    struct sw_ledger_entry *entries;
    size_t count;
    char head[SW_DIGEST_HEX_SIZE]; /* "" : no entry */
};

/* Reads a ledger; everything lives in `memory`. With `problems`, what is wrong is added there, a sentence each, and reading goes on
 * with the next line (a line that is no entry gets an entry with kind ""; a last line without its line feed none); without, the first problem is SW_ERR_INPUT.
 * Errors: SW_ERR_INPUT, SW_ERR_LIMIT, SW_ERR_MEMORY. */
enum sw_code sw_ledger_read(struct sw_ledger *out, struct sw_mapping_block **memory, struct sw_sentences *problems, struct sw_bytes text, struct sw_error *error);

/* Appends the line of an entry (number, at, … as they stand; `previous` hex or "" for the first one), with its line feed. */
void sw_ledger_line(struct sw_buffer *out, const struct sw_ledger_entry *entry, const char *previous);

/* The entry of that number, or NULL. */
const struct sw_ledger_entry *sw_ledger_entry(const struct sw_ledger *ledger, uint64_t number);

/* The text of a TEXT token, its escapes resolved, in `memory`; empty for any other kind. False if memory ran out. */
bool sw_case_token_text(struct sw_bytes *out, struct sw_mapping_block **memory, struct sw_token token);

/* The SHA-256 of bytes. */
enum sw_code sw_case_digest(char hex[SW_DIGEST_HEX_SIZE], struct sw_bytes bytes, struct sw_error *error);

#endif
