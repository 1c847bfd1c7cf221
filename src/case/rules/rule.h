/* The rules that a case is held against: each with a number, a sentence, what it reads, and how it is answered.
 *
 * A rule is a row in the table of its concept (boundaries.c, criteria.c …). Its number is stable: 1xx boundaries, 2xx criteria and owners,
 * 3xx restart, 4xx backfill and rehearsal, 5xx ordering, 6xx snapshot, seek and overlap, 7xx destination, 8xx what is said.
 *
 * Answers: *passed*; *failed*: something contradicts the rule; *not answered*: nobody has said, or no evidence is there. A rule that does not
 * apply (no backfill was used) has passed, and says so. Nothing is answered by silence. */
#ifndef SW_CASE_RULES_RULE_H
#define SW_CASE_RULES_RULE_H

#include "case/claim.h"
#include "case/folder.h"
#include "slackwater/position.h"

enum sw_answer { SW_ANSWER_PASSED, SW_ANSWER_FAILED, SW_ANSWER_OPEN };

/* "passed", "failed", "not answered". Static. */
const char *sw_answer_name(enum sw_answer answer);

/* What a rule is answered from, and what it says. */
struct sw_ruling {
    struct sw_case *folder;
    const struct sw_case_declaration *declared; /* folder->declaration */
    const struct sw_note_claim *claims;
    struct sw_buffer detail;       /* one sentence without a full stop, for people */
};

struct sw_rule {
    unsigned number;
    const char *title;             /* one sentence, with a full stop */
    const char *reads;             /* "case.yaml: restart.position" or "report: counts.keys", with commas between */
    const char *when;              /* a yes-or-no field that says whether it applies; NULL: always */
    const char *needs[6];          /* fields of case.yaml that must not be empty; ended by NULL */
    enum sw_answer (*check)(struct sw_ruling *ruling); /* after `when` and `needs`; NULL: they are all of it */
};

struct sw_rule_group { const char *title; const struct sw_rule *rules; size_t count; };

extern const struct sw_rule_group sw_rules_boundaries, sw_rules_criteria, sw_rules_restart, sw_rules_backfill, sw_rules_ordering, sw_rules_overlap, sw_rules_destination, sw_rules_statement;

/* The groups in order; NULL from their number on. */
const struct sw_rule_group *sw_rule_group_at(size_t index);
/* The rule of that number, or NULL. */
const struct sw_rule *sw_rule_find(unsigned number);
/* Answers one rule; the detail is in ruling->detail, which is cleared first. */
enum sw_answer sw_rule_answer(struct sw_ruling *ruling, const struct sw_rule *rule);
/* Answers all rules into `out` (in the case's memory). SW_OK or SW_ERR_MEMORY. */
enum sw_code sw_rules_apply(struct sw_note_rule **out, size_t *count, struct sw_case *folder, const struct sw_note_claim *claims, struct sw_error *error);

/* ---- for the checks ---- */

enum sw_answer sw_rule_pass(struct sw_ruling *ruling, const char *format, ...) SW_PRINTF(2, 3);
enum sw_answer sw_rule_fail(struct sw_ruling *ruling, const char *format, ...) SW_PRINTF(2, 3);
enum sw_answer sw_rule_open(struct sw_ruling *ruling, const char *format, ...) SW_PRINTF(2, 3);

/* Entries that a field names: passed if there are some and all are in the ledger, failed if one is not or was superseded, else open. */
enum sw_answer sw_rule_entries(struct sw_ruling *ruling, struct sw_note_entries entries, const char *field);
/* The next piece of that form that counts, after `previous` (NULL: the first), or NULL. */
const struct sw_evidence *sw_rule_next(const struct sw_ruling *ruling, enum sw_evidence_form form, const struct sw_evidence *previous);
/* The sum of a count over the reconciliations that count; false if there is none, or one does not say. */
bool sw_rule_sum(uint64_t *out, const struct sw_ruling *ruling, const char *path);
/* Are two names those of one person? Case and blanks around them do not matter. */
bool sw_rule_same_name(struct sw_bytes a, struct sw_bytes b);
/* Reads a position; false: it is none of that kind, and `error` says why (where memory ran out, the case knows). Owner: sw_position_free. */
bool sw_rule_position(struct sw_position **out, struct sw_ruling *ruling, struct sw_bytes kind, struct sw_bytes text, struct sw_error *error);
bool sw_rule_is_past(const struct sw_ruling *ruling, struct sw_bytes time);

/* Shown in a sentence: cut. */
#define SW_RULE_SHOW(bytes) (sw_case_show(bytes).text)

#endif
