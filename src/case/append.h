/* Adding to a case: the folder's lock, pieces that are copied with their digest, and the ledger's new lines. */
#ifndef SW_CASE_APPEND_H
#define SW_CASE_APPEND_H

#include "case/folder.h"
#include "slackwater/case.h"

/* What is being added. Open it, copy pieces, note entries, commit. Until the commit the ledger is as it was; a file that was copied
 * already is removed by the close. A crash leaves it as a stray, which `case verify` names. */
struct sw_append {
    int lock;                       /* of the folder; held until sw_append_close */
    struct sw_case *folder;
    struct sw_buffer lines;         /* new ones */
    struct sw_buffer copied;        /* paths of pieces, each ended by a NUL: removed again unless they are committed */
    char head[SW_DIGEST_HEX_SIZE];
    uint64_t count;                 /* entries, the new ones included */
};

/* Locks the folder (waits for others) and reads it. Errors as sw_case_open. */
enum sw_code sw_append_open(struct sw_append *out, const char *directory, struct sw_error *error);
/* Copies a file into evidence/ as the next entry's piece; fills name, sha256 and bytes of `entry`. `wanted`: the digest it must have, or NULL. */
enum sw_code sw_append_file(struct sw_ledger_entry *entry, struct sw_append *append, const char *path, const char *file_name, const char *wanted, struct sw_error *error);
/* The same for what a source writes; `copy` (may be NULL) receives it, too. */
enum sw_code sw_append_source(struct sw_ledger_entry *entry, struct sw_append *append, sw_case_source_fn write, void *source, const char *file_name, struct sw_buffer *copy, struct sw_error *error);
/* Numbers the entry, gives it the time, and adds its line. */
enum sw_code sw_append_entry(struct sw_ledger_entry *entry, struct sw_append *append, struct sw_error *error);
/* Replaces the ledger. */
enum sw_code sw_append_commit(struct sw_append *append, struct sw_error *error);
void sw_append_close(struct sw_append *append);

#endif
