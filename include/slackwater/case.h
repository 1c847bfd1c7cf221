/* A case: a folder with what is known of an incident, what was collected about it, and what may be said.
 *
 * `case.yaml` holds what people declare, `evidence/` what was collected, `ledger.ndjson` one line a piece, each chained to the line
 * before it by SHA-256. A case can be zipped and given to the next shift, who can check all of it and repeat the comparison.
 *
 *     struct sw_case_piece piece = {.struct_size = sizeof piece, .path = "report.json"};
 *     uint64_t number;
 *     if (sw_case_init("incident-17", "fund positions stopped", &error) == SW_OK && sw_case_add(&number, "incident-17", &piece, &error) == SW_OK)
 *         printf("entry %llu\n", (unsigned long long)number);
 *
 * Every call opens the folder anew and keeps nothing open. Adds are safe against each other, in threads and processes: the folder is
 * locked, and the ledger is replaced whole. Texts passed in are borrowed until the call returns. Threads: any. docs/handover.md. */
#ifndef SLACKWATER_CASE_H
#define SLACKWATER_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "slackwater/error.h"
#include "slackwater/export.h"
#include "slackwater/report.h"

SW_BEGIN_DECLS

/* Makes the folder (its parent must exist; an empty folder is taken, and one in which this was stopped before) with a case.yaml to fill in and an empty ledger. `title` may be NULL.
 * SW_ERR_USAGE: there is a case already, or other files. SW_ERR_IO, SW_ERR_MEMORY. */
SW_API SW_MUST_USE enum sw_code sw_case_init(const char *directory, const char *title, struct sw_error *error);

/* Writes a document, as sw_report_write_json does. */
typedef enum sw_code (*sw_case_source_fn)(void *source, sw_write_fn write, void *ctx, struct sw_error *error);

/* What is added: exactly one of `path`, `link` and `write`. */
struct sw_case_piece {
    size_t struct_size;              /* sizeof this struct, as the caller was compiled */
    const char *path;                /* a file, which is copied into evidence/ */
    const char *link;                /* an address that is kept, and never fetched */
    sw_case_source_fn write;         /* a result of slackwater itself, as JSON; `source` is handed to it */
    sw_case_source_fn write_findings;/* its findings, as NDJSON; NULL: none */
    void *source;
    const char *file_name;           /* what the piece is called in evidence/; NULL: the name of the file, or of its kind */
    const char *kind;                /* NULL: recognised by its contents, else "file" */
    const char *title;               /* a line about it; NULL: none */
    const char *by;                  /* who adds it; NULL: not said */
    const char *tool;                /* what made it, with its version ("psql 15.4"); NULL: not said. Of results of slackwater it is known */
    const char *collected;           /* RFC 3339: when it was collected; NULL: the file's last change, or now */
    const char *const *arguments; size_t argument_count; /* the exact command that made it, with its name; passwords are blotted out here */
    const char *directory;           /* where that command ran; NULL: not said */
    const uint64_t *supersedes; size_t supersede_count;  /* entries that it replaces */
    bool copy_inputs;                /* of a reconciliation: its inputs and its mapping, too, each as an entry of its own; digests must match the report's */
};

/* Adds one piece, and what belongs to it; *number (may be NULL) is the entry of the piece itself.
 *
 * A crash at any moment leaves the ledger as it was or with all of the new lines. SW_ERR_USAGE: no case there, or a piece that is not
 * one thing. SW_ERR_INPUT: the ledger is damaged, or an input is no longer what the report says. SW_ERR_LIMIT, SW_ERR_IO, SW_ERR_MEMORY. */
SW_API SW_MUST_USE enum sw_code sw_case_add(uint64_t *number, const char *directory, const struct sw_case_piece *piece, struct sw_error *error);

enum sw_case_format { SW_CASE_TEXT, SW_CASE_JSON };
/* Which rules a text lists: all; those that did not pass; of those the ones to answer next, by the course of an incident, with the rest counted. */
enum sw_case_listed { SW_CASE_LIST_ALL, SW_CASE_LIST_OPEN, SW_CASE_LIST_NEXT };

