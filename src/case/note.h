/* What a handover note says, before it is written as Markdown, JSON or HTML: one struct, so that the three say the same.
 *
 * Every text came from outside or was built from what did: UTF-8 with a length, never ended by a NUL, and hostile. It may hold markup,
 * line breaks, NUL, right-to-left marks, and be long. An empty text means "not known" or "not declared" unless a field says otherwise;
 * writers then say so, and never leave the place blank. All of it lives in `memory` and dies with sw_handover_note_free.
 *
 * Sentences are finished here (src/case/claim.h): a writer prints them and adds none that judges. */
#ifndef SW_CASE_NOTE_H
#define SW_CASE_NOTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/error.h"
#include "mapping/draft.h"
#include "report/verdict.h"
#include "slackwater/report.h"

struct sw_note_texts { struct sw_bytes *at; size_t count; };

/* Numbers of entries in the ledger, from 1; each stands in `evidence` of the note by that number. */
struct sw_note_entries { uint64_t *at; size_t count; };

/* One of the three claims, in the order of the design: the process runs, the current state is reconciled, the history is complete. */
struct sw_note_claim {
    const char *name;               /* "process", "currentState", "history": stable, for machines */
    const char *title;              /* "Process", "Current state", "History": for people */
    enum sw_verdict verdict;
    struct sw_bytes sentence;       /* the strongest that may be said, with a full stop; never empty */
    struct sw_note_texts reasons;   /* why; never empty */
    struct sw_note_entries evidence;/* what it rests on; empty: nothing */
    struct sw_bytes reached_at;     /* RFC 3339, when it was reached; empty: it was not */
    struct sw_bytes expires_at;     /* RFC 3339, after which the evidence no longer counts; empty: none declared */
    bool expired;                   /* expires_at lies before the note's `written_at`; the verdict has been lowered to unproven already */
    struct sw_bytes criterion;      /* the acceptance criterion that it answers, as the case declares it; empty: none (always for process) */
    struct sw_bytes owner;          /* who accepts by that criterion */
    struct sw_bytes accepted;       /* what the owner decided ("accepted", "refused", or empty: not decided): a decision, never evidence */
    struct sw_bytes accepted_at;
};

enum { SW_NOTE_PROCESS, SW_NOTE_CURRENT_STATE, SW_NOTE_HISTORY, SW_NOTE_CLAIM_COUNT };

/* The last confirmed point of a boundary. The time says when somebody looked, and takes no part in any comparison. */
struct sw_note_boundary {
    const char *name;               /* "source", "pipeline", "destination" */
    struct sw_bytes position;       /* last confirmed */
    struct sw_bytes observed_at;    /* RFC 3339 */
    struct sw_bytes system;         /* which server, stream, table: what the position is of */
    struct sw_note_entries evidence;
};

enum sw_note_point_kind { SW_NOTE_POINT_AVAILABLE_FIRST, SW_NOTE_POINT_AVAILABLE_LAST, SW_NOTE_POINT_SOURCE, SW_NOTE_POINT_PIPELINE, SW_NOTE_POINT_DESTINATION,
                          SW_NOTE_POINT_CUT, SW_NOTE_POINT_RESTART, SW_NOTE_POINT_GAP_END };

struct sw_note_point {
    enum sw_note_point_kind kind;
    struct sw_bytes label;          /* "source, last confirmed" */
    struct sw_bytes position;
    unsigned rank;                  /* 0 … rank_count-1 in its lane; equal positions share one. It orders, it measures nothing */
    struct sw_bytes observed_at;
};

/* Part of a source's log that is not in evidence. `from_rank` and `to_rank` are of its lane. */
struct sw_note_gap {
    struct sw_bytes from, to;       /* positions; a set of GTIDs stands in `from`, `to` then being empty and `open` false. `from` empty: since the start */
    bool from_included, to_included;
    unsigned from_rank, to_rank;
    bool open;                      /* the end is not known: drawn to the edge */
    bool possible;                  /* it may hold no change of the tables that matter */
    struct sw_bytes proof;          /* "discarded at the source", "not seen" */
    uint64_t entry;                 /* the report that says so */
};

/* Positions that compare with each other. Positions of two lanes never do, and must not be drawn on one axis. */
struct sw_note_lane {
    struct sw_bytes name;           /* the kind and the space: "postgres", "mysql-gtid domain 0" */
    unsigned rank_count;
    struct sw_note_point *points; size_t point_count; /* by rank */
    struct sw_note_gap *gaps; size_t gap_count;       /* by from_rank */
};

struct sw_note_count { struct sw_bytes name; uint64_t count; };

struct sw_note_table {
    struct sw_bytes name;           /* empty: the one unnamed table */
    uint64_t keys, equal, different, conflict, undecided; /* keys is the sum of the others */
    struct sw_note_count *reasons; size_t reason_count;   /* "missing-state" …: those that occur */
};

/* What the newest reconciliations found. With several reports (one a table, say) the counts are their sums. */
struct sw_note_differences {
    bool reconciled;                /* false: no reconciliation is in evidence, and everything below is empty */
    uint64_t keys, equal, different, conflict, undecided;
    struct sw_note_count *reasons; size_t reason_count;   /* in the order of docs/report.md, those that occur */
    struct sw_note_table *tables; size_t table_count;
    /* Files of all findings, one JSON object a line by docs/report.md ("A finding"); empty where no such file is in evidence. */
    struct sw_note_finding_file { struct sw_bytes name;   /* as the note prints it, relative to the case folder */
                                  struct sw_bytes path;   /* as it can be opened now */
                                  uint64_t entry, bytes;
                                  struct sw_bytes sha256; /* hex: what the ledger has; the page shows no other file's findings */
                                } *files;
    size_t file_count;
    struct sw_note_texts listed;    /* findings that reports themselves list, each one JSON object: for reports without a file */
    uint64_t unlisted;              /* findings that stand neither in a file nor in `listed` */
};

