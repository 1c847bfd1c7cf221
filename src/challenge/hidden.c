/* Which declaration hides a fault: the key is folded as if that declaration were not there. */
#include "challenge/challenge.h"

const char *sw_hiding_text(enum sw_hiding hiding)
{
    static const char *const texts[SW_HIDING_COUNT] = {NULL, "--compare value", "--conflicts newest", "--ignore"};
    return texts[hiding];
}

/* Is the fault seen in every key that it touches, under these rules? */
static enum sw_code is_seen(bool *seen, const struct sw_fold_rules *rules, const struct sw_mutant *mutant, struct sw_error *error)
{
    struct sw_trial without = {.rules = rules}, with = {.rules = rules};
    enum sw_code code = SW_OK;
    *seen = true;
    for (unsigned i = 0; i < mutant->touched && code == SW_OK; i++) {
        const struct sw_sample_key *key = mutant->subjects->at[mutant->subject[i]].sample;
        struct sw_outcome before, after;
        code = sw_trial_fold(&before, &without, key->records, key->count, error);
        if (code == SW_OK)
            code = sw_trial_fold(&after, &with, mutant->records[i], mutant->count[i], error);
        if (code == SW_OK)
            *seen &= before.reason != after.reason || !sw_bytes_equal(before.finding, after.finding);
    }
    sw_trial_free(&without);
    sw_trial_free(&with);
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
        if (seen)
            *out = SW_HIDDEN_BY_CONFLICTS;
    }
    return code;
}