/* Applies the rules (docs/handover.md lists them) and writes each with its answer. *status: 0 all answered and passed, 1 a rule failed,
 * 3 one is not answered. `now` is the time of the judgement, RFC 3339, NULL = the clock's. A JSON document has all rules, whatever is `listed`. */
SW_API SW_MUST_USE enum sw_code sw_case_check(int *status, const char *directory, const char *now, enum sw_case_format format, enum sw_case_listed listed, sw_write_fn write, void *ctx, struct sw_error *error);

/* Writes the headline, the three verdicts, the first rule that failed, the first that is not answered with what answers it, and the head of the ledger.
 * The JSON is the note's. Returns as sw_case_check, but for *status, which is not there. */
SW_API SW_MUST_USE enum sw_code sw_case_status(const char *directory, const char *now, enum sw_case_format format, sw_write_fn write, void *ctx, struct sw_error *error);

enum sw_note_format { SW_NOTE_MARKDOWN, SW_NOTE_JSON, SW_NOTE_HTML };

/* Zero-initialise, set struct_size. */
struct sw_handover_options {
    size_t struct_size;
    enum sw_note_format format;
    const char *now;          /* RFC 3339: the time of the note; NULL = the clock's */
    const char *by;           /* who writes it; NULL: not said */
    bool leave_as_is;         /* do not record case.yaml in the ledger: for folders that must not change */
    const char *key_file;     /* an ed25519 private key (PEM): the ledger is signed; NULL: it is not. What another key signed stays: SW_ERR_USAGE */
    const char *output_file;  /* NULL: to `write`. The file appears whole or not at all */
};

/* Writes the handover note. First, unless `leave_as_is`, case.yaml is copied into evidence/ and recorded if it is not as the ledger has it. */
SW_API SW_MUST_USE enum sw_code sw_case_handover(const char *directory, const struct sw_handover_options *options, sw_write_fn write, void *ctx, struct sw_error *error);

/* One input of a comparison that is repeated. */
struct sw_case_input {
    const char *role;    /* "baseline", "events", "expected"; "mapping", "continuity" */
    const char *locator; /* as the report, or the command, names it */
    const char *path;    /* a file of equal digest, to be read instead */
    const char *table;   /* the table of whose rows the mapping declares it; NULL: of none */
};
/* Repeats a reconciliation: runs the command again with `inputs` ([count]) in place of those it names, in their order, and writes the
 * report as JSON. SW_ERR_UNSUPPORTED, with the reason in `error`, if it cannot be repeated. */
typedef enum sw_code (*sw_case_repeat_fn)(const char *const *arguments, size_t argument_count, const struct sw_case_input *inputs, size_t count, sw_write_fn write, void *write_ctx,
    void *ctx, struct sw_error *error);

/* Zero-initialise, set struct_size. */
struct sw_verify_options {
    size_t struct_size;
    const char *head;         /* the digest that a note prints, whole, in either case; NULL: not checked. A ledger that grew since still has it */
    uint64_t length;          /* the length beside it; 0: not checked */
    const char *key_file;     /* an ed25519 public key (PEM): signatures are checked; NULL: they are not */
    const char *inputs;       /* a folder in which inputs are looked for by their digest; NULL: none */
    sw_case_repeat_fn repeat; /* NULL: nothing is repeated */
    void *repeat_ctx;
};

/* Checks every piece and the chain, repeats the comparisons and writes what was found. *status: 0 intact and all repeated with the same
 * result, 1 a piece is changed, missing or out of order, or a comparison gave another result, 3 intact, but not all could be repeated or vouched for.
 * SW_ERR_USAGE: no case is there, or the head is no digest. SW_ERR_IO, SW_ERR_LIMIT, SW_ERR_MEMORY. */
SW_API SW_MUST_USE enum sw_code sw_case_verify(int *status, const char *directory, const struct sw_verify_options *options, enum sw_case_format format, sw_write_fn write, void *ctx, struct sw_error *error);

SW_END_DECLS

#endif
