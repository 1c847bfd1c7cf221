/* Which declaration hides a fault: the key is folded as if that declaration were not there. */
#include "challenge/challenge.h"

const char *sw_hiding_text(enum sw_hiding hiding)
{
    static const char *const texts[SW_HIDING_COUNT] = {NULL, "--compare value", "--conflicts newest", "--ignore", "--where"};
    return texts[hiding];
}

/* Under these rules, is every key that the fault touches told of, as it must be: one that is equal, as not equal? */
static enum sw_code is_seen(bool *seen, const struct sw_fold_rules *rules, const struct sw_mutant *mutant, struct sw_error *error)
{
    struct sw_trial trial = {.rules = rules};
    enum sw_code code = SW_OK;
    *seen = true;
    for (unsigned i = 0; i < mutant->touched && code == SW_OK; i++) {
        const struct sw_subject *subject = &mutant->subjects->at[mutant->subject[i]];
        struct sw_outcome outcome;
        code = sw_trial_fold(&outcome, &trial, mutant->records[i], mutant->count[i], error);
        *seen &= sw_subject_equal(subject) ? outcome.reason != SW_REASON_NONE : !sw_subject_same(mutant->subjects, subject, &outcome);
    }
    sw_trial_free(&trial);
    return code;
}

enum sw_code sw_challenge_find_hiding(enum sw_hiding *out, const struct sw_challenge *challenge, const struct sw_mutant *mutant, struct sw_error *error)
{
    const struct sw_fold_rules *declared = &challenge->run->rules;
    struct sw_fold_rules rules = *declared;
    struct sw_mapping mapping = *declared->mapping; /* only looked at: what it points to stays the run's */
    bool seen = false;
    enum sw_code code = SW_OK;
    *out = SW_HIDDEN_BY_NOTHING;
    if (!declared->compare_versions) {
        rules.compare_versions = true;
        code = is_seen(&seen, &rules, mutant, error);
        rules.compare_versions = false;
        if (seen)
            *out = SW_HIDDEN_BY_COMPARE;
    }
    if (code == SW_OK && !seen && mapping.conflicts_newest) {
        mapping.conflicts_newest = false;
        rules.mapping = &mapping;
        code = is_seen(&seen, &rules, mutant, error);
        rules.mapping = declared->mapping;
        if (seen)
            *out = SW_HIDDEN_BY_CONFLICTS;
    }
    if (code == SW_OK && !seen && declared->scope) { /* neither row is in scope any more */
        rules.scope = NULL;
        code = is_seen(&seen, &rules, mutant, error);
        if (seen)
            *out = SW_HIDDEN_BY_SCOPE;
    }
    return code;
}