/* One entry of the ledger. */
struct sw_note_evidence {
    uint64_t number;                /* from 1 */
    struct sw_bytes kind;           /* "reconcile", "challenge", "gap", "scan", "probe", "snapshot", "comparison", "differences", "input", "query", "file", "link", "observation", "decision" */
    struct sw_bytes title;          /* what somebody wrote about it */
    struct sw_bytes name;           /* the file in the case folder ("evidence/0003-report.json"), or the link */
    bool link;                      /* `name` is a link: never to be fetched; only http and https may be made clickable */
    struct sw_bytes sha256;         /* hex; empty for links */
    uint64_t bytes;
    struct sw_bytes collected_at;   /* RFC 3339, UTC */
    struct sw_bytes tool;           /* "slackwater 0.1.0" */
    struct sw_bytes command;        /* the exact command, quoted for a shell */
    struct sw_bytes by;             /* who added it */
    struct sw_bytes says;           /* the answer in a word or a line: "EQUAL", "gap", "3 survivors"; empty for files and links */
    uint64_t superseded_by;         /* the later entry that replaces it; 0: none */
};

struct sw_note_exception { struct sw_bytes what, reason, approved_by, until; };

/* An interval that was skipped, and what is to become of it. */
struct sw_note_skipped { struct sw_bytes from, to, plan, owner, status; };

struct sw_note_resource { struct sw_bytes name, what, valid_until, region, version; };

struct sw_note_rule {
    unsigned number;
    const char *title;              /* the rule in one sentence */
    const char *answer;             /* "passed", "failed", "not answered" */
    struct sw_bytes detail;         /* what was found, and where to put it right */
};

struct sw_handover_note {
    struct sw_mapping_block *memory;

    struct sw_bytes title;          /* the incident in a line */
    struct sw_bytes incident;       /* its number or link elsewhere */
    struct sw_bytes started_at;     /* RFC 3339, when it began */
    struct sw_bytes written_at;     /* RFC 3339, UTC: the time of this note */
    struct sw_bytes tool;           /* "slackwater 0.1.0" */

    struct sw_bytes headline;       /* one sentence over everything, never stronger than the weakest of its parts */
    struct sw_note_claim claims[SW_NOTE_CLAIM_COUNT];
    struct sw_note_texts confirmed; /* confirmed state: sentences; may be empty, and the writer then says "Nothing is confirmed." */
    struct sw_note_texts uncertain; /* remaining uncertainty: sentences; never empty */
    struct sw_bytes next_owner, next_owner_contact, next_step;
    struct sw_bytes may_stop;       /* who may stop the handover */
    struct sw_bytes results_kept;   /* where results are kept */

    struct sw_note_boundary boundaries[3];
    struct sw_bytes affected_from, affected_to; /* the affected interval: positions where they are known, else times */
    struct sw_bytes affected_scope;          /* which rows of them, where it is not all */
    struct sw_note_texts affected_objects;
    struct sw_bytes restart_position, restart_reason;
    struct sw_bytes cut;            /* of the reconciliation that decides; empty: none was declared */
    struct sw_bytes pipeline_version;
    struct sw_bytes rehearsal_destination;
    struct sw_note_resource *resources; size_t resource_count;
    struct sw_note_exception *exceptions; size_t exception_count;
    struct sw_note_skipped *skipped; size_t skipped_count;

    struct sw_note_differences differences;
    struct sw_note_lane *lanes; size_t lane_count; /* the timeline; may be empty */
    struct sw_note_evidence *evidence; size_t evidence_count;
    struct sw_note_rule *rules; size_t rule_count;
    size_t rules_passed, rules_failed, rules_open;
    struct sw_note_texts versions;  /* "slackwater 0.1.0 wrote evidence 1 to 4" … */
    struct sw_note_texts limits;    /* what none of this shows; stand beside every conclusion */

    struct sw_bytes head;           /* SHA-256 of the ledger's last line, hex; empty: an empty ledger */
    uint64_t ledger_length;         /* entries */
    struct sw_bytes verify_command; /* "slackwater case verify DIR --head …": how to check all this */
};

/* Frees it and sets *note to NULL; accepts NULL. */
void sw_handover_note_free(struct sw_handover_note **note);

/* Each writes the whole note. SW_OK; SW_ERR_IO if `write` failed (or a file of findings could not be read); SW_ERR_MEMORY. After a failure
 * what was written is not whole. One thread at a time per note. */
enum sw_code sw_handover_note_write_markdown(const struct sw_handover_note *note, sw_write_fn write, void *ctx, struct sw_error *error);
enum sw_code sw_handover_note_write_json(const struct sw_handover_note *note, sw_write_fn write, void *ctx, struct sw_error *error);
/* One self-contained page (src/case/page/). At most 10,000 findings stand in it; the page says how many do not, and where they are. */
enum sw_code sw_handover_note_write_html(const struct sw_handover_note *note, sw_write_fn write, void *ctx, struct sw_error *error);

#endif
