/* The three claims of a case, and the sentences that may be said about them.
 *
 * A sentence is never stronger than its verdict, and no sentence here contains the word "recovered": a process that runs, a current state
 * that is reconciled and a history that is complete are three things, each with its own evidence and time. The words stand in one table, by
 * claim and verdict, so that a test can look at all of them. */
#ifndef SW_CASE_CLAIM_H
#define SW_CASE_CLAIM_H

#include "case/folder.h"

/* What qualifies a reconciled state: a cut was declared in every reconciliation that counts; some of them is about the declared scope alone. */
enum sw_claim_ground { SW_GROUND_CUT = 1, SW_GROUND_SCOPE = 2 };

/* The clause for one claim as it stands in a headline ("current state reconciled at the agreed cut"). `ground`: of enum sw_claim_ground. Static. */
const char *sw_claim_clause(size_t claim, enum sw_verdict verdict, unsigned ground);
/* The whole sentence, with a full stop. Static. */
const char *sw_claim_sentence(size_t claim, enum sw_verdict verdict, unsigned ground);
/* Appends the headline: the three clauses, and what qualifies them. */
struct sw_headline { enum sw_verdict verdicts[SW_NOTE_CLAIM_COUNT]; unsigned ground; size_t rules_failed, rules_open; };
void sw_claim_headline(struct sw_buffer *out, const struct sw_headline *headline);

/* Judges the case and fills the claims: verdicts from the evidence that counts, lowered where it has expired, where a challenge had survivors,
 * or where a gap is open. Texts live in the case's memory. SW_OK or SW_ERR_MEMORY. */
enum sw_code sw_case_judge(struct sw_note_claim claims[SW_NOTE_CLAIM_COUNT], struct sw_case *folder, struct sw_error *error);

/* Does a reconciliation that counts compare the table of that name? Where one object is affected, a report on one unnamed table is about it. */
bool sw_case_covers(const struct sw_case *folder, struct sw_bytes object);

/* What qualifies the reconciliations that count, of enum sw_claim_ground. */
unsigned sw_case_ground(const struct sw_case *folder);

#endif
