/* What a piece of evidence says: the JSON that slackwater's own commands wrote, and how its members are reached.
 *
 * Nothing here trusts a piece: a member that is missing or of another kind reads as absent, and an answer that its own numbers
 * contradict is not taken for one (sw_evidence_clean). */
#ifndef SW_CASE_EVIDENCE_H
#define SW_CASE_EVIDENCE_H

#include "case/ledger.h"
#include "text/json_document.h"

#define SW_EVIDENCE_BYTES_MAX ((size_t)64 << 20)

enum sw_evidence_form {
    SW_EVIDENCE_OTHER,       /* a file, a link, a query, a decision: kept, never judged */
    SW_EVIDENCE_REPORT,      /* slackwater.report/N */
    SW_EVIDENCE_CONTINUITY,  /* slackwater.continuity/N and its kin: gap, scan, probe, snapshot */
    SW_EVIDENCE_COMPARISON,  /* slackwater.comparison/N */
    SW_EVIDENCE_CHALLENGE    /* slackwater.challenge/N */
};

struct sw_evidence {
    const struct sw_ledger_entry *entry;
    enum sw_evidence_form form;
    const char *kind;        /* the ledger's word for it; static */
    struct sw_document document;
    bool current;            /* no later entry says that it replaces this one, and none asks the same question again */
};

/* What the document is, by its schema. Static; "file" for anything else. */
enum sw_evidence_form sw_evidence_form_of(const char **kind, struct sw_token root);

/* The member at a path such as "counts.keys"; kind SW_TOKEN_ABSENT if there is none. */
struct sw_token sw_evidence_at(const struct sw_evidence *evidence, const char *path);
struct sw_case;
/* Its text in the case's memory (empty: absent, no text, or no memory, which sets the case's `no_memory`), or its number (false: absent or none). */
struct sw_bytes sw_evidence_text(const struct sw_evidence *evidence, struct sw_case *folder, const char *path);
bool sw_evidence_number(uint64_t *out, const struct sw_evidence *evidence, const char *path);
/* Is the text at `path` this one? */
bool sw_evidence_is(const struct sw_evidence *evidence, const char *path, const char *text);
/* Elements of the list at `path`; 0 if it is none. */
size_t sw_evidence_list(const struct sw_evidence *evidence, const char *path);

/* The verdict of a reconciliation, "currentState" or "history". Confirmed only if the report says so and its own counts, lists and exit
 * status agree: all keys equal and at least one, no bad record, no column on one side only. */
enum sw_verdict sw_evidence_verdict(const struct sw_evidence *evidence, const char *claim);

/* Of a reconciliation: are keys outside of what it compared; is it about less than a declared scope, of which nothing can be confirmed? */
bool sw_evidence_is_limited(const struct sw_evidence *evidence);
bool sw_evidence_is_part(const struct sw_evidence *evidence);

/* Of a continuity report: does it say that there is a gap (an interval, or the word), or that it cannot tell? */
bool sw_evidence_has_gap(const struct sw_evidence *evidence);
bool sw_evidence_is_continuous(const struct sw_evidence *evidence);

/* Of a challenge: what should have been caught and was not, and what changed and must not have. False if it does not say, or tried nothing. */
bool sw_evidence_survivors(uint64_t *out, const struct sw_evidence *evidence);

/* Appends the answer in a line ("EQUAL: …", "gap", "2 survivors"); nothing for other forms. */
void sw_evidence_says(struct sw_buffer *out, enum sw_evidence_form form, struct sw_token root);

#endif
